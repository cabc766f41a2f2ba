/* Fail: a condition that never holds; named STOP it is a brake. */
#include "tree/run.h"

/* Failure in the first tick. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  return brio_tree_fail(tree, unit, "it always fails");
}

const brio_tree_kind brio_tree_kind_fail = {
    .name = "fail",
    .doc = "Fails at once: the usual brake while a tree is made.",
    .shape = BRIO_TREE_LEAF,
    .work = work,
};
