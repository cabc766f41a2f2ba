/* Invert: exchanges success and failure. */
#include "tree/run.h"

/* One tick of the line inside. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  brio_tree_status status = brio_tree_work_line(tree, unit, 0);
  if (status == BRIO_TREE_SUCCESS) return brio_tree_fail(tree, unit, "its child succeeded");
  return status == BRIO_TREE_FAILURE ? BRIO_TREE_SUCCESS : status;
}

const brio_tree_kind brio_tree_kind_invert = {
    .name = "invert",
    .doc = "Turns success into failure, and failure into success.",
    .shape = BRIO_TREE_BODY,
    .work = work,
};
