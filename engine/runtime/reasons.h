/* Causes of motion, for the record: the active objectives with weight and goal; the pull of each at each
** joint that moves; and the pairs of bodies that are near each other.  Ten times a second, with rows for
** changes only. */
#ifndef BRIO_RUNTIME_REASONS_H
#define BRIO_RUNTIME_REASONS_H

#include "solver/solver.h"
#include "store/store.h"

enum { BRIO_REASONS_NEAR = 32 /* pairs that are followed at once */ };

/* A pair of bodies nearer than the margin of what keeps them apart. */
typedef struct brio_reasons_near {
  int bodies[2];
  int64_t id;           /* of its row; 0: the slot is free */
  double least, at;     /* m: the least distance so far; its time, s */
  double seen;          /* s: when it was last within the margin */
} brio_reasons_near;

typedef struct brio_reasons {
  brio_solver *solver;
  brio_store *store;    /* NULL: nothing is recorded */
  struct told_objective *objectives; /* one for each slot of the solver, and one for near bodies */
  struct told_joint *joints;         /* one for each variable */
  brio_reasons_near near[BRIO_REASONS_NEAR];
  int64_t made, pairs;  /* rows so far */
  int period;           /* ticks between two records */
  bool due;             /* this tick's solve is explained */
  int tables[5];
} brio_reasons;

/* Create it for `rate` ticks a second.  `store` may be NULL.  Errors: no_memory. */
bool brio_reasons_start(brio_reasons *reasons, brio_solver *solver, brio_store *store, double rate,
                        brio_error *err);
void brio_reasons_end(brio_reasons *reasons);

/* Parts of a tick: before the solve, which is explained in every `period`-th tick, and after it. */
void brio_reasons_before(brio_reasons *reasons, int64_t tick);
void brio_reasons_after(brio_reasons *reasons, double time);

/* At the end of the run: close the open rows. */
void brio_reasons_close(brio_reasons *reasons, double time);

#endif
