/* Translation of devices, motors and couplings: see lua_device.h.  Arrays lie in userdata that a table,
** which is left on the stack, holds. */
#include "lua/drivers/lua_device.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "lua/drivers/lua_driver.h"
#include "lua/lua_args.h"

enum { MOST = 256 };

/* Return new memory, which the table at `keeper` keeps alive. */
static void *keep(lua_State *L, int keeper, size_t size) {
  void *memory = lua_newuserdatauv(L, size, 0);
  lua_rawseti(L, keeper, (lua_Integer)lua_rawlen(L, keeper) + 1);
  return memory;
}

/* The texts of the list in field `key` of the table on top; they live as long as that table. */
static const char *const *read_names(lua_State *L, int keeper, const char *key, int *count) {
  lua_getfield(L, -1, key);
  luaL_checktype(L, -1, LUA_TTABLE);
  *count = (int)lua_rawlen(L, -1);
  const char **names = keep(L, keeper, ((size_t)*count + 1) * sizeof *names);
  for (int i = 0; i < *count; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TSTRING) luaL_error(L, "%s must be a list of names", key);
    names[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return names;
}

brio_actuator_setting brio_lua_setting(lua_State *L, const char *name) {
  /* A setting is a text or a number; the device checks whether it is the right one. */
  if (lua_type(L, -1) == LUA_TSTRING)
    return (brio_actuator_setting){.name = name, .text = lua_tostring(L, -1)};
  return (brio_actuator_setting){.name = name, .value = brio_lua_number(L, -1, -HUGE_VAL, HUGE_VAL, name)};
}

/* The settings of the table on top, by name. */
static void read_settings(lua_State *L, int keeper, brio_actuator_device *device) {
  if (lua_getfield(L, -1, "settings") == LUA_TTABLE) {
    brio_actuator_setting *settings = keep(L, keeper, BRIO_DEVICE_SETTINGS * sizeof *settings);
    /* Stack: the device, its settings, name, value. The names belong to the settings' table. */
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING || device->nsetting == BRIO_DEVICE_SETTINGS)
        luaL_error(L, "settings must be given by name");
      const char *name = lua_tostring(L, -2);
      settings[device->nsetting++] = brio_lua_setting(L, name);
    }
    device->settings = settings;
  }
  lua_pop(L, 1);
}

/* The device's own watchdog, s; absent: the default; false: none. */
static double read_watchdog(lua_State *L) {
  lua_getfield(L, -1, "watchdog");
  bool none = lua_isboolean(L, -1) && !lua_toboolean(L, -1);
  lua_pop(L, 1);
  return none ? -1 : brio_lua_field_number(L, -1, "watchdog", 0, 3600, 0);
}

/* devices = list of {name =, driver =, axes =, settings =, watchdog =, limits =}. Drivers are found by name
** here; raises on an unknown one. */
static void read_devices(lua_State *L, int index, int keeper, brio_actuator_options *options) {
  static const char *const keys[] = {"name", "driver", "axes", "settings", "watchdog", "limits", NULL};
  brio_error err;
  if (lua_getfield(L, index, "devices") == LUA_TTABLE) {
    options->ndevice = (int)lua_rawlen(L, -1);
    if (options->ndevice > MOST) luaL_error(L, "there may be at most %d devices", MOST);
    brio_actuator_device *devices = keep(L, keeper, ((size_t)options->ndevice + 1) * sizeof *devices);
    /* Stack: the list, then the device on top, where the readers below expect it. */
    for (int i = 0; i < options->ndevice; i++) {
      devices[i] = (brio_actuator_device){0};
      lua_rawgeti(L, -1, i + 1);
      luaL_checktype(L, -1, LUA_TTABLE);
      brio_lua_only_keys(L, -1, keys, "a device");
      devices[i].name = brio_lua_field_text(L, -1, "name", "");
      devices[i].kind = brio_lua_driver_find(L, brio_lua_field_text(L, -1, "driver", "simulator"), &err);
      if (!devices[i].kind) luaL_error(L, "device '%s': %s", devices[i].name, err.message);
      devices[i].axes = read_names(L, keeper, "axes", &devices[i].count);
      read_settings(L, keeper, &devices[i]);
      /* Optional parts: the watchdog (s), and whether the limits are written to the device. */
      devices[i].watchdog = read_watchdog(L);
      devices[i].set_limits = brio_lua_field_flag(L, -1, "limits", false);
      lua_pop(L, 1);
    }
    options->devices = devices;
  }
  lua_pop(L, 1);
}

/* points = {{position, motor}, ...} of the table on top. */
static void read_points(lua_State *L, brio_mapping *mapping) {
  if (lua_getfield(L, -1, "points") == LUA_TTABLE) {
    size_t count = lua_rawlen(L, -1);
    if (count > BRIO_MAPPING_POINTS) luaL_error(L, "a table has at most %d points", BRIO_MAPPING_POINTS);
    mapping->points = (int)count;
    /* Each point is a position in the DOF's unit and the motor's value there. */
    for (size_t i = 0; i < count; i++) {
      double pair[2];
      lua_rawgeti(L, -1, (lua_Integer)i + 1);
      brio_lua_numbers(L, -1, 2, pair, "a point");
      mapping->x[i] = pair[0], mapping->y[i] = pair[1];
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* The mapping from a DOF to its motor that the table on top describes. `polarity` is 1 or -1, `points`
** belongs to tables; the limits are in the motor's unit. Raises on an unknown kind of map. */
static brio_mapping read_mapping(lua_State *L) {
  static const char *const keys[] = {"map",   "scale", "offset", "polarity", "below",
                                     "above", "lower", "upper",  "points",   NULL};
  brio_error err;
  brio_mapping mapping = brio_mapping_identity();
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_lua_only_keys(L, -1, keys, "a motor");
  mapping.kind = brio_mapping_find(brio_lua_field_text(L, -1, "map", "linear"), &err);
  if (!mapping.kind) luaL_error(L, "%s", err.message);
  /* Numbers of the kinds of maps: scale and offset of a line, and below and above of an asymmetric one:
  ** motor units from the middle at -1 and at 1. */
  mapping.scale = brio_lua_field_number(L, -1, "scale", 0, 1e12, 1);
  mapping.offset = brio_lua_field_number(L, -1, "offset", -1e12, 1e12, 0);
  mapping.polarity = (int)brio_lua_field_number(L, -1, "polarity", -1, 1, 1);
  mapping.below = brio_lua_field_number(L, -1, "below", 0, 1e12, 0);
  mapping.above = brio_lua_field_number(L, -1, "above", 0, 1e12, 0);
  mapping.lower = brio_lua_field_number(L, -1, "lower", -HUGE_VAL, HUGE_VAL, -HUGE_VAL);
  mapping.upper = brio_lua_field_number(L, -1, "upper", -HUGE_VAL, HUGE_VAL, HUGE_VAL);
  read_points(L, &mapping);
  return mapping;
}

/* The index of the axis with that name; -1: there is none. */
static int axis_named(const brio_actuator_options *options, const char *name) {
  for (int i = 0; i < options->count; i++)
    if (strcmp(options->axes[i].name, name) == 0) return i;
  return -1;
}

/* motors = {axis = mapping}. Axes that are not named get the identity. */
static void read_motors(lua_State *L, int index, int keeper, brio_actuator_options *options) {
  if (lua_getfield(L, index, "motors") == LUA_TTABLE) {
    brio_mapping *mappings = keep(L, keeper, ((size_t)options->count + 1) * sizeof *mappings);
    for (int i = 0; i < options->count; i++) mappings[i] = brio_mapping_identity();
    /* Stack: the table, axis, mapping. Keys must be texts: tostring of a number would change it in the
    ** loop. */
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      int axis = lua_type(L, -2) == LUA_TSTRING ? axis_named(options, lua_tostring(L, -2)) : -1;
      if (axis < 0)
        luaL_error(L, "motors: there is no axis '%s'",
                   lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?");
      mappings[axis] = read_mapping(L);
    }
    options->mappings = mappings;
  }
  lua_pop(L, 1);
}

/* The gains that the table on top describes; NaN: the device keeps its own. */
static brio_gains read_gains(lua_State *L) {
  static const char *const keys[] = {"p", "i", "d", "velocity", "acceleration", NULL};
  brio_gains gains = {NAN, NAN, NAN, NAN, NAN};
  /* The addresses in the order of the keys. */
  double *const numbers[] = {&gains.p, &gains.i, &gains.d, &gains.velocity, &gains.acceleration};
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_lua_only_keys(L, -1, keys, "gains");
  for (int i = 0; keys[i]; i++) *numbers[i] = brio_lua_field_number(L, -1, keys[i], -1e12, 1e12, NAN);
  return gains;
}

/* gains = {axis = {p =, i =, d =, velocity =, acceleration =}}. */
static void read_all_gains(lua_State *L, int index, int keeper, brio_actuator_options *options) {
  if (lua_getfield(L, index, "gains") == LUA_TTABLE) {
    /* An array with an entry for each axis; those that are not named keep the device's gains. */
    brio_gains *gains = keep(L, keeper, ((size_t)options->count + 1) * sizeof *gains);
    for (int i = 0; i < options->count; i++) gains[i] = (brio_gains){NAN, NAN, NAN, NAN, NAN};
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      int axis = lua_type(L, -2) == LUA_TSTRING ? axis_named(options, lua_tostring(L, -2)) : -1;
      if (axis < 0)
        luaL_error(L, "gains: there is no axis '%s'",
                   lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?");
      gains[axis] = read_gains(L);
    }
    options->gains = gains;
  }
  lua_pop(L, 1);
}

/* impedances = {axis = {stiffness =, damping =, limit =}}: of axes whose motors control their torque. */
static void read_impedances(lua_State *L, int index, int keeper, brio_actuator_options *options) {
  static const char *const keys[] = {"stiffness", "damping", "limit", NULL};
  if (lua_getfield(L, index, "impedances") == LUA_TTABLE) {
    brio_impedance *list = keep(L, keeper, ((size_t)options->count + 1) * sizeof *list);
    for (int i = 0; i < options->count; i++) list[i] = brio_impedance_none;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      int axis = lua_type(L, -2) == LUA_TSTRING ? axis_named(options, lua_tostring(L, -2)) : -1;
      if (axis < 0) luaL_error(L, "impedances: there is no such axis");
      luaL_checktype(L, -1, LUA_TTABLE);
      brio_lua_only_keys(L, -1, keys, "an impedance");
      list[axis].stiffness = brio_lua_field_number(L, -1, "stiffness", 0, 1e9, 0);
      list[axis].damping = brio_lua_field_number(L, -1, "damping", 0, 1e9, 0);
      list[axis].limit = brio_lua_field_number(L, -1, "limit", 0, 1e9, 0);
    }
    options->impedances = list;
  }
  lua_pop(L, 1);
}

/* The text of a field that may also be a number; it lives as long as the table at `keeper`. */
static const char *read_line(lua_State *L, int keeper, const char *key) {
  if (lua_getfield(L, -1, key) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushliteral(L, "");
  }
  const char *text = lua_tostring(L, -1);
  if (!text) luaL_error(L, "%s must be a text or a number", key);
  lua_rawseti(L, keeper, (lua_Integer)lua_rawlen(L, keeper) + 1);
  return text;
}

/* The input that the table on top describes: its line at the device, how many numbers it has, and whether it
** means the panic stop: while it is not 0 (1), while it is 0 (-1), or never (0). */
static brio_actuator_input read_input(lua_State *L, int keeper) {
  static const char *const keys[] = {"name", "device", "line", "width", "panic", NULL};
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_lua_only_keys(L, -1, keys, "an input");
  return (brio_actuator_input){
      .input = {.name = brio_lua_field_text(L, -1, "name", ""), .line = read_line(L, keeper, "line"),
                .width = (int)brio_lua_field_number(L, -1, "width", 1, BRIO_INPUT_NUMBERS, 1)},
      .device = brio_lua_field_text(L, -1, "device", NULL),
      .panic = (int)brio_lua_field_number(L, -1, "panic", -1, 1, 0)};
}

/* inputs = list of {name =, device =, line =, width =, panic =}. */
static void read_inputs(lua_State *L, int index, int keeper, brio_actuator_options *options) {
  if (lua_getfield(L, index, "inputs") == LUA_TTABLE) {
    options->ninput = (int)lua_rawlen(L, -1);
    if (options->ninput > MOST) luaL_error(L, "there may be at most %d inputs", MOST);
    brio_actuator_input *inputs = keep(L, keeper, ((size_t)options->ninput + 1) * sizeof *inputs);
    for (int i = 0; i < options->ninput; i++) {
      lua_rawgeti(L, -1, i + 1);
      inputs[i] = read_input(L, keeper);
      lua_pop(L, 1);
    }
    options->inputs = inputs;
  }
  lua_pop(L, 1);
}

/* The rows of the matrix of the coupling on top. */
static const double *read_matrix(lua_State *L, int keeper, int count) {
  double *matrix = keep(L, keeper, ((size_t)count * (size_t)count + 1) * sizeof *matrix);
  lua_getfield(L, -1, "matrix");
  luaL_checktype(L, -1, LUA_TTABLE);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    brio_lua_numbers(L, -1, count, matrix + i * count, "a row of a coupling's matrix");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return matrix;
}

/* couplings = list of {dofs =, matrix =}: motors that move several DOFs together. Raises unless each is of 2
** to BRIO_COUPLING_MOST DOFs. */
static void read_couplings(lua_State *L, int index, int keeper, brio_actuator_options *options) {
  static const char *const keys[] = {"dofs", "matrix", NULL};
  if (lua_getfield(L, index, "couplings") == LUA_TTABLE) {
    options->ncoupling = (int)lua_rawlen(L, -1);
    if (options->ncoupling > MOST) luaL_error(L, "there may be at most %d couplings", MOST);
    brio_actuator_coupling *couplings = keep(L, keeper, ((size_t)options->ncoupling + 1) * sizeof *couplings);
    for (int i = 0; i < options->ncoupling; i++) {
      lua_rawgeti(L, -1, i + 1);
      luaL_checktype(L, -1, LUA_TTABLE);
      brio_lua_only_keys(L, -1, keys, "a coupling");
      /* The DOFs first: their number is the size of the matrix. */
      couplings[i].axes = read_names(L, keeper, "dofs", &couplings[i].count);
      if (couplings[i].count < 2 || couplings[i].count > BRIO_COUPLING_MOST)
        luaL_error(L, "a coupling is of 2 to %d DOFs", BRIO_COUPLING_MOST);
      couplings[i].matrix = read_matrix(L, keeper, couplings[i].count);
      lua_pop(L, 1);
    }
    options->couplings = couplings;
  }
  lua_pop(L, 1);
}

void brio_lua_device_motors(lua_State *L, int index, brio_actuator_options *options) {
  /* The keeper stays on the stack: it holds the mappings for as long as the caller needs them. */
  lua_newtable(L);
  int keeper = lua_gettop(L);
  read_motors(L, index, keeper, options);
}

void brio_lua_device_options(lua_State *L, int index, brio_actuator_options *options) {
  lua_newtable(L);
  int keeper = lua_gettop(L);
  /* Devices come first: inputs name them, and the axes are known already. */
  read_devices(L, index, keeper, options);
  read_motors(L, index, keeper, options);
  read_couplings(L, index, keeper, options);
  read_all_gains(L, index, keeper, options);
  read_impedances(L, index, keeper, options);
  read_inputs(L, index, keeper, options);
}
