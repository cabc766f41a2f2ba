/* Offline inverse kinematics: a configuration that brings links to goals within a tolerance, by a
** search from many starts.  For authors and importers; in a tick use the solver.
**
** Life: brio_inverse_new extracts the links' chain from the robot and allocates;
** brio_inverse_solve allocates nothing and may be called for ever.  The work of a solve is bounded
** by `max_iterations` (counted, never timed), so the same request always has the same answer. */
#ifndef BRIO_SOLVER_INVERSE_INVERSE_H
#define BRIO_SOLVER_INVERSE_INVERSE_H

#include "robot/robot.h"
#include "solver/solver.h"

typedef struct brio_inverse brio_inverse;

typedef struct brio_inverse_options {
  const int *links; /* nlink: the links that goals are for; a link may be named twice */
  int nlink;
  const int *held; /* nheld: variables that keep the seed's value; may be NULL */
  int nheld;
  bool moves_base;   /* true: a bounded or free base moves too; false: it keeps the seed's pose */
  bool watches;      /* watch the robot's shapes, and others' (brio_inverse_shapes) */
  int max_shapes;    /* others' shapes at most; 0: 10,000 */
  int max_solutions; /* of one solve; 0: 16 */
  uint64_t seed;     /* of the starts */
} brio_inverse_options;

/* What one link is to reach.  All zero but the pose: to 1e-4 m and 1e-3 rad.  A tolerance is given along each
** axis of the goal's frame; the error divided by it must have at most length 1, so three equal ones bound the
** distance, or the angle.  INFINITY leaves an axis free.  With one rotation free, the goal is the direction
** of that axis of the link. */
typedef struct brio_inverse_goal {
  brio_pose pose;        /* world_from_goal: the goal for the tool */
  brio_pose tool;        /* link_from_tool; all zero: the link's own frame */
  double position[3];    /* m, along the goal's x, y, z; 0: 1e-4 */
  double orientation[3]; /* rad, about the goal's x, y, z; 0: 1e-3 */
} brio_inverse_goal;

typedef struct brio_inverse_request {
  const brio_inverse_goal *goals; /* nlink, in the order of the links */
  const double *seed;             /* nq: the first start, and the value of all other variables; NULL:
                                  ** neutral */
  const double *nominal; /* nq: the posture that solutions are drawn towards, as far as the goals leave
                         ** them free; NULL: none */
  bool nearest;          /* try all starts and return the solution that is nearest to nominal, or to the seed
                         ** without one (a single one is drawn there too, as far as the goals leave it free);
                         ** false: the first solution */
  bool clear;            /* no watched pair may be nearer than `clearance`; needs options.watches */
  double clearance;      /* m, at least 0 */
  int max_starts;        /* 0: 400; with `nearest`: 40 */
  int max_iterations;    /* of all starts together; 0: 20,000 */
  int solutions;         /* number of distinct solutions to search for; 0: 1 */
  double apart;          /* rad or m: solutions differ by at least this in one variable; 0: 0.1 */
} brio_inverse_request;

/* Result of a solve.  Arrays belong to the workspace and are valid until its next solve. */
typedef struct brio_inverse_result {
  bool found;
  int nsolution;                /* 0: no solution */
  const double *q;              /* nq: the solution; without one, the pose nearest to the goals */
  const double *solutions;      /* nsolution x nq: `q` is the first; `nearest`: ordered by distance */
  double position, orientation; /* m, rad: the errors of `q` along the axes asked for; the worst goal's
                                ** each */
  int worst;                    /* the goal that is farthest from its tolerance */
  double distance;              /* m: least distance at `q`, without links built to stand nearer than the
                                ** clearance; INFINITY: not requested, or no pair within 0.3 m */
  int starts, iterations;       /* work done */
  int touching;                 /* starts that reached the goals, but not the clearance */
} brio_inverse_result;

/* Make a workspace for `robot`, which must outlive it.  Errors: misuse (no such link or variable, a link that
** no joint moves), limit (more than 1,000 variables, or as brio_solver_new with watches), no_memory. */
brio_inverse *brio_inverse_new(const brio_robot *robot, const brio_inverse_options *options, brio_error *err);

/* Free it.  NULL is allowed. */
void brio_inverse_free(brio_inverse *inverse);

/* Ask that axis `axis` (0 to 2) of a goal's tool points along `direction` (world), to `tolerance` (rad; 0:
** 1e-3), with free rotation about it.  Return false when the direction has no length, or there is no such
** axis. */
bool brio_inverse_point(brio_inverse_goal *goal, int axis, brio_vec3 direction, double tolerance);

/* The solver whose shapes a solve keeps clear of: add, move and remove them there (brio_solver_set_shape).
** It belongs to the workspace.  NULL without watches. */
brio_solver *brio_inverse_shapes(const brio_inverse *inverse);

/* The robot and the links in order; return how many. */
const brio_robot *brio_inverse_robot(const brio_inverse *inverse);
int brio_inverse_links(const brio_inverse *inverse, const int **links);

/* Search for configurations that meet the request, within the limits exactly.  Return whether one was found;
** if not, `err` has the cause: misuse (a number that is NaN, a tolerance or count below 0; *result is then
** empty), or unreachable, with the errors of the best configuration.  Allocates nothing. */
bool brio_inverse_solve(brio_inverse *inverse, const brio_inverse_request *request,
                        brio_inverse_result *result, brio_error *err);

#endif
