/* Spectra of evenly sampled signals: for measures and tools.  Off the tick: it allocates. */
#ifndef BRIO_MATH_SPECTRUM_H
#define BRIO_MATH_SPECTRUM_H

#include <stdbool.h>

enum { BRIO_SPECTRUM_MOST = 1 << 22 /* samples */ };

/* Transform `count` complex numbers in place (real parts and imaginary parts apart), a power of two of them:
** X[k] = sum of x[i] e^(-2 pi i k / count).  Return false when count is no power of two. */
bool brio_spectrum_transform(double *real, double *imaginary, int count);

/* Power spectral density of `count` samples at `rate` Hz, by Welch's method: means of Hann-windowed segments
** of `segment` samples (a power of two, at most count) that overlap by half, each without its mean.
** `density` takes segment / 2 + 1 values (unit^2/Hz), value k at k rate / segment Hz.  Return false: bad
** sizes or no memory. */
bool brio_spectrum_density(const double *samples, int count, double rate, int segment, double *density);

/* Slope of a density between two frequencies: beta of 1/f^beta, by least squares in logarithms, with equal
** weight for each octave.  NaN: fewer than three values there, or one that is not above 0. */
double brio_spectrum_slope(const double *density, int bins, double step, double lowest, double highest);

#endif
