/* Turn on the spot to face the way, walk straight, turn to the direction of the goal, and set the feet to
** its footholds. This takes more steps than the quick planner, but is easily predicted. */
#include <assert.h>

#include "plan/planner.h"

#define NEAR 0.02               /* m: no way to walk */
#define FACING (2 * BRIO_PI / 180) /* rad: a smaller turn is none */

/* A body on its way, and the foot that swings next. */
typedef struct stroller {
  brio_plan *plan;
  brio_spot body;
  brio_side next;               /* that swings */
  brio_error *err;
} stroller;

/* Set a foot beside the body. */
static bool set_beside(stroller *walker, brio_side side) {
  walker->next = brio_side_other(side);
  return brio_plan_add(walker->plan, side,
                       brio_plan_beside(walker->body, side, walker->plan->settings.hip_width), walker->err);
}

/* Turn on the spot. The foot on the inner side goes first,
** since it turns out; the other one joins it. */
static bool turn_to(stroller *walker, double yaw) {
  const brio_plan_settings *s = &walker->plan->settings;
  double turn = brio_angle_wrap(yaw - walker->body.yaw), most = fmin(s->outward, s->pelvis_yaw);
  /* Equal turns, each within the limits. */
  int count = fabs(turn) <= FACING ? 0 : (int)ceil(fabs(turn) / most - 1e-9);
  brio_side side = turn > 0 ? BRIO_LEFT : BRIO_RIGHT;
  /* The outer foot cannot begin a turn: where it is to swing first, it steps on the spot. */
  bool waits = walker->plan->nstep == 0 && walker->plan->request.first == (int)brio_side_other(side);
  if (count > 0 && waits && !set_beside(walker, brio_side_other(side))) return false;
  for (int i = 0; i < count; i++) {
    walker->body.yaw = brio_angle_wrap(walker->body.yaw + turn / count);
    if (!set_beside(walker, side) || !set_beside(walker, brio_side_other(side))) return false;
  }
  walker->body.yaw = yaw;
  return true;
}

/* Walk straight ahead by `far` m, and bring the feet together. */
static bool walk(stroller *walker, double far) {
  /* Steps of equal length, none longer than step_length. */
  int count = (int)ceil(far / walker->plan->settings.step_length - 1e-9);
  for (int i = 0; i < count; i++) {
    walker->body = brio_spot_at(walker->body, far / count, 0, 0);
    if (!set_beside(walker, walker->next)) return false;
  }
  return set_beside(walker, walker->next);
}

/* Turn, walk and turn, to one place; a way below NEAR is left out. */
static bool go_to(stroller *walker, brio_spot goal) {
  double far = brio_spot_distance(walker->body, goal);
  if (far > NEAR &&
      (!turn_to(walker, atan2(goal.y - walker->body.y, goal.x - walker->body.x)) || !walk(walker, far)))
    return false;
  /* The goal exactly, without the rounding of the steps. */
  walker->body.x = goal.x, walker->body.y = goal.y;
  return turn_to(walker, goal.yaw);
}

/* The place where a foot stands after the steps so far. */
static brio_spot standing(const brio_plan *plan, brio_side side) {
  assert(plan->nstep >= 0 && plan->nstep <= plan->room);
  for (int i = plan->nstep - 1; i >= 0; i--)
    if (plan->steps[i].side == side) return plan->spots[i];
  return plan->start[side];
}

/* All steps are made in one call: most_steps bounds them. */
static brio_search_status work(brio_plan *plan, int budget, brio_error *err) {
  (void)budget;
  stroller walker = {plan, brio_spot_middle(plan->start[0], plan->start[1]), BRIO_LEFT, err};
  if (plan->request.first >= 0) walker.next = (brio_side)plan->request.first;
  plan->effort.expansions++;
  /* By way of the waypoints; then to the footholds of the goal, if it has any. */
  for (int i = 0; i < plan->nwaypoint; i++)
    if (!go_to(&walker, plan->waypoints[i])) return BRIO_SEARCH_FAILED;
  if (!plan->request.goal_feet) return BRIO_SEARCH_FOUND;
  if (!go_to(&walker, plan->goal_body)) return BRIO_SEARCH_FAILED;
  /* A foot that stands at its place already makes no step. */
  for (int k = 0; k < 2; k++) {
    brio_side side = k == 0 ? walker.next : brio_side_other(walker.next);
    if (!brio_spot_same(standing(plan, side), plan->goal[side]) &&
        !brio_plan_add(plan, side, plan->goal[side], err))
      return BRIO_SEARCH_FAILED;
  }
  return BRIO_SEARCH_FOUND;
}

const brio_planner brio_planner_turn_walk_turn = {
    .name = "turn_walk_turn",
    .doc = "Turns to face the way, walks straight, turns as the goal faces.",
    .work = work,
};
