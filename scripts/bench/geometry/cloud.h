/* What the benchmark of point clouds and its peers share: the clouds, the solids and what is in them, drawn
** the same in C and C++, so that their counts must agree.
**
** A room as a depth camera sees it: floor, two walls, a table and boxes on it, with noise that grows with
** distance, and places without a point.  640 x 480 places; in order of the picture, without its missing
** places and shuffled. */
#ifndef BRIO_SCRIPTS_BENCH_GEOMETRY_CLOUD_H
#define BRIO_SCRIPTS_BENCH_GEOMETRY_CLOUD_H

#include <math.h>
#include <stdint.h>

#include "scripts/bench/bench.h"

enum { CLOUD_WIDTH = 640, CLOUD_HEIGHT = 480, CLOUD_POINTS = CLOUD_WIDTH * CLOUD_HEIGHT, CLOUD_SOLIDS = 50 };

typedef enum {
  CLOUD_SPHERE,
  CLOUD_CAPSULE,
  CLOUD_BOX,
  CLOUD_CYLINDER,
  CLOUD_HALF_SPACE,
  CLOUD_KINDS
} cloud_kind;

/* Sizes as of brio's shapes; rotation row by row: cloud_from_solid. */
typedef struct cloud_solid {
  cloud_kind kind;
  double size[3], position[3], turn[4] /* x, y, z, w */, rotation[9];
} cloud_solid;

typedef enum { CLOUD_ORGANIZED, CLOUD_IN_ORDER, CLOUD_SHUFFLED, CLOUD_ORDERS } cloud_order;
static const char *const cloud_order_names[CLOUD_ORDERS] = {"organized", "in order", "shuffled"};

/* The distance along a ray from the camera (1.4 m up, looking down a little) to the nearest of the room's
** boxes; each is seen from outside, or the room from inside. */
static inline double cloud_ray(const double origin[3], const double direction[3]) {
  static const double boxes[][6] = {/* middle x y z, half lengths x y z */
      {0, 0, 1.5, 3.5, 2.5, 1.5}, {1.8, 0, 0.7, 0.4, 0.8, 0.02}, {1.7, -0.4, 0.82, 0.05, 0.05, 0.1},
      {1.9, 0.1, 0.77, 0.1, 0.08, 0.05}, {1.6, 0.5, 0.79, 0.04, 0.04, 0.07}, {2.9, 1.6, 0.5, 0.3, 0.4, 0.5}};
  double best = 1e9;
  for (int b = 0; b < 6; b++) {
    double enter = -1e9, leave = 1e9;
    for (int k = 0; k < 3; k++) {
      double one = (boxes[b][k] - boxes[b][3 + k] - origin[k]) / direction[k];
      double two = (boxes[b][k] + boxes[b][3 + k] - origin[k]) / direction[k];
      enter = fmax(enter, fmin(one, two));
      leave = fmin(leave, fmax(one, two));
    }
    double at = b == 0 ? leave : enter < leave && enter > 0 ? enter : 1e9;
    best = at < best ? at : best;
  }
  return best;
}

/* Draw the cloud in one order; return how many places it has. */
static inline int cloud_draw(cloud_order order, float (*points)[3], uint8_t (*colors)[3]) {
  static const double origin[3] = {0, 0, 1.4};
  int count = 0;
  for (int i = 0; i < CLOUD_POINTS; i++) {
    double u = (i % CLOUD_WIDTH - CLOUD_WIDTH / 2 + 0.5) / 525,
           v = (i / CLOUD_WIDTH - CLOUD_HEIGHT / 2 + 0.5) / 525;
    double d[3] = {1 - 0.35 * v, -u, -v - 0.35};
    double t = cloud_ray(origin, d) * (1 + 0.001 * bench_uniform("noise", i));
    int missing = bench_uniform("missing", i) > 0.94;
    if (missing && order != CLOUD_ORGANIZED) continue;
    for (int k = 0; k < 3; k++) {
      points[count][k] = missing ? (float)NAN : (float)(origin[k] + t * d[k]);
      colors[count][k] = (uint8_t)(128 + 100 * bench_uniform("color", 3 * i + k));
    }
    count++;
  }
  for (int i = count - 1; i > 0 && order == CLOUD_SHUFFLED; i--) {
    int j = (int)((bench_uniform("shuffle", i) + 1) / 2 * (i + 1));
    for (int k = 0; k < 3; k++) {
      float p = points[i][k];
      uint8_t c = colors[i][k];
      points[i][k] = points[j][k], points[j][k] = p;
      colors[i][k] = colors[j][k], colors[j][k] = c;
    }
  }
  return count;
}

/* Draw the solids about points of the cloud: what a behavior asks for, from a grasp's size to a table's. */
static inline void cloud_solids(cloud_solid out[CLOUD_SOLIDS]) {
  for (int i = 0; i < CLOUD_SOLIDS; i++) {
    static const double origin[3] = {0, 0, 1.4};
    cloud_solid *s = &out[i];
    double u = 0.55 * bench_uniform("u", i), v = 0.4 * bench_uniform("v", i),
           d[3] = {1 - 0.35 * v, -u, -v - 0.35};
    double t = cloud_ray(origin, d), n = 0, *q = s->turn, *r = s->rotation;
    s->kind = (cloud_kind)(i % CLOUD_KINDS);
    double size = 0.1 + 0.09 * bench_uniform("size", i);
    s->size[0] = s->kind == CLOUD_BOX ? 4 * size : size;
    s->size[1] = 3 * size;
    s->size[2] = 5 * size;
    for (int k = 0; k < 3; k++) s->position[k] = origin[k] + t * d[k];
    for (int k = 0; k < 4; k++) q[k] = bench_uniform("turn", 4 * i + k), n += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(n);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    r[0] = 1 - 2 * (y * y + z * z), r[1] = 2 * (x * y - w * z), r[2] = 2 * (x * z + w * y);
    r[3] = 2 * (x * y + w * z), r[4] = 1 - 2 * (x * x + z * z), r[5] = 2 * (y * z - w * x);
    r[6] = 2 * (x * z - w * y), r[7] = 2 * (y * z + w * x), r[8] = 1 - 2 * (x * x + y * y);
  }
}

/* Whether a point is in a solid. */
static inline bool cloud_inside(const cloud_solid *s, const float p[3]) {
  const double *r = s->rotation, *size = s->size;
  double x = p[0] - s->position[0], y = p[1] - s->position[1], z = p[2] - s->position[2];
  if (s->kind == CLOUD_SPHERE) return x * x + y * y + z * z <= size[0] * size[0];
  double w = r[2] * x + r[5] * y + r[8] * z;
  if (s->kind == CLOUD_HALF_SPACE) return w <= 0;
  double u = r[0] * x + r[3] * y + r[6] * z, v = r[1] * x + r[4] * y + r[7] * z, end = fabs(w) - size[2] / 2;
  if (s->kind == CLOUD_BOX) return fabs(u) <= size[0] / 2 && fabs(v) <= size[1] / 2 && end <= 0;
  if (s->kind == CLOUD_CYLINDER) return u * u + v * v <= size[0] * size[0] && end <= 0;
  return u * u + v * v + (end > 0 ? end * end : 0) <= size[0] * size[0];
}

#endif
