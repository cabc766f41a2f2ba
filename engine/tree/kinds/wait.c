/* Wait: succeeds when its time has passed. Time on hold does not count. */
#include <math.h>

#include "tree/run.h"

static const brio_tree_param params[] = {
  {"seconds", "s", "how long", 4, 0, HUGE_VAL},
  {0},
};

/* `since` is shifted by the time on hold; 1e-9 s: rounding. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  return tree->now - unit->since >= brio_tree_param_of(tree, unit, 0) - 1e-9 ? BRIO_TREE_SUCCESS
                                                                             : BRIO_TREE_RUNNING;
}

const brio_tree_kind brio_tree_kind_wait = {
    .name = "wait",
    .doc = "Succeeds after some seconds.",
    .shape = BRIO_TREE_LEAF,
    .params = params,
    .work = work,
};
