/* The Lua module `brio.plan`: plans of footsteps, from the poses of the feet to their goal.
**
** Feet are given by the poses of their soles: x to the toes, z up from the ground. A search is created with
** all its memory, and computed in slices, each short enough for a tick: `search:work(8)` takes about a
** millisecond. Lengths are in m, angles in rad, times in s. */
#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/plan/lua_occupancy.h"
#include "lua/plan/lua_search.h"
#include "lua/solver/lua_solver.h"
#include "plan/plan.h"
#include "plan/planner.h"

#define CLASS "brio.plan"
#define GROUND "brio.ground"

/* --- ground --- */

/* The ground at argument `arg`, or raise. */
static brio_ground *check_ground(lua_State *L, int arg) { return brio_lua_box_check(L, arg, GROUND); }

/* __gc: free the ground. A search that uses it holds its value. */
static int collect_ground(lua_State *L) {
  brio_ground_free(brio_lua_box_empty(L, GROUND));
  return 0;
}

/* Read the list of corners on top of the stack, and add it. */
static void read_region(lua_State *L, brio_ground *ground, lua_Integer number) {
  brio_vec3 corners[BRIO_GROUND_CORNERS];
  if (!lua_istable(L, -1)) luaL_error(L, "region %I must be a list of corners {x, y, z}", number);
  lua_Unsigned count = lua_rawlen(L, -1);
  if (count > BRIO_GROUND_CORNERS)
    luaL_error(L, "region %I has more than %d corners", number, BRIO_GROUND_CORNERS);
  /* At most 200 corners, so they fit on the C stack. */
  for (lua_Unsigned i = 0; i < count; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    corners[i] = brio_lua_vec3(L, -1, "a corner of a region");
    lua_pop(L, 1);
  }
  brio_error err;
  if (!brio_ground_add_region(ground, corners, (int)count, &err))
    luaL_error(L, "region %I: %s", number, err.message);
}

/* Read the optional list `regions` of the table at `options`; raises on errors. */
static void read_regions(lua_State *L, int options, brio_ground *ground) {
  if (lua_getfield(L, options, "regions") != LUA_TNIL) {
    if (!lua_istable(L, -1)) luaL_error(L, "regions must be a list of lists of corners");
    lua_Unsigned count = lua_rawlen(L, -1);
    if (count > BRIO_GROUND_REGIONS)
      luaL_error(L, "ground may have %d regions, not %I", BRIO_GROUND_REGIONS, (lua_Integer)count);
    for (lua_Unsigned i = 1; i <= count; i++) {
      lua_rawgeti(L, -1, (lua_Integer)i);
      read_region(L, ground, (lua_Integer)i);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* Read one row of heights; false marks an unknown one. */
static void read_row(lua_State *L, int row, int nx, double *z) {
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (lua_Unsigned)nx)
    luaL_error(L, "heights: row %d must be a list of %d numbers, like the first", row, nx);
  for (int i = 0; i < nx; i++) {
    int type = lua_rawgeti(L, -1, i + 1);
    if (type != LUA_TNUMBER && !(type == LUA_TBOOLEAN && !lua_toboolean(L, -1)))
      luaL_error(L, "heights: item %d of row %d must be a number, or false if unknown", i + 1, row);
    z[i] = type == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    lua_pop(L, 1);
  }
}

/* Read the optional table `heights` of the table at `options`; raises on errors. Lengths are in m. */
static void read_heights(lua_State *L, int options, brio_ground *ground) {
  static const char *const keys[] = {"x", "y", "cell", "rows", NULL};
  if (lua_getfield(L, options, "heights") == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  int heights = lua_gettop(L);
  luaL_checktype(L, heights, LUA_TTABLE);
  brio_lua_only_keys(L, heights, keys, "heights");
  /* The origin is the middle of the first cell. */
  brio_height_map map = {.x = brio_lua_field_number(L, heights, "x", -1e5, 1e5, 0),
                         .y = brio_lua_field_number(L, heights, "y", -1e5, 1e5, 0),
                         .cell = brio_lua_field_number(L, heights, "cell", 1e-3, 10, 0.02)};
  if (lua_getfield(L, heights, "rows") != LUA_TTABLE)
    luaL_error(L, "heights needs `rows`: a list of lists of heights");
  /* The number of rows, and of cells in the first, which all others must equal. */
  lua_Unsigned ny = lua_rawlen(L, -1);
  lua_rawgeti(L, -1, 1);
  lua_Unsigned nx = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  lua_pop(L, 1);
  if (nx < 1 || nx > BRIO_GROUND_CELLS / ny)
    luaL_error(L, "heights: there must be 1 to %d cells", BRIO_GROUND_CELLS);
  /* Row after row, in a userdata that goes under the list of rows. */
  double *z = lua_newuserdatauv(L, (size_t)nx * (size_t)ny * sizeof *z, 0);
  lua_insert(L, -2);
  for (lua_Unsigned j = 0; j < ny; j++) {
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    read_row(L, (int)j + 1, (int)nx, z + j * nx);
    lua_pop(L, 1);
  }
  map.nx = (int)nx, map.ny = (int)ny, map.z = z;
  brio_error err;
  /* The map is copied. */
  if (!brio_ground_set_heights(ground, &map, &err)) luaL_error(L, "%s", err.message);
  lua_settop(L, heights - 1);
}

/* plan.ground([{regions, heights, level}]) -> ground
** Ground to walk on. `regions`: a list of planar polygons, each a list of 3 to 200 corners {x, y, z} in
** order. `heights`: {x, y, cell, rows}, a map of heights whose row `j` and column `i` is the height about
** (x + (i - 1) cell, y + (j - 1) cell), or false where it is unknown; used without regions. Without both, a
** floor at `level` (0). Raises on errors. */
static int make_ground(lua_State *L) {
  static const char *const keys[] = {"regions", "heights", "level", NULL};
  if (lua_isnoneornil(L, 1)) lua_settop(L, 0), lua_newtable(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_only_keys(L, 1, keys, "ground");
  /* The box is there before the ground, so that errors below free it. */
  brio_lua_box *box = brio_lua_box_new(L, GROUND);
  brio_error err;
  brio_ground *ground = brio_ground_new(brio_lua_field_number(L, 1, "level", -1e5, 1e5, 0), &err);
  if (!ground) return brio_lua_failed(L, &err);
  box->thing = ground;
  read_regions(L, 1, ground);
  read_heights(L, 1, ground);
  return 1;
}

/* ground:height(x, y [, below]) -> number or nil
** The height of the ground at a point: the highest surface that is not above `below`; nil if unknown. */
static int height(lua_State *L) {
  double z, below = lua_isnoneornil(L, 4) ? HUGE_VAL : brio_lua_number(L, 4, -1e5, 1e5, "below");
  double x = brio_lua_number(L, 2, -1e5, 1e5, "x"), y = brio_lua_number(L, 3, -1e5, 1e5, "y");
  if (!brio_ground_height(check_ground(L, 1), x, y, below, &z)) return 0;
  lua_pushnumber(L, z);
  return 1;
}

static brio_plan_settings read_settings(lua_State *L, int index);

/* ground:foothold(x, y, yaw [, settings]) -> pose, area | nil, sentence
** The support of a sole there: its pose, and the share of its area on one plane (0 to 1); or the reason why
** there is none. */
static int foothold(lua_State *L) {
  brio_spot spot = {brio_lua_number(L, 2, -1e5, 1e5, "x"), brio_lua_number(L, 3, -1e5, 1e5, "y"),
                    brio_lua_number(L, 4, -1e5, 1e5, "yaw")};
  brio_plan_settings settings = lua_istable(L, 5) ? read_settings(L, 5) : brio_plan_settings_default();
  brio_foothold hold;
  const char *why = "";
  /* No support: return the reason. */
  if (!brio_ground_foothold(check_ground(L, 1), &settings, spot, &hold, &why)) {
    lua_pushnil(L);
    lua_pushstring(L, why);
    return 2;
  }
  brio_lua_push_pose(L, hold.pose);
  lua_pushnumber(L, hold.area);
  return 2;
}

/* --- requests --- */

/* Read the settings from the table at `index`; missing ones have their defaults. Raises on errors. */
static brio_plan_settings read_settings(lua_State *L, int index) {
  /* The table of settings gives the names, the ranges and the defaults: a new setting needs no change
  ** here. */
  brio_plan_settings settings = brio_plan_settings_default();
  int count;
  const brio_plan_setting *table = brio_plan_settings_table(&count);
  const char *keys[100] = {0};
  for (int i = 0; i < count; i++) keys[i] = table[i].name;
  brio_lua_only_keys(L, index, keys, "settings");
  for (int i = 0; i < count; i++) {
    double value = brio_lua_field_number(L, index, table[i].name, table[i].lower, table[i].upper,
                                         table[i].fallback);
    /* Each setting is a double at its offset. */
    memcpy((char *)&settings + table[i].offset, &value, sizeof value);
  }
  return settings;
}

/* Read the soles {left = pose, right = pose} in a field; false: it is absent. */
static bool read_feet(lua_State *L, const char *key, brio_pose feet[2]) {
  if (lua_getfield(L, 1, key) == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  if (!lua_istable(L, -1)) luaL_error(L, "%s must be a table {left = pose, right = pose}", key);
  for (int side = 0; side < 2; side++) {
    lua_getfield(L, -1, brio_side_name((brio_side)side));
    feet[side] = brio_lua_pose(L, -1, side ? "right" : "left");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return true;
}

int brio_lua_list_in(lua_State *L, int index, const char *key, int most) {
  int type = lua_getfield(L, index, key);
  if (type == LUA_TNIL) return 0;
  if (type != LUA_TTABLE) luaL_error(L, "%s must be a list", key);
  lua_Unsigned count = lua_rawlen(L, -1);
  if (count > (lua_Unsigned)most) luaL_error(L, "%s: there may be %d, not %I", key, most, (lua_Integer)count);
  return (int)count;
}

/* Read the optional list `waypoints` of the request at 1; its array stays on the stack. */
static void read_waypoints(lua_State *L, brio_plan_request *request) {
  int count = brio_lua_list_in(L, 1, "waypoints", BRIO_PLAN_WAYPOINTS), list = lua_gettop(L);
  brio_spot *points = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *points, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    points[i] = brio_spot_of(brio_lua_pose(L, -1, "a waypoint"));
    lua_pop(L, 1);
  }
  request->waypoints = points, request->nwaypoint = count;
}

brio_obstacle *brio_lua_obstacles(lua_State *L, int index, int *count) {
  *count = brio_lua_list_in(L, index, "obstacles", BRIO_OBSTACLES);
  int list = lua_gettop(L);
  brio_obstacle *items = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *items, 0);
  luaL_checkstack(L, 3 * *count + 20, "too many obstacles");
  for (int i = 0; i < *count; i++) { /* pushed values stay: they own names and points of hulls */
    lua_rawgeti(L, list, i + 1);
    int item = lua_gettop(L);
    luaL_checktype(L, item, LUA_TTABLE);
    items[i] = (brio_obstacle){.name = brio_lua_field_text(L, item, "name", NULL),
                               .pose = BRIO_POSE_IDENTITY};
    if (lua_getfield(L, item, "pose") != LUA_TNIL) items[i].pose = brio_lua_pose(L, -1, "pose");
    lua_pop(L, 1);
    brio_lua_shape(L, item, &items[i].shape);
  }
  return items;
}

/* The foot that swings first: 0 left, 1 right, -1: the planner decides. */
static int read_first(lua_State *L) {
  const char *name = brio_lua_field_text(L, 1, "first", "");
  for (int side = 0; side < 2; side++)
    if (strcmp(name, brio_side_name((brio_side)side)) == 0) return side;
  if (name[0]) luaL_error(L, "first must be 'left' or 'right', not '%s'", name);
  return -1;
}

/* Read the request at 1, without waypoints and obstacles. The ground and the grid stay on the stack. Raises
** on errors. */
static brio_plan_request read_request(lua_State *L) {
  static const char *const keys[] = {"planner",   "start",  "goal",   "waypoints",  "first",
                                     "face_goal", "around", "ground", "obstacles",  "seed",
                                     "settings",  "way",    "grid",   "known_only", NULL};
  brio_lua_only_keys(L, 1, keys, "a request for steps");
  brio_plan_request request = {.planner = brio_lua_field_text(L, 1, "planner", "quick"),
                               .first = read_first(L),
                               .face_goal = brio_lua_field_flag(L, 1, "face_goal", true),
                               .around = brio_lua_field_flag(L, 1, "around", false),
                               .way = brio_lua_field_text(L, 1, "way", NULL),
                               .known_only = brio_lua_field_flag(L, 1, "known_only", false),
                               .settings = brio_plan_settings_default()};
  /* A seed must be exact: up to 2^53. */
  double seed = brio_lua_field_number(L, 1, "seed", 0, 0x1p53, 0);
  if (seed != floor(seed)) luaL_error(L, "seed must be a whole number, not %f", seed);
  request.seed = (uint64_t)seed;
  /* The feet at the start are required; the goal may be given by waypoints alone. */
  if (!read_feet(L, "start", request.start))
    luaL_error(L, "a request for steps needs `start`: {left = pose, right = pose}");
  request.goal_feet = read_feet(L, "goal", request.goal);
  /* Optional parts: settings, the ground, and the grid of occupied cells. */
  if (lua_getfield(L, 1, "settings") != LUA_TNIL) {
    luaL_checktype(L, -1, LUA_TTABLE);
    request.settings = read_settings(L, lua_gettop(L));
  }
  if (lua_getfield(L, 1, "ground") != LUA_TNIL) request.ground = check_ground(L, lua_gettop(L));
  if (lua_getfield(L, 1, "grid") != LUA_TNIL) request.grid = brio_lua_occupancy_check(L, lua_gettop(L));
  return request;
}

/* __gc: free the search. */
static int collect(lua_State *L) {
  brio_plan_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* plan.search({start, [goal, planner, waypoints, first, face_goal, around, way, grid, known_only, ground,
** obstacles, seed, settings]}) -> search
** A search for steps from `start` to `goal`, each {left = pose, right = pose} of the soles in the world.
** `planner`: a name of `plan.planners()` ("quick"). `waypoints`: poses of the body on the way; without a
** `goal` the plan ends at the last, without squaring up. `first`: the foot that swings first. `face_goal`
** (true): a search prefers the goal's direction along the whole path. `around`: the body's path around the
** `obstacles` is searched first, a list of shapes {kind, size, [points, pose, name]}, seeded by `seed`, and
** around the occupied cells of a `grid` (brio.occupancy), with `known_only` also around unknown ones. `way`
** is the algorithm, a name of `plan.ways()`: by default "grid" if there is a grid, else "rrt_connect".
** `ground`: see `plan.ground`; default: a floor at the height of the feet. `settings`: numbers of
** `plan.settings()`. Raises on errors. */
static int search(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_checkstack(L, 40, NULL);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  /* The request refers to memory on the stack, until the plan has copied it. */
  brio_plan_request request = read_request(L);
  lua_getfield(L, 1, "ground");
  lua_setiuservalue(L, 2, 1); /* keeps the ground alive */
  read_waypoints(L, &request);
  request.obstacles = brio_lua_obstacles(L, 1, &request.nobstacle);
  brio_error err;
  box->thing = brio_plan_new(&request, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_settop(L, 2);
  return 1;
}

/* --- searches --- */

/* search:work([budget]) -> nil, or true | false, sentence, code
** Searches for at most `budget` expansions (100): nil while it continues, true when the steps are found, else
** the reason why there are none. */
static int work(lua_State *L) {
  brio_plan *plan = brio_lua_box_check(L, 1, CLASS);
  int budget = lua_isnoneornil(L, 2) ? 100 : (int)brio_lua_number(L, 2, 1, 1e9, "budget");
  brio_error err;
  brio_search_status status = brio_plan_work(plan, budget, &err);
  return brio_lua_push_search(L, status, &err);
}

/* search:steps() -> list of {side, pose, transfer, swing}
** The steps of the plan: the foot, its pose at the end of the step, and the seconds of the weight shift and
** of the swing. Empty before it is done, and if the feet are at the goal. */
static int steps(lua_State *L) {
  int count;
  const brio_footstep *list = brio_plan_steps(brio_lua_box_check(L, 1, CLASS), &count);
  lua_createtable(L, count, 0);
  /* A step: the foot, its pose, and two times (s). */
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 4);
    brio_lua_set_text(L, "side", brio_side_name(list[i].side));
    brio_lua_push_pose(L, list[i].pose);
    lua_setfield(L, -2, "pose");
    brio_lua_set_number(L, "transfer", list[i].transfer);
    brio_lua_set_number(L, "swing", list[i].swing);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* search:way() -> list of {x, y}
** The body's path around obstacles, if one was searched. */
static int way(lua_State *L) {
  int count;
  const double(*points)[2] = brio_plan_way(brio_lua_box_check(L, 1, CLASS), &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    brio_lua_push_numbers(L, points[i], 2);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* search:effort() -> {expansions, nodes, cost}
** Statistics so far; the cost of the steps, in m, with "a_star" only. */
static int effort(lua_State *L) {
  brio_plan_effort done = brio_plan_effort_of(brio_lua_box_check(L, 1, CLASS));
  lua_createtable(L, 0, 3);
  brio_lua_set_integer(L, "expansions", done.expansions);
  brio_lua_set_integer(L, "nodes", done.nodes);
  brio_lua_set_number(L, "cost", done.cost);
  return 1;
}

/* Make {name, doc} the i-th item, from 0, of the list on top. */
static void set_row(lua_State *L, int i, const char *name, const char *doc) {
  lua_createtable(L, 0, 2);
  brio_lua_set_text(L, "name", name);
  brio_lua_set_text(L, "doc", doc);
  lua_rawseti(L, -2, i + 1);
}

/* plan.planners() -> list of {name, doc}
** All planners. */
static int planners(lua_State *L) {
  int count;
  const brio_planner *const *list = brio_planners(&count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) set_row(L, i, list[i]->name, list[i]->doc);
  return 1;
}

/* plan.ways() -> list of {name, doc}
** The algorithms for paths of the body. */
static int ways(lua_State *L) {
  int count;
  const brio_way *const *list = brio_ways(&count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) set_row(L, i, list[i]->name, list[i]->doc);
  return 1;
}

/* plan.settings() -> list of {name, unit, doc, value, lower, upper}
** The settings of planners, with their defaults. */
static int settings(lua_State *L) {
  int count;
  const brio_plan_setting *table = brio_plan_settings_table(&count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 6);
    brio_lua_set_text(L, "name", table[i].name);
    brio_lua_set_text(L, "unit", table[i].unit);
    brio_lua_set_text(L, "doc", table[i].doc);
    brio_lua_set_number(L, "value", table[i].fallback);
    brio_lua_set_number(L, "lower", table[i].lower);
    brio_lua_set_number(L, "upper", table[i].upper);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int luaopen_brio_plan(lua_State *L) {
  static const luaL_Reg of_ground[] = {{"height", height}, {"foothold", foothold}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"work", work}, {"steps", steps}, {"way", way}, {"effort", effort}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"ground", make_ground}, {"search", search},
                                       {"planners", planners},  {"ways", ways},
                                       {"settings", settings},  {NULL, NULL}};
  brio_lua_class(L, GROUND, of_ground, collect_ground);
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
