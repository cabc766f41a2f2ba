/* One emulated bus servo: its registers and what writing them does.
**
** Stored registers may be written only with torque off (Dynamixel) or keep the new value only with
** the lock open (Feetech).  A write is carried out whole or not at all: every register in it is
** checked first.  The goal moves the shaft within the position limits; torque cannot be switched on
** while a hardware error stands. */
#include <math.h>
#include <string.h>

#include "drivers/servo_emulator_internal.h"
#include "math/scalar.h"

int32_t brio_servo_unit_get(const brio_servo_bus_emulator *bus, const brio_servo_unit *unit, brio_servo_role role) {
  const brio_register *reg = brio_servo_role_register(bus->family, role);
  return reg ? brio_servo_value(bus->family, reg, unit->table + reg->address) : 0;
}

void brio_servo_unit_set(const brio_servo_bus_emulator *bus, brio_servo_unit *unit, brio_servo_role role,
                         int32_t value) {
  const brio_register *reg = brio_servo_role_register(bus->family, role);
  if (reg) brio_servo_bytes(bus->family, reg, value, unit->table + reg->address);
}

void brio_servo_unit_boot(const brio_servo_bus_emulator *bus, brio_servo_unit *unit) {
  memcpy(unit->table, unit->stored, sizeof unit->table);
  unit->later_length = 0;
  unit->alert = 0;
  unit->shaft.torque = false;
  unit->shaft.target = unit->shaft.position;
  unit->shaft.velocity = 0;
  brio_servo_unit_set(bus, unit, BRIO_ROLE_GOAL, brio_servo_position(bus->family, unit->shaft.position));
  brio_servo_unit_measure(bus, unit);
}

void brio_servo_unit_factory(const brio_servo_bus_emulator *bus, brio_servo_unit *unit, int id, int baud_code) {
  const brio_servo_family *family = bus->family;
  memset(unit->stored, 0, sizeof unit->stored);
  for (const brio_register *reg = family->registers; reg->name; reg++) {
    int32_t value = reg->role == BRIO_ROLE_ID ? id : reg->role == BRIO_ROLE_BAUD ? baud_code : reg->initial;
    brio_servo_bytes(family, reg, value, unit->stored + reg->address);
  }
  brio_servo_unit_boot(bus, unit);
}

/* The greatest speed of a move, rad/s: what it may, and what it was told. */
static double speed_of(const brio_servo_bus_emulator *bus, const brio_servo_unit *unit) {
  const brio_register *limit = brio_servo_role_register(bus->family, BRIO_ROLE_VELOCITY_LIMIT);
  double most = limit ? brio_servo_unit_get(bus, unit, BRIO_ROLE_VELOCITY_LIMIT) : 0;
  double told = fabs((double)brio_servo_unit_get(bus, unit, BRIO_ROLE_SPEED));
  if (most <= 0) most = 6 / bus->family->speed;
  return (told > 0 && told < most ? told : most) * bus->family->speed;
}

/* Whether a value may be written to a register now: a result. */
static int may_write(const brio_servo_bus_emulator *bus, const brio_servo_unit *unit, const brio_register *reg,
                     int32_t value) {
  bool torque = brio_servo_unit_get(bus, unit, BRIO_ROLE_TORQUE) & 1;
  if (reg->access == BRIO_READ_ONLY) return BRIO_RESULT_ACCESS;
  if (reg->access == BRIO_STORED && bus->family->stored_needs_torque_off && torque) return BRIO_RESULT_ACCESS;
  if (value < reg->lower || value > reg->upper) return BRIO_RESULT_RANGE;
  if (reg->role == BRIO_ROLE_GOAL && bus->family->status_packets &&
      (value < brio_servo_unit_get(bus, unit, BRIO_ROLE_LOWER) ||
       value > brio_servo_unit_get(bus, unit, BRIO_ROLE_UPPER)))
    return BRIO_RESULT_LIMIT;
  if (reg->role == BRIO_ROLE_TORQUE && value != 0 && (unit->alert || unit->refuses)) return BRIO_RESULT_FAIL;
  return BRIO_RESULT_OK;
}

/* Do what a register's new value says. */
static void act(const brio_servo_bus_emulator *bus, brio_servo_unit *unit, brio_servo_role role) {
  int32_t lower = brio_servo_unit_get(bus, unit, BRIO_ROLE_LOWER);
  int32_t upper = brio_servo_unit_get(bus, unit, BRIO_ROLE_UPPER);
  int32_t goal = brio_servo_unit_get(bus, unit, BRIO_ROLE_GOAL);
  if (role == BRIO_ROLE_TORQUE) {
    unit->shaft.torque = brio_servo_unit_get(bus, unit, BRIO_ROLE_TORQUE) & 1;
    if (unit->shaft.torque && !bus->family->status_packets) return; /* it moves to its goal */
    unit->shaft.target = unit->shaft.position;
    brio_servo_unit_set(bus, unit, BRIO_ROLE_GOAL, brio_servo_position(bus->family, unit->shaft.position));
  } else if (role == BRIO_ROLE_GOAL) {
    if (upper > lower) goal = goal < lower ? lower : goal > upper ? upper : goal;
    unit->shaft.target = brio_servo_angle(bus->family, goal);
    if (!bus->family->status_packets && !unit->alert && !unit->refuses) { /* moving switches torque on */
      unit->shaft.torque = true;
      brio_servo_unit_set(bus, unit, BRIO_ROLE_TORQUE, 1);
    }
  }
  unit->shaft.speed = speed_of(bus, unit);
}

/* Check the registers that begin within a write, and with `commit` write them. */
static int go_over(const brio_servo_bus_emulator *bus, brio_servo_unit *unit, int address, const uint8_t *bytes,
                   int count, bool commit) {
  const brio_servo_family *family = bus->family;
  bool unlocked = !brio_servo_role_register(family, BRIO_ROLE_LOCK) ||
                  brio_servo_unit_get(bus, unit, BRIO_ROLE_LOCK) == 0;
  for (const brio_register *reg = family->registers; reg->name; reg++) {
    int at = reg->address - address;
    if (at + reg->size <= 0 || at >= count) continue;
    uint8_t whole[4];
    for (int i = 0; i < reg->size; i++)
      whole[i] = at + i >= 0 && at + i < count ? bytes[at + i] : unit->table[reg->address + i];
    int result = may_write(bus, unit, reg, brio_servo_value(family, reg, whole));
    if (result != BRIO_RESULT_OK && (family->status_packets || family->refusals)) return result;
    if (!commit || result != BRIO_RESULT_OK) continue;
    memcpy(unit->table + reg->address, whole, (size_t)reg->size);
    if (reg->access == BRIO_STORED && unlocked) memcpy(unit->stored + reg->address, whole, (size_t)reg->size);
    act(bus, unit, reg->role);
  }
  return BRIO_RESULT_OK;
}

int brio_servo_unit_write(const brio_servo_bus_emulator *bus, brio_servo_unit *unit, int address,
                          const uint8_t *bytes, int count) {
  if (count < 1) return BRIO_RESULT_LENGTH;
  if (address < 0 || address + count > bus->family->table) return BRIO_RESULT_LENGTH;
  int result = go_over(bus, unit, address, bytes, count, false);
  if (result == BRIO_RESULT_OK) go_over(bus, unit, address, bytes, count, true);
  return result;
}

void brio_servo_unit_measure(const brio_servo_bus_emulator *bus, brio_servo_unit *unit) {
  const brio_servo_family *family = bus->family;
  const brio_register *load = brio_servo_role_register(family, BRIO_ROLE_LOAD);
  brio_servo_unit_set(bus, unit, BRIO_ROLE_POSITION, brio_servo_position(family, unit->shaft.position));
  brio_servo_unit_set(bus, unit, BRIO_ROLE_VELOCITY, (int32_t)lround(unit->shaft.velocity / family->speed));
  brio_servo_unit_set(bus, unit, BRIO_ROLE_MOVING, fabs(unit->shaft.velocity) > 0.01);
  int32_t half = load ? load->upper / 2 : 0;
  if (load) brio_servo_unit_set(bus, unit, BRIO_ROLE_LOAD, (int32_t)(half * brio_shaft_load(&unit->shaft)));
  brio_servo_unit_set(bus, unit, BRIO_ROLE_ALERT, (int32_t)unit->alert);
  brio_servo_unit_set(bus, unit, BRIO_ROLE_REGISTERED, unit->later_length > 0);
}
