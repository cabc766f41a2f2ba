/* The pose solver: each tick, the one configuration that serves all objectives best
** within the limits.
**
** Life of a solver: brio_solver_new allocates; objectives, goals, weights and shapes are
** set between solves; brio_solver_solve allocates nothing and may be called for ever.
** A pose problem in, a pose out: no clock, no file, no Lua.
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
  bool lively_losses;       /* Lively's losses exactly, instead of ours */
  uint64_t seed;            /* of the objectives' noise */
  int max_iterations;       /* of the backend in one solve; 0: 30 */
  int max_objectives;       /* 0: 256 */
  int max_shapes;           /* added at run time; 0: 10,000 */
  int max_distances;        /* measured for one pose, those that may be nearest first: what is left out keeps
                            ** a lower bound; 0: 1,000,000 */
  struct brio_pairs_memo *memo; /* of the robot's own pairs, see below; NULL: they are found again */
  double collision_range;   /* m: pairs farther apart than this cost nothing; 0: 0.3 */
  bool unguarded;           /* physical bodies may touch: only objectives keep them apart */
  double clearance;         /* m: of physical bodies, kept whatever the weights; 0: 0.002 */
  bool with_base;           /* brio_solver_solve_base can be asked: takes three times the memory */
} brio_solver_options;

typedef enum brio_solver_status {
  BRIO_SOLVER_CONVERGED,    /* no better pose near by within tolerance */
  BRIO_SOLVER_CUT,          /* the iterations were used up: best pose found so far */
  BRIO_SOLVER_HELD,         /* no finite better pose: the last one is kept */
} brio_solver_status;

/* What a solve found.  Arrays belong to the solver and hold until the next solve. */
typedef struct brio_solution {
  const double *q;          /* nq */
  brio_solver_status status;
  double cost;              /* weighted sum at q */
  double expected;          /* by how much the cost might fall yet, where it was cut; 0: not known */
  int iterations, evaluations; /* work done, counted: replay cuts at the same place */
  int nactive;              /* objectives with weight above 0 */
  double distance;          /* m: smallest over all watched pairs, beyond the range a lower bound;
                            ** INFINITY: none */
  int unmeasured;           /* pairs that were due but over max_distances, at q */
  double granted;           /* share of the way from greatest braking to the best pose that was safe to
                            ** take: 1 all of it */
  const char *fault[2];     /* two bodies (link or shape key) that greatest braking cannot keep apart, or
                            ** that were brought too near by something that moved; NULL: none */
} brio_solution;

/* Remembers which of a robot's own pairs are worth watching, for the next solver of the same robot, which is
** known by a hash of its joints, ranges and shapes.  For solvers made on one thread at a time; it need not
** outlive them.  NULL: no memory. */
typedef struct brio_pairs_memo brio_pairs_memo;
brio_pairs_memo *brio_pairs_memo_new(void);
/* Give it back.  NULL is allowed. */
void brio_pairs_memo_free(brio_pairs_memo *memo);
/* How often it has helped. */
int brio_pairs_memo_hits(const brio_pairs_memo *memo);

/* Make a solver for `robot`, which must outlive it.  It starts at the neutral pose.
** `options` may be NULL.  Errors: misuse (no such backend), no_memory, limit: more than 1,000
** numbers that move (variables, and six of a free base), or more than 250,000 pairs of the robot's
** own shapes that might touch (neighbours not counted). */
brio_solver *brio_solver_new(const brio_robot *robot, const brio_solver_options *options, brio_error *err);

/* Give it back.  NULL is allowed. */
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

/* The same with a kind of one's own, which must outlive the objective. */
int brio_solver_add_kind(brio_solver *solver, const char *key, const brio_objective_kind *kind,
                         const brio_argument *arguments, int count, brio_error *err);

/* Whether a solve is under way: an objective's own functions may not change the solver that calls
** them.  What would fails with misuse; remove, reset and solve do nothing. */
bool brio_solver_busy(const brio_solver *solver);

/* Remove the objective in `slot`; its weight need not be 0. */
void brio_solver_remove(brio_solver *solver, int slot);

/* Return the slot of `key`, or -1 and a sentence with the nearest key. */
int brio_solver_slot(const brio_solver *solver, const char *key, brio_error *err);

/* Walk the slots: return the next used slot after `slot` (-1 to start), or -1. */
int brio_solver_next(const brio_solver *solver, int slot);

/* Ask for a goal: `count` numbers of the kind the objective takes (brio_goal_make).  It is
** approached with time constant `tau` (s; 0: at once; see brio_goal_blend); at once also where no goal was
** there before or the weight is 0. Errors: misuse (takes no goal, wrong count, not finite, out of range). */
bool brio_solver_set_goal(brio_solver *solver, int slot, const double *numbers, int count, double tau,
                          brio_error *err);

/* Only say whether brio_solver_set_goal would take these numbers. */
bool brio_solver_check_goal(const brio_solver *solver, int slot, const double *numbers, int count,
                            brio_error *err);

/* Ask for a weight >= 0, approached with time constant `tau` (s; 0: at once):
** w += (1 - exp(-dt/tau)) (target - w); five time constants after the last change it
** is the target exactly, and it arrives without a leap: the last 1.8 % go along a smooth step.  Errors:
** misuse (negative, not finite). */
bool brio_solver_set_weight(brio_solver *solver, int slot, double weight, double tau, brio_error *err);

/* Let an objective yield to what is laid over (kinds `above`): of its weight this share, from 0 to 1,
** approached with time constant `tau` as a weight is, does not count in brio_solver_solve.  In
** brio_solver_solve_base all of it does. Errors: misuse (beyond 0 to 1). */
bool brio_solver_set_yield(brio_solver *solver, int slot, double share, double tau, brio_error *err);

/* What is known of a slot: pointers hold until it is removed. */
typedef struct brio_slot {
  const char *key;
  const brio_objective_kind *kind;
  double weight, weight_target; /* now, and where it goes */
  const brio_goal *goal, *goal_target; /* kind NULL: none was given yet */
  double cost;                  /* unweighted, at the last solution */
  bool active;                  /* it took part in the last solve */
  bool failed;                  /* it was to, but failed and was left out */
} brio_slot;
bool brio_solver_look(const brio_solver *solver, int slot, brio_slot *out);

/* Shapes in the way, attached to the world (link -1) or to a link.  A key in use is
** replaced.  `physical` false: watched and reported, never avoided.  Pairs of two half-spaces are not
** watched.  Errors: misuse, limit, no_memory.  Off the tick: allocates. */
bool brio_solver_set_shape(brio_solver *solver, const char *key, int link, brio_pose pose,
                           const brio_shape *shape, bool physical, brio_error *err);
bool brio_solver_remove_shape(brio_solver *solver, const char *key, brio_error *err);

/* Let a shape stand elsewhere, in the world or in its link, from the next solve on.  How fast it moves is
** found from the way and the time between solves, unless it was given; over 10 m/s counts as a jump.
** Errors: misuse.  Allocates nothing. */
bool brio_solver_move_shape(brio_solver *solver, const char *key, brio_pose pose, brio_error *err);

/* Say how a shape moves by itself, from now on: velocity (m/s) of its frame's origin, and spin (rad/s), both
** in the world or link that it is fixed to.  It is not moved by that.  Errors: misuse. */
bool brio_solver_set_shape_motion(brio_solver *solver, const char *key, brio_vec3 velocity, brio_vec3 spin,
                                  brio_error *err);

/* Write how a shape moves, as it was given or found.  Errors: misuse. */
bool brio_solver_shape_motion(const brio_solver *solver, const char *key, brio_vec3 *velocity,
                              brio_vec3 *spin, brio_error *err);

/* Forget history: all three past poses become `q` (nq; NULL: neutral), at rest, anchors of noise are taken
** again, and with `zero_weights` every weight is 0 at once.  Joints of the base are displaced by as much as
** these, where that is more than braking makes (0.1 rad or m); with `zero_weights` it begins at q, too. */
void brio_solver_reset(brio_solver *solver, const double *q, bool zero_weights);

/* Go on from a pose q (nq) that was reached in ticks of dt s, in motion at these speeds (nvariable, per s;
** the base rests): one that braking from an earlier solution led to.  Weights, goals and what objectives
** remember stay.  Values that are not finite change nothing. */
void brio_solver_resume(brio_solver *solver, const double *q, const double *speeds, double dt);

/* With what acceleration a variable brakes, where the solver judges that its pose can be left: its limit, or
** less where it is tightened, or tied to others. */
double brio_solver_braking(const brio_solver *solver, int variable);

/* Tighten what a variable may do, from the next solve on; NAN, and what the limits were when the solver
** was made, give it back.  Where it is beyond its new range or too fast it is brought in within its
** acceleration limit, never at a jump.  Objectives see them (brio_evaluation).  Errors (misuse): no
** such variable, limits looser than the robot's at brio_solver_new, a range upside down. */
bool brio_solver_set_limits(brio_solver *solver, int variable, const brio_limits *limits, brio_error *err);

/* Let everything take 1 / tempo as long, from the next solve on (0.05 to 2; 1 at the beginning): limits of
** speed, what speeds up, the time that objectives see, and the approach of goals.  Weights go as ever, so
** that what holds does so at once.  Above 1 limits stay as they are.  Greatest braking stays what it is. 
** Errors: misuse. */
bool brio_solver_set_tempo(brio_solver *solver, double tempo, brio_error *err);

/* Tie variables: the sum of coefficients[i] * variable i (indices; `count` of them, at least 2) is `sum` in
** every solve, to rounding, whatever the weights, also while the robot brakes.  The last one follows the
** others: its limits of speed and acceleration lower theirs, and its ends are kept.  What it follows may
** follow others, and others may follow it, in any order; nothing follows in two couplings, or itself in the
** end.  Couplings stay as long as the solver.  The robot stands still after it, at the last pose
** with the last variable moved to fit.  Off the tick: allocates.  Errors: misuse, no_memory. */
bool brio_solver_couple(brio_solver *solver, const int *variables, const double *coefficients, int count,
                        double sum, brio_error *err);

/* Let solves from now on take at most `most` iterations: a deadline counted in work, which is the same on
** every machine and in a replay.  0: there is no search, the robot brakes and holds. */
void brio_solver_set_iterations(brio_solver *solver, int most);

/* Find the pose for `time` (s), `dt` (s, 1e-6 to 1000) after the last one, and accept it
** into history.  dt may differ from call to call.  Always leaves a pose within limits in
** *solution; where costs are not finite, the gentlest stop that limits allow (held); with a time or
** dt that is not valid, the last pose (held), and nothing is accepted.  Never fails; allocates
** nothing with the backend gauss_newton. */
void brio_solver_solve(brio_solver *solver, double time, double dt, brio_solution *solution);

/* Find where the robot would be without what is laid over the rest (objectives whose kind is `above`): a
** robot of its own beside the first one, with the same objectives, goals, weights, shapes and limits, which
** goes on from tick to tick.  `anew`: it begins where the first one is, as it moves there.  Ask before the
** solve of the same tick.  Where the solver was made without a base, the last solution.  Allocates
** nothing. */
void brio_solver_solve_base(brio_solver *solver, double time, double dt, bool anew, brio_solution *solution);

/* Find where the base would be without what lends it life (kinds with `life`): the same for it as that is for
** the solver; ask after it. */
void brio_solver_solve_quiet(brio_solver *solver, double time, double dt, bool anew, brio_solution *solution);

/* How fast a variable of that went, per s. */
double brio_solver_quiet_speed(const brio_solver *solver, int variable);

/* How hard an objective pulls at a variable: its share of all pulls, from -1 to 1. */
typedef struct brio_pull {
  int slot;     /* of the objective; BRIO_PULL_CLEARANCE: bodies that are near each other */
  double share; /* above 0: the way the variable moves (at rest: upwards); below: against it */
} brio_pull;
enum { BRIO_PULLS = 6, BRIO_PULL_CLEARANCE = -1 };

/* Let the next solve note how hard each active objective pulls at each variable: the slope of its weighted
** cost at the pose before the step, under the goals and weights of that solve.  It solves as it would anyway,
** to the bit, and evaluates each active objective once more. */
void brio_solver_explain(brio_solver *solver);

/* Write what pulled hardest at a variable in the solve that was explained last, hardest first.  Return how
** many; 0: nothing pulled at it, or no solve was explained.  Shares of all objectives, without their signs,
** add up to 1. */
int brio_solver_pulls(const brio_solver *solver, int variable, brio_pull out[BRIO_PULLS]);

/* How many objectives it has room for: slots are below that. */
int brio_solver_room(const brio_solver *solver);

/* How many solves and resets there were: what was read before this changed is of an earlier pose. */
uint64_t brio_solver_solves(const brio_solver *solver);

/* The time of the last solve, s; NAN: there was none since the last reset. */
double brio_solver_time(const brio_solver *solver);

/* The configuration (nq) at the last solution. */
const double *brio_solver_configuration_of(const brio_solver *solver);

/* How fast a variable went in the last solve of the solver, or of its base, per s. */
double brio_solver_speed(const brio_solver *solver, int variable, bool base);

/* Return whether something came too near in the last solve, and write the names (up to 63 bytes) of the two
** bodies, as brio_solution has them; they hold until the next solve. */
bool brio_solver_fault(const brio_solver *solver, const char *names[2]);

/* The state (link transforms, centre of mass) at the last solution. */
const brio_state *brio_solver_state(const brio_solver *solver);

/* The pairs at the last solution, with shapes where they have been put since: all within `range` (m; 0: the
** solver's collision_range), measured exactly, and the rest of the robot's own watched pairs, with a lower
** bound.  Return how many; 0 and NULL when there is no memory.  They hold until the next call or change of
** shapes.  Not for the tick: asks for every pair, and allocates.  Changes nothing in what later solves
** answer. */
int brio_solver_pairs(brio_solver *solver, double range, const brio_proximity_pair **pairs);

/* Write up to `most` pairs of physical bodies that are nearer than an active objective, or the clearance,
** lets them be at no cost, at the last solution.  Return how many.  They hold until the next solve or change
** of shapes. */
int brio_solver_near(const brio_solver *solver, const brio_proximity_pair **pairs, int most);

/* Names of the two sides of a pair: link or shape key. */
void brio_solver_pair_names(const brio_solver *solver, const brio_proximity_pair *pair,
                            const char **a, const char **b);

/* Whether a pair is to be avoided: both sides are physical. */
bool brio_solver_pair_physical(const brio_solver *solver, const brio_proximity_pair *pair);

/* Self-collision pairs of links that are watched after pruning (adjacent, always and never
** in contact, found by 256 seeded random poses at brio_solver_new; a robot with thousands of near
** pairs gets fewer, at least 8, and what these leave in doubt is watched); return how many.
** Each pair is two link indices. */
int brio_solver_self_pairs(const brio_solver *solver, const int (**pairs)[2]);

/* The robot it was made for. */
const brio_robot *brio_solver_robot(const brio_solver *solver);

#endif
