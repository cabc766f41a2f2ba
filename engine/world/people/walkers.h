/* People of the simulated world who walk at their own speed and react: they wait for obstacles, stop in a
** doorway, and step aside when the robot has waited in front of them, or on request. */
#ifndef BRIO_WORLD_PEOPLE_WALKERS_H
#define BRIO_WORLD_PEOPLE_WALKERS_H

#include "world/world.h"

typedef struct brio_walker_stop {
  double x, y;        /* m */
  double seconds;     /* s that they stay there */
} brio_walker_stop;

typedef struct brio_walker_form {
  const char *kind, *id;          /* kind: "person" */
  double height;                  /* m */
  double speed;                   /* m/s */
  double from;                    /* s: when they begin to walk */
  double yaw;                     /* rad: initial heading */
  const brio_walker_stop *path;   /* count: the start, and the stops */
  int count;
  /* from the last stop to the first, repeatedly; else they stay at the last */
  bool loop;
  /* m, s: they make way for a robot that is this near for this long; INFINITY: never */
  double near, patience;
  bool has_aside;                 /* the place to step aside to is set */
  double aside_x, aside_y;        /* m */
  double keep;                    /* m: they wait while the robot is this near ahead of them; 0: they do
                                  ** not */
} brio_walker_form;

/* Add a walker.  Walls, furniture and others hide them, and depth sensors see them.  Errors: misuse, limit,
** no_memory. */
bool brio_world_add_walker(brio_world *world, const brio_walker_form *form, brio_error *err);

/* Request a walker to step aside.  Return whether there is one of that name who can. */
bool brio_world_ask_walker(brio_world *world, const char *id);

/* Send a walker to a place, to stay there until released.  Return whether there is one of that name. */
bool brio_world_send_walker(brio_world *world, const char *id, double x, double y);
/* Release a sent walker. */
void brio_world_let_walker_go(brio_world *world, const char *id);

#endif
