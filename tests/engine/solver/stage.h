/* One pose of a robot with everything that an objective reads of it, made without a solve: for tests of
** single objectives. */
#ifndef BRIO_TESTS_SOLVER_STAGE_H
#define BRIO_TESTS_SOLVER_STAGE_H

#include "demo.h"

enum { MAX_ROWS = 1024, MAX_NV = 96 };

/* A pose to judge, with everything that an evaluation refers to. */
typedef struct stage {
  const brio_robot *robot;
  brio_solver *solver; /* lends its bodies and pairs */
  brio_state state, next;
  double *q, *next_q, *past[3];
  brio_limits *limits; /* nvariable: the robot's own */
  double *step, *step_slope; /* nv each: as if braking took the rest of the way in every other coordinate */
  brio_transform *past_links[3];
  brio_proximity_pair *pairs;
  brio_body *bodies;
  int nbody;
  unsigned needs;
  brio_evaluation at;
} stage;

static inline double *stage_numbers(int count) {
  return calloc((size_t)count, sizeof(double));
}

static inline void stage_start(stage *s, const brio_robot *robot) {
  brio_error err = {0};
  *s = (stage){.robot = robot,
               .solver = demo_solver(robot, NULL),
               .q = stage_numbers(robot->nq),
               .step = stage_numbers(robot->nv),
               .step_slope = stage_numbers(robot->nv)};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.2, 0, 0}};
  brio_pose there = {{0.5, 0.1, 0.4}, {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(s->solver, "ball", -1, there, &ball, true, &err), "%s", err.message);
  CHECK(brio_state_start(&s->state, robot, &err), "%s", err.message);
  CHECK(brio_state_start(&s->next, robot, &err), "%s", err.message);
  s->next_q = stage_numbers(robot->nq);
  const brio_proximity_pair *pairs;
  int npair = brio_solver_pairs(s->solver, 0, &pairs);
  s->pairs = calloc((size_t)npair + 1, sizeof *s->pairs);
  memcpy(s->pairs, pairs, (size_t)npair * sizeof *pairs);
  for (int i = 0; i < 3; i++) {
    s->past[i] = stage_numbers(robot->nq);
    s->past_links[i] = calloc((size_t)robot->nlink, sizeof(brio_transform));
  }
  s->nbody = robot->ncollision + 1;
  s->bodies = calloc((size_t)s->nbody, sizeof *s->bodies);
  for (int i = 0; i < robot->ncollision; i++) {
    const brio_link_shape *shape = &robot->collisions[i];
    s->bodies[i] = (brio_body){.frame = shape->link,
                               .pose = brio_transform_of(shape->pose),
                               .shape = shape->shape,
                               .radius = brio_shape_radius(&shape->shape),
                               .physical = true,
                               .present = true};
  }
  s->bodies[robot->ncollision] = (brio_body){.frame = -1,
                                             .pose = brio_transform_of(there),
                                             .shape = ball,
                                             .radius = 0.2,
                                             .physical = true,
                                             .present = true};
  s->limits = calloc((size_t)robot->nvariable + 1, sizeof *s->limits);
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *one = &robot->variables[i];
    s->limits[i] = (brio_limits){one->lower, one->upper, one->velocity, one->acceleration};
  }
  s->at = (brio_evaluation){.robot = robot,
                            .limits = s->limits,
                            .state = &s->state,
                            .next = &s->next,
                            .q = s->q,
                            .step = s->step,
                            .step_slope = s->step_slope,
                            .time = 3.3,
                            .dt = 0.01,
                            .past_dt = {0.008, 0.012},
                            .pairs = s->pairs,
                            .npair = npair,
                            .bodies = s->bodies,
                            .range = 0.3};
}

static inline void stage_end(stage *s) {
  brio_solver_free(s->solver);
  brio_state_end(&s->state);
  brio_state_end(&s->next);
  free(s->next_q);
  for (int i = 0; i < 3; i++) free(s->past[i]), free(s->past_links[i]);
  free(s->q);
  free(s->step);
  free(s->step_slope);
  free(s->pairs);
  free(s->bodies);
  free(s->limits);
}

/* Bring everything to s->q. */
static inline void stage_bring(stage *s) {
  brio_state_update(&s->state, s->q);
  if (s->needs & BRIO_NEEDS_COM) brio_state_update_com(&s->state);
  if (s->at.past[0]) brio_robot_difference(s->robot, s->at.past[0], s->q, s->step);
  for (int i = 0; i < s->robot->nv; i++) {
    s->step_slope[i] = i % 2 || i < BRIO_BASE_NV ? 1 : 0.4; /* nothing limits the braking of a base */
    s->step[i] *= s->step_slope[i];
  }
  if (s->at.past[0] && s->needs & BRIO_NEEDS_NEXT) {
    brio_robot_integrate(s->robot, s->at.past[0], s->step, s->next_q);
    brio_state_update(&s->next, s->next_q);
  }
  if (s->needs & BRIO_NEEDS_PAIRS)
    brio_proximity_query(s->bodies, s->nbody, s->state.links, s->pairs, s->at.npair, s->at.range);
}

/* Take s->q, and draw three poses before it, a little apart. */
static inline void stage_past(stage *s, brio_random *stream) {
  double step[MAX_NV];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < s->robot->nv; j++) step[j] = brio_random_uniform(stream, -0.004, 0.004);
    brio_robot_integrate(s->robot, i ? s->past[i - 1] : s->q, step, s->past[i]);
    brio_state_update(&s->state, s->past[i]);
    memcpy(s->past_links[i], s->state.links, (size_t)s->robot->nlink * sizeof(brio_transform));
    s->at.past[i] = s->past[i];
    s->at.past_links[i] = s->past_links[i];
  }
  stage_bring(s);
}

/* Fill an instance: links from the last on, joints from the middle on, all of them in pairs; with `full` the
** optional ones too, and then each flag inverted. */
static inline void *stage_instance(const brio_objective_kind *kind, const brio_robot *robot, bool full) {
  char *self = calloc(1, kind->size + (kind->more ? kind->more(robot) : 0) + 1);
  int links = 0, joints = 0;
  for (const brio_param *p = kind->params; p->name; p++) {
    char *place = self + p->offset;
    bool flag = (p->fallback != 0) != full, left_out = p->optional && !full;
    int link = robot->nlink - 1 - links % robot->nlink,
        joint = (robot->nvariable / 2 + joints) % robot->nvariable;
    if (p->type == BRIO_PARAM_LINK) link = left_out ? -1 : link, links += 1 + robot->nlink / 6;
    if (p->type == BRIO_PARAM_JOINT) joint = left_out || joints >= robot->nvariable ? -1 : joint, joints++;
    switch (p->type) {
    case BRIO_PARAM_NUMBER:
      memcpy(place, &p->fallback, sizeof p->fallback);
      break;
    case BRIO_PARAM_LINK:
      memcpy(place, &link, sizeof link);
      break;
    case BRIO_PARAM_JOINT:
      memcpy(place, &joint, sizeof joint);
      break;
    case BRIO_PARAM_FLAG:
      memcpy(place, &flag, sizeof flag);
      break;
    case BRIO_PARAM_VECTOR:
      memcpy(place, p->vector, sizeof p->vector);
      break;
    }
  }
  return self;
}

typedef struct judged {
  const brio_objective_kind *kind;
  void *self;
  brio_goal goal;
} judged;

static inline const brio_loss_kind *stage_loss(const stage *s, const judged *term) {
  return s->at.lively ? term->kind->lively : term->kind->loss;
}

/* The parts of `rows` rows. */
static inline int stage_parts(const stage *s, const judged *term, int rows, brio_part *parts) {
  int n = term->kind->parts ? term->kind->parts(term->self, &s->at, parts) : 0, sum = 0;
  if (n == 0) parts[n++] = (brio_part){rows, 1};
  for (int i = 0; i < n; i++) sum += parts[i].rows;
  CHECK(n <= BRIO_MOST_PARTS && sum == rows, "%s: %d parts of %d rows of %d", term->kind->name, n, sum, rows);
  return n;
}

/* The cost of rows, and unless NULL its gradient by each. */
static inline double stage_cost(const stage *s, const judged *term, const double *r, int rows,
                                double *slopes) {
  brio_part parts[BRIO_MOST_PARTS];
  int n = stage_parts(s, term, rows, parts);
  double sum = 0, slope, bend;
  for (int i = 0, from = 0; i < n; from += parts[i++].rows) {
    double square = 0;
    for (int k = from; k < from + parts[i].rows; k++) square += r[k] * r[k];
    sum += parts[i].share * stage_loss(s, term)->cost(square, &slope, &bend);
    for (int k = from; slopes && k < from + parts[i].rows; k++) slopes[k] = 2 * parts[i].share * slope * r[k];
  }
  return sum;
}

/* Arguments, as in {TEXT("link", "hand"), NUMBER("lever", 2)}; a list of eight ends at one without a name. */
#define TEXT(NAME, VALUE) {.name = NAME, .text = VALUE}
#define NUMBER(NAME, VALUE) {.name = NAME, .number = VALUE}
#define FLAG(NAME, VALUE) {.name = NAME, .number = VALUE, .truth = true}
#define VECTOR(NAME, ...) {.name = NAME, .count = 3, .vector = {__VA_ARGS__}}

static inline int stage_count(const brio_argument *arguments) {
  int n = 0;
  while (n < 8 && arguments[n].name) n++;
  return n;
}

#endif
