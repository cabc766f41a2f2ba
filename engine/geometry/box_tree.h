/* A dynamic tree of boxes for neighbor queries.  Boxes may be added, moved and removed at any time; only the
** first call allocates.  The shape of the tree depends on the order of those calls; its results do not. */
#ifndef BRIO_GEOMETRY_BOX_TREE_H
#define BRIO_GEOMETRY_BOX_TREE_H

#include "geometry/box.h"

typedef struct brio_box_tree_node {
  brio_box box;      /* around all below */
  int parent;        /* -1: the root, or a free node; free nodes chain by child[0] */
  int child[2];      /* -1: a leaf */
  int height;        /* 0: a leaf */
  int item;          /* of a leaf: the caller's number */
} brio_box_tree_node;

typedef struct brio_box_tree {
  brio_box_tree_node *nodes; /* 2 capacity; owned */
  int root;              /* -1: none */
  int spare, used;       /* freed nodes (-1: none); nodes ever used */
} brio_box_tree;

/* Allocate room for `capacity` boxes.  Return false if there is no memory. */
bool brio_box_tree_start(brio_box_tree *tree, int capacity);

/* Free its memory, also when partly allocated. */
void brio_box_tree_end(brio_box_tree *tree);

/* Add a box of finite numbers; return its leaf, which stays until it is removed.  There must be room. */
int brio_box_tree_add(brio_box_tree *tree, const brio_box *box, int item);

/* Remove a leaf. */
void brio_box_tree_remove(brio_box_tree *tree, int leaf);

/* Write the items whose boxes overlap `box` into `out`, which has room for all items, in arbitrary order;
** return their number. */
int brio_box_tree_find(const brio_box_tree *tree, const brio_box *box, int *out);

/* Called for an item that may be closer than `most`; return its distance, or anything above `most`. */
typedef double brio_box_tree_measure(void *context, int item, double most);

/* Return the minimum of `most` and the results of `measure`, which is called only for items whose boxes
** are closer to `box` than the minimum so far. */
double brio_box_tree_nearest(const brio_box_tree *tree, const brio_box *box, double most,
                             brio_box_tree_measure *measure, void *context);

#endif
