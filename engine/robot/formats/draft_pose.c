/* Named poses of a file as configurations: joints have their variables by now. */
#include <assert.h>
#include <string.h>

#include "robot/formats/draft_internal.h"

/* A value within the range of its variable; beyond that its end, with a warning. */
static double clamp(brio_draft *draft, const brio_draft_pose *pose, const brio_variable *variable,
                    double value) {
  double inside = fmax(variable->lower, fmin(variable->upper, value));
  /* Less than a millionth is rounding. */
  if (fabs(inside - value) > 1e-6)
    brio_draft_warn(draft, pose->element, "'%.80s' is %g, outside its range: %g is used",
                    variable->name, value, inside);
  return inside;
}

/* Write the configuration of one pose. */
static void settle(brio_draft *draft, const brio_draft_pose *pose, double *q) {
  const brio_robot *robot = draft->robot;
  /* What the file says nothing of stays neutral. */
  brio_robot_neutral(robot, q);
  /* A robot that stands on another link has another root: where that is the file does not say. */
  if (pose->root && strcmp(pose->root, robot->links[0].name) == 0) {
    brio_pose b = pose->base;
    memcpy(q, (double[]){b.p.x, b.p.y, b.p.z, b.q.x, b.q.y, b.q.z, b.q.w}, BRIO_BASE_NQ * sizeof *q);
  }
  for (int j = 0; j < robot->njoint; j++) {
    const brio_joint *joint = &robot->joints[j];
    /* A copy has the variable of its source. */
    for (int k = 0; joint->mimic < 0 && k < joint->nvariable; k++) {
      assert(k < BRIO_BASE_NV);
      q[BRIO_BASE_NQ + joint->variable + k] =
          clamp(draft, pose, &robot->variables[joint->variable + k], pose->values[BRIO_BASE_NV * j + k]);
    }
  }
}

bool brio_draft_settle_poses(brio_draft *draft) {
  brio_robot *robot = draft->robot;
  /* All configurations in one block, nq numbers each. */
  brio_named_pose *poses = BRIO_TAKE(&robot->arena, brio_named_pose, draft->npose);
  double *q = BRIO_TAKE(&robot->arena, double, (size_t)draft->npose *(size_t)robot->nq);
  if (!poses || !q) return brio_draft_no_memory(draft);
  for (int i = 0; i < draft->npose; i++, q += robot->nq) {
    poses[i] = (brio_named_pose){draft->poses[i].name, q};
    settle(draft, &draft->poses[i], q);
  }
  robot->poses = poses;
  robot->npose = draft->npose;
  return true;
}
