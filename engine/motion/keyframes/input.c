/* What is below at this moment: the track lets it through. */
#include "motion/keyframe.h"

/* a + b u = u. */
static void ends(const brio_keyframe *key, double chance, double *a, double *b) {
  (void)key, (void)chance;
  *a = 0;
  *b = 1;
}

const brio_keyframe_kind brio_keyframe_input = {
  .name = "input",
  .doc = "What is below on that DOF at this moment: to begin and end without a trace.",
  .value = "none",
  .ends = ends,
};
