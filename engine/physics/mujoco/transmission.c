/* Springs behind a backlash: MuJoCo's tendon springs have one rest length (2.2.2), so it is moved before
** each step to the end of the play that the rotor is beyond, and to where the rotor is within it. */
#include "physics/mujoco/simulation.h"

/* How far a rotor is ahead of its joint: the length of a fixed tendon at the present positions. */
static mjtNum length_of(const brio_mujoco *sim, int tendon) {
  const mjModel *m = sim->model;
  mjtNum length = 0;
  for (int k = m->tendon_adr[tendon]; k < m->tendon_adr[tendon] + m->tendon_num[tendon]; k++)
    length += m->wrap_prm[k] * sim->data->qpos[m->jnt_qposadr[m->wrap_objid[k]]];
  return length;
}

void brio_mujoco_transmit(brio_mujoco *sim) {
  mjModel *m = sim->model;
  for (int i = 0; i < m->ntendon; i++) {
    /* A tendon with a range that does not limit it is one of those. */
    const mjtNum *play = m->tendon_range + 2 * (size_t)i;
    if (m->tendon_limited[i] || !(play[1] > 0)) continue;
    mjtNum length = length_of(sim, i), rest = mju_min(play[1], mju_max(play[0], length));
    m->tendon_lengthspring[i] = rest;
    m->tendon_damping[i] = rest == length ? 0 : sim->dampings[i];
  }
}
