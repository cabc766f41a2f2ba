/* Why the robot moves, for the record: which objectives count, with which weight and goal; how hard each
** pulls at each joint that moves; and which bodies are near each other.  Ten times a second, and rows only of
** what changed. */
#ifndef BRIO_RUNTIME_REASONS_H
#define BRIO_RUNTIME_REASONS_H

#include "solver/solver.h"
#include "store/store.h"

enum { BRIO_REASONS_NEAR = 32 /* pairs that are followed at once */ };

/* A pair of bodies nearer than the margin of what keeps them apart. */
typedef struct brio_reasons_near {
  int bodies[2];
  int64_t id;           /* of its row; 0: the place is free */
  double least, at;     /* m: the least distance so far; when, s */
  double seen;          /* s: when it was within the margin last */
} brio_reasons_near;

typedef struct brio_reasons {
  brio_solver *solver;
  brio_store *store;    /* NULL: nothing is recorded */
  struct told_objective *objectives; /* a place for each slot, and one for near bodies */
  struct told_joint *joints;         /* a place for each variable */
  brio_reasons_near near[BRIO_REASONS_NEAR];
  int64_t made, pairs;  /* rows so far */
  int period;           /* ticks from one look to the next */
  bool due;             /* this tick's solve is explained */
  int tables[5];
} brio_reasons;

/* Put it together, for `rate` ticks a second.  `store` may be NULL.  Errors: no_memory. */
bool brio_reasons_start(brio_reasons *reasons, brio_solver *solver, brio_store *store, double rate,
                        brio_error *err);
void brio_reasons_end(brio_reasons *reasons);

/* A tick's parts: before the solve, which is explained in every `period`-th tick, and after it. */
void brio_reasons_before(brio_reasons *reasons, int64_t tick);
void brio_reasons_after(brio_reasons *reasons, double time);

/* The run is over: end what goes on. */
void brio_reasons_close(brio_reasons *reasons, double time);

#endif
