/* The motor side's period: see motion.h. Two flags and a set of causes determine what moves:
**
**   armed  settled  causes    what happens
**   no     any      any       no motor gets a command; commands follow the measured positions
**   yes    no       none      axes move along poses and to targets
**   yes    no       some      axes slow down or brake; poses are accepted, except in a panic
**   yes    yes      some      all axes rest; poses are stale; RELAX: no motor gets a command */
#include "motor/motion.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/scalar.h"

enum { MAX_PIECES = 64 }; /* steps of the path that one long period is cut into, at most */

/* The invariants that every period relies on; O(1). */
static bool is_consistent(const brio_motion *motion) {
  return motion->tree >= 0 && motion->tree <= motion->count && motion->nrule >= 0 &&
         motion->path.count == motion->tree;
}

/* Validate limits and start of an axis. A NaN fails every comparison, so it is refused. Errors: misuse. */
static bool check(const brio_motion_setup *axis, double start, brio_error *err) {
  const brio_axis_limits *g = &axis->limits;
  if (g->lower <= g->upper && g->velocity > 0 && g->acceleration > 0 && isfinite(start)) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "an axis needs limits (%g to %g, speed %g, acceleration %g) and a place to be (%g)",
                   g->lower, g->upper, g->velocity, g->acceleration, start);
}

/* Set up one axis, at rest at `start`, its motor on. */
static bool start_axis(brio_motion_axis *axis, const brio_motion_setup *setup, double start,
                       brio_error *err) {
  if (!check(setup, start, err)) return false;
  *axis = (brio_motion_axis){.given = setup->limits, .guard = setup->limits, .target = start, .x = start,
                             .measured = NAN, .on = true};
  /* The filter begins at rest, too. */
  if (brio_lowpass_start(&axis->filter, setup->stages, setup->tau, start)) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "a filter has 1 to %d stages and a time constant above 0 s, not %d and %g",
                   BRIO_LOWPASS_STAGES, setup->stages, setup->tau);
}

/* Put an axis at rest at x. Where x is outside the limits, they are widened to it: the axis is legal
** there. */
static void place_axis(brio_motion_axis *axis, double x) {
  axis->guard = axis->given;
  if (x < axis->guard.lower) axis->guard.lower = x;
  if (x > axis->guard.upper) axis->guard.upper = x;
  axis->x = axis->target = x;
  axis->v = 0;
  brio_lowpass_place(&axis->filter, x);
}

/* The measured position, or the command where none was ever measured. */
static double where_it_is(const brio_motion_axis *axis) {
  return isfinite(axis->measured) ? axis->measured : axis->x;
}

/* Whether the position of an axis is known: a device that once reported must report now. */
static bool is_found(const brio_motion_axis *axis) { return isfinite(axis->measured) || !axis->reports; }

/* Put the path at rest at the axes' commands.  Poses computed before that become stale. */
static void place_path(brio_motion *motion) {
  for (int i = 0; i < motion->tree; i++) motion->pose[i] = motion->axes[i].x;
  brio_path_place(&motion->path, motion->pose);
  motion->anew++;
}

/* Count a break of the path in `anew`: poses that continue from before it become stale. */
static void notice_break(brio_motion *motion) {
  if (motion->breaks != motion->path.breaks) motion->anew++;
  motion->breaks = motion->path.breaks;
}

bool brio_motion_start(brio_motion *motion, brio_arena *arena, const brio_motion_setup *axes, int count,
                       int tree, const double *start, brio_error *err) {
  assert(tree >= 0 && tree <= count);
  /* All axes rest and no motor holds until the first arming. */
  *motion = (brio_motion){.count = count, .tree = tree, .settled = true, .limp = true};
  motion->axes = BRIO_TAKE(arena, brio_motion_axis, count + 1);
  motion->pose = BRIO_TAKE(arena, double, tree + 1);
  motion->limits = BRIO_TAKE(arena, brio_axis_limits, tree + 1);
  motion->room = BRIO_TAKE(arena, brio_interlock_axis, count + 1);
  if (!motion->axes || !motion->pose || !motion->limits || !motion->room)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the motion of %d axes", count);
  /* Each axis needs valid limits and a filter; the first `tree` of them form the path. */
  for (int i = 0; i < count; i++)
    if (!start_axis(&motion->axes[i], &axes[i], start[i], err)) return false;
  for (int i = 0; i < tree; i++) motion->limits[i] = axes[i].limits;
  if (!brio_path_start(&motion->path, arena, motion->limits, tree))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the path of %d joints", tree);
  /* Each axis begins as a ring of its own: tied to no other one. */
  for (int i = 0; i < count; i++) place_axis(&motion->axes[i], start[i]), motion->axes[i].tied = i;
  place_path(motion);
  return true;
}

bool brio_motion_set_rules(brio_motion *motion, brio_arena *arena, const brio_interlock *rules, int count,
                           brio_error *err) {
  motion->rules = BRIO_TAKE(arena, brio_interlock, count + 1);
  if (!motion->rules) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d interlocks", count);
  /* The solver moves joints of the tree, so no rule may pull one of them off its path. */
  for (int i = 0; i < count; i++) {
    if (!brio_interlock_check(&rules[i], motion->count, err)) return false;
    if (rules[i].limited < motion->tree)
      return brio_fail(err, BRIO_MISUSE,
                       "interlock '%s' limits a joint of the kinematic tree: that is the solver's to do",
                       rules[i].kind->name);
    /* Copied: the state of a rule is the motion's. */
    motion->rules[i] = rules[i];
  }
  motion->nrule = count;
  return true;
}

/* Whether two axes are in the same ring of tied axes: the walk ends at `a`, where the ring closes, or at `b`.
** O(length of the ring) */
static bool are_tied(const brio_motion *motion, int a, int b) {
  int i = motion->axes[a].tied;
  while (i != a && i != b) i = motion->axes[i].tied;
  return i == b;
}

void brio_motion_tie(brio_motion *motion, const int *axes, int count) {
  for (int k = 1; k < count; k++)
    if (!are_tied(motion, axes[0], axes[k])) {
      int next = motion->axes[axes[0]].tied; /* exchanging a link of each joins two rings into one */
      motion->axes[axes[0]].tied = motion->axes[axes[k]].tied;
      motion->axes[axes[k]].tied = next;
    }
}

/* Whether axes move along poses and to targets; otherwise they brake or rest. */
static bool moves_on(const brio_motion *motion) { return motion->armed && motion->causes == 0; }

/* Whether poses are accepted: also while the joints slow down along them, but not in a panic. */
static bool takes_poses(const brio_motion *motion) {
  return motion->armed && !motion->settled && !(motion->causes & BRIO_MOTION_PANIC);
}

bool brio_motion_put(brio_motion *motion, const double *values, const double *brakes, double dt,
                     uint32_t anew) {
  assert(is_consistent(motion));
  /* Drop poses that were computed before the last break of the path, and all while nothing may move. */
  if (anew != motion->anew || !takes_poses(motion)) {
    motion->stale++;
    return false;
  }
  /* Validate all joints first: a rejected pose changes nothing. Targets of axes outside the tree may be
  ** NaN. */
  bool beyond = false, good = dt > 0 && dt < INFINITY;
  for (int i = 0; i < motion->tree; i++) {
    good = good && isfinite(values[i]);
    beyond = beyond || values[i] < motion->limits[i].lower - 1e-9 ||
             values[i] > motion->limits[i].upper + 1e-9;
  }
  if (!good) {
    motion->refused++;
    return false;
  }
  /* Positions beyond the limits are counted, and clamped by the path. */
  motion->clamped += beyond;
  /* Targets outside the tree are clamped here; joints are clamped by the path. */
  for (int i = motion->tree; i < motion->count; i++)
    if (isfinite(values[i]))
      motion->axes[i].target = brio_clamp(values[i], motion->axes[i].given.lower,
                                          motion->axes[i].given.upper);
  /* A valid pose shows that the solver lives, even where the path refuses it. */
  motion->quiet = 0;
  bool taken = brio_path_put(&motion->path, values, dt, brakes);
  notice_break(motion);
  motion->taken += taken;
  return taken;
}

/* Apply new ranges of joints as soon as the path is within them; the solver leads it there. O(joints x poses
** of the path). */
static void narrow_joints(brio_motion *motion) {
  bool waits = false;
  for (int i = 0; i < motion->tree; i++) {
    const brio_axis_limits *wanted = &motion->axes[i].given;
    brio_axis_limits *now = &motion->limits[i];
    if (wanted->lower == now->lower && wanted->upper == now->upper) continue;
    bool taken = brio_path_limit(&motion->path, i, wanted->lower, wanted->upper);
    if (taken) now->lower = wanted->lower, now->upper = wanted->upper;
    waits = waits || !taken;
  }
  motion->narrowing = waits;
}

void brio_motion_set_limits(brio_motion *motion, int axis, const brio_axis_limits *limits) {
  if (axis < 0 || axis >= motion->count) return;
  /* Of a joint only the range is used; the path adopts it in a later period (narrow_joints). */
  brio_motion_axis *which = &motion->axes[axis];
  if (axis < motion->tree) {
    which->given.lower = limits->lower, which->given.upper = limits->upper;
    motion->narrowing = true;
    return;
  }
  /* Outside the tree, speed and target change at once; the range closes in as the axis moves inwards. */
  which->given = *limits;
  which->guard.velocity = limits->velocity;
  which->target = brio_clamp(which->target, limits->lower, limits->upper);
  brio_axis_limits_follow(&which->guard, limits, which->x);
  /* A smaller acceleration only once braking with it stays within the range; see step_outside for later
  ** periods. */
  if (limits->acceleration > which->guard.acceleration || brio_axis_limits_holds(limits, which->x, which->v))
    which->guard.acceleration = limits->acceleration;
}

/* Request a resynchronization if a joint that returns has a known position. */
static void look_for_joints(brio_motion *motion) {
  for (int i = 0; i < motion->tree; i++)
    if (motion->axes[i].returns && motion->axes[i].on && is_found(&motion->axes[i]))
      motion->causes |= BRIO_MOTION_RESYNC;
}

/* All motors hold again: start from where the axes are; those of unknown position return later. */
static void take_hold(brio_motion *motion) {
  brio_motion_place(motion);
  for (int i = 0; i < motion->count; i++)
    if (!is_found(&motion->axes[i])) motion->axes[i].returns = true;
}

void brio_motion_turn_on(brio_motion *motion, int axis, bool on) {
  assert(axis >= 0 && axis < motion->count);
  brio_motion_axis *which = &motion->axes[axis];
  /* An axis that was off for less than a period got every command, and simply continues. */
  if (on && !which->on && !which->told) which->returns = true;
  /* The request for a resynchronization, where a joint has returned, brakes all axes first. */
  which->on = on;
  look_for_joints(motion);
}

void brio_motion_place(brio_motion *motion) {
  for (int i = 0; i < motion->count; i++) place_axis(&motion->axes[i], where_it_is(&motion->axes[i]));
  place_path(motion);
}

void brio_motion_stand(brio_motion *motion) {
  for (int i = 0; i < motion->count; i++) place_axis(&motion->axes[i], motion->axes[i].x);
  place_path(motion);
}

/* Stop all commands to motors, at once. */
static void disarm(brio_motion *motion) {
  motion->armed = false;
  motion->settled = true;
  motion->causes &= ~(unsigned)BRIO_MOTION_DISARM;
}

void brio_motion_arm(brio_motion *motion, bool armed) {
  /* Arming cancels a disarming that still waits for the axes to rest. */
  if (armed && (motion->causes & BRIO_MOTION_DISARM)) brio_motion_release(motion, BRIO_MOTION_DISARM);
  if (armed == motion->armed) return;
  if (!armed) {
    /* Without motion or hold there is nothing to brake; else brake first, and settle() disarms. */
    motion->causes |= BRIO_MOTION_DISARM;
    if (motion->settled || motion->limp) disarm(motion);
    return;
  }
  /* Motors that did not hold may have been moved by hand: begin where they are. */
  motion->armed = true;
  motion->settled = false;
  motion->quiet = 0;
  if (motion->limp) take_hold(motion);
}

void brio_motion_cut(brio_motion *motion) {
  brio_path_cut(&motion->path);
  notice_break(motion);
}

void brio_motion_hold(brio_motion *motion, unsigned causes) {
  /* Only a new panic cuts the path: other causes let the joints slow down along it. */
  if (causes & ~motion->causes & BRIO_MOTION_PANIC) brio_motion_cut(motion);
  motion->causes |= causes;
}

/* Resume if no cause is left and all axes rest. Poses made during the stop are stale. */
static void let_go_on(brio_motion *motion) {
  if (motion->causes != 0 || !motion->settled) return;
  motion->settled = false;
  motion->quiet = 0;
  motion->anew++;
}

void brio_motion_release(brio_motion *motion, unsigned causes) {
  unsigned before = motion->causes;
  /* RESYNC stays: only settle() releases it, when all axes rest. */
  motion->causes &= ~causes | BRIO_MOTION_RESYNC;
  /* Axes that were relaxed may have been moved by hand. */
  if ((before & BRIO_MOTION_RELAX) && !(motion->causes & BRIO_MOTION_RELAX) && motion->limp)
    take_hold(motion);
  if (before != 0) let_go_on(motion);
}

/* ---- a period ---- */

/* Let the rules narrow the room for targets, starting from each axis's present limits.  Joints have no room
** but for rules to read. */
static void apply_rules(brio_motion *motion, double h) {
  for (int i = motion->nrule > 0 ? 0 : motion->tree; i < motion->count; i++) {
    brio_interlock_axis *room = &motion->room[i];
    room->position = motion->axes[i].x;
    room->lower = motion->axes[i].guard.lower;
    room->upper = motion->axes[i].guard.upper;
  }
  for (int i = 0; i < motion->nrule; i++) brio_interlock_step(&motion->rules[i], motion->room, h);
}

/* One period of an axis outside the tree: filter, approach, or brake when motion is held. */
static void step_outside(brio_motion *motion, int i, double h, bool goes) {
  brio_motion_axis *axis = &motion->axes[i];
  const brio_interlock_axis *room = &motion->room[i];
  double next;
  /* A held axis drops its target, so that nothing is pending when it is released. */
  if (goes) {
    /* Target, low-pass filter, the range that the rules leave, then the limits of the axis. */
    double goal = brio_lowpass_step(&axis->filter, axis->target, h);
    next = brio_axis_limits_approach(&axis->guard, axis->x, axis->v,
                                    brio_clamp(goal, room->lower, room->upper), h);
  } else {
    next = brio_axis_limits_brake(&axis->guard, axis->x, axis->v, h);
    axis->target = next;
    brio_lowpass_place(&axis->filter, next);
  }
  /* v is exactly 0 at rest: brio_motion_rests compares with it. */
  axis->v = next == axis->x ? 0 : (next - axis->x) / h;
  axis->x = next;
  /* A smaller acceleration takes effect once the axis can brake with it (see set_limits). */
  if (axis->guard.acceleration != axis->given.acceleration &&
      brio_axis_limits_holds(&axis->given, axis->x, axis->v))
    axis->guard.acceleration = axis->given.acceleration;
  brio_axis_limits_follow(&axis->guard, &axis->given, axis->x);
}

/* One period of the joints: the path in equal steps of at most half a tick, as brio_path_step requires. */
static void step_tree(brio_motion *motion, double h, bool goes) {
  if (motion->narrowing) narrow_joints(motion);
  int pieces = (int)brio_min(MAX_PIECES, brio_max(1, ceil(h / (0.5 * motion->path.tick) - 1e-9)));
  for (int k = 0; k < pieces; k++) brio_path_step(&motion->path, h / pieces, goes);
  notice_break(motion);
  for (int i = 0; i < motion->tree; i++) {
    motion->axes[i].x = motion->path.x[i];
    motion->axes[i].v = motion->path.v[i];
  }
}

/* O(axes) */
bool brio_motion_rests(const brio_motion *motion) {
  for (int i = 0; i < motion->count; i++)
    if (motion->axes[i].v != 0) return false;
  return true;
}

/* Place returned axes from `first` up to `end` (exclusive) at their measured positions, where these are
** known. */
static void let_return(brio_motion *motion, int first, int end) {
  for (int i = first; i < end; i++) {
    brio_motion_axis *axis = &motion->axes[i];
    if (!axis->returns || !is_found(axis)) continue;
    place_axis(axis, where_it_is(axis));
    axis->returns = false;
  }
}

/* All axes rest under a hold: restart the path here, let joints return, and complete a resynchronization or a
** disarming. */
static void settle(brio_motion *motion) {
  motion->settled = true;
  let_return(motion, 0, motion->tree);
  place_path(motion);
  if (motion->causes & BRIO_MOTION_RESYNC) {
    motion->causes &= ~(unsigned)BRIO_MOTION_RESYNC;
    let_go_on(motion);
  }
  if (motion->causes & BRIO_MOTION_DISARM) disarm(motion);
}

/* Record which motors get commands. An axis that gets none because of a tied one returns together with it. */
static void note_told(brio_motion *motion) {
  const bool limp = motion->limp = brio_motion_lets_go(motion);
  for (int i = 0; i < motion->count; i++) {
    brio_motion_axis *axis = &motion->axes[i];
    axis->told = !limp && axis->on && !axis->returns;
    if (axis->tied == i) continue;
    axis->told = brio_motion_tells(motion, i);
    if (!axis->told && !limp) axis->returns = true;
  }
}

void brio_motion_step(brio_motion *motion, double h) {
  assert(is_consistent(motion) && h > 0);
  motion->quiet += h;
  if (brio_motion_lets_go(motion)) { /* commands follow the axes, wherever they are moved to */
    /* Commands track the axes here, which is no break of the path: `anew` stays as it was. */
    uint32_t anew = motion->anew;
    brio_motion_place(motion);
    motion->anew = anew;
    note_told(motion);
    return;
  }
  /* The order matters: causes, then the ranges that the rules leave, then the motion itself. */
  look_for_joints(motion);
  bool goes = moves_on(motion);
  let_return(motion, motion->tree, motion->count);
  apply_rules(motion, h);
  step_tree(motion, h, goes);
  for (int i = motion->tree; i < motion->count; i++) step_outside(motion, i, h, goes);
  /* All at rest under a hold: the stop is complete. */
  bool returns = motion->causes & BRIO_MOTION_RESYNC;
  if (!goes && (!motion->settled || returns) && brio_motion_rests(motion)) settle(motion);
  note_told(motion);
}
