/* What a program makes of a recording, such as a film: its messages count at their own times, however fast
** it is, as those of a file do, so that a run on the fast clock repeats. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "feed/feed_internal.h"
#include "feed/input/child.h"
#include "feed/input/recording.h"

enum { PIECE = 1 << 16, PATIENCE_MS = 300, WHY = 120 };

typedef struct output {
  brio_feed_child child;
  brio_feed_recording recording;
  brio_feed_lines lines;
} output;

static bool output_open(brio_feed *feed, const char *rest, brio_error *err) {
  output *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  feed->link = link;
  link->child = (brio_feed_child){0, -1, -1};
  brio_feed_recording_start(&link->recording, feed);
  if (!brio_feed_lines_start(&link->lines, brio_feed_longest(feed) + 1, brio_feed_binary_of(feed)))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  return brio_feed_child_start(&link->child, rest, err);
}

static void output_close(brio_feed *feed) {
  output *link = feed->link;
  brio_feed_child_end(&link->child, 0, NULL, 0);
  brio_feed_lines_end(&link->lines);
  free(link);
}

/* Read some bytes. False: the end. */
static bool read_some(brio_feed *feed, output *link) {
  size_t room;
  struct pollfd wait = {.fd = link->child.out, .events = POLLIN};
  if (poll(&wait, 1, BRIO_FEED_WAIT_MS) <= 0) return true;
  char *back = brio_feed_lines_back(&link->lines, &room);
  ssize_t count = read(link->child.out, back, room < PIECE ? room : PIECE);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (count > 0)
    brio_feed_lines_add(&link->lines, (size_t)count);
  else if (brio_feed_lines_cut(&link->lines))
    brio_feed_refuse(&feed->meter, BRIO_FEED_CUT, "the program has ended within a message");
  return count > 0;
}

/* The output has ended. A program that failed is said to: what it made ends too early. */
static void finish(brio_feed *feed, output *link) {
  char why[WHY], sentence[BRIO_FEED_WORDS];
  if (brio_feed_child_end(&link->child, PATIENCE_MS, why, sizeof why) != 0) {
    snprintf(sentence, sizeof sentence, "the program has failed: %s; no more comes of it", why);
    brio_feed_tell(&feed->meter, BRIO_FEED_SENSOR, sentence, brio_clock_monotonic());
  }
  atomic_store_explicit(&feed->over, true, memory_order_release);
}

/* One round of the thread: one message, or one read; after the end, a pause. */
static void output_work(brio_feed *feed) {
  output *link = feed->link;
  const char *bytes;
  size_t length;
  if (atomic_load_explicit(&feed->over, memory_order_relaxed)) {
    brio_feed_rest(BRIO_FEED_WAIT_MS);
    return;
  }
  brio_feed_piece piece = brio_feed_lines_next(&link->lines, &bytes, &length);
  if (piece == BRIO_FEED_WHOLE)
    brio_feed_recording_hear(feed, &link->recording, bytes, length);
  else if (piece == BRIO_FEED_TOO_LONG)
    brio_feed_refuse(&feed->meter, BRIO_FEED_LENGTH, "a message of more than %zu bytes",
                     brio_feed_longest(feed));
  else if (!read_some(feed, link))
    finish(feed, link);
}

const brio_feed_place brio_feed_place_output = {
    .name = "output",
    .contents = {true, false},
    .open = output_open,
    .work = output_work,
    .close = output_close,
};
