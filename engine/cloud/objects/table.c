/* The edge of a table: capsules that sweep forward, then the front of the level plane that begins there.
**
** Source of the sweep and its numbers: the public code of D. Calvert's thesis ("approach table"). */
#include "cloud/objects/table.h"

#include <assert.h>
#include <stdlib.h>

#include "cloud/surfaces/planes.h"

enum { MAX_STEPS = 4096 };

static const double MIN_SHARE = 0.2; /* a top has that share of the area of the largest level plane */
static const double MAX_ERROR = 0.03;  /* m: what is less flat is no top */
static const double MIN_SIDE = 0.12; /* m: what is smaller is no table */

/* Replace settings that are 0 by their defaults. */
static brio_cloud_table_how complete(const brio_cloud_table_how *how, int points) {
  brio_cloud_table_how all = *how;
  const double usual[] = {0.05, 0.5, 1.1, 0.3, 0.05, 0.01, 3, 0.7, 0.2};
  double *field[] = {&all.radius, &all.low, &all.high,  &all.side, &all.start,
                     &all.step,   &all.far, &all.reach, &all.tilt};
  for (int i = 0; i < 9; i++)
    if (*field[i] == 0) *field[i] = usual[i];
  /* Enough points for an edge: a thousandth of them, from 12 to 300. */
  int tenth = points / 1000 < 12 ? 12 : points / 1000;
  if (all.least == 0) all.least = tenth < 300 ? tenth : 300;
  return all;
}

/* Check the settings. Errors: misuse, limit (too many steps). */
static bool check(const brio_cloud_table_how *how, brio_error *err) {
  const double fields[] = {how->radius, how->low, how->high,  how->side, how->start,
                           how->step,   how->far, how->reach, how->tilt};
  static const char *const names[] = {"radius", "low", "high",  "side", "start",
                                      "step",   "far", "reach", "tilt"};
  for (int i = 0; i < 9; i++)
    if (!isfinite(fields[i]) || fabs(fields[i]) > 1000)
      return brio_fail(err, BRIO_MISUSE, "table edge: %s must be a length in m, not %g", names[i], fields[i]);
  if (!brio_pose_finite(how->from))
    return brio_fail(err, BRIO_MISUSE, "table edge: the pose to stand at has no numbers");
  if (!(how->high > how->low && how->far > how->start && how->radius > 0 && how->step > 0 && how->reach > 0 &&
        how->least > 0 && how->tilt > 0))
    return brio_fail(err, BRIO_MISUSE,
                     "table edge: radius, step, reach, tilt and least must be above 0, low below high, "
                     "start before far");
  if ((how->far - how->start) / how->step > MAX_STEPS)
    return brio_fail(err, BRIO_LIMIT, "table edge: more than %d steps from %g to %g m", MAX_STEPS,
                     how->start, how->far);
  return true;
}

/* Sweep one capsule at `y` along x. Write the x at which it first contains enough points (NaN: nowhere), and
** their number. O(points + steps) */
static void sweep(const brio_cloud *view, const brio_cloud_table_how *how, double y, double *at,
                  int *points) {
  int change[MAX_STEPS + 2] = {0}, steps = (int)((how->far - how->start) / how->step) + 1, inside = 0;
  assert((how->far - how->start) / how->step <= MAX_STEPS);
  for (int i = 0; i < view->count; i++) {
    if (!brio_cloud_has(view, i)) continue;
    brio_vec3 p = brio_cloud_point(view, i);
    /* The capsule is upright from `low` to `high`; a point is in it for a range of steps. */
    double up = p.z < how->low ? how->low - p.z : p.z > how->high ? p.z - how->high : 0;
    double square = how->radius * how->radius - (p.y - y) * (p.y - y) - up * up;
    /* No position of the capsule contains the point. */
    if (square < 0) continue;
    double half = sqrt(square), first = ceil((p.x - half - how->start) / how->step);
    double last = floor((p.x + half - how->start) / how->step);
    /* All positions are outside the sweep, or between two steps. */
    if (last < 0 || first >= steps || last < first) continue;
    /* Only the ends of each range are stored; their running sum is the number of points inside. */
    change[first < 0 ? 0 : (int)first]++;
    change[last >= steps ? steps : (int)last + 1]--;
  }
  *at = NAN, *points = 0;
  for (int s = 0; s < steps; s++) {
    inside += change[s];
    if (inside > *points) *points = inside;
    if (inside < how->least) continue;
    *at = how->start + s * how->step;
    return;
  }
}

/* Write the points within height and reach into `view`, in the frame of the robot's stand; all others become
** NaN. O(points) */
static void take_view(brio_cloud *view, const brio_cloud *cloud, const brio_cloud_table_how *how) {
  brio_pose to = brio_pose_inverse(how->from);
  brio_transform turn = brio_transform_of(to);
  /* The view is as wide as a table in reach, on both sides of the capsules. */
  double wide = how->reach + how->side;
  for (int i = 0; i < cloud->count; i++) {
    view->points[i][0] = view->points[i][1] = view->points[i][2] = NAN;
    if (!brio_cloud_has(cloud, i)) continue;
    brio_vec3 p = brio_transform_point(&turn, brio_cloud_point(cloud, i));
    if (p.x < 0 || p.x > how->far + how->reach || fabs(p.y) > wide) continue;
    if (p.z < how->low - how->radius || p.z > how->high + how->radius) continue;
    view->points[i][0] = (float)p.x, view->points[i][1] = (float)p.y, view->points[i][2] = (float)p.z;
  }
  /* The viewpoint moves along, since noise depends on the distance from the sensor. */
  view->viewpoint = brio_pose_mul(to, cloud->viewpoint);
  brio_cloud_judge(view);
}

/* Find the front of plane `which`, in the frame of the stand. Return false if it has none. */
static bool front(brio_cloud_rim *rim, const brio_cloud *view, const brio_cloud_planes *found, int which,
                  const brio_cloud_table_how *how, double (*flat)[2]) {
  int count = 0;
  for (int i = 0; i < view->count; i++) {
    if (found->labels[i] != which) continue;
    flat[count][0] = (double)view->points[i][0], flat[count++][1] = (double)view->points[i][1];
  }
  return brio_cloud_rim_find(rim, (const double(*)[2])flat, count, -how->reach, how->reach, 0.002);
}

/* Choose the table top: of the level planes that are large enough, the one that begins nearest; -1: there is
** none. */
static int choose(brio_cloud_rim *rim, const brio_cloud *view, const brio_cloud_planes *found,
                  const brio_cloud_table_how *how, double (*flat)[2]) {
  int best = -1;
  double nearest = HUGE_VAL, largest = 0;
  for (int k = 0; k < found->count; k++) largest = fmax(largest, found->planes[k].area);
  for (int k = 0; k < found->count; k++) {
    const brio_cloud_plane *plane = &found->planes[k];
    brio_cloud_rim edge;
    /* Too small compared with the largest, too narrow, or not flat. */
    if (plane->area < MIN_SHARE * largest || plane->size[1] < MIN_SIDE || plane->error > MAX_ERROR)
      continue;
    if (plane->pose.p.z < how->low || plane->pose.p.z > how->high) continue;
    if (!front(&edge, view, found, k, how, flat) || edge.middle[0] > how->far) continue;
    /* Where the edge crosses y = 0. */
    double begins =
        edge.middle[0] - edge.direction[0] / edge.direction[1] * edge.middle[1]; /* where y is 0 */
    if (begins >= nearest) continue;
    nearest = begins, best = k, *rim = edge;
  }
  return best;
}

/* Describe the table by its plane and rim, in the frame of the cloud. */
static void describe(brio_cloud_table *table, const brio_cloud *cloud, const brio_cloud_plane *plane,
                     const brio_cloud_rim *rim, const brio_cloud_table_how *how) {
  /* The normal of a table points up, though the sensor may be below. */
  brio_vec3 n = plane->normal.z < 0 ? brio_vec3_scale(-1, plane->normal) : plane->normal, ends[2];
  double offset = plane->normal.z < 0 ? -plane->offset : plane->offset;
  for (int k = 0; k < 2; k++) {
    /* x and y are on the rim; the height follows from the plane. */
    double along = k ? rim->low : rim->high; /* the left end has the greater y */
    double x = rim->middle[0] + along * rim->direction[0], y = rim->middle[1] + along * rim->direction[1];
    ends[k] = (brio_vec3){x, y, (offset - n.x * x - n.y * y) / n.z};
  }
  /* The pose looks across the edge: its y axis is the direction of the rim. */
  double yaw = atan2(-rim->direction[0], rim->direction[1]);
  brio_pose foot = {{rim->middle[0], rim->middle[1], 0}, brio_quat_from_rpy(0, 0, yaw)};
  brio_vec3 out = {-rim->direction[1], rim->direction[0], 0};
  table->pose = brio_pose_mul(how->from, foot);
  table->left = brio_pose_point(how->from, ends[0]), table->right = brio_pose_point(how->from, ends[1]);
  table->normal = brio_quat_rotate(how->from.q, n);
  table->height = (ends[0].z + ends[1].z) / 2;
  table->length = brio_vec3_norm(brio_vec3_sub(ends[0], ends[1]));
  table->error = rim->error, table->share = rim->share, table->points = plane->count;
  table->beyond = brio_cloud_rim_beyond(cloud, table->left, table->right, brio_quat_rotate(how->from.q, out));
}

/* Report the planes and points that were found instead of a table. Errors: unreachable. */
static bool explain(const brio_cloud *view, const brio_cloud_planes *found, const brio_cloud_table_how *how,
                    const brio_cloud_table *table, brio_error *err) {
  int here = view->count - view->missing;
  return brio_fail(
      err, BRIO_UNREACHABLE,
      "no table edge within %g m: of %d points between %.2f and %.2f m over the ground %d level planes were "
      "made, and none is a table's top with a straight front; at most %d points were in the left capsule "
      "and %d in the right (%d are enough)",
      how->far, here, how->low, how->high, found->count, table->swept_points[0], table->swept_points[1],
      how->least);
}

bool brio_cloud_table_find(brio_cloud_table *table, const brio_cloud *cloud,
                           const brio_cloud_table_how *given, brio_error *err) {
  brio_cloud_table_how how = complete(given, cloud->count - cloud->missing);
  *table = (brio_cloud_table){.swept = {NAN, NAN}};
  if (!check(&how, err)) return false;
  brio_cloud *view = brio_cloud_new(err);
  if (!view || !brio_cloud_resize(view, cloud->width, cloud->height, 0, err))
    return brio_cloud_free(view), false;
  take_view(view, cloud, &how);
  /* Both capsules are reported, with or without a table. */
  for (int k = 0; k < 2; k++)
    sweep(view, &how, k ? -how.side : how.side, &table->swept[k], &table->swept_points[k]);
  brio_cloud_planes found = {0};
  brio_cloud_planes_how level = {.up = {0, 0, 1}, .tilt = how.tilt, .gap = 0.8};
  double(*flat)[2] = malloc(((size_t)(view->count - view->missing) + 1) * sizeof *flat);
  bool fine = false;
  if (!flat) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to look for a table in %d points", cloud->count);
  } else if (view->missing == view->count || brio_cloud_planes_find(&found, view, &level, err)) {
    brio_cloud_rim rim = {0};
    int top = choose(&rim, view, &found, &how, flat);
    fine = top >= 0 || explain(view, &found, &how, table, err);
    if (fine) describe(table, cloud, &found.planes[top], &rim, &how);
  }
  free(flat);
  brio_cloud_planes_end(&found);
  brio_cloud_free(view);
  return fine;
}
