/* brio.emulator: devices that are not there, speaking the real ones' bytes (drivers/emulator.h). */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>

#include "drivers/emulator_port.h"
#include "lua/lua_args.h"
#include "lua/lua_emulator.h"

#define CLASS "brio.emulator"

typedef struct emulated {
  brio_emulator *line; /* NULL: closed */
  brio_emulator_port *port;
} emulated;

static emulated *emulated_at(lua_State *L, int arg) {
  emulated *self = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, self->line, arg, "the emulator was closed");
  return self;
}

brio_emulator *brio_lua_emulator(lua_State *L, int arg) {
  return luaL_testudata(L, arg, CLASS) ? emulated_at(L, arg)->line : NULL;
}

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
** Make devices of a kind.  Options: servos (as many as the kind has), id (of the first, 1), baud (as
** the devices leave the factory), seed (0). */
static int open_emulator(lua_State *L) {
  static const char *const keys[] = {"servos", "id", "baud", "seed", NULL};
  brio_error err = {0};
  const brio_emulator_kind *kind = brio_emulator_find(luaL_checkstring(L, 1), &err);
  if (!kind) return fail(L, &err);
  brio_emulator_options options = {.first_id = -1};
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    brio_lua_only_keys(L, 2, keys, "an emulator");
    options.servos = (int)brio_lua_field_number(L, 2, "servos", 1, BRIO_EMULATOR_SERVOS, 0);
    options.first_id = (int)brio_lua_field_number(L, 2, "id", 0, 252, -1);
    options.baud = (int)brio_lua_field_number(L, 2, "baud", 50, 2e7, 0);
    options.seed = (uint64_t)brio_lua_field_number(L, 2, "seed", 0, 9007199254740992.0, 0);
  }
  emulated *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = (emulated){0};
  luaL_setmetatable(L, CLASS);
  self->line = brio_emulator_open(kind, &options, &err);
  return self->line ? 1 : fail(L, &err);
}

/* emulator:serve([link]) -> name | nil, sentence, code
** Open a port for other programs and return its name; `link`: a path that always leads to it. */
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
** Move bytes for at most `wait` seconds.  With `input`, return a line as soon as one was typed, false
** when standard input has ended; else true. */
static int step(lua_State *L) {
  emulated *self = emulated_at(L, 1);
  double wait = brio_lua_number(L, 2, 0, 3600, "the time to wait");
  char typed[BRIO_EMULATOR_LINE];
  brio_error err = {0};
  luaL_argcheck(L, self->port, 1, "the emulator has no port: call serve first");
  int result = brio_emulator_port_step(self->port, wait, lua_toboolean(L, 3), typed, &err);
  if (result < 0) return fail(L, &err);
  if (result == 1) lua_pushstring(L, typed);
  else lua_pushboolean(L, result != 2);
  return 1;
}

/* emulator:command(text) -> text | nil, sentence, code
** Do what a person types: "unplug", "loss 2%", "error 3 0x20", "help".  Return what there is to say. */
static int command(lua_State *L) {
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
** Without a port, in made-up time: the host sends bytes from `now` (s) on. */
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
** Without a port: what has arrived at the host by `now` (s), and when more will; nil: nothing is on its way. */
static int take(lua_State *L) {
  emulated *self = emulated_at(L, 1);
  double time = brio_lua_number(L, 2, 0, 1e9, "the time");
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (int count = 1; count > 0;) {
    uint8_t *room = (uint8_t *)luaL_prepbuffer(&buffer);
    count = brio_emulator_take(self->line, time, room, LUAL_BUFFERSIZE);
    luaL_addsize(&buffer, (size_t)count);
  }
  luaL_pushresult(&buffer);
  double due = brio_emulator_due(self->line);
  if (isfinite(due)) lua_pushnumber(L, due);
  else lua_pushnil(L);
  return 2;
}

/* emulator:close()
** Give it back; its port is gone. */
static int close_emulator(lua_State *L) {
  emulated *self = luaL_checkudata(L, 1, CLASS);
  brio_emulator_port_close(self->port);
  brio_emulator_close(self->line);
  *self = (emulated){0};
  return 0;
}

int luaopen_brio_emulator(lua_State *L) {
  static const luaL_Reg methods[] = {{"serve", serve},     {"port", port}, {"step", step},
                                     {"command", command}, {"feed", feed}, {"take", take},
                                     {"close", close_emulator}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"kinds", kinds}, {"open", open_emulator}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, close_emulator);
  luaL_newlib(L, functions);
  return 1;
}
