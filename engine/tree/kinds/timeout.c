/* Timeout: fails when what is inside has not ended within some time, s; it is stopped then. */
#include "tree/run.h"

static const brio_tree_param params[] = {
  {"seconds", "s", "how long it may take", 10, 0, 1e9},
  {0},
};

/* One tick of the line inside, then the check of the time. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  brio_tree_status status = brio_tree_work_line(tree, unit, 0);
  if (status == BRIO_TREE_FAILURE) return brio_tree_fail(tree, unit, "its child failed");
  /* A result in the last tick counts, even if it is late. 1e-9 s: rounding. */
  if (status != BRIO_TREE_RUNNING || tree->now - unit->since < brio_tree_param_of(tree, unit, 0) - 1e-9)
    return status;
  /* The caller stops the line inside. */
  return brio_tree_fail(tree, unit, "timed out");
}

const brio_tree_kind brio_tree_kind_timeout = {
    .name = "timeout",
    .doc = "Stops its children and fails when they take too long.",
    .shape = BRIO_TREE_BODY,
    .params = params,
    .work = work,
};
