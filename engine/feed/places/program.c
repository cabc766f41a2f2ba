/* Messages of a program that the feed starts itself and, when it ends or crashes, starts again at growing
** intervals. Requests go to its standard input. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "feed/feed_internal.h"
#include "feed/input/child.h"

#define FIRST_PAUSE 500000000LL /* ns until it is started again; doubled each time */
#define MOST_PAUSE 8000000000LL
#define WELL 10000000000LL /* ns after which it counts as healthy */

enum { PIECE = 1 << 16, AT_ONCE = 16, PATIENCE_MS = 300, WHY = 120 };

typedef struct program {
  char *command;
  brio_feed_child child;
  bool greeted;
  int64_t started, again, pause; /* ns: since when it runs; when it is started again; the last pause */
  brio_feed_lines lines;
} program;

static bool program_open(brio_feed *feed, const char *rest, brio_error *err) {
  program *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  feed->link = link;
  link->child = (brio_feed_child){0, -1, -1};
  link->command = strdup(rest);
  if (!link->command ||
      !brio_feed_lines_start(&link->lines, brio_feed_longest(feed) + 1, brio_feed_binary_of(feed)))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  link->started = brio_clock_monotonic();
  return brio_feed_child_start(&link->child, link->command, err);
}

static void program_close(brio_feed *feed) {
  program *link = feed->link;
  brio_feed_child_end(&link->child, PATIENCE_MS, NULL, 0);
  brio_feed_lines_end(&link->lines);
  free(link->command);
  free(link);
}

/* Its messages are those of one sender, by its process. */
static void program_greet(brio_feed *feed) {
  program *link = feed->link;
  char name[BRIO_FEED_SENDER];
  snprintf(name, sizeof name, "process %ld", (long)link->child.pid);
  link->greeted = true;
  brio_feed_greet(feed, name);
}

/* End the program, say so, and when it is started again. One that `may_finish` and ends with exit code 0 has
** finished, as at the end of a film: it is not started again. */
static void lose(brio_feed *feed, program *link, bool may_finish) {
  char why[WHY], sentence[BRIO_FEED_WORDS];
  int64_t now = brio_clock_monotonic();
  bool finished = brio_feed_child_end(&link->child, PATIENCE_MS, why, sizeof why) == 0 && may_finish;
  link->again = INT64_MAX;
  if (finished) atomic_store_explicit(&feed->over, true, memory_order_release);
  if (finished) return;
  if (now - link->started > WELL) link->pause = 0;
  link->pause = link->pause == 0 ? FIRST_PAUSE : link->pause < MOST_PAUSE ? 2 * link->pause : MOST_PAUSE;
  link->again = now + link->pause;
  snprintf(sentence, sizeof sentence, "the program has gone: %s; it is started again in %.1f s", why,
           (double)link->pause * 1e-9);
  brio_feed_tell(&feed->meter, BRIO_FEED_SENSOR, sentence, now);
  brio_feed_lines_clear(&link->lines);
  link->greeted = false;
  feed->last_at = 0; /* the next one may come at once */
}

/* Start it again when it is time. */
static void start_again(brio_feed *feed, program *link) {
  brio_error err;
  int64_t now = brio_clock_monotonic();
  if (now < link->again) {
    brio_feed_rest(BRIO_FEED_WAIT_MS);
    return;
  }
  link->started = now;
  if (brio_feed_child_start(&link->child, link->command, &err)) return;
  brio_feed_tell(&feed->meter, BRIO_FEED_SENSOR, err.message, now);
  link->pause = MOST_PAUSE, link->again = now + MOST_PAUSE;
}

/* One round of the thread: wait for output, then read. */
static void program_work(brio_feed *feed) {
  program *link = feed->link;
  if (link->child.pid == 0) {
    start_again(feed, link);
    return;
  }
  struct pollfd wait = {.fd = link->child.out, .events = POLLIN};
  if (poll(&wait, 1, BRIO_FEED_WAIT_MS) <= 0) return;
  for (int i = 0; i < AT_ONCE; i++) {
    size_t room;
    char *back = brio_feed_lines_back(&link->lines, &room);
    ssize_t count = read(link->child.out, back, room < PIECE ? room : PIECE);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    /* 0 bytes: it has closed its output, and ends. */
    if (count <= 0) {
      lose(feed, link, true);
      return;
    }
    brio_feed_lines_add(&link->lines, (size_t)count);
    brio_feed_hear_lines(feed, &link->lines, &link->greeted);
  }
  brio_feed_rest(2);
}

/* Send a request without waiting. False: it was not sent whole; the rest of a line would be nonsense, so
** that the program is started again. */
static bool program_send(brio_feed *feed, const char *bytes, size_t length) {
  program *link = feed->link;
  if (link->child.pid == 0 || !link->greeted) return false;
  ssize_t count = write(link->child.in, bytes, length);
  if (count > 0 && count < (ssize_t)length) lose(feed, link, false);
  return count == (ssize_t)length;
}

const brio_feed_place brio_feed_place_program = {
    .name = "program",
    .live = true,
    .two_way = true,
    .contents = {true, false},
    .open = program_open,
    .work = program_work,
    .greet = program_greet,
    .send = program_send,
    .close = program_close,
};
