/* The index of words: it follows the store, drops words that the store has dropped, and
** also works in memory. */
#include "store/search.h"

#include <sys/stat.h>

#include "tests/store/store_help.h"

/* Add a run with a note to the store at `path`. */
static void add_run(const char *path, const char *note) {
  brio_error err = {0};
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 1);
  brio_value row[] = {brio_value_real(0.5), brio_value_text(note)};
  brio_store_put(store, brio_store_table_find("notes"), row, 2);
  help_event(store, 1, "door_opened");
  brio_store_version(store, "door.lua", "-- turns the knob", 17, NULL, 0, (char[65]){0}, &err);
  const char *const columns[] = {"outcome"};
  brio_store_end(store, columns, (brio_value[]){brio_value_text("finished")}, 1, &err);
  CHECK(brio_store_close(store, &err), "%s", err.message);
}

/* Compare the results of a store's index with the expected ones: "kind|run" of each. */
static void expect(const char *path, const char *words, const char *expected) {
  char sql[256];
  brio_error err = {0};
  brio_db *index = brio_search_open(path, &err);
  CHECK(index, "%s", err.message);
  if (!index) return;
  snprintf(sql, sizeof sql, "SELECT kind, run FROM found WHERE found MATCH '%s' ORDER BY run", words);
  char *got = help_ask(index, sql);
  CHECK(strcmp(got, expected) == 0, "%s: '%s', expected '%s'", words, got, expected);
  free(got);
  brio_db_close(index);
}

/* Execute a statement on the store as another program would. */
static void change(const char *path, const char *sql) {
  brio_error err = {0};
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(db && brio_db_run(db, sql, &err), "%s", err.message);
  brio_db_close(db);
}

static void test_it_follows_the_store(void) {
  char path[600], index[620];
  struct stat status;
  snprintf(path, sizeof path, "%s", help_path("words.db"));
  snprintf(index, sizeof index, "%s-search", path);
  unlink(index);
  add_run(path, "the dog barked");
  expect(path, "dogs", "note|1\n");
  expect(path, "knob", "version|\n");
  add_run(path, "another dog barks");
  expect(path, "bark", "note|1\nnote|2\n");
  expect(path, "knob", "version|\n");
  expect(path, "\"door opened\"", "event|1\nevent|2\n");
  CHECK(stat(index, &status) == 0, "the index is a file");
  change(path, "DELETE FROM runs WHERE id = 1; DELETE FROM notes WHERE run = 1;"
               "DELETE FROM events WHERE run = 1;");
  expect(path, "bark", "note|2\n");
  change(path, "UPDATE runs SET started_at = '1999-01-01' WHERE id = 2;"
               "UPDATE notes SET text = 'a zebra' WHERE run = 2;");
  expect(path, "bark OR zebra", "note|2\n");
  expect(path, "bark", "");
}

static void test_what_cannot_be_read_is_a_gap(void) {
  char path[600], index[620];
  brio_error err = {0};
  snprintf(path, sizeof path, "%s", help_path("gaps.db"));
  snprintf(index, sizeof index, "%s-search", path);
  CHECK(mkdir(index, 0700) == 0, "a folder where the index would be");
  add_run(path, "the dog barked");
  change(path,
         "PRAGMA writable_schema = ON;"
         "UPDATE sqlite_schema SET sql = replace(sql, 'message TEXT', 'words TEXT') WHERE name = 'faults'");
  brio_db *db = brio_search_open(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  char *got =
      help_ask(db, "SELECT (SELECT count(*) FROM found), kind, why LIKE '%no such column%' FROM gaps");
  CHECK(strcmp(got, "4|fault|1\n") == 0, "'%s'", got);
  free(got);
  brio_db_close(db);
  rmdir(index);
  CHECK(!brio_search_open("/no/such.db", &err) && err.code == BRIO_NO_FILE, "no store: %s", err.message);
}

CHECK_SUITE(CHECK_TEST(test_it_follows_the_store), CHECK_TEST(test_what_cannot_be_read_is_a_gap))
