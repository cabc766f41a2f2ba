/* Smoothness of everything in one: joints, the base if it may move, and links, with the shares of Lively 1.1,
** SmoothnessMacro (see smoothness.c). */
#include "solver/terms/smoothness.h"

/* Of velocity, acceleration and jerk. */
static const double of_joints[BRIO_ORDERS] = {0.21, 0.08, 0.04}, of_paths[BRIO_ORDERS] = {0.47, 0.15, 0.05};

/* Set the shares of Lively 1.1 for the parts that are switched on. Errors: misuse (none is). */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  brio_smoothness *term = self;
  (void)seed;
  if (!term->with_joints && !term->with_origin && !term->with_links)
    return brio_fail(err, BRIO_MISUSE, "one of joints, origin and links must be true");
  for (int k = 0; k < BRIO_ORDERS; k++) {
    term->joints[k] = term->with_joints ? of_joints[k] : 0;
    term->origin[k] = term->with_origin ? of_paths[k] : 0;
    term->links[k] = term->with_links ? of_paths[k] : 0;
  }
  brio_smoothness_start(term, robot);
  return true;
}

#define PART(NAME, DEFAULT, DOC)                                                         \
  {.name = #NAME, .unit = "", .doc = DOC, .type = BRIO_PARAM_FLAG,                       \
   .offset = offsetof(brio_smoothness, with_##NAME), .fallback = DEFAULT}

static const brio_param params[] = {
  PART(joints, 1, "Whether joints are to move smoothly."),
  PART(origin, 0, "Whether the base moves smoothly; without effect if it is fixed."),
  PART(links, 1, "Whether links are."),
  BRIO_PARAM_OF_LEVER,
  {0}};

const brio_objective_kind brio_objective_smoothness_macro = {
  BRIO_SMOOTHNESS_RECORD,
  .name = "smoothness_macro",
  .doc = "Makes all motion smooth: joints, links, and optionally the base.",
  .example = "{links = true, origin = false}",
  .category = "basic",
  .params = params,
  .differs = BRIO_ORIGIN_DIFFERS " " BRIO_LINKS_DIFFER,
  .bind = bind,
};
