/* The robot model after loading: lookup of names, limits, the neutral pose, freeing. Loading is in
** formats/draft.c, kinematics in kinematics.c. */
#include "robot/robot.h"

#include <assert.h>
#include <stdlib.h>

void brio_robot_free(brio_robot *robot) {
  /* Indices have memory of their own; all else is in the arena. */
  if (!robot) return;
  brio_name_index_end(&robot->link_index);
  brio_name_index_end(&robot->joint_index);
  brio_name_index_end(&robot->variable_index);
  brio_arena_end(&robot->arena);
  free(robot);
}

/* The words of URDF. */
static const char *const joint_types[BRIO_NJOINT_TYPE] = {
    [BRIO_JOINT_FIXED] = "fixed",           [BRIO_JOINT_REVOLUTE] = "revolute",
    [BRIO_JOINT_CONTINUOUS] = "continuous", [BRIO_JOINT_PRISMATIC] = "prismatic",
    [BRIO_JOINT_PLANAR] = "planar",         [BRIO_JOINT_FLOATING] = "floating"};

const char *brio_joint_type_name(brio_joint_type type) {
  return (unsigned)type < BRIO_NJOINT_TYPE ? joint_types[type] : "unknown";
}

const char *brio_loop_type_name(brio_loop_type type) {
  static const char *const loop_types[BRIO_NLOOP_TYPE] = {[BRIO_LOOP_POINT] = "point",
                                                          [BRIO_LOOP_POSE] = "pose"};
  return (unsigned)type < BRIO_NLOOP_TYPE ? loop_types[type] : "unknown";
}

/* Names by index, for brio_name_hint; NULL ends each list. */
static const char *link_at(const void *robot, int i) {
  const brio_robot *r = robot;
  return i < r->nlink ? r->links[i].name : NULL;
}

static const char *joint_at(const void *robot, int i) {
  const brio_robot *r = robot;
  return i < r->njoint ? r->joints[i].name : NULL;
}

static const char *variable_at(const void *robot, int i) {
  const brio_robot *r = robot;
  return i < r->nvariable ? r->variables[i].name : NULL;
}

/* Look up a name. Return its index, or -1 and a sentence with the nearest name (misuse). O(1) on average */
static int find(const brio_robot *robot, const brio_name_index *index, const char *kind, const char *name,
                brio_name_at at, brio_error *err) {
  char hint[96];
  int found = brio_name_index_find(index, name);
  if (found < 0)
    brio_fail(err, BRIO_MISUSE, "robot '%.80s' has no %s '%.80s'%s", robot->name, kind, name,
              brio_name_hint(name, at, robot, hint));
  return found;
}

int brio_robot_link(const brio_robot *robot, const char *name, brio_error *err) {
  return find(robot, &robot->link_index, "link", name, link_at, err);
}

int brio_robot_joint(const brio_robot *robot, const char *name, brio_error *err) {
  return find(robot, &robot->joint_index, "joint", name, joint_at, err);
}

/* Explain why a joint is not a variable: it is a mimic joint, is fixed, or has several variables. */
static void explain_joint(const brio_robot *robot, const brio_joint *joint, brio_error *err) {
  if (joint->mimic >= 0)
    brio_fail(err, BRIO_MISUSE,
              "joint '%.80s' of robot '%.80s' copies '%.80s' and has no variable of its own", joint->name,
              robot->name, robot->joints[joint->mimic].name);
  else if (joint->nvariable == 0)
    brio_fail(err, BRIO_MISUSE, "joint '%.80s' of robot '%.80s' is fixed and has no variable", joint->name,
              robot->name);
  else
    brio_fail(err, BRIO_MISUSE, "joint '%.80s' of robot '%.80s' has %d variables, from '%.80s' to '%.80s'",
              joint->name, robot->name, joint->nvariable, robot->variables[joint->variable].name,
              robot->variables[joint->variable + joint->nvariable - 1].name);
}

/* A joint with one variable gives it its name; for any other joint `err` explains why it is no variable. */
int brio_robot_variable(const brio_robot *robot, const char *name, brio_error *err) {
  int found = brio_name_index_find(&robot->variable_index, name);
  /* A joint's name is tried only where no variable has it. */
  int joint = found < 0 ? brio_name_index_find(&robot->joint_index, name) : -1;
  if (joint >= 0) explain_joint(robot, &robot->joints[joint], err);
  else if (found < 0) found = find(robot, &robot->variable_index, "variable", name, variable_at, err);
  return found;
}

void brio_robot_neutral(const brio_robot *robot, double *q) {
  /* The first BRIO_BASE_NQ numbers: position, quaternion x, y, z, w. */
  brio_pose base = robot->base_center;
  q[0] = base.p.x, q[1] = base.p.y, q[2] = base.p.z;
  q[3] = base.q.x, q[4] = base.q.y, q[5] = base.q.z, q[6] = base.q.w;
  for (int i = 0; i < robot->nvariable; i++) {
    /* 0 if the range contains it, else the middle of the range; with one end only, that end. */
    const brio_variable *v = &robot->variables[i];
    bool inside = v->lower <= 0 && v->upper >= 0;
    q[BRIO_BASE_NQ + i] = inside ? 0 : isinf(v->lower) ? v->upper : isinf(v->upper) ? v->lower
                                                                     : v->lower + (v->upper - v->lower) / 2;
  }
}

/* Whether a limit is valid: above 0, or NAN, which leaves the old one. */
static bool is_limit(double value) { return isnan(value) || value > 0; }

bool brio_robot_set_limits(brio_robot *robot, int variable, const brio_limits *limits, brio_error *err) {
  if (variable < 0 || variable >= robot->nvariable)
    return brio_fail(err, BRIO_MISUSE, "robot '%.80s' has no variable %d: expected 0 to %d", robot->name,
                     variable, robot->nvariable - 1);
  brio_variable *v = (brio_variable *)&robot->variables[variable]; /* ours: it lives in robot->arena */
  /* NaN leaves an end as it is. */
  double lower = isnan(limits->lower) ? v->lower : limits->lower;
  double upper = isnan(limits->upper) ? v->upper : limits->upper;
  /* Ranges only become narrower: braking and inverse kinematics rely on the widest one. */
  if (lower > upper || lower < v->lower || upper > v->upper)
    return brio_fail(err, BRIO_MISUSE,
                     "variable '%.80s': its range may become narrower than %g to %g, not %g to %g", v->name,
                     v->lower, v->upper, lower, upper);
  if (!is_limit(limits->velocity) || !is_limit(limits->acceleration))
    return brio_fail(err, BRIO_MISUSE, "variable '%.80s': greatest velocity and acceleration must be above 0",
                     v->name);
  /* A circular variable that gets a range is no longer circular. */
  v->circular = v->circular && isinf(lower) && isinf(upper);
  v->lower = lower;
  v->upper = upper;
  if (!isnan(limits->velocity)) v->velocity = limits->velocity;
  if (!isnan(limits->acceleration)) v->acceleration = limits->acceleration;
  assert(v->lower <= v->upper);
  return true;
}

void brio_robot_set_grip(brio_robot *robot, int variable) {
  assert(variable >= 0 && variable < robot->nvariable);
  ((brio_variable *)&robot->variables[variable])->grip = true; /* ours: it lives in robot->arena */
}
