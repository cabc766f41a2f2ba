/* The next units of a running tree: the lines that a person's step would let continue, and the units that
** would begin in them. O(running lines and units) */
#include "tree/run_internal.h"

typedef void visit_line(void *data, int run);

/* Visit the innermost lines that have a next unit: a line is not visited if one inside it is. Return whether
** any was. */
static bool visit_waiting(const brio_tree *tree, int number, visit_line *visit, void *data) {
  const brio_tree_run *run = &tree->runs[number];
  bool inside = false;
  /* Inside a closed node one line may take a step, in a parallel all of them. */
  for (int unit = run->first; unit >= 0; unit = tree->units[unit].next) {
    bool at_once = brio_tree_kind_of(tree->plan, tree->units[unit].node)->at_once, taken = false;
    for (int at = tree->units[unit].inside; at >= 0 && (at_once || !taken); at = tree->runs[at].next) {
      taken = visit_waiting(tree, at, visit, data) || taken;
    }
    inside = inside || taken;
  }
  /* A line that failed or is at its end has no next unit. */
  if (inside || run->failed >= 0 || run->at >= run->end) return inside;
  visit(data, number);
  return true;
}

/* A list being filled; `count` continues to rise when there is no room. */
typedef struct coming {
  const brio_tree *tree;
  int32_t *nodes;
  int room, count;
} coming;

/* Add the next concurrent set of a line. */
static void add_set(void *data, int number) {
  coming *self = data;
  const brio_tree_run *run = &self->tree->runs[number];
  const brio_tree_plan *plan = self->tree->plan;
  /* The set ends before the first unit that waits for one of its members. */
  int end = brio_tree_set_end(self->tree, run);
  for (int at = run->at; at < end; at++, self->count++) {
    if (self->count < self->room)
      self->nodes[self->count] = plan->entries[plan->lines[run->line].first + at].node;
  }
}

/* Of each innermost line that may continue, its next concurrent set. */
int brio_tree_coming(const brio_tree *tree, int32_t *nodes, int room) {
  coming self = {tree, nodes, room, 0};
  visit_waiting(tree, tree->root, add_set, &self);
  return self.count;
}

/* Let the next unit of a line begin in spite of its breakpoint, as a step would. */
static void pass(void *data, int number) {
  brio_tree *tree = data;
  brio_tree_run *run = &tree->runs[number];
  int node = tree->plan->entries[tree->plan->lines[run->line].first + run->at].node;
  if (tree->breakpoint[node]) run->limit = run->at + 1;
}

void brio_tree_pass_breakpoints(brio_tree *tree) { visit_waiting(tree, tree->root, pass, tree); }
