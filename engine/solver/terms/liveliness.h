/* Shared by the liveliness terms: seeded noise about an anchor.  Private to the solver room. */
#ifndef BRIO_SOLVER_TERMS_LIVELINESS_H
#define BRIO_SOLVER_TERMS_LIVELINESS_H

#include "math/quat.h"
#include "solver/terms/term.h"

typedef struct brio_liveliness {
  double frequency;      /* Hz: of the only octave, or of the slowest */
  double octaves, beta;  /* how many, each twice as fast; how their power falls, as 1 / f^beta */
  uint64_t seed[3];      /* amplitude of the noise along, or about, each axis */
  double hold;           /* m or rad: a deviation up to this does not move the anchor, also without noise */
  bool anchored;
  double gain;           /* 0 at the start, rising to 1 */
  double hurry[3];       /* 1 when the link was just moved along an axis, falling to 0 */
  brio_vec3 offset;      /* the noise of this solve, m or rad */
} brio_liveliness;

/* The rows "frequency", "octaves" and "beta" in a term's list of parameters; T has the member `life`. */
#define BRIO_PARAMS_OF_LIVELINESS(T)                                                                         \
  {.name = "frequency",                                                                                      \
   .unit = "Hz",                                                                                             \
   .doc = "Frequency of the noise (of several octaves, the slowest); the amplitude does not depend on it.",  \
   .offset = offsetof(T, life.frequency),                                                                    \
   .fallback = 0.25,                                                                                         \
   .lower = 0.001,                                                                                           \
   .upper = 20},                                                                                             \
      {.name = "octaves",                                                                                    \
       .unit = "1",                                                                                          \
       .doc = "Number of octaves, each with twice the frequency of the one before.",                         \
       .offset = offsetof(T, life.octaves),                                                                  \
       .fallback = 1,                                                                                        \
       .lower = 1,                                                                                           \
       .upper = 8},                                                                                          \
  {                                                                                                          \
    .name = "beta", .unit = "1", .doc = "With several octaves: exponent of the power spectrum, 1 / f^beta.", \
    .offset = offsetof(T, life.beta), .fallback = 1.5, .lower = 0, .upper = 3                                \
  }

/* Differences from Lively's terms, and the reasons. */
#define BRIO_LIVELINESS_DIFFERS                                                                              \
  "Lively adds the increment of its noise to the last pose, so that it drifts, makes it larger the slower "  \
  "it is, and "                                                                                              \
  "cannot be seeded: here noise is about an anchor that goes with what else holds the robot, of the size "   \
  "that is "                                                                                                 \
  "asked at any frequency, and the same for the same seed, with `lively_losses` too."

/* Check the parameters and seed the noise. */
bool brio_liveliness_start(brio_liveliness *life, uint64_t seed, brio_error *err);

/* Clear the anchor and start with no noise. */
void brio_liveliness_reset(brio_liveliness *life);

/* Once a solve: let `anchor` follow the link, which was `at` in the last solution, and compute the noise of
** the coming solve, with amplitude `size` on each axis.  The target is then anchor + life->offset (m). */
void brio_liveliness_wander(brio_liveliness *life, brio_vec3 *anchor, brio_vec3 at, brio_vec3 size,
                            const brio_evaluation *last);

/* The same for a rotation, noise about the link's own axes.  The target is  anchor exp(life->offset). */
void brio_liveliness_swing(brio_liveliness *life, brio_quat *anchor, brio_quat at, brio_vec3 size,
                           const brio_evaluation *last);
brio_quat brio_liveliness_turned(const brio_liveliness *life, brio_quat anchor);

/* update() of terms with one number: the anchor of x follows `at`. */
void brio_liveliness_stray(brio_liveliness *life, double *anchor, double at, double size,
                           const brio_evaluation *last);

#endif
