/* The occupancy grid: log-odds of cells in layers, and the state of each column.
**
** Each scan counts once for a cell: as a hit if a ray ends in it, else as passed if a ray goes
** through it. Log-odds are whole numbers in steps of 1/20, with the values of OctoMap.
**
** Sources: Moravec and Elfes, "High resolution maps from wide angle sonar", 1985; Amanatides and
** Woo, "A fast voxel traversal algorithm for ray tracing", 1987; Hornung et al., "OctoMap", 2013
** (each scan counts once; 0.85, -0.4, from -2 to 3.5). */
#include "plan/occupancy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEVER INT8_MIN          /* log-odds of a cell that no ray has met */
#define STEPS 20.0              /* of log-odds in 1 */
#define LARGEST_SOLID 20.0      /* m: its radius */
#define FARTHEST 1e5            /* m */

/* Log-odds, in steps: of a hit, of a cell that is passed, and the limits, which let a cell change its mind
** after some scans. */
enum { LAYERS = BRIO_OCCUPANCY_LAYERS, HIT = 17, PASSED = -8, LOW = -40, HIGH = 70 };

/* A scan is worked on twice: all ends first, so that a cell with an end in it is a hit for this scan. */
typedef enum scan_phase { IDLE, ENDS, RAYS } scan_phase;

struct brio_occupancy {
  brio_occupancy_options options;
  double x, y;                  /* m: least corner */
  int nx, ny;
  int8_t *odds;                 /* LAYERS * ny * nx */
  uint16_t *stamps;             /* LAYERS * ny * nx: the scan that met a cell last */
  uint8_t *columns;             /* ny * nx: states */
  uint16_t stamp;
  int64_t counts[3];            /* of columns by state */
  int box[4];                   /* columns that were met: least i, j, most i, j */
  brio_occupancy_info done;
  /* positions of moving things, and the radius in which their points are ignored */
  double movers[BRIO_OCCUPANCY_MOVERS][2], around;
  int nmover;
  /* the scan that is worked on */
  scan_phase phase;
  int count, next;
  double origin[3];
  float (*points)[3];           /* BRIO_OCCUPANCY_POINTS, in the world */
};

/* --- making one --- */

/* 0 stands for the default. */
static void take_defaults(brio_occupancy_options *options) {
  if (options->size == 0) options->size = 30;
  if (options->cell == 0) options->cell = 0.05;
  if (options->range == 0) options->range = 8;
  if (options->own == 0) options->own = 0.45;
  if (options->bottom == 0 && options->top == 0) options->bottom = 0.25, options->top = 1.8;
}

/* Errors: misuse (a number outside its range), limit (too many cells). */
static bool check(const brio_occupancy_options *o, brio_error *err) {
  const struct { const char *name; double value, lower, upper;
  } rows[] = {{"x", o->x, -FARTHEST, FARTHEST},
              {"y", o->y, -FARTHEST, FARTHEST},
              {"size", o->size, 0.1, 1e4},
              {"cell", o->cell, 1e-3, 10},
              {"level", o->level, -FARTHEST, FARTHEST},
              {"bottom", o->bottom, -10, 10},
              {"top", o->top, -10, 20},
              {"range", o->range, 0.1, 1e3},
              {"own", o->own, 0, 10}};
  /* The negated comparison refuses NaN, too. */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!(rows[i].value >= rows[i].lower && rows[i].value <= rows[i].upper))
      return brio_fail(err, BRIO_MISUSE, "a grid's %s must be from %g to %g m, not %g", rows[i].name,
                       rows[i].lower, rows[i].upper, rows[i].value);
  if (!(o->top > o->bottom))
    return brio_fail(err, BRIO_MISUSE, "a grid's top (%g m) must be above its bottom (%g m)", o->top,
                     o->bottom);
  double cells = ceil(o->size / o->cell);
  if (cells * cells > BRIO_OCCUPANCY_CELLS)
    return brio_fail(err, BRIO_LIMIT, "a grid may have %d cells: %g m in cells of %g m are %.0f",
                     BRIO_OCCUPANCY_CELLS, o->size, o->cell, cells * cells);
  return true;
}

/* O(cells): 3 bytes for each layer of a column and 1 for the column, and the points of a scan. */
brio_occupancy *brio_occupancy_new(const brio_occupancy_options *options, brio_error *err) {
  brio_occupancy_options own = options ? *options : (brio_occupancy_options){0};
  take_defaults(&own);
  if (!check(&own, err)) return NULL;
  brio_occupancy *grid = calloc(1, sizeof *grid);
  if (grid) {
    grid->options = own;
    grid->nx = grid->ny = (int)ceil(own.size / own.cell);
    grid->x = own.x - grid->nx * own.cell / 2, grid->y = own.y - grid->ny * own.cell / 2;
    size_t columns = (size_t)grid->nx * (size_t)grid->ny;
    grid->odds = malloc(columns * LAYERS);
    grid->stamps = calloc(columns * LAYERS, sizeof *grid->stamps);
    grid->columns = malloc(columns);
    grid->points = calloc(BRIO_OCCUPANCY_POINTS, sizeof *grid->points);
    if (grid->odds && grid->stamps && grid->columns && grid->points) {
      brio_occupancy_forget(grid);
      return grid;
    }
  }
  brio_occupancy_free(grid);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for a grid of %g m", own.size);
  return NULL;
}

/* A grid that was made in part can be freed, too. */
void brio_occupancy_free(brio_occupancy *grid) {
  if (!grid) return;
  free(grid->odds);
  free(grid->stamps);
  free(grid->columns);
  free(grid->points);
  free(grid);
}

/* O(cells). The counters of scans go on. */
void brio_occupancy_forget(brio_occupancy *grid) {
  assert(grid->nx > 0 && grid->ny > 0);
  size_t columns = (size_t)grid->nx * (size_t)grid->ny;
  /* The box is empty: its least index is above its greatest. */
  memset(grid->odds, (uint8_t)NEVER, columns * LAYERS);
  memset(grid->columns, BRIO_CELL_UNKNOWN, columns);
  grid->counts[BRIO_CELL_UNKNOWN] = (int64_t)columns;
  grid->counts[BRIO_CELL_FREE] = grid->counts[BRIO_CELL_OCCUPIED] = 0;
  memcpy(grid->box, (int[]){grid->nx, grid->ny, -1, -1}, sizeof grid->box);
  grid->phase = IDLE;
}

/* --- cells --- */

/* Indices: layer by layer, in a layer row by row. */
static size_t column_of(const brio_occupancy *grid, int i, int j) {
  return (size_t)j * (size_t)grid->nx + (size_t)i;
}

/* The index of a cell in `odds` and `stamps`. */
static size_t cell_of(const brio_occupancy *grid, int i, int j, int layer) {
  return (size_t)layer * (size_t)grid->nx * (size_t)grid->ny + column_of(grid, i, j);
}

/* Whether there is a column (i, j). */
static bool is_inside(const brio_occupancy *grid, int i, int j) {
  return i >= 0 && j >= 0 && i < grid->nx && j < grid->ny;
}

/* The highest log-odds in a column; NEVER if no ray has met it. O(layers) */
static int highest(const brio_occupancy *grid, int i, int j) {
  int most = NEVER;
  for (int layer = 0; layer < LAYERS; layer++) {
    int odds = grid->odds[cell_of(grid, i, j, layer)];
    if (odds > most) most = odds;
  }
  return most;
}

/* A column's log-odds have changed: update its state, the counts and the box of what was met. */
static void judge_column(brio_occupancy *grid, int i, int j) {
  assert(is_inside(grid, i, j));
  int most = highest(grid, i, j);
  uint8_t state = most == NEVER ? BRIO_CELL_UNKNOWN : most > 0 ? BRIO_CELL_OCCUPIED : BRIO_CELL_FREE;
  uint8_t *column = &grid->columns[column_of(grid, i, j)];
  assert(*column <= BRIO_CELL_OCCUPIED && grid->counts[*column] > 0);
  grid->counts[*column]--;
  grid->counts[*column = state]++;
  if (i < grid->box[0]) grid->box[0] = i;
  if (j < grid->box[1]) grid->box[1] = j;
  if (i > grid->box[2]) grid->box[2] = i;
  if (j > grid->box[3]) grid->box[3] = j;
}

/* Set a cell's log-odds within the limits. */
static void set_odds(brio_occupancy *grid, int i, int j, int layer, int odds) {
  assert(layer >= 0 && layer < LAYERS);
  grid->odds[cell_of(grid, i, j, layer)] = (int8_t)(odds < LOW ? LOW : odds > HIGH ? HIGH : odds);
  judge_column(grid, i, j);
}

/* Count this scan for a cell, once: the stamp is the number of the last scan that met it. */
static void meet(brio_occupancy *grid, int i, int j, int layer, int odds) {
  size_t cell = cell_of(grid, i, j, layer);
  if (grid->stamps[cell] == grid->stamp) return;
  assert(grid->odds[cell] == NEVER || (grid->odds[cell] >= LOW && grid->odds[cell] <= HIGH));
  grid->stamps[cell] = grid->stamp;
  set_odds(grid, i, j, layer, (grid->odds[cell] == NEVER ? 0 : grid->odds[cell]) + odds);
}

/* A point of the world in units of cells, so that the integer parts are indices. */
static void in_cells(const brio_occupancy *grid, const double p[3], double out[3]) {
  const brio_occupancy_options *o = &grid->options;
  out[0] = (p[0] - grid->x) / o->cell;
  out[1] = (p[1] - grid->y) / o->cell;
  out[2] = (p[2] - o->level - o->bottom) / (o->top - o->bottom) * LAYERS;
}

/* --- scans --- */

/* Keep one point, in the world; false if it is NaN, or on the robot itself. */
static bool take_point(brio_occupancy *grid, const brio_transform *pose, brio_vec3 eye,
                       const float point[3]) {
  brio_vec3 ray = brio_vec3_sub((brio_vec3){(double)point[0], (double)point[1], (double)point[2]}, eye);
  double far = brio_vec3_norm(ray);
  if (!(far <= 1e4)) {
    if (!isnan(point[0])) grid->done.bad++;
    return false;
  }
  /* A ray longer than the range is cut just beyond it: has_end finds no end there, so it is free on its way
  ** only. */
  double share = far > grid->options.range ? grid->options.range * (1 + 1e-6) / far : 1;
  brio_vec3 p = brio_transform_point(pose, brio_vec3_add_scaled(eye, share, ray));
  assert(grid->count < BRIO_OCCUPANCY_POINTS);
  if (hypot(p.x - grid->origin[0], p.y - grid->origin[1]) < grid->options.own) return false;
  memcpy(grid->points[grid->count++], (float[]){(float)p.x, (float)p.y, (float)p.z}, sizeof grid->points[0]);
  return true;
}

/* O(points), of which at most BRIO_OCCUPANCY_POINTS are kept; brio_occupancy_work follows their rays. */
bool brio_occupancy_scan(brio_occupancy *grid, brio_pose world_from_points, brio_vec3 eye,
                         const float (*points)[3], int count) {
  /* A scan is skipped while the last one is worked on. */
  if (grid->phase != IDLE) {
    grid->done.skipped++;
    return false;
  }
  if (!brio_pose_finite(world_from_points) || !brio_vec3_finite(eye) || count <= 0) {
    grid->done.bad += count > 0 ? count : 0;
    return true;
  }
  grid->done.scans++;
  /* Stamps of the scan before the overflow would pass for this one's. */
  if (++grid->stamp == 0) { /* once in 65,535 scans */
    memset(grid->stamps, 0, (size_t)grid->nx * (size_t)grid->ny * LAYERS * sizeof *grid->stamps);
    grid->stamp = 1;
  }
  world_from_points.q = brio_quat_unit(world_from_points.q);
  brio_transform pose = brio_transform_of(world_from_points);
  brio_vec3 from = brio_transform_point(&pose, eye);
  memcpy(grid->origin, (double[]){from.x, from.y, from.z}, sizeof grid->origin);
  grid->count = grid->next = 0;
  /* Thin the points evenly if there are more than fit. */
  double stride = fmax(1, (double)count / BRIO_OCCUPANCY_POINTS);
  for (double at = 0; at < count && grid->count < BRIO_OCCUPANCY_POINTS; at += stride)
    take_point(grid, &pose, eye, points[(int)at]);
  grid->phase = grid->count > 0 ? ENDS : IDLE;
  return true;
}

/* Whether a ray ends at its point, rather than being cut at the range. */
static bool has_end(const brio_occupancy *grid, const double p[3]) {
  double d[3] = {p[0] - grid->origin[0], p[1] - grid->origin[1], p[2] - grid->origin[2]};
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= grid->options.range * grid->options.range;
}

/* At most BRIO_OCCUPANCY_MOVERS points, which are copied. */
void brio_occupancy_leave_out(brio_occupancy *grid, const double (*points)[2], int count, double radius) {
  grid->nmover = count < 0 ? 0 : count > BRIO_OCCUPANCY_MOVERS ? BRIO_OCCUPANCY_MOVERS : count;
  grid->around = radius;
  if (grid->nmover) memcpy(grid->movers, points, (size_t)grid->nmover * sizeof *points);
}

/* Whether a point belongs to something that moves (leave_out). */
static bool is_mover(const brio_occupancy *grid, const double p[3]) {
  for (int i = 0; i < grid->nmover; i++)
    if (hypot(p[0] - grid->movers[i][0], p[1] - grid->movers[i][1]) <= grid->around) return true;
  return false;
}

/* The end of a ray is a hit if its height is within the body's space. */
static void mark_end(brio_occupancy *grid, const double p[3]) {
  double c[3];
  in_cells(grid, p, c);
  int i = (int)floor(c[0]), j = (int)floor(c[1]), layer = (int)floor(c[2]);
  if (!is_inside(grid, i, j)) grid->done.outside++;
  else if (layer >= 0 && layer < LAYERS && has_end(grid, p) && !is_mover(grid, p))
    meet(grid, i, j, layer, HIT);
}

/* A ray on its way through the cells: where it is, and at which share of its length it crosses the
** next border on each axis, and each one after that. */
typedef struct crossing {
  int at[3], step[3];
  double next[3], each[3];
} crossing;

/* INFINITY on an axis that the ray does not move along: it crosses no border there. */
static crossing begin_ray(const double from[3], const double to[3], int last[3]) {
  crossing ray;
  for (int k = 0; k < 3; k++) {
    double way = to[k] - from[k];
    ray.at[k] = (int)floor(from[k]), last[k] = (int)floor(to[k]);
    ray.step[k] = way > 0 ? 1 : -1;
    /* In shares of the ray: from border to border, and from its origin to the first one. */
    ray.each[k] = way != 0 ? fabs(1 / way) : INFINITY;
    ray.next[k] = way != 0 ? ((way > 0 ? floor(from[k]) + 1 : floor(from[k])) - from[k]) / way : INFINITY;
  }
  return ray;
}

/* Mark the cells on the way to a point as passed, without its own; return the number visited. O(cells on
** the way) */
static int follow(brio_occupancy *grid, const double p[3]) {
  double from[3], to[3];
  int last[3], visited = 0;
  in_cells(grid, grid->origin, from);
  in_cells(grid, p, to);
  crossing ray = begin_ray(from, to, last);
  while (ray.at[0] != last[0] || ray.at[1] != last[1] || ray.at[2] != last[2]) {
    int *at = ray.at;
    visited++;
    if (at[2] >= 0 && at[2] < LAYERS && is_inside(grid, at[0], at[1]))
      meet(grid, at[0], at[1], at[2], PASSED);
    /* The nearest border is next. */
    int k = ray.next[0] < ray.next[1] ? (ray.next[0] < ray.next[2] ? 0 : 2)
                                      : (ray.next[1] < ray.next[2] ? 1 : 2);
    if (!(ray.next[k] <= 1)) break;
    at[k] += ray.step[k];
    ray.next[k] += ray.each[k];
  }
  return visited + 1;
}

/* A point costs 1 in the first phase; in the second its ray costs the cells on its way. */
int brio_occupancy_work(brio_occupancy *grid, int budget) {
  assert(grid->phase == IDLE || (grid->next >= 0 && grid->next < grid->count));
  int used = 0;
  while (grid->phase != IDLE && used < budget) {
    const float *point = grid->points[grid->next];
    double p[3] = {(double)point[0], (double)point[1], (double)point[2]};
    if (grid->phase == ENDS) mark_end(grid, p), used++;
    else used += follow(grid, p);
    /* After the last point the next phase begins with the first. */
    if (++grid->next < grid->count) continue;
    grid->next = 0;
    grid->phase = grid->phase == ENDS ? RAYS : IDLE;
  }
  return used;
}

/* --- solids --- */

/* The distance of a solid from an upright line at the column coordinates (i, j), over a part of the
** body's space given as shares of its height, m. */
static double solid_from(const brio_occupancy *grid, const brio_shape *shape, const brio_transform *pose,
                         double i, double j, double low, double high) {
  const brio_occupancy_options *o = &grid->options;
  double height = o->top - o->bottom;
  brio_shape line = {.kind = BRIO_SHAPE_CAPSULE, .size = {0, 0, (high - low) * height}};
  brio_transform at = BRIO_TRANSFORM_IDENTITY;
  at.p = (brio_vec3){grid->x + i * o->cell, grid->y + j * o->cell,
                     o->level + o->bottom + (low + high) / 2 * height};
  return brio_shape_distance(&line, &at, shape, pose, NULL).distance;
}

/* Put a solid into n * n columns from (i, j) on, as a quadtree: a block is left as a whole if the
** solid is farther from its middle than its corners are. O(columns met * log n) */
static void put_block(brio_occupancy *grid, const brio_shape *shape, const brio_transform *pose, int i, int j,
                      int n) {
  assert(n >= 1 && (n & (n - 1)) == 0);
  /* A block may lie off the grid, wholly or in part. */
  if (i >= grid->nx || j >= grid->ny) return;
  double half = 0.5 * n, reach = (n > 1 ? half * 1.41421356237309504880 : half) * grid->options.cell;
  if (solid_from(grid, shape, pose, i + half, j + half, 0, 1) > reach) return;
  if (n > 1) {
    for (int k = 0; k < 4; k++) put_block(grid, shape, pose, i + k % 2 * (n / 2), j + k / 2 * (n / 2), n / 2);
    return;
  }
  /* A single column: each layer by itself. */
  for (int layer = 0; layer < LAYERS; layer++)
    if (solid_from(grid, shape, pose, i + half, j + half, (double)layer / LAYERS, (layer + 1.0) / LAYERS) <=
        reach)
      set_odds(grid, i, j, layer, HIGH);
}

/* The nearest index of 0 to count - 1; NaN gives 0. */
static int clamp_index(double value, int count) { return (int)fmin(count - 1, fmax(0, value)); }

/* The range of columns within a radius of a point: {least i, least j, greatest i, greatest j}; false if
** there is none. */
static bool columns_about(const brio_occupancy *grid, double x, double y, double radius, int out[4]) {
  double c = grid->options.cell, i = (x - grid->x) / c, j = (y - grid->y) / c, r = radius / c;
  if (!(i + r >= 0 && j + r >= 0 && i - r < grid->nx && j - r < grid->ny)) return false;
  out[0] = clamp_index(floor(i - r), grid->nx), out[1] = clamp_index(floor(j - r), grid->ny);
  out[2] = clamp_index(floor(i + r), grid->nx), out[3] = clamp_index(floor(j + r), grid->ny);
  return true;
}

/* Solids are certain: their cells get the highest log-odds. */
bool brio_occupancy_put(brio_occupancy *grid, const brio_obstacle *solid, brio_error *err) {
  const char *name = solid->name ? solid->name : "something";
  if (!brio_shape_check(&solid->shape, err)) return brio_fail_in(err, "'%s'", name);
  if (!brio_pose_finite(solid->pose) || !(brio_vec3_norm(solid->pose.p) <= FARTHEST))
    return brio_fail(err, BRIO_MISUSE, "'%s' has no place within %g m", name, FARTHEST);
  double radius = brio_shape_radius(&solid->shape);
  if (!(radius <= LARGEST_SOLID))
    return brio_fail(err, BRIO_LIMIT, "'%s' is too large for a grid: solids may reach %g m from their middle",
                     name, LARGEST_SOLID);
  brio_transform pose = brio_transform_of(solid->pose);
  int box[4];
  /* One cell wider: a column counts by the distance from its middle. */
  if (!columns_about(grid, pose.p.x, pose.p.y, radius + grid->options.cell, box)) return true;
  /* The quadtree needs a square with a power of two as its side. */
  int side = 1;
  while (side <= box[2] - box[0] || side <= box[3] - box[1]) side *= 2;
  put_block(grid, &solid->shape, &pose, box[0], box[1], side);
  return true;
}

/* Cells get the lowest log-odds: they are certainly free. */
void brio_occupancy_clear(brio_occupancy *grid, double x, double y, double radius) {
  int box[4];
  /* The negated comparison refuses NaN. */
  if (!(radius >= 0 && radius <= 10) || !columns_about(grid, x, y, radius, box)) return;
  for (int j = box[1]; j <= box[3]; j++)
    for (int i = box[0]; i <= box[2]; i++) {
      double c = grid->options.cell;
      /* A column counts by its middle. */
      if (hypot(grid->x + (i + 0.5) * c - x, grid->y + (j + 0.5) * c - y) > radius) continue;
      for (int layer = 0; layer < LAYERS; layer++) grid->odds[cell_of(grid, i, j, layer)] = LOW;
      judge_column(grid, i, j);
    }
}

/* --- what it holds --- */

/* The column at a point; false if it is outside. */
static bool find_column(const brio_occupancy *grid, double x, double y, int *i, int *j) {
  double u = (x - grid->x) / grid->options.cell, v = (y - grid->y) / grid->options.cell;
  if (!(u >= 0 && v >= 0 && u < grid->nx && v < grid->ny)) return false;
  *i = (int)u, *j = (int)v;
  return true;
}

/* Outside the grid all is unknown. */
brio_cell_state brio_occupancy_at(const brio_occupancy *grid, double x, double y) {
  int i, j;
  return find_column(grid, x, y, &i, &j) ? (brio_cell_state)grid->columns[column_of(grid, i, j)]
                                         : BRIO_CELL_UNKNOWN;
}

/* O(columns in the box around the line). */
bool brio_occupancy_meets(const brio_occupancy *grid, const double from[2], const double to[2],
                          double radius) {
  assert(grid->nx > 0 && grid->ny > 0);
  double x = to[0] - from[0], y = to[1] - from[1], square = x * x + y * y, c = grid->options.cell;
  int box[4];
  /* Written so that NaN is rejected, too. */
  if (!(radius >= 0 && radius <= 2) || !(square <= 1e4)) return false;
  if (!columns_about(grid, from[0] + x / 2, from[1] + y / 2, sqrt(square) / 2 + radius, box)) return false;
  for (int j = box[1]; j <= box[3]; j++)
    for (int i = box[0]; i <= box[2]; i++) {
      if (grid->columns[column_of(grid, i, j)] != BRIO_CELL_OCCUPIED) continue;
      double px = grid->x + (i + 0.5) * c - from[0], py = grid->y + (j + 0.5) * c - from[1];
      /* The share of the way at the point nearest to the column's middle. */
      double u = square > 0 ? fmin(1, fmax(0, (px * x + py * y) / square)) : 0;
      if (hypot(px - u * x, py - u * y) <= radius) return true;
    }
  return false;
}

/* That of the column's highest cell. */
double brio_occupancy_probability(const brio_occupancy *grid, double x, double y) {
  int i, j, odds = NEVER;
  if (find_column(grid, x, y, &i, &j)) odds = highest(grid, i, j);
  /* p = 1 / (1 + e^-l), with l the log-odds. */
  return odds == NEVER ? 0.5 : 1 / (1 + exp(-odds / STEPS));
}

brio_occupancy_info brio_occupancy_info_of(const brio_occupancy *grid) {
  brio_occupancy_info info = grid->done;
  info.x = grid->x, info.y = grid->y, info.cell = grid->options.cell;
  info.nx = grid->nx, info.ny = grid->ny;
  info.free = grid->counts[BRIO_CELL_FREE], info.occupied = grid->counts[BRIO_CELL_OCCUPIED];
  info.busy = grid->phase != IDLE;
  return info;
}

const uint8_t *brio_occupancy_columns(const brio_occupancy *grid) { return grid->columns; }

/* O(cells). All that was known is replaced. */
bool brio_occupancy_set_columns(brio_occupancy *grid, const uint8_t *states) {
  /* Check all before anything changes. */
  size_t count = (size_t)grid->nx * (size_t)grid->ny;
  for (size_t k = 0; k < count; k++)
    if (states[k] > BRIO_CELL_OCCUPIED) return false;
  /* As sure as two hits or four passes make it. */
  static const int8_t odds[] = {
      [BRIO_CELL_UNKNOWN] = NEVER, [BRIO_CELL_FREE] = 4 * PASSED, [BRIO_CELL_OCCUPIED] = 2 * HIT};
  brio_occupancy_forget(grid);
  for (int j = 0; j < grid->ny; j++)
    for (int i = 0; i < grid->nx; i++) {
      uint8_t state = states[column_of(grid, i, j)];
      if (state == BRIO_CELL_UNKNOWN) continue;
      for (int layer = 0; layer < LAYERS; layer++) grid->odds[cell_of(grid, i, j, layer)] = odds[state];
      judge_column(grid, i, j);
    }
  return true;
}

/* The far corner lies beyond the last column. */
bool brio_occupancy_box(const brio_occupancy *grid, double box[4]) {
  if (grid->box[2] < grid->box[0]) return false;
  for (int k = 0; k < 4; k++)
    box[k] = (k % 2 ? grid->y : grid->x) + (grid->box[k] + (k >= 2 ? 1 : 0)) * grid->options.cell;
  return true;
}
