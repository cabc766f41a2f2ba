/* The purpose of each objective: alone it brings the robot to its minimum, bounds leave the values within
** them free, and noise moves what it should and holds the rest. */
#include "stage.h"

#define DT 0.01

/* --- with a goal that a known pose meets --- */

/* A goal that the pose of the stage meets, of an objective about `hand` and `other`. */
typedef void make_goal(const stage *s, int hand, int other, double *goal);

static void put(double *goal, brio_vec3 v) { memcpy(goal, &v.x, 3 * sizeof *goal); }

static void where_it_is(const stage *s, int hand, int other, double *goal) {
  (void)other;
  put(goal, s->state.links[hand].p);
}
static void as_it_is_turned(const stage *s, int hand, int other, double *goal) {
  (void)other;
  brio_quat q = brio_quat_from_matrix(s->state.links[hand].r);
  memcpy(goal, &q, sizeof q);
}
static void its_pose(const stage *s, int hand, int other, double *goal) {
  where_it_is(s, hand, other, goal);
  as_it_is_turned(s, hand, other, goal + 3);
}
static void its_distance(const stage *s, int hand, int other, double *goal) {
  goal[0] = brio_vec3_norm(brio_vec3_sub(s->state.links[hand].p, s->state.links[other].p));
}
static void its_offset(const stage *s, int hand, int other, double *goal) {
  put(goal, brio_vec3_sub(s->state.links[hand].p, s->state.links[other].p));
}
static void its_turn(const stage *s, int hand, int other, double *goal) {
  brio_quat from = brio_quat_from_matrix(s->state.links[hand].r),
            to = brio_quat_from_matrix(s->state.links[other].r);
  brio_quat q = brio_quat_mul(to, brio_quat_conj(from));
  memcpy(goal, &q, sizeof q);
}
static void ahead_of_it(const stage *s, int hand, int other, double *goal) {
  (void)other;
  put(goal, brio_transform_point(&s->state.links[hand], (brio_vec3){1.5, 0, 0}));
}
static void a_line_through_it(const stage *s, int hand, int other, double *goal) {
  where_it_is(s, hand, other, goal);
  put(goal + 3, (brio_vec3){0.3, 0.2, -2});
}
static void its_joint(const stage *s, int hand, int other, double *goal) {
  (void)hand, (void)other;
  goal[0] = s->q[BRIO_BASE_NQ + 3];
}
static void its_joints(const stage *s, int hand, int other, double *goal) {
  (void)hand, (void)other;
  goal[0] = s->q[BRIO_BASE_NQ + 1] - 2 * s->q[BRIO_BASE_NQ + 3] + 0.5 * s->q[BRIO_BASE_NQ + 5];
}
static void its_lead(const stage *s, int hand, int other, double *goal) {
  (void)hand, (void)other;
  goal[0] = s->q[BRIO_BASE_NQ + 1] - s->q[BRIO_BASE_NQ + 3];
}
static void its_mass(const stage *s, int hand, int other, double *goal) {
  (void)hand, (void)other;
  put(goal, s->state.com);
}

static const struct wish {
  const char *kind;
  make_goal *goal;
  brio_argument arguments[8]; /* ends at name NULL */
} wishes[] = {
  {"position_match", where_it_is, {TEXT("link", "hand")}},
  {"orientation_match", as_it_is_turned, {TEXT("link", "hand")}},
  {"pose_match", its_pose, {TEXT("link", "hand")}},
  {"pose_match", its_pose, {TEXT("link", "hand"), VECTOR("rotation_tolerance", 0, 0, 3.15)}},
  {"joint_match", its_joint, {TEXT("joint", "joint4")}},
  {"distance_match", its_distance, {TEXT("link1", "hand"), TEXT("link2", "link2")}},
  {"look_at", ahead_of_it, {TEXT("link", "hand"), NUMBER("roll", 0)}},
  {"link_line", a_line_through_it, {TEXT("link", "hand")}},
  {"joint_coupling", its_joints, {TEXT("joint1", "joint2"), TEXT("joint2", "joint4"), NUMBER("factor2", -2),
                                  TEXT("joint3", "joint6"), NUMBER("factor3", 0.5)}},
  {"position_mirroring", its_offset, {TEXT("link1", "hand"), TEXT("link2", "link2")}},
  {"orientation_mirroring", its_turn, {TEXT("link1", "hand"), TEXT("link2", "link2")}},
  {"joint_mirroring", its_lead, {TEXT("joint1", "joint4"), TEXT("joint2", "joint2")}},
  {"center_of_mass_match", its_mass, {{0}}},
  {"center_of_mass_match", its_mass, {FLAG("horizontal", 1)}},
};

/* Add an objective that must be accepted; `goal` NULL: none. */
static int add(brio_solver *solver, const char *kind, const brio_argument *arguments, const double *goal,
               int numbers, double weight) {
  static int serial;
  char key[32];
  brio_error err = {0};
  snprintf(key, sizeof key, "term %d", serial++);
  int slot = brio_solver_add(solver, key, kind, arguments, stage_count(arguments), &err);
  CHECK(slot >= 0, "%s", err.message);
  if (goal) CHECK(brio_solver_set_goal(solver, slot, goal, numbers, 0, &err), "%s", err.message);
  CHECK(brio_solver_set_weight(solver, slot, weight, 0, &err), "%s", err.message);
  return slot;
}

static int goal_numbers(const char *kind) { return brio_objective_kind_find(kind, NULL)->goal->count; }

static void alone_each_is_met(void) {
  brio_robot *robot = demo_arm(false);
  stage s;
  stage_start(&s, robot);
  s.needs = BRIO_NEEDS_COM;
  int hand = brio_robot_link(robot, "hand", NULL), other = brio_robot_link(robot, "link2", NULL);
  brio_random stream = brio_random_stream(4, "wishes");
  for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
    for (int pose = 0; pose < 3; pose++) {
      double goal[BRIO_GOAL_NUMBERS], from[32], time = 0;
      demo_draw(robot, &stream, s.q);
      brio_robot_neutral(robot, from);
      for (int k = 0; k < robot->nvariable; k++)
        from[BRIO_BASE_NQ + k] = s.q[BRIO_BASE_NQ + k] + brio_random_uniform(&stream, -0.4, 0.4);
      stage_bring(&s);
      wishes[i].goal(&s, hand, other, goal);
      brio_solver *solver = demo_solver(robot, &(brio_solver_options){.unguarded = true});
      brio_solver_reset(solver, from, true);
      add(solver, wishes[i].kind, wishes[i].arguments, goal, goal_numbers(wishes[i].kind), 20);
      brio_solution found = demo_run(solver, &time, DT, 300);
      CHECK(found.cost < 1e-4, "%s: cost %g from pose %d", wishes[i].kind, found.cost, pose);
      brio_solver_free(solver);
    }
  stage_end(&s);
  brio_robot_free(robot);
}

/* --- without a goal, or with one of another kind --- */

/* The pose that a solver on the demo arm reaches. */
typedef struct trial {
  brio_robot *robot;
  brio_solver *solver;
  double time;
} trial;

static trial begin(bool bounded) {
  brio_robot *robot = demo_arm(bounded);
  double q[32];
  trial t = {robot, demo_solver(robot, NULL), 0};
  brio_robot_neutral(robot, q);
  for (int k = 0; k < robot->nvariable; k++) q[BRIO_BASE_NQ + k] += 0.3 + 0.1 * k;
  brio_solver_reset(t.solver, q, true);
  return t;
}

static void finish(trial *t) {
  brio_solver_free(t->solver);
  brio_robot_free(t->robot);
}

static const brio_transform *link_at(const trial *t, const char *name) {
  return &brio_solver_state(t->solver)->links[brio_robot_link(t->robot, name, NULL)];
}

static void a_glass_is_kept_upright(void) {
  trial t = begin(false);
  add(t.solver, "keep_upright", (brio_argument[8]){TEXT("link", "hand"), VECTOR("axis", 0, 0, 1)}, NULL, 0,
      20);
  demo_run(t.solver, &t.time, DT, 400);
  CHECK(link_at(&t, "hand")->r[8] > 0.99999, "z of the hand points up by %g", link_at(&t, "hand")->r[8]);
  finish(&t);
}

static void a_gaze_at_a_link_is_level(void) {
  trial t = begin(false);
  add(t.solver, "look_at", (brio_argument[8]){TEXT("link", "hand"), TEXT("target", "base")},
      (double[]){1.0, 0.8, 0.2}, 3, 20);
  demo_run(t.solver, &t.time, DT, 1500);
  const brio_transform *hand = link_at(&t, "hand");
  brio_vec3 way = brio_vec3_unit(brio_vec3_sub((brio_vec3){1.0, 0.8, 0.2}, hand->p), (brio_vec3){0, 0, 1});
  double along = brio_vec3_dot(way, (brio_vec3){hand->r[0], hand->r[3], hand->r[6]});
  CHECK(along > 0.9999, "looks there by %g", along);
  CHECK(fabs(hand->r[7]) < 0.02 && hand->r[8] > 0, "side tilts by %g, up is %g", hand->r[7], hand->r[8]);
  finish(&t);
}

/* A gaze at a point of a link concerns that link and the one that looks: joints that carry
** both are left alone, whether it is to be level or not. */
static void gaze_between(double roll) {
  trial t = begin(false);
  demo_run(t.solver, &t.time, DT, 1);
  brio_transform before = *link_at(&t, "link4");
  add(t.solver, "look_at",
      (brio_argument[8]){TEXT("link", "hand"), TEXT("target", "link4"), NUMBER("roll", roll)},
      (double[]){0.6, 0.9, 0.5}, 3, 20);
  double first = demo_run(t.solver, &t.time, DT, 1).cost, last = demo_run(t.solver, &t.time, DT, 300).cost;
  CHECK(last < 0.9 * first, "cost %g, at first %g", last, first);
  const brio_transform *after = link_at(&t, "link4");
  CHECK(brio_vec3_norm(brio_vec3_sub(after->p, before.p)) < 1e-6, "link4 is moved");
  for (int i = 0; i < 9; i++) CHECK_NEAR(after->r[i], before.r[i], 1e-6, "link4 is turned");
  finish(&t);
}

static void a_gaze_at_a_link_moves_only_what_is_between(void) {
  gaze_between(0);
  gaze_between(0.5);
}

static void links_get_into_line(void) {
  trial t = begin(false);
  add(t.solver, "links_in_line",
      (brio_argument[8]){TEXT("link", "link4"), TEXT("link1", "link2"), TEXT("link2", "hand")}, NULL, 0, 20);
  double before = demo_run(t.solver, &t.time, DT, 1).cost, after = demo_run(t.solver, &t.time, DT, 600).cost;
  CHECK(after < 1e-3 && after < 0.1 * before, "cost %g, at first %g", after, before);
  finish(&t);
}

/* Bounds: flat within, a wall outside, against a weaker goal beyond. */
static void bounds_hold_and_leave_free(void) {
  trial t = begin(false);
  add(t.solver, "joint_match", (brio_argument[8]){TEXT("joint", "joint2")}, (double[]){1.2}, 1, 1);
  int bound = add(t.solver, "joint_bounding", (brio_argument[8]){TEXT("joint", "joint2")},
                  (double[]){0.5, 0.4}, 2, 50);
  brio_solution found = demo_run(t.solver, &t.time, DT, 400);
  CHECK(found.q[BRIO_BASE_NQ + 1] > 0.9 && found.q[BRIO_BASE_NQ + 1] < 0.905, "%g",
        found.q[BRIO_BASE_NQ + 1]);
  brio_solver_set_goal(t.solver, bound, (double[]){0.5, 1}, 2, 0, NULL);
  found = demo_run(t.solver, &t.time, DT, 400);
  CHECK_NEAR(found.q[BRIO_BASE_NQ + 1], 1.2, 1e-4, "within the bound nothing holds it");
  finish(&t);
}

static void a_cone_holds_a_link(void) {
  trial t = begin(false);
  double turned[4] = {0, 0, sin(0.6), cos(0.6)}, range[5] = {0, 0, 0, 1, 0.5};
  add(t.solver, "orientation_match", (brio_argument[8]){TEXT("link", "hand")}, turned, 4, 1);
  add(t.solver, "orientation_bounding", (brio_argument[8]){TEXT("link", "hand")}, range, 5, 50);
  demo_run(t.solver, &t.time, DT, 600);
  double angle = brio_quat_angle(brio_quat_from_matrix(link_at(&t, "hand")->r));
  CHECK(angle > 0.49 && angle < 0.51, "%g rad", angle);
  finish(&t);
}

static void weight_sinks_and_is_held(void) {
  trial t = begin(false);
  add(t.solver, "nominal_posture", (brio_argument[8]){FLAG("here", 1)}, NULL, 0, 30);
  demo_run(t.solver, &t.time, DT, 50);
  double before = link_at(&t, "hand")->p.z;
  add(t.solver, "gravity", (brio_argument[8]){TEXT("link", "hand")}, NULL, 0, 0.3);
  demo_run(t.solver, &t.time, DT, 800);
  double sunk = before - link_at(&t, "hand")->p.z;
  CHECK(sunk > 0.01 && sunk < 0.5, "sinks by %g m", sunk);
  double z = link_at(&t, "hand")->p.z;
  demo_run(t.solver, &t.time, DT, 400);
  CHECK_NEAR(link_at(&t, "hand")->p.z, z, 1e-3, "and then rests");
  finish(&t);
}

static void effort_goes_down(void) {
  trial t = begin(false);
  add(t.solver, "gravity_effort", (brio_argument[8]){{0}}, NULL, 0, 20);
  double before = demo_run(t.solver, &t.time, DT, 1).cost, after = demo_run(t.solver, &t.time, DT, 1500).cost;
  CHECK(after < 0.05 * before, "cost %g, at first %g", after, before);
  finish(&t);
}

static void singular_poses_are_left(void) {
  trial t = begin(false);
  double q[32];
  brio_robot_neutral(t.robot, q);
  q[BRIO_BASE_NQ + 3] = 0.05;
  brio_solver_reset(t.solver, q, true);
  add(t.solver, "manipulability", (brio_argument[8]){TEXT("link", "hand")}, NULL, 0, 5);
  double before = demo_run(t.solver, &t.time, DT, 1).cost, after = demo_run(t.solver, &t.time, DT, 800).cost;
  CHECK(after < 0.3 * before, "cost %g, at first %g", after, before);
  finish(&t);
}

static void postures_are_kept_and_found_again(void) {
  trial t = begin(false);
  double q[32];
  memcpy(q, demo_run(t.solver, &t.time, DT, 1).q, (size_t)t.robot->nq * sizeof *q);
  int here = add(t.solver, "nominal_posture", (brio_argument[8]){FLAG("here", 1)}, NULL, 0, 5);
  brio_solution found = demo_run(t.solver, &t.time, DT, 100);
  for (int i = 0; i < t.robot->nq; i++) CHECK_NEAR(found.q[i], q[i], 1e-6, "number %d", i);
  brio_solver_set_weight(t.solver, here, 0, 0, NULL);
  add(t.solver, "nominal_posture", (brio_argument[8]){{0}}, NULL, 0, 5);
  found = demo_run(t.solver, &t.time, DT, 600);
  brio_robot_neutral(t.robot, q);
  for (int i = BRIO_BASE_NQ; i < t.robot->nq; i++) CHECK_NEAR(found.q[i], q[i], 1e-4, "number %d", i);
  finish(&t);
}

static void mass_stays_above_its_support(void) {
  trial t = begin(false);
  static const double square[] = {-0.06, -0.06, 0, 0,     0,    5, 0.06, -0.06, 1,
                                  0.06,  0.06,  2, -0.06, 0.06, 0, 0.01, 0,     0};
  add(t.solver, "center_of_mass_support", (brio_argument[8]){NUMBER("margin", 0.02)}, square, 18, 20);
  demo_run(t.solver, &t.time, DT, 800);
  brio_vec3 com = brio_solver_state(t.solver)->com;
  CHECK(fabs(com.x) < 0.0405 && fabs(com.y) < 0.0405, "at %g, %g", com.x, com.y);
  brio_solution found = demo_run(t.solver, &t.time, DT, 1);
  CHECK(found.cost < 1e-4, "cost %g inside", found.cost);
  finish(&t);
}

/* A margin without room for it: as far from all edges as possible. */
static void support_without_room_is_its_middle(void) {
  trial t = begin(false);
  static const double square[] = {-0.06, -0.04, 0, 0.1, -0.04, 0, 0.1, 0.12, 0, -0.06, 0.12, 0};
  add(t.solver, "center_of_mass_support", (brio_argument[8]){NUMBER("margin", 0.5)}, square, 12, 20);
  demo_run(t.solver, &t.time, DT, 800);
  brio_vec3 com = brio_solver_state(t.solver)->com;
  CHECK_NEAR(com.x, 0.02, 2e-3, "middle in x");
  CHECK_NEAR(com.y, 0.04, 2e-3, "middle in y");
  finish(&t);
}

/* --- what moves by itself --- */

static void a_view_moves_about_its_focus(void) {
  trial t = begin(false);
  demo_accelerations(t.robot, 20);
  const double focus = 0.3, bent[7] = {0, 0.4, 0, 1.4, 0, 0.9, 0};
  double q[32];
  brio_robot_neutral(t.robot, q);
  memcpy(q + BRIO_BASE_NQ, bent, sizeof bent);
  brio_solver_reset(t.solver, q, true);
  add(t.solver, "perspective_noise",
      (brio_argument[8]){TEXT("link", "hand"), VECTOR("axis", 0, 0, 1), NUMBER("frequency", 0.3)},
      (double[]){focus, 0.4, 0.4, 0, 0, 0, 0}, 7, 20);
  brio_transform first = *link_at(&t, "hand");
  brio_vec3 held = brio_transform_point(&first, (brio_vec3){0, 0, focus});
  double off = 0, moved = 0, turned = 0;
  for (int tick = 0; tick < 4000; tick++) {
    demo_run(t.solver, &t.time, DT, 1);
    const brio_transform *hand = link_at(&t, "hand");
    off =
        fmax(off, brio_vec3_norm(brio_vec3_sub(brio_transform_point(hand, (brio_vec3){0, 0, focus}), held)));
    moved = fmax(moved, brio_vec3_norm(brio_vec3_sub(hand->p, first.p)));
    turned = fmax(turned, brio_quat_angle(brio_quat_mul(brio_quat_from_matrix(hand->r),
                                                        brio_quat_conj(brio_quat_from_matrix(first.r)))));
  }
  CHECK(off < 0.01, "the focus is off by %g m", off);
  CHECK(moved > 0.05 && turned > 0.15, "the view moved by %g m and turned by %g rad", moved, turned);
  CHECK(turned < 0.45 * 1.42, "turned by %g rad of 0.4 about each of two axes", turned);
  finish(&t);
}

/* A goal that moves the link takes the focus along, and the noise does not hold it back. */
static void a_focus_goes_with_a_goal(void) {
  trial t = begin(false);
  const double bent[7] = {0, 0.4, 0, 1.4, 0, 0.9, 0};
  double q[32];
  brio_robot_neutral(t.robot, q);
  memcpy(q + BRIO_BASE_NQ, bent, sizeof bent);
  brio_solver_reset(t.solver, q, true);
  brio_vec3 there = brio_vec3_add(link_at(&t, "hand")->p, (brio_vec3){-0.1, 0.25, 0.05});
  add(t.solver, "perspective_noise", (brio_argument[8]){TEXT("link", "hand"), VECTOR("axis", 0, 0, 1)},
      (double[]){0.3, 0.1, 0.1, 0, 0, 0, 0}, 7, 5);
  demo_run(t.solver, &t.time, DT, 300);
  add(t.solver, "position_match", (brio_argument[8]){TEXT("link", "hand")}, &there.x, 3, 20);
  demo_run(t.solver, &t.time, DT, 1500);
  double off = brio_vec3_norm(brio_vec3_sub(link_at(&t, "hand")->p, there));
  CHECK(off < 0.02, "%g m off its goal", off);
  finish(&t);
}

static void distances_breathe(void) {
  trial t = begin(false);
  add(t.solver, "relative_motion_liveliness",
      (brio_argument[8]){TEXT("link1", "hand"), TEXT("link2", "link2"), NUMBER("frequency", 0.5)},
      (double[]){0.03}, 1, 20);
  add(t.solver, "joint_velocity_minimization", (brio_argument[8]){{0}}, NULL, 0, 0.1);
  double first = NAN, sum = 0, least = INFINITY, most = 0;
  const int ticks = 6000;
  for (int tick = 0; tick < ticks; tick++) {
    demo_run(t.solver, &t.time, DT, 1);
    double d = brio_vec3_norm(brio_vec3_sub(link_at(&t, "hand")->p, link_at(&t, "link2")->p));
    if (tick == 0) first = d;
    sum += d / ticks, least = fmin(least, d), most = fmax(most, d);
  }
  CHECK_NEAR(sum, first, 0.006, "mean distance");
  CHECK(first - least > 0.01 && first - least < 0.035, "comes %g m nearer of 0.03", first - least);
  CHECK(most - first > 0.01 && most - first < 0.035, "goes %g m away of 0.03", most - first);
  finish(&t);
}

/* Several octaves have the requested amplitude, too, and move faster at small scales. */
static void octaves_keep_to_their_size(void) {
  double most[2] = {0}, path[2] = {0};
  for (int k = 0; k < 2; k++) {
    trial t = begin(false);
    add(t.solver, "joint_liveliness",
        (brio_argument[8]){TEXT("joint", "joint2"), NUMBER("frequency", 0.2), NUMBER("octaves", k ? 4 : 1)},
        (double[]){0.2}, 1, 20);
    double q = demo_run(t.solver, &t.time, DT, 1).q[BRIO_BASE_NQ + 1], at = q, now;
    for (int tick = 0; tick < 20000; tick++, at = now) {
      now = demo_run(t.solver, &t.time, DT, 1).q[BRIO_BASE_NQ + 1];
      most[k] = fmax(most[k], fabs(now - q));
      path[k] += fabs(now - at);
    }
    CHECK(most[k] > 0.1 && most[k] < 0.22, "%d: %g of 0.2", k, most[k]);
    finish(&t);
  }
  CHECK(path[1] > 1.5 * path[0], "%g rad along the way, one octave %g", path[1], path[0]);
}

/* --- smoothness --- */

/* The greatest speed of the hand (m/s) and of the base's turning (rad/s) on the way to a goal. */
static void speeds(const char *calm, double weight, double *hand, double *turning) {
  trial t = begin(true);
  demo_accelerations(t.robot, 50);
  brio_vec3 p = link_at(&t, "hand")->p, before = p;
  double goal[3] = {p.x + 0.3, p.y - 0.2, p.z - 0.2};
  add(t.solver, "position_match", (brio_argument[8]){TEXT("link", "hand")}, goal, 3, 20);
  if (calm) add(t.solver, calm, (brio_argument[8]){{0}}, NULL, 0, weight);
  brio_quat was = brio_quat_from_matrix(link_at(&t, "base")->r);
  *hand = *turning = 0;
  for (int tick = 0; tick < 600; tick++, before = p) {
    demo_run(t.solver, &t.time, DT, 1);
    p = link_at(&t, "hand")->p;
    brio_quat now = brio_quat_from_matrix(link_at(&t, "base")->r);
    *hand = fmax(*hand, brio_vec3_norm(brio_vec3_sub(p, before)) / DT);
    *turning = fmax(*turning, brio_quat_angle(brio_quat_mul(now, brio_quat_conj(was))) / DT);
    was = now;
  }
  CHECK(brio_vec3_norm(brio_vec3_sub(p, (brio_vec3){goal[0], goal[1], goal[2]})) < 2e-3, "%s: goal not met",
        calm);
  finish(&t);
}

static void smoothness_calms_what_it_is_about(void) {
  static const char *const links[] = {"link_velocity_minimization", "link_acceleration_minimization",
                                      "link_jerk_minimization", "smoothness_macro"};
  static const char *const origin[] = {"origin_velocity_minimization", "origin_acceleration_minimization",
                                       "origin_jerk_minimization"};
  double free_hand, free_turning, hand, turning;
  speeds(NULL, 0, &free_hand, &free_turning);
  for (int i = 0; i < 4; i++) {
    speeds(links[i], 270, &hand, &turning);
    CHECK(hand < 0.5 * free_hand, "%s: %g m/s, without %g", links[i], hand, free_hand);
  }
  for (int i = 0; i < 3; i++) {
    speeds(origin[i], 270, &hand, &turning);
    CHECK(turning < 0.5 * free_turning, "%s: %g rad/s, without %g", origin[i], turning, free_turning);
  }
}

/* The gradients of the macro are those of its parts, each by its share. */
static void the_macro_is_its_parts(void) {
  static const char *const parts[] = {"link_velocity_minimization", "link_acceleration_minimization",
                                      "link_jerk_minimization", "origin_velocity_minimization",
                                      "origin_acceleration_minimization", "origin_jerk_minimization"};
  static const double shares[] = {0.47, 0.15, 0.05, 0.47, 0.15, 0.05};
  brio_robot *robot = demo_arm(true);
  brio_random stream = brio_random_stream(9, "macro");
  static double r[MAX_ROWS], slopes[MAX_ROWS], jacobian[MAX_ROWS * 16];
  stage s;
  stage_start(&s, robot);
  CHECK(robot->nv <= 16, "%d", robot->nv);
  demo_draw(robot, &stream, s.q);
  stage_past(&s, &stream);
  double whole[16] = {0}, sum[16] = {0};
  for (int i = -1; i < 6; i++) {
    judged term = {.kind = brio_objective_kind_find(i < 0 ? "smoothness_macro" : parts[i], NULL)};
    term.self = stage_instance(term.kind, robot, false);
    if (i < 0) /* links and base, no joints */
      for (const brio_param *p = term.kind->params; p->name; p++)
        if (p->type == BRIO_PARAM_FLAG)
          *((bool *)((char *)term.self + p->offset)) = strcmp(p->name, "joints") != 0;
    CHECK(term.kind->bind(term.self, robot, 1, NULL), "bind");
    term.kind->update(term.self, NULL, &s.at);
    memset(jacobian, 0, sizeof jacobian);
    int rows = term.kind->residual(term.self, NULL, &s.at, r, jacobian);
    stage_cost(&s, &term, r, rows, slopes);
    for (int j = 0; j < robot->nv; j++)
      for (int k = 0; k < rows; k++)
        (i < 0 ? whole : sum)[j] += (i < 0 ? 1 : shares[i]) * slopes[k] * jacobian[k * robot->nv + j];
    free(term.self);
  }
  for (int j = 0; j < robot->nv; j++)
    CHECK_NEAR(whole[j], sum[j], 1e-9 * fmax(1, fabs(sum[j])), "column %d", j);
  stage_end(&s);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(alone_each_is_met), CHECK_TEST(a_glass_is_kept_upright),
            CHECK_TEST(a_gaze_at_a_link_is_level),
            CHECK_TEST(a_gaze_at_a_link_moves_only_what_is_between), CHECK_TEST(links_get_into_line),
            CHECK_TEST(bounds_hold_and_leave_free), CHECK_TEST(a_cone_holds_a_link),
            CHECK_TEST(weight_sinks_and_is_held), CHECK_TEST(effort_goes_down),
            CHECK_TEST(singular_poses_are_left), CHECK_TEST(postures_are_kept_and_found_again),
            CHECK_TEST(mass_stays_above_its_support), CHECK_TEST(support_without_room_is_its_middle),
            CHECK_TEST(a_view_moves_about_its_focus), CHECK_TEST(a_focus_goes_with_a_goal),
            CHECK_TEST(distances_breathe), CHECK_TEST(octaves_keep_to_their_size),
            CHECK_TEST(smoothness_calms_what_it_is_about), CHECK_TEST(the_macro_is_its_parts))
