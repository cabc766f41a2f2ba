/* Goals of inverse kinematics as residual rows: the difference of the tool's pose from its goal.
**
** Position is a difference.  Orientation is the rotation vector from goal to tool (logarithm); its
** own Jacobian is the identity along itself, so that angular velocity serves as its slope: the
** gradient is exact, and the step nearly so near the goal.  Where one turn is free, the vector is the
** shortest one that turns the goal's axis to the tool's.
** Tolerances make an ellipsoid; where they are wide, its middle half is aimed at, not its centre. */
#include <assert.h>
#include <string.h>

#include "solver/inverse/inverse_internal.h"

static const double TOLERANCE[2] = {1e-4, 1e-3}; /* m, rad: where none is given */
static const double WIDE[2] = {2e-3, 2e-2};      /* m, rad: tolerances above are worth using */

/* Return column `i` of a rotation matrix. */
static brio_vec3 column_of(const double *r, int i) {
  return (brio_vec3){r[i], r[3 + i], r[6 + i]};
}

/* Whether a pose is finite, near and has a quaternion of about unit length. */
static bool good_pose(brio_pose pose) {
  double length = hypot(hypot(pose.q.x, pose.q.y), hypot(pose.q.z, pose.q.w));
  double far = fmax(fabs(pose.p.x), fmax(fabs(pose.p.y), fabs(pose.p.z)));
  return far < 1e6 && !isnan(pose.p.x + pose.p.y + pose.p.z) && length > 0.5 && length < 2;
}

/* Read three tolerances: position (`part` 0) or orientation (1).
** `radian` is the weight of orientation, m/rad. */
static bool aim_part(brio_inverse_target *target, const double *tolerance, int part, double radian) {
  int nfree = 0;
  for (int i = 0; i < 3; i++) {
    double given = tolerance[i] == 0 ? TOLERANCE[part] : tolerance[i];
    if (!(given > 0)) return false; /* NaN too */
    /* An infinite tolerance leaves its axis free: weight and inverse are 0. */
    bool asked = given < INFINITY;
    target->inverse[3 * part + i] = asked ? 1 / given : 0;
    target->weight[3 * part + i] = !asked ? 0 : part ? radian : 1;
    target->wide |= asked && given > WIDE[part];
    if (!asked) nfree++, target->pointing = part ? i : -1;
  }
  /* One free turn of three means pointing along that axis; three mean any orientation. */
  if (part && nfree != 1) target->pointing = -1;
  if (part) target->turns = nfree < 3;
  /* Tolerances that differ by axis have to be measured in the goal's frame. */
  if (nfree % 3 != 0 || tolerance[0] != tolerance[1] || tolerance[1] != tolerance[2]) target->own_axes = true;
  return true;
}

/* A tool pose that is all zero stands for the link's own frame. */
static bool is_zero(brio_pose pose) {
  return pose.p.x == 0 && pose.p.y == 0 && pose.p.z == 0 && pose.q.x == 0 && pose.q.y == 0 && pose.q.z == 0 &&
         pose.q.w == 0;
}

/* Prepare one target. Errors: misuse. */
static bool aim(brio_inverse_target *target, const brio_inverse_goal *goal, double radian, const char *link,
                brio_error *err) {
  *target = (brio_inverse_target){.pointing = -1, .has_tool = !is_zero(goal->tool)};
  if (!good_pose(goal->pose) || (target->has_tool && !good_pose(goal->tool)))
    return brio_fail(
        err, BRIO_MISUSE,
        "the goal of link '%.80s': its pose and tool must be within 1e6 m with quaternions of length 1",
        link);
  if (!aim_part(target, goal->position, 0, radian) || !aim_part(target, goal->orientation, 1, radian))
    return brio_fail(err, BRIO_MISUSE,
                     "the goal of link '%.80s': a tolerance must be above 0 m or rad (infinite: free)", link);
  /* A goal that leaves all six axes free is a mistake. */
  double asked = 0;
  for (int i = 0; i < BRIO_INVERSE_ROWS; i++) asked += target->weight[i];
  if (asked == 0)
    return brio_fail(err, BRIO_MISUSE,
                     "the goal of link '%.80s' leaves every axis free: there is nothing "
                     "to solve",
                     link);
  target->pose = brio_transform_of((brio_pose){goal->pose.p, brio_quat_unit(goal->pose.q)});
  target->tool_turn = brio_quat_unit(goal->tool.q);
  if (target->has_tool)
    target->tool = brio_transform_of((brio_pose){goal->tool.p, brio_quat_unit(goal->tool.q)});
  return true;
}

bool brio_inverse_aim(brio_inverse *inverse, const brio_inverse_goal *goals, brio_error *err) {
  for (int k = 0; k < inverse->chain.nlink; k++)
    if (!aim(&inverse->targets[k], &goals[k], inverse->radian,
             inverse->robot->links[inverse->chain.links[k]].name, err))
      return false;
  return true;
}

/* The shortest turn from the axis to the direction, as a quaternion (across, 1 + cosine). */
bool brio_inverse_point(brio_inverse_goal *goal, int axis, brio_vec3 direction, double tolerance) {
  double length = brio_vec3_norm(direction);
  if (!(length > 1e-9 && length < 1e9) || axis < 0 || axis > 2) return false;
  brio_vec3 to = brio_vec3_scale(1 / length, direction), from = {axis == 0, axis == 1, axis == 2};
  brio_vec3 across = brio_vec3_cross(from, to);
  double cosine = brio_vec3_dot(from, to);
  /* The opposite direction has no shortest turn: half a turn about another axis. */
  brio_quat half_turn = {axis == 1, axis == 2, axis == 0, 0}; /* about an axis beside it */
  goal->pose.q =
      cosine < -1 + 1e-12 ? half_turn : brio_quat_unit((brio_quat){across.x, across.y, across.z, 1 + cosine});
  for (int i = 0; i < 3; i++) goal->orientation[i] = i == axis ? INFINITY : tolerance;
  return true;
}

/* Return angle / sine for a rotation vector given its sine and cosine; near 0 by series. */
static double stretch(double sine, double cosine) {
  double s2 = sine * sine;
  /* asin(s) / s = 1 + s^2 / 6 + 3 s^4 / 40 + 15 s^6 / 336 + ... */
  if (cosine > 0 && s2 < 1e-3) return 1 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112)));
  return sine > 1e-9 ? atan2(sine, cosine) / sine : 1;
}

/* Return the rotation vector from `goal` to `now`, in world axes. The sum of the cross products of
** all columns is 2 sine times the axis. */
static brio_vec3 turned(const double *goal, const double *now) {
  brio_vec3 twice = {0, 0, 0};
  double trace = 0;
  for (int i = 0; i < 3; i++) {
    brio_vec3 a = column_of(goal, i), b = column_of(now, i);
    twice = brio_vec3_add(twice, brio_vec3_cross(a, b));
    trace += brio_vec3_dot(a, b);
  }
  double sine = 0.5 * brio_vec3_norm(twice), cosine = 0.5 * (trace - 1);
  /* Near half a turn the sine vanishes: quaternions keep the axis. */
  if (cosine > -0.999) return brio_vec3_scale(0.5 * stretch(sine, cosine), twice);
  return brio_quat_log(
      brio_quat_mul(brio_quat_from_matrix(now), brio_quat_conj(brio_quat_from_matrix(goal))));
}

/* Return the shortest rotation vector from axis `i` of `goal` to that of `now`, in world axes. */
static brio_vec3 pointed(const double *goal, const double *now, int i) {
  brio_vec3 a = column_of(goal, i), b = column_of(now, i), across = brio_vec3_cross(a, b);
  double sine = brio_vec3_norm(across), cosine = brio_vec3_dot(a, b);
  if (cosine < 0 && sine < 1e-6) return brio_vec3_scale(BRIO_PI, column_of(goal, (i + 1) % 3)); /* opposite */
  return brio_vec3_scale(stretch(sine, cosine), across);
}

/* Find what is left of one part (0: position, 1: orientation), and write its three rows. */
static void measure_part(brio_inverse_target *target, int part, brio_vec3 error, double *r) {
  /* Rows are along the goal's axes only where its tolerances need it. */
  brio_vec3 own = target->own_axes ? brio_transform_undirection(&target->pose, error) : error;
  double *left = target->left + 3 * part, square = 0, share = 1;
  left[0] = own.x, left[1] = own.y, left[2] = own.z;
  for (int i = 3 * part; i < 3 * part + 3; i++) {
    double u = target->left[i] * target->inverse[i];
    square += u * u;
  }
  /* excess: the error over its tolerance; 1 is the surface of the ellipsoid. */
  double excess = target->excess[part] = sqrt(square);
  /* Wide tolerances pull only outside the middle half. */
  if (target->wide) share = excess > 0.5 ? 1 - 0.5 / excess : 0;
  for (int i = 0; i < 3; i++) r[3 * part + i] = share * target->weight[3 * part + i] * left[i];
}

/* The pose of the tool of target `k`: the link's, or what is attached to it. */
static brio_transform tool_at(const brio_inverse *inverse, int k) {
  const brio_inverse_target *target = &inverse->targets[k];
  if (!target->has_tool) return inverse->chain.ends[k];
  return brio_transform_mul(&inverse->chain.ends[k], &target->tool);
}

/* Measure target `k` at the chain's pose and write its six rows. */
static void measure(brio_inverse *inverse, int k, double *r) {
  brio_inverse_target *target = &inverse->targets[k];
  brio_transform tool = tool_at(inverse, k);
  brio_vec3 turn = {0, 0, 0};
  measure_part(target, 0, brio_vec3_sub(tool.p, target->pose.p), r);
  if (target->pointing >= 0)
    turn = pointed(target->pose.r, tool.r, target->pointing);
  else if (target->turns)
    turn = turned(target->pose.r, tool.r);
  measure_part(target, 1, turn, r);
}

/* O(chain + pairs nearby). */
void brio_inverse_evaluate(brio_inverse *inverse, const double *x) {
  brio_transform base = inverse->nbase ? brio_transform_of(brio_inverse_base(inverse, x)) : inverse->base;
  brio_chain_update(&inverse->chain, &base, x + inverse->nbase);
  int count = BRIO_INVERSE_ROWS * inverse->chain.nlink;
  double sum = 0;
  for (int k = 0; k < inverse->chain.nlink; k++) measure(inverse, k, inverse->r + BRIO_INVERSE_ROWS * k);
  /* Rows of near pairs follow those of the goals. */
  if (inverse->keeps_clear) {
    brio_inverse_measure_clear(inverse, x, 0);
    brio_inverse_clear_rows(inverse, inverse->r + count);
    count += BRIO_INVERSE_NEAR;
  }
  assert(count <= inverse->row_room);
  inverse->rows = count;
  for (int i = 0; i < count; i++) sum += inverse->r[i] * inverse->r[i];
  /* The draw counts like a residual sqrt(draw) (x - pull). */
  for (int i = 0; inverse->draw > 0 && i < inverse->n; i++) {
    double away = x[i] - inverse->pull[i];
    sum += inverse->draw * away * away;
  }
  inverse->cost = 0.5 * sum;
}

/* O(targets): what the last evaluation measured is compared with the tolerances. */
bool brio_inverse_met(const brio_inverse *inverse) {
  for (int k = 0; k < inverse->chain.nlink; k++)
    if (!(inverse->targets[k].excess[0] <= 1 && inverse->targets[k].excess[1] <= 1)) return false;
  return !inverse->keeps_clear || inverse->spare >= 0;
}

/* Write the six columns of the base's numbers for a point: three of sliding, three of the rotation
** vector, which the left Jacobian turns into angular velocity. */
static void base_columns(const brio_inverse *inverse, brio_vec3 point, double *columns) {
  assert(inverse->nbase == BRIO_BASE_NV);
  const double *x = inverse->x;
  brio_vec3 turn = {x[3], x[4], x[5]};
  brio_vec3 arm = brio_vec3_sub(point, brio_vec3_add(inverse->base_pose.p, (brio_vec3){x[0], x[1], x[2]}));
  static const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double factors[2];
  brio_quat_left_factors(turn, factors);
  for (int i = 0; i < 3; i++) {
    brio_vec3 axis = {one[i][0], one[i][1], one[i][2]};
    brio_vec3 spin = brio_quat_left_jacobian(factors, turn, axis), swing = brio_vec3_cross(spin, arm);
    double *slide = columns + i * inverse->row_room, *rotate = slide + 3 * inverse->row_room;
    memcpy(slide, (double[]){axis.x, axis.y, axis.z, 0, 0, 0}, BRIO_INVERSE_ROWS * sizeof *slide);
    memcpy(rotate, (double[]){swing.x, swing.y, swing.z, spin.x, spin.y, spin.z},
           BRIO_INVERSE_ROWS * sizeof *rotate);
  }
}

/* Turn a column of velocities in the world into rows of a target: its axes, times its weights. */
static void weigh(const brio_inverse_target *target, double *column) {
  if (target->own_axes) {
    for (int part = 0; part < 6; part += 3) {
      brio_vec3 v = {column[part], column[part + 1], column[part + 2]};
      v = brio_transform_undirection(&target->pose, v);
      column[part] = v.x, column[part + 1] = v.y, column[part + 2] = v.z;
    }
  }
  for (int i = 0; i < BRIO_INVERSE_ROWS; i++) column[i] *= target->weight[i];
}

/* Columns hold, for each number that moves, how all rows change with it. */
void brio_inverse_slopes(brio_inverse *inverse) {
  for (int k = 0; k < inverse->chain.nlink; k++) {
    const brio_inverse_target *target = &inverse->targets[k];
    /* All velocities are taken at the tool, where the error is measured. */
    brio_vec3 point = target->has_tool ? tool_at(inverse, k).p : inverse->chain.ends[k].p;
    double *columns = inverse->columns + BRIO_INVERSE_ROWS * k;
    if (inverse->nbase) base_columns(inverse, point, columns);
    brio_chain_columns(&inverse->chain, k, point, columns + inverse->nbase * inverse->row_room,
                       inverse->row_room);
    for (int i = 0; i < inverse->n; i++) weigh(target, columns + i * inverse->row_room);
  }
  if (inverse->keeps_clear)
    brio_inverse_clear_slopes(inverse, inverse->columns + BRIO_INVERSE_ROWS * inverse->chain.nlink);
}
