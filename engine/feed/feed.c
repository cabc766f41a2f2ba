/* The thread of a feed, and what the tick takes from it: see feed.h.
**
** The thread works below the others' priority, and reads no more messages a second than its rate: what comes faster is
** counted without being looked at. */
#include "feed/feed.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "feed/feed_internal.h"

#define RATE 500.0       /* messages a second */
#define STRANGERS 0.05   /* the share of it that is for others than the sender */
#define BYTES 16384.0    /* that are read for the price of one message */
#define BURST 0.25       /* s of the rate that may come at once */
#define AHEAD 0.1        /* s that a sender on this machine's clock may be ahead */

enum { NICE = 5 };

void brio_feed_rest(int milliseconds) {
  struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&t, NULL);
}

/* ---- judging ---- */

/* Whether there is time left to read a message of so many bytes. */
static bool may_read(brio_feed *feed, size_t length, int64_t now, bool known) {
  double rate = feed->options.rate, most = rate * BURST;
  double price = (1 + (double)length / BYTES) / (known ? 1 : STRANGERS);
  feed->tokens = fmin(most, feed->tokens + (double)(now - feed->filled) * 1e-9 * rate);
  feed->filled = now;
  if (feed->tokens < fmin(price, most)) return false;
  feed->tokens -= price;
  return true;
}

/* Whether a message comes after the one before, by its number. */
static bool is_in_order(brio_feed *feed, int64_t number) {
  if (number < 0) return true;
  if (feed->last_number >= 0 && number <= feed->last_number)
    return brio_feed_refuse(&feed->meter, BRIO_FEED_ORDER, "number %lld came after %lld", (long long)number, (long long)feed->last_number);
  feed->last_number = number;
  return true;
}

/* The time of this machine's clock (s) when something was seen that came in at `received`; false: it is not believed. */
static bool find_time(brio_feed *feed, double received) {
  brio_feed_frame *frame = &feed->message.frame;
  double sender = isnan(feed->message.sent) ? frame->sensed : feed->message.sent;
  if (isnan(frame->sensed)) frame->sensed = sender;
  if (isnan(sender)) {
    frame->sensed = received;
    return true;
  }
  if (!feed->options.monotonic) {
    brio_feed_belief belief = brio_feed_offset_take(&feed->offset, sender, received);
    if (belief == BRIO_FEED_LATE) return brio_feed_refuse(&feed->meter, BRIO_FEED_OLD, "t = %.3f of the sender is too long ago", sender);
    if (belief == BRIO_FEED_EARLY) return brio_feed_refuse(&feed->meter, BRIO_FEED_FUTURE, "t = %.3f of the sender is still to come", sender);
    atomic_store_explicit(&feed->jumps, feed->offset.jumps, memory_order_relaxed);
    frame->sensed = brio_feed_offset_local(&feed->offset, frame->sensed);
  }
  if (frame->sensed > received + AHEAD)
    return brio_feed_refuse(&feed->meter, BRIO_FEED_FUTURE, "seen %.3g s after it came in", frame->sensed - received);
  frame->sensed = fmin(frame->sensed, received);
  return true;
}

bool brio_feed_hear(brio_feed *feed, const char *bytes, size_t length, int64_t received, bool known) {
  brio_feed_message *message = &feed->message;
  brio_feed_meter_came(&feed->meter, length);
  if (!known && !brio_feed_is_free(feed, received)) {
    brio_feed_count(&feed->meter, BRIO_FEED_STRANGER);
    return false;
  }
  if (!may_read(feed, length, received, known)) {
    brio_feed_count(&feed->meter, BRIO_FEED_RATE);
    return false;
  }
  if (!brio_feed_read(bytes, length, &feed->reading, message, &feed->meter)) return false;
  if (!known) feed->place->greet(feed);
  if (message->answer.number >= 0) brio_feed_control_hear(&feed->control, &message->answer);
  feed->last_at = received;
  if (!message->seen) return true;
  if (!is_in_order(feed, message->number) || !find_time(feed, (double)received * 1e-9)) return false;
  return brio_feed_hand_over(feed, &message->frame, false);
}

bool brio_feed_is_free(const brio_feed *feed, int64_t now) {
  return feed->last_at == 0 || (double)(now - feed->last_at) * 1e-9 > feed->options.silent;
}

void brio_feed_greet(brio_feed *feed, const char *name) {
  snprintf(brio_triple_back(&feed->names), BRIO_FEED_SENDER, "%s", name);
  brio_triple_publish(&feed->names);
  feed->last_number = -1;
  feed->last_at = 0;
  feed->senders++;
  brio_feed_offset_start(&feed->offset);
  brio_feed_control_again(&feed->control);
}

bool brio_feed_hand_over(brio_feed *feed, brio_feed_frame *frame, bool patient) {
  brio_feed_meter_look(&feed->meter, &frame->counts);
  while (!brio_ring_put(&feed->frames, frame)) {
    if (!patient || atomic_load_explicit(&feed->ends, memory_order_acquire)) {
      brio_feed_count(&feed->meter, BRIO_FEED_ROOM);
      return false;
    }
    brio_feed_rest(1);
  }
  return true;
}

/* ---- the thread ---- */

static bool send_back(void *context, const char *bytes, size_t length) {
  brio_feed *feed = context;
  return feed->place->send && feed->place->send(feed, bytes, length);
}

static void *run(void *context) {
  brio_feed *feed = context;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* of this thread alone, on Linux */
  while (!atomic_load_explicit(&feed->ends, memory_order_acquire)) {
    feed->place->work(feed);
    int64_t now = brio_clock_monotonic();
    const brio_feed_request *asked = brio_feed_control_work(&feed->control, now, send_back, feed);
    if (asked) feed->reading.wanted = asked->wanted;
    brio_feed_meter_say(&feed->meter, now);
  }
  return NULL;
}

/* ---- opening ---- */

static const brio_feed_place *place_of(const char *where, const char **rest) {
  for (int i = 0; brio_feed_places[i]; i++) {
    size_t length = strlen(brio_feed_places[i]->name);
    *rest = where + length + 1;
    if (strncmp(where, brio_feed_places[i]->name, length) == 0 && where[length] == ':') return brio_feed_places[i];
  }
  return NULL;
}

static double or_default(double value, double fallback) { return value > 0 ? value : fallback; }

static brio_feed_options with_defaults(const brio_feed_options *given) {
  brio_feed_options options = *given;
  options.rate = or_default(given->rate, RATE);
  options.oldest = or_default(given->oldest, 1);
  options.silent = or_default(given->silent, 1);
  options.speed = or_default(given->speed, 1);
  return options;
}

static bool start(brio_feed *feed, const char *rest, brio_error *err) {
  feed->last_number = -1;
  feed->taken.at = NAN;
  feed->filled = brio_clock_monotonic();
  feed->tokens = feed->options.rate * BURST;
  feed->reading.optical = feed->options.optical;
  brio_feed_offset_start(&feed->offset);
  if (!brio_feed_meter_start(&feed->meter) || !brio_feed_control_start(&feed->control) ||
      !brio_ring_start(&feed->frames, sizeof(brio_feed_frame), BRIO_FEED_WAITING) || !brio_triple_start(&feed->names, BRIO_FEED_SENDER))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  if (!feed->place->open(feed, rest, err)) return false;
  feed->started = pthread_create(&feed->thread, NULL, run, feed) == 0;
  return feed->started || brio_fail(err, BRIO_IO, "no thread can be started for '%.100s'", feed->where);
}

brio_feed *brio_feed_open(const brio_feed_options *options, brio_error *err) {
  const char *rest;
  const brio_feed_place *place = place_of(options->where, &rest);
  if (!place || !place->contents[options->content]) {
    brio_fail(err, BRIO_MISUSE, "%s come from udp:[HOST:]PORT, unix:PATH, %s or file:PATH, not '%.100s'",
              options->content == BRIO_FEED_CLOUDS ? "clouds" : "detections",
              options->content == BRIO_FEED_CLOUDS ? "shm:NAME" : "", options->where);
    return NULL;
  }
  if (options->lockstep && place->live) {
    brio_fail(err, BRIO_MISUSE, "%.100s needs the real clock: other programs have no other; file:PATH goes with both", options->where);
    return NULL;
  }
  brio_feed *feed = aligned_alloc(64, (sizeof *feed + 63) / 64 * 64);
  if (!feed) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
    return NULL;
  }
  memset(feed, 0, sizeof *feed);
  feed->options = with_defaults(options);
  feed->place = place;
  snprintf(feed->where, sizeof feed->where, "%s", options->where);
  feed->options.where = feed->where;
  if (start(feed, rest, err)) return feed;
  brio_feed_close(feed);
  return NULL;
}

void brio_feed_close(brio_feed *feed) {
  if (!feed) return;
  atomic_store_explicit(&feed->ends, true, memory_order_release);
  if (feed->started) pthread_join(feed->thread, NULL);
  if (feed->link) feed->place->close(feed);
  brio_feed_meter_end(&feed->meter);
  brio_feed_control_end(&feed->control);
  brio_ring_end(&feed->frames);
  brio_triple_end(&feed->names);
  free(feed);
}

/* ---- the tick's side ---- */

/* Fetch the next frame; in lockstep, wait until there is one or the file is over. */
static bool fetch(brio_feed *feed) {
  while (!feed->fetched) {
    bool over = atomic_load_explicit(&feed->over, memory_order_acquire); /* before the ring is looked at */
    feed->fetched = brio_ring_get(&feed->frames, &feed->next);
    feed->taken.over = over && !feed->fetched;
    if (feed->fetched || over || !feed->options.lockstep) break;
    brio_feed_rest(1);
  }
  return feed->fetched;
}

/* A frame that is due is looked at: whether it is taken. */
static bool take(brio_feed *feed, brio_feed_frame *frame, double time) {
  if (feed->place->live) frame->sensed = time + frame->sensed - (double)brio_clock_monotonic() * 1e-9;
  frame->sensed = fmin(frame->sensed, time);
  feed->taken.counts = frame->counts;
  if (time - frame->sensed > feed->options.oldest) {
    feed->taken.old++;
    return false;
  }
  feed->taken.frames++;
  feed->taken.detections += frame->count;
  feed->taken.at = time;
  return true;
}

const brio_feed_frame *brio_feed_next(brio_feed *feed, double time) {
  while (fetch(feed)) {
    if (feed->next.due > time + 1e-9) return NULL;
    feed->fetched = false;
    if (take(feed, &feed->next, time)) return &feed->next;
  }
  return NULL;
}

bool brio_feed_next_note(brio_feed *feed, brio_feed_note *note) { return brio_ring_get(&feed->meter.notes, note); }

uint8_t brio_feed_number(const brio_feed *feed) { return feed->options.detector; }

void brio_feed_refuse_frame(brio_feed *feed) { feed->taken.lost++; }

/* What was counted: in lockstep until the frame that was taken last, or all when the file is over, so that it does not
** depend on how far ahead the thread is. */
static void look_at_counts(brio_feed *feed, brio_feed_counts *counts) {
  if (feed->options.lockstep && !feed->taken.over) *counts = feed->taken.counts;
  else brio_feed_meter_look(&feed->meter, counts);
  counts->refused[BRIO_FEED_OLD] += feed->taken.old;
  counts->refused[BRIO_FEED_FRAME] += feed->taken.lost;
}

void brio_feed_look(brio_feed *feed, brio_feed_report *report) {
  memset(report, 0, sizeof *report);
  snprintf(report->where, sizeof report->where, "%s", feed->where);
  brio_triple_fetch(&feed->names);
  snprintf(report->sender, sizeof report->sender, "%s", (const char *)brio_triple_front(&feed->names));
  look_at_counts(feed, &report->counts);
  report->frames = feed->taken.frames;
  report->detections = feed->taken.detections;
  report->heard = feed->taken.at;
  report->jumps = atomic_load_explicit(&feed->jumps, memory_order_relaxed);
  report->over = feed->taken.over;
  report->two_way = feed->place->two_way;
}

void brio_feed_ask(brio_feed *feed, const brio_feed_request *request) { brio_feed_control_ask(&feed->control, request); }

const brio_feed_talk *brio_feed_asked(brio_feed *feed) { return brio_feed_control_look(&feed->control); }
