/* People of the simulated world who walk at their own speed and react: they wait for what is in their way,
** stand in a doorway, and step aside when the robot has waited before them, or when they are asked. */
#ifndef BRIO_WORLD_PEOPLE_WALKERS_H
#define BRIO_WORLD_PEOPLE_WALKERS_H

#include "world/world.h"

typedef struct brio_walker_stop {
  double x, y;        /* m */
  double seconds;     /* that they stand there */
} brio_walker_stop;

typedef struct brio_walker_form {
  const char *kind, *id;          /* kind: "person" */
  double height;                  /* m */
  double speed;                   /* m/s */
  double from;                    /* s: when they begin to walk */
  double yaw;                     /* rad: where they face at first */
  const brio_walker_stop *path;   /* count: where they are at first, and go then */
  int count;
  /* from the last to the first, again and again; else they stay at the last */
  bool loop;
  /* m, s: a robot that is so near for so long is made way for; INFINITY: never */
  double near, patience;
  bool has_aside;                 /* they know where to step aside */
  double aside_x, aside_y;        /* m */
  double keep;                    /* m: they wait while the robot is so near ahead of them; 0: they do not */
} brio_walker_form;

/* Add somebody.  Walls, furniture and others hide them, and depth sensors see them.  Errors: misuse, limit,
** no_memory. */
bool brio_world_add_walker(brio_world *world, const brio_walker_form *form, brio_error *err);

/* Ask somebody to step aside.  Return whether there is such a one who can. */
bool brio_world_ask_walker(brio_world *world, const char *id);

/* Let somebody go and stand somewhere, until they are let go.  Return whether there is such a one. */
bool brio_world_send_walker(brio_world *world, const char *id, double x, double y);
/* Let somebody who was sent go on with what they did. */
void brio_world_let_walker_go(brio_world *world, const char *id);

#endif
