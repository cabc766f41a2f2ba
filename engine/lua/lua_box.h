/* Objects of the core as userdata: created by scripts and freed by the garbage collector, or lent to scripts
** by the engine, which must then outlive the Lua state. */
#ifndef BRIO_LUA_BOX_H
#define BRIO_LUA_BOX_H

#include <lua.h>
#include <stdbool.h>

typedef struct brio_lua_box {
  void *thing;       /* NULL: not created yet, or freed */
  const char *class; /* by which it is recognized without a search in the registry */
  bool owned;        /* the garbage collector frees it */
} brio_lua_box;

/* Push an empty box that owns its future content, of the class (a metatable made by brio_lua_class), with one
** user value for the object that the content depends on. */
brio_lua_box *brio_lua_box_new(lua_State *L, const char *class);

/* Push a box that contains an object. */
void brio_lua_box_push(lua_State *L, const char *class, void *thing, bool owned);

/* Return the content of the box at argument `arg`; raise when it is not of the class, or empty. */
void *brio_lua_box_check(lua_State *L, int arg, const char *class);

/* Empty the box at argument 1; return the object that the caller must free, or NULL. */
void *brio_lua_box_empty(lua_State *L, const char *class);

#endif
