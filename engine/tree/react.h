/* What reactive sequences and selectors share. */
#ifndef BRIO_TREE_REACT_H
#define BRIO_TREE_REACT_H

#include "tree/run.h"

/* Work on the children from the first on, each tick again, as long as they come to `on`; what runs behind the
** one that does not is stopped.  Return what that one came to, or `on`. */
brio_tree_status brio_tree_react(brio_tree *tree, brio_tree_unit *unit, brio_tree_status on);

#endif
