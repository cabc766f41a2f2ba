/* space:repair of the module `brio.joints`. */
#include "lua/plan/lua_joints.h"

#include <string.h>

#include "lua/lua_args.h"
#include "plan/joints/repair/repair.h"

#define CLASS "brio.joints.repair"

/* What must be freed, also where Lua raises. */
typedef struct holder {
  brio_joint_repair *repair;
} holder;

/* __gc, and when it is done. */
static int collect(lua_State *L) {
  holder *own = luaL_checkudata(L, 1, CLASS);
  brio_joint_repair_free(own->repair);
  own->repair = NULL;
  return 0;
}

/* Return the method that the options name. */
static brio_repair_method read_method(lua_State *L) {
  const char *text = brio_lua_field_text(L, 3, "method", brio_repair_method_names[0]);
  for (int i = 0; i < BRIO_REPAIR_NMETHOD; i++)
    if (strcmp(text, brio_repair_method_names[i]) == 0) return (brio_repair_method)i;
  return (brio_repair_method)luaL_error(L, "method must be push or swarm, not '%s'", text);
}

/* Read the options at 3. */
static brio_repair_settings read_settings(lua_State *L) {
  static const char *const keys[] = {"method", "margin",    "spread",     "rounds",    "checks", "free_ends",
                                     "seed",   "particles", "iterations", "threshold", "radius", NULL};
  brio_repair_settings out = brio_repair_settings_default();
  if (lua_isnoneornil(L, 3)) return out;
  luaL_checktype(L, 3, LUA_TTABLE);
  brio_lua_only_keys(L, 3, keys, "a repair");
  out.method = read_method(L);
  out.margin = brio_lua_field_number(L, 3, "margin", 1e-5, 1, out.margin);
  out.spread = brio_lua_field_number(L, 3, "spread", 0.1, 1000, out.spread);
  out.free_ends = brio_lua_field_flag(L, 3, "free_ends", false);
  out.rounds = (int)brio_lua_joints_whole(L, 3, "rounds", 1, 10000, out.rounds);
  out.checks = brio_lua_joints_whole(L, 3, "checks", 0, 1e12, (double)out.checks);
  out.seed = (uint64_t)brio_lua_joints_whole(L, 3, "seed", 0, 0x1p53, 0);
  out.particles = (int)brio_lua_joints_whole(L, 3, "particles", 2, BRIO_REPAIR_PARTICLES, out.particles);
  out.iterations = (int)brio_lua_joints_whole(L, 3, "iterations", 1, 10000, out.iterations);
  out.threshold = brio_lua_field_number(L, 3, "threshold", 0, 1e6, out.threshold);
  out.radius = brio_lua_field_number(L, 3, "radius", 1e-6, 100, out.radius);
  return out;
}

double *brio_lua_joints_points(lua_State *L, int index, int size, const char *what, int least, int most,
                               int *count) {
  luaL_checktype(L, index, LUA_TTABLE);
  lua_Unsigned length = lua_rawlen(L, index);
  if (length < (lua_Unsigned)least || length > (lua_Unsigned)most)
    luaL_error(L, "a path to %s has %d to %d points, not %I", what, least, most, (lua_Integer)length);
  *count = (int)length;
  double *points = lua_newuserdatauv(L, (size_t)*count * (size_t)size * sizeof *points, 0);
  for (int i = 0; i < *count; i++) {
    lua_rawgeti(L, index, i + 1);
    brio_lua_numbers(L, -1, size, points + (size_t)i * (size_t)size, "a point");
    lua_pop(L, 1);
  }
  return points;
}

void brio_lua_joints_push_points(lua_State *L, const double *points, int count, int size) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    brio_lua_push_numbers(L, points + (size_t)i * (size_t)size, size);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_report(lua_State *L, const brio_repair_report *report) {
  lua_createtable(L, 0, 9);
  brio_lua_set_integer(L, "outside", report->outside);
  brio_lua_set_integer(L, "colliding", report->colliding);
  brio_lua_set_integer(L, "crossing", report->crossing);
  brio_lua_set_integer(L, "moved", report->moved);
  brio_lua_set_number(L, "largest", report->largest);
  brio_lua_set_integer(L, "rounds", report->rounds);
  brio_lua_set_integer(L, "detours", report->detours);
  brio_lua_set_integer(L, "removed", report->removed);
  brio_lua_set_integer(L, "left", report->left);
}

/* space:repair(points, [{method, margin, spread, free_ends, rounds, checks, seed, particles, iterations,
**   threshold, radius}]) -> points, report | nil, sentence, code, points, report
** A path of points, lists of numbers, with those changed that collide or are beyond limits, until all are
** clear and the straight motions between them too. Start and end stay, unless `free_ends`. `method` "push":
** points go out along the slopes of distances, to `margin` (0.002 m) beyond the clearance; the changes are
** spread over the points around by a Gaussian with the standard deviation `spread` (6 points), in at most
** `rounds` (100); where that does not help, searches of at most `checks` (20,000; 0: none) with the `seed`
** (0) lead around. "swarm": the published method to compare with, with `particles` (50) at each point, which
** begin at distances of about `radius` (0.3 rad), and `iterations` (30), or fewer when a fitness of
** `threshold` (0.2) is reached; it does not repair motions between points. The report: numbers of points
** `outside` of limits, `colliding`, `moved` and `removed` (filled in by a spline), of `crossing` motions, the
** `largest` change of a joint, `rounds`, `detours`, and what is `left`. nil: the start or the end collides,
** or the named point cannot be repaired; then the points are those that could be. Raises on bad points and
** options. */
int brio_lua_space_repair(lua_State *L) {
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  int count, size = brio_joint_checker_size(checker, NULL);
  lua_settop(L, 3);
  brio_repair_settings settings = read_settings(L);
  double *points = brio_lua_joints_points(L, 2, size, "repair", 2, BRIO_REPAIR_POINTS, &count);
  holder *own = lua_newuserdatauv(L, sizeof *own, 0);
  own->repair = NULL;
  if (luaL_newmetatable(L, CLASS)) {
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  brio_error err;
  brio_repair_report report = {0};
  own->repair = brio_joint_repair_new(checker, count, &settings, &err);
  bool good = own->repair && brio_joint_repair_path(own->repair, points, count, &report, &err);
  brio_joint_repair_free(own->repair);
  own->repair = NULL;
  int before = good ? 0 : brio_lua_failed(L, &err);
  brio_lua_joints_push_points(L, points, count, size);
  push_report(L, &report);
  return before + 2;
}

enum { MOST_OUT = 200 }; /* corners of a way out */

/* space:out(values, room) -> list of values | nil
** A way out of contact, along the slopes of distances, to where everything is apart by `room` (m, beyond the
** clearance): straight steps of at most 0.02 rad or m, on which no depth grows by more than 0.2 mm. The first
** item are the values. nil: none was found. Takes some ms: not for every tick. */
int brio_lua_space_out(lua_State *L) {
  double x[BRIO_JOINTS_PLANNED];
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  int size = brio_joint_checker_size(checker, NULL);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_numbers(L, 2, size, x, "values");
  double room = brio_lua_number(L, 3, 1e-5, 1, "room");
  double *corners = lua_newuserdatauv(L, (size_t)MOST_OUT * (size_t)size * sizeof *corners, 0);
  int count = brio_joint_way_out(checker, x, room, corners, MOST_OUT);
  if (!count) return 0;
  brio_lua_joints_push_points(L, corners, count, size);
  return 1;
}
