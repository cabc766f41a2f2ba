/* Which detection belongs to which object, and where the object is now.
**
** Named detections go to the object of that kind and id.  Unnamed ones go to the object of
** their kind that is expected nearest, within options.same_within; where two want the same
** object the nearer has it and the other looks on (deferred acceptance, Gale and Shapley 1962;
** with distance as everybody's preference it gives the pairs of a greedy choice among all
** pairs, whatever the order of the detections).  Cost: detections x tracks, a little more where
** many contend.
**
** Positions and velocities follow a fading-memory filter of the second order (Brookner,
** "Tracking and Kalman Filtering Made Easy", 1998, section 1.2.6): with f = exp(-dt / tau)
**   x += (1 - f^2) r,   v += (1 - f)^2 r / dt,   r = measured - (x + v dt)
** which follows a steady walk without lag. */
#include "scene/tracker.h"

#include <limits.h>
#include <string.h>

#include "scene/perception.h"

#define BELIEF 0.5    /* s for which an unseen object's velocity is believed */
#define BY_NAME -1.0  /* the distance of a match that nothing nearer can take away */

/* Seconds since the track was seen. */
static double unseen(const brio_tracker *tracker, const brio_track *track) {
  return tracker->time - track->object.last_seen;
}

/* Where the track should be by now: its velocity is believed less the longer it is unseen. */
static brio_vec3 expected(const brio_tracker *tracker, const brio_track *track) {
  double ahead = BELIEF * (1 - exp(-unseen(tracker, track) / BELIEF));
  return brio_vec3_add_scaled(track->object.pose.p, ahead, track->object.velocity);
}

/* How far the detection is from what could be the same thing; INFINITY: it is not. */
static double mismatch(const brio_tracker *tracker, const brio_track *track, const brio_detection *d) {
  if (!track->used || strcmp(track->object.kind, d->kind) != 0) return INFINITY;
  double distance = brio_perception_distance(expected(tracker, track), d->pose.p);
  return distance <= tracker->options.same_within ? distance : INFINITY;
}

/* The nearest track that the detection can have, or NULL. */
static brio_track *nearest_track(brio_tracker *tracker, const brio_detection *d, double *distance) {
  brio_track *best = NULL;
  *distance = INFINITY;
  for (int i = 0; i < tracker->options.most_objects; i++) {
    brio_track *track = &tracker->tracks[i];
    double here = mismatch(tracker, track, d);
    if (here < *distance && (track->detection < 0 || here < track->distance)) best = track, *distance = here;
  }
  return best;
}

/* A free slot, or that of the unsure track that was seen longest ago, or NULL. */
static brio_track *free_track(brio_tracker *tracker) {
  brio_track *oldest = NULL;
  for (int i = 0; i < tracker->options.most_objects; i++) {
    brio_track *track = &tracker->tracks[i];
    if (!track->used) return track;
    if (track->object.believed || track->detection >= 0) continue;
    if (!oldest || track->object.last_seen < oldest->object.last_seen) oldest = track;
  }
  return oldest;
}

/* Count one more refusal. */
static void refuse(brio_tracker *tracker) { tracker->refused += tracker->refused < INT_MAX; }

/* Begin to watch what no track explains. */
static void begin(brio_tracker *tracker, const brio_detection *d, int number) {
  brio_track *track = free_track(tracker);
  if (!track) {
    refuse(tracker);
    return;
  }
  *track = (brio_track){.used = true, .detection = number, .distance = BY_NAME};
  brio_object *object = &track->object;
  memcpy(object->kind, d->kind, sizeof object->kind);
  memcpy(object->id, d->id, sizeof object->id);
  object->pose = d->pose;
  for (int i = 0; i < 3; i++) object->color[i] = (float)NAN;
  object->first_seen = object->last_seen = tracker->time;
}

static brio_track *named_track(brio_tracker *tracker, const brio_detection *d) {
  for (int i = 0; i < tracker->options.most_objects; i++) {
    brio_track *track = &tracker->tracks[i];
    if (track->used && strcmp(track->object.id, d->id) == 0 && strcmp(track->object.kind, d->kind) == 0)
      return track;
  }
  return NULL;
}

static void match_named(brio_tracker *tracker, const brio_detection *d, int number) {
  brio_track *track = named_track(tracker, d);
  if (!track) {
    begin(tracker, d, number);
  } else if (track->detection < 0) {
    track->detection = number;
    track->distance = BY_NAME;
  }
}

/* Find a track for the detection; what it displaces looks on, until all have one. */
static void match_unnamed(brio_tracker *tracker, const brio_detection *detections, int number) {
  while (number >= 0) {
    brio_detection d = detections[number];
    brio_perception_check(&d, NULL);
    double distance;
    brio_track *track = nearest_track(tracker, &d, &distance);
    if (!track) {
      begin(tracker, &d, number);
      return;
    }
    int displaced = track->detection;
    track->detection = number;
    track->distance = distance;
    number = displaced;
  }
}

/* Move an object to where it was seen, `dt` seconds after the last time. */
static void follow(brio_object *object, brio_pose seen, double dt, double smoothing) {
  brio_vec3 moved = brio_vec3_sub(seen.p, object->pose.p);
  if (smoothing < 0) {
    object->velocity = dt > 0 ? brio_vec3_scale(1 / dt, moved) : object->velocity;
    object->pose = seen;
  } else if (dt > 0) {
    double fade = exp(-dt / smoothing), gain = 1 - fade * fade;
    brio_vec3 ahead = brio_vec3_add_scaled(object->pose.p, dt, object->velocity);
    brio_vec3 rest = brio_vec3_sub(seen.p, ahead);
    object->pose.p = brio_vec3_add_scaled(ahead, gain, rest);
    object->pose.q = brio_quat_slerp(object->pose.q, seen.q, gain);
    object->velocity = brio_vec3_add_scaled(object->velocity, (1 - fade) * (1 - fade) / dt, rest);
  }
}

/* Let a track learn from its detection. */
static void learn(brio_tracker *tracker, brio_track *track, brio_detection d) {
  brio_object *object = &track->object;
  if (!brio_perception_check(&d, NULL)) return;
  follow(object, d.pose, unseen(tracker, track), tracker->options.smoothing);
  object->size = d.size;
  object->confidence = d.confidence;
  object->last_seen = tracker->time;
  object->time = isnan(d.time) ? tracker->time : d.time;
  if (isfinite(d.color[0])) memcpy(object->color, d.color, sizeof object->color);
  object->detector = d.detector;
  object->oriented = d.oriented;
  object->sightings++;
}

void brio_tracker_take(brio_tracker *tracker, const brio_detection *detections, int count) {
  for (int i = 0; i < tracker->options.most_objects; i++) tracker->tracks[i].detection = -1;
  for (int n = 0; n < count; n++) { /* who has a name first */
    brio_detection d = detections[n];
    if (!brio_perception_check(&d, NULL)) refuse(tracker);
    else if (d.id[0]) match_named(tracker, &d, n);
  }
  for (int n = 0; n < count; n++) {
    brio_detection d = detections[n];
    if (brio_perception_check(&d, NULL) && !d.id[0]) match_unnamed(tracker, detections, n);
  }
  for (int i = 0; i < tracker->options.most_objects; i++) {
    brio_track *track = &tracker->tracks[i];
    if (track->used && track->detection >= 0) learn(tracker, track, detections[track->detection]);
  }
}

bool brio_tracker_is_sure(const brio_tracker *tracker, const brio_track *track) {
  return track->object.sightings >= tracker->options.appear_after;
}

bool brio_tracker_is_gone(const brio_tracker *tracker, const brio_track *track) {
  return unseen(tracker, track) > tracker->options.lost_after;
}
