/* Interlocks: rules that narrow the room of one axis because of what another axis, or the same
** one, does.  They act on axes outside the kinematic tree; for joints of the tree, limits and
** objectives of the solver do that.
**
**   prevent  while `watched` is beyond its extremes, `limited` stays within [lower, upper]
**   timing   beyond its extremes for `after` s: `limited` is led back to [lower, upper] within
**            `ramp` s, kept there for `keep` s, and released within `release` s
**   load     a load beyond `load` for `after` s: `limited` rests at `rest` for `keep` s
**
** After HEAD's safety layer (P23).  A rule only narrows the range of targets: how fast the axis
** follows is up to its limits. */
#ifndef BRIO_MOTOR_INTERLOCK_H
#define BRIO_MOTOR_INTERLOCK_H

#include "base/error.h"

typedef struct brio_interlock_kind brio_interlock_kind;

typedef struct brio_interlock {
  const brio_interlock_kind *kind;
  int watched, limited;        /* axes */
  /* extreme: position < below or > above; -INFINITY, INFINITY: not to that side */
  double below, above;
  double lower, upper;         /* the range that is left */
  double load;                 /* extreme load, in the device's unit */
  double rest;                 /* where to rest */
  double after, ramp, keep, release; /* s */
  double since;                /* s in the present phase */
  int phase;                   /* 0: all is well */
} brio_interlock;

/* One axis as a rule sees it. */
typedef struct brio_interlock_axis {
  double position;             /* command */
  double load;                 /* measured; NaN: unknown */
  double lower, upper;         /* in: the range of its target; out: what the rule leaves of it */
} brio_interlock_axis;

struct brio_interlock_kind {
  const char *name, *doc;
  void (*step)(brio_interlock *rule, brio_interlock_axis *axes, double dt);
};

/* All kinds, ended by a name that is NULL. */
extern const brio_interlock_kind brio_interlock_kinds[];

/* Return the kind of that name, or NULL and an error with the nearest name (misuse). */
const brio_interlock_kind *brio_interlock_find(const char *name, brio_error *err);

/* Check a rule for `count` axes.  Errors: misuse. */
bool brio_interlock_check(const brio_interlock *rule, int count, brio_error *err);

/* Apply a rule for dt s: narrow the range of the axis it limits.  Return whether it is active. */
bool brio_interlock_step(brio_interlock *rule, brio_interlock_axis *axes, double dt);

#endif
