/* The motor side in lockstep, with devices that fail: after each fault the robot holds or stops within its
** limits, and a sentence reports the fault. */
#include "runtime/motor/motor.h"

#include "recorder.h"
#include "runtime/motor/motor_internal.h"
#include "runtime/motor/panic.h"

#define TICK 0.005

static const brio_axis axes[4] = {
    {"pan", -2, 2, 2, 10, 0}, {"tilt", -1, 1, 2, 8, 0}, {"lift", -1, 1, 1, 20, 0}, {"ear", 0, 1, 5, 100, 0}};

typedef struct rig {
  recorder *devices[2];
  brio_actuator *actuator;
  brio_motor *motor;
  double values[4], speed;
  char said[4096];
} rig;

static void set_up(rig *r, const brio_motor_options *wanted, const double *from) {
  brio_error err = {0};
  const char *head[] = {"pan", "tilt"}, *rest[] = {"lift", "ear"};
  brio_driver_kind *kinds = calloc(2, sizeof *kinds);
  memset(r, 0, sizeof *r);
  brio_actuator_device devices[2] = {{.name = "head", .kind = &kinds[0], .axes = head, .count = 2},
                                     {.name = "body", .kind = &kinds[1], .axes = rest, .count = 2}};
  for (int d = 0; d < 2; d++) {
    r->devices[d] = calloc(1, sizeof *r->devices[d]);
    for (int i = 0; i < 2 && from; i++) r->devices[d]->from[i] = from[2 * d + i];
    kinds[d] = recorder_kind;
  }
  brio_actuator_options options = {.kind = &kinds[0],
                                   .axes = axes,
                                   .count = 4,
                                   .devices = devices,
                                   .ndevice = 2,
                                   .context = r->devices[0]};
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->actuator != NULL, "%s", err.message);
  int n;
  brio_device *opened = brio_actuator_devices(r->actuator, &n);
  opened[1].context = r->devices[1]; /* the context is one for all: give the second its own */
  opened[1].handle = recorder_open(NULL, 2, NULL, 0, r->devices[1], &err);
  r->devices[0]->count = 2;
  brio_motor_options all = wanted ? *wanted : (brio_motor_options){.armed = true};
  all.actuator = r->actuator;
  all.tree = 3;
  r->motor = brio_motor_new(&all, &err);
  CHECK(r->motor != NULL, "%s", err.message);
  for (int i = 0; i < 4; i++) r->values[i] = brio_actuator_axes(r->actuator, &n)[i].command;
}

static void tear_down(rig *r, const char *what) {
  for (int d = 0; d < 2; d++) recorder_check(r->devices[d], axes + 2 * d, 0.001, what);
  brio_motor_free(r->motor);
  int n;
  const brio_driver_kind *kinds = brio_actuator_devices(r->actuator, &n)[0].kind;
  brio_actuator_close(r->actuator);
  for (int d = 0; d < 2; d++) free(r->devices[d]);
  free((void *)(uintptr_t)kinds);
}

/* Receive the events: the sentences are added to r->said. */
static void hear(rig *r) {
  brio_motor_event event;
  char sentence[512];
  while (brio_motor_event_next(r->motor, &event)) {
    brio_motor_event_text(r->motor, &event, sentence, sizeof sentence);
    size_t used = strlen(r->said);
    snprintf(r->said + used, sizeof r->said - used, "%s: %s: %s\n", brio_motor_event_severity(&event),
             brio_motor_event_name(&event), sentence);
  }
}

/* Run ticks: the joints' targets move at an even speed (0: they stay); false: the scripts are silent. */
static void tick(rig *r, int ticks, double speed, bool scripts) {
  int n;
  for (int k = 0; k < ticks; k++) {
    const brio_actuator_axis *state = brio_actuator_axes(r->actuator, &n);
    if (brio_motor_look(r->motor)) {
      for (int i = 0; i < 4; i++) r->values[i] = state[i].command; /* as the engine does with its solver */
      r->speed = 0;
    }
    double step = speed - r->speed;
    r->speed += fmin(fmax(step, -7 * TICK), 7 * TICK);
    for (int i = 0; i < 3; i++) r->values[i] += r->speed * TICK;
    if (scripts) brio_motor_hand_over(r->motor, r->values, TICK);
    brio_motor_advance(r->motor, TICK);
  }
  brio_motor_look(r->motor);
  hear(r);
}

static double at(const rig *r, int axis) {
  int n;
  return brio_actuator_axes(r->actuator, &n)[axis].command;
}

static bool rests(rig *r) {
  double before[4];
  for (int i = 0; i < 4; i++) before[i] = at(r, i);
  tick(r, 5, 0.3, true);
  for (int i = 0; i < 4; i++)
    if (at(r, i) != before[i]) return false;
  return true;
}

static void moves_when_all_is_well(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 100, 0.3, true);
  CHECK(at(&r, 0) > 0.1 && !rests(&r), "it moves");
  brio_motor_report report = brio_motor_report_now(r.motor);
  CHECK(report.armed && report.causes == 0 && report.braked == 0 && report.taken >= 100 &&
            report.periods == 525,
        "%d", (int)report.periods);
  CHECK(strcmp(r.said, "") == 0, "%s", r.said);
  tear_down(&r, "well");
}

static void starts_where_the_robot_is(void) {
  const double from[4] = {1.2, -0.7, 0.5, 0.25};
  rig r;
  set_up(&r, &(brio_motor_options){.armed = false}, from);
  tick(&r, 40, 0, true);
  CHECK(isnan(r.devices[0]->told[0][0]), "disarmed: told nothing");
  CHECK(at(&r, 0) == 1.2 && at(&r, 3) == 0.25, "knows where it is");
  brio_motor_arm(r.motor, true);
  tick(&r, 40, 0, true);
  for (int k = 0; k < atomic_load(&r.devices[0]->writes); k++)
    CHECK(isnan(r.devices[0]->told[k][0]) || r.devices[0]->told[k][0] == 1.2, "write %d: %g", k,
          r.devices[0]->told[k][0]);
  CHECK(r.devices[0]->told[300][0] == 1.2, "armed: holds there");
  CHECK_HAS(r.said, "armed");
  double jump[4] = {-1, 1, 0, 1}; /* scripts that do not know where the robot is */
  for (int k = 0; k < 1000; k++) {
    brio_motor_look(r.motor);
    brio_motor_hand_over(r.motor, jump, TICK);
    brio_motor_advance(r.motor, TICK);
  }
  brio_motor_look(r.motor);
  CHECK_NEAR(at(&r, 0), -1, 1e-6, "eases there");
  tear_down(&r, "start");
}

static void silent_scripts(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 60, 0.3, true);
  tick(&r, 100, 0.3, false);
  CHECK_HAS(r.said, "scripts_silent");
  CHECK_HAS(r.said, "brak");
  double held = at(&r, 0);
  tick(&r, 20, 0, false);
  CHECK(at(&r, 0) == held, "holds");
  tick(&r, 100, 0.3, true);
  CHECK_HAS(r.said, "scripts_back");
  CHECK(at(&r, 0) > held, "goes on");
  tear_down(&r, "silent");
}

static void panic_is_latched(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 80, 0.3, true);
  brio_panic();
  tick(&r, 40, 0.3, true);
  CHECK(rests(&r) && brio_motor_report_now(r.motor).causes == BRIO_MOTION_PANIC, "stops");
  CHECK_HAS(r.said, "panic stop");
  brio_motor_release(r.motor, BRIO_MOTION_PERSON | BRIO_MOTION_FAULT);
  tick(&r, 40, 0.3, true);
  CHECK(rests(&r), "only said explicitly it goes on");
  brio_motor_release(r.motor, BRIO_MOTION_PANIC);
  tick(&r, 40, 0.3, true);
  CHECK(!rests(&r), "goes on");
  brio_panic();
  brio_panic();
  tick(&r, 40, 0.3, true);
  CHECK(rests(&r), "and again");
  tear_down(&r, "panic");
}

static void hold_and_relax(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 80, 0.3, true);
  brio_motor_hold(r.motor, BRIO_MOTION_PERSON);
  tick(&r, 60, 0.3, true);
  CHECK(rests(&r), "holds");
  int n = atomic_load(&r.devices[0]->writes);
  CHECK(!isnan(r.devices[0]->told[n - 1][0]), "its motors hold");
  brio_motor_hold(r.motor, BRIO_MOTION_RELAX);
  tick(&r, 10, 0.3, true);
  n = atomic_load(&r.devices[0]->writes);
  CHECK(isnan(r.devices[0]->told[n - 1][0]), "they let go");
  brio_motor_release(r.motor, BRIO_MOTION_RELAX | BRIO_MOTION_PERSON);
  tick(&r, 40, 0.3, true);
  CHECK(!rests(&r), "goes on");
  tear_down(&r, "hold");
}

static void nan_poses(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 80, 0.3, true);
  double good = r.values[1];
  for (int k = 0; k < 60; k++) {
    r.values[1] = NAN;
    brio_motor_look(r.motor);
    brio_motor_hand_over(r.motor, r.values, TICK);
    brio_motor_advance(r.motor, TICK);
  }
  r.values[1] = good;
  hear(&r);
  CHECK_HAS(r.said, "pose_refused");
  CHECK(brio_motor_report_now(r.motor).taken >= 79, "good ones were taken");
  double held = at(&r, 0);
  tick(&r, 5, 0, false);
  CHECK(at(&r, 0) == held, "it braked and holds");
  tear_down(&r, "NaN");
}

static void beyond_the_limits(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 3000, 0.5, true);
  CHECK(at(&r, 0) <= 2 && at(&r, 1) <= 1 && at(&r, 1) > 0.99, "%g %g", at(&r, 0), at(&r, 1));
  CHECK(brio_motor_report_now(r.motor).clamped > 100, "counted");
  tear_down(&r, "beyond");
}

static void a_device_is_lost(void) {
  for (int goes_on = 0; goes_on < 2; goes_on++) {
    rig r;
    set_up(&r, &(brio_motor_options){.armed = true, .goes_on = goes_on}, NULL);
    tick(&r, 60, 0.1, true);
    atomic_store(&r.devices[1]->fails, 1);
    tick(&r, 150, 0.1, true);
    CHECK_HAS(r.said, "device 'body' does not answer");
    CHECK(rests(&r) == !goes_on, "the others go on: %d", goes_on);
    CHECK(brio_motor_device_now(r.motor, 1).lost && !brio_motor_device_now(r.motor, 0).lost, "which one");
    CHECK_HAS(brio_motor_device_now(r.motor, 1).error.message, "plugged in");
    int before = atomic_load(&r.devices[1]->writes);
    double where = r.devices[1]->position[0];
    atomic_store(&r.devices[1]->fails, 0);
    tick(&r, 600, 0, true);
    CHECK_HAS(r.said, "device 'body' answers again");
    CHECK(atomic_load(&r.devices[1]->opens) == 2, "it was opened anew");
    for (int k = before; k < before + 50; k++)
      CHECK(isnan(r.devices[1]->told[k][0]) || fabs(r.devices[1]->told[k][0] - where) < 0.01,
            "write %d: no jump, %g from %g", k, r.devices[1]->told[k][0], where);
    if (!goes_on) brio_motor_release(r.motor, BRIO_MOTION_FAULT);
    tick(&r, 60, -0.1, true);
    CHECK(!rests(&r), "goes on");
    recorder *lost = r.devices[1];
    atomic_store(&lost->writes, before); /* events before it; those after it began elsewhere */
    tear_down(&r, "lost");
  }
}

static void two_devices_at_once(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 60, 0.3, true);
  atomic_store(&r.devices[0]->fails, 1);
  atomic_store(&r.devices[1]->fails, 1);
  tick(&r, 150, 0.3, true);
  CHECK_HAS(r.said, "'head' does not answer");
  CHECK_HAS(r.said, "'body' does not answer");
  CHECK(rests(&r), "stops");
  atomic_store(&r.devices[0]->fails, 0);
  atomic_store(&r.devices[1]->fails, 0);
  tick(&r, 1000, 0, true);
  CHECK(rests(&r), "holds until somebody lets it go on");
  tear_down(&r, "two");
}

static void reports_stop_coming(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 60, 0.3, true);
  atomic_store(&r.devices[0]->silent, 3);
  tick(&r, 200, 0.3, true);
  CHECK_HAS(r.said, "'head' does not answer");
  CHECK(rests(&r), "stops");
  tear_down(&r, "reports");
}

/* Commands to a device in a time without reports may not have reached it: it starts where it is found, by
** itself, and does not count as stalled. */
static void after_a_short_silence_it_begins_where_it_is(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 200, 0.8, true);
  recorder *device = r.devices[0];
  double where = device->position[0];
  atomic_store(&device->silent, 3);
  tick(&r, 30, 0.8, true); /* 0.15 s: not lost yet */
  int before = atomic_load(&device->writes);
  CHECK(isnan(device->told[before - 1][0]) && at(&r, 0) > where + 0.05, "it was told more, then nothing: %g",
        at(&r, 0) - where);
  device->position[0] = where;
  atomic_store(&device->silent, 0);
  tick(&r, 200, 0.3, true);
  int first = before;
  while (first < atomic_load(&device->writes) - 1 && isnan(device->told[first][0])) first++;
  CHECK_NEAR(device->told[first][0], where, 1e-6, "it begins where it is");
  CHECK(!rests(&r), "it goes on by itself");
  CHECK_HAS(r.said, "warning: device_late: device 'head' is late by 20 ms");
  tear_down(&r, "short silence");
}

static bool all_nan(const recorder *device, int axis, int from) {
  for (int k = from; k < atomic_load(&device->writes); k++)
    if (!isnan(device->told[k][axis])) return false;
  return true;
}

/* A device that is back reports some of its axes before others: none is told anything before all that
** reported before have reported again; one that stays away is awaited for 0.25 s. */
static void axes_that_return_begin_together(void) {
  for (int comes = 0; comes < 2; comes++) {
    rig r;
    set_up(&r, &(brio_motor_options){.armed = true, .goes_on = true}, NULL);
    tick(&r, 100, 0.3, true);
    recorder *device = r.devices[0];
    atomic_store(&device->silent, 3);
    tick(&r, 30, 0.3, true);
    int before = atomic_load(&device->writes);
    atomic_store(&device->silent, 2); /* the second is still missing */
    tick(&r, 20, 0.3, true);
    CHECK(all_nan(device, 0, before) && all_nan(device, 1, before), "none begins without the others");
    if (comes) atomic_store(&device->silent, 0);
    tick(&r, 80, 0.3, true);
    int after = atomic_load(&device->writes), first = before, second = before;
    while (first < after && isnan(device->told[first][0])) first++;
    while (second < after && isnan(device->told[second][1])) second++;
    CHECK(first < after && second == (comes ? first : after), "begun at %d and %d of %d", first, second,
          after);
    tear_down(&r, "together");
  }
}

static void one_axis_stops_reporting(void) {
  for (int goes_on = 0; goes_on < 2; goes_on++) {
    rig r;
    set_up(&r, &(brio_motor_options){.armed = true, .goes_on = goes_on}, NULL);
    tick(&r, 60, 0.3, true);
    atomic_store(&r.devices[0]->silent, 2);
    tick(&r, 200, 0.05, true);
    CHECK_HAS(r.said, "error: axis_silent: tilt does not report its position");
    CHECK(rests(&r) == !goes_on, "the others go on: %d", goes_on);
    int before = atomic_load(&r.devices[0]->writes);
    r.devices[0]->position[1] = -0.5; /* a person moves it meanwhile */
    tick(&r, 40, 0.05, true);
    CHECK(all_nan(r.devices[0], 1, before), "it is told nothing");
    CHECK(goes_on ? !all_nan(r.devices[0], 0, before) : true, "the others are");
    atomic_store(&r.devices[0]->silent, 0);
    if (!goes_on) brio_motor_release(r.motor, BRIO_MOTION_FAULT);
    tick(&r, 200, 0, true);
    int first = before;
    while (isnan(r.devices[0]->told[first][1])) first++;
    CHECK_NEAR(r.devices[0]->told[first][1], -0.5, 1e-6, "it begins where it is");
    tear_down(&r, "one axis");
  }
}

/* A motor that reports that it accepts no goals gets none; the others stop, or go on. */
static void a_motor_gives_up(void) {
  for (int goes_on = 0; goes_on < 2; goes_on++) {
    rig r;
    brio_error err;
    set_up(&r, &(brio_motor_options){.armed = true, .goes_on = goes_on}, NULL);
    CHECK(brio_actuator_fault(r.actuator, "trip tilt at 0.2 for 1", &err), "%s", err.message);
    tick(&r, 150, 0.3, true);
    CHECK_HAS(r.said, "error: axis_failed: the motor of tilt gave up");
    CHECK(rests(&r) == !goes_on, "the others go on: %d", goes_on);
    int before = atomic_load(&r.devices[0]->writes);
    tick(&r, 40, 0.05, true);
    CHECK(all_nan(r.devices[0], 1, before), "it is told nothing");
    tick(&r, 200, 0, true);
    if (!goes_on) brio_motor_release(r.motor, BRIO_MOTION_FAULT);
    tick(&r, 100, 0, true);
    CHECK(!all_nan(r.devices[0], 1, atomic_load(&r.devices[0]->writes) - 20), "it is told where to go again");
    tear_down(&r, "gives up");
  }
}

static void an_axis_that_never_reports_is_told_nothing(void) {
  rig r;
  brio_error err = {0};
  set_up(&r, NULL, NULL);
  brio_motor_free(r.motor);
  atomic_store(&r.devices[0]->silent, 1);
  r.motor = brio_motor_new(
      &(brio_motor_options){.armed = true, .goes_on = true, .actuator = r.actuator, .tree = 3}, &err);
  CHECK(r.motor != NULL, "%s", err.message);
  tick(&r, 200, 0.1, true);
  CHECK_HAS(r.said, "pan does not report its position");
  CHECK(all_nan(r.devices[0], 0, 0) && !all_nan(r.devices[0], 1, 0), "pan is told nothing, tilt is");
  r.devices[0]->position[0] = 0.7;
  int before = atomic_load(&r.devices[0]->writes);
  atomic_store(&r.devices[0]->silent, 0);
  tick(&r, 200, 0, true);
  while (isnan(r.devices[0]->told[before][0])) before++;
  CHECK_NEAR(r.devices[0]->told[before][0], 0.7, 1e-6, "it begins where it is");
  tear_down(&r, "never");
}

static void alarms_react(void) {
  const brio_reaction reactions[] = {BRIO_REACTION_REPORT, BRIO_REACTION_HOLD, BRIO_REACTION_RELAX,
                                     BRIO_REACTION_PANIC};
  const unsigned causes[] = {0, BRIO_MOTION_FAULT, BRIO_MOTION_FAULT | BRIO_MOTION_RELAX, BRIO_MOTION_PANIC};
  for (int k = 0; k < 4; k++) {
    rig r;
    brio_error err;
    brio_alarm_setting alarms[BRIO_ALARM_KINDS];
    for (int i = 0; i < BRIO_ALARM_KINDS; i++)
      alarms[i] = (brio_alarm_setting){brio_alarm_kinds[i].limit, brio_alarm_kinds[i].after, reactions[k]};
    set_up(&r, &(brio_motor_options){.armed = true, .alarms = alarms}, NULL);
    CHECK(brio_actuator_fault(r.actuator, "heat 95 of pan at 0.2", &err), "%s", err.message);
    tick(&r, 400, 0.2, true);
    CHECK_HAS(r.said, "pan is at 95 C, above 80");
    CHECK(brio_motor_report_now(r.motor).causes == causes[k], "%s: causes %u",
          brio_reaction_name(reactions[k]), brio_motor_report_now(r.motor).causes);
    CHECK(rests(&r) == (k > 0), "%s", brio_reaction_name(reactions[k]));
    tear_down(&r, "alarm");
  }
}

static void lies_are_noticed(void) {
  rig r;
  brio_error err;
  set_up(&r, NULL, NULL);
  CHECK(brio_actuator_fault(r.actuator, "lie 0.6 of tilt at 0.5", &err), "%s", err.message);
  tick(&r, 400, 0.1, true);
  CHECK_HAS(r.said, "tilt is off its command by 0.6");
  CHECK(rests(&r), "stops");
  tear_down(&r, "lie");
}

static void wrong_options_are_refused(void) {
  rig r;
  brio_error err;
  set_up(&r, NULL, NULL);
  const brio_motor_options wrong[] = {{.actuator = r.actuator, .rate = 10},
                                      {.actuator = r.actuator, .rate = 5000},
                                      {.actuator = r.actuator, .tree = 5},
                                      {.actuator = r.actuator, .rate = NAN}};
  for (int i = 0; i < 4; i++) {
    brio_motor *motor = brio_motor_new(&wrong[i], &err);
    CHECK(i == 3 || (!motor && err.code == BRIO_MISUSE), "%d", i); /* no rate is the default one */
    brio_motor_free(motor);
  }
  tear_down(&r, "wrong");
}

/* Moving joints brake within their limits before their motors get no more commands;
** arming on the way goes on. */
static void disarming_brakes_first(void) {
  for (int again = 0; again < 2; again++) {
    rig r;
    set_up(&r, NULL, NULL);
    tick(&r, 100, 0.7, true);
    hear(&r);
    r.said[0] = 0;
    brio_motor_arm(r.motor, false);
    tick(&r, 2, 0.7, true);
    CHECK(brio_motor_report_now(r.motor).armed, "it still brakes");
    if (again) brio_motor_arm(r.motor, true);
    tick(&r, 100, again ? -0.7 : 0.7, true);
    hear(&r);
    int last = atomic_load(&r.devices[0]->writes) - 1;
    CHECK(isnan(r.devices[0]->told[last][0]) == !again, "told %g", r.devices[0]->told[last][0]);
    CHECK(brio_motor_report_now(r.motor).armed == again, "armed %d", again);
    CHECK((strstr(r.said, "disarmed") != NULL) == !again, "it says: %s", r.said);
    for (int k = last; k > 1 && !again; k--) {
      if (isnan(r.devices[0]->told[k - 1][0])) continue;
      CHECK(fabs(r.devices[0]->told[k - 1][0] - r.devices[0]->told[k - 2][0]) < 2e-5,
            "it rests before it is let go");
      break;
    }
    tick(&r, 100, 0, true); /* poses of a robot that is disarmed count for nothing, and are not missed */
    brio_motor_arm(r.motor, true);
    tick(&r, 20, 0, true);
    hear(&r);
    CHECK(!strstr(r.said, "scripts_silent"), "it says: %s", r.said);
    tear_down(&r, "disarming"); /* holds speeds and accelerations against the limits */
  }
}

/* A device that was behind before the gap is led along both sides of it: a path that started at rest after
** the gap would be a leap for it. */
static void a_short_gap_leaves_the_path_as_it_was(void) {
  rig r;
  set_up(&r, NULL, NULL);
  tick(&r, 100, 0.7, true);
  double before = at(&r, 0);
  brio_motor_period(r.motor, 0.001, BRIO_GAP_NONE);
  brio_motor_look(r.motor);
  double step = at(&r, 0) - before;
  CHECK(step > 0.0005, "it moves: %g rad in a period", step);
  before = at(&r, 0);
  brio_motor_period(r.motor, 0.001, BRIO_GAP_SHORT);
  brio_motor_look(r.motor);
  CHECK_NEAR(at(&r, 0) - before, step, 3e-5, "a step after the gap");
  tear_down(&r, "a short gap");
}

CHECK_SUITE(CHECK_TEST(moves_when_all_is_well), CHECK_TEST(a_short_gap_leaves_the_path_as_it_was),
            CHECK_TEST(starts_where_the_robot_is), CHECK_TEST(silent_scripts), CHECK_TEST(panic_is_latched),
            CHECK_TEST(hold_and_relax), CHECK_TEST(nan_poses), CHECK_TEST(beyond_the_limits),
            CHECK_TEST(a_device_is_lost), CHECK_TEST(two_devices_at_once), CHECK_TEST(reports_stop_coming),
            CHECK_TEST(one_axis_stops_reporting),
            CHECK_TEST(after_a_short_silence_it_begins_where_it_is),
            CHECK_TEST(axes_that_return_begin_together), CHECK_TEST(a_motor_gives_up),
            CHECK_TEST(an_axis_that_never_reports_is_told_nothing), CHECK_TEST(alarms_react),
            CHECK_TEST(lies_are_noticed), CHECK_TEST(wrong_options_are_refused),
            CHECK_TEST(disarming_brakes_first))
