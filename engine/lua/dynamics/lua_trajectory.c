/* The Lua module `brio.trajectory`: motions that cost least while dynamics, contacts and limits hold.
**
** A problem is {phases = {...}, terms = {...}}: phases in turn, each with its contacts, and costs and
** constraints (docs/engine/trajectory.md). A motion is a list of nodes {configuration, velocity, torque,
** stretch, time}: as in `brio.robot` and `brio.dynamics`, torques by variable (N m or N), the factor by which
** the phase lasts longer, and the time (s) that follows from it. */
#include "lua/dynamics/lua_trajectory.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "lua/dynamics/lua_dynamics.h"
#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"
#include "trajectory/backend.h"
#include "trajectory/scheme.h"
#include "trajectory/term.h"

static const char *const CLASS = "brio.trajectory";

static brio_trajectory *check(lua_State *L) {
  brio_lua_trajectory *self = luaL_checkudata(L, 1, CLASS);
  return &self->trajectory;
}

/* __gc: free the workspaces. */
static int collect(lua_State *L) {
  brio_lua_trajectory *self = luaL_checkudata(L, 1, CLASS);
  if (self->trajectory.work) brio_trajectory_end(&self->trajectory);
  brio_arena_end(&self->arena);
  return 0;
}

/* trajectory.new(robot, problem) -> trajectory
** `problem`: `phases`, a list of {nodes, duration (s), stretch = {least, greatest} factor of the duration,
** contacts, impact = true where the contacts begin to hold at once and impulses change the velocity};
** `terms`, a list of {KIND, phase = number or "last", node = number or "last", ...} with the arguments of the
** kind, and of costs `weight` and `per` ("node" or "time"); `scheme` ("hermite_simpson" or "trapezoidal"),
** `motors` (names of the variables that have one; all), `limits` = {lower, upper, velocity, effort} by
** variable (the robot's), `stiffness` and `damping` (1/s^2, 1/s) by which contacts are pulled shut, `cycle` =
** {base = {x, y, z} (m), joints = {variable = rad or m}}: the motion repeats, its end is the beginning moved
** by that (with the backend "ipopt"). A contact: {link, point, at, sole = {length, width}, friction, torsion,
** grips}: a point of the link (or, with a sole, a pose) is held at a position (or pose, z along the normal)
** of the world. */
static int new_trajectory(lua_State *L) {
  brio_error err;
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_settop(L, 2);
  brio_lua_trajectory *self = lua_newuserdatauv(L, sizeof *self, 1);
  memset(self, 0, sizeof *self);
  brio_arena_start(&self->arena, 65536);
  luaL_setmetatable(L, CLASS);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  brio_trajectory_setup setup;
  brio_lua_trajectory_read(L, robot, &self->arena, &setup);
  if (!brio_trajectory_start(&self->trajectory, &setup, &err)) return brio_lua_failed(L, &err);
  lua_settop(L, 3);
  return 1;
}

/* A motion whose memory is a userdata that is pushed. */
static brio_trajectory_motion push_memory(lua_State *L, const brio_trajectory *t) {
  size_t nq = (size_t)t->robot->nq, nv = (size_t)t->robot->nv, nm = (size_t)t->nmotor, n = (size_t)t->nnode;
  double *numbers = lua_newuserdatauv(L, (n * (nq + nv + nm + 1) + 1) * sizeof *numbers, 0);
  memset(numbers, 0, n * (nq + nv + nm + 1) * sizeof *numbers);
  return (brio_trajectory_motion){numbers, numbers + n * nq, numbers + n * (nq + nv),
                                  numbers + n * (nq + nv + nm)};
}

/* Read torques {variable = number} on the top of the stack. */
static void read_torques(lua_State *L, const brio_trajectory *t, double *out) {
  double *all = brio_lua_dynamics_scratch(L, t->robot->nvariable);
  lua_insert(L, -2);
  if (!lua_isnil(L, -1)) brio_lua_dynamics_variables(L, t->robot, "torque", -HUGE_VAL, all);
  for (int m = 0; m < t->nmotor; m++) out[m] = all[t->motors[m]];
}

/* Read the node on the top of the stack. */
static void read_node(lua_State *L, const brio_trajectory *t, int k, const brio_trajectory_motion *m) {
  static const char *const keys[] = {"configuration", "velocity", "torque", "stretch", "time", NULL};
  int index = lua_gettop(L), nq = t->robot->nq, nv = t->robot->nv;
  if (!lua_istable(L, index)) luaL_error(L, "node %d of a motion must be a table", k + 1);
  brio_lua_only_keys(L, index, keys, "node");
  lua_getfield(L, index, "configuration");
  memcpy(m->q + k * nq, brio_lua_robot_configuration(L, t->robot, index + 1), (size_t)nq * sizeof *m->q);
  lua_settop(L, index);
  lua_getfield(L, index, "velocity");
  memcpy(m->u + k * nv, brio_lua_dynamics_motion(L, t->robot, index + 1, "velocity"),
         (size_t)nv * sizeof *m->u);
  lua_settop(L, index);
  lua_getfield(L, index, "torque");
  read_torques(L, t, m->torque + k * t->nmotor);
  lua_settop(L, index);
  m->stretch[k] = brio_lua_field_number(L, index, "stretch", 1e-9, 1e9, 1);
}

/* Raise unless the list at `index` has an item for each node. */
static void check_count(lua_State *L, const brio_trajectory *t, int index, const char *what) {
  luaL_checktype(L, index, LUA_TTABLE);
  if ((int)lua_rawlen(L, index) != t->nnode)
    luaL_error(L, "%s has %d items, expected one for each of the %d nodes", what, (int)lua_rawlen(L, index),
               t->nnode);
}

/* Read the motion at argument 2 into memory that is pushed. */
static brio_trajectory_motion read_motion(lua_State *L, const brio_trajectory *t) {
  check_count(L, t, 2, "the motion");
  brio_trajectory_motion m = push_memory(L, t);
  for (int k = 0; k < t->nnode; k++, lua_pop(L, 1)) {
    lua_rawgeti(L, 2, k + 1);
    read_node(L, t, k, &m);
  }
  return m;
}

/* Push a motion as a list of nodes. */
static void push_motion(lua_State *L, const brio_trajectory *t, const brio_trajectory_motion *m) {
  double time = 0;
  lua_createtable(L, t->nnode, 0);
  for (int k = 0; k < t->nnode; k++) {
    lua_createtable(L, 0, 5);
    brio_lua_robot_push_configuration(L, t->robot, m->q + k * t->robot->nq);
    lua_setfield(L, -2, "configuration");
    brio_lua_dynamics_push_motion(L, t->robot, m->u + k * t->robot->nv);
    lua_setfield(L, -2, "velocity");
    lua_createtable(L, 0, t->nmotor);
    for (int i = 0; i < t->nmotor; i++)
      brio_lua_set_number(L, t->robot->variables[t->motors[i]].name, m->torque[k * t->nmotor + i]);
    lua_setfield(L, -2, "torque");
    if (t->nodes[k].index > 0) time += t->nodes[k].step * m->stretch[k];
    brio_lua_set_number(L, "stretch", m->stretch[k]);
    brio_lua_set_number(L, "time", time);
    lua_rawseti(L, -2, k + 1);
  }
}

/* trajectory:guess(configurations) -> motion
** A first motion through a configuration for each node: velocities by differences, the torques that come
** nearest to the accelerations that follow. */
static int guess(lua_State *L) {
  brio_trajectory *t = check(L);
  brio_error err;
  lua_settop(L, 2);
  check_count(L, t, 2, "the list of configurations");
  brio_trajectory_motion m = push_memory(L, t);
  for (int k = 0; k < t->nnode; k++, lua_settop(L, 3)) {
    lua_rawgeti(L, 2, k + 1);
    memcpy(m.q + k * t->robot->nq, brio_lua_robot_configuration(L, t->robot, 4),
           (size_t)t->robot->nq * sizeof *m.q);
  }
  if (!brio_trajectory_guess(t, &m, &err)) return brio_lua_failed(L, &err);
  push_motion(L, t, &m);
  return 1;
}

/* A report to Lua: the function at stack index 4, whose error ends the solution and is raised after it. */
typedef struct listener {
  lua_State *L;
  bool failed;
} listener;

/* Push what is reported. */
static void push_progress(lua_State *L, const brio_trajectory_progress *p) {
  lua_createtable(L, 0, 7);
  brio_lua_set_integer(L, "iteration", p->iteration);
  brio_lua_set_number(L, "cost", p->cost);
  brio_lua_set_number(L, "violation", p->violation);
  brio_lua_set_number(L, "optimality", p->optimality);
  brio_lua_set_number(L, "barrier", p->barrier);
  brio_lua_set_number(L, "step", p->step);
  brio_lua_set_number(L, "seconds", p->seconds);
}

static bool report(void *context, const brio_trajectory_progress *progress) {
  listener *own = context;
  lua_State *L = own->L;
  lua_pushvalue(L, 4);
  push_progress(L, progress);
  own->failed = lua_pcall(L, 1, 1, 0) != LUA_OK;
  if (own->failed) return false;
  bool on = !lua_isboolean(L, -1) || lua_toboolean(L, -1);
  lua_pop(L, 1);
  return on;
}

/* Read the options at argument 3; the report goes to index 4. */
static const brio_trajectory_backend *read_options(lua_State *L, brio_trajectory_options *out) {
  static const char *const keys[] = {"backend",    "iterations", "seconds", "tolerance",
                                     "optimality", "barrier",    "report",  NULL};
  brio_error err;
  if (lua_isnil(L, 3)) lua_newtable(L), lua_replace(L, 3);
  luaL_checktype(L, 3, LUA_TTABLE);
  brio_lua_only_keys(L, 3, keys, "trajectory options");
  *out = brio_trajectory_default_options();
  out->iterations = (int)brio_lua_field_number(L, 3, "iterations", 0, 1e6, out->iterations);
  out->seconds = brio_lua_field_number(L, 3, "seconds", 0, 1e9, out->seconds);
  out->tolerance = brio_lua_field_number(L, 3, "tolerance", 1e-12, 1, out->tolerance);
  out->optimality = brio_lua_field_number(L, 3, "optimality", 1e-12, 1e6, out->optimality);
  out->barrier = brio_lua_field_number(L, 3, "barrier", 1e-10, 1e3, out->barrier);
  const brio_trajectory_backend *backend =
      brio_trajectory_backend_find(brio_lua_field_text(L, 3, "backend", "structured"), &err);
  if (!backend) luaL_error(L, "%s", err.message);
  if (lua_getfield(L, 3, "report") != LUA_TNIL) luaL_checktype(L, -1, LUA_TFUNCTION);
  return backend;
}

/* trajectory:solve(motion [, options]) -> motion, outcome
** Improve a motion. Options: `backend` ("structured" or "ipopt"), `iterations` and `seconds` at most,
** `tolerance` of constraints and `optimality` (scaled), `barrier` at the start (0.1; less to go on from a
** motion that is nearly good), `report`: a function that gets {iteration, cost, violation, optimality,
** barrier, step, seconds} after each iteration and may return false to cancel. The outcome has the same
** fields, and `finish`: "solved", "feasible" (constraints hold, the cost no longer falls), "stalled",
** "time" or "cancelled"; the motion is the best that was found. */
static int solve(lua_State *L) {
  brio_trajectory *t = check(L);
  brio_trajectory_options options;
  brio_trajectory_outcome outcome;
  brio_error err;
  lua_settop(L, 3);
  const brio_trajectory_backend *backend = read_options(L, &options);
  listener own = {L, false};
  if (!lua_isnil(L, 4)) options.report = report, options.context = &own;
  brio_trajectory_motion m = read_motion(L, t);
  bool good = backend->solve(t, &options, &m, &outcome, &err);
  if (own.failed) return lua_error(L);
  if (!good) return brio_lua_failed(L, &err);
  push_motion(L, t, &m);
  push_progress(L, &outcome.last);
  brio_lua_set_text(L, "finish", brio_trajectory_finish_name(outcome.end));
  return 2;
}

/* trajectory:judge(motion) -> cost, faults
** The cost of a motion, and of each kind of constraint that it breaks the worst place, worst first: a list of
** {what = "dynamics", "limits" or a term's name, violation (scaled), node, row}. */
static int judge(lua_State *L) {
  enum { MOST = 32 };
  brio_trajectory *t = check(L);
  brio_trajectory_fault faults[MOST];
  brio_error err;
  double cost = 0;
  lua_settop(L, 2);
  brio_trajectory_motion m = read_motion(L, t);
  int count = brio_trajectory_judge(t, &m, &cost, faults, MOST, &err);
  if (count < 0) return brio_lua_failed(L, &err);
  lua_pushnumber(L, cost);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 4);
    brio_lua_set_text(L, "what", faults[i].what);
    brio_lua_set_number(L, "violation", faults[i].violation);
    brio_lua_set_integer(L, "node", faults[i].node + 1);
    brio_lua_set_integer(L, "row", faults[i].row + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

/* trajectory:forces(motion, node) -> acceleration, forces
** What follows at a node: the acceleration, and the forces of its phase's contacts in turn, then of loops: a
** list of numbers (N; of soles then N m), three or six of each, world axes. */
static int forces(lua_State *L) {
  brio_trajectory *t = check(L);
  brio_error err;
  lua_settop(L, 3);
  int k = (int)brio_lua_number(L, 3, 1, t->nnode, "node") - 1;
  brio_trajectory_motion m = read_motion(L, t);
  double *du = brio_lua_dynamics_scratch(L, t->robot->nv), *f = brio_lua_dynamics_scratch(L, t->nforce);
  if (!brio_trajectory_forces(t, &m, k, du, f, &err)) return brio_lua_failed(L, &err);
  brio_lua_dynamics_push_motion(L, t->robot, du);
  brio_lua_push_numbers(L, f, t->nforce);
  return 2;
}

/* Push a list of records {name, doc}: the first two members of each. */
static void push_records(lua_State *L, const void *const *records) {
  lua_newtable(L);
  for (int i = 0; records[i]; i++) {
    const char *const *texts = records[i];
    lua_createtable(L, 0, 2);
    brio_lua_set_text(L, "name", texts[0]);
    brio_lua_set_text(L, "doc", texts[1]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* trajectory.schemes() -> list
** The schemes of collocation: a list of {name, doc}. */
static int schemes(lua_State *L) {
  push_records(L, (const void *const *)brio_trajectory_schemes);
  return 1;
}

/* trajectory.backends() -> list
** The methods of `solve`: a list of {name, doc}. */
static int backends(lua_State *L) {
  push_records(L, (const void *const *)brio_trajectory_backends);
  return 1;
}

/* trajectory.terms() -> list
** The costs and constraints: a list of {name, doc, cost, example, params}; params: a list of {name, unit,
** doc, type, needed, default}. */
static int terms(lua_State *L) {
  static const char *const types[] = {"number",        "link",           "vector", "joints",
                                      "configuration", "configurations", "numbers"};
  push_records(L, (const void *const *)brio_trajectory_term_kinds);
  for (int i = 0; brio_trajectory_term_kinds[i]; i++, lua_pop(L, 1)) {
    const brio_trajectory_term_kind *kind = brio_trajectory_term_kinds[i];
    lua_rawgeti(L, -1, i + 1);
    lua_pushboolean(L, kind->cost);
    lua_setfield(L, -2, "cost");
    brio_lua_set_text(L, "example", kind->example);
    lua_newtable(L);
    for (int p = 0; kind->params[p].name; p++) {
      const brio_trajectory_param *param = &kind->params[p];
      lua_createtable(L, 0, 6);
      brio_lua_set_text(L, "name", param->name);
      brio_lua_set_text(L, "unit", param->unit);
      brio_lua_set_text(L, "doc", param->doc);
      brio_lua_set_text(L, "type", types[param->type]);
      lua_pushboolean(L, param->needed);
      lua_setfield(L, -2, "needed");
      if (param->type == BRIO_TRAJECTORY_NUMBER) brio_lua_set_number(L, "default", param->fallback);
      lua_rawseti(L, -2, p + 1);
    }
    lua_setfield(L, -2, "params");
  }
  return 1;
}

static const luaL_Reg methods[] = {
    {"guess", guess}, {"solve", solve}, {"judge", judge}, {"forces", forces}, {NULL, NULL}};

static const luaL_Reg functions[] = {
    {"new", new_trajectory}, {"schemes", schemes}, {"backends", backends}, {"terms", terms}, {NULL, NULL}};

int luaopen_brio_trajectory(lua_State *L) {
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
