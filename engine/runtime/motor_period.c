/* What the motor side does in a period: orders, poses, reports, what is watched, the next commands,
** the buses, the state that goes out.  Here nothing allocates, blocks or touches a file. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "runtime/motor_internal.h"
#include "runtime/panic.h"

enum { SHARES_EVERY = 128 /* periods */, SURE = 3 /* answers: the first may have waited on the line since long ago */ };

#define NO_ANSWER 0.25   /* s after which a device that says nothing counts as lost */
#define TELL_AGAIN 1.0   /* s between two reports of refused poses, two complaints of a device */
#define SAY_AGAIN 10.0   /* s between two of the same complaint */

/* An axis is told where to be as long as the scripts want it on and it says where it is. */
static void see(brio_motor *motor, int axis, bool blind) {
  motor->blind[axis] = blind;
  if (blind) motor->known[axis] = brio_alarm_unknown;
  brio_motion_turn_on(&motor->motion, axis, motor->wanted_on[axis] && !blind);
}

/* A panic stop stays while one of the lines that mean it asks for it. */
static void release(brio_motor *motor, unsigned causes) {
  bool keeps = (causes & motor->motion.causes & BRIO_MOTION_PANIC) && brio_motor_panic_asked(motor);
  if (keeps) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_LINE_KEEPS});
  brio_motion_release(&motor->motion, keeps ? causes & ~(unsigned)BRIO_MOTION_PANIC : causes);
}

/* Whether a device has not taken yet how its motors count from now on.  One that is lost does so before it is told
** anything. */
static bool remaps(const brio_motor *motor) {
  for (int b = 0; b < motor->nbus; b++) {
    const brio_motor_bus *bus = &motor->buses[b];
    if (!bus->lost && atomic_load_explicit(&bus->remapped, memory_order_acquire) != atomic_load_explicit(&bus->remap, memory_order_acquire))
      return true;
  }
  return false;
}

/* Arming waits for devices that are about to count otherwise; disarming, until all rest. */
static void arm(brio_motor *motor, bool on) {
  motor->arms = on && remaps(motor);
  if (!motor->arms) brio_motion_arm(&motor->motion, on);
}

static void follow(brio_motor *motor, const brio_motor_order *order) {
  brio_motion *motion = &motor->motion;
  switch (order->kind) {
    case BRIO_MOTOR_ORDER_HOLD: brio_motion_hold(motion, order->causes); break;
    case BRIO_MOTOR_ORDER_RELEASE: release(motor, order->causes); break;
    case BRIO_MOTOR_ORDER_LIMITS: brio_motion_set_limits(motion, order->axis, &order->limits); break;
    case BRIO_MOTOR_ORDER_ON:
      motor->wanted_on[order->axis] = order->on;
      see(motor, order->axis, motor->blind[order->axis]);
      break;
    case BRIO_MOTOR_ORDER_ARM: arm(motor, order->on); break;
  }
}

static void take_orders(brio_motor *motor) {
  brio_motor_order order;
  unsigned panics = motor->counted && !motor->threaded ? motor->panics_told : brio_panic_count(), before = motor->motion.causes;
  while (brio_ring_get(&motor->orders, &order)) follow(motor, &order);
  if (motor->arms) arm(motor, true);
  if (panics != motor->panics) {
    bool again = motor->motion.causes & BRIO_MOTION_PANIC;
    motor->panics = panics;
    brio_motion_hold(&motor->motion, BRIO_MOTION_PANIC);
    if (!again) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_PANIC});
  }
  if (before & ~(unsigned)BRIO_MOTION_WAIT && !motor->motion.causes) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_GOES_ON});
}

static void note_taken(brio_motor *motor, int64_t made) {
  motor->newest_made = made;
  if (!motor->threaded) return;
  motor->taken_at = brio_clock_monotonic();
  brio_histogram_add(&motor->wait, (double)(motor->taken_at - made) * 1e-3);
}

/* The devices are told what the newest pose came to. */
static void note_told(brio_motor *motor) {
  if (motor->taken_at) brio_histogram_add(&motor->work, (double)(brio_clock_monotonic() - motor->taken_at) * 1e-3);
  motor->taken_at = 0;
}

static void take_poses(brio_motor *motor) {
  while (brio_ring_get(&motor->poses, motor->pose)) {
    const brio_motor_pose *pose = motor->pose;
    if (brio_motion_put(&motor->motion, pose->numbers, pose->numbers + motor->count, pose->dt, pose->anew)) note_taken(motor, pose->made);
  }
  if (motor->motion.refused == motor->refused) return;
  if (motor->refused == 0 || motor->motion.refused - motor->refused >= (int64_t)(TELL_AGAIN * 200))
    brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_REFUSED});
  motor->refused = motor->motion.refused;
}

/* Where the axes of a device are is not known any more. */
static void go_blind(brio_motor *motor, brio_motor_bus *bus) {
  bus->answered = 0;
  for (int i = 0; i < bus->device->count; i++) see(motor, bus->device->axes[i], true);
}

/* A device was lost, or is back: its axes are told nothing meanwhile, and begin where they are. */
static void note_loss(brio_motor *motor, int number, bool lost, double away) {
  brio_motor_bus *bus = &motor->buses[number];
  bus->lost = lost;
  brio_motor_news(motor, (brio_motor_event){.kind = lost ? BRIO_MOTOR_LOST : BRIO_MOTOR_FOUND, .which = number, .value = away});
  if (lost) go_blind(motor, bus);
  if (lost && !motor->goes_on) brio_motion_hold(&motor->motion, BRIO_MOTION_FAULT);
}

/* One axis of a device that answers says nothing for long: as if it were a device of its own. */
static void miss_axis(brio_motor *motor, int axis) {
  see(motor, axis, true);
  if (!motor->wanted_on[axis]) return;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_AXIS_SILENT, .which = axis});
  if (!motor->goes_on) brio_motion_hold(&motor->motion, BRIO_MOTION_FAULT);
}

/* A motor says that it takes no goal any more, or that it does again. */
static void note_failed(brio_motor *motor, int axis, bool failed) {
  motor->failed[axis] = failed;
  if (!failed || motor->blind[axis]) return;
  see(motor, axis, true);
  if (!motor->wanted_on[axis]) return;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_AXIS_FAILED, .which = axis});
  if (!motor->goes_on) brio_motion_hold(&motor->motion, BRIO_MOTION_FAULT);
}

/* What a device complained of in an exchange, and goes on: what made it fail belongs to its loss. */
static void hear_complaint(brio_motor *motor, int number, const brio_motor_answer *answer) {
  brio_motor_bus *bus = &motor->buses[number];
  if (!answer->any || !answer->well || answer->stats.failures == bus->failures) return;
  bus->failures = answer->stats.failures;
  bool same = strncmp(bus->complaint, answer->error.message, sizeof bus->complaint - 1) == 0;
  double since = bus->complaint[0] ? motor->time - bus->complained : INFINITY;
  if (answer->error.code != BRIO_DEVICE || since < (same ? SAY_AGAIN : TELL_AGAIN)) return;
  bus->complained = motor->time;
  memcpy(bus->complaint, answer->error.message, sizeof bus->complaint - 1);
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_COMPLAINS, .which = number});
}

/* Whether a bus reported anything of its axes. */
static bool any_valid(const brio_motor *motor, const brio_motor_bus *bus) {
  bool any = bus->device->count == 0;
  for (int i = 0; i < bus->device->count; i++) any = any || motor->states[bus->device->axes[i]].valid;
  return any;
}

/* Look at which axes of a device report.  One that is outside the tree may have no way to say where it is: it is
** led all the same while its device answers.  A device that is back must have answered a few times: what it says first
** may be from before it was lost.  An exchange in which it said nothing is no answer. */
static void look_at_axes(brio_motor *motor, brio_motor_bus *bus, bool fresh, double h) {
  bus->answered += fresh && any_valid(motor, bus);
  bool sure = bus->answered >= SURE;
  for (int i = 0; i < bus->device->count && !bus->lost; i++) {
    int axis = bus->device->axes[i];
    bool valid = motor->states[axis].valid || axis >= motor->tree, blind = motor->blind[axis];
    double unseen = motor->unseen[axis];
    motor->unseen[axis] = fresh && valid ? 0 : unseen + h;
    bool failed = motor->states[axis].valid ? motor->states[axis].failed : motor->failed[axis];
    if (fresh && failed != motor->failed[axis]) note_failed(motor, axis, failed);
    else if (fresh && valid && blind && sure && !failed) see(motor, axis, false);
    else if (unseen <= NO_ANSWER && motor->unseen[axis] > NO_ANSWER) miss_axis(motor, axis);
  }
}

/* What counts as 1 of an axis: outside the tree, where a unit may be a 255th of a light, half of the range where that is more. */
static double unit_of(const brio_motor *motor, int i) {
  const brio_motion_axis *axis = &motor->motion.axes[i];
  double half = (axis->given.upper - axis->given.lower) / 2;
  return i >= motor->tree && isfinite(half) ? fmax(1, half) : 1;
}

/* What is watched of an axis is what it said last, until it says something else: reports may come seldom, get lost, or say
** a part of it only.  Its error is that of when it reported. */
static void note_known(brio_motor *motor, int axis, const brio_axis_state *s) {
  brio_alarm_axis *known = &motor->known[axis];
  if (!s->valid) return;
  bool tells = brio_motion_tells(&motor->motion, axis);
  known->error = tells ? brio_follow_report(&motor->follow[axis], s->position) / unit_of(motor, axis) : NAN;
  if (s->knows & BRIO_KNOWS_TEMPERATURE) known->temperature = s->temperature;
  if (s->knows & BRIO_KNOWS_CURRENT) known->current = s->current;
  if (s->knows & BRIO_KNOWS_VOLTAGE) known->voltage = s->voltage;
  if (s->knows & BRIO_KNOWS_LOAD) known->load = s->load;
}

/* What a bus reports counts from now on. */
static void measure(brio_motor *motor, const brio_motor_bus *bus) {
  for (int i = 0; i < bus->device->count; i++) {
    int axis = bus->device->axes[i];
    const brio_axis_state *s = &motor->states[axis];
    bool loaded = s->valid && s->knows & BRIO_KNOWS_LOAD;
    brio_motion_measure(&motor->motion, axis, s->valid ? s->position : NAN, loaded ? s->load : NAN);
    note_known(motor, axis, s);
  }
}

static void hear_buses(brio_motor *motor, double h) {
  for (int b = 0; b < motor->nbus; b++) {
    brio_motor_bus *bus = &motor->buses[b];
    bool heard = brio_motor_bus_hear(bus);
    if (heard) measure(motor, bus);
    const brio_motor_answer *answer = brio_triple_front(&bus->answers);
    if (heard && answer->called > 0) {
      brio_histogram_add(&motor->call, (double)answer->called * 1e-3);
      brio_histogram_add(&motor->wake, (double)answer->woke * 1e-3);
    }
    double quiet = bus->quiet;
    bus->unheard = heard ? 0 : bus->unheard + h;
    bus->quiet = heard && !answer->lost && any_valid(motor, bus) ? 0 : quiet + h;
    bool lost = answer->lost || bus->quiet > NO_ANSWER;
    if (lost != bus->lost) note_loss(motor, b, lost, quiet);
    if (bus->lost) bus->failures = answer->stats.failures;
    else if (heard) hear_complaint(motor, b, answer);
    look_at_axes(motor, bus, heard && answer->at >= motor->since, h);
  }
}

/* Whether the others wait for a device: it did not answer for longer than it usually takes, or is far behind; once they do,
** until it has caught up. */
static bool is_late(const brio_motor *motor, const brio_motor_bus *bus) {
  const brio_motor_answer *answer = brio_triple_front(&bus->answers);
  double most = motor->motion.causes & BRIO_MOTION_WAIT ? 0 : BRIO_MOTOR_MADE_UP;
  return !bus->lost && (answer->lag > most || bus->unheard > fmax(BRIO_MOTOR_MADE_UP, answer->patience));
}

/* While a device is late all joints slow down along their path, and go on when it has caught up. */
static void wait_for_buses(brio_motor *motor, double h) {
  int late = -1;
  for (int b = motor->nbus - 1; b >= 0; b--) {
    motor->buses[b].late = is_late(motor, &motor->buses[b]);
    if (motor->buses[b].late) late = b;
  }
  motor->waits += h;
  if (late < 0) {
    if (motor->motion.causes & BRIO_MOTION_WAIT) brio_motion_release(&motor->motion, BRIO_MOTION_WAIT);
    return;
  }
  if (!motor->motion.armed || motor->motion.causes & BRIO_MOTION_WAIT) return;
  brio_motion_hold(&motor->motion, BRIO_MOTION_WAIT);
  double by = motor->buses[late].unheard;
  if (by <= BRIO_MOTOR_MADE_UP || motor->waits < TELL_AGAIN) return;
  motor->waits = 0;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_WAITS, .which = late, .value = by});
}

static void react(brio_motor *motor, int axis, int alarm, const brio_alarm_axis *seen) {
  const brio_alarm_setting *setting = &motor->alarm.settings[alarm];
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_ALARM, .which = axis, .alarm = alarm, .reaction = setting->reaction,
                                            .value = brio_alarm_kinds[alarm].value(seen), .limit = setting->limit});
  static const unsigned causes[BRIO_REACTION_COUNT] = {
      [BRIO_REACTION_HOLD] = BRIO_MOTION_FAULT, [BRIO_REACTION_RELAX] = BRIO_MOTION_FAULT | BRIO_MOTION_RELAX,
      [BRIO_REACTION_PANIC] = BRIO_MOTION_PANIC};
  if (causes[setting->reaction]) brio_motion_hold(&motor->motion, causes[setting->reaction]);
}

/* Whether the device of an axis is late. */
static bool is_of_late(const brio_motor *motor, int axis) {
  return motor->bus_of[axis] >= 0 && motor->buses[motor->bus_of[axis]].late;
}

/* Time in which a device is late is none in which its motors could have followed. */
static void watch(brio_motor *motor, double h) {
  for (int i = 0; i < motor->count; i++) {
    bool tells = brio_motion_tells(&motor->motion, i), late = is_of_late(motor, i);
    if (!tells) brio_follow_begin(&motor->follow[i], motor->motion.axes[i].x);
    else if (!late) brio_follow_step(&motor->follow[i], motor->motion.axes[i].x, h);
    if (!tells) motor->known[i].error = NAN;
    unsigned wrong = brio_alarm_step(&motor->alarm, i, &motor->known[i], late ? 0 : h);
    for (int k = 0; wrong; k++, wrong >>= 1)
      if (wrong & 1) react(motor, i, k, &motor->known[i]);
  }
}

/* The scripts are silent when they had begun and nothing else keeps the robot from moving on. */
static void listen(brio_motor *motor) {
  const brio_motion *motion = &motor->motion;
  bool silent = motion->taken > 0 && motion->armed && !motion->causes && motion->quiet > motor->silence;
  if (silent == motor->silent || (motion->causes && !silent)) return;
  motor->silent = silent;
  if (silent) brio_motion_cut(&motor->motion); /* what still waits is of no use: brake and hold */
  brio_motor_news(motor, (brio_motor_event){.kind = silent ? BRIO_MOTOR_SILENT : BRIO_MOTOR_BACK});
}

/* Whether a motor that holds its place may go on to, though it is told nothing at present. */
static bool may_hold(const brio_motor *motor, int axis) {
  const brio_motion *motion = &motor->motion;
  return motion->armed && motor->wanted_on[axis] && !(motion->settled && (motion->causes & BRIO_MOTION_RELAX));
}

static void command(brio_motor *motor, double h) {
  bool settled = motor->motion.settled;
  double *before = motor->speeds;
  for (int i = 0; i < motor->count; i++) before[i] = motor->motion.axes[i].x;
  brio_motion_step(&motor->motion, h);
  if (!settled && motor->motion.settled) motor->settled = motor->woke;
  if (!settled && motor->motion.settled && motor->motion.causes & ~(unsigned)BRIO_MOTION_WAIT) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_HELD});
  for (int i = 0; i < motor->count; i++) {
    const brio_motion_axis *axis = &motor->motion.axes[i];
    motor->values[i] = brio_motion_tells(&motor->motion, i) ? axis->x : NAN;
    motor->powered[i] = isfinite(motor->values[i]) || (motor->powered[i] && may_hold(motor, i));
    double d = axis->x - before[i], most = fmax(axis->guard.velocity, fabs(axis->v));
    motor->speeds[i] = copysign(brio_mapping_speed(d, h, 0, most), d);
  }
  for (int b = 0; b < motor->nbus; b++) brio_motor_bus_tell(&motor->buses[b], h);
}

/* Whether a device that answers has not been led to where its axes came to rest. */
static bool is_behind(const brio_motor *motor) {
  for (int b = 0; b < motor->nbus; b++) {
    const brio_motor_answer *answer = brio_triple_front(&motor->buses[b].answers);
    if (!motor->buses[b].lost && (answer->lag > 0 || answer->at < motor->settled)) return true;
  }
  return false;
}

static void fill_report(const brio_motor *motor, brio_motor_report *r) {
  const brio_motion *m = &motor->motion;
  *r = (brio_motor_report){
      .late_p50 = motor->shares.late_p50, .late_p99 = motor->shares.late_p99, .late_max = motor->late.largest,
      .call_p50 = motor->shares.call_p50, .call_p99 = motor->shares.call_p99, .call_max = motor->call.largest,
      .wait = motor->shares.wait, .work = motor->shares.work, .wake = motor->shares.wake,
      .armed = m->armed, .settled = m->settled, .behind = is_behind(motor), .silent = motor->silent, .threaded = motor->threaded,
      .realtime = motor->realtime, .memory_locked = motor->memory_locked, .causes = m->causes, .anew = m->anew, .periods = motor->periods, .lost = motor->missed,
      .taken = m->taken, .stale = m->stale, .refused = m->refused, .clamped = m->clamped, .dropped = m->path.dropped,
      .stretched = m->path.stretched, .tracked = m->path.tracked, .braked = m->path.braked,
      .tick = m->path.tick, .margin = m->path.margin, .ahead = brio_path_ahead(&m->path), .spare = m->path.spare, .windows = m->path.windows,
      .at = motor->due};
}

static brio_motor_share share_of(const brio_histogram *histogram) {
  return (brio_motor_share){brio_histogram_at(histogram, 0.5), brio_histogram_at(histogram, 0.99)};
}

static void keep_up_shares(brio_motor *motor) {
  if (!motor->threaded || motor->periods % SHARES_EVERY != 0) return;
  motor->shares.late_p50 = brio_histogram_at(&motor->late, 0.5);
  motor->shares.late_p99 = brio_histogram_at(&motor->late, 0.99);
  motor->shares.call_p50 = brio_histogram_at(&motor->call, 0.5);
  motor->shares.call_p99 = brio_histogram_at(&motor->call, 0.99);
  motor->shares.wait = share_of(&motor->wait);
  motor->shares.work = share_of(&motor->work);
  motor->shares.wake = share_of(&motor->wake);
}

void brio_motor_publish(brio_motor *motor) {
  brio_motor_state *state = brio_triple_back(&motor->state);
  brio_motor_bus_state *buses = brio_motor_bus_states(motor, state);
  keep_up_shares(motor);
  fill_report(motor, &state->report);
  for (int b = 0; b < motor->nbus; b++) {
    const brio_motor_answer *answer = brio_triple_front(&motor->buses[b].answers);
    if (buses[b].stats.failures != answer->stats.failures) buses[b].error = answer->error;
    buses[b].stats = answer->stats;
    buses[b].lost = motor->buses[b].lost;
  }
  brio_input_state *inputs = brio_motor_input_states(motor, state);
  for (int i = 0; i < motor->ninput; i++) inputs[i] = motor->inputs[i].state;
  const double *last, *before, dt = brio_path_ends(&motor->motion.path, &last, &before);
  for (int i = 0; i < motor->count; i++) {
    const brio_motion_axis *axis = &motor->motion.axes[i];
    bool joint = i < motor->tree;
    state->axes[i] = (brio_motor_axis_state){axis->x, axis->v, joint ? last[i] : axis->x,
                                             joint && dt > 0 ? (last[i] - before[i]) / dt : 0, motor->states[i]};
  }
  brio_triple_publish(&motor->state);
}

/* The thread did not run for a while.  After a short gap the path goes on as it was: each device is led from rest
** along it (motor_backlog.h).  A path that began at rest here would be a leap for a device that was behind before. */
static void mind_gap(brio_motor *motor, brio_motor_gap gap) {
  if (gap != BRIO_GAP_LONG) return;
  brio_motion_stand(&motor->motion);
  motor->since = brio_clock_monotonic();
  for (int b = 0; b < motor->nbus; b++) go_blind(motor, &motor->buses[b]);
}

/* Say that the motors were armed or disarmed. */
static void note_armed(brio_motor *motor) {
  if (motor->motion.armed == motor->was_armed) return;
  motor->was_armed = motor->motion.armed;
  brio_motor_news(motor, (brio_motor_event){.kind = motor->was_armed ? BRIO_MOTOR_ARMED : BRIO_MOTOR_DISARMED});
}

void brio_motor_period(brio_motor *motor, double h, brio_motor_gap gap) {
  motor->time += h;
  motor->periods++;
  mind_gap(motor, gap);
  hear_buses(motor, h);
  take_orders(motor);
  if (motor->threaded) wait_for_buses(motor, h);
  brio_motor_watch_inputs(motor, h);
  watch(motor, h);
  take_poses(motor);
  command(motor, h);
  note_told(motor);
  note_armed(motor);
  listen(motor);
  brio_motor_publish(motor);
}
