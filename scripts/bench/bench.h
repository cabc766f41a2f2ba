/* What the benchmark of brio and those of its peers share, in C and C++ alike: the same
** configurations, the same clock, the same way to count.
**
** A configuration gives every joint a value made of the joint's name and the configuration's
** number, so programs that number joints differently still do the same work, and can be held
** against each other: the checks they print must agree. */
#ifndef BRIO_SCRIPTS_BENCH_H
#define BRIO_SCRIPTS_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Configurations; calls in a batch; batches measured at most; batches before they count. */
enum { BENCH_CONFIGURATIONS = 256, BENCH_CALLS = 512, BENCH_BATCHES = 300, BENCH_WARM = 20 };

#define BENCH_SECONDS 0.4 /* of CPU time for one row, after which no batch begins */

/* Return a number in [-1, 1) of `name`, the same in every program.
** FNV-1a for the name; splitmix64 (Steele, Lea, Flood, 2014) to spread it. */
static inline double bench_uniform(const char *name, int configuration) {
  uint64_t h = 14695981039346656037u;
  for (const char *at = name; *at; at++) h = (h ^ (unsigned char)*at) * 1099511628211u;
  h += (uint64_t)(configuration + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  h ^= h >> 31;
  return (double)(h >> 11) * 0x1p-52 - 1;
}

/* Return the value of a joint: an angle within a half turn each way, or 0.1 m each way. */
static inline double bench_value(const char *joint, bool angular, int configuration) {
  return (angular ? 3.14159265358979323846 : 0.1) * bench_uniform(joint, configuration);
}

/* Write where a free base stands: three metres, then three of a rotation vector within 1 rad. */
static inline void bench_base(int configuration, double out[6]) {
  static const char *const names[] = {"base.x", "base.y", "base.z", "base.a", "base.b", "base.c"};
  for (int i = 0; i < 6; i++) out[i] = bench_uniform(names[i], configuration) * (i < 3 ? 1 : 0.577);
}

/* Return nanoseconds of CPU time that this thread has used. */
static inline double bench_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* One piece of work: does configuration `k` and returns a number of its result, so that no
** compiler can leave the work out. */
typedef double (*bench_work)(void *context, int k);

/* Print one line of JSON: percentiles of what was measured, ns, which are sorted for that. */
static inline void bench_print(const char *row, double *times, int count, double check, double folded) {
  qsort(times, (size_t)count, sizeof *times, bench_compare);
  printf("{\"row\":\"%s\",\"p50\":%.1f,\"p95\":%.1f,\"p99\":%.1f,\"check\":%.12g,\"folded\":%.12g}\n", row,
         times[count / 2], times[count * 95 / 100], times[count * 99 / 100], check, folded);
}

/* Measure `work` and print one line of JSON: nanoseconds a call, percentiles over batches.
** `check` is a number all programs that do the same work agree on. */
static inline void bench_measure(const char *row, bench_work work, void *context, double check) {
  static double batches[BENCH_BATCHES];
  double folded = 0, begin = bench_clock();
  int count = -BENCH_WARM;
  for (; count < 1 || (count < BENCH_BATCHES && bench_clock() - begin < 1e9 * BENCH_SECONDS); count++) {
    double from = bench_clock();
    for (int k = 0; k < BENCH_CALLS; k++) folded += work(context, k % BENCH_CONFIGURATIONS);
    if (count >= 0) batches[count] = (bench_clock() - from) / BENCH_CALLS;
  }
  bench_print(row, batches, count, check, folded);
}

#endif
