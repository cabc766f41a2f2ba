/* The Lua state of a device: its memory, its budget, and the calls of the driver's functions with their
** arguments and results. See driver_script.h. All calls come from the device's own thread.
**
** A count hook is always set here, which halves Lua's speed, because a driver waits in its calls: the watch
** of script.h counts CPU time only, and a loop around a short wait would never use that up. */
#include "runtime/script/driver_script.h"

#include <assert.h>
#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "runtime/script/compiled.h"
#include "runtime/script/driver_script_internal.h"
#include "runtime/script/script.h"

enum { BLOCK = 4096, MAX_ROWS = 64, EVERY = 500 /* instructions */ };
enum { MAX_MEMORY = 32 << 20 };

/* Time that one call may use, s: of a processor, and by the clock. */
typedef struct budget {
  double cpu, wall;
} budget;

static const budget to_open = {2, 15}, to_work = {0.25, 1};

struct brio_driver_script {
  brio_driver_kind kind;  /* first: the record is cast back to its script */
  brio_arena arena;
  brio_driver_script_place place;
  const char *file;
  brio_driver_setting *settings; /* ends at name == NULL */
  brio_driver_text *texts;       /* likewise */
};

/* One device's Lua state. */
typedef struct machine {
  lua_State *L;
  size_t memory;          /* bytes in use */
  int64_t cpu_end, end;   /* ns: limits of the running call */
  bool calls;             /* a call runs: memory is limited */
  const char *why;        /* the running call must end; NULL: it may continue */
  int count;              /* axes */
  const brio_driver_config *config;
} machine;

/* ---- the state ---- */

/* The allocator of a state: the heap, within a call up to MAX_MEMORY in all. */
static void *allocate(void *context, void *block, size_t before, size_t size) {
  machine *m = context;
  /* For a new block Lua passes a type in `before`, not a size. */
  if (!block) before = 0;
  if (m->calls && size > before && m->memory + (size - before) > MAX_MEMORY) return NULL;
  /* A refused growth leaves the old block. */
  void *moved = size == 0 ? NULL : realloc(block, size);
  if (size == 0) free(block);
  if (moved || size == 0) m->memory += size - before;
  return moved;
}

/* The hook: raise when the running call is out of time. From then on it runs at every instruction, so that
** a pcall cannot swallow the error. */
static void check_budget(lua_State *L, lua_Debug *ar) {
  machine *m = *(machine **)lua_getextraspace(L);
  (void)ar;
  /* CPU time for loops, the clock for waits; the first reason counts. */
  if (!m->why && brio_clock_thread_cpu() > m->cpu_end)
    m->why = "it used up its time budget (an endless loop?)";
  if (!m->why && brio_clock_monotonic() > m->end) m->why = "it waited for too long";
  if (!m->why) return;
  /* From now on at every instruction. */
  lua_sethook(L, check_budget, LUA_MASKCOUNT, 1);
  luaL_error(L, "%s", m->why);
}

/* Set up the state (run in protected mode) and call open(file, seed) of brio.devices.driver_host; its three
** results stay on the stack. */
static int open_state(lua_State *L) {
  const brio_driver_script *script = lua_touserdata(L, 1);
  /* Search paths of the run that opened the driver, the compiled library, and brio.core compiled in. */
  luaL_openlibs(L);
  brio_compiled_first(L);
  lua_getglobal(L, "package");
  brio_driver_set_text(L, "path", script->place.path);
  brio_driver_set_text(L, "cpath", script->place.cpath);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, script->place.core);
  lua_setfield(L, -2, "brio.core");
  lua_getglobal(L, "require");
  lua_pushliteral(L, "brio.core");
  lua_call(L, 1, 0);
  /* open(file, seed): its results are those of this function. */
  lua_getglobal(L, "require");
  lua_pushliteral(L, "brio.devices.driver_host");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "open");
  lua_pushstring(L, script->file);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 3);
  return 3;
}

/* Turn a traceback into part of a sentence: its head becomes "(", its lines are joined by "; ". */
static void to_sentence(const char *text, char *out, size_t size) {
  static const char head[] = "\nstack traceback:\n\t";
  size_t n = 0;
  bool inside = false;
  /* Room for two characters and the closing parenthesis. */
  for (; *text && n + 3 < size; text++) {
    bool begins = strncmp(text, head, sizeof head - 1) == 0;
    if (begins) text += sizeof head - 2, inside = true;
    if (begins || *text == '\n') {
      out[n++] = begins ? ' ' : ';';
      out[n++] = begins ? '(' : ' ';
    } else if (*text != '\t') {
      out[n++] = *text;
    }
  }
  if (inside) out[n++] = ')';
  out[n] = 0;
}

/* The error code of that name; an unknown name is the code `device`. */
static brio_code code_named(const char *name) {
  for (int code = BRIO_MISUSE; name && code < BRIO_NCODE; code++)
    if (strcmp(brio_code_name(code), name) == 0) return code;
  return BRIO_DEVICE;
}

/* The message handler of calls. */
static int with_traceback(lua_State *L) {
  lua_settop(L, 1);
  brio_script_traceback(L, L, 1);
  return 1;
}

/* Turn what a call raised into an error: too much memory, too much time, or the driver's own. Returns
** false. */
static bool raised(machine *m, int status, brio_error *err) {
  brio_error said;
  const char *text = lua_tostring(m->L, -1);
  to_sentence(text ? text : "an error whose text could not be made", said.message, sizeof said.message);
  if (status == LUA_ERRMEM) brio_fail(err, BRIO_LIMIT, "the driver holds more than %d MB", MAX_MEMORY >> 20);
  else brio_fail(err, m->why ? BRIO_LIMIT : BRIO_DEVICE, "%.1000s", said.message);
  return false;
}

/* Call the function below its `nargs` arguments, within a budget. True: three results are on the stack.
** False: it raised, or returned nil (or false) and a sentence. */
static bool call(machine *m, int nargs, const budget *may, brio_error *err) {
  lua_State *L = m->L;
  assert(m->L && !m->calls && nargs >= 0 && lua_gettop(m->L) > nargs);
  int handler = lua_gettop(L) - nargs;
  m->why = NULL;
  m->cpu_end = brio_clock_thread_cpu() + (int64_t)(may->cpu * 1e9);
  m->end = brio_clock_monotonic() + (int64_t)(may->wall * 1e9);
  /* The limit also ends C functions that call brio_script_spent. */
  int64_t before = brio_script_limit(m->cpu_end);
  lua_sethook(L, check_budget, LUA_MASKCOUNT, EVERY);
  lua_pushcfunction(L, with_traceback);
  lua_insert(L, handler);
  m->calls = true;
  int status = lua_pcall(L, nargs, 3, handler);
  m->calls = false;
  brio_script_limit(before);
  /* The hook may be at every instruction: set it back. */
  lua_sethook(L, check_budget, LUA_MASKCOUNT, EVERY);
  if (status != LUA_OK) return raised(m, status, err);
  /* A refusal: nil, a sentence, and the name of an error code. */
  if (lua_toboolean(L, -3) || lua_type(L, -2) != LUA_TSTRING) return true;
  return brio_fail(err, code_named(lua_tostring(L, -1)), "%.900s", lua_tostring(L, -2));
}

/* Close the state and free it; NULL is allowed. */
static void end_machine(machine *m) {
  if (m && m->L) lua_close(m->L);
  free(m);
}

/* Create a state and run the driver's file in it; the host's table of functions is at index 1. */
static machine *new_machine(const brio_driver_script *script, uint64_t seed, brio_error *err) {
  machine *m = calloc(1, sizeof *m);
  if (m) m->L = lua_newstate(allocate, m);
  if (!m || !m->L) {
    free(m);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a driver in Lua");
    return NULL;
  }
  /* The hook finds its machine through the state's extra space. */
  *(machine **)lua_getextraspace(m->L) = m;
  lua_pushcfunction(m->L, open_state);
  lua_pushlightuserdata(m->L, (void *)(uintptr_t)script);
  lua_pushinteger(m->L, (lua_Integer)(seed & INT64_MAX));
  /* Keep the host's table only; on failure the state goes with its error. */
  if (call(m, 2, &to_open, err) && lua_istable(m->L, -3)) {
    lua_pushvalue(m->L, -3);
    lua_replace(m->L, 1);
    lua_settop(m->L, 1);
    return m;
  }
  end_machine(m);
  return NULL;
}

/* Push the host's function of that name.  False: the driver does not have it. */
static bool begin(machine *m, const char *name) {
  lua_settop(m->L, 1);
  if (lua_getfield(m->L, 1, name) == LUA_TFUNCTION) return true;
  lua_settop(m->L, 1);
  return false;
}

/* ---- arguments ---- */

/* Push the settings by name, numbers and texts. */
static void push_settings(lua_State *L, const brio_driver_script *script, const double *settings,
                          const char *const *texts) {
  lua_newtable(L);
  for (int i = 0; script->settings[i].name; i++)
    brio_driver_set_number(L, script->settings[i].name, settings[i]);
  for (int i = 0; script->texts[i].name; i++)
    brio_driver_set_text(L, script->texts[i].name, texts ? texts[i] : script->texts[i].fallback);
}

/* ---- the driver's functions ---- */

/* The driver's functions as the record calls them; `device` is its machine. After `close` the state is
** gone. */
static void close_device(void *device) {
  machine *m = device;
  if (begin(m, "close")) call(m, 0, &to_work, NULL);
  end_machine(m);
}

/* Open a device: a state of its own, then `start` with axes, settings and seed. */
static void *open_device(const brio_driver_kind *kind, const brio_axis *axes, int count,
                         const double *settings, uint64_t seed, void *context, brio_error *err) {
  const brio_driver_script *script = (const brio_driver_script *)(const void *)kind;
  machine *m = new_machine(script, seed, err);
  if (!m) return NULL;
  m->count = count;
  /* The host provides `start` for every driver. */
  begin(m, "start");
  brio_driver_push_axes(m->L, axes, count);
  push_settings(m->L, script, settings, context);
  lua_pushinteger(m->L, (lua_Integer)(seed & INT64_MAX));
  if (call(m, 3, &to_open, err)) return m;
  end_machine(m);
  return NULL;
}

/* Apply the settings. A driver without `configure` refuses gains, and ignores the others. */
static bool configure(void *device, const brio_driver_config *config, brio_error *err) {
  machine *m = device;
  m->config = config;
  if (!begin(m, "configure"))
    return !config->gains ||
           brio_fail(err, BRIO_MISUSE, "the driver has no gains to set: it has no `configure`");
  brio_driver_push_config(m->L, config, m->count);
  return call(m, 1, &to_open, err);
}

/* Send targets, and speeds if there are any: drivers without speeds get one argument. */
static bool write_timed(void *device, const double *targets, const double *speeds, brio_error *err) {
  machine *m = device;
  if (!begin(m, "write")) return true;
  brio_driver_push_list(m->L, targets, m->count);
  if (speeds) brio_driver_push_list(m->L, speeds, m->count);
  return call(m, speeds ? 2 : 1, &to_work, err);
}

/* The same for the record's `write`, which has no speeds. */
static bool write_targets(void *device, const double *targets, brio_error *err) {
  return write_timed(device, targets, NULL, err);
}

/* Send commands of impedance; in the record of drivers that have this function only. */
static bool write_impedances(void *device, const brio_impedance_command *commands, brio_error *err) {
  machine *m = device;
  if (!begin(m, "write_impedances")) return brio_fail(err, BRIO_MISUSE, "the driver takes no impedances");
  brio_driver_push_commands(m->L, commands, m->count);
  return call(m, 1, &to_work, err);
}

/* Switch motors on or off; a driver without `power` has none to switch. */
static bool set_power(void *device, const bool *on, brio_error *err) {
  machine *m = device;
  if (!begin(m, "power")) return true;
  lua_createtable(m->L, m->count, 0);
  for (int i = 0; i < m->count; i++) {
    lua_pushboolean(m->L, on[i]);
    lua_rawseti(m->L, -2, i + 1);
  }
  return call(m, 1, &to_work, err);
}

/* Let dt s of robot time pass in a simulated device. */
static void let_pass(void *device, double dt) {
  machine *m = device;
  if (!begin(m, "step")) return;
  lua_pushnumber(m->L, dt);
  call(m, 1, &to_work, NULL);
}

/* Read the states of all axes; axes that the list lacks become invalid. */
static bool read_states(void *device, brio_axis_state *states, brio_error *err) {
  machine *m = device;
  if (!begin(m, "read")) return true;
  /* Three results were left: keep the first. */
  if (!call(m, 0, &to_work, err)) return false;
  lua_pop(m->L, 2);
  if (!lua_istable(m->L, -1))
    return brio_fail(err, BRIO_DEVICE, "read must return a list with a state for each axis");
  for (int i = 0; i < m->count; i++) {
    lua_rawgeti(m->L, -1, i + 1);
    states[i] = brio_driver_state_on_top(m->L);
    lua_pop(m->L, 1);
  }
  return true;
}

/* Read all inputs by name; an unknown value is NaN. */
static bool sense(void *device, brio_input_state *inputs, brio_error *err) {
  machine *m = device;
  lua_State *L = m->L;
  if (!begin(m, "sense") || !call(m, 0, &to_work, err)) return false;
  lua_pop(L, 2);
  if (!lua_istable(L, -1)) return brio_fail(err, BRIO_DEVICE, "sense must return a table of values by name");
  assert(m->config);
  /* Each input by its name: a number, a flag, or a table of an inertial sensor. */
  for (int i = 0; i < m->config->ninput; i++) {
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) inputs[i].values[k] = NAN;
    int type = brio_driver_push_field(L, m->config->inputs[i].name);
    if (type == LUA_TNUMBER) inputs[i].values[0] = lua_tonumber(L, -1);
    else if (type == LUA_TBOOLEAN) inputs[i].values[0] = lua_toboolean(L, -1);
    else if (type == LUA_TTABLE) {
      brio_driver_take_part(L, "acceleration", inputs[i].values, 3);
      brio_driver_take_part(L, "rate", inputs[i].values + 3, 3);
      brio_driver_take_part(L, "orientation", inputs[i].values + 6, 4);
    }
    lua_pop(L, 1);
  }
  return true;
}

/* Get the driver's description of what is present; "": it has none. */
static void describe(void *device, char *out, size_t size) {
  machine *m = device;
  *out = 0;
  if (!begin(m, "describe") || !call(m, 0, &to_work, NULL)) return;
  const char *text = lua_type(m->L, -3) == LUA_TSTRING ? lua_tostring(m->L, -3) : "";
  strncat(out, text, size - 1);
}

/* ---- the record ---- */

/* Set the error and return false. */
static bool no_memory(const char *file, brio_error *err) {
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for driver %.80s", file);
}

/* Copy a text field into the arena; `fallback` if the field has no text. NULL: no memory, or no fallback. */
static const char *text_of(brio_driver_script *script, lua_State *L, const char *key, const char *fallback) {
  const char *text = brio_driver_push_field(L, key) == LUA_TSTRING ? lua_tostring(L, -1) : fallback;
  text = text ? brio_arena_text(&script->arena, text, strlen(text)) : NULL;
  lua_pop(L, 1);
  return text;
}

/* Whether a field of the table on top is true. */
static bool flag_of(lua_State *L, const char *key) {
  lua_getfield(L, -1, key);
  bool flag = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return flag;
}

/* A number field, or `fallback`. */
static double number_or(lua_State *L, const char *key, double fallback) {
  double value = brio_driver_number_of(L, key);
  return isnan(value) ? fallback : value;
}

/* Read the rows of `settings`, which the host validated: those with a text as default are texts. */
static bool take_rows(brio_driver_script *script, lua_State *L) {
  int numbers = 0, texts = 0;
  lua_getfield(L, -1, "settings");
  int count = (int)lua_rawlen(L, -1);
  script->settings = BRIO_TAKE(&script->arena, brio_driver_setting, count + 1);
  script->texts = BRIO_TAKE(&script->arena, brio_driver_text, count + 1);
  /* Both tables have room for all rows and a terminator: BRIO_TAKE clears them. */
  if (!script->settings || !script->texts) return false;
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    const char *name = text_of(script, L, "name", ""), *doc = text_of(script, L, "doc", "");
    /* The kind of the default decides the kind of the setting. */
    if (lua_getfield(L, -1, "default") == LUA_TSTRING) {
      lua_pop(L, 1);
      script->texts[texts++] = (brio_driver_text){name, doc, text_of(script, L, "default", "")};
    } else {
      lua_pop(L, 1);
      script->settings[numbers++] = (brio_driver_setting){name,
                                                          text_of(script, L, "unit", "1"),
                                                          doc,
                                                          brio_driver_number_of(L, "default"),
                                                          number_or(L, "lower", -HUGE_VAL),
                                                          number_or(L, "upper", HUGE_VAL)};
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return true;
}

/* Fill in the record from the host's description on top of the stack.  Functions that the driver
** lacks stay NULL, so that the engine knows. */
static bool take_record(brio_driver_script *script, lua_State *L, brio_error *err) {
  if (!take_rows(script, L)) return no_memory(script->file, err);
  lua_getfield(L, -1, "has");
  /* Write and read always exist: they do nothing if the driver lacks them. */
  script->kind =
      (brio_driver_kind){.open_as = open_device,
                         .configure = configure,
                         .write = write_targets,
                         .write_timed = write_timed,
                         .write_impedances = flag_of(L, "write_impedances") ? write_impedances : NULL,
                         .power = flag_of(L, "power") ? set_power : NULL,
                         .step = flag_of(L, "step") ? let_pass : NULL,
                         .read = read_states,
                         .sense = flag_of(L, "sense") ? sense : NULL,
                         .describe = flag_of(L, "describe") ? describe : NULL,
                         .close = close_device,
                         .settings = script->settings,
                         .texts = script->texts};
  /* Inputs are named in the configuration, so a driver that senses is configured too. */
  if (!flag_of(L, "configure")) script->kind.configure = flag_of(L, "sense") ? configure : NULL;
  lua_pop(L, 1);
  script->kind.name = text_of(script, L, "name", "lua");
  script->kind.doc = text_of(script, L, "doc", "");
  script->kind.when_silent = text_of(script, L, "when_silent", NULL);
  script->kind.simulated = flag_of(L, "simulated");
  script->kind.watchdog = flag_of(L, "watchdog");
  script->kind.open_loop = flag_of(L, "open_loop");
  return (script->kind.name && script->kind.doc) || no_memory(script->file, err);
}

brio_driver_script *brio_driver_script_new(const char *file, const brio_driver_script_place *place,
                                           /* A state is opened only to read the description; each
                                           ** device gets one of its own later. */
                                           brio_error *err) {
  brio_driver_script *script = calloc(1, sizeof *script);
  if (!script) {
    no_memory(file, err);
    return NULL;
  }
  /* Texts are copied: the record outlives its caller's. */
  brio_arena_start(&script->arena, BLOCK);
  script->file = brio_arena_text(&script->arena, file, strlen(file));
  script->place.core = place->core;
  script->place.path = brio_arena_text(&script->arena, place->path, strlen(place->path));
  script->place.cpath = brio_arena_text(&script->arena, place->cpath, strlen(place->cpath));
  /* A state only to read the description; each device opens its own. */
  machine *m = script->file && script->place.path && script->place.cpath ? new_machine(script, 0, err) : NULL;
  bool good = m && lua_getfield(m->L, 1, "description") == LUA_TTABLE && take_record(script, m->L, err);
  end_machine(m);
  if (good) return script;
  brio_driver_script_free(script);
  return NULL;
}

const brio_driver_kind *brio_driver_script_kind(const brio_driver_script *script) { return &script->kind; }

void brio_driver_script_free(brio_driver_script *script) {
  if (!script) return;
  brio_arena_end(&script->arena);
  free(script);
}
