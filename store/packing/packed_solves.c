/* The table solver_ticks: blocks, and single rows of older versions, which have the table `solves`. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "store/packing/packed_internal.h"

SQLITE_EXTENSION_INIT3

/* The types in solve_columns.def, and the type of each column. */
enum { INTEGER, REAL, TEXT };

static const int kinds[BRIO_SOLVE_COLUMNS] = {
#define X(name, kind, step) kind,
#include "store/packing/solve_columns.def"
#undef X
};

/* Return where to unpack a column of block 's'; NULL: the query does not use it, or there is no memory (give
** reports that). */
static double *place_of(brio_packed_cursor *c, int column) {
  assert(column >= 0 && column < BRIO_SOLVE_COLUMNS);
  if (column == BRIO_SOLVE_tick) return c->ticks;
  if (column == BRIO_SOLVE_t) return c->times;
  /* The run is column 0 of the table, so a block's column i is its column i + 1. */
  return c->used & (uint64_t)1 << (column + 1) ? brio_packed_column(c, column) : NULL;
}

/* Read the status texts at the begin of a block. False: they do not fit into the cursor or the block. */
static bool take_texts(brio_packed_cursor *c, brio_pack_bytes *in) {
  uint64_t count, length;
  if (!brio_unpack_varint(in, &count) || count > BRIO_SOLVE_STATUSES) return false;
  for (c->ntext = 0; c->ntext < (int)count; c->ntext++) {
    if (!brio_unpack_varint(in, &length) || length >= BRIO_SOLVE_STATUS_SIZE ||
        length > (uint64_t)(in->end - in->at))
      return false;
    memcpy(c->texts[c->ntext], in->at, length);
    c->texts[c->ntext][length] = 0;
    in->at += length;
  }
  return true;
}

/* A piece of solve_blocks.  Columns of the row: tick, bytes. */
static bool take_block(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why) {
  brio_pack_bytes in;
  const void *bytes = sqlite3_column_blob(piece, 1);
  if (!brio_block_open(bytes, (size_t)sqlite3_column_bytes(piece, 1), 's', &in, &c->count, why) ||
      !take_texts(c, &in))
    return false;
  /* All columns follow in order, each behind its step; columns that are not used are skipped. */
  for (int i = 0; i < BRIO_SOLVE_COLUMNS; i++) {
    brio_grid step;
    double *place = place_of(c, i);
    if (!brio_block_take_step(&in, &step)) return false;
    if (place ? !brio_unpack_column(&in, place, c->count, step, &c->room) : !brio_unpack_skip(&in))
      return false;
  }
  return true;
}

/* A piece that is one row of an older version. Columns of the row: those of solve_columns.def. */
static bool take_row(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why) {
  (void)why;
  c->count = 1;
  for (int i = 0; i < BRIO_SOLVE_COLUMNS; i++) {
    double *place = place_of(c, i);
    bool none = sqlite3_column_type(piece, i) == SQLITE_NULL;
    /* A status is the number of a text: here that of the first and only one. */
    if (place) place[0] = none ? NAN : kinds[i] == TEXT ? 0 : sqlite3_column_double(piece, i);
    if (place && !none && kinds[i] == TEXT)
      sqlite3_snprintf(BRIO_SOLVE_STATUS_SIZE, c->texts[0], "%s", sqlite3_column_text(piece, i));
  }
  c->ntext = 1;
  return true;
}

/* Return the text with number `place`; a damaged block may have numbers without a text. */
static void give_text(brio_packed_cursor *c, sqlite3_context *context, double place) {
  if (place >= 0 && place < c->ntext)
    sqlite3_result_text(context, c->texts[(int)place], -1, SQLITE_TRANSIENT);
  else sqlite3_result_null(context);
}

/* The value of a row in SQL's type of the column; NaN is null. */
static void give(brio_packed_cursor *c, sqlite3_context *context, int column) {
  int i = column - 1; /* the run comes first */
  assert(i >= 0 && i < BRIO_SOLVE_COLUMNS && c->at < c->count);
  if (!c->values) {
    sqlite3_result_error_nomem(context);
    return;
  }
  /* Columns lie one behind the other, BRIO_PACK_MOST values each. */
  double number = c->values[(size_t)i * BRIO_PACK_MOST + (size_t)c->at];
  if (number != number) sqlite3_result_null(context);
  else if (kinds[i] == TEXT) give_text(c, context, number);
  /* Above 2^53, about 9e15, doubles are no longer exact integers. */
  else if (kinds[i] == INTEGER && fabs(number) < 9e15) sqlite3_result_int64(context, (sqlite3_int64)number);
  else sqlite3_result_double(context, number);
}

/* Column 0 is the run, the last three are arguments of the table function. */
static const brio_packed_role roles[] = {
    BRIO_PACKED_RUN,
#define X(name, kind, step)                                                                                  \
  BRIO_SOLVE_##name == BRIO_SOLVE_tick ? BRIO_PACKED_TICK                                                    \
  : BRIO_SOLVE_##name == BRIO_SOLVE_t  ? BRIO_PACKED_T                                                       \
                                       : BRIO_PACKED_OTHER,
#include "store/packing/solve_columns.def"
#undef X
    BRIO_PACKED_ARG_RUN, BRIO_PACKED_ARG_T0, BRIO_PACKED_ARG_T1};

/* The old tables have the columns of solve_columns.def under the same names. */
#define OLD_ROWS(table)                                                                                      \
  "SELECT tick, t, status, cost, iterations, evaluations, active, distance, solve_us, tick_us, late_us "     \
  "FROM main." table " WHERE run = ?1 AND tick >= ?3 AND tick <= ?4 AND t >= ?5 AND t <= ?6 ORDER BY tick"

const brio_packed_kind brio_packed_solves = {
    .name = "solver_ticks",
    .schema = "CREATE TABLE x(run INTEGER"
#define X(name, kind, step) ", " #name " " #kind
#include "store/packing/solve_columns.def"
#undef X
              ", of_run HIDDEN, t0 HIDDEN, t1 HIDDEN)",
    .roles = roles,
    .columns = sizeof roles / sizeof *roles,
    .sources =
        {{"solve_rows", OLD_ROWS("solve_rows"), take_row},
         {"solves", OLD_ROWS("solves"), take_row},
         {"solve_blocks",
          "SELECT k.tick, k.bytes FROM main.solve_blocks k WHERE k.run = ?1 AND k.tick >= coalesce((SELECT "
          "max(tick)"
          " FROM main.solve_blocks WHERE run = ?1 AND tick <= ?3), ?3) AND k.tick <= ?4 AND k.last >= ?3"
          " AND k.t1 >= ?5 AND k.t0 <= ?6 ORDER BY k.tick",
          take_block}},
    .give = give,
};
