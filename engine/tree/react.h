/* Shared by reactive sequences and selectors. */
#ifndef BRIO_TREE_REACT_H
#define BRIO_TREE_REACT_H

#include "tree/run.h"

/* Work on the children from the first on, in each tick again, while their result is `on`; running children
** after the first other one are stopped.  Return the result of that one, or `on`. */
brio_tree_status brio_tree_react(brio_tree *tree, brio_tree_unit *unit, brio_tree_status on);

#endif
