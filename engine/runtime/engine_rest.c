/* What comes after the last tick: the way to rest, and the braking of what still moves.  Both are ticks of
** their own on the tape, so that a replay does them again. */
#include <math.h>

#include "runtime/engine_internal.h"

#define LONGEST_REST 10.0 /* s that going to rest may take */
#define LONGEST_STOP 3.0  /* s that coming to rest may take */
#define LONGEST_STILL 0.5 /* s without motion on the way there: something is in the way */
#define STUCK 1e-7        /* rad, m or 1 a tick */
#define REST_WEIGHT 20.0
#define REST_BLEND 0.1    /* s */
#define NEAR_REST 1e-4    /* rad, m or 1 */


static void sample(brio_engine *engine, int64_t tick, double time) {
  for (int i = 0; i < engine->naxis; i++) {
    const brio_axis_state *state = &engine->axes[i].measured;
    engine->measured[i] = state->valid ? state->position : NAN;
    engine->commands[i] = engine->axes[i].command;
  }
  engine->due = 0; /* the way to rest is timed as it was meant */
  if (!engine->parts.store) return;
  brio_store_sample(engine->parts.store, tick, brio_engine_sample_time(engine, time), engine->goals,
                    engine->commands, engine->measured);
}

/* Whether every axis is told to be where it should rest. */
static bool is_at_rest(const brio_engine *engine) {
  for (int i = 0; i < engine->naxis; i++)
    if (fabs(engine->axes[i].command - engine->home[i]) > NEAR_REST) return false;
  return true;
}

/* Nothing is wanted any more but that every joint is where it should rest. */
static void want_rest(brio_engine *engine) {
  brio_solver *solver = engine->parts.solver;
  for (int slot = brio_solver_next(solver, -1); slot >= 0; slot = brio_solver_next(solver, slot))
    brio_solver_set_weight(solver, slot, 0, 0, NULL);
  for (int i = 0; i < engine->nrest; i++)
    brio_solver_set_weight(solver, engine->rests[i], REST_WEIGHT, REST_BLEND, NULL);
  for (int i = engine->robot->nvariable; i < engine->naxis; i++)
    brio_actuator_set_target(engine->parts.actuator, i, engine->home[i], NULL);
}

/* One more tick on the way to rest.  Return whether anything was told to move since the tick before: commands
** are those of the newest look at the motor side, which on the real clock does not wait for this tick. */
static bool step_to_rest(brio_engine *engine, double time, double dt) {
  double moved = 0;
  if (engine->anew) brio_engine_begin_anew(engine); /* before speeds are the scratch of this */
  for (int i = 0; i < engine->naxis; i++) engine->speeds[i] = engine->commands[i];
  double *before = engine->speeds;
  engine->anew = false;
  brio_solver_solve(engine->parts.solver, time, dt, &engine->solution);
  brio_engine_command(engine, dt, dt);
  for (int i = 0; i < engine->naxis; i++) moved = fmax(moved, fabs(engine->commands[i] - before[i]));
  return moved > STUCK;
}

/* Why the robot goes no farther to rest; "": it may. */
static const char *why_not_rest(const brio_engine *engine, double gone, double still) {
  brio_motor_report report = brio_motor_report_now(engine->motor);
  /* Those pass by themselves: a device is silent or late, and its axes are elsewhere than commanded. */
  const unsigned passing = BRIO_MOTION_RESYNC | BRIO_MOTION_WAIT;
  if (is_at_rest(engine) && !(report.armed && report.causes & passing)) return "there";
  if (!report.armed) return "disarmed";
  if (report.causes & ~passing) return "held";
  return still >= LONGEST_STILL ? "blocked" : gone >= LONGEST_REST ? "late" : "";
}

/* Tick n of the way to rest begins, as a tick after the run's last on the tape; look at the motor side. */
static void begin_rest_tick(brio_engine *engine, int64_t n, double time) {
  brio_tape *tape = engine->parts.tape;
  if (tape) brio_tape_begin(tape, engine->report.ticks + n, time, 1);
  if (tape && !engine->lives) brio_motor_panics_taped(engine->motor, tape);
  engine->anew = brio_engine_see(engine) || engine->anew;
}

/* Whether the way goes on after a tick that commanded something: nobody interrupts it. */
static bool goes_on_to_rest(brio_engine *engine, bool goes_on) {
  const void *bytes;
  size_t length;
  brio_tape *tape = engine->parts.tape;
  if (!tape) return goes_on;
  brio_tape_digest(tape, brio_engine_digest(engine, brio_engine_period(engine)));
  if (brio_tape_replays(tape)) return !brio_tape_ask(tape, BRIO_CHANNEL_rest, &bytes, &length);
  if (goes_on) brio_tape_pass(tape, BRIO_CHANNEL_rest);
  else brio_tape_note(tape, BRIO_CHANNEL_rest, "", 0);
  return goes_on;
}

/* Whether a replay has come to what differs, or to the end of what was noted. */
static bool is_replayed(const brio_engine *engine) {
  const brio_tape *tape = engine->parts.tape;
  return brio_tape_replays(tape) && (brio_tape_parted(tape)->fault != BRIO_TAPE_SAME || brio_tape_over(tape));
}

/* One tick of braking: the motor side continues automatically, and nothing else is wanted than what it
** commands. */
static void step_to_stand(brio_engine *engine, int64_t n, bool (*wait)(void *context, double seconds),
                          void *context) {
  double dt = brio_engine_period(engine), time = engine->report.time + (double)(n + 1) * dt;
  brio_tape *tape = engine->parts.tape;
  /* the last tick to rest may have begun */
  if (tape) brio_tape_begin(tape, engine->report.ticks + n + 1, time, 1);
  if (tape && !engine->lives) brio_motor_panics_taped(engine->motor, tape);
  if (!engine->lives || !brio_tape_replays(tape)) brio_motor_advance(engine->motor, dt);
  if (wait) wait(context, dt);
  brio_engine_see(engine);
  for (int i = 0; i < engine->naxis; i++) engine->goals[i] = engine->axes[i].command;
  sample(engine, engine->report.ticks + n, time);
  if (tape) brio_tape_digest(tape, brio_engine_digest(engine, dt));
}

/* Whether what moves is to brake: a replay does it if it was noted, for brios before did not. */
static bool brakes(brio_engine *engine) {
  brio_tape *tape = engine->parts.tape;
  const void *bytes;
  size_t length;
  if (brio_tape_replays(tape)) return brio_tape_ask(tape, BRIO_CHANNEL_brake, &bytes, &length);
  if (tape) brio_tape_note(tape, BRIO_CHANNEL_brake, "", 0);
  return true;
}

/* Nobody leaves a robot in motion: what moves brakes, along its path where there is one. */
static void stand_still(brio_engine *engine, int64_t n, bool (*wait)(void *context, double seconds),
                        void *context) {
  brio_engine_see(engine);
  brio_motor_report report = brio_motor_report_now(engine->motor);
  if (report.armed) brio_motor_hold(engine->motor, BRIO_MOTION_PERSON);
  int64_t end = n + (int64_t)(LONGEST_STOP / brio_engine_period(engine));
  for (; report.armed && (!report.settled || report.behind) && n < end && !is_replayed(engine); n++) {
    step_to_stand(engine, n, wait, context);
    report = brio_motor_report_now(engine->motor);
  }
}

void brio_engine_rest(brio_engine *engine, bool (*wait)(void *context, double seconds), void *context) {
  double dt = brio_engine_period(engine), still = 0;
  uint64_t commands = engine->report.commands; /* of the run, which is over */
  const char *why = engine->home ? "" : "nowhere";
  brio_tape *tape = engine->parts.tape;
  int64_t n = 0;
  if (tape && engine->home && !brio_tape_replays(tape)) brio_tape_note(tape, BRIO_CHANNEL_rest, "", 0);
  if (engine->home && !is_at_rest(engine)) want_rest(engine);
  for (; !why[0] && !is_replayed(engine); n++) {
    double time = engine->report.time + (double)(n + 1) * dt;
    begin_rest_tick(engine, n, time);
    why = why_not_rest(engine, (double)n * dt, still);
    if (why[0]) break;
    brio_reasons_before(&engine->reasons, engine->report.ticks + n);
    bool moved = step_to_rest(engine, time, dt);
    brio_reasons_after(&engine->reasons, time);
    still = moved || brio_motor_report_now(engine->motor).causes ? 0 : still + dt;
    sample(engine, engine->report.ticks + n, time);
    if (!goes_on_to_rest(engine, !wait || wait(context, dt))) why = "interrupted";
  }
  if (engine->home) engine->report.rest = why;
  engine->report.commands = commands;
  brio_reasons_close(&engine->reasons, engine->report.time + (double)n * dt);
  if (brakes(engine)) stand_still(engine, n, wait, context);
}

void brio_engine_rest_again(brio_engine *engine) {
  const void *bytes;
  size_t length;
  if (brio_tape_ask(engine->parts.tape, BRIO_CHANNEL_rest, &bytes, &length)) {
    brio_engine_rest(engine, NULL, NULL);
  } else if (brakes(engine)) { /* it has nowhere to go to */
    brio_reasons_close(&engine->reasons, engine->report.time);
    stand_still(engine, 0, NULL, NULL);
  }
}
