/* What footsteps cost: plans by rule and searches, whole, and the longest slice of a search; and ways on an
** occupancy grid beside a plain search of all of its cells by Dijkstra's method. */
#include "plan/plan.h"
#include "plan/planner.h"
#include "scripts/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS = 30, SLICE = 8, MOST_SLICES = 20000 };

static void feet(brio_pose out[2], brio_spot body) {
  for (int side = 0; side < 2; side++) {
    brio_spot spot = brio_plan_beside(body, (brio_side)side, 0.12);
    out[side] = (brio_pose){{spot.x, spot.y, 0}, {0, 0, sin(spot.yaw / 2), cos(spot.yaw / 2)}};
  }
}

/* Three steps of a stair, with a landing before and behind. */
static brio_ground *stairs(brio_error *err) {
  static const double edges[][3] = {
      {-0.5, 0.5, 0}, {0.5, 0.8, 0.15}, {0.8, 1.1, 0.3}, {1.1, 1.4, 0.45}, {1.4, 3.5, 0.45}};
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
    feet(request.goal, (brio_spot){2.5 + 0.5 * bench_uniform("x", i), 0.3 * bench_uniform("y", i),
                                   0.5 * bench_uniform("yaw", i)});
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

/* --- ways on a grid --- */

enum { SIDE = 240, SCANS = 20 };

/* A flat of 12 x 12 m: walls every 3 m with doorways of 0.9 m, in cells of 5 cm. */
static void draw_flat(uint8_t *states) {
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      bool wall = i % 60 < 2 || j % 60 < 2 || i >= SIDE - 2 || j >= SIDE - 2;
      bool door = i > 2 && j > 2 && i < SIDE - 2 && j < SIDE - 2 &&
                  (i % 60 < 2 ? abs(j % 60 - 40) < 9 : abs(i % 60 - 20) < 9);
      states[j * SIDE + i] = wall && !door ? BRIO_CELL_OCCUPIED : BRIO_CELL_FREE;
    }
}

/* Ways across the flat, whole plans and slices of them. */
static bool measure_grid(const brio_occupancy *grid, brio_plan_request request) {
  static double times[PLANS], pieces[MOST_SLICES];
  int npiece = 0;
  request.around = true, request.grid = grid, request.settings.clearance_radius = 0.3,
  request.settings.most_steps = 400;
  for (int i = 0; i < PLANS; i++) {
    brio_error err = {0};
    brio_search_status status = BRIO_SEARCH_GOES_ON;
    feet(request.start, (brio_spot){-4.5 + 0.3 * bench_uniform("x", i), -4.5, 0});
    feet(request.goal, (brio_spot){4.5, 4.5 + 0.3 * bench_uniform("y", i), 0});
    double start = bench_clock(), before = start;
    brio_plan *plan = brio_plan_new(&request, &err);
    while (plan && status == BRIO_SEARCH_GOES_ON) {
      status = brio_plan_work(plan, SLICE, &err);
      double now = bench_clock();
      if (npiece < MOST_SLICES) pieces[npiece++] = now - before;
      before = now;
    }
    times[i] = bench_clock() - start;
    brio_plan_free(plan);
    if (status != BRIO_SEARCH_FOUND) {
      fprintf(stderr, "plan: grid: %s\n", err.message);
      return false;
    }
  }
  bench_print("grid", times, PLANS, 0, 0);
  bench_print("grid slice", pieces, npiece, 0, 0);
  return true;
}

/* The same map searched as a textbook has it: the cells nearer to a wall than the clearance are found by
** looking at all that are so near, then Dijkstra's method with a binary heap over all cells, without any
** guess. */
static void measure_plain(const uint8_t *states) {
  static float cost[SIDE * SIDE];
  static uint8_t shut[SIDE * SIDE];
  static struct { float cost; int cell; } heap[8 * SIDE * SIDE];
  static double times[PLANS];
  for (int round = 0; round < PLANS; round++) {
    double start = bench_clock();
    memset(shut, 0, sizeof shut);
    for (int k = 0; k < SIDE * SIDE; k++)
      for (int d = 0; states[k] == BRIO_CELL_OCCUPIED && d < 17 * 17; d++) {
        int i = k % SIDE + d % 17 - 8, j = k / SIDE + d / 17 - 8;
        if (i >= 0 && j >= 0 && i < SIDE && j < SIDE && hypot(d % 17 - 8, d / 17 - 8) <= 6.7)
          shut[j * SIDE + i] = 1;
      }
    for (int k = 0; k < SIDE * SIDE; k++) cost[k] = INFINITY;
    int count = 1, goal = 210 * SIDE + 210;
    heap[0].cost = 0, heap[0].cell = 30 * SIDE + 30, cost[heap[0].cell] = 0;
    while (count > 0) {
      float at = heap[0].cost;
      int cell = heap[0].cell, hole = 0;
      float last = heap[--count].cost;
      int last_cell = heap[count].cell;
      for (int child = 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && heap[child + 1].cost < heap[child].cost) child++;
        if (heap[child].cost >= last) break;
        heap[hole] = heap[child], hole = child;
      }
      heap[hole].cost = last, heap[hole].cell = last_cell;
      if (cell == goal) break;
      if (at > cost[cell]) continue;
      for (int d = 0; d < 9; d++) {
        int next = cell + (d / 3 - 1) * SIDE + d % 3 - 1;
        float there = at + (d % 2 ? 0.05f : 0.0707107f);
        if (d == 4 || shut[next] || there >= cost[next]) continue;
        cost[next] = there;
        int place = count++;
        for (; place > 0 && heap[(place - 1) / 2].cost > there; place = (place - 1) / 2)
          heap[place] = heap[(place - 1) / 2];
        heap[place].cost = there, heap[place].cell = next;
      }
    }
    times[round] = bench_clock() - start;
  }
  bench_print("dijkstra", times, PLANS, 0, 0);
}

/* Scans of a depth camera of 80 x 60, 30,000 points and more thinned to what a grid takes: all of the work
** for one. */
static void measure_scans(brio_occupancy *grid) {
  static float points[80 * 60][3];
  static double times[SCANS];
  for (int k = 0; k < 80 * 60; k++) {
    double yaw = (k % 80 - 40) * 0.02, up = (30 - k / 80) * 0.015, far = 2 + 4 * bench_uniform("far", k);
    points[k][0] = (float)(far * cos(yaw)), points[k][1] = (float)(far * sin(yaw)),
    points[k][2] = (float)(far * tan(up));
  }
  for (int i = 0; i < SCANS; i++) {
    double start = bench_clock();
    brio_occupancy_scan(grid, (brio_pose){{0.02 * i, 0, 1.3}, {0, 0, 0, 1}}, (brio_vec3){0, 0, 0},
                        (const float(*)[3])points, 80 * 60);
    while (brio_occupancy_work(grid, 4000) > 0) {}
    times[i] = bench_clock() - start;
  }
  bench_print("scan", times, SCANS, 0, 0);
}

static bool measure_grids(brio_plan_request request) {
  static uint8_t states[SIDE * SIDE];
  brio_error err;
  brio_occupancy *grid = brio_occupancy_new(&(brio_occupancy_options){.size = 12}, &err);
  if (!grid) return false;
  draw_flat(states);
  bool good = brio_occupancy_set_columns(grid, states) && measure_grid(grid, request);
  if (good) measure_plain(states);
  if (good) measure_scans(grid);
  brio_occupancy_free(grid);
  return good;
}

int main(void) {
  brio_error err = {0};
  brio_obstacle pillar = {
      "pillar", {.kind = BRIO_SHAPE_CYLINDER, .size = {0.3, 0, 2}}, {{1.2, 0.1, 1}, {0, 0, 0, 1}}};
  brio_plan_request request = {.planner = "quick", .goal_feet = true, .first = -1, .face_goal = true,
                               .settings = brio_plan_settings_default()};
  bool good = measure("quick", request, NULL) && measure_grids(request);
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
