/* Measures of motion quality.  The spectral arc length after Balasubramanian et al. (2015), "On the
** analysis of movement smoothness": with V(f) the amplitude of the speed's spectrum as a share of its
** greatest, f0 = 0 and fc the last frequency up to 10 Hz with V >= 0.05,
**   SPARC = - sum over bins of sqrt((df / (fc - f0))^2 + dV^2).
** A speed is never below 0, so its spectrum is greatest at 0 Hz, and only the bins up to 10 Hz are needed:
** they are summed up one by one, which needs no memory and no transform. */
#include "math/quality.h"

#include <math.h>

#define TWO_PI 6.28318530717958647692
#define HIGHEST 10.0  /* Hz: beyond it is noise */
#define LEAST 0.05    /* share of the greatest amplitude that still counts */

enum { PADDING = 4 }; /* the length is padded to the next power of two times 2^PADDING */

/* |sum of speed[i] e^(-2 pi i k / length)|, by Goertzel's recurrence. */
static double amplitude(const double *speed, int count, double k, double length) {
  double angle = TWO_PI * k / length, c = 2 * cos(angle), s1 = 0, s2 = 0;
  for (int i = 0; i < count; i++) {
    double s = speed[i] + c * s1 - s2;
    s2 = s1;
    s1 = s;
  }
  return hypot(s1 - s2 * cos(angle), s2 * sin(angle));
}

/* The sum of all samples, which is their spectrum at 0 Hz; NaN: there is one that is no speed. */
static double total(const double *speed, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    if (!(speed[i] >= 0 && speed[i] < INFINITY)) return NAN;
    sum += speed[i];
  }
  return sum;
}

/* The last bin that counts. */
static int last_bin(const double *speed, int count, double length, int bins, double greatest) {
  int last = 0;
  for (int k = 1; k <= bins; k++)
    if (amplitude(speed, count, k, length) >= LEAST * greatest) last = k;
  return last;
}

double brio_quality_sparc(const double *speed, int count, double rate) {
  if (count < 2 || !(rate > 0 && rate < INFINITY)) return NAN;
  double greatest = total(speed, count);
  if (!(greatest > 0)) return NAN;
  double length = exp2(ceil(log2(count)) + PADDING);
  int bins = (int)fmin(floor(HIGHEST * length / rate), 0.5 * length);
  int last = last_bin(speed, count, length, bins, greatest);
  double sum = 0, before = 1;
  for (int k = 1; k <= last; k++) {
    double here = amplitude(speed, count, k, length) / greatest;
    sum += hypot(1.0 / last, here - before);
    before = here;
  }
  return last > 0 ? -sum : NAN;
}
