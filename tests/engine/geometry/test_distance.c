/* Distances without a reference.  For convex shapes the signed distance is the
** greatest separation over all directions, so: no direction may separate more than the
** answer (checked over random directions and near the normal, with supports computed here
** independently); witnesses lie on the surfaces; moving b along the normal by t >= 0 adds
** exactly t, apart or inside; the normal is the derivative; swapping mirrors; rigid motion
** of both changes nothing.  Over random, degenerate, parallel and nearly parallel pairs. */
#include "base/random.h"
#include "geometry/distance.h"
#include "geometry/distance_internal.h"
#include "tests/check.h"

enum { HULL = 24 };

#define KINDS(p) brio_shape_kind_name((p)->a.kind), brio_shape_kind_name((p)->b.kind)

typedef struct pair {
  brio_shape a, b;
  brio_transform pose_a, pose_b;
  brio_vec3 corners_a[HULL], corners_b[HULL];
  double size; /* of both, m */
  bool hard;
} pair;

static brio_vec3 random_direction(brio_random *r) {
  brio_vec3 v = {brio_random_normal(r), brio_random_normal(r), brio_random_normal(r)};
  return brio_vec3_unit(v, (brio_vec3){0, 0, 1});
}

/* A length: mostly ordinary, sometimes 0 or tiny. */
static double random_size(brio_random *r, bool degenerate) {
  double chance = brio_random_uniform(r, 0, 1);
  if (degenerate && chance < 0.3) return 0;
  if (degenerate && chance < 0.4) return 1e-7;
  return brio_random_uniform(r, 0.02, 0.5);
}

static brio_shape random_shape(brio_random *r, bool degenerate, brio_vec3 corners[HULL]) {
  brio_shape s = {.kind = (brio_shape_kind)brio_random_below(r, BRIO_SHAPE_HALF_SPACE)};
  double x = random_size(r, degenerate), y = random_size(r, degenerate), z = random_size(r, degenerate);
  if (s.kind == BRIO_SHAPE_SPHERE) s.size.x = x;
  else if (s.kind == BRIO_SHAPE_BOX) s.size = (brio_vec3){x, y, z};
  else if (s.kind == BRIO_SHAPE_HULL) {
    s.points = corners;
    s.npoint = 1 + (int)brio_random_below(r, HULL);
    if (!degenerate && s.npoint < 6) s.npoint = 6;
    for (int i = 0; i < s.npoint; i++) {
      brio_vec3 d = random_direction(r);
      corners[i] = (brio_vec3){x * d.x, y * d.y, z * d.z};
    }
  } else s.size = (brio_vec3){x, 0, z};
  return s;
}

static brio_quat random_turn(brio_random *r) {
  return brio_quat_unit((brio_quat){brio_random_normal(r), brio_random_normal(r), brio_random_normal(r),
                                    brio_random_normal(r)});
}

/* A pair: `hard` ones have degenerate sizes, and orientations that are equal or nearly so. */
static void random_pair(brio_random *r, bool hard, pair *p) {
  p->hard = hard;
  p->a = random_shape(r, hard && brio_random_below(r, 2), p->corners_a);
  p->b = random_shape(r, hard && brio_random_below(r, 2), p->corners_b);
  p->size = brio_shape_radius(&p->a) + brio_shape_radius(&p->b) + 1e-3;
  brio_pose a = {brio_vec3_scale(brio_random_uniform(r, 0, 1), random_direction(r)), random_turn(r)};
  brio_pose b = {a.p, random_turn(r)};
  static const double tilt[] = {0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3};
  if (hard) {
    brio_vec3 by = brio_vec3_scale(tilt[brio_random_below(r, 6)], random_direction(r));
    b.q = brio_quat_mul(a.q, brio_quat_exp(by));
    brio_vec3 quarter = {brio_random_below(r, 2) ? BRIO_PI / 2 : 0, 0, 0};
    if (brio_random_below(r, 2)) b.q = brio_quat_mul(b.q, brio_quat_exp(quarter));
  }
  brio_vec3 away = random_direction(r);
  if (hard && brio_random_below(r, 2))
    away = brio_quat_rotate(a.q, brio_random_below(r, 2) ? (brio_vec3){0, 0, 1} : (brio_vec3){1, 0, 0});
  double far = hard && brio_random_below(r, 4) == 0 ? 0 : brio_random_uniform(r, 0, 1.5 * p->size);
  b.p = brio_vec3_add_scaled(a.p, far, away);
  p->pose_a = brio_transform_of(a);
  p->pose_b = brio_transform_of(b);
}

/* The support of the shape at `pose` along the unit vector `d` of the world, m. */
static double reach(const brio_shape *s, const brio_transform *pose, brio_vec3 d) {
  brio_vec3 l = brio_transform_undirection(pose, d), z = s->size;
  double base = brio_vec3_dot(d, pose->p), most = -INFINITY;
  if (s->kind == BRIO_SHAPE_SPHERE) return base + z.x;
  if (s->kind == BRIO_SHAPE_CAPSULE) return base + z.x + fabs(l.z) * z.z / 2;
  if (s->kind == BRIO_SHAPE_BOX) return base + (fabs(l.x) * z.x + fabs(l.y) * z.y + fabs(l.z) * z.z) / 2;
  if (s->kind == BRIO_SHAPE_CYLINDER) return base + z.x * hypot(l.x, l.y) + fabs(l.z) * z.z / 2;
  for (int i = 0; i < s->npoint; i++) most = fmax(most, brio_vec3_dot(l, s->points[i]));
  return base + most;
}

/* The separation of a and b by planes across `d`, m. */
static double separation(const pair *p, brio_vec3 d) {
  return -reach(&p->b, &p->pose_b, brio_vec3_scale(-1, d)) - reach(&p->a, &p->pose_a, d);
}

/* The allowed error of an answer, m.  Needles and films as thin as 1e-7 m that touch have no
** better normal than this; nearly coaxial round solids inside each other have almost the
** same depth all around. */
static double slack(const pair *p, const brio_distance *d) {
  return p->size * (!p->hard ? 1e-8 : d->distance > 1e-7 ? 5e-8 : 5e-6);
}

static brio_distance ask(const pair *p) {
  return brio_shape_distance(&p->a, &p->pose_a, &p->b, &p->pose_b, NULL);
}

/* The distance of `point` from the surface of a shape, m: outside of it, or from the plane
** across `normal` that bounds the shape. */
static double off_surface(const brio_shape *s, const brio_transform *pose, brio_vec3 point,
                          brio_vec3 normal) {
  brio_shape dot = {.kind = BRIO_SHAPE_SPHERE};
  brio_transform at = BRIO_TRANSFORM_IDENTITY;
  at.p = point;
  double inside = brio_shape_distance(&dot, &at, s, pose, NULL).distance;
  double short_of = reach(s, pose, normal) - brio_vec3_dot(normal, point);
  return fmax(inside, fabs(short_of));
}

static bool all_finite(const brio_distance *d) {
  const brio_vec3 v[3] = {d->point_a, d->point_b, d->normal};
  bool good = isfinite(d->distance);
  for (int i = 0; i < 3; i++) good = good && isfinite(v[i].x) && isfinite(v[i].y) && isfinite(v[i].z);
  return good;
}

static void run_pairs(bool hard, const char *stream, int count,
                      void (*check)(const pair *, brio_random *, int)) {
  brio_random r = brio_random_stream(20, stream);
  double scale = check_scale() > 1 ? check_scale() : 0.4; /* make test takes a sample */
  for (int i = 0; i < count * scale; i++) {
    pair p;
    random_pair(&r, hard, &p);
    check(&p, &r, i);
  }
}

static void check_answer(const pair *p, brio_random *r, int i) {
  (void)r;
  brio_distance d = ask(p);
  CHECK(all_finite(&d), "pair %d (%s, %s)", i, KINDS(p));
  CHECK_NEAR(brio_vec3_norm(d.normal), 1, 1e-12, "pair %d", i);
  CHECK_NEAR(brio_vec3_dot(d.normal, brio_vec3_sub(d.point_b, d.point_a)), d.distance, 1e-14, "pair %d", i);
  brio_vec3 back = brio_vec3_scale(-1, d.normal);
  double off_a = off_surface(&p->a, &p->pose_a, d.point_a, d.normal);
  double off_b = off_surface(&p->b, &p->pose_b, d.point_b, back);
  CHECK_NEAR(off_a, 0, 10 * slack(p, &d), "pair %d (%s, %s) at %g: point of a", i, KINDS(p), d.distance);
  CHECK_NEAR(off_b, 0, 10 * slack(p, &d), "pair %d (%s, %s) at %g: point of b", i, KINDS(p), d.distance);
}

static void witnesses_are_on_the_surfaces(void) { run_pairs(false, "plain", 4000, check_answer); }
static void witnesses_are_on_degenerate_surfaces(void) { run_pairs(true, "hard", 20000, check_answer); }

static void check_best(const pair *p, brio_random *r, int i) {
  brio_distance d = ask(p);
  CHECK_NEAR(separation(p, d.normal), d.distance, 10 * slack(p, &d), "pair %d", i);
  for (int k = 0; k < 100; k++) {
    brio_vec3 m = random_direction(r);
    if (k >= 40) m = brio_vec3_unit(brio_vec3_add_scaled(d.normal, pow(10, -k / 12.0), m), m);
    CHECK(separation(p, m) <= d.distance + slack(p, &d),
          "pair %d (%s, %s): %.13g, but %.13g along another direction", i, KINDS(p), d.distance,
          separation(p, m));
  }
}

static void no_direction_separates_more(void) { run_pairs(false, "plain", 2000, check_best); }
static void no_direction_separates_degenerate_more(void) { run_pairs(true, "hard", 20000, check_best); }

static void check_moved(const pair *p, brio_random *r, int i) {
  brio_distance d = ask(p);
  double t = p->size * pow(10, brio_random_uniform(r, -7, 0.5));
  pair q = *p;
  q.a.points = p->corners_a, q.b.points = p->corners_b;
  q.pose_b.p = brio_vec3_add_scaled(p->pose_b.p, t, d.normal);
  CHECK_NEAR(ask(&q).distance, d.distance + t, 2 * slack(p, &d) + 1e-11 * t,
             "pair %d (%s, %s) moved %g from %g", i, KINDS(p), t, d.distance);
}

static void moving_along_the_normal_adds_as_much(void) { run_pairs(false, "plain", 4000, check_moved); }
static void moving_degenerate_along_the_normal(void) { run_pairs(true, "hard", 20000, check_moved); }

static void check_swapped(const pair *p, brio_random *r, int i) {
  (void)r;
  brio_distance d = ask(p), m = brio_shape_distance(&p->b, &p->pose_b, &p->a, &p->pose_a, NULL);
  CHECK_NEAR(m.distance, d.distance, slack(p, &d), "pair %d (%s, %s)", i, KINDS(p));
  if (p->a.kind == p->b.kind) return; /* ties may fall either way */
  CHECK(memcmp(&m.point_a, &d.point_b, sizeof m.point_a) == 0, "pair %d", i);
  CHECK(memcmp(&m.point_b, &d.point_a, sizeof m.point_a) == 0, "pair %d", i);
  CHECK_NEAR(brio_vec3_norm(brio_vec3_add(m.normal, d.normal)), 0, 0, "pair %d", i);
}

static void swapping_mirrors(void) {
  run_pairs(false, "plain", 4000, check_swapped);
  run_pairs(true, "hard", 20000, check_swapped);
}

static void check_rigid(const pair *p, brio_random *r, int i) {
  brio_vec3 far = brio_vec3_scale(3, random_direction(r));
  brio_transform world = brio_transform_of((brio_pose){far, random_turn(r)});
  brio_transform a = brio_transform_mul(&world, &p->pose_a), b = brio_transform_mul(&world, &p->pose_b);
  brio_distance d = ask(p), m = brio_shape_distance(&p->a, &a, &p->b, &b, NULL);
  CHECK_NEAR(m.distance, d.distance, slack(p, &d), "pair %d (%s, %s)", i, KINDS(p));
}

static void moving_both_changes_nothing(void) {
  run_pairs(false, "plain", 4000, check_rigid);
  run_pairs(true, "hard", 20000, check_rigid);
}

static void check_derivative(const pair *p, brio_random *r, int i) {
  brio_distance d = ask(p);
  if (d.distance < 0.02) return; /* the normal may jump where shapes touch or overlap */
  const double h = 1e-6;
  brio_vec3 e = random_direction(r);
  pair ahead = *p, behind = *p;
  ahead.pose_b.p = brio_vec3_add_scaled(p->pose_b.p, h, e);
  behind.pose_b.p = brio_vec3_add_scaled(p->pose_b.p, -h, e);
  double slope = (ask(&ahead).distance - ask(&behind).distance) / (2 * h);
  CHECK_NEAR(slope, brio_vec3_dot(d.normal, e), p->hard ? 1e-3 : 2e-5,
             "pair %d (%s, %s) at %g", i, KINDS(p), d.distance);
}

static void normal_is_the_derivative(void) {
  run_pairs(false, "plain", 4000, check_derivative);
  run_pairs(true, "hard", 20000, check_derivative);
}

static void check_cache(const pair *p, brio_random *r, int i) {
  brio_distance cold = ask(p);
  brio_distance_cache cache = {random_direction(r)}; /* of another pair: only slower */
  for (int k = 0; k < 3; k++) {
    brio_distance warm = brio_shape_distance(&p->a, &p->pose_a, &p->b, &p->pose_b, &cache);
    CHECK_NEAR(warm.distance, cold.distance, slack(p, &cold), "pair %d query %d", i, k);
    CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(cache.direction, warm.normal)), 0, 0, "pair %d", i);
  }
}

static void a_cache_changes_only_the_way(void) {
  run_pairs(false, "plain", 4000, check_cache);
  run_pairs(true, "hard", 20000, check_cache);
}

static void check_bound(const pair *p, brio_random *r, int i) {
  (void)r;
  double a = brio_shape_radius(&p->a), b = brio_shape_radius(&p->b);
  double bound = brio_shape_distance_bound(a, &p->pose_a, b, &p->pose_b);
  CHECK(bound <= ask(p).distance + 1e-9 * p->size, "pair %d: bound %g above", i, bound);
}

static void bound_is_below(void) {
  run_pairs(false, "plain", 4000, check_bound);
  run_pairs(true, "hard", 20000, check_bound);
}

/* --- half-spaces: the distance of a shape above is that of its lowest point, by supports from here --- */

static brio_transform random_plane(brio_random *r) {
  return brio_transform_of(
      (brio_pose){brio_vec3_scale(brio_random_uniform(r, -1, 1), random_direction(r)), random_turn(r)});
}

static void check_half_space(const pair *p, brio_random *r, int i) {
  brio_shape plane = {.kind = BRIO_SHAPE_HALF_SPACE};
  brio_transform at = random_plane(r);
  brio_vec3 up = {at.r[2], at.r[5], at.r[8]};
  double height = -reach(&p->b, &p->pose_b, brio_vec3_scale(-1, up)) - brio_vec3_dot(up, at.p);
  brio_distance d = brio_shape_distance(&plane, &at, &p->b, &p->pose_b, NULL);
  CHECK_NEAR(d.distance, height, 1e-14, "pair %d (%s)", i, brio_shape_kind_name(p->b.kind));
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(d.normal, up)), 0, 1e-15, "pair %d", i);
  CHECK_NEAR(brio_vec3_dot(up, brio_vec3_sub(d.point_a, at.p)), 0, 1e-14, "pair %d: on the plane", i);
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(d.point_b, brio_vec3_add_scaled(d.point_a, height, up))), 0, 1e-14,
             "pair %d: straight above", i);
  CHECK_NEAR(off_surface(&p->b, &p->pose_b, d.point_b, brio_vec3_scale(-1, up)), 0, 1e-7 * p->size, "pair %d",
             i);
  brio_distance m = brio_shape_distance(&p->b, &p->pose_b, &plane, &at, NULL);
  CHECK(m.distance == d.distance && memcmp(&m.point_a, &d.point_b, sizeof m.point_a) == 0,
        "pair %d: mirrored", i);
}

static void half_spaces_are_as_far_as_what_is_above_reaches_down(void) {
  run_pairs(false, "plane", 4000, check_half_space);
  run_pairs(true, "hard plane", 4000, check_half_space);
}

static void half_spaces_that_face_each_other_are_apart(void) {
  brio_shape plane = {.kind = BRIO_SHAPE_HALF_SPACE};
  brio_random r = brio_random_stream(20, "planes");
  for (int i = 0; i < 500; i++) {
    brio_transform a = random_plane(&r), b = a;
    brio_vec3 up = {a.r[2], a.r[5], a.r[8]};
    double gap = brio_random_uniform(&r, -2, 2);
    for (int k = 0; k < 3; k++) b.r[3 * k + 1] *= -1, b.r[3 * k + 2] *= -1;
    b.p = brio_vec3_add(brio_vec3_add_scaled(a.p, gap, up), brio_vec3_cross(up, random_direction(&r)));
    brio_distance d = brio_shape_distance(&plane, &a, &plane, &b, NULL);
    CHECK_NEAR(d.distance, gap, 1e-14, "pair %d", i);
    CHECK_NEAR(brio_vec3_dot(d.normal, brio_vec3_sub(d.point_b, d.point_a)), gap, 1e-14, "pair %d", i);
    brio_transform c = random_plane(&r);
    CHECK(brio_shape_distance(&plane, &a, &plane, &c, NULL).distance == -INFINITY, "pair %d: they meet", i);
    CHECK(brio_shape_distance(&plane, &a, &plane, &a, NULL).distance == -INFINITY, "pair %d: the same", i);
  }
  CHECK(brio_shape_radius(&plane) == INFINITY && brio_shape_check(&plane, NULL), "a shape without end");
}

/* Answers that are obvious. */
static void plain_cases(void) {
  brio_shape box = {.kind = BRIO_SHAPE_BOX, .size = {2, 2, 2}};
  brio_shape can = {.kind = BRIO_SHAPE_CYLINDER, .size = {1, 0, 2}};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.5, 0, 0}};
  brio_transform here = BRIO_TRANSFORM_IDENTITY, there = BRIO_TRANSFORM_IDENTITY;
  there.p = (brio_vec3){3, 0, 0};
  const struct { const brio_shape *a, *b; double distance; } cases[] = {
      {&box, &box, 1},    {&box, &can, 1},    {&can, &can, 1},
      {&ball, &box, 1.5}, {&ball, &can, 1.5}, {&ball, &ball, 2}};
  for (int i = 0; i < 6; i++) {
    brio_distance d = brio_shape_distance(cases[i].a, &here, cases[i].b, &there, NULL);
    CHECK_NEAR(d.distance, cases[i].distance, 1e-11, "case %d", i);
    CHECK_NEAR(d.normal.x, 1, 1e-9, "case %d", i);
    CHECK(brio_shape_distance(cases[i].a, &here, cases[i].b, &here, NULL).distance < -0.4, "case %d", i);
  }
  CHECK_NEAR(brio_shape_distance(&box, &here, &box, &here, NULL).distance, -2, 1e-12, "equal boxes");
  CHECK_NEAR(brio_shape_distance(&can, &here, &can, &here, NULL).distance, -2, 1e-8, "equal cylinders");
}

/* Corners around the origin carry it, too: an overlap whose numbers are odd ends with such a simplex. */
static void corners_around_the_origin_carry_it(void) {
  brio_random r = brio_random_stream(23, "simplex");
  for (int i = 0; i < 200; i++) {
    /* Three corners at random; the fourth is opposite a mean of them. The points of a are other ones. */
    brio_simplex s = {.count = 4};
    double share[3];
    for (int k = 0; k < 3; k++) {
      share[k] = brio_random_uniform(&r, 0.2, 1);
      s.point[k].w = brio_vec3_scale(brio_random_uniform(&r, 0.5, 2), random_direction(&r));
      s.point[3].w = brio_vec3_add_scaled(s.point[3].w, -share[k], s.point[k].w);
    }
    for (int k = 0; k < 4; k++) s.point[k].a = random_direction(&r);
    brio_vec3 at, sum = {0, 0, 0}, made = {0, 0, 0};
    if (!brio_simplex_nearest(&s, INFINITY, &at) || s.count < 4) continue; /* a flat one */
    for (int k = 0; k < 4; k++) {
      sum = brio_vec3_add_scaled(sum, s.weight[k], s.point[k].w);
      made = brio_vec3_add_scaled(made, s.weight[k], s.point[k].a);
      CHECK(s.weight[k] > 0, "simplex %d: corner %d has no weight", i, k);
    }
    CHECK_NEAR(brio_vec3_norm(sum), 0, 1e-12, "simplex %d", i);
    CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(made, brio_simplex_point_a(&s))), 0, 1e-12, "simplex %d", i);
    CHECK_NEAR(s.weight[0] + s.weight[1] + s.weight[2] + s.weight[3], 1, 1e-12, "simplex %d", i);
  }
}

static void odd_poses_and_huge_numbers_end(void) {
  brio_random r = brio_random_stream(20, "odd");
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e308, 1e-320, 1e150, -1e17};
  for (int i = 0; i < 4000; i++) {
    pair p;
    random_pair(&r, true, &p);
    double *at[3] = {&p.pose_b.p.x, &p.pose_b.r[brio_random_below(&r, 9)], &p.pose_a.p.z};
    *at[brio_random_below(&r, 3)] = odd[brio_random_below(&r, 7)];
    brio_distance_cache cache = {{odd[brio_random_below(&r, 7)], 0, 0}}, again = cache;
    brio_distance one = brio_shape_distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &cache);
    brio_distance two = brio_shape_distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &again);
    CHECK(memcmp(&one, &two, sizeof one) == 0, "pair %d: the same question, another answer", i);
  }
}

static void check_names_what_is_wrong(void) {
  brio_vec3 corner[2] = {{0, 0, 0}, {0, NAN, 0}};
  const struct { brio_shape shape; const char *says; } cases[] = {
      {{.kind = BRIO_SHAPE_BOX, .size = {1, -1, 1}}, "box of size 1 -1 1"},
      {{.kind = BRIO_SHAPE_SPHERE, .size = {NAN, 0, 0}}, "sphere of size"},
      {{.kind = BRIO_SHAPE_CAPSULE, .size = {1, 0, INFINITY}}, "capsule of size"},
      {{.kind = BRIO_SHAPE_HULL}, "hull without corners"},
      {{.kind = BRIO_SHAPE_HULL, .npoint = 2, .points = corner}, "hull corner 2"},
      {{.kind = (brio_shape_kind)9}, "shape kind 9"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    brio_error err = {0};
    CHECK(!brio_shape_check(&cases[i].shape, &err), "case %zu", i);
    CHECK(err.code == BRIO_MISUSE, "case %zu: %s", i, brio_code_name(err.code));
    CHECK_HAS(err.message, cases[i].says);
  }
  brio_shape point = {.kind = BRIO_SHAPE_HULL, .npoint = 1, .points = corner};
  CHECK(brio_shape_check(&point, NULL), "a hull of one corner is a shape");
}

CHECK_SUITE(CHECK_TEST(witnesses_are_on_the_surfaces), CHECK_TEST(witnesses_are_on_degenerate_surfaces),
            CHECK_TEST(no_direction_separates_more), CHECK_TEST(no_direction_separates_degenerate_more),
            CHECK_TEST(moving_along_the_normal_adds_as_much), CHECK_TEST(moving_degenerate_along_the_normal),
            CHECK_TEST(swapping_mirrors), CHECK_TEST(moving_both_changes_nothing),
            CHECK_TEST(normal_is_the_derivative), CHECK_TEST(a_cache_changes_only_the_way),
            CHECK_TEST(bound_is_below), CHECK_TEST(plain_cases),
            CHECK_TEST(corners_around_the_origin_carry_it), CHECK_TEST(odd_poses_and_huge_numbers_end),
            CHECK_TEST(check_names_what_is_wrong),
            CHECK_TEST(half_spaces_are_as_far_as_what_is_above_reaches_down),
            CHECK_TEST(half_spaces_that_face_each_other_are_apart))
