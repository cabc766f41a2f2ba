/* A link that can be moved every way: one row, the root of
**   t = s^2 tr((J J^T + s^2)^-1) = sum over the singular values v of J of  s^2 / (v^2 + s^2),
** which counts the ways that the link can hardly be moved: each of them adds 1 as v goes to 0, and nothing
** once it is well above s.  Unlike the product of all v (Yoshikawa, "Manipulability of robotic mechanisms",
** 1985) it is smooth in a singular pose as well, and shows the way out of it.
** Slope: dt = -s^2 tr(B^2 d(J J^T)),  B = (J J^T + s^2)^-1. */
#include <string.h>

#include "robot/derivative.h"
#include "solver/terms/term.h"

typedef struct manipulability {
  int link;
  bool turns;
  double softness, lever; /* m/rad */
} manipulability;

/* Rows of a twist: three of moving, three of turning. */
enum { N = 6 };

/* Invert the leading n x n of a symmetric, positive definite 6 x 6 in place (Gauss and Jordan). No
** pivoting is needed: the added s^2 keeps every pivot positive. */
static void invert(double *a, int n) {
  for (int k = 0; k < n; k++) {
    double pivot = 1 / a[N * k + k];
    a[N * k + k] = 1;
    for (int j = 0; j < n; j++) a[N * k + j] *= pivot;
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      double factor = a[N * i + k];
      a[N * i + k] = 0;
      for (int j = 0; j < n; j++) a[N * i + j] -= factor * a[N * k + j];
    }
  }
}

/* Write s^2 B^2 from B, the rows and columns of rotation times `lever`. */
static void square(const double *b, int n, double s2, double lever, double *out) {
  memset(out, 0, N * N * sizeof *out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += b[N * i + k] * b[N * k + j];
      out[N * i + j] = s2 * sum * (i < 3 ? 1 : lever) * (j < 3 ? 1 : lever);
    }
}

/* O(joints that carry the link): J J^T is summed up without forming J. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const manipulability *term = self;
  (void)goal;
  int n = term->turns ? 6 : 3, nv = at->robot->nv;
  double b[N * N], g[N * N], s2 = term->softness * term->softness, t = 0;
  brio_vec3 p = at->state->links[term->link].p;
  brio_state_gram(at->state, term->link, p, b);
  /* Radians become meters by the lever, and s^2 is added to the diagonal. */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      b[N * i + j] = b[N * i + j] * (i < 3 ? 1 : term->lever) * (j < 3 ? 1 : term->lever) + (i == j ? s2 : 0);
  invert(b, n);
  /* t = s^2 tr(B); the row is its root, so that a quadratic loss gives t / 2. */
  for (int i = 0; i < n; i++) t += s2 * b[N * i + i];
  r[0] = sqrt(fmax(t, 1e-300));
  if (!jacobian) return 1;
  square(b, n, s2, term->lever, g);
  brio_state_add_gram_slope(at->state, term->link, p, g, jacobian);
  for (int j = 0; j < nv; j++) jacobian[j] *= -0.5 / r[0];
  return 1;
}

static const brio_param params[] = {
    BRIO_PARAM_OF_LINK(manipulability),
    {.name = "turns",
     .unit = "",
     .doc = "Whether rotations count as well as translations.",
     .type = BRIO_PARAM_FLAG,
     .offset = offsetof(manipulability, turns),
     .fallback = 1},
    {.name = "softness",
     .unit = "m/rad",
     .doc = "A direction with less motion than this per radian of the joints counts as poor.",
     .offset = offsetof(manipulability, softness),
     .fallback = 0.05,
     .lower = 1e-3,
     .upper = 10},
    {.name = "lever",
     .unit = "m/rad",
     .doc = "Meters of translation that count as much as one radian of rotation.",
     .offset = offsetof(manipulability, lever),
     .fallback = 0.2,
     .lower = 0.01,
     .upper = 10},
    {0}};

const brio_objective_kind brio_objective_manipulability = {
  .name = "manipulability",
  .doc = "Keeps a link where it can move and turn in every direction, away from singular poses.",
  .example = "{link = \"panda_hand\"}",
  .category = "basic",
  .params = params,
  .size = sizeof(manipulability),
  .loss = &brio_loss_quadratic,
  .lively = &brio_loss_quadratic,
  .rows = brio_term_one_row,
  .residual = residual,
};
