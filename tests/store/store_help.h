/* Shared by the store's tests: a folder of their own and short functions to write and query. */
#ifndef BRIO_TESTS_STORE_HELP_H
#define BRIO_TESTS_STORE_HELP_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/reader.h"
#include "store/store.h"
#include "tests/check.h"

/* A path in a folder made for this program; files of an earlier test there are removed. */
static inline const char *help_path(const char *name) {
  static char folder[256], path[512];
  const char *base = getenv("TMPDIR");
  if (!folder[0]) {
    snprintf(folder, sizeof folder, "%s/brio-store-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(folder)) return NULL;
  }
  static const char *const ends[] = {"", "-wal", "-shm"};
  for (int i = 2; i >= 0; i--) {
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ends[i]);
    unlink(path);
  }
  return path;
}

/* Begin a run of `ndof` DOFs "dof0", "dof1", ... on the robot "toy". */
static inline int64_t help_begin(brio_store *store, int ndof) {
  static const char *const columns[] = {"robot", "seed"};
  static const char *const names[] = {"dof0", "dof1", "dof2", "dof3"};
  static const char *const units[] = {"rad", "rad", "m", "rad"};
  brio_error err = {0};
  brio_value values[] = {brio_value_text("toy"), brio_value_integer(7)};
  int64_t run = brio_store_begin(store, columns, values, 2, &err);
  CHECK(run > 0, "%s", err.message);
  CHECK(brio_store_dofs(store, names, units, NULL, ndof, &err), "%s", err.message);
  return run;
}

static inline bool help_event(brio_store *store, int64_t tick, const char *name) {
  brio_value row[] = {brio_value_integer(tick), brio_value_real((double)tick / 200), brio_value_text(name),
                      brio_value_text("test"), brio_value_null(), brio_value_null(), brio_value_null()};
  return brio_store_put(store, brio_store_table_find("events"), row, 7);
}

/* All rows of a query as text: values by '|', rows by newline.  The caller frees it. */
static inline char *help_ask(brio_db *db, const char *sql) {
  char *out = NULL;
  size_t size = 0;
  brio_error err = {0};
  FILE *file = open_memstream(&out, &size);
  brio_query *query = brio_reader_prepare(db, sql, -1, &err);
  while (query && brio_query_step(query, &err) == BRIO_STEP_ROW) {
    for (int i = 0; i < brio_query_columns(query); i++) {
      brio_value v = brio_query_column(query, i);
      if (i) fputc('|', file);
      if (v.type == BRIO_VALUE_INTEGER) fprintf(file, "%lld", (long long)v.as.integer);
      if (v.type == BRIO_VALUE_REAL) fprintf(file, "%.17g", v.as.real);
      if (v.type == BRIO_VALUE_TEXT) fwrite(v.as.text.bytes, 1, v.as.text.length, file);
    }
    fputc('\n', file);
  }
  if (err.message[0]) fprintf(file, "error: %s", err.message);
  brio_query_end(query);
  fclose(file);
  return out;
}

/* Fail unless the query returns exactly `expected`. */
#define HELP_ASK(db, sql, expected)                                            \
  do {                                                                         \
    char *help_answer = help_ask(db, sql);                                     \
    CHECK(strcmp(help_answer, expected) == 0, "%s: '%s'", sql, help_answer);   \
    free(help_answer);                                                         \
  } while (0)

#endif
