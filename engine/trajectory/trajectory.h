/* Trajectory optimization of a robot with contacts by direct collocation: the motion, torques and contact
** forces that cost least while the equations of motion and all limits hold.
**
** A motion is a chain of nodes.  A phase is a run of nodes with the same contacts, equally far apart in time;
** between two phases the motion goes on at once, in the same state, but for the impulses of an impact.  A
** cycle goes on from the last node to the first.  What is sought at each node is
**     z = (q, u, s, w):  configuration, velocity, stretch of time (where a phase may stretch), motor torques.
** Acceleration and contact forces are functions of it: those of brio_dynamics_constrained, with the closed
** loops of the robot's file held, too.  Steps of z are tangents: the base turns about world axes, as in
** robot.h.  Of a fixed base nothing is sought.
**
** Cost: half the sum of squares of the rows of all cost terms.  Constraints: the motion between neighboring
** nodes follows the dynamics (scheme.h), rows of terms stay within their bounds (term.h), joints, speeds,
** torques and stretch within their limits.
**
** A brio_trajectory holds all memory that the functions here use; it belongs to one thread. */
#ifndef BRIO_TRAJECTORY_TRAJECTORY_H
#define BRIO_TRAJECTORY_TRAJECTORY_H

#include "dynamics/constraint.h"
#include "robot/kinematics.h"

struct brio_trajectory_term_kind;
struct brio_trajectory_scheme;

/* What holds a link in a phase.  `hold.other` may be a link, or -1: the world, whose frame's z axis points
** away from the surface. */
typedef struct brio_trajectory_contact {
  brio_dynamics_constraint hold; /* stiffness and damping: those of the setup count */
  double friction;               /* coefficient; INFINITY: it holds pulled, too, as a hand that grips */
  double half[2];                /* rigid: half the sole's length and width along the frame's x and y, m */
  double torsion;                /* rigid: greatest moment about the normal by the press, m */
} brio_trajectory_contact;

typedef struct brio_trajectory_phase {
  int nodes;         /* at least 2 */
  double duration;   /* s, unstretched, above 0 */
  double stretch[2]; /* least and greatest factor of its duration; equal: its time is fixed */
  const brio_trajectory_contact *contacts;
  int ncontact;
  bool impact; /* its contacts begin to hold at once: velocities change by impulses */
} brio_trajectory_phase;

/* Where a term counts. */
enum { BRIO_TRAJECTORY_ALL = -1, BRIO_TRAJECTORY_LAST = -2 };

typedef struct brio_trajectory_term {
  const struct brio_trajectory_term_kind *kind;
  const void *arguments; /* kind->size bytes, which must outlive the trajectory */
  int phase;             /* BRIO_TRAJECTORY_ALL: every phase; _LAST: the last */
  int node;              /* of its phase; BRIO_TRAJECTORY_ALL: all; _LAST: the last */
  double weight;         /* of a cost, >= 0 */
  bool per_time;         /* a cost is integrated over time, else summed over nodes */
} brio_trajectory_term;

/* Limits by variable (nvariable each); NULL: the robot's. */
typedef struct brio_trajectory_limits {
  const double *lower, *upper; /* rad or m */
  const double *velocity;      /* rad/s or m/s */
  const double *effort;        /* N m or N */
} brio_trajectory_limits;

typedef struct brio_trajectory_setup {
  const brio_robot *robot;               /* must outlive the trajectory */
  const brio_dynamics_options *dynamics; /* NULL: armature and damping of the robot's file */
  const struct brio_trajectory_scheme *scheme;
  const brio_trajectory_phase *phases; /* with their contacts must outlive the trajectory */
  int nphase;
  const brio_trajectory_term *terms;
  int nterm;
  const int *motors; /* variables that have a motor; NULL: all whose effort is above 0 */
  int nmotor;
  brio_trajectory_limits limits;
  double stiffness, damping; /* by which gaps of contacts and loops are pulled shut: 1/s^2, 1/s */
  const double *cycle; /* nv: a cycle leads from the last node to the first one moved by this; NULL: none */
} brio_trajectory_setup;

/* A motion: numbers of all nodes in turn. */
typedef struct brio_trajectory_motion {
  double *q;       /* nnode x nq */
  double *u;       /* nnode x nv */
  double *torque;  /* nnode x nmotor */
  double *stretch; /* nnode: factor of its phase's duration */
} brio_trajectory_motion;

/* A node of the chain. */
typedef struct brio_trajectory_node {
  int phase, index; /* which of its phase */
  double time;      /* s since the start, unstretched */
  double step;      /* s between nodes of its phase, unstretched */
} brio_trajectory_node;

typedef struct brio_trajectory {
  brio_trajectory_setup setup;
  const brio_robot *robot;
  int first;      /* of the tangent that is sought: 0, or 6 where the base is fixed */
  int ndof;       /* nv - first */
  int nstretch;   /* 1: phases may stretch; 0: none does */
  int nmotor, nz; /* nz = 2 ndof + nstretch + nmotor */
  int nstate;     /* 2 ndof + nstretch */
  int nnode;
  int nforce;                  /* rows of the contacts and loops of a phase, at most */
  double weight;               /* N: of the robot, or 1; forces are scaled by it */
  double *lower, *upper;       /* nz: limits of joints (base: none), speeds, stretch, torques */
  brio_trajectory_node *nodes; /* nnode */
  int *motors;                 /* nmotor */
  double *tangent;             /* nv: scratch of schemes and terms */
  double *between;             /* scratch of schemes */
  struct brio_trajectory_private *work;
  brio_dynamics dynamics;
  brio_dynamics_constraints constraints;
  brio_state state;
  brio_arena arena;
} brio_trajectory;

/* Make a trajectory of a setup, whose lists of terms and motors are copied.  Errors: no_memory; misuse,
** naming phase, contact or term and what was expected. */
bool brio_trajectory_start(brio_trajectory *trajectory, const brio_trajectory_setup *setup, brio_error *err);

/* Free its memory. */
void brio_trajectory_end(brio_trajectory *trajectory);

/* Take memory for a motion from `arena`.  Errors: no_memory. */
bool brio_trajectory_take_motion(const brio_trajectory *trajectory, brio_arena *arena,
                                 brio_trajectory_motion *motion, brio_error *err);

/* Complete a motion of which `q` is given: velocities by differences, stretch by 1 or the nearest that is
** allowed, the torques that come nearest to the accelerations that follow.  Errors: those of the dynamics. */
bool brio_trajectory_guess(brio_trajectory *trajectory, brio_trajectory_motion *motion, brio_error *err);

/* How far a motion is from keeping a constraint, and where. */
typedef struct brio_trajectory_fault {
  double
      violation; /* in scaled units: rad, m, rad/s, m/s, parts of the robot's weight or of a torque limit */
  int node;
  const char *what; /* "dynamics", "limits", or a term's name */
  int row;          /* of the term; of the limits: of z */
} brio_trajectory_fault;

/* Write the cost of a motion, and of each kind of constraint the worst violation, greatest first, into
** `faults` (room for `most`); return how many, or -1: the dynamics failed. */
int brio_trajectory_judge(brio_trajectory *trajectory, const brio_trajectory_motion *motion, double *cost,
                          brio_trajectory_fault *faults, int most, brio_error *err);

/* Write the accelerations (nv) and contact forces (rows of the phase's contacts, then loops) of node `k`. */
bool brio_trajectory_forces(brio_trajectory *trajectory, const brio_trajectory_motion *motion, int k,
                            double *du, double *forces, brio_error *err);

#endif
