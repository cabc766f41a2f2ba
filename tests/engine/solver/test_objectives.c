/* Every objective, whoever added it: the Jacobian and the gradient of its cost agree with central
** differences at random states, with both forms of the terms and both losses.
**
** What is trusted: forward kinematics and distances (tested in their own rooms) and that a
** smooth function's central difference at h = 1e-6 is right to about 1e-8 of its size.  Where a
** term bends sharply within a step the difference itself is wrong; two steps that disagree
** tell, and such an entry is not judged. */
#include "demo.h"

enum { MAX_ROWS = 64, MAX_NV = 96 };

/* A pose to judge, with all that an evaluation refers to. */
typedef struct scene {
  const brio_robot *robot;
  brio_solver *solver; /* lends its bodies and pairs */
  brio_state state;
  double *q, *past[3];
  double *step, *step_slope; /* nv each: as if braking took the rest of the way in every other coordinate */
  brio_transform *past_links[3];
  brio_proximity_pair *pairs;
  brio_body *bodies;
  int nbody;
  brio_evaluation at;
} scene;

static double *numbers(int count) { return calloc((size_t)count, sizeof(double)); }

static void start(scene *s, const brio_robot *robot) {
  brio_error err = {0};
  *s = (scene){.robot = robot, .solver = demo_solver(robot, NULL), .q = numbers(robot->nq), .step = numbers(robot->nv),
               .step_slope = numbers(robot->nv)};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.2, 0, 0}};
  brio_pose there = {{0.5, 0.1, 0.4}, {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(s->solver, "ball", -1, there, &ball, true, &err), "%s", err.message);
  CHECK(brio_state_start(&s->state, robot, &err), "%s", err.message);
  const brio_proximity_pair *pairs;
  int npair = brio_solver_pairs(s->solver, &pairs);
  s->pairs = calloc((size_t)npair + 1, sizeof *s->pairs);
  memcpy(s->pairs, pairs, (size_t)npair * sizeof *pairs);
  for (int i = 0; i < 3; i++) {
    s->past[i] = numbers(robot->nq);
    s->past_links[i] = calloc((size_t)robot->nlink, sizeof(brio_transform));
  }
  s->nbody = robot->ncollision + 1;
  s->bodies = calloc((size_t)s->nbody, sizeof *s->bodies);
  for (int i = 0; i < robot->ncollision; i++) {
    const brio_link_shape *shape = &robot->collisions[i];
    s->bodies[i] = (brio_body){.frame = shape->link, .pose = brio_transform_of(shape->pose),
                               .shape = shape->shape, .radius = brio_shape_radius(&shape->shape),
                               .physical = true, .present = true};
  }
  s->bodies[robot->ncollision] = (brio_body){.frame = -1, .pose = brio_transform_of(there), .shape = ball,
                                             .radius = 0.2, .physical = true, .present = true};
  s->at = (brio_evaluation){.robot = robot, .state = &s->state, .q = s->q, .step = s->step,
                            .step_slope = s->step_slope, .time = 3.3, .dt = 0.01,
                            .past_dt = {0.008, 0.012}, .pairs = s->pairs, .npair = npair,
                            .bodies = s->bodies, .range = 0.3};
}

static void end(scene *s) {
  brio_solver_free(s->solver);
  brio_state_end(&s->state);
  for (int i = 0; i < 3; i++) free(s->past[i]), free(s->past_links[i]);
  free(s->q);
  free(s->step);
  free(s->step_slope);
  free(s->pairs);
  free(s->bodies);
}

/* Bring everything to s->q. */
static void bring(scene *s) {
  brio_state_update(&s->state, s->q);
  brio_state_update_com(&s->state);
  if (s->at.past[0]) brio_robot_difference(s->robot, s->at.past[0], s->q, s->step);
  for (int i = 0; i < s->robot->nv; i++) {
    s->step_slope[i] = i % 2 ? 1 : 0.4;
    s->step[i] *= s->step_slope[i];
  }
  brio_proximity_query(s->bodies, s->nbody, s->state.links, s->pairs, s->at.npair, s->at.range);
}

/* Draw a pose and three before it, a little apart. */
static void draw(scene *s, brio_random *stream) {
  double step[MAX_NV];
  demo_draw(s->robot, stream, s->q);
  memcpy(s->past[2], s->q, (size_t)s->robot->nq * sizeof *s->q);
  for (int i = 2; i >= 0; i--) {
    for (int j = 0; j < s->robot->nv; j++) step[j] = brio_random_uniform(stream, -0.004, 0.004);
    brio_robot_integrate(s->robot, s->past[i], step, i ? s->past[i - 1] : s->q);
  }
  for (int i = 0; i < 3; i++) {
    brio_state_update(&s->state, s->past[i]);
    memcpy(s->past_links[i], s->state.links, (size_t)s->robot->nlink * sizeof(brio_transform));
    s->at.past[i] = s->past[i];
    s->at.past_links[i] = s->past_links[i];
  }
  bring(s);
}

/* Fill an instance: the last link, a joint in the middle, defaults. */
static void *instance(const brio_objective_kind *kind, const brio_robot *robot) {
  char *self = calloc(1, kind->size);
  for (const brio_param *p = kind->params; p->name; p++) {
    int index = p->type == BRIO_PARAM_LINK ? robot->nlink - 1 : robot->nvariable / 2;
    if (p->type == BRIO_PARAM_NUMBER) memcpy(self + p->offset, &p->fallback, sizeof p->fallback);
    else memcpy(self + p->offset, &index, sizeof index);
  }
  brio_error err = {0};
  if (kind->bind) CHECK(kind->bind(self, robot, 42, &err), "%s: %s", kind->name, err.message);
  return self;
}

static brio_goal draw_goal(const brio_goal_kind *kind, brio_random *stream) {
  brio_goal goal = {0};
  double numbers[BRIO_GOAL_NUMBERS];
  int items = kind && kind->item ? (kind->least + kind->most) / 2 : 0, count = kind ? kind->count : 0;
  if (items > 5) items = 5;
  if (items) count += items * kind->item;
  for (int i = 0; i < count; i++) numbers[i] = brio_random_uniform(stream, 0.05, 0.6);
  brio_error err = {0};
  if (kind) CHECK(brio_goal_make(kind, numbers, count, &goal, &err), "%s: %s", kind->name, err.message);
  return goal;
}

typedef struct judged {
  const brio_objective_kind *kind;
  void *self;
  brio_goal goal;
} judged;

/* Residuals and cost at q (+) h e_j. */
static int at_offset(scene *s, const judged *term, int j, double h, double *r, double *cost) {
  double step[MAX_NV] = {0}, slope, bend, square = 0, here[MAX_NV + 1];
  step[j] = h;
  memcpy(here, s->q, (size_t)s->robot->nq * sizeof *here);
  brio_robot_integrate(s->robot, here, step, s->q);
  bring(s);
  int rows = term->kind->residual(term->self, &term->goal, &s->at, r, NULL);
  memcpy(s->q, here, (size_t)s->robot->nq * sizeof *here);
  for (int i = 0; i < rows; i++) square += r[i] * r[i];
  const brio_loss_kind *loss = s->at.lively ? term->kind->lively : term->kind->loss;
  *cost = loss->cost(square, &slope, &bend);
  return rows;
}

/* The central difference over h and over 2 h; false when they tell of a corner. */
static bool difference(const double *up, const double *down, const double *up2, const double *down2, double h,
                       double *out) {
  double near = (*up - *down) / (2 * h), far = (*up2 - *down2) / (4 * h);
  *out = near + (near - far) / 3;
  return fabs(near - far) <= 1e-5 * fmax(1, fabs(near));
}

/* `scale`: length of the whole gradient, at least 1. */
static void check_column(scene *s, const judged *term, int j, int rows, const double *jacobian,
                         double gradient, double scale, int *seen) {
  double r[4][MAX_ROWS], cost[4], d;
  const double h = 2e-6, steps[4] = {h, -h, 2 * h, -2 * h};
  for (int k = 0; k < 4; k++)
    if (at_offset(s, term, j, steps[k], r[k], &cost[k]) != rows) return; /* a pair came or went */
  for (int i = 0; i < rows; i++) {
    if (!difference(&r[0][i], &r[1][i], &r[2][i], &r[3][i], h, &d)) continue;
    double value = jacobian[i * s->robot->nv + j];
    CHECK(fabs(value - d) <= 1e-6 * fmax(1, fabs(d)),
          "%s%s on %s: row %d column %d is %.12g, should be %.12g", term->kind->name,
          s->at.lively ? " (lively)" : "", s->robot->name, i, j, value, d);
    ++*seen;
  }
  if (difference(&cost[0], &cost[1], &cost[2], &cost[3], h, &d))
    CHECK(fabs(gradient - d) <= 1e-6 * scale, "%s%s on %s: slope %d is %.12g, should be %.12g",
          term->kind->name, s->at.lively ? " (lively)" : "", s->robot->name, j, gradient, d);
}

static void check_term(scene *s, const judged *term, int *seen) {
  int nv = s->robot->nv, room = term->kind->rows(term->self, s->robot);
  double r[MAX_ROWS], slope, bend, square = 0, *jacobian = numbers(room * nv);
  CHECK(room <= MAX_ROWS && nv <= MAX_NV, "%s: %d rows", term->kind->name, room);
  bring(s);
  int rows = term->kind->residual(term->self, &term->goal, &s->at, r, jacobian);
  CHECK(rows <= room, "%s: %d rows of %d", term->kind->name, rows, room);
  for (int i = 0; i < rows; i++) square += r[i] * r[i];
  (s->at.lively ? term->kind->lively : term->kind->loss)->cost(square, &slope, &bend);
  double gradient[MAX_NV] = {0}, length = 0;
  for (int j = 0; j < nv; j++) {
    for (int i = 0; i < rows; i++) gradient[j] += 2 * slope * r[i] * jacobian[i * nv + j];
    length += gradient[j] * gradient[j];
  }
  for (int j = 0; j < nv; j++)
    check_column(s, term, j, rows, jacobian, gradient[j], fmax(1, sqrt(length)), seen);
  free(jacobian);
}

static void check_kind(scene *s, const brio_objective_kind *kind, brio_random *stream, int poses) {
  judged term = {.kind = kind, .self = instance(kind, s->robot)};
  int seen = 0;
  for (int i = 0; i < poses; i++) {
    draw(s, stream);
    term.goal = draw_goal(kind->goal, stream);
    if (kind->reset) kind->reset(term.self);
    if (kind->update) kind->update(term.self, &term.goal, &s->at);
    for (int lively = 0; lively < 2; lively++) {
      s->at.lively = lively;
      check_term(s, &term, &seen);
    }
  }
  CHECK(seen > 0 || !s->at.npair, "%s on %s: nothing was judged", kind->name, s->robot->name);
  free(term.self);
}

static void check_robot(brio_robot *robot, int poses) {
  brio_random stream = brio_random_stream(11, robot->name);
  scene s;
  start(&s, robot);
  for (int k = 0; brio_objective_kinds[k]; k++) check_kind(&s, brio_objective_kinds[k], &stream, poses);
  end(&s);
  brio_robot_free(robot);
}

static void slopes_on_a_fixed_arm(void) { check_robot(demo_arm(false), 20); }
static void slopes_on_a_moving_base(void) { check_robot(demo_arm(true), 20); }

static void slopes_on_shared_robots(void) {
  static const char *const files[] = {"panda/panda.urdf", "pepper/pepper.urdf", "ur3e/ur3e.urdf"};
  if (!check_shared()) SKIP("no shared robots here");
  for (int i = 0; i < 3; i++) {
    brio_robot *robot = demo_shared(files[i]);
    CHECK(robot != NULL, "%s", files[i]);
    if (robot) check_robot(robot, 3);
  }
}

static void every_row_is_whole(void) {
  for (int k = 0; brio_objective_kinds[k]; k++) {
    const brio_objective_kind *kind = brio_objective_kinds[k];
    CHECK(kind->doc[0] && kind->example[0] == '{' && kind->category[0], "%s", kind->name);
    CHECK(kind->loss && kind->lively && kind->rows && kind->residual && kind->params, "%s", kind->name);
    for (const brio_param *p = kind->params; p->name; p++) {
      CHECK(p->doc && p->unit, "%s.%s", kind->name, p->name);
      if (p->type != BRIO_PARAM_NUMBER) continue;
      CHECK(p->lower <= p->fallback && p->fallback <= p->upper, "%s.%s", kind->name, p->name);
    }
    CHECK(brio_objective_kind_find(kind->name, NULL) == kind, "%s", kind->name);
  }
  brio_error err = {0};
  CHECK(!brio_objective_kind_find("position_mach", &err), "no such kind");
  CHECK_HAS(err.message, "did you mean 'position_match'?");
}

/* What Lively's page says of its joint limits, velocity and collision terms. */
static void lively_values(void) {
  brio_robot *robot = demo_arm(false);
  scene s;
  start(&s, robot);
  brio_robot_neutral(robot, s.q);
  for (int i = 0; i < robot->nvariable; i++)
    s.q[BRIO_BASE_NQ + i] = 0.5 * (robot->variables[i].lower + robot->variables[i].upper);
  double middle = s.q[BRIO_BASE_NQ], r[MAX_ROWS];
  const brio_objective_kind *kind = brio_objective_kind_find("joint_limits", NULL);
  s.q[BRIO_BASE_NQ] = middle + 0.9 * (robot->variables[0].upper - middle);
  kind->residual(NULL, NULL, &s.at, r, NULL);
  CHECK_NEAR(r[0], 0.05, 1e-9, "at 90 %% of the range");
  s.q[BRIO_BASE_NQ] = robot->variables[0].upper;
  kind->residual(NULL, NULL, &s.at, r, NULL);
  CHECK_NEAR(r[0], 9.70, 0.005, "at the end");
  for (int i = 0; i < 3; i++) {
    memcpy(s.past[i], s.q, (size_t)robot->nq * sizeof *s.q);
    s.at.past[i] = s.past[i];
  }
  s.at.lively = true;
  s.at.dt = 0.02;
  s.step[BRIO_BASE_NV] = -0.03;
  brio_objective_kind_find("joint_velocity_minimization", NULL)->residual(NULL, NULL, &s.at, r, NULL);
  CHECK_NEAR(r[0], -0.03 / (30 * 0.02), 1e-12, "step over 30 dt");
  end(&s);
  brio_robot_free(robot);
}

CHECK_MAIN(CHECK_TEST(every_row_is_whole), CHECK_TEST(slopes_on_a_fixed_arm),
           CHECK_TEST(slopes_on_a_moving_base), CHECK_TEST(slopes_on_shared_robots),
           CHECK_TEST(lively_values))
