/* A virtual table over packed rows (https://sqlite.org/vtab.html). The walk has four levels: the runs, the
** DOFs of each run where the table has any, the sources of pieces of each of these, and the rows of each
** piece. Bounds on run, DOF, tick and time go into the SQL that finds pieces, and are checked for each row;
** SQLite checks every other condition. */
#include "store/packing/packed.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/packing/packed_internal.h"

SQLITE_EXTENSION_INIT3

/* A connection's instance of a table; SQLite owns it through `base`. */
typedef struct packed_table {
  sqlite3_vtab base;
  const brio_packed_kind *kind;
  sqlite3 *db;
  /* the cursor closed last, its statements reset: a correlated subquery opens one a row */
  brio_packed_cursor *spare;
} packed_table;

/* The uses of constraints. The plan of a query (idxNum) has a bit for each use, and xFilter gets the values
** in this order. */
enum {
  ARG_RUN,
  ARG_DOF,
  ARG_T0,
  ARG_T1,
  RUN_IS,
  DOF_IS,
  NAME_IS,
  TICK_IS,
  TICK_LOW,
  TICK_HIGH,
  T_IS,
  T_LOW,
  T_HIGH,
  SLOTS
};

/* By the role of a column: the use of =, of > and >=, and of < and <=; -1: none. */
static const struct { brio_packed_role role; int slot, low, high;
} slots[] = {{BRIO_PACKED_ARG_RUN, ARG_RUN, -1, -1}, {BRIO_PACKED_ARG_DOF, ARG_DOF, -1, -1},
             {BRIO_PACKED_ARG_T0, ARG_T0, -1, -1},   {BRIO_PACKED_ARG_T1, ARG_T1, -1, -1},
             {BRIO_PACKED_RUN, RUN_IS, -1, -1},      {BRIO_PACKED_DOF, DOF_IS, -1, -1},
             {BRIO_PACKED_NAME, NAME_IS, -1, -1},    {BRIO_PACKED_TICK, TICK_IS, TICK_LOW, TICK_HIGH},
             {BRIO_PACKED_T, T_IS, T_LOW, T_HIGH}};

/* ---- planning ---- */

/* Return the use of a constraint with operator `op` on a column of this role; -1: none. */
static int slot_of(brio_packed_role role, int op) {
  for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
    if (slots[i].role != role) continue;
    if (op == SQLITE_INDEX_CONSTRAINT_EQ) return slots[i].slot;
    if (op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_GT) return slots[i].low;
    if (op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_LT) return slots[i].high;
  }
  return -1;
}

/* Whether rows come in the order of the query's ORDER BY: by run, DOF and tick, and so by time. A column that
** the plan fixes to one value may be anywhere in it. */
static bool in_order(const brio_packed_kind *kind, const sqlite3_index_info *info, int plan) {
  bool run = plan & (1 << ARG_RUN | 1 << RUN_IS),
       dof = !kind->by_dof || plan & (1 << ARG_DOF | 1 << DOF_IS | 1 << NAME_IS);
  /* What the next term must be: 0 run, 1 DOF, 2 tick or time, 3 nothing. */
  int place = run ? dof ? 2 : 1 : 0;
  for (int i = 0; i < info->nOrderBy; i++) {
    int column = info->aOrderBy[i].iColumn;
    brio_packed_role role = column >= 0 && column < kind->columns ? kind->roles[column] : BRIO_PACKED_OTHER;
    if ((run && role == BRIO_PACKED_RUN) || (dof && (role == BRIO_PACKED_DOF || role == BRIO_PACKED_NAME)))
      continue;
    if (info->aOrderBy[i].desc) return false;
    /* Time rises with the tick: a second term of the two changes nothing. */
    int of = role == BRIO_PACKED_RUN                             ? 0
             : role == BRIO_PACKED_DOF                           ? 1
             : role == BRIO_PACKED_TICK || role == BRIO_PACKED_T ? 2
                                                                 : -1;
    if (place == 3 && of == 2) continue;
    if (of != place) return false;
    place = place == 0 && dof ? 2 : place + 1;
  }
  return true;
}

/* Estimate the rows for SQLite's planner: a large store has 1e9 samples, 2e7 ticks, 100 runs and 50 DOFs; a
** bound on one side is assumed to keep a quarter. */
static void estimate(const brio_packed_kind *kind, sqlite3_index_info *info, int plan) {
  double rows = kind->by_dof ? 1e9 : 2e7;
  if (plan & (1 << ARG_RUN | 1 << RUN_IS)) rows /= 100;
  if (kind->by_dof && plan & (1 << ARG_DOF | 1 << DOF_IS | 1 << NAME_IS)) rows /= 50;
  /* Each of these bounds one side. */
  static const int ranges[] = {ARG_T0, ARG_T1, TICK_LOW, TICK_HIGH, T_LOW, T_HIGH};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (plan & 1 << ranges[i]) rows /= 4;
  if (plan & (1 << TICK_IS | 1 << T_IS)) rows = rows / 1e5 < 1 ? 1 : rows / 1e5;
  info->estimatedRows = (sqlite3_int64)rows + 1;
  info->estimatedCost = rows + 100;
}

/* xBestIndex: choose the constraints that the walk uses, at most one for each use. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  const brio_packed_kind *kind = ((packed_table *)base)->kind;
  int plan = 0, of[SLOTS], next = 1;
  /* Later constraints of the same use are left to SQLite. */
  for (int i = 0; i < info->nConstraint; i++) {
    int column = info->aConstraint[i].iColumn;
    brio_packed_role role = column >= 0 && column < kind->columns ? kind->roles[column] : BRIO_PACKED_OTHER;
    int slot = slot_of(role, info->aConstraint[i].op);
    if (slot < 0) continue;
    if (!info->aConstraint[i].usable) {
      if (slot <= ARG_T1) return SQLITE_CONSTRAINT; /* an argument must be known first */
      continue;
    }
    /* The walk compares names byte by byte; other collations are left to SQLite. */
    if (role == BRIO_PACKED_NAME && strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) continue;
    if (plan & 1 << slot) continue;
    plan |= 1 << slot;
    of[slot] = i;
  }
  /* Arguments of xFilter are numbered from 1 in the order of uses. SQLite cannot check arguments of a table
  ** function, so these are omitted from its checks. */
  for (int slot = 0; slot < SLOTS; slot++) {
    if (!(plan & 1 << slot)) continue;
    info->aConstraintUsage[of[slot]].argvIndex = next++;
    info->aConstraintUsage[of[slot]].omit = slot <= ARG_T1;
  }
  /* The plan and the set of columns that the query uses go to xFilter. */
  info->idxNum = plan;
  info->idxStr = sqlite3_mprintf("%llx", (unsigned long long)info->colUsed);
  info->needToFreeIdxStr = 1;
  /* SQLite need not sort rows that come in its order. */
  info->orderByConsumed = in_order(kind, info, plan);
  estimate(kind, info, plan);
  return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- bounds ---- */

/* Clamp to the range of int64_t: a conversion from outside it is undefined. */
static int64_t to_integer(double number) {
  return number <= -9e18 ? INT64_MIN : number >= 9e18 ? INT64_MAX : (int64_t)number;
}

static void raise_to(double *low, double to) { if (to > *low) *low = to; }

static void lower_to(double *high, double to) { if (to < *high) *high = to; }

/* Restrict the walk to a DOF, by name or number. Return false if it is restricted to another one already. */
static bool bind_dof(brio_packed_bounds *b, sqlite3_value *value) {
  if (sqlite3_value_type(value) == SQLITE_TEXT) {
    /* Two names that differ (argument and condition) leave no row. */
    char before[BRIO_PACKED_NAME_SIZE];
    memcpy(before, b->name, sizeof before);
    sqlite3_snprintf(sizeof b->name, b->name, "%s", sqlite3_value_text(value));
    if (b->has_name && strcmp(before, b->name) != 0) return false;
    b->has_name = true;
    return true;
  }
  /* A number is whole; a blob is none. SQLite does not check arguments. */
  double number = sqlite3_value_double(value);
  if (sqlite3_value_type(value) == SQLITE_BLOB || number != floor(number)) return false;
  /* Two different numbers leave no row. */
  int64_t dof = sqlite3_value_int64(value);
  if (b->has_dof && b->dof != dof) return false;
  b->has_dof = true, b->dof = dof;
  return true;
}

/* Apply the value of a constraint. Return false if no row can satisfy it. */
static bool bind_slot(brio_packed_bounds *b, int slot, sqlite3_value *value, double ticks[2]) {
  assert(slot >= 0 && slot < SLOTS);
  int type = sqlite3_value_type(value);
  if (type == SQLITE_NULL) return slot <= ARG_T1; /* an argument that is null does not bound */
  if (slot == ARG_DOF || (slot == NAME_IS && type == SQLITE_TEXT)) return bind_dof(b, value);
  /* A name that is no text: SQLite compares it. */
  if (slot == NAME_IS) return true;
  /* A text that spells a number counts as one. No other value matches an argument; in conditions SQLite
  ** compares it. */
  type = sqlite3_value_numeric_type(value);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return slot > ARG_T1; /* compared by SQLite */
  double number = sqlite3_value_double(value);
  if (slot == ARG_RUN || slot == RUN_IS) {
    if (number != floor(number)) return false;
    if (b->has_run && b->run != sqlite3_value_int64(value)) return false;
    b->has_run = true, b->run = sqlite3_value_int64(value);
  }
  if (slot == DOF_IS && type == SQLITE_INTEGER) return bind_dof(b, value);
  /* Ticks are whole: round outwards, and SQLite itself decides whether a bound is included. */
  if (slot == TICK_IS || slot == TICK_LOW) raise_to(&ticks[0], floor(number));
  if (slot == TICK_IS || slot == TICK_HIGH) lower_to(&ticks[1], ceil(number));
  if (slot == T_IS || slot == T_LOW || slot == ARG_T0) raise_to(&b->t_low, number);
  if (slot == T_IS || slot == T_HIGH || slot == ARG_T1) lower_to(&b->t_high, number);
  return true;
}

/* Set the bounds from the values of all uses in the plan. Return false if no row can satisfy them. */
static bool bind_plan(brio_packed_bounds *b, int plan, sqlite3_value **values) {
  double ticks[2] = {-INFINITY, INFINITY};
  bool any = true;
  *b = (brio_packed_bounds){.t_low = -INFINITY, .t_high = INFINITY};
  for (int slot = 0, i = 0; slot < SLOTS; slot++)
    if (plan & 1 << slot) any = bind_slot(b, slot, values[i++], ticks) && any;
  b->tick_low = to_integer(ticks[0]);
  b->tick_high = to_integer(ticks[1]);
  return any;
}

/* ---- walking ---- */

double *brio_packed_column(brio_packed_cursor *c, int column) {
  assert(column >= 0 && column < BRIO_PACKED_COLUMNS);
  /* Allocated at the first use: a query of ticks and times needs none. */
  if (!c->values) c->values = sqlite3_malloc64(sizeof *c->values * BRIO_PACKED_COLUMNS * BRIO_PACK_MOST);
  return c->values ? c->values + (size_t)column * BRIO_PACK_MOST : NULL;
}

/* End the walk with an error: `words`, or SQLite's message. Return `result`. */
static int fail(brio_packed_cursor *c, int result, const char *words) {
  /* SQLite owns the message and frees it. */
  sqlite3_free(c->base.pVtab->zErrMsg);
  c->base.pVtab->zErrMsg = sqlite3_mprintf("%s", words ? words : sqlite3_errmsg(c->db));
  c->over = true;
  return result;
}

/* End the walk with a sentence about a piece that cannot be unpacked. Return SQLITE_ERROR. */
static int damaged(brio_packed_cursor *c, int64_t tick, const char *why) {
  char of[64] = "", words[400];
  if (c->kind->by_dof) sqlite3_snprintf(sizeof of, of, " of DOF %lld", (long long)c->dof);
  sqlite3_snprintf(sizeof words, words,
                   "%s%s in run %lld from tick %lld on cannot be unpacked: %s; other times can be read",
                   c->kind->name, of, (long long)c->run, (long long)tick, why);
  return fail(c, SQLITE_ERROR, words);
}

/* Whether the store has a table; stores of other versions lack some. */
static bool there_is(const brio_packed_cursor *c, const char *table) {
  return sqlite3_table_column_metadata(c->db, "main", table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* Start the statement over the runs or DOFs of the bounds. It is prepared again only if the set of bounds
** differs from the last walk's. Return SQLite's code. */
static int start_outer(brio_packed_cursor *c) {
  const brio_packed_bounds *b = &c->bounds;
  int form = b->has_run | b->has_dof << 1 | b->has_name << 2, result = SQLITE_OK;
  if (form != c->outer_form) {
    sqlite3_finalize(c->outer);
    c->outer = NULL;
    char *sql = c->kind->by_dof
                    ? sqlite3_mprintf("SELECT run, dof, name FROM main.dofs WHERE 1%s%s%s ORDER BY run, dof",
                                      b->has_run ? " AND run = ?1" : "", b->has_dof ? " AND dof = ?2" : "",
                                      b->has_name ? " AND name = ?3" : "")
                    : sqlite3_mprintf("SELECT id, 0, '' FROM main.runs%s ORDER BY id",
                                      b->has_run ? " WHERE id = ?1" : "");
    if (!sql) return SQLITE_NOMEM;
    result = sqlite3_prepare_v2(c->db, sql, -1, &c->outer, NULL);
    sqlite3_free(sql);
    c->outer_form = result == SQLITE_OK ? form : -1;
  }
  if (result != SQLITE_OK) return fail(c, result, NULL);
  sqlite3_reset(c->outer);
  /* A parameter that the SQL lacks is ignored. */
  sqlite3_bind_int64(c->outer, 1, b->run);
  if (b->has_dof) sqlite3_bind_int64(c->outer, 2, b->dof);
  if (b->has_name) sqlite3_bind_text(c->outer, 3, b->name, -1, SQLITE_TRANSIENT);
  return SQLITE_OK;
}

/* Narrow the ticks of the run to those of blocks within the bounds on time, so that each DOF seeks by tick
** instead of scanning all blocks. O(log blocks) */
static int narrow(brio_packed_cursor *c) {
  const brio_packed_bounds *b = &c->bounds;
  c->tick_low = b->tick_low;
  c->tick_high = b->tick_high;
  if (!c->kind->by_dof || (b->t_low == -INFINITY && b->t_high == INFINITY) || !there_is(c, "sample_ticks"))
    return SQLITE_OK;
  /* From the first block that reaches into the times (none: the last tick of a block) to before the first
  ** block after them. */
  static const char sql[] =
      "SELECT coalesce((SELECT tick FROM main.sample_ticks WHERE run = ?1 AND t1 >= ?2 ORDER BY tick LIMIT "
      "1),"
      " (SELECT max(last) FROM main.sample_ticks WHERE run = ?1)),"
      " (SELECT tick - 1 FROM main.sample_ticks WHERE run = ?1 AND t0 > ?3 ORDER BY tick LIMIT 1)";
  int result = c->span ? SQLITE_OK : sqlite3_prepare_v2(c->db, sql, -1, &c->span, NULL);
  if (result != SQLITE_OK) return fail(c, result, NULL);
  sqlite3_reset(c->span);
  sqlite3_bind_int64(c->span, 1, c->run);
  sqlite3_bind_double(c->span, 2, b->t_low);
  sqlite3_bind_double(c->span, 3, b->t_high);
  if (sqlite3_step(c->span) != SQLITE_ROW) return fail(c, SQLITE_ERROR, NULL);
  if (sqlite3_column_type(c->span, 0) != SQLITE_NULL && sqlite3_column_int64(c->span, 0) > c->tick_low)
    c->tick_low = sqlite3_column_int64(c->span, 0);
  if (sqlite3_column_type(c->span, 1) != SQLITE_NULL && sqlite3_column_int64(c->span, 1) < c->tick_high)
    c->tick_high = sqlite3_column_int64(c->span, 1);
  sqlite3_reset(c->span);
  return SQLITE_OK;
}

/* Advance to the next run or DOF, or end the walk. */
static int next_outer(brio_packed_cursor *c) {
  int64_t before = c->run;
  int result = sqlite3_step(c->outer);
  if (result == SQLITE_DONE) {
    c->over = true;
    return SQLITE_OK;
  }
  if (result != SQLITE_ROW) return fail(c, result, NULL);
  c->run = sqlite3_column_int64(c->outer, 0);
  c->dof = sqlite3_column_int64(c->outer, 1);
  sqlite3_snprintf(sizeof c->name, c->name, "%s", sqlite3_column_text(c->outer, 2));
  /* Before the first source; ticks are narrowed once for each run. */
  c->source = -1;
  /* Another DOF of the same run has the same ticks. */
  if (c->run == before && c->narrowed) return SQLITE_OK;
  c->narrowed = true;
  return narrow(c);
}

/* Start the next source that the store has, or set c->source to BRIO_PACKED_SOURCES. */
static int next_source(brio_packed_cursor *c) {
  assert(c->source >= -1 && c->source < BRIO_PACKED_SOURCES);
  const brio_packed_source *sources = c->kind->sources;
  while (++c->source < BRIO_PACKED_SOURCES &&
         (!sources[c->source].table || !there_is(c, sources[c->source].table)))
    ;
  if (c->source == BRIO_PACKED_SOURCES) return SQLITE_OK;
  /* Prepared once for each source and cursor. */
  sqlite3_stmt **piece = &c->pieces[c->source];
  int result = *piece ? SQLITE_OK : sqlite3_prepare_v2(c->db, sources[c->source].sql, -1, piece, NULL);
  if (result != SQLITE_OK) return fail(c, result, NULL);
  sqlite3_reset(*piece);
  sqlite3_bind_int64(*piece, 1, c->run);
  sqlite3_bind_int64(*piece, 2, c->dof);
  sqlite3_bind_int64(*piece, 3, c->tick_low);
  sqlite3_bind_int64(*piece, 4, c->tick_high);
  sqlite3_bind_double(*piece, 5, c->bounds.t_low);
  sqlite3_bind_double(*piece, 6, c->bounds.t_high);
  return SQLITE_OK;
}

/* Whether ticks are bounded. */
static bool bounds_ticks(const brio_packed_cursor *c) {
  return c->bounds.tick_low > INT64_MIN || c->bounds.tick_high < INT64_MAX;
}

bool brio_packed_wants_ticks(const brio_packed_cursor *c) {
  for (int i = 0; i < c->kind->columns; i++)
    if (c->kind->roles[i] == BRIO_PACKED_TICK && c->used >> i & 1) return true;
  return bounds_ticks(c);
}

/* Move c->at forward to a row within the bounds; false: the piece has no more. */
static bool settle(brio_packed_cursor *c) {
  assert(c->at >= 0 && c->count >= 0 && c->count <= BRIO_PACK_MOST);
  const brio_packed_bounds *b = &c->bounds;
  /* Every row of every piece is wanted: nothing to compare. */
  if (c->unbounded) return c->at < c->count;
  double low = (double)b->tick_low, high = (double)b->tick_high;
  bool any = !bounds_ticks(c);
  for (; c->at < c->count; c->at++) {
    double t = c->times[c->at];
    bool in = any || (c->ticks[c->at] >= low && c->ticks[c->at] <= high);
    if (in && t >= b->t_low && t <= b->t_high) return true;
  }
  return false;
}

/* Unpack the next piece that has a row within the bounds, or end the walk. */
static int next_piece(brio_packed_cursor *c) {
  int result = SQLITE_OK;
  /* Each turn moves one level: to the next run or DOF, the next source, or the next piece. */
  while (result == SQLITE_OK && !c->over) {
    if (c->source == BRIO_PACKED_SOURCES) result = next_outer(c);
    if (result != SQLITE_OK || c->over) break;
    if (c->source < 0) result = next_source(c);
    if (result != SQLITE_OK || c->source == BRIO_PACKED_SOURCES) continue;
    sqlite3_stmt *piece = c->pieces[c->source];
    int step = sqlite3_step(piece);
    if (step == SQLITE_DONE) {
      result = next_source(c);
      continue;
    }
    if (step != SQLITE_ROW) return fail(c, step, NULL);
    /* The take functions replace this reason if they know a better one. */
    const char *why = "it is damaged";
    if (!c->kind->sources[c->source].take(c, piece, &why))
      return damaged(c, sqlite3_column_int64(piece, 0), why);
    c->at = 0;
    if (settle(c)) return SQLITE_OK;
  }
  return result;
}

/* ---- what SQLite calls ---- */

/* xConnect: O(1); the table has no state of its own in the file. */
static int connect_table(sqlite3 *db, void *kind, int argc, const char *const *argv, sqlite3_vtab **out,
                         char **why) {
  (void)argc, (void)argv, (void)why;
  packed_table *table = sqlite3_malloc(sizeof *table);
  if (!table) return SQLITE_NOMEM;
  memset(table, 0, sizeof *table);
  /* The kind belongs to the module and outlives the table. */
  table->kind = kind;
  table->db = db;
  int result = sqlite3_declare_vtab(db, table->kind->schema);
  /* The table may be used in views and triggers: it only reads. */
  sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  if (result != SQLITE_OK) sqlite3_free(table);
  else *out = &table->base;
  return result;
}

/* Free a cursor with its statements; may be NULL. */
static void free_cursor(brio_packed_cursor *c) {
  if (!c) return;
  sqlite3_finalize(c->outer);
  sqlite3_finalize(c->span);
  for (int i = 0; i < BRIO_PACKED_SOURCES; i++) sqlite3_finalize(c->pieces[i]);
  sqlite3_free(c->values);
  sqlite3_free(c);
}

static int disconnect_table(sqlite3_vtab *base) {
  free_cursor(((packed_table *)base)->spare);
  sqlite3_free(base);
  return SQLITE_OK;
}

/* xOpen: use the spare cursor, whose statements are prepared already, or allocate one. */
static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  packed_table *table = (packed_table *)base;
  brio_packed_cursor *c = table->spare;
  table->spare = NULL;
  if (!c) {
    c = sqlite3_malloc64(sizeof *c);
    if (!c) return SQLITE_NOMEM;
    /* The rest of the cursor, some 200 KB, is always written before it is read. */
    memset(c, 0, offsetof(brio_packed_cursor, room));
    c->values = NULL;
    c->kind = table->kind;
    c->db = table->db;
    c->outer_form = -1;
    /* Times are unpacked for every piece; other columns are set by `take`. */
    for (int i = 0; i < c->kind->columns; i++)
      c->columns[i] = c->kind->roles[i] == BRIO_PACKED_T ? c->times : NULL;
  }
  c->room.referable = false;
  c->ntext = 0;
  *out = &c->base;
  return SQLITE_OK;
}

/* xClose: reset the statements, so that they hold no lock, and keep the cursor for the next query. */
static int close_cursor(sqlite3_vtab_cursor *base) {
  brio_packed_cursor *c = (brio_packed_cursor *)base;
  packed_table *table = (packed_table *)base->pVtab;
  sqlite3_reset(c->outer);
  sqlite3_reset(c->span);
  for (int i = 0; i < BRIO_PACKED_SOURCES; i++) sqlite3_reset(c->pieces[i]);
  /* Of two cursors closed in turn, the last one is kept. */
  free_cursor(table->spare);
  table->spare = c;
  return SQLITE_OK;
}

/* xFilter: begin a walk. Without a set of columns all of them count as used. */
static int filter(sqlite3_vtab_cursor *base, int plan, const char *used, int argc, sqlite3_value **argv) {
  brio_packed_cursor *c = (brio_packed_cursor *)base;
  assert(argc == __builtin_popcount((unsigned)plan));
  (void)argc;
  /* The text that best_index wrote. */
  c->used = used ? strtoull(used, NULL, 16) : ~(uint64_t)0;
  c->over = !bind_plan(&c->bounds, plan, argv);
  c->rowid = 0;
  c->narrowed = false;
  c->unbounded = !bounds_ticks(c) && c->bounds.t_low == -INFINITY && c->bounds.t_high == INFINITY;
  c->count = c->at = 0;
  /* Behind the last source: next_piece begins with the first run. */
  c->source = BRIO_PACKED_SOURCES;
  /* No row can satisfy the conditions. */
  if (c->over) return SQLITE_OK;
  int result = start_outer(c);
  return result == SQLITE_OK ? next_piece(c) : result;
}

/* xNext: a row of the same piece, or the next piece. */
static int next_row(sqlite3_vtab_cursor *base) {
  brio_packed_cursor *c = (brio_packed_cursor *)base;
  /* Row ids only number the rows of a walk. */
  c->rowid++;
  c->at++;
  return settle(c) ? SQLITE_OK : next_piece(c);
}

static int is_over(sqlite3_vtab_cursor *base) { return ((brio_packed_cursor *)base)->over; }

/* xColumn: plain numbers directly, the rest by the column's role or its kind. */
static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i) {
  assert(!((brio_packed_cursor *)base)->over);
  brio_packed_cursor *c = (brio_packed_cursor *)base;
  /* Most cells are plain numbers, so these are tested first. */
  const double *numbers = c->columns[i];
  if (numbers) {
    sqlite3_result_double(context, numbers[c->at]);
    return SQLITE_OK;
  }
  switch (c->kind->roles[i]) {
    case BRIO_PACKED_OTHER: c->kind->give(c, context, i); break;
    case BRIO_PACKED_TICK: sqlite3_result_int64(context, (sqlite3_int64)c->ticks[c->at]); break;
    case BRIO_PACKED_RUN: sqlite3_result_int64(context, c->run); break;
    case BRIO_PACKED_DOF: sqlite3_result_int64(context, c->dof); break;
    case BRIO_PACKED_NAME: sqlite3_result_text(context, c->name, -1, SQLITE_TRANSIENT); break;
    default: break; /* an argument: null */
  }
  return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id) {
  *id = ((brio_packed_cursor *)base)->rowid;
  return SQLITE_OK;
}

static const sqlite3_module module = {.xCreate = connect_table,
                                      .xConnect = connect_table,
                                      .xBestIndex = best_index,
                                      .xDisconnect = disconnect_table,
                                      .xDestroy = disconnect_table,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = filter,
                                      .xNext = next_row,
                                      .xEof = is_over,
                                      .xColumn = column,
                                      .xRowid = row_id};

/* The module of each table gets its kind as context. */
static const brio_packed_kind *const kinds[] = {&brio_packed_samples, &brio_packed_solves,
                                                &brio_packed_hashes};

int brio_packed_register(struct sqlite3 *db) {
  int result = SQLITE_OK;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && result == SQLITE_OK; i++)
    result = sqlite3_create_module(db, kinds[i]->name, &module, (void *)kinds[i]);
  return result;
}

/* A store of an older version that is only read has a view named samples: a temporary table shadows it. */
int brio_packed_shadow(struct sqlite3 *db) {
  sqlite3_stmt *look = NULL;
  int result = sqlite3_prepare_v2(
      db, "SELECT 1 FROM main.sqlite_master WHERE type = 'view' AND name = 'samples'", -1, &look, NULL);
  bool old = result == SQLITE_OK && sqlite3_step(look) == SQLITE_ROW;
  sqlite3_finalize(look);
  return old ? sqlite3_exec(db, "CREATE VIRTUAL TABLE temp.samples USING samples", NULL, NULL, NULL)
             : SQLITE_OK;
}
