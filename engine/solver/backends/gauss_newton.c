/* Gauss-Newton with Levenberg-Marquardt damping within a box: the solver's own method.
**
** The cost is a sum of losses of squared residuals, so J^T W J (W from the losses' slopes) is a
** good second derivative that costs no more than the gradient.  An iteration minimizes the
** model   g.d + d.(H + damping diag(H)).d / 2   over the box: numbers that stand at a bound with
** the slope pushing outward are kept there, the rest solves a linear system by Cholesky; what
** leaves the box is put on its bound and the rest solved again.  A step that does not lower the
** cost is refused and the damping raised, which turns it towards the gradient and shortens it, so
** the cost only ever falls and every accepted point is feasible: the run may be cut anywhere.
** Sources: More, "The Levenberg-Marquardt algorithm", 1978; Bertsekas, "Projected Newton
** methods", 1982.  All memory is taken at the start. */
#include "solver/backend.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "math/scalar.h"

static const double STEP_TOLERANCE = 1e-7;  /* rad or m: a shorter accepted step is the last */
static const double COST_TOLERANCE = 1e-15; /* of the cost: a smaller decrease is rounding */
static const double LEAST_DECREASE = 1e-13; /* a smaller one is not worth moving for */
static const double GREATEST_DAMPING = 1e9; /* past it no step lowers the cost */
static const double LEAST_CURVATURE = 1e-7; /* of the greatest: keeps what nothing asks of in place */

typedef struct workspace {
  int n;
  brio_arena arena;
  double *next, *step, *gradient, *next_gradient; /* n each */
  double *curvature, *factor;                     /* n x n each, lower half */
  int *open;                                      /* indices that the linear system moves */
  bool *fixed;
} workspace;

static void end(void *memory) {
  workspace *w = memory;
  if (!w) return;
  brio_arena arena = w->arena;
  brio_arena_end(&arena);
}

static void *start(int n, brio_error *err) {
  brio_arena arena;
  brio_arena_start(&arena, 4096);
  workspace *w = BRIO_TAKE(&arena, workspace, 1);
  bool good = w != NULL;
  double **vectors[] = {&w->next, &w->step, &w->gradient, &w->next_gradient};
  for (int i = 0; good && i < 4; i++) good = (*vectors[i] = BRIO_TAKE(&arena, double, n)) != NULL;
  good = good && (w->curvature = BRIO_TAKE(&arena, double, n * n)) != NULL;
  good = good && (w->factor = BRIO_TAKE(&arena, double, n * n)) != NULL;
  good = good && (w->open = BRIO_TAKE(&arena, int, n)) != NULL;
  good = good && (w->fixed = BRIO_TAKE(&arena, bool, n)) != NULL;
  if (!good) {
    brio_arena_end(&arena);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a gauss_newton workspace of %d numbers", n);
    return NULL;
  }
  w->n = n;
  w->arena = arena;
  return w;
}

static double entry(const double *lower_half, int n, int i, int j) {
  return i >= j ? lower_half[i * n + j] : lower_half[j * n + i];
}

/* Factor the m x m lower half at `a` (row by row, stride m) in place.  A direction without
** curvature gets an endless pivot: it is not moved. */
static void cholesky(double *a, int m) {
  for (int i = 0; i < m; i++) {
    double *row = a + i * m;
    for (int j = 0; j <= i; j++) {
      const double *other = a + j * m;
      double sum = row[j];
      for (int k = 0; k < j; k++) sum -= row[k] * other[k];
      if (j < i) row[j] = sum / other[j];
      else row[i] = sum > 0 ? sqrt(sum) : HUGE_VAL;
    }
  }
}

/* Solve with the factor in place: b becomes the solution. */
static void back_substitute(const double *a, int m, double *b) {
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < i; k++) b[i] -= a[i * m + k] * b[k];
    b[i] /= a[i * m + i];
  }
  for (int i = m - 1; i >= 0; i--) {
    for (int k = i + 1; k < m; k++) b[i] -= a[k * m + i] * b[k];
    b[i] /= a[i * m + i];
  }
}

static double greatest_curvature(const workspace *w) {
  double greatest = 0;
  for (int i = 0; i < w->n; i++) greatest = fmax(greatest, w->curvature[i * w->n + i]);
  return greatest;
}

/* Solve the damped system for the open numbers, the fixed ones' steps being given. */
static void solve_open(workspace *w, int m, double damping, double floor_curvature) {
  int n = w->n;
  double *b = w->next; /* not in use now */
  for (int a = 0; a < m; a++) {
    int i = w->open[a];
    b[a] = -w->gradient[i];
    for (int j = 0; j < n; j++)
      if (w->fixed[j] && w->step[j] != 0) b[a] -= entry(w->curvature, n, i, j) * w->step[j];
    for (int c = 0; c <= a; c++) w->factor[a * m + c] = w->curvature[i * n + w->open[c]];
    w->factor[a * m + a] += damping * w->curvature[i * n + i] + floor_curvature;
  }
  cholesky(w->factor, m);
  back_substitute(w->factor, m, b);
  for (int a = 0; a < m; a++) w->step[w->open[a]] = b[a];
}

/* Put on its bound every open number whose step leaves the box; return how many. */
static int fix_leavers(workspace *w, const brio_problem *problem, const double *x, int m) {
  int count = 0;
  for (int a = 0; a < m; a++) {
    int i = w->open[a];
    double least = problem->lower[i] - x[i], most = problem->upper[i] - x[i];
    if (w->step[i] >= least && w->step[i] <= most) continue;
    w->step[i] = w->step[i] < least ? least : w->step[i] > most ? most : 0;
    w->fixed[i] = true;
    count++;
  }
  return count;
}

/* Find the step that minimizes the damped model over the box. */
static void find_step(workspace *w, const brio_problem *problem, const double *x, double damping) {
  int n = w->n;
  double floor_curvature = fmax(LEAST_CURVATURE * (1 + damping) * greatest_curvature(w), 1e-300);
  for (int i = 0; i < n; i++) {
    w->step[i] = 0;
    w->fixed[i] = (x[i] <= problem->lower[i] && w->gradient[i] >= 0) ||
                  (x[i] >= problem->upper[i] && w->gradient[i] <= 0);
  }
  for (;;) {
    int m = 0;
    for (int i = 0; i < n; i++)
      if (!w->fixed[i]) w->open[m++] = i;
    if (!m) return;
    solve_open(w, m, damping, floor_curvature);
    if (!fix_leavers(w, problem, x, m)) return;
  }
}

/* How much the undamped model says the step lowers the cost. */
static double predicted(const workspace *w) {
  int n = w->n;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *row = w->curvature + i * n;
    double half = 0.5 * row[i] * w->step[i];
    for (int j = 0; j < i; j++) half += row[j] * w->step[j];
    sum -= w->step[i] * (w->gradient[i] + half);
  }
  return sum;
}

static double longest(const double *v, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
  return most;
}

/* Try the step in the workspace; keep it when it lowers the cost enough. */
static bool try_step(workspace *w, const brio_problem *problem, double expected, double *x,
                     brio_outcome *outcome) {
  for (int i = 0; i < w->n; i++)
    w->next[i] = brio_clamp(x[i] + w->step[i], problem->lower[i], problem->upper[i]);
  double cost = problem->cost(problem->context, w->next);
  outcome->evaluations++;
  if (!(cost <= outcome->cost - 1e-4 * expected)) return false;
  memcpy(x, w->next, (size_t)w->n * sizeof *x);
  outcome->cost = cost;
  return true;
}

static void run(void *memory, const brio_problem *problem, int max_iterations, double *x,
                brio_outcome *outcome) {
  workspace *w = memory;
  double damping = 0, cost = problem->cost(problem->context, x);
  *outcome = (brio_outcome){.cost = cost, .found = isfinite(cost), .evaluations = 1};
  if (!outcome->found) return;
  problem->slopes(problem->context, w->gradient, w->curvature);
  while (outcome->iterations < max_iterations) {
    outcome->iterations++;
    find_step(w, problem, x, damping);
    double expected = predicted(w), length = longest(w->step, w->n);
    outcome->expected = fmax(0, expected);
    double rounding = COST_TOLERANCE * fabs(outcome->cost) + LEAST_DECREASE;
    outcome->converged = length == 0 || fabs(expected) <= rounding;
    if (outcome->converged) return;
    if (expected > 0 && try_step(w, problem, expected, x, outcome)) {
      outcome->converged = length < STEP_TOLERANCE;
      if (outcome->converged) return;
      problem->slopes(problem->context, w->gradient, w->curvature);
      damping = damping > 1e-6 ? damping / 10 : 0;
    } else {
      damping = fmax(10 * damping, 1e-3);
      outcome->converged = damping > GREATEST_DAMPING || length < STEP_TOLERANCE * 1e-2;
      if (outcome->converged) return;
    }
  }
}

const brio_backend brio_backend_gauss_newton = {
  .name = "gauss_newton",
  .doc = "Gauss-Newton with damping within the box of limits; allocates nothing after its start.",
  .start = start,
  .end = end,
  .run = run,
};
