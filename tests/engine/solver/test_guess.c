/* The method of Gauss and Newton by itself, on problems without a robot: where it begins, and where it ends. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "solver/backend.h"

enum { N = 4 };

/* Residuals  x0 - 1,  10 (x1 - x0^2),  x2 - sin(x0),  x3^2 - 1:  valleys at x3 = 1 and x3 = -1, each with its
** minimum, 0, at (1, 1, sin 1, +-1). The cost is half their squares. */
typedef struct valley {
  double x[N];
  int costs, slopes;
} valley;

static void residuals(const double *x, double r[N]) {
  r[0] = x[0] - 1, r[1] = 10 * (x[1] - x[0] * x[0]), r[2] = x[2] - sin(x[0]), r[3] = x[3] * x[3] - 1;
}

static double cost(void *context, const double *x) {
  valley *v = context;
  double r[N], sum = 0;
  v->costs++;
  memcpy(v->x, x, sizeof v->x);
  residuals(x, r);
  for (int i = 0; i < N; i++) sum += r[i] * r[i] / 2;
  return sum;
}

static void slopes(void *context, double *gradient, brio_curvature *curvature) {
  valley *v = context;
  const double *x = v->x;
  static const int index[N] = {0, 1, 2, 3};
  double r[N], rows[N][N] = {{1}, {-20 * x[0], 10}, {-cos(x[0]), 0, 1}, {0, 0, 0, 2 * x[3]}};
  v->slopes++;
  residuals(x, r);
  memset(gradient, 0, N * sizeof *gradient);
  brio_curvature_clear(curvature);
  for (int k = 0; k < N; k++) {
    for (int i = 0; i < N; i++) gradient[i] += r[k] * rows[k][i];
    brio_curvature_add(curvature, index, rows[k], N, 1);
  }
}

/* Minimize from `from`, with a guess or NULL, and leave the place found in `x`; return what was counted. */
static valley minimize(const double *from, const double *guess, double *x) {
  static const double lower[N] = {-3, -3, -3, -3}, upper[N] = {3, 3, 3, 3};
  valley v = {.costs = 0};
  brio_error err = {0};
  const brio_backend *backend = brio_backend_find("gauss_newton", &err);
  void *workspace = backend->start(N, &err);
  brio_problem problem = {N, lower, upper, guess, &v, cost, slopes};
  brio_outcome outcome = {0};
  memcpy(x, from, N * sizeof *x);
  backend->run(workspace, &problem, 60, x, &outcome);
  CHECK(outcome.converged && outcome.found, "cost %g", outcome.cost);
  CHECK(outcome.evaluations == v.costs, "%d of %d", outcome.evaluations, v.costs);
  backend->end(workspace);
  return v;
}

/* How far x is from the minimum of the valley of that sign. */
static double away(const double *x, double sign) {
  const double best[N] = {1, 1, sin(1), sign};
  double most = 0;
  for (int i = 0; i < N; i++) most = fmax(most, fabs(x[i] - best[i]));
  return most;
}

/* Distances of starts over seven decades, with and without the minimum nearly guessed. */
static void ends_at_the_minimum(void) {
  for (double far = 1e-7; far < 0.5; far *= 3) {
    double from[N] = {1 + far, 1 - far, sin(1) + far, 1 + far}, x[N];
    valley alone = minimize(from, NULL, x);
    CHECK(away(x, 1) < 1e-7, "from %g: %g away", far, away(x, 1));
    double guess[N] = {1 + 0.01 * far, 1 - 0.01 * far, sin(1) + 0.01 * far, 1 + 0.01 * far};
    valley led = minimize(from, guess, x);
    CHECK(away(x, 1) < 1e-7, "with a guess from %g: %g away", far, away(x, 1));
    CHECK(led.costs <= alone.costs && led.slopes <= alone.slopes, "%d in place of %d", led.costs, alone.costs);
  }
}

/* A guess that leads elsewhere, farther away or nowhere costs one evaluation, and changes nothing else. */
static void a_bad_guess_changes_nothing(void) {
  const double from[N] = {1.1, 0.9, 0.8, 1.2};
  const double bad[][N] = {{1.1, 0.9, 0.8, -0.4}, {-2, 2, -1, 2}, {1.2, 0.8, 0.7, 1.5}, {1.1, 0.9, 0.8, 1.2},
                           {NAN, 1, 1, 1}};
  double x[N], alone[N];
  valley before = minimize(from, NULL, alone);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    valley now = minimize(from, bad[i], x);
    CHECK(memcmp(x, alone, sizeof x) == 0, "guess %zu: %g away", i, away(x, 1));
    CHECK(now.costs == before.costs + 1, "guess %zu: %d after %d", i, now.costs, before.costs);
  }
}

/* Half the square of x0 - 1, of a valley with `costs` only above 1; nothing else costs. */
static double plain_cost(void *context, const double *x) {
  valley *v = context;
  memcpy(v->x, x, sizeof v->x);
  double r = v->costs && x[0] < 1 ? 0 : x[0] - 1;
  return r * r / 2;
}

static void plain_slopes(void *context, double *gradient, brio_curvature *curvature) {
  const valley *v = context;
  double row[N] = {v->costs && v->x[0] < 1 ? 0 : 1};
  static const int index[N] = {0};
  memset(gradient, 0, N * sizeof *gradient);
  gradient[0] = row[0] * (v->x[0] - 1);
  brio_curvature_clear(curvature);
  if (row[0] != 0) brio_curvature_add(curvature, index, row, 1, 1);
}

/* Where nothing pulls a guess counts for nothing, and of a change only what is pulled remains: not what is free,
** nor what stands at a bound without being pushed there. */
static void what_nothing_pulls_stays(void) {
  static const double lower[N] = {-3, -1, -1, -1}, upper[N] = {3, 1, 1, 1};
  const double guess[N] = {0.4, 0.1, 0.1, 0.1};
  brio_error err = {0};
  const brio_backend *backend = brio_backend_find("gauss_newton", &err);
  void *workspace = backend->start(N, &err);
  for (int flat = 0; flat < 2; flat++) {
    double x[N] = {0.5, 1, 0.2, -1}, change[N] = {0.1, 0.1, 0.1, 0.1};
    valley v = {.costs = flat};
    brio_problem problem = {N, lower, upper, flat ? guess : NULL, &v, plain_cost, plain_slopes};
    brio_outcome outcome = {0};
    backend->run(workspace, &problem, 60, x, &outcome);
    CHECK(outcome.converged && fabs(x[0] - (flat ? 0.5 : 1)) < 1e-6, "flat %d: x0 = %g", flat, x[0]);
    CHECK(x[1] == 1 && x[2] == 0.2 && x[3] == -1, "%g %g %g", x[1], x[2], x[3]);
    CHECK(backend->curved(workspace, change), "it is known");
    CHECK(fabs(change[0] - (flat ? 0 : 0.1)) < 1e-6, "flat %d: %g remains", flat, change[0]);
    for (int i = 1; i < N; i++) CHECK(fabs(change[i]) < 1e-6, "flat %d: %g of %d remains", flat, change[i], i);
  }
  backend->end(workspace);
}

CHECK_SUITE(CHECK_TEST(ends_at_the_minimum), CHECK_TEST(a_bad_guess_changes_nothing),
            CHECK_TEST(what_nothing_pulls_stays))
