/* The guard: rejects steps from which the robot could not stop in time. Private to the solver room. */
#ifndef BRIO_SOLVER_COLLISION_GUARD_H
#define BRIO_SOLVER_COLLISION_GUARD_H

#include "geometry/watch.h"
#include "robot/kinematics.h"

enum { BRIO_GUARD_MOMENTS = 8 };

/* The state of the robot after a number of ticks of the trial motion. */
typedef struct brio_moment {
  double ticks;     /* NAN: not known */
  double *place;    /* nv: coordinates */
  brio_state state; /* links, if `placed` */
  bool placed;
} brio_moment;

/* How far the points of a body of the robot may get on a part of the way, and how long its chain is, m. */
typedef struct brio_body_way {
  double way, length;
} brio_body_way;

/* Parts of the way whose sums are kept: all of it, the step, and the braking after it. */
typedef enum brio_span_kind { BRIO_SPAN_WHOLE, BRIO_SPAN_STEP, BRIO_SPAN_BRAKING, BRIO_SPANS } brio_span_kind;

/* How far everything may get on a part of the way. */
typedef struct brio_span {
  bool summed;
  brio_reach *reach;   /* nlink */
  brio_body_way *ways; /* of the robot's own bodies */
} brio_span;

/* A pair of physical bodies that is near at the pose accepted last. */
typedef struct brio_nearby {
  int body_a, body_b;
  int pair;        /* where the watch lists it, if it is the robot's own: these come first, and stay */
  int carrier;     /* of such a pair: the nearest link that carries both; else -1 */
  double distance; /* m: at least */
  double least;    /* m: the distance that it must keep */
  brio_distance_cache cache;
} brio_nearby;

enum { BRIO_GUARD_NEARBY = 4096 };

typedef struct brio_guard {
  bool off;
  double clearance;           /* m: lower bound of the distance of all pairs */
  brio_nearby *nearby;        /* nnearby, room for BRIO_GUARD_NEARBY */
  int nnearby, nown;          /* the first `nown` are of the robot alone */
  double nearest;             /* m: the least distance among them; INFINITY: none */
  double horizon;             /* m: lists all pairs nearer than this */
  bool crowded;               /* not all pairs of turning half-spaces found room */
  brio_vec3 root;             /* of the robot, where the way begins, m */
  double list;                /* m: how near pairs the watch should list */
  brio_moment moments[BRIO_GUARD_MOMENTS]; /* cached states of the trial motion */
  int oldest;                 /* the next one to replace */
  bool sure;                  /* ticks for which greatest braking is known to be free */
  int suspect[2];             /* the bodies of the last colliding pair */
  double *rest;               /* nv: where the way ends */
  double *q;                  /* nq: scratch */
  brio_span spans[BRIO_SPANS];
  brio_reach *reach;          /* of the whole way */
  double farthest, asked;     /* m: the most by which a pair comes nearer in the motion; in the last one
                              ** checked */
  double end;                 /* ticks until all stand still */
  int work;                   /* distances measured in this solve */
  double dt, brake_dt;        /* s: of the step, and of the braking ticks that are checked */
  /* clearance.c */
  bool matters;               /* some pair may come near in this solve */
  double stiffness, needed;   /* per m^2: of the cost of near pairs; the value that the objectives' gradient
                              ** requires */
  double *row, *pull;         /* nv each: scratch */
} brio_guard;

struct brio_solver;

/* Allocate.  Errors: no_memory. */
bool brio_guard_start(struct brio_solver *solver, brio_error *err);
/* Free it, also when partly allocated. */
void brio_guard_end(brio_guard *guard);

/* Verdict on a tick's best pose. */
typedef struct brio_verdict {
  double granted; /* share of the way from greatest braking to the best pose that is safe */
  int fault[2];   /* two bodies that greatest braking does not keep apart; -1: none */
} brio_verdict;

/* Before a solve: measure again where shapes were set, moved or removed.  Return the initial verdict: its
** fault is a pair that a shape brought nearer than the robot may go. */
brio_verdict brio_guard_begin(struct brio_solver *solver);

/* The trial being the step to rest at solver->x, draw x and the trial back towards greatest
** braking as far as is needed to keep all pairs apart until the robot stands. */
void brio_guard_step(struct brio_solver *solver, double dt, brio_verdict *verdict);

/* The robot after `ticks` of the way that is judged, and unless NULL its coordinates (nv); both are valid
** until BRIO_GUARD_MOMENTS other moments were asked for. */
const brio_state *brio_guard_state_after(struct brio_solver *solver, double ticks, const double **place);

/* Update the list of near pairs after a query at the accepted pose. */
void brio_guard_look(struct brio_solver *solver);

/* Distance that a pair keeps, m: the clearance, or less where the robot is built closer. */
double brio_guard_least(const struct brio_solver *solver, const brio_proximity_pair *pair);

/* guard_reach.c */

/* Return the seconds that so many ticks of the way take. */
double brio_guard_seconds(const brio_guard *guard, double ticks);
/* Whether a body of the world moves by itself. */
bool brio_guard_drifts(const brio_body *body);
/* Whether a body is a half-space that may turn. */
static inline bool brio_guard_sweeps(const brio_body *body) {
  return isinf(body->radius) && (body->frame >= 0 || brio_vec3_norm(body->spin) > 0);
}
/* Sum up how far all points may get on the whole way, from the accepted pose to guard->rest. */
void brio_guard_sum_ways(struct brio_solver *solver);
/* How far two bodies may move against each other on the whole way, reckoned through the root. */
double brio_guard_pair_reach(const struct brio_solver *solver, const brio_body *a, const brio_body *b);
/* The same for a pair of the robot's own on a part of the way that was summed, reckoned from the link that
** carries both.  NaN for a half-space. */
double brio_guard_own_way(const brio_span *span, const brio_nearby *pair);
/* Return a part of the way, between two places, with its sums. */
const brio_span *brio_guard_span(struct brio_solver *solver, brio_span_kind kind, const double *from,
                                 const double *to);
/* How far the bodies of a pair may move against each other between two places on the way. */
double brio_guard_pair_travel(const struct brio_solver *solver, const brio_nearby *pair, const double *from,
                              const double *to);
/* How far both bodies of a pair may get in a time by their own motion, m. */
double brio_guard_pair_drift(const struct brio_solver *solver, const brio_nearby *pair, double time);

/* Return the nearby pair that is pair `i` of the watch now, or NULL. */
const brio_nearby *brio_guard_find(const struct brio_solver *solver, int i);

#endif
