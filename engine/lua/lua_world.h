/* Simulated worlds as userdata: made by scripts, or lent to them by the engine. */
#ifndef BRIO_LUA_WORLD_H
#define BRIO_LUA_WORLD_H

#include <lua.h>
#include <stdbool.h>

#include "world/world.h"

/* Return the world that argument `arg` is, or raise. */
brio_world *brio_lua_world_check(lua_State *L, int arg);

/* Push a world.  `owned`: Lua frees it; else it must outlive the Lua state. */
void brio_lua_world_push(lua_State *L, brio_world *world, bool owned);

/* Add the person or object that the table at `index` describes; raise when it is wrong.
** `kind` is what it is where the table does not say. */
void brio_lua_world_add(lua_State *L, brio_world *world, int index, const char *kind);

#endif
