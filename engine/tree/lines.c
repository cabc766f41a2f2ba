/* The lines of a tree: the nodes in depth-first order, with open nodes replaced by their children.
**
** The try branch of a fallback, if no child names its part, consists of the children that begin together with
** the first one, with all their descendants. The first child that waits for one of them begins the catch
** branch. An anchor that is an open node stands for what is before its first unit (the IHMC rule: naming the
** surrounding sequence means "begin with its first leaf"). An anchor inside a closed node stands for that
** closed node, seen from outside.
**
** Each node is flattened into one line, so all lines together cost O(nodes x depth). */
#include <assert.h>
#include <stdlib.h>

#include "tree/plan_internal.h"

/* Make room in a list for one more item, doubling it. False: no memory, and the list is as before. */
static bool room(void **list, int32_t *capacity, int count, size_t size, brio_error *err) {
  if (count < *capacity) return true;
  int32_t more = *capacity ? *capacity * 2 : 64;
  void *grown = realloc(*list, (size_t)more * size);
  if (!grown) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the lines of a tree");
  *list = grown;
  *capacity = more;
  return true;
}

/* Begin a line at the end of the entries; return its number, -1: no memory. */
static int open_line(brio_tree_plan *plan, int owner, int child, brio_error *err) {
  void *list = plan->lines;
  bool good = room(&list, &plan->line_capacity, plan->line_count, sizeof *plan->lines, err);
  plan->lines = list;
  if (!good) return -1;
  plan->lines[plan->line_count] = (brio_tree_line){plan->entry_count, 0, owner, child};
  return plan->line_count++;
}

/* Make `entry` wait for an anchor, which is searched for in its own line, then in the lines around it.
** O(depth) */
static void wait_for(const brio_tree_plan *plan, brio_tree_entry *entry, int line, int anchor, bool whole) {
  /* From line to line outwards; `inside` is the closed node whose line was searched last. */
  for (int at = line, inside = -1; ; ) {
    /* The anchor, or its nearest ancestor that is in line `at`. */
    int found = anchor;
    while (found >= 0 && plan->nodes[found].line != at) found = plan->nodes[found].parent;
    if (found >= 0) {
      const brio_tree_node *node = &plan->nodes[found];
      bool open = brio_tree_kind_of(plan, found)->shape == BRIO_TREE_OPEN;
      /* The anchor contains this entry: waiting for it would never end, so it waits for nothing. */
      if (found == inside) return;
      entry->wait = at;
      /* An open anchor stands for what is before its first unit, or for all of its units. */
      entry->low = open && !whole ? node->position - 1 : node->position;
      entry->high = open && whole ? node->past - 1 : entry->low;
      return;
    }
    /* The line around this one is that of the closed node it belongs to. */
    inside = plan->lines[at].owner;
    if (inside < 0) return;
    at = plan->nodes[inside].line;
  }
}

/* Return the entry of a unit; `speaker`, the unit or an open node around it, has the `after` that applies. */
static brio_tree_entry entry_of(const brio_tree_plan *plan, int line, int position, int unit, int speaker) {
  const brio_tree_node *said = &plan->nodes[speaker];
  /* high < low: it waits for nothing. */
  brio_tree_entry entry = {.node = unit, .wait = line, .low = 0, .high = -1};
  switch ((brio_tree_after)said->after) {
    case BRIO_TREE_AFTER_PREVIOUS: entry.low = entry.high = position - 1; break;
    case BRIO_TREE_AFTER_ALL: entry.high = position - 1; break;
    case BRIO_TREE_AFTER_NODE: wait_for(plan, &entry, line, said->anchor_node, false); break;
    case BRIO_TREE_AFTER_WHOLE: wait_for(plan, &entry, line, said->anchor_node, true); break;
    case BRIO_TREE_AFTER_BEGINNING: break;
  }
  return entry;
}

/* Return the node whose `after` applies to a fallback: itself, or its first leaf if that names something
** before the fallback. */
static int speaker_of(const brio_tree_plan *plan, int unit) {
  int at = unit;
  while (brio_tree_kind_of(plan, at)->shape == BRIO_TREE_PARTS ||
         brio_tree_kind_of(plan, at)->shape == BRIO_TREE_OPEN) {
    if (plan->nodes[at].after != BRIO_TREE_AFTER_PREVIOUS || plan->nodes[at].end == at + 1) return at;
    at++;
  }
  return plan->nodes[at].anchor_node < unit ? at : unit;
}

/* Append `node` to line `line`. `speaker`: an open node around it, whose first unit it is; -1: there is none.
** Errors: no_memory. */
static bool flatten(brio_tree_plan *plan, int line, int node, int speaker, brio_error *err) {
  assert(line >= 0 && line < plan->line_count);
  brio_tree_node *self = &plan->nodes[node];
  int position = plan->entry_count - plan->lines[line].first;
  /* A node's own `after` takes precedence over that of an open node around it. */
  if (speaker < 0 || self->after != BRIO_TREE_AFTER_PREVIOUS) speaker = node;
  self->line = line;
  self->position = position;
  if (brio_tree_kind_of(plan, node)->shape == BRIO_TREE_OPEN) {
    for (int child = node + 1; child < self->end; child = plan->nodes[child].end) {
      /* Only the first unit inside can inherit what the open node waits for. */
      bool first = plan->entry_count - plan->lines[line].first == position;
      if (!flatten(plan, line, child, first ? speaker : -1, err)) return false;
    }
  } else {
    /* A leaf or a closed node is one unit; the inside of a closed node has lines of its own. */
    void *list = plan->entries;
    bool good = room(&list, &plan->entry_capacity, plan->entry_count, sizeof *plan->entries, err);
    plan->entries = list;
    if (!good) return false;
    if (speaker == node && self->after == BRIO_TREE_AFTER_PREVIOUS) speaker = speaker_of(plan, node);
    plan->entries[plan->entry_count++] = entry_of(plan, line, position, node, speaker);
  }
  self->past = plan->entry_count - plan->lines[line].first;
  plan->lines[line].count = self->past;
  return true;
}

/* All children of a node as one line. False: no memory. */
static bool one_line(brio_tree_plan *plan, int owner, brio_error *err) {
  int line = open_line(plan, owner, -1, err);
  if (line < 0) return false;
  for (int child = owner + 1; child < plan->nodes[owner].end; child = plan->nodes[child].end) {
    if (!flatten(plan, line, child, -1, err)) return false;
  }
  return true;
}

/* Each child of a node as a line of its own. False: no memory. */
static bool branch_lines(brio_tree_plan *plan, int owner, brio_error *err) {
  for (int child = owner + 1; child < plan->nodes[owner].end; child = plan->nodes[child].end) {
    int line = open_line(plan, owner, child, err);
    if (line < 0 || !flatten(plan, line, child, -1, err)) return false;
  }
  return true;
}

/* Whether any child of a fallback names its part. */
static bool has_parts(const brio_tree_plan *plan, int owner) {
  for (int child = owner + 1; child < plan->nodes[owner].end; child = plan->nodes[child].end) {
    if (plan->nodes[child].part != BRIO_TREE_ANY) return true;
  }
  return false;
}

/* Derive the parts of a fallback from what its children wait for, using a trial line that is discarded. */
static bool derive_parts(brio_tree_plan *plan, int owner, brio_error *err) {
  int first = plan->entry_count, line = plan->line_count, part = BRIO_TREE_TRY;
  if (!one_line(plan, owner, err)) return false;
  for (int child = owner + 1; child < plan->nodes[owner].end; child = plan->nodes[child].end) {
    brio_tree_node *node = &plan->nodes[child];
    const brio_tree_entry *entry = &plan->entries[first + node->position];
    /* The first child that waits for another one begins the catch branch. */
    if (node->past > node->position && entry->wait == line && entry->high >= 0) part = BRIO_TREE_CATCH;
    node->stands = (uint8_t)part;
  }
  /* Discard the trial line. */
  plan->line_count = line;
  plan->entry_count = first;
  return true;
}

/* Three lines for the parts of a fallback: try, catch, finally. Any of them may be empty. */
static bool part_lines(brio_tree_plan *plan, int owner, brio_error *err) {
  if (!has_parts(plan, owner) && !derive_parts(plan, owner, err)) return false;
  for (int part = BRIO_TREE_TRY; part <= BRIO_TREE_FINALLY; part++) {
    int line = open_line(plan, owner, -1, err);
    if (line < 0) return false;
    for (int child = owner + 1; child < plan->nodes[owner].end; child = plan->nodes[child].end) {
      int stands = plan->nodes[child].stands == BRIO_TREE_ANY ? BRIO_TREE_TRY : plan->nodes[child].stands;
      if (stands == part && !flatten(plan, line, child, -1, err)) return false;
    }
  }
  return true;
}

/* By shape: how the children of a closed node become lines. */
static bool (*const makers[])(brio_tree_plan *, int, brio_error *) = {
  [BRIO_TREE_BODY] = one_line, [BRIO_TREE_BRANCHES] = branch_lines, [BRIO_TREE_PARTS] = part_lines,
};

bool brio_tree_make_lines(brio_tree_plan *plan, brio_error *err) {
  void *entries = plan->entries; /* allocated even where a tree of empty sequences has none */
  bool good = room(&entries, &plan->entry_capacity, 0, sizeof *plan->entries, err);
  plan->entries = entries;
  if (!good) return false;
  /* Line 0 is the root's; the closed nodes' lines follow in depth-first order. */
  int line = open_line(plan, -1, -1, err);
  if (line < 0 || !flatten(plan, line, 0, -1, err)) return false;
  for (int node = 0; node < plan->count; node++) {
    brio_tree_shape shape = brio_tree_kind_of(plan, node)->shape;
    if (shape == BRIO_TREE_OPEN || shape == BRIO_TREE_LEAF) continue;
    plan->nodes[node].lines = plan->line_count;
    if (!makers[shape](plan, node, err)) return false;
    plan->nodes[node].line_count = plan->line_count - plan->nodes[node].lines;
  }
  assert(plan->line_count <= plan->line_capacity && plan->entry_count <= plan->entry_capacity);
  return true;
}
