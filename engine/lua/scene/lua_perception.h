/* Detections as Lua tables: {kind, id, position, orientation, size, confidence, time, color,
** detector, oriented}. */
#ifndef BRIO_LUA_PERCEPTION_H
#define BRIO_LUA_PERCEPTION_H

#include <lua.h>

#include "math/detection.h"

/* Read and check the detection at `index`; raise on errors. */
brio_detection brio_lua_detection(lua_State *L, int index);

/* Set the fields of the table on the top of the stack that detections and objects share: `time` and `color`
** (absent if NAN), `detector` and `oriented`. */
void brio_lua_set_sensed(lua_State *L, double time, const float color[3], int detector, bool oriented);

/* Push a detection as a new table. */
void brio_lua_push_detection(lua_State *L, const brio_detection *detection);

/* Read the list of detections at `arg` into an array that a userdata pushed on the stack owns; set `count`.
** Raise if it is not a list or an item is not a detection. */
brio_detection *brio_lua_detections(lua_State *L, int arg, int *count);

/* Return the point of the argument: {x, y, z}, or the position of a pose, detection or object. */
brio_vec3 brio_lua_point(lua_State *L, int index, const char *what);

#endif
