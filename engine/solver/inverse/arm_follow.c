/* A clip on an arm: which of the answers at each frame, by dynamic programming.
**
** The cost of an answer is the square of its elbow's distance from the elbow asked for, plus a large
** multiple of that of its miss; from frame to frame it costs the square of the joints' step, and much more
** where a joint jumps.  All in m^2, steps by the arm's reach. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/inverse/arm.h"

    static const double MISS = 1000; /* weight of a miss beside the elbow */
static const double STEP = 0.05;     /* of a step, 1/rad^2 */
static const double LEAP = 0.5;      /* rad: a joint that goes farther in a frame jumps */
static const double JUMP = 10;       /* cost of a jump, in squares of the reach */

enum { STATES = 16 }; /* answers of a frame, whole turns of the first joint included, at most */

/* An answer at a frame, and the cheapest way to it. */
typedef struct state {
  double x[3], cost, miss;
  int from;
} state;

/* Return the value of joint k that is equal to `x` up to whole turns, nearest to `about` and within the
** limits; or the nearer end. */
static double near_value(const brio_arm *arm, int k, double x, double about) {
  double whole = 2 * BRIO_PI, near = about + remainder(x - about, whole);
  if (near > arm->upper[k] && near - whole >= arm->lower[k]) near -= whole;
  if (near < arm->lower[k] && near + whole <= arm->upper[k]) near += whole;
  return fmin(fmax(near, arm->lower[k]), arm->upper[k]);
}

/* Bring the value of the first joint within its limits, by whole turns if that helps; else to the nearer end.
** Limits that are farther apart than a turn have several: `turn` counts on from the lowest one.  Return
** whether there is one of that number. */
static bool bring_first(const brio_arm *arm, int turn, double *x) {
  double lower = arm->lower[0], upper = arm->upper[0], whole = 2 * BRIO_PI;
  if (!isfinite(lower)) return turn == 0;
  double lowest = *x + whole * ceil((lower - *x) / whole - 1e-12);
  if (lowest + turn * whole <= upper) {
    *x = fmax(lower, lowest + turn * whole);
    return true;
  }
  if (turn > 0) return false;
  /* Out of range: the nearer end. */
  *x = lowest - upper < lower - (lowest - whole) ? upper : lower;
  return true;
}

/* Write an answer with the joints within their limits, where it is the `turn`th of its kind. */
static bool set_state(const brio_arm *arm, const double answer[3], int turn, brio_vec3 wrist,
                      const double *elbow, const double *start, state *out) {
  memcpy(out->x, answer, sizeof out->x);
  /* Only the first joint is looked at with all its turns: it is the one that goes round. */
  if (!bring_first(arm, turn, &out->x[0])) return false;
  for (int k = 1; k < 3; k++) out->x[k] = near_value(arm, k, answer[k], start[k]);
  brio_vec3 b, c;
  brio_arm_points(arm, out->x, &b, &c);
  out->miss = brio_vec3_norm(brio_vec3_sub(c, wrist));
  out->cost = MISS * out->miss * out->miss;
  if (!elbow) return true;
  brio_vec3 off = brio_vec3_sub(b, (brio_vec3){elbow[0], elbow[1], elbow[2]});
  out->cost += brio_vec3_dot(off, off);
  return true;
}

/* Write all answers of a frame; return their number, at least 1. */
static int list_states(const brio_arm *arm, const brio_arm_clip *clip, int frame, state *out) {
  double answers[BRIO_ARM_PLACES][3], miss[BRIO_ARM_PLACES];
  const double *w = clip->wrist + 3 * (size_t)frame;
  const double *elbow = clip->elbow ? clip->elbow + 3 * (size_t)frame : NULL;
  brio_vec3 wrist = {w[0], w[1], w[2]};
  int n = brio_arm_place(arm, wrist, answers, miss), count = 0;
  for (int turn = 0; turn < STATES / BRIO_ARM_PLACES; turn++)
    for (int k = 0; k < n; k++)
      count += set_state(arm, answers[k], turn, wrist, elbow, clip->start, &out[count]);
  assert(count > 0 && count <= STATES);
  return count;
}

/* Return what it costs to go from `a` to `b` in a frame. */
static double step_cost(const brio_arm *arm, const double *a, const double *b) {
  double sum = 0, most = 0;
  for (int k = 0; k < 3; k++) {
    /* A joint without ends goes the short way. */
    double d = isfinite(arm->lower[k]) ? b[k] - a[k] : remainder(b[k] - a[k], 2 * BRIO_PI);
    sum += d * d;
    most = fmax(most, fabs(d));
  }
  return arm->reach * arm->reach * (STEP * sum + (most > LEAP ? JUMP * most : 0));
}

/* Add the cheapest way from the frame before to each answer. */
static void join(const brio_arm *arm, const state *before, int nbefore, state *now, int count) {
  for (int i = 0; i < count; i++) {
    double least = INFINITY;
    for (int k = 0; k < nbefore; k++) {
      double cost = before[k].cost + step_cost(arm, before[k].x, now[i].x);
      if (cost < least) least = cost, now[i].from = k;
    }
    now[i].cost += least;
  }
}

/* Place the wrist in all frames: `table` has STATES answers for each. */
static void place_all(const brio_arm *arm, const brio_arm_clip *clip, state *table, double *out,
                      double *miss) {
  state start = {.cost = 0};
  memcpy(start.x, clip->start, sizeof start.x);
  int count = 1;
  const state *before = &start;
  for (int f = 0; f < clip->count; f++) {
    state *now = table + (size_t)f * STATES;
    int n = list_states(arm, clip, f, now);
    /* Where a clip begins is free: the start only decides between equals. */
    if (f)
      join(arm, before, count, now, n);
    else
      for (int i = 0; i < n; i++) now[i].cost += 1e-3 * fmin(step_cost(arm, start.x, now[i].x), 1);
    before = now, count = n;
  }
  /* Back along the cheapest way. */
  int best = 0;
  for (int i = 1; i < count; i++)
    if (before[i].cost < before[best].cost) best = i;
  for (int f = clip->count - 1; f >= 0; f--) {
    const state *now = &table[(size_t)f * STATES + (size_t)best];
    memcpy(out + 6 * (size_t)f, now->x, sizeof now->x);
    if (miss) miss[f] = now->miss;
    best = now->from;
  }
}

/* Turn the tool in a frame, near to the values before. */
static void turn_tool(const brio_arm *arm, const double *tool, const double *before, double *x) {
  double answers[BRIO_ARM_TURNS][3], miss[BRIO_ARM_TURNS], least = INFINITY;
  brio_transform to = brio_transform_of(
      (brio_pose){{0, 0, 0}, brio_quat_unit((brio_quat){tool[0], tool[1], tool[2], tool[3]})});
  int n = brio_arm_turn(arm, x, to.r, answers, miss);
  for (int i = 0; i < n; i++) {
    double own[3], cost = 0;
    for (int k = 0; k < 3; k++) {
      own[k] = near_value(arm, 3 + k, answers[i][k], before[3 + k]);
      /* A joint that ends short of the answer misses, which costs more than a longer way. */
      double short_of = remainder(own[k] - answers[i][k], 2 * BRIO_PI);
      cost += pow(own[k] - before[3 + k], 2) + 100 * short_of * short_of;
    }
    if (cost >= least) continue;
    least = cost;
    memcpy(x + 3, own, sizeof own);
  }
}

/* Let joints without ends go on beyond a turn. */
static void unwind(const brio_arm *arm, const double *before, double *x) {
  for (int k = 0; k < 3; k++)
    if (!isfinite(arm->lower[k])) x[k] = before[k] + remainder(x[k] - before[k], 2 * BRIO_PI);
}

static bool finite_list(const double *list, size_t count) {
  for (size_t i = 0; list && i < count; i++)
    if (!isfinite(list[i])) return false;
  return true;
}

bool brio_arm_follow(const brio_arm *arm, const brio_arm_clip *clip, double *out, double *miss,
                     brio_error *err) {
  size_t count = (size_t)clip->count;
  if (clip->count < 1) return brio_fail(err, BRIO_MISUSE, "a clip of %d frames: at least 1", clip->count);
  if (!finite_list(clip->wrist, 3 * count) || !finite_list(clip->elbow, 3 * count) ||
      !finite_list(clip->tool, 4 * count) || !finite_list(clip->start, 6))
    return brio_fail(err, BRIO_MISUSE, "a number of the clip is not finite");
  state *table = malloc(count * STATES * sizeof *table);
  if (!table) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a clip of %d frames", clip->count);
  place_all(arm, clip, table, out, miss);
  free(table);
  for (int f = 0; f < clip->count; f++) {
    double *x = out + 6 * (size_t)f;
    const double *before = f ? x - 6 : clip->start;
    unwind(arm, before, x);
    memcpy(x + 3, before + 3, 3 * sizeof *x);
    if (clip->tool) turn_tool(arm, clip->tool + 4 * (size_t)f, before, x);
  }
  return true;
}
