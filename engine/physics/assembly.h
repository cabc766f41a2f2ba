/* An assembly: a model of a robot and a world's contents, its simulation, and the numbers by which what is in
** it is known.  It is begun in the world's thread, which copies what it needs; compiled in any thread, which
** takes a while (about 0.1 s with a robot's meshes); and then stepped by one thread at a time.
**
** Bodies, as the world counts them, are the things in their order, then the doors. */
#ifndef BRIO_PHYSICS_ASSEMBLY_H
#define BRIO_PHYSICS_ASSEMBLY_H

#include "math/detection.h"
#include "physics/library.h"
#include "physics/model.h"
#include "robot/robot.h"
#include "world/mover.h"
#include "world/world.h"

enum { BRIO_ASSEMBLY_THINGS = 64, BRIO_ASSEMBLY_DOORS = 32,
       BRIO_ASSEMBLY_BODIES = BRIO_ASSEMBLY_THINGS + BRIO_ASSEMBLY_DOORS };

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

/* Invariants: the numbers of things, doors and joints never change; simulation is NULL until it is compiled,
** and then belongs to the thread that steps. */
typedef struct brio_assembly {
  const brio_physics_library *library;
  const brio_robot *robot;
  double massless;                    /* kg */
  unsigned number;                    /* rises from one assembly to the next */
  void *simulation;
  int *joints, *servos;               /* nvariable: of the simulation; -1: none */
  brio_assembly_thing *things;
  brio_assembly_door *doors;
  int nthing, ndoor;
  brio_model_fixture *fixtures;       /* nfixture: until it is compiled, with the names */
  brio_model_thing *bodies;           /* nthing: the same */
  char (*names)[BRIO_MODEL_NAME];     /* nthing */
  int nfixture;
  brio_text notes;                    /* sentences, one a line */
} brio_assembly;

/* Begin one of a robot and the contents of a world (NULL: floor alone).  Errors: misuse (more things or doors
** than there may be), no_memory. */
brio_assembly *brio_assembly_new(const brio_physics_library *library, const brio_robot *robot,
                                 brio_world *world, double massless, brio_error *err);

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

/* Write what the world sees of all bodies. */
void brio_assembly_read(brio_assembly *assembly, brio_world_moved *rows);

/* Take over the state of another one which has been stepped.  Before that, in any thread: look up what is in
** both (allocates).  Errors: no_memory. */
bool brio_assembly_match(brio_assembly *assembly, const brio_assembly *before, brio_error *err);
void brio_assembly_take_over(brio_assembly *assembly, const brio_assembly *before);

#endif
