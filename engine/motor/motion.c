/* See motion.h. */
#include "motor/motion.h"

#include <math.h>
#include <string.h>

#include "math/scalar.h"

enum { MOST_PIECES = 64 }; /* of a period, where that is longer than half a tick */

static bool check(const brio_motion_setup *axis, double start, brio_error *err) {
  const brio_guard *g = &axis->limits;
  if (g->lower <= g->upper && g->velocity > 0 && g->acceleration > 0 && isfinite(start)) return true;
  return brio_fail(err, BRIO_MISUSE, "an axis needs limits (%g to %g, speed %g, acceleration %g) and a place to be (%g)",
                   g->lower, g->upper, g->velocity, g->acceleration, start);
}

static bool start_axis(brio_motion_axis *axis, const brio_motion_setup *setup, double start, brio_error *err) {
  if (!check(setup, start, err)) return false;
  *axis = (brio_motion_axis){.given = setup->limits, .guard = setup->limits, .target = start, .x = start,
                             .measured = NAN, .on = true};
  if (brio_lowpass_start(&axis->filter, setup->stages, setup->tau, start)) return true;
  return brio_fail(err, BRIO_MISUSE, "a filter has 1 to %d stages and a time constant above 0 s, not %d and %g",
                   BRIO_LOWPASS_STAGES, setup->stages, setup->tau);
}

/* Put an axis at rest at x. */
static void place_axis(brio_motion_axis *axis, double x) {
  axis->guard = axis->given;
  if (x < axis->guard.lower) axis->guard.lower = x;
  if (x > axis->guard.upper) axis->guard.upper = x;
  axis->x = axis->target = x;
  axis->v = 0;
  brio_lowpass_place(&axis->filter, x);
}

static double where_it_is(const brio_motion_axis *axis) { return isfinite(axis->measured) ? axis->measured : axis->x; }

/* Put the path where the axes' commands are. */
static void place_path(brio_motion *motion) {
  for (int i = 0; i < motion->tree; i++) motion->pose[i] = motion->axes[i].x;
  brio_path_place(&motion->path, motion->pose);
  motion->anew++;
}

bool brio_motion_start(brio_motion *motion, brio_arena *arena, const brio_motion_setup *axes, int count, int tree,
                       const double *start, brio_error *err) {
  *motion = (brio_motion){.count = count, .tree = tree, .settled = true};
  motion->axes = BRIO_TAKE(arena, brio_motion_axis, count + 1);
  motion->pose = BRIO_TAKE(arena, double, tree + 1);
  motion->limits = BRIO_TAKE(arena, brio_guard, tree + 1);
  motion->room = BRIO_TAKE(arena, brio_interlock_axis, count + 1);
  if (!motion->axes || !motion->pose || !motion->limits || !motion->room)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the motion of %d axes", count);
  for (int i = 0; i < count; i++)
    if (!start_axis(&motion->axes[i], &axes[i], start[i], err)) return false;
  for (int i = 0; i < tree; i++) motion->limits[i] = axes[i].limits;
  if (!brio_path_start(&motion->path, arena, motion->limits, tree))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the path of %d joints", tree);
  for (int i = 0; i < count; i++) place_axis(&motion->axes[i], start[i]);
  place_path(motion);
  return true;
}

bool brio_motion_set_rules(brio_motion *motion, brio_arena *arena, const brio_interlock *rules, int count, brio_error *err) {
  motion->rules = BRIO_TAKE(arena, brio_interlock, count + 1);
  if (!motion->rules) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d interlocks", count);
  for (int i = 0; i < count; i++) {
    if (!brio_interlock_check(&rules[i], motion->count, err)) return false;
    if (rules[i].limited < motion->tree)
      return brio_fail(err, BRIO_MISUSE, "interlock '%s' limits a joint of the kinematic tree: that is the solver's to do",
                       rules[i].kind->name);
    motion->rules[i] = rules[i];
  }
  motion->nrule = count;
  return true;
}

static bool moves_on(const brio_motion *motion) { return motion->armed && motion->causes == 0; }

/* Whether poses are of use: also while the joints slow down along them. */
static bool takes_poses(const brio_motion *motion) {
  return motion->armed && !motion->settled && !(motion->causes & BRIO_MOTION_PANIC);
}

bool brio_motion_put(brio_motion *motion, const double *values, double dt, uint32_t anew) {
  if (anew != motion->anew || !takes_poses(motion)) {
    motion->stale++;
    return false;
  }
  bool beyond = false;
  for (int i = 0; i < motion->tree; i++)
    beyond = beyond || values[i] < motion->limits[i].lower - 1e-9 || values[i] > motion->limits[i].upper + 1e-9;
  if (!brio_path_put(&motion->path, values, dt)) {
    motion->refused++;
    return false;
  }
  motion->clamped += beyond;
  for (int i = motion->tree; i < motion->count; i++)
    if (isfinite(values[i])) motion->axes[i].target = values[i];
  motion->quiet = 0;
  motion->taken++;
  return true;
}

void brio_motion_set_limits(brio_motion *motion, int axis, const brio_guard *limits) {
  if (axis < motion->tree || axis >= motion->count) return;
  brio_motion_axis *which = &motion->axes[axis];
  which->given = *limits;
  which->guard.velocity = fmax(limits->velocity, fabs(which->v));
  if (brio_guard_holds(limits, which->x, which->v)) which->guard.acceleration = limits->acceleration;
}

void brio_motion_turn_on(brio_motion *motion, int axis, bool on) {
  brio_motion_axis *which = &motion->axes[axis];
  if (on && !which->on) {
    if (axis < motion->tree) {
      which->returns = true;
      motion->causes |= BRIO_MOTION_RESYNC;
    } else {
      place_axis(which, where_it_is(which));
    }
  }
  which->on = on;
}

void brio_motion_measure(brio_motion *motion, int axis, double position, double load) {
  motion->axes[axis].measured = position;
  motion->room[axis].load = load;
}

void brio_motion_place(brio_motion *motion) {
  for (int i = 0; i < motion->count; i++) place_axis(&motion->axes[i], where_it_is(&motion->axes[i]));
  place_path(motion);
}

void brio_motion_stand(brio_motion *motion) {
  for (int i = 0; i < motion->count; i++) place_axis(&motion->axes[i], motion->axes[i].x);
  place_path(motion);
}

void brio_motion_arm(brio_motion *motion, bool armed) {
  if (armed == motion->armed) return;
  motion->armed = armed;
  motion->settled = !armed;
  brio_motion_place(motion);
}

void brio_motion_hold(brio_motion *motion, unsigned causes) {
  if (causes & ~motion->causes & BRIO_MOTION_PANIC) brio_path_cut(&motion->path);
  motion->causes |= causes;
}

void brio_motion_release(brio_motion *motion, unsigned causes) {
  unsigned before = motion->causes;
  motion->causes &= ~causes;
  if ((before & BRIO_MOTION_RELAX) && !(motion->causes & BRIO_MOTION_RELAX)) brio_motion_place(motion);
  if (before == 0 || motion->causes != 0 || !motion->settled) return;
  motion->settled = false;
  motion->quiet = 0;
  motion->anew++;
}

/* ---- a period ---- */

static void apply_rules(brio_motion *motion, double h) {
  for (int i = 0; i < motion->count; i++) {
    brio_interlock_axis *room = &motion->room[i];
    room->position = motion->axes[i].x;
    room->lower = motion->axes[i].guard.lower;
    room->upper = motion->axes[i].guard.upper;
  }
  for (int i = 0; i < motion->nrule; i++) brio_interlock_step(&motion->rules[i], motion->room, h);
}

static void step_outside(brio_motion *motion, int i, double h, bool goes) {
  brio_motion_axis *axis = &motion->axes[i];
  const brio_interlock_axis *room = &motion->room[i];
  double next;
  if (goes) {
    double goal = brio_lowpass_step(&axis->filter, axis->target, h);
    next = brio_guard_approach(&axis->guard, axis->x, axis->v, brio_clamp(goal, room->lower, room->upper), h);
  } else {
    next = brio_guard_brake(&axis->guard, axis->x, axis->v, h);
    axis->target = next;
    brio_lowpass_place(&axis->filter, next);
  }
  axis->v = next == axis->x ? 0 : (next - axis->x) / h;
  axis->x = next;
  axis->guard.velocity = fmax(axis->given.velocity, fmin(axis->guard.velocity, fabs(axis->v)));
  if (axis->guard.acceleration != axis->given.acceleration && brio_guard_holds(&axis->given, axis->x, axis->v))
    axis->guard.acceleration = axis->given.acceleration;
  brio_guard_follow(&axis->guard, &axis->given, axis->x);
}

static void step_tree(brio_motion *motion, double h, bool goes) {
  int pieces = (int)fmin(MOST_PIECES, fmax(1, ceil(h / (0.5 * motion->path.tick) - 1e-9)));
  for (int k = 0; k < pieces; k++) brio_path_step(&motion->path, h / pieces, goes);
  for (int i = 0; i < motion->tree; i++) {
    motion->axes[i].x = motion->path.x[i];
    motion->axes[i].v = motion->path.v[i];
  }
}

bool brio_motion_rests(const brio_motion *motion) {
  for (int i = 0; i < motion->count; i++)
    if (motion->axes[i].v != 0) return false;
  return true;
}

/* Held, and everything rests: nothing that was planned counts any more. */
static void settle(brio_motion *motion) {
  motion->settled = true;
  for (int i = 0; i < motion->tree; i++) {
    brio_motion_axis *axis = &motion->axes[i];
    if (axis->returns) place_axis(axis, where_it_is(axis));
    axis->returns = false;
  }
  place_path(motion);
  brio_motion_release(motion, BRIO_MOTION_RESYNC);
}

void brio_motion_step(brio_motion *motion, double h) {
  bool limp = !motion->armed || (motion->settled && (motion->causes & BRIO_MOTION_RELAX));
  motion->quiet += h;
  if (limp) { /* commands follow the axes, wherever they are moved to */
    uint32_t anew = motion->anew;
    brio_motion_place(motion);
    motion->anew = anew;
    return;
  }
  bool goes = moves_on(motion);
  apply_rules(motion, h);
  step_tree(motion, h, goes);
  for (int i = motion->tree; i < motion->count; i++) step_outside(motion, i, h, goes);
  bool returns = motion->causes & BRIO_MOTION_RESYNC;
  if (!goes && (!motion->settled || returns) && brio_motion_rests(motion)) settle(motion);
}

bool brio_motion_tells(const brio_motion *motion, int axis) {
  bool limp = motion->settled && (motion->causes & BRIO_MOTION_RELAX);
  return motion->armed && !limp && motion->axes[axis].on && !motion->axes[axis].returns;
}
