/* Retry: repeats what is inside after a failure. `count` of the unit: failed attempts; `phase` 1: the pause
** between attempts; `memory` of the node: the time of the last failure, s. */
#include "tree/run.h"

/* Indices of its parameters. */
enum { TIMES, PAUSE };

static const brio_tree_param params[] = {
  {"times", "", "how often it is tried at most; 0: until it succeeds", 3, 0, 1e9},
  {"pause", "s", "how long it rests after a failure", 0, 0, 1e9},
  {0},
};

/* The pause between attempts: running until it has ended, then success. */
static brio_tree_status rest(brio_tree *tree, brio_tree_unit *unit) {
  double failed = tree->memory[unit->node];
  if (tree->now - failed < brio_tree_param_of(tree, unit, PAUSE) - 1e-9) return BRIO_TREE_RUNNING;
  unit->phase = 0;
  return BRIO_TREE_SUCCESS;
}

/* One tick of the pause or of an attempt. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  if (unit->phase == 1 && rest(tree, unit) == BRIO_TREE_RUNNING) return BRIO_TREE_RUNNING;
  brio_tree_status status = brio_tree_work_line(tree, unit, 0);
  if (status != BRIO_TREE_FAILURE) return status;
  /* times = 0: until it succeeds. */
  double times = brio_tree_param_of(tree, unit, TIMES);
  if (brio_tree_count_up(unit) >= times && times > 0)
    return brio_tree_fail(tree, unit, "every attempt failed");
  /* The next attempt begins in a later tick, even without a pause, so that every tick ends. */
  tree->memory[unit->node] = tree->now;
  unit->phase = 1;
  return BRIO_TREE_RUNNING;
}

const brio_tree_kind brio_tree_kind_retry = {
    .name = "retry",
    .doc = "Repeats its children after a failure, up to a number of times.",
    .shape = BRIO_TREE_BODY,
    .params = params,
    .work = work,
};
