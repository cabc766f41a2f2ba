/* Occupancy grids as userdata. */
#ifndef BRIO_LUA_OCCUPANCY_H
#define BRIO_LUA_OCCUPANCY_H

#include <lua.h>

#include "plan/occupancy.h"

/* Return the grid at argument `arg`, or raise. */
brio_occupancy *brio_lua_occupancy_check(lua_State *L, int arg);

#endif
