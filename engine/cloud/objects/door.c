/* Doors: upright planes of plausible size.
**
** The panel is one of the planes of the cloud (cloud/surfaces/planes.c); its upright edges are fitted like a
** table's (cloud/surfaces/rim.c). The side of the hinge is inferred from the handle, from a wall at which the
** open panel ends, or from points in front of the panel. */
#include "cloud/objects/door.h"

#include <stdlib.h>

#include "cloud/surfaces/rim.h"

static const double USUAL_WIDTH = 0.9, USUAL_HEIGHT = 2.05; /* m */
static const double HANDLE_OFF = 0.3,   /* m that a handle may be before the panel, */
                    HANDLE_BESIDE = 0.2; /* or beside it */

/* The state of a search. */
typedef struct seeker {
  const brio_cloud *cloud;
  const brio_cloud_door_how *how;
  const brio_cloud_planes *found;
  double (*flat)[2]; /* room for all points */
} seeker;

/* The axes of a panel: origin, u level, to the right as seen from the front, and v upward along the panel. */
typedef struct outspread {
  brio_vec3 origin, normal, u, v;
  double low[2], high[2]; /* along u and v */
  int count;              /* points in seeker.flat */
} outspread;

/* Replace settings that are 0 by their defaults. */
static brio_cloud_door_how complete(const brio_cloud_door_how *how) {
  brio_cloud_door_how all = *how;
  const double usual[] = {2, 0.55, 1.4, 1.3, 2.7, 0.15};
  double *field[] = {&all.within, &all.width[0], &all.width[1], &all.height[0], &all.height[1], &all.lean};
  for (int i = 0; i < 6; i++)
    if (*field[i] == 0) *field[i] = usual[i];
  if (all.up.x == 0 && all.up.y == 0 && all.up.z == 0) all.up = (brio_vec3){0, 0, 1};
  return all;
}

/* Check the settings. Comparisons with NaN are false, so NaN is rejected. Errors: misuse. */
static bool check(const brio_cloud_door_how *how, brio_error *err) {
  if (!(how->within > 0 && how->width[0] > 0 && how->width[1] >= how->width[0] && how->height[0] > 0 &&
        how->height[1] >= how->height[0] && how->lean > 0 && how->lean < 1.5))
    return brio_fail(err, BRIO_MISUSE,
                     "door panel: width and height must be ranges in m, within and lean above 0");
  if (!(fabs(brio_vec3_norm(how->up) - 1) < 1e-3))
    return brio_fail(err, BRIO_MISUSE, "door panel: up must be a direction of length 1");
  if (how->has_near && !brio_vec3_finite(how->near))
    return brio_fail(err, BRIO_MISUSE, "door panel: the handle's place must be numbers");
  return true;
}

/* Find the range of the middle 99 of 100 values of flat[..][axis], to a 1024th of all values' range: a
** histogram, O(points). */
static void spread(const seeker *s, outspread *sheet, int axis) {
  int bins[1024] = {0}, cut = sheet->count / 200, sum = 0, first = 0, last = 1023;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int i = 0; i < sheet->count; i++)
    low = fmin(low, s->flat[i][axis]), high = fmax(high, s->flat[i][axis]);
  double scale = high > low ? 1023 / (high - low) : 0;
  /* The greatest value is in the last bin. */
  for (int i = 0; i < sheet->count; i++) bins[(int)((s->flat[i][axis] - low) * scale)]++;
  /* Cut half a percent off each end. */
  while (first < 1023 && (sum += bins[first]) <= cut) first++;
  for (sum = 0; last > 0 && (sum += bins[last]) <= cut;) last--;
  sheet->low[axis] = low + (scale > 0 ? first / scale : 0),
  sheet->high[axis] = low + (scale > 0 ? (last + 1) / scale : 0);
}

/* Write the points of plane `k`, in its own axes, into s->flat, and their ranges. O(points) */
static void lay_flat(const seeker *s, int k, outspread *out) {
  const brio_cloud_plane *plane = &s->found->planes[k];
  /* The normal is leveled for the pose: a panel may lean a little. */
  brio_vec3 level =
      brio_vec3_add_scaled(plane->normal, -brio_vec3_dot(plane->normal, s->how->up), s->how->up);
  *out = (outspread){.origin = plane->pose.p, .normal = brio_vec3_unit(level, plane->normal)};
  out->u = brio_vec3_unit(brio_vec3_cross(s->how->up, plane->normal), plane->normal);
  out->v = brio_vec3_cross(plane->normal, out->u);
  for (int i = 0; i < s->cloud->count; i++) {
    if (s->found->labels[i] != k) continue;
    brio_vec3 d = brio_vec3_sub(brio_cloud_point(s->cloud, i), out->origin);
    s->flat[out->count][0] = brio_vec3_dot(d, out->u), s->flat[out->count++][1] = brio_vec3_dot(d, out->v);
  }
  spread(s, out, 0);
  spread(s, out, 1);
}

/* Fit the upright edges; an edge that cannot be fitted stays at the end of most points. O(points) */
static void follow_edges(const seeker *s, outspread *sheet, double noise) {
  double middle = (sheet->low[0] + sheet->high[0]) / 2, half = (sheet->high[0] - sheet->low[0]) / 2;
  double low = sheet->low[1] + 0.05, high = sheet->high[1] - 0.05, ends[2] = {sheet->low[0], sheet->high[0]};
  /* A rim is a front towards -x: the right edge is found in a mirror image. */
  for (int side = 0; side < 2; side++) {
    brio_cloud_rim rim;
    for (int i = 0; i < sheet->count; i++) s->flat[i][0] = side ? -s->flat[i][0] : s->flat[i][0];
    bool fine = brio_cloud_rim_find(&rim, (const double(*)[2])s->flat, sheet->count, low, high, 0.3 * noise);
    for (int i = 0; i < sheet->count; i++) s->flat[i][0] = side ? -s->flat[i][0] : s->flat[i][0];
    double end = side ? -rim.middle[0] : rim.middle[0];
    /* An edge is accepted if most strips are on it, it is upright, and it is not in the middle of the
    ** panel. */
    if (fine && rim.share > 0.5 && fabs(rim.direction[0]) < 0.1 && fabs(end - middle) > 0.5 * half)
      ends[side] = end;
  }
  sheet->low[0] = ends[0], sheet->high[0] = ends[1];
}

/* How much a size is like a door's, 0 to 1: Gaussians about the usual size, times the share of the rectangle
** that the hull fills. */
static double door_like(double width, double height, double fill) {
  /* Deviations of 0.3 m in width and 0.6 m in height. */
  double w = (width - USUAL_WIDTH) / 0.3, h = (height - USUAL_HEIGHT) / 0.6;
  return fmin(1, fill) * exp(-w * w / 2 - h * h / 2);
}

/* Whether a value is within a range. */
static bool in_range(double value, const double range[2]) {
  return value >= range[0] && value <= range[1];
}

/* Describe a door by its sheet. A size greater than a door's is unknown (NaN), as the plane may be part of a
** wall. */
static void describe(const seeker *s, int k, const outspread *sheet, brio_cloud_door *door) {
  const brio_cloud_plane *plane = &s->found->planes[k];
  double width = sheet->high[0] - sheet->low[0], height = sheet->high[1] - sheet->low[1];
  bool whole = width <= s->how->width[1] && height <= s->how->height[1];
  double middle[2] = {(sheet->low[0] + sheet->high[0]) / 2, (sheet->low[1] + sheet->high[1]) / 2};
  brio_vec3 center =
      brio_vec3_add_scaled(brio_vec3_add_scaled(sheet->origin, middle[0], sheet->u), middle[1], sheet->v);
  *door = (brio_cloud_door){.normal = sheet->normal, .error = plane->error, .points = plane->count};
  door->width = whole ? width : (double)NAN, door->height = whole ? height : (double)NAN;
  door->left = brio_vec3_add_scaled(center, -width / 2, sheet->u);
  door->right = brio_vec3_add_scaled(center, width / 2, sheet->u);
  door->pose.p = center;
  door->score = in_range(width, s->how->width) && in_range(height, s->how->height)
                    ? door_like(width, height, plane->area / (width * height))
                    : 0;
}

/* Count the points in front of the panel at the height of a handle, near its left (0) and right (1) edge.
** O(points) */
static void count_knobs(const seeker *s, const outspread *sheet, double noise, int counts[2]) {
  /* Farther out than noise; between 35 and 62 % of the panel's height. */
  double off = fmax(0.025, 4 * noise), low = sheet->low[1] + 0.35 * (sheet->high[1] - sheet->low[1]);
  double high = sheet->low[1] + 0.62 * (sheet->high[1] - sheet->low[1]);
  counts[0] = counts[1] = 0;
  for (int i = 0; i < s->cloud->count; i++) {
    if (!brio_cloud_has(s->cloud, i)) continue;
    brio_vec3 d = brio_vec3_sub(brio_cloud_point(s->cloud, i), sheet->origin);
    double out = brio_vec3_dot(d, sheet->normal), u = brio_vec3_dot(d, sheet->u),
           v = brio_vec3_dot(d, sheet->v);
    if (!(out > off && out < 0.14 && v > low && v < high)) continue;
    if (u > sheet->low[0] + 0.02 && u < sheet->low[0] + 0.22) counts[0]++;
    if (u < sheet->high[0] - 0.02 && u > sheet->high[0] - 0.22) counts[1]++;
  }
}

/* Raise `out` to how far a plane's points are behind (0) and in front of (1) a door, m. */
static void stand_out(const brio_cloud_plane *plane, const brio_cloud_door *door, double out[2]) {
  for (int i = 0; i < plane->corners; i++) {
    double off = brio_vec3_dot(door->normal, brio_vec3_sub(plane->hull[i], door->left));
    /* Its hull stands for all its points. */
    out[0] = fmax(out[0], -off), out[1] = fmax(out[1], off);
  }
}

/* Whether plane k is part of a wall through the edge at `edge`, at which the door is open. Such a wall, with
** all planes in line with it, continues behind and in front of the door; the side of a niche continues on one
** side only. O(planes x corners) */
static bool wall_through(const seeker *s, int k, const brio_cloud_door *door, brio_vec3 edge) {
  const brio_cloud_plane *wall = &s->found->planes[k];
  double out[2] = {0, 0};
  for (int m = 0; m < s->found->count; m++) {
    const brio_cloud_plane *other = &s->found->planes[m];
    /* Not parallel to the wall (within 8 degrees). */
    if (fabs(brio_vec3_dot(other->normal, wall->normal)) < cos(0.14)) continue;
    if (fabs(brio_vec3_dot(other->normal, edge) - other->offset) < 0.15) stand_out(other, door, out);
  }
  return out[0] > 0.15 && out[1] > 0.15;
}

/* Whether a wall meets one upright edge of an open panel but not the other: -1 left, 1 right, 0 neither. */
static int edge_at_wall(const seeker *s, int panel, const brio_cloud_door *door) {
  for (int k = 0; k < s->found->count; k++) {
    const brio_cloud_plane *wall = &s->found->planes[k];
    /* Of each edge: its distance from the wall's plane, and from the wall's hull. */
    double height[2], beside[2];
    /* A wall parallel to the panel is the one that it closes into. */
    if (k == panel || wall->area < 0.3 || fabs(brio_vec3_dot(wall->normal, door->normal)) > cos(0.2))
      continue;
    beside[0] = brio_cloud_plane_beside(wall, door->left, &height[0]);
    beside[1] = brio_cloud_plane_beside(wall, door->right, &height[1]);
    for (int side = 0; side < 2; side++)
      if (fabs(height[side]) < 0.12 && beside[side] < 0.3 && fabs(height[1 - side]) > 0.2 &&
          wall_through(s, k, door, side ? door->right : door->left))
        return side ? 1 : -1;
  }
  return 0;
}

/* Infer the side of the hinge: the strongest evidence first. Without any, the side stays unknown. */
static void tell_hinge(const seeker *s, int k, const outspread *sheet, brio_cloud_door *door) {
  int knobs[2] = {0, 0};
  double noise = s->found->planes[k].noise, width = sheet->high[0] - sheet->low[0];
  /* The handle is on the side opposite to the hinge. */
  if (s->how->has_near) {
    /* A handle near the middle shows no side. */
    double u = brio_vec3_dot(brio_vec3_sub(s->how->near, door->pose.p), sheet->u);
    if (fabs(u) > 0.15 * width && isfinite(door->width)) {
      door->hinge = u > 0 ? -1 : 1, door->told = BRIO_HINGE_HANDLE;
      return;
    }
  }
  if ((door->hinge = edge_at_wall(s, k, door)) != 0) {
    door->told = BRIO_HINGE_AJAR;
    return;
  }
  count_knobs(s, sheet, noise, knobs);
  /* Clearly more points on one side than on the other: a knob. */
  for (int side = 0; side < 2; side++)
    if (knobs[side] >= 12 && knobs[side] > 4 * knobs[1 - side])
      door->hinge = side ? -1 : 1, door->told = BRIO_HINGE_KNOB;
}

/* Set the pose: x along the panel towards the hinge, z up. The origin is the foot point of the handle on the
** panel, if a handle is given. */
static void place(const seeker *s, const outspread *sheet, brio_cloud_door *door) {
  brio_vec3 x = brio_vec3_unit(brio_vec3_scale(door->hinge < 0 ? -1 : 1, sheet->u), sheet->u), z = s->how->up;
  brio_vec3 y = brio_vec3_cross(z, x);
  brio_transform t = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}, door->pose.p};
  if (s->how->has_near) {
    double off = brio_vec3_dot(brio_vec3_sub(s->how->near, sheet->origin), sheet->normal);
    t.p = brio_vec3_add_scaled(s->how->near, -off, sheet->normal);
  }
  door->pose = brio_pose_of(&t);
}

/* Return the upright plane at the handle: the nearest one, and of several at about one distance the one most
** like a door; -1: there is none. */
static int at_handle(const seeker *s) {
  int best = -1;
  double least = HUGE_VAL;
  for (int k = 0; k < s->found->count; k++) {
    double off, beside = brio_cloud_plane_beside(&s->found->planes[k], s->how->near, &off);
    const brio_cloud_plane *plane = &s->found->planes[k];
    /* Too far from the plane, beside it, or too narrow. */
    if (fabs(off) > HANDLE_OFF || beside > HANDLE_BESIDE || plane->size[0] < 0.4) continue;
    /* A plane whose middle is far away may still be a wide panel, but not a door. */
    if (brio_vec3_norm(brio_vec3_sub(plane->pose.p, s->how->near)) > s->how->within &&
        plane->size[0] < s->how->height[1])
      continue;
    outspread sheet;
    brio_cloud_door door;
    lay_flat(s, k, &sheet);
    describe(s, k, &sheet, &door);
    /* A handle behind the panel is unlikely. */
    double cost = fabs(off) + beside + 0.1 * (1 - door.score) + (off < -0.05 ? 0.1 : 0);
    if (cost < least) least = cost, best = k;
  }
  return best;
}

/* For qsort: best score first, then most points. */
static int by_score(const void *a, const void *b) {
  const brio_cloud_door *p = a, *q = b;
  return p->score != q->score ? (p->score < q->score) - (p->score > q->score) : q->points - p->points;
}

/* Examine one plane. Return false if it does not have a door's size; with a handle, any size is accepted. */
static bool look_at(const seeker *s, int k, brio_cloud_door *door) {
  const brio_cloud_plane *plane = &s->found->planes[k];
  outspread sheet;
  /* Cheap conditions first: lay_flat costs O(points). */
  if (!s->how->has_near && (plane->size[0] < s->how->height[0] || plane->size[1] < 0.8 * s->how->width[0]))
    return false;
  lay_flat(s, k, &sheet);
  follow_edges(s, &sheet, plane->noise);
  describe(s, k, &sheet, door);
  if (!s->how->has_near && door->score <= 0) return false;
  tell_hinge(s, k, &sheet, door);
  place(s, &sheet, door);
  return true;
}

/* Find the doors among the upright planes. Errors: unreachable (there is none). */
static bool seek(const seeker *s, brio_cloud_door *doors, int *count, brio_error *err) {
  if (s->how->has_near) {
    int k = at_handle(s);
    /* With a handle there is one door at most. */
    if (k >= 0 && look_at(s, k, doors)) return *count = 1, true;
    return brio_fail(err, BRIO_UNREACHABLE,
                     "no door panel at (%.2f, %.2f, %.2f): none of the %d upright planes is there",
                     s->how->near.x, s->how->near.y, s->how->near.z, s->found->count);
  }
  for (int k = 0; k < s->found->count; k++) {
    brio_cloud_door door;
    if (!look_at(s, k, &door)) continue;
    /* A full list drops its worst entry. */
    if (*count < BRIO_CLOUD_DOORS)
      doors[(*count)++] = door;
    else if (door.score > doors[BRIO_CLOUD_DOORS - 1].score)
      doors[BRIO_CLOUD_DOORS - 1] = door;
    qsort(doors, (size_t)*count, sizeof *doors, by_score);
  }
  return *count > 0 ||
         brio_fail(err, BRIO_UNREACHABLE,
                   "no door panel: of %d upright planes none is %.2f to %.2f m wide and %.2f to "
                   "%.2f m high",
                   s->found->count, s->how->width[0], s->how->width[1], s->how->height[0], s->how->height[1]);
}

bool brio_cloud_door_panels(brio_cloud_door *doors, int *count, const brio_cloud *cloud,
                            const brio_cloud_door_how *given, brio_error *err) {
  brio_cloud_door_how how = complete(given);
  brio_cloud_planes found = {0};
  *count = 0;
  if (!check(&how, err)) return false;
  /* Only upright planes are searched. */
  brio_cloud_planes_how upright = {.up = how.up, .lean = how.lean};
  seeker s = {cloud, &how, &found, malloc(((size_t)(cloud->count - cloud->missing) + 1) * sizeof *s.flat)};
  bool fine = s.flat != NULL ||
              brio_fail(err, BRIO_NO_MEMORY, "no memory to look for doors in %d points", cloud->count);
  fine = fine && brio_cloud_planes_find(&found, cloud, &upright, err) && seek(&s, doors, count, err);
  free(s.flat);
  brio_cloud_planes_end(&found);
  return fine;
}

const char *brio_cloud_hinge_name(brio_cloud_hinge told) {
  static const char *const names[BRIO_HINGE_NWAY] = {"unknown", "handle", "ajar", "knob"};
  return told >= 0 && told < BRIO_HINGE_NWAY ? names[told] : "unknown";
}
