/* A store in WAL mode needs a file in its folder even for reading. Where the folder forbids that and no log
** is left, the file is complete and is read as immutable. */
#include "store/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/migrate.h"

/* Whether `path` is a regular file that can be read; if not, `err` has the reason. */
static bool readable(const char *path, brio_error *err) {
  struct stat status;
  if (stat(path, &status) != 0 || access(path, R_OK) != 0)
    return brio_fail(err, errno == ENOENT || errno == ENOTDIR ? BRIO_NO_FILE : BRIO_IO, "cannot open %s: %s",
                     path, strerror(errno));
  if (!S_ISREG(status.st_mode))
    return brio_fail(err, BRIO_NO_FILE, "%s is no file, a run store was expected", path);
  return true;
}

/* Open in one mode and check that it is a store in which a run was recorded. NULL: `err` has the reason. */
static brio_db *open_as(const char *path, brio_db_mode mode, brio_error *err) {
  int64_t version = 0;
  brio_db *db = brio_db_open(path, mode, err);
  bool good = db && brio_store_check(db, &version, err);
  /* An empty file is a valid database, but has no tables to query. */
  if (good && version == 0)
    good = brio_fail(err, BRIO_IO, "%s is empty: no run was ever recorded in it", path);
  good = good && brio_db_unpack(db, err);
  if (good) return db;
  brio_db_close(db);
  return NULL;
}

brio_db *brio_reader_open(const char *path, brio_error *err) {
  char log[4096];
  brio_error own = {0};
  if (!readable(path, err)) return NULL;
  /* Errors go to `own`, as the second attempt depends on the cause. */
  brio_db *db = open_as(path, BRIO_DB_READ, &own);
  /* A log that is left has committed rows that the file itself lacks. */
  snprintf(log, sizeof log, "%s-wal", path);
  /* No file could be created next to the store, and no log is left: the file has all committed rows. */
  if (!db && own.code == BRIO_NO_FILE && access(log, F_OK) != 0) db = open_as(path, BRIO_DB_IMMUTABLE, &own);
  if (!db && err) *err = own;
  return db;
}

/* SQLite itself reports whether a statement writes; the words of the SQL do not matter. */
brio_query *brio_reader_prepare(brio_db *db, const char *sql, int length, brio_error *err) {
  brio_query *query = brio_db_prepare(db, sql, length, err);
  if (!query || brio_query_reads_only(query)) return query;
  brio_fail(err, BRIO_FORMAT, "this SQL would change the store, and %s is open for reading only",
            brio_db_path(db));
  brio_query_end(query);
  return NULL;
}
