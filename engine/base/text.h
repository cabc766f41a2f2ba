/* A growing text, for building JSON, SQL results and messages off the hot path, and
** the exact number writer: what it writes reads back to the same bits. */
#ifndef BRIO_BASE_TEXT_H
#define BRIO_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct brio_text {
  char *bytes; /* ends in 0 once anything was added; NULL: nothing yet */
  size_t length, capacity;
  bool failed; /* memory ran out; the text is cut */
} brio_text;

/* Add `length` bytes. */
void brio_text_add(brio_text *text, const char *bytes, size_t length);

/* Add a formatted piece. */
void brio_text_format(brio_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add a number by the fewest digits that read back to the same bits;
** NaN and infinities as null. */
void brio_text_number(brio_text *text, double value);

/* Bytes from the beginning that are valid UTF-8: `length` where all are. */
size_t brio_text_utf8(const char *bytes, size_t length);

/* Add `length` bytes, with U+FFFD for every byte that is not valid UTF-8. */
void brio_text_add_utf8(brio_text *text, const char *bytes, size_t length);

/* Add `length` bytes as a JSON string, in quotes.  Invalid UTF-8 is replaced; control characters (C0, C1, and
** those of bidirectional text) are escaped. */
void brio_text_json(brio_text *text, const char *bytes, size_t length);

/* Empty the text, keeping its memory. */
void brio_text_clear(brio_text *text);

/* Free the memory. */
void brio_text_end(brio_text *text);

/* Read a whole file of at most `limit` bytes into `text`; a folder or a pipe is refused.  Errors: no_file,
** io, limit, no_memory. */
bool brio_text_read_file(brio_text *text, const char *path, size_t limit, brio_error *err);

/* Add the names in a folder but those that begin with a dot, each with a closing 0, in no order.  Errors:
** no_file, io, no_memory. */
bool brio_text_list_folder(brio_text *text, const char *path, brio_error *err);

#endif
