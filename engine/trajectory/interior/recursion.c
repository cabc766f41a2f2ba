/* A Newton step over the chain, by dynamic programming (a Riccati recursion).
**
** The cost to go from stage k is quadratic in its step z, V = z^T P z / 2 + p^T z; that of the last stage is
** its own cost.  A prime marks the next stage, whose step z' = (x', w') is state and torques.  The linearized
** defect L z + R_x x' + R_w w' + d = 0 gives
**     x' = -R_x^-1 (L z + R_w w' + d),
** so that V' is quadratic in z and w'.  Its minimum over w' gives w' as a linear function of z and, with the
** stage's own cost added, P and p.  Blocks are positive definite where the Hessian is.  O(nodes nz^3).
** Source: Rao, Wright, Rawlings, "Application of interior-point methods to model predictive control",
** 1998. */
#include <assert.h>
#include <string.h>

#include "trajectory/interior/interior.h"
#include "trajectory/matrix.h"

/* Weights of the squared steps of velocities (rad/s or m/s) and of the stretch, in the scaled objective
** (Levenberg-Marquardt): where the cost hardly depends on these, as on velocities at a free end, they would
** take huge steps.  Only steps are penalized, so that the solution is the same. */
static const double held_u = 1e-3, held_s = 1e-2;

/* Add a side or equation to P and p: weight v v^T and slope v, where v is gain times the gradient of its row,
** or of an entry of z a unit vector. */
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

/* Write a stage's own cost into P and p: Gauss-Newton Hessian with damping, barrier terms y/t g g^T of
** inequalities (slacks and duals eliminated), penalties of equations; then mirror the lower half. */
static void assemble(const brio_interior *interior, brio_interior_stage *s) {
  int nz = interior->nz;
  memcpy(s->value, s->hessian, (size_t)(nz * nz) * sizeof *s->value);
  memcpy(s->value_slope, s->gradient, (size_t)nz * sizeof *s->value_slope);
  const brio_trajectory *t = interior->trajectory;
  assert(interior->proximal > 0);
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

/* Write x' as a linear function of (z, w', 1): n rows of nz + (nz - n) + 1 columns.  Return false: R_x is
** singular. */
static bool predict(const brio_interior *interior, brio_interior_stage *s, double *by) {
  int nz = interior->nz, n = s->ndefect, nw = nz - n, wide = nz + nw + 1;
  /* right-hand sides -L, -R_w, -d, and the matrix R_x */
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

/* Write V' as a quadratic of (z, w', 1) into `square`: Y^T P' Y, and Y^T p' added to its last column.  Y maps
** (z, w', 1) to z': `by` is its upper part (x'), the lower part picks w'. */
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

/* Minimize V' over w': write the gains (w' = -gains (z, 1)), add the minimum to this stage's P and p, and
** write z' as a linear function of z.  Return false: the block of w' is not positive definite. */
static bool eliminate(const brio_interior *interior, brio_interior_stage *s, const double *by, double *square,
                      double *gains) {
  int nz = interior->nz, n = s->ndefect, nw = nz - n, wide = nz + nw + 1;
  /* gains = W^-1 (M, m): block W of w', mixed block M, linear part m */
  for (int c = 0; c < nw; c++) {
    const double *row = square + (nz + c) * wide;
    memcpy(gains + c * (nz + 1), row, (size_t)nz * sizeof *gains);
    gains[c * (nz + 1) + nz] = row[wide - 1];
  }
  double *block = square + nz * wide + nz;
  if (!brio_matrix_cholesky(nw, block, wide)) return false;
  brio_matrix_cholesky_solve(nw, block, wide, gains, nz + 1, nz + 1);
  /* Schur complement: the mixed block is still intact in the rows of z, above W */
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

/* Compute the steps of slacks, duals and multipliers of a stage from its step of z:
**     dt = G dz + g - t,   dy = (mu - y dt) / t - y,   dlambda = (C dz + c) / delta. */
static void follow(const brio_interior *interior, brio_interior_stage *s) {
  int nz = interior->nz;
  for (int i = 0; i < s->nside + s->nequal; i++) {
    bool equal = i >= s->nside;
    const brio_interior_side *side = equal ? &s->equals[i - s->nside] : &s->sides[i];
    /* by = how much the value changes with the step */
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

/* Forward pass: the first stage minimizes its cost to go, the others follow from it; then the costates.
** Return false: the first block is not positive definite. */
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
  /* backward pass */
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
