/* Assignment at the least cost: rows (detections) to columns (tracks), of which only some pairs are possible.
** A row may also stay alone, at a cost.  Memory is allocated with the workspace only; solving allocates
** nothing. */
#ifndef BRIO_SCENE_ASSIGNMENT_H
#define BRIO_SCENE_ASSIGNMENT_H

#include <stdbool.h>

#include "base/error.h"

typedef struct brio_assignment brio_assignment;

/* Create a workspace for that many rows, columns and possible pairs, each from 1 to 2^22.  Return NULL on
** misuse or no_memory. */
brio_assignment *brio_assignment_new(int most_rows, int most_columns, int most_pairs, brio_error *err);
void brio_assignment_free(brio_assignment *assignment);

/* Begin a problem with `columns` columns (clamped to the workspace) and no rows yet. */
void brio_assignment_begin(brio_assignment *assignment, int columns);

/* Begin the next row; return its number from 0, or -1 if there is no room. */
int brio_assignment_row(brio_assignment *assignment);

/* Allow the newest row to have `column`, at a cost from 0 to 1e100.  Return false, and ignore the pair, if
** an argument is out of range, no row was begun or there is no room. */
bool brio_assignment_pair(brio_assignment *assignment, int column, double cost);

/* Solve: the sum of the pairs' costs and of `alone` for every row without a column is the least
** possible.  Return each row's column, or -1 where it stays alone; it stays valid until the next
** problem.  Among equal solutions the choice depends on the order of rows and pairs
** only.  Cost: about rows + pairs where few contend; at worst rows x (columns^2 + pairs). */
const int *brio_assignment_solve(brio_assignment *assignment, double alone);

#endif
