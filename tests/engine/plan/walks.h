/* Requests of footstep plans, and what every plan keeps: it ends at the goal, and its steps are sound. */
#ifndef BRIO_TESTS_PLAN_WALKS_H
#define BRIO_TESTS_PLAN_WALKS_H

#include "base/random.h"
#include "plan/plan.h"
#include "plan/planner.h"
#include "tests/check.h"

static inline brio_pose at(double x, double y, double yaw) {
  return (brio_pose){{x, y, 0}, {0, 0, sin(yaw / 2), cos(yaw / 2)}};
}

/* Feet beside a body. */
static inline void feet(brio_pose out[2], double x, double y, double yaw) {
  for (int side = 0; side < 2; side++) {
    brio_spot spot = brio_plan_beside((brio_spot){x, y, yaw}, (brio_side)side, 0.12);
    out[side] = at(spot.x, spot.y, spot.yaw);
  }
}

static inline brio_plan_request request_of(const char *planner, double x, double y, double yaw) {
  brio_plan_request request = {
      .planner = planner, .goal_feet = true, .first = -1, .settings = brio_plan_settings_default()};
  feet(request.start, 0, 0, 0);
  feet(request.goal, x, y, yaw);
  return request;
}

/* Work on a plan in slices until it ends. */
static inline brio_plan *planned(const brio_plan_request *request, int slice, brio_search_status *status,
                                 brio_error *err) {
  brio_plan *plan = brio_plan_new(request, err);
  CHECK(plan != NULL, "%s", err->message);
  while (plan && (*status = brio_plan_work(plan, slice, err)) == BRIO_SEARCH_GOES_ON) {}
  return plan;
}

/* The same; a plan must be found. */
static inline brio_plan *found(const brio_plan_request *request) {
  brio_error err = {0};
  brio_search_status status = BRIO_SEARCH_FAILED;
  brio_plan *plan = planned(request, 1000, &status, &err);
  CHECK(status == BRIO_SEARCH_FOUND, "%s: %s", request->planner, err.message);
  return plan;
}

/* --- what every plan keeps --- */

static inline void ends_at_goal(const brio_plan *plan, const brio_plan_request *request) {
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  brio_spot stand[2] = {brio_spot_of(request->start[0]), brio_spot_of(request->start[1])};
  for (int i = 0; i < count; i++) stand[steps[i].side] = brio_spot_of(steps[i].pose);
  for (int side = 0; side < 2; side++)
    CHECK(brio_spot_same(stand[side], brio_spot_of(request->goal[side])), "%s: the %s foot is %.3f m off",
          request->planner, brio_side_name((brio_side)side),
          brio_spot_distance(stand[side], brio_spot_of(request->goal[side])));
}

/* No foot comes too near to the other one, goes too far from it, or turns too far. */
static inline void steps_are_sound(const brio_plan *plan, const brio_plan_request *request, double longest) {
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  const brio_plan_settings *s = &request->settings;
  brio_spot stand[2] = {brio_spot_of(request->start[0]), brio_spot_of(request->start[1])};
  for (int i = 0; i < count; i++) {
    brio_side side = steps[i].side;
    brio_spot spot = brio_spot_of(steps[i].pose), seen = brio_spot_seen(stand[brio_side_other(side)], spot);
    double out = brio_side_sign(side) * seen.y, turn = brio_side_sign(side) * seen.yaw;
    CHECK(out > 0.1, "%s: step %d crosses: %.3f m", request->planner, i, out);
    CHECK(hypot(seen.x, out - 2 * s->hip_width) <= longest, "%s: step %d is long: %.3f", request->planner,
          i, seen.x);
    CHECK(turn <= s->outward + 1e-6 && turn >= -fmax(s->inward, s->pelvis_yaw) - 1e-6,
          "%s: step %d turns %.3f", request->planner, i, turn);
    CHECK(steps[i].swing >= s->near_swing && steps[i].swing <= s->far_swing &&
          steps[i].transfer == s->transfer, "times of %d", i);
    stand[side] = spot;
  }
}

#endif
