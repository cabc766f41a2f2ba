/* Ipopt: the trajectory as one sparse nonlinear program.  Unknowns are the entries of z of all nodes; the
** base's rotation is a rotation vector phi from the first guess, R = exp(phi) R_guess, so that its columns of
** a Jacobian are those by the tangent times Jl(phi).  The Hessian is the Gauss-Newton one, as in the
** structured method.  Blocks of derivatives are dense: O(nodes nz^2) numbers.  Library: brio_ipopt.so, which
** is built where Debian's coinor-libipopt-dev is installed (scripts/packages-ipopt.txt). */
#include <assert.h>
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/system/object.h"
#include "trajectory/interior/interior.h"
#include "trajectory/ipopt/program.h"
#include "trajectory/rotation_internal.h"
#include "trajectory/trajectory_internal.h"

/* What Ipopt's callbacks need. */
typedef struct adapter {
  brio_interior interior;       /* stages, of which only values and derivatives are used */
  brio_trajectory_motion guess; /* the caller's motion, from which rotations count */
  const brio_trajectory_options *options;
  brio_interior_merit merit;
  double *at; /* n: the point that is linearized */
  bool known; /* the stages belong to `at` */
  bool out_of_time, cancelled;
  brio_trajectory_progress last;
  int64_t start; /* ns, monotonic */
} adapter;

/* Return Ipopt's record, or NULL and what is missing. */
static const brio_program_library *find(brio_error *err) {
  void *object = brio_object_open("brio_ipopt.so");
  const brio_program_library *library = object ? dlsym(object, "brio_program_library_record") : NULL;
  /* the loader's message says why it cannot be opened */
  if (!object) {
    const char *why = dlerror();
    brio_fail(err, BRIO_NO_FILE,
              "the backend 'ipopt' is not there%s%.300s: install the Debian package coinor-libipopt-dev "
              "(scripts/packages-ipopt.txt) and run make again",
              why ? ": " : "", why ? why : "");
    return NULL;
  }
  if (library && library->version == BRIO_PROGRAM_LIBRARY_VERSION && library->size == sizeof(brio_program))
    return library;
  brio_fail(err, BRIO_FORMAT, "brio_ipopt.so is of another version of brio: build it again");
  return NULL;
}

/* Write the motion of unknowns `x` (n) into the stages' motion. */
static void unpack(adapter *a, const double *x) {
  brio_trajectory *t = a->interior.trajectory;
  const brio_trajectory_motion *to = &a->interior.now;
  int nq = t->robot->nq, nv = t->robot->nv, n = t->ndof, base = BRIO_BASE_NV - t->first;
  for (int k = 0; k < t->nnode; k++, x += t->nz) {
    double *q = to->q + k * nq;
    /* a fixed base stays as it is */
    memcpy(q, a->guess.q + k * nq, (size_t)nq * sizeof *q);
    if (base > 0) {
      /* the rotation vector leads from the guess to here */
      brio_quat own = {q[3], q[4], q[5], q[6]};
      brio_quat turned = brio_quat_mul(brio_quat_exp(brio_vec3_at(x + 3)), own);
      memcpy(q, x, 3 * sizeof *q);
      q[3] = turned.x, q[4] = turned.y, q[5] = turned.z, q[6] = turned.w;
    }
    memcpy(q + BRIO_BASE_NQ, x + base, (size_t)(n - base) * sizeof *q);
    memcpy(to->u + k * nv + t->first, x + n, (size_t)n * sizeof *q);
    to->stretch[k] = t->nstretch ? x[2 * n] : a->guess.stretch[k];
    memcpy(to->torque + k * t->nmotor, x + t->nstate, (size_t)t->nmotor * sizeof *q);
  }
}

/* Write the unknowns of the guess, whose rotation vectors are 0. */
static void pack(const adapter *a, double *x) {
  const brio_trajectory *t = a->interior.trajectory;
  const brio_trajectory_motion *m = &a->guess;
  for (int k = 0; k < t->nnode; k++, x += t->nz) {
    const double *q = m->q + k * t->robot->nq, *u = m->u + k * t->robot->nv, *w = m->torque + k * t->nmotor;
    /* joints and all that follows, the base's position, its rotation vector */
    for (int i = 0; i < t->nz; i++)
      x[i] = i >= BRIO_BASE_NV - t->first ? brio_trajectory_value(t, q, u, m->stretch[k], w, i)
             : i < 3                      ? q[i]
                                          : 0;
  }
}

/* Linearize at `x` unless the stages are of that point already.  Return false: the dynamics failed. */
static bool reach(adapter *a, const double *x) {
  size_t bytes = (size_t)(a->interior.nnode * a->interior.nz) * sizeof *x;
  /* Ipopt asks for cost, gradient and rows of the same point in turn. */
  if (a->known && memcmp(a->at, x, bytes) == 0) return true;
  memcpy(a->at, x, bytes);
  unpack(a, x);
  return a->known = brio_interior_linearize(&a->interior, &a->merit, NULL) && isfinite(a->merit.cost);
}

/* Multiply the three columns of stage k's rotation by Jl, in `count` rows of nz numbers. */
static void turn_columns(const adapter *a, int k, double *rows, int count) {
  const brio_trajectory *t = a->interior.trajectory;
  if (t->first > 0) return;
  brio_matrix33 by = brio_rotation_left(brio_vec3_at(a->at + k * t->nz + 3));
  for (int r = 0; r < count; r++) {
    double *row = rows + r * t->nz + 3, v[3];
    /* row times Jl */
    for (int c = 0; c < 3; c++) v[c] = row[0] * by.m[c] + row[1] * by.m[3 + c] + row[2] * by.m[6 + c];
    memcpy(row, v, sizeof v);
  }
}

/* Cost, unscaled. */
static bool cost(void *context, const double *x, double *out) {
  adapter *a = context;
  if (!reach(a, x)) return false;
  *out = a->merit.cost;
  return true;
}

/* Gradient of the cost (n). */
static bool gradient(void *context, const double *x, double *out) {
  adapter *a = context;
  int nz = a->interior.nz;
  if (!reach(a, x)) return false;
  for (int k = 0; k < a->interior.nnode; k++, out += nz) {
    memcpy(out, a->interior.stages[k].gradient, (size_t)nz * sizeof *out);
    turn_columns(a, k, out, 1);
  }
  return true;
}

/* Values of the constraints (m): of each stage its rows, then the defect to the next. */
static bool rows(void *context, const double *x, double *out) {
  adapter *a = context;
  if (!reach(a, x)) return false;
  for (int k = 0; k < a->interior.nnode; k++) {
    const brio_interior_stage *s = &a->interior.stages[k];
    /* the order in which set_bounds and set_places count */
    memcpy(out, s->row, (size_t)s->nrow * sizeof *out), out += s->nrow;
    memcpy(out, s->defect, (size_t)s->ndefect * sizeof *out), out += s->ndefect;
  }
  return true;
}

/* Values of the Jacobian (njacobian), in the order of set_places. */
static bool jacobian(void *context, const double *x, double *out) {
  adapter *a = context;
  int nz = a->interior.nz;
  if (!reach(a, x)) return false;
  for (int k = 0; k < a->interior.nnode; k++) {
    const brio_interior_stage *s = &a->interior.stages[k];
    /* by this stage's z: constraints and defect; by the next one's: the defect */
    const double *const blocks[3] = {s->slope, s->left, s->right};
    const int counts[3] = {s->nrow, s->ndefect, s->ndefect};
    for (int b = 0; b < 3; b++) {
      memcpy(out, blocks[b], (size_t)(counts[b] * nz) * sizeof *out);
      turn_columns(a, b == 2 ? brio_trajectory_next(a->interior.trajectory, k) : k, out, counts[b]);
      out += counts[b] * nz;
    }
  }
  return true;
}

/* Hand Ipopt's multipliers to the stages as duals, by which the curvature of rows (term.h, bend) counts. */
static void hand_over(adapter *a, const double *multipliers) {
  for (int k = 0; k < a->interior.nnode; k++) {
    brio_interior_stage *s = &a->interior.stages[k];
    for (int i = 0; i < s->nside; i++) {
      int row = s->sides[i].row;
      s->dual[i] = row >= 0 ? fmax(0, -multipliers[row] / s->sides[i].gain) : 0;
    }
    multipliers += s->nrow + s->ndefect;
  }
}

/* Values of the Hessian's lower half (nhessian): of each stage B^T H B, where B has Jl in its rotation. */
static bool hessian(void *context, const double *x, double factor, const double *multipliers, double *out) {
  adapter *a = context;
  int nz = a->interior.nz;
  double *full = a->interior.scratch;
  /* bends depend on multipliers, so the point is linearized again */
  hand_over(a, multipliers);
  a->interior.scale = factor, a->known = false;
  bool good = reach(a, x);
  a->interior.scale = 1, a->known = false;
  for (int k = 0; good && k < a->interior.nnode; k++) {
    const double *lower = a->interior.stages[k].hessian;
    /* both halves of the stage's block */
    for (int i = 0; i < nz * nz; i++) full[i] = i % nz <= i / nz ? lower[i] : lower[i % nz * nz + i / nz];
    /* columns, then rows, which are the columns of the transpose */
    for (int pass = 0; pass < 2; pass++) {
      turn_columns(a, k, full, nz);
      for (int i = 0; i < nz; i++)
        for (int j = 0; j < i; j++) {
          double keep = full[i * nz + j];
          full[i * nz + j] = full[j * nz + i], full[j * nz + i] = keep;
        }
    }
    for (int i = 0; i < nz; i++)
      for (int j = 0; j <= i; j++) *out++ = full[i * nz + j];
  }
  return good;
}

/* Report an iteration.  Return false to stop: cancelled, or out of time. */
static bool report(void *context, int iteration, double value, double violation, double optimality,
                   double barrier, double step) {
  adapter *a = context;
  double seconds = (double)(brio_clock_monotonic() - a->start) * 1e-9;
  a->last = (brio_trajectory_progress){iteration, value, violation, optimality, barrier, step, seconds};
  a->cancelled = a->options->report && !a->options->report(a->options->context, &a->last);
  a->out_of_time = seconds >= a->options->seconds;
  return !a->cancelled && !a->out_of_time;
}

/* Count unknowns, rows of constraints, and entries of Jacobian and Hessian. */
static void count(const brio_interior *interior, brio_program *p) {
  int nz = interior->nz;
  p->n = interior->nnode * nz, p->nhessian = interior->nnode * nz * (nz + 1) / 2;
  /* the rows of a stage depend on its z; its defect on that of the next stage, too */
  for (int k = 0; k < interior->nnode; k++) {
    const brio_interior_stage *s = &interior->stages[k];
    p->m += s->nrow + s->ndefect, p->njacobian += (s->nrow + 2 * s->ndefect) * nz;
  }
}

/* Take the memory of the program. */
static bool take(brio_arena *arena, brio_program *p, adapter *a, double **x) {
  p->lower = BRIO_TAKE(arena, double, p->n), p->upper = BRIO_TAKE(arena, double, p->n);
  p->row_lower = BRIO_TAKE(arena, double, p->m), p->row_upper = BRIO_TAKE(arena, double, p->m);
  p->jacobian_rows = BRIO_TAKE(arena, int, p->njacobian),
  p->jacobian_columns = BRIO_TAKE(arena, int, p->njacobian);
  p->hessian_rows = BRIO_TAKE(arena, int, p->nhessian),
  p->hessian_columns = BRIO_TAKE(arena, int, p->nhessian);
  a->at = BRIO_TAKE(arena, double, p->n), *x = BRIO_TAKE(arena, double, p->n);
  return p->lower && p->upper && p->row_lower && p->row_upper && p->jacobian_rows && p->jacobian_columns &&
         p->hessian_rows && p->hessian_columns && a->at && *x;
}

/* Set the bounds of unknowns and rows from the sides and equations of each stage. */
static void set_bounds(const brio_interior *interior, brio_program *p) {
  for (int i = 0; i < p->n; i++) p->lower[i] = -HUGE_VAL, p->upper[i] = HUGE_VAL;
  for (int i = 0; i < p->m; i++) p->row_lower[i] = -HUGE_VAL, p->row_upper[i] = HUGE_VAL;
  for (int k = 0, row = 0; k < interior->nnode; k++) {
    const brio_interior_stage *s = &interior->stages[k];
    for (int i = 0; i < s->nside + s->nequal; i++) {
      const brio_interior_side *side = i < s->nside ? &s->sides[i] : &s->equals[i - s->nside];
      /* a side bounds a row, or an unknown itself; an equation bounds it from both sides */
      int at = side->row >= 0 ? row + side->row : k * interior->nz - 1 - side->row;
      double *lower = (side->row >= 0 ? p->row_lower : p->lower) + at;
      double *upper = (side->row >= 0 ? p->row_upper : p->upper) + at;
      if (i >= s->nside || side->gain > 0) *lower = side->bound;
      if (i >= s->nside || side->gain < 0) *upper = side->bound;
    }
    row += s->nrow;
    /* defects are equations */
    for (int i = 0; i < s->ndefect; i++, row++) p->row_lower[row] = p->row_upper[row] = 0;
  }
}

/* Write row and column of each derivative, in the order in which jacobian and hessian write values. */
static void set_places(const brio_interior *interior, brio_program *p) {
  int nz = interior->nz, j = 0, h = 0;
  for (int k = 0, row = 0; k < interior->nnode; k++) {
    const brio_interior_stage *s = &interior->stages[k];
    const int counts[3] = {s->nrow, s->ndefect, s->ndefect}, firsts[3] = {row, row + s->nrow, row + s->nrow};
    int next = brio_trajectory_next(interior->trajectory, k);
    for (int b = 0; b < 3; b++)
      for (int i = 0; i < counts[b] * nz; i++, j++) {
        p->jacobian_rows[j] = firsts[b] + i / nz;
        p->jacobian_columns[j] = (b == 2 ? next : k) * nz + i % nz;
      }
    row += s->nrow + s->ndefect;
    /* the Hessian is block-diagonal: the lower half of each stage's block */
    for (int i = 0; i < nz; i++)
      for (int c = 0; c <= i; c++, h++) p->hessian_rows[h] = k * nz + i, p->hessian_columns[h] = k * nz + c;
  }
  assert(j == p->njacobian && h == p->nhessian);
}

/* Translate how Ipopt ended; `feasible`: the last point is within tolerance. */
static brio_trajectory_finish finish_of(const adapter *a, brio_program_end end, bool feasible) {
  /* if brio stopped it, the reason is ours, not the status of Ipopt */
  if (a->cancelled) return BRIO_TRAJECTORY_CANCELLED;
  if (a->out_of_time || end == BRIO_PROGRAM_LIMIT) return BRIO_TRAJECTORY_TIME;
  if (end == BRIO_PROGRAM_SOLVED && feasible) return BRIO_TRAJECTORY_SOLVED;
  return feasible ? BRIO_TRAJECTORY_FEASIBLE : BRIO_TRAJECTORY_STALLED;
}

/* Copy the last point's motion. */
static void copy_out(const adapter *a, brio_trajectory_motion *to) {
  const brio_trajectory *t = a->interior.trajectory;
  const brio_trajectory_motion *from = &a->interior.now;
  memcpy(to->q, from->q, (size_t)(t->nnode * t->robot->nq) * sizeof *to->q);
  memcpy(to->u, from->u, (size_t)(t->nnode * t->robot->nv) * sizeof *to->u);
  memcpy(to->torque, from->torque, (size_t)(t->nnode * t->nmotor) * sizeof *to->torque);
  memcpy(to->stretch, from->stretch, (size_t)t->nnode * sizeof *to->stretch);
}

static bool solve(brio_trajectory *trajectory, const brio_trajectory_options *options,
                  brio_trajectory_motion *motion, brio_trajectory_outcome *outcome, brio_error *err) {
  adapter a = {.guess = *motion, .options = options, .start = brio_clock_monotonic()};
  const brio_program_library *library = find(err);
  if (!library || !brio_interior_start(&a.interior, trajectory, err)) return false;
  brio_program p = {.context = &a,
                    .cost = cost,
                    .gradient = gradient,
                    .rows = rows,
                    .jacobian = jacobian,
                    .hessian = hessian,
                    .report = report,
                    .iterations = options->iterations,
                    .tolerance = options->tolerance,
                    .optimality = options->optimality,
                    .barrier = options->barrier};
  double *x;
  count(&a.interior, &p);
  bool good = take(&a.interior.arena, &p, &a, &x) || brio_fail(err, BRIO_NO_MEMORY, "no memory for Ipopt");
  if (good) {
    /* bounds and places once, then Ipopt's own loop */
    set_bounds(&a.interior, &p), set_places(&a.interior, &p), pack(&a, x);
    brio_program_end end = library->solve(&p, x);
    a.known = false;
    good = reach(&a, x) || brio_fail(err, BRIO_LIMIT, "the dynamics fail where Ipopt ended");
    outcome->last = a.last;
    outcome->last.cost = a.merit.cost;
    outcome->last.violation = brio_interior_residual_of(&a.interior, 0).violation;
    outcome->end = finish_of(&a, end, outcome->last.violation <= options->tolerance);
    copy_out(&a, motion);
  }
  brio_interior_end(&a.interior);
  return good;
}

const brio_trajectory_backend brio_trajectory_backend_ipopt = {
    .name = "ipopt",
    .doc = "Ipopt with MUMPS, if its library is installed: the reference.",
    .solve = solve,
};
