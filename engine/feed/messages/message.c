/* The part that both formats of a message share: which detections count, and where they are. */
#include "feed/messages/message.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "scene/mask.h"
#include "scene/perception.h"

/* Only the fields that a reader may leave out are reset: a message is large. */
void brio_feed_message_start(brio_feed_message *message) {
  message->seen = false;
  message->sent = NAN;
  message->number = message->answer.number = -1;
  message->answer.refused[0] = message->fault[0] = 0;
  message->frame.sensed = NAN;
  message->frame.due = -INFINITY;
  message->frame.model[0] = 0;
  message->frame.camera = (brio_camera){0};
  message->frame.count = message->frame.noutline = 0;
}

/* Whether a detection is wanted, by class and confidence; else it is counted. O(classes). */
static bool is_wanted(const brio_feed_wanted *wanted, const brio_detection *d, brio_feed_meter *meter) {
  const brio_feed_class *class = NULL;
  for (int i = 0; i < wanted->count && !class; i++)
    if (strcmp(wanted->classes[i].name, d->kind) == 0) class = &wanted->classes[i];
  if (!class && wanted->known_only)
    return brio_feed_refuse(meter, BRIO_FEED_CLASS, "there is no class '%s'", d->kind);
  /* A class has its own threshold, or that of all. */
  double least = class && !isnan(class->confidence) ? class->confidence : wanted->confidence;
  if ((!class || class->on) && d->confidence >= least) return true;
  /* Filtered by the request, which is no error: counted without a sentence. */
  brio_feed_count(meter, BRIO_FEED_OFF);
  return false;
}

/* Find the position of a detection without a pose: the middle of its box at the given depth. Without a
** depth its box or mask is located later, in a depth picture, if the feed has any. False: it has no
** position. */
static bool find_place(const brio_feed_frame *frame, brio_feed_seen *seen, const brio_feed_reading *reading) {
  const float *box = seen->box;
  const double middle[2] = {(double)box[0] + 0.5 * (double)box[2], (double)box[1] + 0.5 * (double)box[3]};
  brio_vec3 ray;
  if (seen->has & BRIO_FEED_HAS_POSE) return true;
  /* Pixels mean nothing without a camera. */
  if (frame->camera.width == 0) return false;
  if (!(seen->has & BRIO_FEED_HAS_DEPTH))
    return reading->depth && (seen->has & BRIO_FEED_HAS_BOX || seen->mask != BRIO_FEED_NO_MASK);
  /* The ray through the middle of the box must lead forward. */
  if (!(seen->has & BRIO_FEED_HAS_BOX) || !brio_camera_ray(&frame->camera, middle, &ray) || ray.x <= 1e-6)
    return false;
  seen->detection.pose = BRIO_POSE_IDENTITY;
  /* The depth is measured along the camera's axis: scale the ray to x = 1. */
  seen->detection.pose.p = brio_vec3_scale((double)seen->depth / ray.x, ray);
  seen->has |= BRIO_FEED_HAS_POSE;
  return true;
}

/* Convert from the optical frame (x right, y down, z forward) to the body's (x forward, y left, z up): (x,
** y, z) becomes (z, -x, -y). */
static void turn(brio_feed_seen *seen) {
  static const brio_quat from_optical = {-0.5, 0.5, -0.5, 0.5};
  brio_pose *pose = &seen->detection.pose;
  /* A rotation of the axes, for position and orientation. */
  if (seen->has & BRIO_FEED_HAS_POSE) {
    pose->p = (brio_vec3){pose->p.z, -pose->p.x, -pose->p.y};
    pose->q = brio_quat_mul(from_optical, pose->q);
  }
  /* Corners are rotated in the same way. */
  for (int i = 0; i < 8 && seen->has & BRIO_FEED_HAS_CORNERS; i++) {
    float x = seen->corners[i][0], y = seen->corners[i][1];
    seen->corners[i][0] = seen->corners[i][2];
    seen->corners[i][1] = -x;
    seen->corners[i][2] = -y;
  }
}

/* Fit a box to the eight corners, in the pose's orientation; its size and middle replace those that are not
** given. */
static void measure(brio_feed_seen *seen) {
  brio_detection *d = &seen->detection;
  brio_quat turned = d->oriented ? d->pose.q : (brio_quat){0, 0, 0, 1};
  brio_vec3 corners[8], size;
  brio_pose pose;
  if (!(seen->has & BRIO_FEED_HAS_CORNERS)) return;
  /* From floats to the geometry's vectors. */
  for (int i = 0; i < 8; i++)
    corners[i] = (brio_vec3){(double)seen->corners[i][0], (double)seen->corners[i][1],
                             (double)seen->corners[i][2]};
  /* Corners that are no box leave the detection as it is. */
  if (!brio_box_of_corners(corners, &turned, &pose, &size, NULL)) return;
  if (d->size.x == 0 && d->size.y == 0 && d->size.z == 0) d->size = size;
  if (seen->has & (BRIO_FEED_HAS_POSE | BRIO_FEED_HAS_DEPTH)) return;
  d->pose.p = pose.p;
  seen->has |= BRIO_FEED_HAS_POSE;
}

bool brio_feed_judge(brio_feed_frame *frame, brio_feed_seen *seen, const brio_feed_reading *reading,
                     brio_feed_meter *meter) {
  assert(frame->count >= 0 && frame->count <= BRIO_FEED_MOST);
  brio_error err;
  brio_detection *d = &seen->detection;
  if (!d->kind[0]) return brio_feed_refuse(meter, BRIO_FEED_CLASS, "a detection without a class");
  if (!is_wanted(&reading->wanted, d, meter)) return false;
  /* Coordinates first: everything behind this is in the body's frame. */
  if (reading->optical) turn(seen);
  measure(seen);
  if (!find_place(frame, seen, reading))
    return brio_feed_refuse(meter, BRIO_FEED_PLACE, "'%s' has no pose, and no box with a depth", d->kind);
  /* Finally the checks that all detections pass; the quaternion is normalized there. */
  if (!brio_perception_check(d, &err))
    return brio_feed_refuse(meter, BRIO_FEED_NUMBER, "%.200s", err.message);
  return true;
}

/* The first byte distinguishes the formats: binary messages begin with 'B', JSON with '{' or space. */
bool brio_feed_read(const char *bytes, size_t length, const brio_feed_reading *reading,
                    brio_feed_message *out, brio_feed_meter *meter) {
  bool binary = length > 0 && bytes[0] == BRIO_FEED_BINARY_BEGINS;
  return (binary ? brio_feed_read_binary : brio_feed_read_json)(bytes, length, reading, out, meter);
}
