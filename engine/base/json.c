/* JSON, read once from left to right: see json.h. Numbers of up to 15 digits with small powers of
** ten are exact products or quotients of exact doubles (W. Clinger, "How to read floating point
** numbers accurately", 1990, section 3); others are read by strtod. O(length) throughout. */
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* 10^15 < 2^53, and 10^22 is the largest power of ten that is a double. */
enum { MAX_DIGITS = 400, EXACT_DIGITS = 15, EXACT_POWER = 22 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A line end is space only in a text of many lines. */
static void skip_space(brio_json *j) {
  assert(j->at <= j->end);
  while (j->at < j->end &&
         (*j->at == ' ' || *j->at == '\t' || *j->at == '\r' || (j->lines && *j->at == '\n')))
    j->at++;
}

char brio_json_peek(brio_json *j) {
  skip_space(j);
  if (j->at == j->end) return 0;
  char c = *j->at;
  if (c == '-' || is_digit(c)) return '0';
  /* One type for both words: brio_json_flag reads either. */
  if (c == 'f') return 't';
  return c && strchr("{[\"tn", c) ? c : 0;
}

bool brio_json_take(brio_json *j, char sign) {
  skip_space(j);
  if (j->at == j->end || *j->at != sign) return false;
  j->at++;
  return true;
}

/* The value of a hexadecimal digit, or -1. */
static int hex_of(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Pass over what follows a backslash; false if it is no escape. */
static bool take_escape(brio_json *j) {
  if (j->at == j->end || !*j->at || !strchr("\"\\/bfnrtu", *j->at)) return false;
  if (*j->at++ != 'u') return true;
  for (int i = 0; i < 4; i++, j->at++)
    if (j->at == j->end || hex_of(*j->at) < 0) return false;
  return true;
}

bool brio_json_string(brio_json *j, brio_json_text *text) {
  if (!brio_json_take(j, '"')) return false;
  text->bytes = j->at;
  while (j->at < j->end && *j->at != '"') {
    /* Control characters must be escaped; a quotation mark behind a backslash does not end the text. */
    unsigned char c = (unsigned char)*j->at++;
    if (c < ' ' || (c == '\\' && !take_escape(j))) return false;
  }
  /* Up to the quotation mark, which is then skipped. */
  text->length = (size_t)(j->at - text->bytes);
  if (j->at == j->end) return false;
  j->at++;
  return true;
}

bool brio_json_key(brio_json *j, brio_json_text *name) {
  return brio_json_string(j, name) && brio_json_take(j, ':');
}

/* Skip digits; the first 16 significant ones go into `sum`, and their number into `kept`. Return the number
** of digits, capped at 2^20. */
static int take_digits(brio_json *j, uint64_t *sum, int *kept) {
  const char *from = j->at;
  for (; j->at < j->end && is_digit(*j->at); j->at++) {
    /* Digits beyond the 16th no longer matter: strtod reads such a number again, as a text. */
    if (*kept >= EXACT_DIGITS + 1) continue;
    *sum = *sum * 10 + (uint64_t)(*j->at - '0');
    /* Leading zeros are not significant. */
    if (*sum > 0) (*kept)++;
  }
  return (int)(j->at - from < 1 << 20 ? j->at - from : 1 << 20);
}

/* Skip an exponent and add it to `power`; false if it is cut off. Its value is capped, as the range of
** doubles ends at 10^308. */
static bool take_exponent(brio_json *j, int *power) {
  int64_t value = 0;
  if (j->at == j->end || (*j->at != 'e' && *j->at != 'E')) return true;
  j->at++;
  bool minus = j->at < j->end && *j->at == '-';
  if (j->at < j->end && (*j->at == '+' || *j->at == '-')) j->at++;
  if (j->at == j->end || !is_digit(*j->at)) return false;
  for (; j->at < j->end && is_digit(*j->at); j->at++)
    if (value < 1 << 20) value = value * 10 + (*j->at - '0');
  *power += (int)(minus ? -value : value);
  return true;
}

/* Read any number by strtod, from a copy: strtod needs a text that ends in 0, which the input need not have.
** NaN if it is too long. */
static double read_slowly(const char *from, size_t length) {
  char digits[MAX_DIGITS + 1];
  if (length > MAX_DIGITS) return NAN;
  memcpy(digits, from, length);
  digits[length] = 0;
  return strtod(digits, NULL);
}

bool brio_json_number(brio_json *j, double *value) {
  static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  uint64_t sum = 0;
  int kept = 0, power = 0;
  skip_space(j);
  const char *from = j->at;
  bool minus = j->at < j->end && *j->at == '-';
  if (minus) j->at++;
  /* The grammar allows no leading zero. */
  bool zero = j->at < j->end && *j->at == '0';
  int digits = take_digits(j, &sum, &kept);
  if (digits == 0 || (zero && digits > 1)) return false;
  /* 12.345 is 12345 x 10^-3: digits behind the point lower the power. */
  if (j->at < j->end && *j->at == '.') {
    j->at++;
    int behind = take_digits(j, &sum, &kept);
    if (behind == 0) return false;
    power = -behind;
  }
  if (!take_exponent(j, &power)) return false;
  /* Inexact in one step: leave it to strtod, which rounds correctly. */
  if (kept > EXACT_DIGITS || power < -EXACT_POWER || power > EXACT_POWER) {
    *value = read_slowly(from, (size_t)(j->at - from));
    return true;
  }
  /* Both operands are exact, so there is one rounding. */
  double whole = power < 0 ? (double)sum / powers[-power] : (double)sum * powers[power];
  *value = minus ? -whole : whole;
  return true;
}

/* Pass over a word, if it is next. */
static bool take_word(brio_json *j, const char *word) {
  /* Without a check of what follows: "truex" fails at the caller's next token. */
  size_t length = strlen(word);
  if ((size_t)(j->end - j->at) < length || memcmp(j->at, word, length) != 0) return false;
  j->at += length;
  return true;
}

bool brio_json_flag(brio_json *j, bool *value) {
  skip_space(j);
  *value = take_word(j, "true");
  return *value || take_word(j, "false");
}

/* Skip the members of an object or the items of a list, up to `close`, with at most `deep` levels below
** it. */
static bool skip_members(brio_json *j, char close, int deep) {
  brio_json_text name;
  /* An empty object or list. */
  if (brio_json_take(j, close)) return true;
  do {
    if (close == '}' && !brio_json_key(j, &name)) return false;
    if (!brio_json_skip(j, deep)) return false;
  } while (brio_json_take(j, ','));
  return brio_json_take(j, close);
}

bool brio_json_skip(brio_json *j, int deep) {
  brio_json_text text;
  double number;
  /* Recursion is bounded by `deep`, so hostile nesting cannot exhaust the stack. */
  bool flag;
  /* By the first byte; each reader checks the rest. */
  switch (brio_json_peek(j)) {
    case '{': return deep > 0 && brio_json_take(j, '{') && skip_members(j, '}', deep - 1);
    case '[': return deep > 0 && brio_json_take(j, '[') && skip_members(j, ']', deep - 1);
    case '"': return brio_json_string(j, &text);
    case '0': return brio_json_number(j, &number);
    case 't': return brio_json_flag(j, &flag);
    case 'n': return take_word(j, "null");
    default: return false;
  }
}

bool brio_json_over(brio_json *j) {
  skip_space(j);
  return j->at == j->end;
}

bool brio_json_is(const brio_json_text *text, const char *word) {
  return strlen(word) == text->length && memcmp(text->bytes, word, text->length) == 0;
}

/* ---- texts ---- */

/* The value of four hexadecimal digits, which brio_json_string has checked. */
static unsigned read_hex(const char *at) {
  unsigned code = 0;
  for (int i = 0; i < 4; i++) code = code * 16 + (unsigned)hex_of(at[i]);
  return code;
}

/* Return the character of a \u escape whose digits begin at `at`, and in `taken` the number of bytes read.
** Half a surrogate pair is U+FFFD. */
static unsigned code_at(const char *at, const char *end, int *taken) {
  unsigned high = read_hex(at), low;
  /* Outside D800..DFFF the four digits are the character itself. */
  *taken = 4;
  if (high < 0xD800 || high > 0xDFFF) return high;
  /* A high half must be followed by `\u` and a low half: 6 more bytes. */
  if (high > 0xDBFF || end - at < 10 || at[4] != '\\' || at[5] != 'u') return 0xFFFD;
  low = read_hex(at + 6);
  if (low < 0xDC00 || low > 0xDFFF) return 0xFFFD;
  /* 10 bits from each half, above the basic plane. */
  *taken = 10;
  return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* Write a character in UTF-8; return the number of bytes. */
static int write_code(unsigned code, char out[4]) {
  static const struct { unsigned below; int bytes; unsigned mark; } forms[] = {
      {0x80, 1, 0}, {0x800, 2, 0xC0}, {0x10000, 3, 0xE0}, {0x110000, 4, 0xF0}};
  assert(code < 0x110000);
  /* The least form that holds the code; 6 bits in each continuation byte, the lowest last. */
  int form = 0;
  while (code >= forms[form].below) form++;
  int bytes = forms[form].bytes;
  for (int i = bytes - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
  out[0] = (char)(forms[form].mark | code);
  return bytes;
}

/* Write the character of an escape (`at` is behind the backslash) and move `at` past it. Return the number of
** bytes in UTF-8. */
static int undo_escape(const char **at, const char *end, char out[4]) {
  static const char signs[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
  int taken;
  char sign = *(*at)++;
  if (sign == 'u') {
    unsigned code = code_at(*at, end, &taken);
    *at += taken;
    return write_code(code, out);
  }
  assert(strchr(signs, sign));
  out[0] = means[strchr(signs, sign) - signs];
  return 1;
}

bool brio_json_copy(const brio_json_text *text, char *out, size_t size) {
  const char *at = text->bytes, *end = at + text->length;
  /* A byte 0 would end the copy early, and a text that is cut may not pass for another one: both are
  ** refused. */
  size_t length = 0;
  while (at < end) {
    char piece[4] = {*at++};
    int bytes = piece[0] == '\\' ? undo_escape(&at, end, piece) : 1;
    bool fits = length + (size_t)bytes < size && piece[0];
    if (fits) memcpy(out + length, piece, (size_t)bytes);
    if (!fits) {
      out[length] = 0;
      return false;
    }
    length += (size_t)bytes;
  }
  out[length] = 0;
  return true;
}
