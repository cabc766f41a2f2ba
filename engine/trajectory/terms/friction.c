/* Contacts push and do not slide, tilt or twist.  With the force f in the axes of the holding frame, z along
** the normal, divided by the robot's weight, and e = 0.01, which rounds the tip of the friction cone:
**     friction f_z - sqrt(f_x^2 + f_y^2 + e^2) >= 0
** and, for soles, with the moment m about the frame's origin, so that the centre of pressure is in the sole:
**     half_0 f_z -+ m_y >= 0,   half_1 f_z -+ m_x >= 0,   torsion f_z -+ m_z >= 0.
** The cone implies f_z >= 0.  `share` scales friction, half and torsion.  Contacts of infinite friction have
** no rows. */
#include <math.h>
#include <string.h>

#include "trajectory/matrix.h"
#include "trajectory/term.h"

static const double tip = 0.01; /* e, by the robot's weight */

typedef struct friction {
  double share; /* of each contact's friction that may be used */
} friction;

static const brio_trajectory_param params[] = {
    {.name = "share",
     .unit = "1",
     .doc = "part of each contact's friction and sole that may be used",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(friction, share),
     .fallback = 1,
     .lower = 0.01,
     .upper = 1},
    {.name = NULL},
};

/* Rows of one contact: the cone's, and six of a sole. */
static int rows_of(const brio_trajectory_contact *contact) {
  if (!(contact->friction < HUGE_VAL)) return 0;
  return contact->hold.rigid ? 7 : 1;
}

/* The rows of all contacts of the phase. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)t;
  int sum = 0;
  for (int c = 0; c < phase->ncontact; c++) sum += rows_of(&phase->contacts[c]);
  return sum;
}

/* Return the holding frame in the world. */
static brio_transform frame_of(const brio_trajectory_point *at, const brio_trajectory_contact *contact) {
  brio_transform frame = brio_transform_of(contact->hold.on_other);
  if (contact->hold.other < 0) return frame;
  return brio_transform_mul(&at->state->links[contact->hold.other], &frame);
}

/* Write the derivative (nz) of a row that is linear in force and moment: `gain` (6, in the frame's axes)
** times f and m, which are rows first to first + count - 1 of the forces, in world axes.  NULL: nothing. */
static void linear_row(const brio_trajectory_point *at, const brio_transform *frame, int first, int count,
                       const double gain[6], double *slope) {
  int nz = at->trajectory->nz;
  for (int k = 0; slope && k < count; k++) {
    /* f in the frame is R^T f in the world: component k is weighted by row k of R times gain */
    const double *g = gain + 3 * (k / 3);
    double by = 0;
    for (int a = 0; a < 3; a++) by += g[a] * frame->r[3 * (k % 3) + a];
    by /= at->trajectory->weight;
    for (int c = 0; by != 0 && c < nz; c++) slope[c] += by * at->force_slope[(first + k) * nz + c];
  }
}

/* Write force and moment in the frame's axes, divided by the robot's weight: R^T f / weight. */
static void turn(const brio_trajectory_point *at, const brio_transform *frame, int first, int count,
                 double out[6]) {
  for (int k = 0; k < 6; k++) out[k] = 0;
  for (int k = 0; k < count; k++)
    for (int a = 0; a < 3; a++)
      out[3 * (k / 3) + a] += frame->r[3 * (k % 3) + a] * at->forces[first + k] / at->trajectory->weight;
}

/* Write the six rows of a sole: of m_y, m_x, m_z, each with both signs. */
static void sole_rows(const brio_trajectory_point *at, const brio_trajectory_contact *contact, double share,
                      const brio_transform *frame, int first, const double f[6], double *r, double *slopes) {
  /* greatest distance of the centre of pressure along x and y, and greatest torsion by the press, m */
  const double reach[3] = {contact->half[0], contact->half[1], contact->torsion};
  static const int axis[3] = {4, 3, 5};
  for (int i = 0; i < 6; i++) {
    double gain[6] = {0};
    gain[2] = share * reach[i / 2], gain[axis[i / 2]] = i % 2 ? 1 : -1;
    r[i] = gain[2] * f[2] + gain[axis[i / 2]] * f[axis[i / 2]];
    linear_row(at, frame, first, 6, gain, slopes ? slopes + i * at->trajectory->nz : NULL);
  }
}

static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const friction *own = self;
  int nz = at->trajectory->nz;
  for (int c = 0, first = 0; c < at->phase->ncontact; c++) {
    const brio_trajectory_contact *contact = &at->phase->contacts[c];
    int count = contact->hold.rigid ? 6 : 3, mine = rows_of(contact);
    brio_transform frame = frame_of(at, contact);
    /* the cone's row, then a sole's */
    double f[6];
    turn(at, &frame, first, count, f);
    if (mine > 0) {
      double slip = sqrt(f[0] * f[0] + f[1] * f[1] + tip * tip), share = own->share * contact->friction;
      r[0] = share * f[2] - slip;
      const double gain[6] = {-f[0] / slip, -f[1] / slip, share};
      linear_row(at, &frame, first, count, gain, slopes);
    }
    if (mine > 1) sole_rows(at, contact, own->share, &frame, first, f, r + 1, slopes ? slopes + nz : NULL);
    r += mine, slopes = slopes ? slopes + mine * nz : NULL, first += count;
  }
}

/* Curvature of the cone's row: -d^2 r / dz^2 = J^T S J with S = (1 - f f^T / slip^2) / slip, where f are the
** two tangential forces, J their derivatives by z, and slip = sqrt(f^2 + e^2).  S has the eigenvalue 1 / slip
** across f, and e^2 / slip^3 along it. */
static void bend_cone(const brio_trajectory_point *at, const brio_transform *frame, int first, int count,
                      double weight, double *hessian, double *row) {
  int nz = at->trajectory->nz;
  double f[6];
  turn(at, frame, first, count, f);
  double flat = hypot(f[0], f[1]), slip = sqrt(flat * flat + tip * tip);
  double x = flat > 0 ? f[0] / flat : 1, y = flat > 0 ? f[1] / flat : 0;
  const double gains[2][6] = {{-y, x}, {x, y}}, sizes[2] = {1 / slip, tip * tip / (slip * slip * slip)};
  for (int i = 0; i < 2; i++) {
    memset(row, 0, (size_t)nz * sizeof *row);
    linear_row(at, frame, first, count, gains[i], row);
    brio_matrix_add_square(nz, weight * sizes[i], row, hessian);
  }
}

/* Only the cones' rows are curved; a weight below 0 makes the part positive. */
static void bend(const void *self, const brio_trajectory_point *at, const double *weights, double *hessian) {
  (void)self;
  for (int c = 0, first = 0; c < at->phase->ncontact; c++) {
    const brio_trajectory_contact *contact = &at->phase->contacts[c];
    brio_transform frame = frame_of(at, contact);
    int count = contact->hold.rigid ? 6 : 3, mine = rows_of(contact);
    if (mine > 0 && weights[0] < 0)
      bend_cone(at, &frame, first, count, -weights[0], hessian, at->trajectory->between);
    weights += mine, first += count;
  }
}

/* At least 0, every row: a sole has its moments with both signs. */
static void bounds(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase,
                   double *lower, double *upper) {
  brio_trajectory_not_negative(rows(self, t, phase), lower, upper);
}

const brio_trajectory_term_kind brio_trajectory_term_friction = {
    .name = "friction",
    .doc = "Contacts press and do not slide, tilt or turn.",
    .example = "{ share = 0.9 }",
    .params = params,
    .size = sizeof(friction),
    .rows = rows,
    .evaluate = evaluate,
    .bounds = bounds,
    .bend = bend,
};
