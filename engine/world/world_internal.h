/* What the files of this room share: the world's struct and its parts.
**
** A part is a kind of what is in the world (people and objects on paths, furniture, things, ...): a record in
** a file of its own and a row in parts.def.  It keeps its own memory, made when the first of its kind is
** added. */
#ifndef BRIO_WORLD_WORLD_INTERNAL_H
#define BRIO_WORLD_WORLD_INTERNAL_H

#include <stdatomic.h>

#include "base/random.h"
#include "world/body.h"
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

/* Something that a sensor may see. */
typedef struct brio_world_sight {
  const char *kind, *id;       /* id "": the sensor does not know who it is */
  brio_pose pose;
  brio_vec3 size;
  const float *color;          /* sRGB; NULL: unknown */
  bool oriented;
  bool through;                /* seen whatever stands before it, as people and objects on paths are */
  int owner;
  brio_random *noise, *dropout; /* streams of its own: what else is there does not change how it is seen */
} brio_world_sight;

typedef struct brio_world_part {
  const char *name;
  void (*step)(brio_world *world, double dt);            /* dt > 0; NULL: nothing moves by itself */
  void (*solids)(brio_world *world);                     /* brio_world_put_solid each; NULL: none */
  int (*count)(const brio_world *world);                 /* how many there are */
  /* false: not there now; NULL: never seen */
  bool (*sight)(brio_world *world, int index, brio_world_sight *out);
  int (*find)(const brio_world *world, const char *id);  /* which one has that id; -1: none */
  bool (*pose)(const brio_world *world, int index, brio_pose *pose);  /* false: not there now */
  const char *(*name_of)(const brio_world *world, int index); /* its id; NULL: things on it lie on a `name` */
  /* NULL: nothing besides */
  int (*state)(const brio_world *world, int index, brio_world_fact *facts, int most);
  /* after an exchange: what goes on as it was; NULL */
  void (*keep)(brio_world *now, const brio_world *before);
  void (*free)(void *memory);
} brio_world_part;

extern const brio_world_part *const brio_world_part_table[BRIO_WORLD_PARTS];

/* Where an axis of the robot is held by the world: by what its hand has shut around, by someone who pushes
** it.  Read by the simulator's thread. */
typedef struct brio_world_hold {
  char axis[BRIO_WORLD_NAME];
  int variable;                   /* of the robot that is bound; -1: none of that name */
  double value;                   /* measured in the newest step; NAN: not known */
  _Atomic double lower, upper;    /* -INFINITY, INFINITY: it is free */
  double grip_lower, grip_upper;  /* what a hand's grip asks for */
  double push_lower, push_upper;  /* what a disturbance asks for */
} brio_world_hold;

enum { BRIO_WORLD_MOST_HOLDS = 256, BRIO_WORLD_MOST_HANDS = 8, BRIO_WORLD_MOST_BLIND = 16,
       BRIO_WORLD_MOST_BODIES = 8 };

struct brio_world {
  uint64_t seed;
  brio_world_sensor sensor;
  double time;                       /* s since the run began */
  bool led;                          /* by who steps it: see brio_world_lead */
  double stepped;                    /* s: until when things have moved */
  double reports;                    /* number of the newest report at sensor.rate; -1: none yet */
  void *parts[BRIO_WORLD_PARTS];     /* memory of each; NULL: none */
  brio_solid *solids;                /* nsolid, of capacity: as things stand since the last step */
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
  bool eye_known;                    /* a step has told */
  brio_world_depth depth;
  bool has_depth;
  int depth_index;                   /* the link that carries it; -1: none */
  brio_pose depth_eye;               /* on a link, in the world */
  bool depth_known;                  /* a step has told */
  double pictures;                   /* number of its newest picture; -1: none yet */
  brio_vec3 body;                    /* where the robot's first link is: what people make way for */
  bool body_known;                   /* a step has told */
};

/* Let there be room for so many more solids.  Errors: no_memory. */
bool brio_world_reserve(brio_world *world, int solids, brio_error *err);

/* Note a solid of this moment; what finds no room is left out. */
void brio_world_put_solid(brio_world *world, const brio_solid *solid);

/* Collect all solids again. */
void brio_world_collect(brio_world *world);

/* Check the names of something new: kind and id of 1 to as many letters as detections hold, and the id is
** free. */
bool brio_world_check_names(const brio_world *world, const char *kind, const char *id, brio_error *err);

/* Return a stream of random numbers of something's own. */
brio_random brio_world_stream(const brio_world *world, const char *id, const char *what);

/* Move what moves until the world's time; hands stand where they were told to be. */
void brio_world_events_step(brio_world *world, double dt);
void brio_world_events_exchange(brio_world *world, brio_world *other);
void brio_world_events_free(brio_world *world);

/* Look up the links of the robot's body.  Errors: misuse (no such link). */
bool brio_world_bodies_bind(brio_world *world, const brio_robot *robot, brio_error *err);

/* The robot's body stands where `state` has its links. */
void brio_world_bodies_look(brio_world *world, const brio_state *state);

/* Let a hand's grip be stopped by something of that width (m) between its fingers; 0: by nothing. */
void brio_world_stop_grip(brio_world *world, const brio_world_hand *hand, double width);

/* Work out where axes are held from what grips and disturbances ask for. */
void brio_world_hold_all(brio_world *world);

#endif
