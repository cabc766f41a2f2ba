/* See path.h.  The ring holds the pose behind, the one whose corner is rounded, and those to come: pose 0, 1, 2...
** Time counts from the corner: from halfway between poses 0 and 1, at -times[1] / 2, to halfway between 1 and 2. */
#include "motor/path.h"

#include <math.h>
#include <string.h>

#include "math/scalar.h"

enum { HALVINGS = 20, WINDOW = 50 /* poses */, JUMP = 2 /* places in the ring that a jump from rest takes */ };

#define LEAST_TICK 1e-4   /* s */
#define FORGETTING 0.01   /* of the shortest tick, a tick: as in solver/collision/guard.c */
#define RAMP 0.05         /* s in which time comes back to its full pace, at least */
#define ROUNDING 1e-9     /* s */
#define MOST_MARGIN 3.0   /* ticks */
#define NEAR 1e-9         /* share by which a jump from rest is slower than it might be, for rounding */

bool brio_path_start(brio_path *path, brio_arena *arena, const brio_axis_guard *given, int count) {
  size_t n = (size_t)count + 1;
  *path = (brio_path){.count = count, .given = given, .scale = 1, .tick = INFINITY};
  path->guards = BRIO_TAKE(arena, brio_axis_guard, n);
  path->poses = BRIO_TAKE(arena, double, n * BRIO_PATH_QUEUE);
  double *block = BRIO_TAKE(arena, double, n * 5);
  if (!path->guards || !path->poses || !block) return false;
  double **parts[] = {&path->x, &path->v, &path->next, &path->pose, &path->brakes};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] = block + i * n;
  for (int j = 0; j < count; j++) path->guards[j] = given[j];
  return true;
}

/* ---- the ring ---- */

static int place_of(const brio_path *path, int k) { return (path->first + k) % BRIO_PATH_QUEUE; }

static double *pose_at(const brio_path *path, int k) { return path->poses + (size_t)place_of(path, k) * (size_t)path->count; }

static double *time_of(brio_path *path, int k) { return &path->times[place_of(path, k)]; }

static double time_at(const brio_path *path, int k) { return path->times[place_of(path, k)]; }

static void append(brio_path *path, const double *pose, double dt) {
  double *slot = pose_at(path, path->used);
  if (slot != pose) memmove(slot, pose, (size_t)path->count * sizeof *slot);
  *time_of(path, path->used++) = dt;
}

/* How fast joint j goes from pose k - 1 to pose k. */
static double speed_to(const brio_path *path, int k, int j) {
  double d = pose_at(path, k)[j] - pose_at(path, k - 1)[j];
  return d != 0 ? d / time_at(path, k) : 0;
}

static bool is_at(const brio_path *path, const double *pose, int k) {
  const double *there = pose_at(path, k);
  for (int j = 0; j < path->count; j++)
    if (pose[j] != there[j]) return false;
  return true;
}

/* Whether all joints stand still from pose k - 1 to pose k. */
static bool stands(const brio_path *path, int k) { return is_at(path, pose_at(path, k - 1), k); }

/* Nothing but where it is. */
static void stay_at(brio_path *path, const double *x) {
  memmove(path->pose, x, (size_t)path->count * sizeof *x);
  path->first = path->used = 0;
  append(path, path->pose, 0);
  append(path, path->pose, 0);
  path->at = 0;
}

double brio_path_ahead(const brio_path *path) {
  double left = -path->at - 0.5 * time_at(path, path->used - 1);
  for (int k = 2; k < path->used; k++) left += time_at(path, k);
  return left;
}

double brio_path_ends(const brio_path *path, const double **last, const double **before) {
  *last = pose_at(path, path->used - 1);
  *before = pose_at(path, path->used - 2);
  return time_at(path, path->used - 1);
}

void brio_path_pad(brio_path *path, double margin) { path->margin = margin; }

static void look_anew(brio_path *path) {
  path->least = INFINITY;
  path->spare = 0;
  path->window = 0;
}

/* Whether joints that come to pose k as they do could brake within their limits. */
static bool may_leave(const brio_path *path, int k) {
  for (int j = 0; j < path->count; j++)
    if (!brio_axis_guard_holds(&path->guards[j], pose_at(path, k)[j], speed_to(path, k, j))) return false;
  return true;
}

void brio_path_cut(brio_path *path) {
  int keep = path->used < 3 ? path->used : 3;
  while (keep < path->used && !may_leave(path, keep - 1)) keep++;
  path->breaks += keep < path->used;
  path->used = keep;
  look_anew(path);
}

void brio_path_place(brio_path *path, const double *x) {
  stay_at(path, x);
  look_anew(path);
  path->off = false;
  path->scale = 1;
  for (int j = 0; j < path->count; j++) {
    path->x[j] = x[j];
    path->v[j] = 0;
    path->guards[j] = path->given[j];
    brio_axis_guard_follow(&path->guards[j], &path->given[j], x[j]);
    if (x[j] < path->guards[j].lower) path->guards[j].lower = x[j];
    if (x[j] > path->guards[j].upper) path->guards[j].upper = x[j];
  }
}

bool brio_path_rests(const brio_path *path) {
  for (int j = 0; j < path->count; j++)
    if (path->v[j] != 0) return false;
  return true;
}

/* ---- the poses ---- */

/* Whether the next pose can be reached in dt: the corner before it takes `corner` s. */
static bool fits(const brio_path *path, const double *pose, double dt, double corner) {
  const double *last = pose_at(path, path->used - 1);
  for (int j = 0; j < path->count; j++) {
    const brio_axis_guard *guard = &path->guards[j];
    double v = (pose[j] - last[j]) / dt, change = fabs(v - speed_to(path, path->used - 1, j));
    if (!(fabs(v) <= guard->velocity * (1 + 0.5 * BRIO_AXIS_GUARD_TOLERANCE))) return false;
    if (change > guard->acceleration * corner * (1 + 0.5 * BRIO_AXIS_GUARD_TOLERANCE)) return false;
    if (!brio_axis_guard_holds(guard, pose[j], v)) return false;
  }
  return true;
}

/* The path rests at its end, and nothing is under way: a corner there may take any time. */
static bool rests_at_end(const brio_path *path) { return path->used == 2 && stands(path, 1); }

static void go_on(brio_path *path, const double *pose, double dt) {
  if (rests_at_end(path)) {
    *time_of(path, 1) = dt;
    path->at = -0.5 * dt;
    path->wait = fmin(path->margin, MOST_MARGIN * fmin(path->tick, dt));
  }
  append(path, pose, dt);
}

/* From rest to rest on a straight line, for all joints together, as quickly as they may. */
static void jump(brio_path *path, const double *pose, double dt) {
  const double *last = pose_at(path, path->used - 1);
  double corner = 0;
  for (int j = 0; j < path->count; j++) {
    double d = fabs(pose[j] - last[j]) * (1 + NEAR);
    dt = fmax(dt, fmax(d / path->guards[j].velocity, sqrt(d / path->guards[j].acceleration)));
  }
  for (int j = 0; j < path->count; j++)
    corner = fmax(corner, fabs(pose[j] - last[j]) * (1 + NEAR) / dt / path->guards[j].acceleration);
  corner = brio_clamp(corner, fmin(path->tick, dt), dt);
  go_on(path, pose, dt);
  *time_of(path, 1) = corner;
  path->at = -0.5 * corner;
  append(path, pose, corner);
  path->stretched++;
}

/* Add a pose to the path, if it can be followed. */
static bool follow(brio_path *path, const double *pose, double dt) {
  static const double slower[] = {1, 1.1, 1.25, 1.5, 2, 3};
  bool rests = rests_at_end(path);
  if (stands(path, path->used - 1) && is_at(path, pose, path->used - 1)) return true; /* there is nothing to do */
  if (path->used + JUMP > BRIO_PATH_QUEUE) return false;
  for (size_t i = 0; i < sizeof slower / sizeof *slower; i++) {
    double time = dt * slower[i];
    if (!fits(path, pose, time, rests ? time : fmin(time, time_at(path, path->used - 1)))) continue;
    go_on(path, pose, time);
    path->stretched += i > 0;
    return true;
  }
  if (rests) jump(path, pose, dt);
  return rests;
}

/* Note how long before it was needed a pose came. */
static void note_spare(brio_path *path) {
  path->least = fmin(path->least, path->scale == 1 ? brio_path_ahead(path) : 0);
  if (++path->window < WINDOW) return;
  path->spare = path->least;
  path->windows++;
  path->least = INFINITY;
  path->window = 0;
}

/* An end that the path is beyond moves in with it, never back out. */
static double clamp_pose(const brio_path *path, int j, double x) {
  const brio_axis_guard *guard = &path->guards[j], *given = &path->given[j];
  double last = pose_at(path, path->used - 1)[j];
  double lower = guard->lower < given->lower ? fmin(given->lower, last) : guard->lower;
  double upper = guard->upper > given->upper ? fmax(given->upper, last) : guard->upper;
  return brio_clamp(x, fmax(lower, guard->lower), fmin(upper, guard->upper));
}

bool brio_path_put(brio_path *path, const double *pose, double dt, const double *brakes) {
  if (!(dt > 0 && dt < INFINITY)) return false;
  for (int j = 0; j < path->count; j++)
    if (!isfinite(pose[j])) return false;
  dt = fmax(dt, LEAST_TICK);
  path->tick = dt < path->tick ? dt : path->tick + FORGETTING * (dt - path->tick);
  for (int j = 0; j < path->count; j++) path->pose[j] = clamp_pose(path, j, pose[j]);
  note_spare(path);
  if (path->off || !follow(path, path->pose, dt)) {
    path->dropped++;
    path->breaks++;
    return false;
  }
  for (int j = 0; j < path->count; j++)
    path->brakes[j] = brakes ? fmin(brakes[j], path->guards[j].acceleration) : path->guards[j].acceleration;
  return true;
}

/* The poses ended in motion: put in ticks of braking, as many as the sender needs to take notice. */
static void brake_on(brio_path *path, double h) {
  double usual = time_at(path, path->used - 1), tick = fmin(path->tick, usual), put = 0;
  path->breaks++;
  path->margin = fmin(path->margin + 0.5 * path->tick, MOST_MARGIN * path->tick);
  look_anew(path);
  while (put < 2 * usual + h && path->used < BRIO_PATH_QUEUE && !stands(path, path->used - 1)) {
    const double *last = pose_at(path, path->used - 1);
    for (int j = 0; j < path->count; j++) {
      brio_axis_guard guard = path->guards[j];
      guard.acceleration = path->brakes[j];
      path->pose[j] = brio_axis_guard_brake(&guard, last[j], speed_to(path, path->used - 1, j), tick);
    }
    append(path, path->pose, tick);
    put += tick;
    path->braked++;
  }
}

/* Whether what the path has still to do for a joint stays within a range. */
static bool plans_within(const brio_path *path, int j, double lower, double upper) {
  for (int k = 1; k < path->used; k++) {
    double pose = pose_at(path, k)[j];
    if (!(pose >= lower && pose <= upper)) return false;
  }
  brio_axis_guard guard = path->guards[j];
  guard.lower = lower, guard.upper = upper;
  return brio_axis_guard_holds(&guard, pose_at(path, path->used - 1)[j], speed_to(path, path->used - 1, j));
}

bool brio_path_limit(brio_path *path, int joint, double lower, double upper) {
  brio_axis_guard guard = path->guards[joint];
  bool wider = lower <= guard.lower && upper >= guard.upper;
  guard.lower = lower, guard.upper = upper;
  if (!wider && !(brio_axis_guard_holds(&guard, path->x[joint], path->v[joint]) && plans_within(path, joint, lower, upper)))
    return false;
  path->guards[joint] = guard;
  return true;
}

/* ---- a period ---- */

/* Where joint j is `at` s from the corner at pose k, at most half of its times away. */
static double round_corner(const brio_path *path, int k, int j, double at) {
  double v = speed_to(path, k, j), x = pose_at(path, k)[j];
  if (k + 1 == path->used) return x + v * at;
  double after = speed_to(path, k + 1, j), half = 0.5 * fmin(time_at(path, k), time_at(path, k + 1));
  if (at <= -half) return x + v * at;
  if (at >= half) return x + after * at;
  double in = at + half;
  return x + v * at + (after - v) * in * in / (4 * half);
}

/* Leave the point `at` s from the present corner in path->next.  False: the path ends before, in motion. */
static bool look_ahead(const brio_path *path, double at) {
  int k = 1;
  for (; k + 1 < path->used && at > 0.5 * time_at(path, k + 1); k++) at -= time_at(path, k + 1);
  if (k + 1 == path->used && at > ROUNDING - 0.5 * time_at(path, k) && !stands(path, k)) return false;
  for (int j = 0; j < path->count; j++) path->next[j] = round_corner(path, k, j, at);
  return true;
}

/* Whether time may run at `scale` during this period. */
static bool may_run(const brio_path *path, double scale, double h) {
  if (!look_ahead(path, path->at + scale * h)) return false;
  double between = 0.5 * (path->period + h);
  for (int j = 0; j < path->count; j++)
    if (!brio_axis_guard_allows(&path->guards[j], path->x[j], path->v[j], path->next[j], h, between))
      return false;
  return true;
}

/* The allowed scale that is nearest to `wanted`, between that and the present one; negative: none. */
static double find_scale(const brio_path *path, double wanted, double h) {
  double good = path->scale, bad = wanted;
  if (may_run(path, wanted, h)) return wanted;
  if (!may_run(path, good, h)) return -1;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = 0.5 * (good + bad);
    if (may_run(path, middle, h)) good = middle;
    else bad = middle;
  }
  look_ahead(path, path->at + good * h);
  return good;
}

/* Go on along the path by `forward` s.  What rests at its end is all behind. */
static void move_cursor(brio_path *path, double forward) {
  path->at += forward;
  while (path->used > 2 && path->at > 0.5 * time_at(path, 2)) {
    path->at -= time_at(path, 2);
    path->first = place_of(path, 1);
    path->used--;
  }
  if (path->used == 2 && stands(path, 1) && path->at >= -0.5 * time_at(path, 1)) stay_at(path, pose_at(path, 1));
}

/* Off the path, which nothing that keeps its limits leads to: each joint brakes as hard as it may. */
static void brake_each(brio_path *path, double h) {
  bool rests = brio_path_rests(path);
  path->off = true;
  path->tracked += !rests;
  for (int j = 0; j < path->count; j++)
    path->next[j] = brio_axis_guard_brake(&path->guards[j], path->x[j], path->v[j], h);
}

/* The next command is in path->next. */
static void advance(brio_path *path, double h) {
  for (int j = 0; j < path->count; j++) {
    path->v[j] = path->next[j] == path->x[j] ? 0 : (path->next[j] - path->x[j]) / h;
    path->x[j] = path->next[j];
    brio_axis_guard_follow(&path->guards[j], &path->given[j], path->x[j]);
  }
  path->period = h;
}

/* All rest off the path: it begins anew here. */
static void end_off(brio_path *path) {
  if (!path->off || !brio_path_rests(path)) return;
  path->off = false;
  path->scale = 1;
  path->breaks++;
  stay_at(path, path->x);
}

void brio_path_step(brio_path *path, double h, double wanted) {
  bool begins = path->used > 2 && path->wait > 0 && wanted > 0 && stands(path, 1);
  if (rests_at_end(path)) path->scale = 1; /* what begins from rest takes up time as it is */
  wanted = begins ? 0 : brio_clamp(wanted, 0, fmin(1, path->scale + h / RAMP));
  path->wait -= h;
  bool needs = brio_path_ahead(path) < fmax(path->scale, wanted) * h - ROUNDING;
  if (needs && !path->off && !stands(path, path->used - 1)) brake_on(path, h);
  if (path->period == 0) path->period = h;
  double scale = path->off ? -1 : find_scale(path, wanted, h);
  if (scale < 0) {
    brake_each(path, h);
  } else {
    path->scale = begins ? 1 : scale;
    move_cursor(path, scale * h);
  }
  advance(path, h);
  end_off(path);
}
