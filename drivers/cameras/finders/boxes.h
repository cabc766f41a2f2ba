/* Things that OpenCV finds as boxes, at the distance that follows from their usual height. */
#ifndef BRIO_CAMERAS_BOXES_H
#define BRIO_CAMERAS_BOXES_H

#include "drivers/cameras/finder.h"
#include "drivers/cameras/finders/opencv/opencv.h"

/* Load brio_opencv.so, once.  Return NULL with the error: device (it is not there, with what to install). */
const brio_opencv_library *brio_boxes_library(brio_error *err);

/* What is found, and how tall a box is. */
typedef struct brio_boxes {
  const char *kind;
  double height, inner; /* m; share of a box's height that the thing fills */
  double width;         /* m of the thing */
} brio_boxes;

/* Find in every n-th picture (settings); -1: this one is left out, or the library failed. */
int brio_boxes_find(brio_finder *finder, const brio_boxes *what, const brio_picture *picture,
                    const brio_camera *camera, brio_finding *out);

#endif
