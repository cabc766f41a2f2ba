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

/* Read a list of bounds of frames in a field of the table at `index`; return how many, 0 without it.  The list
** belongs to a userdata that is pushed. */
int brio_lua_joints_keeps(lua_State *L, const brio_robot *robot, int index, const char *key,
                          const brio_joint_keep **out);

/* space:repair, space:out (lua_joints_repair.c); space:project, space:kept, space:draw (lua_joints_keep.c). */
int brio_lua_space_repair(lua_State *L);
int brio_lua_space_out(lua_State *L);
int brio_lua_space_project(lua_State *L);
int brio_lua_space_kept(lua_State *L);
int brio_lua_space_draw(lua_State *L);

#endif
