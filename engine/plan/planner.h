/* What a planner is, and what it works on.  To add one: planners/<name>.c, and a row in planners.def. */
#ifndef BRIO_PLAN_PLANNER_H
#define BRIO_PLAN_PLANNER_H

#include "base/arena.h"
#include "plan/plan.h"

typedef struct brio_planner {
  const char *name, *doc;
  /* Take memory, and refuse what cannot be.  May be NULL. */
  bool (*begin)(brio_plan *plan, brio_error *err);
  /* Work on it, for at most `budget` expansions. */
  brio_search_status (*work)(brio_plan *plan, int budget, brio_error *err);
} brio_planner;

struct brio_plan {
  const brio_planner *planner;
  brio_plan_request request;       /* its lists are the plan's own */
  brio_plan_settings settings;
  brio_spot start[2], goal[2];     /* of the soles */
  brio_spot goal_body;
  brio_obstacles obstacles;
  brio_distance_map map;              /* of the request's grid */
  bool has_map, map_done;
  brio_body_path way;
  bool way_done;
  brio_spot *waypoints;
  int nwaypoint;
  int nstep, room;
  brio_footstep *steps;            /* room; poses are put on the ground at the end */
  brio_spot *spots;                /* room: where the steps go */
  bool by_distance;                /* swings take as long as they are far, and `swing` does not count */
  brio_search_status status;
  brio_error why;
  brio_plan_effort effort;
  void *own;                       /* the planner's */
  brio_arena arena;
};

/* Add a step.  Errors: unreachable: more than the settings allow. */
bool brio_plan_add(brio_plan *plan, brio_side side, brio_spot spot, brio_error *err);

/* Return how far a body at a place is from what is in the way, m. */
double brio_plan_distance(const brio_plan *plan, brio_spot body);

/* Return where a foot stands on its side of a body. */
static inline brio_spot brio_plan_beside(brio_spot body, brio_side side, double hip) {
  return brio_spot_at(body, 0, brio_side_sign(side) * hip, 0);
}

#define X(name) extern const brio_planner brio_planner_##name;
#include "plan/planners.def"
#undef X

#endif
