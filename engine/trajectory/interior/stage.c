/* Memory of the stages, and the list of inequalities and equations of each. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "trajectory/interior/interior.h"

/* Return the number of rows of all constraint terms of stage `k`. */
static int count_rows(const brio_trajectory *t, int k) {
  int rows = 0;
  for (int i = 0; i < t->setup.nterm; i++) {
    const brio_trajectory_term *term = &t->work->terms[i];
    if (!term->kind->cost && brio_trajectory_counts(t, term, k))
      rows += term->kind->rows(term->arguments, t, &t->setup.phases[t->nodes[k].phase]);
  }
  return rows;
}

/* Add the bounds lower <= value <= upper of a row (or entry of z): an equation, or up to two sides. */
static void add_sides(brio_interior_stage *s, int row, double lower, double upper) {
  double width = upper - lower, gain = width < HUGE_VAL && width > 1 ? 1 / width : 1;
  /* equal bounds are an equation: two inequalities would have no interior */
  if (lower == upper) {
    s->equals[s->nequal++] = (brio_interior_side){row, 1, lower};
    return;
  }
  /* ranges wider than 1 are scaled, so that slacks are at most about 1 */
  if (lower > -HUGE_VAL) s->sides[s->nside++] = (brio_interior_side){row, gain, lower};
  if (upper < HUGE_VAL) s->sides[s->nside++] = (brio_interior_side){row, -gain, upper};
}

/* List the sides and equations of a stage: limits of z, then terms. */
static void list_sides(brio_trajectory *t, int k, brio_interior_stage *s) {
  const brio_trajectory_phase *phase = &t->setup.phases[t->nodes[k].phase];
  for (int i = BRIO_BASE_NV - t->first; i < t->nz; i++) {
    /* limits of the base do not exist; those of the stretch are the phase's */
    bool stretch = t->nstretch && i == brio_trajectory_s_column(t);
    add_sides(s, -1 - i, stretch ? phase->stretch[0] : t->lower[i],
              stretch ? phase->stretch[1] : t->upper[i]);
  }
  for (int i = 0, row = 0; i < t->setup.nterm; i++) {
    const brio_trajectory_term *term = &t->work->terms[i];
    if (term->kind->cost || !brio_trajectory_counts(t, term, k)) continue;
    int rows = term->kind->rows(term->arguments, t, phase);
    /* memory that is written later serves as scratch; it is at least as long */
    double *lower = s->row, *upper = s->slope;
    memset(lower, 0, (size_t)rows * sizeof *lower), memset(upper, 0, (size_t)rows * sizeof *upper);
    if (term->kind->bounds) term->kind->bounds(term->arguments, t, phase, lower, upper);
    for (int r = 0; r < rows; r++) add_sides(s, row++, lower[r], upper[r]);
  }
}

/* An array of numbers to be taken from the arena. */
typedef struct field {
  double **at; /* where its address is written */
  int count;   /* numbers */
} field;

/* Take `count` arrays.  Return false: no memory for one of them. */
static bool take_fields(brio_arena *arena, const field *fields, int count) {
  bool good = true;
  for (int i = 0; i < count; i++) {
    *fields[i].at = BRIO_TAKE(arena, double, fields[i].count + 1);
    good = good && *fields[i].at;
  }
  return good;
}

/* Take the memory of stage `k`, and list its sides.  Return false: no memory. */
static bool take_stage(brio_interior *interior, int k) {
  brio_trajectory *t = interior->trajectory;
  brio_interior_stage *s = &interior->stages[k];
  brio_arena *arena = &interior->arena;
  int nz = t->nz, n = t->nstate;
  s->nrow = count_rows(t, k);
  s->ndefect = k >= brio_trajectory_intervals(t) ? 0 : brio_trajectory_joins(t, k) ? 2 * t->ndof : n;
  /* each row and each entry of z has two sides at most */
  int most = 2 * (s->nrow + nz);
  s->sides = BRIO_TAKE(arena, brio_interior_side, most);
  s->equals = BRIO_TAKE(arena, brio_interior_side, s->nrow + nz);
  s->order = BRIO_TAKE(arena, int, n + 1);
  /* rows and their derivatives, dynamics, cost, defect, what the recursion needs */
  const field fields[] = {
      {&s->row, s->nrow},
      {&s->slope, s->nrow * nz},
      {&s->du, t->robot->nv},
      {&s->forces, t->nforce},
      {&s->du_slope, t->ndof * nz},
      {&s->force_slope, t->nforce * nz},
      {&s->gradient, nz},
      {&s->hessian, nz * nz},
      {&s->defect, n},
      {&s->left, n * nz},
      {&s->right, n * nz},
      {&s->costate, n},
      {&s->next_costate, n},
      {&s->step, nz},
      {&s->last_step, nz},
      {&s->value, nz * nz},
      {&s->value_slope, nz},
      {&s->gain, nz * nz},
      {&s->gain_offset, nz},
      {&s->factors, n * n},
  };
  if (!s->sides || !s->equals || !s->order || !take_fields(arena, fields, 20)) return false;
  /* numbers of sides are known only now */
  list_sides(t, k, s);
  assert(s->nside <= most && s->nequal <= s->nrow + nz);
  const field of_sides[] = {
      {&s->gap, s->nside},         {&s->slack, s->nside},        {&s->dual, s->nside},
      {&s->dslack, s->nside},      {&s->ddual, s->nside},        {&s->error, s->nequal},
      {&s->multiplier, s->nequal}, {&s->dmultiplier, s->nequal},
  };
  return take_fields(arena, of_sides, 8);
}

bool brio_interior_start(brio_interior *interior, brio_trajectory *t, brio_error *err) {
  *interior = (brio_interior){.trajectory = t, .nnode = t->nnode, .nz = t->nz, .scale = 1, .proximal = 1e-8};
  brio_arena_start(&interior->arena, (size_t)1 << 20);
  interior->stages = BRIO_TAKE(&interior->arena, brio_interior_stage, t->nnode);
  /* scratch: three matrices of predicted steps, and their square */
  int nz = t->nz, wide = 2 * nz + 1;
  const field fields[] = {
      {&interior->scratch, 3 * nz * wide + wide * wide + nz},
      {&interior->trial_du[0], t->robot->nv},
      {&interior->trial_du[1], t->robot->nv},
      {&interior->trial_forces, t->nforce},
      {&interior->trial_defect, t->nstate},
      {&interior->full_step, t->robot->nv},
  };
  bool good = interior->stages && take_fields(&interior->arena, fields, 6);
  int most = 0;
  /* the stages, then scratch for the rows of the largest */
  for (int k = 0; good && k < t->nnode; k++) {
    good = take_stage(interior, k);
    most = interior->stages[k].nrow > most ? interior->stages[k].nrow : most;
  }
  good = good && take_fields(&interior->arena, (const field[]){{&interior->trial_rows, most}}, 1);
  good = good && brio_trajectory_take_motion(t, &interior->arena, &interior->now, err) &&
         brio_trajectory_take_motion(t, &interior->arena, &interior->trial, err) &&
         brio_trajectory_take_motion(t, &interior->arena, &interior->best, err);
  if (good) return true;
  brio_interior_end(interior);
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for a trajectory of %d nodes", t->nnode);
}

void brio_interior_end(brio_interior *interior) {
  brio_arena_end(&interior->arena);
}

/* t = max(g, mu limited to [1e-6, 0.01]), y = mu / t: t y = mu holds exactly. */
void brio_interior_start_slacks(brio_interior *interior) {
  double least = brio_clamp(interior->barrier, 1e-6, 1e-2);
  for (int k = 0; k < interior->nnode; k++) {
    brio_interior_stage *s = &interior->stages[k];
    for (int i = 0; i < s->nside; i++) {
      /* of a violated inequality (g < 0) the slack is small; iterations close the difference g - t */
      s->slack[i] = fmax(s->gap[i], least);
      s->dual[i] = interior->barrier / s->slack[i];
    }
  }
}
