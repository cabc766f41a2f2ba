/* The path of the joints: limits under any stream of poses, the poses themselves where they keep the limits,
** one path for all joints together at any pace, and stops that stay on it. */
#include "motor/path.h"

#include "base/random.h"
#include "curve.h"
#include "limits.h"

enum { JOINTS = 4 };

#define TICK 0.005
#define PERIOD 0.001

typedef struct rig {
  brio_arena arena;
  brio_path path;
  brio_axis_limits limits[JOINTS];
  watched seen[JOINTS];
  double worst[3];
  int count;
} rig;

static void set_up(rig *r, const brio_axis_limits *limits, int count, const double *x) {
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
  for (int j = 0; j < r->count; j++)
    watch_limits(&r->seen[j], &r->limits[j], r->path.x[j], h, r->worst, what);
}

static void random_limits(brio_random *random, brio_axis_limits *limits, double *start, int count) {
  for (int j = 0; j < count; j++) {
    double lower = brio_random_uniform(random, -3, 0.5), upper = lower + brio_random_uniform(random, 0.01, 4);
    limits[j] = (brio_axis_limits){lower, upper, brio_random_uniform(random, 0.1, 8),
                                  brio_random_uniform(random, 0.5, 200)};
    start[j] = brio_random_uniform(random, lower, upper);
  }
}

/* A wild sender's output in one tick: a jump, noise, nothing, NaN, a burst, a repetition. */
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
  for (int i = 0; i < again; i++) brio_path_put(&r->path, pose, kind == 3 ? TICK : ticks * TICK, NULL);
}

static void wild_streams_keep_every_limit(void) {
  brio_random random = brio_random_stream(1, "wild");
  int streams = (int)(20000 * check_scale()); /* a sample; a million under make soak */
  double worst[3] = {-1, 0, 0}, scale = 1;
  int64_t stretched = 0, braked = 0, tracked = 0;
  for (int s = 0; s < streams; s++) {
    rig r;
    brio_axis_limits limits[JOINTS];
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
    tracked += r.path.tracked;
    tear_down(&r);
  }
  CHECK(stretched > streams / 2 && braked > streams / 4 && tracked == 0, "wild enough: %d %d", (int)stretched,
        (int)braked);
  printf("# %d streams: beyond a range by %.1e at most, speed %.9f and acceleration %.9f of their limits\n",
         streams, worst[0], worst[1], worst[2]);
}

/* One tick of a sender that keeps the limits, as the solver does. */
static void feasible_pose(const rig *r, brio_random *random, double *pose, double *speed, double dt) {
  for (int j = 0; j < r->count; j++) {
    const brio_axis_limits *g = &r->limits[j];
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
    brio_axis_limits limits[JOINTS];
    double start[JOINTS], poses[3][JOINTS], speed[JOINTS] = {0};
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    for (int i = 0; i < 3; i++) memcpy(poses[i], start, sizeof start);
    for (int tick = 0; tick < 300; tick++) {
      memcpy(poses[0], poses[1], sizeof start);
      memcpy(poses[1], poses[2], sizeof start);
      feasible_pose(&r, &random, poses[2], speed, TICK);
      CHECK(brio_path_put(&r.path, poses[2], TICK, NULL), "refused");
      for (int i = 0; i < 5; i++) step(&r, PERIOD, 1, "feasible");
      for (int j = 0; j < JOINTS; j++)
        CHECK_NEAR(r.path.x[j], 0.5 * (poses[1][j] + poses[2][j]), 1e-9, "stream %d tick %d: the midpoint", s,
                   tick);
    }
    CHECK(r.path.braked == 0 && r.path.stretched == 0 && r.path.dropped == 0,
          "stream %d: braked %d, stretched %d", s, (int)r.path.braked, (int)r.path.stretched);
    for (int i = 0; i < 3; i++) { /* the last pose holds, once it has been braked to */
      for (int n = 0; n < 4000 && !brio_path_rests(&r.path); n++) {
        if (n % 5 == 0) {
          double a = 0;
          for (int j = 0; j < JOINTS; j++) {
            a = limits[j].acceleration * TICK;
            speed[j] = fabs(speed[j]) <= a ? 0 : speed[j] - copysign(a, speed[j]);
            poses[2][j] += speed[j] * TICK;
          }
          brio_path_put(&r.path, poses[2], TICK, NULL);
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
    brio_axis_limits limits[JOINTS];
    double start[JOINTS], poses[4][JOINTS], speed[JOINTS] = {0}, worst = 0;
    int at_once = 2 + s % 19;
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    for (int i = 0; i < 4; i++) memcpy(poses[i], start, sizeof start);
    for (int tick = 1; tick <= 20 * at_once; tick++) {
      for (int i = 0; i < 3; i++) memcpy(poses[i], poses[i + 1], sizeof start);
      feasible_pose(&r, &random, poses[3], speed, TICK);
      brio_path_put(&r.path, poses[3], TICK, NULL);
      if (tick % at_once != 0) continue;
      for (int i = 0; i < 2 * at_once; i++) step(&r, 0.5 * TICK, 1, "several");
      for (int j = 0; j < JOINTS; j++)
        worst = fmax(worst, fabs(r.path.x[j] - 0.5 * (poses[2][j] + poses[3][j])));
    }
    CHECK(worst < 1e-9 && r.path.tracked + r.path.braked + r.path.dropped + r.path.stretched == 0,
          "%d at once: %g off; tracked %d, braked %d, dropped %d", at_once, worst, (int)r.path.tracked,
          (int)r.path.braked, (int)r.path.dropped);
    tear_down(&r);
  }
}

/* A curved path of two joints: an arc.  However its pace changes, the joints are on the same curve. */
static void stops_stay_on_the_path(void) {
  const brio_axis_limits limits[2] = {{-2, 2, 3, 12}, {-2, 2, 3, 12}};
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
        brio_path_put(&r.path, pose, TICK, NULL);
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

/* Silence: each joint stops as quickly as its limits allow, and stays. */
static void silence_brakes_and_holds(void) {
  const brio_axis_limits limits[2] = {{-2, 2, 2, 10}, {-2, 2, 2, 5}};
  rig r;
  double start[2] = {0, 0}, pose[2] = {0, 0}, speed = 0;
  set_up(&r, limits, 2, start);
  for (int n = 0; n < 2000; n++) {
    if (n % 5 == 0 && n < 500) {
      speed = fmin(speed + 5 * TICK, 1);
      pose[0] += speed * TICK;
      pose[1] -= speed * TICK;
      brio_path_put(&r.path, pose, TICK, NULL);
    }
    step(&r, PERIOD, 1, "silence");
    if (n == 650) CHECK(r.path.v[0] == 0 && r.path.v[1] != 0, "the one stops before the other");
  }
  CHECK(brio_path_rests(&r.path) && !r.path.off, "rests");
  CHECK_NEAR(r.path.x[0] - pose[0], 0.05, 0.006, "v^2 / 2a");
  CHECK_NEAR(pose[1] - r.path.x[1], 0.1, 0.006, "v^2 / 2a");
  pose[0] = 1; /* and back: no jump, then there */
  for (int n = 0; n < 4000; n++) {
    if (n % 5 == 0) brio_path_put(&r.path, pose, TICK, NULL);
    step(&r, PERIOD, 1, "again");
  }
  CHECK_NEAR(r.path.x[0], 1, 1e-9, "arrives");
  CHECK_NEAR(r.path.x[1], pose[1], 1e-9, "arrives");
  tear_down(&r);
}

/* A jump from rest becomes a straight line, for all joints together. */
static void jumps_are_straight(void) {
  const brio_axis_limits limits[2] = {{-2, 2, 2, 10}, {-2, 2, 1, 5}};
  rig r;
  double start[2] = {-1, 1}, pose[2] = {1.5, 0.5};
  int arrived = 0;
  set_up(&r, limits, 2, start);
  for (int n = 0; n < 4000; n++) {
    if (n % 5 == 0) brio_path_put(&r.path, pose, TICK, NULL);
    step(&r, PERIOD, 1, "jump");
    double share = (r.path.x[0] + 1) / 2.5;
    CHECK_NEAR(r.path.x[1], 1 - 0.5 * share, 1e-7, "step %d: on the line", n);
    if (!arrived && fabs(r.path.x[0] - 1.5) < 1e-3) arrived = n;
  }
  CHECK(arrived > 1000 && arrived < 2800, "in %d ms: at least %g ms", arrived, 1e3 * (2.5 / 2));
  CHECK_NEAR(r.path.x[0], 1.5, 1e-9, "arrives");
  tear_down(&r);
}

/* ---- poses that come late ---- */

/* A sender that keeps the limits, and goes on from where the path ends when that is not
** where its poses did. */
typedef struct sender {
  rig *r;
  brio_random *random;
  double pose[JOINTS], speed[JOINTS];
  uint32_t breaks;
  int64_t braked;
  curve *way;
} sender;

static void note_braking(sender *s) {
  for (; s->braked < s->r->path.braked; s->braked++) curve_brake(s->way, s->r->limits, TICK);
}

static void send(sender *s) {
  note_braking(s);
  if (s->breaks != s->r->path.breaks) { /* it looks first */
    const double *last, *before, dt = brio_path_ends(&s->r->path, &last, &before);
    s->breaks = s->r->path.breaks;
    for (int j = 0; j < JOINTS; j++)
      s->pose[j] = last[j], s->speed[j] = dt > 0 ? (last[j] - before[j]) / dt : 0;
  }
  feasible_pose(s->r, s->random, s->pose, s->speed, TICK);
  if (brio_path_put(&s->r->path, s->pose, TICK, NULL)) curve_add(s->way, s->pose, TICK);
  else CHECK(s->r->path.used + 3 > BRIO_PATH_QUEUE, "refused");
}

static void begin(sender *s, rig *r, brio_random *random, curve *way) {
  *s = (sender){.r = r, .random = random, .breaks = r->path.breaks, .braked = r->path.braked, .way = way};
  memcpy(s->pose, r->path.x, sizeof s->pose);
  curve_begin(way, JOINTS, s->pose, TICK);
}

/* However long a stall delays the sender, and whoever holds the robot meanwhile: the joints are on the curve
** through the poses, all together, and within their limits. */
static void late_poses_leave_the_path_nowhere(void) {
  static curve way;
  brio_random random = brio_random_stream(6, "late");
  double worst = 0, slow = 0;
  int64_t braked = 0, stalls = 0, ticks = 0;
  for (int k = 0; k < (int)(check_scale() > 1 ? 40 * check_scale() : 20); k++) {
    rig r;
    brio_axis_limits limits[JOINTS];
    double start[JOINTS], due = 0, scale = 1;
    sender s;
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    begin(&s, &r, &random, &way);
    if (k % 2) brio_path_pad(&r.path, 0.002);
    int often = 2 + (int)brio_random_below(&random, 60), longest = 1 + (int)brio_random_below(&random, 120);
    for (int n = 0; n < 1500; n++) {
      for (; due <= n * PERIOD + 1e-9; ticks++) {
        send(&s);
        bool stall = brio_random_below(&random, (uint32_t)often) == 0;
        due += TICK + (stall ? brio_random_uniform(&random, 0, 0.001 * longest) : 0);
        stalls += stall;
      }
      if (brio_random_below(&random, 200) == 0)
        scale = k % 3 && scale == 1 ? brio_random_below(&random, 2) : 1;
      step(&r, PERIOD, scale, "late");
      note_braking(&s);
      slow += r.path.scale < 1;
      worst = fmax(worst, curve_off(&way, r.path.x, PERIOD));
      if (check_failures > 0) break;
    }
    CHECK(worst < 1e-9, "stream %d: off the path by %g", k, worst);
    CHECK(r.path.tracked == 0 && r.path.stretched == 0, "stream %d: %d off the path", k, (int)r.path.tracked);
    braked += r.path.braked;
    tear_down(&r);
    if (check_failures > 0) return;
  }
  printf("# %d stalls in %d poses: %d ticks of braking put in, slower in %.0f periods, off the path by %.1e "
         "at most\n",
         (int)stalls, (int)ticks, (int)braked, slow, worst);
  CHECK(braked > stalls && slow > 0, "it stalled, and was held");
}

/* A sender that is late by more than a tick once has room from then on: lateness by less
** costs nothing any more. */
static void one_break_makes_room(void) {
  static curve way;
  brio_random random = brio_random_stream(4, "jitter");
  for (int k = 0; k < 40; k++) {
    rig r;
    brio_axis_limits limits[JOINTS];
    double start[JOINTS], due[1000];
    sender s;
    int sent = 0;
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    begin(&s, &r, &random, &way);
    for (int i = 0; i < 1000; i++)
      due[i] = i * TICK + (i == 200 ? 0.006 : i > 210 ? brio_random_uniform(&random, 0, 0.004) : 0);
    for (int n = 0; n < 5000; n++) {
      while (sent < 1000 && due[sent] <= n * PERIOD + 1e-9) send(&s), sent++;
      step(&r, PERIOD, 1, "jitter");
    }
    CHECK(r.path.braked <= 8, "stream %d: braked %d ticks", k, (int)r.path.braked);
    CHECK(r.path.spare > 0.3 * TICK && r.path.windows > 10, "stream %d: spare %g", k, r.path.spare);
    tear_down(&r);
  }
}

/* Poses that break the limits by a little, as rounding does, are refused and braked from:
** no limit is broken. */
static void rounded_poses_keep_the_limits(void) {
  brio_random random = brio_random_stream(7, "rounded");
  for (int k = 0; k < 40; k++) {
    rig r;
    brio_axis_limits limits[JOINTS];
    double start[JOINTS], pose[JOINTS], rounded[JOINTS], speed[JOINTS] = {0};
    random_limits(&random, limits, start, JOINTS);
    set_up(&r, limits, JOINTS, start);
    memcpy(pose, start, sizeof pose);
    for (int tick = 0; tick < 1000; tick++) {
      feasible_pose(&r, &random, pose, speed, TICK);
      for (int j = 0; j < JOINTS; j++) rounded[j] = round(pose[j] * 1e6) * 1e-6;
      brio_path_put(&r.path, rounded, TICK, NULL);
      for (int i = 0; i < 5; i++) step(&r, PERIOD, 1, "rounded");
    }
    CHECK(r.path.tracked == 0, "stream %d", k);
    tear_down(&r);
  }
}

static void outside_its_limits_at_the_start(void) {
  const brio_axis_limits limits[1] = {{-1, 1, 2, 10}};
  rig r;
  double start[1] = {1.4}, pose[1] = {0.5}, last = 1.4;
  set_up(&r, limits, 1, start);
  for (int n = 0; n < 3000; n++) {
    if (n % 5 == 0) brio_path_put(&r.path, pose, TICK, NULL);
    brio_path_step(&r.path, PERIOD, 1);
    CHECK(r.path.x[0] <= last + 1e-12 && last - r.path.x[0] < 2.1e-3, "moves inwards only, without a jump");
    last = r.path.x[0];
  }
  CHECK_NEAR(last, 0.5, 1e-9, "arrives");
  tear_down(&r);
}

static void no_limits_no_joints(void) {
  const brio_axis_limits limits[1] = {{-INFINITY, INFINITY, INFINITY, INFINITY}};
  rig r;
  double start[1] = {0}, pose[1] = {7};
  set_up(&r, limits, 1, start);
  brio_path_put(&r.path, pose, TICK, NULL);
  brio_path_put(&r.path, pose, TICK, NULL);
  for (int n = 0; n < 20; n++) brio_path_step(&r.path, PERIOD, 1);
  CHECK_NEAR(r.path.x[0], 7, 1e-12, "arrives");
  CHECK(!brio_path_put(&r.path, pose, 0, NULL) && !brio_path_put(&r.path, pose, NAN, NULL) &&
            !brio_path_put(&r.path, pose, -1, NULL),
        "no time");
  tear_down(&r);
  set_up(&r, limits, 0, start);
  brio_path_put(&r.path, pose, TICK, NULL);
  for (int n = 0; n < 20; n++) brio_path_step(&r.path, PERIOD, n % 2);
  CHECK(brio_path_rests(&r.path), "nothing moves");
  tear_down(&r);
}

CHECK_SUITE(CHECK_TEST(wild_streams_keep_every_limit), CHECK_TEST(what_keeps_the_limits_is_followed),
            CHECK_TEST(several_at_once_are_followed), CHECK_TEST(stops_stay_on_the_path),
            CHECK_TEST(silence_brakes_and_holds), CHECK_TEST(jumps_are_straight),
            CHECK_TEST(late_poses_leave_the_path_nowhere), CHECK_TEST(one_break_makes_room),
            CHECK_TEST(rounded_poses_keep_the_limits), CHECK_TEST(outside_its_limits_at_the_start),
            CHECK_TEST(no_limits_no_joints))
