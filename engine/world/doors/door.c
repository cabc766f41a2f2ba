/* The geometry of a door: its default sizes, the ranges of its settings, and where its panel and handle
** are. How it moves is in door_step.c. Sizes are those of a door in a house and its hardware (EN 1906
** levers, EN 1125 push bars, EN 1154 closers give the order of magnitude); the panel's inertia is that of a
** board of 30 kg about its edge, m w^2 / 3. */
#include "world/doors/door.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/scalar.h"
#include "world/doors/door_internal.h"

/* By handle: name, kind for detectors, length (m), distance from the panel (m), where the latch is free,
** end (rad or m). */
static const struct {
  const char *name, *kind;
  double length, off, free, most;
} handles[BRIO_DOOR_NHANDLE] = {
    [BRIO_DOOR_LEVER] = {"lever", "door_lever", 0.12, 0.06, 0.5, 0.8},
    [BRIO_DOOR_KNOB] = {"knob", "door_knob", 0, 0.06, 0.6, 1.2},
    [BRIO_DOOR_PUSH_BAR] = {"push_bar", "door_push_bar", 0.6, 0.08, 0.025, 0.04},
    [BRIO_DOOR_PULL] = {"pull", "door_pull", 0.3, 0.06, 0.5, 1},
};

const char *brio_door_handle_name(brio_door_handle handle) {
  return (int)handle >= 0 && handle < BRIO_DOOR_NHANDLE ? handles[handle].name : NULL;
}

const char *brio_door_kind(const brio_door *door, int which) {
  assert(which >= 0 && which < BRIO_DOOR_SEEN);
  if (door->settings.slides) return which == 0 ? "drawer_front" : "drawer_handle";
  return which == 0 ? "door_panel" : handles[door->settings.handle].kind;
}

brio_door_settings brio_door_defaults(brio_door_handle handle) {
  /* An unknown handle gets the defaults of a lever. */
  if ((int)handle < 0 || handle >= BRIO_DOOR_NHANDLE) handle = BRIO_DOOR_LEVER;
  return (brio_door_settings){.pose = BRIO_POSE_IDENTITY,
                              .width = 0.9,
                              .height = 2.0,
                              .thickness = 0.04,
                              .most = 1.9,
                              .handle = handle,
                              .handle_height = 1.0,
                              .inset = 0.07,
                              .length = handles[handle].length,
                              .off = handles[handle].off,
                              .free = handles[handle].free,
                              .handle_most = handles[handle].most,
                              .latch = handle != BRIO_DOOR_PULL,
                              .inertia = 8,
                              .friction = 1,
                              .damping = 3,
                              .grip = 1};
}

double brio_door_wide(const brio_door_settings *s) { return s->slides ? s->most / 2 : 1; }

/* The name of a number as a drawer's file has it. */
static const char *name_of(const brio_door_settings *s, const char *name) {
  static const char *const names[][2] = {{"angle", "open"}, {"inertia", "mass"}};
  for (size_t i = 0; s->slides && i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], name) == 0) return names[i][1];
  return name;
}

/* Validate the numbers; ranges may depend on other settings, which come first. A comparison with NaN
** fails. */
static bool check_numbers(const char *id, const brio_door_settings *s, brio_error *err) {
  /* Lengths in m, angles in rad, inertia in kg m^2, moments in N m. */
  const bool slides = s->slides;
  const struct { const char *name; double value, lower, upper; } checks[] = {
      {"width", s->width, slides ? 0.05 : 0.3, 3}, {"height", s->height, slides ? 0.02 : 0.3, 5},
      {"thickness", s->thickness, slides ? 0.003 : 0.01,
       slides ? fmin(s->width, s->height) / 4 : 0.3},
      {"depth", s->depth, slides ? 0.05 : 0, slides ? 3 : 0},
      {"most", s->most, slides ? 0.01 : 0.1, slides ? s->depth : 2.8},
      {"angle", s->angle, 0, s->most},       {"handle_height", s->handle_height, slides ? 0 : 0.1, s->height},
      {"inset", s->inset, 0, s->width / 2},
      {"length", s->length, 0, slides ? s->width : fmin(s->width, s->height)},
      {"off", s->off, 0.02, 0.3},            {"free", s->free, 0.001, 3},
      {"handle_most", s->handle_most, s->free, 3.1}, {"inertia", s->inertia, 0.1, 1e4},
      {"friction", s->friction, 0, 1e3},     {"damping", s->damping, 0, 1e4},
      {"closer", s->closer, 0, 1e3},         {"closer_rise", s->closer_rise, 0, 1e3},
      {"grip", s->grip, 0, 1},
  };
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!(checks[i].value >= checks[i].lower && checks[i].value <= checks[i].upper))
      return brio_fail(err, BRIO_MISUSE, "%s '%.64s': %s must be a number from %g to %g, not %g",
                       s->slides ? "drawer" : "door", id, name_of(s, checks[i].name), checks[i].lower,
                       checks[i].upper, checks[i].value);
  return true;
}

bool brio_door_init(brio_door *door, const char *id, const brio_door_settings *settings, uint64_t seed,
                    brio_error *err) {
  if (!id || !*id || strlen(id) >= BRIO_DOOR_ID)
    return brio_fail(err, BRIO_MISUSE, "a door's id must have 1 to %d letters, not '%.64s'", BRIO_DOOR_ID - 1,
                     id ? id : "");
  if (!brio_door_handle_name(settings->handle))
    return brio_fail(err, BRIO_MISUSE, "door '%s': its handle is none of lever, knob, push_bar and pull", id);
  if (!check_numbers(id, settings, err)) return false;
  /* A door stands upright: its z axis is the world's, within rounding. */
  brio_vec3 up = brio_quat_rotate(brio_quat_unit(settings->pose.q), (brio_vec3){0, 0, 1});
  if (!brio_pose_finite(settings->pose) || !(up.z > 1 - 1e-6))
    return brio_fail(err, BRIO_MISUSE, "door '%s': its pose must be finite numbers, and its z axis up", id);
  /* A stream of its own, so that doors do not influence each other's grasps. */
  char name[64];
  snprintf(name, sizeof name, "world.door.%s", id);
  *door = (brio_door){
      .settings = *settings, .angle = settings->angle, .stream = brio_random_stream(seed, name)};
  door->settings.pose.q = brio_quat_unit(settings->pose.q);
  /* Within the latch's catch the door begins latched. */
  door->latched = settings->latch && settings->angle <= BRIO_DOOR_CATCH;
  door->wide = settings->angle > brio_door_wide(settings);
  snprintf(door->id, sizeof door->id, "%s", id);
  return true;
}

void brio_door_hold(brio_door *door, double seconds) {
  if (seconds > 0) door->held = seconds;
}

/* World to door, then mirrored, so that every door is like one with its hinge on the right that opens
** away.  A drawer: along its front from the right, and outwards from the middle of the shut front. */
brio_vec3 brio_door_into(const brio_door *door, brio_vec3 point) {
  const brio_door_settings *s = &door->settings;
  brio_vec3 p = brio_quat_rotate(brio_quat_conj(s->pose.q), brio_vec3_sub(point, s->pose.p));
  if (s->slides) return (brio_vec3){s->width / 2 + p.y, p.x + s->thickness / 2, p.z};
  return (brio_vec3){s->width / 2 + (s->left ? -p.y : p.y), s->toward ? -p.x : p.x, p.z};
}

/* The inverse of brio_door_into. */
static brio_vec3 out_of(const brio_door *door, brio_vec3 p) {
  const brio_door_settings *s = &door->settings;
  double y = p.x - s->width / 2;
  if (s->slides) return brio_pose_point(s->pose, (brio_vec3){p.y - s->thickness / 2, y, p.z});
  return brio_pose_point(s->pose, (brio_vec3){s->toward ? -p.y : p.y, s->left ? -y : y, p.z});
}

double brio_door_yaw(const brio_door *door) {
  if (door->settings.slides) return 0;
  /* Hinge left and opening away, or right and towards: the angle is positive about z. */
  return door->settings.left == door->settings.toward ? -door->angle : door->angle;
}

brio_vec3 brio_door_hinge(const brio_door *door) { return out_of(door, (brio_vec3){0, 0, 0}); }

/* A point given along the panel, across it and up, in the world: a rotation by the panel's angle about the
** hinge. */
static brio_vec3 on_panel(const brio_door *door, double along, double across, double z) {
  double c = cos(door->angle), s = sin(door->angle);
  if (door->settings.slides) return out_of(door, (brio_vec3){along, across + door->angle, z});
  return out_of(door, (brio_vec3){along * c - across * s, along * s + across * c, z});
}

brio_pose brio_door_panel(const brio_door *door) {
  brio_quat turn = brio_quat_from_rpy(0, 0, brio_door_yaw(door));
  return (brio_pose){on_panel(door, door->settings.width / 2, 0, door->settings.height / 2),
                     brio_quat_mul(door->settings.pose.q, turn)};
}

/* Which face of the panel a point is in front of: 1 the one on the side that it opens to, -1 the other. */
static int face_of(const brio_door *door, brio_vec3 eye) {
  brio_vec3 p = brio_door_into(door, eye);
  if (door->settings.slides) return 1;
  return p.y * cos(door->angle) - p.x * sin(door->angle) > 0 ? 1 : -1;
}

brio_vec3 brio_door_handle_at(const brio_door *door, brio_vec3 eye) {
  /* From the hinge to the handle's middle, which moves as the handle turns. */
  const brio_door_settings *s = &door->settings;
  double out = s->thickness / 2 + s->off, along = s->width - s->inset, drop = 0;
  int face = s->handle == BRIO_DOOR_PUSH_BAR ? -1 : face_of(door, eye);
  if (s->slides) {
    /* A drawer's bar is in the middle of its front. */
    along = s->width / 2;
  } else if (s->handle == BRIO_DOOR_PUSH_BAR) {
    /* A push bar is in the middle of the panel and moves towards it. */
    along = s->width / 2;
    out -= door->handle;
  } else if (s->handle == BRIO_DOOR_LEVER) {
    /* A lever's middle moves in a circle about its axis. */
    along -= s->length / 2 * cos(door->handle);
    drop = s->length / 2 * sin(door->handle);
  }
  return on_panel(door, along, face * out, s->handle_height - drop);
}

/* The size of a handle's box in the panel's frame, m; very short handles are shown 6 cm long. */
static brio_vec3 handle_size(const brio_door_settings *s) {
  bool upright = s->handle == BRIO_DOOR_PULL && !s->slides;
  double long_side = fmax(s->length, 0.06);
  return (brio_vec3){s->off, upright ? 0.03 : long_side,
                     upright                       ? long_side
                     : s->handle == BRIO_DOOR_KNOB ? 0.06
                                                   : 0.03};
}

int brio_door_see(const brio_door *door, brio_vec3 eye, brio_detection *out) {
  const brio_door_settings *s = &door->settings;
  brio_pose panel = brio_door_panel(door);
  /* The panel first, then the handle. */
  out[0] = BRIO_DETECTION_BLANK;
  out[0].pose = panel;
  out[0].size = (brio_vec3){s->thickness, s->width, s->height};
  out[0].oriented = true;
  snprintf(out[0].kind, sizeof out[0].kind, "%s", brio_door_kind(door, 0));
  snprintf(out[0].id, sizeof out[0].id, "%s.panel", door->id);
  /* A push bar is on one face only. */
  if (s->handle == BRIO_DOOR_PUSH_BAR && face_of(door, eye) > 0) return 1;
  /* The handle, on the face that the sensor sees. */
  out[1] = BRIO_DETECTION_BLANK;
  out[1].pose = (brio_pose){brio_door_handle_at(door, eye), panel.q};
  out[1].size = handle_size(s);
  out[1].oriented = true;
  snprintf(out[1].kind, sizeof out[1].kind, "%s", brio_door_kind(door, 1));
  snprintf(out[1].id, sizeof out[1].id, "%s.handle", door->id);
  return 2;
}
