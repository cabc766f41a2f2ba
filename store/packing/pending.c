/* Rows come by ticks and are packed by columns: they are turned round when they are added. */
#include "store/packing/pending.h"

#include <stdlib.h>
#include <string.h>

bool brio_pending_fits(const brio_pending *pending, int64_t run, int columns) {
  const brio_pending_rows *now = &pending->now;
  return now->count == 0 || (now->count < BRIO_PENDING_MOST && now->run == run && now->columns == columns);
}

/* Have memory for so many columns; what is there stays. */
static bool reserve(brio_pending *pending, int columns) {
  if (columns <= pending->room) return true;
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
  brio_pending_rows *now = &pending->now;
  if (!reserve(pending, columns)) return false;
  now->run = run;
  now->columns = columns;
  for (int i = 0; i < columns; i++) memcpy(now->numbers + (size_t)i * BRIO_PENDING_MOST + now->count, row + i, sizeof *row);
  now->count++;
  return true;
}

double *brio_pending_column(const brio_pending_rows *rows, int column, int first) {
  return rows->numbers + (size_t)column * BRIO_PENDING_MOST + first;
}

void brio_pending_close(brio_pending *pending) {
  brio_pending_rows written = pending->now;
  pending->now = pending->before;
  pending->now.count = pending->now.tailed = 0;
  pending->before = written;
  pending->closed = true;
}

void brio_pending_commit(brio_pending *pending) {
  pending->closed = false;
  pending->count = pending->now.count;
  pending->tailed = pending->now.tailed;
}

void brio_pending_roll_back(brio_pending *pending) {
  if (pending->closed) {
    brio_pending_rows emptied = pending->now;
    pending->now = pending->before;
    pending->before = emptied;
    pending->before.count = 0;
  }
  pending->closed = false;
  pending->now.count = pending->count;
  pending->now.tailed = pending->tailed;
}

void brio_pending_end(brio_pending *pending) {
  free(pending->now.numbers);
  free(pending->before.numbers);
  *pending = (brio_pending){0};
}
