/* The pace of recorded messages: see recording.h. */
#include "feed/input/recording.h"

#include <math.h>

#include "feed/feed_internal.h"

void brio_feed_recording_start(brio_feed_recording *r, const brio_feed *feed) {
  *r = (brio_feed_recording){
      .first = NAN, .newest = NAN, .begin = feed->options.begin, .due = feed->options.begin};
}

void brio_feed_recording_again(brio_feed_recording *r) {
  r->begin = r->due + 0.001; /* a round takes time, even if its messages have equal times */
  r->first = r->newest = NAN;
  r->frames = 0;
}

/* When a message counts, s of the run; one without a time counts with the one before. Times never
** decrease. */
static double due_of(brio_feed *feed, brio_feed_recording *r, double t) {
  if (isnan(t)) return r->due;
  /* The first message is the origin of the file's time. */
  if (isnan(r->first)) r->first = t;
  if (t < r->newest)
    brio_feed_refuse(&feed->meter, BRIO_FEED_ORDER, "t = %.3f comes after %.3f: it counts with that", t,
                     r->newest);
  r->newest = fmax(t, r->newest);
  /* At the recorded speed, or `speed` times as fast. */
  return fmax(r->due, r->begin + (t - r->first) / feed->options.speed);
}

void brio_feed_recording_hear(brio_feed *feed, brio_feed_recording *r, const char *bytes, size_t length) {
  brio_feed_message *message = &feed->message;
  brio_feed_meter_came(&feed->meter, length);
  if (!brio_feed_read(bytes, length, &feed->reading, message, &feed->meter)) return;
  if (message->fault[0]) brio_feed_refuse(&feed->meter, BRIO_FEED_SENSOR, "%s", message->fault);
  if (!message->seen) return;
  double t = message->frame.sensed, late = message->sent - t; /* NaN: one of them is not given */
  if (!(late > 0)) late = 0;
  r->due = message->frame.due = due_of(feed, r, t + late);
  /* It was seen before it was sent: by the recorded delay, scaled. */
  message->frame.sensed = r->due - late / feed->options.speed;
  r->frames++;
  brio_feed_hand_over(feed, &message->frame, true);
}
