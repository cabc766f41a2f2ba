/* Single numbers.  Pure arithmetic, all inline. */
#ifndef BRIO_MATH_SCALAR_H
#define BRIO_MATH_SCALAR_H

/* Return the number of [lower, upper] nearest to `value`; NaN stays NaN. */
static inline double brio_clamp(double value, double lower, double upper) {
  return value < lower ? lower : value > upper ? upper : value;
}

/* fmin and fmax without a call: of a number and NaN, the number; of two zeros, `b`. */
static inline double brio_min(double a, double b) { return a < b || b != b ? a : b; }
static inline double brio_max(double a, double b) { return a > b || b != b ? a : b; }

#endif
