/* A* over the cells of a map, to eight neighbors, and then as straight as cost allows. It finds a
** way wherever one leads through cells, and is certain if there is none.
** Source: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
** paths", 1968.
**
** The line between the middles of two cells is clear if both have `spare` room:
** where a and b are at least D from something, the point between them is at least
** sqrt(D^2 - |ab|^2 / 4) from it. Otherwise the line is checked. A cell costs more
** if nothing is known of it, and if it is near to something. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/body_path.h"

#define DIAGONAL 1.41421356237309504880
#define LONGER 1.001   /* rounding: a straight line may cost this many times what it replaces */

enum { PER_ROUND = 32 }; /* cells that are expanded in a round */

/* A cell is open while it is in the heap. */
typedef enum cell_mark { UNSEEN, OPEN, DONE } cell_mark;

/* The state of a search: arrays of one element a cell, in the arena. */
typedef struct grid_search {
  const brio_distance_map *map;
  int count;
  /* count: cost of the best way known to a cell; that and a lower bound of the rest */
  float *cost, *guess;
  float *room, *weight;     /* count: NAN where not computed yet; cost of a meter */
  int32_t *heap, *place;    /* open cells, least guess first; where a cell is in it */
  int32_t *parent;          /* count: the cell before; -1: the start */
  uint8_t *mark;
  int open, done;
  /* straightening */
  int32_t *chain;           /* cells from goal to start, then the other way about */
  int links, anchor, good, step, far;
} grid_search;

/* --- cells --- */

/* The middle of a cell in the world, m. */
static void middle_of(const grid_search *own, int cell, double p[2]) {
  p[0] = own->map->x + (cell % own->map->nx + 0.5) * own->map->cell;
  p[1] = own->map->y + (cell / own->map->nx + 0.5) * own->map->cell;
}

/* The room of a cell, m; negative if it is blocked. Computed once, with what a meter in it costs. */
static float room_of(brio_body_path *path, int cell) {
  grid_search *own = path->own;
  if (!isnan(own->room[cell])) return own->room[cell];
  double p[2], distance;
  middle_of(own, cell, p);
  double room = brio_body_path_room(path, p, &distance), r = path->request.clearance, weight = 1;
  if (own->map->states[cell] == BRIO_CELL_UNKNOWN) {
    weight += path->request.cost_unknown;
    if (path->request.known_only) room = -1;
  }
  /* What is near costs more, from twice the clearance on. */
  if (r > 0) weight += path->request.cost_near * fmin(1, fmax(0, 2 - distance / r));
  own->weight[cell] = (float)weight;
  return own->room[cell] = (float)fmin(room, 1e6);
}

/* The room from which on lines to neighbors are clear: sqrt(D^2 + c^2 / 2) - D, for the diagonal. */
static double spare_of(const brio_body_path *path, const grid_search *own) {
  double c = own->map->cell, needed = path->request.clearance + c / DIAGONAL;
  return sqrt(needed * needed + c * c / 2) - needed;
}

/* Whether the body may go from a cell to its neighbor. */
static bool may_go(brio_body_path *path, int from, int to, double spare) {
  grid_search *own = path->own;
  double a[2], b[2];
  float here = room_of(path, from), there = room_of(path, to);
  if (there < 0) return false;
  /* With room to spare at both ends the line needs no check. */
  if ((double)here >= spare && (double)there >= spare) return true;
  middle_of(own, from, a);
  middle_of(own, to, b);
  return brio_body_path_clear(path, a, b);
}

/* --- the heap --- */

/* Ties go to the smaller index, so that the same map gives the same way. */
static bool is_before(const grid_search *own, int32_t a, int32_t b) {
  double one = own->guess[a], other = own->guess[b];
  return one < other || (one == other && a < b);
}

/* Put a cell at a place of the heap. */
static void put(grid_search *own, int at, int32_t cell) {
  assert(at >= 0 && at < own->count);
  own->heap[at] = cell;
  own->place[cell] = at;
}

/* Move a cell up, after its guess has fallen. O(log open) */
static void rise(grid_search *own, int at) {
  int32_t cell = own->heap[at];
  for (; at > 0 && is_before(own, cell, own->heap[(at - 1) / 2]); at = (at - 1) / 2)
    put(own, at, own->heap[(at - 1) / 2]);
  put(own, at, cell);
}

/* Take the cell with the least guess; the last one sinks from the root. O(log open) */
static int32_t take_first(grid_search *own) {
  assert(own->open > 0 && !own->chain);
  assert(own->place[own->heap[0]] == 0);
  int32_t first = own->heap[0], cell = own->heap[--own->open];
  int at = 0;
  while (own->open > 0) {
    int child = 2 * at + 1;
    if (child >= own->open) break;
    if (child + 1 < own->open && is_before(own, own->heap[child + 1], own->heap[child])) child++;
    if (!is_before(own, own->heap[child], cell)) break;
    put(own, at, own->heap[child]);
    at = child;
  }
  if (own->open > 0) put(own, at, cell);
  return first;
}

/* The octile distance from a cell to the goal, less a cell's diagonal at each end: a lower bound of the
** cost. */
static double least_cost(const brio_body_path *path, const grid_search *own, int cell) {
  double p[2];
  middle_of(own, cell, p);
  double x = fabs(path->ends[1][0] - p[0]), y = fabs(path->ends[1][1] - p[1]), c = own->map->cell;
  return fmax(0, fmax(x, y) + (DIAGONAL - 1) * fmin(x, y) - 2 * DIAGONAL * c);
}

/* A way to a cell is known at this cost: keep it if it is the cheapest so far. */
static void reach(brio_body_path *path, int cell, int parent, double cost) {
  grid_search *own = path->own;
  assert(own->mark[cell] != OPEN || own->heap[own->place[cell]] == cell);
  if (own->mark[cell] == DONE || (own->mark[cell] == OPEN && (double)own->cost[cell] <= cost)) return;
  own->cost[cell] = (float)cost;
  own->guess[cell] = (float)(cost + least_cost(path, own, cell));
  own->parent[cell] = parent;
  if (own->mark[cell] == UNSEEN) put(own, own->open++, cell);
  own->mark[cell] = OPEN;
  rise(own, own->place[cell]);
}

/* --- searching --- */

/* Whether a cell is next to a point or around it, with a clear line between them. */
static bool about(brio_body_path *path, const double p[2], int cell) {
  grid_search *own = path->own;
  int i = (int)((p[0] - own->map->x) / own->map->cell), j = (int)((p[1] - own->map->y) / own->map->cell);
  double q[2];
  middle_of(own, cell, q);
  return abs(cell % own->map->nx - i) <= 1 && abs(cell / own->map->nx - j) <= 1 && room_of(path, cell) >= 0 &&
         brio_body_path_clear(path, p, q);
}

/* Open the cells around the start: the one that it is in may be blocked. */
static void reach_start(brio_body_path *path) {
  grid_search *own = path->own;
  const double *p = path->ends[0];
  int i = (int)((p[0] - own->map->x) / own->map->cell), j = (int)((p[1] - own->map->y) / own->map->cell);
  for (int k = 0; k < 9; k++) {
    int x = i + k % 3 - 1, y = j + k / 3 - 1, cell = y * own->map->nx + x;
    if (x < 0 || y < 0 || x >= own->map->nx || y >= own->map->ny || !about(path, p, cell)) continue;
    double q[2];
    middle_of(own, cell, q);
    reach(path, cell, -1, brio_body_path_apart(p, q) * (double)own->weight[cell]);
  }
}

/* Reach the eight neighbors of a cell; k is the place in a square of nine, odd on the sides. */
static void expand(brio_body_path *path, int cell, double spare) {
  grid_search *own = path->own;
  int nx = own->map->nx, i = cell % nx, j = cell / nx;
  for (int k = 0; k < 9; k++) {
    int x = i + k % 3 - 1, y = j + k / 3 - 1, next = y * nx + x;
    if (k == 4 || x < 0 || y < 0 || x >= nx || y >= own->map->ny || own->mark[next] == DONE) continue;
    if (!may_go(path, cell, next, spare)) continue;
    double length = own->map->cell * (k % 2 ? 1 : DIAGONAL);
    reach(path, next, cell,
          (double)own->cost[cell] + length * (double)(own->weight[cell] + own->weight[next]) / 2);
  }
}

/* O(cells) bytes and time. */
static bool begin(brio_body_path *path, brio_arena *arena, brio_error *err) {
  /* All memory of the search is taken here: 29 bytes a cell. */
  grid_search *own = path->own = BRIO_TAKE(arena, grid_search, 1);
  if (!own) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a way");
  own->map = path->request.map;
  int n = own->count = own->map->nx * own->map->ny;
  own->cost = BRIO_TAKE(arena, float, n), own->guess = BRIO_TAKE(arena, float, n);
  own->room = BRIO_TAKE(arena, float, n), own->weight = BRIO_TAKE(arena, float, n);
  own->heap = BRIO_TAKE(arena, int32_t, n), own->place = BRIO_TAKE(arena, int32_t, n);
  own->parent = BRIO_TAKE(arena, int32_t, n), own->mark = BRIO_TAKE(arena, uint8_t, n);
  if (!own->cost || !own->guess || !own->room || !own->weight || !own->heap || !own->place || !own->parent ||
      !own->mark)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory to look for a way in %d cells", n);
  for (int k = 0; k < n; k++) own->room[k] = NAN;
  return true;
}

/* The area that was reached is reported: little of it means a closed room, much of it one narrow place. */
static brio_search_status no_way(const brio_body_path *path, brio_error *err) {
  const grid_search *own = path->own;
  const char *unknown = path->request.known_only ? ", on ground that is known" : "";
  brio_fail(err, BRIO_UNREACHABLE,
            "there is no way from (%.2f, %.2f) to (%.2f, %.2f) with %g m clear%s: %.1f m^2 can be reached "
            "from the start",
            path->ends[0][0], path->ends[0][1], path->ends[1][0], path->ends[1][1], path->request.clearance,
            unknown, own->done * own->map->cell * own->map->cell);
  return BRIO_SEARCH_FAILED;
}

/* --- straight lines --- */

/* The goal is reached from `cell`: put the cells of the way into the chain, from the start on. */
static void note_chain(grid_search *own, int cell) {
  own->chain = own->heap; /* not needed again */
  own->links = 0;
  for (; cell >= 0; cell = own->parent[cell]) own->chain[own->links++] = cell;
  /* Turn the chain around. */
  for (int k = 0; k < own->links / 2; k++) {
    int32_t keep = own->chain[k];
    own->chain[k] = own->chain[own->links - 1 - k];
    own->chain[own->links - 1 - k] = keep;
  }
  own->anchor = -1, own->good = 0, own->step = 1, own->far = 0;
}

/* A link's point: -1 is the start, `links` the goal. */
static void link_point(const brio_body_path *path, int link, double p[2]) {
  const grid_search *own = path->own;
  if (link < 0 || link >= own->links) memcpy(p, path->ends[link >= 0], 2 * sizeof *p);
  else middle_of(own, own->chain[link], p);
}

/* The cost of the line between two points, by samples about a cell apart. */
static double line_cost(brio_body_path *path, const double a[2], const double b[2]) {
  grid_search *own = path->own;
  double length = brio_body_path_apart(a, b), sum = 0;
  int pieces = 1 + (int)(length / own->map->cell);
  for (int k = 0; k < pieces; k++) {
    double u = (k + 0.5) / pieces;
    int i = (int)((a[0] + u * (b[0] - a[0]) - own->map->x) / own->map->cell);
    int j = (int)((a[1] + u * (b[1] - a[1]) - own->map->y) / own->map->cell);
    int cell = j * own->map->nx + i;
    /* A line may not leave the map. */
    if (i < 0 || j < 0 || i >= own->map->nx || j >= own->map->ny) return INFINITY;
    room_of(path, cell);
    sum += (double)own->weight[cell];
  }
  return sum / pieces * length;
}

/* The cost of the way up to a link. */
static double cost_to(const grid_search *own, int link) {
  if (link < 0) return 0;
  return (double)own->cost[own->chain[link < own->links ? link : own->links - 1]];
}

/* Whether a straight line between two links is clear, and not more expensive than the way. */
static bool may_cut(brio_body_path *path, int from, int to) {
  grid_search *own = path->own;
  double a[2], b[2];
  link_point(path, from, a);
  link_point(path, to, b);
  /* The line may cost what the piece of way costs that it replaces. */
  double most = cost_to(own, to) - cost_to(own, from);
  if (to >= own->links) { /* and on to the goal */
    double last[2];
    link_point(path, own->links - 1, last);
    most += brio_body_path_apart(last, b);
  }
  return line_cost(path, a, b) <= most * LONGER + own->map->cell && brio_body_path_clear(path, a, b);
}

/* One try: twice as far ahead each time until the line is blocked, then bisection between the
** farthest clear link and the nearest blocked one. A link always sees the next one. */
static brio_search_status straighten(brio_body_path *path, brio_error *err) {
  grid_search *own = path->own;
  assert(own->anchor < own->good && own->good <= own->links);
  assert(own->far == 0 || own->good < own->far);
  /* Ahead of the farthest clear link, but not past the nearest blocked one. */
  int try = own->good + own->step;
  if (try > own->links) try = own->links;
  if (try > own->good && own->step > 0 && (own->far == 0 || try < own->far)) {
    if (may_cut(path, own->anchor, try)) own->good = try, own->step *= own->far ? 1 : 2;
    else own->far = try;
    if (own->far) own->step = (own->far - own->good) / 2;
    return BRIO_SEARCH_GOES_ON;
  }
  /* The farthest clear link becomes a corner, and the next anchor. */
  double p[2];
  link_point(path, own->good, p);
  if (!brio_body_path_append(path, p, err)) return BRIO_SEARCH_FAILED;
  if (own->good >= own->links) return BRIO_SEARCH_FOUND;
  own->anchor = own->good, own->good = own->anchor + 1, own->step = 1, own->far = 0;
  return BRIO_SEARCH_GOES_ON;
}

/* Expand some cells; found: the goal is next to the last one, and the chain is made. */
static brio_search_status search(brio_body_path *path, brio_error *err) {
  grid_search *own = path->own;
  double spare = spare_of(path, own);
  for (int k = 0; k < PER_ROUND; k++) {
    if (own->open == 0) return no_way(path, err);
    int cell = take_first(own);
    own->mark[cell] = DONE;
    own->done++;
    /* The goal's own cell may be blocked: a cell beside it, with a clear line, is enough. */
    if (about(path, path->ends[1], cell)) {
      note_chain(own, cell);
      return brio_body_path_append(path, path->ends[0], err) ? BRIO_SEARCH_FOUND : BRIO_SEARCH_FAILED;
    }
    expand(path, cell, spare);
  }
  return BRIO_SEARCH_GOES_ON;
}

/* A round expands PER_ROUND cells, or tries one straight line. */
static brio_search_status work(brio_body_path *path, int budget, int *used, brio_error *err) {
  grid_search *own = path->own;
  for (*used = 0; *used < budget; ++*used) {
    /* The first round opens the start. */
    if (path->rounds++ == 0) reach_start(path);
    brio_search_status status = own->chain ? straighten(path, err) : search(path, err);
    if (own->chain && status == BRIO_SEARCH_FOUND && path->count == 1) continue; /* found, not yet straight */
    if (status != BRIO_SEARCH_GOES_ON) return status;
  }
  return BRIO_SEARCH_GOES_ON;
}

const brio_way brio_way_grid = {
    .name = "grid",
    .doc = "A* over the cells of a map: finds a path whenever one exists, and prefers known ground and "
           "distance to obstacles.",
    .needs_map = true,
    .begin = begin,
    .work = work,
};
