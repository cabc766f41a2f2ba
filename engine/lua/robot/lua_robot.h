/* The robot in Lua: what other bindings need of it. */
#ifndef BRIO_LUA_ROBOT_H
#define BRIO_LUA_ROBOT_H

#include <lua.h>
#include <stdbool.h>

#include "robot/robot.h"

/* Return the robot that argument `arg` is, or raise.  The robot lives as long as its Lua
** value: who keeps the pointer keeps a reference to that too. */
brio_robot *brio_lua_robot_check(lua_State *L, int arg);

/* Push a robot as a Lua value.  When `owned`, Lua gives it back in the end; else it must outlive
** the Lua state, and its limits cannot be set from Lua.  May raise for want of memory, an owned
** robot being given back then. */
void brio_lua_robot_push(lua_State *L, brio_robot *robot, bool owned);

/* Read the configuration {base = pose, joints = {[variable] = number}} at argument `arg`: nq
** numbers, which live in a userdata that is pushed.  What is left out stands at neutral. */
double *brio_lua_robot_configuration(lua_State *L, const brio_robot *robot, int arg);

/* Read the limits {lower, upper, velocity, acceleration} at argument `arg`; what is left out is NAN. */
brio_limits brio_lua_robot_limits(lua_State *L, int arg);

/* Push the configuration `q` (nq) as such a table. */
void brio_lua_robot_push_configuration(lua_State *L, const brio_robot *robot, const double *q);

/* Open the module `brio.robot`. */
int luaopen_brio_robot(lua_State *L);

#endif
