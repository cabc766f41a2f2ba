/* A value drawn between two, once for each pass over the key. */
#include "motion/keyframe.h"

/* a + b u = value + chance (most - value), chance being from 0 to below 1. */
static void ends(const brio_keyframe *key, double chance, double *a, double *b) {
  *a = key->value + chance * (key->most - key->value);
  *b = 0;
}

const brio_keyframe_kind brio_keyframe_random = {
    .name = "random",
    .doc = "A random value between two, drawn each time the key is passed, from the run's seed.",
    .value = "range",
    .ends = ends,
    .draws = true,
};
