/* How long the distance of two shapes takes, kind by kind: cold and warm (distance.h).
**   distance
** Prints a line of JSON for each row; `check` sums distances, which FCL's must agree with. */
#include "geometry/distance.h"

#include "scripts/bench/geometry/distance.h"

typedef struct scene {
  brio_shape a[BENCH_CONFIGURATIONS], b[BENCH_CONFIGURATIONS];
  brio_transform pose_a[BENCH_CONFIGURATIONS], pose_b[BENCH_CONFIGURATIONS];
  brio_vec3 corners[2][BENCH_CONFIGURATIONS][DISTANCE_CORNERS];
  brio_distance_cache cache[DISTANCE_WARM];
  bool warm;
} scene;

static brio_shape shape_of(distance_kind kind, const distance_solid *solid,
                           brio_vec3 corners[DISTANCE_CORNERS]) {
  static const brio_shape_kind kinds[] = {BRIO_SHAPE_SPHERE,   BRIO_SHAPE_CAPSULE, BRIO_SHAPE_BOX,
                                          BRIO_SHAPE_CYLINDER, BRIO_SHAPE_HULL,    BRIO_SHAPE_HALF_SPACE};
  const double *s = solid->size;
  brio_shape shape = {.kind = kinds[kind], .size = {s[0], s[1], s[2]}};
  if (kind != DISTANCE_HULL) return shape;
  double points[DISTANCE_CORNERS][3];
  distance_corners(s, points);
  for (int i = 0; i < DISTANCE_CORNERS; i++)
    corners[i] = (brio_vec3){points[i][0], points[i][1], points[i][2]};
  return (brio_shape){.kind = BRIO_SHAPE_HULL, .npoint = DISTANCE_CORNERS, .points = corners};
}

static brio_transform pose_of(const distance_solid *solid) {
  const double *p = solid->position, *q = solid->turn;
  return brio_transform_of((brio_pose){{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}});
}

static double measure(void *context, int k) {
  scene *s = context;
  brio_distance_cache *cache = s->warm ? &s->cache[k % DISTANCE_WARM] : NULL;
  return brio_shape_distance(&s->a[k], &s->pose_a[k], &s->b[k], &s->pose_b[k], cache).distance;
}

static void run(scene *s, const distance_row *row, bool warm) {
  char name[64];
  double check = 0;
  s->warm = warm;
  memset(s->cache, 0, sizeof s->cache);
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    distance_solid a, b;
    distance_pair(row, warm, k, &a, &b);
    s->a[k] = shape_of(row->a, &a, s->corners[0][k]);
    s->b[k] = shape_of(row->b, &b, s->corners[1][k]);
    s->pose_a[k] = pose_of(&a);
    s->pose_b[k] = pose_of(&b);
    check += measure(s, k);
  }
  snprintf(name, sizeof name, "%s %s", row->name, warm ? "warm" : "cold");
  bench_measure(name, measure, s, check);
}

int main(void) {
  scene *s = malloc(sizeof *s);
  for (int i = 0; s && i < DISTANCE_ROWS; i++)
    for (int warm = 0; warm < 2; warm++) run(s, &distance_rows[i], warm);
  free(s);
  return 0;
}
