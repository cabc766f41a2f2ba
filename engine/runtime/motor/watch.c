/* What the motor side watches in every period, so that it works whatever the scripts do: alarms and inputs.
**
** Alarms: the newest values that each axis has reported, and the reaction to a condition that lasts too long
** (motor/alarm.h). Time counts in every period, from what was last known. The tracking error is measured
** against the commands that the device got (motor/follow.h), in the device's own time: an answer is compared
** with them as of the time when its exchange began. So neither a queue of commands before a slow device nor
** the duration of an exchange makes a motor that stands still look like one that lags.
**
** Inputs: what devices sense apart from their axes. One that means the panic stop raises it as long as it is
** active, and nobody can release the stop meanwhile. A line that was heard once and is silent now raises it,
** too, and so does a line of real hardware that was never heard: a broken wire or a dead board must not
** disable the stop.
**
** Motor thread, or the script thread in lockstep. Nothing here allocates or blocks. */
#include <assert.h>
#include <math.h>

#include "math/scalar.h"
#include "runtime/motor/motor_internal.h"

#define UNKNOWN_FOR 0.25 /* s after which a line counts as silent */

/* ---- alarms ---- */

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
  double off = brio_motion_tells(&motor->motion, axis) ? brio_follow_error(&motor->follow[axis], s->position)
                                                       : NAN;
  known->error = off == 0 ? 0 : off / unit_of(motor, axis);
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

/* ---- inputs ---- */

brio_input_state *brio_motor_input_states(const brio_motor *motor, const brio_motor_state *state) {
  /* The inputs stand behind the buses' states (take_memory in motor.c). */
  return (brio_input_state *)(uintptr_t)(brio_motor_bus_states(motor, state) + motor->nbus);
}

/* Update an input from the newest answer, h s after the last. A value that is unknown for a moment keeps
** its last state; after UNKNOWN_FOR s it becomes NaN. */
static void hear(const brio_motor_bus *bus, brio_motor_input *input, int place, double h) {
  const brio_motor_answer *answer = brio_triple_front(&bus->answers);
  const void *behind = answer->states + bus->device->count;
  const brio_input_state *said = (const brio_input_state *)behind + place;
  bool known = false;
  /* NaN in all numbers, or a lost device: nothing was sensed. */
  for (int k = 0; k < BRIO_INPUT_NUMBERS && answer->any && !bus->lost; k++)
    known = known || !isnan(said->values[k]);
  /* Short gaps keep the last state. */
  input->unknown = known ? 0 : input->unknown + h;
  if (known) input->state = *said;
  if (known) input->was_known = true;
  bool forgotten = !input->was_known || input->unknown > UNKNOWN_FOR;
  for (int k = 0; k < BRIO_INPUT_NUMBERS && forgotten; k++) input->state.values[k] = NAN;
}

/* Whether a line requests the panic stop. `panic` > 0: when it is high, < 0: when it is low. `silent`: it
** does so because it is not heard. */
static bool asks(const brio_motor_input *input, int panic, bool simulated, bool *silent) {
  double value = input->state.values[0];
  *silent = isnan(value) && (input->was_known || !simulated) && input->unknown > UNKNOWN_FOR;
  /* Levels are 0 and 1, so 0.5 separates them. */
  return *silent || (!isnan(value) && (panic > 0) == (value > 0.5));
}

void brio_motor_watch_inputs(brio_motor *motor, double h) {
  int count;
  const brio_actuator_sensed *sensed = brio_actuator_inputs(motor->actuator, &count);
  for (int i = 0; i < motor->ninput; i++) {
    /* Each input belongs to one device, at a place of its own there. */
    brio_motor_input *input = &motor->inputs[i];
    const brio_motor_bus *bus = &motor->buses[sensed[i].device];
    hear(bus, input, sensed[i].place, h);
    bool silent = false, simulated = bus->device->kind->simulated;
    bool raised = sensed[i].panic != 0 && asks(input, sensed[i].panic, simulated, &silent);
    /* Held in every period, so a release by scripts has no effect; announced once. */
    if (raised) brio_motion_hold(&motor->motion, BRIO_MOTION_PANIC);
    if (raised && !input->raised)
      brio_motor_news(motor, (brio_motor_event){.kind = silent ? BRIO_MOTOR_LINE_SILENT : BRIO_MOTOR_LINE,
                                                .which = i});
    input->raised = raised;
  }
}

bool brio_motor_panic_asked(const brio_motor *motor) {
  for (int i = 0; i < motor->ninput; i++)
    if (motor->inputs[i].raised) return true;
  return false;
}
