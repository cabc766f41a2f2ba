/* A step of Newton over the chain, by dynamic programming.
**
** The cost to go from stage k is quadratic in its step z, V = z^T P z / 2 + p^T z, at the last one the
** stage's own.  The defect, linear in both steps, gives the state x' of the next stage,
**     x' = -R_x^-1 (L z + R_w w' + d),
** so that V' is a quadratic in z and w'; its minimum over w' gives w' by z, and with the own cost the next P
** and p.  Blocks stay positive definite where the Hessian is.  O(nodes nz^3).
** Source: Rao, Wright, Rawlings, "Application of interior-point methods to model predictive control", 1998.
 */
#include <string.h>

#include "trajectory/interior/interior.h"
#include "trajectory/matrix.h"

/* What a step of a velocity (rad/s or m/s) or of the stretch costs, of the scaled objective: where the cost
** hardly depends on them, as on velocities at a free end, they would go far for nothing.  Steps alone cost:
** the answer is the same. */
static const double held_u = 1e-3, held_s = 1e-2;

/* Add weight v v^T and slope v of a side or equation: v is a row's slope, or a unit vector. */
static void add_side(const brio_interior *interior, brio_interior_stage *s, const brio_interior_side *side,
                     double weight, double slope) {
  int nz = interior->nz;
  if (side->row < 0) {
    int i = -1 - side->row;
    s->value[i * (nz + 1)] += weight * side->gain * side->gain;
    s->value_slope[i] += slope * side->gain;
    return;
  }
  const double *v = s->slope + side->row * nz;
  brio_matrix_add_square(nz, weight * side->gain * side->gain, v, s->value);
  for (int i = 0; i < nz; i++) s->value_slope[i] += slope * side->gain * v[i];
}

/* A stage's own cost: Hessian, barrier and equations; then the upper half. */
static void assemble(const brio_interior *interior, brio_interior_stage *s) {
  int nz = interior->nz;
  memcpy(s->value, s->hessian, (size_t)(nz * nz) * sizeof *s->value);
  memcpy(s->value_slope, s->gradient, (size_t)nz * sizeof *s->value_slope);
  const brio_trajectory *t = interior->trajectory;
  for (int i = 0; i < nz; i++) s->value[i * (nz + 1)] += interior->damping;
  for (int i = t->ndof; i < t->nstate; i++) s->value[i * (nz + 1)] += i < 2 * t->ndof ? held_u : held_s;
  for (int i = 0; i < s->nside; i++) {
    double ratio = s->dual[i] / s->slack[i];
    add_side(interior, s, &s->sides[i], ratio,
             ratio * (s->gap[i] - s->slack[i]) - interior->barrier / s->slack[i]);
  }
  for (int i = 0; i < s->nequal; i++)
    add_side(interior, s, &s->equals[i], 1 / interior->proximal,
             s->multiplier[i] + s->error[i] / interior->proximal);
  for (int i = 0; i < nz; i++)
    for (int j = 0; j < i; j++) s->value[j * nz + i] = s->value[i * nz + j];
}

/* Write the next stage's state by this one's step and the next torques: rows n, columns nz, nz - n, 1. */
static bool predict(const brio_interior *interior, brio_interior_stage *s, double *by) {
  int nz = interior->nz, n = s->ndefect, nw = nz - n, wide = nz + nw + 1;
  for (int i = 0; i < n; i++) {
    double *row = by + i * wide;
    memcpy(s->factors + i * n, s->right + i * nz, (size_t)n * sizeof *row);
    for (int c = 0; c < nz; c++) row[c] = -s->left[i * nz + c];
    for (int c = 0; c < nw; c++) row[nz + c] = -s->right[i * nz + n + c];
    row[nz + nw] = -s->defect[i];
  }
  if (!brio_matrix_factorize(n, s->factors, n, s->order)) return false;
  brio_matrix_solve(n, s->factors, n, s->order, by, wide, wide);
  return true;
}

/* Write Y^T P' Y with the slope p' in the last column: `by` is the upper part of Y, the lower is unit. */
static void carry_back(const brio_interior *interior, const brio_interior_stage *next, int n,
                       const double *by, double *product, double *square) {
  int nz = interior->nz, nw = nz - n, wide = nz + nw + 1;
  memset(product, 0, (size_t)(nz * wide) * sizeof *product);
  memset(square, 0, (size_t)(wide * wide) * sizeof *square);
  /* P' Y, and p' in its last column */
  brio_matrix_add_product(nz, n, wide, 1, next->value, nz, by, wide, product, wide);
  for (int i = 0; i < nz; i++) {
    double *row = product + i * wide;
    for (int c = 0; c < nw; c++) row[nz + c] += next->value[i * nz + n + c];
    row[wide - 1] += next->value_slope[i];
  }
  brio_matrix_add_turned(wide - 1, n, wide, 1, by, wide, product, wide, square, wide);
  for (int c = 0; c < nw; c++)
    for (int j = 0; j < wide; j++) square[(nz + c) * wide + j] += product[(n + c) * wide + j];
}

/* Eliminate the next torques: their gains, this stage's cost to go, and the next step by this one's. */
static bool eliminate(const brio_interior *interior, brio_interior_stage *s, const double *by, double *square,
                      double *gains) {
  int nz = interior->nz, n = s->ndefect, nw = nz - n, wide = nz + nw + 1;
  for (int c = 0; c < nw; c++) {
    const double *row = square + (nz + c) * wide;
    memcpy(gains + c * (nz + 1), row, (size_t)nz * sizeof *gains);
    gains[c * (nz + 1) + nz] = row[wide - 1];
  }
  double *block = square + nz * wide + nz;
  if (!brio_matrix_cholesky(nw, block, wide)) return false;
  brio_matrix_cholesky_solve(nw, block, wide, gains, nz + 1, nz + 1);
  /* the columns of the mixed block are unharmed in the rows above */
  for (int i = 0; i < nz; i++) {
    double *row = square + i * wide;
    for (int c = 0; c < nw; c++) {
      double weight = row[nz + c];
      for (int j = 0; j <= i; j++) row[j] -= weight * gains[c * (nz + 1) + j];
      row[wide - 1] -= weight * gains[c * (nz + 1) + nz];
    }
    for (int j = 0; j <= i; j++) s->value[i * nz + j] += row[j];
    for (int j = 0; j < i; j++) s->value[j * nz + i] = s->value[i * nz + j];
    s->value_slope[i] += row[wide - 1];
  }
  /* z' = Y (z, w', 1) with w' = -gains (z, 1) */
  for (int i = 0; i < nz; i++) {
    double *row = s->gain + i * nz;
    const double *y = by + i * wide;
    if (i < n)
      memcpy(row, y, (size_t)nz * sizeof *row);
    else
      memset(row, 0, (size_t)nz * sizeof *row);
    s->gain_offset[i] = i < n ? y[wide - 1] : 0;
    for (int c = 0; c < nw; c++) {
      double weight = i < n ? y[nz + c] : i == n + c;
      if (weight == 0) continue;
      for (int j = 0; j < nz; j++) row[j] -= weight * gains[c * (nz + 1) + j];
      s->gain_offset[i] -= weight * gains[c * (nz + 1) + nz];
    }
  }
  return true;
}

/* Steps of slacks, duals and multipliers that follow from the step of z. */
static void follow(const brio_interior *interior, brio_interior_stage *s) {
  int nz = interior->nz;
  for (int i = 0; i < s->nside + s->nequal; i++) {
    bool equal = i >= s->nside;
    const brio_interior_side *side = equal ? &s->equals[i - s->nside] : &s->sides[i];
    double by = 0;
    if (side->row < 0)
      by = s->step[-1 - side->row];
    else
      for (int c = 0; c < nz; c++) by += s->slope[side->row * nz + c] * s->step[c];
    by *= side->gain;
    if (equal) {
      s->dmultiplier[i - s->nside] = (by + s->error[i - s->nside]) / interior->proximal;
    } else {
      s->dslack[i] = by + s->gap[i] - s->slack[i];
      s->ddual[i] = (interior->barrier - s->dual[i] * s->dslack[i]) / s->slack[i] - s->dual[i];
    }
  }
}

/* The first stage is free; the others follow it. */
static bool roll_out(brio_interior *interior, double *scratch) {
  int nz = interior->nz;
  brio_interior_stage *first = &interior->stages[0];
  memcpy(scratch, first->value, (size_t)(nz * nz) * sizeof *scratch);
  if (!brio_matrix_cholesky(nz, scratch, nz)) return false;
  for (int i = 0; i < nz; i++) first->step[i] = -first->value_slope[i];
  brio_matrix_cholesky_solve(nz, scratch, nz, first->step, 1, 1);
  for (int k = 0; k < interior->nnode; k++) {
    brio_interior_stage *s = &interior->stages[k];
    follow(interior, s);
    if (s->ndefect == 0) continue;
    brio_interior_stage *next = s + 1;
    memcpy(next->step, s->gain_offset, (size_t)nz * sizeof *next->step);
    brio_matrix_add_vector(nz, nz, 1, s->gain, s->step, next->step);
    /* R_x^T costate = -(P' z' + p') */
    for (int i = 0; i < s->ndefect; i++) s->next_costate[i] = -next->value_slope[i];
    brio_matrix_add_vector(s->ndefect, nz, -1, next->value, next->step, s->next_costate);
    brio_matrix_solve_turned(s->ndefect, s->factors, s->ndefect, s->order, s->next_costate);
  }
  return true;
}

bool brio_interior_solve(brio_interior *interior) {
  int nz = interior->nz, wide = 2 * nz + 1;
  double *by = interior->scratch, *product = by + nz * wide, *gains = product + nz * wide;
  double *square = gains + nz * wide;
  for (int k = interior->nnode - 1; k >= 0; k--) {
    brio_interior_stage *s = &interior->stages[k];
    assemble(interior, s);
    if (s->ndefect == 0) continue;
    if (!predict(interior, s, by)) return false;
    carry_back(interior, s + 1, s->ndefect, by, product, square);
    if (!eliminate(interior, s, by, square, gains)) return false;
  }
  return roll_out(interior, square);
}
