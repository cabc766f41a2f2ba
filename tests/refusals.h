/* Out-of-memory tests: whichever allocation of a job fails, alone or with all after it, the job returns the
** error code for that or succeeds, and leaks nothing. */
#ifndef BRIO_TESTS_REFUSALS_H
#define BRIO_TESTS_REFUSALS_H

#include <stdint.h>

#include "base/error.h"
#include "tests/allocations.h"
#include "tests/check.h"

typedef struct refusals_job {
  const char *what;
  bool (*work)(brio_error *err); /* makes something, uses it and frees it; false: it failed */
} refusals_job;

/* Refuse the n-th allocation of a job, and `span` - 1 after it. */
static inline void refusals_one(const refusals_job *job, size_t nth, size_t span) {
  brio_error err = {0};
  long before = allocations_held;
  allocations_refused_from = allocations + nth;
  allocations_refused = span;
  bool good = job->work(&err);
  allocations_refused_from = 0;
  CHECK(nth > 1 || !good, "%s without its first allocation", job->what);
  CHECK(good || err.code == BRIO_NO_MEMORY, "%s, allocation %zu: %s: '%s'", job->what, nth,
        brio_code_name(err.code), err.message);
  CHECK(allocations_held == before, "%s, allocation %zu: %ld blocks leaked (%s)", job->what, nth,
        allocations_held - before, err.message);
}

/* Refuse each allocation of each job, at most 1,000 of one, evenly spread. */
static inline void refusals_of(const refusals_job *jobs, size_t count) {
#ifdef SANITIZED
  check_skip = "a sanitizer has its own malloc, which refuses nothing";
#endif
  for (size_t i = 0; i < count; i++) {
    brio_error err = {0};
    CHECK(jobs[i].work(&err), "%s: %s", jobs[i].what, err.message); /* what is allocated once exists now */
    size_t before = allocations;
    CHECK(jobs[i].work(&err), "%s again: %s", jobs[i].what, err.message);
    size_t all = allocations - before, step = all / 1000 + 1;
    for (size_t n = 1; n <= all; n += step) {
      refusals_one(&jobs[i], n, 1);
      refusals_one(&jobs[i], n, SIZE_MAX);
    }
    CHECK(jobs[i].work(&err), "%s, after all: %s", jobs[i].what, err.message);
    printf("#   %s: %zu allocations\n", jobs[i].what, all);
  }
}

#endif
