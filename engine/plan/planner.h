/* Interface of a planner, and its data.  To add one: planners/<name>.c, and a row in planners.def. */
#ifndef BRIO_PLAN_PLANNER_H
#define BRIO_PLAN_PLANNER_H

#include "base/arena.h"
#include "plan/plan.h"

typedef struct brio_planner {
  const char *name, *doc;
  bool follows_way;                /* it can follow a path of the body around obstacles (`around`) */
  /* Allocate, and reject invalid requests.  May be NULL. */
  bool (*begin)(brio_plan *plan, brio_error *err);
  /* Compute, for at most `budget` expansions. */
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
  brio_footstep *steps;            /* room; poses are placed on the ground at the end */
  brio_spot *spots;                /* room: places of the steps */
  bool by_distance;                /* the duration of swings follows from their distance, and `swing` is
                                   ** ignored */
  brio_search_status status;
  brio_error why;
  brio_plan_effort effort;
  void *own;                       /* the planner's */
  brio_arena arena;
};

/* Append a step.  Errors: unreachable: more than the settings allow. */
bool brio_plan_add(brio_plan *plan, brio_side side, brio_spot spot, brio_error *err);

/* Return the clearance of a body at a place, m. */
double brio_plan_distance(const brio_plan *plan, brio_spot body);

/* Return the place of a foot at its side of a body. */
static inline brio_spot brio_plan_beside(brio_spot body, brio_side side, double hip) {
  return brio_spot_at(body, 0, brio_side_sign(side) * hip, 0);
}

#define X(name) extern const brio_planner brio_planner_##name;
#include "plan/planners.def"
#undef X

#endif
