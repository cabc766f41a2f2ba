/* All feeds of detections of a run, as the tick takes them: frames of all, each put from where its sender
** sees it into the world. */
#ifndef BRIO_FEED_FEEDS_H
#define BRIO_FEED_FEEDS_H

#include "feed/feed.h"
#include "scene/scene.h"

enum { BRIO_FEEDS_MOST = 16, BRIO_FEEDS_FRAME = 64 };

typedef struct brio_feeds_row {
  brio_feed *feed;              /* NULL: it was closed */
  /* the frame of its sender's poses: the name of a link or of another frame; "": the world */
  char frame[BRIO_FEEDS_FRAME];
} brio_feeds_row;

typedef struct brio_feeds {
  int count;
  brio_feeds_row rows[BRIO_FEEDS_MOST];
} brio_feeds;

/* Write the detections that count at `time` to `out`, at most `most`, in the order of the rows; return how
** many.  Frames without room wait for the next tick. */
int brio_feeds_detect(brio_feeds *feeds, double time, const brio_scene *scene, brio_detection *out, int most);

#endif
