/* The pose solver: each tick, the one configuration that serves all objectives best
** within the limits.
**
** Life of a solver: brio_solver_new allocates; objectives, goals, weights and shapes are
** set between solves; brio_solver_solve allocates nothing and may be called for ever.
** It maps a pose problem to a pose: no clock, no file, no Lua.
**
** Hard in every solve, whatever the weights: position limits, and the box that velocity
** and acceleration limits leave around the last accepted pose (a joint moving towards its
** end may be no faster than it can brake).  Everything else is objectives by weight. */
#ifndef BRIO_SOLVER_SOLVER_H
#define BRIO_SOLVER_SOLVER_H

#include "geometry/proximity.h"
#include "robot/robot.h"
#include "solver/objective.h"

typedef struct brio_solver brio_solver;

typedef struct brio_solver_options {
  const char *backend;      /* a row of backends.def; NULL: "gauss_newton" */
  bool lively_losses;       /* Lively's losses exactly, instead of brio's */
  uint64_t seed;            /* of the objectives' noise */
  int max_iterations;       /* of the backend in one solve; 0: 30 */
  int max_objectives;       /* 0: 256 */
  int max_shapes;           /* added at run time; 0: 10,000 */
  int max_distances;        /* most pairs measured for one pose, those that may be nearest first; the others
                            ** keep a lower bound; 0: 1,000,000 */
  struct brio_pairs_memo *memo; /* of the robot's own pairs, see below; NULL: they are computed again */
  double collision_range;   /* m: pairs farther apart than this cost nothing; 0: 0.3 */
  bool unguarded;           /* physical bodies may touch: only objectives keep them apart */
  double clearance;         /* m: of physical bodies, kept whatever the weights; 0: 0.002 */
  bool with_base;           /* allow brio_solver_solve_base: takes three times the memory */
} brio_solver_options;

typedef enum brio_solver_status {
  BRIO_SOLVER_CONVERGED,    /* no better pose near by within tolerance */
  BRIO_SOLVER_CUT,          /* the iterations were used up: best pose found so far */
  BRIO_SOLVER_HELD,         /* no finite better pose: the last one is kept */
} brio_solver_status;

/* Result of a solve.  Arrays belong to the solver and are valid until its next solve. */
typedef struct brio_solution {
  const double *q;          /* nq */
  brio_solver_status status;
  double cost;              /* weighted sum at q */
  double expected;          /* if the iterations were used up, estimate of how much the cost could still fall;
                            ** 0: unknown */
  int iterations, evaluations; /* work done, counted: replay cuts at the same place */
  int nactive;              /* objectives with weight above 0 */
  double distance;          /* m: smallest over all watched pairs, beyond the range a lower bound;
                            ** INFINITY: none */
  int unmeasured;           /* due pairs beyond max_distances, at q */
  double granted;           /* safe share of the way from greatest braking to the best pose: 1 all of it */
  const char *fault[2];     /* two bodies (link or shape key) that greatest braking cannot keep apart, or that
                            ** a moving shape brought too near; NULL: none */
} brio_solution;

/* Cache of a robot's own pairs that are worth watching, for later solvers of the same robot, whose key is a
** hash of its joints, ranges and shapes.  For solvers created on one thread; it need not outlive them.  NULL:
** no memory. */
typedef struct brio_pairs_memo brio_pairs_memo;
brio_pairs_memo *brio_pairs_memo_new(void);
/* Free it.  NULL is allowed. */
void brio_pairs_memo_free(brio_pairs_memo *memo);
/* How often a solver used it. */
int brio_pairs_memo_hits(const brio_pairs_memo *memo);

/* Make a solver for `robot`, which must outlive it.  It starts at the neutral pose.
** `options` may be NULL.  Errors: misuse (no such backend), no_memory, limit: more than 1,000 coordinates
** (variables, and six of a free base), or more than 250,000 pairs of the robot's own shapes that might touch
** (neighbours not counted). */
brio_solver *brio_solver_new(const brio_robot *robot, const brio_solver_options *options, brio_error *err);

/* Free it.  NULL is allowed. */
void brio_solver_free(brio_solver *solver);

/* A parameter's value for brio_solver_add: a number, the name of a link or joint, true or false, or
** three numbers. */
typedef struct brio_argument {
  const char *name;
  double number;
  const char *text;         /* link or joint name; NULL: `number` counts */
  bool truth;               /* true or false: `number` is 1 or 0 */
  int count;                /* 3: `vector` counts */
  double vector[3];
} brio_argument;

/* Add an objective of kind `kind` under `key` (copied, unique), weight 0, with `count`
** arguments.  Return its slot, or -1 and a sentence (misuse: unknown kind, argument, link,
** joint, key in use; limit: too many).  Off the tick: allocates. */
int brio_solver_add(brio_solver *solver, const char *key, const char *kind,
                    const brio_argument *arguments, int count, brio_error *err);

/* The same with a kind of the caller's, which must outlive the objective. */
int brio_solver_add_kind(brio_solver *solver, const char *key, const brio_objective_kind *kind,
                         const brio_argument *arguments, int count, brio_error *err);

/* Whether a solve, or the check of a goal, is under way: an objective's own functions may not change the
** solver that calls them.  Such calls fail with misuse; remove, reset and solve do nothing. */
bool brio_solver_busy(const brio_solver *solver);

/* Remove the objective in `slot`; its weight need not be 0. */
void brio_solver_remove(brio_solver *solver, int slot);

/* Return the slot of `key`, or -1 and a sentence with the nearest key. */
int brio_solver_slot(const brio_solver *solver, const char *key, brio_error *err);

/* Walk the slots: return the next used slot after `slot` (-1 to start), or -1. */
int brio_solver_next(const brio_solver *solver, int slot);

/* Set a goal: `count` numbers of the kind that the objective accepts (brio_goal_make).  It is approached with
** time constant `tau` (s; 0: at once; see brio_goal_blend); at once also if there was no goal before or the
** weight is 0.  Errors: misuse (accepts no goal, wrong count, not finite, out of range). */
bool brio_solver_set_goal(brio_solver *solver, int slot, const double *numbers, int count, double tau,
                          brio_error *err);

/* Only check whether brio_solver_set_goal would accept these numbers. */
bool brio_solver_check_goal(brio_solver *solver, int slot, const double *numbers, int count,
                            brio_error *err);

/* Set a weight >= 0, approached with time constant `tau` (s; 0: at once):
** w += (1 - exp(-dt/tau)) (target - w); five time constants after the last change it
** is the target exactly, and it arrives without a jump: the last 1.8 % follow a smooth step.  Errors:
** misuse (negative, not finite). */
bool brio_solver_set_weight(brio_solver *solver, int slot, double weight, double tau, brio_error *err);

/* Let an objective yield to overrides (kinds `above`): this share of its weight, from 0 to 1, approached with
** time constant `tau` as a weight is, does not count in brio_solver_solve.  In brio_solver_solve_base all of
** it does. Errors: misuse (beyond 0 to 1). */
bool brio_solver_set_yield(brio_solver *solver, int slot, double share, double tau, brio_error *err);

/* State of a slot: pointers are valid until it is removed. */
typedef struct brio_slot {
  const char *key;
  const brio_objective_kind *kind;
  double weight, weight_target; /* the current value, and the target */
  const brio_goal *goal, *goal_target; /* kind NULL: none was given yet */
  double cost;                  /* unweighted, at the last solution */
  bool active;                  /* it was part of the last solve */
  bool failed;                  /* it should have been, but failed and was excluded */
  double force;                 /* the weight that counted in the last solve: less what it yielded */
} brio_slot;
bool brio_solver_look(const brio_solver *solver, int slot, brio_slot *out);

/* Shapes as obstacles, attached to the world (link -1) or to a link.  A key in use is replaced.  `physical`
** false: distances are reported, but not kept.  Pairs of two half-spaces are not watched.  Errors: misuse,
** limit, no_memory.  Off the tick: allocates. */
bool brio_solver_set_shape(brio_solver *solver, const char *key, int link, brio_pose pose,
                           const brio_shape *shape, bool physical, brio_error *err);
bool brio_solver_remove_shape(brio_solver *solver, const char *key, brio_error *err);

/* Set the pose of a shape, in the world or in its link, from the next solve on.  Its velocity is computed
** from the change and the time between solves, unless it was set; over 10 m/s counts as a jump.  Errors:
** misuse. Allocates nothing. */
bool brio_solver_move_shape(brio_solver *solver, const char *key, brio_pose pose, brio_error *err);

/* Set the velocity of a shape, from now on: velocity (m/s) of its frame's origin, and spin (rad/s), both in
** the world or link that it is fixed to.  Its pose does not change by that.  Errors: misuse. */
bool brio_solver_set_shape_motion(brio_solver *solver, const char *key, brio_vec3 velocity, brio_vec3 spin,
                                  brio_error *err);

/* Write the velocity of a shape, as set or computed.  Errors: misuse. */
bool brio_solver_shape_motion(const brio_solver *solver, const char *key, brio_vec3 *velocity,
                              brio_vec3 *spin, brio_error *err);

/* Clear the history: all three past poses become `q` (nq; NULL: neutral), at rest, and the anchors of noise
** are set again; with `zero_weights` every weight is 0 at once.  The joints of the base are displaced by the
** same amounts, if that is more than braking makes (0.1 rad or m); with `zero_weights` the base begins at q,
** too. */
void brio_solver_reset(brio_solver *solver, const double *q, bool zero_weights);

/* Continue from a pose q (nq) that was reached in ticks of dt s, at these speeds (nvariable, per s; the base
** rests): one that braking from an earlier solution led to.  Weights, goals and the state of objectives stay.
** Values that are not finite change nothing. */
void brio_solver_resume(brio_solver *solver, const double *q, const double *speeds, double dt);

/* Move the base of a robot whose base is fixed, as from outside: all history is that of the same speeds at
** the new place.  Between solves; in each tick, if need be: it evaluates three poses. */
void brio_solver_carry(brio_solver *solver, brio_pose base);

/* Return the acceleration with which the solver lets a variable brake: its limit, or less if it is tightened,
** or coupled to others. */
double brio_solver_braking(const brio_solver *solver, int variable);

/* Tighten what a variable may do, from the next solve on; NAN, and the limits at the solver's creation, reset
** it.  Where it is beyond its new range or too fast it returns within its acceleration limit, without a jump.
** Objectives see them (brio_evaluation).  Errors (misuse): no such variable, limits looser than the robot's
** at brio_solver_new, a range upside down. */
bool brio_solver_set_limits(brio_solver *solver, int variable, const brio_limits *limits, brio_error *err);

/* Scale time by 1 / tempo, from the next solve on (0.05 to 2; 1 at the beginning): limits of speed and
** acceleration, the time that objectives see, and the approach of goals.  Weights are not scaled, so that
** holds take effect at once.  Above 1 limits stay as they are.  The greatest braking does not change.
** Errors: misuse. */
bool brio_solver_set_tempo(brio_solver *solver, double tempo, brio_error *err);

/* What keeps the balance of a robot that is not fixed to the ground. */
typedef struct brio_balance_options {
  const brio_vec3 *points; /* npoint, on the ground, world, m: their hull from above carries the robot */
  int npoint;              /* 3 to 64 */
  double margin;           /* m: minimum distance from the edge of that area */
  bool moving;             /* the zero moment point is kept, too, as it must be where the robot moves fast */
} brio_balance_options;

/* Take no step from which the robot could not stop with its centre of mass above the area, whatever the
** weights (NULL: no longer); with `moving` the zero moment point of the links' masses stays in it, too, in
** each step and while the robot brakes after it.  Beyond the margin already, a point may not go farther out.
** Costs a pose for each tick of braking.  Off the tick: the first time it allocates.  Errors: misuse (points
** without an area, a margin that is not from 0 to 10, a robot without masses), no_memory. */
bool brio_solver_set_balance(brio_solver *solver, const brio_balance_options *options, brio_error *err);

/* Couple variables: the sum of coefficients[i] * variable i (indices; `count` of them, at least 2) is `sum`
** in every solve, to rounding, whatever the weights, also while the robot brakes.  The last one follows the
** others: its limits of speed and acceleration lower theirs, and its range is kept.  A follower may be a
** source of another coupling, in any order; no variable follows in two couplings, and there are no cycles.
** Couplings stay as long as the solver.  The robot stands still after it, at the last pose with the last
** variable moved to fit.  Off the tick: allocates.  Errors: misuse, no_memory. */
bool brio_solver_couple(brio_solver *solver, const int *variables, const double *coefficients, int count,
                        double sum, brio_error *err);

/* Limit solves from now on to at most `most` iterations: a deadline counted in work, which is the same on
** every machine and in a replay.  0: no search, the robot brakes and holds. */
void brio_solver_set_iterations(brio_solver *solver, int most);

/* Find the pose for `time` (s), `dt` (s, 1e-6 to 1000) after the last one, and accept it
** into history.  dt may differ from call to call.  Always leaves a pose within limits in
** *solution; if costs are not finite, the gentlest stop within the limits (held); with a time or
** dt that is not valid, the last pose (held), and nothing is accepted.  Never fails; allocates
** nothing with the backend gauss_newton. */
void brio_solver_solve(brio_solver *solver, double time, double dt, brio_solution *solution);

/* Find the pose without the overrides (objectives whose kind is `above`): of a second robot beside the first
** one, with the same objectives, goals, weights, shapes and limits, with its own history.  `anew`: it begins
** again at the first one's pose and velocity.  Call it before the solve of the same tick.  If the solver was
** created without a base, this is the last solution.  Allocates nothing. */
void brio_solver_solve_base(brio_solver *solver, double time, double dt, bool anew, brio_solution *solution);

/* Find the base's pose without liveliness (kinds with `life`), in the same way; call it after the base's
** solve. */
void brio_solver_solve_quiet(brio_solver *solver, double time, double dt, bool anew, brio_solution *solution);

/* Return the speed of a variable in that solve, per s. */
double brio_solver_quiet_speed(const brio_solver *solver, int variable);

/* The pull of an objective at a variable: its share of all pulls, from -1 to 1. */
typedef struct brio_pull {
  int slot;     /* of the objective; BRIO_PULL_CLEARANCE: bodies that are near each other */
  double share; /* above 0: the way the variable moves (at rest: upwards); below: against it */
} brio_pull;
enum { BRIO_PULLS = 6, BRIO_PULL_CLEARANCE = -1 };

/* Let the next solve record the pull of each active objective at each variable: the gradient of its weighted
** cost at the pose before the step, under the goals and weights of that solve.  The solution is the same, bit
** by bit; each active objective is evaluated once more. */
void brio_solver_explain(brio_solver *solver);

/* Write the strongest pulls at a variable in the solve that was explained last, strongest first.  Return how
** many; 0: no pull, or no solve was explained.  The magnitudes of all objectives' shares add up to 1. */
int brio_solver_pulls(const brio_solver *solver, int variable, brio_pull out[BRIO_PULLS]);

/* The number of slots: slots are below it. */
int brio_solver_room(const brio_solver *solver);

/* The number of solves and resets: results that were read before it changed belong to an earlier pose. */
uint64_t brio_solver_solves(const brio_solver *solver);

/* The time of the last solve, s; NAN: none since the last reset. */
double brio_solver_time(const brio_solver *solver);

/* The configuration (nq) at the last solution. */
const double *brio_solver_configuration_of(const brio_solver *solver);

/* Return the speed of a variable in the last solve of the solver, or of its base, per s. */
double brio_solver_speed(const brio_solver *solver, int variable, bool base);

/* Return whether two bodies came too near in the last solve, and write their names (up to 63 bytes), as
** brio_solution has them; they are valid until the next solve. */
bool brio_solver_fault(const brio_solver *solver, const char *names[2]);

/* The state (link transforms, centre of mass) at the last solution. */
const brio_state *brio_solver_state(const brio_solver *solver);

/* The pairs at the last solution, with the current poses of shapes: all within `range` (m; 0: the solver's
** collision_range), measured exactly, and the rest of the robot's own watched pairs, with a lower bound.
** Return how many; 0 and NULL when there is no memory.  They are valid until the next call or change of
** shapes.  Not for the tick: measures every pair, and allocates.  Later solves do not change by it. */
int brio_solver_pairs(brio_solver *solver, double range, const brio_proximity_pair **pairs);

/* Write up to `most` pairs of physical bodies at the last solution that are nearer than the distance at which
** an active objective, or the clearance, costs nothing.  Return how many.  They are valid until the next
** solve or change of shapes. */
int brio_solver_near(const brio_solver *solver, const brio_proximity_pair **pairs, int most);

/* Names of the two sides of a pair: link or shape key. */
void brio_solver_pair_names(const brio_solver *solver, const brio_proximity_pair *pair,
                            const char **a, const char **b);

/* Whether a pair is kept apart: both sides are physical. */
bool brio_solver_pair_physical(const brio_solver *solver, const brio_proximity_pair *pair);

/* Self-collision pairs of links that are watched after pruning (adjacent, excluded by the file, always and
** never in contact, found by 256 seeded random poses at brio_solver_new; a robot with thousands of near
** pairs gets fewer, at least 8, and undecided pairs are watched); return how many.
** Each pair is two link indices. */
int brio_solver_self_pairs(const brio_solver *solver, const int (**pairs)[2]);

/* The robot that the solver was created for. */
const brio_robot *brio_solver_robot(const brio_solver *solver);

#endif
