/* The path of the joints: limits under any stream of poses, the poses themselves where they keep
** the limits, one path for all joints together whatever its pace, and stops that stay on it. */
#include "motor/path.h"

#include "base/random.h"
#include "limits.h"

enum { JOINTS = 4 };

#define TICK 0.005
#define PERIOD 0.001

typedef struct rig {
  brio_arena arena;
  brio_path path;
  brio_guard limits[JOINTS];
  watched seen[JOINTS];
  double worst[3];
  int count;
} rig;

static void set_up(rig *r, const brio_guard *limits, int count, const double *x) {
  memset(r, 0, sizeof *r);
  brio_arena_start(&r->arena, 1 << 14);
  memcpy(r->limits, limits, (size_t)count * sizeof *limits);
  r->count = count;
  CHECK(brio_path_start(&r->path, &r->arena, r->limits, count), "memory");
  brio_path_place(&r->path, x);
  for (int j = 0; j < count; j++) r->seen[j] = (watched){x[j], 0, 2};
}

static void tear_down(rig *r) { brio_arena_end(&r->arena); }

static void step(rig *r, double h, double scale, const char *what) {
  brio_path_step(&r->path, h, scale);
  for (int j = 0; j < r->count; j++) watch_limits(&r->seen[j], &r->limits[j], r->path.x[j], h, r->worst, what);
}

static void random_limits(brio_random *random, brio_guard *limits, double *start, int count) {
  for (int j = 0; j < count; j++) {
    double lower = brio_random_uniform(random, -3, 0.5), upper = lower + brio_random_uniform(random, 0.01, 4);
    limits[j] = (brio_guard){lower, upper, brio_random_uniform(random, 0.1, 8), brio_random_uniform(random, 0.5, 200)};
    start[j] = brio_random_uniform(random, lower, upper);
  }
}

/* What a wild sender puts in one tick: a jump, noise, nothing, NaN, a burst, the same again. */
static void wild_tick(rig *r, brio_random *random, double *pose) {
  double ticks = (double)(1 + brio_random_below(random, 3) * brio_random_below(random, 8));
  int kind = (int)brio_random_below(random, 8), again = 1;
  for (int j = 0; j < r->count; j++) {
    if (kind == 0) pose[j] = brio_random_uniform(random, -6, 6);
    if (kind == 1) pose[j] += 0.02 * brio_random_normal(random);
    if (kind == 2) pose[j] = NAN;
    if (kind == 3) pose[j] = brio_random_uniform(random, -1e12, 1e12);
    if (kind >= 6) pose[j] += 0.01;
    if (kind != 2 && !isfinite(pose[j])) pose[j] = 0;
  }
  if (kind == 4) again = 12;
  if (kind == 5) return; /* silence */
  for (int i = 0; i < again; i++) brio_path_put(&r->path, pose, kind == 3 ? TICK : ticks * TICK);
}

static void wild_streams_keep_every_limit(void) {
  brio_random random = brio_random_stream(1, "wild");
  int streams = (int)(100000 * fmax(1, 0.2 * check_scale()));
  double worst[3] = {-1, 0, 0}, scale = 1;
  int64_t stretched = 0, braked = 0;
  for (int s = 0; s < streams; s++) {
    rig r;
    brio_guard limits[JOINTS];
    double start[JOINTS], pose[JOINTS];
    int count = 1 + (int)brio_random_below(&random, JOINTS);
    double h = brio_random_below(&random, 4) ? PERIOD : TICK / 2;
    random_limits(&random, limits, start, count);
    set_up(&r, limits, count, start);
    memcpy(pose, start, sizeof pose);
    for (int tick = 0; tick < 24; tick++) {
      wild_tick(&r, &random, pose);
      if (brio_random_below(&random, 10) == 0) scale = brio_random_below(&random, 2);
      if (brio_random_below(&random, 60) == 0) brio_path_cut(&r.path);
      for (int i = 0; i < (int)lround(TICK / h); i++) step(&r, h, scale, "wild");
    }
    for (int i = 0; i < 3; i++) worst[i] = fmax(worst[i], r.worst[i]);
    stretched += r.path.stretched;
    braked += r.path.braked;
    tear_down(&r);
  }
  CHECK(stretched > streams / 2 && braked > streams, "wild enough: %d %d", (int)stretched, (int)braked);
  printf("# %d streams: beyond a range by %.1e at most, speed %.9f and acceleration %.9f of their limits\n", streams,
         worst[0], worst[1], worst[2]);
}

/* One tick of a sender that keeps the limits, as the solver does. */
static void feasible_pose(const rig *r, brio_random *random, double *pose, double *speed, double dt) {
  for (int j = 0; j < r->count; j++) {
    const brio_guard *g = &r->limits[j];
    double a = g->acceleration * dt, room;
    double wanted = speed[j] + a * brio_random_uniform(random, -2, 2);
    if (brio_random_below(random, 3) == 0) wanted = brio_random_uniform(random, -1, 1) * 2 * g->velocity;
    wanted = fmin(fmax(wanted, -g->velocity), g->velocity);
    wanted = fmin(fmax(wanted, speed[j] - a), speed[j] + a);
    room = g->upper - pose[j];
    wanted = fmin(wanted, fmax(speed[j] - a, sqrt(a * a + 2 * g->acceleration * fmax(room, 0)) - a));
    room = pose[j] - g->lower;
    wanted = fmax(wanted, fmin(speed[j] + a, a - sqrt(a * a + 2 * g->acceleration * fmax(room, 0))));
    pose[j] += wanted * dt;
    speed[j] = wanted;
  }
}

static void what_keeps_the_limits_is_followed(void) {
  brio_random random = brio_random_stream(2, "feasible");
  for (int s = 0; s < 400; s++) {
    rig r;
    brio_guard limits[JOINTS];
    double start[JOINTS], poses[3][JOINTS], speed[JOINTS] = {0};
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    for (int i = 0; i < 3; i++) memcpy(poses[i], start, sizeof start);
    for (int tick = 0; tick < 300; tick++) {
      memcpy(poses[0], poses[1], sizeof start);
      memcpy(poses[1], poses[2], sizeof start);
      feasible_pose(&r, &random, poses[2], speed, TICK);
      CHECK(brio_path_put(&r.path, poses[2], TICK), "refused");
      for (int i = 0; i < 5; i++) step(&r, PERIOD, 1, "feasible");
      for (int j = 0; j < JOINTS; j++)
        CHECK_NEAR(r.path.x[j], 0.5 * (poses[1][j] + poses[2][j]), 1e-9, "stream %d tick %d: the midpoint", s, tick);
    }
    CHECK(r.path.braked == 0 && r.path.stretched == 0 && r.path.dropped == 0, "stream %d: braked %d, stretched %d", s,
          (int)r.path.braked, (int)r.path.stretched);
    for (int i = 0; i < 3; i++) { /* the last pose holds, once it has been braked to */
      for (int n = 0; n < 4000 && !brio_path_rests(&r.path); n++) {
        if (n % 5 == 0) {
          double a = 0;
          for (int j = 0; j < JOINTS; j++) {
            a = limits[j].acceleration * TICK;
            speed[j] = fabs(speed[j]) <= a ? 0 : speed[j] - copysign(a, speed[j]);
            poses[2][j] += speed[j] * TICK;
          }
          brio_path_put(&r.path, poses[2], TICK);
        }
        step(&r, PERIOD, 1, "braking");
      }
    }
    for (int j = 0; j < JOINTS; j++) CHECK_NEAR(r.path.x[j], poses[2][j], 1e-9, "rests at the last pose");
    tear_down(&r);
  }
}

/* A motor side that is slower than the tick gets several poses at once: they are followed as well. */
static void several_at_once_are_followed(void) {
  brio_random random = brio_random_stream(7, "several");
  for (int s = 0; s < 200; s++) {
    rig r;
    brio_guard limits[JOINTS];
    double start[JOINTS], poses[4][JOINTS], speed[JOINTS] = {0}, worst = 0;
    int at_once = 2 + s % 19;
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    for (int i = 0; i < 4; i++) memcpy(poses[i], start, sizeof start);
    for (int tick = 1; tick <= 20 * at_once; tick++) {
      for (int i = 0; i < 3; i++) memcpy(poses[i], poses[i + 1], sizeof start);
      feasible_pose(&r, &random, poses[3], speed, TICK);
      brio_path_put(&r.path, poses[3], TICK);
      if (tick % at_once != 0) continue;
      brio_path_expect(&r.path, at_once * TICK);
      for (int i = 0; i < 2 * at_once; i++) step(&r, 0.5 * TICK, 1, "several");
      for (int j = 0; j < JOINTS; j++) worst = fmax(worst, fabs(r.path.x[j] - 0.5 * (poses[2][j] + poses[3][j])));
    }
    CHECK(worst < 1e-9 && r.path.tracked + r.path.braked + r.path.dropped + r.path.stretched == 0,
          "%d at once: %g off; tracked %d, braked %d, dropped %d", at_once, worst, (int)r.path.tracked, (int)r.path.braked, (int)r.path.dropped);
    tear_down(&r);
  }
}

/* A curved path of two joints: an arc.  However its pace changes, the joints are on the same curve. */
static void stops_stay_on_the_path(void) {
  const brio_guard limits[2] = {{-2, 2, 3, 12}, {-2, 2, 3, 12}};
  brio_random random = brio_random_stream(3, "stops");
  for (int s = 0; s < 200; s++) {
    rig r;
    double start[2] = {1, 0}, scale = 1, angle = 0, speed = 0, off = 0;
    bool rested = false;
    set_up(&r, limits, 2, start);
    int stop_at = 100 + (int)brio_random_below(&random, 400);
    for (int n = 0; n < 1500 && !rested; n++) {
      if (n % 5 == 0) {
        speed = fmin(speed + 6 * TICK, 2);
        angle += speed * TICK;
        double pose[2] = {cos(angle), sin(angle)};
        brio_path_put(&r.path, pose, TICK);
      }
      if (n == stop_at) scale = 0;
      step(&r, PERIOD, scale, "arc");
      off = fmax(off, fabs(hypot(r.path.x[0], r.path.x[1]) - 1));
      if (scale == 0 && brio_path_rests(&r.path)) rested = true;
    }
    CHECK(rested, "stream %d stops", s);
    CHECK(off < 1e-4, "off the arc by %g", off); /* a spline's sagitta: (speed TICK)^2 / 8 */
    CHECK(r.path.braked == 0, "no joint braked alone");
    tear_down(&r);
  }
}

/* Silence: each joint stops as quickly as it may, within its limits, and stays. */
static void silence_brakes_and_holds(void) {
  const brio_guard limits[2] = {{-2, 2, 2, 10}, {-2, 2, 2, 5}};
  rig r;
  double start[2] = {0, 0}, pose[2] = {0, 0}, speed = 0;
  set_up(&r, limits, 2, start);
  for (int n = 0; n < 2000; n++) {
    if (n % 5 == 0 && n < 500) {
      speed = fmin(speed + 5 * TICK, 1);
      pose[0] += speed * TICK;
      pose[1] -= speed * TICK;
      brio_path_put(&r.path, pose, TICK);
    }
    step(&r, PERIOD, 1, "silence");
    if (n == 650) CHECK(r.path.v[0] == 0 && r.path.v[1] != 0, "the one stops before the other");
  }
  CHECK(brio_path_rests(&r.path) && r.path.adrift, "rests");
  CHECK_NEAR(r.path.x[0] - pose[0], 0.05, 0.006, "v^2 / 2a");
  CHECK_NEAR(pose[1] - r.path.x[1], 0.1, 0.006, "v^2 / 2a");
  pose[0] = 1; /* and back: no jump, then there */
  for (int n = 0; n < 4000; n++) {
    if (n % 5 == 0) brio_path_put(&r.path, pose, TICK);
    step(&r, PERIOD, 1, "again");
  }
  CHECK_NEAR(r.path.x[0], 1, 1e-9, "arrives");
  CHECK_NEAR(r.path.x[1], pose[1], 1e-9, "arrives");
  tear_down(&r);
}

/* A jump from rest becomes a straight line, for all joints together. */
static void jumps_are_straight(void) {
  const brio_guard limits[2] = {{-2, 2, 2, 10}, {-2, 2, 1, 5}};
  rig r;
  double start[2] = {-1, 1}, pose[2] = {1.5, 0.5};
  int arrived = 0;
  set_up(&r, limits, 2, start);
  for (int n = 0; n < 4000; n++) {
    if (n % 5 == 0) brio_path_put(&r.path, pose, TICK);
    step(&r, PERIOD, 1, "jump");
    double share = (r.path.x[0] + 1) / 2.5;
    CHECK_NEAR(r.path.x[1], 1 - 0.5 * share, 1e-7, "step %d: on the line", n);
    if (!arrived && fabs(r.path.x[0] - 1.5) < 1e-3) arrived = n;
  }
  CHECK(arrived > 1000 && arrived < 2800, "in %d ms: at least %g ms", arrived, 1e3 * (2.5 / 2));
  CHECK_NEAR(r.path.x[0], 1.5, 1e-9, "arrives");
  tear_down(&r);
}

/* Poses that come late by part of a tick cost a little lag, no jerk beyond the limits. */
static void jitter_is_smooth(void) {
  const brio_guard limits[1] = {{-1e9, 1e9, 2, 10}};
  brio_random random = brio_random_stream(4, "jitter");
  rig r;
  double start[1] = {0}, pose[1] = {0}, speed = 0, due[4000], worst_lag = 0;
  int sent = 0;
  set_up(&r, limits, 1, start);
  for (int k = 0; k < 4000; k++) due[k] = k * TICK + (brio_random_below(&random, 20) == 0 ? brio_random_uniform(&random, 0, 0.004) : 0);
  for (int n = 0; n < 15000; n++) {
    while (sent < 4000 && due[sent] <= n * PERIOD + 1e-9) {
      speed = fmin(speed + 8 * TICK, 1.5);
      pose[0] += speed * TICK;
      brio_path_put(&r.path, pose, TICK);
      sent++;
    }
    step(&r, PERIOD, 1, "jitter");
    if (n > 1000) worst_lag = fmax(worst_lag, (pose[0] - r.path.x[0]) / 1.5);
  }
  CHECK(worst_lag < 3.2 * TICK, "lags by %g s", worst_lag);
  CHECK(r.path.dropped <= 10, "%d were overtaken", (int)r.path.dropped);
  printf("# lag behind the newest pose at most %.1f ms, braked in %d of 15000 steps\n", 1e3 * worst_lag, (int)r.path.braked);
  tear_down(&r);
}

/* Many joints, some of them accelerating as hard as they may, and a sender with jitter: after each late pose they
** are soon back on the path through the poses, all together. */
static void late_poses_are_rejoined(void) {
  enum { MANY = 12 };
  brio_guard limits[MANY];
  brio_arena arena;
  brio_path path;
  brio_random random = brio_random_stream(6, "late");
  double start[MANY] = {0}, pose[MANY] = {0}, speed[MANY] = {0}, worst = 0;
  watched seen[MANY];
  int sent = 0, off = 0, steps = 60000;
  double worsts[3] = {0}, due = 0;
  for (int j = 0; j < MANY; j++) limits[j] = (brio_guard){-1e9, 1e9, 2, 4 + j}, seen[j] = (watched){0, 0, 2};
  brio_arena_start(&arena, 1 << 14);
  CHECK(brio_path_start(&path, &arena, limits, MANY), "memory");
  brio_path_place(&path, start);
  for (int n = 0; n < steps; n++) {
    for (; due <= n * PERIOD; sent++) {
      for (int j = 0; j < MANY; j++) {
        double wanted = (sent / 160 + j) % 5 == 0 ? 1 : (sent / 160 + j) % 5 == 3 ? -0.6 : 0.2 * sin(0.01 * sent + j);
        speed[j] += fmin(fmax(wanted - speed[j], -limits[j].acceleration * TICK), limits[j].acceleration * TICK);
        pose[j] += speed[j] * TICK;
      }
      brio_path_put(&path, pose, TICK);
      due = (sent + 1) * TICK + (brio_random_below(&random, 100) == 0 ? brio_random_uniform(&random, 0.0005, 0.004) : 0.0001);
    }
    brio_path_step(&path, PERIOD, 1);
    off += path.adrift;
    for (int j = 0; j < MANY; j++) {
      watch_limits(&seen[j], &limits[j], path.x[j], PERIOD, worsts, "late");
      worst = fmax(worst, fabs(pose[j] - path.x[j]));
    }
  }
  printf("# %d late poses: off the path for %.2f %% of the time, at most %g rad behind, %d dropped\n", sent / 100, 100.0 * off / steps,
         worst, (int)path.dropped);
  CHECK(off < steps / 20, "off the path in %d of %d steps", off, steps);
  CHECK(worst < 1.2 * 8 * TICK, "behind by %g", worst);
  brio_arena_end(&arena);
}

/* A sender that is at its limits nearly all the time and breaks them by a little, as rounding does: with nothing
** left to catch up with, joints still do not fall behind. */
static void rounded_poses_are_followed(void) {
  brio_random random = brio_random_stream(7, "rounded");
  for (int s = 0; s < 40; s++) {
    rig r;
    brio_guard limits[JOINTS];
    double start[JOINTS], pose[JOINTS], rounded[JOINTS], speed[JOINTS] = {0}, worst = 0;
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    memcpy(pose, start, sizeof pose);
    for (int tick = 0; tick < 1000; tick++) {
      feasible_pose(&r, &random, pose, speed, TICK);
      for (int j = 0; j < JOINTS; j++) rounded[j] = round(pose[j] * 1e6) * 1e-6;
      brio_path_put(&r.path, rounded, TICK);
      for (int i = 0; i < 5; i++) step(&r, PERIOD, 1, "rounded");
      for (int j = 0; j < JOINTS; j++) worst = fmax(worst, fabs(r.path.x[j] - pose[j]) / limits[j].velocity);
    }
    CHECK(worst < 0.3 && r.path.braked == 0, "stream %d: behind by %g s of its greatest speed, %d dropped, %d braked", s, worst,
          (int)r.path.dropped, (int)r.path.braked);
    tear_down(&r);
  }
}

/* A sender whose clock is off: the path takes on its pace, never goes back, and does not fall behind. */
static void another_clock_is_followed(void) {
  const double clocks[] = {0.93, 0.97, 1, 1.03, 1.07, 1.5, 3};
  for (int c = 0; c < 7; c++) {
    const brio_guard limits[2] = {{-1e9, 1e9, 2, 10}, {-1e9, 1e9, 2, 8}};
    rig r;
    double start[2] = {0, 0}, pose[2] = {0, 0}, speed = 0, last = 0, lag = 0, slowest = INFINITY;
    int sent = 0;
    set_up(&r, limits, 2, start);
    for (int n = 0; n < 8000; n++) {
      for (; sent * TICK * clocks[c] <= n * PERIOD; sent++) {
        speed = fmin(speed + 7 * TICK, 0.5);
        pose[0] += speed * TICK;
        pose[1] -= speed * TICK;
        brio_path_put(&r.path, pose, TICK);
      }
      step(&r, PERIOD, 1, "clock");
      /* at a third of its pace the joints are past a pose before the next one comes */
      CHECK(r.path.x[0] >= last - (clocks[c] > 2 ? 1e-3 : 1e-12), "clock %g: step %d goes back, from %g to %g", clocks[c], n, last, r.path.x[0]);
      last = r.path.x[0];
      if (n > 2000) lag = fmax(lag, fabs(pose[0] - last)), slowest = fmin(slowest, r.path.v[0]);
    }
    double expected = 0.5 / clocks[c];
    CHECK(lag < 0.5 * 10 * TICK, "clock %g: off by %g", clocks[c], lag);
    CHECK(clocks[c] > 1.1 || slowest > 0.8 * expected, "clock %g: as slow as %g of %g", clocks[c], slowest, expected);
    tear_down(&r);
  }
}

static void outside_its_limits_at_the_start(void) {
  const brio_guard limits[1] = {{-1, 1, 2, 10}};
  rig r;
  double start[1] = {1.4}, pose[1] = {0.5}, last = 1.4;
  set_up(&r, limits, 1, start);
  for (int n = 0; n < 3000; n++) {
    if (n % 5 == 0) brio_path_put(&r.path, pose, TICK);
    brio_path_step(&r.path, PERIOD, 1);
    CHECK(r.path.x[0] <= last + 1e-12 && last - r.path.x[0] < 2.1e-3, "moves inwards only, without a jump");
    last = r.path.x[0];
  }
  CHECK_NEAR(last, 0.5, 1e-9, "arrives");
  tear_down(&r);
}

static void no_limits_no_joints(void) {
  const brio_guard limits[1] = {{-INFINITY, INFINITY, INFINITY, INFINITY}};
  rig r;
  double start[1] = {0}, pose[1] = {7};
  set_up(&r, limits, 1, start);
  brio_path_put(&r.path, pose, TICK);
  brio_path_put(&r.path, pose, TICK);
  for (int n = 0; n < 20; n++) brio_path_step(&r.path, PERIOD, 1);
  CHECK_NEAR(r.path.x[0], 7, 1e-12, "arrives");
  CHECK(!brio_path_put(&r.path, pose, 0) && !brio_path_put(&r.path, pose, NAN) && !brio_path_put(&r.path, pose, -1), "no time");
  tear_down(&r);
  set_up(&r, limits, 0, start);
  brio_path_put(&r.path, pose, TICK);
  for (int n = 0; n < 20; n++) brio_path_step(&r.path, PERIOD, n % 2);
  CHECK(brio_path_rests(&r.path), "nothing moves");
  tear_down(&r);
}

CHECK_MAIN(CHECK_TEST(wild_streams_keep_every_limit), CHECK_TEST(what_keeps_the_limits_is_followed), CHECK_TEST(several_at_once_are_followed),
           CHECK_TEST(stops_stay_on_the_path), CHECK_TEST(silence_brakes_and_holds), CHECK_TEST(jumps_are_straight),
           CHECK_TEST(jitter_is_smooth), CHECK_TEST(late_poses_are_rejoined), CHECK_TEST(rounded_poses_are_followed), CHECK_TEST(another_clock_is_followed), CHECK_TEST(outside_its_limits_at_the_start), CHECK_TEST(no_limits_no_joints))
