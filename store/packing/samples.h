/* Writing samples: each transaction puts the newest into a short row for all DOFs, and when a block's worth
** is there the short rows give way to one row for each DOF.  Where a block ends depends on ticks only, never
** on the clock. */
#ifndef BRIO_STORE_PACKING_SAMPLES_H
#define BRIO_STORE_PACKING_SAMPLES_H

#include "store/db.h"
#include "store/packing/block.h"
#include "store/packing/pending.h"
#include "store/packing/summary.h"

enum { BRIO_SAMPLE_QUERIES = 5 };

typedef struct brio_samples {
  brio_db *db;
  brio_pending pending; /* columns: tick, t, hash (its bits), then goal, command and measured of each DOF */
  brio_query *queries[BRIO_SAMPLE_QUERIES];
  brio_grid *steps;        /* ndof x (goals and commands, measured) */
  brio_summary *summaries; /* ndof x (as it is, as it was when the open transaction began) */
  int64_t summarized;      /* the run that they are of */
  double *row;             /* a sample as it is added */
  int ndof;
  brio_text bytes;
  brio_pack_room *room;
} brio_samples;

/* Prepare the statements. */
bool brio_samples_prepare(brio_samples *samples, brio_db *db, brio_error *err);

/* Set the number of DOFs of the samples that follow, and the steps of each: of goals and commands, and of
** measured values.  Nothing may be pending. */
bool brio_samples_dofs(brio_samples *samples, int ndof, const brio_grid (*steps)[2], brio_error *err);

/* Add a sample (`values`: goal, command, measured, each ndof) to the open transaction.  Errors: format (it
** cannot be kept, and is lost), io, no_memory. */
bool brio_samples_add(brio_samples *samples, int64_t run, int64_t tick, double t, int ndof,
                      const double *values, brio_error *err);

/* Before a transaction ends: write what is not in the file yet into a short row, or with `whole` close the
** block. */
bool brio_samples_flush(brio_samples *samples, bool whole, brio_error *err);

/* The transaction was committed, or rolled back. */
void brio_samples_commit(brio_samples *samples);
void brio_samples_roll_back(brio_samples *samples);

/* Drop samples that can never be written, as brio_pending_drop; return how many are lost. */
int brio_samples_drop(brio_samples *samples, bool block);

/* End the statements and free the memory. */
void brio_samples_end(brio_samples *samples);

#endif
