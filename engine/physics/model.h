/* A robot and its surroundings as a model in MJCF, the format of MuJoCo.
**
** Bodies have the names of their links, joints and servos those of the joints; what stands and lies around
** has names of its own, of which reports leave out all from a '#' on.  A robot's base is fixed to the world,
** or free.  Joints of several numbers (planar, floating) are refused.
**
** A link that a joint moves, and that has no mass with all that is fixed to it, is refused, or gets the mass
** that the options state.  A link without a shape for contact has the ones that it is drawn with, or, without
** those, a box of the extent of its mass.  One whose moments of inertia are those of no body (zero, or one
** above the sum of the others) has their mean about all axes.  The notes list these links.
**
** An inertial unit has three sensors: BRIO_MODEL_ACCELERATION (m/s^2, without gravity's share: at rest
** +g up), BRIO_MODEL_TURN (rad/s), both in the link's axes, and BRIO_MODEL_ORIENTATION (world_from_link:
** w x y z).
**
** Rotors (armature), springs, damping and friction of joints are those of the robot's file; where it states
** no rotor, one is made up that takes at most a tenth of the torque of its motor.
**
** What closes loops of the robot's file holds in the simulation.
**
** The links of a robot touch what is around them, but not each other: the solver keeps them apart. */
#ifndef BRIO_PHYSICS_MODEL_H
#define BRIO_PHYSICS_MODEL_H

#include "base/text.h"
#include "robot/robot.h"
#include "world/doors/door.h"

/* A solid that does not move. */
typedef struct brio_model_fixture {
  char name[64];         /* that of the piece it belongs to: several may have the same */
  brio_shape shape;
  brio_pose pose;        /* world_from_shape */
} brio_model_fixture;

/* A body on its own. */
typedef struct brio_model_thing {
  const char *name;
  brio_shape shape;
  brio_pose pose;        /* world_from_shape */
  double mass;           /* kg, above 0: spread evenly */
  double friction;       /* Coulomb's coefficient; of two things that touch, the greater counts */
  double rolling;        /* m: resistance of what rolls, moment / force; 0: it has next to none */
} brio_model_thing;

/* A door: bodies and joints named NAME BRIO_MODEL_PANEL and, but of a pull, NAME BRIO_MODEL_HANDLE.  Both
** joints count as the door's angle and handle do; a knob's turns either way. */
typedef struct brio_model_door {
  const char *name;                   /* at most 80 letters */
  const brio_door_settings *settings; /* its angle does not count: joints begin at 0 */
} brio_model_door;

/* What is between a motor and its joint; all 0: nothing, they move as one. */
typedef struct brio_model_transmission {
  double rotor; /* kg m^2 or kg: its inertia, as it acts at the joint; 0: as in the robot's file */
  double stiffness, damping; /* N m/rad, N m s/rad; N/m, N s/m: of a spring in series; stiffness 0: stiff */
  double backlash;           /* rad or m: free play of the joint, from end to end */
} brio_model_transmission;

#define BRIO_MODEL_BASE "#base" /* the joint of a base that is free */
#define BRIO_MODEL_PANEL "#door"
#define BRIO_MODEL_HANDLE "#handle"
#define BRIO_MODEL_ROTOR "#rotor" /* stands behind the joint's name: that of a rotor of its own */
#define BRIO_MODEL_THING "#thing" /* stands behind the names of things, which robots' links may have, too */

enum { BRIO_MODEL_NAME = 96 };

typedef struct brio_model_options {
  const brio_robot *robot;           /* NULL: none */
  const brio_model_transmission *transmissions; /* of each of the robot's variables; NULL: none */
  bool free_base;                    /* the robot's first link moves by contact and gravity alone */
  const brio_pose *base;             /* world_from_root; NULL: where the model has it */
  const brio_model_fixture *fixtures; /* nfixture */
  int nfixture;
  const brio_model_thing *things;     /* nthing */
  int nthing;
  const brio_model_door *doors;       /* ndoor */
  int ndoor;
  const char *imu;                   /* link with an inertial unit at its origin; NULL: none */
  double soft;                       /* m by which what rests on the floor with one point is in it */
  double slippery;                   /* friction of all that touches the floor; 0: as of all else */
  bool no_floor;                     /* else there is a plane at z = 0 */
  bool exact;                        /* integrate by Runge and Kutta's 4th order, at four times the cost:
                                     ** for bodies in free flight, whose momenta it keeps to rounding; servos
                                     ** with high gains become unstable */
  double step;                       /* s; 0: BRIO_MODEL_STEP */
  double friction;                   /* of links, fixtures and floor; 0: BRIO_MODEL_FRICTION */
  double massless;                   /* kg: the mass of a link without one; 0: it is refused */
  bool bare;                         /* links without a shape touch nothing, and no box is made up for them */
  brio_vec3 gravity;                 /* m/s^2; all 0: none */
} brio_model_options;

/* What the writer made up, as texts to be freed by the caller: names of links, ", " between them. */
typedef struct brio_model_notes {
  brio_text shapes, masses; /* links with a box for a shape; with the stated mass */
  brio_text inertias;       /* with the inertia of a ball, as theirs is that of no body */
  int nshape, nmass, ninertia;
} brio_model_notes;

/* Return the name of a link as a body. */
const char *brio_model_body(const char *link);

#define BRIO_MODEL_ACCELERATION "imu acceleration"
#define BRIO_MODEL_TURN "imu turn"
#define BRIO_MODEL_ORIENTATION "imu orientation"

#define BRIO_MODEL_STEP 5e-4     /* s: 2 kHz */
#define BRIO_MODEL_FRICTION 0.8
#define BRIO_MODEL_GRAVITY 9.81  /* m/s^2 */

enum { BRIO_MODEL_ROTOR_NAME = 88 };

/* Write the name of the joint of a rotor of its own, by its joint's. */
void brio_model_rotor_of(const char *joint, char out[BRIO_MODEL_ROTOR_NAME]);

/* Whether a joint in a loop has no motor: its model states no torque.  The loop moves it. */
bool brio_model_is_passive(const brio_robot *robot, int variable);

/* Whether a transmission (NULL: none) gives its joint a rotor that moves on its own. */
bool brio_model_is_elastic(const brio_model_transmission *transmission);

/* Write the model into `out`, and what was made up into `notes`, which the caller has set to 0.  Errors:
** misuse (a joint of several numbers, a link without mass, a step, mass, friction, gravity or transmission
** out of range), no_memory. */
bool brio_model_write(brio_text *out, const brio_model_options *options, brio_model_notes *notes,
                     brio_error *err);

#endif
