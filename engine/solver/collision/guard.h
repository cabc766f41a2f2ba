/* The guard: rejects steps from which the robot could not stop in time. Private to the solver room. */
#ifndef BRIO_SOLVER_COLLISION_GUARD_H
#define BRIO_SOLVER_COLLISION_GUARD_H

#include "geometry/proximity.h"
#include "robot/kinematics.h"

enum { BRIO_GUARD_MOMENTS = 8 };

/* The state of the robot after a number of ticks of the trial motion. */
typedef struct brio_moment {
  double ticks;     /* NAN: not known */
  double *place;    /* nv: coordinates */
  brio_state state; /* links, if `placed` */
  bool placed;
} brio_moment;

/* Bounds of the motion of a link's points, as sums over the joints that carry it. */
typedef struct brio_reach {
  double length; /* m: from the root's origin along the joints, at the most */
  double turn;   /* rad: of all turns */
  double lever;  /* rad m: of turns, each times the length at its axis */
  double slide;  /* m: of all slides */
} brio_reach;

/* A pair of physical bodies that is near at the pose accepted last. */
typedef struct brio_nearby {
  int body_a, body_b;
  int pair;        /* where the watch lists it, if it is the robot's own: these come first, and stay */
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
  brio_reach *reach;          /* nlink */
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

/* Update the list of near pairs after a query at the accepted pose. */
void brio_guard_look(struct brio_solver *solver);

/* Distance that a pair keeps, m: the clearance, or less where the robot is built closer. */
double brio_guard_least(const struct brio_solver *solver, const brio_proximity_pair *pair);

/* Return the nearby pair that is pair `i` of the watch now, or NULL. */
const brio_nearby *brio_guard_find(const struct brio_solver *solver, int i);

#endif
