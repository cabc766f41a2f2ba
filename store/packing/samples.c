/* Values are rounded to their steps when they are added, so that the sums in dof_summary are those of the
** values read back. The hash of a tick is that of its exact commands, before rounding. A transaction writes
** the newest samples into a tail (one row, all DOFs); when a block is full, one row for each DOF replaces the
** tails. */
#include "store/packing/samples.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Columns of pending rows; from VALUES on: goals, commands and measured values, one of each DOF. The hash is
** kept as the bits of a double. */
enum { TICK, TIME, HASH, VALUES };
/* Indices of the statements. */
enum { PUT_TICKS, PUT_BLOCK, PUT_TAIL, END_TAILS, PUT_SUMMARY };

static const char *const statements[BRIO_SAMPLE_QUERIES] = {
    [PUT_TICKS] = "INSERT INTO sample_ticks(run, tick, last, samples, t0, t1, times, hashes)"
                  " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [PUT_BLOCK] = "INSERT INTO sample_blocks(run, tick, dof, bytes) VALUES(?1, ?2, ?3, ?4)",
    [PUT_TAIL] = "INSERT INTO sample_tails(run, tick, last, samples, t0, t1, bytes) VALUES(?1, ?2, ?3, ?4, "
                 "?5, ?6, ?7)",
    [END_TAILS] = "DELETE FROM sample_tails WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
    [PUT_SUMMARY] =
        "INSERT OR REPLACE INTO dof_summary(run, dof, samples, measured, least, greatest, mean, path,"
        " top_speed, rms_error, greatest_error) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
};

bool brio_samples_prepare(brio_samples *samples, brio_db *db, brio_error *err) {
  samples->db = db;
  samples->room = calloc(1, sizeof *samples->room);
  if (!samples->room) return brio_fail(err, BRIO_NO_MEMORY, "no memory for samples");
  for (int i = 0; i < BRIO_SAMPLE_QUERIES; i++)
    if (!(samples->queries[i] = brio_db_prepare(db, statements[i], -1, err))) return false;
  return true;
}

/* Each array is grown separately: one that has grown keeps its memory if another cannot grow. */
bool brio_samples_dofs(brio_samples *samples, int ndof, const brio_grid (*steps)[2], brio_error *err) {
  size_t n = ndof > 0 ? (size_t)ndof : 1;
  brio_grid *own = realloc(samples->steps, 2 * n * sizeof *own);
  if (own) samples->steps = own;
  brio_summary *summaries = realloc(samples->summaries, 2 * n * sizeof *summaries);
  if (summaries) samples->summaries = summaries;
  double *row = realloc(samples->row, (VALUES + 3 * n) * sizeof *row);
  assert(samples->pending.now.count == 0 || ndof == samples->ndof);
  if (row) samples->row = row;
  if (!own || !summaries || !row)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the samples of %d DOFs", ndof);
  /* Each summary is kept twice: the current one, and its copy from before the block of the open
  ** transaction. */
  samples->ndof = ndof;
  memcpy(samples->steps, steps, 2 * (size_t)ndof * sizeof *own);
  /* No run has summaries yet: the next block begins them. */
  samples->summarized = 0;
  return true;
}

/* ---- writing ---- */

/* Bind run, first and last tick, count, and first and last time of the rows from `first` on. */
static void bind_span(const brio_pending_rows *rows, int first, brio_value row[6]) {
  assert(first >= 0 && first < rows->count);
  int last = rows->count - 1;
  row[0] = brio_value_integer(rows->run);
  row[1] = brio_value_integer((int64_t)*brio_pending_column(rows, TICK, first));
  row[2] = brio_value_integer((int64_t)*brio_pending_column(rows, TICK, last));
  row[3] = brio_value_integer(last - first + 1);
  row[4] = brio_value_real(*brio_pending_column(rows, TIME, first));
  row[5] = brio_value_real(*brio_pending_column(rows, TIME, last));
}

/* Append the hashes of the rows from `first` on. O(rows) */
static void put_hashes(brio_samples *s, const brio_pending_rows *rows, int first) {
  for (int i = first; i < rows->count; i++) {
    uint64_t hash;
    /* The bits of the double are the hash. */
    memcpy(&hash, brio_pending_column(rows, HASH, i), sizeof hash);
    brio_block_put_hashes(&s->bytes, &hash, 1);
  }
}

/* Return the columns of a DOF from row `first` on. */
static brio_block_dof dof_of(const brio_samples *s, const brio_pending_rows *rows, int dof, int first) {
  assert(dof >= 0 && dof < s->ndof && rows->columns == VALUES + 3 * s->ndof);
  /* Goals of all DOFs come first, then commands, then measured values. */
  return (brio_block_dof){brio_pending_column(rows, VALUES + dof, first),
                          brio_pending_column(rows, VALUES + s->ndof + dof, first),
                          brio_pending_column(rows, VALUES + 2 * s->ndof + dof, first)};
}

/* The steps of a DOF: of goals and commands, and of measured values. */
static const brio_grid *steps_of(const brio_samples *s, int dof) { return s->steps + (ptrdiff_t)2 * dof; }

static bool no_memory(brio_error *err) { return brio_fail(err, BRIO_NO_MEMORY, "no memory to pack samples"); }

/* Write ticks, times and hashes of a block, which all DOFs share. */
static bool write_ticks(brio_samples *s, const brio_pending_rows *rows, brio_error *err) {
  brio_value row[8];
  int n = rows->count;
  /* Two blocks in `bytes`, one behind the other: 't', then 'h'. */
  brio_text_clear(&s->bytes);
  size_t times = brio_block_begin(&s->bytes, 't', n);
  brio_block_put_ticks(&s->bytes, brio_pending_column(rows, TICK, 0), brio_pending_column(rows, TIME, 0), n,
                       s->room);
  brio_block_end(&s->bytes, times);
  size_t hashes = brio_block_begin(&s->bytes, 'h', n);
  put_hashes(s, rows, 0);
  brio_block_end(&s->bytes, hashes);
  if (s->bytes.failed) return no_memory(err);
  bind_span(rows, 0, row);
  row[6] = brio_value_blob(s->bytes.bytes, hashes);
  row[7] = brio_value_blob(s->bytes.bytes + hashes, s->bytes.length - hashes);
  return brio_query_run(s->queries[PUT_TICKS], row, 8, err);
}

/* Write the block of one DOF. O(rows) */
static bool write_dof(brio_samples *s, const brio_pending_rows *rows, int dof, brio_error *err) {
  brio_block_dof values = dof_of(s, rows, dof, 0);
  brio_text_clear(&s->bytes);
  size_t start = brio_block_begin(&s->bytes, 'd', rows->count);
  assert(rows->count > 0);
  brio_block_put_dof(&s->bytes, &values, rows->count, steps_of(s, dof), s->room);
  brio_block_end(&s->bytes, start);
  if (s->bytes.failed) return no_memory(err);
  brio_value row[] = {brio_value_integer(rows->run),
                      brio_value_integer((int64_t)*brio_pending_column(rows, TICK, 0)),
                      brio_value_integer(dof), brio_value_blob(s->bytes.bytes, s->bytes.length)};
  return brio_query_run(s->queries[PUT_BLOCK], row, 4, err);
}

/* Add the block to the summary of a DOF, and replace its row. */
static bool write_summary(brio_samples *s, const brio_pending_rows *rows, int dof, brio_error *err) {
  brio_summary *summary = &s->summaries[dof];
  brio_block_dof values = dof_of(s, rows, dof, 0);
  brio_value row[2 + BRIO_SUMMARY_COLUMNS] = {brio_value_integer(rows->run), brio_value_integer(dof)};
  brio_summary_add(summary, brio_pending_column(rows, TIME, 0), values.command, values.measured, rows->count);
  brio_summary_row(summary, row + 2);
  return brio_query_run(s->queries[PUT_SUMMARY], row, 2 + BRIO_SUMMARY_COLUMNS, err);
}

/* Begin the summaries of a new run, and keep a copy for a rollback. O(DOFs) */
static void keep_summaries(brio_samples *s, int64_t run) {
  for (int i = 0; i < s->ndof && s->summarized != run; i++) brio_summary_start(&s->summaries[i]);
  s->summarized = run;
  memcpy(s->summaries + s->ndof, s->summaries, (size_t)s->ndof * sizeof *s->summaries);
}

/* Write rows as blocks, which replace their tails. O(rows x DOFs) */
static bool write_block(brio_samples *s, const brio_pending_rows *rows, brio_error *err) {
  if (!write_ticks(s, rows, err)) return false;
  for (int dof = 0; dof < s->ndof; dof++)
    if (!write_dof(s, rows, dof, err) || !write_summary(s, rows, dof, err)) return false;
  brio_value tails[] = {brio_value_integer(rows->run),
                        brio_value_integer((int64_t)*brio_pending_column(rows, TICK, 0)),
                        brio_value_integer((int64_t)*brio_pending_column(rows, TICK, rows->count - 1))};
  return brio_query_run(s->queries[END_TAILS], tails, 3, err);
}

/* Write the pending samples as blocks. A rollback can restore them from here on: summaries first, then the
** rows. */
static bool close_block(brio_samples *s, brio_error *err) {
  if (s->pending.now.count == 0) return true;
  keep_summaries(s, s->pending.now.run);
  brio_pending_close(&s->pending);
  return brio_pending_begin(s->db, err) &&
         brio_pending_finish(s->db, write_block(s, &s->pending.before, err), err);
}

/* Append the samples of a DOF to a tail, behind their length. `packed` is scratch. */
static void put_tail_dof(brio_samples *s, brio_text *packed, int dof, int first) {
  const brio_pending_rows *rows = &s->pending.now;
  brio_block_dof values = dof_of(s, rows, dof, first);
  brio_text_clear(packed);
  brio_block_put_dof(packed, &values, rows->count - first, steps_of(s, dof), s->room);
  brio_pack_varint(&s->bytes, packed->length);
  brio_text_add(&s->bytes, packed->bytes, packed->length);
  s->bytes.failed = s->bytes.failed || packed->failed;
}

/* Write the samples that are in no row of the file yet into a tail. O(new rows x DOFs) */
static bool write_tail(brio_samples *s, brio_error *err) {
  brio_pending_rows *rows = &s->pending.now;
  assert(rows->tailed >= 0 && rows->tailed <= rows->count);
  int first = rows->tailed, n = rows->count - first;
  brio_text packed = {0};
  brio_value row[7];
  if (n == 0) return true;
  brio_text_clear(&s->bytes);
  /* Ticks and times, hashes, then each DOF behind its length. */
  size_t start = brio_block_begin(&s->bytes, 'a', n);
  brio_block_put_ticks(&s->bytes, brio_pending_column(rows, TICK, first),
                       brio_pending_column(rows, TIME, first), n, s->room);
  put_hashes(s, rows, first);
  for (int dof = 0; dof < s->ndof; dof++) put_tail_dof(s, &packed, dof, first);
  brio_block_end(&s->bytes, start);
  brio_text_end(&packed);
  if (s->bytes.failed) return no_memory(err);
  bind_span(rows, first, row);
  row[6] = brio_value_blob(s->bytes.bytes, s->bytes.length);
  if (!brio_query_run(s->queries[PUT_TAIL], row, 7, err)) return false;
  /* A rollback restores the number of rows that are in tails (pending.c). */
  rows->tailed = rows->count;
  return true;
}

/* ---- what the writer calls ---- */

/* Fill s->row with the sample as it is stored: [tick, time, hash, goals, commands, measured]. */
static void make_row(brio_samples *s, int64_t tick, double t, const double *values) {
  size_t n = (size_t)s->ndof;
  /* Of the exact commands, before they are rounded. */
  uint64_t hash = brio_hash_fold(BRIO_HASH_START, values + n, n * sizeof *values);
  s->row[TICK] = (double)tick;
  s->row[TIME] = brio_grid_round(brio_grid_of(BRIO_BLOCK_TIME_STEP), t);
  memcpy(&s->row[HASH], &hash, sizeof hash);
  /* `values` has n goals, n commands, n measured values; only the last have the second step. */
  for (size_t i = 0; i < 3 * n; i++)
    s->row[VALUES + i] = brio_grid_round(steps_of(s, (int)(i % n))[i >= 2 * n], values[i]);
}

bool brio_samples_add(brio_samples *samples, int64_t run, int64_t tick, double t, int ndof,
                      const double *values, brio_error *err) {
  brio_samples *s = samples;
  /* The newest sample may be in the block that this transaction closed. */
  const brio_pending_rows *last = s->pending.now.count ? &s->pending.now : &s->pending.before;
  int columns = VALUES + 3 * ndof;
  if (ndof != s->ndof || !isfinite(t))
    return brio_fail(err, BRIO_FORMAT,
                     "the sample of tick %lld has %d DOFs and time %g; %d DOFs were declared",
                     (long long)tick, ndof, t, s->ndof);
  /* These format errors make the writer leave the sample out. */
  if (last->count > 0 && last->run == run &&
      (double)tick <= *brio_pending_column(last, TICK, last->count - 1))
    return brio_fail(err, BRIO_FORMAT, "the sample of tick %lld comes after a later one", (long long)tick);
  /* A new run or a full block: the pending rows are written first. */
  if (!brio_pending_fits(&s->pending, run, columns) && !close_block(s, err)) return false;
  make_row(s, tick, t, values);
  return brio_pending_add(&s->pending, run, columns, s->row) || no_memory(err);
}

bool brio_samples_flush(brio_samples *samples, bool whole, brio_error *err) {
  return whole ? close_block(samples, err) : write_tail(samples, err);
}

void brio_samples_commit(brio_samples *samples) { brio_pending_commit(&samples->pending); }

/* Restore the summaries from before the block of this transaction. */
static void restore_summaries(brio_samples *samples) {
  memcpy(samples->summaries, samples->summaries + samples->ndof,
         (size_t)samples->ndof * sizeof *samples->summaries);
}

void brio_samples_roll_back(brio_samples *samples) {
  if (samples->pending.closed) restore_summaries(samples);
  brio_pending_roll_back(&samples->pending);
}

int brio_samples_drop(brio_samples *samples, bool block) {
  if (block) restore_summaries(samples);
  return brio_pending_drop(&samples->pending, block);
}

void brio_samples_end(brio_samples *samples) {
  for (int i = 0; i < BRIO_SAMPLE_QUERIES; i++) brio_query_end(samples->queries[i]);
  brio_pending_end(&samples->pending);
  brio_text_end(&samples->bytes);
  free(samples->steps);
  free(samples->summaries);
  free(samples->row);
  free(samples->room);
  *samples = (brio_samples){0};
}
