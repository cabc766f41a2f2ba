/* The Lua module `brio.quality`: measures of the quality of a motion (math/quality.h, math/spectrum.h,
** math/gaussian.h).
**
** Series are lists of numbers, sampled evenly; points of a path are one flat list, all numbers of a point
** together. */
#include <lauxlib.h>
#include <math.h>

#include "lua/lua_args.h"
#include "math/gaussian.h"
#include "math/quality.h"
#include "math/spectrum.h"
#include "math/symmetric.h"

enum {
  MOST = BRIO_SPECTRUM_MOST,
  ARGUMENTS = 4, /* most lists of a function; numbers that were read are above */
  WIDEST = 200   /* numbers of a vector, where matrices are made of them */
};

/* Read a list of numbers into memory that Lua's collector owns, and write their count. */
static double *read_series(lua_State *L, int arg, int *count, const char *what) {
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_Unsigned length = lua_rawlen(L, arg);
  if (length < 1 || length > MOST)
    luaL_error(L, "%s must have 1 to %d numbers, not %d", what, MOST, (int)length);
  double *out = lua_newuserdatauv(L, (size_t)length * sizeof *out, 0);
  for (lua_Unsigned i = 1; i <= length; i++) {
    lua_rawgeti(L, arg, (lua_Integer)i);
    out[i - 1] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!isfinite(out[i - 1])) luaL_error(L, "%s[%d] must be a finite number", what, (int)i);
    lua_pop(L, 1);
  }
  *count = (int)length;
  return out;
}

/* The rate at `arg`, in Hz. */
static double check_rate(lua_State *L, int arg) { return brio_lua_number(L, arg, 1e-6, 1e9, "rate"); }

/* Push a measure, or nil for NaN. */
static int push_measure(lua_State *L, double value) {
  if (isfinite(value)) lua_pushnumber(L, value);
  else lua_pushnil(L);
  return 1;
}

/* The numbers of a point, at argument `arg`; raises unless they divide `count`. */
static int check_dimensions(lua_State *L, int arg, int count) {
  int dimensions = (int)brio_lua_number(L, arg, 1, 1000, "dimensions");
  if (count % dimensions) luaL_error(L, "%d numbers are not points of %d", count, dimensions);
  return dimensions;
}

/* quality.sparc(speed, rate) -> number | nil
** Smoothness of a movement by the arc length of its speed's spectrum; nearer to 0 is smoother: minimum jerk
** has -1.41, two movements in a row about -2.3. `speed`: at least 0, in any unit, at `rate` Hz. nil: no
** movement. */
static int sparc(lua_State *L) {
  /* Optional arguments become nil, so that memory goes above them. */
  lua_settop(L, ARGUMENTS);
  int count;
  double *speed = read_series(L, 1, &count, "speed");
  return push_measure(L, brio_quality_sparc(speed, count, check_rate(L, 2)));
}

/* quality.ldlj(speed, rate) -> number | nil
** Smoothness by jerk, -ln|dimensionless jerk|: minimum jerk has -5.32, rougher is lower. It is sensitive to
** noise, so use it on commands. nil: no movement. */
static int ldlj(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int count;
  double *speed = read_series(L, 1, &count, "speed");
  return push_measure(L, -log(fabs(brio_quality_jerk(speed, count, check_rate(L, 2)))));
}

/* quality.bend(points, dimensions) -> {length, chord, arc [, curvature, change]} | nil
** The curvature of a path: its length, the distance of its ends, their ratio `arc` (absent if the ends
** coincide), the mean curvature and its rate of change along the path (absent without motion). */
static int bend(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int count;
  double *points = read_series(L, 1, &count, "points");
  int dimensions = check_dimensions(L, 2, count);
  brio_quality_path path;
  if (!brio_quality_bend(points, count / dimensions, dimensions, &path)) return push_measure(L, NAN);
  lua_createtable(L, 0, 5);
  brio_lua_set_number(L, "length", path.length);
  brio_lua_set_number(L, "chord", path.chord);
  if (path.chord > 0) brio_lua_set_number(L, "arc", path.length / path.chord);
  if (isfinite(path.curvature)) {
    brio_lua_set_number(L, "curvature", path.curvature);
    brio_lua_set_number(L, "change", path.change);
  }
  return 1;
}

/* quality.move(values, rate) -> {amplitude, anticipation, overshoot, peak_to_mean} | nil
** Measures of a move from the first value to the last: the shares of it by which it first moves in the
** opposite direction and overshoots its end, and its greatest speed over its mean (linear 1, minimum jerk
** 1.875). nil: the ends are equal. */
static int move(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int count;
  double *values = read_series(L, 1, &count, "values");
  brio_quality_move found;
  if (!brio_quality_measure_move(values, count, check_rate(L, 2), &found)) return push_measure(L, NAN);
  lua_createtable(L, 0, 4);
  brio_lua_set_number(L, "amplitude", found.amplitude);
  brio_lua_set_number(L, "anticipation", found.anticipation);
  brio_lua_set_number(L, "overshoot", found.overshoot);
  brio_lua_set_number(L, "peak_to_mean", found.peak_to_mean);
  return 1;
}

/* quality.lag(a, b, rate [, most]) -> seconds | nil
** The delay of `b` after `a` (below 0: ahead of it), within `most` (0.5) s. nil: one of them does not
** move. */
static int lag(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int na, nb;
  double *a = read_series(L, 1, &na, "a"), *b = read_series(L, 2, &nb, "b");
  /* A delay needs both series at the same times. */
  if (na != nb) return luaL_error(L, "a has %d numbers and b %d: they must be as many", na, nb);
  double most = lua_isnoneornil(L, 4) ? 0.5 : brio_lua_number(L, 4, 0, 1e6, "most");
  return push_measure(L, brio_quality_lag(a, b, na, check_rate(L, 3), most));
}

/* quality.warp(a, b [, dimensions, band]) -> number | nil
** The difference of two motions independent of their timing: the mean distance of their points, aligned by
** dynamic time warping. `dimensions` (1): numbers of a point; `band`: the greatest shift of the alignment in
** points. */
static int warp(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int na, nb;
  double *a = read_series(L, 1, &na, "a"), *b = read_series(L, 2, &nb, "b");
  int dimensions = lua_isnoneornil(L, 3) ? 1 : check_dimensions(L, 3, na);
  if (nb % dimensions) return luaL_error(L, "%d numbers are not points of %d", nb, dimensions);
  int band = lua_isnoneornil(L, 4) ? -1 : (int)brio_lua_number(L, 4, 0, MOST, "band");
  /* From numbers to points; dynamic time warping takes time in proportion to the product of their counts. */
  na /= dimensions, nb /= dimensions;
  if ((double)na * nb > 4e8)
    return luaL_error(L, "%d by %d points are too many, at most 400,000,000 pairs", na, nb);
  return push_measure(L, brio_quality_warp(a, na, b, nb, dimensions, band));
}

/* The longest segment that is a power of two and at most half of the series, so that three segments fit that
** overlap by half; at least 4. */
static int usual_segment(int count) {
  int segment = 4;
  while (segment * 2 <= count / 2 && segment < 1 << 16) segment *= 2;
  return segment;
}

/* quality.spectrum(values, rate [, segment]) -> densities, step | nil
** Power spectral density by Welch's method: value k (from 1) is at (k - 1) * step Hz, in unit^2/Hz.
** `segment`: a power of two. nil: fewer than 4 values. */
static int spectrum(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int count;
  double *values = read_series(L, 1, &count, "values"), rate = check_rate(L, 2);
  int segment = lua_isnoneornil(L, 3) ? usual_segment(count) : (int)brio_lua_number(L, 3, 4, MOST, "segment");
  /* Half of a segment, and the value at 0 Hz. */
  double *density = lua_newuserdatauv(L, ((size_t)segment / 2 + 1) * sizeof *density, 0);
  if (!brio_spectrum_density(values, count, rate, segment, density)) return push_measure(L, NAN);
  brio_lua_push_numbers(L, density, segment / 2 + 1);
  lua_pushnumber(L, rate / segment);
  return 2;
}

/* quality.slope(densities, step, lowest, highest) -> beta | nil
** The slope of a spectrum between two frequencies: beta of 1/f^beta. White noise has 0, pink 1, brown 2;
** living movement is between pink and brown. */
static int slope(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int count;
  double *density = read_series(L, 1, &count, "densities");
  double step = brio_lua_number(L, 2, 1e-9, 1e9, "step");
  double lowest = brio_lua_number(L, 3, 0, 1e9, "lowest"), highest = brio_lua_number(L, 4, 0, 1e9, "highest");
  return push_measure(L, brio_spectrum_slope(density, count, step, lowest, highest));
}

/* Memory for `count` numbers that Lua's collector owns. */
static double *new_numbers(lua_State *L, size_t count) {
  return lua_newuserdatauv(L, count * sizeof(double), 0);
}

/* The numbers of a row, at argument `arg`: as check_dimensions, but few enough for matrices. */
static int check_width(lua_State *L, int arg, int count) {
  int n = check_dimensions(L, arg, count);
  if (n > WIDEST) luaL_error(L, "dimensions must be at most %d, not %d", WIDEST, n);
  return n;
}

/* quality.axes(points, dimensions) -> variances, axes | nil
** The principal axes of points: the variance along each, descending, and the axes' directions, unit vectors
** in one flat list. nil: fewer than 2 points. */
static int axes(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  int count;
  double *points = read_series(L, 1, &count, "points");
  int n = check_width(L, 2, count);
  double *mean = new_numbers(L, (size_t)(2 * n + 2 * n * n)), *values = mean + n, *covariance = values + n,
         *vectors = covariance + n * n;
  if (!brio_gaussian_fit(points, count / n, n, mean, covariance) ||
      !brio_symmetric_eigen(covariance, n, values, vectors))
    return push_measure(L, NAN);
  /* Rounding may leave a variance slightly below 0. */
  for (int i = 0; i < n; i++) values[i] = fmax(0, values[i]);
  brio_lua_push_numbers(L, values, n);
  brio_lua_push_numbers(L, vectors, n * n);
  return 2;
}

/* Read the rows at argument `arg` and fit a normal distribution to them; its covariance is shrunk if there
** are not more rows than dimensions. Return its shrinkage; raise if there are fewer than two rows. */
static double fit_rows(lua_State *L, int arg, const char *what, brio_gaussian *out) {
  int count;
  double *rows = read_series(L, arg, &count, what);
  int n = check_width(L, 3, count);
  if (count < 2 * n) return luaL_error(L, "%s has %d row, expected at least 2", what, count / n);
  double *mean = new_numbers(L, (size_t)(n + n * n)), *covariance = mean + n;
  brio_gaussian_fit(rows, count / n, n, mean, covariance);
  *out = (brio_gaussian){n, mean, covariance};
  return count / n > n ? 0 : brio_gaussian_shrink(rows, count / n, n, mean, covariance);
}

/* quality.frechet(a, b, dimensions) -> distance, shrinkage_a, shrinkage_b | nil
** The squared Fréchet distance of the normal distributions that fit two sets of vectors (FID, if the vectors
** are features); each set is a flat list of rows. A set with no more rows than dimensions has a singular
** covariance, which is shrunk toward its diagonal by `shrinkage` (0 to 1; Schäfer and Strimmer 2005). nil: no
** memory. */
static int frechet(lua_State *L) {
  lua_settop(L, ARGUMENTS);
  brio_gaussian a, b;
  double shrinkage_a = fit_rows(L, 1, "a", &a), shrinkage_b = fit_rows(L, 2, "b", &b);
  double distance = brio_gaussian_frechet(&a, &b);
  if (!isfinite(distance)) return push_measure(L, NAN);
  lua_pushnumber(L, distance);
  lua_pushnumber(L, shrinkage_a);
  lua_pushnumber(L, shrinkage_b);
  return 3;
}

int luaopen_brio_quality(lua_State *L) {
  static const luaL_Reg functions[] = {{"sparc", sparc},       {"ldlj", ldlj},   {"bend", bend},
                                       {"move", move},         {"lag", lag},     {"warp", warp},
                                       {"spectrum", spectrum}, {"slope", slope}, {"axes", axes},
                                       {"frechet", frechet},   {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
