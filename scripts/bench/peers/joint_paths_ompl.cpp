// OMPL's planners on a problem of joint_paths.c, with the same checks of configurations and motions:
// RRT-Connect and path simplification with their defaults, or BIT* (Gammell, Srinivasa and Barfoot 2015) on
// path length.
#include <cmath>
#include <ctime>
#include <memory>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/objectives/PathLengthOptimizationObjective.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

#include "scripts/bench/behavior/joint_paths.h"

namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;

const double *values(const ob::State *state) {
  return state->as<ob::RealVectorStateSpace::StateType>()->values;
}

class Motions : public ob::MotionValidator {
 public:
   Motions(const ob::SpaceInformationPtr &space, const ompl_task *task)
       : ob::MotionValidator(space), task_(task) {}
   bool checkMotion(const ob::State *from, const ob::State *to) const override {
     return task_->motion(task_->context, values(from), values(to));
  }
  bool checkMotion(const ob::State *from, const ob::State *to,
                   std::pair<ob::State *, double> &last) const override {
    last.second = 0;
    return checkMotion(from, to);
  }

 private:
  const ompl_task *task_;
};

double clock_now() {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

extern "C" void ompl_plan(const ompl_task *task, ompl_answer *answer) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(task->seed);
  const unsigned n = static_cast<unsigned>(task->n);
  auto space = std::make_shared<ob::RealVectorStateSpace>(n);
  ob::RealVectorBounds bounds(n);
  // Some starts are a rounding outside of the limits.
  for (unsigned i = 0; i < n; i++) {
    bounds.setLow(i, std::fmin(task->lower[i], std::fmin(task->start[i], task->goal[i])));
    bounds.setHigh(i, std::fmax(task->upper[i], std::fmax(task->start[i], task->goal[i])));
  }
  space->setBounds(bounds);
  og::SimpleSetup setup(space);
  auto information = setup.getSpaceInformation();
  setup.setStateValidityChecker(
      [task](const ob::State *state) { return task->clear(task->context, values(state)); });
  information->setMotionValidator(std::make_shared<Motions>(information, task));
  ob::ScopedState<> start(space), goal(space);
  for (unsigned i = 0; i < n; i++) start[i] = task->start[i], goal[i] = task->goal[i];
  setup.setStartAndGoalStates(start, goal);
  if (task->optimal) {
    auto shortest = std::make_shared<ob::PathLengthOptimizationObjective>(information);
    setup.setOptimizationObjective(shortest);
    setup.setPlanner(std::make_shared<og::BITstar>(information));
  } else {
    auto planner = std::make_shared<og::RRTConnect>(information);
    planner->setRange(task->range);
    setup.setPlanner(planner);
  }
  setup.setup();
  const double begin = clock_now();
  answer->solved = setup.solve(task->seconds) == ob::PlannerStatus::EXACT_SOLUTION;
  answer->seconds = clock_now() - begin;
  if (!answer->solved) return;
  answer->first = setup.getSolutionPath().length();
  if (!task->optimal) setup.simplifySolution();
  answer->whole_seconds = clock_now() - begin;
  answer->length = setup.getSolutionPath().length();
}
