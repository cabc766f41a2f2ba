/* The engine: the tick that computes one feasible command from sensor data and objectives, and
** the loop that keeps its time.
**
** Each tick, in this order: read the reports of the motor side; add detections to the scene; run the
** scripts, and combine the sequences that play (runtime/tracks.h); solve; hand the command over; record.
** With the real clock the motor side has threads of its own (runtime/motor/motor.h).  With the fast clock the
** same tick is stepped as quickly as the machine allows, in lockstep with the motor side and the
** simulator. */
#ifndef BRIO_RUNTIME_ENGINE_H
#define BRIO_RUNTIME_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/actuator/actuator.h"
#include "feed/feeds.h"
#include "motion/player/player.h"
#include "runtime/motor/motor.h"
#include "runtime/tape/tape.h"
#include "scene/scene.h"
#include "solver/solver.h"
#include "store/store.h"
#include "world/world.h"

typedef struct brio_engine brio_engine;

/* The scripts' part of a tick.  Return false when the run has ended (power-off is complete). */
typedef bool (*brio_engine_work)(void *context, double time, double dt);

/* Work in the slack after a tick: at most `budget_ns`. */
typedef void (*brio_engine_idle)(void *context, int64_t budget_ns);

/* The scripts' stage in the combination of tracks (motion/combine.h). */
typedef void (*brio_engine_stage_work)(void *context, int stage);

/* The parts of an engine.  All of them must outlive it. */
typedef struct brio_engine_parts {
  brio_solver *solver;
  brio_scene *scene;
  brio_actuator *actuator; /* its first axes are the robot's variables, in order */
  brio_feeds *feeds;       /* detections of other programs; NULL: none */
  brio_store *store;       /* NULL: nothing is recorded */
  brio_tape *tape;         /* the tape of inputs; NULL: none */
  brio_player *player;     /* NULL: there are no tracks; its DOFs are the actuator's axes */
  brio_world *world;       /* the world that the robot's hands reach into; NULL: none */
  /* of the motor side, which the engine creates: its actuator and tree are set by the engine */
  brio_motor_options motor;
  double rate;             /* ticks a second */
  /* copied: a value for every axis, the pose of rest at the end of a run; NULL: none */
  const double *rest;
  brio_engine_work work;
  brio_engine_idle idle;   /* may be NULL */
  brio_engine_stage_work stage; /* may be NULL */
  void *context;           /* for work, idle and stage */
} brio_engine_parts;

/* Statistics of a run.  Times in us are measured. */
typedef struct brio_engine_report {
  int64_t ticks, late_ticks;      /* late: began more than half a period late */
  double time;                    /* s of robot time */
  double tick_p50, tick_p99, tick_max; /* us of CPU time */
  double first_tick;              /* s of the monotonic clock at the first tick; 0: none yet */
  uint64_t commands;              /* digest of every command */
  uint64_t digest;                /* of the commands of the newest tick, exact */
  const char *why;                /* why it stops: "" while it runs, "time", "signal", ... */
  const char *
      rest; /* result of going to rest: "" (not requested), "there", or why it failed: "disarmed", "held",
            ** "blocked" (nothing moved), "interrupted", "late" */
} brio_engine_report;

/* The stages of a tick, in order.  The slack is the work after it (idle callbacks, the garbage collector, the
** loop itself). */
enum { BRIO_ENGINE_STAGES = 6 };

/* Time of a stage so far, in us of the thread's CPU time, and the total. */
typedef struct brio_engine_stage {
  const char *name;            /* "sense", "scripts", "solve", "command", "record", "slack" */
  double p50, p99, max, total; /* us */
} brio_engine_stage;

/* Create an engine.  Errors: misuse, no_memory. */
brio_engine *brio_engine_new(const brio_engine_parts *parts, brio_error *err);
void brio_engine_free(brio_engine *engine);

/* Do one tick, `periods` (1, or more after missed ones) periods of the tick's rate after the last. Return
** false when the run has ended. */
bool brio_engine_tick(brio_engine *engine, int periods);

/* Tick until the scripts end the run. After `seconds` (0: never) or at an interrupt it requests their end; a
** second interrupt ends the run at once. In both cases the joints come to rest first. `fast`: as quickly as
** the machine allows. Signals that request an end are ignored from then on, until the engine is freed, so
** that the recording is complete. Errors: limit, io (no timer, no loop). */
bool brio_engine_run(brio_engine *engine, double seconds, bool fast, brio_error *err);

/* Used by the loop, at the end: go to the pose of rest, led by the solver round obstacles. It takes at most
** 10 s and stops when nothing moves; its samples are recorded. Nothing is done when the robot is not armed,
** or held. `wait` lets a period pass on the real clock (NULL: on the fast one). It returns false when an end
** is requested meanwhile; then the robot stops there. Finally, all joints are brought to rest. */
void brio_engine_rest(brio_engine *engine, bool (*wait)(void *context, double seconds), void *context);

/* Used by the loop: ignore that signal until the engine is freed. */
void brio_engine_ignore(brio_engine *engine, int number);

/* Request the end: `why` is "time", "signal", "script"...; the first reason counts. */
void brio_engine_stop(brio_engine *engine, const char *why);

/* The reason why the run should end; "": none. */
const char *brio_engine_stopping(const brio_engine *engine);

/* The time of the newest tick, s. */
double brio_engine_time(const brio_engine *engine);

/* The statistics of the run so far.  It takes percentiles: not for every tick. */
brio_engine_report brio_engine_look(const brio_engine *engine);

/* Where the time went so far: the stages that this engine needs, in their order, and the slack.  Return their
** number. */
int brio_engine_stages(const brio_engine *engine, brio_engine_stage stages[BRIO_ENGINE_STAGES]);

/* Replay a tick of the tape, and the work in the slack after it.  Return false when the run has ended. */
bool brio_engine_again(brio_engine *engine);

/* Its tape; NULL: none. */
brio_tape *brio_engine_tape(const brio_engine *engine);

/* Whether reports of the motor side are noted on the tape: known from the first tick on. */
bool brio_engine_lives(const brio_engine *engine);

/* The motor side. */
brio_motor *brio_engine_motor(const brio_engine *engine);

/* The last solution. */
const brio_solution *brio_engine_solution(const brio_engine *engine);

/* Used by the loop: note that a tick began `late` seconds late, and when its commands were due: `due` (ns of
** the monotonic clock); then give slack. */
void brio_engine_note_late(brio_engine *engine, double late, int64_t due);
void brio_engine_slack(brio_engine *engine, int64_t budget_ns);
double brio_engine_period(const brio_engine *engine);

#endif
