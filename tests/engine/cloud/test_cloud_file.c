/* Point cloud files.  Files are made here, byte by byte, so that their content is known; packed ones by the
** packer of liblzf.  Where real files are at hand, their points are compared with sums by another reader. */
#include <lzf.h>
#include <stdint.h>

#include "cloud/files/file.h"
#include "tests/check.h"

typedef struct bytes {
  char at[8192];
  size_t length;
} bytes;

static void add(bytes *b, const void *from, size_t length) {
  memcpy(b->at + b->length, from, length);
  b->length += length;
}

static void add_text(bytes *b, const char *text) { add(b, text, strlen(text)); }

static brio_cloud *cloud_of(const void *from, size_t length, const brio_cloud_settings *settings,
                            brio_error *err) {
  brio_cloud *cloud = brio_cloud_new(NULL);
  if (brio_cloud_read(cloud, from, length, settings, err)) return cloud;
  CHECK(cloud->count == 0 && err->code != BRIO_OK && err->message[0], "what fails is empty and says why");
  brio_cloud_free(cloud);
  return NULL;
}

static brio_cloud *cloud_of_text(const char *text, brio_error *err) {
  return cloud_of(text, strlen(text), NULL, err);
}

#define CHECK_POINT(cloud, i, x, y, z)                                               \
  CHECK((cloud)->points[i][0] == (float)(x) && (cloud)->points[i][1] == (float)(y) && \
            (cloud)->points[i][2] == (float)(z), "point %d: %g %g %g", (i), (double)(cloud)->points[i][0], \
        (double)(cloud)->points[i][1], (double)(cloud)->points[i][2])

static void check_color(const brio_cloud *cloud, int i, int r, int g, int b) {
  CHECK(cloud->colors, "colors");
  if (!cloud->colors) return;
  const uint8_t *color = cloud->colors[i];
  CHECK(color[0] == r && color[1] == g && color[2] == b, "color %d: %d %d %d", i, color[0], color[1],
        color[2]);
}

/* ------------------------------------------------------------------ PCD */

static void reads_text(void) {
  brio_error err = {0};
  brio_cloud *c = cloud_of_text(
      "# .PCD v0.7\r\nVERSION 0.7\r\nFIELDS label z normal y rgb x\r\nSIZE 4 4 4 8 4 4\r\n"
      "TYPE I F F F F F\r\nCOUNT 1 1 3 1 1 1\r\nWIDTH 2\r\nHEIGHT 2\r\nVIEWPOINT 1 2 3 0 0 0 2\r\n"
      "POINTS 4\r\nDATA ascii\r\n"
      "7 3 0 0 1 -2.5e-1 4210752 1\r\n-1 6 0 0 1 .5 5.9005204e-39 +4.\r\n\r\n"
      "0 nan 0 0 1 NaN 0 -nan\r\n3 1e30 0 0 1 2 nan 1.#QNAN\r\n",
      &err);
  CHECK(c, "%s", err.message);
  if (!c) return;
  CHECK(c->count == 4 && c->width == 2 && c->height == 2, "%d %d %d", c->count, c->width, c->height);
  CHECK_POINT(c, 0, 1, -0.25, 3);
  CHECK_POINT(c, 1, 4, 0.5, 6);
  CHECK(!brio_cloud_has(c, 2) && !brio_cloud_has(c, 3) && c->missing == 2 && c->far == 0, "%d missing",
        c->missing);
  check_color(c, 0, 0x40, 0x40, 0x40);
  check_color(c, 1, 0x40, 0x40, 0x40);
  check_color(c, 3, 0, 0, 0);
  CHECK(c->labels && c->labels[0] == 7 && c->labels[1] == 0xffffffff && c->labels[3] == 3, "labels");
  CHECK(c->viewpoint.p.x == 1 && c->viewpoint.q.z == 1 && c->viewpoint.q.w == 0, "viewpoint");
  brio_cloud_free(c);
}

static void reads_numbers(void) {
  static const struct { const char *text; double value; } rows[] = {
      {"1", 1}, {"-0.125", -0.125}, {"3.14159265358979", 3.14159265358979}, {"1e3", 1000}, {"1E+3", 1000},
      {"12345678901234567890123", 1.2345678901234568e22}, {"0.000000000000000000000000001", 1e-27},
      {"1.17549435e-38", 1.17549435e-38}, {"99999.99999999999999999999", 100000},
      {"1.401298464324817e-45", 1.401298464324817e-45}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[256];
    brio_error err = {0};
    snprintf(text, sizeof text,
             "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 1\nHEIGHT 1\nDATA ascii\n0 %s 0\n", rows[i].text);
    brio_cloud *c = cloud_of_text(text, &err);
    CHECK(c, "%s", err.message);
    if (c && fabs(rows[i].value) <= BRIO_CLOUD_FARTHEST) CHECK_POINT(c, 0, 0, rows[i].value, 0);
    if (c && fabs(rows[i].value) > BRIO_CLOUD_FARTHEST) CHECK(c->far == 1, "%s is far", rows[i].text);
    brio_cloud_free(c);
  }
}

static const struct {
  char letter;
  int size;
} kinds[] = {{'I', 1}, {'I', 2}, {'I', 4}, {'I', 8}, {'U', 1},
             {'U', 2}, {'U', 4}, {'U', 8}, {'F', 4}, {'F', 8}};

/* Write a number as a type, in either byte order. */
static void add_number(bytes *b, char letter, int size, double value, bool big) {
  uint64_t bits = (uint64_t)(int64_t)value;
  float narrow = (float)value;
  uint32_t low;
  if (letter == 'F' && size == 8) memcpy(&bits, &value, 8);
  if (letter == 'F' && size == 4) memcpy(&low, &narrow, 4), bits = low;
  for (int i = 0; i < size; i++) b->at[b->length++] = (char)(bits >> 8 * (big ? size - 1 - i : i));
}

/* Nine points of x, y, z of one type, with a color, a label and two fields that are skipped. */
static void make_pcd(bytes *b, int kind, bool packed) {
  char header[512], type = kinds[kind].letter;
  int size = kinds[kind].size;
  bytes data = {.length = 0};
  snprintf(header, sizeof header,
           "VERSION .7\nCOLUMNS _ x label y rgba z odd\nSIZE 1 %d 2 %d 4 %d 8\nTYPE U %c U %c U %c F\n"
           "COUNT 5 1 1 1 1 1 2\nWIDTH 3\nHEIGHT 3\nPOINTS 9\nDATA %s\n",
           size, size, size, type, type, type, packed ? "binary_compressed" : "binary");
  b->length = 0;
  add_text(b, header);
  for (int k = 0; k < (packed ? 7 : 1); k++)
    for (int i = 0; i < 9; i++) {
      if (!packed || k == 0) add(&data, "\1\2\3\4\5", 5);
      if (!packed || k == 1) add_number(&data, type, size, i, false);
      if (!packed || k == 2) add_number(&data, 'U', 2, 1000 + i, false);
      if (!packed || k == 3) add_number(&data, type, size, 10 + i, false);
      if (!packed || k == 4) add_number(&data, 'U', 4, 0xff102030 + i, false);
      if (!packed || k == 5) add_number(&data, type, size, 20 + i, false);
      if (!packed || k == 6) add(&data, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20", 16);
    }
  if (!packed) {
    add(b, data.at, data.length);
    return;
  }
  char small[8192];
  unsigned length = lzf_compress(data.at, (unsigned)data.length, small, sizeof small);
  add_number(b, 'U', 4, length, false);
  add_number(b, 'U', 4, (double)data.length, false);
  add(b, small, length);
}

static void reads_every_type(void) {
  for (int kind = 0; kind < 10; kind++)
    for (int packed = 0; packed < 2; packed++) {
      bytes b;
      brio_error err = {0};
      make_pcd(&b, kind, packed);
      add_text(&b, packed ? "" : "more");
      brio_cloud *c = cloud_of(b.at, b.length, NULL, &err);
      CHECK(c, "%c%d: %s", kinds[kind].letter, kinds[kind].size, err.message);
      if (!c) continue;
      CHECK(c->width == 3 && c->height == 3 && c->labels[8] == 1008, "label %d", (int)c->labels[8]);
      for (int i = 0; i < 9; i++) CHECK_POINT(c, i, i, 10 + i, 20 + i);
      check_color(c, 8, 0x10, 0x20, 0x38);
      CHECK(c->unread == (packed ? 0 : 4), "%lld bytes behind", c->unread);
      brio_cloud_free(c);
    }
}

static void refuses_lies(void) {
#define GOOD "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"
  static const struct { const char *text, *piece;
  } rows[] = {
      {"", "empty"},
      {"hello", "PCD, PLY or a raw frame"},
      {GOOD "WIDTH 10\nHEIGHT 1\n", "no DATA"},
      {GOOD "WIDTH 10\nHEIGHT 1\nPOINTS 11\nDATA ascii\n", "header is inconsistent: POINTS is 11"},
      {GOOD "WIDTH 2\nHEIGHT 1\nDATA ascii\n1 2 3\n", "cut off"},
      {GOOD "WIDTH 2\nHEIGHT 1\nDATA ascii\n1 2 3 4 5 6\n", "cut off: 1 rows of 2"},
      {GOOD "WIDTH 2\nHEIGHT 1\nDATA ascii\n1 2 3\n4 5\n6\n7\n", "line 9 has too few"},
      {GOOD "WIDTH 1\nHEIGHT 1\nDATA ascii\n1 0x10 3\n", "'0x10' is no number"},
      {GOOD "WIDTH 1\nHEIGHT 1\nDATA ascii\n1 2e 3\n", "'2e' is no number"},
      {GOOD "WIDTH 2000000000\nHEIGHT 2000000000\nDATA binary\n", "at most 16000000"},
      {GOOD "WIDTH 16000000\nHEIGHT 1\nDATA binary\n", "cut off"},
      {GOOD "WIDTH 16000000\nHEIGHT 1\nDATA ascii\n1 2 3\n", "cut off"},
      {GOOD "WIDTH 16000000\nHEIGHT 1\nDATA binary_compressed\nabcdefghi", "do not fit into"},
      {GOOD "WIDTH 1\nHEIGHT 1\nDATA binary_compressed\n\4\0\0\0", "cut off"},
      {GOOD "WIDTH 10000000\nHEIGHT 1\nDATA binary\n", "cut off"},
      {GOOD "WIDTH -1\nHEIGHT 1\nDATA ascii\n", "'-1' where a number of points"},
      {GOOD "WIDTH 99999999999999999999999\nHEIGHT 1\nDATA ascii\n", "where a number of points"},
      {GOOD "DATA ascii\n", "neither WIDTH nor POINTS"},
      {GOOD "WIDTH 1\nHEIGHT 1\nDATA zip\n", "'zip' where ascii"},
      {GOOD "BREADTH 1\nDATA ascii\n", "'BREADTH' where FIELDS"},
      {"FIELDS x y z\nSIZE 4 4\nTYPE F F F\nWIDTH 1\nHEIGHT 1\nDATA ascii\n", "SIZE 2"},
      {"FIELDS x y z\nSIZE 4 4 4\nTYPE F F Q\nWIDTH 1\nDATA ascii\n", "'Q' where I, U or F"},
      {"FIELDS x y z\nSIZE 4 4 3\nTYPE F F F\nWIDTH 1\nDATA ascii\n", "no type F of 3 bytes"},
      {"FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 0\nWIDTH 1\nDATA ascii\n", "above 0"},
      {"FIELDS x y\nSIZE 4 4\nTYPE F F\nWIDTH 1\nDATA ascii\n1 2\n", "no z"},
      {"SIZE 4 4\nWIDTH 1\nDATA ascii\n", "no FIELDS"},
      {"ply\nformat ascii 1.0\nelement vertex 2\n", "no end_header"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n", "no y"},
      {"ply\nformat mine 1.0\n", "'mine' where ascii"},
      {"ply\nelement vertex 1\nend_header\n", "the header has no format"},
      {"ply\nproperty float x\n", "before any element"},
      {"ply\nformat ascii 1.0\nelement vertex x\n", "how many"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", "'real' where a type"},
      {"ply\nformat ascii 1.0\nelement face 3\nproperty list uchar int i\nend_header\n0\n0\n0\n",
       "no element vertex"},
      {"ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int i\nelement vertex 0\nend_header\n-3 "
       "1\n",
       "list of -3"},
      {"ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint int i\nelement vertex "
       "0\nend_header\n\xff\xff\xff\xff",
       "cut off"},
      {"ply\nformat binary_little_endian 1.0\nelement nothing 2000000000\nelement vertex 0\nend_header\n",
       "no x"},
      {"BRPC\1", "cut off"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    brio_error err = {0};
    brio_cloud *c = cloud_of_text(rows[i].text, &err);
    CHECK(!c, "%s is taken", rows[i].text);
    CHECK_HAS(err.message, rows[i].piece);
    brio_cloud_free(c);
  }
}

/* ------------------------------------------------------------------ PLY */

static void make_ply(bytes *b, bool big) {
  b->length = 0;
  add_text(b, "ply\nformat binary_");
  add_text(b, big ? "big" : "little");
  add_text(
      b,
      "_endian 1.0\ncomment made here\nelement camera 1\nproperty list uchar float view\nproperty short n\n"
      "element vertex 2\nproperty double x\nproperty list ushort uint ids\nproperty float32 z\nproperty "
      "int16 y\n"
      "property uchar red\nproperty ushort green\nproperty float blue\nproperty uint label\nelement face 1\n"
      "property list uchar int vertex_indices\nend_header\n");
  add_number(b, 'U', 1, 2, big);
  add_number(b, 'F', 4, 1, big), add_number(b, 'F', 4, 1, big), add_number(b, 'I', 2, 9, big);
  for (int i = 0; i < 2; i++) {
    add_number(b, 'F', 8, 0.5 + i, big);
    add_number(b, 'U', 2, i, big);
    for (int k = 0; k < i; k++) add_number(b, 'U', 4, 77, big);
    add_number(b, 'F', 4, -1.5 * i, big);
    add_number(b, 'I', 2, -3 * i, big);
    add_number(b, 'U', 1, 200 + i, big), add_number(b, 'U', 2, 65535, big), add_number(b, 'F', 4, 0.5, big);
    add_number(b, 'U', 4, 70000, big);
  }
  add_text(b, "face");
}

static void reads_ply(void) {
  for (int big = 0; big < 2; big++) {
    bytes b;
    brio_error err = {0};
    make_ply(&b, big);
    brio_cloud *c = cloud_of(b.at, b.length, NULL, &err);
    CHECK(c, "%s", err.message);
    if (!c) continue;
    CHECK(c->count == 2 && c->height == 1 && c->labels[1] == 70000, "%d points", c->count);
    CHECK_POINT(c, 0, 0.5, 0, 0);
    CHECK_POINT(c, 1, 1.5, -3, -1.5);
    check_color(c, 1, 201, 255, 128);
    brio_cloud_free(c);
  }
}

static void reads_ply_text(void) {
  brio_error err = {0};
  brio_cloud *c = cloud_of_text(
      "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement material 1\r\nproperty list uchar int a\r\n"
      "element vertex 2\r\nproperty float y\r\nproperty float x\r\nproperty float z\r\n"
      "property float red\r\nend_header\r\n3 1 2 3\r\n1 2 3 0.5\r\n4 5 6 1",
      &err);
  CHECK(c, "%s", err.message);
  if (!c) return;
  CHECK_POINT(c, 1, 5, 4, 6);
  CHECK(!c->colors, "one color of three is none");
  brio_cloud_free(c);
}

/* ------------------------------------------------------------------ all */

/* Every prefix of every kind of file is refused, or read with all its points. */
static void survives_cuts(void) {
  bytes files[5];
  make_pcd(&files[0], 8, false);
  make_pcd(&files[1], 9, true);
  make_ply(&files[2], true);
  files[3].length = files[4].length = 0;
  add_text(&files[3],
           "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 2\nHEIGHT 1\nDATA ascii\n1 2 3\n4 5 6\n");
  brio_cloud *c = brio_cloud_new(NULL);
  brio_cloud_resize(c, 2, 2, BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS, NULL);
  memset(c->points, 0, 4 * sizeof *c->points);
  memset(c->colors, 0, 4 * sizeof *c->colors);
  memset(c->labels, 0, 4 * sizeof *c->labels);
  brio_cloud_frame_write(c, 1, files[4].at);
  files[4].length = brio_cloud_frame_size(c);
  brio_cloud_free(c);
  for (int f = 0; f < 5; f++)
    for (size_t n = 0; n < files[f].length; n++) {
      brio_error err = {0};
      char *own = malloc(n + 1); /* so that a sanitizer sees the end */
      memcpy(own, files[f].at, n);
      c = cloud_of(own, n, NULL, &err);
      bool whole = c && (f == 2 || f == 3);
      CHECK(!c || whole, "file %d cut at %zu of %zu is taken", f, n, files[f].length);
      brio_cloud_free(c);
      free(own);
    }
}

static void keeps_a_frame(void) {
  brio_error err = {0};
  brio_cloud *c = brio_cloud_new(NULL), *again;
  brio_cloud_resize(c, 3, 2, BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS, NULL);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 3; k++)
      c->points[i][k] = (float)(i + 0.1 * k), c->colors[i][k] = (uint8_t)(40 * i + k);
    c->labels[i] = 0xfffffff0u + (uint32_t)i;
  }
  c->points[4][1] = NAN;
  c->time = 12.5;
  snprintf(c->frame, sizeof c->frame, "head_camera");
  char *frame = malloc(brio_cloud_frame_size(c) + 1);
  brio_cloud_frame_write(c, 7, frame + 1); /* at an odd place */
  CHECK(brio_cloud_frame_length(frame + 1, 0) == brio_cloud_frame_size(c), "length");
  CHECK(brio_cloud_frame_length(frame + 1, 5) == 0, "too many points");
  again = cloud_of(frame + 1, brio_cloud_frame_size(c), NULL, &err);
  CHECK(again, "%s", err.message);
  if (again) {
    CHECK(again->width == 3 && again->height == 2 && again->time == 12.5 && again->missing == 1, "facts");
    CHECK(strcmp(again->frame, "head_camera") == 0, "frame %s", again->frame);
    CHECK(memcmp(again->points[5], c->points[5], 12) == 0 && memcmp(again->colors, c->colors, 18) == 0 &&
          memcmp(again->labels, c->labels, 24) == 0, "arrays");
    CHECK(!brio_cloud_has(again, 4), "half a point is none");
  }
  frame[1 + 4] = 9;
  CHECK(brio_cloud_frame_length(frame + 1, 0) == 0, "another version");
  free(frame);
  brio_cloud_free(c);
  brio_cloud_free(again);
}

#define ONE                                                                                                  \
  "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 1\nHEIGHT 1\nVIEWPOINT 1 2 3 0.70710678118654752 0 0 "        \
  "0.70710678118654752\nDATA ascii\n1 2 3\n"

static void turns_axes(void) {
  static const struct { const char *axes; double x, y, z; } rows[] = {
      {NULL, 1, 2, 3}, {"robot", 1, 2, 3}, {"optical", 3, -1, -2}, {"right down forward", 3, -1, -2},
      {"opengl", -3, -1, 2}, {"unity", 3, -1, 2}, {"up left back", -3, 2, 1}};
  brio_error err = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    brio_cloud *c =
        cloud_of(ONE, strlen(ONE), &(brio_cloud_settings){.axes = rows[i].axes, .unit = 0.5}, &err);
    CHECK(c, "%s", err.message);
    if (!c) continue;
    CHECK_POINT(c, 0, rows[i].x / 2, rows[i].y / 2, rows[i].z / 2);
    CHECK(c->viewpoint.p.x == rows[i].x / 2 && c->viewpoint.p.y == rows[i].y / 2,
          "the viewpoint goes with it");
    brio_cloud_free(c);
  }
  /* The viewpoint is rotated by 90 degrees about the file's z: in an optical frame about forward. */
  brio_cloud *c = cloud_of(ONE, strlen(ONE), &(brio_cloud_settings){.axes = "optical"}, &err);
  brio_vec3 left = brio_quat_rotate(c->viewpoint.q, (brio_vec3){0, 1, 0});
  CHECK_NEAR(left.z, 1, 1e-12, "left becomes up, as right becomes down: %g %g %g", left.x, left.y, left.z);
  brio_cloud_free(c);
  static const char *const bad[] = {"left right up", "forward left", "forward left up up",
                                    "sideways left up"};
  for (size_t i = 0; i < 4; i++) {
    CHECK(!cloud_of(ONE, strlen(ONE), &(brio_cloud_settings){.axes = bad[i]}, &err), "%s", bad[i]);
    CHECK_HAS(err.message, "where x, y and z point");
  }
  CHECK(!cloud_of(ONE, strlen(ONE), &(brio_cloud_settings){.unit = -1}, &err), "a unit below 0");
}

static void counts_what_is_far(void) {
  brio_error err = {0};
  const char *text = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 4\nHEIGHT 1\nDATA ascii\n1e30 0 0\n0 -1e6 "
                     "0\n1 1 inf\n1 1 1\n";
  brio_cloud *c = cloud_of_text(text, &err);
  CHECK(c && c->missing == 3 && c->far == 2, "%d missing, %d far", c ? c->missing : -1, c ? c->far : -1);
  brio_cloud_free(c);
  CHECK(!cloud_of(text, strlen(text), &(brio_cloud_settings){.limit = 3}, &err), "more than the limit");
  CHECK_HAS(err.message, "at most 3");
}

static void takes_ten_million(void) {
  size_t head, n = 10000000;
  const char *header = "FIELDS x y z\nSIZE 1 1 1\nTYPE U U U\nWIDTH 10000000\nHEIGHT 1\nDATA binary\n";
  char *file = calloc(1, 3 * n + (head = strlen(header)));
  brio_error err = {0};
  memcpy(file, header, head);
  brio_cloud *c = cloud_of(file, head + 3 * n, NULL, &err);
  CHECK(c && c->count == 10000000 && c->missing == 0, "%s", err.message);
  brio_cloud_free(c);
  free(file);
}

/* ------------------------------------------------------------------ real files */

static void reads_real_files(void) {
  static const struct {
    const char *name;
    int width, height, missing;
    double sum[3];
    long colors[3], labels;
  } rows[] = {
      {"krylon_object_ascii.pcd", 4467, 1, 0, {0.615156021, -0.114867981, -15.463245}, {0, 0, 0}, 0},
      {"mOSD_learn35_labelled_tabletop.pcd", 640, 480, 135494, {-12755.0297, 13070.8771, 157206.727},
       {48463582, 45236028, 44766803}, 1180618},
      {"office1_door.pcd", 640, 480, 52744, {-46326.2942, -30577.4508, 1020420.62},
       {49843515, 46461178, 46260514}, 0},
      {"stairs_boxes_room_quarter.ply", 15589, 1, 0, {-385.921609, -0.205393752, 34967.47}, {0, 0, 0}, 0},
      {"table_scene_mug_stereo_textured.pcd", 640, 480, 97920, {19930.1859, -9814.71766, 264682.155},
       {54255613, 35504128, 24300682}, 0},
  };
  char path[512];
  if (!check_shared()) SKIP("no shared data");
  brio_cloud *c = brio_cloud_new(NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    brio_error err = {0};
    snprintf(path, sizeof path, "%s/data/clouds/%s", check_shared(), rows[i].name);
    bool good = brio_cloud_load(c, path, NULL, &err);
    if (!good && err.code == BRIO_NO_FILE) {
      brio_cloud_free(c);
      SKIP("no clouds in the shared data");
    }
    CHECK(good, "%s", err.message);
    CHECK(c->width == rows[i].width && c->height == rows[i].height && c->missing == rows[i].missing,
          "%s: %d x %d, %d missing", rows[i].name, c->width, c->height, c->missing);
    double sum[3] = {0};
    long colors[3] = {0}, labels = 0;
    for (int k = 0; k < c->count; k++) {
      for (int a = 0; a < 3; a++) sum[a] += brio_cloud_has(c, k) ? c->points[k][a] : 0;
      for (int a = 0; a < 3 && c->colors; a++) colors[a] += c->colors[k][a];
      labels += c->labels ? (long)c->labels[k] : 0;
    }
    for (int a = 0; a < 3; a++) {
      CHECK_NEAR(sum[a], rows[i].sum[a], 1e-6 * fabs(sum[a]) + 1e-3, "%s axis %d", rows[i].name, a);
      CHECK(colors[a] == rows[i].colors[a], "%s color %d: %ld", rows[i].name, a, colors[a]);
    }
    CHECK(labels == rows[i].labels, "%s: labels %ld", rows[i].name, labels);
  }
  brio_cloud_free(c);
}

CHECK_SUITE(CHECK_TEST(reads_text), CHECK_TEST(reads_numbers), CHECK_TEST(reads_every_type),
            CHECK_TEST(refuses_lies), CHECK_TEST(reads_ply), CHECK_TEST(reads_ply_text),
            CHECK_TEST(survives_cuts), CHECK_TEST(keeps_a_frame), CHECK_TEST(turns_axes),
            CHECK_TEST(counts_what_is_far), CHECK_TEST(takes_ten_million), CHECK_TEST(reads_real_files))
