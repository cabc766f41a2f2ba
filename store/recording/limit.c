/* Samples are dropped a few seconds at a time, oldest run first, in one short transaction, so that the writer
** is never delayed for long. Freed pages are used again, so the file stops growing. Solver results go with
** the samples of the same time; single rows of older versions go a thousand ticks at a time. */
#include "store/recording/limit.h"

#include <assert.h>

enum { STEPS = 8 /* spans dropped in one transaction */ };
static const double kept = 60; /* s of the run being recorded that always stay */

/* Statements: bytes in use, the oldest span of each kind, the note in `dropped`, and deletions. */
enum {
  USED,
  OLDEST,
  OLDEST_OLD,
  OLDEST_SOLVES,
  NOTE,
  DROP_SAMPLES,
  DROP_TICKS,
  DROP_TAILS,
  DROP_SOLVES,
  DROP_OLD_VALUES,
  DROP_OLD_CHUNKS,
  DROP_OLD_SOLVES
};

/* Deletions drop a span of ticks of a run: ?1, from tick ?2 to ?3, both included. */
static const char *const statements[BRIO_LIMIT_QUERIES] = {
    [USED] = "SELECT (p.page_count - f.freelist_count) * s.page_size FROM pragma_page_count p, "
             "pragma_freelist_count f,"
             " pragma_page_size s",
    [OLDEST] = "SELECT run, tick, last, samples, t0, t1 FROM sample_ticks WHERE run <> ?1 OR t1 < ?2 ORDER "
               "BY run, tick LIMIT 1",
    [OLDEST_OLD] = "SELECT run, tick, tick + 999, 1000, json_extract(times, '$[0]') / 1e6,"
                   " coalesce((SELECT max(json_extract(times, '$[#-1]')) / 1e6 FROM sample_chunks n WHERE "
                   "n.run = c.run AND"
                   " n.tick <= c.tick + 999), 0) FROM sample_chunks c ORDER BY run, tick LIMIT 1",
    [OLDEST_SOLVES] = "SELECT run, tick, tick + 999, 1000, t, t FROM solve_rows ORDER BY run, tick LIMIT 1",
    [NOTE] = "INSERT INTO dropped(run, what, ticks, t0, t1) VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(run, "
             "what) DO UPDATE SET"
             " ticks = ticks + excluded.ticks, t0 = min(t0, excluded.t0), t1 = max(t1, excluded.t1),"
             " at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    [DROP_SAMPLES] = "DELETE FROM sample_blocks WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
    [DROP_TICKS] = "DELETE FROM sample_ticks WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
    [DROP_TAILS] = "DELETE FROM sample_tails WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
    [DROP_SOLVES] = "DELETE FROM solve_blocks WHERE run = ?1 AND last >= ?2 AND last <= ?3",
    [DROP_OLD_VALUES] = "DELETE FROM sample_values WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
    [DROP_OLD_CHUNKS] = "DELETE FROM sample_chunks WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
    [DROP_OLD_SOLVES] = "DELETE FROM solve_rows WHERE run = ?1 AND tick >= ?2 AND tick <= ?3",
};

/* Kinds of spans: the query for the oldest, the name in `dropped`, and the deletions it needs (-1 ends
** them). */
static const struct { int find; const char *what; int drop[4]; } kinds[] = {
    {OLDEST_OLD, "samples", {DROP_OLD_VALUES, DROP_OLD_CHUNKS, DROP_OLD_SOLVES, -1}},
    {OLDEST_SOLVES, "solves", {DROP_OLD_SOLVES, -1}},
    {OLDEST, "samples", {DROP_SAMPLES, DROP_TICKS, DROP_TAILS, DROP_SOLVES}},
};
enum { NKIND = sizeof kinds / sizeof *kinds };

bool brio_limit_prepare(brio_limit *limit, brio_db *db, int64_t bytes, brio_error *err) {
  limit->bytes = bytes;
  /* Without a limit nothing is prepared, and no query is ever used. */
  for (int i = 0; i < BRIO_LIMIT_QUERIES && bytes > 0; i++)
    if (!(limit->queries[i] = brio_db_prepare(db, statements[i], -1, err))) return false;
  return true;
}

/* Get the bytes of the file that are in use. Free pages do not count, as they are used again. */
static bool used(brio_limit *limit, int64_t *bytes, brio_error *err) {
  brio_query *query = limit->queries[USED];
  brio_step step = brio_query_step(query, err);
  if (step == BRIO_STEP_ROW) *bytes = brio_query_column(query, 0).as.integer;
  brio_query_reset(query);
  return step == BRIO_STEP_ROW;
}

/* Find the oldest span of a kind: run, first and last tick, number of ticks, first and last time. `before`:
** of run `run` only what is older, s. */
static brio_step find(brio_limit *limit, int kind, int64_t run, double before, brio_value span[6],
                      brio_error *err) {
  assert(kind >= 0 && kind < NKIND);
  brio_query *query = limit->queries[kinds[kind].find];
  /* Parameters ?1 and ?2 of the query, if it has them. */
  brio_value bounds[] = {brio_value_integer(run), brio_value_real(before)};
  /* Only the kind that the run being recorded still writes has parameters. */
  for (int i = 0; i < brio_query_parameters(query) && i < 2; i++) brio_query_bind(query, i + 1, &bounds[i]);
  brio_step step = brio_query_step(query, err);
  for (int i = 0; i < 6 && step == BRIO_STEP_ROW; i++) span[i] = brio_query_column(query, i);
  brio_query_reset(query);
  return step;
}

/* Return the kind with the span of the oldest run; -1: there is none; -2: a query failed. */
static int oldest(brio_limit *limit, int64_t run, double before, brio_value span[6], brio_error *err) {
  int best = -1;
  for (int i = 0; i < NKIND; i++) {
    brio_value found[6];
    brio_step step = find(limit, i, run, before, found, err);
    if (step == BRIO_STEP_FAILED) return -2;
    /* Of the same run, the kind that comes first wins. */
    if (step != BRIO_STEP_ROW || (best >= 0 && found[0].as.integer >= span[0].as.integer)) continue;
    best = i;
    for (int k = 0; k < 6; k++) span[k] = found[k];
  }
  return best;
}

/* Drop a span, and record it in `dropped`. */
static bool drop(brio_limit *limit, int kind, const brio_value span[6], brio_error *err) {
  assert(kind >= 0 && kind < NKIND);
  brio_value note[] = {span[0], brio_value_text(kinds[kind].what), span[3], span[4], span[5]};
  /* The same bounds for all deletions: run, first tick, last tick. */
  for (int i = 0; i < 4 && kinds[kind].drop[i] >= 0; i++)
    if (!brio_query_run(limit->queries[kinds[kind].drop[i]], span, 3, err)) return false;
  return brio_query_run(limit->queries[NOTE], note, 5, err);
}

/* Get the time of the run, s, before which its samples may be dropped: `kept` s before its newest. */
static bool find_minute(brio_db *db, int64_t run, double *before, brio_error *err) {
  brio_query *query = brio_db_prepare(db, "SELECT max(t1) FROM sample_ticks WHERE run = ?1", -1, err);
  brio_value of = brio_value_integer(run);
  if (!query) return false;
  brio_query_bind(query, 1, &of);
  brio_step step = brio_query_step(query, err);
  brio_value newest = step == BRIO_STEP_ROW ? brio_query_column(query, 0) : brio_value_null();
  /* Without samples of this run: before every time, so nothing of it is dropped. */
  *before = newest.type == BRIO_VALUE_REAL ? newest.as.real - kept : -kept;
  brio_query_end(query);
  return step == BRIO_STEP_ROW;
}

/* Drop up to STEPS spans, or until the file is within its limit; `ticks` counts what was dropped. */
static bool drop_some(brio_limit *limit, brio_db *db, int64_t run, int64_t *ticks, brio_error *err) {
  assert(limit->bytes > 0);
  double before = 0;
  if (!find_minute(db, run, &before, err)) return false;
  for (int i = 0; i < STEPS; i++) {
    brio_value span[6];
    int64_t bytes = 0;
    /* Measured again before each span, as spans differ in size. */
    if (!used(limit, &bytes, err)) return false;
    if (bytes <= limit->bytes) return true;
    int kind = oldest(limit, run, before, span, err);
    if (kind == -2) return false;
    /* Nothing is left to drop: the file stays too large. */
    limit->beyond = kind == -1;
    if (kind < 0) return true;
    if (!drop(limit, kind, span, err)) return false;
    *ticks += span[3].as.integer;
  }
  return true;
}

bool brio_limit_keep(brio_limit *limit, brio_db *db, int64_t run, brio_error *err) {
  assert(!brio_db_in_transaction(db));
  int64_t bytes = 0, ticks = 0;
  /* Without a limit there is nothing to do. */
  if (limit->bytes <= 0 || !used(limit, &bytes, err)) return limit->bytes <= 0;
  if (bytes <= limit->bytes) return true;
  if (!brio_db_run(db, "BEGIN IMMEDIATE", err)) return false;
  /* Only what is committed counts as dropped. */
  if (drop_some(limit, db, run, &ticks, err) && brio_db_run(db, "COMMIT", err)) {
    limit->dropped += ticks;
    return true;
  }
  if (brio_db_in_transaction(db)) brio_db_run(db, "ROLLBACK", NULL);
  return false;
}

void brio_limit_end(brio_limit *limit) {
  for (int i = 0; i < BRIO_LIMIT_QUERIES; i++) brio_query_end(limit->queries[i]);
  *limit = (brio_limit){0};
}
