/* Subtree: a use of a definition. The maker of the plan inserts the definition's nodes as its children. */
#include "tree/kind.h"

const brio_tree_kind brio_tree_kind_subtree = {
  .name = "subtree", .doc = "A tree that is defined elsewhere, as if it stood here.", .shape = BRIO_TREE_OPEN,
};
