/* Distances of 15 kinds of pairs compared with other libraries.  Trusted of them: apart,
** the true distance lies within [d - gap, d] (a separating plane proves it); inside, no
** depth may exceed the least support sum over sampled directions, nor d plus the error that
** Bullet's stopping rule leaves (measured on exact sphere-cylinder depths: 4.3e-6).
** That a depth is not too small needs no reference: a move by it must separate the shapes. */
#include "tests/engine/geometry/truth.h"

static void matches_other_peoples_separations(void) {
  truth *t = truth_read();
  if (!t) SKIP("no shared data here");
  int apart = 0;
  for (int i = 0; i < t->npair; i++) {
    const truth_pair *p = &t->pair[i];
    if (p->distance <= 0) continue;
    brio_distance d = brio_shape_distance(&p->a, &p->pose_a, &p->b, &p->pose_b, NULL);
    CHECK(d.distance <= p->distance + 1e-10, "pair %d: %.13g above %.13g", i, d.distance, p->distance);
    CHECK(d.distance >= p->distance - p->gap - 1e-10, "pair %d: %.13g below %.13g - %g", i, d.distance,
          p->distance, p->gap);
    apart++;
  }
  CHECK(apart > 1500, "only %d pairs apart were read", apart);
  free(t);
}

static void no_deeper_than_other_peoples_bounds_and_deep_enough(void) {
  truth *t = truth_read();
  if (!t) SKIP("no shared data here");
  int inside = 0;
  for (int i = 0; i < t->npair; i++) {
    const truth_pair *p = &t->pair[i];
    if (p->distance > 0) continue;
    brio_distance d = brio_shape_distance(&p->a, &p->pose_a, &p->b, &p->pose_b, NULL);
    CHECK(-d.distance <= p->sampled + 1e-9, "pair %d: depth %.13g above %.13g", i, -d.distance, p->sampled);
    CHECK(-d.distance <= -p->distance + 5e-6, "pair %d: depth %.13g, others %.13g", i, -d.distance,
          -p->distance);
    brio_transform freed = p->pose_b;
    freed.p = brio_vec3_add_scaled(freed.p, -d.distance, d.normal);
    brio_distance after = brio_shape_distance(&p->a, &p->pose_a, &p->b, &freed, NULL);
    CHECK_NEAR(after.distance, 0, 1e-8, "pair %d moved by its depth", i);
    inside++;
  }
  CHECK(inside > 100, "only %d overlapping pairs were read", inside);
  free(t);
}

CHECK_SUITE(CHECK_TEST(matches_other_peoples_separations),
            CHECK_TEST(no_deeper_than_other_peoples_bounds_and_deep_enough))
