/* A step by Runge and Kutta's method of the 4th order, for bodies in free flight.
**
** MuJoCo's own one averages the angular velocities of a free body, each of which is in the axes that the
** body has by then: that is of the 2nd order, and momentum drifts by 6e-7 of itself in a second.  Here the
** rotation is q0 exp(theta), and the slope of theta is averaged, which turns an angular velocity back to
** the axes of q0:
**
**   theta' = w + theta x w / 2 + theta x (theta x w) / 12 + O(theta^4)
**
** Source: Munthe-Kaas, "Runge-Kutta methods on Lie groups", BIT 38, 1998. */
#include "physics/mujoco/simulation.h"

enum { STAGES = 4 };

/* The slope of a rotation vector theta, by an angular velocity in the axes that it leads to. */
static void rotation_slope(const mjtNum *theta, const mjtNum *w, mjtNum *slope) {
  mjtNum once[3], twice[3];
  mju_cross(once, theta, w);
  mju_cross(twice, theta, once);
  for (int k = 0; k < 3; k++) slope[k] = w[k] + once[k] / 2 + twice[k] / 12;
}

/* Slopes of the displacement since the step began, which is `share` (s) of the slopes before: velocities,
** but for rotations. */
static void displacement_slopes(const brio_mujoco *sim, mjtNum share, mjtNum *slopes) {
  const mjModel *m = sim->model;
  const mjtNum *v = sim->data->qvel;
  mjtNum theta[3], slope[3];
  for (int i = 0; i < m->njnt; i++) {
    int dof = m->jnt_dofadr[i], type = m->jnt_type[i];
    bool is_ball = type == mjJNT_BALL, is_free = type == mjJNT_FREE;
    /* A free joint has three numbers that are velocities, then those of its rotation. */
    int turns = is_free ? dof + 3 : dof;
    if (is_free) mju_copy3(slopes + dof, v + dof);
    if (!is_ball && !is_free) {
      slopes[dof] = v[dof];
      continue;
    }
    mju_scl3(theta, slopes + turns, share);
    rotation_slope(theta, v + turns, slope);
    mju_copy3(slopes + turns, slope);
  }
}

/* The state after `share` seconds with these slopes, from the one that `keep` has copied. */
static void go(brio_mujoco *sim, const mjtNum *slopes, const mjtNum *rates, mjtNum share) {
  const mjModel *m = sim->model;
  mjData *d = sim->data;
  mju_copy(d->qpos, sim->qpos, m->nq);
  mj_integratePos(m, d->qpos, slopes, share);
  mju_addScl(d->qvel, sim->qvel, rates, share, m->nv);
  d->time = sim->before + share;
}

void brio_mujoco_exact_step(brio_mujoco *sim) {
  static const mjtNum shares[STAGES] = {0, 0.5, 0.5, 1}, weights[STAGES] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  const mjModel *m = sim->model;
  mjData *d = sim->data;
  mjtNum h = m->opt.timestep, *slopes = sim->slopes, *sum = slopes + m->nv, *rates = sum + m->nv;
  /* Checks as in mj_step, then the first stage. */
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  mj_forward(m, d);
  mj_checkAcc(m, d);
  mju_zero(slopes, 3 * m->nv);
  for (int stage = 0; stage < STAGES; stage++) {
    /* Slopes of the stage before lead to this one; sensors are those of the beginning. */
    if (stage > 0) {
      go(sim, slopes, d->qacc, shares[stage] * h);
      mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
    }
    displacement_slopes(sim, shares[stage] * h, slopes);
    mju_addToScl(sum, slopes, weights[stage], m->nv);
    mju_addToScl(rates, d->qacc, weights[stage], m->nv);
  }
  go(sim, sum, rates, h);
}
