/* Ground made of planar regions.
**
** The share of a sole on a region: the region's polygon, seen from above, is cut along the four
** sides of the sole (Sutherland and Hodgman, "Reentrant polygon clipping", 1974); its area is right
** even if the region is not convex. A region's plane has its normal by Newell's sum, and goes
** through the mean of its corners. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/ground/ground_internal.h"

#define FARTHEST 1e5   /* m */
#define OFF_PLANE 0.05 /* m: how far a corner may be off its plane */
#define STEEPEST 0.5   /* cosine of the slope of ground; what is steeper is a wall */
#define TOUCHING 0.01  /* share of a sole that may lie under an edge */

/* --- a region --- */

/* Twice the vector area of a polygon: the sum of a x b over its sides, seen from the first corner for
** accuracy. */
static brio_vec3 newell(const brio_vec3 *corners, int count) {
  brio_vec3 sum = {0, 0, 0};
  for (int i = 0; i < count; i++) {
    brio_vec3 a = brio_vec3_sub(corners[i], corners[0]),
              b = brio_vec3_sub(corners[(i + 1) % count], corners[0]);
    sum = brio_vec3_add(sum, brio_vec3_cross(a, b));
  }
  return sum;
}

/* The mean of the corners, a point of the plane. */
static brio_vec3 mean_of(const brio_vec3 *corners, int count) {
  brio_vec3 sum = {0, 0, 0};
  for (int i = 0; i < count; i++) sum = brio_vec3_add(sum, corners[i]);
  return brio_vec3_scale(1.0 / count, sum);
}

/* Check a polygon, and find its normal. Errors: misuse. */
static bool check_corners(const brio_vec3 *corners, int count, brio_vec3 *normal, brio_error *err) {
  if (count < 3 || count > BRIO_GROUND_CORNERS)
    return brio_fail(err, BRIO_MISUSE, "a region has 3 to %d corners, not %d", BRIO_GROUND_CORNERS, count);
  for (int i = 0; i < count; i++)
    if (!brio_vec3_finite(corners[i]) || !(brio_vec3_norm(corners[i]) <= FARTHEST))
      return brio_fail(err, BRIO_MISUSE, "corner %d of a region is no point within %g m", i + 1, FARTHEST);
  brio_vec3 area = newell(corners, count), middle = mean_of(corners, count);
  if (brio_vec3_norm(area) < 1e-6) return brio_fail(err, BRIO_MISUSE, "a region's corners span no area");
  *normal = brio_vec3_unit(area, (brio_vec3){0, 0, 1});
  /* All corners must be near the plane through their mean. */
  for (int i = 0; i < count; i++) {
    double off = brio_vec3_dot(*normal, brio_vec3_sub(corners[i], middle));
    if (fabs(off) > OFF_PLANE)
      return brio_fail(err, BRIO_MISUSE, "corner %d of a region is %.3f m off its plane, more than %g m",
                       i + 1, fabs(off), OFF_PLANE);
  }
  return true;
}

/* Make room for one region more; the array doubles. */
static bool make_room(brio_ground *ground) {
  if (ground->nregion < ground->room) return true;
  int room = ground->room ? 2 * ground->room : 16;
  brio_region *more = realloc(ground->regions, (size_t)room * sizeof *more);
  if (!more) return false;
  ground->regions = more;
  ground->room = room;
  return true;
}

/* The box around a region, seen from above. */
static void find_box(brio_region *region) {
  region->lower[0] = region->lower[1] = INFINITY;
  region->upper[0] = region->upper[1] = -INFINITY;
  for (int i = 0; i < region->count; i++) {
    const double *p = &region->corners[i].x;
    for (int k = 0; k < 2; k++) {
      region->lower[k] = fmin(region->lower[k], p[k]);
      region->upper[k] = fmax(region->upper[k], p[k]);
    }
  }
}

/* O(corners), which are copied. */
bool brio_ground_add_region(brio_ground *ground, const brio_vec3 *corners, int count, brio_error *err) {
  brio_vec3 normal = {0, 0, 1};
  if (!check_corners(corners, count, &normal, err)) return false;
  if (ground->nregion == BRIO_GROUND_REGIONS)
    return brio_fail(err, BRIO_LIMIT, "ground may have %d regions", BRIO_GROUND_REGIONS);
  /* The arena keeps the corners as long as the ground lives. */
  brio_vec3 *own = BRIO_TAKE(&ground->arena, brio_vec3, count);
  if (!own || !make_room(ground))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a region of the ground");
  memcpy(own, corners, (size_t)count * sizeof *own);
  /* A wall has no slope: it carries nothing, and its plane may be vertical. */
  brio_region region = {.count = count, .corners = own, .wall = fabs(normal.z) < STEEPEST};
  if (!region.wall) {
    brio_vec3 middle = mean_of(own, count);
    region.slope = (brio_ground_slope){-normal.x / normal.z, -normal.y / normal.z, 0};
    region.slope.c = middle.z - region.slope.a * middle.x - region.slope.b * middle.y;
  }
  find_box(&region);
  assert(ground->nregion < ground->room);
  ground->regions[ground->nregion++] = region;
  return true;
}

/* --- a sole on it --- */

/* A polygon seen from above, m, with room for the corners that cutting adds. */
typedef struct outline {
  int count;
  double points[2 * BRIO_GROUND_CORNERS + 16][2];
} outline;

/* Cut a polygon along the line from a to b, and keep what is to the left. O(corners)
** A polygon that outgrows the room loses its last corners. */
static void cut(const outline *from, const double a[2], const double b[2], outline *to) {
  double dx = b[0] - a[0], dy = b[1] - a[1];
  int room = (int)(sizeof to->points / sizeof *to->points);
  assert(from != to && from->count <= room);
  to->count = 0;
  for (int i = 0; i < from->count && to->count + 2 <= room; i++) {
    const double *p = from->points[i], *q = from->points[(i + 1) % from->count];
    /* Twice the areas that p and q span with the line from a to b: positive to its left. */
    double left = dx * (p[1] - a[1]) - dy * (p[0] - a[0]), next = dx * (q[1] - a[1]) - dy * (q[0] - a[0]);
    /* Keep a corner on the left, and add one where a side crosses the line. */
    if (left >= 0) memcpy(to->points[to->count++], p, sizeof to->points[0]);
    if ((left >= 0) == (next >= 0)) continue;
    double u = left / (left - next);
    to->points[to->count][0] = p[0] + u * (q[0] - p[0]);
    to->points[to->count++][1] = p[1] + u * (q[1] - p[1]);
  }
}

/* The area by a fan of triangles from the first corner, m^2. */
static double area_of(const outline *shape) {
  double sum = 0;
  for (int i = 1; i + 1 < shape->count; i++) {
    const double *o = shape->points[0], *p = shape->points[i], *q = shape->points[i + 1];
    sum += (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
  }
  return fabs(sum) / 2;
}

/* Whether the boxes around a region and a sole overlap. */
static bool is_near(const brio_region *region, double corners[4][2]) {
  for (int k = 0; k < 2; k++) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < 4; i++) least = fmin(least, corners[i][k]), most = fmax(most, corners[i][k]);
    if (least > region->upper[k] || most < region->lower[k]) return false;
  }
  return true;
}

/* The share of a sole's area on a region, 0 to 1. */
static double share_on(const brio_region *region, const brio_plan_settings *settings, double corners[4][2]) {
  outline shapes[2];
  if (region->wall || !is_near(region, corners)) return 0;
  shapes[0].count = region->count;
  for (int i = 0; i < region->count; i++)
    memcpy(shapes[0].points[i], &region->corners[i].x, sizeof shapes[0].points[i]);
  /* Each side of the sole cuts once; after four cuts the result is in the first outline again. */
  for (int i = 0; i < 4; i++) cut(&shapes[i % 2], corners[i], corners[(i + 1) % 4], &shapes[1 - i % 2]);
  return area_of(&shapes[0]) / (settings->foot_length * settings->foot_width);
}

/* The height by which a plane sticks out above another one below a sole, m; a linear difference is greatest
** at a corner. */
static double sticks_out(brio_ground_slope above, brio_ground_slope plane, double corners[4][2]) {
  double most = -INFINITY;
  for (int i = 0; i < 4; i++)
    most = fmax(most, brio_slope_at(above, corners[i][0], corners[i][1]) -
                          brio_slope_at(plane, corners[i][0], corners[i][1]));
  return most;
}

/* Whether two regions are one for a sole: at the same height, with the same slope. */
static bool level_with(brio_ground_slope a, brio_ground_slope b, brio_spot spot, double bump) {
  return fabs(brio_slope_at(a, spot.x, spot.y) - brio_slope_at(b, spot.x, spot.y)) <= bump &&
         hypot(a.a - b.a, a.b - b.b) <= 0.1;
}

/* The regions that a sole is on, and its shares on them. */
typedef struct footing {
  int count;
  int regions[64];
  double shares[64];
} footing;

/* Find the regions under a sole. O(regions), most of them ruled out by their boxes */
static void look(const brio_ground *ground, const brio_plan_settings *settings, double corners[4][2],
                 footing *on) {
  on->count = 0;
  for (int i = 0; i < ground->nregion && on->count < 64; i++) {
    double share = share_on(&ground->regions[i], settings, corners);
    if (share <= 1e-6) continue;
    on->regions[on->count] = i;
    on->shares[on->count++] = share;
  }
}

/* A sole's share on a region and all those level with it. */
static double area_at(const brio_ground *ground, const footing *on, int which, brio_spot spot, double bump) {
  double area = 0;
  for (int i = 0; i < on->count; i++)
    if (level_with(ground->regions[on->regions[i]].slope, ground->regions[on->regions[which]].slope, spot,
                   bump))
      area += on->shares[i];
  return fmin(1, area);
}

/* O(regions + n^2), with n regions under the sole. */
bool brio_regions_carry(const brio_ground *ground, const brio_plan_settings *settings, brio_spot spot,
                        brio_ground_slope *slope, double *area, const char **why) {
  double corners[4][2], highest = -INFINITY;
  footing on;
  int best = -1;
  brio_sole_corners(settings, spot, corners);
  look(ground, settings, corners, &on);
  /* The highest region with enough area carries the sole. */
  for (int i = 0; i < on.count; i++) {
    double here = area_at(ground, &on, i, spot, settings->bump);
    double z = brio_slope_at(ground->regions[on.regions[i]].slope, spot.x, spot.y);
    if (here < settings->least_area || z <= highest) continue;
    highest = z, best = i, *area = here;
  }
  *why = on.count ? "too little of the sole would be on it" : "there is no ground";
  if (best < 0) return false;
  *slope = ground->regions[on.regions[best]].slope;
  *why = "an edge blocks the path";
  /* A higher edge below the sole is in the way, unless it is so high that it is a roof. */
  for (int i = 0; i < on.count; i++) {
    double out = sticks_out(ground->regions[on.regions[i]].slope, *slope, corners);
    if (on.shares[i] > TOUCHING && out > 2 * settings->bump && out < settings->headroom &&
        !level_with(ground->regions[on.regions[i]].slope, *slope, spot, settings->bump))
      return false;
  }
  return true;
}

/* Whether a point is in a region, seen from above: an odd number of sides crosses the ray to +x. */
static bool is_in(const brio_region *region, double x, double y) {
  bool in = false;
  for (int i = 0, j = region->count - 1; i < region->count; j = i++) {
    brio_vec3 a = region->corners[i], b = region->corners[j];
    if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

/* O(regions * corners). */
bool brio_regions_height(const brio_ground *ground, double x, double y, double below, double *z) {
  bool found = false;
  for (int i = 0; i < ground->nregion; i++) {
    const brio_region *region = &ground->regions[i];
    /* The highest one that is not above the limit. */
    if (region->wall || !is_in(region, x, y)) continue;
    double height = brio_slope_at(region->slope, x, y);
    if (height > below || (found && height <= *z)) continue;
    *z = height;
    found = true;
  }
  return found;
}
