/* What the suites that read MJCF share. */
#ifndef BRIO_TESTS_ROBOT_MJCF_H
#define BRIO_TESTS_ROBOT_MJCF_H

#include "robot/robot.h"
#include "tests/check.h"

#define MODEL(inside) "<mujoco model='m'>\n" inside "</mujoco>"
#define WORLD(inside) MODEL("<worldbody>\n" inside "</worldbody>")
#define BALL_GEOM "<geom size='.1'/>"
#define ARM(inside)                                                                                          \
  WORLD("<body name='a'>" BALL_GEOM "\n<body name='b' pos='0 0 1'>" BALL_GEOM "\n" inside "</body></"        \
        "body>\n")

/* Read a text as m.xml. */
static inline brio_robot *parse(const char *text, const brio_robot_options *options, brio_error *err) {
  return brio_robot_parse(text, strlen(text), "m.xml", options, err);
}

/* Read a text that has to be fine; NULL and a failed test. */
static inline brio_robot *must_parse(const char *text, const brio_robot_options *options) {
  brio_error err;
  brio_robot *robot = parse(text, options, &err);
  CHECK(robot, "%s", err.message);
  return robot;
}

/* Whether a warning contains a piece. */
static inline bool is_warned(const brio_robot *robot, const char *piece) {
  for (int i = 0; i < robot->nwarning; i++)
    if (strstr(robot->warnings[i], piece)) return true;
  return false;
}

/* The joint, the variable of a name. */
static inline const brio_joint *joint_named(const brio_robot *robot, const char *name) {
  brio_error err;
  int place = brio_robot_joint(robot, name, &err);
  CHECK(place >= 0, "%s", err.message);
  return &robot->joints[place < 0 ? 0 : place];
}

static inline const brio_variable *variable_named(const brio_robot *robot, const char *name) {
  brio_error err;
  int place = brio_robot_variable(robot, name, &err);
  CHECK(place >= 0, "%s", err.message);
  return &robot->variables[place < 0 ? 0 : place];
}

#endif
