/* A reader of JSON (RFC 8259) that trusts nothing: it goes once over bytes that need not end in 0, keeps no
** tree, allocates nothing, and stops at the first byte that is wrong.  Who reads asks for what should come:
**
**     brio_json_take(&json, '{') ... brio_json_key(&json, &key) ... brio_json_number(&json, &x) ...
**
** Space before a value or a sign is passed over; `lines` says whether ends of lines are space, too. */
#ifndef BRIO_BASE_JSON_H
#define BRIO_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct brio_json {
  const char *at, *end;
  bool lines;          /* ends of lines are space */
} brio_json;

/* A text as it stands between its quotes, escapes and all. */
typedef struct brio_json_text {
  const char *bytes;
  size_t length;
} brio_json_text;

/* What the next value is, by its first byte: '{', '[', '"', '0' (a number), 't' (true or false), 'n' (null);
** 0: no value. */
char brio_json_peek(brio_json *json);

/* Take that sign (one of {}[],:).  Return whether it was there. */
bool brio_json_take(brio_json *json, char sign);

/* Take a text.  Return false if it is not a text, is cut off, or has a bad escape or a byte below 0x20. */
bool brio_json_string(brio_json *json, brio_json_text *text);

/* Take a name and the colon behind it. */
bool brio_json_key(brio_json *json, brio_json_text *name);

/* Take a number.  One too great for a double is infinite, one of more than 400 digits NAN.  Return false if
** it is not a number. */
bool brio_json_number(brio_json *json, double *value);

/* Take true or false. */
bool brio_json_flag(brio_json *json, bool *value);

/* Pass over a whole value, at most `deep` levels of lists and objects. */
bool brio_json_skip(brio_json *json, int deep);

/* Whether nothing but space is left. */
bool brio_json_over(brio_json *json);

/* Whether a text is that word, byte by byte. */
bool brio_json_is(const brio_json_text *text, const char *word);

/* Copy a text in UTF-8, its escapes undone, to `out` of `size` bytes, ending in 0.  Halves of surrogate pairs
** become U+FFFD. Return false when it does not fit, or holds a 0: `out` has the beginning then. */
bool brio_json_copy(const brio_json_text *text, char *out, size_t size);

#endif
