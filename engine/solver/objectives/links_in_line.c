/* A point of a link on the line through the origins of two others: rows (p - p1) x u, m, with u the unit
** vector from p1 to p2; as long as the point is far from the line.  With L = |p2 - p1|,
**   du = (1 - u u^T) (dp2 - dp1) / L. */
#include "solver/terms/term.h"

typedef struct links_in_line {
  int link, link1, link2;
  brio_vec3 point; /* of the link, in its frame */
} links_in_line;

/* m: links nearer than this span no line. */
static const double TOO_NEAR = 1e-6;

/* No two of the three links may be the same. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  const links_in_line *term = self;
  const char *name = robot->links[term->link].name;
  return brio_term_must_differ(term->link1 == term->link2, "link1", "link2", robot->links[term->link1].name,
                               err) &&
         brio_term_must_differ(term->link == term->link1, "link", "link1", name, err) &&
         brio_term_must_differ(term->link == term->link2, "link", "link2", name, err);
}

/* Three rows; none where the two links of the line are in one place. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  static const brio_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const links_in_line *term = self;
  (void)goal;
  const brio_state *state = at->state;
  brio_vec3 p = brio_transform_point(&state->links[term->link], term->point);
  brio_vec3 p1 = state->links[term->link1].p, p2 = state->links[term->link2].p, span = brio_vec3_sub(p2, p1);
  double length = brio_vec3_norm(span);
  /* Links in one place span no line. */
  if (length < TOO_NEAR) return 0;
  /* error = way x u: as long as the distance from the line, across it. */
  brio_vec3 u = brio_vec3_scale(1 / length, span), way = brio_vec3_sub(p, p1),
            error = brio_vec3_cross(way, u);
  for (int i = 0; i < 3; i++) {
    r[i] = brio_vec3_dot(error, axes[i]);
    if (!jacobian) continue;
    double *row = jacobian + i * at->robot->nv;
    /* By the product rule: the point moves error by u, the ends of the line by the way. */
    brio_vec3 of_p = brio_vec3_cross(u, axes[i]), of_u = brio_vec3_cross(axes[i], way);
    brio_vec3 across = brio_vec3_scale(1 / length, brio_vec3_add_scaled(of_u, -brio_vec3_dot(of_u, u), u));
    brio_state_add_point_row(state, term->link, p, of_p, 1, row);
    brio_state_add_point_row(state, term->link1, p1, brio_vec3_add(of_p, across), -1, row);
    brio_state_add_point_row(state, term->link2, p2, across, 1, row);
  }
  return 3;
}

static const brio_param params[] = {
  BRIO_PARAM_OF_LINK(links_in_line),
  BRIO_PARAM_LINK_OF(links_in_line, link1, "The first link of the line."),
  BRIO_PARAM_LINK_OF(links_in_line, link2, "The second link of the line."),
  BRIO_PARAM_POINT_OF(links_in_line),
  {0}};

const brio_objective_kind brio_objective_links_in_line = {
  .name = "links_in_line",
  .doc = "Keeps a point of a link on the line through the origins of two other links.",
  .example = "{link = \"panda_link5\", link1 = \"panda_link2\", link2 = \"panda_hand\"}",
  .category = "matching",
  .params = params,
  .size = sizeof(links_in_line),
  .kinks = "where the two other links are in one place",
  .bind = bind,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_three_rows,
  .residual = residual,
};
