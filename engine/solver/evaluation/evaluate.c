/* The cost of a configuration and its slopes: the sum over the active objectives of
** weight * loss(|r|^2).
**
** With s = |r|^2, J = dr/dx and c = J^T r, one objective adds
**   gradient    2 w loss'(s) c
**   curvature   2 w loss'(s) J^T J  +  4 w loss''(s) c c^T
** leaving out the curvature of r itself (Gauss and Newton).  The second part, which bends down for
** a groove, is held back so far that the sum stays positive along c (Triggs et al., "Bundle
** adjustment: a modern synthesis", 2000, section 4.3).  An objective in parts adds each likewise, w being
** its weight times the part's share. */
#include "robot/derivative.h"
#include "solver/solver_internal.h"

#include <assert.h>
#include <string.h>

/* This share of the curvature along c always remains. */
static const double LEAST_SHARE = 0.1;

/* O(links), and O(pairs) where distances are needed. */
void brio_solver_evaluate(brio_solver *solver, unsigned needs) {
  /* A new serial invalidates what features have computed for the last pose. */
  solver->at.serial = ++solver->serial;
  brio_state_update(&solver->state, solver->q);
  if (needs & BRIO_NEEDS_COM) brio_state_update_com(&solver->state);
  if (needs & BRIO_NEEDS_NEXT && solver->lively) brio_solver_look_ahead(solver);
  if (needs & BRIO_NEEDS_PAIRS) brio_collision_measure(solver, needs & BRIO_NEEDS_NEAREST);
}

/* The loss that a slot's residuals go through. */
static const brio_loss_kind *loss_of(const brio_solver *solver, const brio_slot_state *slot) {
  return solver->lively ? slot->kind->lively : slot->kind->loss;
}

/* Squared length of `count` rows. */
static double squared(const double *r, int count) {
  double s = 0;
  for (int i = 0; i < count; i++) s += r[i] * r[i];
  return s;
}

/* Backends call this with a place to come to rest at; the trial is completed before it is judged. */
double brio_solver_cost(void *context, const double *x) {
  brio_solver *solver = context;
  /* Derive the coming step, and its slope by the place of rest, from each free coordinate. */
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
    double from = solver->coordinates[c];
    solver->trial[c] = x[i];
    solver->step[c] =
        brio_bounds_next(&solver->bounds[c], from, solver->at.dt, x[i], &solver->step_slope[c]) - from;
  }
  /* Followers come after the coordinates that they depend on. */
  if (solver->ncoupling > 0) {
    brio_couplings_follow(solver, solver->trial);
    brio_couplings_follow_step(solver);
  }
  /* Once a term failed every point costs NaN, so that none is taken; solve.c searches again. */
  double cost = brio_solver_judge(solver) + brio_clearance_cost(solver) + brio_couplings_cost(solver);
  return solver->failed ? NAN : cost;
}

/* Leave an objective out of this solve from now on. */
static void fail(brio_solver *solver, brio_slot_state *slot) {
  slot->failed = solver->failed = true;
  slot->cost = 0;
}

/* Find the parts of `count` rows, at least one; return how many. */
static int parts_of(const brio_solver *solver, const brio_slot_state *slot, int count, brio_part *parts) {
  int n = slot->kind->parts ? slot->kind->parts(slot->self, &solver->at, parts) : 0;
  if (n > 0) return n;
  parts[0] = (brio_part){count, 1};
  return 1;
}

/* Return the loss of the one row of a slot, and note its slopes: they are mostly needed next. */
static double loss_of_entry(const brio_solver *solver, brio_slot_state *slot) {
  double r = solver->r[0];
  slot->judged = solver->serial;
  return loss_of(solver, slot)->cost(r * r, &slot->loss_slope, &slot->loss_bend);
}

/* Return the loss of `count` rows in solver->r, part by part. */
static double loss_of_rows(const brio_solver *solver, const brio_slot_state *slot, int count) {
  brio_part parts[BRIO_MOST_PARTS];
  const double *r = solver->r;
  double sum = 0, slope, bend;
  int n = parts_of(solver, slot, count, parts);
  /* Parts follow each other in the rows; each goes through the loss by itself. */
  for (int i = 0; i < n; r += parts[i++].rows)
    sum += parts[i].share * loss_of(solver, slot)->cost(squared(r, parts[i].rows), &slope, &bend);
  return sum;
}

/* Return an objective's cost at the evaluation, and keep it in the slot for readers. */
static double cost_of(brio_solver *solver, brio_slot_state *slot) {
  const brio_objective_kind *kind = slot->kind;
  /* A kind gives its cost, or forms or residuals, which the loss turns into cost. */
  if (kind->cost) {
    slot->cost = kind->cost(slot->self, slot->goal, &solver->at, NULL, NULL);
    if (!isfinite(slot->cost)) fail(solver, slot);
    return slot->cost;
  }
  brio_step_form forms[BRIO_MOST_FORMS];
  int nform = kind->forms ? brio_forms_of(solver, slot, forms) : 0;
  if (nform > 0) {
    double slope, bend, s = brio_forms_square(solver, forms, nform);
    return slot->cost = loss_of(solver, slot)->cost(s, &slope, &bend);
  }
  int count = kind->residual(slot->self, slot->goal, &solver->at, solver->r, NULL);
  if (count < 0) fail(solver, slot);
  else if (slot->variable >= 0 && count == 1) slot->cost = loss_of_entry(solver, slot);
  else slot->cost = loss_of_rows(solver, slot, count);
  return slot->cost;
}

double brio_solver_judge(brio_solver *solver) {
  /* The base's turn is judged as a rotation vector in the world; where it cannot turn, that is 0. */
  if (brio_solver_base_turns(solver)) brio_solver_turn_step(solver);
  brio_solver_configuration(solver, solver->trial, solver->q);
  brio_solver_evaluate(solver, solver->needs);
  double sum = 0;
  assert(solver->nactive <= solver->nslot);
  /* The order of slots is fixed, so that sums repeat to the bit. */
  for (int k = 0; k < solver->nactive; k++) {
    brio_slot_state *slot = &solver->slots[solver->active[k]];
    if (!slot->failed) sum += slot->force * cost_of(solver, slot);
  }
  return sum;
}

/* Most entries of a row are 0: blocks of eight are skipped at once. */
int brio_solver_gather(brio_solver *solver, const double *row) {
  int count = 0, nv = solver->robot->nv;
  for (int block = 0; block < nv; block += BRIO_BLOCK)
    for (int c = block, end = brio_row_block_end(row, block, nv); c < end; c++) {
      if (row[c] == 0 || solver->place[c] < 0) continue;
      solver->index[count] = solver->place[c], solver->entry[count++] = row[c];
    }
  return count;
}

/* Add scale * J^T J of `rows` rows of solver->jacobian from row
** `from` on, and leave J^T r in solver->pull (nv). */
static void add_rows(brio_solver *solver, int from, int rows, double scale, brio_curvature *curvature) {
  int nv = solver->robot->nv;
  memset(solver->pull, 0, (size_t)nv * sizeof *solver->pull);
  for (int i = from; i < from + rows; i++) {
    int count = brio_solver_gather(solver, solver->jacobian + i * nv);
    for (int a = 0; a < count; a++)
      solver->pull[solver->free[solver->index[a]]] += solver->r[i] * solver->entry[a];
    if (curvature) brio_curvature_add(curvature, solver->index, solver->entry, count, scale);
  }
}

/* The factor of c c^T: 4 w loss''(s), with loss'' no lower than -(1 - LEAST_SHARE) loss'(s) / (2 s). */
static double bend_scale(double weight, double slope, double bend, double s) {
  double least = -(1 - LEAST_SHARE) * slope / (2 * s);
  return 4 * weight * (bend < least ? least : bend);
}

/* The same as add_part of one row j: c is r j, so that both parts are multiples of j j^T. */
static void add_row(brio_solver *solver, const brio_loss_kind *loss, double weight, int row, double *gradient,
                    brio_curvature *curvature) {
  double r = solver->r[row], slope, bend, *entry = solver->entry;
  loss->cost(r * r, &slope, &bend);
  int count = brio_solver_gather(solver, solver->jacobian + row * solver->robot->nv);
  double scale = 2 * weight * slope, bent = bend != 0 && r != 0 ? bend_scale(weight, slope, bend, r * r) : 0;
  if (curvature) brio_curvature_add(curvature, solver->index, entry, count, scale + bent * r * r);
  for (int a = 0; a < count; a++) gradient[solver->index[a]] += scale * r * entry[a];
}

/* The same for an objective that is made of quadratic forms of the coming step. */
static void add_forms(brio_solver *solver, const brio_slot_state *slot, const brio_step_form *forms,
                      int nform, double *gradient, brio_curvature *curvature) {
  double slope, bend, s = brio_forms_square(solver, forms, nform);
  loss_of(solver, slot)->cost(s, &slope, &bend);
  double scale = 2 * slot->force * slope;
  /* From slopes by the step to slopes by the place of rest. */
  for (int c = 0; c < solver->robot->nv; c++) solver->pull[c] *= solver->step_slope[c];
  int count = brio_solver_gather(solver, solver->pull);
  for (int a = 0; a < count; a++) gradient[solver->index[a]] += scale * solver->entry[a];
  if (!curvature) return;
  brio_forms_add(solver, forms, nform, scale, curvature);
  if (bend == 0 || !(s > 0)) return;
  brio_curvature_add(curvature, solver->index, solver->entry, count, bend_scale(slot->force, slope, bend, s));
}

/* Add the slopes of `rows` rows, the first of them at `from`, that go through the loss together. */
static void add_part(brio_solver *solver, const brio_loss_kind *loss, double weight, int from, int rows,
                     double *gradient, brio_curvature *curvature) {
  if (rows == 1) {
    add_row(solver, loss, weight, from, gradient, curvature);
    return;
  }
  double s = squared(solver->r + from, rows), slope, bend;
  loss->cost(s, &slope, &bend);
  /* The first part: 2 w loss'(s) J^T J, and its gradient. */
  add_rows(solver, from, rows, 2 * weight * slope, curvature);
  int count = brio_solver_gather(solver, solver->pull);
  for (int a = 0; a < count; a++) gradient[solver->index[a]] += 2 * weight * slope * solver->entry[a];
  /* The second part, 4 w loss''(s) c c^T, bounded from below so that the sum stays positive. */
  if (!curvature || bend == 0) return;
  brio_curvature_add(curvature, solver->index, solver->entry, count, bend_scale(weight, slope, bend, s));
}

/* Note how the residuals of `rows` rows bend, times 2 w loss'(s): what Gauss and Newton leave out. */
static void add_bends(brio_solver *solver, const brio_slot_state *slot, int rows, brio_curvature *curvature) {
  brio_point_force forces[BRIO_MOST_FORCES];
  double slope, bend, *bends = solver->bends;
  int n = slot->kind->forces(slot->self, slot->goal, &solver->at, forces);
  loss_of(solver, slot)->cost(squared(solver->r, rows), &slope, &bend);
  for (int f = 0; f < n; f++) {
    const brio_point_force *at = &forces[f];
    int count = brio_state_point_bend(&solver->state, at->link, at->point, at->force, solver->depth,
                                      solver->bend_columns, bends);
    /* All of a force, or nothing. */
    if (curvature->nbend + count * (count + 1) / 2 > curvature->most_bends) return;
    for (int i = 0; i < count; i++)
      for (int j = 0; j <= i; j++) {
        int a = solver->place[solver->bend_columns[i]], b = solver->place[solver->bend_columns[j]];
        double value = 2 * slot->force * slope * bends[i * solver->depth + j];
        if (i != j && a == b) value *= 2; /* a joint and its mimic: both ways round */
        if (a >= 0 && b >= 0) brio_curvature_note_bend(curvature, a, b, value);
      }
  }
}

/* Add how residuals bend along single coordinates, times 2 w loss'(s). */
static void add_single_bends(brio_solver *solver, const brio_slot_state *slot, int rows,
                             brio_curvature *curvature) {
  double slope, bend;
  memset(solver->pull, 0, (size_t)solver->robot->nv * sizeof *solver->pull);
  slot->kind->bends(slot->self, &solver->at, solver->r, solver->pull);
  loss_of(solver, slot)->cost(squared(solver->r, rows), &slope, &bend);
  for (int i = 0; i < solver->nfree; i++) {
    double value = solver->pull[solver->free[i]];
    if (value != 0) brio_curvature_add_diagonal(curvature, i, 2 * slot->force * slope * value);
  }
}

/* Write an objective's residual and Jacobian to solver->r and jacobian; return the number of rows. */
static int slopes_of(brio_solver *solver, brio_slot_state *slot) {
  const brio_objective_kind *kind = slot->kind;
  bool differ = kind->step > 0;
  int rows = kind->residual(slot->self, slot->goal, &solver->at, solver->r, differ ? NULL : solver->jacobian);
  /* Where the kind has no Jacobian, central differences replace it. */
  if (rows >= 0 && (!differ || brio_differences_rows(solver, slot, rows, solver->jacobian))) return rows;
  fail(solver, slot);
  return 0;
}

/* brio_solver_add_slopes for an objective that gives its cost itself. */
static void add_cost_slopes(brio_solver *solver, brio_slot_state *slot, double *gradient,
                            brio_curvature *curvature) {
  const brio_objective_kind *kind = slot->kind;
  /* Gradient and bend borrow the first two rows of the Jacobian, which arrive zeroed. */
  double *slope = solver->jacobian, *bend = slope + solver->robot->nv;
  bool differ = kind->step > 0;
  double cost = kind->cost(slot->self, slot->goal, &solver->at, differ ? NULL : slope, differ ? NULL : bend);
  if (!isfinite(cost) || (differ && !brio_differences_cost(solver, slot, cost, slope, bend))) {
    fail(solver, slot);
    return;
  }
  /* Turn columns of the tangent into columns of the coordinates, then fold followers into sources. */
  if (brio_solver_base_turns(solver)) brio_solver_rotate_columns(solver, slope, 1);
  brio_couplings_fold(solver, slope, 1, false);
  brio_couplings_fold(solver, bend, 1, true);
  for (int i = 0; i < solver->nfree; i++) {
    gradient[i] += slot->force * slope[solver->free[i]];
    /* The magnitude of the bend keeps the curvature positive. */
    if (curvature) brio_curvature_add_diagonal(curvature, i, slot->force * fabs(bend[solver->free[i]]));
  }
}

/* brio_solver_add_slopes for an objective whose row has one entry: nothing is searched in it.  The sums are
** those of add_row. */
static void add_entry_slopes(brio_solver *solver, brio_slot_state *slot, double *gradient,
                             brio_curvature *curvature) {
  int c = BRIO_BASE_NV + slot->variable, place = solver->place[c];
  assert(slot->rows == 1 && !slot->kind->parts && !slot->kind->cost && !slot->kind->forms);
  if (slopes_of(solver, slot) == 0) return;
  double entry = solver->jacobian[c], r = solver->r[0];
  /* The row is clear again at once. */
  solver->jacobian[c] = 0;
  if (place < 0 || entry == 0) return;
  /* The loss is known where this pose was judged. */
  if (slot->judged != solver->serial) loss_of_entry(solver, slot);
  double slope = slot->loss_slope, bend = slot->loss_bend, scale = 2 * slot->force * slope;
  if (curvature) brio_curvature_add_diagonal(curvature, place, scale * entry * entry);
  gradient[place] += scale * (entry *= r);
  if (!curvature || bend == 0 || r == 0) return;
  brio_curvature_add_diagonal(curvature, place, bend_scale(slot->force, slope, bend, r * r) * entry * entry);
}

void brio_solver_add_slopes(brio_solver *solver, brio_slot_state *slot, double *gradient,
                            brio_curvature *curvature) {
  size_t nv = (size_t)solver->robot->nv;
  /* Only rows that the last objective wrote are cleared. */
  if (solver->written > 0) memset(solver->jacobian, 0, (size_t)solver->written * nv * sizeof(double));
  solver->written = 0;
  if (slot->failed) return;
  /* Couplings would move the entry to other columns. */
  if (slot->variable >= 0 && solver->ncoupling == 0) {
    add_entry_slopes(solver, slot, gradient, curvature);
    return;
  }
  brio_step_form forms[BRIO_MOST_FORMS];
  int nform = brio_forms_of(solver, slot, forms);
  if (nform > 0) {
    add_forms(solver, slot, forms, nform, gradient, curvature);
    return;
  }
  solver->written = slot->rows;
  if (slot->kind->cost) {
    add_cost_slopes(solver, slot, gradient, curvature);
    return;
  }
  int rows = slopes_of(solver, slot);
  if (brio_solver_base_turns(solver)) brio_solver_rotate_columns(solver, solver->jacobian, rows);
  brio_couplings_fold(solver, solver->jacobian, rows, false);
  brio_part parts[BRIO_MOST_PARTS];
  int n = parts_of(solver, slot, rows, parts);
  /* `from` is the first row of part i: parts follow each other in the rows. */
  for (int i = 0, from = 0; i < n; from += parts[i++].rows)
    add_part(solver, loss_of(solver, slot), slot->force * parts[i].share, from, parts[i].rows, gradient,
             curvature);
  if (!curvature || solver->ncoupling > 0) return;
  bool noted = curvature->wants_bends && slot->kind->forces && !brio_solver_base_turns(solver);
  if (noted) add_bends(solver, slot, rows, curvature);
  if (slot->kind->bends) add_single_bends(solver, slot, rows, curvature);
}

/* O(sum of rows * nonzero columns^2) with curvature, without it O(rows * nv). */
void brio_solver_slopes(void *context, double *gradient, brio_curvature *curvature) {
  brio_solver *solver = context;
  size_t n = (size_t)solver->nfree;
  memset(gradient, 0, n * sizeof *gradient);
  if (curvature) brio_curvature_clear(curvature);
  for (int k = 0; k < solver->nactive; k++)
    brio_solver_add_slopes(solver, &solver->slots[solver->active[k]], gradient, curvature);
  /* Near pairs see the objectives' gradient, so they come after all of these. */
  brio_clearance_slopes(solver, gradient, curvature);
  brio_couplings_slopes(solver, gradient, curvature);
}
