/* Things of the core as userdata: made by scripts and given back by the collector, or lent to
** scripts by the engine, which must then outlive the Lua state. */
#ifndef BRIO_LUA_BOX_H
#define BRIO_LUA_BOX_H

#include <lua.h>
#include <stdbool.h>

typedef struct brio_lua_box {
  void *thing; /* NULL: not made yet, or given back */
  bool owned;  /* the collector gives it back */
} brio_lua_box;

/* Push an empty box that owns what will be put into it, of the class (a metatable made by
** brio_lua_class), with one user value for what the thing stands on. */
brio_lua_box *brio_lua_box_new(lua_State *L, const char *class);

/* Push a box with a thing in it. */
void brio_lua_box_push(lua_State *L, const char *class, void *thing, bool owned);

/* Return what is in the box that argument `arg` is; raise when it is none of the class, or empty. */
void *brio_lua_box_check(lua_State *L, int arg, const char *class);

/* Empty the box that argument 1 is; return what must be given back, or NULL. */
void *brio_lua_box_empty(lua_State *L, const char *class);

#endif
