/* The feed thread's filter: which sender is accepted, how much is read, by which clock, and where it goes.
**
** No more messages per second are read than the rate permits: others are counted without being read. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "feed/feed_internal.h"

#define STRANGERS 0.05   /* of the rate: for strangers */
#define BYTES 16384.0    /* that cost as much as one message */
#define BURST 0.25       /* s of the rate that may come at once */
#define AHEAD 0.1        /* s by which a sender on this machine's clock may be ahead */

enum { POINT_BYTES = 19 /* at most, of a raw frame */ }; /* bytes of a point in a raw frame, at most */
enum { BEHIND = 50 /* messages in succession with old numbers: more than are ever late or doubled */ };

void brio_feed_rest(int milliseconds) {
  struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&t, NULL);
}

/* A token bucket: whether a message of `length` bytes may still be read. It costs 1 + length / BYTES
** tokens, a stranger's 20 times as many; `rate` tokens a second come back. */
static bool may_read(brio_feed *feed, size_t length, int64_t now, bool known) {
  double rate = feed->options.rate, most = rate * BURST;
  double price = (1 + (double)length / BYTES) / (known ? 1 : STRANGERS);
  /* A price above the bucket's size must not block for ever: a full bucket suffices. */
  feed->tokens = fmin(most, feed->tokens + (double)(now - feed->filled) * 1e-9 * rate);
  feed->filled = now;
  if (feed->tokens < fmin(price, most)) return false;
  feed->tokens -= price;
  return true;
}

/* Whether a message is newer than the last one, by its number; -1: it has no number, and passes. */
static bool is_in_order(brio_feed *feed, int64_t number) {
  if (number < 0) return true;
  /* Equal or smaller: a repeated or overtaken message. */
  if (feed->last_number >= 0 && number <= feed->last_number)
    return brio_feed_refuse(&feed->meter, BRIO_FEED_ORDER, "number %lld came after %lld", (long long)number,
                            (long long)feed->last_number);
  feed->last_number = number;
  return true;
}

/* Whether the sender, of the same address, has started again: its numbers begin anew after a silence, or
** stay behind. */
static bool has_restarted(brio_feed *feed, int64_t number, int64_t received) {
  if (number < 0) return false;
  feed->behind = feed->last_number >= 0 && number <= feed->last_number ? feed->behind + 1 : 0;
  return feed->behind > BEHIND || (feed->behind > 0 && brio_feed_is_free(feed, received));
}

/* Convert the sender's time of an observation, *sensed, into this machine's clock, s. `sent`, `received`: s
** of the sender's clock and of this one. False: the time is not credible, and counted. */
static bool find_time(brio_feed *feed, double sent, double received, double *sensed) {
  /* The clocks are compared by the time of sending, if it is given. */
  double sender = isnan(sent) ? *sensed : sent;
  if (isnan(*sensed)) *sensed = sender;
  /* No time is given: it was seen when it came in. */
  if (isnan(sender)) {
    *sensed = received;
    return true;
  }
  /* A clock of its own: its offset is estimated from the messages. */
  if (!feed->options.monotonic) {
    brio_feed_belief belief = brio_feed_offset_take(&feed->offset, sender, received);
    /* A message that is too late or too early does not change the offset. */
    if (belief == BRIO_FEED_LATE)
      return brio_feed_refuse(&feed->meter, BRIO_FEED_OLD, "t = %.3f of the sender is too long ago", sender);
    if (belief == BRIO_FEED_EARLY)
      return brio_feed_refuse(&feed->meter, BRIO_FEED_FUTURE, "t = %.3f of the sender is still to come",
                              sender);
    /* The message is part of the estimate by which it is converted. */
    atomic_store_explicit(&feed->jumps, feed->offset.jumps, memory_order_relaxed);
    *sensed = brio_feed_offset_local(&feed->offset, *sensed);
  }
  /* On this machine's clock, whichever way: nothing is seen before it happens. */
  if (*sensed > received + AHEAD)
    return brio_feed_refuse(&feed->meter, BRIO_FEED_FUTURE, "seen %.3g s after it came in",
                            *sensed - received);
  *sensed = fmin(*sensed, received);
  return true;
}

/* Process a message with detections, or with an answer to a request. Returns whether it is valid. */
static bool hear_detections(brio_feed *feed, const char *bytes, size_t length, int64_t received, bool known) {
  brio_feed_message *message = &feed->message;
  double at = (double)received * 1e-9;
  if (!brio_feed_read(bytes, length, &feed->reading, message, &feed->meter)) return false;
  /* The first valid message of another sender makes it the sender; one that has started again is one. */
  if (!known || has_restarted(feed, message->number, received)) feed->place->greet(feed);
  /* Answers count also without detections. */
  if (message->answer.number >= 0) brio_feed_control_hear(&feed->control, &message->answer);
  feed->last_at = received;
  /* A fault is reported at once; the first picture afterwards ends it. */
  if (message->fault[0]) brio_feed_tell(&feed->meter, BRIO_FEED_SENSOR, message->fault, received);
  if (!message->seen) return true;
  if (!message->fault[0]) feed->meter.fault[0] = 0;
  /* Parsed, but out of order or not credible: it is left out. */
  if (!is_in_order(feed, message->number) || !find_time(feed, message->sent, at, &message->frame.sensed))
    return false;
  /* Positions by depth, for detections without one; then the frame goes to the tick. */
  brio_feed_look_at(feed->looker, &feed->reading.wanted, &message->frame, &feed->meter);
  return brio_feed_hand_over(feed, &message->frame, false);
}

/* Process a cloud, or a piece of one. Returns whether it is valid; an incomplete cloud is. */
static bool hear_cloud(brio_feed *feed, const char *bytes, size_t length, int64_t received, bool known) {
  bool piece = feed->puzzle.bytes && brio_feed_is_piece(bytes, length);
  if (piece) {
    /* After a silence it may be of another sender, or of a restarted one, which counts anew.  What is
    ** incomplete of the present one is kept: this process, too, may have stood still. */
    bool silent = (double)(received - feed->piece_at) * 1e-9 > feed->options.silent;
    if (silent && (!known || feed->puzzle.missing == 0))
      brio_feed_puzzle_forget(&feed->puzzle, &feed->meter);
    feed->piece_at = received;
    bool whole = brio_feed_puzzle_take(&feed->puzzle, bytes, length, &feed->meter);
    /* Pieces keep the sender alive, also while the cloud is incomplete. */
    if (known) feed->last_at = received;
    if (!whole) return true;
    bytes = (const char *)feed->puzzle.bytes;
    length = feed->puzzle.length;
  }
  /* The cloud that the thread may fill; none is free while the tick is behind. */
  brio_cloud *cloud = brio_feed_clouds_back(&feed->clouds);
  if (!cloud) return brio_feed_refuse(&feed->meter, BRIO_FEED_ROOM, "%d clouds wait", BRIO_FEED_SLOTS - 1);
  if (!brio_feed_read_cloud(bytes, length, &feed->options.cloud, cloud, &feed->meter)) return false;
  /* A valid cloud of another sender makes it the sender, even if its time is refused. */
  if (!known) feed->place->greet(feed);
  feed->last_at = received;
  double sensed = cloud->time;
  if (!find_time(feed, NAN, (double)received * 1e-9, &sensed)) return false;
  brio_feed_hand_over_cloud(feed, sensed, -INFINITY);
  return true;
}

bool brio_feed_hear(brio_feed *feed, const char *bytes, size_t length, int64_t received, bool known) {
  bool clouds = feed->options.content == BRIO_FEED_CLOUDS;
  brio_feed_meter_came(&feed->meter, length);
  /* Another sender may come only if the present one is silent. */
  if (!known && !brio_feed_is_free(feed, received)) {
    brio_feed_count(&feed->meter, BRIO_FEED_STRANGER);
    return false;
  }
  /* Pieces of clouds have a price of 1 each: a cloud has many. */
  if (!may_read(feed, clouds ? 0 : length, received, known)) {
    brio_feed_count(&feed->meter, BRIO_FEED_RATE);
    return false;
  }
  return (clouds ? hear_cloud : hear_detections)(feed, bytes, length, received, known);
}

void brio_feed_hear_lines(brio_feed *feed, brio_feed_lines *lines, const bool *known) {
  const char *bytes;
  size_t length;
  brio_feed_piece piece;
  /* All messages of a buffer count as received now. */
  int64_t now = brio_clock_monotonic();
  while ((piece = brio_feed_lines_next(lines, &bytes, &length)) != BRIO_FEED_NOTHING) {
    if (piece == BRIO_FEED_WHOLE)
      brio_feed_hear(feed, bytes, length, now, *known);
    else
      brio_feed_refuse(&feed->meter, BRIO_FEED_LENGTH, "a message of more than %zu bytes",
                       brio_feed_longest(feed));
  }
}

bool brio_feed_is_free(const brio_feed *feed, int64_t now) {
  return feed->last_at == 0 || (double)(now - feed->last_at) * 1e-9 > feed->options.silent;
}

/* A new sender: number, clock and requests start again. */
void brio_feed_greet(brio_feed *feed, const char *name) {
  snprintf(brio_triple_back(&feed->names), BRIO_FEED_SENDER, "%s", name);
  brio_triple_publish(&feed->names);
  feed->last_number = -1;
  feed->behind = 0;
  feed->last_at = 0;
  /* The offset of its clock, and the request, which it does not know. */
  feed->senders++;
  brio_feed_offset_start(&feed->offset);
  brio_feed_control_again(&feed->control);
}

/* A file waits for room, since none of its messages may be lost; live messages do not wait. */
bool brio_feed_hand_over(brio_feed *feed, brio_feed_frame *frame, bool patient) {
  /* The counts that the tick will report with this frame. */
  brio_feed_meter_look(&feed->meter, &frame->counts);
  /* A feed that is being closed does not wait for the tick. */
  while (!brio_ring_put(&feed->frames, frame)) {
    if (!patient || atomic_load_explicit(&feed->ends, memory_order_acquire)) {
      brio_feed_count(&feed->meter, BRIO_FEED_ROOM);
      return false;
    }
    brio_feed_rest(1);
  }
  return true;
}

void brio_feed_hand_over_cloud(brio_feed *feed, double sensed, double due) {
  brio_cloud *cloud = brio_feed_clouds_back(&feed->clouds);
  brio_feed_slot slot = {.sensed = sensed, .due = due};
  /* The option overrides the message's frame. */
  if (feed->frame[0]) memcpy(cloud->frame, feed->frame, sizeof cloud->frame);
  /* Stored before the tick has it, so that the tick finds its hash. */
  slot.length = brio_feed_keep_cloud(&feed->keep, cloud, slot.hash);
  brio_feed_meter_look(&feed->meter, &slot.counts);
  brio_feed_clouds_hand_over(&feed->clouds, slot);
}

/* ---- how long messages are ---- */

size_t brio_feed_longest(const brio_feed *feed) {
  /* Of raw frames the limit of points is that of bytes. */
  if (feed->options.content == BRIO_FEED_DETECTIONS) return BRIO_FEED_LONGEST;
  return BRIO_CLOUD_HEADER + (size_t)feed->options.cloud.limit * POINT_BYTES;
}

static size_t length_of_cloud(const char *head) { return brio_cloud_frame_length(head, 0); }

brio_feed_binary brio_feed_binary_of(const brio_feed *feed) {
  if (feed->options.content == BRIO_FEED_CLOUDS)
    return (brio_feed_binary){BRIO_CLOUD_HEADER, length_of_cloud};
  return (brio_feed_binary){BRIO_FEED_BINARY_HEAD, brio_feed_binary_length};
}
