/* The tick: a list of stages, made at set-up, where all memory is allocated too. Nothing here allocates,
** blocks or touches a file; rows for the store go into its ring. Script thread only. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "runtime/engine_internal.h"
#include "world/mover.h"

enum { MAX_STEPS = 4 }; /* of a solve in a tick that comes after missed periods */

/* Of a base that moves: s between two rows of the store, and the change that is worth one: m, or a part of a
** quaternion (2 mrad). */
static const double BASE_EVERY = 1.0 / 30, BASE_GRAIN = 1e-3;

/* One tick, while it runs. */
struct brio_tick_state {
  double dt;               /* s: the periods that it covers */
  double motion;           /* s: of motion to solve; 0: none */
  bool goes_on;            /* false: the scripts have ended the run */
  brio_tracks_tick tracks;
  int64_t began;           /* ns of the thread's CPU time */
  double solve_us, made_us; /* CPU time of the solve, and of all up to the command */
};

/* Show viewers where the base is, if it moves and somebody watches. */
static void show_base(brio_engine *engine, const brio_state *state) {
  brio_live_poses *board = brio_motor_live(engine->motor);
  if (!brio_live_poses_watched(board)) return;
  brio_pose base = brio_pose_of(&state->links[0]);
  brio_live_poses_stand(board, &base);
}

void brio_engine_push_frames(brio_engine *engine) {
  const brio_state *state = brio_solver_state(engine->parts.solver);
  brio_frames *frames = brio_scene_frames(engine->parts.scene);
  for (int i = 0; i < engine->robot->nlink; i++)
    brio_frames_set(frames, engine->frames[i], engine->report.time, brio_pose_of(&state->links[i]), false);
  if (engine->motor && engine->roams) show_base(engine, state);
}

/* Let the world see the bodies of its mover.  What a mover with a clock of its own reports is on the tape. */
static void look_at_bodies(brio_engine *engine) {
  const brio_world_mover *mover = brio_world_mover_of(engine->parts.world);
  brio_tape *tape = engine->parts.tape;
  unsigned char out[BRIO_WORLD_MOVED_BYTES];
  const void *bytes;
  size_t length;
  if (!mover) return;
  if (engine->lives && brio_tape_replays(tape)) {
    bool came = brio_tape_ask(tape, BRIO_CHANNEL_bodies, &bytes, &length);
    if (!mover->recall(mover->context, came ? bytes : NULL, came ? length : 0))
      brio_tape_deny(tape, BRIO_CHANNEL_bodies);
    return;
  }
  mover->look(mover->context);
  if (!engine->lives) return;
  length = mover->note(mover->context, out);
  if (length) brio_tape_note(tape, BRIO_CHANNEL_bodies, out, length);
  else brio_tape_pass(tape, BRIO_CHANNEL_bodies);
}

/* Move the solver's base to where a mover has it: it stands where forces have put it. */
static void carry_base(brio_engine *engine) {
  const brio_world_mover *mover = engine->pose ? brio_world_mover_of(engine->parts.world) : NULL;
  const brio_world_moved *base = mover ? mover->base(mover->context) : NULL;
  if (!base) return;
  engine->roams = true;
  const float *v = base->numbers;
  brio_pose pose = {{(double)v[0], (double)v[1], (double)v[2]},
                    brio_quat_unit((brio_quat){(double)v[3], (double)v[4], (double)v[5], (double)v[6]})};
  /* One that has not moved costs nothing; 1e-12 is rounding. */
  const double *q = brio_solver_configuration_of(engine->parts.solver), *at = &pose.p.x, *turn = &pose.q.x;
  double off = 0;
  for (int i = 0; i < BRIO_BASE_NQ; i++) off = fmax(off, fabs(q[i] - (i < 3 ? at[i] : turn[i - 3])));
  if (off > 1e-12) brio_solver_carry(engine->parts.solver, pose);
}

/* Advance the world to this tick's time around the robot as measured, its base where the solver has
** it. */
static void step_world(brio_engine *engine) {
  if (!engine->pose) return;
  look_at_bodies(engine);
  carry_base(engine);
  /* Joints stand where they are measured; those without a measurement where the solver has them. */
  const double *q = brio_solver_configuration_of(engine->parts.solver);
  for (int i = 0; i < BRIO_BASE_NQ + engine->robot->nvariable; i++) engine->pose[i] = q[i];
  for (int i = 0; i < engine->robot->nvariable; i++)
    if (isfinite(engine->measured[i])) engine->pose[BRIO_BASE_NQ + i] = engine->measured[i];
  brio_state_update(&engine->body, engine->pose);
  /* Devices with clocks of their own must not advance the world: its time is set here alone. */
  if (engine->lives) brio_world_lead(engine->parts.world, engine->report.time);
  else brio_world_advance(engine->parts.world, engine->report.time);
  brio_world_step(engine->parts.world, &engine->body, engine->pose + BRIO_BASE_NQ);
}

bool brio_engine_begin_anew(brio_engine *engine) {
  bool moves = false;
  /* The base continues from the last solution; before the first tick it is neutral. */
  brio_robot_neutral(engine->robot, engine->rest);
  for (int i = 0; i < BRIO_BASE_NQ && engine->report.ticks > 0; i++) engine->rest[i] = engine->solution.q[i];
  /* Joints continue from the end of the path, with the speed there. */
  for (int i = 0; i < engine->robot->nvariable; i++) {
    engine->rest[BRIO_BASE_NQ + i] = brio_motor_end(engine->motor, i, &engine->speeds[i]);
    moves = moves || engine->speeds[i] != 0;
  }
  /* In motion: the solver continues from position and speed. At rest: it starts again. */
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
  /* The tape gives the number of periods in a replay. */
  periods = brio_tape_begin(tape, report->ticks, (double)engine->periods / engine->parts.rate, periods);
  /* The first tick decides, and notes, whether the motor side's reports go on the tape. */
  if (report->ticks == 0) {
    bool repeats = brio_actuator_repeats(engine->parts.actuator);
    engine->lives = brio_tape_flag(tape, BRIO_CHANNEL_motion, brio_motor_threaded(engine->motor) || !repeats);
    if (engine->lives) brio_motor_targets_taped(engine->motor, tape);
  }
  /* In lockstep only panics come from outside. The reason of the end is noted once. */
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
  /* A replay reads them from the tape; a run notes what the feeds brought. */
  if (brio_tape_replays(parts->tape)) return brio_tape_detections(parts->tape, out, most);
  if (!parts->feeds) return 0;
  int more = brio_feeds_detect(parts->feeds, engine->report.time, parts->scene, out, most);
  if (parts->tape) brio_tape_detected(parts->tape, out, more);
  return more;
}

/* Read the devices, step the world, and update the scene with all detections. */
static void sense(brio_engine *engine, brio_tick_state *tick) {
  (void)tick;
  brio_engine_parts *parts = &engine->parts;
  /* The motor side first: the path may have broken off, and the solver continues from its end. */
  engine->begun_anew = brio_engine_see(engine) || engine->anew;
  if (engine->begun_anew) engine->begun_anew = brio_engine_begin_anew(engine);
  engine->anew = false;
  /* Positions that scripts and recording use in this tick; NaN where a device does not report. */
  for (int i = 0; i < engine->naxis; i++) {
    const brio_axis_state *state = &engine->axes[i].measured;
    engine->measured[i] = state->valid ? state->position : NAN;
  }
  step_world(engine);
  /* Own sensors first, then other programs' detectors; only the latter have rows in `detections`. */
  int seen = brio_actuator_detect(parts->actuator, engine->detections, BRIO_ENGINE_MOST_SEEN);
  brio_engine_push_frames(engine);
  brio_sightings_note(&engine->sightings, engine->report.time, engine->detections, seen);
  /* Detections of both kinds are in one list for the scene. */
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
  /* Needed: the periods that passed, and the margin that the path lacks. */
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
    /* Targets and braking accelerations of the tree's joints. */
    brio_actuator_set_target(actuator, i, engine->solution.q[BRIO_BASE_NQ + i], NULL);
    engine->brakes[i] = brio_solver_braking(engine->parts.solver, i);
  }
  /* Tracks may override the targets outside the tree. */
  for (int i = 0; i < engine->naxis; i++) engine->goals[i] = engine->axes[i].target;
  brio_tracks_put(&engine->tracks, engine->goals);
  if (motion > 0) brio_motor_hand_over(engine->motor, engine->goals, motion);
}

/* Solve.  Motion over several periods takes as many steps (MAX_STEPS at most): so consecutive poses
** are as far apart as ever, and the path can follow them. */
static void solve_steps(brio_engine *engine, double motion) {
  brio_solver *solver = engine->parts.solver;
  int steps = (int)fmin(MAX_STEPS, fmax(1, ceil(motion / brio_engine_period(engine) - 1e-6)));
  double dt = motion / steps;
  for (int k = steps - 1; k >= 0 && motion > 0; k--) {
    /* The last pose is handed over by the caller, with the stage `command`. */
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
  /* The digest chains the commands of all ticks. */
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
  /* A sample is as late as the motor side's period was against this tick's due time. */
  double seen = at ? fmax(0, time + (double)(at - engine->due) * 1e-9) : time;
  /* Times of samples rise strictly, by 1 us at least. */
  engine->sampled = fmax(seen, engine->sampled + 1e-6);
  return engine->sampled;
}

/* Put the row of this tick and a sample into the ring of the store. */
static void record_tick(brio_engine *engine, double solve_us, double tick_us) {
  static const char *const status[] = {"converged", "cut", "held"};
  const brio_solution *s = &engine->solution;
  /* Times in us; a distance that is not finite is unknown. */
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

/* Put a row where the base has moved on, at most one in BASE_EVERY s. */
static void record_base(brio_engine *engine) {
  brio_base_record *last = &engine->based;
  double time = engine->report.time;
  if (last->any && time < last->time + BASE_EVERY - 1e-9) return;
  const brio_pose base = brio_pose_of(&brio_solver_state(engine->parts.solver)->links[0]);
  const double now[BRIO_BASE_NQ] = {base.p.x, base.p.y, base.p.z, base.q.x, base.q.y, base.q.z, base.q.w};
  /* Whether a number differs by more than is worth a row. */
  bool moved = !last->any;
  for (int i = 0; i < BRIO_BASE_NQ; i++) moved = moved || fabs(now[i] - last->numbers[i]) > BASE_GRAIN;
  if (!moved) return;
  last->any = true;
  last->time = time;
  memcpy(last->numbers, now, sizeof now);
  brio_value row[1 + BRIO_BASE_NQ] = {brio_value_real(time)};
  for (int i = 0; i < BRIO_BASE_NQ; i++) row[1 + i] = brio_value_real(now[i]);
  brio_store_put(engine->parts.store, engine->bases, row, 1 + BRIO_BASE_NQ);
}

/* ---- the stages, in their order ---- */

/* Run the scripts, and what plays tracks. */
static void run_scripts(brio_engine *engine, brio_tick_state *tick) {
  double time = engine->report.time;
  tick->goes_on = engine->parts.work(engine->parts.context, time, tick->dt);
  /* Tracks that need the base are combined before the solve. */
  tick->tracks = (brio_tracks_tick){time, tick->dt, engine->axes, engine->begun_anew, engine->parts.stage,
                                    engine->parts.context};
  brio_tracks_before(&engine->tracks, &tick->tracks);
}

/* Solve the pose, for as long a motion as the motor side has room for. */
static void solve(brio_engine *engine, brio_tick_state *tick) {
  int periods = (int)lround(tick->dt * engine->parts.rate);
  int64_t began = engine->watch.last;
  /* The length of the motion depends on the real clock: a replay reads it from the tape. */
  tick->motion = motion_time(engine, periods);
  if (engine->lives)
    tick->motion = brio_tape_motion(engine->parts.tape, tick->motion, brio_engine_period(engine));
  brio_reasons_before(&engine->reasons, engine->report.ticks);
  solve_steps(engine, tick->motion);
  brio_tracks_after(&engine->tracks, &tick->tracks);
  tick->solve_us = (double)(brio_clock_thread_cpu() - began) * 1e-3;
}

/* Hand the pose to the motor side, and compute the digest of the commands. */
static void command(brio_engine *engine, brio_tick_state *tick) {
  brio_engine_command(engine, tick->dt, engine->step);
  engine->report.digest = brio_engine_digest(engine, engine->step);
  if (engine->parts.tape) brio_tape_digest(engine->parts.tape, engine->report.digest);
  tick->made_us = (double)(brio_clock_thread_cpu() - tick->began) * 1e-3;
}

/* Record the tick, and why its joints moved. */
static void record(brio_engine *engine, brio_tick_state *tick) {
  record_tick(engine, tick->solve_us, tick->made_us);
  if (engine->roams) record_base(engine);
  if (tick->motion > 0) brio_reasons_after(&engine->reasons, engine->report.time);
}

static bool has_store(const brio_engine *engine) { return engine->parts.store != NULL; }

/* Name, work, when it is needed (NULL: always). */
static const brio_tick_stage stages[] = {
    {"sense", sense, NULL},     {"scripts", run_scripts, NULL}, {"solve", solve, NULL},
    {"command", command, NULL}, {"record", record, has_store},
};

void brio_engine_list_stages(brio_engine *engine) {
  static_assert(sizeof stages / sizeof *stages < BRIO_ENGINE_STAGES, "one row is for the slack");
  engine->nstage = 0;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
    if (!stages[i].needs || stages[i].needs(engine)) engine->stages[engine->nstage++] = &stages[i];
}

bool brio_engine_tick(brio_engine *engine, int periods) {
  brio_stopwatch *watch = &engine->watch;
  brio_engine_report *report = &engine->report;
  brio_tick_state tick = {.began = watch->last = brio_clock_thread_cpu(), .goes_on = true};
  /* The tick's time: exact, where a sum of dt would drift. */
  periods = begin_on_tape(engine, periods);
  tick.dt = periods / engine->parts.rate;
  if (report->ticks == 0) report->first_tick = (double)brio_clock_monotonic() * 1e-9;
  else engine->periods += periods;
  report->time = (double)engine->periods / engine->parts.rate;
  /* Each stage ends with a reading of the clock. */
  for (int i = 0; i < engine->nstage; i++) {
    engine->stages[i]->work(engine, &tick);
    brio_stopwatch_end(watch, i);
  }
  /* Statistics: CPU time up to the command, and of each stage. */
  brio_histogram_add(&engine->cpu, tick.made_us);
  for (int i = 0; i < engine->nstage; i++) brio_stopwatch_count(watch, i);
  report->ticks++;
  engine->late = 0;
  return tick.goes_on;
}
