/* The robot in Lua, for other bindings. */
#ifndef BRIO_LUA_ROBOT_H
#define BRIO_LUA_ROBOT_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "robot/robot.h"

/* Return the robot at argument `arg`, or raise.  The robot lives as long as its Lua value: a holder of the
** pointer must also keep a reference to that. */
brio_robot *brio_lua_robot_check(lua_State *L, int arg);

/* Push a robot as a Lua value.  If `owned`, Lua frees it; else it must outlive the Lua state, and its limits
** cannot be set from Lua.  May raise without memory, and frees an owned robot then. */
void brio_lua_robot_push(lua_State *L, brio_robot *robot, bool owned);

/* Read the configuration {base = pose, joints = {[variable] = number}} at argument `arg`: nq numbers, in a
** userdata that is pushed.  Missing values are neutral. */
double *brio_lua_robot_configuration(lua_State *L, const brio_robot *robot, int arg);

/* Read the limits {lower, upper, velocity, acceleration} at argument `arg`; missing ones are NAN. */
brio_limits brio_lua_robot_limits(lua_State *L, int arg);

/* Push the configuration `q` (nq) as such a table. */
void brio_lua_robot_push_configuration(lua_State *L, const brio_robot *robot, const double *q);

/* Return the index of the link, joint or variable that argument `arg` names, or raise. */
int brio_lua_robot_find(lua_State *L, const brio_robot *robot, int arg,
                        int (*look_up)(const brio_robot *, const char *, brio_error *));

/* Methods of a robot in another file: what it is made of. */
extern const luaL_Reg brio_lua_robot_model[];

/* Open the module `brio.robot`. */
int luaopen_brio_robot(lua_State *L);

#endif
