/* What comes of the messages of one sender: counts, by reason where they are refused, and sentences about it,
** each reason said at once and then again after some seconds at the earliest, however fast messages come.
**
** The feed's thread writes and says; any thread may count (brio_feed_count) and read counts. */
#ifndef BRIO_FEED_METER_H
#define BRIO_FEED_METER_H

#include <stdint.h>

#include "base/threads/atomic.h"
#include "base/threads/ring.h"

typedef enum brio_feed_reason {
#define X(constant, name, words) BRIO_FEED_##constant,
#include "feed/reasons.def"
#undef X
  BRIO_FEED_NREASON
} brio_feed_reason;

enum { BRIO_FEED_WORDS = 240 /* bytes of a sentence */ };

/* Messages (or detections) that were refused for one reason since the last time that was said. */
typedef struct brio_feed_note {
  brio_feed_reason reason;
  int64_t count;
  double seconds;              /* in which they came */
  char detail[BRIO_FEED_WORDS]; /* of the newest; "": none */
} brio_feed_note;

/* What was counted until some moment. */
typedef struct brio_feed_counts {
  int64_t messages, bytes;     /* that came */
  int64_t refused[BRIO_FEED_NREASON];
} brio_feed_counts;

typedef struct brio_feed_meter {
  atomic_int_fast64_t counts[BRIO_FEED_NREASON];
  atomic_int_fast64_t messages, bytes;
  brio_ring notes;             /* of brio_feed_note */
  int64_t told[BRIO_FEED_NREASON];      /* of counts */
  int64_t told_at[BRIO_FEED_NREASON];   /* ns */
  char details[BRIO_FEED_NREASON][BRIO_FEED_WORDS];
} brio_feed_meter;

/* The name and the words of a reason. */
const char *brio_feed_reason_name(brio_feed_reason reason);
const char *brio_feed_reason_words(brio_feed_reason reason);

/* Begin.  Return false without memory. */
bool brio_feed_meter_start(brio_feed_meter *meter);
void brio_feed_meter_end(brio_feed_meter *meter);

/* One more message of so many bytes has come. */
void brio_feed_meter_came(brio_feed_meter *meter, size_t bytes);

/* What was counted until now: from any thread. */
void brio_feed_meter_look(const brio_feed_meter *meter, brio_feed_counts *counts);

/* Count one refusal: from any thread. */
void brio_feed_count(brio_feed_meter *meter, brio_feed_reason reason);

/* Count one refusal and keep a formatted detail for the next sentence: from the feed's thread.  Return
** false. */
bool brio_feed_refuse(brio_feed_meter *meter, brio_feed_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put what is due to be said at `now` (ns) into the ring of notes: from the feed's thread. */
void brio_feed_meter_say(brio_feed_meter *meter, int64_t now);

#endif
