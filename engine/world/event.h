/* Events of the simulated world: disturbances of a robot's plans at some time.  A kind of event is a record
** in a file of its own (disturbances/) and a row in disturbances.def. */
#ifndef BRIO_WORLD_EVENT_H
#define BRIO_WORLD_EVENT_H

#include "world/world.h"

struct brio_disturbance;

/* Fields of an event, as bits: required and optional ones of a kind. */
enum {
  BRIO_EVENT_ID = 1,
  BRIO_EVENT_KIND = 2,
  BRIO_EVENT_TO = 4,
  BRIO_EVENT_SECONDS = 8,
  BRIO_EVENT_BY = 16,
  BRIO_EVENT_FORCE = 32,
};

typedef struct brio_event {
  const struct brio_disturbance *what;
  double at;                         /* s since the run began */
  double every;                      /* s: period of repetition; 0: once */
  double seconds;                    /* s of duration; 0: momentary */
  char id[64];                       /* of a thing, door, person or axis, by kind */
  char kind[BRIO_DETECTION_KIND];    /* a kind of things */
  brio_vec3 to;                      /* m; z NAN: on top of the objects there */
  double by;                         /* rad or m */
  brio_vec3 force;                   /* N, world axes */
  unsigned given;                    /* bits of the fields that were given */
  bool runs;                         /* active */
  double begun, begins;              /* s: when it began; when it begins next, INFINITY: never */
  double kept;                       /* for its kind */
} brio_event;

/* A kind of event. */
typedef struct brio_disturbance {
  const char *name, *doc;
  const char *example;               /* as a world file has it */
  unsigned needs, takes;             /* fields: required; optional */
  /* NULL: no further check */
  bool (*check)(brio_world *world, const brio_event *event, brio_error *err);
  void (*begin)(brio_world *world, brio_event *event);
  void (*during)(brio_world *world, brio_event *event, double since); /* each step while it lasts; NULL */
  void (*end)(brio_world *world, brio_event *event);                  /* NULL */
} brio_disturbance;

/* All kinds, ended by NULL. */
extern const brio_disturbance *const brio_disturbances[];

/* Return the kind of that name, or NULL and the nearest name (misuse). */
const brio_disturbance *brio_disturbance_find(const char *name, brio_error *err);

/* Add an event: its fields what, at, every, seconds, id, kind, to, by and given are used.  Add an event that
** concerns things after these.  Errors: misuse (missing fields, or fields without meaning for its kind),
** limit, no_memory. */
bool brio_world_add_event(brio_world *world, const brio_event *event, brio_error *err);

/* Return the first event of the kind of that name, or the next one after `after`; NULL: none. */
const brio_event *brio_world_event_of(const brio_world *world, const char *kind, const brio_event *after);

#endif
