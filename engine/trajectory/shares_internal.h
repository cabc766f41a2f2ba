/* Arguments that several terms share: a factor of each variable, and one of the base's six entries.  Not for
** other rooms. */
#ifndef BRIO_TRAJECTORY_SHARES_INTERNAL_H
#define BRIO_TRAJECTORY_SHARES_INTERNAL_H

#include "trajectory/term.h"

typedef struct brio_trajectory_shares {
  double *share; /* by velocity number; NULL: 1 */
  double base;   /* of the base's six */
} brio_trajectory_shares;

static const brio_trajectory_param brio_trajectory_share_params[] = {
    {.name = "share",
     .unit = "1",
     .doc = "factor of each variable; 1 unless given",
     .type = BRIO_TRAJECTORY_JOINTS,
     .offset = offsetof(brio_trajectory_shares, share),
     .fallback = 1,
     .upper = 1e6},
    {.name = "base",
     .unit = "1",
     .doc = "factor of the base",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(brio_trajectory_shares, base),
     .fallback = 1,
     .upper = 1e6},
    {.name = NULL},
};

/* Return the factor of velocity number `v`. */
static inline double brio_trajectory_share(const brio_trajectory_shares *own, int v) {
  return v < BRIO_BASE_NV ? own->base : own->share ? own->share[v] : 1;
}

/* Return the number of rows: one for each degree of freedom. */
static inline int brio_trajectory_dof_rows(const void *self, const brio_trajectory *t,
                                           const brio_trajectory_phase *phase) {
  (void)self, (void)phase;
  return t->ndof;
}

#endif
