/* Durations counted in buckets that grow by an eighth each: percentiles of any number of
** measurements in fixed memory, right to about 6 %, without allocating. */
#ifndef BRIO_BASE_HISTOGRAM_H
#define BRIO_BASE_HISTOGRAM_H

#include <stdint.h>

enum { BRIO_HISTOGRAM_BUCKETS = 320 };

typedef struct brio_histogram {
  uint64_t counts[BRIO_HISTOGRAM_BUCKETS];
  uint64_t total;
  double largest;
} brio_histogram;

/* Count one measurement (any unit, >= 0). */
void brio_histogram_add(brio_histogram *histogram, double value);

/* Return the value below which `share` (0 to 1) of all measurements lie; 0 without any. */
double brio_histogram_at(const brio_histogram *histogram, double share);

#endif
