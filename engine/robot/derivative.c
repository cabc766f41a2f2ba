/* Second derivatives of kinematics, mover by mover (see program_internal.h).
**
** Let a_m be the axis of mover m, o_m its origin, and c_m how a quantity moves with it.
** Gravity: with M_m the mass that m carries and s_m its moment about o_m, the mass moment of all moves as
**   c_m = a_m x s_m  (turn),  M_m a_m  (slide),
** and the torque is  g z . c_m.  Where i carries j or is j,  d c_j / d q_i = a_i x c_j  for a turn i and 0
** for a slide; it is d c_i / d q_j as well (both are second derivatives of one potential).
** A point p of a link:  c_m = (a_m x (p - o_m), a_m)  or  (a_m, 0);  then, i and s on the way to the link,
**   d c_i / d q_s = a_s x c_i              s a turn that carries i or is i
**                 = (a_i x linear c_s, 0)  i a turn that carries s.
** Source: Hourtash, "The kinematic Hessian and higher derivatives", 2005. */
#include "robot/derivative.h"

#include <assert.h>
#include <string.h>

#include "robot/frame_internal.h"
#include "robot/program_internal.h"

static const double GRAVITY = 9.81; /* m/s^2 */

/* A mover with its axis and origin in the world. */
typedef struct placed {
  const brio_mover *mover;
  brio_vec3 axis, origin;
} placed;

/* Read a mover's axis and origin from the state, in world axes. */
static placed place(const brio_state *state, int m) {
  assert(m > 0 && m <= state->robot->program->nmover);
  const brio_mover *mover = &state->robot->program->movers[m];
  const double *frame = brio_state_frames(state) + BRIO_FRAME * m;
  return (placed){mover, brio_frame_direction(frame, mover->axis), brio_frame_origin(frame)};
}

/* The change of the total mass moment by mover m, c_m above: kg m per rad or m. */
static brio_vec3 moment_rate(const brio_state *state, int m, const placed *at) {
  /* A slide moves all carried mass alike; a turn moves it about the mover's origin. */
  double carried = state->robot->program->bodies[m].carried;
  if (at->mover->slides) return brio_vec3_scale(carried, at->axis);
  return brio_vec3_cross(at->axis, brio_vec3_add_scaled(brio_state_moments(state)[m], -carried, at->origin));
}

/* Add the derivatives of mover m's torque by all movers that carry it; the moment of m changes by `rate`.
** O(depth) */
static void add_gravity_slopes(const brio_state *state, int m, const placed *at, brio_vec3 rate,
                               double *slopes) {
  int nv = state->robot->nv, row = at->mover->v - BRIO_BASE_NV;
  /* Columns 0 to 2, the base's translation, change no torque. */
  double scale = GRAVITY * at->mover->multiplier;
  slopes[row * nv + 3] += scale * rate.y; /* the base turns: z . (e x rate) */
  slopes[row * nv + 4] -= scale * rate.x;
  /* Both halves of a symmetric matrix; derivatives by slides are 0. */
  for (int i = m; i > 0; i = state->robot->program->movers[i].parent) {
    placed carrier = place(state, i);
    if (carrier.mover->slides) continue;
    double slope = scale * carrier.mover->multiplier * brio_vec3_cross(carrier.axis, rate).z;
    slopes[row * nv + carrier.mover->v] += slope;
    if (i != m) slopes[(carrier.mover->v - BRIO_BASE_NV) * nv + at->mover->v] += slope;
  }
}

/* O(nmover depth), once for a solver. */
int brio_robot_depth(const brio_robot *robot) {
  const struct brio_robot_program *program = robot->program;
  int most = 0;
  for (int m = 1; m <= program->nmover; m++) {
    int count = 0;
    for (int i = m; i > 0; i = program->movers[i].parent) count++;
    if (count > most) most = count;
  }
  return most;
}

/* O(depth^2): entry (s, i), s carrying i or being i, is  force . (a_s x c_i)  for a turn s, 0 for a slide. */
int brio_state_point_bend(const brio_state *state, int link, brio_vec3 point, brio_vec3 force, int depth,
                          int *columns, double *bends) {
  const struct brio_robot_program *program = state->robot->program;
  int count = 0;
  for (int m = program->frame_of[link]; m > 0; m = program->movers[m].parent) {
    assert(count < depth);
    placed own = place(state, m);
    int row = count++;
    columns[row] = own.mover->v;
    /* What carries m stands in later rows: the entries of column `row`. */
    brio_vec3 rate = own.mover->slides ? own.axis
                                       : brio_vec3_cross(own.axis, brio_vec3_sub(point, own.origin));
    brio_vec3 across = brio_vec3_scale(own.mover->multiplier, brio_vec3_cross(rate, force));
    for (int s = m, i = row; s > 0; s = program->movers[s].parent, i++) {
      const brio_mover *mover = &program->movers[s];
      /* force . (a x rate) = a . (rate x force) */
      brio_vec3 axis = brio_frame_direction(brio_state_frames(state) + BRIO_FRAME * s, mover->axis);
      bends[i * depth + row] = mover->slides ? 0 : mover->multiplier * brio_vec3_dot(axis, across);
    }
  }
  return count;
}

/* Torques (N m or N) of gravity: O(nmover). Their derivatives by q: O(nmover depth), zero-initialized
** here. */
void brio_state_gravity(const brio_state *state, double *torques, double *slopes) {
  const brio_robot *robot = state->robot;
  memset(torques, 0, (size_t)robot->nvariable * sizeof *torques);
  if (slopes) memset(slopes, 0, (size_t)robot->nvariable * (size_t)robot->nv * sizeof *slopes);
  for (int m = 1; m <= robot->program->nmover; m++) {
    placed at = place(state, m);
    brio_vec3 rate = moment_rate(state, m, &at);
    torques[at.mover->v - BRIO_BASE_NV] += GRAVITY * at.mover->multiplier * rate.z;
    if (slopes) add_gravity_slopes(state, m, &at, rate, slopes);
  }
}

/* A column of a point's Jacobian: how the point moves, and how its link turns. */
typedef struct column {
  brio_vec3 linear, angular;
} column;

/* The column of one mover alone, without its multiplier. */
static column column_of(const placed *at, brio_vec3 point) {
  if (at->mover->slides) return (column){at->axis, {0, 0, 0}};
  return (column){brio_vec3_cross(at->axis, brio_vec3_sub(point, at->origin)), at->axis};
}

/* The column of the variable of mover i: with mimic joints, the sum over all movers of that variable between
** the link and the root. O(depth) */
static column variable_column(const brio_state *state, int end, int i, brio_vec3 point) {
  const brio_mover *movers = state->robot->program->movers;
  column sum = {{0, 0, 0}, {0, 0, 0}};
  for (int m = end; m > 0; m = movers[m].parent) {
    /* Movers of one variable: the joint and its mimic joints. */
    if (movers[m].v != movers[i].v) continue;
    placed at = place(state, m);
    column own = column_of(&at, point);
    sum.linear = brio_vec3_add_scaled(sum.linear, movers[m].multiplier, own.linear);
    sum.angular = brio_vec3_add_scaled(sum.angular, movers[m].multiplier, own.angular);
  }
  return sum;
}

/* J J^T as a sum over movers, without J: the column of a mover times that of its variable. O(depth^2) */
void brio_state_gram(const brio_state *state, int link, brio_vec3 point, double gram[36]) {
  const brio_mover *movers = state->robot->program->movers;
  int end = state->robot->program->frame_of[link];
  /* 6 x 6, symmetric: linear velocity first, then angular. */
  memset(gram, 0, 36 * sizeof *gram);
  for (int m = end; m > 0; m = movers[m].parent) {
    placed at = place(state, m);
    column one = column_of(&at, point), all = variable_column(state, end, m, point);
    const double *a = &one.linear.x, *b = &all.linear.x, *c = &one.angular.x, *d = &all.angular.x;
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 6; k++)
        gram[6 * i + k] += movers[m].multiplier * (i < 3 ? a[i] : c[i - 3]) * (k < 3 ? b[k] : d[k - 3]);
  }
}

/* Return the symmetric g times a column. */
static column weigh(const double g[36], const column *c) {
  const double *l = &c->linear.x, *a = &c->angular.x;
  double out[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) out[i] += g[6 * i + k] * l[k] + g[6 * i + 3 + k] * a[k];
  return (column){{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

/* Add the derivative of tr(g J J^T) by q: twice g J times the derivative of each column. O(depth^3) with
** mimic joints. */
void brio_state_add_gram_slope(const brio_state *state, int link, brio_vec3 point, const double g[36],
                               double *row) {
  const brio_mover *movers = state->robot->program->movers;
  int end = state->robot->program->frame_of[link];
  for (int i = end; i > 0; i = movers[i].parent) {
    /* `all`: the column of i's variable; `own`: that of mover i alone; w = g all. */
    placed one = place(state, i);
    column all = variable_column(state, end, i, point), own = column_of(&one, point), w = weigh(g, &all);
    bool carries_i = false;
    /* Movers s from the link inward: those before i are carried by i, the others carry i. */
    for (int s = end; s > 0; s = movers[s].parent) {
      placed by = place(state, s);
      carries_i |= s == i;
      double slope = 0;
      if (carries_i && !by.mover->slides)
        slope = brio_vec3_dot(w.linear, brio_vec3_cross(by.axis, own.linear)) +
                brio_vec3_dot(w.angular, brio_vec3_cross(by.axis, own.angular));
      else if (!carries_i && !one.mover->slides)
        slope = brio_vec3_dot(w.linear, brio_vec3_cross(one.axis, column_of(&by, point).linear));
      row[by.mover->v] += 2 * movers[i].multiplier * by.mover->multiplier * slope;
    }
  }
}
