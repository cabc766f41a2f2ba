/* What is read from a simulation, and what is done to its bodies: laid aside, pushed, limited, and taken over
** from the simulation of another model. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "physics/mujoco/simulation.h"

int brio_mujoco_free_joint(const mjModel *m, int body) {
  int joint = m->body_jntadr[body];
  return joint >= 0 && m->jnt_type[joint] == mjJNT_FREE ? joint : -1;
}

/* ---- reading ---- */

void brio_mujoco_read_joint(const void *simulation_, int joint, brio_physics_joint *out) {
  const brio_mujoco *sim = simulation_;
  int dof = sim->model->jnt_dofadr[joint];
  /* qfrc_actuator has the sum of all actuators at the dof: a joint has one servo. */
  *out = (brio_physics_joint){sim->data->qpos[sim->model->jnt_qposadr[joint]], sim->data->qvel[dof],
                              sim->data->qfrc_actuator[dof]};
}

static brio_vec3 vec3_of(const mjtNum *v) {
  return (brio_vec3){v[0], v[1], v[2]};
}

/* A body on a free joint as of now, others as of the beginning of the newest step, or as settled. */
void brio_mujoco_read_body(const void *simulation_, int body, brio_physics_body *out) {
  const brio_mujoco *sim = simulation_;
  const mjModel *m = sim->model;
  int joint = brio_mujoco_free_joint(m, body);
  /* The state itself, which mj_step leaves newer than what is computed from it. */
  if (joint >= 0) {
    const mjtNum *q = sim->data->qpos + m->jnt_qposadr[joint], *v = sim->data->qvel + m->jnt_dofadr[joint];
    out->pose = (brio_pose){vec3_of(q), brio_quat_unit((brio_quat){q[4], q[5], q[6], q[3]})};
    /* MuJoCo has the angular velocity of a free joint in the body's axes, the linear one in the world's. */
    out->linear = vec3_of(v);
    out->angular = brio_quat_rotate(out->pose.q, vec3_of(v + 3));
    return;
  }
  const mjtNum *p = sim->data->xpos + 3 * (size_t)body, *q = sim->data->xquat + 4 * (size_t)body;
  mjtNum v[6];
  /* Rotation first, then translation, in world axes (flag 0). */
  mj_objectVelocity(m, sim->data, mjOBJ_XBODY, body, v, 0);
  out->pose = (brio_pose){vec3_of(p), {q[1], q[2], q[3], q[0]}};
  out->angular = vec3_of(v);
  out->linear = vec3_of(v + 3);
}

int brio_mujoco_sense(const void *simulation_, int sensor, double *out, int most) {
  const brio_mujoco *sim = simulation_;
  /* As of the beginning of the newest step, or as settled. */
  int count = sim->model->sensor_dim[sensor];
  const mjtNum *values = sim->data->sensordata + sim->model->sensor_adr[sensor];
  for (int i = 0; i < count && i < most; i++) out[i] = values[i];
  return count;
}

int brio_mujoco_contacts(const void *simulation_, brio_physics_contact *out, int most) {
  const brio_mujoco *sim = simulation_;
  int count = sim->data->ncon < most ? sim->data->ncon : most;
  for (int i = 0; i < count; i++) {
    const mjContact *contact = &sim->data->contact[i];
    mjtNum force[6];
    /* Its frame's x is the normal: the rest lies across. */
    mj_contactForce(sim->model, sim->data, i, force);
    /* The rows of the frame are its axes in the world. */
    mjtNum world[3];
    mju_mulMatTVec(world, contact->frame, force, 3, 3);
    out[i] = (brio_physics_contact){sim->names[contact->geom1],
                                    sim->names[contact->geom2],
                                    vec3_of(contact->pos),
                                    vec3_of(contact->frame),
                                    -contact->dist,
                                    force[0],
                                    hypot(force[1], force[2]),
                                    vec3_of(world)};
  }
  return count;
}

int brio_mujoco_pairs(const void *simulation_, brio_physics_pair *out, int most) {
  const brio_mujoco *sim = simulation_;
  const mjModel *m = sim->model;
  int count = 0;
  for (int i = 0; i < sim->data->ncon && count < most; i++) {
    const mjContact *contact = &sim->data->contact[i];
    mjtNum force[6];
    /* Contacts that are only near have no row, and no force. */
    if (contact->efc_address < 0) continue;
    mj_contactForce(m, sim->data, i, force);
    out[count++] =
        (brio_physics_pair){m->geom_bodyid[contact->geom1], m->geom_bodyid[contact->geom2], force[0]};
  }
  return count;
}

/* Energies are computed only while that is switched on. */
static void compute_totals(void *context) {
  brio_mujoco *sim = context;
  /* The flag is off in steps, as it costs time there. */
  sim->model->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(sim->model, sim->data);
  mj_energyPos(sim->model, sim->data);
  mj_energyVel(sim->model, sim->data);
  mj_subtreeVel(sim->model, sim->data);
  sim->model->opt.enableflags &= ~mjENBL_ENERGY;
}

void brio_mujoco_totals(void *simulation_, brio_physics_totals *out) {
  const brio_mujoco *sim = simulation_;
  const mjData *d = sim->data;
  memset(out, 0, sizeof *out);
  /* A failure leaves zeros. */
  if (!brio_mujoco_guarded(compute_totals, simulation_)) return;
  /* The tree of the world is all that there is. */
  out->mass = sim->model->body_subtreemass[0];
  out->potential = d->energy[0];
  out->kinetic = d->energy[1];
  out->com = vec3_of(d->subtree_com);
  out->linear = brio_vec3_scale(out->mass, vec3_of(d->subtree_linvel));
  out->angular = vec3_of(d->subtree_angmom);
}

/* ---- bodies that are there, or not ---- */

/* Let the geoms of a body touch what they touch by the model, or nothing. */
static void set_touch(brio_mujoco *sim, int body, bool on) {
  mjModel *m = sim->model;
  for (int i = m->body_geomadr[body]; i >= 0 && i < m->body_geomadr[body] + m->body_geomnum[body]; i++) {
    m->geom_contype[i] = on ? sim->touch[2 * i] : 0;
    m->geom_conaffinity[i] = on ? sim->touch[2 * i + 1] : 0;
  }
}

void brio_mujoco_lay_off(void *simulation_, int body, bool off) {
  brio_mujoco *sim = simulation_;
  assert(body > 0 && body < sim->model->nbody && brio_mujoco_free_joint(sim->model, body) >= 0);
  int place = 0;
  while (place < sim->naway && sim->away[place] != body) place++;
  set_touch(sim, body, !off);
  /* One more, or one less: the last takes its place. */
  if (off && place == sim->naway)
    sim->away[sim->naway++] = body;
  else if (!off && place < sim->naway)
    sim->away[place] = sim->away[--sim->naway];
}

/* Gravity moves it by 2.5 um in a step: it starts again each time.  O(bodies laid aside) */
void brio_mujoco_keep_away(brio_mujoco *sim) {
  const mjModel *m = sim->model;
  for (int i = 0; i < sim->naway; i++) {
    int joint = brio_mujoco_free_joint(m, sim->away[i]);
    mjtNum *q = sim->data->qpos + m->jnt_qposadr[joint], *v = sim->data->qvel + m->jnt_dofadr[joint],
           *warm = sim->data->qacc_warmstart + m->jnt_dofadr[joint];
    /* Where the model has it, upright. */
    memcpy(q, m->qpos0 + m->jnt_qposadr[joint], 7 * sizeof *q);
    memset(v, 0, 6 * sizeof *v);
    memset(warm, 0, 6 * sizeof *warm);
  }
}

void brio_mujoco_limit(void *simulation_, int joint, double lower, double upper) {
  brio_mujoco *sim = simulation_;
  assert(joint >= 0 && joint < sim->model->njnt && lower <= upper);
  sim->model->jnt_range[2 * joint] = lower;
  sim->model->jnt_range[2 * joint + 1] = upper;
}

void brio_mujoco_push(void *simulation_, int body, brio_vec3 force, brio_vec3 torque) {
  brio_mujoco *sim = simulation_;
  assert(body > 0 && body < sim->model->nbody);
  /* At the body's centre of mass, in world axes, in every step until it is set again. */
  const mjtNum wrench[] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  memcpy(sim->data->xfrc_applied + 6 * (size_t)body, wrench, sizeof wrench);
}

/* ---- another model ---- */

/* For each object of one kind the number of the same one in another model, by name. */
static int *matched(const mjModel *now, const mjModel *other, int kind, int count) {
  int *numbers = calloc((size_t)count + 1, sizeof *numbers);
  for (int i = 0; numbers && i < count; i++) {
    const char *name = mj_id2name(now, kind, i);
    numbers[i] = name ? mj_name2id(other, kind, name) : -1;
  }
  return numbers;
}

/* Models alone are read, which do not change while they are stepped, but for gains and ranges. */
bool brio_mujoco_match(void *simulation_, const void *other) {
  brio_mujoco *sim = simulation_;
  const mjModel *before = ((const brio_mujoco *)other)->model;
  free(sim->joints);
  free(sim->servos_of);
  sim->joints = matched(sim->model, before, mjOBJ_JOINT, sim->model->njnt);
  sim->servos_of = matched(sim->model, before, mjOBJ_ACTUATOR, sim->model->nu);
  return sim->joints && sim->servos_of;
}

/* Numbers of a joint in the state: 7 and 6 of a free one, else 1. */
static void copy_joint(brio_mujoco *sim, int joint, const brio_mujoco *other, int from) {
  const mjModel *m = sim->model, *n = other->model;
  bool is_free = m->jnt_type[joint] == mjJNT_FREE;
  size_t nq = is_free ? 7 : 1, nv = is_free ? 6 : 1;
  if (m->jnt_type[joint] != n->jnt_type[from]) return;
  memcpy(sim->data->qpos + m->jnt_qposadr[joint], other->data->qpos + n->jnt_qposadr[from],
         nq * sizeof(mjtNum));
  /* The warm start belongs to the state, see mujoco.c. */
  memcpy(sim->data->qvel + m->jnt_dofadr[joint], other->data->qvel + n->jnt_dofadr[from],
         nv * sizeof(mjtNum));
  memcpy(sim->data->qacc_warmstart + m->jnt_dofadr[joint], other->data->qacc_warmstart + n->jnt_dofadr[from],
         nv * sizeof(mjtNum));
}

/* A servo with its gains, target, and the friction that it gave its joint. */
static void copy_servo(brio_mujoco *sim, int servo, const brio_mujoco *other, int from) {
  mjModel *m = sim->model;
  const mjModel *n = other->model;
  int dof = m->jnt_dofadr[m->actuator_trnid[2 * servo]], old = n->jnt_dofadr[n->actuator_trnid[2 * from]];
  sim->servos[servo] = other->servos[from];
  sim->limits[servo] = other->limits[from];
  sim->data->ctrl[servo] = other->data->ctrl[from];
  memcpy(m->actuator_gainprm + (size_t)servo * mjNGAIN, n->actuator_gainprm + (size_t)from * mjNGAIN,
         mjNGAIN * sizeof(mjtNum));
  memcpy(m->actuator_biasprm + (size_t)servo * mjNBIAS, n->actuator_biasprm + (size_t)from * mjNBIAS,
         mjNBIAS * sizeof(mjtNum));
  m->dof_frictionloss[dof] = n->dof_frictionloss[old];
  m->dof_damping[dof] = n->dof_damping[old];
}

void brio_mujoco_take_over(void *simulation_, const void *other_) {
  brio_mujoco *sim = simulation_;
  const brio_mujoco *other = other_;
  assert(sim->joints && sim->servos_of);
  /* Copies of numbers alone: this is in the thread that steps. */
  for (int i = 0; i < sim->model->njnt; i++)
    if (sim->joints[i] >= 0) copy_joint(sim, i, other, sim->joints[i]);
  for (int i = 0; i < sim->model->nu; i++)
    if (sim->servos_of[i] >= 0) copy_servo(sim, i, other, sim->servos_of[i]);
  sim->data->time = other->data->time;
  /* What had stopped stays so. */
  sim->fault = other->fault;
}
