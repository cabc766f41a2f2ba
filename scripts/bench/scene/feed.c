/* What other programs send: what it takes to judge a message, and what a flood of broken ones does to ticks.
** Prints lines of JSON: percentiles of CPU time, and of lateness in turns with and without the flood. */
#include <string.h>

#include "feed/messages/cloud_message.h"
#include "scripts/bench/bench.h"
#include "tests/engine/feed/flood.h"

enum { DETECTIONS = 20 };

int check_failures; /* what the helpers of the tests count in; tests/check.c has a program of its own */

static brio_feed_meter meter;
static brio_feed_message message;
static brio_feed_reading reading;
static char json[1 << 14], packed[1 << 14], broken[1 << 14];
static size_t json_length, packed_length, broken_length;
static char *frame;
static size_t frame_length;
static brio_cloud *cloud;

static double read_json(void *context, int k) {
  (void)context;
  (void)k;
  return brio_feed_read(json, json_length, &reading, &message, &meter) ? message.frame.count : -1;
}

static double read_packed(void *context, int k) {
  (void)context;
  (void)k;
  return brio_feed_read(packed, packed_length, &reading, &message, &meter) ? message.frame.count : -1;
}

static double read_broken(void *context, int k) {
  (void)context;
  (void)k;
  return brio_feed_read(broken, broken_length, &reading, &message, &meter) ? 1 : 0;
}

static void make_messages(void) {
  char *at = json + sprintf(json, "{\"t\": 12.345678, \"seq\": 17, \"model\": \"yolo\", \"detections\": [");
  for (int i = 0; i < DETECTIONS; i++)
    at += sprintf(at,
                  "%s{\"class\": \"cup\", \"confidence\": 0.%02d, \"box\": [%d.25, 120.5, 64, 80], \"pose\": "
                  "[1.%d, -0.25, 0.5, 0, 0, 0, 1], "
                  "\"color\": [0.8, 0.25, 0.1]}",
                  i ? ", " : "", 50 + i, 10 * i, i);
  json_length = (size_t)(at + sprintf(at, "]}") - json);
  brio_feed_read(json, json_length, &reading, &message, &meter);
  packed_length = brio_feed_write_binary(&message, packed, sizeof packed);
  memcpy(broken, json, json_length);
  broken_length = json_length - 1;
}

/* A frame of 640 x 480 points, read from memory. */
static void measure_cloud(void) {
  static double times[60];
  const brio_cloud_settings settings = {.axes = "optical", .limit = 1000000};
  cloud = brio_cloud_new(NULL);
  brio_cloud_resize(cloud, 640, 480, BRIO_CLOUD_COLORS, NULL);
  for (int i = 0; i < cloud->count; i++) {
    for (int k = 0; k < 3; k++) cloud->points[i][k] = (float)bench_uniform("xyz", 3 * i + k);
    memset(cloud->colors[i], i, 3);
  }
  frame_length = brio_cloud_frame_size(cloud);
  frame = malloc(frame_length);
  brio_cloud_frame_write(cloud, 1, frame);
  for (int i = 0; i < 60; i++) {
    double from = bench_clock();
    brio_feed_read_cloud(frame, frame_length, &settings, cloud, &meter);
    times[i] = bench_clock() - from;
  }
  bench_print("cloud", times, 60, 0, 0);
  brio_cloud_free(cloud);
  free(frame);
}

static void measure_flood(void) {
  static flood_result r;
  flood_measure(&r, 32);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < r.count[i]; k++) r.late[i][k] *= 1e3;
    bench_print(i ? "flooded" : "idle", r.late[i], r.count[i], 0, 0);
  }
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < r.count[i]; k++) r.work[i][k] *= 1e3;
    bench_print(i ? "work flooded" : "work idle", r.work[i], r.count[i], 0, 0);
  }
}

int main(int argc, char **argv) {
  brio_feed_meter_start(&meter);
  make_messages();
  if (argc > 1 && strcmp(argv[1], "message") == 0) { /* for who reads the same message by other means */
    printf("%s\n", json);
    return 0;
  }
  bench_measure("json", read_json, NULL, 0);
  bench_measure("packed", read_packed, NULL, 0);
  bench_measure("broken", read_broken, NULL, 0);
  measure_cloud();
  measure_flood();
  brio_feed_meter_end(&meter);
  return 0;
}
