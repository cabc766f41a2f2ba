/* The front of points: the line at which a set of points begins, found strip by strip.
**
** The front of a strip is its first place with three points close together, as single points are noise. The
** line is the best of all lines through two fronts: MSAC (Torr and Zisserman, "MLESAC", 2000) over every pair
** instead of random ones, so that the result repeats. A front behind the line may be due to occlusion; a
** front before it is evidence against the line. The line is fitted to its strips by least squares, and
** searched again along its own direction, since strips across an oblique edge begin too early. O(points +
** strips^3) */
#include "cloud/surfaces/rim.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 8, TOGETHER = 3, MIN_STRIPS = 6, POINTS_A_STRIP = 24, SEEN = 20000, LOOKS = 24 };

static const double STRIP = 2.5;       /* the least width of a strip, in what points are apart */
static const double NEAR = 0.03;       /* m within which points are together, where they are dense */
static const double STEEPEST = 1.2;    /* the slope of a line against y, at most */
static const double HIDDEN_COST = 0.6; /* of a front behind the line, in that of one before it */

/* The fronts of the strips that have one. */
typedef struct fronts {
  double x[BRIO_CLOUD_RIM_STRIPS], y[BRIO_CLOUD_RIM_STRIPS];
  double width; /* of a strip */
  int count;
} fronts;

/* Insert x into the KEPT least values, ascending. O(KEPT) */
static void keep(double *least, int *count, double x) {
  assert(*count >= 0 && *count <= KEPT);
  if (*count == KEPT && x >= least[KEPT - 1]) return;
  /* Insertion sort: shift the greater ones. */
  int at = *count < KEPT ? (*count)++ : KEPT - 1;
  while (at > 0 && least[at - 1] > x) least[at] = least[at - 1], at--;
  least[at] = x;
}

/* Find the fronts, in the frame whose y axis is `direction`. Strips without a front are left out.
** O(points) */
static void find_fronts(fronts *f, const double (*points)[2], int count, const double direction[2],
                        double low, double high, double apart) {
  double least[BRIO_CLOUD_RIM_STRIPS][KEPT];
  int kept[BRIO_CLOUD_RIM_STRIPS] = {0};
  /* As many strips as the points allow, none narrower than a few spacings of points. */
  int strips = (int)fmin(count / POINTS_A_STRIP, (high - low) / fmax(STRIP * apart, 1e-6));
  strips = strips < MIN_STRIPS            ? MIN_STRIPS
           : strips > BRIO_CLOUD_RIM_STRIPS ? BRIO_CLOUD_RIM_STRIPS
                                            : strips;
  /* Of each strip only the KEPT nearest places are stored: a front farther back is not found. */
  for (int i = 0; i < count; i++) {
    double x = direction[1] * points[i][0] - direction[0] * points[i][1];
    double y = direction[0] * points[i][0] + direction[1] * points[i][1],
           at = (y - low) / (high - low) * strips;
    if (!(at >= 0 && at < strips)) continue;
    keep(least[(int)at], &kept[(int)at], x);
  }
  f->count = 0;
  f->width = (high - low) / strips;
  /* The first place with enough others close behind it. */
  for (int s = 0; s < strips; s++) {
    double side = low + (s + 0.5) * (high - low) / strips;
    for (int k = 0; k + TOGETHER <= kept[s]; k++) {
      if (least[s][k + TOGETHER - 1] - least[s][k] > fmax(NEAR, STRIP * apart)) continue;
      assert(f->count < BRIO_CLOUD_RIM_STRIPS);
      f->x[f->count] = least[s][k], f->y[f->count++] = side;
      break;
    }
  }
}

/* A line x = at + slope y. */
typedef struct line {
  double at, slope;
} line;

/* The cost of a line: squared distances within `most`, a constant beyond, less for fronts behind the line.
** O(strips) */
static double line_cost(const fronts *f, line l, double most) {
  double cost = 0;
  for (int s = 0; s < f->count; s++) {
    /* Positive where the front is behind the line. */
    double off = f->x[s] - l.at - l.slope * f->y[s], square = off * off / (most * most);
    cost += square < 1 ? square : off > 0 ? HIDDEN_COST : 1;
  }
  return cost;
}

/* The line of least cost of all lines through two fronts that are not steeper than STEEPEST. O(strips^3) */
static line best_line(const fronts *f, double most) {
  line best = {0, 0};
  double least = HUGE_VAL;
  for (int a = 0; a < f->count; a++)
    for (int b = a + 1; b < f->count; b++) {
      line l = {.slope = (f->x[b] - f->x[a]) / (f->y[b] - f->y[a])};
      l.at = f->x[a] - l.slope * f->y[a];
      double cost = fabs(l.slope) <= STEEPEST ? line_cost(f, l, most) : HUGE_VAL;
      if (cost < least) least = cost, best = l;
    }
  return best;
}

/* Fit the line to the fronts on it, in rounds. Write which these are, their number, and their error (root
** mean square, m). Return false if they are too few. */
static bool fit_line(const fronts *f, double most, line *l, bool *on, int *count, double *error) {
  for (int round = 0; round < 4; round++) {
    double n = 0, x = 0, y = 0, xy = 0, yy = 0, square = 0;
    for (int s = 0; s < f->count; s++) {
      double off = f->x[s] - l->at - l->slope * f->y[s];
      /* Fronts within `most` of the present line count; the next round uses the line fitted to them. */
      on[s] = fabs(off) <= most;
      if (!on[s]) continue;
      n++, x += f->x[s], y += f->y[s], xy += f->x[s] * f->y[s], yy += f->y[s] * f->y[s], square += off * off;
    }
    *count = (int)n;
    if (n < 3 || !(yy - y * y / n > 0)) return false;
    *error = sqrt(square / n);
    /* The regression of x on y: covariance by variance. */
    l->slope = (xy - x * y / n) / (yy - y * y / n);
    l->at = (x - l->slope * y) / n;
  }
  return true;
}

/* Find the rim in the frame of `direction`, and rotate the direction to it. Return false if there is none. */
static bool find_in(brio_cloud_rim *rim, const double (*points)[2], int count, double low, double high,
                    double most, double spacing) {
  fronts f;
  bool on[BRIO_CLOUD_RIM_STRIPS];
  int fitting;
  find_fronts(&f, points, count, rim->direction, low, high, spacing);
  if (f.count < MIN_STRIPS) return false;
  line l = best_line(&f, most);
  /* A line with less than a third of the fronts is not an edge. */
  if (!fit_line(&f, most, &l, on, &fitting, &rim->error) || 3 * fitting < f.count) return false;
  /* The rim ends with the outermost strips on the line. */
  double first = HUGE_VAL, last = -HUGE_VAL, n = sqrt(1 + l.slope * l.slope);
  for (int s = 0; s < f.count; s++)
    if (on[s]) first = fmin(first, f.y[s]), last = fmax(last, f.y[s]);
  double y = (first + last) / 2, x = l.at + l.slope * y;
  const double d[2] = {rim->direction[0], rim->direction[1]};
  /* Back from the frame of the direction to that of the points. */
  rim->middle[0] = d[1] * x + d[0] * y, rim->middle[1] = -d[0] * x + d[1] * y;
  rim->direction[0] = (d[1] * l.slope + d[0]) / n, rim->direction[1] = (-d[0] * l.slope + d[1]) / n;
  rim->high = ((last - first) + f.width) / 2 * n, rim->low = -rim->high;
  rim->share = (double)fitting / f.count, rim->strips = fitting;
  return true;
}

/* Return the spacing of the points, m, as if they were spread evenly. O(points) */
static double spacing_of(const double (*points)[2], int count, double low, double high) {
  double first = HUGE_VAL, last = -HUGE_VAL;
  int here = 0;
  for (int i = 0; i < count; i++) {
    if (!(points[i][1] >= low && points[i][1] <= high)) continue;
    first = fmin(first, points[i][0]), last = fmax(last, points[i][0]);
    here++;
  }
  return here > 0 ? sqrt((high - low) * (last - first) / here) : 0;
}

bool brio_cloud_rim_find(brio_cloud_rim *rim, const double (*points)[2], int count, double low, double high,
                         double noise) {
  *rim = (brio_cloud_rim){.direction = {0, 1}};
  if (count < MIN_STRIPS * TOGETHER || !(high > low)) return false;
  double apart = spacing_of(points, count, low, high), rough = fmax(0.02, fmax(4 * noise, apart));
  /* A coarse pass along y, then two finer ones along the edge found so far; a pass that fails changes
  ** nothing. */
  if (!find_in(rim, points, count, low, high, rough, apart)) return false;
  for (int round = 0; round < 2; round++) {
    /* The position of the middle along the new direction. */
    double y = rim->direction[0] * rim->middle[0] + rim->direction[1] * rim->middle[1];
    /* At least half of the given range, so that a rim that was found too short can grow. */
    double half = fmax(rim->high, (high - low) / 4);
    brio_cloud_rim again = *rim;
    if (find_in(&again, points, count, y - half, y + half, rough / 2, apart)) *rim = again;
  }
  return true;
}

/* What the sensor sees next to a place: 1 something farther, -1 something nearer, 0 nothing. O(points /
** stride) */
static int look_beside(const brio_cloud *cloud, brio_vec3 place, int stride) {
  brio_vec3 eye = cloud->viewpoint.p, to = brio_vec3_sub(place, eye);
  double range = brio_vec3_norm(to), narrow = cos(0.014);
  double before = 0.1 + 0.05 * range; /* the surface itself, seen at a slant, is nearer by less */
  int farther = 0, nearer = 0;
  /* Rays within 0.014 rad of the place; comparing squares avoids a square root for each point. */
  for (int i = 0; i < cloud->count; i += stride) {
    if (!brio_cloud_has(cloud, i)) continue;
    brio_vec3 ray = brio_vec3_sub(brio_cloud_point(cloud, i), eye);
    double dot = brio_vec3_dot(ray, to), square = brio_vec3_dot(ray, ray);
    if (dot <= 0 || dot * dot < narrow * narrow * square * range * range) continue;
    if (square > (range + 0.05) * (range + 0.05))
      farther++;
    else if (square < (range - before) * (range - before))
      nearer++;
  }
  /* By majority of the points on these rays. */
  return farther > nearer ? 1 : nearer > 0 ? -1 : 0;
}

brio_cloud_beyond brio_cloud_rim_beyond(const brio_cloud *cloud, brio_vec3 from, brio_vec3 to,
                                        brio_vec3 out) {
  brio_cloud_beyond beyond = {0, 0, 0};
  /* LOOKS places along the rim, 6 cm outside of it, each counting for its share. */
  for (int k = 0; k < LOOKS; k++) {
    brio_vec3 at = brio_vec3_add_scaled(from, (k + 0.5) / LOOKS, brio_vec3_sub(to, from));
    int seen = look_beside(cloud, brio_vec3_add_scaled(at, 0.06, out), cloud->count / SEEN + 1);
    *(seen > 0 ? &beyond.open : seen < 0 ? &beyond.hidden : &beyond.unseen) += 1.0 / LOOKS;
  }
  return beyond;
}
