/* The contents of the simulated world as a simulation of bodies with mass takes them: what stands and never
** moves, things, and doors. */
#ifndef BRIO_WORLD_FIXTURE_H
#define BRIO_WORLD_FIXTURE_H

#include "base/error.h"
#include "robot/robot.h"
#include "world/doors/door.h"
#include "world/solid.h"

struct brio_world;

/* The ground, z = 0. */
typedef struct brio_world_ground {
  /* m that a ball which rests on it is in it, and a box a quarter of that, as the weight is on four
  ** corners; 0: it is hard */
  double soft;
  double friction; /* of all that stands on it; 0: as of other surfaces */
} brio_world_ground;

#define BRIO_WORLD_SOFTEST 0.02 /* m */

/* Set the ground.  Errors: misuse (a number out of range). */
bool brio_world_set_ground(struct brio_world *world, const brio_world_ground *ground, brio_error *err);
brio_world_ground brio_world_ground_of(const struct brio_world *world);

typedef struct brio_world_fixture {
  const char *id;    /* of the piece of furniture or the wall; several solids may have the same */
  brio_solid solid;
} brio_world_fixture;

/* Write the boards of furniture and walls, at most `most`; return how many there are. */
int brio_world_fixtures(struct brio_world *world, brio_world_fixture *out, int most);

/* A thing; its frame is that of its middle. */
typedef struct brio_world_loose {
  const char *id;
  bool ball, there;  /* else a box; it is in the world now */
  brio_vec3 half;    /* m: half lengths; a ball: its radius, three times */
  brio_pose pose;    /* of one that is not there: z may be NAN */
  double mass;       /* kg; 0: the file does not say */
  unsigned puts;     /* how often it was put somewhere */
  double friction, rolling; /* Coulomb's coefficient; the tangent of the slope from which a ball rolls */
} brio_world_loose;

/* Write the things, at most `most`; return how many there are. */
int brio_world_loose_things(const struct brio_world *world, brio_world_loose *out, int most);

/* Write the doors, at most `most`; return how many there are. */
int brio_world_panels(const struct brio_world *world, const brio_door **out, int most);

/* Check that the world has no contents that such a simulation cannot have.  Errors: misuse (an event that
** pushes a joint, or a link that the robot does not have: the sentence names it). */
bool brio_world_only_bodies(const struct brio_world *world, const brio_robot *robot, brio_error *err);

#endif
