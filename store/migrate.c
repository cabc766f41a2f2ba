/* Migrations are numbered files that only ever grow in number; user_version in the file's
** header says how many it has seen.  A store from the future is refused rather than guessed at. */
#include "store/migrate.h"

#include <stdio.h>

#include "store/reader.h"

/* Pages of 8 KiB, 2 MiB of them in memory; the log of writes is folded into the file at 4 MiB. */
static const char settings[] =
    "PRAGMA page_size = 8192; PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY;"
    "PRAGMA secure_delete = OFF; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 512;"
    "PRAGMA journal_size_limit = 8388608;";

static int64_t count_of(const char *const *list) {
  int64_t n = 0;
  while (list[n]) n++;
  return n;
}

bool brio_store_check(brio_db *db, int64_t *version, brio_error *err) {
  int64_t mark = 0, tables = 0, newest = count_of(brio_store_schema);
  *version = 0;
  if (!brio_db_number(db, "SELECT count(*) FROM sqlite_master", &tables, err) ||
      !brio_db_number(db, "PRAGMA application_id", &mark, err) ||
      !brio_db_number(db, "PRAGMA user_version", version, err))
    return false;
  const char *path = brio_db_path(db);
  if (mark != BRIO_STORE_APPLICATION_ID && (mark != 0 || tables > 0 || *version != 0))
    return brio_fail(err, BRIO_IO, "%s is an SQLite database, but no run store of brio", path);
  if (*version > newest)
    return brio_fail(err, BRIO_LIMIT,
                     "%s was made by a newer brio: its schema is version %lld, this brio knows up to %lld",
                     path, (long long)*version, (long long)newest);
  return true;
}

/* Run migration number `number` (from 1) unless another process just did. */
static bool migrate_one(brio_db *db, int64_t number, const char *sql, brio_error *err) {
  char mark[128];
  int64_t version = 0;
  snprintf(mark, sizeof mark, "PRAGMA user_version = %lld; PRAGMA application_id = %d", (long long)number,
           BRIO_STORE_APPLICATION_ID);
  if (!brio_db_run(db, "BEGIN IMMEDIATE", err)) return false;
  bool good = brio_db_number(db, "PRAGMA user_version", &version, err);
  if (good && version < number) good = brio_db_run(db, sql, err) && brio_db_run(db, mark, err);
  good = good && brio_db_run(db, "COMMIT", err);
  if (brio_db_in_transaction(db)) brio_db_run(db, "ROLLBACK", NULL);
  return good;
}

bool brio_store_migrate(brio_db *db, const char *const *schema, const char *const *names, brio_error *err) {
  int64_t version = 0;
  if (!brio_db_number(db, "PRAGMA user_version", &version, err)) return false;
  for (int64_t i = version; i < count_of(schema); i++)
    if (!migrate_one(db, i + 1, schema[i], err)) return brio_fail_in(err, "migration %s", names[i]);
  return true;
}

static bool make_view(brio_db *db, const char *name, const char *sql, brio_error *err) {
  char drop[256];
  snprintf(drop, sizeof drop, "DROP VIEW IF EXISTS \"%s\"", name);
  if (brio_db_run(db, drop, err) && brio_db_run(db, sql, err)) return true;
  return brio_fail_in(err, "view %s", name);
}

bool brio_store_make_views(brio_db *db, brio_error *err) {
  if (!brio_db_run(db, "BEGIN IMMEDIATE", err)) return false;
  bool good = true;
  for (int i = 0; good && brio_store_views[i]; i++)
    good = make_view(db, brio_store_view_names[i], brio_store_views[i], err);
  good = good && brio_db_run(db, "COMMIT", err);
  if (brio_db_in_transaction(db)) brio_db_run(db, "ROLLBACK", NULL);
  return good;
}

brio_db *brio_store_open_file(const char *path, brio_error *err) {
  int64_t version = 0;
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, err);
  if (!db) return NULL;
  if (brio_store_check(db, &version, err) && brio_db_run(db, settings, err) &&
      brio_store_migrate(db, brio_store_schema, brio_store_schema_names, err) &&
      brio_store_make_views(db, err) && brio_db_unpack(db, err))
    return db;
  brio_db_close(db);
  return NULL;
}

brio_db *brio_store_open_to_change(const char *path, brio_error *err) {
  brio_db *db = brio_reader_open(path, err);
  if (!db) return NULL;
  brio_db_close(db);
  db = brio_store_open_file(path, err);
  if (!db || brio_db_run(db, "PRAGMA synchronous = FULL", err)) return db;
  brio_db_close(db);
  return NULL;
}
