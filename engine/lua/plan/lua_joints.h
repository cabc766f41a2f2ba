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

/* Read a list of bounds of frames in a field of the table at `index`; return how many, 0 without it.  The
** list belongs to a userdata that is pushed. */
int brio_lua_joints_keeps(lua_State *L, const brio_robot *robot, int index, const char *key,
                          const brio_joint_keep **out);

/* Read the points at `index` of a path to `what`, from `least` to `most` lists of `size` numbers; they belong
** to a userdata that is pushed. */
double *brio_lua_joints_points(lua_State *L, int index, int size, const char *what, int least, int most,
                               int *count);

/* Push a list of lists of numbers. */
void brio_lua_joints_push_points(lua_State *L, const double *points, int count, int size);

/* space:optimize, and the class of what it returns (lua_joints_smooth.c). */
int brio_lua_space_optimize(lua_State *L);
void brio_lua_joints_optimization(lua_State *L);

/* space:repair, space:out (lua_joints_repair.c); space:project, space:kept, space:draw (lua_joints_keep.c).
 */
int brio_lua_space_repair(lua_State *L);
int brio_lua_space_out(lua_State *L);
int brio_lua_space_project(lua_State *L);
int brio_lua_space_kept(lua_State *L);
int brio_lua_space_draw(lua_State *L);

#endif
