/* A goal that is a list, and a feature that two objectives share. */
#include "solver/extension.h"

static const char *const fields[] = {"x", "y", "z"};

static const brio_goal_kind my_places = {
  .name = "my_places",
  .doc = "A list of 1 to 20 points (m).",
  .example = "{{0.4, 0, 0.5}, {0.4, 0.3, 0.5}}",
  .fields = fields,
  .item = 3,
  .least = 1,
  .most = 20,
};

static bool tool(const brio_feature_kind *kind, const brio_evaluation *at, double *out) {
  (void)kind;
  brio_error err;
  int link = brio_robot_link(at->robot, "panda_hand", &err);
  if (link < 0) return false;
  brio_vec3 off = brio_vec3_sub(at->state->links[link].p, at->state->links[0].p);
  out[0] = brio_vec3_norm(off), out[1] = off.z;
  return true;
}

static const brio_feature_kind my_tool = {
  .name = "my_tool",
  .doc = "How far the hand is from the base of the arm, and how high.",
  .unit = "m",
  .count = 2,
  .compute = tool,
};

typedef struct link_term {
  int link;
} link_term;

static int three(const void *self, const brio_robot *robot) { return (void)self, (void)robot, 3; }
static int one(const void *self, const brio_robot *robot) { return (void)self, (void)robot, 1; }

static int nearest(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                   double *jacobian) {
  const link_term *term = self;
  brio_vec3 p = at->state->links[term->link].p, best = {0, 0, 0};
  double least = INFINITY;
  for (int i = 0; i < goal->items; i++) {
    const double *place = brio_goal_item(goal, i);
    brio_vec3 off = brio_vec3_sub(p, (brio_vec3){place[0], place[1], place[2]});
    if (brio_vec3_dot(off, off) < least) best = off, least = brio_vec3_dot(off, off);
  }
  r[0] = best.x, r[1] = best.y, r[2] = best.z;
  if (jacobian) brio_state_point_jacobian(at->state, term->link, p, jacobian);
  return 3;
}

static int close(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                 double *jacobian) {
  (void)self, (void)jacobian;
  const double *tool_is = brio_feature_value(at, &my_tool);
  if (!tool_is) return -1; /* it is left out of this solve */
  r[0] = fmax(0, tool_is[0] - goal->v[0]);
  return 1;
}

static double low(const void *self, const brio_goal *goal, const brio_evaluation *at, double *gradient,
                  double *bend) {
  (void)self, (void)gradient, (void)bend;
  const double *tool_is = brio_feature_value(at, &my_tool);
  return tool_is ? 50 * pow(fmax(0, tool_is[1] - goal->v[0]), 2) : NAN;
}

static const brio_param none[] = {{0}};
static const brio_param link_params[] = {
  {.name = "link", .unit = "name", .doc = "The link.", .type = BRIO_PARAM_LINK,
   .offset = offsetof(link_term, link)}, {0}};

static const brio_objective_kind my_nearest = {
  .name = "my_nearest", .doc = "Brings a link to the nearest of several places.",
  .example = "{link = \"panda_hand\"}",
  .category = "own", .params = link_params, .goal = &my_places, .size = sizeof(link_term),
  .loss = &brio_loss_cartesian, .lively = &brio_loss_groove_cartesian, .rows = three, .residual = nearest,
};

static const brio_objective_kind my_close = {
  .name = "my_close", .doc = "Keeps the hand no farther from the base than the goal says (m).",
  .example = "{}", .category = "own", .params = none, .goal = &brio_goal_scalar,
  .loss = &brio_loss_cartesian, .lively = &brio_loss_groove_cartesian, .rows = one, .residual = close,
  .step = 1e-5,
};

static const brio_objective_kind my_low = {
  .name = "my_low", .doc = "Keeps the hand no higher above the base than the goal says (m).", .example = "{}",
  .category = "own", .params = none, .goal = &brio_goal_scalar, .cost = low, .step = 1e-4,
};

static const brio_objective_kind *const objectives[] = {&my_nearest, &my_close, &my_low, NULL};
static const brio_goal_kind *const goals[] = {&my_places, NULL};
static const brio_feature_kind *const features[] = {&my_tool, NULL};

const brio_extension brio_extension_record = {
  BRIO_EXTENSION_HEAD,
  .name = "my_places",
  .doc = "A goal that is a list, and a feature that two objectives share.",
  .objectives = objectives,
  .goals = goals,
  .features = features,
};
