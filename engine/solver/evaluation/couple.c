/* Joints that are tied to each other:  sum over i of a_i q_i = b,  in every solve.
**
** The last variable of a coupling, the follower, is a function of the others, its sources: q_n =
** offset + sum of k_i q_i. The backend does not move it. Costs see it through its sources, with
** dr/dq_i + k_i dr/dq_n in place of dr/dq_i. The pose under evaluation, the step and every moment
** of braking are all completed this way, so that the coupling holds to rounding.
**
** Limits of the follower become limits of its sources. Its speed and acceleration are at most the
** sum of |k_i| times theirs, which are lowered until that sum is within the follower's limits. Its
** ends are watched by the guard, which refuses a way beyond one; near an end a cost like that of
** near pairs keeps the best pose within.
**
** Chains of couplings are resolved when they are added: every source here is free. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"
#include "solver/solver_internal.h"

static const double BAND = 0.02; /* rad or m: from an end, where the cost begins */

/* Return the value of the follower for coordinates `x`. */
static double value_of(const brio_joint_coupling *coupling, const double *x) {
  double value = coupling->offset;
  for (int i = 0; i < coupling->count; i++) value += coupling->factors[i] * x[coupling->sources[i]];
  return value;
}

void brio_couplings_follow(const brio_solver *solver, double *x) {
  for (int k = 0; k < solver->ncoupling; k++)
    x[solver->couplings[k].follower] = value_of(&solver->couplings[k], x);
}

void brio_couplings_follow_step(const brio_solver *solver) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_joint_coupling *coupling = &solver->couplings[k];
    /* Slopes of the sources differ where they brake for different times; their weighted mean stands for the
    ** follower's. */
    double step = 0, slope = 0, sum = 0;
    for (int i = 0; i < coupling->count; i++) {
      double factor = coupling->factors[i];
      step += factor * solver->step[coupling->sources[i]];
      slope += fabs(factor) * solver->step_slope[coupling->sources[i]];
      sum += fabs(factor);
    }
    solver->step[coupling->follower] = step;
    assert(slope >= 0);
    solver->step_slope[coupling->follower] = sum > 0 ? slope / sum : 1;
  }
}

void brio_couplings_fold(const brio_solver *solver, double *rows, int count, bool squared) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_joint_coupling *coupling = &solver->couplings[k];
    for (int r = 0; r < count; r++) {
      /* Chain rule: a column by the follower adds to the columns by its sources, and is then 0. */
      double *row = rows + r * solver->robot->nv, own = row[coupling->follower];
      for (int i = 0; own != 0 && i < coupling->count; i++) {
        double factor = coupling->factors[i];
        row[coupling->sources[i]] += own * (squared ? factor * factor : factor);
      }
      row[coupling->follower] = 0;
    }
  }
}

double brio_couplings_way(const brio_solver *solver, int c, const double *from, const double *to) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_joint_coupling *coupling = &solver->couplings[k];
    /* The sources may move against each other: the sum of magnitudes bounds the way between the two
    ** places. */
    double way = 0;
    if (coupling->follower != c) continue;
    for (int i = 0; i < coupling->count; i++) {
      int source = coupling->sources[i];
      way += fabs(coupling->factors[i] * (to[source] - from[source]));
    }
    return way;
  }
  return fabs(to[c] - from[c]);
}

bool brio_couplings_within(const brio_solver *solver, const double *x) {
  for (int k = 0; k < solver->ncoupling; k++) {
    int c = solver->couplings[k].follower;
    /* A follower that is out already may stay as far out as it is; rounding is no excess. */
    double now = solver->coordinates[c], rounding = 1e-12 * (1 + fabs(now));
    if (x[c] > fmax(solver->bounds[c].upper, now) + rounding) return false;
    if (x[c] < fmin(solver->bounds[c].lower, now) - rounding) return false;
  }
  return true;
}

/* How far the follower is within the band at one of its ends, rad or m; negative: at the lower. */
static double depth_of(const brio_solver *solver, const brio_joint_coupling *coupling) {
  const brio_bounds *bounds = &solver->bounds[coupling->follower];
  /* The band of a narrow range is narrower, so that its middle stays free. */
  double x = solver->trial[coupling->follower], band = fmin(BAND, 0.1 * (bounds->upper - bounds->lower));
  if (x > bounds->upper - band) return x - (bounds->upper - band);
  if (x < bounds->lower + band) return x - (bounds->lower + band);
  return 0;
}

/* Stiffness times the sum of depth^2 / 2, as for near pairs. O(couplings). */
double brio_couplings_cost(const brio_solver *solver) {
  double sum = 0;
  for (int k = 0; k < solver->ncoupling; k++) {
    double depth = depth_of(solver, &solver->couplings[k]);
    sum += depth * depth;
  }
  return 0.5 * solver->guard.stiffness * sum;
}

/* Gradient stiffness * depth * n, curvature stiffness * n n^T, with n the slope of the depth. */
void brio_couplings_slopes(brio_solver *solver, double *gradient, brio_curvature *curvature) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_joint_coupling *coupling = &solver->couplings[k];
    double depth = depth_of(solver, coupling), *row = solver->guard.row;
    if (depth == 0) continue;
    memset(row, 0, (size_t)solver->robot->nv * sizeof *row);
    /* The slope of the depth is that of the follower, folded into its sources. */
    row[coupling->follower] = 1;
    brio_couplings_fold(solver, row, 1, false);
    int count = brio_solver_gather(solver, row);
    double scale = solver->guard.stiffness;
    for (int a = 0; a < count; a++) gradient[solver->index[a]] += depth * scale * solver->entry[a];
    if (curvature) brio_curvature_add(curvature, solver->index, solver->entry, count, scale);
  }
}

/* --- adding one --- */

/* Return the coupling that coordinate `c` follows; NULL: it follows none. */
static const brio_joint_coupling *followed_by(const brio_solver *solver, int c) {
  for (int k = 0; k < solver->ncoupling; k++)
    if (solver->couplings[k].follower == c) return &solver->couplings[k];
  return NULL;
}

/* Check the arguments of brio_solver_couple: at least two variables, each once, with finite
** coefficients that are not 0, the last of which follows nothing yet. */
static bool check(const brio_solver *solver, const int *variables, const double *coefficients, int count,
                  double sum, brio_error *err) {
  const brio_robot *robot = solver->robot;
  if (count < 2) return brio_fail(err, BRIO_MISUSE, "a coupling ties two variables at least, not %d", count);
  /* Each variable exists, is named once, and has a finite coefficient that is not 0. */
  for (int i = 0; i < count; i++) {
    if (variables[i] < 0 || variables[i] >= robot->nvariable)
      return brio_fail(err, BRIO_MISUSE, "a coupling: there is no variable %d", variables[i]);
    const char *name = robot->variables[variables[i]].name;
    for (int j = 0; j < i; j++)
      if (variables[j] == variables[i])
        return brio_fail(err, BRIO_MISUSE, "a coupling names '%.64s' twice", name);
    if (!isfinite(coefficients[i]) || !isfinite(sum) || coefficients[i] == 0)
      return brio_fail(err, BRIO_MISUSE, "a coupling's coefficient of '%.64s' must be finite and not 0",
                       name);
  }
  int last = variables[count - 1];
  return !followed_by(solver, BRIO_BASE_NV + last) ||
         brio_fail(err, BRIO_MISUSE, "'%.64s' is tied by another coupling already: it can follow in one only",
                   robot->variables[last].name);
}

/* Lower one limit of the sources, at byte offset `at` in brio_bounds, until the follower keeps its
** own: all by the same factor, which is own / sum of |k_i| limit_i. */
static void lower(brio_solver *solver, const brio_joint_coupling *coupling, size_t at) {
  /* The greatest value that the follower could reach with the sources' present limits. */
  double own, most = 0, factors = 0;
  memcpy(&own, (const char *)&solver->bounds[coupling->follower] + at, sizeof own);
  for (int i = 0; i < coupling->count; i++) {
    double limit;
    memcpy(&limit, (const char *)&solver->bounds[coupling->sources[i]] + at, sizeof limit);
    most += fabs(coupling->factors[i]) * limit;
    factors += fabs(coupling->factors[i]);
  }
  /* An infinite limit of a source becomes the one that suffices if all sources use it. */
  for (int i = 0; i < coupling->count && own < most; i++) {
    double limit;
    char *place = (char *)&solver->bounds[coupling->sources[i]] + at;
    memcpy(&limit, place, sizeof limit);
    limit = isfinite(most) ? limit * own / most : fmin(limit, own / factors);
    memcpy(place, &limit, sizeof limit);
  }
}

/* From the limits that were asked for, so that they may rise again. O(variables + couplings * sources). */
void brio_couplings_limit(brio_solver *solver) {
  for (int i = 0; i < solver->robot->nvariable; i++) {
    brio_bounds *bounds = &solver->bounds[BRIO_BASE_NV + i];
    bounds->velocity = solver->limits[i].velocity;
    bounds->acceleration = solver->limits[i].acceleration;
  }
  /* Sources are free, and no follower is one: each coupling only lowers what the others lower. */
  for (int k = 0; k < solver->ncoupling; k++) {
    lower(solver, &solver->couplings[k], offsetof(brio_bounds, velocity));
    lower(solver, &solver->couplings[k], offsetof(brio_bounds, acceleration));
  }
}

/* Followers come last: their values depend on all free coordinates. */
void brio_solver_take_step(brio_solver *solver, double dt) {
  memcpy(solver->trial, solver->coordinates, (size_t)solver->robot->nv * sizeof *solver->trial);
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
    assert(solver->least[i] <= solver->most[i]);
    double from = solver->coordinates[c];
    solver->rest[c] = solver->x[i];
    solver->trial[c] = brio_bounds_next(&solver->bounds[c], from, dt, solver->x[i], &solver->step_slope[c]);
    solver->trial[c] = brio_clamp(solver->trial[c], solver->least[i], solver->most[i]);
    solver->step[c] = solver->trial[c] - from;
  }
  if (solver->ncoupling == 0) return;
  brio_couplings_follow(solver, solver->trial);
  brio_couplings_follow(solver, solver->rest);
  brio_couplings_follow_step(solver);
}

/* --- chains: a source that follows others is replaced by these --- */

/* Add `factor` times `coupling` to a row of factors by coordinate. */
static void add_to_row(double *row, const brio_joint_coupling *coupling, double factor) {
  for (int i = 0; i < coupling->count; i++) row[coupling->sources[i]] += factor * coupling->factors[i];
}

/* Write to `made` a coupling with the factors of `row` that are not 0.  Errors: misuse (a number is not
** finite), no_memory. */
static bool take_row(brio_solver *solver, const double *row, int follower, double offset,
                     brio_joint_coupling *made, brio_error *err) {
  const brio_robot *robot = solver->robot;
  /* Count the sources and check the numbers, before any memory is taken. */
  int count = 0;
  for (int c = 0; c < robot->nv; c++) {
    count += row[c] != 0;
    if (!isfinite(row[c]) || !isfinite(offset))
      return brio_fail(err, BRIO_MISUSE, "'%.64s' follows, along a chain of couplings, by an infinite number",
                       robot->variables[follower - BRIO_BASE_NV].name);
  }
  *made = (brio_joint_coupling){.follower = follower, .offset = offset,
                          .sources = BRIO_TAKE(&solver->arena, int, count + 1),
                          .factors = BRIO_TAKE(&solver->arena, double, count + 1)};
  if (!made->sources || !made->factors) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a coupling");
  /* Sources stand in rising order, as curvature.c needs them. */
  for (int c = 0; c < robot->nv; c++) {
    if (row[c] == 0) continue;
    assert(c != follower);
    made->sources[made->count] = c;
    made->factors[made->count++] = row[c];
  }
  return true;
}

/* Write to `made` the new coupling with free sources only.
** A source that follows others is replaced:
**    f = o + k g,  g = p + m q  become  f = (o + k p) + (k m) q.
** Errors: misuse (it would follow itself), no_memory. */
static bool resolve(brio_solver *solver, const int *variables, const double *coefficients, int count,
                    double sum, brio_joint_coupling *made, brio_error *err) {
  /* guard.row is scratch here: no solve is under way. */
  double *row = solver->guard.row, last = coefficients[count - 1], offset = sum / last;
  int follower = BRIO_BASE_NV + variables[count - 1];
  memset(row, 0, (size_t)solver->robot->nv * sizeof *row);
  for (int i = 0; i < count - 1; i++) {
    double factor = -coefficients[i] / last;
    const brio_joint_coupling *source = followed_by(solver, BRIO_BASE_NV + variables[i]);
    if (source) offset += factor * source->offset, add_to_row(row, source, factor);
    else row[BRIO_BASE_NV + variables[i]] += factor;
  }
  if (row[follower] != 0)
    return brio_fail(err, BRIO_MISUSE, "'%.64s' would follow itself, tied by way of other couplings",
                     solver->robot->variables[variables[count - 1]].name);
  return take_row(solver, row, follower, offset, made, err);
}

/* Write to `made` an earlier coupling in which the sources of `added` replace its follower. */
static bool pass_on(brio_solver *solver, const brio_joint_coupling *earlier, const brio_joint_coupling *added,
                    brio_joint_coupling *made, brio_error *err) {
  double *row = solver->guard.row, factor;
  *made = *earlier;
  memset(row, 0, (size_t)solver->robot->nv * sizeof *row);
  add_to_row(row, earlier, 1);
  factor = row[added->follower];
  if (factor == 0) return true;
  row[added->follower] = 0;
  add_to_row(row, added, factor);
  return take_row(solver, row, earlier->follower, earlier->offset + factor * added->offset, made, err);
}

/* Free coordinates rise, and so do the sources of a coupling; followers are not free.  O(couplings * nv). */
static bool is_consistent(const brio_solver *solver) {
  for (int i = 1; i < solver->nfree; i++)
    if (solver->free[i - 1] >= solver->free[i]) return false;
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_joint_coupling *coupling = &solver->couplings[k];
    if (solver->place[coupling->follower] >= 0) return false;
    for (int i = 1; i < coupling->count; i++)
      if (coupling->sources[i - 1] >= coupling->sources[i]) return false;
  }
  return true;
}

/* Nothing changes before all memory is there, so that a failure leaves the solver as it was. O(couplings *
** nv). */
bool brio_couplings_add(brio_solver *solver, const int *variables, const double *coefficients, int count,
                        double sum, brio_error *err) {
  if (!brio_solver_may_change(solver, err) || !check(solver, variables, coefficients, count, sum, err))
    return false;
  int n = solver->ncoupling, kept = 0, follower = BRIO_BASE_NV + variables[count - 1];
  brio_joint_coupling *couplings = BRIO_TAKE(&solver->arena, brio_joint_coupling, n + 1);
  if (!couplings) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a coupling");
  if (!resolve(solver, variables, coefficients, count, sum, &couplings[n], err)) return false;
  /* Earlier couplings may have the new follower as a source: resolve these again. */
  for (int k = 0; k < n; k++)
    if (!pass_on(solver, &solver->couplings[k], &couplings[n], &couplings[k], err)) return false;
  /* A follower that was free moves no longer: the backend needs a workspace of that size. */
  void *workspace = solver->backend->start(solver->nfree - (solver->place[follower] >= 0), err);
  if (!workspace) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a coupling");
  solver->couplings = couplings;
  solver->ncoupling = n + 1;
  brio_couplings_limit(solver);
  /* The follower is not free from now on. */
  for (int i = 0; i < solver->nfree; i++)
    if (solver->free[i] != follower) solver->free[kept++] = solver->free[i];
  solver->nfree = kept;
  brio_solver_index_free(solver);
  solver->backend->end(solver->workspace);
  solver->workspace = workspace;
  assert(is_consistent(solver));
  return true;
}
