/* The pairs of a robot's own links that are watched.
**
** Left out are pairs that cannot move against each other, neighbors (one carries the other; links without
** shapes between them do not count), and two kinds that random poses reveal: pairs that touch in nearly all
** of them, as their shapes overlap by construction, and pairs that never come near. Random poses seldom
** bring two hands together, so "never touched" is not enough for the latter: the least distance seen must
** exceed the difference between mean and least. Pairs that are clearly one or the other are decided early,
** so that most poses are tried for a few pairs only.
**
** The work is bounded: if MAX_WORK distances do not decide all pairs of a large robot, it gets fewer poses,
** at least MIN_SAMPLES. The fewer they are, the stricter is the rule for leaving a pair out. A robot with
** more than MAX_PAIRS pairs of shapes is rejected. Both limits are counted, not timed: the same robot
** always has the same pairs.
** Source: the idea of deciding by random samples is from MoveIt's set-up assistant (Chitta, Sucan and
** Cousins, 2012); the rules are ours. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "solver/solver_internal.h"

enum {
  SAMPLES = 256,       /* poses */
  FIRST_VERDICT = 32,  /* poses before anything is decided */
  MIN_SAMPLES = 8,
  MAX_WORK = 500000,  /* exact distances, but for the least poses: some 0.3 s of boxes */
  MAX_PAIRS = 250000, /* of shapes */
};

static const double NEAR = 0.1;         /* m: farther apart, spheres around them are exact enough */
static const double ALWAYS = 0.95;      /* share of poses in contact that means overlap */
static const double OVERLAP = 0.25;     /* the same where they touch in the neutral pose too */
static const double MIN_MARGIN = 0.001; /* m */

/* Statistics of a pair of links over the samples. */
typedef struct link_pair {
  int a, b;        /* links */
  int contacts;    /* poses in contact */
  double least, sum; /* m: least distance, and sum over the poses */
  double neutral;  /* m: distance in the neutral pose */
  double sample;   /* m: least distance in the pose at hand */
  bool open;       /* not decided yet */
  bool watched;
} link_pair;

/* The state of the search. */
typedef struct pruning {
  brio_collision *collision;
  brio_solver *solver;
  int *order, *first;         /* the bodies of link l: order[first[l]] up to order[first[l + 1]] */
  int *carrier;               /* of every group: the nearest group with shapes that carries it; -1: none */
  int *bodies;                /* of every group: how many */
  int *excluded;              /* of every link: by which other one, less one; see mark_excluded */
  link_pair *links;
  int count;
  brio_proximity_pair *pairs; /* npair: those of open link pairs */
  int *owner, npair;          /* which link pair each belongs to */
} pruning;

/* Whether joint `j` never moves. */
static bool rigid(const brio_robot *robot, int j) {
  const brio_joint *joint = &robot->joints[j];
  for (int i = 0; i < joint->nvariable; i++) {
    const brio_variable *variable = &robot->variables[joint->variable + i];
    if (variable->circular || variable->lower < variable->upper) return false;
  }
  return true;
}

/* Whether the base can move: then the world is a group of its own. */
static bool base_moves(const brio_robot *robot) {
  if (robot->base != BRIO_BASE_BOUNDED) return robot->base == BRIO_BASE_FREE;
  for (int i = 0; i < BRIO_BASE_NV; i++)
    if (robot->base_range[i] > 0) return true;
  return false;
}

/* A link that hangs from its parent by a rigid joint shares its group. O(links), as parents come before
** their children. */
void brio_collision_find_groups(brio_collision *collision) {
  const brio_robot *robot = collision->robot;
  int count = 0;
  for (int i = 0; i < robot->nlink; i++) {
    const brio_link *link = &robot->links[i];
    bool hangs = link->parent >= 0 && rigid(robot, link->joint);
    collision->group[i] = hangs ? collision->group[link->parent] : count++;
  }
  /* The last group is that of the world, which a fixed base joins. */
  collision->group[robot->nlink] = base_moves(robot) ? count : collision->group[0];
}

/* Sort the bodies by link, and count them by group: a counting sort, O(bodies + links). */
static void sort_bodies(pruning *p) {
  const brio_collision *collision = p->collision;
  int nlink = collision->robot->nlink;
  /* Count into the place after each link's own, then sum up: first[l + 1] is the end of link l. */
  for (int i = 0; i < collision->nrobot; i++) {
    p->first[collision->watch.bodies[i].frame + 1]++;
    p->bodies[collision->group[collision->watch.bodies[i].frame]]++;
  }
  for (int l = 0; l < nlink; l++) p->first[l + 1] += p->first[l];
  /* Going backwards keeps bodies of a link in their order; each end moves down to its beginning. */
  for (int i = collision->nrobot - 1; i >= 0; i--)
    p->order[--p->first[collision->watch.bodies[i].frame + 1]] = i;
  for (int l = 0; l < nlink; l++) p->first[l] = p->first[l + 1];
  assert(p->first[0] == 0);
  p->first[nlink] = collision->nrobot;
}

/* Find the carrier of each group: the nearest group that carries it and has shapes. O(links). */
static void find_carriers(pruning *p) {
  const brio_robot *robot = p->collision->robot;
  const int *group = p->collision->group;
  p->carrier[group[0]] = -1;
  for (int i = 1; i < robot->nlink; i++) {
    int up = group[robot->links[i].parent];
    if (up != group[i]) p->carrier[group[i]] = p->bodies[up] ? up : p->carrier[up];
  }
}

/* Return how many pairs of bodies are neither rigid together nor neighbors: all
** pairs, less those within a group, less those between a group and its carrier.
** O(links); counted as doubles, which do not overflow. */
static double count_pairs(const pruning *p) {
  double all = p->collision->nrobot, twice = all * all, joined = 0;
  for (int g = 0; g < p->collision->robot->nlink; g++) {
    double n = p->bodies[g];
    twice -= n * n;
    if (n > 0 && p->carrier[g] >= 0) joined += n * p->bodies[p->carrier[g]];
  }
  return twice / 2 - joined;
}

/* Whether a link has shapes: only such links can touch. */
static bool has_shape(const pruning *p, int link) { return p->first[link] < p->first[link + 1]; }

/* Mark with `i` + 1 the links that link `i` may touch, as the robot's file says. O(excludes) */
static void mark_excluded(const pruning *p, int i) {
  const brio_robot *robot = p->collision->robot;
  for (int k = 0; k < robot->nexclude; k++) {
    const int *links = robot->excludes[k].links;
    if (links[0] == i || links[1] == i) p->excluded[links[links[0] == i]] = i + 1;
  }
}

/* List the pairs of links with shapes that are neither rigid together nor neighbors, nor excluded.
** O(links (links + excludes)). */
static void list_candidates(pruning *p) {
  int nlink = p->collision->robot->nlink;
  const int *group = p->collision->group;
  for (int i = 0; i < nlink; i++) {
    mark_excluded(p, i);
    for (int j = i + 1; has_shape(p, i) && j < nlink; j++) {
      int a = group[i], b = group[j];
      if (!has_shape(p, j) || a == b || p->carrier[a] == b || p->carrier[b] == a) continue;
      if (p->excluded[j] == i + 1) continue;
      p->links[p->count++] = (link_pair){.a = i, .b = j, .least = INFINITY, .open = true};
    }
  }
}

/* List the pairs of bodies of a link pair at `pairs`, which may be NULL; return how many. */
static int list_bodies(const pruning *p, const link_pair *link, brio_proximity_pair *pairs) {
  int n = 0;
  for (int i = p->first[link->a]; pairs && i < p->first[link->a + 1]; i++)
    for (int j = p->first[link->b]; j < p->first[link->b + 1]; j++)
      pairs[n++] = brio_proximity_pair_of(p->order[i], p->order[j]);
  return (p->first[link->a + 1] - p->first[link->a]) * (p->first[link->b + 1] - p->first[link->b]);
}

/* List the pairs of bodies of the undecided link pairs; `owner` is the link pair of each. */
static void list_open(pruning *p) {
  p->npair = 0;
  for (int k = 0; k < p->count; k++) {
    if (!p->links[k].open) continue;
    assert(p->pairs != NULL && p->owner != NULL);
    int end = p->npair + list_bodies(p, &p->links[k], p->pairs + p->npair);
    while (p->npair < end) p->owner[p->npair++] = k;
  }
}

/* Draw a configuration within the limits; variables without ends stay within half a turn or half
** a metre of 0, those with one end also within as much of that. */
static void draw(const brio_robot *robot, brio_random *stream, double *q) {
  for (int i = 0; i < robot->nvariable; i++) {
    /* An end that is missing is put at `reach` from 0, or from the other end if that is farther out. */
    const brio_variable *variable = &robot->variables[i];
    double reach = variable->angular ? BRIO_PI : 0.5, lower = variable->lower, upper = variable->upper;
    if (!isfinite(lower)) lower = isfinite(upper) ? fmin(-reach, upper - reach) : -reach;
    if (!isfinite(upper)) upper = fmax(reach, lower + reach);
    q[BRIO_BASE_NQ + i] = brio_random_uniform(stream, lower, upper);
  }
}

/* Measure the pose at hand: the least distance of every open link pair.  Return how many distances had
** to be exact. */
static int measure(pruning *p) {
  brio_solver *solver = p->solver;
  /* A link pair is as near as the nearest of its pairs of bodies. */
  for (int k = 0; k < p->count; k++) p->links[k].sample = INFINITY;
  brio_state_update(&solver->state, solver->q);
  brio_proximity_query(p->collision->watch.bodies, p->collision->nrobot, solver->state.links, p->pairs,
                       p->npair, NEAR);
  int exact = 0;
  for (int i = 0; i < p->npair; i++) {
    assert(p->owner[i] >= 0 && p->owner[i] < p->count);
    link_pair *link = &p->links[p->owner[i]];
    if (p->pairs[i].near.distance < link->sample) link->sample = p->pairs[i].near.distance;
    exact += p->pairs[i].within;
  }
  return exact;
}

/* Whether a pair never comes near: no contact, and a least distance that
** exceeds `strictness` times what the mean is above it. */
static bool never(const link_pair *link, int samples, double strictness) {
  double mean = link->sum / samples;
  return !link->contacts && link->neutral > 0 && link->least > strictness * (mean - link->least);
}

/* Decide what can be decided after `samples` poses; after the `last`, all. Few poses decide little,
** and what they leave open is watched. */
static void judge(pruning *p, int samples, bool last) {
  assert(samples > 0);
  bool few = samples < FIRST_VERDICT;
  /* Before all poses are tried a decision needs a threefold margin, with few of them more. */
  double strictness = samples == SAMPLES ? 1 : few ? 3.0 * FIRST_VERDICT / samples : 3;
  for (int k = 0; k < p->count; k++) {
    link_pair *link = &p->links[k];
    if (!link->open) continue;
    /* Overlapping by construction, never near, or in contact now and then: the last is watched. */
    double share = (double)link->contacts / samples;
    bool surely = link->neutral <= 0 && share >= 3 * OVERLAP; /* no chance that it falls below */
    bool overlap = surely || (!few && (share >= ALWAYS || (link->neutral <= 0 && share >= OVERLAP)));
    bool never_near = never(link, samples, strictness);
    bool mixed = link->contacts > 0 && share < 0.8 * OVERLAP;
    link->open = !(last || mixed || never_near || surely);
    link->watched = !link->open && !overlap && !never_near;
  }
}

/* Add the pose at hand to the statistics of a pair. */
static void note_sample(link_pair *link) {
  if (!link->open) return;
  link->contacts += link->sample <= 0;
  link->sum += link->sample;
  if (link->sample < link->least) link->least = link->sample;
}

/* Try random poses until every pair is decided. */
static void sample(pruning *p) {
  /* The stream has a fixed seed: the same robot gets the same poses on every machine. */
  brio_random stream = brio_random_stream(0, "collision.pruning");
  brio_robot_neutral(p->solver->robot, p->solver->q);
  /* The neutral pose counts by itself: contact there hints at shapes that overlap by construction. */
  list_open(p);
  int verdict = FIRST_VERDICT, work = measure(p);
  for (int k = 0; k < p->count; k++) p->links[k].neutral = p->links[k].sample;
  /* Judge after 32, 64, 128 ... poses, each time for the pairs that are still open. */
  for (int done = 1; p->npair > 0; done++) {
    draw(p->solver->robot, &stream, p->solver->q);
    work += measure(p);
    for (int k = 0; k < p->count; k++) note_sample(&p->links[k]);
    bool last = done == SAMPLES || (done >= MIN_SAMPLES && work >= MAX_WORK);
    if (done < verdict && !last) continue;
    verdict *= 2;
    judge(p, done, last);
    list_open(p);
  }
}

/* Give every pair its margin: half the distance that it has in the neutral pose. Nearer than that
** it does not count as too near, as the robot is built that close. */
static void set_margins(brio_collision *collision, brio_solver *solver) {
  brio_robot_neutral(solver->robot, solver->q);
  brio_state_update(&solver->state, solver->q);
  brio_proximity_query(collision->watch.bodies, collision->nrobot, solver->state.links,
                       collision->watch.pairs, collision->watch.npair, solver->range);
  for (int i = 0; i < collision->watch.npair; i++) {
    brio_proximity_pair *pair = &collision->watch.pairs[i];
    if (pair->within && pair->near.distance > 0) pair->margin = fmax(0.5 * pair->near.distance, MIN_MARGIN);
    /* The cache was filled for this pose; the first query of the watch starts from nothing. */
    pair->cache = (brio_distance_cache){0};
  }
}

/* Write the pairs that are to be watched into the watch, and their links into self_links. */
static bool keep(const pruning *p) {
  brio_collision *collision = p->collision;
  /* Count first, so that memory is taken once. */
  int npair = 0, nlink = 0;
  for (int k = 0; k < p->count; k++)
    if (p->links[k].watched) nlink++, npair += list_bodies(p, &p->links[k], NULL);
  collision->self_links = calloc((size_t)nlink + 1, sizeof *collision->self_links);
  if (!collision->self_links || !brio_watch_reserve(&collision->watch, npair)) return false;
  /* The order is that of the links: pairs keep their places in the watch for good. */
  for (int k = 0; k < p->count; k++) {
    const link_pair *link = &p->links[k];
    if (!link->watched) continue;
    collision->self_links[collision->nself_links][0] = link->a;
    collision->self_links[collision->nself_links++][1] = link->b;
    collision->watch.npair += list_bodies(p, link, collision->watch.pairs + collision->watch.npair);
  }
  assert(collision->nself_links == nlink && collision->watch.npair == npair);
  set_margins(collision, p->solver);
  return true;
}

/* Take memory by the number of links and bodies. */
static bool make_room(pruning *p) {
  size_t nlink = (size_t)p->collision->robot->nlink;
  p->order = calloc((size_t)p->collision->nrobot + 1, sizeof *p->order);
  p->first = calloc(nlink + 1, sizeof *p->first);
  p->carrier = calloc(nlink + 1, sizeof *p->carrier);
  p->bodies = calloc(nlink + 1, sizeof *p->bodies);
  p->excluded = calloc(nlink + 1, sizeof *p->excluded);
  return p->order && p->first && p->carrier && p->bodies && p->excluded;
}

/* Take memory for `most` pairs. */
static bool make_pairs(pruning *p, int most) {
  p->links = calloc((size_t)most + 1, sizeof *p->links);
  p->pairs = calloc((size_t)most + 1, sizeof *p->pairs);
  p->owner = calloc((size_t)most + 1, sizeof *p->owner);
  return p->links && p->pairs && p->owner;
}

/* Find the pairs and write them into the watch. Errors: limit, no_memory. */
static bool run(pruning *p, brio_error *err) {
  const char *name = p->solver->robot->name;
  if (!make_room(p)) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the shapes of robot '%.80s'", name);
  sort_bodies(p);
  find_carriers(p);
  /* Counted before they are listed: a robot with too many pairs takes no memory for them. */
  double most = count_pairs(p);
  if (most > MAX_PAIRS)
    return brio_fail(err, BRIO_LIMIT,
                     "%.0f pairs of collision shapes of robot '%.80s' might touch: expected fewer shapes, "
                     "with at most %d such pairs",
                     most, name, MAX_PAIRS);
  bool good = make_pairs(p, (int)most);
  if (good && most > 0) {
    list_candidates(p);
    sample(p);
  }
  if (good && keep(p)) return true;
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for the collision pairs of robot '%.80s'", name);
}

/* The memory of the search is freed whether it succeeded or not. */
bool brio_collision_prune(brio_collision *collision, brio_solver *solver, brio_pairs_memo *memo,
                          brio_error *err) {
  brio_pairs_key key;
  if (brio_pairs_memo_recall(memo, solver, &key, collision)) return true;
  pruning p = {.collision = collision, .solver = solver};
  bool good = run(&p, err);
  if (good) brio_pairs_memo_keep(memo, key, collision);
  else free(key.numbers);
  void *taken[] = {p.order, p.first, p.carrier, p.bodies, p.excluded, p.links, p.pairs, p.owner};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) free(taken[i]);
  return good;
}
