/* Footstep planners from outside: their guarantees about steps, ground, detours and slices; the search
** compared with all paths. */
#include "walks.h"

static void procedural_planners_get_anywhere(void) {
  static const char *const names[] = {"quick", "turn_walk_turn"};
  brio_random random = brio_random_stream(3, "goals");
  for (int i = 0; i < 400; i++) {
    double x = brio_random_uniform(&random, -4, 4), y = brio_random_uniform(&random, -4, 4);
    double yaw = brio_random_uniform(&random, -BRIO_PI, BRIO_PI);
    for (int k = 0; k < 2; k++) {
      brio_plan_request request = request_of(names[k], i % 4 ? x : x / 10, i % 4 ? y : y / 10, yaw);
      brio_plan *plan = found(&request);
      ends_at_goal(plan, &request);
      steps_are_sound(plan, &request, 0.45);
      brio_plan_free(plan);
    }
  }
}

/* 1.29 m ahead, steps of 0.33 m: five swings.  With feet 7 mm ahead: the 7.58 s of the thesis' example. */
static void quick_plan_takes_the_time_of_the_example(void) {
  brio_plan_request request = request_of("quick", 1.292, -0.013, atan2(0.011, 0.9825));
  request.settings.step_length = 0.33;
  for (int side = 0; side < 2; side++) request.start[side].p.x = 0.007;
  brio_plan *plan = found(&request);
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  double sum = 0;
  for (int i = 0; i < count; i++) sum += steps[i].transfer + steps[i].swing;
  CHECK(count == 5, "%d steps", count);
  CHECK_NEAR(sum + 0.01, 7.58, 0.02, "nominal time");
  brio_plan_free(plan);
}

static void swings_take_longer_the_farther_they_go(void) {
  brio_plan_settings s = brio_plan_settings_default();
  brio_spot here = {0, 0, 0};
  CHECK_NEAR(brio_swing_time(&s, here, (brio_spot){0.3, 0, 0}), 0.8, 1e-12, "near");
  CHECK_NEAR(brio_swing_time(&s, here, (brio_spot){0.5, 0, 0}), 1.0, 1e-12, "between");
  CHECK_NEAR(brio_swing_time(&s, here, (brio_spot){2, 0, 0}), 1.2, 1e-12, "far");
  CHECK_NEAR(brio_swing_time(&s, here, (brio_spot){0.4, 0, BRIO_PI / 4}), 1.0, 1e-12, "a turn counts");
  s.near_distance = s.far_distance = 0.5;
  CHECK_NEAR(brio_swing_time(&s, here, (brio_spot){0.6, 0, 0}), 1.2, 1e-12, "a step without slope");
}

static void quick_walks_back_to_what_is_near_and_turns_to_what_is_far(void) {
  brio_plan_request request = request_of("quick", -0.23, 0, 0);
  brio_plan *plan = found(&request);
  int count;
  brio_plan_steps(plan, &count);
  CHECK(count == 2, "two steps back, not %d", count);
  brio_plan_free(plan);
  request = request_of("quick", -3, 0, BRIO_PI);
  plan = found(&request);
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(brio_spot_of(steps[i].pose).yaw));
  CHECK(most > 3, "it turns around: %.2f", most);
  brio_plan_free(plan);
}

static void waypoints_are_walked_over(void) {
  brio_spot points[2] = {{1, 1, BRIO_PI / 2}, {2, 1, 0}};
  brio_plan_request request = request_of("quick", 3, 0, 0);
  request.waypoints = points, request.nwaypoint = 2;
  brio_plan *plan = found(&request);
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  for (int k = 0; k < 2; k++) {
    double nearest = INFINITY;
    for (int i = 0; i < count; i++)
      nearest = fmin(nearest, brio_spot_distance(brio_spot_of(steps[i].pose), points[k]));
    CHECK(nearest < 0.3, "waypoint %d: %.2f m", k, nearest);
  }
  ends_at_goal(plan, &request);
  brio_plan_free(plan);
  request.goal_feet = false; /* no squaring up */
  plan = found(&request);
  int fewer;
  steps = brio_plan_steps(plan, &fewer);
  CHECK(fewer < count && brio_spot_distance(brio_spot_of(steps[fewer - 1].pose), points[1]) < 0.35,
        "%d of %d", fewer, count);
  brio_plan_free(plan);
}

/* --- a way around --- */

static brio_obstacle wall_at(double x, double y, double width) {
  return (brio_obstacle){
      "wall", {.kind = BRIO_SHAPE_BOX, .size = {0.1, width, 2}}, {{x, y, 1}, {0, 0, 0, 1}}};
}

static void ways_lead_around_at_a_distance(void) {
  brio_random random = brio_random_stream(5, "ways");
  for (int i = 0; i < 20; i++) {
    brio_obstacle list[3] = {wall_at(2, brio_random_uniform(&random, -0.6, 0.6), 2), wall_at(3, 1.5, 1),
                             wall_at(3, -1.5, 1)};
    brio_plan_request request = request_of("quick", 4, 0, 0);
    request.around = true, request.obstacles = list, request.nobstacle = 3, request.seed = (uint64_t)i;
    brio_plan *plan = found(&request), *again = found(&request);
    int count, same;
    const double(*way)[2] = brio_plan_way(plan, &count), (*other)[2] = brio_plan_way(again, &same);
    CHECK(count >= 3 && count == same && memcmp(way, other, (size_t)count * sizeof *way) == 0,
          "%d and %d points", count, same);
    double length = 0;
    for (int k = 1; k < count; k++) {
      double step = hypot(way[k][0] - way[k - 1][0], way[k][1] - way[k - 1][1]);
      length += step;
      for (int m = 0; m <= 100; m++) {
        double x = way[k - 1][0] + m * (way[k][0] - way[k - 1][0]) / 100,
               y = way[k - 1][1] + m * (way[k][1] - way[k - 1][1]) / 100;
        double dx = fmax(0, fabs(x - list[0].pose.p.x) - 0.05), dy = fmax(0, fabs(y - list[0].pose.p.y) - 1);
        CHECK(hypot(dx, dy) > 0.5 - 1e-3, "%.3f m from the wall at (%.2f, %.2f)", hypot(dx, dy), x, y);
      }
    }
    CHECK(length < 8, "%.2f m long", length);
    ends_at_goal(plan, &request);
    brio_plan_free(plan);
    brio_plan_free(again);
  }
}

static void a_place_near_something_can_be_left_and_reached(void) {
  brio_obstacle list[1] = {wall_at(0.3, 0, 4)};
  brio_plan_request request = request_of("quick", 0, 1.2, 0);
  request.around = true, request.obstacles = list, request.nobstacle = 1;
  brio_plan_free(found(&request));
  list[0].pose.p.x = 0;
  brio_error err = {0};
  brio_search_status status;
  brio_plan *plan = planned(&request, 100, &status, &err);
  CHECK(status == BRIO_SEARCH_FAILED && err.code == BRIO_UNREACHABLE, "inside");
  CHECK_HAS(err.message, "the start, (0.00, 0.00), is inside 'wall'");
  brio_plan_free(plan);
  brio_obstacle box[4] = {wall_at(1, 0, 2.2), wall_at(3, 0, 2.2), wall_at(2, 1, 0.1), wall_at(2, -1, 0.1)};
  box[2].shape.size.x = box[3].shape.size.x = 2.2;
  request = request_of("quick", 2, 0, 0);
  request.around = true, request.obstacles = box, request.nobstacle = 4;
  plan = planned(&request, 100, &status, &err);
  CHECK(status == BRIO_SEARCH_FAILED, "there is no door");
  CHECK_HAS(err.message, "no path around the obstacles was found");
  brio_plan_free(plan);
}

static void what_is_low_or_high_is_no_obstacle(void) {
  brio_obstacle list[3] = {wall_at(0, 0, 4), wall_at(0, 0, 4),
                           {"floor", {.kind = BRIO_SHAPE_HALF_SPACE}, BRIO_POSE_IDENTITY}};
  list[0].pose.p.z = -0.9, list[1].pose.p.z = 3;
  brio_plan_request request = request_of("quick", 1, 0, 0);
  request.around = true, request.obstacles = list, request.nobstacle = 3;
  brio_plan *plan = found(&request);
  int count;
  brio_plan_way(plan, &count);
  CHECK(count == 2, "straight on, not %d points", count);
  brio_plan_free(plan);
}

/* --- the search --- */

/* All footholds on a small ground, and the best path over them by relaxing every step repeatedly. */
enum { MOST = 8000 };
typedef struct everything {
  int count;
  brio_spot spots[MOST];
  int sides[MOST];
  double z[MOST], area[MOST], cost[MOST];
} everything;

static void add(everything *all, const brio_plan_request *request, int side, brio_spot spot) {
  brio_foothold hold;
  const char *why;
  if (!brio_ground_foothold(request->ground, &request->settings, spot, &hold, &why)) return;
  all->spots[all->count] = spot, all->sides[all->count] = side;
  all->z[all->count] = (double)(float)hold.pose.p.z, all->area[all->count] = (double)(float)hold.area;
  all->cost[all->count++] = INFINITY;
}

/* Nodes 0 and 1: the start; 2 and 3: the goal; then all cells but those the goal is in. */
static void list_all(everything *all, const brio_plan_request *request) {
  const brio_plan_settings *s = &request->settings;
  all->count = 0;
  for (int side = 0; side < 2; side++) add(all, request, side, brio_spot_of(request->start[side]));
  for (int side = 0; side < 2; side++) add(all, request, side, brio_spot_of(request->goal[side]));
  all->cost[0] = all->cost[1] = 0;
  for (int side = 0; side < 2; side++)
    for (int i = -20; i <= 20; i++)
      for (int j = -20; j <= 20; j++)
        for (int h = 0; h < s->headings; h++) {
          brio_spot spot = {i * s->cell, j * s->cell, brio_angle_wrap(h * 2 * BRIO_PI / s->headings)};
          brio_spot goal = brio_spot_of(request->goal[side]);
          bool own = lround(goal.x / s->cell) == i && lround(goal.y / s->cell) == j &&
                     (lround(goal.yaw * s->headings / (2 * BRIO_PI)) - h) % (int)s->headings == 0;
          if (!own) add(all, request, side, spot);
        }
}

static double best_by_all(everything *all, const brio_plan_request *request) {
  double best = INFINITY,
         goal_yaw = brio_spot_middle(brio_spot_of(request->goal[0]), brio_spot_of(request->goal[1])).yaw;
  list_all(all, request);
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < all->count; a++)
      for (int b = 2; b < all->count && isfinite(all->cost[a]); b++) {
        double cost, dx = all->spots[b].x - all->spots[a].x, dy = all->spots[b].y - all->spots[a].y;
        if (all->sides[a] == all->sides[b] || dx * dx + dy * dy > 0.4) continue;
        if (!brio_lattice_step(&request->settings, (brio_side)all->sides[a], all->spots[a], all->z[a],
                               all->spots[b], all->z[b], all->area[b], &cost))
          continue;
        if (request->face_goal)
          cost += request->settings.cost_heading * fabs(brio_angle_wrap(all->spots[b].yaw - goal_yaw));
        if ((a == 2 || a == 3) && (b == 2 || b == 3)) best = fmin(best, all->cost[a] + cost);
        else if (all->cost[a] + cost < all->cost[b] - 1e-12)
          all->cost[b] = all->cost[a] + cost, changed = true;
      }
  }
  return best;
}

static void add_floor(brio_ground *ground, double x0, double x1, double y0, double y1, double z0, double z1) {
  brio_vec3 corners[4] = {{x0, y0, z0}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z0}};
  brio_error err = {0};
  CHECK(brio_ground_add_region(ground, corners, 4, &err), "%s", err.message);
}

static void search_finds_the_best_way_there_is(void) {
  static everything all;
  brio_random random = brio_random_stream(7, "lattice");
  int rounds = (int)(6 * check_scale()), ways = 0;
  for (int i = 0; i < rounds; i++) {
    brio_error err = {0};
    brio_ground *ground = brio_ground_new(0, &err);
    double gap = brio_random_uniform(&random, 0, 0.2), up = brio_random_uniform(&random, -0.1, 0.1);
    add_floor(ground, -0.3, 0.45, -0.45, 0.45, 0, 0);
    add_floor(ground, 0.45 + gap, 1.3, -0.45, 0.45, up, up + 0.05);
    brio_plan_request request = request_of("a_star", brio_random_uniform(&random, 0.75, 1),
                                           brio_random_uniform(&random, -0.2, 0.2),
                                           brio_random_uniform(&random, -0.6, 0.6));
    request.ground = ground, request.face_goal = i % 2;
    request.settings.cell = 0.1, request.settings.headings = 8, request.settings.least_area = 0.75;
    request.settings.outward = 0.8, request.settings.inward = 0.3, request.settings.greed = 1;
    request.settings.cost_turn = i % 3 ? 0.13 : 0.02; /* below and above hip_width */
    double best = best_by_all(&all, &request);
    brio_search_status status;
    brio_plan *plan = planned(&request, 1 + i, &status, &err);
    brio_plan_effort effort = brio_plan_effort_of(plan);
    if (isfinite(best)) CHECK_NEAR(effort.cost, best, 1e-6, "round %d: %s", i, err.message);
    else CHECK(status == BRIO_SEARCH_FAILED, "round %d: a way where there is none", i);
    ways += isfinite(best);
    brio_plan_free(plan);
    request.settings.greed = 1.5;
    plan = planned(&request, 100, &status, &err);
    if (isfinite(best)) CHECK(brio_plan_effort_of(plan).cost <= 1.5 * best + 1e-6, "round %d: greedy", i);
    brio_plan_free(plan);
    brio_ground_free(ground);
  }
  CHECK(ways >= rounds / 2, "%d of %d had a way", ways, rounds);
}

static void search_climbs_stairs_and_leaves_out_gaps(void) {
  brio_error err = {0};
  brio_ground *ground = brio_ground_new(0, &err);
  add_floor(ground, -0.5, 0.5, -1, 1, 0, 0);
  for (int i = 1; i <= 3; i++)
    add_floor(ground, 0.5 + 0.3 * (i - 1), 0.5 + 0.3 * i, -1, 1, 0.15 * i, 0.15 * i);
  add_floor(ground, 1.4, 3, -1, 1, 0.45, 0.45);
  brio_plan_request request = request_of("a_star", 2, 0, 0);
  request.ground = ground;
  brio_plan *plan = found(&request);
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  double last[2] = {0, 0};
  for (int i = 0; i < count; i++) {
    double x = steps[i].pose.p.x, z = steps[i].pose.p.z,
           level = x < 0.5 ? 0 : fmin(0.45, 0.15 * (floor((x - 0.5) / 0.3) + 1));
    CHECK_NEAR(z, level, 1e-9, "step %d at %.2f", i, x);
    CHECK(fabs(z - last[brio_side_other(steps[i].side)]) <= request.settings.step_up + 1e-9,
          "step %d is high", i);
    last[steps[i].side] = z;
  }
  CHECK_NEAR(last[0], 0.45, 1e-9, "above");
  brio_plan_free(plan);
  request.settings.step_up = 0.1, request.settings.cell = 0.1, request.settings.headings = 12;
  brio_search_status status;
  plan = planned(&request, 50, &status, &err);
  CHECK(status == BRIO_SEARCH_FAILED && err.code == BRIO_UNREACHABLE, "too high");
  CHECK_HAS(err.message, "there is no way");
  brio_plan_free(plan);
  brio_ground_free(ground);
}

static void search_walks_over_a_map_of_heights(void) {
  enum { NX = 150, NY = 100 };
  static double z[NX * NY];
  brio_error err = {0};
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      double x = -0.5 + 0.02 * i, y = -1 + 0.02 * j;
      /* up a step, then down a slope; a block on it */
      z[j * NX + i] = x < 0.5 ? 0 : x < 1.2 ? 0.12 : 0.12 - 0.1 * (x - 1.2);
      if (x > 0.6 && x < 0.9 && fabs(y) < 0.35) z[j * NX + i] = 0.5;
    }
  brio_ground *ground = brio_ground_new(0, &err);
  CHECK(brio_ground_set_heights(ground, &(brio_height_map){-0.5, -1, 0.02, NX, NY, z}, &err), "%s",
        err.message);
  brio_plan_request request = request_of("a_star", 2, 0, 0);
  request.ground = ground;
  brio_plan *plan = found(&request);
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  for (int i = 0; i < count; i++) {
    brio_vec3 p = steps[i].pose.p;
    CHECK(!(p.x > 0.5 && p.x < 1.0 && fabs(p.y) < 0.36), "step %d is on the block", i);
    CHECK_NEAR(p.z, p.x < 0.5 ? 0 : p.x < 1.2 ? 0.12 : 0.12 - 0.1 * (p.x - 1.2), 0.012, "step %d at %.2f", i,
               p.x);
  }
  ends_at_goal(plan, &request);
  brio_plan_free(plan);
  brio_ground_free(ground);
}

/* Random requests, sensible and not: each ends with steps or an error message. */
static void whatever_is_asked_ends(void) {
  static const char *const names[] = {"quick", "turn_walk_turn", "a_star"};
  brio_random random = brio_random_stream(13, "anything");
  int rounds = (int)(300 * check_scale()), nrow, good = 0;
  const brio_plan_setting *rows = brio_plan_settings_table(&nrow);
  for (int i = 0; i < rounds; i++) {
    brio_error err = {0};
    brio_ground *ground = brio_ground_new(0, &err);
    for (int k = 0; k < 6 && i % 3; k++) {
      brio_vec3 corners[8];
      int count = 3 + (int)brio_random_below(&random, 6);
      for (int c = 0; c < count; c++)
        corners[c] = (brio_vec3){brio_random_uniform(&random, -2, 2), brio_random_uniform(&random, -2, 2),
                                 0.1 * (k % 3)};
      if (!brio_ground_add_region(ground, corners, count, &err)) CHECK(err.message[0], "a reason");
    }
    brio_obstacle list[2] = {wall_at(brio_random_uniform(&random, -2, 2), 0.5, 0.4),
                             wall_at(0, brio_random_uniform(&random, -3, 3), 1)};
    brio_plan_request request = request_of(names[i % 3], brio_random_uniform(&random, -2, 2),
                                           brio_random_uniform(&random, -2, 2),
                                           brio_random_uniform(&random, -9, 9));
    request.ground = i % 5 ? ground : NULL, request.obstacles = list, request.nobstacle = i % 3,
    request.around = i % 6 == 0;
    request.seed = (uint64_t)i, request.first = i % 4 == 0 ? i / 4 % 2 : -1;
    for (int k = 0; k < 4; k++) {
      const brio_plan_setting *row = &rows[brio_random_below(&random, (uint64_t)nrow)];
      double value = brio_random_uniform(&random, row->lower, fmin(row->upper, 4 * row->fallback + 0.1));
      memcpy((char *)&request.settings + row->offset, &value, sizeof value);
    }
    request.settings.most_nodes = fmin(request.settings.most_nodes, 5000);
    request.settings.most_expansions = fmin(request.settings.most_expansions, 60);
    brio_plan *plan = brio_plan_new(&request, &err);
    brio_search_status status = BRIO_SEARCH_FAILED;
    while (plan && (status = brio_plan_work(plan, 50, &err)) == BRIO_SEARCH_GOES_ON) {}
    CHECK(status == BRIO_SEARCH_FOUND || err.message[0], "round %d has no reason", i);
    good += status == BRIO_SEARCH_FOUND;
    brio_plan_free(plan);
    brio_ground_free(ground);
  }
  CHECK(good > rounds / 20, "%d of %d found", good, rounds);
}

static void search_walks_past_what_is_in_the_way(void) {
  brio_obstacle list[1] = {wall_at(1, 0, 0.8)};
  brio_plan_request request = request_of("a_star", 2, 0, 0);
  request.obstacles = list, request.nobstacle = 1;
  brio_plan *plan = found(&request);
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  for (int i = 0; i < count; i++) {
    brio_spot body = brio_spot_at(brio_spot_of(steps[i].pose), 0, -brio_side_sign(steps[i].side) * 0.12, 0);
    double off = hypot(fmax(0, fabs(body.x - 1) - 0.05), fmax(0, fabs(body.y) - 0.4));
    CHECK(off >= 0.25 - 1e-6, "step %d is %.3f m from the wall", i, off);
  }
  ends_at_goal(plan, &request);
  brio_plan_free(plan);
}

static void search_stops_where_it_is_told(void) {
  brio_error err = {0};
  brio_search_status status;
  brio_plan_request request = request_of("a_star", 3, 0, 3);
  request.settings.most_expansions = 5;
  brio_plan_free(planned(&request, 2, &status, &err));
  CHECK(status == BRIO_SEARCH_FAILED && err.code == BRIO_LIMIT, "%s", err.message);
  CHECK_HAS(err.message, "most_expansions");
  request.settings.most_expansions = 1e6, request.settings.most_nodes = 300;
  brio_plan_free(planned(&request, 2, &status, &err));
  CHECK(status == BRIO_SEARCH_FAILED && err.code == BRIO_LIMIT, "%s", err.message);
  CHECK_HAS(err.message, "most_nodes");
  request = request_of("a_star", 0, 0, 0);
  brio_plan *plan = found(&request);
  int count;
  brio_plan_steps(plan, &count);
  CHECK(count == 0, "it is there already");
  brio_plan_free(plan);
  request = request_of("a_star", 1, 0, 0);
  request.first = BRIO_RIGHT;
  plan = found(&request);
  CHECK(brio_plan_steps(plan, &count)[0].side == BRIO_RIGHT, "the right foot begins");
  brio_plan_free(plan);
}

/* --- ground --- */

static bool stands(const brio_ground *ground, double x, double y, double yaw, const char **why,
                   brio_foothold *hold) {
  brio_plan_settings s = brio_plan_settings_default();
  return brio_ground_foothold(ground, &s, (brio_spot){x, y, yaw}, hold, why);
}

static void soles_stand_on_regions(void) {
  brio_error err = {0};
  brio_foothold hold;
  const char *why = "";
  brio_ground *ground = brio_ground_new(0, &err);
  add_floor(ground, -2, 2, -2, 2, 0, 0);
  add_floor(ground, 0.5, 1, -0.5, 0.5, 0.3, 0.3);
  brio_vec3 wall[4] = {{-1, -1, 0}, {-1, 1, 0}, {-1, 1, 2}, {-1, -1, 2}};
  CHECK(brio_ground_add_region(ground, wall, 4, &err), "%s", err.message);
  CHECK(stands(ground, 0, 0, 0.3, &why, &hold), "%s", why);
  CHECK_NEAR(hold.area, 1, 1e-9, "whole");
  CHECK(stands(ground, 0.75, 0, 0, &why, &hold) && fabs(hold.pose.p.z - 0.3) < 1e-12, "on the box: %s", why);
  CHECK(stands(ground, 0.6, 0, 0, &why, &hold) && hold.area < 0.96, "its edge: %.3f", hold.area);
  CHECK(!stands(ground, 0.5, 0, 0, &why, &hold), "half on the box");
  CHECK_HAS(why, "an edge blocks the path");
  CHECK(!stands(ground, 2, 0, 0, &why, &hold), "half beside");
  CHECK_HAS(why, "too little of the sole");
  CHECK(!stands(ground, 5, 0, 0, &why, &hold), "nowhere");
  CHECK_HAS(why, "no ground");
  double z;
  CHECK(brio_ground_height(ground, 0.75, 0, 1, &z) && z == 0.3, "from above");
  CHECK(brio_ground_height(ground, 0.75, 0, 0.2, &z) && z == 0, "from between");
  CHECK(!brio_ground_height(ground, 9, 0, 1, &z), "nowhere");
  brio_ground_free(ground);
}

static void shares_are_areas(void) {
  brio_error err = {0};
  brio_plan_settings s = brio_plan_settings_default();
  s.least_area = 0.1;
  brio_random random = brio_random_stream(11, "shares");
  for (int i = 0; i < 50; i++) {
    /* a region with a notch, against points thrown at the sole */
    brio_ground *ground = brio_ground_new(0, &err);
    double d = brio_random_uniform(&random, 0.05, 0.3);
    brio_vec3 notched[8] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {d, 1, 0},
                            {d, 0, 0}, {-d, 0, 0}, {-d, 1, 0}, {-1, 1, 0}};
    CHECK(brio_ground_add_region(ground, notched, 8, &err), "%s", err.message);
    brio_spot spot = {brio_random_uniform(&random, -0.5, 0.5), brio_random_uniform(&random, -0.1, 0.1),
                      brio_random_uniform(&random, -3, 3)};
    int in = 0;
    enum { THROWN = 4000 };
    for (int k = 0; k < THROWN; k++) {
      brio_spot p = brio_spot_at(spot, brio_random_uniform(&random, -0.11, 0.11),
                                 brio_random_uniform(&random, -0.05, 0.05), 0);
      in += !(fabs(p.x) < d && p.y > 0);
    }
    brio_foothold hold = {.area = 0};
    const char *why;
    bool good = brio_ground_foothold(ground, &s, spot, &hold, &why);
    CHECK_NEAR(good ? hold.area : 0.05, (double)in / THROWN, good ? 0.04 : 0.1, "round %d", i);
    brio_ground_free(ground);
  }
}

static void soles_stand_on_slopes_and_tiles(void) {
  brio_error err = {0};
  brio_foothold hold;
  const char *why = "";
  brio_ground *ground = brio_ground_new(0, &err);
  add_floor(ground, 0, 1, -1, 1, 0, 0.3);
  add_floor(ground, 1, 2, -1, 1, 0.3, 0.3);
  add_floor(ground, 2, 3, -1, 1, 0.3, 0.3);
  add_floor(ground, 3, 4, -1, 1, 0.3, 1.3);
  CHECK(stands(ground, 0.5, 0, BRIO_PI / 2, &why, &hold), "%s", why);
  brio_vec3 up = brio_quat_rotate(hold.pose.q, (brio_vec3){0, 0, 1}),
            ahead = brio_quat_rotate(hold.pose.q, (brio_vec3){1, 0, 0});
  CHECK_NEAR(up.x, -0.3 / hypot(1, 0.3), 1e-9, "it leans");
  CHECK_NEAR(ahead.x, 0, 1e-9, "it faces where it should");
  CHECK_NEAR(hold.pose.p.z, 0.15, 1e-9, "its height");
  CHECK(stands(ground, 2, 0, 0, &why, &hold) && hold.area > 0.999, "on two tiles: %s", why);
  CHECK(!stands(ground, 3.5, 0, 0, &why, &hold), "steep");
  CHECK_HAS(why, "steep");
  brio_ground_free(ground);
}

static void soles_stand_on_heights(void) {
  brio_error err = {0};
  brio_foothold hold;
  const char *why = "";
  enum { N = 200 };
  static double z[N * N];
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      double x = i * 0.02, y = j * 0.02;
      z[j * N + i] = x < 1   ? 0
                     : x < 2 ? 0.2
                     : x < 3 ? 0.2 + 0.3 * (x - 2)
                             : 0.5 + 0.1 * sin(60 * x) * sin(60 * y);
      if (y > 3.5) z[j * N + i] = NAN;
    }
  brio_ground *ground = brio_ground_new(0, &err);
  brio_height_map map = {0, 0, 0.02, N, N, z};
  CHECK(brio_ground_set_heights(ground, &map, &err), "%s", err.message);
  CHECK(stands(ground, 0.5, 1, 1, &why, &hold) && fabs(hold.pose.p.z) < 1e-9, "%s", why);
  CHECK(!stands(ground, 1, 1, 0, &why, &hold), "over the edge");
  CHECK(stands(ground, 1.15, 1, 0, &why, &hold) && fabs(hold.pose.p.z - 0.2) < 1e-9, "%s", why);
  CHECK(stands(ground, 2.5, 1, 0, &why, &hold), "%s", why);
  CHECK_NEAR(hold.pose.p.z, 0.35, 5e-3, "on the slope");
  CHECK(!stands(ground, 3.5, 1, 0, &why, &hold), "rough");
  CHECK_HAS(why, "rough");
  CHECK(!stands(ground, 0.5, 3.6, 0, &why, &hold), "unknown");
  CHECK_HAS(why, "not known");
  brio_ground_free(ground);
}

/* --- wrong use --- */

static void requests_are_checked(void) {
  brio_error err = {0};
  brio_plan_request request = request_of("quik", 1, 0, 0);
  CHECK(!brio_plan_new(&request, &err), "a planner");
  CHECK_HAS(err.message, "no planner 'quik' (did you mean 'quick'?): expected one of quick, turn_walk_turn");
  request = request_of("quick", NAN, 0, 0);
  CHECK(!brio_plan_new(&request, &err) && err.code == BRIO_MISUSE, "a place");
  request = request_of("quick", 1, 0, 0);
  request.settings.step_length = 0;
  CHECK(!brio_plan_new(&request, &err), "a setting");
  CHECK_HAS(err.message, "step_length must be from 0.02 to 1 m, not 0");
  request = request_of("quick", 50, 0, 0);
  brio_search_status status;
  brio_plan_free(planned(&request, 1, &status, &err));
  CHECK(status == BRIO_SEARCH_FAILED, "too far");
  CHECK_HAS(err.message, "more than 100 steps");
  brio_ground *ground = brio_ground_new(0, &err);
  brio_vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
            bent[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 1}, {0, 1, 0}};
  CHECK(!brio_ground_add_region(ground, line, 3, &err), "a line");
  CHECK(!brio_ground_add_region(ground, bent, 4, &err), "no plane");
  CHECK_HAS(err.message, "off its plane");
  CHECK(!brio_ground_add_region(ground, bent, 100000, &err), "corners");
  double z = INFINITY;
  CHECK(!brio_ground_set_heights(ground, &(brio_height_map){0, 0, 0.1, 1, 1, &z}, &err), "no height");
  CHECK(!brio_ground_set_heights(ground, &(brio_height_map){0, 0, 0.1, 100000, 100000, &z}, &err) &&
        err.code == BRIO_LIMIT, "cells");
  brio_ground_free(ground);
}

CHECK_SUITE(CHECK_TEST(procedural_planners_get_anywhere),
            CHECK_TEST(quick_plan_takes_the_time_of_the_example),
            CHECK_TEST(swings_take_longer_the_farther_they_go),
            CHECK_TEST(quick_walks_back_to_what_is_near_and_turns_to_what_is_far),
            CHECK_TEST(waypoints_are_walked_over), CHECK_TEST(ways_lead_around_at_a_distance),
            CHECK_TEST(a_place_near_something_can_be_left_and_reached),
            CHECK_TEST(what_is_low_or_high_is_no_obstacle), CHECK_TEST(search_finds_the_best_way_there_is),
            CHECK_TEST(search_climbs_stairs_and_leaves_out_gaps),
            CHECK_TEST(search_walks_over_a_map_of_heights), CHECK_TEST(whatever_is_asked_ends),
            CHECK_TEST(search_walks_past_what_is_in_the_way), CHECK_TEST(search_stops_where_it_is_told),
            CHECK_TEST(soles_stand_on_regions), CHECK_TEST(shares_are_areas),
            CHECK_TEST(soles_stand_on_slopes_and_tiles), CHECK_TEST(soles_stand_on_heights),
            CHECK_TEST(requests_are_checked))
