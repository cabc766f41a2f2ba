/* Random streams: xoshiro256**, seeded by splitmix64. Sources: Blackman and Vigna, "Scrambled
** linear pseudorandom number generators", 2018; Steele, Lea and Flood, "Fast splittable
** pseudorandom number generators", 2014. */
#include "base/random.h"

#include <assert.h>
#include <math.h>

/* splitmix64: advance the state, and return 64 well mixed bits of it. */
static uint64_t splitmix(uint64_t *state) {
  /* The golden ratio in 64 bits: the state visits every value. */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Rotate to the left; 0 < k < 64. */
static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

brio_random brio_random_stream(uint64_t seed, const char *name) {
  uint64_t state = 0xcbf29ce484222325u; /* FNV-1a over the name */
  for (; *name; name++) state = (state ^ (unsigned char)*name) * 0x100000001b3u;
  /* Seed and name are mixed before the four words of the state are drawn. */
  state ^= splitmix(&seed);
  brio_random stream;
  for (int i = 0; i < 4; i++) stream.s[i] = splitmix(&state);
  return stream;
}

uint64_t brio_random_bits(brio_random *stream) {
  /* The scrambler of the ** variant on s[1], then one step of the linear generator, which never reaches 0
  ** from another state. */
  uint64_t *s = stream->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  assert(s[0] | s[1] | s[2] | s[3]);
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

double brio_random_uniform(brio_random *stream, double lower, double upper) {
  /* 53 bits make a double in [0, 1). */
  double unit = (double)(brio_random_bits(stream) >> 11) * 0x1p-53;
  double drawn = lower + unit * (upper - lower);
  return drawn < upper || !(lower < upper) ? drawn : nextafter(upper, lower); /* never rounded up to it */
}

double brio_random_normal(brio_random *stream) { /* Marsaglia's polar method */
  double u, v, s;
  /* A uniform point of the open unit disk without its center, after 4/pi rounds on average. */
  do {
    u = brio_random_uniform(stream, -1, 1);
    v = brio_random_uniform(stream, -1, 1);
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  return u * sqrt(-2 * log(s) / s);
}

uint64_t brio_random_below(brio_random *stream, uint64_t n) {
  assert(n > 0);
  /* Draws below 2^64 mod n are rejected: the rest is a whole number of rounds of n. Two draws on average at
  ** most. */
  uint64_t bits, limit = -n % n; /* 2^64 mod n: draws below it would be biased */
  do bits = brio_random_bits(stream);
  while (bits < limit);
  return bits % n;
}
