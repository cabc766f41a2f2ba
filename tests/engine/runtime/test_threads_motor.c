/* The motor side with its threads: poses and commands pass while devices block and fail, the panic stop works
** whatever the scripts' side does, and all threads end in time. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "recorder.h"
#include "runtime/motor/motor.h"
#include "runtime/motor/panic.h"

#define TICK 0.005

static const brio_axis axes[4] = {
    {"pan", -2, 2, 2, 10, 0}, {"tilt", -1, 1, 2, 8, 0}, {"lift", -1, 1, 1, 20, 0}, {"ear", 0, 1, 5, 100, 0}};

typedef struct rig {
  recorder *devices[2];
  brio_driver_kind kinds[2];
  brio_actuator *actuator;
  brio_motor *motor;
  double values[4], speed;
} rig;

static void set_up_at(rig *r, double rate) {
  static const char *head[] = {"pan", "tilt"}, *rest[] = {"lift", "ear"};
  brio_error err = {0};
  memset(r, 0, sizeof *r);
  brio_actuator_device devices[2] = {{.name = "head", .kind = &r->kinds[0], .axes = head, .count = 2},
                                     {.name = "body", .kind = &r->kinds[1], .axes = rest, .count = 2}};
  for (int d = 0; d < 2; d++) r->devices[d] = calloc(1, sizeof *r->devices[d]), r->kinds[d] = recorder_kind;
  brio_actuator_options options = {.kind = &r->kinds[0],
                                   .axes = axes,
                                   .count = 4,
                                   .devices = devices,
                                   .ndevice = 2,
                                   .context = r->devices[0]};
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->actuator != NULL, "%s", err.message);
  int n;
  brio_device *opened = brio_actuator_devices(r->actuator, &n);
  opened[1].context = r->devices[1];
  opened[1].handle = recorder_open(NULL, 2, NULL, 0, r->devices[1], &err);
  brio_motor_options all = {.armed = true, .actuator = r->actuator, .tree = 3, .goes_on = true, .rate = rate};
  r->motor = brio_motor_new(&all, &err);
  CHECK(r->motor && brio_motor_start(r->motor, &err), "%s", err.message);
}

static void set_up(rig *r) { set_up_at(r, 0); }

static void tear_down(rig *r) {
  brio_motor_stop(r->motor);
  brio_motor_stop(r->motor); /* once more does nothing */
  brio_motor_free(r->motor);
  brio_actuator_close(r->actuator);
  for (int d = 0; d < 2; d++) free(r->devices[d]);
}

static void nap(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
}

/* Tick on in real time. */
static void tick(rig *r, int ticks, double speed) {
  int n;
  for (int k = 0; k < ticks; k++) {
    const brio_actuator_axis *state = brio_actuator_axes(r->actuator, &n);
    if (brio_motor_look(r->motor)) {
      for (int i = 0; i < 4; i++) r->values[i] = state[i].command;
      r->speed = 0;
    }
    r->speed += fmin(fmax(speed - r->speed, -7 * TICK), 7 * TICK);
    for (int i = 0; i < 3; i++) r->values[i] += r->speed * TICK;
    brio_motor_hand_over(r->motor, r->values, TICK);
    nap(TICK);
  }
  brio_motor_look(r->motor);
}

static double at(const rig *r, int axis) {
  int n;
  return brio_actuator_axes(r->actuator, &n)[axis].command;
}

static bool said(rig *r, brio_motor_event_kind kind) {
  brio_motor_event event;
  bool found = false;
  while (brio_motor_event_next(r->motor, &event)) found = found || event.kind == kind;
  return found;
}

/* Whether the robot rests: its first axis gets the same command over this many periods of the motor side. */
static bool rests(rig *r, int periods) {
  brio_motor_look(r->motor);
  double held = at(r, 0);
  int64_t until = brio_motor_report_now(r->motor).periods + periods;
  CHECK_AWAIT(brio_motor_report_now(r->motor).periods >= until, brio_motor_look(r->motor),
              "the motor side stands still");
  return at(r, 0) == held;
}

/* Wait for an event of the motor side, with a look at it in each round. */
#define AWAIT_SAID(r, kind)                                                              \
  do {                                                                                   \
    bool came = false;                                                                   \
    CHECK_AWAIT((came = came || said(r, kind)), brio_motor_look((r)->motor), "it is not said"); \
  } while (0)

/* Move it with poses until it has moved.  A stall of the machine makes the scripts silent: then it goes on
** from where it holds. */
static void lead(rig *r, double speed, double to) {
  CHECK_AWAIT(at(r, 0) > to, tick(r, 1, speed), "it is at %g", at(r, 0));
}

static void commands_arrive(void) {
  rig r;
  set_up(&r);
  lead(&r, 0.5, 0.02);
  brio_motor_report report = {0};
  CHECK_AWAIT((report = brio_motor_report_now(r.motor),
              report.threaded && report.periods > 100 && report.taken > 20), tick(&r, 1, 0.5),
              "%d periods, %d poses", (int)report.periods, (int)report.taken);
  CHECK_AWAIT(atomic_load(&r.devices[1]->writes) > 50, tick(&r, 1, 0), "%d writes",
              atomic_load(&r.devices[1]->writes));
  tear_down(&r);
}

/* No poses for long: it brakes and holds. */
static void silence_stops(void) {
  rig r;
  set_up(&r);
  lead(&r, 0.5, 0.1);
  AWAIT_SAID(&r, BRIO_MOTOR_SILENT);
  CHECK_AWAIT(rests(&r, 100), (void)0, "it moves on, at %g", at(&r, 0));
  CHECK(brio_motor_report_now(r.motor).silent, "the scripts are silent");
  tear_down(&r);
}

/* While a device does not return from a write, the others go on. */
static void a_blocking_device_stalls_only_itself(void) {
  rig r;
  set_up(&r);
  tick(&r, 20, 0.2);
  atomic_store(&r.devices[1]->blocks, 1);
  CHECK_AWAIT(atomic_load(&r.devices[1]->blocked) > 0, tick(&r, 1, 0.2), "it is not written to");
  int before = atomic_load(&r.devices[0]->writes), slow = atomic_load(&r.devices[1]->writes);
  double from = at(&r, 0);
  lead(&r, 0.2, from + 0.02);
  CHECK_AWAIT(atomic_load(&r.devices[0]->writes) > before + 40, tick(&r, 1, 0), "%d writes",
              atomic_load(&r.devices[0]->writes) - before);
  CHECK(atomic_load(&r.devices[1]->writes) == slow, "it was written to");
  nap(0.1); /* so long it blocks at least, by any clock */
  atomic_store(&r.devices[1]->blocks, 0);
  CHECK_AWAIT(brio_motor_device_now(r.motor, 1).stats.slowest > 0.09, tick(&r, 1, 0),
              "it does not show: %g s",
              brio_motor_device_now(r.motor, 1).stats.slowest);
  tear_down(&r);
}

/* Stop this process for a while, from another one. */
static void stand_still(double seconds) {
  pid_t self = getpid(), other = fork();
  if (other == 0) {
    kill(self, SIGSTOP);
    nap(seconds);
    kill(self, SIGCONT);
    _exit(0);
  }
  CHECK(other > 0 && waitpid(other, NULL, 0) == other, "there is no other process");
}

/* A device that catches up gets the speeds of its own targets: the newest may rest already, and at their
** speed a servo would not follow. */
static void speeds_are_those_of_the_targets(void) {
  rig r;
  set_up(&r);
  lead(&r, 0.9, 0.2);
  recorder *body = r.devices[1];
  stand_still(0.06);
  int first = atomic_load(&body->writes) + 1;
  CHECK_AWAIT(rests(&r, 100), tick(&r, 10, 0), "it moves on, at %g", at(&r, 0));
  double moved = 0;
  for (int k = first + 1, n = atomic_load(&body->writes); k < n; k++) {
    double way = fabs(body->told[k % RECORDED][0] - body->told[(k - 1) % RECORDED][0]);
    double dt = fmax(body->at[k % RECORDED] - body->at[(k - 1) % RECORDED], 1e-3);
    if (isnan(way) || way < 5e-5) continue; /* it stands, or nearly */
    moved += way;
    CHECK(body->speeds[k % RECORDED][0] > 0.5 * way / dt, "write %d goes on by %g in %g s, at a speed of %g",
          k, way, dt, body->speeds[k % RECORDED][0]);
  }
  CHECK(moved > 0.01, "it moved by %g", moved);
  tear_down(&r);
}

/* Targets that are out of date at sending are dropped; newer ones are sent, and it is no failure. */
static void late_targets_are_made_anew(void) {
  rig r;
  set_up(&r);
  lead(&r, 0.3, 0.02);
  recorder *body = r.devices[1];
  int late = atomic_load(&body->late); /* of a machine that stalls */
  atomic_store(&body->hesitates_us, 10000);
  CHECK_AWAIT(atomic_load(&body->late) > late, tick(&r, 1, 0.3), "no target was out of date");
  int writes = atomic_load(&body->writes);
  CHECK_AWAIT(atomic_load(&body->writes) > writes, tick(&r, 1, 0.3), "nothing newer is sent");
  double sent = body->told[writes % RECORDED][0], kept = body->late_target[0];
  CHECK(isnan(sent) || sent >= kept, "%g is sent after %g was out of date", sent, kept);
  CHECK(brio_motor_device_now(r.motor, 1).stats.failures == 0, "it counts as a failure");
  tear_down(&r);
}

/* The speed between two writes of a device's first axis, 1/s. */
static double speed_at(const recorder *device, int k) {
  int a = (k - 1) % RECORDED, b = k % RECORDED;
  return (device->told[b][0] - device->told[a][0]) / (device->at[b] - device->at[a]);
}

/* The first write from `first` on that came 18 to 19.9 ms after the one before, followed by two in time; -1:
** there is none. */
static int find_delayed(const recorder *device, int first) {
  for (int k = first; k + 2 < atomic_load(&device->writes); k++) {
    double gaps[3];
    for (int i = 0; i < 3; i++)
      gaps[i] = device->at[(k + i) % RECORDED] - device->at[(k + i - 1) % RECORDED];
    if (gaps[0] > 0.018 && gaps[0] < 0.0199 && gaps[1] < 0.006 && gaps[2] < 0.006) return k;
  }
  return -1;
}

/* A frame that leaves before the arm rests leads on, and so do those after it, although the call returns
** later: the time at which the bytes leave counts. */
static void frames_in_time_go_on(void) {
  rig r;
  set_up_at(&r, 1000);
  recorder *body = r.devices[1];
  int judged = 0;
  for (int tries = 0; tries < 60 && judged < 3; tries++) {
    double speed = tries / 2 % 2 ? -0.8 : 0.8;
    tick(&r, 50, speed);
    int n = atomic_load(&body->writes);
    atomic_store(&body->lingers_us, 0);
    atomic_store(&body->hesitates_us, 18400);
    CHECK_AWAIT(atomic_load(&body->hesitates_us) == 0, tick(&r, 1, speed), "nothing is sent");
    atomic_store(&body->lingers_us, 1800);
    CHECK_AWAIT(atomic_load(&body->writes) > n + 10, tick(&r, 1, speed), "nothing is sent");
    int k = find_delayed(body, n);
    /* The machine stalled, or the robot hardly moved, or braked. */
    if (k < 0 || fabs(speed_at(body, k - 1)) < 0.2 || speed_at(body, k) / speed_at(body, k - 1) < 0.8)
      continue;
    judged++;
    CHECK(speed_at(body, k + 2) / speed_at(body, k - 1) > 0.3, "try %d: %g after %g and %g", tries,
          speed_at(body, k + 2), speed_at(body, k), speed_at(body, k - 1));
  }
  printf("# %d frames judged\n", judged);
  tear_down(&r);
}

static void a_dead_device_is_lost_and_returns(void) {
  rig r;
  bool told = false;
  set_up(&r);
  tick(&r, 20, 0.2);
  atomic_store(&r.devices[1]->fails, 1);
  CHECK_AWAIT(brio_motor_device_now(r.motor, 1).lost && (told = told || said(&r, BRIO_MOTOR_LOST)),
              tick(&r, 1, 0.2), "it is not lost");
  atomic_store(&r.devices[1]->fails, 0);
  CHECK_AWAIT(!brio_motor_device_now(r.motor, 1).lost, tick(&r, 1, 0), "it does not return");
  AWAIT_SAID(&r, BRIO_MOTOR_FOUND);
  tear_down(&r);
}

/* A driver that switches many motors on a slow line takes longer than a device may be silent: no loss. */
static void motors_may_take_long_to_switch(void) {
  rig r;
  set_up(&r);
  tick(&r, 20, 0);
  recorder *body = r.devices[1];
  brio_motor_arm(r.motor, false);
  CHECK_AWAIT(!brio_motor_report_now(r.motor).armed, tick(&r, 1, 0), "it stays armed");
  CHECK_AWAIT(isnan(body->told[(atomic_load(&body->writes) - 1) % RECORDED][0]), tick(&r, 1, 0),
              "it is told");
  atomic_store(&body->switches_us, 400000);
  int powered = atomic_load(&body->powered);
  said(&r, BRIO_MOTOR_LOST); /* of a machine that stalled before */
  brio_motor_arm(r.motor, true);
  bool lost = false;
  CHECK_AWAIT(atomic_load(&body->powered) > powered,
              (lost = said(&r, BRIO_MOTOR_LOST) || lost, tick(&r, 1, 0)), "its motors are not switched");
  int writes = atomic_load(&body->writes);
  CHECK_AWAIT(!isnan(body->told[(atomic_load(&body->writes) - 1) % RECORDED][0]), tick(&r, 1, 0),
              "it is told nothing after write %d", writes);
  CHECK(!lost && !said(&r, BRIO_MOTOR_LOST), "it is lost meanwhile");
  tear_down(&r);
}

/* The scripts' thread is idle; the signal comes from outside. */
static void panic_by_signal_while_scripts_spin(void) {
  rig r;
  brio_error err;
  set_up(&r);
  CHECK(brio_panic_on_signal(&err), "%s", err.message);
  lead(&r, 0.5, 0.1);
  kill(getpid(), SIGUSR1);
  int writes = atomic_load(&r.devices[0]->writes);
  CHECK_AWAIT(atomic_load(&r.devices[0]->writes) > writes + 200, (void)0, "%d writes",
              atomic_load(&r.devices[0]->writes) - writes);
  brio_motor_look(r.motor);
  CHECK(brio_motor_report_now(r.motor).causes & BRIO_MOTION_PANIC, "panic");
  CHECK(brio_motor_report_now(r.motor).settled, "rests");
  brio_motor_release(r.motor, BRIO_MOTION_PANIC);
  double held = at(&r, 0);
  CHECK_AWAIT(at(&r, 0) > held, tick(&r, 1, 0.5), "it does not go on when it is let go");
  tear_down(&r);
}

/* A driver that does not return does not keep the robot's run from ending. */
static void a_driver_that_never_returns_is_left_behind(void) {
  static rig r; /* the abandoned memory is used until its thread returns */
  set_up(&r);
  tick(&r, 20, 0.2);
  atomic_store(&r.devices[1]->blocks, 1);
  CHECK_AWAIT(atomic_load(&r.devices[1]->blocked) > 0, (void)0, "nothing is written to it");
  int n, writes = atomic_load(&r.devices[1]->writes);
  brio_motor_stop(r.motor); /* waits for it for a while */
  CHECK(said(&r, BRIO_MOTOR_STUCK), "and is said");
  CHECK(brio_actuator_devices(r.actuator, &n)[1].stuck && !brio_actuator_devices(r.actuator, &n)[0].stuck,
        "it alone");
  brio_motor_free(r.motor);
  brio_actuator_close(r.actuator);
  CHECK(atomic_load(&r.devices[1]->writes) == writes, "it returned");
  atomic_store(&r.devices[1]->blocks, 0);
  CHECK_AWAIT(atomic_load(&r.devices[1]->writes) == writes + 1, (void)0,
              "its thread returns one day, and ends");
}

static double seconds_since(int64_t began) { return (double)(brio_clock_monotonic() - began) * 1e-9; }

/* Periods and time agree: there are not too many periods, and those lost in a stall of the
** machine are counted. */
static void check_clock(rig *r, double rate, int64_t before, int64_t after) {
  brio_motor_report report = brio_motor_report_now(r->motor);
  double longest = seconds_since(before);
  CHECK((double)report.periods <= 1.1 * rate * longest + 2, "%g Hz: %d periods in %g s", rate,
        (int)report.periods, longest);
  double seconds = seconds_since(after);
  CHECK_AWAIT((report = brio_motor_report_now(r->motor),
              (double)(report.periods + report.lost) > 0.9 * rate * seconds - 2), tick(r, 1, 0),
              "%g Hz: %d periods and %d lost in %g s", rate, (int)report.periods, (int)report.lost, seconds);
}

/* The slowest and the fastest possible clock: the robot moves as fast as its poses, and
** rests without poses. */
static void slow_and_fast_clocks(void) {
  static const double rates[] = {50, 2000};
  for (int k = 0; k < 2; k++) {
    rig r;
    int64_t before = brio_clock_monotonic();
    set_up_at(&r, rates[k]);
    int64_t after = brio_clock_monotonic();
    tick(&r, 100, 0.5);
    CHECK(at(&r, 0) < 0.26, "%g Hz: it moved by %g", rates[k], at(&r, 0));
    check_clock(&r, rates[k], before, after);
    lead(&r, 0.5, 0.02);
    AWAIT_SAID(&r, BRIO_MOTOR_SILENT);
    CHECK_AWAIT(rests(&r, 20), (void)0, "%g Hz: it moves on, at %g", rates[k], at(&r, 0));
    double held = at(&r, 0);
    int last = atomic_load(&r.devices[0]->writes) - 1;
    CHECK(fabs(r.devices[0]->told[last % RECORDED][0] - held) < 1e-12,
          "%g Hz: its device holds where it should", rates[k]);
    tear_down(&r);
  }
}

CHECK_SUITE(CHECK_TEST(commands_arrive), CHECK_TEST(silence_stops),
            CHECK_TEST(a_blocking_device_stalls_only_itself), CHECK_TEST(late_targets_are_made_anew),
            CHECK_TEST(speeds_are_those_of_the_targets), CHECK_TEST(frames_in_time_go_on),
            CHECK_TEST(a_dead_device_is_lost_and_returns), CHECK_TEST(motors_may_take_long_to_switch),
            CHECK_TEST(panic_by_signal_while_scripts_spin),
            CHECK_TEST(slow_and_fast_clocks), CHECK_TEST(a_driver_that_never_returns_is_left_behind))
