/* An occupancy grid: the state of the ground that a robot walks on, seen from above, in the world's frame.
**
** Its input is scans (points of a depth sensor: the cells along the rays are free, those at their ends
** occupied) and seen solids.  The space of a body, from `bottom` to `top` above the ground, is in layers, so
** that a ray over a box does not free the box.  A column of cells is occupied if one of its layers is.
**
** All memory is allocated at its creation.  A scan is accepted in one tick and processed in slices; points
** outside the grid are counted and ignored. */
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
  double range;           /* m: most length of rays; 0: 8 */
  double own;             /* m about the sensor, seen from above: points there are the robot's own; 0: 0.45 */
} brio_occupancy_options;

typedef struct brio_occupancy_info {
  double x, y, cell;      /* m: the grid's least corner; a cell's side */
  int nx, ny;
  int64_t free, occupied; /* columns */
  int64_t scans, skipped; /* scans accepted; scans that came while another was processed */
  int64_t outside;        /* points that were outside of the grid */
  int64_t bad;            /* points that are too far away, or NaN in part */
  bool busy;              /* a scan is being processed */
} brio_occupancy_info;

/* Create a grid of unknown cells.  Errors: misuse (invalid sizes), limit (too many cells), no_memory. */
brio_occupancy *brio_occupancy_new(const brio_occupancy_options *options, brio_error *err);
/* Free it.  NULL is allowed. */
void brio_occupancy_free(brio_occupancy *grid);

/* Accept a scan: `count` points in a frame that stands at `world_from_points`, NaN if there is none, seen
** from the point `eye` of that frame; more than BRIO_OCCUPANCY_POINTS are thinned evenly.  Return false while
** the scan before is still processed: this one is skipped, and counted. */
bool brio_occupancy_scan(brio_occupancy *grid, brio_pose world_from_points, brio_vec3 eye,
                         const float (*points)[3], int count);

/* Set the positions of moving people: points of a scan within `radius` (m) of each point {x, y} do not make
** cells occupied from now on, since they will have moved when the robot arrives.  At most
** BRIO_OCCUPANCY_MOVERS count. */
void brio_occupancy_leave_out(brio_occupancy *grid, const double (*points)[2], int count, double radius);

/* Process the scan: about `budget` cells are visited, at most a ray's length more.  Return how many were; 0:
** it is done. */
int brio_occupancy_work(brio_occupancy *grid, int budget);

/* Put a solid into the grid, as rays would that saw all of it.  Errors: misuse (its shape or pose), limit (it
** has no end, or is larger than 20 m). */
bool brio_occupancy_put(brio_occupancy *grid, const brio_obstacle *solid, brio_error *err);

/* Free all cells within `radius` (m, at most 10) of a point: the robot is there, or a solid was removed. */
void brio_occupancy_clear(brio_occupancy *grid, double x, double y, double radius);

/* Set all cells to unknown. */
void brio_occupancy_forget(brio_occupancy *grid);

/* Return the state of the column at a point; outside the grid: unknown. */
brio_cell_state brio_occupancy_at(const brio_occupancy *grid, double x, double y);

/* Return whether an occupied cell is within `radius` (m, at most 2) of the straight line between two points:
** by the middles of columns. */
bool brio_occupancy_meets(const brio_occupancy *grid, const double from[2], const double to[2],
                          double radius);

/* Return the probability that a column is occupied, 0 to 1; 0.5 where it is unknown. */
double brio_occupancy_probability(const brio_occupancy *grid, double x, double y);

/* Return its size, its settings and the counts of scans and points. */
brio_occupancy_info brio_occupancy_info_of(const brio_occupancy *grid);

/* Return the columns' states, row after row from the least y; nx * ny of them, they belong to the grid. */
const uint8_t *brio_occupancy_columns(const brio_occupancy *grid);

/* Set all columns to these states, in the order of brio_occupancy_columns: those of another run.  Return
** false when one of them is not a state: nothing is changed then. */
bool brio_occupancy_set_columns(brio_occupancy *grid, const uint8_t *states);

/* Write the box {least x, least y, most x, most y} of the known cells; false: none. */
bool brio_occupancy_box(const brio_occupancy *grid, double box[4]);

#endif
