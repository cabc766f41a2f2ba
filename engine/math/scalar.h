/* Single numbers.  Pure arithmetic, all inline. */
#ifndef BRIO_MATH_SCALAR_H
#define BRIO_MATH_SCALAR_H

/* Return the number of [lower, upper] nearest to `value`; NaN stays NaN. */
static inline double brio_clamp(double value, double lower, double upper) {
  return value < lower ? lower : value > upper ? upper : value;
}

#endif
