/* Objectives in their slots, with goals and weights that approach their targets.
**
** A slot is a place in a fixed array; its number is the objective's handle until it is removed.
** Lookup by key is linear in the slots: it is for set-up, while ticks use slot numbers.
**
** A value with time constant tau goes  v += (1 - exp(-dt / tau)) (target - v),  which depends on
** the time passed and not on the tick rate. Five time constants after the last change it equals the
** target. The 1.8 % left after four go along a smooth step: a jump of the last 0.7 % is visible as
** a twitch. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "math/scalar.h"
#include "solver/solver_internal.h"

/* The key of the i-th used slot, for brio_name_hint; NULL ends the list. */
static const char *key_at(const void *list, int i) {
  const brio_solver *solver = list;
  for (int slot = brio_solver_next(solver, -1); slot >= 0; slot = brio_solver_next(solver, slot))
    if (i-- == 0) return solver->slots[slot].key;
  return NULL;
}

/* Return the slot of a key, or -1. */
static int find(const brio_solver *solver, const char *key) {
  for (int i = 0; i < solver->nslot; i++)
    if (solver->slots[i].key && strcmp(solver->slots[i].key, key) == 0) return i;
  return -1;
}

int brio_solver_slot(const brio_solver *solver, const char *key, brio_error *err) {
  int slot = find(solver, key);
  char hint[96];
  if (slot < 0)
    brio_fail(err, BRIO_MISUSE, "the solver has no objective with the key '%.64s'%s", key,
              brio_name_hint(key, key_at, solver, hint));
  return slot;
}

/* `i >= 0` also ends the walk when `slot` is INT_MAX. */
int brio_solver_next(const brio_solver *solver, int slot) {
  for (int i = slot + 1; i >= 0 && i < solver->nslot; i++)
    if (solver->slots[i].key) return i;
  return -1;
}

/* Make the shared rows wide enough for `rows`. */
static bool widen(brio_solver *solver, int rows) {
  if (rows <= solver->row_room) return true;
  size_t nv = (size_t)solver->robot->nv, wide = (size_t)rows;
  double *r = realloc(solver->r, wide * sizeof *r);
  /* Keep each block as soon as it moved: after a failure both are still valid. */
  if (r) solver->r = r;
  double *jacobian = realloc(solver->jacobian, wide * nv * sizeof *jacobian);
  if (jacobian) solver->jacobian = jacobian;
  if (!r || !jacobian || !brio_differences_widen(solver, rows)) return false;
  solver->written = solver->row_room = rows; /* new memory holds anything */
  return true;
}

/* Return a free slot for a new key, or -1: the key is empty or in use, or all slots are taken. */
static int free_slot(const brio_solver *solver, const char *key, brio_error *err) {
  if (!key[0]) return brio_fail(err, BRIO_MISUSE, "an objective's key must not be empty"), -1;
  if (find(solver, key) >= 0)
    return brio_fail(err, BRIO_MISUSE, "the solver already has an objective with the key '%.64s'", key), -1;
  /* The lowest free slot: a solver and its base, filled alike, choose the same one. */
  for (int i = 0; i < solver->nslot; i++)
    if (!solver->slots[i].key) return i;
  return brio_fail(err, BRIO_LIMIT, "the solver holds at most %d objectives", solver->nslot), -1;
}

bool brio_solver_busy(const brio_solver *solver) { return solver->busy; }

/* Free what a slot owns, and mark it free. Half-filled slots are allowed. */
static void clear(brio_slot_state *slot) {
  if (slot->bound && slot->kind->end) slot->kind->end(slot->self);
  free(slot->key);
  free(slot->self);
  free(slot->goal);
  *slot = (brio_slot_state){0};
}

/* Return the only variable of an instance's one row; -1: there may be several. */
static int variable_of(const brio_solver *solver, const brio_slot_state *slot) {
  const brio_objective_kind *kind = slot->kind;
  if (!kind->variable || slot->rows != 1 || kind->parts || kind->cost || kind->forms || kind->step > 0)
    return -1;
  int variable = kind->variable(slot->self);
  return variable < solver->robot->nvariable ? variable : -1;
}

/* Return how many rows an instance has at most. */
static int rows_of(const brio_solver *solver, const brio_objective_kind *kind, const void *self) {
  if (kind->cost) return 2; /* gradient and bend */
  bool usual = !solver->lively && kind->usual_rows;
  /* Lively's form of a term may have more rows than ours. */
  return (usual ? kind->usual_rows : kind->rows)(self, solver->robot);
}

/* Fill a free slot. On failure it may be half filled: the caller clears it. */
static bool fill_slot(brio_solver *solver, brio_slot_state *slot, const char *key,
                      const brio_objective_kind *kind, const brio_argument *arguments, int count,
                      brio_error *err) {
  assert(!slot->key && !slot->bound);
  slot->kind = kind;
  slot->key = strdup(key);
  /* One byte more than needed, so that `self` is never NULL for an empty instance. */
  slot->self = calloc(1, kind->size + (kind->more ? kind->more(solver->robot) : 0) + 1);
  slot->goal = calloc(2, sizeof *slot->goal);
  if (!slot->key || !slot->self || !slot->goal)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for objective '%s'", key);
  slot->goal_target = slot->goal + 1;
  /* A kind made at run time finds its context in the first bytes of each instance. */
  if (kind->context) memcpy(slot->self, &kind->context, sizeof kind->context);
  if (!brio_params_fill(solver->robot, kind, arguments, count, slot->self, err)) return false;
  /* `bound` is set before bind is called, because end() is due even where bind fails. */
  brio_random stream = brio_random_stream(solver->seed, key);
  slot->bound = true;
  if (kind->bind && !kind->bind(slot->self, solver->robot, brio_random_bits(&stream), err))
    return brio_fail_in(err, "%s", kind->name);
  slot->rows = rows_of(solver, kind, slot->self);
  slot->variable = variable_of(solver, slot);
  if (!widen(solver, slot->rows) || (kind->step > 0 && !brio_differences_start(solver)))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for objective '%s'", key);
  return true;
}

int brio_solver_add(brio_solver *solver, const char *key, const char *kind, const brio_argument *arguments,
                    int count, brio_error *err) {
  const brio_objective_kind *found = brio_objective_kind_find(kind, err);
  return found ? brio_solver_add_kind(solver, key, found, arguments, count, err) : -1;
}

int brio_solver_add_kind(brio_solver *solver, const char *key, const brio_objective_kind *kind,
                         const brio_argument *arguments, int count, brio_error *err) {
  int place = brio_solver_may_change(solver, err) ? free_slot(solver, key, err) : -1;
  /* The base solver takes the same slot: slots are shared by number. */
  if (place < 0) return -1;
  /* Where the base fails, it has cleared its own slot: then neither has the objective. */
  if (fill_slot(solver, &solver->slots[place], key, kind, arguments, count, err) &&
      (!solver->base || brio_solver_add_kind(solver->base, key, kind, arguments, count, err) == place))
    return place;
  clear(&solver->slots[place]);
  return -1;
}

/* Invariants of a slot in use. */
static bool is_consistent(const brio_solver *solver, const brio_slot_state *slot) {
  return slot->kind && slot->self && slot->goal && slot->goal_target == slot->goal + 1 &&
         slot->rows <= solver->row_room && slot->weight >= 0 && slot->yield >= 0 && slot->yield <= 1 &&
         slot->weight_approach.left >= 0 && slot->goal_approach.left >= 0;
}

/* Return the state of a slot in use; NULL: it is free or out of range. */
static brio_slot_state *used(const brio_solver *solver, int slot) {
  return slot >= 0 && slot < solver->nslot && solver->slots[slot].key ? &solver->slots[slot] : NULL;
}

void brio_solver_remove(brio_solver *solver, int slot) {
  /* An objective may not remove itself while it is evaluated. */
  if (solver->busy || !used(solver, slot)) return;
  clear(&solver->slots[slot]);
  if (solver->base) brio_solver_remove(solver->base, slot);
}

/* The same with an error, for setters. */
static brio_slot_state *must_use(const brio_solver *solver, int slot, brio_error *err) {
  brio_slot_state *state = used(solver, slot);
  if (!state) brio_fail(err, BRIO_MISUSE, "the solver has no objective in slot %d", slot);
  assert(!state || is_consistent(solver, state));
  return state;
}

/* Check a time constant, s: finite and not negative. Errors: misuse. */
static bool check_tau(double tau, brio_error *err) {
  if (tau >= 0 && tau < HUGE_VAL) return true;
  return brio_fail(err, BRIO_MISUSE, "a blending time constant must be finite and at least 0 s, not %g", tau);
}

/* Copy a goal without the unused end of its array. */
static void copy_goal(const brio_goal *from, brio_goal *to) {
  assert(from->kind && brio_goal_length(from) <= BRIO_GOAL_NUMBERS);
  to->kind = from->kind;
  to->items = from->items;
  memcpy(to->v, from->v, (size_t)brio_goal_length(from) * sizeof *from->v);
}

/* Start an approach. A repeated call with the same target and tau does not start it again. */
static void approach(brio_approach *approach_state, bool same, double tau) {
  if (same && tau == approach_state->tau) return;
  *approach_state = (brio_approach){tau, 5 * tau};
}

/* Make and check the goal that `numbers` are for a slot. Errors: misuse. */
static bool make_goal(brio_solver *solver, const brio_slot_state *state, const double *numbers, int count,
                      brio_goal *goal, brio_error *err) {
  const brio_goal_kind *kind = state->kind->goal;
  if (!kind)
    return brio_fail(err, BRIO_MISUSE, "'%s' (%s) takes no goal", state->key, state->kind->name);
  /* The kind of goal checks the numbers, then the objective checks the goal. A check that is written in Lua
  ** may call the solver: it may not remove the objective meanwhile. */
  bool was_busy = solver->busy;
  solver->busy = true;
  bool good = brio_goal_make(kind, numbers, count, goal, err) &&
              (!state->kind->accept || state->kind->accept(state->self, goal, err));
  solver->busy = was_busy;
  return good || brio_fail_in(err, "'%s' (%s)", state->key, state->kind->name);
}

bool brio_solver_check_goal(brio_solver *solver, int slot, const double *numbers, int count,
                            brio_error *err) {
  brio_slot_state *state = must_use(solver, slot, err);
  brio_goal goal;
  return state && make_goal(solver, state, numbers, count, &goal, err);
}

bool brio_solver_set_goal(brio_solver *solver, int slot, const double *numbers, int count, double tau,
                          brio_error *err) {
  brio_slot_state *state = must_use(solver, slot, err);
  if (!state || !brio_solver_may_change(solver, err) || !check_tau(tau, err)) return false;
  brio_goal goal;
  /* All of the goal is checked before anything changes. */
  if (!make_goal(solver, state, numbers, count, &goal, err)) return false;
  /* The first goal, or one at weight 0, is set at once: there is nothing to blend from. */
  bool same = state->goal_target->kind && brio_goal_same(&goal, state->goal_target);
  approach(&state->goal_approach, same, tau);
  copy_goal(&goal, state->goal_target);
  if (tau == 0 || !state->goal->kind || state->weight == 0) {
    copy_goal(&goal, state->goal);
    state->goal_approach.left = 0;
  }
  /* Objectives that the base leaves out get no goal there. */
  return !solver->base || brio_solver_leaves_out(solver, state->kind) ||
         brio_solver_set_goal(solver->base, slot, numbers, count, tau, err);
}

bool brio_solver_set_weight(brio_solver *solver, int slot, double weight, double tau, brio_error *err) {
  brio_slot_state *state = must_use(solver, slot, err);
  if (!state || !brio_solver_may_change(solver, err) || !check_tau(tau, err)) return false;
  /* Written so that NaN is rejected, too. */
  if (!(weight >= 0 && weight < HUGE_VAL))
    return brio_fail(err, BRIO_MISUSE, "the weight of '%s' must be finite and at least 0, not %g", state->key,
                     weight);
  approach(&state->weight_approach, weight == state->weight_target, tau);
  state->weight_target = weight;
  if (tau == 0) {
    state->weight = weight;
    state->weight_approach.left = 0;
  }
  /* The base blends a weight of its own with the same time constant. */
  return !solver->base || brio_solver_leaves_out(solver, state->kind) ||
         brio_solver_set_weight(solver->base, slot, weight, tau, err);
}

bool brio_solver_set_yield(brio_solver *solver, int slot, double share, double tau, brio_error *err) {
  /* Not passed on to the base, where nothing yields. */
  brio_slot_state *state = must_use(solver, slot, err);
  if (!state || !brio_solver_may_change(solver, err) || !check_tau(tau, err)) return false;
  if (!(share >= 0 && share <= 1))
    return brio_fail(err, BRIO_MISUSE, "'%s' may yield from 0 to 1 of its weight, not %g", state->key, share);
  approach(&state->yield_approach, share == state->yield_target, tau);
  state->yield_target = share;
  if (tau > 0) return true;
  state->yield = share;
  state->yield_approach.left = 0;
  return true;
}

/* Pointers in `out` are valid until the slot is removed. */
bool brio_solver_look(const brio_solver *solver, int slot, brio_slot *out) {
  const brio_slot_state *state = used(solver, slot);
  if (!state) return false;
  *out = (brio_slot){state->key,  state->kind,        state->weight, state->weight_target,
                     state->goal, state->goal_target, state->cost, state->active, state->failed,
                     state->force};
  return true;
}

/* Share of the smooth step that remains `left` time constants before its end; 1 before it. */
static double last_stretch(double left) { return left >= 1 ? 1 : left * left * (3 - 2 * left); }

/* An approach of this tick, and its share: a change of states begins many that are alike. */
typedef struct share_memo {
  brio_approach before;
  double dt, left, share;
} share_memo;

/* Advance an approach by dt (s). Return which share of the remaining way is gone now, 1 at its end. */
static double find_share(brio_approach *approach_state, double dt) {
  double tau = approach_state->tau, before = approach_state->left / tau;
  assert(tau > 0 && approach_state->left > 0);
  approach_state->left -= dt;
  double after = approach_state->left / tau;
  /* In the smooth step, the ratio of what remains corrects the exponential. */
  if (after > 1e-9) {
    double ratio = last_stretch(after) / last_stretch(before);
    return ratio == 1 ? -expm1(-dt / tau) : 1 - ratio * exp(-dt / tau);
  }
  approach_state->left = 0;
  return 1;
}

/* The same; of one that is like the last one it is known. */
static double advance(brio_approach *approach_state, double dt, share_memo *memo) {
  if (approach_state->left != memo->before.left || approach_state->tau != memo->before.tau ||
      dt != memo->dt) {
    memo->before = *approach_state;
    memo->dt = dt;
    memo->share = find_share(approach_state, dt);
    memo->left = approach_state->left;
  }
  approach_state->left = memo->left;
  return memo->share;
}

/* Advance an approach of a number. At its end the number equals the target to the bit. */
static void advance_number(brio_approach *approach_state, double target, double dt, share_memo *memo,
                           double *value) {
  if (approach_state->left <= 0) return;
  double share = advance(approach_state, dt, memo);
  if (share == 1) *value = target;
  else *value += share * (target - *value);
}

/* Advance weight and yield; together they make the force that the cost counts. */
static void advance_weight(brio_slot_state *slot, double dt, share_memo *memo) {
  advance_number(&slot->weight_approach, slot->weight_target, dt, memo, &slot->weight);
  advance_number(&slot->yield_approach, slot->yield_target, dt, memo, &slot->yield);
  slot->force = slot->weight * (1 - slot->yield);
}

/* Advance an approach of a goal. */
static void advance_goal(brio_slot_state *slot, double dt, share_memo *memo) {
  if (slot->goal_approach.left <= 0) return;
  double share = advance(&slot->goal_approach, dt, memo);
  if (share == 1) copy_goal(slot->goal_target, slot->goal);
  else brio_goal_blend(slot->goal, slot->goal_target, share, slot->goal);
}

/* Return the distance up to which an active objective needs pairs measured, m. */
static double reach_of(const brio_solver *solver, const brio_slot_state *slot) {
  if (!(slot->kind->needs & BRIO_NEEDS_PAIRS)) return 0;
  bool whole = solver->lively || !slot->kind->reach;
  /* Lively's form, and kinds without a reach, read all pairs within the range. */
  return whole ? solver->range : brio_min(slot->kind->reach(slot->self), solver->range);
}

/* O(slots). Inactive objectives approach their targets as well, so that they have reached them in time. */
void brio_slots_advance(brio_solver *solver, double dt) {
  share_memo memo = {.dt = NAN}; /* like none */
  solver->nactive = 0;
  solver->needs = 0;
  solver->reach = brio_clearance_reach(solver);
  solver->margins = !solver->lively;
  /* The needs of the active objectives are collected: they decide what is measured for each pose. */
  for (int i = 0; i < solver->nslot; i++) {
    brio_slot_state *slot = &solver->slots[i];
    if (!slot->key) continue;
    advance_weight(slot, dt, &memo);
    /* Goals go by the tempo of the motion, weights by the clock. */
    advance_goal(slot, dt * solver->pace.tempo, &memo);
    bool active = slot->force > 0 && (!slot->kind->goal || slot->goal->kind);
    /* Anchors are set again when an objective becomes active. */
    if (active && !slot->active && slot->kind->reset) slot->kind->reset(slot->self);
    slot->active = active;
    slot->failed = false;
    slot->cost = 0;
    slot->judged = 0;
    if (!active) continue;
    solver->active[solver->nactive++] = i;
    solver->needs |= slot->kind->needs;
    solver->reach = brio_max(solver->reach, reach_of(solver, slot));
    if ((slot->kind->needs & BRIO_NEEDS_PAIRS) && !slot->kind->margins) solver->margins = false;
    if (slot->kind->update) slot->kind->update(slot->self, slot->goal, &solver->at);
  }
  assert(solver->nactive <= solver->nslot);
}

void brio_slots_try_failed(brio_solver *solver) {
  for (int k = 0; k < solver->nactive; k++) solver->slots[solver->active[k]].failed = false;
  solver->failed = false;
}

void brio_slots_drop_failed(brio_solver *solver) {
  int kept = 0, before = solver->nactive;
  /* Keep the order: costs are summed in it, and a replay compares sums to the bit. */
  for (int k = 0; k < before; k++)
    if (!solver->slots[solver->active[k]].failed) solver->active[kept++] = solver->active[k];
  solver->nactive = kept;
  solver->failed = false;
}

void brio_slots_finish(brio_solver *solver) {
  for (int i = 0; i < solver->nslot; i++) {
    const brio_slot_state *slot = &solver->slots[i];
    if (slot->key && slot->active && slot->kind->finish) slot->kind->finish(slot->self);
  }
}

void brio_slots_reset(brio_solver *solver, bool zero_weights) {
  /* The next solve makes every slot newly active, which resets its anchors. */
  for (int i = 0; i < solver->nslot; i++) {
    brio_slot_state *slot = &solver->slots[i];
    if (!slot->key) continue;
    slot->active = false;
    slot->cost = 0;
    if (zero_weights) slot->weight = slot->weight_target = slot->weight_approach.left = 0;
  }
}

void brio_slots_end(brio_solver *solver) {
  for (int i = 0; solver->slots && i < solver->nslot; i++) clear(&solver->slots[i]);
  free(solver->r);
  free(solver->jacobian);
}
