/* Text of point cloud files: lines, words and numbers.
**
** Nothing here needs a 0 at the end of the bytes. Numbers are read here because a cloud has millions of them,
** and because the C library's reader depends on the locale. A number is its first 19 digits as an integer,
** times a power of ten in double precision, which is far more exact than the float it becomes. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "cloud/files/reader.h"

bool brio_cloud_line(brio_cloud_input *input, brio_cloud_span *line) {
  /* A carriage return before the line feed is not part of the line. */
  size_t left = brio_cloud_left(input->rest);
  assert(input->rest.at <= input->rest.end);
  if (left == 0) return false;
  const char *end = memchr(input->rest.at, '\n', left);
  line->at = input->rest.at;
  line->end = end ? end : input->rest.end;
  input->rest.at = end ? end + 1 : input->rest.end;
  if (line->end > line->at && line->end[-1] == '\r') line->end--;
  input->line++;
  return true;
}

/* ASCII white space, whatever the locale. */
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Read the next word and move behind it. False: the span has no more words, and `word` is empty. */
bool brio_cloud_word(brio_cloud_span *span, brio_cloud_span *word) {
  while (span->at < span->end && is_space(*span->at)) span->at++;
  word->at = span->at;
  while (span->at < span->end && !is_space(*span->at)) span->at++;
  word->end = span->at;
  return word->end > word->at;
}

/* Whether a word equals a text. */
bool brio_cloud_is(brio_cloud_span word, const char *text) {
  size_t length = strlen(text);
  return brio_cloud_left(word) == length && memcmp(word.at, text, length) == 0;
}

/* A long word is cut: the message has room for one of 40 bytes. */
bool brio_cloud_bad_word(const brio_cloud_input *input, brio_cloud_span word, const char *expected,
                         brio_error *err) {
  size_t length = brio_cloud_left(word);
  return brio_fail(err, BRIO_FORMAT, "line %d: '%.*s' where %s was expected", input->line,
                   (int)(length < 40 ? length : 40), word.at, expected);
}

/* Digits up to a point, an exponent or the end. */
typedef struct digits {
  uint64_t value;
  int count;   /* digits read, leading zeros among them */
  int dropped; /* digits that `value` had no room for */
} digits;

/* Read digits into `to`; those beyond its range are counted, as each of them means a factor of ten. */
static const char *take_digits(const char *at, const char *end, digits *to) {
  for (; at < end && *at >= '0' && *at <= '9'; at++) {
    to->count++;
    if (to->value < UINT64_MAX / 10 - 1) to->value = 10 * to->value + (uint64_t)(*at - '0');
    else to->dropped++;
  }
  return at;
}

/* Return value * 10^power. Powers up to 22 are exact in double precision; below -300 two steps avoid that the
** factor underflows. */
static double times_ten(double value, int power) {
  static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (power >= 0 && power <= 22) return value * tens[power];
  if (power < 0 && power >= -22) return value / tens[-power];
  if (value == 0 || power < -400) return 0;
  if (power > 400) return INFINITY;
  return power < -300 ? value * pow(10, power + 150) * 1e-150 : value * pow(10, power);
}

/* Read the exponent behind an e, capped at +-100000; NULL: it has no digits. */
static const char *take_exponent(const char *at, const char *end, int *exponent) {
  bool minus = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) at++;
  /* Exponents are digits as well, read by the same function. */
  digits e = {0};
  at = take_digits(at, end, &e);
  /* Beyond this value the number is 0 or infinite anyway. */
  int value = e.value > 100000 ? 100000 : (int)e.value;
  *exponent = minus ? -value : value;
  return e.count ? at : NULL;
}

/* Read NaN and infinities as various programs write them; `value` has the sign. False: it is neither. */
static bool read_odd(const char *at, const char *end, double *value) {
  char lower[4] = "";
  /* The first three characters decide, in lower case. */
  for (int i = 0; i < 3 && at + i < end; i++) lower[i] = (char)tolower((unsigned char)at[i]);
  bool none = strcmp(lower, "nan") == 0 || strcmp(lower, "1.#") == 0; /* 1.#QNAN: as Windows writes it */
  if (!none && strcmp(lower, "inf") != 0) return false;
  *value = none ? NAN : *value * INFINITY;
  return true;
}

bool brio_cloud_number(brio_cloud_span word, double *value) {
  const char *at = word.at, *end = word.end;
  double sign = at < end && *at == '-' ? -1 : 1;
  if (at < end && (*at == '-' || *at == '+')) at++;
  *value = sign;
  /* A letter, or the # of Windows, begins a word that is not a decimal number. */
  if (at < end && (*at > '9' || (end - at > 2 && at[2] == '#'))) return read_odd(at, end, value);
  digits d = {0};
  at = take_digits(at, end, &d);
  /* Digits before the point. */
  int point = d.count, exponent = 0;
  if (at < end && *at == '.') at = take_digits(at + 1, end, &d);
  /* Each digit behind the point lowers the power of ten, each dropped digit raises it. */
  int power = d.dropped - (d.count - point);
  if (at < end && (*at == 'e' || *at == 'E')) at = take_exponent(at + 1, end, &exponent);
  if (at != end || d.count == 0) return false;
  *value = sign * times_ten((double)d.value, power + exponent);
  return true;
}

/* Read a whole number from 0 to `most`. Signs are not accepted, as it is a count or a size. */
bool brio_cloud_whole(brio_cloud_span word, long long most, long long *value) {
  digits d = {0};
  if (take_digits(word.at, word.end, &d) != word.end || d.count == 0 || d.dropped) return false;
  if (d.value > (uint64_t)most) return false;
  *value = (long long)d.value;
  return true;
}
