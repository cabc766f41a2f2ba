/* What the files of the momentum observer share.  Not for other rooms. */
#ifndef BRIO_DYNAMICS_OBSERVER_OBSERVER_INTERNAL_H
#define BRIO_DYNAMICS_OBSERVER_OBSERVER_INTERNAL_H

#include "dynamics/dynamics_internal.h"
#include "dynamics/observer/observer.h"
#include "math/lowpass.h"

/* What is known of one variable's threshold.  Invariant: what is not hit has since == 0. */
typedef struct brio_observer_watch {
  brio_lowpass filter;
  double torque;       /* filtered */
  double above, since; /* s: exceeded without a break; reported */
  bool hit;
  bool outermost; /* of the last list */
} brio_observer_watch;

struct brio_observer_private {
  bool begun;                   /* there was an update */
  int now;                      /* which of two is the last update's; the other is that before */
  double *momentum[2];          /* nv: p */
  double *rate[2];              /* nv: C^T u - g, and tau where it is that of the moment */
  double *residual;             /* nv */
  double *q;                    /* nq, of the last update */
  double *rows;                 /* 6 x nv: a Jacobian */
  double *left;                 /* nv: what a wrench leaves of the residual */
  brio_observer_watch *watches; /* nvariable */
};

#endif
