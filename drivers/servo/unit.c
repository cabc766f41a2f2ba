/* One emulated bus servo: its registers, and the effects of writing them.  EEPROM registers can be
** written only with torque off (Dynamixel), or keep the new value only with the lock open
** (Feetech).  A write is carried out as a whole or not at all: every register in it is checked
** first.  The goal moves the shaft within the position limits.  Torque cannot be switched on while
** a hardware error is present.  When the bus watchdog expires, the shaft stops, and goals are
** refused until it is set to 0.  In velocity mode the shaft turns at the goal's speed, in current mode its
** torque is 1 N m/A of the goal; PWM and wheel modes move nothing here. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/servo/emulator_internal.h"
#include "math/scalar.h"

static const double WATCHDOG = 0.02; /* s per unit of the watchdog */
static const double STRONG = 1e3;    /* N m: more than any current gives */

/* A register that the model does not have reads as 0, and is not written. */
int32_t brio_servo_unit_get(const brio_servo_unit *unit, brio_servo_role role) {
  const brio_register *reg = brio_servo_role_register(unit->layout, role);
  return reg ? brio_servo_value(unit->layout, reg, unit->table + reg->address) : 0;
}

void brio_servo_unit_set(brio_servo_unit *unit, brio_servo_role role, int32_t value) {
  const brio_register *reg = brio_servo_role_register(unit->layout, role);
  if (reg) brio_servo_bytes(unit->layout, reg, value, unit->table + reg->address);
}

/* ---- positions: of the shaft, and as reported ---- */

/* Bit 0 of the drive mode reverses the direction. */
static double side_of(const brio_servo_unit *unit) {
  return brio_servo_unit_get(unit, BRIO_ROLE_DRIVE_MODE) & 1 ? -1 : 1;
}

/* Return the homing offset in counts, with the family's sign. */
static int32_t homing_of(const brio_servo_unit *unit) {
  return unit->layout->homing * brio_servo_unit_get(unit, BRIO_ROLE_HOMING);
}

/* Counts = side x angle in counts + homing offset; and the inverse. */
static int32_t to_position(const brio_servo_unit *unit, double angle) {
  return brio_servo_position(unit->layout, side_of(unit) * angle) + homing_of(unit);
}

/* The inverse of to_position, rad. */
static double to_angle(const brio_servo_unit *unit, int32_t position) {
  return side_of(unit) * brio_servo_angle(unit->layout, position - homing_of(unit));
}

/* Some errors of models with codes leave the torque on. */
bool brio_servo_unit_holds(const brio_servo_unit *unit) {
  const brio_servo_alert *alert = unit->layout->alerts;
  while (alert->bit >= 0 && (unsigned)alert->bit != unit->alert) alert++;
  return unit->layout->alert_codes && alert->bit >= 0 && alert->stays;
}

/* Stop at the present position, and make it the goal. */
static void hold(brio_servo_unit *unit) {
  unit->shaft.target = unit->shaft.position;
  brio_servo_unit_set(unit, BRIO_ROLE_GOAL, to_position(unit, unit->shaft.position));
}

/* ---- power ---- */

/* RAM is loaded from EEPROM; torque is off, errors are cleared. */
void brio_servo_unit_boot(brio_servo_unit *unit) {
  memcpy(unit->table, unit->stored, sizeof unit->table);
  unit->later_length = 0;
  unit->alert = 0;
  unit->quiet = 0;
  unit->shaft.torque = false;
  unit->shaft.velocity = 0;
  hold(unit);
  brio_servo_unit_measure(unit);
}

/* All registers get their initial values, except for id, rate and model. */
void brio_servo_unit_factory(brio_servo_unit *unit, int id, int baud_code) {
  memset(unit->stored, 0, sizeof unit->stored);
  for (const brio_register *reg = unit->layout->registers; reg->name; reg++) {
    int32_t value = reg->role == BRIO_ROLE_ID      ? id
                    : reg->role == BRIO_ROLE_BAUD  ? baud_code
                    : reg->role == BRIO_ROLE_MODEL ? unit->layout->model
                                                   : reg->initial;
    brio_servo_bytes(unit->layout, reg, value, unit->stored + reg->address);
  }
  brio_servo_unit_boot(unit);
}

/* ---- writing ---- */

/* Return the greatest speed of a move, rad/s: the smaller of the limit and of the profile, which is
** a speed or the duration of the move in ms. */
static double speed_of(const brio_servo_unit *unit) {
  const brio_register *limit = brio_servo_role_register(unit->layout, BRIO_ROLE_VELOCITY_LIMIT);
  double most = limit ? brio_servo_unit_get(unit, BRIO_ROLE_VELOCITY_LIMIT) * unit->layout->speed : 0;
  double told = fabs((double)brio_servo_unit_get(unit, BRIO_ROLE_SPEED));
  /* Without a limit in the servo: 6 rad/s. */
  if (most <= 0) most = 6;
  if (!(told > 0)) return most;
  bool timed = brio_servo_unit_get(unit, BRIO_ROLE_DRIVE_MODE) & 4;
  return fmin(most, timed ? fabs(unit->shaft.target - unit->shaft.position) * 1000 / told
                          : told * unit->layout->speed);
}

/* The mode as a bit, as layouts list them. */
static unsigned mode_of(const brio_servo_unit *unit) {
  return 1u << (brio_servo_unit_get(unit, BRIO_ROLE_MODE) & 31);
}

/* Return whether a goal is a position in the present mode; below: whether limits apply to it. */
static bool takes_places(const brio_servo_unit *unit) {
  const brio_servo_family *layout = unit->layout;
  int32_t lower = brio_servo_unit_get(unit, BRIO_ROLE_LOWER),
          upper = brio_servo_unit_get(unit, BRIO_ROLE_UPPER);
  /* Both limits 0 make a wheel. */
  if (layout->wheel_unlimited && lower == 0 && upper == 0) return false;
  return !layout->places || (layout->places & mode_of(unit));
}

/* Whether position limits apply: not in a multi-turn mode, and not if they are equal or crossed. */
static bool has_limits(const brio_servo_unit *unit) {
  if (unit->layout->turns & mode_of(unit)) return false;
  return brio_servo_unit_get(unit, BRIO_ROLE_LOWER) < brio_servo_unit_get(unit, BRIO_ROLE_UPPER);
}

/* The watchdog reads as -1 after it expired. */
static bool is_struck(const brio_servo_unit *unit) {
  return brio_servo_unit_get(unit, BRIO_ROLE_WATCHDOG) < 0;
}

/* Whether a register is a goal of position, speed or current. */
static bool is_goal(const brio_register *reg) {
  return reg->role == BRIO_ROLE_GOAL || reg->role == BRIO_ROLE_GOAL_VELOCITY ||
         reg->role == BRIO_ROLE_GOAL_CURRENT;
}

/* Return the result of writing a value to a register now. */
static int may_write(const brio_servo_unit *unit, const brio_register *reg, int32_t value) {
  bool torque = brio_servo_unit_get(unit, BRIO_ROLE_TORQUE) & 1;
  /* Access, range, watchdog, limits and torque, in the servos' order. */
  if (reg->access == BRIO_READ_ONLY) return BRIO_RESULT_ACCESS;
  if (reg->access == BRIO_STORED && unit->layout->stored_needs_torque_off && torque)
    return BRIO_RESULT_ACCESS;
  if (value < reg->lower || value > reg->upper) return BRIO_RESULT_RANGE;
  if (is_struck(unit) && (is_goal(reg) || (reg->role == BRIO_ROLE_WATCHDOG && value != 0)))
    return BRIO_RESULT_RANGE;
  if (is_goal(reg) && torque && brio_servo_unit_holds(unit)) return BRIO_RESULT_FAIL;
  if (reg->role == BRIO_ROLE_GOAL_CURRENT && abs(value) > brio_servo_unit_get(unit, BRIO_ROLE_CURRENT_LIMIT))
    return BRIO_RESULT_LIMIT;
  if (reg->role == BRIO_ROLE_SPEED && unit->layout->speed_bounded &&
      abs(value) > brio_servo_unit_get(unit, BRIO_ROLE_VELOCITY_LIMIT))
    return BRIO_RESULT_LIMIT;
  if (reg->role == BRIO_ROLE_GOAL && unit->layout->status_packets && has_limits(unit) &&
      (value < brio_servo_unit_get(unit, BRIO_ROLE_LOWER) ||
       value > brio_servo_unit_get(unit, BRIO_ROLE_UPPER)))
    return BRIO_RESULT_LIMIT;
  if (reg->role == BRIO_ROLE_TORQUE && value != 0 && (unit->alert || unit->refuses)) return BRIO_RESULT_FAIL;
  return BRIO_RESULT_OK;
}

/* Clamp the goal to the limits; in some families a goal switches torque on. */
static void take_goal(brio_servo_unit *unit) {
  int32_t lower = brio_servo_unit_get(unit, BRIO_ROLE_LOWER),
          upper = brio_servo_unit_get(unit, BRIO_ROLE_UPPER);
  int32_t goal = brio_servo_unit_get(unit, BRIO_ROLE_GOAL);
  if (!takes_places(unit)) return;
  if (has_limits(unit)) goal = goal < lower ? lower : goal > upper ? upper : goal;
  unit->shaft.target = to_angle(unit, goal);
  if (!unit->layout->goal_switches_on || unit->alert || unit->refuses) return;
  unit->shaft.torque = true;
  brio_servo_unit_set(unit, BRIO_ROLE_TORQUE, 1);
}

/* Carry out what a register's new value means. */
static void act(brio_servo_unit *unit, brio_servo_role role) {
  if (role == BRIO_ROLE_TORQUE) {
    unit->shaft.torque = brio_servo_unit_get(unit, BRIO_ROLE_TORQUE) & 1;
    if (unit->shaft.torque && unit->layout->goal_switches_on) take_goal(unit); /* it moves to its goal */
    else hold(unit);
  } else if (role == BRIO_ROLE_GOAL) {
    take_goal(unit);
  }
  unit->shaft.speed = speed_of(unit);
}

/* Check the registers that a write touches; with `commit` write them.  O(registers). */
static int go_over(brio_servo_unit *unit, int address, const uint8_t *bytes, int count, bool commit) {
  const brio_servo_family *layout = unit->layout;
  assert(count > 0 && address >= 0 && address + count <= layout->table);
  assert(layout->table <= (int)sizeof unit->table);
  bool unlocked = !brio_servo_role_register(layout, BRIO_ROLE_LOCK) ||
                  brio_servo_unit_get(unit, BRIO_ROLE_LOCK) == 0;
  /* A register that is written in part keeps its other bytes. */
  for (const brio_register *reg = layout->registers; reg->name; reg++) {
    int at = reg->address - address;
    if (at + reg->size <= 0 || at >= count) continue;
    uint8_t whole[4];
    for (int i = 0; i < reg->size; i++)
      whole[i] = at + i >= 0 && at + i < count ? bytes[at + i] : unit->table[reg->address + i];
    int result = may_write(unit, reg, brio_servo_value(layout, reg, whole));
    /* Older Feetech servos ignore what they cannot write. */
    if (result != BRIO_RESULT_OK && (layout->status_packets || layout->refusals)) return result;
    if (!commit || result != BRIO_RESULT_OK) continue;
    /* RAM always changes; EEPROM only while it is unlocked. */
    memcpy(unit->table + reg->address, whole, (size_t)reg->size);
    if (reg->access == BRIO_STORED && unlocked) memcpy(unit->stored + reg->address, whole, (size_t)reg->size);
    act(unit, reg->role);
  }
  return BRIO_RESULT_OK;
}

/* First check everything, then write. */
int brio_servo_unit_write(brio_servo_unit *unit, int address, const uint8_t *bytes, int count) {
  if (count < 1) return BRIO_RESULT_LENGTH;
  if (address < 0 || address + count > unit->layout->table) return BRIO_RESULT_LENGTH;
  int result = go_over(unit, address, bytes, count, false);
  if (result == BRIO_RESULT_OK) go_over(unit, address, bytes, count, true);
  return result;
}

/* ---- time ---- */

/* In current mode the shaft has the goal's torque, and none after the watchdog has expired; in velocity mode
** it follows a target that stays ahead of it. */
static void spin(brio_servo_unit *unit, double dt) {
  unit->shaft.drives = unit->layout->currents & mode_of(unit);
  double amperes =
      is_struck(unit) ? 0 : brio_servo_unit_get(unit, BRIO_ROLE_GOAL_CURRENT) * unit->layout->ampere;
  unit->shaft.impedance = (brio_impedance){.torque = side_of(unit) * amperes, .limit = STRONG};
  if (!(unit->layout->speeds & mode_of(unit))) return;
  /* After the watchdog has expired the goal's speed counts as 0. */
  double speed = is_struck(unit) ? 0
                                 : side_of(unit) * brio_servo_unit_get(unit, BRIO_ROLE_GOAL_VELOCITY) *
                                       unit->layout->speed;
  unit->shaft.speed = fabs(speed);
  unit->shaft.target = unit->shaft.position + speed * (1 + dt);
}

/* Up to the watchdog's expiry the shaft moves, after it the shaft holds. */
void brio_servo_unit_step(brio_servo_unit *unit, double dt) {
  spin(unit, dt);
  double patience = brio_servo_unit_get(unit, BRIO_ROLE_WATCHDOG) * WATCHDOG, before = unit->quiet;
  unit->quiet += dt;
  if (unit->deaf > 0) unit->deaf -= dt;
  if (unit->shaft.torque && patience > 0 && unit->quiet > patience) {
    /* Move for the part of the step before the expiry, then hold. */
    double first = brio_clamp(patience - before, 0, dt);
    brio_shaft_step(&unit->shaft, first);
    brio_servo_unit_set(unit, BRIO_ROLE_WATCHDOG, -1);
    hold(unit);
    dt -= first;
    spin(unit, dt);
  }
  brio_shaft_step(&unit->shaft, dt);
}

/* Effort is half of the shaft's load: enough to show a value. */
void brio_servo_unit_measure(brio_servo_unit *unit) {
  const brio_servo_family *layout = unit->layout;
  const brio_register *load = brio_servo_role_register(layout, BRIO_ROLE_LOAD);
  const brio_register *current = brio_servo_role_register(layout, BRIO_ROLE_CURRENT);
  /* Measured quantities have the direction of the drive mode. */
  double velocity = side_of(unit) * unit->shaft.velocity,
         effort = side_of(unit) * brio_shaft_load(&unit->shaft) / 2;
  /* What the model does not have is skipped by `set`. */
  brio_servo_unit_set(unit, BRIO_ROLE_POSITION, to_position(unit, unit->shaft.position));
  brio_servo_unit_set(unit, BRIO_ROLE_VELOCITY, (int32_t)lround(velocity / layout->speed));
  brio_servo_unit_set(unit, BRIO_ROLE_MOVING, fabs(velocity) > 0.01);
  if (load) brio_servo_unit_set(unit, BRIO_ROLE_LOAD, (int32_t)(load->upper * effort));
  if (current && unit->shaft.drives)
    brio_servo_unit_set(unit, BRIO_ROLE_CURRENT,
                        (int32_t)lround(side_of(unit) * unit->shaft.effort / layout->ampere));
  else if (current)
    brio_servo_unit_set(unit, BRIO_ROLE_CURRENT,
                        (int32_t)(fmin(current->upper, 2 / layout->ampere) * effort));
  brio_servo_unit_set(unit, BRIO_ROLE_ALERT, (int32_t)unit->alert);
  brio_servo_unit_set(unit, BRIO_ROLE_REGISTERED, unit->later_length > 0);
}
