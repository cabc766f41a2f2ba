/* Unit quaternions x, y, z, w as rotations.  Pure arithmetic, all inline.
** Formulas: Shuster, "A survey of attitude representations", 1993. */
#ifndef BRIO_MATH_QUAT_H
#define BRIO_MATH_QUAT_H

#include "math/vec.h"

typedef struct brio_quat {
  double x, y, z, w;
} brio_quat;

/* The identity rotation. */
#define BRIO_QUAT_IDENTITY ((brio_quat){0, 0, 0, 1})

/* Return the rotation "first b, then a". */
static inline brio_quat brio_quat_mul(brio_quat a, brio_quat b) {
  return (brio_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                     a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* Return the inverse of a unit quaternion. */
static inline brio_quat brio_quat_conj(brio_quat q) { return (brio_quat){-q.x, -q.y, -q.z, q.w}; }

/* Return v turned by q. */
static inline brio_vec3 brio_quat_rotate(brio_quat q, brio_vec3 v) {
  brio_vec3 u = {q.x, q.y, q.z};
  brio_vec3 t = brio_vec3_scale(2, brio_vec3_cross(u, v));
  return brio_vec3_add(brio_vec3_add_scaled(v, q.w, t), brio_vec3_cross(u, t));
}

/* Return q at length 1; the identity when its length is 0 or not finite. */
static inline brio_quat brio_quat_unit(brio_quat q) {
  double n = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(n > 1e-300 && n < 1e300)) return BRIO_QUAT_IDENTITY;
  return (brio_quat){q.x / n, q.y / n, q.z / n, q.w / n};
}

/* Return the rotation by |r| radians about r (exponential map). */
static inline brio_quat brio_quat_exp(brio_vec3 r) {
  double angle = brio_vec3_norm(r);
  double s = angle > 1e-8 ? sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return (brio_quat){s * r.x, s * r.y, s * r.z, cos(angle / 2)};
}

/* Return the rotation vector of q, of length at most pi (logarithm). */
static inline brio_vec3 brio_quat_log(brio_quat q) {
  double sign = q.w < 0 ? -1 : 1;
  brio_vec3 u = {sign * q.x, sign * q.y, sign * q.z};
  double s = brio_vec3_norm(u), w = sign * q.w;
  double k = s > 1e-9 ? 2 * atan2(s, w) / s : 2 / (w > 0.5 ? w : 1);
  return brio_vec3_scale(k, u);
}

/* Write the two numbers of |u| that brio_quat_left_jacobian needs: (1 - cos a)/a^2, (a - sin a)/a^3. */
static inline void brio_quat_left_factors(brio_vec3 u, double k[2]) {
  double a2 = brio_vec3_dot(u, u), a = sqrt(a2);
  k[0] = a < 1e-4 ? 0.5 - a2 / 24 : (1 - cos(a)) / a2;
  k[1] = a < 1e-4 ? 1.0 / 6 - a2 / 120 : (a - sin(a)) / (a2 * a);
}

/* Return Jl(u) v = v + k0 u x v + k1 u x (u x v), with the factors k of u: how fast the rotation exp(u)
** turns (world axes) while u changes at the rate v.  Jl(u)^T is Jl(-u), with the same factors.
** Source: Barfoot, "State Estimation for Robotics", 2017, eq. 7.77. */
static inline brio_vec3 brio_quat_left_jacobian(const double k[2], brio_vec3 u, brio_vec3 v) {
  brio_vec3 once = brio_vec3_cross(u, v), twice = brio_vec3_cross(u, once);
  return brio_vec3_add_scaled(brio_vec3_add_scaled(v, k[0], once), k[1], twice);
}

/* Return the rotation a share u of the way from a to b, on the shortest arc. */
static inline brio_quat brio_quat_slerp(brio_quat a, brio_quat b, double u) {
  brio_vec3 turn = brio_quat_log(brio_quat_mul(brio_quat_conj(a), b));
  return brio_quat_unit(brio_quat_mul(a, brio_quat_exp(brio_vec3_scale(u, turn))));
}

/* Return the angle of q, 0 to pi. */
static inline double brio_quat_angle(brio_quat q) {
  return 2 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w));
}

/* Return the rotation of URDF's roll, pitch, yaw: about fixed x, then y, then z. */
static inline brio_quat brio_quat_from_rpy(double roll, double pitch, double yaw) {
  double cr = cos(roll / 2), sr = sin(roll / 2), cp = cos(pitch / 2), sp = sin(pitch / 2);
  double cy = cos(yaw / 2), sy = sin(yaw / 2);
  return (brio_quat){sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
                     cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy};
}

#endif
