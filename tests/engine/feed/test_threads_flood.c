/* Malformed JSON at 10 kHz never stalls the tick. */
#include "tests/engine/feed/flood.h"

/* It never reaches the tick: the feed's own thread reads or counts it, and ticks take valid messages.  The
** lateness of ticks, with it and without, is printed; the benchmark of feeds judges it. */
static void a_flood_does_not_make_ticks_late(void) {
  static flood_result r;
  flood_measure(&r, check_scale() > 1 ? 40 : 4);
  double idle = flood_at(r.late[0], r.count[0], 0.5), flooded = flood_at(r.late[1], r.count[1], 0.5);
  double idle_work = flood_at(r.work[0], r.count[0], 0.9), work = flood_at(r.work[1], r.count[1], 0.9);
  printf("#   %lld broken messages sent, %lld came, %lld were read; ticks late %.0f us without, %.0f us with "
         "(medians);"
         " %.1f and %.1f us of work (p90)\n",
         (long long)r.sent, (long long)r.counts.messages, (long long)r.counts.refused[BRIO_FEED_SYNTAX], idle,
         flooded, idle_work, work);
  int64_t refused = r.counts.refused[BRIO_FEED_RATE] + r.counts.refused[BRIO_FEED_SYNTAX];
  CHECK(r.sent > 100 && refused > 100, "no flood: %lld sent, %lld refused", (long long)r.sent,
        (long long)refused);
  CHECK(r.taken > 0 && r.taken <= r.good, "ticks took %lld of %lld that were good", (long long)r.taken,
        (long long)r.good);
}

/* The same from the accepted sender, whose messages are parsed up to the rate. */
static void what_the_sender_itself_floods_is_read_up_to_the_rate(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int fd = udp_sender(feed);
  say(fd, "{\"detections\": []}");
  WAIT_FOR(report_of(feed).sender[0], (void)0);
  double began = now_s();
  int64_t sent = 0;
  for (; sent < 3000 || now_s() < began + 0.3; sent++) {
    say(fd, "{\"detections\": [{\"class\": \"cup\", \"pose\": [1, 2");
    if (sent % 10 == 9) pause_ms(1);
  }
  brio_feed_counts counts = report_of(feed).counts;
  double seconds = now_s() - began; /* behind the counts: a stall in between allows for more */
  double read = (double)counts.refused[BRIO_FEED_SYNTAX];
  CHECK(read <= 500 * (seconds + 0.5) + 1, "%g of %lld were read in %g s", read, (long long)sent, seconds);
  CHECK(counts.refused[BRIO_FEED_RATE] > 0, "the others are counted");
  close(fd);
  brio_feed_close(feed);
}

CHECK_SUITE(CHECK_TEST(a_flood_does_not_make_ticks_late),
            CHECK_TEST(what_the_sender_itself_floods_is_read_up_to_the_rate))
