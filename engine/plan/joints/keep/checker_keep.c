/* What a checker keeps, for searches: see keep.h. */
#include "plan/joints/checker_internal.h"

bool brio_joint_checker_keeps(const brio_joint_checker *checker) {
  return checker->keeps.count > 0;
}

bool brio_joint_checker_kept(brio_joint_checker *checker, const double *x, const char *what,
                             brio_error *err) {
  brio_joint_frames_place(&checker->frames, x);
  return brio_keeps_hold(&checker->keeps, &checker->frames) ||
         brio_keeps_explain(&checker->keeps, &checker->frames, what, err);
}

/* Write the ranges of the planned values; circular ones have no ends. */
static void set_ranges(const brio_joint_checker *checker, double *lower, double *upper) {
  for (int i = 0; i < checker->nx; i++) {
    const brio_variable *variable = &checker->robot->variables[checker->variables[i]];
    lower[i] = variable->circular ? -INFINITY : variable->lower;
    upper[i] = variable->circular ? INFINITY : variable->upper;
  }
}

bool brio_joint_checker_project(brio_joint_checker *checker, double *x) {
  return brio_joint_checker_project_on(checker, &checker->keeps, x);
}

bool brio_joint_checker_project_on(brio_joint_checker *checker, const brio_keeps *keeps, double *x) {
  double lower[BRIO_JOINTS_PLANNED], upper[BRIO_JOINTS_PLANNED], out[BRIO_JOINTS_PLANNED];
  set_ranges(checker, lower, upper);
  for (int i = 0; i < checker->nx; i++) out[i] = fmin(fmax(x[i], lower[i]), upper[i]);
  if (!brio_keeps_project(keeps, &checker->frames, lower, upper, out)) return false;
  /* Only what came to its end is given out. */
  for (int i = 0; i < checker->nx; i++) x[i] = out[i];
  return true;
}

bool brio_joint_checker_motion_keeps(brio_joint_checker *checker, const double *x, const double *delta) {
  return brio_keeps_motion(&checker->keeps, &checker->frames, x, delta);
}
