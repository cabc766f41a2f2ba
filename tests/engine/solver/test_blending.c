/* Weights and goals approach their new values by time constants: the same after the same time, for any ticks,
** and exactly there after five of them. */
#include "solver/goal.h"
#include "tests/engine/solver/demo.h"

static const double WEIGHT_TAU = 0.1, GOAL_TAU = 0.15;

/* A way to tick: every `period` s, or (0) of random lengths from `stream`; each stretch ends on its end. */
typedef struct ticking {
  const char *name;
  double period;
  uint64_t seed;
} ticking;

static const ticking tickings[] = {{"30 Hz", 1.0 / 30, 0}, {"60 Hz", 1.0 / 60, 0},   {"200 Hz", 1.0 / 200, 0},
                                   {"1000 Hz", 1e-3, 0},   {"random lengths", 0, 7}, {"others", 0, 8}};
enum { NTICKING = sizeof tickings / sizeof *tickings };

typedef struct run {
  brio_solver *solver;
  double time;
  brio_random stream;
} run;

/* Solve until `end`. */
static void go(run *r, const ticking *how, double end) {
  brio_solution solution;
  while (r->time < end - 1e-9) {
    double dt = how->period > 0 ? how->period : brio_random_uniform(&r->stream, 1e-4, 0.08);
    if (r->time + dt > end - 1e-9) dt = end - r->time;
    r->time += dt;
    brio_solver_solve(r->solver, r->time, dt, &solution);
  }
}

static int add(brio_solver *solver, const char *key, const char *kind, const double *goal, int count) {
  brio_error err = {0};
  brio_argument argument = {.name = "link", .text = "hand"};
  int slot = brio_solver_add(solver, key, kind, &argument, 1, &err);
  CHECK(slot >= 0, "%s", err.message);
  CHECK(brio_solver_set_goal(solver, slot, goal, count, 0, &err), "%s", err.message);
  CHECK(brio_solver_set_weight(solver, slot, 10, 0, &err), "%s", err.message);
  return slot;
}

static void ask(brio_solver *solver, int slot, const double *goal, int count, double weight) {
  brio_error err = {0};
  CHECK(brio_solver_set_goal(solver, slot, goal, count, GOAL_TAU, &err), "%s", err.message);
  CHECK(brio_solver_set_weight(solver, slot, weight, WEIGHT_TAU, &err), "%s", err.message);
}

static brio_quat turn(double angle) { return brio_quat_exp((brio_vec3){0.6 * angle, 0, 0.8 * angle}); }

static double angle_to(const brio_goal *goal, brio_quat q) {
  brio_quat there = {goal->v[0], goal->v[1], goal->v[2], goal->v[3]};
  return brio_vec3_norm(brio_quat_log(brio_quat_unit(brio_quat_mul(there, brio_quat_conj(q)))));
}

/* The rest of a transition after `t` s; nothing after five time constants. */
static double left(double t, double tau) {
  double fifth = fmax(t / tau - 4, 0); /* the last of the five goes along a smooth step */
  return t > 5 * tau - 1e-9 ? 0 : exp(-t / tau) * (1 - fifth * fifth * (3 - 2 * fifth));
}

static void straight_and_round_at_any_rate(void) {
  brio_robot *robot = demo_arm(false);
  const double from[] = {0.1, 0.2, 0.5}, to[] = {0.5, -0.2, 0.7};
  brio_quat a = turn(0.2), b = turn(2.7);
  /* -b is the same rotation as b: blending must not go the long way round */
  const double first[] = {a.x, a.y, a.z, a.w}, second[] = {-b.x, -b.y, -b.z, -b.w};
  for (int k = 0; k < NTICKING; k++) {
    run r = {demo_solver(robot, NULL), 0, brio_random_stream(tickings[k].seed, "ticks")};
    int point = add(r.solver, "point", "position_match", from, 3);
    int rotation = add(r.solver, "rotation", "orientation_match", first, 4);
    go(&r, &tickings[k], 0.1);
    ask(r.solver, point, to, 3, 50);
    ask(r.solver, rotation, second, 4, 0);
    for (double t = 0.1; t < 1.05; t += 0.1) {
      brio_slot p, q;
      go(&r, &tickings[k], 0.1 + t);
      brio_solver_look(r.solver, point, &p), brio_solver_look(r.solver, rotation, &q);
      for (int i = 0; i < 3; i++)
        CHECK_NEAR(p.goal->v[i], to[i] + left(t, GOAL_TAU) * (from[i] - to[i]), 1e-9, "%s at %g s",
                   tickings[k].name, t);
      CHECK_NEAR(p.weight, 50 - 40 * left(t, WEIGHT_TAU), 1e-9, "%s at %g s", tickings[k].name, t);
      CHECK_NEAR(q.weight, 10 * left(t, WEIGHT_TAU), 1e-9, "%s at %g s", tickings[k].name, t);
      CHECK_NEAR(angle_to(q.goal, b), 2.5 * left(t, GOAL_TAU), 1e-8, "%s at %g s", tickings[k].name, t);
      CHECK_NEAR(angle_to(q.goal, a), 2.5 * (1 - left(t, GOAL_TAU)), 1e-8, "on the arc: %s at %g s",
                 tickings[k].name, t);
    }
    brio_solver_free(r.solver);
  }
  brio_robot_free(robot);
}

/* Requests that are replaced half way: the result does not depend on the ticks. */
static void changes_half_way_at_any_rate(void) {
  brio_robot *robot = demo_arm(false);
  double results[NTICKING][5];
  for (int k = 0; k < NTICKING; k++) {
    brio_random draw = brio_random_stream(3, "changes");
    run r = {demo_solver(robot, NULL), 0, brio_random_stream(tickings[k].seed, "ticks")};
    int point = add(r.solver, "point", "position_match", (double[]){0.1, 0.2, 0.5}, 3);
    for (int change = 1; change <= 12; change++) {
      double goal[3];
      for (int i = 0; i < 3; i++) goal[i] = brio_random_uniform(&draw, -0.5, 0.5);
      ask(r.solver, point, goal, 3, brio_random_uniform(&draw, 0, 50));
      go(&r, &tickings[k], 0.1 * change);
      ask(r.solver, point, goal, 3, brio_random_uniform(&draw, 0, 50));
    }
    brio_slot p;
    go(&r, &tickings[k], 1.3);
    brio_solver_look(r.solver, point, &p);
    memcpy(results[k], (double[]){p.weight, p.weight_target, p.goal->v[0], p.goal->v[1], p.goal->v[2]},
           sizeof results[k]);
    for (int i = 0; i < 5; i++) CHECK_NEAR(results[k][i], results[0][i], 1e-8, "%s, %d", tickings[k].name, i);
    brio_solver_free(r.solver);
  }
  brio_robot_free(robot);
}

/* A list that grows, and one that shrinks: `of` items from x = 0 on, a unit apart. */
static int list(double *numbers, int of, double y) {
  for (int i = 0; i < of; i++) numbers[3 * i] = i, numbers[3 * i + 1] = y, numbers[3 * i + 2] = 0;
  return 3 * of;
}

static void lists_at_any_rate(void) {
  brio_error err = {0};
  const brio_goal_kind *kind = brio_goal_kind_find("points", &err);
  double numbers[BRIO_GOAL_NUMBERS];
  brio_goal few, many;
  CHECK(brio_goal_make(kind, numbers, list(numbers, 2, 0), &few, &err), "%s", err.message);
  CHECK(brio_goal_make(kind, numbers, list(numbers, 64, 1), &many, &err), "%s", err.message);
  for (int grows = 0; grows < 2; grows++) {
    const brio_goal *from = grows ? &few : &many, *to = grows ? &many : &few;
    brio_goal results[2];
    for (int k = 0; k < 2; k++) { /* in 5 steps, in 500 */
      int steps = k ? 500 : 5;
      double share = 1 - exp(-0.5 / steps);
      results[k] = *from;
      for (int i = 0; i < steps; i++) brio_goal_blend(&results[k], to, share, &results[k]);
    }
    CHECK(results[0].items == 64 && results[1].items == 64, "%d %d", results[0].items, results[1].items);
    for (int i = 0; i < 3 * 64; i++)
      CHECK_NEAR(results[1].v[i], results[0].v[i], 1e-9, "%d, grows: %d", i, grows);
    CHECK_NEAR(brio_goal_item(&results[0], 63)[0], grows ? 1 + 62 * (1 - exp(-0.5)) : 1 + 62 * exp(-0.5),
               1e-9, "the last");
  }
}

/* No value jumps from tick to tick: on arrival it is slower than ever before. */
static void it_arrives_without_a_leap(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_slot slot;
  int k = demo_add(solver, "match", "joint_match", "joint2", (double[]){1}, 10);
  brio_solver_set_weight(solver, k, 30, 0.2, NULL);
  double time = 0, before = 10, step = INFINITY;
  for (int i = 0; i < 210; i++) {
    demo_run(solver, &time, 0.005, 1);
    brio_solver_look(solver, k, &slot);
    if (time > 0.78) CHECK(slot.weight - before < 0.02, "%g in one tick at %g s", slot.weight - before, time);
    else CHECK(slot.weight - before <= step + 1e-12, "slower and slower until %g s", time);
    step = slot.weight - before;
    before = slot.weight;
  }
  CHECK(slot.weight == 30, "there: %g", slot.weight);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(it_arrives_without_a_leap), CHECK_TEST(straight_and_round_at_any_rate),
            CHECK_TEST(changes_half_way_at_any_rate), CHECK_TEST(lists_at_any_rate))
