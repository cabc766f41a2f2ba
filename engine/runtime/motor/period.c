/* One period of the motor side: reports, orders, alarms, poses, the next commands, the buses, the published
** state. Motor thread, or the script thread in lockstep. Nothing here allocates, blocks or touches a file.
** Cost: O(axes) plus the path's step (motor/path.c). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "math/scalar.h"
#include "runtime/motor/motor_internal.h"
#include "runtime/motor/panic.h"

enum {
  SHARES_EVERY = 128 /* periods */,
  SURE = 3 /* answers: the first may have waited on the line for long */
};

#define NO_ANSWER 0.25   /* s without a report after which a device counts as lost */
#define SWITCHES 5.0     /* the same, while its driver switches motors on or off */
#define UNSEEN 0.05      /* s without one after which its axes may be elsewhere than commanded */
#define TELL_AGAIN 1.0   /* s between two reports of refused poses, or two complaints of a device */
#define SHARE 0.05       /* weight of the newest report in the usual time between two */
#define MISSED 3.0       /* times the usual time between two reports: by then a device is silent */
#define SAY_AGAIN 10.0   /* s between two equal complaints */

/* Mark an axis as blind or not. Its motor is on while scripts want it on and its position is known. What it
** has last reported of its motor stays known, so that a motor that was hot before a silence counts on. */
static void see(brio_motor *motor, int axis, bool blind) {
  assert(axis >= 0 && axis < motor->count);
  motor->blind[axis] = blind;
  if (blind) motor->known[axis].error = NAN;
  brio_motion_turn_on(&motor->motion, axis, motor->wanted_on[axis] && !blind);
}

/* Release causes, except a panic that an input still requests. */
static void release(brio_motor *motor, unsigned causes) {
  bool keeps = (causes & motor->motion.causes & BRIO_MOTION_PANIC) && brio_motor_panic_asked(motor);
  if (keeps) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_LINE_KEEPS});
  brio_motion_release(&motor->motion, keeps ? causes & ~(unsigned)BRIO_MOTION_PANIC : causes);
}

/* Whether a device has not yet put its new mapping into force. A lost device does so before its next
** command. */
static bool remaps(const brio_motor *motor) {
  for (int b = 0; b < motor->nbus; b++) {
    const brio_motor_bus *bus = &motor->buses[b];
    /* The bus counts mappings in force, the script thread those handed over. */
    if (!bus->lost && atomic_load_explicit(&bus->remapped, memory_order_acquire) !=
                          atomic_load_explicit(&bus->remap, memory_order_acquire))
      return true;
  }
  return false;
}

/* Arm or disarm.  Arming is deferred while a device still has to take its new mapping. */
static void arm(brio_motor *motor, bool on) {
  motor->arms = on && remaps(motor);
  if (!motor->arms) brio_motion_arm(&motor->motion, on);
}

/* Execute one order of the script thread. */
static void follow(brio_motor *motor, const brio_motor_order *order) {
  brio_motion *motion = &motor->motion;
  switch (order->kind) {
    case BRIO_MOTOR_ORDER_HOLD: brio_motion_hold(motion, order->causes); break;
    case BRIO_MOTOR_ORDER_RELEASE: release(motor, order->causes); break;
    case BRIO_MOTOR_ORDER_LIMITS: brio_motion_set_limits(motion, order->axis, &order->limits); break;
    case BRIO_MOTOR_ORDER_ON: /* a blind axis stays off until it is found */
      motor->wanted_on[order->axis] = order->on;
      see(motor, order->axis, motor->blind[order->axis]);
      break;
    case BRIO_MOTOR_ORDER_ARM: arm(motor, order->on); break;
  }
}

/* Execute all waiting orders, and stop if a panic was raised since the last period. */
static void take_orders(brio_motor *motor) {
  brio_motor_order order;
  /* In lockstep the tape decides which panics count, so that a replay stops at the same tick. */
  unsigned panics = motor->counted && !motor->threaded ? motor->panics_told : brio_panic_count(),
           before = motor->motion.causes;
  while (brio_ring_get(&motor->orders, &order)) follow(motor, &order);
  /* Arming was deferred: try again. */
  if (motor->arms) arm(motor, true);
  if (panics != motor->panics) {
    /* A panic during a panic is not announced again. */
    bool again = motor->motion.causes & BRIO_MOTION_PANIC;
    motor->panics = panics;
    brio_motion_hold(&motor->motion, BRIO_MOTION_PANIC);
    if (!again) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_PANIC});
  }
  /* All causes are gone (a device's lateness is not announced here). */
  if (before & ~(unsigned)BRIO_MOTION_WAIT && !motor->motion.causes)
    brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_GOES_ON});
}

/* A pose was accepted; the path had `used` poses before. A pose equal to the end of a path that stands
** still is not stored, so it does not count as the newest. */
static void note_taken(brio_motor *motor, const brio_motor_pose *pose, int used) {
  const brio_path *path = &motor->motion.path;
  if (path->used > used || path->used == 2) motor->newest_pose = pose->number;
  motor->newest_made = pose->made;
  motor->newest_time = pose->time;
  /* Latency of the pose so far, us: from the tick to this period. */
  if (!motor->threaded) return;
  motor->taken_at = brio_clock_monotonic();
  brio_histogram_add(&motor->wait, (double)(motor->taken_at - pose->made) * 1e-3);
}

/* The devices have the result of the newest pose: record how long its computation took, us. */
static void note_told(brio_motor *motor) {
  if (motor->taken_at)
    brio_histogram_add(&motor->work, (double)(brio_clock_monotonic() - motor->taken_at) * 1e-3);
  motor->taken_at = 0;
}

/* Accept all waiting poses; several wait when this thread was late. */
static void take_poses(brio_motor *motor) {
  while (brio_ring_get(&motor->poses, motor->pose)) {
    const brio_motor_pose *pose = motor->pose;
    int used = motor->motion.path.used;
    const double *brakes = pose->numbers + motor->count;
    /* A refused pose changes nothing; it is counted in motion.refused. */
    if (brio_motion_put(&motor->motion, pose->numbers, brakes, pose->dt, pose->anew))
      note_taken(motor, pose, used);
  }
  /* Report refused poses: the first, then once per 200 of them, which is TELL_AGAIN s at 200 Hz. */
  if (motor->motion.refused == motor->refused) return;
  if (motor->refused == 0 || motor->motion.refused - motor->refused >= (int64_t)(TELL_AGAIN * 200))
    brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_REFUSED});
  motor->refused = motor->motion.refused;
}

/* Treat the positions of all axes of a device as unknown. */
static void go_blind(brio_motor *motor, brio_motor_bus *bus) {
  bus->answered = 0;
  bus->returns = true;
  bus->again = false;
  for (int i = 0; i < bus->device->count; i++) see(motor, bus->device->axes[i], true);
}

/* A device was lost, or is back after `away` s. Its axes get no commands while it is away, and start where
** they are found. */
static void note_loss(brio_motor *motor, int number, bool lost, double away) {
  assert(number >= 0 && number < motor->nbus);
  brio_motor_bus *bus = &motor->buses[number];
  bus->lost = lost;
  brio_motor_news(
      motor,
      (brio_motor_event){.kind = lost ? BRIO_MOTOR_LOST : BRIO_MOTOR_FOUND, .which = number, .value = away});
  /* Its axes are unknown; whether the others stop is an option of the run. */
  if (lost) go_blind(motor, bus);
  if (lost && !motor->goes_on) brio_motion_hold(&motor->motion, BRIO_MOTION_FAULT);
}

/* An axis of an answering device was silent for NO_ANSWER s: treat it like a lost device of its
** own. */
static void miss_axis(brio_motor *motor, int axis) {
  see(motor, axis, true);
  motor->reports[axis] = false;
  if (!motor->wanted_on[axis]) return;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_AXIS_SILENT, .which = axis});
  if (!motor->goes_on) brio_motion_hold(&motor->motion, BRIO_MOTION_FAULT);
}

/* A motor reports that it accepts no goals, or that it accepts them again. */
static void note_failed(brio_motor *motor, int axis, bool failed) {
  motor->failed[axis] = failed;
  if (!failed || motor->blind[axis]) return;
  see(motor, axis, true);
  /* A motor that scripts switched off may fail silently. */
  if (!motor->wanted_on[axis]) return;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_AXIS_FAILED, .which = axis});
  if (!motor->goes_on) brio_motion_hold(&motor->motion, BRIO_MOTION_FAULT);
}

/* Report a failure within an exchange that succeeded as a whole.  Failures of a lost device belong
** to its loss.  Equal complaints are repeated every SAY_AGAIN s, others every TELL_AGAIN s. */
static void hear_complaint(brio_motor *motor, int number, const brio_motor_answer *answer) {
  brio_motor_bus *bus = &motor->buses[number];
  if (!answer->any || !answer->well || answer->stats.failures == bus->failures) return;
  bus->failures = answer->stats.failures;
  /* Equal complaints are rare, different ones may follow sooner. */
  bool same = strncmp(bus->complaint, answer->error.message, sizeof bus->complaint - 1) == 0;
  double since = bus->complaint[0] ? motor->time - bus->complained : INFINITY;
  if (answer->error.code != BRIO_DEVICE || since < (same ? SAY_AGAIN : TELL_AGAIN)) return;
  bus->complained = motor->time;
  memcpy(bus->complaint, answer->error.message, sizeof bus->complaint - 1);
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_COMPLAINS, .which = number});
}

/* Whether a bus reported the position of any axis, or has none. */
static bool any_valid(const brio_motor *motor, const brio_motor_bus *bus) {
  for (int i = 0; i < bus->device->count; i++)
    if (motor->states[bus->device->axes[i]].valid) return true;
  return bus->device->count == 0;
}

/* A device reported: update its usual time between two reports (a mean at first, then a low-pass filter
** with weight SHARE), and end its silence. */
static void note_report(brio_motor_bus *bus) {
  double share = brio_max(SHARE, 1.0 / (double)(bus->answered + 1));
  bus->rhythm += share * (brio_min(bus->quiet, NO_ANSWER) - bus->rhythm);
  bus->quiet = 0;
}

/* Whether an axis of a device that is back has not reported since, although it did before. After NO_ANSWER s
** it is awaited no longer. */
static bool is_awaited(const brio_motor *motor, const brio_motor_bus *bus, int axis) {
  return motor->blind[axis] && motor->reports[axis] && motor->unseen[axis] > bus->back &&
         bus->back <= NO_ANSWER;
}

/* Update which axes of a device reported, and whether its axes may start: they start together. A device that
** is back must answer SURE times first, since its first answers may date from before its loss, and all axes
** that reported before its silence must have reported again. An exchange without any report is no answer.
** An axis outside the tree may be unable to report. */
static bool note_reports(brio_motor *motor, brio_motor_bus *bus, bool fresh, double h) {
  bool awaited = false;
  /* The time since the device is back, in the same sums of periods as that since an axis reported. */
  bus->back = bus->answered > 0 ? bus->back + h : 0;
  bus->answered += fresh && any_valid(motor, bus);
  for (int i = 0; i < bus->device->count && !bus->lost; i++) {
    int axis = bus->device->axes[i];
    bool valid = motor->states[axis].valid;
    motor->unseen[axis] = fresh && (valid || axis >= motor->tree) ? 0 : motor->unseen[axis] + h;
    if (fresh && valid) motor->reports[axis] = true;
    awaited = awaited || is_awaited(motor, bus, axis);
  }
  bool ready = bus->answered >= SURE && !awaited;
  bus->returns = bus->returns && !ready;
  return ready;
}

/* Whether all axes of a device have reported now, and had before: then there is nothing to do but to note
** it. */
static bool all_report(brio_motor *motor, brio_motor_bus *bus, double h) {
  const int *axes = bus->device->axes, count = bus->device->count;
  bool good = count > 0 && !bus->lost;
  for (int i = 0; i < count && good; i++) {
    const brio_axis_state *state = &motor->states[axes[i]];
    good = state->valid && !state->failed && !motor->blind[axes[i]] && !motor->failed[axes[i]];
  }
  if (!good) return false;
  bus->back = bus->answered > 0 ? bus->back + h : 0;
  bus->answered++;
  bus->returns = bus->returns && bus->answered < SURE;
  for (int i = 0; i < count; i++) {
    motor->unseen[axes[i]] = 0;
    motor->reports[axes[i]] = true;
  }
  return true;
}

/* Update which axes of a device are known; one outside the tree is while its device answers. */
static void look_at_axes(brio_motor *motor, brio_motor_bus *bus, bool fresh, double h) {
  if (fresh && all_report(motor, bus, h)) return;
  bool ready = note_reports(motor, bus, fresh, h);
  /* Each axis on its own: a device may report some axes only. */
  for (int i = 0; i < bus->device->count && !bus->lost; i++) {
    int axis = bus->device->axes[i];
    bool valid = motor->states[axis].valid || axis >= motor->tree, blind = motor->blind[axis];
    double unseen = motor->unseen[axis];
    /* An invalid report says nothing about failure either: keep what was known. */
    bool failed = motor->states[axis].valid ? motor->states[axis].failed : motor->failed[axis];
    /* The axis reports, as before: there is nothing to do. */
    if (fresh && valid && !blind && !failed && !motor->failed[axis]) continue;
    /* Failure first, then recovery of a blind axis, then its silence: at most one of them a period. */
    if (fresh && failed != motor->failed[axis]) note_failed(motor, axis, failed);
    else if (fresh && valid && blind && ready && !failed) see(motor, axis, false);
    else if (unseen > NO_ANSWER && unseen - h <= NO_ANSWER) miss_axis(motor, axis);
  }
}

/* The longest silence of a device after which its axes go on, s. */
static double patience_of(const brio_motor_bus *bus) { return brio_max(UNSEEN, MISSED * bus->rhythm); }

/* Whether an answer that was just heard tells where the axes are now. Its exchange began after a long gap of
** this thread (`since`). After a silence of the device, an exchange that blocked does not count, nor does the
** first one after that: the report may be as old as the silence, as it waited in a queue. */
static bool is_fresh(const brio_motor *motor, brio_motor_bus *bus, const brio_motor_answer *answer) {
  bool late = answer->at < motor->since, lockstep = answer->at == 0, first = !bus->again;
  double took = (double)(motor->woke - answer->at) * 1e-9;
  if (late || lockstep || !bus->returns) return !late;
  bus->again = took < patience_of(bus);
  return bus->again && !first;
}

/* Read the newest answer of every bus; update losses, complaints and axes. */
static void hear_buses(brio_motor *motor, double h) {
  for (int b = 0; b < motor->nbus; b++) {
    brio_motor_bus *bus = &motor->buses[b];
    /* Before the answer, which ends it.  Meanwhile axes get no commands, and the others wait. */
    bool switches = atomic_load(&bus->switches) && bus->quiet < SWITCHES;
    bool heard = brio_motor_bus_hear(bus);
    if (heard) brio_motor_measure(motor, bus, h);
    const brio_motor_answer *answer = brio_triple_front(&bus->answers);
    /* called > 0: this answer followed a new pose, so its latency counts. */
    if (heard && answer->called > 0) {
      brio_histogram_add(&motor->call, (double)answer->called * 1e-3);
      brio_histogram_add(&motor->wake, (double)answer->woke * 1e-3);
    }
    double quiet = bus->quiet;
    /* Silence of the device, and silence about its positions. */
    bus->unheard = heard ? 0 : bus->unheard + h;
    bus->quiet = quiet + h;
    if (heard && !answer->lost && any_valid(motor, bus)) note_report(bus);
    /* After a silence its axes begin where they are found, once the robot rests. */
    if (bus->quiet > patience_of(bus)) go_blind(motor, bus);
    /* Lost: the bus reports so, or no axis was reported for NO_ANSWER s. */
    bool lost = answer->lost || (bus->quiet > NO_ANSWER && !switches);
    if (lost != bus->lost) note_loss(motor, b, lost, quiet);
    if (bus->lost) bus->failures = answer->stats.failures;
    else if (heard) hear_complaint(motor, b, answer);
    look_at_axes(motor, bus, heard && is_fresh(motor, bus, answer), switches ? 0 : h);
  }
}

/* Whether the other devices must wait for this one: it is silent or reports nothing for longer than usual,
** its axes are not found yet after that, or it lags by more than BRIO_MOTOR_MADE_UP. While they wait any
** lag counts, so that it catches up entirely. */
static bool is_late(const brio_motor *motor, const brio_motor_bus *bus) {
  const brio_motor_answer *answer = brio_triple_front(&bus->answers);
  /* Hysteresis: the first wait needs a real delay. */
  double most = motor->motion.causes & BRIO_MOTION_WAIT ? 0 : BRIO_MOTOR_MADE_UP;
  double usual = brio_max(BRIO_MOTOR_MADE_UP, answer->patience);
  bool silent = bus->unheard > usual || bus->quiet > brio_max(usual, MISSED * bus->rhythm);
  return !bus->lost && (answer->lag > most || silent || bus->returns);
}

/* Hold all joints while a device is late: they slow down along their path, and continue on it. */
static void wait_for_buses(brio_motor *motor, double h) {
  int late = -1;
  /* The first late device is the one that is reported. */
  for (int b = motor->nbus - 1; b >= 0; b--) {
    motor->buses[b].late = is_late(motor, &motor->buses[b]);
    if (motor->buses[b].late) late = b;
  }
  motor->waits += h;
  if (late < 0) {
    if (motor->motion.causes & BRIO_MOTION_WAIT) brio_motion_release(&motor->motion, BRIO_MOTION_WAIT);
    return;
  }
  /* Hold once per delay; report it only if it is silence, at most every TELL_AGAIN s. */
  if (!motor->motion.armed || motor->motion.causes & BRIO_MOTION_WAIT) return;
  brio_motion_hold(&motor->motion, BRIO_MOTION_WAIT);
  /* A short delay is not announced. */
  double by = motor->buses[late].quiet;
  if (by <= BRIO_MOTOR_MADE_UP || motor->waits < TELL_AGAIN) return;
  motor->waits = 0;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_WAITS, .which = late, .value = by});
}

/* Detect that the scripts are silent: they had sent poses, and nothing else holds the robot. */
static void listen(brio_motor *motor) {
  const brio_motion *motion = &motor->motion;
  bool silent = motion->taken > 0 && motion->armed && !motion->causes && motion->quiet > motor->silence;
  /* A hold that began during the silence does not end it. */
  if (silent == motor->silent || (motion->causes && !silent)) return;
  motor->silent = silent;
  if (silent) brio_motion_cut(&motor->motion); /* discard the waiting poses: brake and hold */
  brio_motor_news(motor, (brio_motor_event){.kind = silent ? BRIO_MOTOR_SILENT : BRIO_MOTOR_BACK});
}

/* Whether a motor that holds its position may continue to, although it gets no commands at present. */
static bool may_hold(const brio_motor *motor, int axis) {
  const brio_motion *motion = &motor->motion;
  return motion->armed && motor->wanted_on[axis] &&
         !(motion->settled && (motion->causes & BRIO_MOTION_RELAX));
}

/* Compute the next commands of all axes and hand them to the buses. */
static void command(brio_motor *motor, double h) {
  bool settled = motor->motion.settled;
  double *before = motor->speeds;
  /* The scratch of speeds holds the positions before the step. */
  for (int i = 0; i < motor->count; i++) before[i] = motor->motion.axes[i].x;
  brio_motion_step(&motor->motion, h);
  if (!settled && motor->motion.settled) motor->settled = motor->woke;
  /* Announce that the robot holds, unless it only waits for a device. */
  if (!settled && motor->motion.settled && motor->motion.causes & ~(unsigned)BRIO_MOTION_WAIT)
    brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_HELD});
  for (int i = 0; i < motor->count; i++) {
    const brio_motion_axis *axis = &motor->motion.axes[i];
    /* Without a command before, it begins at rest: it may have been found far from its last one. */
    if (isnan(motor->values[i])) before[i] = axis->x;
    motor->values[i] = axis->told ? axis->x : NAN;
    motor->powered[i] = isfinite(motor->values[i]) || (motor->powered[i] && may_hold(motor, i));
    /* Never faster than the axis may move, or just moved (a limit may have been lowered). */
    double d = axis->x - before[i], most = brio_max(axis->guard.velocity, fabs(axis->v));
    motor->speeds[i] = copysign(brio_mapping_speed(d, h, 0, most), d);
  }
  if (motor->torques) brio_motor_torques_step(motor, h);
  for (int b = 0; b < motor->nbus; b++) brio_motor_bus_tell(&motor->buses[b], h);
}

/* Whether some device that answers has not got its commands up to where its axes came to rest. */
static bool is_behind(const brio_motor *motor) {
  for (int b = 0; b < motor->nbus; b++) {
    const brio_motor_answer *answer = brio_triple_front(&motor->buses[b].answers);
    /* An answer from before the robot came to rest says nothing about its end. */
    if (!motor->buses[b].lost && (answer->lag > 0 || answer->at < motor->settled)) return true;
  }
  return false;
}

/* Fill in the report that the script thread sees. */
static void fill_report(const brio_motor *motor, brio_motor_report *r) {
  const brio_motion *m = &motor->motion;
  /* Percentiles as of their last update, the largest values as of now. */
  *r = (brio_motor_report){.late_p50 = motor->shares.late_p50,
                           .late_p99 = motor->shares.late_p99,
                           .late_max = motor->late.largest,
                           .call_p50 = motor->shares.call_p50,
                           .call_p99 = motor->shares.call_p99,
                           .call_max = motor->call.largest,
                           .wait = motor->shares.wait,
                           .work = motor->shares.work,
                           .wake = motor->shares.wake,
                           .armed = m->armed,
                           .settled = m->settled,
                           .behind = is_behind(motor),
                           .silent = motor->silent,
                           .threaded = motor->threaded,
                           .realtime = motor->realtime,
                           .memory_locked = motor->memory_locked,
                           .causes = m->causes,
                           .anew = m->anew,
                           .periods = motor->periods,
                           .lost = motor->missed,
                           .taken = m->taken,
                           .stale = m->stale,
                           .refused = m->refused,
                           .clamped = m->clamped,
                           .dropped = m->path.dropped,
                           .stretched = m->path.stretched,
                           .tracked = m->path.tracked,
                           .braked = m->path.braked,
                           .tick = m->path.tick,
                           .margin = m->path.margin,
                           .ahead = brio_path_ahead(&m->path),
                           .spare = m->path.spare,
                           .windows = m->path.windows,
                           .corner = motor->newest_pose - (m->path.used - 2),
                           .along = m->path.at,
                           .at = motor->due};
  if (motor->collisions) brio_motor_collisions_report(motor->collisions, r);
}

/* Median and 99th percentile, us. */
static brio_motor_share share_of(const brio_histogram *histogram) {
  return (brio_motor_share){brio_histogram_at(histogram, 0.5), brio_histogram_at(histogram, 0.99)};
}

/* Percentiles take a pass over the histogram: compute them every SHARES_EVERY periods only. */
static void keep_up_shares(brio_motor *motor) {
  if (!motor->threaded || motor->periods % SHARES_EVERY != 0) return;
  /* The histograms are not reset: percentiles are those of the run so far. */
  brio_motor_share late = share_of(&motor->late), call = share_of(&motor->call);
  motor->shares.late_p50 = late.p50, motor->shares.late_p99 = late.p99;
  motor->shares.call_p50 = call.p50, motor->shares.call_p99 = call.p99;
  motor->shares.wait = share_of(&motor->wait);
  motor->shares.work = share_of(&motor->work);
  motor->shares.wake = share_of(&motor->wake);
}

/* For viewers: what each axis reports, or without a report its command; and its command. */
static void show_live(brio_motor *motor) {
  if (!brio_live_poses_watched(motor->live)) return;
  brio_live_pose *pose = brio_live_poses_back(motor->live);
  pose->time = motor->newest_time;
  pose->number = (uint32_t)motor->periods;
  for (int i = 0; i < motor->count; i++) {
    double command = motor->motion.axes[i].x;
    pose->values[i] = (float)(motor->states[i].valid ? motor->states[i].position : command);
    pose->values[motor->count + i] = (float)command;
  }
  brio_live_poses_publish(motor->live);
}

/* Publish the state: report, buses, inputs, and each axis with the end of its path. */
void brio_motor_publish(brio_motor *motor) {
  brio_motor_state *state = brio_triple_back(&motor->state);
  brio_motor_bus_state *buses = brio_motor_bus_states(motor, state);
  keep_up_shares(motor);
  fill_report(motor, &state->report);
  for (int b = 0; b < motor->nbus; b++) {
    const brio_motor_answer *answer = brio_triple_front(&motor->buses[b].answers);
    /* An error is long: copy it only when it is new. */
    if (buses[b].stats.failures != answer->stats.failures) buses[b].error = answer->error;
    buses[b].stats = answer->stats;
    buses[b].lost = motor->buses[b].lost;
  }
  brio_input_state *inputs = brio_motor_input_states(motor, state);
  for (int i = 0; i < motor->ninput; i++) inputs[i] = motor->inputs[i].state;
  /* Each axis with the end of its path and the speed there, from its last two poses; axes outside the tree
  ** have no path and end where they are. */
  const double *last, *before, dt = brio_path_ends(&motor->motion.path, &last, &before);
  for (int i = 0; i < motor->count; i++) {
    const brio_motion_axis *axis = &motor->motion.axes[i];
    bool joint = i < motor->tree;
    state->axes[i] = (brio_motor_axis_state){axis->x, axis->v, joint ? last[i] : axis->x,
                                             joint && dt > 0 ? (last[i] - before[i]) / dt : 0,
                                             motor->states[i]};
  }
  brio_triple_publish(&motor->state);
  show_live(motor);
}

/* The thread did not run for a while. After a short gap the path continues: each device is led along it
** from rest (backlog.h). A path that began at rest here would be a leap for a device that was behind before
** the gap. After a long one positions are unknown until devices report again. */
static void mind_gap(brio_motor *motor, brio_motor_gap gap) {
  if (gap != BRIO_GAP_LONG) return;
  brio_motion_stand(&motor->motion);
  motor->since = brio_clock_monotonic();
  for (int b = 0; b < motor->nbus; b++) go_blind(motor, &motor->buses[b]);
}

/* Announce that the motors were armed or disarmed. */
static void note_armed(brio_motor *motor) {
  if (motor->motion.armed == motor->was_armed) return;
  motor->was_armed = motor->motion.armed;
  brio_motor_news(motor,
                  (brio_motor_event){.kind = motor->was_armed ? BRIO_MOTOR_ARMED : BRIO_MOTOR_DISARMED});
}

void brio_motor_period(brio_motor *motor, double h, brio_motor_gap gap) {
  assert(h > 0);
  motor->time += h;
  motor->periods++;
  /* Input first (reports, orders, lines), then decisions, then output. */
  mind_gap(motor, gap);
  hear_buses(motor, h);
  take_orders(motor);
  wait_for_buses(motor, h);
  brio_motor_watch_inputs(motor, h);
  brio_motor_watch(motor, h);
  if (motor->collisions) brio_motor_collisions_step(motor, h);
  take_poses(motor);
  command(motor, h);
  note_told(motor);
  note_armed(motor);
  listen(motor);
  if (!motor->more) brio_motor_publish(motor);
}
