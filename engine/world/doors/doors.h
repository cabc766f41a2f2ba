/* Doors in the simulated world: moved by the robot's hands and body and by people who walk. */
#ifndef BRIO_WORLD_DOORS_DOORS_H
#define BRIO_WORLD_DOORS_DOORS_H

#include "world/doors/door.h"
#include "world/world.h"

/* Add a door.  Sensors see its panel and its handle (brio_door_see); one with `identity` gives them the ids
** "<id>.panel" and "<id>.handle".  Errors: those of brio_door_init, a name in use, no_memory, limit. */
bool brio_world_add_door(brio_world *world, const char *id, const brio_door_settings *settings,
                         const float color[3], brio_error *err);

/* Return a door of the world by its id, or NULL. */
brio_door *brio_world_door(const brio_world *world, const char *id);

/* Let a person keep a door from opening any further, for `seconds` from now. */
void brio_world_hold_door(brio_world *world, const char *id, double seconds);

#endif
