/* Selector: one child after the other until one succeeds; a chain of fallbacks. */
#include "tree/run.h"

static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  for (; unit->phase < brio_tree_lines_of(tree, unit); unit->phase++) {
    brio_tree_status status = brio_tree_work_line(tree, unit, unit->phase);
    if (status != BRIO_TREE_FAILURE) return status;
  }
  return brio_tree_fail(tree, unit, "none of its children succeeded");
}

const brio_tree_kind brio_tree_kind_selector = {
  .name = "selector", .doc = "One child after the other until one succeeds.", .shape = BRIO_TREE_BRANCHES, .work = work,
};
