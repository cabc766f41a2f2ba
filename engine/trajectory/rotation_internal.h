/* Derivatives of exponential and logarithm of rotation vectors (rad), as 3 x 3 matrices row by row; [v]x is
** the matrix of the cross product.  Not for other rooms.  Source: Barfoot, "State Estimation for Robotics",
** 2017, section 7.1. */
#ifndef BRIO_TRAJECTORY_ROTATION_INTERNAL_H
#define BRIO_TRAJECTORY_ROTATION_INTERNAL_H

#include "math/quat.h"

typedef struct brio_matrix33 {
  double m[9];
} brio_matrix33;

/* Return a I + b [v]x + c ([v]x)^2. */
static inline brio_matrix33 brio_rotation_series(brio_vec3 v, double a, double b, double c) {
  double xx = v.x * v.x, yy = v.y * v.y, zz = v.z * v.z;
  return (brio_matrix33){{a - c * (yy + zz), c * v.x * v.y - b * v.z, c * v.x * v.z + b * v.y,
                          c * v.x * v.y + b * v.z, a - c * (xx + zz), c * v.y * v.z - b * v.x,
                          c * v.x * v.z - b * v.y, c * v.y * v.z + b * v.x, a - c * (xx + yy)}};
}

/* Return exp(v) = I + sin(a)/a [v]x + (1 - cos a)/a^2 ([v]x)^2, a = |v|; series near 0. */
static inline brio_matrix33 brio_rotation_exp(brio_vec3 v) {
  double a2 = brio_vec3_dot(v, v), a = sqrt(a2);
  return brio_rotation_series(v, 1, a < 1e-4 ? 1 - a2 / 6 : sin(a) / a,
                              a < 1e-4 ? 0.5 - a2 / 24 : (1 - cos(a)) / a2);
}

/* Return the left Jacobian Jl(v): exp(v + d) = exp(Jl(v) d) exp(v) to first order in d.  Jr(v) = Jl(-v). */
static inline brio_matrix33 brio_rotation_left(brio_vec3 v) {
  double k[2];
  brio_quat_left_factors(v, k);
  return brio_rotation_series(v, 1, k[0], k[1]);
}

/* Return Jl(v)^-1 = I - [v]x / 2 + c ([v]x)^2, c = (1 - a/2 cot(a/2)) / a^2, a = |v| < 2 pi; near 0 a
** series. */
static inline brio_matrix33 brio_rotation_left_inverse(brio_vec3 v) {
  double a2 = brio_vec3_dot(v, v), a = sqrt(a2);
  double c = a < 1e-2 ? 1.0 / 12 + a2 / 720 : (1 - a / 2 / tan(a / 2)) / a2;
  return brio_rotation_series(v, 1, -0.5, c);
}

/* Return m v. */
static inline brio_vec3 brio_matrix33_apply(const brio_matrix33 *m, brio_vec3 v) {
  const double *r = m->m;
  return (brio_vec3){r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
                     r[6] * v.x + r[7] * v.y + r[8] * v.z};
}

/* Return the derivative by v of J(v)^-1 w, where the series w - v x w / 2 + v x (v x w) / 12 is used:
**     [w]x / 2 - ([v x w]x + [v]x [w]x) / 12,   [v]x [w]x = w v^T - (v . w) I. */
static inline brio_matrix33 brio_rotation_rate_slope(brio_vec3 v, brio_vec3 w) {
  brio_vec3 cross = brio_vec3_cross(v, w);
  brio_vec3 s = brio_vec3_add_scaled(brio_vec3_scale(0.5, w), -1.0 / 12, cross);
  brio_matrix33 out = brio_rotation_series(s, brio_vec3_dot(v, w) / 12, 1, 0);
  const double a[3] = {w.x, w.y, w.z}, b[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 9; i++) out.m[i] -= a[i / 3] * b[i % 3] / 12;
  return out;
}

/* Return J(v)^-1 w by the same series: the rate of rotation vector v at angular velocity w, to fourth order.
 */
static inline brio_vec3 brio_rotation_rate(brio_vec3 v, brio_vec3 w) {
  brio_vec3 once = brio_vec3_cross(v, w), twice = brio_vec3_cross(v, once);
  return brio_vec3_add_scaled(brio_vec3_add_scaled(w, -0.5, once), 1.0 / 12, twice);
}

/* Return three numbers as a vector. */
static inline brio_vec3 brio_vec3_at(const double *v) {
  return (brio_vec3){v[0], v[1], v[2]};
}

#endif
