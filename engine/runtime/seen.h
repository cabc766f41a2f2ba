/* The record of what other programs saw: rows of the run store, one for each detection that was taken into the scene. */
#ifndef BRIO_RUNTIME_SEEN_H
#define BRIO_RUNTIME_SEEN_H

#include "math/detection.h"
#include "store/store.h"

/* Put `count` detections of one tick, those with a detector's number, into the store.  Never blocks or allocates, but as
** brio_store_put does. */
void brio_seen_record(brio_store *store, int table, int64_t tick, double time, const brio_detection *list, int count);

#endif
