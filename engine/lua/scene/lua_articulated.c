/* The Lua module `brio.articulated`: estimates how an observed thing moves: not at all, along a line or about
** an axis (scene/articulation.h). */
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_later.h"
#include "scene/articulation.h"

/* Read item `i` of the track at 1: a pose, or a position {x, y, z}; return whether it has an orientation. */
static bool read_item(lua_State *L, int i, brio_pose *pose) {
  bool oriented = false;
  *pose = BRIO_POSE_IDENTITY;
  lua_rawgeti(L, 1, i + 1);
  if (!lua_istable(L, -1))
    luaL_error(L, "place %d of the track must be a pose or {x, y, z}, not %s", i + 1, luaL_typename(L, -1));
  /* A list is a position; a table with fields is a pose. */
  if (lua_rawlen(L, -1) > 0) {
    pose->p = brio_lua_vec3(L, -1, "a place of the track");
  } else {
    lua_getfield(L, -1, "position");
    pose->p = brio_lua_vec3(L, -1, "the position of a pose of the track");
    lua_pop(L, 1);
    oriented = lua_getfield(L, -1, "orientation") != LUA_TNIL;
    if (oriented) pose->q = brio_lua_quat(L, -1, "the orientation of a pose of the track");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return oriented;
}

/* Push an estimate: see articulated.estimate. */
static void push(lua_State *L, const brio_articulation *a, bool oriented) {
  lua_createtable(L, 0, 13);
  brio_lua_set_text(L, "kind", brio_articulation_name(a->kind));
  brio_lua_set_vec3(L, "axis", a->axis);
  brio_lua_set_vec3(L, "point", a->point);
  static const char *const names[] = {"radius", "low", "high", "error", "noise"};
  const double numbers[] = {a->radius, a->low, a->high, a->error, a->noise};
  for (int i = 0; i < 5; i++) brio_lua_set_number(L, names[i], numbers[i]);
  brio_lua_push_pose(L, a->start);
  lua_setfield(L, -2, "start");
  brio_lua_set_integer(L, "count", a->count);
  brio_lua_set_integer(L, "used", a->used);
  lua_pushboolean(L, oriented);
  lua_setfield(L, -2, "oriented");
  lua_createtable(L, 0, BRIO_ARTICULATION_NKIND);
  for (int k = 0; k < BRIO_ARTICULATION_NKIND; k++)
    brio_lua_set_number(L, brio_articulation_name((brio_articulation_kind)k), a->probability[k]);
  lua_setfield(L, -2, "probability");
}

/* The kind with a name; raise when there is none. */
static brio_articulation_kind kind_of(lua_State *L, const char *name) {
  for (int k = 0; k < BRIO_ARTICULATION_NKIND; k++)
    if (name && strcmp(name, brio_articulation_name((brio_articulation_kind)k)) == 0)
      return (brio_articulation_kind)k;
  luaL_error(L, "kind must be fixed, slider or hinge, not '%s'", name ? name : "nil");
  return BRIO_ARTICULATION_FIXED;
}

/* articulated.estimate(track [, {noise =, turning =, only =}]) -> table | nil, sentence, code
** Estimates how a thing moves from 6 to 4096 observations, oldest first, each a pose {position =, orientation
** =} or {x, y, z}; orientations count when all have one. Returns {kind = "fixed", "slider" or "hinge",
** axis (of the slide or of the rotation, in the direction of the motion), point (on the line or the axis),
** radius, low, high (values, m or rad; 0 is at the first place), start (pose at value 0), error (root
** mean square, m), noise (m), used (inliers), count, oriented, probability = {fixed =, slider
** =, hinge =}}. `noise` is the standard deviation of positions in m (estimated from the track), `turning`
** that of orientations in rad (0.03), `only` the kind, if it is known. Codes: unreachable (too few
** places), limit, no_memory. */
static int estimate(lua_State *L) {
  static const char *const keys[] = {"noise", "turning", "only", NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  brio_articulation_how how = {.turning = -1};
  bool oriented = true;
  if (lua_isnil(L, 2)) lua_newtable(L), lua_replace(L, 2);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "articulated.estimate");
  how.noise = brio_lua_field_number(L, 2, "noise", 0, 100, 0);
  double turning = brio_lua_field_number(L, 2, "turning", 0, 3, 0);
  const char *only = brio_lua_field_text(L, 2, "only", NULL);
  /* 0 means that the kind is not known. */
  if (only) how.only = 1 + (int)kind_of(L, only);
  lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
  luaL_argcheck(L, count <= BRIO_ARTICULATION_MOST, 1, "a track has at most 4096 places");
  /* One more than needed, so that an empty track gets memory; the search refuses it. */
  brio_pose *track = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *track, 0);
  for (int i = 0; i < count; i++) oriented = read_item(L, i, &track[i]) && oriented;
  /* Without an orientation in every pose, orientations do not count (-1). */
  if (oriented) how.turning = turning;
  brio_articulation a;
  brio_error err;
  if (!brio_articulation_estimate(&a, track, (int)count, &how, &err)) return brio_lua_failed(L, &err);
  push(L, &a, oriented);
  return 1;
}

/* articulated.later(track [, {noise =, turning =, only =}]) -> job | nil, sentence, code
** Estimates in a thread, because it takes longer than a tick allows: job:done() returns whether it is
** done, job:result([wait]) the results of estimate, or nothing while it is not done (with `wait` it blocks
** until then). Codes: limit, no_memory. */
static int later(lua_State *L) {
  brio_error err;
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_question question = {.module = "brio.articulated",
                                .open = luaopen_brio_articulated,
                                .function = "estimate",
                                .first = 1,
                                .last = lua_isnoneornil(L, 2) ? 1 : 2};
  return brio_lua_later(L, &question, &err) ? 1 : brio_lua_failed(L, &err);
}

/* Read a result of estimate at 1. */
static brio_articulation read_back(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  /* Only the fields that the functions of an estimate need. */
  brio_articulation a = {.kind = kind_of(L, brio_lua_field_text(L, 1, "kind", NULL))};
  lua_getfield(L, 1, "axis");
  a.axis = brio_vec3_unit(brio_lua_vec3(L, -1, "axis"), (brio_vec3){0, 0, 1});
  lua_getfield(L, 1, "point");
  a.point = brio_lua_vec3(L, -1, "point");
  lua_getfield(L, 1, "start");
  a.start = brio_lua_pose(L, -1, "start");
  lua_pop(L, 3);
  return a;
}

/* articulated.pose(estimate, value) -> pose
** The pose of the thing at a value, m or rad. */
static int pose(lua_State *L) {
  brio_articulation a = read_back(L);
  brio_lua_push_pose(L, brio_articulation_pose(&a, brio_lua_number(L, 2, -1e6, 1e6, "value")));
  return 1;
}

/* articulated.value(estimate, place [, near]) -> number
** The value whose pose is nearest to a place {x, y, z}: m, or rad within half a turn of `near` (0). */
static int value(lua_State *L) {
  brio_articulation a = read_back(L);
  double near = lua_isnoneornil(L, 3) ? 0 : brio_lua_number(L, 3, -1e6, 1e6, "near");
  lua_pushnumber(L, brio_articulation_value(&a, brio_lua_vec3(L, 2, "place"), near));
  return 1;
}

int luaopen_brio_articulated(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"estimate", estimate}, {"later", later}, {"pose", pose}, {"value", value}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
