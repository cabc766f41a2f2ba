/* From feeds to the scene: see feeds.h. Script thread. O(detections), plus one look-up of a frame per
** message. */
#include "feed/feeds.h"

#include <assert.h>

/* Write a frame's detections to `out`, in world coordinates (from: world_from_sender), with time and
** detector. */
static void place(const brio_feed_frame *frame, brio_pose from, uint8_t detector, brio_detection *out) {
  for (int i = 0; i < frame->count; i++) {
    out[i] = frame->seen[i].detection;
    out[i].pose = brio_pose_mul(from, out[i].pose);
    out[i].time = frame->sensed;
    out[i].detector = detector;
  }
}

int brio_feeds_detect(brio_feeds *feeds, double time, const brio_scene *scene, brio_detection *out,
                      int most) {
  assert(most >= 0 && feeds->count <= BRIO_FEEDS_MOST);
  int count = 0;
  /* Feeds in the order of their detectors; a feed's frames in the order in which they came. */
  for (int i = 0; i < feeds->count; i++) {
    brio_feeds_row *row = &feeds->rows[i];
    const brio_feed_frame *frame;
    /* A frame is taken only if all of it has room. */
    while (row->feed && most - count >= BRIO_FEED_MOST && (frame = brio_feed_next(row->feed, time))) {
      brio_pose from = BRIO_POSE_IDENTITY;
      /* The sender's frame at the time of the observation, else its present pose. */
      if (row->frame[0] && !brio_scene_frame_at(scene, row->frame, frame->sensed, &from, NULL) &&
          !brio_scene_frame(scene, row->frame, &from)) {
        brio_feed_refuse_frame(row->feed);
        continue;
      }
      /* The caller's array has room: a whole frame was reserved above. */
      place(frame, from, brio_feed_number(row->feed), out + count);
      count += frame->count;
    }
  }
  return count;
}
