/* Straight motions, checked by pieces.  Wide pieces come first, spread over the motion, so that a motion that
** is blocked is found to be so early; each piece asks only for the items that its parent left open. */
#include <assert.h>
#include <string.h>

#include "plan/joints/checker_internal.h"

static const double FIRST = 0.15; /* m: no point goes farther from the middle of a first piece */
enum { MOST_FIRST = 64 };

/* Set the bounds of all items for the motion. */
static void set_bounds(brio_joint_checker *checker) {
  brio_joint_frames_bound(&checker->frames, checker->delta);
  for (int i = 0; i < checker->nmoving; i++) {
    const brio_checked_link *link = &checker->links[i];
    const brio_joint_bound *bound = &checker->frames.bounds[link->frame];
    checker->bounds[i] = (brio_checked_bound){bound->base + link->extent * bound->turn,
                                              bound->bend_base + link->extent * bound->bend};
  }
  /* Of a pair only the joints between its links count. */
  for (int k = 0; k < checker->nchain; k++) {
    brio_checked_chain *chain = &checker->chains[k];
    chain->bound = (brio_joint_bound){0, 0, 0, 0};
    for (int s = chain->first; s < chain->first + chain->count; s++)
      brio_joint_bound_add(&chain->bound, &checker->frames.list[checker->steps[s].frame],
                           checker->steps[s].length, checker->delta);
  }
  for (int k = 0; k < checker->npair; k++) {
    const brio_checked_pair *pair = &checker->pairs[k];
    const brio_checked_chain *chain = &checker->chains[pair->chain];
    const brio_joint_bound *bound = &chain->bound;
    double extent = chain->behind + checker->links[pair->b].extent;
    checker->bounds[checker->nmoving + k] =
        (brio_checked_bound){bound->base + extent * bound->turn, bound->bend_base + extent * bound->bend};
  }
}

/* Return place number `k` of the ring. */
static int place_of(const brio_joint_checker *checker, int k) {
  return (checker->first + k) % BRIO_JOINTS_PIECES;
}

/* Append a piece with the open items of `mask`.  Return false when there is no room. */
static bool push(brio_joint_checker *checker, double t, double half, const uint64_t *mask) {
  if (checker->waiting == BRIO_JOINTS_PIECES) return false;
  int at = place_of(checker, checker->waiting++);
  checker->pieces[at][0] = t, checker->pieces[at][1] = half;
  memcpy(checker->masks + (size_t)at * checker->nword, mask, (size_t)checker->nword * sizeof *mask);
  return true;
}

/* Return `k` with its lowest bits in reverse order, for `n` numbers, a power of two. */
static int reversed(int k, int n) {
  int out = 0;
  for (int bit = 1; bit < n; bit *= 2, k /= 2) out = 2 * out + (k & 1);
  return out;
}

uint64_t brio_joint_motion_begin(brio_joint_checker *checker, const double *x, const double *delta) {
  memcpy(checker->from, x, (size_t)checker->nx * sizeof *x);
  memcpy(checker->delta, delta, (size_t)checker->nx * sizeof *delta);
  checker->first = checker->waiting = 0;
  checker->probed = false;
  checker->verdict = BRIO_MOTION_OPEN;
  return ++checker->number;
}

uint64_t brio_joint_motion_number(const brio_joint_checker *checker) {
  return checker->number;
}

/* Look at the end of the motion, which decides most of those that are blocked; then make the pieces. */
static brio_joint_verdict probe(brio_joint_checker *checker) {
  /* Its bounds are not needed for that, and cost more than the look. */
  double end[BRIO_JOINTS_PLANNED];
  for (int i = 0; i < checker->nx; i++) end[i] = checker->from[i] + checker->delta[i];
  checker->probed = true;
  if (!brio_joint_frames_bounded(&checker->frames, checker->from) ||
      !brio_joint_frames_bounded(&checker->frames, end) || !brio_joint_checker_clear(checker, end))
    return BRIO_MOTION_BLOCKED;
  if (checker->keeps.count && !brio_joint_checker_motion_keeps(checker, checker->from, checker->delta))
    return BRIO_MOTION_BLOCKED;
  set_bounds(checker);
  uint64_t open[BRIO_CHECKED_WORDS] = {0};
  double fastest = 0;
  /* What does not move relative to the other one has been judged with the configuration that it began in. */
  for (int i = 0; i < checker->nitem; i++) {
    if (!(checker->bounds[i].speed == 0)) open[i / 64] |= (uint64_t)1 << i % 64;
    fastest = fmax(fastest, checker->bounds[i].speed);
  }
  /* As many first pieces as bring every point within FIRST of their middle. */
  int n = 1;
  while (n < MOST_FIRST && fastest > 2 * n * FIRST) n *= 2;
  for (int k = 0; k < n; k++) push(checker, (reversed(k, n) + 0.5) / n, 0.5 / n, open);
  return BRIO_MOTION_OPEN;
}

/* Return how far a point within `radius` of `center` (world) of a frame goes within `half` of here, as seen
** from frame `seen`: the least of both bounds. */
static double travel(const brio_joint_checker *checker, int item, int seen, int frame, brio_vec3 center,
                     double radius, double half) {
  const brio_joint_place *a = &checker->frames.places[seen], *b = &checker->frames.places[frame];
  const brio_checked_bound *bound = &checker->bounds[item];
  /* The velocity of the center, less that of the same point of the first frame. */
  brio_vec3 from_a = {center.x - a->world[3], center.y - a->world[7], center.z - a->world[11]};
  brio_vec3 from_b = {center.x - b->world[3], center.y - b->world[7], center.z - b->world[11]};
  brio_vec3 velocity = brio_vec3_add(b->velocity, brio_vec3_cross(b->spin, from_b));
  velocity = brio_vec3_sub(velocity, brio_vec3_add(a->velocity, brio_vec3_cross(a->spin, from_a)));
  double speed = brio_vec3_norm(velocity) + radius * brio_vec3_norm(brio_vec3_sub(b->spin, a->spin));
  double here = half * (speed + 0.5 * half * bound->curvature), always = half * bound->speed;
  /* The share for rounding is far below the resolution. */
  return (here < always ? here : always) * (1 + 1e-9);
}

/* Test an item at the middle of a piece of `half` the length; `need` gets the distance asked for. */
static brio_checked test_item(brio_joint_checker *checker, int item, double half, double *need) {
  if (item < checker->nmoving) {
    const brio_checked_link *link = &checker->links[item];
    *need = travel(checker, item, 0, link->frame, checker->centers[item], link->radius, half);
    return brio_checker_link(checker, item, *need);
  }
  const brio_checked_pair *pair = &checker->pairs[item - checker->nmoving];
  const brio_checked_link *a = &checker->links[pair->a], *b = &checker->links[pair->b];
  /* Most pairs are so far apart that the plain bound will do. */
  *need = half * checker->bounds[item].speed;
  if (brio_checker_apart(checker, pair, *need)) return BRIO_CHECKED_FREE;
  *need = travel(checker, item, a->frame, b->frame, checker->centers[pair->b], b->radius, half);
  return brio_checker_pair(checker, pair, *need);
}

/* Test the open items of a piece, and take those that are proven free out of `mask`.  Return false when the
** motion is blocked; `left` gets whether any is open. */
static bool test_piece(brio_joint_checker *checker, double half, uint64_t *mask, bool *left) {
  *left = false;
  for (int i = 0; i < checker->nitem; i++) {
    uint64_t bit = (uint64_t)1 << i % 64;
    if (!(mask[i / 64] & bit)) continue;
    /* Free: done. Near: the halves ask again, unless they are too short, which is no proof. */
    double need;
    brio_checked result = test_item(checker, i, half, &need);
    if (result == BRIO_CHECKED_HIT) return false;
    if (result == BRIO_CHECKED_FREE)
      mask[i / 64] &= ~bit;
    else if (!(need > checker->resolution))
      return false;
    else
      *left = true;
  }
  return true;
}

/* Check the first piece that waits; put its halves, if any item is left open, at the end. */
static brio_joint_verdict check_piece(brio_joint_checker *checker) {
  int at = place_of(checker, 0);
  double t = checker->pieces[at][0], half = checker->pieces[at][1], x[BRIO_JOINTS_PLANNED];
  /* Its mask is copied, as its place in the ring is free from now on. */
  uint64_t mask[BRIO_CHECKED_WORDS];
  memcpy(mask, checker->masks + (size_t)at * checker->nword, (size_t)checker->nword * sizeof *mask);
  checker->first = place_of(checker, 1);
  checker->waiting--;
  for (int i = 0; i < checker->nx; i++) x[i] = checker->from[i] + t * checker->delta[i];
  /* Where everything is at the middle, and how fast. */
  brio_checker_place(checker, x);
  brio_joint_frames_move(&checker->frames, checker->delta);
  bool left;
  if (!test_piece(checker, half, mask, &left)) return BRIO_MOTION_BLOCKED;
  if (left && !(push(checker, t - half / 2, half / 2, mask) && push(checker, t + half / 2, half / 2, mask)))
    return BRIO_MOTION_BLOCKED;
  return checker->waiting ? BRIO_MOTION_OPEN : BRIO_MOTION_CLEAR;
}

brio_joint_verdict brio_joint_motion_work(brio_joint_checker *checker, int budget, int *used) {
  for (*used = 0; *used < budget && checker->verdict == BRIO_MOTION_OPEN; ++*used)
    checker->verdict = checker->probed ? check_piece(checker) : probe(checker);
  return checker->verdict;
}

bool brio_joint_motion_clear(brio_joint_checker *checker, const double *x, const double *delta) {
  int used;
  brio_joint_motion_begin(checker, x, delta);
  while (brio_joint_motion_work(checker, 1 << 20, &used) == BRIO_MOTION_OPEN) {}
  return checker->verdict == BRIO_MOTION_CLEAR;
}
