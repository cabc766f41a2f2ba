/* See apart.h. The functions are the keys of a table in the registry. Only a cut that is due looks at the
** stack, so neither calls nor ticks cost more. */
#include "runtime/script/apart.h"

#include <lauxlib.h>

enum { MAX_LEVELS = 60 }; /* calls from the top that are looked at: the engine's own are not nested deeper */

static const char apart = 0; /* only its address counts: a key of the registry */

/* Push the table of the functions, created on first use. */
static void push_functions(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &apart) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &apart);
}

void brio_script_add_apart(lua_State *L) {
  luaL_checkstack(L, 6, NULL);
  push_functions(L);
  /* Values that are no functions are other fields of a module. */
  for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
    if (!lua_isfunction(L, -1)) continue;
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -5);
  }
  lua_pop(L, 2);
}

const void *brio_script_frame(lua_State *L) {
  /* Lua's own record of the call. */
  lua_Debug ar;
  return lua_getstack(L, 0, &ar) ? ar.i_ci : NULL;
}

/* Whether one of the functions is active on this stack. */
static bool is_on(lua_State *L, const void *base) {
  bool found = false;
  lua_Debug ar;
  /* Without room on the stack, or without such functions, nothing is apart. */
  if (!lua_checkstack(L, 4)) return false;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &apart) != LUA_TTABLE) {
    lua_pop(L, 1);
    return false;
  }
  for (int i = 0; !found && i < MAX_LEVELS && lua_getstack(L, i, &ar) && ar.i_ci != base; i++) {
    lua_getinfo(L, "f", &ar);
    lua_rawget(L, -2);
    found = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return found;
}

bool brio_script_is_apart(lua_State *L, const brio_script_turn *turn, const lua_State *main,
                          const void *base) {
  bool found = is_on(L, base);
  for (; !found && turn && turn->from && L != main; turn = turn->before) {
    L = turn->from;
    found = is_on(L, base);
  }
  return found;
}
