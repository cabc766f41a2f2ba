/* A library that simulates bodies with mass, contact and friction, behind one record of functions.  brio
** itself is built without such a library: the record is exported by a shared object of its own
** (engine/physics/mujoco), which is built where the library is installed, and loaded when a run asks for
** physics.
**
** A model is a text in MJCF (model.h), the format of MuJoCo.  Bodies, joints and servos have the names that
** the text gives them.  A simulation belongs to one thread at a time; nothing but
** `open` and `match` allocates. */
#ifndef BRIO_PHYSICS_LIBRARY_H
#define BRIO_PHYSICS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "math/pose.h"

enum { BRIO_PHYSICS_NAME = 64 /* letters of a body's name in a report, with its end */ };

/* A position servo: torque = stiffness (target - position) - damping * velocity, within what the motor has.
** The greatest torque falls with the speed of a motor that drives, and is 0 at `speed`; one that brakes has
** all of it. */
typedef struct brio_physics_servo {
  double stiffness, damping; /* N m/rad, N m s/rad; of a prismatic joint N/m, N s/m */
  double torque;             /* N m or N: the greatest; INFINITY: as much as it takes */
  double speed;              /* rad/s or m/s: the greatest without load; INFINITY: none */
  double friction, viscous;  /* N m, N m s/rad: of the gear; NAN: as in the model */
} brio_physics_servo;

/* A command of impedance: torque = stiffness (target - position) + damping (speed - velocity) + torque,
** within `limit` and what the servo's motor has. */
typedef struct brio_physics_drive {
  double target, speed;
  double stiffness, damping, torque, limit;
} brio_physics_drive;

/* Why a simulation has stopped. */
typedef enum brio_physics_end {
  BRIO_PHYSICS_GOES_ON,
  BRIO_PHYSICS_NO_NUMBER, /* a position, speed or acceleration is no number, or immense */
  BRIO_PHYSICS_TOO_FAST,  /* a body moves faster than the limit of the model's */
  BRIO_PHYSICS_TOO_DEEP,  /* two bodies are in each other */
  BRIO_PHYSICS_TOO_MANY,  /* contacts: memory for them is taken at the start */
  BRIO_PHYSICS_BROKEN,    /* the library itself failed */
  BRIO_PHYSICS_ENDS
} brio_physics_end;

typedef struct brio_physics_fault {
  brio_physics_end end;
  double time;                                           /* s of the simulation */
  char body[BRIO_PHYSICS_NAME], other[BRIO_PHYSICS_NAME]; /* other "": there is none */
  double value, limit;                                   /* m/s or rad/s; m */
  char words[160];                                       /* of the library; "": none */
} brio_physics_fault;

/* Limits beyond which a simulation stops. */
typedef struct brio_physics_bounds {
  double speed, turn; /* m/s of a body's middle, rad/s of it */
  double depth;       /* m of a body in another one; less of thin ones: 0.4 times half their thickness */
} brio_physics_bounds;

typedef struct brio_physics_joint {
  double position, velocity; /* rad, rad/s; m, m/s */
  double torque;             /* N m or N: of its servo; 0: it has none */
} brio_physics_joint;

typedef struct brio_physics_body {
  brio_pose pose;            /* world_from_body */
  brio_vec3 linear, angular; /* m/s of its origin, rad/s: world axes */
} brio_physics_body;

typedef struct brio_physics_contact {
  const char *body, *other;  /* names, which live as long as the simulation */
  brio_vec3 at, normal;      /* m, world: the middle between both; unit, from `body` to `other` */
  double depth;              /* m; below 0: they are that far apart */
  double press, shear;       /* N along the normal, and across it */
  brio_vec3 force;           /* N, world: of both together, by `body` on `other` */
} brio_physics_contact;

/* Two bodies that touch, by their numbers; 0: the world with its fixtures. */
typedef struct brio_physics_pair {
  int body, other;
  double press;              /* N along the normal */
} brio_physics_pair;

/* Sums over all bodies that move. */
typedef struct brio_physics_totals {
  double mass;               /* kg */
  double kinetic, potential; /* J */
  brio_vec3 com;             /* m, world */
  brio_vec3 linear, angular; /* N s; N m s about `com` */
} brio_physics_totals;

typedef struct brio_physics_library {
  int version;               /* BRIO_PHYSICS_LIBRARY_VERSION */
  size_t size;               /* of this record */
  const char *name;          /* "mujoco" */
  int (*release)(void);      /* of the library that is loaded: 222 is 2.2.2 */
  /* Make a simulation of a model.  Return NULL and a sentence (format; no_memory: its first words are
  ** "no memory"). */
  void *(*open)(const char *model, size_t length, const brio_physics_bounds *bounds, char *why, size_t room);
  void (*close)(void *simulation);
  /* Return the index of the body, joint, servo (by its joint's name) or sensor of that name; -1: none. */
  int (*body)(const void *simulation, const char *name);
  int (*joint)(const void *simulation, const char *name);
  int (*servo)(const void *simulation, const char *name);
  int (*sensor)(const void *simulation, const char *name);
  /* Put a joint of one number, at rest, or a body on a free joint; effective with `settle`. */
  void (*place)(void *simulation, int joint, double position);
  void (*put)(void *simulation, int body, const brio_physics_body *state);
  void (*spin)(void *simulation, int joint, double velocity);
  void (*settle)(void *simulation);
  /* Return the inertia that a joint moves at present, all others at rest: kg m^2 or kg; of what it carries,
  ** or, where that stands on the ground, of all else that its tree consists of. */
  double (*inertia)(void *simulation, int joint, bool stands);
  /* Return the height of the lowest point of what a joint carries (m), or of a body with all that it carries
  ** (joint -1), as settled; INFINITY: it has no shapes. */
  double (*lowest)(const void *simulation, int joint, int body);
  void (*set_servo)(void *simulation, int servo, const brio_physics_servo *settings);
  /* Set a servo's target; off: it has no torque. */
  void (*aim)(void *simulation, int servo, double target, bool on);
  /* Let a servo's motor control its torque from now on; the gains of set_servo have no effect then. */
  void (*drive)(void *simulation, int servo, const brio_physics_drive *drive, bool on);
  /* Let `steps` steps of the model pass.  Return false, with the reason, if it has stopped: then it stays as
  ** it was before the step that failed. */
  bool (*step)(void *simulation, int steps, brio_physics_fault *fault);
  double (*time)(const void *simulation);
  void (*read_joint)(const void *simulation, int joint, brio_physics_joint *out);
  void (*read_body)(const void *simulation, int body, brio_physics_body *out);
  /* Write the numbers of a sensor, at most `most`; return how many it has. */
  int (*sense)(const void *simulation, int sensor, double *out, int most);
  int (*contacts)(const void *simulation, brio_physics_contact *out, int most);
  int (*pairs)(const void *simulation, brio_physics_pair *out, int most);
  /* Lay a body on a free joint aside, where it is at the start of the model and touches nothing; or back. */
  void (*lay_off)(void *simulation, int body, bool off);
  /* Change the range of a joint that has one. */
  void (*limit)(void *simulation, int joint, double lower, double upper);
  /* Push a body's centre of mass, N and N m in world axes, from now on. */
  void (*push)(void *simulation, int body, brio_vec3 force, brio_vec3 torque);
  /* Find the joints and servos of another simulation by name, which may be stepped meanwhile: allocates, in
  ** any thread.  False: no memory.  Then take the state of those over: copies numbers alone.  Bodies that
  ** are laid aside, pushes and ranges are not taken over. */
  bool (*match)(void *simulation, const void *other);
  void (*take_over)(void *simulation, const void *other);
  void (*totals)(void *simulation, brio_physics_totals *out);
} brio_physics_library;

enum { BRIO_PHYSICS_LIBRARY_VERSION = 4 };

/* Return the library of that name ("mujoco"), or NULL and a sentence that says what is missing.  Its shared
** object is looked for beside the program or the module, and in the folder of its libraries; it stays loaded.
** Errors: misuse (no such name), no_file (it was not built, or its library is not installed), format (it is
** of another version of brio). */
const brio_physics_library *brio_physics_find(const char *name, brio_error *err);

/* Write the sentence for a fault. */
void brio_physics_tell(const brio_physics_fault *fault, char *out, size_t room);

#endif
