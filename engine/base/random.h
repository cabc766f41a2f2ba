/* Named, seeded random streams.  Everything random in a run draws from a stream
** made of the run's seed and a name ("sensor.noise", "objective.3"), so one more
** user of randomness never shifts the numbers of another, and a run repeats.
** Generator: xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64. */
#ifndef BRIO_BASE_RANDOM_H
#define BRIO_BASE_RANDOM_H

#include <stdint.h>

typedef struct brio_random {
  uint64_t s[4];
} brio_random;

/* Start the stream `name` of `seed`. */
brio_random brio_random_stream(uint64_t seed, const char *name);

/* Return 64 random bits. */
uint64_t brio_random_bits(brio_random *stream);

/* Return a number in [lower, upper). */
double brio_random_uniform(brio_random *stream, double lower, double upper);

/* Return a number of the normal distribution with mean 0 and deviation 1. */
double brio_random_normal(brio_random *stream);

/* Return a whole number in [0, n), n > 0, without bias. */
uint64_t brio_random_below(brio_random *stream, uint64_t n);

#endif
