/* One thing a sensor saw at one moment: plain data between drivers, the simulated world
** and the scene. */
#ifndef BRIO_MATH_DETECTION_H
#define BRIO_MATH_DETECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "math/pose.h"

enum { BRIO_DETECTION_KIND = 24, BRIO_DETECTION_ID = 32 };

typedef struct brio_detection {
  char kind[BRIO_DETECTION_KIND]; /* "person", "object", "cup", ... */
  char id[BRIO_DETECTION_ID];     /* its identity, if the sensor knows it; else "" */
  brio_pose pose;                 /* in the world; a person: the head, x forward */
  brio_vec3 size;                 /* m, full lengths; 0: unknown */
  double confidence;              /* 0 to 1 */
  double time;                    /* s of the run when it was sensed; NAN: now */
  float color[3];                 /* sRGB, 0 to 1; NAN: unknown */
  uint8_t detector;               /* number of the detector; 0: the simulator's, or the only one */
  bool oriented;                  /* pose.q is valid */
} brio_detection;

/* An empty detection: start with this, then fill in known fields. */
#define BRIO_DETECTION_BLANK \
  ((brio_detection){.pose = BRIO_POSE_IDENTITY, .confidence = 1, .time = NAN, .color = {NAN, NAN, NAN}})

#endif
