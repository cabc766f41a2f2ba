/* The reports of the world's sensor: everything in its range and cone of view that is not hidden, with
** noise, lost reports and confused kinds, as a detector has them. A sight is hidden by solids of other
** owners: rays go from the sensor to its middle and to four points around it, and the share that arrives is
** the confidence. A report costs O(sights x 5 solids). */
#include <stdio.h>
#include <string.h>

#include "world/world_internal.h"

#define MIN_SHARE 0.35   /* of the rays: sights that are hidden more are not reported */

/* Validate the numbers. A comparison with NaN fails. */
static bool check_numbers(const brio_world_sensor *sensor, brio_error *err) {
  /* Lengths in m, the angle in rad, shares from 0 to 1. */
  const struct { const char *name; double value, lower, upper; } checks[] = {
      {"range", sensor->range, 0, INFINITY},  {"view", sensor->view, 0, 2 * BRIO_PI},
      {"noise", sensor->noise, 0, 1e3},       {"dropout", sensor->dropout, 0, 1},
      {"rate", sensor->rate, 0, 1e6},         {"color_noise", sensor->color_noise, 0, 1},
  };
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!(checks[i].value >= checks[i].lower && checks[i].value <= checks[i].upper))
      return brio_fail(err, BRIO_MISUSE, "the world's sensor: %s must be a number from %g to %g, not %g",
                       checks[i].name, checks[i].lower, checks[i].upper, checks[i].value);
  return true;
}

/* Validate the confusions: the shares of one kind must not exceed 1 in all. O(confusions^2). */
static bool check_confusion(const brio_world_sensor *sensor, brio_error *err) {
  if (sensor->nconfusion < 0 || sensor->nconfusion > BRIO_WORLD_CONFUSIONS)
    return brio_fail(err, BRIO_LIMIT, "the world's sensor: at most %d kinds can be confused with others",
                     BRIO_WORLD_CONFUSIONS);
  /* For each entry the sum over all entries of its kind. */
  for (int i = 0; i < sensor->nconfusion; i++) {
    const brio_world_confusion *taken = &sensor->confusion[i];
    double sum = 0;
    for (int k = 0; k < sensor->nconfusion; k++)
      if (strcmp(sensor->confusion[k].kind, taken->kind) == 0) sum += sensor->confusion[k].share;
    if (!(taken->share >= 0 && sum <= 1 + 1e-9))
      return brio_fail(err, BRIO_MISUSE,
                       "the world's sensor: the shares of confusion of '%s' are 0 to 1, not %g", taken->kind,
                       sum);
  }
  return true;
}

bool brio_world_set_sensor(brio_world *world, const brio_world_sensor *sensor, brio_error *err) {
  int link = -1;
  if (!check_numbers(sensor, err) || !check_confusion(sensor, err)) return false;
  if (!brio_pose_finite(sensor->pose))
    return brio_fail(err, BRIO_MISUSE, "the world's sensor: its pose must be finite numbers");
  /* Without a robot the link is looked up when one is bound. */
  if (sensor->link[0] && world->robot) {
    link = brio_robot_link(world->robot, sensor->link, err);
    if (link < 0) return brio_fail_in(err, "the world's sensor");
  }
  if (sensor->rate != world->sensor.rate) world->reports = -1; /* they are counted in its periods */
  world->sensor = *sensor;
  world->sensor.pose.q = brio_quat_unit(sensor->pose.q);
  world->sensor_index = link;
  return true;
}

/* Whether a report is due: at most one in each period of the sensor's rate. Counts it. */
static bool report_due(brio_world *world) {
  if (world->sensor.rate == 0) return true;
  /* Periods are counted from time 0, so that rounding does not accumulate. */
  double number = floor(world->time * world->sensor.rate + 1e-9);
  if (number <= world->reports) return false;
  world->reports = number;
  return true;
}

/* Whether a point is in the sensor's range and cone; 1e-12 rad for rounding. */
static bool in_view(const brio_world_sensor *sensor, brio_pose eye, brio_vec3 point) {
  brio_vec3 ray = brio_quat_rotate(brio_quat_conj(eye.q), brio_vec3_sub(point, eye.p));
  if (brio_vec3_norm(ray) > sensor->range) return false;
  return fabs(atan2(hypot(ray.y, ray.z), ray.x)) <= sensor->view / 2 + 1e-12;
}

/* Whether a ray from `eye` reaches `point` past the solids of other owners. O(solids). */
static bool arrives(const brio_world *world, brio_vec3 eye, brio_vec3 point, int owner) {
  brio_vec3 way = brio_vec3_sub(point, eye);
  double length = brio_vec3_norm(way);
  if (length < 1e-9) return true;
  way = brio_vec3_scale(1 / length, way);
  /* The first solid on the way hides the point. */
  for (int i = 0; i < world->nsolid; i++) {
    const brio_solid *solid = &world->solids[i];
    if (solid->owner == owner) continue;
    double distance = brio_solid_ray(solid, eye, way, NULL);
    /* A solid that ends just before the point may be what the thing lies on. */
    if (distance > 0 && distance < length - 1e-4) return false;
  }
  return true;
}

/* The share of a sight that is not hidden: rays to its middle and to four points across the line of sight. */
static double visible_share(const brio_world *world, brio_vec3 eye, const brio_world_sight *sight) {
  if (sight->through || !world->sensor.occlusion || world->nsolid == 0) return 1;
  /* A frame across the line of sight; for one straight up or down any frame will do. */
  brio_vec3 x = brio_vec3_unit(brio_vec3_sub(sight->pose.p, eye), (brio_vec3){1, 0, 0});
  brio_vec3 y = brio_vec3_unit(brio_vec3_cross((brio_vec3){0, 0, 1}, x), (brio_vec3){0, 1, 0});
  brio_vec3 z = brio_vec3_cross(x, y);
  /* The points are well within the sight, so that they do not miss it. */
  double radius = 0.35 * fmin(sight->size.x, fmin(sight->size.y, sight->size.z));
  int free = 0;
  /* The middle, left and right, above and below. */
  for (int i = 0; i < 5; i++) {
    double side = i == 1 ? radius : i == 2 ? -radius : 0, up = i == 3 ? radius : i == 4 ? -radius : 0;
    brio_vec3 point = brio_vec3_add_scaled(brio_vec3_add_scaled(sight->pose.p, side, y), up, z);
    free += arrives(world, eye, point, sight->owner);
  }
  return free / 5.0;
}

/* The kind that the detector reports: one random number decides among its confusions. */
static const char *called(const brio_world *world, const brio_world_sight *sight) {
  const brio_world_sensor *sensor = &world->sensor;
  double drawn = 0, sum = 0;
  bool any = false;
  for (int i = 0; i < sensor->nconfusion; i++) {
    if (strcmp(sensor->confusion[i].kind, sight->kind) != 0) continue;
    /* Drawn only for kinds that can be confused, so that others' streams do not change. */
    if (!any) drawn = brio_random_uniform(sight->dropout, 0, 1);
    any = true;
    sum += sensor->confusion[i].share;
    if (drawn < sum) return sensor->confusion[i].as;
  }
  return sight->kind;
}

/* Whether a disturbance hides this kind at present; "*" hides all kinds. */
static bool is_blind_for(const brio_world *world, const char *kind) {
  for (int i = 0; i < world->nblind; i++)
    if (strcmp(world->blind[i], kind) == 0 || strcmp(world->blind[i], "*") == 0) return true;
  return false;
}

/* Write the detection of a sight. False: it is not reported this time. */
static bool report(brio_world *world, brio_pose eye, brio_world_sight *sight, brio_detection *out) {
  const brio_world_sensor *sensor = &world->sensor;
  if (!in_view(sensor, eye, sight->pose.p) || is_blind_for(world, sight->kind)) return false;
  double share = visible_share(world, eye.p, sight);
  if (share < MIN_SHARE) return false;
  /* A sight that is out of view draws no random number. */
  if (sensor->dropout > 0 && brio_random_uniform(sight->dropout, 0, 1) < sensor->dropout) return false;
  *out = BRIO_DETECTION_BLANK;
  out->pose = sight->pose;
  /* Noise of the position, then of the color, from the sight's own stream. */
  if (sensor->noise > 0) {
    out->pose.p.x += sensor->noise * brio_random_normal(sight->noise);
    out->pose.p.y += sensor->noise * brio_random_normal(sight->noise);
    out->pose.p.z += sensor->noise * brio_random_normal(sight->noise);
  }
  out->size = sight->size;
  out->oriented = sight->oriented;
  /* The confidence is the visible share; the color has noise of its own. */
  out->confidence = share;
  for (int k = 0; k < 3 && sight->color; k++) {
    double part = sight->color[k];
    if (sensor->color_noise > 0) part += sensor->color_noise * brio_random_normal(sight->noise);
    out->color[k] = (float)fmin(fmax(part, 0), 1);
  }
  snprintf(out->kind, sizeof out->kind, "%s", called(world, sight));
  snprintf(out->id, sizeof out->id, "%s", sight->id);
  return true;
}

int brio_world_detect(brio_world *world, brio_detection *out, int most) {
  if (!report_due(world)) return 0;
  /* The link of the sensor has no pose before the first step. */
  if (world->sensor.link[0] && !world->eye_known) return 0;
  brio_pose eye = world->sensor.link[0] ? world->eye : world->sensor.pose;
  int n = 0;
  /* Parts in their order: the report does not depend on anything else. */
  for (int p = 0; p < BRIO_WORLD_PARTS; p++) {
    const brio_world_part *part = brio_world_part_table[p];
    int count = world->parts[p] && part->sight ? part->count(world) : 0;
    for (int i = 0; i < count && n < most; i++) {
      brio_world_sight sight;
      if (part->sight(world, i, &sight) && report(world, eye, &sight, &out[n])) n++;
    }
  }
  return n;
}
