/* Userdata that hold one pointer.  A box is pushed before its object is created, so that nothing leaks if the
** creation raises. */
#include "lua/lua_box.h"

#include <lauxlib.h>

brio_lua_box *brio_lua_box_new(lua_State *L, const char *class) {
  /* The box owns its content from the beginning: `thing` is NULL until the caller has created it. */
  brio_lua_box *box = lua_newuserdatauv(L, sizeof *box, 1);
  *box = (brio_lua_box){.class = class, .owned = true};
  luaL_setmetatable(L, class);
  return box;
}

void brio_lua_box_push(lua_State *L, const char *class, void *thing, bool owned) {
  *brio_lua_box_new(L, class) = (brio_lua_box){thing, class, owned};
}

void *brio_lua_box_check(lua_State *L, int arg, const char *class) {
  /* A userdata of the same size that has the address of the class is a box of it; others are looked up. */
  brio_lua_box *box = lua_type(L, arg) == LUA_TUSERDATA ? lua_touserdata(L, arg) : NULL;
  bool known = box && lua_rawlen(L, arg) == sizeof *box && box->class == class;
  if (!known) box = luaL_checkudata(L, arg, class);
  /* An empty box was closed by the script. */
  luaL_argcheck(L, box->thing, arg, "it is closed");
  return box->thing;
}

void *brio_lua_box_empty(lua_State *L, const char *class) {
  /* Empty the box, so that __gc after close() finds NULL. A lent thing (not owned) is not returned. */
  brio_lua_box *box = luaL_checkudata(L, 1, class);
  void *thing = box->owned ? box->thing : NULL;
  box->thing = NULL;
  return thing;
}
