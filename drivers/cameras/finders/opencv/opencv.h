/* OpenCV behind a record: a shared object of its own, brio_opencv.so, which brio_camera loads when faces
** or people are asked for.  Its C++ stays in there. */
#ifndef BRIO_CAMERAS_OPENCV_H
#define BRIO_CAMERAS_OPENCV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A box that was found, px, and how sure: 0 to 1. */
typedef struct brio_opencv_box {
  double x, y, width, height, confidence;
} brio_opencv_box;

typedef struct brio_opencv_library {
  int version; /* BRIO_OPENCV_VERSION */
  /* Open a cascade's file; NULL: with the reason in `why`. */
  void *(*cascade)(const char *file, char *why, size_t room);
  /* Open the detector of people that OpenCV brings along (histograms of oriented gradients). */
  void *(*people)(char *why, size_t room);
  /* Find; returns the number of boxes, or -1: it failed. */
  int (*find)(void *finder, const uint8_t *gray, int width, int height, brio_opencv_box *out, int most);
  void (*close)(void *finder);
} brio_opencv_library;

enum { BRIO_OPENCV_VERSION = 1 };

/* The record, by its name in the object. */
extern const brio_opencv_library brio_opencv __attribute__((visibility("default")));

#ifdef __cplusplus
}
#endif
#endif
