/* The record of perception: rows of the run store, one for each detection of another program that the scene
** accepted; and for the robot's own sensors, a row for each stretch in which a thing stayed in one place. */
#ifndef BRIO_RUNTIME_SEEN_H
#define BRIO_RUNTIME_SEEN_H

#include "math/detection.h"
#include "store/store.h"

/* Put `count` detections of one tick, those with a detector's number, into the store.  Blocks and allocates
** no more than brio_store_put. */
void brio_seen_record(brio_store *store, int table, int64_t tick, double time, const brio_detection *list,
                      int count);

enum { BRIO_SIGHTINGS = 64 /* things that are followed at once; others are dropped */ };

/* A visible thing, and the position in its row. */
typedef struct brio_sighting {
  char kind[BRIO_DETECTION_KIND], name[BRIO_DETECTION_ID];
  brio_vec3 place;   /* m, in the world */
  double began, last; /* s: of the row; when last seen */
  int64_t id;        /* of the row; 0: the slot is free */
} brio_sighting;

typedef struct brio_sightings {
  brio_store *store; /* NULL: nothing is recorded */
  brio_sighting list[BRIO_SIGHTINGS];
  int64_t made;
  int begins, ends;  /* tables */
} brio_sightings;

/* Clear.  `store` may be NULL. */
void brio_sightings_start(brio_sightings *sightings, brio_store *store);

/* Record the detections of the robot's own sensors (no detector's number) in a tick.  Never blocks or
** allocates, as above. */
void brio_sightings_note(brio_sightings *sightings, double time, const brio_detection *list, int count);

#endif
