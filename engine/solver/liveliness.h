/* What the liveliness terms share: seeded noise about an anchor.  Not for use outside the
** solver room. */
#ifndef BRIO_SOLVER_LIVELINESS_H
#define BRIO_SOLVER_LIVELINESS_H

#include "math/quat.h"
#include "solver/term.h"

typedef struct brio_liveliness {
  double frequency;      /* Hz */
  uint64_t seed[3];      /* of the noise along, or about, each axis */
  bool anchored;
  double gain;           /* 0 at the start, rising to 1 */
  double hurry[3];       /* 1 when what holds it has just moved along an axis, falling to 0 */
  brio_vec3 offset;      /* the noise of this solve, m or rad */
} brio_liveliness;

/* The row "frequency" in a term's list of parameters; T has the member `life`. */
#define BRIO_PARAM_OF_FREQUENCY(T)                                                       \
  {.name = "frequency", .unit = "Hz", .doc = "How fast it wanders; the amplitude does not depend on it.", \
   .offset = offsetof(T, life.frequency), .fallback = 0.25, .lower = 0.001, .upper = 20}

/* Seed the noise. */
void brio_liveliness_seed(brio_liveliness *life, uint64_t seed);

/* Forget the anchor and start with no noise. */
void brio_liveliness_reset(brio_liveliness *life);

/* Return by how much the anchor should follow `error`, the way from the anchor to where the
** last pose would stand without noise; `size` is the asked amplitude on each axis. */
brio_vec3 brio_liveliness_follow(brio_liveliness *life, brio_vec3 error, brio_vec3 size, double dt);

/* Compute the offset of the solve at `time`. */
void brio_liveliness_advance(brio_liveliness *life, brio_vec3 size, double time, double dt);

#endif
