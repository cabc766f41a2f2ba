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

/* Whether a solid can have this inertia: each moment is at most the sum of the two others, and the matrix is
** positive semi-definite (Sylvester's criterion, with some slack for rounding). */
static bool is_physical(const double i[6]) {
  double xx = i[0], xy = i[1], xz = i[2], yy = i[3], yz = i[4], zz = i[5], trace = xx + yy + zz;
  double slack = 1e-6 * fabs(trace);
  /* The principal minors: xx, that of xx and yy, and the determinant. */
  double minor = xx * yy - xy * xy;
  double all = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx >= -slack && yy >= -slack && zz >= -slack && xx + yy >= zz - slack && yy + zz >= xx - slack &&
         zz + xx >= yy - slack && minor >= -slack * slack && all >= -slack * slack * slack;
}

void brio_draft_check_inertia(brio_draft *draft, const brio_xml *element, const double i[6]) {
  if (!is_physical(i))
    brio_draft_warn(draft, element,
                    "this inertia is impossible: a moment exceeds the sum of the others or is negative");
}
