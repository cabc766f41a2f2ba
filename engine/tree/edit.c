/* Editing a copy of a plan: nodes are inserted, removed, moved and changed in the array that holds them in
** depth-first order. Each edit writes the array once, in its new order: O(nodes). brio_tree_plan_finish then
** resolves names and derives the lines, once for all edits. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tree/plan_internal.h"

/* Copy a text into the arena; *good becomes false if memory runs out. */
static const char *keep(brio_arena *arena, const char *text, bool *good) {
  const char *copy = text ? brio_arena_text(arena, text, strlen(text)) : NULL;
  *good = *good && (copy || !text);
  return copy;
}

bool brio_tree_plan_copy(brio_tree_plan *plan, const brio_tree_plan *from, brio_error *err) {
  brio_tree_plan_start(plan);
  if (!from->finished) return brio_fail(err, BRIO_MISUSE, "only a finished plan can be copied");
  if (!brio_tree_plan_room(plan, from->count, err)) return false;
  bool good = true;
  /* Names are copied, because they live in the arena of `from`. Numbers of nodes are the same in both
  ** plans. */
  memcpy(plan->nodes, from->nodes, (size_t)from->count * sizeof *plan->nodes);
  plan->count = from->count;
  plan->last_id = from->last_id;
  for (int i = 0; i < plan->count && good; i++) {
    brio_tree_node *node = &plan->nodes[i];
    /* Moves count since the copy. */
    node->moved = false;
    node->name = keep(&plan->arena, node->name, &good);
    node->anchor = keep(&plan->arena, node->anchor, &good);
    node->to = keep(&plan->arena, node->to, &good);
    /* "" is a constant and needs no copy. */
    node->leaf = *node->leaf ? keep(&plan->arena, node->leaf, &good) : "";
  }
  return good || brio_fail(err, BRIO_NO_MEMORY, "no memory for a copy of %d nodes", (int)from->count);
}

/* Check that a plan can be edited, and that it has this node. Errors: misuse. */
static bool check_open(const brio_tree_plan *plan, int node, brio_error *err) {
  if (plan->finished) return brio_fail(err, BRIO_MISUSE, "the plan is finished: a copy of it can be edited");
  return (node >= 0 && node < plan->count) || brio_fail(err, BRIO_MISUSE, "the tree has no node %d", node);
}

/* Return the index in the array before child `before` of `parent`, or behind its last child (-1). Return -1
** on an error: misuse. */
static int place_of(const brio_tree_plan *plan, int parent, int before, brio_error *err) {
  if (!check_open(plan, parent, err)) return -1;
  const brio_tree_node *node = &plan->nodes[parent];
  if (brio_tree_kind_of(plan, parent)->shape == BRIO_TREE_LEAF) {
    brio_fail(err, BRIO_MISUSE, "'%s' is a leaf (%s): it has no children", node->name,
              brio_tree_kind_of(plan, parent)->name);
    return -1;
  }
  /* A node's span ends behind its last child. */
  if (before < 0) return node->end;
  if (!check_open(plan, before, err)) return -1;
  if (plan->nodes[before].parent == parent) return before;
  brio_fail(err, BRIO_MISUSE, "'%s' is no child of '%s'", plan->nodes[before].name, node->name);
  return -1;
}

/* A rotation of the array: nodes [first, last) move in front of the node that is at `place` now. */
typedef struct shift { int first, last, place; } shift;

/* The number of a node after the rotation. O(1) */
static int new_number(const shift *s, int node) {
  assert(s->first <= s->last && (s->place <= s->first || s->place >= s->last));
  int length = s->last - s->first;
  /* Moved nodes shift by the distance. The nodes that they pass shift in the other direction, by the number
  ** of moved nodes. */
  if (node >= s->first && node < s->last)
    return node - s->first + s->place - (s->place > s->first ? length : 0);
  if (node >= s->last && node < s->place) return node - length;
  return node >= s->place && node < s->first ? node + length : node;
}

/* Write the array in its new order, with parents under their new numbers. Errors: no_memory, limit (too
** deep); then the plan cannot be used. */
static bool carry_out(brio_tree_plan *plan, const shift *s, brio_error *err) {
  brio_tree_node *nodes = malloc((size_t)plan->capacity * sizeof *nodes);
  if (!nodes) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d nodes", (int)plan->count);
  for (int i = 0; i < plan->count; i++) {
    brio_tree_node *node = &nodes[new_number(s, i)];
    *node = plan->nodes[i];
    /* Anchors and targets are names or ids, so only parents are numbers. */
    if (node->parent >= 0) node->parent = new_number(s, node->parent);
  }
  free(plan->nodes);
  plan->nodes = nodes;
  return brio_tree_set_ends(plan, err);
}

/* Check that the parent of item i is open where the item is: it is the item before, or an ancestor of
** that. */
static bool check_order(const brio_tree_plan *plan, const brio_tree_say *says, int first, int i,
                        brio_error *err) {
  int parent = says[i].parent;
  /* Climb from the item before to the root of the inserted nodes: O(depth). */
  for (int at = i - 1; at >= 0; at = at > 0 ? says[at].parent : -1) {
    if (at != parent) continue;
    return brio_tree_kind_of(plan, first + at)->shape != BRIO_TREE_LEAF ||
           brio_fail(err, BRIO_MISUSE, "'%s' is a leaf: it has no children", plan->nodes[first + at].name);
  }
  return brio_fail(err, BRIO_MISUSE,
                   "item %d of the insertion has no parent %d before it, in depth-first order", i, parent);
}

/* Append nodes to the array, from where they are rotated to their place. After an error the count is
** unchanged, so they are ignored. */
static bool append(brio_tree_plan *plan, const brio_tree_say *says, int count, int parent, brio_error *err) {
  int first = plan->count;
  for (int i = 0; i < count; i++) {
    brio_tree_node *node = &plan->nodes[first + i];
    if (!brio_tree_make_node(plan, &says[i], node, err) || (i > 0 && !check_order(plan, says, first, i, err)))
      return false;
    node->parent = i > 0 ? first + says[i].parent : parent;
    /* New ids are above all earlier ones, removed nodes included: an id never names two nodes. */
    if (node->id < 0 && plan->last_id == INT32_MAX) return brio_fail(err, BRIO_LIMIT, "there is no id left");
    if (node->id < 0) node->id = ++plan->last_id;
    else if (node->id > plan->last_id) plan->last_id = node->id;
  }
  plan->count += count;
  return true;
}

int brio_tree_plan_insert(brio_tree_plan *plan, const brio_tree_say *says, int count, int parent, int before,
                          brio_error *err) {
  int place = place_of(plan, parent, before, err), first = plan->count;
  if (place < 0) return -1;
  if (count < 1) return brio_fail(err, BRIO_MISUSE, "there is nothing to insert"), -1;
  if (count > BRIO_TREE_MOST_NODES)
    return brio_fail(err, BRIO_LIMIT, "a tree holds at most %d nodes", BRIO_TREE_MOST_NODES), -1;
  if (!brio_tree_plan_room(plan, plan->count + count, err) || !append(plan, says, count, parent, err))
    return -1;
  return carry_out(plan, &(shift){first, first + count, place}, err) ? place : -1;
}

bool brio_tree_plan_remove(brio_tree_plan *plan, int node, brio_error *err) {
  if (!check_open(plan, node, err)) return false;
  /* A plan without a root would not be a tree. */
  if (node == 0) return brio_fail(err, BRIO_MISUSE, "the root cannot be taken out");
  int end = plan->nodes[node].end, length = end - node;
  /* Close the gap; parents behind it move with their nodes. */
  for (int i = end; i < plan->count; i++) {
    plan->nodes[i - length] = plan->nodes[i];
    if (plan->nodes[i].parent >= end) plan->nodes[i - length].parent -= length;
  }
  plan->count -= length;
  return brio_tree_set_ends(plan, err);
}

int brio_tree_plan_move(brio_tree_plan *plan, int node, int parent, int before, brio_error *err) {
  int place = check_open(plan, node, err) ? place_of(plan, parent, before, err) : -1;
  if (place < 0) return -1;
  int end = plan->nodes[node].end;
  if (parent >= node && parent < end) {
    return brio_fail(err, BRIO_MISUSE, "'%s' cannot be moved into itself", plan->nodes[node].name), -1;
  }
  /* A place inside its own span is the same as behind it: it stays among its siblings where it is. */
  if (place > node && place < end) place = end;
  /* Moved nodes do not vote on where a running line continues (migrate.c). */
  for (int i = node; i < end; i++) plan->nodes[i].moved = true;
  plan->nodes[node].parent = parent;
  /* In front of itself is the same as behind itself: nothing moves. */
  shift s = {node, end, place == node ? end : place};
  return carry_out(plan, &s, err) ? new_number(&s, node) : -1;
}

bool brio_tree_plan_set(brio_tree_plan *plan, int node, const brio_tree_say *say, brio_error *err) {
  /* The new description is checked completely before it replaces the old one. */
  brio_tree_node made;
  if (!check_open(plan, node, err) || !brio_tree_make_node(plan, say, &made, err)) return false;
  brio_tree_node *self = &plan->nodes[node];
  if (brio_tree_kinds[made.kind]->shape == BRIO_TREE_LEAF && self->end > node + 1) {
    return brio_fail(err, BRIO_MISUSE, "'%s' has children: it cannot become a leaf (%s)", self->name,
                     brio_tree_kinds[made.kind]->name);
  }
  /* Identity and place are not part of the description, and stay. */
  made.id = self->id;
  made.parent = self->parent;
  made.end = self->end;
  made.depth = self->depth;
  made.moved = self->moved;
  *self = made;
  return true;
}
