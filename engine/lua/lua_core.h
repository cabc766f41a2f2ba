/* The C modules as one: what main.c and a stock lua5.4 load. */
#ifndef BRIO_LUA_CORE_H
#define BRIO_LUA_CORE_H

#include <lua.h>

/* require "brio.core": put every C module's opener into package.preload as "brio.<name>"
** and return the table of their names. */
int luaopen_brio_core(lua_State *L);

#endif
