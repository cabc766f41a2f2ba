/* The Lua module `brio.solver`: finds poses that meet weighted goals. */
#include "lua/solver/lua_solver.h"

#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/robot/lua_robot.h"
#include "lua/solver/lua_extension.h"
#include "lua/solver/lua_goal.h"
#include "lua/solver/lua_house.h"

#define CLASS BRIO_LUA_SOLVER_CLASS

enum { MOST_ARGUMENTS = 16, MOST_TIED = 64 };

void brio_lua_solver_lend(lua_State *L, brio_solver *solver, int owner) {
  owner = lua_absindex(L, owner);
  luaL_requiref(L, CLASS, luaopen_brio_solver, 0); /* its class is there */
  lua_pop(L, 1);
  brio_lua_box_push(L, CLASS, solver, false);
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, -2, 1);
}

/* __gc: free the solver, unless it is lent. */
static int collect(lua_State *L) {
  const brio_lua_box *box = luaL_checkudata(L, 1, CLASS);
  if (box->thing && brio_solver_busy(box->thing)) return 0; /* it is in use, whoever calls this */
  if (box->thing && box->owned) brio_lua_house_forget(L, box->thing);
  brio_solver_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* --- creation --- */

/* Read an optional whole number from `lower` to `upper`; absent: 0. */
static double read_whole(lua_State *L, int arg, const char *key, double lower, double upper) {
  double value = brio_lua_field_number(L, arg, key, lower, upper, 0);
  if (value != floor(value)) luaL_error(L, "%s must be a whole number, not %f", key, value);
  return value;
}

/* Read the options at argument `arg`; 0 stands for the solver's defaults. Raises on errors. */
static brio_solver_options read_options(lua_State *L, int arg) {
  static const char *const keys[] = {"backend",        "lively_losses", "seed",           "max_iterations",
                                     "max_objectives", "max_shapes",    "max_distances", "collision_range",
                                     "clearance",      "unguarded",     "with_base",   NULL};
  brio_solver_options options = {0};
  if (lua_isnoneornil(L, arg)) return options;
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "solver options");
  /* The method and its costs. */
  options.backend = brio_lua_field_text(L, arg, "backend", NULL);
  options.lively_losses = brio_lua_field_flag(L, arg, "lively_losses", false);
  /* Bounds of the work and of the memory. */
  options.seed = (uint64_t)read_whole(L, arg, "seed", 0, 0x1p53);
  options.max_iterations = (int)read_whole(L, arg, "max_iterations", 1, 1e6);
  options.max_objectives = (int)read_whole(L, arg, "max_objectives", 1, 1e5);
  options.max_shapes = (int)read_whole(L, arg, "max_shapes", 1, 1e5);
  options.max_distances = (int)read_whole(L, arg, "max_distances", 1, 1e6);
  /* The distances: how far they are measured, and how near bodies may come. */
  options.collision_range = brio_lua_field_number(L, arg, "collision_range", 1e-3, 1e5, 0);
  options.unguarded = brio_lua_field_flag(L, arg, "unguarded", false);
  options.clearance = brio_lua_field_number(L, arg, "clearance", 1e-5, 1, 0);
  options.with_base = brio_lua_field_flag(L, arg, "with_base", false);
  return options;
}

/* The cache of robots' own pairs, one a Lua state. */
static const char MEMO[] = "brio.solver.memo", MEMO_PLACE[] = "brio.solver.memo.place";

/* __gc: free the cache, at the end of the Lua state. */
static int collect_memo(lua_State *L) {
  brio_pairs_memo_free(brio_lua_box_empty(L, MEMO));
  return 0;
}

/* Create the cache in the registry; without memory it stays empty, and solvers do without. */
static void open_memo(lua_State *L) {
  static const luaL_Reg methods[] = {{NULL, NULL}};
  brio_lua_class(L, MEMO, methods, collect_memo);
  brio_lua_box_new(L, MEMO)->thing = brio_pairs_memo_new();
  lua_setfield(L, LUA_REGISTRYINDEX, MEMO_PLACE);
}

/* The cache, or NULL. */
static brio_pairs_memo *memo_of(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, MEMO_PLACE);
  const brio_lua_box *box = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return box ? box->thing : NULL;
}

/* solver.new(robot [, options]) -> solver
** Creates a solver; the robot starts in its neutral pose, with its current limits.
** Options: `backend` ("gauss_newton" or "nlopt"), `lively_losses` (costs exactly as Lively's), `seed`
** (of the noise), `max_iterations`, `max_objectives`, `max_shapes` (10,000), `max_distances` (pairs measured
** for one pose, nearest first; 1,000,000), `collision_range` (m; 0.3), `clearance` (m; 0.002: least distance
** of physical bodies, for all weights), `unguarded` (they may touch), `with_base` (needed by a run with
** tracks). For a robot with more than 1,000 coordinates, or too many pairs of its own shapes (250,000): nil,
** sentence, "limit". */
static int new(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  brio_solver_options options = read_options(L, 2);
  options.memo = memo_of(L);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  brio_error err;
  box->thing = brio_solver_new(robot, &options, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1); /* keeps the robot alive */
  return 1;
}

/* --- objectives --- */

/* Read the argument `name`, the value at the top of the stack. */
static brio_argument read_argument(lua_State *L, const char *name) {
  brio_argument argument = {.name = name};
  /* The type of the value decides which field of the argument is set. */
  switch (lua_type(L, -1)) {
    case LUA_TNUMBER: argument.number = lua_tonumber(L, -1); break;
    case LUA_TSTRING: argument.text = lua_tostring(L, -1); break;
    case LUA_TBOOLEAN: argument.number = lua_toboolean(L, -1), argument.truth = true; break;
    case LUA_TTABLE: brio_lua_numbers(L, -1, argument.count = 3, argument.vector, name); break;
    default:
      luaL_error(
          L, "argument '%s' must be a number, a name, true or false, or a list of three numbers, not a %s",
          name, luaL_typename(L, -1));
  }
  return argument;
}

/* Read the table of arguments at `index`; return how many. Texts live while the table does. */
static int read_arguments(lua_State *L, int index, brio_argument *arguments) {
  int count = 0;
  if (lua_isnoneornil(L, index)) return 0;
  luaL_checktype(L, index, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) return luaL_error(L, "an objective's arguments are given by name");
    if (count == MOST_ARGUMENTS)
      return luaL_error(L, "an objective has at most %d arguments", MOST_ARGUMENTS);
    arguments[count++] = read_argument(L, lua_tostring(L, -2));
  }
  return count;
}

/* solver:add(key, kind [, arguments]) -> handle
** Adds an objective under a key of its own, with weight 0: of a kind by name, or one of your own (see
** brio.objective). The handle, a whole number, may stand for the key in `goal`, `weight` and `remove`, and
** is faster. */
static int add(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const char *key = luaL_checkstring(L, 2);
  const brio_objective_kind *kind = brio_lua_check_objective(L, 3);
  brio_argument arguments[MOST_ARGUMENTS];
  int count = read_arguments(L, 4, arguments);
  brio_error err;
  brio_lua_house *house = brio_lua_house_of(L);
  /* An objective written in Lua reads the solver and the key when the solver binds it. */
  brio_lua_house_adding(house, solver, key);
  int slot = brio_solver_add_kind(solver, key, kind, arguments, count, &err);
  brio_lua_house_adding(house, NULL, NULL);
  if (slot < 0) return brio_lua_failed(L, &err);
  lua_pushinteger(L, slot);
  return 1;
}

/* solver:remove(key)
** Removes an objective. */
static int remove_objective(lua_State *L) {
  brio_solver *solver = brio_lua_solver_idle(L, 1);
  brio_solver_remove(solver, brio_lua_solver_slot(L, solver, 2));
  return 0;
}

/* solver:objectives() -> list of {key, kind, handle, weight, target, cost, goal, failed}
** The objectives: current weight and its target, unweighted cost at the last solution, and the current goal;
** `failed`: it failed and was excluded from the last solve. */
static int objectives(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  brio_slot known;
  lua_newtable(L);
  int n = 0;
  for (int slot = brio_solver_next(solver, -1); slot >= 0; slot = brio_solver_next(solver, slot)) {
    brio_solver_look(solver, slot, &known);
    if (known.kind->above && known.weight == 0) continue; /* of a joint without overrides */
    lua_createtable(L, 0, 8);
    brio_lua_set_text(L, "key", known.key);
    brio_lua_set_text(L, "kind", known.kind->name);
    brio_lua_set_integer(L, "handle", slot);
    brio_lua_set_number(L, "weight", known.weight);
    brio_lua_set_number(L, "target", known.weight_target);
    brio_lua_set_number(L, "cost", known.cost);
    brio_lua_goal_push(L, known.goal);
    lua_setfield(L, -2, "goal");
    lua_pushboolean(L, known.failed);
    lua_setfield(L, -2, "failed");
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* Read {name, coefficient} at the top of the stack. */
static void read_tie(lua_State *L, const brio_solver *solver, int *variable, double *coefficient) {
  luaL_checktype(L, -1, LUA_TTABLE);
  /* Stack: the pair, the name, the coefficient. */
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, 2);
  brio_error err;
  const char *name = lua_tostring(L, -2);
  if (!name || !lua_isnumber(L, -1)) luaL_error(L, "couple: each variable is {name, coefficient}");
  *variable = brio_robot_variable(brio_solver_robot(solver), name, &err);
  if (*variable < 0) luaL_error(L, "%s", err.message);
  *coefficient = lua_tonumber(L, -1);
  lua_pop(L, 2);
}

/* solver:couple(variables, sum)
** Couples joints: `variables` is a list of {name, coefficient}, and the sum of coefficient times value is
** `sum` in every solve, for all weights. The last one follows the others, within its own limits, and in one
** coupling only. A follower may be a source of another coupling. The robot is at rest afterwards. */
static int couple(lua_State *L) {
  brio_solver *solver = brio_lua_solver_idle(L, 1);
  int variables[MOST_TIED];
  double coefficients[MOST_TIED], sum = brio_lua_number(L, 3, -1e9, 1e9, "sum");
  luaL_checktype(L, 2, LUA_TTABLE);
  int count = (int)luaL_len(L, 2);
  if (count > MOST_TIED) return luaL_error(L, "a coupling ties at most %d joints", MOST_TIED);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    read_tie(L, solver, &variables[i], &coefficients[i]);
    lua_pop(L, 1);
  }
  brio_error err;
  return brio_solver_couple(solver, variables, coefficients, count, sum, &err) ? 0 : brio_lua_failed(L, &err);
}

/* solver:iterations(most)
** Limits the iterations of a solve from now on, a deadline counted in work: the same on every machine and in
** a replay. 0: the robot brakes and holds. */
static int iterations(lua_State *L) {
  brio_solver *solver = brio_lua_solver_idle(L, 1);
  brio_solver_set_iterations(solver, (int)brio_lua_number(L, 2, 0, 1e6, "most"));
  return 0;
}

/* solver:reset([configuration [, zero_weights]])
** Clears the history: the robot is at rest at {base = pose, joints = {name = value}} (default: neutral),
** noise starts again, and with `zero_weights` every weight is 0. */
static int reset(lua_State *L) {
  brio_solver *solver = brio_lua_solver_idle(L, 1);
  bool zero_weights = lua_toboolean(L, 3);
  const double *q = NULL;
  /* The configuration stays on the stack until the solver has copied it. */
  if (!lua_isnoneornil(L, 2)) q = brio_lua_robot_configuration(L, brio_solver_robot(solver), 2);
  brio_solver_reset(solver, q, zero_weights);
  return 0;
}

/* solver:set_limits(variable, limits)
** Tightens `lower` and `upper` (rad or m), `velocity` and `acceleration` of a variable from the next solve
** on, within the limits at its creation; a missing field is reset to its value then. A variable beyond its
** new limits returns within its acceleration. Raises if they are looser. */
static int set_limits(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  brio_error err;
  int variable = brio_robot_variable(brio_solver_robot(solver), luaL_checkstring(L, 2), &err);
  if (variable < 0) return brio_lua_failed(L, &err);
  brio_limits limits = brio_lua_robot_limits(L, 3);
  return brio_solver_set_limits(solver, variable, &limits, &err) ? 0 : brio_lua_failed(L, &err);
}

/* solver:tempo(number)
** Scales time by 1 / number, from the next solve on: 0.05 to 2, 1 at the beginning. Limits of speed are
** multiplied by it, but never raised; the greatest braking does not change. */
static int set_tempo(lua_State *L) {
  brio_error err;
  brio_solver *solver = brio_lua_solver_check(L, 1);
  return brio_solver_set_tempo(solver, luaL_checknumber(L, 2), &err) ? 0 : brio_lua_failed(L, &err);
}

enum { MOST_POINTS = 64 };

/* solver:balance({points =, [margin =, moving =]} | nil)
** Takes no step from which the robot could not stop with its centre of mass above the hull of `points`
** (world, m; at least 3, on the ground), `margin` m (0.02) inside its edge; with `moving` its zero moment
** point stays there, too, in each step and while it brakes. Beyond the margin already, it may not go farther
** out. nil: no longer. */
static int set_balance(lua_State *L) {
  static const char *const keys[] = {"points", "margin", "moving", NULL};
  brio_solver *solver = brio_lua_solver_idle(L, 1);
  brio_vec3 points[MOST_POINTS];
  brio_balance_options options = {.points = points};
  brio_error err;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    brio_lua_only_keys(L, 2, keys, "balance");
    options.margin = brio_lua_field_number(L, 2, "margin", 0, 10, 0.02);
    options.moving = brio_lua_field_flag(L, 2, "moving", false);
    if (lua_getfield(L, 2, "points") != LUA_TTABLE) return luaL_error(L, "balance: points are missing");
    options.npoint = (int)luaL_len(L, -1);
    if (options.npoint > MOST_POINTS) return luaL_error(L, "balance: at most %d points", MOST_POINTS);
    for (int i = 0; i < options.npoint; i++) {
      lua_rawgeti(L, -1, i + 1);
      points[i] = brio_lua_vec3(L, -1, "a point");
      lua_pop(L, 1);
    }
  }
  bool good = brio_solver_set_balance(solver, lua_isnil(L, 2) ? NULL : &options, &err);
  return good ? 0 : brio_lua_failed(L, &err);
}

int luaopen_brio_solver(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"add", add},     {"remove", remove_objective}, {"couple", couple},         {"iterations", iterations},
      {"reset", reset}, {"objectives", objectives},   {"set_limits", set_limits},
      {"tempo", set_tempo}, {"balance", set_balance},   {NULL, NULL}};
  open_memo(L);
  brio_lua_class(L, CLASS, methods, collect);
  luaL_getmetatable(L, CLASS);
  /* The other parts of the module add their methods and functions. */
  luaL_setfuncs(L, brio_lua_solver_ask_methods, 0);
  luaL_setfuncs(L, brio_lua_solver_state_methods, 0);
  luaL_setfuncs(L, brio_lua_solver_shape_methods, 0);
  lua_newtable(L);
  lua_pushcfunction(L, new);
  lua_setfield(L, -2, "new");
  luaL_setfuncs(L, brio_lua_solver_kind_functions, 0);
  return 1;
}
