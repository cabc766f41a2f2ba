/* A way for the body around what is in the way, seen from above: found by RRT-Connect, then shortened.
** It is worked on in slices, and the same seed gives the same way. */
#ifndef BRIO_PLAN_BODY_PATH_H
#define BRIO_PLAN_BODY_PATH_H

#include "base/random.h"
#include "plan/obstacles.h"

enum { BRIO_BODY_PATH_NODES = 4000, BRIO_BODY_PATH_POINTS = 64 };

typedef enum brio_search_status { BRIO_SEARCH_GOES_ON, BRIO_SEARCH_FOUND, BRIO_SEARCH_FAILED } brio_search_status;

typedef struct brio_body_path {
  const brio_obstacles *obstacles;
  double clearance;           /* m: of the line, where neither end is nearer to what is in the way */
  double ends[2][2], near_by[2]; /* start and goal; how far they are from what is in the way */
  double box[4];
  struct brio_path_tree *trees[2];
  brio_random random;
  int rounds;
  int count;                  /* points of the way that was found */
  double points[BRIO_BODY_PATH_POINTS][2];
} brio_body_path;

/* Begin to look for a way from one point to another.  Errors: unreachable (an end is inside of something),
** no_memory. */
bool brio_body_path_begin(brio_body_path *path, brio_arena *arena, const brio_obstacles *obstacles, double clearance,
                          brio_spot from, brio_spot to, uint64_t seed, brio_error *err);

/* Look on for at most `budget` rounds; each adds a few points.  `used` gets how many it were.
** Failed: `err` says so (unreachable). */
brio_search_status brio_body_path_work(brio_body_path *path, int budget, int *used, brio_error *err);

/* Return whether the line between two points keeps clear. */
bool brio_body_path_clear(const brio_body_path *path, const double a[2], const double b[2]);

#endif
