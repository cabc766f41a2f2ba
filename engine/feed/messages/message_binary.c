/* Messages of detectors as packed bytes, little-endian, for senders to which JSON is too slow;
** docs/perception/detectors.md has the layout. A message is a head, `count` records of equal size, and a
** checksum (CRC-32, IEEE 802.3) of everything before it. O(bytes); nothing is allocated. */
#include <math.h>
#include <string.h>

#include "base/crc32.h"
#include "feed/messages/message.h"

/* Offsets in the head (AT_) and in a record (IN_), bytes; bits of IN_HAS. */
enum {
  /* Head and record, with their sizes. */
  VERSION = 1,
  DETECTIONS = 1, /* the kind of message */
  HEAD = 96,
  RECORD = 256,
  CHECK = 4,
  /* Offsets in the head; the layout is fixed for this version. */
  AT_VERSION = 4,
  AT_KIND = 6,
  AT_LENGTH = 8,
  AT_NUMBER = 12,
  AT_T = 16,
  AT_SENT = 24,
  AT_COUNT = 32,
  AT_RECORD = 34,
  AT_WIDTH = 36,
  AT_HEIGHT = 38,
  AT_FX = 40,
  AT_MODEL = 64,
  /* Offsets in a record. */
  IN_CLASS = 0,
  IN_ID = 24,
  IN_HAS = 56,
  IN_CONFIDENCE = 60,
  IN_POSITION = 64,
  IN_ORIENTATION = 76,
  IN_SIZE = 92,
  IN_BOX = 104,
  IN_DEPTH = 120,
  IN_COLOR = 124,
  IN_CORNERS = 136,
  /* Bits of IN_HAS in addition to those of message.h. */
  HAS_ORIENTATION = 16,
  HAS_SIZE = 32,
  HAS_COLOR = 64,
};

static const char magic[4] = {'B', 'R', 'I', 'D'};

/* Little-endian numbers at any alignment. */
static uint16_t u16(const char *at) { return (uint16_t)((unsigned char)at[0] | (unsigned char)at[1] << 8); }

static uint32_t u32(const char *at) { return (uint32_t)u16(at) | (uint32_t)u16(at + 2) << 16; }

static float f32(const char *at) {
  uint32_t bits = u32(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double f64(const char *at) {
  uint64_t bits = (uint64_t)u32(at) | (uint64_t)u32(at + 4) << 32;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The length in the head, bytes; 0: no message of this kind, or an impossible length. */
size_t brio_feed_binary_length(const char *bytes) {
  if (memcmp(bytes, magic, sizeof magic) != 0) return 0;
  uint32_t length = u32(bytes + AT_LENGTH);
  return length >= HEAD + CHECK && length <= BRIO_FEED_LONGEST ? length : 0;
}

/* Copy a text of a fixed field. False: it has no terminator, so it must not be used. */
static bool read_text(const char *at, size_t size, char *out) {
  memcpy(out, at, size);
  return out[size - 1] == 0;
}

/* Three floats as a vector; `count` floats. */
static brio_vec3 vector(const char *at) {
  return (brio_vec3){(double)f32(at), (double)f32(at + 4), (double)f32(at + 8)};
}

static void read_floats(const char *at, float *out, int count) {
  for (int i = 0; i < count; i++) out[i] = f32(at + 4 * i);
}

/* Whether all numbers are finite and at most 1e12. */
static bool finite_floats(const float *numbers, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(numbers[i]) || fabsf(numbers[i]) > 1e12f) return false;
  return true;
}

/* Read one record. False: a text does not end, or a number that is marked as present is invalid. */
static bool read_record(const char *at, brio_feed_seen *seen) {
  brio_detection *d = &seen->detection;
  uint32_t has = u32(at + IN_HAS);
  *seen = (brio_feed_seen){.detection = BRIO_DETECTION_BLANK};
  /* Bits of later versions are ignored. */
  seen->has = has & (BRIO_FEED_HAS_POSE | BRIO_FEED_HAS_BOX | BRIO_FEED_HAS_DEPTH | BRIO_FEED_HAS_CORNERS);
  /* Numbers that are not marked as present stay blank. */
  d->confidence = (double)f32(at + IN_CONFIDENCE);
  /* Each optional field only if its bit is set. */
  if (has & BRIO_FEED_HAS_POSE) d->pose.p = vector(at + IN_POSITION);
  d->oriented = has & HAS_ORIENTATION;
  /* Normalized later, by brio_perception_check. */
  if (d->oriented)
    d->pose.q = (brio_quat){(double)f32(at + IN_ORIENTATION), (double)f32(at + IN_ORIENTATION + 4),
                            (double)f32(at + IN_ORIENTATION + 8), (double)f32(at + IN_ORIENTATION + 12)};
  if (has & HAS_SIZE) d->size = vector(at + IN_SIZE);
  if (has & HAS_COLOR) read_floats(at + IN_COLOR, d->color, 3);
  if (has & BRIO_FEED_HAS_BOX) read_floats(at + IN_BOX, seen->box, 4);
  if (has & BRIO_FEED_HAS_DEPTH) seen->depth = f32(at + IN_DEPTH);
  if (has & BRIO_FEED_HAS_CORNERS) read_floats(at + IN_CORNERS, &seen->corners[0][0], 24);
  /* Everything is read before it is validated: a record is small. */
  bool good = read_text(at + IN_CLASS, BRIO_DETECTION_KIND, d->kind) &&
              read_text(at + IN_ID, BRIO_DETECTION_ID, d->id);
  return good && d->confidence >= 0 && d->confidence <= 1 && finite_floats(seen->box, 4) &&
         finite_floats(&seen->corners[0][0], 24) && isfinite(seen->depth) &&
         !(has & BRIO_FEED_HAS_DEPTH && !(seen->depth > 0)) && seen->box[2] >= 0 && seen->box[3] >= 0;
}

/* Read the camera; width and height 0: unknown. False: invalid. */
static bool read_camera(const char *at, brio_camera *camera) {
  *camera = (brio_camera){.body = true, .width = u16(at + AT_WIDTH), .height = u16(at + AT_HEIGHT)};
  if (camera->width == 0 || camera->height == 0) return camera->width == camera->height;
  /* Focal lengths and principal point, px; the format has no distortion. */
  camera->fx = (double)f32(at + AT_FX);
  camera->fy = (double)f32(at + AT_FX + 4);
  camera->cx = (double)f32(at + AT_FX + 8);
  camera->cy = (double)f32(at + AT_FX + 12);
  return brio_camera_check(camera, NULL);
}

/* Validate the head and the checksum: after this all offsets are within the message. False: counted. */
static bool check_head(const char *bytes, size_t length, brio_feed_meter *meter) {
  if (length < HEAD + CHECK || memcmp(bytes, magic, sizeof magic) != 0 ||
      u16(bytes + AT_VERSION) != VERSION || u16(bytes + AT_KIND) != DETECTIONS)
    return brio_feed_refuse(meter, BRIO_FEED_VERSION, "no binary message of version %d with detections",
                            VERSION);
  size_t count = u16(bytes + AT_COUNT), record = u16(bytes + AT_RECORD);
  /* The length must agree with the head, and with count and size of the records.  These may be longer than
  ** RECORD: a later version appends fields. */
  if (u32(bytes + AT_LENGTH) != length || record < RECORD || length != HEAD + count * record + CHECK)
    return brio_feed_refuse(meter, BRIO_FEED_CUT,
                            "%zu bytes, but the header declares %zu records of %zu "
                            "bytes",
                            length, count, record);
  /* The checksum is computed only for a length that is consistent. */
  if (brio_crc32(bytes, length - CHECK) != u32(bytes + length - CHECK))
    return brio_feed_refuse(meter, BRIO_FEED_CHECK, "wrong checksum of %zu bytes", length);
  if (count > BRIO_FEED_MOST)
    return brio_feed_refuse(meter, BRIO_FEED_MANY, "%zu detections in a message", count);
  return true;
}

bool brio_feed_read_binary(const char *bytes, size_t length, const brio_feed_reading *reading,
                           brio_feed_message *out, brio_feed_meter *meter) {
  brio_feed_frame *frame = &out->frame;
  brio_feed_message_start(out);
  if (!check_head(bytes, length, meter)) return false;
  /* NaN means that a time is not given; infinity is wrong. */
  double t = f64(bytes + AT_T), sent = f64(bytes + AT_SENT);
  if (isinf(t) || isinf(sent) || !read_text(bytes + AT_MODEL, BRIO_FEED_MODEL, frame->model) ||
      !read_camera(bytes, &frame->camera))
    return brio_feed_refuse(meter, BRIO_FEED_FIELD, "t, sent, model or camera has an invalid value");
  /* Times stay NaN where they are not given. */
  frame->sensed = t;
  out->sent = sent;
  out->seen = true;
  out->number = u32(bytes + AT_NUMBER);
  int count = u16(bytes + AT_COUNT), record = u16(bytes + AT_RECORD);
  /* An invalid record is rejected alone; the others count. */
  for (int i = 0; i < count; i++) {
    brio_feed_seen *seen = &frame->seen[frame->count];
    if (!read_record(bytes + HEAD + (size_t)i * (size_t)record, seen))
      brio_feed_refuse(meter, BRIO_FEED_NUMBER, "a number or a text of record %d is invalid", i + 1);
    else if (brio_feed_judge(frame, seen, reading, meter)) frame->count++;
  }
  return true;
}

/* ---- writing ---- */

/* Little-endian numbers: the inverse of the readers. */
static void put(char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++, value >>= 8) at[i] = (char)(value & 0xFF);
}

static void put_float(char *at, double number) {
  float value = (float)number;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put(at, bits, 4);
}

static void put_double(char *at, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put(at, bits, 8);
}

static void put_floats(char *at, const float *numbers, int count) {
  for (int i = 0; i < count; i++) put_float(at + 4 * i, (double)numbers[i]);
}

/* Write one record into cleared memory. */
static void write_record(char *at, const brio_feed_seen *seen) {
  const brio_detection *d = &seen->detection;
  const double q[4] = {d->pose.q.x, d->pose.q.y, d->pose.q.z, d->pose.q.w};
  const double p[3] = {d->pose.p.x, d->pose.p.y, d->pose.p.z}, size[3] = {d->size.x, d->size.y, d->size.z};
  bool colored = isfinite(d->color[0]);
  memcpy(at + IN_CLASS, d->kind, BRIO_DETECTION_KIND);
  memcpy(at + IN_ID, d->id, BRIO_DETECTION_ID);
  /* Size is always written, 0 if unknown; fields whose bit is not set stay 0. */
  put(at + IN_HAS, seen->has | (d->oriented ? HAS_ORIENTATION : 0u) | HAS_SIZE | (colored ? HAS_COLOR : 0u),
      4);
  put_float(at + IN_CONFIDENCE, d->confidence);
  for (int i = 0; i < 3; i++) put_float(at + IN_POSITION + 4 * i, p[i]);
  for (int i = 0; i < 4; i++) put_float(at + IN_ORIENTATION + 4 * i, q[i]);
  for (int i = 0; i < 3; i++) put_float(at + IN_SIZE + 4 * i, size[i]);
  put_floats(at + IN_BOX, seen->box, 4);
  put_float(at + IN_DEPTH, (double)seen->depth);
  if (colored) put_floats(at + IN_COLOR, d->color, 3);
  put_floats(at + IN_CORNERS, &seen->corners[0][0], 24);
}

size_t brio_feed_write_binary(const brio_feed_message *message, char *out, size_t size) {
  const brio_feed_frame *frame = &message->frame;
  size_t length = HEAD + (size_t)frame->count * RECORD + CHECK;
  if (length > size || frame->count > BRIO_FEED_MOST) return 0;
  memset(out, 0, length);
  /* The head, at the offsets above; texts and records fill the rest. */
  memcpy(out, magic, sizeof magic);
  put(out + AT_VERSION, VERSION, 2);
  put(out + AT_KIND, DETECTIONS, 2);
  put(out + AT_LENGTH, length, 4);
  put(out + AT_NUMBER, (uint64_t)message->number, 4);
  put_double(out + AT_T, frame->sensed);
  put_double(out + AT_SENT, message->sent);
  put(out + AT_COUNT, (uint64_t)frame->count, 2);
  put(out + AT_RECORD, RECORD, 2);
  put(out + AT_WIDTH, (uint64_t)frame->camera.width, 2);
  put(out + AT_HEIGHT, (uint64_t)frame->camera.height, 2);
  const double camera[4] = {frame->camera.fx, frame->camera.fy, frame->camera.cx, frame->camera.cy};
  for (int i = 0; i < 4; i++) put_float(out + AT_FX + 4 * i, camera[i]);
  memcpy(out + AT_MODEL, frame->model, BRIO_FEED_MODEL);
  for (int i = 0; i < frame->count; i++) write_record(out + HEAD + (size_t)i * RECORD, &frame->seen[i]);
  /* The checksum covers everything before it. */
  put(out + length - CHECK, brio_crc32(out, length - CHECK), 4);
  return length;
}
