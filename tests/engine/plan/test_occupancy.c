/* The occupancy grid and its paths, from outside: scans of known rooms, distances compared with all pairs of
** cells, paths compared with a search of every cell; no path crosses an occupied cell. */
#include "base/random.h"
#include "plan/plan.h"
#include "plan/planner.h"
#include "tests/check.h"

static brio_occupancy *grid_of(double size, double cell) {
  brio_error err = {0};
  brio_occupancy *grid = brio_occupancy_new(&(brio_occupancy_options){.size = size, .cell = cell}, &err);
  CHECK(grid != NULL, "%s", err.message);
  return grid;
}

static const brio_vec3 eye_at_origin = {0, 0, 0};

static brio_pose upright(double x, double y, double z) { return (brio_pose){{x, y, z}, {0, 0, 0, 1}}; }

static void work_off(brio_occupancy *grid) {
  while (brio_occupancy_work(grid, 1000) > 0) {}
}

/* --- scans --- */

/* A box room of 4 x 4 m about the origin, scanned from a sensor in it; `turn` rotates the rays. */
static int look_at_walls(float points[][3], int most, brio_vec3 from, double turn) {
  int count = 0;
  for (int k = 0; k < most; k++) {
    double yaw = turn + 2 * BRIO_PI * k / most, x = cos(yaw), y = sin(yaw);
    double tx = ((x > 0 ? 2 : -2) - from.x) / x, ty = ((y > 0 ? 2 : -2) - from.y) / y, t = fmin(tx, ty);
    memcpy(points[count++], (float[]){(float)(t * x), (float)(t * y), 0}, sizeof points[0]);
  }
  return count;
}

static void a_scan_of_a_room(void) {
  brio_occupancy *grid = grid_of(10, 0.05);
  static float points[2000][3];
  CHECK(brio_occupancy_at(grid, 1, 1) == BRIO_CELL_UNKNOWN, "at the beginning nothing is known");
  for (int k = 0; k < 3; k++) {
    brio_vec3 eye = {0.3, -0.2, 1.0};
    int count = look_at_walls(points, 2000, eye, 1e-3 * k);
    CHECK(brio_occupancy_scan(grid, upright(eye.x, eye.y, eye.z), eye_at_origin, points, count), "taken");
    CHECK(!brio_occupancy_scan(grid, upright(0, 0, 1), eye_at_origin, points, count),
          "another, while the first is worked on");
    work_off(grid);
  }
  int walls = 0, free = 0;
  for (double s = -1.9; s < 1.95; s += 0.1) {
    walls += brio_occupancy_at(grid, 2.0001, s) == BRIO_CELL_OCCUPIED ||
             brio_occupancy_at(grid, 1.9999, s) == BRIO_CELL_OCCUPIED;
    walls += brio_occupancy_at(grid, s, 2.0001) == BRIO_CELL_OCCUPIED ||
             brio_occupancy_at(grid, s, 1.9999) == BRIO_CELL_OCCUPIED;
    for (double u = -1.9; u < 1.85; u += 0.1) free += brio_occupancy_at(grid, s, u) == BRIO_CELL_FREE;
    CHECK(brio_occupancy_at(grid, 3, s) == BRIO_CELL_UNKNOWN, "behind the wall nothing is known");
  }
  brio_occupancy_info info = brio_occupancy_info_of(grid);
  CHECK(walls == 78 && free == 39 * 38, "%d of 78 pieces of wall, %d of 1482 free", walls, free);
  CHECK(info.scans == 3 && info.skipped == 3 && info.outside == 0 && !info.busy, "%ld scans",
        (long)info.scans);
  CHECK(brio_occupancy_probability(grid, 0.3, 1) < 0.3 && brio_occupancy_probability(grid, 4, 4) == 0.5,
        "probabilities");
  brio_occupancy_free(grid);
}

/* A scan that reaches over a box keeps the box; a scan through it removes it. */
static void looks_over_a_box_leave_it(void) {
  brio_occupancy *grid = grid_of(10, 0.05);
  brio_error err = {0};
  brio_obstacle box = {.name = "box",
                       .shape = {.kind = BRIO_SHAPE_BOX, .size = {0.3, 0.3, 0.5}},
                       .pose = upright(1.5, 0, 0.25)};
  CHECK(brio_occupancy_put(grid, &box, &err), "%s", err.message);
  CHECK(brio_occupancy_at(grid, 1.5, 0) == BRIO_CELL_OCCUPIED &&
            brio_occupancy_at(grid, 1.8, 0) == BRIO_CELL_UNKNOWN,
        "put");
  float over[1][3] = {{3, 0, 0}}, through[1][3] = {{3, 0, 0}};
  for (int k = 0; k < 30; k++) {
    brio_occupancy_scan(grid, upright(0, 0, 1.2), eye_at_origin, over, 1);
    work_off(grid);
  }
  CHECK(brio_occupancy_at(grid, 1.5, 0.01) == BRIO_CELL_OCCUPIED &&
            brio_occupancy_at(grid, 1, 0.01) == BRIO_CELL_FREE,
        "looks above it do not see whether it is there");
  for (int k = 0; k < 30; k++) {
    brio_occupancy_scan(grid, upright(0, 0, 0.4), eye_at_origin, through, 1);
    work_off(grid);
  }
  CHECK(brio_occupancy_at(grid, 1.5, 0.01) == BRIO_CELL_FREE, "looks through where it was free it");
  brio_occupancy_free(grid);
}

/* Slices of any size give the same grid. */
static void slices_come_to_the_same(void) {
  static float points[1500][3];
  int count = look_at_walls(points, 1500, (brio_vec3){0, 0, 1}, 0);
  brio_occupancy *grids[2] = {grid_of(6, 0.05), grid_of(6, 0.05)};
  for (int k = 0; k < 2; k++) {
    brio_occupancy_scan(grids[k], upright(0, 0, 1), eye_at_origin, points, count);
    int most = 0, used;
    while ((used = brio_occupancy_work(grids[k], k ? 100 : 1 << 28)) > 0) most = used > most ? used : most;
    CHECK(k == 0 || most <= 100 + 3 * 8 / 0.05, "a slice of 100 visited %d cells", most);
  }
  brio_occupancy_info info = brio_occupancy_info_of(grids[0]);
  size_t columns = (size_t)info.nx * (size_t)info.ny;
  CHECK(memcmp(brio_occupancy_columns(grids[0]), brio_occupancy_columns(grids[1]), columns) == 0, "the same");
  for (int k = 0; k < 2; k++) brio_occupancy_free(grids[k]);
}

static void bad_input_is_refused_or_counted(void) {
  brio_error err = {0};
  const brio_occupancy_options bad[] = {
      {.size = -1}, {.size = NAN}, {.cell = INFINITY}, {.bottom = 1, .top = 0.5}, {.x = NAN}, {.range = -2}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    CHECK(!brio_occupancy_new(&bad[k], &err) && err.code == BRIO_MISUSE, "option %zu: %s", k, err.message);
  CHECK(!brio_occupancy_new(&(brio_occupancy_options){.size = 1000, .cell = 0.01}, &err) &&
            err.code == BRIO_LIMIT,
        "too large");
  CHECK_HAS(err.message, "4000000 cells");
  brio_occupancy *grid = grid_of(4, 0.1);
  float points[][3] = {{NAN, NAN, NAN}, {1e30f, 0, 0}, {INFINITY, 0, 0}, {1, NAN, 0},
                       {50, 0, 0},      {3, 0, 0},     {0.1f, 0, 0}};
  brio_occupancy_scan(grid, upright(0, 0, 1), eye_at_origin, points, 7);
  work_off(grid);
  brio_occupancy_info info = brio_occupancy_info_of(grid);
  CHECK(info.bad == 3 && info.outside == 2, "%ld bad, %ld outside", (long)info.bad, (long)info.outside);
  CHECK(brio_occupancy_at(grid, 1.5, 0.01) == BRIO_CELL_FREE && info.occupied == 0,
        "what is outside ends nowhere");
  brio_occupancy_scan(grid, (brio_pose){{NAN, 0, 0}, {0, 0, 0, 1}}, eye_at_origin, points, 7);
  CHECK(!brio_occupancy_info_of(grid).busy, "a sensor that is nowhere");
  brio_obstacle wide = {.shape = {.kind = BRIO_SHAPE_HALF_SPACE}, .pose = upright(0, 0, 0)};
  CHECK(!brio_occupancy_put(grid, &wide, &err) && err.code == BRIO_LIMIT, "%s", err.message);
  CHECK(!brio_occupancy_put(grid, &(brio_obstacle){.shape = {.kind = BRIO_SHAPE_SPHERE, .size = {NAN, 0, 0}}},
                            &err),
        "no shape");
  brio_occupancy_clear(grid, NAN, 0, 1);
  brio_occupancy_clear(grid, 1e300, 0, 1);
  CHECK(brio_occupancy_at(grid, NAN, 0) == BRIO_CELL_UNKNOWN &&
            brio_occupancy_at(grid, 1e300, 0) == BRIO_CELL_UNKNOWN,
        "nowhere");
  brio_occupancy_free(grid);
}

/* A scan at the grid's limit has the promised cost: a ray visits only the cells that it crosses. */
static void points_are_thinned(void) {
  brio_occupancy *grid = grid_of(20, 0.1);
  int count = 300000;
  float(*points)[3] = calloc((size_t)count, sizeof *points);
  for (int k = 0; k < count; k++)
    memcpy(points[k], (float[]){3, (float)(-1 + 2.0 * k / count), (float)(0.5 * sin(k))}, sizeof *points);
  brio_occupancy_scan(grid, upright(0, 0, 1), eye_at_origin, (const float(*)[3])points, count);
  int visited = 0, used;
  while ((used = brio_occupancy_work(grid, 10000)) > 0) visited += used;
  CHECK(visited > BRIO_OCCUPANCY_POINTS && visited < BRIO_OCCUPANCY_POINTS * 60,
        "%d cells for 300,000 points", visited);
  CHECK(brio_occupancy_at(grid, 3.01, 0) == BRIO_CELL_OCCUPIED &&
            brio_occupancy_at(grid, 2, 0) == BRIO_CELL_FREE,
        "seen");
  free(points);
  brio_occupancy_free(grid);
}

/* --- distances --- */

/* Fill a grid from letters, row after row from the least y: '#' occupied, '?' unknown, else free. */
static void draw(brio_occupancy *grid, const uint8_t *states) {
  CHECK(brio_occupancy_set_columns(grid, states), "states");
}

static uint8_t *random_states(int n, double density, brio_random *random) {
  uint8_t *states = calloc((size_t)n * (size_t)n, 1);
  for (int k = 0; k < n * n; k++)
    states[k] = brio_random_uniform(random, 0, 1) < density ? BRIO_CELL_OCCUPIED : BRIO_CELL_FREE;
  return states;
}

static int64_t brute_square(const uint8_t *states, int n, int i, int j) {
  int64_t best = BRIO_DISTANCE_MAP_FAR;
  for (int k = 0; k < n * n; k++) {
    int64_t x = k % n - i, y = k / n - j;
    if (states[k] == BRIO_CELL_OCCUPIED && x * x + y * y < best) best = x * x + y * y;
  }
  return best;
}

/* From a point to the nearest square of an occupied cell, exactly; cells of 0.1 m from (-n/20, -n/20). */
static double true_distance(const uint8_t *states, int n, double x, double y) {
  double best = INFINITY;
  for (int k = 0; k < n * n; k++) {
    if (states[k] != BRIO_CELL_OCCUPIED) continue;
    double cx = (k % n + 0.5 - n / 2.0) * 0.1, cy = (k / n + 0.5 - n / 2.0) * 0.1;
    best = fmin(best, hypot(fmax(0, fabs(x - cx) - 0.05), fmax(0, fabs(y - cy) - 0.05)));
  }
  return best;
}

static void distances_are_exact(void) {
  brio_random random = brio_random_stream(1, "distances");
  enum { N = 40 };
  for (int round = 0; round < 12; round++) {
    double density = round == 0 ? 0 : round == 1 ? 1.0 / (N * N) : 0.3 * round / 12;
    uint8_t *states = random_states(N, density, &random);
    brio_occupancy *grid = grid_of(N * 0.1, 0.1);
    draw(grid, states);
    brio_arena arena;
    brio_arena_start(&arena, 1 << 16);
    brio_distance_map map;
    brio_error err = {0};
    CHECK(brio_distance_map_begin(&map, &arena, grid, (double[]){-2.5, -2.2, 2.3, 2.6}, &err), "%s",
          err.message);
    while (brio_distance_map_work(&map, 3) > 0) {}
    int di = (int)lround((-2.0 - map.x) / 0.1), dj = (int)lround((-2.0 - map.y) / 0.1);
    for (int k = 0; k < N * N; k++)
      CHECK(map.squares[(k / N + dj) * map.nx + k % N + di] == brute_square(states, N, k % N, k / N),
            "round %d cell %d", round, k);
    for (int k = 0; k < 200; k++) {
      double x = brio_random_uniform(&random, -2, 2), y = brio_random_uniform(&random, -2, 2);
      double got = brio_distance_map_at(&map, x, y), exact = true_distance(states, N, x, y);
      CHECK(got <= exact + 1e-12 && (isinf(exact) || got >= exact - 0.125), "(%g, %g): %g of %g", x, y, got,
            exact);
    }
    brio_arena_end(&arena);
    brio_occupancy_free(grid);
    free(states);
  }
}

/* --- ways --- */

/* A plan of the body's path only, from (x0, y0) to (x1, y1), by a planner of the table. */
static brio_search_status way_in(const brio_occupancy *grid, const char *way, const double at[4],
                                 double clearance, bool known, brio_plan **plan, brio_error *err) {
  brio_plan_request request = {.planner = "quick",
                               .first = -1,
                               .around = true,
                               .way = way,
                               .grid = grid,
                               .known_only = known,
                               .settings = brio_plan_settings_default()};
  request.settings.clearance_radius = clearance;
  request.settings.most_steps = 1000;
  for (int side = 0; side < 2; side++) request.start[side] = upright(at[0], at[1] + (side ? -0.12 : 0.12), 0);
  brio_spot goal = {at[2], at[3], 0};
  request.waypoints = &goal, request.nwaypoint = 1;
  *plan = brio_plan_new(&request, err);
  CHECK(*plan != NULL, "%s", err->message);
  brio_search_status status = BRIO_SEARCH_GOES_ON;
  while (*plan && status == BRIO_SEARCH_GOES_ON) status = brio_plan_work(*plan, 7, err);
  return status;
}

/* No point of a path is nearer to an occupied cell than the clearance. */
static void way_is_clear(const brio_plan *plan, const uint8_t *states, int n, double clearance,
                         const char *name) {
  int count;
  const double(*way)[2] = brio_plan_way(plan, &count);
  CHECK(count >= 2, "%s: %d points", name, count);
  for (int i = 1; i < count; i++)
    for (int k = 0; k <= 100; k++) {
      double x = way[i - 1][0] + (way[i][0] - way[i - 1][0]) * k / 100,
             y = way[i - 1][1] + (way[i][1] - way[i - 1][1]) * k / 100;
      double distance = true_distance(states, n, x, y);
      CHECK(distance >= clearance - 1e-9, "%s: (%.3f, %.3f) is %.4f m from what is occupied", name, x, y,
            distance);
    }
}

/* Whether cell b is reached from cell a over cells whose squared distance is above `least`. */
static bool flood_reaches(const uint8_t *states, int n, double least, int a, int b) {
  int *queue = calloc((size_t)n * (size_t)n, sizeof *queue), head = 0, tail = 0;
  bool *seen = calloc((size_t)n * (size_t)n, sizeof *seen),
       *open = calloc((size_t)n * (size_t)n, sizeof *open);
  for (int k = 0; k < n * n; k++) open[k] = (double)brute_square(states, n, k % n, k / n) > least;
  if (open[a] && open[b]) queue[tail++] = a, seen[a] = true;
  while (head < tail) {
    int at = queue[head++];
    for (int k = 0; k < 9; k++) {
      int i = at % n + k % 3 - 1, j = at / n + k / 3 - 1;
      if (i < 0 || j < 0 || i >= n || j >= n || seen[j * n + i] || !open[j * n + i]) continue;
      seen[j * n + i] = true;
      queue[tail++] = j * n + i;
    }
  }
  bool reached = seen[b];
  free(queue), free(seen), free(open);
  return reached;
}

/* A maze: walls a cell thick around rooms of 3 x 3 cells, some walls left out. */
static uint8_t *maze_of(int n, double open, brio_random *random) {
  uint8_t *states = calloc((size_t)n * (size_t)n, 1);
  for (int k = 0; k < n * n; k++) {
    int i = k % n, j = k / n;
    states[k] = i % 8 == 0 || j % 8 == 0 || i == n - 1 || j == n - 1 ? BRIO_CELL_OCCUPIED : BRIO_CELL_FREE;
  }
  for (int j = 0; j + 8 < n; j += 8)
    for (int i = 0; i + 8 < n; i += 8)
      for (int side = 0; side < 2; side++) {
        if (brio_random_uniform(random, 0, 1) > open || (side ? j == 0 : i == 0)) continue;
        for (int k = 1; k < 8; k++) states[side ? j * n + i + k : (j + k) * n + i] = BRIO_CELL_FREE;
      }
  return states;
}

/* In random mazes the grid search finds a path exactly where a search of every cell finds one; no path
** crosses an occupied cell, by either planner.  Clearances are chosen so that no distance between cells lies
** between "clear" and "clear for certain": squares are integers, the limits k + 1/4 and k + 3/4. */
static void mazes_are_solved_as_a_flood_solves_them(void) {
  brio_random random = brio_random_stream(7, "mazes");
  enum { N = 41 };
  int solved = 0, rounds = (int)(24 * check_scale()), by_trees = 0;
  for (int round = 0; round < rounds; round++) {
    uint8_t *states = maze_of(N, 0.35 + 0.3 * (round % 5) / 4, &random);
    brio_occupancy *grid = grid_of(N * 0.1, 0.1);
    draw(grid, states);
    double square = 1 + (int)brio_random_below(&random, 9) + 0.25,
           clearance = (sqrt(square) - sqrt(0.5)) * 0.1;
    int a = (4 + 8 * (int)brio_random_below(&random, 5)) * N + 4,
        b = (4 + 8 * (int)brio_random_below(&random, 5)) * N + 36;
    double at[4] = {(a % N + 0.5 - N / 2.0) * 0.1, (a / N + 0.5 - N / 2.0) * 0.1,
                    (b % N + 0.5 - N / 2.0) * 0.1, (b / N + 0.5 - N / 2.0) * 0.1};
    bool there_is = flood_reaches(states, N, square, a, b);
    for (int row = 0; row < 2; row++) {
      brio_plan *plan;
      brio_error err = {0};
      brio_search_status status = way_in(grid, row ? "rrt_connect" : "grid", at, clearance, false, &plan,
                                         &err);
      if (row == 0)
        CHECK((status == BRIO_SEARCH_FOUND) == there_is, "maze %d, %.3f m clear: a way there is: %d; %s",
              round, clearance, there_is, err.message);
      if (status == BRIO_SEARCH_FOUND) way_is_clear(plan, states, N, clearance, row ? "rrt_connect" : "grid");
      else CHECK(err.code == BRIO_UNREACHABLE, "%s", err.message);
      if (row == 0 && status == BRIO_SEARCH_FAILED) CHECK_HAS(err.message, "there is no way");
      CHECK(status == BRIO_SEARCH_FAILED || row == 0 || there_is, "maze %d: trees went through walls", round);
      by_trees += row && status == BRIO_SEARCH_FOUND;
      solved += row == 0 && status == BRIO_SEARCH_FOUND;
      brio_plan_free(plan);
    }
    brio_occupancy_free(grid);
    free(states);
  }
  CHECK(solved > rounds / 5 && solved < rounds * 9 / 10,
        "%d of %d mazes have a way: too few or too many to tell", solved, rounds);
  CHECK(by_trees <= solved, "%d found by trees", by_trees);
}

/* A wall with a gap: the path goes through it; with a greater clearance than the gap
** allows, there is none. */
static void a_doorway_is_gone_through(void) {
  enum { N = 60 };
  uint8_t states[N * N];
  for (int k = 0; k < N * N; k++)
    states[k] = k % N == 30 && abs(k / N - 40) > 4 ? BRIO_CELL_OCCUPIED : BRIO_CELL_FREE;
  for (int k = 0; k < N; k++) states[k] = states[N * (N - 1) + k] = BRIO_CELL_OCCUPIED;
  brio_occupancy *grid = grid_of(N * 0.1, 0.1);
  draw(grid, states);
  brio_plan *plan;
  brio_error err = {0};
  double at[4] = {-1.5, -2, 1.5, -2};
  CHECK(way_in(grid, NULL, at, 0.3, true, &plan, &err) == BRIO_SEARCH_FOUND, "%s", err.message);
  way_is_clear(plan, states, N, 0.3, "through");
  int count;
  const double(*way)[2] = brio_plan_way(plan, &count);
  bool through = false;
  for (int i = 1; i < count; i++)
    for (int k = 0; k <= 100; k++)
      through |= fabs(way[i - 1][1] + (way[i][1] - way[i - 1][1]) * k / 100 - 1.05) < 0.45 &&
                 fabs(way[i - 1][0] + (way[i][0] - way[i - 1][0]) * k / 100 - 0.05) < 0.05;
  CHECK(through && count < 9, "the way has %d points", count);
  brio_plan_free(plan);
  CHECK(way_in(grid, NULL, at, 0.5, false, &plan, &err) == BRIO_SEARCH_FOUND,
        "around the wall's end outside of the grid: %s", err.message);
  brio_plan_free(plan);
  CHECK(way_in(grid, NULL, at, 0.5, true, &plan, &err) == BRIO_SEARCH_FAILED, "nothing is known there");
  CHECK_HAS(err.message, "on ground that is known");
  brio_plan_free(plan);
  brio_occupancy_free(grid);
}

/* Unknown ground costs more: a path around it is chosen while it is not much longer. */
static void known_ground_is_preferred(void) {
  enum { N = 60 };
  uint8_t states[N * N];
  for (int k = 0; k < N * N; k++)
    states[k] = abs(k % N - 30) < 4 && k / N < 40 ? BRIO_CELL_UNKNOWN : BRIO_CELL_FREE;
  brio_occupancy *grid = grid_of(N * 0.1, 0.1);
  draw(grid, states);
  const double costs[] = {0, 20};
  for (int k = 0; k < 2; k++) {
    brio_plan_request request = {.planner = "quick",
                                 .first = -1,
                                 .around = true,
                                 .grid = grid,
                                 .settings = brio_plan_settings_default()};
    request.settings.cost_unknown = costs[k];
    for (int side = 0; side < 2; side++) request.start[side] = upright(-1, side ? -0.12 : 0.12, 0);
    brio_spot goal = {1.2, 0, 0};
    request.waypoints = &goal, request.nwaypoint = 1;
    brio_error err = {0};
    brio_plan *plan = brio_plan_new(&request, &err);
    while (brio_plan_work(plan, 50, &err) == BRIO_SEARCH_GOES_ON) {}
    int count, crossed = 0;
    const double(*way)[2] = brio_plan_way(plan, &count);
    CHECK(count >= 2, "%s", err.message);
    for (int i = 1; i < count; i++)
      for (int u = 0; u <= 50; u++)
        crossed += brio_occupancy_at(grid, way[i - 1][0] + (way[i][0] - way[i - 1][0]) * u / 50,
                                     way[i - 1][1] + (way[i][1] - way[i - 1][1]) * u / 50) ==
                   BRIO_CELL_UNKNOWN;
    CHECK(k ? crossed <= 2 : crossed > 5, "cost %g: %d points on unknown ground", costs[k], crossed);
    brio_plan_free(plan);
  }
  brio_occupancy_free(grid);
}

/* Steps by the lattice also avoid the grid's obstacles; ends inside of one are refused with a message. */
static void the_lattice_keeps_off_the_grid(void) {
  enum { N = 50 };
  uint8_t states[N * N];
  for (int k = 0; k < N * N; k++)
    states[k] = abs(k % N - 30) < 2 && abs(k / N - 25) < 4 ? BRIO_CELL_OCCUPIED : BRIO_CELL_FREE;
  brio_occupancy *grid = grid_of(N * 0.1, 0.1);
  draw(grid, states);
  brio_plan_request request = {.planner = "a_star",
                               .goal_feet = true,
                               .first = -1,
                               .grid = grid,
                               .settings = brio_plan_settings_default()};
  for (int side = 0; side < 2; side++) {
    request.start[side] = upright(-0.6, side ? -0.12 : 0.12, 0);
    request.goal[side] = upright(1.4, side ? -0.12 : 0.12, 0);
  }
  brio_error err = {0};
  brio_plan *plan = brio_plan_new(&request, &err);
  brio_search_status status;
  while ((status = brio_plan_work(plan, 200, &err)) == BRIO_SEARCH_GOES_ON) {}
  CHECK(status == BRIO_SEARCH_FOUND, "%s", err.message);
  int count;
  const brio_footstep *steps = brio_plan_steps(plan, &count);
  for (int i = 0; i < count; i++) {
    brio_spot body = brio_spot_at(brio_spot_of(steps[i].pose), 0, -brio_side_sign(steps[i].side) * 0.12, 0);
    CHECK(true_distance(states, N, body.x, body.y) >= 0.25 - 1e-9, "step %d: the body is too near", i);
  }
  CHECK(brio_plan_map(plan) != NULL, "the map");
  brio_plan_free(plan);
  double at[4] = {-0.6, 0, 0.5, 0};
  CHECK(way_in(grid, NULL, at, 0.3, false, &plan, &err) == BRIO_SEARCH_FAILED, "into what is occupied");
  CHECK_HAS(err.message, "is inside 'what the grid holds'");
  brio_plan_free(plan);
  brio_occupancy_free(grid);
}

static void wrong_requests_are_refused(void) {
  brio_error err = {0};
  brio_plan_request request = {.planner = "quick",
                               .first = -1,
                               .around = true,
                               .way = "fly",
                               .settings = brio_plan_settings_default()};
  for (int side = 0; side < 2; side++) request.start[side] = upright(0, side ? -0.12 : 0.12, 0);
  brio_spot goal = {1, 0, 0};
  request.waypoints = &goal, request.nwaypoint = 1;
  CHECK(!brio_plan_new(&request, &err) && err.code == BRIO_MISUSE, "no such row");
  CHECK_HAS(err.message, "there is no search for ways 'fly': expected one of rrt_connect, grid");
  request.way = NULL, request.planner = "a_star";
  CHECK(!brio_plan_new(&request, &err) && err.code == BRIO_MISUSE, "a planner without paths of the body");
  CHECK_HAS(err.message, "the planner 'a_star' does not follow a path around obstacles");
  request.planner = "quick";
  request.way = NULL, request.known_only = true;
  CHECK(!brio_plan_new(&request, &err) && err.code == BRIO_MISUSE, "known_only without a grid");
  request.known_only = false, request.way = "grid", goal.x = 5000;
  brio_plan *plan = brio_plan_new(&request, &err);
  brio_search_status status = plan ? brio_plan_work(plan, 1000, &err) : BRIO_SEARCH_FOUND;
  CHECK(status == BRIO_SEARCH_FAILED, "5 km are too far for cells of 5 cm");
  CHECK_HAS(err.message, "1000000 cells");
  brio_plan_free(plan);
}

CHECK_SUITE(CHECK_TEST(a_scan_of_a_room), CHECK_TEST(looks_over_a_box_leave_it),
            CHECK_TEST(slices_come_to_the_same), CHECK_TEST(bad_input_is_refused_or_counted),
            CHECK_TEST(points_are_thinned), CHECK_TEST(distances_are_exact),
            CHECK_TEST(mazes_are_solved_as_a_flood_solves_them), CHECK_TEST(a_doorway_is_gone_through),
            CHECK_TEST(known_ground_is_preferred), CHECK_TEST(the_lattice_keeps_off_the_grid),
            CHECK_TEST(wrong_requests_are_refused))
