/* Sine and cosine of two numbers at once, the same bits on every machine (libm picks another
** implementation by the processor it finds).  Below 2^19 in size the error is under 1.4e-16;
** use libm above.
**
** The angle is brought within +-pi/4 by subtracting n pi/2, pi/2 being kept as a sum of three
** numbers, the first two short enough for n times them to be exact (Cody and Waite, "Software
** Manual for the Elementary Functions", 1980); there the polynomials of FreeBSD's msun
** (k_sin.c, k_cos.c; Sun Microsystems, 1993) give sine and cosine. */
#ifndef BRIO_MATH_SINCOS_H
#define BRIO_MATH_SINCOS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef double brio_pair __attribute__((vector_size(16)));
typedef int64_t brio_pair_bits __attribute__((vector_size(16)));

static const double BRIO_SINCOS_LARGEST = 524288.0;

/* Return the two numbers at `from`. */
static inline brio_pair brio_pair_load(const double *from) {
  brio_pair pair;
  memcpy(&pair, from, sizeof pair);
  return pair;
}

/* Write the two numbers to `to`. */
static inline void brio_pair_store(double *to, brio_pair pair) { memcpy(to, &pair, sizeof pair); }

/* Return x twice. */
static inline brio_pair brio_pair_of(double x) { return (brio_pair){x, x}; }

/* Select bits of `a` where `mask` is set, otherwise of `b`. */
static inline brio_pair brio_pair_select(brio_pair_bits mask, brio_pair a, brio_pair b) {
  return (brio_pair)(((brio_pair_bits)a & mask) | ((brio_pair_bits)b & ~mask));
}

/* Write sines and cosines of the two numbers at `x`. */
static inline void brio_sincos_pair(const double *x, double *sine, double *cosine) {
  const double round = 0x1.8p52; /* adding it leaves a whole number in the lowest bits */
  brio_pair angle = brio_pair_load(x);
  brio_pair shifted = angle * 0x1.45f306dc9c883p-1 + round;
  brio_pair n = shifted - round;
  brio_pair_bits quarter = (brio_pair_bits)shifted;
  brio_pair high = angle - n * 0x1.921fb544p+0 - n * 0x1.0b4611a6p-34;
  brio_pair r = high - n * 0x1.3198a2e037073p-69;
  brio_pair rest = high - r - n * 0x1.3198a2e037073p-69; /* what r lost by rounding */
  brio_pair z = r * r, w = z * z;
  brio_pair s =
      z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
           z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10));
  brio_pair c =
      z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
      w * w *
          (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
  brio_pair near_sine = r + (r * z * (-1.66666666666666324348e-01 + s) + rest);
  brio_pair half = 0.5 * z, rough = 1.0 - half;
  brio_pair near_cosine = rough + (((1.0 - rough) - half) + (z * c - r * rest));
  brio_pair_bits swap = -(quarter & 1);
  brio_pair_bits sine_sign = (quarter & 2) << 62, cosine_sign = ((quarter + 1) & 2) << 62;
  brio_pair_store(sine,
                  (brio_pair)((brio_pair_bits)brio_pair_select(swap, near_cosine, near_sine) ^ sine_sign));
  brio_pair_store(cosine,
                  (brio_pair)((brio_pair_bits)brio_pair_select(swap, near_sine, near_cosine) ^ cosine_sign));
}

/* Write sines and cosines of `count` values, each array with room for one more.  `large`: one of the
** values is outside the range of brio_sincos_pair. */
static inline void brio_sincos_list(const double *values, double *sines, double *cosines, int count,
                                    bool large) {
  for (int m = 0; !large && m < count; m += 2) brio_sincos_pair(values + m, sines + m, cosines + m);
  for (int m = 0; large && m < count; m++) {
    sines[m] = sin(values[m]);
    cosines[m] = cos(values[m]);
  }
}

#endif
