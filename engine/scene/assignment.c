/* Minimum-cost assignment on a sparse graph, by shortest augmenting paths with prices.
**
** After Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
** assignment problems", Computing 38, 1987: augmenting row reduction first (which settles nearly
** all rows where there is little competition), then one Dijkstra search for each row left.
** Every row also has a private column at the cost of staying alone: so a solution exists
** whatever pairs are possible, and a search ends as soon as nothing nearer is left.
**
** Optimality: prices v of columns are at most 0, and 0 for free columns.  With u_i = min_j (c_ij
** - v_j) no pair has a negative reduced cost c_ij - u_i - v_j, and every chosen pair has a
** reduced cost of 0; by complementary slackness the sum is minimal. */
#include "scene/assignment.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A greater cost is refused, so that sums of costs stay finite. */
#define MAX_COST 1e100

enum { MOST = 1 << 22, REDUCTIONS = 2, NOBODY = -1 };

/* A possible pair of the row in whose range of indices it stands. */
typedef struct edge {
  int column;
  double cost;
} edge;

/* The pairs of a problem, row by row, and its solution so far. */
struct brio_assignment {
  int most_rows, most_columns, most_pairs;
  int rows, columns, pairs;
  double alone;
  int *first;     /* rows + 1: index of a row's first pair */
  edge *edges;    /* pairs */
  bool rising;    /* in each row costs rise from pair to pair: a scan may stop early */
  int *column_of; /* rows: NOBODY: alone, or not settled yet */
  int *row_of;    /* columns: NOBODY: free */
  double *price;  /* columns: v, at most 0 */
  int *waiting;   /* rows: the nwaiting rows not settled yet */
  int nwaiting;
  double *distance; /* columns: length of the search's path; INFINITY: not reached */
  int *from;        /* columns: the row before it on that path */
  bool *done;       /* columns: their distance is final, whatever rounding says */
  int *reached;     /* columns reached by the search; the first nscanned are done */
  int nreached, nscanned;
};

/* The invariants of a problem: pairs in the order of rows, row_of the inverse of column_of; O(rows). */
static bool is_consistent(const brio_assignment *a) {
  for (int i = 0; i < a->rows; i++) {
    if (a->first[i] > a->first[i + 1]) return false;
    if (a->column_of[i] != NOBODY && a->row_of[a->column_of[i]] != i) return false;
  }
  return a->first[a->rows] == a->pairs && a->pairs <= a->most_pairs;
}

/* Allocate for the largest problem; afterwards nothing is allocated. */
static bool take_memory(brio_assignment *a) {
  size_t rows = (size_t)a->most_rows, columns = (size_t)a->most_columns;
  a->first = calloc(rows + 1, sizeof *a->first);
  a->edges = calloc((size_t)a->most_pairs, sizeof *a->edges);
  a->column_of = calloc(rows, sizeof *a->column_of);
  a->waiting = calloc(rows, sizeof *a->waiting);
  a->row_of = calloc(columns, sizeof *a->row_of);
  a->price = calloc(columns, sizeof *a->price);
  a->distance = calloc(columns, sizeof *a->distance);
  a->from = calloc(columns, sizeof *a->from);
  a->done = calloc(columns, sizeof *a->done);
  a->reached = calloc(columns, sizeof *a->reached);
  return a->first && a->edges && a->column_of && a->waiting && a->row_of && a->price && a->distance &&
         a->from && a->done && a->reached;
}

/* O(rows + columns + pairs) bytes, all of them taken here. */
brio_assignment *brio_assignment_new(int most_rows, int most_columns, int most_pairs, brio_error *err) {
  const int sizes[] = {most_rows, most_columns, most_pairs};
  for (int i = 0; i < 3; i++) {
    if (sizes[i] >= 1 && sizes[i] <= MOST) continue;
    brio_fail(err, BRIO_MISUSE, "an assignment has 1 to %d rows, columns and pairs, not %d", MOST, sizes[i]);
    return NULL;
  }
  brio_assignment *a = calloc(1, sizeof *a);
  if (a) {
    a->most_rows = most_rows, a->most_columns = most_columns, a->most_pairs = most_pairs;
    if (take_memory(a)) return a;
  }
  brio_assignment_free(a);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for an assignment of %d rows to %d columns", most_rows,
            most_columns);
  return NULL;
}

/* An assignment that was made in part can be freed, too. */
void brio_assignment_free(brio_assignment *a) {
  if (!a) return;
  free(a->first);
  free(a->edges);
  free(a->column_of);
  free(a->waiting);
  free(a->row_of);
  free(a->price);
  free(a->distance);
  free(a->from);
  free(a->done);
  free(a->reached);
  free(a);
}

void brio_assignment_begin(brio_assignment *a, int columns) {
  /* What does not fit is cut off; its pairs are refused by brio_assignment_pair. */
  a->columns = columns < 0 ? 0 : columns > a->most_columns ? a->most_columns : columns;
  a->rows = a->pairs = a->nwaiting = a->nreached = 0;
  a->rising = true;
  a->first[0] = 0;
  for (int j = 0; j < a->columns; j++) {
    a->row_of[j] = NOBODY;
    a->price[j] = 0;
    a->distance[j] = INFINITY;
    a->done[j] = false;
  }
}

/* Pairs that are added from now on are of this row. */
int brio_assignment_row(brio_assignment *a) {
  if (a->rows >= a->most_rows) return -1;
  a->column_of[a->rows] = NOBODY;
  a->first[++a->rows] = a->pairs;
  return a->rows - 1;
}

bool brio_assignment_pair(brio_assignment *a, int column, double cost) {
  if (a->rows == 0 || a->pairs >= a->most_pairs) return false;
  if (column < 0 || column >= a->columns || !(cost >= 0 && cost <= MAX_COST)) return false;
  /* The scan of a row may stop early only if all rows came in order. */
  if (a->pairs > a->first[a->rows - 1] && cost < a->edges[a->pairs - 1].cost) a->rising = false;
  a->edges[a->pairs++] = (edge){column, cost};
  a->first[a->rows] = a->pairs;
  return true;
}

/* Assign a column to a row.  Return the row that had it before, which has none now. */
static int seat(brio_assignment *a, int row, int column) {
  /* row_of stays the inverse of column_of. */
  int before = a->row_of[column];
  a->row_of[column] = row;
  a->column_of[row] = column;
  if (before != NOBODY) a->column_of[before] = NOBODY;
  return before;
}

/* The row's cheapest column at the present prices (NOBODY: staying alone), its reduced cost, and
** that of the second best. */
static int cheapest(const brio_assignment *a, int row, double *cost, double *next) {
  int best = NOBODY;
  *cost = a->alone;
  *next = INFINITY;
  /* O(pairs of the row); with rising costs mostly less. */
  for (int e = a->first[row]; e < a->first[row + 1]; e++) {
    if (a->rising && a->edges[e].cost >= *next) break; /* prices are at most 0, so they only add */
    double here = a->edges[e].cost - a->price[a->edges[e].column];
    if (here < *cost)
      *next = *cost, *cost = here, best = a->edges[e].column;
    else if (here < *next)
      *next = here;
  }
  return best;
}

/* Augmenting row reduction: the row takes its cheapest column and lowers that column's price until
** its second best is as good; the row that had the column goes on likewise.  A row that competes
** without gain, or after too many turns, waits for a search. */
static void reduce(brio_assignment *a, int row) {
  /* Each turn settles one row, and may unseat another. */
  for (int turns = 0; row != NOBODY; turns++) {
    double cost, next;
    int column = cheapest(a, row, &cost, &next);
    if (column == NOBODY) return;
    bool gains = next > cost;
    if ((!gains && a->row_of[column] != NOBODY) || turns > a->rows) {
      a->waiting[a->nwaiting++] = row;
      return;
    }
    if (gains) a->price[column] -= next - cost; /* finite: staying alone is one of the two */
    row = seat(a, row, column);
  }
}

/* ------------------------------------------------------------------ a search */

/* Relax the pairs of a row, whose reduced costs start at `base`, up to `end`. */
static void look_around(brio_assignment *a, int row, double base, double end) {
  for (int e = a->first[row]; e < a->first[row + 1]; e++) {
    int column = a->edges[e].column;
    if (a->rising && base + a->edges[e].cost >= end) break;
    double here = base + a->edges[e].cost - a->price[column];
    /* Columns that are done keep their distance; others only get nearer. */
    if (!(here < end) || a->done[column] || !(here < a->distance[column])) continue;
    if (a->distance[column] == INFINITY) a->reached[a->nreached++] = column;
    a->distance[column] = here;
    a->from[column] = row;
  }
}

/* Move the nearest column that is not done to index nscanned.  False: none is left. */
static bool nearest_first(brio_assignment *a) {
  assert(a->nscanned <= a->nreached && a->nreached <= a->columns);
  /* A linear search: few columns are reached where there is little competition. */
  int best = a->nscanned;
  for (int i = a->nscanned + 1; i < a->nreached; i++)
    if (a->distance[a->reached[i]] < a->distance[a->reached[best]]) best = i;
  if (best >= a->nreached) return false;
  int column = a->reached[best];
  a->reached[best] = a->reached[a->nscanned];
  a->reached[a->nscanned] = column;
  return true;
}

/* Shift the rows on the path to `column` by one column each, so that `row` gets one. */
static void augment(brio_assignment *a, int row, int column) {
  /* Back from the end of the path: each row takes the next column, and its own is left to the row before. */
  for (;;) {
    int who = a->from[column], left = a->column_of[who];
    a->row_of[column] = who;
    a->column_of[who] = column;
    if (who == row) return;
    column = left;
  }
}

/* Let row `last` stay alone, and shift its column back along the path. */
static void stay_alone(brio_assignment *a, int row, int last) {
  int column = a->column_of[last];
  a->column_of[last] = NOBODY;
  if (last != row) augment(a, row, column);
}

/* Update the prices of finished columns: v_j += d_j - end, which keeps all reduced costs at least
** 0. */
static void settle_prices(brio_assignment *a, double end) {
  for (int i = 0; i < a->nscanned; i++) a->price[a->reached[i]] += a->distance[a->reached[i]] - end;
}

/* Dijkstra from `row`: the shortest path to a free column, or to a row for which staying alone is
** shortest. */
static void search(brio_assignment *a, int row) {
  double end = a->alone; /* the length of the best way to stay alone, and who does */
  int last = row, found = NOBODY;
  a->nreached = a->nscanned = 0;
  /* The row has no column yet: its own pairs begin the search, at distance 0. */
  look_around(a, row, 0, end);
  /* Finish columns in the order of their distances. */
  while (nearest_first(a)) {
    int column = a->reached[a->nscanned], owner = a->row_of[column];
    double here = a->distance[column];
    if (!(here < end)) break;
    if (owner == NOBODY) {
      end = here;
      found = column;
      break;
    }
    a->nscanned++;
    a->done[column] = true;
    double cost, next;
    cheapest(a, owner, &cost, &next); /* the owner's dual price: its minimum */
    /* The owner may stay alone instead: that ends a path, too. */
    if (here + a->alone - cost < end) end = here + a->alone - cost, last = owner;
    look_around(a, owner, here - cost, end);
  }
  /* Prices first, as long as the distances are known. */
  settle_prices(a, end);
  if (found != NOBODY)
    augment(a, row, found);
  else
    stay_alone(a, row, last);
  /* Reset only what the search touched. */
  for (int i = 0; i < a->nreached; i++) {
    a->distance[a->reached[i]] = INFINITY;
    a->done[a->reached[i]] = false;
  }
}

/* Where there is little competition O(pairs); at worst O(rows (columns^2 + pairs)), a search for each
** row. */
const int *brio_assignment_solve(brio_assignment *a, double alone) {
  a->alone = alone >= 0 && alone <= MAX_COST ? alone : MAX_COST;
  /* Reduce all rows, then those that waited again, then search for the rest. */
  for (int row = 0; row < a->rows; row++) reduce(a, row);
  for (int pass = 1; pass < REDUCTIONS; pass++) {
    int count = a->nwaiting;
    a->nwaiting = 0;
    for (int i = 0; i < count; i++) reduce(a, a->waiting[i]);
  }
  for (int i = 0; i < a->nwaiting; i++) search(a, a->waiting[i]);
  assert(is_consistent(a));
  return a->column_of;
}
