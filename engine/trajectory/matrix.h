/* Small dense matrices, row by row: products and factorizations for chains of blocks.  Arguments do not
** overlap; "turned" means transposed.  Pure functions, no allocation. */
#ifndef BRIO_TRAJECTORY_MATRIX_H
#define BRIO_TRAJECTORY_MATRIX_H

#include <stdbool.h>

/* c (rows x columns, rows of `stride`) += scale a b, of a (rows x inner, rows of `a_stride`) and b (inner x
** columns, rows of `b_stride`).  Zeros of a are skipped. */
void brio_matrix_add_product(int rows, int inner, int columns, double scale, const double *a,
                             int a_stride, const double *b, int b_stride, double *c,
                             int stride);

/* The same with a transposed: a is inner x rows. */
void brio_matrix_add_turned(int rows, int inner, int columns, double scale, const double *a,
                            int a_stride, const double *b, int b_stride, double *c,
                            int stride);

/* Add weight v v^T to the lower half of a symmetric matrix c (n x n, rows of n). */
void brio_matrix_add_square(int n, double weight, const double *v, double *c);

/* Replace a symmetric matrix (n x n, rows of `stride`; its lower half is read) by Cholesky's factor L. Return
** false: it is not positive definite. */
bool brio_matrix_cholesky(int n, double *a, int stride);

/* Replace b (n x columns, rows of `stride`) by (L L^T)^-1 b. */
void brio_matrix_cholesky_solve(int n, const double *l, int l_stride, double *b, int columns, int stride);

/* Replace a (n x n, rows of `stride`) by its LU factors, with row swaps in `order` (n: row i was swapped with
** row order[i]).  Return false: singular. */
bool brio_matrix_factorize(int n, double *a, int stride, int *order);

/* Replace b (n x columns, rows of `b_stride`) by a^-1 b, or b (n) by a^-T b; `a` and `order` are those of
** brio_matrix_factorize. */
void brio_matrix_solve(int n, const double *a, int stride, const int *order, double *b, int columns,
                       int b_stride);
void brio_matrix_solve_turned(int n, const double *a, int stride, const int *order, double *b);

/* y (rows) += scale a x, or y (columns) += scale a^T x, of a (rows x columns, without gaps). */
void brio_matrix_add_vector(int rows, int columns, double scale, const double *a, const double *x, double *y);
void brio_matrix_add_turned_vector(int rows, int columns, double scale, const double *a, const double *x,
                                   double *y);

#endif
