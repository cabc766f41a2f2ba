/* Random streams: repeatable, with the stated distribution, independent by name and seed. */
#include "base/random.h"

#include "tests/check.h"

enum { DRAWS = 200000 };

static void same_name_and_seed_repeat(void) {
  brio_random a = brio_random_stream(42, "sensor.noise"), b = brio_random_stream(42, "sensor.noise");
  for (int i = 0; i < 1000; i++) CHECK(brio_random_bits(&a) == brio_random_bits(&b), "draw %d", i);
}

static double correlation(brio_random a, brio_random b) {
  double sum = 0;
  for (int i = 0; i < DRAWS; i++) sum += brio_random_uniform(&a, -1, 1) * brio_random_uniform(&b, -1, 1);
  return 3 * sum / DRAWS;
}

static void streams_are_unrelated(void) {
  static const char *const names[] = {"", "a", "b", "ab", "ba", "objective.1", "objective.2"};
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 7; k++) {
      brio_random one = brio_random_stream(1, names[i]), two = brio_random_stream(1, names[k]);
      if (i != k) CHECK_NEAR(correlation(one, two), 0, 0.015, "'%s' and '%s'", names[i], names[k]);
      brio_random other = brio_random_stream(2, names[k]);
      CHECK_NEAR(correlation(one, other), 0, 0.015, "'%s' and '%s' of another seed", names[i], names[k]);
    }
}

static void uniform_fills_its_range_evenly(void) {
  brio_random r = brio_random_stream(5, "uniform");
  int bins[20] = {0};
  for (int i = 0; i < DRAWS; i++) {
    double x = brio_random_uniform(&r, -3, 7);
    CHECK(x >= -3 && x < 7, "drew %g", x);
    bins[(int)((x + 3) * 2)]++;
  }
  double chi2 = 0, even = DRAWS / 20.0;
  for (int i = 0; i < 20; i++) chi2 += (bins[i] - even) * (bins[i] - even) / even;
  CHECK(chi2 < 43.8, "chi-square of 19 degrees: %g (above 43.8 once in a thousand)", chi2);
}

/* (lower, upper) where rounding of lower + u (upper - lower) could reach upper. */
static void uniform_never_reaches_its_upper_end(void) {
  brio_random r = brio_random_stream(5, "edge");
  double lower = 1, upper = nextafter(1, 2);
  for (int i = 0; i < 1000; i++) {
    double x = brio_random_uniform(&r, lower, upper);
    CHECK(x >= lower && x < upper, "drew %.17g of [%.17g, %.17g)", x, lower, upper);
  }
  CHECK(brio_random_uniform(&r, 2, 2) == 2, "an empty range gives its end");
}

static void normal_has_the_moments_it_should(void) {
  brio_random r = brio_random_stream(5, "normal");
  double m[5] = {0};
  for (int i = 0; i < DRAWS; i++) {
    double x = brio_random_normal(&r), power = 1;
    for (int k = 0; k < 5; k++, power *= x) m[k] += power / DRAWS;
  }
  CHECK_NEAR(m[1], 0, 0.01, "mean");
  CHECK_NEAR(m[2], 1, 0.015, "variance");
  CHECK_NEAR(m[3], 0, 0.04, "skewness");
  CHECK_NEAR(m[4], 3, 0.12, "fourth moment");
}

static void below_is_even_and_below(void) {
  brio_random r = brio_random_stream(5, "below");
  int bins[7] = {0};
  for (int i = 0; i < DRAWS; i++) {
    uint64_t n = brio_random_below(&r, 7);
    CHECK(n < 7, "drew %d", (int)n);
    if (n < 7) bins[n]++;
  }
  for (int i = 0; i < 7; i++) CHECK_NEAR(bins[i], DRAWS / 7.0, 700, "number %d", i);
  CHECK(brio_random_below(&r, 1) == 0, "of one there is one");
  uint64_t large = (UINT64_C(1) << 63) + 1;
  int upper = 0;
  for (int i = 0; i < 2000; i++) upper += brio_random_below(&r, large) > large / 2;
  CHECK_NEAR(upper, 1000, 120, "a range that is no power of two, without bias");
}

CHECK_SUITE(CHECK_TEST(same_name_and_seed_repeat), CHECK_TEST(streams_are_unrelated),
            CHECK_TEST(uniform_fills_its_range_evenly), CHECK_TEST(uniform_never_reaches_its_upper_end),
            CHECK_TEST(normal_has_the_moments_it_should), CHECK_TEST(below_is_even_and_below))
