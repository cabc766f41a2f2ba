/* Sums over points, and the center, plane and spread that follow from them.  Sums of parts add up to sums of
** the whole, so a plane grows without another pass over its points. */
#ifndef BRIO_CLOUD_SURFACES_FIT_H
#define BRIO_CLOUD_SURFACES_FIT_H

#include "math/vec.h"

/* Sums over points about an origin that the caller keeps to. */
typedef struct brio_cloud_moments {
  double count;      /* of points, or the sum of their weights */
  double sum[3];     /* of x, y, z, m */
  double product[6]; /* of xx, xy, xz, yy, yz, zz, m^2 */
} brio_cloud_moments;

/* Statistics of a set of points. */
typedef struct brio_cloud_spread {
  brio_vec3 center;   /* m, from the origin of the sums */
  brio_vec3 axis[3];  /* unit, right-handed; axis[0]: across the plane that fits them best */
  double variance[3]; /* m^2 along the axes, ascending: the first is the squared error of the plane */
} brio_cloud_spread;

/* Add a point with a weight. */
static inline void brio_cloud_moments_add(brio_cloud_moments *m, brio_vec3 p, double weight) {
  double x = weight * p.x, y = weight * p.y, z = weight * p.z;
  m->count += weight;
  m->sum[0] += x, m->sum[1] += y, m->sum[2] += z;
  m->product[0] += x * p.x, m->product[1] += x * p.y, m->product[2] += x * p.z;
  m->product[3] += y * p.y, m->product[4] += y * p.z, m->product[5] += z * p.z;
}

/* Add the sums of another part to `m`; `sign` -1 subtracts them. */
static inline void brio_cloud_moments_join(brio_cloud_moments *m, const brio_cloud_moments *other,
                                           double sign) {
  m->count += sign * other->count;
  for (int i = 0; i < 3; i++) m->sum[i] += sign * other->sum[i];
  for (int i = 0; i < 6; i++) m->product[i] += sign * other->product[i];
}

/* Return the mean of squared distances to the plane normal . p = offset, m^2. */
static inline double brio_cloud_moments_error(const brio_cloud_moments *m, brio_vec3 normal, double offset) {
  double x = normal.x, y = normal.y, z = normal.z;
  double square = x * x * m->product[0] + y * y * m->product[3] + z * z * m->product[5] +
                  2 * (x * y * m->product[1] + x * z * m->product[2] + y * z * m->product[4]);
  double sum = x * m->sum[0] + y * m->sum[1] + z * m->sum[2];
  return fmax(0, (square - 2 * offset * sum) / m->count + offset * offset);
}

/* Write the statistics of `m`.  False: there are fewer than `least` points (at least 1) or the sums are not
** finite. Points on a line or in one place have a plane, too: any of those through them. */
bool brio_cloud_spread_of(const brio_cloud_moments *m, double least, brio_cloud_spread *out);

/* Write two unit directions that make a right-handed frame with the unit direction z. */
void brio_cloud_across(brio_vec3 z, brio_vec3 *x, brio_vec3 *y);

#endif
