/* The Lua module `brio.screw`: rotation about an axis with translation along it (math/screw.h), as a hand
** moves a knob or a door.
**
** A screw is {frame, start, translation, rotation, [max_linear, max_angular, step_translation, step_rotation,
** max_points]}: `frame` is the pose of its frame in the world, whose x axis is the screw's axis; `start` is
** the pose in the world of the carried body, such as a hand that has grasped; `translation` (m) and
** `rotation` (rad), of which one must not be 0, are the motion; at most `max_linear` (m/s; 0.1) and
** `max_angular` (rad/s; 0.6) fast, in steps of at most `step_translation` (m; 0.05) and `step_rotation` (rad;
** 10 degrees), `max_points` (200) in all. */
#include <lauxlib.h>
#include <math.h>

#include "lua/lua_args.h"
#include "math/screw.h"

/* Read a pose in a field of the screw at 1; absent: the default. */
static brio_pose read_pose(lua_State *L, const char *key) {
  brio_pose pose = BRIO_POSE_IDENTITY;
  if (lua_getfield(L, 1, key) != LUA_TNIL) pose = brio_lua_pose(L, -1, key);
  lua_pop(L, 1);
  return pose;
}

/* Read the screw at 1 into a plan; `frame` gets world_from_screw. Raises on misuse. */
static brio_screw_plan read_plan(lua_State *L, brio_pose *frame) {
  static const char *const keys[] = {"frame",      "start",       "translation",      "rotation",
                                     "max_linear", "max_angular", "step_translation", "step_rotation",
                                     "max_points", NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "a screw");
  double most = brio_lua_field_number(L, 1, "max_points", 0, BRIO_SCREW_POINTS, 0);
  if (most != floor(most)) luaL_error(L, "max_points must be a whole number, not %f", most);
  brio_screw screw = {brio_lua_field_number(L, 1, "translation", -1e6, 1e6, 0),
                      brio_lua_field_number(L, 1, "rotation", -1e6, 1e6, 0),
                      brio_lua_field_number(L, 1, "max_linear", 0, 1e6, 0),
                      brio_lua_field_number(L, 1, "max_angular", 0, 1e6, 0),
                      brio_lua_field_number(L, 1, "step_translation", 0, 1e6, 0),
                      brio_lua_field_number(L, 1, "step_rotation", 0, 1e6, 0), (int)most};
  *frame = read_pose(L, "frame");
  brio_screw_plan plan;
  brio_error err;
  if (!brio_screw_plan_from(&screw, brio_pose_mul(brio_pose_inverse(*frame), read_pose(L, "start")), &plan,
                            &err))
    luaL_error(L, "%s", err.message);
  return plan;
}

/* screw.plan(screw) -> table
** Plans the motion of the carried body. The table has `seconds` (total), `way` (m, path of the carried
** point), `radius` (m, distance of the start from the axis), and `points`: {time, position, orientation,
** linear, angular} each, in the world: s from the start, m, quaternion, m/s and rad/s. All steps take the
** same time except the first and the last, which take twice as long: it rests at both ends. Every point is
** exactly on the screw. Raises without translation and rotation. */
static int plan(lua_State *L) {
  brio_pose frame;
  brio_screw_plan made = read_plan(L, &frame);
  lua_createtable(L, 0, 4);
  brio_lua_set_number(L, "seconds", made.seconds);
  brio_lua_set_number(L, "way", made.way);
  brio_lua_set_number(L, "radius", made.radius);
  lua_createtable(L, made.points, 0);
  for (int i = 0; i < made.points; i++) {
    brio_screw_point point = brio_screw_point_at(&made, i);
    brio_lua_push_pose(L, brio_pose_mul(frame, point.pose));
    brio_lua_set_number(L, "time", point.time);
    brio_lua_set_vec3(L, "linear", brio_quat_rotate(frame.q, point.linear));
    brio_lua_set_vec3(L, "angular", brio_quat_rotate(frame.q, point.angular));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "points");
  return 1;
}

/* screw.pose(screw, share) -> pose
** The pose of the carried body in the world after a share of the motion: 0 at the start, 1 at the end. */
static int pose(lua_State *L) {
  brio_pose frame;
  double share = brio_lua_number(L, 2, -1e6, 1e6, "share");
  brio_screw_plan made = read_plan(L, &frame);
  brio_lua_push_pose(L, brio_pose_mul(frame, brio_screw_pose(&made, share)));
  return 1;
}

int luaopen_brio_screw(lua_State *L) {
  static const luaL_Reg functions[] = {{"plan", plan}, {"pose", pose}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
