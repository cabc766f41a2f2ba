/* Cooldown: fails when it is reached within some time after the last execution ended, even if that was
** stopped from outside. `memory` of the node: the time of its last tick, s. */
#include "tree/run.h"

static const brio_tree_param params[] = {
  {"seconds", "s", "how long it must rest", 1, 0, 1e9},
  {0},
};

/* One tick: fail while it rests, else work on the line inside. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  double *last = &tree->memory[unit->node];
  /* Before the first execution `memory` is NaN, and the comparison is false. */
  if (unit->fresh && tree->now - *last < brio_tree_param_of(tree, unit, 0) - 1e-9) {
    return brio_tree_fail(tree, unit, "it still rests");
  }
  /* Written in every tick, so that it is right however the execution ends. */
  *last = tree->now;
  brio_tree_status status = brio_tree_work_line(tree, unit, 0);
  return status == BRIO_TREE_FAILURE ? brio_tree_fail(tree, unit, "its child failed") : status;
}

const brio_tree_kind brio_tree_kind_cooldown = {
    .name = "cooldown",
    .doc = "Fails if it is reached again too soon.",
    .shape = BRIO_TREE_BODY,
    .params = params,
    .work = work,
};
