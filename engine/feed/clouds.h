/* Clouds between a feed's thread and the tick: a few clouds that go round, whose memory is kept.  The thread
** fills one that is free and hands it over with the time at which it counts; the tick takes the newest that
** is due and gives back the one before.  Nobody waits; who finds none free leaves its frame out. */
#ifndef BRIO_FEED_CLOUDS_H
#define BRIO_FEED_CLOUDS_H

#include "cloud/cloud.h"
#include "feed/keep.h"
#include "feed/meter.h"

enum { BRIO_FEED_SLOTS = 4 };

/* One that was handed over. */
typedef struct brio_feed_slot {
  int cloud;                /* which one */
  double sensed, due;       /* s: see brio_feed_frame */
  brio_feed_counts counts;
  char hash[BRIO_FEED_HASH]; /* that it is kept under; "": it is not */
  int64_t length;           /* bytes */
} brio_feed_slot;

typedef struct brio_feed_clouds {
  brio_cloud *clouds[BRIO_FEED_SLOTS];
  brio_ring filled, free;   /* of brio_feed_slot */
  int mine;                 /* that the thread has; -1: none */
  brio_feed_slot next;      /* that the tick has looked at, and is not due */
  bool fetched;
} brio_feed_clouds;

/* Begin.  Return false without memory. */
bool brio_feed_clouds_start(brio_feed_clouds *clouds);
void brio_feed_clouds_end(brio_feed_clouds *clouds);

/* Thread: a cloud to fill, the same until it is handed over; NULL: none is free. */
brio_cloud *brio_feed_clouds_back(brio_feed_clouds *clouds);

/* Thread: hand over what was filled, with its times and counts. */
void brio_feed_clouds_hand_over(brio_feed_clouds *clouds, brio_feed_slot slot);

/* Tick: whether one waits; looked at first with `next` its times. */
bool brio_feed_clouds_peek(brio_feed_clouds *clouds);

/* Tick: swap what waits (after peek) with `cloud`; with NULL, leave it out. */
void brio_feed_clouds_take(brio_feed_clouds *clouds, brio_cloud *cloud);

#endif
