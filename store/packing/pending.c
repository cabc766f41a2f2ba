/* Rows arrive tick by tick and are packed column by column: a row is transposed when it is added, O(columns).
** Closing a block and rolling a transaction back swap two buffers and copy nothing. */
#include "store/packing/pending.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The invariants: counts are within a block, and both buffers have memory for the columns of their rows. */
static bool is_consistent(const brio_pending *pending) {
  const brio_pending_rows *both[] = {&pending->now, &pending->before};
  bool good = pending->count >= 0 && pending->tailed >= 0 && pending->tailed <= pending->count;
  for (int i = 0; i < 2; i++)
    good = good && both[i]->count >= 0 && both[i]->count <= BRIO_PENDING_MOST && both[i]->tailed >= 0 &&
           (both[i]->count == 0 || (both[i]->numbers && both[i]->columns <= pending->room));
  return good && pending->now.tailed <= pending->now.count;
}

bool brio_pending_fits(const brio_pending *pending, int64_t run, int columns) {
  const brio_pending_rows *now = &pending->now;
  return now->count == 0 || (now->count < BRIO_PENDING_MOST && now->run == run && now->columns == columns);
}

/* Make room for `columns` in both buffers, so that closing a block needs no memory. Rows keep their place, as
** each column has a fixed size. */
static bool reserve(brio_pending *pending, int columns) {
  assert(columns > 0);
  if (columns <= pending->room) return true;
  /* If the second realloc fails, the first buffer is larger than `room` says, which is harmless. */
  brio_pending_rows *both[] = {&pending->now, &pending->before};
  for (int i = 0; i < 2; i++) {
    double *numbers = realloc(both[i]->numbers, sizeof *numbers * (size_t)columns * BRIO_PENDING_MOST);
    if (!numbers) return false;
    both[i]->numbers = numbers;
  }
  pending->room = columns;
  return true;
}

bool brio_pending_add(brio_pending *pending, int64_t run, int columns, const double *row) {
  assert(brio_pending_fits(pending, run, columns));
  brio_pending_rows *now = &pending->now;
  if (!reserve(pending, columns)) return false;
  /* Scatter the row over the columns, each of which has room for BRIO_PENDING_MOST numbers. */
  now->run = run;
  now->columns = columns;
  for (int i = 0; i < columns; i++)
    memcpy(now->numbers + (size_t)i * BRIO_PENDING_MOST + now->count, row + i, sizeof *row);
  now->count++;
  assert(is_consistent(pending));
  return true;
}

double *brio_pending_column(const brio_pending_rows *rows, int column, int first) {
  assert(column >= 0 && column < rows->columns && first >= 0 && first < BRIO_PENDING_MOST);
  return rows->numbers + (size_t)column * BRIO_PENDING_MOST + first;
}

/* Writer's thread. The present buffer becomes `before`, which a rollback can restore. */
void brio_pending_close(brio_pending *pending) {
  assert(!pending->closed && is_consistent(pending));
  /* Swap the buffers. */
  brio_pending_rows written = pending->now;
  pending->now = pending->before;
  pending->now.count = pending->now.tailed = 0;
  pending->before = written;
  pending->closed = true;
  assert(is_consistent(pending));
}

bool brio_pending_begin(brio_db *db, brio_error *err) { return brio_db_run(db, "SAVEPOINT block", err); }

bool brio_pending_finish(brio_db *db, bool good, brio_error *err) {
  if (good) return brio_db_run(db, "RELEASE block", err);
  /* A full disk may have ended the whole transaction already. */
  if (brio_db_in_transaction(db)) brio_db_run(db, "ROLLBACK TO block; RELEASE block", NULL);
  return false;
}

/* Remember how many rows are safe: a rollback returns to here. */
void brio_pending_commit(brio_pending *pending) {
  assert(is_consistent(pending));
  pending->closed = false;
  pending->count = pending->now.count;
  pending->tailed = pending->now.tailed;
}

void brio_pending_roll_back(brio_pending *pending) {
  assert(is_consistent(pending));
  /* Restore the closed block: its memory is untouched. */
  if (pending->closed) {
    brio_pending_rows emptied = pending->now;
    pending->now = pending->before;
    pending->before = emptied;
    pending->before.count = 0;
  }
  pending->closed = false;
  /* Drop rows that were added since the last commit; their records are still in the ring. */
  pending->now.count = pending->count;
  pending->now.tailed = pending->tailed;
  assert(is_consistent(pending));
}

int brio_pending_drop(brio_pending *pending, bool block) {
  assert(is_consistent(pending) && (pending->closed || !block));
  /* A closed block was swapped away already, and keeps its rows for a rollback. */
  if (block) return pending->before.count - pending->before.tailed;
  int lost = pending->now.count - pending->now.tailed;
  pending->now.count = pending->now.tailed = 0;
  return lost;
}

void brio_pending_end(brio_pending *pending) {
  free(pending->now.numbers);
  free(pending->before.numbers);
  *pending = (brio_pending){0};
}
