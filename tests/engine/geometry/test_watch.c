/* A watch against measuring everything afresh.  The plain pass over all pairs with no range is the
** reference: over random walks, jumps, poses that are tried and taken back, shapes that come, move and
** go, the watch must find the same pairs within the range at the same distances, and nowhere a bound
** above the true distance.  What is not promised is not compared: which of the bounds it keeps. */
#include "base/random.h"
#include "geometry/watch.h"
#include "tests/check.h"

enum { FRAMES = 6, BODIES = 18, ROBOT = 8, PAIRS = BODIES * BODIES, CORNERS = 12 };

typedef struct scene {
  brio_watch watch;
  brio_vec3 corners[BODIES][CORNERS];
  brio_transform frames[FRAMES];
  brio_pose at[FRAMES];
  brio_random stream;
} scene;

static brio_quat random_turn(brio_random *r, double most) {
  brio_vec3 v = {brio_random_normal(r), brio_random_normal(r), brio_random_normal(r)};
  return brio_quat_exp(brio_vec3_scale(most * brio_random_uniform(r, -1, 1), brio_vec3_unit(v, v)));
}

static brio_vec3 random_point(brio_random *r, double far) {
  return (brio_vec3){brio_random_uniform(r, -far, far), brio_random_uniform(r, -far, far),
                     brio_random_uniform(r, -far, far)};
}

static brio_body random_body(scene *s, int i, int frame) {
  brio_random *r = &s->stream;
  brio_body body = {.frame = frame, .physical = true, .present = true};
  body.pose = brio_transform_of((brio_pose){random_point(r, frame < 0 ? 1.5 : 0.2), random_turn(r, 3)});
  body.shape.kind = (brio_shape_kind)brio_random_below(r, BRIO_NSHAPE);
  brio_vec3 z = {brio_random_uniform(r, 0.02, 0.3), brio_random_uniform(r, 0.02, 0.3),
                 brio_random_uniform(r, 0.02, 0.3)};
  if (body.shape.kind != BRIO_SHAPE_HULL) body.shape.size = z;
  for (int k = 0; k < CORNERS; k++) s->corners[i][k] = random_point(r, 0.2);
  body.shape.points = body.shape.kind == BRIO_SHAPE_HULL ? s->corners[i] : NULL;
  body.shape.npoint = body.shape.points ? CORNERS : 0;
  body.radius = brio_shape_radius(&body.shape);
  return body;
}

/* List every pair that is not of one frame afresh. */
static void list_pairs(scene *s) {
  brio_watch *w = &s->watch;
  w->npair = 0;
  for (int i = 0; i < BODIES; i++)
    for (int j = i + 1; j < BODIES; j++)
      if (w->bodies[i].present && w->bodies[j].present && w->bodies[i].frame != w->bodies[j].frame)
        w->pairs[w->npair++] = brio_proximity_pair_of(i, j);
}

static void place_frames(scene *s) {
  for (int i = 0; i < FRAMES; i++) s->frames[i] = brio_transform_of(s->at[i]);
}

static void start(scene *s, const char *stream) {
  *s = (scene){.stream = brio_random_stream(7, stream)};
  CHECK(brio_watch_start(&s->watch, BODIES, NULL) && brio_watch_reserve(&s->watch, PAIRS), "memory");
  for (int i = 0; i < BODIES; i++) {
    brio_body body = random_body(s, i, i < ROBOT ? i % FRAMES : -1);
    brio_watch_put(&s->watch, i, &body);
  }
  for (int i = 0; i < FRAMES; i++) s->at[i] = (brio_pose){random_point(&s->stream, 1), random_turn(&s->stream, 3)};
  place_frames(s);
  list_pairs(s);
}

/* Move a frame by up to `far` m and rad. */
static void walk(scene *s, int frame, double far) {
  brio_pose *at = &s->at[frame];
  at->p = brio_vec3_add(at->p, random_point(&s->stream, far));
  for (double *x = &at->p.x; x <= &at->p.z; x++) *x = fmin(fmax(*x, -1.5), 1.5);
  at->q = brio_quat_unit(brio_quat_mul(at->q, random_turn(&s->stream, far)));
}

/* What happens between two queries: mostly steps, at times a jump, and shapes that come, move and go. */
static void happen(scene *s) {
  static const double steps[] = {0, 1e-4, 0.002, 0.01, 0.05};
  brio_random *r = &s->stream;
  double step = brio_random_below(r, 50) == 0 ? 2 : steps[brio_random_below(r, 5)];
  for (int i = 0; i < FRAMES; i++)
    if (brio_random_below(r, 2)) walk(s, i, step);
  place_frames(s);
  if (brio_random_below(r, 8) == 0) {
    int i = ROBOT + (int)brio_random_below(r, BODIES - ROBOT);
    brio_transform pose = s->watch.bodies[i].pose;
    pose.p = brio_vec3_add(pose.p, random_point(r, steps[brio_random_below(r, 5)]));
    brio_watch_move(&s->watch, i, &pose);
  }
  if (brio_random_below(r, 60) == 0) {
    int i = ROBOT + (int)brio_random_below(r, BODIES - ROBOT);
    brio_body body = random_body(s, i, brio_random_below(r, 4) ? -1 : (int)brio_random_below(r, FRAMES));
    brio_watch_put(&s->watch, i, brio_random_below(r, 3) ? &body : NULL);
    list_pairs(s);
  }
}

/* Measure all pairs afresh, in a copy. */
static double measure_all(const scene *s, brio_body *bodies, brio_proximity_pair *pairs) {
  memcpy(bodies, s->watch.bodies, BODIES * sizeof *bodies);
  memcpy(pairs, s->watch.pairs, (size_t)s->watch.npair * sizeof *pairs);
  for (int i = 0; i < s->watch.npair; i++) pairs[i].cache = (brio_distance_cache){0};
  return brio_proximity_query(bodies, BODIES, s->frames, pairs, s->watch.npair, 1e9);
}

static void compare(const scene *s, const brio_proximity_pair *got, const brio_watch_query *query, int tick) {
  brio_body bodies[BODIES];
  brio_proximity_pair all[PAIRS];
  measure_all(s, bodies, all);
  int within = 0, left = 0;
  for (int i = 0; i < s->watch.npair; i++) {
    double distance = all[i].near.distance;
    CHECK(got[i].near.distance <= distance + 2e-8, "tick %d pair %d: %.12g is above %.12g", tick, i,
          got[i].near.distance, distance);
    if (fabs(distance - query->range) > 1e-7) {
      bool due = distance < query->range;
      if (query->budget == 0) CHECK(got[i].within == due, "tick %d pair %d at %g", tick, i, distance);
      else CHECK(due || !got[i].within, "tick %d pair %d at %g", tick, i, distance);
    }
    left += distance < query->range && !got[i].within;
    if (!got[i].within) continue;
    within++;
    CHECK_NEAR(got[i].near.distance, distance, 2e-8, "tick %d pair %d", tick, i);
    const brio_distance *d = &got[i].near;
    CHECK_NEAR(brio_vec3_dot(d->normal, brio_vec3_sub(d->point_b, d->point_a)), d->distance, 1e-12, "pair %d", i);
  }
  if (query->budget > 0) CHECK(s->watch.measured <= query->budget, "%d measured", s->watch.measured);
  if (left > 0) CHECK(s->watch.left > 0, "%d of %d left out in silence", left, within + left);
}

static double least(const scene *s) {
  brio_body bodies[BODIES];
  brio_proximity_pair all[PAIRS];
  return measure_all(s, bodies, all);
}

static void finds_what_measuring_everything_finds(void) {
  scene s;
  start(&s, "walk");
  static const double ranges[] = {0, 0.02, 0.1, 0.3, 1};
  int queries = (int)(10000 * check_scale());
  for (int tick = 0; tick < queries; tick++) {
    happen(&s);
    double range = ranges[brio_random_below(&s.stream, 5)];
    brio_watch_query query = {s.frames, range, fmax(range, ranges[brio_random_below(&s.stream, 5)]), 0};
    double smallest = brio_watch_measure(&s.watch, &query), truth = least(&s);
    compare(&s, s.watch.pairs, &query, tick);
    if (truth < query.horizon - 1e-7) CHECK_NEAR(smallest, truth, 2e-8, "tick %d: the smallest", tick);
    else CHECK(smallest <= truth + 2e-8 && smallest >= query.horizon - 1e-7, "tick %d: %g", tick, smallest);
    if (brio_random_below(&s.stream, 3) == 0) brio_watch_anchor(&s.watch);
  }
  brio_watch_end(&s.watch);
}

static void a_budget_measures_the_first_and_bounds_the_rest(void) {
  scene s;
  start(&s, "budget");
  for (int tick = 0; tick < 5000 * check_scale(); tick++) {
    happen(&s);
    brio_watch_query query = {s.frames, 0.4, 0.4, 1 + (int)brio_random_below(&s.stream, 12)};
    double smallest = brio_watch_measure(&s.watch, &query);
    compare(&s, s.watch.pairs, &query, tick);
    CHECK(smallest <= least(&s) + 2e-8, "tick %d: the smallest is a bound", tick);
    for (int i = 0; i < s.watch.npair; i++)
      CHECK(smallest <= s.watch.pairs[i].near.distance, "tick %d pair %d", tick, i);
    if (tick % 2) brio_watch_anchor(&s.watch);
  }
  brio_watch_end(&s.watch);
}

/* Standing still, walking by steps much smaller than the distances, and jumping. */
static void only_what_may_be_near_is_measured(void) {
  scene s;
  start(&s, "count");
  brio_watch_query query = {s.frames, 0.05, 0.05, 0};
  brio_watch_measure(&s.watch, &query);
  brio_watch_measure(&s.watch, &query);
  CHECK(s.watch.measured == 0, "standing still: %d", s.watch.measured);
  long measured = 0, near = 0;
  for (int tick = 0; tick < 500; tick++) {
    for (int i = 0; i < FRAMES; i++) walk(&s, i, 0.001);
    place_frames(&s);
    brio_watch_measure(&s.watch, &query);
    brio_watch_anchor(&s.watch);
    measured += s.watch.measured;
    for (int i = 0; i < s.watch.npair; i++) near += s.watch.pairs[i].near.distance < 0.08;
  }
  CHECK(measured <= near + 500, "%ld measured where %ld were near", measured, near);
  brio_watch_end(&s.watch);
}

static void a_pair_that_left_tells_no_stale_distance(void) {
  scene s;
  start(&s, "stale");
  brio_watch_query query = {s.frames, 0.5, 0.5, 0};
  brio_watch_measure(&s.watch, &query);
  for (int i = 0; i < FRAMES; i++) s.at[i].p = (brio_vec3){100.0 * i, 0, 50};
  place_frames(&s);
  brio_watch_measure(&s.watch, &query);
  for (int i = 0; i < s.watch.npair; i++) {
    const brio_proximity_pair *pair = &s.watch.pairs[i];
    if (pair->body_a >= ROBOT && pair->body_b >= ROBOT) continue;
    CHECK(!pair->within && pair->near.distance > 40, "pair %d: %g", i, pair->near.distance);
    CHECK(brio_vec3_norm(pair->near.normal) == 0, "pair %d still has a normal", i);
  }
  brio_watch_end(&s.watch);
}

/* Run a scene from its beginning; leave the distances of the last query. */
static void run(scene *s, brio_proximity_pair *out) {
  s->stream = brio_random_stream(7, "again");
  for (int i = 0; i < FRAMES; i++) s->at[i] = (brio_pose){{0.2 * i, 0, 0}, {0, 0, 0, 1}};
  for (int tick = 0; tick < 300; tick++) {
    for (int i = 0; i < FRAMES; i++) walk(s, i, 0.01);
    place_frames(s);
    brio_watch_query query = {s->frames, 0.3, 0.3, tick % 2 ? 5 : 0};
    brio_watch_measure(&s->watch, &query);
    if (tick % 3 == 0) brio_watch_anchor(&s->watch);
  }
  memcpy(out, s->watch.pairs, (size_t)s->watch.npair * sizeof *out);
}

static void forgetting_begins_anew_bit_for_bit(void) {
  scene s;
  start(&s, "forget");
  brio_proximity_pair first[PAIRS], second[PAIRS];
  run(&s, first);
  brio_watch_end(&s.watch);
  start(&s, "forget");
  run(&s, second);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < s.watch.npair; i++) {
      CHECK(memcmp(&first[i].near, &second[i].near, sizeof first[i].near) == 0, "pass %d pair %d", pass, i);
      CHECK(first[i].within == second[i].within, "pass %d pair %d", pass, i);
    }
    brio_watch_forget(&s.watch);
    run(&s, second);
  }
  brio_watch_end(&s.watch);
}

static void looking_changes_nothing(void) {
  scene s, t;
  start(&s, "look");
  start(&t, "look");
  brio_proximity_pair seen[PAIRS];
  for (int tick = 0; tick < 300; tick++) {
    for (int i = 0; i < FRAMES; i++) walk(&s, i, 0.02);
    memcpy(t.at, s.at, sizeof t.at);
    place_frames(&s);
    place_frames(&t);
    brio_watch_query query = {s.frames, 0.05, 0.3, 0}, far = {s.frames, 0.6, 0.6, 0};
    brio_watch_measure(&s.watch, &query);
    brio_watch_report(&s.watch, s.frames, 0.6, seen);
    compare(&s, seen, &far, tick);
    query.frames = t.frames;
    brio_watch_measure(&t.watch, &query);
    for (int i = 0; i < s.watch.npair; i++)
      CHECK(memcmp(&s.watch.pairs[i], &t.watch.pairs[i], sizeof *seen) == 0, "tick %d pair %d", tick, i);
  }
  brio_watch_end(&s.watch);
  brio_watch_end(&t.watch);
}

/* A pose that is no number harms only the queries that see it. */
static void bad_poses_pass(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e17};
  scene s;
  start(&s, "odd");
  for (int tick = 0; tick < 300; tick++) {
    happen(&s);
    brio_watch_query query = {s.frames, 0.3, 0.3, 0};
    s.frames[tick % FRAMES].p.x = odd[tick % 5];
    s.frames[tick % FRAMES].r[tick % 9] = odd[tick % 4];
    brio_watch_measure(&s.watch, &query);
    if (tick % 3) brio_watch_anchor(&s.watch);
    place_frames(&s);
    brio_watch_measure(&s.watch, &query);
    compare(&s, s.watch.pairs, &query, tick);
  }
  brio_watch_end(&s.watch);
}

CHECK_MAIN(CHECK_TEST(finds_what_measuring_everything_finds),
           CHECK_TEST(a_budget_measures_the_first_and_bounds_the_rest),
           CHECK_TEST(only_what_may_be_near_is_measured), CHECK_TEST(a_pair_that_left_tells_no_stale_distance),
           CHECK_TEST(forgetting_begins_anew_bit_for_bit), CHECK_TEST(looking_changes_nothing),
           CHECK_TEST(bad_poses_pass))
