/* A robot with mass, motors and contact among what stands, lies and swings in its world, stepped by a physics
** library.  The simulator moves it through the world's record for that (world/mover.h): the devices' time is
** the simulation's, in steps of 0.5 ms, so on the fast clock equal runs have equal bits, and on the real
** clock the measured positions are on the tape.
**
** It stops for good when a number is none, a body is too fast, or bodies are too deep in each other.  Then
** its joints stay where they were, and the device fails with the sentence, so that the motor side holds the
** robot. */
#ifndef BRIO_PHYSICS_PHYSICS_H
#define BRIO_PHYSICS_PHYSICS_H

#include "physics/assembly.h"
#include "physics/library.h"
#include "physics/model.h"
#include "robot/robot.h"
#include "world/mover.h"
#include "world/world.h"

typedef struct brio_physics brio_physics;

typedef struct brio_physics_options {
  const brio_physics_library *simulator; /* the library that simulates */
  const brio_robot *robot;
  brio_world *world;  /* with all that stands in it; it gets the mover.  NULL: floor alone */
  const brio_model_transmission *transmissions; /* of the robot's variables, copied; NULL: none */
  double massless;    /* kg: of a link that moves and has no mass; 0: it is refused */
  bool bare;          /* links without a shape touch nothing, and no box is made up for them */
  bool floats;        /* its base is free, though the robot's is fixed for those who plan its joints */
  const brio_pose *base; /* where a free base begins; NULL: at the robot's centre, set down on the floor */
  bool down;          /* set down from `base`, too: moved up or down until its lowest point is on the floor */
  const char *imu;    /* the link with an inertial unit; NULL: none */
  const char *const *touches; /* ntouch links that feel what presses on them */
  int ntouch;
} brio_physics_options;

/* Make a simulation; library, robot and world outlive it, and it outlives the devices.  Errors: misuse (a
** robot whose own base is not fixed, a joint of several numbers, a link without mass or of no such name, a
** transmission out of range or too fast for the steps, a world with pushes or with too many things or
** doors), format (the library refuses the model), no_memory. */
brio_physics *brio_physics_new(const brio_physics_options *options, brio_error *err);
void brio_physics_free(brio_physics *physics);

/* Return the record by which a device moves its joints. */
const brio_world_mover *brio_physics_mover(const brio_physics *physics);

/* Return the sentence why it has stopped, or NULL.  From any thread. */
const char *brio_physics_fault_of(const brio_physics *physics);

/* Return sentences about what was made up for the model, one a line; "": nothing. */
const char *brio_physics_notes(const brio_physics *physics);

/* The world is to have other contents.  Prepare: in the world's thread, quickly; compile: in any thread, it
** takes a while, and at most one at a time; change: in the world's thread, together with the exchange of the
** contents (brio_world_exchange, which must come after it).  From the next step on, the new model is stepped
** from the state of the old one, which the stepping thread copies.  An assembly that was not compiled is for
** replays that have bodies from a tape.  Until it is handed over, brio_assembly_free frees it.  Errors: those
** of brio_physics_new; limit (nobody steps). */
brio_assembly *brio_physics_prepare(const brio_physics *physics, brio_world *contents, brio_error *err);
bool brio_physics_compile(const brio_physics *physics, brio_assembly *assembly, brio_error *err);
bool brio_physics_change(brio_physics *physics, brio_assembly *assembly, brio_error *err);

/* Push a link at its centre of mass with a wrench in world axes, from the next step on, for `seconds`;
** several pushes add up.  In the world's thread.  Errors: misuse (no such link, a number that is not finite
** or too large, no time), limit (nobody steps). */
bool brio_physics_push(brio_physics *physics, const char *link, brio_vec3 force, brio_vec3 torque,
                       double seconds, brio_error *err);

/* Return the new measurements of a sensor in the world's newest look; NULL: none, or no such sensor.  touch:
** the number of a link that feels, or -1, the inertial unit; assembly.h says what the numbers are. */
const brio_world_moved *brio_physics_sensed(const brio_physics *physics, int touch);

/* Return what touches what, with forces, as of the newest step, and how much that is; NULL: not known yet,
** ask again in the next tick.  The device's thread looks while this is asked for; without that it costs
** nothing. Of a crowd the first 128.  In the world's thread; valid until the next call or the next look of
** the world. */
const brio_physics_contact *brio_physics_contacts(brio_physics *physics, int *count);

/* Write the model, as it was at the start but with the world as it is: MJCF.  Errors: no_memory. */
bool brio_physics_write(const brio_physics *physics, brio_text *out, brio_error *err);

/* Return the library and its simulation, for queries by the thread that steps it. */
const brio_physics_library *brio_physics_library_of(const brio_physics *physics, void **simulation);

#endif
