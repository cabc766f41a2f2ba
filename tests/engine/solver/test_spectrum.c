/* The spectrum of liveliness in motion: with six octaves from 1/16 Hz the power of a joint that nothing else
** moves falls as 1 / f^beta with beta between 1 and 2, at the requested amplitude, and does not drift. */
#include "math/noise.h"
#include "stage.h"

enum { RATE = 50, SEGMENT = 64 * RATE };

static const double SIZE = 0.2; /* rad */

/* Run for `segments` times 64 s and write the joint's values (rad). */
static void record(int segments, double *out) {
  brio_robot *robot = demo_arm(false);
  brio_solver_options options = {.seed = 12};
  brio_solver *solver = demo_solver(robot, &options);
  const brio_argument arguments[] = {TEXT("joint", "joint2"), NUMBER("frequency", 1.0 / 16),
                                     NUMBER("octaves", 6)};
  brio_error err = {0};
  double time = 0;
  demo_accelerations(robot, 20);
  int slot = brio_solver_add(solver, "alive", "joint_liveliness", arguments, 3, &err);
  CHECK(slot >= 0, "%s", err.message);
  brio_solver_set_goal(solver, slot, &SIZE, 1, 0, NULL);
  brio_solver_set_weight(solver, slot, 15, 0, NULL);
  demo_add(solver, "calm", "smoothness_macro", NULL, NULL, 0.1);
  for (int i = 0; i < segments * SEGMENT; i++)
    out[i] = demo_run(solver, &time, 1.0 / RATE, 1).q[BRIO_BASE_NQ + 1];
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* Power at `f` Hz: mean over segments of a Hann-windowed Fourier sum. */
static double power_at(const double *v, int segments, double f) {
  double sum = 0;
  for (int s = 0; s < segments; s++) {
    double re = 0, im = 0;
    for (int i = 0; i < SEGMENT; i++) {
      double hann = 0.5 - 0.5 * cos(2 * BRIO_PI * i / SEGMENT), turn = 2 * BRIO_PI * f * i / RATE;
      re += hann * v[s * SEGMENT + i] * cos(turn);
      im += hann * v[s * SEGMENT + i] * sin(turn);
    }
    sum += re * re + im * im;
  }
  return sum / segments;
}

/* The exponent by least squares over logarithms, from 1/16 Hz to 1 Hz. */
static double fitted_beta(const double *v, int segments) {
  enum { POINTS = 12 };
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < POINTS; k++) {
    double f = exp(log(1.0 / 16) + k * log(16) / (POINTS - 1)), x = log(f), y = log(power_at(v, segments, f));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return -(POINTS * sxy - sx * sy) / (POINTS * sxx - sx * sx);
}

static void commanded_motion_is_between_pink_and_brown(void) {
  int segments = 10 + (int)fmax(0, 50 * (check_scale() - 1)), count = segments * SEGMENT;
  double *v = stage_numbers(count), mean = 0, square = 0, most = 0;
  record(segments, v);
  for (int i = 0; i < count; i++) mean += v[i] / count;
  for (int i = 0; i < count; i++) {
    square += (v[i] - mean) * (v[i] - mean) / count;
    most = fmax(most, fabs(v[i]));
  }
  double beta = fitted_beta(v, segments), asked = SIZE * brio_noise_rms();
  printf("#   beta %.2f, deviation %.3f of the asked, mean %.4f rad, greatest %.3f rad of %.1f\n", beta,
         sqrt(square) / asked, mean, most, SIZE);
  CHECK(beta >= 1 && beta <= 2, "1 / f^%g", beta);
  CHECK_NEAR(sqrt(square) / asked, 1, 0.2, "deviation, of the asked");
  CHECK(fabs(mean) < 0.25 * asked && most < 1.1 * SIZE, "mean %g, greatest %g", mean, most);
  free(v);
}

CHECK_SUITE(CHECK_TEST(commanded_motion_is_between_pink_and_brown))
