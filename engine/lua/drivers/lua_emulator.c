/* brio.emulator: emulated devices that speak the real protocols (drivers/emulators/emulator.h). */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <string.h>

#include "drivers/emulators/port.h"
#include "drivers/emulators/replay.h"
#include "lua/drivers/lua_emulator.h"
#include "lua/lua_args.h"

#define CLASS "brio.emulator"

typedef struct emulated {
  brio_emulator *line; /* NULL: closed */
  brio_emulator_port *port;
  brio_replay *replay; /* during its construction */
} emulated;

/* The emulator at argument `arg`; raises when it was closed. */
static emulated *emulated_at(lua_State *L, int arg) {
  emulated *self = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, self->line, arg, "the emulator was closed");
  return self;
}

brio_emulator *brio_lua_emulator(lua_State *L, int arg) {
  return luaL_testudata(L, arg, CLASS) ? emulated_at(L, arg)->line : NULL;
}

/* Return the failure of a binding. */
static int fail(lua_State *L, const brio_error *err) { return brio_lua_failed(L, err); }

/* emulator.kinds() -> {kind, ...}
** All kinds: {name, doc, protocol, baud, servos}. */
static int kinds(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_emulator_kinds[i]; i++) {
    const brio_emulator_kind *kind = brio_emulator_kinds[i];
    lua_createtable(L, 0, 5);
    lua_pushstring(L, kind->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, kind->doc);
    lua_setfield(L, -2, "doc");
    lua_pushstring(L, kind->protocol->name);
    lua_setfield(L, -2, "protocol");
    lua_pushinteger(L, kind->baud);
    lua_setfield(L, -2, "baud");
    lua_pushinteger(L, kind->servos);
    lua_setfield(L, -2, "servos");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* emulator.open(kind, [options]) -> emulator | nil, sentence, code
** Creates devices of a kind.  Options: servos (default: the kind's number), id (of the first, 1), baud
** (default: the factory setting), seed (0). */
static int open_emulator(lua_State *L) {
  static const char *const keys[] = {"servos", "id", "baud", "seed", NULL};
  brio_error err = {0};
  const brio_emulator_kind *kind = brio_emulator_find(luaL_checkstring(L, 1), &err);
  if (!kind) return fail(L, &err);
  /* -1 and 0 stand for the kind's defaults. */
  brio_emulator_options options = {.first_id = -1};
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    brio_lua_only_keys(L, 2, keys, "an emulator");
    options.servos = (int)brio_lua_field_number(L, 2, "servos", 1, BRIO_EMULATOR_SERVOS, 0);
    options.first_id = (int)brio_lua_field_number(L, 2, "id", 0, 252, -1);
    options.baud = (int)brio_lua_field_number(L, 2, "baud", 50, 2e7, 0);
    options.seed = (uint64_t)brio_lua_field_number(L, 2, "seed", 0, 9007199254740992.0, 0);
  }
  /* The userdata exists before the emulator, so that nothing leaks. */
  emulated *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = (emulated){0};
  luaL_setmetatable(L, CLASS);
  self->line = brio_emulator_open(kind, &options, &err);
  return self->line ? 1 : fail(L, &err);
}

/* Add the piece on top, {seconds =, direction =, bytes =, line =}. */
static void add_piece(lua_State *L, brio_replay *replay) {
  brio_error err = {0};
  size_t length = 0;
  luaL_checktype(L, -1, LUA_TTABLE);
  /* The time (s), the direction, and the line of the trace, which the report of differences names. */
  double seconds = brio_lua_field_number(L, -1, "seconds", -HUGE_VAL, HUGE_VAL, 0);
  bool from = strcmp(brio_lua_field_text(L, -1, "direction", "to"), "from") == 0;
  int line = (int)brio_lua_field_number(L, -1, "line", 0, 1e9, 0);
  lua_getfield(L, -1, "bytes");
  const char *bytes = luaL_checklstring(L, -1, &length);
  /* Long pieces are cut to the size of a frame. */
  for (size_t at = 0; at < length; at += BRIO_FRAME_MOST) {
    int part = length - at < BRIO_FRAME_MOST ? (int)(length - at) : BRIO_FRAME_MOST;
    if (!brio_replay_add(replay, seconds, from ? BRIO_FROM_DEVICE : BRIO_TO_DEVICE,
                         (const uint8_t *)bytes + at, part, line, &err))
      luaL_error(L, "%s", err.message);
  }
  lua_pop(L, 1);
}

/* emulator.replay(protocol, pieces, [baud]) -> emulator | nil, sentence, code
** Replays a recorded trace as the device: pieces are a list of {seconds =, direction = "to" or "from", bytes
** =, line =} in their order, of one bus, as returned by wire.trace_line. A request of the host is answered
** with the recorded bytes of its answer, after the recorded delay. Requests with other values than recorded
** are also answered, and counted. */
static int new_replay(lua_State *L) {
  brio_error err = {0};
  const brio_protocol *protocol = brio_protocol_find(luaL_checkstring(L, 1), &err);
  if (!protocol) return fail(L, &err);
  luaL_checktype(L, 2, LUA_TTABLE);
  int baud = (int)luaL_optinteger(L, 3, 115200);
  /* During construction the userdata owns the replay, so that an error in a piece frees it. */
  emulated *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = (emulated){0};
  luaL_setmetatable(L, CLASS);
  self->replay = brio_replay_new(protocol, &err);
  if (!self->replay) return fail(L, &err);
  lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, 2, i);
    add_piece(L, self->replay);
    lua_pop(L, 1);
  }
  /* From here on the emulator owns it, also on failure. */
  brio_replay *replay = self->replay;
  self->replay = NULL;
  self->line = brio_replay_emulator(replay, baud, &err);
  return self->line ? 1 : fail(L, &err);
}

/* emulator:replayed() -> {recorded, asked, exact, values, again, left_out, unexpected, first} | nil
** Statistics of a replay: requests in the trace, and the number of them that came; that came with the same
** bytes; with other values; that were repeated although not repeated in the trace; that were skipped; and
** requests that are not in the trace. `first` is the first difference, a sentence. nil: not a replay. */
static int replayed(lua_State *L) {
  brio_replay_report report;
  if (!brio_replay_look(emulated_at(L, 1)->line, &report)) return 0;
  lua_createtable(L, 0, 8);
  brio_lua_set_integer(L, "recorded", report.recorded);
  brio_lua_set_integer(L, "asked", report.asked);
  brio_lua_set_integer(L, "exact", report.exact);
  brio_lua_set_integer(L, "values", report.values);
  brio_lua_set_integer(L, "again", report.again);
  brio_lua_set_integer(L, "left_out", report.left_out);
  brio_lua_set_integer(L, "unexpected", report.unexpected);
  if (report.first[0]) brio_lua_set_text(L, "first", report.first);
  return 1;
}

/* emulator:serve([link]) -> name | nil, sentence, code
** Open a port for other programs and return its name; `link`: path of a symbolic link to it. */
static int serve(lua_State *L) {
  emulated *self = emulated_at(L, 1);
  brio_error err = {0};
  luaL_argcheck(L, !self->port, 1, "the emulator has a port already");
  self->port = brio_emulator_port_open(self->line, luaL_optstring(L, 2, NULL), &err);
  if (!self->port) return fail(L, &err);
  lua_pushstring(L, brio_emulator_port_name(self->port));
  return 1;
}

/* emulator:port() -> name
** The name of the port that programs open; "" while it is unplugged. */
static int port(lua_State *L) {
  emulated *self = emulated_at(L, 1);
  lua_pushstring(L, self->port ? brio_emulator_port_name(self->port) : "");
  return 1;
}

/* emulator:step(wait, [input]) -> line | boolean | nil, sentence, code
** Move bytes for at most `wait` seconds.  With `input`, return a line as soon as one was typed, false at the
** end of standard input; else true. */
static int step(lua_State *L) {
  emulated *self = emulated_at(L, 1);
  double wait = brio_lua_number(L, 2, 0, 3600, "the time to wait");
  char typed[BRIO_EMULATOR_LINE];
  brio_error err = {0};
  luaL_argcheck(L, self->port, 1, "the emulator has no port: call serve first");
  /* The port moves bytes until the time is over, or a line was typed. */
  int result = brio_emulator_port_step(self->port, wait, lua_toboolean(L, 3), typed, &err);
  if (result < 0) return fail(L, &err);
  /* 1: a line; 2: the end of the input; 0: nothing typed. */
  if (result == 1) lua_pushstring(L, typed);
  else lua_pushboolean(L, result != 2);
  return 1;
}

/* emulator:command(text) -> text | nil, sentence, code
** Execute a command line: "unplug", "loss 2%", "error 3 0x20", "help".  Return its output. */
static int command(lua_State *L) {
  /* The output of the command, freed in every case. */
  emulated *self = emulated_at(L, 1);
  brio_text text = {0};
  brio_error err = {0};
  bool good = brio_emulator_command(self->line, luaL_checkstring(L, 2), &text, &err);
  if (!good) {
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    lua_pushstring(L, brio_code_name(err.code));
  } else {
    lua_pushlstring(L, text.bytes ? text.bytes : "", text.length);
  }
  brio_text_end(&text);
  return good ? 1 : 3;
}

/* emulator:feed(bytes, now, [baud])
** Without a port, in simulated time: the host sends bytes from `now` (s) on. */
static int feed(lua_State *L) {
  emulated *self = emulated_at(L, 1);
  size_t length;
  const char *bytes = luaL_checklstring(L, 2, &length);
  double time = brio_lua_number(L, 3, 0, 1e9, "the time");
  luaL_argcheck(L, length <= 65536, 2, "at most 65536 bytes at once");
  brio_emulator_feed(self->line, (const uint8_t *)bytes, (int)length, time, (int)luaL_optinteger(L, 4, 0));
  return 0;
}

/* emulator:take(now) -> bytes, due
** Without a port: the bytes that have arrived at the host by `now` (s), and the time of the next ones; nil:
** none are pending. */
static int take(lua_State *L) {
  emulated *self = emulated_at(L, 1);
  double time = brio_lua_number(L, 2, 0, 1e9, "the time");
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  /* Take until nothing is left that has arrived by now, one buffer at a time. */
  for (int count = 1; count > 0;) {
    uint8_t *room = (uint8_t *)luaL_prepbuffer(&buffer);
    count = brio_emulator_take(self->line, time, room, LUAL_BUFFERSIZE);
    luaL_addsize(&buffer, (size_t)count);
  }
  luaL_pushresult(&buffer);
  double due = brio_emulator_due(self->line);
  /* Without pending bytes the time is infinite: nil. */
  if (isfinite(due)) lua_pushnumber(L, due);
  else lua_pushnil(L);
  return 2;
}

/* emulator:close()
** Close it and its port. */
static int close_emulator(lua_State *L) {
  emulated *self = luaL_checkudata(L, 1, CLASS);
  brio_emulator_port_close(self->port);
  brio_emulator_close(self->line);
  brio_replay_free(self->replay);
  *self = (emulated){0};
  return 0;
}

int luaopen_brio_emulator(lua_State *L) {
  static const luaL_Reg methods[] = {{"serve", serve},     {"port", port}, {"step", step},
                                     {"command", command}, {"feed", feed}, {"take", take},
                                     {"replayed", replayed}, {"close", close_emulator}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"kinds", kinds}, {"open", open_emulator}, {"replay", new_replay}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, close_emulator);
  luaL_newlib(L, functions);
  return 1;
}
