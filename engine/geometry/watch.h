/* Distances between solids that are asked for again and again while they move little.
**
** A distance that was measured is a lower bound of the distance later on, less the way that the
** points of both solids may have moved since.  A watch keeps that bound with every pair and measures
** a pair exactly only when the bound comes within what is asked for; a pair whose bodies stand
** exactly as they stood is not measured again.  Answers are those of measuring all pairs, to
** rounding: who is within the range, and how far apart.
** Source of the idea: Rakita, Mutlu and Gleicher, "PROXIMA: an approach for time or accuracy
** budgeted collision proximity queries", 2022; bounds and order here are ours. */
#ifndef BRIO_GEOMETRY_WATCH_H
#define BRIO_GEOMETRY_WATCH_H

#include "geometry/proximity.h"

typedef struct brio_watch {
  brio_body *bodies;          /* nbody places; owned */
  int nbody;
  int *movers, nmover;        /* the bodies that a query must place: those on frames, and those of
                              ** the world that are new or were moved */
  brio_proximity_pair *pairs; /* npair; owned */
  int npair, capacity;
  int *due;                   /* scratch: pairs to measure */
  int measured, left;         /* by the last query: exact distances; pairs that were due, but over
                              ** the budget: they have a bound */
} brio_watch;

/* What a query asks. */
typedef struct brio_watch_query {
  const brio_transform *frames; /* world_from_frame */
  double range;                 /* m: pairs this near are measured exactly */
  double horizon;               /* m: the smallest distance of all is exact up to here; at least the range */
  int budget;                   /* exact distances at most; 0: as many as it takes */
} brio_watch_query;

/* Make room for `nbody` bodies.  Errors: no_memory: the watch is as after brio_watch_end. */
bool brio_watch_start(brio_watch *watch, int nbody, brio_error *err);

/* Give its memory back; a half-started one too.  The points of hulls are not its own. */
void brio_watch_end(brio_watch *watch);

/* Make room for `count` pairs.  Return false when there is no memory: nothing changes. */
bool brio_watch_reserve(brio_watch *watch, int count);

/* Put a body into place `i`, or (NULL) take it out.  Its pairs are the caller's business. */
void brio_watch_put(brio_watch *watch, int i, const brio_body *body);

/* Let the body in place `i` stand at `pose` in its frame from the next query on. */
void brio_watch_move(brio_watch *watch, int i, const brio_transform *pose);

/* Forget all that earlier queries left for later ones: the next answers as the first would. */
void brio_watch_forget(brio_watch *watch);

/* Measure the pairs as `query` asks.  Return the smallest distance: exact up to the horizon,
** beyond it a lower bound; INFINITY when there is no pair.  Of a pair within the range `near` is
** exact; any other has only a distance, a lower bound: it was never measured, or left out for want of
** budget, where those with the least bounds go first.  Allocates nothing. */
double brio_watch_measure(brio_watch *watch, const brio_watch_query *query);

/* Write all pairs (npair) into `out`, those within `range` measured exactly, as brio_watch_measure would,
** but leaving the watch as it was, so that looking changes no later answer. */
void brio_watch_report(const brio_watch *watch, const brio_transform *frames, double range,
                       brio_proximity_pair *out);

/* Reckon from now on how far bodies have moved from where the last query found them, rather than
** from where they were when this was last called.  Bounds stay tightest when it is called once for every
** step that bodies really take, and not for poses that are only tried. */
void brio_watch_anchor(brio_watch *watch);

#endif
