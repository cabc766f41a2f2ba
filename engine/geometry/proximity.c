/* Distances between many solids at once. Bounding spheres come first: the distance of two solids is
** never less than that of the spheres around them, which is enough to skip every pair that is far
** apart. A body's full transform is computed only when some pair of it is near. */
#include "geometry/proximity.h"

#include <assert.h>

/* Place the centers of all bodies by `frames`; nothing else of them is placed yet. */
static void place_centers(brio_body *bodies, int nbody, const brio_transform *frames) {
  for (int i = 0; i < nbody; i++) {
    brio_body *body = &bodies[i];
    body->placed = false;
    if (!body->present) continue;
    body->center = body->frame < 0 ? body->pose.p : brio_transform_point(&frames[body->frame], body->pose.p);
  }
}

/* Return the full transform of a body, computed at its first use in a query. */
static const brio_transform *placed(brio_body *body, const brio_transform *frames) {
  if (!body->placed) {
    body->world = body->frame < 0 ? body->pose : brio_transform_mul(&frames[body->frame], &body->pose);
    body->placed = true;
  }
  return &body->world;
}

/* O(bodies + pairs), and an exact distance for each pair within the range. */
double brio_proximity_query(brio_body *bodies, int nbody, const brio_transform *frames,
                            brio_proximity_pair *pairs, int npair, double range) {
  double smallest = INFINITY;
  place_centers(bodies, nbody, frames);
  /* Squares are compared, so that a far pair costs no root until it is reported. */
  for (int i = 0; i < npair; i++) {
    brio_proximity_pair *pair = &pairs[i];
    assert(pair->body_a < nbody && pair->body_b < nbody);
    brio_body *a = &bodies[pair->body_a], *b = &bodies[pair->body_b];
    brio_vec3 gap = brio_vec3_sub(b->center, a->center);
    double reach = range + a->radius + b->radius;
    pair->within = brio_vec3_dot(gap, gap) <= reach * reach;
    if (pair->within) {
      const brio_transform *pose_a = placed(a, frames), *pose_b = placed(b, frames);
      pair->near = brio_shape_distance(&a->shape, pose_a, &b->shape, pose_b, &pair->cache);
    } else {
      pair->near = (brio_distance){.distance = brio_vec3_norm(gap) - a->radius - b->radius};
    }
    if (pair->near.distance < smallest) smallest = pair->near.distance;
  }
  return smallest;
}
