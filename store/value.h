/* A value of a column, for writing to the store and reading from it. */
#ifndef BRIO_STORE_VALUE_H
#define BRIO_STORE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum brio_value_type {
  BRIO_VALUE_NULL,
  BRIO_VALUE_INTEGER,
  BRIO_VALUE_REAL,
  BRIO_VALUE_TEXT,
  BRIO_VALUE_BLOB, /* bytes; read from a store it is a text */
} brio_value_type;

typedef struct brio_value {
  brio_value_type type;
  union {
    int64_t integer;
    double real;
    struct { const char *bytes; size_t length; } text; /* UTF-8 (a blob: any bytes), copied */
  } as;
} brio_value;

/* Shorthand for values; a NULL text is a null. */
brio_value brio_value_null(void);
brio_value brio_value_integer(int64_t integer);
brio_value brio_value_real(double real);
brio_value brio_value_text(const char *text);
brio_value brio_value_blob(const void *bytes, size_t length);

/* Whether it is a text or a blob. */
static inline bool brio_value_has_bytes(const brio_value *value) {
  return value->type == BRIO_VALUE_TEXT || value->type == BRIO_VALUE_BLOB;
}

#endif
