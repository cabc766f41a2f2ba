/* Shared by the files of the binding of inverse kinematics. */
#ifndef BRIO_LUA_IK_H
#define BRIO_LUA_IK_H

#include <lauxlib.h>

/* ik.arm (lua_ik_arm.c), and the class of what it returns. */
int brio_lua_ik_arm(lua_State *L);
void brio_lua_ik_arm_class(lua_State *L);

#endif
