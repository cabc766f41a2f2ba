/* Writing of the solver's results of each tick: packed as samples are (store/packing/samples.h), and
** summarized by seconds. */
#ifndef BRIO_STORE_PACKING_SOLVES_H
#define BRIO_STORE_PACKING_SOLVES_H

#include "store/db.h"
#include "store/packing/block.h"
#include "store/packing/pending.h"

enum { BRIO_SOLVE_QUERIES = 3, BRIO_SOLVE_STATUSES = 32, BRIO_SOLVE_STATUS_SIZE = 32 };
enum {
#define X(name, kind, step) BRIO_SOLVE_##name,
#include "store/packing/solve_columns.def"
#undef X
  BRIO_SOLVE_COLUMNS
};

typedef struct brio_solves {
  brio_db *db;
  brio_pending pending;
  brio_query *queries[BRIO_SOLVE_QUERIES];
  char statuses[BRIO_SOLVE_STATUSES][BRIO_SOLVE_STATUS_SIZE];
  int nstatus;
  brio_text bytes;
  brio_pack_room *room;
} brio_solves;

/* Prepare the statements. */
bool brio_solves_prepare(brio_solves *solves, brio_db *db, brio_error *err);

/* Add a row, BRIO_SOLVE_COLUMNS values, to the open transaction.  Errors: format (it cannot be kept), io,
** no_memory. */
bool brio_solves_add(brio_solves *solves, int64_t run, const brio_value *values, brio_error *err);

/* Before a transaction ends: write what is not in the file yet into a short block, or with `whole` close the
** long one. */
bool brio_solves_flush(brio_solves *solves, bool whole, brio_error *err);

/* The transaction was committed, or rolled back. */
void brio_solves_commit(brio_solves *solves);
void brio_solves_roll_back(brio_solves *solves);

/* Drop results that can never be written, as brio_pending_drop; return how many are lost. */
int brio_solves_drop(brio_solves *solves, bool block);

/* End the statements and free the memory. */
void brio_solves_end(brio_solves *solves);

#endif
