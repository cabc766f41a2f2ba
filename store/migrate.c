/* Migrations are numbered and never change. user_version in the file's header is the number of migrations
** that the file has had; a store with a higher number, written by a newer version, is refused. */
#include "store/migrate.h"

#include <assert.h>
#include <stdio.h>

#include "store/reader.h"

/* Pages of 8 KiB, 2 MiB of them cached; a checkpoint when the write-ahead log has 512 pages (4 MiB). The page
** size takes effect only in a new file; the other settings in each connection. NORMAL: no commit waits for
** the disk; after a power cut the file is as it was after one of the last. */
static const char settings[] =
    "PRAGMA page_size = 8192; PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY;"
    "PRAGMA secure_delete = OFF; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 512;"
    "PRAGMA synchronous = NORMAL;"
    "PRAGMA journal_size_limit = 8388608;";

/* Length of a list that ends with NULL. */
static int64_t count_of(const char *const *list) {
  int64_t n = 0;
  while (list[n]) n++;
  return n;
}

bool brio_store_check(brio_db *db, int64_t *version, brio_error *err) {
  int64_t mark = 0, tables = 0, newest = count_of(brio_store_schema);
  *version = 0;
  /* Application id, version and tables distinguish a store from other databases and from an empty file. */
  if (!brio_db_number(db, "SELECT count(*) FROM sqlite_master", &tables, err) ||
      !brio_db_number(db, "PRAGMA application_id", &mark, err) ||
      !brio_db_number(db, "PRAGMA user_version", version, err))
    return false;
  /* Neither our mark nor an empty file: another program's database. */
  const char *path = brio_db_path(db);
  /* An empty file (no tables, id 0, version 0) is accepted: it becomes a store. */
  if (mark != BRIO_STORE_APPLICATION_ID && (mark != 0 || tables > 0 || *version != 0))
    return brio_fail(err, BRIO_IO, "%s is an SQLite database, but no run store of brio", path);
  /* A newer schema may keep rows in a way that this program would damage. */
  if (*version > newest)
    return brio_fail(err, BRIO_LIMIT,
                     "%s was made by a newer brio: its schema is version %lld, this brio knows up to %lld",
                     path, (long long)*version, (long long)newest);
  return true;
}

/* End a transaction: with `good` it is kept, else undone. */
static bool finish(brio_db *db, bool good, brio_error *err) {
  good = good && brio_db_run(db, "COMMIT", err);
  /* COMMIT itself may fail, so ask SQLite whether the transaction is still open. */
  if (brio_db_in_transaction(db)) brio_db_run(db, "ROLLBACK", NULL);
  return good;
}

/* Mark the file as a store that has had `number` migrations. */
static bool mark(brio_db *db, int64_t number, brio_error *err) {
  char sql[128];
  snprintf(sql, sizeof sql, "PRAGMA user_version = %lld; PRAGMA application_id = %d", (long long)number,
           BRIO_STORE_APPLICATION_ID);
  return brio_db_run(db, sql, err);
}

/* Run migration `number` (from 1), unless another process just did, in a transaction of its own. Version and
** application id change in the same transaction as the schema. */
static bool migrate_one(brio_db *db, int64_t number, const char *sql, brio_error *err) {
  assert(number > 0);
  int64_t version = 0;
  /* The version is read again under the write lock: two processes may open an old store at once. */
  if (!brio_db_run(db, "BEGIN IMMEDIATE", err)) return false;
  bool good = brio_db_number(db, "PRAGMA user_version", &version, err);
  if (good && version < number) good = brio_db_run(db, sql, err) && mark(db, number, err);
  return finish(db, good, err);
}

bool brio_store_migrate(brio_db *db, const char *const *schema, const char *const *names, brio_error *err) {
  int64_t version = 0;
  if (!brio_db_number(db, "PRAGMA user_version", &version, err)) return false;
  /* Migration i + 1 is at index i. */
  for (int64_t i = version; i < count_of(schema); i++)
    if (!migrate_one(db, i + 1, schema[i], err)) return brio_fail_in(err, "migration %s", names[i]);
  return true;
}

/* Replace a view. Views hold no data, so they are always those of this program. */
static bool make_view(brio_db *db, const char *name, const char *sql, brio_error *err) {
  char drop[256];
  /* Names are those of files in store/views and need no escapes. */
  snprintf(drop, sizeof drop, "DROP VIEW IF EXISTS \"%s\"", name);
  if (brio_db_run(db, drop, err) && brio_db_run(db, sql, err)) return true;
  return brio_fail_in(err, "view %s", name);
}

/* Whether the file has all views as they are in this program. */
static bool has_views(brio_db *db) {
  static const char same[] = "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND sql = ?1";
  brio_query *query = brio_db_prepare(db, same, -1, NULL);
  bool all = query != NULL;
  for (int i = 0; all && brio_store_views[i]; i++) {
    /* SQLite keeps the text of a view from its first word to its last. */
    brio_value sql = brio_value_text(brio_store_views[i]);
    all = brio_query_bind(query, 1, &sql) && brio_query_step(query, NULL) == BRIO_STEP_ROW;
    brio_query_reset(query);
  }
  brio_query_end(query);
  return all;
}

/* Replace all views in one transaction, so that readers see the old ones or the new ones; where they are
** these already, write nothing. */
bool brio_store_make_views(brio_db *db, brio_error *err) {
  if (has_views(db)) return true;
  if (!brio_db_run(db, "BEGIN IMMEDIATE", err)) return false;
  bool good = true;
  for (int i = 0; good && brio_store_views[i]; i++)
    good = make_view(db, brio_store_view_names[i], brio_store_views[i], err);
  return finish(db, good, err);
}

/* Run a list of statements that ends with NULL. */
static bool run_all(brio_db *db, const char *const *list, brio_error *err) {
  while (*list && brio_db_run(db, *list, err)) list++;
  return !*list;
}

bool brio_store_make_fresh(brio_db *db, brio_error *err) {
  int64_t version = 0;
  /* Under the write lock: another process may have made it just now. */
  if (!brio_db_run(db, "BEGIN IMMEDIATE", err)) return false;
  bool good = brio_db_number(db, "PRAGMA user_version", &version, err);
  if (good && version == 0)
    good = run_all(db, brio_store_fresh, err) && run_all(db, brio_store_views, err) &&
           mark(db, count_of(brio_store_schema), err);
  return finish(db, good, err);
}

/* Errors close the connection; the file keeps the migrations that were committed. */
brio_db *brio_store_open_file(const char *path, brio_error *err) {
  int64_t version = 0;
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, err);
  if (!db) return NULL;
  /* In order: check that it is a store, its settings, its schema, its views, the tables over packed rows. */
  if (brio_store_check(db, &version, err) && brio_db_run(db, settings, err) &&
      (version > 0 || brio_store_make_fresh(db, err)) &&
      brio_store_migrate(db, brio_store_schema, brio_store_schema_names, err) &&
      brio_store_make_views(db, err) && brio_db_unpack(db, err))
    return db;
  brio_db_close(db);
  return NULL;
}

/* Open it as a reader first, which refuses what is no store and creates nothing. */
brio_db *brio_store_open_to_change(const char *path, brio_error *err) {
  brio_db *db = brio_reader_open(path, err);
  if (!db) return NULL;
  brio_db_close(db);
  /* Opened again for writing; the file exists. */
  db = brio_store_open_file(path, err);
  /* FULL: changes by people must survive a power cut. */
  if (!db || brio_db_run(db, "PRAGMA synchronous = FULL", err)) return db;
  brio_db_close(db);
  return NULL;
}
