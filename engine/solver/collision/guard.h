/* The guard: no step is taken from which the robot could not stop in time.
** Not for use outside the solver room. */
#ifndef BRIO_SOLVER_COLLISION_GUARD_H
#define BRIO_SOLVER_COLLISION_GUARD_H

#include "geometry/proximity.h"
#include "robot/kinematics.h"

enum { BRIO_GUARD_MOMENTS = 8 };

/* Where the robot is after a number of ticks of the way. */
typedef struct brio_moment {
  double ticks;     /* NAN: not known */
  double *place;    /* nv: coordinates */
  brio_state state; /* links, if `placed` */
  bool placed;
} brio_moment;

/* How far the points of a link may get on the way, as sums over the joints that carry it. */
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
  double least;    /* m: what it keeps */
  brio_distance_cache cache;
} brio_nearby;

enum { BRIO_GUARD_NEARBY = 4096 };

typedef struct brio_guard {
  bool off;
  double clearance;           /* m: no pair comes nearer than this */
  brio_nearby *nearby;        /* nnearby, room for BRIO_GUARD_NEARBY */
  int nnearby, nown;          /* the first `nown` are of the robot alone */
  double horizon;             /* m: all pairs nearer than this are there */
  bool crowded;               /* there is no room for all pairs of half-spaces that turn */
  brio_vec3 root;             /* of the robot, where the way begins, m */
  double list;                /* m: how near pairs the watch should list */
  brio_moment moments[BRIO_GUARD_MOMENTS]; /* those of the way under judgement that are remembered */
  int oldest;                 /* the one to be forgotten next */
  bool sure;                  /* greatest braking is known to be free */
  int suspect[2];             /* the bodies of the pair that was hit last */
  double *rest;               /* nv: where the way ends */
  double *q;                  /* nq: scratch */
  brio_reach *reach;          /* nlink */
  double farthest, asked;     /* m: the most that a pair comes nearer on the way; on the one asked for last */
  double end;                 /* ticks until all stand still */
  int work;                   /* distances measured in this solve */
  double dt, brake_dt;        /* s: of the step, and of the ticks in which braking is checked */
  /* clearance.c */
  bool matters;               /* some pair may come near in this solve */
  double stiffness, needed;   /* per m^2: of the cost of near pairs; what the objectives' pull asks for */
  double *row, *pull;         /* nv each: scratch */
} brio_guard;

struct brio_solver;

/* Make room.  Errors: no_memory. */
bool brio_guard_start(struct brio_solver *solver, brio_error *err);
/* Give it back; a half-started one too. */
void brio_guard_end(brio_guard *guard);

/* What became of a tick's best pose. */
typedef struct brio_verdict {
  double granted; /* share of the way from greatest braking to the best pose that is safe */
  int fault[2];   /* two bodies that greatest braking does not keep apart; -1: none */
} brio_verdict;

/* Before a solve: where shapes were set, moved or removed, measure again.  Return the verdict to begin
** with: its fault is a pair that was brought nearer by that than the robot would go. */
brio_verdict brio_guard_begin(struct brio_solver *solver);

/* The trial being the step to rest at solver->x, draw x and the trial back towards greatest
** braking as far as is needed to keep all pairs apart until the robot stands. */
void brio_guard_step(struct brio_solver *solver, double dt, brio_verdict *verdict);

/* Note which pairs are near, after a query at the pose that is accepted. */
void brio_guard_look(struct brio_solver *solver);

/* Distance that a pair keeps, m: the clearance, or less where the robot is built closer. */
double brio_guard_least(const struct brio_solver *solver, const brio_proximity_pair *pair);

/* Return the nearby pair that is pair `i` of the watch now, or NULL. */
const brio_nearby *brio_guard_find(const struct brio_solver *solver, int i);

#endif
