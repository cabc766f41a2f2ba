/* Plans of footsteps: from where the feet stand to where they should, by one of several planners.
**
** A plan is created with all its memory, computed in slices with a budget of expansions, and read when it is
** done.  If there is no solution, a sentence has the reason.  The same request gives the same steps.
** Creating a plan is not for the tick, but a slice may run in it. */
#ifndef BRIO_PLAN_PLAN_H
#define BRIO_PLAN_PLAN_H

#include "plan/body_path.h"
#include "plan/ground/ground.h"

typedef struct brio_plan brio_plan;

enum { BRIO_PLAN_WAYPOINTS = 200 };

typedef struct brio_plan_request {
  const char *planner;           /* a row of planners.def */
  brio_pose start[2], goal[2];   /* of the left and the right sole, in the world */
  bool goal_feet;                /* false: a plan ends at the last waypoint, without squaring up */
  const brio_spot *waypoints;    /* waypoint of the body; its yaw is the direction to face there */
  int nwaypoint;
  int first;                     /* BRIO_LEFT or BRIO_RIGHT swings first; -1: whichever is better */
  bool face_goal;                /* a search prefers the goal's direction along the whole path */
  bool around;                   /* the body's path around obstacles is searched first */
  const char *way; /* algorithm: a row of ways.def; NULL: "grid" if there is a grid, else "rrt_connect" */
  const brio_occupancy *grid;    /* its occupied cells are obstacles; copied.  NULL: none */
  bool known_only;               /* unknown cells are obstacles as well */
  const brio_ground *ground;     /* must outlive the plan; NULL: a floor as high as the start */
  const brio_obstacle *obstacles;
  int nobstacle;
  uint64_t seed;
  brio_plan_settings settings;
} brio_plan_request;

/* Create a plan: all of the request except the ground is copied.  Errors: misuse, limit, no_memory. */
brio_plan *brio_plan_new(const brio_plan_request *request, brio_error *err);
/* Free it.  NULL is allowed. */
void brio_plan_free(brio_plan *plan);

/* Compute: at most `budget` expansions (of the lattice or of the path; procedural planners need one).
** Failed: `err` has the reason (unreachable, limit). */
brio_search_status brio_plan_work(brio_plan *plan, int budget, brio_error *err);

/* Return the steps of a plan that is done; they belong to it. */
const brio_footstep *brio_plan_steps(const brio_plan *plan, int *count);

/* Return the path of the body, if one was searched: `count` points (x, y). */
const double (*brio_plan_way(const brio_plan *plan, int *count))[2];

/* Return the distance map of the grid's copy, when it is complete; NULL: none. */
const brio_distance_map *brio_plan_map(const brio_plan *plan);

/* Statistics: expansions so far, nodes created, and the cost of the steps (a_star). */
typedef struct brio_plan_effort {
  int64_t expansions, nodes;
  double cost;
} brio_plan_effort;
brio_plan_effort brio_plan_effort_of(const brio_plan *plan);

/* Return the names and sentences of the planners; `count` gets how many. */
const struct brio_planner *const *brio_planners(int *count);

/* Return the duration of a swing of a foot between two places by its distance, s; a turn counts 0.1 m for 45
** degrees. */
double brio_swing_time(const brio_plan_settings *settings, brio_spot from, brio_spot to);

/* Evaluate one step of the lattice search: from a standing foot to one placed beside it.  Return whether it
** is allowed; `cost` gets its cost, without that of the direction. */
bool brio_lattice_step(const brio_plan_settings *settings, brio_side standing, brio_spot from, double from_z,
                       brio_spot to, double to_z, double area, double *cost);

#endif
