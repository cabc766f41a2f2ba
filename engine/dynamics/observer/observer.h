/* A momentum observer: which forces act on a robot from outside, from torques and motion alone, without
** force sensors and without accelerations.
**
** The generalized momentum p = M u changes by all that acts:  dp/dt = tau + C^T u - g + tau_ext.  What is
** known is integrated, and the residual r takes up the rest,
**     r = K (p - p(0) - int (tau + C^T u - g + r) dt),   so   dr/dt = K (tau_ext - r):
** a low-pass of the external torques with the time constant 1 / K.  From one update to the next that
** equation is solved exactly for the mean of tau_ext between them,
**     r += (1 - exp(-K dt)) ((p - p') / dt - mean(tau + C^T u - g) - r),
** so it is stable for any K dt, and steps may differ.  The mean is that of both ends (trapezoidal rule).
** Sources: De Luca, Mattone, "Actuator failure detection and isolation using generalized momenta", 2003;
** "Sensorless robot collision detection and hybrid force/motion control", 2005; Haddadin, De Luca,
** Albu-Schaeffer, "Robot collisions: a survey on detection, isolation, and identification", 2017.
**
** Vectors are those of dynamics.h.  `tau` has all that is known to act on the variables: motors, and where
** they matter springs and dampers (brio_dynamics_passive) and friction; what is left out shows in r.  On a
** free base its first six are known wrenches there (feet: J^T f), and r has those that are not, the ground's
** among them.  On a fixed base they are not read, and r has 0 there.
**
** An observer uses the workspace that it was made for, in the same thread.  After set-up nothing here
** allocates.  Units are SI. */
#ifndef BRIO_DYNAMICS_OBSERVER_OBSERVER_H
#define BRIO_DYNAMICS_OBSERVER_OBSERVER_H

#include "dynamics/dynamics.h"

typedef struct brio_observer_options {
  double gain;    /* K, 1/s, above 0: r reaches 63 % of a step of force after 1 / K */
  bool held;      /* tau of an update has acted, the same, since the update before it, as a command that
                  ** is held does; else it is that of the moment, as a sensor gives it */
  double max_gap; /* s, above 0: a longer time between updates is a gap (see brio_observer_update) */
  const double *thresholds; /* nvariable; N m, or N for a slide; above 0; INFINITY: that variable is not
                            ** watched; NULL: none is.  Copied */
  double filter;  /* s, >= 0: time constant of a low-pass of r, for the comparison with thresholds alone */
  double time;    /* s, >= 0: how long a threshold must be exceeded, without a break, for a collision */
  double release; /* above 0, <= 1: a collision ends below this share of the threshold */
} brio_observer_options;

/* K = 25 1/s, max_gap 0.1 s, no thresholds, filter and time 0, release 0.7. */
brio_observer_options brio_observer_default_options(void);

typedef struct brio_observer {
  brio_dynamics *dynamics;
  brio_observer_options options; /* its thresholds are the observer's own */
  const double *residual;        /* nv: r, N and N m */
  int gaps;                      /* how many there were */
  struct brio_observer_private *work;
  brio_arena arena;
} brio_observer;

/* Make an observer on a workspace, which must outlive it.  Errors: no_memory; misuse (an option out of its
** range, named). */
bool brio_observer_start(brio_observer *observer, brio_dynamics *dynamics,
                         const brio_observer_options *options, brio_error *err);

/* Free its memory. */
void brio_observer_end(brio_observer *observer);

/* Forget everything: r is 0, and the next update begins again. */
void brio_observer_reset(brio_observer *observer);

/* Take in configuration `q` (nq), velocity `u` (nv) and the forces `tau` (nv; NULL: 0), `dt` seconds after
** the update before; in the first one `dt` does not count.  After a gap the observer begins again: r, what is
** filtered and all collisions are 0, as nobody knows what acted in between.  Errors: misuse (a number that is
** not finite or not below 1e100, named; a dt that is not above 0; a motion whose momentum is not below
** 1e100), which change nothing.  O(joints) */
bool brio_observer_update(brio_observer *observer, const double *q, const double *u, const double *tau,
                          double dt, brio_error *err);

/* A variable whose external torque is above its threshold. */
typedef struct brio_observer_collision {
  int variable;
  double torque;    /* N m, or N: filtered, with its sign: what the outside does */
  double threshold; /* N m, or N */
  double since;     /* s: for how long it has been reported */
  int link;         /* what the variable's joint carries: the force acts there or farther out */
  bool outermost;   /* no other variable farther out on the same branch is above its threshold */
} brio_observer_collision;

/* Write the collisions now, by variable (room for nvariable), and return how many. */
int brio_observer_collisions(const brio_observer *observer, brio_observer_collision *list);

/* A wrench that explains the residual. */
typedef struct brio_observer_wrench {
  double wrench[6]; /* N and N m, at the point, world axes */
  int rank;         /* how many of its directions the robot's joints can feel; in the others it is 0 */
  double misfit;    /* N m: length of what it leaves of r; large where something acts elsewhere */
} brio_observer_wrench;

/* Estimate what acts on `link` at `point` (link's frame) in the configuration of the last update, if nothing
** acts elsewhere: the least w that minimizes |J^T w - r|, with J the Jacobian of the point: its linear rows
** alone where `rows` is 3 (a contact without a moment), all where it is 6.  Directions whose singular value
** is below a thousandth of the largest count as not felt; in these 1 N m counts as 1 N.  Errors: misuse (no
** such link; other rows; a point that is not finite; no update yet).  O(joints) */
bool brio_observer_wrench_at(brio_observer *observer, int link, brio_vec3 point, int rows,
                             brio_observer_wrench *out, brio_error *err);

/* Write the standard deviation of r (nv) that white noise of the measured velocities (`of_u`, nv; NULL: 0)
** and forces (`of_tau`, nv; NULL: 0) makes, at rest in configuration `q` with steps of `dt`:
**     var r_i = 2 ((1 - a) / dt)^2 / (1 + a) sum over k of (M_ik of_u_k)^2 + c of_tau_i^2,  a = exp(-K dt),
**     c = (1 - a) / 2, or (1 - a) / (1 + a) where tau is held.
** A threshold of six times that and above the error of the model is not exceeded by noise. */
void brio_observer_noise(const brio_observer *observer, const double *q, const double *of_u,
                         const double *of_tau, double dt, double *out);

#endif
