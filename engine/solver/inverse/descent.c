/* Downhill from one start: Levenberg and Marquardt's method in a box.
**
** A step solves (J'J + damping) step = -J'r among the numbers that are free: not held, and not at an end
** that they press against. A number whose step would leave the box stops at its end, and the others are
** solved again with that step given, so that the result is still the best step within the box. The damping
** grows with the cost (Sugihara, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt
** method", 2011), and where a step did not lower it. A start is abandoned as soon as several steps in a row
** gain little: another start is likely to be nearer. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "math/sincos.h"
#include "solver/inverse/inverse_internal.h"

static const double SHARE = 0.1;    /* damping per unit of the cost, */
static const double FLOOR = 1e-9;   /* and its minimum */
static const double WIN = 0.7;      /* a step that leaves more than this share of the cost gains little */
enum { BOX_PASSES = 3, WORSE = 6 }; /* attempts to step within the box; to lower the cost */

/* Return the dot product of `count` (even) numbers, two at a time. */
static inline double dot(const double *a, const double *b, int count) {
  brio_pair sum = {0, 0};
  for (int i = 0; i < count; i += 2) sum += brio_pair_load(a + i) * brio_pair_load(b + i);
  return sum[0] + sum[1];
}

/* Fill in gradient J'r and the lower half of J'J from columns and rows. O(n^2 rows). */
static void assemble(brio_inverse *inverse) {
  int n = inverse->n;
  assert(inverse->rows % 2 == 0 && inverse->rows <= inverse->row_room);
  for (int i = 0; i < n; i++) {
    const double *column = inverse->columns + i * inverse->row_room;
    inverse->gradient[i] = dot(column, inverse->r, inverse->rows);
    for (int j = 0; j <= i; j++)
      inverse->matrix[i * n + j] = dot(column, inverse->columns + j * inverse->row_room, inverse->rows);
    /* The draw to the posture is one more residual for each number. */
    if (inverse->draw > 0) {
      inverse->gradient[i] += inverse->draw * (inverse->x[i] - inverse->pull[i]);
      inverse->matrix[i * n + i] += inverse->draw;
    }
  }
}

/* List the numbers that may move; the steps of all others are 0. Return how many. */
static int list_free(brio_inverse *inverse) {
  int count = 0;
  for (int i = 0; i < inverse->n; i++) {
    double x = inverse->x[i], g = inverse->gradient[i];
    /* At an end a number is stuck if going downhill leads out of the box. */
    bool stuck = inverse->held[i] || (x <= inverse->lower[i] && g > 0) || (x >= inverse->upper[i] && g < 0);
    inverse->step[i] = 0;
    if (!stuck) inverse->free[count++] = i;
  }
  return count;
}

/* Factor the matrix of the `count` free numbers with `damping` (Cholesky, by rows); false: not positive.
** O(count^3). */
static bool factor(brio_inverse *inverse, int count, double damping) {
  int n = inverse->n;
  double *l = inverse->factor;
  for (int i = 0; i < count; i++) {
    const double *row = inverse->matrix + inverse->free[i] * n;
    for (int j = 0; j <= i; j++) {
      double sum = row[inverse->free[j]] + (i == j ? damping : 0);
      for (int k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      if (i == j && !(sum > 0)) return false;
      l[i * n + j] = i == j ? 1 / sqrt(sum) : sum * l[j * n + j]; /* the diagonal is kept inverted */
    }
  }
  return true;
}

/* Element (i, j) of the symmetric matrix whose lower half is stored. */
static double element(const brio_inverse *inverse, int i, int j) {
  return i >= j ? inverse->matrix[i * inverse->n + j] : inverse->matrix[j * inverse->n + i];
}

/* Solve for the steps of the free numbers; the steps of the others are given, and `fixed` of them are not
** 0. */
static void solve(brio_inverse *inverse, int count, int fixed) {
  const double *l = inverse->factor;
  double *y = inverse->nearby;
  int n = inverse->n;
  /* The right-hand side: fixed steps move the gradient of the free numbers. */
  for (int i = 0; i < count; i++) {
    y[i] = -inverse->gradient[inverse->free[i]];
    for (int j = 0; fixed > 0 && j < n; j++)
      if (inverse->step[j] != 0) y[i] -= element(inverse, inverse->free[i], j) * inverse->step[j];
  }
  /* Substitute forwards, then back; diagonals are stored inverted. */
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < i; k++) y[i] -= l[i * n + k] * y[k];
    y[i] *= l[i * n + i];
  }
  for (int i = count - 1; i >= 0; i--) {
    for (int k = i + 1; k < count; k++) y[i] -= l[k * n + i] * y[k];
    y[i] *= l[i * n + i];
  }
}

/* Stop the steps that would leave the box at its end, and remove their numbers from the free ones;
** return how many of `count` are left. */
static int stop_at_ends(brio_inverse *inverse, int count) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    assert(inverse->free[i] >= 0 && inverse->free[i] < inverse->n);
    int j = inverse->free[i];
    double to = inverse->x[j] + inverse->nearby[i];
    double within = brio_clamp(to, inverse->lower[j], inverse->upper[j]);
    if (within == to)
      inverse->free[left++] = j;
    else
      inverse->step[j] = within - inverse->x[j];
  }
  return left;
}

/* Find the step within the box; false: the matrix is not positive. */
static bool find_step(brio_inverse *inverse, double damping) {
  int count = list_free(inverse), fixed = 0;
  /* Each pass fixes the numbers that hit an end, and solves again for the others. */
  for (int pass = 0; count > 0 && pass < BOX_PASSES; pass++) {
    if (!factor(inverse, count, damping)) return false;
    solve(inverse, count, fixed);
    int left = stop_at_ends(inverse, count);
    if (left == count) break;
    fixed += count - left;
    count = left;
    if (pass == BOX_PASSES - 1) count = 0; /* what is left stays for the next step */
  }
  assert(count >= 0 && count <= inverse->n);
  for (int i = 0; i < count; i++) inverse->step[inverse->free[i]] = inverse->nearby[i];
  return true;
}

/* Set the trial to x plus the step, clamped to the box. */
static void set_trial(brio_inverse *inverse) {
  for (int i = 0; i < inverse->n; i++) {
    double to = inverse->x[i] + inverse->step[i];
    inverse->trial[i] =
        inverse->held[i] ? inverse->x[i] : brio_clamp(to, inverse->lower[i], inverse->upper[i]);
  }
}

/* Take one step from x, where all is evaluated, that lowers the cost. `scale` of the damping is kept
** between steps. Return the share of the cost that is left; 1: no step lowered it, and the evaluation at x
** is lost. */
static double take_step(brio_inverse *inverse, double *scale) {
  double before = inverse->cost;
  brio_inverse_slopes(inverse);
  assemble(inverse);
  for (int attempt = 0; attempt < WORSE && inverse->iterations < inverse->most; attempt++) {
    if (!find_step(inverse, *scale * (SHARE * before + FLOOR))) return 1;
    set_trial(inverse);
    /* Each attempt costs one evaluation, which counts as an iteration. */
    brio_inverse_evaluate(inverse, inverse->trial);
    inverse->iterations++;
    /* Swap buffers; a step that lowered the cost relaxes the damping, any other raises it. */
    if (inverse->cost < before) {
      double *x = inverse->x;
      inverse->x = inverse->trial;
      inverse->trial = x;
      *scale = fmax(*scale * 0.25, 1);
      return inverse->cost / before;
    }
    *scale *= 8;
  }
  return 1;
}

/* Descend without asking whether the goals are met: with a draw to a posture, they may be met all along. */
void brio_inverse_walk(brio_inverse *inverse, int steps) {
  double scale = 1;
  brio_inverse_evaluate(inverse, inverse->x);
  for (int k = 0; k < steps && inverse->iterations < inverse->most; k++)
    if (take_step(inverse, &scale) >= 1) return;
}

/* O(most * (n^2 rows + n^3)). */
bool brio_inverse_descend(brio_inverse *inverse, int most, int patience) {
  double scale = 1;
  int poor = 0;
  brio_inverse_evaluate(inverse, inverse->x);
  for (int k = 0; k < most && inverse->iterations < inverse->most; k++) {
    if (brio_inverse_met(inverse)) return true;
    double share = take_step(inverse, &scale);
    if (share >= 1) {
      brio_inverse_evaluate(inverse, inverse->x);
      return brio_inverse_met(inverse);
    }
    /* After several poor steps in a row another start gains more. */
    poor = share > WIN ? poor + 1 : 0;
    if (poor >= patience) break;
  }
  return brio_inverse_met(inverse);
}
