/* Fallback: a try branch, a catch branch for its failure, and a finally branch that runs in any case.
**
** All that is tried ends first, then it is decided (the stored code of the IHMC system decides
** at each leaf; its author's text joins).  The result is that of the catching branch, or of what
** was tried if nothing catches; a failure of the finally branch is a failure.  A goto that leads
** out is carried out after the finally branch.  If the fallback is ended from outside, run.c
** runs the finally branch. */
#include "tree/run.h"

#include <assert.h>

/* The numbers of its lines, and the values of `phase`. */
enum { TRY, CATCH, FINALLY };

static const brio_tree_param params[] = {
  {"grace", "s", "how long what comes finally may take when the fallback is ended from outside", 10, 0, 1e9},
  {0},
};

/* Run the finally branch, then end as decided before it: `count` has the status, `target` that of a jump. */
static brio_tree_status finish(brio_tree *tree, brio_tree_unit *unit) {
  brio_tree_status status = brio_tree_work_line(tree, unit, FINALLY);
  if (status == BRIO_TREE_FAILURE) return brio_tree_fail(tree, unit, "what comes finally failed");
  if (status != BRIO_TREE_SUCCESS) return status;
  if (unit->count == BRIO_TREE_JUMP) tree->target = unit->target;
  return (brio_tree_status)unit->count;
}

/* A line ended with `status`: continue with the next one, in the same tick. */
static brio_tree_status decide(brio_tree *tree, brio_tree_unit *unit, brio_tree_status status) {
  assert(unit->phase == TRY || unit->phase == CATCH);
  /* Only a failure of the try branch can be caught. */
  if (status == BRIO_TREE_FAILURE && unit->phase == TRY && brio_tree_has_units(tree, unit, CATCH)) {
    unit->phase = CATCH;
    status = brio_tree_work_line(tree, unit, CATCH);
  }
  if (status == BRIO_TREE_RUNNING) return status;
  if (status == BRIO_TREE_FAILURE) brio_tree_fail(tree, unit, unit->phase == CATCH ? "what catches failed" :
      "what was tried failed");
  unit->phase = FINALLY;
  /* The target of an earlier jump may not exist in an edited tree, and this one is saved. */
  unit->count = (int32_t)status;
  unit->target = status == BRIO_TREE_JUMP ? tree->target : -1;
  return finish(tree, unit);
}

/* One tick of the line that runs: `phase` is its number. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  return unit->phase == FINALLY ? finish(tree, unit)
                                : decide(tree, unit, brio_tree_work_line(tree, unit, unit->phase));
}

/* A pending goto leads to the same node of the new plan; if that is gone, the fallback fails. */
static void carry(brio_tree *tree, brio_tree_unit *unit, const brio_tree_carry *carry) {
  if (unit->phase != FINALLY || unit->count != BRIO_TREE_JUMP) return;
  unit->target = brio_tree_plan_find(carry->to, carry->from->nodes[unit->target].id);
  if (unit->target < 0) unit->count = (int32_t)brio_tree_fail(tree, unit, "the target of a goto was deleted");
}

const brio_tree_kind brio_tree_kind_fallback = {
  .name = "fallback", .doc = "Tries; when any of it fails, catches; and does what comes finally in any case.",
  .shape = BRIO_TREE_PARTS, .params = params, .last = FINALLY,
  .work = work, .carry = carry,
};
