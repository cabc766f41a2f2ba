/* Trajectories when memory is refused: any allocation of a problem, a motion and a solution may fail. */
#include "tests/engine/trajectory/problems.h"
#include "tests/refusals.h"

static problem block; /* set up once: its terms and configurations are not what is refused */

/* A block moved for 1 s, in few nodes and iterations. */
static bool solve_a_problem(brio_error *err) {
  brio_arena arena;
  brio_trajectory trajectory = {0};
  brio_trajectory_motion motion;
  brio_trajectory_outcome outcome;
  brio_trajectory_options options = brio_trajectory_default_options();
  options.iterations = 2;
  brio_arena_start(&arena, 4096);
  bool good = brio_trajectory_start(&trajectory, &block.setup, err) &&
              brio_trajectory_take_motion(&trajectory, &arena, &motion, err) &&
              brio_trajectory_guess(&trajectory, &motion, err) &&
              brio_trajectory_backend_find("structured", err)
                  ->solve(&trajectory, &options, &motion, &outcome, err);
  brio_trajectory_end(&trajectory);
  brio_arena_end(&arena);
  return good;
}

static void any_allocation_of_a_solution_may_fail(void) {
  static const refusals_job job = {"a trajectory", solve_a_problem};
  static const double effort[1] = {4.5};
  problem_load(&block, problem_block, "trapezoidal");
  block.setup.limits.effort = effort;
  problem_phase(&block, 5, 1, 1, 1);
  problem_term(&block, "effort", problem_nothing, 0, BRIO_TRAJECTORY_ALL, 1);
  problem_pin(&block, problem_at(&block, 0, 0), 0, 0);
  problem_pin(&block, problem_at(&block, 1, 0), 0, BRIO_TRAJECTORY_LAST);
  refusals_of(&job, 1);
  brio_arena_end(&block.arena);
  brio_robot_free(block.robot);
}

CHECK_SUITE(CHECK_TEST(any_allocation_of_a_solution_may_fail))
