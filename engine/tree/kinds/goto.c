/* Goto: continues at another node. "next" is no jump. */
#include "tree/run.h"

/* One tick: the caller carries out the jump to tree->target. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  int target = tree->plan->nodes[unit->node].to_node;
  /* -1: "next". */
  if (target < 0) return BRIO_TREE_SUCCESS;
  tree->target = target;
  return BRIO_TREE_JUMP;
}

const brio_tree_kind brio_tree_kind_goto = {
    .name = "goto",
    .doc = "Continues at another node; a sequence means its first leaf.",
    .shape = BRIO_TREE_LEAF,
    .targets = true,
    .work = work,
};
