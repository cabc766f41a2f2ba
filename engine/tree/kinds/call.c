/* Call: an action or condition of a script, executed by the host's function. */
#include "tree/run.h"

/* One tick: the host's function begins if `fresh`, and returns running, success or failure. `why` must
** outlive the tree. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  const char *why = NULL;
  brio_tree_status status = tree->host.work(tree->host.data, tree->plan->nodes[unit->node].call,
                                            (int)(unit - tree->units),
                                            /* The host answers with a status; its words on a
                                            ** failure must last, so they are not copied. */
                                            unit->fresh, tree->now - unit->since, &why);
  if (status == BRIO_TREE_FAILURE) return brio_tree_fail(tree, unit, why);
  if (status == BRIO_TREE_IDLE) return unit->fresh ? status : BRIO_TREE_RUNNING;
  return status == BRIO_TREE_RUNNING ? status : BRIO_TREE_SUCCESS;
}

const brio_tree_kind brio_tree_kind_call = {
  .name = "call", .doc = "An action or condition: a function of the script.",
  .shape = BRIO_TREE_LEAF, .calls = true, .work = work,
};
