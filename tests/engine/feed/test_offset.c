/* Clocks of other programs: offsets that are learned, tracked and dropped again. */
#include "feed/offset.h"

#include "base/random.h"
#include "tests/check.h"

static brio_feed_offset offset;

static void the_least_delay_is_the_offset(void) {
  brio_random random = brio_random_stream(3, "offset");
  brio_feed_offset_start(&offset);
  CHECK(isnan(brio_feed_offset_local(&offset, 1)), "nothing is known");
  for (int i = 0; i < 900; i++) {
    double sent = 5000 + i / 30.0, delay = 0.002 + 0.03 * brio_random_uniform(&random, 0, 1);
    CHECK(brio_feed_offset_take(&offset, sent, sent - 4900 + delay) == BRIO_FEED_BELIEVED, "message %d", i);
  }
  CHECK_NEAR(brio_feed_offset_local(&offset, 5000), 100.002, 5e-4,
             "5000 there is 100 here, and the least delay is 2 ms");
}

static void a_clock_that_drifts_is_followed(void) {
  brio_feed_offset_start(&offset);
  double worst = 0;
  for (int i = 0; i < 30 * 600; i++) { /* ten minutes, 100 ppm too slow */
    double now = i / 30.0, sent = 7 + now * (1 - 1e-4);
    brio_feed_offset_take(&offset, sent, now + 0.001);
    if (i > 30) worst = fmax(worst, fabs(brio_feed_offset_local(&offset, sent) - now));
  }
  CHECK(worst < 0.006, "%g s", worst); /* 32 s x 100 ppm, and the delay */
}

static void one_wrong_time_is_not_believed(void) {
  brio_feed_offset_start(&offset);
  for (int i = 0; i < 10; i++) brio_feed_offset_take(&offset, 10 + i * 0.1, i * 0.1);
  CHECK(brio_feed_offset_take(&offset, 5000, 1) == BRIO_FEED_EARLY, "from the future");
  CHECK(brio_feed_offset_take(&offset, -5000, 1.1) == BRIO_FEED_LATE, "from the past");
  CHECK(brio_feed_offset_take(&offset, NAN, 1.1) == BRIO_FEED_EARLY &&
            brio_feed_offset_take(&offset, 1e300, 1.1) == BRIO_FEED_EARLY,
        "no time");
  CHECK(brio_feed_offset_take(&offset, 11.2, 1.2) == BRIO_FEED_BELIEVED, "it goes on as before");
  CHECK_NEAR(brio_feed_offset_local(&offset, 12), 2, 1e-9, "the offset is the same");
}

static void a_jump_is_believed_when_five_agree(void) {
  for (int way = -1; way <= 1; way += 2) {
    brio_feed_offset_start(&offset);
    for (int i = 0; i < 10; i++) brio_feed_offset_take(&offset, 1e6 + i * 0.1, i * 0.1);
    for (int i = 0; i < 4; i++)
      CHECK(brio_feed_offset_take(&offset, 1e6 + 1 + i * 0.1 + way * 3600, 1 + i * 0.1) != BRIO_FEED_BELIEVED,
            "message %d", i);
    CHECK(brio_feed_offset_take(&offset, 1e6 + 1.4 + way * 3600, 1.4) == BRIO_FEED_JUMPED &&
              offset.jumps == 1,
          "the fifth");
    CHECK(brio_feed_offset_take(&offset, 1e6 + 1.5 + way * 3600, 1.5) == BRIO_FEED_BELIEVED, "and on");
    CHECK_NEAR(brio_feed_offset_local(&offset, 1e6 + way * 3600 + 2), 2, 1e-6, "by the new clock");
  }
}

static void wrong_times_that_do_not_agree_are_no_jump(void) {
  brio_random random = brio_random_stream(4, "offset");
  brio_feed_offset_start(&offset);
  brio_feed_offset_take(&offset, 0, 0);
  for (int i = 0; i < 200; i++)
    CHECK(brio_feed_offset_take(&offset, brio_random_uniform(&random, -1e6, 1e6), i * 0.01) !=
              BRIO_FEED_JUMPED,
          "message %d", i);
}

static void a_long_silence_is_survived(void) {
  brio_feed_offset_start(&offset);
  brio_feed_offset_take(&offset, 100, 0);
  CHECK(brio_feed_offset_take(&offset, 100 + 86400, 86400.01) == BRIO_FEED_BELIEVED, "a day later");
  CHECK_NEAR(brio_feed_offset_local(&offset, 100 + 86400), 86400, 0.011, "by the old offset");
}

CHECK_SUITE(CHECK_TEST(the_least_delay_is_the_offset), CHECK_TEST(a_clock_that_drifts_is_followed),
            CHECK_TEST(one_wrong_time_is_not_believed), CHECK_TEST(a_jump_is_believed_when_five_agree),
            CHECK_TEST(wrong_times_that_do_not_agree_are_no_jump), CHECK_TEST(a_long_silence_is_survived))
