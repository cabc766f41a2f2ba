/* The lattice that feet are searched on: footholds, known by the cell and heading that they are in, in a
** table of fixed size.  A foothold is made when it is first reached: it is then put on the ground and held
** against what is in the way, once.  The places where the feet begin and where they should arrive are nodes
** of their own, exactly there. */
#ifndef BRIO_PLAN_LATTICE_H
#define BRIO_PLAN_LATTICE_H

#include "plan/planner.h"

enum { BRIO_NODE_NONE = -1 };

typedef struct brio_lattice_node {
  uint64_t key;
  double cost;               /* of the best way to it so far; INFINITY: none */
  float z, area;
  float a, b;                /* slope of the ground */
  int32_t parent;            /* node before it; -1: none */
  int32_t place;             /* in the queue; -1: not in it */
  int16_t heading;
  int8_t side;
  bool stands;               /* a foot can stand there, and the body above */
  uint8_t special;           /* 0: on the lattice; else the exact place that it is, see below */
} brio_lattice_node;

/* Exact places: where feet begin, where they should arrive, and the end, which is both feet there. */
enum { BRIO_LATTICE_CELL, BRIO_LATTICE_START, BRIO_LATTICE_GOAL, BRIO_LATTICE_END };

typedef struct brio_lattice {
  const brio_plan *plan;
  int headings;
  double cell;
  int most, count;           /* nodes: room, and made so far */
  brio_lattice_node *nodes;
  brio_spot *spots;          /* of the nodes */
  uint32_t mask;
  int32_t *table;            /* mask + 1: indices of nodes by key; -1: free */
  uint64_t goal_keys[2];     /* the cells that the goal's footholds are in */
  int nqueue;
  int32_t *queue;            /* a heap, least first */
  double *ranks;             /* most: what a node in the queue is ordered by */
  const char *why;           /* why the last foothold does not carry */
} brio_lattice;

/* Take memory for it.  Errors: no_memory. */
bool brio_lattice_start(brio_lattice *lattice, brio_plan *plan, brio_error *err);

/* Return the exact node of a kind and side (made once); -1: no room. */
int brio_lattice_special(brio_lattice *lattice, int special, brio_side side, brio_spot spot);

/* Return the node of a cell, made if it must be, which may be the goal's own; -1: no room. */
int brio_lattice_at(brio_lattice *lattice, brio_side side, long x, long y, int heading);

/* The cell that a place is in. */
void brio_lattice_cell(const brio_lattice *lattice, brio_spot spot, long *x, long *y, int *heading);

/* Put a node into the queue, or move it forward: its rank may only fall. */
void brio_lattice_push(brio_lattice *lattice, int node, double rank);
/* Take the first node from the queue; -1: it is empty. */
int brio_lattice_pop(brio_lattice *lattice);

#endif
