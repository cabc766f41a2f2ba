/* brio.scene: its frames, with their current and recent poses. */
#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/scene/lua_scene.h"
#include "scene/frames.h"

/* The time of an argument, s; NAN without one. */
static double time_at(lua_State *L, int arg) {
  return lua_isnoneornil(L, arg) ? NAN : brio_lua_number(L, arg, -HUGE_VAL, HUGE_VAL, "the time");
}

/* scene:frame(name [, time]) -> pose or nil, sentence
** The pose of a frame in the world now, or at a time in seconds: "world", a link of the robot, a declared
** frame, a chosen object by its name, a confirmed one by its id, or a role of the robot. A time is of the
** last 2.5 s, or up to 0.1 s ahead of the newest pose. */
static int get_frame(lua_State *L) {
  const brio_scene *scene = brio_lua_scene_check(L, 1);
  brio_pose pose;
  brio_error err;
  if (!brio_scene_frame_at(scene, luaL_checkstring(L, 2), time_at(L, 3), &pose, &err))
    return brio_lua_failed(L, &err);
  brio_lua_push_pose(L, pose);
  return 1;
}

/* scene:pose(a, b [, time]) -> pose or nil, sentence
** The pose of the frame `b` in the frame `a`, now or at a time. */
static int get_pose(lua_State *L) {
  const brio_scene *scene = brio_lua_scene_check(L, 1);
  brio_pose pose;
  brio_error err;
  if (!brio_scene_pose(scene, luaL_checkstring(L, 2), luaL_checkstring(L, 3), time_at(L, 4), &pose, &err))
    return brio_lua_failed(L, &err);
  brio_lua_push_pose(L, pose);
  return 1;
}

/* scene:declare_frame(name [, parent]) -> handle
** Declares a frame, once, in a frame that was declared before, or in the world; a known name keeps its handle
** and its parent. */
static int declare_frame(lua_State *L) {
  brio_scene *scene = brio_lua_scene_check(L, 1);
  const char *name = luaL_checkstring(L, 2), *parent = luaL_optstring(L, 3, "world");
  int in = BRIO_FRAME_WORLD;
  brio_error err;
  /* Only a declared frame can be a parent, so that frames form a tree. */
  if (strcmp(parent, "world") != 0) {
    in = brio_frames_find(brio_scene_frames(scene), parent);
    if (in < 0) return luaL_error(L, "the parent '%s' of the frame '%s' was not declared", parent, name);
  }
  int handle = brio_frames_declare(brio_scene_frames(scene), name, in, &err);
  if (handle < 0) return brio_lua_failed(L, &err);
  lua_pushinteger(L, handle);
  return 1;
}

/* scene:set_frame(handle, pose [, time])
** Sets the pose of a declared frame in its parent: until the next call, or with a time, as a sample of its
** motion. */
static int set_frame(lua_State *L) {
  brio_scene *scene = brio_lua_scene_check(L, 1);
  int handle = (int)brio_lua_number(L, 2, 0, 1e6, "the frame's handle");
  brio_pose pose = brio_lua_pose(L, 3, "the frame's pose");
  double time = time_at(L, 4);
  /* Without a time the pose holds from now on. */
  bool holds = isnan(time);
  brio_frames_set(brio_scene_frames(scene), handle, holds ? brio_scene_time(scene) : time, pose, holds);
  return 0;
}

/* scene:alias(name, frame) -> true, or nil, sentence, code
** Gives a declared frame a second name, which is used if no frame has it as its own name. */
static int alias(lua_State *L) {
  brio_frames *frames = brio_scene_frames(brio_lua_scene_check(L, 1));
  const char *name = luaL_checkstring(L, 2), *of = luaL_checkstring(L, 3);
  int handle = brio_frames_find(frames, of);
  if (handle < 0) return luaL_error(L, "the frame '%s' was not declared", of);
  brio_error err;
  if (!brio_frames_alias(frames, name, handle, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* scene:frame_names() -> list of names
** All declared frames, in the order of their declaration: the robot's links first. */
static int frame_names(lua_State *L) {
  const brio_frames *frames = brio_scene_frames(brio_lua_scene_check(L, 1));
  int count = brio_frames_count(frames);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, brio_frames_name(frames, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* scene:time() -> seconds
** The time of the newest update. */
static int get_time(lua_State *L) {
  lua_pushnumber(L, brio_scene_time(brio_lua_scene_check(L, 1)));
  return 1;
}

const luaL_Reg brio_lua_scene_frames[] = {{"frame", get_frame},
                                          {"pose", get_pose},
                                          {"declare_frame", declare_frame},
                                          {"set_frame", set_frame},
                                          {"frame_names", frame_names},
                                          {"time", get_time},
                                          {"alias", alias},
                                          {NULL, NULL}};
