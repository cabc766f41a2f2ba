/* A histogram with buckets in geometric progression: six to an octave, so that a value is known to
** within 6 %. */
#include "base/histogram.h"

#include <assert.h>
#include <math.h>

/* The bucket of a value: i holds values from 2^(i/6 - 6) on; smaller ones are in bucket 0. O(1) */
static int bucket_of(double value) {
  /* NaN and values that are not above 0 are in bucket 0. */
  int i = value > 0 ? (int)floor(6 * (log2(value) + 6)) : 0;
  return i < 0 ? 0 : i >= BRIO_HISTOGRAM_BUCKETS ? BRIO_HISTOGRAM_BUCKETS - 1 : i;
}

void brio_histogram_add(brio_histogram *histogram, double value) {
  histogram->counts[bucket_of(value)]++;
  histogram->total++;
  /* Kept exactly, as the last bucket has no upper end. */
  if (value > histogram->largest) histogram->largest = value;
}

double brio_histogram_at(const brio_histogram *histogram, double share) {
  assert(share >= 0 && share <= 1);
  double rank = share * (double)histogram->total, passed = 0;
  if (histogram->total == 0) return 0;
  /* The middle of the bucket in which the rank lies, and no more than the largest value. O(buckets) */
  for (int i = 0; i < BRIO_HISTOGRAM_BUCKETS; i++) {
    /* Counts up to and including bucket i; the bucket's middle is 2^((i + 1/2)/6 - 6). */
    passed += (double)histogram->counts[i];
    if (passed >= rank) return fmin(exp2((i + 0.5) / 6 - 6), histogram->largest);
  }
  return histogram->largest;
}
