/* Balance as a constraint: no step is taken from which the robot could not stop with its centre of mass above
** the area that carries it, and on the way with its zero moment point inside it, too.  Private to the solver
** room; the way of a step is that of the guard (collision/guard.h).
**
** The zero moment point is that of the links' masses as points, by differences of the poses at ticks:
**     p = sum m ((z'' + g) (x, y) - (z - ground) (x, y)'') / sum m (z'' + g). */
#ifndef BRIO_SOLVER_LIMITS_BALANCE_H
#define BRIO_SOLVER_LIMITS_BALANCE_H

#include "solver/terms/support.h"

/* Invariant: what counts as inside, `least`, is no more than where the centre of mass is at the beginning of
** a way: one that is outside already may not go farther out. */
typedef struct brio_balance {
  brio_support support;
  double margin;                       /* m */
  bool moving;                         /* the zero moment point counts, too */
  double least[BRIO_SUPPORT_EDGES];    /* m: inside of each edge, on the present way */
  double *levers;                      /* nv: m by which the centre of mass moves at most, for each unit */
} brio_balance;

struct brio_solver;

/* Whether the way of the trial keeps the balance.  O(ticks of braking x links) at most. */
bool brio_balance_keeps(struct brio_solver *solver);

#endif
