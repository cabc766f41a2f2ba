/* Repeated distance queries between solids that move little.
**
** Three things keep a query cheap.  Neighbors are kept in a list, which trees of boxes update only for a
** body that has left its box: thousands of shapes far away cost nothing.  A measured distance minus the
** largest possible motion of both solids is a lower bound of the later distance: a pair is measured again
** only when that bound comes within the query's range.  And a pair whose bodies did not move at all is not
** measured again.  The results are those of measuring all pairs, to rounding: the pairs within the range,
** and their distances.
**
** Of bodies on frames that joints connect, the caller may say how far the joints have moved.  Then what two
** bodies share with the frame that carries both does not count: the fingers of a hand that is carried along
** keep their bounds.  Pairs that cannot come within the range by the motion so far rest: a query does not
** even visit them (watch_rest.c).
**
** Source of the idea of bounds and budgets: Rakita, Mutlu and Gleicher, "PROXIMA: an approach for time or
** accuracy budgeted collision proximity queries", 2022; these bounds and this order are brio's own. */
#ifndef BRIO_GEOMETRY_WATCH_H
#define BRIO_GEOMETRY_WATCH_H

#include "geometry/box_tree.h"
#include "geometry/proximity.h"

/* Bounds of the motion of a frame's points, as sums over the joints that carry it: no point goes farther than
** turn * (length of the chain to the point) - lever + slide. */
typedef struct brio_reach {
  double length; /* m: from the root's origin along the joints, at the most */
  double turn;   /* rad: of all turns */
  double lever;  /* rad m: of turns, each times the length at its axis */
  double slide;  /* m: of all slides */
} brio_reach;

typedef struct brio_watch {
  brio_body *bodies;          /* nbody slots; owned */
  int nbody, nown;            /* pairs among the first `nown` bodies are given by the caller */
  int used;                   /* no slot from here on was ever used */
  int *movers, nmover;        /* bodies that a query must place: those on frames, and those of the world
                              ** that are new or were moved */
  int *endless, nendless;     /* half-spaces */
  brio_proximity_pair *pairs; /* npair; owned: first `nfixed` that the caller listed, then those that
                              ** may be near, ordered by body_a, then body_b */
  int npair, nfixed, capacity;
  int *within, nwithin;       /* the pairs that are `within`, rising; owned */
  double range;               /* m: lower bound of the distance of all pairs that are not listed */
  const brio_reach *reach;    /* of the last query */
  struct brio_watch_rest *rest; /* NULL: no pair rests (watch_rest.c) */
  int measured, left;         /* by the last query: exact distances; due pairs that kept a bound, for want of
                              ** budget or of room in the list */
  brio_box_tree tree[2];          /* of bodies in the world, and on frames */
  int count[2];               /* of bodies present: in the world, and on frames */
  struct brio_watch_scratch *scratch;
} brio_watch;

/* A query. */
typedef struct brio_watch_query {
  const brio_transform *frames; /* world_from_frame */
  double range;                 /* m: pairs this near are measured exactly */
  bool margins;                 /* for a pair beyond its own margin a bound suffices, and the smallest
                                ** distance of all is not needed: -INFINITY is returned */
  const brio_reach *reach;      /* by frame: its motion since the anchor; NULL: unknown.  In use until
                                ** the next query or anchor */
  const double *spread;         /* with `reach`, by frame, m: how far any point that it carries may have moved
                                ** against it since the anchor */
  double list;                  /* m: pairs nearer than this are listed, at least with a bound */
  double horizon;               /* m: the smallest distance of all is exact up to here; at least the range */
  int budget;                   /* most exact distances; 0: no limit */
} brio_watch_query;

/* Allocate room for `nbody` bodies, of which the caller gives the pairs among the first `nown`.  Errors:
** no_memory: the watch is then as after brio_watch_end. */
bool brio_watch_start(brio_watch *watch, int nbody, int nown, brio_error *err);

/* Free its memory, also when partly allocated.  The points of hulls are not its own. */
void brio_watch_end(brio_watch *watch);

/* Make room for `count` pairs that the caller lists, to be written to `pairs` from the front, with their
** number in `npair` and `nfixed`, before any body after the first `nown` is put.  Return false when there
** is no memory: nothing changes. */
bool brio_watch_reserve(brio_watch *watch, int count);

/* Let pairs that the caller listed rest: after they are listed, with their carriers, of which there are
** `nframe`, for queries with `reach`; 0: for queries without.  Return false when there is no memory. */
bool brio_watch_let_rest(brio_watch *watch, int nframe);

/* Return how many of the pairs that the caller listed do not rest now. */
int brio_watch_awake(const brio_watch *watch);

/* Set the body in slot `i`, which is free or used, or (NULL) remove the one there.  Return false when there
** is no memory for its pairs: the slot is free then.  Memory grows with the bodies, not with their pairs. */
bool brio_watch_put(brio_watch *watch, int i, const brio_body *body);

/* Set the pose of the body in slot `i`, if there is one, in its frame, from the next query on. */
void brio_watch_move(brio_watch *watch, int i, const brio_transform *pose);

/* Clear the results of earlier queries: the next one behaves like a first one. */
void brio_watch_forget(brio_watch *watch);

/* Measure the pairs as `query` asks.  Return the smallest distance: exact up to the horizon, beyond it a
** lower bound; INFINITY when there is no pair.  Of a pair within the range `near` is exact, and it is
** listed; any other listed pair has only a lower bound of the distance: it was not measured, or the budget
** was used up, which measures those with the least bounds first.  Allocates nothing. */
double brio_watch_measure(brio_watch *watch, const brio_watch_query *query);

/* Write all pairs that are within `range`, measured exactly, and the others among those that the caller
** listed, with a bound, into a new array, which the caller frees; return it with its length in `count`, or
** NULL when there is no memory.  The watch does not change, nor do later results.  Measures every pair: not
** for the tick. */
brio_proximity_pair *brio_watch_report(const brio_watch *watch, const brio_transform *frames, double range,
                                       int *count);

/* Compute the motion of bodies from now on relative to the poses of the last query, rather than to those of
** the last call. Bounds stay tightest when it is called once for every step that bodies really make, and not
** for trial poses. */
void brio_watch_anchor(brio_watch *watch);

#endif
