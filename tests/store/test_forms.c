/* Rows that people make: stored at once, together or not at all, while a run is recorded in the same file;
** and deleted for good when they are withdrawn. */
#include "store/forms.h"
#include "store/migrate.h"
#include "tests/store/store_help.h"

static bool put(brio_forms *forms, const char *table, const brio_value *values, int count, brio_error *err) {
  return brio_forms_put(forms, brio_forms_table_find(table), values, count, NULL, err);
}

/* A response to `item` of sitting 1. */
static bool respond(brio_forms *forms, const char *item, int64_t answer, brio_error *err) {
  brio_value row[] = {brio_value_integer(1), brio_value_text(item), brio_value_integer(answer),
                      brio_value_null()};
  return put(forms, "responses", row, 4, err);
}

static bool sit(brio_forms *forms, const char *participant, brio_error *err) {
  brio_value none = brio_value_null(), who = brio_value_text(participant), hash = brio_value_text("hash");
  brio_value row[] = {hash, who, none, none, brio_value_text("en"), none, brio_value_text("[]"), none, none};
  return put(forms, "sittings", row, 9, err);
}

static void test_a_row_is_there_when_the_call_returns(void) {
  brio_error err = {0};
  const char *path = help_path("forms.db");
  brio_forms *forms = brio_forms_open(path, &err);
  CHECK(forms, "%s", err.message);
  if (!forms) return;
  CHECK(sit(forms, "P1", &err), "%s", err.message);
  CHECK(respond(forms, "kind", 4, &err) && respond(forms, "kind", 5, &err), "%s", err.message);
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT id, item, value FROM responses ORDER BY id", "1|kind|4\n2|kind|5\n");
  CHECK(!sit(forms, "P1", &err) && err.code == BRIO_FORMAT, "a second open sitting of the same");
  CHECK_HAS(err.message, "sitting_open");
  brio_value end[] = {brio_value_integer(1), brio_value_text("finished")};
  CHECK(put(forms, "sitting_end", end, 2, &err), "%s", err.message);
  end[1] = brio_value_text("abandoned");
  CHECK(put(forms, "sitting_end", end, 2, &err), "%s", err.message);
  HELP_ASK(db, "SELECT outcome FROM sittings", "finished\n");
  CHECK(sit(forms, "P1", &err), "when it has ended, anew: %s", err.message);
  CHECK(!put(forms, "responses", end, 2, &err) && err.code == BRIO_MISUSE, "two values of four");
  CHECK(brio_forms_table_find("runs") == -1, "runs are not for people");
  brio_db_close(db);
  brio_forms_close(forms);
}

static void test_rows_begun_together_are_kept_together(void) {
  brio_error err = {0};
  const char *path = help_path("together.db");
  brio_forms *forms = brio_forms_open(path, &err);
  CHECK(forms && brio_forms_begin(forms, &err) && respond(forms, "a", 1, &err), "%s", err.message);
  brio_value broken[] = {brio_value_null(), brio_value_text("b"), brio_value_integer(1), brio_value_null()};
  CHECK(!put(forms, "responses", broken, 4, &err) && err.code == BRIO_FORMAT, "a sitting of null");
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT count(*) FROM responses", "0\n");
  CHECK(!brio_forms_commit(forms, &err), "nothing is begun any more");
  CHECK(brio_forms_begin(forms, &err) && respond(forms, "a", 1, &err), "%s", err.message);
  CHECK(brio_forms_commit(forms, &err), "%s", err.message);
  HELP_ASK(db, "SELECT item FROM responses", "a\n");
  CHECK(brio_forms_begin(forms, &err) && respond(forms, "b", 1, &err), "%s", err.message);
  brio_forms_close(forms);
  HELP_ASK(db, "SELECT item FROM responses", "a\n");
  brio_db_close(db);
  brio_forms_close(NULL);
}

static void test_a_run_is_recorded_meanwhile(void) {
  brio_error err = {0};
  const char *path = help_path("beside.db");
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 1);
  brio_forms *forms = brio_forms_open(path, &err);
  CHECK(forms, "%s", err.message);
  for (int i = 0; i < 50 && forms; i++) {
    CHECK(help_event(store, i, "tick"), "event %d", i);
    CHECK(respond(forms, "kind", i, &err), "%s", err.message);
  }
  brio_forms_close(forms);
  CHECK(brio_store_end(store, NULL, NULL, 0, &err) && brio_store_close(store, &err), "%s", err.message);
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM responses)", "50|50\n");
  HELP_ASK(db, "SELECT lost_rows FROM runs", "0\n");
  brio_db_close(db);
}

static void test_what_is_no_store_is_refused(void) {
  brio_error err = {0};
  CHECK(!brio_forms_open("/proc/none.db", &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  const char *path = help_path("foreign.db");
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(db && brio_db_run(db, "CREATE TABLE songs(x)", &err), "%s", err.message);
  brio_db_close(db);
  CHECK(!brio_forms_open(path, &err), "another program's file");
  CHECK_HAS(err.message, "no run store of brio");
}

/* Whether a file contains a text. */
static bool holds(const char *path, const char *text) {
  char bytes[1 << 16];
  FILE *file = fopen(path, "rb");
  bool found = false;
  size_t length = strlen(text), count;
  while (file && !found && (count = fread(bytes, 1, sizeof bytes, file)) > 0)
    for (size_t i = 0; i + length <= count && !found; i++) found = memcmp(bytes + i, text, length) == 0;
  if (file) fclose(file);
  return found;
}

static void test_what_is_forgotten_is_not_in_the_file(void) {
  brio_error err = {0};
  const char *path = help_path("forget.db");
  brio_forms *forms = brio_forms_open(path, &err);
  CHECK(forms && sit(forms, "CODE-8712", &err) && respond(forms, "kind", 4, &err), "%s", err.message);
  brio_forms_close(forms);
  CHECK(holds(path, "CODE-8712"), "it is not there to begin with");
  forms = brio_forms_open(path, &err);
  brio_value who = brio_value_text("CODE-8712");
  CHECK(forms && put(forms, "forget_responses", &who, 1, &err), "%s", err.message);
  CHECK(put(forms, "forget_sittings", &who, 1, &err), "%s", err.message);
  brio_forms_close(forms);
  CHECK(!holds(path, "CODE-8712"), "it is still in the file");
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT (SELECT count(*) FROM responses), (SELECT count(*) FROM sittings)", "0|0\n");
  brio_db_close(db);
}

CHECK_SUITE(CHECK_TEST(test_a_row_is_there_when_the_call_returns),
            CHECK_TEST(test_rows_begun_together_are_kept_together),
            CHECK_TEST(test_a_run_is_recorded_meanwhile), CHECK_TEST(test_what_is_no_store_is_refused),
            CHECK_TEST(test_what_is_forgotten_is_not_in_the_file))
