/* From joints to motors and back: rad, m or normalized units of an axis to the units that a motor
** counts in.  Each way is one row of a table; every row has its inverse and its slope.  Axes that
** several motors move together, as in a differential, are a coupling. */
#ifndef BRIO_MOTOR_MAPPING_H
#define BRIO_MOTOR_MAPPING_H

#include <math.h>

#include "base/error.h"
#include "math/scalar.h"

enum { BRIO_MAPPING_POINTS = 32, BRIO_COUPLING_MOST = 4 };

typedef struct brio_mapping_kind brio_mapping_kind;

/* How one axis becomes one motor. Fields that a kind does not use are ignored. */
typedef struct brio_mapping {
  const brio_mapping_kind *kind;
  double scale, offset;      /* linear: motor = polarity scale x + offset */
  double below, above;       /* asymmetric: motor units from the middle at -1, and at 1 */
  int polarity;              /* 1 or -1: which way the motor turns */
  double lower, upper;       /* motor units that are never left; -INFINITY, INFINITY: none */
  int points;                /* table: how many */
  double x[BRIO_MAPPING_POINTS], y[BRIO_MAPPING_POINTS]; /* table: axis rising, motor rising or falling */
} brio_mapping;

struct brio_mapping_kind {
  const char *name, *doc;
  /* Check the numbers of a mapping.  Errors: misuse. */
  bool (*check)(const brio_mapping *mapping, brio_error *err);
  double (*forward)(const brio_mapping *mapping, double x);
  double (*inverse)(const brio_mapping *mapping, double motor);
};

/* All kinds, ended by a name that is NULL. */
extern const brio_mapping_kind brio_mapping_kinds[];

/* motor = x: linear, scale 1. */
brio_mapping brio_mapping_identity(void);

/* Whether motor = x, without ends. */
bool brio_mapping_is_identity(const brio_mapping *mapping);

/* Return the kind of that name, or NULL and the nearest name (misuse). */
const brio_mapping_kind *brio_mapping_find(const char *name, brio_error *err);

/* Check a mapping before use.  Errors: misuse. */
bool brio_mapping_check(const brio_mapping *mapping, brio_error *err);

/* Motor units for a position of the axis, clamped to [lower, upper]; and back. NaN stays NaN. */
double brio_mapping_forward(const brio_mapping *mapping, double x);
double brio_mapping_inverse(const brio_mapping *mapping, double motor);

/* Motor units that go with one more unit of the axis, about x (s being small): for speeds. */
double brio_mapping_slope(const brio_mapping *mapping, double x);

/* Return the speed, in units a second, that covers `distance` in `slot` s, clamped to [`least`, `most`]; 0 if
** the distance is 0. */
static inline double brio_mapping_speed(double distance, double slot, double least, double most) {
  double size = fabs(distance);
  /* Without a distance or a time there is no speed; NaN is not above 0 either. */
  if (!(size > 0) || !(slot > 0)) return 0;
  return brio_clamp(size / slot, least, most);
}

/* Axes that several motors move together: motors = matrix axes. */
typedef struct brio_coupling {
  int count;                                             /* 2 to BRIO_COUPLING_MOST */
  double matrix[BRIO_COUPLING_MOST * BRIO_COUPLING_MOST];  /* count x count, by rows */
  double inverse[BRIO_COUPLING_MOST * BRIO_COUPLING_MOST];
} brio_coupling;

/* Copy a matrix (count x count, by rows) and compute its inverse.  Errors: misuse (a size out of range, NaN,
** a singular matrix). */
bool brio_coupling_start(brio_coupling *coupling, const double *matrix, int count, brio_error *err);

/* out = matrix in, and out = inverse in (count each; may not overlap). */
void brio_coupling_forward(const brio_coupling *coupling, const double *in, double *out);
void brio_coupling_inverse(const brio_coupling *coupling, const double *in, double *out);

#endif
