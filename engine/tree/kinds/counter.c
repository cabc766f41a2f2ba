/* Counter: counts how often it is reached, and fails at the limit. `memory` of the node: the count since the
** last failure. */
#include <math.h>

#include "tree/run.h"

static const brio_tree_param params[] = {
  {"limit", "", "at which time it fails", 1, 1, 1e9},
  {0},
};

/* A leaf of one tick: count, and fail at the limit, where the count restarts. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  double *count = &tree->memory[unit->node];
  /* NaN: reached for the first time. */
  *count = isnan(*count) ? 1 : *count + 1;
  if (*count < brio_tree_param_of(tree, unit, 0)) return BRIO_TREE_SUCCESS;
  *count = 0;
  return brio_tree_fail(tree, unit, "counted to its limit");
}

const brio_tree_kind brio_tree_kind_counter = {
    .name = "counter",
    .doc = "Succeeds until it is reached for the `limit`th time, then fails and starts "
           "again at 0.",
    .shape = BRIO_TREE_LEAF,
    .counts = true,
    .params = params,
    .work = work,
};
