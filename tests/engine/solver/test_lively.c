/* Lively's objectives, each compared with its published formula, written here a second time in a simple form:
** `lively_losses` gives the same, at random poses and motions.  Left out, as the docs say: the noise of the
** four liveliness objectives (they are compared without it), the second 50th power of joint bounding, and
** Lively's use of average distances. */
#include "stage.h"

static double groove(double x, double c, double f) {
  return -exp(-x * x / (2 * c * c)) + f * x * x;
}
static double set_a(double x) {
  return groove(x, 0.1, 10);
}
static double set_b(double x) {
  return groove(x, 0.3295, 0.1);
}

/* The parameters that stage_instance fills in. */
typedef struct names {
  int link, other, joint, second;
} names;

static names names_of(const brio_robot *robot) {
  return (names){robot->nlink - 1, robot->nlink - 2 - robot->nlink / 6, robot->nvariable / 2,
                 robot->nvariable / 2 + 1};
}

static brio_vec3 place(const stage *s, int link) {
  return s->state.links[link].p;
}
static brio_vec3 before(const stage *s, int link) {
  return s->past_links[0][link].p;
}
static brio_vec3 vec(const double *v) {
  return (brio_vec3){v[0], v[1], v[2]};
}
static double apart(brio_vec3 a, brio_vec3 b) {
  return brio_vec3_norm(brio_vec3_sub(a, b));
}
static double joint(const stage *s, int k) {
  return s->q[BRIO_BASE_NQ + k];
}

/* The angle of a rotation matrix, by its trace. */
static double angle_of(const brio_transform *r) {
  return acos(fmin(1, fmax(-1, 0.5 * (r->r[0] + r->r[4] + r->r[8] - 1))));
}

/* a times the inverse of b. */
static brio_transform relative(brio_transform a, brio_transform b) {
  brio_transform back = b;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) back.r[3 * i + k] = b.r[3 * k + i];
  back.p = a.p = (brio_vec3){0, 0, 0};
  return brio_transform_mul(&a, &back);
}

static double angle_to(brio_transform r, const double *q) {
  brio_transform from_goal = relative(r, brio_transform_of((brio_pose){{0, 0, 0}, {q[0], q[1], q[2], q[3]}}));
  return angle_of(&from_goal);
}

static double position_match(const stage *s, names n, const double *g) {
  return set_a(apart(place(s, n.link), vec(g)));
}
static double orientation_match(const stage *s, names n, const double *g) {
  return set_a(angle_to(s->state.links[n.link], g));
}
static double joint_match(const stage *s, names n, const double *g) {
  return set_b(fabs(g[0] - joint(s, n.joint)));
}
static double distance_match(const stage *s, names n, const double *g) {
  return set_a(fabs(apart(place(s, n.link), place(s, n.other)) - g[0]));
}
static double position_mirroring(const stage *s, names n, const double *g) {
  return set_a(apart(brio_vec3_sub(place(s, n.link), place(s, n.other)), vec(g)));
}
static double orientation_mirroring(const stage *s, names n, const double *g) {
  return set_a(angle_to(relative(s->state.links[n.other], s->state.links[n.link]), g));
}
static double joint_mirroring(const stage *s, names n, const double *g) {
  return set_b(fabs(joint(s, n.joint) + g[0] - joint(s, n.second)));
}

static double position_bounding(const stage *s, names n, const double *g) {
  brio_pose pose = {vec(g), brio_quat_unit((brio_quat){g[3], g[4], g[5], g[6]})};
  brio_vec3 y = brio_pose_point(brio_pose_inverse(pose), place(s, n.link));
  double d = pow(y.x / g[7], 2) + pow(y.y / g[8], 2) + pow(y.z / g[9], 2);
  return 1 / (1 + exp(4 - 2 * d)) + d / 10;
}

static double orientation_bounding(const stage *s, names n, const double *g) {
  return set_a(fmax(0, angle_to(s->state.links[n.link], g) - g[4]));
}

/* a n^50 with n = 2 |r - 1/2|. */
static double limits_row(double q, double lower, double upper) {
  double r = (q - lower) / (upper - lower);
  return 0.05 / pow(0.9, 50) * pow(2 * fabs(r - 0.5), 50);
}

static double joint_bounding(const stage *s, names n, const double *g) {
  return set_b(limits_row(joint(s, n.joint), g[0] - g[1], g[0] + g[1]));
}

static double joint_limits(const stage *s, names n, const double *g) {
  double sum = 0;
  (void)n, (void)g;
  for (int k = 0; k < s->robot->nvariable; k++)
    sum += limits_row(joint(s, k), s->robot->variables[k].lower, s->robot->variables[k].upper);
  return set_b(sum);
}

static double gravity(const stage *s, names n, const double *g) {
  (void)g;
  return set_a(1 / (1 + exp(2 - 4 * (place(s, n.link).z - before(s, n.link).z))));
}

/* The difference of one order of a number that goes from past[2] to next. */
static double difference(int order, const double values[4], double dt) {
  double step = values[3] - values[2], step1 = values[2] - values[1], step2 = values[1] - values[0];
  return order == 1 ? step / (30 * dt) : order == 2 ? step - step1 : (step - step1) - (step1 - step2);
}

static double joints_of_order(const stage *s, int order) {
  double sum = 0;
  for (int i = BRIO_BASE_NQ; i < s->robot->nq; i++) {
    double values[4] = {s->past[2][i], s->past[1][i], s->past[0][i], s->past[0][i] + s->step[i - 1]};
    sum += pow(difference(order, values, s->at.dt), 2);
  }
  return set_a(sqrt(sum));
}

static double links_of_order(const stage *s, int order, int first, int last) {
  double sum = 0;
  for (int l = first; l <= last; l++)
    for (int i = 0; i < 3; i++) {
      double values[4];
      for (int k = 0; k < 3; k++) values[2 - k] = (&s->past_links[k][l].p.x)[i];
      values[3] = (&s->next.links[l].p.x)[i];
      sum += pow(difference(order, values, s->at.dt), 2);
    }
  return set_a(sqrt(sum));
}

#define ORDER(NAME, EXPRESSION)                                                                              \
  static double NAME(const stage *s, names n, const double *g) {                                             \
    (void)n, (void)g;                                                                                        \
    return EXPRESSION;                                                                                       \
  }
ORDER(joint_velocity, joints_of_order(s, 1))
ORDER(joint_acceleration, joints_of_order(s, 2))
ORDER(joint_jerk, joints_of_order(s, 3))
ORDER(origin_velocity, links_of_order(s, 1, 0, 0))
ORDER(origin_acceleration, links_of_order(s, 2, 0, 0))
ORDER(origin_jerk, links_of_order(s, 3, 0, 0))
ORDER(link_velocity, links_of_order(s, 1, 0, s->robot->nlink - 1))
ORDER(link_acceleration, links_of_order(s, 2, 0, s->robot->nlink - 1))
ORDER(link_jerk, links_of_order(s, 3, 0, s->robot->nlink - 1))
ORDER(macro, 0.21 * joint_velocity(s, n, g) + 0.08 * joint_acceleration(s, n, g) +
                 0.04 * joint_jerk(s, n, g) + 0.47 * link_velocity(s, n, g) +
                 0.15 * link_acceleration(s, n, g) + 0.05 * link_jerk(s, n, g))

/* Without noise liveliness stays where it was. */
static double position_liveliness(const stage *s, names n, const double *g) {
  (void)g;
  return set_a(apart(place(s, n.link), before(s, n.link)));
}
static double orientation_liveliness(const stage *s, names n, const double *g) {
  (void)g;
  brio_transform turned = relative(s->state.links[n.link], s->past_links[0][n.link]);
  return set_a(angle_of(&turned));
}
static double joint_liveliness(const stage *s, names n, const double *g) {
  (void)g;
  return set_b(fabs(joint(s, n.joint) - s->past[0][BRIO_BASE_NQ + n.joint]));
}
static double relative_motion_liveliness(const stage *s, names n, const double *g) {
  (void)g;
  return set_a(apart(place(s, n.link), place(s, n.other)) - apart(before(s, n.link), before(s, n.other)));
}

/* With great average distances; a distance beyond the range counts as the range. */
static double collision_avoidance(const stage *s, names n, const double *g) {
  double sum = 0;
  (void)n, (void)g;
  for (int i = 0; i < s->at.npair; i++) {
    double d = fmin(s->pairs[i].near.distance, s->at.range);
    if (!s->pairs[i].within) d = s->at.range;
    sum += d + (d < 0 ? 0.8808 - 10 * d : 1 / (1 + exp(100 * d - 2)));
  }
  return set_b(sum);
}

static const struct row {
  const char *kind;
  double (*expected)(const stage *s, names n, const double *goal);
  double goal[10];
} rows[] = {
    {"position_match", position_match, {0.3, 0.2, 0.6}},
    {"orientation_match", orientation_match, {0.5, 0.5, 0.5, 0.5}},
    {"joint_match", joint_match, {0.4}},
    {"distance_match", distance_match, {0.3}},
    {"position_mirroring", position_mirroring, {0.1, -0.2, 0.3}},
    {"orientation_mirroring", orientation_mirroring, {0, 0.6, 0, 0.8}},
    {"joint_mirroring", joint_mirroring, {0.2}},
    {"position_bounding", position_bounding, {0.2, 0.1, 0.8, 0, 0.6, 0, 0.8, 0.3, 0.5, 0.4}},
    {"orientation_bounding", orientation_bounding, {0, 0, 0, 1, 0.7}},
    {"joint_bounding", joint_bounding, {0.9, 1.8}},
    {"joint_limits", joint_limits, {0}},
    {"gravity", gravity, {0}},
    {"collision_avoidance", collision_avoidance, {0}},
    {"joint_velocity_minimization", joint_velocity, {0}},
    {"joint_acceleration_minimization", joint_acceleration, {0}},
    {"joint_jerk_minimization", joint_jerk, {0}},
    {"origin_velocity_minimization", origin_velocity, {0}},
    {"origin_acceleration_minimization", origin_acceleration, {0}},
    {"origin_jerk_minimization", origin_jerk, {0}},
    {"link_velocity_minimization", link_velocity, {0}},
    {"link_acceleration_minimization", link_acceleration, {0}},
    {"link_jerk_minimization", link_jerk, {0}},
    {"smoothness_macro", macro, {0}},
    {"position_liveliness", position_liveliness, {0, 0, 0}},
    {"orientation_liveliness", orientation_liveliness, {0, 0, 0}},
    {"joint_liveliness", joint_liveliness, {0}},
    {"relative_motion_liveliness", relative_motion_liveliness, {0}},
};
enum { NROW = sizeof rows / sizeof *rows };

/* The cost that the objective has at the stage. */
static double cost_here(stage *s, const struct row *row) {
  static double r[MAX_ROWS];
  brio_error err = {0};
  judged term = {.kind = brio_objective_kind_find(row->kind, &err)};
  CHECK(term.kind != NULL, "%s", err.message);
  if (!term.kind) return NAN;
  term.self = stage_instance(term.kind, s->robot, false);
  CHECK(!term.kind->bind || term.kind->bind(term.self, s->robot, 1, &err), "%s: %s", row->kind, err.message);
  if (term.kind->goal)
    CHECK(brio_goal_make(term.kind->goal, row->goal, term.kind->goal->count, &term.goal, &err), "%s",
          err.message);
  if (term.kind->reset) term.kind->reset(term.self);
  if (term.kind->update) term.kind->update(term.self, &term.goal, &s->at);
  int count = term.kind->residual(term.self, &term.goal, &s->at, r, NULL);
  double cost = stage_cost(s, &term, r, count, NULL);
  free(term.self);
  return cost;
}

static void every_formula(void) {
  brio_robot *robot = demo_arm(true);
  brio_random stream = brio_random_stream(3, "lively");
  stage s;
  stage_start(&s, robot);
  s.at.lively = true;
  s.needs = BRIO_NEEDS_NEXT | BRIO_NEEDS_PAIRS;
  for (int pose = 0; pose < 40; pose++) {
    demo_draw(robot, &stream, s.q);
    stage_past(&s, &stream);
    for (int i = 0; i < NROW; i++) {
      double expected = rows[i].expected(&s, names_of(robot), rows[i].goal), got = cost_here(&s, &rows[i]);
      CHECK_NEAR(got, expected, 1e-9 * fmax(1, fabs(expected)), "%s", rows[i].kind);
    }
  }
  stage_end(&s);
  brio_robot_free(robot);
}

static void all_of_them_are_there(void) {
  CHECK(NROW == 27, "%d", NROW);
  for (int i = 0; i < NROW; i++)
    CHECK(brio_objective_kind_find(rows[i].kind, NULL) != NULL, "%s", rows[i].kind);
}

/* A set of goals on which Lively's form and ours agree: their minimum is where both are met. */
static void both_forms_meet_goals_that_can_be_met(void) {
  brio_robot *robot = demo_arm(false);
  for (int lively = 0; lively < 2; lively++) {
    brio_solver_options options = {.lively_losses = lively};
    brio_solver *solver = demo_solver(robot, &options);
    int hand = brio_robot_link(robot, "hand", NULL);
    double time = 0;
    demo_add(solver, "reach", "position_match", "hand", (double[]){0.35, 0.2, 0.7}, 50);
    demo_add(solver, "calm", "smoothness_macro", NULL, NULL, 10);
    brio_solution found = demo_run(solver, &time, 0.01, 1500);
    brio_vec3 p = brio_solver_state(solver)->links[hand].p;
    CHECK(apart(p, (brio_vec3){0.35, 0.2, 0.7}) < 1e-3, "%g m off%s", apart(p, (brio_vec3){0.35, 0.2, 0.7}),
          lively ? " (lively)" : "");
    if (lively)
      CHECK_NEAR(found.cost, -50 - 10 * (0.21 + 0.08 + 0.04 + 0.47 + 0.15 + 0.05), 1e-3, "best of Lively's");
    else
      CHECK_NEAR(found.cost, 0, 1e-3, "best of ours");
    brio_solver_free(solver);
  }
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(every_formula), CHECK_TEST(all_of_them_are_there),
            CHECK_TEST(both_forms_meet_goals_that_can_be_met))
