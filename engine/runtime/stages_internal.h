/* Timing of a tick: each reading of the clock ends one stage and begins the next.  Of the engine alone. */
#ifndef BRIO_RUNTIME_STAGES_INTERNAL_H
#define BRIO_RUNTIME_STAGES_INTERNAL_H

#include "base/clock.h"
#include "base/histogram.h"
#include "runtime/engine.h"

enum {
  BRIO_STAGE_SENSE,
  BRIO_STAGE_SCRIPTS,
  BRIO_STAGE_SOLVE,
  BRIO_STAGE_COMMAND,
  BRIO_STAGE_RECORD,
  BRIO_STAGE_SLACK
};

static const char *const brio_stage_names[BRIO_ENGINE_STAGES] = {"sense",   "scripts", "solve",
                                                                 "command", "record",  "slack"};

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
