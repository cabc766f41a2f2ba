/* Subtree: a definition used here.  Who makes the plan puts the definition's nodes inside it. */
#include "tree/kind.h"

const brio_tree_kind brio_tree_kind_subtree = {
  .name = "subtree", .doc = "A tree that is defined elsewhere, as if it stood here.", .shape = BRIO_TREE_OPEN,
};
