/* Inverse dynamics: the recursive Newton-Euler algorithm in body axes.
**
** Outward, each body gets its angular velocity w, angular acceleration al and the acceleration a of its
** origin, less gravity.  Its points accelerate by a + K x with K = [al]x + [w]x^2, so the origin of a
** child at r accelerates by a + K r, and the force on a body is the sum of m (a + K x) over its mass: mass
** a + K h and a moment from the second moments (spatial_internal.h).  Linear velocities are not needed.
** Inward, the forces add up, and what a joint sees of them is one number. Source: Luh, Walker, Paul,
** "On-line computational scheme for mechanical manipulators", 1980. */
#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

typedef struct brio_dynamics_link_motion {
  brio_vec3 velocity, angular; /* w and al */
  brio_vec3 acceleration;      /* a */
  brio_matrix3 field;          /* K */
  brio_spatial force;          /* on this body and all below, about its origin */
} brio_dynamics_link_motion;

bool brio_dynamics_make_motions(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  work->motions = BRIO_TAKE(&dynamics->arena, brio_dynamics_link_motion, work->nbody);
  return work->motions != NULL;
}

/* Field and force of a body whose motion is known. */
static inline void add_force(brio_dynamics_link_motion *own, const brio_inertia *inertia) {
  own->field = brio_matrix3_of_turning(own->velocity, own->angular);
  own->force = brio_inertia_force(inertia, own->acceleration, &own->field);
}

/* Return v in the axes of a body that has turned about z. */
static inline brio_vec3 turn_in(const brio_rotation *turn, double s, double c, brio_vec3 v) {
  brio_vec3 u = brio_rotation_undo(turn, v);
  return (brio_vec3){c * u.x + s * u.y, c * u.y - s * u.x, u.z};
}

/* Motion of a body that turns by `rate` and `gain`, the rate's derivative. */
static inline void move_turn(const brio_dynamics_body *body, double s, double c, double rate, double gain,
                             const brio_dynamics_link_motion *parent, brio_dynamics_link_motion *own) {
  brio_vec3 at = brio_vec3_add(parent->acceleration, brio_matrix3_apply(&parent->field, body->origin));
  brio_vec3 w = turn_in(&body->turn, s, c, parent->velocity);
  brio_vec3 al = turn_in(&body->turn, s, c, parent->angular);
  own->velocity = (brio_vec3){w.x, w.y, w.z + rate};
  /* al = al_parent + w x z rate + z gain, in the child's axes. */
  own->angular = (brio_vec3){al.x + w.y * rate, al.y - w.x * rate, al.z + gain};
  own->acceleration = turn_in(&body->turn, s, c, at);
}

/* Motion of a body that slides by `value`. */
static inline void move_slide(const brio_dynamics_body *body, double value, double rate, double gain,
                              const brio_dynamics_link_motion *parent, brio_dynamics_link_motion *own) {
  brio_vec3 origin = brio_vec3_add_scaled(body->origin, value, body->turn.z);
  brio_vec3 at = brio_vec3_add(parent->acceleration, brio_matrix3_apply(&parent->field, origin));
  brio_vec3 w = brio_rotation_undo(&body->turn, parent->velocity);
  brio_vec3 a = brio_rotation_undo(&body->turn, at);
  own->velocity = w;
  own->angular = brio_rotation_undo(&body->turn, parent->angular);
  /* Coriolis: twice w x (0, 0, rate). */
  own->acceleration = (brio_vec3){a.x + 2 * w.y * rate, a.y - 2 * w.x * rate, a.z + gain};
}

/* Motion of the root link, in its own axes: a fixed one only feels gravity. */
static void move_base(brio_dynamics *dynamics, const brio_rotation *base, const double *u, const double *du) {
  brio_dynamics_link_motion *root = &dynamics->work->motions[0];
  /* Gravity is an acceleration of the base upward. */
  brio_vec3 w = {0, 0, 0}, al = w, a = brio_vec3_scale(-1, dynamics->gravity);
  if (brio_dynamics_floats(dynamics)) {
    w = (brio_vec3){u[3], u[4], u[5]};
    al = (brio_vec3){du[3], du[4], du[5]};
    a = brio_vec3_add(a, (brio_vec3){du[0], du[1], du[2]});
  }
  root->velocity = brio_rotation_undo(base, w);
  root->angular = brio_rotation_undo(base, al);
  root->acceleration = brio_rotation_undo(base, a);
  add_force(root, &dynamics->work->bodies[0].inertia);
}

/* Outward: motions, and the force on each body alone. */
static void move_bodies(struct brio_dynamics_private *work, const double *u, const double *du) {
  for (int m = 1; m < work->nbody; m++) {
    const brio_dynamics_body *body = &work->bodies[m];
    brio_dynamics_link_motion *own = &work->motions[m];
    const brio_dynamics_link_motion *parent = &work->motions[body->parent];
    double rate = body->multiplier * u[body->v], gain = body->multiplier * du[body->v];
    if (body->slides)
      move_slide(body, work->values[m], rate, gain, parent, own);
    else
      move_turn(body, work->sines[m], work->cosines[m], rate, gain, parent, own);
    add_force(own, &body->inertia);
  }
}

/* Inward: what body m hands to its parent.  The joint's own part is added to `tau`. */
static inline void hand_force(struct brio_dynamics_private *work, int m, double *tau) {
  const brio_dynamics_body *body = &work->bodies[m];
  brio_spatial f = work->motions[m].force, *parent = &work->motions[body->parent].force;
  brio_vec3 at = body->origin;
  if (body->slides) {
    tau[body->v] += body->multiplier * f.linear.z;
    at = brio_vec3_add_scaled(at, work->values[m], body->turn.z);
  } else {
    double s = work->sines[m], c = work->cosines[m];
    tau[body->v] += body->multiplier * f.angular.z;
    f.linear = (brio_vec3){c * f.linear.x - s * f.linear.y, s * f.linear.x + c * f.linear.y, f.linear.z};
    f.angular =
        (brio_vec3){c * f.angular.x - s * f.angular.y, s * f.angular.x + c * f.angular.y, f.angular.z};
  }
  /* In the parent's axes, and about its origin: n + r x f. */
  brio_vec3 force = brio_rotation_apply(&body->turn, f.linear);
  brio_vec3 moment = brio_rotation_apply(&body->turn, f.angular);
  parent->linear = brio_vec3_add(parent->linear, force);
  parent->angular = brio_vec3_add(parent->angular, brio_vec3_add(moment, brio_vec3_cross(at, force)));
}

/* Add what rotors and dampers ask for. */
static void add_options(const struct brio_dynamics_private *work, int nvariable, const double *u,
                        const double *du, double *tau) {
  for (int i = 0; work->armature && i < nvariable; i++)
    tau[BRIO_BASE_NV + i] += work->armature[i] * du[BRIO_BASE_NV + i];
  for (int i = 0; work->damping && i < nvariable; i++)
    tau[BRIO_BASE_NV + i] += work->damping[i] * u[BRIO_BASE_NV + i];
}

void brio_dynamics_inverse(brio_dynamics *dynamics, const double *q, const double *u, const double *du,
                           double *tau) {
  struct brio_dynamics_private *work = dynamics->work;
  const brio_robot *robot = dynamics->robot;
  if (!u) u = work->zeros;
  if (!du) du = work->zeros;
  assert(tau != q && tau != u && tau != du);
  /* Outward for motions, inward for forces. */
  brio_rotation base = brio_dynamics_base_turn(q);
  brio_dynamics_read_values(dynamics, q);
  move_base(dynamics, &base, u, du);
  move_bodies(work, u, du);
  memset(tau, 0, (size_t)robot->nv * sizeof *tau);
  for (int m = work->nbody - 1; m > 0; m--) hand_force(work, m, tau);
  /* The base's wrench, in world axes. */
  const brio_spatial *root = &work->motions[0].force;
  brio_vec3 force = brio_rotation_apply(&base, root->linear);
  brio_vec3 moment = brio_rotation_apply(&base, root->angular);
  tau[0] = force.x, tau[1] = force.y, tau[2] = force.z;
  tau[3] = moment.x, tau[4] = moment.y, tau[5] = moment.z;
  add_options(work, robot->nvariable, u, du, tau);
}
