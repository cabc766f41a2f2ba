/* brio.perception: detections as tables, and functions of them without state. */
#include "lua/scene/lua_perception.h"

#include <stdio.h>
#include <string.h>

#include "lua/lua_args.h"
#include "scene/perception.h"

enum { MOST_DETECTIONS = 65536 };

/* Copy a text field; raise if it is too long. */
static void read_text(lua_State *L, int index, const char *key, char *out, size_t size) {
  const char *text = brio_lua_field_text(L, index, key, "");
  if (strlen(text) >= size)
    luaL_error(L, "a detection's %s must have at most %d letters, not '%s'", key, (int)size - 1, text);
  snprintf(out, size, "%s", text);
}

/* Read the time, the color and the detector of a detection. */
static void read_sensed(lua_State *L, int index, brio_detection *d) {
  d->time = brio_lua_field_number(L, index, "time", -HUGE_VAL, HUGE_VAL, NAN);
  double detector = brio_lua_field_number(L, index, "detector", 0, UINT8_MAX, 0);
  /* The detector's number fits into a byte; 0 is the default. */
  if (detector != floor(detector)) luaL_error(L, "detector must be a whole number, not %f", detector);
  d->detector = (uint8_t)detector;
  /* An unknown color remains NaN. */
  if (lua_getfield(L, index, "color") != LUA_TNIL) {
    double color[3];
    brio_lua_numbers(L, -1, 3, color, "a detection's color");
    for (int i = 0; i < 3; i++) d->color[i] = (float)color[i];
  }
  lua_pop(L, 1);
}

brio_detection brio_lua_detection(lua_State *L, int index) {
  static const char *const keys[] = {"kind",       "id",   "position", "orientation", "size",
                                     "confidence", "time", "color",    "detector",    "oriented",
                                     NULL};
  index = lua_absindex(L, index);
  /* Check the form first, so that the errors below are about the fields. */
  if (!lua_istable(L, index))
    luaL_error(L, "a detection must be a table {kind = ..., position = {x, y, z}}, not %s",
               luaL_typename(L, index));
  brio_lua_only_keys(L, index, keys, "a detection");
  brio_detection d = BRIO_DETECTION_BLANK;
  read_text(L, index, "kind", d.kind, sizeof d.kind);
  read_text(L, index, "id", d.id, sizeof d.id);
  /* The position is required; pose.q is the identity without an orientation. */
  lua_getfield(L, index, "position");
  d.pose.p = brio_lua_vec3(L, -1, "a detection's position");
  bool turned = lua_getfield(L, index, "orientation") != LUA_TNIL;
  if (turned) d.pose.q = brio_lua_quat(L, -1, "a detection's orientation");
  /* Without a size all three lengths are 0. */
  if (lua_getfield(L, index, "size") != LUA_TNIL) d.size = brio_lua_vec3(L, -1, "a detection's size");
  lua_pop(L, 3);
  d.confidence = brio_lua_field_number(L, index, "confidence", 0, 1, 1);
  /* Without a flag it is oriented if an orientation was given. */
  d.oriented = brio_lua_field_flag(L, index, "oriented", turned);
  read_sensed(L, index, &d);
  brio_error err;
  if (!brio_perception_check(&d, &err)) luaL_error(L, "%s", err.message);
  return d;
}

void brio_lua_set_sensed(lua_State *L, double time, const float color[3], int detector, bool oriented) {
  /* Unknown values are absent. */
  if (!isnan(time)) brio_lua_set_number(L, "time", time);
  if (!isnan(color[0])) {
    brio_lua_push_numbers(L, (double[]){color[0], color[1], color[2]}, 3);
    lua_setfield(L, -2, "color");
  }
  brio_lua_set_integer(L, "detector", detector);
  lua_pushboolean(L, oriented);
  lua_setfield(L, -2, "oriented");
}

/* All fields but the unknown ones; the orientation is x, y, z, w. */
void brio_lua_push_detection(lua_State *L, const brio_detection *d) {
  lua_createtable(L, 0, 10);
  lua_pushstring(L, d->kind);
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, d->id);
  lua_setfield(L, -2, "id");
  brio_lua_push_vec3(L, d->pose.p);
  lua_setfield(L, -2, "position");
  brio_lua_push_numbers(L, (double[]){d->pose.q.x, d->pose.q.y, d->pose.q.z, d->pose.q.w}, 4);
  lua_setfield(L, -2, "orientation");
  brio_lua_push_vec3(L, d->size);
  lua_setfield(L, -2, "size");
  lua_pushnumber(L, d->confidence);
  lua_setfield(L, -2, "confidence");
  brio_lua_set_sensed(L, d->time, d->color, d->detector, d->oriented);
}

/* The length of the list at `arg`. */
static int list_length(lua_State *L, int arg) {
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_Integer length = (lua_Integer)lua_rawlen(L, arg);
  luaL_argcheck(L, length <= MOST_DETECTIONS, arg, "too many detections");
  return (int)length;
}

brio_detection *brio_lua_detections(lua_State *L, int arg, int *count) {
  arg = lua_absindex(L, arg);
  *count = list_length(L, arg);
  /* The array is in a userdata, so that an error in a detection leaks nothing. */
  brio_detection *detections = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *detections, 0);
  for (int i = 0; i < *count; i++) {
    lua_rawgeti(L, arg, i + 1);
    detections[i] = brio_lua_detection(L, -1);
    lua_pop(L, 1);
  }
  return detections;
}

brio_vec3 brio_lua_point(lua_State *L, int index, const char *what) {
  int top = lua_gettop(L);
  index = lua_absindex(L, index);
  /* A table with a position is a thing: a detection, an object, or a pose. */
  bool inside = lua_istable(L, index) && lua_getfield(L, index, "position") != LUA_TNIL;
  brio_vec3 point = brio_lua_vec3(L, inside ? -1 : index, what);
  lua_settop(L, top);
  return point;
}

/* perception.detection{kind =, id =, position =, orientation =, size =, confidence =, ...} -> detection
** Checks one detection and returns it complete: missing fields have their defaults, the orientation is
** normalized. It may also have time, when it was sensed, in seconds of the run (default: now); color,
** {red, green, blue} from 0 to 1 (default: unknown); detector, its detector's number (0); oriented,
** whether the orientation is valid (default: whether one is given). */
static int new_detection(lua_State *L) {
  brio_detection d = brio_lua_detection(L, 1);
  brio_lua_push_detection(L, &d);
  return 1;
}

/* perception.filter(detections, {kind =, min_confidence =, within =, of =}) -> detections
** Returns a new list of the same detections of that kind, with at least that confidence, and within `within`
** meters of the point `of` (default: the world's origin). */
static int filter(lua_State *L) {
  static const char *const keys[] = {"kind", "min_confidence", "within", "of", NULL};
  int count = list_length(L, 1), kept = 0;
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "perception.filter");
  /* Missing conditions let everything pass. */
  brio_perception_filter which = {.kind = brio_lua_field_text(L, 2, "kind", NULL)};
  which.min_confidence = brio_lua_field_number(L, 2, "min_confidence", 0, 1, 0);
  which.within = brio_lua_field_number(L, 2, "within", 0, HUGE_VAL, HUGE_VAL);
  if (lua_getfield(L, 2, "of") != LUA_TNIL) which.of = brio_lua_point(L, -1, "of");
  lua_settop(L, 2);
  lua_newtable(L);
  /* The list keeps the caller's own tables: each is checked, then kept or dropped. */
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 1, i + 1);
    brio_detection d = brio_lua_detection(L, -1);
    if (brio_perception_keeps(&which, &d)) lua_rawseti(L, 3, ++kept);
    else lua_pop(L, 1);
  }
  return 1;
}

/* perception.distance(a, b) -> number
** The distance between two points in meters; each is {x, y, z} or something with a position. */
static int distance(lua_State *L) {
  lua_settop(L, 2);
  brio_vec3 a = brio_lua_point(L, 1, "the first point"), b = brio_lua_point(L, 2, "the second point");
  lua_pushnumber(L, brio_perception_distance(a, b));
  return 1;
}

/* perception.bearing(pose, point) -> yaw, pitch
** The direction of a point from a pose (x forward, z up): yaw to the left and pitch upwards, in radians. */
static int bearing(lua_State *L) {
  double yaw, pitch;
  lua_settop(L, 2);
  brio_pose pose = brio_lua_pose(L, 1, "the pose");
  brio_perception_bearing(pose, brio_lua_point(L, 2, "the point"), &yaw, &pitch);
  lua_pushnumber(L, yaw);
  lua_pushnumber(L, pitch);
  return 2;
}

int luaopen_brio_perception(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"detection", new_detection},
      {"filter", filter},
      {"distance", distance},
      {"bearing", bearing},
      {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
