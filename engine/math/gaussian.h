/* Gaussian fits of sets of vectors, and the Fréchet distance of two of them: how alike two sets of motions
** are, by vectors of features.  Off the tick: it allocates. */
#ifndef BRIO_MATH_GAUSSIAN_H
#define BRIO_MATH_GAUSSIAN_H

#include <stdbool.h>

/* A normal distribution of n dimensions; not owned. */
typedef struct brio_gaussian {
  int n;
  const double *mean;       /* n */
  const double *covariance; /* n x n, symmetric, positive semidefinite; it may be singular */
} brio_gaussian;

/* Write the mean (n) and the sample covariance (n x n, divided by count - 1) of `rows` (count x n).  Return
** false: fewer than two rows, n below 1, a number that is not finite. */
bool brio_gaussian_fit(const double *rows, int count, int n, double *mean, double *covariance);

/* Shrink the covariance of few rows toward its diagonal: elements off the diagonal are multiplied by 1 - w,
** which makes it positive definite where every variance is above 0.  Return w, from 0 to 1: the estimated
** variance of the elements off the diagonal over their squares, summed (Schäfer and Strimmer, "A shrinkage
** approach to large-scale covariance matrix estimation", 2005, target D); 1 for fewer than three rows, whose
** variance cannot be estimated.  `mean` and `covariance`: of brio_gaussian_fit.  O(count n^2). */
double brio_gaussian_shrink(const double *rows, int count, int n, const double *mean, double *covariance);

/* The squared Fréchet distance of two normal distributions of equal n (Dowson and Landau, "The Fréchet
** distance between multivariate normal distributions", 1982), called FID where the vectors are features:
**   |ma - mb|^2 + tr(A + B - 2 (A^1/2 B A^1/2)^1/2).
** Needs no inverse: singular covariances are fine.  O(n^3).  NaN: a number is not finite, no memory. */
double brio_gaussian_frechet(const brio_gaussian *a, const brio_gaussian *b);

#endif
