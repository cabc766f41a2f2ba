/* Smoothness: the residuals of the velocity, acceleration and jerk terms of joints, of the base and of
** links.
**
** In Lively's form the rows are, at the tick's own step, (q - q1) / (30 dt), the second and the third
** difference. Minimized one step ahead against a goal of weight 1, they are the filters 1 + w s^n with n =
** 1, 2, 3: the second rings without damping, and the third grows without limit as soon as its weight
** is worth more than one tick. Ours are
**   row = (step - foreseen) sqrt(1 / (400 dt)),  step = q - q1,
**   foreseen:  velocity 0,  acceleration dt v / 2,  jerk dt v / 2 + dt^2 a / 4
** with v and a the past rates per second, so that ticks of different lengths mix: a motion under way may go
** on, but fades. Whatever the weights, the response to a jump of the goal then overshoots by less than 9 %
** (acceleration 6 %, jerk 8 %), and a goal that moves steadily is followed late by  ratio / 400 s
** (velocity) or half that (acceleration, jerk), ratio being the term's weight over the goal's, at any tick
** rate. Lively's velocity row has 30 in place of 400 at 30 Hz: with its usual weights a moving goal is
** followed some millimeters late, without need, since the speed of a jump is set by limits, which hold
** here, and by the time constants of goals. The step is the coming one, not the way to the pose of rest.
**
** The base is judged likewise, with its turning (which Lively leaves out): a radian counts as `lever`
** meters. Links are judged by how far their origins go for a step d of all coordinates, measured where the
** robot is:
**   sum over links of |J d|^2 / links = d^T M d / links = |L d|^2 / links,  M = L^T L (robot/metric.c),
** as many rows as coordinates, and not three for each link. A motion that goes on evenly in the joints is
** then smooth, also where it takes a link round a bend. The mean over the links is taken, not the sum as in
** Lively, so that the cost does not depend on the number of frames in a model. Several orders together are
** one parabola about the mean of what they foresee, with the sum of their shares.
**
** In Lively's form the rows are the differences of positions (of the base's, without its turning; of all
** links'). */
#include "solver/terms/smoothness.h"

#include <assert.h>
#include <string.h>

#include "math/scalar.h"
#include "robot/metric.h"
#include "solver/evaluation/curvature.h"

/* Share of the past rate v, and of its change a, that an order foresees. */
static const double carried[4][2] = {{0, 0}, {0, 0}, {0.5, 0}, {0.5, 0.25}};

/* The past rates of the variable at `i` of q: v, per s, and its change a, per s^2. */
static void past_rates(const brio_evaluation *at, int i, double *v, double *a) {
  double older = (at->past[1][i] - at->past[2][i]) / at->past_dt[1];
  *v = (at->past[0][i] - at->past[1][i]) / at->past_dt[0];
  *a = (*v - older) / at->past_dt[0];
}

/* What Lively subtracts from the step of one tick: differences of past steps. */
static double lively_foreseen(const brio_evaluation *at, int i, int order) {
  double step1 = at->past[0][i] - at->past[1][i], step2 = at->past[1][i] - at->past[2][i];
  return order == 1 ? 0 : order == 2 ? step1 : 2 * step1 - step2;
}

double brio_smoothness_foreseen(const brio_evaluation *at, int order, double rate, double change) {
  assert(order >= 1 && order <= BRIO_ORDERS);
  return at->dt * (carried[order][0] * rate + carried[order][1] * at->dt * change);
}

static const double RATE = 400; /* per s: the lag of a goal that weighs as much as the term, inverted */

double brio_term_smoothness_scale(const brio_evaluation *at) { return sqrt(1 / (RATE * at->dt)); }

int brio_term_smoothness(const brio_evaluation *at, int order, double *r, double *jacobian) {
  assert(order >= 1 && order <= BRIO_ORDERS);
  int n = at->robot->nvariable, nv = at->robot->nv;
  double scale = brio_term_smoothness_scale(at);
  if (at->lively) scale = order == 1 ? 1 / (30 * at->dt) : 1;
  /* One row a variable; each depends on its own coordinate alone. */
  for (int k = 0; k < n; k++) {
    int i = BRIO_BASE_NQ + k;
    double v, a;
    past_rates(at, i, &v, &a);
    double foreseen = at->lively ? lively_foreseen(at, i, order)
                                 : brio_smoothness_foreseen(at, order, v, a);
    r[k] = scale * (at->step[BRIO_BASE_NV + k] - foreseen);
    if (jacobian) jacobian[k * nv + BRIO_BASE_NV + k] = scale * at->step_slope[BRIO_BASE_NV + k];
  }
  return n;
}

/* --- of the base, of links, of all together --- */

const brio_param brio_smoothness_lever_params[] = {BRIO_PARAM_OF_LEVER, {0}};

/* What a solve needs, behind an instance. */
typedef struct smoothness_room {
  double *joints, *wide; /* nv each: steps foreseen by joints' shares; by those of the base and of links */
  double *steps;         /* nv: scratch, of a residual too */
  double *factor;        /* nv x nv: M, the metric of links; once `factored`, L of M = L^T L, lower half, with
                         ** its rows of no length 0 */
  double *values;        /* the entries of M that are not 0, as brio_step_form has them */
  double *metric;        /* scratch */
  int *entries;          /* nv + 1, then the columns of L's entries that are not 0, the last row first: row i
                         ** has those from entries[i + 1] up to entries[i] */
  int *rows, *columns;   /* of `values`: nv + 1, and as many as these */
  int *factored;         /* 1: `factor` has L */
} smoothness_room;

/* How many entries the lower half of an nv x nv matrix has. */
static size_t half_of(size_t nv) { return nv * (nv + 1) / 2; }

/* Divide the bytes behind an instance (brio_smoothness_more) into its arrays. */
static smoothness_room room_of(const brio_smoothness *term, const brio_robot *robot) {
  double *numbers = (double *)(void *)((char *)(uintptr_t)term + sizeof *term);
  size_t nv = (size_t)robot->nv;
  double *values = numbers + (3 + nv) * nv, *metric = values + half_of(nv);
  int *entries = (int *)(void *)(metric + brio_robot_metric_scratch(robot));
  int *rows = entries + nv + 1 + half_of(nv), *columns = rows + nv + 1;
  assert((uintptr_t)numbers % _Alignof(double) == 0);
  return (smoothness_room){.joints = numbers,
                           .wide = numbers + nv,
                           .steps = numbers + 2 * nv,
                           .factor = numbers + 3 * nv,
                           .values = values,
                           .metric = metric,
                           .entries = entries,
                           .rows = rows,
                           .columns = columns,
                           .factored = columns + half_of(nv)};
}

size_t brio_smoothness_more(const brio_robot *robot) {
  size_t nv = (size_t)robot->nv;
  size_t numbers = (3 + nv) * nv + half_of(nv) + (size_t)brio_robot_metric_scratch(robot);
  size_t entries = 2 * (nv + 1 + half_of(nv)) + 1;
  return numbers * sizeof(double) + entries * sizeof(int);
}

/* The sum of the shares of all orders; 0: this part is off. */
static double total(const double shares[BRIO_ORDERS]) { return shares[0] + shares[1] + shares[2]; }

/* How many orders have a share: in Lively's form each has rows of its own. */
static int count_orders(const double shares[BRIO_ORDERS]) {
  return (shares[0] > 0) + (shares[1] > 0) + (shares[2] > 0);
}

/* A fixed base has no rows: its columns are constant. */
static bool fixed(const brio_robot *robot) { return robot->base == BRIO_BASE_FIXED; }

void brio_smoothness_start(brio_smoothness *term, const brio_robot *robot) {
  term->moving = 0;
  /* A link moves if the base or any joint below it does. O(links * depth), off the tick. */
  for (int l = 0; l < robot->nlink; l++) {
    bool moves = !fixed(robot);
    for (int k = l; k > 0 && !moves; k = robot->links[k].parent)
      moves = robot->joints[robot->links[k].joint].nvariable > 0;
    term->moving += moves;
  }
}

/* Write what the orders together foresee: their mean, weighted by share. rad and m, nv. */
static void foresee(const brio_evaluation *last, const double shares[BRIO_ORDERS], const double *rate,
                    const double *change, double *out) {
  double sum = total(shares);
  for (int i = 0; i < last->robot->nv; i++) {
    out[i] = 0;
    for (int k = 0; k < BRIO_ORDERS && sum > 0; k++)
      out[i] += shares[k] / sum * brio_smoothness_foreseen(last, k + 1, rate[i], change[i]);
  }
}

/* Divide row `i` of the metric by its pivot, and list its columns that are not 0; return how many.
** A pivot up to `least` is rounding: its row becomes 0. */
static int finish_row(double *row, int first, int i, double least, int *columns) {
  int count = 0;
  double pivot = row[i] > least ? sqrt(row[i]) : 0;
  for (int j = first; j < i; j++) {
    if (row[j] == 0) continue;
    row[j] = pivot > 0 ? row[j] / pivot : 0;
    if (pivot > 0) columns[count++] = j;
  }
  row[i] = pivot;
  if (pivot > 0) columns[count++] = i;
  return count;
}

/* Factor the metric of the links in place into L^T L, from coordinate `first` on. The last row goes
** first, as in curvature.c, so that L has entries only between a joint and those that carry it.
** O(sum of squared row lengths) instead of O(nv^3). */
static void factor_metric(double *a, int first, int nv, int *entries) {
  int *columns = entries + nv + 1, at = 0;
  /* The greatest diagonal entry sets the scale of what counts as 0. */
  double most = 0;
  for (int i = first; i < nv; i++) most = brio_max(most, a[i * nv + i]);
  entries[nv] = 0;
  /* Once row i is final, subtract what it explains from the rows before it. */
  for (int i = nv - 1; i >= first; i--) {
    const double *row = a + i * nv;
    const int *of_row = columns + at;
    int count = finish_row(a + i * nv, first, i, 1e-12 * most, columns + at);
    for (int m = 0; m + 1 < count; m++)
      for (int k = 0; k <= m; k++) a[of_row[m] * nv + of_row[k]] -= row[of_row[m]] * row[of_row[k]];
    assert(count <= i - first + 1);
    entries[i] = at += count;
  }
}

/* List the entries of the metric that are not 0, from coordinate `first` on. O(nv^2 / 8 + entries). */
static void list_metric(const smoothness_room *room, int first, int nv) {
  int at = 0;
  for (int i = 0; i < nv; i++) {
    const double *row = room->factor + i * nv;
    room->rows[i] = at;
    /* Joints of other branches share nothing: their blocks are skipped whole. */
    for (int block = first; i >= first && block <= i; block += BRIO_BLOCK)
      for (int j = block, end = brio_row_block_end(row, block, i + 1); j < end; j++)
        if (row[j] != 0) room->columns[at] = j, room->values[at++] = row[j];
  }
  assert((size_t)at <= half_of((size_t)nv));
  room->rows[nv] = at;
}

void brio_smoothness_update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  brio_smoothness *term = self;
  (void)goal;
  const brio_robot *robot = last->robot;
  smoothness_room room = room_of(term, robot);
  /* Past rates of the tangent, and how they change, per s and per s^2. */
  double *rate = room.steps, *change = room.factor, *older = room.joints; /* not in use yet */
  brio_robot_difference(robot, last->past[1], last->past[0], rate);
  brio_robot_difference(robot, last->past[2], last->past[1], older);
  for (int i = 0; i < robot->nv; i++) {
    rate[i] /= last->past_dt[0];
    change[i] = (rate[i] - older[i] / last->past_dt[1]) / last->past_dt[0];
  }
  /* Base and links share one foreseen step: that of the links where they have shares. */
  foresee(last, total(term->links) > 0 ? term->links : term->origin, rate, change, room.wide);
  foresee(last, term->joints, rate, change, room.joints);
  /* The metric changes with the pose; here it is that of the last solution for the whole solve. */
  if (!(total(term->links) > 0)) return;
  int first = fixed(robot) ? BRIO_BASE_NV : 0;
  brio_state_link_metric(last->state, first, room.metric, room.factor);
  list_metric(&room, first, robot->nv);
  *room.factored = 0;
}

/* One row a variable: scale * (step - foreseen). Return how many rows were written. */
static int joint_rows(const brio_smoothness *term, const smoothness_room *room, const brio_evaluation *at,
                      double *r, double *jacobian) {
  int n = at->robot->nvariable, nv = at->robot->nv;
  double scale = brio_term_smoothness_scale(at) * sqrt(total(term->joints));
  for (int k = 0; k < n; k++) {
    int i = BRIO_BASE_NV + k;
    r[k] = scale * (at->step[i] - room->joints[i]);
    if (jacobian) jacobian[k * nv + i] = scale * at->step_slope[i];
  }
  return n;
}

/* Six rows of the base: 3 of its position, then 3 of its turn, a radian as `lever` meters. */
static int origin_rows(const brio_smoothness *term, const smoothness_room *room, const brio_evaluation *at,
                       double *r, double *jacobian) {
  for (int i = 0; i < BRIO_BASE_NV; i++) {
    double scale = brio_term_smoothness_scale(at) * sqrt(total(term->origin)) * (i < 3 ? 1 : term->lever);
    double *row = jacobian ? jacobian + i * at->robot->nv : NULL;
    r[i] = scale * (at->step[i] - room->wide[i]);
    if (row) row[i] = scale, brio_term_slope_of_steps(at, row);
  }
  return BRIO_BASE_NV;
}

/* The rows of the links, |L d|^2: as many as L has rows with a pivot. Coordinates that move no
** link have none. */
static int link_rows(const brio_smoothness *term, const smoothness_room *room, const brio_evaluation *at,
                     double *r, double *jacobian) {
  int nv = at->robot->nv, first = fixed(at->robot) ? BRIO_BASE_NV : 0, count = 0;
  const int *columns = room->entries + nv + 1;
  /* Solves that use the form never come here: the metric is factored when rows are first needed. */
  if (!*room->factored) factor_metric(room->factor, first, nv, room->entries);
  *room->factored = 1;
  double scale = brio_term_smoothness_scale(at) * sqrt(total(term->links) / brio_max(1, term->moving));
  for (int i = first; i < nv; i++) {
    if (!(room->factor[i * nv + i] > 0)) continue;
    double *row = jacobian ? jacobian + count * nv : NULL;
    r[count] = 0;
    /* Only the entries of the sparse factor are visited. */
    for (int k = room->entries[i + 1]; k < room->entries[i]; k++) {
      int j = columns[k];
      double entry = scale * room->factor[i * nv + j];
      r[count] += entry * (at->step[j] - room->wide[j]);
      if (row) row[j] = entry;
    }
    if (row) brio_term_slope_of_steps(at, row);
    count++;
  }
  assert(count <= nv - first);
  return count;
}

/* Lively's difference of one order, for a point at p in the coming step and at past[0..2] before. */
static brio_vec3 lively_difference(int order, brio_vec3 p, const brio_vec3 past[3], double dt) {
  brio_vec3 step = brio_vec3_sub(p, past[0]), before = brio_vec3_sub(past[0], past[1]);
  brio_vec3 first = brio_vec3_sub(past[1], past[2]);
  if (order == 1) return brio_vec3_scale(1 / (30 * dt), step);
  if (order == 2) return brio_vec3_sub(step, before);
  return brio_vec3_add(brio_vec3_add_scaled(step, -2, before), first);
}

/* Lively's three rows of one order for the origin of a link. */
static void lively_link(const brio_evaluation *at, int order, int link, double *r, double *jacobian) {
  int nv = at->robot->nv;
  /* Velocity goes by time, as in Lively; the other orders are differences per tick. */
  double scale = order == 1 ? 1 / (30 * at->dt) : 1;
  brio_vec3 p = at->next->links[link].p, past[3];
  for (int i = 0; i < 3; i++) past[i] = at->past_links[i][link].p;
  brio_vec3 d = lively_difference(order, p, past, at->dt);
  r[0] = d.x, r[1] = d.y, r[2] = d.z;
  if (!jacobian) return;
  brio_state_point_jacobian(at->next, link, p, jacobian);
  for (int i = 0; i < 3 * nv; i++) jacobian[i] *= scale * at->step_slope[i % nv];
}

/* Lively's rows: each order of joints, of the base, of all links. */
static int lively_rows(const brio_smoothness *term, const brio_evaluation *at, double *r, double *jacobian) {
  assert(at->next != NULL);
  int nv = at->robot->nv, count = 0;
  /* The order of the rows is that of brio_smoothness_parts. */
  for (int k = 0; k < BRIO_ORDERS; k++)
    if (term->joints[k] > 0)
      count += brio_term_smoothness(at, k + 1, r + count, jacobian ? jacobian + count * nv : NULL);
  for (int k = 0; k < BRIO_ORDERS; k++)
    if (term->origin[k] > 0) {
      lively_link(at, k + 1, 0, r + count, jacobian ? jacobian + count * nv : NULL);
      count += 3;
    }
  for (int k = 0; k < BRIO_ORDERS; k++)
    for (int l = 0; term->links[k] > 0 && l < at->robot->nlink; l++, count += 3)
      lively_link(at, k + 1, l, r + count, jacobian ? jacobian + count * nv : NULL);
  return count;
}

/* Rows of ours: one for all orders of a variable, and at most nv for the links. */
int brio_smoothness_usual_rows(const void *self, const brio_robot *robot) {
  const brio_smoothness *term = self;
  int joints = total(term->joints) > 0 ? robot->nvariable : 0;
  int origin = total(term->origin) > 0 ? BRIO_BASE_NV : 0;
  return joints + origin + (total(term->links) > 0 ? robot->nv : 0);
}

int brio_smoothness_rows(const void *self, const brio_robot *robot) {
  const brio_smoothness *term = self;
  int lively = count_orders(term->joints) * robot->nvariable + 3 * count_orders(term->origin) +
               3 * count_orders(term->links) * robot->nlink, usual = brio_smoothness_usual_rows(self, robot);
  return lively > usual ? lively : usual;
}

int brio_smoothness_residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                             double *jacobian) {
  const brio_smoothness *term = self;
  (void)goal;
  if (at->lively) return lively_rows(term, at, r, jacobian);
  smoothness_room room = room_of(term, at->robot);
  assert(term->moving >= 0);
  int nv = at->robot->nv, count = 0;
  if (total(term->joints) > 0) count += joint_rows(term, &room, at, r, jacobian);
  if (total(term->origin) > 0 && !fixed(at->robot))
    count += origin_rows(term, &room, at, r + count, jacobian ? jacobian + count * nv : NULL);
  if (total(term->links) > 0)
    count += link_rows(term, &room, at, r + count, jacobian ? jacobian + count * nv : NULL);
  return count;
}

int brio_smoothness_forms(const void *self, const brio_evaluation *at, brio_step_form *forms) {
  const brio_smoothness *term = self;
  smoothness_room room = room_of(term, at->robot);
  double square = 1 / (RATE * at->dt);
  int count = 0;
  if (at->lively || (total(term->origin) > 0 && !fixed(at->robot))) return 0;
  if (total(term->joints) > 0)
    forms[count++] = (brio_step_form){.scale = square * total(term->joints), .foreseen = room.joints};
  if (total(term->links) > 0)
    forms[count++] = (brio_step_form){square * total(term->links) / brio_max(1, term->moving), room.wide,
                                      room.values, room.columns, room.rows};
  assert(count <= BRIO_MOST_FORMS);
  return count;
}

/* Add a part of `rows` rows for each order that has a share; return how many there are now. */
static int add_parts(const double shares[BRIO_ORDERS], int rows, brio_part *parts, int count) {
  for (int k = 0; k < BRIO_ORDERS; k++)
    if (shares[k] > 0) parts[count++] = (brio_part){rows, shares[k]};
  return count;
}

int brio_smoothness_parts(const void *self, const brio_evaluation *at, brio_part *parts) {
  const brio_smoothness *term = self;
  /* Ours needs no parts: shares are factors of the rows, and all rows go through one loss. */
  if (!at->lively) return 0;
  int count = add_parts(term->joints, at->robot->nvariable, parts, 0);
  count = add_parts(term->origin, 3, parts, count);
  return add_parts(term->links, 3 * at->robot->nlink, parts, count);
}
