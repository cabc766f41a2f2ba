/* Out of memory where feeds are opened: see tests/refusals.h. */
#include "feed/feed.h"
#include "tests/refusals.h"

static char unix_path[80], file_path[80];

/* Open a feed at a place, let it report, and close it. */
static bool open_at(const char *where, brio_feed_content content, bool depth, brio_error *err) {
  brio_feed_options options = {.where = where, .content = content, .detector = 1, .depth = depth};
  brio_feed *feed = brio_feed_open(&options, err);
  brio_feed_report report;
  if (feed) brio_feed_look(feed, &report);
  brio_feed_close(feed);
  return feed;
}

static bool hear_detections(brio_error *err) { return open_at("udp:0", BRIO_FEED_DETECTIONS, false, err); }
static bool hear_masks(brio_error *err) { return open_at("udp:0", BRIO_FEED_DETECTIONS, true, err); }
static bool hear_clouds(brio_error *err) { return open_at(unix_path, BRIO_FEED_CLOUDS, false, err); }
static bool look_into_memory(brio_error *err) { return open_at("shm:none", BRIO_FEED_CLOUDS, false, err); }
static bool play_a_file(brio_error *err) { return open_at(file_path, BRIO_FEED_DETECTIONS, false, err); }

static void any_allocation_may_fail(void) {
  static const refusals_job jobs[] = {
    {"detections over UDP", hear_detections}, {"masks with depths", hear_masks},
    {"clouds over a socket", hear_clouds}, {"clouds in shared memory", look_into_memory},
    {"a file of detections", play_a_file},
  };
  snprintf(unix_path, sizeof unix_path, "unix:/tmp/%s.sock", check_own);
  snprintf(file_path, sizeof file_path, "file:/tmp/%s.jsonl", check_own);
  FILE *file = fopen(file_path + 5, "w");
  CHECK(file && fputs("{\"t\":0,\"detections\":[]}\n", file) >= 0 && fclose(file) == 0, "a file is written");
  refusals_of(jobs, sizeof jobs / sizeof *jobs);
  remove(file_path + 5);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
