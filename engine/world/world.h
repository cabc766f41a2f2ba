/* The simulated world: people and objects that move along scripted paths, furniture, things that lie, roll,
** fall and are carried, a robot's hands, and a sensor that reports what it sees as detections.  It has
** kinematic contact only: there are no masses and forces, and a thing that a hand has closed around moves
** with it.  One thread uses a world at a time, but for brio_world_axis_range (hand.h). */
#ifndef BRIO_WORLD_WORLD_H
#define BRIO_WORLD_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "math/detection.h"

typedef struct brio_world brio_world;

/* Probability that a detector confuses one kind with another. */
typedef struct brio_world_confusion {
  char kind[BRIO_DETECTION_KIND], as[BRIO_DETECTION_KIND];
  double share;           /* of the reports, 0 to 1 */
} brio_world_confusion;

enum { BRIO_WORLD_CONFUSIONS = 32 };

/* Description of the sensor of the world. */
typedef struct brio_world_sensor {
  brio_pose pose;         /* world_from_sensor, x forward; on a link: link_from_sensor */
  double range;           /* m: farther things are not seen; INFINITY: all */
  double view;            /* rad: full opening angle about x; 2 pi: all around */
  double noise;           /* m, standard deviation of each coordinate */
  double dropout;         /* share of reports that get lost, 0 to 1 */
  double rate;            /* Hz: reports a second; 0: every tick */
  double color_noise;     /* standard deviation of each part of a color */
  bool occlusion;         /* furniture, things and the robot's hands hide things that are behind them */
  bool identity;          /* it identifies things; else detections of things have no id */
  char link[64];          /* of the robot: the sensor is on it; "": fixed in the world */
  brio_world_confusion confusion[BRIO_WORLD_CONFUSIONS];
  int nconfusion;
} brio_world_sensor;

typedef struct brio_waypoint {
  double time;            /* s since the run began */
  brio_pose pose;         /* in the world */
} brio_waypoint;

/* A fact about an object: a number or a word. */
typedef struct brio_world_fact {
  const char *name, *text; /* text NULL: the number counts */
  double number;
} brio_world_fact;

/* Create an empty world whose sensor sees everything without noise.  Errors: no_memory. */
brio_world *brio_world_new(uint64_t seed, brio_error *err);
void brio_world_free(brio_world *world);

/* A sensor with defaults: at the world's origin, it sees everything. */
brio_world_sensor brio_world_sensor_plain(void);

/* Replace the sensor.  Errors: misuse (not finite where it must be, negative, no such link of a robot that is
** bound). */
bool brio_world_set_sensor(brio_world *world, const brio_world_sensor *sensor, brio_error *err);

/* Add a person or object that is present from its first waypoint to its last and moves between
** them linearly (turning on the shortest arc); with `loop` it starts over.  One waypoint: it
** stands there from then on.  Errors: misuse (no waypoints, times not rising, name in use). */
bool brio_world_add(brio_world *world, const char *kind, const char *id, brio_vec3 size,
                    const brio_waypoint *waypoints, int count, bool loop, brio_error *err);

/* Swap the contents (sensor, people, objects, furniture, things, events) with `other`: from now on they are
** those of `other` at this world's time. Things and doors that are in both keep their state, hands stay the
** robot's.  Neither allocates nor fails. */
void brio_world_exchange(brio_world *world, brio_world *other);

/* Set the world's time (s), which never decreases.  Only objects on paths move before the next step. */
void brio_world_advance(brio_world *world, double time);

/* From now on the caller alone sets its time, with brio_world_lead instead of brio_world_advance: times of
** devices with a clock of their own are ignored. */
void brio_world_lead(brio_world *world, double time);

/* Return the true pose of `id` now; false: it is not present. */
bool brio_world_pose(const brio_world *world, const char *id, brio_pose *pose);

/* Write the true facts of `id` in addition to its pose, at most `most`; return how many, or -1: no such id.
** Texts are valid until the next step. */
int brio_world_state(const brio_world *world, const char *id, brio_world_fact *facts, int most);

/* Write the current report of the sensor into `out`, at most `most`; return how many. */
int brio_world_detect(brio_world *world, brio_detection *out, int most);

#endif
