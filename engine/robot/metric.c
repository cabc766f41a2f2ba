/* The metric of link motion: a mass matrix of one unit of mass at every link's origin.
**
** Below each frame the origins p are summed up once: their number n, their sum s, and the sum of p p^T,
** about the root's origin.  With columns  a x (p - o)  of a turn and  a  of a slide, what two movers share,
** one of which carries the other, follows from the sums below the latter:
**   turns   sum of (a x (p - o)) . (b x (p - u)) = a.b sum (p - o).(p - u) - a^T [sum (p - u)(p - o)^T] b
**   turn and slide   (a x (s - n o)) . b
**   slides  n a.b
** as in the composite rigid body method (Featherstone, "Rigid Body Dynamics Algorithms", 2008, ch. 6). */
#include "robot/metric.h"

#include <assert.h>
#include <string.h>

#include "robot/frame_internal.h"
#include "robot/program_internal.h"

/* Sums over the origins below a frame, about the root's origin. */
typedef struct sums {
  double n;
  brio_vec3 s;
  double p[6]; /* xx xy xz yy yz zz */
} sums;

/* The motion of one coordinate: an axis and a point on it, relative to the root's origin, in world axes. */
typedef struct motion {
  bool slides;
  int v;
  double scale;
  brio_vec3 axis, origin;
} motion;

/* Of each frame: its sums, then its motion. */
enum { NUMBERS = (sizeof(sums) + sizeof(motion)) / sizeof(double) };

int brio_robot_metric_scratch(const brio_robot *robot) { return NUMBERS * (robot->program->nmover + 1); }

/* Add the origin of one link, relative to the root's. O(1) */
static void add_origin(sums *to, brio_vec3 p) {
  const double products[6] = {p.x * p.x, p.x * p.y, p.x * p.z, p.y * p.y, p.y * p.z, p.z * p.z};
  to->n += 1;
  to->s = brio_vec3_add(to->s, p);
  for (int i = 0; i < 6; i++) to->p[i] += products[i];
}

/* Add the sums of a subtree. */
static void add_sums(sums *to, const sums *from) {
  to->n += from->n;
  to->s = brio_vec3_add(to->s, from->s);
  for (int i = 0; i < 6; i++) to->p[i] += from->p[i];
}

/* The motion of mover m. */
static motion motion_of(const brio_state *state, int m) {
  const brio_mover *mover = &state->robot->program->movers[m];
  const double *frame = brio_state_frames(state) + BRIO_FRAME * m;
  return (motion){mover->slides, mover->v, mover->multiplier, brio_frame_direction(frame, mover->axis),
                  brio_vec3_sub(brio_frame_origin(frame), state->links[0].p)};
}

/* The motion of coordinate `i` of the base: three slides, then three turns about the root's origin. */
static motion base_motion(int i) {
  static const brio_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return (motion){i < 3, i, 1, axes[i % 3], {0, 0, 0}};
}

/* The matrix p times v. */
static brio_vec3 spread(const double p[6], brio_vec3 v) {
  return (brio_vec3){p[0] * v.x + p[1] * v.y + p[2] * v.z, p[1] * v.x + p[3] * v.y + p[4] * v.z,
                     p[2] * v.x + p[4] * v.y + p[5] * v.z};
}

/* The sum, over the origins in `t`, of the dot products of both motions; the formulas are at the head.
** O(1) */
static double shared(const motion *a, const motion *b, const sums *t) {
  /* a.b of the formulas; t->s and t->p are sums of p and p p^T. */
  double across = brio_vec3_dot(a->axis, b->axis);
  if (a->slides && b->slides) return t->n * across;
  /* Symmetric: exchange them, so that `a` is the turn. */
  if (a->slides) return shared(b, a, t);
  /* s - n o of the formulas. */
  brio_vec3 arm = brio_vec3_add_scaled(t->s, -t->n, a->origin);
  if (b->slides) return brio_vec3_dot(brio_vec3_cross(a->axis, arm), b->axis);
  /* (a x (p - o)) . (b x (p - u)) expands to a.b (p - o).(p - u) - a.(p - u) b.(p - o). */
  brio_vec3 o = a->origin, u = b->origin;
  double squares =
      t->p[0] + t->p[3] + t->p[5] - brio_vec3_dot(t->s, brio_vec3_add(o, u)) + t->n * brio_vec3_dot(o, u);
  double ob = brio_vec3_dot(o, b->axis), ua = brio_vec3_dot(u, a->axis);
  double mixed = brio_vec3_dot(a->axis, spread(t->p, b->axis)) - ua * brio_vec3_dot(t->s, b->axis) -
                 ob * brio_vec3_dot(a->axis, t->s) + t->n * ua * ob;
  return across * squares - mixed;
}

/* Add the product of two motions to the lower half of the metric. */
static void add_shared(const motion *a, const motion *b, bool same, const sums *t, int nv, double *metric) {
  assert(a->v < nv && b->v < nv);
  int row = a->v > b->v ? a->v : b->v, column = a->v > b->v ? b->v : a->v;
  double twice = !same && row == column ? 2 : 1; /* a joint and its mimic: both ways round */
  metric[row * nv + column] += twice * a->scale * b->scale * shared(a, b, t);
}

/* Sum up the origins below each frame, from the leaves to the root. */
static void sum_up(const brio_state *state, sums *below) {
  const struct brio_robot_program *program = state->robot->program;
  memset(below, 0, (size_t)(program->nmover + 1) * sizeof *below);
  for (int l = 0; l < state->robot->nlink; l++)
    add_origin(&below[program->frame_of[l]], brio_vec3_sub(state->links[l].p, state->links[0].p));
  for (int m = program->nmover; m > 0; m--) add_sums(&below[program->movers[m].parent], &below[m]);
}

/* Add the products of the base's motions with those of all movers, and with each other. */
static void add_base(const sums *below, const motion *motions, int nmover, int nv, double *metric) {
  for (int m = 1; m <= nmover; m++)
    for (int k = 0; k < BRIO_BASE_NV; k++) {
      motion base = base_motion(k);
      add_shared(&motions[m], &base, false, &below[m], nv, metric);
    }
  /* The base with itself moves all origins. */
  for (int k = 0; k < BRIO_BASE_NV; k++)
    for (int i = 0; i <= k; i++) {
      motion one = base_motion(k), other = base_motion(i);
      add_shared(&one, &other, i == k, &below[0], nv, metric);
    }
}

/* O(nlink + nmover depth). Writes the lower half; `scratch` has brio_robot_metric_scratch numbers. */
void brio_state_link_metric(const brio_state *state, int first, double *scratch, double *metric) {
  const struct brio_robot_program *program = state->robot->program;
  int nv = state->robot->nv;
  assert(first == 0 || first == BRIO_BASE_NV);
  sums *below = (sums *)(void *)scratch;
  motion *motions = (motion *)(void *)(below + program->nmover + 1);
  sum_up(state, below);
  for (int m = 1; m <= program->nmover; m++) motions[m] = motion_of(state, m);
  /* Mimic joints add to the same entries, so all begin at 0. */
  memset(metric, 0, (size_t)nv * (size_t)nv * sizeof *metric);
  /* Each mover with itself and all movers that carry it, and with the base. */
  for (int m = 1; m <= program->nmover; m++)
    for (int i = m; i > 0; i = program->movers[i].parent)
      add_shared(&motions[m], &motions[i], i == m, &below[m], nv, metric);
  if (first == 0) add_base(below, motions, program->nmover, nv, metric);
}
