/* How what a frame does changes by the configuration, and what that means for forces that repeat each other.
**
** The rate J u changes by the configuration as J by the velocity, d(J u)/dq = dJ/dt, where motions commute;
** turning the base adds J_turn [omega]x to its columns, and angular rows have [J_i]x w of their own.
**
** Constraints that repeat each other, as two points of one foot, contradict each other where a foot turns
** that should not; the forces of brio_dynamics_constrained then drift out of the range of J, along what moves
** nothing.  The least forces are P f = J y, y = J^+ f, where P projects on the range.  It turns with the
** configuration: to the slopes in it belongs  (1 - P) d(J y)/dq,  y held.  Source: Golub, Pereyra, "The
** differentiation of pseudo-inverses and nonlinear least squares problems whose variables separate", 1973. */
#include <string.h>

#include "trajectory/matrix.h"
#include "trajectory/rotation_internal.h"
#include "trajectory/trajectory_internal.h"

/* Three rows of d(J u)/dq (rows of ndof) of three rows of J and dJ/dt (rows of nv). */
static void rate_slope(const brio_trajectory *t, const double *u, const double *jacobian, const double *rate,
                       const brio_vec3 *turning, double *out) {
  int nv = t->robot->nv, n = t->ndof;
  for (int i = 0; i < n; i++) {
    int v = t->first + i;
    brio_vec3 j = {jacobian[v], jacobian[nv + v], jacobian[2 * nv + v]};
    brio_vec3 by = {rate[v], rate[nv + v], rate[2 * nv + v]};
    if (turning) by = brio_vec3_add(by, brio_vec3_cross(j, *turning));
    out[i] = by.x, out[n + i] = by.y, out[2 * n + i] = by.z;
  }
  if (t->first > 0) return;
  brio_matrix33 omega = brio_rotation_series(brio_vec3_at(u + 3), 0, 1, 0);
  for (int i = 0; i < 27; i++) {
    int row = i / 9, c = i / 3 % 3, k = i % 3;
    out[row * n + 3 + c] += jacobian[row * nv + 3 + k] * omega.m[3 * k + c];
  }
}

brio_point_motion brio_trajectory_frame(brio_trajectory *t, const double *q, const double *u, int link,
                                        brio_vec3 point, double *jacobian, double *by_q) {
  int nv = t->robot->nv;
  double *rate = t->work->rates;
  brio_point_motion motion = brio_dynamics_point(&t->dynamics, q, u, link, point, jacobian, rate);
  brio_vec3 turning = brio_vec3_at(motion.velocity + 3);
  rate_slope(t, u, jacobian, rate, NULL, by_q);
  rate_slope(t, u, jacobian + 3 * nv, rate + 3 * nv, &turning, by_q + 3 * t->ndof);
  return motion;
}

/* Write J (rows x ndof) of all that holds in a phase and, by velocity y, d(J y)/dq. */
static void gather(brio_trajectory *t, const brio_trajectory_hold *hold, const double *q, const double *y,
                   double *jacobian, double *by_q) {
  int n = t->ndof, nv = t->robot->nv;
  double *own = t->work->frame, *slope = own + 6 * nv;
  memset(jacobian, 0, (size_t)(hold->rows * n) * sizeof *jacobian);
  memset(by_q, 0, (size_t)(hold->rows * n) * sizeof *by_q);
  for (int c = 0, row = 0; c < hold->count; c++) {
    const brio_dynamics_constraint *one = &hold->list[c];
    int rows = one->rigid ? 6 : 3;
    for (int side = 0; side < 2; side++) {
      int link = side ? one->other : one->link;
      if (link < 0) continue;
      brio_trajectory_frame(t, q, y, link, side ? one->on_other.p : one->on_link.p, own, slope);
      for (int i = 0; i < rows * n; i++) {
        jacobian[row * n + i] += (side ? -1 : 1) * own[i / n * nv + t->first + i % n];
        by_q[row * n + i] += (side ? -1 : 1) * slope[i];
      }
    }
    row += rows;
  }
}

/* Factor J^T J with a tiny weight: a projection on the range of J. */
static bool factor_range(int rows, int n, const double *jacobian, double *square) {
  double top = 0;
  memset(square, 0, (size_t)(n * n) * sizeof *square);
  for (int r = 0; r < rows; r++) brio_matrix_add_square(n, 1, jacobian + r * n, square);
  for (int i = 0; i < n; i++) top = square[i * (n + 1)] > top ? square[i * (n + 1)] : top;
  for (int i = 0; i < n; i++) square[i * (n + 1)] += 1e-10 * top + 1e-300;
  return brio_matrix_cholesky(n, square, n);
}

void brio_trajectory_least_forces(brio_trajectory *t, int phase, const double *q, double *forces,
                                  double *force_slope) {
  const brio_trajectory_hold *hold = &t->work->holds[phase];
  int n = t->ndof, nz = t->nz, rows = hold->rows;
  double *jacobian = t->work->range, *by_q = jacobian + rows * n, *square = by_q + rows * n;
  double *y = square + n * n, *part = y + t->robot->nv;
  memset(y, 0, (size_t)t->robot->nv * sizeof *y);
  gather(t, hold, q, y, jacobian, by_q);
  if (!factor_range(rows, n, jacobian, square)) return;
  brio_matrix_add_turned_vector(rows, n, 1, jacobian, forces, y + t->first);
  brio_matrix_cholesky_solve(n, square, n, y + t->first, 1, 1);
  memset(forces, 0, (size_t)rows * sizeof *forces);
  brio_matrix_add_vector(rows, n, 1, jacobian, y + t->first, forces);
  if (!force_slope) return;
  /* P (df - d(J y)/dq) + d(J y)/dq */
  gather(t, hold, q, y, jacobian, by_q);
  for (int i = 0; i < rows * n; i++) force_slope[i / n * nz + i % n] -= by_q[i];
  memset(part, 0, (size_t)(n * nz) * sizeof *part);
  brio_matrix_add_turned(n, rows, nz, 1, jacobian, n, force_slope, nz, part, nz);
  brio_matrix_cholesky_solve(n, square, n, part, nz, nz);
  memset(force_slope, 0, (size_t)(rows * nz) * sizeof *force_slope);
  brio_matrix_add_product(rows, n, nz, 1, jacobian, n, part, nz, force_slope, nz);
  for (int i = 0; i < rows * n; i++) force_slope[i / n * nz + i % n] += by_q[i];
}
