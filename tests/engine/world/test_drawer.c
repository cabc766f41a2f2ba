/* Drawers of the kinematic world: hands pull them by their bar, what touches their front pushes them,
** what lies in them comes along. */
#include <string.h>

#include "math/scalar.h"
#include "tests/check.h"
#include "world/doors/doors.h"
#include "world/things/hand.h"
#include "world/things/thing.h"

#define DT 0.005

/* A drawer at (1, 2, 0.7) that opens to the left (y). */
static brio_door_settings usual(void) {
  brio_door_settings s = brio_drawer_defaults(0.4, 0.15, 0.45);
  s.pose = (brio_pose){{1, 2, 0.7}, brio_quat_from_rpy(0, 0, BRIO_PI / 2)};
  return s;
}

static brio_door made(const brio_door_settings *settings) {
  brio_door door;
  brio_error err;
  CHECK(brio_door_init(&door, "desk", settings, 3, &err), "%s", err.message);
  return door;
}

/* A hand before the front: `out` m from where the front is when it is shut, at the height of the bar. */
static brio_door_touch hand_at(double out, double shut) {
  const brio_vec3 p = {1, 2 + out, 0.775};
  return (brio_door_touch){{p, {0, 0, 0, 1}}, 0.03, 0, true, p, 0.05, shut};
}

/* Move the hand in a straight line.  Return the greatest depth of contact. */
static double move(brio_door *door, brio_door_touch *hand, double to, double seconds) {
  double from = hand->pose.p.y - 2, deepest = 0;
  int n = (int)(seconds / DT + 0.5);
  for (int i = 1; i <= n; i++) {
    hand->pose.p.y = hand->grasp.y = 2 + from + (to - from) * i / n;
    brio_door_step(door, DT, hand, 1);
    deepest = fmax(deepest, door->contacts[0].depth);
  }
  return deepest;
}

static void a_hand_pulls_and_pushes_it(void) {
  const brio_door_settings settings = usual();
  brio_door door = made(&settings);
  brio_door_touch hand = hand_at(0.04, 0);
  move(&door, &hand, 0.04, 0.1);
  CHECK(!door.contacts[0].holds, "an open hand holds");
  hand.shut = 1;
  move(&door, &hand, 0.04, 0.1);
  move(&door, &hand, 0.34, 1);
  CHECK(door.contacts[0].holds && door.opened == 1, "it does not hold");
  CHECK_NEAR(door.angle, 0.3, 1e-9, "out");
  CHECK_NEAR(door.speed, 0.3, 1e-6, "speed");
  /* Let go, it slides on against friction and damping, and rests. */
  hand.shut = 0;
  hand.pose.p.x = hand.grasp.x = 3;
  move(&door, &hand, 0.34, 2);
  double c = settings.damping, f = settings.friction, m = settings.inertia, v = 0.3,
         way = m / c * (v - f / c * log(1 + v * c / f));
  CHECK_NEAR(door.angle, 0.3 + way, 5e-3, "it slid on by %g", door.angle - 0.3);
  CHECK(door.speed == 0, "it moves");
  /* An open hand before the front pushes it in: the ball of 3 cm is outside. */
  hand = hand_at(0.6, 0);
  CHECK(move(&door, &hand, 0.13, 1) < 1e-9, "a hand is in the front");
  CHECK_NEAR(door.angle, 0.1, 1e-9, "pushed in");
  CHECK(move(&door, &hand, 0.02, 1) > 0.005, "the hand is in a front that is shut");
  CHECK(door.angle == 0, "shut");
}

static void it_ends_where_it_does(void) {
  brio_door_settings settings = usual();
  brio_door door = made(&settings);
  brio_door_touch hand = hand_at(0.04, 1);
  move(&door, &hand, 0.04 + 1.5, 2);
  CHECK_NEAR(door.angle, 0.405, 1e-9, "its end");
  CHECK(!door.contacts[0].holds, "the hand is torn off");
  /* A locked one stays, and so does one that a person holds. */
  settings.latch = settings.locked = true;
  door = made(&settings);
  hand = hand_at(0.04, 1);
  move(&door, &hand, 0.3, 1);
  CHECK(door.angle == 0 && door.latched, "locked");
  settings.latch = settings.locked = false;
  door = made(&settings);
  hand = hand_at(0.04, 1);
  move(&door, &hand, 0.04, 0.1);
  move(&door, &hand, 0.14, 0.5);
  brio_door_hold(&door, 10);
  move(&door, &hand, 0.16, 0.5);
  CHECK_NEAR(door.angle, 0.1, 1e-9, "held");
}

static void a_hand_in_it_pushes_it_out(void) {
  brio_door_settings settings = usual();
  settings.angle = 0.2;
  brio_door door = made(&settings);
  /* Behind the front, in the box: it leads the front outwards by its board and its own radius. */
  brio_door_touch hand = hand_at(0.1, 0);
  move(&door, &hand, 0.1, 0.1);
  move(&door, &hand, 0.25, 1);
  CHECK_NEAR(door.angle, 0.25 + 0.03 + settings.thickness, 1e-9, "pushed out");
  /* Beside it, above it, or behind it nothing touches. */
  const brio_vec3 apart[] = {{1.3, 2.28, 0.775}, {1, 2.28, 0.95}, {1, 1.5, 0.775}};
  for (int i = 0; i < 400; i++) brio_door_step(&door, DT, NULL, 0);
  for (int i = 0; i < 3; i++) {
    double before = door.angle;
    hand.pose.p = hand.grasp = apart[i];
    brio_door_step(&door, DT, &hand, 1);
    CHECK(door.angle == before && !door.contacts[0].touches, "%d touches", i);
  }
}

/* In a world: it is seen, and things in it come along; those under it stay. */
static void things_come_along(void) {
  brio_error err;
  brio_world *world = brio_world_new(3, &err);
  brio_door_settings settings = usual();
  settings.angle = 0.1;
  const float color[3] = {NAN, NAN, NAN};
  CHECK(brio_world_add_door(world, "desk", &settings, color, &err), "%s", err.message);
  brio_thing_form ball = {.kind = "ball", .id = "ball", .shape = BRIO_THING_BALL, .radius = 0.03,
                          .color = {1, 0, 0}, .x = 1, .y = 1.9, .z = 0.76, .friction = 1, .rolling = 0.05},
                  box = {.kind = "box", .id = "box", .shape = BRIO_THING_BOX, .size = {0.05, 0.05, 0.05},
                         .color = {NAN, NAN, NAN}, .x = 1, .y = 1.9, .z = NAN, .friction = 1};
  box.z = 0.025;
  CHECK(brio_world_add_thing(world, &ball, &err) && brio_world_add_thing(world, &box, &err), "%s",
        err.message);
  brio_door *door = brio_world_door(world, "desk");
  brio_pose at, under;
  /* It is pulled by 1 mm a step for 0.2 m. */
  for (int i = 1; i <= 200; i++) {
    door->speed = 0.2;
    brio_world_advance(world, i * DT);
    brio_world_step(world, NULL, NULL);
  }
  CHECK(brio_world_pose(world, "ball", &at) && brio_world_pose(world, "box", &under), "poses");
  CHECK(door->angle > 0.25, "%g m", door->angle);
  CHECK_NEAR(at.p.y - 1.9, door->angle - 0.1, 1e-3, "the ball came along");
  CHECK_NEAR(at.p.z, 0.7 + settings.thickness + 0.03, 1e-3, "it lies on the bottom");
  CHECK_NEAR(under.p.y, 1.9, 1e-9, "the box below stays");
  brio_detection seen[BRIO_DOOR_SEEN];
  CHECK(brio_door_see(door, (brio_vec3){1, 4, 1}, seen) == 2, "front and handle");
  CHECK(strcmp(seen[0].kind, "drawer_front") == 0 && strcmp(seen[1].kind, "drawer_handle") == 0, "kinds");
  CHECK_NEAR(seen[1].pose.p.y, 2 + door->angle + settings.off, 1e-9, "the handle's place");
  CHECK_NEAR(seen[0].pose.p.y, 2 + door->angle - settings.thickness / 2, 1e-9, "the front's");
  brio_world_free(world);
}

static void wrong_numbers_are_refused(void) {
  const struct {
    size_t offset;
    double value;
    const char *says;
  } rows[] = {{offsetof(brio_door_settings, width), 0.01, "width must be a number from 0.05 to 3, not 0.01"},
              {offsetof(brio_door_settings, depth), NAN, "drawer 'desk': depth must be a number"},
              {offsetof(brio_door_settings, most), 0.5, "most must be a number from 0.01 to 0.45"},
              {offsetof(brio_door_settings, angle), 1, "open must be a number"},
              {offsetof(brio_door_settings, inertia), 0, "mass must be a number"},
              {offsetof(brio_door_settings, thickness), 0.1, "thickness must be a number"},
              {offsetof(brio_door_settings, handle_height), 0.2, "handle_height must be a number"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    brio_door door;
    brio_error err = {0};
    brio_door_settings settings = usual();
    memcpy((char *)&settings + rows[i].offset, &rows[i].value, sizeof(double));
    CHECK(!brio_door_init(&door, "desk", &settings, 3, &err), "row %zu is taken", i);
    CHECK_HAS(err.message, rows[i].says);
  }
}

CHECK_SUITE(CHECK_TEST(a_hand_pulls_and_pushes_it), CHECK_TEST(it_ends_where_it_does),
            CHECK_TEST(a_hand_in_it_pushes_it_out), CHECK_TEST(things_come_along),
            CHECK_TEST(wrong_numbers_are_refused))
