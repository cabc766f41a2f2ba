/* People and objects on paths. An actor's pose depends on the time alone, so nothing is integrated, and the
** world can be evaluated at any time. Noise and lost reports come from a stream per actor: another person
** in the room does not change how the others are seen. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world_internal.h"

enum { MAX_ACTORS = 4096, MAX_WAYPOINTS = 1 << 20 };

/* An actor; the waypoints are its own copy. */
typedef struct actor {
  char kind[BRIO_DETECTION_KIND], id[BRIO_DETECTION_ID];
  brio_vec3 size;
  brio_waypoint *waypoints; /* count, times rising */
  int count;
  bool loop;
  brio_random noise, dropout;
} actor;

/* All actors; the list grows by doubling. */
typedef struct actors {
  actor *list; /* count, of capacity */
  int count, capacity;
} actors;

/* The actors of a world; NULL: none was added. */
static actors *actors_of(const brio_world *world) { return world->parts[BRIO_WORLD_PART_actors]; }

/* Free the part's memory. */
static void free_actors(void *memory) {
  actors *all = memory;
  for (int i = 0; i < all->count; i++) free(all->list[i].waypoints);
  free(all->list);
  free(all);
}

/* Validate a path: finite numbers, times rising, at least two waypoints for a loop. O(count). */
static bool check_waypoints(const char *id, const brio_waypoint *waypoints, int count, bool loop,
                            brio_error *err) {
  if (count < 1 || count > MAX_WAYPOINTS)
    return brio_fail(err, BRIO_MISUSE, "'%s' must have from 1 to %d waypoints, not %d", id, MAX_WAYPOINTS,
                     count);
  /* Each waypoint alone, then its time against the one before. */
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

/* Room for one more actor, cleared and not counted yet; NULL: no memory. */
static actor *next_actor(brio_world *world) {
  if (!actors_of(world)) world->parts[BRIO_WORLD_PART_actors] = calloc(1, sizeof(actors));
  actors *all = actors_of(world);
  if (!all) return NULL;
  /* Doubled, so that adding n costs O(n). */
  if (all->count == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 8;
    actor *more = realloc(all->list, (size_t)capacity * sizeof *more);
    if (!more) return NULL;
    all->list = more;
    all->capacity = capacity;
  }
  memset(&all->list[all->count], 0, sizeof(actor));
  return &all->list[all->count];
}

bool brio_world_add(brio_world *world, const char *kind, const char *id, brio_vec3 size,
                    const brio_waypoint *waypoints, int count, bool loop, brio_error *err) {
  if (!brio_world_check_names(world, kind, id, err) || !check_waypoints(id, waypoints, count, loop, err))
    return false;
  /* Sizes may be 0: unknown. */
  if (!brio_vec3_finite(size) || size.x < 0 || size.y < 0 || size.z < 0)
    return brio_fail(err, BRIO_MISUSE, "'%s': its size must be finite lengths of at least 0", id);
  if (actors_of(world) && actors_of(world)->count >= MAX_ACTORS)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d people and objects at most", MAX_ACTORS);
  /* Both allocations before the actor counts. */
  actor *new = next_actor(world);
  brio_waypoint *copy = calloc((size_t)count, sizeof *copy);
  if (!new || !copy) {
    free(copy);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for '%s' with %d waypoints", id, count);
  }
  /* Orientations are normalized once, so that slerp can rely on it. */
  for (int i = 0; i < count; i++) {
    copy[i] = waypoints[i];
    copy[i].pose.q = brio_quat_unit(copy[i].pose.q);
  }
  /* The actor owns the copy; the streams are named by its id. */
  *new = (actor){.size = size,
                 .waypoints = copy,
                 .count = count,
                 .loop = loop,
                 .noise = brio_world_stream(world, id, "noise"),
                 .dropout = brio_world_stream(world, id, "dropout")};
  snprintf(new->kind, sizeof new->kind, "%s", kind);
  snprintf(new->id, sizeof new->id, "%s", id);
  actors_of(world)->count++;
  return true;
}

/* The number of actors, for sensors. */
static int count_actors(const brio_world *world) { return actors_of(world)->count; }

/* Index of an actor by id; -1: none. O(actors). */
static int find_actor(const brio_world *world, const char *id) {
  const actors *all = actors_of(world);
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->list[i].id, id) == 0) return i;
  return -1;
}

/* Actors that are in both worlds keep their streams of noise. */
static void keep_actors(brio_world *now, const brio_world *before) {
  /* By id; new actors keep the streams that they began with. */
  for (int i = 0; i < actors_of(now)->count; i++) {
    actor *who = &actors_of(now)->list[i];
    int same = find_actor(before, who->id);
    if (same < 0) continue;
    who->noise = actors_of(before)->list[same].noise;
    who->dropout = actors_of(before)->list[same].dropout;
  }
}

/* Index of the last waypoint at or before `time`, which is within the path. Bisection, O(log count). */
static int waypoint_before(const actor *who, double time) {
  assert(who->count > 0 && time >= who->waypoints[0].time);
  int low = 0, high = who->count - 1;
  /* The invariant: waypoints[low] is at or before `time`. */
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (who->waypoints[middle].time <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* The pose at the world's time. False: before the path begins, or after its end; a loop has no end, a
** single waypoint lasts for ever. */
static bool actor_pose(const brio_world *world, int index, brio_pose *pose) {
  const actor *who = &actors_of(world)->list[index];
  double first = who->waypoints[0].time, last = who->waypoints[who->count - 1].time, time = world->time;
  if (time < first) return false;
  /* Within one round. */
  if (who->loop) time = first + fmod(time - first, last - first);
  else if (time > last && who->count > 1) return false;
  int i = waypoint_before(who, time);
  /* Between two waypoints: linear, and slerp for the rotation. */
  const brio_waypoint *from = &who->waypoints[i], *to = from + 1;
  if (i == who->count - 1) *pose = from->pose;
  else *pose = brio_pose_mix(from->pose, to->pose, (time - from->time) / (to->time - from->time));
  return true;
}

/* What a sensor sees of an actor; it is never hidden. False: absent. */
static bool actor_sight(brio_world *world, int index, brio_world_sight *out) {
  actor *who = &actors_of(world)->list[index];
  *out = (brio_world_sight){.kind = who->kind,
                            .id = who->id,
                            .size = who->size,
                            .oriented = true,
                            .through = true,
                            .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_actors, index),
                            .noise = &who->noise,
                            .dropout = &who->dropout};
  return actor_pose(world, index, &out->pose);
}

const brio_world_part brio_world_part_actors = {
    .name = "people and objects",
    .count = count_actors,
    .sight = actor_sight,
    .find = find_actor,
    .pose = actor_pose,
    .keep = keep_actors,
    .free = free_actors,
};
