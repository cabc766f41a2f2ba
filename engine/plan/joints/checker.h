/* Whether a robot's planned joints may stand somewhere, or go straight from one configuration to another.
**
** Everything that moves is checked against the obstacles, and against the robot's other links.  Spheres
** around the links come first, in single precision, four obstacles at a time; what they leave open is
** measured by brio_shape_distance.  A motion is clear only if that is proven for all of it: at the middle of
** a piece of it, every link is farther from everything than any of its points can go within the piece; else
** the piece is cut in two (frames.h has the bounds).  So nothing is jumped over, however thin.  What comes
** nearer than the `resolution` may count as blocked: it is neither proven nor ruled out.
**
** What does not move is not checked against what does not move.  Nor are links that are rigid together, links
** whose nearest carrier with shapes is the other one, or pairs that the robot's file or the request
** allows. */
#ifndef BRIO_PLAN_JOINTS_CHECKER_H
#define BRIO_PLAN_JOINTS_CHECKER_H

#include <stdint.h>

#include "base/error.h"
#include "plan/joints/keep/keep.h"
#include "plan/obstacles.h"
#include "robot/robot.h"

enum {
  BRIO_JOINTS_PLANNED = 32, /* variables, at most */
  BRIO_JOINTS_FRAMES = 64,  /* joints that they move, mimic joints included, at most */
  BRIO_JOINTS_PIECES = 4096 /* of a motion that may wait to be checked; where more would, it is blocked */
};

typedef struct brio_joint_checker brio_joint_checker;

typedef struct brio_joint_checker_request {
  const brio_robot *robot; /* must outlive the checker */
  const double *q;         /* nq: where the base and all joints that are not planned stand */
  const int *variables;    /* of the robot, each once; several arms are one list */
  int nvariable;
  const brio_obstacle *obstacles; /* copied */
  int nobstacle;
  const brio_link_shape *carried; /* further shapes of links, such as a thing in a hand; copied */
  int ncarried;
  const brio_link_pair *allowed; /* links that may touch each other */
  int nallowed;
  const brio_joint_keep *keeps; /* what is kept wherever it is clear, and on all motions; copied */
  int nkeep;
  double clearance;  /* m, >= 0: to be kept from everything */
  double resolution; /* m: see above; 0: 1e-4 */
} brio_joint_checker_request;

/* Make a checker, with all its memory.  Errors: misuse (a variable, value or shape that is not possible),
** limit, no_memory. */
brio_joint_checker *brio_joint_checker_new(const brio_joint_checker_request *request, brio_error *err);
/* Free it.  NULL is allowed. */
void brio_joint_checker_free(brio_joint_checker *checker);

/* Set the clearance, m, from 0 to 1e6: of all that is checked from now on.  A search in the checker must have
** ended. */
void brio_joint_checker_set_clearance(brio_joint_checker *checker, double clearance);

/* Return the robot; the number of planned variables, with their indices in the robot. */
const brio_robot *brio_joint_checker_robot(const brio_joint_checker *checker);
int brio_joint_checker_size(const brio_joint_checker *checker, const int **variables);

/* Return whether everything keeps its clearance, and what is to be kept is, at the planned values `x`. Limits
** are the caller's.  What is not finite is not clear. */
bool brio_joint_checker_clear(brio_joint_checker *checker, const double *x);

/* The nearest two solids of a configuration. */
typedef struct brio_joint_contact {
  int link;        /* -1: there are no two */
  int other;       /* the other link; -1: an obstacle */
  int obstacle;    /* its index; -1: a link */
  double distance; /* m; negative: depth */
} brio_joint_contact;

/* Find them, by exact distances of all pairs: not for the tick. */
brio_joint_contact brio_joint_checker_nearest(brio_joint_checker *checker, const double *x);

/* Write the pairs of solids that are nearer than `limit` (m, at least the clearance), and the slopes of their
** distances by the planned values (a row of as many numbers each; NULL: not wanted): of more than `most`
** pairs the nearest.  Return their number.  A link counts shape by shape.  Allocates nothing. */
int brio_joint_checker_near(brio_joint_checker *checker, const double *x, double limit, int most,
                            brio_joint_contact *contacts, double *slopes);

/* Return the clearance of the request, m. */
double brio_joint_checker_clearance(const brio_joint_checker *checker);

/* Fail with the sentence of a configuration that is not clear: "`what`: link 'a' is 3.2 mm inside obstacle
** 'b'", or of what is not kept (unreachable). */
bool brio_joint_checker_explain(brio_joint_checker *checker, const double *x, const char *what,
                                brio_error *err);

/* Return whether anything is kept; whether it is at the planned values, or fail with the sentence that says
** what is not (unreachable). */
bool brio_joint_checker_keeps(const brio_joint_checker *checker);
bool brio_joint_checker_kept(brio_joint_checker *checker, const double *x, const char *what, brio_error *err);

/* Change `x` as little as may be, within the limits of joints, until what is kept is, with some room, or
** until that is so of other keeps in the checker's frames.  Return false, with `x` as it was, if that
** fails. */
bool brio_joint_checker_project(brio_joint_checker *checker, double *x);
bool brio_joint_checker_project_on(brio_joint_checker *checker, const brio_keeps *keeps, double *x);

/* Return whether a whole straight motion keeps it; solids are not looked at. */
bool brio_joint_checker_motion_keeps(brio_joint_checker *checker, const double *x, const double *delta);

typedef enum brio_joint_verdict {
  BRIO_MOTION_OPEN, /* not decided yet */
  BRIO_MOTION_CLEAR,
  BRIO_MOTION_BLOCKED
} brio_joint_verdict;

/* Begin to check the straight motion by `delta` from `x`, which is clear; both are copied, and a motion that
** takes a slide over 1 mm beyond its limits is blocked; an earlier one is forgotten.  Return its
** number, never 0. */
uint64_t brio_joint_motion_begin(brio_joint_checker *checker, const double *x, const double *delta);

/* Return the number of the motion that was begun last. */
uint64_t brio_joint_motion_number(const brio_joint_checker *checker);

/* Check at most `budget` pieces of it; `used` gets how many were.  Allocates nothing. */
brio_joint_verdict brio_joint_motion_work(brio_joint_checker *checker, int budget, int *used);

/* Return whether a whole straight motion is clear. */
bool brio_joint_motion_clear(brio_joint_checker *checker, const double *x, const double *delta);

#endif
