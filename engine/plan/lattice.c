/* Footholds in a hash table with open addressing, and a binary heap of them in which each node
** knows its place. Both have their full size from the beginning; the table is at most half full.
** Equal ranks are ordered by the age of the nodes, so nothing depends on addresses. */
#include "plan/lattice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FAR_CELLS 500000L /* a cell's number is within this */

/* Bits: 62 the kind, 61 the side, 48 the heading, 24 and 0 the cell. */
static uint64_t key_of(int special, brio_side side, long x, long y, int heading) {
  assert(special >= BRIO_LATTICE_CELL && special <= BRIO_LATTICE_END && heading >= 0 && heading < 1 << 13);
  return (uint64_t)special << 62 | (uint64_t)side << 61 | (uint64_t)heading << 48 |
         (uint64_t)(x + FAR_CELLS) << 24 | (uint64_t)(y + FAR_CELLS);
}

/* Mix all bits of a key into the low ones. */
static uint32_t hash_of(uint64_t key) {
  key ^= key >> 31;
  key *= 0x9e3779b97f4a7c15u;
  key ^= key >> 29;
  return (uint32_t)(key * 0xbf58476d1ce4e5b9u >> 32);
}

/* The nearest cell and heading; headings count from 0, around the circle. */
void brio_lattice_cell(const brio_lattice *lattice, brio_spot spot, long *x, long *y, int *heading) {
  assert(lattice->cell > 0 && lattice->headings > 0);
  *x = lround(spot.x / lattice->cell);
  *y = lround(spot.y / lattice->cell);
  long turn = lround(spot.yaw * lattice->headings / (2 * BRIO_PI)) % lattice->headings;
  *heading = (int)(turn < 0 ? turn + lattice->headings : turn);
}

/* O(most_nodes) bytes and time; later nothing is allocated. */
bool brio_lattice_start(brio_lattice *lattice, brio_plan *plan, brio_error *err) {
  *lattice = (brio_lattice){.plan = plan,
                            .headings = (int)plan->settings.headings,
                            .cell = plan->settings.cell,
                            .most = (int)plan->settings.most_nodes,
                            .why = ""};
  brio_arena *arena = &plan->arena;
  /* A power of two, and at least twice the number of nodes. */
  uint32_t room = 64;
  while (room < 2u * (uint32_t)lattice->most) room *= 2;
  lattice->mask = room - 1;
  lattice->nodes = BRIO_TAKE(arena, brio_lattice_node, lattice->most);
  lattice->spots = BRIO_TAKE(arena, brio_spot, lattice->most);
  lattice->queue = BRIO_TAKE(arena, int32_t, lattice->most);
  lattice->ranks = BRIO_TAKE(arena, double, lattice->most);
  lattice->table = BRIO_TAKE(arena, int32_t, room);
  if (!lattice->nodes || !lattice->spots || !lattice->queue || !lattice->ranks || !lattice->table)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d footholds (most_nodes)", lattice->most);
  /* All slots are free; -1 has all its bytes 255. */
  memset(lattice->table, -1, room * sizeof *lattice->table);
  /* The cells of the goal's footholds are remembered, for they lead to the exact places instead. */
  for (int side = 0; side < 2; side++) {
    long x, y;
    int heading;
    brio_lattice_cell(lattice, plan->goal[side], &x, &y, &heading);
    lattice->goal_keys[side] = key_of(BRIO_LATTICE_CELL, (brio_side)side, x, y, heading);
  }
  return true;
}

/* --- nodes --- */

/* The slot of a key: where it is, or where it belongs. O(1) on average */
static uint32_t slot_of(const brio_lattice *lattice, uint64_t key) {
  assert(2 * (int64_t)lattice->count <= (int64_t)lattice->mask + 1);
  uint32_t slot = hash_of(key) & lattice->mask;
  while (lattice->table[slot] >= 0 && lattice->nodes[lattice->table[slot]].key != key)
    slot = (slot + 1) & lattice->mask;
  return slot;
}

/* Whether the body is far enough from what is in the way if a foot stands at a place. */
static bool has_room(const brio_lattice *lattice, brio_side side, brio_spot spot) {
  const brio_plan *plan = lattice->plan;
  /* Without obstacles, or without a body, there is room everywhere. */
  if ((plan->obstacles.count == 0 && !plan->has_map) || plan->settings.body_radius <= 0) return true;
  /* The middle of the body is hip_width from the foot, on the side of the other one. */
  brio_spot body = brio_spot_at(spot, 0, -brio_side_sign(side) * plan->settings.hip_width, 0);
  return brio_plan_distance(plan, body) >= plan->settings.body_radius;
}

/* Put a foothold on the ground, and find whether a foot can stand there. */
static void stand(brio_lattice *lattice, brio_lattice_node *node, brio_spot spot) {
  const brio_plan *plan = lattice->plan;
  brio_foothold hold = {.area = 1};
  bool known = node->special == BRIO_LATTICE_START; /* a foot stands there already */
  node->stands = true;
  if (!brio_ground_foothold(plan->request.ground, &plan->settings, spot, &hold, &lattice->why)) {
    hold.pose = plan->request.start[node->side];
    node->stands = known;
  }
  /* The ground's slope is where the sole's normal leans. */
  brio_vec3 up = brio_quat_rotate(hold.pose.q, (brio_vec3){0, 0, 1});
  node->z = (float)hold.pose.p.z, node->area = (float)hold.area;
  node->a = (float)(-up.x / up.z), node->b = (float)(-up.y / up.z);
  if (!node->stands || known || has_room(lattice, (brio_side)node->side, spot)) return;
  node->stands = false;
  lattice->why = "the body would be too near to an obstacle";
}

/* Make the node of a key that is not in the table; -1 if there is no room. */
static int make(brio_lattice *lattice, uint32_t slot, uint64_t key, int special, brio_side side,
                brio_spot spot) {
  assert(slot <= lattice->mask && lattice->table[slot] < 0);
  if (lattice->count == lattice->most) return BRIO_NODE_NONE;
  int index = lattice->count++;
  brio_lattice_node *node = &lattice->nodes[index];
  *node = (brio_lattice_node){.key = key, .cost = INFINITY, .parent = -1, .place = -1, .side = (int8_t)side,
                              .special = (uint8_t)special};
  lattice->spots[index] = spot;
  lattice->table[slot] = index;
  /* The end is no place: nothing stands there. */
  if (special != BRIO_LATTICE_END) stand(lattice, node, spot);
  return index;
}

/* Start, goal and end have nodes of their own, at their exact spots. */
int brio_lattice_special(brio_lattice *lattice, int special, brio_side side, brio_spot spot) {
  uint64_t key = key_of(special, side, 0, 0, 0);
  uint32_t slot = slot_of(lattice, key);
  if (lattice->table[slot] >= 0) return lattice->table[slot];
  return make(lattice, slot, key, special, side, spot);
}

/* A cell's node, made at its first use; BRIO_NODE_NONE: out of range, or no room. */
int brio_lattice_at(brio_lattice *lattice, brio_side side, long x, long y, int heading) {
  /* The limit keeps the cell within its bits of the key. */
  if (labs(x) >= FAR_CELLS || labs(y) >= FAR_CELLS) return BRIO_NODE_NONE;
  uint64_t key = key_of(BRIO_LATTICE_CELL, side, x, y, heading);
  /* The cell of the goal's foothold leads to its exact spot. */
  if (key == lattice->goal_keys[side])
    return brio_lattice_special(lattice, BRIO_LATTICE_GOAL, side, lattice->plan->goal[side]);
  uint32_t slot = slot_of(lattice, key);
  if (lattice->table[slot] >= 0) return lattice->table[slot];
  brio_spot spot = {(double)x * lattice->cell, (double)y * lattice->cell,
                    brio_angle_wrap(heading * 2 * BRIO_PI / lattice->headings)};
  return make(lattice, slot, key, BRIO_LATTICE_CELL, side, spot);
}

/* --- the queue --- */

/* The order of the heap: by rank, then by age. */
static bool before(const brio_lattice *lattice, int32_t a, int32_t b) {
  return lattice->ranks[a] != lattice->ranks[b] ? lattice->ranks[a] < lattice->ranks[b] : a < b;
}

/* Put a node at a place of the heap. */
static void put(brio_lattice *lattice, int place, int32_t node) {
  assert(place >= 0 && place < lattice->nqueue);
  lattice->queue[place] = node;
  lattice->nodes[node].place = place;
}

void brio_lattice_push(brio_lattice *lattice, int node, double rank) {
  assert(node >= 0 && node < lattice->count && lattice->nqueue <= lattice->most);
  assert(lattice->nodes[node].place < 0 || lattice->queue[lattice->nodes[node].place] == node);
  assert(lattice->nodes[node].place < 0 || rank <= lattice->ranks[node]);
  /* Ranks only fall, so a node only rises. O(log n) */
  int place = lattice->nodes[node].place >= 0 ? lattice->nodes[node].place : lattice->nqueue++;
  lattice->ranks[node] = rank;
  while (place > 0 && before(lattice, node, lattice->queue[(place - 1) / 2])) {
    put(lattice, place, lattice->queue[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  put(lattice, place, node);
}

/* BRIO_NODE_NONE: the queue is empty. */
int brio_lattice_pop(brio_lattice *lattice) {
  if (lattice->nqueue == 0) return BRIO_NODE_NONE;
  /* The last node goes to the root, and sinks below all that come before it. O(log n) */
  int first = lattice->queue[0], last = lattice->queue[--lattice->nqueue], place = 0;
  assert(lattice->nodes[first].place == 0);
  lattice->nodes[first].place = -1;
  if (lattice->nqueue == 0) return first;
  for (;;) {
    int child = 2 * place + 1;
    if (child >= lattice->nqueue) break;
    if (child + 1 < lattice->nqueue && before(lattice, lattice->queue[child + 1], lattice->queue[child]))
      child++;
    if (!before(lattice, lattice->queue[child], last)) break;
    put(lattice, place, lattice->queue[child]);
    place = child;
  }
  put(lattice, place, last);
  return first;
}
