/* What devices sense apart from their axes, on the motor side: passed on to the scripts, and monitored here
** where an input means the panic stop, so that it works whatever the scripts do.
**
** Such a line raises the stop as long as it is active, and nobody can release the stop meanwhile. A line
** that was heard once and is silent now raises it, too, and so does a line of real hardware that was never
** heard: a broken wire or a dead board must not disable the stop. */
#include <math.h>

#include "runtime/motor/motor_internal.h"

#define UNKNOWN_FOR 0.25 /* s after which a line counts as silent */

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
