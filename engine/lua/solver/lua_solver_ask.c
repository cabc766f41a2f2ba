/* The part of the Lua module `brio.solver` that sets goals and weights, and functions that all its parts
** use. */
#include <limits.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/solver/lua_goal.h"
#include "lua/solver/lua_solver.h"

brio_solver *brio_lua_solver_check(lua_State *L, int arg) {
  return brio_lua_box_check(L, arg, BRIO_LUA_SOLVER_CLASS);
}

brio_solver *brio_lua_solver_idle(lua_State *L, int arg) {
  brio_solver *solver = brio_lua_solver_check(L, arg);
  if (brio_solver_busy(solver)) luaL_error(L, "the solver is running: an objective cannot change its solver");
  return solver;
}

int brio_lua_solver_slot(lua_State *L, const brio_solver *solver, int index) {
  /* A handle is used as it is: checking is left to the solver, which is faster than a search by name. */
  lua_Integer handle = lua_tointeger(L, index);
  if (lua_isinteger(L, index)) return handle >= 0 && handle <= INT_MAX ? (int)handle : -1;
  brio_error err;
  if (lua_type(L, index) != LUA_TSTRING)
    luaL_error(L, "an objective's key must be a text, not a %s", luaL_typename(L, index));
  int slot = brio_solver_slot(solver, lua_tostring(L, index), &err);
  if (slot < 0) luaL_error(L, "%s", err.message);
  return slot;
}

/* The time constant at `arg` (s); absent: 0, at once. */
static double check_tau(lua_State *L, int arg) {
  return lua_isnoneornil(L, arg) ? 0 : brio_lua_number(L, arg, 0, 1e6, "tau");
}

/* Set the goal at `index`, or only check it. */
static bool ask_goal(lua_State *L, brio_solver *solver, int slot, int index, double tau, bool dry,
                     brio_error *err) {
  double v[BRIO_GOAL_NUMBERS];
  brio_slot known;
  /* Only an objective of a kind that takes goals reads the value. */
  int count = 0;
  if (brio_solver_look(solver, slot, &known) && known.kind->goal)
    count = brio_lua_goal_read(L, index, known.kind->goal, v);
  return dry ? brio_solver_check_goal(solver, slot, v, count, err)
             : brio_solver_set_goal(solver, slot, v, count, tau, err);
}

/* solver:goal(key, value [, tau])
** Sets a goal, approached with the time constant `tau` (s; default: at once). A translation or size
** is {x, y, z}, a rotation {x, y, z, w}, a scalar a number; `solver.goals()` shows all. */
static int goal(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  int slot = brio_lua_solver_slot(L, solver, 2);
  brio_error err;
  return ask_goal(L, solver, slot, 3, check_tau(L, 4), false, &err) ? 0 : brio_lua_failed(L, &err);
}

/* solver:weight(key, weight [, tau])
** Sets a weight of at least 0, approached with the time constant `tau` (s; default: at once), and reached
** after five time constants. 0 switches the objective off. */
static int weight(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  int slot = brio_lua_solver_slot(L, solver, 2);
  double value = brio_lua_number(L, 3, 0, HUGE_VAL, "a weight");
  brio_error err;
  if (!brio_solver_set_weight(solver, slot, value, check_tau(L, 4), &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* solver:yield(key, share [, tau])
** Lets an objective give up a share (0 to 1) of its weight to overriding tracks, approached with the time
** constant `tau` (s; default: at once). The base pose, without those tracks, does not change. */
static int yield(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  int slot = brio_lua_solver_slot(L, solver, 2);
  double share = brio_lua_number(L, 3, 0, 1, "a share");
  brio_error err;
  if (!brio_solver_set_yield(solver, slot, share, check_tau(L, 4), &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* Set the goals, or weights, in the table at `index`, by key; or only check them. */
static void ask_all(lua_State *L, brio_solver *solver, int index, bool weights, double tau, bool dry) {
  if (lua_isnoneornil(L, index)) return;
  luaL_checktype(L, index, LUA_TTABLE);
  brio_error err;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    /* The key is below its value. Integers are handles. */
    int key = lua_gettop(L) - 1, value = key + 1, slot = brio_lua_solver_slot(L, solver, key);
    bool good = true;
    if (!weights) {
      good = ask_goal(L, solver, slot, value, tau, dry, &err);
    } else {
      double weight = brio_lua_number(L, value, 0, HUGE_VAL, "a weight");
      if (!dry) good = brio_solver_set_weight(solver, slot, weight, tau, &err);
    }
    if (!good) brio_lua_failed(L, &err);
  }
}

void brio_lua_solver_ask(lua_State *L, brio_solver *solver, int goals, int weights, double tau) {
  /* First a pass that only checks: an error leaves everything unchanged. Then a pass that sets. */
  for (int dry = 1; dry >= 0; dry--) {
    ask_all(L, solver, goals, false, tau, dry);
    ask_all(L, solver, weights, true, tau, dry);
  }
}

/* solver:ask(goals, weights [, tau])
** Sets the named goals and weights by key: all of them, or, if one is invalid, none. They are approached with
** the time constant `tau` (s; default: at once). */
static int ask(lua_State *L) {
  brio_lua_solver_ask(L, brio_lua_solver_idle(L, 1), 2, 3, check_tau(L, 4));
  return 0;
}

const luaL_Reg brio_lua_solver_ask_methods[] = {
    {"goal", goal}, {"weight", weight}, {"yield", yield}, {"ask", ask}, {NULL, NULL}};
