/* Shared by the files of a physics: physics.c, which moves joints in the device's thread, and bodies.c, by
** which the world's thread sees and orders bodies. */
#ifndef BRIO_PHYSICS_PHYSICS_INTERNAL_H
#define BRIO_PHYSICS_PHYSICS_INTERNAL_H

#include <stdatomic.h>

#include "base/threads/ring.h"
#include "base/threads/triple.h"
#include "physics/assembly.h"
#include "physics/physics.h"

enum { BRIO_PHYSICS_SENTENCE = 512 };

/* A joint of one variable. */
typedef struct brio_physics_motor {
  double torque; /* N m or N: of its servo now; INFINITY: none given */
  bool placed;
} brio_physics_motor;

/* What the device's thread publishes. */
typedef struct brio_physics_view {
  unsigned number; /* of the assembly */
  brio_world_moved rows[BRIO_ASSEMBLY_ROWS];
} brio_physics_view;

/* What touches what, for people who look: published by the device's thread after BRIO_PHYSICS_LOOKS calls at
** most since somebody has asked. */
enum { BRIO_PHYSICS_CONTACTS = 128, BRIO_PHYSICS_LOOKS = 4000 };

typedef struct brio_physics_touching {
  bool there;      /* false: nothing was published yet */
  unsigned number; /* of the assembly */
  int count;
  brio_physics_contact list[BRIO_PHYSICS_CONTACTS];
} brio_physics_touching;

/* An order of the world's thread. */
typedef enum brio_physics_what {
  BRIO_ORDER_PUT,
  BRIO_ORDER_REMOVE,
  BRIO_ORDER_HOLD,
  BRIO_ORDER_PUSH,
  BRIO_ORDER_CHANGE
} brio_physics_what;

typedef struct brio_physics_order {
  brio_physics_what what;
  int body;
  brio_pose pose;
  brio_vec3 force, torque; /* N, N m */
  double seconds;
  brio_assembly *assembly; /* the new one */
} brio_physics_order;

/* A push that lasts. */
typedef struct brio_physics_shove {
  int body;                /* of the simulation: a link keeps its number in all assemblies */
  brio_vec3 force, torque; /* N, N m, world axes */
  double until;            /* s of the simulation */
} brio_physics_shove;

enum { BRIO_PHYSICS_SHOVES = 32 /* at once */ };

/* Invariants: `owed` is less than a step, but for rounding, after each call; `ready` never falls back, and
** neither does `ended`, after which no step is made; the world's mover, if it is this one's, is taken back
** before this ends.  `now` belongs to the device's thread, `seen` to the world's: the newest assembly that
** was ordered; both are one when no order waits.  An assembly has one owner: `now`, an order, or `retired`;
** or `seen` alone if it was never compiled. */
struct brio_physics {
  const brio_physics_library *library;
  const brio_robot *robot;
  brio_world *world;
  brio_assembly_robot about;
  brio_pose begins;           /* of a base that is free */
  bool set_down;              /* it is put on the floor first */
  brio_assembly *now;
  brio_physics_motor *motors; /* nvariable */
  brio_model_transmission *transmissions; /* nvariable; NULL: none */
  const void *device;         /* that has the joints; NULL: none yet, or it has closed */
  bool ready;                 /* the robot stands where the run begins */
  double owed;                /* s, less than a step */
  brio_physics_shove shoves[BRIO_PHYSICS_SHOVES]; /* nshove, of the device's thread */
  int nshove;
  brio_world_mover mover;
  char why[BRIO_PHYSICS_SENTENCE]; /* written before `ended` */
  atomic_bool ended;
  brio_triple views;          /* of brio_physics_view */
  brio_triple touching;       /* of brio_physics_touching */
  atomic_int looks;           /* calls after which contacts are published no more; 0: nobody looks */
  brio_ring orders, retired;  /* to the device's thread; assemblies, back from it */
  /* of the world's thread: */
  brio_assembly *seen;
  brio_world_moved rows[BRIO_ASSEMBLY_ROWS];   /* as of the newest look */
  bool changed[BRIO_ASSEMBLY_ROWS];            /* by the newest look */
};

/* The device's thread: follow all orders; publish what the world is to see. */
void brio_physics_follow(brio_physics *physics);
void brio_physics_shove_all(brio_physics *physics); /* before each step: pushes act, and end */
void brio_physics_show(brio_physics *physics);

/* Fill the functions for the world's thread into the mover's record. */
void brio_physics_fill(brio_world_mover *mover);

/* The world has not seen any body yet. */
void brio_physics_forget(brio_physics *physics);

#endif
