/* What follows the last tick: going to rest, then braking what still moves. Each step is a tick of its own
** on the tape, so that a replay repeats it. */
#include <math.h>

#include "runtime/engine_internal.h"

#define LONGEST_REST 10.0 /* s that going to rest may take */
#define LONGEST_STOP 3.0  /* s that coming to rest may take */
#define LONGEST_STILL 0.5 /* s without motion on the way there: something is in the way */
#define STUCK 1e-7        /* rad, m or 1 a tick */
#define REST_WEIGHT 20.0
#define REST_BLEND 0.1    /* s */
#define NEAR_REST 1e-4    /* rad, m or 1 */


/* Record the state of all axes as a sample of that tick; without a store only in the arrays, which the
** digest needs. */
static void sample(brio_engine *engine, int64_t tick, double time) {
  /* NaN for an axis that does not report. */
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

/* Whether the command of every axis is within NEAR_REST of its pose of rest. */
static bool is_at_rest(const brio_engine *engine) {
  for (int i = 0; i < engine->naxis; i++)
    if (fabs(engine->axes[i].command - engine->home[i]) > NEAR_REST) return false;
  return true;
}

/* Make rest the only goal: all other weights become 0 at once, and axes outside the tree get their
** targets. */
static void want_rest(brio_engine *engine) {
  brio_solver *solver = engine->parts.solver;
  for (int slot = brio_solver_next(solver, -1); slot >= 0; slot = brio_solver_next(solver, slot))
    brio_solver_set_weight(solver, slot, 0, 0, NULL);
  /* The weights of rest grow within REST_BLEND, so that the motion begins smoothly. */
  for (int i = 0; i < engine->nrest; i++)
    brio_solver_set_weight(solver, engine->rests[i], REST_WEIGHT, REST_BLEND, NULL);
  for (int i = engine->robot->nvariable; i < engine->naxis; i++)
    brio_actuator_set_target(engine->parts.actuator, i, engine->home[i], NULL);
}

/* One tick on the way to rest. Return whether any command moved by more than STUCK since the last read of
** the motor side, which on the real clock does not wait for this tick. */
static bool step_to_rest(brio_engine *engine, double time, double dt) {
  double moved = 0;
  if (engine->anew) brio_engine_begin_anew(engine); /* before speeds are the scratch of this */
  /* The commands before this tick, to measure motion. */
  for (int i = 0; i < engine->naxis; i++) engine->speeds[i] = engine->commands[i];
  double *before = engine->speeds;
  engine->anew = false;
  brio_solver_solve(engine->parts.solver, time, dt, &engine->solution);
  brio_engine_command(engine, dt, dt);
  /* The greatest motion of any axis, in its unit. */
  for (int i = 0; i < engine->naxis; i++) moved = fmax(moved, fabs(engine->commands[i] - before[i]));
  return moved > STUCK;
}

/* Why the way to rest ends, after `gone` s of it and `still` s without motion; "": it continues. */
static const char *why_not_rest(const brio_engine *engine, double gone, double still) {
  brio_motor_report report = brio_motor_report_now(engine->motor);
  /* These causes pass by themselves: a device is silent or late, and its axes are elsewhere than
  ** commanded. */
  const unsigned passing = BRIO_MOTION_RESYNC | BRIO_MOTION_WAIT;
  if (is_at_rest(engine) && !(report.armed && report.causes & passing)) return "there";
  if (!report.armed) return "disarmed";
  if (report.causes & ~passing) return "held";
  return still >= LONGEST_STILL ? "blocked" : gone >= LONGEST_REST ? "late" : "";
}

/* Begin tick n of the way to rest (on the tape: n after the run's last), and read the motor side. */
static void begin_rest_tick(brio_engine *engine, int64_t n, double time) {
  brio_tape *tape = engine->parts.tape;
  if (tape) brio_tape_begin(tape, engine->report.ticks + n, time, 1);
  if (tape && !engine->lives) brio_motor_panics_taped(engine->motor, tape);
  engine->anew = brio_engine_see(engine) || engine->anew;
}

/* Whether the way continues after a tick that commanded something: false if it was interrupted, which is on
** the tape. */
static bool goes_on_to_rest(brio_engine *engine, bool goes_on) {
  const void *bytes;
  size_t length;
  brio_tape *tape = engine->parts.tape;
  if (!tape) return goes_on;
  brio_tape_digest(tape, brio_engine_digest(engine, brio_engine_period(engine)));
  /* A replay stops where the run was interrupted. */
  if (brio_tape_replays(tape)) return !brio_tape_ask(tape, BRIO_CHANNEL_rest, &bytes, &length);
  if (goes_on) brio_tape_pass(tape, BRIO_CHANNEL_rest);
  else brio_tape_note(tape, BRIO_CHANNEL_rest, "", 0);
  return goes_on;
}

/* Whether a replay has reached a difference, or the tape's last record. */
static bool is_replayed(const brio_engine *engine) {
  const brio_tape *tape = engine->parts.tape;
  return brio_tape_replays(tape) && (brio_tape_parted(tape)->fault != BRIO_TAPE_SAME || brio_tape_over(tape));
}

/* One tick of braking: the motor side brakes on its own, and goals follow its commands. */
static void step_to_stand(brio_engine *engine, int64_t n, bool (*wait)(void *context, double seconds),
                          void *context) {
  double dt = brio_engine_period(engine), time = engine->report.time + (double)(n + 1) * dt;
  brio_tape *tape = engine->parts.tape;
  /* the last tick to rest may have begun */
  if (tape) brio_tape_begin(tape, engine->report.ticks + n + 1, time, 1);
  if (tape && !engine->lives) brio_motor_panics_taped(engine->motor, tape);
  /* In a replay of a live motor side its reports come from the tape, so no time passes there. */
  if (!engine->lives || !brio_tape_replays(tape)) brio_motor_advance(engine->motor, dt);
  /* On the real clock the motor side brakes meanwhile. */
  if (wait) wait(context, dt);
  brio_engine_see(engine);
  for (int i = 0; i < engine->naxis; i++) engine->goals[i] = engine->axes[i].command;
  sample(engine, engine->report.ticks + n, time);
  if (tape) brio_tape_digest(tape, brio_engine_digest(engine, dt));
}

/* Whether to brake what moves. A replay does so only if the tape has it: earlier versions did not brake. */
static bool brakes(brio_engine *engine) {
  brio_tape *tape = engine->parts.tape;
  const void *bytes;
  size_t length;
  if (brio_tape_replays(tape)) return brio_tape_ask(tape, BRIO_CHANNEL_brake, &bytes, &length);
  if (tape) brio_tape_note(tape, BRIO_CHANNEL_brake, "", 0);
  return true;
}

/* Brake what moves, along its path where there is one, until the motor side has settled, LONGEST_STOP s at
** most. The robot is never left in motion. */
static void stand_still(brio_engine *engine, int64_t n, bool (*wait)(void *context, double seconds),
                        void *context) {
  brio_engine_see(engine);
  brio_motor_report report = brio_motor_report_now(engine->motor);
  if (report.armed) brio_motor_hold(engine->motor, BRIO_MOTION_PERSON);
  /* Until all has settled, or the time is up. */
  int64_t end = n + (int64_t)(LONGEST_STOP / brio_engine_period(engine));
  for (; report.armed && (!report.settled || report.behind) && n < end && !is_replayed(engine); n++) {
    step_to_stand(engine, n, wait, context);
    report = brio_motor_report_now(engine->motor);
  }
}

void brio_engine_rest(brio_engine *engine, bool (*wait)(void *context, double seconds), void *context) {
  double dt = brio_engine_period(engine), still = 0;
  uint64_t commands = engine->report.commands; /* of the run, which has ended */
  const char *why = engine->home ? "" : "nowhere";
  brio_tape *tape = engine->parts.tape;
  int64_t n = 0;
  /* Note that the way to rest began: a replay starts it there. */
  if (tape && engine->home && !brio_tape_replays(tape)) brio_tape_note(tape, BRIO_CHANNEL_rest, "", 0);
  if (engine->home && !is_at_rest(engine)) want_rest(engine);
  for (; !why[0] && !is_replayed(engine); n++) {
    double time = engine->report.time + (double)(n + 1) * dt;
    begin_rest_tick(engine, n, time);
    why = why_not_rest(engine, (double)n * dt, still);
    /* The way ends before its step, so a robot that is at rest gets no further command. */
    if (why[0]) break;
    brio_reasons_before(&engine->reasons, engine->report.ticks + n);
    bool moved = step_to_rest(engine, time, dt);
    brio_reasons_after(&engine->reasons, time);
    /* Time without motion counts only while nothing holds the robot. */
    still = moved || brio_motor_report_now(engine->motor).causes ? 0 : still + dt;
    sample(engine, engine->report.ticks + n, time);
    if (!goes_on_to_rest(engine, !wait || wait(context, dt))) why = "interrupted";
  }
  /* The run's digest stays that of its ticks; rows of reasons are closed at the end of the way. */
  if (engine->home) engine->report.rest = why;
  engine->report.commands = commands;
  brio_reasons_close(&engine->reasons, engine->report.time + (double)n * dt);
  if (brakes(engine)) stand_still(engine, n, wait, context);
}

void brio_engine_rest_again(brio_engine *engine) {
  const void *bytes;
  size_t length;
  /* The run went to rest at this tick. */
  if (brio_tape_ask(engine->parts.tape, BRIO_CHANNEL_rest, &bytes, &length)) {
    brio_engine_rest(engine, NULL, NULL);
  } else if (brakes(engine)) { /* it has nowhere to go to */
    brio_reasons_close(&engine->reasons, engine->report.time);
    stand_still(engine, 0, NULL, NULL);
  }
}
