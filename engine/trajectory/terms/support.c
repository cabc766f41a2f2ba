/* The centre of mass is above the support polygon, the convex hull (from above) of a phase's contacts with
** the world.  A row for each edge: the distance on its inner side, less `margin`, m.  Hull: Andrew's monotone
** chain, O(n) for sorted points; the n points, at most 64, are sorted by insertion, O(n^2). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "trajectory/term.h"

enum { MOST_CORNERS = 64 };

typedef struct support {
  double margin;
} support;

static const brio_trajectory_param params[] = {
    {.name = "margin",
     .unit = "m",
     .doc = "least distance from the edges",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(support, margin),
     .fallback = 0,
     .lower = -1,
     .upper = 1},
    {.name = NULL},
};

/* Insert a point in the order of x, then y; further points are ignored when the list is full.  Return the
** number of points. */
static int insert(brio_vec3 *points, int count, brio_vec3 p) {
  int at = count;
  if (count >= MOST_CORNERS) return count;
  /* move the points behind it up */
  for (; at > 0 && (points[at - 1].x > p.x || (points[at - 1].x == p.x && points[at - 1].y > p.y)); at--)
    points[at] = points[at - 1];
  points[at] = p;
  return count + 1;
}

/* Write the points of a phase's contacts with the world that can only push: origins of points, corners of
** soles.  Return their number. */
static int gather(const brio_trajectory_phase *phase, brio_vec3 *points) {
  int count = 0;
  for (int c = 0; c < phase->ncontact; c++) {
    const brio_trajectory_contact *contact = &phase->contacts[c];
    if (contact->hold.other >= 0 || !(contact->friction < HUGE_VAL)) continue;
    /* a sole has four corners */
    for (int k = 0; k < (contact->hold.rigid ? 4 : 1); k++) {
      brio_vec3 corner = {0, 0, 0};
      if (contact->hold.rigid)
        corner = (brio_vec3){(k & 1 ? 1 : -1) * contact->half[0], (k & 2 ? 1 : -1) * contact->half[1], 0};
      brio_vec3 p =
          brio_vec3_add(contact->hold.on_other.p, brio_quat_rotate(contact->hold.on_other.q, corner));
      count = insert(points, count, p);
    }
  }
  return count;
}

/* Return twice the signed area of a triangle seen from above; above 0: counterclockwise. */
static double area(brio_vec3 a, brio_vec3 b, brio_vec3 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Write the hull's corners, counterclockwise.  Return their number; 0: the points have no area. */
static int hull_of(const brio_trajectory_phase *phase, brio_vec3 hull[2 * MOST_CORNERS]) {
  brio_vec3 points[MOST_CORNERS];
  int count = gather(phase, points), n = 0;
  /* the lower chain, then the upper one back */
  for (int side = 0, least = 0; side < 2 && count > 2; side++, least = n - 1) {
    for (int i = side ? count - 2 : 0; i >= 0 && i < count; i += side ? -1 : 1) {
      while (n >= least + 2 && area(hull[n - 2], hull[n - 1], points[i]) <= 1e-12) n--;
      hull[n++] = points[i];
    }
  }
  assert(n <= 2 * MOST_CORNERS);
  /* the last corner is the first one again */
  return n > 3 ? n - 1 : 0;
}

/* One row for each edge of the hull. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)t;
  brio_vec3 hull[2 * MOST_CORNERS];
  return hull_of(phase, hull);
}

/* The distance of the centre of mass from each edge's line, inside above 0, less the margin. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const support *own = self;
  const brio_trajectory *t = at->trajectory;
  brio_vec3 hull[2 * MOST_CORNERS], com = at->state->com;
  int count = hull_of(at->phase, hull), nv = t->robot->nv;
  double *jacobian = t->between;
  if (slopes) brio_state_com_jacobian(at->state, jacobian);
  for (int i = 0; i < count; i++) {
    brio_vec3 a = hull[i], b = hull[(i + 1) % count];
    /* the edge's inner normal, counterclockwise: to its left */
    double length = hypot(b.x - a.x, b.y - a.y), nx = -(b.y - a.y) / length, ny = (b.x - a.x) / length;
    r[i] = nx * (com.x - a.x) + ny * (com.y - a.y) - own->margin;
    for (int k = 0; slopes && k < t->ndof; k++)
      slopes[i * t->nz + k] = nx * jacobian[t->first + k] + ny * jacobian[nv + t->first + k];
  }
}

/* At least 0: inside of every edge, by the margin. */
static void bounds(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase,
                   double *lower, double *upper) {
  brio_trajectory_not_negative(rows(self, t, phase), lower, upper);
}

const brio_trajectory_term_kind brio_trajectory_term_support = {
    .name = "support",
    .doc = "The centre of mass is above the area between the contacts.",
    .example = "{ margin = 0.02 }",
    .params = params,
    .size = sizeof(support),
    .rows = rows,
    .evaluate = evaluate,
    .bounds = bounds,
};
