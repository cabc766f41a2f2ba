/* Finding servos on a bus and setting them up.  See bus.h.  A servo changes its EEPROM only with
** torque off (Dynamixel) or with its lock open (Feetech).  A new id or baud rate is valid at once,
** so the answer may have either. */
#include "drivers/servo/bus_internal.h"

#include <assert.h>
#include "drivers/setup/scan.h"

enum { LAST = 253 };

/* Make EEPROM registers writable, or protect them again.  Dynamixel torque stays off. */
static bool set_writable(brio_servo_bus *bus, int id, bool writable, brio_error *err) {
  if (brio_servo_role_register(brio_servo_bus_layout(bus, id), BRIO_ROLE_LOCK))
    return brio_servo_bus_set(bus, id, BRIO_ROLE_LOCK, !writable, err);
  return !writable || brio_servo_bus_set(bus, id, BRIO_ROLE_TORQUE, 0, err);
}

/* The new id must be free; success is judged by a ping. */
bool brio_servo_bus_change_id(brio_servo_bus *bus, int id, int fresh, brio_error *err) {
  brio_servo_found found;
  /* Ids 253 to 255 are reserved. */
  if (fresh < 0 || fresh > 252) return brio_fail(err, BRIO_MISUSE, "an id is 0 to 252, not %d", fresh);
  if (fresh == id) return true;
  if (brio_servo_bus_ping(bus, fresh, &found, NULL))
    return brio_fail(err, BRIO_DEVICE, "servo %d cannot become %d: there is one already", id, fresh);
  /* Servos keep ids in EEPROM. */
  if (!set_writable(bus, id, true, err)) return false;
  if (!brio_servo_bus_set(bus, id, BRIO_ROLE_ID, fresh, err) &&
      !brio_servo_bus_ping(bus, fresh, &found, NULL))
    return false;
  /* The model, and thus its registers, stay the same. */
  if (id >= 0 && id < BRIO_SERVO_IDS) bus->layouts[fresh] = bus->layouts[id];
  return set_writable(bus, fresh, false, err);
}

/* Write the rate, follow with the port, and check by pings; on failure the port returns to the old
** rate. */
bool brio_servo_bus_change_baud(brio_servo_bus *bus, int id, int baud, brio_error *err) {
  const brio_servo_family *layout = brio_servo_bus_layout(bus, id);
  int code = brio_servo_baud_code(layout, baud), before = bus->x.port->baud;
  brio_servo_found found;
  if (code < 0)
    return brio_fail(err, BRIO_MISUSE, "servo %d (%s) knows no baud rate of %d", id, layout->name, baud);
  if (!set_writable(bus, id, true, err)) return false;
  brio_servo_bus_set(bus, id, BRIO_ROLE_BAUD, code, NULL); /* the answer may come at either rate */
  if (!brio_port_set_baud(bus->x.port, baud, err)) return false;
  for (int i = 0; i < bus->x.tries; i++)
    if (brio_servo_bus_ping(bus, id, &found, err)) return set_writable(bus, id, false, err);
  brio_port_set_baud(bus->x.port, before, NULL);
  return brio_fail_in(err, "after the change to %d baud", baud);
}

/* Check, unlock, write, lock, read back.  Ids and rates need more than that. */
bool brio_servo_bus_configure(brio_servo_bus *bus, int id, const brio_register *reg, int32_t value,
                              brio_error *err) {
  uint8_t bytes[4];
  if (reg->access == BRIO_READ_ONLY)
    return brio_fail(err, BRIO_MISUSE, "%s of a servo can only be read", reg->name);
  if (value < reg->lower || value > reg->upper)
    return brio_fail(err, BRIO_MISUSE, "%s is from %d to %d, not %d", reg->name, reg->lower, reg->upper,
                     value);
  /* Ids and rates change how the servo is addressed. */
  if (reg->role == BRIO_ROLE_ID) return brio_servo_bus_change_id(bus, id, value, err);
  if (reg->role == BRIO_ROLE_BAUD) {
    int baud = brio_servo_code_baud(brio_servo_bus_layout(bus, id), value);
    return baud ? brio_servo_bus_change_baud(bus, id, baud, err)
                : brio_fail(err, BRIO_MISUSE, "%d is the code of no baud rate", value);
  }
  /* EEPROM registers are unlocked for the write and locked after it. */
  bool stored = reg->access == BRIO_STORED;
  /* until this is set, the servo may not answer at all */
  bool mute = reg->role == BRIO_ROLE_STATUS_LEVEL;
  if (stored && !set_writable(bus, id, true, mute ? NULL : err) && !mute) return false;
  brio_servo_bytes(bus->family, reg, value, bytes);
  if (!brio_servo_bus_write(bus, id, reg->address, reg->size, bytes, err)) return false;
  if (stored && !set_writable(bus, id, false, err)) return false;
  if (!brio_servo_bus_read(bus, id, reg->address, reg->size, bytes, err)) return false;
  int32_t now = brio_servo_value(bus->family, reg, bytes);
  /* The servo may have rounded or refused the value silently. */
  return now == value ||
         brio_fail(err, BRIO_DEVICE, "servo %d did not take %d for %s: it is %d", id, value, reg->name, now);
}

/* Torque drives a servo to its goal: set that to the present position first. */
bool brio_servo_bus_hold(brio_servo_bus *bus, int id, bool on, brio_error *err) {
  int32_t place;
  if (on && !brio_servo_bus_get(bus, id, BRIO_ROLE_POSITION, &place, err)) return false;
  /* a goal beyond its limits is refused, and unchanged */
  if (on) brio_servo_bus_set(bus, id, BRIO_ROLE_GOAL, place, NULL);
  return brio_servo_bus_set(bus, id, BRIO_ROLE_TORQUE, on, err);
}

/* Protocol 1.0 has no reset that keeps the id. */
bool brio_servo_bus_reset(brio_servo_bus *bus, int id, brio_error *err) {
  if (!bus->family->status_packets)
    return brio_fail(err, BRIO_MISUSE, "%s servos would lose their id and baud rate, too", bus->family->name);
  uint8_t keep = 2; /* keeps id and baud rate */
  brio_servo_bus_begin(bus, id, BRIO_SERVO_RESET);
  brio_servo_bus_add(bus, &keep, 1);
  return brio_servo_bus_tell(bus, err);
}

/* Insert a servo among those found, by ascending id; at most `most` are kept.  O(count). */
static void keep_found(brio_servo_found *found, int count, int most, const brio_servo_found *one) {
  assert(count >= 0 && most >= 0);
  int at = count < most ? count : most;
  while (at > 0 && found[at - 1].id > one->id) at--;
  for (int i = (count < most ? count : most - 1); i > at; i--) found[i] = found[i - 1];
  if (at < most) found[at] = *one;
}

/* Ping all ids.  A packet may be lost: if any servo answered, silent ids are asked once more. */
int brio_servo_bus_scan(brio_servo_bus *bus, int first, int last, brio_servo_found *found, int most,
                        brio_error *err) {
  bool there[LAST + 1] = {false};
  int count = 0;
  if (first < 0) first = 0;
  if (last > LAST) last = LAST;
  /* Second round: only where there is a bus at all. */
  for (int round = 0; round < 2 && (round == 0 || count > 0); round++)
    for (int id = first; id <= last; id++) {
      brio_servo_found one;
      brio_error why = {0};
      if (there[id]) continue;
      there[id] = brio_servo_bus_ping(bus, id, &one, &why);
      if (!there[id] && why.code == BRIO_IO) return brio_scan_gone(err, &why);
      if (!there[id]) continue;
      int32_t place;
      /* Two servos with one id answer a ping alike, but not a read. */
      one.garbled = !brio_servo_bus_get(bus, id, BRIO_ROLE_POSITION, &place, NULL) && bus->garbled;
      keep_found(found, count++, most, &one);
    }
  return count;
}

/* Try all rates of the family; the port returns to its own. */
int brio_servo_bus_other_baud(brio_servo_bus *bus, int id) {
  int before = bus->x.port->baud, found = 0;
  for (const brio_servo_baud *row = bus->family->bauds; row->baud && !found; row++) {
    /* A rate that the port cannot set is skipped. */
    brio_servo_found one;
    if (row->baud == before || !brio_port_set_baud(bus->x.port, row->baud, NULL)) continue;
    if (brio_servo_bus_ping(bus, id, &one, NULL)) found = row->baud;
  }
  brio_port_set_baud(bus->x.port, before, NULL);
  return found;
}
