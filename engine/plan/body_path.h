/* A path for the body around obstacles, seen from above: around solids, and around occupied cells of a grid.
** The search runs in slices, and the same request gives the same path. */
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

/* The search problem of a path, owned by the caller. */
typedef struct brio_body_path_request {
  const struct brio_way *way;        /* algorithm: a row of ways.def */
  const brio_obstacles *obstacles;
  const brio_distance_map *map;         /* the grid's distance map, when it is complete; NULL: none */
  bool known_only;                   /* unknown ground is an obstacle */
  double clearance;                  /* m: clearance of the line, unless an end is nearer to an obstacle */
  /* shares of length: extra cost of unknown ground, and of the least clearance */
  double cost_unknown, cost_near;
  brio_spot from, to;
  uint64_t seed;
} brio_body_path_request;

typedef struct brio_body_path {
  brio_body_path_request request;
  double ends[2][2], near_by[2]; /* start and goal; their distances from obstacles */
  double box[4];
  void *own;                     /* of the row */
  int rounds;
  int count;                     /* points of the path */
  double points[BRIO_BODY_PATH_POINTS][2];
} brio_body_path;

/* An algorithm that searches for paths.  To add one: ways/<name>.c, and a row in ways.def. */
typedef struct brio_way {
  const char *name, *doc;
  bool needs_map;                /* it needs a clearance map, also without a grid */
  bool (*begin)(brio_body_path *path, brio_arena *arena, brio_error *err);
  brio_search_status (*work)(brio_body_path *path, int budget, int *used, brio_error *err);
} brio_way;

/* Return the rows; `count` gets how many. */
const brio_way *const *brio_ways(int *count);

/* Begin the search for a path between two points.  Errors: unreachable (an end is inside an obstacle),
** no_memory. */
bool brio_body_path_begin(brio_body_path *path, brio_arena *arena, const brio_body_path_request *request,
                          brio_error *err);

/* Search for at most `budget` rounds; each takes some ten microseconds.  `used` gets their number.  Failed:
** `err` has the cause (unreachable). */
brio_search_status brio_body_path_work(brio_body_path *path, int budget, int *used, brio_error *err);

/* Return the clearance at a point minus the required one, m; `distance` (may be NULL) gets the clearance. */
double brio_body_path_room(const brio_body_path *path, const double p[2], double *distance);

/* Return whether the line between two points has enough clearance. */
bool brio_body_path_clear(const brio_body_path *path, const double a[2], const double b[2]);

/* Append a point to the path; false: too many.  Errors: unreachable. */
bool brio_body_path_append(brio_body_path *path, const double p[2], brio_error *err);

/* Return how far two points are apart, m. */
static inline double brio_body_path_apart(const double a[2], const double b[2]) {
  return hypot(b[0] - a[0], b[1] - a[1]);
}

#endif
