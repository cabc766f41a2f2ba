/* Smooth noise over time, for movement that looks alive.  Gradient noise: a random slope
** at every whole number, blended between them by a quintic, so value, slope and curvature
** are continuous; slopes come from a hash, so any x may be queried, in any order, without a
** table.  Frequencies are those of x: a lattice point per unit.  One octave is band-limited
** (nearly all its power between 0.2 and 1 cycles per unit); octaves with gain near 0.84
** give the 1/f-like spectrum of living movement. */
#ifndef BRIO_MATH_NOISE_H
#define BRIO_MATH_NOISE_H

#include <stdint.h>

/* Return noise of `seed` at `x`: mean 0, within [-1, 1], deviation brio_noise_rms().
** The sum of two lattices half a unit apart: a single one is exactly 0 at every lattice
** point, while this sum's deviation varies by about 5 % with x.  0 where x is not
** finite or beyond 2^50, where its fraction has too few bits. */
double brio_noise_value(uint64_t seed, double x);

/* Return the deviation (root mean square over seeds and x) of brio_noise_value. */
double brio_noise_rms(void);

/* Return the sum of `octaves` (1 to 32) noises, each `lacunarity` times as fast and `gain`
** times as strong as the one before, normalised to the deviation brio_noise_rms(); it may
** go beyond 1.  The exponent of its spectrum is about 1 + 2 log(1 / gain) / log(lacunarity). */
double brio_noise_octaves(uint64_t seed, double x, int octaves, double lacunarity, double gain);

/* Return noise with the spectrum of living movement: `octaves` noises, each twice as fast as the one
** before, whose power falls as 1 / f^beta across the octaves; one octave is brio_noise_value.  Within [-1,
** 1] (larger values, which are rare, are compressed), deviation brio_noise_rms(). */
double brio_noise_living(uint64_t seed, double x, int octaves, double beta);

#endif
