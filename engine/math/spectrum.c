/* Spectra. The transform is Cooley and Tukey's, radix two, in place, O(n log n); the density is
** Welch's (1967), with Hann's window, whose mean square is 3/8. */
#include "math/spectrum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Exchange two numbers. */
static void swap(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

/* Move every number to its index with the bits reversed. */
static void reverse_bits(double *real, double *imaginary, int count) {
  assert(count >= 1 && (count & (count - 1)) == 0);
  for (int i = 1, j = 0; i < count; i++) {
    /* j counts in reversed bits: add 1 at the top and carry downwards. */
    int bit = count >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) {
      swap(&real[i], &real[j]);
      swap(&imaginary[i], &imaginary[j]);
    }
  }
}

/* Join two transforms of length `half` at `at` into one of twice the length (a butterfly for each k). */
static void join(double *real, double *imaginary, int at, int half) {
  for (int k = 0; k < half; k++) {
    double angle = -PI * k / half, c = cos(angle), s = sin(angle);
    int low = at + k, high = low + half;
    double re = c * real[high] - s * imaginary[high], im = c * imaginary[high] + s * real[high];
    real[high] = real[low] - re;
    imaginary[high] = imaginary[low] - im;
    real[low] += re;
    imaginary[low] += im;
  }
}

/* In place, O(count log count). False: the count is no power of two. */
bool brio_spectrum_transform(double *real, double *imaginary, int count) {
  if (count < 1 || (count & (count - 1))) return false;
  reverse_bits(real, imaginary, count);
  for (int half = 1; half < count; half *= 2)
    for (int at = 0; at < count; at += 2 * half) join(real, imaginary, at, half);
  return true;
}

/* Add the power of one segment to the density: less its mean, weighted by Hann's window. */
static void add_segment(const double *samples, int segment, double *real, double *imaginary,
                        double *density) {
  double mean = 0;
  for (int i = 0; i < segment; i++) mean += samples[i] / segment;
  for (int i = 0; i < segment; i++) {
    real[i] = (samples[i] - mean) * 0.5 * (1 - cos(2 * PI * i / segment));
    imaginary[i] = 0;
  }
  brio_spectrum_transform(real, imaginary, segment);
  for (int k = 0; k <= segment / 2; k++) density[k] += real[k] * real[k] + imaginary[k] * imaginary[k];
}

/* Segments overlap by half, as the window hides the ends of each. */
bool brio_spectrum_density(const double *samples, int count, double rate, int segment, double *density) {
  if (segment < 4 || (segment & (segment - 1)) || segment > count || !(rate > 0)) return false;
  double *real = malloc(2 * (size_t)segment * sizeof *real);
  if (!real) return false;
  memset(density, 0, ((size_t)segment / 2 + 1) * sizeof *density);
  int segments = 0;
  for (int at = 0; at + segment <= count; at += segment / 2, segments++)
    add_segment(samples + at, segment, real, real + segment, density);
  double scale = 1 / (rate * segment * 0.375 * segments); /* one side: the other's power is added below */
  for (int k = 0; k <= segment / 2; k++) density[k] *= k == 0 || k == segment / 2 ? scale : 2 * scale;
  free(real);
  return true;
}

/* A line through log density over log frequency, by weighted least squares; the slope of 1 / f^beta is
** -beta. */
double brio_spectrum_slope(const double *density, int bins, double step, double lowest, double highest) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  int used = 0;
  for (int k = 1; k < bins; k++) {
    double f = k * step;
    if (f < lowest || f > highest) continue;
    if (!(density[k] > 0 && density[k] < INFINITY)) return NAN;
    /* Higher octaves have more bins: with a weight of 1 / f all octaves count alike. */
    double weight = 1 / f, x = log(f), y = log(density[k]);
    n += weight, sx += weight * x, sy += weight * y, sxx += weight * x * x, sxy += weight * x * y;
    used++;
  }
  double spread = n * sxx - sx * sx;
  return used >= 3 && spread > 0 ? -(n * sxy - sx * sy) / spread : NAN;
}
