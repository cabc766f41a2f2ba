/* Set-up, limits and path of a timing.
**
** The gridpoints divide each piece of the path evenly.  A piece gets intervals in proportion to its length in
** s, rounded, and one at least. */
#include "plan/timing/timing_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const brio_timing_scheme_names[BRIO_TIMING_NSCHEME] = {"everywhere", "interpolation",
                                                                   "collocation"};

enum { PER_JOINT = 3, PER_ROW = 2, TARGET = 1 };

/* Whether `value` is from `least` to `most`. */
static bool check_size(const char *what, int value, int least, int most, brio_error *err) {
  if (value >= least && value <= most) return true;
  return brio_fail(err, BRIO_MISUSE, "a timing must have %d to %d %s, not %d", least, most, what, value);
}

/* One arena, whose first block holds all arrays. */
bool brio_timing_start(brio_timing *timing, const brio_timing_size *size, brio_error *err) {
  *timing = (brio_timing){.size = *size};
  if (!check_size("joints", size->joints, 1, BRIO_TIMING_JOINTS, err) ||
      !check_size("points", size->points, 1, BRIO_TIMING_POINTS, err) ||
      !check_size("intervals", size->intervals, 2, BRIO_TIMING_INTERVALS, err) ||
      !check_size("rows", size->rows, 0, BRIO_TIMING_ROWS, err))
    return false;
  brio_arena *arena = &timing->arena;
  timing->stride = PER_JOINT * size->joints + PER_ROW * size->rows + TARGET;
  if ((double)size->intervals * timing->stride > BRIO_TIMING_SIZE ||
      (double)size->points * size->joints > BRIO_TIMING_SIZE)
    return brio_fail(err, BRIO_LIMIT,
                     "%d points, %d intervals and %d rows of %d joints are too many: at most %d constraints, "
                     "and as many numbers of points",
                     size->points, size->intervals, size->rows, size->joints, BRIO_TIMING_SIZE);
  size_t n = (size_t)size->joints, intervals = (size_t)size->intervals, grid = intervals + 1;
  size_t rows = intervals * (size_t)timing->stride;
  brio_arena_start(arena, (3 * rows + 2 * grid * n + 12 * grid) * sizeof(double));
  /* All arrays of numbers, then those of other types. */
  const struct {
    double **at;
    size_t count;
  } arrays[] = {{&timing->velocity, n},     {&timing->acceleration, n}, {&timing->s, grid},
                {&timing->slope, grid * n}, {&timing->curve, grid * n}, {&timing->e, rows},
                {&timing->lower, rows},     {&timing->upper, rows},     {&timing->floor, grid},
                {&timing->ceiling, grid},   {&timing->x, grid},         {&timing->slowest, grid},
                {&timing->times, grid},     {&timing->fastest, grid},   {&timing->weights, 5 * intervals}};
  bool good = true;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    good = (*arrays[k].at = BRIO_TAKE(arena, double, arrays[k].count)) != NULL && good;
  timing->piece = BRIO_TAKE(arena, int, intervals);
  timing->used = BRIO_TAKE(arena, int, intervals);
  timing->extra = BRIO_TAKE(arena, brio_timing_row, grid * (size_t)size->rows + 1);
  if (good && timing->piece && timing->used && timing->extra &&
      brio_spline_start(&timing->path, arena, size->joints, size->points, size->names, NULL))
    return true;
  brio_timing_end(timing);
  return brio_fail(err, BRIO_NO_MEMORY, "no memory to time a path of %d joints in %d intervals", size->joints,
                   size->intervals);
}

void brio_timing_end(brio_timing *timing) {
  brio_arena_end(&timing->arena);
  *timing = (brio_timing){0};
}

/* Check one limit of a joint. */
static bool check_limit(const brio_timing *timing, int joint, const char *what, double value,
                        brio_error *err) {
  char text[32];
  const char *name = brio_spline_name(&timing->path, joint, text, sizeof text);
  if (!(value > 0))
    return brio_fail(err, BRIO_MISUSE, "the %s limit of %s must be above 0, not %g", what, name, value);
  if (isinf(value) || (value >= BRIO_TIMING_MIN_LIMIT && value <= BRIO_TIMING_MAX_LIMIT)) return true;
  return brio_fail(err, BRIO_MISUSE, "the %s limit of %s must be from %g to %g, or infinite, not %g", what,
                   name, BRIO_TIMING_MIN_LIMIT, BRIO_TIMING_MAX_LIMIT, value);
}

bool brio_timing_set_limits(brio_timing *timing, const double *velocity, const double *acceleration,
                            brio_error *err) {
  char text[32];
  /* After an error there are no limits. */
  timing->limited = timing->solved = false;
  for (int j = 0; j < timing->size.joints; j++) {
    if (!check_limit(timing, j, "velocity", velocity[j], err) ||
        !check_limit(timing, j, "acceleration", acceleration[j], err))
      return false;
    if (isinf(velocity[j]) && isinf(acceleration[j]))
      return brio_fail(err, BRIO_MISUSE, "%s must have a finite limit of velocity or of acceleration",
                       brio_spline_name(&timing->path, j, text, sizeof text));
    timing->velocity[j] = velocity[j], timing->acceleration[j] = acceleration[j];
  }
  return timing->limited = true;
}

/* Share the intervals among the pieces: `piece` of each interval. */
static void share_intervals(brio_timing *timing) {
  const brio_spline *path = &timing->path;
  int pieces = path->count - 1, intervals = timing->size.intervals, made = 0;
  double first = path->at[0], whole = path->at[pieces] - first;
  for (int k = 0; k < pieces; k++) {
    /* The end of this piece on the grid: at its place, leaving one interval for each piece to come. */
    int end = (int)lround((path->at[k + 1] - first) / whole * intervals);
    if (end < made + 1) end = made + 1;
    if (end > intervals - (pieces - 1 - k)) end = intervals - (pieces - 1 - k);
    while (made < end) timing->piece[made++] = k;
  }
  assert(made == intervals);
}

/* Evaluate the path at gridpoint i, which is at parameter `s` of a piece. */
static void place(brio_timing *timing, int i, int piece, double s) {
  size_t at = (size_t)i * (size_t)timing->size.joints;
  timing->s[i] = s;
  brio_spline_piece(&timing->path, piece, s, NULL, timing->slope + at, timing->curve + at);
}

/* Place the gridpoints, piece by piece. */
static void make_grid(brio_timing *timing) {
  const brio_spline *path = &timing->path;
  int intervals = timing->size.intervals, pieces = path->count - 1;
  for (int k = 0, first = 0; k < pieces; k++) {
    /* The intervals of this piece. */
    int end = first;
    while (end < intervals && timing->piece[end] == k) end++;
    /* Even steps; the end is the beginning of the next piece. */
    double from = path->at[k], step = (path->at[k + 1] - from) / (end - first);
    for (int i = first; i < end; i++) place(timing, i, k, from + step * (i - first));
    first = end;
  }
  place(timing, intervals, pieces - 1, path->at[pieces]);
}

bool brio_timing_set_path(brio_timing *timing, const double *points, const double *at, int count,
                          brio_spline_ends ends, brio_error *err) {
  timing->solved = false;
  /* A path of one point needs no grid: it has no way. */
  if (!brio_spline_fit(&timing->path, points, at, count, ends, err)) return false;
  int pieces = timing->path.count - 1;
  if (pieces > timing->size.intervals) {
    timing->path.count = 0;
    return brio_fail(err, BRIO_MISUSE, "a path of %d pieces needs as many intervals, not %d", pieces,
                     timing->size.intervals);
  }
  if (pieces > 0) {
    share_intervals(timing);
    make_grid(timing);
  }
  return true;
}
