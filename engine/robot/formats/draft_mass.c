/* Inertias of links: between axes, and whether a solid can have them. */
#include <string.h>

#include "robot/formats/draft_internal.h"

void brio_draft_turn_inertia(brio_quat q, double i[6]) {
  brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, q});
  double a[9] = {i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]}, b[9], c[9];
  /* b = R a, then c = b R^T. */
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++)
      b[3 * r + k] = t.r[3 * r] * a[k] + t.r[3 * r + 1] * a[3 + k] + t.r[3 * r + 2] * a[6 + k];
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++)
      c[3 * r + k] = b[3 * r] * t.r[3 * k] + b[3 * r + 1] * t.r[3 * k + 1] + b[3 * r + 2] * t.r[3 * k + 2];
  memcpy(i, (double[]){c[0], c[1], c[2], c[4], c[5], c[8]}, 6 * sizeof *i);
}

/* Whether a symmetric matrix (xx xy xz yy yz zz) of numbers up to `scale` has no negative eigenvalue: that
** is, no principal minor is negative.  Rounding of a millionth in each number is passed over. */
static bool is_semidefinite(const double m[6], double scale) {
  double xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = m[5], slack = 1e-6 * scale;
  double all = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  double least = fmin(xx * yy - xy * xy, fmin(yy * zz - yz * yz, zz * xx - xz * xz));
  return fmin(xx, fmin(yy, zz)) >= -slack && least >= -slack * scale && all >= -slack * scale * scale;
}

/* Whether a solid can have this inertia: no principal moment exceeds the sum of the two others, so the second
** moments of its mass, trace / 2 - I, have no negative eigenvalue.  Source: Wensing, Kim, Slotine, "Linear
** matrix inequalities for physically consistent inertial parameter identification", 2018. */
static bool is_physical(const double i[6]) {
  double half = (i[0] + i[3] + i[5]) / 2;
  const double second[6] = {half - i[0], -i[1], -i[2], half - i[3], -i[4], half - i[5]};
  return is_semidefinite(second, 2 * fabs(half));
}

void brio_draft_check_inertia(brio_draft *draft, const brio_xml *element, const double i[6]) {
  if (!is_physical(i))
    brio_draft_warn(draft, element,
                    "this inertia is impossible: a principal moment exceeds the sum of the others or is "
                    "negative");
}
