/* Sequence: groups nodes. It is open: its children are units of the line that it is in. */
#include "tree/kind.h"

const brio_tree_kind brio_tree_kind_sequence = {
    .name = "sequence",
    .doc = "One after the other, or layered by `after`; a failure ends it.",
    .shape = BRIO_TREE_OPEN,
};
