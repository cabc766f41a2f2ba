/* Shared by door.c and door_step.c. */
#ifndef BRIO_WORLD_DOORS_DOOR_INTERNAL_H
#define BRIO_WORLD_DOORS_DOOR_INTERNAL_H

#include "world/doors/door.h"

/* Return a point of the world as (along the shut panel from its hinge, the way that it opens, up). */
brio_vec3 brio_door_into(const brio_door *door, brio_vec3 point);

/* Return the rotation of the panel about the door's z axis, rad: its angle, with a sign by hinge and
** direction. */
double brio_door_yaw(const brio_door *door);

/* Return from where on it counts as opened (rad, m); below half of that an opening ends. */
double brio_door_wide(const brio_door_settings *settings);

/* Take a state that a simulation computed: rad, rad/s, rad or m.  Nothing touches the door kinematically. */
void brio_door_follow(brio_door *door, double angle, double speed, double handle, bool latched);

#endif
