/* Statistics of a sender's messages: counts, by reason of rejection, and sentences about these, each reason
** reported at once and then again after some seconds at the earliest, at any rate of messages.
**
** The feed's thread writes and reports; any thread may count (brio_feed_count) and read counts. */
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

/* Messages (or detections) rejected for one reason since its last report. */
typedef struct brio_feed_note {
  brio_feed_reason reason;
  int64_t count;
  double seconds;              /* seconds in which they came */
  char detail[BRIO_FEED_WORDS]; /* of the newest; "": none */
} brio_feed_note;

/* Counts up to some moment. */
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
  char fault[BRIO_FEED_WORDS];          /* of brio_feed_tell: the last; "": none since all was well */
} brio_feed_meter;

/* The name and the description of a reason. */
const char *brio_feed_reason_name(brio_feed_reason reason);
const char *brio_feed_reason_words(brio_feed_reason reason);

/* Initialize.  Return false without memory. */
bool brio_feed_meter_start(brio_feed_meter *meter);
void brio_feed_meter_end(brio_feed_meter *meter);

/* Count a message of that many bytes. */
void brio_feed_meter_came(brio_feed_meter *meter, size_t bytes);

/* Return the counts: from any thread. */
void brio_feed_meter_look(const brio_feed_meter *meter, brio_feed_counts *counts);

/* Count one rejection: from any thread. */
void brio_feed_count(brio_feed_meter *meter, brio_feed_reason reason);

/* Count one rejection and keep a formatted detail for the next report: from the feed's thread.  Return
** false. */
bool brio_feed_refuse(brio_feed_meter *meter, brio_feed_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Count a fault, and report it at once if it is another than the last one (at most five a second); else with
** the next report: from the feed's thread. */
void brio_feed_tell(brio_feed_meter *meter, brio_feed_reason reason, const char *sentence, int64_t now);

/* Put the reports due at `now` (ns) into the ring of notes: from the feed's thread. */
void brio_feed_meter_say(brio_feed_meter *meter, int64_t now);

#endif
