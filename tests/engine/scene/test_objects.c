/* Scene objects: a short, bounded list whose objects follow detections, and are deleted only on request. */
#include "scene/objects.h"
#include "base/random.h"
#include "tests/check.h"

static brio_scene *scene_of(void) {
  brio_error err;
  brio_scene *scene = brio_scene_new(
      &(brio_scene_options){.appear_after = 1, .smoothing = -1, .lost_after = 0.5}, &err);
  CHECK(scene, "%s", err.message);
  return scene;
}

static brio_detection at(const char *id, double x) {
  brio_detection d = BRIO_DETECTION_BLANK;
  snprintf(d.kind, sizeof d.kind, "ball");
  snprintf(d.id, sizeof d.id, "%s", id);
  d.pose.p.x = x;
  return d;
}

/* An object that follows the detections of an id. */
static brio_scene_object following(const brio_scene *scene, const char *name, const char *id) {
  const brio_object *seen = brio_scene_find(scene, id);
  CHECK(seen, "%s is seen", id);
  brio_scene_object made = {.origin = BRIO_ORIGIN_SEEN};
  if (seen) made.number = seen->number, made.pose = seen->pose;
  snprintf(made.name, sizeof made.name, "%s", name);
  return made;
}

static void a_hundred_follow_their_own(void) {
  brio_scene *scene = scene_of();
  brio_objects *objects = brio_scene_chosen(scene);
  brio_detection list[100];
  char id[16];
  brio_error err;
  for (int i = 0; i < 100; i++) {
    snprintf(id, sizeof id, "b%d", i);
    list[i] = at(id, i);
  }
  brio_scene_update(scene, 0, list, 100);
  for (int i = 0; i < BRIO_SCENE_MOST; i++) {
    snprintf(id, sizeof id, "b%d", 99 - i);
    brio_scene_object one = following(scene, id, id);
    one.name[0] = 'o';
    CHECK(brio_objects_put(objects, &one, BRIO_OBJECT_SET_UP, NULL, &err), "%s", err.message);
  }
  for (int i = 0; i < 100; i++) list[i].pose.p.y = 2 * i;
  brio_scene_update(scene, 0.1, list, 100);
  for (int i = 0; i < BRIO_SCENE_MOST; i++) {
    const brio_scene_object *one = brio_objects_at(objects, i);
    CHECK(one && one->pose.p.x == 99 - i && one->pose.p.y == 2 * (99 - i), "object %d", i);
    brio_pose pose;
    CHECK(brio_scene_frame(scene, one->name, &pose) && pose.p.y == one->pose.p.y, "as a frame");
    CHECK(brio_scene_frame_at(scene, one->name, 0.05, &pose, &err) && fabs(pose.p.y - (99 - i)) < 1e-9,
          "halfway: %g", pose.p.y);
  }
  CHECK(!brio_objects_at(objects, BRIO_SCENE_MOST) && !brio_objects_at(objects, -1), "past its ends");
  CHECK(brio_objects_clear(objects, "ann") == BRIO_SCENE_MOST && !brio_objects_at(objects, 0), "all gone");
  brio_scene_free(scene);
}

/* Any actions in any order: names stay unique, frozen objects stay, and a look-up finds what the list has. */
static void anything_in_any_order(void) {
  brio_random random = brio_random_stream(11, "objects");
  brio_scene *scene = scene_of();
  brio_objects *objects = brio_scene_chosen(scene);
  double frozen_at[8];
  bool frozen[8] = {false};
  for (int k = 0; k < 20000; k++) {
    int i = (int)brio_random_below(&random, 8);
    char name[8];
    snprintf(name, sizeof name, "o%d", i);
    brio_detection list[2] = {at("a", 0.01 * k), at("b", -0.01 * k)};
    switch (brio_random_below(&random, 6)) {
      case 0:
      case 1: brio_scene_update(scene, k * 0.1, list, (int)brio_random_below(&random, 3)); break;
      case 2:
        frozen[i] = brio_objects_freeze(objects, name, NULL);
        if (frozen[i]) frozen_at[i] = brio_objects_find(objects, name)->pose.p.x;
        break;
      case 3:
        brio_objects_delete(objects, name, NULL);
        frozen[i] = false;
        break;
      default: {
        const brio_object *const *seen;
        int count = brio_scene_objects(scene, &seen);
        brio_scene_object one = {.origin = count ? BRIO_ORIGIN_SEEN : BRIO_ORIGIN_PLACED,
                                 .pose = BRIO_POSE_IDENTITY,
                                 .number = count ? seen[0]->number : 0};
        snprintf(one.name, sizeof one.name, "%s", name);
        CHECK(brio_objects_put(objects, &one, BRIO_OBJECT_SET_UP, NULL, NULL), "room for eight");
        frozen[i] = false;
      }
    }
    const brio_scene_object *one = brio_objects_find(objects, name);
    CHECK(!frozen[i] || (one && one->frozen && one->pose.p.x == frozen_at[i]), "frozen at step %d", k);
    for (int a = 0; brio_objects_at(objects, a); a++)
      for (int b = 0; b < a; b++)
        CHECK(strcmp(brio_objects_at(objects, a)->name, brio_objects_at(objects, b)->name) != 0,
              "twice at step %d", k);
  }
  brio_scene_free(scene);
}

static void bad_ones_are_refused(void) {
  brio_scene *scene = scene_of();
  brio_objects *objects = brio_scene_chosen(scene);
  brio_error err;
  brio_scene_object one = {.pose = BRIO_POSE_IDENTITY, .origin = BRIO_ORIGIN_PLACED};
  CHECK(!brio_objects_put(objects, &one, BRIO_OBJECT_PLACED, NULL, &err) && err.code == BRIO_MISUSE,
        "no name");
  snprintf(one.name, sizeof one.name, "x");
  one.pose.p.y = NAN;
  CHECK(!brio_objects_put(objects, &one, BRIO_OBJECT_PLACED, NULL, &err), "no number");
  one.pose.p.y = 1e7;
  CHECK(!brio_objects_put(objects, &one, BRIO_OBJECT_PLACED, NULL, &err) && strstr(err.message, "within"),
        "%s", err.message);
  one.pose.p.y = 0;
  one.size.z = INFINITY;
  CHECK(!brio_objects_put(objects, &one, BRIO_OBJECT_PLACED, NULL, &err), "endless");
  one.size.z = 1;
  CHECK(brio_objects_put(objects, &one, BRIO_OBJECT_PLACED, "ann", &err), "%s", err.message);
  brio_objects_move(objects, "x", (brio_pose){{5, 0, 0}, {0, 0, 0, 1}}, false);
  CHECK(brio_objects_find(objects, "x")->pose.p.x == 0, "only what is derived is moved");
  CHECK(!brio_objects_freeze(objects, "y", NULL) && !brio_objects_delete(objects, "y", NULL),
        "no such object");
  brio_object_event event;
  CHECK(brio_objects_next_event(objects, &event) && event.change == BRIO_OBJECT_PLACED &&
            strcmp(event.who, "ann") == 0,
        "who did it");
  CHECK(!brio_objects_next_event(objects, &event), "nothing more");
  brio_objects_free(NULL);
  brio_scene_free(scene);
}

CHECK_SUITE(CHECK_TEST(a_hundred_follow_their_own), CHECK_TEST(anything_in_any_order),
            CHECK_TEST(bad_ones_are_refused))
