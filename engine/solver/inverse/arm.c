/* Arms in closed form: their geometry, and the answers for one place and one direction. */
#include "solver/inverse/arm.h"

#include <assert.h>
#include <math.h>

static const double PARALLEL = 1e-6; /* sine of an angle that counts as none */
static const double APART = 1e-6;    /* m: axes that are so near meet */

/* --- turns --- */

/* Return `v` turned about the unit `axis` (Rodrigues). */
static brio_vec3 turned(brio_vec3 axis, double angle, brio_vec3 v) {
  double c = cos(angle), s = sin(angle);
  brio_vec3 out = brio_vec3_add_scaled(brio_vec3_scale(c, v), s, brio_vec3_cross(axis, v));
  return brio_vec3_add_scaled(out, (1 - c) * brio_vec3_dot(axis, v), axis);
}

/* Return the point `p` turned about the line through `at`. */
static brio_vec3 turned_about(brio_vec3 axis, brio_vec3 at, double angle, brio_vec3 p) {
  return brio_vec3_add(at, turned(axis, angle, brio_vec3_sub(p, at)));
}

/* Return `v` without what it has along the unit `axis`. */
static brio_vec3 across(brio_vec3 axis, brio_vec3 v) {
  return brio_vec3_add_scaled(v, -brio_vec3_dot(axis, v), axis);
}

/* Return the angle about `axis` from `a` to `b`. */
static double angle_about(brio_vec3 axis, brio_vec3 a, brio_vec3 b) {
  a = across(axis, a), b = across(axis, b);
  return atan2(brio_vec3_dot(axis, brio_vec3_cross(a, b)), brio_vec3_dot(a, b));
}

/* Solve  a cos t + b sin t = c : t = middle -+ half. */
static void cosine_equation(double a, double b, double c, double *middle, double *half) {
  double r = hypot(a, b);
  *middle = atan2(b, a);
  *half = acos(r > 0 ? fmin(fmax(c / r, -1), 1) : 1);
}

/* --- geometry --- */

/* List the six turns that carry the tool, in order from the base; return whether there are just these. */
static bool find_joints(brio_arm *arm, const brio_robot *robot, int tool, brio_error *err) {
  brio_transform place;
  int count, chain[64], n = 0;
  const brio_mover *movers = brio_robot_movers(robot, &count);
  const char *name = robot->links[tool].name;
  for (int f = brio_robot_frame_of(robot, tool, &place); f > 0 && n < 64; f = movers[f].parent)
    chain[n++] = f;
  if (n != BRIO_ARM_JOINTS)
    return brio_fail(err, BRIO_UNREACHABLE, "link '%.80s' is carried by %d joints: %d have a closed form",
                     name, n, BRIO_ARM_JOINTS);
  brio_transform at = BRIO_TRANSFORM_IDENTITY;
  for (int k = 0; k < n; k++) {
    int f = chain[n - 1 - k];
    const brio_mover *mover = &movers[f];
    if (mover->slides || mover->multiplier != 1 || mover->offset != 0)
      return brio_fail(err, BRIO_UNREACHABLE, "joint %d to link '%.80s' is no plain turn", k + 1, name);
    brio_transform step = brio_robot_mover_place(robot, f);
    at = brio_transform_mul(&at, &step);
    arm->axes[k] = brio_transform_direction(&at, mover->axis);
    arm->points[k] = at.p;
    arm->variables[k] = mover->q - BRIO_BASE_NQ;
    const brio_variable *variable = &robot->variables[arm->variables[k]];
    arm->lower[k] = variable->circular ? -INFINITY : variable->lower;
    arm->upper[k] = variable->circular ? INFINITY : variable->upper;
  }
  arm->tool = brio_transform_mul(&at, &place);
  return true;
}

/* Return the point of line a nearest to line b; of parallel lines the point that a was given by. */
static brio_vec3 nearest_point(brio_vec3 axis_a, brio_vec3 a, brio_vec3 axis_b, brio_vec3 b) {
  brio_vec3 normal = brio_vec3_cross(axis_a, axis_b), gap = brio_vec3_sub(b, a);
  double square = brio_vec3_dot(normal, normal);
  if (square < PARALLEL * PARALLEL) return a;
  return brio_vec3_add_scaled(a, brio_vec3_dot(brio_vec3_cross(gap, axis_b), normal) / square, axis_a);
}

/* Return the distance of a point from axis k. */
static double off_axis(const brio_arm *arm, int k, brio_vec3 p) {
  return brio_vec3_norm(across(arm->axes[k], brio_vec3_sub(p, arm->points[k])));
}

/* Place base, elbow and wrist, and measure what lies between. */
static void measure(brio_arm *arm) {
  brio_vec3 w = arm->axes[1];
  arm->base = nearest_point(arm->axes[0], arm->points[0], arm->axes[1], arm->points[1]);
  arm->elbow = arm->points[2];
  /* Where the last three axes meet; else the origin of the fourth. */
  brio_vec3 middle = nearest_point(arm->axes[3], arm->points[3], arm->axes[4], arm->points[4]);
  arm->meets = off_axis(arm, 4, middle) < APART && off_axis(arm, 5, middle) < APART;
  arm->wrist = arm->meets ? middle : arm->points[3];
  arm->upper_arm = across(w, brio_vec3_sub(arm->points[2], arm->points[1]));
  arm->forearm = across(w, brio_vec3_sub(arm->wrist, arm->points[2]));
  arm->along = brio_vec3_dot(w, brio_vec3_sub(arm->wrist, arm->points[1]));
  arm->bend = angle_about(w, arm->upper_arm, arm->forearm);
  arm->turn3 = brio_vec3_dot(w, arm->axes[2]) < 0 ? -1 : 1;
  /* Stretched, at its farthest from axis 1. */
  double stretched = brio_vec3_norm(arm->upper_arm) + brio_vec3_norm(arm->forearm);
  double aside = arm->along + brio_vec3_dot(w, brio_vec3_sub(arm->points[1], arm->base));
  double ahead = brio_vec3_norm(across(w, brio_vec3_sub(arm->points[1], arm->base)));
  arm->reach = hypot(stretched + ahead, aside);
}

bool brio_arm_find(brio_arm *arm, const brio_robot *robot, int tool, brio_error *err) {
  *arm = (brio_arm){.robot = robot};
  if (!find_joints(arm, robot, tool, err)) return false;
  const char *name = robot->links[tool].name;
  if (brio_vec3_norm(brio_vec3_cross(arm->axes[1], arm->axes[2])) > PARALLEL)
    return brio_fail(err, BRIO_UNREACHABLE,
                     "joints 2 and 3 to link '%.80s' are not parallel, as the closed form needs", name);
  if (brio_vec3_norm(brio_vec3_cross(arm->axes[0], arm->axes[1])) < PARALLEL)
    return brio_fail(err, BRIO_UNREACHABLE,
                     "joints 1 and 2 to link '%.80s' are parallel: the wrist moves in a plane alone", name);
  measure(arm);
  if (brio_vec3_norm(arm->upper_arm) < APART || brio_vec3_norm(arm->forearm) < APART)
    return brio_fail(err, BRIO_UNREACHABLE, "the arm to link '%.80s' has no upper arm or no forearm", name);
  return true;
}

/* --- answers --- */

void brio_arm_points(const brio_arm *arm, const double x[3], brio_vec3 *elbow, brio_vec3 *wrist) {
  brio_vec3 c = turned_about(arm->axes[2], arm->points[2], x[2], arm->wrist);
  c = turned_about(arm->axes[1], arm->points[1], x[1], c);
  brio_vec3 b = turned_about(arm->axes[1], arm->points[1], x[1], arm->elbow);
  *wrist = turned_about(arm->axes[0], arm->points[0], x[0], c);
  *elbow = turned_about(arm->axes[0], arm->points[0], x[0], b);
}

/* Write both answers of joints 2 and 3 behind joint 1, which has turned the place back to `c`. */
static void fold(const brio_arm *arm, brio_vec3 c, double first, double answers[2][3]) {
  brio_vec3 w = arm->axes[1], way = across(w, brio_vec3_sub(c, arm->points[1]));
  double a = brio_vec3_norm(arm->upper_arm), b = brio_vec3_norm(arm->forearm);
  /* |way|^2 = a^2 + b^2 + 2 a b cos(bend + t3) */
  double cosine = (brio_vec3_dot(way, way) - a * a - b * b) / (2 * a * b);
  double inside = acos(fmin(fmax(cosine, -1), 1));
  for (int k = 0; k < 2; k++) {
    double t3 = (k ? inside : -inside) - arm->bend;
    brio_vec3 stretched = brio_vec3_add(arm->upper_arm, turned(w, t3, arm->forearm));
    answers[k][0] = remainder(first, 2 * BRIO_PI);
    answers[k][1] = angle_about(w, stretched, way);
    answers[k][2] = remainder(arm->turn3 * t3, 2 * BRIO_PI);
  }
}

int brio_arm_place(const brio_arm *arm, brio_vec3 c, double answers[BRIO_ARM_PLACES][3],
                   double miss[BRIO_ARM_PLACES]) {
  brio_vec3 w1 = arm->axes[0], w2 = arm->axes[1], v = brio_vec3_sub(c, arm->points[0]);
  /* Turned back by joint 1, the place has the wrist's distance along axis 2. */
  double along = arm->along + brio_vec3_dot(w2, brio_vec3_sub(arm->points[1], arm->points[0]));
  double fixed = brio_vec3_dot(w1, v) * brio_vec3_dot(w1, w2), middle, half;
  cosine_equation(brio_vec3_dot(w2, across(w1, v)), -brio_vec3_dot(w2, brio_vec3_cross(w1, v)), along - fixed,
                  &middle, &half);
  for (int k = 0; k < 2; k++) {
    double first = middle + (k ? half : -half);
    fold(arm, turned_about(w1, arm->points[0], -first, c), first, answers + 2 * k);
  }
  for (int k = 0; k < BRIO_ARM_PLACES; k++) {
    brio_vec3 elbow, wrist;
    brio_arm_points(arm, answers[k], &elbow, &wrist);
    miss[k] = brio_vec3_norm(brio_vec3_sub(wrist, c));
  }
  return BRIO_ARM_PLACES;
}

/* Return a direction across a unit one. */
static brio_vec3 any_across(brio_vec3 axis) {
  brio_vec3 x = {1, 0, 0}, y = {0, 1, 0};
  return brio_vec3_unit(across(axis, fabs(axis.x) < 0.7 ? x : y), y);
}

int brio_arm_turn(const brio_arm *arm, const double x[3], const double r[9],
                  double answers[BRIO_ARM_TURNS][3], double miss[BRIO_ARM_TURNS]) {
  brio_vec3 w4 = arm->axes[3], w5 = arm->axes[4], w6 = arm->axes[5], side = any_across(w6);
  brio_transform to = {{0}, {0, 0, 0}};
  for (int i = 0; i < 9; i++) to.r[i] = r[i];
  /* Where two directions of the last link go, seen before the first three joints have turned. */
  brio_vec3 goes[2] = {w6, side};
  for (int i = 0; i < 2; i++) {
    goes[i] = brio_transform_direction(&to, brio_transform_undirection(&arm->tool, goes[i]));
    for (int k = 0; k < 3; k++) goes[i] = turned(arm->axes[k], -x[k], goes[i]);
  }
  /* w4 . (E5 w6) = w4 . goes */
  brio_vec3 off = across(w5, w6);
  double fixed = brio_vec3_dot(w5, w6) * brio_vec3_dot(w4, w5), middle, half;
  cosine_equation(brio_vec3_dot(w4, off), brio_vec3_dot(w4, brio_vec3_cross(w5, off)),
                  brio_vec3_dot(w4, goes[0]) - fixed, &middle, &half);
  for (int k = 0; k < BRIO_ARM_TURNS; k++) {
    double t5 = middle + (k ? half : -half);
    brio_vec3 bent = turned(w5, t5, w6);
    double t4 = angle_about(w4, bent, goes[0]);
    /* Turned back by both, the second direction is off by the last turn. */
    brio_vec3 left = turned(w5, -t5, turned(w4, -t4, goes[1]));
    answers[k][0] = t4, answers[k][1] = remainder(t5, 2 * BRIO_PI),
    answers[k][2] = angle_about(w6, side, left);
    double cosine = brio_vec3_dot(turned(w4, t4, bent), goes[0]);
    miss[k] = acos(fmin(fmax(cosine, -1), 1));
  }
  return BRIO_ARM_TURNS;
}
