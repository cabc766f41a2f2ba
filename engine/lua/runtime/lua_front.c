/* brio.front: a socket at which people's prompts attach to a run (runtime/front/front.h), with a
** thread of its own.  Lines are interpreted by lua/brio/operator/prompt.lua. */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/runtime/lua_front.h"
#include "runtime/front/front.h"

#define CLASS "brio.front"

typedef struct front_box {
  brio_front *front; /* NULL: closed */
} front_box;

/* The front at argument `arg`; raises when it was closed. */
static brio_front *front_at(lua_State *L, int arg) {
  front_box *box = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, box->front, arg, "the front was closed");
  return box->front;
}

brio_front *brio_lua_front_check(lua_State *L, int index) { return front_at(L, index); }

/* Read the table on top, {path =, match =, panic = {codes}}. */
static void read_gamepad(lua_State *L, brio_front_gamepad_options *out) {
  static const char *const keys[] = {"path", "match", "panic", NULL};
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_lua_only_keys(L, -1, keys, "front.open: gamepad");
  /* Texts are copied into the options, cut at their size. */
  snprintf(out->path, sizeof out->path, "%s", brio_lua_field_text(L, -1, "path", ""));
  snprintf(out->match, sizeof out->match, "%s", brio_lua_field_text(L, -1, "match", ""));
  /* The key codes of buttons that mean the panic stop. */
  if (lua_getfield(L, -1, "panic") != LUA_TNIL) {
    luaL_checktype(L, -1, LUA_TTABLE);
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    if (count > BRIO_FRONT_PANIC_BUTTONS)
      luaL_error(L, "front.open: at most %d buttons may raise the panic stop", BRIO_FRONT_PANIC_BUTTONS);
    for (out->npanic = 0; out->npanic < (int)count; out->npanic++) {
      lua_rawgeti(L, -1, out->npanic + 1);
      out->panic[out->npanic] = (int)luaL_checkinteger(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* Read the table on top, {host =, port =}. */
static void read_tracker(lua_State *L, brio_front_tracker_options *out) {
  static const char *const keys[] = {"host", "port", NULL};
  luaL_checktype(L, -1, LUA_TTABLE);
  brio_lua_only_keys(L, -1, keys, "front.open: tracker");
  snprintf(out->host, sizeof out->host, "%s", brio_lua_field_text(L, -1, "host", ""));
  out->port = (int)brio_lua_field_number(L, -1, "port", 1, 65535, 0);
}

/* panic = {names} of the table at 1; they stay on the stack. */
static void read_panic(lua_State *L, brio_front_options *options) {
  static const int most = BRIO_FRONT_PANIC_INPUTS;
  if (lua_getfield(L, 1, "panic") == LUA_TNIL) return;
  luaL_checktype(L, -1, LUA_TTABLE);
  int count = (int)lua_rawlen(L, -1);
  if (count > most) luaL_error(L, "front.open: at most %d inputs may mean the panic stop", most);
  /* The array points to the names in the list, which is below it on the stack. */
  const char **names = lua_newuserdatauv(L, ((size_t)most + 1) * sizeof *names, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -2, i + 1);
    names[i] = luaL_checkstring(L, -1);
    lua_pop(L, 1);
  }
  options->panic = names;
  options->npanic = count;
}

/* operators = {{name =, token =, role =}, ...} of the table at 1; they stay on the stack. */
static void read_operators(lua_State *L, brio_front_options *options) {
  static const char *const keys[] = {"name", "token", "role", NULL}, *const roles[] = {"observer", "wizard",
                                                                                       "author", NULL};
  static const int most = BRIO_FRONT_OPERATORS;
  if (lua_getfield(L, 1, "operators") == LUA_TNIL) return;
  luaL_checktype(L, -1, LUA_TTABLE);
  /* One array for all operators, in a userdata that stays on the stack. */
  int count = (int)lua_rawlen(L, -1);
  if (count > most) luaL_error(L, "front.open: at most %d people may have tokens", most);
  brio_front_operator *list = lua_newuserdatauv(L, (size_t)most * sizeof *list, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -2, i + 1);
    luaL_checktype(L, -1, LUA_TTABLE);
    brio_lua_only_keys(L, -1, keys, "front.open: operators");
    /* A name is required. A token has at least 16 bytes, so that it cannot be guessed. */
    const char *name = brio_lua_field_text(L, -1, "name", ""),
               *token = brio_lua_field_text(L, -1, "token", "");
    if (!name[0] || strlen(name) >= sizeof list->name)
      luaL_error(L, "front.open: a name has 1 to %d bytes", (int)sizeof list->name - 1);
    if (strlen(token) < 16 || strlen(token) >= sizeof list->token)
      luaL_error(L, "front.open: a token has 16 to %d bytes", (int)sizeof list->token - 1);
    /* The role, which must be one of three; then drop it and the entry. */
    snprintf(list[i].name, sizeof list[i].name, "%s", name);
    snprintf(list[i].token, sizeof list[i].token, "%s", token);
    lua_getfield(L, -1, "role");
    list[i].role = (brio_front_role)luaL_checkoption(L, -1, NULL, roles);
    lua_pop(L, 2);
  }
  options->operators = list;
  options->noperators = count;
}

/* front.open([{socket =, group =, about =, gamepad =, tracker =, panic =, operators =, patience =}]) ->
** front | nil, sentence, code
** Open the socket, by default <pid>.sock in the user's own folder, and start its thread. `group` names a
** group that may connect too, with a token; `about` is a text, JSON, sent to new clients; `gamepad`, a
** table {path =, match =, panic =}, lets the thread search for one: the device or pipe at `path`, else the
** first whose name contains `match`; buttons whose codes are in the list `panic` raise the panic stop at
** once, and so does a line "input NAME true" of an input whose name is in the list `panic` of the options.
** `tracker`, a table {host = "127.0.0.1", port =}, is a UDP port whose datagrams front:datagram() returns.
** `operators`, a list of {name =, token =, role = "observer", "wizard" or "author"}: the people who may
** attach, with their roles; `patience` (s): timeout for a token, or the end of a line. */
static int open_front(lua_State *L) {
  static const char *const keys[] = {"socket", "group",     "about",    "gamepad", "tracker",
                                     "panic",  "operators", "patience", NULL};
  brio_front_gamepad_options gamepad = {0};
  brio_front_tracker_options tracker = {0};
  brio_front_options options = {0};
  brio_error err = {0};
  /* Every option may be absent; texts belong to the table, which outlives the call. */
  if (!lua_isnoneornil(L, 1)) {
    luaL_checktype(L, 1, LUA_TTABLE);
    brio_lua_only_keys(L, 1, keys, "front.open");
    options.socket = brio_lua_field_text(L, 1, "socket", NULL);
    options.group = brio_lua_field_text(L, 1, "group", NULL);
    options.about = brio_lua_field_text(L, 1, "about", NULL);
    /* Optional devices: the thread searches for a gamepad and listens for a tracker only if asked to. */
    if (lua_getfield(L, 1, "gamepad") != LUA_TNIL) {
      read_gamepad(L, &gamepad);
      options.gamepad = &gamepad;
    }
    lua_pop(L, 1);
    if (lua_getfield(L, 1, "tracker") != LUA_TNIL) {
      read_tracker(L, &tracker);
      options.tracker = &tracker;
    }
    lua_pop(L, 1);
    /* These two leave their memory on the stack; timeouts are in s in Lua and in ms in the core. */
    read_panic(L, &options);
    read_operators(L, &options);
    options.patience_ms = (int)(1000 * brio_lua_field_number(L, 1, "patience", 0, 3600, 0));
  }
  /* The box exists before the front: an error in between leaks nothing. */
  front_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  box->front = NULL;
  luaL_setmetatable(L, CLASS);
  box->front = brio_front_open(&options, &err);
  return box->front ? 1 : brio_lua_failed(L, &err);
}

/* Set field `key` of the table on top to a text of `length` bytes. */
static void set_text(lua_State *L, const char *key, const char *text, size_t length) {
  lua_pushlstring(L, text, length);
  lua_setfield(L, -2, key);
}

/* Set field `key` of the table on top, unless the number is unknown (NaN). */
static void set_number(lua_State *L, const char *key, double value) {
  if (!isfinite(value)) return;
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

/* Set a boolean field of the table on top. */
static void set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

/* front:poll() -> {kind, client, id, who, role, device, text, received, session, input, input_error, offset,
** offset_error} or nil
** The next request: kind "say" (a line), "complete" (the text before the cursor), "stop"
** or "panic" (answered already), "attached", "left" or "lost" (of a client, before and after all its other
** requests); `received` is the time of clock.monotonic() (s), `input` the time of the key press, as the
** client reports it, with its error, `offset` of its machine's clock to this one's, with its error: nil if
** not reported; `session`: it may reconnect. Only say and complete expect a reply. */
static int poll_front(lua_State *L) {
  static const char *const kinds[] = {"say", "complete", "stop", "panic", "attached", "left", "lost"};
  static const char *const devices[] = {"prompt", "pipe"};
  brio_front *front = front_at(L, 1);
  brio_front_message *message = brio_front_poll(front);
  if (!message) return 0;
  /* Words for the enums, in their order. */
  const char *kind = kinds[message->kind], *device = devices[message->device],
             *role = brio_front_role_name(message->role);
  /* The client, and the id with which its request expects a reply. */
  lua_createtable(L, 0, 14);
  lua_pushinteger(L, message->client);
  lua_setfield(L, -2, "client");
  lua_pushinteger(L, message->id);
  lua_setfield(L, -2, "id");
  /* Times in s, with their errors; unknown ones are absent. Inside they are ns. */
  set_number(L, "received", (double)message->received * 1e-9);
  set_number(L, "input", message->input);
  set_number(L, "input_error", message->input_error);
  set_number(L, "offset", message->offset);
  set_number(L, "offset_error", message->offset_error);
  set_flag(L, "session", message->session);
  /* The kind of message, the device and the sender; the text may contain any bytes. */
  set_text(L, "kind", kind, strlen(kind));
  set_text(L, "device", device, strlen(device));
  set_text(L, "role", role, strlen(role));
  set_text(L, "who", message->who, strlen(message->who));
  set_text(L, "text", message->text, message->length);
  /* Everything was copied: the message's memory goes back to the thread. */
  brio_front_give_back(front, message);
  return 1;
}

/* front:gamepad() -> what, code, value, lower, upper, received or nil
** The next event of the gamepad: what is "button" (value 1 or 0), "axis" (value from lower to upper; these
** are equal if unknown), "found", "lost", or "anew" (events were lost; the current state follows); code as in
** linux/input-event-codes.h; received is the time of clock.monotonic() (s) at which it came. */
static int gamepad(lua_State *L) {
  static const char *const kinds[] = {"button", "axis", "found", "lost", "anew"};
  brio_gamepad_event event;
  /* The six results are always there, so that a caller needs no table. */
  if (!brio_front_gamepad_poll(front_at(L, 1), &event)) return 0;
  lua_pushstring(L, kinds[event.kind]);
  lua_pushinteger(L, event.code);
  lua_pushinteger(L, event.value);
  lua_pushinteger(L, event.lower);
  lua_pushinteger(L, event.upper);
  lua_pushnumber(L, (double)event.received * 1e-9);
  return 6;
}

/* front:datagram() -> text, received or nil, left_out
** The next datagram of a tracker, and the time of clock.monotonic() (s) at which it came; with nil, the
** number of those so far that were too long (more than 1200 bytes) or found no room. */
static int datagram(lua_State *L) {
  brio_front *front = front_at(L, 1);
  brio_front_datagram one;
  /* Without a datagram, report what was lost instead. */
  if (!brio_front_tracker_poll(front, &one)) {
    lua_pushnil(L);
    lua_pushinteger(L, (lua_Integer)brio_front_tracker_left_out(front));
    return 2;
  }
  lua_pushlstring(L, one.text, one.length);
  lua_pushnumber(L, (double)one.received * 1e-9);
  return 2;
}

/* The line of the protocol at argument `arg`; raises when it contains a newline. */
static const char *line_at(lua_State *L, int arg, size_t *length) {
  const char *line = luaL_checklstring(L, arg, length);
  luaL_argcheck(L, !memchr(line, '\n', *length), arg, "a line has no newline in it");
  return line;
}

/* front:reply(client, text[, id]) -> sent
** Send a line, one JSON object, to the client of that number, the reply to its request `id`; false when it is
** longer than 65536 bytes or too many wait. If the client has left, the line is dropped. */
static int reply(lua_State *L) {
  size_t length;
  /* An id of 0 means that it is no reply to a request. */
  brio_front *front = front_at(L, 1);
  uint32_t client = (uint32_t)brio_lua_number(L, 2, 1, UINT32_MAX, "client");
  const char *line = line_at(L, 3, &length);
  lua_pushboolean(L, brio_front_reply(front, client, (int64_t)luaL_optinteger(L, 4, 0), line, length));
  return 1;
}

/* front:log(text) -> sent
** Send a line, one JSON object, to all clients; false when it was lost. */
static int log_line(lua_State *L) {
  size_t length;
  brio_front *front = front_at(L, 1);
  const char *line = line_at(L, 2, &length);
  lua_pushboolean(L, brio_front_log(front, line, length));
  return 1;
}

/* front:push(client, text) -> sent
** Send a line, one JSON object, to the client of that number, which subscribed to such lines; false when it
** was lost.  Lines that the client does not read in time are dropped: it gets {"dropped":N} before the next
** such line. */
static int push_line(lua_State *L) {
  size_t length;
  brio_front *front = front_at(L, 1);
  uint32_t client = (uint32_t)brio_lua_number(L, 2, 1, UINT32_MAX, "client");
  const char *line = line_at(L, 3, &length);
  lua_pushboolean(L, brio_front_push(front, client, line, length));
  return 1;
}

/* front:dropped() -> count
** How many pushed lines clients did not read in time, so far. */
static int dropped(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)brio_front_dropped(front_at(L, 1)));
  return 1;
}

/* front:stops() -> count
** How often clients requested the end of the run so far: known at once, even while a script
** spins, which is interrupted then. */
static int stops(lua_State *L) {
  lua_pushinteger(L, brio_front_stops(front_at(L, 1)));
  return 1;
}

/* front:clients() -> count
** How many clients are attached. */
static int clients(lua_State *L) {
  lua_pushinteger(L, brio_front_clients(front_at(L, 1)));
  return 1;
}

/* front:path() -> path
** Where the socket is. */
static int path(lua_State *L) {
  lua_pushstring(L, brio_front_path(front_at(L, 1)));
  return 1;
}

/* front:warning() -> sentence | nil
** A warning about the socket's location, if there is one. */
static int warning(lua_State *L) {
  const char *sentence = brio_front_warning(front_at(L, 1));
  if (!sentence[0]) return 0;
  lua_pushstring(L, sentence);
  return 1;
}

/* front:token() -> text, file
** The token of a group's clients, and the file that contains it; nil without a group. */
static int token(lua_State *L) {
  brio_front *front = front_at(L, 1);
  if (!brio_front_token(front)[0]) return 0;
  lua_pushstring(L, brio_front_token(front));
  lua_pushstring(L, brio_front_token_file(front));
  return 2;
}

/* __gc, and close: ends the thread and removes the socket. A second call finds NULL. */
static int collect(lua_State *L) {
  front_box *box = luaL_checkudata(L, 1, CLASS);
  brio_front_close(box->front);
  box->front = NULL;
  return 0;
}

/* front:close()
** Send the pending lines, drop the clients, end the thread and remove the socket; may be called again. */
static int close_front(lua_State *L) { return collect(L); }

int luaopen_brio_front(lua_State *L) {
  static const luaL_Reg methods[] = {{"poll", poll_front}, {"reply", reply}, {"log", log_line},
                                     {"push", push_line},  {"dropped", dropped},
                                     {"stops", stops},     {"clients", clients}, {"path", path},
                                     {"token", token},     {"warning", warning},
                                     {"close", close_front}, {"gamepad", gamepad},
                                     {"datagram", datagram},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {{"open", open_front}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
