/* A way for the body around what is in the way, seen from above: around solids, and around what an occupancy
** grid holds.  It is worked on in slices, and the same request gives the same way. */
#ifndef BRIO_PLAN_BODY_PATH_H
#define BRIO_PLAN_BODY_PATH_H

#include "base/random.h"
#include "plan/distance_map.h"

enum { BRIO_BODY_PATH_NODES = 4000, BRIO_BODY_PATH_POINTS = 256 };

typedef enum brio_search_status {
  BRIO_SEARCH_GOES_ON,
  BRIO_SEARCH_FOUND,
  BRIO_SEARCH_FAILED
} brio_search_status;

/* What a way is looked for in, from where to where; it is kept by who asks. */
typedef struct brio_body_path_request {
  const struct brio_way *way;        /* how: a row of ways.def */
  const brio_obstacles *obstacles;
  const brio_distance_map *map;         /* what a grid holds, when its work is done; NULL: none */
  bool known_only;                   /* ground of which nothing is known is in the way */
  double clearance;                  /* m: of the line, where neither end is nearer to what is in the way */
  /* shares of length: what unknown ground, and being as near as that, cost more */
  double cost_unknown, cost_near;
  brio_spot from, to;
  uint64_t seed;
} brio_body_path_request;

typedef struct brio_body_path {
  brio_body_path_request request;
  double ends[2][2], near_by[2]; /* start and goal; how far they are from what is in the way */
  double box[4];
  void *own;                     /* of the row */
  int rounds;
  int count;                     /* points of the way that was found */
  double points[BRIO_BODY_PATH_POINTS][2];
} brio_body_path;

/* One way to look for ways.  To add one: ways/<name>.c, and a row in ways.def. */
typedef struct brio_way {
  const char *name, *doc;
  bool needs_map;                /* it works on a clearance map, also where there is no grid */
  bool (*begin)(brio_body_path *path, brio_arena *arena, brio_error *err);
  brio_search_status (*work)(brio_body_path *path, int budget, int *used, brio_error *err);
} brio_way;

/* Return the rows; `count` gets how many. */
const brio_way *const *brio_ways(int *count);

/* Begin to look for a way from one point to another.  Errors: unreachable (an end is inside of something),
** no_memory. */
bool brio_body_path_begin(brio_body_path *path, brio_arena *arena, const brio_body_path_request *request,
                          brio_error *err);

/* Look on for at most `budget` rounds; each takes some ten microseconds.  `used` gets how many it were.
** Failed: `err` says so (unreachable). */
brio_search_status brio_body_path_work(brio_body_path *path, int budget, int *used, brio_error *err);

/* Return how much more room there is at a point than is needed there, m; `distance` (may be NULL) gets all of
** it. */
double brio_body_path_room(const brio_body_path *path, const double p[2], double *distance);

/* Return whether the line between two points keeps clear. */
bool brio_body_path_clear(const brio_body_path *path, const double a[2], const double b[2]);

/* Add a point to what was found; false: there are too many.  Errors: unreachable. */
bool brio_body_path_append(brio_body_path *path, const double p[2], brio_error *err);

/* Return how far two points are apart, m. */
static inline double brio_body_path_apart(const double a[2], const double b[2]) {
  return hypot(b[0] - a[0], b[1] - a[1]);
}

#endif
