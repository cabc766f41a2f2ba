/* Contacts are closed: the held frames are in their places and at rest; an equation for the first node of a
** phase in which a foot has landed.  Rows of each contact: the gap (m; of soles also the rotation vector,
** rad), then the velocity of the held frame (m/s; rad/s).  Only contacts with the world have rows. */
#include <string.h>

#include "trajectory/rotation_internal.h"
#include "trajectory/trajectory_internal.h"

static const brio_trajectory_param params[] = {{.name = NULL}};

/* Position and velocity: 3 rows each, of soles 6. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)t;
  int sum = 0;
  for (int c = 0; c < phase->ncontact; c++)
    if (phase->contacts[c].hold.other < 0) sum += phase->contacts[c].hold.rigid ? 12 : 6;
  return sum;
}

/* Write the rows of one contact and, unless `slopes` is NULL, their derivatives.  Return their number. */
static int contact_rows(const brio_trajectory_point *at, const brio_dynamics_constraint *hold, double *r,
                        double *slopes) {
  brio_trajectory *t = (brio_trajectory *)at->trajectory; /* its workspaces are scratch */
  int nv = t->robot->nv, nz = t->nz, half = hold->rigid ? 6 : 3;
  double *jacobian = t->work->frame, *by_q = jacobian + 6 * nv;
  brio_point_motion motion =
      brio_trajectory_frame(t, at->q, at->u, hold->link, hold->on_link.p, jacobian, by_q);
  brio_vec3 gap = brio_vec3_sub(motion.at, hold->on_other.p), turn = {0, 0, 0};
  brio_pose link = brio_pose_of(&at->state->links[hold->link]);
  brio_quat held = brio_quat_mul(link.q, hold->on_link.q);
  if (hold->rigid) turn = brio_quat_log(brio_quat_mul(held, brio_quat_conj(hold->on_other.q)));
  /* gap, then velocity */
  const double gaps[6] = {gap.x, gap.y, gap.z, turn.x, turn.y, turn.z};
  memcpy(r, gaps, (size_t)half * sizeof *r), memcpy(r + half, motion.velocity, (size_t)half * sizeof *r);
  if (!slopes) return 2 * half;
  /* d gap / dq = J, d velocity / du = J, d velocity / dq = d(J u)/dq */
  for (int k = 0; k < half; k++)
    for (int i = 0; i < t->ndof; i++) {
      slopes[k * nz + i] = jacobian[k * nv + t->first + i];
      slopes[(half + k) * nz + t->ndof + i] = slopes[k * nz + i];
      slopes[(half + k) * nz + i] = by_q[k * t->ndof + i];
    }
  if (!hold->rigid) return 2 * half;
  /* the derivative of the rotation vector: Jl^-1 times the angular rows of J */
  brio_matrix33 by = brio_rotation_left_inverse(turn);
  for (int i = 0; i < t->ndof; i++) {
    double *column = slopes + 3 * nz + i;
    brio_vec3 v = brio_matrix33_apply(&by, (brio_vec3){column[0], column[nz], column[2 * nz]});
    column[0] = v.x, column[nz] = v.y, column[2 * nz] = v.z;
  }
  return 2 * half;
}

/* The rows of all contacts of the phase, one behind the other. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  (void)self;
  for (int c = 0; c < at->phase->ncontact; c++) {
    const brio_dynamics_constraint *hold = &at->phase->contacts[c].hold;
    /* a contact with another link has no place in the world */
    if (hold->other >= 0) continue;
    int done = contact_rows(at, hold, r, slopes);
    r += done, slopes = slopes ? slopes + done * at->trajectory->nz : NULL;
  }
}

const brio_trajectory_term_kind brio_trajectory_term_closed = {
    .name = "closed",
    .doc = "Contacts are where they are held, and at rest there.",
    .example = "{}",
    .params = params,
    .size = 0,
    .rows = rows,
    .evaluate = evaluate,
};
