/* Who belongs to whom at the least cost: rows (detections) and columns (tracks), of which only
** some pairs are possible.  A row may also stay alone, at a cost.  All memory is taken when the
** workspace is made; solving allocates nothing. */
#ifndef BRIO_SCENE_ASSIGNMENT_H
#define BRIO_SCENE_ASSIGNMENT_H

#include <stdbool.h>

#include "base/error.h"

typedef struct brio_assignment brio_assignment;

/* Make a workspace for so many rows, columns and possible pairs, each from 1 to 2^22.  Return
** NULL on misuse or no_memory. */
brio_assignment *brio_assignment_new(int most_rows, int most_columns, int most_pairs, brio_error *err);
void brio_assignment_free(brio_assignment *assignment);

/* Begin a problem with `columns` columns (cut to what there is room for) and no rows yet. */
void brio_assignment_begin(brio_assignment *assignment, int columns);

/* Begin the next row; return its number from 0, or -1 when there is no room for it. */
int brio_assignment_row(brio_assignment *assignment);

/* Say that the newest row may have `column` at a cost from 0 to 1e100.  Return false, and leave
** the pair out, when it is none of that kind, no row was begun or there is no room. */
bool brio_assignment_pair(brio_assignment *assignment, int column, double cost);

/* Solve: the sum of the pairs' costs and of `alone` for every row without a column is the least
** possible.  Return each row's column, or -1 where it stays alone; it stays valid until the next
** problem.  Of equally good solutions one is taken that depends on the order of rows and pairs
** only.  Cost: about rows + pairs where few contend; at worst rows x (columns^2 + pairs). */
const int *brio_assignment_solve(brio_assignment *assignment, double alone);

#endif
