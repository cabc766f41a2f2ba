/* Doors in a cloud: upright planes of a door's size, their hinge sides, and the posts of their frames. */
#ifndef BRIO_CLOUD_OBJECTS_DOOR_H
#define BRIO_CLOUD_OBJECTS_DOOR_H

#include "cloud/surfaces/planes.h"

enum { BRIO_CLOUD_DOORS = 16, BRIO_CLOUD_FAN = 73 };

/* Evidence for the hinge's side of a door. */
typedef enum brio_cloud_hinge {
  BRIO_HINGE_UNKNOWN,
  BRIO_HINGE_HANDLE, /* the handle is known: it hangs on the other side */
  BRIO_HINGE_AJAR,   /* it is open, and one edge meets the wall */
  BRIO_HINGE_KNOB,   /* something stands out near one edge, at a handle's height */
  BRIO_HINGE_NWAY
} brio_cloud_hinge;

/* Settings of the search.  0: the default of each field. */
typedef struct brio_cloud_door_how {
  brio_vec3 up; /* unit: (0, 0, 1) */
  bool has_near;
  brio_vec3 near;             /* where its handle (lever, knob, push bar) was detected */
  double within;              /* m from there that the panel may be: 2 */
  double width[2], height[2]; /* m: 0.55 to 1.4, 1.3 to 2.7 */
  double lean;                /* rad that it may lean: 0.15 */
} brio_cloud_door_how;

typedef struct brio_cloud_door {
  brio_pose pose; /* in the middle of the panel, or at the handle if that was given; x level along the panel:
                  ** towards the hinge if that is known, else to the right as seen from the sensor; z up */
  brio_vec3 normal;      /* unit, level, towards the sensor */
  brio_vec3 left, right; /* the middles of its upright edges, as the sensor sees them */
  double width,
      height; /* m, of the visible part; NAN: the plane continues beyond a door's size (a wall in line with
              ** it) */
  double error; /* m: root of the mean squared distance of its points from the plane */
  int points;
  int hinge;             /* -1 left, 1 right, 0 unknown */
  brio_cloud_hinge told; /* the evidence for the side of the hinge */
  double score;          /* score, 0 to 1: how well size and shape are a door's */
} brio_cloud_door;

/* Find doors: with `near` the one panel there (count 1), else all candidates, the likeliest first.  Costs the
** same as finding planes, and some ms.  Errors: misuse, unreachable (with the missing property), limit,
** no_memory. */
bool brio_cloud_door_panels(brio_cloud_door *doors, int *count, const brio_cloud *cloud,
                            const brio_cloud_door_how *how, brio_error *err);

/* Settings of the search for posts.  0: the default of each field; lengths in m. */
typedef struct brio_cloud_frame_how {
  brio_pose panel;     /* at its latch edge (or the handle): x level along the panel to the hinge, z up */
  double width;        /* of the panel */
  double post;         /* from the panel to the middle of a post: 0.04 */
  double span;         /* from the middle of one post to that of the other: width + 2 post */
  double radius;       /* of the capsules: 0.07 */
  double low, high;    /* their ends, over the panel's origin: -0.7, 0.7 */
  double widest, step; /* rad of the fan to either side, and from one capsule to the next: pi/2, pi/36 */
  int least; /* points that make a post: 1000, or one in 300 of the cloud's when that is less, but 20 */
} brio_cloud_frame_how;

typedef struct brio_cloud_door_frame {
  brio_pose hinge, latch;     /* middles of the posts at the panel's height; x from hinge to latch, z up */
  double angle;               /* rad that the panel is open: from the frame to the panel about z; 0: shut */
  int points;                 /* in the latch's capsule */
  int fan;                    /* number of capsules */
  int counts[BRIO_CLOUD_FAN]; /* points in each, from -widest on */
} brio_cloud_door_frame;

/* Find the posts of the frame that a panel hangs in: the hinge's beyond its edge, the latch's where a fan
** of upright capsules about it has the most points that are not the panel's.  One pass over the points: a
** few ms for 300,000. Errors: misuse, unreachable (with the most points that were found). */
bool brio_cloud_door_frame_find(brio_cloud_door_frame *frame, const brio_cloud *cloud,
                                const brio_cloud_frame_how *how, brio_error *err);

/* Return the word for the evidence: "unknown", "handle", "ajar", "knob". */
const char *brio_cloud_hinge_name(brio_cloud_hinge told);

#endif
