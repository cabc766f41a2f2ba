/* The momentum observer of `brio.dynamics`: external forces and collisions. */
#include <math.h>
#include <string.h>

#include "dynamics/observer/observer.h"
#include "lua/dynamics/lua_dynamics.h"
#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"

static const char *const CLASS = "brio.dynamics.observer";

/* User value 1 keeps the dynamics alive. */
static brio_observer *check(lua_State *L) {
  return luaL_checkudata(L, 1, CLASS);
}

/* __gc: free the memory. */
static int collect(lua_State *L) {
  brio_observer *self = check(L);
  if (self->work) brio_observer_end(self);
  return 0;
}

/* Read field `thresholds` of the table at 2: a number for all variables, or {variable = number}; NULL: it is
** absent. Variables that are not named are not watched. */
static const double *read_thresholds(lua_State *L, const brio_robot *robot) {
  double *out = NULL;
  if (lua_getfield(L, 2, "thresholds") != LUA_TNIL) {
    bool all = lua_type(L, -1) == LUA_TNUMBER;
    double value = all ? brio_lua_number(L, -1, 0, HUGE_VAL, "thresholds") : HUGE_VAL;
    out = brio_lua_dynamics_scratch(L, robot->nvariable);
    lua_insert(L, -2);
    /* The memory stays below the field's value. */
    for (int i = 0; i < robot->nvariable; i++) out[i] = value;
    if (!all) brio_lua_dynamics_variables(L, robot, "thresholds", 0, out);
  }
  lua_pop(L, 1);
  return out;
}

/* Read the table of options at 2. */
static brio_observer_options read_options(lua_State *L, const brio_robot *robot) {
  static const char *const keys[] = {"gain",   "held", "max_gap", "thresholds",
                                     "filter", "time", "release", NULL};
  brio_observer_options options = brio_observer_default_options();
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "observer options");
  options.gain = brio_lua_field_number(L, 2, "gain", 0, 1e6, options.gain);
  options.held = brio_lua_field_flag(L, 2, "held", options.held);
  options.max_gap = brio_lua_field_number(L, 2, "max_gap", 0, 1e6, options.max_gap);
  options.filter = brio_lua_field_number(L, 2, "filter", 0, 1e6, options.filter);
  options.time = brio_lua_field_number(L, 2, "time", 0, 1e6, options.time);
  options.release = brio_lua_field_number(L, 2, "release", 0, 1, options.release);
  options.thresholds = read_thresholds(L, robot);
  return options;
}

/* dynamics:observer([{gain, held, max_gap, thresholds, filter, time, release}]) -> observer
** A momentum observer (De Luca and Mattone): external forces from torques and motion, without force sensors
** and accelerations. `gain` (1/s; 25): the residual is a low-pass of the external forces with the time
** constant 1 / gain. `held`: the forces of an update have acted since the one before, as held commands do;
** else they are those of the moment, as a sensor gives them. `max_gap` (s; 0.1): after a longer time without
** an update the observer begins again. `thresholds` (N m, or N for a slide): a number for all variables, or
** {variable = number}; others are not watched. `filter` (s; 0): time constant of a low-pass before the
** comparison with thresholds; `time` (s; 0): how long a threshold must be exceeded for a collision; `release`
** (0.7): below this share of the threshold the collision ends. */
int brio_lua_dynamics_observer(lua_State *L) {
  brio_lua_dynamics *dynamics = brio_lua_dynamics_check(L);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  brio_observer *self = lua_newuserdatauv(L, sizeof *self, 1);
  memset(self, 0, sizeof *self);
  luaL_setmetatable(L, CLASS);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 3, 1);
  brio_observer_options options = read_options(L, dynamics->dynamics.robot);
  brio_error err;
  if (!brio_observer_start(self, &dynamics->dynamics, &options, &err)) return brio_lua_failed(L, &err);
  lua_pushvalue(L, 3);
  return 1;
}

/* observer:update(configuration, velocity, forces, dt) -> forces
** Takes in what was measured `dt` seconds after the update before (of any length; in the first one it does
** not count), and returns the residual: the estimated external forces. `forces` are all that are known:
** motors and, where they matter, `passive` and friction; on a free base also what feet carry, else the
** residual's force and moment have it. Raises where a number is not finite or `dt` is not above 0; nothing
** has changed then. */
static int update(lua_State *L) {
  lua_settop(L, 5);
  brio_observer *self = check(L);
  const brio_robot *robot = self->dynamics->robot;
  double *q = brio_lua_robot_configuration(L, robot, 2);
  double *u = brio_lua_dynamics_motion(L, robot, 3, "velocity");
  double *tau = brio_lua_dynamics_forces(L, robot, 4);
  double dt = brio_lua_number(L, 5, 0, 1e9, "dt");
  brio_error err;
  if (!brio_observer_update(self, q, u, tau, dt, &err)) return brio_lua_failed(L, &err);
  brio_lua_dynamics_push_forces(L, robot, self->residual);
  return 1;
}

/* Push one collision. */
static void push_collision(lua_State *L, const brio_robot *robot, const brio_observer_collision *one) {
  lua_createtable(L, 0, 6);
  brio_lua_set_text(L, "joint", robot->variables[one->variable].name);
  brio_lua_set_number(L, "torque", one->torque);
  brio_lua_set_number(L, "threshold", one->threshold);
  brio_lua_set_number(L, "since", one->since);
  brio_lua_set_text(L, "link", robot->links[one->link].name);
  lua_pushboolean(L, one->outermost);
  lua_setfield(L, -2, "outermost");
}

/* observer:collisions() -> list
** The variables above their thresholds now: `joint`, `torque` (N m, or N: filtered, what the outside does),
** `threshold`, `since` (s: for how long it has been reported), `link` (what the joint carries: the force acts
** there or farther out) and `outermost` (no joint farther out on the same branch is in the list). */
static int collisions(lua_State *L) {
  brio_observer *self = check(L);
  const brio_robot *robot = self->dynamics->robot;
  size_t size = ((size_t)robot->nvariable + 1) * sizeof(brio_observer_collision);
  brio_observer_collision *list = lua_newuserdatauv(L, size, 0);
  int count = brio_observer_collisions(self, list);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    push_collision(L, robot, &list[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* observer:wrench(link [, point [, force_only]]) -> table
** What acts at a point of a link (in its frame, m; its origin) if nothing acts elsewhere, by least squares:
** `force` (N) and `moment` (N m), world axes; `rank`: how many of its directions the joints can feel, in the
** others it is 0; `misfit` (N m): what of the residual it does not explain. With `force_only` true it has no
** moment, as where something is touched. */
static int wrench(lua_State *L) {
  lua_settop(L, 4);
  brio_observer *self = check(L);
  brio_error err;
  int link = brio_robot_link(self->dynamics->robot, luaL_checkstring(L, 2), &err);
  if (link < 0) return brio_lua_failed(L, &err);
  brio_vec3 point = lua_isnil(L, 3) ? (brio_vec3){0, 0, 0} : brio_lua_vec3(L, 3, "point");
  brio_observer_wrench out;
  if (!brio_observer_wrench_at(self, link, point, lua_toboolean(L, 4) ? 3 : 6, &out, &err))
    return brio_lua_failed(L, &err);
  lua_createtable(L, 0, 4);
  brio_lua_set_vec3(L, "force", (brio_vec3){out.wrench[0], out.wrench[1], out.wrench[2]});
  brio_lua_set_vec3(L, "moment", (brio_vec3){out.wrench[3], out.wrench[4], out.wrench[5]});
  brio_lua_set_integer(L, "rank", out.rank);
  brio_lua_set_number(L, "misfit", out.misfit);
  return 1;
}

/* observer:noise(configuration, velocity, forces, dt) -> forces
** The standard deviation of the residual that white noise of measurements makes at rest with steps of `dt`
** (s): `velocity` and `forces` are standard deviations of what is measured. Six times that, and more than the
** error of the model, is a threshold that noise does not exceed. */
static int noise(lua_State *L) {
  lua_settop(L, 5);
  brio_observer *self = check(L);
  const brio_robot *robot = self->dynamics->robot;
  double *q = brio_lua_robot_configuration(L, robot, 2);
  double *u = brio_lua_dynamics_motion(L, robot, 3, "velocity");
  double *tau = brio_lua_dynamics_forces(L, robot, 4), *out = brio_lua_dynamics_scratch(L, robot->nv);
  double dt = brio_lua_number(L, 5, 1e-9, 1e9, "dt");
  brio_observer_noise(self, q, u, tau, dt, out);
  brio_lua_dynamics_push_forces(L, robot, out);
  return 1;
}

/* observer:reset()
** Forgets everything: the residual is 0, and the next update begins again. */
static int reset(lua_State *L) {
  brio_observer_reset(check(L));
  return 0;
}

/* observer:gaps() -> count
** How many gaps there were: times longer than `max_gap` without an update. */
static int gaps(lua_State *L) {
  lua_pushinteger(L, check(L)->gaps);
  return 1;
}

static const luaL_Reg methods[] = {{"update", update}, {"collisions", collisions}, {"wrench", wrench},
                                   {"noise", noise},   {"reset", reset},           {"gaps", gaps},
                                   {NULL, NULL}};

void brio_lua_dynamics_observer_class(lua_State *L) {
  brio_lua_class(L, CLASS, methods, collect);
}
