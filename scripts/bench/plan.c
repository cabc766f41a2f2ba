/* What footsteps cost: plans by rule and searches, whole, and the longest slice of a search. */
#include "bench.h"
#include "plan/plan.h"
#include "plan/planner.h"

enum { PLANS = 30, SLICE = 8, MOST_SLICES = 20000 };

static void feet(brio_pose out[2], brio_spot body) {
  for (int side = 0; side < 2; side++) {
    brio_spot spot = brio_plan_beside(body, (brio_side)side, 0.12);
    out[side] = (brio_pose){{spot.x, spot.y, 0}, {0, 0, sin(spot.yaw / 2), cos(spot.yaw / 2)}};
  }
}

/* Three steps of a stair, with a landing before and behind. */
static brio_ground *stairs(brio_error *err) {
  static const double edges[][3] = {{-0.5, 0.5, 0}, {0.5, 0.8, 0.15}, {0.8, 1.1, 0.3}, {1.1, 1.4, 0.45}, {1.4, 3.5, 0.45}};
  brio_ground *ground = brio_ground_new(0, err);
  for (int i = 0; i < 5 && ground; i++) {
    double a = edges[i][0], b = edges[i][1], z = edges[i][2];
    brio_vec3 corners[4] = {{a, -1, z}, {b, -1, z}, {b, 1, z}, {a, 1, z}};
    if (!brio_ground_add_region(ground, corners, 4, err)) return NULL;
  }
  return ground;
}

/* Plan to places 2 to 3 m away; print what whole plans cost, and what slices of them do. */
static bool measure(const char *row, brio_plan_request request, const char *slices) {
  static double times[PLANS], pieces[MOST_SLICES];
  double steps = 0;
  int npiece = 0;
  for (int i = 0; i < PLANS; i++) {
    brio_error err = {0};
    brio_search_status status = BRIO_SEARCH_GOES_ON;
    feet(request.start, (brio_spot){0, 0, 0});
    feet(request.goal, (brio_spot){2.5 + 0.5 * bench_uniform("x", i), 0.3 * bench_uniform("y", i), 0.5 * bench_uniform("yaw", i)});
    double start = bench_clock(), before = start;
    brio_plan *plan = brio_plan_new(&request, &err);
    while (plan && status == BRIO_SEARCH_GOES_ON) {
      status = brio_plan_work(plan, SLICE, &err);
      double now = bench_clock();
      if (npiece < MOST_SLICES) pieces[npiece++] = now - before;
      before = now;
    }
    times[i] = bench_clock() - start;
    int count = 0;
    if (plan) brio_plan_steps(plan, &count);
    steps += count;
    brio_plan_free(plan);
    if (status != BRIO_SEARCH_FOUND) {
      fprintf(stderr, "plan: %s: %s\n", row, err.message);
      return false;
    }
  }
  bench_print(row, times, PLANS, steps, 0);
  if (slices) bench_print(slices, pieces, npiece, steps, 0);
  return true;
}

int main(void) {
  brio_error err = {0};
  brio_obstacle pillar = {"pillar", {.kind = BRIO_SHAPE_CYLINDER, .size = {0.3, 0, 2}}, {{1.2, 0.1, 1}, {0, 0, 0, 1}}};
  brio_plan_request request = {.planner = "quick", .goal_feet = true, .first = -1, .face_goal = true,
                               .settings = brio_plan_settings_default()};
  bool good = measure("quick", request, NULL);
  request.around = true, request.obstacles = &pillar, request.nobstacle = 1;
  good = good && measure("around", request, NULL);
  request.around = false, request.nobstacle = 0, request.planner = "a_star";
  good = good && measure("search", request, NULL);
  brio_ground *ground = stairs(&err);
  request.ground = ground;
  good = good && ground && measure("stairs", request, "slice");
  brio_ground_free(ground);
  return good ? 0 : 1;
}
