/* The scene: objects appear, keep their identity, and are lost. */
#include "base/random.h"
#include "scene/scene.h"
#include "tests/check.h"

static brio_detection seen(const char *kind, const char *id, double x, double y) {
  brio_detection d = BRIO_DETECTION_BLANK;
  d.pose.p = (brio_vec3){x, y, 1.6};
  d.size = (brio_vec3){0.5, 0.5, 1.7};
  d.confidence = 0.9;
  snprintf(d.kind, sizeof d.kind, "%s", kind);
  snprintf(d.id, sizeof d.id, "%s", id);
  return d;
}

static brio_scene *scene_with(const brio_scene_options *options) {
  brio_error err;
  brio_scene *scene = brio_scene_new(options, &err);
  CHECK(scene, "%s", err.message);
  return scene;
}

/* The number of times `change` happened in the last update. */
static int changes(brio_scene *scene, brio_scene_change change) {
  brio_scene_event event;
  int n = 0;
  while (brio_scene_next_event(scene, &event)) n += event.change == change;
  return n;
}

static int objects(const brio_scene *scene) {
  const brio_object *const *list;
  return brio_scene_objects(scene, &list);
}

static void appears_and_is_lost(void) {
  brio_scene *scene = scene_with(NULL);
  brio_detection d = seen("person", "", 1, 0);
  brio_scene_event event;
  for (int k = 0; k < 2; k++) {
    brio_scene_update(scene, k * 0.1, &d, 1);
    CHECK(objects(scene) == 0 && changes(scene, BRIO_SCENE_APPEARED) == 0, "believed after %d", k + 1);
  }
  brio_scene_update(scene, 0.2, &d, 1);
  CHECK(brio_scene_next_event(scene, &event) && event.change == BRIO_SCENE_APPEARED, "no event");
  CHECK(strcmp(event.object.id, "person-1") == 0 && event.object.number == 1, "id %s", event.object.id);
  CHECK(!brio_scene_next_event(scene, &event), "told twice");
  brio_scene_update(scene, 1.2, NULL, 0);
  CHECK(objects(scene) == 1, "lost after exactly its time");
  brio_scene_update(scene, 1.25, NULL, 0);
  CHECK(brio_scene_next_event(scene, &event) && event.change == BRIO_SCENE_LOST, "not lost");
  CHECK(event.object.sightings == 3 && event.object.first_seen == 0 && event.object.last_seen == 0.2,
        "its story");
  CHECK(objects(scene) == 0 && !brio_scene_find(scene, "person-1"), "still there");
  for (int k = 0; k < 3; k++) brio_scene_update(scene, 2 + k * 0.1, &d, 1);
  CHECK(brio_scene_find(scene, "person-2") != NULL, "comes back as another");
  brio_scene_free(scene);
  brio_scene_free(NULL);
}

static void flicker_is_tolerated(void) {
  brio_random random = brio_random_stream(5, "flicker");
  brio_scene *scene = scene_with(NULL);
  int appeared = 0, lost = 0;
  for (int k = 0; k < 3000; k++) { /* half of the reports at 30 Hz are missing */
    brio_detection d =
        seen("person", "", 1 + 0.02 * brio_random_normal(&random), 0.02 * brio_random_normal(&random));
    brio_scene_update(scene, k / 30.0, &d, brio_random_below(&random, 2) == 0);
    const brio_object *who = brio_scene_find(scene, "person-1");
    brio_scene_event event;
    while (brio_scene_next_event(scene, &event)) *(event.change == BRIO_SCENE_LOST ? &lost : &appeared) += 1;
    CHECK(!who || brio_vec3_norm(brio_vec3_sub(who->pose.p, (brio_vec3){1, 0, 1.6})) < 0.1, "strays at %d",
          k);
  }
  CHECK(appeared == 1 && lost == 0, "appeared %d times, lost %d times", appeared, lost);
  brio_scene_free(scene);
}

/* Two unnamed people walk past each other; their order in the list must not matter. */
static void identity_is_kept_while_two_cross(void) {
  for (int run = 0; run < 60; run++) {
    brio_random random = brio_random_stream((uint64_t)run, "cross");
    double apart = brio_random_uniform(&random, 0.4, 1.5), speed = brio_random_uniform(&random, 0.3, 2);
    double noise = brio_random_uniform(&random, 0, 0.02);
    brio_scene *scene = scene_with(NULL);
    for (int k = 0; k < (int)(4 / speed * 30); k++) {
      double x = -2 + speed * k / 30.0;
      brio_detection both[2] = {seen("person", "", x + noise * brio_random_normal(&random), 0),
                                seen("person", "", -x + noise * brio_random_normal(&random), apart)};
      brio_detection swapped[2] = {both[1], both[0]};
      bool swap = k > 3 && brio_random_below(&random, 2);
      brio_scene_update(scene, k / 30.0, swap ? swapped : both, 2);
      CHECK(k < 2 || objects(scene) == 2, "run %d: %d people at %d", run, objects(scene), k);
    }
    const brio_object *one = brio_scene_find(scene, "person-1"), *two = brio_scene_find(scene, "person-2");
    CHECK(one && two && one->pose.p.x > 1.5 && two->pose.p.x < -1.5, "run %d: swapped", run);
    CHECK(one && fabs(one->velocity.x - speed) < 0.4, "run %d: velocity %g of %g", run,
          one ? one->velocity.x : 0, speed);
    brio_scene_free(scene);
  }
}

static void follows_a_steady_walk_without_lag(void) {
  brio_scene *scene = scene_with(NULL);
  for (int k = 0; k < 200; k++) {
    brio_detection d = seen("cup", "", 0.01 * k, -0.02 * k);
    brio_scene_update(scene, k * 0.02, &d, 1);
  }
  const brio_object *cup = brio_scene_find(scene, "cup-1");
  CHECK(cup && fabs(cup->pose.p.x - 1.99) < 1e-6 && fabs(cup->pose.p.y + 3.98) < 1e-6, "lags");
  CHECK(cup && fabs(cup->velocity.x - 0.5) < 1e-6 && fabs(cup->velocity.y + 1) < 1e-6, "velocity");
  brio_scene_free(scene);
}

static void without_smoothing_objects_are_where_they_are_seen(void) {
  brio_scene_options options = {.smoothing = -1, .appear_after = 1};
  brio_scene *scene = scene_with(&options);
  brio_detection d = seen("cup", "", 0, 0), e = seen("cup", "", 0.2, 0);
  brio_scene_update(scene, 0, &d, 1);
  brio_scene_update(scene, 0.1, &e, 1);
  const brio_object *cup = brio_scene_find(scene, "cup-1");
  CHECK(cup && cup->pose.p.x == 0.2 && fabs(cup->velocity.x - 2) < 1e-12, "smoothed");
  brio_scene_free(scene);
}

static void names_win_over_places(void) {
  brio_scene_options options = {.appear_after = 1};
  brio_scene *scene = scene_with(&options);
  brio_detection first[] = {seen("person", "ann", 0, 0), seen("person", "bob", 0.3, 0),
                            seen("cup", "ann", 0, 0)};
  brio_scene_update(scene, 0, first, 3);
  CHECK(objects(scene) == 3, "%d objects", objects(scene));
  brio_detection then[] = {seen("person", "", 0.29, 0), seen("person", "ann", 0.3, 0.1)};
  brio_scene_update(scene, 0.1, then, 2);
  CHECK(objects(scene) == 3, "an unnamed detection near bob is bob");
  CHECK(brio_scene_find(scene, "bob")->last_seen == 0.1 && brio_scene_find(scene, "ann")->last_seen == 0.1,
        "seen");
  brio_scene_update(scene, 0.2, (brio_detection[]){seen("person", "ann", 5, 5)}, 1);
  CHECK(objects(scene) == 3, "a name that jumps is the same");
  brio_scene_update(scene, 0.3, (brio_detection[]){seen("person", "", 2, 2)}, 1);
  CHECK(objects(scene) == 4, "an unnamed detection far from all is new");
  brio_scene_free(scene);
}

static void bad_detections_are_counted(void) {
  brio_scene_options options = {.appear_after = 1};
  brio_scene *scene = scene_with(&options);
  brio_detection bad[] = {seen("person", "", NAN, 0), seen("person", "", 1e300, 0),
                          seen("", "", 0, 0),         seen("person", "x", 0, INFINITY),
                          seen("person", "", 0, 0),   seen("person", "", 0, 0)};
  bad[4].pose.q.w = NAN;
  bad[5].size.x = -1;
  brio_scene_update(scene, 0, bad, 6);
  CHECK(brio_scene_refused(scene) == 6 && objects(scene) == 0, "%d refused", brio_scene_refused(scene));
  brio_detection endless = seen("person", "", 0, 0);
  memset(endless.kind, 'k', sizeof endless.kind);
  memset(endless.id, 'i', sizeof endless.id);
  brio_scene_update(scene, 0.1, &endless, 1);
  CHECK(objects(scene) == 1, "texts without end are cut");
  brio_scene_update(scene, NAN, &endless, 1);
  brio_scene_update(scene, -5, &endless, -1);
  const brio_object *const *list;
  CHECK(brio_scene_objects(scene, &list) == 1 && list[0]->last_seen == 0.1, "time goes back");
  brio_scene_free(scene);
}

static void grows_no_further_than_its_room(void) {
  brio_random random = brio_random_stream(9, "flood");
  brio_scene_options options = {.most_objects = 16};
  brio_scene *scene = scene_with(&options);
  for (int k = 0; k < 400; k++) {
    brio_detection flood[33];
    for (int i = 0; i < 32; i++)
      flood[i] =
          seen("ghost", "", brio_random_uniform(&random, -50, 50), brio_random_uniform(&random, -50, 50));
    flood[32] = seen("person", "ann", 0, 0);
    brio_scene_update(scene, k * 0.01, flood, 33);
    CHECK(objects(scene) <= 16, "%d objects", objects(scene));
  }
  CHECK(brio_scene_find(scene, "ann") != NULL, "ghosts crowd out what is real");
  CHECK(brio_scene_refused(scene) > 0, "nothing refused");
  brio_scene_free(scene);
}

static void runs_repeat(void) {
  brio_scene *scenes[2] = {scene_with(NULL), scene_with(NULL)};
  brio_random random = brio_random_stream(2, "repeat");
  for (int k = 0; k < 500; k++) {
    brio_detection d[6];
    int n = (int)brio_random_below(&random, 7);
    for (int i = 0; i < n; i++)
      d[i] = seen("person", "", brio_random_uniform(&random, -1, 1), brio_random_uniform(&random, -1, 1));
    for (int s = 0; s < 2; s++) brio_scene_update(scenes[s], k * 0.05, d, n);
    const brio_object *const *a, *const *b;
    int count = brio_scene_objects(scenes[0], &a);
    CHECK(brio_scene_objects(scenes[1], &b) == count, "update %d", k);
    for (int i = 0; i < count; i++) {
      CHECK(memcmp(a[i], b[i], sizeof *a[i]) == 0, "object %d of update %d", i, k);
      CHECK(i == 0 || a[i]->number > a[i - 1]->number, "order in update %d", k);
    }
  }
  brio_scene_free(scenes[0]);
  brio_scene_free(scenes[1]);
}

static void nearest_and_frames(void) {
  brio_scene_options options = {.appear_after = 1};
  brio_error err;
  brio_pose pose, there = {{1, 2, 3}, {0, 0, 1, 0}};
  brio_scene *scene = scene_with(&options);
  brio_detection d[] = {seen("person", "ann", 2, 0), seen("person", "bob", -1, 0), seen("cup", "c", 0.5, 0)};
  brio_scene_update(scene, 0, d, 3);
  const brio_object *near = brio_scene_nearest(scene, "person", (brio_vec3){0, 0, 1.6}, INFINITY);
  CHECK(near && strcmp(near->id, "bob") == 0, "nearest person");
  near = brio_scene_nearest(scene, NULL, (brio_vec3){0, 0, 1.6}, INFINITY);
  CHECK(near && strcmp(near->id, "c") == 0, "nearest of all");
  CHECK(!brio_scene_nearest(scene, "person", (brio_vec3){0, 0, 1.6}, 0.9), "beyond");
  CHECK(!brio_scene_nearest(scene, "person", (brio_vec3){0, 0, 1.6}, NAN), "within NaN");
  int head = brio_scene_declare_frame(scene, "head", &err),
      hand = brio_scene_declare_frame(scene, "hand", &err);
  CHECK(head >= 0 && hand >= 0 && head != hand && brio_scene_declare_frame(scene, "head", &err) == head,
        "handles");
  CHECK(!brio_scene_frame(scene, "head", &pose), "a frame that was never set");
  brio_scene_set_frame(scene, head, there);
  brio_scene_set_frame(scene, 77, there);
  brio_scene_set_frame(scene, head, (brio_pose){{NAN, 0, 0}, {0, 0, 0, 1}});
  CHECK(brio_scene_frame(scene, "head", &pose) && pose.p.y == 2, "set");
  CHECK(brio_scene_frame(scene, "ann", &pose) && pose.p.x == 2, "objects are frames");
  CHECK(!brio_scene_frame(scene, "foot", &pose), "no such frame");
  CHECK(brio_scene_declare_frame(scene, "", &err) == -1 && err.code == BRIO_MISUSE, "no name");
  brio_scene_free(scene);
}

static void wrong_options_are_refused(void) {
  brio_scene_options wrong[] = {{.most_objects = -1}, {.appear_after = -1}, {.lost_after = -1},
                                {.same_within = NAN}, {.smoothing = NAN},   {.most_objects = 1 << 30}};
  for (int i = 0; i < 6; i++) {
    brio_error err = {0};
    CHECK(!brio_scene_new(&wrong[i], &err) && err.code == BRIO_MISUSE, "options %d", i);
  }
}

CHECK_SUITE(CHECK_TEST(appears_and_is_lost), CHECK_TEST(flicker_is_tolerated),
            CHECK_TEST(identity_is_kept_while_two_cross), CHECK_TEST(follows_a_steady_walk_without_lag),
            CHECK_TEST(without_smoothing_objects_are_where_they_are_seen), CHECK_TEST(names_win_over_places),
            CHECK_TEST(bad_detections_are_counted), CHECK_TEST(grows_no_further_than_its_room),
            CHECK_TEST(runs_repeat), CHECK_TEST(nearest_and_frames), CHECK_TEST(wrong_options_are_refused))
