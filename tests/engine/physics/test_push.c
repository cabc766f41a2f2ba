/* Pushes: a wrench on a link for a time changes momentum by force and time, several add up, and a robot that
** stands falls under one that is strong enough. */
#include "tests/engine/physics/scene.h"
#include "world/event.h"
#include "world/fixture.h"

#define MASS 4.0 /* kg */

/* A box of 4 kg in flight, whose base is free: pushes alone, beside gravity, move it. */
static const char block[] =
    "<robot name='block'><link name='body'><inertial><mass value='4'/>"
    "<inertia ixx='0.1' iyy='0.2' izz='0.25' "
    "ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry>"
    "<box size='0.3 0.3 0.5'/></geometry></collision>"
    "</link></robot>";

/* Begin high above the floor, or standing on it. */
static bool begin(scene *s, double height) {
  const brio_pose at = {{0, 0, height}, {0, 0, 0, 1}};
  return scene_begin_with(s, block, NULL, NULL,
                          (brio_physics_options){.floats = true, .base = height > 0 ? &at : NULL});
}

static const float *base_of(const scene *s) {
  const brio_world_mover *mover = brio_physics_mover(s->physics);
  return mover->base(mover->context)->numbers;
}

static void push(scene *s, brio_vec3 force, brio_vec3 torque, double seconds) {
  brio_error err;
  CHECK(brio_physics_push(s->physics, "body", force, torque, seconds, &err), "%s", err.message);
}

static void a_push_gives_force_times_time(void) {
  scene s;
  if (!begin(&s, 20)) return;
  scene_go(&s, NULL, 0.1);
  /* 40 N for 0.2 s, and 10 N of it for 0.1 s more; 0.5 N m about z for 0.2 s. */
  push(&s, (brio_vec3){30, 0, 0}, (brio_vec3){0, 0, 0.5}, 0.2);
  push(&s, (brio_vec3){10, -20, 0}, (brio_vec3){0, 0, 0}, 0.3);
  scene_go(&s, NULL, 0.6);
  const float *v = base_of(&s) + 7;
  CHECK_NEAR((double)v[0], (30 * 0.2 + 10 * 0.3) / MASS, 1e-3, "along x");
  CHECK_NEAR((double)v[1], -20 * 0.3 / MASS, 1e-3, "along y");
  CHECK_NEAR((double)v[5], 0.5 * 0.2 / 0.25, 1e-3, "about z");
  scene_end(&s);
}

static void a_body_slides_or_tips_under_a_push(void) {
  scene s;
  if (!begin(&s, 0)) return;
  scene_go(&s, NULL, 0.3);
  /* 0.8 m g = 31 N of friction hold it against 20 N; 60 N for half a second move it. */
  push(&s, (brio_vec3){20, 0, 0}, (brio_vec3){0, 0, 0}, 0.5);
  scene_go(&s, NULL, 0.6);
  CHECK_NEAR((double)base_of(&s)[0], 0, 1e-3, "20 N move it");
  push(&s, (brio_vec3){60, 0, 0}, (brio_vec3){0, 0, 0}, 0.5);
  scene_go(&s, NULL, 1);
  CHECK((double)base_of(&s)[0] > 0.3, "60 N move it to %g m", (double)base_of(&s)[0]);
  scene_end(&s);
}

static void equal_pushes_have_equal_bits(void) {
  float places[2][BRIO_WORLD_MOVED];
  for (int k = 0; k < 2; k++) {
    scene s;
    if (!begin(&s, 0)) return;
    scene_go(&s, NULL, 0.2);
    push(&s, (brio_vec3){70, 15, 0}, (brio_vec3){0, 3, 0}, 0.3);
    scene_go(&s, NULL, 0.8);
    memcpy(places[k], base_of(&s), sizeof *places);
    scene_end(&s);
  }
  CHECK(memcmp(places[0], places[1], sizeof *places) == 0, "%g and %g", (double)places[0][0],
        (double)places[1][0]);
}

/* A person in the world who pushes the block, and one who pushes what is not there. */
static void fill_person(brio_world *world) {
  brio_error err;
  brio_event event = {.what = brio_disturbance_find("shove", &err),
                      .at = 0.2,
                      .seconds = 0.25,
                      .id = "body",
                      .force = {0, 24, 0},
                      .given = BRIO_EVENT_ID | BRIO_EVENT_FORCE | BRIO_EVENT_SECONDS};
  CHECK(brio_world_add_event(world, &event, &err), "%s", err.message);
  event.seconds = 0;
  CHECK(!brio_world_add_event(world, &event, &err), "a push without time");
  CHECK_HAS(err.message, "the event 'shove': at most 100000 N, for more than 0 s");
}

static void people_of_the_world_push(void) {
  scene s;
  brio_error err;
  const brio_pose at = {{0, 0, 20}, {0, 0, 0, 1}};
  if (!scene_begin_with(&s, block, fill_person, NULL, (brio_physics_options){.floats = true, .base = &at}))
    return;
  scene_go(&s, NULL, 0.15);
  CHECK_NEAR((double)base_of(&s)[8], 0, 1e-6, "before");
  scene_go(&s, NULL, 0.5);
  CHECK_NEAR((double)base_of(&s)[8], 24 * 0.25 / MASS, 2e-3, "force by time");
  const brio_event other = {.what = brio_disturbance_find("shove", &err),
                            .at = 9,
                            .seconds = 1,
                            .id = "head",
                            .given = BRIO_EVENT_ID | BRIO_EVENT_FORCE | BRIO_EVENT_SECONDS};
  CHECK(brio_world_add_event(s.world, &other, &err), "%s", err.message);
  CHECK(!brio_world_only_bodies(s.world, s.robot, &err), "taken");
  CHECK_HAS(err.message, "the event 'shove'");
  CHECK_HAS(err.message, "head");
  scene_end(&s);
}

static void a_push_that_is_none_is_refused(void) {
  scene s;
  brio_error err;
  const brio_vec3 none = {0, 0, 0};
  if (!begin(&s, 0)) return;
  CHECK(!brio_physics_push(s.physics, "head", none, none, 1, &err), "taken");
  CHECK_HAS(err.message, "head");
  CHECK(!brio_physics_push(s.physics, "body", (brio_vec3){NAN, 0, 0}, none, 1, &err), "taken");
  CHECK(!brio_physics_push(s.physics, "body", none, (brio_vec3){0, 1e7, 0}, 1, &err), "taken");
  CHECK(!brio_physics_push(s.physics, "body", none, none, 0, &err), "taken");
  CHECK_HAS(err.message, "a push must have at most");
  scene_end(&s);
}

CHECK_SUITE(CHECK_TEST(a_push_gives_force_times_time), CHECK_TEST(a_body_slides_or_tips_under_a_push),
            CHECK_TEST(equal_pushes_have_equal_bits), CHECK_TEST(people_of_the_world_push),
            CHECK_TEST(a_push_that_is_none_is_refused))
