/* The engine: the tick that turns what is sensed and wanted into one feasible command, and
** the loop that keeps its time.
**
** Each tick, in this order: look at what the motor side reports; take detections into the scene; let
** the scripts work, and what is played is combined (runtime/tracks.h); solve; hand the command over; record.
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

/* What the scripts do in a tick.  Return false when the run is over (power-off is done). */
typedef bool (*brio_engine_work)(void *context, double time, double dt);

/* What is done in the slack after a tick: at most `budget_ns`. */
typedef void (*brio_engine_idle)(void *context, int64_t budget_ns);

/* What a stage of the scripts' own does in the combination of tracks (motion/combine.h). */
typedef void (*brio_engine_stage_work)(void *context, int stage);

/* What an engine is put together from.  All of it must outlive the engine. */
typedef struct brio_engine_parts {
  brio_solver *solver;
  brio_scene *scene;
  brio_actuator *actuator; /* its first axes are the robot's variables, in order */
  brio_feeds *feeds;       /* detections of other programs; NULL: none */
  brio_store *store;       /* NULL: nothing is recorded */
  brio_tape *tape;         /* of what comes in from outside; NULL: none */
  brio_player *player;     /* NULL: there are no tracks; its DOFs are the actuator's axes */
  brio_world *world;       /* that the robot's hands reach into; NULL: none */
  /* of the motor side, which the engine makes: its actuator and tree are filled in */
  brio_motor_options motor;
  double rate;             /* ticks a second */
  /* copied: a value for every axis, where the robot goes at the end of a run; NULL: nowhere */
  const double *rest;
  brio_engine_work work;
  brio_engine_idle idle;   /* may be NULL */
  brio_engine_stage_work stage; /* may be NULL */
  void *context;           /* for work, idle and stage */
} brio_engine_parts;

/* How a run went so far.  Times in us are measured. */
typedef struct brio_engine_report {
  int64_t ticks, late_ticks;      /* late: began more than half a period late */
  double time;                    /* s of robot time */
  double tick_p50, tick_p99, tick_max; /* us of CPU time */
  double first_tick;              /* s of the monotonic clock at the first tick; 0: none yet */
  uint64_t commands;              /* digest of every command */
  uint64_t digest;                /* of what the newest tick commanded, to the bit */
  const char *why;                /* why it stops: "" while it runs, "time", "signal", ... */
  /* "": it was not to go to rest; "there"; or why it is not: "disarmed", "held", "blocked" (nothing moved
  ** any more), "interrupted", "late" */
  const char *rest;
} brio_engine_report;

/* The most stages of a tick, with the slack: what is done after it (callbacks for idle time, the collector of
** garbage, the loop itself). */
enum { BRIO_ENGINE_STAGES = 6 };

/* What a stage took so far, in us of the thread's CPU time, and in all. */
typedef struct brio_engine_stage {
  const char *name;            /* "sense", "scripts", "solve", "command", "record", "slack" */
  double p50, p99, max, total; /* us */
} brio_engine_stage;

/* Put an engine together.  Errors: misuse, no_memory. */
brio_engine *brio_engine_new(const brio_engine_parts *parts, brio_error *err);
void brio_engine_free(brio_engine *engine);

/* Do one tick, `periods` (1, or more after missed ones) periods of the tick's rate after the
** last.  False: the run is over. */
bool brio_engine_tick(brio_engine *engine, int periods);

/* Tick until the scripts say it is over.  After `seconds` (0: never) or at an interrupt the
** engine asks them to stop; a second interrupt ends the run at once.  Either way the joints come to rest
** first. `fast`: as quickly as the machine allows.  Signals that ask for an end are ignored from then on,
** until the engine is freed, so that what the run leaves behind is whole.  Errors: limit, io (no timer, no
** loop). */
bool brio_engine_run(brio_engine *engine, double seconds, bool fast, brio_error *err);

/* Used by the loop, at the end: go to rest where the parts say, led by the solver, which goes round what is
** in the way, for at most 10 s, and no farther when nothing moves any more; samples of the way are recorded;
** not when nothing is armed, or something holds the robot.  `wait` lets a period pass on the real clock
** (NULL: on the fast one), and returns false when somebody asks for the end meanwhile: then it goes there no
** farther.  Last, whatever moves is brought to rest. */
void brio_engine_rest(brio_engine *engine, bool (*wait)(void *context, double seconds), void *context);

/* Used by the loop: that signal is ignored until the engine is freed. */
void brio_engine_ignore(brio_engine *engine, int number);

/* Ask for the end: `why` is "time", "signal", "script"...; the first reason counts. */
void brio_engine_stop(brio_engine *engine, const char *why);

/* Whether, and why, the run should end: "" while it should not. */
const char *brio_engine_stopping(const brio_engine *engine);

/* How the run went so far. */
brio_engine_report brio_engine_look(const brio_engine *engine);

/* Where the time went so far: the stages that this engine needs, in their order, and the slack.  Return their
** number. */
int brio_engine_stages(const brio_engine *engine, brio_engine_stage stages[BRIO_ENGINE_STAGES]);

/* Do a tick of a tape that is read back, and what was done in the slack after it.  False: the run is over. */
bool brio_engine_again(brio_engine *engine);

/* Its tape; NULL: none. */
brio_tape *brio_engine_tape(const brio_engine *engine);

/* Whether what is seen of the motor side goes on the tape: known from the first tick on. */
bool brio_engine_lives(const brio_engine *engine);

/* The motor side. */
brio_motor *brio_engine_motor(const brio_engine *engine);

/* The last solution. */
const brio_solution *brio_engine_solution(const brio_engine *engine);

/* Used by the loop: note that a tick began `late` seconds late, and that what it carries was due at `due` (ns
** of the monotonic clock); and hand over slack. */
void brio_engine_note_late(brio_engine *engine, double late, int64_t due);
void brio_engine_slack(brio_engine *engine, int64_t budget_ns);
double brio_engine_period(const brio_engine *engine);

#endif
