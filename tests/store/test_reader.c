/* Reading: values keep their types and bits, wrong SQL gives an error message, nothing can be written, a run
** is readable while it is being recorded, and an endless query can be interrupted. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "tests/store/store_help.h"

/* A store with one run and three events, closed. */
static const char *small_store(const char *name) {
  brio_error err = {0};
  const char *path = help_path(name);
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return path;
  help_begin(store, 1);
  for (int i = 1; i <= 3; i++) help_event(store, i, "ping");
  brio_store_end(store, NULL, NULL, 0, &err);
  CHECK(brio_store_close(store, &err), "%s", err.message);
  return path;
}

static void test_types_are_exact(void) {
  brio_error err = {0};
  brio_db *db = brio_reader_open(small_store("types.db"), &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  brio_query *query = brio_reader_prepare(db,
                                          "SELECT 9007199254740993 AS big, 0.1 AS tenth,"
                                          " 'a' || char(0) || 'b' AS text, NULL AS none, :x AS given",
                                          -1, &err);
  CHECK(query && brio_query_parameters(query) == 1, "%s", err.message);
  CHECK(brio_query_parameter(query, "x") == 1, "the parameter's number");
  CHECK(brio_query_parameter(query, "y") == 0, "no such parameter");
  brio_value given = brio_value_text("it");
  CHECK(brio_query_bind(query, 1, &given) && !brio_query_bind(query, 2, &given), "bind");
  CHECK(brio_query_step(query, &err) == BRIO_STEP_ROW && brio_query_columns(query) == 5, "%s", err.message);
  CHECK(strcmp(brio_query_column_name(query, 1), "tenth") == 0, "name");
  CHECK(brio_query_column(query, 0).as.integer == 9007199254740993, "an integer past 2^53");
  CHECK(brio_query_column(query, 1).as.real == 0.1, "a real");
  brio_value text = brio_query_column(query, 2);
  CHECK(text.as.text.length == 3 && memcmp(text.as.text.bytes, "a\0b", 3) == 0, "a text with a zero in it");
  CHECK(brio_query_column(query, 3).type == BRIO_VALUE_NULL, "null");
  CHECK(brio_query_column(query, 4).as.text.length == 2, "a parameter");
  CHECK(brio_query_step(query, &err) == BRIO_STEP_DONE, "%s", err.message);
  brio_query_end(query);
  brio_db_close(db);
}

static void test_wrong_sql_is_a_sentence(void) {
  static const char *const wrong[][2] = {
      {"SELEC 1", "near \"SELEC\": syntax error"},
      {"SELECT absent FROM runs", "no such column: absent"},
      {"", "the SQL is empty"},
      {"  -- only a comment", "the SQL is empty"},
      {"SELECT 1; SELECT 2", "more than one statement"},
      {"SELECT 1; nonsense", "more than one statement"},
      {"DELETE FROM runs", "would change the store"},
      {"CREATE TABLE mine(x)", "would change the store"},
      {"UPDATE runs SET robot = 'x'", "would change the store"},
      {"VACUUM", "would change the store"},
  };
  brio_error err = {0};
  brio_db *db = brio_reader_open(small_store("wrong_sql.db"), &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    brio_query *query = brio_reader_prepare(db, wrong[i][0], -1, &err);
    CHECK(!query && err.code == BRIO_FORMAT, "%s", wrong[i][0]);
    CHECK_HAS(err.message, wrong[i][1]);
    brio_query_end(query);
  }
  HELP_ASK(db, "SELECT count(*) FROM events; ", "3\n");
  HELP_ASK(db, "SELECT count(*) FROM events; -- all of them", "3\n");
  brio_db_close(db);
}

static void test_files_that_are_not_there(void) {
  brio_error err = {0};
  CHECK(!brio_reader_open(help_path("absent.db"), &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  CHECK_HAS(err.message, "No such file");
  CHECK(!brio_reader_open("/", &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  CHECK(!brio_reader_open("", &err) && err.code == BRIO_NO_FILE, "%s", err.message);
}

static void test_reads_while_it_is_written(void) {
  brio_error err = {0};
  const char *path = help_path("live.db");
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 1);
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  help_event(store, 1, "ping");
  char *seen = help_ask(db, "SELECT count(*) FROM events");
  CHECK_AWAIT(strcmp(seen, "1\n") == 0, (free(seen), seen = help_ask(db, "SELECT count(*) FROM events")),
              "it counts %s events", seen);
  free(seen);
  brio_db_close(db);
  CHECK(brio_store_close(store, &err), "%s", err.message);
}

static atomic_bool over;

/* Interrupt until it ends: an interrupt while no query runs has no effect. */
static void *keep_interrupting(void *db) {
  while (!atomic_load(&over)) {
    usleep(10000);
    brio_db_interrupt(db);
  }
  return NULL;
}

static void test_endless_query_is_interrupted(void) {
  pthread_t thread;
  brio_error err = {0};
  brio_db *db = brio_reader_open(small_store("endless.db"), &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  brio_query *query = brio_reader_prepare(
      db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", -1, &err);
  CHECK(query, "%s", err.message);
  pthread_create(&thread, NULL, keep_interrupting, db);
  CHECK(brio_query_step(query, &err) == BRIO_STEP_FAILED && err.code == BRIO_LIMIT, "%s", err.message);
  CHECK_HAS(err.message, "interrupted");
  atomic_store(&over, true);
  pthread_join(thread, NULL);
  brio_query_end(query);
  HELP_ASK(db, "SELECT 1", "1\n");
  brio_db_close(db);
}

static void test_endless_query_has_a_limit(void) {
  brio_error err = {0};
  brio_db *db = brio_reader_open(small_store("limit.db"), &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  brio_db_limit(db, 0.02);
  brio_query *query = brio_reader_prepare(
      db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", -1, &err);
  CHECK(query, "%s", err.message);
  CHECK(brio_query_step(query, &err) == BRIO_STEP_FAILED && err.code == BRIO_LIMIT, "%s", err.message);
  CHECK_HAS(err.message, "the query took longer than 0.02 s and was stopped");
  brio_query_end(query);
  brio_db_limit(db, 3600);
  HELP_ASK(db, "SELECT 1", "1\n");
  brio_db_close(db);
}

static void test_reads_a_store_as_it_lies_there(void) {
  brio_error err = {0};
  brio_db *db = brio_db_open(small_store("what?100%#.db"), BRIO_DB_IMMUTABLE, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  HELP_ASK(db, "SELECT count(*) FROM events", "3\n");
  CHECK(!brio_db_run(db, "DELETE FROM events", &err), "immutable");
  brio_db_close(db);
}

/* Where no file can be created beside the store, it is read in place. */
static void test_reads_in_a_protected_folder(void) {
  char path[512], folder[512];
  brio_error err = {0};
  brio_db *db = NULL;
  if (geteuid() == 0) SKIP("the superuser may write everywhere");
  snprintf(path, sizeof path, "%s", small_store("protected.db"));
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = 0;
  chmod(folder, 0555);
  db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  if (db) HELP_ASK(db, "SELECT count(*) FROM events", "3\n");
  brio_db_close(db);
  chmod(folder, 0755);
}

CHECK_SUITE(CHECK_TEST(test_types_are_exact), CHECK_TEST(test_wrong_sql_is_a_sentence),
            CHECK_TEST(test_files_that_are_not_there), CHECK_TEST(test_reads_while_it_is_written),
            CHECK_TEST(test_endless_query_is_interrupted), CHECK_TEST(test_endless_query_has_a_limit),
            CHECK_TEST(test_reads_a_store_as_it_lies_there), CHECK_TEST(test_reads_in_a_protected_folder))
