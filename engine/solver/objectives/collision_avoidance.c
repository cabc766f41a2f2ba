/* Collision avoidance: distances between the robot's bodies, and to shapes.
**
** A pair of physical bodies at distance d (m, negative if they overlap) has the residual
**   h(d) = STEEP x^2,  x = max(0, 1 - d / margin)
** and the cost h^2 / 2.  It is 0 beyond the margin, has a continuous slope there, and grows with the depth of
** an overlap, so the gradient of a pose in contact leads out of it.  Links that are built closer than the
** margin have a smaller margin of their own pair.
**
** The first ROWS - 1 pairs within the margin have a row each.  All further pairs share the last row, the root
** of the sum of their squares, so that none is left out.
**
** Lively 1.1 uses one row, the sum over pairs of  phi(d) + d, with  phi = 0.8808 - 10 d  for an overlap and
** 1 / (1 + exp(100 d - 2)) otherwise.  Its term d makes farther obstacles cost more.  The option
** `lively_losses` selects that form, without Lively's weights by average distances (its average distances
** are taken as very large); pairs beyond the range, also those that are not listed, count as at the range.
**
** The derivative of a distance is normal . (velocity of b's point - velocity of a's point). */
#include <assert.h>

#include "solver/terms/term.h"

enum { ROWS = 32 };

/* The row of a pair at distance 0. */
static const double STEEP = 3;

typedef struct collision_avoidance {
  double margin; /* m */
} collision_avoidance;

/* ROWS, however many pairs are near. */
static int rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return ROWS;
}

/* Pairs farther apart than the margin cost nothing. */
static double reach(const void *self) { return ((const collision_avoidance *)self)->margin; }

/* Shapes that are only watched cost nothing. */
static bool physical(const brio_evaluation *at, const brio_proximity_pair *pair) {
  return at->bodies[pair->body_a].physical && at->bodies[pair->body_b].physical;
}

/* Lively's cost of a distance, and its slope. */
static double lively_cost(double d, double *slope) {
  double step = 1 / (1 + exp(100 * d - 2));
  *slope = d < 0 ? 1 - 10 : 1 - 100 * step * (1 - step);
  return d + (d < 0 ? 0.8808 - 10 * d : step);
}

/* Lively's row: the sum over all pairs, those that are far counting as at the range. */
static int lively_residual(const brio_evaluation *at, double *r, double *jacobian) {
  double seen = 0;
  r[0] = 0;
  for (int i = 0; i < at->npair; i++) {
    const brio_proximity_pair *pair = &at->pairs[i];
    if (!physical(at, pair)) continue;
    seen++;
    bool far = !pair->within || pair->near.distance > at->range;
    double slope;
    r[0] += lively_cost(far ? at->range : pair->near.distance, &slope);
    if (jacobian && !far) brio_term_add_gap_row(at, pair, slope, jacobian);
  }
  /* Pairs that are not listed are far by definition. */
  double none;
  if (at->watched > seen) r[0] += (at->watched - seen) * lively_cost(at->range, &none);
  return 1;
}

/* O(pairs within the reach); the slope of each is a point row of its links. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  if (at->lively) return lively_residual(at, r, jacobian);
  const collision_avoidance *term = self;
  int count = 0;
  double *rest = jacobian ? jacobian + (ROWS - 1) * at->robot->nv : NULL, square = 0;
  /* Pairs listed as within the range; without that list, all. */
  for (int i = 0; i < (at->within ? at->nwithin : at->npair); i++) {
    const brio_proximity_pair *pair = &at->pairs[at->within ? at->within[i] : i];
    if (!pair->within) continue;
    double margin = fmin(term->margin, pair->margin), x = 1 - pair->near.distance / margin;
    if (!(x > 0) || !physical(at, pair)) continue;
    /* h and its slope by the distance; beyond the margin both are 0. */
    double h = STEEP * x * x, slope = -2 * STEEP * x / margin;
    assert(margin > 0);
    if (count < ROWS - 1) {
      r[count] = h;
      if (jacobian) brio_term_add_gap_row(at, pair, slope, jacobian + count * at->robot->nv);
      count++;
    } else {
      square += h * h;
      if (rest) brio_term_add_gap_row(at, pair, h * slope, rest);
    }
  }
  /* The shared row is sqrt(sum of h^2), with slope (sum of h dh) / row. */
  if (square == 0) return count;
  r[count] = sqrt(square);
  for (int j = 0; rest && j < at->robot->nv; j++) rest[j] /= r[count];
  return count + 1;
}

static const brio_param params[] = {
  {.name = "margin", .unit = "m", .doc = "Distance below which a pair costs something.",
   .offset = offsetof(collision_avoidance, margin), .fallback = 0.02, .lower = 0.001, .upper = 0.3},
  {0}};

const brio_objective_kind brio_objective_collision_avoidance = {
    .name = "collision_avoidance",
    .doc = "Keeps the robot clear of itself and of shapes.",
    .example = "{margin = 0.03}",
    .category = "basic",
    .params = params,
    .differs = "Lively adds the distance of all pairs, so that farther obstacles cost more; here pairs "
               "beyond the margin cost nothing, and the gradient of an overlap leads out of it.",
    .size = sizeof(collision_avoidance),
    .needs = BRIO_NEEDS_PAIRS,
    .kinks = "where other points of two shapes become the nearest, or the deepest",
    .loss = &brio_loss_quadratic,
    .lively = &brio_loss_groove_joint,
    .reach = reach,
    .margins = true,
    .rows = rows,
    .residual = residual,
};
