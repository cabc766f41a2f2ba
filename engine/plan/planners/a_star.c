/* A* on a lattice of footholds: the cheapest steps, over regions, heights and past what is in the way.
** Source: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
** paths", 1968.
**
** A node is the foot that stands; its successors are all footholds of the other foot that a step
** may lead to. The end is reached by the step that sets a foot to its place at the goal while the
** other one stands at its own.
**
** The heuristic is admissible. Let m be the middle of the body as a foot sees it (hip_width towards
** the other foot). A step of way d and turn t moves m by at most d + hip_width t, since m turns
** about the foot's place. So for a way that moves m by D and turns by at least Y: sum d >= D -
** hip_width sum t, and sum t >= Y; the least cost under both is at one of two corners. Each step
** also costs cost_step, and no step moves m farther than the longest one. */
#include "plan/lattice.h"

#include <assert.h>
#include <string.h>

/* The state of a search, in the plan's arena. */
typedef struct footstep_search {
  brio_lattice lattice;
  long span;                  /* cells that a step may go, on each axis */
  int turns;                  /* headings that a step may turn, either way */
  double longest, sharpest;   /* m that the middle of the body goes with a step; rad that a foot turns */
  double goal_z[2];
  brio_spot goal_body[2];     /* the body, as each foot of the goal sees it */
  int nearest;                /* node that came nearest to the goal, for the sentence */
  double nearest_rest;
} footstep_search;

/* The middle of the body as a foot sees it. */
static brio_spot body_over(const brio_plan_settings *s, brio_side side, brio_spot spot) {
  return brio_spot_at(spot, 0, -brio_side_sign(side) * s->hip_width, 0);
}

/* The least cost of moving the body by D m and turning by Y rad: the cheaper of the two corners. */
static double least_way(const brio_plan_settings *s, double D, double Y) {
  double turning = fmax(0, D - s->hip_width * Y) + s->cost_turn * Y;
  double all = s->cost_turn * fmax(Y, D / s->hip_width);
  return fmin(turning, all);
}

/* A lower bound of the cost from a node to the end: the smaller one over both feet of the goal. */
static double rest_of(const footstep_search *search, int index) {
  const brio_plan_settings *s = &search->lattice.plan->settings;
  const brio_lattice_node *node = &search->lattice.nodes[index];
  if (node->special == BRIO_LATTICE_END) return 0;
  brio_spot body = body_over(s, (brio_side)node->side, search->lattice.spots[index]);
  double least = INFINITY;
  for (int side = 0; side < 2; side++) {
    double D = brio_spot_distance(body, search->goal_body[side]), up = fabs(node->z - search->goal_z[side]);
    double Y = fabs(brio_angle_wrap(search->goal_body[side].yaw - body.yaw));
    /* At least so many steps are left, and always one. */
    double steps = fmax(1, fmax(ceil(D / search->longest - 1e-6), ceil(Y / search->sharpest - 1e-6)));
    least = fmin(least, s->cost_step * steps + least_way(s, D, Y) + s->cost_height * fmax(0, up - 1e-5));
  }
  return least;
}

/* --- beginning --- */

/* Make the nodes of the goal, whose heights the heuristic needs. */
static bool check_goal(footstep_search *search, brio_plan *plan, brio_error *err) {
  for (int side = 0; side < 2; side++) {
    int node = brio_lattice_special(&search->lattice, BRIO_LATTICE_GOAL, (brio_side)side, plan->goal[side]);
    if (node < 0) return brio_fail(err, BRIO_LIMIT, "there is no room for the goal (most_nodes)");
    if (!search->lattice.nodes[node].stands)
      return brio_fail(err, BRIO_UNREACHABLE, "the %s foot cannot stand at the goal, (%.2f, %.2f): %s",
                       brio_side_name((brio_side)side), plan->goal[side].x, plan->goal[side].y,
                       search->lattice.why);
    search->goal_z[side] = search->lattice.nodes[node].z;
    search->goal_body[side] = body_over(&plan->settings, (brio_side)side, plan->goal[side]);
  }
  return true;
}

/* Either foot may stand first, unless the request names the one that swings. */
static void begin_at(footstep_search *search, brio_plan *plan) {
  for (int side = 0; side < 2; side++) {
    /* The foot that swings first does not stand. */
    if (plan->request.first >= 0 && plan->request.first == side) continue;
    int node = brio_lattice_special(&search->lattice, BRIO_LATTICE_START, (brio_side)side, plan->start[side]);
    if (node < 0) return;
    search->lattice.nodes[node].cost = 0;
    brio_lattice_push(&search->lattice, node, plan->settings.greed * rest_of(search, node));
  }
}

/* Errors: misuse, no_memory, limit, and unreachable (a foot cannot stand at the goal). */
static bool begin(brio_plan *plan, brio_error *err) {
  const brio_plan_settings *s = &plan->settings;
  footstep_search *search = BRIO_TAKE(&plan->arena, footstep_search, 1);
  if (!search) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a search");
  plan->own = search;
  if (!plan->request.goal_feet || plan->nwaypoint > 0)
    return brio_fail(err, BRIO_MISUSE, "the planner 'a_star' goes to places of both feet, without waypoints");
  if (!brio_lattice_start(&search->lattice, plan, err)) return false;
  /* Bounds of a single step, for the heuristic and the loops over cells; 1e-9 covers rounding. */
  double across = fmax(fabs(s->most_width - 2 * s->hip_width), fabs(s->least_width - 2 * s->hip_width));
  search->sharpest = fmax(s->outward, s->inward) + 1e-9;
  search->longest = hypot(s->reach, across) + s->hip_width * search->sharpest + 1e-9;
  search->span = lround(ceil(hypot(s->reach, s->most_width) / s->cell)) + 1;
  search->turns = (int)fmin(s->headings / 2, ceil(search->sharpest * s->headings / (2 * BRIO_PI)) + 1);
  search->nearest_rest = INFINITY;
  if (!check_goal(search, plan, err)) return false;
  begin_at(search, plan);
  return true;
}

/* --- searching --- */

/* Whether a foot stands at its place of the goal. */
static bool is_at_goal(const footstep_search *search, int index) {
  const brio_lattice_node *node = &search->lattice.nodes[index];
  return node->special == BRIO_LATTICE_GOAL ||
         (node->special == BRIO_LATTICE_START &&
          brio_spot_same(search->lattice.spots[index], search->lattice.plan->goal[node->side]));
}

/* The cost of a direction other than the goal's, if the request has face_goal. */
static double heading_cost(const brio_plan *plan, brio_spot to) {
  if (!plan->request.face_goal) return 0;
  return plan->settings.cost_heading * fabs(brio_angle_wrap(to.yaw - plan->goal_body.yaw));
}

/* A way over `from` leads to `to` at this cost in all: keep it if it is the cheapest so far. */
static void reach(footstep_search *search, int from, int to, double cost) {
  assert(from != to && from >= 0 && from < search->lattice.count && to < search->lattice.count);
  brio_lattice_node *node = &search->lattice.nodes[to];
  if (cost >= node->cost - 1e-12) return;
  node->cost = cost;
  node->parent = from;
  double rest = rest_of(search, to);
  if (rest < search->nearest_rest) search->nearest_rest = rest, search->nearest = to;
  brio_lattice_push(&search->lattice, to, cost + search->lattice.plan->settings.greed * rest);
}

/* Try the step from one node to another; the last step leads to the end itself. */
static void step(footstep_search *search, int from, int to) {
  brio_lattice *lattice = &search->lattice;
  const brio_plan *plan = lattice->plan;
  const brio_lattice_node *a = &lattice->nodes[from], *b = &lattice->nodes[to];
  double cost;
  if (!b->stands ||
      !brio_lattice_step(&plan->settings, (brio_side)a->side, lattice->spots[from], (double)a->z,
                         lattice->spots[to], (double)b->z, (double)b->area, &cost))
    return;
  cost += a->cost + heading_cost(plan, lattice->spots[to]);
  /* The step onto the goal ends the search if the other foot stands at its own place there. */
  bool ends = b->special == BRIO_LATTICE_GOAL && is_at_goal(search, from);
  if (ends) to = brio_lattice_special(lattice, BRIO_LATTICE_END, (brio_side)b->side, lattice->spots[to]);
  if (to >= 0) reach(search, from, to, cost);
}

/* What a step may go to, whichever way it faces: the frame of the standing foot. */
typedef struct footstep_range {
  double x, y, cosine, sine, out; /* out: +-1, to the side of the foot that swings */
} footstep_range;

/* Whether a cell's middle, or that of a cell beside it, is within a step. */
static bool may_reach(const brio_plan_settings *s, const footstep_range *range, double x, double y) {
  double dx = x - range->x, dy = y - range->y, slack = s->cell;
  double ahead = range->cosine * dx + range->sine * dy,
         width = range->out * (range->cosine * dy - range->sine * dx);
  return fabs(ahead) <= s->reach + slack && width >= s->least_width - slack && width <= s->most_width + slack;
}

/* Try all steps from a node; false if there is no room left. O(cells in reach * headings) */
static bool expand(footstep_search *search, int index) {
  assert(index >= 0 && index < search->lattice.count);
  brio_lattice *lattice = &search->lattice;
  const brio_plan_settings *s = &lattice->plan->settings;
  brio_side swings = brio_side_other((brio_side)lattice->nodes[index].side);
  brio_spot from = lattice->spots[index];
  footstep_range near = {from.x, from.y, cos(from.yaw), sin(from.yaw), brio_side_sign(swings)};
  double notch = 2 * BRIO_PI / lattice->headings;
  long cx, cy;
  int heading;
  brio_lattice_cell(lattice, from, &cx, &cy, &heading);
  /* All cells that a step may lead to, with all headings that it may turn to. */
  for (long x = cx - search->span; x <= cx + search->span; x++)
    for (long y = cy - search->span; y <= cy + search->span; y++) {
      if (!may_reach(s, &near, (double)x * s->cell, (double)y * s->cell)) continue;
      for (int turn = -search->turns; turn <= search->turns; turn++) {
        /* One heading of slack, for places between headings. */
        double out = near.out * turn * notch;
        if (out > s->outward + notch || out < -s->inward - notch) continue;
        int h = (heading + turn + lattice->headings) % lattice->headings;
        int to = brio_lattice_at(lattice, swings, x, y, h);
        if (to < 0) return false;
        step(search, index, to);
      }
    }
  return true;
}

/* Read the steps back from the end: each node but the first is a step. */
static bool read_back(brio_plan *plan, const footstep_search *search, int end, brio_error *err) {
  int count = 0;
  for (int i = end; search->lattice.nodes[i].parent >= 0; i = search->lattice.nodes[i].parent) count++;
  if (count > plan->room)
    return brio_fail(err, BRIO_UNREACHABLE, "the way takes %d steps, more than most_steps", count);
  assert(search->lattice.nodes[end].special == BRIO_LATTICE_END);
  plan->nstep = count;
  for (int i = end; count > 0; i = search->lattice.nodes[i].parent) {
    plan->spots[--count] = search->lattice.spots[i];
    plan->steps[count].side = (brio_side)search->lattice.nodes[i].side;
  }
  plan->effort.cost = search->lattice.nodes[end].cost;
  return true;
}

/* The message reports how near the search came, which distinguishes a blocked way from a low limit. */
static bool fail(const brio_plan *plan, const footstep_search *search, brio_code code, const char *what,
                 brio_error *err) {
  brio_spot at = search->lattice.spots[search->nearest];
  return brio_fail(
      err, code,
      "no steps to the goal were found: %s; of %lld footholds the nearest to it was at (%.2f, %.2f), "
      "%.2f m away",
      what, (long long)plan->effort.nodes, at.x, at.y, brio_spot_distance(at, plan->goal_body));
}

/* Pop and expand up to `budget` nodes. The cost found is at most `greed` times the least. */
static brio_search_status work(brio_plan *plan, int budget, brio_error *err) {
  footstep_search *search = plan->own;
  bool there = brio_spot_same(plan->start[0], plan->goal[0]) && brio_spot_same(plan->start[1], plan->goal[1]);
  if (there) return BRIO_SEARCH_FOUND;
  for (int i = 0; i < budget; i++) {
    int node = brio_lattice_pop(&search->lattice);
    /* The first time the end is the first of the queue, its cost is final (greed 1), or within greed of
    ** it. */
    plan->effort.nodes = search->lattice.count;
    if (node >= 0 && search->lattice.nodes[node].special == BRIO_LATTICE_END)
      return read_back(plan, search, node, err) ? BRIO_SEARCH_FOUND : BRIO_SEARCH_FAILED;
    const char *what = node < 0 ? "there is no way" : NULL;
    if (node >= 0 && (double)plan->effort.expansions++ >= plan->settings.most_expansions)
      what = "the search was given up (most_expansions)";
    else if (node >= 0 && !expand(search, node))
      what = "the search reached its limit (most_nodes)";
    if (!what) continue;
    fail(plan, search, node < 0 ? BRIO_UNREACHABLE : BRIO_LIMIT, what, err);
    return BRIO_SEARCH_FAILED;
  }
  return BRIO_SEARCH_GOES_ON;
}

const brio_planner brio_planner_a_star = {
    .name = "a_star",
    .doc = "The best steps on a lattice: over regions and heights, around obstacles.",
    .begin = begin,
    .work = work,
};
