/* Local optimization of a path of joints: from any path, also one that collides, to a smooth and short one
** that is clear, and whose straight motions are proven clear.  Start and end stay.
**
** With points x_0 .. x_m at equal steps h = 1/m, the cost is
**   length sum |x' |^2 h + smoothness sum |x''|^2 h + closeness sum |x - given|^2 h
**   + rho sum max(0, target - d)^2
** over first and second differences, and over the distances d of all pairs of solids that are nearer than the
** target at the points, and between those whose motion is blocked.  A step is that of Gauss and Newton, with
** the distances' slopes: one banded system of all points, by Cholesky.  It is halved until the cost falls;
** rho rises until nothing is nearer than the target, and the motions are clear.  A path that collides is
** first pushed out (repair.h): slopes alone draw points of a thin thing to either side of it.  Where
** something is to be kept (keep.h), each point is projected on it behind a step.  Sources: Schulman et al.,
** "Motion planning with sequential convex optimization and convex collision checking", 2014; Zucker et al.,
** "CHOMP: covariant Hamiltonian optimization for motion planning", 2013.
**
** It is made with all its memory and works in slices, which allocate nothing; the same path gives the same
** result, whatever the slices. */
#ifndef BRIO_PLAN_JOINTS_SMOOTH_H
#define BRIO_PLAN_JOINTS_SMOOTH_H

#include "plan/body_path.h"
#include "plan/joints/checker.h"

enum { BRIO_SMOOTH_POINTS = 2000 }; /* at most */

typedef struct brio_joint_smooth brio_joint_smooth;

typedef struct brio_smooth_settings {
  double length, smoothness, closeness; /* weights, of which one is above 0 */
  double margin;  /* m, above 0: kept from everything beyond the clearance, where the path is changed */
  int rounds;     /* steps, at most */
  int64_t checks; /* of searches that lead around what no push does, in the beginning; 0: none, and fewer
                     pushes */
} brio_smooth_settings;

/* Return length 1, smoothness 0.01, closeness 0, margin 5 mm, 100 rounds, 20,000 checks. */
brio_smooth_settings brio_smooth_settings_default(void);

/* Statistics of a path. */
typedef struct brio_smooth_report {
  int rounds;            /* steps that were taken */
  int64_t looks;         /* configurations whose distances were measured */
  double before, length; /* of the path given, and now: sum over its steps */
  double missing;        /* m: how much nearer than the target something is, at most */
  int blocked;           /* motions that are not clear, at the last look */
} brio_smooth_report;

/* Make an optimization of paths of at most `most` points.  The checker must outlive it.  Errors: misuse (a
** setting or number out of range), no_memory. */
brio_joint_smooth *brio_joint_smooth_new(brio_joint_checker *checker, int most,
                                         const brio_smooth_settings *settings, brio_error *err);
/* Free it.  NULL is allowed. */
void brio_joint_smooth_free(brio_joint_smooth *smooth);

/* Begin with a path of `count` points (count x size, copied), and push it out of what it touches: some ms for
** 200 points, and searches, if there may be some, which alone allocate.  Circular joints go as the numbers
** say.  Errors: misuse (too few or too many points, a number that is not finite), unreachable (the start or
** the end is not clear, or beyond a limit). */
bool brio_joint_smooth_begin(brio_joint_smooth *smooth, const double *points, int count, brio_error *err);

/* Work, with at most `budget` configurations that are measured; a step counts as 20.  Found: the path is
** clear, and its cost no longer falls, or can fall no more with a clear path.  Failed: `err` says which
** motion or point is not clear, with the two solids and the depth (unreachable). */
brio_search_status brio_joint_smooth_work(brio_joint_smooth *smooth, int budget, brio_error *err);

/* Return the path as it is (count x size): clear once it was found. */
const double *brio_joint_smooth_path(const brio_joint_smooth *smooth, int *count);

/* Return the statistics so far. */
brio_smooth_report brio_joint_smooth_report(const brio_joint_smooth *smooth);

#endif
