/* Things that OpenCV finds as boxes, at the distance that follows from their usual height. */
#ifndef BRIO_CAMERAS_BOXES_H
#define BRIO_CAMERAS_BOXES_H

#include "drivers/cameras/finder.h"
#include "drivers/cameras/finders/opencv/opencv.h"

/* Load brio_opencv.so, the first time.  Return NULL with an error: device (not installed, or of another
** version; the sentence says which packages to install). */
const brio_opencv_library *brio_boxes_library(brio_error *err);

/* What a box of the detector contains. */
typedef struct brio_boxes {
  const char *kind;     /* class of the detections */
  double height, inner; /* m: how tall the thing usually is; share of the box's height that it fills */
  double width;         /* m: width and depth of the thing */
} brio_boxes;

/* Write the detections in a picture (room for BRIO_FINDINGS).  Only every n-th picture is searched (setting
** `every`).  Return how many, or -1: this picture is skipped, or the library failed. */
int brio_boxes_find(brio_finder *finder, const brio_boxes *what, const brio_picture *picture,
                    const brio_camera *camera, brio_finding *out);

#endif
