/* The cost of a path and the step of Gauss and Newton: normal equations of the inner points, in a band of
** three blocks, by Cholesky (Golub and Van Loan, "Matrix Computations", 4.3.5). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/joints/smooth/smooth_internal.h"

enum { ROUNDS = 4 };                /* in which rows become active */
static const double DAMPING = 1e-9; /* of the weights: a system without closeness is only just definite */

/* Weights of the sums of squared differences: of h = 1/m, |x'|^2 h = |dx|^2 / h, |x''|^2 h = |ddx|^2 / h^3.
 */
typedef struct weights {
  double first, second, zeroth;
} weights;

/* Return the weights of the settings at this number of points. */
static weights weights_of(const brio_joint_smooth *smooth) {
  double m = smooth->count - 1;
  return (weights){smooth->settings.length * m, smooth->settings.smoothness * m * m * m,
                   smooth->settings.closeness / m};
}

/* Return a^2. */
static double square(double a) {
  return a * a;
}

double brio_smooth_cost(const brio_joint_smooth *smooth) {
  weights w = weights_of(smooth);
  int n = smooth->n;
  double sum = 0;
  for (int i = 0; i < smooth->count; i++)
    for (int k = 0; k < n; k++) {
      const double *x = smooth->x + (size_t)i * (size_t)n + k;
      sum += w.zeroth * square(*x - smooth->given[i * n + k]);
      if (i + 1 < smooth->count) sum += w.first * square(x[n] - x[0]);
      if (i + 2 < smooth->count) sum += w.second * square(x[2 * n] - 2 * x[n] + x[0]);
    }
  for (int p = 0; p < smooth->nplace; p++)
    for (int r = 0; r < smooth->places[p].rows; r++)
      sum += smooth->rho * square(fmax(0, smooth->places[p].lack[r]));
  return sum;
}

/* Return the place of number (row, column) of the band, column <= row. */
static double *entry(const brio_joint_smooth *smooth, int row, int column) {
  int width = 3 * smooth->n;
  assert(column <= row && row - column < width);
  return smooth->band + (size_t)row * (size_t)width + (width - 1 - (row - column));
}

/* Add weight (sum of c_j x_j)^2 over points `first` to `first` + count - 1, for every joint; the ends stay,
** so they only count on the right. */
static void add_difference(brio_joint_smooth *smooth, int first, int count, const double *c, double weight) {
  int n = smooth->n, last = smooth->count - 1;
  if (weight == 0) return;
  /* Joint by joint: differences couple points, not joints. */
  for (int k = 0; k < n; k++) {
    double value = 0;
    for (int j = 0; j < count; j++) value += c[j] * smooth->x[(first + j) * n + k];
    for (int j = 0; j < count; j++) {
      int a = first + j;
      if (a == 0 || a == last) continue;
      smooth->right[(a - 1) * n + k] -= weight * c[j] * value;
      for (int i = 0; i <= j; i++) {
        int b = first + i;
        if (b == 0 || b == last) continue;
        *entry(smooth, (a - 1) * n + k, (b - 1) * n + k) += weight * c[i] * c[j];
      }
    }
  }
}

/* Add rho (lack - slope . dx)^2 of a row, where dx is shared by the two points that a place is between. */
static void add_row(brio_joint_smooth *smooth, const brio_smooth_place *place, double lack,
                    const double *slope) {
  int n = smooth->n, last = smooth->count - 1;
  /* Of a place between two points each has its share. */
  double shares[2] = {1 - place->share, place->share};
  for (int a = 0; a < 2; a++) {
    int i = place->i + a;
    if (shares[a] == 0 || i == 0 || i >= last) continue;
    for (int k = 0; k < n; k++) {
      int row = (i - 1) * n + k;
      smooth->right[row] += smooth->rho * shares[a] * slope[k] * lack;
      for (int b = 0; b <= a; b++) {
        int j = place->i + b;
        if (shares[b] == 0 || j == 0 || j >= last) continue;
        /* The lower half: all of an earlier point, and up to itself of its own. */
        for (int q = 0; q < (a == b ? k + 1 : n); q++)
          *entry(smooth, row, (j - 1) * n + q) += smooth->rho * shares[a] * shares[b] * slope[k] * slope[q];
      }
    }
  }
}

/* Replace the band by its Cholesky factor. */
static bool factor(brio_joint_smooth *smooth, int size) {
  int width = 3 * smooth->n;
  for (int row = 0; row < size; row++) {
    int first = row - width + 1 > 0 ? row - width + 1 : 0;
    double *own = smooth->band + (size_t)row * (size_t)width + (width - 1 - row);
    for (int column = first; column <= row; column++) {
      const double *other = smooth->band + (size_t)column * (size_t)width + (width - 1 - column);
      double sum = own[column];
      for (int k = first; k < column; k++)
        if (column - k < width) sum -= own[k] * other[k];
      if (column < row)
        own[column] = sum / other[column];
      else if (!(sum > 0))
        return false;
      else
        own[row] = sqrt(sum);
    }
  }
  return true;
}

/* Solve with the factor; the right side becomes the step. */
static void substitute(brio_joint_smooth *smooth, int size) {
  int width = 3 * smooth->n;
  /* Forward, with the lower half. */
  for (int row = 0; row < size; row++) {
    const double *own = smooth->band + (size_t)row * (size_t)width + (width - 1 - row);
    for (int k = row - width + 1 > 0 ? row - width + 1 : 0; k < row; k++)
      smooth->right[row] -= own[k] * smooth->right[k];
    smooth->right[row] /= own[row];
  }
  /* Backward, with its transpose. */
  for (int row = size - 1; row >= 0; row--) {
    const double *own = smooth->band + (size_t)row * (size_t)width + (width - 1 - row);
    smooth->right[row] /= own[row];
    for (int k = row - width + 1 > 0 ? row - width + 1 : 0; k < row; k++)
      smooth->right[k] -= own[k] * smooth->right[row];
  }
}

/* Return the slopes of a row. */
static const double *slopes_of(const brio_joint_smooth *smooth, int place, int row) {
  return smooth->slopes + ((size_t)place * BRIO_SMOOTH_NEAR + (size_t)row) * (size_t)smooth->n;
}

/* Solve with the rows that are active. */
static bool solve_once(brio_joint_smooth *smooth) {
  static const double two[2] = {-1, 1}, three[3] = {1, -2, 1};
  int n = smooth->n, size = (smooth->count - 2) * n, width = 3 * n;
  weights w = weights_of(smooth);
  memset(smooth->band, 0, (size_t)size * (size_t)width * sizeof *smooth->band);
  memset(smooth->right, 0, (size_t)size * sizeof *smooth->right);
  for (int i = 0; i + 1 < smooth->count; i++) add_difference(smooth, i, 2, two, w.first);
  for (int i = 0; i + 2 < smooth->count; i++) add_difference(smooth, i, 3, three, w.second);
  /* Closeness, which is to the given points. */
  for (int i = 1; i + 1 < smooth->count; i++)
    for (int k = 0; k < n; k++) {
      int row = (i - 1) * n + k;
      *entry(smooth, row, row) += w.zeroth + DAMPING * (w.first + w.second);
      smooth->right[row] -= w.zeroth * (smooth->x[i * n + k] - smooth->given[i * n + k]);
    }
  for (int p = 0; p < smooth->nplace; p++)
    for (int r = 0; r < smooth->places[p].rows; r++)
      if (smooth->places[p].active[r])
        add_row(smooth, &smooth->places[p], smooth->places[p].lack[r], slopes_of(smooth, p, r));
  if (!factor(smooth, size)) return false;
  substitute(smooth, size);
  /* The ends stay. */
  memset(smooth->step, 0, (size_t)smooth->count * (size_t)n * sizeof *smooth->step);
  memcpy(smooth->step + n, smooth->right, (size_t)size * sizeof *smooth->step);
  return true;
}

/* Make rows active that would lack behind the step, as their slopes say; return whether there were any. */
static bool activate(brio_joint_smooth *smooth) {
  bool more = false;
  int n = smooth->n;
  for (int p = 0; p < smooth->nplace; p++) {
    brio_smooth_place *place = &smooth->places[p];
    const double *a = smooth->step + (size_t)place->i * (size_t)n, *b = place->share > 0 ? a + n : a;
    for (int r = 0; r < place->rows; r++) {
      if (place->active[r]) continue;
      const double *slope = slopes_of(smooth, p, r);
      double left = place->lack[r];
      for (int k = 0; k < n; k++) left -= slope[k] * ((1 - place->share) * a[k] + place->share * b[k]);
      place->active[r] = left > 0;
      more |= place->active[r];
    }
  }
  return more;
}

bool brio_smooth_solve(brio_joint_smooth *smooth) {
  for (int p = 0; p < smooth->nplace; p++)
    for (int r = 0; r < smooth->places[p].rows; r++)
      smooth->places[p].active[r] = smooth->places[p].lack[r] > 0;
  /* Each time there are fewer that are not. */
  for (int round = 0; round < ROUNDS; round++) {
    if (!solve_once(smooth)) return false;
    if (!activate(smooth)) break;
  }
  return true;
}
