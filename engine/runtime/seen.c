/* Rows of detections: see seen.h. Script thread only. O(detections x BRIO_SIGHTINGS) a tick. */
#include "runtime/seen.h"

#include <math.h>
#include <string.h>

static const double AWAY = 1;         /* s without being seen after which a sighting ends */
static const double ELSEWHERE = 0.05; /* m: farther from its row's position, a thing has moved */
static const double SOONEST = 0.2;    /* s between two rows of one thing, at least */
static const double NAMELESS = 0.3;   /* m: two nameless things nearer than this are one */

/* A number, or NULL if it is unknown. */
static brio_value known(bool is, double value) { return is ? brio_value_real(value) : brio_value_null(); }

void brio_seen_record(brio_store *store, int table, int64_t tick, double time, const brio_detection *list,
                      int count) {
  for (int i = 0; i < count; i++) {
    const brio_detection *d = &list[i];
    /* A size of 0 and a color of NaN mean that the detector gave none. */
    bool sized = d->size.x > 0 || d->size.y > 0 || d->size.z > 0, colored = !isnan(d->color[0]);
    brio_value row[] = {brio_value_integer(tick),
                        brio_value_real(time),
                        brio_value_integer(d->detector),
                        brio_value_real(isnan(d->time) ? time : d->time),
                        brio_value_text(d->kind),
                        d->id[0] ? brio_value_text(d->id) : brio_value_null(),
                        brio_value_real(d->confidence),
                        brio_value_real(d->pose.p.x),
                        brio_value_real(d->pose.p.y),
                        brio_value_real(d->pose.p.z),
                        known(d->oriented, d->pose.q.x),
                        known(d->oriented, d->pose.q.y),
                        known(d->oriented, d->pose.q.z),
                        known(d->oriented, d->pose.q.w),
                        known(sized, d->size.x),
                        known(sized, d->size.y),
                        known(sized, d->size.z),
                        known(colored, (double)d->color[0]),
                        known(colored, (double)d->color[1]),
                        known(colored, (double)d->color[2])};
    /* Detections of the robot's own sensors have detector 0: they become sightings. */
    if (d->detector > 0) brio_store_put(store, table, row, (int)(sizeof row / sizeof *row));
  }
}

/* --- what the robot's own sensors see --- */

void brio_sightings_start(brio_sightings *sightings, brio_store *store) {
  *sightings = (brio_sightings){.store = store,
                                .begins = brio_store_table_find("sightings"),
                                .ends = brio_store_table_find("sighting_end")};
}

/* Distance of two points, m. */
static double way(brio_vec3 a, brio_vec3 b) {
  return sqrt(pow(a.x - b.x, 2) + pow(a.y - b.y, 2) + pow(a.z - b.z, 2));
}

/* Write the end of a sighting; its entry is free then. */
static void end_one(brio_sightings *sightings, brio_sighting *one) {
  brio_value row[] = {brio_value_integer(one->id), brio_value_real(one->last)};
  brio_store_put(sightings->store, sightings->ends, row, 2);
  one->id = 0;
}

/* Begin a sighting: a new row at the position where the thing is now. */
static void begin_one(brio_sightings *sightings, brio_sighting *one, const brio_detection *seen,
                      double time) {
  /* The row's position stays that of its beginning: a thing that moves on gets a new row. */
  *one = (brio_sighting){.id = ++sightings->made, .began = time, .place = seen->pose.p};
  memcpy(one->kind, seen->kind, sizeof one->kind);
  memcpy(one->name, seen->id, sizeof one->name);
  brio_value row[] = {brio_value_integer(one->id),
                      brio_value_text(one->kind),
                      one->name[0] ? brio_value_text(one->name) : brio_value_null(),
                      brio_value_real(time),
                      brio_value_real(seen->confidence),
                      brio_value_real(one->place.x),
                      brio_value_real(one->place.y),
                      brio_value_real(one->place.z)};
  brio_store_put(sightings->store, sightings->begins, row, (int)(sizeof row / sizeof *row));
}

/* Find the entry of a thing that was seen before, or a free one; NULL: neither exists. */
static brio_sighting *place_of(brio_sightings *sightings, const brio_detection *seen) {
  brio_sighting *spare = NULL;
  for (int i = 0; i < BRIO_SIGHTINGS; i++) {
    brio_sighting *one = &sightings->list[i];
    if (!one->id && !spare) spare = one;
    if (!one->id || strcmp(one->kind, seen->kind) != 0 || strcmp(one->name, seen->id) != 0) continue;
    /* Things with names are found by them, others by being near. */
    if (one->name[0] || way(one->place, seen->pose.p) < NAMELESS) return one;
  }
  return spare;
}

void brio_sightings_note(brio_sightings *sightings, double time, const brio_detection *list, int count) {
  if (!sightings->store) return;
  /* Each detection of an own sensor continues its sighting or begins one; without a free entry it is left
  ** out. */
  for (int i = 0; i < count; i++) {
    brio_sighting *one = list[i].detector > 0 ? NULL : place_of(sightings, &list[i]);
    if (!one) continue;
    /* A moving thing gets a row at most every SOONEST s. */
    bool elsewhere = one->id && way(one->place, list[i].pose.p) > ELSEWHERE && time - one->began >= SOONEST;
    if (elsewhere) end_one(sightings, one);
    if (!one->id) begin_one(sightings, one, &list[i], time);
    one->last = time;
  }
  /* End the sightings of things that were not seen for AWAY s. */
  for (int i = 0; i < BRIO_SIGHTINGS; i++)
    if (sightings->list[i].id && time - sightings->list[i].last > AWAY)
      end_one(sightings, &sightings->list[i]);
}
