/* brio.servo: single bus servos, for inspection and setting up (drivers/servo/bus.h). */
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <string.h>

#include "drivers/servo/bus.h"
#include "lua/drivers/lua_emulator.h"
#include "lua/lua_args.h"

#define CLASS "brio.servo"

enum { MOST = 128, PLACE = 4 /* bytes of a register, at most */ };

typedef struct servos {
  brio_port *port; /* NULL: closed */
  brio_servo_bus bus;
} servos;

/* The bus at argument `arg`; raises when it, or the emulator that it is connected to, was closed. */
static servos *servos_at(lua_State *L, int arg) {
  servos *self = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, self->port, arg, "the bus was closed");
  lua_getiuservalue(L, arg, 1);
  if (!lua_isnil(L, -1)) brio_lua_emulator(L, -1); /* raises if it was closed */
  lua_pop(L, 1);
  return self;
}

/* Return true, or the failure, as the result of a binding. */
static int done(lua_State *L, bool good, const brio_error *err) {
  if (!good) return brio_lua_failed(L, err);
  lua_pushboolean(L, true);
  return 1;
}

/* The id at argument `arg`, or raise; 253 and above are not ids of servos. */
static int id_at(lua_State *L, int arg) {
  lua_Integer id = luaL_checkinteger(L, arg);
  luaL_argcheck(L, id >= 0 && id < BRIO_SERVO_IDS, arg, "an id is from 0 to 252");
  return (int)id;
}

/* The register of that name in a servo; NULL and a sentence otherwise. */
static const brio_register *register_at(lua_State *L, const servos *self, int id, int arg, brio_error *err) {
  return brio_servo_register_find(brio_servo_bus_layout(&self->bus, id), luaL_checkstring(L, arg), err);
}

/* servo.families() -> {{name, doc, bauds, models}, ...}
** The families of bus servos: their baud rates, and the names of the known models. */
static int families(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_servo_families[i]; i++) {
    const brio_servo_family *family = brio_servo_families[i];
    lua_createtable(L, 0, 4);
    brio_lua_set_text(L, "name", family->name);
    brio_lua_set_text(L, "doc", family->doc);
    lua_newtable(L);
    /* The rates end at 0, the models at a negative number. */
    for (int k = 0; family->bauds[k].baud; k++) {
      lua_pushinteger(L, family->bauds[k].baud);
      lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "bauds");
    lua_newtable(L);
    for (int k = 0; family->models[k].number >= 0; k++) {
      lua_pushstring(L, family->models[k].name);
      lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "models");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* servo.open(port, family, [options]) -> bus | nil, sentence, code
** Open a port (its name, or an emulator of bus servos, which then runs in simulated time) for servos of a
** family. Options: baud (default: the factory setting), latency (0.02 s: of the adapter), tries (3: requests
** until the error). */
static int open_bus(lua_State *L) {
  static const char *const keys[] = {"baud", "latency", "tries", NULL};
  brio_error err = {0};
  brio_emulator *line = brio_lua_emulator(L, 1);
  const brio_servo_family *family = brio_servo_family_find(luaL_checkstring(L, 2), &err);
  if (!family) return brio_lua_failed(L, &err);
  lua_settop(L, 3);
  if (lua_isnil(L, 3)) lua_newtable(L), lua_replace(L, 3);
  luaL_checktype(L, 3, LUA_TTABLE);
  brio_lua_only_keys(L, 3, keys, "a bus of servos");
  /* Default rates: an emulator's own, or the family's factory setting. */
  int baud = (int)brio_lua_field_number(L, 3, "baud", 1200, 2e7,
                                        line ? brio_emulator_kind_of(line)->baud : family->baud);
  double latency = brio_lua_field_number(L, 3, "latency", 0.0005, 1, 0.02),
         tries = brio_lua_field_number(L, 3, "tries", 1, 100, 3);
  /* The userdata exists before the port, so that errors leak nothing. */
  servos *self = lua_newuserdatauv(L, sizeof *self, 1);
  self->port = NULL;
  luaL_setmetatable(L, CLASS);
  if (line) lua_pushvalue(L, 1), lua_setiuservalue(L, -2, 1); /* keeps the emulator alive */
  self->port = line ? brio_port_emulated(line, baud, &err)
                    : brio_port_open(luaL_checkstring(L, 1), baud, &err);
  if (!self->port) return brio_lua_failed(L, &err);
  /* The options replace the times and tries with which the bus begins. */
  brio_servo_bus_start(&self->bus, family, self->port);
  self->bus.x.latency = latency;
  self->bus.x.tries = (int)tries;
  return 1;
}

/* Push a table about a servo that answered: see bus:ping. */
static void push_found(lua_State *L, const servos *self, const brio_servo_found *found) {
  lua_createtable(L, 0, 5);
  brio_lua_set_integer(L, "id", found->id);
  brio_lua_set_integer(L, "model", found->model);
  brio_lua_set_integer(L, "firmware", found->firmware);
  lua_pushstring(L, brio_servo_model_name(self->bus.family, found->model));
  lua_setfield(L, -2, "name");
  lua_pushboolean(L, found->garbled);
  lua_setfield(L, -2, "garbled");
}

/* bus:ping(id) -> {id, model, firmware, name, garbled} | nil, sentence, code
** Ping a servo, and read its model, which determines its registers. `name` is nil for an unknown model. */
static int ping(lua_State *L) {
  servos *self = servos_at(L, 1);
  brio_servo_found found;
  brio_error err = {0};
  if (!brio_servo_bus_ping(&self->bus, id_at(L, 2), &found, &err)) return brio_lua_failed(L, &err);
  push_found(L, self, &found);
  return 1;
}

/* bus:scan([first, [last]]) -> {found, ...} | nil, sentence, code
** Ping ids `first` (0) to `last` (252) at the port's baud rate.  `garbled` in a result: the answer is
** corrupted, since two servos have this id, or the line is noisy. */
static int scan(lua_State *L) {
  servos *self = servos_at(L, 1);
  brio_servo_found found[BRIO_SERVO_IDS];
  brio_error err = {0};
  int first = lua_isnoneornil(L, 2) ? 0 : id_at(L, 2), last = lua_isnoneornil(L, 3) ? 252 : id_at(L, 3);
  int count = brio_servo_bus_scan(&self->bus, first, last, found, BRIO_SERVO_IDS, &err);
  if (count < 0) return brio_lua_failed(L, &err);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    push_found(L, self, &found[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* bus:registers(id) -> {{name, address, size, access, lower, upper}, ...}
** The registers of a servo, by the model of its last ping.  `access`: "read only", "volatile",
** "stored" (kept without power). */
static int registers(lua_State *L) {
  static const char *const words[] = {
      [BRIO_READ_ONLY] = "read only", [BRIO_VOLATILE] = "volatile", [BRIO_STORED] = "stored"};
  servos *self = servos_at(L, 1);
  const brio_servo_family *layout = brio_servo_bus_layout(&self->bus, id_at(L, 2));
  lua_newtable(L);
  /* One entry for each register of the model, in the order of the table. */
  for (int i = 0; layout->registers[i].name; i++) {
    const brio_register *reg = &layout->registers[i];
    lua_createtable(L, 0, 6);
    brio_lua_set_text(L, "name", reg->name);
    brio_lua_set_integer(L, "address", reg->address);
    brio_lua_set_integer(L, "size", reg->size);
    brio_lua_set_text(L, "access", words[reg->access]);
    brio_lua_set_integer(L, "lower", reg->lower);
    brio_lua_set_integer(L, "upper", reg->upper);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* bus:get(id, register) -> number | nil, sentence, code
** Read a register by its name, such as "Present Position" or "present_position", with its sign. */
static int get(lua_State *L) {
  servos *self = servos_at(L, 1);
  int id = id_at(L, 2);
  uint8_t bytes[PLACE];
  brio_error err = {0};
  /* The register is looked up by the model of the last ping. */
  const brio_register *reg = register_at(L, self, id, 3, &err);
  if (!reg || !brio_servo_bus_read(&self->bus, id, reg->address, reg->size, bytes, &err))
    return brio_lua_failed(L, &err);
  lua_pushinteger(L, brio_servo_value(self->bus.family, reg, bytes));
  return 1;
}

/* bus:set(id, register, value) -> true | nil, sentence, code
** Write a register and read it back.  For a stored register torque is switched off first, or the lock opened.
** After a new "ID" or "Baud Rate" (its code) the bus uses it. */
static int set(lua_State *L) {
  servos *self = servos_at(L, 1);
  int id = id_at(L, 2);
  brio_error err = {0};
  const brio_register *reg = register_at(L, self, id, 3, &err);
  /* The range of a register is checked by the bus, which knows the model. */
  int32_t value = (int32_t)brio_lua_number(L, 4, INT32_MIN, INT32_MAX, "the value");
  return done(L, reg && brio_servo_bus_configure(&self->bus, id, reg, value, &err), &err);
}

/* bus:baud(id, rate) -> true | nil, sentence, code
** Change the baud rate of a servo, and of the port. */
static int change_baud(lua_State *L) {
  servos *self = servos_at(L, 1);
  brio_error err = {0};
  return done(L, brio_servo_bus_change_baud(&self->bus, id_at(L, 2), (int)luaL_checkinteger(L, 3), &err),
              &err);
}

/* bus:rate(rate) -> true | nil, sentence, code
** Change the baud rate of the port. */
static int set_rate(lua_State *L) {
  servos *self = servos_at(L, 1);
  brio_error err = {0};
  return done(L, brio_port_set_baud(self->port, (int)luaL_checkinteger(L, 2), &err), &err);
}

/* bus:torque(id, on) -> true | nil, sentence, code
** Switch the torque of a servo on or off. Its goal is set to its position first. */
static int torque(lua_State *L) {
  brio_error err = {0};
  return done(L, brio_servo_bus_hold(&servos_at(L, 1)->bus, id_at(L, 2), lua_toboolean(L, 3), &err), &err);
}

/* bus:reboot(id) -> true | nil, sentence, code
** Switch a servo off and on again: hardware errors are cleared, torque is off, and it does not answer for
** about a second. */
static int reboot(lua_State *L) {
  brio_error err = {0};
  return done(L, brio_servo_bus_reboot(&servos_at(L, 1)->bus, id_at(L, 2), &err), &err);
}

/* bus:reset(id) -> true | nil, sentence, code
** Reset all settings of a servo (Protocol 2.0) except its id and baud rate. */
static int reset(lua_State *L) {
  brio_error err = {0};
  return done(L, brio_servo_bus_reset(&servos_at(L, 1)->bus, id_at(L, 2), &err), &err);
}

/* bus:errors(id) -> words | nil, sentence, code
** The hardware errors of a servo: "overload, input voltage"; "nothing". */
static int errors(lua_State *L) {
  servos *self = servos_at(L, 1);
  int id = id_at(L, 2);
  const brio_servo_family *layout = brio_servo_bus_layout(&self->bus, id);
  int32_t bits;
  brio_error err = {0};
  /* Some families have no register of alerts, but report them with every answer: then any read will do. */
  bool has = brio_servo_role_register(layout, BRIO_ROLE_ALERT);
  if (!brio_servo_bus_get(&self->bus, id, has ? BRIO_ROLE_ALERT : BRIO_ROLE_ID, &bits, &err))
    return brio_lua_failed(L, &err);
  brio_text words = {0};
  brio_servo_alert_words(layout, has ? (unsigned)bits : (unsigned)self->bus.alert, &words);
  lua_pushstring(L, words.bytes ? words.bytes : "");
  brio_text_end(&words);
  return 1;
}

/* bus:angle(id, position) -> rad
** Converts a position of a servo to rad; the inverse is bus:position(id, rad). */
static int angle(lua_State *L) {
  const brio_servo_family *layout = brio_servo_bus_layout(&servos_at(L, 1)->bus, id_at(L, 2));
  lua_pushnumber(
      L, brio_servo_angle(layout, (int32_t)brio_lua_number(L, 3, INT32_MIN, INT32_MAX, "the position")));
  return 1;
}

/* bus:position(id, rad) -> position
** The position of a servo that is nearest to an angle. */
static int position(lua_State *L) {
  const brio_servo_family *layout = brio_servo_bus_layout(&servos_at(L, 1)->bus, id_at(L, 2));
  lua_pushinteger(L, brio_servo_position(layout, brio_lua_number(L, 3, -1e6, 1e6, "the angle")));
  return 1;
}

/* ---- several servos at once ---- */

/* Registers of many servos, read or written at once. */
typedef struct many {
  int n;
  uint8_t ids[MOST];
  int addresses[MOST], sizes[MOST];
  const brio_register *registers[MOST];
  uint8_t bytes[MOST * PLACE];
} many;

/* Append the servo `id`, its register named at index `name`, and the value to write (NULL: it is read);
** false: an error. */
static bool add(lua_State *L, const servos *self, many *m, int id, int name, const int32_t *value,
                brio_error *err) {
  luaL_argcheck(L, m->n < MOST, 2, "too many servos");
  const brio_register *reg = register_at(L, self, id, name, err);
  int at = 0;
  if (!reg) return false;
  /* Values lie one after the other, each with the size of its register. */
  for (int i = 0; i < m->n; i++) at += m->sizes[i];
  m->ids[m->n] = (uint8_t)id;
  m->registers[m->n] = reg;
  m->addresses[m->n] = reg->address;
  m->sizes[m->n] = reg->size;
  if (value) brio_servo_bytes(self->bus.family, reg, *value, m->bytes + at);
  /* Only writable registers, only values within their range. */
  if (reg->access == BRIO_READ_ONLY && value)
    return brio_fail(err, BRIO_MISUSE, "%s of a servo can only be read", reg->name);
  if (value && (*value < reg->lower || *value > reg->upper))
    return brio_fail(err, BRIO_MISUSE, "%s is from %d to %d, not %d", reg->name, reg->lower, reg->upper,
                     *value);
  m->n++;
  return true;
}

/* Push {[id] = value} of those that answered. */
static int push_answers(lua_State *L, const servos *self, const many *m, const uint8_t *out,
                        const bool *valid) {
  lua_newtable(L);
  for (int i = 0, at = 0; i < m->n; at += m->sizes[i++]) {
    if (!valid[i]) continue;
    lua_pushinteger(L, brio_servo_value(self->bus.family, m->registers[i], out + at));
    lua_rawseti(L, -2, m->ids[i]);
  }
  return 1;
}

/* bus:read(ids, register) -> {[id] = value, ...} | nil, sentence, code
** Read one register of several servos by one packet (fast sync read, sync read, or one by one, whatever they
** support). Servos that do not answer are missing. Their models must have that register at the same
** address. */
static int read_many(lua_State *L) {
  servos *self = servos_at(L, 1);
  many m = {0};
  uint8_t out[MOST * PLACE];
  bool valid[MOST];
  brio_error err = {0};
  luaL_checktype(L, 2, LUA_TTABLE);
  /* All must have the same register at the same address: one packet holds one address. */
  for (int i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
    if (!add(L, self, &m, id_at(L, -1), 3, NULL, &err)) return brio_lua_failed(L, &err);
    luaL_argcheck(L, m.addresses[i - 1] == m.addresses[0] && m.sizes[i - 1] == m.sizes[0], 2,
                  "models differ: use bulk_read");
    lua_pop(L, 1);
  }
  /* An empty list would send a packet without ids. */
  luaL_argcheck(L, m.n > 0, 2, "no ids");
  if (brio_servo_bus_sync_read(&self->bus, m.ids, m.n, m.addresses[0], m.sizes[0], out, valid, NULL, &err) <
      0)
    return brio_lua_failed(L, &err);
  return push_answers(L, self, &m, out, valid);
}

/* bus:write(values, register) -> true | nil, sentence, code
** Write {[id] = value} to a register of several servos by one packet, which is not acknowledged. */
static int write_many(lua_State *L) {
  servos *self = servos_at(L, 1);
  many m = {0};
  brio_error err = {0};
  luaL_checktype(L, 2, LUA_TTABLE);
  for (int id = 0; id < BRIO_SERVO_IDS; id++) { /* in order of ids, so that replays are equal */
    if (lua_rawgeti(L, 2, id) != LUA_TNIL) {
      int32_t value = (int32_t)brio_lua_number(L, -1, INT32_MIN, INT32_MAX, "the value");
      if (!add(L, self, &m, id, 3, &value, &err)) return brio_lua_failed(L, &err);
      luaL_argcheck(L, m.addresses[m.n - 1] == m.addresses[0] && m.sizes[m.n - 1] == m.sizes[0], 2,
                    "models differ: use bulk_write");
    }
    lua_pop(L, 1);
  }
  luaL_argcheck(L, m.n > 0, 2, "no values");
  return done(L, brio_servo_bus_sync_write(&self->bus, m.ids, m.n, m.addresses[0], m.sizes[0], m.bytes, &err),
              &err);
}

/* Read a list of {id, register, value} at argument 2. */
static bool take_list(lua_State *L, const servos *self, many *m, bool values, brio_error *err) {
  luaL_checktype(L, 2, LUA_TTABLE);
  /* Each row has an id, a register, and a value when it is written. */
  for (int i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
    luaL_checktype(L, -1, LUA_TTABLE);
    int row = lua_gettop(L);
    lua_rawgeti(L, row, 1);
    lua_rawgeti(L, row, 2);
    lua_rawgeti(L, row, 3);
    int32_t value = values ? (int32_t)brio_lua_number(L, row + 3, INT32_MIN, INT32_MAX, "the value") : 0;
    if (!add(L, self, m, id_at(L, row + 1), row + 2, values ? &value : NULL, err)) return false;
    lua_settop(L, row - 1);
  }
  lua_pop(L, 1);
  return true;
}

/* bus:bulk_read({{id, register}, ...}, [fast]) -> {[id] = value, ...} | nil, sentence, code
** Read different registers of several servos by one packet: Protocol 2.0, and the MX series by 1.0.  `fast`:
** they also answer by one packet (newer firmware of 2.0).  Each must have been pinged before. */
static int bulk_read(lua_State *L) {
  servos *self = servos_at(L, 1);
  many m = {0};
  uint8_t out[MOST * PLACE];
  bool valid[MOST], fast = lua_toboolean(L, 3);
  brio_error err = {0};
  if (!take_list(L, self, &m, false, &err)) return brio_lua_failed(L, &err);
  int got = (fast ? brio_servo_bus_fast_bulk_read : brio_servo_bus_bulk_read)(&self->bus, m.ids, m.addresses,
                                                                              m.sizes, m.n, out, valid, &err);
  return got < 0 ? brio_lua_failed(L, &err) : push_answers(L, self, &m, out, valid);
}

/* bus:bulk_write({{id, register, value}, ...}) -> true | nil, sentence, code
** Write different registers of several servos (Protocol 2.0) by one packet, which is not acknowledged. */
static int bulk_write(lua_State *L) {
  servos *self = servos_at(L, 1);
  many m = {0};
  brio_error err = {0};
  bool good = take_list(L, self, &m, true, &err) &&
              brio_servo_bus_bulk_write(&self->bus, m.ids, m.addresses, m.sizes, m.n, m.bytes, &err);
  return done(L, good, &err);
}

/* bus:counts() -> {asked, retries, timeouts, strays, echoes, refusals, packets, dropped, garbage, length,
** check, content, cut}
** Statistics since the bus was opened: requests, repeated requests and those without an
** answer, unexpected packets, echoes of the host's own, answers with an error; and of the received bytes,
** those rejected, by reason. */
static int counts(lua_State *L) {
  const servos *self = servos_at(L, 1);
  const brio_exchange *x = &self->bus.x;
  /* Statistics of the exchange of packets, then the faults of received bytes by kind. */
  const struct {
    const char *name;
    uint64_t count;
  } rows[] = {{"asked", x->asked},
              {"retries", x->retries},
              {"timeouts", x->timeouts},
              {"strays", x->strays},
              {"echoes", x->echoes},
              {"refusals", self->bus.refusals},
              {"packets", x->stream.packets},
              {"dropped", x->stream.dropped}};
  lua_newtable(L);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    brio_lua_set_integer(L, rows[i].name, (lua_Integer)rows[i].count);
  for (int i = 0; i < BRIO_NWIRE_FAULT; i++)
    brio_lua_set_integer(L, brio_wire_fault_name((brio_wire_fault)i), (lua_Integer)x->stream.faults[i]);
  return 1;
}

/* bus:close()
** Close the port; closing again has no effect. */
static int close_bus(lua_State *L) {
  servos *self = luaL_checkudata(L, 1, CLASS);
  brio_port_close(self->port);
  self->port = NULL;
  return 0;
}

int luaopen_brio_servo(lua_State *L) {
  static const luaL_Reg methods[] = {{"ping", ping},
                                     {"scan", scan},
                                     {"registers", registers},
                                     {"get", get},
                                     {"set", set},
                                     {"baud", change_baud},
                                     {"rate", set_rate},
                                     {"torque", torque},
                                     {"reboot", reboot},
                                     {"reset", reset},
                                     {"errors", errors},
                                     {"angle", angle},
                                     {"position", position},
                                     {"read", read_many},
                                     {"write", write_many},
                                     {"bulk_read", bulk_read},
                                     {"bulk_write", bulk_write},
                                     {"counts", counts},
                                     {"close", close_bus},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {{"families", families}, {"open", open_bus}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, close_bus);
  luaL_newlib(L, functions);
  return 1;
}
