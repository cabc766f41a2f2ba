/* Broken messages of other programs: detections as JSON and packed, clouds as raw frames, pieces and JSON,
** streams of all of them in any pieces, and clocks with any time.  The invariants: accepted values are
** finite, within their bounds and end in 0; every refusal is counted; and a stream yields each whole message
** that follows an end of line.  Run it under sanitizers. Arguments: seed, number of
** inputs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "feed/messages/cloud_message.h"
#include "feed/messages/lines.h"
#include "feed/messages/message.h"
#include "feed/offset.h"

enum { LONGEST = 1 << 14, ROOM = 2048 };

static brio_feed_meter meter;
static brio_feed_message message;
static brio_cloud *cloud;

typedef struct input {
  char bytes[LONGEST];
  size_t length;
} input;

static const char *const seeds[] = {
    "{\"t\": 12.345, \"sent\": 12.5, \"seq\": 17, \"model\": \"yolo\", \"camera\": {\"fx\": 500, \"fy\": "
    "500.5, \"cx\": 320, \"cy\": 240, \"width\": 640, "
    "\"height\": 480}, \"detections\": [{\"class\": \"cup\", \"confidence\": 0.9, \"box\": [10, 20, 30.5, "
    "40], \"depth\": 1.5, \"id\": 7}, {\"class\": "
    "\"d\\u00f6or\", \"pose\": {\"position\": [1, 2, 3], \"orientation\": [0, 0, 0, 1]}, \"size\": [1, 2, "
    "3], \"color\": [1, 0, 0.5]}, {\"class\": \"x\", "
    "\"pose\": [0, 0, 1, 0, 0, 0, 1], \"corners\": "
    "[[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0,0,1],[1,0,1],[1,1,1],[0,1,1]]}]}",
    "{\"ack\": 3, \"refused\": \"there is no model 'doors'\"}",
    "{\"detections\": [{\"class\": \"a\", \"box\": [1,2,3,4], \"mask\": {\"polygon\": [[1, 2], [30, 2], "
    "[15.5, 40]]}, \"depth\": 2}, {\"class\": \"b\", "
    "\"mask\": {\"size\": [4, 6], \"counts\": [3, 5, 2, 14]}}], \"camera\": "
    "{\"fx\":1,\"fy\":1,\"cx\":1,\"cy\":1,\"width\":6,\"height\":4}}",
    "{\"t\": 3, \"frame\": \"eye\", \"width\": 2, \"points\": [[1, 2, 3], [null, 1, 2], [4, 5, 6], [1e30, 0, "
    "0]], \"colors\": [[255, 0, 0], [0, 0, 0], [1, 2, 3], "
    "[0, 0, 0]]}"};
static const char *const pieces[] = {"1e999",
                                     "-1e308",
                                     "NaN",
                                     "null",
                                     "true",
                                     "\\u0000",
                                     "\\ud800",
                                     "\"",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     ",",
                                     ":",
                                     "\\",
                                     "\n",
                                     "1e-400",
                                     "-0",
                                     "\xff\xff\xff\x7f",
                                     "\xff\xff\xff\xff",
                                     "BRID",
                                     "BRPC",
                                     "BRPP",
                                     "\"detections\": ",
                                     "\"class\": \"",
                                     "[[[[[[[[[[[[[[[[[[[["};

enum { NSEED = sizeof seeds / sizeof *seeds, NPIECE = sizeof pieces / sizeof *pieces };

static void put(char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++, value >>= 8) at[i] = (char)value;
}

/* A packed message of a few detections. */
static void make_packed(input *in, brio_random *random) {
  brio_feed_message_start(&message);
  message.frame.count = (int)brio_random_below(random, 5);
  message.number = (int64_t)brio_random_below(random, 1000);
  for (int i = 0; i < message.frame.count; i++) {
    brio_feed_seen *seen = &message.frame.seen[i];
    *seen = (brio_feed_seen){.detection = BRIO_DETECTION_BLANK,
                             .has = (unsigned)brio_random_below(random, 16)};
    seen->depth = 1;
    strcpy(seen->detection.kind, "cup");
  }
  in->length = brio_feed_write_binary(&message, in->bytes, LONGEST);
}

/* A raw frame, or a piece of one. */
static void make_cloud(input *in, brio_random *random) {
  brio_cloud_resize(cloud, 1 + (int)brio_random_below(random, 20), 1 + (int)brio_random_below(random, 4),
                    (int)brio_random_below(random, 4), NULL);
  for (int i = 0; i < cloud->count; i++)
    for (int k = 0; k < 3; k++) cloud->points[i][k] = (float)brio_random_uniform(random, -2, 2);
  size_t head = brio_random_below(random, 2) ? BRIO_FEED_PIECE_HEAD : 0, whole = brio_cloud_frame_size(cloud);
  if (cloud->colors) memset(cloud->colors, 9, 3 * (size_t)cloud->count);
  if (cloud->labels) memset(cloud->labels, 0, 4 * (size_t)cloud->count);
  brio_cloud_frame_write(cloud, 1, in->bytes + head);
  in->length = whole + head;
  if (head == 0) return;
  uint64_t count = brio_random_below(random, 3) + 1, size = (whole + count - 1) / count,
           piece = brio_random_below(random, count);
  size_t at = piece * size, has = at + size < whole ? size : whole - at;
  memmove(in->bytes + head, in->bytes + head + at, has);
  memcpy(in->bytes, "BRPP", 4);
  put(in->bytes + 4, brio_random_below(random, 3), 4), put(in->bytes + 8, whole, 4),
      put(in->bytes + 12, size, 4);
  put(in->bytes + 16, piece, 4), put(in->bytes + 20, count, 4);
  in->length = head + has;
}

static void make(input *in, brio_random *random) {
  uint64_t kind = brio_random_below(random, NSEED + 2);
  if (kind == NSEED) make_packed(in, random);
  else if (kind == NSEED + 1) make_cloud(in, random);
  else memcpy(in->bytes, seeds[kind], in->length = strlen(seeds[kind]));
}

/* Overwrite, insert, cut or double. */
static void change(input *in, brio_random *random) {
  size_t at = brio_random_below(random, in->length + 1), to = brio_random_below(random, in->length + 1);
  const char *piece = pieces[brio_random_below(random, NPIECE)];
  size_t length = strlen(piece);
  uint64_t how = brio_random_below(random, 10);
  if (how == 0) {
    in->length = at;
  } else if (how < 4 && at < in->length) {
    in->bytes[at] = (char)brio_random_below(random, 256);
  } else if (how < 6 && at < to) {
    memmove(in->bytes + at, in->bytes + to, in->length - to);
    in->length -= to - at;
  } else if (in->length + length <= LONGEST) {
    memmove(in->bytes + at + length, in->bytes + at, in->length - at);
    memcpy(in->bytes + at, piece, length);
    in->length += length;
  }
}

static int64_t refusals(void) {
  brio_feed_counts counts;
  int64_t sum = 0;
  brio_feed_meter_look(&meter, &counts);
  for (int i = 0; i < BRIO_FEED_NREASON; i++) sum += counts.refused[i];
  return sum;
}

static void check_detection(const brio_feed_seen *seen) {
  const brio_detection *d = &seen->detection;
  if (!memchr(d->kind, 0, sizeof d->kind) || !memchr(d->id, 0, sizeof d->id) || !d->kind[0]) abort();
  if (!brio_pose_finite(d->pose) || !(d->confidence >= 0 && d->confidence <= 1) || !brio_vec3_finite(d->size))
    abort();
  if (!(brio_vec3_norm(d->pose.p) <= 1e6)) abort();
  for (int i = 0; i < 3; i++)
    if (!(isnan(d->color[i]) || (d->color[i] >= 0 && d->color[i] <= 1))) abort();
  for (int i = 0; i < 24; i++)
    if (!isfinite(seen->corners[i / 3][i % 3])) abort();
}

static void use_message(const char *bytes, size_t length, const brio_feed_reading *reading) {
  int64_t before = refusals();
  bool good = brio_feed_read(bytes, length, reading, &message, &meter);
  if (!good && refusals() == before) abort(); /* refused without being counted */
  if (!good) return;
  if (message.frame.count < 0 || message.frame.count > BRIO_FEED_MOST ||
      (!message.seen && message.answer.number < 0))
    abort();
  if (isinf(message.frame.sensed) || isinf(message.sent) ||
      !memchr(message.answer.refused, 0, BRIO_FEED_WORDS))
    abort();
  for (int i = 0; i < message.frame.count; i++) check_detection(&message.frame.seen[i]);
}

static void use_cloud(const char *bytes, size_t length) {
  static const brio_cloud_settings settings = {.axes = "optical", .unit = 0.5, .limit = 500};
  int64_t before = refusals();
  bool good = brio_feed_read_cloud(bytes, length, &settings, cloud, &meter);
  if (!good && refusals() == before) abort();
  if (!good) return;
  if (cloud->count < 0 || cloud->count > 500 || cloud->width * cloud->height != cloud->count ||
      !memchr(cloud->frame, 0, sizeof cloud->frame))
    abort();
  for (int i = 0; i < cloud->count; i++)
    if (brio_cloud_has(cloud, i) && !brio_vec3_finite(brio_cloud_point(cloud, i))) abort();
}

/* The bytes in a block of their own, so that a step beyond them is seen. */
static char *boxed(const input *in) {
  char *bytes = malloc(in->length + 1);
  memcpy(bytes, in->bytes, in->length);
  return bytes;
}

/* A stream in pieces: after a broken message and two ends of line, the next good one is found, unless the
** announced length of a binary message covers it. */
static void use_stream(const input *in, brio_random *random, brio_feed_lines *lines,
                       const brio_feed_reading *reading) {
  const char *out;
  size_t length, taken = 0;
  brio_feed_piece piece;
  for (size_t at = 0; at < in->length;) {
    size_t room, count = 1 + brio_random_below(random, 97);
    char *back = brio_feed_lines_back(lines, &room);
    if (room == 0) abort();
    if (count > room) count = room;
    if (count > in->length - at) count = in->length - at;
    memcpy(back, in->bytes + at, count);
    brio_feed_lines_add(lines, count);
    at += count;
    while ((piece = brio_feed_lines_next(lines, &out, &length)) != BRIO_FEED_NOTHING) {
      if (piece == BRIO_FEED_WHOLE && (length == 0 || length > ROOM)) abort();
      if (piece == BRIO_FEED_WHOLE) use_message(out, length, reading);
      if (++taken > in->length + 8) abort(); /* it makes more than it gets */
    }
  }
}

static void use_offset(brio_random *random, brio_feed_offset *offset, double *received) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, -1e11};
  double sender = brio_random_below(random, 8) ? *received + 10 + brio_random_uniform(random, -2, 2)
                                               : odd[brio_random_below(random, 7)];
  *received += brio_random_below(random, 50) ? brio_random_uniform(random, 0, 0.1)
                                             : brio_random_uniform(random, 0, 1e5);
  brio_feed_belief belief = brio_feed_offset_take(offset, sender, *received);
  if ((belief == BRIO_FEED_BELIEVED || belief == BRIO_FEED_JUMPED) &&
      !isfinite(brio_feed_offset_local(offset, sender)))
    abort();
}

int main(int argc, char **argv) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long count = argc > 2 ? atol(argv[2]) : (long)(60000 * (scale ? atof(scale) : 1));
  static input in;
  static brio_feed_puzzle puzzle;
  brio_feed_reading readings[2] = {{.optical = false},
                                   {.optical = true,
                                    .wanted = {.confidence = 0.5,
                                               .known_only = true,
                                               .count = 1,
                                               .classes = {{.name = "cup", .on = true, .confidence = NAN}}}}};
  brio_feed_lines lines;
  brio_feed_offset offset;
  brio_random random = brio_random_stream(seed, "fuzz_feed");
  double received = 0;
  printf("# feed fuzz: seed %llu, %ld inputs\n", seed, count);
  fflush(stdout);
  cloud = brio_cloud_new(NULL);
  brio_feed_offset_start(&offset);
  if (!cloud || !brio_feed_meter_start(&meter) || !brio_feed_puzzle_start(&puzzle, 4096) ||
      !brio_feed_lines_start(&lines, ROOM,
                             (brio_feed_binary){BRIO_FEED_BINARY_HEAD, brio_feed_binary_length}))
    return 1;
  for (long i = 0; i < count; i++) {
    const brio_feed_reading *reading = &readings[brio_random_below(&random, 2)];
    make(&in, &random);
    for (uint64_t changes = brio_random_below(&random, 6); changes > 0; changes--) change(&in, &random);
    char *bytes = boxed(&in);
    use_message(bytes, in.length, reading);
    use_cloud(bytes, in.length);
    if (brio_feed_is_piece(bytes, in.length) && brio_feed_puzzle_take(&puzzle, bytes, in.length, &meter))
      use_cloud((char *)puzzle.bytes, puzzle.length);
    free(bytes);
    if (in.length < LONGEST) in.bytes[in.length++] = '\n';
    use_stream(&in, &random, &lines, reading);
    use_offset(&random, &offset, &received);
    brio_feed_meter_say(&meter, (int64_t)i * 1000000);
  }
  brio_feed_lines_end(&lines);
  brio_feed_puzzle_end(&puzzle);
  brio_feed_meter_end(&meter);
  brio_cloud_free(cloud);
  printf("ok feed fuzz\n");
  return 0;
}
