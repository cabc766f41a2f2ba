/* Dynamixels in current mode: springs and dampers about their targets, limits of torque, watchdogs, and what
** is refused.  The emulated shaft has an inertia, viscous friction and 1 N m/A, and can be pushed. */
#include "drivers/emulators/shaft.h"
#include "tests/drivers/servo_rig.h"

#define STIFFNESS 20.0 /* N m/rad */
#define LIMIT 1.5      /* N m */

static const brio_impedance soft[MOST] = {{STIFFNESS, 0.8, 0, LIMIT}, {STIFFNESS, 0.8, 0, LIMIT}};

/* Two servos whose registers say `mode`, and servo 1 `value` for `role`, opened with this text; the error of
** opening is in r->err. */
static bool begin_with(rig *r, int mode, const char *torques, brio_servo_role role, int value) {
  const char *texts[] = {"", "", "", "", "", torques};
  brio_servo_bus bus;
  if (!rig_start(r, "dynamixel", 2)) return false;
  brio_port *port = bus_start(r, &bus);
  for (int id = 1; id <= 2; id++)
    CHECK(brio_servo_bus_set(&bus, id, BRIO_ROLE_MODE, mode, &r->err), "%s", r->err.message);
  CHECK(brio_servo_bus_set(&bus, 1, role, value, &r->err), "%s", r->err.message);
  brio_port_close(port);
  r->err = (brio_error){0};
  r->port = brio_port_emulated(r->line, (int)r->settings[0], &r->err);
  r->device = brio_servo_driver_open_on(r->family, r->axes, r->count, r->settings, texts, r->port, &r->err);
  return r->device != NULL;
}

static bool begin(rig *r, int mode, const char *torques) {
  return begin_with(r, mode, torques, BRIO_ROLE_MODE, mode);
}

static bool set_up(rig *r, double watchdog, const brio_impedance *impedances) {
  const brio_driver_config config = {.watchdog = watchdog, .axes = r->axes, .impedances = impedances};
  return brio_servo_driver_configure(r->device, &config, &r->err);
}

/* Commands and reports for `seconds`: the spring about `goal`, and a torque; the greatest torque reported. */
static double hold(rig *r, double goal, double torque, double seconds) {
  brio_impedance_command commands[MOST];
  double until = brio_port_now(r->port) + seconds, most = 0;
  while (brio_port_now(r->port) < until) {
    brio_error why = {0};
    for (int i = 0; i < r->count; i++) {
      commands[i] = (brio_impedance_command){soft[i], goal, 0}; /* NAN: left as it is */
      commands[i].impedance.torque = torque;
    }
    bool good = brio_servo_driver_write_impedances(r->device, commands, &why) &&
                brio_servo_driver_read(r->device, r->states, &why);
    if (!good) r->err = why;
    if (!good && why.code == BRIO_IO) break;
    if (!good) wait(r, 0.003);
    for (int i = 0; i < r->count; i++) most = fmax(most, fabs(r->states[i].torque));
  }
  return most;
}

static void springs_yield_by_torque_over_stiffness(void) {
  rig r;
  if (!begin(&r, 0, "1:1, 2:1") || !set_up(&r, 0.1, soft) || !power(&r, true)) {
    CHECK(false, "%s", r.err.message);
    return;
  }
  hold(&r, 0.3, 0, 1);
  CHECK_NEAR(r.states[0].position, 0.3, 2e-3, "it goes to its target: %s", r.err.message);
  /* Somebody pushes one of them. */
  type(&r, "push 1 0.8");
  hold(&r, 0.3, 0, 1);
  CHECK_NEAR(r.states[0].position, 0.3 + 0.8 / STIFFNESS, 3e-3, "it yields");
  CHECK_NEAR(r.states[0].torque, -0.8, 0.05, "its torque is reported");
  CHECK(r.states[0].knows & BRIO_KNOWS_TORQUE, "unknown");
  CHECK_NEAR(r.states[1].position, 0.3, 2e-3, "the other one does not");
  /* Left as it is, it is a spring about its last target, and not a current that stays. */
  type(&r, "push 1 0.4");
  hold(&r, NAN, 0, 1);
  CHECK_NEAR(r.states[0].position, 0.3 + 0.4 / STIFFNESS, 3e-3, "without a target");
  type(&r, "push 1 0.8");
  /* Feed-forward carries the push. */
  hold(&r, 0.3, -0.8, 1);
  CHECK_NEAR(r.states[0].position, 0.3, 3e-3, "carried");
  rig_end(&r);
}

static void no_torque_beyond_the_limit(void) {
  rig r;
  if (!begin(&r, 0, "1:1,2:1") || !set_up(&r, 0.1, soft) || !power(&r, true)) {
    CHECK(false, "%s", r.err.message);
    return;
  }
  type(&r, "push 1 3");
  double most = hold(&r, 0, 0, 0.5);
  /* A step of the current's register is 2.69 mA. */
  CHECK(most <= LIMIT + 3e-3 && most > LIMIT - 0.01, "%g N m", most);
  CHECK(r.states[0].position > 0.5, "it is pushed away: %g", r.states[0].position);
  rig_end(&r);
}

static void silence_lets_it_go_limp(void) {
  rig r;
  if (!begin(&r, 0, "1:1,2:1") || !set_up(&r, 0.1, soft) || !power(&r, true)) {
    CHECK(false, "%s", r.err.message);
    return;
  }
  hold(&r, 0.2, 0.5, 0.5);
  CHECK(fabs(r.states[0].torque) < 0.1 && r.states[0].position > 0.2, "its spring balances the torque");
  wait(&r, 0.5);
  type(&r, "push 1 0.2");
  double before = r.states[0].position;
  wait(&r, 1);
  CHECK(value(&r, 1, BRIO_ROLE_WATCHDOG) < 0, "its watchdog has expired");
  /* The first report after it: nothing held it. */
  CHECK(brio_servo_driver_read(r.device, r.states, &r.err) || r.err.code == BRIO_DEVICE, "%s", r.err.message);
  CHECK(r.states[0].position > before + 0.5, "from %g to %g", before, r.states[0].position);
  type(&r, "push 1 0");
  hold(&r, 0.2, 0, 1.5);
  CHECK_NEAR(r.states[0].position, 0.2, 5e-3, "held again: %s", r.err.message);
  rig_end(&r);
}

/* Somebody turns it while it is off: its spring about the old target does not pull it back. */
static void a_start_forgets_the_last_target(void) {
  rig r;
  if (!begin(&r, 0, "1:1,2:1") || !set_up(&r, 0.1, soft) || !power(&r, true)) {
    CHECK(false, "%s", r.err.message);
    return;
  }
  hold(&r, 0.3, 0, 1);
  CHECK(power(&r, false), "%s", r.err.message);
  type(&r, "turn 1 -30");
  CHECK(power(&r, true), "%s", r.err.message);
  hold(&r, NAN, 0, 0.5);
  CHECK_NEAR(r.states[0].position, -0.5236, 5e-3, "it stays: %s", r.err.message);
  hold(&r, 0.3, 0, 1);
  CHECK_NEAR(r.states[0].position, 0.3, 2e-3, "and goes to a new one");
  rig_end(&r);
}

/* A servo that may have no current would take each command, and never move. */
static void a_current_limit_of_0_is_refused(void) {
  rig r;
  CHECK(!begin_with(&r, 0, "1:1,2:1", BRIO_ROLE_CURRENT_LIMIT, 0), "it is opened");
  CHECK_HAS(r.err.message, "servo 1 has a current limit of 0, with which it cannot move");
  rig_end(&r);
  CHECK(begin_with(&r, 0, "1:1,2:1", BRIO_ROLE_CURRENT_LIMIT, 1), "%s", r.err.message);
  rig_end(&r);
}

/* What is refused, and how. */
static void what_does_not_fit_is_refused(void) {
  static const struct {
    int mode;
    const char *torques, *says;
  } opening[] = {{3, "1:1,2:1", "servo 1 is one of `torques`, but in mode 3: set its Operating Mode to 0"},
                 {0, "", "servo 1 is in mode 0, in which a goal is no place"},
                 {0, "", "or let it be one of `torques`"},
                 {0, "1,2", "torques must be ids with N m/A"},
                 {0, "1:0,2:1", "torques must be ids with N m/A"},
                 {0, ":1,2:1", "torques must be ids with N m/A"},
                 {0, "1:1x", "torques must be ids with N m/A"},
                 {0, "1:nan", "torques must be ids with N m/A"},
                 {0, "1:1,7:1", "id 7 of torques is none of the axes'"}};
  rig r;
  for (size_t i = 0; i < sizeof opening / sizeof *opening; i++) {
    CHECK(!begin(&r, opening[i].mode, opening[i].torques), "'%s' opens", opening[i].torques);
    CHECK_HAS(r.err.message, opening[i].says);
    rig_end(&r);
  }
  if (!begin(&r, 0, "1:1,2:1")) return;
  CHECK(!set_up(&r, 0, soft), "without a watchdog");
  CHECK_HAS(r.err.message, "without its watchdog");
  CHECK(!set_up(&r, 0.1, NULL), "without a control");
  CHECK_HAS(r.err.message, "servo 1 is one of `torques`, but has no `control`");
  rig_end(&r);
  if (!begin(&r, 3, "")) return;
  CHECK(!set_up(&r, 0.1, soft), "positions alone");
  CHECK_HAS(r.err.message, "servo 1 has a `control` in the robot's file, but is none of `torques`");
  rig_end(&r);
}

CHECK_SUITE(CHECK_TEST(springs_yield_by_torque_over_stiffness), CHECK_TEST(no_torque_beyond_the_limit),
            CHECK_TEST(silence_lets_it_go_limp), CHECK_TEST(a_start_forgets_the_last_target),
            CHECK_TEST(a_current_limit_of_0_is_refused), CHECK_TEST(what_does_not_fit_is_refused))
