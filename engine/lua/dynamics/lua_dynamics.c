/* The Lua module `brio.dynamics`: forces and accelerations of a robot.
**
** A configuration is that of `brio.robot`. A velocity or acceleration is {linear = {x, y, z}, angular =
** {x, y, z}, joints = {[variable] = number}}: of the root link (at its origin, world axes; m/s and rad/s,
** m/s^2 and rad/s^2) and of the variables; missing ones are 0. Forces are {force = {x, y, z}, moment = {x,
** y, z}, joints = {[variable] = number}}: on the root link (at its origin, world axes; N, N m) and of the
** variables (N m, or N for a slide). Matrices are lists of rows; columns are those of robot:jacobian: the
** base (3 linear, 3 angular), then each variable. A fixed base does not move: its rows and columns are 0,
** and its force and moment are what the ground gives. Mimic joints move with their sources. */
#include "lua/dynamics/lua_dynamics.h"

#include <string.h>

#include "dynamics/derivative.h"
#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"

static const char *const CLASS = "brio.dynamics";

/* User value 1 keeps the robot alive. */
static brio_lua_dynamics *check(lua_State *L) {
  return luaL_checkudata(L, 1, CLASS);
}

brio_lua_dynamics *brio_lua_dynamics_check(lua_State *L) {
  return check(L);
}

/* __gc: free the workspaces. */
static int collect(lua_State *L) {
  brio_lua_dynamics *self = check(L);
  if (self->held) brio_dynamics_constraints_end(&self->constraints);
  if (self->dynamics.work) brio_dynamics_end(&self->dynamics);
  memset(self, 0, sizeof *self);
  return 0;
}

/* Return `count` numbers, 0, that are valid until the call ends. */
double *brio_lua_dynamics_scratch(lua_State *L, int count) {
  double *numbers = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *numbers, 0);
  memset(numbers, 0, ((size_t)count + 1) * sizeof *numbers);
  return numbers;
}

void brio_lua_dynamics_variables(lua_State *L, const brio_robot *robot, const char *what, double lower,
                                 double *out) {
  brio_error err;
  int index = lua_gettop(L);
  if (!lua_istable(L, index)) luaL_error(L, "%s must be a table {variable = number, ...}", what);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 2)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "%s: variables are given by name", what);
    const char *key = lua_tostring(L, -2);
    int variable = brio_robot_variable(robot, key, &err);
    if (variable < 0) luaL_error(L, "%s: %s", what, err.message);
    const char *full = lua_pushfstring(L, "%s: %s", what, key);
    out[variable] = brio_lua_number(L, -2, lower, HUGE_VAL, full);
  }
}

/* Read the parts of a tangent vector at argument `arg` whose first two fields have these names. */
static double *read_tangent(lua_State *L, const brio_robot *robot, int arg, const char *what,
                            const char *linear, const char *angular) {
  const char *const keys[] = {linear, angular, "joints", NULL};
  double *out = brio_lua_dynamics_scratch(L, robot->nv);
  if (lua_isnoneornil(L, arg)) return out;
  if (!lua_istable(L, arg) || lua_rawlen(L, arg) > 0)
    luaL_error(L, "%s must be a table {%s, %s, joints}, not %s", what, linear, angular,
               lua_istable(L, arg) ? "a list" : luaL_typename(L, arg));
  brio_lua_only_keys(L, arg, keys, what);
  for (int k = 0; k < 2; k++) {
    brio_vec3 v = {0, 0, 0};
    if (lua_getfield(L, arg, keys[k]) != LUA_TNIL) v = brio_lua_vec3(L, -1, keys[k]);
    out[3 * k] = v.x, out[3 * k + 1] = v.y, out[3 * k + 2] = v.z;
    lua_pop(L, 1);
  }
  if (lua_getfield(L, arg, "joints") != LUA_TNIL)
    brio_lua_dynamics_variables(L, robot, what, -HUGE_VAL, out + BRIO_BASE_NV);
  lua_pop(L, 1);
  return out;
}

double *brio_lua_dynamics_motion(lua_State *L, const brio_robot *robot, int arg, const char *what) {
  return read_tangent(L, robot, arg, what, "linear", "angular");
}

double *brio_lua_dynamics_forces(lua_State *L, const brio_robot *robot, int arg) {
  return read_tangent(L, robot, arg, "forces", "force", "moment");
}

/* Push a tangent vector as a table. */
static void push_tangent(lua_State *L, const brio_robot *robot, const double *v, const char *linear,
                         const char *angular) {
  lua_createtable(L, 0, 3);
  brio_lua_set_vec3(L, linear, (brio_vec3){v[0], v[1], v[2]});
  brio_lua_set_vec3(L, angular, (brio_vec3){v[3], v[4], v[5]});
  lua_createtable(L, 0, robot->nvariable);
  for (int i = 0; i < robot->nvariable; i++)
    brio_lua_set_number(L, robot->variables[i].name, v[BRIO_BASE_NV + i]);
  lua_setfield(L, -2, "joints");
}

void brio_lua_dynamics_push_motion(lua_State *L, const brio_robot *robot, const double *v) {
  push_tangent(L, robot, v, "linear", "angular");
}

void brio_lua_dynamics_push_forces(lua_State *L, const brio_robot *robot, const double *v) {
  push_tangent(L, robot, v, "force", "moment");
}

/* Push `rows` rows of a matrix with nv columns. */
static void push_matrix(lua_State *L, const double *matrix, int rows, int nv) {
  lua_createtable(L, rows, 0);
  for (int i = 0; i < rows; i++) {
    brio_lua_push_numbers(L, matrix + i * nv, nv);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Set a field of the table on top to a matrix. */
static void set_matrix(lua_State *L, const char *key, const double *matrix, int rows, int nv) {
  push_matrix(L, matrix, rows, nv);
  lua_setfield(L, -2, key);
}

/* Read what the table of options at 2 says of each variable in field `key`, "file" by `of_file`; NULL:
** nothing. */
static double *read_option(lua_State *L, const brio_robot *robot, const char *key,
                           void (*of_file)(const brio_robot *robot, double *out)) {
  double *out = NULL;
  int type = lua_getfield(L, 2, key);
  if (type != LUA_TNIL) {
    out = brio_lua_dynamics_scratch(L, robot->nvariable);
    lua_insert(L, -2);
    /* The memory stays below the field's value. */
    if (type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "file") == 0)
      of_file(robot, out);
    else
      brio_lua_dynamics_variables(L, robot, key, 0, out);
  }
  lua_pop(L, 1);
  return out;
}

/* dynamics.new(robot [, {armature, damping, gravity}]) -> dynamics
** A workspace for a robot of `brio.robot`. `armature`: inertia of rotors, {variable = kg m^2, or kg}; without
** it, what the robot's file has; `damping`: {variable = N m s/rad, or N s/m}, or "file" for what the robot's
** file has; without it, none; `gravity`: {x, y, z}, m/s^2 (0, 0, -9.81). Variables that a table leaves out
** have 0. */
static int new_dynamics(lua_State *L) {
  static const char *const keys[] = {"armature", "damping", "gravity", NULL};
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_settop(L, 2);
  brio_lua_dynamics *self = lua_newuserdatauv(L, sizeof *self, 1);
  memset(self, 0, sizeof *self);
  luaL_setmetatable(L, CLASS);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  brio_dynamics_options options = {0};
  brio_vec3 gravity = {0, 0, -9.81};
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    brio_lua_only_keys(L, 2, keys, "dynamics options");
    options.armature = read_option(L, robot, "armature", brio_dynamics_file_armature);
    options.damping = read_option(L, robot, "damping", brio_dynamics_file_damping);
    if (lua_getfield(L, 2, "gravity") != LUA_TNIL) gravity = brio_lua_vec3(L, -1, "gravity");
  }
  brio_error err;
  if (!brio_dynamics_start(&self->dynamics, robot, &options, &err)) return brio_lua_failed(L, &err);
  self->dynamics.gravity = gravity;
  lua_pushvalue(L, 3);
  return 1;
}

/* Arguments that most methods share: a configuration at 2, a velocity at 3. */
typedef struct state {
  brio_lua_dynamics *self;
  brio_dynamics *dynamics;
  const brio_robot *robot;
  double *q, *u;
} state;

/* Read them, of up to `most` arguments; values pushed below are not arguments. */
static state read_state(lua_State *L, int most) {
  lua_settop(L, most);
  brio_lua_dynamics *self = check(L);
  const brio_robot *robot = self->dynamics.robot;
  state s = {self, &self->dynamics, robot, NULL, NULL};
  s.q = brio_lua_robot_configuration(L, robot, 2);
  s.u = most < 3 ? NULL : brio_lua_dynamics_motion(L, robot, 3, "velocity");
  return s;
}

/* dynamics:inverse(configuration [, velocity [, acceleration]]) -> forces
** Inverse dynamics: the forces that make the robot accelerate so. Without acceleration: what velocity and
** gravity ask for; without velocity, too: the torques that hold the robot up. */
static int inverse(lua_State *L) {
  state s = read_state(L, 4);
  double *du = brio_lua_dynamics_motion(L, s.robot, 4, "acceleration");
  double *tau = brio_lua_dynamics_scratch(L, s.robot->nv);
  brio_dynamics_inverse(s.dynamics, s.q, s.u, du, tau);
  brio_lua_dynamics_push_forces(L, s.robot, tau);
  return 1;
}

/* dynamics:forward(configuration [, velocity [, forces]]) -> acceleration
** Forward dynamics: how the robot accelerates under these forces and gravity. Raises where a variable
** moves no mass. */
static int forward(lua_State *L) {
  state s = read_state(L, 4);
  double *tau = brio_lua_dynamics_forces(L, s.robot, 4);
  double *du = brio_lua_dynamics_scratch(L, s.robot->nv);
  brio_error err;
  if (!brio_dynamics_forward(s.dynamics, s.q, s.u, tau, du, &err)) return brio_lua_failed(L, &err);
  brio_lua_dynamics_push_motion(L, s.robot, du);
  return 1;
}

/* dynamics:passive(configuration [, velocity]) -> forces
** The forces of springs and dampers in the robot's file: add them to those of `forward` and `constrained`.
** Dampers are left out where `new` got `damping`: they are counted there. */
static int passive(lua_State *L) {
  state s = read_state(L, 3);
  double *tau = brio_lua_dynamics_scratch(L, s.robot->nv);
  brio_dynamics_passive(s.dynamics, s.q, s.u, tau);
  brio_lua_dynamics_push_forces(L, s.robot, tau);
  return 1;
}

/* dynamics:mass_matrix(configuration) -> list of rows
** The mass matrix: kg, kg m and kg m^2. */
static int mass_matrix(lua_State *L) {
  state s = read_state(L, 2);
  push_matrix(L, brio_dynamics_mass(s.dynamics, s.q), s.robot->nv, s.robot->nv);
  return 1;
}

/* dynamics:momentum(configuration [, velocity]) -> table
** `mass` (kg), `com` (center of mass, m), `com_velocity` (m/s), `linear` (kg m/s) and `angular` (about the
** center of mass, kg m^2/s) momentum, `force` (N) and `moment` (N m): their rates without acceleration and
** gravity; `matrix`: 6 rows, momentum = matrix x velocity; its first three rows divided by `mass` are the
** Jacobian of the center of mass. World axes. */
static int momentum(lua_State *L) {
  state s = read_state(L, 3);
  double *matrix = brio_lua_dynamics_scratch(L, 6 * s.robot->nv);
  brio_momentum m = brio_dynamics_momentum(s.dynamics, s.q, s.u, matrix);
  lua_createtable(L, 0, 8);
  brio_lua_set_number(L, "mass", m.mass);
  brio_lua_set_vec3(L, "com", m.com);
  brio_lua_set_vec3(L, "com_velocity", brio_vec3_scale(m.mass > 0 ? 1 / m.mass : 0, m.linear));
  brio_lua_set_vec3(L, "linear", m.linear);
  brio_lua_set_vec3(L, "angular", m.angular);
  brio_lua_set_vec3(L, "force", m.force);
  brio_lua_set_vec3(L, "moment", m.moment);
  set_matrix(L, "matrix", matrix, 6, s.robot->nv);
  return 1;
}

/* dynamics:energy(configuration [, velocity]) -> kinetic, potential
** Energies, J; the potential one is 0 with the center of mass in the world's origin. */
static int energy(lua_State *L) {
  state s = read_state(L, 3);
  lua_pushnumber(L, brio_dynamics_kinetic_energy(s.dynamics, s.q, s.u));
  lua_pushnumber(L, brio_dynamics_potential_energy(s.dynamics, s.q));
  return 2;
}

/* Set two vectors of six numbers. */
static void set_six(lua_State *L, const char *linear, const char *angular, const double six[6]) {
  brio_lua_set_vec3(L, linear, (brio_vec3){six[0], six[1], six[2]});
  brio_lua_set_vec3(L, angular, (brio_vec3){six[3], six[4], six[5]});
}

/* dynamics:point(configuration, velocity, link [, point]) -> table
** A point of a link (in its frame, m; its origin): `position` (m), `linear` and `angular` velocity (m/s,
** rad/s), `linear_drift` and `angular_drift` (m/s^2, rad/s^2: their rates where nothing accelerates),
** `jacobian` and `rate`, its time derivative: 6 rows each. World axes. */
static int point(lua_State *L) {
  state s = read_state(L, 5);
  brio_error err;
  int nv = s.robot->nv, link = brio_robot_link(s.robot, luaL_checkstring(L, 4), &err);
  if (link < 0) return brio_lua_failed(L, &err);
  brio_vec3 at = lua_isnoneornil(L, 5) ? (brio_vec3){0, 0, 0} : brio_lua_vec3(L, 5, "point");
  double *jacobian = brio_lua_dynamics_scratch(L, 6 * nv), *rate = brio_lua_dynamics_scratch(L, 6 * nv);
  brio_point_motion m = brio_dynamics_point(s.dynamics, s.q, s.u, link, at, jacobian, rate);
  lua_createtable(L, 0, 7);
  brio_lua_set_vec3(L, "position", m.at);
  set_six(L, "linear", "angular", m.velocity);
  set_six(L, "linear_drift", "angular_drift", m.drift);
  set_matrix(L, "jacobian", jacobian, 6, nv);
  set_matrix(L, "rate", rate, 6, nv);
  return 1;
}

/* dynamics:inverse_derivatives(configuration [, velocity [, acceleration]]) -> table
** How the forces of `inverse` change: `by_configuration` and `by_velocity`, a row for each force. The
** columns of a configuration are displacements as in velocities: the base along and about world axes, then
** each variable. By acceleration it is the mass matrix. */
static int inverse_derivatives(lua_State *L) {
  state s = read_state(L, 4);
  int nv = s.robot->nv;
  double *du = brio_lua_dynamics_motion(L, s.robot, 4, "acceleration");
  double *by_q = brio_lua_dynamics_scratch(L, nv * nv), *by_u = brio_lua_dynamics_scratch(L, nv * nv);
  brio_dynamics_inverse_derivatives(s.dynamics, s.q, s.u, du, by_q, by_u);
  lua_createtable(L, 0, 2);
  set_matrix(L, "by_configuration", by_q, nv, nv);
  set_matrix(L, "by_velocity", by_u, nv, nv);
  return 1;
}

/* dynamics:forward_derivatives(configuration [, velocity [, forces]]) -> table
** `acceleration` as of `forward`, and how it changes: `by_configuration`, `by_velocity`, `by_forces`, a
** row for each acceleration. */
static int forward_derivatives(lua_State *L) {
  state s = read_state(L, 4);
  int nv = s.robot->nv;
  double *tau = brio_lua_dynamics_forces(L, s.robot, 4), *du = brio_lua_dynamics_scratch(L, nv);
  double *by_q = brio_lua_dynamics_scratch(L, nv * nv), *by_u = brio_lua_dynamics_scratch(L, nv * nv);
  double *by_tau = brio_lua_dynamics_scratch(L, nv * nv);
  brio_error err;
  if (!brio_dynamics_forward_derivatives(s.dynamics, s.q, s.u, tau, du, by_q, by_u, by_tau, &err))
    return brio_lua_failed(L, &err);
  lua_createtable(L, 0, 4);
  brio_lua_dynamics_push_motion(L, s.robot, du);
  lua_setfield(L, -2, "acceleration");
  set_matrix(L, "by_configuration", by_q, nv, nv);
  set_matrix(L, "by_velocity", by_u, nv, nv);
  set_matrix(L, "by_forces", by_tau, nv, nv);
  return 1;
}

static const luaL_Reg methods[] = {{"inverse", inverse},
                                   {"forward", forward},
                                   {"passive", passive},
                                   {"mass_matrix", mass_matrix},
                                   {"momentum", momentum},
                                   {"energy", energy},
                                   {"point", point},
                                   {"inverse_derivatives", inverse_derivatives},
                                   {"forward_derivatives", forward_derivatives},
                                   {"constrained", brio_lua_dynamics_constrained},
                                   {"impact", brio_lua_dynamics_impact},
                                   {"observer", brio_lua_dynamics_observer},
                                   {"stance", brio_lua_dynamics_stance},
                                   {NULL, NULL}};

static const luaL_Reg functions[] = {{"new", new_dynamics}, {NULL, NULL}};

int luaopen_brio_dynamics(lua_State *L) {
  brio_lua_class(L, CLASS, methods, collect);
  brio_lua_dynamics_observer_class(L);
  brio_lua_dynamics_stance_class(L);
  luaL_newlib(L, functions);
  return 1;
}
