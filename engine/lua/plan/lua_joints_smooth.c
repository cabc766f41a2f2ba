/* space:optimize of the module `brio.joints`. */
#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/plan/lua_joints.h"
#include "plan/joints/smooth/smooth.h"

#define CLASS "brio.joints.optimization"

/* __gc: free the optimization; its value holds that of the space. */
static int collect(lua_State *L) {
  brio_joint_smooth_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* Read the options at 3. */
static brio_smooth_settings read_settings(lua_State *L) {
  static const char *const keys[] = {"length", "smoothness", "closeness", "margin", "rounds", "checks", NULL};
  brio_smooth_settings out = brio_smooth_settings_default();
  if (lua_isnoneornil(L, 3)) return out;
  luaL_checktype(L, 3, LUA_TTABLE);
  brio_lua_only_keys(L, 3, keys, "an optimization");
  out.length = brio_lua_field_number(L, 3, "length", 0, 1e6, out.length);
  out.smoothness = brio_lua_field_number(L, 3, "smoothness", 0, 1e6, out.smoothness);
  out.closeness = brio_lua_field_number(L, 3, "closeness", 0, 1e6, out.closeness);
  out.margin = brio_lua_field_number(L, 3, "margin", 1e-5, 1, out.margin);
  out.checks = brio_lua_joints_whole(L, 3, "checks", 0, 1e12, (double)out.checks);
  out.rounds = (int)brio_lua_joints_whole(L, 3, "rounds", 1, 100000, out.rounds);
  return out;
}

/* space:optimize(points, [{length, smoothness, closeness, margin, rounds, checks}]) -> optimization | nil,
**   sentence, code
** Makes a path of points (lists of numbers, at most 2000) short, smooth and clear, from any path, also one
** that collides; start and end stay. Weights of the squared speed along it (`length`, 1), of its squared
** change (`smoothness`, 0.01), and of the squared distance from the path as it was (`closeness`, 0). Where
** something was nearer, it keeps `margin` (0.005 m) beyond the clearance; in at most `rounds` (100) steps. A
** path that collides is first pushed out, or led around by searches of at most `checks` (20,000; 0: none), as
** space:repair does: some ms. nil: the start or the end collides. Raises on bad points and options. */
int brio_lua_space_optimize(lua_State *L) {
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  int count, size = brio_joint_checker_size(checker, NULL);
  lua_settop(L, 3);
  brio_smooth_settings settings = read_settings(L);
  double *points = brio_lua_joints_points(L, 2, size, "optimize", 3, BRIO_SMOOTH_POINTS, &count);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1); /* keeps the space alive */
  brio_error err;
  box->thing = brio_joint_smooth_new(checker, count, &settings, &err);
  if (!box->thing || !brio_joint_smooth_begin(box->thing, points, count, &err))
    return brio_lua_failed(L, &err);
  return 1;
}

/* optimization:work([budget]) -> nil, or true | false, sentence, code
** Works, with at most `budget` configurations that are measured (1000): nil: not finished; true: the path is
** clear, and gets no better; else the motion that is not clear, with the two solids and the depth. */
static int work(lua_State *L) {
  brio_joint_smooth *own = brio_lua_box_check(L, 1, CLASS);
  int budget = lua_isnoneornil(L, 2) ? 1000 : (int)brio_lua_number(L, 2, 1, 1e9, "budget");
  brio_error err;
  brio_search_status status = brio_joint_smooth_work(own, budget, &err);
  if (status == BRIO_SEARCH_GOES_ON) return 0;
  lua_pushboolean(L, status == BRIO_SEARCH_FOUND);
  if (status == BRIO_SEARCH_FOUND) return 1;
  lua_pushstring(L, err.message);
  lua_pushstring(L, brio_code_name(err.code));
  return 3;
}

/* optimization:path() -> list of lists of numbers
** The points as they are; clear once the work has come to its end. */
static int path(lua_State *L) {
  int count;
  brio_joint_smooth *own = brio_lua_box_check(L, 1, CLASS);
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, 1);
  const double *points = brio_joint_smooth_path(own, &count);
  brio_lua_joints_push_points(L, points, count, brio_joint_checker_size(brio_lua_space_check(L, 2), NULL));
  return 1;
}

/* optimization:report() -> {rounds, looks, before, length, missing, blocked}
** Steps that were taken, configurations measured, the length of the path given and of the present one, by how
** much something is nearer than it should be, at most (m), and the number of motions that are not clear. */
static int report(lua_State *L) {
  brio_smooth_report done = brio_joint_smooth_report(brio_lua_box_check(L, 1, CLASS));
  lua_createtable(L, 0, 6);
  brio_lua_set_integer(L, "rounds", done.rounds);
  brio_lua_set_integer(L, "looks", done.looks);
  brio_lua_set_number(L, "before", done.before);
  brio_lua_set_number(L, "length", done.length);
  brio_lua_set_number(L, "missing", done.missing);
  brio_lua_set_integer(L, "blocked", done.blocked);
  return 1;
}

void brio_lua_joints_optimization(lua_State *L) {
  static const luaL_Reg methods[] = {{"work", work}, {"path", path}, {"report", report}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
}
