/* The motion planning problems of the shared data (MotionBenchMaker, as VAMP keeps them): robots made of
** spheres, seven environments of 40 problems each.  Read by the tests and by the benchmark. */
#ifndef BRIO_TESTS_PROBLEMS_H
#define BRIO_TESTS_PROBLEMS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "plan/joints/search.h"
#include "robot/robot.h"
#include "robot/xml.h"

enum { PROBLEM_JOINTS = 8, PROBLEM_OBSTACLES = 64, PROBLEMS = 40, ALLOWED = 400 };

static const char *const problem_robots[] = {"panda", "ur5", "fetch"};
static const char *const problem_environments[] = {
    "bookshelf_small", "bookshelf_tall", "bookshelf_thin", "box", "cage", "table_pick", "table_under_pick"};
enum { PROBLEM_ROBOTS = 3, PROBLEM_ENVIRONMENTS = 7 };

typedef struct problem {
  int index, nobstacle;
  double start[PROBLEM_JOINTS], goal[PROBLEM_JOINTS];
  brio_obstacle obstacles[PROBLEM_OBSTACLES];
  char names[PROBLEM_OBSTACLES][BRIO_OBSTACLE_NAME];
} problem;

/* A robot with what its SRDF lets touch. */
typedef struct problem_robot {
  brio_robot *robot;
  int nx, variables[PROBLEM_JOINTS], nallowed;
  brio_link_pair allowed[ALLOWED];
  double *q;
} problem_robot;

/* --- the robot --- */

/* Read the pairs that may touch.  Links that the robot lacks are left out. */
static inline bool problem_read_srdf(problem_robot *out, const char *path, brio_error *err) {
  brio_text text = {0};
  brio_xml_document document;
  bool good = brio_text_read_file(&text, path, 1 << 22, err) &&
              brio_xml_parse(&document, text.bytes, text.length, path, err);
  if (good) {
    const brio_xml *pair = brio_xml_child(document.root, "disable_collisions");
    for (; pair && out->nallowed < ALLOWED; pair = brio_xml_next(pair, "disable_collisions")) {
      brio_error none;
      int a = brio_robot_link(out->robot, brio_xml_value(pair, "link1"), &none);
      int b = brio_robot_link(out->robot, brio_xml_value(pair, "link2"), &none);
      if (a >= 0 && b >= 0) out->allowed[out->nallowed++] = (brio_link_pair){{a, b}};
    }
    brio_xml_end(&document);
  }
  brio_text_end(&text);
  return good;
}

/* Let two links of the UR5 touch whose spheres always overlap, and which its SRDF does not name (the shared
** data's README says so, too). */
static inline void problem_let_touch(problem_robot *out) {
  brio_error none;
  int a = brio_robot_link(out->robot, "wrist_2_link", &none),
      b = brio_robot_link(out->robot, "fts_robotside", &none);
  if (a >= 0 && b >= 0 && out->nallowed < ALLOWED) out->allowed[out->nallowed++] = (brio_link_pair){{a, b}};
}

/* Load a robot; its joints are those of its problems. */
static inline bool problem_robot_load(problem_robot *out, const char *shared, const char *name,
                                      brio_error *err) {
  char path[600];
  memset(out, 0, sizeof *out);
  snprintf(path, sizeof path, "%s/data/planning/robots/%s_spherized.urdf", shared, name);
  out->robot = brio_robot_load(path, NULL, err);
  if (!out->robot) return false;
  out->q = calloc((size_t)out->robot->nq, sizeof *out->q);
  brio_robot_neutral(out->robot, out->q);
  snprintf(path, sizeof path, "%s/data/planning/robots/%s.srdf", shared, name);
  problem_let_touch(out);
  return problem_read_srdf(out, path, err);
}

static inline void problem_robot_free(problem_robot *robot) {
  brio_robot_free(robot->robot);
  free(robot->q);
}

/* --- the problems --- */

static inline bool problem_numbers(brio_json *json, double *out, int most, int *count) {
  int n = 0;
  bool good = brio_json_take(json, '[');
  while (good && brio_json_peek(json) == '0') {
    good = n < most && brio_json_number(json, &out[n++]);
    brio_json_take(json, ',');
  }
  if (count) *count = n;
  return good && brio_json_take(json, ']');
}

static inline bool problem_obstacle(brio_json *json, problem *out) {
  if (out->nobstacle == PROBLEM_OBSTACLES || !brio_json_take(json, '{')) return false;
  brio_obstacle *obstacle = &out->obstacles[out->nobstacle];
  char *name = out->names[out->nobstacle++];
  double height = 0, radius = 0, list[4];
  bool good = true;
  brio_json_text key, text;
  *obstacle = (brio_obstacle){.name = name, .pose = BRIO_POSE_IDENTITY};
  while (good && brio_json_peek(json) == '"') {
    if (!brio_json_key(json, &key)) return false;
    if (brio_json_is(&key, "id")) {
      good = brio_json_string(json, &text);
      brio_json_copy(&text, name, BRIO_OBSTACLE_NAME);
    } else if (brio_json_is(&key, "type")) {
      good = brio_json_string(json, &text);
      obstacle->shape.kind = brio_json_is(&text, "box") ? BRIO_SHAPE_BOX : BRIO_SHAPE_CYLINDER;
    } else if (brio_json_is(&key, "height")) {
      good = brio_json_number(json, &height);
    } else if (brio_json_is(&key, "radius")) {
      good = brio_json_number(json, &radius);
    } else if (brio_json_is(&key, "size")) {
      good = problem_numbers(json, list, 3, NULL);
      obstacle->shape.size = (brio_vec3){list[0], list[1], list[2]};
    } else if (brio_json_is(&key, "position")) {
      good = problem_numbers(json, list, 3, NULL);
      obstacle->pose.p = (brio_vec3){list[0], list[1], list[2]};
    } else if (brio_json_is(&key, "quaternion_xyzw")) {
      good = problem_numbers(json, list, 4, NULL);
      obstacle->pose.q = (brio_quat){list[0], list[1], list[2], list[3]};
    } else {
      good = brio_json_skip(json, 8);
    }
    brio_json_take(json, ',');
  }
  if (obstacle->shape.kind == BRIO_SHAPE_CYLINDER) obstacle->shape.size = (brio_vec3){radius, 0, height};
  return good && brio_json_take(json, '}');
}

static inline bool problem_read_one(brio_json *json, problem *out) {
  bool good = brio_json_take(json, '{');
  brio_json_text key;
  double index = 0;
  out->nobstacle = 0;
  while (good && brio_json_peek(json) == '"') {
    if (!brio_json_key(json, &key)) return false;
    if (brio_json_is(&key, "index"))
      good = brio_json_number(json, &index);
    else if (brio_json_is(&key, "start"))
      good = problem_numbers(json, out->start, PROBLEM_JOINTS, NULL);
    else if (brio_json_is(&key, "goal"))
      good = problem_numbers(json, out->goal, PROBLEM_JOINTS, NULL);
    else if (brio_json_is(&key, "obstacles")) {
      good = brio_json_take(json, '[');
      while (good && brio_json_peek(json) == '{') {
        good = problem_obstacle(json, out);
        brio_json_take(json, ',');
      }
      good = good && brio_json_take(json, ']');
    } else {
      good = brio_json_skip(json, 8);
    }
    brio_json_take(json, ',');
  }
  out->index = (int)index;
  return good && brio_json_take(json, '}');
}

/* Read the names of the joints. */
static inline bool problem_joints(brio_json *json, problem_robot *robot, brio_error *err) {
  bool good = brio_json_take(json, '[');
  robot->nx = 0;
  while (good && brio_json_peek(json) == '"') {
    brio_json_text text;
    char name[80];
    good = brio_json_string(json, &text) && brio_json_copy(&text, name, sizeof name) &&
           robot->nx < PROBLEM_JOINTS;
    int variable = good ? brio_robot_variable(robot->robot, name, err) : -1;
    if (variable < 0) return false;
    robot->variables[robot->nx++] = variable;
    brio_json_take(json, ',');
  }
  return good && brio_json_take(json, ']');
}

/* Read an environment's problems into `out` (PROBLEMS) and the joints' names into the robot; return how many,
** or -1: `xzcat` is absent, or the file is not what it should be. */
static inline int problems_read(problem *out, problem_robot *robot, const char *shared, const char *name,
                                const char *environment) {
  char command[700], piece[65536];
  brio_text text = {0};
  snprintf(command, sizeof command, "xzcat '%s/data/planning/%s_mbm/%s.json.xz' 2>/dev/null", shared, name,
           environment);
  FILE *pipe = popen(command, "r");
  if (!pipe) return -1;
  for (size_t n; (n = fread(piece, 1, sizeof piece, pipe)) > 0;) brio_text_add(&text, piece, n);
  bool good = pclose(pipe) == 0 && text.length > 0;
  brio_json json = {text.bytes, text.bytes + text.length, true};
  int count = 0;
  brio_error err = {0};
  good = good && brio_json_take(&json, '{');
  while (good && brio_json_peek(&json) == '"') {
    brio_json_text key;
    if (!brio_json_key(&json, &key)) break;
    if (brio_json_is(&key, "joints"))
      good = problem_joints(&json, robot, &err);
    else if (brio_json_is(&key, "problems")) {
      good = brio_json_take(&json, '[');
      while (good && brio_json_peek(&json) == '{') {
        good = count < PROBLEMS && problem_read_one(&json, &out[count++]);
        brio_json_take(&json, ',');
      }
      good = good && brio_json_take(&json, ']');
    } else {
      good = brio_json_skip(&json, 8);
    }
    brio_json_take(&json, ',');
  }
  brio_text_end(&text);
  return good ? count : -1;
}

/* Make the checker of a problem. */
static inline brio_joint_checker *problem_checker(const problem *task, const problem_robot *robot,
                                                  brio_error *err) {
  return brio_joint_checker_new(&(brio_joint_checker_request){.robot = robot->robot,
                                                              .q = robot->q,
                                                              .variables = robot->variables,
                                                              .nvariable = robot->nx,
                                                              .obstacles = task->obstacles,
                                                              .nobstacle = task->nobstacle,
                                                              .allowed = robot->allowed,
                                                              .nallowed = robot->nallowed},
                                err);
}

#endif
