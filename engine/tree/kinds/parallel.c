/* Parallel: runs all children at the same time. `count` of the unit: successes, `phase`: failures. */
#include "tree/run.h"

/* Indices of its parameters. */
enum { SUCCESSES, FAILURES };

static const brio_tree_param params[] = {
  {"successes", "", "how many must succeed; 0: all", 0, 0, 1e6},
  {"failures", "", "how many failures end it", 1, 1, 1e6},
  {0},
};

/* Count the result of a child; a child that runs counts as neither. */
static void take(brio_tree_unit *unit, brio_tree_status status) {
  if (status == BRIO_TREE_SUCCESS) unit->count++;
  if (status == BRIO_TREE_FAILURE) unit->phase++;
}

/* The result so far. Children that still run are stopped by the caller when it is final. */
static brio_tree_status judge(brio_tree *tree, brio_tree_unit *unit) {
  int lines = brio_tree_lines_of(tree, unit), needed = (int)brio_tree_param_of(tree, unit, SUCCESSES);
  if (needed == 0 || needed > lines) needed = lines;
  if (unit->count >= needed) return BRIO_TREE_SUCCESS;
  if (unit->phase >= (int)brio_tree_param_of(tree, unit, FAILURES)) {
    return brio_tree_fail(tree, unit, "too many of its children failed");
  }
  /* All have ended, and neither limit was reached. */
  if (unit->count + unit->phase >= lines)
    return brio_tree_fail(tree, unit, "too few of its children succeeded");
  return BRIO_TREE_RUNNING;
}

/* The first tick: begin all children; some may end at once. */
static brio_tree_status begin(brio_tree *tree, brio_tree_unit *unit) {
  for (int i = 0; i < brio_tree_lines_of(tree, unit); i++) {
    brio_tree_status status = brio_tree_work_line(tree, unit, i);
    if (status == BRIO_TREE_JUMP) return status;
    take(unit, status);
  }
  return judge(tree, unit);
}

/* Later ticks: work on the children that still run. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  if (unit->fresh) return begin(tree, unit);
  /* A line that ends unlinks itself: read the next one first. */
  for (int run = unit->inside, next; run >= 0; run = next) {
    next = tree->runs[run].next;
    brio_tree_status status = brio_tree_work_line(tree, unit, tree->runs[run].number);
    if (status == BRIO_TREE_JUMP) return status;
    take(unit, status);
  }
  return judge(tree, unit);
}

/* Count again by the new plan: children that had ended count by their status, those that run continue, and
** new ones begin. O(children) */
static void carry(brio_tree *tree, brio_tree_unit *unit, const brio_tree_carry *carry) {
  int lines = brio_tree_lines_of(tree, unit), first = tree->plan->nodes[unit->node].lines;
  /* It is to begin again (brio_tree_again): results of the execution before do not count. */
  if (unit->fresh) {
    unit->count = unit->phase = 0;
    return;
  }
  /* Mark the lines that run. */
  int32_t *runs = carry->scratch;
  for (int i = 0; i < lines; i++) runs[i] = false;
  for (int at = unit->inside; at >= 0; at = tree->runs[at].next) runs[tree->runs[at].number] = true;
  unit->count = unit->phase = 0;
  for (int i = 0; i < lines; i++) {
    if (runs[i]) continue;
    int child = tree->plan->lines[first + i].child, was = carry->to_old[child];
    /* A child that does not run, and was one before, must have ended. */
    bool ended = was >= 0 && carry->from->nodes[was].parent == carry->was;
    if (ended)
      take(unit,
           brio_tree_status_of(tree, child) == BRIO_TREE_FAILURE ? BRIO_TREE_FAILURE : BRIO_TREE_SUCCESS);
    else brio_tree_begin_line(tree, unit, i);
  }
}

const brio_tree_kind brio_tree_kind_parallel = {
  .name = "parallel", .doc = "All children at once, until enough have succeeded or too many failed.",
  .shape = BRIO_TREE_BRANCHES,
  .params = params, .at_once = true, .work = work, .carry = carry,
};
