/* The lattice that feet are searched on: footholds, known by the cell and heading that they are in, in a
** table of fixed size.  A foothold is created when it is first reached: it is then placed on the ground and
** checked against obstacles, once.  The start and goal places of the feet are nodes of their own, with their
** exact places. */
#ifndef BRIO_PLAN_LATTICE_H
#define BRIO_PLAN_LATTICE_H

#include "plan/planner.h"

enum { BRIO_NODE_NONE = -1 };

typedef struct brio_lattice_node {
  uint64_t key;
  double cost;               /* cost of the best path to it so far; INFINITY: none */
  float z, area;
  float a, b;                /* slope of the ground */
  int32_t parent;            /* node before it; -1: none */
  int32_t place;             /* in the queue; -1: not in it */
  int16_t heading;
  int8_t side;
  bool stands;               /* a foot can stand there, and the body above */
  uint8_t special;           /* 0: on the lattice; else its exact place, see below */
} brio_lattice_node;

/* Exact places: the start of the feet, their goal, and the end, which is both feet at the goal. */
enum { BRIO_LATTICE_CELL, BRIO_LATTICE_START, BRIO_LATTICE_GOAL, BRIO_LATTICE_END };

typedef struct brio_lattice {
  const brio_plan *plan;
  int headings;
  double cell;
  int most, count;           /* nodes: room, and number created so far */
  brio_lattice_node *nodes;
  brio_spot *spots;          /* of the nodes */
  uint32_t mask;
  int32_t *table;            /* mask + 1: hash table of node indices; -1: free */
  uint64_t goal_keys[2];     /* the cells that the goal's footholds are in */
  int nqueue;
  int32_t *queue;            /* a heap, least first */
  double *ranks;             /* most: what a node in the queue is ordered by */
  const char *why;           /* the reason why the last foothold has no support */
} brio_lattice;

/* Allocate its memory.  Errors: no_memory. */
bool brio_lattice_start(brio_lattice *lattice, brio_plan *plan, brio_error *err);

/* Return the exact node of a kind and side (created once); -1: no room. */
int brio_lattice_special(brio_lattice *lattice, int special, brio_side side, brio_spot spot);

/* Return the node of a cell, created if necessary, or the goal's own; -1: no room. */
int brio_lattice_at(brio_lattice *lattice, brio_side side, long x, long y, int heading);

/* Return the cell of a place. */
void brio_lattice_cell(const brio_lattice *lattice, brio_spot spot, long *x, long *y, int *heading);

/* Put a node into the queue, or move it forward: its rank may only decrease. */
void brio_lattice_push(brio_lattice *lattice, int node, double rank);
/* Remove the first node from the queue; -1: it is empty. */
int brio_lattice_pop(brio_lattice *lattice);

#endif
