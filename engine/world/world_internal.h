/* Shared by the files of this room: the world's struct and its parts.
**
** A part is a kind of content (people and objects on paths, furniture, things, ...): a record in a file of
** its own and a row in parts.def.  It keeps its own memory, allocated when the first of its kind is added. */
#ifndef BRIO_WORLD_WORLD_INTERNAL_H
#define BRIO_WORLD_WORLD_INTERNAL_H

#include <stdatomic.h>

#include "base/random.h"
#include "world/body.h"
#include "world/fixture.h"
#include "world/sensors/depth.h"
#include "world/solid.h"
#include "world/things/hand.h"
#include "world/world.h"

enum { BRIO_WORLD_OWNERS = 1 << 16 };   /* of a part, at most */
enum { BRIO_WORLD_NAME = 64 };          /* letters of a link's or an axis' name, with its end */

#define X(name) BRIO_WORLD_PART_##name,
enum {
#include "world/parts.def"
  BRIO_WORLD_PARTS
};
#undef X

/* The owner of a solid or a sight: the `index`th of a part. */
#define BRIO_WORLD_OWNER(part, index) ((part) * BRIO_WORLD_OWNERS + (index) + 1)

/* A visible object. */
typedef struct brio_world_sight {
  const char *kind, *id;       /* id "": the sensor does not identify it */
  brio_pose pose;
  brio_vec3 size;
  const float *color;          /* sRGB; NULL: unknown */
  bool oriented;
  bool through;                /* never hidden, as people and objects on paths */
  int owner;
  brio_random *noise, *dropout; /* random streams of its own: independent of other objects */
} brio_world_sight;

typedef struct brio_world_part {
  const char *name;
  void (*step)(brio_world *world, double dt);            /* dt > 0; NULL: nothing moves */
  void (*solids)(brio_world *world);                     /* brio_world_put_solid each; NULL: none */
  int (*count)(const brio_world *world);                 /* their number */
  /* false: absent now; NULL: never visible */
  bool (*sight)(brio_world *world, int index, brio_world_sight *out);
  int (*find)(const brio_world *world, const char *id);  /* index by id; -1: none */
  bool (*pose)(const brio_world *world, int index, brio_pose *pose);  /* false: absent now */
  const char *(*name_of)(const brio_world *world, int index); /* its id; NULL: things on it lie on a `name` */
  /* NULL: no further facts */
  int (*state)(const brio_world *world, int index, brio_world_fact *facts, int most);
  /* after a swap of contents: keep the state; NULL */
  void (*keep)(brio_world *now, const brio_world *before);
  /* look up its bodies in the mover, or forget them; NULL: it has none */
  void (*find_bodies)(brio_world *world);
  void (*free)(void *memory);
} brio_world_part;

extern const brio_world_part *const brio_world_part_table[BRIO_WORLD_PARTS];

/* State of an axis that the world holds: by a thing in its hand, or by a disturbance.  Read by the
** simulator's thread. */
typedef struct brio_world_hold {
  char axis[BRIO_WORLD_NAME];
  int variable;                   /* of the bound robot; -1: none of that name */
  double value;                   /* measured in the newest step; NAN: unknown */
  _Atomic double lower, upper;    /* -INFINITY, INFINITY: it is free */
  double grip_lower, grip_upper;  /* range required by a hand's grip */
  double push_lower, push_upper;  /* range required by a disturbance */
} brio_world_hold;

enum { BRIO_WORLD_MOST_HOLDS = 256, BRIO_WORLD_MOST_HANDS = 8, BRIO_WORLD_MOST_BLIND = 16,
       BRIO_WORLD_MOST_BODIES = 8 };

struct brio_world {
  uint64_t seed;
  brio_world_sensor sensor;
  double time;                       /* s since the run began */
  bool led;                          /* set by brio_world_lead */
  double stepped;                    /* s: time of the last step */
  double reports;                    /* number of the newest report at sensor.rate; -1: none yet */
  brio_world_ground ground;
  void *parts[BRIO_WORLD_PARTS];     /* memory of each; NULL: none */
  brio_solid *solids;                /* nsolid, of capacity: at the last step */
  int nsolid, capacity, wanted;
  brio_world_hand hands[BRIO_WORLD_MOST_HANDS];
  int nhand;
  brio_world_body bodies[BRIO_WORLD_MOST_BODIES];
  int nbody;
  brio_world_hold holds[BRIO_WORLD_MOST_HOLDS];
  int nhold;
  struct brio_world_events *events;  /* NULL: none */
  char blind[BRIO_WORLD_MOST_BLIND][BRIO_DETECTION_KIND]; /* nblind kinds that the sensor does not see now */
  int nblind;
  const brio_robot *robot;           /* bound; NULL: none */
  int sensor_index;                  /* the link that carries the sensor; -1: none */
  brio_pose eye;                     /* of a sensor that rides on a link, in the world */
  bool eye_known;                    /* known from a step */
  brio_world_depth depth;
  bool has_depth;
  int depth_index;                   /* the link that carries it; -1: none */
  brio_pose depth_eye;               /* on a link, in the world */
  bool depth_known;                  /* known from a step */
  double pictures;                   /* number of its newest picture; -1: none yet */
  brio_vec3 body;                    /* place of the robot's first link, for which people make way */
  bool body_known;                   /* known from a step */
  const struct brio_world_mover *mover; /* moves the robot's joints; NULL: the devices do */
};

/* Reserve room for more solids.  Errors: no_memory. */
bool brio_world_reserve(brio_world *world, int solids, brio_error *err);

/* Add a solid of this step; without room it is dropped. */
void brio_world_put_solid(brio_world *world, const brio_solid *solid);

/* Collect all solids again. */
void brio_world_collect(brio_world *world);

/* Check the names of a new object: kind and id of 1 to as many letters as in detections, and the id is
** free. */
bool brio_world_check_names(const brio_world *world, const char *kind, const char *id, brio_error *err);

/* Return a stream of random numbers of an object's own. */
brio_random brio_world_stream(const brio_world *world, const char *id, const char *what);

/* Move objects until the world's time; hands keep their given poses. */
void brio_world_events_step(brio_world *world, double dt);
void brio_world_events_exchange(brio_world *world, brio_world *other);
void brio_world_events_free(brio_world *world);

/* Look up the bodies of things and doors in the mover; without one there are none. */
void brio_world_find_bodies(brio_world *world);

/* Look up the links of the robot's body.  Errors: misuse (no such link). */
bool brio_world_bodies_bind(brio_world *world, const brio_robot *robot, brio_error *err);

/* Set the poses of the robot's body from the links of `state`. */
void brio_world_bodies_look(brio_world *world, const brio_state *state);

/* Limit a hand's grip by an object of that width (m) between its fingers; 0: none. */
void brio_world_stop_grip(brio_world *world, const brio_world_hand *hand, double width);

/* Compute the ranges of held axes from grips and disturbances. */
void brio_world_hold_all(brio_world *world);

#endif
