/* Motion period by period, from outside: limits under wild input for joints and other axes alike, reasons to
** hold and their removal, panic, arming, a restart without a jump. */
#include "motor/motion.h"

#include "base/random.h"
#include "limits.h"

enum { AXES = 5, TREE = 3 };

#define PERIOD 0.001
#define TICK 0.005

typedef struct rig {
  brio_arena arena;
  brio_motion motion;
  brio_motion_setup setup[AXES];
  watched seen[AXES];
  double worst[3];
  double values[AXES];
} rig;

static void set_up(rig *r, const brio_motion_setup *setup, const double *start) {
  brio_error err = {0};
  memset(r, 0, sizeof *r);
  brio_arena_start(&r->arena, 1 << 14);
  memcpy(r->setup, setup, sizeof r->setup);
  memcpy(r->values, start, sizeof r->values);
  CHECK(brio_motion_start(&r->motion, &r->arena, setup, AXES, TREE, start, &err), "%s", err.message);
  for (int i = 0; i < AXES; i++) {
    r->seen[i] = (watched){start[i], 0, 2};
    brio_motion_measure(&r->motion, i, start[i], NAN);
  }
  brio_motion_arm(&r->motion, true);
}

static const brio_motion_setup plain[AXES] = {{{-2, 2, 2, 10}, 0, 0},
                                              {{-2, 2, 2, 8}, 0, 0},
                                              {{-1, 1, 1, 20}, 0, 0},
                                              {{-1, 1, 8, 160}, 2, 0.03},
                                              {{0, 1, INFINITY, INFINITY}, 0, 0}};
static const double zero[AXES] = {0};

static void tear_down(rig *r) { brio_arena_end(&r->arena); }

static void step(rig *r, const char *what) {
  brio_motion_step(&r->motion, PERIOD);
  for (int i = 0; i < AXES; i++) {
    const brio_axis_limits *limits = &r->setup[i].limits;
    if (!brio_motion_tells(&r->motion, i)) r->seen[i] = (watched){0}; /* no command */
    else if (isfinite(limits->acceleration))
      watch_limits(&r->seen[i], limits, r->motion.axes[i].x, PERIOD, r->worst, what);
  }
}

/* A tick of five periods. */
static void tick(rig *r, const char *what) {
  brio_motion_put(&r->motion, r->values, NULL, TICK, r->motion.anew);
  for (int i = 0; i < 5; i++) step(r, what);
}

/* Bring all joints to speed, each in its own direction. */
static void run_up(rig *r, int ticks) {
  double speed[AXES] = {0};
  for (int k = 0; k < ticks; k++) {
    for (int i = 0; i < AXES; i++) {
      speed[i] = fmin(speed[i] + fmin(r->setup[i].limits.acceleration, 100) * TICK * 0.9, 0.8);
      r->values[i] += speed[i] * TICK;
    }
    tick(r, "run up");
  }
}

static void wild_input_keeps_every_limit(void) {
  brio_random random = brio_random_stream(5, "motion");
  int streams = (int)(2000 * check_scale());
  for (int s = 0; s < streams; s++) {
    rig r;
    set_up(&r, plain, zero);
    for (int k = 0; k < 60; k++) {
      for (int i = 0; i < AXES; i++) {
        int kind = (int)brio_random_below(&random, 12);
        if (kind == 0) r.values[i] = brio_random_uniform(&random, -5, 5);
        if (kind == 1) r.values[i] = NAN;
        if (kind == 2) r.values[i] += 0.1 * brio_random_normal(&random);
        if (kind == 3 && isnan(r.values[i])) r.values[i] = 0;
      }
      int what = (int)brio_random_below(&random, 40);
      unsigned cause = 1u << brio_random_below(&random, 4);
      if (what == 0) brio_motion_hold(&r.motion, cause);
      if (what == 1 || what == 2) brio_motion_release(&r.motion, cause);
      if (what == 3)
        brio_motion_turn_on(&r.motion, (int)brio_random_below(&random, AXES), brio_random_below(&random, 2));
      for (int i = 0; i < AXES; i++) brio_motion_measure(&r.motion, i, r.motion.axes[i].x, NAN);
      tick(&r, "wild");
    }
    tear_down(&r);
  }
}

static void held_for_every_cause(void) {
  const unsigned causes[] = {BRIO_MOTION_PERSON, BRIO_MOTION_FAULT, BRIO_MOTION_PANIC,
                             BRIO_MOTION_PERSON | BRIO_MOTION_PANIC};
  for (int c = 0; c < 4; c++) {
    rig r;
    set_up(&r, plain, zero);
    run_up(&r, 60);
    CHECK(!brio_motion_rests(&r.motion), "it moves");
    uint32_t before = r.motion.anew;
    brio_motion_hold(&r.motion, causes[c]);
    for (int k = 0; k < 100; k++) tick(&r, "held");
    CHECK(r.motion.settled && brio_motion_rests(&r.motion) && r.motion.anew != before, "cause %d: it rests",
          c);
    double at = r.motion.axes[0].x;
    for (int k = 0; k < 100; k++) tick(&r, "held");
    CHECK(r.motion.axes[0].x == at, "and stays, whatever comes");
    brio_motion_release(&r.motion, BRIO_MOTION_PERSON);
    for (int i = 0; i < AXES; i++) r.values[i] = r.motion.axes[i].x;
    for (int k = 0; k < 10; k++) tick(&r, "held");
    CHECK((r.motion.causes != 0) == (c > 0) && r.motion.axes[0].x == at,
          "cause %d is taken back by itself only", c);
    brio_motion_release(&r.motion, causes[c]);
    run_up(&r, 60);
    CHECK(r.motion.axes[0].x > at + 0.05, "goes on");
    tear_down(&r);
  }
}

/* From the hold to rest: a controlled stop is as short as the slowest joint allows, along the path. */
static void stops_in_good_time(void) {
  for (int panic = 0; panic < 2; panic++) {
    rig r;
    int periods = 0;
    set_up(&r, plain, zero);
    run_up(&r, 60);
    brio_motion_hold(&r.motion, panic ? BRIO_MOTION_PANIC : BRIO_MOTION_PERSON);
    for (; !r.motion.settled && periods < 2000; periods += 5) {
      for (int i = 0; i < AXES; i++) r.values[i] += 0.8 * TICK;
      tick(&r, "stopping");
    }
    CHECK(periods <= 130, "%s: %d ms, from 0.8 rad/s at 8 rad/s^2", panic ? "panic" : "hold", periods);
    tear_down(&r);
  }
}

static void older_poses_are_dropped(void) {
  rig r;
  double far[AXES] = {1, 1, 1, 1, 1};
  set_up(&r, plain, zero);
  uint32_t before = r.motion.anew;
  brio_motion_hold(&r.motion, BRIO_MOTION_PERSON);
  for (int k = 0; k < 5; k++) tick(&r, "held");
  brio_motion_release(&r.motion, BRIO_MOTION_PERSON);
  CHECK(!brio_motion_put(&r.motion, far, NULL, TICK, before) && r.motion.stale > 0, "worked out before");
  for (int k = 0; k < 50; k++) step(&r, "nothing");
  CHECK(r.motion.axes[0].x == 0, "it stays");
  CHECK(brio_motion_put(&r.motion, far, NULL, TICK, r.motion.anew), "a new one");
  far[1] = NAN;
  CHECK(!brio_motion_put(&r.motion, far, NULL, TICK, r.motion.anew) && r.motion.refused == 1, "none at all");
  far[1] = 7;
  brio_motion_put(&r.motion, far, NULL, TICK, r.motion.anew);
  CHECK(r.motion.clamped == 1, "beyond the limits");
  tear_down(&r);
}

static void disarmed_and_relaxed_follow_the_robot(void) {
  rig r;
  set_up(&r, plain, zero);
  brio_motion_arm(&r.motion, false);
  for (int k = 0; k < 100; k++) {
    for (int i = 0; i < AXES; i++) brio_motion_measure(&r.motion, i, 0.004 * k, NAN); /* moved by hand */
    brio_motion_put(&r.motion, zero, NULL, TICK, r.motion.anew);
    brio_motion_step(&r.motion, PERIOD);
    CHECK(!brio_motion_tells(&r.motion, 0) && r.motion.axes[0].x == 0.004 * k, "follows");
  }
  brio_motion_arm(&r.motion, true);
  for (int i = 0; i < AXES; i++) r.seen[i] = (watched){r.motion.axes[i].x, 0, 2}, r.values[i] = 0;
  tick(&r, "armed");
  CHECK(brio_motion_tells(&r.motion, 0) && fabs(r.motion.axes[0].x - 0.396) < 0.001, "no jump: %g",
        r.motion.axes[0].x);
  for (int k = 0; k < 400; k++) tick(&r, "armed");
  CHECK_NEAR(r.motion.axes[0].x, 0, 1e-9, "eases there");
  brio_motion_hold(&r.motion, BRIO_MOTION_RELAX);
  for (int k = 0; k < 40; k++) {
    for (int i = 0; i < AXES; i++) brio_motion_measure(&r.motion, i, r.motion.axes[i].x, NAN);
    tick(&r, "relaxing");
  }
  CHECK(!brio_motion_tells(&r.motion, 0), "lets go once it rests");
  for (int i = 0; i < AXES; i++) brio_motion_measure(&r.motion, i, 0.3, NAN); /* it sinks */
  brio_motion_step(&r.motion, PERIOD);
  brio_motion_release(&r.motion, BRIO_MOTION_RELAX);
  brio_motion_step(&r.motion, PERIOD);
  CHECK(brio_motion_tells(&r.motion, 0) && r.motion.axes[0].x == 0.3, "takes hold where it is");
  tear_down(&r);
}

static void an_axis_that_comes_back_begins_where_it_is(void) {
  rig r;
  set_up(&r, plain, zero);
  run_up(&r, 60);
  brio_motion_turn_on(&r.motion, 1, false);
  CHECK(!brio_motion_tells(&r.motion, 1) && brio_motion_tells(&r.motion, 0), "one is off");
  run_up(&r, 60);
  for (int i = 0; i < AXES; i++) brio_motion_measure(&r.motion, i, i == 1 ? -0.5 : r.motion.axes[i].x, NAN);
  brio_motion_turn_on(&r.motion, 1, true);
  for (int k = 0; k < 400 && r.motion.causes; k++) {
    brio_motion_step(&r.motion, PERIOD);
    for (int i = 0; i < AXES; i++) brio_motion_measure(&r.motion, i, i == 1 ? -0.5 : r.motion.axes[i].x, NAN);
  }
  CHECK(r.motion.causes == 0 && r.motion.axes[1].x == -0.5, "all stop, and it begins at %g",
        r.motion.axes[1].x);
  tear_down(&r);
}

static void interlocks_take_room(void) {
  rig r;
  brio_error err;
  set_up(&r, plain, zero);
  brio_interlock rule = {.kind = brio_interlock_find("prevent", &err),
                         .watched = 0,
                         .limited = 3,
                         .below = -INFINITY,
                         .above = 0.3,
                         .lower = -0.1,
                         .upper = 0.1,
                         .load = INFINITY};
  CHECK(brio_motion_set_rules(&r.motion, &r.arena, &rule, 1, &err), "%s", err.message);
  r.values[3] = 0.9;
  for (int k = 0; k < 100; k++) tick(&r, "room");
  CHECK_NEAR(r.motion.axes[3].x, 0.9, 1e-6, "all its room");
  r.values[0] = 0.5;
  for (int k = 0; k < 400; k++) tick(&r, "less room");
  CHECK_NEAR(r.motion.axes[3].x, 0.1, 1e-9, "less of it");
  rule.limited = 1;
  CHECK(!brio_motion_set_rules(&r.motion, &r.arena, &rule, 1, &err), "a joint of the tree");
  CHECK_HAS(err.message, "solver");
  tear_down(&r);
}

static void slow_motors_pass_several_poses_a_period(void) {
  rig r;
  double h = 0.02; /* 50 Hz under a tick of 200 Hz */
  set_up(&r, plain, zero);
  double speed = 0, worst[3] = {0};
  watched seen = {0, 0, 2};
  for (int n = 0; n < 60; n++) {
    for (int k = 0; k < 4; k++) {
      speed = fmin(speed + 9 * TICK, 0.9);
      r.values[0] += speed * TICK;
      brio_motion_put(&r.motion, r.values, NULL, TICK, r.motion.anew);
    }
    brio_motion_step(&r.motion, h);
    watch_limits(&seen, &plain[0].limits, r.motion.axes[0].x, h, worst, "slow");
    CHECK(r.values[0] - r.motion.axes[0].x < 0.9 * 3 * h, "lags by %g", r.values[0] - r.motion.axes[0].x);
  }
  tear_down(&r);
}

/* A joint's narrower range counts once its path is within it: from then on no pose leads beyond. */
static void a_joint_is_narrowed_when_it_is_there(void) {
  rig r;
  set_up(&r, plain, zero);
  for (int k = 0; k < 500; k++)
    r.values[0] = 0.5 - 0.5 * cos(fmin(k / 300.0, 1) * 3.14159265), tick(&r, "out");
  CHECK_NEAR(r.motion.axes[0].x, 1, 1e-3, "it went there");
  brio_motion_set_limits(&r.motion, 0, &(brio_axis_limits){-2, 0.5, 2, 10});
  for (int k = 0; k < 40; k++) tick(&r, "waits");
  CHECK_NEAR(r.motion.axes[0].x, 1, 1e-3, "it is not thrown there");
  for (int k = 0; k < 500; k++)
    r.values[0] = 0.7 + 0.3 * cos(fmin(k / 300.0, 1) * 3.14159265), tick(&r, "in");
  CHECK_NEAR(r.motion.axes[0].x, 0.4, 1e-3, "the solver leads it in");
  double most = 0;
  for (int k = 0; k < 500; k++) {
    r.values[0] = 0.7 - 0.3 * cos(fmin(k / 300.0, 1) * 3.14159265);
    tick(&r, "out again");
    most = fmax(most, r.motion.axes[0].x);
  }
  CHECK(most <= 0.5 + 1e-9, "it went to %g", most);
  brio_motion_set_limits(&r.motion, 0, &(brio_axis_limits){-2, 2, 2, 10});
  for (int k = 0; k < 500; k++) tick(&r, "wider");
  CHECK_NEAR(r.motion.axes[0].x, 1, 1e-3, "a wider range counts at once");
  tear_down(&r);
}

/* Couplings that share an axis form a group: all of its motors get a command, or none. */
static void rings_that_share_an_axis_are_one(void) {
  static const int pairs[][2] = {{0, 1}, {3, 4}, {1, 3}, {4, 0}};
  for (int off = 0; off < AXES; off++) {
    rig r;
    set_up(&r, plain, zero);
    for (int k = 0; k < 4; k++) brio_motion_tie(&r.motion, pairs[k], 2);
    brio_motion_turn_on(&r.motion, off, false);
    for (int i = 0; i < AXES; i++) {
      bool alone = (off == 2) != (i == 2);
      CHECK(brio_motion_tells(&r.motion, i) == (alone && i != off), "axis %d, %d being off", i, off);
    }
    tear_down(&r);
  }
}

CHECK_SUITE(CHECK_TEST(rings_that_share_an_axis_are_one), CHECK_TEST(a_joint_is_narrowed_when_it_is_there),
            CHECK_TEST(wild_input_keeps_every_limit), CHECK_TEST(held_for_every_cause),
            CHECK_TEST(stops_in_good_time), CHECK_TEST(older_poses_are_dropped),
            CHECK_TEST(disarmed_and_relaxed_follow_the_robot),
            CHECK_TEST(an_axis_that_comes_back_begins_where_it_is), CHECK_TEST(interlocks_take_room),
            CHECK_TEST(slow_motors_pass_several_poses_a_period))
