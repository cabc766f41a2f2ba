/* How fast the centre of mass goes in the coming step:  J step / dt,  with J its Jacobian at the pose
** that is judged.  Exact for a small step. */
#include "solver/features/feature.h"
#include "solver/objective.h"

/* Write J step / dt, m/s, along the axes of the world. It never fails. */
static bool compute(const brio_feature_kind *kind, const brio_evaluation *at, double *out) {
  (void)kind;
  brio_vec3 velocity = brio_state_com_velocity(at->state, at->step);
  out[0] = velocity.x / at->dt, out[1] = velocity.y / at->dt, out[2] = velocity.z / at->dt;
  return true;
}

const brio_feature_kind brio_feature_center_of_mass_velocity = {
  .name = "center_of_mass_velocity",
  .doc = "How fast the center of mass goes in the coming step, along the axes of the world.",
  .unit = "m/s",
  .count = 3,
  .needs = BRIO_NEEDS_COM,
  .compute = compute,
};
