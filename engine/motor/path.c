/* See path.h.  A piece is planned when it is needed: from the end of the piece that runs, or from
** where the joints are when none runs, to the midpoint towards the pose that has waited longest. */
#include "motor/path.h"

#include <math.h>
#include <string.h>

#include "math/scalar.h"

enum { HALVINGS = 20, STRETCHES = 12, MOST_WAITING = 2, MORE = 3 /* than usual wait: older ones are dropped */ };

#define HURRY 0.85        /* of its time a loose piece takes while too many poses wait */
#define LEAST_TICK 1e-4   /* s */
#define LEAST_PACE 0.5  /* how much slower than the poses are meant to come the path may run, */
#define MOST_PACE 1.25  /* and how much faster */
#define RAMP 0.05     /* s in which time comes back to its full pace, at least */

bool brio_path_start(brio_path *path, brio_arena *arena, const brio_guard *given, int count) {
  size_t n = (size_t)count + 1;
  *path = (brio_path){.count = count, .given = given, .adrift = true, .scale = 1, .pace = 1, .tick = INFINITY, .usual = MOST_WAITING};
  path->guards = BRIO_TAKE(arena, brio_guard, n);
  path->queue = BRIO_TAKE(arena, double, n * BRIO_PATH_QUEUE);
  double *block = BRIO_TAKE(arena, double, n * 14);
  if (!path->guards || !path->queue || !block) return false;
  double **parts[] = {&path->x, &path->v, &path->change, &path->next, &path->plan, &path->last,
                      &path->pieces[0].x0, &path->pieces[0].v0, &path->pieces[0].x1, &path->pieces[0].v1,
                      &path->pieces[1].x0, &path->pieces[1].v0, &path->pieces[1].x1, &path->pieces[1].v1};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] = block + i * n;
  for (int j = 0; j < count; j++) path->guards[j] = given[j];
  return true;
}

void brio_path_cut(brio_path *path) {
  path->waiting = 0;
  path->pieces[0].planned = path->pieces[1].planned = false;
  path->adrift = true;
  path->coasted = 0;
  path->pace = 1;
}

void brio_path_place(brio_path *path, const double *x) {
  brio_path_cut(path);
  for (int j = 0; j < path->count; j++) {
    path->x[j] = path->last[j] = x[j];
    path->v[j] = path->change[j] = 0;
    path->guards[j] = path->given[j];
    brio_guard_follow(&path->guards[j], &path->given[j], x[j]);
    if (x[j] < path->guards[j].lower) path->guards[j].lower = x[j];
    if (x[j] > path->guards[j].upper) path->guards[j].upper = x[j];
  }
}

bool brio_path_rests(const brio_path *path) {
  for (int j = 0; j < path->count; j++)
    if (path->v[j] != 0) return false;
  return true;
}

/* ---- the queue ---- */

static double *waiting_pose(const brio_path *path, int place) {
  return path->queue + (size_t)((path->first + place) % BRIO_PATH_QUEUE) * (size_t)path->count;
}

/* Forget the oldest pose that waits; the next one has its time, too. */
static void drop_oldest(brio_path *path) {
  double dt = path->durations[path->first];
  path->first = (path->first + 1) % BRIO_PATH_QUEUE;
  path->waiting--;
  path->dropped++;
  if (path->waiting > 0) path->durations[path->first] += dt;
}

bool brio_path_put(brio_path *path, const double *pose, double dt) {
  if (!(dt > 0 && dt < INFINITY)) return false;
  for (int j = 0; j < path->count; j++)
    if (!isfinite(pose[j])) return false;
  if (path->waiting == BRIO_PATH_QUEUE) drop_oldest(path);
  double *slot = waiting_pose(path, path->waiting);
  for (int j = 0; j < path->count; j++) slot[j] = brio_clamp(pose[j], path->guards[j].lower, path->guards[j].upper);
  path->durations[(path->first + path->waiting++) % BRIO_PATH_QUEUE] = dt;
  path->tick = fmin(path->tick, fmax(dt, LEAST_TICK));
  return true;
}

/* Whether what is planned for a joint and what waits stays within a range. */
static bool plans_within(const brio_path *path, int j, double lower, double upper) {
  for (int k = 0; k < 2; k++) {
    const brio_path_piece *piece = &path->pieces[k];
    if (piece->planned && !(piece->x1[j] >= lower && piece->x1[j] <= upper)) return false;
  }
  for (int k = 0; k < path->waiting; k++) {
    double pose = path->queue[(size_t)((path->first + k) % BRIO_PATH_QUEUE) * (size_t)path->count + (size_t)j];
    if (!(pose >= lower && pose <= upper)) return false;
  }
  return true;
}

bool brio_path_limit(brio_path *path, int joint, double lower, double upper) {
  brio_guard guard = path->guards[joint];
  bool wider = lower <= guard.lower && upper >= guard.upper;
  guard.lower = lower, guard.upper = upper;
  if (!wider && !(brio_guard_holds(&guard, path->x[joint], path->v[joint]) && plans_within(path, joint, lower, upper)))
    return false;
  path->guards[joint] = guard;
  return true;
}

void brio_path_expect(brio_path *path, double h) {
  int at_once = (int)fmin(BRIO_PATH_QUEUE, fmax(1, ceil(h / path->tick - 1e-6)));
  path->usual = (int)fmin(BRIO_PATH_QUEUE - MORE, MOST_WAITING + at_once - 1);
}

/* ---- pieces ---- */

/* Position on a piece, `at` s after its beginning. */
static double point(const brio_path_piece *piece, int j, double at) {
  double u = at / piece->tau, rest = 1 - u;
  double d = piece->x1[j] - piece->x0[j];
  if (u >= 1) return piece->x1[j];
  return piece->x0[j] + u * u * (3 - 2 * u) * d + piece->tau * u * rest * (rest * piece->v0[j] - u * piece->v1[j]);
}

/* Whether one joint keeps its limits on a cubic: its acceleration is greatest at one of the ends,
** its speed there or where the acceleration is 0. */
static bool joint_fits(const brio_guard *guard, double d, double v0, double v1, double tau) {
  double a0 = (6 * d / tau - 4 * v0 - 2 * v1) / tau, a1 = (-6 * d / tau + 2 * v0 + 4 * v1) / tau;
  double most = guard->acceleration * (1 + 0.5 * BRIO_GUARD_TOLERANCE);
  double fastest = fmax(fabs(v0), fabs(v1));
  if (!(fabs(a0) <= most && fabs(a1) <= most)) return false;
  if (a0 * a1 < 0) {
    double turn = v0 + 0.5 * a0 * tau * a0 / (a0 - a1);
    if (turn * v0 <= 0 && turn * v1 <= 0 && fabs(turn) > 1e-6 * fastest + 1e-9) return false; /* there and back again */
    fastest = fmax(fastest, fabs(turn));
  }
  return fastest <= guard->velocity * (1 + 0.5 * BRIO_GUARD_TOLERANCE);
}

static bool fits(const brio_path *path, const brio_path_piece *piece, double slower, double tau) {
  for (int j = 0; j < path->count; j++) {
    const brio_guard *guard = &path->guards[j];
    double v1 = piece->v1[j] / slower;
    if (!joint_fits(guard, piece->x1[j] - piece->x0[j], piece->v0[j], v1, tau)) return false;
    if (!brio_guard_holds(guard, piece->x1[j], v1)) return false;
  }
  return true;
}

static bool take(brio_path_piece *piece, int count, double slower, double tau) {
  if (slower != 1)
    for (int j = 0; j < count; j++) piece->v1[j] /= slower;
  piece->tau = tau;
  return piece->planned = true;
}

/* How much slower than asked for the piece must be at least, by its length alone. */
static double least_stretch(const brio_path *path, const brio_path_piece *piece, double tau) {
  double stretch = 1;
  for (int j = 0; j < path->count; j++) {
    const brio_guard *guard = &path->guards[j];
    double d = fabs(piece->x1[j] - piece->x0[j]), dv = fabs(piece->v1[j] - piece->v0[j]);
    stretch = fmax(stretch, d / (guard->velocity * tau));
    stretch = fmax(stretch, sqrt(2 * d / guard->acceleration) / tau);
    stretch = fmax(stretch, sqrt(dv / (guard->acceleration * tau)));
  }
  return stretch;
}

/* The time in which the joint that is hardest to hurry goes from v0 to v1 / slower evenly, or
** `nominal` where none moves. */
static double even_time(const brio_path *path, const brio_path_piece *piece, double slower, double nominal) {
  double hardest = 0, tau = nominal;
  for (int j = 0; j < path->count; j++) {
    double d = piece->x1[j] - piece->x0[j], sum = piece->v0[j] + piece->v1[j] / slower;
    double hard = fabs(sum) / path->guards[j].acceleration;
    if (!(hard > hardest && d * sum > 0)) continue;
    hardest = hard;
    tau = 2 * d / sum;
  }
  return brio_clamp(tau, 0.2 * nominal, 2 * nominal);
}

/* Take a piece at `pace`, evenly, if it fits. */
static bool try_pace(brio_path *path, brio_path_piece *piece, double nominal, double pace) {
  pace = brio_clamp(pace, LEAST_PACE, MOST_PACE);
  double tau = even_time(path, piece, 1 / pace, nominal);
  if (!fits(path, piece, 1 / pace, tau)) return false;
  path->pace = pace;
  return take(piece, path->count, 1 / pace, tau);
}

/* Go on evenly: a little faster than the poses came while too many wait, a little slower when one came
** late, else back to their pace; and where that does not fit, slower. */
static bool keep_pace(brio_path *path, brio_path_piece *piece, double nominal) {
  static const double up[] = {1.1, 1.03, 1.01}, down[] = {1, 0.99, 0.97, 0.93, 0.85};
  double pace = path->pace;
  bool faster = path->waiting > path->usual, slower = path->coasted > 0 && !faster;
  for (int i = 0; i < 3 && faster; i++)
    if (try_pace(path, piece, nominal, pace * up[i])) return true;
  for (int i = 0; i < 3 && !faster && !slower && pace != 1; i++)
    if (try_pace(path, piece, nominal, pace < 1 ? fmin(1, pace * up[i]) : fmax(1, pace / up[i]))) return true;
  for (int i = slower ? 2 : 0; i < 5; i++)
    if (try_pace(path, piece, nominal, pace * down[i])) return true;
  return slower && (try_pace(path, piece, nominal, pace * down[1]) || try_pace(path, piece, nominal, pace));
}

/* Find the time that a piece takes whose ends are set.  `nominal`: as the poses have it.  From rest
** any piece fits, if it is slow enough. */
static bool find_time(brio_path *path, brio_path_piece *piece, double nominal, bool from_rest) {
  static const double tries[] = {1, 1.25, 1.5, 2};
  if (keep_pace(path, piece, nominal)) return true;
  path->pace = 1;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
    if (fits(path, piece, 1, nominal * tries[i])) {
      path->stretched += tries[i] > 1;
      return take(piece, path->count, 1, nominal * tries[i]);
    }
  double stretch = least_stretch(path, piece, nominal);
  for (int i = 0; i < (from_rest ? STRETCHES : 0); i++, stretch *= i < 4 ? 1.05 : 1.4)
    if (fits(path, piece, stretch, nominal * stretch)) {
      path->stretched++;
      return take(piece, path->count, stretch, nominal * stretch);
    }
  return false;
}

/* Set the ends of a piece from (x, v) towards the pose that waits at place k, half a tick before it.
** Return the time from the pose before to that one. */
static double set_ends(brio_path *path, brio_path_piece *piece, const double *x, const double *v, int k) {
  const double *before = k > 0 ? waiting_pose(path, k - 1) : path->last, *pose = waiting_pose(path, k);
  double dt = path->durations[(path->first + k) % BRIO_PATH_QUEUE];
  for (int j = 0; j < path->count; j++) {
    double d = pose[j] - before[j];
    piece->x0[j] = x[j];
    piece->v0[j] = v[j];
    piece->v1[j] = d / dt;
    piece->x1[j] = pose[j] - fmin(0.5 * path->tick / dt, 1) * d;
  }
  return dt;
}

static bool all_zero(const double *v, int count) {
  for (int j = 0; j < count; j++)
    if (v[j] != 0) return false;
  return true;
}

/* A piece for the pose at place k is planned: it, and those before it, wait no more. */
static void consume(brio_path *path, int k) {
  memcpy(path->last, waiting_pose(path, k), (size_t)path->count * sizeof *path->last);
  path->first = (path->first + k + 1) % BRIO_PATH_QUEUE;
  path->waiting -= k + 1;
  path->dropped += k;
}

/* Plan a piece from (x, v) for the pose that has waited longest, or for the first after it that can be
** reached.  Where none can be in any time, the piece is loose: joints follow it as well as they may.
** False: none waits. */
static bool plan(brio_path *path, brio_path_piece *piece, const double *x, const double *v) {
  bool from_rest = all_zero(v, path->count);
  double nominal = 0;
  while (path->waiting > path->usual + MORE) drop_oldest(path);
  for (int k = 0; k < path->waiting; k++) {
    nominal += set_ends(path, piece, x, v, k);
    if (!find_time(path, piece, nominal, from_rest)) continue;
    consume(path, k);
    return true;
  }
  if (path->waiting == 0) return false;
  nominal = set_ends(path, piece, x, v, 0);
  take(piece, path->count, 1, nominal * (path->waiting > path->usual ? HURRY : 1));
  consume(path, 0);
  path->loose++;
  return true;
}

/* Make sure that a piece runs, if one can. */
static void find_piece(brio_path *path) {
  brio_path_piece *runs = &path->pieces[0];
  if (runs->planned || path->waiting == 0) return;
  if (brio_path_rests(path)) memcpy(path->last, path->x, (size_t)path->count * sizeof *path->x);
  if (!plan(path, runs, path->x, path->v)) return;
  path->coasted = 0;
  path->elapsed = 0;
  path->adrift = false;
}

/* The position `at` s along what is planned into path->next.  False: it ends before, in motion. */
static bool look_ahead(brio_path *path, double at) {
  const brio_path_piece *runs = &path->pieces[0], *then = &path->pieces[1];
  bool beyond = at > runs->tau && then->planned;
  if (at > runs->tau * (1 + 1e-9) && !beyond && !all_zero(runs->v1, path->count)) return false;
  const brio_path_piece *piece = beyond ? then : runs;
  if (beyond) at -= runs->tau;
  for (int j = 0; j < path->count; j++) path->next[j] = point(piece, j, at);
  return true;
}

/* Whether time may run at `scale` during this period. */
static bool may_run(brio_path *path, double scale, double h) {
  if (!look_ahead(path, path->elapsed + scale * h)) return false;
  for (int j = 0; j < path->count; j++)
    if (!brio_guard_allows(&path->guards[j], path->x[j], path->v[j], path->next[j], h)) return false;
  return true;
}

/* The allowed scale that is nearest to `wanted`, between that and the present one; negative: none. */
static double find_scale(brio_path *path, double wanted, double h) {
  double good = path->scale, bad = wanted;
  if (may_run(path, wanted, h)) return wanted;
  if (!may_run(path, good, h)) return -1;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = 0.5 * (good + bad);
    if (may_run(path, middle, h)) good = middle;
    else bad = middle;
  }
  look_ahead(path, path->elapsed + good * h);
  return good;
}

/* Go on as before, with a share of the present acceleration, if that is legal. */
static bool coast(brio_path *path, double h, double share) {
  for (int j = 0; j < path->count; j++) {
    path->next[j] = path->x[j] + (path->v[j] + share * path->change[j]) * h;
    if (!brio_guard_allows(&path->guards[j], path->x[j], path->v[j], path->next[j], h)) return false;
  }
  return true;
}

/* Follow what is planned, each joint as well as it may: its speed is the plan's, and as much more as it can
** lose again on the way to where it should be.  Where the plan is legal from here, it is met exactly. */
static bool track(brio_path *path, double h) {
  if (!look_ahead(path, path->elapsed)) return false;
  memcpy(path->plan, path->next, (size_t)path->count * sizeof *path->plan);
  if (!look_ahead(path, path->elapsed + h)) return false;
  for (int j = 0; j < path->count; j++) {
    const brio_guard *guard = &path->guards[j];
    double x = path->x[j], v = path->v[j], d = path->plan[j] - x, speed = (path->next[j] - path->plan[j]) / h;
    double room = guard->acceleration * h;
    if (brio_guard_allows(guard, x, v, path->next[j], h)) continue;
    speed += brio_guard_catch(guard, d, h);
    speed = brio_clamp(brio_clamp(speed, v - room, v + room), -guard->velocity, guard->velocity);
    path->next[j] = x + speed * h;
    if (!brio_guard_allows(guard, x, v, path->next[j], h)) path->next[j] = brio_guard_brake(guard, x, v, h);
  }
  return true;
}

/* No piece runs.  Where poses ended, the joints go on for one tick at most, then each brakes as hard
** as it may. */
static void drift(brio_path *path, double h, double wanted) {
  bool rests = brio_path_rests(path);
  if (wanted > 0 && path->coasted < path->tick && !rests && (coast(path, h, 1) || coast(path, h, 0))) {
    path->coasted += h;
  } else {
    path->coasted = INFINITY;
    path->braked += !rests;
    for (int j = 0; j < path->count; j++)
      path->next[j] = brio_guard_brake(&path->guards[j], path->x[j], path->v[j], h);
  }
}

/* The next command is in path->next. */
static void advance(brio_path *path, double h) {
  for (int j = 0; j < path->count; j++) {
    double before = path->v[j];
    path->v[j] = path->next[j] == path->x[j] ? 0 : (path->next[j] - path->x[j]) / h;
    path->change[j] = path->v[j] - before;
    path->x[j] = path->next[j];
    brio_guard_follow(&path->guards[j], &path->given[j], path->x[j]);
  }
}

/* Go on along the pieces by `forward` s. */
static void move_cursor(brio_path *path, double forward) {
  brio_path_piece *runs = &path->pieces[0], *then = &path->pieces[1];
  path->elapsed += forward;
  if (path->elapsed <= runs->tau) return;
  if (then->planned) {
    brio_path_piece done = *runs;
    path->elapsed -= runs->tau;
    *runs = *then;
    *then = done;
    then->planned = false;
  } else {
    path->elapsed = runs->tau;
  }
}

void brio_path_step(brio_path *path, double h, double wanted) {
  brio_path_piece *runs = &path->pieces[0], *then = &path->pieces[1];
  if (path->adrift) path->scale = wanted > 0; /* a piece that begins takes up the joints' own speed */
  wanted = brio_clamp(wanted, 0, fmin(1, path->scale + h / RAMP));
  if (wanted > 0) find_piece(path);
  bool ends = runs->planned && path->elapsed + h > runs->tau && !then->planned;
  if (ends) plan(path, then, runs->x1, runs->v1);
  double scale = runs->planned ? find_scale(path, wanted, h) : -1;
  if (scale < 0 && wanted > 0 && runs->planned && track(path, h)) {
    path->tracked++;
    move_cursor(path, h);
  } else if (scale < 0) {
    runs->planned = then->planned = false;
    path->adrift = true;
    drift(path, h, wanted);
  } else {
    path->scale = scale;
    move_cursor(path, scale * h);
  }
  advance(path, h);
}
