/* An occupancy grid: what is known of the ground that a robot walks on, seen from above, in the world's
** frame.
**
** It is fed by scans (points that a depth sensor sees: the ways of the rays are free, their ends are
** occupied) and by solids that were seen.  The space that a body takes, from `bottom` to `top` above the
** ground, is in layers, so that a look over a box does not free the box.  A column of cells is occupied where
** one of its layers is.
**
** All memory is taken when it is made.  A scan is taken in one tick and worked on in slices; what is outside
** of the grid is counted and left out. */
#ifndef BRIO_PLAN_OCCUPANCY_H
#define BRIO_PLAN_OCCUPANCY_H

#include <stdint.h>

#include "plan/obstacles.h"

typedef struct brio_occupancy brio_occupancy;

enum {
  BRIO_OCCUPANCY_LAYERS = 4,
  BRIO_OCCUPANCY_POINTS = 8192,
  BRIO_OCCUPANCY_CELLS = 4000000,
  BRIO_OCCUPANCY_MOVERS = 32
};

typedef enum brio_cell_state { BRIO_CELL_UNKNOWN, BRIO_CELL_FREE, BRIO_CELL_OCCUPIED } brio_cell_state;

typedef struct brio_occupancy_options {
  double x, y;            /* m: the middle of the grid, in the world */
  double size;            /* m: length of a side; 0: 30 */
  double cell;            /* m: of a cell; 0: 0.05 */
  double level;           /* m: height of the ground */
  double bottom, top;     /* m above it: the space of a body; both 0: 0.25 to 1.8 */
  double range;           /* m: how far rays are followed; 0: 8 */
  double own;             /* m about the sensor, seen from above, where points are the robot's own; 0: 0.45 */
} brio_occupancy_options;

typedef struct brio_occupancy_info {
  double x, y, cell;      /* m: the grid's least corner; a cell's side */
  int nx, ny;
  int64_t free, occupied; /* columns */
  int64_t scans, skipped; /* scans taken; scans that came while another was worked on */
  int64_t outside;        /* points that were outside of the grid */
  int64_t bad;            /* points that are NaN or too far away */
  bool busy;              /* a scan is being worked on */
} brio_occupancy_info;

/* Make a grid, of which nothing is known.  Errors: misuse (numbers that make no grid), limit (too many
** cells), no_memory. */
brio_occupancy *brio_occupancy_new(const brio_occupancy_options *options, brio_error *err);
/* Give it back.  NULL is allowed. */
void brio_occupancy_free(brio_occupancy *grid);

/* Take a scan: `count` points in a frame that stands at `world_from_points`, NaN where there is none, seen
** from the point `eye` of that frame; more than BRIO_OCCUPANCY_POINTS are thinned evenly.  Return false
** while the scan before is still worked on: this one is skipped, and counted. */
bool brio_occupancy_scan(brio_occupancy *grid, brio_pose world_from_points, brio_vec3 eye,
                         const float (*points)[3], int count);

/* Say where what moves is now: within `radius` (m) of each point {x, y} nothing that a scan sees is noted as
** occupied from now on, for who walks there is somewhere else when the robot comes.  At most
** BRIO_OCCUPANCY_MOVERS count. */
void brio_occupancy_leave_out(brio_occupancy *grid, const double (*points)[2], int count, double radius);

/* Work on the scan: about `budget` cells are visited, at most a ray's length more.  Return how many were; 0:
** it is done. */
int brio_occupancy_work(brio_occupancy *grid, int budget);

/* Put a solid into the grid, as rays would that saw all of it.  Errors: misuse (its shape or pose), limit (it
** has no end, or is larger than 20 m). */
bool brio_occupancy_put(brio_occupancy *grid, const brio_obstacle *solid, brio_error *err);

/* Free all within `radius` (m, at most 10) of a point: the robot stands there, or a solid was taken away. */
void brio_occupancy_clear(brio_occupancy *grid, double x, double y, double radius);

/* Forget everything. */
void brio_occupancy_forget(brio_occupancy *grid);

/* Return what is known of the column at a point; outside of the grid: unknown. */
brio_cell_state brio_occupancy_at(const brio_occupancy *grid, double x, double y);

/* Return whether something occupied is within `radius` (m, at most 2) of the straight way from one point to
** another: a column's middle counts. */
bool brio_occupancy_meets(const brio_occupancy *grid, const double from[2], const double to[2],
                          double radius);

/* Return how probable it is that a column is occupied, 0 to 1; 0.5 where nothing is known. */
double brio_occupancy_probability(const brio_occupancy *grid, double x, double y);

/* Return how large it is, what it holds, and what was taken and left out so far. */
brio_occupancy_info brio_occupancy_info_of(const brio_occupancy *grid);

/* Return the columns' states, row after row from the least y; nx * ny of them, they belong to the grid. */
const uint8_t *brio_occupancy_columns(const brio_occupancy *grid);

/* Set all columns from as many states, as brio_occupancy_columns has them: what another run has seen.  Return
** false when one of them is no state: nothing is changed then. */
bool brio_occupancy_set_columns(brio_occupancy *grid, const uint8_t *states);

/* Write the box {least x, least y, most x, most y} of what is known, m; false: nothing is. */
bool brio_occupancy_box(const brio_occupancy *grid, double box[4]);

#endif
