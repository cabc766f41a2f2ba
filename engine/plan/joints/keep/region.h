/* Configurations of a region: random ones, projected on its bounds (keep.h) and on what the checker keeps,
** and clear.  A pose with tolerances is such a region; so is a place anywhere on a shelf. */
#ifndef BRIO_PLAN_JOINTS_REGION_H
#define BRIO_PLAN_JOINTS_REGION_H

#include "base/random.h"
#include "plan/joints/checker.h"

typedef struct brio_joint_region {
  brio_joint_checker *checker;
  brio_arena arena;
  brio_keeps keeps; /* the region's, and the checker's */
  brio_random random;
  int draws, missed, blocked; /* tries; those that did not get there; those that touched something */
} brio_joint_region;

/* Make a region in a checker, which must outlive it.  Errors: as brio_keeps_add; misuse: an empty list. */
bool brio_joint_region_start(brio_joint_region *region, brio_joint_checker *checker,
                             const brio_joint_keep *list, int count, uint64_t seed, brio_error *err);
/* Free it, also when it could not be made. */
void brio_joint_region_end(brio_joint_region *region);

/* Draw once.  Return whether `x` is in the region now, and clear.  A draw costs as much as some 20 checks. */
bool brio_joint_region_draw(brio_joint_region *region, double *x);

#endif
