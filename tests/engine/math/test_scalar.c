/* Least and greatest of two numbers: libm's to the bit, infinities and NaN included. */
#include "math/scalar.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tests/check.h"

static uint64_t bits(double x) {
  uint64_t made;
  memcpy(&made, &x, sizeof made);
  return made;
}

/* Two results are one number, or both NaN or zero: of these the C standard leaves open which. */
static bool same(double a, double b) {
  return bits(a) == bits(b) || (isnan(a) && isnan(b)) || (a == 0 && b == 0);
}

static void as_libm_has_them(void) {
  static const double x[] = {0.0, -0.0, 1, -1, 1e-310, -1e-310, 1e308, INFINITY, -INFINITY, NAN, 3, 3};
  enum { COUNT = sizeof x / sizeof *x };
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      volatile double a = x[i], b = x[j]; /* computed when the test runs, not by the compiler */
      CHECK(same(brio_min(a, b), fmin(a, b)), "least of %g and %g: %g", a, b, brio_min(a, b));
      CHECK(same(brio_max(a, b), fmax(a, b)), "greatest of %g and %g: %g", a, b, brio_max(a, b));
    }
}

CHECK_SUITE(CHECK_TEST(as_libm_has_them))
