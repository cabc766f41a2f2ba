/* The simulated world: people and objects that move along scripted paths, and a sensor
** that reports them as detections.  Nothing pushes anything here: it is a stage for
** behaviors, and says so wherever it is used.  No physics, no contact. */
#ifndef BRIO_WORLD_WORLD_H
#define BRIO_WORLD_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "math/detection.h"

typedef struct brio_world brio_world;

/* What the sensor that watches the world is like. */
typedef struct brio_world_sensor {
  brio_pose pose;         /* world_from_sensor, x forward */
  double range;           /* m: farther things are not seen; INFINITY: all */
  double view;            /* rad: full opening angle about x; 2 pi: all around */
  double noise;           /* m, standard deviation of each coordinate */
  double dropout;         /* share of reports that get lost, 0 to 1 */
  double rate;            /* Hz: reports a second; 0: every tick */
} brio_world_sensor;

typedef struct brio_waypoint {
  double time;            /* s since the run began */
  brio_pose pose;         /* in the world */
} brio_waypoint;

/* Make an empty world whose sensor sees everything without noise.  Errors: no_memory. */
brio_world *brio_world_new(uint64_t seed, brio_error *err);
void brio_world_free(brio_world *world);

/* Replace the sensor.  Errors: misuse (not finite where it must be, negative). */
bool brio_world_set_sensor(brio_world *world, const brio_world_sensor *sensor, brio_error *err);

/* Add a person or object that is there from its first waypoint to its last and moves between
** them linearly (turning on the shortest arc); with `loop` it starts over.  One waypoint: it
** stands there from then on.  Errors: misuse (no waypoints, times not rising, name in use). */
bool brio_world_add(brio_world *world, const char *kind, const char *id, brio_vec3 size,
                    const brio_waypoint *waypoints, int count, bool loop, brio_error *err);

/* Take what is in `other` (sensor, people, objects) and leave it what was here: from now on everything
** moves as its new path says at this world's time.  Neither allocates nor fails. */
void brio_world_exchange(brio_world *world, brio_world *other);

/* Set the world's time (s); it only goes forward. */
void brio_world_advance(brio_world *world, double time);

/* Return the true pose of `id` now; false: it is not there. */
bool brio_world_pose(const brio_world *world, const char *id, brio_pose *pose);

/* Write what the sensor reports now into `out`, at most `most`; return how many. */
int brio_world_detect(brio_world *world, brio_detection *out, int most);

#endif
