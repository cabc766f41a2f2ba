/* Standing of `brio.dynamics`: torques that hold a robot on its feet. */
#include <math.h>
#include <string.h>

#include "dynamics/stance.h"
#include "lua/dynamics/lua_dynamics.h"
#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"

static const char *const CLASS = "brio.dynamics.stance";

/* User value 1 keeps the dynamics alive. */
static brio_stance *check(lua_State *L) {
  return luaL_checkudata(L, 1, CLASS);
}

/* __gc: free the memory. */
static int collect(lua_State *L) {
  brio_stance *self = check(L);
  if (self->work) brio_stance_end(self);
  return 0;
}

/* Read field `contacts` of the table at 2 into `list`; return how many. */
static int read_contacts(lua_State *L, const brio_robot *robot, brio_stance_contact *list) {
  static const char *const keys[] = {"link", "point", NULL};
  brio_error err;
  if (lua_getfield(L, 2, "contacts") != LUA_TTABLE) return luaL_error(L, "stance: contacts are missing");
  int count = (int)luaL_len(L, -1);
  if (count > BRIO_STANCE_CONTACTS) return luaL_error(L, "stance: at most %d contacts", BRIO_STANCE_CONTACTS);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    luaL_checktype(L, -1, LUA_TTABLE);
    brio_lua_only_keys(L, -1, keys, "a contact");
    list[i].link = brio_robot_link(robot, brio_lua_field_text(L, -1, "link", ""), &err);
    if (list[i].link < 0) return luaL_error(L, "stance: %s", err.message);
    lua_getfield(L, -1, "point");
    list[i].point = brio_lua_vec3(L, -1, "point");
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return count;
}

/* dynamics:stance{contacts =, [friction =, stiffness =, damping =, turn_stiffness =, ...]} -> stance
** Holds a robot with a free base on its feet. `contacts`: a list of {link =, point =} that stand on the
** ground (m, in the link; 32 at most). `friction` (0.6): what is relied on. `stiffness` (1/s^2; 40) and
** `damping` (1/s; 10) lead the centre of mass to where it belongs, `turn_stiffness` (60) and `turn_damping`
** (12) the base's rotation. */
int brio_lua_dynamics_stance(lua_State *L) {
  static const char *const keys[] = {"contacts", "friction",       "stiffness",
                                     "damping",  "turn_stiffness", "turn_damping", NULL};
  brio_lua_dynamics *dynamics = brio_lua_dynamics_check(L);
  lua_settop(L, 2);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "stance options");
  brio_stance_contact list[BRIO_STANCE_CONTACTS];
  brio_stance_options o = brio_stance_default_options();
  o.ncontact = read_contacts(L, dynamics->dynamics.robot, list);
  o.contacts = list;
  o.friction = brio_lua_field_number(L, 2, "friction", 0, 100, o.friction);
  o.stiffness = brio_lua_field_number(L, 2, "stiffness", 0, 1e6, o.stiffness);
  o.damping = brio_lua_field_number(L, 2, "damping", 0, 1e6, o.damping);
  o.turn_stiffness = brio_lua_field_number(L, 2, "turn_stiffness", 0, 1e6, o.turn_stiffness);
  o.turn_damping = brio_lua_field_number(L, 2, "turn_damping", 0, 1e6, o.turn_damping);
  brio_stance *self = lua_newuserdatauv(L, sizeof *self, 1);
  memset(self, 0, sizeof *self);
  luaL_setmetatable(L, CLASS);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 3, 1);
  brio_error err;
  if (brio_stance_start(self, &dynamics->dynamics, &o, &err)) return 1;
  brio_stance_end(self);
  *self = (brio_stance){0};
  return brio_lua_failed(L, &err);
}

/* Read the goal at `arg`, {com =, orientation =}. */
static brio_stance_goal read_goal(lua_State *L, int arg) {
  static const char *const keys[] = {"com", "orientation", NULL};
  brio_stance_goal goal;
  double q[4];
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "the goal of a stance");
  lua_getfield(L, arg, "com");
  goal.com = brio_lua_vec3(L, -1, "com");
  lua_getfield(L, arg, "orientation");
  brio_lua_numbers(L, -1, 4, q, "orientation");
  goal.orientation = brio_quat_unit((brio_quat){q[0], q[1], q[2], q[3]});
  lua_pop(L, 2);
  return goal;
}

/* stance:here(configuration) -> goal
** Where the robot stands in a configuration: {com =, orientation =}, with the centre of mass over the middle
** of its contacts at its present height (m, world), and the base as it is turned (x, y, z, w). */
static int here(lua_State *L) {
  lua_settop(L, 2);
  brio_stance *self = check(L);
  brio_stance_goal goal;
  brio_stance_here(self, brio_lua_robot_configuration(L, self->dynamics->robot, 2), &goal);
  const double q[] = {goal.orientation.x, goal.orientation.y, goal.orientation.z, goal.orientation.w};
  lua_createtable(L, 0, 2);
  brio_lua_set_vec3(L, "com", goal.com);
  brio_lua_push_numbers(L, q, 4);
  lua_setfield(L, -2, "orientation");
  return 1;
}

/* stance:torques(configuration, velocity, goal) -> torques, report
** The torques of the joints, {joint = N m or N}, that have the ground push the robot to where it belongs, by
** forces within the contacts' cones of friction; and how it stands: `com`, `velocity` (m, m/s), `capture`
** (the point where it would have to step to come to rest, m), `press` (the centre of pressure that is wanted,
** m), `force` (N on the ground) and `misfit` (0 to 1: what of the wanted push no such forces give). */
static int torques(lua_State *L) {
  lua_settop(L, 4);
  brio_stance *self = check(L);
  const brio_robot *robot = self->dynamics->robot;
  double *q = brio_lua_robot_configuration(L, robot, 2);
  double *u = brio_lua_dynamics_motion(L, robot, 3, "velocity");
  double *tau = brio_lua_dynamics_scratch(L, robot->nvariable);
  brio_stance_goal goal = read_goal(L, 4);
  brio_stance_report report;
  brio_error err;
  if (!brio_stance_torques(self, q, u, &goal, tau, &report, &err)) return brio_lua_failed(L, &err);
  lua_createtable(L, 0, robot->nvariable);
  for (int i = 0; i < robot->nvariable; i++) brio_lua_set_number(L, robot->variables[i].name, tau[i]);
  lua_createtable(L, 0, 6);
  brio_lua_set_vec3(L, "com", report.com);
  brio_lua_set_vec3(L, "velocity", report.velocity);
  brio_lua_set_vec3(L, "capture", report.capture);
  brio_lua_set_vec3(L, "press", report.press);
  brio_lua_set_number(L, "force", report.force);
  brio_lua_set_number(L, "misfit", report.misfit);
  return 2;
}

static const luaL_Reg methods[] = {{"here", here}, {"torques", torques}, {NULL, NULL}};

void brio_lua_dynamics_stance_class(lua_State *L) {
  brio_lua_class(L, CLASS, methods, collect);
}
