/* The speed that points of the robot may have, shared by the joints that carry them.  Not for use outside the
** solver room. */
#ifndef BRIO_SOLVER_PACE_H
#define BRIO_SOLVER_PACE_H

#include <stdbool.h>

#include "robot/robot.h"

typedef struct brio_pace {
  double tempo;      /* 1: as limits say; less: speeds by as much, what speeds up by its square */
  double speed;      /* m/s: the robot's point_speed, when the solver was made */
  const double *levers; /* the robot's; NULL: its points have no limit of their own */
  int *chain;        /* nlink: how many variables move the farthest part of what a link carries */
  double *used;      /* nlink: m/s, of the chain up to a link; then the most of what it carries */
  double *room;      /* nv: by how much a coordinate may speed up in this tick, per s */
} brio_pace;

struct brio_solver;

/* Make room, at tempo 1.  Return false when there is no memory. */
bool brio_pace_start(struct brio_solver *solver);

/* Get ready for a tick: share what is left of the speed of points. */
void brio_pace_begin(struct brio_solver *solver);

/* Narrow the interval [*least, *most] of variable coordinate `c` for a tick of dt. */
void brio_pace_narrow(const struct brio_solver *solver, int c, double dt, double *least, double *most);

#endif
