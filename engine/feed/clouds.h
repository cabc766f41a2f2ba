/* Clouds between a feed's thread and the tick: a few buffers in rotation, whose memory is kept.  The thread
** fills a free one and hands it over with the time from which it counts; the tick gets the newest that is due
** and returns the one before.  Neither waits; without a free buffer the frame is dropped. */
#ifndef BRIO_FEED_CLOUDS_H
#define BRIO_FEED_CLOUDS_H

#include "cloud/cloud.h"
#include "feed/keep.h"
#include "feed/meter.h"

enum { BRIO_FEED_SLOTS = 4 };

/* A cloud that was handed over. */
typedef struct brio_feed_slot {
  int cloud;                /* which one */
  double sensed, due;       /* s: see brio_feed_frame */
  brio_feed_counts counts;
  char hash[BRIO_FEED_HASH]; /* its key in the storage; "": not stored */
  int64_t length;           /* bytes */
} brio_feed_slot;

typedef struct brio_feed_clouds {
  brio_cloud *clouds[BRIO_FEED_SLOTS];
  brio_ring filled, free;   /* of brio_feed_slot */
  int mine;                 /* the thread's own; -1: none */
  brio_feed_slot next;      /* the tick has read its times, and it is not due yet */
  bool fetched;
} brio_feed_clouds;

/* Initialize.  Return false without memory. */
bool brio_feed_clouds_start(brio_feed_clouds *clouds);
void brio_feed_clouds_end(brio_feed_clouds *clouds);

/* Thread: a cloud to fill, the same until it is handed over; NULL: none is free. */
brio_cloud *brio_feed_clouds_back(brio_feed_clouds *clouds);

/* Thread: hand over the filled cloud, with its times and counts. */
void brio_feed_clouds_hand_over(brio_feed_clouds *clouds, brio_feed_slot slot);

/* Tick: whether one waits; writes its times to `next`. */
bool brio_feed_clouds_peek(brio_feed_clouds *clouds);

/* Tick: swap the waiting cloud (after peek) with `cloud`; with NULL, drop it. */
void brio_feed_clouds_take(brio_feed_clouds *clouds, brio_cloud *cloud);

#endif
