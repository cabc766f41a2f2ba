/* Plans of behavior trees: adding nodes, each of which is validated on its own, and ids. Adding costs
** O(depth), finishing O(n log n) if ids are out of order, else O(n). */
#include "tree/plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "tree/plan_internal.h"

/* NaN in a parameter means the kind's default. */
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
  free(plan->by_id);
  free(plan->lines);
  free(plan->entries);
  *plan = (brio_tree_plan){0};
}

/* Grow by doubling, so that adding n nodes costs O(n) in all. */
bool brio_tree_plan_room(brio_tree_plan *plan, int count, brio_error *err) {
  if (count <= plan->capacity) return true;
  if (count > BRIO_TREE_MOST_NODES) {
    return brio_fail(err, BRIO_LIMIT, "a tree holds at most %d nodes", BRIO_TREE_MOST_NODES);
  }
  int capacity = plan->capacity ? plan->capacity : 64;
  while (capacity < count) capacity *= 2;
  brio_tree_node *nodes = realloc(plan->nodes, (size_t)capacity * sizeof *nodes);
  if (!nodes) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d nodes", capacity);
  plan->nodes = nodes;
  plan->capacity = capacity;
  return true;
}

/* Iterator over the kinds' names, for hints in error messages. */
static const char *kind_name_at(const void *list, int i) {
  (void)list;
  return brio_tree_kinds[i] ? brio_tree_kinds[i]->name : NULL;
}

/* Check that the next node may be a child of `parent`. That must be the newest node or an ancestor of it: all
** other nodes are closed, in depth-first order. */
static bool check_parent(const brio_tree_plan *plan, int parent, brio_error *err) {
  if (plan->count == 0) {
    return parent == -1 || brio_fail(err, BRIO_MISUSE, "the first node is the root: its parent is -1");
  }
  if (parent < 0 || parent >= plan->count) {
    return brio_fail(err, BRIO_MISUSE, "node %d has no parent %d: a tree has one root", (int)plan->count,
                     parent);
  }
  if (brio_tree_kind_of(plan, parent)->shape == BRIO_TREE_LEAF) {
    return brio_fail(err, BRIO_MISUSE, "'%s' is a leaf (%s): it has no children", plan->nodes[parent].name,
                     brio_tree_kind_of(plan, parent)->name);
  }
  /* From the newest node to the root: O(depth). The nodes from `parent` on are around the new one. */
  int depth = 0;
  bool found = false;
  for (int at = plan->count - 1; at >= 0; at = plan->nodes[at].parent) {
    found = found || at == parent;
    depth += found;
  }
  if (!found) {
    return brio_fail(err, BRIO_MISUSE, "nodes are added in depth-first order, '%s' is closed",
                     plan->nodes[parent].name);
  }
  if (depth > BRIO_TREE_MOST_DEPTH) {
    return brio_fail(err, BRIO_LIMIT, "nodes stand inside nodes more than %d deep", BRIO_TREE_MOST_DEPTH);
  }
  return true;
}

/* Insert defaults for NaN and check ranges; the condition also fails for NaN. */
static bool check_params(const brio_tree_kind *kind, brio_tree_node *node, brio_error *err) {
  for (int i = 0; kind->params && kind->params[i].name; i++) {
    const brio_tree_param *param = &kind->params[i];
    if (isnan(node->params[i])) node->params[i] = param->fallback;
    if (!(node->params[i] >= param->lower && node->params[i] <= param->upper)) {
      return brio_fail(err, BRIO_MISUSE, "'%s': %s must be from %g to %g%s%s, not %g", node->name,
                       param->name, param->lower, param->upper, *param->unit ? " " : "", param->unit,
                       node->params[i]);
    }
  }
  return true;
}

/* A copy of a text in the plan's arena; NULL stays NULL. */
static const char *copy(brio_tree_plan *plan, const char *text) {
  return text ? brio_arena_text(&plan->arena, text, strlen(text)) : NULL;
}

/* Fill `node` from a description, with copies of its texts. The plan's array is not changed. */
bool brio_tree_make_node(brio_tree_plan *plan, const brio_tree_say *say, brio_tree_node *node,
                         brio_error *err) {
  /* First the kind: it determines which fields are needed. */
  int kind = brio_tree_kind_find(say->kind);
  char hint[96];
  if (kind < 0) {
    return brio_fail(err, BRIO_MISUSE, "there is no kind of node '%s'%s", say->kind, brio_name_hint(say->kind,
        kind_name_at, NULL, hint));
  }
  /* A name that is missing is that of the kind; a node always has one. */
  const brio_tree_kind *record = brio_tree_kinds[kind];
  *node = (brio_tree_node){
      .name = copy(plan, say->name ? say->name : say->kind),
      .anchor = copy(plan, say->anchor),
      .to = copy(plan, say->to),
      .leaf = say->leaf ? copy(plan, say->leaf) : "",
      .id = say->id < 0 ? -1 : say->id,
      .parent = say->parent,
      .anchor_id = say->anchor_id,
      .to_id = say->to_id,
      .call = say->call,
      .kind = (uint8_t)kind,
      .after = (uint8_t)say->after,
      .part = (uint8_t)say->part,
  };
  /* A text that was given but not copied: memory ran out. */
  if (!node->name || !node->leaf || (say->anchor && !node->anchor) || (say->to && !node->to)) {
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a node");
  }
  /* NaN becomes the default of the kind in check_params. */
  memcpy(node->params, say->params, sizeof node->params);
  if (!check_params(record, node, err)) return false;
  /* Kinds that call need a function of the host, kinds with a target a name or an id. */
  if (record->calls && node->call < 0)
    return brio_fail(err, BRIO_MISUSE, "'%s' has no function to call", node->name);
  return !record->targets || node->to || node->to_id >= 0 ||
         brio_fail(err, BRIO_MISUSE, "'%s': %s needs `to`, the name of a node", node->name, record->name);
}

int brio_tree_plan_add(brio_tree_plan *plan, const brio_tree_say *say, brio_error *err) {
  if (plan->finished) return brio_fail(err, BRIO_MISUSE, "the plan is finished"), -1;
  brio_tree_node node;
  if (!brio_tree_make_node(plan, say, &node, err) || !check_parent(plan, say->parent, err) ||
      !brio_tree_plan_room(plan, plan->count + 1, err)) return -1;
  /* The node is complete, so an error leaves no half of one in the plan. */
  plan->nodes[plan->count] = node;
  return plan->count++;
}

/* Whether parents precede their children and spans are nested, as depth-first order requires. O(nodes) */
static bool is_ordered(const brio_tree_plan *plan) {
  for (int i = 1; i < plan->count; i++) {
    int parent = plan->nodes[i].parent, end = plan->nodes[i].end;
    if (parent < 0 || parent >= i || end <= i || end > plan->nodes[parent].end) return false;
  }
  return plan->count <= plan->capacity && (plan->count == 0 || plan->nodes[0].end == plan->count);
}

bool brio_tree_set_ends(brio_tree_plan *plan, brio_error *err) {
  /* First pass: depths, and each node's span as if it were a leaf. */
  for (int i = 0; i < plan->count; i++) {
    brio_tree_node *node = &plan->nodes[i];
    /* Parents come before their children, so their depth is known. */
    int depth = i == 0 ? 0 : plan->nodes[node->parent].depth + 1;
    if (depth > BRIO_TREE_MOST_DEPTH) {
      return brio_fail(err, BRIO_LIMIT, "nodes stand inside nodes more than %d deep", BRIO_TREE_MOST_DEPTH);
    }
    node->depth = (uint8_t)depth;
    node->end = i + 1;
  }
  /* Backwards, so that a child's end is final before it extends its parent's. */
  for (int i = plan->count - 1; i > 0; i--) {
    brio_tree_node *parent = &plan->nodes[plan->nodes[i].parent];
    if (parent->end < plan->nodes[i].end) parent->end = plan->nodes[i].end;
  }
  assert(is_ordered(plan));
  return true;
}

/* An id and the number of its node, for sorting. */
typedef struct place { int32_t id, node; } place;

static int compare_ids(const void *a, const void *b) {
  int32_t x = ((const place *)a)->id, y = ((const place *)b)->id;
  return (x > y) - (x < y);
}

static bool has_id(const place *places, int count, int id) {
  /* Plain ids compared as int32: no overflow. */
  place key = {id, 0};
  return count > 0 && bsearch(&key, places, (size_t)count, sizeof *places, compare_ids);
}

/* Give ids to the nodes without one: their number, or the next one above the largest if another node has that
** id. O(n log n) */
static bool give_ids(brio_tree_plan *plan, place *places, brio_error *err) {
  int said = 0;
  for (int i = 0; i < plan->count; i++) {
    if (plan->nodes[i].id >= 0) places[said++] = (place){plan->nodes[i].id, i};
  }
  qsort(places, (size_t)said, sizeof *places, compare_ids);
  /* Above all ids and all numbers, so that the numbers of later nodes are not used up. */
  int64_t next = said > 0 ? (int64_t)places[said - 1].id + 1 : 0;
  if (next < plan->count) next = plan->count;
  for (int i = 0; i < plan->count; i++) {
    if (plan->nodes[i].id >= 0) continue;
    int64_t id = has_id(places, said, i) ? next++ : i;
    if (id > INT32_MAX) return brio_fail(err, BRIO_LIMIT, "there is no id left above %d", INT32_MAX);
    plan->nodes[i].id = (int32_t)id;
  }
  return true;
}

/* Fill by_id: the numbers of the nodes, in the order of their ids. Errors: misuse (an id twice), limit. */
static bool order_ids(brio_tree_plan *plan, place *places, brio_error *err) {
  if (!give_ids(plan, places, err)) return false;
  bool sorted = true;
  for (int i = 0; i < plan->count; i++) {
    places[i] = (place){plan->nodes[i].id, i};
    sorted = sorted && (i == 0 || places[i - 1].id < places[i].id);
  }
  /* Usually ids are in depth-first order already. */
  if (!sorted) qsort(places, (size_t)plan->count, sizeof *places, compare_ids);
  for (int i = 0; i < plan->count; i++) {
    plan->by_id[i] = places[i].node;
    if (i > 0 && places[i].id == places[i - 1].id) {
      return brio_fail(err, BRIO_MISUSE, "two nodes have the id %d", (int)places[i].id);
    }
  }
  /* Removed ids count as well, so last_id never falls. */
  if (plan->last_id < places[plan->count - 1].id) plan->last_id = places[plan->count - 1].id;
  return true;
}

/* Allocate what ids need, give them and sort them. */
static bool check_ids(brio_tree_plan *plan, brio_error *err) {
  place *places = malloc((size_t)plan->count * sizeof *places);
  plan->by_id = malloc((size_t)plan->count * sizeof *plan->by_id);
  bool good = (places && plan->by_id) ||
              brio_fail(err, BRIO_NO_MEMORY, "no memory for %d ids", (int)plan->count);
  good = good && order_ids(plan, places, err);
  free(places);
  return good;
}

bool brio_tree_plan_finish(brio_tree_plan *plan, brio_error *err) {
  if (plan->finished) return brio_fail(err, BRIO_MISUSE, "the plan is finished already");
  if (plan->count == 0) return brio_fail(err, BRIO_MISUSE, "the tree has no nodes");
  /* A finish that failed may be repeated after an edit. */
  free(plan->by_id);
  plan->by_id = NULL;
  plan->line_count = plan->entry_count = 0;
  /* An edited copy still has the results of an earlier finish: reset all derived fields. */
  for (int i = 0; i < plan->count; i++) {
    brio_tree_node *node = &plan->nodes[i];
    node->anchor_node = node->to_node = node->line = node->position = node->past = node->lines = -1;
    node->line_count = 0;
    node->stands = node->part;
  }
  /* In this order: spans, ids (names may refer to them), names, lines. */
  plan->finished = brio_tree_set_ends(plan, err) && check_ids(plan, err) && brio_tree_resolve(plan, err) &&
                   brio_tree_make_lines(plan, err);
  if (plan->finished) return true;
  /* The nodes are not in its order any more once they are edited. */
  free(plan->by_id);
  plan->by_id = NULL;
  return false;
}

int brio_tree_plan_find(const brio_tree_plan *plan, int id) {
  /* Before the plan is finished there is no index: search all nodes. */
  if (!plan->by_id) {
    for (int i = 0; i < plan->count; i++) {
      if (plan->nodes[i].id == id) return i;
    }
    return -1;
  }
  /* Binary search; the invariant: if the id exists, it is in by_id[low..high). */
  for (int low = 0, high = plan->count; low < high; ) {
    int middle = low + (high - low) / 2, node = plan->by_id[middle];
    if (plan->nodes[node].id == id) return node;
    if (plan->nodes[node].id < id) low = middle + 1;
    else high = middle;
  }
  return -1;
}

int brio_tree_plan_position(const brio_tree_plan *plan, int line, int node) {
  /* The nearest ancestor, or the node itself, that is in the line. */
  while (node >= 0 && plan->nodes[node].line != line) node = plan->nodes[node].parent;
  return node < 0 ? -1 : plan->nodes[node].position;
}
