/* From walks to waypoints. A person's heading is constant along each leg of the walk and changes around its
** corners only, so each corner becomes up to three waypoints: the beginning of the turn, the corner, the
** end of the turn. */
#include "world/people/walk.h"

#include <stdlib.h>
#include <string.h>

#define TURN 0.25            /* s of turning before a corner, and after it */
#define HEIGHT 1.7           /* m, of a person */
#define HEAD_BELOW_TOP 0.1   /* m: middle of the head below its top */
#define SHOULDERS 0.5        /* m, width and depth of a person */

enum { MAX_POINTS = 1 << 18 };

/* One leg of a walk. */
typedef struct leg {
  double start, end; /* heading where it begins and ends, rad; equal unless both points give a yaw */
} leg;

/* The rotation for a heading, rad about the vertical axis. */
static brio_quat heading(double yaw) { return brio_quat_from_rpy(0, 0, yaw); }

/* Heading of someone who stands at `p` and has never walked: towards the origin. */
static double towards_origin(const brio_walk_point *p) {
  return p->x == 0 && p->y == 0 ? 0 : atan2(-p->y, -p->x);
}

/* The leg from `a` to `b` of a person whose heading was `before` (NaN: none yet). Two given headings count
** first, then the direction of the walk, then one given heading, then the last one. */
static leg leg_between(const brio_walk_point *a, const brio_walk_point *b, double before) {
  if (!isnan(a->yaw) && !isnan(b->yaw)) return (leg){a->yaw, b->yaw};
  /* Within 1e-6 m the direction means nothing. */
  double yaw = before;
  if (hypot(b->x - a->x, b->y - a->y) > 1e-6) yaw = atan2(b->y - a->y, b->x - a->x);
  else if (!isnan(a->yaw)) yaw = a->yaw;
  else if (isnan(before)) yaw = towards_origin(a);
  return (leg){yaw, yaw};
}

/* A point of a walk in space; `z` if the point has none. */
static brio_vec3 place(const brio_walk_point *p, double z) {
  return (brio_vec3){p->x, p->y, isnan(p->z) ? z : p->z};
}

/* Half the time of the turn between legs, s: TURN, or less on a short leg. */
static double turn_time(double leg_duration) { return fmin(TURN, leg_duration / 4); }

/* Write the waypoints inside the leg from points[0] to points[1]: the end of the first turn, and the
** beginning of the next one. Return their number, 0 or 2. */
static int add_leg(const brio_walk_point *points, leg now, double z, brio_waypoint *out) {
  double duration = points[1].time - points[0].time, turn = turn_time(duration);
  double share = turn / duration;
  brio_vec3 from = place(&points[0], z), way = brio_vec3_sub(place(&points[1], z), from);
  /* With two given headings the person turns all along the leg. */
  if (now.start != now.end || !(turn > 0)) return 0;
  brio_pose begin = {brio_vec3_add_scaled(from, share, way), heading(now.start)};
  brio_pose end = {brio_vec3_add_scaled(from, 1 - share, way), heading(now.end)};
  out[0] = (brio_waypoint){points[0].time + turn, begin};
  out[1] = (brio_waypoint){points[1].time - turn, end};
  return 2;
}

/* Write at most 3 count - 2 waypoints of a person's walk, the head at height z. Return their number. */
static int person_waypoints(const brio_walk *walk, double z, brio_waypoint *out) {
  const brio_walk_point *points = walk->points;
  double before = NAN;
  int n = 0, count = walk->count;
  for (int i = 0; i < count; i++) {
    bool last = i == count - 1;
    /* At the last point the heading stays. */
    leg next = last ? (leg){before, before} : leg_between(&points[i], &points[i + 1], before);
    if (isnan(next.start)) next.start = next.end = towards_origin(&points[i]);
    brio_quat facing = heading(next.start);
    if (!isnan(points[i].yaw)) facing = heading(points[i].yaw);
    /* A corner is passed half turned. */
    else if (!isnan(before)) facing = brio_quat_slerp(heading(before), facing, 0.5);
    out[n++] = (brio_waypoint){points[i].time, {place(&points[i], z), facing}};
    if (!last) n += add_leg(&points[i], next, z, out + n);
    before = next.end;
  }
  return n;
}

/* Write the waypoints of an object, which keeps its last given heading. Return their number. */
static int object_waypoints(const brio_walk *walk, brio_waypoint *out) {
  double yaw = 0;
  for (int i = 0; i < walk->count; i++) {
    if (!isnan(walk->points[i].yaw)) yaw = walk->points[i].yaw;
    out[i] = (brio_waypoint){walk->points[i].time, {place(&walk->points[i], 0), heading(yaw)}};
  }
  return walk->count;
}

/* Validate one point; NaN in z and yaw means that they are not given. */
static bool check_point(const brio_walk *walk, int i, brio_error *err) {
  const brio_walk_point *p = &walk->points[i];
  /* NaN is allowed for z and yaw only. */
  if (isinf(p->yaw) || isinf(p->z) || !isfinite(p->time) || !isfinite(p->x) || !isfinite(p->y))
    return brio_fail(err, BRIO_MISUSE, "'%.64s': point %d of its walk must be finite numbers", walk->id,
                     i + 1);
  if (i > 0 && !(p->time > p[-1].time))
    return brio_fail(err, BRIO_MISUSE,
                     "'%.64s': point %d of its walk, at %g s, must be later than the one before, at %g s",
                     walk->id, i + 1, p->time, p[-1].time);
  return true;
}

/* Validate a walk as a whole: names, number of points, height, and each point. */
static bool check_walk(const brio_walk *walk, brio_error *err) {
  if (!walk->kind || !walk->id)
    return brio_fail(err, BRIO_MISUSE, "a person who walks through the world must have a kind and an id");
  if (walk->count < 1 || walk->count > MAX_POINTS)
    return brio_fail(err, BRIO_MISUSE, "'%.64s': a walk must have from 1 to %d points, not %d", walk->id,
                     MAX_POINTS, walk->count);
  if (walk->height != 0 && !(walk->height >= 0.3 && walk->height <= 3))
    return brio_fail(err, BRIO_MISUSE, "'%.64s': a person's height must be from 0.3 to 3 m, not %g", walk->id,
                     walk->height);
  for (int i = 0; i < walk->count; i++)
    if (!check_point(walk, i, err)) return false;
  return true;
}

bool brio_world_add_walk(brio_world *world, const brio_walk *walk, brio_error *err) {
  if (!check_walk(walk, err)) return false;
  bool person = strcmp(walk->kind, "person") == 0;
  double height = walk->height != 0 ? walk->height : HEIGHT;
  brio_vec3 size = walk->size;
  if (person && brio_vec3_norm(size) == 0) size = (brio_vec3){SHOULDERS, SHOULDERS, height};
  /* Each point becomes up to three waypoints. */
  brio_waypoint *waypoints = calloc(3 * (size_t)walk->count, sizeof *waypoints);
  if (!waypoints) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a walk of %d points", walk->count);
  int count = person ? person_waypoints(walk, height - HEAD_BELOW_TOP, waypoints)
                     : object_waypoints(walk, waypoints);
  /* The waypoints are copied, and validated again as a path. */
  bool added = brio_world_add(world, walk->kind, walk->id, size, waypoints, count, walk->loop, err);
  free(waypoints);
  return added;
}
