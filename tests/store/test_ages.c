/* A store of every released schema, with rows in each of its tables, is migrated to the current one:
** nothing is lost, every row keeps its references, and every view works.  And the messages of stores that
** cannot be migrated. */
#include "tests/store/fault_vfs.h"

#include "store/migrate.h"
#include "tests/store/store_help.h"

enum { ROWS = 2, TABLES = 128 };

/* Values for columns that cannot hold the row's number, or a JSON object with it. */
static const struct {
  const char *table, *column, *value;
} special[] = {
    {"tree_shapes", "nodes", "'[[\"sequence\",\"s\",0]]'"},
    {"tree_changes", "changed", "'[[1,\"running\"]]'"},
    {"tree_records", "changed", "'[1]'"},
    {"sample_chunks", "times", "'[5000]'"},
    {"participants", "consent", "1"},
    {"sessions", "rehearsal", "1"},
    {"sessions", "training", "1"},
    {"codings", "of", "'action'"},
    {"codings", "error_class", "'slip'"},
    {"codings", "counts", "1"},
};

static const char *value_of(const char *table, const char *column, const char *type, int row, char text[64]) {
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (strcmp(special[i].table, table) == 0 && strcmp(special[i].column, column) == 0)
      return special[i].value;
  if (strcmp(type, "TEXT") == 0) snprintf(text, 64, "'{\"k\":%d}'", row);
  else if (strcmp(type, "REAL") == 0) snprintf(text, 64, "%d.5", row);
  else if (strcmp(type, "BLOB") == 0) snprintf(text, 64, "x'0%d'", row);
  else snprintf(text, 64, "%d", row);
  return text;
}

/* Tables that were renamed later. */
static const struct {
  const char *was, *is;
} renamed[] = {{"solves", "solve_rows"}};

static const char *name_now(const char *name) {
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    if (strcmp(renamed[i].was, name) == 0) return renamed[i].is;
  return name;
}

/* A table before the migrations: its columns, and its rows. */
typedef struct table {
  char name[64], columns[1024];
  char *content;
} table;

/* All rows of the columns that it had. */
static char *content_of(brio_db *db, const table *one, const char *name) {
  char sql[1200];
  snprintf(sql, sizeof sql, "SELECT %.1023s FROM \"%.63s\" ORDER BY 1, 2", one->columns, name);
  return help_ask(db, sql);
}

static void add(char *text, size_t size, const char *more) {
  size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", length ? ", " : "", more);
}

/* Insert rows into a table, and record its content. */
static void fill(brio_db *db, table *one) {
  char ask[200], values[ROWS][2048] = {"", ""}, text[64], name[80], sql[4096];
  brio_error err = {0};
  snprintf(ask, sizeof ask, "SELECT name, type FROM pragma_table_info('%s')", one->name);
  brio_query *columns = brio_db_prepare(db, ask, -1, &err);
  while (columns && brio_query_step(columns, &err) == BRIO_STEP_ROW) {
    snprintf(name, sizeof name, "\"%s\"", brio_query_column(columns, 0).as.text.bytes);
    add(one->columns, sizeof one->columns, name);
    char column[64];
    snprintf(column, sizeof column, "%s", brio_query_column(columns, 0).as.text.bytes);
    for (int row = 0; row < ROWS; row++)
      add(values[row], sizeof values[row],
          value_of(one->name, column, brio_query_column(columns, 1).as.text.bytes, row + 1, text));
  }
  brio_query_end(columns);
  for (int row = 0; row < ROWS; row++) {
    snprintf(sql, sizeof sql, "INSERT INTO \"%.63s\" VALUES(%.2047s)", one->name, values[row]);
    CHECK(brio_db_run(db, sql, &err), "%s: %s", sql, err.message);
  }
  one->content = content_of(db, one, one->name);
}

/* Fill every table; return the number of tables. */
static int fill_all(brio_db *db, table tables[TABLES]) {
  int count = 0;
  brio_error err = {0};
  brio_query *names = brio_db_prepare(
      db,
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE"
      " 'sqlite\\_%' ESCAPE '\\' ORDER BY (SELECT rowid FROM sqlite_schema s WHERE s.name = "
      "pragma_table_list.name)",
      -1, &err);
  for (; names && brio_query_step(names, &err) == BRIO_STEP_ROW && count < TABLES; count++)
    snprintf(tables[count].name, sizeof tables[count].name, "%s", brio_query_column(names, 0).as.text.bytes);
  CHECK(names && !err.message[0], "%s", err.message);
  brio_query_end(names);
  for (int i = 0; i < count; i++) fill(db, &tables[i]);
  return count;
}

/* Make a store of the first `age` migrations at `path`, filled. */
static int make_aged(const char *path, int age, table tables[TABLES]) {
  const char *schema[256] = {NULL};
  brio_error err = {0};
  for (int i = 0; i < age; i++) schema[i] = brio_store_schema[i];
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  bool good = db && brio_store_migrate(db, schema, brio_store_schema_names, &err);
  CHECK(good, "age %d: %s", age, err.message);
  int count = good ? fill_all(db, tables) : 0;
  brio_db_close(db);
  return count;
}

/* Every view works; made-up blocks cannot be unpacked. */
static void check_views(brio_db *db, int age) {
  char sql[200];
  for (int i = 0; brio_store_view_names[i]; i++) {
    snprintf(sql, sizeof sql, "SELECT * FROM \"%s\"", brio_store_view_names[i]);
    char *rows = help_ask(db, sql);
    CHECK(!strstr(rows, "error:") || strstr(rows, "cannot be unpacked"), "age %d: view %s: %s", age,
          brio_store_view_names[i], rows);
    free(rows);
  }
}

static void test_every_age_is_brought_up_to_date(void) {
  int newest = 0;
  brio_error err = {0};
  fault_watch(""); /* which syncs nothing */
  while (brio_store_schema[newest]) newest++;
  for (int age = 1; age <= newest; age++) {
    static table tables[TABLES];
    memset(tables, 0, sizeof tables);
    const char *path = help_path("aged.db");
    int count = make_aged(path, age, tables), kept = 0;
    brio_db *db = brio_store_open_file(path, &err);
    CHECK(db && count > 10, "age %d, %d tables: %s", age, count, err.message);
    if (!db) continue;
    for (int i = 0; i < count; i++) {
      char there[200], *now;
      const char *name = name_now(tables[i].name);
      int64_t found = 0;
      snprintf(there, sizeof there,
               "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%.63s'", name);
      CHECK(brio_db_number(db, there, &found, &err), "%s", err.message);
      now = found ? content_of(db, &tables[i], name) : NULL;
      CHECK(!now || strcmp(now, tables[i].content) == 0, "age %d: %s was\n%sand is\n%s", age, tables[i].name,
            tables[i].content, now);
      kept += found == 1;
      free(now);
      free(tables[i].content);
    }
    /* tree_changes has become two others */
    CHECK(kept >= count - 1, "age %d: %d of %d tables are gone", age, count - kept, count);
    HELP_ASK(db, "PRAGMA foreign_key_check", "");
    HELP_ASK(db, "PRAGMA integrity_check", "ok\n");
    HELP_ASK(db, "SELECT count(*) FROM runs WHERE uuid IS NULL", "0\n");
    check_views(db, age);
    brio_db_close(db);
  }
}

static void test_all_tables_are_strict_and_have_keys(void) {
  brio_error err = {0};
  const char *path = help_path("new.db");
  brio_db *db = brio_store_open_file(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  HELP_ASK(db,
           "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND "
           "name NOT LIKE 'sqlite\\_%'"
           " ESCAPE '\\'",
           "");
  HELP_ASK(db,
           "SELECT t.name FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.type = 'table' AND "
           "c.name IN ('run', 'sitting')"
           " AND t.name <> 'repeat_runs' AND NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(t.name) k "
           "WHERE k.\"from\" = c.name)",
           "");
  brio_db_close(db);
}

/* A migration waits for a while for another writer, then reports it. */
static void test_locked_store_is_said(void) {
  static table tables[TABLES];
  brio_error err = {0};
  char path[512];
  snprintf(path, sizeof path, "%s", help_path("locked.db"));
  memset(tables, 0, sizeof tables);
  int count = make_aged(path, 3, tables);
  for (int i = 0; i < count; i++) free(tables[i].content);
  brio_db *holder = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(holder && brio_db_run(holder, "BEGIN EXCLUSIVE", &err), "%s", err.message);
  brio_db *db = brio_store_open_file(path, &err);
  CHECK(!db, "a store that somebody else holds");
  CHECK_HAS(err.message, "locked");
  CHECK_HAS(err.message, "another program");
  brio_db_run(holder, "ROLLBACK", NULL);
  brio_db_close(holder);
  brio_db_close(db);
  db = brio_store_open_file(path, &err);
  CHECK(db, "and later: %s", err.message);
  brio_db_close(db);
}

CHECK_SUITE(CHECK_TEST(test_every_age_is_brought_up_to_date),
            CHECK_TEST(test_all_tables_are_strict_and_have_keys), CHECK_TEST(test_locked_store_is_said))
