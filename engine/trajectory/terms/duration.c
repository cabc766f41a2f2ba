/* Deviation of a phase's stretch from `nominal`: r = stretch - nominal.  With nominal = 0 the square of the
** stretch is minimized: minimum time. */
#include "trajectory/term.h"

typedef struct duration {
  double nominal;
} duration;

static const brio_trajectory_param params[] = {
    {.name = "nominal",
     .unit = "1",
     .doc = "stretch that costs nothing",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(duration, nominal),
     .fallback = 1,
     .upper = 1e3},
    {.name = NULL},
};

/* One row, or none where no phase may stretch. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)phase;
  return t->nstretch;
}

/* A deviation that is linear in z: its slope is 1. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const duration *own = self;
  if (!at->trajectory->nstretch) return;
  r[0] = at->stretch - own->nominal;
  if (slopes) slopes[brio_trajectory_s_column(at->trajectory)] = 1;
}

const brio_trajectory_term_kind brio_trajectory_term_duration = {
    .name = "duration",
    .doc = "How much a phase is stretched.",
    .example = "{ nominal = 0 }",
    .params = params,
    .size = sizeof(duration),
    .cost = true,
    .rows = rows,
    .evaluate = evaluate,
};
