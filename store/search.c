/* A full-text index of a run store, by SQLite's FTS5 with Porter's stemmer (M. F. Porter, "An algorithm for
** suffix stripping", Program 14, 1980).
**
** A run that has ended is indexed once; for a run that continues, only the rows since the last update are
** added. A run is identified by its start time and its process: when its number belongs to another run, or to
** none, its rows are removed. A table of the store that cannot be read becomes a row of `gaps`; the others
** are searched all the same. */
#include "store/search.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "store/reader.h"

/* The mark of an index in SQLite's header: "brix". */
#define APPLICATION_ID 1651665272

/* Kinds of rows that contain words, and the query for each (store/search.def). */
static const struct {
  const char *kind, *table, *sql;
} kinds[] = {
#define X(kind, table, sql) {#kind, #table, sql},
#include "store/search.def"
#undef X
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* runs, reached: which runs are indexed, and up to which row of each kind; found: the words. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS runs(id INTEGER PRIMARY KEY, mark TEXT NOT NULL, done INTEGER NOT NULL)"
    " STRICT;"
    "CREATE TABLE IF NOT EXISTS reached(run INTEGER NOT NULL, kind TEXT NOT NULL, last INTEGER NOT NULL,"
    " PRIMARY KEY(run, kind)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS versions(hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS gaps(kind TEXT PRIMARY KEY, why TEXT) STRICT, WITHOUT ROWID;"
    "CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5(text, run UNINDEXED, t UNINDEXED, kind UNINDEXED,"
    " row UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2');"
    "PRAGMA application_id = 1651665272; PRAGMA user_version = 1;";

typedef struct search {
  brio_db *runs, *index;          /* the store, the index */
  brio_query *rows[KINDS];        /* of the store; NULL: it has no such table */
  brio_query *known, *note_run, *last, *reach, *add, *gap;
} search;

/* Run a statement of the index, which returns no rows. */
static bool put(brio_query *query, const brio_value *values, int count, brio_error *err) {
  return brio_query_run(query, values, count, err);
}

/* Return the integer in the first column of the first row of a query; `fallback`: it has none. */
static int64_t number_of(brio_query *query, const brio_value *values, int count, int64_t fallback) {
  for (int i = 0; i < count; i++) brio_query_bind(query, i + 1, &values[i]);
  if (brio_query_step(query, NULL) == BRIO_STEP_ROW) {
    brio_value value = brio_query_column(query, 0);
    if (value.type == BRIO_VALUE_INTEGER) fallback = value.as.integer;
  }
  brio_query_reset(query);
  return fallback;
}

/* Record that a part of the store cannot be read. */
static bool note_gap(search *s, const char *kind, const brio_error *why, brio_error *err) {
  return put(s->gap, (brio_value[]){brio_value_text(kind), brio_value_text(why->message)}, 2, err);
}

/* Return the texts of a row from its third column on, separated by spaces; the caller ends it. Bytes are NULL
** without memory. */
static brio_text words_of(const brio_query *row) {
  brio_text text = {0};
  /* Columns 0 and 1 are the row's number and its time. */
  for (int i = 2; i < brio_query_columns(row); i++) {
    brio_value value = brio_query_column(row, i);
    /* Numbers and NULL have no words. */
    if (value.type != BRIO_VALUE_TEXT) continue;
    if (text.length > 0) brio_text_add(&text, " ", 1);
    brio_text_add(&text, value.as.text.bytes, value.as.text.length);
  }
  if (text.failed) brio_text_end(&text);
  return text;
}

/* Add a row of the store to the index: its words, run, time, kind and number. */
static bool add_row(search *s, int64_t run, const char *kind, const brio_query *row, brio_error *err) {
  /* Without memory the text is null: the row is there, but not found. */
  brio_text text = words_of(row);
  brio_value values[] = {brio_value_text(text.bytes), brio_value_integer(run), brio_query_column(row, 1),
                         brio_value_text(kind), brio_query_column(row, 0)};
  bool good = put(s->add, values, 5, err);
  brio_text_end(&text);
  return good;
}

/* Index the rows of one kind that a run has got since the last update. O(new rows) */
static bool add_kind(search *s, int64_t run, int kind, brio_error *err) {
  assert(kind >= 0 && kind < KINDS);
  brio_error why = {0};
  brio_query *rows = s->rows[kind];
  /* The store has no such table. */
  if (!rows) return true;
  brio_value who[] = {brio_value_integer(run), brio_value_text(kinds[kind].kind)};
  /* From the row after the one reached last, in order of their numbers. */
  int64_t last = number_of(s->last, who, 2, 0), before = last;
  brio_value from[] = {who[0], brio_value_integer(last)};
  for (int i = 0; i < 2; i++) brio_query_bind(rows, i + 1, &from[i]);
  brio_step step;
  bool good = true;
  while (good && (step = brio_query_step(rows, &why)) == BRIO_STEP_ROW) {
    brio_value id = brio_query_column(rows, 0);
    if (id.type == BRIO_VALUE_INTEGER) last = id.as.integer;
    good = add_row(s, run, kinds[kind].kind, rows, err);
  }
  brio_query_reset(rows);
  /* A table that fails half-way is a gap; what came before stays in the index. */
  if (good && step == BRIO_STEP_FAILED) good = note_gap(s, kinds[kind].kind, &why, err);
  if (!good || last == before) return good;
  /* The next update begins behind this row. */
  return put(s->reach, (brio_value[]){who[0], who[1], brio_value_integer(last)}, 3, err);
}

/* Remove all that the index has of a run. */
static bool forget_run(search *s, int64_t run, brio_error *err) {
  char sql[160];
  /* Three statements in one text, without parameters: it has only numbers. */
  snprintf(sql, sizeof sql,
           "DELETE FROM found WHERE run = %lld; DELETE FROM reached WHERE run = %lld;"
           "DELETE FROM runs WHERE id = %lld",
           (long long)run, (long long)run, (long long)run);
  return brio_db_run(s->index, sql, err);
}

/* Update one run. `mark`: its start time and process; `done`: it has ended. */
static bool add_run(search *s, int64_t run, const brio_value *mark, bool done, brio_error *err) {
  brio_value who[] = {brio_value_integer(run), *mark};
  /* -1: not indexed; 0: in part; 1: completely; 2: the number was another run's */
  int64_t known = number_of(s->known, who, 2, -1);
  if (known == 1) return true;
  if (known == 2 && !forget_run(s, run, err)) return false;
  /* All kinds, then the note: a run counts as done only when all its rows are indexed. */
  for (int kind = 0; kind < KINDS; kind++)
    if (!add_kind(s, run, kind, err)) return false;
  return put(s->note_run, (brio_value[]){who[0], who[1], brio_value_integer(done)}, 3, err);
}

/* Update all runs, in the order of their numbers. A table `runs` that cannot be read is a gap. */
static bool add_runs(search *s, brio_error *err) {
  /* The mark of a run: when it began, and in which process. */
  static const char sql[] = "SELECT id, coalesce(started_at, '') || ' ' || coalesce(process, ''),"
                            " ended_at IS NOT NULL FROM runs ORDER BY id";
  brio_error why = {0};
  brio_step step = BRIO_STEP_FAILED;
  bool good = true;
  brio_query *runs = brio_reader_prepare(s->runs, sql, -1, &why);
  while (runs && good && (step = brio_query_step(runs, &why)) == BRIO_STEP_ROW) {
    brio_value mark = brio_query_column(runs, 1);
    bool done = brio_query_column(runs, 2).as.integer != 0;
    good = add_run(s, brio_query_column(runs, 0).as.integer, &mark, done, err);
  }
  brio_query_end(runs);
  /* An error of the store is a gap, an error of the index ends the update. */
  return good && (step != BRIO_STEP_FAILED || note_gap(s, "runs", &why, err));
}

/* Remove runs whose numbers the store no longer has. */
static bool forget_gone(search *s, brio_error *err) {
  brio_query *known = brio_db_prepare(s->index, "SELECT id FROM runs", -1, err);
  /* Without this statement no run is removed: the store cannot tell which are gone. */
  brio_query *there = brio_reader_prepare(s->runs, "SELECT 1 FROM runs WHERE id = ?1", -1, NULL);
  bool good = known != NULL;
  while (good && there && brio_query_step(known, NULL) == BRIO_STEP_ROW) {
    brio_value id = brio_query_column(known, 0);
    if (number_of(there, &id, 1, 0) == 0) good = forget_run(s, id.as.integer, err);
  }
  brio_query_end(there);
  brio_query_end(known);
  return good;
}

/* Index the text of one version. A version that cannot be read is a gap. */
static bool add_version(search *s, brio_query *source, const brio_value *hash, brio_error *err) {
  bool good = true;
  brio_error why = {0};
  brio_query_bind(source, 1, hash);
  brio_step step = brio_query_step(source, &why);
  if (step == BRIO_STEP_FAILED) good = note_gap(s, "version", &why, err);
  if (step == BRIO_STEP_ROW) {
    brio_text text = words_of(source);
    brio_value values[] = {brio_value_text(text.bytes), brio_value_null(), brio_value_null(),
                           brio_value_text("version"), *hash};
    good = put(s->add, values, 5, err);
    brio_text_end(&text);
  }
  brio_query_reset(source);
  return good;
}

/* Index the texts of versions that the index lacks. Hashes are content addresses, so a text never changes. */
static bool add_versions(search *s, brio_error *err) {
  static const char sql[] = "SELECT hash, NULL, name, source FROM versions WHERE hash = ?1";
  brio_error why = {0};
  brio_step step = BRIO_STEP_FAILED;
  brio_query *hashes = brio_reader_prepare(s->runs, "SELECT hash FROM versions ORDER BY rowid", -1, &why);
  brio_query *source = hashes ? brio_reader_prepare(s->runs, sql, -1, &why) : NULL;
  /* The hash is new when its insertion returns a row. */
  brio_query *note =
      brio_db_prepare(s->index, "INSERT OR IGNORE INTO versions VALUES(?1) RETURNING 1", -1, err);
  bool good = note != NULL;
  while (source && good && (step = brio_query_step(hashes, &why)) == BRIO_STEP_ROW) {
    brio_value hash = brio_query_column(hashes, 0);
    /* RETURNING has a row only if the hash was inserted. */
    bool is_new = number_of(note, &hash, 1, 0) != 0;
    good = !is_new || add_version(s, source, &hash, err);
  }
  brio_query_end(source);
  brio_query_end(hashes);
  brio_query_end(note);
  return good && (step != BRIO_STEP_FAILED || note_gap(s, "version", &why, err));
}

/* Prepare the statements of the index, and those of the store as far as it has the tables. */
static bool prepare(search *s, brio_error *err) {
  const struct {
    brio_query **query;
    const char *sql;
  } own[] = {
      {&s->known, "SELECT CASE WHEN mark <> ?2 THEN 2 ELSE done END FROM runs WHERE id = ?1"},
      {&s->note_run, "INSERT OR REPLACE INTO runs VALUES(?1, ?2, ?3)"},
      {&s->last, "SELECT last FROM reached WHERE run = ?1 AND kind = ?2"},
      {&s->reach, "INSERT OR REPLACE INTO reached VALUES(?1, ?2, ?3)"},
      {&s->add, "INSERT INTO found(text, run, t, kind, row) VALUES(?1, ?2, ?3, ?4, ?5)"},
      {&s->gap, "INSERT OR IGNORE INTO gaps VALUES(?1, ?2)"},
  };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!(*own[i].query = brio_db_prepare(s->index, own[i].sql, -1, err))) return false;
  /* A missing table contains no words; one that cannot be read is a gap. */
  for (int i = 0; i < KINDS; i++) {
    brio_error why = {0};
    s->rows[i] = brio_reader_prepare(s->runs, kinds[i].sql, -1, &why);
    /* Older stores lack newer tables, which is no damage. */
    bool absent = !s->rows[i] && strstr(why.message, "no such table");
    if (!s->rows[i] && !absent && !note_gap(s, kinds[i].kind, &why, err)) return false;
  }
  return true;
}

/* Update the index in one transaction: other processes see the old index or the new one. */
static bool update(brio_db *runs, brio_db *index, brio_error *err) {
  /* Statements live for one update only. */
  search s = {.runs = runs, .index = index};
  /* Gaps are found again by each update. */
  bool good = brio_db_run(index, "BEGIN IMMEDIATE; DELETE FROM gaps", err) && prepare(&s, err) &&
              forget_gone(&s, err) && add_runs(&s, err) && add_versions(&s, err);
  brio_query *const own[] = {s.known, s.note_run, s.last, s.reach, s.add, s.gap};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) brio_query_end(own[i]);
  for (int i = 0; i < KINDS; i++) brio_query_end(s.rows[i]);
  /* Statements are finalized before COMMIT. */
  good = good && brio_db_run(index, "COMMIT", err);
  if (brio_db_in_transaction(index)) brio_db_run(index, "ROLLBACK", NULL);
  return good;
}

/* Open the index at `path` and update it. A database that is no index is not touched. NULL: `err` has the
** reason. */
static brio_db *open_index(const char *path, brio_db *runs, brio_error *err) {
  int64_t mark = 0, tables = 0;
  brio_db *index = brio_db_open(path, BRIO_DB_WRITE, err);
  if (!index) return NULL;
  bool good = brio_db_number(index, "PRAGMA application_id", &mark, err) &&
              brio_db_number(index, "SELECT count(*) FROM sqlite_master", &tables, err);
  /* A database without tables is a new file, which becomes an index. */
  if (good && mark != APPLICATION_ID && tables > 0)
    good = brio_fail(err, BRIO_IO, "%s is no index of brio", path);
  /* The index can be rebuilt at any time, so it need not survive a power cut: no syncs. */
  if (good && brio_db_run(index, "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY", err) &&
      brio_db_run(index, schema, err) && update(runs, index, err))
    return index;
  brio_db_close(index);
  return NULL;
}

/* Give the index the permissions of the store, since it contains the same words. */
static void guard(const char *index, const char *store) {
  struct stat status;
  /* A failure is ignored: the index is then as private as umask made it. */
  if (stat(store, &status) == 0) (void)!chmod(index, status.st_mode & 0666);
}

brio_db *brio_search_open(const char *path, brio_error *err) {
  brio_text name = {0};
  brio_error own = {0};
  brio_db *runs = brio_reader_open(path, err), *index = NULL;
  if (!runs) return NULL;
  brio_text_format(&name, "%s-search", path);
  /* The error of this attempt is dropped: the one in memory decides. */
  if (!name.failed) index = open_index(name.bytes, runs, &own);
  if (index) guard(name.bytes, path);
  /* Where no file can be created or used, build the index in memory for this search only. */
  if (!index) index = open_index(":memory:", runs, err);
  brio_text_end(&name);
  brio_db_close(runs);
  return index;
}
