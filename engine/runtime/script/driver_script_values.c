/* Arguments and results of the functions of a driver in Lua: what goes onto the stack of its state, and what
** is read from it. */
#include <math.h>

#include "runtime/script/driver_script_internal.h"

/* Set a text field of the table on top. */
void brio_driver_set_text(lua_State *L, const char *key, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

/* Set a number of the table on top; NaN is left out, so that Lua sees nil. */
void brio_driver_set_number(lua_State *L, const char *key, double value) {
  if (isnan(value)) return;
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

/* Push the axes as a list of tables. */
void brio_driver_push_axes(lua_State *L, const brio_axis *axes, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 6);
    brio_driver_set_text(L, "name", axes[i].name);
    brio_driver_set_number(L, "lower", axes[i].lower);
    brio_driver_set_number(L, "upper", axes[i].upper);
    brio_driver_set_number(L, "velocity", axes[i].velocity);
    brio_driver_set_number(L, "acceleration", axes[i].acceleration);
    brio_driver_set_number(L, "start", axes[i].start);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Push {axis = {p =, ...}}, by the axes' names. */
static void push_gains(lua_State *L, const brio_driver_config *config, int count) {
  lua_newtable(L);
  /* By the names of the axes, each only with the gains that are set. */
  for (int i = 0; i < count && config->gains; i++) {
    lua_createtable(L, 0, 5);
    brio_driver_set_number(L, "p", config->gains[i].p);
    brio_driver_set_number(L, "i", config->gains[i].i);
    brio_driver_set_number(L, "d", config->gains[i].d);
    brio_driver_set_number(L, "velocity", config->gains[i].velocity);
    brio_driver_set_number(L, "acceleration", config->gains[i].acceleration);
    lua_setfield(L, -2, config->axes[i].name);
  }
}

/* Push {axis = {stiffness =, damping =, limit =}}: the greatest of axes that control their torque. */
static void push_impedances(lua_State *L, const brio_driver_config *config, int count) {
  lua_newtable(L);
  for (int i = 0; i < count && config->impedances; i++) {
    const brio_impedance *one = &config->impedances[i];
    if (!brio_impedance_is(one)) continue;
    lua_createtable(L, 0, 3);
    brio_driver_set_number(L, "stiffness", one->stiffness);
    brio_driver_set_number(L, "damping", one->damping);
    brio_driver_set_number(L, "limit", one->limit);
    lua_setfield(L, -2, config->axes[i].name);
  }
}

/* Push the argument of `configure`: watchdog, limits, gains, impedances, inputs. */
void brio_driver_push_config(lua_State *L, const brio_driver_config *config, int count) {
  lua_createtable(L, 0, 4);
  brio_driver_set_number(L, "watchdog", config->watchdog);
  lua_pushboolean(L, config->limits);
  lua_setfield(L, -2, "limits");
  push_gains(L, config, count);
  lua_setfield(L, -2, "gains");
  push_impedances(L, config, count);
  lua_setfield(L, -2, "impedances");
  lua_createtable(L, config->ninput, 0);
  for (int i = 0; i < config->ninput; i++) {
    lua_createtable(L, 0, 3);
    brio_driver_set_text(L, "name", config->inputs[i].name);
    brio_driver_set_text(L, "line", config->inputs[i].line);
    brio_driver_set_number(L, "width", config->inputs[i].width);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "inputs");
}

/* Push a list of numbers, with false for NaN, since nil would end the list. */
void brio_driver_push_list(lua_State *L, const double *values, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    if (isnan(values[i]))
      lua_pushboolean(L, 0);
    else
      lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Push a field of the table on top, without its metatable: what a driver returns must not call
** code. */
int brio_driver_push_field(lua_State *L, const char *key) {
  lua_pushstring(L, key);
  return lua_rawget(L, -2);
}

/* A number in a field of the table on top; NaN: the field has no number. */
double brio_driver_number_of(lua_State *L, const char *key) {
  double value = brio_driver_push_field(L, key) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
  lua_pop(L, 1);
  return value;
}

/* Convert the top of the stack into a state: a number is a position, a table has fields; anything else is
** an invalid state. */
brio_axis_state brio_driver_state_on_top(lua_State *L) {
  brio_axis_state state = {0};
  if (lua_type(L, -1) == LUA_TNUMBER)
    return (brio_axis_state){.position = lua_tonumber(L, -1), .valid = true};
  if (!lua_istable(L, -1)) return state;
  /* Which optional fields are known is recorded as bits. */
  const struct {
    const char *key;
    double *to;
    unsigned bit;
  } fields[] = {{"load", &state.load, BRIO_KNOWS_LOAD},
                {"current", &state.current, BRIO_KNOWS_CURRENT},
                {"temperature", &state.temperature, BRIO_KNOWS_TEMPERATURE},
                {"voltage", &state.voltage, BRIO_KNOWS_VOLTAGE},
                {"torque", &state.torque, BRIO_KNOWS_TORQUE}};
  /* Without a position the state is invalid; a missing velocity is 0. */
  state.position = brio_driver_number_of(L, "position");
  state.valid = !isnan(state.position);
  double velocity = brio_driver_number_of(L, "velocity");
  state.velocity = isnan(velocity) ? 0 : velocity;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    double value = brio_driver_number_of(L, fields[i].key);
    if (isnan(value)) continue;
    *fields[i].to = value;
    state.knows |= fields[i].bit;
  }
  return state;
}

/* Read up to `count` numbers of a list in a field of the table on top; what is missing stays NaN. */
void brio_driver_take_part(lua_State *L, const char *key, double *out, int count) {
  brio_driver_push_field(L, key);
  for (int i = 0; i < count && lua_istable(L, -1); i++) {
    if (lua_rawgeti(L, -1, i + 1) == LUA_TNUMBER) out[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* A table for an axis that controls its torque, the target of a position servo, and false for what stays as
** it is. */
void brio_driver_push_commands(lua_State *L, const brio_impedance_command *commands, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    const brio_impedance_command *one = &commands[i];
    if (isnan(one->target)) {
      lua_pushboolean(L, 0);
    } else if (!brio_impedance_is(&one->impedance)) {
      lua_pushnumber(L, one->target);
    } else {
      lua_createtable(L, 0, 6);
      brio_driver_set_number(L, "target", one->target);
      brio_driver_set_number(L, "speed", one->speed);
      brio_driver_set_number(L, "stiffness", one->impedance.stiffness);
      brio_driver_set_number(L, "damping", one->impedance.damping);
      brio_driver_set_number(L, "torque", one->impedance.torque);
      brio_driver_set_number(L, "limit", one->impedance.limit);
    }
    lua_rawseti(L, -2, i + 1);
  }
}
