/* Rows of numbers that wait for being packed: kept by columns, up to a block's worth.  Some of them may lie
** in the file already in short rows (a tail), which the block will replace.  A transaction may close one
** block; until it is committed that block is kept, so that a failed transaction can be rolled back. */
#ifndef BRIO_STORE_PACKING_PENDING_H
#define BRIO_STORE_PACKING_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

/* Rows in a block: about five seconds at 200 Hz. */
enum { BRIO_PENDING_MOST = 1024 };

typedef struct brio_pending_rows {
  int64_t run;
  int columns, count, tailed; /* tailed: how many of them lie in short rows */
  double *numbers;            /* column x BRIO_PENDING_MOST */
} brio_pending_rows;

typedef struct brio_pending {
  brio_pending_rows now, before; /* being filled; closed in the open transaction */
  int room;                      /* columns that both have memory for */
  bool closed;                   /* a block was closed in the open transaction */
  int count, tailed;             /* of `now`, or of `before` when one was closed, at the last commit */
} brio_pending;

/* Whether a row of this run can be added directly; else the pending rows must be closed first. */
bool brio_pending_fits(const brio_pending *pending, int64_t run, int columns);

/* Add a row, with a number for each column.  Return false without memory. */
bool brio_pending_add(brio_pending *pending, int64_t run, int columns, const double *row);

/* The numbers of a column, those of `rows` from number `first` on. */
double *brio_pending_column(const brio_pending_rows *rows, int column, int first);

/* The rows were written in a block: begin again. */
void brio_pending_close(brio_pending *pending);

/* Around the statements of a block, of which all count or none: begin them, and finish them, `good` or not.
** Return whether they count; `err` is kept if they were not good. */
bool brio_pending_begin(brio_db *db, brio_error *err);
bool brio_pending_finish(brio_db *db, bool good, brio_error *err);

/* The open transaction was committed, or rolled back. */
void brio_pending_commit(brio_pending *pending);
void brio_pending_roll_back(brio_pending *pending);

/* Drop rows that can never be written: those of the block that this transaction closed, or else the pending
** ones.  Return how many of them are in no row of the file: short rows stay there. */
int brio_pending_drop(brio_pending *pending, bool block);

/* Free the memory. */
void brio_pending_end(brio_pending *pending);

#endif
