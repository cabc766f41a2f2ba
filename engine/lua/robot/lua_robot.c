/* The Lua module `brio.robot`: robot models and their kinematics.
**
** A configuration is a table {base = pose, joints = {[variable] = number, ...}}; missing values are those of
** the neutral configuration.  Positions are m, angles rad. */
#include "lua/robot/lua_robot.h"

#include <stdio.h>
#include <string.h>

#include "lua/lua_args.h"
#include "robot/kinematics.h"
#include "robot/lever.h"

static const char *const CLASS = "brio.robot";

typedef struct lua_robot {
  brio_robot *robot;
  bool owned;
  bool started;     /* `state` was made: at the first call that needs it */
  brio_limits *now; /* nvariable: user value 1: limits for variables(); NULL: the robot's own */
  brio_state state;
} lua_robot;

/* The robot at argument `arg`; raises when it was closed. */
static lua_robot *check(lua_State *L, int arg) {
  lua_robot *self = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, self->robot, arg, "this robot was given back");
  return self;
}

brio_robot *brio_lua_robot_check(lua_State *L, int arg) { return check(L, arg)->robot; }

/* Push an empty value: the garbage collector owns it before it has content. */
static lua_robot *push_empty(lua_State *L) {
  lua_robot *self = lua_newuserdatauv(L, sizeof *self, 1);
  memset(self, 0, sizeof *self);
  luaL_setmetatable(L, CLASS);
  return self;
}

/* push_empty for a protected call, in which memory errors can be caught. */
static int push_protected(lua_State *L) {
  push_empty(L);
  return 1;
}

void brio_lua_robot_push(lua_State *L, brio_robot *robot, bool owned) {
  /* A memory error must not leak a robot that this function was given. */
  lua_pushcfunction(L, push_protected);
  if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
    if (owned) brio_robot_free(robot);
    lua_error(L);
  }
  lua_robot *self = lua_touserdata(L, -1);
  self->robot = robot;
  self->owned = owned;
}

/* __gc: free the state, then the robot if it is owned. */
static int collect(lua_State *L) {
  lua_robot *self = luaL_checkudata(L, 1, CLASS);
  if (self->started) brio_state_end(&self->state);
  if (self->owned) brio_robot_free(self->robot);
  memset(self, 0, sizeof *self);
  return 0;
}

/* The kinematic state, created at the first use. Raises without memory. */
static brio_state *state_of(lua_State *L, lua_robot *self) {
  brio_error err;
  if (!self->started && !brio_state_start(&self->state, self->robot, &err)) luaL_error(L, "%s", err.message);
  self->started = true;
  return &self->state;
}

/* --- reading a file --- */

/* Write the folders of options.packages as a C array; it is valid during the call. */
static const char *const *read_packages(lua_State *L, int options) {
  if (lua_getfield(L, options, "packages") == LUA_TNIL) return NULL;
  luaL_argcheck(L, lua_istable(L, -1), options, "packages must be a list of folders");
  int count = (int)lua_rawlen(L, -1);
  const char **folders = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *folders, 0);
  /* Only texts: the list keeps them alive after the pop. A number would be converted to a new text, which it
  ** does not. */
  for (int i = 0; i < count; i++) {
    luaL_argcheck(L, lua_rawgeti(L, -2, i + 1) == LUA_TSTRING, options, "packages must be a list of folders");
    folders[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  folders[count] = NULL;
  return folders;
}

/* How the base moves: the word in the field `base` of the table at `options`; raises on another one. */
static brio_base_type read_base(lua_State *L, int options) {
  static const char *const names[] = {"fixed", "bounded", "free", NULL};
  const char *name = brio_lua_field_text(L, options, "base", "fixed");
  int k = 0;
  while (names[k] && strcmp(names[k], name) != 0) k++;
  if (!names[k]) luaL_error(L, "base must be 'fixed', 'bounded' or 'free', not '%s'", name);
  return (brio_base_type)k;
}

/* Read the options at argument `arg`; absent: a robot with a fixed base. Memory that they point to stays on
** the stack. */
static brio_robot_options read_options(lua_State *L, int arg) {
  static const char *const keys[] = {"packages",          "base", "base_center", "base_range",
                                     "independent_mimic", "stands_on", NULL};
  brio_robot_options options = {.base = BRIO_BASE_FIXED};
  if (lua_isnoneornil(L, arg)) return options;
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "robot options");
  options.base = read_base(L, arg);
  options.stands_on = brio_lua_field_text(L, arg, "stands_on", NULL);
  options.independent_mimic = brio_lua_field_flag(L, arg, "independent_mimic", false);
  /* Where the base is, and how far it may move from there: +- m, +- rad. */
  if (lua_getfield(L, arg, "base_center") != LUA_TNIL)
    options.base_center = brio_lua_pose(L, -1, "base_center");
  if (lua_getfield(L, arg, "base_range") != LUA_TNIL)
    brio_lua_numbers(L, -1, BRIO_BASE_NV, options.base_range, "base_range");
  options.package_folders = read_packages(L, arg);
  return options;
}

/* robot.load(path [, options]) -> robot | nil, sentence, code
** Reads a URDF file, or an MJCF file (MuJoCo's). Options: `packages` (folders in which `package://` is
** searched), `base` ("fixed", "bounded" or "free"), `base_center` (pose), `base_range` (6 numbers: +- m,
** +- rad), `independent_mimic` (mimic joints become independent), `stands_on` (a link's name: if the robot
** has it, it is the root of the tree instead of the file's root). */
static int load(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  brio_robot_options options = read_options(L, 2);
  brio_error err;
  /* The value exists before the robot, so that it is freed in every case. */
  lua_robot *self = push_empty(L);
  self->owned = true;
  self->robot = brio_robot_load(path, &options, &err);
  return self->robot ? 1 : brio_lua_failed(L, &err);
}

/* robot.parse(text, name [, options]) -> robot | nil, sentence, code
** Reads the text of a URDF or an MJCF; `name` stands for its file in messages and for relative paths of
** meshes. */
static int parse(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length), *name = luaL_checkstring(L, 2);
  brio_robot_options options = read_options(L, 3);
  brio_error err;
  lua_robot *self = push_empty(L);
  self->owned = true;
  self->robot = brio_robot_parse(text, length, name, &options, &err);
  return self->robot ? 1 : brio_lua_failed(L, &err);
}

/* --- properties --- */

/* robot:name() -> text
** The name in the file. */
static int name(lua_State *L) {
  lua_pushstring(L, check(L, 1)->robot->name);
  return 1;
}

/* robot:file() -> text
** The file that it was read from. */
static int file(lua_State *L) {
  lua_pushstring(L, check(L, 1)->robot->file);
  return 1;
}

/* robot:mass() -> number
** The mass of all links, kg. */
static int mass(lua_State *L) {
  lua_pushnumber(L, check(L, 1)->robot->mass);
  return 1;
}

/* robot:hash() -> text
** A digest of the file's text, 16 hexadecimal digits: equal text, equal digest. */
static int hash(lua_State *L) {
  char digits[17];
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)check(L, 1)->robot->hash);
  lua_pushstring(L, digits);
  return 1;
}

int brio_lua_robot_find(lua_State *L, const brio_robot *robot, int arg,
                int (*look_up)(const brio_robot *, const char *, brio_error *)) {
  brio_error err;
  int found = look_up(robot, luaL_checkstring(L, arg), &err);
  if (found < 0) brio_lua_failed(L, &err);
  return found;
}

/* Set a field of the table on top: a flag, a pose. */
static void set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

static void set_pose(lua_State *L, const char *key, brio_pose value) {
  brio_lua_push_pose(L, value);
  lua_setfield(L, -2, key);
}

/* The limits of a variable in the robot's file. */
static brio_limits own_limits(const brio_variable *one) {
  return (brio_limits){one->lower, one->upper, one->velocity, one->acceleration};
}

/* robot:variables() -> list of tables
** The variables, in order: name, joint, lower, upper (rad or m), velocity, acceleration, effort
** (the greatest; math.huge if unknown), circular, angular. During a run the limits are the current ones. */
static int variables(lua_State *L) {
  const lua_robot *self = check(L, 1);
  const brio_robot *robot = self->robot;
  lua_createtable(L, robot->nvariable, 0);
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *one = &robot->variables[i];
    /* In a run, limits may be tighter than those of the file. */
    brio_limits limits = self->now ? self->now[i] : own_limits(one);
    lua_createtable(L, 0, 9);
    brio_lua_set_text(L, "name", one->name);
    brio_lua_set_text(L, "joint", robot->joints[one->joint].name);
    brio_lua_set_number(L, "lower", limits.lower);
    brio_lua_set_number(L, "upper", limits.upper);
    brio_lua_set_number(L, "velocity", limits.velocity);
    brio_lua_set_number(L, "acceleration", limits.acceleration);
    brio_lua_set_number(L, "effort", one->effort);
    set_flag(L, "circular", one->circular);
    set_flag(L, "angular", one->angular);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

brio_limits brio_lua_robot_limits(lua_State *L, int arg) {
  static const char *const keys[] = {"lower", "upper", "velocity", "acceleration", NULL};
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "limits");
  return (brio_limits){.lower = brio_lua_field_number(L, arg, "lower", -HUGE_VAL, HUGE_VAL, NAN),
                       .upper = brio_lua_field_number(L, arg, "upper", -HUGE_VAL, HUGE_VAL, NAN),
                       .velocity = brio_lua_field_number(L, arg, "velocity", 0, HUGE_VAL, NAN),
                       .acceleration = brio_lua_field_number(L, arg, "acceleration", 0, HUGE_VAL, NAN)};
}

/* robot:set_limits(variable, limits)
** Narrows `lower` and `upper` (rad or m) and sets the greatest `velocity` and `acceleration`;
** missing fields do not change. Raises when a range would grow. */
static int set_limits(lua_State *L) {
  lua_robot *self = check(L, 1);
  int variable = brio_lua_robot_find(L, self->robot, 2, brio_robot_variable);
  brio_limits limits = brio_lua_robot_limits(L, 3);
  /* A robot that is lent runs in an engine: its limits must not change under the solver. */
  if (!self->owned) return luaL_error(L, "the limits of a robot that runs cannot be set");
  brio_error err;
  return brio_robot_set_limits(self->robot, variable, &limits, &err) ? 0 : brio_lua_failed(L, &err);
}

/* robot:set_grip(variable)
** Says that a variable shuts a hand: it is used at the ends of its range, so joint_limits leaves it out. */
static int set_grip(lua_State *L) {
  lua_robot *self = check(L, 1);
  if (!self->owned) return luaL_error(L, "the grips of a robot that runs cannot be set");
  brio_robot_set_grip(self->robot, brio_lua_robot_find(L, self->robot, 2, brio_robot_variable));
  return 0;
}

/* robot:set_point_speed(speed) -> table
** Limits the speed of all points of the robot to `speed` (m/s; math.huge: no limit) in solvers created from
** now on. Returns the greatest lever of each variable: name = m for each unit of it. */
static int set_point_speed(lua_State *L) {
  lua_robot *self = check(L, 1);
  brio_error err;
  if (!self->owned) return luaL_error(L, "the speed of points of a robot that runs cannot be set");
  if (!brio_robot_set_point_speed(self->robot, luaL_checknumber(L, 2), &err)) return brio_lua_failed(L, &err);
  /* Room for a lever of each variable, freed with the stack. */
  double *levers = lua_newuserdatauv(L, ((size_t)self->robot->nvariable + 1) * sizeof(double), 0);
  brio_robot_variable_levers(self->robot, levers);
  lua_createtable(L, 0, self->robot->nvariable);
  for (int i = 0; i < self->robot->nvariable; i++)
    brio_lua_set_number(L, self->robot->variables[i].name, levers[i]);
  return 1;
}

/* robot:moving_mass() -> number
** The mass of all links that some joint moves, kg. */
static int moving_mass(lua_State *L) {
  lua_pushnumber(L, brio_robot_moving_mass(check(L, 1)->robot));
  return 1;
}

/* Allocate the current limits; initially the robot's own. */
static void take_room(lua_State *L, lua_robot *self) {
  brio_limits *now = lua_newuserdatauv(L, ((size_t)self->robot->nvariable + 1) * sizeof *now, 0);
  for (int i = 0; i < self->robot->nvariable; i++) now[i] = own_limits(&self->robot->variables[i]);
  /* The memory is user value 1 of the robot at argument 1. */
  lua_setiuservalue(L, 1, 1);
  self->now = now;
}

/* robot:note_limits(variable, limits)
** Notes the current limits of a variable for robot:variables(), for callers that tighten the limits of a
** running solver. Missing fields are the robot's own. */
static int note_limits(lua_State *L) {
  lua_robot *self = check(L, 1);
  int variable = brio_lua_robot_find(L, self->robot, 2, brio_robot_variable);
  brio_limits limits = brio_lua_robot_limits(L, 3), own = own_limits(&self->robot->variables[variable]);
  if (!self->now) take_room(L, self);
  self->now[variable] = (brio_limits){isnan(limits.lower) ? own.lower : limits.lower,
                                      isnan(limits.upper) ? own.upper : limits.upper,
                                      isnan(limits.velocity) ? own.velocity : limits.velocity,
                                      isnan(limits.acceleration) ? own.acceleration : limits.acceleration};
  return 0;
}

/* --- configurations and kinematics --- */

/* Return `count` numbers that are valid until the call ends. */
static double *scratch(lua_State *L, int count) {
  return lua_newuserdatauv(L, (size_t)count * sizeof(double), 0);
}

/* Read {variable = number} at `index` into the configuration `q`; raises when there is no such variable. */
static void read_joints(lua_State *L, const brio_robot *robot, int index, double *q) {
  brio_error err;
  if (!lua_istable(L, index)) luaL_error(L, "configuration: joints must be a table of numbers by name");
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "configuration: joints are given by name");
    const char *key = lua_tostring(L, -2);
    int variable = brio_robot_variable(robot, key, &err);
    if (variable < 0) luaL_error(L, "%s", err.message);
    /* Variables come behind the numbers of the base: position and quaternion. */
    q[BRIO_BASE_NQ + variable] = brio_lua_number(L, -1, -HUGE_VAL, HUGE_VAL, key);
  }
}

double *brio_lua_robot_configuration(lua_State *L, const brio_robot *robot, int arg) {
  static const char *const keys[] = {"base", "joints", NULL};
  double *q = scratch(L, robot->nq);
  /* Missing values stay neutral. */
  brio_robot_neutral(robot, q);
  if (!lua_istable(L, arg) || lua_rawlen(L, arg) > 0)
    luaL_error(L, "configuration must be a table {base = pose, joints = {name = number, ...}}, not %s",
               lua_istable(L, arg) ? "a list" : luaL_typename(L, arg));
  brio_lua_only_keys(L, arg, keys, "configuration");
  /* The base: x, y, z, then the quaternion x, y, z, w. */
  if (lua_getfield(L, arg, "base") != LUA_TNIL) {
    brio_pose base = brio_lua_pose(L, -1, "base");
    memcpy(q, (double[]){base.p.x, base.p.y, base.p.z, base.q.x, base.q.y, base.q.z, base.q.w},
           BRIO_BASE_NQ * sizeof *q);
  }
  if (lua_getfield(L, arg, "joints") != LUA_TNIL) read_joints(L, robot, lua_gettop(L), q);
  lua_pop(L, 2);
  return q;
}

/* Place the robot of argument 1 in the configuration of argument 2; of up to `most` arguments. */
static brio_state *place(lua_State *L, int most) {
  lua_settop(L, most); /* values pushed below are not arguments */
  brio_state *state = state_of(L, check(L, 1));
  brio_state_update(state, brio_lua_robot_configuration(L, state->robot, 2));
  return state;
}

void brio_lua_robot_push_configuration(lua_State *L, const brio_robot *robot, const double *q) {
  lua_createtable(L, 0, 2);
  set_pose(L, "base", (brio_pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}});
  lua_createtable(L, 0, robot->nvariable);
  for (int i = 0; i < robot->nvariable; i++)
    brio_lua_set_number(L, robot->variables[i].name, q[BRIO_BASE_NQ + i]);
  lua_setfield(L, -2, "joints");
}

/* robot:neutral() -> configuration
** The base at home, every variable 0, or in the middle of its range where 0 is outside. */
static int neutral(lua_State *L) {
  const brio_robot *robot = check(L, 1)->robot;
  double *q = scratch(L, robot->nq);
  brio_robot_neutral(robot, q);
  brio_lua_robot_push_configuration(L, robot, q);
  return 1;
}

/* robot:forward(configuration) -> table
** Forward kinematics: `links` (poses in the world by link name) and `com` (centre of mass, m). */
static int forward(lua_State *L) {
  brio_state *state = place(L, 2);
  const brio_robot *robot = state->robot;
  lua_createtable(L, 0, 2);
  lua_createtable(L, 0, robot->nlink);
  for (int i = 0; i < robot->nlink; i++) set_pose(L, robot->links[i].name, brio_pose_of(&state->links[i]));
  lua_setfield(L, -2, "links");
  brio_lua_set_vec3(L, "com", brio_state_update_com(state));
  return 1;
}

/* robot:center_of_mass(configuration) -> {x, y, z}
** The centre of mass in the world, m. */
static int center_of_mass(lua_State *L) {
  brio_lua_push_vec3(L, brio_state_update_com(place(L, 2)));
  return 1;
}

/* robot:jacobian(configuration, link [, point]) -> list of 6 rows
** The Jacobian of a point of a link (in its frame, m; default: its origin): rows of linear then angular
** velocity in world axes, columns for the base (3 linear, 3 angular) and then each variable. */
static int jacobian(lua_State *L) {
  brio_state *state = place(L, 4);
  int nv = state->robot->nv, which = brio_lua_robot_find(L, state->robot, 3, brio_robot_link);
  brio_vec3 point = lua_isnoneornil(L, 4) ? (brio_vec3){0, 0, 0} : brio_lua_vec3(L, 4, "point");
  double *rows = scratch(L, 6 * nv);
  /* The point is given in the link's frame and needed in the world. */
  brio_state_jacobian(state, which, brio_transform_point(&state->links[which], point), rows);
  lua_createtable(L, 6, 0);
  for (int i = 0; i < 6; i++) {
    brio_lua_push_numbers(L, rows + i * nv, nv);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* __tostring: the name, without an address. */
static int to_text(lua_State *L) {
  lua_pushfstring(L, "robot '%s'", check(L, 1)->robot->name);
  return 1;
}

static const luaL_Reg methods[] = {{"name", name},
                                   {"file", file},
                                   {"mass", mass},
                                   {"hash", hash},
                                   {"variables", variables},
                                   {"set_limits", set_limits},
                                   {"set_grip", set_grip},
                                   {"note_limits", note_limits},
                                   {"set_point_speed", set_point_speed},
                                   {"moving_mass", moving_mass},
                                   {"neutral", neutral},
                                   {"forward", forward},
                                   {"center_of_mass", center_of_mass},
                                   {"jacobian", jacobian},
                                   {"__tostring", to_text},
                                   {NULL, NULL}};

static const luaL_Reg functions[] = {{"load", load}, {"parse", parse}, {NULL, NULL}};

int luaopen_brio_robot(lua_State *L) {
  brio_lua_class(L, CLASS, methods, collect);
  luaL_getmetatable(L, CLASS);
  luaL_setfuncs(L, brio_lua_robot_model, 0);
  lua_pop(L, 1);
  luaL_newlib(L, functions);
  return 1;
}
