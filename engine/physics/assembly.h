/* An assembly: a model of a robot and a world's contents, its simulation, and the numbers by which what is in
** it is known.  It is begun in the world's thread, which copies what it needs; compiled in any thread, which
** takes a while (about 0.1 s with a robot's meshes); and then stepped by one thread at a time.
**
** Bodies, as the world counts them, are the things in their order, then the doors.  The rows that it sees are
** theirs, then that of the base, if it is free: pose (7), velocity (3), angular velocity (3), world axes;
** that of the inertial unit: acceleration (3), angular velocity (3), both in the link's axes, orientation
** (4); and those of links that feel: N of all that presses on them. */
#ifndef BRIO_PHYSICS_ASSEMBLY_H
#define BRIO_PHYSICS_ASSEMBLY_H

#include "math/detection.h"
#include "physics/library.h"
#include "physics/model.h"
#include "robot/robot.h"
#include "world/fixture.h"
#include "world/mover.h"
#include "world/world.h"

enum {
  BRIO_ASSEMBLY_THINGS = 64,
  BRIO_ASSEMBLY_DOORS = 32,
  BRIO_ASSEMBLY_TOUCHES = 16, /* links that feel what they touch */
  BRIO_ASSEMBLY_ROWS = BRIO_ASSEMBLY_THINGS + BRIO_ASSEMBLY_DOORS + 2 + BRIO_ASSEMBLY_TOUCHES
};

#define BRIO_ASSEMBLY_DENSITY 300.0 /* kg/m^3 of a thing without a mass: soft wood, a filled package */

typedef struct brio_assembly_thing {
  char id[BRIO_DETECTION_ID];
  int body;         /* of the simulation */
  bool there;       /* else it is laid aside */
  unsigned puts;    /* orders to put it somewhere so far */
  unsigned touches; /* bits */
} brio_assembly_thing;

typedef struct brio_assembly_door {
  char id[BRIO_DOOR_ID];
  brio_door_settings settings;
  int panel, handle;     /* joints of the simulation; handle -1: nothing turns it */
  double angle, turned;  /* rad; rad or m: where it begins */
  bool latched;
  double until, stop;    /* s: somebody keeps it from opening beyond `stop` (rad) until then */
  double upper;          /* rad: the end of its range at present */
} brio_assembly_door;

/* The robot and its sensors. */
typedef struct brio_assembly_robot {
  const brio_robot *robot;
  const brio_model_transmission *transmissions; /* of its variables, which outlive the assembly; NULL: none */
  double massless;                    /* kg: of links that move and have no mass; 0: they are refused */
  bool floats;                        /* its base is free */
  bool bare;                          /* links without a shape touch nothing */
  char imu[64];                       /* the link with an inertial unit; "": none */
  char touches[BRIO_ASSEMBLY_TOUCHES][64]; /* ntouch: links that feel what presses on them */
  int ntouch;
} brio_assembly_robot;

/* Invariants: the numbers of things, doors and joints never change; simulation is NULL until it is compiled,
** and then belongs to the thread that steps. */
typedef struct brio_assembly {
  const brio_physics_library *library;
  const brio_robot *robot;            /* that of `about` */
  brio_assembly_robot about;
  unsigned number;                    /* rises from one assembly to the next */
  void *simulation;
  int *joints, *servos;               /* nvariable: of the simulation; -1: none */
  int *rotors; /* nvariable: joints that servos turn: those above, where a rotor is none of its own */
  int root;                           /* the robot's first body */
  int feels[BRIO_ASSEMBLY_TOUCHES];   /* bodies */
  int imu[3];                         /* sensors: acceleration, turn, orientation */
  brio_assembly_thing *things;
  brio_assembly_door *doors;
  int nthing, ndoor;
  brio_world_ground ground;
  brio_model_fixture *fixtures;       /* nfixture: until it is compiled, with the names */
  brio_model_thing *bodies;           /* nthing: the same */
  char (*names)[BRIO_MODEL_NAME];     /* nthing */
  int nfixture;
  brio_text notes;                    /* sentences, one a line */
} brio_assembly;

/* Begin one of a robot and the contents of a world (NULL: floor alone).  Errors: misuse (more things or doors
** than there may be), no_memory. */
brio_assembly *brio_assembly_new(const brio_physics_library *library, const brio_assembly_robot *about,
                                 brio_world *world, brio_error *err);

/* Write its model, before it is compiled.  Errors: misuse, no_memory. */
bool brio_assembly_write(const brio_assembly *assembly, brio_text *out, brio_model_notes *notes,
                         brio_error *err);

/* Make its simulation.  Errors: misuse (a joint of several numbers, a link without mass), format (the library
** refuses the model), no_memory. */
bool brio_assembly_compile(brio_assembly *assembly, brio_error *err);

/* Free it, complete or not. */
void brio_assembly_free(brio_assembly *assembly);

/* Return the number of the thing or door of that name; -1: there is none. */
int brio_assembly_find(const brio_assembly *assembly, const char *id);

/* Put a thing somewhere at rest, or take it away (NULL). */
void brio_assembly_put(brio_assembly *assembly, int body, const brio_pose *pose);

/* Keep a door from opening any further. */
void brio_assembly_hold(brio_assembly *assembly, int body, double seconds);

/* Let latches catch and be freed, and people let go of doors: once a step. */
void brio_assembly_mind_doors(brio_assembly *assembly);

/* The numbers of rows; of the base, the inertial unit and the first that feels, whether they are there or
** not. */
int brio_assembly_rows(const brio_assembly *assembly);
int brio_assembly_base_row(const brio_assembly *assembly);
int brio_assembly_imu_row(const brio_assembly *assembly);
int brio_assembly_touch_row(const brio_assembly *assembly);

/* Write what the world sees of all bodies, and the sensors. */
void brio_assembly_read(brio_assembly *assembly, brio_world_moved *rows);

/* Take over the state of another one which has been stepped.  Before that, in any thread: look up what is in
** both (allocates).  Errors: no_memory. */
bool brio_assembly_match(brio_assembly *assembly, const brio_assembly *before, brio_error *err);
void brio_assembly_take_over(brio_assembly *assembly, const brio_assembly *before);

#endif
