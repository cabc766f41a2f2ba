/* Least-cost assignment: compared with all assignments, with a dense solver, and checked by its own proof. */
#include "tests/allocations.h"

#include "base/random.h"
#include "scene/assignment.h"
#include "tests/check.h"

enum { MOST = 64 };

typedef struct problem {
  int rows, columns;
  double cost[MOST][MOST]; /* INFINITY: no pair */
  double alone;
} problem;

/* The least sum, by trying everything. */
static double least(const problem *p, int row, unsigned taken) {
  if (row == p->rows) return 0;
  double best = p->alone + least(p, row + 1, taken);
  for (int j = 0; j < p->columns; j++)
    if (!(taken >> j & 1) && isfinite(p->cost[row][j]))
      best = fmin(best, p->cost[row][j] + least(p, row + 1, taken | 1u << j));
  return best;
}

/* Solve; return the sum, or NAN when the answer is no assignment. */
static double solve(brio_assignment *a, const problem *p, const int **columns) {
  double sum = 0;
  bool taken[MOST] = {false};
  brio_assignment_begin(a, p->columns);
  for (int i = 0; i < p->rows; i++) {
    brio_assignment_row(a);
    for (int j = 0; j < p->columns; j++)
      if (isfinite(p->cost[i][j])) brio_assignment_pair(a, j, p->cost[i][j]);
  }
  *columns = brio_assignment_solve(a, p->alone);
  for (int i = 0; i < p->rows; i++) {
    int j = (*columns)[i];
    if (j >= 0 && (taken[j] || !isfinite(p->cost[i][j]))) return NAN;
    if (j >= 0) taken[j] = true;
    sum += j >= 0 ? p->cost[i][j] : p->alone;
  }
  return sum;
}

static void draw(problem *p, brio_random *random, int rows, int columns, double density, bool whole) {
  p->rows = rows;
  p->columns = columns;
  p->alone = brio_random_uniform(random, 0, 1.2);
  if (whole) p->alone = floor(4 * p->alone);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      double cost = brio_random_uniform(random, 0, 1);
      p->cost[i][j] =
          brio_random_uniform(random, 0, 1) < density ? (whole ? floor(4 * cost) : cost) : INFINITY;
    }
}

static brio_assignment *workspace(void) {
  brio_error err;
  brio_assignment *a = brio_assignment_new(MOST, MOST, MOST * MOST, &err);
  CHECK(a, "%s", err.message);
  return a;
}

/* Small problems, also with many ties (whole costs). */
static void is_the_least_of_all(void) {
  brio_assignment *a = workspace();
  brio_random random = brio_random_stream(1, "assignment");
  for (int run = 0; run < (int)(3000 * check_scale()); run++) {
    problem p;
    const int *columns;
    draw(&p, &random, (int)brio_random_below(&random, 7), (int)brio_random_below(&random, 7),
         brio_random_uniform(&random, 0.2, 1.1), run % 2);
    CHECK_NEAR(solve(a, &p, &columns), least(&p, 0, 0), 1e-12, "run %d", run);
  }
  brio_assignment_free(a);
}

/* The O(n^3) Hungarian algorithm with potentials on a square matrix (Kuhn 1955, Munkres 1957), with a dummy
** column for each row that stays unassigned. */
static double dense(const problem *p) {
  static double c[2 * MOST][2 * MOST], u[2 * MOST], v[2 * MOST], reach[2 * MOST];
  int n = p->rows, m = p->columns + p->rows, row_of[2 * MOST], from[2 * MOST];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i][j] = j < p->columns        ? (isfinite(p->cost[i][j]) ? p->cost[i][j] : 1e6)
                : j == p->columns + i ? p->alone
                                      : 1e6;
  for (int j = 0; j < m; j++) row_of[j] = -1, v[j] = 0;
  for (int i = 0; i < n; i++) {
    bool done[2 * MOST] = {false};
    int row = i, end = -1, here = -1;
    u[i] = 0;
    for (int j = 0; j < m; j++) reach[j] = INFINITY, from[j] = -1;
    while (end < 0) {
      double delta = INFINITY;
      int next = 0; /* a column is left: m >= n */
      for (int j = 0; j < m; j++) {
        if (done[j]) continue;
        double reduced = c[row][j] - u[row] - v[j];
        if (reduced < reach[j]) reach[j] = reduced, from[j] = here;
        if (reach[j] < delta) delta = reach[j], next = j;
      }
      u[i] += delta;
      for (int j = 0; j < m; j++) {
        if (done[j])
          u[row_of[j]] += delta, v[j] -= delta;
        else
          reach[j] -= delta;
      }
      done[here = next] = true;
      if (row_of[next] < 0)
        end = next;
      else
        row = row_of[next];
    }
    for (; from[end] >= 0; end = from[end]) row_of[end] = row_of[from[end]];
    row_of[end] = i;
  }
  double sum = 0;
  for (int j = 0; j < m; j++) sum += row_of[j] >= 0 ? c[row_of[j]][j] : 0;
  return sum;
}

static void agrees_with_a_dense_solver(void) {
  brio_assignment *a = workspace();
  brio_random random = brio_random_stream(2, "assignment");
  for (int run = 0; run < (int)(120 * check_scale()); run++) {
    problem p;
    const int *columns;
    draw(&p, &random, 20 + (int)brio_random_below(&random, 44), 20 + (int)brio_random_below(&random, 44),
         run % 3 ? brio_random_uniform(&random, 0.02, 0.2) : 1, run % 2);
    CHECK_NEAR(solve(a, &p, &columns), dense(&p), 1e-9, "run %d: %d x %d", run, p.rows, p.columns);
  }
  brio_assignment_free(a);
}

static void all_want_the_same(void) {
  brio_assignment *a = workspace();
  problem p = {.rows = MOST, .columns = 1, .alone = 1};
  const int *columns;
  for (int i = 0; i < MOST; i++) p.cost[i][0] = 0.5;
  CHECK_NEAR(solve(a, &p, &columns), 0.5 + (MOST - 1), 1e-12, "one has it, the others stay alone");
  p.cost[40][0] = 0.25;
  CHECK_NEAR(solve(a, &p, &columns), 0.25 + (MOST - 1), 1e-12, "who pays least has it");
  CHECK(columns[40] == 0, "who has it");
  p.alone = 0.25;
  solve(a, &p, &columns);
  for (int i = 0; i < MOST; i++) CHECK(columns[i] == -1, "row %d has what costs no less than nothing", i);
  brio_assignment_free(a);
}

static void repeats_and_allocates_nothing(void) {
#ifdef SANITIZED
  SKIP("a sanitizer has taken malloc's place");
#endif
  brio_assignment *a = workspace();
  brio_random random = brio_random_stream(3, "assignment");
  problem p;
  int first[MOST];
  const int *columns;
  draw(&p, &random, MOST, MOST, 0.3, true);
  solve(a, &p, &columns);
  memcpy(first, columns, sizeof first);
  size_t before = allocations;
  for (int run = 0; run < 20; run++) {
    solve(a, &p, &columns);
    CHECK(memcmp(first, columns, sizeof first) == 0, "run %d differs", run);
  }
  CHECK(allocations == before, "%zu allocations", allocations - before);
  brio_assignment_free(a);
}

static void wrong_use_is_refused(void) {
  brio_error err = {0};
  CHECK(!brio_assignment_new(0, 1, 1, &err) && err.code == BRIO_MISUSE, "no rows");
  CHECK(!brio_assignment_new(1, 1 << 30, 1, &err) && err.code == BRIO_MISUSE, "too many columns");
  CHECK_HAS(err.message, "1073741824");
  brio_assignment *a = brio_assignment_new(2, 2, 3, &err);
  brio_assignment_begin(a, 7);
  CHECK(!brio_assignment_pair(a, 0, 1), "a pair without a row");
  CHECK(brio_assignment_row(a) == 0, "first row");
  CHECK(!brio_assignment_pair(a, 2, 1) && !brio_assignment_pair(a, -1, 1), "no such column");
  CHECK(!brio_assignment_pair(a, 0, NAN) && !brio_assignment_pair(a, 0, -1), "no such cost");
  CHECK(!brio_assignment_pair(a, 0, INFINITY), "an endless cost");
  CHECK(brio_assignment_pair(a, 0, 1) && brio_assignment_pair(a, 1, 2), "pairs");
  CHECK(brio_assignment_row(a) == 1 && brio_assignment_row(a) == -1, "no room for a third row");
  CHECK(brio_assignment_pair(a, 0, 1) && !brio_assignment_pair(a, 1, 1), "no room for a fourth pair");
  const int *columns = brio_assignment_solve(a, NAN);
  CHECK(columns[0] == 1 && columns[1] == 0, "staying alone at no cost that is one: never");
  brio_assignment_begin(a, -1);
  brio_assignment_solve(a, 1);
  brio_assignment_free(a);
  brio_assignment_free(NULL);
}

CHECK_SUITE(CHECK_TEST(is_the_least_of_all), CHECK_TEST(agrees_with_a_dense_solver),
            CHECK_TEST(all_want_the_same), CHECK_TEST(repeats_and_allocates_nothing),
            CHECK_TEST(wrong_use_is_refused))
