/* Reactive selector: works on the children from the first one in every tick, until one does not fail. */
#include "tree/react.h"

/* One tick; brio_tree_react is in reactive_sequence.c. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  brio_tree_status status = brio_tree_react(tree, unit, BRIO_TREE_FAILURE);
  return status == BRIO_TREE_FAILURE ? brio_tree_fail(tree, unit, "none of its children succeeded") : status;
}

const brio_tree_kind brio_tree_kind_reactive_selector = {
    .name = "reactive_selector",
    .doc = "A selector that tries its first children again in every tick: what comes first wins.",
    .shape = BRIO_TREE_BRANCHES,
    .goes_on = true,
    .work = work,
};
