/* Measures of jerk, bends, moves, lags and similarity, and spectra, compared with published
** and analytic values. */
#include "math/noise.h"
#include "math/quality.h"
#include "math/spectrum.h"

#include "tests/check.h"

#define PI 3.14159265358979323846

static double minimum_jerk(double s) { return s * s * s * (10 + s * (6 * s - 15)); }

static uint64_t state = 88172645463325252u;
static double uniform(void) { /* -1 to 1 */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static void jerk_of_the_authors_example(void) {
  double speed[200];
  for (int i = 0; i < 200; i++) speed[i] = exp(-5 * (i * 0.01 - 1) * (i * 0.01 - 1));
  CHECK_NEAR(brio_quality_jerk(speed, 200, 100), -335.74684, 1e-4, "DLJ");
  CHECK_NEAR(-log(-brio_quality_jerk(speed, 200, 100)), -5.81636, 1e-5, "LDLJ");
}

static void jerk_of_minimum_jerk(void) {
  static double speed[4001];
  static const struct {
    int samples;
    double expected;
  } rows[] = {{200, -5.312}, {400, -5.317}, {4000, -5.3215}};
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    int n = rows[row].samples; /* a second: -ln(720 / 1.875^2) = -5.322 when there are endlessly many */
    for (int i = 0; i <= n; i++) speed[i] = 30 * pow((double)i / n, 2) * pow(1 - (double)i / n, 2);
    CHECK_NEAR(-log(-brio_quality_jerk(speed, n + 1, n)), rows[row].expected, 1e-3, "%d samples", n);
  }
  CHECK(isnan(brio_quality_jerk(speed, 2, 100)) && isnan(brio_quality_jerk(speed, 100, 0)),
        "too few, no rate");
}

static void long_movements_are_measured_as_short_ones(void) {
  static double speed[6000];
  double last = 0;
  for (int n = 400; n <= 6400 && n <= 6000; n *= 2) {
    for (int i = 0; i < n; i++) speed[i] = minimum_jerk((i + 1.0) / n) - minimum_jerk((double)i / n);
    double here = brio_quality_sparc(speed, n, n); /* all take a second */
    CHECK_NEAR(here, -1.406, 2e-3, "%d samples", n);
    last = here;
  }
  CHECK(last < 0, "measured");
}

static void bends(void) {
  static double circle[2000], line[300];
  for (int i = 0; i < 1000; i++) {
    circle[2 * i] = 0.25 * cos(2 * PI * 0.7 * i / 999);
    circle[2 * i + 1] = 0.25 * sin(2 * PI * 0.7 * i / 999);
  }
  brio_quality_path path;
  CHECK(brio_quality_bend(circle, 1000, 2, &path), "a circle");
  CHECK_NEAR(path.curvature, 4, 0.01, "1/R");
  CHECK_NEAR(path.length, 0.25 * 2 * PI * 0.7, 1e-4, "its arc");
  CHECK(path.change < 0.5, "a circle's curvature does not change: %g", path.change);
  for (int i = 0; i < 100; i++)
    for (int d = 0; d < 3; d++) line[3 * i + d] = 0.01 * i * i * (d + 1); /* speeding up, straight */
  CHECK(brio_quality_bend(line, 100, 3, &path), "a line");
  CHECK_NEAR(path.curvature, 0, 1e-6, "straight, however fast");
  CHECK_NEAR(path.length / path.chord, 1, 1e-12, "no arc");
  double still[12] = {0};
  CHECK(brio_quality_bend(still, 6, 2, &path) && isnan(path.curvature) && path.length == 0, "no way");
  still[3] = NAN;
  CHECK(!brio_quality_bend(still, 6, 2, &path) && !brio_quality_bend(line, 1, 3, &path),
        "no numbers, no path");
}

static void moves(void) {
  static double values[400];
  brio_quality_move move;
  for (int i = 0; i < 400; i++) values[i] = 3 - 2 * minimum_jerk(i / 399.0);
  CHECK(brio_quality_measure_move(values, 400, 200, &move), "a move");
  CHECK_NEAR(move.peak_to_mean, 1.875, 1e-3, "minimum jerk's peak over mean");
  CHECK_NEAR(move.amplitude, 2, 1e-12, "amplitude");
  CHECK(move.anticipation == 0 && move.overshoot < 1e-12, "neither");
  for (int i = 0; i < 400; i++)
    values[i] += 0.2 * exp(-pow((i - 30) / 8.0, 2)) - 0.16 * exp(-pow((i - 370) / 8.0, 2));
  CHECK(brio_quality_measure_move(values, 400, 200, &move), "with both");
  CHECK_NEAR(move.anticipation, 0.1, 0.01, "a tenth back first");
  CHECK_NEAR(move.overshoot, 0.08, 0.01, "and beyond");
  CHECK(!brio_quality_measure_move(values, 2, 200, &move), "too short");
  values[7] = INFINITY;
  CHECK(!brio_quality_measure_move(values, 400, 200, &move), "no number");
}

static void lags(void) {
  static double a[1000], b[1000];
  for (int step = -3; step <= 3; step++) {
    double late = 0.0217 * step;
    for (int i = 0; i < 1000; i++) {
      double t = i / 200.0;
      a[i] = 5 + sin(3 * t) + 0.6 * sin(7 * t + 1);
      b[i] = 0.4 * (sin(3 * (t - late)) + 0.6 * sin(7 * (t - late) + 1)) - 2;
    }
    CHECK_NEAR(brio_quality_lag(a, b, 1000, 200, 0.2), late, 0.002, "%g s", late);
  }
  for (int i = 0; i < 1000; i++) b[i] = 1;
  CHECK(isnan(brio_quality_lag(a, b, 1000, 200, 0.2)), "what does not move follows nothing");
}

static void warping(void) {
  static const double a[] = {0, 1, 2, 3, 2, 0}, slow[] = {0, 0, 1, 1, 2, 2, 2, 3, 3, 2, 2, 0, 0},
                      other[] = {0, 1, 2, 5, 2, 0};
  CHECK_NEAR(brio_quality_warp(a, 6, a, 6, 1, -1), 0, 0, "itself");
  CHECK_NEAR(brio_quality_warp(a, 6, slow, 13, 1, -1), 0, 0, "itself, slowed down");
  CHECK_NEAR(brio_quality_warp(a, 6, other, 6, 1, -1), 2.0 / 6, 1e-12, "one point off by 2 among 6 pairs");
  CHECK_NEAR(brio_quality_warp(a, 3, slow, 6, 2, -1), brio_quality_warp(slow, 6, a, 3, 2, -1), 1e-12,
             "symmetric");
  CHECK(brio_quality_warp(a, 6, slow, 13, 1, 0) >= 0, "a band finds an alignment, too");
  CHECK(isnan(brio_quality_warp(a, 0, a, 6, 1, -1)), "nothing");
  static double x[300], y[200];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 300; i++) x[i] = uniform();
    for (int i = 0; i < 200; i++) y[i] = uniform();
    double free_cost = brio_quality_warp(x, 300, y, 200, 1, -1),
           banded = brio_quality_warp(x, 300, y, 200, 1, 20);
    CHECK(free_cost > 0 && isfinite(banded), "%g %g", free_cost, banded);
  }
}

/* The transform by its definition. */
static void the_transform_is_what_it_is_defined_as(void) {
  double re[64], im[64], x[64], y[64];
  for (int i = 0; i < 64; i++) re[i] = x[i] = uniform(), im[i] = y[i] = uniform();
  CHECK(brio_spectrum_transform(re, im, 64), "64");
  for (int k = 0; k < 64; k++) {
    double a = 0, b = 0;
    for (int i = 0; i < 64; i++) {
      double c = cos(2 * PI * i * k / 64), s = sin(2 * PI * i * k / 64);
      a += x[i] * c + y[i] * s, b += y[i] * c - x[i] * s;
    }
    CHECK_NEAR(re[k], a, 1e-12, "real %d", k);
    CHECK_NEAR(im[k], b, 1e-12, "imaginary %d", k);
  }
  CHECK(!brio_spectrum_transform(re, im, 48) && !brio_spectrum_transform(re, im, 0), "no power of two");
}

static void densities_hold_the_power(void) {
  static double x[1 << 16], density[513];
  for (int i = 0; i < 1 << 16; i++) x[i] = 3 + uniform();
  CHECK(brio_spectrum_density(x, 1 << 16, 200, 1024, density), "white noise");
  double power = 0;
  for (int k = 0; k <= 512; k++) power += density[k] * 200 / 1024;
  CHECK_NEAR(power, 1.0 / 3, 0.01, "the variance of a uniform number");
  CHECK_NEAR(brio_spectrum_slope(density, 513, 200.0 / 1024, 1, 80), 0, 0.06, "white");
  double sum = 0; /* a walk: brown, f^-2 */
  for (int i = 0; i < 1 << 16; i++) x[i] = sum += uniform();
  brio_spectrum_density(x, 1 << 16, 200, 1024, density);
  CHECK_NEAR(brio_spectrum_slope(density, 513, 200.0 / 1024, 1, 20), 2, 0.1, "brown");
  CHECK(!brio_spectrum_density(x, 100, 200, 128, density) && !brio_spectrum_density(x, 100, 200, 96, density),
        "sizes");
}

/* Octaves of noise, six of them from 1/16 Hz: the slope of the spectrum by gain (measured elsewhere). */
static void noise_of_octaves_has_the_slope_it_is_said_to_have(void) {
  static const struct { double gain, beta; } rows[] = {{0.5, 3.08}, {0.707, 2.10}, {0.841, 1.63}, {1, 1.17}};
  static double x[1 << 17], density[8193];
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    for (int i = 0; i < 1 << 17; i++)
      x[i] = brio_noise_octaves(41, i / 20.0 / 16 * 1.0, 6, 2, rows[row].gain);
    CHECK(brio_spectrum_density(x, 1 << 17, 20, 16384, density), "noise");
    CHECK_NEAR(brio_spectrum_slope(density, 8193, 20.0 / 16384, 1.0 / 16, 1), rows[row].beta, 0.5, "gain %g",
               rows[row].gain);
  }
}

CHECK_SUITE(CHECK_TEST(jerk_of_the_authors_example), CHECK_TEST(jerk_of_minimum_jerk),
            CHECK_TEST(long_movements_are_measured_as_short_ones), CHECK_TEST(bends), CHECK_TEST(moves),
            CHECK_TEST(lags), CHECK_TEST(warping), CHECK_TEST(the_transform_is_what_it_is_defined_as),
            CHECK_TEST(densities_hold_the_power),
            CHECK_TEST(noise_of_octaves_has_the_slope_it_is_said_to_have))
