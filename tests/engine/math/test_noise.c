/* Noise for liveliness: repeatable, smooth, of the deviation it states, band-limited, and
** unrelated between seeds. */
#include "math/noise.h"

#include "math/vec.h"
#include "tests/check.h"

enum { SAMPLES = 200000 };

static void same_seed_same_bits(void) {
  for (int i = 0; i < 1000; i++) {
    double x = i * 0.37 - 150, a = brio_noise_value(7, x), b = brio_noise_value(7, x);
    CHECK(memcmp(&a, &b, sizeof a) == 0, "at %g", x);
  }
  CHECK(brio_noise_value(7, 0.3) != brio_noise_value(8, 0.3), "seeds 7 and 8 are the same");
}

static double deviation(double (*at)(double x), double *mean) {
  double sum = 0, square = 0;
  for (int i = 0; i < SAMPLES; i++) {
    double v = at(i * 0.1037);
    sum += v;
    square += v * v;
  }
  *mean = sum / SAMPLES;
  return sqrt(square / SAMPLES);
}

static double one(double x) { return brio_noise_value(3, x); }
static double six(double x) { return brio_noise_octaves(3, x, 6, 2, 0.84); }

static void deviation_is_as_stated(void) {
  double mean, rms = deviation(one, &mean);
  CHECK_NEAR(rms / brio_noise_rms(), 1, 0.05, "one octave");
  CHECK_NEAR(mean, 0, 0.01, "one octave");
  rms = deviation(six, &mean);
  CHECK_NEAR(rms / brio_noise_rms(), 1, 0.05, "six octaves");
  CHECK_NEAR(mean, 0, 0.01, "six octaves");
}

static void stays_within_one(void) {
  double most = 0;
  for (uint64_t seed = 0; seed < 50; seed++)
    for (int i = 0; i < 20000; i++) most = fmax(most, fabs(brio_noise_value(seed, i * 0.0613)));
  CHECK(most <= 1, "reached %g", most);
  CHECK(most > 0.8, "reached only %g", most);
}

/* A single lattice would be 0 at every whole number. */
static void lively_at_lattice_points_too(void) {
  for (int part = 0; part < 8; part++) {
    double square = 0;
    for (int i = 0; i < 20000; i++) square += pow(brio_noise_value(11, i + part / 8.0), 2);
    CHECK_NEAR(sqrt(square / 20000) / brio_noise_rms(), 1, 0.08, "at offset %d/8", part);
  }
}

/* Value, slope and curvature have no jump: over a step h they change by no more than h
** times a bound on the next derivative, at lattice points (multiples of 1/2) above all. */
static void smooth_to_the_second_derivative(void) {
  const double h = 1e-4;
  for (int i = -200; i < 200; i++) {
    double v[5];
    for (int k = 0; k < 5; k++) v[k] = brio_noise_value(5, i * 0.25 + (k - 2) * h);
    CHECK_NEAR(v[2], v[1], 5 * h, "value at %g", i * 0.25);
    CHECK_NEAR((v[3] - v[2]) / h, (v[2] - v[1]) / h, 50 * h, "slope at %g", i * 0.25);
    double before = (v[2] - 2 * v[1] + v[0]) / (h * h), after = (v[4] - 2 * v[3] + v[2]) / (h * h);
    CHECK_NEAR(after, before, 1000 * h, "curvature at %g", i * 0.25);
  }
}

/* Share of the power above `frequency` (cycles per unit), by a Hann-windowed Fourier sum. */
static double power_above(double frequency) {
  enum { N = 1024 };
  double above = 0, all = 0;
  for (uint64_t seed = 0; seed < 8; seed++)
    for (int k = 1; k < N / 2; k++) {
      double re = 0, im = 0;
      for (int i = 0; i < N; i++) {
        double hann = 0.5 - 0.5 * cos(2 * BRIO_PI * i / N), turn = 2 * BRIO_PI * k * i / N;
        double v = hann * brio_noise_value(seed, i / 8.0);
        re += v * cos(turn);
        im += v * sin(turn);
      }
      all += re * re + im * im;
      if (k * 8.0 / N > frequency) above += re * re + im * im;
    }
  return above / all;
}

static void hardly_any_power_above_twice_the_lattice_rate(void) {
  CHECK(power_above(2) < 0.01, "%g of the power", power_above(2));
  CHECK(power_above(0.1) > 0.9, "only %g of the power is above 0.1", power_above(0.1));
}

static void seeds_are_unrelated(void) {
  for (uint64_t seed = 1; seed < 20; seed++) {
    double product = 0;
    for (int i = 0; i < 50000; i++) {
      double x = i * 0.31;
      product += brio_noise_value(seed, x) * brio_noise_value(seed + 1, x);
    }
    product /= 50000 * brio_noise_rms() * brio_noise_rms();
    CHECK_NEAR(product, 0, 0.06, "correlation of seeds %d and %d", (int)seed, (int)seed + 1);
  }
}

static void forgets_itself_beyond_one_unit(void) {
  for (int lag = 4; lag < 40; lag++) {
    double product = 0;
    for (int i = 0; i < 50000; i++)
      product += brio_noise_value(9, i * 0.31) * brio_noise_value(9, i * 0.31 + lag / 2.0);
    product /= 50000 * brio_noise_rms() * brio_noise_rms();
    CHECK_NEAR(product, 0, 0.1, "autocorrelation at lag %g", lag / 2.0);
  }
}

/* Power of `octaves` at frequency `f` (cycles per unit): mean over seeds of a Hann-windowed Fourier sum. */
static double power_at(int octaves, double beta, double f) {
  enum { N = 1200, SEEDS = 30 };
  const double step = 0.4 / exp2(octaves - 1);
  double sum = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    double re = 0, im = 0;
    for (int i = 0; i < N; i++) {
      double hann = 0.5 - 0.5 * cos(2 * BRIO_PI * i / N), turn = 2 * BRIO_PI * f * i * step;
      double v = hann * brio_noise_living(seed, 1000 * (double)seed + i * step, octaves, beta);
      re += v * cos(turn);
      im += v * sin(turn);
    }
    sum += re * re + im * im;
  }
  return sum / SEEDS;
}

/* The exponent of the spectrum by least squares over logarithms, from the slowest octave to the last. */
static double fitted_beta(int octaves, double beta) {
  enum { POINTS = 16 };
  double sx = 0, sy = 0, sxx = 0, sxy = 0, top = 0.5 * exp2(octaves - 1);
  for (int k = 0; k < POINTS; k++) {
    double x = log(0.5) + k * log(top / 0.5) / (POINTS - 1), y = log(power_at(octaves, beta, exp(x)));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return -(POINTS * sxy - sx * sy) / (POINTS * sxx - sx * sx);
}

static void octaves_have_the_spectrum_of_living_movement(void) {
  double pink = fitted_beta(6, 1), middle = fitted_beta(6, 1.5), brown = fitted_beta(6, 2);
  CHECK(middle >= 1 && middle <= 2, "1 / f^%g", middle);
  CHECK_NEAR(middle, 1.5, 0.3, "asked 1.5");
  CHECK_NEAR(pink, 1, 0.3, "asked 1");
  CHECK_NEAR(brown, 2, 0.3, "asked 2");
  CHECK(pink < middle && middle < brown, "%g %g %g", pink, middle, brown);
}

static void octaves_are_as_large_as_one(void) {
  for (int octaves = 1; octaves <= 8; octaves++)
    for (double beta = 0; beta <= 3; beta += 0.75) {
      double square = 0, most = 0;
      for (int i = 0; i < 60000; i++) {
        double v = brio_noise_living(17, i * 0.0837, octaves, beta);
        square += v * v;
        most = fmax(most, fabs(v));
      }
      CHECK_NEAR(sqrt(square / 60000) / brio_noise_rms(), 1, 0.1, "%d octaves, beta %g", octaves, beta);
      CHECK(most <= 1, "%d octaves, beta %g: %g", octaves, beta, most);
    }
}

/* One octave has most of its power about half a cycle per unit: its period is two units. */
static void octaves_forget_themselves_beyond_one_period(void) {
  for (int octaves = 1; octaves <= 6; octaves += 5)
    for (double lag = octaves == 1 ? 2 : 1; lag < 20; lag += 0.5) {
      double product = 0;
      for (int i = 0; i < 20000; i++)
        product += brio_noise_living(9, i * 0.0837, octaves, 1.5) *
                   brio_noise_living(9, i * 0.0837 + lag, octaves, 1.5);
      product /= 20000 * brio_noise_rms() * brio_noise_rms();
      CHECK(fabs(product) < 0.3, "%d octaves: autocorrelation %g at lag %g", octaves, product, lag);
    }
}

static void odd_arguments_are_quiet(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e18};
  for (int i = 0; i < 5; i++) CHECK_NEAR(brio_noise_value(1, odd[i]), 0, 0, "at %g", odd[i]);
  CHECK(isfinite(brio_noise_octaves(1, 0.3, -5, 2, 0.5)), "fewer than one octave");
  CHECK(isfinite(brio_noise_octaves(1, 0.3, 1000000, 2, 0.5)), "a million octaves");
  CHECK_NEAR(brio_noise_octaves(4, 0.3, 1, 2, 0.5), brio_noise_value(4, 0.3), 0, "one octave");
  CHECK_NEAR(brio_noise_living(4, 0.3, 1, 1.5), brio_noise_value(4, 0.3), 0, "one octave");
  CHECK_NEAR(brio_noise_living(4, NAN, 4, 1.5), 0, 0, "at NaN");
}

CHECK_SUITE(CHECK_TEST(same_seed_same_bits), CHECK_TEST(deviation_is_as_stated), CHECK_TEST(stays_within_one),
            CHECK_TEST(lively_at_lattice_points_too), CHECK_TEST(smooth_to_the_second_derivative),
            CHECK_TEST(hardly_any_power_above_twice_the_lattice_rate), CHECK_TEST(seeds_are_unrelated),
            CHECK_TEST(forgets_itself_beyond_one_unit),
            CHECK_TEST(octaves_have_the_spectrum_of_living_movement), CHECK_TEST(octaves_are_as_large_as_one),
            CHECK_TEST(octaves_forget_themselves_beyond_one_period), CHECK_TEST(odd_arguments_are_quiet))
