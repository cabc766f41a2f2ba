/* The goals of bus servos as registers: positions with speeds, the speeds of wheels, the currents of servos
** that control their torque. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "drivers/servo/driver_internal.h"
#include "math/scalar.h"

static const double SLOWEST = 0.1; /* rad/s: always allowed, to settle */

/* Return the register value of a speed in rad/s; 0: no limit, as for an unknown speed. */
static int32_t speed_code(const brio_servo_axis *axis, const brio_register *reg, double speed) {
  double most = fmin(axis->fastest, 1e6);
  if (!(speed >= 0)) speed = isfinite(axis->fastest) ? most : INFINITY;
  if (!isfinite(speed)) return 0;
  /* A little faster than needed, so that a servo that fell behind catches up; rounded up, because 0
  ** would mean no limit. */
  double code = ceil(brio_clamp(speed * BRIO_SERVO_AHEAD, SLOWEST, fmax(SLOWEST, most * BRIO_SERVO_AHEAD)) /
                     axis->layout->speed);
  return (int32_t)brio_clamp(code, 1,
                             axis->quickest > 0 && axis->quickest < reg->upper ? axis->quickest : reg->upper);
}

/* One packet writes or reads the range from the first to the last register; a servo that controls its torque
** reports its current, too. */
void brio_servo_driver_block(const brio_servo_group *group, brio_servo_role one, brio_servo_role other,
                             int *address, int *size) {
  const brio_register *a = brio_servo_role_register(group->layout, one);
  const brio_register *b =
      group->timed || other == BRIO_ROLE_VELOCITY ? brio_servo_role_register(group->layout, other) : NULL;
  if (!b) b = a;
  int end_a = a->address + a->size, end_b = b->address + b->size;
  *address = a->address < b->address ? a->address : b->address;
  *size = (end_a > end_b ? end_a : end_b) - *address;
  const brio_register *c = brio_servo_role_register(group->layout, BRIO_ROLE_CURRENT);
  if (!group->drives || other != BRIO_ROLE_VELOCITY || !c) return;
  int end = *address + *size > c->address + c->size ? *address + *size : c->address + c->size;
  *address = c->address < *address ? c->address : *address;
  *size = end - *address;
}

/* Encode the speed of a wheel; 0 if it is not finite. */
static void fill_wheel(const brio_servo_axis *axis, double speed, uint8_t *bytes) {
  const brio_register *goal = brio_servo_role_register(axis->layout, BRIO_ROLE_GOAL_VELOCITY);
  int most = axis->quickest > 0 && axis->quickest < goal->upper ? axis->quickest : goal->upper;
  double code = isfinite(speed) ? round(speed / axis->layout->speed) : 0;
  brio_servo_bytes(axis->layout, goal, (int32_t)brio_clamp(code, -most, most), bytes);
}

/* Encode a torque as a current, within what the servo may take; 0 if it is not finite. */
static void fill_current(const brio_servo_axis *axis, double torque, uint8_t *bytes) {
  const brio_register *goal = brio_servo_role_register(axis->layout, BRIO_ROLE_GOAL_CURRENT);
  int most = axis->current < goal->upper ? axis->current : goal->upper;
  double code = isfinite(torque) ? round(torque / axis->constant / axis->layout->ampere) : 0;
  brio_servo_bytes(axis->layout, goal, (int32_t)brio_clamp(code, -most, most), bytes);
}

/* Encode an axis's goal, and its speed in a timed group, into its part of the block. */
static void fill(const brio_servo_group *group, const brio_servo_axis *axis, double place, double speed,
                 int address, uint8_t *bytes) {
  const brio_register *goal = brio_servo_role_register(axis->layout, BRIO_ROLE_GOAL);
  /* Clamp to the axis first, then to the range of the register. */
  const brio_register *fast = brio_servo_role_register(axis->layout, BRIO_ROLE_SPEED);
  int32_t position = brio_servo_position(axis->layout, brio_clamp(place, axis->lower, axis->upper));
  position = position < goal->lower ? goal->lower : position > goal->upper ? goal->upper : position;
  brio_servo_bytes(axis->layout, goal, position, bytes + goal->address - address);
  if (group->timed)
    brio_servo_bytes(axis->layout, fast, speed_code(axis, fast, speed), bytes + fast->address - address);
}

bool brio_servo_driver_tell(brio_servo_driver *self, const brio_servo_group *group, const uint8_t *which,
                            int n, const double *values, const double *speeds, brio_error *err) {
  uint8_t ids[BRIO_SERVO_AXES], bytes[BRIO_SERVO_AXES * BRIO_SERVO_BLOCK] = {0};
  int address, size;
  brio_servo_role goal = group->wheel    ? BRIO_ROLE_GOAL_VELOCITY
                         : group->drives ? BRIO_ROLE_GOAL_CURRENT
                                         : BRIO_ROLE_GOAL;
  brio_servo_driver_block(group, goal, goal == BRIO_ROLE_GOAL ? BRIO_ROLE_SPEED : goal, &address, &size);
  assert(n > 0 && n <= BRIO_SERVO_AXES && size > 0 && size <= BRIO_SERVO_BLOCK);
  /* More servos than fit into one packet are served by several. */
  int most = (self->family->address_bytes == 1 ? 240 : 1000) / (size + 1); /* the length is one byte */
  for (int k = 0; k < n; k++) {
    assert(which[k] < self->count);
    ids[k] = self->ids[which[k]];
    const brio_servo_axis *axis = &self->axes[which[k]];
    if (group->wheel)
      fill_wheel(axis, values[k], bytes + k * size);
    else if (group->drives)
      fill_current(axis, values[k], bytes + k * size);
    else
      fill(group, axis, values[k], speeds ? speeds[k] : NAN, address, bytes + k * size);
  }
  for (int at = 0; at < n; at += most)
    if (!brio_servo_bus_sync_write(&self->bus, ids + at, n - at < most ? n - at : most, address, size,
                                   bytes + at * size, err))
      return false;
  return true;
}
