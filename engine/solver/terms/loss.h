/* Losses: the cost as a function of the squared length s = |r|^2 of a residual.  Each is a row of the list in
** loss.c.  The groove losses are exactly Lively's:
**   groove(x; c, f) = -exp(-x^2 / (2 c^2)) + f x^2
** with (c 0.1, f 10) for Cartesian terms and (c 0.3295, f 0.1) for joint terms. */
#ifndef BRIO_SOLVER_TERMS_LOSS_H
#define BRIO_SOLVER_TERMS_LOSS_H

typedef struct brio_loss_kind {
  const char *name, *doc;
  /* Return the cost of s >= 0 and write its first derivative (>= 0) and its second by s. */
  double (*cost)(double s, double *slope, double *bend);
} brio_loss_kind;

extern const brio_loss_kind brio_loss_groove_cartesian; /* Lively's set A */
extern const brio_loss_kind brio_loss_groove_joint;     /* Lively's set B */
extern const brio_loss_kind brio_loss_bounding;         /* Lively's ellipse: s is D */
extern const brio_loss_kind brio_loss_cartesian;        /* brio's: groove A + 1, never negative */
extern const brio_loss_kind brio_loss_joint;            /* brio's: groove B + 1 */
extern const brio_loss_kind brio_loss_quadratic;        /* s / 2 */
extern const brio_loss_kind brio_loss_wall;             /* 60 s: as steep as cartesian near 0, not bounded */

/* All of them, ended by NULL. */
extern const brio_loss_kind *const brio_loss_kinds[];

#endif
