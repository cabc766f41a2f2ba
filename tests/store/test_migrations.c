/* The store and the files that it finds: it migrates old ones, one whole migration at a time, refuses newer
** ones and those of other programs, and keeps its views current. */
#include <sys/stat.h>

#include "store/migrate.h"
#include "tests/store/store_help.h"

static const char *const first[] = {"CREATE TABLE a(x); INSERT INTO a VALUES(1);", NULL};
static const char *const later[] = {"CREATE TABLE a(x); INSERT INTO a VALUES(1);",
                                    "ALTER TABLE a ADD COLUMN y DEFAULT 5;", "CREATE TABLE b(x);", NULL};
static const char *const broken[] = {"CREATE TABLE a(x); INSERT INTO a VALUES(1);",
                                     "ALTER TABLE a ADD COLUMN y DEFAULT 5;", "CREATE TABLE b(x);",
                                     "CREATE TABLE c(x); nonsense;", NULL};
static const char *const names[] = {"001_a", "002_y", "003_b", "004_c", NULL};

static void test_migrations_run_once_and_whole(void) {
  brio_error err = {0};
  brio_db *db = brio_db_open(help_path("migrate.db"), BRIO_DB_WRITE, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  CHECK(brio_store_migrate(db, first, names, &err), "%s", err.message);
  CHECK(brio_store_migrate(db, first, names, &err), "again: %s", err.message);
  HELP_ASK(db, "SELECT * FROM a", "1\n");
  CHECK(brio_store_migrate(db, later, names, &err), "%s", err.message);
  HELP_ASK(db, "SELECT x, y FROM a", "1|5\n");
  HELP_ASK(db, "PRAGMA user_version", "3\n");
  CHECK(!brio_store_migrate(db, broken, names, &err), "a broken migration");
  CHECK_HAS(err.message, "migration 004_c");
  CHECK_HAS(err.message, "nonsense");
  HELP_ASK(db, "PRAGMA user_version", "3\n");
  HELP_ASK(db, "SELECT count(*) FROM sqlite_master WHERE name = 'c'", "0\n");
  brio_db_close(db);
}

/* A new store has what all migrations leave in an empty file, to the letter, and one row, of its own name; it
** is at the newest version, and opening it again changes nothing of that. */
static void test_new_store_is_as_if_migrated(void) {
  static const char declared[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
  static const char found[] = "SELECT (SELECT count(*) FROM identity), (SELECT count(*) FROM sqlite_sequence)"
                              ", (SELECT length(uuid) FROM identity)";
  static const char marks[] = "SELECT user_version, schema_version, application_id FROM pragma_user_version, "
                              "pragma_schema_version, pragma_application_id";
  brio_error err = {0};
  brio_db *old = brio_db_open(help_path("migrated.db"), BRIO_DB_WRITE, &err);
  CHECK(old && brio_store_migrate(old, brio_store_schema, brio_store_schema_names, &err) &&
            brio_store_make_views(old, &err),
        "%s", err.message);
  const char *path = help_path("fresh.db");
  brio_db *fresh = brio_store_open_file(path, &err);
  CHECK(fresh, "%s", err.message);
  if (!old || !fresh) return;
  char *expected = help_ask(old, declared), *version = help_ask(old, "PRAGMA user_version"),
       *before = help_ask(fresh, marks);
  CHECK(strlen(expected) > 20000, "few declarations: %s", expected);
  HELP_ASK(fresh, declared, expected);
  HELP_ASK(fresh, "PRAGMA user_version", version);
  HELP_ASK(old, found, "1|0|36\n");
  HELP_ASK(fresh, found, "1|0|36\n");
  brio_db_close(fresh);
  fresh = brio_store_open_file(path, &err);
  HELP_ASK(fresh, marks, before);
  brio_db_close(fresh);
  brio_db_close(old);
  free(expected);
  free(version);
  free(before);
}

/* Make a store, then execute `sql` on its file. */
static const char *store_changed_by(const char *name, const char *sql) {
  brio_error err = {0};
  const char *path = help_path(name);
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store && brio_store_close(store, &err), "%s", err.message);
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(db && brio_db_run(db, sql, &err), "%s", err.message);
  brio_db_close(db);
  return path;
}

static void expect_refusal(const char *path, brio_code code, const char *words) {
  brio_error err = {0};
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(!store && err.code == code, "code %s: %s", brio_code_name(err.code), err.message);
  CHECK_HAS(err.message, words);
  brio_store_close(store, NULL);
}

static void test_newer_store_is_refused(void) {
  const char *path = store_changed_by("newer.db", "PRAGMA user_version = 99");
  brio_error err = {0};
  expect_refusal(path, BRIO_LIMIT, "made by a newer brio: its schema is version 99");
  CHECK(!brio_reader_open(path, &err) && err.code == BRIO_LIMIT, "reader: %s", err.message);
}

static void write_file(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(text, 1, length, file) != length) CHECK(false, "cannot write %s", path);
  if (file) fclose(file);
}

static void test_other_files_are_refused(void) {
  brio_error err = {0};
  char text[3000];
  memset(text, 'a', sizeof text);
  const char *path = help_path("text.db");
  write_file(path, text, sizeof text);
  expect_refusal(path, BRIO_IO, "file is not a database");
  path = help_path("foreign.db");
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(db && brio_db_run(db, "CREATE TABLE songs(x)", &err), "%s", err.message);
  brio_db_close(db);
  expect_refusal(path, BRIO_IO, "no run store of brio");
  CHECK(!brio_reader_open(path, &err), "a reader takes it too");
  CHECK_HAS(err.message, "no run store of brio");
}

static void test_places_that_cannot_be_written(void) {
  expect_refusal("", BRIO_NO_FILE, "empty");
  expect_refusal("/proc/no-such-place.db", BRIO_NO_FILE, "unable to open database file");
  expect_refusal("/", BRIO_NO_FILE, "unable to open");
}

static void test_write_protected_store_is_refused(void) {
  if (geteuid() == 0) SKIP("the superuser may write everywhere");
  const char *path = store_changed_by("protected.db", "SELECT 1");
  chmod(path, 0444);
  expect_refusal(path, BRIO_IO, "write-protected");
}

static void test_truncated_store_is_an_error(void) {
  brio_error err = {0};
  const char *path = store_changed_by("cut.db", "SELECT 1");
  CHECK(truncate(path, 9000) == 0, "truncate");
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(!store && err.message[0], "a cut store");
  path = help_path("empty.db");
  write_file(path, "", 0);
  CHECK(!brio_reader_open(path, &err), "an empty file");
  CHECK_HAS(err.message, "no run was ever recorded");
  store = brio_store_open(path, NULL, &err);
  CHECK(store, "an empty file becomes a store: %s", err.message);
  brio_store_close(store, NULL);
}

static void test_views_are_made_again(void) {
  brio_error err = {0};
  const char *path = store_changed_by(
      "views.db", "DROP VIEW story; CREATE VIEW story AS SELECT 1; CREATE VIEW my_own AS SELECT 2 AS two");
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store && brio_store_close(store, &err), "%s", err.message);
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT count(*) FROM pragma_table_info('story') WHERE name = 'sentence'", "1\n");
  HELP_ASK(db, "SELECT two FROM my_own", "2\n");
  brio_db_close(db);
}

/* Records of trees, a JSON text for each change, become packed ones, and read as before; nodes of a shape
** without ids get their numbers instead. */
static void test_records_of_trees_are_packed(void) {
  static const char rows[] = "INSERT INTO runs(id, robot) VALUES(1, 'toy');"
                             "INSERT INTO tree_shapes VALUES(1, 1, "
                             "'[[\"sequence\",\"s\",0],[\"wait\",\"w\",1],[\"action\",\"turn\",1]]');"
                             "INSERT INTO trees VALUES(1, 1, 1, NULL, 0);"
                             "INSERT INTO tree_changes VALUES(1, 1, 1, 0.0, '[[2,\"running\"]]'), (1, 2, 1, "
                             "0.5, '[[2,\"success\"],[3,\"running\"]]'),"
                             " (1, 3, 1, 0.75, '[[3,\"failure\",\"slip 1\"]]'), (1, 4, 1, 1.0, "
                             "'[[3,\"running\"]]'), (1, 5, 1, 1.25, '[[3,\"failure\"]]'),"
                             " (1, 6, 1, 1.5, '[[3,\"running\"]]'), (1, 7, 1, 1.75, '[[3,\"idle\"]]');";
  const char *old[11] = {NULL}, *path = help_path("trees.db");
  brio_error err = {0};
  for (int i = 0; i < 10 && strcmp(brio_store_schema_names[i], "011_tree_records") != 0; i++)
    old[i] = brio_store_schema[i];
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(brio_db_run(db, "PRAGMA application_id = 1651665263", &err) &&
            brio_store_migrate(db, old, brio_store_schema_names, &err) && brio_db_run(db, rows, &err),
        "%s", err.message);
  brio_db_close(db);
  db = brio_store_open_file(path, &err);
  CHECK(db != NULL, "%s", err.message);
  if (!db) return;
  HELP_ASK(db, "SELECT node, kind, name, status, started, ended, why FROM tree_nodes ORDER BY ended",
           "2|wait|w|success|0|0.5|\n3|action|turn|failure|0.5|0.75|slip "
           "1\n3|action|turn|failure|1|1.25|slip 1\n3|action|turn|stopped|1.5|1.75|\n");
  HELP_ASK(db, "SELECT changed FROM tree_records WHERE id = 2", "[6,9]\n");
  brio_db_close(db);
}

/* The two forms of a record, shapes that change, reasons that stay: in the format of
** brio_tree_pack and the recorder. */
static void test_records_of_trees_are_read(void) {
  const char *path = store_changed_by(
      "packed.db", "INSERT INTO runs(id, robot) VALUES(1, 'toy');"
                   "INSERT INTO tree_shapes VALUES(1, 1, "
                   "'[[\"parallel\",\"p\",0,1],[\"action\",\"a\",1,2],[\"action\",\"b\",1,3]]'),"
                   " (1, 2, '[[\"parallel\",\"p\",0,1],[\"wait\",\"new\",1,9],[\"action\",\"a\",1,2]]');"
                   "INSERT INTO trees VALUES(1, 1, 1, NULL, 0);"
                   "INSERT INTO tree_records VALUES(1, 1, 1, 1, 0.0, 'j5'), (1, 2, 1, 1, 0.5, '[8]'), (1, 3, "
                   "1, 2, 0.75, '[7]'), (1, 4, 1, 2, 1.0, '9-');"
                   "INSERT INTO tree_words VALUES(1, 1, 2, 1, 'early'), (1, 1, 2, 4, 'late');");
  brio_error err = {0};
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db != NULL, "%s", err.message);
  if (!db) return;
  /* j = 45: running, running; 5: running; then b is stopped, it is gone and a wait is there, which fails; 9:
  ** p and it as before;
  ** - = 62: a succeeds, and a digit's other half is unused */
  HELP_ASK(db,
           "SELECT node, name, status, started, ended, why FROM tree_nodes ORDER BY coalesce(ended, 9), node",
           "3|b|stopped|0|0.5|\n2|new|failure|0.75|0.75|\n3|a|success|0|1|\n1|p|running|0||\n");
  brio_db_close(db);
}

/* The sqlite3 program opens a store and can read every view, with the extension that unpacks samples. */
static void test_stock_program_reads_every_view(void) {
  char command[1200], line[200] = "";
  const char *build = getenv("BRIO_BUILD");
  if (system("command -v sqlite3 >/dev/null 2>&1") != 0) SKIP("no sqlite3 program here");
  const char *path = store_changed_by("stock.db", "INSERT INTO runs(robot) VALUES('toy');"
                                                  "INSERT INTO notes VALUES(1, 1, 2.5, 'seen')");
  for (int i = 0; brio_store_view_names[i]; i++) {
    snprintf(command, sizeof command,
             "sqlite3 -cmd \".load '%.300s/brio_samples'\" '%s' 'SELECT count(*) FROM %s' 2>&1",
             build ? build : "build", path, brio_store_view_names[i]);
    FILE *program = popen(command, "r");
    char *got = program ? fgets(line, sizeof line, program) : NULL;
    CHECK(got && line[strspn(line, "0123456789")] == '\n', "%s: %s", brio_store_view_names[i], line);
    CHECK(program && pclose(program) == 0, "%s", command);
  }
}

CHECK_SUITE(CHECK_TEST(test_migrations_run_once_and_whole), CHECK_TEST(test_new_store_is_as_if_migrated),
            CHECK_TEST(test_newer_store_is_refused),
            CHECK_TEST(test_records_of_trees_are_packed), CHECK_TEST(test_records_of_trees_are_read),
            CHECK_TEST(test_other_files_are_refused), CHECK_TEST(test_places_that_cannot_be_written),
            CHECK_TEST(test_write_protected_store_is_refused), CHECK_TEST(test_truncated_store_is_an_error),
            CHECK_TEST(test_views_are_made_again),
            CHECK_TEST(test_stock_program_reads_every_view))
