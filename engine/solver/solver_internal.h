/* The inside of a solver, for the solver room's own files:
**   solver.c     creation, freeing, reset, queries
**   slots.c      objectives with their goals and weights, and the blending of these; terms/param.c their
** arguments
**   solve.c      the tick
**   base.c       the same problem without overrides
**   evaluation/  coordinates.c: the backend's variables, and their configurations;
**                evaluate.c: the cost and its gradient; differences.c: numerical gradients;
**                forms.c: objectives that are quadratic forms of the coming step;
**                curvature.c: second derivatives of the cost, and linear systems of them;
**                pulls.c: which objectives move which joint; couple.c: coupled joints
**   limits/      bounds.c: how far a variable may go; pace.c: the speed limit of points
**   collision/   guard.c: which step may be taken; guard_reach.c: how far points may get;
**                clearance.c: near pairs in the cost; pruning.c: pairs of links;
**                collision.c: bodies and the pairs to watch; shapes.c: shapes that come, move and go */
#ifndef BRIO_SOLVER_SOLVER_INTERNAL_H
#define BRIO_SOLVER_SOLVER_INTERNAL_H

#include "base/name.h"
#include "geometry/watch.h"
#include "solver/backend.h"
#include "solver/collision/guard.h"
#include "solver/limits/balance.h"
#include "solver/limits/bounds.h"
#include "solver/limits/pace.h"
#include "solver/solver.h"

enum { BRIO_NPAST = 3 };

/* A value that approaches its target with time constant tau, and reaches it after five. */
typedef struct brio_approach {
  double tau;  /* s */
  double left; /* s until it is reached; 0: it is */
} brio_approach;

typedef struct brio_slot_state {
  char *key;          /* NULL: a free slot */
  const brio_objective_kind *kind;
  void *self;         /* kind->size bytes, and kind->more() */
  bool bound;         /* self may own memory */
  int rows;
  int variable;       /* the only one that it depends on; -1: there may be several */
  double weight, weight_target;
  brio_approach weight_approach, goal_approach, yield_approach;
  double yield, yield_target; /* the share of the weight that it yields to overrides */
  double force;       /* the rest of its weight */
  brio_goal *goal, *goal_target; /* never NULL in a used slot; kind NULL: no goal was given yet */
  bool active;        /* it was part of the last solve */
  bool failed;        /* it failed in it, and was excluded */
  double cost;
  double loss_slope, loss_bend; /* of its row's loss at the evaluation `judged`: see brio_solver_judge */
  uint64_t judged;    /* 0: none in this solve */
} brio_slot_state;

/* A shape that was added at run time. */
typedef struct brio_added_shape {
  char *key;                  /* NULL: a free slot */
  bool told;                  /* its velocity was set, not observed */
  bool moved;                 /* set, moved or removed since the last solve */
  bool moving;                /* listed among the moving ones */
  bool timed;                 /* the time when it was last seen moving is known */
  brio_pose pose, before;     /* its pose, and its pose when its motion was last observed */
  double since, interval;     /* s since then; between the last two times */
} brio_added_shape;

/* The robot's bodies first, then slots for shapes. */
typedef struct brio_collision {
  const brio_robot *robot;
  brio_watch watch;
  int nrobot;                 /* bodies of the robot alone */
  brio_added_shape *shapes;   /* nshape places */
  int nshape;
  brio_name_index index;      /* of their keys */
  int used;                   /* slots from here on were never used */
  int *spare, nspare;         /* free slots, the next one last */
  int *moving, nmoving;       /* slots of moving shapes */
  int *group;                 /* nlink + 1: links that never move against each other share a
                              ** number; the last is the world's */
  int *own, *added;           /* nlink + 2: physical bodies of a group: the robot's; added */
  int (*self_links)[2];       /* nself_links: pairs of links that are watched */
  int nself_links;
  double *anchor;             /* nq: where the anchor of the watch is; NULL, as the following: too few
                              ** pairs */
  brio_reach *reach;          /* nlink: of the motion since then */
  double *spread, *longest;   /* nlink: see brio_watch_query; m: the longest chain through a link */
  uint64_t epoch;             /* counts solves, to find shapes that were set or moved since the last */
  bool changed;               /* a shape was set, moved or removed since then */
} brio_collision;

/* Pose for central differences, beside the current one. */
typedef struct brio_differences {
  bool started;
  brio_state state;
  brio_state next;            /* where the coming step leads, for terms that need it */
  brio_evaluation at;
  double *q, *step, *tangent; /* nq, nv, nv */
  double *ahead, *behind;     /* row_room each: residuals on either side */
} brio_differences;

/* A variable that follows others: offset + sum of factors[i] * sources[i]; all are coordinates. */
typedef struct brio_joint_coupling {
  int follower, *sources, count;
  double *factors, offset;
} brio_joint_coupling;

/* Pulls of objectives in the solve that was explained last (evaluation/pulls.c). */
typedef struct brio_pulls {
  bool asked;                 /* the next solve is to be explained */
  double *gradient, *before;  /* nfree each: scratch */
  double *sum;                /* nv: the sum of the magnitudes of all pulls at a coordinate */
  brio_pull *top;             /* nv * BRIO_PULLS: the strongest, unscaled: share is the pull */
  int *count;                 /* nv: of these */
} brio_pulls;

struct brio_solver {
  /* the same problem without overrides; its base, also without liveliness; NULL: none (base.c) */
  brio_solver *base;
  bool is_base;
  const brio_robot *robot;
  bool lively;
  uint64_t seed;
  int max_iterations;
  double range;               /* m: pairs farther apart are never measured */
  bool margins;               /* no pair beyond its own margin matters to active objectives */
  double reach;               /* m: pairs up to this distance are measured for every pose */
  brio_arena arena;           /* memory with the solver's lifetime */

  brio_slot_state *slots;
  int nslot;                  /* places */
  int *active, nactive;       /* slots of this solve */
  double *r, *jacobian;       /* row_room, row_room x nv: of the current objective */
  int row_room;
  int written;                /* rows of `jacobian`, from the first on, that may be nonzero */
  double *pull, *entry;       /* nv each: scratch */
  int *index;                 /* nv: scratch */
  int depth;                  /* movers on the longest way to a link */
  int *bend_columns;          /* depth: scratch */
  double *bends;              /* depth x depth: scratch */

  /* Coordinates: nv numbers that say where everything is: position of the base in the world,
  ** rotation vector of the base away from `center`, variables. Those not locked are `free`. */
  brio_pose center;
  double *coordinates;        /* nv: accepted last */
  double *trial;              /* nv: of the trial: where they would come to rest */
  double *step, *step_slope;  /* nv each: of the trial: the coming step, and its slope by the trial */
  double *rest;               /* nv: the trial that was accepted last */
  double *drift;              /* nfree: by how much the last search has moved `rest` (solve.c) */
  double *guess;              /* nfree: where the next one may begin */
  bool drifts;                /* the last two searches have moved it alike */
  double *speed;              /* nv: accepted last, per s */
  brio_bounds *bounds;        /* nv: in force now */
  brio_bounds *hard;          /* nv: at the beginning: those in force may be tighter */
  brio_limits *limits;        /* nvariable: those in force, as objectives see them */
  int nfree, *free;           /* indices into coordinates, rising */
  int *place;                 /* nv: where a coordinate is in `free`; -1: it is not */
  double *x, *lower, *upper;  /* nfree each: the backend's variables: where to come to rest */
  double *least, *most;       /* nfree each: the interval that the coming step may lead to */
  double *q, *next_q;         /* nq each: of the trial; where the coming step leads */
  double *past[BRIO_NPAST];   /* nq each, newest first */
  double past_dt[BRIO_NPAST - 1];
  brio_transform *past_links[BRIO_NPAST]; /* nlink each */

  brio_state state;
  brio_state next;            /* where the coming step leads, for terms that need it */
  brio_evaluation at;
  uint64_t serial;            /* of the evaluation */
  uint64_t solves;            /* and resets */
  double time;                /* s: of the last solve; NAN: none since the last reset */
  brio_features features;
  brio_differences differences;
  bool busy;                  /* a solve, or the check of a goal, is under way */
  bool failed;                /* some objective failed since the last check */
  unsigned needs;             /* of the active objectives */
  brio_collision collision;
  double nearest;             /* m: over all pairs, at the last solution */
  int max_distances;          /* for one pose */
  brio_proximity_pair *report; /* all pairs at the last solution, for queries */
  brio_guard guard;
  brio_pace pace;
  brio_balance *balance;      /* NULL: nothing keeps it */
  brio_balance *balance_room; /* for it; NULL: it was never asked for */
  double behind;              /* s: delay of the objectives' time by tempo */
  brio_pulls pulls;
  brio_joint_coupling *couplings;
  int ncoupling;
  char fault[2][64];          /* names of the pair at fault in the last solve; empty: none */
  const brio_backend *backend;
  void *workspace;
};

/* Fail with misuse while a solve is under way. */
static inline bool brio_solver_may_change(const brio_solver *solver, brio_error *err) {
  if (!solver->busy) return true;
  return brio_fail(err, BRIO_MISUSE, "the solver is running: an objective cannot change its solver");
}

/* evaluation/coordinates.c */

/* Return the limits of coordinate `i` (of nv) of a robot. */
brio_bounds brio_solver_limits(const brio_robot *robot, int i);
/* Find locked and bounded coordinates; allocates.  Return false when there is no memory. */
bool brio_solver_start_coordinates(brio_solver *solver);
/* Write the index of each coordinate among the free ones. */
void brio_solver_index_free(brio_solver *solver);
/* Copy the coordinates of `q` (nq), clamped to the limits, at rest. */
void brio_solver_place(brio_solver *solver, const double *q);
/* Write the configuration of `coordinates`. */
void brio_solver_configuration(const brio_solver *solver, const double *coordinates, double *q);
/* Turn the three columns of the base's rotation in `rows` rows of a Jacobian from angular velocity
** to rates of the rotation vector at `trial`. */
void brio_solver_rotate_columns(const brio_solver *solver, double *jacobian, int rows);
/* Whether the base can turn. */
bool brio_solver_base_turns(const brio_solver *solver);
/* Write the rotation of the base in the coming step as a tangent: the rotation vector, in the world, from its
** pose to the trial's (nothing limits how a base accelerates, so the trial is next). */
void brio_solver_turn_step(brio_solver *solver);
/* Move the state `next` to the end of the coming step. */
void brio_solver_look_ahead(brio_solver *solver);
/* Reset the rotation vector of a free base to 0, at its current orientation. */
void brio_solver_recenter(brio_solver *solver);

/* terms/param.c */

/* Fill an instance of `kind`: the given arguments, defaults for the rest.  Errors: misuse. */
bool brio_params_fill(const brio_robot *robot, const brio_objective_kind *kind,
                      const brio_argument *arguments, int count, void *self, brio_error *err);

/* slots.c */

/* Let weights and goals approach their targets by dt, and list the active slots. */
void brio_slots_advance(brio_solver *solver, double dt);
/* Let objectives set their anchors again; with `zero_weights` set all weights to 0. */
void brio_slots_reset(brio_solver *solver, bool zero_weights);
/* Exclude failed objectives from this solve. */
void brio_slots_drop_failed(brio_solver *solver);

/* Let failed objectives take part again. */
void brio_slots_try_failed(brio_solver *solver);
/* Notify the objectives of this solve that it has ended. */
void brio_slots_finish(brio_solver *solver);
/* Free the memory of all slots. */
void brio_slots_end(brio_solver *solver);

/* evaluation/evaluate.c */

/* Evaluate the trial and return its weighted cost. */
double brio_solver_judge(brio_solver *solver);

/* Set the evaluation to configuration solver->q. */
void brio_solver_evaluate(brio_solver *solver, unsigned needs);
/* The problem's functions (backend.h); the context is the solver. */
double brio_solver_cost(void *context, const double *x);
void brio_solver_slopes(void *context, double *gradient, brio_curvature *curvature);
/* Gather the free and nonzero entries of a row (nv) into solver->index and entry; return how many. */
int brio_solver_gather(brio_solver *solver, const double *row);
/* Add one objective's part, at the evaluation, to the gradient (nfree) and, unless it is NULL, to the
** curvature. */
void brio_solver_add_slopes(brio_solver *solver, brio_slot_state *slot, double *gradient,
                            brio_curvature *curvature);

/* evaluation/forms.c */

/* Write the quadratic forms of the step that an objective is made of now; return how many; 0: its rows
** count. */
int brio_forms_of(const brio_solver *solver, const brio_slot_state *slot, brio_step_form *forms);
/* Return the sum of the forms at the evaluation, and leave half its slope by the coming step in solver->pull
** (nv). */
double brio_forms_square(const brio_solver *solver, const brio_step_form *forms, int count);
/* Add `scale` times half the second derivative of their sum by the trial. */
void brio_forms_add(const brio_solver *solver, const brio_step_form *forms, int count, double scale,
                    brio_curvature *curvature);

/* evaluation/pulls.c */

/* Allocate.  Return false when there is no memory. */
bool brio_pulls_start(brio_solver *solver);
/* In a solve that is to be explained, at the last accepted pose: record the pulls of the active
** objectives. */
void brio_pulls_take(brio_solver *solver);

/* evaluation/differences.c */

/* Allocate for the differences of an objective, once. */
bool brio_differences_start(brio_solver *solver);
/* Free it. */
void brio_differences_end(brio_solver *solver);
/* Allocate more rows. */
bool brio_differences_widen(brio_solver *solver, int rows);
/* Write the Jacobian (rows x nv, zeroed) of an objective whose residual is in solver->r; return false if it
** failed. */
bool brio_differences_rows(brio_solver *solver, const brio_slot_state *slot, int rows, double *jacobian);
/* Write gradient and bend (nv each, zeroed) of an objective with cost `cost` here; return false if it
** failed. */
bool brio_differences_cost(brio_solver *solver, const brio_slot_state *slot, double cost, double *gradient,
                           double *bend);

/* base.c */

/* Whether a solver's base excludes an objective. */
static inline bool brio_solver_leaves_out(const brio_solver *solver, const brio_objective_kind *kind) {
  return kind->above || (solver->is_base && kind->life);
}

/* Copy the velocities of shapes. */
void brio_shapes_copy(const brio_collision *from, brio_collision *to);

/* evaluation/couple.c */

/* Write the pose that leads to rest at solver->x, dt from now, into the trial. */
void brio_solver_take_step(brio_solver *solver, double dt);
/* brio_solver_couple, without setting the robot at rest. */
bool brio_couplings_add(brio_solver *solver, const int *variables, const double *coefficients, int count,
                        double sum, brio_error *err);

/* Set the limits of speed and acceleration in force from those asked for (solver->limits), lowered so that
** followers keep theirs. */
void brio_couplings_limit(brio_solver *solver);
/* Set the followers in coordinates (nv) whose others are set. */
void brio_couplings_follow(const brio_solver *solver, double *x);
/* The same for solver->step and step_slope. */
void brio_couplings_follow_step(const brio_solver *solver);
/* Convert columns of `count` rows (nv each) by followers into columns by their sources; `squared`: of second
** derivatives. */
void brio_couplings_fold(const brio_solver *solver, double *rows, int count, bool squared);
/* Return the largest motion of coordinate `c` between two places on a way. */
double brio_couplings_way(const brio_solver *solver, int c, const double *from, const double *to);
/* Whether all followers are within their ranges at coordinates `x`, or no farther out than now. */
bool brio_couplings_within(const brio_solver *solver, const double *x);
/* The cost of followers near their ends at the trial; add its gradient (nfree). */
double brio_couplings_cost(const brio_solver *solver);
void brio_couplings_slopes(brio_solver *solver, double *gradient, brio_curvature *curvature);

/* collision/clearance.c */

/* Prepare a solve, once the active objectives are known. */
void brio_clearance_begin(brio_solver *solver, double dt);
/* Return the cost of near pairs at the evaluation. */
double brio_clearance_cost(const brio_solver *solver);
/* Add its gradient to that of all objectives: gradient (nfree) and, unless it is NULL, curvature. */
void brio_clearance_slopes(brio_solver *solver, double *gradient, brio_curvature *curvature);

/* collision/collision.c, collision/pruning.c */

enum { BRIO_CLEARANCE_ZONE = 4 }; /* the guard measures pairs nearer than this many clearances */

/* Return the distance up to which pairs are measured for the guard, m. */
double brio_clearance_reach(const brio_solver *solver);


/* Create the robot's bodies and pairs, and room for `options->max_shapes`; the pairs are those of `like`,
** unless that is NULL.  Errors: limit, no_memory. */
bool brio_collision_start(brio_collision *collision, brio_solver *solver, const brio_solver_options *options,
                          const brio_collision *like, brio_error *err);
/* Free its memory, also when partly allocated. */
void brio_collision_end(brio_collision *collision);
/* Return the nearest link that carries two links; -1: the world. */
int brio_collision_carrier(const brio_robot *robot, int a, int b);
/* Measure the pairs at the state's poses, up to solver->reach; with `nearest` also the smallest distance of
** all, into solver->nearest. */
void brio_collision_measure(brio_solver *solver, bool nearest);
/* Let the pose in solver->q, which was just measured, be the anchor of bounds. */
void brio_collision_anchor(brio_solver *solver);
/* Clear the results of earlier queries; the next one is of solver->q, and is the anchor of bounds. */
void brio_collision_forget(brio_solver *solver);
/* Sum up how far the joints have moved from the anchor to solver->q (guard_reach.c). */
void brio_collision_sum_ways(brio_solver *solver);
/* Update the objectives' list of pairs: a query or a change of shapes may move it. */
void brio_collision_publish(brio_solver *solver);
/* Return how many pairs of physical bodies are watched, listed or not. */
double brio_collision_count(const brio_collision *collision);
/* Allocate for `max_shapes` shapes.  Return false when there is no memory. */
bool brio_shapes_start(brio_collision *collision, int max_shapes);
/* Free the memory of shapes, also when partly allocated. */
void brio_shapes_end(brio_collision *collision);
/* Compute the velocities of shapes in the time dt (s) since the last solve. */
void brio_shapes_advance(brio_collision *collision, double dt);
/* Number the groups of links that never move against each other. */
void brio_collision_find_groups(brio_collision *collision);
/* Find the self pairs, once, after the groups; `memo` may be NULL.  Errors: limit (too many), no_memory. */
bool brio_collision_prune(brio_collision *collision, brio_solver *solver, brio_pairs_memo *memo,
                          brio_error *err);
/* What a robot is known by: all numbers that its pairs depend on. */
typedef struct brio_pairs_key {
  double *numbers;            /* count; NULL: none */
  size_t count;
} brio_pairs_key;

/* Get the self pairs of the same robot from the cache; return whether there were any.  Else write the robot's
** key; empty: there is no cache. */
bool brio_pairs_memo_recall(brio_pairs_memo *memo, const brio_solver *solver, brio_pairs_key *key,
                            brio_collision *collision);
/* Store the self pairs in the cache, under that key, which belongs to it from then on. */
void brio_pairs_memo_keep(brio_pairs_memo *memo, brio_pairs_key key, const brio_collision *collision);
/* Copy the self pairs of another solver of the same robot and range.  Return false when there is no
** memory. */
bool brio_pairs_copy(const brio_collision *from, brio_collision *to);

#endif
