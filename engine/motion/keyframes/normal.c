/* A value of its own, whatever is below. */
#include "motion/keyframe.h"

/* a + b u = value. */
static void ends(const brio_keyframe *key, double chance, double *a, double *b) {
  (void)chance;
  *a = key->value;
  *b = 0;
}

const brio_keyframe_kind brio_keyframe_normal = {
  .name = "normal",
  .doc = "The value itself, whatever is below.",
  .value = "number",
  .ends = ends,
};
