/* Joints that are tied to each other:  sum over i of a_i q_i = b,  in every solve.
**
** The last variable of a coupling follows the others, q_n = offset + sum of k_i q_i, and is no number that
** the backend moves: costs see it through them, with dr/dq_i + k_i dr/dq_n in place of dr/dq_i.  The pose that
** is judged, the step and every moment of braking are all put together so; whatever the others do, the
** coupling holds to rounding.
**
** Its limits become theirs.  Speed and acceleration of what follows are at most the sum of |k_i| times theirs,
** which are lowered until that sum is within its limits.  Its ends are watched by the guard: a way that takes
** it beyond one is not taken, and near an end a cost like that of near pairs keeps the best pose within. */
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"
#include "solver/solver_internal.h"

static const double BAND = 0.02; /* rad or m: from an end, where the cost begins */

/* Write the value of what follows, for coordinates `x`. */
static double value_of(const brio_coupling *coupling, const double *x) {
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
    const brio_coupling *coupling = &solver->couplings[k];
    double step = 0, slope = 0, sum = 0;
    for (int i = 0; i < coupling->count; i++) {
      double factor = coupling->factors[i];
      step += factor * solver->step[coupling->sources[i]];
      slope += fabs(factor) * solver->step_slope[coupling->sources[i]];
      sum += fabs(factor);
    }
    solver->step[coupling->follower] = step;
    solver->step_slope[coupling->follower] = sum > 0 ? slope / sum : 1;
  }
}

void brio_couplings_fold(const brio_solver *solver, double *rows, int count, bool squared) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_coupling *coupling = &solver->couplings[k];
    for (int r = 0; r < count; r++) {
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
    const brio_coupling *coupling = &solver->couplings[k];
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
    double now = solver->coordinates[c], rounding = 1e-12 * (1 + fabs(now));
    if (x[c] > fmax(solver->bounds[c].upper, now) + rounding) return false;
    if (x[c] < fmin(solver->bounds[c].lower, now) - rounding) return false;
  }
  return true;
}

/* How far what follows is within the band at one of its ends; negative: at the lower. */
static double depth_of(const brio_solver *solver, const brio_coupling *coupling) {
  const brio_bounds *bounds = &solver->bounds[coupling->follower];
  double x = solver->trial[coupling->follower], band = fmin(BAND, 0.1 * (bounds->upper - bounds->lower));
  if (x > bounds->upper - band) return x - (bounds->upper - band);
  if (x < bounds->lower + band) return x - (bounds->lower + band);
  return 0;
}

double brio_couplings_cost(const brio_solver *solver) {
  double sum = 0;
  for (int k = 0; k < solver->ncoupling; k++) {
    double depth = depth_of(solver, &solver->couplings[k]);
    sum += depth * depth;
  }
  return 0.5 * solver->guard.stiffness * sum;
}

void brio_couplings_slopes(brio_solver *solver, double *gradient, brio_curvature *curvature) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_coupling *coupling = &solver->couplings[k];
    double depth = depth_of(solver, coupling), *row = solver->guard.row;
    if (depth == 0) continue;
    memset(row, 0, (size_t)solver->robot->nv * sizeof *row);
    row[coupling->follower] = 1;
    brio_couplings_fold(solver, row, 1, false);
    int count = brio_solver_gather(solver, row);
    double scale = solver->guard.stiffness;
    for (int a = 0; a < count; a++) gradient[solver->index[a]] += depth * scale * solver->entry[a];
    if (curvature) brio_curvature_add(curvature, solver->index, solver->entry, count, scale);
  }
}

/* --- making one --- */

static bool tied(const brio_solver *solver, int c, bool follows) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_coupling *coupling = &solver->couplings[k];
    if (coupling->follower == c) return true;
    for (int i = 0; follows && i < coupling->count; i++)
      if (coupling->sources[i] == c) return true;
  }
  return false;
}

static bool check(const brio_solver *solver, const int *variables, const double *coefficients, int count,
                  double sum, brio_error *err) {
  const brio_robot *robot = solver->robot;
  if (count < 2) return brio_fail(err, BRIO_MISUSE, "a coupling ties two variables at least, not %d", count);
  for (int i = 0; i < count; i++) {
    if (variables[i] < 0 || variables[i] >= robot->nvariable)
      return brio_fail(err, BRIO_MISUSE, "a coupling: there is no variable %d", variables[i]);
    const char *name = robot->variables[variables[i]].name;
    for (int j = 0; j < i; j++)
      if (variables[j] == variables[i])
        return brio_fail(err, BRIO_MISUSE, "a coupling names '%.64s' twice", name);
    if (!isfinite(coefficients[i]) || !isfinite(sum) || coefficients[i] == 0)
      return brio_fail(err, BRIO_MISUSE, "a coupling's coefficient of '%.64s' must be finite and not 0", name);
    if (tied(solver, BRIO_BASE_NV + variables[i], i == count - 1))
      return brio_fail(err, BRIO_MISUSE, "'%.64s' is tied by another coupling already", name);
  }
  return true;
}

/* Lower the limits `at` (their offset in brio_bounds) of the sources until what follows keeps its own. */
static void lower(brio_solver *solver, const brio_coupling *coupling, size_t at) {
  double own, most = 0, factors = 0;
  memcpy(&own, (const char *)&solver->bounds[coupling->follower] + at, sizeof own);
  for (int i = 0; i < coupling->count; i++) {
    double limit;
    memcpy(&limit, (const char *)&solver->bounds[coupling->sources[i]] + at, sizeof limit);
    most += fabs(coupling->factors[i]) * limit;
    factors += fabs(coupling->factors[i]);
  }
  for (int i = 0; i < coupling->count && own < most; i++) {
    double limit;
    char *place = (char *)&solver->bounds[coupling->sources[i]] + at;
    memcpy(&limit, place, sizeof limit);
    limit = isfinite(most) ? limit * own / most : fmin(limit, own / factors);
    memcpy(place, &limit, sizeof limit);
  }
}

void brio_solver_take_step(brio_solver *solver, double dt) {
  memcpy(solver->trial, solver->coordinates, (size_t)solver->robot->nv * sizeof *solver->trial);
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
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

bool brio_couplings_add(brio_solver *solver, const int *variables, const double *coefficients, int count,
                        double sum, brio_error *err) {
  if (!brio_solver_may_change(solver, err) || !check(solver, variables, coefficients, count, sum, err)) return false;
  brio_coupling *couplings = BRIO_TAKE(&solver->arena, brio_coupling, solver->ncoupling + 1);
  int *sources = BRIO_TAKE(&solver->arena, int, count);
  double *factors = BRIO_TAKE(&solver->arena, double, count), last = coefficients[count - 1];
  void *workspace = couplings && sources && factors ? solver->backend->start(solver->nfree - 1, err) : NULL;
  if (!workspace) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a coupling");
  for (int i = 0; i < count - 1; i++) {
    sources[i] = BRIO_BASE_NV + variables[i];
    factors[i] = -coefficients[i] / last;
  }
  if (solver->ncoupling > 0) memcpy(couplings, solver->couplings, (size_t)solver->ncoupling * sizeof *couplings);
  couplings[solver->ncoupling] = (brio_coupling){.follower = BRIO_BASE_NV + variables[count - 1],
                                                 .sources = sources, .factors = factors, .count = count - 1,
                                                 .offset = sum / last};
  solver->couplings = couplings;
  lower(solver, &couplings[solver->ncoupling], offsetof(brio_bounds, velocity));
  lower(solver, &couplings[solver->ncoupling++], offsetof(brio_bounds, acceleration));
  int kept = 0;
  for (int i = 0; i < solver->nfree; i++)
    if (solver->free[i] != BRIO_BASE_NV + variables[count - 1]) solver->free[kept++] = solver->free[i];
  solver->nfree = kept;
  brio_solver_index_free(solver);
  solver->backend->end(solver->workspace);
  solver->workspace = workspace;
  return true;
}
