/* brio.actuator: devices with named axes that accept targets. */
#include "lua/drivers/lua_actuator.h"

#include <math.h>

#include "lua/drivers/lua_device.h"
#include "lua/drivers/lua_driver.h"
#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/world/lua_world.h"

#define CLASS "brio.actuator"

enum { MOST_AXES = 4096 };

brio_actuator *brio_lua_actuator_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

void brio_lua_actuator_push(lua_State *L, brio_actuator *actuator, bool owned) {
  brio_lua_box_push(L, CLASS, actuator, owned);
}

static int collect(lua_State *L) {
  brio_actuator_close(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* Set a number field of the table on top. */
static void set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, key);
}

static void set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

/* Push the list of a driver's settings. */
static void push_settings(lua_State *L, const brio_driver_setting *settings) {
  lua_newtable(L);
  for (int i = 0; settings && settings[i].name; i++) {
    lua_createtable(L, 0, 6);
    set_text(L, "name", settings[i].name);
    set_text(L, "unit", settings[i].unit);
    set_text(L, "doc", settings[i].doc);
    set_number(L, "default", settings[i].fallback);
    set_number(L, "lower", settings[i].lower);
    set_number(L, "upper", settings[i].upper);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Push the list of a driver's texts. */
static void push_texts(lua_State *L, const brio_driver_text *texts) {
  lua_newtable(L);
  for (int i = 0; texts && texts[i].name; i++) {
    lua_createtable(L, 0, 3);
    set_text(L, "name", texts[i].name);
    set_text(L, "doc", texts[i].doc);
    set_text(L, "default", texts[i].fallback);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_kind(lua_State *L, const brio_driver_kind *kind) {
  lua_createtable(L, 0, 10);
  set_text(L, "name", kind->name);
  set_text(L, "alias", kind->alias);
  set_text(L, "doc", kind->doc);
  set_flag(L, "simulated", kind->simulated);
  set_flag(L, "watchdog", kind->watchdog);
  set_flag(L, "open_loop", kind->open_loop);
  set_flag(L, "senses", kind->sense != NULL);
  set_flag(L, "torques", kind->write_impedances != NULL);
  set_text(L, "when_silent", kind->when_silent);
  push_settings(L, kind->settings);
  lua_setfield(L, -2, "settings");
  push_texts(L, kind->texts);
  lua_setfield(L, -2, "texts");
}

/* actuator.drivers() -> list of {name, alias, doc, simulated, watchdog, open_loop, senses, torques,
** when_silent, settings, texts}
** Every device family; settings are lists of {name, unit, doc, default, lower, upper},
** texts, which are set like settings, of {name, doc, default}. `watchdog`: it has a watchdog that brio sets;
** `when_silent`: what the device does without commands; `open_loop`: its reports are its commands; `senses`:
** it may have inputs; `torques`: its motors may control their torque. */
static int drivers(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_driver_kinds[i]; i++) {
    push_kind(L, brio_driver_kinds[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* actuator.driver(name) -> {name, alias, doc, ...} | nil, sentence, code
** One device family, as in actuator.drivers: of that name, in the shared object at that path (with a / in
** it), or written in Lua in the file at that path (ending in .lua). */
static int driver(lua_State *L) {
  brio_error err;
  const brio_driver_kind *kind = brio_lua_driver_find(L, luaL_checkstring(L, 1), &err);
  if (!kind) {
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    lua_pushstring(L, brio_code_name(err.code));
    return 3;
  }
  push_kind(L, kind);
  return 1;
}

/* Push the list in field `key` of the table at `index`, an empty one if it is optional and absent; raise if
** it is anything else. Return its length. */
static int push_list(lua_State *L, int index, const char *key, bool optional) {
  index = lua_absindex(L, index);
  if (lua_getfield(L, index, key) == LUA_TNIL && optional) {
    lua_pop(L, 1);
    lua_newtable(L);
  }
  if (!lua_istable(L, -1)) luaL_error(L, "%s must be a table, not %s", key, luaL_typename(L, -1));
  if (lua_rawlen(L, -1) > MOST_AXES) luaL_error(L, "%s must have at most %d items", key, MOST_AXES);
  return (int)lua_rawlen(L, -1);
}

/* Read the axis that the table on top describes. */
static brio_axis read_axis(lua_State *L) {
  static const char *const keys[] = {"name",  "lower", "upper", "velocity", "acceleration",
                                     "start", "step",  "grip",  NULL};
  if (!lua_istable(L, -1))
    luaL_error(L, "an axis must be a table {name = ...}, not %s", luaL_typename(L, -1));
  brio_lua_only_keys(L, -1, keys, "an axis");
  brio_axis axis = {.name = brio_lua_field_text(L, -1, "name", "")};
  axis.lower = brio_lua_field_number(L, -1, "lower", -HUGE_VAL, HUGE_VAL, -HUGE_VAL);
  axis.upper = brio_lua_field_number(L, -1, "upper", -HUGE_VAL, HUGE_VAL, HUGE_VAL);
  axis.velocity = brio_lua_field_number(L, -1, "velocity", 0, HUGE_VAL, HUGE_VAL);
  axis.acceleration = brio_lua_field_number(L, -1, "acceleration", 0, HUGE_VAL, HUGE_VAL);
  axis.start = brio_lua_field_number(L, -1, "start", -HUGE_VAL, HUGE_VAL, 0);
  return axis;
}

/* Read argument 1's axes; memory that they point to stays on the stack. */
static void read_axes(lua_State *L, brio_actuator_options *options) {
  options->count = push_list(L, 1, "axes", false);
  size_t room = (size_t)options->count + 1;
  brio_axis *axes = lua_newuserdatauv(L, room * (sizeof *axes + sizeof(double) + sizeof(bool)), 0);
  double *steps = (double *)(void *)(axes + room);
  bool *grips = (bool *)(void *)(steps + room);
  for (int i = 0; i < options->count; i++) {
    lua_rawgeti(L, -2, i + 1);
    axes[i] = read_axis(L);
    steps[i] = brio_lua_field_number(L, -1, "step", 0, 1e6, 0);
    grips[i] = brio_lua_field_flag(L, -1, "grip", false);
    lua_pop(L, 1);
  }
  options->axes = axes;
  options->steps = steps;
  options->grips = grips;
}

/* Count the keys of the table on top; raise unless all are texts. */
static int count_keys(lua_State *L, const char *what) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "%s must be given by name", what);
    count++;
  }
  return count;
}

static void read_settings(lua_State *L, brio_actuator_options *options) {
  push_list(L, 1, "settings", true);
  int at = lua_gettop(L), n = 0;
  options->nsetting = count_keys(L, "settings");
  size_t room = ((size_t)options->nsetting + 1) * sizeof(brio_actuator_setting);
  brio_actuator_setting *settings = lua_newuserdatauv(L, room, 0);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    const char *name = lua_tostring(L, -2);
    settings[n++] = brio_lua_setting(L, name);
  }
  options->settings = settings;
}

/* Read one group's names, whose list is on top; the array stays below it on the stack. */
static brio_actuator_group read_group(lua_State *L, const char *name) {
  if (!lua_istable(L, -1)) luaL_error(L, "group '%s' must be a list of names of axes", name);
  size_t count = lua_rawlen(L, -1);
  luaL_argcheck(L, count <= MOST_AXES, 1, "too many axes in a group");
  const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
  for (size_t i = 0; i < count; i++) {
    if (lua_rawgeti(L, -2, (lua_Integer)i + 1) != LUA_TSTRING)
      luaL_error(L, "group '%s' must be a list of names of axes", name);
    names[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  return (brio_actuator_group){name, names, (int)count};
}

static void read_groups(lua_State *L, brio_actuator_options *options) {
  push_list(L, 1, "groups", true);
  int at = lua_gettop(L), n = 0;
  options->ngroup = count_keys(L, "groups");
  brio_actuator_group *groups = lua_newuserdatauv(L, ((size_t)options->ngroup + 1) * sizeof *groups, 0);
  lua_newtable(L); /* keeps the groups' arrays alive */
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    groups[n++] = read_group(L, lua_tostring(L, -2));
    lua_rawseti(L, at + 2, n);
  }
  options->groups = groups;
}

/* actuator.open{driver =, axes =, groups =, settings =, seed =, world =} -> actuator
** Opens a device: driver is a family's name ("simulator", or "sim"), axes a list of {name =,
** lower =, upper =, velocity =, acceleration =, start =, step = (resolution of reported positions; 0), grip =
** (it closes a hand)}, groups lists of axes' names by name, settings the driver's by name, world the
** simulated world of a simulator; devices, motors, couplings and gains as in a robot's file
** (docs/devices/robots.md), for several devices, or motors in units of their own; impedances {axis =
** {stiffness =, damping =, limit =}} of axes whose motors control their torque; inputs a list of {name =,
** device =, line =, width = 1 or 10, panic = 1 or -1}.  A device's failure returns nil, sentence, code. */
static int open_actuator(lua_State *L) {
  static const char *const keys[] = {"driver", "axes", "groups", "settings", "seed", "world", "devices",
                                     "motors", "couplings", "gains", "inputs", "impedances", NULL};
  brio_actuator_options options = {0};
  brio_error err;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_checkstack(L, 32, "actuator.open");
  brio_lua_only_keys(L, 1, keys, "actuator.open");
  options.kind = brio_lua_driver_find(L, brio_lua_field_text(L, 1, "driver", "simulator"), &err);
  if (!options.kind) return brio_lua_failed(L, &err);
  options.seed = (uint64_t)brio_lua_field_number(L, 1, "seed", 0, 0x1p53, 0);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  if (lua_getfield(L, 1, "world") != LUA_TNIL) options.context = brio_lua_world_check(L, -1);
  lua_setiuservalue(L, 2, 1);
  read_axes(L, &options);
  read_settings(L, &options);
  read_groups(L, &options);
  brio_lua_device_options(L, 1, &options);
  box->thing = brio_actuator_open(&options, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_settop(L, 2);
  return 1;
}

/* Return the number of the axis that argument `arg` names; raise when there is none. */
static int check_axis(lua_State *L, const brio_actuator *actuator, int arg) {
  brio_error err;
  int axis = brio_actuator_find(actuator, luaL_checkstring(L, arg), &err);
  if (axis < 0) luaL_error(L, "%s", err.message);
  return axis;
}

/* Raise if the axis belongs to the solver while the engine runs. */
static void check_free(lua_State *L, const brio_actuator *actuator, int axis) {
  int count;
  const brio_actuator_axis *which = &brio_actuator_axes(actuator, &count)[axis];
  if (!which->slewed)
    luaL_error(L, "'%s' belongs to the solver: want a pose of it, as with want.joint_match",
               which->limits.name);
}

/* actuator:target(name [, value]) -> value
** Sets the target of an axis (rad, m or 1), clamped to its limits, if a value is given; returns the target.
** While a run moves the robot, joints of the kinematic tree belong to the solver and cannot be set here. */
static int target(lua_State *L) {
  brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  int axis = check_axis(L, actuator, 2), count;
  brio_error err;
  if (!lua_isnoneornil(L, 3)) {
    check_free(L, actuator, axis);
    double value = brio_lua_number(L, 3, -HUGE_VAL, HUGE_VAL, lua_tostring(L, 2));
    if (!brio_actuator_set_target(actuator, axis, value, &err)) return brio_lua_failed(L, &err);
  }
  lua_pushnumber(L, brio_actuator_axes(actuator, &count)[axis].target);
  return 1;
}

/* actuator:targets{name = value, ...}
** Sets several targets: all of them, or none if one is invalid. */
static int targets(lua_State *L) {
  brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  count_keys(L, "targets");
  for (int set = 0; set < 2; set++) { /* check all, then set all */
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
      int axis = check_axis(L, actuator, -2);
      check_free(L, actuator, axis);
      double value = brio_lua_number(L, -1, -HUGE_VAL, HUGE_VAL, lua_tostring(L, -2));
      if (set) brio_actuator_set_target(actuator, axis, value, NULL);
    }
  }
  return 0;
}

static void push_state(lua_State *L, const brio_actuator_axis *axis) {
  const brio_axis_state *measured = &axis->measured;
  const struct {
    const char *name;
    unsigned bit;
    double value;
  } more[] = {{"load", BRIO_KNOWS_LOAD, measured->load},
              {"current", BRIO_KNOWS_CURRENT, measured->current},
              {"temperature", BRIO_KNOWS_TEMPERATURE, measured->temperature},
              {"voltage", BRIO_KNOWS_VOLTAGE, measured->voltage},
              {"torque", BRIO_KNOWS_TORQUE, measured->torque}};
  lua_createtable(L, 0, 10);
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (measured->valid && measured->knows & more[i].bit) set_number(L, more[i].name, more[i].value);
  set_number(L, "position", axis->measured.position);
  set_number(L, "velocity", axis->measured.velocity);
  set_number(L, "target", axis->target);
  set_number(L, "command", axis->command);
  set_flag(L, "valid", axis->measured.valid);
  set_flag(L, "enabled", axis->enabled);
}

/* actuator:state(name) -> {position, velocity, target, command, valid, enabled, [load, current, temperature,
** voltage, torque]}
** The state of an axis: its report and its command; valid is false if the report is out of date.
** Some devices also report load (share of the greatest torque), current (A), temperature (degrees Celsius),
** voltage (V), torque (N m or N, of the motor on its joint). */
static int state(lua_State *L) {
  const brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  int axis = check_axis(L, actuator, 2), count;
  push_state(L, &brio_actuator_axes(actuator, &count)[axis]);
  return 1;
}

/* actuator:states() -> {name = state, ...}
** The state of every axis. */
static int states(lua_State *L) {
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(brio_lua_actuator_check(L, 1), &count);
  lua_createtable(L, 0, count);
  for (int i = 0; i < count; i++) {
    push_state(L, &axes[i]);
    lua_setfield(L, -2, axes[i].limits.name);
  }
  return 1;
}

/* actuator:commands([list]) -> list
** The last command of every axis, in the order of actuator:axes(); a given list is filled again. */
static int commands(lua_State *L) {
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(brio_lua_actuator_check(L, 1), &count);
  lua_settop(L, 2);
  if (!lua_istable(L, 2)) lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, axes[i].command);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* actuator:limits(name) -> {lower, upper, velocity, acceleration, motor_lower, motor_upper}
** The range of an axis and its greatest velocity and acceleration; math.huge: no limit. motor_lower and
** motor_upper: the range of its motor, if that is smaller; the axis stops there. */
static int limits(lua_State *L) {
  const brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  int axis = check_axis(L, actuator, 2), count;
  const brio_actuator_axis *one = &brio_actuator_axes(actuator, &count)[axis];
  const brio_axis *which = &one->limits;
  lua_createtable(L, 0, 6);
  if (!isnan(one->motor_lower)) set_number(L, "motor_lower", one->motor_lower);
  if (!isnan(one->motor_upper)) set_number(L, "motor_upper", one->motor_upper);
  set_number(L, "lower", which->lower);
  set_number(L, "upper", which->upper);
  set_number(L, "velocity", which->velocity);
  set_number(L, "acceleration", which->acceleration);
  return 1;
}

/* actuator:set_limits(name, limits)
** Tightens `lower`, `upper`, `velocity` and `acceleration` of an axis, within those at opening; a missing
** field is reset to its value then. The axis moves into its new range within these limits. A joint of the
** kinematic tree is moved there by the solver, which has limits of its own (see solver:set_limits), and its
** new range takes effect here once it is inside. */
static int set_limits(lua_State *L) {
  static const char *const keys[] = {"lower", "upper", "velocity", "acceleration", NULL};
  brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  int axis = check_axis(L, actuator, 2), count;
  luaL_checktype(L, 3, LUA_TTABLE);
  brio_lua_only_keys(L, 3, keys, "limits");
  brio_axis now = brio_actuator_axes(actuator, &count)[axis].opened;
  now.lower = brio_lua_field_number(L, 3, "lower", -HUGE_VAL, HUGE_VAL, now.lower);
  now.upper = brio_lua_field_number(L, 3, "upper", -HUGE_VAL, HUGE_VAL, now.upper);
  now.velocity = brio_lua_field_number(L, 3, "velocity", 0, HUGE_VAL, now.velocity);
  now.acceleration = brio_lua_field_number(L, 3, "acceleration", 0, HUGE_VAL, now.acceleration);
  brio_error err;
  return brio_actuator_set_limits(actuator, axis, &now, &err) ? 0 : brio_lua_failed(L, &err);
}

/* Set a field of the table on top to those numbers, unless the first is unknown. */
static void set_part(lua_State *L, const char *key, const double *numbers, int count) {
  if (isnan(numbers[0])) return;
  brio_lua_push_numbers(L, numbers, count);
  lua_setfield(L, -2, key);
}

/* actuator:inputs() -> {name = value, ...}
** The known values of the devices' inputs: a number, or of an IMU {acceleration, rate, orientation}. */
static int inputs(lua_State *L) {
  int count;
  const brio_actuator_sensed *list = brio_actuator_inputs(brio_lua_actuator_check(L, 1), &count);
  lua_createtable(L, 0, count);
  for (int i = 0; i < count; i++) {
    const double *values = list[i].state.values;
    if (list[i].width == 1) {
      if (!isnan(values[0])) set_number(L, list[i].name, values[0]);
      continue;
    }
    lua_createtable(L, 0, 3);
    set_part(L, "acceleration", values, 3);
    set_part(L, "rate", values + 3, 3);
    set_part(L, "orientation", values + 6, 4);
    lua_setfield(L, -2, list[i].name);
  }
  return 1;
}

/* actuator:axes() -> list of names
** The names of all axes, in the device's order. */
static int axis_names(lua_State *L) {
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(brio_lua_actuator_check(L, 1), &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, axes[i].limits.name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* actuator:groups() -> {name = list of names, ...}
** The named groups of axes. */
static int groups(lua_State *L) {
  int count, ngroup;
  const brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  const brio_actuator_axis *axes = brio_actuator_axes(actuator, &count);
  const brio_actuator_members *list = brio_actuator_groups(actuator, &ngroup);
  lua_createtable(L, 0, ngroup);
  for (int g = 0; g < ngroup; g++) {
    lua_createtable(L, list[g].count, 0);
    for (int i = 0; i < list[g].count; i++) {
      lua_pushstring(L, axes[list[g].axes[i]].limits.name);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, list[g].name);
  }
  return 1;
}

/* actuator:enable(name [, enabled])
** Enables an axis, or disables it with false. */
static int enable(lua_State *L) {
  brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  int axis = check_axis(L, actuator, 2);
  brio_actuator_enable(actuator, axis, lua_isnoneornil(L, 3) || lua_toboolean(L, 3));
  return 0;
}

/* Raise unless the script opened argument 1 itself. */
static void check_own(lua_State *L) {
  const brio_lua_box *box = luaL_checkudata(L, 1, CLASS);
  luaL_argcheck(L, box->owned, 1, "the engine's own actuator is stepped and closed by the engine");
}

/* actuator:power() -> true
** Switches on the motors of enabled axes, so that they hold their positions, and switches off the others, if
** the devices can. A run does this when it is armed. A device's failure returns nil, sentence, code. */
static int power(lua_State *L) {
  brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  brio_error err;
  check_own(L);
  if (!brio_actuator_power(actuator, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* actuator:step(dt) -> true
** Moves towards the targets for dt seconds (at most 60): writes, steps a simulator, reads.
** A device's failure returns nil, sentence, code. */
static int step(lua_State *L) {
  brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  check_own(L);
  brio_error err;
  if (!brio_actuator_run(actuator, brio_lua_number(L, 2, 0, 60, "dt"), &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* actuator:simulated() -> true or false
** Whether all devices are simulated. */
static int is_simulated(lua_State *L) {
  lua_pushboolean(L, brio_actuator_simulated(brio_lua_actuator_check(L, 1)));
  return 1;
}

/* actuator:repeats() -> true or false
** Whether all devices are brio's own simulators, whose reports depend on their commands only. */
static int repeats(lua_State *L) {
  lua_pushboolean(L, brio_actuator_repeats(brio_lua_actuator_check(L, 1)));
  return 1;
}

/* actuator:error() -> sentence, count
** The device's newest failure (nil: none yet) and the number of failures. */
static int last_error(lua_State *L) {
  int count;
  const brio_error *problem = brio_actuator_error(brio_lua_actuator_check(L, 1), &count);
  lua_pushstring(L, count ? problem->message : NULL);
  lua_pushinteger(L, count);
  return 2;
}

/* actuator:fault(sentence) -> true
** Injects a fault into devices: "drop 2% of neck", "unplug arm at 2 for 3"; `brio drivers` lists
** the kinds. Before a run begins. It affects a device, a group, an axis or all; at and for are in seconds of
** the device's time. */
static int fault(lua_State *L) {
  brio_error err;
  if (!brio_actuator_fault(brio_lua_actuator_check(L, 1), luaL_checkstring(L, 2), &err))
    return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* actuator.faults() -> list of {name, unit, doc, example}
** The kinds of faults that can be injected. */
static int faults(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_fault_kinds[i].name; i++) {
    lua_createtable(L, 0, 4);
    set_text(L, "name", brio_fault_kinds[i].name);
    set_text(L, "unit", brio_fault_kinds[i].unit);
    set_text(L, "doc", brio_fault_kinds[i].doc);
    set_text(L, "example", brio_fault_kinds[i].example);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* actuator:shut() -> true
** Closes the devices and keeps the rest. A driver that does not return within 5 s is abandoned: nil,
** sentence, code. */
static int shut(lua_State *L) {
  brio_error err;
  brio_actuator *actuator = brio_lua_actuator_check(L, 1);
  check_own(L);
  if (!brio_actuator_shut(actuator, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* actuator:close() -> true
** Closes and frees the actuator; closing again has no effect. A driver that does not return within 5 s is
** abandoned: nil, sentence, code. */
static int close_actuator(lua_State *L) {
  brio_error err;
  check_own(L);
  brio_actuator *actuator = brio_lua_box_empty(L, CLASS);
  if (!brio_actuator_end(actuator, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

int luaopen_brio_actuator(lua_State *L) {
  static const luaL_Reg methods[] = {{"target", target},
                                     {"targets", targets},
                                     {"state", state},
                                     {"states", states},
                                     {"commands", commands},
                                     {"limits", limits},
                                     {"set_limits", set_limits},
                                     {"axes", axis_names},
                                     {"inputs", inputs},
                                     {"groups", groups},
                                     {"enable", enable},
                                     {"power", power},
                                     {"step", step},
                                     {"error", last_error},
                                     {"shut", shut},
                                     {"close", close_actuator},
                                     {"fault", fault},
                                     {"simulated", is_simulated},
                                     {"repeats", repeats},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"drivers", drivers}, {"driver", driver}, {"open", open_actuator}, {"faults", faults}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
