/* Repair of a path of joints: a list of configurations, some of which collide, is changed as little as
** possible until all are clear, and the straight motions between them too.  Start and end stay, unless they
** are set free.
**
** Two methods:
**   push    Points that collide go out along the slopes of their distances: the least step dx, in a metric in
**           which a joint weighs as much as it can move, with  S dx >= margin - d  for all that is near
**           (quadratic program of a few rows, solved by projected Gauss-Seidel).  The changes are spread over
**           the points before and after by a Gaussian of the points' numbers, so that a path stays as smooth
**           as it was.  Where motions between points are blocked, their deepest place is pushed out likewise.
**           What gets no better is led around by a search (joints/search.h).
**   swarm   The reference: particle swarms for each point that collides, of fitness 10000 collision + |dx|,
**           where collision is the sum of the depths, m; points that stay bad are removed and filled in by a
**           cubic spline; the path is then filtered by a Gaussian, and checked again.  Motions between points
**           are judged at the end, but not repaired.
** Source of the latter: Li et al., "RMG: Real-Time Expressive Motion Generation with Self-collision Avoidance
** for 6-DOF Companion Robotic Arms", section VI; its coefficients are not published: they are those of Clerc
** and Kennedy, "The particle swarm", 2002.  The former is brio's own; its step is the dual of Faverjon and
** Tournassoud, "A local based approach for path planning of manipulators", 1987.
**
** Where the checker keeps something (keep.h), what is pushed is projected on it.
**
** A repair is made with all its memory; only a search allocates.  The same path and seed give the same
** result.  Off the tick: 200 points of an arm take some 10 ms. */
#ifndef BRIO_PLAN_JOINTS_REPAIR_H
#define BRIO_PLAN_JOINTS_REPAIR_H

#include "plan/joints/search.h"

enum { BRIO_REPAIR_POINTS = 100000, BRIO_REPAIR_PARTICLES = 1000 }; /* at most */

typedef enum brio_repair_method {
  BRIO_REPAIR_PUSH,
  BRIO_REPAIR_SWARM,
  BRIO_REPAIR_NMETHOD
} brio_repair_method;

/* Their names: "push", "swarm". */
extern const char *const brio_repair_method_names[BRIO_REPAIR_NMETHOD];

typedef struct brio_repair_settings {
  brio_repair_method method;
  double margin;             /* m, above 0: what is moved keeps this from everything, beyond the clearance */
  double spread;             /* points, at least 0.1: standard deviation of the Gaussian over points; less
                              ** where that does not help */
  bool free_ends;            /* start and end may be changed, too */
  int rounds;                /* of changes and checks, at most */
  int64_t checks;            /* of a search that leads around; 0: none leads around */
  uint64_t seed;             /* of searches and swarms */
  int particles, iterations; /* swarm: at each point */
  double threshold;          /* swarm: a fitness that is good enough */
  double radius;             /* swarm: rad or m: standard deviation of the particles at first */
} brio_repair_settings;

/* Return push, 2 mm, 6 points, 100 rounds, 20,000 checks, seed 0; 50 particles, 30 iterations, 0.2, 0.3. */
brio_repair_settings brio_repair_settings_default(void);

/* What was done to a path. */
typedef struct brio_repair_report {
  int outside;         /* points beyond the limits of joints, which were brought back */
  int colliding;       /* points that were not clear, those then included */
  int crossing;        /* motions between clear points that were not clear, at most in one round */
  int moved;           /* points that were changed */
  double largest;      /* rad or m: change of a joint */
  int rounds, detours; /* rounds; pieces that a search has led around */
  int removed;         /* swarm: points that were filled in by the spline */
  int left;            /* points and motions that are not clear */
} brio_repair_report;

typedef struct brio_joint_repair brio_joint_repair;

/* Make a repair of paths of at most `most` points.  The checker must outlive it.  Errors: misuse (a setting
** or number out of range), no_memory. */
brio_joint_repair *brio_joint_repair_new(brio_joint_checker *checker, int most,
                                         const brio_repair_settings *settings, brio_error *err);
/* Free it.  NULL is allowed. */
void brio_joint_repair_free(brio_joint_repair *repair);

/* Return how many numbers a point has; how many points there may be. */
int brio_joint_repair_size(const brio_joint_repair *repair, int *most);

/* Repair `points` (count x size) in place.  Circular joints go as the numbers say.  Errors: misuse (too few
** or too many points, a number that is not finite): nothing is changed; unreachable: the start or the end
** collides or is beyond a limit (nothing is changed), or points are left that cannot be repaired: the first
** one is named, with the two solids and the depth, and what could be repaired is. */
bool brio_joint_repair_path(brio_joint_repair *repair, double *points, int count, brio_repair_report *report,
                            brio_error *err);

/* Move a configuration out of what it touches, along the slopes of distances, in steps of at most 0.02 rad or
** m, until everything keeps `room` (m, above the checker's clearance).  Corners (`most` x size at most, at
** least 2) get the way: `x`, then each step, of which none brings the nearest two solids nearer than they
** were before it, nor anything else nearer than it was at first or than `room`.  Return the number of
** corners; 0: no way out was found, or no memory.  Allocates. */
int brio_joint_way_out(brio_joint_checker *checker, const double *x, double room, double *corners, int most);

#endif
