/* Projection on what is kept: damped least squares on the bounds that are exceeded, with joints that reach
** their limits held there.
** Source: Stilman, "Global manipulation planning in robot joint space with task constraints", 2010. */
#include <assert.h>
#include <string.h>

#include "plan/joints/checker.h"
#include "plan/joints/keep/keep_internal.h"

enum { ITERATIONS = 30 };
static const double FAR = 0.5;      /* rad or m: a joint goes at most so far in an iteration */
static const double DAMPING = 1e-6; /* of the greatest diagonal number */

/* One iteration: rows that are exceeded, what each lacks, and their slopes. */
typedef struct projection {
  int n, count;
  double lack[BRIO_KEEP_ROWS], slopes[BRIO_KEEP_ROWS][BRIO_JOINTS_PLANNED];
  double a[BRIO_KEEP_ROWS][BRIO_KEEP_ROWS], y[BRIO_KEEP_ROWS];
  bool held[BRIO_JOINTS_PLANNED]; /* at a limit, and drawn beyond */
} projection;

/* Write the slopes of a row by the planned values, those held being 0. */
static void set_slopes(const brio_joint_frames *frames, const brio_keep_row *row, int frame, double *out,
                       int n) {
  memset(out, 0, (size_t)n * sizeof *out);
  for (int f = frame; f > 0; f = frames->list[f].parent) {
    const brio_joint_frame *own = &frames->list[f];
    const double *w = frames->places[f].world;
    brio_vec3 rate = brio_joint_place_direction(w, own->axis);
    /* A slide turns nothing; a turn moves the point across its arm. */
    if (row->kind != BRIO_KEEP_PLACE)
      rate = own->slides ? (brio_vec3){0, 0, 0} : rate;
    else if (!own->slides)
      rate = brio_vec3_cross(rate, brio_vec3_sub(row->point, (brio_vec3){w[3], w[7], w[11]}));
    out[own->x] += own->multiplier * brio_vec3_dot(row->n, rate);
  }
}

/* Collect what is exceeded.  Return whether all is within its bounds, with half of the margins left. */
static bool collect(projection *p, const brio_keeps *keeps, const brio_joint_frames *frames) {
  brio_keep_row rows[BRIO_KEEP_ROWS];
  int n = brio_keep_rows(keeps, frames, rows);
  bool good = true;
  p->count = 0;
  for (int i = 0; i < n; i++) {
    const brio_keep_row *row = &rows[i];
    double m = row->margin, value = row->value;
    good = good && value >= row->lower + m / 2 && value <= row->upper - m / 2;
    /* It is brought to the whole margin. */
    double lack = value < row->lower + m ? row->lower + m - value : fmin(row->upper - m - value, 0);
    if (lack == 0) continue;
    p->lack[p->count] = lack;
    set_slopes(frames, row, keeps->list[row->kept].frame, p->slopes[p->count++], p->n);
  }
  return good;
}

/* Solve (S S^T + damping) y = lack, by Cholesky; return false where that is impossible. */
static bool solve(projection *p) {
  double most = 0;
  for (int i = 0; i < p->count; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < p->n; k++)
        if (!p->held[k]) sum += p->slopes[i][k] * p->slopes[j][k];
      p->a[i][j] = sum;
      if (i == j) most = fmax(most, sum);
    }
  /* No joint that is free moves what lacks. */
  if (!(most > 1e-12)) return false;
  for (int i = 0; i < p->count; i++) {
    p->a[i][i] += DAMPING * most;
    for (int j = 0; j <= i; j++) {
      double sum = p->a[i][j];
      for (int k = 0; k < j; k++) sum -= p->a[i][k] * p->a[j][k];
      if (i == j && !(sum > 0)) return false;
      p->a[i][j] = i == j ? sqrt(sum) : sum / p->a[j][j];
    }
  }
  /* Forward, then backward. */
  for (int i = 0; i < p->count; i++) {
    double sum = p->lack[i];
    for (int k = 0; k < i; k++) sum -= p->a[i][k] * p->y[k];
    p->y[i] = sum / p->a[i][i];
  }
  for (int i = p->count - 1; i >= 0; i--) {
    double sum = p->y[i];
    for (int k = i + 1; k < p->count; k++) sum -= p->a[k][i] * p->y[k];
    p->y[i] = sum / p->a[i][i];
  }
  return true;
}

/* Go one step, within the limits; joints that would leave them are held, and the others do their part. */
static bool step(projection *p, const double *lower, const double *upper, double *x) {
  double dx[BRIO_JOINTS_PLANNED], most = 0;
  /* Each time at least one more is held, so this ends. */
  memset(p->held, 0, sizeof p->held);
  for (bool again = true; again;) {
    again = false;
    if (!solve(p)) return false;
    for (int k = 0; k < p->n; k++) {
      dx[k] = 0;
      for (int i = 0; i < p->count && !p->held[k]; i++) dx[k] += p->slopes[i][k] * p->y[i];
      bool out = (x[k] <= lower[k] && dx[k] < 0) || (x[k] >= upper[k] && dx[k] > 0);
      if (!out) continue;
      p->held[k] = again = true;
    }
  }
  /* Slopes do not hold far away. */
  for (int k = 0; k < p->n; k++) most = fmax(most, fabs(dx[k]));
  double share = most > FAR ? FAR / most : 1;
  for (int k = 0; k < p->n; k++) x[k] = fmin(fmax(x[k] + share * dx[k], lower[k]), upper[k]);
  return true;
}

bool brio_keeps_project(const brio_keeps *keeps, brio_joint_frames *frames, const double *lower,
                        const double *upper, double *x) {
  projection p = {.n = frames->nx};
  assert(p.n <= BRIO_JOINTS_PLANNED);
  for (int i = 0; i < ITERATIONS; i++) {
    brio_joint_frames_place(frames, x);
    if (collect(&p, keeps, frames)) return true;
    if (!step(&p, lower, upper, x)) return false;
  }
  return false;
}
