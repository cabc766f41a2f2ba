/* The Lua module `brio.occupancy`: grids of free and occupied cells of the ground, in the world's frame.
**
** A grid is fed by scans (points of a depth sensor: their rays are free, their ends occupied) and by solids.
** Scans are accepted at once and processed in slices: `grid:work(20000)` takes about a millisecond.
** `brio.plan` finds paths around its occupied cells. Lengths are in m. */
#include "lua/plan/lua_occupancy.h"

#include <stdlib.h>
#include <string.h>

#include "lua/cloud/lua_cloud.h"
#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/solver/lua_solver.h"

#define CLASS "brio.occupancy"

enum { MOST_POINTS = 1 << 20, MOST_BUDGET = 1 << 28 };

static const char *const states[] = {"unknown", "free", "occupied"};
static const char letters[] = "?.#";

brio_occupancy *brio_lua_occupancy_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

/* __gc: free the grid. Plans have a copy. */
static int collect(lua_State *L) {
  brio_occupancy_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* occupancy.new([{x, y, size, cell, level, bottom, top, range, own}]) -> grid
** A grid of `size` (30) m a side about the point (x, y), in cells of `cell` (0.05) m, all unknown. The space
** of a body is from `bottom` (0.25) to `top` (1.8) m above the ground at `level` (0). Rays are followed for
** `range` (8) m; points within `own` (0.45) m of the sensor, seen from above, are the robot's own and
** ignored. */
static int new_grid(lua_State *L) {
  static const char *const keys[] = {"x",      "y",   "size",  "cell", "level",
                                     "bottom", "top", "range", "own",  NULL};
  brio_occupancy_options options = {0};
  double *const at[] = {&options.x,      &options.y,   &options.size,  &options.cell, &options.level,
                        &options.bottom, &options.top, &options.range, &options.own};
  static const double fallback[] = {0, 0, 30, 0.05, 0, 0.25, 1.8, 8, 0.45};
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) lua_newtable(L), lua_replace(L, 1);
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "occupancy.new");
  /* The keys, the fields and the defaults are in the same order. */
  for (int k = 0; keys[k]; k++) *at[k] = brio_lua_field_number(L, 1, keys[k], -1e5, 1e5, fallback[k]);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  brio_error err;
  box->thing = brio_occupancy_new(&options, &err);
  return box->thing ? 1 : brio_lua_failed(L, &err);
}

/* Read points at `index`: a cloud, or lists of three numbers, false for a missing one, into a userdata that
** is pushed. */
static int read_points(lua_State *L, int index, const float (**out)[3], brio_vec3 *eye) {
  float(*points)[3];
  *eye = (brio_vec3){0, 0, 0};
  /* A cloud is used in place, with its viewpoint as the origin of rays. */
  if (lua_isuserdata(L, index)) {
    const brio_cloud *cloud = brio_lua_cloud_check(L, index);
    *out = (const float(*)[3])cloud->points;
    *eye = cloud->viewpoint.p;
    return cloud->count;
  }
  luaL_checktype(L, index, LUA_TTABLE);
  lua_Unsigned count = lua_rawlen(L, index);
  if (count > MOST_POINTS) luaL_error(L, "a scan may have %d points", MOST_POINTS);
  points = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *points, 0);
  *out = (const float(*)[3])points;
  for (lua_Unsigned i = 0; i < count; i++) {
    /* A missing point is NaN, which the grid counts and ignores. */
    double p[3] = {NAN, NAN, NAN};
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    if (lua_toboolean(L, -1)) {
      if (!lua_istable(L, -1))
        luaL_error(L, "point %I of a scan must be {x, y, z}, or false", (lua_Integer)i + 1);
      for (int k = 0; k < 3; k++) {
        lua_rawgeti(L, -1 - k, k + 1);
        p[k] = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : (double)NAN;
      }
      lua_pop(L, 3);
    }
    lua_pop(L, 1);
    for (int k = 0; k < 3; k++) points[i][k] = (float)p[k];
  }
  return (int)count;
}

/* grid:scan(pose, points) -> true | false
** Accepts a scan of a depth sensor at `pose` (in the world): points {x, y, z} in its own frame, false for a
** missing one, or a cloud (brio.cloud) with its viewpoint. More than 8192 points are thinned evenly. false:
** an earlier scan is still being processed, and this one is skipped. */
static int scan(lua_State *L) {
  brio_occupancy *grid = brio_lua_occupancy_check(L, 1);
  brio_pose pose = brio_lua_pose(L, 2, "the sensor's pose");
  const float(*points)[3];
  brio_vec3 eye;
  int count = read_points(L, 3, &points, &eye);
  lua_pushboolean(L, brio_occupancy_scan(grid, pose, eye, points, count));
  return 1;
}

/* grid:leave_out(points, radius)
** Sets the positions of moving people: points {x, y}, 32 at most. Points of scans within `radius` m of them
** are ignored. */
static int leave_out(lua_State *L) {
  double points[BRIO_OCCUPANCY_MOVERS][2];
  luaL_checktype(L, 2, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 2);
  /* More people than the grid can note are left out. */
  if (count > BRIO_OCCUPANCY_MOVERS) count = BRIO_OCCUPANCY_MOVERS;
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    brio_lua_numbers(L, lua_gettop(L), 2, points[i], "a point");
    lua_pop(L, 1);
  }
  brio_occupancy_leave_out(brio_lua_occupancy_check(L, 1), (const double(*)[2])points, count,
                           brio_lua_number(L, 3, 0, 10, "radius"));
  return 0;
}

/* grid:work([budget]) -> count
** Processes the accepted scan: visits about `budget` cells (20000). 0: it is done. */
static int work(lua_State *L) {
  int budget = lua_isnoneornil(L, 2) ? 20000 : (int)brio_lua_number(L, 2, 1, MOST_BUDGET, "budget");
  lua_pushinteger(L, brio_occupancy_work(brio_lua_occupancy_check(L, 1), budget));
  return 1;
}

/* grid:put({kind, size, [points, pose, name]}) -> true | nil, sentence, code
** Puts a solid into the grid, as a complete scan of it would: a shape as for solver:shape, at a pose in the
** world. */
static int put(lua_State *L) {
  brio_occupancy *grid = brio_lua_occupancy_check(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_obstacle solid = {.name = brio_lua_field_text(L, 2, "name", NULL), .pose = BRIO_POSE_IDENTITY};
  if (lua_getfield(L, 2, "pose") != LUA_TNIL) solid.pose = brio_lua_pose(L, -1, "pose");
  lua_pop(L, 1);
  brio_lua_shape(L, 2, &solid.shape);
  brio_error err;
  if (!brio_occupancy_put(grid, &solid, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* grid:clear(x, y, radius)
** Frees all cells within `radius` m (10 at most) of a point: the robot is there, or a thing was removed. */
static int clear(lua_State *L) {
  brio_occupancy *grid = brio_lua_occupancy_check(L, 1);
  double x = brio_lua_number(L, 2, -1e5, 1e5, "x"), y = brio_lua_number(L, 3, -1e5, 1e5, "y");
  brio_occupancy_clear(grid, x, y, brio_lua_number(L, 4, 0, 10, "radius"));
  return 0;
}

/* grid:forget()
** Sets all cells to unknown. */
static int forget(lua_State *L) {
  brio_occupancy_forget(brio_lua_occupancy_check(L, 1));
  return 0;
}

/* grid:at(x, y) -> "unknown", "free" or "occupied", number
** The state of a point of the ground, and the probability that it is occupied: 0 to 1, 0.5 where it is
** unknown. */
static int at(lua_State *L) {
  const brio_occupancy *grid = brio_lua_occupancy_check(L, 1);
  double x = brio_lua_number(L, 2, -1e300, 1e300, "x"), y = brio_lua_number(L, 3, -1e300, 1e300, "y");
  lua_pushstring(L, states[brio_occupancy_at(grid, x, y)]);
  lua_pushnumber(L, brio_occupancy_probability(grid, x, y));
  return 2;
}

/* grid:meets(from, to, radius) -> boolean
** Whether an occupied cell is within `radius` m (2 at most) of the straight line between two points {x,
** y}. */
static int meets(lua_State *L) {
  double from[2], to[2];
  brio_lua_numbers(L, 2, 2, from, "from");
  brio_lua_numbers(L, 3, 2, to, "to");
  double radius = brio_lua_number(L, 4, 0, 2, "radius");
  lua_pushboolean(L, brio_occupancy_meets(brio_lua_occupancy_check(L, 1), from, to, radius));
  return 1;
}

/* grid:info() -> {x, y, cell, nx, ny, free, occupied, scans, skipped, outside, bad, busy}
** The least corner, the size of cells and their number in x and y; the numbers of free and occupied ones; of
** scans accepted, and of those skipped during another; of points outside, and of NaN. */
static int info_of(lua_State *L) {
  brio_occupancy_info info = brio_occupancy_info_of(brio_lua_occupancy_check(L, 1));
  lua_createtable(L, 0, 12);
  brio_lua_set_number(L, "x", info.x);
  brio_lua_set_number(L, "y", info.y);
  brio_lua_set_number(L, "cell", info.cell);
  brio_lua_set_integer(L, "nx", info.nx);
  brio_lua_set_integer(L, "ny", info.ny);
  brio_lua_set_integer(L, "free", info.free);
  brio_lua_set_integer(L, "occupied", info.occupied);
  brio_lua_set_integer(L, "scans", info.scans);
  brio_lua_set_integer(L, "skipped", info.skipped);
  brio_lua_set_integer(L, "outside", info.outside);
  brio_lua_set_integer(L, "bad", info.bad);
  lua_pushboolean(L, info.busy);
  lua_setfield(L, -2, "busy");
  return 1;
}

/* grid:box() -> {x0, y0, x1, y1} or nil
** The bounding box of the known cells. */
static int box_of(lua_State *L) {
  double box[4];
  if (!brio_occupancy_box(brio_lua_occupancy_check(L, 1), box)) return 0;
  brio_lua_push_numbers(L, box, 4);
  return 1;
}

/* grid:rows([every]) -> list of text
** The grid as letters, `?` unknown, `.` free, `#` occupied, the row with the greatest y first; with `every`,
** one letter for a square of `every` cells a side: `#` if one of them is occupied, else `.` if one is free.
** Files have this format. */
static int rows(lua_State *L) {
  const brio_occupancy *grid = brio_lua_occupancy_check(L, 1);
  brio_occupancy_info info = brio_occupancy_info_of(grid);
  const uint8_t *columns = brio_occupancy_columns(grid);
  int every = lua_isnoneornil(L, 2) ? 1 : (int)brio_lua_number(L, 2, 1, 1000, "every"), row = 0;
  lua_settop(L, 1);
  lua_createtable(L, info.ny / every + 1, 0);
  /* Row by row from the greatest y, as a map is printed. */
  for (int j = (info.ny - 1) / every; j >= 0; j--) {
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    for (int i = 0; i < info.nx; i += every) {
      uint8_t most = BRIO_CELL_UNKNOWN;
      /* The state of a square is the greatest of its cells: occupied over free over unknown. */
      for (int k = 0; k < every * every; k++) {
        int x = i + k % every, y = j * every + k / every;
        if (x < info.nx && y < info.ny && columns[y * info.nx + x] > most) most = columns[y * info.nx + x];
      }
      luaL_addchar(&line, letters[most]);
    }
    luaL_pushresult(&line);
    lua_rawseti(L, 2, ++row);
  }
  return 1;
}

/* grid:set(rows) -> true | nil, sentence
** Copies the cells of another grid of the same size: its `rows()`. */
static int set_rows(lua_State *L) {
  brio_occupancy *grid = brio_lua_occupancy_check(L, 1);
  brio_occupancy_info info = brio_occupancy_info_of(grid);
  luaL_checktype(L, 2, LUA_TTABLE);
  uint8_t *columns = lua_newuserdatauv(L, (size_t)info.nx * (size_t)info.ny, 0);
  /* Rows come from the greatest y; each letter stands for a cell. */
  bool good = lua_rawlen(L, 2) == (lua_Unsigned)info.ny;
  for (int j = 0; j < info.ny && good; j++) {
    size_t length = 0;
    lua_rawgeti(L, 2, info.ny - j);
    const char *line = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : "";
    good = length == (size_t)info.nx;
    for (int i = 0; i < info.nx && good; i++) {
      const char *found = line[i] ? strchr(letters, line[i]) : NULL;
      good = found != NULL;
      if (good) columns[j * info.nx + i] = (uint8_t)(found - letters);
    }
    lua_pop(L, 1);
  }
  /* A wrong size or letter changes nothing. */
  if (good && brio_occupancy_set_columns(grid, columns)) {
    lua_pushboolean(L, true);
    return 1;
  }
  lua_pushnil(L);
  lua_pushfstring(L, "a map of this grid is %d rows of %d letters, each ?, . or #", info.ny, info.nx);
  return 2;
}

int luaopen_brio_occupancy(lua_State *L) {
  static const luaL_Reg methods[] = {{"scan", scan},  {"leave_out", leave_out}, {"work", work},
                                     {"put", put},    {"clear", clear},         {"forget", forget},
                                     {"at", at},      {"meets", meets},         {"info", info_of},
                                     {"box", box_of}, {"rows", rows},           {"set", set_rows},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new_grid}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
