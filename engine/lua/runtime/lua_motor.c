/* Translation of the motor side's options, orders, events and reports: see lua_motor.h. */
#include "lua/runtime/lua_motor.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "lua/drivers/lua_device.h"
#include "lua/lua_args.h"

enum { MOST_RULES = 256 };

/* The axis that the text on top names; raises when there is none. */
static int axis_on_top(lua_State *L, const brio_actuator *actuator, const char *what) {
  brio_error err;
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  int axis = name ? brio_actuator_find(actuator, name, &err) : -1;
  if (axis < 0) luaL_error(L, "%s: %s", what, name ? err.message : "the name of an axis was expected");
  return axis;
}

/* The axis that field `key` of the table on top names; raises when there is none. The stack is unchanged. */
static int field_axis(lua_State *L, const brio_actuator *actuator, const char *key, const char *what) {
  lua_getfield(L, -1, key);
  int axis = axis_on_top(L, actuator, what);
  lua_pop(L, 1);
  return axis;
}

/* filters = {axis = {stages =, tau =}}: two arrays, both in one userdata. */
static void read_filters(lua_State *L, int index, const brio_actuator *actuator,
                         brio_motor_options *options) {
  /* Room for a time constant (s) and a number of stages for each axis, all 0: no filter. It stays on the
  ** stack. */
  static const char *const keys[] = {"stages", "tau", NULL};
  int count;
  brio_actuator_axes(actuator, &count);
  double *tau = lua_newuserdatauv(L, ((size_t)count + 1) * (sizeof(double) + sizeof(int)), 0);
  int *stages = (int *)(tau + count + 1);
  memset(tau, 0, ((size_t)count + 1) * (sizeof(double) + sizeof(int)));
  options->tau = tau;
  options->stages = stages;
  if (lua_getfield(L, index, "filters") == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  luaL_checktype(L, -1, LUA_TTABLE);
  /* Each entry replaces the zeros of the axis that its key names. A time constant of 0 turns the
  ** filter off. */
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    int axis = axis_on_top(L, actuator, "filters");
    lua_pop(L, 1);
    luaL_checktype(L, -1, LUA_TTABLE);
    brio_lua_only_keys(L, -1, keys, "a filter");
    stages[axis] = (int)brio_lua_field_number(L, -1, "stages", 0, BRIO_LOWPASS_STAGES, 2);
    tau[axis] = brio_lua_field_number(L, -1, "tau", 0, 10, 0);
    if (!(tau[axis] > 0)) stages[axis] = 0, tau[axis] = 0;
  }
  lua_pop(L, 1);
}

/* The interlock that the table on top describes; raises on unknown kinds, axes and fields. Limits have the
** units of their axes, times are in s. A bound that is missing is infinite: it never applies. */
static brio_interlock read_rule(lua_State *L, const brio_actuator *actuator) {
  static const char *const keys[] = {"kind", "watched", "limited", "below", "above", "lower",   "upper",
                                     "load", "rest",    "after",   "ramp",  "keep",  "release", NULL};
  brio_error err;
  brio_interlock rule = {0};
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_lua_only_keys(L, -1, keys, "an interlock");
  /* The kind, and the two axes: the one that is observed and the one that is limited. */
  rule.kind = brio_interlock_find(brio_lua_field_text(L, -1, "kind", ""), &err);
  if (!rule.kind) luaL_error(L, "interlocks: %s", err.message);
  rule.watched = field_axis(L, actuator, "watched", "an interlock's `watched`");
  rule.limited = field_axis(L, actuator, "limited", "an interlock's `limited`");
  /* The bounds of the observed axis, then those of the limited one. */
  rule.below = brio_lua_field_number(L, -1, "below", -HUGE_VAL, HUGE_VAL, -HUGE_VAL);
  rule.above = brio_lua_field_number(L, -1, "above", -HUGE_VAL, HUGE_VAL, HUGE_VAL);
  rule.lower = brio_lua_field_number(L, -1, "lower", -HUGE_VAL, HUGE_VAL, -HUGE_VAL);
  rule.upper = brio_lua_field_number(L, -1, "upper", -HUGE_VAL, HUGE_VAL, HUGE_VAL);
  /* The extreme load in the device's unit, the position of rest, and the times (s) of the rule's phases. */
  rule.load = brio_lua_field_number(L, -1, "load", 0, HUGE_VAL, HUGE_VAL);
  rule.rest = brio_lua_field_number(L, -1, "rest", -1e9, 1e9, 0);
  rule.after = brio_lua_field_number(L, -1, "after", 0, 3600, 0);
  rule.ramp = brio_lua_field_number(L, -1, "ramp", 0, 3600, 0);
  rule.keep = brio_lua_field_number(L, -1, "keep", 0, 3600, 0);
  rule.release = brio_lua_field_number(L, -1, "release", 0, 3600, 0);
  return rule;
}

/* interlocks = list of rules: an array in a userdata that replaces the list on the stack. Absent: nil stays
** there, which brio_lua_motor_options allows for. */
static void read_rules(lua_State *L, int index, const brio_actuator *actuator, brio_motor_options *options) {
  if (lua_getfield(L, index, "interlocks") == LUA_TNIL) return;
  luaL_checktype(L, -1, LUA_TTABLE);
  options->nrule = (int)lua_rawlen(L, -1);
  if (options->nrule > MOST_RULES) luaL_error(L, "there may be at most %d interlocks", MOST_RULES);
  /* One more than needed, so that an empty list gets memory too. */
  brio_interlock *rules = lua_newuserdatauv(L, ((size_t)options->nrule + 1) * sizeof *rules, 0);
  for (int i = 0; i < options->nrule; i++) {
    lua_rawgeti(L, -2, i + 1);
    rules[i] = read_rule(L, actuator);
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
  options->rules = rules;
}

/* watch = {condition = {limit =, after =, reaction =}}. */
static void read_alarms(lua_State *L, int index, const brio_actuator *actuator, brio_motor_options *options) {
  static const char *const keys[] = {"limit", "after", "reaction", NULL};
  brio_error err;
  /* On real motors an alarm holds the motion by default; in simulation it is only reported. */
  const char *usual = brio_reaction_name(brio_actuator_simulated(actuator) ? BRIO_REACTION_REPORT
                                                                           : BRIO_REACTION_HOLD);
  if (lua_getfield(L, index, "watch") == LUA_TNIL) return;
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_alarm_setting *alarms = lua_newuserdatauv(L, BRIO_ALARM_KINDS * sizeof *alarms, 0);
  /* Begin with the default limit and delay of each condition. */
  for (int k = 0; k < BRIO_ALARM_KINDS; k++)
    alarms[k] = (brio_alarm_setting){brio_alarm_kinds[k].limit, brio_alarm_kinds[k].after,
                                     (brio_reaction)brio_reaction_find(usual, NULL)};
  /* Each entry of the table replaces the fields that it has. Stack: table, array, name, entry. */
  for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
    int k = lua_type(L, -2) == LUA_TSTRING ? brio_alarm_find(lua_tostring(L, -2), &err) : -1;
    if (k < 0)
      luaL_error(L, "watch: %s", lua_type(L, -2) == LUA_TSTRING ? err.message : "names were expected");
    luaL_checktype(L, -1, LUA_TTABLE);
    brio_lua_only_keys(L, -1, keys, lua_tostring(L, -2));
    alarms[k].limit = brio_lua_field_number(L, -1, "limit", -HUGE_VAL, HUGE_VAL, alarms[k].limit);
    alarms[k].after = brio_lua_field_number(L, -1, "after", 0, 3600, alarms[k].after);
    int reaction = brio_reaction_find(brio_lua_field_text(L, -1, "reaction", usual), &err);
    if (reaction < 0) luaL_error(L, "watch.%s: %s", lua_tostring(L, -2), err.message);
    alarms[k].reaction = (brio_reaction)reaction;
  }
  /* The array stays in place of the table. */
  lua_remove(L, -2);
  options->alarms = alarms;
}

/* gravity = list of axes whose feed-forward carries their weight. */
static void read_gravity(lua_State *L, int index, const brio_actuator *actuator,
                         brio_motor_options *options) {
  int count;
  brio_actuator_axes(actuator, &count);
  if (lua_getfield(L, index, "gravity") == LUA_TNIL) return;
  luaL_checktype(L, -1, LUA_TTABLE);
  bool *gravity = lua_newuserdatauv(L, (size_t)count + 1, 0);
  memset(gravity, 0, (size_t)count + 1);
  for (int i = 1; lua_rawgeti(L, -2, i) != LUA_TNIL; i++) {
    gravity[axis_on_top(L, actuator, "gravity")] = true;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  lua_remove(L, -2);
  options->gravity = gravity;
}

/* collisions = {thresholds = {axis = N m}, gain =, filter =, time =, release =, reaction =}. */
static void read_collisions(lua_State *L, int index, const brio_actuator *actuator,
                            brio_motor_options *options) {
  static const char *const keys[] = {"thresholds", "gain", "filter", "time", "release", "reaction", NULL};
  int count;
  brio_error err;
  brio_actuator_axes(actuator, &count);
  if (lua_getfield(L, index, "collisions") == LUA_TNIL) return;
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_lua_only_keys(L, -1, keys, "collisions");
  /* Options, and a threshold for each axis behind them; it takes the table's place on the stack. */
  brio_motor_collision_options *made =
      lua_newuserdatauv(L, sizeof *made + ((size_t)count + 1) * sizeof(double), 0);
  double *thresholds = (double *)(made + 1);
  lua_insert(L, -2);
  made->observer = brio_observer_default_options();
  made->observer.held = true;
  made->observer.thresholds = thresholds;
  made->observer.gain = brio_lua_field_number(L, -1, "gain", 0.1, 1000, made->observer.gain);
  made->observer.filter = brio_lua_field_number(L, -1, "filter", 0, 10, 0);
  made->observer.time = brio_lua_field_number(L, -1, "time", 0, 10, 0);
  made->observer.release = brio_lua_field_number(L, -1, "release", 0.01, 1, made->observer.release);
  int reaction = brio_reaction_find(brio_lua_field_text(L, -1, "reaction", "report"), &err);
  if (reaction < 0) luaL_error(L, "collisions: %s", err.message);
  made->reaction = (brio_reaction)reaction;
  for (int i = 0; i < count; i++) thresholds[i] = HUGE_VAL;
  if (lua_getfield(L, -1, "thresholds") != LUA_TTABLE) luaL_error(L, "collisions: thresholds are missing");
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    int axis = axis_on_top(L, actuator, "collisions");
    lua_pop(L, 1);
    thresholds[axis] = brio_lua_number(L, -1, 1e-6, HUGE_VAL, "a threshold");
  }
  lua_pop(L, 2);
  options->collisions = made;
}

brio_motor_options brio_lua_motor_options(lua_State *L, int index, const brio_actuator *actuator) {
  static const char *const keys[] = {"rate",    "armed",      "on_loss", "silence",
                                     "filters", "interlocks", "watch",   "gravity", "collisions", NULL};
  static const char *const losses[] = {"stop", "go_on", NULL};
  brio_motor_options options = {0};
  /* Without a table everything is 0, which stands for the motor side's defaults. */
  if (lua_isnoneornil(L, index)) return options;
  index = lua_absindex(L, index);
  luaL_checktype(L, index, LUA_TTABLE);
  luaL_checkstack(L, 16, "engine.new");
  brio_lua_only_keys(L, index, keys, "motor");
  /* The scalars: rate in Hz, silence in s. */
  options.rate = brio_lua_field_number(L, index, "rate", 50, 2000, 1000);
  options.silence = brio_lua_field_number(L, index, "silence", 0.02, 10, 0.1);
  options.armed = brio_lua_field_flag(L, index, "armed", false);
  /* on_loss is checked as an argument, so that an error lists both words. */
  lua_pushstring(L, brio_lua_field_text(L, index, "on_loss", "stop"));
  options.goes_on = luaL_checkoption(L, -1, NULL, losses) == 1;
  lua_pop(L, 1);
  /* Each of these leaves its memory on the stack, for as long as the caller needs the options. */
  read_filters(L, index, actuator, &options);
  read_rules(L, index, actuator, &options);
  read_alarms(L, index, actuator, &options);
  read_gravity(L, index, actuator, &options);
  read_collisions(L, index, actuator, &options);
  return options;
}

/* ---- orders ---- */

/* The commands below add or release causes for which the motion is held (motor/motion.h). "go_on" also
** releases a fault; only "release" ends a panic. */
static void order_hold(brio_motor *motor) { brio_motor_hold(motor, BRIO_MOTION_PERSON); }
static void order_go_on(brio_motor *motor) {
  brio_motor_release(motor, BRIO_MOTION_PERSON | BRIO_MOTION_FAULT | BRIO_MOTION_RELAX);
}
static void order_relax(brio_motor *motor) { brio_motor_hold(motor, BRIO_MOTION_PERSON | BRIO_MOTION_RELAX); }
bool brio_lua_motor_remap(lua_State *L, brio_motor *motor, const brio_actuator *actuator, int index,
                          brio_error *err) {
  /* Begin with the identity on every axis; both arrays live on the stack until the function returns. */
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(actuator, &count);
  brio_axis *names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
  brio_mapping *mappings = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *mappings, 0);
  for (int i = 0; i < count; i++) names[i] = axes[i].limits, mappings[i] = brio_mapping_identity();
  /* Read `motors` as brio.actuator.open does. Axes that it does not name keep the identity. */
  brio_actuator_options options = {.axes = names, .count = count};
  brio_lua_device_motors(L, index, &options);
  return brio_motor_remap(motor, options.mappings ? options.mappings : mappings, err);
}

bool brio_lua_motor_impede(lua_State *L, brio_motor *motor, const brio_actuator *actuator, int index,
                           brio_error *err) {
  static const char *const keys[] = {"stiffness", "damping", "torque", NULL};
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(actuator, &count);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    int axis = axis_on_top(L, actuator, "impede");
    lua_pop(L, 1);
    luaL_checktype(L, -1, LUA_TTABLE);
    brio_lua_only_keys(L, -1, keys, "an impedance");
    /* What is not said is the file's, and no torque. */
    brio_impedance asked = axes[axis].impedance;
    asked.stiffness = brio_lua_field_number(L, -1, "stiffness", -HUGE_VAL, HUGE_VAL, asked.stiffness);
    asked.damping = brio_lua_field_number(L, -1, "damping", -HUGE_VAL, HUGE_VAL, asked.damping);
    asked.torque = brio_lua_field_number(L, -1, "torque", -HUGE_VAL, HUGE_VAL, 0);
    if (!brio_motor_impede(motor, axis, &asked, err)) return false;
  }
  return true;
}

static void order_arm(brio_motor *motor) { brio_motor_arm(motor, true); }
static void order_disarm(brio_motor *motor) { brio_motor_arm(motor, false); }

static void order_release(brio_motor *motor) {
  brio_motor_release(motor, BRIO_MOTION_PERSON | BRIO_MOTION_FAULT | BRIO_MOTION_RELAX | BRIO_MOTION_PANIC);
}

/* The motor side adds the cause of the panic itself, and brakes at once. */
static void order_panic(brio_motor *motor) { brio_motor_panic(motor); }

void brio_lua_motor_order(lua_State *L, brio_motor *motor, const char *word) {
  static const struct {
    const char *word;
    void (*give)(brio_motor *motor);
  } orders[] = {{"hold", order_hold},       {"go_on", order_go_on}, {"relax", order_relax},
                {"release", order_release}, {"arm", order_arm},     {"disarm", order_disarm},
                {"panic", order_panic}};
  /* Seven words: linear search. */
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    if (strcmp(orders[i].word, word) != 0) continue;
    orders[i].give(motor);
    return;
  }
  luaL_error(L, "the motors know no '%s': hold, go_on, relax, release, arm, disarm or panic", word);
}

/* ---- events and reports ---- */

/* Set a boolean field of the table on top. */
static void set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

void brio_lua_motor_push_event(lua_State *L, brio_motor *motor) {
  brio_motor_event event;
  /* The sentence that people read; the buffer holds the longest one. */
  char text[1600];
  if (!brio_motor_event_next(motor, &event)) {
    lua_pushnil(L);
    return;
  }
  brio_motor_event_text(motor, &event, text, sizeof text);
  lua_createtable(L, 0, 4);
  brio_lua_set_text(L, "name", brio_motor_event_name(&event));
  brio_lua_set_text(L, "severity", brio_motor_event_severity(&event));
  brio_lua_set_text(L, "text", text);
  brio_lua_set_number(L, "time", event.time);
  if (event.kind != BRIO_MOTOR_COLLISION) return;
  brio_lua_set_text(L, "axis", brio_motor_axis_name(motor, event.which));
  brio_lua_set_number(L, "torque", event.value);
  brio_lua_set_number(L, "threshold", event.limit);
}

/* Set the counters of a device's driver as fields of the table on top. */
static void push_counts(lua_State *L, const brio_driver_counts *counts) {
  brio_lua_set_integer(L, "retries", counts->retries);
  brio_lua_set_integer(L, "timeouts", counts->timeouts);
  brio_lua_set_integer(L, "refused", counts->refused);
  brio_lua_set_integer(L, "strays", counts->strays);
}

/* Push a list with the status of each device. Fields that have no meaning for a device are absent: times of
** a cycle without a thread, counters that the driver does not have, an empty description or error. */
static void push_devices(lua_State *L, const brio_motor *motor) {
  bool threaded = brio_motor_report_now(motor).threaded;
  lua_createtable(L, brio_motor_devices(motor), 0);
  for (int i = 0; i < brio_motor_devices(motor); i++) {
    brio_motor_device device = brio_motor_device_now(motor, i);
    /* Identity and state; the rate in Hz is an average. */
    lua_createtable(L, 0, 16);
    brio_lua_set_text(L, "name", device.name);
    brio_lua_set_text(L, "driver", device.driver);
    set_flag(L, "lost", device.lost);
    if (device.open_loop) set_flag(L, "open_loop", true);
    brio_lua_set_number(L, "rate", device.rate);
    /* Exchanges with the device so far, those that failed, and how often it was lost. */
    brio_lua_set_integer(L, "exchanges", device.stats.exchanges);
    brio_lua_set_integer(L, "failures", device.stats.failures);
    brio_lua_set_integer(L, "losses", device.stats.losses);
    /* Times of a cycle in ms, measured in the device's own thread. */
    if (threaded) brio_lua_set_number(L, "slowest_ms", device.stats.slowest * 1e3);
    if (threaded) brio_lua_set_number(L, "typical_ms", device.stats.typical * 1e3);
    if (device.counts) push_counts(L, &device.stats.counts);
    if (device.words[0]) brio_lua_set_text(L, "words", device.words);
    if (device.error.code != BRIO_OK) brio_lua_set_text(L, "error", device.error.message);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Push the list of causes that hold the motors until a person releases them. */
static void push_causes(lua_State *L, unsigned causes) {
  static const char *const names[] = {"person", "fault", "panic", "resync", "relax", "disarm", "wait"};
  /* Bit i of the causes has name i. Resync and wait are left out: they end by themselves. */
  causes &= ~(unsigned)(BRIO_MOTION_RESYNC | BRIO_MOTION_WAIT);
  lua_newtable(L);
  for (int i = 0, n = 0; i < (int)(sizeof names / sizeof *names); i++)
    if (causes & 1u << i) {
      lua_pushstring(L, names[i]);
      lua_rawseti(L, -2, ++n);
    }
}

/* Set field `key` of the table on top to the median and the 99th percentile (us) of a stage. */
static void push_share(lua_State *L, const char *key, const brio_motor_share *share) {
  lua_createtable(L, 0, 2);
  brio_lua_set_number(L, "p50_us", share->p50);
  brio_lua_set_number(L, "p99_us", share->p99);
  lua_setfield(L, -2, key);
}

/* Set how many collisions there were, and the one that acts now. */
static void push_collisions(lua_State *L, const brio_motor *motor, const brio_motor_report *r) {
  brio_lua_set_integer(L, "collisions", r->collisions);
  if (r->collision_axis < 0) return;
  lua_createtable(L, 0, 3);
  brio_lua_set_text(L, "axis", brio_motor_axis_name(motor, r->collision_axis));
  brio_lua_set_number(L, "torque", r->collision_torque);
  brio_lua_set_number(L, "threshold", r->collision_limit);
  lua_setfield(L, -2, "collision");
}

void brio_lua_motor_push_report(lua_State *L, const brio_motor *motor) {
  brio_motor_report r = brio_motor_report_now(motor);
  lua_createtable(L, 0, 20);
  /* The state of the motor side: flags, and the causes that hold it. */
  set_flag(L, "armed", r.armed);
  set_flag(L, "rests", r.settled);
  set_flag(L, "silent", r.silent);
  set_flag(L, "threaded", r.threaded);
  set_flag(L, "realtime", r.realtime);
  set_flag(L, "memory_locked", r.memory_locked);
  push_causes(L, r.causes);
  lua_setfield(L, -2, "held_by");
  set_flag(L, "waits", (r.causes & BRIO_MOTION_WAIT) != 0);
  /* Counters since the start: periods of the motors, then poses and how they were treated. */
  brio_lua_set_integer(L, "periods", r.periods);
  brio_lua_set_integer(L, "lost", r.lost);
  brio_lua_set_integer(L, "taken", r.taken);
  brio_lua_set_integer(L, "stale", r.stale);
  brio_lua_set_integer(L, "refused", r.refused);
  brio_lua_set_integer(L, "clamped", r.clamped);
  brio_lua_set_integer(L, "dropped", r.dropped);
  brio_lua_set_integer(L, "stretched", r.stretched);
  brio_lua_set_integer(L, "tracked", r.tracked);
  brio_lua_set_integer(L, "braked", r.braked);
  /* How late the thread woke, and from handing over to the driver's call, in us. */
  brio_lua_set_number(L, "late_p50_us", r.late_p50);
  brio_lua_set_number(L, "late_p99_us", r.late_p99);
  brio_lua_set_number(L, "late_max_us", r.late_max);
  brio_lua_set_number(L, "call_p50_us", r.call_p50);
  brio_lua_set_number(L, "call_p99_us", r.call_p99);
  brio_lua_set_number(L, "call_max_us", r.call_max);
  push_share(L, "call_wait", &r.wait);
  push_share(L, "call_work", &r.work);
  push_share(L, "call_wake", &r.wake);
  push_devices(L, motor);
  lua_setfield(L, -2, "devices");
  if (r.watches) push_collisions(L, motor, &r);
}
