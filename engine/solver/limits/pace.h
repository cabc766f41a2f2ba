/* The speed limit of points of the robot, shared by the joints that carry them.  Private to the solver
** room. */
#ifndef BRIO_SOLVER_LIMITS_PACE_H
#define BRIO_SOLVER_LIMITS_PACE_H

#include <stdbool.h>

#include "robot/robot.h"

typedef struct brio_pace {
  double tempo;      /* 1: the limits; less: speeds are scaled by it, accelerations by its square */
  double speed;      /* m/s: the robot's point_speed, when the solver was made */
  const double *levers; /* the robot's; NULL: its points have no limit */
  int *chain;        /* nlink: number of variables that move the farthest part of what a link carries */
  double *used;      /* nlink: m/s, of the chain up to a link; then the most of what it carries */
  double *room;      /* nv: the most that a coordinate may accelerate in this tick, per s */
} brio_pace;

struct brio_solver;

/* Allocate, at tempo 1.  Return false when there is no memory. */
bool brio_pace_start(struct brio_solver *solver);

/* Prepare a tick: distribute the speed of points. */
void brio_pace_begin(struct brio_solver *solver);

/* Narrow the interval [*least, *most] of variable coordinate `c` for a tick of dt. */
void brio_pace_narrow(const struct brio_solver *solver, int c, double dt, double *least, double *most);

#endif
