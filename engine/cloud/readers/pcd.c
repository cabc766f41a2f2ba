/* PCD: the files of the Point Cloud Library, versions 0.5 to 0.7.
**
** A header of lines (FIELDS, SIZE, TYPE, COUNT, WIDTH, HEIGHT, VIEWPOINT, POINTS, DATA), then the
** points: a line each (ascii), records (binary), or columns packed by LZF (binary_compressed)
** behind two uint32, the packed and the unpacked length. Fields may be in any order; those
** without a place in a cloud are skipped.
**
** The unpacker is liblzf; this is the only file that includes it. */
#include <limits.h>
#include <lzf.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/files/reader.h"

enum { MAX_PACKED = 300 /* bytes that LZF can make of one, rounded up */ };

/* The state of a reader: the lists of the header in their order, then the layout made from them. */
typedef struct pcd {
  brio_cloud_input *input;
  int nname, nsize, ntype, ncount;
  brio_cloud_channel channels[BRIO_CLOUD_PROPERTIES];
  long long sizes[BRIO_CLOUD_PROPERTIES], counts[BRIO_CLOUD_PROPERTIES];
  char types[BRIO_CLOUD_PROPERTIES];
  long long width, height, points; /* -1: not told */
  brio_pose viewpoint;
  bool (*data)(struct pcd *pcd, brio_cloud *cloud, brio_error *err);
  bool text;
  brio_cloud_layout layout;
} pcd;

/* ------------------------------------------------------------------ data */

/* The three kinds of DATA. Each reads cloud->count rows by p->layout; errors: format, no_memory. */
static bool read_ascii(pcd *p, brio_cloud *cloud, brio_error *err) {
  return brio_cloud_rows_text(cloud, &p->layout, cloud->count, p->input, err);
}

static bool read_binary(pcd *p, brio_cloud *cloud, brio_error *err) {
  return brio_cloud_rows_binary(cloud, &p->layout, cloud->count, false, p->input, err);
}

/* The bytes of one point in binary form. */
static size_t record_size(const pcd *p) {
  size_t bytes = 0;
  for (int i = 0; i < p->layout.count; i++) bytes += brio_cloud_property_size(&p->layout.properties[i]);
  return bytes;
}

/* Write columns that follow one another, as they do after decompression. */
static void put_columns(const pcd *p, brio_cloud *cloud, const char *bytes) {
  for (int i = 0; i < p->layout.count; i++) {
    const brio_cloud_property *property = &p->layout.properties[i];
    size_t size = brio_cloud_property_size(property);
    brio_cloud_put_column(cloud, property, bytes, size, false);
    bytes += size * (size_t)cloud->count;
  }
}

static bool read_compressed(pcd *p, brio_cloud *cloud, brio_error *err) {
  /* Both lengths come from the file: compare each with the bytes that exist before memory is allocated. */
  brio_cloud_span *rest = &p->input->rest;
  if (brio_cloud_left(*rest) < 8)
    return brio_fail(err, BRIO_FORMAT, "it is cut off: no compressed data are there");
  size_t packed = (size_t)brio_cloud_number_at(BRIO_CLOUD_U4, rest->at, false);
  size_t size = (size_t)brio_cloud_number_at(BRIO_CLOUD_U4, rest->at + 4, false);
  size_t record = record_size(p);
  rest->at += 8;
  if (packed > brio_cloud_left(*rest))
    return brio_fail(err, BRIO_FORMAT, "it is cut off: %zu compressed bytes are announced, %zu are there",
                     packed, brio_cloud_left(*rest));
  if (size != record * (size_t)cloud->count || (size > 0 && (packed == 0 || size / MAX_PACKED > packed)))
    return brio_fail(err, BRIO_FORMAT, "%d points of %zu bytes cannot be %zu bytes, compressed to %zu",
                     cloud->count, record, size, packed);
  char *bytes = malloc(size + 1);
  if (!bytes) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %zu bytes of points", size);
  /* The result must have exactly the announced length. */
  bool good = size == 0 || lzf_decompress(rest->at, (unsigned)packed, bytes, (unsigned)size) == size;
  if (good) put_columns(p, cloud, bytes);
  else brio_fail(err, BRIO_FORMAT, "the compressed data are damaged");
  free(bytes);
  rest->at += packed;
  return good;
}

/* ------------------------------------------------------------------ header */

/* Fail with format: a list of the header is too long. */
static bool too_many(const pcd *p, brio_error *err) {
  return brio_fail(err, BRIO_FORMAT, "line %d: more than %d fields", p->input->line, BRIO_CLOUD_PROPERTIES);
}

/* Every version is read alike. */
static bool read_version(pcd *p, brio_cloud_span rest, brio_error *err) {
  (void)p, (void)rest, (void)err; /* they are all read alike */
  return true;
}

/* FIELDS: the channel of each name; unknown names are skipped when points are read. */
static bool read_fields(pcd *p, brio_cloud_span rest, brio_error *err) {
  brio_cloud_span word;
  for (p->nname = 0; brio_cloud_word(&rest, &word); p->nname++) {
    if (p->nname == BRIO_CLOUD_PROPERTIES) return too_many(p, err);
    p->channels[p->nname] = brio_cloud_channel_of(word);
  }
  return true;
}

/* Read a list of whole numbers from 1 to `most`, one for each field. Errors: format. */
static bool read_wholes(pcd *p, brio_cloud_span rest, long long most, long long *out, int *count,
                        brio_error *err) {
  brio_cloud_span word;
  for (*count = 0; brio_cloud_word(&rest, &word); (*count)++) {
    if (*count == BRIO_CLOUD_PROPERTIES) return too_many(p, err);
    if (!brio_cloud_whole(word, most, &out[*count]) || out[*count] < 1)
      return brio_cloud_bad_word(p->input, word, "a number above 0", err);
  }
  return true;
}

static bool read_sizes(pcd *p, brio_cloud_span rest, brio_error *err) {
  return read_wholes(p, rest, 8, p->sizes, &p->nsize, err);
}

static bool read_counts(pcd *p, brio_cloud_span rest, brio_error *err) {
  return read_wholes(p, rest, BRIO_CLOUD_REPEAT, p->counts, &p->ncount, err);
}

/* TYPE: I, U or F for each field. */
static bool read_types(pcd *p, brio_cloud_span rest, brio_error *err) {
  brio_cloud_span word;
  for (p->ntype = 0; brio_cloud_word(&rest, &word); p->ntype++) {
    if (p->ntype == BRIO_CLOUD_PROPERTIES) return too_many(p, err);
    if (brio_cloud_left(word) != 1 || !strchr("IUF", *word.at))
      return brio_cloud_bad_word(p->input, word, "I, U or F", err);
    p->types[p->ntype] = *word.at;
  }
  return true;
}

/* Read a number of points. Errors: format. */
static bool read_size(pcd *p, brio_cloud_span rest, long long *out, brio_error *err) {
  brio_cloud_span word;
  brio_cloud_word(&rest, &word);
  return brio_cloud_whole(word, INT_MAX, out) ||
         brio_cloud_bad_word(p->input, word, "a number of points", err);
}

static bool read_width(pcd *p, brio_cloud_span rest, brio_error *err) {
  return read_size(p, rest, &p->width, err);
}
static bool read_height(pcd *p, brio_cloud_span rest, brio_error *err) {
  return read_size(p, rest, &p->height, err);
}
static bool read_points(pcd *p, brio_cloud_span rest, brio_error *err) {
  return read_size(p, rest, &p->points, err);
}

/* VIEWPOINT: position, then the quaternion with w first. A pose that is not finite is ignored. */
static bool read_viewpoint(pcd *p, brio_cloud_span rest, brio_error *err) {
  double v[7] = {0};
  brio_cloud_span word;
  for (int i = 0; i < 7 && brio_cloud_word(&rest, &word); i++)
    if (!brio_cloud_number(word, &v[i])) return brio_cloud_bad_word(p->input, word, "a number", err);
  /* In the file w comes first, in brio last. */
  brio_pose pose = {{v[0], v[1], v[2]}, brio_quat_unit((brio_quat){v[4], v[5], v[6], v[3]})};
  if (brio_pose_finite(pose)) p->viewpoint = pose;
  return true;
}

/* DATA ends the header and determines how the points are read. */
static bool read_data(pcd *p, brio_cloud_span rest, brio_error *err) {
  static const struct {
    const char *name;
    bool text;
    bool (*read)(pcd *p, brio_cloud *cloud, brio_error *err);
  } kinds[] = {{"ascii", true, read_ascii}, {"binary", false, read_binary},
               {"binary_compressed", false, read_compressed}};
  brio_cloud_span word;
  brio_cloud_word(&rest, &word);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (brio_cloud_is(word, kinds[i].name)) {
      p->data = kinds[i].read;
      p->text = kinds[i].text;
    }
  return p->data ? true : brio_cloud_bad_word(p->input, word, "ascii, binary or binary_compressed", err);
}

/* The words that begin a line of the header. */
static const struct {
  const char *word;
  bool (*read)(pcd *p, brio_cloud_span rest, brio_error *err);
} entries[] = {{"VERSION", read_version}, {"FIELDS", read_fields}, {"COLUMNS", read_fields},
               {"SIZE", read_sizes},      {"TYPE", read_types},    {"COUNT", read_counts},
               {"WIDTH", read_width},     {"HEIGHT", read_height}, {"VIEWPOINT", read_viewpoint},
               {"POINTS", read_points},   {"DATA", read_data}};

/* One line of the header; blank lines and comments are skipped. Errors: format. */
static bool read_entry(pcd *p, brio_cloud_span line, brio_error *err) {
  brio_cloud_span word;
  if (!brio_cloud_word(&line, &word) || *word.at == '#') return true;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (brio_cloud_is(word, entries[i].word)) return entries[i].read(p, line, err);
  return brio_cloud_bad_word(p->input, word,
                             "FIELDS, SIZE, TYPE, COUNT, WIDTH, HEIGHT, VIEWPOINT, POINTS or DATA", err);
}

/* Return the type of a letter and a size in bytes; BRIO_CLOUD_NTYPE: there is none. */
static brio_cloud_type type_of(char letter, long long size) {
  static const char *const letters = "IIIIUUUUFF";
  for (int i = 0; i < BRIO_CLOUD_NTYPE; i++)
    if (letters[i] == letter && (long long)brio_cloud_type_size((brio_cloud_type)i) == size)
      return (brio_cloud_type)i;
  return BRIO_CLOUD_NTYPE;
}

/* Make the layout from the header's lists, which must be equally long; without COUNT each field has one
** number. Errors: format. */
static bool make_layout(pcd *p, brio_error *err) {
  if (p->nname == 0) return brio_fail(err, BRIO_FORMAT, "the header has no FIELDS");
  for (int i = 0; i < p->nname && p->ncount == 0; i++) p->counts[i] = 1;
  if (p->nsize != p->nname || p->ntype != p->nname || (p->ncount != p->nname && p->ncount != 0))
    return brio_fail(err, BRIO_FORMAT, "FIELDS names %d fields, SIZE %d, TYPE %d, COUNT %d", p->nname,
                     p->nsize, p->ntype, p->ncount);
  p->layout.count = p->nname;
  for (int i = 0; i < p->nname; i++) {
    brio_cloud_type type = type_of(p->types[i], p->sizes[i]);
    if (type == BRIO_CLOUD_NTYPE)
      return brio_fail(err, BRIO_FORMAT, "field %d: there is no type %c of %lld bytes", i + 1, p->types[i],
                       p->sizes[i]);
    p->layout.properties[i] = (brio_cloud_property){
        .channel = p->channels[i], .type = type, .repeat = (int)p->counts[i]};
  }
  return true;
}

/* Determine the number of points, which the header states twice. Errors: format (they differ), limit. */
static bool find_size(pcd *p, brio_error *err) {
  /* Old files have only POINTS; HEIGHT is 1 where it is missing. */
  if (p->width < 0) p->width = p->points;
  if (p->height < 0) p->height = 1;
  if (p->width < 0) return brio_fail(err, BRIO_FORMAT, "the header has neither WIDTH nor POINTS");
  long long count = p->width * p->height;
  if (p->points >= 0 && p->points != count)
    return brio_fail(err, BRIO_FORMAT,
                     "the header is inconsistent: POINTS is %lld, but WIDTH times HEIGHT is %lld x %lld",
                     p->points, p->width, p->height);
  if (count <= p->input->limit) return true;
  return brio_fail(err, BRIO_LIMIT, "it has %lld points: at most %d are taken", count, p->input->limit);
}

/* Read lines up to DATA. Errors: format, limit. */
static bool read_header(pcd *p, brio_error *err) {
  brio_cloud_span line;
  while (!p->data) {
    if (!brio_cloud_line(p->input, &line))
      return brio_fail(err, BRIO_FORMAT, "it is cut off: the header has no DATA");
    if (!read_entry(p, line, err)) return false;
  }
  return make_layout(p, err) && find_size(p, err);
}

/* Whether the announced points can be in the bytes that exist. Compressed points have a length of their
** own. */
static bool fits(const pcd *p, brio_error *err) {
  long long count = p->width * p->height;
  if (p->data != read_compressed) return brio_cloud_rows_fit(&p->layout, count, p->input, p->text, err);
  size_t left = brio_cloud_left(p->input->rest);
  if ((unsigned long long)count * record_size(p) / MAX_PACKED <= left) return true;
  return brio_fail(err, BRIO_FORMAT,
                   "it is cut off, or its header is wrong: %lld points do not fit into "
                   "%zu bytes",
                   count, left);
}

/* Nothing is allocated for points before the header is checked. */
static bool read_pcd(brio_cloud *cloud, brio_cloud_input *input, brio_error *err) {
  pcd *p = calloc(1, sizeof *p);
  if (!p) return brio_fail(err, BRIO_NO_MEMORY, "no memory to read a point cloud");
  *p = (pcd){.input = input, .width = -1, .height = -1, .points = -1, .viewpoint = BRIO_POSE_IDENTITY};
  int parts = -1;
  bool good = read_header(p, err) && (parts = brio_cloud_layout_parts(&p->layout, err)) >= 0 &&
              fits(p, err) && brio_cloud_resize(cloud, (int)p->width, (int)p->height, parts, err) &&
              p->data(p, cloud, err);
  if (good) cloud->viewpoint = p->viewpoint;
  free(p);
  return good;
}

/* Whether the first word that is not in a comment belongs to a PCD header: files often begin with a
** comment. */
static bool begins(brio_cloud_span bytes) {
  brio_cloud_input input = {.rest = bytes};
  brio_cloud_span line, word;
  /* Twenty lines of comments at most. */
  while (input.line < 20 && brio_cloud_line(&input, &line)) {
    if (!brio_cloud_word(&line, &word) || *word.at == '#') continue;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
      if (brio_cloud_is(word, entries[i].word)) return true;
    return false;
  }
  return false;
}

const brio_cloud_reader brio_cloud_reader_pcd = {
    .name = "pcd", .doc = "Point Cloud Library files: ascii, binary, binary_compressed", .begins = begins,
    .read = read_pcd};
