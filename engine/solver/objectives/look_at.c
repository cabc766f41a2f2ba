/* An axis of a link aimed at a point of the world, or at a point of another link: three rows as long as the
** angle between the axis and the line of sight (rad); and, by preference, no roll: two rows
**   roll s_z,  roll max(0, -u_z)^2
** with s the link's side (axis x up) and u its up, which are 0 when the side is level and the up not
** upside down.  Roll is a share of the aim, so that it gives way.
**
** The three rows stand along the axes of the world, or of the target link: then what turns both links alike
** changes none of them, and joints that carry both stay out of it.  For the same reason the vertical of the
** roll is fixed to the target link during a solve: the head is held level by the neck, and not by a trunk
** that leans aside. */
#include "solver/terms/term.h"

typedef struct look_at {
  int link, target;     /* target -1: the world */
  brio_vec3 axis, up;   /* in the link's frame, unit */
  brio_vec3 side;
  brio_vec3 point;      /* of the link, where it looks from */
  brio_vec3 vertical;   /* up, in the target's frame, after the last solve */
  bool upright;         /* `vertical` is known */
  double roll;
} look_at;

enum { ROWS = 5 };

/* m: a target nearer than this is seen in no direction. */
static const double TOO_NEAR = 1e-6;

/* Put axis and up at length 1, and find the side. Errors: misuse (they are parallel). */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  look_at *term = self;
  if (!brio_term_unit_axis(&term->axis, "axis", err) || !brio_term_unit_axis(&term->up, "up", err))
    return false;
  /* The side is axis x up, which parallel directions do not have. */
  term->side = brio_vec3_cross(term->axis, term->up);
  if (brio_vec3_norm(term->side) < 1e-3)
    return brio_fail(err, BRIO_MISUSE, "axis and up must be two directions");
  brio_term_unit_axis(&term->side, "side", err);
  return brio_term_must_differ(term->target == term->link, "link", "target", robot->links[term->link].name,
                               err);
}

/* The vertical stays with the target link until the next solve. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  look_at *term = self;
  (void)goal;
  if (term->target < 0) return;
  const double *r = last->past_links[0][term->target].r;
  term->vertical = (brio_vec3){r[6], r[7], r[8]}; /* the third row of the rotation: its inverse times z */
  term->upright = true;
}

/* The next solve begins elsewhere. */
static void reset(void *self) { ((look_at *)self)->upright = false; }

/* Three rows of the aim, two of the roll. */
static int rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return ROWS;
}

/* Where it looks from and to, in the world. */
typedef struct sight {
  brio_vec3 from, to, axis, line; /* line: unit, from `from` to `to` */
  double distance;
} sight;

/* Return the line of sight; a target at the link's own point is seen along its axis. */
static sight sight_of(const look_at *term, const brio_goal *goal, const brio_evaluation *at) {
  const brio_transform *links = at->state->links, *pose = &links[term->link];
  sight s = {.from = brio_transform_point(pose, term->point),
             .axis = brio_transform_direction(pose, term->axis),
             .to = {goal->v[0], goal->v[1], goal->v[2]}};
  /* A goal in the frame of a target link becomes a point of the world. */
  if (term->target >= 0) s.to = brio_transform_point(&links[term->target], s.to);
  brio_vec3 way = brio_vec3_sub(s.to, s.from);
  s.distance = brio_vec3_norm(way);
  s.line = brio_vec3_unit(way, s.axis);
  return s;
}

/* Add the slope of  along . line. */
static void add_line_row(const look_at *term, const brio_evaluation *at, const sight *s, brio_vec3 along,
                         double *row) {
  /* The line turns by what moves its ends across it, over its length. */
  brio_vec3 across = brio_vec3_add_scaled(along, -brio_vec3_dot(along, s->line), s->line);
  brio_state_add_point_row(at->state, term->link, s->from, across, -1 / s->distance, row);
  if (term->target >= 0)
    brio_state_add_point_row(at->state, term->target, s->to, across, 1 / s->distance, row);
}

/* The axis of the rows that has this number, in the world. */
static brio_vec3 row_axis(const look_at *term, const brio_evaluation *at, int i) {
  brio_vec3 axis = {i == 0, i == 1, i == 2};
  return term->target < 0 ? axis : brio_transform_direction(&at->state->links[term->target], axis);
}

/* The sum of three vectors, times the parts of `by`. */
static brio_vec3 mix(const brio_vec3 of[3], brio_vec3 by) {
  return brio_vec3_add_scaled(brio_vec3_add_scaled(brio_vec3_scale(by.x, of[0]), by.y, of[1]), by.z, of[2]);
}

/* Write the three rows of the aim; they are 0 where the target is too near. */
static void aim_rows(const look_at *term, const brio_evaluation *at, const sight *s, double *r,
                     double *jacobian) {
  brio_term_aim aim = brio_term_aim_at(s->axis, s->line);
  brio_vec3 off = {aim.r[0], aim.r[1], aim.r[2]};
  for (int i = 0; i < 3; i++) {
    brio_vec3 axis = row_axis(term, at, i);
    r[i] = s->distance > TOO_NEAR ? brio_vec3_dot(axis, off) : 0;
    if (!jacobian || !(s->distance > TOO_NEAR)) continue;
    double *row = jacobian + i * at->robot->nv;
    brio_term_add_direction_row(at, term->link, s->axis, mix(aim.of_a, axis), row);
    add_line_row(term, at, s, mix(aim.of_d, axis), row);
    /* The axes of the rows turn with the target link, and the rows with them. */
    if (term->target >= 0) brio_term_add_direction_row(at, term->target, axis, off, row);
  }
}

/* Write two rows: how much the side is off level, and how much `up` points down. */
static void roll_rows(const look_at *term, const brio_evaluation *at, double *r, double *jacobian) {
  brio_vec3 vertical = {0, 0, 1};
  if (term->upright)
    vertical = brio_transform_direction(&at->state->links[term->target], term->vertical);
  const brio_transform *pose = &at->state->links[term->link];
  brio_vec3 side = brio_transform_direction(pose, term->side), up = brio_transform_direction(pose, term->up);
  double under = fmax(0, -brio_vec3_dot(vertical, up));
  r[0] = term->roll * brio_vec3_dot(vertical, side);
  r[1] = term->roll * under * under;
  if (!jacobian) return;
  double slope = -2 * term->roll * under, *second = jacobian + at->robot->nv;
  brio_term_add_direction_row(at, term->link, side, brio_vec3_scale(term->roll, vertical), jacobian);
  brio_term_add_direction_row(at, term->link, up, brio_vec3_scale(slope, vertical), second);
  if (!term->upright) return;
  /* The vertical turns with the target link. */
  brio_term_add_direction_row(at, term->target, vertical, brio_vec3_scale(term->roll, side), jacobian);
  brio_term_add_direction_row(at, term->target, vertical, brio_vec3_scale(slope, up), second);
}

/* Three rows, or five with roll. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const look_at *term = self;
  sight s = sight_of(term, goal, at);
  aim_rows(term, at, &s, r, jacobian);
  if (!(term->roll > 0)) return 3;
  roll_rows(term, at, r + 3, jacobian ? jacobian + 3 * at->robot->nv : NULL);
  return ROWS;
}

static const brio_param params[] = {
    BRIO_PARAM_OF_LINK(look_at),
    {.name = "target",
     .unit = "name",
     .doc = "A link to look at: the goal is then a point in its frame.",
     .type = BRIO_PARAM_LINK,
     .offset = offsetof(look_at, target),
     .optional = true},
    BRIO_PARAM_AXIS_OF(look_at, axis, 1, 0, 0, "Which axis of the link looks, in the link's frame."),
    BRIO_PARAM_AXIS_OF(look_at, up, 0, 0, 1, "Which direction of the link should stay up as far as it can."),
    BRIO_PARAM_POINT_OF(look_at),
    {.name = "roll",
     .unit = "1",
     .doc = "Weight of a level view relative to the aim; 0: none.",
     .offset = offsetof(look_at, roll),
     .fallback = 0.2,
     .lower = 0,
     .upper = 10},
    {0}};

const brio_objective_kind brio_objective_look_at = {
  .name = "look_at",
  .doc = "Aims an axis of a link at a point of the world, or at a point of another link, level if it can.",
  .example = "{link = \"panda_hand\", axis = {0, 0, 1}, up = {1, 0, 0}}",
  .category = "matching",
  .params = params,
  .goal = &brio_goal_translation,
  .size = sizeof(look_at),
  .kinks = "where it looks straight away from its goal, or is at it",
  .bind = bind,
  .update = update,
  .reset = reset,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = rows,
  .residual = residual,
};
