/* The motor side of axes that control their torque: a pendulum behind a driver whose weight is carried, whose
** torque stays within its limit whatever scripts ask for, fades while they are silent, and tells collisions;
** and none of it allocates. */
#include "drivers/actuator/actuator.h"
#include "runtime/motor/motor.h"
#include "tests/allocations.h"
#include "tests/check.h"

#define MASS 2.0
#define LENGTH 0.4
#define G 9.81
#define INERTIA 0.05 /* about its centre of mass */
#define LIMIT 12.0
#define H 1e-3

/* About y, hanging down at 0: m g l sin q holds it at q. */
static const char pendulum[] =
    "<robot name='pendulum'><link name='base'/><link name='arm'><inertial><origin xyz='0 0 -0.4'/>"
    "<mass value='2'/><inertia ixx='0.05' iyy='0.05' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='swing' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>"
    "<limit lower='-3' upper='3' velocity='5' effort='12'/></joint></robot>";

static double weight_at(double q) { return MASS * G * LENGTH * sin(q); }

typedef struct drive {
  brio_impedance_command got;
  double q, v, outside, torque; /* rad, rad/s, N m */
  double most;                  /* N m: the greatest torque that was asked for */
} drive;

static drive the_drive;

static void *drive_open(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                        void *context, brio_error *err) {
  (void)count, (void)settings, (void)seed, (void)context, (void)err;
  the_drive = (drive){.q = axes[0].start, .got = {brio_impedance_none, axes[0].start, 0}};
  return &the_drive;
}
static bool drive_write(void *device, const double *targets, brio_error *err) {
  (void)device, (void)targets;
  return brio_fail(err, BRIO_DEVICE, "a position alone");
}
static bool drive_impedances(void *device, const brio_impedance_command *commands, brio_error *err) {
  drive *d = device;
  (void)err;
  if (!isnan(commands[0].target)) d->got = commands[0];
  const brio_impedance *i = &d->got.impedance;
  double torque = i->stiffness * (d->got.target - d->q) + i->damping * (d->got.speed - d->v) + i->torque;
  d->most = fmax(d->most, fmax(fabs(torque), fabs(i->torque)));
  return true;
}
static bool drive_configure(void *device, const brio_driver_config *config, brio_error *err) {
  (void)device, (void)config, (void)err;
  return true;
}
/* It holds its command for a period: semi-implicit steps. */
static void drive_step(void *device, double dt) {
  drive *d = device;
  double sum = 0;
  for (int k = 0; k < 10; k++) {
    double tau = brio_impedance_torque(&d->got.impedance, d->got.target, d->got.speed, d->q, d->v);
    d->v += dt / 10 * (tau + d->outside - weight_at(d->q)) / (INERTIA + MASS * LENGTH * LENGTH);
    d->q += dt / 10 * d->v;
    sum += tau / 10;
  }
  d->torque = sum;
}
static bool drive_read(void *device, brio_axis_state *states, brio_error *err) {
  const drive *d = device;
  (void)err;
  states[0] = (brio_axis_state){.position = d->q, .velocity = d->v, .torque = d->torque,
                                .knows = BRIO_KNOWS_TORQUE, .valid = true};
  return true;
}
static void drive_close(void *device) { (void)device; }

static const brio_driver_kind drive_kind = {.name = check_own, .doc = "A pendulum.", .simulated = true,
                                            .open = drive_open, .configure = drive_configure,
                                            .write = drive_write, .write_impedances = drive_impedances,
                                            .step = drive_step, .read = drive_read, .close = drive_close};

typedef struct rig {
  brio_robot *robot;
  brio_actuator *actuator;
  brio_motor *motor;
} rig;

static bool begin(rig *r, double stiffness, bool carries, const brio_motor_collision_options *collisions) {
  brio_error err = {0};
  const brio_axis axis = {"swing", -3, 3, 5, 50, 0.7};
  const brio_impedance hard = {stiffness, 4, 0, LIMIT};
  *r = (rig){.robot = brio_robot_parse(pendulum, strlen(pendulum), "pendulum.urdf", NULL, &err)};
  const brio_actuator_options options = {.kind = &drive_kind, .axes = &axis, .count = 1, .impedances = &hard};
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->robot && r->actuator, "%s", err.message);
  brio_motor_options all = {.actuator = r->actuator, .tree = 1, .robot = r->robot, .gravity = &carries,
                            .collisions = collisions};
  r->motor = r->actuator ? brio_motor_new(&all, &err) : NULL;
  CHECK(r->motor, "%s", err.message);
  return r->motor != NULL;
}

static void end(rig *r) {
  brio_motor_free(r->motor);
  brio_actuator_close(r->actuator);
  brio_robot_free(r->robot);
}

/* Let time pass, with a pose every 5 ms, or none. */
static void go(rig *r, double seconds, bool poses) {
  const double pose = 0.7;
  for (int k = (int)lround(seconds / 5e-3); k > 0; k--) {
    brio_motor_look(r->motor);
    if (poses) brio_motor_hand_over(r->motor, &pose, 5e-3);
    brio_motor_advance(r->motor, 5e-3);
  }
  brio_motor_look(r->motor);
}

static void the_weight_is_carried(void) {
  rig r;
  if (!begin(&r, 5, true, NULL)) return;
  go(&r, 2, true);
  CHECK_NEAR(the_drive.q, 0.7, 2e-3, "a soft spring, with its weight carried");
  CHECK_NEAR(the_drive.got.impedance.torque, weight_at(the_drive.q), 0.02, "by the feed-forward");
  end(&r);
  if (!begin(&r, 5, false, NULL)) return;
  go(&r, 2, true);
  CHECK(the_drive.q < 0.4, "without that it sags to %g rad", the_drive.q);
  end(&r);
}

static void no_script_exceeds_the_limit(void) {
  static const double absurd[] = {1e9, -1e9, 13, -40, 1e300};
  rig r;
  brio_error err;
  if (!begin(&r, 30, true, NULL)) return;
  go(&r, 0.2, true);
  brio_impedance asked = {30, 4, NAN, 0};
  CHECK(!brio_motor_impede(r.motor, 0, &asked, &err) && err.code == BRIO_MISUSE, "NaN is taken");
  CHECK_HAS(err.message, "swing");
  asked = (brio_impedance){31, 4, 0, 0};
  CHECK(!brio_motor_impede(r.motor, 0, &asked, &err), "a stiffness above the file's is taken");
  for (size_t k = 0; k < sizeof absurd / sizeof *absurd; k++) {
    asked = (brio_impedance){30, 4, absurd[k], 1e9};
    CHECK(brio_motor_impede(r.motor, 0, &asked, &err), "%s", err.message);
    go(&r, 0.1, true);
  }
  CHECK(the_drive.most <= LIMIT * (1 + 1e-6) && the_drive.most > 0.9 * LIMIT, "%g of %g N m", the_drive.most,
        LIMIT);
  end(&r);
}

static void what_scripts_ask_for_fades_while_they_are_silent(void) {
  rig r;
  brio_error err;
  if (!begin(&r, 30, true, NULL)) return;
  const brio_impedance asked = {30, 4, 2, 0};
  CHECK(brio_motor_impede(r.motor, 0, &asked, &err), "%s", err.message);
  go(&r, 1, true);
  CHECK_NEAR(the_drive.got.impedance.torque, weight_at(the_drive.q) + 2, 0.02, "with the weight");
  go(&r, 1.5, false);
  CHECK_NEAR(the_drive.got.impedance.torque, weight_at(the_drive.q), 0.02, "the weight alone");
  CHECK(the_drive.got.impedance.stiffness == 30, "the spring stays");
  go(&r, 1.5, true);
  CHECK_NEAR(the_drive.got.impedance.torque, weight_at(the_drive.q) + 2, 0.02, "it is back");
  end(&r);
}

/* The collisions that were announced, and the newest. */
static int collisions_of(rig *r, brio_motor_event *newest) {
  brio_motor_event event;
  int count = 0;
  while (brio_motor_event_next(r->motor, &event))
    if (event.kind == BRIO_MOTOR_COLLISION) count++, *newest = event;
  return count;
}

static void a_push_is_a_collision(void) {
  const double threshold = 1;
  brio_motor_collision_options watch = {brio_observer_default_options(), BRIO_REACTION_HOLD};
  watch.observer.held = true;
  watch.observer.thresholds = &threshold;
  rig r;
  brio_motor_event event = {0};
  char text[300];
  if (!begin(&r, 30, true, &watch)) return;
  go(&r, 1, true);
  CHECK(collisions_of(&r, &event) == 0, "a false alarm: %g", event.value);
  the_drive.outside = -3;
  go(&r, 0.1, true);
  CHECK(collisions_of(&r, &event) == 1 && event.value < -1 && event.limit == 1, "%g", event.value);
  brio_motor_event_text(r.motor, &event, text, sizeof text);
  CHECK_HAS(text, "collision: something acts on what swing carries");
  CHECK_HAS(text, "the robot stops and holds");
  brio_motor_report report = brio_motor_report_now(r.motor);
  CHECK(report.causes & BRIO_MOTION_FAULT && report.collision_axis == 0 && report.collisions == 1, "held");
  go(&r, 1, true);
  report = brio_motor_report_now(r.motor);
  CHECK_NEAR(report.collision_torque, -3, 0.05, "what acts from outside");
  the_drive.outside = 0;
  go(&r, 1, true);
  CHECK(brio_motor_report_now(r.motor).collision_axis == -1 && collisions_of(&r, &event) == 0, "it is over");
  end(&r);
}

static void nothing_allocates(void) {
  const double threshold = 1;
  brio_motor_collision_options watch = {brio_observer_default_options(), BRIO_REACTION_REPORT};
  watch.observer.thresholds = &threshold;
  rig r;
  brio_error err;
  if (!begin(&r, 30, true, &watch)) return;
  go(&r, 0.1, true);
  size_t before = allocations;
  const brio_impedance asked = {20, 2, 1, 0};
  brio_motor_impede(r.motor, 0, &asked, &err);
  the_drive.outside = 4;
  go(&r, 1, true);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  end(&r);
}

CHECK_SUITE(CHECK_TEST(the_weight_is_carried), CHECK_TEST(no_script_exceeds_the_limit),
            CHECK_TEST(what_scripts_ask_for_fades_while_they_are_silent), CHECK_TEST(a_push_is_a_collision),
            CHECK_TEST(nothing_allocates))
