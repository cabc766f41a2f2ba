/* Rows are written on change: an objective when it first counts; its weight and goal when they are others, a goal that
** keeps changing twice a second; shares of a joint when one of them is off what was told by more than a few hundredths, or
** the joint begins or ceases to move. */
#include "runtime/reasons.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static const double EVERY = 0.1;       /* s from look to look */
static const double GOAL_EVERY = 0.5;  /* s: no more rows of an objective's values than one in this time */
static const double MOVES = 1e-4;      /* rad, m or 1 a second: what is slower stands */
static const double LEAST_SHARE = 0.05, OTHER_SHARE = 0.15; /* told at all; told anew when it differs by more */
static const double APART = 0.5;       /* s: bodies that part for less go on being near */
enum { STANDS = 5 /* looks without motion, and a joint stands still */ };

enum { OBJECTIVES, VALUES, PULLS, NEAR, NEAR_END };
static const char *const table_names[] = {"objectives", "objective_values", "pulls", "near_pairs", "near_pair_end"};

typedef struct told_objective {
  uint64_t name, goal;  /* digests of key and kind, and of what the goal goes to */
  int64_t id;           /* of its row; 0: none yet */
  double weight, due;   /* what the weight goes to; s: when values may be told again */
} told_objective;

typedef struct told_share {
  int64_t id;
  double share;
} told_share;

typedef struct told_joint {
  int count, still;     /* shares; looks since it moved */
  bool moves;
  told_share shares[BRIO_PULLS];
} told_joint;

bool brio_reasons_start(brio_reasons *reasons, brio_solver *solver, brio_store *store, double rate, brio_error *err) {
  *reasons = (brio_reasons){.solver = solver, .store = store, .period = (int)fmax(1, round(rate * EVERY))};
  reasons->objectives = calloc((size_t)brio_solver_room(solver) + 1, sizeof *reasons->objectives);
  reasons->joints = calloc((size_t)brio_solver_robot(solver)->nvariable + 1, sizeof *reasons->joints);
  for (int i = 0; i <= NEAR_END; i++) reasons->tables[i] = brio_store_table_find(table_names[i]);
  return (reasons->objectives && reasons->joints) || brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
}

void brio_reasons_end(brio_reasons *reasons) {
  free(reasons->objectives);
  free(reasons->joints);
  *reasons = (brio_reasons){0};
}

static void put(brio_reasons *reasons, int table, const brio_value *row, int count) {
  brio_store_put(reasons->store, reasons->tables[table], row, count);
}

/* Return the number of what is in a slot, having told it once: the last place is that of near bodies. */
static told_objective *objective_of(brio_reasons *reasons, int slot, double time) {
  brio_slot known = {.key = "near bodies"};
  told_objective *told = &reasons->objectives[slot < 0 ? brio_solver_room(reasons->solver) : slot];
  if (slot >= 0 && !brio_solver_look(reasons->solver, slot, &known)) return NULL;
  const char *kind = slot < 0 ? "clearance" : known.kind->name;
  uint64_t name = brio_hash_fold(BRIO_HASH_START, known.key, strlen(known.key) + 1);
  name = brio_hash_fold(name, kind, strlen(kind));
  if (told->id && told->name == name) return told;
  *told = (told_objective){.name = name, .id = ++reasons->made};
  brio_value row[] = {brio_value_integer(told->id), brio_value_text(known.key), brio_value_text(kind), brio_value_real(time)};
  put(reasons, OBJECTIVES, row, 4);
  return told;
}

/* Write a goal's numbers as JSON; NULL: it has none. */
static const char *goal_text(const brio_goal *goal, char *text, size_t size) {
  if (!goal || !goal->kind) return NULL;
  int length = 0, count = brio_goal_length(goal);
  for (int i = 0; i < count && length < (int)size - 16; i++)
    length += snprintf(text + length, size - (size_t)length, "%c%.6g", i ? ',' : '[', goal->v[i]);
  snprintf(text + length, size - (size_t)length, "%s]", count ? "" : "[");
  return text;
}

/* Tell the weight and goal of an objective that counts, or counted, where they are others than were told. */
static void tell_values(brio_reasons *reasons, int slot, double time) {
  char text[BRIO_GOAL_NUMBERS * 15 + 16];
  brio_slot known;
  if (!brio_solver_look(reasons->solver, slot, &known) || known.kind->above) return;
  const told_objective *before = &reasons->objectives[slot];
  if (known.weight_target == 0 && (!before->id || before->weight == 0)) return;
  told_objective *told = objective_of(reasons, slot, time);
  const brio_goal *goal = known.goal_target;
  size_t bytes = goal->kind ? (size_t)brio_goal_length(goal) * sizeof *goal->v : 0;
  uint64_t digest = brio_hash_fold(BRIO_HASH_START, goal->v, bytes);
  bool turned = (known.weight_target == 0) != (told->weight == 0);
  if ((known.weight_target == told->weight && digest == told->goal) || (!turned && time < told->due)) return;
  told->weight = known.weight_target;
  told->goal = digest;
  told->due = time + GOAL_EVERY;
  brio_value row[] = {brio_value_integer(told->id), brio_value_real(time), brio_value_real(told->weight),
                      brio_value_text(goal_text(goal, text, sizeof text))};
  put(reasons, VALUES, row, 4);
}

/* Find the shares of a joint that are to be told; return how many. */
static int shares_of(brio_reasons *reasons, int joint, double time, told_share out[BRIO_PULLS]) {
  brio_pull pulls[BRIO_PULLS];
  int found = brio_solver_pulls(reasons->solver, joint, pulls), count = 0;
  for (int i = 0; i < found; i++) {
    if (fabs(pulls[i].share) < LEAST_SHARE) continue;
    const told_objective *one = objective_of(reasons, pulls[i].slot, time);
    if (one) out[count++] = (told_share){one->id, pulls[i].share};
  }
  return count;
}

static double share_in(const told_share *shares, int count, int64_t id) {
  for (int i = 0; i < count; i++)
    if (shares[i].id == id) return shares[i].share;
  return 0;
}

/* Whether every share of the first list is about that in the second one. */
static bool alike(const told_share *a, int na, const told_share *b, int nb) {
  for (int i = 0; i < na; i++)
    if (fabs(a[i].share - share_in(b, nb, a[i].id)) > OTHER_SHARE) return false;
  return true;
}

static void put_shares(brio_reasons *reasons, int joint, double time) {
  const told_joint *told = &reasons->joints[joint];
  char text[BRIO_PULLS * 40 + 3] = "{";
  size_t length = 1;
  for (int i = 0; i < told->count; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%lld\":%.2f", i ? "," : "",
                               (long long)told->shares[i].id, told->shares[i].share);
  text[length] = '}';
  text[length + 1] = 0;
  brio_value row[] = {brio_value_integer(joint), brio_value_real(time), brio_value_integer(told->moves), brio_value_text(text)};
  put(reasons, PULLS, row, 4);
}

/* Tell what pulls at a joint that moves, where that is other than was told, and when it stands. */
static void tell_joint(brio_reasons *reasons, int joint, double time) {
  told_joint *told = &reasons->joints[joint];
  told_share now[BRIO_PULLS];
  if (fabs(brio_solver_speed(reasons->solver, joint, false)) <= MOVES) {
    if (!told->moves || ++told->still < STANDS) return;
    *told = (told_joint){0};
    put_shares(reasons, joint, time);
    return;
  }
  int count = shares_of(reasons, joint, time, now);
  bool same = told->moves && alike(now, count, told->shares, told->count) && alike(told->shares, told->count, now, count);
  told->still = 0;
  if (same) return;
  told->moves = true;
  told->count = count;
  memcpy(told->shares, now, (size_t)count * sizeof *now);
  put_shares(reasons, joint, time);
}

/* --- bodies near each other --- */

static void end_near(brio_reasons *reasons, brio_reasons_near *near) {
  brio_value row[] = {brio_value_integer(near->id), brio_value_real(near->seen), brio_value_real(near->least), brio_value_real(near->at)};
  put(reasons, NEAR_END, row, 4);
  near->id = 0;
}

/* The place of a pair, its row begun where it is new; NULL: all are taken. */
static brio_reasons_near *near_of(brio_reasons *reasons, const brio_proximity_pair *pair, double time) {
  brio_reasons_near *spare = NULL;
  const char *a, *b;
  for (int i = 0; i < BRIO_REASONS_NEAR; i++) {
    brio_reasons_near *near = &reasons->near[i];
    if (near->id && near->bodies[0] == pair->body_a && near->bodies[1] == pair->body_b) return near;
    if (!near->id && !spare) spare = near;
  }
  if (!spare) return NULL;
  *spare = (brio_reasons_near){{pair->body_a, pair->body_b}, ++reasons->pairs, INFINITY, time, time};
  brio_solver_pair_names(reasons->solver, pair, &a, &b);
  brio_value row[] = {brio_value_integer(spare->id), brio_value_text(a), brio_value_text(b), brio_value_real(time)};
  put(reasons, NEAR, row, 4);
  return spare;
}

static void follow_near(brio_reasons *reasons, double time) {
  const brio_proximity_pair *pairs[BRIO_REASONS_NEAR];
  int count = brio_solver_near(reasons->solver, pairs, BRIO_REASONS_NEAR);
  for (int i = 0; i < count; i++) {
    brio_reasons_near *near = near_of(reasons, pairs[i], time);
    if (!near) break;
    near->seen = time;
    if (pairs[i]->near.distance >= near->least) continue;
    near->least = pairs[i]->near.distance;
    near->at = time;
  }
  for (int i = 0; i < BRIO_REASONS_NEAR; i++)
    if (reasons->near[i].id && time - reasons->near[i].seen > APART) end_near(reasons, &reasons->near[i]);
}

/* --- a tick --- */

void brio_reasons_before(brio_reasons *reasons, int64_t tick) {
  reasons->due = tick % reasons->period == 0;
  if (reasons->due) brio_solver_explain(reasons->solver);
}

void brio_reasons_after(brio_reasons *reasons, double time) {
  if (!reasons->store) return;
  follow_near(reasons, time);
  if (!reasons->due) return;
  for (int slot = brio_solver_next(reasons->solver, -1); slot >= 0; slot = brio_solver_next(reasons->solver, slot))
    tell_values(reasons, slot, time);
  for (int i = 0; i < brio_solver_robot(reasons->solver)->nvariable; i++) tell_joint(reasons, i, time);
}

void brio_reasons_close(brio_reasons *reasons, double time) {
  for (int i = 0; i < BRIO_REASONS_NEAR && reasons->store; i++) {
    brio_reasons_near *near = &reasons->near[i];
    if (near->id) near->seen = fmin(near->seen, time), end_near(reasons, near);
  }
}
