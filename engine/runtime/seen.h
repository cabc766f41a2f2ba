/* The record of what was seen: rows of the run store, one for each detection of another program that was
** taken into the scene; and what the robot's own sensors saw, a row for each stretch in which a thing stayed
** where it was. */
#ifndef BRIO_RUNTIME_SEEN_H
#define BRIO_RUNTIME_SEEN_H

#include "math/detection.h"
#include "store/store.h"

/* Put `count` detections of one tick, those with a detector's number, into the store.  Never blocks or
** allocates, but as brio_store_put does. */
void brio_seen_record(brio_store *store, int table, int64_t tick, double time, const brio_detection *list,
                      int count);

enum { BRIO_SIGHTINGS = 64 /* things that are followed at once; more are left out */ };

/* A thing that is seen, and where its row says that it is. */
typedef struct brio_sighting {
  char kind[BRIO_DETECTION_KIND], name[BRIO_DETECTION_ID];
  brio_vec3 place;   /* m, in the world */
  double began, last; /* s: of the row; seen last */
  int64_t id;        /* of the row; 0: the place is free */
} brio_sighting;

typedef struct brio_sightings {
  brio_store *store; /* NULL: nothing is recorded */
  brio_sighting list[BRIO_SIGHTINGS];
  int64_t made;
  int begins, ends;  /* tables */
} brio_sightings;

/* Nothing is seen yet.  `store` may be NULL. */
void brio_sightings_start(brio_sightings *sightings, brio_store *store);

/* Take what the robot's own sensors (no detector's number) saw in a tick.  Never blocks or allocates, as
** above. */
void brio_sightings_note(brio_sightings *sightings, double time, const brio_detection *list, int count);

#endif
