/* A view that moves about what it is held on, as when something is looked at from all sides: the link wanders
** and turns so that the point at the focal length ahead of it stays where it is.  Rows
**   f - (anchor + shift), m,   and   SHARE length log(R (anchor exp(turn))^-1), m
** with f the focus ahead of the link, R its rotation, and shift and turn noise (see liveliness.c).  A turn
** counts a share of the way that it takes the focus: where not both can be had, the focus is held.  Source:
** Schoen et al., "Lively", 2023, section 4.3.2. */
#include "solver/terms/liveliness.h"

typedef struct perspective_noise {
  int link;
  brio_vec3 axis;       /* where it looks, in its own frame, unit */
  brio_liveliness life; /* of the turn; that of the shift has the same parameters */
  brio_liveliness shift;
  brio_quat turned;     /* anchors */
  brio_vec3 focus;
} perspective_noise;

enum { ROWS = 6 };

static const double SHARE = 0.3;

/* Errors of following up to these do not move the anchors: the focus is held, not only not disturbed. */
static const double HOLD = 0.02, HOLD_TURN = 0.05; /* m, rad */

/* The shift has a stream of its own: the inverted seed. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot;
  perspective_noise *term = self;
  term->turned = BRIO_QUAT_IDENTITY;
  term->shift = term->life;
  term->shift.hold = HOLD;
  term->life.hold = HOLD_TURN;
  return brio_term_unit_axis(&term->axis, "axis", err) && brio_liveliness_start(&term->life, seed, err) &&
         brio_liveliness_start(&term->shift, ~seed, err);
}

/* Three rows of the turn, three of the focus. */
static int rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return ROWS;
}

/* Both noises take new anchors in the next solve. */
static void reset(void *self) {
  brio_liveliness_reset(&((perspective_noise *)self)->life);
  brio_liveliness_reset(&((perspective_noise *)self)->shift);
}

/* The point at the focal length ahead of the link. */
static brio_vec3 focus_of(const perspective_noise *term, const brio_goal *goal, const brio_transform *pose) {
  return brio_transform_point(pose, brio_vec3_scale(goal->v[0], term->axis));
}

/* The anchors follow where other objectives hold the link (liveliness.c). */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  perspective_noise *term = self;
  const brio_transform *pose = &last->past_links[0][term->link];
  brio_vec3 turn = {goal->v[1], goal->v[2], goal->v[3]}, shift = {goal->v[4], goal->v[5], goal->v[6]};
  brio_liveliness_swing(&term->life, &term->turned, brio_quat_from_matrix(pose->r), turn, last);
  brio_liveliness_wander(&term->shift, &term->focus, focus_of(term, goal, pose), shift, last);
}

/* Rows of the turn first, as they need three more rows while they are computed. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const perspective_noise *term = self;
  int nv = at->robot->nv;
  /* Rows 0 to 2: the turn, as a share of the way that it takes the focus. */
  double lever = SHARE * goal->v[0];
  brio_term_rotation(at, term->link, brio_liveliness_turned(&term->life, term->turned), r, jacobian);
  for (int i = 0; i < 3; i++) r[i] *= lever;
  /* Rows 3 to 5: the focus against anchor and shift. */
  brio_vec3 ahead = focus_of(term, goal, &at->state->links[term->link]);
  brio_vec3 off = brio_vec3_sub(ahead, brio_vec3_add(term->focus, term->shift.offset));
  r[3] = off.x, r[4] = off.y, r[5] = off.z;
  if (!jacobian) return ROWS;
  for (int j = 0; j < 3 * nv; j++) jacobian[j] *= lever;
  brio_state_point_jacobian(at->state, term->link, ahead, jacobian + 3 * nv);
  return ROWS;
}

static const brio_param params[] = {
  BRIO_PARAM_OF_LINK(perspective_noise),
  BRIO_PARAM_AXIS_OF(perspective_noise, axis, 1, 0, 0, "Which axis of the link looks, in the link's frame."),
  BRIO_PARAMS_OF_LIVELINESS(perspective_noise),
  {0}};

const brio_objective_kind brio_objective_perspective_noise = {
    .name = "perspective_noise",
    .doc = "Lets a link look at its focus from changing sides: it moves softly about a point ahead of it.",
    .example = "{link = \"panda_hand\", axis = {0, 0, 1}, frequency = 0.2}",
    .category = "liveliness",
    .params = params,
    .goal = &brio_goal_perspective,
    .size = sizeof(perspective_noise),
    .kinks = BRIO_KINKS_OF_TURNS,
    .loss = &brio_loss_cartesian,
    .lively = &brio_loss_groove_cartesian,
    .bind = bind,
    .rows = rows,
    .update = update,
    .reset = reset,
    .residual = residual,
    .life = true,
};
