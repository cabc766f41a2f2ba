/* A link looks along its x axis at a focus that stays where it is, from a place that wanders about
** it, like one who inspects a thing.  Rows: how far the link is from that place, and its view from
** the focus, m.  Slopes are left to central differences. */
#include "math/noise.h"
#include "solver/extension.h"

static const char *const fields[] = {"focus", "turn", "shift"};

static bool check(brio_goal *goal, brio_error *err) {
  if (goal->v[0] > 0) return true;
  return brio_fail(err, BRIO_MISUSE, "the focus must be in front of the link");
}

static const brio_goal_kind my_view = {
  .name = "my_view",
  .doc = "How far off the focus is (m), and how much the view turns about it (rad) and comes closer (m).",
  .example = "{focus = 0.3, turn = 0.2, shift = 0.02}",
  .count = 3,
  .fields = fields,
  .check = check,
};

typedef struct my_perspective {
  int link;
  double frequency; /* Hz */
  uint64_t seed;
  bool placed;
  double began;     /* s */
  brio_vec3 focus, place;
  brio_quat orientation;
} my_perspective;

static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot, (void)err;
  ((my_perspective *)self)->seed = seed >> 1;
  return true;
}

static void reset(void *self) { ((my_perspective *)self)->placed = false; }

static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  my_perspective *term = self;
  double focus = goal->v[0], turn = goal->v[1], shift = goal->v[2], x = term->frequency * last->time;
  if (!term->placed) {
    const brio_transform *frame = &last->past_links[0][term->link];
    term->focus = brio_transform_point(frame, (brio_vec3){focus, 0, 0});
    term->orientation = brio_quat_from_matrix(frame->r);
    term->placed = true;
    term->began = last->time;
  }
  double pitch = turn * brio_noise_value(term->seed, x), yaw = turn * brio_noise_value(term->seed + 1, x);
  double gain = fmin(1, (last->time - term->began) / 2); /* it begins softly */
  double away = focus + gain * shift * brio_noise_value(term->seed + 2, x);
  brio_quat orientation = brio_quat_mul(term->orientation, brio_quat_from_rpy(0, gain * pitch, gain * yaw));
  term->place = brio_vec3_add(term->focus, brio_quat_rotate(orientation, (brio_vec3){-away, 0, 0}));
}

static int rows(const void *self, const brio_robot *robot) { return (void)self, (void)robot, 6; }

static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)jacobian;
  const my_perspective *term = self;
  const brio_transform *frame = &at->state->links[term->link];
  brio_vec3 off = brio_vec3_sub(frame->p, term->place), to_focus = brio_vec3_sub(term->focus, frame->p);
  brio_vec3 view = brio_transform_direction(frame, (brio_vec3){goal->v[0], 0, 0});
  brio_vec3 wrong = brio_vec3_add_scaled(view, -goal->v[0] / brio_vec3_norm(to_focus), to_focus);
  r[0] = off.x, r[1] = off.y, r[2] = off.z;
  r[3] = wrong.x, r[4] = wrong.y, r[5] = wrong.z;
  return 6;
}

static const brio_param params[] = {
  {.name = "link", .unit = "name", .doc = "The link that looks.", .type = BRIO_PARAM_LINK,
   .offset = offsetof(my_perspective, link)},
  {.name = "frequency", .unit = "Hz", .doc = "How fast it wanders.",
   .offset = offsetof(my_perspective, frequency), .fallback = 0.2, .lower = 0.01, .upper = 5},
  {0}};

static const brio_objective_kind my_perspective_kind = {
  .name = "my_perspective",
  .doc = "Lets a link wander about a focus that it keeps looking at.",
  .example = "{link = \"panda_hand\"}",
  .category = "own",
  .params = params,
  .goal = &my_view,
  .size = sizeof(my_perspective),
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .bind = bind,
  .rows = rows,
  .update = update,
  .reset = reset,
  .residual = residual,
  .step = 1e-5,
};

static const brio_objective_kind *const objectives[] = {&my_perspective_kind, NULL};
static const brio_goal_kind *const goals[] = {&my_view, NULL};

const brio_extension brio_extension_record = {
  BRIO_EXTENSION_HEAD,
  .name = "my_perspective",
  .doc = "A view that wanders about a focus.",
  .objectives = objectives,
  .goals = goals,
};
