/* Shared by the files of the engine: engine.c (the tick) and engine_rest.c (going to rest after the last
** one). */
#ifndef BRIO_RUNTIME_ENGINE_INTERNAL_H
#define BRIO_RUNTIME_ENGINE_INTERNAL_H

#include "base/histogram.h"
#include "runtime/engine.h"
#include "runtime/motor/tape.h"
#include "runtime/reasons.h"
#include "runtime/seen.h"
#include "runtime/stages_internal.h"
#include "runtime/tape/tick.h"
#include "runtime/tracks.h"
#include "scene/frames.h"
#include "world/things/hand.h"

enum {
  BRIO_ENGINE_MOST_SEEN = 256, /* by devices */
  BRIO_ENGINE_MOST_DETECTIONS = BRIO_ENGINE_MOST_SEEN + 4 * BRIO_FEED_MOST,
};

/* The pose of the base that is in the store. */
typedef struct brio_base_record {
  double time, numbers[BRIO_BASE_NQ];
  bool any;
} brio_base_record;

struct brio_engine {
  brio_engine_parts parts;
  brio_motor *motor;
  double *home;              /* naxis: the pose of rest at the end; NULL: none */
  int *rests, nrest;         /* the objectives that lead it there */
  double *rest;              /* the solver's nq: where it begins again */
  bool anew;                 /* it has to */
  unsigned ignored;          /* a bit for each signal */
  bool begun_anew;           /* true: in this tick */
  /* the motor side has its own clock: its reports go on the tape */
  bool lives;
  bool slacks;               /* there is work between ticks */
  bool told_why;             /* the reason of the end is on the tape */
  brio_tracks tracks;
  brio_reasons reasons;
  brio_sightings sightings;
  const brio_robot *robot;
  brio_solution solution;
  brio_engine_report report;
  brio_histogram cpu;        /* us of CPU time, one a tick */
  const brio_tick_stage *stages[BRIO_ENGINE_STAGES]; /* nstage: those that this run needs, in their order */
  int nstage;
  brio_stopwatch watch;      /* of the stages; the slack is the one behind them */
  int64_t periods;           /* of robot time since the first tick */
  double late;               /* s: how late the current tick began */
  int64_t due;               /* ns of the monotonic clock: when the tick was due; 0: on the fast clock */
  double sampled;            /* s: the time of the newest sample */
  int solves, seen, bases;   /* indices of the store's tables */
  int naxis;
  const brio_actuator_axis *axes; /* naxis: the actuator's */
  int *frames;               /* nlink: the scene's handles, or BRIO_FRAME_WORLD */
  double *goals, *commands, *measured; /* naxis each: of this tick */
  double *speeds, *brakes;   /* naxis each: where the path ends; the acceleration with which each joint may
                             ** brake */
  double step;               /* s: of the pose that was solved last; 0: none */
  int windows;               /* its value in the motor side's status when a tick was last left out */
  bool roams;                /* the base moves */
  brio_base_record based;
  brio_state body;           /* the measured robot, as the world sees it */
  double *pose;              /* nq: the same as a configuration; NULL: there is no world */
  brio_detection detections[BRIO_ENGINE_MOST_DETECTIONS];
};

/* List the stages that this engine needs. */
void brio_engine_list_stages(brio_engine *engine);

/* Show the scene where the links are. */
void brio_engine_push_frames(brio_engine *engine);

/* The path of the joints does not continue as the poses did: the solver continues from the path's end. Return
** whether it starts again there, at rest. */
bool brio_engine_begin_anew(brio_engine *engine);

/* Read the motor side, through the tape on the real clock.  Return whether the solver has to continue from
** the path's end. */
bool brio_engine_see(brio_engine *engine);

/* Hand over the commands, and read the result within dt s. */
void brio_engine_command(brio_engine *engine, double dt, double motion);

/* The digest of a tick's commands: those handed over, and in lockstep those executed. */
uint64_t brio_engine_digest(const brio_engine *engine, double step);

/* The time of the commands that are visible in a tick: on the real clock that of the motor side's period they
** belong to.  Times of samples rise. */
double brio_engine_sample_time(brio_engine *engine, double time);

/* After a tick of a replay: go to rest and brake if the tape has that now. */
void brio_engine_rest_again(brio_engine *engine);

#endif
