/* What stands in the simulated world and never moves, for simulations of bodies with mass. */
#ifndef BRIO_WORLD_FIXTURE_H
#define BRIO_WORLD_FIXTURE_H

#include "base/error.h"
#include "world/solid.h"

struct brio_world;

typedef struct brio_world_fixture {
  const char *id;    /* of the piece of furniture or the wall; several solids may have the same */
  brio_solid solid;
} brio_world_fixture;

/* Write the boards of furniture and walls, at most `most`; return how many there are. */
int brio_world_fixtures(struct brio_world *world, brio_world_fixture *out, int most);

/* Check that the world has no contents but the robot, fixtures, people and paths.  Errors: misuse (things,
** doors, or an event that pushes a joint: the sentence names one). */
bool brio_world_only_fixtures(const struct brio_world *world, brio_error *err);

#endif
