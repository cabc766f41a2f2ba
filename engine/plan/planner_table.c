/* The table of planners. */
#include "plan/planner.h"

/* In the order of planners.def. */
static const brio_planner *const planners[] = {
#define X(name) &brio_planner_##name,
#include "plan/planners.def"
#undef X
};

const brio_planner *const *brio_planners(int *count) {
  *count = (int)(sizeof planners / sizeof *planners);
  return planners;
}
