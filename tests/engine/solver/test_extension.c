/* Custom objectives, costs and features, added at run time: gradients by differences, failing ones are left
** out, and a solver at work cannot be changed. */
#include "solver/features/feature.h"
#include "tests/engine/solver/demo.h"

static const double DT = 0.005;

static double pi_pose[7 + 7] = {0, 0, 0, 0, 0, 0, 1, 0.3, 0.5, -0.4, 1.2, 0.2, 0.7, 0.1};

static void put(brio_solver *solver) { brio_solver_reset(solver, pi_pose, true); }

/* --- an objective like position_match, whose gradients the solver must find --- */

typedef struct follower {
  void *context;
  int link;
  int updates, finishes, resets;
} follower;

typedef struct tally { /* what a context may be */
  int ends, asked, fails_at;
  brio_solver *solver;
  bool columns[64];
} tally;

static int follow(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                  double *jacobian) {
  const follower *term = self;
  tally *count = term->context;
  CHECK(jacobian == NULL, "no Jacobian is asked for");
  if (++count->asked == count->fails_at) return -1;
  brio_vec3 p = at->state->links[term->link].p;
  r[0] = p.x - goal->v[0], r[1] = p.y - goal->v[1], r[2] = p.z - goal->v[2];
  return 3;
}

static int three(const void *self, const brio_robot *robot) { return (void)self, (void)robot, 3; }
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  (void)goal, (void)last;
  ((follower *)self)->updates++;
}
static void finish(void *self) { ((follower *)self)->finishes++; }
static void end(void *self) {
  follower *term = self;
  CHECK(term->updates == term->finishes, "%d updates, %d finishes", term->updates, term->finishes);
  ((tally *)term->context)->ends++;
}
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot, (void)seed;
  follower *term = self;
  if (!term->context) return brio_fail(err, BRIO_MISUSE, "no context");
  return true;
}
static const bool *columns(const void *self) { return ((tally *)((const follower *)self)->context)->columns; }

static const brio_param follower_params[] = {{.name = "link",
                                              .unit = "name",
                                              .doc = "The link.",
                                              .type = BRIO_PARAM_LINK,
                                              .offset = offsetof(follower, link)},
                                             {0}};

static brio_objective_kind follower_kind(tally *count) {
  brio_error err = {0};
  const brio_objective_kind *row = brio_objective_kind_find("position_match", &err);
  return (brio_objective_kind){.name = "follow",
                               .doc = "Follows.",
                               .example = "{}",
                               .category = "own",
                               .params = follower_params,
                               .goal = row->goal,
                               .size = sizeof(follower),
                               .loss = row->loss,
                               .lively = row->lively,
                               .bind = bind,
                               .rows = three,
                               .update = update,
                               .residual = follow,
                               .step = 1e-5,
                               .finish = finish,
                               .end = end,
                               .context = count};
}

static int add_own(brio_solver *solver, const char *key, const brio_objective_kind *kind, const char *link,
                   const double *goal, double weight) {
  brio_error err = {0};
  CHECK(brio_objective_kind_check(kind, &err), "%s", err.message);
  brio_argument argument = {.name = "link", .text = link};
  int slot = brio_solver_add_kind(solver, key, kind, &argument, link ? 1 : 0, &err);
  CHECK(slot >= 0, "%s", err.message);
  if (goal) CHECK(brio_solver_set_goal(solver, slot, goal, 3, 0, &err), "%s", err.message);
  CHECK(brio_solver_set_weight(solver, slot, weight, 0, &err), "%s", err.message);
  return slot;
}

static const double goal[3] = {0.35, 0.2, 0.6};

static void differences_lead_where_slopes_do(void) {
  for (int moving = 0; moving < 2; moving++) {
    brio_robot *robot = demo_arm(moving);
    brio_solver_options options = {.unguarded = true}; /* which makes more of small differences */
    brio_solver *a = demo_solver(robot, &options), *b = demo_solver(robot, &options);
    tally count = {0};
    brio_objective_kind kind = follower_kind(&count);
    if (!moving) put(a), put(b);
    demo_add(a, "hand", "position_match", "hand", goal, 50);
    add_own(b, "hand", &kind, "hand", goal, 50);
    double time_a = 0, time_b = 0, worst = 0;
    for (int tick = 0; tick < 300; tick++) {
      brio_solution sa = demo_run(a, &time_a, DT, 1), sb = demo_run(b, &time_b, DT, 1);
      for (int i = 0; i < robot->nq; i++) worst = fmax(worst, fabs(sa.q[i] - sb.q[i]));
      if (tick == 24) CHECK(worst < 1e-7, "they part by %g", worst);
    }
    /* From when on one takes an iteration more, the hand is where it was, the arm not quite. */
    CHECK(worst < 1e-3, "they part by %g", worst);
    brio_solver_free(a), brio_solver_free(b);
    CHECK(count.ends == 1, "%d", count.ends);
    brio_robot_free(robot);
  }
}

static void columns_save_work(void) {
  brio_robot *robot = demo_arm(false);
  brio_error err = {0};
  int link = brio_robot_link(robot, "link3", &err), asked[2];
  double result[2][14];
  for (int limited = 0; limited < 2; limited++) {
    brio_solver *solver = demo_solver(robot, NULL);
    tally count = {0};
    brio_robot_mark_columns(robot, link, count.columns);
    brio_objective_kind kind = follower_kind(&count);
    if (limited) kind.columns = columns;
    put(solver);
    add_own(solver, "elbow", &kind, "link3", goal, 50);
    double time = 0;
    brio_solution solution = demo_run(solver, &time, DT, 50);
    memcpy(result[limited], solution.q, sizeof result[limited]);
    asked[limited] = count.asked;
    brio_solver_free(solver);
  }
  CHECK(memcmp(result[0], result[1], sizeof result[0]) == 0, "the same, bit for bit");
  CHECK(asked[1] < 0.6 * asked[0], "%d questions instead of %d", asked[1], asked[0]);
  brio_robot_free(robot);
}

/* --- a cost of one's own --- */

static double away(const void *self, const brio_goal *to, const brio_evaluation *at, double *gradient,
                   double *bend) {
  (void)self;
  double sum = 0;
  for (int i = 0; i < at->robot->nvariable; i++) {
    double x = at->q[BRIO_BASE_NQ + i] - to->v[i % 3];
    sum += 0.5 * x * x;
    if (gradient) gradient[BRIO_BASE_NV + i] = x, bend[BRIO_BASE_NV + i] = 1;
  }
  return sum - 7; /* may be negative */
}

static brio_objective_kind cost_kind(double step) {
  static const brio_param none[] = {{0}};
  brio_error err = {0};
  return (brio_objective_kind){.name = "near",
                               .doc = "Near.",
                               .example = "{}",
                               .category = "own",
                               .params = none,
                               .goal = brio_goal_kind_find("translation", &err),
                               .size = 1,
                               .cost = away,
                               .step = step};
}

static void a_cost_may_be_given_itself(void) {
  brio_robot *robot = demo_arm(false);
  for (int k = 0; k < 2; k++) {
    brio_solver *solver = demo_solver(robot, NULL);
    brio_objective_kind kind = cost_kind(k ? 1e-4 : 0);
    put(solver);
    int slot = add_own(solver, "near", &kind, NULL, goal, 2);
    double time = 0;
    brio_solution solution = demo_run(solver, &time, DT, 400);
    for (int i = 0; i < robot->nvariable; i++)
      CHECK_NEAR(solution.q[BRIO_BASE_NQ + i], goal[i % 3], 1e-4, "joint %d, %s", i,
                 k ? "differences" : "slopes");
    CHECK_NEAR(solution.cost, -14, 1e-6, "weight times cost");
    brio_slot known;
    CHECK(brio_solver_look(solver, slot, &known) && !known.failed, "it did not fail");
    brio_solver_free(solver);
  }
  brio_robot_free(robot);
}

/* --- what fails --- */

static void what_fails_is_left_out(void) {
  brio_robot *robot = demo_arm(false);
  for (int fails_at = 1; fails_at < 60; fails_at += 3) {
    brio_solver *both = demo_solver(robot, NULL), *alone = demo_solver(robot, NULL);
    tally count = {.fails_at = fails_at};
    brio_objective_kind kind = follower_kind(&count);
    put(both), put(alone);
    demo_add(both, "joint", "joint_match", "joint1", (double[]){1}, 10);
    demo_add(alone, "joint", "joint_match", "joint1", (double[]){1}, 10);
    int slot = add_own(both, "hand", &kind, "hand", goal, 50);
    double time_a = 0, time_b = 0;
    brio_slot known = {0};
    while (count.asked < fails_at) { /* until the tick in which it fails, both move alike */
      brio_solver_reset(both, pi_pose, false), brio_solver_reset(alone, pi_pose, false);
      brio_solution a = demo_run(both, &time_a, DT, 1), b = demo_run(alone, &time_b, DT, 1);
      brio_solver_look(both, slot, &known);
      CHECK(known.failed == (count.asked >= fails_at), "question %d of %d", count.asked, fails_at);
      if (!known.failed) continue;
      CHECK(memcmp(a.q, b.q, (size_t)robot->nq * sizeof *a.q) == 0, "as if it were not there");
      CHECK(known.cost == 0 && isfinite(a.cost), "cost %g of %g", known.cost, a.cost);
    }
    demo_run(both, &time_a, DT, 1);
    brio_solver_look(both, slot, &known);
    CHECK(!known.failed && known.cost > 0, "the next tick it counts again");
    brio_solver_free(both), brio_solver_free(alone);
  }
  brio_robot_free(robot);
}

/* --- what is refused --- */

static int meddle(const void *self, const brio_goal *to, const brio_evaluation *at, double *r,
                  double *jacobian) {
  const follower *term = self;
  brio_solver *solver = ((tally *)term->context)->solver;
  brio_error err = {0};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
  brio_solution solution;
  (void)to, (void)at, (void)jacobian;
  CHECK(brio_solver_busy(solver), "it is at work");
  CHECK(brio_solver_add(solver, "new", "joint_limits", NULL, 0, &err) < 0, "add");
  CHECK_HAS(err.message, "the solver is running");
  CHECK(!brio_solver_set_weight(solver, 0, 1, 0, &err), "weight");
  CHECK(!brio_solver_set_goal(solver, 0, goal, 3, 0, &err), "goal");
  CHECK(!brio_solver_set_shape(solver, "ball", -1, BRIO_POSE_IDENTITY, &ball, true, &err), "shape");
  CHECK(!brio_solver_remove_shape(solver, "ball", &err), "remove shape");
  CHECK_HAS(err.message, "the solver is running");
  brio_solver_remove(solver, 0);
  brio_solver_reset(solver, NULL, true);
  brio_solver_solve(solver, 5, DT, &solution);
  CHECK(solution.status == BRIO_SOLVER_HELD, "a solve inside a solve holds");
  r[0] = 0;
  return 1;
}

static void nobody_changes_a_solver_at_work(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  tally count = {.solver = solver};
  brio_objective_kind kind = follower_kind(&count);
  kind.residual = meddle;
  put(solver);
  int slot = add_own(solver, "hand", &kind, "hand", goal, 50);
  double time = 0;
  brio_solution solution = demo_run(solver, &time, DT, 3);
  brio_slot known;
  CHECK(solution.status == BRIO_SOLVER_CONVERGED, "%d", solution.status);
  CHECK(brio_solver_look(solver, slot, &known) && known.weight == 50, "nothing changed");
  CHECK(!brio_solver_busy(solver), "it is done");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void records_that_are_not_whole(void) {
  tally count = {0};
  brio_error err = {0};
  brio_objective_kind good = follower_kind(&count), kind = good;
  CHECK(brio_objective_kind_check(&kind, &err), "%s", err.message);
  kind.rows = NULL;
  CHECK(!brio_objective_kind_check(&kind, &err), "rows");
  CHECK_HAS(err.message, "'follow' needs residual, rows");
  kind = good, kind.cost = away;
  CHECK(!brio_objective_kind_check(&kind, &err), "both");
  kind = good, kind.step = 1;
  CHECK(!brio_objective_kind_check(&kind, &err), "a step of 1 rad");
  kind = good, kind.name = NULL;
  CHECK(!brio_objective_kind_check(&kind, &err), "no name");
  kind = good, kind.size = 1;
  CHECK(!brio_objective_kind_check(&kind, &err), "no room for the context");
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  kind = good, kind.context = NULL; /* what bind refuses is released completely */
  kind.end = NULL;
  brio_argument argument = {.name = "link", .text = "hand"};
  CHECK(brio_solver_add_kind(solver, "hand", &kind, &argument, 1, &err) < 0, "bind refuses");
  CHECK(brio_solver_next(solver, -1) < 0, "nothing is left");
  CHECK(brio_solver_add_kind(solver, "hand", &good, NULL, 0, &err) < 0 && count.ends == 0,
        "what was not bound is not ended: %d", count.ends);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* --- features --- */

static int computed;

static bool height(const brio_feature_kind *kind, const brio_evaluation *at, double *out) {
  computed++;
  const double *self = brio_feature_value(at, kind);
  CHECK(self == NULL, "a feature that reads itself has none");
  out[0] = at->state->links[at->robot->nlink - 1].p.z;
  return true;
}

static const brio_feature_kind height_kind = {.name = "height", .doc = "Height.", .unit = "m", .count = 1,
                                              .compute = height};

static int lift(const void *self, const brio_goal *to, const brio_evaluation *at, double *r,
                double *jacobian) {
  (void)self, (void)jacobian;
  const double *z = brio_feature_value(at, &height_kind);
  if (!z) return -1;
  r[0] = *z - to->v[2];
  return 1;
}

static void features_are_computed_once(void) {
  brio_robot *robot = demo_arm(false);
  int count_of[2];
  for (int many = 0; many < 2; many++) {
    brio_solver *solver = demo_solver(robot, NULL);
    tally count = {0};
    brio_objective_kind kind = follower_kind(&count);
    kind.residual = lift;
    put(solver);
    add_own(solver, "a", &kind, "hand", (double[]){0, 0, 0.8}, 20);
    if (many) add_own(solver, "b", &kind, "hand", (double[]){0, 0, 0.8}, 30);
    computed = 0;
    double time = 0;
    int evaluations = 0;
    for (int i = 0; i < 300; i++) evaluations += demo_run(solver, &time, DT, 1).evaluations;
    CHECK_NEAR(brio_solver_state(solver)->links[robot->nlink - 1].p.z, 0.8, 1e-4, "the hand is lifted");
    count_of[many] = computed - evaluations;
    brio_solver_free(solver);
  }
  CHECK(count_of[0] > 0 && count_of[1] > 0, "%d %d", count_of[0], count_of[1]);
  brio_robot_free(robot);
}

static int still(const void *self, const brio_goal *to, const brio_evaluation *at, double *r,
                 double *jacobian) {
  (void)self, (void)to, (void)jacobian;
  brio_error err = {0};
  const double *v = brio_feature_value(at, brio_feature_kind_find("center_of_mass_velocity", &err));
  if (!v) return -1;
  memcpy(r, v, 3 * sizeof *r);
  /* The same by differences of where it is. */
  brio_state other;
  CHECK(brio_state_start(&other, at->robot, &err), "%s", err.message);
  double q[64], step[64], h = 1e-4;
  for (int i = 0; i < at->robot->nv; i++) step[i] = h * at->step[i];
  brio_robot_integrate(at->robot, at->q, step, q);
  brio_state_update(&other, q);
  brio_vec3 ahead = brio_state_update_com(&other), here = at->state->com;
  CHECK_NEAR(v[0], (ahead.x - here.x) / h / at->dt, 1e-3 * (1 + fabs(v[0])), "x");
  CHECK_NEAR(v[1], (ahead.y - here.y) / h / at->dt, 1e-3 * (1 + fabs(v[1])), "y");
  CHECK_NEAR(v[2], (ahead.z - here.z) / h / at->dt, 1e-3 * (1 + fabs(v[2])), "z");
  brio_state_end(&other);
  return 3;
}

static void the_center_of_mass_has_a_velocity(void) {
  for (int moving = 0; moving < 2; moving++) {
    brio_robot *robot = demo_arm(moving);
    brio_solver *solver = demo_solver(robot, NULL);
    tally count = {0};
    brio_objective_kind kind = follower_kind(&count);
    kind.residual = still;
    kind.needs = BRIO_NEEDS_COM;
    demo_add(solver, "hand", "position_match", "hand", goal, 50);
    add_own(solver, "still", &kind, "hand", goal, 1);
    double time = 0;
    demo_run(solver, &time, DT, 20);
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

static void odd_features(void) {
  brio_error err = {0};
  brio_feature_kind kind = height_kind;
  CHECK(brio_feature_kind_check(&kind, &err), "%s", err.message);
  kind.count = 13;
  CHECK(!brio_feature_kind_check(&kind, &err), "13 numbers");
  CHECK(!brio_feature_kind_find("center_of_mas_velocity", &err), "no such feature");
  CHECK_HAS(err.message, "did you mean 'center_of_mass_velocity'");
  brio_features features = {0};
  brio_evaluation at = {.serial = 1, .features = &features};
  brio_feature_kind many[BRIO_FEATURES + 1];
  for (int i = 0; i <= BRIO_FEATURES; i++) {
    many[i] = *brio_feature_kinds[0];
    many[i].compute = NULL;
    features.known[i < BRIO_FEATURES ? i : 0].kind = &many[i < BRIO_FEATURES ? i : 0];
  }
  features.count = BRIO_FEATURES;
  CHECK(brio_feature_value(&at, &many[BRIO_FEATURES]) == NULL, "there is no room");
  brio_features_forget(&features, &many[3]);
  CHECK(features.count == BRIO_FEATURES - 1 && features.known[3].kind == &many[4], "room again");
}

CHECK_SUITE(CHECK_TEST(differences_lead_where_slopes_do), CHECK_TEST(columns_save_work),
            CHECK_TEST(a_cost_may_be_given_itself), CHECK_TEST(what_fails_is_left_out),
            CHECK_TEST(nobody_changes_a_solver_at_work), CHECK_TEST(records_that_are_not_whole),
            CHECK_TEST(features_are_computed_once), CHECK_TEST(the_center_of_mass_has_a_velocity),
            CHECK_TEST(odd_features))
