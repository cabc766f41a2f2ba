/* Vectors of three numbers.  Pure arithmetic, all inline. */
#ifndef BRIO_MATH_VEC_H
#define BRIO_MATH_VEC_H

#include <math.h>
#include <stdbool.h>

#define BRIO_PI 3.14159265358979323846

typedef struct brio_vec3 {
  double x, y, z;
} brio_vec3;

/* Return a + b. */
static inline brio_vec3 brio_vec3_add(brio_vec3 a, brio_vec3 b) {
  return (brio_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* Return a - b. */
static inline brio_vec3 brio_vec3_sub(brio_vec3 a, brio_vec3 b) {
  return (brio_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* Return s a. */
static inline brio_vec3 brio_vec3_scale(double s, brio_vec3 a) {
  return (brio_vec3){s * a.x, s * a.y, s * a.z};
}

/* Return a + s b. */
static inline brio_vec3 brio_vec3_add_scaled(brio_vec3 a, double s, brio_vec3 b) {
  return (brio_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* Return the inner product a . b. */
static inline double brio_vec3_dot(brio_vec3 a, brio_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Return the outer product a x b. */
static inline brio_vec3 brio_vec3_cross(brio_vec3 a, brio_vec3 b) {
  return (brio_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Return the length of a. */
static inline double brio_vec3_norm(brio_vec3 a) { return sqrt(brio_vec3_dot(a, a)); }

/* Return a at length 1, or `fallback` when a is too short or long to have a direction. */
static inline brio_vec3 brio_vec3_unit(brio_vec3 a, brio_vec3 fallback) {
  double n = brio_vec3_norm(a);
  return n > 1e-300 && n < 1e300 ? brio_vec3_scale(1 / n, a) : fallback;
}

/* Return whether no coordinate is infinite or NaN. */
static inline bool brio_vec3_finite(brio_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif
