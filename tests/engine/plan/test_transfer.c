/* Motions from state to state: durations of another program, limits, reversal, joints that arrive together.
** */
#include "base/random.h"
#include "plan/timing/transfer.h"
#include "tests/allocations.h"
#include "tests/truth.h"

enum { JOINTS = 7, ROWS = 10, SAMPLES = 11 };

/* A problem of several joints. */
typedef struct problem {
  int joints;
  brio_transfer_state starts[JOINTS], ends[JOINTS];
  brio_transfer_limits limits[JOINTS];
  double shortest[JOINTS], duration;    /* by the other program */
  bool sampled;                         /* its motion is known at tenths of the duration */
  double samples[SAMPLES * JOINTS * 3]; /* position, velocity and acceleration of each joint */
} problem;

/* Read the next problem; return what follows it, or NULL after the last one. */
static const char *read_problem(const char *at, problem *p) {
  static const char *const keys[ROWS] = {"p0", "v0",   "a0",   "p1",   "v1",
                                         "a1", "vmax", "amax", "jmax", "min_durations"};
  double x[ROWS][JOINTS];
  const char *end = NULL;
  if (!truth_after(at, keys[0])) return NULL;
  for (int k = 0; k < ROWS; k++) {
    end = truth_after(at, keys[k]);
    p->joints = truth_numbers(&end, x[k], JOINTS);
  }
  p->duration = strtod(truth_after(end, "duration"), NULL);
  /* Only some problems have samples. */
  const char *samples = truth_after(end, "samples"), *next = truth_after(end, "p0");
  p->sampled = samples && (!next || samples < next);
  if (p->sampled)
    CHECK(truth_numbers(&samples, p->samples, SAMPLES * JOINTS * 3) == SAMPLES * p->joints * 3, "samples");
  for (int j = 0; j < p->joints; j++) {
    p->starts[j] = (brio_transfer_state){x[0][j], x[1][j], x[2][j]};
    p->ends[j] = (brio_transfer_state){x[3][j], x[4][j], x[5][j]};
    p->limits[j] = (brio_transfer_limits){x[6][j], x[7][j], x[8][j]};
    p->shortest[j] = x[9][j];
  }
  return end;
}

/* The largest share of a limit that a motion uses. */
static double largest_use(const brio_transfer *m, const brio_transfer_limits *l, int samples) {
  double most = 0;
  for (int k = 0; k <= samples; k++) {
    brio_transfer_state at = brio_transfer_at(m, m->duration * k / samples);
    most = fmax(most, fmax(fabs(at.velocity) / l->velocity, fabs(at.acceleration) / l->acceleration));
  }
  for (int k = 0; k < BRIO_TRANSFER_SEGMENTS; k++) most = fmax(most, fabs(m->jerks[k]) / l->jerk);
  return most;
}

/* How far the last segment ends from the end. */
static double miss(const brio_transfer *m) {
  brio_transfer_state at = brio_transfer_at(m, m->duration * (1 - 1e-14)), end = m->end;
  return fabs(at.position - end.position) + fabs(at.velocity - end.velocity) +
         fabs(at.acceleration - end.acceleration);
}

/* What is collected over a file: largest relative differences of durations, and of the only joint's samples.
** */
typedef struct summary {
  double shortest, together, samples, use, miss;
  int count, sampled;
} summary;

/* Each joint alone. */
static void compare_alone(const problem *p, summary *all) {
  for (int j = 0; j < p->joints; j++) {
    brio_transfer m;
    brio_error err = {0};
    bool good = brio_transfer_find(&m, &p->starts[j], &p->ends[j], &p->limits[j], "it", &err);
    CHECK(good, "problem %d joint %d: %s", all->count, j, err.message);
    if (!good) continue;
    all->shortest = fmax(all->shortest, fabs(m.duration / p->shortest[j] - 1));
    all->miss = fmax(all->miss, miss(&m));
    for (int k = 0; k < SAMPLES && p->joints == 1 && p->sampled; k++) {
      brio_transfer_state at = brio_transfer_at(&m, m.duration * k / (SAMPLES - 1));
      all->samples = fmax(all->samples, fabs(at.position - p->samples[3 * k]));
      all->samples = fmax(all->samples, fabs(at.velocity - p->samples[3 * k + 1]));
      all->sampled += k == 0;
    }
  }
}

/* All joints. */
static void compare_together(const problem *p, summary *all) {
  brio_transfer made[JOINTS];
  brio_error err = {0};
  bool good = brio_transfer_find_all(made, p->starts, p->ends, p->limits, p->joints, NULL, &err);
  CHECK(good, "problem %d: %s", all->count, err.message);
  for (int j = 0; good && j < p->joints; j++) {
    all->together = fmax(all->together, fabs(made[j].duration / p->duration - 1));
    all->use = fmax(all->use, largest_use(&made[j], &p->limits[j], 100));
    all->miss = fmax(all->miss, miss(&made[j]));
  }
}

static void compare_file(const char *name) {
  static problem p;
  brio_text text = {0};
  brio_error err;
  summary all = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/data/truth/%s.json", check_shared(), name);
  bool good = brio_text_read_file(&text, path, 64u << 20, &err);
  CHECK(good, "%s", err.message);
  if (!good) return;
  for (const char *at = truth_after(text.bytes, "problems"); at && (at = read_problem(at, &p)); all.count++) {
    compare_alone(&p, &all);
    compare_together(&p, &all);
  }
  printf(
      "#   %s: %d problems; durations differ by %.1e alone, %.1e together; samples by %.1e; ends by %.1e\n",
      name, all.count, all.shortest, all.together, all.samples, all.miss);
  CHECK(all.count == 500 && all.shortest < 1e-7 && all.together < 1e-7, "durations");
  CHECK(all.samples < 1e-6 && all.miss < 1e-8 && all.use < 1 + 1e-6, "motions: use %g", all.use);
  brio_text_end(&text);
}

static void agrees_with_reference_values(void) {
  if (!check_shared()) SKIP("no shared reference data");
  compare_file("ruckig_1dof_full");
  compare_file("ruckig_7dof_full");
  compare_file("ruckig_7dof_rest");
}

/* A random state within limits that it will not and did not leave. */
static brio_transfer_state draw_state(brio_random *r, const brio_transfer_limits *l) {
  brio_transfer_state s = {.position = brio_random_uniform(r, -3, 3)};
  double room = fmin(l->acceleration, sqrt(2 * l->jerk * l->velocity));
  switch (brio_random_below(r, 4)) {
  case 0:
    return s;
  case 1:
    s.velocity = brio_random_uniform(r, -1, 1) * l->velocity;
    return s;
  default:
    break;
  }
  s.acceleration = brio_random_uniform(r, -1, 1) * room;
  double left = l->velocity - s.acceleration * s.acceleration / (2 * l->jerk);
  s.velocity = brio_random_uniform(r, -1, 1) * left;
  return s;
}

static void draw(uint64_t seed, problem *p) {
  brio_random r = brio_random_stream(seed, "transfer");
  p->joints = 1 + (int)brio_random_below(&r, JOINTS);
  for (int j = 0; j < p->joints; j++) {
    brio_transfer_limits l = {exp(brio_random_uniform(&r, -2, 2)), exp(brio_random_uniform(&r, -2, 3)),
                              exp(brio_random_uniform(&r, -1, 6))};
    p->limits[j] = l;
    p->starts[j] = draw_state(&r, &l);
    p->ends[j] = draw_state(&r, &l);
    if (brio_random_below(&r, 4) == 0) p->ends[j].position = p->starts[j].position;
  }
}

static void limits_hold_and_ends_are_met(void) {
  int count = (int)(2000 * check_scale());
  for (int seed = 0; seed < count; seed++) {
    problem p;
    brio_transfer made[JOINTS];
    brio_error err = {0};
    draw((uint64_t)seed, &p);
    bool good = brio_transfer_find_all(made, p.starts, p.ends, p.limits, p.joints, NULL, &err);
    CHECK(good, "seed %d: %s", seed, err.message);
    for (int j = 0; good && j < p.joints; j++) {
      double use = largest_use(&made[j], &p.limits[j], 50), off = miss(&made[j]);
      CHECK(use <= 1 + 1e-6, "seed %d joint %d: %.9f of a limit", seed, j, use);
      CHECK(off < 1e-7, "seed %d joint %d ends off by %g", seed, j, off);
      CHECK_NEAR(made[j].duration, made[0].duration, 1e-8 * made[0].duration, "seed %d joint %d", seed, j);
    }
  }
}

/* Backwards it takes as long, and mirrored; looser limits never take longer. */
static void reversed_and_mirrored_take_as_long(void) {
  for (int seed = 0; seed < 2000; seed++) {
    problem p;
    brio_transfer m, back, mirror, loose;
    brio_error err = {0};
    draw((uint64_t)seed, &p);
    brio_transfer_state s = p.starts[0], e = p.ends[0];
    brio_transfer_state rs = {e.position, -e.velocity, e.acceleration},
                        re = {s.position, -s.velocity, s.acceleration};
    brio_transfer_state ms = {-s.position, -s.velocity, -s.acceleration},
                        me = {-e.position, -e.velocity, -e.acceleration};
    brio_transfer_limits l = p.limits[0], wide = {1.3 * l.velocity, 1.3 * l.acceleration, 1.3 * l.jerk};
    bool good = brio_transfer_find(&m, &s, &e, &l, "it", &err) &&
                brio_transfer_find(&back, &rs, &re, &l, "it", &err) &&
                brio_transfer_find(&mirror, &ms, &me, &l, "it", &err) &&
                brio_transfer_find(&loose, &s, &e, &wide, "it", &err);
    CHECK(good, "seed %d: %s", seed, err.message);
    CHECK_NEAR(back.duration, m.duration, 1e-7 * m.duration, "seed %d backwards", seed);
    CHECK_NEAR(mirror.duration, m.duration, 1e-9 * m.duration, "seed %d mirrored", seed);
    CHECK(loose.duration <= m.duration * (1 + 1e-9), "seed %d: %g s with looser limits, not %g", seed,
          loose.duration, m.duration);
  }
}

static void longer_durations_are_met(void) {
  brio_transfer_limits l = {1, 2, 10};
  brio_transfer_state s = {0, 0, 0}, e = {0.5, 0, 0};
  brio_error err;
  for (int k = 1; k <= 40; k++) {
    brio_transfer m;
    CHECK(brio_transfer_find(&m, &s, &e, &l, "it", &err), "%s", err.message);
    double wanted = m.duration * (1 + 0.1 * k);
    CHECK(brio_transfer_last(&m, &l, wanted), "%g s", wanted);
    CHECK_NEAR(m.duration, wanted, 1e-9 * wanted, "duration");
    CHECK(miss(&m) < 1e-9 && largest_use(&m, &l, 100) <= 1 + 1e-9, "%g s", wanted);
    CHECK(!brio_transfer_last(&m, &l, wanted / 2), "shorter");
  }
}

/* Without a way there is no motion; outside of it the ends go on. */
static void ends_and_no_motion(void) {
  brio_transfer_limits l = {1, 2, 10};
  brio_transfer_state rest = {0.3, 0, 0}, moving = {0, 0.5, 0.1}, goal = {1, 0.5, 0};
  brio_transfer m;
  brio_error err;
  CHECK(brio_transfer_find(&m, &rest, &rest, &l, "it", &err) && m.duration == 0, "at rest: %g s", m.duration);
  CHECK(brio_transfer_at(&m, 5).position == 0.3, "it stays");
  CHECK(brio_transfer_find(&m, &moving, &moving, &l, "it", &err) && m.duration < 1e-9, "moving: %g s",
        m.duration);
  CHECK(brio_transfer_find(&m, &rest, &goal, &l, "it", &err), "%s", err.message);
  CHECK(brio_transfer_at(&m, -1).position == 0.3, "before");
  CHECK_NEAR(brio_transfer_at(&m, m.duration + 2).position, 2, 1e-9, "carried on");
}

static void wrong_input_is_refused_by_name(void) {
  static const struct {
    brio_transfer_state start, end;
    brio_transfer_limits limits;
    const char *piece;
  } rows[] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 1}, "velocity limit of elbow must be from 1e-09 to 1e+09, not 0"},
              {{0, 0, 0}, {1, 0, 0}, {1, NAN, 1}, "acceleration limit of elbow"},
              {{0, 0, 0}, {1, 0, 0}, {1, 1, INFINITY}, "jerk limit of elbow"},
              {{NAN, 0, 0}, {1, 0, 0}, {1, 1, 1}, "the start of elbow must be numbers"},
              {{0, 0, 0}, {1, INFINITY, 0}, {1, 1, 1}, "the end of elbow must be numbers"},
              {{0, 2, 0}, {1, 0, 0}, {1, 1, 1}, "the start of elbow is beyond its limits: velocity 2 of 1"},
              {{0, 0, 0}, {1, 0, -2}, {1, 1, 1}, "the end of elbow is beyond its limits"},
              {{0, 0.9, 1}, {1, 0, 0}, {1, 1, 1}, "acceleration of 1 that leads to a velocity of 1.4"},
              {{0, 0, 0}, {1, 0.9, -1}, {1, 1, 1}, "acceleration of -1 that comes from a velocity of 1.4"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    brio_transfer m;
    brio_error err = {0};
    bool good = brio_transfer_find(&m, &rows[k].start, &rows[k].end, &rows[k].limits, "elbow", &err);
    CHECK(!good && err.code == BRIO_MISUSE, "row %zu", k);
    CHECK_HAS(err.message, rows[k].piece);
  }
}

/* Numbers of any size: a motion, or an error. */
static void extreme_numbers_are_survived(void) {
  int found = 0, missed = 0;
  for (int seed = 0; seed < 2000; seed++) {
    brio_random r = brio_random_stream((uint64_t)seed, "extreme");
    double size = seed % 10 ? brio_random_uniform(&r, 0, 6) : 300, x[9];
    brio_transfer m;
    brio_error err = {0};
    for (int k = 0; k < 9; k++) {
      x[k] = pow(10, brio_random_uniform(&r, -size, size));
      if (k < 6 && brio_random_below(&r, 2)) x[k] = -x[k];
      if (k < 6 && k % 3 && brio_random_below(&r, 2)) x[k] = 0;
    }
    bool good = brio_transfer_find(&m, &(brio_transfer_state){x[0], x[1], x[2]},
                                   &(brio_transfer_state){x[3], x[4], x[5]},
                                   &(brio_transfer_limits){x[6], x[7], x[8]}, "it", &err);
    CHECK(good == (err.code == BRIO_OK), "seed %d", seed);
    CHECK(!good || (isfinite(m.duration) && m.duration >= 0), "seed %d: %g s", seed, m.duration);
    found += good, missed += err.code == BRIO_UNREACHABLE;
  }
  printf("#   %d motions, %d that were not found\n", found, missed);
  CHECK(found > 300, "%d motions", found);
}

static void nothing_allocates(void) {
  problem p;
  brio_transfer made[JOINTS];
  brio_error err = {0};
  draw(1, &p);
  size_t before = allocations;
  CHECK(brio_transfer_find_all(made, p.starts, p.ends, p.limits, p.joints, NULL, &err), "%s", err.message);
  CHECK(allocations == before, "%zu allocations", allocations - before);
}

CHECK_SUITE(CHECK_TEST(agrees_with_reference_values), CHECK_TEST(limits_hold_and_ends_are_met),
            CHECK_TEST(reversed_and_mirrored_take_as_long), CHECK_TEST(longer_durations_are_met),
            CHECK_TEST(ends_and_no_motion), CHECK_TEST(wrong_input_is_refused_by_name),
            CHECK_TEST(extreme_numbers_are_survived), CHECK_TEST(nothing_allocates))
