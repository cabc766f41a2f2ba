/* C interface to OpenCV.  Its C++ stays in a shared object of its own, brio_opencv.so, which brio_camera
** loads only when the settings ask for faces or people. */
#ifndef BRIO_CAMERAS_OPENCV_H
#define BRIO_CAMERAS_OPENCV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A detection: its box, px (x, y: upper left corner), and its confidence, 0 to 1. */
typedef struct brio_opencv_box {
  double x, y, width, height, confidence;
} brio_opencv_box;

/* What the shared object exports. */
typedef struct brio_opencv_library {
  int version; /* BRIO_OPENCV_VERSION when it was built */
  /* Open a cascade's file.  Return NULL and the reason in `why` (`room` bytes) if that fails. */
  void *(*cascade)(const char *file, char *why, size_t room);
  /* Open OpenCV's own detector of people (histograms of oriented gradients).  NULL: as above. */
  void *(*people)(char *why, size_t room);
  /* Detect in a gray picture (width x height bytes, row by row) and write at most `most` boxes.  Return how
  ** many, or -1: OpenCV failed. */
  int (*find)(void *finder, const uint8_t *gray, int width, int height, brio_opencv_box *out, int most);
  /* Free what `cascade` or `people` returned. */
  void (*close)(void *finder);
} brio_opencv_library;

enum { BRIO_OPENCV_VERSION = 1 };

/* The record under the name by which it is looked up in the shared object. */
extern const brio_opencv_library brio_opencv __attribute__((visibility("default")));

#ifdef __cplusplus
}
#endif
#endif
