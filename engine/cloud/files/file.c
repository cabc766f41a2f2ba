/* Point clouds from bytes: the choice of a reader, and what all readers share: axes, units, limits and the
** check of points. */
#include "cloud/files/file.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cloud/files/reader.h"

static const size_t LARGEST = (size_t)1 << 30; /* bytes of a file, at most */

/* In the order of readers.def; the first reader that recognizes the bytes reads them. */
static const brio_cloud_reader *const readers[] = {
#define X(name) &brio_cloud_reader_##name,
#include "cloud/readers.def"
#undef X
};

enum { NREADER = sizeof readers / sizeof *readers };

/* ------------------------------------------------------------------ axes */

/* The directions of x, y and z in the usual conventions. */
static const struct {
  const char *name, *axes;
} conventions[] = {{"robot", "forward left up"},
                   {"optical", "right down forward"},
                   {"opengl", "right up back"},
                   {"unity", "right up forward"}};

/* The axis and the sign of a direction in brio's axes: forward, left, up. */
static const struct {
  const char *word;
  int axis, sign;
} directions[] = {{"forward", 0, 1}, {"back", 0, -1}, {"left", 1, 1},
                  {"right", 1, -1},  {"up", 2, 1},    {"down", 2, -1}};

/* Write the direction of a word into column `k` of the matrix; return its axis, or -1. */
static int put_direction(brio_cloud_span word, int k, double matrix[9]) {
  for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
    if (brio_cloud_is(word, directions[i].word)) {
      matrix[3 * directions[i].axis + k] = directions[i].sign;
      return directions[i].axis;
    }
  return -1;
}

/* Three words, each for another axis, make a signed permutation matrix. */
bool brio_cloud_axes(const char *text, double matrix[9], brio_error *err) {
  const char *axes = text && *text ? text : "robot";
  for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++)
    if (strcmp(axes, conventions[i].name) == 0) axes = conventions[i].axes;
  brio_cloud_span span = {axes, axes + strlen(axes)}, word;
  /* Bits of the axes that were named. */
  int seen = 0;
  memset(matrix, 0, 9 * sizeof *matrix);
  for (int k = 0; k < 3; k++) {
    int axis = brio_cloud_word(&span, &word) ? put_direction(word, k, matrix) : -1;
    if (axis >= 0) seen |= 1 << axis;
  }
  /* 7: all three axes were named. */
  if (seen == 7 && !brio_cloud_word(&span, &word)) return true;
  return brio_fail(
      err, BRIO_MISUSE,
      "axes are where x, y and z point, such as \"right down forward\", or one of robot, optical, opengl, "
      "unity, not '%.60s'",
      text);
}

/* Rotate and scale the points and the viewpoint; `m` may mirror. O(points) */
static void turn(brio_cloud *cloud, const double m[9], double unit) {
  for (int i = 0; i < cloud->count; i++) {
    float *p = cloud->points[i];
    double x = unit * p[0], y = unit * p[1], z = unit * p[2];
    for (int k = 0; k < 3; k++) p[k] = (float)(m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z);
  }
  /* The viewpoint's rotation is m r m^T, which is a rotation even if m mirrors. */
  brio_transform t = brio_transform_of(cloud->viewpoint), half, turned = {{0}, {0, 0, 0}};
  for (int i = 0; i < 9; i++) half.r[i] = m[i];
  turned.p = brio_vec3_scale(unit, brio_transform_direction(&half, t.p));
  for (int i = 0; i < 9; i++) /* m r m^T */
    for (int k = 0; k < 9; k++) turned.r[i] += m[3 * (i / 3) + k / 3] * t.r[k] * m[3 * (i % 3) + k % 3];
  cloud->viewpoint = brio_pose_of(&turned);
}

/* ------------------------------------------------------------------ reading */

/* Return the first reader that recognizes the bytes; NULL: there is none. */
static const brio_cloud_reader *reader_of(brio_cloud_span bytes) {
  for (int i = 0; i < NREADER; i++) {
    /* A reader has a magic text at the beginning of files, or a function. */
    const char *magic = readers[i]->magic;
    size_t length = magic ? strlen(magic) : 0;
    if (magic ? brio_cloud_left(bytes) >= length && memcmp(bytes.at, magic, length) == 0
              : readers[i]->begins(bytes))
      return readers[i];
  }
  return NULL;
}

/* Read in the file's own axes and unit. Errors: format, limit, no_memory. */
static bool read_as_it_is(brio_cloud *cloud, brio_cloud_span bytes, int limit, brio_error *err) {
  if (brio_cloud_left(bytes) == 0) return brio_fail(err, BRIO_FORMAT, "it is empty");
  const brio_cloud_reader *reader = reader_of(bytes);
  if (!reader)
    return brio_fail(err, BRIO_FORMAT,
                     "it is no point cloud: PCD, PLY or a raw frame (\"BRPC\") was expected");
  brio_cloud_input input = {.rest = bytes, .limit = limit};
  if (!reader->read(cloud, &input, err)) return brio_fail_in(err, "%s", reader->name);
  /* Bytes behind the cloud are counted, not read. */
  cloud->unread = (long long)brio_cloud_left(input.rest);
  return true;
}

bool brio_cloud_read(brio_cloud *cloud, const void *bytes, size_t length, const brio_cloud_settings *settings,
                     brio_error *err) {
  brio_cloud_settings as = settings ? *settings : (brio_cloud_settings){0};
  brio_cloud_span span = {bytes, bytes ? (const char *)bytes + length : NULL};
  double matrix[9], unit = as.unit == 0 ? 1 : as.unit;
  int limit = as.limit > 0 && as.limit < BRIO_CLOUD_POINTS ? as.limit : BRIO_CLOUD_POINTS;
  /* The cloud stays empty until everything is read. */
  brio_cloud_resize(cloud, 0, 1, 0, NULL);
  if (!brio_cloud_axes(as.axes, matrix, err)) return false;
  if (!(unit > 0 && unit <= 1e6))
    return brio_fail(err, BRIO_MISUSE, "a unit of %g m: above 0 was expected", unit);
  if (!read_as_it_is(cloud, span, limit, err)) {
    brio_cloud_resize(cloud, 0, 1, 0, NULL);
    return false;
  }
  /* The usual case, brio's own axes in meters, needs no further pass. */
  if (unit != 1 || matrix[0] != 1 || matrix[4] != 1 || matrix[8] != 1) turn(cloud, matrix, unit);
  brio_cloud_judge(cloud);
  return true;
}

bool brio_cloud_load(brio_cloud *cloud, const char *path, const brio_cloud_settings *settings,
                     brio_error *err) {
  brio_text text = {0};
  brio_cloud_resize(cloud, 0, 1, 0, NULL);
  /* The whole file in memory, at most LARGEST bytes. */
  bool there = brio_text_read_file(&text, path, LARGEST, err);
  bool good = there && (brio_cloud_read(cloud, text.bytes, text.length, settings, err) ||
                        brio_fail_in(err, "%s", path));
  brio_text_end(&text);
  return good;
}
