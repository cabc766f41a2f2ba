/* What the files of the module `brio.trajectory` share. */
#ifndef BRIO_LUA_TRAJECTORY_H
#define BRIO_LUA_TRAJECTORY_H

#include <lua.h>

#include "trajectory/trajectory.h"

typedef struct brio_lua_trajectory {
  brio_trajectory trajectory;
  brio_arena arena; /* phases, contacts, arguments of terms */
} brio_lua_trajectory;

/* Read the problem at argument 2 of a robot into a setup, whose lists are taken from the arena; raise. */
void brio_lua_trajectory_read(lua_State *L, const brio_robot *robot, brio_arena *arena,
                              brio_trajectory_setup *setup);

/* Take `size` zeroed bytes from the arena, or raise. */
void *brio_lua_trajectory_take(lua_State *L, brio_arena *arena, size_t size);

#endif
