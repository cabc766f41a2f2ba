/* The list of tables that rows can be put into, made from tables.def, and constructors of values. */
#include <string.h>

#include "store/store.h"

/* The order of tables.def: a table's index is the kind of its records in the ring. */
const brio_store_table brio_store_tables[] = {
#define X(name, columns, count, statement) {#name, columns, count, statement},
#include "store/tables.def"
#undef X
    {NULL, NULL, 0, NULL},
};

/* Linear: some sixty names, looked up when a store is opened and not for each row. */
int brio_store_table_find(const char *name) {
  for (int i = 0; brio_store_tables[i].name; i++)
    if (strcmp(brio_store_tables[i].name, name) == 0) return i;
  return -1;
}

brio_value brio_value_null(void) { return (brio_value){.type = BRIO_VALUE_NULL}; }

brio_value brio_value_integer(int64_t integer) {
  return (brio_value){.type = BRIO_VALUE_INTEGER, .as.integer = integer};
}

brio_value brio_value_real(double real) { return (brio_value){.type = BRIO_VALUE_REAL, .as.real = real}; }

/* A blob has the same fields as a text; brio_store_put copies the bytes of both. */
brio_value brio_value_blob(const void *bytes, size_t length) {
  return (brio_value){.type = BRIO_VALUE_BLOB, .as.text = {bytes, length}};
}

/* A NULL text is a null, so that optional texts need no test. */
brio_value brio_value_text(const char *text) {
  if (!text) return brio_value_null();
  return (brio_value){.type = BRIO_VALUE_TEXT, .as.text = {text, strlen(text)}};
}
