/* The engine: set-up, end, and the queries of its state. The tick is in tick.c. All functions are for the
** script thread; set-up is the only place that allocates. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "runtime/engine_internal.h"

/* Declare a frame for each link.  A link called "world", as many models have it for their root, has none:
** that name is the scene's own. */
static bool declare_frames(brio_engine *engine, brio_error *err) {
  for (int i = 0; i < engine->robot->nlink; i++) {
    const char *name = engine->robot->links[i].name;
    /* The world's frame stands for the root of that name. */
    engine->frames[i] = BRIO_FRAME_WORLD;
    if (strcmp(name, "world") == 0) continue;
    engine->frames[i] = brio_scene_declare_frame(engine->parts.scene, name, err);
    if (engine->frames[i] < 0) return false;
  }
  return true;
}

/* Allocate the engine's arrays; one element more than needed, so that no size is 0. False: no memory, and
** brio_engine_free frees what there is. */
static bool take_memory(brio_engine *engine) {
  /* Per link, per axis, and one configuration. */
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

/* Bind the robot to the simulated world, if there is one, with a state of its own for the measured pose. */
static bool enter_world(brio_engine *engine, brio_error *err) {
  brio_world *world = engine->parts.world;
  if (!world) return true;
  engine->pose = calloc((size_t)engine->robot->nvariable + BRIO_BASE_NQ, sizeof *engine->pose);
  if (!engine->pose) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
  return brio_state_start(&engine->body, engine->robot, err) && brio_world_bind(world, engine->robot, err);
}

/* Copy the pose of rest: the caller may free its array. False: no memory. */
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
  /* One objective per joint, with its goal set and weight 0: going to rest only raises the weights. */
  for (int i = 0; i < engine->robot->nvariable; i++) {
    char key[96];
    /* Keys distinguish these from objectives of behaviors. */
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

/* Give the reserved slots back to the solver. */
static void end_rests(brio_engine *engine) {
  for (int i = 0; i < engine->nrest; i++) brio_solver_remove(engine->parts.solver, engine->rests[i]);
  free(engine->rests);
}

/* Limit the solver to what the motor side enforces: else the path could not follow its poses. */
static bool take_limits(brio_engine *engine, brio_error *err) {
  for (int i = 0; i < engine->robot->nvariable; i++) {
    const brio_axis *axis = &engine->axes[i].limits;
    const brio_variable *joint = &engine->robot->variables[i];
    /* NaN leaves a limit of the solver as it is. */
    bool slower = axis->velocity < joint->velocity, softer = axis->acceleration < joint->acceleration;
    brio_limits limits = {NAN, NAN, slower ? axis->velocity : NAN, softer ? axis->acceleration : NAN};
    if ((slower || softer) && !brio_solver_set_limits(engine->parts.solver, i, &limits, err)) return false;
  }
  return true;
}

/* Set everything up in the order of dependence. False: brio_engine_free frees what was done. */
static bool put_together(brio_engine *engine, brio_error *err) {
  engine->robot = brio_solver_robot(engine->parts.solver);
  engine->axes = brio_actuator_axes(engine->parts.actuator, &engine->naxis);
  /* Indices of tables are looked up once; then the state before the first tick. */
  engine->solves = brio_store_table_find("solves");
  engine->seen = brio_store_table_find("detections");
  engine->bases = brio_store_table_find("bases");
  engine->roams = engine->robot->base != BRIO_BASE_FIXED;
  engine->report.commands = BRIO_HASH_START;
  engine->report.why = engine->report.rest = "";
  engine->sampled = -1;
  if (engine->naxis < engine->robot->nvariable)
    return brio_fail(err, BRIO_MISUSE, "the actuator has %d axes, robot '%s' has %d variables", engine->naxis,
                     engine->robot->name, engine->robot->nvariable);
  /* Memory first, then the parts that need it; the tracks and reasons add to the solver. */
  if (!take_memory(engine) || !copy_home(engine))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
  if (!enter_world(engine, err) || !take_limits(engine, err) || !declare_frames(engine, err) ||
      !take_rests(engine, err))
    return false;
  /* The tracks add objectives to the solver; reasons and sightings write to the store. */
  if (!brio_tracks_start(&engine->tracks, engine->parts.player, engine->parts.solver, engine->axes,
                         engine->naxis, err))
    return false;
  if (!brio_reasons_start(&engine->reasons, engine->parts.solver, engine->parts.store, engine->parts.rate,
                          err))
    return false;
  brio_sightings_start(&engine->sightings, engine->parts.store);
  /* The scene knows the links' poses before the first script runs. */
  brio_engine_push_frames(engine);
  brio_engine_list_stages(engine);
  /* What the solver made feasible goes to the motor side as it is. */
  for (int i = 0; i < engine->robot->nvariable; i++) brio_actuator_slew(engine->parts.actuator, i, false);
  /* The motor side comes last: from here on the devices are in use.  Its options are the caller's, but for
  ** actuator, tree and robot. */
  brio_motor_options options = engine->parts.motor;
  options.actuator = engine->parts.actuator;
  options.tree = engine->robot->nvariable;
  options.robot = engine->robot;
  engine->motor = brio_motor_new(&options, err);
  if (engine->motor) brio_motor_brake_with(engine->motor, engine->brakes);
  engine->anew = true; /* devices stand where they were left, which is not where the solver was set up */
  return engine->motor != NULL;
}

brio_engine *brio_engine_new(const brio_engine_parts *parts, brio_error *err) {
  /* Negated, so that NaN is rejected, too. */
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
  /* The motor side first: its threads use the actuator and the devices. */
  brio_motor_free(engine->motor);
  /* Signals that the loop ignored end the process again. */
  for (int number = 1; number < 32; number++)
    if (engine->ignored >> number & 1) signal(number, SIG_DFL);
  /* What the parts hold in the solver goes back to it, as it outlives the engine. */
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

void brio_engine_ignore(brio_engine *engine, int number) {
  if (number > 0 && number < 32) engine->ignored |= 1u << number;
  signal(number, SIG_IGN);
}

void brio_engine_stop(brio_engine *engine, const char *why) {
  if (!engine->report.why[0]) engine->report.why = why;
}

double brio_engine_time(const brio_engine *engine) { return engine->report.time; }

const char *brio_engine_stopping(const brio_engine *engine) { return engine->report.why; }

brio_engine_report brio_engine_look(const brio_engine *engine) {
  /* Percentiles take a pass over the histogram, so they are computed here, not in the tick. */
  brio_engine_report report = engine->report;
  report.tick_p50 = brio_histogram_at(&engine->cpu, 0.50);
  report.tick_p99 = brio_histogram_at(&engine->cpu, 0.99);
  report.tick_max = engine->cpu.largest;
  return report;
}

int brio_engine_stages(const brio_engine *engine, brio_engine_stage stages[BRIO_ENGINE_STAGES]) {
  const brio_stopwatch *watch = &engine->watch;
  /* The slack is the entry behind the last stage. */
  for (int i = 0; i <= engine->nstage; i++) {
    const brio_histogram *times = &watch->times[i];
    const char *name = i < engine->nstage ? engine->stages[i]->name : "slack";
    stages[i] = (brio_engine_stage){name, brio_histogram_at(times, 0.50), brio_histogram_at(times, 0.99),
                                    times->largest, watch->totals[i]};
  }
  return engine->nstage + 1;
}

bool brio_engine_again(brio_engine *engine) {
  const void *bytes;
  size_t length;
  /* Work in the slack starts at the tick where the tape has `begin`, as it did in the run. */
  bool goes_on = brio_engine_tick(engine, 1);
  engine->slacks = engine->slacks || brio_tape_ask(engine->parts.tape, BRIO_CHANNEL_begin, &bytes, &length);
  if (engine->slacks) brio_engine_slack(engine, 0);
  /* On a loose tape (other behaviors) the noted way to rest does not apply. */
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
  /* Note on the tape, once, that work in the slack begins. */
  if (tape && !engine->slacks && !brio_tape_replays(tape)) brio_tape_note(tape, BRIO_CHANNEL_begin, NULL, 0);
  engine->slacks = true;
  if (engine->parts.idle) engine->parts.idle(engine->parts.context, budget_ns);
  brio_stopwatch_end(&engine->watch, engine->nstage);
  brio_stopwatch_count(&engine->watch, engine->nstage);
}
