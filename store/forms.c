/* Statements of forms.def on a connection of their own; each is a transaction, unless several are begun
** together. The log is synced at every commit, and deleted bytes are overwritten with zeros, so that
** participants can withdraw their answers for good. */
#include "store/forms.h"

#include <stdlib.h>
#include <string.h>

#include "store/migrate.h"

/* The number of rows of forms.def. */
#define X(name, columns, count, statement) +1
enum { TABLES = 0
#include "store/forms.def"
};
#undef X

/* Tables in the order of forms.def: an index is the number that brio_forms_put takes. */
const brio_store_table brio_forms_tables[] = {
#define X(name, columns, count, statement) {#name, columns, count, statement},
#include "store/forms.def"
#undef X
    {NULL, NULL, 0, NULL},
};

struct brio_forms {
  brio_db *db;
  brio_query *rows[TABLES];
};

/* Linear: a handful of names. */
int brio_forms_table_find(const char *name) {
  for (int i = 0; i < TABLES; i++)
    if (strcmp(brio_forms_tables[i].name, name) == 0) return i;
  return -1;
}

brio_forms *brio_forms_open(const char *path, brio_error *err) {
  brio_forms *forms = calloc(1, sizeof *forms);
  if (!forms) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to open %s", path);
    return NULL;
  }
  /* secure_delete overwrites deleted rows with zeros. */
  bool good = (forms->db = brio_store_open_file(path, err)) &&
              brio_db_run(forms->db, "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON", err);
  /* Prepare all statements now: a missing table is an error at once. */
  for (int i = 0; good && i < TABLES; i++)
    good = (forms->rows[i] = brio_db_prepare(forms->db, brio_forms_tables[i].statement, -1, err));
  if (good) return forms;
  brio_forms_close(forms);
  return NULL;
}

/* Roll back an open transaction, if there is one. */
static void roll_back(brio_forms *forms) {
  if (brio_db_in_transaction(forms->db)) brio_db_run(forms->db, "ROLLBACK", NULL);
}

bool brio_forms_begin(brio_forms *forms, brio_error *err) {
  /* IMMEDIATE: take the write lock now, so that a busy file is reported here and not at the first row. */
  return brio_db_run(forms->db, "BEGIN IMMEDIATE", err);
}

/* A row that fails rolls back the transaction it is in, with all rows before it. */
bool brio_forms_put(brio_forms *forms, int table, const brio_value *values, int count, int64_t *id,
                    brio_error *err) {
  /* Checked here, as SQLite would bind NULL to missing values. */
  if (table < 0 || table >= TABLES || count != brio_forms_tables[table].count)
    return brio_fail(err, BRIO_MISUSE, "a row has %d values, which fit no table of forms", count);
  bool good = brio_query_run(forms->rows[table], values, count, err);
  /* The id is valid until the next INSERT of this connection. */
  if (good && id) *id = brio_db_last_id(forms->db);
  if (!good) roll_back(forms);
  return good;
}

bool brio_forms_commit(brio_forms *forms, brio_error *err) {
  bool good = brio_db_run(forms->db, "COMMIT", err);
  if (!good) roll_back(forms);
  return good;
}

void brio_forms_close(brio_forms *forms) {
  if (!forms) return;
  for (int i = 0; i < TABLES; i++) brio_query_end(forms->rows[i]);
  /* An uncommitted group is discarded. */
  if (forms->db) roll_back(forms);
  brio_db_close(forms->db);
  free(forms);
}
