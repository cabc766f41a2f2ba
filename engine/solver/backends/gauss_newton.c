/* Gauss-Newton with Levenberg-Marquardt damping within a box: the solver's own method.
**
** The cost is a sum of losses of squared residuals, so J^T W J (W from the losses' slopes) is a good second
** derivative that costs no more than the gradient where residuals become small.  Where they stay large, as
** with a goal out of reach, it lacks how residuals bend, and steps are several times too long: once a step
** gains much less or more than was predicted, the bends that objectives know are added, which makes the
** method Newton's.  An iteration minimizes the model   g.d + d.(H + damping diag(H)).d / 2   over the box:
** numbers that stand at a bound with the slope pushing outward are kept there, the rest solves a linear
** system (curvature.h); what leaves the box is put on its bound and the rest solved again.  A step that
** does not lower the cost is refused and the damping raised, which turns it towards the gradient and
** shortens it, so from its beginning on the cost only ever falls and every accepted point is feasible: the
** run may be cut anywhere. A guess is a beginning by the length of its first step, not by its cost. Sources:
** More, "The Levenberg-Marquardt algorithm", 1978; Bertsekas, "Projected Newton methods", 1982.  All memory
** is taken at the start. */
#include "solver/backend.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "math/scalar.h"

static const double STEP_TOLERANCE = 1e-7;  /* rad or m: a shorter accepted step is the last */
static const double COST_TOLERANCE = 1e-15; /* of the cost: a smaller decrease is rounding */
static const double MIN_DECREASE = 1e-13; /* a smaller one is not worth moving for */
static const double GREATEST_DAMPING = 1e9; /* past it no step lowers the cost */
static const double POOR = 0.5; /* of the predicted decrease: a gain that differs more shows a poor model */
static const double REMAINS = 0.5; /* of the cost: what must remain by prediction where residuals are large */
static const double UNSEEN = 1e-6;   /* rad or m: a longer step is taken only if its cost is known */
static const double REMAINDER = 1e-8; /* rad or m: what may remain behind a step whose cost is not known */
static const double NEARER = 0.1;    /* of its distance: so near to the minimum must a guess be to count */
static const double SHRINKS = 0.1;   /* from step to step: what does so converges */
static const double MIN_CURVATURE = 1e-7; /* of the greatest: holds numbers that nothing moves */

/* The memory of one problem size; the workspace itself lives in its arena. */
typedef struct workspace {
  int n;
  brio_arena arena;
  double *next, *step, *gradient, *next_gradient; /* n each */
  double *added;                                  /* n: scratch: what damping adds to the diagonal */
  brio_curvature curvature;
  bool *fixed;                                    /* n: numbers that the linear system does not move */
  double floor_curvature;                         /* in the last factor; 0: it is damped, or there is none */
} workspace;

/* The arena holds the workspace: copy it out before it is freed. */
static void end(void *memory) {
  workspace *w = memory;
  if (!w) return;
  brio_arena arena = w->arena;
  brio_arena_end(&arena);
}

/* Return a workspace for n numbers; O(n^2) bytes for the curvature. */
static void *start(int n, brio_error *err) {
  brio_arena arena;
  brio_arena_start(&arena, 4096);
  workspace *w = BRIO_TAKE(&arena, workspace, 1);
  bool good = w != NULL;
  double **vectors[] = {&w->next, &w->step, &w->gradient, &w->next_gradient, &w->added};
  for (int i = 0; good && i < 5; i++) good = (*vectors[i] = BRIO_TAKE(&arena, double, n)) != NULL;
  good = good && brio_curvature_start(&w->curvature, n, &arena);
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

/* Solve the damped system for the open numbers; the steps of the fixed ones are given.
** (H + damping diag(H) + floor) d = -g, with the columns of fixed numbers on the right-hand side. */
static void solve_open(workspace *w, double damping, double floor_curvature) {
  int n = w->n;
  double *b = w->next; /* not in use now */
  brio_curvature_diagonal(&w->curvature, w->added);
  for (int i = 0; i < n; i++) {
    b[i] = -w->gradient[i];
    w->added[i] = damping * w->added[i] + floor_curvature;
  }
  /* A fixed number that moved to its bound shifts the gradient of the others. */
  for (int j = 0; j < n; j++)
    if (w->fixed[j] && w->step[j] != 0) brio_curvature_add_column(&w->curvature, j, -w->step[j], b);
  /* Where residuals bend down more than the rest bends up, their bends are left out. */
  if (!brio_curvature_factor(&w->curvature, w->fixed, w->added) && w->curvature.bent) {
    brio_curvature_bend_to(&w->curvature, false);
    solve_open(w, damping, floor_curvature);
    return;
  }
  brio_curvature_solve(&w->curvature, b);
  for (int i = 0; i < n; i++)
    if (!w->fixed[i]) w->step[i] = b[i];
}

/* The greatest diagonal entry, against which the floor of the curvature is measured. */
static double greatest_curvature(workspace *w) {
  double greatest = 0;
  brio_curvature_diagonal(&w->curvature, w->added);
  for (int i = 0; i < w->n; i++) greatest = brio_max(greatest, w->added[i]);
  return greatest;
}

/* Put every open number whose step leaves the box on its bound, and fix it; return how many were. */
static int fix_leavers(workspace *w, const brio_problem *problem, const double *x) {
  int count = 0;
  for (int i = 0; i < w->n; i++) {
    double least = problem->lower[i] - x[i], most = problem->upper[i] - x[i];
    if (w->fixed[i] || (w->step[i] >= least && w->step[i] <= most)) continue;
    /* A step that is NaN becomes 0. */
    w->step[i] = w->step[i] < least ? least : w->step[i] > most ? most : 0;
    w->fixed[i] = true;
    count++;
  }
  return count;
}

/* Find the step that minimizes the damped model over the box. Each round fixes at least one number,
** so there are at most n + 1 factorizations; mostly one or two suffice. */
static void find_step(workspace *w, const brio_problem *problem, const double *x, double damping) {
  int n = w->n, open = n;
  assert(damping >= 0);
  /* Where nothing curves, a floor keeps the system regular and the number in place. */
  double floor_curvature = brio_max(MIN_CURVATURE * (1 + damping) * greatest_curvature(w), 1e-300);
  w->floor_curvature = damping > 0 ? 0 : floor_curvature;
  /* Start with the active set of the gradient: at a bound, with the slope pushing outward. */
  for (int i = 0; i < n; i++) {
    w->step[i] = 0;
    w->fixed[i] = (x[i] <= problem->lower[i] && w->gradient[i] >= 0) ||
                  (x[i] >= problem->upper[i] && w->gradient[i] <= 0);
    open -= w->fixed[i];
  }
  assert(open >= 0 && open <= n);
  while (open > 0) {
    solve_open(w, damping, floor_curvature);
    int count = fix_leavers(w, problem, x);
    if (count == 0) return;
    open -= count;
  }
}

/* The decrease of the cost by the step, as the undamped model predicts it: -g.d - d.H d / 2. */
static double predicted(const workspace *w) {
  double along = 0;
  for (int i = 0; i < w->n; i++) along += w->gradient[i] * w->step[i];
  return -along - 0.5 * brio_curvature_square(&w->curvature, w->step);
}

/* The greatest magnitude among n numbers. */
static double longest(const double *v, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = brio_max(most, fabs(v[i]));
  return most;
}

/* Evaluate the step in the workspace; keep it if it lowers the cost by a share of what was
** predicted (the rule of Armijo), which a cost of NaN does not. */
static bool try_step(workspace *w, const brio_problem *problem, double expected, double *x,
                     brio_outcome *outcome) {
  /* Rounding may lead out of the box by a bit. */
  for (int i = 0; i < w->n; i++)
    w->next[i] = brio_clamp(x[i] + w->step[i], problem->lower[i], problem->upper[i]);
  double cost = problem->cost(problem->context, w->next);
  outcome->evaluations++;
  if (!(cost <= outcome->cost - 1e-4 * expected)) return false;
  memcpy(x, w->next, (size_t)w->n * sizeof *x);
  outcome->cost = cost;
  return true;
}

/* Whether a step of `length` is the last for certain, `before` being that of the one before it, which was
** kept (0: it was not, or its gain was not as predicted): steps shrink so quickly that what they leave, by
** the same ratio, does not matter. */
static bool is_last(double length, double before) {
  return length < UNSEEN && length < SHRINKS * before && length * length < REMAINDER * before;
}

/* Take the step in the workspace as it is predicted: its cost is not evaluated. */
static void take_last(workspace *w, const brio_problem *problem, double expected, double *x,
                      brio_outcome *outcome) {
  for (int i = 0; i < w->n; i++)
    x[i] = brio_clamp(x[i] + w->step[i], problem->lower[i], problem->upper[i]);
  outcome->cost -= expected;
  outcome->converged = true;
}

/* Gradient and second derivatives at the point that was judged last, with what residuals bend if that is
** wanted. */
static void find_slopes(workspace *w, const brio_problem *problem) {
  problem->slopes(problem->context, w->gradient, &w->curvature);
  brio_curvature_bend_to(&w->curvature, true);
}

/* After a step that was refused, let residuals bend if they `may` and did not yet; else raise the damping. */
static void refuse(workspace *w, const brio_problem *problem, bool may, const double *x, double *damping,
                   brio_outcome *outcome) {
  if (may && !w->curvature.wants_bends) {
    w->curvature.wants_bends = true;
    problem->cost(problem->context, x);
    outcome->evaluations++;
    find_slopes(w, problem);
    if (w->curvature.nbend > 0) return;
  }
  *damping = brio_max(10 * *damping, 1e-3);
}

/* The greatest difference of n numbers. */
static double farthest(const double *a, const double *b, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = brio_max(most, fabs(a[i] - b[i]));
  return most;
}

/* Evaluate cost and slopes at x, and find the first step from there. */
static void begin_at(workspace *w, const brio_problem *problem, const double *x, brio_outcome *outcome) {
  outcome->cost = problem->cost(problem->context, x);
  outcome->found = isfinite(outcome->cost);
  outcome->evaluations++;
  if (!outcome->found) return;
  find_slopes(w, problem);
  find_step(w, problem, x, 0);
}

/* Begin at the guess if there is one and the minimum is much nearer to it than x is, as far as its first step
** tells; else at x. */
static void begin(workspace *w, const brio_problem *problem, double *x, brio_outcome *outcome) {
  if (problem->guess) {
    begin_at(w, problem, problem->guess, outcome);
    double way = farthest(problem->guess, x, w->n), length = longest(w->step, w->n);
    /* Where nothing pulls at all, nothing speaks for the guess. */
    if (outcome->found && length > 0 && length <= NEARER * way) {
      memcpy(x, problem->guess, (size_t)w->n * sizeof *x);
      return;
    }
  }
  begin_at(w, problem, x, outcome);
}

/* One cost and one linear system per iteration; slopes only after a step that was kept. */
static void run(void *memory, const brio_problem *problem, int max_iterations, double *x,
                brio_outcome *outcome) {
  workspace *w = memory;
  assert(w->n == problem->n && max_iterations >= 0);
  /* Damping 0 is a full Gauss-Newton step; with bends, Newton's. */
  double damping = 0, kept = 0;
  *outcome = (brio_outcome){0};
  w->curvature.wants_bends = false;
  w->floor_curvature = 0;
  begin(w, problem, x, outcome);
  while (outcome->found && outcome->iterations < max_iterations) {
    if (outcome->iterations++ > 0) find_step(w, problem, x, damping);
    /* No gain beyond rounding: the point is a minimum as far as can be computed. */
    double expected = predicted(w), length = longest(w->step, w->n), before = outcome->cost;
    outcome->expected = brio_max(0, expected);
    double rounding = COST_TOLERANCE * fabs(outcome->cost) + MIN_DECREASE;
    outcome->converged = length == 0 || fabs(expected) <= rounding;
    if (outcome->converged) return;
    if (damping == 0 && expected > 0 && is_last(length, kept)) {
      take_last(w, problem, expected, x, outcome);
      return;
    }
    /* Where nearly all of the cost can go, residuals vanish, and with them what they bend. */
    bool may = expected < (1 - REMAINS) * before;
    /* Success lowers the damping towards Gauss-Newton. */
    if (expected > 0 && try_step(w, problem, expected, x, outcome)) {
      outcome->converged = length < STEP_TOLERANCE;
      if (outcome->converged) return;
      bool poor = fabs(before - outcome->cost - expected) > POOR * expected;
      w->curvature.wants_bends |= may && poor;
      kept = damping == 0 && !poor ? length : 0;
      find_slopes(w, problem);
      damping = damping > 1e-6 ? damping / 10 : 0;
    } else {
      kept = 0;
      refuse(w, problem, may, x, &damping, outcome);
      outcome->converged = damping > GREATEST_DAMPING || length < STEP_TOLERANCE * 1e-2;
      if (outcome->converged) return;
    }
  }
}

/* With S the curvature and f its floor, v - f (S + f)^-1 v = (S + f)^-1 S v: nothing remains along a
** direction that the floor alone holds. Numbers that are pushed against a bound keep theirs, others there
** have none. */
static bool curved(void *memory, double *v) {
  workspace *w = memory;
  if (!(w->floor_curvature > 0)) return false;
  for (int i = 0; i < w->n; i++) w->step[i] = w->fixed[i] ? 0 : w->floor_curvature * v[i];
  brio_curvature_solve(&w->curvature, w->step);
  for (int i = 0; i < w->n; i++) {
    if (!w->fixed[i]) v[i] -= w->step[i];
    else if (w->gradient[i] == 0) v[i] = 0;
  }
  return true;
}

const brio_backend brio_backend_gauss_newton = {
  .name = "gauss_newton",
  .doc = "Gauss-Newton with damping within the box of limits; allocates nothing after its start.",
  .start = start,
  .end = end,
  .run = run,
  .curved = curved,
};
