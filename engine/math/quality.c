/* Measures of motion quality. The spectral arc length after Balasubramanian et al. (2015), "On the
** analysis of movement smoothness": with V(f) the amplitude of the speed's spectrum relative to its
** maximum, f0 = 0 and fc the last frequency up to 10 Hz with V >= 0.05,
**   SPARC = - sum over bins of sqrt((df / (fc - f0))^2 + dV^2).
** A speed is never negative, so its spectrum is greatest at 0 Hz, and only the bins up to 10 Hz are needed:
** those of short movements are summed up one by one, without memory; long ones are transformed. */
#include "math/quality.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "math/spectrum.h"

#define TWO_PI 6.28318530717958647692
#define HIGHEST 10.0  /* Hz: beyond it is noise */
#define MIN_SHARE 0.05  /* share of the greatest amplitude that still counts */

enum { PADDING = 4, SHORT = 512 }; /* the length is padded to the next power of two times 2^PADDING */

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

/* The sum of all samples, which is their spectrum at 0 Hz; NaN: a sample is negative or not finite. */
static double total(const double *speed, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    if (!(speed[i] >= 0 && speed[i] < INFINITY)) return NAN;
    sum += speed[i];
  }
  return sum;
}

/* Return the last bin whose amplitude counts. O(count * bins). */
static int last_bin(const double *speed, int count, double length, int bins, double greatest) {
  int last = 0;
  for (int k = 1; k <= bins; k++)
    if (amplitude(speed, count, k, length) >= MIN_SHARE * greatest) last = k;
  return last;
}

/* The arc length over bins with these amplitudes, relative to the greatest; NaN: none of them counts. */
static double arc_length(const double *amplitudes, int bins) {
  int last = 0;
  for (int k = 1; k <= bins; k++)
    if (amplitudes[k] >= MIN_SHARE) last = k;
  double sum = 0;
  for (int k = 1; k <= last; k++) sum += hypot(1.0 / last, amplitudes[k] - amplitudes[k - 1]);
  return last > 0 ? -sum : NAN;
}

/* The same by one transform of the whole, for movements of many samples: O(length log length). */
static double transformed_sparc(const double *speed, int count, int length, int bins, double greatest) {
  double *real = calloc(2 * (size_t)length, sizeof *real), result = NAN;
  if (!real) return NAN;
  for (int i = 0; i < count; i++) real[i] = speed[i];
  if (brio_spectrum_transform(real, real + length, length)) {
    for (int k = 0; k <= bins; k++) real[k] = hypot(real[k], real[length + k]) / greatest;
    result = arc_length(real, bins);
  }
  free(real);
  return result;
}

/* O(count * bins) for short movements, O(length log length) for long ones. */
double brio_quality_sparc(const double *speed, int count, double rate) {
  if (count < 2 || count > BRIO_SPECTRUM_MOST || !(rate > 0 && rate < INFINITY)) return NAN;
  double greatest = total(speed, count);
  if (!(greatest > 0)) return NAN;
  /* Padding with zeros interpolates the spectrum. */
  double length = exp2(ceil(log2(count)) + PADDING);
  /* No bin beyond 10 Hz, nor beyond half the rate. */
  int bins = (int)fmin(floor(HIGHEST * length / rate), 0.5 * length);
  if (count > SHORT) return transformed_sparc(speed, count, (int)length, bins, greatest);
  assert(length >= count);
  int last = last_bin(speed, count, length, bins, greatest);
  double sum = 0, before = 1;
  for (int k = 1; k <= last; k++) {
    double here = amplitude(speed, count, k, length) / greatest;
    sum += hypot(1.0 / last, here - before);
    before = here;
  }
  return last > 0 ? -sum : NAN;
}

/* Dimensionless jerk: -T^3 / peak^2 times the integral of the squared second derivative of the speed. */
double brio_quality_jerk(const double *speed, int count, double rate) {
  if (count < 3 || !(rate > 0 && rate < INFINITY)) return NAN;
  double peak = 0, sum = 0, duration = count / rate;
  for (int i = 0; i < count; i++) {
    if (!isfinite(speed[i])) return NAN;
    peak = fmax(peak, fabs(speed[i]));
  }
  for (int i = 2; i < count; i++) {
    double second = (speed[i] - 2 * speed[i - 1] + speed[i - 2]) * rate * rate;
    sum += second * second / rate;
  }
  return peak > 0 ? -duration * duration * duration / (peak * peak) * sum : NAN;
}

/* A movement from the first value to the last: how far it goes back before, and beyond the end. */
bool brio_quality_measure_move(const double *values, int count, double rate, brio_quality_move *out) {
  if (count < 3 || !(rate > 0)) return false;
  double from = values[0], to = values[count - 1], span = to - from, back = 0, beyond = 0, peak = 0;
  if (!isfinite(span) || span == 0) return false;
  for (int i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
    double share = (values[i] - from) / span;
    back = fmax(back, -share);
    beyond = fmax(beyond, share - 1);
    if (i > 0) peak = fmax(peak, fabs(values[i] - values[i - 1]) * rate);
  }
  double mean = fabs(span) * rate / (count - 1);
  *out = (brio_quality_move){fabs(span), back, beyond, peak / mean};
  return true;
}

/* Pearson's correlation of two series where they overlap, b shifted by `shift` samples; NaN: one of them is
** constant. */
static double correlation(const double *a, const double *b, int count, int shift) {
  int from = shift < 0 ? -shift : 0, to = shift > 0 ? count - shift : count, n = to - from;
  assert(n > 0);
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0, a0 = a[from], b0 = b[from + shift];
  for (int i = from; i < to; i++) {
    double x = a[i] - a0, y = b[i + shift] - b0; /* from the first, so that large values lose no digits */
    sa += x, sb += y, saa += x * x, sbb += y * y, sab += x * y;
  }
  double va = saa - sa * sa / n, vb = sbb - sb * sb / n;
  return va > 0 && vb > 0 ? (sab - sa * sb / n) / sqrt(va * vb) : NAN;
}

/* The shift with the greatest correlation, refined by a parabola through its neighbors. O(count *
** reach). */
double brio_quality_lag(const double *a, const double *b, int count, double rate, double most) {
  if (count < 5 || !(rate > 0 && most >= 0)) return NAN;
  int reach = (int)fmin(most * rate, count - 3), at = 0;
  double best = correlation(a, b, count, 0);
  for (int step = 1; step <= reach; step++) {
    double ahead = correlation(a, b, count, step), behind = correlation(a, b, count, -step);
    if (ahead > best) best = ahead, at = step;
    if (behind > best) best = behind, at = -step;
  }
  /* The peak of the parabola through three correlations lies between them. */
  double left = correlation(a, b, count, at - 1), right = correlation(a, b, count, at + 1);
  double bow = left - 2 * best + right; /* below 0 where the middle is the greatest */
  double between = bow < 0 && fabs(left - right) <= -bow ? 0.5 * (left - right) / bow : 0;
  return isnan(best) ? NAN : (at + between) / rate;
}
