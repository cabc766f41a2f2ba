/* A value is kept as a whole number of millionths of its unit, so n / 1e6 reads back as the
** nearest double of the rounded decimal.  A DOF that has no value in a chunk costs a null, one
** that stands still costs one integer, and only what moves costs a JSON array. */
#include "store/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 22, PACKED_BYTES = BRIO_CHUNK_TICKS * NUMBER_BYTES + 2 };

/* Beyond this a value times 1e6 leaves what 64 bits hold; it is kept as this. */
static const double largest = 9e12;

bool brio_chunk_reserve(brio_chunk *chunk, int ndof) {
  if (ndof <= chunk->room) return true;
  double *values = realloc(chunk->values, sizeof *values * (size_t)ndof * 3 * BRIO_CHUNK_TICKS);
  if (!values) return false;
  chunk->values = values;
  chunk->room = ndof;
  return true;
}

bool brio_chunk_add(brio_chunk *chunk, int64_t run, int64_t tick, double t, int ndof, const double *values) {
  if (chunk->count == 0) {
    chunk->run = run;
    chunk->tick = tick;
    chunk->step = 1;
    chunk->ndof = ndof;
  } else if (chunk->count == 1 && tick > chunk->tick) {
    chunk->step = tick - chunk->tick;
  }
  bool fits = chunk->count < BRIO_CHUNK_TICKS && chunk->run == run && chunk->ndof == ndof &&
              tick == chunk->tick + chunk->count * chunk->step;
  if (!fits) return false;
  chunk->t[chunk->count] = t;
  memcpy(chunk->values + (size_t)chunk->count * 3 * (size_t)ndof, values, sizeof *values * 3 * (size_t)ndof);
  chunk->count++;
  return true;
}

/* Nearest whole number of millionths; the caller has looked for NaN. */
static int64_t millionths(double value) { return llrint(fmin(fmax(value, -largest), largest) * 1e6); }

/* Write a whole number; return where it ends. */
static char *write_integer(char *out, int64_t number) {
  char digits[NUMBER_BYTES];
  int n = 0;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0) *out++ = '-';
  while (n) *out++ = digits[--n];
  return out;
}

/* Write `count` numbers, `stride` apart, as a JSON array of millionths; return its length. */
static size_t write_array(char *out, const double *numbers, int count, size_t stride) {
  char *start = out;
  for (int k = 0; k < count; k++) {
    double value = numbers[(size_t)k * stride];
    *out++ = k ? ',' : '[';
    if (value == value) out = write_integer(out, millionths(value));
    else out = (char *)memcpy(out, "null", 4) + 4;
  }
  *out++ = ']';
  return (size_t)(out - start);
}

/* Make one column of a DOF: null, an integer or an array written to `text`. */
static brio_value pack(const double *numbers, int count, size_t stride, char text[PACKED_BYTES]) {
  int nans = 0;
  bool still = true;
  int64_t first = numbers[0] == numbers[0] ? millionths(numbers[0]) : 0;
  for (int k = 0; k < count; k++) {
    double value = numbers[(size_t)k * stride];
    if (value != value) nans++;
    else if (millionths(value) != first) still = false;
  }
  if (nans == count) return brio_value_null();
  if (still && nans == 0) return brio_value_integer(first);
  brio_value value = {.type = BRIO_VALUE_TEXT};
  value.as.text.bytes = text;
  value.as.text.length = write_array(text, numbers, count, stride);
  return value;
}

bool brio_chunk_write(brio_chunk *chunk, brio_query *chunks, brio_query *values, brio_error *err) {
  char text[3][PACKED_BYTES];
  if (chunk->count == 0) return true;
  brio_value row[6] = {brio_value_integer(chunk->run), brio_value_integer(chunk->tick),
                       brio_value_integer(chunk->step), {.type = BRIO_VALUE_TEXT}};
  row[3].as.text.bytes = text[0];
  row[3].as.text.length = write_array(text[0], chunk->t, chunk->count, 1);
  if (!brio_query_run(chunks, row, 4, err)) return false;
  size_t n = (size_t)chunk->ndof;
  for (size_t dof = 0; dof < n; dof++) {
    row[2] = brio_value_integer((int64_t)dof);
    for (size_t what = 0; what < 3; what++)
      row[3 + what] = pack(chunk->values + what * n + dof, chunk->count, 3 * n, text[what]);
    if (!brio_query_run(values, row, 6, err)) return false;
  }
  chunk->count = 0;
  return true;
}

bool brio_chunk_copy(brio_chunk *copy, const brio_chunk *chunk) {
  if (!brio_chunk_reserve(copy, chunk->ndof)) return false;
  double *values = copy->values;
  int room = copy->room;
  *copy = *chunk;
  copy->values = values;
  copy->room = room;
  if (chunk->count)
    memcpy(values, chunk->values, sizeof *values * 3 * (size_t)chunk->ndof * (size_t)chunk->count);
  return true;
}

void brio_chunk_end(brio_chunk *chunk) {
  free(chunk->values);
  *chunk = (brio_chunk){0};
}
