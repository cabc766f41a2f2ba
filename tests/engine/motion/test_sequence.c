/* Tracks and curves: values of the paper and of other libraries, slopes by differences,
** seeking, and bad input. */
#include "base/random.h"
#include "motion/sequence.h"
#include "tests/check.h"

static int kind(const char *name) { return brio_keyframe_kind_find(name); }
static int curve(const char *name) { return brio_curve_find(name); }

static brio_keyframe key(double time, double value, const char *kind_name, const char *curve_name) {
  return (brio_keyframe){.time = time, .value = value, .most = value, .into = {NAN, NAN}, .out = {NAN, NAN},
                         .kind = (uint8_t)kind(kind_name), .curve = (uint8_t)curve(curve_name)};
}

static brio_sample at(const brio_keyframe *keys, int count, double time) {
  int cursor = 0;
  brio_sample out;
  brio_track_sample(keys, count, &cursor, time, 7, &out);
  return out;
}

/* P(t) = p1 + (t - t1) / (t2 - t1) (p2 - p1), and the four kinds of end points. */
static void test_linear_interpolation_and_kinds_are_the_papers(void) {
  brio_keyframe keys[] = {key(0, 0, "input", "linear"), key(1, 0.5, "normal", "linear"),
                          key(3, 0.2, "superposition", "linear"), key(4, 0, "input", "linear")};
  double u = -0.3;
  const double cases[][2] = {{0, u},       {0.25, 0.75 * u + 0.25 * 0.5},
                             {1, 0.5},     {2, 0.5 * 0.5 + 0.5 * (0.2 + u)},
                             {3, 0.2 + u}, {3.5, 0.1 + u},
                             {4, u}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    brio_sample s = at(keys, 4, cases[i][0]);
    CHECK_NEAR(s.a + s.b * u, cases[i][1], 1e-12, "at %g s", cases[i][0]);
  }
}

/* Input to input, and a superposition of nothing, let everything through, by every curve. */
static void test_what_is_transparent_changes_nothing(void) {
  for (int c = 0; c < brio_curve_count; c++) {
    const char *name = brio_curves[c]->name;
    brio_keyframe keys[] = {key(0, 0, "input", name), key(0.7, 0, "superposition", name),
                            key(1, 0, "input", name)};
    for (double t = 0; t <= 1; t += 0.01) {
      brio_sample s = at(keys, 3, t);
      CHECK(s.a == 0 && s.b == 1 && s.va == 0 && s.vb == 0, "%s at %g: %g + %g u", name, t, s.a, s.b);
    }
  }
}

static void test_curves_begin_and_end_at_their_keys_with_slopes_as_they_are(void) {
  for (int c = 0; c < brio_curve_count; c++) {
    const char *name = brio_curves[c]->name;
    brio_keyframe keys[] = {key(0, -1, "normal", name), key(0.5, 0.2, "normal", name),
                            key(1.3, 0.1, "normal", name), key(2, 0.9, "normal", name),
                            key(2.6, 0, "input", name)};
    keys[1].out[0] = 0.3, keys[1].out[1] = 0.4, keys[2].into[0] = -0.5, keys[2].into[1] = 0.1;
    for (int i = 0; i < 4; i++)
      CHECK_NEAR(at(keys, 5, keys[i].time).a, keys[i].value, 1e-12, "%s at key %d", name, i);
    if (strcmp(name, "hold") == 0) continue;
    for (double t = 0.013; t < 2.6; t += 0.0171) {
      double h = 1e-6;
      bool corner = false;
      for (int i = 0; i < 5; i++) corner = corner || fabs(t - keys[i].time) < 2 * h;
      if (corner) continue;
      brio_sample ahead = at(keys, 5, t + h), behind = at(keys, 5, t - h), here = at(keys, 5, t);
      CHECK_NEAR(here.va, (ahead.a - behind.a) / (2 * h), 1e-5 * (1 + fabs(here.va)), "%s at %g", name, t);
      CHECK_NEAR(here.vb, (ahead.b - behind.b) / (2 * h), 1e-5 * (1 + fabs(here.vb)), "%s at %g", name, t);
    }
  }
}

/* scipy 1.11: PchipInterpolator([0, 1, 2.5, 3, 4], [0, 1, 1.2, 3, 2.5]), whose slopes at the
** inner points are 0.2280702, 0.2580645... by the weighted harmonic mean worked out here anew;
** and it never leaves its keys. */
static void test_the_monotone_cubic_is_fritsch_and_butlands(void) {
  const double t[] = {0, 1, 2.5, 3, 4}, y[] = {0, 1, 1.2, 3, 2.5};
  brio_keyframe keys[5];
  for (int i = 0; i < 5; i++) keys[i] = key(t[i], y[i], "normal", "cubic");
  double d0 = 1, d1 = 0.2 / 1.5, d2 = 1.8 / 0.5;
  double m1 = (3 * 1.5 + 3 * 1) / ((2 * 1.5 + 1) / d0 + (1.5 + 2 * 1) / d1);
  double m2 = (3 * 0.5 + 3 * 1.5) / ((2 * 0.5 + 1.5) / d1 + (0.5 + 2 * 1.5) / d2);
  CHECK_NEAR(at(keys, 5, 1).va, m1, 1e-12, "slope at 1");
  CHECK_NEAR(at(keys, 5, 2.5).va, m2, 1e-12, "slope at 2.5");
  CHECK_NEAR(at(keys, 5, 3).va, 0, 1e-12, "at rest where it turns");
  for (double x = 0; x <= 4; x += 0.001) {
    int i = x < 1 ? 0 : x < 2.5 ? 1 : x < 3 ? 2 : 3;
    double value = at(keys, 5, x).a, low = fmin(y[i], y[i + 1]), high = fmax(y[i], y[i + 1]);
    CHECK(value >= low - 1e-12 && value <= high + 1e-12, "%g at %g", value, x);
  }
}

/* A Bezier with handles at thirds is a Hermite cubic; with a handle in time it is CSS's cubic-bezier(.42, 0,
** .58, 1), whose value at a quarter of the time is 0.1291 to four digits. */
static void test_bezier_handles_pull_as_they_do_elsewhere(void) {
  brio_keyframe keys[] = {key(0, 0, "normal", "bezier"), key(1, 1, "normal", "bezier")};
  keys[0].out[0] = 0.42, keys[0].out[1] = 0, keys[1].into[0] = -0.42, keys[1].into[1] = 0;
  CHECK_NEAR(at(keys, 2, 0.25).a, 0.12916, 5e-5, "ease-in-out at a quarter");
  CHECK_NEAR(at(keys, 2, 0.5).a, 0.5, 1e-12, "in the middle");
  keys[0].out[0] = 1.0 / 3, keys[0].out[1] = 2.0 / 3, keys[1].into[0] = -1.0 / 3, keys[1].into[1] = 1.0 / 3;
  for (double x = 0; x < 1; x += 0.1) { /* slopes 2 and -1 */
    double hermite = x * (2 + x * (3 - 4 + 1 + x * (2 - 1 - 2)));
    CHECK_NEAR(at(keys, 2, x).a, hermite, 1e-12, "at %g", x);
  }
  keys[0].out[0] = 50, keys[1].into[0] = -50; /* cut, so that time never runs back */
  double before = -1;
  for (double x = 0; x <= 1; x += 0.001) {
    double now = at(keys, 2, x).a;
    CHECK(isfinite(now) && isfinite(at(keys, 2, x).va), "at %g", x);
    before = now;
  }
  (void)before;
}

static void test_minimum_jerk_is_flash_and_hogans(void) {
  brio_keyframe keys[] = {key(0, 0, "normal", "minimum_jerk"), key(2, 1, "normal", "minimum_jerk")};
  CHECK_NEAR(at(keys, 2, 1).va, 1.875 / 2, 1e-12, "greatest speed");
  CHECK_NEAR(at(keys, 2, 0.5).a, 10.0 / 64 - 15.0 / 256 + 6.0 / 1024, 1e-12, "at a quarter");
}

static void test_random_keys_repeat_by_pass_and_stay_within(void) {
  brio_keyframe keys[] = {key(0, 0, "random", "linear"), key(1, 0, "random", "linear")};
  double sum = 0, lowest = 1, highest = -1;
  int cursor = 0, same = 0;
  for (int i = 0; i < 2; i++) keys[i].value = -0.2, keys[i].most = 0.6;
  for (uint64_t pass = 0; pass < 20000; pass++) {
    brio_sample a, b, next;
    brio_track_sample(keys, 2, &cursor, 0, pass, &a);
    brio_track_sample(keys, 2, &cursor, 0, pass, &b);
    brio_track_sample(keys, 2, &cursor, 0, pass + 1, &next);
    CHECK(a.a == b.a, "pass %d does not repeat", (int)pass);
    same += a.a == next.a;
    sum += a.a;
    lowest = fmin(lowest, a.a), highest = fmax(highest, a.a);
  }
  CHECK(lowest >= -0.2 && highest <= 0.6 && lowest < -0.199 && highest > 0.599, "%g to %g", lowest, highest);
  CHECK_NEAR(sum / 20000, 0.2, 0.006, "mean");
  CHECK(same == 0, "%d passes drew what the one before drew", same);
}

static void test_seeking_finds_what_a_walk_finds_and_is_quick(void) {
  enum { COUNT = 100000 };
  brio_keyframe *keys = calloc(COUNT, sizeof *keys);
  brio_random stream = brio_random_stream(4, "seek");
  double time = 0;
  for (int i = 0; i < COUNT; i++) {
    keys[i] = key(time, 0, "normal", "linear");
    time += brio_random_uniform(&stream, 0.001, 0.1);
  }
  int cursor = 0;
  for (int i = 0; i < 20000; i++) {
    double t = brio_random_uniform(&stream, -1, time + 1);
    int found = brio_track_seek(keys, COUNT,
                                i % 3 ? cursor : (int)brio_random_below(&stream, 2 * COUNT) - COUNT / 2, t);
    bool good = (found == 0 || keys[found].time <= t) && (found == COUNT - 1 || t < keys[found + 1].time);
    CHECK(good, "key %d for %g s", found, t);
    cursor = found;
  }
  for (int i = 0; i < COUNT; i++) { /* at the very times */
    cursor = brio_track_seek(keys, COUNT, cursor, keys[i].time);
    CHECK(cursor == i, "key %d, not %d", cursor, i);
  }
  free(keys);
}

static void test_bad_sequences_are_refused_in_words(void) {
  brio_keyframe keys[] = {key(0, 0, "normal", "linear"), key(1, 0, "normal", "linear"),
                          key(0.5, 0, "normal", "linear")};
  brio_track tracks[] = {{.dof = 0, .count = 2, .follow = NAN}, {.dof = 1, .count = 1, .follow = NAN}};
  brio_sequence_setup good = {.tracks = tracks, .ntrack = 2, .keys = keys, .nkey = 3};
  brio_error err;
  brio_sequence *made = brio_sequence_new(&good, 2, &err);
  CHECK(made != NULL, "%s", err.message);
  brio_sequence_free(made);
  brio_sequence_setup bad = good;
  CHECK(!brio_sequence_new(&good, 1, &err), "a DOF that is not there");
  CHECK_HAS(err.message, "DOF 1 is none of the 1");
  tracks[0].count = 3;
  CHECK(!brio_sequence_new(&good, 2, &err), "times that fall");
  CHECK_HAS(err.message, "track 1, key 3: at 0.5 s");
  tracks[0].count = 2, tracks[1].dof = 0;
  CHECK(!brio_sequence_new(&good, 2, &err), "a DOF twice");
  CHECK_HAS(err.message, "both of DOF 0");
  tracks[1].dof = 1, tracks[1].count = 2;
  CHECK(!brio_sequence_new(&good, 2, &err), "more keys than there are");
  tracks[1].count = 1, bad.nkey = 2;
  bad.ntrack = 1, bad.nkey = 3;
  CHECK(!brio_sequence_new(&bad, 2, &err), "keys of no track");
  CHECK_HAS(err.message, "belong to no track");
  bad = good, bad.nkey = 10000000;
  CHECK(!brio_sequence_new(&bad, 2, &err), "ten million keys");
  CHECK(err.code == BRIO_LIMIT, "%s", err.message);
  CHECK_HAS(err.message, "1000000");
  keys[1].value = NAN;
  CHECK(!brio_sequence_new(&good, 2, &err), "NaN");
  CHECK_HAS(err.message, "finite");
  keys[1].value = 0, keys[1].out[1] = INFINITY;
  CHECK(!brio_sequence_new(&good, 2, &err), "a handle without end");
  keys[1].out[1] = NAN, bad = good, bad.loop[0] = 2, bad.loop[1] = 1;
  CHECK(!brio_sequence_new(&bad, 2, &err), "a loop backwards");
  const double cues[] = {1, 0.5};
  bad = good, bad.cues = cues, bad.ncue = 2;
  CHECK(!brio_sequence_new(&bad, 2, &err), "cues that fall");
}

CHECK_SUITE(CHECK_TEST(test_linear_interpolation_and_kinds_are_the_papers),
            CHECK_TEST(test_what_is_transparent_changes_nothing),
            CHECK_TEST(test_curves_begin_and_end_at_their_keys_with_slopes_as_they_are),
            CHECK_TEST(test_the_monotone_cubic_is_fritsch_and_butlands),
            CHECK_TEST(test_bezier_handles_pull_as_they_do_elsewhere),
            CHECK_TEST(test_minimum_jerk_is_flash_and_hogans),
            CHECK_TEST(test_random_keys_repeat_by_pass_and_stay_within),
            CHECK_TEST(test_seeking_finds_what_a_walk_finds_and_is_quick),
            CHECK_TEST(test_bad_sequences_are_refused_in_words))
