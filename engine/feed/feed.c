/* Opening and closing a feed, and its thread, which has a lower priority than the others: see feed.h. The
** thread's functions are in feed_hear.c, the script thread's in feed_take.c. */
#include "feed/feed.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/threads/lines.h"
#include "feed/feed_internal.h"

#define RATE 500.0        /* messages per second */
#define CLOUD_RATE 5000.0 /* likewise of clouds, which come in many pieces */
#define PERIOD 0.1        /* s between the clouds of a folder */

enum { NICE = 5, POINTS = 1000000 };

/* ---- the thread ---- */

/* Send a request to the sender; false: its place has no way back, or there is no sender. */
static bool send_back(void *context, const char *bytes, size_t length) {
  brio_feed *feed = context;
  return feed->place->send && feed->place->send(feed, bytes, length);
}

/* The thread: receive, send requests, report refusals, until the feed is closed. */
static void *run(void *context) {
  brio_feed *feed = context;
  sigset_t all;
  /* Signals are for the main thread. */
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* on Linux, of this thread alone */
  while (!atomic_load_explicit(&feed->ends, memory_order_acquire)) {
    /* Waits BRIO_FEED_WAIT_MS at most, so that the end is noticed. */
    feed->place->work(feed);
    int64_t now = brio_clock_monotonic();
    const brio_feed_request *asked = brio_feed_control_work(&feed->control, now, send_back, feed);
    /* A new request also changes what is accepted here. */
    if (asked) feed->reading.wanted = asked->wanted;
    brio_feed_meter_say(&feed->meter, now);
  }
  return NULL;
}

/* ---- opening ---- */

/* The kind of place by the name before the colon, and the rest of the name; NULL: no place of that name has
** this content. */
static const brio_feed_place *place_of(const char *where, brio_feed_content content, const char **rest) {
  for (int i = 0; brio_feed_places[i]; i++) {
    /* The name up to the colon must match, and the kind must have the content. */
    size_t length = strlen(brio_feed_places[i]->name);
    *rest = where + length + 1;
    bool named = strncmp(where, brio_feed_places[i]->name, length) == 0 && where[length] == ':';
    if (named && brio_feed_places[i]->contents[content]) return brio_feed_places[i];
  }
  return NULL;
}

/* A value, or its default if it is not given (0). */
static double or_default(double value, double fallback) { return value > 0 ? value : fallback; }

/* The options with every 0 replaced by its default. */
static brio_feed_options with_defaults(const brio_feed_options *given) {
  brio_feed_options options = *given;
  /* Rates differ by content; the other defaults are as in feed.h. */
  options.rate = or_default(given->rate, given->content == BRIO_FEED_CLOUDS ? CLOUD_RATE : RATE);
  options.period = or_default(given->period, PERIOD);
  options.cloud.limit = given->cloud.limit > 0 ? given->cloud.limit : POINTS;
  options.oldest = or_default(given->oldest, 1);
  options.silent = or_default(given->silent, 1);
  options.speed = or_default(given->speed, 1);
  return options;
}

/* Allocate what the feed's content needs. False: no memory; brio_feed_close frees the rest. */
static bool start_content(brio_feed *feed) {
  const brio_feed_options *o = &feed->options;
  if (o->depth && !(feed->looker = brio_feed_looker_new())) return false;
  /* Detections pass through a ring; clouds circulate, and may come in pieces. */
  if (o->content == BRIO_FEED_DETECTIONS)
    return brio_ring_start(&feed->frames, sizeof(brio_feed_frame), BRIO_FEED_WAITING);
  return brio_feed_clouds_start(&feed->clouds) &&
         (!feed->place->datagrams || brio_feed_puzzle_start(&feed->puzzle, brio_feed_longest(feed)));
}

/* Allocate, open the place, and start the thread, in this order: the thread must find everything. False:
** brio_feed_close undoes it. */
static bool start(brio_feed *feed, const char *rest, brio_error *err) {
  /* Nothing was received yet, and the settings of the sender's poses. */
  feed->last_number = -1;
  feed->taken.at = NAN;
  feed->reading.optical = feed->options.optical;
  feed->reading.depth = feed->options.depth;
  brio_feed_offset_start(&feed->offset);
  if (!brio_feed_meter_start(&feed->meter) || !brio_feed_control_start(&feed->control) ||
      !start_content(feed) || !brio_triple_start(&feed->names, BRIO_FEED_SENDER))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  if (!feed->place->open(feed, rest, err)) return false;
  feed->started = pthread_create(&feed->thread, NULL, run, feed) == 0;
  return feed->started || brio_fail(err, BRIO_IO, "no thread can be started for '%.100s'", feed->where);
}

brio_feed *brio_feed_open(const brio_feed_options *options, brio_error *err) {
  const char *rest;
  const brio_feed_place *place = place_of(options->where, options->content, &rest);
  /* No kind of place has that name for this content. */
  if (!place) {
    brio_fail(err, BRIO_MISUSE, "%s or file:PATH, not from '%.100s'",
              options->content == BRIO_FEED_CLOUDS ? "clouds come from shm:NAME, udp:[HOST:]PORT, unix:PATH"
                                                   : "detections come from udp:[HOST:]PORT, unix:PATH",
              options->where);
    return NULL;
  }
  /* Other programs run on the real clock only. */
  if (options->lockstep && place->live) {
    brio_fail(err, BRIO_MISUSE,
              "%.100s needs the real clock: other programs have no other; file:PATH goes with both",
              options->where);
    return NULL;
  }
  /* Aligned for the rings' and triple buffers' counters. */
  brio_feed *feed = brio_lines_new(sizeof *feed);
  if (!feed) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
    return NULL;
  }
  feed->options = with_defaults(options);
  feed->place = place;
  snprintf(feed->where, sizeof feed->where, "%s", options->where);
  /* The options' texts are the caller's: keep copies, and point to those. */
  snprintf(feed->axes, sizeof feed->axes, "%s", options->cloud.axes ? options->cloud.axes : "robot");
  snprintf(feed->frame, sizeof feed->frame, "%s", options->frame ? options->frame : "");
  feed->options.cloud.axes = feed->axes;
  feed->options.where = feed->where;
  /* Where clouds are kept is a copy as well; the option itself is not used again. */
  brio_feed_keep_start(&feed->keep, options->keep, options->keep_room);
  feed->options.keep = NULL;
  if (start(feed, rest, err)) return feed;
  brio_feed_close(feed);
  return NULL;
}

void brio_feed_close(brio_feed *feed) {
  if (!feed) return;
  /* The thread ends before anything that it uses. */
  atomic_store_explicit(&feed->ends, true, memory_order_release);
  if (feed->started) pthread_join(feed->thread, NULL);
  /* An open place has a link, even if opening failed half-way. */
  if (feed->link) feed->place->close(feed);
  /* In any order from here on: no thread uses them. */
  brio_feed_meter_end(&feed->meter);
  brio_feed_control_end(&feed->control);
  brio_ring_end(&feed->frames);
  brio_feed_clouds_end(&feed->clouds);
  brio_feed_keep_end(&feed->keep);
  brio_feed_looker_free(feed->looker);
  brio_feed_puzzle_end(&feed->puzzle);
  brio_triple_end(&feed->names);
  free(feed);
}
