/* The pairs of shapes that brio and FCL measure, in C and C++ alike.
**
** A row is a pair of kinds.  "cold": 256 pairs at random, six in seven apart by up to 0.3 m, the
** others near touching or overlapping.  "warm": eight pairs, nearly all apart, that take 32 small steps round
** a closed path, 0.5 mm and 1 mrad each, as a robot does between ticks. */
#ifndef BRIO_SCRIPTS_BENCH_GEOMETRY_DISTANCE_H
#define BRIO_SCRIPTS_BENCH_GEOMETRY_DISTANCE_H

#include <math.h>
#include <string.h>

#include "scripts/bench/bench.h"

enum { DISTANCE_WARM = 8 }; /* pairs that are measured by turns */
enum { DISTANCE_RINGS = 9, DISTANCE_SEGMENTS = 14, DISTANCE_CORNERS = 2 + 9 * 14 };

typedef enum distance_kind {
  DISTANCE_SPHERE, DISTANCE_CAPSULE, DISTANCE_BOX, DISTANCE_CYLINDER, DISTANCE_HULL, DISTANCE_HALF_SPACE
} distance_kind;

typedef struct distance_row {
  const char *name;
  distance_kind a, b;
} distance_row;

static const distance_row distance_rows[] = {
    {"sphere-sphere", DISTANCE_SPHERE, DISTANCE_SPHERE},
    {"sphere-capsule", DISTANCE_SPHERE, DISTANCE_CAPSULE},
    {"sphere-box", DISTANCE_SPHERE, DISTANCE_BOX},
    {"sphere-cylinder", DISTANCE_SPHERE, DISTANCE_CYLINDER},
    {"sphere-hull", DISTANCE_SPHERE, DISTANCE_HULL},
    {"capsule-capsule", DISTANCE_CAPSULE, DISTANCE_CAPSULE},
    {"box-capsule", DISTANCE_BOX, DISTANCE_CAPSULE},
    {"capsule-cylinder", DISTANCE_CAPSULE, DISTANCE_CYLINDER},
    {"capsule-hull", DISTANCE_CAPSULE, DISTANCE_HULL},
    {"box-box", DISTANCE_BOX, DISTANCE_BOX},
    {"box-cylinder", DISTANCE_BOX, DISTANCE_CYLINDER},
    {"box-hull", DISTANCE_BOX, DISTANCE_HULL},
    {"cylinder-cylinder", DISTANCE_CYLINDER, DISTANCE_CYLINDER},
    {"cylinder-hull", DISTANCE_CYLINDER, DISTANCE_HULL},
    {"convex-convex", DISTANCE_HULL, DISTANCE_HULL},
    {"half_space-box", DISTANCE_HALF_SPACE, DISTANCE_BOX},
};
enum { DISTANCE_ROWS = sizeof distance_rows / sizeof *distance_rows };

/* One of a pair: sizes as brio tells them, position, quaternion x y z w. */
typedef struct distance_solid {
  double size[3], position[3], turn[4];
} distance_solid;

/* A number in [-1, 1) for one of the things a pair is made of. */
static inline double distance_draw(const char *row, const char *what, int k) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s", row, what);
  return bench_uniform(name, k);
}

static inline void distance_size(const char *row, const char *which, distance_kind kind, int k,
                                 double size[3]) {
  char what[16];
  for (int i = 0; i < 3; i++) {
    snprintf(what, sizeof what, "%s%d", which, i);
    size[i] = 0.14 + 0.1 * distance_draw(row, what, k);
  }
  if (kind == DISTANCE_SPHERE || kind == DISTANCE_CAPSULE || kind == DISTANCE_CYLINDER)
    size[0] /= 2, size[1] = 0;
  if (kind == DISTANCE_SPHERE) size[2] = 0;
}

static inline void distance_turn(const char *row, const char *which, int k, double turn[4]) {
  char what[16];
  double length = 0;
  for (int i = 0; i < 4; i++) {
    snprintf(what, sizeof what, "%s%d", which, i);
    turn[i] = distance_draw(row, what, k);
    length += turn[i] * turn[i];
  }
  for (int i = 0; i < 4; i++) turn[i] /= sqrt(length);
}

/* Write pair `k` of a row. */
static inline void distance_pair(const distance_row *row, bool warm, int k, distance_solid *a,
                                 distance_solid *b) {
  static const char *const axes[] = {"x", "y", "z"};
  int draw = warm ? k % DISTANCE_WARM : k;
  double away[3], length = 0;
  distance_size(row->name, "a", row->a, draw, a->size);
  distance_size(row->name, "b", row->b, draw, b->size);
  distance_turn(row->name, "p", draw, a->turn);
  distance_turn(row->name, "q", draw, b->turn);
  for (int i = 0; i < 3; i++) {
    away[i] = distance_draw(row->name, axes[i], draw);
    length += away[i] * away[i];
  }
  double far = warm ? 0.36 : 0.26;
  far += (warm ? 0.06 : 0.16) * distance_draw(row->name, "far", draw);
  for (int i = 0; i < 3; i++) {
    a->position[i] = 0.5 * distance_draw(row->name, i ? "u" : "v", draw);
    b->position[i] = a->position[i] + far * away[i] / sqrt(length);
  }
  if (!warm) return;
  double phase = 2 * 3.14159265358979323846 * (k / DISTANCE_WARM) / (BENCH_CONFIGURATIONS / DISTANCE_WARM);
  b->position[0] += 0.0025 * sin(phase);
  b->position[1] += 0.0025 * cos(phase);
  double by[4] = {0.0025 * sin(phase), 0.0025 * cos(phase), 0, 0}, t[4];
  by[3] = sqrt(1 - by[0] * by[0] - by[1] * by[1]);
  memcpy(t, b->turn, sizeof t);
  b->turn[0] = by[3] * t[0] + by[0] * t[3] + by[1] * t[2] - by[2] * t[1];
  b->turn[1] = by[3] * t[1] - by[0] * t[2] + by[1] * t[3] + by[2] * t[0];
  b->turn[2] = by[3] * t[2] + by[0] * t[1] - by[1] * t[0] + by[2] * t[3];
  b->turn[3] = by[3] * t[3] - by[0] * t[0] - by[1] * t[1] - by[2] * t[2];
}

/* Write the corners of the hull of `size`: on the rings of an ellipsoid, the poles first. */
static inline void distance_corners(const double size[3], double corners[DISTANCE_CORNERS][3]) {
  const double pi = 3.14159265358979323846;
  int n = 0;
  for (int pole = -1; pole <= 1; pole += 2, n++) {
    corners[n][0] = corners[n][1] = 0;
    corners[n][2] = pole * size[2] / 2;
  }
  for (int ring = 1; ring <= DISTANCE_RINGS; ring++)
    for (int segment = 0; segment < DISTANCE_SEGMENTS; segment++, n++) {
      double up = -cos(pi * ring / (DISTANCE_RINGS + 1)), out = sin(pi * ring / (DISTANCE_RINGS + 1));
      corners[n][0] = size[0] / 2 * out * cos(2 * pi * segment / DISTANCE_SEGMENTS);
      corners[n][1] = size[1] / 2 * out * sin(2 * pi * segment / DISTANCE_SEGMENTS);
      corners[n][2] = size[2] / 2 * up;
    }
}

#endif
