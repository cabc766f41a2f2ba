/* Positions of detections that have only a box or a mask in a picture: by a depth picture of the same view,
** from an organized cloud.  The script thread hands pictures over; the reader of messages uses the
** newest. */
#ifndef BRIO_FEED_LOOK_H
#define BRIO_FEED_LOOK_H

#include "base/threads/triple.h"
#include "cloud/cloud.h"
#include "feed/messages/message.h"
#include "scene/mask.h"

enum {
  /* of a depth picture: of a greater one every second, third, ... row and column is taken */
  BRIO_FEED_PIXELS = 1 << 20,
  BRIO_FEED_PICTURE = 1 << 22, /* pixels of a detector's pictures, at most */
};

/* Depths, row by row. */
typedef struct brio_feed_depth {
  int width, height;           /* 0: none yet */
  float meters[BRIO_FEED_PIXELS]; /* along the camera's axis; NAN: unknown */
} brio_feed_depth;

typedef struct brio_feed_looker {
  brio_triple depths;          /* of brio_feed_depth; not started: there is no depth */
  brio_mask *mask;             /* as large as the detector's pictures; NULL: not known yet */
  int width, height;           /* of the mask */
  uint32_t runs[BRIO_FEED_OUTLINE];
  double points[BRIO_FEED_OUTLINE];
} brio_feed_looker;

/* Create a looker (NULL: no memory), and free it. */
brio_feed_looker *brio_feed_looker_new(void);
void brio_feed_looker_free(brio_feed_looker *looker);

/* Script thread: use the depths of a cloud (x forward) from now on.  Return false when it has no rows. */
bool brio_feed_looker_take(brio_feed_looker *looker, const brio_cloud *cloud);

/* Find the positions of detections without one; those that cannot be found leave the frame and are counted as
** BRIO_FEED_PLACE.  `looker` NULL: there is no depth. */
void brio_feed_look_at(brio_feed_looker *looker, const brio_feed_wanted *wanted, brio_feed_frame *frame,
                       brio_feed_meter *meter);

#endif
