/* A point of a link on a line of the world: rows (1 - u u^T) (p - o), m, with o a point of the line and u its
** direction: what is left of the way from the line when the part along it is taken out. */
#include "solver/terms/term.h"

typedef struct link_line {
  int link;
  brio_vec3 point; /* of the link, in its frame */
} link_line;

/* Three rows, one for each axis of the world; their part along the line is 0. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  static const brio_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const link_line *term = self;
  const double *v = goal->v;
  brio_vec3 u = brio_vec3_unit((brio_vec3){v[3], v[4], v[5]}, axes[2]);
  brio_vec3 p = brio_transform_point(&at->state->links[term->link], term->point);
  brio_vec3 way = brio_vec3_sub(p, (brio_vec3){v[0], v[1], v[2]});
  for (int i = 0; i < 3; i++) {
    brio_vec3 across = brio_vec3_add_scaled(axes[i], -brio_vec3_dot(axes[i], u), u);
    r[i] = brio_vec3_dot(across, way);
    if (jacobian) brio_state_add_point_row(at->state, term->link, p, across, 1, jacobian + i * at->robot->nv);
  }
  return 3;
}

static const brio_param params[] = {BRIO_PARAM_OF_LINK(link_line), BRIO_PARAM_POINT_OF(link_line), {0}};

const brio_objective_kind brio_objective_link_line = {
  .name = "link_line",
  .doc = "Keeps a point of a link on a line of the world; along it the link may move.",
  .example = "{link = \"panda_hand\", point = {0, 0, 0.1}}",
  .category = "matching",
  .params = params,
  .goal = &brio_goal_line,
  .size = sizeof(link_line),
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_three_rows,
  .residual = residual,
};
