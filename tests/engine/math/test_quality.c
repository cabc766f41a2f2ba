/* Measures of motion quality, compared with published values. */
#include "math/quality.h"

#include "tests/check.h"

enum { MOST = 4096 };

/* Fill in the speed of a movement from 0 to 1 of this many seconds, from its position; return
** the number of samples. */
static int speed_of(double *speed, double (*position)(double share), double seconds, double rate) {
  int n = (int)lround(seconds * rate);
  for (int i = 0; i < n; i++)
    speed[i] = (position((i + 1.0) / n) - position((double)i / n)) * rate;
  return n;
}

static double minimum_jerk(double s) { return s * s * s * (10 + s * (6 * s - 15)); }
static double smoothstep(double s) { return s * s * (3 - 2 * s); }
static double cosine(double s) { return 0.5 * (1 - cos(3.14159265358979323846 * s)); }
static double linear(double s) { return s; }

/* A quarter of the time speeding up, a quarter slowing down. */
static double trapezoid(double s) {
  if (s < 0.25) return s * s * 8 / 3;
  return s > 0.75 ? 1 - (1 - s) * (1 - s) * 8 / 3 : 1.0 / 6 + (s - 0.25) * 4 / 3;
}

/* The value that the authors' own program prints for its example. */
static void the_authors_example(void) {
  double speed[200];
  for (int i = 0; i < 200; i++) speed[i] = exp(-5 * (i * 0.01 - 1) * (i * 0.01 - 1));
  CHECK_NEAR(brio_quality_sparc(speed, 200, 100), -1.41403, 1e-5, "exp(-5 t^2)");
}

static void known_profiles(void) {
  static double speed[MOST];
  static const struct {
    const char *name;
    double (*position)(double share);
    double expected;
  } rows[] = {{"minimum jerk", minimum_jerk, -1.4058},
              {"cosine", cosine, -1.562},
              {"smoothstep", smoothstep, -1.583},
              {"trapezoid", trapezoid, -1.677},
              {"linear", linear, -2.401}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int n = speed_of(speed, rows[i].position, 1, 200);
    CHECK_NEAR(brio_quality_sparc(speed, n, 200), rows[i].expected, 6e-4, "%s", rows[i].name);
  }
  int n = speed_of(speed, minimum_jerk, 2, 200);
  CHECK_NEAR(brio_quality_sparc(speed, n, 200), -1.4058, 2e-3, "however long it takes");
  for (int k = 0; k < n; k++) speed[k] *= 1e6;
  CHECK_NEAR(brio_quality_sparc(speed, n, 200), -1.4058, 2e-3, "in whatever unit");
}

static void what_is_no_movement(void) {
  double none[4] = {0}, back[4] = {1, -1, 1, 1}, broken[4] = {1, NAN, 1, 1}, endless[4] = {1, INFINITY, 1, 1},
         some[4] = {0, 1, 1, 0};
  CHECK(isnan(brio_quality_sparc(none, 4, 100)) && isnan(brio_quality_sparc(back, 4, 100)),
        "no movement, a speed below 0");
  CHECK(isnan(brio_quality_sparc(broken, 4, 100)) && isnan(brio_quality_sparc(endless, 4, 100)), "no number");
  CHECK(isnan(brio_quality_sparc(some, 1, 100)) && isnan(brio_quality_sparc(some, 4, 0)) &&
            isnan(brio_quality_sparc(some, 4, NAN)) && isnan(brio_quality_sparc(some, 0, 100)),
        "no samples, no rate");
  CHECK(brio_quality_sparc(some, 4, 100) < 0, "but this is one");
}

CHECK_SUITE(CHECK_TEST(the_authors_example), CHECK_TEST(known_profiles), CHECK_TEST(what_is_no_movement))
