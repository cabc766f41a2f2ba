/* Second derivatives of the cost, and the linear systems with them.
**
** Most objectives depend on few variables: those of one chain of joints, or each alone.  The matrix of a
** robot with many joints is therefore sparse, and its factor as well if the joints at the ends of the tree
** are eliminated first: parents come before children, so elimination goes from the last to the first.  A
** vector with many entries would fill the matrix: it is kept separately. */
#ifndef BRIO_SOLVER_EVALUATION_CURVATURE_H
#define BRIO_SOLVER_EVALUATION_CURVATURE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum {
  BRIO_WIDE = 32,     /* a vector with more entries than this is kept separately */
  BRIO_MOST_WIDE = 8, /* wide vectors at most; further ones go into the matrix */
  BRIO_DENSE = BRIO_WIDE, /* up to this size, where no vector is wide, the factor is dense */
};

enum { BRIO_BLOCK = 8 }; /* size of the blocks that are tested for zeros */

/* Return the end of the block from `i` on, at most `end`; or `i` if the whole block is +0, which the caller
** skips. */
static inline int brio_row_block_end(const double *row, int i, int end) {
  uint64_t bits[BRIO_BLOCK];
  if (i + BRIO_BLOCK > end) return end;
  memcpy(bits, row + i, sizeof bits);
  uint64_t any = bits[0] | bits[1] | bits[2] | bits[3] | bits[4] | bits[5] | bits[6] | bits[7];
  return any != 0 ? i + BRIO_BLOCK : i;
}

/* A part of the matrix that bends down in some directions, an entry of its lower half. */
typedef struct brio_curvature_bend {
  int row, column;
  double value;
} brio_curvature_bend;

/* H = half + sum over k of scales[k] * wide[k] wide[k]^T, symmetric, n x n. */
typedef struct brio_curvature {
  int n;
  double *half;           /* n x n, lower half, row by row */
  double *wide;           /* BRIO_MOST_WIDE x n */
  double scales[BRIO_MOST_WIDE];
  int nwide;
  brio_curvature_bend *bends; /* nbend, room for `most_bends` */
  int nbend, most_bends;
  bool bent;              /* they are in `half` */
  bool wants_bends;       /* the backend's: they are to be noted */
  /* The factor L of the open part, L^T L, row by row: entries below the diagonal that are not 0. */
  double *work;           /* n x n: what is left of the matrix; of few numbers, L itself */
  double *pivots;         /* n: the diagonal of L; 0: not open */
  double *values;         /* n (n - 1) / 2 */
  uint16_t *columns;      /* of the same entries, rising in a row */
  int *rows;              /* n + 1: row i is at rows[i + 1] .. rows[i] - 1 */
  double *solved;         /* BRIO_MOST_WIDE x n: half^-1 wide */
  double small[BRIO_MOST_WIDE][BRIO_MOST_WIDE]; /* 1 + scales wide^T solved */
  uint64_t operations;    /* counts multiplications of factors, for tests */
} brio_curvature;

/* Bends at most: further ones are left out, as Gauss and Newton leave out all. */
enum { BRIO_MOST_BENDS = 4096 };

/* Make room for n numbers, up to 65,535, in an arena.  Return false when there is no memory. */
bool brio_curvature_start(brio_curvature *h, int n, brio_arena *arena);

/* Let all be 0. */
void brio_curvature_clear(brio_curvature *h);

/* Add scale * v v^T, with `count` nonzero entries of v at rising `index`. */
void brio_curvature_add(brio_curvature *h, const int *index, const double *entry, int count, double scale);

/* Add to an entry of the diagonal. */
static inline void brio_curvature_add_diagonal(brio_curvature *h, int i, double value) {
  h->half[i * h->n + i] += value;
}

/* Note an entry of the second derivatives of residuals, which need not be positive: they count as long as
** brio_curvature_bend lets them. */
static inline void brio_curvature_note_bend(brio_curvature *h, int i, int j, double value) {
  if (h->nbend == h->most_bends) return;
  h->bends[h->nbend++] = (brio_curvature_bend){i > j ? i : j, i > j ? j : i, value};
}

/* Let the noted bends be part of H, or not. */
void brio_curvature_bend_to(brio_curvature *h, bool bent);

/* Return row `i` of the matrix, up to its diagonal, to add entries to. */
static inline double *brio_curvature_row(brio_curvature *h, int i) { return h->half + i * h->n; }

/* Write the diagonal of H to `out` (n). */
void brio_curvature_diagonal(const brio_curvature *h, double *out);

/* Add scale * (column j of H) to `out` (n). */
void brio_curvature_add_column(const brio_curvature *h, int j, double scale, double *out);

/* Return x . H x, x of n. */
double brio_curvature_square(const brio_curvature *h, const double *x);

/* Factor H with `added` (n) on its diagonal, restricted to variables that are not `fixed` (n).  A direction
** without curvature gets no step.  Return whether H was positive there. */
bool brio_curvature_factor(brio_curvature *h, const bool *fixed, const double *added);

/* Solve with the factor: b (n) becomes the solution; fixed entries become 0. */
void brio_curvature_solve(brio_curvature *h, double *b);

/* curvature_dense.c: both for up to BRIO_DENSE numbers, L being in `work`. */
bool brio_curvature_factor_dense(brio_curvature *h, const bool *fixed, const double *added);
void brio_curvature_substitute_dense(const brio_curvature *h, double *b);

#endif
