/* Trapezoidal rule: velocity and acceleration are linear between two nodes:
**     q' (-) q = h/2 (u + u'),     u' - u = h/2 (du + du').     Error O(h^2). */
#include <string.h>

#include "trajectory/rotation_internal.h"
#include "trajectory/scheme.h"

/* Derivatives of the first ndof rows, q' (-) q - h/2 (u + u'), but for those by the stretch. */
static void configuration_slopes(const brio_trajectory *t, const double *step, double h, double *left,
                                 double *right) {
  int n = t->ndof, nz = t->nz;
  /* unit blocks by configurations, -h/2 by velocities */
  for (int i = 0; i < n; i++) {
    left[i * nz + i] = -1, right[i * nz + i] = 1;
    left[i * nz + n + i] = right[i * nz + n + i] = -h / 2;
  }
  if (t->first > 0) return;
  /* the base's rotation vector: Jl^-1 by the right end, its negated transpose by the left */
  brio_matrix33 by = brio_rotation_left_inverse(brio_vec3_at(step + 3));
  for (int i = 0; i < 9; i++) {
    right[(3 + i / 3) * nz + 3 + i % 3] = by.m[i];
    left[(3 + i % 3) * nz + 3 + i / 3] = -by.m[i];
  }
}

static bool defect(brio_trajectory *t, int phase, double step, double stretch,
                   const brio_trajectory_side sides[2], double *out, double *left, double *right) {
  (void)phase;
  const brio_trajectory_side *a = &sides[0], *b = &sides[1];
  int n = t->ndof, nz = t->nz, first = t->first;
  double h = step * stretch;
  brio_robot_difference(t->robot, a->q, b->q, t->tangent);
  memcpy(out, t->tangent + first, (size_t)n * sizeof *out);
  if (left) configuration_slopes(t, t->tangent, h, left, right);
  for (int i = 0; i < n; i++) {
    /* rows of the configuration, then those of the velocity */
    double mean_u = (a->u[first + i] + b->u[first + i]) / 2;
    double mean_du = (a->du[first + i] + b->du[first + i]) / 2;
    out[i] -= h * mean_u;
    out[n + i] = b->u[first + i] - a->u[first + i] - h * mean_du;
    if (!left) continue;
    double *l = left + (n + i) * nz, *r = right + (n + i) * nz;
    for (int c = 0; c < nz; c++) {
      l[c] = -h / 2 * a->du_slope[i * nz + c];
      r[c] = -h / 2 * b->du_slope[i * nz + c];
    }
    l[n + i] -= 1, r[n + i] += 1;
    /* the step grows with the stretch of the left node */
    if (t->nstretch) {
      left[i * nz + 2 * n] -= step * mean_u;
      l[2 * n] -= step * mean_du;
    }
  }
  return true;
}

const brio_trajectory_scheme brio_trajectory_scheme_trapezoidal = {
    .name = "trapezoidal",
    .doc = "Velocity and acceleration are straight lines between nodes.",
    .order = 2,
    .defect = defect,
};
