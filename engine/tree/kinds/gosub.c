/* Gosub: runs another part of the tree as a routine and returns: with success at its end, with failure after
** a failure in it. A goto cannot lead out of it. */
#include "tree/run.h"

/* One tick of the routine, which runs as a line inside this unit. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  int target = tree->plan->nodes[unit->node].to_node;
  /* "next": there is nothing to run. */
  if (target < 0) return BRIO_TREE_SUCCESS;
  brio_tree_status status = brio_tree_work_routine(tree, unit, target);
  if (status == BRIO_TREE_JUMP) return brio_tree_fail(tree, unit, "a goto leads out of the routine");
  /* brio_tree_work_routine has set a reason if the pools are exhausted. */
  if (status != BRIO_TREE_FAILURE || tree->why[unit->node]) return status;
  return brio_tree_fail(tree, unit, "the routine failed");
}

const brio_tree_kind brio_tree_kind_gosub = {
  .name = "gosub", .doc = "Runs another part of the tree and comes back, whatever happens there.",
  .shape = BRIO_TREE_LEAF, .targets = true,
  .work = work,
};
