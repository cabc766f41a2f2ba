/* Rate: begins what is inside at most `hz` times a second; when it is reached in between, the last result
** is returned. `memory` of the node: the time of the last begin, s. */
#include "tree/run.h"

static const brio_tree_param params[] = {
  {"hz", "Hz", "how often at most", 1, 1e-6, 1e6},
  {0},
};

/* One tick: return the last result if it is too early to begin, else work on the line inside. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  double *last = &tree->memory[unit->node];
  if (unit->fresh) {
    /* Only success and failure can be returned again; with any other status the last execution was
    ** stopped. */
    brio_tree_status before = (brio_tree_status)tree->status[unit->node];
    bool soon = tree->now - *last < 1/brio_tree_param_of(tree, unit, 0) - 1e-9;
    if (soon && before == BRIO_TREE_SUCCESS) return before;
    if (soon && before == BRIO_TREE_FAILURE) return brio_tree_fail(tree, unit, "it failed at its last run");
    *last = tree->now;
  }
  brio_tree_status status = brio_tree_work_line(tree, unit, 0);
  return status == BRIO_TREE_FAILURE ? brio_tree_fail(tree, unit, "its child failed") : status;
}

const brio_tree_kind brio_tree_kind_rate = {
    .name = "rate",
    .doc = "Limits how often its children run; in between it returns their last result.",
    .shape = BRIO_TREE_BODY,
    .params = params,
    .work = work,
};
