/* Which pairs of a robot's own links are worth watching.
**
** Left out are pairs that cannot move against each other, neighbours (one carries the other,
** links without shapes between them not counted), and what random poses show: pairs that touch in
** nearly all of them, as their shapes overlap by construction, and pairs that never come near.
** Random poses seldom bring two hands together, so "never touched" is not enough for the
** last: the least distance seen must be greater than what it fell below the mean; a pair that
** comes as near as that once may come nearer yet.  Pairs that are plainly to be watched, or plainly
** not, are decided early, so that most poses are tried for a few pairs only.
** Source: the idea of deciding by random samples is MoveIt's set-up assistant's (Chitta,
** Sucan and Cousins, 2012); the rules are ours. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "solver/solver_internal.h"

enum { SAMPLES = 256, FIRST_VERDICT = 32 };

static const double NEAR = 0.1;         /* m: farther apart, spheres around them are exact enough */
static const double ALWAYS = 0.95;      /* share of poses in contact that means overlap */
static const double OVERLAP = 0.25;     /* the same where they touch in the neutral pose too */
static const double LEAST_MARGIN = 0.001; /* m */

/* What the samples say about a pair of links. */
typedef struct link_pair {
  int a, b;        /* links */
  int contacts;    /* poses in contact */
  double least, sum; /* m: least distance, and sum over the poses */
  double neutral;  /* m: distance in the neutral pose */
  double sample;   /* m: least distance in the pose at hand */
  bool open;       /* not decided yet */
  bool watched;
} link_pair;

/* Whether joint `j` never moves. */
static bool rigid(const brio_robot *robot, int j) {
  const brio_joint *joint = &robot->joints[j];
  for (int i = 0; i < joint->nvariable; i++) {
    const brio_variable *variable = &robot->variables[joint->variable + i];
    if (variable->circular || variable->lower < variable->upper) return false;
  }
  return true;
}

static bool base_moves(const brio_robot *robot) {
  if (robot->base != BRIO_BASE_BOUNDED) return robot->base == BRIO_BASE_FREE;
  for (int i = 0; i < BRIO_BASE_NV; i++)
    if (robot->base_range[i] > 0) return true;
  return false;
}

void brio_collision_find_groups(brio_collision *collision) {
  const brio_robot *robot = collision->robot;
  int count = 0;
  for (int i = 0; i < robot->nlink; i++) {
    const brio_link *link = &robot->links[i];
    bool hangs = link->parent >= 0 && rigid(robot, link->joint);
    collision->group[i] = hangs ? collision->group[link->parent] : count++;
  }
  collision->group[robot->nlink] = base_moves(robot) ? count : collision->group[0];
}

/* Write for every group the nearest group with shapes that carries it; -1: none. */
static bool find_carriers(const brio_collision *collision, int *carrier) {
  const brio_robot *robot = collision->robot;
  bool *shaped = calloc((size_t)robot->nlink + 1, sizeof *shaped);
  if (!shaped) return false;
  for (int i = 0; i < collision->nrobot; i++) shaped[collision->group[collision->bodies[i].frame]] = true;
  carrier[collision->group[0]] = -1;
  for (int i = 1; i < robot->nlink; i++) {
    int up = collision->group[robot->links[i].parent];
    if (up != collision->group[i]) carrier[collision->group[i]] = shaped[up] ? up : carrier[up];
  }
  free(shaped);
  return true;
}

static bool has_shape(const brio_collision *collision, int link) {
  for (int i = 0; i < collision->nrobot; i++)
    if (collision->bodies[i].frame == link) return true;
  return false;
}

/* List the pairs of links with shapes that are no neighbours; return how many, -1: no memory. */
static int list_candidates(const brio_collision *collision, link_pair **list) {
  int nlink = collision->robot->nlink, count = 0, nshaped = 0;
  const int *group = collision->group;
  int *carrier = calloc((size_t)nlink + 1, sizeof *carrier), *shaped = calloc((size_t)nlink, sizeof *shaped);
  bool good = carrier && shaped && find_carriers(collision, carrier);
  for (int i = 0; good && i < nlink; i++)
    if (has_shape(collision, i)) shaped[nshaped++] = i;
  *list = good ? calloc((size_t)nshaped * (size_t)nshaped / 2 + 1, sizeof **list) : NULL;
  for (int i = 0; *list && i < nshaped; i++)
    for (int j = i + 1; j < nshaped; j++) {
      int a = group[shaped[i]], b = group[shaped[j]];
      if (a == b || carrier[a] == b || carrier[b] == a) continue;
      (*list)[count++] = (link_pair){.a = shaped[i], .b = shaped[j], .least = INFINITY, .open = true};
    }
  free(carrier);
  free(shaped);
  return *list ? count : -1;
}

/* List the pairs of bodies of the link pairs that are `open` (or else watched), noting in
** `owner` which link pair each belongs to; return how many.  With NULL only count. */
static int list_bodies(const brio_collision *collision, const link_pair *links, int count, bool open,
                       brio_proximity_pair *pairs, int *owner) {
  int n = 0;
  for (int k = 0; k < count; k++) {
    if (!(open ? links[k].open : links[k].watched)) continue;
    for (int i = 0; i < collision->nrobot; i++)
      for (int j = 0; collision->bodies[i].frame == links[k].a && j < collision->nrobot; j++) {
        if (collision->bodies[j].frame != links[k].b) continue;
        if (pairs) pairs[n] = (brio_proximity_pair){.body_a = i, .body_b = j, .margin = INFINITY};
        if (owner) owner[n] = k;
        n++;
      }
  }
  return n;
}

/* Draw a configuration within the limits; variables without ends stay within half a turn or
** half a metre. */
static void draw(const brio_robot *robot, brio_random *stream, double *q) {
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *variable = &robot->variables[i];
    double reach = variable->angular ? BRIO_PI : 0.5;
    double lower = isfinite(variable->lower) ? variable->lower : -reach;
    double upper = isfinite(variable->upper) ? variable->upper : reach;
    q[BRIO_BASE_NQ + i] = brio_random_uniform(stream, lower, upper);
  }
}

/* Measure the pose at hand: the least distance of every open link pair. */
static void measure(brio_collision *collision, brio_solver *solver, link_pair *links, int count,
                    brio_proximity_pair *pairs, const int *owner, int npair) {
  for (int k = 0; k < count; k++) links[k].sample = INFINITY;
  brio_state_update(&solver->state, solver->q);
  brio_proximity_query(collision->bodies, collision->nrobot, solver->state.links, pairs, npair, NEAR);
  for (int i = 0; i < npair; i++) {
    link_pair *link = &links[owner[i]];
    if (pairs[i].near.distance < link->sample) link->sample = pairs[i].near.distance;
  }
}

static bool never(const link_pair *link, int samples, double strictness) {
  double mean = link->sum / samples;
  return !link->contacts && link->neutral > 0 && link->least > strictness * (mean - link->least);
}

/* Decide what can be decided after `samples` poses. */
static void judge(link_pair *links, int count, int samples) {
  bool last = samples == SAMPLES;
  for (int k = 0; k < count; k++) {
    link_pair *link = &links[k];
    if (!link->open) continue;
    double share = (double)link->contacts / samples;
    bool overlap = share >= ALWAYS || (link->neutral <= 0 && share >= OVERLAP);
    bool never_near = never(link, samples, last ? 1 : 3);
    bool mixed = link->contacts > 0 && share < 0.8 * OVERLAP;
    link->open = !(last || mixed || never_near);
    link->watched = !link->open && !overlap && !never_near;
  }
}

static void note_sample(link_pair *link) {
  if (!link->open) return;
  link->contacts += link->sample <= 0;
  link->sum += link->sample;
  if (link->sample < link->least) link->least = link->sample;
}

/* Try random poses until every pair is decided. */
static void sample(brio_collision *collision, brio_solver *solver, link_pair *links, int count,
                   brio_proximity_pair *pairs, int *owner) {
  brio_random stream = brio_random_stream(0, "collision.pruning");
  brio_robot_neutral(solver->robot, solver->q);
  int npair = list_bodies(collision, links, count, true, pairs, owner);
  measure(collision, solver, links, count, pairs, owner, npair);
  for (int k = 0; k < count; k++) links[k].neutral = links[k].sample;
  int verdict = FIRST_VERDICT;
  for (int done = 1; done <= SAMPLES && npair > 0; done++) {
    draw(solver->robot, &stream, solver->q);
    measure(collision, solver, links, count, pairs, owner, npair);
    for (int k = 0; k < count; k++) note_sample(&links[k]);
    if (done < verdict) continue;
    verdict *= 2;
    judge(links, count, done);
    npair = list_bodies(collision, links, count, true, pairs, owner);
  }
}

/* Give every pair its margin: half of the distance at which the robot is built to stand. */
static void set_margins(brio_collision *collision, brio_solver *solver) {
  brio_robot_neutral(solver->robot, solver->q);
  brio_state_update(&solver->state, solver->q);
  brio_proximity_query(collision->bodies, collision->nrobot, solver->state.links, collision->pairs,
                       collision->npair, solver->range);
  for (int i = 0; i < collision->npair; i++) {
    brio_proximity_pair *pair = &collision->pairs[i];
    if (pair->within && pair->near.distance > 0) pair->margin = fmax(0.5 * pair->near.distance, LEAST_MARGIN);
    pair->cache = (brio_distance_cache){0};
  }
}

/* Keep what is watched. */
static bool keep(brio_collision *collision, brio_solver *solver, const link_pair *links, int count) {
  int npair = list_bodies(collision, links, count, false, NULL, NULL);
  collision->self_links = calloc((size_t)count + 1, sizeof *collision->self_links);
  if (!collision->self_links || !brio_collision_reserve(collision, npair + 1)) return false;
  for (int k = 0; k < count; k++) {
    if (!links[k].watched) continue;
    collision->self_links[collision->nself_links][0] = links[k].a;
    collision->self_links[collision->nself_links++][1] = links[k].b;
  }
  collision->npair = list_bodies(collision, links, count, false, collision->pairs, NULL);
  set_margins(collision, solver);
  return true;
}

bool brio_collision_prune(brio_collision *collision, brio_solver *solver) {
  link_pair *links = NULL;
  int count = list_candidates(collision, &links);
  if (count < 0) return false;
  int npair = list_bodies(collision, links, count, true, NULL, NULL);
  brio_proximity_pair *pairs = calloc((size_t)npair + 1, sizeof *pairs);
  int *owner = calloc((size_t)npair + 1, sizeof *owner);
  bool good = pairs && owner;
  if (good) sample(collision, solver, links, count, pairs, owner);
  good = good && keep(collision, solver, links, count);
  free(pairs);
  free(owner);
  free(links);
  return good;
}
