/* Names in a tree: which nodes `after` and `to` refer to.
**
** `after` names an earlier node: the nearest one before it in depth-first order (ancestors are before it).
** `to` of a goto or gosub is searched level by level, from the node outwards: first among its siblings,
** nearest first and the left one before the right one; then inside those siblings, in the same order, depth
** first; then the parent itself; then one level further out. Both are rules of the IHMC behavior system's
** public code. Either may be given as the id of a node instead, as edits do: a name may come to mean another
** node, an id does not.
**
** One name costs O(nodes) at most, so a whole tree O(nodes x names). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "tree/plan_internal.h"

/* Names are compared exactly, with case. */
static bool called(const brio_tree_plan *plan, int node, const char *name) {
  return strcmp(plan->nodes[node].name, name) == 0;
}

/* List the children of `parent`; `own` is the index of `node` in the list. Return their number. */
static int children_of(const brio_tree_plan *plan, int parent, int node, int32_t *list, int *own) {
  int count = 0;
  /* The next sibling begins where the last one's span ends. */
  for (int child = parent + 1; child < plan->nodes[parent].end; child = plan->nodes[child].end) {
    if (child == node) *own = count;
    list[count++] = child;
  }
  return count;
}

/* Index of the k-th nearest sibling, k from 0: left, right, left, ...; -1: there is none on that side. */
static int nearest_place(int own, int k, int count) {
  assert(own >= 0 && own < count && k >= 0);
  int distance = k / 2 + 1, place = k % 2 ? own + distance : own - distance;
  return place < 0 || place >= count ? -1 : place;
}

/* The first node of that name inside `node`, depth first; -1: there is none. O(nodes inside) */
static int inside(const brio_tree_plan *plan, int node, const char *name) {
  for (int at = node + 1; at < plan->nodes[node].end; at++) {
    if (called(plan, at, name)) return at;
  }
  return -1;
}

/* Search among the siblings, then inside them, nearest first; -1: not found. */
static int among_siblings(const brio_tree_plan *plan, const int32_t *list, int own, int count,
                          const char *name) {
  /* Two rounds: the siblings themselves, then their insides. */
  for (int deep = 0; deep < 2; deep++) {
    for (int k = 0; k < 2 * count; k++) {
      int place = nearest_place(own, k, count);
      if (place < 0) continue;
      int found = deep ? inside(plan, list[place], name) : called(plan, list[place], name) ? list[place] : -1;
      if (found >= 0) return found;
    }
  }
  return -1;
}

/* Find the target of a goto or gosub, level by level; -1: no node within its reach. `list` is scratch. */
static int find_target(const brio_tree_plan *plan, int node, const char *name, int32_t *list) {
  for (int at = node; plan->nodes[at].parent >= 0; at = plan->nodes[at].parent) {
    int parent = plan->nodes[at].parent, own = 0;
    int count = children_of(plan, parent, at, list, &own);
    int found = among_siblings(plan, list, own, count, name);
    if (found >= 0) return found;
    if (called(plan, parent, name)) return parent;
  }
  return -1;
}

/* Find the nearest earlier node of that name; -1: there is none. O(nodes) */
static int find_anchor(const brio_tree_plan *plan, int node, const char *name) {
  for (int at = node - 1; at >= 0; at--) {
    if (called(plan, at, name)) return at;
  }
  return -1;
}

/* Iterator over the plan's names, for hints in error messages. */
static const char *node_name_at(const void *list, int i) {
  const brio_tree_plan *plan = list;
  return i < plan->count ? plan->nodes[i].name : NULL;
}

/* Report a name that matches no node, with a similar one as a hint; return false. */
static bool unknown(const brio_tree_plan *plan, int node, const char *what, const char *name,
                    brio_error *err) {
  char hint[96];
  return brio_fail(err, BRIO_MISUSE, "'%s': %s names '%s', %s%s", plan->nodes[node].name, what, name,
                   strcmp(what, "after") == 0 ? "which is no earlier node" : "which is no node it can reach",
                   brio_name_hint(name, node_name_at, plan, hint));
}

/* State of one pass over all nodes. */
typedef struct resolver {
  brio_tree_plan *plan;
  int32_t *list;  /* scratch: room for the longest list of siblings */
} resolver;

/* Resolve `after`, and check that waiting for that node can end. Errors: misuse. */
static bool resolve_anchor(resolver *self, int node, brio_error *err) {
  brio_tree_plan *plan = self->plan;
  brio_tree_node *own = &plan->nodes[node];
  if (own->anchor_id >= 0) {
    int anchor = brio_tree_plan_find(plan, own->anchor_id);
    if (anchor < 0) {
      return brio_fail(err, BRIO_MISUSE, "'%s': after names no node: there is no id %d", own->name,
                       (int)own->anchor_id);
    }
    /* Waiting for a later node might never end. */
    if (anchor >= node) {
      return brio_fail(err, BRIO_MISUSE, "'%s' cannot wait for '%s', which is no earlier node", own->name,
                       plan->nodes[anchor].name);
    }
    own->anchor_node = anchor;
  } else {
    own->anchor_node = own->anchor ? find_anchor(plan, node, own->anchor) : -1;
    if (own->anchor_node < 0) return unknown(plan, node, "after", own->anchor ? own->anchor : "", err);
  }
  /* A node cannot wait for the whole of a node that contains it. */
  if (own->after == BRIO_TREE_AFTER_WHOLE && plan->nodes[own->anchor_node].end > node) {
    return brio_fail(err, BRIO_MISUSE, "'%s' cannot wait for all of '%s', which it is inside of", own->name,
                     plan->nodes[own->anchor_node].name);
  }
  return true;
}

/* Resolve `to`; "next" refers to no node. Errors: misuse. */
static bool resolve_target(resolver *self, int node, brio_error *err) {
  brio_tree_node *own = &self->plan->nodes[node];
  if (own->to_id >= 0) {
    own->to_node = brio_tree_plan_find(self->plan, own->to_id);
    if (own->to_node >= 0 && own->to_node != node) return true;
    return brio_fail(err, BRIO_MISUSE, "'%s': to names no other node: id %d", own->name, (int)own->to_id);
  }
  /* to_node stays -1, which the kinds read as "the next node". */
  if (strcmp(own->to, "next") == 0) return true;
  own->to_node = find_target(self->plan, node, own->to, self->list);
  return own->to_node >= 0 || unknown(self->plan, node, "to", own->to, err);
}

/* Resolve the names of a node, if its kind and its `after` have any. */
static bool resolve_node(resolver *self, int node, brio_error *err) {
  const brio_tree_node *own = &self->plan->nodes[node];
  bool anchored = own->after == BRIO_TREE_AFTER_NODE || own->after == BRIO_TREE_AFTER_WHOLE;
  if (anchored && !resolve_anchor(self, node, err)) return false;
  return !brio_tree_kinds[own->kind]->targets || resolve_target(self, node, err);
}

bool brio_tree_resolve(brio_tree_plan *plan, brio_error *err) {
  /* One list is long enough for the children of any node. */
  resolver self = {plan, malloc((size_t)plan->count * sizeof *self.list)};
  if (!self.list) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d nodes", (int)plan->count);
  bool good = true;
  for (int node = 0; node < plan->count && good; node++) good = resolve_node(&self, node, err);
  free(self.list);
  return good;
}
