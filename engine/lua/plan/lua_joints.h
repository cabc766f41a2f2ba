/* Shared by the files of the binding of joint paths. */
#ifndef BRIO_LUA_JOINTS_H
#define BRIO_LUA_JOINTS_H

#include <lauxlib.h>

#include "plan/joints/checker.h"

/* Return the space at argument `arg`, or raise. */
brio_joint_checker *brio_lua_space_check(lua_State *L, int arg);

/* Return the whole number in a field of the table at `index`, or `fallback`; raise on others. */
int64_t brio_lua_joints_whole(lua_State *L, int index, const char *key, double lower, double upper,
                              double fallback);

/* space:repair (lua_joints_repair.c). */
int brio_lua_space_repair(lua_State *L);

#endif
