/* Checkpoint: a named mark. */
#include "tree/run.h"

static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  (void)tree, (void)unit;
  return BRIO_TREE_SUCCESS;
}

const brio_tree_kind brio_tree_kind_checkpoint = {
    .name = "checkpoint",
    .doc = "A mark with a name, to go to or begin at; succeeds.",
    .shape = BRIO_TREE_LEAF,
    .work = work,
};
