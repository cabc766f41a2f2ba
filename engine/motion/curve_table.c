/* The list of curves, made of curves.def, and what several of them share.
**
** Hermite's cubic with h = 2x^3 - 3x^2 + 1:  from h + to (1 - h) + width (m0 (x^3 - 2x^2 + x) + m1 (x^3 -
** x^2)). */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "motion/curve.h"

/* Each curve of curves.def is a record in a file of its own. */
#define X(name) extern const brio_curve brio_curve_##name;
#include "motion/curves.def"
#undef X

const brio_curve *const brio_curves[] = {
#define X(name) &brio_curve_##name,
#include "motion/curves.def"
#undef X
  NULL,
};

const int brio_curve_count = (int)(sizeof brio_curves / sizeof *brio_curves) - 1;

/* Linear: there are about a dozen curves. */
int brio_curve_find(const char *name) {
  for (int i = 0; i < brio_curve_count; i++)
    if (strcmp(brio_curves[i]->name, name) == 0) return i;
  return -1;
}

/* 3x^2 - 2x^3: at rest at both ends, for stretches between kinds of keys. */
void brio_curve_smooth(const brio_stretch *stretch, double x, double *share, double *slope) {
  (void)stretch;
  *share = x * x * (3 - 2 * x);
  *slope = 6 * x * (1 - x);
}

/* Hermite's cubic in powers of x, by Horner's rule; slopes are per second. */
void brio_curve_hermite(const brio_stretch *stretch, double x, double *value, double *slope) {
  assert(stretch->width > 0);
  double way = stretch->to - stretch->from, w = stretch->width;
  double m0 = stretch->slope_from * w, m1 = stretch->slope_to * w;
  double c2 = 3 * way - 2 * m0 - m1, c3 = m0 + m1 - 2 * way;
  *value = stretch->from + x * (m0 + x * (c2 + x * c3));
  *slope = (m0 + x * (2 * c2 + x * 3 * c3)) / w;
}
