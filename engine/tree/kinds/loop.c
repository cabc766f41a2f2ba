/* Loop: repeats what is inside. `count` of the unit: completed turns. */
#include "tree/run.h"

static const brio_tree_param params[] = {
  {"times", "", "how often; 0: without end", 0, 0, 1e9},
  {0},
};

/* One tick: a turn that ends is counted; a failure ends the loop. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  brio_tree_status status = brio_tree_work_line(tree, unit, 0);
  if (status == BRIO_TREE_FAILURE) return brio_tree_fail(tree, unit, "its child failed");
  /* Running, or a jump out of the loop. */
  if (status != BRIO_TREE_SUCCESS) return status;
  /* times = 0: without end. Each turn continues in the next tick, so that every tick ends. */
  double times = brio_tree_param_of(tree, unit, 0);
  return brio_tree_count_up(unit) >= times && times > 0 ? BRIO_TREE_SUCCESS : BRIO_TREE_RUNNING;
}

const brio_tree_kind brio_tree_kind_loop = {
    .name = "loop",
    .doc = "Repeats its children, endlessly or a number of times, until a failure.",
    .shape = BRIO_TREE_BODY,
    .params = params,
    .work = work,
};
