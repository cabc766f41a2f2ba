/* The size that a store may have: when it is reached, the oldest samples and solver results go, run by run,
** and what went is kept in the table `dropped`.  Everything else of a run stays. */
#ifndef BRIO_STORE_RECORDING_LIMIT_H
#define BRIO_STORE_RECORDING_LIMIT_H

#include "store/db.h"

enum { BRIO_LIMIT_QUERIES = 12 };

typedef struct brio_limit {
  int64_t bytes;   /* 0: none */
  int64_t dropped; /* ticks so far, of samples */
  bool beyond;     /* there was nothing more to drop, and it is still too large */
  brio_query *queries[BRIO_LIMIT_QUERIES];
} brio_limit;

/* Prepare the statements; without a limit nothing. */
bool brio_limit_prepare(brio_limit *limit, brio_db *db, int64_t bytes, brio_error *err);

/* Outside a transaction: look at the size, and drop a little if it is too large.  `run` is being recorded:
** its last minute stays. */
bool brio_limit_keep(brio_limit *limit, brio_db *db, int64_t run, brio_error *err);

/* End the statements. */
void brio_limit_end(brio_limit *limit);

#endif
