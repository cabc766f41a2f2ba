/* The methods of `brio.dynamics` about constraints: contacts and closed loops. */
#include <string.h>

#include "lua/dynamics/lua_dynamics.h"
#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"

enum { MOST = 200 }; /* constraints */

/* Read a pose in a field of the table at `index`; absent: the identity. */
static brio_pose read_pose(lua_State *L, int index, const char *key) {
  brio_pose pose = BRIO_POSE_IDENTITY;
  if (lua_getfield(L, index, key) != LUA_TNIL) pose = brio_lua_pose(L, -1, key);
  lua_pop(L, 1);
  return pose;
}

/* Read the name of a link; absent: -1. */
static int read_link(lua_State *L, const brio_robot *robot, int index, const char *key) {
  brio_error err;
  const char *name = brio_lua_field_text(L, index, key, NULL);
  int link = name ? brio_robot_link(robot, name, &err) : -1;
  if (name && link < 0) luaL_error(L, "constraint: %s", err.message);
  return link;
}

/* Read one constraint at the top of the stack. */
static brio_dynamics_constraint read_one(lua_State *L, const brio_robot *robot) {
  static const char *const keys[] = {"link", "frame", "to", "at", "rigid", "stiffness", "damping", NULL};
  int index = lua_gettop(L);
  luaL_checktype(L, index, LUA_TTABLE);
  brio_lua_only_keys(L, index, keys, "a constraint");
  brio_dynamics_constraint one = {.link = read_link(L, robot, index, "link"),
                                  .other = read_link(L, robot, index, "to")};
  if (one.link < 0) luaL_error(L, "a constraint needs a link: {link = name, ...}");
  one.on_link = read_pose(L, index, "frame");
  one.on_other = read_pose(L, index, "at");
  one.rigid = brio_lua_field_flag(L, index, "rigid", false);
  one.stiffness = brio_lua_field_number(L, index, "stiffness", 0, 1e9, 0);
  one.damping = brio_lua_field_number(L, index, "damping", 0, 1e9, 0);
  return one;
}

/* Read field `loops` of the list at `arg`: true, or {stiffness, damping}. Return how many loops are to be
** held, written to `list` unless that is NULL. */
static int read_loops(lua_State *L, const brio_robot *robot, int arg, brio_dynamics_constraint *list) {
  static const char *const keys[] = {"stiffness", "damping", NULL};
  double stiffness = 0, damping = 0;
  int type = lua_getfield(L, arg, "loops"), count = 0;
  if (type == LUA_TTABLE) {
    brio_lua_only_keys(L, -1, keys, "loops");
    stiffness = brio_lua_field_number(L, -1, "stiffness", 0, 1e9, 0);
    damping = brio_lua_field_number(L, -1, "damping", 0, 1e9, 0);
  } else if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    luaL_error(L, "loops must be true or {stiffness, damping}, not %s", luaL_typename(L, -1));
  if (lua_toboolean(L, -1)) {
    count = robot->nloop;
    if (list) brio_dynamics_loops(robot, stiffness, damping, list);
  }
  lua_pop(L, 1);
  return count;
}

/* Make room for the rows of constraints. */
static void make_room(lua_State *L, brio_lua_dynamics *self, int rows) {
  if (self->held && self->constraints.nmax >= rows) return;
  if (self->held) brio_dynamics_constraints_end(&self->constraints);
  brio_error err;
  self->held = brio_dynamics_constraints_start(&self->constraints, &self->dynamics, rows + 1, &err);
  if (!self->held) luaL_error(L, "%s", err.message);
}

/* Read the list at argument `arg` into a userdata that is pushed, loops behind it; write the number of
** constraints, and make room for their rows. */
static brio_dynamics_constraint *read_list(lua_State *L, brio_lua_dynamics *self, int arg, int *count,
                                           int *rows) {
  static const char *const keys[] = {"loops", NULL};
  const brio_robot *robot = self->dynamics.robot;
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "a list of constraints");
  lua_Unsigned length = lua_rawlen(L, arg);
  int nloop = read_loops(L, robot, arg, NULL);
  if (length + (lua_Unsigned)nloop > MOST)
    luaL_error(L, "at most %d constraints, not %d", (int)MOST, (int)length + nloop);
  *count = (int)length + nloop;
  brio_dynamics_constraint *list = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *list, 0);
  for (int i = 0; i < (int)length; i++) {
    lua_rawgeti(L, arg, i + 1);
    list[i] = read_one(L, robot);
    lua_pop(L, 1);
  }
  read_loops(L, robot, arg, list + length);
  *rows = 0;
  for (int i = 0; i < *count; i++) *rows += list[i].rigid ? 6 : 3;
  make_room(L, self, *rows);
  return list;
}

/* Push a list {force, moment} for each constraint, then {rows, iterations, residual}. */
static int push_forces(lua_State *L, const brio_lua_dynamics *self, const brio_dynamics_constraint *list,
                       int count, const double *forces) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 2);
    brio_lua_set_vec3(L, "force", (brio_vec3){forces[0], forces[1], forces[2]});
    if (list[i].rigid) brio_lua_set_vec3(L, "moment", (brio_vec3){forces[3], forces[4], forces[5]});
    forces += list[i].rigid ? 6 : 3;
    lua_rawseti(L, -2, i + 1);
  }
  lua_createtable(L, 0, 3);
  brio_lua_set_integer(L, "rows", self->constraints.nrow);
  brio_lua_set_integer(L, "iterations", self->constraints.iterations);
  brio_lua_set_number(L, "residual", self->constraints.residual);
  return 3;
}

/* dynamics:constrained(configuration, velocity, forces, constraints) -> acceleration, list, table
** Forward dynamics of a robot that is held. A constraint is {link, frame, to, at, rigid, stiffness,
** damping}: `frame` (pose in `link`; its origin) is held where `at` is, a pose in link `to`, or in the
** world without `to`; with `rigid` its orientation, too. `stiffness` (1/s^2; 0) and `damping` (1/s; 0)
** pull a gap to 0. The list may have a field `loops`: true, or {stiffness, damping}; what closes loops in
** the robot's file is then held, too, after the others. Returns the acceleration; `force` (N) and, if
** rigid, `moment` (N m) on each constraint's link at its frame, world axes; and `rows`, `iterations` and
** `residual` (m/s^2 or rad/s^2: above 1e-6 the constraints contradict each other). Constraints may repeat
** each other: the least forces are found. */
int brio_lua_dynamics_constrained(lua_State *L) {
  lua_settop(L, 5);
  brio_lua_dynamics *self = brio_lua_dynamics_check(L);
  const brio_robot *robot = self->dynamics.robot;
  double *q = brio_lua_robot_configuration(L, robot, 2);
  double *u = brio_lua_dynamics_motion(L, robot, 3, "velocity");
  double *tau = brio_lua_dynamics_forces(L, robot, 4), *du = brio_lua_dynamics_scratch(L, robot->nv);
  int count, rows;
  brio_dynamics_constraint *list = read_list(L, self, 5, &count, &rows);
  double *forces = brio_lua_dynamics_scratch(L, rows);
  brio_error err;
  if (!brio_dynamics_constrained(&self->dynamics, &self->constraints, list, count, q, u, tau, du, forces,
                                 &err))
    return brio_lua_failed(L, &err);
  brio_lua_dynamics_push_motion(L, robot, du);
  return push_forces(L, self, list, count, forces);
}

/* dynamics:impact(configuration, velocity, constraints) -> velocity, list, table
** The velocity just after constraints begin to hold at once, as when a foot strikes the ground and stays; the
** impulses (`force` N s, `moment` N m s) of each, and a table as of `constrained` (m/s, rad/s). */
int brio_lua_dynamics_impact(lua_State *L) {
  lua_settop(L, 4);
  brio_lua_dynamics *self = brio_lua_dynamics_check(L);
  const brio_robot *robot = self->dynamics.robot;
  double *q = brio_lua_robot_configuration(L, robot, 2);
  double *u = brio_lua_dynamics_motion(L, robot, 3, "velocity");
  double *after = brio_lua_dynamics_scratch(L, robot->nv);
  int count, rows;
  brio_dynamics_constraint *list = read_list(L, self, 4, &count, &rows);
  double *impulses = brio_lua_dynamics_scratch(L, rows);
  brio_error err;
  if (!brio_dynamics_impact(&self->dynamics, &self->constraints, list, count, q, u, after, impulses, &err))
    return brio_lua_failed(L, &err);
  brio_lua_dynamics_push_motion(L, robot, after);
  return push_forces(L, self, list, count, impulses);
}
