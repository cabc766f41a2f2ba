/* Gradient noise in one dimension. Between lattice points k and k + 1, with slopes g0 and g1 there and f =
** x - k:
**   n = (1 - s) g0 f + s g1 (f - 1),   s = f^3 (10 - 15 f + 6 f^2).
** Slopes are uniform in [-1, 1], so the variance at f is ((1 - s)^2 f^2 + s^2 (1 - f)^2) / 3. It is
** 0 at f = 0; the sum of two lattices half a unit apart has a nearly constant one.
** Sources: Perlin, "Improving noise", 2002 (the quintic); Steele, Lea and Flood, "Fast splittable
** pseudorandom number generators", 2014 (the hash). */
#include "math/noise.h"

#include <math.h>

/* The largest possible sum of two lattices (slopes 1 and -1 in turn), and the mean of the
** variance: integral over f of 2/3 (1 - s)^2 f^2. */
static const double LARGEST = 0.603515625;
static const double VARIANCE = 535.0 / 27027;

/* The finalizer of splitmix64: all bits of the result depend on all bits of z. */
static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* The slope at lattice point `k` of the stream `key`, in [-1, 1). */
static double slope(uint64_t key, int64_t k) {
  uint64_t bits = mix(key + (uint64_t)k * 0x9e3779b97f4a7c15u);
  return (double)(bits >> 11) * 0x1p-52 - 1;
}

/* The noise of one lattice at x. */
static double lattice(uint64_t key, double x) {
  double floor_x = floor(x), f = x - floor_x, s = f * f * f * (10 - f * (15 - 6 * f));
  int64_t k = (int64_t)floor_x;
  return (1 - s) * slope(key, k) * f + s * slope(key, k + 1) * (f - 1);
}

double brio_noise_value(uint64_t seed, double x) {
  /* Beyond this magnitude lattice points are no longer one apart; NaN gives 0, too. */
  if (!(fabs(x) < 0x1p50)) return 0;
  uint64_t key = mix(seed + 0x9e3779b97f4a7c15u);
  /* Two lattices, half a unit apart: neither is 0 where the other is. */
  return (lattice(key, x) + lattice(mix(~key), x + 0.5)) / LARGEST;
}

double brio_noise_rms(void) { return sqrt(2 * VARIANCE) / LARGEST; }

/* Octave i has its own stream, so that octaves are independent. */
double brio_noise_octaves(uint64_t seed, double x, int octaves, double lacunarity, double gain) {
  double sum = 0, power = 0, strength = 1;
  int count = octaves < 1 ? 1 : octaves > 32 ? 32 : octaves;
  for (int i = 0; i < count; i++) {
    sum += strength * brio_noise_value(seed + (uint64_t)i * 0xd1342543de82ef95u, x);
    power += strength * strength;
    strength *= gain;
    x *= lacunarity;
  }
  /* Divided by the root of the summed powers, the amplitude does not depend on the number of octaves. */
  return sum / sqrt(power);
}

/* Bend to [-1, 1]: v / (1 + v^8)^(1/8), which changes values below 0.7 by less than 1 %. */
static double bend(double v) {
  double v2 = v * v, v4 = v2 * v2;
  return v / sqrt(sqrt(sqrt(1 + v4 * v4)));
}

/* An octave has twice the frequency; a gain of 2^((1 - beta) / 2) gives a power of 1 / f^beta. */
double brio_noise_living(uint64_t seed, double x, int octaves, double beta) {
  if (octaves <= 1) return brio_noise_value(seed, x);
  return bend(brio_noise_octaves(seed, x, octaves, 2, exp2(0.5 * (1 - beta))));
}
