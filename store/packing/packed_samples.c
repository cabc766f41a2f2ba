/* The tables samples and command_hashes. Samples are in blocks of one DOF, with a block of ticks and times
** for all of them; the newest in tails (short rows) of all DOFs; in stores of older versions, in JSON. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/packing/packed_internal.h"

SQLITE_EXTENSION_INIT3

/* Columns of samples.  The last three are unpacked only when a query uses them. */
enum { RUN, TICK, T, DOF, NAME, GOAL, COMMAND, MEASURED };
static const double millionths = 1e6; /* old samples are whole numbers of millionths */

/* Pieces of a table within the bounds: from the one that holds the least tick to the greatest tick, and of
** these, those within the times. */
#define WITHIN(table, k)                                                                                     \
  k ".run = ?1 AND " k ".tick >= coalesce((SELECT max(tick) FROM main." table                                \
    " WHERE run = ?1 AND tick <= ?3), ?3)"                                                                   \
    " AND " k ".tick <= ?4 AND " k ".last >= ?3 AND " k ".t1 >= ?5 AND " k ".t0 <= ?6 ORDER BY " k ".tick"

/* Return where to unpack the three columns; NULL: the query does not use it, or there is no memory
** (give_sample reports that). */
static brio_block_dof wanted(brio_packed_cursor *c) {
  double *of[3];
  for (int i = 0; i < 3; i++) {
    of[i] = c->used & (uint64_t)1 << (GOAL + i) ? brio_packed_column(c, i) : NULL;
    c->columns[GOAL + i] = of[i];
  }
  return (brio_block_dof){of[0], of[1], of[2]};
}

/* Open the block in a column of the statement's row. False: `why` has the reason. */
static bool open_column(sqlite3_stmt *piece, int column, char kind, brio_pack_bytes *in, int *count,
                        const char **why) {
  /* Valid until the statement is stepped again. */
  const void *bytes = sqlite3_column_blob(piece, column);
  return brio_block_open(bytes, (size_t)sqlite3_column_bytes(piece, column), kind, in, count, why);
}

/* A piece of sample_blocks.  Columns of the row: tick, times, bytes. */
static bool take_block(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why) {
  brio_pack_bytes in;
  int count;
  /* Ticks are unpacked only if the query reads or bounds them. */
  double *ticks = brio_packed_wants_ticks(c) ? c->ticks : NULL;
  if (!open_column(piece, 1, 't', &in, &c->count, why) ||
      !brio_block_take_ticks(&in, ticks, c->times, c->count, &c->room))
    return false;
  /* The block of values must have the same count. */
  if (!open_column(piece, 2, 'd', &in, &count, why)) return false;
  brio_block_dof values = wanted(c);
  return count == c->count && brio_block_take_dof(&in, &values, count, &c->room);
}

/* Open a tail. Columns of the row: tick, bytes. `in` is set to the samples of DOF number `dof`, or behind the
** hashes for -1. */
static bool take_tail_head(brio_packed_cursor *c, sqlite3_stmt *piece, int64_t dof, brio_pack_bytes *in,
                           const char **why) {
  uint64_t length = 0;
  assert(dof >= -1);
  if (!open_column(piece, 1, 'a', in, &c->count, why) ||
      !brio_block_take_ticks(in, c->ticks, c->times, c->count, &c->room) ||
      !brio_block_take_hashes(in, c->hashes, c->count))
    return false;
  /* Each DOF is preceded by its length: skip those before it, O(dof). */
  for (int64_t i = 0; i <= dof; i++) {
    in->at += length;
    if (!brio_unpack_varint(in, &length) || length > (uint64_t)(in->end - in->at)) return false;
  }
  return true;
}

/* A piece of sample_tails: the samples of one DOF. */
static bool take_tail(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why) {
  brio_pack_bytes in;
  if (!take_tail_head(c, piece, c->dof, &in, why)) return false;
  brio_block_dof values = wanted(c);
  return brio_block_take_dof(&in, &values, c->count, &c->room);
}

/* ---- old samples ---- */

/* Read a JSON array of whole numbers and nulls, in millionths; return their number, or -1. O(length) */
static int read_array(const char *text, double *values) {
  int n = 0;
  if (!text || *text++ != '[') return -1;
  while (*text && *text != ']' && n < BRIO_PACK_MOST) {
    /* A number or null, then a comma or the end. */
    char *end = NULL;
    if (strncmp(text, "null", 4) == 0) values[n++] = NAN, end = (char *)text + 4;
    else values[n++] = (double)strtoll(text, &end, 10) / millionths;
    if (end == text || (*end != ',' && *end != ']')) return -1;
    text = *end == ',' ? end + 1 : end;
  }
  return *text == ']' && text[1] == 0 ? n : -1;
}

/* Read a column of old samples: null, one number for all rows, or an array of `count`. False: none of
** these. */
static bool read_values(sqlite3_stmt *piece, int column, double *values, int count) {
  int type = sqlite3_column_type(piece, column);
  if (type == SQLITE_TEXT)
    return read_array((const char *)sqlite3_column_text(piece, column), values) == count;
  /* One value for all rows. */
  double all = type == SQLITE_INTEGER ? (double)sqlite3_column_int64(piece, column) / millionths : NAN;
  for (int i = 0; i < count; i++) values[i] = all;
  return type == SQLITE_INTEGER || type == SQLITE_NULL;
}

/* A piece of sample_chunks.  Columns of the row: tick, step, times, goal, command, measured. */
static bool take_old(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why) {
  double first = (double)sqlite3_column_int64(piece, 0), step = (double)sqlite3_column_int64(piece, 1);
  /* Times in microseconds, as millionths of a second. */
  c->count = read_array((const char *)sqlite3_column_text(piece, 2), c->times);
  *why = "its JSON is no list of whole numbers";
  if (c->count < 0) return false;
  /* Ticks of old samples are evenly spaced. */
  for (int i = 0; i < c->count; i++) c->ticks[i] = first + i * step;
  brio_block_dof values = wanted(c);
  double *of[] = {values.goal, values.command, values.measured};
  for (int i = 0; i < 3; i++)
    if (of[i] && !read_values(piece, 3 + i, of[i], c->count)) return false;
  return true;
}

/* The value of a row in goal, command or measured; NaN becomes null in SQL. */
static void give_sample(brio_packed_cursor *c, sqlite3_context *context, int column) {
  assert(column >= GOAL && column <= MEASURED && c->at < c->count);
  if (c->values)
    sqlite3_result_double(context, c->values[(size_t)(column - GOAL) * BRIO_PACK_MOST + (size_t)c->at]);
  else sqlite3_result_error_nomem(context);
}

static const brio_packed_role sample_roles[] = {BRIO_PACKED_RUN,     BRIO_PACKED_TICK,   BRIO_PACKED_T,
                                                BRIO_PACKED_DOF,     BRIO_PACKED_NAME,   BRIO_PACKED_OTHER,
                                                BRIO_PACKED_OTHER,   BRIO_PACKED_OTHER,  BRIO_PACKED_ARG_RUN,
                                                BRIO_PACKED_ARG_DOF, BRIO_PACKED_ARG_T0, BRIO_PACKED_ARG_T1};

const brio_packed_kind brio_packed_samples = {
    .name = "samples",
    .schema =
        "CREATE TABLE x(run INTEGER, tick INTEGER, t REAL, dof INTEGER, name TEXT, goal REAL, command REAL,"
        " measured REAL, of_run HIDDEN, of_dof HIDDEN, t0 HIDDEN, t1 HIDDEN)",
    .roles = sample_roles,
    .columns = sizeof sample_roles / sizeof *sample_roles,
    .by_dof = true,
    .sources = {{"sample_values",
                 "SELECT c.tick, c.step, c.times, v.goal, v.command, v.measured FROM main.sample_chunks c"
                 " CROSS JOIN main.sample_values v ON v.run = c.run AND v.tick = c.tick AND v.dof = ?2 WHERE "
                 "c.run = ?1"
                 " AND c.tick >= coalesce((SELECT max(tick) FROM main.sample_chunks WHERE run = ?1 AND tick "
                 "<= ?3), ?3)"
                 " AND c.tick <= ?4 ORDER BY c.tick",
                 take_old},
                {"sample_blocks",
                 "SELECT k.tick, k.times, b.bytes FROM main.sample_ticks k CROSS JOIN main.sample_blocks b"
                 " ON b.run = k.run AND b.tick = k.tick AND b.dof = ?2 WHERE " WITHIN("sample_ticks", "k"),
                 take_block},
                {"sample_tails",
                 "SELECT k.tick, k.bytes FROM main.sample_tails k WHERE " WITHIN("sample_tails", "k"),
                 take_tail}},
    .give = give_sample,
};

/* ---- hashes ---- */

/* A piece of sample_ticks.  Columns of the row: tick, times, hashes. */
static bool take_hashes(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why) {
  brio_pack_bytes in;
  int count;
  if (!open_column(piece, 1, 't', &in, &c->count, why) ||
      !brio_block_take_ticks(&in, c->ticks, c->times, c->count, &c->room))
    return false;
  /* Both blocks of the row must have the same count. */
  return open_column(piece, 2, 'h', &in, &count, why) && count == c->count &&
         brio_block_take_hashes(&in, c->hashes, count);
}

/* A piece of sample_tails: the hashes only. */
static bool take_tail_hashes(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why) {
  brio_pack_bytes in;
  return take_tail_head(c, piece, -1, &in, why);
}

/* A hash is 64 bits; SQL has it as a signed integer. */
static void give_hash(brio_packed_cursor *c, sqlite3_context *context, int column) {
  assert(c->at < c->count);
  (void)column;
  sqlite3_result_int64(context, c->hashes[c->at]);
}

static const brio_packed_role hash_roles[] = {BRIO_PACKED_RUN,   BRIO_PACKED_TICK,    BRIO_PACKED_T,
                                              BRIO_PACKED_OTHER, BRIO_PACKED_ARG_RUN, BRIO_PACKED_ARG_T0,
                                              BRIO_PACKED_ARG_T1};

const brio_packed_kind brio_packed_hashes = {
    .name = "command_hashes",
    .schema = "CREATE TABLE x(run INTEGER, tick INTEGER, t REAL, hash INTEGER, of_run HIDDEN, t0 HIDDEN, t1 "
              "HIDDEN)",
    .roles = hash_roles,
    .columns = sizeof hash_roles / sizeof *hash_roles,
    .sources = {{"sample_ticks",
                 "SELECT k.tick, k.times, k.hashes FROM main.sample_ticks k WHERE " WITHIN("sample_ticks",
                                                                                           "k"),
                 take_hashes},
                {"sample_tails",
                 "SELECT k.tick, k.bytes FROM main.sample_tails k WHERE " WITHIN("sample_tails", "k"),
                 take_tail_hashes}},
    .give = give_hash,
};
