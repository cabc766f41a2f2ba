/* The watchdogs of bus servos: the state that a host finds after it, or the line, was stopped. */
#include "tests/drivers/servo_rig.h"

static void test_watchdog(void) {
  rig r;
  if (!rig_start(&r, "dynamixel", 3)) return;
  for (int i = 0; i < 3; i++) r.axes[i].velocity = 0.5; /* a goal that is far away is reached at this speed */
  if (ready(&r)) {
    CHECK(value(&r, 1, BRIO_ROLE_WATCHDOG) == 25, "0.5 s are 25: %d", value(&r, 1, BRIO_ROLE_WATCHDOG));
    cycles(&r, 1.9, 0.5, 0.5);
    double stood = r.states[0].position;
    wait(&r, 2);
    CHECK(value(&r, 1, BRIO_ROLE_WATCHDOG) == -1, "it did not strike");
    int32_t place = value(&r, 1, BRIO_ROLE_POSITION);
    CHECK_NEAR(brio_servo_angle(r.family, place), stood + 0.5 * 0.6, 0.05,
               "it went on until it struck, and stopped");
    r.err = (brio_error){0};
    cycles(&r, 1.9, 0.5, 0.02);
    CHECK_HAS(r.err.message, "watchdogs of 3 servos expired");
    CHECK(value(&r, 1, BRIO_ROLE_WATCHDOG) == 25, "armed again: %d", value(&r, 1, BRIO_ROLE_WATCHDOG));
    CHECK_NEAR(r.states[0].position, brio_servo_angle(r.family, place), 0.05, "no jump");
    cycles(&r, 1.9, 0.5, 3);
    CHECK_NEAR(r.states[2].position, 1.9, 0.003, "it moves again");
    CHECK(cycles(&r, 1.9, 0.5, 1) > 100, "all is well: %s", r.err.message);
  }
  rig_end(&r);
}

/* A host that was stopped, and reads first when it goes on: no servo waits for its turn
** of the status query. */
static void test_watchdog_after_a_read(void) {
  rig r;
  if (rig_start(&r, "dynamixel", 12) && ready(&r)) {
    cycles(&r, 1, 0.5, 0.5);
    wait(&r, 0.8);
    CHECK(brio_servo_driver_read(r.device, r.states, &r.err), "%s", r.err.message);
    cycles(&r, r.states[0].position, 0.5, 0.1);
    CHECK_HAS(r.err.message, "watchdogs of 12 servos expired");
    for (int i = 0; i < 12; i++)
      CHECK(value(&r, i + 1, BRIO_ROLE_WATCHDOG) == 25, "servo %d: %d", i + 1,
            value(&r, i + 1, BRIO_ROLE_WATCHDOG));
  }
  rig_end(&r);
}

/* A servo that its watchdog stopped, though it answers, is detected in time, and no servo continues from
** another position. */
static void test_watchdog_alone(void) {
  rig r;
  if (rig_start(&r, "dynamixel", 3) && ready(&r)) {
    cycles(&r, 0.2, 0.5, 0.2);
    brio_servo_bus bus;
    brio_port *port = bus_start(&r, &bus);
    CHECK(brio_servo_bus_set(&bus, 2, BRIO_ROLE_WATCHDOG, 1, &r.err), "%s", r.err.message);
    brio_port_close(port);
    double until = brio_port_now(r.port) + 5;
    wait(&r, 0.1);
    while (r.err.code == BRIO_OK && brio_port_now(r.port) < until) cycles(&r, 0.2, 0.5, 0.02);
    CHECK_HAS(r.err.message, "the watchdog of servo 2 expired");
    CHECK(cycles(&r, 0.2, 0.5, 0.02) == 0, "it goes on as if nothing were");
  }
  rig_end(&r);
}

CHECK_SUITE(CHECK_TEST(test_watchdog), CHECK_TEST(test_watchdog_after_a_read),
            CHECK_TEST(test_watchdog_alone))
