/* The steps that the lattice allows, and their costs. */
#include "plan/planner.h"

bool brio_lattice_step(const brio_plan_settings *s, brio_side standing, brio_spot from, double from_z,
                       brio_spot to, double to_z, double area, double *cost) {
  double out = brio_side_sign(brio_side_other(standing)), up = to_z - from_z;
  brio_spot seen = brio_spot_seen(from, to);
  /* The side where the foot swings is positive, so that one set of limits serves both feet. */
  double width = out * seen.y, turn = out * seen.yaw;
  if (fabs(seen.x) > s->reach + 1e-9 || width < s->least_width - 1e-9 || width > s->most_width + 1e-9)
    return false;
  if (turn > s->outward + 1e-9 || turn < -s->inward - 1e-9) return false;
  if (up > s->step_up || -up > s->step_down) return false;
  /* The way is from the neutral place beside the standing foot, twice hip_width away. */
  double way = hypot(seen.x, width - 2 * s->hip_width);
  *cost = s->cost_step + way + s->cost_turn * fabs(seen.yaw) + s->cost_height * fabs(up) +
          s->cost_area * (1 - area);
  return true;
}
