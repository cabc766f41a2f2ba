/* The solver as its users see it: goals are reached or approached calmly, weights and goals blend, limits
** hold, runs repeat to the bit, nothing allocates, and no input makes it return NaN. */
#include "demo.h"
#include "tests/allocations.h"

static const double DT = 0.005;

/* Add the terms of a lively arm; return the slot of its position goal. */
static int add_full_set(brio_solver *solver, const double *goal) {
  int slot = demo_add(solver, "reach", "position_match", "hand", goal, 50);
  demo_add(solver, "turn", "orientation_match", "hand", (double[]){0, 0.6, 0, 0.8}, 25);
  demo_add(solver, "limits", "joint_limits", NULL, NULL, 10);
  demo_add(solver, "calm", "joint_velocity_minimization", NULL, NULL, 2.1);
  demo_add(solver, "gentle", "joint_acceleration_minimization", NULL, NULL, 0.8);
  demo_add(solver, "smooth", "joint_jerk_minimization", NULL, NULL, 0.4);
  demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 3);
  demo_add(solver, "alive", "position_liveliness", "hand", (double[]){0.02, 0.02, 0.02}, 5);
  return slot;
}

static brio_vec3 hand(const brio_solver *solver) {
  const brio_robot *robot = brio_solver_robot(solver);
  return brio_solver_state(solver)->links[brio_robot_link(robot, "hand", NULL)].p;
}

static double gap(brio_vec3 p, const double *goal) {
  return brio_vec3_norm(brio_vec3_sub(p, (brio_vec3){goal[0], goal[1], goal[2]}));
}

/* From the middle of all ranges to hand poses of configurations in the middle half of the ranges, past the
** arm itself where it is in the way.  (From a pose folded against an end of a joint's range, going straight
** is not always enough.) */
static void reaches_goals(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, &(brio_solver_options){.unguarded = true});
  double q[32], middle[32], time = 0;
  brio_state state;
  brio_robot_neutral(robot, middle);
  CHECK(brio_state_start(&state, robot, NULL), "state");
  brio_random stream = brio_random_stream(3, "goals");
  int slot = demo_add(solver, "reach", "position_match", "hand", NULL, 50), reached = 0;
  for (int i = 0; i < 50; i++) {
    demo_draw(robot, &stream, q);
    for (int k = 0; k < robot->nvariable; k++) {
      middle[7 + k] = 0.5 * (robot->variables[k].lower + robot->variables[k].upper);
      q[7 + k] = 0.5 * (q[7 + k] + middle[7 + k]);
    }
    brio_solver_reset(solver, middle, false);
    brio_state_update(&state, q);
    brio_vec3 p = state.links[robot->nlink - 1].p;
    double goal[3] = {p.x, p.y, p.z};
    CHECK(brio_solver_set_goal(solver, slot, goal, 3, 0, NULL), "goal");
    brio_solution solution = demo_run(solver, &time, DT, 800);
    CHECK(solution.status == BRIO_SOLVER_CONVERGED, "goal %d: status %d", i, solution.status);
    reached += gap(hand(solver), goal) < 1e-5;
  }
  CHECK(reached == 50, "%d of 50 goals were reached", reached);
  brio_state_end(&state);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* From the same start both methods find the same least cost, except in a few problems with two
** equally near minima. */
static void backends_agree(void) {
  brio_robot *robot = demo_arm(true);
  brio_random stream = brio_random_stream(5, "backends");
  int same = 0, worse = 0, count = 40;
  for (int i = 0; i < count; i++) {
    double goal[3], cost[2] = {0};
    for (int k = 0; k < 3; k++) goal[k] = brio_random_uniform(&stream, -0.3, 0.8);
    for (int b = 0; b < 2; b++) {
      brio_solver_options options = {.backend = b ? "nlopt" : NULL, .max_iterations = 500};
      brio_solver *solver = demo_solver(robot, &options);
      demo_add(solver, "reach", "position_match", "hand", goal, 50);
      demo_add(solver, "turn", "orientation_match", "hand", (double[]){0, 0.6, 0, 0.8}, 25);
      demo_add(solver, "limits", "joint_limits", NULL, NULL, 10);
      demo_add(solver, "calm", "joint_velocity_minimization", NULL, NULL, 1);
      double time = 0;
      brio_solution solution = demo_run(solver, &time, 0.02, 3);
      cost[b] = solution.cost;
      brio_solver_free(solver);
    }
    same += fabs(cost[0] - cost[1]) <= 1e-6 * fmax(1, cost[1]);
    worse += cost[0] > cost[1] + 1e-6 * fmax(1, cost[1]);
  }
  CHECK(same >= count * 8 / 10, "the same least cost in %d of %d", same, count);
  CHECK(worse <= count / 10, "worse than the reference in %d of %d", worse, count);
  brio_robot_free(robot);
}

/* Largest overrun of any limit between two accepted poses. */
static double overrun(const brio_robot *robot, const double *q, const double *last, double *speed,
                      double dt) {
  double worst = 0;
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *v = &robot->variables[i];
    double now = (q[7 + i] - last[7 + i]) / dt;
    worst = fmax(worst, fmax(v->lower - q[7 + i], q[7 + i] - v->upper));
    worst = fmax(worst, fmax(fabs(now) - v->velocity, fabs(now - speed[i]) / dt - v->acceleration));
    speed[i] = now;
  }
  return worst;
}

static void limits_hold_whatever_is_asked(void) {
  brio_robot *robot = demo_arm(true);
  demo_accelerations(robot, 6);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_random stream = brio_random_stream(9, "limits");
  double last[32], speed[16] = {0}, time = 0, goal[3], worst = 0, away = 0;
  int slot = add_full_set(solver, (double[]){0.4, 0, 0.6});
  brio_robot_neutral(robot, last);
  for (int tick = 0; tick < 6000; tick++) {
    double dt = brio_random_uniform(&stream, 0.003, 0.02);
    for (int k = 0; k < 3; k++) goal[k] = brio_random_uniform(&stream, -2, 2);
    if (tick % 3 == 0) brio_solver_set_goal(solver, slot, goal, 3, 0, NULL);
    if (tick % 50 == 0) brio_solver_set_weight(solver, slot, brio_random_uniform(&stream, 0, 200), 0, NULL);
    brio_solution solution;
    time += dt;
    brio_solver_solve(solver, time, dt, &solution);
    worst = fmax(worst, overrun(robot, solution.q, last, speed, dt));
    memcpy(last, solution.q, (size_t)robot->nq * sizeof *last);
    for (int k = 0; k < 3; k++)
      away = fmax(away, fabs(last[k] - (&robot->base_center.p.x)[k]) - robot->base_range[k]);
  }
  CHECK(worst <= 1e-9, "a limit was exceeded by %g", worst);
  CHECK(away <= 1e-12, "the base left its range by %g m", away);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void weight_zero_switches_off(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  int slot = demo_add(solver, "reach", "position_match", "hand", (double[]){0.5, 0.2, 0.5}, 50);
  double time = 0;
  demo_run(solver, &time, DT, 400);
  brio_solver_set_weight(solver, slot, 0, 0, NULL);
  brio_solver_set_goal(solver, slot, (double[]){-0.5, 0.2, 0.5}, 3, 0, NULL);
  brio_vec3 before = hand(solver);
  brio_solution solution = demo_run(solver, &time, DT, 100);
  CHECK(solution.nactive == 0, "%d are active", solution.nactive);
  CHECK(brio_vec3_norm(brio_vec3_sub(hand(solver), before)) < 1e-12, "it stays");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* Distance of a goal's tracking, and the greatest jerk, over the last half of `ticks`. */
static void track(brio_solver *solver, int slot, bool moving, int ticks, double *error, double *jerk) {
  const brio_robot *robot = brio_solver_robot(solver);
  double past[4][32] = {{0}}, time = 0;
  *error = *jerk = 0;
  for (int tick = 0; tick < ticks; tick++) {
    double a = moving ? 0.8 * time : 0, goal[3] = {0.6, 0.2 * sin(a), 0.65 + 0.1 * cos(a)};
    if (!moving) goal[0] = 3;
    brio_solver_set_goal(solver, slot, goal, 3, 0, NULL);
    brio_solution solution = demo_run(solver, &time, DT, 1);
    memmove(past[1], past[0], 3 * sizeof past[0]);
    memcpy(past[0], solution.q, (size_t)robot->nq * sizeof **past);
    if (tick < ticks / 2) continue;
    *error = fmax(*error, gap(hand(solver), goal));
    for (int i = 7; i < robot->nq; i++)
      *jerk = fmax(*jerk, fabs(past[0][i] - 3 * past[1][i] + 3 * past[2][i] - past[3][i]) / (DT * DT * DT));
  }
}

static void smoothness_does_not_fight(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  int slot = add_full_set(solver, (double[]){0.45, 0, 0.65});
  brio_solver_set_weight(solver, brio_solver_slot(solver, "alive", NULL), 0, 0, NULL);
  double error, jerk;
  track(solver, slot, true, 4000, &error, &jerk);
  CHECK(error < 0.008, "a goal that moves at 0.16 m/s is followed within %g m", error);
  CHECK(jerk < 20, "jerk %g rad/s^3", jerk);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void unreachable_goal_settles(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  int slot = add_full_set(solver, (double[]){3, 0, 0.6});
  brio_solver_set_weight(solver, brio_solver_slot(solver, "alive", NULL), 0, 0, NULL);
  double error, jerk;
  track(solver, slot, false, 6000, &error, &jerk);
  CHECK(jerk < 1, "jerk at rest %g rad/s^3", jerk);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* One goal without damping: limited in acceleration, a joint speeds up, brakes in time,
** and stops at the goal. */
static void goals_alone_are_met_at_rest(void) {
  brio_robot *robot = demo_arm(false);
  brio_random stream = brio_random_stream(3, "test_solver.rest");
  for (int joint = 0; joint < robot->nvariable; joint++) {
    brio_limits limits = {NAN, NAN, 3, 4};
    CHECK(brio_robot_set_limits(robot, joint, &limits, NULL), "limits of joint %d", joint);
  }
  for (int trial = 0; trial < 20; trial++) {
    brio_solver *solver = demo_solver(robot, NULL);
    double goal = brio_random_uniform(&stream, -1, 1), time = 0, before = 0, most = 0;
    int at = BRIO_BASE_NQ + 1;
    demo_add(solver, "match", "joint_match", "joint2", &goal, 50);
    double start = brio_solver_state(solver) ? demo_run(solver, &time, DT, 1).q[at] : 0;
    for (int tick = 0; tick < 400; tick++) {
      before = demo_run(solver, &time, DT, 1).q[at];
      most = fmax(most, (before - goal) * (goal > start ? 1 : -1));
    }
    double now = demo_run(solver, &time, DT, 1).q[at];
    CHECK(most < 1e-6, "goal %g: overshoots by %g", goal, most);
    CHECK_NEAR(now, goal, 1e-6, "goal %g", goal);
    CHECK_NEAR(now, before, 1e-9, "goal %g: still moves", goal);
    brio_solver_free(solver);
  }
  brio_robot_free(robot);
}

/* Limits are tightened in the middle of quick motion: no joint jumps or brakes harder than it may, each comes
** within its new range and speed, and the first limits hold again when they are restored. */
static void limits_tighten_in_motion(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 8);
  brio_random stream = brio_random_stream(4, "test_solver.tighten");
  brio_solver *solver = demo_solver(robot, NULL);
  int slot = demo_add(solver, "match", "joint_match", "joint2", (double[]){0}, 50);
  double time = 0, worst = 0, x = 0, v = 0;
  int at = BRIO_BASE_NQ + 1;
  brio_limits now = {-1.8, 1.8, 2, 8};
  for (int tick = 0; tick < 30000; tick++) {
    if (tick % 60 == 0)
      brio_solver_set_goal(solver, slot, (double[]){brio_random_uniform(&stream, -2, 2)}, 1, 0, NULL);
    if (tick % 1000 == 999) {
      double middle = brio_random_uniform(&stream, -1, 1),
             half = tick % 3 ? brio_random_uniform(&stream, 0, 0.5) : 0;
      now = (brio_limits){middle - half, middle + half, brio_random_uniform(&stream, 0.8, 2), 8};
      if (tick % 3000 == 2999) now = (brio_limits){-1.8, 1.8, 2, 8};
      CHECK(brio_solver_set_limits(solver, 1, &now, NULL), "limits");
    }
    double next = demo_run(solver, &time, DT, 1).q[at], speed = (next - x) / DT;
    if (tick > 0) worst = fmax(worst, fabs(speed - v) / DT / 8);
    x = next, v = speed;
    if (tick % 1000 != 998) continue;
    CHECK(x >= now.lower - 1e-9 && x <= now.upper + 1e-9, "at %g, beyond [%g, %g]", x, now.lower, now.upper);
    CHECK(fabs(v) <= now.velocity + 1e-9, "%g per s, faster than %g", v, now.velocity);
  }
  CHECK(worst < 1 + 1e-6 && worst > 0.5, "%g of the acceleration", worst);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* The objective that keeps joints from their ends uses the limits that hold now. */
static void objectives_see_limits_that_hold_now(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 8);
  brio_solver *solver = demo_solver(robot, NULL);
  double time = 0;
  int at = BRIO_BASE_NQ + 1;
  demo_add(solver, "match", "joint_match", "joint2", (double[]){1.7}, 0.5);
  int slot = demo_add(solver, "limits", "joint_limits", NULL, NULL, 50);
  double first = demo_run(solver, &time, DT, 1000).q[at];
  CHECK(first > 1.2 && first < 1.7, "near its end: %g", first);
  CHECK(brio_solver_set_limits(solver, 1, &(brio_limits){-0.8, 0.8, NAN, NAN}, NULL), "limits");
  double tight = demo_run(solver, &time, DT, 1000).q[at];
  CHECK(tight > 0.5 && tight < 0.79, "held off the end that holds now: %g", tight);
  brio_slot limits;
  CHECK(brio_solver_look(solver, slot, &limits) && limits.cost > 0, "it costs");
  CHECK(brio_solver_set_limits(solver, 1, &(brio_limits){NAN, NAN, NAN, NAN}, NULL), "limits");
  CHECK_NEAR(demo_run(solver, &time, DT, 1000).q[at], first, 1e-3, "given back");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void looser_limits_are_refused(void) {
  static const brio_limits looser[] = {{-1.9, NAN, NAN, NAN}, {NAN, 1.9, NAN, NAN}, {NAN, NAN, 2.1, NAN},
                                       {1, 0.5, NAN, NAN},    {NAN, NAN, 0, NAN},   {NAN, NAN, NAN, 9},
                                       {NAN, NAN, NAN, -1}};
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 8);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_error err;
  for (size_t i = 0; i < sizeof looser / sizeof *looser; i++)
    CHECK(!brio_solver_set_limits(solver, 1, &looser[i], &err) && err.code == BRIO_MISUSE &&
              strstr(err.message, "joint2"),
          "case %zu: %s", i, err.message);
  CHECK(!brio_solver_set_limits(solver, 7, &looser[0], &err) &&
            !brio_solver_set_limits(solver, -1, &looser[0], &err),
        "no such variable");
  CHECK(brio_solver_set_limits(solver, 1, &(brio_limits){NAN, NAN, NAN, NAN}, &err), "%s", err.message);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void smoothness_damps_at_any_weight(void) {
  static const char *const kinds[] = {"joint_velocity_minimization", "joint_acceleration_minimization",
                                      "joint_jerk_minimization"};
  brio_robot *robot = demo_arm(false);
  for (int k = 0; k < 3; k++)
    for (double weight = 0.1; weight < 200; weight *= 4) {
      brio_solver *solver = demo_solver(robot, NULL);
      int joint = BRIO_BASE_NQ + 1;
      demo_add(solver, "smooth", kinds[k], NULL, NULL, weight);
      demo_add(solver, "match", "joint_match", "joint2", (double[]){0.1}, 50);
      double time = 0, most = 0;
      for (int tick = 0; tick < 3000; tick++) most = fmax(most, demo_run(solver, &time, DT, 1).q[joint]);
      CHECK(most < 0.1 * 1.1, "%s with weight %g: overshoots to %g", kinds[k], weight, most);
      if (weight < 50) CHECK(most > 0.099, "%s with weight %g: stays at %g", kinds[k], weight, most);
      brio_solver_free(solver);
    }
  brio_robot_free(robot);
}

static void blending_takes_five_time_constants(void) {
  brio_robot *robot = demo_arm(false);
  brio_slot slot;
  for (double dt = 0.002; dt < 0.03; dt *= 2) {
    brio_solver *solver = demo_solver(robot, NULL);
    int k = demo_add(solver, "match", "joint_match", "joint2", (double[]){1}, 10);
    brio_solver_set_weight(solver, k, 30, 0.2, NULL);
    brio_solver_set_goal(solver, k, (double[]){2}, 1, 0.1, NULL);
    double time = 0;
    demo_run(solver, &time, dt, (int)lround(0.2 / dt));
    brio_solver_look(solver, k, &slot);
    CHECK_NEAR(slot.weight, 30 - 20 * exp(-time / 0.2), 1e-9, "weight after %g s in ticks of %g s", time, dt);
    CHECK_NEAR(slot.goal->v[0], 2 - exp(-time / 0.1), 1e-9, "goal after %g s", time);
    demo_run(solver, &time, dt, (int)lround(0.8 / dt) + 1);
    brio_solver_look(solver, k, &slot);
    CHECK(slot.weight == 30 && slot.goal->v[0] == 2, "%g and %g after five time constants", slot.weight,
          slot.goal->v[0]);
    brio_solver_free(solver);
  }
  brio_robot_free(robot);
}

/* Liveliness alone on a joint: amplitude as asked at any frequency, no drift. */
static void liveliness_keeps_its_place(void) {
  brio_robot *robot = demo_arm(false);
  for (double frequency = 0.1; frequency < 2; frequency *= 4) {
    brio_solver *solver = demo_solver(robot, NULL);
    brio_error err = {0};
    brio_argument arguments[] = {{.name = "joint", .text = "joint2"},
                                 {.name = "frequency", .number = frequency}};
    int slot = brio_solver_add(solver, "alive", "joint_liveliness", arguments, 2, &err);
    CHECK(slot >= 0, "%s", err.message);
    brio_solver_set_goal(solver, slot, (double[]){0.2}, 1, 0, NULL);
    brio_solver_set_weight(solver, slot, 15, 0, NULL);
    demo_add(solver, "calm", "joint_velocity_minimization", NULL, NULL, 0.2);
    double time = 0, sum = 0, square = 0, most = 0;
    int ticks = (int)(200 / frequency / 0.02);
    for (int tick = 0; tick < ticks; tick++) {
      double q = demo_run(solver, &time, 0.02, 1).q[BRIO_BASE_NQ + 1];
      sum += q, square += q * q, most = fmax(most, fabs(q));
    }
    CHECK(fabs(sum / ticks) < 0.02, "%g Hz: mean %g", frequency, sum / ticks);
    CHECK(most <= 0.22 && most > 0.1, "%g Hz: peak %g of 0.2", frequency, most);
    CHECK(sqrt(square / ticks) > 0.02, "%g Hz: deviation %g", frequency, sqrt(square / ticks));
    brio_solver_free(solver);
  }
  brio_robot_free(robot);
}

/* With a goal that jumps, the anchor follows, and the motion stays about the goal. */
static void liveliness_follows_goals(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  int goal = demo_add(solver, "reach", "position_match", "hand", (double[]){0.45, 0, 0.6}, 30);
  demo_add(solver, "alive", "position_liveliness", "hand", (double[]){0.03, 0.03, 0.03}, 15);
  double time = 0;
  demo_run(solver, &time, DT, 2000);
  const double there[3] = {0.45, 0.3, 0.6};
  brio_solver_set_goal(solver, goal, there, 3, 0, NULL);
  demo_run(solver, &time, DT, 400);
  double sum[3] = {0};
  int ticks = 12000;
  for (int tick = 0; tick < ticks; tick++) {
    demo_run(solver, &time, DT, 1);
    brio_vec3 p = hand(solver);
    sum[0] += p.x / ticks, sum[1] += p.y / ticks, sum[2] += p.z / ticks;
    CHECK(gap(p, there) < 0.06, "%g m from the goal", gap(p, there));
  }
  CHECK(gap((brio_vec3){sum[0], sum[1], sum[2]}, there) < 0.008, "mean %g m from the goal",
        gap((brio_vec3){sum[0], sum[1], sum[2]}, there));
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void runs_repeat_to_the_bit(void) {
  brio_robot *robot = demo_arm(true);
  static double trace[2][500][32];
  for (int run = 0; run < 2; run++) {
    brio_solver_options options = {.seed = 77};
    brio_solver *solver = demo_solver(robot, &options);
    add_full_set(solver, (double[]){0.4, 0.1, 0.7});
    double time = 0;
    for (int tick = 0; tick < 500; tick++)
      memcpy(trace[run][tick], demo_run(solver, &time, DT, 1).q, (size_t)robot->nq * sizeof(double));
    brio_solver_free(solver);
  }
  CHECK(memcmp(trace[0], trace[1], sizeof trace[0]) == 0, "two runs differ");
  brio_robot_free(robot);
}

static void solving_allocates_nothing(void) {
#ifdef SANITIZED
  SKIP("a sanitizer holds malloc");
#endif
  brio_robot *robot = demo_arm(true);
  brio_solver *solver = demo_solver(robot, NULL);
  int slot = add_full_set(solver, (double[]){0.4, 0.1, 0.7});
  double time = 0;
  brio_solution solution;
  size_t before = allocations;
  for (int tick = 0; tick < 500; tick++) {
    brio_solver_set_goal(solver, slot, (double[]){0.4, 0.3 * sin(tick * 0.05), 0.6}, 3, 0.1, NULL);
    brio_solver_solve(solver, time += DT, DT, &solution);
  }
  size_t after = allocations;
  CHECK(before > 0 && after == before, "%zu allocations", after - before);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static bool all_finite(const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

static void nothing_makes_it_say_nan(void) {
  brio_robot *robot = demo_arm(true);
  demo_accelerations(robot, 6);
  static const double sizes[] = {1e3, 1e20, 1e150, 1e200, 1e300, 1.7e308};
  for (int backend = 0; backend < 2; backend++)
    for (int k = 0; k < 6; k++)
      for (int w = 0; w < 6; w++) {
        brio_solver_options options = {.backend = backend ? "nlopt" : NULL};
        brio_solver *solver = demo_solver(robot, &options);
        int slot = add_full_set(solver, (double[]){0.4, 0.1, 0.7});
        double time = 0, last[32], speed[16] = {0}, before[32];
        demo_run(solver, &time, DT, 10);
        memcpy(before, demo_run(solver, &time, DT, 1).q, (size_t)robot->nq * sizeof(double));
        const double *here = demo_run(solver, &time, DT, 1).q;
        overrun(robot, here, before, speed, DT);
        memcpy(last, here, (size_t)robot->nq * sizeof(double));
        brio_solver_set_goal(solver, slot, (double[]){sizes[k], -sizes[k], 0}, 3, 0.01, NULL);
        brio_solver_set_weight(solver, slot, sizes[w], 0, NULL);
        for (int tick = 0; tick < 20; tick++) {
          brio_solution solution = demo_run(solver, &time, DT, 1);
          CHECK(all_finite(solution.q, robot->nq), "goal %g weight %g: not finite", sizes[k], sizes[w]);
          CHECK(!isnan(solution.cost), "goal %g weight %g: cost", sizes[k], sizes[w]);
          double over = overrun(robot, solution.q, last, speed, DT);
          CHECK(over <= 1e-9, "goal %g weight %g: limit exceeded by %g", sizes[k], sizes[w], over);
          memcpy(last, solution.q, (size_t)robot->nq * sizeof(double));
        }
        brio_solver_free(solver);
      }
  brio_robot_free(robot);
}

static void odd_ticks_are_held(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  add_full_set(solver, (double[]){0.4, 0.1, 0.7});
  const double odd[] = {0, -1, NAN, INFINITY, 1e-300};
  double time = 0, q[32];
  memcpy(q, demo_run(solver, &time, DT, 50).q, (size_t)robot->nq * sizeof *q);
  for (int i = 0; i < 5; i++) {
    brio_solution solution;
    brio_solver_solve(solver, time, odd[i], &solution);
    CHECK(solution.status == BRIO_SOLVER_HELD, "dt %g", odd[i]);
    CHECK(memcmp(q, solution.q, (size_t)robot->nq * sizeof *q) == 0, "dt %g", odd[i]);
    brio_solver_solve(solver, NAN, DT, &solution);
    CHECK(solution.status == BRIO_SOLVER_HELD, "time");
  }
  CHECK(demo_run(solver, &time, DT, 1).status == BRIO_SOLVER_CONVERGED, "it goes on");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void wrong_use_is_told(void) {
  brio_robot *robot = demo_arm(false);
  brio_error err = {0};
  CHECK(!brio_solver_new(robot, &(brio_solver_options){.backend = "gauss_newtn"}, &err), "backend");
  CHECK_HAS(err.message, "did you mean 'gauss_newton'?");
  CHECK(!brio_solver_new(robot, &(brio_solver_options){.max_objectives = -1}, &err), "count");
  brio_solver *solver = demo_solver(robot, NULL);
  int slot = demo_add(solver, "reach", "position_match", "hand", NULL, 1);
  CHECK(brio_solver_add(solver, "reach", "joint_limits", NULL, 0, &err) < 0, "key in use");
  CHECK_HAS(err.message, "already has");
  CHECK(brio_solver_add(solver, "x", "position_match", NULL, 0, &err) < 0, "no link");
  CHECK_HAS(err.message, "needs the argument 'link'");
  brio_argument arguments[] = {{.name = "link", .text = "hnad"}};
  CHECK(brio_solver_add(solver, "x", "position_match", arguments, 1, &err) < 0, "unknown link");
  CHECK_HAS(err.message, "hand");
  arguments[0] = (brio_argument){.name = "margn", .number = 0.1};
  CHECK(brio_solver_add(solver, "x", "collision_avoidance", arguments, 1, &err) < 0, "unknown argument");
  CHECK_HAS(err.message, "did you mean 'margin'?");
  arguments[0] = (brio_argument){.name = "margin", .number = NAN};
  CHECK(brio_solver_add(solver, "x", "collision_avoidance", arguments, 1, &err) < 0, "out of range");
  CHECK(!brio_solver_set_goal(solver, slot, (double[]){0, NAN, 0}, 3, 0, &err), "NaN");
  CHECK_HAS(err.message, "finite");
  CHECK(!brio_solver_set_goal(solver, slot, (double[]){0, 0, 0, 1}, 4, 0, &err), "count");
  CHECK_HAS(err.message, "translation");
  CHECK(!brio_solver_set_weight(solver, slot, -1, 0, &err), "negative");
  CHECK(!brio_solver_set_weight(solver, slot, NAN, 0, &err), "NaN");
  CHECK(!brio_solver_set_weight(solver, slot, 1, -1, &err), "tau");
  CHECK(!brio_solver_set_weight(solver, 99999, 1, 0, &err), "slot");
  CHECK(brio_solver_slot(solver, "raech", &err) < 0, "key");
  CHECK_HAS(err.message, "did you mean 'reach'?");
  brio_solver_remove(solver, slot);
  CHECK(brio_solver_next(solver, -1) < 0, "nothing is left");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void reset_forgets(void) {
  brio_robot *robot = demo_arm(true);
  brio_solver_options options = {.seed = 5};
  brio_solver *fresh = demo_solver(robot, &options), *worn = demo_solver(robot, &options);
  add_full_set(fresh, (double[]){0.4, 0.1, 0.7});
  int slot = add_full_set(worn, (double[]){0.4, -0.4, 0.7});
  double time = 0, again = 0;
  demo_run(worn, &again, DT, 300);
  brio_solver_set_goal(worn, slot, (double[]){0.4, 0.1, 0.7}, 3, 0, NULL);
  brio_solver_reset(worn, NULL, false);
  again = 0;
  for (int i = 0; i < 100; i++) {
    const double *a = demo_run(fresh, &time, DT, 1).q, *b = demo_run(worn, &again, DT, 1).q;
    CHECK(memcmp(a, b, (size_t)robot->nq * sizeof *a) == 0, "tick %d differs", i);
  }
  brio_solver_reset(worn, NULL, true);
  CHECK(demo_run(worn, &again, DT, 1).nactive == 0, "weights are 0");
  brio_solver_free(fresh);
  brio_solver_free(worn);
  brio_robot_free(robot);
}

/* Robots without joints, without shapes, or with an unbounded base: all are valid. */
static void odd_robots_are_solved(void) {
  static const char *const texts[] = {
    "<robot name='stone'><link name='hand'/></robot>",
    "<robot name='wheel'><link name='root'/><link name='hand'/><joint name='turn' type='continuous'>"
    "<parent link='root'/><child link='hand'/><axis xyz='0 0 1'/></joint></robot>",
    "<robot name='kite'><link name='root'/><link name='hand'/><joint name='fly' type='floating'>"
    "<parent link='root'/><child link='hand'/></joint></robot>"};
  for (int i = 0; i < 3; i++)
    for (int base = 0; base < 3; base++)
      for (int backend = 0; backend < 2; backend++) {
        brio_robot_options made = {.base = (brio_base_type)base, .base_range = {0.1, 0, 0, 0, 0, 0.2}};
        brio_error err = {0};
        brio_robot *robot = brio_robot_parse(texts[i], strlen(texts[i]), "odd.urdf", &made, &err);
        CHECK(robot != NULL, "%s", err.message);
        if (!robot) continue;
        brio_solver *solver = demo_solver(robot, &(brio_solver_options){.backend = backend ? "nlopt" : NULL});
        add_full_set(solver, (double[]){0.3, 0.1, 0.2});
        brio_solver_set_weight(solver, brio_solver_slot(solver, "alive", NULL), 0, 0, NULL);
        double time = 0;
        brio_solution solution = demo_run(solver, &time, DT, 300);
        for (int k = 0; k < robot->nq; k++) CHECK(isfinite(solution.q[k]), "%s: q[%d]", robot->name, k);
        bool free = base == BRIO_BASE_FREE || i == 2;
        if (free) CHECK(gap(hand(solver), (double[]){0.3, 0.1, 0.2}) < 0.01, "%s: goal missed", robot->name);
        brio_solver_free(solver);
        brio_robot_free(robot);
      }
}

CHECK_SUITE(CHECK_TEST(limits_tighten_in_motion), CHECK_TEST(looser_limits_are_refused),
            CHECK_TEST(objectives_see_limits_that_hold_now), CHECK_TEST(reaches_goals),
            CHECK_TEST(backends_agree), CHECK_TEST(limits_hold_whatever_is_asked),
            CHECK_TEST(weight_zero_switches_off), CHECK_TEST(smoothness_does_not_fight),
            CHECK_TEST(unreachable_goal_settles), CHECK_TEST(goals_alone_are_met_at_rest),
            CHECK_TEST(smoothness_damps_at_any_weight), CHECK_TEST(blending_takes_five_time_constants),
            CHECK_TEST(liveliness_keeps_its_place), CHECK_TEST(liveliness_follows_goals),
            CHECK_TEST(runs_repeat_to_the_bit), CHECK_TEST(solving_allocates_nothing),
            CHECK_TEST(nothing_makes_it_say_nan), CHECK_TEST(odd_ticks_are_held),
            CHECK_TEST(wrong_use_is_told), CHECK_TEST(reset_forgets), CHECK_TEST(odd_robots_are_solved))
