/* Choose: the host chooses the child that runs, and is called in every tick. */
#include "tree/run.h"

#include <assert.h>

/* Change to child `number`: the running one is stopped, and `number` begins, unless it runs already. `phase`
** is its number + 1; 0: no choice yet. */
static void turn_to(brio_tree *tree, brio_tree_unit *unit, int number) {
  assert(number >= 0 && number < brio_tree_lines_of(tree, unit));
  if (unit->phase == number + 1) return;
  brio_tree_stop_lines(tree, unit);
  unit->phase = number + 1;
}

/* One tick: call the host, then work on the chosen child. O(1) plus that child. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  const char *why = NULL;
  int said = (int)tree->host.work(tree->host.data, tree->plan->nodes[unit->node].call,
                                  (int)(unit - tree->units), unit->fresh, tree->now - unit->since, &why);
  if (said == BRIO_TREE_FAILURE) return brio_tree_fail(tree, unit, why);
  if (said == BRIO_TREE_SUCCESS) return BRIO_TREE_SUCCESS;
  if (said == BRIO_TREE_IDLE && unit->fresh) return BRIO_TREE_IDLE;
  /* CHOICE + n names child n; running alone keeps the present choice. */
  if (said >= BRIO_TREE_CHOICE) {
    if (said - BRIO_TREE_CHOICE >= brio_tree_lines_of(tree, unit))
      return brio_tree_fail(tree, unit, "it has no such child");
    turn_to(tree, unit, said - BRIO_TREE_CHOICE);
  }
  /* No choice yet: wait. */
  if (unit->phase == 0) return BRIO_TREE_RUNNING;
  brio_tree_status status = brio_tree_work_line(tree, unit, unit->phase - 1);
  return status == BRIO_TREE_FAILURE ? brio_tree_fail(tree, unit, "what was chosen failed") : status;
}

/* The chosen child stays chosen; if it was removed (-1), there is no choice. */
static void carry(brio_tree *tree, brio_tree_unit *unit, const brio_tree_carry *carry) {
  (void)tree;
  if (unit->phase > 0) unit->phase = brio_tree_carry_line(carry, unit->phase - 1) + 1;
}

const brio_tree_kind brio_tree_kind_choose = {
  .name = "choose", .doc = "Does the one of its children that a language model picks; people may correct it.",
  .shape = BRIO_TREE_BRANCHES, .calls = true, .work = work, .carry = carry,
};
