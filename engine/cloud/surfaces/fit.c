/* The plane through points: the eigenvectors of their covariance.
**
** Total least squares: the normal is the direction of least variance (Pearson, "On lines and planes of
** closest fit", 1901). Eigenvectors are computed by Jacobi's rotations (math/symmetric.h), which are as
** accurate for small variances as for large ones. O(1): a few sweeps of a 3 x 3 matrix. */
#include "cloud/surfaces/fit.h"

#include "math/symmetric.h"

/* Write the axes of the spread: the columns of `v`, by ascending a[k][k]. */
static void order(double a[3][3], double v[3][3], brio_cloud_spread *out) {
  /* Two passes of bubble sort order three numbers. */
  int by[3] = {0, 1, 2};
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < 2; i++)
      if (a[by[i]][by[i]] > a[by[i + 1]][by[i + 1]]) {
        int swap = by[i];
        by[i] = by[i + 1], by[i + 1] = swap;
      }
  /* Rounding may leave a variance slightly below 0. */
  for (int i = 0; i < 3; i++) {
    out->variance[i] = fmax(0, a[by[i]][by[i]]);
    out->axis[i] = (brio_vec3){v[0][by[i]], v[1][by[i]], v[2][by[i]]};
  }
  /* Make the axes right-handed. */
  out->axis[2] = brio_vec3_cross(out->axis[0], out->axis[1]);
}

bool brio_cloud_spread_of(const brio_cloud_moments *m, double least, brio_cloud_spread *out) {
  /* Covariances: means of products minus products of means. */
  if (!(m->count >= least) || !(m->count > 0)) return false;
  double n = m->count, x = m->sum[0] / n, y = m->sum[1] / n, z = m->sum[2] / n;
  double xx = m->product[0] / n - x * x, xy = m->product[1] / n - x * y, xz = m->product[2] / n - x * z;
  double yy = m->product[3] / n - y * y, yz = m->product[4] / n - y * z, zz = m->product[5] / n - z * z;
  /* Sums of huge numbers may overflow: the plane is unknown then. */
  if (!isfinite(xx + yy + zz + xy + xz + yz)) return false;
  double a[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  /* Each sweep squares the off-diagonal part, so usually four suffice. */
  for (int sweep = 0; sweep < 12; sweep++) {
    double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
    /* Relative to the diagonal, near the rounding of doubles squared. */
    if (!(off > 1e-32 * (a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2]))) break;
    brio_symmetric_rotate(&a[0][0], &v[0][0], 3, 0, 1);
    brio_symmetric_rotate(&a[0][0], &v[0][0], 3, 0, 2);
    brio_symmetric_rotate(&a[0][0], &v[0][0], 3, 1, 2);
  }
  out->center = (brio_vec3){x, y, z};
  order(a, v, out);
  return true;
}

/* Write two unit vectors perpendicular to z and to each other, starting from a coordinate axis that is not
** near z. */
void brio_cloud_across(brio_vec3 z, brio_vec3 *x, brio_vec3 *y) {
  brio_vec3 side = fabs(z.x) < 0.8 ? (brio_vec3){1, 0, 0} : (brio_vec3){0, 1, 0};
  *x = brio_vec3_unit(brio_vec3_add_scaled(side, -brio_vec3_dot(side, z), z), (brio_vec3){0, 0, 1});
  *y = brio_vec3_cross(z, *x);
}
