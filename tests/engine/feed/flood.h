/* The effect of a flood of messages on ticks: a loop at 200 Hz that takes frames from a feed, as the engine's
** does, with and without a sender of 10,000 broken messages a second, alternately, so that other load on the
** machine affects both. */
#ifndef BRIO_TESTS_FEED_FLOOD_H
#define BRIO_TESTS_FEED_FLOOD_H

#include <pthread.h>
#include <stdatomic.h>

#include "feed/feeds.h"
#include "tests/engine/feed/sender.h"

enum { FLOOD_RATE = 10000, FLOOD_TICKS = 50 /* of one turn */, FLOOD_MOST = 40 * FLOOD_TICKS };

#define FLOOD_PERIOD 5000000 /* ns: 200 Hz */

/* The measurements, [0] without and [1] with the flood. */
typedef struct flood_result {
  int count[2];
  double late[2][FLOOD_MOST]; /* us: how late a tick began, in rising order */
  double work[2][FLOOD_MOST]; /* us of CPU time that taking frames took */
  int64_t sent;               /* by the flood */
  int64_t good, taken;        /* valid detections that were sent, and that ticks took */
  brio_feed_counts counts;
} flood_result;

typedef struct flooder {
  int fd;
  atomic_bool on, ends;
  atomic_int_fast64_t sent;
} flooder;

/* Ten every millisecond; none is JSON, and all are long enough to be parsed. */
static void *flood_run(void *context) {
  static char line[1024];
  flooder *f = context;
  memset(line, '[', sizeof line);
  memcpy(line, "{\"detections\": [", 16);
  while (!atomic_load(&f->ends)) {
    for (int i = 0; i < FLOOD_RATE / 1000 && atomic_load(&f->on); i++)
      if (send(f->fd, line, sizeof line, MSG_NOSIGNAL | MSG_DONTWAIT) > 0) atomic_fetch_add(&f->sent, 1);
    pause_ms(1);
  }
  return NULL;
}

static int flood_compare(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* One tick at `next`: a good message is sent before every sixth, as by a camera at 33 Hz. */
static void flood_tick(flood_result *r, brio_feeds *feeds, int fd, int tick, int64_t next, bool flooded) {
  static brio_detection seen[4 * BRIO_FEED_MOST];
  struct timespec until = {next / 1000000000, next % 1000000000};
  r->good += tick % 6 == 0;
  if (tick % 6 == 0)
    say(fd, "{\"seq\": %d, \"detections\": [{\"class\": \"cup\", \"pose\": [1, 2, 3]}]}", tick);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
  double late = (double)(brio_clock_monotonic() - next) * 1e-3;
  int64_t began = brio_clock_thread_cpu();
  r->taken += brio_feeds_detect(feeds, now_s(), NULL, seen, 4 * BRIO_FEED_MOST);
  int k = r->count[flooded]++;
  r->late[flooded][k] = late;
  r->work[flooded][k] = (double)(brio_clock_thread_cpu() - began) * 1e-3;
}

/* Measure `turns` turns (at most 80) of a quarter of a second, every second one with the flood. */
static void flood_measure(flood_result *r, int turns) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  brio_feeds feeds = {.count = 1, .rows = {{.feed = feed}}};
  int fd = udp_sender(feed);
  flooder f = {.fd = fd}; /* the sender itself: another one's messages would not even be read */
  pthread_t thread;
  memset(r, 0, sizeof *r);
  say(fd, "{\"detections\": []}");
  WAIT_FOR(report_of(feed).sender[0], (void)0);
  pthread_create(&thread, NULL, flood_run, &f);
  int64_t next = brio_clock_monotonic() + FLOOD_PERIOD;
  for (int tick = 0; tick < turns * FLOOD_TICKS; tick++, next += FLOOD_PERIOD) {
    bool flooded = tick / FLOOD_TICKS % 2 == 1;
    atomic_store(&f.on, flooded);
    flood_tick(r, &feeds, fd, tick, next, flooded);
  }
  atomic_store(&f.ends, true);
  pthread_join(thread, NULL);
  r->sent = atomic_load(&f.sent);
  r->counts = report_of(feed).counts;
  for (int i = 0; i < 2; i++) {
    qsort(r->late[i], (size_t)r->count[i], sizeof *r->late[i], flood_compare);
    qsort(r->work[i], (size_t)r->count[i], sizeof *r->work[i], flood_compare);
  }
  close(fd);
  brio_feed_close(feed);
}

/* The quantile `part` of the measurements: 0.5 is the median. */
static inline double flood_at(const double *sorted, int count, double part) {
  return sorted[(int)(part * (count - 1))];
}

#endif
