/* Results of pruning, kept for the next solver of the same robot: a run, its tests and inverse kinematics
** make several. A robot is identified by every number that pruning reads: joints, their ranges and couplings,
** shapes and their poses. Tightened limits make another robot.
**
** The memo is in memory, owned by the code that makes solvers, and not in a file: pruning a robot that
** ships takes 0.2 to 2 ms (one core of an AMD EPYC), which reading and checking a file would hardly beat. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/solver_internal.h"

enum { MAX_ROBOTS = 64 }; /* robots that are kept; then the oldest is replaced */

/* What is kept of one robot. */
typedef struct memo_entry {
  brio_pairs_key key;
  int nlink, npair;
  int (*links)[2];
  brio_proximity_pair *pairs;
} memo_entry;

/* A ring of entries: `next` is the one to be written next. */
struct brio_pairs_memo {
  memo_entry entry[MAX_ROBOTS];
  int count, next, hits;
};

brio_pairs_memo *brio_pairs_memo_new(void) { return calloc(1, sizeof(brio_pairs_memo)); }

/* Free what an entry owns, and empty it. */
static void clear(memo_entry *entry) {
  free(entry->key.numbers);
  free(entry->links);
  free(entry->pairs);
  *entry = (memo_entry){0};
}

void brio_pairs_memo_free(brio_pairs_memo *memo) {
  for (int i = 0; memo && i < memo->count; i++) clear(&memo->entry[i]);
  free(memo);
}

int brio_pairs_memo_hits(const brio_pairs_memo *memo) { return memo->hits; }

/* --- the numbers of a robot --- */

/* Numbers one after the other; `count` goes on where there is no room. */
typedef struct numbers {
  double *at;
  size_t count, room;
} numbers;

/* Append numbers; without room they are only counted. */
static void add(numbers *n, const double *values, int count) {
  for (int i = 0; i < count; i++, n->count++)
    if (n->count < n->room) n->at[n->count] = values[i];
}

/* Append one number; indices and kinds become doubles. */
static void add_one(numbers *n, double value) { add(n, &value, 1); }

/* All numbers of a joint that determine how it moves its child; limits are with the variables. */
static void add_joint(numbers *n, const brio_joint *joint) {
  const double plain[] = {joint->type,      joint->parent, joint->child,      joint->variable,
                          joint->nvariable, joint->mimic,  joint->multiplier, joint->offset};
  add(n, plain, 8);
  add(n, joint->origin.r, 9);
  add(n, &joint->origin.p.x, 3);
  add(n, joint->tail.r, 9);
  add(n, &joint->tail.p.x, 3);
  add(n, &joint->axis.x, 3);
}

/* Position and extent of a shape. The points of a hull count by value. */
static void add_shape(numbers *n, const brio_link_shape *shape) {
  add_one(n, shape->link);
  add(n, &shape->pose.p.x, 3);
  add(n, &shape->pose.q.x, 4);
  add_one(n, shape->shape.kind);
  add(n, &shape->shape.size.x, 3);
  add_one(n, shape->shape.npoint);
  for (int i = 0; i < shape->shape.npoint; i++) add(n, &shape->shape.points[i].x, 3);
}

/* The numbers that pruning reads. Counts come first, so that no two robots give the same sequence. */
static void add_robot(numbers *n, const brio_robot *robot, double range) {
  const double counts[] = {robot->nlink, robot->njoint,   robot->nvariable, robot->ncollision,
                           robot->base,  robot->nexclude, range};
  add(n, counts, 7);
  add(n, robot->base_range, 6);
  for (int i = 0; i < robot->nlink; i++)
    add_one(n, robot->links[i].parent), add_one(n, robot->links[i].joint);
  for (int i = 0; i < robot->njoint; i++) add_joint(n, &robot->joints[i]);
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *v = &robot->variables[i];
    const double plain[] = {v->circular, v->angular, v->lower, v->upper};
    add(n, plain, 4);
  }
  for (int i = 0; i < robot->ncollision; i++) add_shape(n, &robot->collisions[i]);
  for (int i = 0; i < robot->nexclude; i++)
    for (int k = 0; k < 2; k++) add_one(n, robot->excludes[i].links[k]);
}

/* Return the key of a solver's robot; when there is no memory, an empty one. */
static brio_pairs_key key_of(const brio_solver *solver) {
  /* The first pass counts the numbers, the second writes them. */
  numbers count = {0}, all = {0};
  add_robot(&count, solver->robot, solver->range);
  all.room = count.count;
  all.at = malloc((all.room + 1) * sizeof *all.at);
  if (all.at) add_robot(&all, solver->robot, solver->range);
  return (brio_pairs_key){all.at, all.count};
}

/* --- keeping and finding --- */

/* Return the entry of a key, or NULL: the numbers are equal to the bit. */
static const memo_entry *find(const brio_pairs_memo *memo, const brio_pairs_key *key) {
  for (int i = 0; i < memo->count; i++) {
    const brio_pairs_key *other = &memo->entry[i].key;
    if (other->count == key->count &&
        memcmp(other->numbers, key->numbers, key->count * sizeof *key->numbers) == 0)
      return &memo->entry[i];
  }
  return NULL;
}

/* Take pairs over; return whether there was memory for them. */
static bool take(brio_collision *collision, const int (*links)[2], int nlink,
                 const brio_proximity_pair *pairs, int npair) {
  if (!brio_watch_reserve(&collision->watch, npair)) return false;
  /* One more than needed: calloc of 0 elements may return NULL. */
  collision->self_links = calloc((size_t)nlink + 1, sizeof *collision->self_links);
  if (!collision->self_links) return false;
  memcpy(collision->self_links, links, (size_t)nlink * sizeof *links);
  memcpy(collision->watch.pairs, pairs, (size_t)npair * sizeof *pairs);
  collision->nself_links = nlink;
  collision->watch.npair = npair;
  return true;
}

/* Only pairs of the robot alone: the watch lists those with shapes itself. */
bool brio_pairs_copy(const brio_collision *from, brio_collision *to) {
  assert(from->robot == to->robot && to->watch.npair == 0);
  const int (*links)[2] = (const int (*)[2])from->self_links;
  return take(to, links, from->nself_links, from->watch.pairs, from->watch.nfixed);
}

/* The caller passes the key on to brio_pairs_memo_keep; it is empty where there is no memo or no memory, or
** where the pairs were found. */
bool brio_pairs_memo_recall(brio_pairs_memo *memo, const brio_solver *solver, brio_pairs_key *key,
                            brio_collision *collision) {
  *key = memo ? key_of(solver) : (brio_pairs_key){0};
  const memo_entry *entry = key->numbers ? find(memo, key) : NULL;
  if (!entry) return false;
  const int (*links)[2] = (const int (*)[2])entry->links;
  if (!take(collision, links, entry->nlink, entry->pairs, entry->npair)) return false;
  free(key->numbers);
  memo->hits++;
  return true;
}

/* O(pairs). Without memory nothing is kept, and the next solver prunes again. */
void brio_pairs_memo_keep(brio_pairs_memo *memo, brio_pairs_key key, const brio_collision *collision) {
  memo_entry entry = {.key = key, .nlink = collision->nself_links, .npair = collision->watch.npair};
  if (!key.numbers) return;
  entry.links = malloc(((size_t)entry.nlink + 1) * sizeof *entry.links);
  entry.pairs = malloc(((size_t)entry.npair + 1) * sizeof *entry.pairs);
  if (!entry.links || !entry.pairs) {
    clear(&entry);
    return;
  }
  memcpy(entry.links, collision->self_links, (size_t)entry.nlink * sizeof *entry.links);
  memcpy(entry.pairs, collision->watch.pairs, (size_t)entry.npair * sizeof *entry.pairs);
  /* The oldest entry makes room. */
  assert(memo->next >= 0 && memo->next < MAX_ROBOTS && memo->count <= MAX_ROBOTS);
  clear(&memo->entry[memo->next]);
  memo->entry[memo->next] = entry;
  memo->next = (memo->next + 1) % MAX_ROBOTS;
  if (memo->count < MAX_ROBOTS) memo->count++;
}
