/* brio.engine: the tick and the loop (runtime/engine.h), created by lua/brio/run/runner.lua. */
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "lua/drivers/lua_actuator.h"
#include "lua/feed/lua_feed.h"
#include "lua/lua_args.h"
#include "lua/motion/lua_player.h"
#include "lua/runtime/lua_front.h"
#include "lua/runtime/lua_motor.h"
#include "lua/runtime/lua_tape.h"
#include "lua/scene/lua_scene.h"
#include "lua/solver/lua_solver.h"
#include "lua/store/lua_store.h"
#include "lua/world/lua_world.h"
#include "runtime/engine.h"
#include "runtime/script/script.h"

#define CLASS "brio.engine"

typedef struct engine_box {
  brio_engine *engine;
  lua_State *L;       /* the state of its callbacks */
  double budget;      /* s of CPU time for a tick of the scripts */
  int64_t next_idle;  /* ns: when idle may be called again */
  bool failed;        /* a callback failed: its message is the field `failure` of uservalue 1 */
} engine_box;

/* User value 1 of the box: a table with the parts, which keeps them alive, and the callbacks. */
static void push_part(lua_State *L, int box, const char *name) {
  lua_getiuservalue(L, box, 1);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

/* The engine's box at argument `arg`; raises when it was closed. */
static engine_box *box_at(lua_State *L, int arg) {
  engine_box *box = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, box->engine, arg, "the engine was closed");
  return box;
}

/* Call work(time, dt) of the scripts; the run has ended when it returns false or fails. */
static bool work(void *context, double time, double dt) {
  engine_box *box = context;
  lua_State *L = box->L;
  /* The registry holds the box under its address, and the box holds the function. */
  lua_rawgetp(L, LUA_REGISTRYINDEX, box);
  push_part(L, -1, "work");
  lua_pushnumber(L, time);
  lua_pushnumber(L, dt);
  /* Interruptions of the scripts by the budget are noted on the engine's tape, or replayed from it. */
  brio_tape *before = brio_script_tape(brio_engine_tape(box->engine));
  bool good = brio_script_call(L, 2, 1, box->budget), goes_on = good && lua_toboolean(L, -1);
  brio_script_tape(before);
  /* Keep the message for raise_failure: no error may pass through the engine, which called this. */
  if (!good) {
    lua_getiuservalue(L, -2, 1);
    lua_insert(L, -2);
    lua_setfield(L, -2, "failure");
    box->failed = true;
  }
  lua_pop(L, 2);
  return goes_on;
}

/* Call the function of a script's stage, stage(number). */
static void stage(void *context, int number) {
  engine_box *box = context;
  lua_State *L = box->L;
  /* Without a stage function nothing is called; a failure of one is dropped with its message. */
  lua_rawgetp(L, LUA_REGISTRYINDEX, box);
  push_part(L, -1, "stage");
  lua_pushinteger(L, number);
  if (lua_isnil(L, -2)) lua_pop(L, 2);
  else if (!brio_script_call(L, 1, 0, box->budget)) lua_pop(L, 1);
  lua_pop(L, 1);
}

enum { IDLE_EVERY_MS = 200 };

/* Let the scripts use the slack, in seconds, if they have work for it. */
static void slack(engine_box *box, double seconds) {
  lua_State *L = box->L;
  /* Like stage: optional, and failures are dropped. The budget of 1 s only stops endless loops. */
  lua_rawgetp(L, LUA_REGISTRYINDEX, box);
  push_part(L, -1, "slack");
  lua_pushnumber(L, seconds);
  if (lua_isnil(L, -2)) lua_pop(L, 2);
  else if (!brio_script_call(L, 1, 0, 1)) lua_pop(L, 1);
  lua_pop(L, 1);
}

/* Use the slack, collect garbage in it, and at intervals let the scripts show their status. */
static void idle(void *context, int64_t budget_ns) {
  engine_box *box = context;
  /* First the scripts' own work in the slack. */
  int64_t began = brio_clock_monotonic();
  slack(box, (double)budget_ns * 1e-9);
  /* Then the collector, for what is left of the slack; with no time limit on the fast clock. */
  int64_t now = brio_clock_monotonic(), left = budget_ns - (now - began);
  brio_script_collect(box->L, budget_ns == 0 ? 0 : left > 0 ? left : -1);
  now = brio_clock_monotonic();
  /* Then the status line, at most every 200 ms of real time. */
  if (budget_ns <= 0 || now < box->next_idle) return;
  box->next_idle = now + (int64_t)IDLE_EVERY_MS * 1000000;
  lua_rawgetp(box->L, LUA_REGISTRYINDEX, box);
  push_part(box->L, -1, "idle");
  if (lua_isnil(box->L, -1)) lua_pop(box->L, 1);
  else if (!brio_script_call(box->L, 0, 0, 1)) lua_pop(box->L, 1);
  lua_pop(box->L, 1);
}

/* rest = {axis = value}: an array in a userdata that is left on the stack; axes that are not named rest at
** their start. The engine copies it. */
static const double *read_rest(lua_State *L, const brio_actuator *actuator) {
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(actuator, &count);
  if (lua_getfield(L, 1, "rest") == LUA_TNIL) return NULL;
  luaL_checktype(L, -1, LUA_TTABLE);
  double *rest = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *rest, 0);
  /* Every axis by its name; those that are absent rest where they start. */
  for (int i = 0; i < count; i++)
    rest[i] = brio_lua_field_number(L, -2, axes[i].limits.name, -1e9, 1e9, axes[i].limits.start);
  return rest;
}

/* Read the argument of engine.new at index 1; the stack keeps the memory that the parts point to. Raises on
** errors, and on a part that was closed. */
static brio_engine_parts read_parts(lua_State *L, engine_box *box) {
  static const char *const keys[] = {"solver", "scene", "actuator", "store", "rate", "work",
                                     "idle",   "slack", "budget",   "motor", "rest", "player",
                                     "stage",  "world", "feeds",    "tape",  NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "engine.new");
  /* The callbacks of this file find the box in their context. */
  brio_engine_parts parts = {.work = work, .idle = idle, .stage = stage, .context = box};
  parts.rate = brio_lua_field_number(L, 1, "rate", 1, 2000, 200);
  box->budget = brio_lua_field_number(L, 1, "budget", 0, 3600, 0);
  /* The required parts; the store is optional. They are popped: the argument keeps them alive. */
  lua_getfield(L, 1, "solver");
  parts.solver = brio_lua_solver_check(L, -1);
  lua_getfield(L, 1, "scene");
  parts.scene = brio_lua_scene_check(L, -1);
  lua_getfield(L, 1, "actuator");
  parts.actuator = brio_lua_actuator_check(L, -1);
  if (lua_getfield(L, 1, "store") != LUA_TNIL) parts.store = brio_lua_store_writer_check(L, -1);
  if (lua_getfield(L, 1, "work") != LUA_TFUNCTION) luaL_error(L, "engine.new: work must be a function");
  lua_pop(L, 5);
  /* Parts that a run may do without. */
  if (lua_getfield(L, 1, "player") != LUA_TNIL) parts.player = brio_lua_player_check(L, -1);
  lua_pop(L, 1);
  if (lua_getfield(L, 1, "world") != LUA_TNIL) parts.world = brio_lua_world_check(L, -1);
  lua_pop(L, 1);
  if (lua_getfield(L, 1, "feeds") != LUA_TNIL) parts.feeds = brio_lua_feeds_check(L, -1);
  lua_pop(L, 1);
  if (lua_getfield(L, 1, "tape") != LUA_TNIL) parts.tape = brio_lua_tape_check(L, -1);
  lua_pop(L, 1);
  /* These point into userdata that stay on the stack until the engine has copied them. */
  parts.rest = read_rest(L, parts.actuator);
  lua_getfield(L, 1, "motor"); /* memory that its options point to stays on the stack */
  parts.motor = brio_lua_motor_options(L, -1, parts.actuator);
  return parts;
}

/* engine.new{solver=, scene=, actuator=, work=function(time, dt), [store=, rate=, idle=, slack=, budget=,
** motor=, rest=, player=, stage=, world=, feeds=, tape=]} -> engine
** Create an engine.  `work` does the scripts' part of a tick and returns false at the end of the run; `slack`
** is called after each tick with the seconds it may take, `idle` a few times a second after it; `budget` is
** the CPU time in seconds that `work` may take (0: no end); `motor` is a table of the motor side's options:
** rate (Hz), armed, on_loss ("stop" or "go_on"), silence (s), filters ({axis = {stages =, tau =}}),
** interlocks (a list of {kind =, watched =, limited =, ...}), watch ({condition = {limit =, after =, reaction
** =}}), gravity (a list of axes that control their torque and carry their weight), collisions ({thresholds =
** {axis = N m}, gain, filter, time, release, reaction}); `rest` is {axis = value}, the pose at the end of a
** run; `player` (brio.player) plays tracks on the actuator's axes, and `stage` is called with the number of a
** script's stage of its combination; `world` (brio.world) is the simulated world of the robot's hands;
** `feeds` (brio.feed.group) update the scene in each tick; `tape` (brio.tape) notes the inputs, or replays
** them. */
static int new(lua_State *L) {
  /* The box comes first: if a part raises below, there is only an empty box to collect. */
  engine_box *box = lua_newuserdatauv(L, sizeof *box, 1);
  *box = (engine_box){0};
  luaL_setmetatable(L, CLASS);
  int at = lua_gettop(L);
  brio_engine_parts parts = read_parts(L, box);
  brio_error err;
  box->engine = brio_engine_new(&parts, &err);
  if (!box->engine) return brio_lua_failed(L, &err);
  lua_settop(L, at);
  /* Copy the argument's fields into a table of the box: they keep the parts alive, and hold the
  ** callbacks. */
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1);) { /* box parts key value */
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_setiuservalue(L, -2, 1);
  /* Callbacks run in the main thread of the state: the coroutine that calls this may end before the run
  ** does. */
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  box->L = lua_tothread(L, -1);
  lua_pop(L, 1);
  lua_pushvalue(L, -1); /* the registry holds the box until close: its callbacks find it there */
  lua_rawsetp(L, LUA_REGISTRYINDEX, box);
  return 1;
}

/* Raise the error of a callback, if one failed. */
static void raise_failure(lua_State *L, engine_box *box) {
  if (!box->failed) return;
  box->failed = false;
  push_part(L, 1, "failure");
  lua_error(L);
}

/* engine:tick() -> goes_on
** Do one tick, a period of robot time after the last; false: the run has ended. */
static int tick(lua_State *L) {
  engine_box *box = box_at(L, 1);
  brio_script_collect_seldom(L);
  lua_pushboolean(L, brio_engine_tick(box->engine, 1));
  raise_failure(L, box);
  return 1;
}

/* engine:again() -> goes_on
** Replay a tick of the tape, and the work in the slack after it; false: the run has ended. */
static int again(lua_State *L) {
  engine_box *box = box_at(L, 1);
  brio_script_collect_seldom(L);
  lua_pushboolean(L, brio_engine_again(box->engine));
  raise_failure(L, box);
  return 1;
}

/* engine:run(seconds, fast) -> true | nil, sentence, code
** Tick until the scripts end the run; after `seconds` (0: never), or at an interrupt, they are requested to
** stop.  With `fast` as quickly as the machine allows. */
static int run(lua_State *L) {
  engine_box *box = box_at(L, 1);
  double seconds = brio_lua_number(L, 2, 0, 1e9, "seconds");
  brio_error err;
  /* During a run the collector only works in the slack, in steps that delay no tick. */
  lua_gc(L, LUA_GCSTOP);
  brio_script_collect_finely(L);
  bool good = brio_engine_run(box->engine, seconds, lua_toboolean(L, 3), &err);
  lua_gc(L, LUA_GCRESTART);
  brio_script_spare(L); /* mostly the program ends now */
  if (!good) return brio_lua_failed(L, &err);
  raise_failure(L, box);
  lua_pushboolean(L, 1);
  return 1;
}

/* engine:stop(why)
** Request the end of the run. */
static int stop(lua_State *L) {
  static const char *const reasons[] = {"script", "time", "signal", "operator", "physics", NULL};
  brio_engine_stop(box_at(L, 1)->engine, reasons[luaL_checkoption(L, 2, "script", reasons)]);
  return 0;
}

/* engine:stopping() -> text
** The reason why the run should end: "time", "signal", "operator", "script" or "physics"
** (the simulation has stopped); "": none. */
static int stopping(lua_State *L) {
  lua_pushstring(L, brio_engine_stopping(box_at(L, 1)->engine));
  return 1;
}

/* engine:order(word)
** Commands the motor side: "hold" (slow down along the path, and rest), "go_on" (also after a fault), "relax"
** (rest, then release the motors), "panic" (brake at once, and hold), "release" (from a panic, and all other
** causes), "arm", "disarm" (rest, then send the motors no commands). It takes effect within a period of the
** motors. */
static int order(lua_State *L) {
  brio_lua_motor_order(L, brio_engine_motor(box_at(L, 1)->engine), luaL_checkstring(L, 2));
  return 0;
}

/* engine:remap(options) -> true | nil, sentence, code
** Changes the mappings of motors to options.motors, as in brio.actuator.open. Each device is opened again.
** Refused (misuse) while the motors are armed. */
static int remap(lua_State *L) {
  const brio_engine *engine = box_at(L, 1)->engine;
  brio_error err;
  luaL_checktype(L, 2, LUA_TTABLE);
  /* The actuator names the axes for which the mappings are read. */
  push_part(L, 1, "actuator");
  const brio_actuator *actuator = brio_lua_actuator_check(L, -1);
  if (!brio_lua_motor_remap(L, brio_engine_motor(engine), actuator, 2, &err)) {
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    lua_pushstring(L, "misuse");
    return 3;
  }
  lua_pushboolean(L, 1);
  return 1;
}

/* engine:impede{axis = {stiffness =, damping =, torque =}, ...}
** Asks for the impedances of axes whose motors control their torque (`control` in the robot's file), from the
** next pose on: stiffness and damping up to those of the file, which they are without a word (N m/rad, N m
** s/rad; of slides N/m, N s/m), and a feed-forward torque (N m or N; 0), which is added to the weight and
** bounded by the limit of the file. Raises on a position servo or a number out of range. */
static int impede(lua_State *L) {
  const brio_engine *engine = box_at(L, 1)->engine;
  brio_error err;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  push_part(L, 1, "actuator");
  const brio_actuator *actuator = brio_lua_actuator_check(L, -1);
  if (!brio_lua_motor_impede(L, brio_engine_motor(engine), actuator, 2, &err))
    return luaL_error(L, "%s", err.message);
  return 0;
}

/* engine:lives() -> true or false
** Whether the motor side has threads or devices of its own, so that its reports go on the tape;
** known from the first tick on. */
static int lives(lua_State *L) {
  lua_pushboolean(L, brio_engine_lives(box_at(L, 1)->engine));
  return 1;
}

/* engine:motor_event() -> {name, severity, text, time, [axis, torque, threshold]} or nil
** The next event of the motor side: a lost device, an alarm, a panic, a collision (with its axis, and N m or
** N), ... */
static int motor_event(lua_State *L) {
  brio_lua_motor_push_event(L, brio_engine_motor(box_at(L, 1)->engine));
  return 1;
}

/* engine:motors() -> table
** The status of the motor side: armed, rests, silent, threaded, realtime, memory_locked, held_by (a list:
** "person", "fault", "panic", "relax", "disarm"), waits (for a late device); periods done and lost; poses
** taken, stale (computed from another path), refused, clamped, dropped (they could not be followed),
** stretched; ticks of braking that were inserted since no pose came (braked), periods off the path through
** the poses (tracked); late_p50_us, late_p99_us, late_max_us; call_p50_us, call_p99_us, call_max_us (from a
** tick's handing over to the driver's call), and of that call_wait (until the motors' next period), call_work
** (in it) and call_wake (until the device's thread runs), each {p50_us, p99_us}; devices, a list of
** {name, driver, lost, rate, exchanges, failures, losses, words, error, with threads slowest_ms and
** typical_ms (of a cycle), with a driver that counts retries, timeouts, refused, strays}; where they are
** watched for, collisions so far, and the present one: collision, {axis, torque, threshold}. */
static int motors(lua_State *L) {
  brio_lua_motor_push_report(L, brio_engine_motor(box_at(L, 1)->engine));
  return 1;
}

/* engine:show(front)
** Let clients of a front (brio.front) request frames of the positions of all axes. */
static int show(lua_State *L) {
  brio_engine *engine = box_at(L, 1)->engine;
  brio_front_show(brio_lua_front_check(L, 2), brio_motor_live(brio_engine_motor(engine)));
  return 0;
}

/* Set a number field of the table on top. */
static void set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

/* Kilobytes of resident memory of the process. */
static double resident_kb(void) {
  /* The second number of statm is the resident size in pages. */
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1024;
}

/* Set the field `stages` of the table on top: the times of each stage. */
static void set_stages(lua_State *L, const brio_engine *engine) {
  /* CPU times: percentiles in us, the total in ms. */
  brio_engine_stage stages[BRIO_ENGINE_STAGES];
  int count = brio_engine_stages(engine, stages);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 5);
    lua_pushstring(L, stages[i].name);
    lua_setfield(L, -2, "name");
    set_number(L, "p50_us", stages[i].p50);
    set_number(L, "p99_us", stages[i].p99);
    set_number(L, "max_us", stages[i].max);
    set_number(L, "total_ms", stages[i].total * 1e-3);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "stages");
}

/* engine:report() -> table
** The statistics of the run so far: ticks, late_ticks, time (s), tick_p50_us, tick_p99_us, tick_max_us,
** first_tick (s of the monotonic clock), commands (hex digest of every command), resident_kb, rest (the
** result of going to the pose of rest at the end, if there is one: "there", "disarmed", "held", "blocked",
** "interrupted", "late"), and stages: a list {name, p50_us, p99_us, max_us, total_ms} of CPU times, in the
** tick's order: sense, scripts, solve, command, record (with a store), and the slack after it. */
static int report(lua_State *L) {
  const brio_engine *engine = box_at(L, 1)->engine;
  brio_engine_report r = brio_engine_look(engine);
  /* Counters and times of ticks (us), and the clock and memory at this moment. */
  lua_newtable(L);
  lua_pushinteger(L, r.ticks);
  lua_setfield(L, -2, "ticks");
  lua_pushinteger(L, r.late_ticks);
  lua_setfield(L, -2, "late_ticks");
  set_number(L, "time", r.time);
  set_number(L, "tick_p50_us", r.tick_p50);
  set_number(L, "tick_p99_us", r.tick_p99);
  set_number(L, "tick_max_us", r.tick_max);
  set_number(L, "first_tick", r.first_tick);
  set_number(L, "resident_kb", resident_kb());
  /* As 16 hex digits: a Lua integer of 64 bits would be signed. */
  char digest[17];
  snprintf(digest, sizeof digest, "%016llx", (unsigned long long)r.commands);
  lua_pushstring(L, digest);
  lua_setfield(L, -2, "commands");
  lua_pushstring(L, r.rest);
  lua_setfield(L, -2, "rest");
  set_stages(L, engine);
  return 1;
}

/* Free the engine and remove the box from the registry, so that it and its parts can be collected. */
static void close_box(lua_State *L, engine_box *box) {
  brio_engine_free(box->engine);
  box->engine = NULL;
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, box);
}

/* engine:close()
** Free the engine and release its parts. */
static int close_engine(lua_State *L) {
  close_box(L, box_at(L, 1));
  return 0;
}

/* __gc: the registry holds an open box, so this one is closed, or the state ends. */
static int collect(lua_State *L) {
  engine_box *box = luaL_checkudata(L, 1, CLASS);
  if (box->engine) close_box(L, box);
  return 0;
}

int luaopen_brio_engine(lua_State *L) {
  static const luaL_Reg methods[] = {{"tick", tick},
                                     {"again", again},
                                     {"run", run},
                                     {"stop", stop},
                                     {"stopping", stopping},
                                     {"report", report},
                                     {"close", close_engine},
                                     {"order", order},
                                     {"remap", remap},
                                     {"impede", impede},
                                     {"motors", motors},
                                     {"motor_event", motor_event},
                                     {"lives", lives},
                                     {"show", show},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
