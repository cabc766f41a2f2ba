/* Short blocks and long ones have the same format; a long one replaces the short ones of its ticks. A second
** may extend over two blocks: its second part is merged into the row of the first. */
#include "store/packing/solves.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Indices of the statements; types of columns. */
enum { PUT_BLOCK, END_SHORT, PUT_SECOND };
enum { TEXT, REAL, INTEGER };

/* Type and step of each column. */
static const struct { int kind; double step; } columns[] = {
#define X(name, kind, step) {kind, step},
#include "store/packing/solve_columns.def"
#undef X
};

/* SQL for a second in two parts: the mean weighted by `ticks` and excluded.ticks; and the smaller or greater
** of both. */
#define MEAN(name)                                                                                           \
#name " = coalesce((" #name " * ticks + excluded." #name                                                   \
        " * excluded.ticks) / (ticks + excluded.ticks), " #name ", excluded." #name ")"
#define EITHER(best, name)                                                                                   \
#name " = coalesce(" best "(" #name ", excluded." #name "), " #name ", excluded." #name ")"

static const char *const statements[BRIO_SOLVE_QUERIES] =
    {[PUT_BLOCK] =
         "INSERT INTO solve_blocks(run, tick, last, ticks, t0, t1, bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
     [END_SHORT] = "DELETE FROM solve_blocks WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
     [PUT_SECOND] =
         "INSERT INTO solve_seconds(run, second, ticks, cost, iterations, evaluations, active, distance, "
         "solve_us,"
         " solve_max_us, tick_us, tick_max_us, slowest, late_max_us)"
         " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
         " ON CONFLICT(run, second) DO UPDATE SET "
         MEAN(cost) ", " MEAN(iterations) ", " MEAN(evaluations) ", " MEAN(active) ", " MEAN(solve_us) ", "
         MEAN(tick_us) ", " EITHER("min", distance) ", " EITHER("max", solve_max_us) ", "
         EITHER("max", late_max_us) ", slowest = CASE WHEN tick_max_us IS NULL OR"
         " excluded.tick_max_us > tick_max_us THEN excluded.slowest ELSE slowest END, "
         EITHER("max", tick_max_us) ", ticks = ticks + excluded.ticks"};

bool brio_solves_prepare(brio_solves *solves, brio_db *db, brio_error *err) {
  solves->db = db;
  /* One scratch for packing: the store's thread alone uses it. */
  solves->room = calloc(1, sizeof *solves->room);
  if (!solves->room) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the solver's results");
  for (int i = 0; i < BRIO_SOLVE_QUERIES; i++)
    if (!(solves->queries[i] = brio_db_prepare(db, statements[i], -1, err))) return false;
  return true;
}

/* ---- seconds ---- */

/* Sums over the finite numbers of a column in some rows; most_at: the row of the greatest one. */
typedef struct column_sum {
  int n, most_at;
  double sum, least, most;
} column_sum;

/* Sum a column over the rows from `first` to before `end`. */
static column_sum sum_column(const brio_pending_rows *rows, int column, int first, int end) {
  assert(first >= 0 && first < end && end <= rows->count);
  column_sum s = {.most_at = first, .least = INFINITY, .most = -INFINITY};
  for (int i = first; i < end; i++) {
    double x = *brio_pending_column(rows, column, i);
    if (!isfinite(x)) continue;
    s.n++;
    s.sum += x;
    if (x < s.least) s.least = x;
    if (x > s.most) s.most = x, s.most_at = i;
  }
  return s;
}

/* The mean; null without a number. */
static brio_value mean_of(const column_sum *s) {
  return s->n ? brio_value_real(s->sum / s->n) : brio_value_null();
}

/* An extreme of the column; null without a number, as it is infinite then. */
static brio_value if_any(const column_sum *s, double value) {
  return s->n ? brio_value_real(value) : brio_value_null();
}

/* Write a row of solve_seconds: means, extremes, and the slowest tick of the second. O(rows x columns) */
static bool write_second(brio_solves *solves, const brio_pending_rows *rows, int first, int end,
                         brio_error *err) {
  /* Tick, time and status have no sums. */
  column_sum of[BRIO_SOLVE_COLUMNS];
  for (int i = BRIO_SOLVE_cost; i < BRIO_SOLVE_COLUMNS; i++) of[i] = sum_column(rows, i, first, end);
  const column_sum *tick = &of[BRIO_SOLVE_tick_us], *solve = &of[BRIO_SOLVE_solve_us];
  const column_sum *late = &of[BRIO_SOLVE_late_us], *distance = &of[BRIO_SOLVE_distance];
  /* Without any tick_us the row is the first one, and its tick is not written. */
  double slowest = *brio_pending_column(rows, BRIO_SOLVE_tick, tick->most_at);
  brio_value row[] = {brio_value_integer(rows->run),
                      brio_value_integer((int64_t)floor(*brio_pending_column(rows, BRIO_SOLVE_t, first))),
                      brio_value_integer(end - first),
                      mean_of(&of[BRIO_SOLVE_cost]),
                      mean_of(&of[BRIO_SOLVE_iterations]),
                      mean_of(&of[BRIO_SOLVE_evaluations]),
                      mean_of(&of[BRIO_SOLVE_active]),
                      if_any(distance, distance->least),
                      mean_of(solve),
                      if_any(solve, solve->most),
                      mean_of(tick),
                      if_any(tick, tick->most),
                      tick->n ? brio_value_integer((int64_t)slowest) : brio_value_null(),
                      if_any(late, late->most)};
  return brio_query_run(solves->queries[PUT_SECOND], row, (int)(sizeof row / sizeof *row), err);
}

/* Write the seconds of a block: a part ends where the whole second of t changes. O(rows x columns) */
static bool write_seconds(brio_solves *solves, const brio_pending_rows *rows, brio_error *err) {
  const double *t = brio_pending_column(rows, BRIO_SOLVE_t, 0);
  for (int first = 0, i = 1; i <= rows->count; i++) {
    /* Still in the same second. */
    if (i < rows->count && floor(t[i]) == floor(t[first])) continue;
    if (!write_second(solves, rows, first, i, err)) return false;
    first = i;
  }
  return true;
}

/* ---- blocks ---- */

/* Write the rows from `first` on as one block: the status texts, then each column behind its step. O(rows x
** columns) */
static bool write_block(brio_solves *solves, const brio_pending_rows *rows, int first, brio_error *err) {
  int n = rows->count - first, last = rows->count - 1;
  assert(first >= 0 && n > 0 && solves->nstatus <= BRIO_SOLVE_STATUSES);
  brio_text *out = &solves->bytes;
  brio_text_clear(out);
  size_t start = brio_block_begin(out, 's', n);
  /* All texts so far: a row has the number of its text. */
  brio_pack_varint(out, (uint64_t)solves->nstatus);
  for (int i = 0; i < solves->nstatus; i++) {
    size_t length = strlen(solves->statuses[i]);
    brio_pack_varint(out, length);
    brio_text_add(out, solves->statuses[i], length);
  }
  for (int i = 0; i < BRIO_SOLVE_COLUMNS; i++) {
    brio_grid step = brio_grid_of(columns[i].step);
    brio_block_put_step(out, step);
    /* No column refers to another one: the quantities differ. */
    brio_pack_column(out, brio_pending_column(rows, i, first), n, step, false, solves->room);
  }
  brio_block_end(out, start);
  if (out->failed) return brio_fail(err, BRIO_NO_MEMORY, "no memory to pack the solver's results");
  /* Run, first and last tick, count, first and last time, bytes. */
  brio_value row[] = {brio_value_integer(rows->run),
                      brio_value_integer((int64_t)*brio_pending_column(rows, BRIO_SOLVE_tick, first)),
                      brio_value_integer((int64_t)*brio_pending_column(rows, BRIO_SOLVE_tick, last)),
                      brio_value_integer(n),
                      brio_value_real(*brio_pending_column(rows, BRIO_SOLVE_t, first)),
                      brio_value_real(*brio_pending_column(rows, BRIO_SOLVE_t, last)),
                      brio_value_blob(out->bytes, out->length)};
  return brio_query_run(solves->queries[PUT_BLOCK], row, 7, err);
}

/* Write rows as a long block, which replaces the short ones, and their seconds. */
static bool write_long(brio_solves *solves, const brio_pending_rows *rows, brio_error *err) {
  brio_value shorts[] = {
      brio_value_integer(rows->run),
      brio_value_integer((int64_t)*brio_pending_column(rows, BRIO_SOLVE_tick, 0)),
      brio_value_integer((int64_t)*brio_pending_column(rows, BRIO_SOLVE_tick, rows->count - 1))};
  return brio_query_run(solves->queries[END_SHORT], shorts, 3, err) && write_block(solves, rows, 0, err) &&
         write_seconds(solves, rows, err);
}

/* Write the pending results as a long block. */
static bool close_block(brio_solves *solves, brio_error *err) {
  if (solves->pending.now.count == 0) return true;
  brio_pending_close(&solves->pending);
  return brio_pending_begin(solves->db, err) &&
         brio_pending_finish(solves->db, write_long(solves, &solves->pending.before, err), err);
}

/* ---- what the writer calls ---- */

/* Return the number of a status text, which is added if it is new; NaN: the value is not a text, or the list
** is full. O(statuses) */
static double status_of(brio_solves *solves, const brio_value *value) {
  if (value->type != BRIO_VALUE_TEXT) return NAN;
  /* Texts are compared as they are stored: cut to the size of an entry. */
  size_t length = value->as.text.length < BRIO_SOLVE_STATUS_SIZE ? value->as.text.length
                                                                 : BRIO_SOLVE_STATUS_SIZE - 1;
  int i = 0;
  while (i < solves->nstatus && (strlen(solves->statuses[i]) != length ||
                                 memcmp(solves->statuses[i], value->as.text.bytes, length) != 0)) i++;
  if (i == BRIO_SOLVE_STATUSES) return NAN;
  if (i < solves->nstatus) return i;
  snprintf(solves->statuses[i], BRIO_SOLVE_STATUS_SIZE, "%.*s", (int)length, value->as.text.bytes);
  solves->nstatus++;
  return i;
}

/* The number of a value; NaN, a gap, for any other type. */
static double number_of(const brio_value *value) {
  return value->type == BRIO_VALUE_INTEGER ? (double)value->as.integer
         : value->type == BRIO_VALUE_REAL  ? value->as.real
                                           : NAN;
}

bool brio_solves_add(brio_solves *solves, int64_t run, const brio_value *values, brio_error *err) {
  const brio_pending_rows *last = solves->pending.now.count ? &solves->pending.now : &solves->pending.before;
  /* The newest row may be in the block that this transaction closed. */
  double row[BRIO_SOLVE_COLUMNS], tick = number_of(&values[BRIO_SOLVE_tick]);
  if (!isfinite(tick) || !isfinite(number_of(&values[BRIO_SOLVE_t])))
    return brio_fail(err, BRIO_FORMAT, "a solver's result has no tick or time");
  if (last->count > 0 && last->run == run &&
      tick <= *brio_pending_column(last, BRIO_SOLVE_tick, last->count - 1))
    return brio_fail(err, BRIO_FORMAT, "the solver's result of tick %.0f comes after a later one", tick);
  /* A new run or a full block: the pending rows are written first. */
  if (!brio_pending_fits(&solves->pending, run, BRIO_SOLVE_COLUMNS) && !close_block(solves, err))
    return false;
  for (int i = 0; i < BRIO_SOLVE_COLUMNS; i++) {
    double number = columns[i].kind == TEXT ? status_of(solves, &values[i]) : number_of(&values[i]);
    row[i] = brio_grid_round(brio_grid_of(columns[i].step), number);
  }
  return brio_pending_add(&solves->pending, run, BRIO_SOLVE_COLUMNS, row) ||
         brio_fail(err, BRIO_NO_MEMORY, "no memory for the solver's results");
}

bool brio_solves_flush(brio_solves *solves, bool whole, brio_error *err) {
  brio_pending_rows *rows = &solves->pending.now;
  /* A short block has the rows that no block has yet. */
  if (whole) return close_block(solves, err);
  if (rows->tailed == rows->count) return true;
  if (!write_block(solves, rows, rows->tailed, err)) return false;
  rows->tailed = rows->count;
  return true;
}

void brio_solves_commit(brio_solves *solves) { brio_pending_commit(&solves->pending); }

void brio_solves_roll_back(brio_solves *solves) { brio_pending_roll_back(&solves->pending); }

/* As brio_samples_drop: return how many results are lost. */
int brio_solves_drop(brio_solves *solves, bool block) {
  return brio_pending_drop(&solves->pending, block);
}

void brio_solves_end(brio_solves *solves) {
  for (int i = 0; i < BRIO_SOLVE_QUERIES; i++) brio_query_end(solves->queries[i]);
  brio_pending_end(&solves->pending);
  brio_text_end(&solves->bytes);
  free(solves->room);
  *solves = (brio_solves){0};
}
