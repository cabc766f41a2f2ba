/* One thing a sensor saw at one moment: plain data between drivers, the simulated world
** and the scene. */
#ifndef BRIO_MATH_DETECTION_H
#define BRIO_MATH_DETECTION_H

#include "math/pose.h"

enum { BRIO_DETECTION_KIND = 24, BRIO_DETECTION_ID = 32 };

typedef struct brio_detection {
  char kind[BRIO_DETECTION_KIND]; /* "person", "object", "cup", ... */
  char id[BRIO_DETECTION_ID];     /* who it is, where the sensor knows; else "" */
  brio_pose pose;                 /* in the world; a person: the head, x forward */
  brio_vec3 size;                 /* m, full lengths; 0: unknown */
  double confidence;              /* 0 to 1 */
} brio_detection;

#endif
