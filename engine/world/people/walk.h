/* Scripted people and objects of the simulated world: places and times.  The heading of a person follows from
** the walk. */
#ifndef BRIO_WORLD_PEOPLE_WALK_H
#define BRIO_WORLD_PEOPLE_WALK_H

#include "world/world.h"

typedef struct brio_walk_point {
  double time;    /* s since the run began */
  double x, y;    /* m, in the world */
  double z;       /* m; NAN: a person's head at height - 0.1, an object's middle at 0 */
  double yaw;     /* rad; NAN: a person faces where they walk, an object keeps its yaw (first: 0) */
} brio_walk_point;

typedef struct brio_walk {
  const char *kind, *id;         /* kind "person": the pose is the head's, x where it faces */
  brio_vec3 size;                /* m, full lengths; a person: follows from the height where 0 */
  double height;                 /* m, of a person, 0.3 to 3; 0: 1.7 */
  const brio_walk_point *points; /* count, times rising */
  int count;
  bool loop;
} brio_walk;

/* Add a person or object with this path.  A person faces where they walk and turns
** around corners within half a second; standing still they keep their heading, or face the
** world's origin when they have none yet.  Errors: those of brio_world_add. */
bool brio_world_add_walk(brio_world *world, const brio_walk *walk, brio_error *err);

#endif
