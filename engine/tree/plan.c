/* Plans of behavior trees: taking nodes in and checking each by itself. */
#include "tree/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "tree/plan_internal.h"

brio_tree_say brio_tree_say_of(const char *kind, int parent) {
  return (brio_tree_say){.kind = kind, .parent = parent, .anchor_id = -1, .to_id = -1, .id = -1, .call = -1,
                         .params = {NAN, NAN, NAN, NAN}};
}

void brio_tree_plan_start(brio_tree_plan *plan) {
  *plan = (brio_tree_plan){0};
  brio_arena_start(&plan->arena, 16384);
}

void brio_tree_plan_end(brio_tree_plan *plan) {
  brio_arena_end(&plan->arena);
  free(plan->nodes);
  free(plan->lines);
  free(plan->entries);
  *plan = (brio_tree_plan){0};
}

static bool grow(brio_tree_plan *plan, brio_error *err) {
  if (plan->count < plan->capacity) return true;
  if (plan->count >= BRIO_TREE_MOST_NODES) {
    return brio_fail(err, BRIO_LIMIT, "a tree holds at most %d nodes", BRIO_TREE_MOST_NODES);
  }
  int capacity = plan->capacity ? plan->capacity * 2 : 64;
  brio_tree_node *nodes = realloc(plan->nodes, (size_t)capacity * sizeof *nodes);
  if (!nodes) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d nodes", capacity);
  plan->nodes = nodes;
  plan->capacity = capacity;
  return true;
}

static const char *kind_name_at(const void *list, int i) {
  (void)list;
  return brio_tree_kinds[i] ? brio_tree_kinds[i]->name : NULL;
}

/* Whether the node that comes next may be a child of `parent`: that one must still be open at the end. */
static bool check_parent(const brio_tree_plan *plan, int parent, brio_error *err) {
  if (plan->count == 0) {
    return parent == -1 || brio_fail(err, BRIO_MISUSE, "the first node is the root: its parent is -1");
  }
  if (parent < 0 || parent >= plan->count) {
    return brio_fail(err, BRIO_MISUSE, "node %d has no parent %d: a tree has one root", (int)plan->count, parent);
  }
  if (brio_tree_kind_of(plan, parent)->shape == BRIO_TREE_LEAF) {
    return brio_fail(err, BRIO_MISUSE, "'%s' is a leaf (%s): it has no children", plan->nodes[parent].name,
                     brio_tree_kind_of(plan, parent)->name);
  }
  int depth = 0;
  bool found = false;
  for (int at = plan->count - 1; at >= 0; at = plan->nodes[at].parent, depth++) found = found || at == parent;
  if (!found) {
    return brio_fail(err, BRIO_MISUSE, "nodes are added in depth-first order, '%s' is closed", plan->nodes[parent].name);
  }
  if (depth > BRIO_TREE_MOST_DEPTH) {
    return brio_fail(err, BRIO_LIMIT, "nodes stand inside nodes more than %d deep", BRIO_TREE_MOST_DEPTH);
  }
  return true;
}

static bool check_params(const brio_tree_kind *kind, brio_tree_node *node, brio_error *err) {
  for (int i = 0; kind->params && kind->params[i].name; i++) {
    const brio_tree_param *param = &kind->params[i];
    if (isnan(node->params[i])) node->params[i] = param->fallback;
    if (!(node->params[i] >= param->lower && node->params[i] <= param->upper)) {
      return brio_fail(err, BRIO_MISUSE, "'%s': %s must be from %g to %g%s%s, not %g", node->name, param->name, param->lower,
                       param->upper, *param->unit ? " " : "", param->unit, node->params[i]);
    }
  }
  return true;
}

static const char *copy(brio_tree_plan *plan, const char *text) {
  return text ? brio_arena_text(&plan->arena, text, strlen(text)) : NULL;
}

int brio_tree_plan_add(brio_tree_plan *plan, const brio_tree_say *say, brio_error *err) {
  int kind = brio_tree_kind_find(say->kind);
  char hint[96];
  if (plan->finished) return brio_fail(err, BRIO_MISUSE, "the plan is finished"), -1;
  if (kind < 0) {
    brio_fail(err, BRIO_MISUSE, "there is no kind of node '%s'%s", say->kind, brio_name_hint(say->kind,
        kind_name_at, NULL, hint));
    return -1;
  }
  if (!check_parent(plan, say->parent, err) || !grow(plan, err)) return -1;
  const brio_tree_kind *record = brio_tree_kinds[kind];
  int number = plan->count;
  brio_tree_node node = {
    .name = copy(plan, say->name ? say->name : say->kind), .anchor = copy(plan, say->anchor), .to = copy(plan, say->to),
    .id = say->id < 0 ? number : say->id, .parent = say->parent, .call = say->call, .anchor_node = -1, .to_node = -1,
    .anchor_id = say->anchor_id, .to_id = say->to_id, .line = -1, .position = -1, .lines = -1, .kind = (uint8_t)kind, .after = (uint8_t)say->after, .part = (uint8_t)say->part,
  };
  if (!node.name || (say->anchor && !node.anchor) || (say->to && !node.to)) {
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for node %d", number), -1;
  }
  memcpy(node.params, say->params, sizeof node.params);
  if (!check_params(record, &node, err)) return -1;
  if (record->calls && node.call < 0) return brio_fail(err, BRIO_MISUSE, "'%s' has no function to call", node.name), -1;
  if (record->targets && !node.to && node.to_id < 0) {
    return brio_fail(err, BRIO_MISUSE, "'%s': %s needs `to`, the name of a node", node.name, record->name), -1;
  }
  plan->nodes[number] = node;
  plan->count++;
  return number;
}

/* Where each node ends: one past the last of its descendants. */
static void set_ends(brio_tree_plan *plan) {
  for (int i = 0; i < plan->count; i++) plan->nodes[i].end = i + 1;
  for (int i = plan->count - 1; i > 0; i--) {
    brio_tree_node *parent = &plan->nodes[plan->nodes[i].parent];
    if (parent->end < plan->nodes[i].end) parent->end = plan->nodes[i].end;
  }
}

static int compare_ids(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static bool check_ids(const brio_tree_plan *plan, brio_error *err) {
  int32_t *ids = malloc((size_t)plan->count * sizeof *ids);
  if (!ids) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d ids", (int)plan->count);
  for (int i = 0; i < plan->count; i++) ids[i] = plan->nodes[i].id;
  qsort(ids, (size_t)plan->count, sizeof *ids, compare_ids);
  bool good = true;
  for (int i = 1; i < plan->count && good; i++) {
    if (ids[i] == ids[i - 1]) good = brio_fail(err, BRIO_MISUSE, "two nodes have the id %d", (int)ids[i]);
  }
  free(ids);
  return good;
}

bool brio_tree_plan_finish(brio_tree_plan *plan, brio_error *err) {
  if (plan->finished) return brio_fail(err, BRIO_MISUSE, "the plan is finished already");
  if (plan->count == 0) return brio_fail(err, BRIO_MISUSE, "the tree has no nodes");
  set_ends(plan);
  if (!check_ids(plan, err) || !brio_tree_resolve(plan, err) || !brio_tree_make_lines(plan, err)) return false;
  plan->finished = true;
  return true;
}

int brio_tree_plan_find(const brio_tree_plan *plan, int id) {
  for (int i = 0; i < plan->count; i++) {
    if (plan->nodes[i].id == id) return i;
  }
  return -1;
}

int brio_tree_plan_position(const brio_tree_plan *plan, int line, int node) {
  while (node >= 0 && plan->nodes[node].line != line) node = plan->nodes[node].parent;
  return node < 0 ? -1 : plan->nodes[node].position;
}
