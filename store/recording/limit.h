/* The size limit of a store: when it is reached, the oldest samples and solver results are dropped, run by
** run, and recorded in the table `dropped`.  All other rows of a run stay. */
#ifndef BRIO_STORE_RECORDING_LIMIT_H
#define BRIO_STORE_RECORDING_LIMIT_H

#include "store/db.h"

enum { BRIO_LIMIT_QUERIES = 12 };

typedef struct brio_limit {
  int64_t bytes;   /* 0: none */
  int64_t dropped; /* ticks so far, of samples */
  bool beyond;     /* nothing was left to drop, and it is still too large */
  brio_query *queries[BRIO_LIMIT_QUERIES];
} brio_limit;

/* Prepare the statements; without a limit nothing. */
bool brio_limit_prepare(brio_limit *limit, brio_db *db, int64_t bytes, brio_error *err);

/* Outside a transaction: check the size, and drop a little if it is too large.  `run` is being recorded: its
** last minute stays. */
bool brio_limit_keep(brio_limit *limit, brio_db *db, int64_t run, brio_error *err);

/* End the statements. */
void brio_limit_end(brio_limit *limit);

#endif
