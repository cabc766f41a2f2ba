/* Residuals of the optimality (KKT) conditions, divided by the mean multiplier where that exceeds 100.
** Source: Waechter, Biegler, "On the implementation of an interior-point filter line-search algorithm for
** large-scale nonlinear programming", 2006, section 2.1. */
#include <math.h>
#include <string.h>

#include "trajectory/interior/interior.h"
#include "trajectory/matrix.h"

static const double large = 100; /* mean multiplier beyond which residuals are scaled down */

/* Sums of the absolute values of multipliers (of equations and defects) and duals (of inequalities). */
typedef struct sums {
  double multipliers, duals;
  int nmultiplier, ndual;
} sums;

/* Add the sides and equations of a stage to the gradient of the Lagrangian. */
static void add_multipliers(const brio_interior *interior, const brio_interior_stage *s, double *gradient,
                            sums *sum) {
  int nz = interior->nz;
  for (int i = 0; i < s->nside + s->nequal; i++) {
    bool equal = i >= s->nside;
    const brio_interior_side *side = equal ? &s->equals[i - s->nside] : &s->sides[i];
    /* L = f - y^T g + lambda^T c */
    double weight = equal ? s->multiplier[i - s->nside] : -side->gain * s->dual[i];
    if (side->row < 0)
      gradient[-1 - side->row] += weight;
    else
      for (int c = 0; c < nz; c++) gradient[c] += weight * s->slope[side->row * nz + c];
    if (equal)
      sum->multipliers += fabs(weight), sum->nmultiplier++;
    else
      sum->duals += s->dual[i], sum->ndual++;
  }
}

/* Raise `out` to the worst violations of a stage. */
static void worst(const brio_interior_stage *s, double barrier, brio_interior_residual *out) {
  for (int i = 0; i < s->ndefect; i++) out->violation = fmax(out->violation, fabs(s->defect[i]));
  for (int i = 0; i < s->nequal; i++) out->violation = fmax(out->violation, fabs(s->error[i]));
  for (int i = 0; i < s->nside; i++) {
    out->violation = fmax(out->violation, -s->gap[i]);
    out->feasibility = fmax(out->feasibility, fabs(s->gap[i] - s->slack[i]));
    out->complementarity = fmax(out->complementarity, fabs(s->slack[i] * s->dual[i] - barrier));
  }
}

brio_interior_residual brio_interior_residual_of(brio_interior *interior, double barrier) {
  brio_interior_residual out = {0};
  sums sum = {0};
  int nz = interior->nz;
  double *gradient = interior->scratch;
  for (int k = 0; k < interior->nnode; k++) {
    const brio_interior_stage *s = &interior->stages[k], *last = k > 0 ? s - 1 : NULL;
    /* the Lagrangian's gradient by z: the stage's own part, and both defects that contain it */
    memcpy(gradient, s->gradient, (size_t)nz * sizeof *gradient);
    add_multipliers(interior, s, gradient, &sum);
    brio_matrix_add_turned_vector(s->ndefect, nz, 1, s->left, s->costate, gradient);
    if (last) brio_matrix_add_turned_vector(last->ndefect, nz, 1, last->right, last->costate, gradient);
    for (int i = 0; i < nz; i++) out.gradient = fmax(out.gradient, fabs(gradient[i]));
    for (int i = 0; i < s->ndefect; i++) sum.multipliers += fabs(s->costate[i]), sum.nmultiplier++;
    worst(s, barrier, &out);
  }
  /* large multipliers cause large rounding errors in the gradient */
  double all = (sum.multipliers + sum.duals) / fmax(1, sum.nmultiplier + sum.ndual);
  out.gradient *= large / fmax(large, all);
  out.complementarity *= large / fmax(large, sum.duals / fmax(1, sum.ndual));
  out.feasibility = fmax(out.feasibility, out.violation);
  return out;
}
