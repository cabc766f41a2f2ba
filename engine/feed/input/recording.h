/* Messages that were recorded, or are made from a recording: they count at the recorded pace. The first
** counts at the feed's `begin`, each further one at its `sent` (or else its t) after the first, so that
** late messages are late again. */
#ifndef BRIO_FEED_INPUT_RECORDING_H
#define BRIO_FEED_INPUT_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "feed/feed.h"

typedef struct brio_feed_recording {
  double first, newest; /* t of the messages, s; NaN: none yet */
  double begin;         /* s of the run: when this round began */
  double due;           /* s of the run: of the message before */
  int64_t frames;       /* messages of this round */
} brio_feed_recording;

/* Begin. */
void brio_feed_recording_start(brio_feed_recording *recording, const brio_feed *feed);

/* Begin another round: behind the last message. */
void brio_feed_recording_again(brio_feed_recording *recording);

/* Thread: read one message, and hand its detections over, with the time at which they count. Waits for room.
 */
void brio_feed_recording_hear(brio_feed *feed, brio_feed_recording *recording, const char *bytes,
                              size_t length);

#endif
