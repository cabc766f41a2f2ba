/* Programs that feeds start: they end with everything that they have started, and a failure is told. */
#include <unistd.h>

#include "feed/input/child.h"
#include "tests/engine/feed/sender.h"

/* Start `command`, wait for its first byte, and end it: whether all that write to its output have gone
** then. */
static bool leaves_nobody(const char *command, int code) {
  brio_feed_child child;
  brio_error err = {0};
  char byte = 0;
  CHECK(brio_feed_child_start(&child, command, &err), "%s", err.message);
  int out = dup(child.out);
  CHECK_AWAIT(read(out, &byte, 1) == 1, (void)0, "it does not start");
  CHECK(brio_feed_child_end(&child, 0, NULL, 0) == code, "%s", command);
  /* The end of the file comes once nobody holds the other end. */
  ssize_t count = -1;
  CHECK_AWAIT((count = read(out, &byte, 1)) == 0, (void)0, "someone still writes to it");
  close(out);
  return count == 0;
}

static void what_a_program_has_started_ends_with_it(void) {
  CHECK(leaves_nobody("sh -c sleep%20300%20&%20echo;%20wait", -1), "killed");
}

static void what_a_program_left_behind_ends_too(void) {
  brio_feed_child child;
  brio_error err = {0};
  char byte = 0;
  /* It ends by itself, and leaves another one, which holds its output open. */
  CHECK(brio_feed_child_start(&child, "sh -c sleep%20300%20&%20echo;%20exit%203", &err), "%s", err.message);
  int out = dup(child.out);
  CHECK_AWAIT(read(out, &byte, 1) == 1, (void)0, "it does not start");
  CHECK(brio_feed_child_end(&child, CHECK_PATIENCE * 1000, NULL, 0) == 3, "its exit code");
  CHECK_AWAIT(read(out, &byte, 1) == 0, (void)0, "the other one still runs");
  close(out);
}

/* Wait for a note of a feed that contains `piece`. */
static void expect_note(brio_feed *feed, const char *piece) {
  brio_feed_note note = {0};
  WAIT_FOR(brio_feed_next_note(feed, &note) && strstr(note.detail, piece), (void)0);
}

static void a_recording_that_breaks_off_is_told(void) {
  brio_feed *feed = open_feed("output:sh -c exit%207", BRIO_FEED_DETECTIONS);
  expect_note(feed, "it ended with exit code 7");
  brio_feed_close(feed);
  feed = open_feed("output:sh -c kill%20-SEGV%20$$", BRIO_FEED_DETECTIONS);
  expect_note(feed, "it ended by signal 11");
  brio_feed_close(feed);
}

static void a_recording_that_ends_well_is_told_nothing(void) {
  brio_feed_note note;
  brio_feed *feed = open_feed("output:true", BRIO_FEED_DETECTIONS);
  WAIT_FOR(report_of(feed).over, drain(feed));
  CHECK(!brio_feed_next_note(feed, &note), "%s", note.detail);
  brio_feed_close(feed);
}

CHECK_SUITE(CHECK_TEST(what_a_program_has_started_ends_with_it),
            CHECK_TEST(what_a_program_left_behind_ends_too), CHECK_TEST(a_recording_that_breaks_off_is_told),
            CHECK_TEST(a_recording_that_ends_well_is_told_nothing))
