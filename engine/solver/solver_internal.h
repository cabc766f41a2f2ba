/* The inside of a solver, for the solver room's own files:
**   solver.c     making, freeing, resetting, looking
**   slots.c      objectives with their goals and weights, and how these blend; terms/param.c their arguments
**   solve.c      the tick
**   base.c       the same problem without what is laid over it
**   evaluation/  coordinates.c: the numbers that the backend moves, and the configurations they stand for;
**                evaluate.c: the cost and its slopes; differences.c: slopes of objectives that give none;
**                curvature.c: second derivatives of the cost, and linear systems of them;
**                pulls.c: which objectives move which joint; couple.c: joints that are tied to each other
**   limits/      bounds.c: how far a variable may go; pace.c: how fast variables may become
**   collision/   guard.c: which step may be taken; clearance.c: near pairs in the cost;
**                pruning.c: pairs of links; collision.c: bodies and the pairs to watch;
**                shapes.c: shapes that come, move and go */
#ifndef BRIO_SOLVER_SOLVER_INTERNAL_H
#define BRIO_SOLVER_SOLVER_INTERNAL_H

#include "base/name.h"
#include "geometry/watch.h"
#include "solver/backend.h"
#include "solver/collision/guard.h"
#include "solver/limits/bounds.h"
#include "solver/limits/pace.h"
#include "solver/solver.h"

enum { BRIO_NPAST = 3 };

/* A value that approaches its target with time constant tau, and is there after five. */
typedef struct brio_approach {
  double tau;  /* s */
  double left; /* s until it is there; 0: it is */
} brio_approach;

typedef struct brio_slot_state {
  char *key;          /* NULL: a free place */
  const brio_objective_kind *kind;
  void *self;         /* kind->size bytes, and kind->more() */
  bool bound;         /* self may hold what must be given back */
  int rows;
  double weight, weight_target;
  brio_approach weight_approach, goal_approach, yield_approach;
  double yield, yield_target; /* the share of the weight that it gives up to what is laid over */
  double force;       /* what is left of its weight */
  brio_goal *goal, *goal_target; /* never NULL in a used place; kind NULL: none was given yet */
  bool active;        /* took part in the last solve */
  bool failed;        /* it failed in it, and was left out */
  double cost;
} brio_slot_state;

/* A shape that was added while the robot runs. */
typedef struct brio_added_shape {
  char *key;                  /* NULL: a free place */
  bool told;                  /* its motion was given, not observed */
  bool moved;                 /* since the last solve */
  bool moving;                /* listed among those that move */
  bool timed;                 /* it is known when it was seen moving last */
  brio_pose pose, before;     /* where it stands, and stood when its motion was last seen */
  double since, interval;     /* s since then; between the last two times */
} brio_added_shape;

/* The robot's bodies first, then places for shapes. */
typedef struct brio_collision {
  const brio_robot *robot;
  brio_watch watch;
  int nrobot;                 /* bodies of the robot alone */
  brio_added_shape *shapes;   /* nshape places */
  int nshape;
  brio_name_index index;      /* of their keys */
  int used;                   /* places from here on were never taken */
  int *spare, nspare;         /* places that are free again, the next one last */
  int *moving, nmoving;       /* places of shapes that move */
  int *group;                 /* nlink + 1: links that never move against each other share a
                              ** number; the last is the world's */
  int *own, *added;           /* nlink + 2: physical bodies of a group: the robot's; added */
  int (*self_links)[2];       /* nself_links: pairs of links that are watched */
  int nself_links;
  uint64_t epoch;             /* counts solves, to tell which shapes were set or moved since the last */
  bool changed;               /* a shape was set, moved or removed since then */
} brio_collision;

/* Where central differences look: a pose beside the one that is judged. */
typedef struct brio_differences {
  bool started;
  brio_state state;
  brio_state next;            /* where the coming step leads, for terms that need it */
  brio_evaluation at;
  double *q, *step, *tangent; /* nq, nv, nv */
  double *ahead, *behind;     /* row_room each: residuals on either side */
} brio_differences;

/* One variable that follows others: offset + sum of factors[i] * sources[i]; all are coordinates. */
typedef struct brio_joint_coupling {
  int follower, *sources, count;
  double *factors, offset;
} brio_joint_coupling;

/* How hard objectives pulled in the solve that was explained last (evaluation/pulls.c). */
typedef struct brio_pulls {
  bool asked;                 /* the next solve is to be explained */
  double *gradient, *before;  /* nfree each: scratch */
  double *sum;                /* nv: of all pulls at a coordinate, without their signs */
  brio_pull *top;             /* nv * BRIO_PULLS: the hardest, as they are: share is the pull */
  int *count;                 /* nv: of these */
} brio_pulls;

struct brio_solver {
  /* the same without what is laid over; its base, without what lends life, too; NULL: none (base.c) */
  brio_solver *base;
  bool is_base;
  const brio_robot *robot;
  bool lively;
  uint64_t seed;
  int max_iterations;
  double range;               /* m: pairs farther apart are never measured */
  bool margins;               /* no pair beyond its own margin matters to what is active */
  double reach;               /* m: up to which pairs are measured for every pose that is judged */
  brio_arena arena;           /* what lives as long as the solver */

  brio_slot_state *slots;
  int nslot;                  /* places */
  int *active, nactive;       /* slots that take part in this solve */
  double *r, *jacobian;       /* row_room, row_room x nv: of the objective at hand */
  int row_room;
  int written;                /* rows of `jacobian`, from the first on, that may not be 0 */
  double *pull, *entry;       /* nv each: scratch */
  int *index;                 /* nv: scratch */

  /* Coordinates: nv numbers that say where everything is: position of the base in the world,
  ** rotation vector of the base away from `center`, variables. Those not locked are `free`. */
  brio_pose center;
  double *coordinates;        /* nv: accepted last */
  double *trial;              /* nv: being judged: where they would come to rest */
  double *step, *step_slope;  /* nv each: of the trial: the coming step, and its slope by the trial */
  double *rest;               /* nv: the trial that was accepted last */
  double *speed;              /* nv: accepted last, per s */
  brio_bounds *bounds;        /* nv: in force now */
  brio_bounds *hard;          /* nv: at the beginning: those in force may be tighter */
  brio_limits *limits;        /* nvariable: those in force, as objectives see them */
  int nfree, *free;           /* indices into coordinates, rising */
  int *place;                 /* nv: where a coordinate is in `free`; -1: it is not */
  double *x, *lower, *upper;  /* nfree each: what the backend sees: where to come to rest */
  double *least, *most;       /* nfree each: the interval that the coming step may lead to */
  double *q, *next_q;         /* nq each: being judged; where the coming step leads */
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
  bool busy;                  /* a solve is under way */
  bool failed;                /* some objective failed since it was last looked at */
  unsigned needs;             /* of the active objectives */
  brio_collision collision;
  double nearest;             /* m: over all pairs, at the last solution */
  int max_distances;          /* for one pose */
  brio_proximity_pair *report; /* all pairs at the last solution, for those who ask */
  brio_guard guard;
  brio_pace pace;
  double behind;              /* s: how far the time that objectives see is behind, by tempo */
  brio_pulls pulls;
  brio_joint_coupling *couplings;
  int ncoupling;
  char fault[2][64];          /* names of the pair that was at fault in the last solve; empty: none */
  const brio_backend *backend;
  void *workspace;
};

/* Fail with misuse while a solve is under way. */
static inline bool brio_solver_may_change(const brio_solver *solver, brio_error *err) {
  if (!solver->busy) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "the solver is at work: an objective may not change the solver that asks it");
}

/* evaluation/coordinates.c */

/* Return the limits of coordinate `i` (of nv) of a robot. */
brio_bounds brio_solver_limits(const brio_robot *robot, int i);
/* Find what is locked and bounded; allocates.  Return false when there is no memory. */
bool brio_solver_start_coordinates(brio_solver *solver);
/* Note where each coordinate is among the free ones. */
void brio_solver_index_free(brio_solver *solver);
/* Take the coordinates of `q` (nq), brought within the limits, at rest. */
void brio_solver_place(brio_solver *solver, const double *q);
/* Write the configuration of `coordinates`. */
void brio_solver_configuration(const brio_solver *solver, const double *coordinates, double *q);
/* Turn the three columns of the base's rotation in `rows` rows of a Jacobian from angular velocity
** to rates of the rotation vector at `trial`. */
void brio_solver_rotate_columns(const brio_solver *solver, double *jacobian, int rows);
/* Whether the base can turn. */
bool brio_solver_base_turns(const brio_solver *solver);
/* Write the turn of the base in the coming step as what a tangent has: the rotation vector, in the world,
** from where it is to where the trial has it (nothing limits how a base speeds up, so the trial is next). */
void brio_solver_turn_step(brio_solver *solver);
/* Bring the state `next` to where the coming step leads. */
void brio_solver_look_ahead(brio_solver *solver);
/* Let the rotation vector of a free base start at 0 again, from where it is now. */
void brio_solver_recenter(brio_solver *solver);

/* terms/param.c */

/* Fill an instance of `kind`: the arguments given, defaults for the rest.  Errors: misuse. */
bool brio_params_fill(const brio_robot *robot, const brio_objective_kind *kind,
                      const brio_argument *arguments, int count, void *self, brio_error *err);

/* slots.c */

/* Let weights and goals approach their targets by dt, and list the active slots. */
void brio_slots_advance(brio_solver *solver, double dt);
/* Let objectives take their anchors again; with `zero_weights` switch all off. */
void brio_slots_reset(brio_solver *solver, bool zero_weights);
/* Leave those that failed out of this solve; return whether there were any. */
bool brio_slots_drop_failed(brio_solver *solver);
/* Tell the objectives of this solve that it has ended. */
void brio_slots_finish(brio_solver *solver);
/* Give the memory of all slots back. */
void brio_slots_end(brio_solver *solver);

/* evaluation/evaluate.c */

/* Return the weighted cost of the trial, having evaluated it. */
double brio_solver_judge(brio_solver *solver);

/* Bring the evaluation to configuration solver->q. */
void brio_solver_evaluate(brio_solver *solver, unsigned needs);
/* The problem's functions (backend.h); the context is the solver. */
double brio_solver_cost(void *context, const double *x);
void brio_solver_slopes(void *context, double *gradient, brio_curvature *curvature);
/* Gather the entries of a row (nv) that are free and not 0 into solver->index and entry; return how many. */
int brio_solver_gather(brio_solver *solver, const double *row);
/* Add one objective's part, at the evaluation, to the gradient (nfree) and, unless it is NULL, to the
** curvature. */
void brio_solver_add_slopes(brio_solver *solver, brio_slot_state *slot, double *gradient,
                            brio_curvature *curvature);

/* evaluation/pulls.c */

/* Make room.  Return false when there is no memory. */
bool brio_pulls_start(brio_solver *solver);
/* In a solve that is to be explained, the pose being the one accepted last: note how hard the active
** objectives pull. */
void brio_pulls_take(brio_solver *solver);

/* evaluation/differences.c */

/* Make room for the differences of an objective, once; allocates. */
bool brio_differences_start(brio_solver *solver);
/* Give it back. */
void brio_differences_end(brio_solver *solver);
/* Make room for more rows; allocates. */
bool brio_differences_widen(brio_solver *solver, int rows);
/* Write the Jacobian (rows x nv, zeroed) of an objective whose residual is in solver->r; return whether
** it did not fail. */
bool brio_differences_rows(brio_solver *solver, const brio_slot_state *slot, int rows, double *jacobian);
/* Write gradient and bend (nv each, zeroed) of an objective whose cost here is `cost`; return whether it
** did not fail. */
bool brio_differences_cost(brio_solver *solver, const brio_slot_state *slot, double cost, double *gradient,
                           double *bend);

/* base.c */

/* Whether a solver's base has nothing of an objective. */
static inline bool brio_solver_leaves_out(const brio_solver *solver, const brio_objective_kind *kind) {
  return kind->above || (solver->is_base && kind->life);
}

/* Take over how shapes have moved. */
void brio_shapes_copy(const brio_collision *from, brio_collision *to);

/* evaluation/couple.c */

/* Leave in the trial the pose that leads to rest at solver->x, dt from now. */
void brio_solver_take_step(brio_solver *solver, double dt);
/* brio_solver_couple, but for the robot's standing still afterwards. */
bool brio_couplings_add(brio_solver *solver, const int *variables, const double *coefficients, int count,
                        double sum, brio_error *err);

/* Let what follows follow, in coordinates (nv) whose others are set. */
void brio_couplings_follow(const brio_solver *solver, double *x);
/* The same of solver->step and step_slope. */
void brio_couplings_follow_step(const brio_solver *solver);
/* Turn columns of `count` rows (nv each) by followers into columns by what they follow; `squared`: of second
** derivatives. */
void brio_couplings_fold(const brio_solver *solver, double *rows, int count, bool squared);
/* Return how far coordinate `c` goes at the most between two places on a way. */
double brio_couplings_way(const brio_solver *solver, int c, const double *from, const double *to);
/* Whether all followers are within their ends at coordinates `x`, or no farther out than now. */
bool brio_couplings_within(const brio_solver *solver, const double *x);
/* What followers near their ends cost at the trial; add its slopes (nfree). */
double brio_couplings_cost(const brio_solver *solver);
void brio_couplings_slopes(brio_solver *solver, double *gradient, brio_curvature *curvature);

/* collision/clearance.c */

/* Get ready for a solve, the active objectives being known. */
void brio_clearance_begin(brio_solver *solver, double dt);
/* Return what near pairs cost at the evaluation. */
double brio_clearance_cost(const brio_solver *solver);
/* Add its slopes to those of all objectives: gradient (nfree) and, unless it is NULL, curvature. */
void brio_clearance_slopes(brio_solver *solver, double *gradient, brio_curvature *curvature);

/* collision/collision.c, collision/pruning.c */

enum { BRIO_CLEARANCE_ZONE = 4 }; /* the guard measures pairs nearer than this many clearances */

/* Return how near pairs must be to be measured for the guard, m. */
double brio_clearance_reach(const brio_solver *solver);


/* Make the robot's bodies and pairs, and room for `options->max_shapes`; the pairs are those of `like`, where
** that is not NULL.  Errors: limit, no_memory. */
bool brio_collision_start(brio_collision *collision, brio_solver *solver, const brio_solver_options *options,
                          const brio_collision *like, brio_error *err);
/* Give its memory back; a half-started one too. */
void brio_collision_end(brio_collision *collision);
/* Measure the pairs at the state's poses, up to solver->reach; with `nearest` also the smallest of all,
** which is left in solver->nearest. */
void brio_collision_measure(brio_solver *solver, bool nearest);
/* Let objectives see the pairs as they are listed now: a query or a change of shapes may move them. */
void brio_collision_publish(brio_solver *solver);
/* Return how many pairs of physical bodies are watched, listed or not. */
double brio_collision_count(const brio_collision *collision);
/* Make room for `max_shapes` shapes.  Return false when there is no memory. */
bool brio_shapes_start(brio_collision *collision, int max_shapes);
/* Give back what shapes own; half-started ones too. */
void brio_shapes_end(brio_collision *collision);
/* See how shapes have moved in the time dt (s) since the last solve. */
void brio_shapes_advance(brio_collision *collision, double dt);
/* Number links that never move against each other. */
void brio_collision_find_groups(brio_collision *collision);
/* Find the self pairs, once, after the groups; `memo` may be NULL.  Errors: limit (too many), no_memory. */
bool brio_collision_prune(brio_collision *collision, brio_solver *solver, brio_pairs_memo *memo,
                          brio_error *err);
/* Take the self pairs that are remembered of the same robot; return whether there were any.  Write the digest
** by which the robot is known; empty: there is no memo. */
bool brio_pairs_memo_recall(brio_pairs_memo *memo, const brio_solver *solver, char digest[65],
                            brio_collision *collision);
/* Remember the self pairs that were found, by that digest. */
void brio_pairs_memo_keep(brio_pairs_memo *memo, const char digest[65], const brio_collision *collision);
/* Take the self pairs of another solver of the same robot and range.  Return false when there is no
** memory. */
bool brio_pairs_copy(const brio_collision *from, brio_collision *to);

#endif
