/* The script thread's side of a feed: the data that a tick accepts, and the feed's status. See feed.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "feed/feed_internal.h"

/* Whether a frame or a cloud waits for the tick. A frame is fetched then, and kept until it is due. */
static bool is_waiting(brio_feed *feed) {
  if (feed->options.content == BRIO_FEED_CLOUDS) return brio_feed_clouds_peek(&feed->clouds);
  feed->fetched = feed->fetched || brio_ring_get(&feed->frames, &feed->next);
  return feed->fetched;
}

/* Fetch the next frame or cloud; in lockstep wait for it, or for the end of the file. */
static bool fetch(brio_feed *feed) {
  for (;;) {
    /* `over` is read first, in this order: it is set behind the last frame. */
    bool over = atomic_load_explicit(&feed->over, memory_order_acquire), waiting = is_waiting(feed);
    feed->taken.over = over && !waiting;
    if (waiting || over || !feed->options.lockstep) return waiting;
    brio_feed_rest(1);
  }
}

/* Accept what is due, of `count` detections or points: convert its time into seconds of the run. False: it
** is too old, and counted. */
static bool take(brio_feed *feed, double *sensed, int count, double time) {
  /* A live time is on the monotonic clock; its age is what counts. */
  if (feed->place->live) *sensed = time + *sensed - (double)brio_clock_monotonic() * 1e-9;
  *sensed = fmin(*sensed, time);
  if (time - *sensed > feed->options.oldest) {
    feed->taken.old++;
    return false;
  }
  feed->taken.frames++;
  feed->taken.detections += count;
  feed->taken.at = time;
  return true;
}

/* In lockstep positions are found here, where it is known which depth picture is the newest at that time. */
static void look_at(brio_feed *feed) {
  int before = feed->next.count;
  if (feed->options.lockstep) brio_feed_look_at(feed->looker, &feed->wanted, &feed->next, &feed->own);
  feed->taken.placeless += before - feed->next.count;
}

const brio_feed_frame *brio_feed_next(brio_feed *feed, double time) {
  /* Frames that are not due stay for a later tick; 1e-9 s for rounding. */
  while (fetch(feed)) {
    if (feed->next.due > time + 1e-9) return NULL;
    /* It is in feed->next, also while the next one is fetched. */
    feed->fetched = false;
    feed->taken.counts = feed->next.counts;
    look_at(feed);
    if (take(feed, &feed->next.sensed, feed->next.count, time)) return &feed->next;
  }
  return NULL;
}

bool brio_feed_depth_of(brio_feed *feed, const brio_cloud *cloud) {
  return feed->looker && brio_feed_looker_take(feed->looker, cloud);
}

bool brio_feed_cloud(brio_feed *feed, double time, brio_cloud *cloud) {
  brio_feed_clouds *clouds = &feed->clouds;
  bool taken = false;
  /* The newest of several due clouds is kept; the others count as accepted. */
  while (fetch(feed) && clouds->next.due <= time + 1e-9) {
    /* The counts that belong to this cloud, read by the thread when it was handed over. */
    double sensed = clouds->next.sensed;
    feed->taken.counts = clouds->next.counts;
    bool good = take(feed, &sensed, clouds->clouds[clouds->next.cloud]->count, time);
    if (good)
      memcpy(feed->taken.hash, clouds->next.hash, sizeof feed->taken.hash),
          feed->taken.length = clouds->next.length;
    /* Clouds are swapped, not copied: the caller's old one circulates on. */
    brio_feed_clouds_take(clouds, good ? cloud : NULL);
    if (good) cloud->time = sensed;
    taken = taken || good;
  }
  return taken;
}

const char *brio_feed_kept(const brio_feed *feed, int64_t *length) {
  *length = feed->taken.length;
  return feed->taken.hash;
}

bool brio_feed_next_note(brio_feed *feed, brio_feed_note *note) {
  return brio_ring_get(&feed->meter.notes, note);
}

uint8_t brio_feed_number(const brio_feed *feed) { return feed->options.detector; }

void brio_feed_refuse_frame(brio_feed *feed) { feed->taken.lost++; }

/* Get the counts. In lockstep those up to the frame accepted last, or all when the file has ended, so that
** they do not depend on how far ahead the thread is. */
static void look_at_counts(brio_feed *feed, brio_feed_counts *counts) {
  if (feed->options.lockstep && !feed->taken.over) *counts = feed->taken.counts;
  else brio_feed_meter_look(&feed->meter, counts);
  /* Refusals of the tick itself, which has no part in the thread's meter. */
  counts->refused[BRIO_FEED_OLD] += feed->taken.old;
  counts->refused[BRIO_FEED_FRAME] += feed->taken.lost;
  counts->refused[BRIO_FEED_PLACE] += feed->taken.placeless;
}

void brio_feed_look(brio_feed *feed, brio_feed_report *report) {
  memset(report, 0, sizeof *report);
  snprintf(report->where, sizeof report->where, "%s", feed->where);
  /* The sender's name comes from the thread, through a triple buffer. */
  brio_triple_fetch(&feed->names);
  snprintf(report->sender, sizeof report->sender, "%s", (const char *)brio_triple_front(&feed->names));
  look_at_counts(feed, &report->counts);
  /* The script thread's own counts need no synchronization. */
  report->frames = feed->taken.frames;
  report->detections = feed->taken.detections;
  report->heard = feed->taken.at;
  report->jumps = atomic_load_explicit(&feed->jumps, memory_order_relaxed);
  report->over = feed->taken.over;
  report->two_way = feed->place->two_way;
}

void brio_feed_ask(brio_feed *feed, const brio_feed_request *request) {
  /* The filter applies here at once; the sender gets the request from the thread. */
  feed->wanted = request->wanted;
  brio_feed_control_ask(&feed->control, request);
}

const brio_feed_talk *brio_feed_asked(brio_feed *feed) { return brio_feed_control_look(&feed->control); }
