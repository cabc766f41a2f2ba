/* Interface of a reader of point clouds, and functions that readers share: text in words and numbers, and
** rows of properties in text or binary.  To add one: engine/cloud/readers/<name>.c, and a row in
** cloud/readers.def. */
#ifndef BRIO_CLOUD_FILES_READER_H
#define BRIO_CLOUD_FILES_READER_H

#include "cloud/files/file.h"

/* A piece of the bytes; reading removes bytes from its front. */
typedef struct brio_cloud_span {
  const char *at, *end;
} brio_cloud_span;

/* State of a reader. */
typedef struct brio_cloud_input {
  brio_cloud_span rest; /* input that was not read yet */
  int line;             /* lines read so far */
  int limit;            /* most points */
} brio_cloud_input;

typedef struct brio_cloud_reader {
  const char *name, *doc;
  const char *magic; /* how such bytes begin; NULL: call `begins` */
  bool (*begins)(brio_cloud_span bytes);
  /* Fill the cloud; the points are judged by the caller.  After a failure the cloud's content is ignored. */
  bool (*read)(brio_cloud *cloud, brio_cloud_input *input, brio_error *err);
} brio_cloud_reader;

#define X(name) extern const brio_cloud_reader brio_cloud_reader_##name;
#include "cloud/readers.def"
#undef X

/* ---- text (text.c) */

/* Return how many bytes are left. */
static inline size_t brio_cloud_left(brio_cloud_span span) { return (size_t)(span.end - span.at); }

/* Read the next line, without its end (as on Unix or Windows); false: end of the input. */
bool brio_cloud_line(brio_cloud_input *input, brio_cloud_span *line);

/* Read the next word of the span; false at its end. */
bool brio_cloud_word(brio_cloud_span *span, brio_cloud_span *word);

/* Whether a word is this one. */
bool brio_cloud_is(brio_cloud_span word, const char *text);

/* Fail with format: a word of the present line is not what was expected. */
bool brio_cloud_bad_word(const brio_cloud_input *input, brio_cloud_span word, const char *expected,
                         brio_error *err);

/* Read a decimal number, nan or inf, in any language's C locale; false: the word is not a number.  Correct
** to 1 in 1e15. */
bool brio_cloud_number(brio_cloud_span word, double *value);

/* Read an integer from 0 to `most`; false: the word is not one. */
bool brio_cloud_whole(brio_cloud_span word, long long most, long long *value);

/* ---- columns (columns.c) */

/* The channel of the cloud that a property fills. */
typedef enum brio_cloud_channel {
  BRIO_CLOUD_NOTHING, /* it is skipped */
  BRIO_CLOUD_X, BRIO_CLOUD_Y, BRIO_CLOUD_Z,
  BRIO_CLOUD_PACKED,  /* a color in 32 bits: blue in the lowest, then green, red */
  BRIO_CLOUD_RED, BRIO_CLOUD_GREEN, BRIO_CLOUD_BLUE,
  BRIO_CLOUD_LABEL,
  BRIO_CLOUD_NCHANNEL
} brio_cloud_channel;

/* The kinds of numbers that files have. */
typedef enum brio_cloud_type {
  BRIO_CLOUD_I1, BRIO_CLOUD_I2, BRIO_CLOUD_I4, BRIO_CLOUD_I8,
  BRIO_CLOUD_U1, BRIO_CLOUD_U2, BRIO_CLOUD_U4, BRIO_CLOUD_U8,
  BRIO_CLOUD_F4, BRIO_CLOUD_F8,
  BRIO_CLOUD_NTYPE
} brio_cloud_type;

enum { BRIO_CLOUD_PROPERTIES = 256, BRIO_CLOUD_REPEAT = 65536 };

/* One property of a row. */
typedef struct brio_cloud_property {
  brio_cloud_channel channel; /* of its first number */
  brio_cloud_type type;
  int repeat;                 /* how many numbers: 1 or more */
  bool list;                  /* a list: its length stands before it, and `repeat` is ignored */
  brio_cloud_type length;     /* a list's length is of this type */
} brio_cloud_property;

/* Layout of a row. */
typedef struct brio_cloud_layout {
  int count;
  brio_cloud_property properties[BRIO_CLOUD_PROPERTIES];
} brio_cloud_layout;

/* Return the bytes of a number of that type. */
size_t brio_cloud_type_size(brio_cloud_type type);

/* Return the bytes of one number of a type times its repeats; of a list: of its length. */
size_t brio_cloud_property_size(const brio_cloud_property *property);

/* Return the channel of a property by its name. */
brio_cloud_channel brio_cloud_channel_of(brio_cloud_span name);

/* Return the parts of a cloud of that layout, and correct the layout: a channel that is named twice, or two
** colors of three, are skipped.  -1 when x, y or z is absent.  Errors: format. */
int brio_cloud_layout_parts(brio_cloud_layout *layout, brio_error *err);

/* Write a column of count numbers, `stride` bytes apart, to a channel. */
void brio_cloud_put_column(brio_cloud *cloud, const brio_cloud_property *property, const char *first,
                           size_t stride, bool big_endian);

/* Write a binary number to a channel of place i. */
void brio_cloud_put_bytes(brio_cloud *cloud, const brio_cloud_property *property, int i, const char *bytes,
                          bool big_endian);

/* Write a number from text to a channel of place i. */
void brio_cloud_put_number(brio_cloud *cloud, const brio_cloud_property *property, int i, double value);

/* Return the binary number as a double. */
double brio_cloud_number_at(brio_cloud_type type, const char *bytes, bool big_endian);

/* ---- rows (rows.c) */

/* Check whether `count` rows can fit in the rest of the input; called before memory for them is allocated.
** Errors: format. */
bool brio_cloud_rows_fit(const brio_cloud_layout *layout, long long count, const brio_cloud_input *input,
                         bool text, brio_error *err);

/* Read `count` rows, a line each, of text.  `cloud` NULL: skip them.  Errors: format. */
bool brio_cloud_rows_text(brio_cloud *cloud, const brio_cloud_layout *layout, long long count,
                          brio_cloud_input *input, brio_error *err);

/* Read `count` binary rows.  `cloud` NULL: skip them.  Errors: format. */
bool brio_cloud_rows_binary(brio_cloud *cloud, const brio_cloud_layout *layout, long long count,
                            bool big_endian, brio_cloud_input *input, brio_error *err);

#endif
