/* Selector: tries one child after the other until one succeeds. `phase` of the unit: the number of the child
** that is tried. */
#include "tree/run.h"

/* One tick: after a failure the next child begins in the same tick. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  for (; unit->phase < brio_tree_lines_of(tree, unit); unit->phase++) {
    brio_tree_status status = brio_tree_work_line(tree, unit, unit->phase);
    if (status != BRIO_TREE_FAILURE) return status;
  }
  return brio_tree_fail(tree, unit, "none of its children succeeded");
}

/* The child that is tried stays the same. If it was removed: the first position that has the children tried
** before in front of it, and the others behind; votes as in migrate.c. */
static void carry(brio_tree *tree, brio_tree_unit *unit, const brio_tree_carry *carry) {
  const brio_tree_node *was = &carry->from->nodes[carry->was], *self = &tree->plan->nodes[unit->node];
  int tried = unit->phase, best = 0;
  unit->phase = tried < was->line_count ? brio_tree_carry_line(carry, tried) : -1;
  if (unit->phase >= 0) return;
  for (int i = 0, gain = 0, most = 0; i < self->line_count; i++) {
    int child = carry->to_old[tree->plan->lines[self->lines + i].child];
    /* Children that were not this node's do not vote. */
    if (child < 0 || carry->from->nodes[child].parent != carry->was) continue;
    gain += carry->from->nodes[child].line - was->lines < tried ? 1 : -1;
    if (gain > most) {
      most = gain;
      best = i + 1;
    }
  }
  unit->phase = best;
}

const brio_tree_kind brio_tree_kind_selector = {
    .name = "selector",
    .doc = "One child after the other until one succeeds.",
    .shape = BRIO_TREE_BRANCHES,
    .work = work,
    .carry = carry,
};
