/* Migration of a running tree to another plan: tree.h has the rules.
**
** First, by the old plan, everything that does not continue is stopped. Then the arrays with an entry for
** each node are made again, and what runs gets its new node, line and position. Units and lines keep their
** indices in the pools, so the host knows an execution by the same number as before.
**
** The next position of a line: some units of the new line had been passed in the old one, others were still
** to come. The position sought has the former before it and the latter behind it; it is the first position
** with the fewest units on the wrong side. Units that were moved do not count. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/run_internal.h"

/* Positions [begin, end) of a line of the new plan. */
typedef struct span { int line, begin, end; } span;

int brio_tree_carry_line(const brio_tree_carry *carry, int number) {
  /* Branches are identified by their child, all other lines by their number. */
  const brio_tree_node *was = &carry->from->nodes[carry->was];
  int child = carry->from->lines[was->lines + number].child, owner = carry->to_new[carry->was];
  /* A line that is no child's branch keeps its number. */
  if (child < 0) return number < carry->to->nodes[owner].line_count ? number : -1;
  /* A branch follows its child, as long as that is still a child of the same node. */
  int now = carry->to_new[child];
  return now >= 0 && carry->to->nodes[now].parent == owner
             ? carry->to->nodes[now].line - carry->to->nodes[owner].lines
             : -1;
}

/* ---------------------------------------------------------------- what continues */

/* Find where in the new plan a line of a unit runs; the unit's node exists in both plans. False: nowhere. */
static bool find_line(brio_tree_carry *carry, const brio_tree_run *run, int unit_node, span *found) {
  const brio_tree_node *before = &carry->from->nodes[unit_node],
                       *now = &carry->to->nodes[carry->to_new[unit_node]];
  /* A routine runs at its target; another target is another routine. */
  if (brio_tree_kind_of(carry->from, unit_node)->targets) {
    int routine = before->to_node >= 0 ? carry->to_new[before->to_node] : -1;
    if (routine < 0 || routine != now->to_node) return false;
    const brio_tree_node *target = &carry->to->nodes[routine];
    *found = (span){target->line, target->position, target->past};
    return true;
  }
  carry->was = unit_node;
  int number = brio_tree_carry_line(carry, run->number);
  if (number < 0) return false;
  *found = (span){now->lines + number, 0, carry->to->lines[now->lines + number].count};
  return true;
}

static void stop_others(brio_tree *tree, brio_tree_carry *carry, int number, const span *where);

/* Inside a unit that continues, stop the lines and units that do not. */
static void stop_inside(brio_tree *tree, brio_tree_carry *carry, int unit) {
  for (int run = tree->units[unit].inside, next; run >= 0; run = next) {
    span where;
    next = tree->runs[run].next;
    /* The next run was read above, as a dropped line is unlinked. */
    if (find_line(carry, &tree->runs[run], tree->units[unit].node, &where))
      stop_others(tree, carry, run, &where);
    else brio_tree_drop_line(tree, &tree->units[unit], tree->runs[run].number);
  }
}

/* In a line that becomes `where`, stop the units whose node is gone, is of another kind or leaf, or is in
** another line. */
static void stop_others(brio_tree *tree, brio_tree_carry *carry, int number, const span *where) {
  for (int unit = tree->runs[number].first, next; unit >= 0; unit = next) {
    next = tree->units[unit].next;
    int node = tree->units[unit].node, now = carry->to_new[node];
    const brio_tree_node *self = now >= 0 ? &carry->to->nodes[now] : NULL;
    bool stays = self && self->line == where->line && self->position >= where->begin &&
                 self->position < where->end;
    if (stays) stop_inside(tree, carry, unit);
    else brio_tree_drop_unit(tree, unit);
  }
}

/* ---------------------------------------------------------------- where lines continue */

/* The vote of a unit of the new line: 1 for a position behind it, -1 for one before it, 0 for neither. `at`
** is the next position in the old line. */
static int pull(const brio_tree_carry *carry, const brio_tree_run *run, int entry_node, int at) {
  int was = carry->to_old[entry_node];
  if (was < 0 || carry->to->nodes[entry_node].moved) return 0;
  const brio_tree_node *node = &carry->from->nodes[was];
  /* Units from other lines were neither passed nor to come. */
  if (node->line != run->line || node->position < run->begin || node->position >= run->end) return 0;
  return node->position < at ? 1 : -1;
}

/* Return the new position for the old position `at`: the first maximum of the running sum of votes.
** O(units) */
static int carry_place(const brio_tree_carry *carry, const brio_tree_run *run, const span *where, int at) {
  const brio_tree_entry *entries = &carry->to->entries[carry->to->lines[where->line].first];
  int best = where->begin, gain = 0, most = 0;
  for (int place = where->begin; place < where->end; place++) {
    gain += pull(carry, run, entries[place].node, at);
    if (gain > most) {
      most = gain;
      /* Behind the unit whose vote raised the sum. */
      best = place + 1;
    }
  }
  return best;
}

/* The new position of the unit that failed first; -1: no unit failed, or it is gone. */
static int carry_failed(const brio_tree_carry *carry, const brio_tree_run *run, const span *where) {
  if (run->failed < 0) return -1;
  int now = carry->to_new[carry->from->entries[carry->from->lines[run->line].first + run->failed].node];
  if (now < 0 || carry->to->nodes[now].line != where->line) return -1;
  int position = carry->to->nodes[now].position;
  return position >= where->begin && position < where->end ? position : -1;
}

/* A pending jump leads to the same node as before; if that is gone, the jump becomes a failure. */
static void carry_jump(const brio_tree_carry *carry, int32_t *result, int32_t *leads) {
  assert(*result != BRIO_TREE_JUMP || *leads >= 0);
  if (*result != BRIO_TREE_JUMP) return;
  *leads = brio_tree_plan_find(carry->to, carry->from->nodes[*leads].id);
  if (*leads < 0) *result = BRIO_TREE_FAILURE;
}

static void carry_run(brio_tree *tree, brio_tree_carry *carry, int number, const span *where);

/* Move a unit, and the lines inside it, to the new plan. */
static void carry_unit(brio_tree *tree, brio_tree_carry *carry, int number) {
  brio_tree_unit *unit = &tree->units[number];
  for (int at = unit->inside; at >= 0; at = tree->runs[at].next) {
    brio_tree_run *run = &tree->runs[at];
    span where;
    if (!find_line(carry, run, unit->node, &where)) continue; /* never: such lines have been stopped */
    carry_run(tree, carry, at, &where);
    /* carry_run has changed `was` for the units inside. */
    carry->was = unit->node;
    if (!brio_tree_kind_of(carry->from, unit->node)->targets)
      run->number = brio_tree_carry_line(carry, run->number);
  }
  bool jumps = unit->result == BRIO_TREE_JUMP;
  carry_jump(carry, &unit->result, &unit->leads);
  if (jumps && unit->result == BRIO_TREE_FAILURE) {
    /* As any unit that has failed it holds its line; there is no jump to wait for. */
    brio_tree_fail(tree, unit, "the target of a goto was deleted");
    tree->runs[unit->run].pending = false;
  }
  unit->node = carry->to_new[unit->node];
}

/* Move a line, and the units in it, to the new plan. */
static void carry_run(brio_tree *tree, brio_tree_carry *carry, int number, const span *where) {
  brio_tree_run *run = &tree->runs[number];
  /* Compute all positions from the old state before any of it is overwritten. */
  int at = carry_place(carry, run, where, run->at), limit = carry_place(carry, run, where, run->limit);
  int failed = carry_failed(carry, run, where);
  for (int unit = run->first; unit >= 0; unit = tree->units[unit].next) {
    /* A unit that had begun and is now behind the next position must end before anything begins. */
    bool passed = carry->from->nodes[tree->units[unit].node].position < run->at;
    carry_unit(tree, carry, unit);
    int position = carry->to->nodes[tree->units[unit].node].position;
    if (failed < 0 && tree->units[unit].result == BRIO_TREE_FAILURE) failed = position;
    bool behind = position >= at;
    tree->units[unit].displaced = behind && (passed || tree->units[unit].displaced);
  }
  carry_jump(carry, &run->result, &run->leads);
  run->line = where->line;
  run->begin = where->begin;
  run->end = where->end;
  run->at = at;
  run->limit = limit > at ? limit : at;
  run->failed = failed;
}

/* Let kinds translate what they keep about their children, for everything that runs in a line. */
static void carry_kinds(brio_tree *tree, brio_tree_carry *carry, int run) {
  for (int unit = tree->runs[run].first; unit >= 0; unit = tree->units[unit].next) {
    const brio_tree_kind *kind = brio_tree_kind_of(carry->to, tree->units[unit].node);
    for (int at = tree->units[unit].inside; at >= 0; at = tree->runs[at].next) carry_kinds(tree, carry, at);
    carry->was = carry->to_old[tree->units[unit].node];
    if (kind->carry) kind->carry(tree, &tree->units[unit], carry);
  }
}

/* ---------------------------------------------------------------- states of nodes */

/* Translate the arrays with an entry for each node; new nodes begin without a state. O(nodes) */
static void carry_notes(brio_tree *to, const brio_tree *from, const brio_tree_carry *carry) {
  for (int i = 0; i < carry->to->count; i++) {
    int was = carry->to_old[i];
    to->status[i] = was < 0 ? BRIO_TREE_IDLE : from->status[was];
    to->memory[i] = was < 0 ? NAN : from->memory[was];
    to->began[i] = was < 0 ? NAN : from->began[was];
    to->ended[i] = was < 0 ? NAN : from->ended[was];
    to->why[i] = was < 0 ? NULL : from->why[was];
    to->told[i] = was < 0 ? 0 : from->told[was];
    to->unit_of[i] = was < 0 ? -1 : from->unit_of[was];
    to->breakpoint[i] = was >= 0 && from->breakpoint[was];
  }
  /* A breakpoint follows its id, even if the node is of another kind now. */
  for (int i = 0; i < carry->from->count; i++) {
    int now = from->breakpoint[i] ? brio_tree_plan_find(carry->to, carry->from->nodes[i].id) : -1;
    if (now >= 0) to->breakpoint[now] = 1;
  }
  to->change_count = 0;
  /* Changes that were not packed yet keep their order. */
  for (int i = 0; i < from->change_count; i++) {
    int now = carry->to_new[from->changes[i]];
    if (now < 0) continue;
    to->changed[now] = 1;
    to->changes[to->change_count++] = now;
  }
}

/* Match nodes by id, kind and leaf. Most plans differ in few places, so the node behind the last match is
** tried first: O(nodes), plus O(log nodes) for each difference. */
static void match(const brio_tree_plan *from, const brio_tree_plan *to, int32_t *to_new, int32_t *to_old) {
  for (int i = 0; i < from->count; i++) to_new[i] = -1;
  for (int i = 0, was = -1; i < to->count; i++) {
    const brio_tree_node *node = &to->nodes[i];
    bool next = was + 1 < from->count && from->nodes[was + 1].id == node->id;
    int found = next ? was + 1 : brio_tree_plan_find(from, node->id);
    to_old[i] = -1;
    if (found < 0) continue;
    was = found;
    if (from->nodes[found].kind != node->kind || strcmp(from->nodes[found].leaf, node->leaf) != 0) continue;
    to_old[i] = found;
    to_new[found] = i;
  }
}

/* Match two plans. The maps are one block, which the caller frees by `to_new`. Errors: misuse, no_memory. */
static bool begin_carry(brio_tree *tree, const brio_tree_plan *plan, brio_tree_carry *carry,
                        brio_error *err) {
  size_t before = (size_t)tree->plan->count, after = (size_t)plan->count;
  if (!plan->finished) return brio_fail(err, BRIO_MISUSE, "the tree's plan is not finished");
  /* to_new, to_old and scratch, one behind the other. */
  int32_t *maps = malloc((before + 2 * after) * sizeof *maps);
  if (!maps) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a tree of %zu nodes", after);
  *carry = (brio_tree_carry){.from = tree->plan,
                             .to = plan,
                             .to_new = maps,
                             .to_old = maps + before,
                             .was = -1,
                             .scratch = maps + before + after};
  match(tree->plan, plan, maps, maps + before);
  return true;
}

bool brio_tree_prepare(brio_tree *tree, const brio_tree_plan *plan, brio_error *err) {
  brio_tree_carry carry;
  if (!begin_carry(tree, plan, &carry, err)) return false;
  span whole = {0, 0, plan->lines[0].count};
  stop_others(tree, &carry, tree->root, &whole);
  free(carry.to_new);
  return true;
}

bool brio_tree_migrate(brio_tree *tree, const brio_tree_plan *plan, brio_error *err) {
  brio_tree fresh;
  brio_tree_carry carry;
  if (!begin_carry(tree, plan, &carry, err)) return false;
  /* Everything that can fail comes first: after an error nothing has changed. */
  if (!brio_tree_make_room(tree, plan) || !brio_tree_make_notes(&fresh, plan)) {
    free(carry.to_new);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a tree of %d nodes", (int)plan->count);
  }
  /* The root's line is line 0 in every plan. */
  span whole = {0, 0, plan->lines[0].count};
  stop_others(tree, &carry, tree->root, &whole);
  carry_run(tree, &carry, tree->root, &whole);
  carry_notes(&fresh, tree, &carry);
  /* From here on the tree is the new plan's. */
  brio_tree_take_notes(tree, &fresh);
  tree->plan = plan;
  carry_kinds(tree, &carry, tree->root);
  free(carry.to_new);
  return true;
}
