/* Inputs that devices sense, on the motor side: they reach the scripts' side, and those that mean the
** panic stop raise it whatever the scripts do, keep it while they are set, and count as set when
** there are no reports. */
#include "runtime/motor/motor.h"

#include "recorder.h"
#include "runtime/motor/panic.h"

#define TICK 0.005

static const brio_axis axes[1] = {{"pan", -2, 2, 2, 10, 0}};

typedef struct rig {
  recorder device;
  brio_driver_kind kind;
  brio_actuator *actuator;
  brio_motor *motor;
  char said[4096];
} rig;

static void set_up(rig *r, int panic, bool simulated) {
  brio_error err = {0};
  memset(r, 0, sizeof *r);
  r->kind = recorder_kind;
  r->kind.simulated = simulated;
  brio_actuator_input input = {.input = {.name = "line", .line = "3", .width = 1}, .panic = panic};
  brio_actuator_options options = {
      .kind = &r->kind, .axes = axes, .count = 1, .context = &r->device, .inputs = &input, .ninput = 1};
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->actuator != NULL, "%s", err.message);
  r->motor = brio_motor_new(
      &(brio_motor_options){.actuator = r->actuator, .tree = 1, .armed = true, .goes_on = true}, &err);
  CHECK(r->motor != NULL, "%s", err.message);
}

static void tear_down(rig *r) {
  brio_motor_free(r->motor);
  brio_actuator_close(r->actuator);
}

/* Let time pass; poses are handed over only while the scripts work. */
static void pass(rig *r, double seconds, bool scripts) {
  brio_motor_event event;
  const double there = 0;
  for (int k = 0; k < (int)(seconds / TICK + 0.5); k++) {
    if (scripts) brio_motor_hand_over(r->motor, &there, TICK);
    brio_motor_advance(r->motor, TICK);
    if (scripts) brio_motor_look(r->motor);
  }
  brio_motor_look(r->motor);
  while (brio_motor_event_next(r->motor, &event)) {
    size_t used = strlen(r->said);
    snprintf(r->said + used, sizeof r->said - used, "%s: ", brio_motor_event_name(&event));
    used = strlen(r->said);
    brio_motor_event_text(r->motor, &event, r->said + used, sizeof r->said - used);
  }
}

static double value(const rig *r) {
  int count;
  return brio_actuator_inputs(r->actuator, &count)[0].state.values[0];
}

static bool panics(const rig *r) { return brio_motor_report_now(r->motor).causes & BRIO_MOTION_PANIC; }

static void values_arrive(void) {
  rig r;
  set_up(&r, 0, false);
  CHECK(isnan(value(&r)), "nothing is known before the first report: %g", value(&r));
  pass(&r, 0.02, true);
  CHECK(value(&r) == 0, "%g", value(&r));
  atomic_store(&r.device.input, 7);
  pass(&r, 0.02, true);
  CHECK(value(&r) == 7 && !panics(&r), "%g", value(&r));
  atomic_store(&r.device.input, -1);
  pass(&r, 0.1, true);
  CHECK(value(&r) == 7, "what is not known for a moment stays: %g", value(&r));
  pass(&r, 0.3, true);
  CHECK(isnan(value(&r)), "but not for long: %g", value(&r));
  tear_down(&r);
}

static void a_line_is_the_panic_stop(void) {
  rig r;
  set_up(&r, 1, false);
  pass(&r, 0.1, true);
  CHECK(!panics(&r), "%s", r.said);
  atomic_store(&r.device.input, 1);
  pass(&r, 0.01, false); /* no script does anything */
  CHECK(panics(&r), "at once");
  CHECK_HAS(r.said, "panic: panic stop: input 'line' asks for it");
  brio_motor_release(r.motor, BRIO_MOTION_PANIC | BRIO_MOTION_PERSON);
  pass(&r, 0.05, true);
  CHECK(panics(&r), "it cannot be released while the line asks");
  CHECK_HAS(r.said, "panic_kept");
  atomic_store(&r.device.input, 0);
  pass(&r, 0.5, true);
  CHECK(panics(&r), "it stays when the line asks no more");
  brio_motor_release(r.motor, BRIO_MOTION_PANIC);
  pass(&r, 0.05, true);
  CHECK(!panics(&r), "until somebody says so");
  CHECK_HAS(r.said, "motors_go_on");
  tear_down(&r);
}

static void a_line_may_mean_it_when_released(void) {
  rig r;
  set_up(&r, -1, false);
  atomic_store(&r.device.input, 1);
  pass(&r, 0.3, true);
  CHECK(!panics(&r), "held");
  atomic_store(&r.device.input, 0);
  pass(&r, 0.01, false);
  CHECK(panics(&r), "let go");
  tear_down(&r);
}

static void a_broken_line_is_the_panic_stop(void) {
  for (int simulated = 0; simulated < 2; simulated++) {
    rig r;
    set_up(&r, 1, simulated);
    pass(&r, 0.3, true);
    CHECK(!panics(&r), "heard");
    if (simulated) atomic_store(&r.device.input, -1);
    else atomic_store(&r.device.fails, 1);
    pass(&r, 0.2, true);
    CHECK(!panics(&r), "a moment");
    pass(&r, 0.2, false);
    CHECK(panics(&r), "gone");
    CHECK_HAS(r.said, "input 'line' is silent");
    tear_down(&r);
  }
}

/* On hardware a line that never reports is broken; in simulation another source may set the input. */
static void a_line_that_never_speaks(void) {
  for (int simulated = 0; simulated < 2; simulated++) {
    rig r;
    set_up(&r, 1, simulated);
    atomic_store(&r.device.input, -1);
    pass(&r, 0.5, true);
    CHECK(panics(&r) == !simulated, "simulated %d", simulated);
    tear_down(&r);
  }
}

/* A device that refuses to switch its motors is asked again, at growing intervals, and its
** failures are counted. */
static void refused_power_is_asked_for_again(void) {
  rig r;
  set_up(&r, 0, false);
  atomic_store(&r.device.refuses, 1);
  pass(&r, 0.3, true);
  CHECK(atomic_load(&r.device.powered) == 1, "%d", atomic_load(&r.device.powered));
  pass(&r, 1.5, true);
  CHECK(atomic_load(&r.device.powered) == 3, "%d", atomic_load(&r.device.powered));
  CHECK(brio_motor_device_now(r.motor, 0).stats.failures == 3, "%d",
        (int)brio_motor_device_now(r.motor, 0).stats.failures);
  CHECK_HAS(brio_motor_device_now(r.motor, 0).error.message, "no torque");
  atomic_store(&r.device.refuses, 0);
  pass(&r, 8, true);
  CHECK(atomic_load(&r.device.powered) == 4, "and then no more: %d", atomic_load(&r.device.powered));
  tear_down(&r);
}

static void wrong_inputs_are_refused(void) {
  static const struct { brio_actuator_input input; const char *piece;
  } wrong[] = {{{.input = {"", "3", 1}}, "must have a name"},
               {{.input = {"a", NULL, 1}}, "must have a name and a line"},
               {{.input = {"a", "3", 2}}, "must be one number or 10"},
               {{.input = {"a", "3", 1}, .device = "head"}, "there is no device 'head'"}};
  recorder device = {0};
  brio_error err = {0};
  for (int i = 0; i < 4; i++) {
    brio_actuator_options options = {.kind = &recorder_kind,
                                     .axes = axes,
                                     .count = 1,
                                     .context = &device,
                                     .inputs = &wrong[i].input,
                                     .ninput = 1};
    CHECK(!brio_actuator_open(&options, &err), "%s", wrong[i].piece);
    CHECK_HAS(err.message, wrong[i].piece);
  }
  brio_actuator_input twice[2] = {{.input = {"a", "3", 1}}, {.input = {"a", "4", 1}}};
  brio_actuator_options options = {
      .kind = &recorder_kind, .axes = axes, .count = 1, .context = &device, .inputs = twice, .ninput = 2};
  CHECK(!brio_actuator_open(&options, &err), "twice");
  CHECK_HAS(err.message, "two inputs are named 'a'");
  brio_driver_kind deaf = recorder_kind;
  deaf.sense = NULL;
  options = (brio_actuator_options){
      .kind = &deaf, .axes = axes, .count = 1, .context = &device, .inputs = twice, .ninput = 1};
  CHECK(!brio_actuator_open(&options, &err), "deaf");
  CHECK_HAS(err.message, "senses nothing");
  brio_gains gains = {1, NAN, NAN, NAN, NAN};
  options = (brio_actuator_options){
      .kind = &deaf, .axes = axes, .count = 1, .context = &device, .gains = &gains};
  CHECK(!brio_actuator_open(&options, &err), "gains");
  CHECK_HAS(err.message, "has no gains to set");
}

CHECK_SUITE(CHECK_TEST(values_arrive), CHECK_TEST(a_line_is_the_panic_stop),
            CHECK_TEST(a_line_may_mean_it_when_released), CHECK_TEST(a_broken_line_is_the_panic_stop),
            CHECK_TEST(a_line_that_never_speaks), CHECK_TEST(refused_power_is_asked_for_again),
            CHECK_TEST(wrong_inputs_are_refused))
