/* The scene: persistent detections, the list of the confirmed ones (`believed`), what changed in the last
** update, named frames, and the objects that a behavior chose.  All memory except that of frames is
** allocated when the scene is created; the cost of an update is bounded by the number of slots and
** detections. */
#include "scene/scene.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/frames.h"
#include "scene/objects.h"
#include "scene/perception.h"
#include "scene/persistent/persistent.h"

enum { MAX_OBJECTS = 65536 };

/* The scene owns all of this; `believed` points into the slots of `all`. */
struct brio_scene {
  brio_persistents all;
  const brio_object **believed;  /* nbelieved of them, by number */
  int nbelieved;
  int numbers;                   /* given so far */
  brio_scene_event *events;      /* nevent, of the last update; at most two per slot */
  int nevent, next_event;
  brio_frames *frames;
  brio_objects *chosen;
};

brio_scene_options brio_scene_defaults(void) {
  return (brio_scene_options){
      .most_objects = 256, .appear_after = 3, .lost_after = 1, .same_within = 0.5, .smoothing = 0.1};
}

/* Replace what was not given (0) by its default. */
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

/* Validate the options. */
static bool check_options(const brio_scene_options *options, brio_error *err) {
  if (options->most_objects < 1 || options->most_objects > MAX_OBJECTS)
    return brio_fail(err, BRIO_MISUSE, "a scene's most_objects must be from 1 to %d, not %d", MAX_OBJECTS,
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

/* The settings of all classes, from the options. */
static brio_scene_settings settings_from(const brio_scene_options *options) {
  brio_scene_settings settings = brio_scene_settings_normal();
  settings.appear_after = options->appear_after;
  settings.lost_after = options->lost_after;
  settings.radius = options->same_within;
  settings.smoothing = options->smoothing;
  return settings;
}

/* O(most_objects) bytes, and all that is ever allocated, but for frames. */
brio_scene *brio_scene_new(const brio_scene_options *given, brio_error *err) {
  brio_scene_options options = with_defaults(given);
  if (!check_options(&options, err)) return NULL;
  size_t most = (size_t)options.most_objects;
  brio_scene *scene = calloc(1, sizeof *scene);
  if (scene) {
    scene->believed = calloc(most, sizeof *scene->believed);
    scene->events = calloc(2 * most, sizeof *scene->events);
    scene->frames = brio_frames_new(NULL);
    scene->chosen = brio_objects_new(NULL);
    if (scene->believed && scene->events && scene->frames && scene->chosen &&
        brio_persistents_start(&scene->all, options.most_objects, err)) {
      scene->all.classes.normal = settings_from(&options);
      return scene;
    }
  }
  brio_scene_free(scene);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for a scene of %d objects", options.most_objects);
  return NULL;
}

/* A scene that was made in part can be freed, too. */
void brio_scene_free(brio_scene *scene) {
  if (!scene) return;
  brio_frames_free(scene->frames);
  brio_objects_free(scene->chosen);
  brio_persistents_end(&scene->all);
  free(scene->believed);
  free(scene->events);
  free(scene);
}

/* Record a change for brio_scene_next_event. */
static void tell(brio_scene *scene, brio_scene_change change, const brio_object *object) {
  assert(scene->nevent >= 0);
  if (scene->nevent < 2 * scene->all.most)
    scene->events[scene->nevent++] = (brio_scene_event){change, *object};
}

/* Confirm an object: give it a number, and a name if it has none. */
static void believe(brio_scene *scene, brio_object *object) {
  assert(scene->nbelieved < scene->all.most && !object->believed);
  object->believed = true;
  object->number = ++scene->numbers;
  if (!object->id[0]) snprintf(object->id, sizeof object->id, "%.19s-%d", object->kind, object->number);
  /* Numbers rise, so appending keeps the list sorted. */
  scene->believed[scene->nbelieved++] = object;
  tell(scene, BRIO_SCENE_APPEARED, object);
}

/* Remove an object that is gone from the list; O(believed). */
static void disbelieve(brio_scene *scene, brio_object *object) {
  assert(object->believed);
  int i = 0;
  /* It is in the list, since it is believed. */
  while (scene->believed[i] != object) i++;
  size_t behind = (size_t)(--scene->nbelieved - i);
  memmove(&scene->believed[i], &scene->believed[i + 1], behind * sizeof *scene->believed);
  object->believed = false;
  tell(scene, BRIO_SCENE_LOST, object);
}

/* O(slots), and the cost of the matching (persistent.c). */
void brio_scene_update(brio_scene *scene, double time, const brio_detection *detections, int count) {
  brio_persistents *all = &scene->all;
  /* Unread events of the last update are dropped. */
  scene->nevent = scene->next_event = 0;
  /* Time never runs back: a clock that jumped does not empty the scene. */
  if (isfinite(time) && time > all->time) all->time = time;
  brio_persistents_take(all, detections, count);
  /* Lost things first, so that their slots' events come before new ones. */
  for (int i = 0; i < all->top; i++) {
    brio_persistent *one = &all->slots[i];
    if (!one->used || !brio_persistent_is_gone(all, one)) continue;
    if (one->object.believed) disbelieve(scene, &one->object);
    one->used = false;
  }
  /* Things that were seen often and surely enough appear. */
  for (int i = 0; i < all->top; i++) {
    brio_persistent *one = &all->slots[i];
    if (one->used && !one->object.believed && brio_persistent_is_sure(all, one)) believe(scene, &one->object);
  }
  /* Chosen objects follow the detections that they were chosen from. */
  brio_objects_follow(scene->chosen, all->time, scene->believed, scene->nbelieved);
}

brio_scene_settings brio_scene_settings_of(const brio_scene *scene, const char *kind) {
  return brio_scene_classes_settings(&scene->all.classes, kind);
}

/* Things that exist already keep the settings they began with. */
bool brio_scene_configure(brio_scene *scene, const char *kind, const brio_scene_settings *settings,
                          brio_error *err) {
  return brio_scene_classes_configure(&scene->all.classes, kind, settings, err);
}

/* Where a group changed, evidence about its classes starts again. */
bool brio_scene_confuse(brio_scene *scene, const char *kind, const char *const *others, int count,
                        brio_error *err) {
  if (!brio_scene_classes_confuse(&scene->all.classes, kind, others, count, err)) return false;
  brio_persistents_regroup(&scene->all);
  return true;
}

/* All slots in use are walked, believed or not. */
bool brio_scene_next_track(const brio_scene *scene, const char *kind, int *at, brio_scene_track *track) {
  const brio_persistents *all = &scene->all;
  /* `at` is the index of the next slot. */
  for (; *at >= 0 && *at < all->top; ++*at) {
    const brio_persistent *one = &all->slots[*at];
    if (!one->used || !brio_scene_is_kind(&one->object, kind)) continue;
    *track = (brio_scene_track){.object = one->object, .track = one->serial};
    track->history =
        brio_persistent_recall(one, all->time, &track->frequency, &track->mean_confidence);
    /* Stable: seen more than once, often enough, and surely enough. */
    track->stable = track->history > 1 && track->frequency > one->settings.stability &&
                    track->mean_confidence > one->settings.acceptance;
    ++*at;
    return true;
  }
  return false;
}

/* Changes of the chosen objects wait in a queue of their own. */
bool brio_scene_stirs(const brio_scene *scene) {
  return scene->next_event != scene->nevent || brio_objects_stir(scene->chosen);
}

/* In the order in which they happened. */
bool brio_scene_next_event(brio_scene *scene, brio_scene_event *event) {
  if (scene->next_event == scene->nevent) return false;
  *event = scene->events[scene->next_event++];
  return true;
}

/* The list is the scene's own, valid until the next update. */
int brio_scene_objects(const brio_scene *scene, const brio_object *const **objects) {
  *objects = scene->believed;
  return scene->nbelieved;
}

/* Linear: few objects are believed at once. */
const brio_object *brio_scene_find(const brio_scene *scene, const char *id) {
  for (int i = 0; i < scene->nbelieved; i++)
    if (strcmp(scene->believed[i]->id, id) == 0) return scene->believed[i];
  return NULL;
}

/* NULL stands for any kind. */
bool brio_scene_is_kind(const brio_object *object, const char *kind) {
  return !kind || strcmp(kind, object->kind) == 0;
}

/* O(believed). Of two that are equally near, the older one is returned. */
const brio_object *brio_scene_nearest(const brio_scene *scene, const char *kind, brio_vec3 point,
                                      double within) {
  const brio_object *best = NULL;
  for (int i = 0; i < scene->nbelieved; i++) {
    const brio_object *object = scene->believed[i];
    double distance = brio_perception_distance(object->pose.p, point);
    /* NaN compares false, so an object without a position is skipped. */
    if (!brio_scene_is_kind(object, kind) || !(distance <= within)) continue;
    if (best && distance == within) continue; /* as near as another: the older one stays */
    best = object;
    within = distance;
  }
  return best;
}

int brio_scene_declare_frame(brio_scene *scene, const char *name, brio_error *err) {
  return brio_frames_declare(scene->frames, name, BRIO_FRAME_WORLD, err);
}

/* The pose holds until it is set again, as a link's does. */
void brio_scene_set_frame(brio_scene *scene, int handle, brio_pose world_from_frame) {
  brio_frames_set(scene->frames, handle, scene->all.time, world_from_frame, true);
}

brio_frames *brio_scene_frames(brio_scene *scene) { return scene->frames; }

brio_objects *brio_scene_chosen(brio_scene *scene) { return scene->chosen; }

double brio_scene_time(const brio_scene *scene) { return scene->all.time; }

/* Where a chosen object or a confirmed detection is; BRIO_POSE_NEVER: there is none of that name. */
static brio_pose_answer find_thing(const brio_scene *scene, const char *name, double time, brio_pose *pose) {
  if (brio_objects_find(scene->chosen, name)) return brio_objects_pose(scene->chosen, name, time, pose);
  const brio_object *object = brio_scene_find(scene, name);
  if (!object) return BRIO_POSE_NEVER;
  /* A detection is extrapolated by its velocity, near its newest detection only. */
  double since = isnan(time) ? 0 : time - object->time;
  if (since < -BRIO_FRAMES_AHEAD) return BRIO_POSE_BEFORE;
  if (since > BRIO_FRAMES_AHEAD) return BRIO_POSE_AFTER;
  *pose = object->pose;
  pose->p = brio_vec3_add_scaled(pose->p, since, object->velocity);
  return BRIO_POSE_FOUND;
}

/* NaN is the time of the scene. */
bool brio_scene_frame_at(const brio_scene *scene, const char *name, double time, brio_pose *pose,
                         brio_error *err) {
  if (strcmp(name, "world") == 0) {
    *pose = BRIO_POSE_IDENTITY;
    return true;
  }
  /* Order of names: frames, chosen objects, detections, and last the frames' other names. */
  int handle = brio_frames_find(scene->frames, name);
  if (handle >= 0) return brio_frames_at(scene->frames, handle, time, pose, err);
  brio_pose_answer answer = find_thing(scene, name, time, pose);
  if (answer == BRIO_POSE_NEVER) handle = brio_frames_find_alias(scene->frames, name);
  if (handle >= 0) return brio_frames_at(scene->frames, handle, time, pose, err);
  switch (answer) {
    case BRIO_POSE_FOUND: return true;
    case BRIO_POSE_NEVER:
      return brio_fail(err, BRIO_UNREACHABLE,
                       "there is no frame '%s': no link, no object of the scene, nothing seen", name);
    default:
      return brio_fail(err, BRIO_UNREACHABLE, "the pose of '%s' at %.3f s is unknown: the scene is at %.3f s",
                       name, time, scene->all.time);
  }
}

bool brio_scene_frame(const brio_scene *scene, const char *name, brio_pose *pose) {
  return brio_scene_frame_at(scene, name, NAN, pose, NULL);
}

/* a_from_b, the pose of b in the frame a. */
bool brio_scene_pose(const brio_scene *scene, const char *a, const char *b, double time, brio_pose *pose,
                     brio_error *err) {
  brio_pose world_from_a, world_from_b;
  if (!brio_scene_frame_at(scene, a, time, &world_from_a, err)) return false;
  if (!brio_scene_frame_at(scene, b, time, &world_from_b, err)) return false;
  /* a_from_b = (world_from_a)^-1 world_from_b. */
  *pose = brio_pose_mul(brio_pose_inverse(world_from_a), world_from_b);
  return true;
}

/* Over all reasons, since the scene was made. */
int brio_scene_refused(const brio_scene *scene) {
  /* In 64 bits: the counters may be near their maximum. */
  const brio_scene_refusals *r = &scene->all.refusals;
  long long sum = (long long)r->bad + r->late + r->future + r->flood + r->room;
  return sum < INT_MAX ? (int)sum : INT_MAX;
}

brio_scene_refusals brio_scene_refused_why(const brio_scene *scene) { return scene->all.refusals; }
