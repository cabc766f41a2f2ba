/* The motor side seen by a driver: filters and interlocks of axes outside the tree, the speed that
** accompanies each target, couplings, bursts of poses, and the allowed rates of the clock. */
#include <stdint.h>

#include "drivers/actuator/actuator.h"
#include "math/lowpass.h"
#include "runtime/motor/motor.h"
#include "tests/check.h"

enum { AXES = 4 };

#define PI 3.14159265358979323846

/* A device that follows at once and keeps the last exchange. */
typedef struct keeper {
  int count, writes;
  double told[AXES], before[AXES], speeds[AXES], load;
  bool refuses; /* to open */
  bool mute;    /* it reports nothing */
  bool commanded; /* its first axis got a target in the last exchange */
} keeper;

static void *keeper_open(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                         void *context, brio_error *err) {
  keeper *k = context;
  (void)settings, (void)seed;
  if (k->refuses) return (void)brio_fail(err, BRIO_DEVICE, "it is unplugged"), NULL;
  k->count = count;
  for (int i = 0; i < count; i++) k->told[i] = axes[i].start;
  return k;
}

static bool keeper_write_timed(void *device, const double *targets, const double *speeds, brio_error *err) {
  keeper *k = device;
  (void)err;
  for (int i = 0; i < k->count; i++) {
    k->before[i] = k->told[i];
    if (!isnan(targets[i])) k->told[i] = targets[i];
    k->speeds[i] = speeds ? speeds[i] : NAN;
  }
  k->commanded = !isnan(targets[0]);
  k->writes++;
  return true;
}

static bool keeper_write(void *device, const double *targets, brio_error *err) {
  return keeper_write_timed(device, targets, NULL, err);
}

static bool keeper_read(void *device, brio_axis_state *states, brio_error *err) {
  keeper *k = device;
  (void)err;
  for (int i = 0; i < k->count; i++)
    states[i] = (brio_axis_state){
        .position = k->told[i], .valid = !k->mute, .knows = BRIO_KNOWS_LOAD, .load = k->load};
  return true;
}

static void keeper_close(void *device) { (void)device; }

static const brio_driver_kind keeper_kind = {.name = check_own,
                                             .doc = "Keeps the last exchange.",
                                             .open = keeper_open,
                                             .write = keeper_write,
                                             .write_timed = keeper_write_timed,
                                             .read = keeper_read,
                                             .close = keeper_close};

typedef struct rig {
  keeper device;
  brio_actuator *actuator;
  brio_motor *motor;
  double rate;
} rig;

static void set_up(rig *r, const brio_axis *axes, int count, const brio_actuator_options *more,
                   const brio_motor_options *wanted) {
  brio_error err = {0};
  brio_actuator_options options = more ? *more : (brio_actuator_options){0};
  options.kind = &keeper_kind, options.axes = axes, options.count = count, options.context = &r->device;
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->actuator != NULL, "%s", err.message);
  brio_motor_options all = *wanted;
  all.actuator = r->actuator, all.armed = true;
  r->rate = all.rate > 0 ? all.rate : 1000;
  r->motor = brio_motor_new(&all, &err);
  CHECK(r->motor != NULL, "%s", err.message);
}

static void tear_down(rig *r) {
  brio_motor_free(r->motor);
  brio_actuator_close(r->actuator);
  *r = (rig){0};
}

/* Hand values over and run one period of the motors. */
static void period(rig *r, const double *values) {
  brio_motor_look(r->motor);
  brio_motor_hand_over(r->motor, values, 1 / r->rate);
  brio_motor_advance(r->motor, 1 / r->rate);
}

static const brio_axis free_axis[1] = {{"ear", -1e3, 1e3, INFINITY, INFINITY, 0}};

/* The gain of a driver's commands for a sine of f Hz, at that motor rate: correlated over whole periods,
** after settling. */
static double gain_at(int stages, double tau, double rate, double f) {
  rig r = {0};
  set_up(&r, free_axis, 1, NULL, &(brio_motor_options){.rate = rate, .stages = &stages, .tau = &tau});
  int settle = (int)ceil(40 * tau * rate), n = (int)lround(24 / f * rate);
  double a = 0, b = 0;
  for (int i = 0; i < settle + n; i++) {
    double angle = 2 * PI * f * i / rate, target = sin(angle);
    period(&r, &target);
    if (i < settle) continue;
    a += r.device.told[0] * sin(angle);
    b += r.device.told[0] * cos(angle);
  }
  tear_down(&r);
  return 2 * sqrt(a * a + b * b) / n;
}

/* The measured -3 dB frequency is within 2.5 % of the formula at 100 Hz, and 1 % from 200 Hz on. */
static void filters_have_their_corner_at_the_driver(void) {
  static const double rates[] = {100, 200, 1000}, taus[] = {0.02, 0.05, 0.1};
  for (int k = 1; k <= 4; k++)
    for (int r = 0; r < 3; r++)
      for (int t = 0; t < 3; t++) {
        double formula = brio_lowpass_cutoff(k, taus[t]), off = rates[r] < 200 ? 0.025 : 0.01;
        double below = gain_at(k, taus[t], rates[r], formula * (1 - off)),
               above = gain_at(k, taus[t], rates[r], formula * (1 + off));
        CHECK(below > sqrt(0.5) && above < sqrt(0.5), "%d stages, tau %g, %g Hz: gains %g and %g about %g Hz",
              k, taus[t], rates[r], below, above, formula);
      }
}

/* Whole periods of the motors' own, for any tick; and every rate leads to the target. */
static void rates(void) {
  static const double wanted[] = {50, 60, 125, 200, 333, 1000, 2000};
  static const brio_axis axes[2] = {{"pan", -2, 2, 2, 10, 0}, {"ear", -1, 1, 5, 100, 0}};
  for (int k = 0; k < 7; k++) {
    rig r = {0};
    double goal[2] = {0.7, 0.6};
    set_up(&r, axes, 2, NULL, &(brio_motor_options){.rate = wanted[k], .tree = 1});
    for (int n = 0; n < 600; n++) {
      brio_motor_look(r.motor);
      brio_motor_hand_over(r.motor, goal, 0.005);
      brio_motor_advance(r.motor, 0.005);
    }
    brio_motor_look(r.motor);
    CHECK_NEAR((double)brio_motor_report_now(r.motor).periods, 3 * wanted[k], 1, "%g Hz", wanted[k]);
    CHECK_NEAR((double)r.device.writes, 3 * wanted[k], 1, "%g Hz", wanted[k]);
    CHECK_NEAR(r.device.told[0], 0.7, 1e-9, "%g Hz: a joint", wanted[k]);
    CHECK_NEAR(r.device.told[1], 0.6, 1e-9, "%g Hz: an ear", wanted[k]);
    tear_down(&r);
  }
}

/* Each target comes with the speed that reaches it within the period: through mappings and a differential. */
static void speeds_reach_the_next_target(void) {
  static const brio_axis axes[3] = {
      {"pitch", -1, 1, 2, 20, 0}, {"roll", -1, 1, 2, 20, 0}, {"ear", -1, 1, 5, 100, 0}};
  const char *pair[2] = {"pitch", "roll"};
  const double matrix[4] = {1, 1, 1, -1};
  brio_actuator_coupling coupling = {pair, 2, matrix};
  brio_mapping mappings[3] = {brio_mapping_identity(), brio_mapping_identity(), brio_mapping_identity()};
  mappings[0].scale = 650, mappings[0].offset = 2048, mappings[0].polarity = -1;
  mappings[1].scale = 300;
  mappings[2].kind = &brio_mapping_kinds[1], mappings[2].below = 300, mappings[2].above = 500,
  mappings[2].offset = 1500;
  rig r = {0};
  double values[3] = {0}, worst = 0, fastest = 0;
  set_up(&r, axes, 3, &(brio_actuator_options){.mappings = mappings, .couplings = &coupling, .ncoupling = 1},
         &(brio_motor_options){.tree = 2});
  for (int n = 0; n < 4000; n++) {
    double t = n * 0.001;
    values[0] = 0.4 * sin(2 * t), values[1] = 0.3 * sin(3 * t), values[2] = 0.5 + 0.4 * sin(4 * t);
    period(&r, values);
    for (int i = 0; i < 3 && n > 100; i++) {
      double needed = fabs(r.device.told[i] - r.device.before[i]) * 1000;
      worst = fmax(worst, fabs(r.device.speeds[i] - needed) / (1 + needed));
      fastest = fmax(fastest, needed);
      CHECK(r.device.speeds[i] >= 0 && isfinite(r.device.speeds[i]), "axis %d: %g", i, r.device.speeds[i]);
    }
  }
  CHECK(fastest > 500 && worst < 1e-3, "up to %g a second, off by a share of %g", fastest, worst);
  tear_down(&r);
}

/* An axis that is found elsewhere after a silence of its device begins there, at rest: a driver that leads
** its device ahead of the newest target by its speed must not lead it away. */
static void after_a_silence_an_axis_begins_at_rest(void) {
  static const brio_axis axes[1] = {{"pan", -2, 2, 2, 10, 0}};
  rig r = {0};
  double goal = 0.3;
  set_up(&r, axes, 1, NULL, &(brio_motor_options){.tree = 1});
  for (int n = 0; n < 1000; n++) period(&r, &goal);
  CHECK(r.device.commanded && fabs(r.device.told[0] - goal) < 1e-6, "%g", r.device.told[0]);
  /* It is turned meanwhile. */
  r.device.mute = true;
  for (int n = 0; n < 100; n++) period(&r, &goal);
  CHECK(!r.device.commanded, "a joint that nobody sees is commanded");
  r.device.told[0] = goal = 0.7;
  r.device.mute = false;
  for (int n = 0; n < 1000 && !r.device.commanded; n++) period(&r, &goal);
  CHECK(r.device.commanded, "it gets no commands any more");
  CHECK_NEAR(r.device.told[0], 0.7, 1e-4, "the first command leads away");
  CHECK(r.device.speeds[0] < 0.05, "the first command has a speed of %g", r.device.speeds[0]);
  tear_down(&r);
}

/* Of a burst of poses, as after a pause of the sender, the oldest are dropped: the robot does not replay them
** in real time. */
static void stale_poses_are_dropped(void) {
  static const brio_axis axes[1] = {{"pan", -2, 2, 2, 10, 0}};
  rig r = {0};
  set_up(&r, axes, 1, NULL, &(brio_motor_options){.tree = 1});
  brio_motor_look(r.motor);
  double pose = 0, highest = 0;
  /* 0.15 s of motion at once */
  for (int k = 0; k < 30; k++, pose += 0.002) brio_motor_hand_over(r.motor, &pose, 0.005);
  for (int n = 0; n < 200; n++) {
    brio_motor_look(r.motor);
    brio_motor_hand_over(r.motor, &pose, 0.005);
    for (int k = 0; k < 5; k++) {
      brio_motor_advance(r.motor, 0.001);
      highest = fmax(highest, r.device.told[0]);
    }
  }
  brio_motor_look(r.motor);
  CHECK(brio_motor_report_now(r.motor).dropped >= 20, "%d", (int)brio_motor_report_now(r.motor).dropped);
  CHECK_NEAR(r.device.told[0], pose, 1e-6, "there after a second");
  CHECK(highest < pose + 0.02, "it went to %g", highest);
  tear_down(&r);
}

static brio_interlock rule(const char *name) {
  brio_error err;
  return (brio_interlock){.kind = brio_interlock_find(name, &err),
                          .watched = 0,
                          .limited = 1,
                          .below = -INFINITY,
                          .above = 0.5,
                          .lower = -0.1,
                          .upper = 0.1,
                          .load = 0.8,
                          .rest = -0.3,
                          .after = 0.2,
                          .ramp = 0.1,
                          .keep = 0.5,
                          .release = 0.3};
}

/* Run for this many seconds with these targets; return the limited axis's command. */
static double go(rig *r, double watched, double limited, double seconds) {
  const double values[2] = {watched, limited};
  for (int n = 0; n < (int)lround(seconds * r->rate); n++) period(r, values);
  return r->device.told[1];
}

static void interlocks_reach_the_driver(void) {
  static const brio_axis axes[2] = {{"jaw", -1, 1, 20, 1000, 0}, {"tongue", -1, 1, 20, 1000, 0}};
  rig r = {0};
  brio_interlock prevent = rule("prevent"), timing = rule("timing"), load = rule("load");
  set_up(&r, axes, 2, NULL, &(brio_motor_options){.rules = &prevent, .nrule = 1});
  CHECK_NEAR(go(&r, 0, 0.9, 1), 0.9, 1e-9, "all its room");
  CHECK_NEAR(go(&r, 0.8, 0.9, 0.5), 0.1, 1e-9, "prevented");
  CHECK_NEAR(go(&r, 0.2, 0.9, 0.5), 0.9, 1e-9, "and let go");
  tear_down(&r);
  set_up(&r, axes, 2, NULL, &(brio_motor_options){.rules = &timing, .nrule = 1});
  CHECK_NEAR(go(&r, 0.8, 0.9, 0.2), 0.9, 1e-6, "allowed for a while");
  CHECK_NEAR(go(&r, 0.8, 0.9, 0.25), 0.1, 1e-6, "led back");
  CHECK_NEAR(go(&r, 0.2, 0.9, 0.3), 0.1, 1e-6, "kept");
  CHECK_NEAR(go(&r, 0.2, 0.9, 0.7), 0.9, 1e-6, "and let go");
  tear_down(&r);
  set_up(&r, axes, 2, NULL, &(brio_motor_options){.rules = &load, .nrule = 1});
  r.device.load = -0.95;
  CHECK_NEAR(go(&r, 0, 0.9, 0.15), 0.9, 1e-6, "strained for a while");
  CHECK_NEAR(go(&r, 0, 0.9, 0.3), -0.3, 1e-6, "rests");
  r.device.load = 0;
  CHECK_NEAR(go(&r, 0, 0.9, 0.6), 0.9, 1e-6, "and goes on");
  tear_down(&r);
}

/* The mapping of motors changes only while they are disarmed; the robot goes on from where it is found. */
static void motors_count_otherwise_when_disarmed(void) {
  static const brio_axis axes[1] = {{"pan", -2, 2, 2, 10, 0}};
  brio_mapping first = brio_mapping_identity(), then = first, wrong = first;
  first.scale = 100, first.offset = 500;
  then.scale = 100, then.offset = 530, then.polarity = -1;
  wrong.scale = -1;
  rig r = {0};
  brio_error err;
  double goal = 0.5;
  set_up(&r, axes, 1, &(brio_actuator_options){.mappings = &first}, &(brio_motor_options){.tree = 1});
  for (int n = 0; n < 2000; n++) period(&r, &goal);
  CHECK_NEAR(r.device.told[0], 550, 1e-6, "as first said");
  CHECK(!brio_motor_remap(r.motor, &then, &err) && err.code == BRIO_MISUSE, "armed");
  CHECK_HAS(err.message, "disarmed");
  brio_motor_arm(r.motor, false);
  for (int n = 0; n < 10; n++) period(&r, &goal);
  CHECK(!brio_motor_report_now(r.motor).armed, "at rest it is disarmed at once");
  CHECK(!brio_motor_remap(r.motor, &wrong, &err), "no mapping");
  CHECK(brio_motor_remap(r.motor, &then, &err), "%s", err.message);
  int before = r.device.writes;
  for (int n = 0; n < 10; n++) period(&r, &goal);
  int count;
  CHECK_NEAR(brio_actuator_axes(r.actuator, &count)[0].measured.position, 0.5, 1e-6,
             "opened where it was, as it counts now");
  CHECK_NEAR(r.device.told[0], 480, 1e-6, "in the motor's units");
  brio_motor_arm(r.motor, true);
  for (int n = 0; n < 2000; n++) {
    period(&r, &goal);
    goal = 0.2;
    CHECK(r.device.told[0] > 479.9 && r.device.told[0] < 510.1, "no jump: %g", r.device.told[0]);
  }
  CHECK_NEAR(r.device.told[0], 510, 1e-6, "goes on");
  brio_motor_arm(r.motor, false);
  for (int n = 0; n < 10; n++) period(&r, &goal);
  CHECK(brio_motor_remap(r.motor, &first, &err), "%s", err.message);
  brio_motor_arm(r.motor, true); /* in the same period */
  for (int n = 0; n < 2000; n++) period(&r, &goal);
  CHECK_NEAR(r.device.told[0], 520, 1e-6, "armed at once, and counts as it should");
  CHECK(r.device.writes > before, "it is spoken with");
  tear_down(&r);
}

/* A device that cannot be opened again with its new mapping is lost, and the reason is known at once. */
static void a_mapping_that_loses_the_device_has_a_reason(void) {
  static const brio_axis axes[1] = {{"pan", -2, 2, 2, 10, 0}};
  brio_mapping twice = brio_mapping_identity();
  rig r = {0};
  brio_error err = {0};
  double goal = 0;
  int count = 0;
  set_up(&r, axes, 1, NULL, &(brio_motor_options){.tree = 1});
  brio_motor_arm(r.motor, false);
  for (int n = 0; n < 100; n++) period(&r, &goal);
  twice.scale = 2;
  r.device.refuses = true;
  CHECK(brio_motor_remap(r.motor, &twice, &err), "%s", err.message);
  for (int n = 0; n < 10; n++) period(&r, &goal);
  CHECK_HAS(brio_actuator_error(r.actuator, &count)->message, "it is unplugged");
  CHECK(count == 1, "%d failures", count);
  tear_down(&r);
}

CHECK_SUITE(CHECK_TEST(filters_have_their_corner_at_the_driver), CHECK_TEST(rates),
            CHECK_TEST(speeds_reach_the_next_target),
            CHECK_TEST(after_a_silence_an_axis_begins_at_rest), CHECK_TEST(stale_poses_are_dropped),
            CHECK_TEST(interlocks_reach_the_driver), CHECK_TEST(motors_count_otherwise_when_disarmed),
            CHECK_TEST(a_mapping_that_loses_the_device_has_a_reason))
