/* The scene: slots for objects (the tracker's), the list of those believed, what changed in
** the last update, and named frames.  All memory but that of frames is taken when the scene is
** made; an update is bounded by the number of slots and detections. */
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/perception.h"
#include "scene/tracker.h"

enum { MOST_OBJECTS = 65536, MOST_FRAMES = 16384 };

typedef struct frame {
  char *name;
  brio_pose pose;  /* world_from_frame */
  bool set;
} frame;

struct brio_scene {
  brio_tracker tracker;
  const brio_object **believed;  /* nbelieved, by number */
  int nbelieved;
  int numbers;                   /* given so far */
  brio_scene_event *events;      /* nevent of the last update, at most 2 a slot */
  int nevent, next_event;
  frame *frames;                 /* nframe, of capacity */
  int nframe, capacity;
};

brio_scene_options brio_scene_defaults(void) {
  return (brio_scene_options){
      .most_objects = 256, .appear_after = 3, .lost_after = 1, .same_within = 0.5, .smoothing = 0.1};
}

/* Put defaults where nothing was asked for. */
static brio_scene_options with_defaults(const brio_scene_options *given) {
  brio_scene_options options = brio_scene_defaults();
  if (!given) return options;
  if (given->most_objects != 0) options.most_objects = given->most_objects;
  if (given->appear_after != 0) options.appear_after = given->appear_after;
  if (given->lost_after != 0) options.lost_after = given->lost_after;
  if (given->same_within != 0) options.same_within = given->same_within;
  if (given->smoothing != 0) options.smoothing = given->smoothing;
  return options;
}

static bool check_options(const brio_scene_options *options, brio_error *err) {
  if (options->most_objects < 1 || options->most_objects > MOST_OBJECTS)
    return brio_fail(err, BRIO_MISUSE, "a scene's most_objects must be from 1 to %d, not %d", MOST_OBJECTS,
                     options->most_objects);
  if (options->appear_after < 1)
    return brio_fail(err, BRIO_MISUSE, "a scene's appear_after must be at least 1, not %d",
                     options->appear_after);
  if (!(options->lost_after > 0))
    return brio_fail(err, BRIO_MISUSE, "a scene's lost_after must be above 0 s, not %g", options->lost_after);
  if (!(options->same_within > 0))
    return brio_fail(err, BRIO_MISUSE, "a scene's same_within must be above 0 m, not %g",
                     options->same_within);
  if (!isfinite(options->smoothing))
    return brio_fail(err, BRIO_MISUSE, "a scene's smoothing must be finite, not %g", options->smoothing);
  return true;
}

brio_scene *brio_scene_new(const brio_scene_options *given, brio_error *err) {
  brio_scene_options options = with_defaults(given);
  if (!check_options(&options, err)) return NULL;
  size_t most = (size_t)options.most_objects;
  brio_scene *scene = calloc(1, sizeof *scene);
  if (scene) {
    scene->tracker.options = options;
    scene->tracker.tracks = calloc(most, sizeof *scene->tracker.tracks);
    scene->believed = calloc(most, sizeof *scene->believed);
    scene->events = calloc(2 * most, sizeof *scene->events);
    if (scene->tracker.tracks && scene->believed && scene->events) return scene;
  }
  brio_scene_free(scene);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for a scene of %d objects", options.most_objects);
  return NULL;
}

void brio_scene_free(brio_scene *scene) {
  if (!scene) return;
  for (int i = 0; i < scene->nframe; i++) free(scene->frames[i].name);
  free(scene->frames);
  free(scene->tracker.tracks);
  free(scene->believed);
  free(scene->events);
  free(scene);
}

/* Remember a change for whoever asks. */
static void tell(brio_scene *scene, brio_scene_change change, const brio_object *object) {
  if (scene->nevent < 2 * scene->tracker.options.most_objects)
    scene->events[scene->nevent++] = (brio_scene_event){change, *object};
}

/* Begin to believe in an object: number it, name it if nobody did. */
static void believe(brio_scene *scene, brio_object *object) {
  object->believed = true;
  object->number = ++scene->numbers;
  if (!object->id[0]) snprintf(object->id, sizeof object->id, "%.19s-%d", object->kind, object->number);
  scene->believed[scene->nbelieved++] = object;
  tell(scene, BRIO_SCENE_APPEARED, object);
}

/* Take an object that is gone off the list. */
static void disbelieve(brio_scene *scene, brio_object *object) {
  int i = 0;
  while (scene->believed[i] != object) i++;
  size_t behind = (size_t)(--scene->nbelieved - i);
  memmove(&scene->believed[i], &scene->believed[i + 1], behind * sizeof *scene->believed);
  object->believed = false;
  tell(scene, BRIO_SCENE_LOST, object);
}

void brio_scene_update(brio_scene *scene, double time, const brio_detection *detections, int count) {
  brio_tracker *tracker = &scene->tracker;
  scene->nevent = scene->next_event = 0;
  if (isfinite(time) && time > tracker->time) tracker->time = time;
  brio_tracker_take(tracker, detections, count);
  for (int i = 0; i < tracker->options.most_objects; i++) {
    brio_track *track = &tracker->tracks[i];
    if (!track->used || !brio_tracker_is_gone(tracker, track)) continue;
    if (track->object.believed) disbelieve(scene, &track->object);
    track->used = false;
  }
  for (int i = 0; i < tracker->options.most_objects; i++) {
    brio_track *track = &tracker->tracks[i];
    if (track->used && !track->object.believed && brio_tracker_is_sure(tracker, track))
      believe(scene, &track->object);
  }
}

bool brio_scene_next_event(brio_scene *scene, brio_scene_event *event) {
  if (scene->next_event == scene->nevent) return false;
  *event = scene->events[scene->next_event++];
  return true;
}

int brio_scene_objects(const brio_scene *scene, const brio_object *const **objects) {
  *objects = scene->believed;
  return scene->nbelieved;
}

const brio_object *brio_scene_find(const brio_scene *scene, const char *id) {
  for (int i = 0; i < scene->nbelieved; i++)
    if (strcmp(scene->believed[i]->id, id) == 0) return scene->believed[i];
  return NULL;
}

bool brio_scene_is_kind(const brio_object *object, const char *kind) {
  return !kind || strcmp(kind, object->kind) == 0;
}

const brio_object *brio_scene_nearest(const brio_scene *scene, const char *kind, brio_vec3 point,
                                      double within) {
  const brio_object *best = NULL;
  for (int i = 0; i < scene->nbelieved; i++) {
    const brio_object *object = scene->believed[i];
    double distance = brio_perception_distance(object->pose.p, point);
    if (!brio_scene_is_kind(object, kind) || !(distance <= within)) continue;
    if (best && distance == within) continue; /* as near as another: the older one stays */
    best = object;
    within = distance;
  }
  return best;
}

/* The handle of the frame of that name, or -1. */
static int find_frame(const brio_scene *scene, const char *name) {
  for (int i = 0; i < scene->nframe; i++)
    if (strcmp(scene->frames[i].name, name) == 0) return i;
  return -1;
}

/* Make room for one more frame. */
static bool grow_frames(brio_scene *scene) {
  if (scene->nframe < scene->capacity) return true;
  int capacity = scene->capacity ? 2 * scene->capacity : 32;
  frame *more = realloc(scene->frames, (size_t)capacity * sizeof *more);
  if (!more) return false;
  scene->frames = more;
  scene->capacity = capacity;
  return true;
}

static int refuse_frame(brio_error *err, brio_code code, const char *sentence) {
  brio_fail(err, code, "%s", sentence);
  return -1;
}

int brio_scene_declare_frame(brio_scene *scene, const char *name, brio_error *err) {
  if (!name || !*name) return refuse_frame(err, BRIO_MISUSE, "a frame of the scene must have a name");
  int handle = find_frame(scene, name);
  if (handle >= 0) return handle;
  if (scene->nframe >= MOST_FRAMES) return refuse_frame(err, BRIO_LIMIT, "the scene holds no more frames");
  char *copy = strdup(name);
  if (!copy || !grow_frames(scene)) {
    free(copy);
    return refuse_frame(err, BRIO_NO_MEMORY, "no memory for a frame of the scene");
  }
  scene->frames[scene->nframe] = (frame){.name = copy, .pose = BRIO_POSE_IDENTITY};
  return scene->nframe++;
}

void brio_scene_set_frame(brio_scene *scene, int handle, brio_pose world_from_frame) {
  if (handle < 0 || handle >= scene->nframe || !brio_pose_finite(world_from_frame)) return;
  scene->frames[handle].pose = world_from_frame;
  scene->frames[handle].set = true;
}

bool brio_scene_frame(const brio_scene *scene, const char *name, brio_pose *pose) {
  int handle = find_frame(scene, name);
  const brio_object *object = handle < 0 ? brio_scene_find(scene, name) : NULL;
  if (handle >= 0) *pose = scene->frames[handle].pose;
  if (object) *pose = object->pose;
  return object != NULL || (handle >= 0 && scene->frames[handle].set);
}

int brio_scene_refused(const brio_scene *scene) { return scene->tracker.refused; }
