/* Defects between two phases, and from the end of a cycle to its beginning: configurations are equal, and
** velocities, too, unless an impact changes them. */
#include <string.h>

#include "trajectory/rotation_internal.h"
#include "trajectory/trajectory_internal.h"

/* Write the difference to (-) from of configurations (ndof) and its derivatives. */
static void join_configurations(brio_trajectory *t, const double *from, const double *to, double *defect,
                                double *left, double *right) {
  int n = t->ndof, nz = t->nz;
  double step[BRIO_BASE_NV] = {0};
  brio_robot_difference(t->robot, from, to, t->tangent);
  memcpy(defect, t->tangent + t->first, (size_t)n * sizeof *defect);
  if (!left) return;
  /* unit blocks; of the base's rotation the derivative of the logarithm, Jl^-1 */
  for (int i = 0; i < n; i++) left[i * nz + i] = -1, right[i * nz + i] = 1;
  if (t->first > 0) return;
  memcpy(step, defect, sizeof step);
  brio_matrix33 by_right = brio_rotation_left_inverse(brio_vec3_at(step + 3));
  for (int i = 0; i < 9; i++) {
    right[(3 + i / 3) * nz + 3 + i % 3] = by_right.m[i];
    left[(3 + i % 3) * nz + 3 + i / 3] = -by_right.m[i];
  }
}

/* Without an impact velocities are equal: write their difference. */
static void join_velocities(const brio_trajectory *t, const brio_trajectory_side sides[2], double *defect,
                            double *left, double *right) {
  int n = t->ndof, nz = t->nz;
  for (int i = 0; i < n; i++) defect[n + i] = sides[1].u[t->first + i] - sides[0].u[t->first + i];
  for (int i = n; left && i < 2 * n; i++) left[i * nz + i] = -1, right[i * nz + i] = 1;
}

/* With an impact: write the difference of the velocities after it, u' - u_after(q', u), where the contacts of
** `phase` begin to hold at the configuration q' of the node behind the impact.  Return false: the dynamics
** failed. */
static bool strike(brio_trajectory *t, int phase, const brio_trajectory_side sides[2], double *defect,
                   double *left, double *right) {
  const brio_trajectory_hold *hold = &t->work->holds[phase];
  double *const *s = t->work->slopes, *after = t->work->after, *impulses = after + t->robot->nv;
  const brio_dynamics_constrained_slopes out = {s[0], s[1], s[2], s[3], s[4], s[5]};
  int n = t->ndof, nv = t->robot->nv, nz = t->nz, first = t->first;
  bool good = left ? brio_dynamics_impact_derivatives(&t->dynamics, &t->constraints, hold->list, hold->count,
                                                      sides[1].q, sides[0].u, after, impulses, &out, NULL)
                   : brio_dynamics_impact(&t->dynamics, &t->constraints, hold->list, hold->count, sides[1].q,
                                          sides[0].u, after, impulses, NULL);
  if (!good) return false;
  /* the defect is linear in u'; the rest follows from the impact */
  for (int i = 0; i < n; i++) defect[n + i] = sides[1].u[first + i] - after[first + i];
  for (int i = 0; left && i < n; i++) {
    double *by_before = left + (n + i) * nz, *by_after = right + (n + i) * nz;
    by_after[n + i] = 1;
    /* u is the left node's, q' the right one's */
    for (int c = 0; c < n; c++) {
      by_before[n + c] = -out.du_by_u[(first + i) * nv + first + c];
      by_after[c] = -out.du_by_q[(first + i) * nv + first + c];
    }
  }
  return true;
}

bool brio_trajectory_join(brio_trajectory *t, int k, const brio_trajectory_side sides[2], double *defect,
                          double *left, double *right) {
  int next = brio_trajectory_next(t, k), phase = t->nodes[next].phase;
  const double *to = sides[1].q;
  /* a cycle ends at the first node's configuration, moved by `cycle` */
  if (next == 0) {
    brio_robot_integrate(t->robot, to, t->setup.cycle, t->work->moved);
    to = t->work->moved;
  }
  join_configurations(t, sides[0].q, to, defect, left, right);
  if (t->setup.phases[phase].impact && t->work->holds[phase].count > 0)
    return strike(t, phase, sides, defect, left, right);
  join_velocities(t, sides, defect, left, right);
  return true;
}
