/* The robot's hands in the world, and the world's step. A hand is a point of grasp on a link and an axis
** that closes it; its opening is linear in the axis. What it can hold and when it lets go is in things.c;
** here are its pose, and the ranges in which the world holds axes. */
#include "world/things/hand.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "world/event.h"
#include "world/world_internal.h"

#define MAX_STEP 0.25     /* s that things move in one step, whatever time has passed */
#define CLOSES 1e-5       /* m per step: a hand that narrows by more is closing */

/* Validate a hand's form; its name must be new. A comparison with NaN fails. */
static bool check_form(const brio_world *world, const brio_world_hand_form *form, brio_error *err) {
  /* Lengths in m; the axis in its own unit. */
  const struct { const char *name; double value, lower, upper; } checks[] = {
      {"span", form->span, 1e-3, 1}, {"reach", form->reach, 1e-3, 1}, {"palm", form->palm, 0, 0.2},
      {"open", form->open, -1e3, 1e3}, {"shut", form->shut, -1e3, 1e3},
  };
  if (!*form->name || strlen(form->name) >= sizeof world->hands->name ||
      strlen(form->link) >= BRIO_WORLD_NAME || strlen(form->grip) >= BRIO_WORLD_NAME)
    return brio_fail(err, BRIO_MISUSE,
                     "a hand must have a name of 1 to 31 letters, a link and a grip of at most 63");
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!(checks[i].value >= checks[i].lower && checks[i].value <= checks[i].upper))
      return brio_fail(err, BRIO_MISUSE, "hand '%s': %s must be a number from %g to %g, not %g", form->name,
                       checks[i].name, checks[i].lower, checks[i].upper, checks[i].value);
  /* The opening is divided by the difference of the two values. */
  if (fabs(form->open - form->shut) < 1e-6 || !brio_vec3_finite(form->grasp))
    return brio_fail(err, BRIO_MISUSE,
                     "hand '%s': open and shut must differ, and grasp must be three numbers", form->name);
  for (int i = 0; i < world->nhand; i++)
    if (strcmp(world->hands[i].name, form->name) == 0)
      return brio_fail(err, BRIO_MISUSE, "the world already has a hand '%s'", form->name);
  return true;
}

bool brio_world_add_hand(brio_world *world, const brio_world_hand_form *form, brio_error *err) {
  if (!check_form(world, form, err)) return false;
  if (world->nhand == BRIO_WORLD_MOST_HANDS)
    return brio_fail(err, BRIO_LIMIT, "the world knows %d hands at most", BRIO_WORLD_MOST_HANDS);
  /* The grip's axis gets its hold before the hand exists, so that a failure leaves nothing half
  ** done. */
  int hold = brio_world_axis(world, form->grip);
  if (hold < 0) return brio_fail(err, BRIO_LIMIT, "the world holds %d axes at most", BRIO_WORLD_MOST_HOLDS);
  /* Without a robot it has no pose; brio_world_bind looks up link and axis. */
  brio_world_hand *hand = &world->hands[world->nhand++];
  *hand = (brio_world_hand){.open = form->open, .shut = form->shut, .span = form->span, .reach = form->reach,
                            .palm = form->palm, .grasp = form->grasp, .link_index = -1, .axis_index = -1,
                            .hold = hold, .thing = -1};
  snprintf(hand->name, sizeof hand->name, "%s", form->name);
  snprintf(hand->link, sizeof hand->link, "%s", form->link);
  snprintf(hand->grip, sizeof hand->grip, "%s", form->grip);
  return true;
}

/* Index of the robot's variable of that name; -1: none. O(variables). */
static int variable_of(const brio_robot *robot, const char *name) {
  for (int i = 0; robot && i < robot->nvariable; i++)
    if (strcmp(robot->variables[i].name, name) == 0) return i;
  return -1;
}

bool brio_world_bind(brio_world *world, const brio_robot *robot, brio_error *err) {
  /* Every hand needs its link and its axis. */
  for (int i = 0; i < world->nhand; i++) {
    brio_world_hand *hand = &world->hands[i];
    hand->link_index = brio_robot_link(robot, hand->link, err);
    if (hand->link_index < 0) return brio_fail_in(err, "hand '%s'", hand->name);
    hand->axis_index = variable_of(robot, hand->grip);
    if (hand->axis_index < 0)
      return brio_fail(err, BRIO_MISUSE, "hand '%s': the robot has no joint '%s'", hand->name, hand->grip);
  }
  if (!brio_world_bodies_bind(world, robot, err)) return false;
  /* Optional links: a sensor without one is fixed in the world. */
  world->sensor_index = world->sensor.link[0] ? brio_robot_link(robot, world->sensor.link, err) : -1;
  if (world->sensor.link[0] && world->sensor_index < 0) return brio_fail_in(err, "the world's sensor");
  world->depth_index = world->depth.link[0] ? brio_robot_link(robot, world->depth.link, err) : -1;
  if (world->depth.link[0] && world->depth_index < 0) return brio_fail_in(err, "the world's depth camera");
  /* Holds that scripts or events requested before the robot was known. */
  for (int i = 0; i < world->nhold; i++) world->holds[i].variable = variable_of(robot, world->holds[i].axis);
  world->robot = robot;
  return true;
}

const brio_world_hand *brio_world_hands(const brio_world *world, int *count) {
  *count = world->nhand;
  return world->hands;
}

int brio_world_axis(brio_world *world, const char *axis) {
  /* An axis has one hold, for grips and disturbances together. */
  for (int i = 0; i < world->nhold; i++)
    if (strcmp(world->holds[i].axis, axis) == 0) return i;
  /* The array is fixed, because the simulator's thread reads it. */
  if (world->nhold == BRIO_WORLD_MOST_HOLDS || strlen(axis) >= BRIO_WORLD_NAME) return -1;
  brio_world_hold *hold = &world->holds[world->nhold];
  snprintf(hold->axis, sizeof hold->axis, "%s", axis);
  atomic_store(&hold->lower, -INFINITY);
  atomic_store(&hold->upper, INFINITY);
  /* Free in both directions until a grip or a disturbance sets a range. */
  hold->grip_lower = hold->push_lower = -INFINITY;
  hold->grip_upper = hold->push_upper = INFINITY;
  hold->variable = variable_of(world->robot, axis);
  hold->value = NAN;
  return world->nhold++;
}

void brio_world_axis_range(const brio_world *world, int number, double *lower, double *upper) {
  assert(number >= 0 && number < world->nhold);
  /* Each bound is atomic; that both are of the same step does not matter. */
  const brio_world_hold *hold = &world->holds[number];
  *lower = atomic_load_explicit(&hold->lower, memory_order_relaxed);
  *upper = atomic_load_explicit(&hold->upper, memory_order_relaxed);
}

/* Publish the range of each held axis for the simulator's thread. */
void brio_world_hold_all(brio_world *world) {
  for (int i = 0; i < world->nhold; i++) {
    brio_world_hold *hold = &world->holds[i];
    bool pushed = isfinite(hold->push_lower); /* a push is stronger than a grip */
    double lower = pushed ? hold->push_lower : hold->grip_lower,
           upper = pushed ? hold->push_upper : hold->grip_upper;
    atomic_store_explicit(&hold->lower, lower, memory_order_relaxed);
    atomic_store_explicit(&hold->upper, upper, memory_order_relaxed);
  }
}

void brio_world_stop_grip(brio_world *world, const brio_world_hand *hand, double width) {
  assert(hand->hold >= 0 && hand->hold < world->nhold);
  brio_world_hold *hold = &world->holds[hand->hold];
  /* The axis value at which the hand is that wide; it bounds the closing direction only. */
  double at = hand->shut + (hand->open - hand->shut) * width / hand->span;
  hold->grip_lower = width > 0 && hand->open > hand->shut ? at : -INFINITY;
  hold->grip_upper = width > 0 && hand->open < hand->shut ? at : INFINITY;
}

/* Length of the coming step, s; after a pause MAX_STEP. */
static double step_of(const brio_world *world) { return fmin(world->time - world->stepped, MAX_STEP); }

void brio_world_move_hand(brio_world *world, int number, brio_pose pose, double width) {
  assert(number >= 0 && number < world->nhand);
  brio_world_hand *hand = &world->hands[number];
  double dt = step_of(world);
  brio_vec3 point = brio_pose_point(pose, hand->grasp);
  /* An unknown width keeps the last one. */
  width = isfinite(width) ? fmin(fmax(width, 0), hand->span) : hand->width;
  /* The speed of the point of grasp, for throwing. */
  hand->velocity = hand->known && dt > 0 ? brio_vec3_scale(1 / dt, brio_vec3_sub(point, hand->point))
                                         : (brio_vec3){0, 0, 0};
  /* A second call at the same time only updates the pose: the hand neither opens nor closes. */
  if (dt > 0) hand->closes = hand->known && width < hand->width - CLOSES;
  hand->pose = pose;
  hand->point = point;
  hand->width = width;
  hand->known = true;
}

/* Set a hand's pose from the robot's state, and its opening from its measured axis. */
static void look_at_hand(brio_world *world, int number, const brio_state *state, const double *values) {
  const brio_world_hand *hand = &world->hands[number];
  double share = (values[hand->axis_index] - hand->shut) / (hand->open - hand->shut);
  brio_world_move_hand(world, number, brio_pose_of(&state->links[hand->link_index]), hand->span * share);
}

/* Read the robot's state: hands, body, axes, sensor and depth camera. */
static void look(brio_world *world, const brio_state *state, const double *values) {
  for (int i = 0; i < world->nhand; i++) look_at_hand(world, i, state, values);
  brio_world_bodies_look(world, state);
  /* Axes that the robot does not have stay unknown. */
  for (int i = 0; i < world->nhold; i++)
    if (world->holds[i].variable >= 0) world->holds[i].value = values[world->holds[i].variable];
  /* A sensor on a link moves with it. */
  world->eye_known = world->sensor_index >= 0;
  if (world->eye_known)
    world->eye = brio_pose_mul(brio_pose_of(&state->links[world->sensor_index]), world->sensor.pose);
  world->depth_known = world->depth_index >= 0;
  if (world->depth_known)
    world->depth_eye = brio_pose_mul(brio_pose_of(&state->links[world->depth_index]),
                                     world->depth.camera.pose);
  /* People make way for the robot's first link. */
  world->body = state->links[0].p;
  world->body_known = true;
}

void brio_world_step(brio_world *world, const brio_state *state, const double *values) {
  double dt = step_of(world);
  if (state && world->robot == state->robot) look(world, state, values);
  /* The solids must be current for sensors, even if no time has passed. */
  brio_world_collect(world);
  /* No time has passed: nothing moves. */
  if (!(dt > 0)) return;
  world->stepped = world->time;
  /* Disturbances first: they may put things and hold axes in this very step. */
  brio_world_events_step(world, dt);
  /* Parts in the order of parts.def; ranges and solids after all of them. */
  for (int i = 0; i < BRIO_WORLD_PARTS; i++)
    if (world->parts[i] && brio_world_part_table[i]->step) brio_world_part_table[i]->step(world, dt);
  brio_world_hold_all(world);
  brio_world_collect(world);
}
