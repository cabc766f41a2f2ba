/* How forces and motion of a robot belong together: inverse dynamics, mass matrix, forward dynamics,
** momentum, Jacobians of points with their rates.  A brio_dynamics is the workspace: set up once, then
** nothing here allocates.  One workspace belongs to one thread; any number may share a robot.
**
** Vectors are those of robot.h: a configuration `q` (nq = 7 + nvariable), a velocity `u` and an
** acceleration `du` (nv = 6 + nvariable).  The first six numbers of `u` are the linear velocity of the
** root link's origin and the angular velocity of the root link, both in world axes; `du` is the time
** derivative of `u`.  Forces `tau` (nv) pair with `u` to a power: a force at the root link's origin (N)
** and a moment about it (N m), both in world axes, then a torque (N m) or force (N) for each variable.
** The equation of motion is
**     M(q) du + h(q, u) = tau,     h: velocity terms and gravity.
**
** A base that is BRIO_BASE_FIXED does not move, whatever its six numbers of `u` and `du` are.  In `tau`
** its six are the wrench of the ground that holds it; in matrices its rows and columns are 0.  Other bases
** are free.
**
** A mimic joint moves with its source.  With rates of all joints w = G u, M = G^T M' G and tau = G^T tau',
** where M' and tau' are those of independent joints (brio_robot_options.independent_mimic gives these).
**
** Units are SI: m, rad, kg, N, N m.  NaN in gives NaN out.  Sources: Featherstone, "Rigid Body Dynamics
** Algorithms", 2008; see each file. */
#ifndef BRIO_DYNAMICS_DYNAMICS_H
#define BRIO_DYNAMICS_DYNAMICS_H

#include "robot/robot.h"

typedef struct brio_dynamics {
  const brio_robot *robot;
  brio_vec3 gravity; /* world, m/s^2: {0, 0, -9.81} after brio_dynamics_start; may be changed */
  struct brio_dynamics_private *work;
  brio_arena arena;
} brio_dynamics;

/* Rotors and dampers of the joints, by variable (nvariable each). */
typedef struct brio_dynamics_options {
  const double *armature; /* inertia of its rotor behind the gear, kg m^2 or kg; >= 0; NULL: the file's */
  const double *damping;  /* torque against its rate, N m s/rad or N s/m; >= 0; NULL: 0 for all */
} brio_dynamics_options;

/* Make a workspace for `robot`, which must outlive it.  `options` may be NULL; its arrays are copied.
** Errors: no_memory; misuse (a negative or infinite armature or damping, named). */
bool brio_dynamics_start(brio_dynamics *dynamics, const brio_robot *robot,
                         const brio_dynamics_options *options, brio_error *err);

/* Free its memory. */
void brio_dynamics_end(brio_dynamics *dynamics);

/* Write the damping (N m s/rad or N s/m) or the armature (kg m^2 or kg) of each variable (nvariable) as the
** robot's file has it for its joints, mimic joints with their share (multiplier squared). */
void brio_dynamics_file_damping(const brio_robot *robot, double *damping);
void brio_dynamics_file_armature(const brio_robot *robot, double *armature);

/* Write the forces `tau` (nv) of the springs and dampers in the robot's file, in configuration `q` (nq) at
** velocity `u` (nv; NULL: 0): what is to be added to other forces. Dampers are left out where the workspace
** has its own, which are in h. Dry friction is not included.  O(joints) */
void brio_dynamics_passive(const brio_dynamics *dynamics, const double *q, const double *u, double *tau);

/* Write the forces `tau` (nv) that make the robot accelerate by `du` (nv) in configuration `q` (nq) at
** velocity `u` (nv).  NULL for `du`: 0, which gives the bias h(q, u).  NULL for `u`: 0, too, which gives the
** forces of gravity.  `tau` is none of the others.  O(joints) */
void brio_dynamics_inverse(brio_dynamics *dynamics, const double *q, const double *u, const double *du,
                           double *tau);

/* Return the mass matrix M of configuration `q`: nv x nv, row by row, whole.  It lives in the workspace
** and is valid until the next call of this function or of brio_dynamics_kinetic_energy.  O(joints x depth) */
const double *brio_dynamics_mass(brio_dynamics *dynamics, const double *q);

/* Write the acceleration `du` (nv) of configuration `q` at velocity `u` (NULL: 0) under the forces `tau`
** (NULL: 0).  Errors: misuse: the mass matrix is not positive definite, with the name of a variable that
** moves no mass.  O(joints x depth^2) */
bool brio_dynamics_forward(brio_dynamics *dynamics, const double *q, const double *u, const double *tau,
                           double *du, brio_error *err);

/* Write M^-1 of configuration `q`: nv x nv, whole.  Errors: as above. */
bool brio_dynamics_inverse_mass(brio_dynamics *dynamics, const double *q, double *inverse, brio_error *err);

/* The momentum of all links: of a configuration and a velocity. */
typedef struct brio_momentum {
  double mass;       /* kg */
  brio_vec3 com;     /* centre of mass, world, m */
  brio_vec3 linear;  /* kg m/s, world axes */
  brio_vec3 angular; /* about the centre of mass, kg m^2/s, world axes */
  brio_vec3 force;   /* d(linear)/dt where du = 0, without gravity, N */
  brio_vec3 moment;  /* d(angular)/dt where du = 0, N m */
} brio_momentum;

/* Return the momentum, and write the centroidal momentum matrix unless `matrix` is NULL: 6 x nv, row by row,
** linear rows, then angular ones; momentum = matrix u.  A fixed base counts with velocity 0. `u` NULL: 0.
** Source: Orin, Goswami, Lee, "Centroidal dynamics of a humanoid robot", 2013.  O(joints) */
brio_momentum brio_dynamics_momentum(brio_dynamics *dynamics, const double *q, const double *u,
                                     double *matrix);

/* Write the generalized momentum `p` = M u (nv) of configuration `q` and velocity `u` (NULL: 0), and unless
** NULL into `rate` (nv) how it changes where nothing but gravity and dampers of the workspace acts:
**     dp/dt = tau + rate,     rate = dM/dt u - h, which in the field is written C^T u - g.
** It takes no acceleration.  The rows of a fixed base are 0.  O(joints) */
void brio_dynamics_generalized_momentum(brio_dynamics *dynamics, const double *q, const double *u, double *p,
                                        double *rate);

/* A point fixed to a link, and what it does. */
typedef struct brio_point_motion {
  brio_vec3 at;       /* world, m */
  double velocity[6]; /* of the point, m/s, and of its link, rad/s; world axes: J u */
  double drift[6];    /* their time derivatives where du = 0, m/s^2 and rad/s^2: dJ/dt u */
} brio_point_motion;

/* Return the motion of `point` (in the frame of `link`).  Unless NULL write into `jacobian` J and into `rate`
** dJ/dt: 6 x nv, row by row, rows linear, then angular, world axes.  The columns of a fixed base are 0.
** O(joints) */
brio_point_motion brio_dynamics_point(brio_dynamics *dynamics, const double *q, const double *u, int link,
                                      brio_vec3 point, double *jacobian, double *rate);

/* Return the kinetic energy u^T M u / 2 of configuration `q` and velocity `u`, J, rotors (armature)
** included. */
double brio_dynamics_kinetic_energy(brio_dynamics *dynamics, const double *q, const double *u);

/* Return the potential energy of configuration `q`, J: 0 with the centre of mass in the world's origin. */
double brio_dynamics_potential_energy(brio_dynamics *dynamics, const double *q);

#endif
