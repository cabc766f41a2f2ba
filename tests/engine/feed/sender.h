/* Senders for tests of feeds: another program's end of a socket or a segment, and waits for the effects. */
#ifndef BRIO_TESTS_FEED_SENDER_H
#define BRIO_TESTS_FEED_SENDER_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

#include "base/clock.h"
#include "feed/feed.h"
#include "tests/check.h"

#define PATIENCE ((double)CHECK_PATIENCE)

static double now_s(void) { return (double)brio_clock_monotonic() * 1e-9; }

static inline void pause_ms(int ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
  nanosleep(&t, NULL);
}

static brio_feed_report report_of(brio_feed *feed) {
  brio_feed_report report;
  brio_feed_look(feed, &report);
  return report;
}

/* Wait until `condition` holds, with `step` in each round. */
#define WAIT_FOR(condition, step) CHECK_AWAIT(condition, step, "it does not come")

static inline int udp_sender(const brio_feed *feed) {
  brio_feed_report report = report_of((brio_feed *)feed);
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)atoi(strrchr(report.where, ':') + 1))};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  CHECK(connect(fd, (struct sockaddr *)&to, sizeof to) == 0, "%s: %s", report.where, strerror(errno));
  return fd;
}

static inline int unix_sender(const char *path) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) return fd;
  close(fd);
  return -1;
}

static inline void say(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void say(int fd, const char *format, ...) {
  char line[4096];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  (void)!send(fd, line, (size_t)length, MSG_NOSIGNAL);
}

/* The answer of the feed, or "" when none comes in a while. */
static inline const char *hear_back(int fd, int ms) {
  static char line[BRIO_FEED_REQUEST + 1];
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  ssize_t length = poll(&wait, 1, ms) > 0 ? recv(fd, line, sizeof line - 1, 0) : 0;
  line[length > 0 ? length : 0] = 0;
  return line;
}

/* Take all frames that are there; return the number of detections. */
static inline int drain(brio_feed *feed) {
  const brio_feed_frame *frame;
  int count = 0;
  while ((frame = brio_feed_next(feed, now_s()))) count += frame->count;
  return count;
}

/* A feed that drops a sender after `silent` seconds without a message. */
static inline brio_feed *open_feed_that_waits(const char *where, brio_feed_content content, double silent) {
  brio_error err = {.message = ""};
  brio_feed_options options = {.where = where, .content = content, .detector = 1, .oldest = 1e6,
                               .silent = silent};
  brio_feed *feed = brio_feed_open(&options, &err);
  CHECK(feed, "%s", err.message);
  return feed;
}

static inline brio_feed *open_feed(const char *where, brio_feed_content content) {
  return open_feed_that_waits(where, content, 0.3);
}

#endif
