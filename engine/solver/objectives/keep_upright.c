/* An axis of a link pointing up, whichever way the link faces: a glass that spills nothing, a head that
** looks straight.  Rows as long as the angle between them (rad). */
#include "solver/terms/term.h"

typedef struct keep_upright {
  int link;
  brio_vec3 axis; /* in the link's frame, unit */
} keep_upright;

/* The axis may be given with any length but 0; it is kept at length 1. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot, (void)seed;
  return brio_term_unit_axis(&((keep_upright *)self)->axis, "axis", err);
}

/* Three rows, as long as the angle between axis and up (term.c). */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const keep_upright *term = self;
  (void)goal;
  brio_vec3 a = brio_transform_direction(&at->state->links[term->link], term->axis);
  brio_term_aim aim = brio_term_aim_at(a, (brio_vec3){0, 0, 1});
  for (int i = 0; i < 3; i++) {
    r[i] = aim.r[i];
    if (jacobian) brio_term_add_direction_row(at, term->link, a, aim.of_a[i], jacobian + i * at->robot->nv);
  }
  return 3;
}

static const brio_param params[] = {
    BRIO_PARAM_OF_LINK(keep_upright),
    BRIO_PARAM_AXIS_OF(keep_upright, axis, 0, 0, 1,
                       "Which axis of the link is to point up, in the link's frame."),
    {0}};

const brio_objective_kind brio_objective_keep_upright = {
  .name = "keep_upright",
  .doc = "Keeps an axis of a link pointing up, whichever way the link faces.",
  .example = "{link = \"panda_hand\", axis = {0, 0, -1}}",
  .category = "matching",
  .params = params,
  .size = sizeof(keep_upright),
  .kinks = "where the axis points straight down: every way up is as short",
  .bind = bind,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_three_rows,
  .residual = residual,
};
