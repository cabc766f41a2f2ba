/* Settings of the planners of footsteps: a number each, with its unit, range and default.  One table, which
** bindings, documentation and checks use. */
#ifndef BRIO_PLAN_SETTINGS_H
#define BRIO_PLAN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct brio_plan_settings {
  double hip_width, step_length, pelvis_yaw, inward, outward, step_angle, backward;
  double near_distance, far_distance, near_swing, far_swing, swing, transfer, most_steps;
  double foot_length, foot_width, least_area, most_slope, bump, headroom;
  double clearance_radius, body_radius, cost_unknown, cost_near;
  double cell, headings, reach, least_width, most_width, step_up, step_down;
  double cost_step, cost_turn, cost_height, cost_area, cost_heading, greed;
  double most_nodes, most_expansions;
} brio_plan_settings;

typedef struct brio_plan_setting {
  const char *name, *unit, *doc;
  size_t offset;                  /* of its number in brio_plan_settings */
  double fallback, lower, upper;
} brio_plan_setting;

/* Return the table; `count` gets how many rows there are. */
const brio_plan_setting *brio_plan_settings_table(int *count);

/* Return all defaults. */
brio_plan_settings brio_plan_settings_default(void);

/* Return whether every number is within its range, and consistent with the others.  Errors: misuse. */
bool brio_plan_settings_check(const brio_plan_settings *settings, brio_error *err);

#endif
