/* The table of settings with their ranges, and how words are read into them. */
#include "drivers/cameras/settings.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

/* Most bytes of a calibration's file, and levels of its JSON; most px of a picture's side. */
enum { LONGEST = 1 << 20, DEEP = 16, SIDE = 16384 };

/* A setting: `count` numbers within a range, or a text of `size` bytes. */
typedef struct row {
  const char *name;
  size_t offset;       /* in brio_camera_settings */
  int count;           /* doubles; 0: a text */
  double lower, upper; /* of each number */
  size_t size;         /* bytes of a text, with its closing 0 */
} row;

#define NUMBER(field, lower, upper)                                                                          \
  { #field, offsetof(brio_camera_settings, field), 1, lower, upper, 0 }
#define TEXT(field)                                                                                          \
  { #field, offsetof(brio_camera_settings, field), 0, 0, 0, sizeof((brio_camera_settings *)0)->field }

/* All settings but `calibration` and `tag`, which have functions of their own. */
static const row rows[] = {
    TEXT(from),
    TEXT(format),
    TEXT(family),
    TEXT(cascade),
    TEXT(look),
    NUMBER(width, 0, SIDE),
    NUMBER(height, 0, SIDE),
    NUMBER(rate, 0.1, 1000),
    NUMBER(again, 0, 1),
    NUMBER(fx, 0, 1e6),
    NUMBER(fy, 0, 1e6),
    NUMBER(cx, -1e6, 1e6),
    NUMBER(cy, -1e6, 1e6),
    NUMBER(cwidth, 0, SIDE),
    NUMBER(cheight, 0, SIDE),
    NUMBER(fisheye, 0, 1),
    {"k", offsetof(brio_camera_settings, k), 6, -1e6, 1e6, 0},
    {"p", offsetof(brio_camera_settings, p), 2, -1e6, 1e6, 0},
    NUMBER(fov, 5, 170),
    NUMBER(tags, 0, 1),
    NUMBER(faces, 0, 1),
    NUMBER(people, 0, 1),
    NUMBER(size, 1e-4, 100),
    NUMBER(decimate, 1, 8),
    NUMBER(blur, 0, 10),
    NUMBER(sharpening, 0, 10),
    NUMBER(refine, 0, 1),
    NUMBER(hamming, 0, 2),
    NUMBER(margin, 0, 255),
    NUMBER(face, 0.01, 2),
    NUMBER(person, 0.1, 5),
    NUMBER(every, 1, 1000),
    NUMBER(frozen, 0, 3600),
    NUMBER(black, 0, 255),
    NUMBER(gap, 0.05, 3600),
    NUMBER(columns, 1, 40),
    NUMBER(rows, 1, 40),
    NUMBER(spacing, 0, 10),
    NUMBER(first, 0, 100000),
    NUMBER(radial, 0, 3),
    NUMBER(tangential, 0, 1),
    NUMBER(details, 0, 1),
};

void brio_camera_settings_start(brio_camera_settings *s) {
  *s = (brio_camera_settings){
      .family = "tag36h11", .rate = 30, .fov = 60, .size = 0.1, .tags = 1, .decimate = 2};
  /* defaults of detection, of people, of the board, and of watching */
  s->sharpening = 0.25, s->refine = 1, s->hamming = 1, s->margin = 20;
  s->face = 0.19, s->person = 1.9, s->every = 3;
  s->columns = 5, s->rows = 7, s->spacing = 0.006, s->radial = 2, s->tangential = 1;
  s->frozen = 0.5, s->black = 8, s->gap = 0.5;
}

/* Read a number that is followed by one of `ends` or by the end of the text.  Return where it ends, or NULL:
** there is none, or it is out of range (as NaN is). */
static const char *read_number(const char *text, const char *ends, double lower, double upper, double *out) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || !(value >= lower && value <= upper) || (*end && !strchr(ends, *end))) return NULL;
  *out = value;
  return end;
}

/* Return the entry of a tag, added if it has none, or NULL: the list is full. */
static brio_camera_tag *tag_of(brio_camera_settings *s, int id) {
  for (int i = 0; i < s->ntags; i++)
    if (s->known[i].id == id) return &s->known[i];
  if (s->ntags == BRIO_CAMERA_TAGS) return NULL;
  s->known[s->ntags] = (brio_camera_tag){.id = id};
  return &s->known[s->ntags++];
}

/* Read tag=ID:SIZE or tag=ID:SIZE:NAME; size in m, 0: that of all other tags. */
static bool read_tag(brio_camera_settings *s, const char *value, brio_error *err) {
  double id, size;
  const char *at = read_number(value, ":", 0, 1e9, &id);
  at = at && *at ? read_number(at + 1, ":", 0, 100, &size) : NULL;
  const char *name = at && *at ? at + 1 : "";
  brio_camera_tag *tag = at && id == (int)id ? tag_of(s, (int)id) : NULL;
  if (!tag || strlen(name) >= sizeof tag->name)
    return brio_fail(err, BRIO_MISUSE,
                     "tag expects ID:SIZE or ID:SIZE:NAME, as in tag=5:0.1:cup, at most %d of them, "
                     "not '%.100s'",
                     BRIO_CAMERA_TAGS, value);
  tag->size = size;
  snprintf(tag->name, sizeof tag->name, "%s", name);
  return true;
}

/* Read the intrinsics from a camera's JSON object; unknown fields are skipped.  Return false: it is
** malformed, or has no focal length or size. */
static bool read_camera(brio_camera_settings *s, brio_json *json) {
  const struct {
    const char *name;
    double *to;
  } numbers[] = {{"width", &s->cwidth}, {"height", &s->cheight}, {"fx", &s->fx},
                 {"fy", &s->fy},        {"cx", &s->cx},          {"cy", &s->cy}};
  const struct {
    const char *name;
    double *to;
    int count;
  } lists[] = {{"k", s->k, 6}, {"p", s->p, 2}};
  brio_json_text key;
  if (!brio_json_take(json, '{')) return false;
  do {
    bool known = false, flag;
    if (!brio_json_key(json, &key)) return false;
    /* a single number ... */
    for (int i = 0; i < 6 && !known; i++)
      if ((known = brio_json_is(&key, numbers[i].name)) && !brio_json_number(json, numbers[i].to))
        return false;
    /* ... or a list of distortion coefficients */
    for (int i = 0; i < 2 && !known; i++) {
      if (!(known = brio_json_is(&key, lists[i].name))) continue;
      int n = 0;
      if (!brio_json_take(json, '[')) return false;
      do
        if (n == lists[i].count || !brio_json_number(json, &lists[i].to[n++])) return false;
      while (brio_json_take(json, ','));
      if (!brio_json_take(json, ']')) return false;
    }
    if (!known && brio_json_is(&key, "fisheye")) {
      if (!brio_json_flag(json, &flag)) return false;
      s->fisheye = flag, known = true;
    }
    if (!known && !brio_json_skip(json, DEEP)) return false;
  } while (brio_json_take(json, ','));
  return brio_json_take(json, '}') && s->fx > 0 && s->cwidth > 0 && s->cwidth <= SIDE && s->cheight > 0 &&
         s->cheight <= SIDE;
}

/* Read calibration=FILE, as `brio calibrate camera` writes it: {"camera": {...}, ...}. */
static bool read_calibration(brio_camera_settings *s, const char *path, brio_error *err) {
  brio_text file = {0};
  brio_json_text key;
  bool found = false;
  if (!brio_text_read_file(&file, path, LONGEST, err)) return false;
  brio_json json = {file.bytes, file.bytes + file.length, true};
  /* skip other fields up to the camera; what follows it is not read */
  bool good = brio_json_take(&json, '{');
  while (good && !found && brio_json_key(&json, &key)) {
    found = brio_json_is(&key, "camera");
    good = found ? read_camera(s, &json) : brio_json_skip(&json, DEEP) && brio_json_take(&json, ',');
  }
  brio_text_end(&file);
  return (good && found) || brio_fail(err, BRIO_FORMAT,
                                      "%s: a file of `brio calibrate camera` is expected, with "
                                      "{\"camera\": {\"width\", \"height\", \"fx\", \"fy\", \"cx\", \"cy\"}}",
                                      path);
}

/* Read up to `count` numbers, separated by commas. */
static bool read_numbers(const row *r, const char *value, double *out, brio_error *err) {
  const char *at = value;
  for (int i = 0; i < r->count; i++) {
    at = read_number(at, ",", r->lower, r->upper, &out[i]);
    if (!at || (*at && i + 1 == r->count)) break;
    if (!*at) return true;
    at++;
  }
  return brio_fail(err, BRIO_MISUSE, "%s expects %s from %g to %g, not '%.100s'", r->name,
                   r->count == 1 ? "a number" : "numbers with commas", r->lower, r->upper, value);
}

bool brio_camera_settings_read(brio_camera_settings *s, const char *word, brio_error *err) {
  const char *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : 0;
  if (!equals) return brio_fail(err, BRIO_MISUSE, "settings are words NAME=VALUE, not '%.100s'", word);
  /* settings with a syntax of their own, then those of the table.  O(rows) */
  if (length == 11 && strncmp(word, "calibration", 11) == 0) return read_calibration(s, equals + 1, err);
  if (length == 3 && strncmp(word, "tag", 3) == 0) return read_tag(s, equals + 1, err);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row *r = &rows[i];
    void *field = (char *)s + r->offset;
    if (strlen(r->name) != length || strncmp(r->name, word, length) != 0) continue;
    if (r->count > 0) return read_numbers(r, equals + 1, field, err);
    if (strlen(equals + 1) >= r->size)
      return brio_fail(err, BRIO_MISUSE, "%s has at most %zu bytes", r->name, r->size - 1);
    snprintf(field, r->size, "%s", equals + 1);
    return true;
  }
  return brio_fail(err, BRIO_MISUSE, "there is no setting '%.*s'", (int)length, word);
}

bool brio_camera_settings_model(const brio_camera_settings *s, int width, int height, brio_camera *out,
                                brio_error *err) {
  brio_camera c = {
      .model = s->fisheye > 0 ? BRIO_CAMERA_FISHEYE : BRIO_CAMERA_PINHOLE, .width = width, .height = height};
  /* intrinsics unknown: a pinhole with `fov` degrees across, f = width / (2 tan(fov / 2)), no distortion */
  if (!(s->fx > 0)) {
    c.model = BRIO_CAMERA_PINHOLE;
    c.fx = c.fy = width / 2.0 / tan(s->fov / 2 * BRIO_PI / 180);
    c.cx = (width - 1) / 2.0, c.cy = (height - 1) / 2.0;
    *out = c;
    return true;
  }
  c.fx = s->fx, c.fy = s->fy > 0 ? s->fy : s->fx, c.cx = s->cx, c.cy = s->cy;
  memcpy(c.k, s->k, sizeof c.k);
  memcpy(c.p, s->p, sizeof c.p);
  if (s->cwidth > 0 && s->cheight > 0) c.width = (int)s->cwidth, c.height = (int)s->cheight;
  if (!brio_camera_check(&c, err)) return false;
  /* Intrinsics can be scaled to another size only if the aspect ratio is the same, to a pixel: a cropped
  ** picture would have another principal point. */
  if (fabs((double)c.width * height - (double)c.height * width) > fmax(width, height))
    return brio_fail(err, BRIO_FORMAT,
                     "wrong size: the pictures have %d x %d px, the intrinsics are for %d x %d", width,
                     height, c.width, c.height);
  *out = brio_camera_scaled(&c, width, height);
  return true;
}

const brio_camera_tag *brio_camera_settings_tag(const brio_camera_settings *s, int id) {
  for (int i = 0; i < s->ntags; i++)
    if (s->known[i].id == id) return &s->known[i];
  return NULL;
}
