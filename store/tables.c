/* The list of what can be put, made from tables.def, and how values are made. */
#include <string.h>

#include "store/store.h"

const brio_store_table brio_store_tables[] = {
#define X(name, columns, count, statement) {#name, columns, count, statement},
#include "store/tables.def"
#undef X
    {NULL, NULL, 0, NULL},
};

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

brio_value brio_value_blob(const void *bytes, size_t length) {
  return (brio_value){.type = BRIO_VALUE_BLOB, .as.text = {bytes, length}};
}

brio_value brio_value_text(const char *text) {
  if (!text) return brio_value_null();
  return (brio_value){.type = BRIO_VALUE_TEXT, .as.text = {text, strlen(text)}};
}
