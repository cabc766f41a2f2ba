/* Plans: a request is checked and copied, the body's way is searched if the request wants one, the planner
** works, and its steps are put on the ground and timed. All memory is taken at the beginning; work comes in
** slices. */
#include "plan/plan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "plan/planner.h"

#define FARTHEST 1e4        /* m */
#define WAY_SPACING 0.4     /* m between waypoints on a way that was found */
#define WAY_END 0.2         /* m around the goal without waypoints */
#define MAP_MARGIN 1.0      /* m around the ends and all that is known */
#define TURN_LENGTH (0.1 / (45 * BRIO_PI / 180)) /* m/rad: a turn of the foot as a distance */

enum { MAP_LINES = 8 }; /* lines of the map that count as an expansion */

/* --- making one --- */

/* The names of planners and of searches for the body's way, for hints. */
static const char *planner_at(const void *none, int i) {
  int count;
  const brio_planner *const *list = brio_planners(&count);
  (void)none;
  return i < count ? list[i]->name : NULL;
}

static const char *way_at(const void *none, int i) {
  int count;
  const brio_way *const *list = brio_ways(&count);
  (void)none;
  return i < count ? list[i]->name : NULL;
}

/* Fail: no row of a table has this name; the message has the nearest name and all names. */
static void fail_name(brio_error *err, const char *what, const char *name, brio_name_at at) {
  char hint[96], names[160] = "";
  size_t length = 0;
  for (int i = 0; at(NULL, i) && length < sizeof names; i++)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", at(NULL, i));
  brio_fail(err, BRIO_MISUSE, "there is no %s '%s'%s: expected one of %s", what, name,
            brio_name_hint(name, at, NULL, hint), names);
}

/* Return the planner of that name.  Errors: misuse. */
static const brio_planner *find_planner(const char *name, brio_error *err) {
  int count;
  const brio_planner *const *list = brio_planners(&count);
  for (int i = 0; i < count && name; i++)
    if (strcmp(list[i]->name, name) == 0) return list[i];
  fail_name(err, "planner", name ? name : "", planner_at);
  return NULL;
}

/* Whether a pose is finite and within FARTHEST. */
static bool is_place(brio_pose pose) { return brio_pose_finite(pose) && brio_vec3_norm(pose.p) <= FARTHEST; }

/* Check a request.  Errors: misuse, limit.  Solids and the map are checked as they are copied. */
static bool check(const brio_plan_request *request, const brio_planner *planner, brio_error *err) {
  /* Feet and waypoints, then what must go together. */
  for (int side = 0; side < 2; side++)
    if (!is_place(request->start[side]) || (request->goal_feet && !is_place(request->goal[side])))
      return brio_fail(err, BRIO_MISUSE, "the %s foot has no place within %g m",
                       brio_side_name((brio_side)side), FARTHEST);
  if (request->nwaypoint < 0 || request->nwaypoint > BRIO_PLAN_WAYPOINTS)
    return brio_fail(err, BRIO_LIMIT, "a plan takes %d waypoints, not %d", BRIO_PLAN_WAYPOINTS,
                     request->nwaypoint);
  for (int i = 0; i < request->nwaypoint; i++) {
    brio_spot spot = request->waypoints[i];
    if (!(fabs(spot.x) <= FARTHEST && fabs(spot.y) <= FARTHEST && isfinite(spot.yaw)))
      return brio_fail(err, BRIO_MISUSE, "waypoint %d has no place within %g m", i + 1, FARTHEST);
  }
  if (!request->goal_feet && request->nwaypoint == 0)
    return brio_fail(err, BRIO_MISUSE, "a plan needs places of the feet to go to, or a waypoint");
  if (request->around && !planner->follows_way)
    return brio_fail(err, BRIO_MISUSE, "around: the planner '%s' does not follow a path around obstacles",
                     planner->name);
  if (request->first < -1 || request->first > 1)
    return brio_fail(err, BRIO_MISUSE, "the foot to begin with is the left, the right, or either");
  return brio_plan_settings_check(&request->settings, err);
}

/* Return the search for the body's way: that of the name, else "grid" with a grid and "rrt_connect"
** without.  Errors: misuse. */
static const brio_way *find_way_row(const brio_plan_request *request, brio_error *err) {
  int count;
  const brio_way *const *list = brio_ways(&count);
  const char *name = request->way ? request->way : request->grid ? "grid" : "rrt_connect";
  for (int i = 0; i < count; i++)
    if (strcmp(list[i]->name, name) == 0) return list[i];
  fail_name(err, "search for ways", name, way_at);
  return NULL;
}

/* Copy the part of the grid where the way may lead: what is known, the obstacles and both ends. */
static bool begin_map(brio_plan *plan, brio_error *err) {
  brio_spot ends[2] = {brio_spot_middle(plan->start[0], plan->start[1]), plan->goal_body};
  double box[4] = {ends[0].x, ends[0].y, ends[0].x, ends[0].y}, known[4];
  if (plan->request.grid && brio_occupancy_box(plan->request.grid, known)) memcpy(box, known, sizeof box);
  brio_obstacles_box(&plan->obstacles, box);
  /* Both ends are in the box, also where nothing is known. */
  for (int i = 0; i < 2; i++) {
    box[0] = fmin(box[0], ends[i].x), box[1] = fmin(box[1], ends[i].y);
    box[2] = fmax(box[2], ends[i].x), box[3] = fmax(box[3], ends[i].y);
  }
  for (int k = 0; k < 4; k++) box[k] += k < 2 ? -MAP_MARGIN : MAP_MARGIN;
  plan->has_map = brio_distance_map_begin(&plan->map, &plan->arena, plan->request.grid, box, err);
  plan->request.grid = NULL; /* the grid may change or be freed from now on */
  return plan->has_map;
}

/* Begin the search for the body's way; its row was checked in begin_first. */
static bool begin_way(brio_plan *plan, brio_error *err) {
  const brio_body_path_request request = {.way = find_way_row(&plan->request, err),
                                          .obstacles = &plan->obstacles,
                                          .map = plan->has_map ? &plan->map : NULL,
                                          .known_only = plan->request.known_only,
                                          .clearance = plan->settings.clearance_radius,
                                          .cost_unknown = plan->settings.cost_unknown,
                                          .cost_near = plan->settings.cost_near,
                                          .from = brio_spot_middle(plan->start[0], plan->start[1]),
                                          .to = plan->goal_body,
                                          .seed = plan->request.seed};
  return brio_body_path_begin(&plan->way, &plan->arena, &request, err);
}

/* Take the memory that work needs. Distances in a map are known by now, since a planner may query them. */
static bool begin(brio_plan *plan, brio_error *err) {
  if (plan->request.around && !begin_way(plan, err)) return false;
  return !plan->planner->begin || plan->planner->begin(plan, err);
}

/* Begin with the map if the request needs one, else with the rest. */
static bool begin_first(brio_plan *plan, brio_error *err) {
  const brio_way *way = find_way_row(&plan->request, err);
  if (!way) return false;
  if (plan->request.known_only && !plan->request.grid)
    return brio_fail(err, BRIO_MISUSE, "known_only goes with a grid: without one nothing is known");
  bool needs_map = plan->request.grid || (plan->request.around && way->needs_map);
  plan->request.way = way->name;
  plan->map_done = !needs_map;
  return needs_map ? begin_map(plan, err) : begin(plan, err);
}

/* Copy the request, and begin. Misuse and lack of memory fail here; what the world forbids fails in
** work. */
static bool copy(brio_plan *plan, const brio_plan_request *request, brio_error *err) {
  plan->request = *request;
  plan->settings = request->settings;
  /* Poses of feet become spots on the ground. */
  for (int side = 0; side < 2; side++) {
    plan->start[side] = brio_spot_of(request->start[side]);
    plan->goal[side] = brio_spot_of(request->goal[side]);
  }
  plan->goal_body = brio_spot_middle(plan->goal[BRIO_LEFT], plan->goal[BRIO_RIGHT]);
  plan->room = (int)plan->settings.most_steps;
  /* Room for the results: steps, with their spots. */
  plan->steps = BRIO_TAKE(&plan->arena, brio_footstep, plan->room);
  plan->spots = BRIO_TAKE(&plan->arena, brio_spot, plan->room);
  /* One waypoint more than a request may have: the end of a way that was found. */
  plan->waypoints = BRIO_TAKE(&plan->arena, brio_spot, BRIO_PLAN_WAYPOINTS + 1);
  if (!plan->steps || !plan->spots || !plan->waypoints)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a plan of steps");
  if (request->nwaypoint)
    memcpy(plan->waypoints, request->waypoints, (size_t)request->nwaypoint * sizeof *plan->waypoints);
  plan->nwaypoint = request->nwaypoint;
  /* Obstacles are judged from the lower foot on. */
  double level = fmin(request->start[0].p.z, request->start[1].p.z);
  if (!brio_obstacles_take(&plan->obstacles, &plan->arena, request->obstacles, request->nobstacle, level,
                           err))
    return false;
  /* Without places of the feet the last waypoint is the goal. */
  if (!request->goal_feet) plan->goal_body = plan->waypoints[plan->nwaypoint - 1];
  if (begin_first(plan, err)) return true;
  if (err->code == BRIO_MISUSE || err->code == BRIO_NO_MEMORY) return false;
  plan->status = BRIO_SEARCH_FAILED; /* not the caller's error: `work` reports it */
  plan->why = *err;
  return true;
}

/* All memory is taken here. Of the request only the ground is read later; the rest is copied. */
brio_plan *brio_plan_new(const brio_plan_request *request, brio_error *err) {
  brio_error own;
  if (!err) err = &own;
  const brio_planner *planner = find_planner(request->planner, err);
  if (!planner || !check(request, planner, err)) return NULL;
  brio_plan *plan = calloc(1, sizeof *plan);
  if (!plan) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a plan of steps");
    return NULL;
  }
  plan->planner = planner;
  brio_arena_start(&plan->arena, 1 << 16);
  if (copy(plan, request, err)) return plan;
  brio_plan_free(plan);
  return NULL;
}

/* All memory of a plan is in its arena. */
void brio_plan_free(brio_plan *plan) {
  if (!plan) return;
  brio_arena_end(&plan->arena);
  free(plan);
}

/* --- working --- */

/* Planners add their steps in order. Errors: unreachable (there are more than most_steps). */
bool brio_plan_add(brio_plan *plan, brio_side side, brio_spot spot, brio_error *err) {
  assert(plan->nstep >= 0 && plan->nstep <= plan->room);
  if (plan->nstep == plan->room)
    return brio_fail(err, BRIO_UNREACHABLE, "the way takes more than %d steps (most_steps)", plan->room);
  plan->spots[plan->nstep] = spot;
  plan->steps[plan->nstep++].side = side;
  return true;
}

/* Make waypoints of the way that was found, a step or two apart. */
static bool place_waypoints(brio_plan *plan, brio_error *err) {
  const brio_body_path *way = &plan->way;
  plan->nwaypoint = 0;
  for (int i = 1; i < way->count; i++) {
    const double *a = way->points[i - 1], *b = way->points[i];
    /* Pieces of equal length, each facing along the line. */
    double length = hypot(b[0] - a[0], b[1] - a[1]), yaw = atan2(b[1] - a[1], b[0] - a[0]);
    int pieces = (int)fmax(1, floor(length / WAY_SPACING));
    if (plan->nwaypoint + pieces > BRIO_PLAN_WAYPOINTS)
      return brio_fail(err, BRIO_UNREACHABLE,
                       "the path around the obstacles is too long for steps: %d waypoints",
                       BRIO_PLAN_WAYPOINTS);
    for (int k = 1; k <= pieces; k++) {
      assert(plan->nwaypoint + pieces <= BRIO_PLAN_WAYPOINTS);
      brio_spot spot = {a[0] + k * (b[0] - a[0]) / pieces, a[1] + k * (b[1] - a[1]) / pieces, yaw};
      /* Close to the goal its own footholds take over. */
      if (brio_spot_distance(spot, plan->goal_body) > WAY_END) plan->waypoints[plan->nwaypoint++] = spot;
    }
  }
  assert(plan->nwaypoint <= BRIO_PLAN_WAYPOINTS);
  if (!plan->request.goal_feet) plan->waypoints[plan->nwaypoint++] = plan->goal_body;
  return true;
}

/* Work on the distances of the map, then begin with the rest; the work is subtracted from `budget`. */
static brio_search_status find_map(brio_plan *plan, int *budget, brio_error *err) {
  if (plan->map_done) return BRIO_SEARCH_FOUND;
  while (*budget > 0 && brio_distance_map_work(&plan->map, MAP_LINES) > 0)
    --*budget, plan->effort.expansions++;
  if (*budget <= 0) return BRIO_SEARCH_GOES_ON;
  plan->map_done = true;
  return begin(plan, err) ? BRIO_SEARCH_FOUND : BRIO_SEARCH_FAILED;
}

/* Search for the way of the body; the work is subtracted from `budget`. Return the status of the search. */
static brio_search_status find_way(brio_plan *plan, int *budget, brio_error *err) {
  assert(*budget > 0);
  int used;
  /* The way is searched for once; its waypoints are made when it is found. */
  if (!plan->request.around || plan->way_done) return BRIO_SEARCH_FOUND;
  brio_search_status status = brio_body_path_work(&plan->way, *budget, &used, err);
  plan->effort.expansions += used + 1;
  *budget -= used;
  if (status != BRIO_SEARCH_FOUND) return status;
  plan->way_done = true;
  return place_waypoints(plan, err) ? status : BRIO_SEARCH_FAILED;
}

/* In s. A turn counts as a way: 0.1 m for 45 degrees. */
double brio_swing_time(const brio_plan_settings *settings, brio_spot from, brio_spot to) {
  double distance = brio_spot_distance(from, to) + fabs(brio_angle_wrap(to.yaw - from.yaw)) * TURN_LENGTH;
  /* From near_swing to far_swing, linear in the distance between the two limits. */
  double span = settings->far_distance - settings->near_distance;
  double share = span > 0 ? (distance - settings->near_distance) / span : distance > settings->near_distance;
  return settings->near_swing + fmin(1, fmax(0, share)) * (settings->far_swing - settings->near_swing);
}

/* Put the steps on the ground, and time them. Errors: unreachable (a step has no foothold). */
static bool finish(brio_plan *plan, brio_error *err) {
  assert(plan->nstep <= plan->room);
  brio_spot feet[2] = {plan->start[0], plan->start[1]};
  double level = (plan->request.start[0].p.z + plan->request.start[1].p.z) / 2;
  /* A floor without ground given is between the feet's heights; each swing is from the foot's place
  ** before. */
  for (int i = 0; i < plan->nstep; i++) {
    brio_footstep *step = &plan->steps[i];
    brio_spot spot = plan->spots[i];
    brio_foothold hold;
    const char *why = "";
    if (!brio_ground_foothold(plan->request.ground, &plan->settings, spot, &hold, &why))
      return brio_fail(err, BRIO_UNREACHABLE, "step %d, of the %s foot to (%.2f, %.2f), has no foothold: %s",
                       i + 1, brio_side_name(step->side), spot.x, spot.y, why);
    step->pose = hold.pose;
    if (!plan->request.ground) step->pose.p.z = level;
    /* The weight goes over to the other foot first, then the foot swings. */
    step->transfer = plan->settings.transfer;
    step->swing = brio_swing_time(&plan->settings, feet[step->side], spot);
    /* The quick planner goes by distance alone; for the others a swing has a least time. */
    if (!plan->by_distance) step->swing = fmax(step->swing, plan->settings.swing);
    feet[step->side] = spot;
  }
  return true;
}

/* One slice: at most `budget` expansions, for map, way and steps together. */
brio_search_status brio_plan_work(brio_plan *plan, int budget, brio_error *err) {
  brio_error why = {0};
  if (plan->status == BRIO_SEARCH_GOES_ON && budget > 0) {
    /* Map, way and steps, in this order; each stage goes on where the last call left it. */
    brio_search_status status = find_map(plan, &budget, &why);
    if (status == BRIO_SEARCH_FOUND) status = find_way(plan, &budget, &why);
    if (status == BRIO_SEARCH_FOUND && budget > 0) plan->status = plan->planner->work(plan, budget, &why);
    else if (status == BRIO_SEARCH_FAILED) plan->status = status;
    if (plan->status == BRIO_SEARCH_FOUND && !finish(plan, &why)) plan->status = BRIO_SEARCH_FAILED;
    if (plan->status == BRIO_SEARCH_FAILED) plan->why = why;
  }
  assert(plan->status != BRIO_SEARCH_FAILED || plan->why.code != BRIO_OK);
  if (plan->status == BRIO_SEARCH_FAILED && err) *err = plan->why;
  return plan->status;
}

/* Only a plan that was found has steps. */
const brio_footstep *brio_plan_steps(const brio_plan *plan, int *count) {
  *count = plan->status == BRIO_SEARCH_FOUND ? plan->nstep : 0;
  return plan->steps;
}

/* The way of the body, if one was asked for and found. */
const double (*brio_plan_way(const brio_plan *plan, int *count))[2] {
  *count = plan->way_done ? plan->way.count : 0;
  return plan->way.points;
}

/* NULL: there is no map, or its distances are not computed yet. */
const brio_distance_map *brio_plan_map(const brio_plan *plan) {
  return plan->has_map && plan->map_done ? &plan->map : NULL;
}

/* The distance from obstacles and occupied cells, m; infinite if there are none. */
double brio_plan_distance(const brio_plan *plan, brio_spot body) {
  double distance = brio_obstacles_distance(&plan->obstacles, body.x, body.y, NULL);
  return plan->has_map ? fmin(distance, brio_distance_map_at(&plan->map, body.x, body.y)) : distance;
}

brio_plan_effort brio_plan_effort_of(const brio_plan *plan) { return plan->effort; }
