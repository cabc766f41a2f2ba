/* brio.serial: raw serial ports, for boards of one's own; and looking for servos on them. */
#include <lauxlib.h>
#include <lua.h>

#include "drivers/exchange.h"
#include "drivers/port.h"
#include "drivers/servo_bus.h"
#include "lua/lua_args.h"

#define CLASS "brio.serial"

enum { PORTS = 64, FOUND = 253, LONGEST = 65536 };

typedef struct serial {
  brio_port *port; /* NULL: closed */
} serial;

static brio_port *port_at(lua_State *L, int arg) {
  serial *self = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, self->port, arg, "the port was closed");
  return self->port;
}

/* serial.ports() -> {{name, words}, ...}
** The serial ports that there are, with what is known of each. */
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

/* serial.open(name, [baud]) -> port | nil, sentence, code
** Open a port (or a link to one, or a pseudo-terminal) at `baud` (115200): 8 bits, no parity, 1 stop bit. */
static int open_port(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  int baud = (int)luaL_optinteger(L, 2, 115200);
  brio_error err = {0};
  serial *self = lua_newuserdatauv(L, sizeof *self, 0);
  self->port = NULL;
  luaL_setmetatable(L, CLASS);
  self->port = brio_port_open(name, baud, &err);
  return self->port ? 1 : brio_lua_failed(L, &err);
}

/* port:write(bytes) -> true | nil, sentence, code
** Write all bytes. */
static int write_port(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 2, &length);
  brio_error err = {0};
  luaL_argcheck(L, length <= LONGEST, 2, "at most 65536 bytes at once");
  if (!brio_port_write(port_at(L, 1), (const uint8_t *)bytes, (int)length, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* port:read([most, [timeout]]) -> bytes | nil, sentence, code
** What is there, at most `most` (4096) bytes, waiting at most `timeout` (0) seconds for the first: "" when
** none came.  A port that was unplugged fails. */
static int read_port(lua_State *L) {
  brio_port *port = port_at(L, 1);
  lua_Integer most = luaL_optinteger(L, 2, 4096);
  double timeout = lua_isnoneornil(L, 3) ? 0 : brio_lua_number(L, 3, 0, 60, "the time to wait");
  brio_error err = {0};
  luaL_Buffer buffer;
  luaL_argcheck(L, most >= 1 && most <= LONGEST, 2, "from 1 to 65536 bytes");
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

/* port:close()
** Close it; closed already, nothing happens. */
static int close_port(lua_State *L) {
  serial *self = luaL_checkudata(L, 1, CLASS);
  brio_port_close(self->port);
  self->port = NULL;
  return 0;
}

/* serial.families() -> {{name, doc, bauds}, ...}
** The families of bus servos that `find` looks for. */
static int families(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_servo_families[i]; i++) {
    const brio_servo_family *family = brio_servo_families[i];
    lua_createtable(L, 0, 3);
    lua_pushstring(L, family->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, family->doc);
    lua_setfield(L, -2, "doc");
    lua_newtable(L);
    for (int k = 0; family->bauds[k].baud; k++) {
      lua_pushinteger(L, family->bauds[k].baud);
      lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "bauds");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* Push what is known of one servo, and its limits in rad. */
static void push_found(lua_State *L, brio_servo_bus *bus, const brio_servo_found *found) {
  int32_t lower, upper;
  lua_createtable(L, 0, 6);
  lua_pushstring(L, brio_servo_model_name(bus->family, found->model));
  lua_setfield(L, -2, "name");
  lua_pushinteger(L, found->id);
  lua_setfield(L, -2, "id");
  lua_pushinteger(L, found->model);
  lua_setfield(L, -2, "model");
  lua_pushinteger(L, found->firmware);
  lua_setfield(L, -2, "firmware");
  if (!brio_servo_bus_get(bus, found->id, BRIO_ROLE_LOWER, &lower, NULL) ||
      !brio_servo_bus_get(bus, found->id, BRIO_ROLE_UPPER, &upper, NULL) || lower >= upper)
    return;
  lua_pushnumber(L, brio_servo_angle(bus->family, lower));
  lua_setfield(L, -2, "lower");
  lua_pushnumber(L, brio_servo_angle(bus->family, upper));
  lua_setfield(L, -2, "upper");
}

/* port:find(family, [first, [last, [latency]]]) -> {{id, model, name, firmware, lower, upper}, ...} | nil, sentence, code
** Ask ids `first` (0) to `last` (252) of a family of bus servos at the port's baud rate, and wait `latency`
** (0.005) seconds for each besides its bytes' time.  Nothing moves.  `name` is absent for a model that the family does not know:
** families whose packets look alike answer each other's questions. */
static int find(lua_State *L) {
  brio_servo_found found[FOUND];
  brio_port *port = port_at(L, 1);
  brio_error err = {0};
  const brio_servo_family *family = brio_servo_family_find(luaL_checkstring(L, 2), &err);
  if (!family) return brio_lua_failed(L, &err);
  int first = (int)luaL_optinteger(L, 3, 0), last = (int)luaL_optinteger(L, 4, 252);
  luaL_argcheck(L, first >= 0 && first <= last && last <= 252, 3, "ids are from 0 to 252");
  double latency = lua_isnoneornil(L, 5) ? 0.005 : brio_lua_number(L, 5, 0.0005, 1, "the latency");
  brio_servo_bus *bus = lua_newuserdatauv(L, sizeof *bus, 0);
  brio_servo_bus_start(bus, family, port);
  bus->latency = latency;
  int count = brio_servo_bus_scan(bus, first, last, found, FOUND, &err);
  if (count < 0) return brio_lua_failed(L, &err);
  lua_newtable(L);
  for (int i = 0; i < count && i < FOUND; i++) {
    push_found(L, bus, &found[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int luaopen_brio_serial(lua_State *L) {
  static const luaL_Reg methods[] = {{"write", write_port}, {"read", read_port},   {"baud", set_baud},
                                     {"find", find},        {"close", close_port}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"ports", ports}, {"open", open_port}, {"families", families}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, close_port);
  luaL_newlib(L, functions);
  return 1;
}
