/* Goals in Lua: natural values, read and pushed as the goal's record names its numbers. */
#ifndef BRIO_LUA_GOAL_H
#define BRIO_LUA_GOAL_H

#include <lua.h>

#include "solver/goal.h"

/* Read the value at `index` as numbers of a goal of this kind into `v` (room for BRIO_GOAL_NUMBERS); return
** how many. Raises, with an example, if it is not one. */
int brio_lua_goal_read(lua_State *L, int index, const brio_goal_kind *kind, double *v);

/* Push a goal as its natural value; nil if it has not been set. */
void brio_lua_goal_push(lua_State *L, const brio_goal *goal);

#endif
