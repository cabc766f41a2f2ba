/* The table of C modules: Lua reaches the core only through these. */
#include "lua/lua_core.h"

#include "lua/lua_args.h"

static const luaL_Reg modules[] = {
#define X(name) {"brio." #name, luaopen_brio_##name},
#include "lua/modules.def"
#undef X
    {NULL, NULL}};

int luaopen_brio_core(lua_State *L) {
  /* Put each opener into package.preload, where require finds it without a file. No module is opened yet. */
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_newtable(L);
  for (int i = 0; modules[i].name; i++) {
    lua_pushcfunction(L, modules[i].func);
    lua_setfield(L, -3, modules[i].name);
    lua_pushstring(L, modules[i].name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}
