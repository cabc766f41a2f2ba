/* A balanced binary tree of boxes.
**
** A new box descends to where it adds the least surface, as the surface of a node is the
** probability that a search opens it. On the way back, every node whose children differ by more
** than one in height is rotated, so that n boxes are never deeper than 1.45 log2 n. Adding and
** removing cost O(log n); a search costs O(log n + found) if boxes are small.
** Sources: Goldsmith and Salmon, "Automatic creation of object hierarchies for ray tracing", 1987
** (the cost); Adelson-Velsky and Landis, 1962 (the balance).
**
** Nodes live in one array; links are indices, -1 is none. Every inner node has two children. */
#include "geometry/box_tree.h"

#include <assert.h>
#include <stdlib.h>

enum { DEPTH = 96 }; /* of a search: more than the tallest tree of 2^31 nodes needs */

/* n leaves have n - 1 nodes above them, so 2 n places always suffice. */
bool brio_box_tree_start(brio_box_tree *tree, int capacity) {
  *tree = (brio_box_tree){.root = -1, .spare = -1};
  tree->nodes = malloc((2 * (size_t)capacity + 1) * sizeof *tree->nodes);
  return tree->nodes != NULL;
}

void brio_box_tree_end(brio_box_tree *tree) {
  free(tree->nodes);
  *tree = (brio_box_tree){.root = -1, .spare = -1};
}

/* Take a node: the last one that was freed, or the next that was never used. */
static int take(brio_box_tree *tree) {
  int i = tree->spare >= 0 ? tree->spare : tree->used++;
  if (tree->spare >= 0) tree->spare = tree->nodes[i].child[0];
  tree->nodes[i] = (brio_box_tree_node){.parent = -1, .child = {-1, -1}};
  return i;
}

/* Free a node: it becomes the head of the chain of spare ones. */
static void give(brio_box_tree *tree, int i) {
  tree->nodes[i] = (brio_box_tree_node){.parent = -1, .child = {tree->spare, -1}};
  tree->spare = i;
}

/* Half the surface of a box, m^2. */
static double surface(brio_box b) {
  brio_vec3 d = brio_vec3_sub(b.upper, b.lower);
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

/* Set box and height of a node from those of its children. */
static void fit(brio_box_tree *tree, int i) {
  brio_box_tree_node *node = &tree->nodes[i];
  const brio_box_tree_node *a = &tree->nodes[node->child[0]], *b = &tree->nodes[node->child[1]];
  node->box = brio_box_union(a->box, b->box);
  node->height = 1 + (a->height > b->height ? a->height : b->height);
}

/* Invariants of a node: children and parent know each other, and heights differ by at most one. */
static bool is_consistent(const brio_box_tree *tree, int i) {
  const brio_box_tree_node *node = &tree->nodes[i];
  if (node->height == 0) return node->child[0] < 0 && node->child[1] < 0;
  const brio_box_tree_node *a = &tree->nodes[node->child[0]], *b = &tree->nodes[node->child[1]];
  return a->parent == i && b->parent == i && abs(a->height - b->height) <= 1 &&
         node->height == 1 + (a->height > b->height ? a->height : b->height);
}

/* Let `parent` have child `now` in place of `before`; parent -1: `now` is the root. */
static void replace(brio_box_tree *tree, int parent, int before, int now) {
  tree->nodes[now].parent = parent;
  if (parent < 0) tree->root = now;
  else tree->nodes[parent].child[tree->nodes[parent].child[1] == before] = now;
}

/* Lift child `side` of node `i` above it, the child's lower subtree taking its place below `i`.
** Return the node that is on top now. This is a rotation; its mirror image is chosen by `side`. */
static int lift(brio_box_tree *tree, int i, int side) {
  int up = tree->nodes[i].child[side];
  brio_box_tree_node *top = &tree->nodes[up];
  bool second = tree->nodes[top->child[1]].height > tree->nodes[top->child[0]].height;
  int given = top->child[!second];
  replace(tree, tree->nodes[i].parent, i, up);
  /* `i` descends to where the lower subtree was; then heights are set from below. */
  tree->nodes[i].child[side] = given;
  tree->nodes[given].parent = i;
  top->child[!second] = i;
  tree->nodes[i].parent = up;
  fit(tree, i);
  fit(tree, up);
  return up;
}

/* Set boxes and heights from `i` up to the root, and rotate where a node leans. O(log n). */
static void mend(brio_box_tree *tree, int i) {
  while (i >= 0) {
    fit(tree, i);
    const brio_box_tree_node *node = &tree->nodes[i];
    int lean = tree->nodes[node->child[1]].height - tree->nodes[node->child[0]].height;
    if (lean > 1 || lean < -1) i = lift(tree, i, lean > 0);
    assert(is_consistent(tree, i));
    i = tree->nodes[i].parent;
  }
}

/* Return the leaf beside which a box costs the least surface, choosing the better child at each step. */
static int find_place(const brio_box_tree *tree, const brio_box *box) {
  int i = tree->root;
  while (tree->nodes[i].height > 0) {
    double cost[2];
    for (int k = 0; k < 2; k++) {
      /* An inner child would only grow; a leaf would get a new parent of the whole surface. */
      const brio_box_tree_node *child = &tree->nodes[tree->nodes[i].child[k]];
      cost[k] = surface(brio_box_union(child->box, *box));
      if (child->height > 0) cost[k] -= surface(child->box);
    }
    i = tree->nodes[i].child[cost[1] < cost[0]];
  }
  return i;
}

/* O(log n). */
int brio_box_tree_add(brio_box_tree *tree, const brio_box *box, int item) {
  assert(item >= 0);
  int leaf = take(tree);
  tree->nodes[leaf].box = *box;
  tree->nodes[leaf].item = item;
  if (tree->root < 0) {
    tree->root = leaf;
    return leaf;
  }
  /* The new leaf and the one beside it become children of a new node. */
  int beside = find_place(tree, box), parent = take(tree);
  replace(tree, tree->nodes[beside].parent, beside, parent);
  tree->nodes[parent].child[0] = beside;
  tree->nodes[parent].child[1] = leaf;
  tree->nodes[beside].parent = tree->nodes[leaf].parent = parent;
  mend(tree, parent);
  return leaf;
}

void brio_box_tree_remove(brio_box_tree *tree, int leaf) {
  assert(leaf >= 0 && leaf < tree->used && tree->nodes[leaf].height == 0);
  int parent = tree->nodes[leaf].parent;
  if (parent < 0) tree->root = -1;
  /* The sibling takes the parent's place, and both parent and leaf are free again. */
  else {
    int other = tree->nodes[parent].child[tree->nodes[parent].child[0] == leaf];
    int above = tree->nodes[parent].parent;
    replace(tree, above, parent, other);
    give(tree, parent);
    mend(tree, above);
  }
  give(tree, leaf);
}

/* O(log n + found) where boxes are small. */
int brio_box_tree_find(const brio_box_tree *tree, const brio_box *box, int *out) {
  /* The stack holds the siblings along one path, so twice the depth is ample. */
  int stack[DEPTH], top = 0, count = 0;
  if (tree->root >= 0) stack[top++] = tree->root;
  while (top > 0) {
    const brio_box_tree_node *node = &tree->nodes[stack[--top]];
    if (!brio_box_meets(&node->box, box)) continue;
    if (node->height == 0) out[count++] = node->item;
    else {
      assert(top + 2 <= DEPTH);
      stack[top++] = node->child[1];
      stack[top++] = node->child[0];
    }
  }
  return count;
}

/* The least distance so far prunes the search: mostly O(log n). */
double brio_box_tree_nearest(const brio_box_tree *tree, const brio_box *box, double most,
                             brio_box_tree_measure *measure, void *context) {
  int stack[DEPTH], top = 0;
  /* Branch and bound: a node whose box is not nearer than the best is not opened. */
  if (tree->root >= 0) stack[top++] = tree->root;
  while (top > 0) {
    const brio_box_tree_node *node = &tree->nodes[stack[--top]];
    if (!(brio_box_gap(&node->box, box) < most)) continue;
    if (node->height == 0) {
      most = fmin(most, measure(context, node->item, most));
      continue;
    }
    assert(top + 2 <= DEPTH);
    double a = brio_box_gap(&tree->nodes[node->child[0]].box, box);
    double b = brio_box_gap(&tree->nodes[node->child[1]].box, box);
    stack[top++] = node->child[a <= b]; /* the nearer one is opened first */
    stack[top++] = node->child[a > b];
  }
  return most;
}
