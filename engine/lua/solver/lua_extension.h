/* Kinds of objectives, goals and features that are added at run time. */
#ifndef BRIO_LUA_EXTENSION_H
#define BRIO_LUA_EXTENSION_H

#include <lua.h>

#include "solver/objective.h"

/* Return the objective that the value at `index` is or names, loaded ones included, or raise. */
const brio_objective_kind *brio_lua_check_objective(lua_State *L, int index);

/* Return the loaded objective, or goal kind, number `i` (from 0); NULL past the last. */
const brio_objective_kind *brio_lua_loaded_objective(lua_State *L, int i);
const brio_goal_kind *brio_lua_loaded_goal_kind(lua_State *L, int i);

#endif
