/* Timing of a tick: each reading of the clock ends one stage and begins the next.  Of the engine alone. */
#ifndef BRIO_RUNTIME_STAGES_INTERNAL_H
#define BRIO_RUNTIME_STAGES_INTERNAL_H

#include "base/clock.h"
#include "base/histogram.h"
#include "runtime/engine.h"

/* One tick, while it runs (tick.c). */
typedef struct brio_tick_state brio_tick_state;

/* A stage of the tick. */
typedef struct brio_tick_stage {
  const char *name;
  void (*work)(brio_engine *engine, brio_tick_state *tick);
  bool (*needs)(const brio_engine *engine); /* whether an engine has it in its list; NULL: each has */
} brio_tick_stage;

typedef struct brio_stopwatch {
  int64_t last;                             /* ns: the last reading */
  double us[BRIO_ENGINE_STAGES];            /* of the current tick */
  brio_histogram times[BRIO_ENGINE_STAGES]; /* us */
  double totals[BRIO_ENGINE_STAGES];        /* us */
} brio_stopwatch;

/* End the current stage. */
static inline void brio_stopwatch_end(brio_stopwatch *watch, int stage) {
  int64_t now = brio_clock_thread_cpu();
  watch->us[stage] = (double)(now - watch->last) * 1e-3;
  watch->last = now;
}

/* Add the times of this tick to the statistics of the stage. */
static inline void brio_stopwatch_count(brio_stopwatch *watch, int stage) {
  brio_histogram_add(&watch->times[stage], watch->us[stage]);
  watch->totals[stage] += watch->us[stage];
}

#endif
