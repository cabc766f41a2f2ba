/* Succeed: a condition that always holds. */
#include "tree/run.h"

/* Success in the first tick. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  (void)tree, (void)unit;
  return BRIO_TREE_SUCCESS;
}

const brio_tree_kind brio_tree_kind_succeed = {
  .name = "succeed", .doc = "Succeeds at once.", .shape = BRIO_TREE_LEAF, .work = work,
};
