/* Clouds that circulate: see clouds.h. Their numbers pass through a ring in each direction; each cloud is
** in one ring, with the thread, or with the tick. */
#include "feed/clouds.h"

#include <assert.h>
#include <string.h>

bool brio_feed_clouds_start(brio_feed_clouds *clouds) {
  memset(clouds, 0, sizeof *clouds);
  clouds->mine = -1;
  /* Both rings have room for all clouds, so putting one back never fails. */
  if (!brio_ring_start(&clouds->filled, sizeof(brio_feed_slot), BRIO_FEED_SLOTS) ||
      !brio_ring_start(&clouds->free, sizeof(brio_feed_slot), BRIO_FEED_SLOTS))
    return false;
  for (int i = 0; i < BRIO_FEED_SLOTS; i++) {
    brio_feed_slot slot = {.cloud = i};
    if (!(clouds->clouds[i] = brio_cloud_new(NULL))) return false;
    /* All clouds are free at first. */
    brio_ring_put(&clouds->free, &slot);
  }
  return true;
}

void brio_feed_clouds_end(brio_feed_clouds *clouds) {
  for (int i = 0; i < BRIO_FEED_SLOTS; i++) brio_cloud_free(clouds->clouds[i]);
  brio_ring_end(&clouds->filled);
  brio_ring_end(&clouds->free);
}

brio_cloud *brio_feed_clouds_back(brio_feed_clouds *clouds) {
  brio_feed_slot slot;
  /* The same one until it is handed over: a failed read costs nothing. */
  if (clouds->mine < 0 && brio_ring_get(&clouds->free, &slot)) clouds->mine = slot.cloud;
  return clouds->mine < 0 ? NULL : clouds->clouds[clouds->mine];
}

void brio_feed_clouds_hand_over(brio_feed_clouds *clouds, brio_feed_slot slot) {
  assert(clouds->mine >= 0 && clouds->mine < BRIO_FEED_SLOTS);
  slot.cloud = clouds->mine;
  brio_ring_put(&clouds->filled, &slot); /* never full: there are as many places as clouds */
  clouds->mine = -1;
}

bool brio_feed_clouds_peek(brio_feed_clouds *clouds) {
  clouds->fetched = clouds->fetched || brio_ring_get(&clouds->filled, &clouds->next);
  return clouds->fetched;
}

void brio_feed_clouds_take(brio_feed_clouds *clouds, brio_cloud *cloud) {
  assert(clouds->fetched && clouds->next.cloud >= 0 && clouds->next.cloud < BRIO_FEED_SLOTS);
  brio_cloud *from = clouds->clouds[clouds->next.cloud];
  /* With a receiver: its old cloud takes the slot. */
  if (cloud) {
    brio_cloud before = *cloud; /* only pointers change places, nothing is copied */
    *cloud = *from;
    *from = before;
  }
  /* Only a receiver keeps the cloud; the slot goes back in any case. */
  clouds->fetched = false;
  brio_ring_put(&clouds->free, &clouds->next);
}
