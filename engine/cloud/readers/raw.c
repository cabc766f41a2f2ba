/* Raw frames, as sent over sockets and shared memory: cloud/files/file.h has their layout. Numbers are read
** byte by byte, so that neither the machine's byte order nor the alignment of the frame matters. One frame is
** read. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "cloud/files/reader.h"

enum { VERSION = 1, FLAGS = BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS };

/* The part of the header that determines the length of the frame. */
typedef struct raw_header {
  int version, parts;
  long long width, height;
} raw_header;

/* Version at byte 4, parts at 6, width at 8, height at 12. */
static raw_header header_of(const char *bytes) {
  return (raw_header){.version = (int)brio_cloud_number_at(BRIO_CLOUD_U2, bytes + 4, false),
                      .parts = (int)brio_cloud_number_at(BRIO_CLOUD_U2, bytes + 6, false),
                      .width = (long long)brio_cloud_number_at(BRIO_CLOUD_U4, bytes + 8, false),
                      .height = (long long)brio_cloud_number_at(BRIO_CLOUD_U4, bytes + 12, false)};
}

/* The bytes of a frame: header, then 12 for each point, 3 for each color, 4 for each label. */
static size_t frame_size(long long count, int parts) {
  size_t point = 12 + (parts & BRIO_CLOUD_COLORS ? 3 : 0) + (parts & BRIO_CLOUD_LABELS ? 4 : 0);
  return BRIO_CLOUD_HEADER + (size_t)count * point;
}

size_t brio_cloud_frame_size(const brio_cloud *cloud) {
  return frame_size(cloud->count,
                    (cloud->colors ? BRIO_CLOUD_COLORS : 0) | (cloud->labels ? BRIO_CLOUD_LABELS : 0));
}

/* Check a header; the number of points is limited as well as both sides. Errors: format, limit. */
static bool check(const raw_header *header, int limit, brio_error *err) {
  if (header->version != VERSION)
    return brio_fail(err, BRIO_FORMAT, "a raw frame of version %d: %d was expected", header->version,
                     VERSION);
  if (header->parts & ~FLAGS)
    return brio_fail(err, BRIO_FORMAT, "a raw frame with parts %d: 0 to %d was expected", header->parts,
                     FLAGS);
  /* Each side is checked first, so that the product cannot overflow. */
  if (header->width > limit || header->height > limit || header->width * header->height > limit)
    return brio_fail(err, BRIO_LIMIT, "a raw frame of %lld x %lld points: at most %d are taken",
                     header->width, header->height, limit);
  return true;
}

/* For streams: the length of a frame from its header alone; 0: the header is not valid. */
size_t brio_cloud_frame_length(const void *bytes, int limit) {
  raw_header header = header_of(bytes);
  if (memcmp(bytes, "BRPC", 4) != 0 || !check(&header, limit > 0 ? limit : BRIO_CLOUD_POINTS, NULL)) return 0;
  return frame_size(header.width * header.height, header.parts);
}

/* ------------------------------------------------------------------ reading */

/* Read the three arrays behind the header: points, colors, labels. */
static void take_arrays(brio_cloud *cloud, const char *at) {
  static const brio_cloud_channel axes[3] = {BRIO_CLOUD_X, BRIO_CLOUD_Y, BRIO_CLOUD_Z};
  size_t count = (size_t)cloud->count;
  for (int k = 0; k < 3; k++) {
    brio_cloud_property property = {.channel = axes[k], .type = BRIO_CLOUD_F4, .repeat = 1};
    brio_cloud_put_column(cloud, &property, at + 4 * k, 12, false);
  }
  at += 12 * count;
  if (cloud->colors && count) memcpy(cloud->colors, at, 3 * count);
  at += cloud->colors ? 3 * count : 0;
  for (size_t i = 0; cloud->labels && i < count; i++)
    cloud->labels[i] = (uint32_t)brio_cloud_number_at(BRIO_CLOUD_U4, at + 4 * i, false);
}

/* Read one frame. All its bytes must exist before anything is allocated. Errors: format, limit, no_memory. */
static bool read_raw(brio_cloud *cloud, brio_cloud_input *input, brio_error *err) {
  const char *bytes = input->rest.at;
  size_t length = brio_cloud_left(input->rest);
  if (length < BRIO_CLOUD_HEADER)
    return brio_fail(err, BRIO_FORMAT, "it is cut off: a raw frame begins with %d bytes, %zu are there",
                     BRIO_CLOUD_HEADER, length);
  raw_header header = header_of(bytes);
  if (!check(&header, input->limit, err)) return false;
  size_t size = frame_size(header.width * header.height, header.parts);
  if (length < size)
    return brio_fail(err, BRIO_FORMAT, "it is cut off: %lld x %lld points are %zu bytes, %zu are there",
                     header.width, header.height, size, length);
  if (!brio_cloud_resize(cloud, (int)header.width, (int)header.height, header.parts, err)) return false;
  take_arrays(cloud, bytes + BRIO_CLOUD_HEADER);
  /* A time that is not finite means an unknown one. */
  double time = brio_cloud_number_at(BRIO_CLOUD_F8, bytes + 16, false);
  cloud->time = isfinite(time) ? time : NAN;
  /* The name of the frame need not end with a 0 in the file. */
  memcpy(cloud->frame, bytes + 24, BRIO_CLOUD_FRAME);
  cloud->frame[BRIO_CLOUD_FRAME - 1] = 0;
  input->rest.at += size;
  return true;
}

/* ------------------------------------------------------------------ writing */

/* Write an integer in little-endian order; return the position behind it. */
static char *write_bits(char *to, uint64_t bits, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (char)(bits >> 8 * i);
  return to + bytes;
}

/* As write_bits, the bits of a float. */
static char *write_float(char *to, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return write_bits(to, bits, 4);
}

/* `bytes` has room for brio_cloud_frame_size(cloud) bytes. O(points) */
void brio_cloud_frame_write(const brio_cloud *cloud, uint64_t number, void *bytes) {
  char *to = bytes;
  uint64_t time;
  size_t count = (size_t)cloud->count;
  /* The bits of the double, so that NaN is kept. */
  memcpy(&time, &cloud->time, sizeof time);
  memcpy(to, "BRPC", 4);
  to = write_bits(to + 4, VERSION, 2);
  to = write_bits(to, (cloud->colors ? BRIO_CLOUD_COLORS : 0) | (cloud->labels ? BRIO_CLOUD_LABELS : 0), 2);
  to = write_bits(to, (uint64_t)cloud->width, 4);
  to = write_bits(to, (uint64_t)cloud->height, 4);
  to = write_bits(to, time, 8);
  assert(to == (char *)bytes + 24);
  /* Behind the name zeros, so that equal clouds have equal frames. */
  memset(to, 0, BRIO_CLOUD_FRAME);
  memcpy(to, cloud->frame, strnlen(cloud->frame, BRIO_CLOUD_FRAME - 1));
  to = write_bits(to + BRIO_CLOUD_FRAME, number, 8);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) to = write_float(to, cloud->points[i][k]);
  if (cloud->colors && count) memcpy(to, cloud->colors, 3 * count);
  to += cloud->colors ? 3 * count : 0;
  for (size_t i = 0; cloud->labels && i < count; i++) to = write_bits(to, cloud->labels[i], 4);
}

const brio_cloud_reader brio_cloud_reader_raw = {
    .name = "raw",
    .doc = "raw frames, as they come over sockets and shared memory",
    .magic = "BRPC",
    .read = read_raw};
