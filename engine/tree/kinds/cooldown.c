/* Cooldown: not again before some time has passed since the last execution ended, also if that was
** stopped from outside.  `memory` of the node: the time of its last tick, s. */
#include "tree/run.h"

static const brio_tree_param params[] = {
  {"seconds", "s", "how long it must rest", 1, 0, 1e9},
  {0},
};

static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  double *last = &tree->memory[unit->node];
  /* Before the first time memory is NaN, which fails the comparison. */
  if (unit->fresh && tree->now - *last < brio_tree_param_of(tree, unit, 0) - 1e-9) {
    return brio_tree_fail(tree, unit, "it still rests");
  }
  /* Written in every tick, so that it is right however the execution ends. */
  *last = tree->now;
  brio_tree_status status = brio_tree_work_line(tree, unit, 0);
  return status == BRIO_TREE_FAILURE ? brio_tree_fail(tree, unit, "what is inside failed") : status;
}

const brio_tree_kind brio_tree_kind_cooldown = {
  .name = "cooldown", .doc = "Fails when it is reached again before it has rested so long.",
  .shape = BRIO_TREE_BODY, .params = params,
  .work = work,
};
