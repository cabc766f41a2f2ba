/* A watch compared with measuring all pairs again.  The plain pass over all pairs with no range is the
** reference: over random walks, jumps, poses that are tried and undone, shapes that are added, moved and
** removed, the watch must find the same pairs within the range at the same distances, miss none, and never
** give a bound above the true distance.  What is not promised is not compared: which pairs beyond the range
** it lists, and which bounds it keeps. */
#include "base/random.h"
#include "geometry/watch.h"
#include "tests/check.h"

enum { FRAMES = 6, BODIES = 24, OWN = 4, ROBOT = 8, PAIRS = BODIES * BODIES, CORNERS = 12 };

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
  brio_body body = {.frame = frame, .group = frame + 1, .physical = true, .present = true};
  body.pose = brio_transform_of((brio_pose){random_point(r, frame < 0 ? 1.5 : 0.2), random_turn(r, 3)});
  body.shape.kind =
      (brio_shape_kind)brio_random_below(r, brio_random_below(r, 8) ? BRIO_SHAPE_HALF_SPACE : BRIO_NSHAPE);
  brio_vec3 z = {brio_random_uniform(r, 0.02, 0.3), brio_random_uniform(r, 0.02, 0.3),
                 brio_random_uniform(r, 0.02, 0.3)};
  if (body.shape.kind != BRIO_SHAPE_HULL) body.shape.size = z;
  for (int k = 0; k < CORNERS; k++) s->corners[i][k] = random_point(r, 0.2);
  body.shape.points = body.shape.kind == BRIO_SHAPE_HULL ? s->corners[i] : NULL;
  body.shape.npoint = body.shape.points ? CORNERS : 0;
  body.radius = brio_shape_radius(&body.shape);
  return body;
}

/* Whether the watch covers a pair: one that it must find, or one that the caller lists. */
static bool counts(const scene *s, int i, int j) {
  const brio_body *a = &s->watch.bodies[i], *b = &s->watch.bodies[j];
  if (!a->present || !b->present || a->frame == b->frame) return false;
  if (j < OWN) return (i + j) % 2 == 1; /* which the caller chose to list */
  return a->shape.kind != BRIO_SHAPE_HALF_SPACE || b->shape.kind != BRIO_SHAPE_HALF_SPACE;
}

static void list_own(scene *s) {
  brio_watch *w = &s->watch;
  for (int i = 0; i < OWN; i++)
    for (int j = i + 1; j < OWN; j++)
      if ((i + j) % 2 == 1) w->pairs[w->npair++] = brio_proximity_pair_of(i, j);
  w->nfixed = w->npair;
}

static void place_frames(scene *s) {
  for (int i = 0; i < FRAMES; i++) s->frames[i] = brio_transform_of(s->at[i]);
}

static void start(scene *s, const char *stream) {
  *s = (scene){.stream = brio_random_stream(7, stream)};
  CHECK(brio_watch_start(&s->watch, BODIES, OWN, NULL), "memory");
  list_own(s);
  for (int i = 0; i < BODIES; i++) {
    brio_body body = random_body(s, i, i < ROBOT ? i % FRAMES : -1);
    CHECK(brio_watch_put(&s->watch, i, &body), "memory");
  }
  for (int i = 0; i < FRAMES; i++)
    s->at[i] = (brio_pose){random_point(&s->stream, 1), random_turn(&s->stream, 3)};
  place_frames(s);
}

/* Move a frame by up to `far` m and rad. */
static void walk(scene *s, int frame, double far) {
  brio_pose *at = &s->at[frame];
  at->p = brio_vec3_add(at->p, random_point(&s->stream, far));
  double *place[] = {&at->p.x, &at->p.y, &at->p.z};
  for (int k = 0; k < 3; k++) *place[k] = fmin(fmax(*place[k], -1.5), 1.5);
  at->q = brio_quat_unit(brio_quat_mul(at->q, random_turn(&s->stream, far)));
}

/* Events between two queries: mostly steps, sometimes a jump, and shapes that are
** added, moved and removed. */
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
  }
}

typedef struct truth {
  brio_body bodies[BODIES];
  brio_proximity_pair pairs[PAIRS];
  int npair;
  double smallest;
} truth;

/* Measure all pairs again. */
static truth measure_all(const scene *s) {
  truth t;
  t.npair = 0;
  memcpy(t.bodies, s->watch.bodies, sizeof t.bodies);
  for (int i = 0; i < BODIES; i++)
    for (int j = i + 1; j < BODIES; j++)
      if (counts(s, i, j)) t.pairs[t.npair++] = brio_proximity_pair_of(i, j);
  t.smallest = brio_proximity_query(t.bodies, BODIES, s->frames, t.pairs, t.npair, 1e9);
  return t;
}

static const brio_proximity_pair *find(const brio_proximity_pair *list, int count, int a, int b) {
  for (int i = 0; i < count; i++)
    if (list[i].body_a == a && list[i].body_b == b) return &list[i];
  return NULL;
}

static void compare(const scene *s, const brio_proximity_pair *got, int count, const brio_watch_query *query,
                    int tick) {
  truth t = measure_all(s);
  int left = 0, seen = 0;
  for (int i = 0; i < t.npair; i++) {
    double distance = t.pairs[i].near.distance;
    const brio_proximity_pair *pair = find(got, count, t.pairs[i].body_a, t.pairs[i].body_b);
    seen += pair != NULL;
    CHECK(pair || distance > fmax(query->range, query->list) - 1e-7, "tick %d: %d-%d at %.12g is missed",
          tick, t.pairs[i].body_a, t.pairs[i].body_b, distance);
    if (!pair) continue;
    CHECK(pair->near.distance <= distance + 2e-8, "tick %d: %.12g is above %.12g", tick, pair->near.distance,
          distance);
    if (fabs(distance - query->range) > 1e-7) {
      bool due = distance < query->range;
      if (query->budget == 0) CHECK(pair->within == due, "tick %d at %g", tick, distance);
      else CHECK(due || !pair->within, "tick %d at %g", tick, distance);
    }
    left += distance < query->range && !pair->within;
    if (!pair->within) continue;
    const brio_distance *d = &pair->near;
    CHECK_NEAR(d->distance, distance, 2e-8, "tick %d", tick);
    CHECK_NEAR(brio_vec3_dot(d->normal, brio_vec3_sub(d->point_b, d->point_a)), d->distance, 1e-11, "tick %d",
               tick);
  }
  CHECK(seen == count, "tick %d: %d pairs that are none", tick, count - seen);
  for (int i = s->watch.nfixed + 1; i < count; i++)
    CHECK(got[i].body_a > got[i - 1].body_a ||
              (got[i].body_a == got[i - 1].body_a && got[i].body_b > got[i - 1].body_b),
          "tick %d: pair %d out of order", tick, i);
  if (query->budget > 0) CHECK(s->watch.measured <= query->budget, "%d measured", s->watch.measured);
  if (left > 0) CHECK(s->watch.left > 0, "tick %d: %d left out in silence", tick, left);
}

static double least(const scene *s) { return measure_all(s).smallest; }

static void finds_what_measuring_everything_finds(void) {
  scene s;
  start(&s, "walk");
  static const double ranges[] = {0, 0.02, 0.1, 0.3, 1};
  int queries = (int)(10000 * check_scale());
  for (int tick = 0; tick < queries; tick++) {
    happen(&s);
    double range = ranges[brio_random_below(&s.stream, 5)];
    brio_watch_query query = {.frames = s.frames,
                              .range = range,
                              .list = ranges[brio_random_below(&s.stream, 5)],
                              .horizon = fmax(range, ranges[brio_random_below(&s.stream, 5)])};
    double smallest = brio_watch_measure(&s.watch, &query), real = least(&s);
    compare(&s, s.watch.pairs, s.watch.npair, &query, tick);
    if (real < query.horizon - 1e-7) CHECK_NEAR(smallest, real, 2e-8, "tick %d: the smallest", tick);
    else CHECK(smallest <= real + 2e-8 && smallest >= query.horizon - 1e-7, "tick %d: %g", tick, smallest);
    if (brio_random_below(&s.stream, 3) == 0) brio_watch_anchor(&s.watch);
  }
  brio_watch_end(&s.watch);
}

static void a_budget_measures_the_first_and_bounds_the_rest(void) {
  scene s;
  start(&s, "budget");
  for (int tick = 0; tick < 5000 * check_scale(); tick++) {
    happen(&s);
    int budget = 1 + (int)brio_random_below(&s.stream, 12);
    brio_watch_query query = {.frames = s.frames, .range = 0.4, .horizon = 0.4, .budget = budget};
    double smallest = brio_watch_measure(&s.watch, &query);
    compare(&s, s.watch.pairs, s.watch.npair, &query, tick);
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
  brio_watch_query query = {.frames = s.frames, .range = 0.05, .horizon = 0.05};
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

/* More neighbors than a body's list can hold: the omitted ones are counted, and the smallest distance
** accounts for them. */
static void a_crowd_is_bounded(void) {
  enum { CROWD = 1500 };
  brio_watch watch;
  brio_random r = brio_random_stream(7, "crowd");
  brio_transform frame = BRIO_TRANSFORM_IDENTITY;
  brio_body body = {
      .frame = 0, .group = 1, .pose = BRIO_TRANSFORM_IDENTITY, .shape = {.kind = BRIO_SHAPE_SPHERE}};
  body.radius = body.shape.size.x = 0.1;
  CHECK(brio_watch_start(&watch, CROWD + 1, 1, NULL) && brio_watch_put(&watch, 0, &body), "memory");
  body.frame = -1, body.group = 0;
  body.radius = body.shape.size.x = 0.005;
  for (int i = 1; i <= CROWD; i++) {
    body.pose.p = brio_vec3_scale(brio_random_uniform(&r, 0.15, 0.3), random_point(&r, 1));
    CHECK(brio_watch_put(&watch, i, &body), "memory");
  }
  for (int tick = 0; tick < 100; tick++) {
    double least_true = INFINITY, unlisted = INFINITY;
    frame.p = random_point(&r, tick % 2 ? 0.1 : 0.4);
    brio_watch_query query = {.frames = &frame, .range = 0.1, .horizon = 0.1};
    double smallest = brio_watch_measure(&watch, &query);
    for (int i = 1; i <= CROWD; i++) {
      double d = brio_vec3_norm(brio_vec3_sub(watch.bodies[i].pose.p, frame.p)) - 0.105;
      const brio_proximity_pair *pair = find(watch.pairs, watch.npair, 0, i);
      least_true = fmin(least_true, d);
      if (!pair) unlisted = fmin(unlisted, d);
      else if (pair->within) CHECK_NEAR(pair->near.distance, d, 1e-12, "tick %d: %d", tick, i);
    }
    CHECK(watch.npair <= 256, "%d pairs", watch.npair);
    CHECK(smallest <= least_true + 1e-9, "tick %d: %g told, %g true", tick, smallest, least_true);
    CHECK(unlisted > 0.1 - 1e-9 || watch.left > 0, "tick %d: one at %g is left out in silence", tick,
          unlisted);
  }
  brio_watch_end(&watch);
}

static void a_pair_that_left_tells_no_stale_distance(void) {
  scene s;
  start(&s, "stale");
  brio_watch_query query = {.frames = s.frames, .range = 0.5, .horizon = 0.5};
  brio_watch_measure(&s.watch, &query);
  CHECK(s.watch.npair > s.watch.nfixed, "something is near");
  for (int i = 0; i < FRAMES; i++) s.at[i].p = (brio_vec3){100.0 * i, 0, 50};
  place_frames(&s);
  brio_watch_measure(&s.watch, &query);
  for (int i = 0; i < s.watch.npair; i++) {
    const brio_proximity_pair *pair = &s.watch.pairs[i];
    if (s.watch.bodies[pair->body_a].radius + s.watch.bodies[pair->body_b].radius > 10) continue;
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
    brio_watch_query query = {.frames = s->frames, .range = 0.3, .horizon = 0.3, .budget = tick % 2 ? 5 : 0};
    brio_watch_measure(&s->watch, &query);
    if (tick % 3 == 0) brio_watch_anchor(&s->watch);
  }
  memcpy(out, s->watch.pairs, (size_t)s->watch.npair * sizeof *out);
}

static void forgetting_begins_anew_bit_for_bit(void) {
  scene s;
  brio_proximity_pair first[PAIRS], second[PAIRS];
  start(&s, "forget");
  run(&s, first);
  int count = s.watch.npair;
  brio_watch_end(&s.watch);
  start(&s, "forget");
  for (int pass = 0; pass < 3; pass++) {
    run(&s, second);
    CHECK(s.watch.npair == count, "pass %d: %d pairs, not %d", pass, s.watch.npair, count);
    for (int i = 0; i < count; i++) {
      CHECK(memcmp(&first[i].near, &second[i].near, sizeof first[i].near) == 0, "pass %d pair %d", pass, i);
      CHECK(first[i].within == second[i].within, "pass %d pair %d", pass, i);
    }
    brio_watch_forget(&s.watch);
  }
  brio_watch_end(&s.watch);
}

static void looking_changes_nothing(void) {
  scene s, t;
  start(&s, "look");
  start(&t, "look");
  for (int tick = 0; tick < 300; tick++) {
    for (int i = 0; i < FRAMES; i++) walk(&s, i, 0.02);
    memcpy(t.at, s.at, sizeof t.at);
    place_frames(&s);
    place_frames(&t);
    brio_watch_query query = {.frames = s.frames, .range = 0.05, .horizon = 0.3};
    brio_watch_query far = {.frames = s.frames, .range = 0.6, .horizon = 0.6};
    brio_watch_measure(&s.watch, &query);
    int count = -1;
    brio_proximity_pair *seen = brio_watch_report(&s.watch, s.frames, 0.6, &count);
    CHECK(seen != NULL, "memory");
    compare(&s, seen, count, &far, tick);
    free(seen);
    query.frames = t.frames;
    brio_watch_measure(&t.watch, &query);
    CHECK(s.watch.npair == t.watch.npair, "tick %d", tick);
    CHECK(memcmp(s.watch.pairs, t.watch.pairs, (size_t)s.watch.npair * sizeof *seen) == 0, "tick %d", tick);
  }
  brio_watch_end(&s.watch);
  brio_watch_end(&t.watch);
}

/* A pose with NaN harms only the queries that use it. */
static void bad_poses_pass(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e17};
  scene s;
  start(&s, "odd");
  for (int tick = 0; tick < 300; tick++) {
    happen(&s);
    brio_watch_query query = {.frames = s.frames, .range = 0.3, .horizon = 0.3};
    s.frames[tick % FRAMES].p.x = odd[tick % 5];
    s.frames[tick % FRAMES].r[tick % 9] = odd[tick % 4];
    brio_watch_measure(&s.watch, &query);
    if (tick % 3) brio_watch_anchor(&s.watch);
    place_frames(&s);
    brio_watch_measure(&s.watch, &query);
    compare(&s, s.watch.pairs, s.watch.npair, &query, tick);
  }
  brio_watch_end(&s.watch);
}

CHECK_SUITE(CHECK_TEST(finds_what_measuring_everything_finds),
            CHECK_TEST(a_budget_measures_the_first_and_bounds_the_rest),
            CHECK_TEST(only_what_may_be_near_is_measured),
            CHECK_TEST(a_pair_that_left_tells_no_stale_distance), CHECK_TEST(a_crowd_is_bounded),
            CHECK_TEST(forgetting_begins_anew_bit_for_bit), CHECK_TEST(looking_changes_nothing),
            CHECK_TEST(bad_poses_pass))
