/* Obstacles of the robot, in Lua: shapes that are added, moved and removed, and distances. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"
#include "lua/solver/lua_solver.h"
#include "math/hull.h"

enum { MOST_POINTS = 1000000 }; /* most points of a hull; its corners may be fewer */

/* Read the points of a hull into a userdata that is pushed, and keep its corners. */
static void read_points(lua_State *L, int index, brio_shape *shape) {
  if (!lua_istable(L, index)) luaL_error(L, "a hull needs `points`: a list of {x, y, z}");
  lua_Unsigned count = lua_rawlen(L, index);
  if (count < 1 || count > MOST_POINTS)
    luaL_error(L, "a hull has 1 to %d points, not %I", MOST_POINTS, count);
  brio_vec3 *points = lua_newuserdatauv(L, (size_t)count * sizeof *points, 0);
  for (lua_Unsigned i = 0; i < count; i++) {
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    points[i] = brio_lua_vec3(L, -1, "a point");
    lua_pop(L, 1);
  }
  brio_error err;
  /* In place: the corners are moved to the front, inner points are dropped. */
  shape->points = points;
  shape->npoint = brio_hull_corners(points, (int)count, &err);
  if (shape->npoint < 0) luaL_error(L, "%s", err.message);
}

/* Read the size of a solid that has one. */
static void read_size(lua_State *L, int index, brio_shape *shape) {
  /* The meaning of the size by kind; the other kinds need none. */
  static const char *const sizes[BRIO_NSHAPE] = {[BRIO_SHAPE_SPHERE] = "{radius, 0, 0}",
                                                 [BRIO_SHAPE_CAPSULE] = "{radius, 0, length}",
                                                 [BRIO_SHAPE_BOX] = "{x, y, z}, its full lengths",
                                                 [BRIO_SHAPE_CYLINDER] = "{radius, 0, length}"};
  if (!lua_isnil(L, index)) shape->size = brio_lua_vec3(L, index, "size");
  else if (sizes[shape->kind])
    luaL_error(L, "a %s needs `size`: %s (m)", brio_shape_kind_name(shape->kind), sizes[shape->kind]);
}

/* The kind in field `kind` of the table at `index`; raises on another word. */
static brio_shape_kind read_kind(lua_State *L, int index) {
  const char *name = brio_lua_field_text(L, index, "kind", "");
  for (int k = 0; k < BRIO_NSHAPE; k++)
    if (strcmp(name, brio_shape_kind_name((brio_shape_kind)k)) == 0) return (brio_shape_kind)k;
  luaL_error(L, "a shape's kind must be 'sphere', 'capsule', 'box', 'cylinder', 'hull' or 'half_space',"
             " not '%s'", name);
  return BRIO_SHAPE_SPHERE;
}

/* The link in field `link` of the table at `index`, or -1 for the world; raises when there is none. */
static int read_link(lua_State *L, int index, const brio_robot *robot) {
  const char *name = brio_lua_field_text(L, index, "link", NULL);
  if (!name) return -1;
  brio_error err;
  int link = brio_robot_link(robot, name, &err);
  if (link < 0) luaL_error(L, "%s", err.message);
  return link;
}

void brio_lua_shape(lua_State *L, int index, brio_shape *shape) {
  *shape = (brio_shape){.kind = read_kind(L, index)};
  lua_getfield(L, index, "size");
  read_size(L, -1, shape);
  lua_pop(L, 1);
  /* Points of other kinds are read too, and checked, but only a hull uses them. */
  if (lua_getfield(L, index, "points") != LUA_TNIL || shape->kind == BRIO_SHAPE_HULL)
    read_points(L, lua_gettop(L), shape);
}

/* solver:shape(key, {kind, size, [points, link, pose, physical]})
** Adds a shape as an obstacle, in the world or fixed to `link`; a key in use is replaced. `size` is
** {x, y, z} in m (box: full lengths; sphere: {radius, 0, 0}; capsule and cylinder: {radius, 0,
** length}); a hull has `points`, up to a million, of which the corners are kept, up to 4,096; a half_space
** has neither: it is all space below the plane z = 0 of its pose. With `physical = false` its distances are
** reported, but not kept. */
static int shape(lua_State *L) {
  static const char *const keys[] = {"kind", "size", "points", "link", "pose", "physical", NULL};
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const char *key = luaL_checkstring(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  brio_lua_only_keys(L, 3, keys, "a shape");
  brio_shape solid;
  /* Where it is fixed, and whether the robot must keep away from it. */
  int link = read_link(L, 3, brio_solver_robot(solver));
  bool physical = brio_lua_field_flag(L, 3, "physical", true);
  brio_pose pose = BRIO_POSE_IDENTITY;
  if (lua_getfield(L, 3, "pose") != LUA_TNIL) pose = brio_lua_pose(L, -1, "pose");
  brio_lua_shape(L, 3, &solid);
  brio_error err;
  bool good = brio_solver_set_shape(solver, key, link, pose, &solid, physical, &err);
  return good ? 0 : brio_lua_failed(L, &err);
}

/* solver:move_shape(key, pose)
** Moves a shape, in the world or in the link it is fixed to. Its velocity is computed from the change between
** solves, unless `shape_motion` set it; over 10 m/s counts as a jump. */
static int move_shape(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const char *key = luaL_checkstring(L, 2);
  brio_pose pose = brio_lua_pose(L, 3, "pose");
  brio_error err;
  if (!brio_solver_move_shape(solver, key, pose, &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* solver:shape_motion(key, velocity [, spin])
** Sets the velocity of a shape from now on, in the world or in the link it is fixed to: {x, y, z} of its
** origin in m/s, and {x, y, z} in rad/s. This does not change its pose: use `move_shape`. */
static int shape_motion(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const char *key = luaL_checkstring(L, 2);
  brio_vec3 velocity = brio_lua_vec3(L, 3, "velocity"), spin = {0, 0, 0};
  if (!lua_isnoneornil(L, 4)) spin = brio_lua_vec3(L, 4, "spin");
  brio_error err;
  if (!brio_solver_set_shape_motion(solver, key, velocity, spin, &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* solver:remove_shape(key)
** Removes a shape. */
static int remove_shape(lua_State *L) {
  brio_error err;
  if (!brio_solver_remove_shape(brio_lua_solver_check(L, 1), luaL_checkstring(L, 2), &err))
    return brio_lua_failed(L, &err);
  return 0;
}

/* solver:proximity([range]) -> list of {a, b, distance, physical [, point_a, point_b, normal]}
** The pairs within `range` (m; default: the solver's collision_range) at the last solution: names of link or
** shape, distance (m, negative: depth) and nearest points (world). The robot's own watched pairs beyond it
** are also listed, with only a distance, which is a lower bound. */
static int proximity(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const brio_proximity_pair *pairs;
  /* The solver's 0 is its default; a range of 0 is the least one. */
  double range = lua_isnoneornil(L, 2) ? 0 : fmax(brio_lua_number(L, 2, 0, 1e6, "range"), DBL_MIN);
  int count = brio_solver_pairs(solver, range, &pairs);
  lua_createtable(L, count, 0);
  /* An entry for each pair: the names, the distance, and whether it is kept. */
  for (int i = 0; i < count; i++) {
    const char *a, *b;
    brio_solver_pair_names(solver, &pairs[i], &a, &b);
    lua_createtable(L, 0, 7);
    brio_lua_set_text(L, "a", a);
    brio_lua_set_text(L, "b", b);
    brio_lua_set_number(L, "distance", pairs[i].near.distance);
    lua_pushboolean(L, brio_solver_pair_physical(solver, &pairs[i]));
    lua_setfield(L, -2, "physical");
    /* Pairs beyond the range have only a bound: no nearest points are known. */
    if (pairs[i].within) {
      brio_lua_set_vec3(L, "point_a", pairs[i].near.point_a);
      brio_lua_set_vec3(L, "point_b", pairs[i].near.point_b);
      brio_lua_set_vec3(L, "normal", pairs[i].near.normal);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* solver:self_pairs() -> list of {link, link}
** The pairs of the robot's own links that are watched against each other. */
static int self_pairs(lua_State *L) {
  const brio_solver *solver = brio_lua_solver_check(L, 1);
  const brio_robot *robot = brio_solver_robot(solver);
  const int(*pairs)[2];
  int count = brio_solver_self_pairs(solver, &pairs);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 2, 0);
    for (int k = 0; k < 2; k++) {
      lua_pushstring(L, robot->links[pairs[i][k]].name);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* Call a method of the solver (argument 1) with a key and what is on the top, which is popped. */
static void change_shape(lua_State *L, lua_CFunction method, int key, bool with_value) {
  int value = lua_gettop(L);
  lua_pushcfunction(L, method);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, key);
  if (with_value) lua_pushvalue(L, value);
  lua_call(L, with_value ? 3 : 2, 0);
  lua_settop(L, value - 1);
}

/* Push the sorted list of the keys of the table at `index`: the order of a table differs between runs, and
** sums over the shapes would differ in their last digit. */
static void push_sorted_keys(lua_State *L, int index) {
  int n = 0;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "shapes are given by name");
    lua_pushvalue(L, -2);
    lua_rawseti(L, -4, ++n);
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "table");
  lua_getfield(L, -1, "sort");
  lua_pushvalue(L, -4);
  lua_call(L, 1, 0);
  lua_pop(L, 2);
}

void brio_lua_solver_change_shapes(lua_State *L, int index) {
  if (lua_isnoneornil(L, index)) return;
  luaL_checktype(L, index, LUA_TTABLE);
  /* In sorted order, so that every run adds shapes in the same order. */
  push_sorted_keys(L, index);
  int keys = lua_gettop(L), key = keys + 1;
  for (int i = 1; lua_rawgeti(L, keys, i) == LUA_TSTRING; i++, lua_settop(L, keys)) {
    lua_pushvalue(L, key);
    lua_gettable(L, index);
    /* false removes, a table with a kind sets, any other table is a pose to move to. */
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) {
      change_shape(L, remove_shape, key, false);
    } else if (lua_istable(L, -1)) {
      bool whole = lua_getfield(L, -1, "kind") != LUA_TNIL;
      lua_pop(L, 1);
      change_shape(L, whole ? shape : move_shape, key, true);
    } else {
      luaL_error(L, "shape '%s' must be a shape, a pose to move it to, or false to remove it, not a %s",
                 lua_tostring(L, key), luaL_typename(L, -1));
    }
  }
  lua_settop(L, keys - 1);
}

const luaL_Reg brio_lua_solver_shape_methods[] = {
  {"shape", shape},         {"move_shape", move_shape}, {"shape_motion", shape_motion},
  {"remove_shape", remove_shape}, {"proximity", proximity}, {"self_pairs", self_pairs}, {NULL, NULL}};
