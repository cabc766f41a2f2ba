/* Alarms of the motor side, on a device that this test plays: its exchanges take long, it is behind its
** commands, reports are lost. All in the time of the test. */
#include "drivers/actuator/actuator.h"
#include "runtime/motor/motor.h"
#include "runtime/motor/motor_internal.h"
#include "tests/check.h"

#define TICK 0.005
#define H 0.001
#define LIMIT 0.3

static const brio_axis axes[2] = {{"pan", -3, 3, 3, 20, 0}, {"tilt", -3, 3, 3, 20, 0}};

static void *silent_open(const brio_axis *given, int count, const double *settings, uint64_t seed,
                        void *context, brio_error *err) {
  (void)given, (void)count, (void)settings, (void)seed, (void)err;
  return context;
}
static bool silent_write(void *device, const double *targets, brio_error *err) {
  return (void)device, (void)targets, (void)err, true;
}
static bool silent_read(void *device, brio_axis_state *states, brio_error *err) {
  (void)device, (void)err;
  for (int i = 0; i < 2; i++) states[i] = (brio_axis_state){.valid = true};
  return true;
}
static void silent_close(void *device) { (void)device; }

static const brio_driver_kind silent_kind = {.name = check_own,
                                            .doc = "Played by the test.",
                                            .simulated = true,
                                            .open = silent_open,
                                            .write = silent_write,
                                            .read = silent_read,
                                            .close = silent_close};

enum { BEHIND = 256 /* ms of targets that wait for the device, at most */ };

/* The device: it is asked again as soon as it has answered. `late`: its targets wait for that long, from
** `from` to `to`. */
typedef struct line {
  double every, late, from, to;        /* s */
  double waiting[BEHIND][2];           /* by ms: targets */
  double frame[2], place[2], seen[2];  /* what it got, where it is, what it measured */
  double began, returns;               /* of the exchange, s */
  double heat;                         /* C; NaN: it does not report it */
  bool stuck;                          /* the first axis */
} line;

typedef struct rig {
  brio_actuator *actuator;
  brio_motor *motor;
  double goals[2], time;
  line line;
} rig;

static void set_up(rig *r, line l) {
  brio_error err = {0};
  static int context;
  brio_actuator_options options = {.kind = &silent_kind, .axes = axes, .count = 2, .context = &context};
  *r = (rig){.line = l};
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->actuator != NULL, "%s", err.message);
  r->motor = brio_motor_new(&(brio_motor_options){.actuator = r->actuator, .tree = 2, .armed = true}, &err);
  CHECK(r->motor != NULL, "%s", err.message);
  if (r->motor) r->motor->buses[0].runs = true; /* by the test */
  r->line.returns = INFINITY;
}

static void tear_down(rig *r) {
  r->motor->buses[0].runs = false;
  brio_motor_free(r->motor);
  brio_actuator_close(r->actuator);
}

/* The targets of now, or those that waited. */
static void begin_exchange(rig *r, int n) {
  line *l = &r->line;
  bool behind = r->time >= l->from && r->time < l->to;
  int back = behind ? (int)lround(l->late / H) : 0;
  for (int i = 0; i < 2; i++) l->frame[i] = l->waiting[(n + BEHIND - back) % BEHIND][i];
  l->began = r->time;
  l->returns = r->time + l->every;
}

/* Answer as a bus does (bus.c). */
static void answer(rig *r) {
  line *l = &r->line;
  brio_motor_bus *bus = &r->motor->buses[0];
  brio_motor_answer *a = brio_triple_back(&bus->answers);
  bool behind = r->time >= l->from && r->time < l->to;
  a->any = a->well = true;
  a->lag = behind ? l->late : 0;
  a->patience = 1.5 * l->every;
  a->at = (int64_t)(l->began * 1e9) + 1;
  for (int i = 0; i < 2; i++) {
    a->states[i] = (brio_axis_state){.position = l->seen[i], .valid = true, .temperature = l->heat,
                                     .knows = isnan(l->heat) ? 0 : BRIO_KNOWS_TEMPERATURE};
    ((double *)(void *)(a->states + 2))[i] = l->frame[i];
  }
  brio_triple_publish(&bus->answers);
  l->returns = INFINITY;
}

/* One ms of the device: motors follow what they got; the exchange goes on, unless it is cut. */
static void pass(rig *r, int n, bool cut) {
  line *l = &r->line;
  brio_motor_bus *bus = &r->motor->buses[0];
  brio_triple_fetch(&bus->told);
  const brio_motor_telling *told = brio_triple_front(&bus->told);
  for (int i = 0; i < 2; i++) {
    l->waiting[n % BEHIND][i] = told->numbers[i];
    double v = fmax(-3, fmin(3, (l->frame[i] - l->place[i]) / 0.03));
    if (isfinite(l->frame[i]) && !(l->stuck && i == 0)) l->place[i] += v * H;
  }
  if (isinf(l->returns)) {
    begin_exchange(r, n);
    memcpy(l->seen, l->place, sizeof l->seen);
  } else if (r->time >= l->returns - H / 2) {
    if (!cut) answer(r);
    else l->returns += l->every; /* asked again */
  }
}

/* Scripts move both joints as `speed` s, and go on from the commands where the motor side says so. */
static void tick(rig *r, double speed) {
  int count;
  const brio_actuator_axis *state = brio_actuator_axes(r->actuator, &count);
  if (brio_motor_look(r->motor))
    for (int i = 0; i < 2; i++) r->goals[i] = state[i].command;
  for (int i = 0; i < 2; i++) r->goals[i] += speed * TICK;
  brio_motor_hand_over(r->motor, r->goals, TICK);
}

/* Whether an alarm of this kind came since the last call. */
static bool alarmed(rig *r, int kind) {
  brio_motor_event event;
  bool any = false;
  while (brio_motor_event_next(r->motor, &event))
    any = any || (event.kind == BRIO_MOTOR_ALARM && event.alarm == kind);
  return any;
}

static int kind_named(const char *name) {
  brio_error err;
  return brio_alarm_find(name, &err);
}

/* A joint that stands still is noticed 0.3 s and an interval after its device has told it to be elsewhere,
** however far its commands are behind those of the scripts, and with lost reports. */
static void stalls_are_noticed_in_time(void) {
  const double intervals[] = {0.005, 0.016, 0.033, 0.05, 0.1};
  int noticed = 0, cases = 0, error = kind_named("tracking_error");
  for (int k = 0; k < (int)(60 * fmin(check_scale(), 10)); k++) {
    rig r;
    double off = INFINITY, at = INFINITY, begins = 0.5 + 0.0137 * (k % 17);
    line l = {.every = intervals[k % 5], .late = 0.03 * (k / 5 % 6), .from = begins, .to = begins + 0.6,
              .heat = NAN};
    int lost = 0, exchanges = 0;
    set_up(&r, l);
    for (int n = 0; n < 2500 && isinf(at); n++) {
      if (n % 5 == 0) tick(&r, 1.2);
      r.time = n * H;
      r.line.stuck = r.time >= begins;
      bool ends = r.time >= r.line.returns - H / 2;
      bool cut = ends && r.line.stuck && exchanges++ % 20 == k % 20;
      pass(&r, n, cut);
      brio_motor_advance(r.motor, H);
      bool is_off = fabs(r.line.frame[0] - r.line.place[0]) > LIMIT;
      if (!is_off) off = INFINITY, lost = 0;
      else if (isinf(off)) off = r.time;
      lost += is_off && cut;
      if (alarmed(&r, error)) at = r.time;
      double bound = 0.3 + (1 + lost) * l.every + 0.005;
      CHECK(!is_off || r.time - off <= bound,
            "case %d: a report every %g s, %g s behind, %d lost: not within %g s", k, l.every, l.late, lost,
            bound);
    }
    tear_down(&r);
    noticed += isfinite(at);
    cases++;
  }
  CHECK(noticed > cases * 8 / 10, "%d of %d", noticed, cases);
}

/* A device that falls silent now and then, so that its axes have to be found again: what they reported of
** their motors counts on. */
static void heat_is_noticed_through_silences(void) {
  rig r;
  double hot = INFINITY, at = INFINITY;
  int heat = kind_named("over_temperature");
  set_up(&r, (line){.every = 0.02, .heat = 40});
  r.motor->alarm.settings[heat].after = 0.8;
  for (int n = 0; n < 4000 && isinf(at); n++) {
    if (n % 5 == 0) tick(&r, 0.2);
    r.time = n * H;
    if (r.time >= 1) r.line.heat = 95, hot = fmin(hot, r.time);
    pass(&r, n, n % 400 < 150);
    brio_motor_advance(r.motor, H);
    if (alarmed(&r, heat)) at = r.time;
  }
  CHECK(at - hot < 0.8 + 4 * 0.15, "hot at %g s, noticed at %g s", hot, at);
  tear_down(&r);
}

/* A motor that follows raises none, however far its device is behind, and however long exchanges take. */
static void slow_devices_raise_none(void) {
  for (int k = 0; k < 12; k++) {
    rig r;
    line l = {.every = 0.01 + 0.01 * k, .late = 0.02 * (k % 7), .from = 1, .to = 1.6, .heat = NAN};
    set_up(&r, l);
    for (int n = 0; n < 3000; n++) {
      r.time = n * H;
      if (n % 5 == 0) tick(&r, 1.5 * sin(3 * r.time));
      pass(&r, n, n % 700 < 2);
      brio_motor_advance(r.motor, H);
      CHECK(!alarmed(&r, kind_named("tracking_error")), "case %d: at %g s", k, r.time);
    }
    tear_down(&r);
  }
}

CHECK_SUITE(CHECK_TEST(stalls_are_noticed_in_time), CHECK_TEST(heat_is_noticed_through_silences),
            CHECK_TEST(slow_devices_raise_none))
