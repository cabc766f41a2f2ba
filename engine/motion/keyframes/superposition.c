/* A value added to what is below at this moment: a nod over a gaze. */
#include "motion/keyframe.h"

/* a + b u = u + value. */
static void ends(const brio_keyframe *key, double chance, double *a, double *b) {
  (void)chance;
  *a = key->value;
  *b = 1;
}

const brio_keyframe_kind brio_keyframe_superposition = {
    .name = "superposition",
    .doc = "A value that is added to the current value below.",
    .value = "number",
    .ends = ends,
};
