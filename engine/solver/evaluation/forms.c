/* Objectives that are quadratic forms of the coming step, as smoothness is.
**
** With d = step - foreseen, |r|^2 = sum of  scale d . A d.  The rows r = sqrt(scale) L d, L^T L = A, would be
** as many as there are joints, and each would add its square to the curvature: for every joint the pairs of
** all joints that carry it.  A itself has each pair once.  The slope by the step is 2 scale A d, the second
** derivative 2 scale A; by the trial both are scaled by the step's slope at each coordinate. */
#include <assert.h>
#include <string.h>

#include "solver/solver_internal.h"

int brio_forms_of(const brio_solver *solver, const brio_slot_state *slot, brio_step_form *forms) {
  if (!slot->kind->forms || solver->ncoupling > 0 || brio_solver_base_turns(solver)) return 0;
  return slot->kind->forms(slot->self, &solver->at, forms);
}

/* Add scale d . A d, d in solver->entry, and scale A d to solver->pull. O(entries of A). */
static double add_square(const brio_solver *solver, const brio_step_form *form) {
  const double *d = solver->entry;
  double *pull = solver->pull, sum = 0;
  for (int i = 0; i < solver->robot->nv; i++) {
    double own = 0, scaled = form->scale * d[i];
    int k = form->rows[i], end = form->rows[i + 1];
    /* An entry below the diagonal counts for both of its coordinates. */
    for (; k < end && form->columns[k] < i; k++) {
      own += form->values[k] * d[form->columns[k]];
      pull[form->columns[k]] += form->values[k] * scaled;
    }
    double diagonal = k < end ? form->values[k] : 0;
    pull[i] += form->scale * own + diagonal * scaled;
    sum += scaled * (2 * own + diagonal * d[i]);
  }
  return sum;
}

/* The same where A is the unit matrix of the variables. */
static double add_plain_square(const brio_solver *solver, const brio_step_form *form) {
  const double *d = solver->entry;
  double sum = 0;
  for (int i = BRIO_BASE_NV; i < solver->robot->nv; i++) {
    solver->pull[i] += form->scale * d[i];
    sum += d[i] * d[i];
  }
  return form->scale * sum;
}

double brio_forms_square(const brio_solver *solver, const brio_step_form *forms, int count) {
  int nv = solver->robot->nv;
  double sum = 0;
  memset(solver->pull, 0, (size_t)nv * sizeof *solver->pull);
  for (int f = 0; f < count; f++) {
    for (int c = 0; c < nv; c++) solver->entry[c] = solver->step[c] - forms[f].foreseen[c];
    sum += forms[f].values ? add_square(solver, &forms[f]) : add_plain_square(solver, &forms[f]);
  }
  /* Rounding may lead below 0, where no loss is defined; NaN stays. */
  return sum < 0 ? 0 : sum;
}

/* Add scale A, by free coordinates, both sides times the slope of the step. */
static void add_form(const brio_solver *solver, const brio_step_form *form, double scale,
                     brio_curvature *curvature) {
  const double *slope = solver->step_slope;
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
    double *row = brio_curvature_row(curvature, i), factor = scale * slope[c];
    for (int k = form->rows[c]; k < form->rows[c + 1]; k++) {
      int j = form->columns[k], place = solver->place[j];
      assert(j <= c && place <= i);
      if (place >= 0) row[place] += factor * form->values[k] * slope[j];
    }
  }
}

void brio_forms_add(const brio_solver *solver, const brio_step_form *forms, int count, double scale,
                    brio_curvature *curvature) {
  for (int f = 0; f < count; f++) {
    double each = scale * forms[f].scale;
    if (forms[f].values) add_form(solver, &forms[f], each, curvature);
    /* The unit matrix has the diagonal alone. */
    for (int i = 0; !forms[f].values && i < solver->nfree; i++) {
      double slope = solver->free[i] < BRIO_BASE_NV ? 0 : solver->step_slope[solver->free[i]];
      brio_curvature_add_diagonal(curvature, i, each * slope * slope);
    }
  }
}
