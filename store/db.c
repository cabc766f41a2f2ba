/* SQLite behind store/db.h. The table `causes` maps its result codes to ours. A message consists of the
** file's name, SQLite's message, the system's if a file was the cause, and a hint from `hints` on what to
** do. */
#include "store/db.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "store/packing/packed.h"

struct brio_db {
  sqlite3 *handle;
  char *path;
  double limit;     /* s that statements may take in all */
  int64_t deadline; /* ns of the monotonic clock; 0: none */
};

/* A prepared statement; it must end before its connection. */
struct brio_query {
  sqlite3_stmt *statement;
  brio_db *db;
};

/* Whether the deadline of statements has passed. */
static bool is_late(const brio_db *db) { return db->deadline && brio_clock_monotonic() > db->deadline; }

/* By the extended code or the plain one; all other codes are io. */
static const struct {
  int result;
  brio_code code;
} causes[] = {
    {SQLITE_NOMEM, BRIO_NO_MEMORY}, {SQLITE_INTERRUPT, BRIO_LIMIT}, {SQLITE_CANTOPEN, BRIO_NO_FILE},
    {SQLITE_PERM, BRIO_NO_FILE},    {SQLITE_ERROR, BRIO_FORMAT},    {SQLITE_CONSTRAINT, BRIO_FORMAT},
    {SQLITE_MISMATCH, BRIO_FORMAT}, {SQLITE_RANGE, BRIO_FORMAT},    {SQLITE_TOOBIG, BRIO_FORMAT},
    {SQLITE_AUTH, BRIO_FORMAT},     {SQLITE_READONLY_DIRECTORY, BRIO_NO_FILE},
};

/* Hints that follow SQLite's message, by the extended code or the plain one. */
static const struct {
  int result;
  const char *words;
} hints[] = {
    {SQLITE_READONLY_ROLLBACK,
     ": its writer was killed in the midst of a change; recording a run in it puts that right"},
    {SQLITE_READONLY_DIRECTORY,
     ": its folder is write-protected, and reading it with its log of writes needs a file there"},
    {SQLITE_CORRUPT, ": the file is damaged; `sqlite3 FILE .recover` can save intact rows"},
    {SQLITE_NOTADB, ": its first page is none of a store's"},
    {SQLITE_BUSY, ": another program has been writing it for long"},
};

/* The first hint for a result; "" if there is none. */
static const char *hint_of(int result) {
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (hints[i].result == result || hints[i].result == (result & 0xff)) return hints[i].words;
  return "";
}

/* Set `err` from the result of the last call; return false. */
static bool fail(const brio_db *db, int result, brio_error *err) {
  /* An interrupt after the deadline is the time limit's; else someone called brio_db_interrupt. */
  if ((result & 0xff) == SQLITE_INTERRUPT && is_late(db))
    return brio_fail(err, BRIO_LIMIT, "%s: the query took longer than %g s and was stopped", db->path,
                     db->limit);
  /* The last match wins: extended codes are after the plain ones that they belong to. */
  brio_code code = BRIO_IO;
  for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
    if (causes[i].result == result || causes[i].result == (result & 0xff)) code = causes[i].code;
  /* The system's message only where a file can be the cause: errno may be left from earlier calls. */
  int system = sqlite3_system_errno(db->handle);
  bool file = code == BRIO_IO || code == BRIO_NO_FILE;
  return brio_fail(err, code, "%s: %s%s%s%s%s", db->path, sqlite3_errmsg(db->handle),
                   file && system ? " (" : "", file && system ? strerror(system) : "",
                   file && system ? ")" : "", hint_of(result));
}

/* Return the URI "file:<path, escaped>?immutable=1"; NULL without memory. */
static char *immutable_name(const char *path) {
  brio_text name = {0};
  brio_text_format(&name, "file:");
  /* These three characters would end or change the path in a URI. */
  for (const char *c = path; *c; c++) brio_text_format(&name, strchr("%?#", *c) ? "%%%02X" : "%c", *c);
  brio_text_format(&name, "?immutable=1");
  if (name.failed) brio_text_end(&name);
  return name.bytes;
}

/* Report that a file cannot be created for want of permission in its folder; SQLite's own message would be
** about reading it. Return false if that is not the cause. */
static bool may_not_make(const char *path, brio_error *err) {
  const char *slash = strrchr(path, '/');
  /* The folder of "/name" is "/", of a plain name the current one. */
  char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
  bool denied = folder && access(path, F_OK) != 0 && access(folder, W_OK | X_OK) != 0 && errno == EACCES;
  if (denied)
    brio_fail(err, BRIO_IO, "%s: cannot be made: no permission to write in the folder %s", path, folder);
  free(folder);
  return denied;
}

/* Open db->path. A connection is used by one thread at a time, so SQLite needs no mutex (NOMUTEX). The result
** is SQLite's. */
static int open_handle(brio_db *db, brio_db_mode mode) {
  static const int flags[] = {
      [BRIO_DB_READ] = SQLITE_OPEN_READONLY,
      [BRIO_DB_WRITE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      [BRIO_DB_IMMUTABLE] = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI};
  if (mode != BRIO_DB_IMMUTABLE)
    return sqlite3_open_v2(db->path, &db->handle, flags[mode] | SQLITE_OPEN_NOMUTEX, NULL);
  /* Only the URI form of a path can mark a file as immutable. */
  char *name = immutable_name(db->path);
  if (!name) return SQLITE_NOMEM;
  int result = sqlite3_open_v2(name, &db->handle, flags[mode] | SQLITE_OPEN_NOMUTEX, NULL);
  free(name);
  return result;
}

brio_db *brio_db_open(const char *path, brio_db_mode mode, brio_error *err) {
  /* calloc: every field that is not reached below is NULL, as brio_db_close needs it. */
  brio_db *db = calloc(1, sizeof *db);
  if (!path[0]) brio_fail(err, BRIO_NO_FILE, "the store's path is empty, a file name was expected");
  else if (!db || !(db->path = strdup(path))) brio_fail(err, BRIO_NO_MEMORY, "no memory to open %s", path);
  else {
    int result = open_handle(db, mode);
    /* Extended codes tell causes apart. 2 s is the longest wait for the lock of another program. Without
    ** memory there is no handle. */
    if (db->handle) {
      sqlite3_extended_result_codes(db->handle, 1);
      sqlite3_busy_timeout(db->handle, 2000);
    }
    /* SQLite opens a write-protected file for reading without an error. */
    if (result == SQLITE_OK && mode == BRIO_DB_WRITE && sqlite3_db_readonly(db->handle, "main") == 1)
      brio_fail(err, BRIO_IO, "%s: the file is write-protected", path);
    else if (result == SQLITE_OK) return db;
    else if (mode != BRIO_DB_WRITE || !may_not_make(path, err)) fail(db, result, err);
  }
  brio_db_close(db);
  return NULL;
}

void brio_db_close(brio_db *db) {
  if (!db) return;
  /* NULL is allowed; a query that was not ended would keep the connection open. */
  sqlite3_close(db->handle);
  free(db->path);
  free(db);
}

bool brio_db_run(brio_db *db, const char *sql, brio_error *err) {
  int result = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
  return result == SQLITE_OK || fail(db, result, err);
}

bool brio_db_copy(brio_db *from, brio_db *to, brio_error *err) {
  /* All pages in one step: one snapshot, and no restart when the source is written to. */
  sqlite3_backup *copy = sqlite3_backup_init(to->handle, "main", from->handle, "main");
  /* The second argument would be the source's name within a connection; errors are the target's. */
  if (!copy) return fail(to, sqlite3_errcode(to->handle), err);
  /* An error of the step is reported by finish, too. */
  sqlite3_backup_step(copy, -1);
  int result = sqlite3_backup_finish(copy);
  if (result == SQLITE_OK) return true;
  return brio_fail(err, (result & 0xff) == SQLITE_NOMEM ? BRIO_NO_MEMORY : BRIO_IO,
                   "cannot copy %s to %s: %s", from->path, to->path, sqlite3_errstr(result));
}

bool brio_db_unpack(brio_db *db, brio_error *err) {
  /* First the tables themselves, then the temporary one over an old store's view. */
  int result = brio_packed_register(db->handle);
  if (result == SQLITE_OK) result = brio_packed_shadow(db->handle);
  return result == SQLITE_OK || fail(db, result, err);
}

/* SQLite's own state, as an error may have ended the transaction. */
bool brio_db_in_transaction(const brio_db *db) { return !sqlite3_get_autocommit(db->handle); }

int64_t brio_db_last_id(const brio_db *db) { return sqlite3_last_insert_rowid(db->handle); }

const char *brio_db_path(const brio_db *db) { return db->path; }

/* The only call that another thread may make. */
void brio_db_interrupt(brio_db *db) { sqlite3_interrupt(db->handle); }

/* SQLite calls this after every STEPS instructions of its program; a result other than 0 ends the
** statement. */
static int look_at_clock(void *context) { return is_late(context); }

void brio_db_limit(brio_db *db, double seconds) {
  enum { STEPS = 1000 }; /* of SQLite's program between two looks: some microseconds */
  db->limit = seconds;
  /* The limit counts from now on, over all statements together. */
  db->deadline = brio_clock_monotonic() + (int64_t)(seconds * 1e9);
  sqlite3_progress_handler(db->handle, STEPS, look_at_clock, db);
}

/* Whether `sql` contains a statement: blanks and comments prepare to NULL. Invalid SQL counts as one. */
static bool holds_statement(brio_db *db, const char *sql, int length) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(db->handle, sql, length, &statement, NULL) != SQLITE_OK) return true;
  sqlite3_finalize(statement);
  return statement != NULL;
}

brio_query *brio_db_prepare(brio_db *db, const char *sql, int length, brio_error *err) {
  const char *rest = sql;
  /* -1: the whole text. */
  if (length < 0) length = (int)strlen(sql);
  brio_query *query = calloc(1, sizeof *query);
  if (!query) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a statement");
    return NULL;
  }
  /* For messages, which need the path and the deadline. */
  query->db = db;
  /* Exactly one statement: SQLite would silently ignore what follows it. */
  int result = sqlite3_prepare_v2(db->handle, sql, length, &query->statement, &rest);
  if (result != SQLITE_OK) fail(db, result, err);
  else if (!query->statement) brio_fail(err, BRIO_FORMAT, "the SQL is empty, one statement was expected");
  else if (holds_statement(db, rest, length - (int)(rest - sql)))
    brio_fail(err, BRIO_FORMAT, "the SQL has more than one statement, expected one");
  else return query;
  brio_query_end(query);
  return NULL;
}

/* By what SQLite compiled, not by the words of the SQL. */
bool brio_query_reads_only(const brio_query *query) { return sqlite3_stmt_readonly(query->statement); }

int brio_query_parameters(const brio_query *query) { return sqlite3_bind_parameter_count(query->statement); }

/* The three marks of a named parameter in SQLite, in this order. */
int brio_query_parameter(const brio_query *query, const char *name) {
  char marked[128];
  for (const char *mark = ":@$"; *mark; mark++) {
    /* A name of over 126 characters is cut, and not found. */
    snprintf(marked, sizeof marked, "%c%s", *mark, name);
    int index = sqlite3_bind_parameter_index(query->statement, marked);
    if (index) return index;
  }
  return 0;
}

/* Bind a text; SQLITE_STATIC: the caller's bytes must live until the query is reset. Bytes that are not UTF-8
** are replaced, as other programs could not read such a row. */
static bool bind_text(sqlite3_stmt *s, int index, const char *bytes, size_t length) {
  if (brio_text_utf8(bytes, length) == length)
    return sqlite3_bind_text64(s, index, bytes, length, SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
  brio_text mended = {0};
  /* SQLite frees the repaired text. */
  brio_text_add_utf8(&mended, bytes, length);
  if (!mended.failed)
    return sqlite3_bind_text64(s, index, mended.bytes, mended.length, free, SQLITE_UTF8) == SQLITE_OK;
  brio_text_end(&mended);
  return false;
}

bool brio_query_bind(brio_query *query, int index, const brio_value *value) {
  assert(index >= 1);
  sqlite3_stmt *s = query->statement;
  switch (value->type) {
    case BRIO_VALUE_INTEGER: return sqlite3_bind_int64(s, index, value->as.integer) == SQLITE_OK;
    case BRIO_VALUE_REAL: return sqlite3_bind_double(s, index, value->as.real) == SQLITE_OK;
    case BRIO_VALUE_TEXT: return bind_text(s, index, value->as.text.bytes, value->as.text.length);
    /* SQLITE_STATIC: SQLite reads the caller's bytes when the query is stepped. */
    case BRIO_VALUE_BLOB:
      return sqlite3_bind_blob64(s, index, value->as.text.bytes, value->as.text.length, SQLITE_STATIC) ==
             SQLITE_OK;
    /* BRIO_VALUE_NULL. */
    default: return sqlite3_bind_null(s, index) == SQLITE_OK;
  }
}

brio_step brio_query_step(brio_query *query, brio_error *err) {
  int result = sqlite3_step(query->statement);
  if (result == SQLITE_ROW) return BRIO_STEP_ROW;
  if (result == SQLITE_DONE) return BRIO_STEP_DONE;
  /* The caller resets or ends a query that failed. */
  fail(query->db, result, err);
  return BRIO_STEP_FAILED;
}

int brio_query_columns(const brio_query *query) { return sqlite3_column_count(query->statement); }

const char *brio_query_column_name(const brio_query *query, int column) {
  const char *name = sqlite3_column_name(query->statement, column);
  return name ? name : "";
}

brio_value brio_query_column(const brio_query *query, int column) {
  assert(column >= 0 && column < sqlite3_column_count(query->statement));
  sqlite3_stmt *s = query->statement;
  /* The type must be read before a conversion changes it. */
  int type = sqlite3_column_type(s, column);
  if (type == SQLITE_INTEGER) return brio_value_integer(sqlite3_column_int64(s, column));
  if (type == SQLITE_FLOAT) return brio_value_real(sqlite3_column_double(s, column));
  if (type == SQLITE_NULL) return brio_value_null();
  /* Both pointers are valid until the next step of the query. */
  const void *bytes = type == SQLITE_TEXT ? sqlite3_column_text(s, column) : sqlite3_column_blob(s, column);
  brio_value value = {.type = BRIO_VALUE_TEXT};
  value.as.text.bytes = bytes ? bytes : "";
  /* The length must be read after the bytes, in SQLite's order. */
  value.as.text.length = bytes ? (size_t)sqlite3_column_bytes(s, column) : 0;
  return value;
}

void brio_query_reset(brio_query *query) { sqlite3_reset(query->statement); }

bool brio_query_run(brio_query *query, const brio_value *values, int count, brio_error *err) {
  /* Bind all values before an error of one is reported: else values of the last row would be left. */
  bool bound = true;
  for (int i = 0; i < count; i++) bound = brio_query_bind(query, i + 1, &values[i]) && bound;
  int result = sqlite3_step(query->statement);
  bool good = result == SQLITE_DONE || result == SQLITE_ROW || fail(query->db, result, err);
  /* Reset at once: a statement that is not reset holds its lock. */
  sqlite3_reset(query->statement);
  if (good && !bound) return brio_fail(err, BRIO_FORMAT, "%s: a value could not be bound", query->db->path);
  return good;
}

void brio_query_end(brio_query *query) {
  if (!query) return;
  sqlite3_finalize(query->statement);
  free(query);
}

bool brio_db_number(brio_db *db, const char *sql, int64_t *number, brio_error *err) {
  brio_query *query = brio_db_prepare(db, sql, -1, err);
  if (!query) return false;
  brio_step step = brio_query_step(query, err);
  brio_value value = step == BRIO_STEP_ROW ? brio_query_column(query, 0) : brio_value_null();
  /* NULL, a text or no row leave `number` as it was. */
  if (value.type == BRIO_VALUE_INTEGER) *number = value.as.integer;
  /* Sums in SQL may be real; rounded to the nearest integer. */
  if (value.type == BRIO_VALUE_REAL) *number = llrint(value.as.real);
  brio_query_end(query);
  return step != BRIO_STEP_FAILED;
}
