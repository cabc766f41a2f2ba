/* What follows from where bodies are: the inertia that a joint moves, and the lowest point of a tree. */
#include <math.h>

#include "physics/mujoco/simulation.h"

/* Whether a body is another one, or carried by it. */
static bool carries(const mjModel *m, int body, int other) {
  while (other > body) other = m->body_parentid[other];
  return other == body;
}

/* The moment of a body about an axis through a point, kg m^2: that about its middle, turned, and m d^2. */
static double moment_of(const brio_mujoco *sim, int body, const mjtNum *axis, const mjtNum *point) {
  const mjtNum *frame = sim->data->ximat + 9 * (size_t)body,
               *own = sim->model->body_inertia + 3 * (size_t)body;
  mjtNum local[3], arm[3], across[3];
  mju_rotVecMatT(local, axis, frame);
  mju_sub3(arm, sim->data->xipos + 3 * (size_t)body, point);
  mju_cross(across, axis, arm);
  double moment = sim->model->body_mass[body] * mju_dot3(across, across);
  for (int k = 0; k < 3; k++) moment += own[k] * local[k] * local[k];
  return moment;
}

/* The inertia of all bodies of a joint's tree that it does not carry.  O(bodies) */
static double other_side(const brio_mujoco *sim, int joint) {
  const mjModel *m = sim->model;
  int body = m->jnt_bodyid[joint];
  double sum = 0;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_rootid[i] != m->body_rootid[body] || carries(m, body, i)) continue;
    sum += m->jnt_type[joint] == mjJNT_SLIDE ? m->body_mass[i]
                                             : moment_of(sim, i, sim->data->xaxis + 3 * (size_t)joint,
                                                         sim->data->xanchor + 3 * (size_t)joint);
  }
  return sum;
}

/* The diagonal of M at that dof. Source: MuJoCo, "Computation": qM has each row from the diagonal on. */
double brio_mujoco_inertia(void *simulation, int joint, bool stands) {
  const brio_mujoco *sim = simulation;
  int dof = sim->model->jnt_dofadr[joint];
  double carried = sim->data->qM[sim->model->dof_Madr[dof]]; /* the diagonal comes first */
  return stands ? sim->model->dof_armature[dof] + other_side(sim, joint) : carried;
}

/* The least height of a mesh's corners above its middle. */
static double lowest_corner(const mjModel *m, int mesh, const mjtNum *down) {
  double least = INFINITY;
  for (int i = 0; i < m->mesh_vertnum[mesh]; i++) {
    const float *v = m->mesh_vert + 3 * ((size_t)m->mesh_vertadr[mesh] + (size_t)i);
    least = fmin(least, (double)v[0] * down[0] + (double)v[1] * down[1] + (double)v[2] * down[2]);
  }
  return least;
}

/* The least height of a geom, m: its support function in the direction down. */
static double lowest_of(const brio_mujoco *sim, int geom) {
  const mjModel *m = sim->model;
  /* The row of the rotation that makes heights: z of each axis of the geom. */
  const mjtNum *up = sim->data->geom_xmat + 9 * (size_t)geom + 6, *size = m->geom_size + 3 * (size_t)geom;
  double z = sim->data->geom_xpos[3 * geom + 2], lying = sqrt(fmax(0, 1 - up[2] * up[2]));
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE: return z - size[0];
    case mjGEOM_CAPSULE: return z - size[0] - fabs(up[2]) * size[1];
    case mjGEOM_CYLINDER: return z - size[0] * lying - fabs(up[2]) * size[1];
    case mjGEOM_BOX: return z - fabs(up[0]) * size[0] - fabs(up[1]) * size[1] - fabs(up[2]) * size[2];
    case mjGEOM_MESH: return z + lowest_corner(m, m->geom_dataid[geom], up);
    default: return INFINITY;
  }
}

double brio_mujoco_lowest(const void *simulation, int joint, int body) {
  const brio_mujoco *sim = simulation;
  const mjModel *m = sim->model;
  double least = INFINITY;
  if (joint >= 0) body = m->jnt_bodyid[joint];
  /* Geoms that touch nothing do not count. */
  for (int i = 0; i < m->ngeom; i++)
    if (m->geom_contype[i] && carries(m, body, m->geom_bodyid[i])) least = fmin(least, lowest_of(sim, i));
  return least;
}
