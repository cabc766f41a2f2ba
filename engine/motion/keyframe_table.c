/* The list of kinds of keyframes, made of keyframes.def. */
#include "motion/keyframe.h"

#include <stddef.h>
#include <string.h>

/* Each kind of keyframes.def is a record in a file of its own. */
#define X(name) extern const brio_keyframe_kind brio_keyframe_##name;
#include "motion/keyframes.def"
#undef X

const brio_keyframe_kind *const brio_keyframe_kinds[] = {
#define X(name) &brio_keyframe_##name,
#include "motion/keyframes.def"
#undef X
  NULL,
};

const int brio_keyframe_kind_count = (int)(sizeof brio_keyframe_kinds / sizeof *brio_keyframe_kinds) - 1;

/* Linear: there are four kinds. */
int brio_keyframe_kind_find(const char *name) {
  for (int i = 0; i < brio_keyframe_kind_count; i++)
    if (strcmp(brio_keyframe_kinds[i]->name, name) == 0) return i;
  return -1;
}
