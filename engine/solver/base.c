/* The base: the pose of the robot without overrides (objectives whose kind is `above`).
**
** It is a second solver of the same robot, with the same goals, weights, shapes and limits, but without the
** overrides. It is not solved while there are none, since both poses agree then. When it is solved again,
** it starts where the first solver is (take_over): same pose, same motion, same state of every objective
** that owns no memory. The base has a base of its own, the quiet one, without liveliness. */
#include <assert.h>
#include <string.h>

#include "solver/solver_internal.h"

/* Copy `count` numbers. */
static void copy_numbers(const double *from, double *to, int count) {
  memcpy(to, from, (size_t)count * sizeof *to);
}

/* Copy what objectives have at run time: weights,
** approaches, goals and, where possible, their state. */
static void take_slots(const brio_solver *from, brio_solver *base) {
  assert(base->nslot == from->nslot);
  for (int i = 0; i < base->nslot; i++) {
    const brio_slot_state *its = &from->slots[i];
    brio_slot_state *own = &base->slots[i];
    /* Slots that the base lacks or leaves out stay as they are. */
    if (!its->key || !own->key || brio_solver_leaves_out(from, its->kind)) continue;
    own->weight = its->weight;
    own->weight_target = its->weight_target;
    own->weight_approach = its->weight_approach;
    own->goal_approach = its->goal_approach;
    own->active = its->active;
    /* Both goals are one block: the present one and its target. */
    memcpy(own->goal, its->goal, 2 * sizeof *own->goal);
    bool owns = its->kind->end || its->kind->context; /* what it holds is its own */
    size_t bytes = its->kind->size + (its->kind->more ? its->kind->more(from->robot) : 0);
    if (!owns) memcpy(own->self, its->self, bytes);
  }
}

/* Start the base where the other solver is, with its motion. */
static void take_over(const brio_solver *from, brio_solver *base) {
  int nv = from->robot->nv, nq = from->robot->nq;
  assert(base->robot == from->robot);
  /* Pose and motion: coordinates, steps, speeds and history. */
  base->center = from->center;
  copy_numbers(from->coordinates, base->coordinates, nv);
  copy_numbers(from->coordinates, base->trial, nv);
  copy_numbers(from->step, base->step, nv);
  copy_numbers(from->rest, base->rest, nv);
  copy_numbers(from->drift, base->drift, nv);
  base->drifts = from->drifts;
  copy_numbers(from->speed, base->speed, nv);
  for (int i = 0; i < BRIO_NPAST; i++) {
    copy_numbers(from->past[i], base->past[i], nq);
    memcpy(base->past_links[i], from->past_links[i], (size_t)from->robot->nlink * sizeof(brio_transform));
  }
  memcpy(base->past_dt, from->past_dt, sizeof base->past_dt);
  copy_numbers(from->past[0], base->q, nq);
  base->time = from->time;
  base->behind = from->behind;
  /* Objectives and shapes, then distances at the pose, which nothing has measured for the base. */
  take_slots(from, base);
  brio_shapes_copy(&from->collision, &base->collision);
  brio_solver_evaluate(base, BRIO_NEEDS_PAIRS | BRIO_NEEDS_NEAREST | BRIO_NEEDS_COM);
  brio_collision_anchor(base);
  /* What the guard knows of the pose holds for the base, too. */
  base->guard.sure = from->guard.sure;
  base->guard.stiffness = from->guard.stiffness;
  base->guard.needed = from->guard.needed;
  brio_guard_look(base);
}

void brio_solver_solve_base(brio_solver *solver, double time, double dt, bool anew, brio_solution *solution) {
  brio_solver *base = solver->base;
  if (!base || solver->busy) {
    *solution = (brio_solution){
        .q = solver->past[0], .status = BRIO_SOLVER_HELD, .distance = solver->nearest};
    return;
  }
  /* Without `anew` the base goes on from its own last pose. */
  if (anew) take_over(solver, base);
  brio_solver_solve(base, time, dt, solution);
}

void brio_solver_solve_quiet(brio_solver *solver, double time, double dt, bool anew,
                             brio_solution *solution) {
  brio_solver_solve_base(solver->base ? solver->base : solver, time, dt, anew, solution);
}

/* The quiet solver is the base of the base. */
double brio_solver_quiet_speed(const brio_solver *solver, int variable) {
  return brio_solver_speed(solver->base ? solver->base : solver, variable, true);
}

double brio_solver_speed(const brio_solver *solver, int variable, bool base) {
  const brio_solver *which = base && solver->base ? solver->base : solver;
  bool there = variable >= 0 && variable < which->robot->nvariable;
  return there ? which->speed[BRIO_BASE_NV + variable] : 0;
}
