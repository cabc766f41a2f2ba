/* Constrained dynamics by the Schur complement: with A = J M^-1 J^T and X = M^-1 J^T the forces solve
** A f = b, b = wanted - dJ/dt u - J M^-1 (tau - h), and the acceleration is the free one plus X f.
** The proximal iteration (A + w) f' = b + w f begins at f = 0: where A is regular the first step is exact but
** for w, the next ones make it so; where A is singular, f stays in A's range, so it is the least solution. */
#include "dynamics/constraint_internal.h"

#include <assert.h>
#include <string.h>

bool brio_dynamics_constraints_start(brio_dynamics_constraints *constraints, const brio_dynamics *dynamics,
                                     int nmax, brio_error *err) {
  if (nmax < 1) return brio_fail(err, BRIO_MISUSE, "constraints need at least 1 row, not %d", nmax);
  int nv = dynamics->robot->nv;
  *constraints = (brio_dynamics_constraints){.nmax = nmax, .proximal = 1e-6, .niteration = 20};
  brio_arena *arena = &constraints->arena;
  brio_arena_start(arena, 16384);
  struct brio_dynamics_constraint_work *work = BRIO_TAKE(arena, struct brio_dynamics_constraint_work, 1);
  /* One block for all matrices; J, X and the two slopes have nv columns, X with rows filled to full
  ** registers. */
  double *numbers = BRIO_TAKE(arena, double, 4 * nmax * nv + 3 * nv + 3 * nmax * nmax + 4 * nmax);
  double *slow = BRIO_TAKE(arena, double, nv);
  brio_dynamics_constraint *copies = BRIO_TAKE(arena, brio_dynamics_constraint, nmax);
  if (!work || !numbers || !slow || !copies) {
    brio_dynamics_constraints_end(constraints);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d rows of constraints", nmax);
  }
  /* The sizes stand beside the parts that they are of. */
  double **const parts[] = {&work->jacobian, &work->wide,   &work->by_q,    &work->by_u,
                            &work->schur,    &work->factor, &work->inverse, &work->known,
                            &work->wanted,   &work->step,   &work->forces};
  const int square = nmax * nmax, wide = nmax * nv;
  const int sizes[] = {wide, (nmax + 3) * nv, wide, wide, square, square, square, nmax, nmax, nmax, nmax};
  for (int i = 0; i < 11; i++) *parts[i] = numbers, numbers += sizes[i];
  work->slow = slow, work->list = copies;
  /* The workspace serves robots of this many tangent numbers. */
  work->nv = nv;
  constraints->work = work;
  return true;
}

void brio_dynamics_constraints_end(brio_dynamics_constraints *constraints) {
  brio_arena_end(&constraints->arena);
  *constraints = (brio_dynamics_constraints){0};
}

int brio_dynamics_loops(const brio_robot *robot, double stiffness, double damping,
                        brio_dynamics_constraint *list) {
  int rows = 0;
  for (int i = 0; i < robot->nloop; i++) {
    const brio_loop *loop = &robot->loops[i];
    brio_dynamics_constraint one = {.link = loop->links[0],
                                    .on_link = loop->frames[0],
                                    .other = loop->links[1],
                                    .on_other = loop->frames[1],
                                    .rigid = loop->type == BRIO_LOOP_POSE,
                                    .stiffness = stiffness,
                                    .damping = damping};
    rows += brio_dynamics_rows_of(&one);
    if (list) list[i] = one;
  }
  return rows;
}

/* Count the rows of a list; -1 and in `err` what is wrong with it. */
static int count_rows(const brio_dynamics *dynamics, const brio_dynamics_constraints *constraints,
                      const brio_dynamics_constraint *list, int count, brio_error *err) {
  int rows = 0, nlink = dynamics->robot->nlink;
  for (int i = 0; i < count; i++) {
    if (list[i].link < 0 || list[i].link >= nlink || list[i].other < -1 || list[i].other >= nlink)
      return brio_fail(err, BRIO_MISUSE,
                       "constraint %d: links %d and %d; expected 0 to %d, the other one -1 "
                       "for the world",
                       i + 1, list[i].link, list[i].other, nlink - 1),
             -1;
    /* A negative gain would push a gap open. */
    if (!(list[i].stiffness >= 0 && isfinite(list[i].stiffness) && list[i].damping >= 0 &&
          isfinite(list[i].damping)))
      return brio_fail(err, BRIO_MISUSE,
                       "constraint %d: stiffness %g and damping %g; expected finite numbers of at least 0",
                       i + 1, list[i].stiffness, list[i].damping),
             -1;
    rows += brio_dynamics_rows_of(&list[i]);
  }
  if (rows > constraints->nmax)
    return brio_fail(err, BRIO_MISUSE, "%d constraints have %d rows, the workspace has room for %d", count,
                     rows, constraints->nmax),
           -1;
  return rows;
}

/* A frame on a link: place and motion of its origin, and world_from_frame by way of body and link. O(1) */
static brio_dynamics_side link_side(const brio_dynamics *dynamics, int link, const brio_pose *frame) {
  const struct brio_dynamics_private *work = dynamics->work;
  const brio_dynamics_link *held = &work->links[link];
  brio_dynamics_side out = {.place = brio_dynamics_place_point(dynamics, link, frame->p)};
  brio_rotation own = brio_rotation_of(brio_transform_of((brio_pose){{0, 0, 0}, frame->q}).r);
  brio_rotation in_link = brio_rotation_mul(&held->turn, &own);
  out.turn = brio_rotation_mul(&work->places[held->body].turn, &in_link);
  return out;
}

/* A frame of the world as O sees it: shifted by the root's origin, and moving against O's velocity. */
static brio_dynamics_side world_side(const brio_dynamics *dynamics, const double *q, const double *u,
                                     const brio_pose *frame) {
  brio_dynamics_side out = {.turn = brio_rotation_of(brio_transform_of((brio_pose){{0, 0, 0}, frame->q}).r)};
  out.place.at = brio_vec3_sub(frame->p, (brio_vec3){q[0], q[1], q[2]});
  /* O moves, and the world does not. */
  if (brio_dynamics_floats(dynamics)) out.place.velocity.linear = (brio_vec3){-u[0], -u[1], -u[2]};
  return out;
}

/* The held side first: gaps, rates and forces are those of side 0 against side 1. */
void brio_dynamics_sides(const brio_dynamics *dynamics, const brio_dynamics_constraint *one, const double *q,
                         const double *u, brio_dynamics_side sides[2]) {
  sides[0] = link_side(dynamics, one->link, &one->on_link);
  sides[1] = one->other < 0 ? world_side(dynamics, q, u, &one->on_other)
                            : link_side(dynamics, one->other, &one->on_other);
}

brio_vec3 brio_dynamics_rotation_between(const brio_rotation *a, const brio_rotation *b) {
  /* R = a b^T, row by row, turns b into a; its logarithm is the rotation vector. */
  double r[9];
  const double *p = &a->x.x, *s = &b->x.x;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) r[3 * i + k] = p[i] * s[k] + p[3 + i] * s[3 + k] + p[6 + i] * s[6 + k];
  return brio_quat_log(brio_quat_from_matrix(r));
}

/* Write three rows of b = -drift - stiffness gap - damping rate. */
static void want(const brio_dynamics_constraint *one, brio_vec3 drift, brio_vec3 gap, brio_vec3 rate,
                 double *out) {
  brio_vec3 sum = brio_vec3_scale(-1, drift);
  sum = brio_vec3_add_scaled(sum, -one->stiffness, gap);
  sum = brio_vec3_add_scaled(sum, -one->damping, rate);
  out[0] = sum.x, out[1] = sum.y, out[2] = sum.z;
}

/* Take side b away from the rows of side a, and clear what rounding leaves where both move alike: it must not
** look like a motion, which forces without bound would then hold. */
static void take_away(const brio_dynamics *dynamics, const brio_dynamics_side *b, double *both) {
  int count = 6 * dynamics->robot->nv;
  double largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(both[i]));
  brio_dynamics_add_point_rows(dynamics, &b->place, -1, both, NULL);
  for (int i = 0; i < count; i++)
    if (fabs(both[i]) < 1e-14 * largest) both[i] = 0;
}

/* Write the rows of one constraint, of the bodies placed and moved. */
static void write_rows(const brio_dynamics *dynamics, const brio_dynamics_constraint *one, const double *q,
                       const double *u, double *jacobian, double *wanted) {
  int nv = dynamics->robot->nv;
  brio_dynamics_side sides[2], *a = &sides[0], *b = &sides[1];
  brio_dynamics_sides(dynamics, one, q, u, sides);
  int rows = brio_dynamics_rows_of(one);
  double *both = dynamics->work->six;
  /* J = J_a - J_b: the world's part is 0. */
  memset(both, 0, 6 * (size_t)nv * sizeof *both);
  brio_dynamics_add_point_rows(dynamics, &a->place, 1, both, NULL);
  if (one->other >= 0) take_away(dynamics, b, both);
  memcpy(jacobian, both, (size_t)rows * (size_t)nv * sizeof *both);
  /* With du = 0 the flows have dJ/dt u alone: their difference is the drift. */
  want(one, brio_vec3_sub(a->place.acceleration.linear, b->place.acceleration.linear),
       brio_vec3_sub(a->place.at, b->place.at),
       brio_vec3_sub(a->place.velocity.linear, b->place.velocity.linear), wanted);
  if (one->rigid)
    want(one, brio_vec3_sub(a->place.acceleration.angular, b->place.acceleration.angular),
         brio_dynamics_rotation_between(&a->turn, &b->turn),
         brio_vec3_sub(a->place.velocity.angular, b->place.velocity.angular), wanted + 3);
}

/* Write J and what is wanted of all constraints, X and A, of the factors that are there. O(rows nv depth)
** for X, O(rows^2 nv) for A. */
static void gather(const brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                   const brio_dynamics_constraint *list, int count, const double *q, const double *u) {
  const struct brio_dynamics_private *own = dynamics->work;
  struct brio_dynamics_constraint_work *work = constraints->work;
  int nv = dynamics->robot->nv, n = own->nfree, rows = constraints->nrow;
  int stride = BRIO_DYNAMICS_STRIDE(rows);
  assert(work->nv == nv && rows <= constraints->nmax);
  for (int i = 0, row = 0; i < count; row += brio_dynamics_rows_of(&list[i++]))
    write_rows(dynamics, &list[i], q, u, work->jacobian + row * nv, work->wanted + row);
  for (int k = 0; k < n; k++)
    for (int r = 0; r < rows; r++) work->wide[k * stride + r] = work->jacobian[r * nv + own->rows[k].v];
  /* X = M^-1 J^T, all columns at once. */
  brio_dynamics_solve_columns(dynamics, work->wide, rows);
  /* A = J X, both halves. */
  memset(work->schur, 0, (size_t)rows * (size_t)rows * sizeof *work->schur);
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < n; k++) {
      double weight = work->jacobian[r * nv + own->rows[k].v];
      for (int s = 0; weight != 0 && s < rows; s++)
        work->schur[r * rows + s] += weight * work->wide[k * stride + s];
    }
}

/* Write the Cholesky factor of A + weight.  A is positive semidefinite, so this does not fail. Row by row;
** the pivot is at least the weight, which rounding could take from it. O(rows^3) */
static void factorize(const struct brio_dynamics_constraint_work *work, int rows) {
  double weight = work->weight;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k <= i; k++) {
      double sum = work->schur[i * rows + k] + (i == k ? weight : 0);
      for (int j = 0; j < k; j++) sum -= work->factor[i * rows + j] * work->factor[k * rows + j];
      work->factor[i * rows + k] = i == k ? sqrt(fmax(sum, weight)) : sum / work->factor[k * rows + k];
    }
}

/* Replace x by (A + weight)^-1 x. */
static void divide(const struct brio_dynamics_constraint_work *work, int rows, double *x) {
  /* L y = x, then L^T x = y. */
  const double *l = work->factor;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < i; j++) x[i] -= l[i * rows + j] * x[j];
    x[i] /= l[i * rows + i];
  }
  for (int i = rows - 1; i >= 0; i--) {
    for (int j = i + 1; j < rows; j++) x[i] -= l[j * rows + i] * x[j];
    x[i] /= l[i * rows + i];
  }
}

/* Choose the weight, and factorize A with it. The weight is relative to the largest diagonal of A, so that
** the scale of masses does not matter. */
static void prepare(const brio_dynamics_constraints *constraints) {
  struct brio_dynamics_constraint_work *work = constraints->work;
  int rows = constraints->nrow;
  double largest = 0;
  /* Where no row moves anything A is 0, and the weight is taken as it is. */
  for (int i = 0; i < rows; i++) largest = fmax(largest, work->schur[i * (rows + 1)]);
  work->weight = constraints->proximal * (largest > 0 ? largest : 1);
  factorize(work, rows);
}

/* Set step = known - A f, and the residual. */
static void set_missing(brio_dynamics_constraints *constraints, const double *forces) {
  struct brio_dynamics_constraint_work *work = constraints->work;
  int rows = constraints->nrow;
  constraints->residual = 0;
  for (int i = 0; i < rows; i++) {
    /* Exact A, not A + w: the residual is that of the equations asked for. */
    double sum = work->known[i];
    for (int k = 0; k < rows; k++) sum -= work->schur[i * rows + k] * forces[k];
    work->step[i] = sum;
    constraints->residual = fmax(constraints->residual, fabs(sum));
  }
}

/* Iterate from f = 0; return whether a part of what is known stays whatever f is. The residual falls by w
** / (w + smallest eigenvalue above 0) in each step. */
static bool iterate(brio_dynamics_constraints *constraints, double *forces) {
  struct brio_dynamics_constraint_work *work = constraints->work;
  int rows = constraints->nrow;
  double scale = 0, before = INFINITY;
  for (int i = 0; i < rows; i++) scale = fmax(scale, fabs(work->known[i]));
  memset(forces, 0, (size_t)rows * sizeof *forces);
  for (constraints->iterations = 0; constraints->iterations < constraints->niteration;) {
    set_missing(constraints, forces);
    /* Small enough, or as small as it gets. */
    if (constraints->residual <= 1e-13 * scale) break;
    if (constraints->residual > 0.5 * before) return constraints->residual > 1e-9 * scale;
    before = constraints->residual;
    divide(work, rows, work->step);
    for (int i = 0; i < rows; i++) forces[i] += work->step[i];
    constraints->iterations++;
  }
  return false;
}

/* Take out of what is known what no force can give; return its largest number.  w (A + w)^-1 leaves that
** as it is, and brings everything else down by w / eigenvalue. */
static double drop_unreachable(brio_dynamics_constraints *constraints) {
  struct brio_dynamics_constraint_work *work = constraints->work;
  int rows = constraints->nrow;
  double largest = 0;
  /* (w (A + w)^-1)^4 b: four rounds leave 1e-24 of what forces can give, at eigenvalues of 1e6 w. */
  memcpy(work->step, work->known, (size_t)rows * sizeof *work->step);
  for (int k = 0; k < 4; k++) {
    divide(work, rows, work->step);
    for (int i = 0; i < rows; i++) work->step[i] *= work->weight;
  }
  for (int i = 0; i < rows; i++) {
    work->known[i] -= work->step[i];
    largest = fmax(largest, fabs(work->step[i]));
  }
  return largest;
}

/* O(rows^2) for each iteration, as A is factorized already. */
void brio_dynamics_solve_forces(brio_dynamics_constraints *constraints, double *forces) {
  if (!iterate(constraints, forces)) return;
  /* Each step has added that part, divided by the weight: begin again without it. */
  double residual = drop_unreachable(constraints);
  iterate(constraints, forces);
  constraints->residual = fmax(constraints->residual, residual);
}

/* Write out[order] += X f. */
static void add_forces(const brio_dynamics *dynamics, const brio_dynamics_constraints *constraints,
                       const double *forces, double *out) {
  const struct brio_dynamics_private *own = dynamics->work;
  int rows = constraints->nrow, stride = BRIO_DYNAMICS_STRIDE(rows);
  for (int k = 0; k < own->nfree; k++)
    for (int r = 0; r < rows; r++) out[own->rows[k].v] += constraints->work->wide[k * stride + r] * forces[r];
}

/* Set known = wanted - J x. */
static void set_known(const brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                      const double *x) {
  struct brio_dynamics_constraint_work *work = constraints->work;
  int nv = dynamics->robot->nv;
  for (int r = 0; r < constraints->nrow; r++) {
    work->known[r] = work->wanted[r];
    for (int v = 0; v < nv; v++) work->known[r] -= work->jacobian[r * nv + v] * x[v];
  }
}

bool brio_dynamics_constrained(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                               const brio_dynamics_constraint *list, int count, const double *q,
                               const double *u, const double *tau, double *du, double *forces,
                               brio_error *err) {
  const struct brio_dynamics_private *own = dynamics->work;
  if (!u) u = own->zeros;
  int rows = count_rows(dynamics, constraints, list, count, err);
  /* The free acceleration first: its call leaves the factors of M for X. */
  if (rows < 0 || !brio_dynamics_forward(dynamics, q, u, tau, du, err)) return false;
  constraints->nrow = rows;
  brio_dynamics_move_bodies(dynamics, u, own->zeros, (brio_vec3){0, 0, 0});
  gather(dynamics, constraints, list, count, q, u);
  /* What the free acceleration leaves is what the forces have to give. */
  set_known(dynamics, constraints, du);
  prepare(constraints);
  brio_dynamics_solve_forces(constraints, forces);
  add_forces(dynamics, constraints, forces, du);
  return true;
}

/* M (after - u) = J^T p, J after = 0: the same system with velocities for accelerations. Source:
** Featherstone, 2008, chapter 11. */
bool brio_dynamics_impact(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                          const brio_dynamics_constraint *list, int count, const double *q, const double *u,
                          double *after, double *impulses, brio_error *err) {
  const struct brio_dynamics_private *own = dynamics->work;
  int nv = dynamics->robot->nv, rows = count_rows(dynamics, constraints, list, count, err);
  assert(u && after && u != after);
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_fill_rows(dynamics);
  if (rows < 0 || !brio_dynamics_factorize(dynamics, err)) return false;
  constraints->nrow = rows;
  brio_dynamics_move_bodies(dynamics, u, own->zeros, (brio_vec3){0, 0, 0});
  gather(dynamics, constraints, list, count, q, u);
  /* The velocity of the contact becomes 0, whatever drift and gaps are. */
  memset(constraints->work->wanted, 0, (size_t)rows * sizeof *constraints->work->wanted);
  memcpy(after, u, (size_t)nv * sizeof *after);
  /* A fixed base has no velocity to lose. */
  memset(after, 0, (size_t)own->first * sizeof *after);
  set_known(dynamics, constraints, after);
  prepare(constraints);
  brio_dynamics_solve_forces(constraints, impulses);
  add_forces(dynamics, constraints, impulses, after);
  return true;
}
