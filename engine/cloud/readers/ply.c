/* PLY: the Stanford polygon format, ascii and binary of both byte orders.
**
** A header of lines (format, element, property) up to end_header, then the elements in their order. The
** element `vertex` is the cloud; elements before it are skipped, those behind it are not read. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/files/reader.h"

enum { MAX_ELEMENTS = 32 };

/* An element; of its name only matters whether it is `vertex`. */
typedef struct ply_element {
  long long count;
  bool vertex;
  brio_cloud_layout layout;
} ply_element;

/* The state of a reader. */
typedef struct ply {
  brio_cloud_input *input;
  bool text, big_endian, format, ended;
  int nelement;
  ply_element elements[MAX_ELEMENTS];
} ply;

/* Each type has an old and a new name. */
static const struct {
  const char *name, *new_name;
  brio_cloud_type type;
} types[] = {{"char", "int8", BRIO_CLOUD_I1},     {"uchar", "uint8", BRIO_CLOUD_U1},
             {"short", "int16", BRIO_CLOUD_I2},   {"ushort", "uint16", BRIO_CLOUD_U2},
             {"int", "int32", BRIO_CLOUD_I4},     {"uint", "uint32", BRIO_CLOUD_U4},
             {"float", "float32", BRIO_CLOUD_F4}, {"double", "float64", BRIO_CLOUD_F8}};

/* Find a type by either of its names. Errors: format. */
static bool read_type(const ply *p, brio_cloud_span word, brio_cloud_type *type, brio_error *err) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (brio_cloud_is(word, types[i].name) || brio_cloud_is(word, types[i].new_name)) {
      *type = types[i].type;
      return true;
    }
  return brio_cloud_bad_word(p->input, word, "a type such as float or uchar", err);
}

/* ------------------------------------------------------------------ header */

/* Comments may be anywhere in the header. */
static bool read_comment(ply *p, brio_cloud_span rest, brio_error *err) {
  (void)p, (void)rest, (void)err;
  return true;
}

/* FORMAT: ascii, or binary in one of two byte orders; the version is ignored. */
static bool read_format(ply *p, brio_cloud_span rest, brio_error *err) {
  brio_cloud_span word;
  brio_cloud_word(&rest, &word);
  p->text = brio_cloud_is(word, "ascii");
  p->big_endian = brio_cloud_is(word, "binary_big_endian");
  p->format = p->text || p->big_endian || brio_cloud_is(word, "binary_little_endian");
  return p->format
             ? true
             : brio_cloud_bad_word(p->input, word, "ascii, binary_little_endian or binary_big_endian", err);
}

/* ELEMENT NAME COUNT: the properties that follow belong to it. */
static bool read_element(ply *p, brio_cloud_span rest, brio_error *err) {
  brio_cloud_span name, count;
  assert(p->nelement >= 0 && p->nelement <= MAX_ELEMENTS);
  if (p->nelement == MAX_ELEMENTS)
    return brio_fail(err, BRIO_FORMAT, "line %d: more than %d elements", p->input->line, MAX_ELEMENTS);
  ply_element *element = &p->elements[p->nelement];
  brio_cloud_word(&rest, &name);
  brio_cloud_word(&rest, &count);
  if (!brio_cloud_whole(count, INT_MAX, &element->count))
    return brio_cloud_bad_word(p->input, count, "how many there are", err);
  element->vertex = brio_cloud_is(name, "vertex");
  element->layout.count = 0;
  p->nelement++;
  return true;
}

/* `property TYPE NAME`, or `property list LENGTH TYPE NAME`. */
static bool read_property(ply *p, brio_cloud_span rest, brio_error *err) {
  /* A list has its own length in each row. */
  brio_cloud_property property = {.repeat = 1};
  brio_cloud_layout *layout = p->nelement > 0 ? &p->elements[p->nelement - 1].layout : NULL;
  brio_cloud_span word;
  /* A property needs an element before it; their number is limited. */
  if (!layout || layout->count == BRIO_CLOUD_PROPERTIES)
    return brio_fail(err, BRIO_FORMAT, "line %d: a property %s", p->input->line,
                     layout ? "too many" : "before any element");
  brio_cloud_word(&rest, &word);
  property.list = brio_cloud_is(word, "list");
  if (property.list) {
    brio_cloud_word(&rest, &word);
    if (!read_type(p, word, &property.length, err)) return false;
    brio_cloud_word(&rest, &word);
  }
  if (!read_type(p, word, &property.type, err)) return false;
  if (!brio_cloud_word(&rest, &word)) return brio_cloud_bad_word(p->input, word, "a property's name", err);
  property.channel = brio_cloud_channel_of(word);
  layout->properties[layout->count++] = property;
  return true;
}

/* end_header: the format must have been given by then. */
static bool read_end(ply *p, brio_cloud_span rest, brio_error *err) {
  (void)rest;
  p->ended = true;
  return p->format ? true : brio_fail(err, BRIO_FORMAT, "the header has no format");
}

/* The words that begin a line of the header. */
static const struct {
  const char *word;
  bool (*read)(ply *p, brio_cloud_span rest, brio_error *err);
} entries[] = {{"ply", read_comment},     {"comment", read_comment},   {"obj_info", read_comment},
               {"format", read_format},   {"element", read_element},   {"property", read_property},
               {"end_header", read_end}};

/* One line of the header; blank lines are skipped. Errors: format. */
static bool read_entry(ply *p, brio_cloud_span line, brio_error *err) {
  brio_cloud_span word;
  if (!brio_cloud_word(&line, &word)) return true;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (brio_cloud_is(word, entries[i].word)) return entries[i].read(p, line, err);
  return brio_cloud_bad_word(p->input, word, "comment, format, element, property or end_header", err);
}

/* Read lines up to end_header. Errors: format. */
static bool read_header(ply *p, brio_error *err) {
  brio_cloud_span line;
  while (!p->ended) {
    if (!brio_cloud_line(p->input, &line))
      return brio_fail(err, BRIO_FORMAT, "it is cut off: the header has no end_header");
    if (!read_entry(p, line, err)) return false;
  }
  return true;
}

/* ------------------------------------------------------------------ elements */

/* Read the rows of an element; without a cloud they are only skipped. */
static bool read_rows(const ply *p, brio_cloud *cloud, const ply_element *element, brio_error *err) {
  return p->text
             ? brio_cloud_rows_text(cloud, &element->layout, element->count, p->input, err)
             : brio_cloud_rows_binary(cloud, &element->layout, element->count, p->big_endian, p->input, err);
}

/* Read the points. Errors: format (no coordinates, cut off), limit, no_memory. */
static bool read_vertices(const ply *p, brio_cloud *cloud, ply_element *element, brio_error *err) {
  int parts = brio_cloud_layout_parts(&element->layout, err);
  if (parts < 0) return false;
  /* The announced number is compared with the limit and with the bytes that exist before memory is
  ** allocated. */
  if (element->count > p->input->limit)
    return brio_fail(err, BRIO_LIMIT, "it has %lld points: at most %d are taken", element->count,
                     p->input->limit);
  return brio_cloud_rows_fit(&element->layout, element->count, p->input, p->text, err) &&
         brio_cloud_resize(cloud, (int)element->count, 1, parts, err) && read_rows(p, cloud, element, err);
}

static bool read_elements(ply *p, brio_cloud *cloud, brio_error *err) {
  /* Elements before the vertices must be read to be skipped; those behind them are ignored. */
  for (int i = 0; i < p->nelement; i++) {
    if (!p->elements[i].vertex) {
      if (!read_rows(p, NULL, &p->elements[i], err)) return false;
      continue;
    }
    if (!read_vertices(p, cloud, &p->elements[i], err)) return false;
    if (i + 1 < p->nelement) p->input->rest.at = p->input->rest.end; /* faces: nobody asked for them */
    return true;
  }
  return brio_fail(err, BRIO_FORMAT, "it has no element vertex, so no points");
}

/* The header, then the elements; its state is on the heap, as it is large. */
static bool read_ply(brio_cloud *cloud, brio_cloud_input *input, brio_error *err) {
  ply *p = calloc(1, sizeof *p);
  if (!p) return brio_fail(err, BRIO_NO_MEMORY, "no memory to read a point cloud");
  p->input = input;
  bool good = read_header(p, err) && read_elements(p, cloud, err);
  free(p);
  return good;
}

const brio_cloud_reader brio_cloud_reader_ply = {
    .name = "ply",
    .doc = "Stanford polygon files: ascii, binary of both byte orders",
    .magic = "ply",
    .read = read_ply};
