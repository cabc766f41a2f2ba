/* The path of the joints: see path.h. The ring holds the pose behind (0), the one whose corner is rounded
** (1), and those to come (2, ...). Time counts from the corner: from halfway between poses 0 and 1, at
** -times[1] / 2, to halfway between 1 and 2.
**
** A step costs O(joints x HALVINGS) in the worst case, O(joints) while no limit binds. */
#include "motor/path.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/scalar.h"

enum { HALVINGS = 20, WINDOW = 50 /* poses */, JUMP = 2 /* slots of the ring that a jump from rest takes */ };

#define MIN_TICK 1e-4     /* s: shorter ticks count as this long */
#define FORGETTING 0.01   /* of the shortest tick, per pose: as in solver/collision/guard.c */
#define RAMP 0.05         /* s: the shortest time in which the scale returns from 0 to 1 */
#define ROUNDING 1e-9     /* s: times closer than this are equal */
#define MAX_MARGIN 3.0    /* ticks */
#define NEAR 1e-9         /* relative slack of a jump from rest: rounding must not take it over a limit */

/* The invariants of a path that was placed; O(1). */
static bool is_consistent(const brio_path *path) {
  return path->first >= 0 && path->first < BRIO_PATH_QUEUE && path->used >= 2 &&
         path->used <= BRIO_PATH_QUEUE && path->scale >= 0 && path->scale <= 1 && path->window < WINDOW;
}

bool brio_path_start(brio_path *path, brio_arena *arena, const brio_axis_limits *given, int count) {
  assert(count >= 0);
  size_t n = (size_t)count + 1;
  *path = (brio_path){.count = count, .given = given, .scale = 1, .tick = INFINITY};
  path->guards = BRIO_TAKE(arena, brio_axis_limits, n);
  path->poses = BRIO_TAKE(arena, double, n * BRIO_PATH_QUEUE);
  /* One block for the five arrays of `count` numbers. */
  double *block = BRIO_TAKE(arena, double, n * 5);
  if (!path->guards || !path->poses || !block) return false;
  double **parts[] = {&path->x, &path->v, &path->next, &path->pose, &path->brakes};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] = block + i * n;
  for (int j = 0; j < count; j++) path->guards[j] = given[j];
  return true;
}

/* ---- the ring ---- */

/* Index into the ring of pose k, counted from the oldest. */
static int place_of(const brio_path *path, int k) { return (path->first + k) % BRIO_PATH_QUEUE; }

/* The values of pose k, `count` of them; valid until the ring changes. */
static double *pose_at(const brio_path *path, int k) {
  return path->poses + (size_t)place_of(path, k) * (size_t)path->count;
}

/* Time from pose k - 1 to pose k, s: to write, and to read. */
static double *time_of(brio_path *path, int k) { return &path->times[place_of(path, k)]; }

static double time_at(const brio_path *path, int k) { return path->times[place_of(path, k)]; }

/* Append a pose, dt s after the newest. `pose` may be the slot that it goes to. */
static void append(brio_path *path, const double *pose, double dt) {
  assert(path->used < BRIO_PATH_QUEUE);
  double *slot = pose_at(path, path->used);
  if (slot != pose) memmove(slot, pose, (size_t)path->count * sizeof *slot);
  *time_of(path, path->used++) = dt;
}

/* Speed that covers a distance in a time; 0 for equal poses, whose time may be 0 s. */
static inline double mean_speed(double distance, double time) { return distance != 0 ? distance / time : 0; }

/* Mean speed of joint j from pose k - 1 to pose k. */
static double speed_to(const brio_path *path, int k, int j) {
  return mean_speed(pose_at(path, k)[j] - pose_at(path, k - 1)[j], time_at(path, k));
}

/* Whether `pose` equals pose k exactly. */
static bool is_at(const brio_path *path, const double *pose, int k) {
  const double *there = pose_at(path, k);
  for (int j = 0; j < path->count; j++)
    if (pose[j] != there[j]) return false;
  return true;
}

/* Whether no joint moves from pose k - 1 to pose k. */
static bool stands(const brio_path *path, int k) { return is_at(path, pose_at(path, k - 1), k); }

/* Drop all poses and rest at x.  `x` may be part of the ring, so it is copied out first. */
static void stay_at(brio_path *path, const double *x) {
  memmove(path->pose, x, (size_t)path->count * sizeof *x);
  path->first = path->used = 0;
  append(path, path->pose, 0);
  append(path, path->pose, 0);
  path->at = 0;
}

double brio_path_ahead(const brio_path *path) {
  /* The corner of the last pose begins half a tick before it: from there another pose is needed. */
  double left = -path->at - 0.5 * time_at(path, path->used - 1);
  for (int k = 2; k < path->used; k++) left += time_at(path, k);
  return left;
}

double brio_path_ends(const brio_path *path, const double **last, const double **before) {
  assert(path->used >= 2);
  *last = pose_at(path, path->used - 1);
  *before = pose_at(path, path->used - 2);
  return time_at(path, path->used - 1);
}

/* Effective at the next start from rest (go_on). */
void brio_path_pad(brio_path *path, double margin) { path->margin = margin; }

/* Begin a new window in which the spare time of poses is measured. */
static void reset_spare(brio_path *path) {
  path->least = INFINITY;
  path->spare = 0;
  path->window = 0;
}

/* Whether all joints, arriving at pose k at their speeds there, can brake within their limits. */
static bool may_leave(const brio_path *path, int k) {
  for (int j = 0; j < path->count; j++)
    if (!brio_axis_limits_holds(&path->guards[j], pose_at(path, k)[j], speed_to(path, k, j))) return false;
  return true;
}

void brio_path_cut(brio_path *path) {
  assert(is_consistent(path));
  /* Keep the corner under way and the pose after it, and later ones only until the joints can brake. */
  int keep = path->used < 3 ? path->used : 3;
  while (keep < path->used && !may_leave(path, keep - 1)) keep++;
  /* Only a cut that drops poses makes the sender's poses stale. */
  path->breaks += keep < path->used;
  path->used = keep;
  reset_spare(path);
}

void brio_path_place(brio_path *path, const double *x) {
  stay_at(path, x);
  reset_spare(path);
  path->off = false;
  path->scale = 1;
  for (int j = 0; j < path->count; j++) {
    path->x[j] = x[j];
    path->v[j] = 0;
    /* A joint outside its range is legal where it is: its limits are widened to there. */
    path->guards[j] = path->given[j];
    brio_axis_limits_follow(&path->guards[j], &path->given[j], x[j]);
    if (x[j] < path->guards[j].lower) path->guards[j].lower = x[j];
    if (x[j] > path->guards[j].upper) path->guards[j].upper = x[j];
  }
}

/* A comparison with 0 is exact: see advance(). */
bool brio_path_rests(const brio_path *path) {
  for (int j = 0; j < path->count; j++)
    if (path->v[j] != 0) return false;
  return true;
}

/* ---- the poses ---- */

/* Whether the next pose can be reached in dt s within all limits, if the corner before it takes
** `corner` s: |v| <= V, |v - v'| <= A corner, and v^2 <= 2 A room.  Half the tolerance leaves the
** rest for rounding along the path. */
static bool fits(const brio_path *path, const double *pose, double dt, double corner) {
  const double *last = pose_at(path, path->used - 1);
  for (int j = 0; j < path->count; j++) {
    const brio_axis_limits *guard = &path->guards[j];
    double v = (pose[j] - last[j]) / dt, change = fabs(v - speed_to(path, path->used - 1, j));
    if (!(fabs(v) <= guard->velocity * (1 + 0.5 * BRIO_AXIS_LIMITS_TOLERANCE))) return false;
    if (change > guard->acceleration * corner * (1 + 0.5 * BRIO_AXIS_LIMITS_TOLERANCE)) return false;
    if (!brio_axis_limits_holds(guard, pose[j], v)) return false;
  }
  return true;
}

/* Whether the path rests at its end with nothing under way: its corner may then be given any duration. */
static bool rests_at_end(const brio_path *path) { return path->used == 2 && stands(path, 1); }

/* Append a pose. From rest, the corner takes dt s and begins after the margin. */
static void go_on(brio_path *path, const double *pose, double dt) {
  if (rests_at_end(path)) {
    *time_of(path, 1) = dt;
    path->at = -0.5 * dt;
    path->wait = brio_min(path->margin, MAX_MARGIN * brio_min(path->tick, dt));
  }
  append(path, pose, dt);
}

/* Append a motion from rest to rest: a straight line, all joints together, in the shortest time. With d the
** distance of a joint, dt >= d / V and dt >= sqrt(d / A); the corners at both ends take d / (dt A). */
static void jump(brio_path *path, const double *pose, double dt) {
  assert(rests_at_end(path));
  const double *last = pose_at(path, path->used - 1);
  double corner = 0;
  /* The slowest joint determines the time of all. */
  for (int j = 0; j < path->count; j++) {
    double d = fabs(pose[j] - last[j]) * (1 + NEAR);
    dt = brio_max(dt, brio_max(d / path->guards[j].velocity, sqrt(d / path->guards[j].acceleration)));
  }
  /* The longest corner that any joint needs, no shorter than a tick and no longer than the line. */
  for (int j = 0; j < path->count; j++)
    corner = brio_max(corner, fabs(pose[j] - last[j]) * (1 + NEAR) / dt / path->guards[j].acceleration);
  corner = brio_clamp(corner, brio_min(path->tick, dt), dt);
  go_on(path, pose, dt);
  *time_of(path, 1) = corner;
  path->at = -0.5 * corner;
  /* The same pose again: the path ends at rest. */
  append(path, pose, corner);
  path->stretched++;
}

/* Append a pose if it can be followed, stretching its time up to threefold where limits need it. */
static bool follow(brio_path *path, const double *pose, double dt) {
  static const double slower[] = {1, 1.1, 1.25, 1.5, 2, 3};
  bool rests = rests_at_end(path);
  /* A pose at which the path rests already adds nothing. */
  if (stands(path, path->used - 1) && is_at(path, pose, path->used - 1)) return true;
  /* A jump may follow, which takes JUMP slots. */
  if (path->used + JUMP > BRIO_PATH_QUEUE) return false;
  for (size_t i = 0; i < sizeof slower / sizeof *slower; i++) {
    double time = dt * slower[i];
    /* A corner takes the shorter of its two adjacent times; from rest, all of the new one. */
    if (!fits(path, pose, time, rests ? time : brio_min(time, time_at(path, path->used - 1)))) continue;
    go_on(path, pose, time);
    path->stretched += i > 0;
    return true;
  }
  if (rests) jump(path, pose, dt);
  return rests;
}

/* Record how early a pose came (s before it was needed); `spare` is the minimum over a window of poses. */
static void note_spare(brio_path *path) {
  path->least = brio_min(path->least, path->scale == 1 ? brio_path_ahead(path) : 0);
  if (++path->window < WINDOW) return;
  path->spare = path->least;
  path->windows++;
  path->least = INFINITY;
  path->window = 0;
}

/* Clamp x to the limits of joint j. Where the path is outside the given range, its limit follows the last
** pose inwards and never out again. */
static double clamp_pose(const brio_path *path, int j, double x) {
  const brio_axis_limits *guard = &path->guards[j], *given = &path->given[j];
  double last = pose_at(path, path->used - 1)[j];
  double lower = guard->lower < given->lower ? brio_min(given->lower, last) : guard->lower;
  double upper = guard->upper > given->upper ? brio_max(given->upper, last) : guard->upper;
  return brio_clamp(x, brio_max(lower, guard->lower), brio_min(upper, guard->upper));
}

bool brio_path_put(brio_path *path, const double *pose, double dt, const double *brakes) {
  assert(is_consistent(path));
  /* Validate first: a rejected pose leaves the path as it was. */
  if (!(dt > 0 && dt < INFINITY)) return false;
  for (int j = 0; j < path->count; j++)
    if (!isfinite(pose[j])) return false;
  dt = brio_max(dt, MIN_TICK);
  /* The shortest recent tick: a shorter one counts at once, longer ones raise it slowly. */
  path->tick = dt < path->tick ? dt : path->tick + FORGETTING * (dt - path->tick);
  for (int j = 0; j < path->count; j++) path->pose[j] = clamp_pose(path, j, pose[j]);
  note_spare(path);
  /* A pose that cannot be followed is a break: the sender must continue from the end of the path. */
  if (path->off || !follow(path, path->pose, dt)) {
    path->dropped++;
    path->breaks++;
    return false;
  }
  /* Braking from this pose: what the sender judged, at most what the limits permit. */
  for (int j = 0; j < path->count; j++)
    path->brakes[j] = brio_min(brakes ? brakes[j] : INFINITY, path->guards[j].acceleration);
  return true;
}

/* The poses ended in motion: append ticks of braking, for so long that the sender can notice the break and
** continue from their end. O(joints) a tick. */
static void brake_on(brio_path *path, double h) {
  double usual = time_at(path, path->used - 1), tick = brio_min(path->tick, usual), put = 0;
  path->breaks++;
  /* Later starts from rest wait longer, so that poses may be later next time. */
  path->margin = brio_min(path->margin + 0.5 * path->tick, MAX_MARGIN * path->tick);
  reset_spare(path);
  while (put < 2 * usual + h && path->used < BRIO_PATH_QUEUE && !stands(path, path->used - 1)) {
    const double *last = pose_at(path, path->used - 1);
    for (int j = 0; j < path->count; j++) {
      brio_axis_limits guard = path->guards[j];
      /* As the sender judged that the last pose can be left. */
      guard.acceleration = path->brakes[j];
      path->pose[j] = brio_axis_limits_brake(&guard, last[j], speed_to(path, path->used - 1, j), tick);
    }
    append(path, path->pose, tick);
    put += tick;
    path->braked++;
  }
}

/* Whether the rest of the path keeps joint j within a range and ends where braking stays within it.
** O(poses) */
static bool plans_within(const brio_path *path, int j, double lower, double upper) {
  for (int k = 1; k < path->used; k++) {
    double pose = pose_at(path, k)[j];
    if (!(pose >= lower && pose <= upper)) return false;
  }
  brio_axis_limits guard = path->guards[j];
  guard.lower = lower, guard.upper = upper;
  return brio_axis_limits_holds(&guard, pose_at(path, path->used - 1)[j], speed_to(path, path->used - 1, j));
}

bool brio_path_limit(brio_path *path, int joint, double lower, double upper) {
  assert(is_consistent(path) && joint >= 0 && joint < path->count);
  brio_axis_limits guard = path->guards[joint];
  /* A wider range is always safe; a narrower one only if state and plan are within it. */
  bool wider = lower <= guard.lower && upper >= guard.upper;
  guard.lower = lower, guard.upper = upper;
  if (!wider && !(brio_axis_limits_holds(&guard, path->x[joint], path->v[joint]) &&
                  plans_within(path, joint, lower, upper)))
    return false;
  path->guards[joint] = guard;
  return true;
}

/* ---- a period ---- */

/* Write the positions of all joints `at` s from the corner at pose k (at most half of the adjacent times
** away) to path->next. Outside +-half: the straight lines. Inside the parabola tangent to both:
** x + v at + (v' - v) (at + half)^2 / (4 half). */
static void round_corner(const brio_path *path, int k, double at) {
  const double *last = pose_at(path, k - 1), *pose = pose_at(path, k);
  double *next = path->next, time = time_at(path, k), half = INFINITY;
  bool turns = k + 1 < path->used;
  if (turns) half = 0.5 * brio_min(time, time_at(path, k + 1));
  /* On a straight line only one pose beside the corner counts. */
  if (at <= -half || !turns) {
    for (int j = 0; j < path->count; j++) next[j] = pose[j] + mean_speed(pose[j] - last[j], time) * at;
    return;
  }
  const double *then = pose_at(path, k + 1);
  double later = time_at(path, k + 1), in = at + half;
  for (int j = 0; j < path->count; j++) {
    double v = mean_speed(pose[j] - last[j], time), after = mean_speed(then[j] - pose[j], later);
    next[j] = at >= half ? pose[j] + after * at : pose[j] + v * at + (after - v) * in * in / (4 * half);
  }
}

/* Write the point `at` s from the present corner to path->next. False: the poses end in motion before it. */
static bool look_ahead(const brio_path *path, double at) {
  int k = 1;
  /* Walk to the corner that is nearest in time: the next one is nearer from halfway on. */
  for (; k + 1 < path->used && at > 0.5 * time_at(path, k + 1); k++) at -= time_at(path, k + 1);
  if (k + 1 == path->used && at > ROUNDING - 0.5 * time_at(path, k) && !stands(path, k)) return false;
  round_corner(path, k, at);
  return true;
}

/* Whether time may run at `scale` in this period: the step keeps the limits of every joint. Writes
** path->next. */
static bool may_run(const brio_path *path, double scale, double h) {
  if (!look_ahead(path, path->at + scale * h)) return false;
  /* From the middle of the last period to the middle of this one: the time in which speeds may change. */
  double between = 0.5 * (path->period + h);
  for (int j = 0; j < path->count; j++)
    if (!brio_axis_limits_allows(&path->guards[j], path->x[j], path->v[j], path->next[j], h, between))
      return false;
  return true;
}

/* Bisect for the allowed scale nearest to `wanted`, from the present one, which is allowed unless limits
** changed. Negative: no scale is allowed. O(joints x HALVINGS) */
static double find_scale(const brio_path *path, double wanted, double h) {
  double good = path->scale, bad = wanted;
  if (may_run(path, wanted, h)) return wanted;
  if (!may_run(path, good, h)) return -1;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = 0.5 * (good + bad);
    if (may_run(path, middle, h)) good = middle;
    else bad = middle;
  }
  /* Write path->next for the result, as the last trial may have failed. */
  look_ahead(path, path->at + good * h);
  return good;
}

/* Move `forward` s along the path and drop the poses behind. A path that rests at its end becomes one
** pose. */
static void move_cursor(brio_path *path, double forward) {
  path->at += forward;
  while (path->used > 2 && path->at > 0.5 * time_at(path, 2)) {
    path->at -= time_at(path, 2);
    path->first = place_of(path, 1);
    path->used--;
  }
  if (path->used == 2 && stands(path, 1) && path->at >= -0.5 * time_at(path, 1))
    stay_at(path, pose_at(path, 1));
}

/* Leave the path, as no scale keeps the limits: each joint brakes with its greatest acceleration. */
static void brake_each(brio_path *path, double h) {
  bool rests = brio_path_rests(path);
  path->off = true;
  path->tracked += !rests;
  for (int j = 0; j < path->count; j++)
    path->next[j] = brio_axis_limits_brake(&path->guards[j], path->x[j], path->v[j], h);
}

/* Make path->next the command. v is exactly 0 at rest, so that brio_path_rests may compare with 0. */
static void advance(brio_path *path, double h) {
  for (int j = 0; j < path->count; j++) {
    path->v[j] = path->next[j] == path->x[j] ? 0 : (path->next[j] - path->x[j]) / h;
    path->x[j] = path->next[j];
    brio_axis_limits_follow(&path->guards[j], &path->given[j], path->x[j]);
  }
  path->period = h;
}

/* All joints rest off the path: start a new one here. */
static void end_off(brio_path *path) {
  if (!path->off || !brio_path_rests(path)) return;
  path->off = false;
  path->scale = 1;
  path->breaks++;
  stay_at(path, path->x);
}

void brio_path_step(brio_path *path, double h, double wanted) {
  assert(is_consistent(path) && h > 0);
  /* A path that starts from rest first waits for its margin, so that a second pose may be late by as much. */
  bool begins = path->used > 2 && path->wait > 0 && wanted > 0 && stands(path, 1);
  if (rests_at_end(path)) path->scale = 1; /* from rest, time runs at full pace at once */
  /* Return to full pace over RAMP; slowing down is limited by the accelerations alone. */
  wanted = begins ? 0 : brio_clamp(wanted, 0, brio_min(1, path->scale + h / RAMP));
  path->wait -= h;
  /* If the poses run out within this period, braking is appended before they do. */
  bool needs = brio_path_ahead(path) < brio_max(path->scale, wanted) * h - ROUNDING;
  if (needs && !path->off && !stands(path, path->used - 1)) brake_on(path, h);
  if (path->period == 0) path->period = h;
  /* Follow the path at the best allowed scale, or leave it. */
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
