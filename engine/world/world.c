/* The simulated world: a list of actors, each with waypoints in time, and one sensor.
** Where an actor is follows from the time alone, so nothing is integrated and a world can be
** asked at any step.  Noise and lost reports are drawn from a stream per actor: one more
** person in the room does not change how the others are seen. */
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { MOST_ACTORS = 4096, MOST_WAYPOINTS = 1 << 20 };

typedef struct actor {
  char kind[BRIO_DETECTION_KIND], id[BRIO_DETECTION_ID];
  brio_vec3 size;
  brio_waypoint *waypoints; /* count, times rising */
  int count;
  bool loop;
  brio_random noise, dropout;
} actor;

struct brio_world {
  uint64_t seed;
  brio_world_sensor sensor;
  actor *actors; /* count, of capacity */
  int count, capacity;
  double time;    /* s since the run began */
  double reports; /* number of the newest report at sensor.rate; -1: none yet */
};

brio_world *brio_world_new(uint64_t seed, brio_error *err) {
  brio_world *world = calloc(1, sizeof *world);
  if (!world) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a world");
    return NULL;
  }
  world->seed = seed;
  world->reports = -1;
  world->sensor = (brio_world_sensor){.pose = BRIO_POSE_IDENTITY, .range = INFINITY, .view = 2 * BRIO_PI};
  return world;
}

void brio_world_free(brio_world *world) {
  if (!world) return;
  for (int i = 0; i < world->count; i++) free(world->actors[i].waypoints);
  free(world->actors);
  free(world);
}

bool brio_world_set_sensor(brio_world *world, const brio_world_sensor *sensor, brio_error *err) {
  const struct { const char *name; double value, lower, upper; } checks[] = {
      {"range", sensor->range, 0, INFINITY},  {"view", sensor->view, 0, 2 * BRIO_PI},
      {"noise", sensor->noise, 0, 1e3},       {"dropout", sensor->dropout, 0, 1},
      {"rate", sensor->rate, 0, 1e6},
  };
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!(checks[i].value >= checks[i].lower && checks[i].value <= checks[i].upper))
      return brio_fail(err, BRIO_MISUSE, "the world's sensor: %s must be a number from %g to %g, not %g",
                       checks[i].name, checks[i].lower, checks[i].upper, checks[i].value);
  if (!brio_pose_finite(sensor->pose))
    return brio_fail(err, BRIO_MISUSE, "the world's sensor: its pose must be finite numbers");
  world->sensor = *sensor;
  world->sensor.pose.q = brio_quat_unit(sensor->pose.q);
  return true;
}

/* The actor of that id, or NULL. */
static actor *find_actor(const brio_world *world, const char *id) {
  for (int i = 0; i < world->count; i++)
    if (strcmp(world->actors[i].id, id) == 0) return &world->actors[i];
  return NULL;
}

static bool check_names(const brio_world *world, const char *kind, const char *id, brio_error *err) {
  if (!kind || !*kind || strlen(kind) >= BRIO_DETECTION_KIND)
    return brio_fail(err, BRIO_MISUSE, "a kind in the world must have 1 to %d letters, not '%.64s'",
                     BRIO_DETECTION_KIND - 1, kind ? kind : "");
  if (!id || !*id || strlen(id) >= BRIO_DETECTION_ID)
    return brio_fail(err, BRIO_MISUSE, "an id in the world must have 1 to %d letters, not '%.64s'",
                     BRIO_DETECTION_ID - 1, id ? id : "");
  if (find_actor(world, id)) return brio_fail(err, BRIO_MISUSE, "the world already has a '%s'", id);
  return true;
}

static bool check_waypoints(const char *id, const brio_waypoint *waypoints, int count, bool loop,
                            brio_error *err) {
  if (count < 1 || count > MOST_WAYPOINTS)
    return brio_fail(err, BRIO_MISUSE, "'%s' must have from 1 to %d waypoints, not %d", id,
                     MOST_WAYPOINTS, count);
  for (int i = 0; i < count; i++) {
    if (!isfinite(waypoints[i].time) || !brio_pose_finite(waypoints[i].pose))
      return brio_fail(err, BRIO_MISUSE, "'%s': waypoint %d must be finite numbers", id, i + 1);
    if (i > 0 && !(waypoints[i].time > waypoints[i - 1].time))
      return brio_fail(err, BRIO_MISUSE,
                       "'%s': waypoint %d at %g s must be later than the one before, at %g s", id, i + 1,
                       waypoints[i].time, waypoints[i - 1].time);
  }
  if (loop && count < 2)
    return brio_fail(err, BRIO_MISUSE, "'%s': a path that loops must have at least two waypoints", id);
  return true;
}

/* Make room for one more actor.  Return it, zeroed and not yet counted, or NULL. */
static actor *next_actor(brio_world *world) {
  if (world->count == world->capacity) {
    int capacity = world->capacity ? 2 * world->capacity : 8;
    actor *more = realloc(world->actors, (size_t)capacity * sizeof *more);
    if (!more) return NULL;
    world->actors = more;
    world->capacity = capacity;
  }
  memset(&world->actors[world->count], 0, sizeof(actor));
  return &world->actors[world->count];
}

/* A stream of the actor's own. */
static brio_random stream_of(const brio_world *world, const char *id, const char *what) {
  char name[BRIO_DETECTION_ID + 32];
  snprintf(name, sizeof name, "world.%s.%s", what, id);
  return brio_random_stream(world->seed, name);
}

bool brio_world_add(brio_world *world, const char *kind, const char *id, brio_vec3 size,
                    const brio_waypoint *waypoints, int count, bool loop, brio_error *err) {
  if (!check_names(world, kind, id, err) || !check_waypoints(id, waypoints, count, loop, err)) return false;
  if (!brio_vec3_finite(size) || size.x < 0 || size.y < 0 || size.z < 0)
    return brio_fail(err, BRIO_MISUSE, "'%s': its size must be finite lengths of at least 0", id);
  if (world->count >= MOST_ACTORS)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d people and objects at most", MOST_ACTORS);
  actor *new = next_actor(world);
  brio_waypoint *copy = calloc((size_t)count, sizeof *copy);
  if (!new || !copy) {
    free(copy);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for '%s' with %d waypoints", id, count);
  }
  for (int i = 0; i < count; i++) {
    copy[i] = waypoints[i];
    copy[i].pose.q = brio_quat_unit(copy[i].pose.q);
  }
  *new = (actor){.size = size, .waypoints = copy, .count = count, .loop = loop,
                 .noise = stream_of(world, id, "noise"), .dropout = stream_of(world, id, "dropout")};
  snprintf(new->kind, sizeof new->kind, "%s", kind);
  snprintf(new->id, sizeof new->id, "%s", id);
  world->count++;
  return true;
}

void brio_world_exchange(brio_world *world, brio_world *other) {
  for (int i = 0; i < other->count; i++) { /* who stays is seen with the same noise */
    const actor *same = find_actor(world, other->actors[i].id);
    if (!same) continue;
    other->actors[i].noise = same->noise;
    other->actors[i].dropout = same->dropout;
  }
  brio_world taken = *other;
  other->sensor = world->sensor;
  other->actors = world->actors;
  other->count = world->count;
  other->capacity = world->capacity;
  world->sensor = taken.sensor;
  world->actors = taken.actors;
  world->count = taken.count;
  world->capacity = taken.capacity;
}

void brio_world_advance(brio_world *world, double time) {
  if (time > world->time && isfinite(time)) world->time = time;
}

/* The newest waypoint that is not later than `time`, which is within the path. */
static int waypoint_before(const actor *who, double time) {
  int low = 0, high = who->count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (who->waypoints[middle].time <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* Where the actor is at `time`; false: not there. */
static bool actor_pose(const actor *who, double time, brio_pose *pose) {
  double first = who->waypoints[0].time, last = who->waypoints[who->count - 1].time;
  if (time < first) return false;
  if (who->loop) time = first + fmod(time - first, last - first);
  else if (time > last && who->count > 1) return false;
  int i = waypoint_before(who, time);
  const brio_waypoint *from = &who->waypoints[i], *to = from + 1;
  if (i == who->count - 1) *pose = from->pose;
  else *pose = brio_pose_mix(from->pose, to->pose, (time - from->time) / (to->time - from->time));
  return true;
}

bool brio_world_pose(const brio_world *world, const char *id, brio_pose *pose) {
  const actor *who = find_actor(world, id);
  return who && actor_pose(who, world->time, pose);
}

/* Is the point in the sensor's range and cone? */
static bool in_view(const brio_world_sensor *sensor, brio_vec3 point) {
  brio_vec3 ray = brio_quat_rotate(brio_quat_conj(sensor->pose.q), brio_vec3_sub(point, sensor->pose.p));
  if (brio_vec3_norm(ray) > sensor->range) return false;
  return fabs(atan2(hypot(ray.y, ray.z), ray.x)) <= sensor->view / 2 + 1e-12;
}

/* Is a report due?  At most one in each period of the sensor's rate. */
static bool report_due(brio_world *world) {
  if (world->sensor.rate == 0) return true;
  double number = floor(world->time * world->sensor.rate + 1e-9);
  if (number <= world->reports) return false;
  world->reports = number;
  return true;
}

int brio_world_detect(brio_world *world, brio_detection *out, int most) {
  if (!report_due(world)) return 0;
  const brio_world_sensor *sensor = &world->sensor;
  int n = 0;
  for (int i = 0; i < world->count && n < most; i++) {
    actor *who = &world->actors[i];
    brio_pose pose;
    if (!actor_pose(who, world->time, &pose) || !in_view(sensor, pose.p)) continue;
    if (sensor->dropout > 0 && brio_random_uniform(&who->dropout, 0, 1) < sensor->dropout) continue;
    if (sensor->noise > 0) {
      pose.p.x += sensor->noise * brio_random_normal(&who->noise);
      pose.p.y += sensor->noise * brio_random_normal(&who->noise);
      pose.p.z += sensor->noise * brio_random_normal(&who->noise);
    }
    out[n] = BRIO_DETECTION_BLANK;
    out[n].pose = pose;
    out[n].size = who->size;
    out[n].oriented = true;
    memcpy(out[n].kind, who->kind, sizeof out[n].kind);
    memcpy(out[n].id, who->id, sizeof out[n].id);
    n++;
  }
  return n;
}
