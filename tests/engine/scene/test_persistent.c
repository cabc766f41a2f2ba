/* Persistent detections: settings by class, alternating classes, times, floods. */
#include "tests/allocations.h"

#include "base/random.h"
#include "scene/scene.h"
#include "tests/check.h"

static brio_detection seen(const char *kind, double x, double y, double time, double confidence) {
  brio_detection d = BRIO_DETECTION_BLANK;
  snprintf(d.kind, sizeof d.kind, "%s", kind);
  d.pose.p = (brio_vec3){x, y, 0.8};
  d.time = time;
  d.confidence = confidence;
  return d;
}

static brio_scene *scene_of(int most) {
  brio_error err;
  brio_scene *scene = brio_scene_new(&(brio_scene_options){.most_objects = most}, &err);
  CHECK(scene, "%s", err.message);
  return scene;
}

/* Change the settings of a class (NULL: of all). */
#define CONFIGURE(scene, kind, ...)                                                                          \
  do {                                                                                                       \
    brio_scene_settings s = brio_scene_settings_of(scene, kind);                                             \
    brio_error failed;                                                                                       \
    __VA_ARGS__;                                                                                             \
    CHECK(brio_scene_configure(scene, kind, &s, &failed), "%s", failed.message);                             \
  } while (0)

/* The number of tracked ones; the last of them in `track`. */
static int tracks(const brio_scene *scene, brio_scene_track *track) {
  int n = 0;
  for (int at = 0; brio_scene_next_track(scene, NULL, &at, track);) n++;
  return n;
}

static int objects(const brio_scene *scene) {
  const brio_object *const *list;
  return brio_scene_objects(scene, &list);
}

static void settings_hold_for_what_begins_later(void) {
  brio_scene *scene = scene_of(16);
  brio_detection cup = seen("cup", 0, 0, NAN, 1), ball = seen("ball", 5, 0, NAN, 1);
  brio_scene_update(scene, 0, &cup, 1);
  CONFIGURE(scene, "cup", s.lost_after = 10);
  CONFIGURE(scene, "ball", s.lost_after = 10, s.appear_after = 1);
  brio_scene_update(scene, 0.1, &ball, 1);
  CHECK(objects(scene) == 1, "the ball appears at once");
  brio_scene_update(scene, 1.5, NULL, 0);
  brio_scene_track track;
  CHECK(tracks(scene, &track) == 1 && strcmp(track.object.kind, "ball") == 0, "the cup began before");
  CHECK(brio_scene_settings_of(scene, "cup").lost_after == 10, "told");
  CHECK(brio_scene_settings_of(scene, "spoon").lost_after == 1, "of all others");
  CONFIGURE(scene, NULL, s.radius = 2);
  CHECK(brio_scene_settings_of(scene, "spoon").radius == 2 &&
            brio_scene_settings_of(scene, "cup").radius == 0.5,
        "nobody's settings but of those without their own");
  brio_scene_free(scene);
}

static void wrong_settings_are_refused(void) {
  brio_scene *scene = scene_of(4);
  brio_error err = {0};
  brio_scene_settings good = brio_scene_settings_of(scene, NULL), wrong[10];
  for (int i = 0; i < 10; i++) wrong[i] = good;
  wrong[0].alpha = 0, wrong[1].alpha = 1.5, wrong[2].radius = 0, wrong[3].history = NAN,
  wrong[4].acceptance = 2;
  wrong[5].stability = -1, wrong[6].lost_after = 0, wrong[7].appear_after = 0, wrong[8].speed = -1,
  wrong[9].smoothing = NAN;
  for (int i = 0; i < 10; i++)
    CHECK(!brio_scene_configure(scene, "cup", &wrong[i], &err) && err.code == BRIO_MISUSE, "settings %d", i);
  CHECK(!brio_scene_configure(scene, "", &good, &err) && err.code == BRIO_MISUSE, "no name");
  CHECK(!brio_scene_configure(scene, "a name that is far too long", &good, &err), "a long name");
  char name[8];
  for (int i = 0; i < BRIO_SCENE_CLASSES; i++) {
    snprintf(name, sizeof name, "k%d", i);
    CHECK(brio_scene_configure(scene, name, &good, &err), "class %d: %s", i, err.message);
  }
  CHECK(!brio_scene_configure(scene, "more", &good, &err) && err.code == BRIO_LIMIT, "a full table");
  brio_scene_free(scene);
}

static void alpha_is_the_share_of_the_new(void) {
  brio_scene *scene = scene_of(4);
  CONFIGURE(scene, "cup", s.alpha = 0.25, s.moves = false, s.appear_after = 1);
  double expected = 0;
  for (int k = 0; k < 20; k++) {
    double x = 0.1 * (k % 3);
    brio_detection d = seen("cup", x, 0, NAN, 1);
    brio_scene_update(scene, 0.1 * k, &d, 1);
    expected = k == 0 ? x : expected + 0.25 * (x - expected);
  }
  const brio_object *cup = brio_scene_find(scene, "cup-1");
  CHECK(cup, "there is no cup");
  if (cup) CHECK_NEAR(cup->pose.p.x, expected, 1e-12, "filtered");
  if (cup) CHECK(cup->velocity.x == 0, "it stands still");
  brio_scene_free(scene);
}

/* Known from the second detection on, and steady: a car at 20 m/s seen ten times a second. */
static void velocity_is_known_at_once(void) {
  brio_scene *scene = scene_of(8);
  CONFIGURE(scene, "car", s.radius = 0.8, s.speed = 30, s.appear_after = 1);
  for (int k = 0; k < 20; k++) {
    brio_detection d = seen("car", 2.0 * k, 0, NAN, 1);
    brio_scene_update(scene, 0.1 * k, &d, 1);
    brio_scene_track track;
    CHECK(tracks(scene, &track) == 1, "%d tracks at %d", tracks(scene, &track), k);
    if (k > 0) CHECK_NEAR(track.object.velocity.x, 20, 1e-6, "velocity at %d", k);
  }
  brio_scene_free(scene);
}

static void stable_is_often_and_sure(void) {
  brio_scene *scene = scene_of(8);
  brio_scene_track track = {0};
  CONFIGURE(scene, NULL, s.lost_after = 5, s.stability = 2, s.acceptance = 0.5, s.history = 2);
  for (int k = 0; k <= 40; k++) {
    double now = 0.1 * k;
    brio_detection d[2] = {seen("cup", 0, 0, NAN, 0.6), seen("bowl", 3, 0, NAN, 0.4)};
    brio_scene_update(scene, now, d, 2);
  }
  for (int at = 0; brio_scene_next_track(scene, "cup", &at, &track);) {}
  CHECK(track.stable && track.history == 20, "a cup: stable %d, %d remembered", track.stable, track.history);
  CHECK_NEAR(track.frequency, 20 / 1.9, 1e-6, "frequency");
  CHECK_NEAR(track.mean_confidence, 0.6, 1e-6, "confidence");
  for (int at = 0; brio_scene_next_track(scene, "bowl", &at, &track);) {}
  CHECK(!track.stable && track.object.number == 0, "a bowl that is not sure enough");
  brio_scene_update(scene, 6.5, NULL, 0);
  for (int at = 0; brio_scene_next_track(scene, "cup", &at, &track);) {}
  CHECK(track.history == 1 && !track.stable, "the newest is never forgotten, but one is not stable");
  brio_scene_free(scene);
}

static void the_unsure_begin_nothing(void) {
  brio_scene *scene = scene_of(8);
  brio_scene_track track;
  CONFIGURE(scene, "cup", s.begins_at = 0.5);
  brio_detection d = seen("cup", 0, 0, NAN, 0.4);
  brio_scene_update(scene, 0, &d, 1);
  CHECK(tracks(scene, &track) == 0 && brio_scene_refused(scene) == 0, "begun");
  d.confidence = 0.6;
  brio_scene_update(scene, 0.1, &d, 1);
  d.confidence = 0.4;
  brio_scene_update(scene, 0.2, &d, 1);
  CHECK(tracks(scene, &track) == 1 && track.object.sightings == 2, "but they go on with it");
  brio_scene_free(scene);
}

/* Two rows of objects: the greedy pairs would cost more in total. */
static void the_cheapest_of_all_is_taken(void) {
  brio_scene *scene = scene_of(8);
  CONFIGURE(scene, "cup", s.appear_after = 1, s.moves = false, s.smoothing = -1);
  brio_detection first[2] = {seen("cup", 0, 0, NAN, 1), seen("cup", 0.45, 0, NAN, 1)};
  brio_scene_update(scene, 0, first, 2);
  brio_detection then[2] = {seen("cup", 0.3, 0, NAN, 1), seen("cup", 0.8, 0, NAN, 1)};
  brio_scene_update(scene, 0.1, then, 2); /* the first is nearer to the second cup; the row moved on */
  CHECK(objects(scene) == 2, "%d objects", objects(scene));
  CHECK(brio_scene_find(scene, "cup-1")->pose.p.x == 0.3 && brio_scene_find(scene, "cup-2")->pose.p.x == 0.8,
        "taken greedily");
  brio_scene_free(scene);
}

/* ------------------------------------------------------------------ classes */

/* Objects on a desk with a detector that gives the right class in seven of ten frames:
** each stays one object. */
static void one_thing_under_many_names_is_one(void) {
  static const char *const names[] = {"cup", "bowl", "vase"};
  brio_scene *scene = scene_of(64);
  brio_random random = brio_random_stream(4, "flicker");
  brio_error err;
  CHECK(brio_scene_confuse(scene, "cup", names + 1, 2, &err), "%s", err.message);
  int appeared = 0, lost = 0;
  for (int k = 0; k < 600; k++) {
    brio_detection d[12];
    int n = 0;
    for (int i = 0; i < 9; i++) {
      int name = brio_random_uniform(&random, 0, 1) < 0.7 ? i % 3 : (int)brio_random_below(&random, 3);
      double x = 0.6 * i + 0.02 * brio_random_normal(&random);
      if (brio_random_uniform(&random, 0, 1) < 0.8) d[n++] = seen(names[name], x, 0, NAN, 0.7);
    }
    /* now and then one thing is reported under two names in the same picture */
    if (n > 0 && k % 5 == 0) d[n] = d[0], strcpy(d[n].kind, strcmp(d[0].kind, "cup") ? "cup" : "bowl"), n++;
    brio_scene_update(scene, k / 15.0, d, n);
    brio_scene_event event;
    while (brio_scene_next_event(scene, &event)) *(event.change == BRIO_SCENE_LOST ? &lost : &appeared) += 1;
  }
  CHECK(appeared == 9 && lost == 0, "appeared %d, lost %d", appeared, lost);
  const brio_object *const *list;
  for (int n = brio_scene_objects(scene, &list), i = 0; i < n; i++) {
    int place = (int)lround(list[i]->pose.p.x / 0.6);
    CHECK(strcmp(list[i]->kind, names[place % 3]) == 0, "thing %d is a %s", place, list[i]->kind);
  }
  brio_scene_free(scene);
}

static void who_is_not_confused_is_another(void) {
  brio_scene *scene = scene_of(8);
  brio_scene_track track;
  brio_error err;
  const char *const bowl[] = {"bowl"};
  CHECK(brio_scene_confuse(scene, "cup", bowl, 1, &err), "%s", err.message);
  brio_detection d[] = {seen("cup", 0, 0, NAN, 1), seen("book", 0, 0, NAN, 1)};
  brio_scene_update(scene, 0, d, 2);
  CHECK(tracks(scene, &track) == 2, "a cup on a book");
  strcpy(d[0].kind, "bowl");
  brio_scene_update(scene, 0.1, d, 2);
  CHECK(tracks(scene, &track) == 2, "taken for a bowl");
  CHECK(brio_scene_confuse(scene, "cup", NULL, 0, &err), "%s", err.message);
  strcpy(d[0].kind, "cup");
  brio_scene_update(scene, 0.2, d, 2);
  strcpy(d[0].kind, "bowl");
  brio_scene_update(scene, 0.3, d, 2);
  CHECK(tracks(scene, &track) == 3, "not any more");
  brio_scene_free(scene);
}

static void a_thing_exchanged_is_known_in_time(void) {
  brio_scene *scene = scene_of(8);
  brio_error err;
  const char *const bowl[] = {"bowl"};
  CHECK(brio_scene_confuse(scene, "cup", bowl, 1, &err), "%s", err.message);
  int changed = 0;
  for (int k = 0; k < 200; k++) {
    brio_detection d = seen(k < 100 ? "cup" : "bowl", 0, 0, NAN, 0.8);
    brio_scene_update(scene, k * 0.1, &d, 1);
    CHECK(brio_scene_confuse(scene, "cup", bowl, 1, &err), "saying it again changes nothing");
    const brio_object *it = brio_scene_find(scene, "cup-1");
    if (k >= 100 && !changed && it && strcmp(it->kind, "bowl") == 0) changed = k;
  }
  CHECK(changed > 101 && changed < 120, "known at %d", changed);
  CHECK(objects(scene) == 1, "it is still one");
  brio_scene_free(scene);
}

/* The very first picture has both names of one thing. */
static void two_names_at_first_sight_are_one(void) {
  brio_scene *scene = scene_of(8);
  brio_scene_track track;
  brio_error err;
  const char *const bowl[] = {"bowl"};
  CHECK(brio_scene_confuse(scene, "cup", bowl, 1, &err), "%s", err.message);
  for (int k = 0; k < 5; k++) {
    brio_detection d[] = {seen("cup", 0, 0, NAN, 0.9), seen("bowl", 0.02, 0, NAN, 0.3),
                          seen("cup", 0.2, 0, NAN, 0.9)};
    brio_scene_update(scene, 0.1 * k, d, 3);
    CHECK(tracks(scene, &track) == 2, "%d things in picture %d", tracks(scene, &track), k);
  }
  brio_scene_free(scene);
}

static void groups_have_room_for_eight(void) {
  brio_scene *scene = scene_of(8);
  brio_error err;
  const char *const others[] = {"b", "c", "d", "e", "f", "g", "h", "i"}, *const a[] = {"a"},
                    *const x[] = {"x"};
  CHECK(!brio_scene_confuse(scene, "a", others, 8, &err) && err.code == BRIO_LIMIT, "nine");
  CHECK(brio_scene_confuse(scene, "a", others, 7, &err), "%s", err.message);
  CHECK(!brio_scene_confuse(scene, "x", a, 1, &err) && err.code == BRIO_LIMIT, "one more by the back door");
  CHECK(brio_scene_confuse(scene, "h", NULL, 0, &err) && brio_scene_confuse(scene, "x", a, 1, &err), "%s",
        err.message);
  CHECK(brio_scene_confuse(scene, "x", x, 1, &err), "taken for itself: for nothing else");
  CHECK(!brio_scene_confuse(scene, "", a, 1, &err) &&
            !brio_scene_confuse(scene, "a", &(const char *){""}, 1, &err),
        "no name");
  brio_detection d[] = {seen("a", 0, 0, NAN, 1), seen("x", 3, 0, NAN, 1)};
  brio_scene_update(scene, 0, d, 2);
  strcpy(d[0].kind, "g");
  strcpy(d[1].kind, "g");
  brio_scene_update(scene, 0.1, d, 2);
  brio_scene_track track;
  CHECK(tracks(scene, &track) == 3, "a is also g, x is not: %d", tracks(scene, &track));
  brio_scene_free(scene);
}

/* ------------------------------------------------------------------ times */

/* Detections that come late, in any order within the history, give the same result as those in time. */
static void late_ones_are_put_where_they_belong(void) {
  brio_random random = brio_random_stream(5, "late");
  brio_scene *intime = scene_of(4), *late = scene_of(4);
  brio_detection waiting[5];
  int n = 0;
  for (int k = 0; k < 200; k++) {
    brio_detection d = seen("person", 0.05 * k + 0.01 * brio_random_normal(&random), 0, 0.05 * k, 0.9);
    brio_scene_update(intime, 0.05 * k, &d, 1);
    waiting[n++] = d;
    if (n < 5) {
      brio_scene_update(late, 0.05 * k, NULL, 0);
      continue;
    }
    int step = 2; /* 0 2 4 1 3: shuffled, in two updates */
    brio_detection first[3], second[2];
    for (int i = 0; i < 3; i++) first[i] = waiting[i * step % 5];
    for (int i = 0; i < 2; i++) second[i] = waiting[2 * i + 1];
    brio_scene_update(late, 0.05 * k, first, 3);
    brio_scene_update(late, 0.05 * k, second, 2);
    n = 0;
    brio_scene_track a, b;
    CHECK(tracks(intime, &a) == 1 && tracks(late, &b) == 1, "tracks at %d", k);
    CHECK_NEAR(a.object.pose.p.x, b.object.pose.p.x, 1e-9, "place at %d", k);
    CHECK_NEAR(a.object.velocity.x, b.object.velocity.x, 1e-9, "velocity at %d", k);
    CHECK(a.object.sightings == b.object.sightings && a.object.last_seen == b.object.last_seen, "story at %d",
          k);
  }
  CHECK(brio_scene_refused(late) == 0, "refused %d", brio_scene_refused(late));
  brio_scene_free(intime);
  brio_scene_free(late);
}

static void other_times_are_refused_in_words(void) {
  brio_scene *scene = scene_of(4);
  brio_scene_track track;
  brio_detection d[] = {seen("cup", 0, 0, 7.9, 1),    seen("cup", 1, 0, 10.51, 1),
                        seen("cup", 2, 0, 10.49, 1),  seen("cup", 3, 0, 8.1, 1),
                        seen("cup", 4, 0, -1e300, 1), seen("cup", 5, 0, INFINITY, 1)};
  brio_scene_update(scene, 10, d, 6);
  brio_scene_refusals why = brio_scene_refused_why(scene);
  CHECK(why.late == 2 && why.future == 1 && why.bad == 1 && why.clamped == 1 && tracks(scene, &track) == 2,
        "late %d, future %d, bad %d, clamped %d", why.late, why.future, why.bad, why.clamped);
  CHECK_HAS(why.last.message, "a detection of 'cup' is 2.1 s old, but only 2 s are remembered");
  CHECK(brio_scene_refused(scene) == 4, "in all %d", brio_scene_refused(scene));
  brio_scene_update(scene, 11, &(brio_detection){0}, 1);
  CHECK_HAS(brio_scene_refused_why(scene).last.message, "must have a kind");
  brio_detection future = seen("cup", 0, 0, 3611, 1);
  brio_scene_update(scene, 11, &future, 1);
  CHECK_HAS(brio_scene_refused_why(scene).last.message, "3.6e+03 s in the future");
  brio_scene_free(scene);
}

/* A detector's clock jumps an hour and back: nothing is accepted meanwhile, and all goes on after it. */
static void a_clock_may_jump(void) {
  brio_scene *scene = scene_of(8);
  CONFIGURE(scene, NULL, s.lost_after = 5);
  for (int k = 0; k < 300; k++) {
    double wrong = k >= 100 && k < 120 ? 3600 : k >= 200 && k < 220 ? -3600 : 0;
    brio_detection d = seen("person", 1, 0, 0.1 * k + wrong, 0.9);
    brio_scene_update(scene, 0.1 * k, &d, 1);
  }
  brio_scene_refusals why = brio_scene_refused_why(scene);
  CHECK(why.future == 20 && why.late == 20, "future %d, late %d", why.future, why.late);
  const brio_object *who = brio_scene_find(scene, "person-1");
  CHECK(who && who->sightings == 260 && objects(scene) == 1, "it is not who it was");
  brio_scene_update(scene, 1e9, NULL, 0); /* the run's own clock, too */
  CHECK(objects(scene) == 0, "all are lost");
  brio_detection d = seen("person", 1, 0, NAN, 0.9);
  for (int k = 0; k < 3; k++) brio_scene_update(scene, 5, &d, 1);
  CHECK(objects(scene) == 1, "and come back");
  brio_scene_free(scene);
}

/* Two detectors see one object at the same moment: it is one object, at the position of both. */
static void detectors_agree_on_one_thing(void) {
  brio_scene *scene = scene_of(8);
  for (int k = 0; k < 60; k++) {
    brio_detection d[2] = {seen("cup", 0.1, 0, NAN, 0.9), seen("cup", 0, 0, NAN, 0.9)};
    d[1].detector = 1;
    brio_scene_update(scene, k * 0.1, d, 2);
  }
  const brio_object *cup = brio_scene_find(scene, "cup-1");
  CHECK(objects(scene) == 1 && cup && cup->sightings == 120, "%d objects", objects(scene));
  if (cup) CHECK(cup->pose.p.x > 0.01 && cup->pose.p.x < 0.09 && cup->detector == 1, "at %g", cup->pose.p.x);
  brio_scene_free(scene);
}

/* ------------------------------------------------------------------ floods */

static void a_flood_is_bounded_and_told(void) {
  brio_scene *scene = scene_of(256);
  brio_random random = brio_random_stream(6, "flood");
  static brio_detection flood[20000];
  CONFIGURE(scene, "person", s.appear_after = 1);
  for (int k = 0; k < 10; k++) {
    for (int i = 0; i < 20000; i++) /* 10 kHz and more, each of another time */
      flood[i] = seen("ghost", brio_random_uniform(&random, -9, 9), brio_random_uniform(&random, -9, 9),
                      0.1 * k - 1e-5 * i, 0.9);
    flood[0] = seen("person", 0, 0, NAN, 1);
    brio_scene_update(scene, 0.1 * k, flood, 20000);
  }
  brio_scene_refusals why = brio_scene_refused_why(scene);
  CHECK(why.flood == 10 * (20000 - 32), "flood %d", why.flood);
  CHECK_HAS(why.last.message, "at most 1024 detections are taken");
  CHECK(brio_scene_find(scene, "person-1") != NULL, "who is real is there");
  brio_scene_update(scene, 2, flood, 1000); /* few enough, but of too many times */
  CHECK(objects(scene) <= 256, "%d objects", objects(scene));
  brio_scene_free(scene);
}

static void nothing_is_allocated_in_an_update(void) {
#ifdef SANITIZED
  SKIP("a sanitizer has taken malloc's place");
#endif
  brio_scene *scene = scene_of(256);
  brio_random random = brio_random_stream(7, "tick");
  brio_error err;
  const char *const others[] = {"bowl", "vase"};
  static brio_detection d[200];
  size_t before = allocations;
  for (int k = 0; k < 60; k++) {
    for (int i = 0; i < 200; i++)
      d[i] = seen(i % 3 ? "cup" : "bowl", 0.4 * (i % 20) + 0.1 * brio_random_normal(&random), 0.4 * (i / 20),
                  0.1 * k - 0.01 * (i % 4), 0.9);
    brio_scene_update(scene, 0.1 * k, d, 200);
    if (k % 20 == 0) {
      CONFIGURE(scene, "cup", s.radius = 0.3);
      CHECK(brio_scene_confuse(scene, "cup", others, 2, &err), "%s", err.message);
    }
  }
  CHECK(allocations == before, "%zu allocations", allocations - before);
  CHECK(objects(scene) > 150, "%d objects", objects(scene));
  brio_scene_free(scene);
}

CHECK_SUITE(CHECK_TEST(settings_hold_for_what_begins_later), CHECK_TEST(wrong_settings_are_refused),
            CHECK_TEST(alpha_is_the_share_of_the_new), CHECK_TEST(velocity_is_known_at_once),
            CHECK_TEST(stable_is_often_and_sure), CHECK_TEST(the_unsure_begin_nothing),
            CHECK_TEST(the_cheapest_of_all_is_taken), CHECK_TEST(one_thing_under_many_names_is_one),
            CHECK_TEST(who_is_not_confused_is_another), CHECK_TEST(a_thing_exchanged_is_known_in_time),
            CHECK_TEST(two_names_at_first_sight_are_one), CHECK_TEST(groups_have_room_for_eight),
            CHECK_TEST(late_ones_are_put_where_they_belong), CHECK_TEST(other_times_are_refused_in_words),
            CHECK_TEST(a_clock_may_jump), CHECK_TEST(detectors_agree_on_one_thing),
            CHECK_TEST(a_flood_is_bounded_and_told), CHECK_TEST(nothing_is_allocated_in_an_update))
