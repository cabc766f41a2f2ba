/* What moves the robot's joints, things and doors in the simulated world in place of the servos of the
** simulator and of kinematic contact: a simulation of bodies with mass (engine/physics).  Simulator and world
** know this record alone.
**
** All joints belong to one device.  The functions of the first group are for that device's thread, those of
** the second for the world's, which sees bodies as they were when it looked last; `fault` is for any
** thread. */
#ifndef BRIO_WORLD_MOVER_H
#define BRIO_WORLD_MOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "math/pose.h"

struct brio_world;

/* A joint's motor. */
typedef struct brio_world_servo {
  double frequency, ratio;   /* Hz, 1: of its controller, for the inertia that it moves at the start */
  double stiffness, damping; /* gains instead, N m/rad and N m s/rad; NAN: from frequency and ratio */
  double torque;             /* N m or N: the greatest; 0: that of the robot's model */
  double friction, viscous;  /* of the gear, in addition to that of the model; 0: none */
} brio_world_servo;

/* A command of impedance for a joint whose motor controls its torque (motor/impedance.h). */
typedef struct brio_world_drive {
  double target, speed;              /* rad or m, per s */
  double stiffness, damping, torque; /* N m/rad, N m s/rad, N m; of a slide N/m, N s/m, N */
  double limit;                      /* N m or N: of the whole */
} brio_world_drive;

typedef struct brio_world_joint {
  double position, velocity; /* rad or m, per s */
  double load;               /* share of the greatest torque, -1 to 1; NAN: it has none */
  double torque;             /* N m or N: of the motor, in the newest step */
} brio_world_joint;

enum { BRIO_WORLD_MOVED = 13 /* numbers of a body */ };

/* What touches a body, as bits. */
enum { BRIO_MOVED_BY_ROBOT = 1, BRIO_MOVED_BY_OTHERS = 2 };

/* A body as the world sees it, in the numbers that the tape has, too.  Of a thing: position (3), quaternion
** x y z w (4), velocity (3); of a door: angle, speed, handle, 1 if it is latched. */
typedef struct brio_world_moved {
  float numbers[BRIO_WORLD_MOVED];
  unsigned touches; /* bits */
  unsigned puts;    /* how often it was put somewhere, as the simulation knows */
} brio_world_moved;

typedef struct brio_world_mover {
  void *context;
  /* A device takes the joints, or gives them back.  Errors: misuse (another has them), device (it has
  ** stopped). */
  bool (*take)(void *context, const void *device, brio_error *err);
  void (*leave)(void *context, const void *device);
  /* Return the number of an axis's joint; -1: it moves no joint. */
  int (*joint)(const void *context, const char *axis);
  /* Put a joint where the run begins.  A device that comes back finds it where it is. */
  void (*place)(void *context, int joint, double position);
  /* All joints are placed.  Errors: misuse (some are not: they are on another device). */
  bool (*ready)(void *context, brio_error *err);
  void (*servo)(void *context, int joint, const brio_world_servo *servo);
  void (*aim)(void *context, int joint, double target, bool on);
  /* The same for a motor that controls its torque. */
  void (*drive)(void *context, int joint, const brio_world_drive *drive, bool on);
  /* Let dt s pass, in whole steps; the rest is kept. */
  void (*pass)(void *context, double dt);
  void (*read)(const void *context, int joint, brio_world_joint *out);
  /* Return the sentence why it has stopped; NULL: it goes on. */
  const char *(*fault)(const void *context);

  /* Take the newest state of all bodies.  What has hardly moved since (20 um, 0.2 mrad, 1 cm/s) stays. */
  void (*look)(void *context);
  /* Write what the last look changed, for the tape; at most BRIO_WORLD_MOVED_BYTES.  Return how many
  ** bytes. */
  size_t (*note)(const void *context, unsigned char *out);
  /* Take what a look changed from a tape instead.  False: these bytes are no such record. */
  bool (*recall)(void *context, const unsigned char *bytes, size_t length);
  /* Return the number of the thing or door of that name; -1: it is no body. */
  int (*body)(const void *context, const char *id);
  const brio_world_moved *(*moved)(const void *context, int body);
  /* Return the base: pose (7), velocity (3), angular velocity (3); NULL: it is fixed, or not known yet. */
  const brio_world_moved *(*base)(const void *context);
  /* Put a thing somewhere, at rest; NULL: nowhere, it is gone. */
  void (*put)(void *context, int body, const brio_pose *pose);
  /* Keep a door from opening any further for that time, s. */
  void (*hold)(void *context, int body, double seconds);
  /* Push a link of the robot at its centre of mass for that time, N along world axes. */
  void (*push)(void *context, const char *link, brio_vec3 force, double seconds);
} brio_world_mover;

enum { BRIO_WORLD_MOVED_BYTES = 32 * 1024 };

/* Set the mover, which outlives the devices; before they open.  NULL: none. */
void brio_world_set_mover(struct brio_world *world, const brio_world_mover *mover);

/* Return it; NULL: none. */
const brio_world_mover *brio_world_mover_of(const struct brio_world *world);

#endif
