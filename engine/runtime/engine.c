/* The tick.  Everything it needs is taken at set-up: here nothing allocates, blocks or
** touches a file; rows for the store go into its ring. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "runtime/engine_internal.h"

enum { MOST_STEPS = 4 }; /* of a solve in a tick that comes after missed periods */

static bool declare_frames(brio_engine *engine, brio_error *err) {
  for (int i = 0; i < engine->robot->nlink; i++) {
    engine->frames[i] = brio_scene_declare_frame(engine->parts.scene, engine->robot->links[i].name, err);
    if (engine->frames[i] < 0) return false;
  }
  return true;
}

static void push_frames(brio_engine *engine) {
  const brio_state *state = brio_solver_state(engine->parts.solver);
  brio_frames *frames = brio_scene_frames(engine->parts.scene);
  for (int i = 0; i < engine->robot->nlink; i++)
    brio_frames_set(frames, engine->frames[i], engine->report.time, brio_pose_of(&state->links[i]), false);
}

static bool take_memory(brio_engine *engine) {
  size_t axes = (size_t)engine->naxis + 1;
  engine->frames = calloc((size_t)engine->robot->nlink + 1, sizeof *engine->frames);
  engine->goals = calloc(axes, sizeof *engine->goals);
  engine->commands = calloc(axes, sizeof *engine->commands);
  engine->measured = calloc(axes, sizeof *engine->measured);
  engine->rest = calloc((size_t)engine->robot->nvariable + BRIO_BASE_NQ, sizeof *engine->rest);
  engine->speeds = calloc(axes, sizeof *engine->speeds);
  engine->brakes = calloc(axes, sizeof *engine->brakes);
  return engine->speeds && engine->brakes && engine->rest && engine->frames && engine->goals &&
         engine->commands && engine->measured;
}

/* Show the robot to the world. */
static bool enter_world(brio_engine *engine, brio_error *err) {
  brio_world *world = engine->parts.world;
  if (!world) return true;
  engine->pose = calloc((size_t)engine->robot->nvariable + BRIO_BASE_NQ, sizeof *engine->pose);
  if (!engine->pose) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
  return brio_state_start(&engine->body, engine->robot, err) && brio_world_bind(world, engine->robot, err);
}

/* Advance the world to this tick's time around the robot as measured, its base where the solver has
** it. */
static void step_world(brio_engine *engine) {
  if (!engine->pose) return;
  const double *q = brio_solver_configuration_of(engine->parts.solver);
  for (int i = 0; i < BRIO_BASE_NQ + engine->robot->nvariable; i++) engine->pose[i] = q[i];
  for (int i = 0; i < engine->robot->nvariable; i++)
    if (isfinite(engine->measured[i])) engine->pose[BRIO_BASE_NQ + i] = engine->measured[i];
  brio_state_update(&engine->body, engine->pose);
  if (engine->lives) brio_world_lead(engine->parts.world, engine->report.time);
  else brio_world_advance(engine->parts.world, engine->report.time);
  brio_world_step(engine->parts.world, &engine->body, engine->pose + BRIO_BASE_NQ);
}

static bool copy_home(brio_engine *engine) {
  if (!engine->parts.rest) return true;
  engine->home = calloc((size_t)engine->naxis + 1, sizeof *engine->home);
  for (int i = 0; i < engine->naxis && engine->home; i++) engine->home[i] = engine->parts.rest[i];
  return engine->home != NULL;
}

/* Reserve the objectives that lead to rest: behaviors may use up the rest of the slots. */
static bool take_rests(brio_engine *engine, brio_error *err) {
  brio_solver *solver = engine->parts.solver;
  if (!engine->home) return true;
  engine->rests = calloc((size_t)engine->robot->nvariable + 1, sizeof *engine->rests);
  if (!engine->rests) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
  for (int i = 0; i < engine->robot->nvariable; i++) {
    char key[96];
    brio_argument joint = {.name = "joint", .text = engine->robot->variables[i].name};
    snprintf(key, sizeof key, "rest of %.64s", joint.text);
    int slot = brio_solver_add(solver, key, "joint_match", &joint, 1, err);
    if (slot < 0) return false;
    engine->rests[engine->nrest++] = slot;
    if (!brio_solver_set_goal(solver, slot, &engine->home[i], 1, 0, err) ||
        !brio_solver_set_weight(solver, slot, 0, 0, err))
      return false;
  }
  return true;
}

static void end_rests(brio_engine *engine) {
  for (int i = 0; i < engine->nrest; i++) brio_solver_remove(engine->parts.solver, engine->rests[i]);
  free(engine->rests);
}

/* Limit the solver to what the motor side enforces: else the path could not follow its poses. */
static bool take_limits(brio_engine *engine, brio_error *err) {
  for (int i = 0; i < engine->robot->nvariable; i++) {
    const brio_axis *axis = &engine->axes[i].limits;
    const brio_variable *joint = &engine->robot->variables[i];
    bool slower = axis->velocity < joint->velocity, softer = axis->acceleration < joint->acceleration;
    brio_limits limits = {NAN, NAN, slower ? axis->velocity : NAN, softer ? axis->acceleration : NAN};
    if ((slower || softer) && !brio_solver_set_limits(engine->parts.solver, i, &limits, err)) return false;
  }
  return true;
}

static bool put_together(brio_engine *engine, brio_error *err) {
  engine->robot = brio_solver_robot(engine->parts.solver);
  engine->axes = brio_actuator_axes(engine->parts.actuator, &engine->naxis);
  engine->solves = brio_store_table_find("solves");
  engine->seen = brio_store_table_find("detections");
  engine->report.commands = BRIO_HASH_START;
  engine->report.why = engine->report.rest = "";
  engine->sampled = -1;
  if (engine->naxis < engine->robot->nvariable)
    return brio_fail(err, BRIO_MISUSE, "the actuator has %d axes, robot '%s' has %d variables", engine->naxis,
                     engine->robot->name, engine->robot->nvariable);
  if (!take_memory(engine) || !copy_home(engine))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
  if (!enter_world(engine, err) || !take_limits(engine, err) || !declare_frames(engine, err) ||
      !take_rests(engine, err))
    return false;
  if (!brio_tracks_start(&engine->tracks, engine->parts.player, engine->parts.solver, engine->axes,
                         engine->naxis, err))
    return false;
  if (!brio_reasons_start(&engine->reasons, engine->parts.solver, engine->parts.store, engine->parts.rate,
                          err))
    return false;
  brio_sightings_start(&engine->sightings, engine->parts.store);
  push_frames(engine);
  /* What the solver made feasible goes to the motor side as it is. */
  for (int i = 0; i < engine->robot->nvariable; i++) brio_actuator_slew(engine->parts.actuator, i, false);
  brio_motor_options options = engine->parts.motor;
  options.actuator = engine->parts.actuator;
  options.tree = engine->robot->nvariable;
  engine->motor = brio_motor_new(&options, err);
  if (engine->motor) brio_motor_brake_with(engine->motor, engine->brakes);
  engine->anew = true; /* devices stand where they were left, which is not where the solver was set up */
  return engine->motor != NULL;
}

brio_engine *brio_engine_new(const brio_engine_parts *parts, brio_error *err) {
  if (!(parts->rate >= 1 && parts->rate <= 2000)) {
    brio_fail(err, BRIO_MISUSE, "the tick rate must be from 1 to 2000 Hz, not %g", parts->rate);
    return NULL;
  }
  brio_engine *engine = calloc(1, sizeof *engine);
  if (!engine) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
    return NULL;
  }
  engine->parts = *parts;
  if (put_together(engine, err)) return engine;
  brio_engine_free(engine);
  return NULL;
}

void brio_engine_free(brio_engine *engine) {
  if (!engine) return;
  brio_motor_free(engine->motor);
  for (int number = 1; number < 32; number++)
    if (engine->ignored >> number & 1) signal(number, SIG_DFL);
  brio_tracks_end(&engine->tracks);
  brio_reasons_end(&engine->reasons);
  end_rests(engine);
  if (engine->pose) brio_state_end(&engine->body);
  free(engine->pose);
  free(engine->rest);
  free(engine->home);
  free(engine->frames);
  free(engine->goals);
  free(engine->commands);
  free(engine->measured);
  free(engine->speeds);
  free(engine->brakes);
  free(engine);
}

bool brio_engine_begin_anew(brio_engine *engine) {
  bool moves = false;
  brio_robot_neutral(engine->robot, engine->rest);
  for (int i = 0; i < BRIO_BASE_NQ && engine->report.ticks > 0; i++) engine->rest[i] = engine->solution.q[i];
  for (int i = 0; i < engine->robot->nvariable; i++) {
    engine->rest[BRIO_BASE_NQ + i] = brio_motor_end(engine->motor, i, &engine->speeds[i]);
    moves = moves || engine->speeds[i] != 0;
  }
  if (moves)
    brio_solver_resume(engine->parts.solver, engine->rest, engine->speeds,
                       brio_motor_report_now(engine->motor).tick);
  else brio_solver_reset(engine->parts.solver, engine->rest, false);
  return !moves;
}

/* Begin a tick on the tape.  Return how many periods it covers. */
static int begin_on_tape(brio_engine *engine, int periods) {
  brio_tape *tape = engine->parts.tape;
  brio_engine_report *report = &engine->report;
  if (!tape) return periods;
  periods = brio_tape_begin(tape, report->ticks, (double)engine->periods / engine->parts.rate, periods);
  if (report->ticks == 0) {
    bool repeats = brio_actuator_repeats(engine->parts.actuator);
    engine->lives = brio_tape_flag(tape, BRIO_CHANNEL_motion, brio_motor_threaded(engine->motor) || !repeats);
    if (engine->lives) brio_motor_targets_taped(engine->motor, tape);
  }
  if (!engine->lives) brio_motor_panics_taped(engine->motor, tape);
  if (!engine->told_why) engine->told_why = brio_tape_why(tape, &report->why);
  return periods;
}

bool brio_engine_see(brio_engine *engine) {
  return engine->lives ? brio_motor_look_taped(engine->motor, engine->parts.tape)
                       : brio_motor_look(engine->motor);
}

/* Append what detectors saw behind the first `seen` detections.  Return how many were added. */
static int detect(brio_engine *engine, int seen) {
  brio_engine_parts *parts = &engine->parts;
  brio_detection *out = engine->detections + seen;
  int most = BRIO_ENGINE_MOST_DETECTIONS - seen;
  if (brio_tape_replays(parts->tape)) return brio_tape_detections(parts->tape, out, most);
  if (!parts->feeds) return 0;
  int more = brio_feeds_detect(parts->feeds, engine->report.time, parts->scene, out, most);
  if (parts->tape) brio_tape_detected(parts->tape, out, more);
  return more;
}

/* Read the devices and take what is seen into the scene. */
static void sense(brio_engine *engine) {
  brio_engine_parts *parts = &engine->parts;
  engine->begun_anew = brio_engine_see(engine) || engine->anew;
  if (engine->begun_anew) engine->begun_anew = brio_engine_begin_anew(engine);
  engine->anew = false;
  for (int i = 0; i < engine->naxis; i++) {
    const brio_axis_state *state = &engine->axes[i].measured;
    engine->measured[i] = state->valid ? state->position : NAN;
  }
  step_world(engine);
  int seen = brio_actuator_detect(parts->actuator, engine->detections, BRIO_ENGINE_MOST_SEEN);
  push_frames(engine);
  brio_sightings_note(&engine->sightings, engine->report.time, engine->detections, seen);
  int more = detect(engine, seen);
  if (parts->store && more)
    brio_seen_record(parts->store, engine->seen, engine->report.ticks, engine->report.time,
                     engine->detections + seen, more);
  seen += more;
  brio_scene_update(parts->scene, engine->report.time, engine->detections, seen);
}

/* Duration of this tick's motion, s.  After missed periods the path may still be far enough ahead,
** as the motors braked meanwhile: then no longer than a tick.  0 when the path has been too far
** ahead for a whole window, which is how a stall is worked off. */
static double motion_time(brio_engine *engine, int periods) {
  brio_motor_report motor = brio_motor_report_now(engine->motor);
  double period = brio_engine_period(engine), needs = periods * period + motor.margin - motor.ahead;
  if (periods == 1 && motor.windows != engine->windows && motor.spare > motor.margin + 1.5 * period) {
    engine->windows = motor.windows;
    return 0;
  }
  return period * fmin(periods, fmax(1, ceil(needs / period)));
}

/* Hand over the solved joints; the targets of other axes were set by the scripts. */
static void hand_over(brio_engine *engine, double motion) {
  brio_actuator *actuator = engine->parts.actuator;
  for (int i = 0; i < engine->robot->nvariable; i++) {
    brio_actuator_set_target(actuator, i, engine->solution.q[BRIO_BASE_NQ + i], NULL);
    engine->brakes[i] = brio_solver_braking(engine->parts.solver, i);
  }
  for (int i = 0; i < engine->naxis; i++) engine->goals[i] = engine->axes[i].target;
  brio_tracks_put(&engine->tracks, engine->goals);
  if (motion > 0) brio_motor_hand_over(engine->motor, engine->goals, motion);
}

/* Solve.  Motion over several periods takes as many steps (MOST_STEPS at most): so consecutive poses
** are as far apart as ever, and the path can follow them. */
static void solve(brio_engine *engine, double motion) {
  brio_solver *solver = engine->parts.solver;
  int steps = (int)fmin(MOST_STEPS, fmax(1, ceil(motion / brio_engine_period(engine) - 1e-6)));
  double dt = motion / steps;
  for (int k = steps - 1; k >= 0 && motion > 0; k--) {
    brio_solver_solve(solver, engine->report.time - k * dt, dt, &engine->solution);
    if (k > 0) hand_over(engine, dt);
  }
  engine->step = dt;
}

void brio_engine_command(brio_engine *engine, double dt, double motion) {
  hand_over(engine, motion);
  if (!engine->lives) {
    brio_motor_advance(engine->motor, dt);
    engine->anew = brio_motor_look(engine->motor); /* in lockstep the result is there at once */
  } else if (!brio_tape_replays(engine->parts.tape)) {
    brio_motor_advance(engine->motor, dt); /* on the fast clock; seen in the next tick */
  }
  for (int i = 0; i < engine->naxis; i++) engine->commands[i] = engine->axes[i].command;
  engine->report.commands = brio_hash_fold(engine->report.commands, engine->commands,
                                           (size_t)engine->naxis * sizeof *engine->commands);
}

uint64_t brio_engine_digest(const brio_engine *engine, double step) {
  size_t bytes = (size_t)engine->naxis * sizeof(double);
  uint64_t made = brio_hash_fold(BRIO_HASH_START, engine->goals, bytes);
  made = brio_hash_fold(made, &step, sizeof step);
  return engine->lives ? made : brio_hash_fold(made, engine->commands, bytes);
}

double brio_engine_sample_time(brio_engine *engine, double time) {
  int64_t at = engine->due ? brio_motor_report_now(engine->motor).at : 0;
  double seen = at ? fmax(0, time + (double)(at - engine->due) * 1e-9) : time;
  engine->sampled = fmax(seen, engine->sampled + 1e-6);
  return engine->sampled;
}

static void record(brio_engine *engine, double solve_us, double tick_us) {
  static const char *const status[] = {"converged", "cut", "held"};
  const brio_solution *s = &engine->solution;
  if (!engine->parts.store) return;
  brio_value row[] = {
      brio_value_integer(engine->report.ticks), brio_value_real(engine->report.time),
      brio_value_text(status[s->status]), brio_value_real(s->cost), brio_value_integer(s->iterations),
      brio_value_integer(s->evaluations), brio_value_integer(s->nactive),
      isfinite(s->distance) ? brio_value_real(s->distance) : brio_value_null(), brio_value_real(solve_us),
      brio_value_real(tick_us), brio_value_real(engine->late * 1e6)};
  brio_store_put(engine->parts.store, engine->solves, row, (int)(sizeof row / sizeof *row));
  brio_store_sample(engine->parts.store, engine->report.ticks,
                    brio_engine_sample_time(engine, engine->report.time), engine->goals, engine->commands,
                    engine->measured);
}

void brio_engine_ignore(brio_engine *engine, int number) {
  if (number > 0 && number < 32) engine->ignored |= 1u << number;
  signal(number, SIG_IGN);
}

bool brio_engine_tick(brio_engine *engine, int periods) {
  brio_stopwatch *watch = &engine->watch;
  int64_t began = watch->last = brio_clock_thread_cpu();
  brio_engine_report *report = &engine->report;
  periods = begin_on_tape(engine, periods);
  double dt = periods / engine->parts.rate;
  if (report->ticks == 0) report->first_tick = (double)brio_clock_monotonic() * 1e-9;
  else engine->periods += periods;
  report->time = (double)engine->periods / engine->parts.rate; /* exact: a sum of dt would drift */
  sense(engine);
  brio_stopwatch_end(watch, BRIO_STAGE_SENSE);
  bool goes_on = engine->parts.work(engine->parts.context, report->time, dt);
  brio_tracks_tick tick = {report->time,         dt, engine->axes, engine->begun_anew, engine->parts.stage,
                           engine->parts.context};
  brio_tracks_before(&engine->tracks, &tick);
  brio_stopwatch_end(watch, BRIO_STAGE_SCRIPTS);
  double motion = motion_time(engine, periods);
  if (engine->lives) motion = brio_tape_motion(engine->parts.tape, motion, brio_engine_period(engine));
  brio_reasons_before(&engine->reasons, report->ticks);
  solve(engine, motion);
  brio_tracks_after(&engine->tracks, &tick);
  brio_stopwatch_end(watch, BRIO_STAGE_SOLVE);
  brio_engine_command(engine, dt, engine->step);
  report->digest = brio_engine_digest(engine, engine->step);
  if (engine->parts.tape) brio_tape_digest(engine->parts.tape, report->digest);
  brio_stopwatch_end(watch, BRIO_STAGE_COMMAND);
  double tick_us = (double)(watch->last - began) * 1e-3;
  brio_histogram_add(&engine->cpu, tick_us);
  record(engine, watch->us[BRIO_STAGE_SOLVE], tick_us);
  if (motion > 0) brio_reasons_after(&engine->reasons, report->time);
  brio_stopwatch_end(watch, BRIO_STAGE_RECORD);
  for (int stage = BRIO_STAGE_SENSE; stage <= BRIO_STAGE_RECORD; stage++) brio_stopwatch_count(watch, stage);
  report->ticks++;
  engine->late = 0;
  return goes_on;
}

void brio_engine_stop(brio_engine *engine, const char *why) {
  if (!engine->report.why[0]) engine->report.why = why;
}

const char *brio_engine_stopping(const brio_engine *engine) { return engine->report.why; }

brio_engine_report brio_engine_look(const brio_engine *engine) {
  brio_engine_report report = engine->report;
  report.tick_p50 = brio_histogram_at(&engine->cpu, 0.50);
  report.tick_p99 = brio_histogram_at(&engine->cpu, 0.99);
  report.tick_max = engine->cpu.largest;
  return report;
}

void brio_engine_stages(const brio_engine *engine, brio_engine_stage stages[BRIO_ENGINE_STAGES]) {
  const brio_stopwatch *watch = &engine->watch;
  for (int i = 0; i < BRIO_ENGINE_STAGES; i++) {
    const brio_histogram *times = &watch->times[i];
    stages[i] = (brio_engine_stage){brio_stage_names[i], brio_histogram_at(times, 0.50),
                                    brio_histogram_at(times, 0.99), times->largest, watch->totals[i]};
  }
}

bool brio_engine_again(brio_engine *engine) {
  const void *bytes;
  size_t length;
  bool goes_on = brio_engine_tick(engine, 1);
  engine->slacks = engine->slacks || brio_tape_ask(engine->parts.tape, BRIO_CHANNEL_begin, &bytes, &length);
  if (engine->slacks) brio_engine_slack(engine, 0);
  brio_tape *tape = engine->parts.tape;
  if (!brio_tape_is_loose(tape)) brio_engine_rest_again(engine);
  return goes_on;
}

brio_tape *brio_engine_tape(const brio_engine *engine) { return engine->parts.tape; }

bool brio_engine_lives(const brio_engine *engine) { return engine->lives; }

brio_motor *brio_engine_motor(const brio_engine *engine) { return engine->motor; }

const brio_solution *brio_engine_solution(const brio_engine *engine) { return &engine->solution; }

double brio_engine_period(const brio_engine *engine) { return 1 / engine->parts.rate; }

void brio_engine_note_late(brio_engine *engine, double late, int64_t due) {
  engine->late = late;
  engine->due = due;
  if (late > 0.5 * brio_engine_period(engine)) engine->report.late_ticks++;
}

void brio_engine_slack(brio_engine *engine, int64_t budget_ns) {
  brio_tape *tape = engine->parts.tape;
  if (tape && !engine->slacks && !brio_tape_replays(tape)) brio_tape_note(tape, BRIO_CHANNEL_begin, NULL, 0);
  engine->slacks = true;
  if (engine->parts.idle) engine->parts.idle(engine->parts.context, budget_ns);
  brio_stopwatch_end(&engine->watch, BRIO_STAGE_SLACK);
  brio_stopwatch_count(&engine->watch, BRIO_STAGE_SLACK);
}
