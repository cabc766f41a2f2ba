/* Steps by rule, on level ground: found at once, few, and nearly always possible.
**
** Each foot has a place beside the one that stands. From the body between the two the next body follows: a
** step's length nearer to the goal, turned towards the way or, near the goal, to the goal's direction, by
** no more than the body turns with a step. A foot goes from its place towards its place under that body,
** within its limits of length, direction and turn. The foot with the longer way goes first, until the
** goal's own footholds are within reach.
**
** The parameters, and this choice of the foot, follow the quick planner of the IHMC behavior system
** (Calvert, 2026). One thing differs: towards a goal far behind the robot turns, and it walks backwards
** only to a near one. */
#include "plan/planner.h"

#define NEAR_WAYPOINT 0.15                /* m */
#define FACES_WAYPOINT (20 * BRIO_PI / 180) /* rad */
#define STUCK 0.03                        /* m: what a foot goes inward that cannot go where it should */
#define ANY_WAY 0.05 /* m that a foot may go in any direction: it still stands beside the other */

/* A foot that might be set. */
typedef struct candidate {
  brio_spot spot;
  double way;          /* m, from where it stands, with its turn: 0.1 m for 45 degrees */
  bool reaches;        /* the goal's own foothold is within its reach */
  bool arrived;        /* the body over the other foot is at the waypoint */
} candidate;

/* Return `value`, or the limit that it is beyond. */
static double clamp(double value, double lower, double upper) { return fmin(upper, fmax(lower, value)); }

/* Turn from one yaw towards another, by `most` at most. */
static double turn_towards(double from, double to, double most) {
  return brio_angle_wrap(from + clamp(brio_angle_wrap(to - from), -most, most));
}

/* Limit a foot's turn as the other foot sees it; `more` widens the limits. */
static double limit_turn(const brio_plan_settings *s, brio_side side, double yaw, double more) {
  double out = s->outward + more, in = s->inward + more;
  return side == BRIO_LEFT ? clamp(yaw, -in, out) : clamp(yaw, -out, in);
}

/* Whether a foot may step in a direction from its place: not across the other foot. */
static bool may_go(const brio_plan_settings *s, brio_side side, double x, double y) {
  double around = atan2(fabs(x), brio_side_sign(side) * y);
  return around <= s->step_angle || hypot(x, y) <= ANY_WAY;
}

/* The place of the body after the step. */
static brio_spot next_body(const brio_plan_settings *s, brio_spot body, brio_spot goal) {
  double far = brio_spot_distance(body, goal), way = atan2(goal.y - body.y, goal.x - body.x);
  double share = far > s->step_length ? s->step_length / far : 1, face = goal.yaw;
  /* Far from the goal the body faces the way, or away from it if it walks backwards. */
  if (far >= 2 * s->step_length) {
    bool behind = fabs(brio_angle_wrap(way - body.yaw)) > BRIO_PI / 2;
    face = behind && far <= s->backward ? way + BRIO_PI : way;
  }
  return (brio_spot){body.x + share * (goal.x - body.x), body.y + share * (goal.y - body.y),
                     turn_towards(body.yaw, face, s->pelvis_yaw)};
}

/* Whether a foothold of the goal is within one step. Limits are widened to the distance and turn of the
** goal's own footholds. */
static bool reaches(const brio_plan *plan, brio_side side, brio_spot hip) {
  const brio_plan_settings *s = &plan->settings;
  brio_spot asked = brio_spot_seen(brio_plan_beside(plan->goal_body, side, s->hip_width), plan->goal[side]);
  brio_spot needed = brio_spot_seen(hip, plan->goal[side]);
  double longest = fmax(s->step_length, hypot(asked.x, asked.y) + 0.01);
  double yaw = limit_turn(s, side, needed.yaw, fabs(asked.yaw));
  return hypot(needed.x, needed.y) <= longest && fabs(yaw - needed.yaw) < 1e-9 &&
         may_go(s, side, needed.x, needed.y);
}

/* Work out a foot's step towards a target of the body. */
static candidate look(const brio_plan *plan, const brio_spot feet[2], brio_side side, brio_spot target) {
  const brio_plan_settings *s = &plan->settings;
  double sign = brio_side_sign(side);
  brio_spot standing = feet[brio_side_other(side)];
  /* The foot's place beside the one that stands, and the body between the two. */
  brio_spot hip = brio_spot_at(standing, 0, 2 * sign * s->hip_width, 0);
  brio_spot body = brio_spot_at(standing, 0, sign * s->hip_width, 0);
  /* The foot's place under the next body, as seen from its place now. */
  brio_spot wanted = brio_spot_seen(hip, brio_plan_beside(next_body(s, body, target), side, s->hip_width));
  double length = fmin(s->step_length, hypot(wanted.x, wanted.y)), around = atan2(wanted.y, wanted.x);
  candidate found = {.reaches = reaches(plan, side, hip)};
  /* A foot that cannot go there goes inward a little, so that the other one is freed. */
  if (!may_go(s, side, wanted.x, wanted.y)) length = STUCK, around = -sign * BRIO_PI / 2;
  found.spot = brio_spot_at(hip, length * cos(around), length * sin(around),
                            limit_turn(s, side, wanted.yaw, 0));
  found.way = brio_spot_distance(feet[side], found.spot) +
              fabs(brio_angle_wrap(found.spot.yaw - feet[side].yaw)) * 0.1 / (BRIO_PI / 4);
  found.arrived = brio_spot_distance(body, target) < NEAR_WAYPOINT &&
                  fabs(brio_angle_wrap(body.yaw - target.yaw)) < FACES_WAYPOINT;
  return found;
}

/* Add a step, with the foot where it comes to stand. */
static bool set_foot(brio_plan *plan, brio_spot feet[2], brio_side side, brio_spot spot, brio_error *err) {
  feet[side] = spot;
  return brio_plan_add(plan, side, spot, err);
}

/* The foot that goes: the requested one at the beginning, else the one with the longer way. */
static brio_side choose(const brio_plan *plan, const candidate found[2]) {
  if (plan->nstep == 0 && plan->request.first >= 0) return (brio_side)plan->request.first;
  return found[BRIO_RIGHT].way > found[BRIO_LEFT].way ? BRIO_RIGHT : BRIO_LEFT;
}

/* Ends at the latest when the plan is full. */
static bool walk_to_waypoint(brio_plan *plan, brio_spot feet[2], brio_spot waypoint, brio_error *err) {
  for (;;) {
    candidate found[2] = {look(plan, feet, BRIO_LEFT, waypoint), look(plan, feet, BRIO_RIGHT, waypoint)};
    if (found[BRIO_LEFT].arrived || found[BRIO_RIGHT].arrived) return true;
    brio_side side = choose(plan, found);
    if (!set_foot(plan, feet, side, found[side].spot, err)) return false;
  }
}

/* Find a foot that can be set to its foothold of the goal; false if there is none. */
static bool may_arrive(const brio_plan *plan, const brio_spot feet[2], const candidate found[2],
                       brio_side *side) {
  bool there[2] = {brio_spot_same(feet[BRIO_LEFT], plan->goal[BRIO_LEFT]),
                   brio_spot_same(feet[BRIO_RIGHT], plan->goal[BRIO_RIGHT])};
  bool named = plan->nstep == 0 && plan->request.first >= 0;
  int first = named ? plan->request.first : 0;
  /* The second foot may always follow the first one. */
  for (int k = 0; k < 2; k++) {
    *side = (brio_side)((first + k) % 2);
    if (!there[*side] && (there[brio_side_other(*side)] || found[*side].reaches)) return true;
    /* The other one waits for the foot that is to swing first, unless that stands at its place. */
    if (named && !there[*side]) return false;
  }
  return false;
}

/* Ends at the latest when the plan is full. */
static bool walk_to_goal(brio_plan *plan, brio_spot feet[2], brio_error *err) {
  while (!brio_spot_same(feet[BRIO_LEFT], plan->goal[BRIO_LEFT]) ||
         !brio_spot_same(feet[BRIO_RIGHT], plan->goal[BRIO_RIGHT])) {
    candidate found[2] = {look(plan, feet, BRIO_LEFT, plan->goal_body),
                          look(plan, feet, BRIO_RIGHT, plan->goal_body)};
    brio_side side;
    bool arrives = may_arrive(plan, feet, found, &side);
    if (!arrives) side = choose(plan, found);
    if (!set_foot(plan, feet, side, arrives ? plan->goal[side] : found[side].spot, err)) return false;
  }
  return true;
}

/* From waypoint to waypoint, then to the goal's own footholds. */
static brio_search_status work(brio_plan *plan, int budget, brio_error *err) {
  (void)budget;
  /* All steps are made in one call: their number is bounded by the settings. */
  brio_spot feet[2] = {plan->start[0], plan->start[1]};
  plan->by_distance = true;
  plan->effort.expansions++;
  for (int i = 0; i < plan->nwaypoint; i++)
    if (!walk_to_waypoint(plan, feet, plan->waypoints[i], err)) return BRIO_SEARCH_FAILED;
  if (plan->request.goal_feet && !walk_to_goal(plan, feet, err)) return BRIO_SEARCH_FAILED;
  return BRIO_SEARCH_FOUND;
}

const brio_planner brio_planner_quick = {
    .name = "quick",
    .doc = "Steps by rule: few, found at once, along waypoints or around obstacles.",
    .follows_way = true,
    .work = work,
};
