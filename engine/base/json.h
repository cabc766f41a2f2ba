/* A JSON reader (RFC 8259) for untrusted input: one pass over bytes that need not end in 0, no tree, no
** allocation; it stops at the first invalid byte.  The caller requests the expected values in order:
**
**     brio_json_take(&json, '{') ... brio_json_key(&json, &key) ... brio_json_number(&json, &x) ...
**
** Space before a value or a sign is skipped; `lines` says whether ends of lines are space, too. */
#ifndef BRIO_BASE_JSON_H
#define BRIO_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct brio_json {
  const char *at, *end;
  bool lines;          /* ends of lines are space */
} brio_json;

/* The bytes of a text between its quotation marks, with escapes not yet decoded. */
typedef struct brio_json_text {
  const char *bytes;
  size_t length;
} brio_json_text;

/* Return the type of the next value, by its first byte: '{', '[', '"', '0' (a number), 't' (true or false),
** 'n' (null); 0: no value. */
char brio_json_peek(brio_json *json);

/* Read that sign (one of {}[],:).  Return whether it was there. */
bool brio_json_take(brio_json *json, char sign);

/* Read a text.  Return false if it is not a text, is cut off, or has a bad escape or a byte below 0x20. */
bool brio_json_string(brio_json *json, brio_json_text *text);

/* Read a name and the colon after it. */
bool brio_json_key(brio_json *json, brio_json_text *name);

/* Read a number.  One too great for a double is infinite, one of more than 400 digits NAN.  Return false if
** it is not a number. */
bool brio_json_number(brio_json *json, double *value);

/* Read true or false. */
bool brio_json_flag(brio_json *json, bool *value);

/* Skip a whole value, at most `deep` levels of lists and objects. */
bool brio_json_skip(brio_json *json, int deep);

/* Whether only space is left. */
bool brio_json_over(brio_json *json);

/* Whether a text equals that word, byte by byte. */
bool brio_json_is(const brio_json_text *text, const char *word);

/* Copy a text in UTF-8, its escapes undone, to `out` of `size` bytes, ending in 0.  Halves of surrogate pairs
** become U+FFFD. Return false when it does not fit, or holds a 0: `out` has the beginning then. */
bool brio_json_copy(const brio_json_text *text, char *out, size_t size);

#endif
