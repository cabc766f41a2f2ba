/* A drawer: a door that slides.  Its default sizes are those of a kitchen's; the rest of its motion and
** geometry is that of doors, with the way out in place of the angle. */
#include <math.h>

#include "world/doors/door.h"
#include "world/doors/door_internal.h"

brio_door_settings brio_drawer_defaults(double width, double height, double depth) {
  brio_door_settings s = brio_door_defaults(BRIO_DOOR_PULL);
  s.slides = true;
  s.width = width, s.height = height, s.depth = depth;
  s.thickness = fmin(0.015, fmin(width, height) / 8);
  s.most = 0.9 * depth, s.angle = 0;
  s.handle_height = height / 2, s.length = fmin(0.15, width / 2), s.off = 0.04, s.inset = 0;
  s.inertia = 3, s.friction = 4, s.damping = 8;
  return s;
}

int brio_door_boards(const brio_door_settings *s, brio_door_board *out) {
  const brio_quat upright = {0, 0, 0, 1};
  const double t = s->thickness;
  out[0] = (brio_door_board){BRIO_POSE_IDENTITY, {t, s->width, s->height}};
  if (!s->slides) return 1;
  /* Behind the front: bottom, left, right and back. */
  double behind = s->depth - t, x = -s->depth / 2, side = (s->width - t) / 2;
  out[1] = (brio_door_board){{{x, 0, (t - s->height) / 2}, upright}, {behind, s->width, t}};
  out[2] = (brio_door_board){{{x, side, 0}, upright}, {behind, t, s->height}};
  out[3] = (brio_door_board){{{x, -side, 0}, upright}, {behind, t, s->height}};
  out[4] = (brio_door_board){{{t - s->depth, 0, 0}, upright}, {t, s->width, s->height}};
  return BRIO_DOOR_BOARDS;
}

bool brio_drawer_has(const brio_door *door, brio_vec3 point, double above) {
  const brio_door_settings *s = &door->settings;
  brio_vec3 p = brio_door_into(door, point);
  double behind = door->angle - p.y;
  return s->slides && behind > 0 && behind < s->depth && p.x > 0 && p.x < s->width && p.z > 0 &&
         p.z < s->height + above;
}
