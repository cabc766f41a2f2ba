/* The list of scene objects: a few slots, all memory allocated with it.  Each slot has a ring of poses, so
** that past poses of an object can be queried like those of any frame.  Finding by name is O(objects), 64
** at most. */
#include "scene/objects.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/frames.h"

enum { MAX_EVENTS = 256 };

#define MAX_DISTANCE 1e6 /* m: as for detections */

/* An object with its history. */
typedef struct slot {
  brio_scene_object object;
  brio_pose_ring ring;
} slot;

/* Slots never move; `order` is the list of them. */
struct brio_objects {
  slot slots[BRIO_SCENE_MOST];
  slot *order[BRIO_SCENE_MOST]; /* all slots: those in use first, in the order of being set up */
  int count;                    /* in use */
  double time;                  /* of the newest tick */
  brio_object_event events[MAX_EVENTS];
  int first_event, nevent; /* a ring: index of the oldest, number in it */
};

brio_objects *brio_objects_new(brio_error *err) {
  brio_objects *objects = calloc(1, sizeof *objects);
  if (!objects) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the objects of a scene");
    return NULL;
  }
  for (int i = 0; i < BRIO_SCENE_MOST; i++) objects->order[i] = &objects->slots[i];
  return objects;
}

void brio_objects_free(brio_objects *objects) { free(objects); }

/* Words of the enums, in their order. */
const char *brio_object_change_word(brio_object_change change) {
  static const char *const words[] = {"set_up", "frozen", "deleted", "placed", "nudged", "stale", "seen"};
  assert(change < BRIO_OBJECT_NCHANGE);
  return words[change];
}

const char *brio_origin_word(brio_origin origin) {
  static const char *const words[] = {"seen", "placed", "derived", "nominal"};
  assert(origin <= BRIO_ORIGIN_NOMINAL);
  return words[origin];
}

/* Record a change; a full ring forgets the oldest. */
static void tell(brio_objects *objects, brio_object_change change, const brio_scene_object *object,
                 const char *who) {
  assert(objects->nevent >= 0 && objects->nevent <= MAX_EVENTS);
  if (objects->nevent == MAX_EVENTS) {
    objects->first_event = (objects->first_event + 1) % MAX_EVENTS;
    objects->nevent--;
  }
  brio_object_event *event = &objects->events[(objects->first_event + objects->nevent++) % MAX_EVENTS];
  *event = (brio_object_event){.change = change, .time = objects->time, .object = *object};
  snprintf(event->who, sizeof event->who, "%s", who ? who : "");
}

bool brio_objects_stir(const brio_objects *objects) { return objects->nevent > 0; }

/* Oldest first. */
bool brio_objects_next_event(brio_objects *objects, brio_object_event *event) {
  if (!objects->nevent) return false;
  *event = objects->events[objects->first_event];
  objects->first_event = (objects->first_event + 1) % MAX_EVENTS;
  objects->nevent--;
  return true;
}

/* Index of an object in `order`; -1: none. */
static int place_of(const brio_objects *objects, const char *name) {
  for (int i = 0; i < objects->count; i++)
    if (strcmp(objects->order[i]->object.name, name) == 0) return i;
  return -1;
}

/* The pointer is valid until the object is deleted. */
const brio_scene_object *brio_objects_find(const brio_objects *objects, const char *name) {
  int i = place_of(objects, name);
  return i >= 0 ? &objects->order[i]->object : NULL;
}

/* In the order of being set up. */
const brio_scene_object *brio_objects_at(const brio_objects *objects, int i) {
  return i >= 0 && i < objects->count ? &objects->order[i]->object : NULL;
}

/* From the object's ring, as of any frame. O(objects + log n), n poses. */
brio_pose_answer brio_objects_pose(const brio_objects *objects, const char *name, double time,
                                   brio_pose *pose) {
  int i = place_of(objects, name);
  return i < 0 ? BRIO_POSE_NEVER : brio_pose_ring_at(&objects->order[i]->ring, time, BRIO_FRAMES_AHEAD, pose);
}

/* Validate an object. Comparisons with NaN fail, so NaN is refused. */
static bool check(const brio_scene_object *wanted, brio_error *err) {
  if (!wanted->name[0]) return brio_fail(err, BRIO_MISUSE, "an object of the scene must have a name");
  if (!(brio_vec3_norm(wanted->pose.p) <= MAX_DISTANCE))
    return brio_fail(err, BRIO_LIMIT, "the object '%s' must be within %g m", wanted->name, MAX_DISTANCE);
  if (!brio_pose_finite(wanted->pose) || !brio_vec3_finite(wanted->size) ||
      !brio_vec3_finite(wanted->velocity))
    return brio_fail(err, BRIO_MISUSE, "the object '%s' must have finite numbers", wanted->name);
  return true;
}

/* Set the pose of an object from now on, and add it to the history. */
static void move(brio_objects *objects, slot *one, brio_pose pose) {
  one->object.pose = pose;
  brio_pose_ring_put(&one->ring, objects->time, pose, true, BRIO_FRAMES_SPACING);
}

/* The object is replaced as a whole; only its history goes on. */
bool brio_objects_put(brio_objects *objects, const brio_scene_object *wanted, brio_object_change change,
                      const char *who, brio_error *err) {
  if (!check(wanted, err)) return false;
  int i = place_of(objects, wanted->name);
  if (i < 0 && objects->count == BRIO_SCENE_MOST)
    return brio_fail(err, BRIO_LIMIT,
                     "the scene has no space for more than %d objects: delete one before '%s' is set up",
                     BRIO_SCENE_MOST, wanted->name);
  /* A new object takes the first free slot, whose history is another object's. */
  bool made = i < 0;
  slot *one = objects->order[made ? objects->count++ : i];
  double since = one->object.since;
  if (made) brio_pose_ring_clear(&one->ring);
  one->object = *wanted;
  /* Setting up again begins a new time; placing and nudging do not. */
  one->object.since = made || change == BRIO_OBJECT_SET_UP ? objects->time : since;
  one->object.stale = false;
  move(objects, one, wanted->pose);
  tell(objects, change, &one->object, who);
  return true;
}

/* A frozen object keeps its pose, whatever is seen. */
bool brio_objects_freeze(brio_objects *objects, const char *name, const char *who) {
  int i = place_of(objects, name);
  if (i < 0) return false;
  brio_scene_object *object = &objects->order[i]->object;
  /* Freezing twice is one change. */
  if (!object->frozen) {
    object->frozen = true;
    object->velocity = (brio_vec3){0, 0, 0};
    tell(objects, BRIO_OBJECT_FROZEN, object, who);
  }
  return true;
}

/* O(objects). */
bool brio_objects_delete(brio_objects *objects, const char *name, const char *who) {
  int i = place_of(objects, name);
  if (i < 0) return false;
  slot *gone = objects->order[i];
  tell(objects, BRIO_OBJECT_DELETED, &gone->object, who);
  /* The slot goes to the first free place; the others keep their order. */
  size_t behind = (size_t)(--objects->count - i);
  memmove(&objects->order[i], &objects->order[i + 1], behind * sizeof(slot *));
  objects->order[objects->count] = gone;
  return true;
}

/* Return how many were not frozen yet. */
int brio_objects_freeze_all(brio_objects *objects, const char *who) {
  int frozen = 0;
  for (int i = 0; i < objects->count; i++) {
    frozen += !objects->order[i]->object.frozen;
    brio_objects_freeze(objects, objects->order[i]->object.name, who);
  }
  return frozen;
}

/* Return how many there were. */
int brio_objects_clear(brio_objects *objects, const char *who) {
  int count = objects->count;
  /* From the end, so that nothing is shifted. */
  while (objects->count) brio_objects_delete(objects, objects->order[objects->count - 1]->object.name, who);
  return count;
}

/* Only derived objects move so, and only while they are not frozen. */
void brio_objects_move(brio_objects *objects, const char *name, brio_pose pose, bool stale) {
  int i = place_of(objects, name);
  /* A derived position that is not usable leaves the object where it was. */
  if (i < 0 || !brio_pose_finite(pose) || !(brio_vec3_norm(pose.p) <= MAX_DISTANCE)) return;
  slot *one = objects->order[i];
  if (one->object.origin != BRIO_ORIGIN_DERIVED || one->object.frozen) return;
  one->object.stale = stale;
  if (!stale) one->object.seen = objects->time;
  move(objects, one, pose);
}

/* The detection of that number, or NULL: bisection, as the list is sorted by number. */
static const brio_object *of_number(const brio_object *const *believed, int count, int number) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (believed[middle]->number < number) low = middle + 1;
    else high = middle;
  }
  return low < count && believed[low]->number == number ? believed[low] : NULL;
}

/* Update an object from its detection. */
static void take(brio_objects *objects, slot *one, const brio_object *seen) {
  brio_scene_object *object = &one->object;
  brio_pose pose = seen->pose;
  /* A detection without orientation keeps the object's own. */
  if (!seen->oriented && object->turned) pose.q = object->pose.q;
  /* Motion, size and confidence are the detection's. */
  object->velocity = seen->velocity;
  object->size = seen->size;
  object->confidence = seen->confidence;
  object->seen = seen->last_seen;
  object->oriented = seen->oriented;
  memcpy(object->color, seen->color, sizeof object->color);
  move(objects, one, pose);
}

/* O(objects log count). Objects that are derived or placed do not follow detections. */
void brio_objects_follow(brio_objects *objects, double time, const brio_object *const *believed, int count) {
  if (isfinite(time)) objects->time = time;
  for (int i = 0; i < objects->count; i++) {
    slot *one = objects->order[i];
    brio_scene_object *object = &one->object;
    if (object->origin != BRIO_ORIGIN_SEEN || object->frozen) continue;
    const brio_object *seen = of_number(believed, count, object->number);
    if (seen) take(objects, one, seen);
    /* Seen or stale: report each change once. */
    if (object->stale != !seen) {
      object->stale = !seen;
      if (!seen) object->velocity = (brio_vec3){0, 0, 0};
      tell(objects, seen ? BRIO_OBJECT_SEEN : BRIO_OBJECT_STALE, object, NULL);
    }
  }
}
