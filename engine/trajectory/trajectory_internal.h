/* What the files of trajectories share.  Not for other rooms. */
#ifndef BRIO_TRAJECTORY_INTERNAL_H
#define BRIO_TRAJECTORY_INTERNAL_H

#include "trajectory/scheme.h"
#include "trajectory/term.h"

/* What holds in a phase: its contacts, then the loops. */
typedef struct brio_trajectory_hold {
  const brio_dynamics_constraint *list;
  int count, rows;
} brio_trajectory_hold;

struct brio_trajectory_private {
  brio_trajectory_term *terms;
  brio_trajectory_hold *holds;   /* nphase */
  double *spring, *rest;         /* nvariable: stiffness of springs, and the torque at 0 */
  double *tau;                   /* nv: torques of motors and springs */
  double *slopes[6];             /* du_by_q, du_by_u, du_by_tau, forces_by_q, forces_by_u, forces_by_tau */
  double *rates, *frame, *range; /* of frames.c */
  double *after, *moved;         /* of join.c: nv and rows; nq */
  double *rows, *row_slopes;     /* of a term: most rows, most rows x nz */
  int most_rows;                 /* of a term */
};

/* Return the numbers of the longest vector that schemes keep of a point between nodes. */
int brio_trajectory_most(const brio_trajectory *trajectory);

/* Write accelerations (nv) and forces of a point of a phase, and unless NULL their slopes by z (ndof x nz;
** rows x nz).  Errors: those of brio_dynamics_constrained. */
bool brio_trajectory_accelerate(brio_trajectory *trajectory, int phase, const double *q, const double *u,
                                const double *torque, double *du, double *forces, double *du_slope,
                                double *force_slope, brio_error *err);

/* Write what a point of a link does at velocity `u`: its Jacobian (6 x nv), and how its velocity J u changes
** by the configuration (6 x ndof). */
brio_point_motion brio_trajectory_frame(brio_trajectory *trajectory, const double *q, const double *u,
                                        int link, brio_vec3 point, double *jacobian, double *by_q);

/* Replace the forces of constraints that repeat each other by the least ones, and unless NULL complete their
** slopes, after brio_dynamics_constrained. */
void brio_trajectory_least_forces(brio_trajectory *trajectory, int phase, const double *q, double *forces,
                                  double *force_slope);

/* Return whether a term counts at node `k`. */
bool brio_trajectory_counts(const brio_trajectory *trajectory, const brio_trajectory_term *term, int k);

/* Evaluate a term at node `k`: rows into work->rows, and with slopes into work->row_slopes; those of costs
** are multiplied by the square root of their weight.  Return the number of rows. */
int brio_trajectory_rows(brio_trajectory *trajectory, const brio_trajectory_term *term, int k,
                         const brio_trajectory_point *point);

/* Place links and find the centre of mass of a node, for terms. */
void brio_trajectory_place(brio_trajectory *trajectory, const brio_trajectory_point *point);

/* Write the defect between node k and the next (nstate rows; between phases 2 ndof), and unless `left` is
** NULL its slopes (rows x nz).  Return the number of rows; -1: the dynamics failed. */
int brio_trajectory_defect(brio_trajectory *trajectory, int k, const brio_trajectory_side sides[2],
                           const double stretch[2], double *defect, double *left, double *right);

/* Return the node after `k`: of a cycle the last one's is the first. */
static inline int brio_trajectory_next(const brio_trajectory *t, int k) {
  return k + 1 < t->nnode ? k + 1 : 0;
}

/* Return whether no time passes between node `k` and the next: they are of different phases, or close a
** cycle. */
static inline bool brio_trajectory_joins(const brio_trajectory *t, int k) {
  return k + 1 == t->nnode || t->nodes[k].phase != t->nodes[k + 1].phase;
}

/* Return the number of intervals: the node after the last one's counts in a cycle. */
static inline int brio_trajectory_intervals(const brio_trajectory *t) {
  return t->nnode - (t->setup.cycle ? 0 : 1);
}

/* Write the defect between node k and the next, in no time, as brio_trajectory_defect does.  Return false
** where the dynamics failed. */
bool brio_trajectory_join(brio_trajectory *trajectory, int k, const brio_trajectory_side sides[2],
                          double *defect, double *left, double *right);

/* Return the point of node `k`; accelerations, forces and slopes are the caller's. */
brio_trajectory_point brio_trajectory_point_of(brio_trajectory *trajectory, int k,
                                               const brio_trajectory_motion *motion);

/* Return entry `i` of z (not of a floating base) of a point. */
double brio_trajectory_value(const brio_trajectory *trajectory, const double *q, const double *u,
                             double stretch, const double *torque, int i);

#endif
