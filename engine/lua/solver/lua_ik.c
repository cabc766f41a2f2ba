/* The Lua module `brio.ik`: inverse kinematics, configurations that bring links to goals.
**
** A goal of a link is {position = {x, y, z}, orientation = {x, y, z, w}} in the world.
** A missing part is free. `position_tolerance` (m; default: 1e-4) and `orientation_tolerance` (rad; default:
** 1e-3) are a number, or a list of three along the goal's own axes, where math.huge leaves an axis free. In
** place of an orientation, `axis` ("x", "y" or "z") with `along` ({x, y, z}) sets the direction of this axis
** of the link only. `tool` (a pose in the link) replaces the link's own frame.
**
** This is for authors: it finds poses before a run, or between movements. It has no history, so its solution
** may be far from the robot's pose; in a run the solver moves the robot there. A behavior may use it: the
** work of a solve is bounded by `max_iterations`, which are counted, not timed. One takes about a microsecond
** for an arm without watches; a tick has 5000 microseconds in all. */
#include "lua/solver/lua_ik.h"

#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/robot/lua_robot.h"
#include "lua/solver/lua_solver.h"
#include "solver/inverse/inverse.h"

#define CLASS "brio.ik"

enum { MOST_LINKS = 100, MOST_SOLUTIONS = 10000 };

/* The workspace at argument 1, or raise. */
static brio_inverse *check(lua_State *L) {
  return brio_lua_box_check(L, 1, CLASS);
}

/* __gc: free the workspace; a solver that it lent keeps it alive. */
static int collect(lua_State *L) {
  brio_inverse_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* --- creation --- */

/* Read an optional whole number from 1 to `most`; absent: 0. */
static int read_count(lua_State *L, int index, const char *key, double most) {
  double value = brio_lua_field_number(L, index, key, 1, most, 0);
  if (value != floor(value)) luaL_error(L, "%s must be a whole number, not %f", key, value);
  return (int)value;
}

/* Read a list of names in a field into indices, in a userdata that is pushed; return how many. */
static int read_names(lua_State *L, int options, const char *key, const brio_robot *robot,
                      int (*look_up)(const brio_robot *, const char *, brio_error *), const int **out) {
  if (lua_getfield(L, options, key) == LUA_TNIL) return 0;
  if (!lua_istable(L, -1)) luaL_error(L, "%s must be a list of names, not a %s", key, luaL_typename(L, -1));
  lua_Unsigned count = lua_rawlen(L, -1);
  if (count > 10000) luaL_error(L, "%s has too many names", key);
  int *list = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *list, 0);
  for (lua_Unsigned i = 0; i < count; i++) {
    brio_error err;
    if (lua_rawgeti(L, -2, (lua_Integer)i + 1) != LUA_TSTRING)
      luaL_error(L, "%s must be a list of names", key);
    list[i] = look_up(robot, lua_tostring(L, -1), &err);
    if (list[i] < 0) luaL_error(L, "%s", err.message);
    lua_pop(L, 1);
  }
  *out = list;
  return (int)count;
}

/* Read the options at argument `arg`; lists of indices stay on the stack. Raises on names that do not
** exist. */
static brio_inverse_options read_options(lua_State *L, int arg, const brio_robot *robot) {
  static const char *const keys[] = {"links",      "held",          "moves_base", "watches",
                                     "max_shapes", "max_solutions", "seed",       NULL};
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "ik options");
  brio_inverse_options options = {.moves_base = brio_lua_field_flag(L, arg, "moves_base", false),
                                  .watches = brio_lua_field_flag(L, arg, "watches", false),
                                  .max_shapes = read_count(L, arg, "max_shapes", 1e5),
                                  .max_solutions = read_count(L, arg, "max_solutions", MOST_SOLUTIONS)};
  double seed = brio_lua_field_number(L, arg, "seed", 0, 0x1p53, 0);
  if (seed != floor(seed)) luaL_error(L, "seed must be a whole number, not %f", seed);
  options.seed = (uint64_t)seed;
  options.nlink = read_names(L, arg, "links", robot, brio_robot_link, &options.links);
  options.nheld = read_names(L, arg, "held", robot, brio_robot_variable, &options.held);
  return options;
}

/* ik.new(robot, {links, [held, moves_base, watches, max_shapes, max_solutions, seed]}) -> workspace
** Makes a workspace for goals of these links (a list of names). `held`: names of variables that keep the
** seed's value. `moves_base`: a movable base is moved too. `watches`: watch the robot's own shapes and those
** of `workspace:shapes()`. `seed`: of the starts; equal seeds give equal results. If the robot is too large:
** nil, sentence, "limit". Takes some 0.1 ms; with `watches` as long as creating a solver. */
static int new (lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_settop(L, 2);
  brio_inverse_options options = read_options(L, 2, robot);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  brio_error err;
  box->thing = brio_inverse_new(robot, &options, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1); /* keeps the robot alive */
  return 1;
}

/* --- goals --- */

/* Read a tolerance that is one number for all three axes, or a list of three; infinite: free. */
static void read_tolerance(lua_State *L, int goal, const char *key, double out[3]) {
  int type = lua_getfield(L, goal, key);
  /* One number counts for each axis. */
  for (int i = 0; type != LUA_TNIL && i < 3; i++) {
    if (type == LUA_TTABLE)
      lua_rawgeti(L, -1, i + 1);
    else
      lua_pushvalue(L, -1);
    out[i] = lua_tonumber(L, -1);
    if (!lua_isnumber(L, -1) || !(out[i] > 0))
      luaL_error(L, "%s must be a number above 0, or three of them, not %s", key,
                 luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Any error is within an infinite tolerance. */
static void leave_free(double tolerance[3]) {
  for (int i = 0; i < 3; i++) tolerance[i] = INFINITY;
}

/* Read `axis` and `along`, the latter being on top of the stack. */
static void read_direction(lua_State *L, int index, brio_inverse_goal *goal) {
  const char *axis = brio_lua_field_text(L, index, "axis", "");
  /* "x", "y" and "z" are 0, 1 and 2; anything else is refused with the direction. */
  int i = axis[0] && !axis[1] ? axis[0] - 'x' : -1;
  if (!brio_inverse_point(goal, i, brio_lua_vec3(L, -1, "along"), goal->orientation[0]))
    luaL_error(L, "a goal's `along` is a direction {x, y, z} for its `axis`, which is 'x', 'y' or 'z'");
}

/* Read the goal at `index`; values that it pushes stay on the stack. Raises on errors. */
static brio_inverse_goal read_goal(lua_State *L, int index) {
  static const char *const keys[] = {
      "position", "orientation", "position_tolerance", "orientation_tolerance", "axis", "along",
      "tool",     NULL};
  brio_inverse_goal goal = {.pose = BRIO_POSE_IDENTITY};
  index = lua_absindex(L, index);
  if (!lua_istable(L, index))
    luaL_error(L, "a goal must be a table {position = {x, y, z}, orientation = {x, y, z, w}}, not a %s",
               luaL_typename(L, index));
  brio_lua_only_keys(L, index, keys, "a goal");
  read_tolerance(L, index, "position_tolerance", goal.position);
  read_tolerance(L, index, "orientation_tolerance", goal.orientation);
  /* A missing position or orientation is free; `along` replaces the orientation. */
  if (lua_getfield(L, index, "position") != LUA_TNIL)
    goal.pose.p = brio_lua_vec3(L, -1, "position");
  else
    leave_free(goal.position);
  if (lua_getfield(L, index, "along") != LUA_TNIL)
    read_direction(L, index, &goal);
  else if (brio_lua_field_text(L, index, "axis", NULL))
    luaL_error(L, "a goal's `axis` needs `along`: the direction {x, y, z} in which it is to point");
  else if (lua_getfield(L, index, "orientation") != LUA_TNIL)
    goal.pose.q = brio_lua_quat(L, -1, "orientation");
  else
    leave_free(goal.orientation);
  if (lua_getfield(L, index, "tool") != LUA_TNIL) goal.tool = brio_lua_pose(L, -1, "tool");
  return goal;
}

/* Read `goal` or `goals` of the request at 2 into a userdata that is pushed. */
static const brio_inverse_goal *read_goals(lua_State *L, const brio_inverse *inverse) {
  const int *links;
  int count = brio_inverse_links(inverse, &links);
  brio_inverse_goal *goals = lua_newuserdatauv(L, (size_t)count * sizeof *goals, 0);
  bool one = lua_getfield(L, 2, "goal") != LUA_TNIL, several = lua_getfield(L, 2, "goals") != LUA_TNIL;
  if (one == several) luaL_error(L, "a request needs `goal`, or `goals`: a list with one for every link");
  if (one && count != 1) luaL_error(L, "there are %d links: `goals` must be a list with one for each", count);
  /* One goal is enough for a workspace of one link. */
  if (one) {
    lua_pop(L, 1);
    goals[0] = read_goal(L, -1);
    return goals;
  }
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)count)
    luaL_error(L, "goals must be a list of %d, one for every link", count);
  int list = lua_gettop(L);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, list, k + 1);
    goals[k] = read_goal(L, -1);
    lua_settop(L, list);
  }
  return goals;
}

/* --- solving --- */

/* Read a configuration in a field, or NULL; it lives in a userdata that is pushed. */
static const double *read_configuration(lua_State *L, const brio_robot *robot, const char *key) {
  if (lua_getfield(L, 2, key) == LUA_TNIL) return NULL;
  return brio_lua_robot_configuration(L, robot, lua_gettop(L));
}

/* Read the request at argument 2; its memory stays on the stack. 0 stands for the defaults. */
static brio_inverse_request read_request(lua_State *L, const brio_inverse *inverse) {
  static const char *const keys[] = {"goal",      "goals",      "seed",           "nominal",
                                     "nearest",   "clear",      "apart",          "clearance",
                                     "solutions", "max_starts", "max_iterations", NULL};
  const brio_robot *robot = brio_inverse_robot(inverse);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "a request");
  brio_inverse_request request = {.nearest = brio_lua_field_flag(L, 2, "nearest", false),
                                  .clear = brio_lua_field_flag(L, 2, "clear", false),
                                  .clearance = brio_lua_field_number(L, 2, "clearance", 0, 0.2, 0),
                                  .apart = brio_lua_field_number(L, 2, "apart", 1e-6, 1e6, 0),
                                  .solutions = read_count(L, 2, "solutions", MOST_SOLUTIONS),
                                  .max_starts = read_count(L, 2, "max_starts", 1e6),
                                  .max_iterations = read_count(L, 2, "max_iterations", 1e9)};
  /* The goals first, then the two configurations, if they are given. */
  request.goals = read_goals(L, inverse);
  request.seed = read_configuration(L, robot, "seed");
  request.nominal = read_configuration(L, robot, "nominal");
  return request;
}

/* Set a number or integer field of the table on top. */
static void set_number(lua_State *L, const char *key, double number) {
  lua_pushnumber(L, number);
  lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, int number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}

/* Push the configuration that was found, or the best one, with its errors and the work done. */
static void push_result(lua_State *L, const brio_inverse *inverse, const brio_inverse_result *result) {
  const brio_robot *robot = brio_inverse_robot(inverse);
  brio_lua_robot_push_configuration(L, robot, result->q);
  set_number(L, "position", result->position);
  set_number(L, "orientation", result->orientation);
  /* Without a watched pair within reach there is no distance. */
  if (isfinite(result->distance)) set_number(L, "distance", result->distance);
  set_integer(L, "starts", result->starts);
  set_integer(L, "iterations", result->iterations);
  set_integer(L, "touching", result->touching);
  /* All solutions lie one after the other, nq numbers each. */
  lua_createtable(L, result->nsolution, 0);
  for (int i = 0; i < result->nsolution; i++) {
    brio_lua_robot_push_configuration(L, robot, result->solutions + (size_t)i * (size_t)robot->nq);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "solutions");
}

/* workspace:solve({goal, [goals, seed, nominal, nearest, clear, clearance, solutions, apart, max_starts,
** max_iterations]}) -> table | nil, sentence, code, table
** Finds a configuration within the limits that meets `goal`, or all of `goals` (a list, one for every link
** in order). `seed`: the configuration to start at, and the values of all other variables (default:
** neutral). `nominal`: a posture that the solution is drawn to as far as the goals leave it free.
** `nearest`: try all starts and return the solution nearest to it, or to the seed; default: the first
** solution. `clear`: no watched pair is nearer than `clearance` (m; default: 0); needs `watches`.
** `solutions`: the number of distinct solutions to search, which differ by `apart` (rad or m; default:
** 0.1) in a variable. `max_starts` (400, with `nearest` 40) and `max_iterations` (20,000) bound the work.
** The table has `joints` and `base` of the solution, all `solutions`, its errors (`position`, m;
** `orientation`, rad), `distance` (m, of the nearest pair within 0.3 m), `starts`, `iterations`, and
** `touching`: starts that reached the goals, but too near. If there is none: nil, sentence, "unreachable",
** and such a table of the best configuration. */
static int solve(lua_State *L) {
  brio_inverse *inverse = check(L);
  lua_settop(L, 2);
  luaL_checkstack(L, 40, NULL);
  brio_inverse_request request = read_request(L, inverse);
  brio_inverse_result result;
  brio_error err;
  if (brio_inverse_solve(inverse, &request, &result, &err)) {
    push_result(L, inverse, &result);
    return 1;
  }
  /* On failure the best configuration is returned after the error. */
  int pushed = brio_lua_failed(L, &err);
  push_result(L, inverse, &result);
  return pushed + 1;
}

/* workspace:links() -> list of names
** The links of the goals, in order. */
static int links(lua_State *L) {
  const brio_inverse *inverse = check(L);
  const int *list;
  int count = brio_inverse_links(inverse, &list);
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    lua_pushstring(L, brio_inverse_robot(inverse)->links[list[k]].name);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* workspace:shapes() -> solver
** The solver whose shapes `clear` configurations keep away from: use its `shape`, `move_shape` and
** `remove_shape`. Raises if the workspace has no `watches`. */
static int shapes(lua_State *L) {
  brio_solver *solver = brio_inverse_shapes(check(L));
  if (!solver) return luaL_error(L, "this workspace watches nothing: it was made without `watches = true`");
  brio_lua_solver_lend(L, solver, 1);
  return 1;
}

int luaopen_brio_ik(lua_State *L) {
  static const luaL_Reg methods[] = {{"solve", solve}, {"links", links}, {"shapes", shapes}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new}, {"arm", brio_lua_ik_arm}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  brio_lua_ik_arm_class(L);
  luaL_newlib(L, functions);
  return 1;
}
