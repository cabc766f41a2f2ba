/* Checkpoint: a named node without an effect, as the target of a goto or of a person. */
#include "tree/run.h"

/* Success in the first tick. */
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
