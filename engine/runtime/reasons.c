/* Recording why joints move. Rows are written on change only: an objective when it first counts; its weight
** and goal when they change (a goal that changes continuously: twice a second); the shares of a joint when
** one of them differs by more than OTHER_SHARE from its last row, or when the joint starts or stops moving.
** Explaining a tick costs O(objectives + joints x pulls), every EVERY s. */
#include "runtime/reasons.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static const double EVERY = 0.1;       /* s between two looks */
static const double GOAL_EVERY = 0.5;  /* s between two rows of an objective's values, at least */
static const double MOVES = 1e-4;      /* rad, m or 1 per second: slower is standing still */
static const double MIN_SHARE = 0.05, OTHER_SHARE = 0.15; /* recorded; again if off by more */
static const double APART = 0.5;       /* s: a separation that is shorter does not end a row */
enum { STANDS = 5 /* looks without motion, and a joint stands still */ };

/* Indices of the tables in `reasons->tables`. */
enum { OBJECTIVES, VALUES, PULLS, NEAR, NEAR_END };
static const char *const table_names[] = {"objectives", "objective_values", "pulls", "near_pairs",
                                          "near_pair_end"};

/* The newest row of a slot's objective. Slots are reused, so `name` identifies it. */
typedef struct told_objective {
  uint64_t name, goal;  /* digests of key and kind, and of the goal */
  int64_t id;           /* of its row; 0: none yet */
  double weight, due;   /* of the newest row; s: time of the next one, at the earliest */
} told_objective;

/* A row's objective, and its share of the pull at a joint: -1 to 1. */
typedef struct told_share {
  int64_t id;
  double share;
} told_share;

/* The newest row of shares of a joint. */
typedef struct told_joint {
  int count, still;     /* number of shares; looks since it last moved */
  bool moves;
  told_share shares[BRIO_PULLS];
} told_joint;

bool brio_reasons_start(brio_reasons *reasons, brio_solver *solver, brio_store *store, double rate,
                        brio_error *err) {
  /* In ticks: how often the solver explains. */
  *reasons = (brio_reasons){.solver = solver, .store = store, .period = (int)fmax(1, round(rate * EVERY))};
  /* One entry more than slots: the clearance between bodies has an entry of its own. */
  reasons->objectives = calloc((size_t)brio_solver_room(solver) + 1, sizeof *reasons->objectives);
  reasons->joints = calloc((size_t)brio_solver_robot(solver)->nvariable + 1, sizeof *reasons->joints);
  for (int i = 0; i <= NEAR_END; i++) reasons->tables[i] = brio_store_table_find(table_names[i]);
  return (reasons->objectives && reasons->joints) ||
         brio_fail(err, BRIO_NO_MEMORY, "no memory for the engine");
}

void brio_reasons_end(brio_reasons *reasons) {
  free(reasons->objectives);
  free(reasons->joints);
  *reasons = (brio_reasons){0};
}

/* Put a row into one of the five tables. */
static void put(brio_reasons *reasons, int table, const brio_value *row, int count) {
  brio_store_put(reasons->store, reasons->tables[table], row, count);
}

/* Find the entry of a slot, writing its row first if it is new there; slot -1: that of near bodies.
** NULL: the slot is empty. */
static told_objective *objective_of(brio_reasons *reasons, int slot, double time) {
  assert(slot >= -1 && slot < brio_solver_room(reasons->solver));
  brio_slot known = {.key = "near bodies"};
  told_objective *told = &reasons->objectives[slot < 0 ? brio_solver_room(reasons->solver) : slot];
  if (slot >= 0 && !brio_solver_look(reasons->solver, slot, &known)) return NULL;
  const char *kind = slot < 0 ? "clearance" : known.kind->name;
  /* A slot may be reused: its objective is identified by key and kind. */
  uint64_t name = brio_hash_fold(BRIO_HASH_START, known.key, strlen(known.key) + 1);
  name = brio_hash_fold(name, kind, strlen(kind));
  if (told->id && told->name == name) return told;
  /* A new objective, or another one in a reused slot: a row of its own. */
  *told = (told_objective){.name = name, .id = ++reasons->made};
  brio_value row[] = {brio_value_integer(told->id), brio_value_text(known.key), brio_value_text(kind),
                      brio_value_real(time)};
  put(reasons, OBJECTIVES, row, 4);
  return told;
}

/* Write a goal's numbers as a JSON list into `text`; NULL: it has none. */
static const char *goal_text(const brio_goal *goal, char *text, size_t size) {
  if (!goal || !goal->kind) return NULL;
  int length = 0, count = brio_goal_length(goal);
  /* A number takes 16 bytes at most with its comma. */
  for (int i = 0; i < count && length < (int)size - 16; i++)
    length += snprintf(text + length, size - (size_t)length, "%c%.6g", i ? ',' : '[', goal->v[i]);
  snprintf(text + length, size - (size_t)length, "%s]", count ? "" : "[");
  return text;
}

/* Write the weight and goal of an objective if they changed, including the change to weight 0. Kinds that
** lie above the others (tracks) have no rows. */
static void tell_values(brio_reasons *reasons, int slot, double time) {
  char text[BRIO_GOAL_NUMBERS * 15 + 16];
  brio_slot known;
  if (!brio_solver_look(reasons->solver, slot, &known) || known.kind->above) return;
  const told_objective *before = &reasons->objectives[slot];
  /* Objectives that never counted have no rows. */
  if (known.weight_target == 0 && (!before->id || before->weight == 0)) return;
  told_objective *told = objective_of(reasons, slot, time);
  const brio_goal *goal = known.goal_target;
  size_t bytes = goal->kind ? (size_t)brio_goal_length(goal) * sizeof *goal->v : 0;
  uint64_t digest = brio_hash_fold(BRIO_HASH_START, goal->v, bytes);
  bool turned = (known.weight_target == 0) != (told->weight == 0);
  /* A change to or from 0 is written at once, other changes after GOAL_EVERY s. */
  if ((known.weight_target == told->weight && digest == told->goal) || (!turned && time < told->due)) return;
  /* The new row is what the next change is measured from. */
  told->weight = known.weight_target;
  told->goal = digest;
  told->due = time + GOAL_EVERY;
  brio_value row[] = {brio_value_integer(told->id), brio_value_real(time), brio_value_real(told->weight),
                      brio_value_text(goal_text(goal, text, sizeof text))};
  put(reasons, VALUES, row, 4);
}

/* Find the shares of a joint that are worth recording.  Return how many. */
static int shares_of(brio_reasons *reasons, int joint, double time, told_share out[BRIO_PULLS]) {
  brio_pull pulls[BRIO_PULLS];
  int found = brio_solver_pulls(reasons->solver, joint, pulls), count = 0;
  /* Small shares are left out; each objective has its row before it is referred to. */
  for (int i = 0; i < found; i++) {
    if (fabs(pulls[i].share) < MIN_SHARE) continue;
    const told_objective *one = objective_of(reasons, pulls[i].slot, time);
    if (one) out[count++] = (told_share){one->id, pulls[i].share};
  }
  return count;
}

/* The share of an objective in a list; 0: it is not there. */
static double share_in(const told_share *shares, int count, int64_t id) {
  for (int i = 0; i < count; i++)
    if (shares[i].id == id) return shares[i].share;
  return 0;
}

/* Whether every share of the first list is about the same in the second. */
static bool alike(const told_share *a, int na, const told_share *b, int nb) {
  for (int i = 0; i < na; i++)
    if (fabs(a[i].share - share_in(b, nb, a[i].id)) > OTHER_SHARE) return false;
  return true;
}

/* Write the shares of a joint as a JSON object by objective. */
static void put_shares(brio_reasons *reasons, int joint, double time) {
  assert(reasons->joints[joint].count <= BRIO_PULLS);
  const told_joint *told = &reasons->joints[joint];
  char text[BRIO_PULLS * 40 + 3] = "{";
  size_t length = 1;
  /* The buffer has room for the longest list. */
  for (int i = 0; i < told->count; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%lld\":%.2f", i ? "," : "",
                               (long long)told->shares[i].id, told->shares[i].share);
  text[length] = '}';
  text[length + 1] = 0;
  brio_value row[] = {brio_value_integer(joint), brio_value_real(time), brio_value_integer(told->moves),
                      brio_value_text(text)};
  put(reasons, PULLS, row, 4);
}

/* Write the shares of a moving joint if they changed, and an empty row when the joint has stopped. */
static void tell_joint(brio_reasons *reasons, int joint, double time) {
  told_joint *told = &reasons->joints[joint];
  told_share now[BRIO_PULLS];
  if (fabs(brio_solver_speed(reasons->solver, joint, false)) <= MOVES) {
    /* A short stop does not end a motion. */
    if (!told->moves || ++told->still < STANDS) return;
    *told = (told_joint){0};
    put_shares(reasons, joint, time);
    return;
  }
  int count = shares_of(reasons, joint, time, now);
  /* Compared both ways: an objective may be missing from either list. */
  bool same = told->moves && alike(now, count, told->shares, told->count) &&
              alike(told->shares, told->count, now, count);
  told->still = 0;
  if (same) return;
  /* The new row is what later looks are compared with. */
  told->moves = true;
  told->count = count;
  memcpy(told->shares, now, (size_t)count * sizeof *now);
  put_shares(reasons, joint, time);
}

/* --- bodies near each other --- */

/* Write the end of a pair's row: when it was near last, the least distance, and the time of that. Frees the
** entry. */
static void end_near(brio_reasons *reasons, brio_reasons_near *near) {
  brio_value row[] = {brio_value_integer(near->id), brio_value_real(near->seen), brio_value_real(near->least),
                      brio_value_real(near->at)};
  put(reasons, NEAR_END, row, 4);
  near->id = 0;
}

/* Find the entry of a pair of bodies, or begin one with its row; NULL: all entries are taken.
** O(BRIO_REASONS_NEAR). */
static brio_reasons_near *near_of(brio_reasons *reasons, const brio_proximity_pair *pair, double time) {
  brio_reasons_near *spare = NULL;
  const char *a, *b;
  /* The pair's own entry, else the first free one. */
  for (int i = 0; i < BRIO_REASONS_NEAR; i++) {
    brio_reasons_near *near = &reasons->near[i];
    if (near->id && near->bodies[0] == pair->body_a && near->bodies[1] == pair->body_b) return near;
    if (!near->id && !spare) spare = near;
  }
  if (!spare) return NULL;
  /* A new row: names and time; its end is written later. */
  *spare = (brio_reasons_near){{pair->body_a, pair->body_b}, ++reasons->pairs, INFINITY, time, time};
  brio_solver_pair_names(reasons->solver, pair, &a, &b);
  brio_value row[] = {brio_value_integer(spare->id), brio_value_text(a), brio_value_text(b),
                      brio_value_real(time)};
  put(reasons, NEAR, row, 4);
  return spare;
}

/* Follow the near pairs of this tick: their least distances, and the ends of pairs that separated. */
static void follow_near(brio_reasons *reasons, double time) {
  const brio_proximity_pair *pairs[BRIO_REASONS_NEAR];
  int count = brio_solver_near(reasons->solver, pairs, BRIO_REASONS_NEAR);
  /* A new least distance also sets its time. */
  for (int i = 0; i < count; i++) {
    brio_reasons_near *near = near_of(reasons, pairs[i], time);
    if (!near) break;
    near->seen = time;
    if (pairs[i]->near.distance >= near->least) continue;
    near->least = pairs[i]->near.distance;
    near->at = time;
  }
  /* A pair that was not near for APART s has ended. */
  for (int i = 0; i < BRIO_REASONS_NEAR; i++)
    if (reasons->near[i].id && time - reasons->near[i].seen > APART) end_near(reasons, &reasons->near[i]);
}

/* --- a tick --- */

void brio_reasons_before(brio_reasons *reasons, int64_t tick) {
  /* Explaining costs the solver time: only at every `period`-th tick, and where it is recorded. */
  reasons->due = reasons->store && tick % reasons->period == 0;
  if (reasons->due) brio_solver_explain(reasons->solver);
}

void brio_reasons_after(brio_reasons *reasons, double time) {
  if (!reasons->store) return;
  /* Near bodies are followed in every tick, since the least distance may be short. */
  follow_near(reasons, time);
  if (!reasons->due) return;
  /* First the objectives, whose ids the shares refer to. */
  for (int slot = brio_solver_next(reasons->solver, -1); slot >= 0;
       slot = brio_solver_next(reasons->solver, slot))
    tell_values(reasons, slot, time);
  for (int i = 0; i < brio_solver_robot(reasons->solver)->nvariable; i++) tell_joint(reasons, i, time);
}

void brio_reasons_close(brio_reasons *reasons, double time) {
  /* The run ended: no row may stay open. */
  for (int i = 0; i < BRIO_REASONS_NEAR && reasons->store; i++) {
    brio_reasons_near *near = &reasons->near[i];
    if (near->id) near->seen = fmin(near->seen, time), end_near(reasons, near);
  }
}
