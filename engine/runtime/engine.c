/* The tick.  Everything it needs is taken at set-up: here nothing allocates, blocks or
** touches a file; rows for the store go into its ring. */
#include "runtime/engine.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/histogram.h"
#include "runtime/motor/tape.h"
#include "runtime/reasons.h"
#include "runtime/stages_internal.h"
#include "runtime/seen.h"
#include "runtime/tape/tick.h"
#include "runtime/tracks.h"
#include "scene/frames.h"
#include "world/things/hand.h"

#define LONGEST_REST 10.0 /* s that going to rest may take */
#define LONGEST_STOP 3.0  /* s that coming to rest may take */
#define LONGEST_STILL 0.5 /* s without motion on the way there: something is in the way */
#define STUCK 1e-7        /* rad, m or 1 a tick */
#define REST_WEIGHT 20.0
#define REST_BLEND 0.1    /* s */
#define NEAR_REST 1e-4    /* rad, m or 1 */

enum { MOST_SEEN = 256 /* by devices */, MOST_DETECTIONS = MOST_SEEN + 4 * BRIO_FEED_MOST, MOST_STEPS = 4 };

struct brio_engine {
  brio_engine_parts parts;
  brio_motor *motor;
  double *home;              /* naxis: where it goes at the end; NULL: nowhere */
  int *rests, nrest;         /* the objectives that lead it there */
  double *rest;              /* the solver's nq: where it begins anew */
  bool anew;                 /* it has to */
  unsigned ignored;          /* a bit for each signal */
  bool begun_anew;           /* it did in this tick */
  bool lives;                /* the motor side is not stepped by the tick alone: what is seen of it goes on the tape */
  bool slacks;               /* something is done between its ticks */
  bool told_why;             /* why the run is to end is on the tape */
  brio_tracks tracks;
  brio_reasons reasons;
  brio_sightings sightings;
  const brio_robot *robot;
  brio_solution solution;
  brio_engine_report report;
  brio_histogram cpu;        /* us of CPU time, one a tick */
  brio_stopwatch watch;
  int64_t periods;           /* of robot time since the first tick */
  double late;               /* s: how late the tick that runs began */
  int64_t due;               /* ns of the monotonic clock: when it was due; 0: on the fast clock */
  double sampled;            /* s: the time of the newest sample */
  int solves, seen;          /* indices of the store's tables */
  int naxis;
  const brio_actuator_axis *axes; /* naxis: the actuator's */
  int *frames;               /* nlink: the scene's handles */
  double *goals, *commands, *measured; /* naxis each: of this tick */
  double *speeds, *brakes;   /* naxis each: where the path ends; with what each joint may brake */
  double step;               /* s: of the pose that was solved last; 0: none was */
  int windows;               /* of the motor side's report, when a tick was last left out */
  brio_state body;           /* the robot as it is measured: what the world sees of it */
  double *pose;              /* nq: the same as a configuration; NULL: there is no world */
  brio_detection detections[MOST_DETECTIONS];
};

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
  return engine->speeds && engine->brakes && engine->rest && engine->frames && engine->goals && engine->commands && engine->measured;
}

/* Show the world the robot. */
static bool enter_world(brio_engine *engine, brio_error *err) {
  brio_world *world = engine->parts.world;
  if (!world) return true;
  engine->pose = calloc((size_t)engine->robot->nvariable + BRIO_BASE_NQ, sizeof *engine->pose);
  if (!engine->pose) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
  return brio_state_start(&engine->body, engine->robot, err) && brio_world_bind(world, engine->robot, err);
}

/* Let the world go on to this tick's time about the robot as it is measured, its base where the solver has it. */
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

/* Take the room for the objectives that lead it to rest: behaviors may fill what is left. */
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
    if (!brio_solver_set_goal(solver, slot, &engine->home[i], 1, 0, err) || !brio_solver_set_weight(solver, slot, 0, 0, err)) return false;
  }
  return true;
}

static void end_rests(brio_engine *engine) {
  for (int i = 0; i < engine->nrest; i++) brio_solver_remove(engine->parts.solver, engine->rests[i]);
  free(engine->rests);
}

/* What the motor side holds of joints, the solver keeps: else it could not be followed. */
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
  if (!take_memory(engine) || !copy_home(engine)) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
  if (!enter_world(engine, err) || !take_limits(engine, err) || !declare_frames(engine, err) || !take_rests(engine, err)) return false;
  if (!brio_tracks_start(&engine->tracks, engine->parts.player, engine->parts.solver, engine->axes, engine->naxis, err))
    return false;
  if (!brio_reasons_start(&engine->reasons, engine->parts.solver, engine->parts.store, engine->parts.rate, err)) return false;
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

/* The path of the joints does not go on as the poses did: the solver goes on from where it ends.  Return whether it
** begins anew there, at rest. */
static bool begin_anew(brio_engine *engine) {
  bool moves = false;
  brio_robot_neutral(engine->robot, engine->rest);
  for (int i = 0; i < BRIO_BASE_NQ && engine->report.ticks > 0; i++) engine->rest[i] = engine->solution.q[i];
  for (int i = 0; i < engine->robot->nvariable; i++) {
    engine->rest[BRIO_BASE_NQ + i] = brio_motor_end(engine->motor, i, &engine->speeds[i]);
    moves = moves || engine->speeds[i] != 0;
  }
  if (moves) brio_solver_resume(engine->parts.solver, engine->rest, engine->speeds, brio_motor_report_now(engine->motor).tick);
  else brio_solver_reset(engine->parts.solver, engine->rest, false);
  return !moves;
}

/* The tape's part of a tick's beginning.  Return how many periods it carries. */
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

/* Look at the motor side. */
static bool look(brio_engine *engine) {
  return engine->lives ? brio_motor_look_taped(engine->motor, engine->parts.tape) : brio_motor_look(engine->motor);
}

/* What detectors saw, behind the first `seen`.  Return how many. */
static int detect(brio_engine *engine, int seen) {
  brio_engine_parts *parts = &engine->parts;
  brio_detection *out = engine->detections + seen;
  int most = MOST_DETECTIONS - seen;
  if (brio_tape_replays(parts->tape)) return brio_tape_detections(parts->tape, out, most);
  if (!parts->feeds) return 0;
  int more = brio_feeds_detect(parts->feeds, engine->report.time, parts->scene, out, most);
  if (parts->tape) brio_tape_detected(parts->tape, out, more);
  return more;
}

/* Look at the devices' reports and take what is seen into the scene. */
static void sense(brio_engine *engine) {
  brio_engine_parts *parts = &engine->parts;
  engine->begun_anew = look(engine) || engine->anew;
  if (engine->begun_anew) engine->begun_anew = begin_anew(engine);
  engine->anew = false;
  for (int i = 0; i < engine->naxis; i++) {
    const brio_axis_state *state = &engine->axes[i].measured;
    engine->measured[i] = state->valid ? state->position : NAN;
  }
  step_world(engine);
  int seen = brio_actuator_detect(parts->actuator, engine->detections, MOST_SEEN);
  push_frames(engine);
  brio_sightings_note(&engine->sightings, engine->report.time, engine->detections, seen);
  int more = detect(engine, seen);
  if (parts->store && more) brio_seen_record(parts->store, engine->seen, engine->report.ticks, engine->report.time, engine->detections + seen, more);
  seen += more;
  brio_scene_update(parts->scene, engine->report.time, engine->detections, seen);
}

/* How long the motion of a tick takes.  After missed periods the motors may still have enough to do, for they braked
** meanwhile: then it takes no longer than a tick; and none at all (0) when their path has been too far ahead of time for
** a while, which is how a stall is made up for. */
static double motion_time(brio_engine *engine, int periods) {
  brio_motor_report motor = brio_motor_report_now(engine->motor);
  double period = brio_engine_period(engine), needs = periods * period + motor.margin - motor.ahead;
  if (periods == 1 && motor.windows != engine->windows && motor.spare > motor.margin + 1.5 * period) {
    engine->windows = motor.windows;
    return 0;
  }
  return period * fmin(periods, fmax(1, ceil(needs / period)));
}

/* Hand the solved variables over; the other axes' targets were set by the scripts. */
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

/* The motion of a tick that comes after missed periods is solved in as many steps as the periods, up to a few: so poses are
** as far apart in time as they always are, and can be followed as they always can. */
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

/* Hand over, and see what it comes to within dt s. */
static void command(brio_engine *engine, double dt, double motion) {
  hand_over(engine, motion);
  if (!engine->lives) {
    brio_motor_advance(engine->motor, dt);
    engine->anew = brio_motor_look(engine->motor); /* in lockstep what this tick commanded is there by now */
  } else if (!brio_tape_replays(engine->parts.tape)) {
    brio_motor_advance(engine->motor, dt); /* on the fast clock; what comes of it is seen in the next tick */
  }
  for (int i = 0; i < engine->naxis; i++) engine->commands[i] = engine->axes[i].command;
  engine->report.commands = brio_hash_fold(engine->report.commands, engine->commands,
                                           (size_t)engine->naxis * sizeof *engine->commands);
}

/* The digest of what the tick commanded: what was handed over, and in lockstep what it came to. */
static uint64_t digest(const brio_engine *engine, double step) {
  size_t bytes = (size_t)engine->naxis * sizeof(double);
  uint64_t made = brio_hash_fold(BRIO_HASH_START, engine->goals, bytes);
  made = brio_hash_fold(made, &step, sizeof step);
  return engine->lives ? made : brio_hash_fold(made, engine->commands, bytes);
}

/* The time of the commands that are seen in a tick: on the real clock that of the motor side's period that they are of.
** Times of samples rise. */
static double sample_time(brio_engine *engine, double time) {
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
  brio_store_sample(engine->parts.store, engine->report.ticks, sample_time(engine, engine->report.time), engine->goals,
                    engine->commands, engine->measured);
}

static void sample(brio_engine *engine, int64_t tick, double time) {
  for (int i = 0; i < engine->naxis; i++) {
    const brio_axis_state *state = &engine->axes[i].measured;
    engine->measured[i] = state->valid ? state->position : NAN;
    engine->commands[i] = engine->axes[i].command;
  }
  engine->due = 0; /* the way to rest is timed as it was meant */
  if (!engine->parts.store) return;
  brio_store_sample(engine->parts.store, tick, sample_time(engine, time), engine->goals, engine->commands, engine->measured);
}

/* Whether every axis is told to be where it should rest. */
static bool is_at_rest(const brio_engine *engine) {
  for (int i = 0; i < engine->naxis; i++)
    if (fabs(engine->axes[i].command - engine->home[i]) > NEAR_REST) return false;
  return true;
}

/* Nobody leaves a robot in motion: what moves brakes, along its path where there is one. */
static void stand_still(brio_engine *engine, int64_t n, bool (*wait)(void *context, double seconds), void *context) {
  double dt = brio_engine_period(engine);
  brio_motor_look(engine->motor);
  brio_motor_report report = brio_motor_report_now(engine->motor);
  if (report.armed) brio_motor_hold(engine->motor, BRIO_MOTION_PERSON);
  for (int64_t end = n + (int64_t)(LONGEST_STOP / dt); report.armed && (!report.settled || report.behind) && n < end; n++) {
    brio_motor_advance(engine->motor, dt);
    if (wait) wait(context, dt);
    brio_motor_look(engine->motor);
    for (int i = 0; i < engine->naxis; i++) engine->goals[i] = engine->axes[i].command; /* nothing else is wanted */
    sample(engine, engine->report.ticks + n, engine->report.time + (double)(n + 1) * dt);
    report = brio_motor_report_now(engine->motor);
  }
}

/* Nothing is wanted any more but that every joint is where it should rest. */
static void want_rest(brio_engine *engine) {
  brio_solver *solver = engine->parts.solver;
  for (int slot = brio_solver_next(solver, -1); slot >= 0; slot = brio_solver_next(solver, slot))
    brio_solver_set_weight(solver, slot, 0, 0, NULL);
  for (int i = 0; i < engine->nrest; i++) brio_solver_set_weight(solver, engine->rests[i], REST_WEIGHT, REST_BLEND, NULL);
  for (int i = engine->robot->nvariable; i < engine->naxis; i++)
    brio_actuator_set_target(engine->parts.actuator, i, engine->home[i], NULL);
}

/* One more tick on the way to rest.  Return whether anything was told to move since the tick before: commands are
** those of the newest look at the motor side, which on the real clock does not wait for this tick. */
static bool step_to_rest(brio_engine *engine, double time, double dt) {
  double moved = 0;
  if (engine->anew) begin_anew(engine); /* before speeds are the scratch of this */
  for (int i = 0; i < engine->naxis; i++) engine->speeds[i] = engine->commands[i];
  double *before = engine->speeds;
  engine->anew = false;
  brio_solver_solve(engine->parts.solver, time, dt, &engine->solution);
  command(engine, dt, dt);
  for (int i = 0; i < engine->naxis; i++) moved = fmax(moved, fabs(engine->commands[i] - before[i]));
  return moved > STUCK;
}

/* Why the robot goes no farther to rest; "": it may. */
static const char *why_not_rest(const brio_engine *engine, double gone, double still) {
  brio_motor_report report = brio_motor_report_now(engine->motor);
  if (is_at_rest(engine)) return "there";
  if (!report.armed) return "disarmed";
  if (report.causes & ~(unsigned)(BRIO_MOTION_RESYNC | BRIO_MOTION_WAIT)) return "held"; /* those pass by themselves */
  return still >= LONGEST_STILL ? "blocked" : gone >= LONGEST_REST ? "late" : "";
}

/* Tick n of the way to rest begins, as a tick after the run's last on the tape; look at the motor side. */
static void begin_rest_tick(brio_engine *engine, int64_t n, double time) {
  brio_tape *tape = engine->parts.tape;
  if (tape) brio_tape_begin(tape, engine->report.ticks + n, time, 1);
  if (tape && !engine->lives) brio_motor_panics_taped(engine->motor, tape);
  engine->anew = look(engine) || engine->anew;
}

/* Whether the way goes on after a tick that commanded something: nobody interrupts it. */
static bool goes_on_to_rest(brio_engine *engine, bool goes_on) {
  const void *bytes;
  size_t length;
  brio_tape *tape = engine->parts.tape;
  if (!tape) return goes_on;
  brio_tape_digest(tape, digest(engine, brio_engine_period(engine)));
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
  if (!brio_tape_replays(tape)) stand_still(engine, n, wait, context);
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
  report->time = (double)engine->periods / engine->parts.rate; /* a sum of dt would drift */
  sense(engine);
  brio_stopwatch_end(watch, BRIO_STAGE_SENSE);
  bool goes_on = engine->parts.work(engine->parts.context, report->time, dt);
  brio_tracks_tick tick = {report->time, dt, engine->axes, engine->begun_anew, engine->parts.stage, engine->parts.context};
  brio_tracks_before(&engine->tracks, &tick);
  brio_stopwatch_end(watch, BRIO_STAGE_SCRIPTS);
  double motion = motion_time(engine, periods);
  if (engine->lives) motion = brio_tape_motion(engine->parts.tape, motion, brio_engine_period(engine));
  brio_reasons_before(&engine->reasons, report->ticks);
  solve(engine, motion);
  brio_tracks_after(&engine->tracks, &tick);
  brio_stopwatch_end(watch, BRIO_STAGE_SOLVE);
  command(engine, dt, engine->step);
  report->digest = digest(engine, engine->step);
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
    stages[i] = (brio_engine_stage){brio_stage_names[i], brio_histogram_at(times, 0.50), brio_histogram_at(times, 0.99),
                                    times->largest, watch->totals[i]};
  }
}

bool brio_engine_again(brio_engine *engine) {
  const void *bytes;
  size_t length;
  bool goes_on = brio_engine_tick(engine, 1);
  engine->slacks = engine->slacks || brio_tape_ask(engine->parts.tape, BRIO_CHANNEL_begin, &bytes, &length);
  if (engine->slacks) brio_engine_slack(engine, 0);
  brio_tape *tape = engine->parts.tape;
  bool rests = !goes_on && !brio_tape_is_loose(tape) && brio_tape_ask(tape, BRIO_CHANNEL_rest, &bytes, &length);
  if (rests) brio_engine_rest(engine, NULL, NULL);
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
