/* Alarms on the motor side: the newest values that each axis has reported, and the reaction to a condition that
** lasts too long (motor/alarm.h). Time counts in every period, from what was last known. The tracking error is
** measured against the commands that the device got (motor/follow.h), in the device's own time: an answer is
** compared with them as of the time when its exchange began. So neither a queue of commands before a slow
** device nor the duration of an exchange makes a motor that stands still look like one that lags.
** Motor thread, or the script thread in lockstep. Nothing here allocates or blocks. */
#include <assert.h>
#include <math.h>

#include "math/scalar.h"
#include "runtime/motor/motor_internal.h"

/* The unit of an axis's error: 1, or outside the tree, where the unit may be a 255th of a light,
** half of its range if that is larger. */
static double unit_of(const brio_motor *motor, int i) {
  const brio_motion_axis *axis = &motor->motion.axes[i];
  double half = (axis->given.upper - axis->given.lower) / 2;
  return i >= motor->tree && isfinite(half) ? brio_max(1, half) : 1;
}

/* Update the values that the alarms see of an axis. They persist until the next report, since reports may
** be rare, incomplete or lost. The error is that at the time of the report, in units of unit_of. */
static void note_known(brio_motor *motor, int axis, const brio_axis_state *s) {
  brio_alarm_axis *known = &motor->known[axis];
  if (!s->valid) return;
  bool tells = brio_motion_tells(&motor->motion, axis);
  known->error = tells ? brio_follow_report(&motor->follow[axis], s->position) / unit_of(motor, axis) : NAN;
  known->since = motor->unseen[axis];
  /* Optional values, each only if the report has it; most devices have none. */
  if (!s->knows) return;
  if (s->knows & BRIO_KNOWS_TEMPERATURE) known->temperature = s->temperature;
  if (s->knows & BRIO_KNOWS_CURRENT) known->current = s->current;
  if (s->knows & BRIO_KNOWS_VOLTAGE) known->voltage = s->voltage;
  if (s->knows & BRIO_KNOWS_LOAD) known->load = s->load;
}

/* O(axes of the device). NaN for what it does not report. */
void brio_motor_measure(brio_motor *motor, brio_motor_bus *bus, double h) {
  const brio_motor_answer *answer = brio_triple_front(&bus->answers);
  /* The device's time since the answer before, and how long its axes may lag behind what they got: the lag
  ** of a motor, plus the driver's delay in handing over a target. */
  double dt = answer->at > 0 && bus->heard_at > 0 ? (double)(answer->at - bus->heard_at) * 1e-9 : h;
  double lag = BRIO_FOLLOW_LAG + answer->delay;
  bus->heard_at = answer->at;
  for (int i = 0; i < bus->device->count; i++) {
    int axis = bus->device->axes[i];
    const brio_axis_state *s = &motor->states[axis];
    bool loaded = s->valid && s->knows & BRIO_KNOWS_LOAD;
    brio_motion_measure(&motor->motion, axis, s->valid ? s->position : NAN, loaded ? s->load : NAN);
    brio_follow_step(&motor->follow[axis], motor->sent[axis], dt, lag);
    note_known(motor, axis, s);
  }
}

/* Announce an alarm, and hold for the cause that belongs to its reaction (report: none). */
static void react(brio_motor *motor, int axis, int alarm, const brio_alarm_axis *seen) {
  assert(alarm >= 0 && alarm < BRIO_ALARM_KINDS);
  const brio_alarm_setting *setting = &motor->alarm.settings[alarm];
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_ALARM,
                                            .which = axis,
                                            .alarm = alarm,
                                            .reaction = setting->reaction,
                                            .value = brio_alarm_value(&brio_alarm_kinds[alarm], seen),
                                            .limit = setting->limit});
  /* A reaction that only reports holds nothing. */
  static const unsigned causes[BRIO_REACTION_COUNT] = {
      [BRIO_REACTION_HOLD] = BRIO_MOTION_FAULT, [BRIO_REACTION_RELAX] = BRIO_MOTION_FAULT | BRIO_MOTION_RELAX,
      [BRIO_REACTION_PANIC] = BRIO_MOTION_PANIC};
  if (causes[setting->reaction]) brio_motion_hold(&motor->motion, causes[setting->reaction]);
}

/* While nobody knows where an axis is, its timers stand still. */
void brio_motor_watch(brio_motor *motor, double h) {
  for (int i = 0; i < motor->count; i++) {
    /* The error is measured from where commands begin; without commands there is none. */
    if (!brio_motion_tells(&motor->motion, i)) {
      motor->sent[i] = motor->motion.axes[i].x;
      brio_follow_begin(&motor->follow[i], motor->sent[i]);
      motor->known[i].error = NAN;
    }
    unsigned wrong = brio_alarm_step(&motor->alarm, i, &motor->known[i], motor->blind[i] ? 0 : h);
    for (int k = 0; wrong; k++, wrong >>= 1)
      if (wrong & 1) react(motor, i, k, &motor->known[i]);
  }
}
