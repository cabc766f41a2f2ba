/* The area that carries a robot, for terms that keep a point of the ground inside it: the convex hull of
** points, seen from above, as its edges.  Private to the solver room. */
#ifndef BRIO_SOLVER_TERMS_SUPPORT_H
#define BRIO_SOLVER_TERMS_SUPPORT_H

#include "solver/terms/term.h"

enum { BRIO_SUPPORT_EDGES = BRIO_GOAL_ITEMS, BRIO_SUPPORT_SCRATCH = 3 /* rows */ };

typedef struct brio_support {
  int nedge;
  double height;                                       /* m: of the ground, the mean of the points */
  double x[BRIO_SUPPORT_EDGES], y[BRIO_SUPPORT_EDGES]; /* of each edge: its normal, to the inside */
  double offset[BRIO_SUPPORT_EDGES]; /* m: x px + y py - offset is how far inside a point is */
} brio_support;

/* accept(): the points of a goal must span an area. */
bool brio_support_accept(const void *self, const brio_goal *goal, brio_error *err);

/* Find the edges of the hull of a goal's points, once a solve.  O(n^2), nearly n where they are sorted. */
void brio_support_update(brio_support *support, const brio_goal *goal);

/* rows(): one for each edge, and three of scratch, which begin at row BRIO_SUPPORT_EDGES of a Jacobian. */
int brio_support_rows(const void *self, const brio_robot *robot);

/* Write a row for each edge that the point (p[0] / p[2], p[1] / p[2]) is nearer to than `margin`, or beyond:
**     p[2] (margin - inside),  m
** and return how many.  Unless NULL, `rest` (x, y) is a point that is allowed: where it is nearer to an edge
** than the margin, that edge's margin is its own distance.  `slopes` has the rows d p / d tangent (3 x nv)
** where `jacobian` is not NULL. */
int brio_support_residual(const brio_support *support, double margin, const double *rest, const double p[3],
                          const double *slopes, int nv, double *r, double *jacobian);

#endif
