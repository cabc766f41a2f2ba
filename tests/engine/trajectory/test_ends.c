/* How solutions end: limits of time and iterations, cancellation, going on from where one ended, the same
** numbers twice, problems that have no solution, setups that make no sense. */
#include "tests/engine/trajectory/problems.h"

/* A block moved by at most `effort`; in 1 s it takes 4 N. */
static void make(problem *p, const double *effort) {
  problem_load(p, problem_block, "trapezoidal");
  p->setup.limits.effort = effort;
  problem_phase(p, 31, 1, 1, 1);
  problem_term(p, "effort", problem_nothing, 0, BRIO_TRAJECTORY_ALL, 1);
  double *from = problem_at(p, 0, 0), *to = problem_at(p, 1, 0);
  problem_pin(p, from, 0, 0), problem_pin(p, to, 0, BRIO_TRAJECTORY_LAST);
  problem_start(p, from, to);
}

static const double enough[1] = {4.5}, weak[1] = {3};

static bool stop_at_two(void *context, const brio_trajectory_progress *progress) {
  *(int *)context = progress->iteration;
  return progress->iteration < 2;
}

static void a_report_cancels(void) {
  problem p;
  int seen = -1;
  make(&p, enough);
  brio_trajectory_options options = brio_trajectory_default_options();
  options.report = stop_at_two, options.context = &seen;
  problem_solve(&p, "structured", &options);
  CHECK(p.outcome.end == BRIO_TRAJECTORY_CANCELLED && seen == 2, "%d at %d", p.outcome.end, seen);
  problem_end(&p);
}

static void a_solution_goes_on_where_it_ended(void) {
  problem whole, parts;
  make(&whole, enough), make(&parts, enough);
  problem_solve(&whole, "structured", NULL);
  brio_trajectory_options options = brio_trajectory_default_options();
  options.iterations = 3;
  problem_solve(&parts, "structured", &options);
  CHECK(parts.outcome.end == BRIO_TRAJECTORY_TIME, "%s", brio_trajectory_finish_name(parts.outcome.end));
  options.iterations = 100, options.barrier = 1e-3;
  problem_solve(&parts, "structured", &options);
  CHECK(parts.outcome.end == BRIO_TRAJECTORY_SOLVED, "%s", brio_trajectory_finish_name(parts.outcome.end));
  CHECK_NEAR(parts.outcome.last.cost, whole.outcome.last.cost, 1e-4, "cost");
  problem_end(&whole), problem_end(&parts);
}

static void the_same_problem_gives_the_same_numbers(void) {
  problem a, b;
  make(&a, enough), make(&b, enough);
  problem_solve(&a, "structured", NULL), problem_solve(&b, "structured", NULL);
  CHECK(memcmp(a.motion.q, b.motion.q, sizeof(double) * 31 * 8) == 0, "configurations differ");
  CHECK(memcmp(a.motion.torque, b.motion.torque, sizeof(double) * 31) == 0, "torques differ");
  problem_end(&a), problem_end(&b);
}

/* Too little force: the best motion has a violation, which the judgement names, and torques within limits. */
static void what_cannot_be_done_ends_with_its_violation(const char *backend) {
  problem p;
  brio_error err;
  make(&p, weak);
  brio_trajectory_options options = brio_trajectory_default_options();
  options.iterations = 60;
  if (!problem_solve(&p, backend, &options)) {
    check_skip = "Ipopt is not installed";
  } else {
    double cost;
    brio_trajectory_fault faults[4];
    int count = brio_trajectory_judge(&p.trajectory, &p.motion, &cost, faults, 4, &err);
    CHECK(p.outcome.end == BRIO_TRAJECTORY_STALLED || p.outcome.end == BRIO_TRAJECTORY_TIME, "%s",
          brio_trajectory_finish_name(p.outcome.end));
    CHECK(p.outcome.last.violation > 1e-3 && count > 0, "%g", p.outcome.last.violation);
    CHECK_NEAR(faults[0].violation, p.outcome.last.violation, 1e-6, "%s", faults[0].what);
  }
  problem_end(&p);
}

static void too_little_force_is_told(void) {
  what_cannot_be_done_ends_with_its_violation("structured");
}
static void too_little_force_is_told_by_ipopt(void) {
  what_cannot_be_done_ends_with_its_violation("ipopt");
}

static void a_motion_without_numbers_is_refused(void) {
  problem p;
  brio_error err = {0};
  make(&p, enough);
  p.motion.u[5 * p.robot->nv + BRIO_BASE_NV] = NAN;
  brio_trajectory_options options = brio_trajectory_default_options();
  bool good = brio_trajectory_backend_structured.solve(&p.trajectory, &options, &p.motion, &p.outcome, &err);
  CHECK(!good && err.code == BRIO_LIMIT, "%d", err.code);
  CHECK_HAS(err.message, "not finite");
  problem_end(&p);
}

/* Start a setup that is wrong, and look for the words. */
static void refuse(problem *p, const char *words) {
  brio_error err = {0};
  bool good = brio_trajectory_start(&p->trajectory, &p->setup, &err);
  CHECK(!good, "%s", words);
  if (good) brio_trajectory_end(&p->trajectory);
  CHECK_HAS(err.message, words);
  brio_arena_end(&p->arena), brio_robot_free(p->robot);
}

static void setups_without_sense_are_refused(void) {
  brio_error err;
  problem p;
  problem_load(&p, problem_block, "trapezoidal");
  refuse(&p, "needs at least 1 phase");
  problem_load(&p, problem_block, "trapezoidal");
  problem_phase(&p, 1, 1, 1, 1);
  refuse(&p, "phase 1 has 1 nodes");
  problem_load(&p, problem_block, "trapezoidal");
  problem_phase(&p, 5, 1, 2, 1);
  refuse(&p, "stretch by 2 to 1");
  problem_load(&p, problem_block, "trapezoidal");
  problem_phase(&p, 5, 1, 1, 1);
  problem_term(&p, "effort", problem_nothing, 3, -1, 1);
  refuse(&p, "there is no phase 4 of 1");
  CHECK(!brio_trajectory_term_find("efort", &err), "efort");
  CHECK_HAS(err.message, "did you mean 'effort'");
  CHECK(!brio_trajectory_backend_find("ipop", &err), "ipop");
  CHECK_HAS(err.message, "did you mean 'ipopt'");
}

CHECK_SUITE(CHECK_TEST(a_report_cancels), CHECK_TEST(a_solution_goes_on_where_it_ended),
            CHECK_TEST(the_same_problem_gives_the_same_numbers), CHECK_TEST(too_little_force_is_told),
            CHECK_TEST(too_little_force_is_told_by_ipopt), CHECK_TEST(a_motion_without_numbers_is_refused),
            CHECK_TEST(setups_without_sense_are_refused))
