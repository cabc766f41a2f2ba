/* The Lua module `brio.joints`: paths of a robot's joints among solids.
**
** A space is the joints that are planned, with everything that they must not touch; configurations in it are
** lists of numbers, in the order of its variables (rad, m). A search is created with all its memory, and
** computed in slices: one of 100 checks takes about 0.1 ms. Motions between two configurations are straight
** lines of all joints, and are proven clear for their whole length. */
#include "lua/plan/lua_joints.h"

#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/plan/lua_search.h"
#include "lua/robot/lua_robot.h"
#include "lua/solver/lua_solver.h"
#include "plan/joints/search.h"

#define SPACE "brio.joints.space"
#define SEARCH "brio.joints.search"

brio_joint_checker *brio_lua_space_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, SPACE); }

/* __gc: free the space. A search in it holds its value. */
static int collect_space(lua_State *L) {
  brio_joint_checker_free(brio_lua_box_empty(L, SPACE));
  return 0;
}

/* --- spaces --- */

/* Return the index of what item `i` of the list at `list` names in the robot; raises on errors. */
static int find(lua_State *L, const brio_robot *robot, int list, int i, const char *what,
                int (*look_up)(const brio_robot *, const char *, brio_error *)) {
  brio_error err;
  if (lua_rawgeti(L, list, i) != LUA_TSTRING) luaL_error(L, "item %d of %s must be a name", i, what);
  int index = look_up(robot, lua_tostring(L, -1), &err);
  if (index < 0) luaL_error(L, "%s: %s", what, err.message);
  lua_pop(L, 1);
  return index;
}

/* Read the names of `variables`: without them, all. The array stays on the stack. */
static void read_variables(lua_State *L, brio_joint_checker_request *request) {
  const brio_robot *robot = request->robot;
  int count = brio_lua_list_in(L, 2, "variables", BRIO_JOINTS_PLANNED), list = lua_gettop(L);
  bool all = lua_isnil(L, list);
  if (all) count = robot->nvariable;
  int *variables = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *variables, 0);
  for (int i = 0; i < count; i++)
    variables[i] = all ? i : find(L, robot, list, i + 1, "variables", brio_robot_variable);
  request->variables = variables, request->nvariable = count;
}

/* Read the pairs of links of `allowed`. The array stays on the stack. */
static void read_allowed(lua_State *L, brio_joint_checker_request *request) {
  int count = brio_lua_list_in(L, 2, "allowed", 100000), list = lua_gettop(L);
  brio_link_pair *pairs = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *pairs, 0);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, list, i + 1) != LUA_TTABLE)
      luaL_error(L, "item %d of allowed must be a pair of links", i + 1);
    for (int k = 0; k < 2; k++)
      pairs[i].links[k] = find(L, request->robot, lua_gettop(L), k + 1, "a pair of allowed", brio_robot_link);
    lua_pop(L, 1);
  }
  request->allowed = pairs, request->nallowed = count;
}

/* Read the list `carried`. The array, and what it refers to, stay on the stack. */
static void read_carried(lua_State *L, brio_joint_checker_request *request) {
  int count = brio_lua_list_in(L, 2, "carried", BRIO_OBSTACLES), list = lua_gettop(L);
  brio_link_shape *items = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *items, 0);
  luaL_checkstack(L, 3 * count + 20, "too many shapes are carried");
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    int item = lua_gettop(L);
    luaL_checktype(L, item, LUA_TTABLE);
    items[i] = (brio_link_shape){.name = brio_lua_field_text(L, item, "name", NULL),
                                 .pose = BRIO_POSE_IDENTITY};
    /* The link first: a shape without one is an obstacle. */
    brio_error err;
    const char *link = brio_lua_field_text(L, item, "link", NULL);
    if (!link) luaL_error(L, "item %d of carried needs a link", i + 1);
    items[i].link = brio_robot_link(request->robot, link, &err);
    if (items[i].link < 0) luaL_error(L, "carried: %s", err.message);
    if (lua_getfield(L, item, "pose") != LUA_TNIL) items[i].pose = brio_lua_pose(L, -1, "pose");
    lua_pop(L, 1);
    brio_lua_shape(L, item, &items[i].shape);
  }
  request->carried = items, request->ncarried = count;
}

/* joints.space(robot, [{configuration, variables, obstacles, carried, allowed, keep, clearance,
**   resolution}]) -> space
** The joints of a robot among obstacles. `variables`: the names of those that are planned, 1 to 32, of
** several arms too (all); the others, and the base, stand as in `configuration`. `obstacles`: a list of
** shapes {kind, size, [points, pose, name]}; `carried`: shapes that go with a link, with a field `link`, such
** as a thing in a hand. `allowed`: pairs of links {a, b} that may touch, apart from neighbors and the pairs
** that the robot's file excludes. `keep`: bounds of frames that hold wherever it is clear, and on all motions
** (proven, as the rest is): a list of {link, [frame = a pose in the link, reference = a pose in the world,
** position = three ranges {lower, upper} (m) or false: of the frame's origin along the axes of the reference;
** axis = of the frame, along = a direction of the reference ("z"), angle = between both at most, 0.1 rad;
** turn = three ranges of the rotation vector from the reference, rad; name]}. `clearance` (0 m) is kept from
** everything. What comes nearer than the `resolution` (1e-4 m) may count as blocked. Raises on errors. */
static int space(lua_State *L) {
  static const char *const keys[] = {"configuration", "variables", "obstacles",  "carried", "allowed",
                                     "keep",          "clearance", "resolution", NULL};
  brio_joint_checker_request request = {.robot = brio_lua_robot_check(L, 1)};
  if (lua_isnoneornil(L, 2)) lua_settop(L, 1), lua_newtable(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  luaL_checkstack(L, 40, NULL);
  brio_lua_only_keys(L, 2, keys, "a space");
  brio_lua_box *box = brio_lua_box_new(L, SPACE);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 3, 1); /* keeps the robot alive */
  request.clearance = brio_lua_field_number(L, 2, "clearance", 0, 1000, 0);
  request.resolution = brio_lua_field_number(L, 2, "resolution", 1e-6, 1000, 1e-4);
  if (lua_getfield(L, 2, "configuration") == LUA_TNIL) lua_newtable(L);
  request.q = brio_lua_robot_configuration(L, request.robot, lua_gettop(L));
  read_variables(L, &request);
  read_allowed(L, &request);
  request.obstacles = brio_lua_obstacles(L, 2, &request.nobstacle);
  read_carried(L, &request);
  request.nkeep = brio_lua_joints_keeps(L, request.robot, 2, "keep", &request.keeps);
  brio_error err;
  box->thing = brio_joint_checker_new(&request, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_settop(L, 3);
  return 1;
}

/* Read the configuration at argument `arg`. */
static void read_values(lua_State *L, int arg, const brio_joint_checker *checker, double *out,
                        const char *what) {
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_numbers(L, arg, brio_joint_checker_size(checker, NULL), out, what);
}

/* space:variables() -> list of names
** The planned variables, in the order of the numbers of a configuration. */
static int variables(lua_State *L) {
  const int *list;
  const brio_joint_checker *checker = brio_lua_space_check(L, 1);
  int count = brio_joint_checker_size(checker, &list);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, brio_joint_checker_robot(checker)->variables[list[i]].name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* space:set_clearance(clearance)
** Sets the clearance, m, for all that is checked from now on; searches in the space must be at their end. */
static int set_clearance(lua_State *L) {
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  brio_joint_checker_set_clearance(checker, brio_lua_number(L, 2, 0, 1000, "clearance"));
  return 0;
}

/* space:clear(values) -> boolean
** Whether everything keeps its clearance there. Limits of joints are not checked. */
static int clear(lua_State *L) {
  double x[BRIO_JOINTS_PLANNED];
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  read_values(L, 2, checker, x, "values");
  lua_pushboolean(L, brio_joint_checker_clear(checker, x));
  return 1;
}

/* space:motion(from, to) -> boolean
** Whether the straight motion is clear for its whole length; circular joints go as the numbers say. */
static int motion(lua_State *L) {
  double x[BRIO_JOINTS_PLANNED], delta[BRIO_JOINTS_PLANNED];
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  read_values(L, 2, checker, x, "from");
  read_values(L, 3, checker, delta, "to");
  for (int i = 0; i < brio_joint_checker_size(checker, NULL); i++) delta[i] -= x[i];
  lua_pushboolean(L, brio_joint_checker_clear(checker, x) && brio_joint_motion_clear(checker, x, delta));
  return 1;
}

/* space:nearest(values) -> {distance, link, other or obstacle} or nil
** The nearest two solids there: their distance (m; negative: depth), the link, and the other link or the
** number of the obstacle. Measures all pairs: not for every tick. */
static int nearest(lua_State *L) {
  double x[BRIO_JOINTS_PLANNED];
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  read_values(L, 2, checker, x, "values");
  brio_joint_contact at = brio_joint_checker_nearest(checker, x);
  if (at.link < 0) return 0;
  const brio_link *links = brio_joint_checker_robot(checker)->links;
  lua_createtable(L, 0, 3);
  brio_lua_set_number(L, "distance", at.distance);
  brio_lua_set_text(L, "link", links[at.link].name);
  if (at.other >= 0) brio_lua_set_text(L, "other", links[at.other].name);
  else brio_lua_set_integer(L, "obstacle", at.obstacle + 1);
  return 1;
}

/* --- searches --- */

/* __gc: free the search. */
static int collect_search(lua_State *L) {
  brio_joint_search_free(brio_lua_box_empty(L, SEARCH));
  return 0;
}

int64_t brio_lua_joints_whole(lua_State *L, int index, const char *key, double lower, double upper,
                              double fallback) {
  double value = brio_lua_field_number(L, index, key, lower, upper, fallback);
  if (value != floor(value)) luaL_error(L, "%s must be a whole number, not %f", key, value);
  return (int64_t)value;
}

/* Return a whole number of a field of the table at 2. */
static int64_t whole(lua_State *L, const char *key, double upper, double fallback) {
  return brio_lua_joints_whole(L, 2, key, 0, upper, fallback);
}

/* Read the list of goals; the array stays on the stack. */
static void read_goals(lua_State *L, brio_joint_search_request *request) {
  int n = brio_joint_checker_size(request->checker, NULL);
  int count = brio_lua_list_in(L, 2, "goals", BRIO_JOINTS_GOALS), list = lua_gettop(L);
  double *goals = lua_newuserdatauv(L, (size_t)n * ((size_t)count + 1) * sizeof *goals, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    read_values(L, lua_gettop(L), request->checker, goals + (size_t)n * (size_t)i, "a goal");
    lua_pop(L, 1);
  }
  request->goals = goals, request->ngoal = count;
}

/* space:search({start, goals, [region, drawn, seed, range, nodes, checks, shortenings, alternatives,
**   optimal]}) -> search
** A search for a path from `start` to any of `goals`, a list of configurations, such as all answers of
** inverse kinematics, or to any in a `region`, a list of bounds of frames as a space keeps them: a pose with
** tolerances, for example. `drawn` (16) goals at most are drawn from it. The same `seed` (0) gives the same
** path. `range` (1): length of an edge of the trees at most, the square root of the sum of squares. `nodes`
** (50,000): of each tree at most. `checks` (5,000,000) before it gives up; 0: no limit. `shortenings` (100):
** attempts to make a path shorter. `alternatives` (1): further paths that are joined with the best.
** `optimal`: from then on only shorter paths are searched, until all checks are used up: the length falls
** towards the shortest one. Searches that take turns have a space each, or slices of some hundred checks, as
** a motion that was interrupted by another one begins again. Returns nil, sentence, code if the start, or
** every goal, collides or is outside its limits. */
static int search(lua_State *L) {
  static const char *const keys[] = {"start", "goals",       "region",       "drawn",   "seed",   "range",
                                     "nodes", "shortenings", "alternatives", "optimal", "checks", NULL};
  brio_joint_search_request request = {.checker = brio_lua_space_check(L, 1)};
  brio_joint_search_settings *settings = &request.settings, usual = brio_joint_search_settings_default();
  double start[BRIO_JOINTS_PLANNED];
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  brio_lua_only_keys(L, 2, keys, "a search");
  settings->range = brio_lua_field_number(L, 2, "range", 1e-3, 1000, usual.range);
  settings->nodes = (int)whole(L, "nodes", BRIO_JOINTS_NODES, usual.nodes);
  settings->checks = whole(L, "checks", 0x1p53, (double)usual.checks);
  settings->shortenings = (int)whole(L, "shortenings", 1e9, usual.shortenings);
  settings->alternatives = (int)whole(L, "alternatives", 1e9, usual.alternatives);
  settings->optimal = brio_lua_field_flag(L, 2, "optimal", false);
  settings->drawn = (int)brio_lua_joints_whole(L, 2, "drawn", 1, BRIO_JOINTS_GOALS, usual.drawn);
  request.seed = (uint64_t)whole(L, "seed", 0x1p53, 0);
  brio_lua_box *box = brio_lua_box_new(L, SEARCH);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 3, 1); /* keeps the space alive */
  lua_getfield(L, 2, "start");
  read_values(L, lua_gettop(L), request.checker, start, "start");
  request.start = start;
  read_goals(L, &request);
  request.nregion = brio_lua_joints_keeps(L, brio_joint_checker_robot(request.checker), 2, "region",
                                          &request.region);
  brio_error err;
  box->thing = brio_joint_search_new(&request, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_settop(L, 3);
  return 1;
}

/* search:work([budget]) -> nil, or true | false, sentence, code
** Searches, with at most `budget` checks (1000): nil while there is no path, true when there is one, which
** further work makes shorter, else the reason why there is none. */
static int work(lua_State *L) {
  brio_joint_search *own = brio_lua_box_check(L, 1, SEARCH);
  int budget = lua_isnoneornil(L, 2) ? 1000 : (int)brio_lua_number(L, 2, 1, 1e9, "budget");
  brio_error err;
  brio_search_status status = brio_joint_search_work(own, budget, &err);
  return brio_lua_push_search(L, status, &err);
}

/* search:over() -> boolean
** Whether nothing is left to do: there is no path, or it gets no shorter. */
static int over(lua_State *L) {
  lua_pushboolean(L, brio_joint_search_over(brio_lua_box_check(L, 1, SEARCH)));
  return 1;
}

/* search:path() -> list of lists of numbers, or nil
** The configurations of the path so far, from the start to a goal; each step is a straight motion. Circular
** joints go on beyond a turn. */
static int path(lua_State *L) {
  int count;
  brio_joint_search *own = brio_lua_box_check(L, 1, SEARCH);
  const double *list = brio_joint_search_path(own, &count);
  if (!list) return 0;
  int n = brio_joint_search_size(own);
  brio_lua_joints_push_points(L, list, count, n);
  return 1;
}

/* search:effort() -> {checks, motions, rounds, nodes, improvements, goal, first_length, length}
** Statistics so far: configurations and straight motions checked, rounds and nodes of the trees, how often a
** shorter path took the place of the best one, the number of the goal that was reached (beyond the last one:
** drawn from the region), and the lengths of the path as found and now. */
static int effort(lua_State *L) {
  brio_joint_search_effort done = brio_joint_search_effort_of(brio_lua_box_check(L, 1, SEARCH));
  lua_createtable(L, 0, 8);
  brio_lua_set_integer(L, "checks", done.checks);
  brio_lua_set_integer(L, "improvements", done.improvements);
  brio_lua_set_integer(L, "motions", done.motions);
  brio_lua_set_integer(L, "rounds", done.rounds);
  brio_lua_set_integer(L, "nodes", done.nodes);
  /* Before there is a path, it has no goal and no lengths. */
  if (done.goal < 0) return 1;
  brio_lua_set_integer(L, "goal", done.goal + 1);
  brio_lua_set_number(L, "first_length", done.first_length);
  brio_lua_set_number(L, "length", done.length);
  return 1;
}

int luaopen_brio_joints(lua_State *L) {
  static const luaL_Reg of_space[] = {
      {"variables", variables}, {"set_clearance", set_clearance}, {"clear", clear},
      {"motion", motion},       {"nearest", nearest},             {"search", search},
      {"repair", brio_lua_space_repair}, {"project", brio_lua_space_project},
      {"kept", brio_lua_space_kept}, {"draw", brio_lua_space_draw},
      {"out", brio_lua_space_out},     {"optimize", brio_lua_space_optimize}, {NULL, NULL}};
  static const luaL_Reg of_search[] = {
      {"work", work}, {"over", over}, {"path", path}, {"effort", effort}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"space", space}, {NULL, NULL}};
  brio_lua_class(L, SPACE, of_space, collect_space);
  brio_lua_class(L, SEARCH, of_search, collect_search);
  brio_lua_joints_optimization(L);
  luaL_newlib(L, functions);
  return 1;
}
