/* The table of the planners' parameters. Lengths, limits and times of the quick planner default to
** those of the IHMC behavior system's walk action (quickHipWidth, ...); those of the search are our
** choice for a robot of a person's size. */
#include "plan/settings.h"

#include <math.h>

#define DEGREE (3.14159265358979323846 / 180)
/* A row has the name of its field. */
#define ROW(name, unit, fallback, lower, upper, doc) \
  {#name, unit, doc, offsetof(brio_plan_settings, name), fallback, lower, upper}

/* Each number with its unit, default, range and meaning. */
static const brio_plan_setting table[] = {
    /* Steps and turns of the planners by rule. */
    ROW(hip_width, "m", 0.12, 0.01, 1, "Lateral distance of a foot from the middle of the body."),
    ROW(step_length, "m", 0.28, 0.02, 1, "How far the body goes with a step."),
    ROW(pelvis_yaw, "rad", 35 * DEGREE, 0.02, 1.6, "How far the body turns with a step."),
    ROW(inward, "rad", 10 * DEGREE, 0, 1.6, "Maximum inward turn of a foot relative to the standing foot."),
    ROW(outward, "rad", 50 * DEGREE, 0.02, 1.6, "How far a foot turns out."),
    ROW(step_angle, "rad", 115 * DEGREE, 1.58, 3.14,
        "From straight outward, how far around a foot may step."),
    ROW(backward, "m", 1, 0, 100, "How far off a goal behind may be that is walked to backwards."),
    /* How long swings take, by their distance, and transfers. */
    ROW(near_distance, "m", 0.3, 0, 10, "Swings no longer than this take `near_swing`."),
    ROW(far_distance, "m", 0.7, 0, 10, "Swings no shorter than this take `far_swing`."),
    ROW(near_swing, "s", 0.8, 0.05, 60, "What a short swing takes."),
    ROW(far_swing, "s", 1.2, 0.05, 60, "What a long swing takes; between them it goes by distance."),
    ROW(swing, "s", 0.8, 0.05, 60, "What a swing takes at least, of the planners that search or turn."),
    ROW(transfer, "s", 0.5, 0, 60,
        "What it takes before each swing to bring the weight over the other foot."),
    ROW(most_steps, "1", 100, 1, 1000, "A plan of more steps is none."),
    /* Soles, and the ground that carries them. */
    ROW(foot_length, "m", 0.22, 0.02, 1, "Of a sole."),
    ROW(foot_width, "m", 0.10, 0.02, 1, "Of a sole."),
    ROW(least_area, "1", 0.85, 0.1, 1, "How much of a sole must be on one plane."),
    ROW(most_slope, "rad", 25 * DEGREE, 0, 1, "How steep a foothold may be."),
    ROW(bump, "m", 0.02, 0.001, 0.2, "How far from the plane of a foothold ground counts as on it."),
    ROW(headroom, "m", 1.9, 0.2, 10, "Ground higher than this above another is no step but a roof."),
    /* Ways of the body around what is there. */
    ROW(clearance_radius, "m", 0.5, 0, 5, "Distance of the path of the body from obstacles."),
    ROW(body_radius, "m", 0.25, 0, 2,
        "How far the middle of the body stays from it where feet are searched for."),
    ROW(cost_unknown, "1", 0.5, 0, 100,
        "Additional cost of a path over unknown ground, as a share of its length."),
    ROW(cost_near, "1", 1, 0, 100,
        "So does one as near as `clearance_radius`; less from there to twice that."),
    /* The lattice of footholds, and the steps on it. */
    ROW(cell, "m", 0.05, 0.01, 0.5, "Of the lattice that is searched."),
    ROW(headings, "1", 24, 4, 120, "Of the lattice that is searched, around the circle."),
    ROW(reach, "m", 0.4, 0.02, 1, "Maximum distance of a step ahead of or behind the standing foot."),
    ROW(least_width, "m", 0.16, 0, 1, "Minimum lateral distance from the standing foot."),
    ROW(most_width, "m", 0.40, 0.02, 2, "And at most."),
    ROW(step_up, "m", 0.22, 0, 1, "How much higher."),
    ROW(step_down, "m", 0.22, 0, 1, "How much lower."),
    /* Costs, as lengths of way. */
    ROW(cost_step, "m", 0.15, 0.001, 10, "Cost of each step, as a length."),
    ROW(cost_turn, "m/rad", 0.3, 0, 10, "So does turning a foot."),
    ROW(cost_height, "1", 1, 0, 10, "So does a meter up or down."),
    ROW(cost_area, "m", 0.5, 0, 10,
        "Cost of a partial foothold, as a length, times the missing share of "
        "the sole."),
    ROW(cost_heading, "m/rad", 0.1, 0, 10,
        "Cost of a step that does not face like the goal, if requested, as a length."),
    /* How long the search goes on. */
    ROW(greed, "1", 1.5, 1, 10,
        "1: finds the shortest path; more: faster, with a path at most this many times as long."),
    ROW(most_nodes, "1", 60000, 100, 5e6, "Footholds that are kept: 64 bytes each, taken at the beginning."),
    ROW(most_expansions, "1", 20000, 1, 1e8, "Maximum number of nodes of the search."),
};

enum { COUNT = sizeof table / sizeof *table };

/* The number that a row is about. */
static double *number_of(brio_plan_settings *settings, const brio_plan_setting *row) {
  return (double *)(void *)((char *)settings + row->offset);
}

const brio_plan_setting *brio_plan_settings_table(int *count) {
  *count = COUNT;
  return table;
}

brio_plan_settings brio_plan_settings_default(void) {
  brio_plan_settings settings = {0};
  for (int i = 0; i < COUNT; i++) *number_of(&settings, &table[i]) = table[i].fallback;
  return settings;
}

bool brio_plan_settings_check(const brio_plan_settings *settings, brio_error *err) {
  /* The copy only lets number_of serve both uses. */
  brio_plan_settings copy = *settings;
  for (int i = 0; i < COUNT; i++) {
    double value = *number_of(&copy, &table[i]);
    /* Written so that NaN is rejected, too. */
    if (!(value >= table[i].lower && value <= table[i].upper))
      return brio_fail(err, BRIO_MISUSE, "%s must be from %g to %g %s, not %g", table[i].name, table[i].lower,
                       table[i].upper, table[i].unit, value);
  }
  /* Ranges must not be empty. */
  if (copy.near_distance > copy.far_distance)
    return brio_fail(err, BRIO_MISUSE, "near_distance (%g m) must not be above far_distance (%g m)",
                     copy.near_distance, copy.far_distance);
  if (copy.least_width > copy.most_width)
    return brio_fail(err, BRIO_MISUSE, "least_width (%g m) must not be above most_width (%g m)",
                     copy.least_width, copy.most_width);
  return true;
}
