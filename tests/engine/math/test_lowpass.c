/* The low-pass cascade: its measured -3 dB frequency compared with the formula, vectors worked out by
** hand; it never overshoots, and settles at its input. */
#include "math/lowpass.h"

#include "tests/check.h"

#define PI 3.14159265358979323846

/* The filter's measured gain at frequency f: drive it with a sine and correlate
** the output with sine and cosine over whole periods, after it has settled. */
static double gain_at(int stages, double tau, double rate, double f) {
  brio_lowpass filter;
  double dt = 1 / rate, a = 0, b = 0;
  CHECK(brio_lowpass_start(&filter, stages, tau, 0), "start");
  int settle = (int)ceil(40 * tau * rate), n = (int)ceil(100 / f * rate);
  for (int i = 0; i < settle + n; i++) {
    double phase = 2 * PI * f * i * dt, x = sin(phase), y = brio_lowpass_step(&filter, x, dt);
    if (i < settle) continue;
    a += y * x;
    b += y * cos(phase);
  }
  return 2 * sqrt(a * a + b * b) / n;
}

/* The frequency at which the measured gain is 1/sqrt(2), by bisection. */
static double measured_cutoff(int stages, double tau, double rate) {
  double low = 0.2 * brio_lowpass_cutoff(stages, tau), high = 3 * brio_lowpass_cutoff(stages, tau);
  for (int i = 0; i < 16; i++) { /* to 5e-5 of the cutoff */
    double middle = 0.5 * (low + high);
    if (gain_at(stages, tau, rate, middle) > sqrt(0.5)) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

static void cutoff_is_as_the_formula_says(void) {
  const double taus[] = {0.02, 0.03, 0.05, 0.08, 0.1}, rates[] = {100, 200, 1000};
  for (int k = 1; k <= 4; k++)
    for (int t = 0; t < 5; t++)
      for (int r = 0; r < 3; r++) {
        double measured = measured_cutoff(k, taus[t], rates[r]), formula = brio_lowpass_cutoff(k, taus[t]);
        double most = rates[r] < 150 ? 0.025 : 0.01;
        CHECK(fabs(measured / formula - 1) <= most, "%d stages, tau %g, %g Hz: %g Hz, formula %g (%+.2f %%)",
              k, taus[t], rates[r], measured, formula, 100 * (measured / formula - 1));
        if (r == 2 || t > 1) continue; /* the worst ones, for readers of the log */
        printf("# %d stages, tau %g s, %g Hz: -3 dB %+.2f %% off\n", k, taus[t], rates[r],
               100 * (measured / formula - 1));
      }
}

static void known_values(void) {
  /* the defaults of the spec: tau .02 s and 2 stages are 5.1 Hz, .05: 2.0, .08: 1.3, .1: 1.0 */
  CHECK_NEAR(brio_lowpass_cutoff(2, 0.02), 5.1217, 1e-3, "eyes");
  CHECK_NEAR(brio_lowpass_cutoff(2, 0.05), 2.0487, 1e-3, "ears");
  CHECK_NEAR(brio_lowpass_cutoff(2, 0.08), 1.2804, 1e-3, "neck");
  CHECK_NEAR(brio_lowpass_cutoff(1, 1), 1 / (2 * PI), 1e-12, "one stage");
  for (int k = 1; k <= 4; k++)
    CHECK_NEAR(brio_lowpass_tau(k, brio_lowpass_cutoff(k, 0.037)), 0.037, 1e-15, "back");
  CHECK(brio_lowpass_cutoff(0, 1) == 0 && brio_lowpass_cutoff(5, 1) == 0 && brio_lowpass_tau(2, 0) == 0 &&
        brio_lowpass_tau(2, NAN) == 0, "what is none");
}

/* The impulse response of k stages at step n is alpha^k C(n + k - 1, k - 1) (1 - alpha)^n. */
static void impulse_response(void) {
  double dt = 0.005, tau = 0.02, alpha = 1 - exp(-dt / tau);
  for (int k = 1; k <= 4; k++) {
    brio_lowpass filter;
    brio_lowpass_start(&filter, k, tau, 0);
    double binomial = 1, fade = 1;
    for (int n = 0; n < 60; n++) {
      CHECK_NEAR(brio_lowpass_step(&filter, n == 0, dt), pow(alpha, k) * binomial * fade, 1e-14,
                 "%d stages, %d", k, n);
      binomial = binomial * (n + k) / (n + 1);
      fade *= 1 - alpha;
    }
  }
}

static void no_overshoot_at_any_rate(void) {
  const double steps[] = {0.0005, 0.005, 0.02, 1, 1e6};
  for (int k = 1; k <= 4; k++)
    for (int s = 0; s < 5; s++) {
      brio_lowpass filter;
      double last = -1, y = -1;
      brio_lowpass_start(&filter, k, 0.05, -1);
      for (int i = 0; i < 4000; i++) {
        y = brio_lowpass_step(&filter, 2, steps[s]);
        CHECK(y >= last && y <= 2, "%d stages: %g after %g", k, y, last);
        last = y;
      }
      CHECK_NEAR(y, 2, 1e-9, "it arrives");
    }
}

static void same_at_any_rate(void) {
  brio_lowpass coarse, fine;
  brio_lowpass_start(&coarse, 1, 0.05, 0);
  brio_lowpass_start(&fine, 1, 0.05, 0);
  for (int i = 0; i < 50; i++) {
    double a = brio_lowpass_step(&coarse, 1, 0.01), b = 0;
    for (int j = 0; j < 10; j++) b = brio_lowpass_step(&fine, 1, 0.001);
    CHECK_NEAR(a, b, 1e-12, "step %d", i);
  }
}

static void bad_input(void) {
  brio_lowpass filter;
  CHECK(!brio_lowpass_start(&filter, 5, 0.1, 3) && !brio_lowpass_start(&filter, 2, NAN, 3) &&
        !brio_lowpass_start(&filter, -1, 0.1, 3) && !brio_lowpass_start(&filter, 1, 0, 3), "refused");
  CHECK(brio_lowpass_step(&filter, 4, 0.1) == 4 && brio_lowpass_step(&filter, NAN, 0.1) == 4,
        "passes what is finite");
  CHECK(brio_lowpass_start(&filter, 3, 0.1, 3), "start");
  CHECK(brio_lowpass_step(&filter, NAN, 0.1) == 3 && brio_lowpass_step(&filter, INFINITY, 0.1) == 3 &&
        brio_lowpass_step(&filter, 9, -1) == 3 && brio_lowpass_step(&filter, 9, NAN) == 3, "nothing happens");
}

CHECK_SUITE(CHECK_TEST(cutoff_is_as_the_formula_says), CHECK_TEST(known_values), CHECK_TEST(impulse_response),
            CHECK_TEST(no_overshoot_at_any_rate), CHECK_TEST(same_at_any_rate), CHECK_TEST(bad_input))
