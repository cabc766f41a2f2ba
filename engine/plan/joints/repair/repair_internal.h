/* Shared by the files of repairs, and private to them. */
#ifndef BRIO_PLAN_JOINTS_REPAIR_INTERNAL_H
#define BRIO_PLAN_JOINTS_REPAIR_INTERNAL_H

#include "base/random.h"
#include "plan/joints/repair/repair.h"
#include "plan/joints/tree.h"

enum { BRIO_REPAIR_NEAR = 16 }; /* pairs of solids that are looked at together, at most */

/* A change that a place of the path needs; places between points count in shares. */
typedef struct brio_repair_push {
  double at; /* number of the point, or between two */
  double way[BRIO_JOINTS_PLANNED];
} brio_repair_push;

struct brio_joint_repair {
  brio_joint_checker *checker;
  brio_arena arena;
  brio_joint_space space;
  brio_repair_settings settings;
  double ease[BRIO_JOINTS_PLANNED]; /* of the metric: how far a joint goes for the same cost */
  double target;                    /* m: distance to push to */
  double spread;                    /* points: of changes now; less where they do not help */
  int most, count;
  double *points, *before; /* most x n: as they are, and as they were given */
  double *spare;           /* most x n */
  bool *stale, *bad;       /* most: to be checked again; not clear */
  bool *unsure, *blocked;  /* most: the same of motion i, to point i + 1 */
  int npush;
  brio_repair_push *pushes; /* 2 most */
  brio_joint_contact contacts[BRIO_REPAIR_NEAR];
  double slopes[BRIO_REPAIR_NEAR * BRIO_JOINTS_PLANNED];
  brio_random random;
  double *particles; /* swarm: particles x (3 n + 1), see swarm.c */
  brio_repair_report report;
};

/* Return point `i`. */
static inline double *brio_repair_point(const brio_joint_repair *repair, int i) {
  return repair->points + (size_t)i * (size_t)repair->space.n;
}

/* Return the first and the last point that may be changed. */
static inline int brio_repair_first(const brio_joint_repair *repair) {
  return repair->settings.free_ends ? 0 : 1;
}
static inline int brio_repair_last(const brio_joint_repair *repair) {
  return repair->count - 1 - brio_repair_first(repair);
}

/* Bring values within the limits; return whether one was beyond. */
bool brio_repair_limit(const brio_joint_repair *repair, double *x);

/* Bring values to what the checker keeps, if it keeps anything. */
void brio_repair_keep(const brio_joint_repair *repair, double *x);

/* Note that point `i` was changed. */
void brio_repair_touch(brio_joint_repair *repair, int i);

/* Check what was changed: all points, and if these are clear all motions.  Return how many are not clear. */
int brio_repair_check(brio_joint_repair *repair);

/* Push what is not clear out, once.  Return how much is missing, m, summed over the places. */
double brio_repair_push_out(brio_joint_repair *repair);

/* Lead the path around the places that are not clear, each `wider` points wider on both sides. */
void brio_repair_lead_around(brio_joint_repair *repair, int wider);

/* Draw what was moved farther than it had to be back; all is clear, and stays so. */
void brio_repair_settle(brio_joint_repair *repair);

/* Repair all points that are not clear by swarms, and fill in what they leave; filter around them. */
void brio_repair_swarm(brio_joint_repair *repair);

/* Return how far beyond the target the configuration is too near, m, summed over pairs of solids. */
double brio_repair_depth(brio_joint_repair *repair, const double *x);

/* Write the least step out of all that is nearer than the target at `x`.  Return how much is missing there,
** m: the most. */
double brio_repair_step_out(brio_joint_repair *repair, const double *x, double *dx);

#endif
