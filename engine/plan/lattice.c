/* Footholds in a table with open addressing, and a binary heap of them that knows where each stands in it.  Both are as
** large from the beginning as they will ever be.  Equal ranks go by the order in which nodes were made, so
** nothing depends on addresses. */
#include "plan/lattice.h"

#include <stdlib.h>
#include <string.h>

#define FAR_CELLS 500000L /* a cell's number is within this */

static uint64_t key_of(int special, brio_side side, long x, long y, int heading) {
  return (uint64_t)special << 62 | (uint64_t)side << 61 | (uint64_t)heading << 48 | (uint64_t)(x + FAR_CELLS) << 24 |
         (uint64_t)(y + FAR_CELLS);
}

static uint32_t hash_of(uint64_t key) {
  key ^= key >> 31;
  key *= 0x9e3779b97f4a7c15u;
  key ^= key >> 29;
  return (uint32_t)(key * 0xbf58476d1ce4e5b9u >> 32);
}

void brio_lattice_cell(const brio_lattice *lattice, brio_spot spot, long *x, long *y, int *heading) {
  *x = lround(spot.x / lattice->cell);
  *y = lround(spot.y / lattice->cell);
  long turn = lround(spot.yaw * lattice->headings / (2 * BRIO_PI)) % lattice->headings;
  *heading = (int)(turn < 0 ? turn + lattice->headings : turn);
}

bool brio_lattice_start(brio_lattice *lattice, brio_plan *plan, brio_error *err) {
  *lattice = (brio_lattice){.plan = plan, .headings = (int)plan->settings.headings, .cell = plan->settings.cell,
                            .most = (int)plan->settings.most_nodes, .why = ""};
  brio_arena *arena = &plan->arena;
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
  memset(lattice->table, -1, room * sizeof *lattice->table);
  for (int side = 0; side < 2; side++) {
    long x, y;
    int heading;
    brio_lattice_cell(lattice, plan->goal[side], &x, &y, &heading);
    lattice->goal_keys[side] = key_of(BRIO_LATTICE_CELL, (brio_side)side, x, y, heading);
  }
  return true;
}

/* --- nodes --- */

/* The slot of a key: where it is, or where it would be. */
static uint32_t slot_of(const brio_lattice *lattice, uint64_t key) {
  uint32_t slot = hash_of(key) & lattice->mask;
  while (lattice->table[slot] >= 0 && lattice->nodes[lattice->table[slot]].key != key) slot = (slot + 1) & lattice->mask;
  return slot;
}

/* Whether the body has room where a foot stands. */
static bool has_room(const brio_lattice *lattice, brio_side side, brio_spot spot) {
  const brio_plan *plan = lattice->plan;
  if ((plan->obstacles.count == 0 && !plan->has_map) || plan->settings.body_radius <= 0) return true;
  brio_spot body = brio_spot_at(spot, 0, -brio_side_sign(side) * plan->settings.hip_width, 0);
  return brio_plan_distance(plan, body) >= plan->settings.body_radius;
}

/* Put a foothold on the ground. */
static void stand(brio_lattice *lattice, brio_lattice_node *node, brio_spot spot) {
  const brio_plan *plan = lattice->plan;
  brio_foothold hold = {.area = 1};
  bool known = node->special == BRIO_LATTICE_START; /* there it stands already */
  node->stands = true;
  if (!brio_ground_foothold(plan->request.ground, &plan->settings, spot, &hold, &lattice->why)) {
    hold.pose = plan->request.start[node->side];
    node->stands = known;
  }
  brio_vec3 up = brio_quat_rotate(hold.pose.q, (brio_vec3){0, 0, 1});
  node->z = (float)hold.pose.p.z, node->area = (float)hold.area;
  node->a = (float)(-up.x / up.z), node->b = (float)(-up.y / up.z);
  if (!node->stands || known || has_room(lattice, (brio_side)node->side, spot)) return;
  node->stands = false;
  lattice->why = "the body would be too near to what is there";
}

static int make(brio_lattice *lattice, uint32_t slot, uint64_t key, int special, brio_side side, brio_spot spot) {
  if (lattice->count == lattice->most) return BRIO_NODE_NONE;
  int index = lattice->count++;
  brio_lattice_node *node = &lattice->nodes[index];
  *node = (brio_lattice_node){.key = key, .cost = INFINITY, .parent = -1, .place = -1, .side = (int8_t)side,
                              .special = (uint8_t)special};
  lattice->spots[index] = spot;
  lattice->table[slot] = index;
  if (special != BRIO_LATTICE_END) stand(lattice, node, spot);
  return index;
}

int brio_lattice_special(brio_lattice *lattice, int special, brio_side side, brio_spot spot) {
  uint64_t key = key_of(special, side, 0, 0, 0);
  uint32_t slot = slot_of(lattice, key);
  if (lattice->table[slot] >= 0) return lattice->table[slot];
  return make(lattice, slot, key, special, side, spot);
}

int brio_lattice_at(brio_lattice *lattice, brio_side side, long x, long y, int heading) {
  if (labs(x) >= FAR_CELLS || labs(y) >= FAR_CELLS) return BRIO_NODE_NONE;
  uint64_t key = key_of(BRIO_LATTICE_CELL, side, x, y, heading);
  if (key == lattice->goal_keys[side]) return brio_lattice_special(lattice, BRIO_LATTICE_GOAL, side, lattice->plan->goal[side]);
  uint32_t slot = slot_of(lattice, key);
  if (lattice->table[slot] >= 0) return lattice->table[slot];
  brio_spot spot = {(double)x * lattice->cell, (double)y * lattice->cell,
                    brio_angle_wrap(heading * 2 * BRIO_PI / lattice->headings)};
  return make(lattice, slot, key, BRIO_LATTICE_CELL, side, spot);
}

/* --- the queue --- */

static bool before(const brio_lattice *lattice, int32_t a, int32_t b) {
  return lattice->ranks[a] != lattice->ranks[b] ? lattice->ranks[a] < lattice->ranks[b] : a < b;
}

static void put(brio_lattice *lattice, int place, int32_t node) {
  lattice->queue[place] = node;
  lattice->nodes[node].place = place;
}

void brio_lattice_push(brio_lattice *lattice, int node, double rank) {
  int place = lattice->nodes[node].place >= 0 ? lattice->nodes[node].place : lattice->nqueue++;
  lattice->ranks[node] = rank;
  while (place > 0 && before(lattice, node, lattice->queue[(place - 1) / 2])) {
    put(lattice, place, lattice->queue[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  put(lattice, place, node);
}

int brio_lattice_pop(brio_lattice *lattice) {
  if (lattice->nqueue == 0) return BRIO_NODE_NONE;
  int first = lattice->queue[0], last = lattice->queue[--lattice->nqueue], place = 0;
  lattice->nodes[first].place = -1;
  if (lattice->nqueue == 0) return first;
  for (;;) {
    int child = 2 * place + 1;
    if (child >= lattice->nqueue) break;
    if (child + 1 < lattice->nqueue && before(lattice, lattice->queue[child + 1], lattice->queue[child])) child++;
    if (!before(lattice, lattice->queue[child], last)) break;
    put(lattice, place, lattice->queue[child]);
    place = child;
  }
  put(lattice, place, last);
  return first;
}
