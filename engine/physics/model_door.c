/* A door as two bodies: its panel on a hinge, and its handle on the panel; a drawer as one, on a slide.
** They touch robots and things, not the walls about them: the panel ends where its range does.
**
** The panel's frame has the axes of the door's (world/doors/door.h) and its origin at the hinge on the floor;
** along it from the hinge is y or -y, the way that it opens is x or -x. */
#include <math.h>
#include <stdio.h>

#include "physics/model_internal.h"

#define HANDLE_RADIUS 0.012 /* m: of levers and bars */
#define KNOB_RADIUS 0.03    /* m */
#define HANDLE_MASS 0.1     /* kg */
#define LEAST_SHARE 0.5     /* of the door's inertia that is the panel's, at least */

/* The joint of each handle: the spring pushes it back with stiffness (value + preload).  The order of
** magnitude: a lever takes 2 N m (EN 1906), a push bar 35 N (EN 1125). */
static const struct {
  const char *joint;
  double stiffness, preload, damping, armature; /* N m/rad, rad, N m s/rad, kg m^2; N/m, m, N s/m, kg */
} springs[BRIO_DOOR_NHANDLE] = {
    [BRIO_DOOR_LEVER] = {"hinge", 2, 0.2, 0.05, 1e-3},
    [BRIO_DOOR_KNOB] = {"hinge", 0.5, 0, 0.02, 1e-3},
    [BRIO_DOOR_PUSH_BAR] = {"slide", 1000, 0.01, 10, 0.2},
};

/* 1 or -1: the panel lies along y or -y from its hinge; it opens to x or -x. */
static double along_of(const brio_door_settings *s) {
  return s->left ? -1 : 1;
}
static double opens_of(const brio_door_settings *s) {
  return s->toward ? -1 : 1;
}

/* Add a geom that robots and things touch. */
static void write_geom(brio_text *out, const brio_shape *shape, brio_pose pose, double mass) {
  brio_text_format(out, "<geom");
  brio_model_shape(out, shape, pose, 0);
  brio_model_numbers(out, "mass", &mass, 1);
  brio_model_touches(out, brio_model_of_fixtures);
  brio_text_format(out, "/>");
}

/* Add a joint with limits, spring, damping and friction. */
static void write_joint(brio_text *out, const char *name, const char *type, const double axis[3],
                        const double range[2], const double numbers[5]) {
  static const char *const keys[] = {"stiffness", "springref", "damping", "frictionloss", "armature"};
  brio_text_format(out, "<joint");
  brio_model_name(out, "name", name);
  brio_model_name(out, "type", type);
  brio_model_numbers(out, "axis", axis, 3);
  brio_text_format(out, " limited=\"true\"");
  brio_model_numbers(out, "range", range, 2);
  for (int i = 0; i < 5; i++) brio_model_numbers(out, keys[i], &numbers[i], 1);
  brio_text_format(out, "/>");
}

/* Add a bar or knob on the face of the panel that is on that side (1 or -1 along x); `middle` in the frame of
** what carries it. */
static void write_grip(brio_text *out, const brio_door_settings *s, double side, brio_vec3 middle) {
  /* Capsules lie along z: a quarter turn about x puts them along y. */
  static const brio_quat across = {0.70710678118654757, 0, 0, 0.70710678118654757}, upright = {0, 0, 0, 1};
  brio_shape bar = {.kind = BRIO_SHAPE_CAPSULE, .size = {HANDLE_RADIUS, 0, fmax(1e-3, s->length)}},
             knob = {.kind = BRIO_SHAPE_SPHERE, .size = {KNOB_RADIUS, 0, 0}};
  middle.x += side * (s->thickness / 2 + s->off);
  brio_pose pose = {middle, s->handle == BRIO_DOOR_PULL && !s->slides ? upright : across};
  write_geom(out, s->handle == BRIO_DOOR_KNOB ? &knob : &bar, pose, HANDLE_MASS / 2);
}

/* Where the handle's joint is, in the frame of the panel; a lever's bar reaches from it back to the hinge. */
static brio_vec3 axis_of(const brio_door_settings *s) {
  double far = s->handle == BRIO_DOOR_PUSH_BAR ? s->width / 2 : s->width - s->inset;
  return (brio_vec3){0, along_of(s) * far, s->handle_height};
}

/* Add the handle: a body with a spring, or, of a pull, bars on the panel itself. */
static void write_handle(brio_text *out, const brio_model_door *door) {
  const brio_door_settings *s = door->settings;
  brio_vec3 axis = axis_of(s), none = {0, 0, 0};
  bool turns = s->handle != BRIO_DOOR_PULL, bar = s->handle == BRIO_DOOR_PUSH_BAR;
  char name[BRIO_MODEL_NAME];
  if (turns) {
    snprintf(name, sizeof name, "%.80s" BRIO_MODEL_HANDLE, door->name);
    brio_text_format(out, "<body");
    brio_model_name(out, "name", name);
    brio_model_pose(out, (brio_pose){axis, {0, 0, 0, 1}});
    brio_text_format(out, ">");
    /* A lever's end goes down: about x where the panel lies along y.  A bar goes to the panel. */
    const double way[] = {bar ? opens_of(s) : along_of(s), 0, 0},
                 range[] = {s->handle == BRIO_DOOR_KNOB ? -s->handle_most : 0, s->handle_most},
                 numbers[] = {springs[s->handle].stiffness, -springs[s->handle].preload,
                              springs[s->handle].damping, 0, springs[s->handle].armature};
    write_joint(out, name, springs[s->handle].joint, way, range, numbers);
  }
  /* A lever's middle is half its length from its axis; a push bar is on the face that is pushed. */
  brio_vec3 middle = turns ? none : axis;
  if (s->handle == BRIO_DOOR_LEVER) middle.y -= along_of(s) * s->length / 2;
  write_grip(out, s, -opens_of(s), middle);
  if (!bar) write_grip(out, s, opens_of(s), middle);
  if (turns) brio_text_format(out, "</body>");
}

/* A drawer: its boards have its mass by their volume; friction and damping are those of the slide. */
static void write_drawer(brio_text *out, const brio_model_door *door) {
  const brio_door_settings *s = door->settings;
  brio_door_board boards[BRIO_DOOR_BOARDS];
  int count = brio_door_boards(s, boards);
  double volume = 0;
  for (int i = 0; i < count; i++) volume += boards[i].size.x * boards[i].size.y * boards[i].size.z;
  char name[BRIO_MODEL_NAME];
  snprintf(name, sizeof name, "%.80s" BRIO_MODEL_PANEL, door->name);
  brio_text_format(out, "    <body");
  brio_model_name(out, "name", name);
  brio_model_pose(out, s->pose);
  brio_text_format(out, ">");
  double k = s->closer > 0 ? fmax(s->closer_rise, 1e-6) : s->closer_rise;
  const double axis[] = {1, 0, 0}, range[] = {0, s->most},
               numbers[] = {k, k > 0 ? -s->closer / k : 0, s->damping, s->friction, 0};
  write_joint(out, name, "slide", axis, range, numbers);
  /* The body's frame is the drawer's; that of the boards is the middle of its front. */
  const brio_pose front = {{-s->thickness / 2, 0, s->height / 2}, {0, 0, 0, 1}};
  for (int i = 0; i < count; i++) {
    brio_shape board = {.kind = BRIO_SHAPE_BOX, .size = boards[i].size};
    double share = boards[i].size.x * boards[i].size.y * boards[i].size.z / volume;
    double mass = share * fmax(s->inertia - HANDLE_MASS / 2, 0.01);
    write_geom(out, &board, brio_pose_mul(front, boards[i].pose), mass);
  }
  write_grip(out, s, 1, (brio_vec3){-s->thickness / 2, 0, s->handle_height});
  brio_text_format(out, "</body>\n");
}

void brio_model_door_write(brio_text *out, const brio_model_door *door) {
  const brio_door_settings *s = door->settings;
  if (s->slides) {
    write_drawer(out, door);
    return;
  }
  double w = s->width, reach = w - s->inset, carried = HANDLE_MASS * reach * reach;
  /* I = m (w^2 / 3 + t^2 / 12) of a board about its edge, beside the handle's. */
  double inertia = fmax(s->inertia - carried, LEAST_SHARE * s->inertia),
         mass = inertia / (w * w / 3 + s->thickness * s->thickness / 12);
  brio_shape board = {.kind = BRIO_SHAPE_BOX, .size = {s->thickness, w, s->height}};
  brio_pose middle = {{0, along_of(s) * w / 2, s->height / 2}, {0, 0, 0, 1}};
  char name[BRIO_MODEL_NAME];
  snprintf(name, sizeof name, "%.80s" BRIO_MODEL_PANEL, door->name);
  brio_text_format(out, "    <body");
  brio_model_name(out, "name", name);
  brio_vec3 hinge = {0, -along_of(s) * w / 2, 0};
  brio_model_pose(out, (brio_pose){brio_pose_point(s->pose, hinge), s->pose.q});
  brio_text_format(out, ">");
  /* The closer: -(closer + rise angle) = -k (angle - ref); without a rise k is so small that it has none. */
  double k = s->closer > 0 ? fmax(s->closer_rise, 1e-6) : s->closer_rise;
  const double axis[] = {0, 0, -along_of(s) * opens_of(s)}, range[] = {0, s->most},
               numbers[] = {k, k > 0 ? -s->closer / k : 0, s->damping, s->friction, 0};
  write_joint(out, name, "hinge", axis, range, numbers);
  write_geom(out, &board, middle, mass);
  write_handle(out, door);
  brio_text_format(out, "</body>\n");
}
