/* brio.serial: raw serial ports, for custom boards; and the search for devices on them. */
#include <lauxlib.h>
#include <lua.h>

#include "drivers/driver.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"
#include "lua/lua_args.h"

#define CLASS "brio.serial"

enum { PORTS = 64, FOUND = 253, LONGEST = 65536 };

typedef struct serial {
  brio_port *port; /* NULL: closed */
} serial;

/* The port at argument `arg`; raises when it was closed. */
static brio_port *port_at(lua_State *L, int arg) {
  serial *self = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, self->port, arg, "the port was closed");
  return self->port;
}

/* serial.ports() -> {{name, words}, ...}
** The serial ports of this machine, with a description of each. */
static int ports(lua_State *L) {
  brio_port_found found[PORTS];
  int count = brio_port_list(found, PORTS);
  lua_newtable(L);
  for (int i = 0; i < count && i < PORTS; i++) {
    lua_createtable(L, 0, 2);
    lua_pushstring(L, found[i].name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, found[i].words);
    lua_setfield(L, -2, "words");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* serial.open(name, [baud, [trace]]) -> port | nil, sentence, code
** Open a port (or a link to one, or a pseudo-terminal) at `baud` (115200): 8 bits, no parity, 1 stop bit.
** The traffic is appended to the file `trace`. If another program has the port open, or permission is
** missing, the sentence names the remedy. */
static int open_port(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  int baud = (int)luaL_optinteger(L, 2, 115200);
  const char *trace = luaL_optstring(L, 3, NULL);
  brio_error err = {0};
  /* The userdata exists before the port, so that nothing leaks. */
  serial *self = lua_newuserdatauv(L, sizeof *self, 0);
  self->port = NULL;
  luaL_setmetatable(L, CLASS);
  self->port = brio_port_open(name, baud, &err);
  /* The trace belongs to the port, which writes to it. */
  if (self->port && trace) self->port->trace = brio_trace_open(trace, "raw", name, baud, &err);
  if (self->port && (!trace || self->port->trace)) return 1;
  /* A port without its trace is closed at once: until then nobody could open it. */
  brio_port_close(self->port);
  self->port = NULL;
  return brio_lua_failed(L, &err);
}

/* port:write(bytes) -> true | nil, sentence, code
** Write all bytes. */
static int write_port(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 2, &length);
  brio_error err = {0};
  luaL_argcheck(L, length <= LONGEST, 2, "at most 65536 bytes at once");
  if (!brio_port_write(port_at(L, 1), (const uint8_t *)bytes, (int)length, &err))
    return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* port:read([most, [timeout]]) -> bytes | nil, sentence, code
** Reads at most `most` (4096) bytes, waiting at most `timeout` (0) seconds for the first; "" if none came.  A
** port that was unplugged fails. */
static int read_port(lua_State *L) {
  brio_port *port = port_at(L, 1);
  lua_Integer most = luaL_optinteger(L, 2, 4096);
  double timeout = lua_isnoneornil(L, 3) ? 0 : brio_lua_number(L, 3, 0, 60, "the time to wait");
  brio_error err = {0};
  luaL_Buffer buffer;
  luaL_argcheck(L, most >= 1 && most <= LONGEST, 2, "from 1 to 65536 bytes");
  /* The bytes are read into the text's own memory. */
  uint8_t *room = (uint8_t *)luaL_buffinitsize(L, &buffer, (size_t)most);
  int got = brio_port_read(port, room, (int)most, timeout, &err);
  if (got < 0) return brio_lua_failed(L, &err);
  luaL_pushresultsize(&buffer, (size_t)got);
  return 1;
}

/* port:baud(rate) -> true | nil, sentence, code
** Change the baud rate. */
static int set_baud(lua_State *L) {
  brio_error err = {0};
  if (!brio_port_set_baud(port_at(L, 1), (int)luaL_checkinteger(L, 2), &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* A flag of the settings on top: 1, 0, or -1 if absent. */
static int line_flag(lua_State *L, int index, const char *key) {
  int flag = lua_getfield(L, index, key) == LUA_TNIL ? -1 : lua_toboolean(L, -1);
  lua_pop(L, 1);
  return flag;
}

/* The index of the word in field `key` of the table at `index`; absent: 0. Raises on another word. */
static int line_option(lua_State *L, int index, const char *key, const char *const *names) {
  int option = lua_getfield(L, index, key) == LUA_TNIL ? 0 : luaL_checkoption(L, -1, NULL, names);
  lua_pop(L, 1);
  return option;
}

/* port:settings{[bits =, parity =, stop =, flow =, rts =, dtr =]} -> true | nil, sentence, code
** Change the settings of a serial line: `bits` 5 to 8 (8), `parity` "none", "even" or "odd", `stop` bits 1 or
** 2 (1), `flow` control "none", "rtscts" or "xonxoff"; `rts` and `dtr` true or false switch these lines
** (absent: unchanged). A pseudo-terminal, as of emulators, accepts the default settings only. */
static int set_line(lua_State *L) {
  static const char *const keys[] = {"bits", "parity", "stop", "flow", "rts", "dtr", NULL};
  static const char *const parities[] = {"none", "even", "odd", NULL}, *const flows[] = {"none", "rtscts",
                                                                                         "xonxoff", NULL};
  brio_port *port = port_at(L, 1);
  brio_error err = {0};
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "a serial line");
  const brio_port_line line = {.bits = (int)brio_lua_field_number(L, 2, "bits", 5, 8, 8),
                               .stop = (int)brio_lua_field_number(L, 2, "stop", 1, 2, 1),
                               .parity = (brio_parity)line_option(L, 2, "parity", parities),
                               .flow = (brio_flow)line_option(L, 2, "flow", flows),
                               .rts = line_flag(L, 2, "rts"),
                               .dtr = line_flag(L, 2, "dtr")};
  if (!brio_port_set_line(port, &line, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* port:close() -> true | nil, sentence, code
** Close it; closing again has no effect. It fails when its trace could not be written completely. */
static int close_port(lua_State *L) {
  serial *self = luaL_checkudata(L, 1, CLASS);
  brio_error err = {0};
  /* The trace is closed first: its failure is reported after the port was closed. */
  bool good = !self->port || brio_trace_close(self->port->trace, &err);
  brio_port_close(self->port);
  self->port = NULL;
  if (!good) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* Push the baud rates at which a family is searched for. */
static void push_bauds(lua_State *L, const brio_driver_scan *scan) {
  lua_newtable(L);
  for (int i = 0; brio_scan_baud(scan, i) > 0; i++) {
    lua_pushinteger(L, brio_scan_baud(scan, i));
    lua_rawseti(L, -2, i + 1);
  }
}

/* Push the kinds of ports: {serial =, can =, udp =}. */
static void push_kinds(lua_State *L, unsigned kinds) {
  static const char *const names[] = {"serial", "can", "udp"};
  lua_createtable(L, 0, 3);
  for (int i = 0; i < 3; i++) {
    lua_pushboolean(L, (kinds & 1u << i) != 0);
    lua_setfield(L, -2, names[i]);
  }
}

/* serial.families() -> {{name, doc, sends, bauds, ports, last, turn, alone}, ...}
** The families of devices that `find` supports, by the names of their drivers: `sends` describes the request,
** `ports` lists its kinds of ports (serial, can, udp), `last` is the highest id (-1: it has none), `turn`
** gives the order of the search, `alone`: a device that answered is the only one on its port, and no requests
** of other families may be sent there. */
static int families(lua_State *L) {
  lua_newtable(L);
  for (int i = 0, n = 0; brio_driver_kinds[i]; i++) {
    const brio_driver_kind *kind = brio_driver_kinds[i];
    /* Families without a search are left out. */
    if (!kind->scan) continue;
    lua_createtable(L, 0, 7);
    brio_lua_set_text(L, "name", kind->name);
    brio_lua_set_text(L, "doc", kind->doc);
    brio_lua_set_text(L, "sends", kind->scan->sends);
    brio_lua_set_integer(L, "last", kind->scan->last);
    brio_lua_set_integer(L, "turn", kind->scan->turn);
    lua_pushboolean(L, kind->scan->alone);
    lua_setfield(L, -2, "alone");
    push_bauds(L, kind->scan);
    lua_setfield(L, -2, "bauds");
    push_kinds(L, kind->scan->ports);
    lua_setfield(L, -2, "ports");
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* Push one device that answered. */
static void push_found(lua_State *L, const brio_scan_found *found) {
  lua_createtable(L, 0, 9);
  if (found->id >= 0) brio_lua_set_integer(L, "id", found->id);
  brio_lua_set_integer(L, "axes", found->axes);
  brio_lua_set_integer(L, "first", found->first);
  brio_lua_set_text(L, "words", found->words);
  if (found->name[0]) brio_lua_set_text(L, "name", found->name);
  if (found->settings) brio_lua_set_text(L, "settings", found->settings);
  lua_pushboolean(L, found->known);
  lua_setfield(L, -2, "known");
  /* Limits count only if the device reported a range. */
  if (!(found->lower < found->upper)) return;
  brio_lua_set_number(L, "lower", found->lower);
  brio_lua_set_number(L, "upper", found->upper);
}

/* The family at an argument, which must support the search. */
static const brio_driver_scan *scan_at(lua_State *L, int arg, brio_error *err) {
  const brio_driver_kind *kind = brio_driver_find(luaL_checkstring(L, arg), err);
  /* A family that exists, but has no search, is misuse. */
  if (!kind || kind->scan) return kind ? kind->scan : NULL;
  brio_fail(err, BRIO_MISUSE, "%s cannot be looked for", kind->name);
  return NULL;
}

/* port:find(family, [first, [last, [latency]]]) -> {found, ...} | nil, sentence, code
** Send requests to ids `first` (0) to `last` (the highest) of a family at the port's baud rate, and wait
** `latency` (0.005) seconds for each in addition to the time of its bytes. Nothing moves and no setting
** changes.  Each that answered is {id, axes, first, words, known, name, lower, upper, settings}: its number
** on the bus (nil: it has none), the number of its axes and that of the first, a description, the limits set
** in it in rad (nil: unknown), further settings of its driver for a robot's file (nil: none). If `known` is
** false it may belong to another family with similar packets. */
static int find(lua_State *L) {
  brio_port *port = port_at(L, 1);
  brio_error err = {0};
  const brio_driver_scan *scan = scan_at(L, 2, &err);
  if (!scan) return brio_lua_failed(L, &err);
  int first = (int)luaL_optinteger(L, 3, 0), last = (int)luaL_optinteger(L, 4, scan->last);
  luaL_argcheck(L, first >= 0 && first <= 254 && last <= 254, 3, "ids are from 0 to 254");
  double latency = lua_isnoneornil(L, 5) ? 0.005 : brio_lua_number(L, 5, 0.0005, 1, "the latency");
  /* Room for every id, freed by the collector. */
  brio_scan_found *found = lua_newuserdatauv(L, FOUND * sizeof *found, 0);
  int count = scan->look(scan, port, first, last < scan->last ? last : scan->last, latency, found, FOUND,
                         &err);
  if (count < 0) return brio_lua_failed(L, &err);
  lua_newtable(L);
  for (int i = 0; i < count && i < FOUND; i++) {
    push_found(L, &found[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* ---- setting up by hand ---- */

/* The family at an argument, which must support setting up by hand. */
static const brio_driver_setup *setup_at(lua_State *L, int arg, brio_error *err) {
  const brio_driver_kind *kind = brio_driver_find(luaL_checkstring(L, arg), err);
  if (!kind || kind->setup) return kind ? kind->setup : NULL;
  brio_fail(err, BRIO_MISUSE, "%s has no numbers to set; `brio servo` is for bus servos", kind->name);
  return NULL;
}

/* serial.numbers(family) -> {{name, unit, doc, reads, writes, lower, upper}, ...} | nil, sentence, code
** The numbers that port:get and port:set accept for a family's devices. */
static int numbers(lua_State *L) {
  brio_error err = {0};
  const brio_driver_setup *setup = setup_at(L, 1, &err);
  if (!setup) return brio_lua_failed(L, &err);
  lua_newtable(L);
  for (int i = 0; setup->rows[i].name; i++) {
    const brio_setup_row *row = &setup->rows[i];
    lua_createtable(L, 0, 7);
    brio_lua_set_text(L, "name", row->name);
    brio_lua_set_text(L, "unit", row->unit);
    brio_lua_set_text(L, "doc", row->doc);
    lua_pushboolean(L, row->read >= 0);
    lua_setfield(L, -2, "reads");
    lua_pushboolean(L, row->write >= 0);
    lua_setfield(L, -2, "writes");
    brio_lua_set_number(L, "lower", row->lower);
    brio_lua_set_number(L, "upper", row->upper);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* port:get(family, id, name) -> number | nil, sentence, code
** Read a number of a device of a family: see serial.numbers. */
static int get_number(lua_State *L) {
  brio_port *port = port_at(L, 1);
  brio_error err = {0};
  double value;
  const brio_driver_setup *setup = setup_at(L, 2, &err);
  int id = (int)luaL_checkinteger(L, 3);
  const char *name = luaL_checkstring(L, 4);
  if (!setup || !brio_setup_get(setup, port, id, name, &value, &err)) return brio_lua_failed(L, &err);
  lua_pushnumber(L, value);
  return 1;
}

/* port:set(family, id, name, value) -> true | nil, sentence, code
** Change a number in a device of a family; it is read back if the device supports that. A new baud rate is
** also set in the port. */
static int set_number(lua_State *L) {
  brio_port *port = port_at(L, 1);
  brio_error err = {0};
  const brio_driver_setup *setup = setup_at(L, 2, &err);
  int id = (int)luaL_checkinteger(L, 3);
  const char *name = luaL_checkstring(L, 4);
  double value = luaL_checknumber(L, 5);
  if (!setup || !brio_setup_set(setup, port, id, name, value, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

int luaopen_brio_serial(lua_State *L) {
  static const luaL_Reg methods[] = {{"write", write_port},  {"read", read_port},   {"baud", set_baud},
                                     {"settings", set_line}, {"find", find},        {"get", get_number},
                                     {"set", set_number},    {"close", close_port}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"ports", ports}, {"open", open_port}, {"families", families}, {"numbers", numbers}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, close_port);
  luaL_newlib(L, functions);
  return 1;
}
