/* A link's z axis upright, whichever way it faces: a tray that spills nothing.  Rows
**   lever (z - up),  m
** with z the link's z axis and `up` that of the world: 0 when level, 2 lever long when upside
** down.  The tip of the axis moves by  velocity of a point at p + lever z  less that at p. */
#include "solver/terms/term.h"

typedef struct keep_level {
  int link;
  double lever; /* m */
} keep_level;

static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  static const brio_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, up = {0, 0, 1};
  const keep_level *term = self;
  const brio_transform *pose = &at->state->links[term->link];
  brio_vec3 z = brio_transform_direction(pose, up), tip = brio_vec3_add_scaled(pose->p, term->lever, z);
  brio_vec3 error = brio_vec3_scale(term->lever, brio_vec3_sub(z, up));
  (void)goal;
  for (int i = 0; i < 3; i++) {
    r[i] = brio_vec3_dot(error, axes[i]);
    if (!jacobian) continue;
    double *row = jacobian + i * at->robot->nv;
    brio_state_add_point_row(at->state, term->link, tip, axes[i], 1, row);
    brio_state_add_point_row(at->state, term->link, pose->p, axes[i], -1, row);
  }
  return 3;
}

static const brio_param params[] = {
  BRIO_PARAM_OF_LINK(keep_level),
  {.name = "lever", .unit = "m", .doc = "Where along the link's axis the tilt is measured: longer, stricter.",
   .offset = offsetof(keep_level, lever), .fallback = 0.2, .lower = 0.01, .upper = 2},
  {0}};

const brio_objective_kind brio_objective_keep_level = {
  .name = "keep_level",
  .doc = "Keeps the z axis of a link upright, whichever way it faces.",
  .example = "{link = \"panda_hand\", lever = 0.2}",
  .category = "matching",
  .params = params,
  .size = sizeof(keep_level),
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_three_rows,
  .residual = residual,
};
