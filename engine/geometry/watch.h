/* Distances between solids that are asked for again and again while they move little.
**
** Three things keep a query cheap.  Who may be near is kept in a list, which trees of boxes renew only
** for a body that has left the room it was given: thousands of shapes far away cost nothing.  A distance
** that was measured is a lower bound of the distance later on, less the way that the points of both
** solids may have moved since: a pair is measured again only when that bound comes within what is asked
** for.  And a pair whose bodies stand exactly as they stood is not measured again.  Answers are those of
** measuring all pairs, to rounding: who is within the range, and how far apart.
** Source of the idea of bounds and budgets: Rakita, Mutlu and Gleicher, "PROXIMA: an approach for time or
** accuracy budgeted collision proximity queries", 2022; these bounds and this order are our own. */
#ifndef BRIO_GEOMETRY_WATCH_H
#define BRIO_GEOMETRY_WATCH_H

#include "geometry/box_tree.h"
#include "geometry/proximity.h"

typedef struct brio_watch {
  brio_body *bodies;          /* nbody places; owned */
  int nbody, nown;            /* pairs among the first `nown` are the caller's business */
  int used;                   /* no place from here on was ever taken */
  int *movers, nmover;        /* bodies that a query must place: those on frames, and those of the world
                              ** that are new or were moved */
  int *endless, nendless;     /* half-spaces */
  brio_proximity_pair *pairs; /* npair; owned: first `nfixed` that the caller listed, then those that
                              ** may be near, ordered by body_a, then body_b */
  int npair, nfixed, capacity;
  int *within, nwithin;       /* the pairs that are `within`, rising; owned */
  double range;               /* m: no pair of those that are not listed is nearer than this */
  int measured, left;         /* by the last query: exact distances; pairs that were due and are left with a
                              ** bound, for want of budget or of room in the list */
  brio_box_tree tree[2];          /* of bodies in the world, and on frames */
  int count[2];               /* of bodies present: in the world, and on frames */
  struct brio_watch_scratch *scratch;
} brio_watch;

/* What a query asks. */
typedef struct brio_watch_query {
  const brio_transform *frames; /* world_from_frame */
  double range;                 /* m: pairs this near are measured exactly */
  bool margins;                 /* of a pair beyond its own margin a bound is enough, and the smallest
                                ** distance of all is not asked for: -INFINITY is returned */
  double list;                  /* m: pairs this near are listed at least, with a bound */
  double horizon;               /* m: the smallest distance of all is exact up to here; at least the range */
  int budget;                   /* exact distances at most; 0: as many as it takes */
} brio_watch_query;

/* Make room for `nbody` bodies, of which the caller gives the pairs among the first `nown`.
** Errors: no_memory: the watch is as after brio_watch_end. */
bool brio_watch_start(brio_watch *watch, int nbody, int nown, brio_error *err);

/* Give its memory back; a half-started one too.  The points of hulls are not its own. */
void brio_watch_end(brio_watch *watch);

/* Make room for `count` pairs that the caller lists, to be written to `pairs` from the front, with their
** number in `npair` and `nfixed`, before any body after the first `nown` is put.  Return false when there
** is no memory: nothing changes. */
bool brio_watch_reserve(brio_watch *watch, int count);

/* Put a body into place `i`, which is free or taken, or (NULL) take out the one that is there.  Return false
** when there is no memory for its pairs: the place is free then.  Memory grows with the bodies, not with
** their pairs. */
bool brio_watch_put(brio_watch *watch, int i, const brio_body *body);

/* Let the body in place `i`, if there is one, stand at `pose` in its frame from the next query on. */
void brio_watch_move(brio_watch *watch, int i, const brio_transform *pose);

/* Forget all that earlier queries left for later ones: the next answers as the first would. */
void brio_watch_forget(brio_watch *watch);

/* Measure the pairs as `query` asks.  Return the smallest distance: exact up to the horizon, beyond it a
** lower bound; INFINITY when there is no pair.  Of a pair within the range `near` is exact, and it is
** listed; any other that is listed has only a distance, a lower bound: it was not measured, or left out
** for want of budget, where those with the least bounds go first.  Allocates nothing. */
double brio_watch_measure(brio_watch *watch, const brio_watch_query *query);

/* Write all pairs that are within `range`, measured exactly, and the others among those that the caller
** listed, with a bound, into a new array, which the caller frees; return it with its length in `count`, or
** NULL when there is no memory.  The watch stays as it was, so that looking changes no later answer.  Asks
** for every pair: not for the tick. */
brio_proximity_pair *brio_watch_report(const brio_watch *watch, const brio_transform *frames, double range,
                                       int *count);

/* Reckon from now on how far bodies have moved from where the last query found them, rather than
** from where they were when this was last called.  Bounds stay tightest when it is called once for every
** step that bodies really take, and not for poses that are only tried. */
void brio_watch_anchor(brio_watch *watch);

#endif
