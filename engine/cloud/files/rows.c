/* Rows of properties, in text or binary, as in PCD and PLY files.
**
** Before memory is allocated for what a header announces, brio_cloud_rows_fit compares it with the bytes that
** exist: a row of text has at least a digit and a space for each number, a binary row its bytes. */
#include <assert.h>

#include "cloud/files/reader.h"

/* The least number of bytes in a row; `lists`: rows may be longer. */
static size_t least_bytes(const brio_cloud_layout *layout, bool text, bool *lists) {
  size_t bytes = 0;
  *lists = false;
  for (int i = 0; i < layout->count; i++) {
    const brio_cloud_property *p = &layout->properties[i];
    *lists = *lists || p->list;
    bytes += !text ? brio_cloud_property_size(p) : p->list ? 2 : 2 * (size_t)p->repeat;
  }
  return bytes;
}

bool brio_cloud_rows_fit(const brio_cloud_layout *layout, long long count, const brio_cloud_input *input,
                         bool text, brio_error *err) {
  bool lists;
  /* The last line of a text need not end: one byte more. */
  size_t bytes = least_bytes(layout, text, &lists), left = brio_cloud_left(input->rest) + (text ? 1 : 0);
  if (bytes == 0 || (unsigned long long)count <= left / bytes) return true;
  return brio_fail(
      err, BRIO_FORMAT,
      "it is cut off, or its header is wrong: it declares %lld rows of %s%zu bytes, but has %zu bytes", count,
      text || lists ? "at least " : "", bytes, brio_cloud_left(input->rest));
}

/* ------------------------------------------------------------------ text */

/* Read the next number of a line. Errors: format, with the number of the line. */
static bool read_word(brio_cloud_span *line, const brio_cloud_input *input, double *value, brio_error *err) {
  brio_cloud_span word;
  if (!brio_cloud_word(line, &word))
    return brio_fail(err, BRIO_FORMAT, "line %d has too few numbers", input->line);
  if (brio_cloud_number(word, value)) return true;
  return brio_fail(err, BRIO_FORMAT, "line %d: '%.*s' is no number", input->line,
                   (int)(brio_cloud_left(word) < 40 ? brio_cloud_left(word) : 40), word.at);
}

/* Return how many numbers a property has in this line; -1 on an error (format). */
static long long repeats(const brio_cloud_property *p, brio_cloud_span *line, const brio_cloud_input *input,
                         brio_error *err) {
  double length = p->repeat;
  if (p->list && !read_word(line, input, &length, err)) return -1;
  /* NaN and huge lengths are rejected before the conversion. */
  if (length >= 0 && length <= 1e9) return (long long)length;
  return brio_fail(err, BRIO_FORMAT, "line %d: a list of %g numbers", input->line, length), -1;
}

/* Read one row of text. Without a cloud it is only checked. O(bytes) */
static bool read_line(brio_cloud *cloud, const brio_cloud_layout *layout, int i, brio_cloud_span line,
                      const brio_cloud_input *input, brio_error *err) {
  double value;
  for (int k = 0; k < layout->count; k++) {
    const brio_cloud_property *p = &layout->properties[k];
    long long n = repeats(p, &line, input, err);
    if (n < 0) return false;
    for (long long j = 0; j < n; j++) {
      if (!read_word(&line, input, &value, err)) return false;
      /* Of several numbers of one property only the first is used. */
      if (j == 0 && cloud) brio_cloud_put_number(cloud, p, i, value);
    }
  }
  return true;
}

/* Find the next line that is not blank; false: the input ends. */
static bool next_row(brio_cloud_input *input, brio_cloud_span *row) {
  brio_cloud_span line, word;
  while (brio_cloud_line(input, row)) {
    line = *row;
    if (brio_cloud_word(&line, &word)) return true;
  }
  return false;
}

bool brio_cloud_rows_text(brio_cloud *cloud, const brio_cloud_layout *layout, long long count,
                          brio_cloud_input *input, brio_error *err) {
  brio_cloud_span row;
  for (long long i = 0; i < count && layout->count > 0; i++) {
    if (!next_row(input, &row))
      return brio_fail(err, BRIO_FORMAT, "it is cut off: %lld rows of %lld are there", i, count);
    if (!read_line(cloud, layout, (int)i, row, input, err)) return false;
  }
  return true;
}

/* ------------------------------------------------------------------ binary */

/* Fail with format: the input ends after row i. */
static bool cut_off(long long i, long long count, brio_error *err) {
  return brio_fail(err, BRIO_FORMAT, "it is cut off: %lld rows of %lld are there", i, count);
}

/* Read one property of row i; without a cloud skip it. Return false if the input ends within it. */
static bool read_property(brio_cloud *cloud, const brio_cloud_property *p, int i, bool big_endian,
                          brio_cloud_span *rest) {
  size_t bytes = brio_cloud_property_size(p);
  if (brio_cloud_left(*rest) < bytes) return false;
  if (!p->list) {
    if (cloud) brio_cloud_put_bytes(cloud, p, i, rest->at, big_endian);
  } else {
    /* The length comes from the file: compare it with the remaining bytes before it is used. */
    double length = brio_cloud_number_at(p->length, rest->at, big_endian);
    /* In double: the product of two integers could overflow. */
    double size = length * (double)brio_cloud_type_size(p->type);
    if (!(length >= 0) || size > (double)(brio_cloud_left(*rest) - bytes)) return false;
    bytes += (size_t)length * brio_cloud_type_size(p->type);
  }
  rest->at += bytes;
  return true;
}

/* Rows with lists differ in length, so they are read one by one. */
static bool walk_rows(brio_cloud *cloud, const brio_cloud_layout *layout, long long count, bool big_endian,
                      brio_cloud_input *input, brio_error *err) {
  for (long long i = 0; i < count; i++)
    for (int k = 0; k < layout->count; k++)
      if (!read_property(cloud, &layout->properties[k], (int)i, big_endian, &input->rest))
        return cut_off(i, count, err);
  return true;
}

bool brio_cloud_rows_binary(brio_cloud *cloud, const brio_cloud_layout *layout, long long count,
                            bool big_endian, brio_cloud_input *input, brio_error *err) {
  bool lists;
  /* Without columns there is nothing to read. */
  size_t bytes = least_bytes(layout, false, &lists), offset = 0;
  if (bytes == 0) return true;
  /* Without lists all rows are equally long, and whole columns are read. */
  if (lists) return walk_rows(cloud, layout, count, big_endian, input, err);
  if ((unsigned long long)count > brio_cloud_left(input->rest) / bytes)
    return cut_off((long long)(brio_cloud_left(input->rest) / bytes), count, err);
  for (int k = 0; k < layout->count && cloud && count > 0; k++) {
    /* Each column begins `offset` bytes into the first row, with a stride of one row. */
    brio_cloud_put_column(cloud, &layout->properties[k], input->rest.at + offset, bytes, big_endian);
    offset += brio_cloud_property_size(&layout->properties[k]);
  }
  assert(offset <= bytes);
  input->rest.at += (size_t)count * bytes;
  return true;
}
