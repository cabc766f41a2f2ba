/* Shared by all searches for the body's path: ends, room and clear lines; and the table of searches.
**
** Lines are checked by sphere tracing: a distance changes by no more than the way between two points, so a
** step as long as the room is safe. An end may have less room than the clearance, as a robot that stands at
** a table has. The room needed near it is what the end has, and half a meter more for each meter away from
** it. */
#include "plan/body_path.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MARGIN 3.0     /* m around all ends and obstacles that is searched */
#define AWAY 0.5       /* clearance gained per meter away from an end that has less */
#define MIN_STEP 2e-3  /* m */

#define X(name) extern const brio_way brio_way_##name;
#include "plan/ways.def"
#undef X

static const brio_way *const ways[] = {
#define X(name) &brio_way_##name,
#include "plan/ways.def"
#undef X
};

/* All searches, in the order of ways.def. */
const brio_way *const *brio_ways(int *count) {
  *count = (int)(sizeof ways / sizeof *ways);
  return ways;
}

/* The distance of a point from obstacles and occupied cells, m; `name` gets that of the nearest.
** O(obstacles) */
static double distance_at(const brio_body_path *path, const double p[2], const char **name) {
  double distance = brio_obstacles_distance(path->request.obstacles, p[0], p[1], name);
  double map = path->request.map ? brio_distance_map_at(path->request.map, p[0], p[1]) : INFINITY;
  if (map < distance && name) *name = "what the grid holds";
  return fmin(map, distance);
}

double brio_body_path_room(const brio_body_path *path, const double p[2], double *distance) {
  /* needed = min(clearance, room of an end + AWAY * distance to it), over both ends. */
  double needed = path->request.clearance, there = distance_at(path, p, NULL);
  for (int i = 0; i < 2; i++)
    needed = fmin(needed, path->near_by[i] - 1e-3 + AWAY * brio_body_path_apart(path->ends[i], p));
  if (distance) *distance = there;
  return there - needed;
}

/* Whether the ground below a line is known, by points half a cell apart. */
static bool is_known(const brio_body_path *path, const double a[2], const double b[2]) {
  const brio_distance_map *map = path->request.map;
  int pieces = 1 + (int)(brio_body_path_apart(a, b) / map->cell * 2);
  for (int i = 0; i <= pieces; i++) {
    double u = (double)i / pieces;
    if (brio_distance_map_state(map, a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1])) == BRIO_CELL_UNKNOWN)
      return false;
  }
  return true;
}

/* O(steps * obstacles): the more room there is, the longer the steps. */
bool brio_body_path_clear(const brio_body_path *path, const double a[2], const double b[2]) {
  /* Advance by the room at each point; the room needed grows by AWAY per meter, hence the divisor. */
  double length = brio_body_path_apart(a, b), gone = 0;
  for (;;) {
    double u = length > 0 ? fmin(1, gone / length) : 1;
    double room = brio_body_path_room(path, (double[2]){a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1])},
                                      NULL);
    if (room < 0) return false;
    if (u >= 1) break;
    gone += fmax(MIN_STEP, room / (1 + AWAY));
  }
  return !path->request.known_only || !path->request.map || is_known(path, a, b);
}

/* Errors: unreachable (the way has too many corners). */
bool brio_body_path_append(brio_body_path *path, const double p[2], brio_error *err) {
  assert(path->count >= 0 && path->count <= BRIO_BODY_PATH_POINTS);
  if (path->count == BRIO_BODY_PATH_POINTS)
    return brio_fail(err, BRIO_UNREACHABLE, "the path around the obstacles has more than %d corners",
                     BRIO_BODY_PATH_POINTS);
  memcpy(path->points[path->count++], p, sizeof path->points[0]);
  return true;
}

/* Widen a box so that it holds a map. */
static void widen(double box[4], const brio_distance_map *map) {
  box[0] = fmin(box[0], map->x), box[1] = fmin(box[1], map->y);
  box[2] = fmax(box[2], map->x + map->nx * map->cell), box[3] = fmax(box[3], map->y + map->ny * map->cell);
}

/* O(obstacles), and what the search itself needs at its beginning. */
bool brio_body_path_begin(brio_body_path *path, brio_arena *arena, const brio_body_path_request *request,
                          brio_error *err) {
  static const char *const names[2] = {"the start", "the goal"};
  brio_spot from = request->from, to = request->to;
  *path = (brio_body_path){.request = *request, .ends = {{from.x, from.y}, {to.x, to.y}}};
  /* The box to search: both ends, obstacles and map, with a margin. */
  memcpy(path->box,
         (double[]){fmin(from.x, to.x), fmin(from.y, to.y), fmax(from.x, to.x), fmax(from.y, to.y)},
         sizeof path->box);
  brio_obstacles_box(request->obstacles, path->box);
  if (request->map) widen(path->box, request->map);
  for (int i = 0; i < 4; i++) path->box[i] += i < 2 ? -MARGIN : MARGIN;
  /* An end inside of something has no way out. */
  for (int i = 0; i < 2; i++) {
    const char *name = "";
    path->near_by[i] = distance_at(path, path->ends[i], &name);
    if (path->near_by[i] <= 1e-3)
      return brio_fail(err, BRIO_UNREACHABLE, "%s, (%.2f, %.2f), is inside '%s'", names[i], path->ends[i][0],
                       path->ends[i][1], name);
  }
  return request->way->begin(path, arena, err);
}

/* One slice of the search: `used` is how many rounds of `budget` it took. */
brio_search_status brio_body_path_work(brio_body_path *path, int budget, int *used, brio_error *err) {
  return path->request.way->work(path, budget, used, err);
}
