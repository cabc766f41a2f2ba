/* Plans of footsteps: from where the feet stand to where they should, by one of several planners.
**
** A plan is made with all the memory that it needs, worked on in slices, which keep to their budget of
** expansions, and read when it is done.  If there is no plan, a sentence says why.  The same request gives
** the same steps.  Making a plan is not for the tick, but a slice of work may run in it. */
#ifndef BRIO_PLAN_PLAN_H
#define BRIO_PLAN_PLAN_H

#include "plan/body_path.h"
#include "plan/ground/ground.h"

typedef struct brio_plan brio_plan;

enum { BRIO_PLAN_WAYPOINTS = 200 };

typedef struct brio_plan_request {
  const char *planner;           /* a row of planners.def */
  brio_pose start[2], goal[2];   /* of the left and the right sole, in the world */
  bool goal_feet;                /* false: a plan ends where the last waypoint is, without squaring up */
  const brio_spot *waypoints;    /* of the body, on the way; its yaw is where to face there */
  int nwaypoint;
  int first;                     /* BRIO_LEFT or BRIO_RIGHT swings first; -1: whichever is better */
  bool face_goal;                /* a search prefers to face as the goal all along the way */
  bool around;                   /* the body's way is found around what is there first */
  const char *way; /* how: a row of ways.def; NULL: "grid" where there is a grid, else "rrt_connect" */
  const brio_occupancy *grid;    /* what it holds is in the way; copied.  NULL: none */
  bool known_only;               /* so is ground of which it knows nothing */
  const brio_ground *ground;     /* must outlive the plan; NULL: a floor as high as the start */
  const brio_obstacle *obstacles;
  int nobstacle;
  uint64_t seed;
  brio_plan_settings settings;
} brio_plan_request;

/* Make a plan to be worked on: all of the request but the ground is copied.  Errors: misuse, limit,
** no_memory. */
brio_plan *brio_plan_new(const brio_plan_request *request, brio_error *err);
/* Give it back.  NULL is allowed. */
void brio_plan_free(brio_plan *plan);

/* Work on it: at most `budget` expansions (of the lattice or of the way; procedural planners take one).
** Failed: `err` gets why (unreachable, limit). */
brio_search_status brio_plan_work(brio_plan *plan, int budget, brio_error *err);

/* Return the steps of a plan that is done; they belong to it. */
const brio_footstep *brio_plan_steps(const brio_plan *plan, int *count);

/* Return the way of the body, where one was looked for: `count` points (x, y). */
const double (*brio_plan_way(const brio_plan *plan, int *count))[2];

/* Return the map that the grid's copy became, when its distances are known; NULL: none. */
const brio_distance_map *brio_plan_map(const brio_plan *plan);

/* How much was done: expansions so far, nodes made, and what the steps cost (a_star). */
typedef struct brio_plan_effort {
  int64_t expansions, nodes;
  double cost;
} brio_plan_effort;
brio_plan_effort brio_plan_effort_of(const brio_plan *plan);

/* Return the names and sentences of the planners; `count` gets how many. */
const struct brio_planner *const *brio_planners(int *count);

/* What a swing of a foot between two places takes by its distance, s; a turn counts 0.1 m for 45 degrees. */
double brio_swing_time(const brio_plan_settings *settings, brio_spot from, brio_spot to);

/* One step of the lattice search, as it judges it: from a foot that stands to one that is set beside it.
** Return whether it may be made; `cost` gets what it costs, without what it faces. */
bool brio_lattice_step(const brio_plan_settings *settings, brio_side standing, brio_spot from, double from_z,
                       brio_spot to, double to_z, double area, double *cost);

#endif
