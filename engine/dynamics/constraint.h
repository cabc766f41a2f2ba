/* Forward dynamics of a robot that is held: feet on the ground, hands on a door, closed loops.
**
** A constraint holds a frame of a link where a frame of another link, or of the world, is: its origin
** alone (three rows), or its orientation, too (six).  The accelerations and the forces that hold solve
**     M du - J^T f = tau - h,     J du + dJ/dt u = wanted,
** where `wanted` pulls a gap to 0 if that is asked for.  Constraints may repeat each other (four feet on
** one ground, a loop closed twice): a proximal iteration then gives the least forces that hold, and for
** constraints that contradict each other the least error. Source: Carpentier, Budhiraja, Mansard,
** "Proximal and sparse resolution of constrained dynamic equations", 2021; Baumgarte, "Stabilization of
** constraints and integrals of motion in dynamical systems", 1972. */
#ifndef BRIO_DYNAMICS_CONSTRAINT_H
#define BRIO_DYNAMICS_CONSTRAINT_H

#include "dynamics/dynamics.h"

typedef struct brio_dynamics_constraint {
  int link;           /* what is held */
  brio_pose on_link;  /* link_from_frame */
  int other;          /* what holds it: a link, or -1: the world */
  brio_pose on_other; /* the frame it is held to: in that link, or in the world */
  bool rigid;         /* orientation, too: six rows, else three */
  double stiffness;   /* 1/s^2, >= 0: a gap is pulled to 0 by -stiffness gap ... */
  double damping;     /* 1/s, >= 0: ... - damping d(gap)/dt; 0 and 0: accelerations alone are held */
} brio_dynamics_constraint;

/* Write what closes the loops of a robot's file as constraints (robot->nloop, in its order; NULL: nothing),
** each pulled to 0 by `stiffness` and `damping`, and return their rows: 3 for a point, 6 for a pose. */
int brio_dynamics_loops(const brio_robot *robot, double stiffness, double damping,
                        brio_dynamics_constraint *list);

/* A workspace for constraints of up to `nmax` rows, of one thread. */
typedef struct brio_dynamics_constraints {
  int nmax;        /* rows, at most */
  double proximal; /* weight of the iteration, of the largest diagonal of J M^-1 J^T: 1e-6 */
  int niteration;  /* at most: 20 */
  /* of the last solution */
  int nrow;        /* rows of all constraints */
  int iterations;  /* done; 1: not redundant */
  double residual; /* greatest |J du + dJ/dt u - wanted|, m/s^2 or rad/s^2; an impact: m/s or rad/s */
  struct brio_dynamics_constraint_work *work;
  brio_arena arena;
} brio_dynamics_constraints;

/* Make a workspace for `dynamics`.  Errors: no_memory; misuse (nmax below 1). */
bool brio_dynamics_constraints_start(brio_dynamics_constraints *constraints, const brio_dynamics *dynamics,
                                     int nmax, brio_error *err);

/* Free its memory. */
void brio_dynamics_constraints_end(brio_dynamics_constraints *constraints);

/* Write the acceleration `du` (nv) of configuration `q` at velocity `u` (NULL: 0) under the forces `tau`
** (NULL: 0) and what holds, and into `forces` (rows of all constraints in turn: force N, then where rigid
** moment N m, on the link at its frame's origin, world axes; the other link gets the opposite).  Errors:
** those of brio_dynamics_forward; misuse (more rows than nmax; no link of that number; a stiffness or
** damping that is not a finite number of at least 0). */
bool brio_dynamics_constrained(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                               const brio_dynamics_constraint *list, int count, const double *q,
                               const double *u, const double *tau, double *du, double *forces,
                               brio_error *err);

/* Write the velocity `after` (nv) with which the robot leaves when constraints begin to hold at once, as
** when a foot strikes the ground and stays: J after = 0, and into `impulses` (rows as above, N s and N m
** s) what that takes.  Errors: as above. */
bool brio_dynamics_impact(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                          const brio_dynamics_constraint *list, int count, const double *q, const double *u,
                          double *after, double *impulses, brio_error *err);

/* How the results of brio_dynamics_constrained change: by the configuration (tangent, as in derivative.h),
** the velocity and the forces. */
typedef struct brio_dynamics_constrained_slopes {
  double *du_by_q, *du_by_u, *du_by_tau;             /* nv x nv */
  double *forces_by_q, *forces_by_u, *forces_by_tau; /* rows x nv */
} brio_dynamics_constrained_slopes;

/* Write `du` and `forces` as brio_dynamics_constrained does, and how they change into the six arrays of
** `out`. Where constraints repeat each other, the slopes of forces are the least ones.  Errors: as above. */
bool brio_dynamics_constrained_derivatives(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                                           const brio_dynamics_constraint *list, int count, const double *q,
                                           const double *u, const double *tau, double *du, double *forces,
                                           const brio_dynamics_constrained_slopes *out, brio_error *err);

/* Write `after` and `impulses` as brio_dynamics_impact does, and how they change into the six arrays of
** `out`: du stands for the velocity after, forces for the impulses, and tau for an impulse of torques.
** Errors: as above. */
bool brio_dynamics_impact_derivatives(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                                      const brio_dynamics_constraint *list, int count, const double *q,
                                      const double *u, double *after, double *impulses,
                                      const brio_dynamics_constrained_slopes *out, brio_error *err);

#endif
