/* Where a persistent detection is: a filter over the detections remembered.
**
** A thing that moves follows
**   x += g r,   v += h r / dt,   r = measured - (x + v dt)
** (an alpha-beta filter: Brookner, "Tracking and Kalman Filtering Made Easy", 1998, sections
** 1.2.6 and 1.2.10).  With a time constant the memory fades: g = 1 - f^2, h = (1 - f)^2, f =
** exp(-dt/tau), which follows a steady walk without lag; with an alpha g = alpha, h = alpha^2 /
** (2 - alpha) (Benedict and Bordner 1962).  At the beginning all detections count alike, so that
** the velocity is known from the second one on: g and h are at least those of the least-squares
** line through the first n + 1, 2 (2n + 1) / ((n + 1)(n + 2)) and 6 / ((n + 1)(n + 2)).  A thing
** that stands still has a mean: g = 1 / (n + 1), at least 1 - f or alpha, and h = 0.
**
** A detection that comes late is inserted where it belongs, and the filter runs again from
** there: O(remembered) at worst, O(1) in order. */
#include "scene/persistent/persistent.h"

#include <assert.h>
#include <string.h>

#include "math/scalar.h"
#include "scene/perception.h"

#define BELIEF 0.25 /* s for which an unseen velocity counts in full; as much again fades */

/* For how long the motion of a thing unseen for dt s is extrapolated, s: it saturates at 2 BELIEF. */
static double ahead(double dt) {
  return dt <= BELIEF ? dt : BELIEF + BELIEF * (1 - exp(-(dt - BELIEF) / BELIEF));
}

/* Entry i of the ring, counted from the oldest: to write, and to read. */
static brio_past_detection *sighting(brio_persistent *one, int i) {
  assert(i >= 0 && i < BRIO_PERSISTENT_HISTORY);
  return &one->history[(one->first + i) % BRIO_PERSISTENT_HISTORY];
}

/* The same, to read. */
static const brio_past_detection *remembered(const brio_persistent *one, int i) {
  return &one->history[(one->first + i) % BRIO_PERSISTENT_HISTORY];
}

/* The gains for a detection dt s after the one before it, of which there are n. */
static void gains(const brio_scene_settings *s, double n, double dt, double *g, double *h) {
  double fade = s->smoothing > 0 ? exp(-dt / s->smoothing) : 0, all = (n + 1) * (n + 2);
  bool fixed = isfinite(s->alpha);
  *h = 0;
  if (!s->moves) {
    *g = fixed ? s->alpha : fmax(1 - fade, s->smoothing < 0 ? 1 : 1 / (n + 1));
  } else if (fixed) {
    *g = s->alpha;
    *h = fmax(s->alpha * s->alpha / (2 - s->alpha), 6 / all);
  } else {
    /* 0.5: another detector saw it at the same time, so both count alike. */
    *g = fmax(1 - fade * fade, dt > 0 ? 2 * (2 * n + 1) / all : 0.5); /* 0.5: another detector, at once */
    *h = fmax((1 - fade) * (1 - fade), 6 / all);
  }
}

/* Filter entry i from the one before it. */
static void filter(brio_persistent *one, int i, const brio_past_detection *before) {
  assert(i >= 0 && i < one->count);
  brio_past_detection *now = sighting(one, i);
  double dt = now->time - before->time, g, h;
  /* Detections that the ring has forgotten still count as seen. */
  gains(&one->settings, fmax(1, one->object.sightings - one->count + i), dt, &g, &h);
  brio_vec3 at = brio_vec3_add_scaled(before->pose.p, ahead(dt), before->velocity);
  brio_vec3 rest = brio_vec3_sub(now->seen.p, at);
  now->pose.p = brio_vec3_add_scaled(at, g, rest);
  now->velocity = dt > 0 ? brio_vec3_add_scaled(before->velocity, h / dt, rest) : before->velocity;
  /* Without an orientation of its own it keeps the last one. */
  if (!now->oriented)
    now->pose.q = before->pose.q;
  else
    now->pose.q = before->oriented ? brio_quat_slerp(before->pose.q, now->seen.q, g) : now->seen.q;
  now->oriented = now->oriented || before->oriented;
}

/* Make room for a detection at `time` in the ring, which is ordered by time.  Return its index. */
static int insert(brio_persistent *one, double time) {
  /* Full: forget the oldest. */
  if (one->count == BRIO_PERSISTENT_HISTORY) {
    one->first = (one->first + 1) % BRIO_PERSISTENT_HISTORY;
    one->count--;
  }
  int place = one->count++;
  /* Shift later ones up; usually there are none. */
  for (; place > 0 && remembered(one, place - 1)->time > time; place--)
    *sighting(one, place) = *remembered(one, place - 1);
  return place;
}

/* Insert a detection, and filter from there on.  What a full ring forgets still counts: the next entry is
** filtered from it, and a detection that is older yet is forgotten at once. */
static void remember(brio_persistent *one, const brio_detection *d) {
  bool full = one->count == BRIO_PERSISTENT_HISTORY;
  brio_past_detection gone = {0};
  if (full) gone = *remembered(one, 0);
  one->object.sightings += full && d->time < gone.time;
  if (full && d->time < gone.time) return;
  int place = insert(one, d->time);
  *sighting(one, place) = (brio_past_detection){.time = d->time,
                                          .seen = d->pose,
                                          .oriented = d->oriented,
                                          .confidence = (float)d->confidence,
                                          .pose = d->pose};
  one->object.sightings++;
  /* The first one of all is where it was seen. */
  for (; place < one->count; place++)
    if (place > 0 || full) filter(one, place, place > 0 ? remembered(one, place - 1) : &gone);
}

/* Start with what never changes; the rest follows with the first detection. */
void brio_persistent_begin(brio_persistent *one, const brio_detection *d) {
  brio_object *object = &one->object;
  memcpy(object->kind, d->kind, sizeof object->kind);
  memcpy(object->id, d->id, sizeof object->id);
  for (int i = 0; i < 3; i++) object->color[i] = (float)NAN;
  object->pose = BRIO_POSE_IDENTITY;
  object->first_seen = object->last_seen = d->time;
}

void brio_persistent_follow(brio_persistent *one, const brio_detection *d) {
  brio_object *object = &one->object;
  /* A late detection changes the path, but not what is known of the present. */
  bool newest = object->sightings == 0 || d->time >= object->last_seen;
  remember(one, d);
  const brio_past_detection *last = remembered(one, one->count - 1);
  object->pose = last->pose;
  object->velocity = last->velocity;
  object->oriented = last->oriented;
  object->first_seen = fmin(object->first_seen, d->time);
  if (!newest) return;
  object->size = d->size;
  object->confidence = d->confidence;
  object->last_seen = object->time = d->time;
  if (isfinite(d->color[0])) memcpy(object->color, d->color, sizeof object->color);
  object->detector = d->detector;
}

/* The last entry at or before `time`, or the first if all are later. */
static const brio_past_detection *before(const brio_persistent *one, double time) {
  int i = one->count - 1;
  while (i > 0 && remembered(one, i)->time > time) i--;
  return remembered(one, i);
}

/* Extrapolate to `time`; within the gate, m, a detection may be this thing. */
brio_vec3 brio_persistent_expected(const brio_persistent *one, double time, double *gate) {
  const brio_object *object = &one->object;
  double dt = time - object->last_seen, doubt;
  if (dt < 0) { /* a picture that came late: from where it was then */
    const brio_past_detection *last = before(one, time);
    dt = fmax(time - last->time, 0);
    *gate = one->settings.radius;
    return brio_vec3_add_scaled(last->pose.p, ahead(dt), last->velocity);
  }
  /* The gate widens with the time unseen, and while few detections determine the velocity. */
  doubt = fmax(fmin(dt, 1), 2.0 / (object->sightings + 1));
  *gate = one->settings.radius + one->settings.speed * fmin(dt, 1) * doubt;
  return brio_vec3_add_scaled(object->pose.p, ahead(dt), object->velocity);
}

int brio_persistent_recall(const brio_persistent *one, double now, double *frequency, double *confidence) {
  int from = one->count - 1; /* the newest one always counts */
  /* Those within settings.history s of now. */
  while (from > 0 && remembered(one, from - 1)->time > now - one->settings.history) from--;
  int count = one->count - from;
  double sum = 0, age = now - remembered(one, from)->time;
  for (int i = from; i < one->count; i++) sum += (double)remembered(one, i)->confidence;
  *confidence = sum / count;
  *frequency = age > 0 ? count / age : 0;
  return count;
}
