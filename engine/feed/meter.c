/* Counting rejections, and reporting them: see meter.h for the thread of each function. */
#include "feed/meter.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WAITING = 32 /* notes that were not read yet */ };

#define SAY_EVERY 5000000000 /* ns between two sentences about one reason */
#define TELL_EVERY 200000000 /* ns between two about faults that differ */

/* Names and sentences of the reasons, from reasons.def. */
static const char *const names[] = {
#define X(constant, name, words) name,
#include "feed/reasons.def"
#undef X
};

static const char *const sentences[] = {
#define X(constant, name, words) words,
#include "feed/reasons.def"
#undef X
};

const char *brio_feed_reason_name(brio_feed_reason reason) { return names[reason]; }

const char *brio_feed_reason_words(brio_feed_reason reason) { return sentences[reason]; }

bool brio_feed_meter_start(brio_feed_meter *meter) {
  memset(meter, 0, sizeof *meter);
  return brio_ring_start(&meter->notes, sizeof(brio_feed_note), WAITING);
}

void brio_feed_meter_end(brio_feed_meter *meter) { brio_ring_end(&meter->notes); }

/* Relaxed: the counts are statistics, and order nothing. */
void brio_feed_meter_came(brio_feed_meter *meter, size_t bytes) {
  atomic_fetch_add_explicit(&meter->messages, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&meter->bytes, (int_fast64_t)bytes, memory_order_relaxed);
}

void brio_feed_meter_look(const brio_feed_meter *meter, brio_feed_counts *counts) {
  counts->messages = atomic_load_explicit(&meter->messages, memory_order_relaxed);
  counts->bytes = atomic_load_explicit(&meter->bytes, memory_order_relaxed);
  for (int i = 0; i < BRIO_FEED_NREASON; i++)
    counts->refused[i] = atomic_load_explicit(&meter->counts[i], memory_order_relaxed);
}

void brio_feed_count(brio_feed_meter *meter, brio_feed_reason reason) {
  atomic_fetch_add_explicit(&meter->counts[reason], 1, memory_order_relaxed);
}

bool brio_feed_refuse(brio_feed_meter *meter, brio_feed_reason reason, const char *format, ...) {
  va_list list;
  brio_feed_count(meter, reason);
  /* Keep the first detail since the last report: formatting each would cost too much. */
  if (meter->details[reason][0]) return false;
  va_start(list, format);
  vsnprintf(meter->details[reason], BRIO_FEED_WORDS, format, list);
  va_end(list);
  return false;
}

/* Put a report about a reason into the ring; false: it is full. */
static bool put_note(brio_feed_meter *meter, int reason, int64_t count, bool first, int64_t now) {
  brio_feed_note note = {.reason = (brio_feed_reason)reason,
                         .count = count - meter->told[reason],
                         .seconds = first ? 0 : (double)(now - meter->told_at[reason]) * 1e-9};
  memcpy(note.detail, meter->details[reason], sizeof note.detail);
  if (!brio_ring_put(&meter->notes, &note)) return false;
  meter->details[reason][0] = 0;
  meter->told[reason] = count;
  meter->told_at[reason] = now;
  return true;
}

void brio_feed_tell(brio_feed_meter *meter, brio_feed_reason reason, const char *sentence, int64_t now) {
  bool other = strncmp(meter->fault, sentence, sizeof meter->fault - 1) != 0;
  /* The newest sentence is the one that counts. */
  meter->details[reason][0] = 0;
  brio_feed_refuse(meter, reason, "%s", sentence);
  if (!other || now - meter->told_at[reason] < TELL_EVERY) return;
  snprintf(meter->fault, sizeof meter->fault, "%s", sentence);
  put_note(meter, reason, atomic_load_explicit(&meter->counts[reason], memory_order_relaxed), true, now);
}

void brio_feed_meter_say(brio_feed_meter *meter, int64_t now) {
  for (int reason = 0; reason < BRIO_FEED_NREASON; reason++) {
    int64_t count = atomic_load_explicit(&meter->counts[reason], memory_order_relaxed),
            fresh = count - meter->told[reason];
    int64_t since = now - meter->told_at[reason];
    /* The first refusal is reported at once, later ones every SAY_EVERY ns. */
    bool first = meter->told[reason] == 0;
    /* Nothing new, not worth a sentence (a filter of the request), or too soon. */
    if (fresh == 0 || reason == BRIO_FEED_OFF || (!first && since < SAY_EVERY)) continue;
    /* A full ring: try again next time, with the count so far. */
    if (!put_note(meter, reason, count, first, now)) return;
  }
}
