/* The list of goal kinds, made of goals.def. */
#include "solver/goals/goal_internal.h"

#include <stddef.h>

/* Ended by NULL, so that loops over it need no count. */
const brio_goal_kind *const brio_goal_kinds[] = {
#define X(name) &brio_goal_##name,
#include "solver/goals.def"
#undef X
  NULL,
};
