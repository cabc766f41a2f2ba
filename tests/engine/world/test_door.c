/* Doors: latches, handles, closers, contact, and that left and right are mirror images. */
#include <stddef.h>

#include "base/random.h"
#include "math/scalar.h"
#include "tests/check.h"
#include "world/doors/door.h"

#define DT 0.005

static brio_door made(brio_door_settings settings) {
  brio_door door;
  brio_error err;
  CHECK(brio_door_init(&door, "office", &settings, 3, &err), "%s", err.message);
  return door;
}

static brio_door usual(brio_door_handle handle) { return made(brio_door_defaults(handle)); }

static brio_door_touch hand_at(double x, double y, double z, double shut) {
  return (brio_door_touch){{{x, y, z}, {0, 0, 0, 1}}, 0.04, 0, true, {x, y, z}, 0.07, shut};
}

/* Move the touch to another place, and grasp there. */
static void put(brio_door_touch *hand, brio_vec3 p) { hand->pose.p = hand->grasp = p; }

/* A point before the panel: `along` from the hinge (on the right), `before` in front of its middle plane,
** towards -x where it is shut. */
static brio_vec3 before_panel(const brio_door *door, double along, double before, double z) {
  double c = cos(door->angle), s = sin(door->angle);
  return (brio_vec3){along * s - before * c, along * c - 0.45 + before * s, z};
}

/* Move a hand in a straight line in `seconds`; return the greatest depth of contact. */
static double move(brio_door *door, brio_door_touch *hand, brio_vec3 to, double seconds) {
  brio_vec3 from = hand->pose.p;
  int n = (int)(seconds / DT + 0.5);
  double deepest = 0;
  for (int i = 1; i <= n; i++) {
    put(hand, brio_vec3_add_scaled(from, (double)i / n, brio_vec3_sub(to, from)));
    brio_door_step(door, DT, hand, 1);
    deepest = fmax(deepest, door->contacts[0].depth);
  }
  return deepest;
}

static void a_latched_door_stays_shut(void) {
  brio_door door = usual(BRIO_DOOR_LEVER);
  brio_door_touch hand = hand_at(-0.3, 0.2, 1.2, 0);
  double depth = move(&door, &hand, (brio_vec3){0.02, 0.2, 1.2}, 1);
  CHECK(door.latched && door.angle == 0, "opened to %g", door.angle);
  CHECK_NEAR(depth, 0.04 + 0.02 + 0.02, 2e-3, "the hand is in it");
  CHECK(door.contacts[0].touches && !door.contacts[0].holds && door.passed == 0, "contact");
  move(&door, &hand, (brio_vec3){0.3, 0.2, 1.2}, 1);
  CHECK(door.passed == 1, "a hand that came out on the other side went through it");
}

static void never_opens_latched_whatever_touches_it(void) {
  brio_random stream = brio_random_stream(5, "touches");
  for (int run = 0; run < 20; run++) {
    brio_door_settings settings = brio_door_defaults((brio_door_handle)(run % BRIO_DOOR_NHANDLE));
    settings.latch = true;
    settings.grip = 0.7;
    brio_door door = made(settings);
    brio_door_touch touches[4];
    for (int i = 0; i < 4; i++) touches[i] = hand_at(-0.4, 0.3, 1, 0);
    for (int tick = 0; tick < 2000; tick++) {
      bool latched = door.latched;
      double angle = door.angle;
      for (int i = 0; i < 4; i++) {
        brio_vec3 *p = &touches[i].pose.p;
        p->x = brio_clamp(p->x + brio_random_uniform(&stream, -0.02, 0.02), -0.5, 0.5);
        p->y = brio_clamp(p->y + brio_random_uniform(&stream, -0.02, 0.02), -0.6, 0.6);
        p->z = brio_clamp(p->z + brio_random_uniform(&stream, -0.02, 0.02), 0.9, 1.1);
        touches[i].grasp = *p;
        touches[i].shut = brio_random_uniform(&stream, 0, 1);
      }
      brio_door_step(&door, DT, touches, 4);
      CHECK(!latched || door.handle >= settings.free || door.angle == angle, "moved while latched, tick %d",
            tick);
      CHECK(door.angle >= 0 && door.angle <= settings.most && isfinite(door.speed), "angle %g", door.angle);
    }
  }
}

static void a_lever_that_is_pressed_lets_the_door_open(void) {
  brio_door door = usual(BRIO_DOOR_LEVER);
  brio_vec3 at = before_panel(&door, 0.9 - 0.07 - 0.09, 0.08, 1.1);
  brio_door_touch hand = hand_at(at.x, at.y, at.z, 0);
  move(&door, &hand, (brio_vec3){at.x, at.y, 1.03}, 0.3);
  CHECK(door.handle < 0.5 && door.latched, "pressed a little: %g", door.handle);
  move(&door, &hand, (brio_vec3){at.x, at.y, 0.97}, 0.3);
  CHECK(door.handle > 0.5 && !door.latched && door.angle == 0, "pressed: %g", door.handle);
  move(&door, &hand, (brio_vec3){at.x + 0.4, at.y, 0.97}, 1);
  CHECK(door.angle > 0.3 && door.contacts[0].depth == 0, "pushed to %g", door.angle);
  double angle = door.angle;
  move(&door, &hand, (brio_vec3){-0.4, at.y, 0.97}, 1);
  CHECK(door.handle == 0 && !door.latched && door.angle >= angle - 1e-9, "it stays, its lever springs back");
}

/* A hand grasps the handle and turns it about its axis by `turn`, then moves about the hinge by `way`. */
static void open_by_screws(brio_door *door, brio_door_touch *hand, double turn, double way) {
  const brio_door_settings *s = &door->settings;
  double off = s->thickness / 2 + s->off, in = s->handle == BRIO_DOOR_LEVER ? 0.09 : 0;
  hand->shut = 1;
  for (int i = 0; i <= 100; i++) {
    double a = turn * i / 100;
    put(hand, before_panel(door, s->width - s->inset - in * cos(a), off, s->handle_height - in * sin(a)));
    hand->pose.q = brio_quat_from_rpy(a, 0, 0);
    brio_door_step(door, DT, hand, 1);
  }
  for (int i = 1; i <= 200; i++) {
    double c = cos(way * i / 200), n = sin(way * i / 200), along = s->width - s->inset - in * cos(turn);
    put(hand, (brio_vec3){along * n - off * c, along * c - 0.45 + off * n, hand->pose.p.z});
    hand->pose.q = brio_quat_mul(brio_quat_from_rpy(0, 0, -way * i / 200), brio_quat_from_rpy(turn, 0, 0));
    brio_door_step(door, DT, hand, 1);
  }
}

static void handles_turn_with_the_hand_that_grasps_them(void) {
  for (int k = 0; k < 2; k++) {
    brio_door door = usual(k ? BRIO_DOOR_KNOB : BRIO_DOOR_LEVER);
    brio_door_touch hand = hand_at(0, 0, 0, 0);
    open_by_screws(&door, &hand, 0.4, 0.5);
    CHECK(door.latched && door.angle == 0 && door.slips == 1, "%d: turned too little, it was torn off", k);
    door = usual(k ? BRIO_DOOR_KNOB : BRIO_DOOR_LEVER);
    open_by_screws(&door, &hand, 0.7, 0.5);
    CHECK_NEAR(door.angle, 0.5, 1e-9, "%d: the panel follows its handle", k);
    CHECK_NEAR(door.handle, 0.7, 3e-3, "%d: and the handle the hand, but for what the panel moves in a tick",
               k);
    CHECK(door.contacts[0].holds && door.contacts[0].depth == 0, "%d: holds", k);
    hand.shut = 0;
    brio_door_step(&door, DT, &hand, 1);
    CHECK(!door.contacts[0].holds && door.slips == 0, "%d: let go", k);
  }
}

static void an_open_hand_turns_no_knob_and_pulls_nothing(void) {
  brio_door door = usual(BRIO_DOOR_PULL);
  brio_door_touch hand = hand_at(-0.08, 0.38, 1, 0.3);
  move(&door, &hand, (brio_vec3){-0.4, 0.3, 1}, 1);
  CHECK(door.angle == 0 && !door.latched, "a pull handle has no latch, but an open hand pulls nothing");
  brio_door_settings toward = brio_door_defaults(BRIO_DOOR_PULL);
  toward.toward = true;
  door = made(toward);
  hand = hand_at(-0.08, 0.38, 1, 1);
  brio_door_step(&door, DT, &hand, 1);
  CHECK(door.contacts[0].holds, "a shut one does");
  move(&door, &hand, (brio_vec3){-0.4, 0.3, 1}, 1);
  CHECK_NEAR(door.angle, atan2(0.4, 0.75) - asin(0.08 / hypot(0.4, 0.75)), 1e-9,
             "by the angle about the hinge");
}

static void a_push_bar_frees_its_latch_from_one_side(void) {
  brio_door door = usual(BRIO_DOOR_PUSH_BAR);
  brio_door_touch hand = hand_at(-0.3, 0.1, 1, 0);
  move(&door, &hand, (brio_vec3){-0.14, 0.1, 1}, 0.3);
  CHECK(door.latched && door.handle > 0 && door.handle < 0.025, "pressed by %g m", door.handle);
  move(&door, &hand, (brio_vec3){0.3, 0.1, 1}, 0.5);
  CHECK(!door.latched && door.angle > 0.4 && door.passed == 0, "opened to %g", door.angle);
  door = usual(BRIO_DOOR_PUSH_BAR);
  hand = hand_at(-0.3, 0.1, 1.3, 0);
  CHECK(move(&door, &hand, (brio_vec3){0, 0.1, 1.3}, 0.5) > 0.05 && door.latched, "beside the bar");
  brio_door_touch body = {.pose = {{-0.5, 0.1, 0.1}, {0, 0, 0, 1}}, .radius = 0.2, .above = 1.4};
  move(&door, &body, (brio_vec3){0, 0.1, 0.1}, 1);
  CHECK(door.angle > 0.2, "a body presses it, too: %g", door.angle);
}

static void slips_follow_the_seed_and_the_grip(void) {
  int slipped = 0;
  for (int seed = 0; seed < 200; seed++) {
    brio_door_settings settings = brio_door_defaults(BRIO_DOOR_KNOB);
    settings.grip = 0.6;
    brio_door door[2];
    brio_error err;
    for (int k = 0; k < 2; k++) {
      brio_door_touch hand = hand_at(0, 0, 0, 0);
      CHECK(brio_door_init(&door[k], "office", &settings, (uint64_t)seed, &err), "%s", err.message);
      open_by_screws(&door[k], &hand, 0.7, 0.3);
    }
    CHECK(memcmp(&door[0].angle, &door[1].angle, sizeof door[0].angle) == 0 && door[0].slips == door[1].slips,
          "equal seeds");
    CHECK((door[0].slips > 0) == (door[0].angle == 0), "what slipped did not open");
    slipped += door[0].slips;
  }
  CHECK(slipped > 60 && slipped < 100, "%d of 200 slipped, 80 expected", slipped);
}

static void a_closer_shuts_it_within_its_law(void) {
  brio_door_settings settings = brio_door_defaults(BRIO_DOOR_LEVER);
  settings.closer = 6, settings.closer_rise = 4, settings.damping = 20, settings.angle = 1.2;
  brio_door door = made(settings);
  double slow = 0, fastest = 0, time = 0, fast_time = 0; /* the law without inertia, integrated finely */
  for (double a = 1.2; a > 0; a -= 1e-5)
    slow += 1e-5 * settings.damping / (settings.closer + settings.closer_rise * a - 1);
  for (; door.angle > 0 && time < 60; time += DT) {
    brio_door_step(&door, DT, NULL, 0);
    fastest = fmax(fastest, -door.speed);
    if (door.angle > 0.6) fast_time = time;
  }
  CHECK(door.latched, "it latches by itself");
  CHECK(fastest <= (6 + 4 * 1.2 - 1) / 20.0, "no faster than %g rad/s", fastest);
  CHECK(time > slow - 0.1 && time < slow + settings.inertia / settings.damping, "%g s, without inertia %g s",
        time, slow);
  CHECK(fast_time > 0 && fast_time < time, "on its way");
  settings.closer = 0.5, settings.closer_rise = 0; /* weaker than friction */
  door = made(settings);
  for (int i = 0; i < 2000; i++) brio_door_step(&door, DT, NULL, 0);
  CHECK(door.angle == 1.2, "friction holds it");
}

static void the_panel_never_passes_what_stands(void) {
  brio_random stream = brio_random_stream(9, "stands");
  for (int run = 0; run < 200; run++) {
    brio_door_settings settings = brio_door_defaults(BRIO_DOOR_LEVER);
    settings.closer = 40, settings.damping = brio_random_uniform(&stream, 0, 20), settings.angle = 1.8;
    brio_door door = made(settings);
    double angle = brio_random_uniform(&stream, 0.3, 1.2), r = brio_random_uniform(&stream, 0.2, 0.93);
    brio_door_touch body = hand_at(r * sin(angle), r * cos(angle) - 0.45, 0.1, 0);
    body.hand = false, body.radius = brio_random_uniform(&stream, 0.02, 0.15), body.above = 1.5;
    for (int i = 0; i < 1000; i++) {
      brio_door_step(&door, DT, &body, 1);
      CHECK(door.contacts[0].depth < 1e-9, "%d: %g m deep", run, door.contacts[0].depth);
    }
    CHECK(door.passed == 0 && door.angle > angle && door.speed == 0, "%d: it rests on it at %g", run,
          door.angle);
  }
}

static void a_shoved_panel_goes_on_and_comes_to_rest(void) {
  brio_door_settings settings = brio_door_defaults(BRIO_DOOR_PULL);
  brio_door door = made(settings);
  brio_door_touch hand = hand_at(-0.1, 0.3, 1.3, 0);
  move(&door, &hand, (brio_vec3){0.2, 0.3, 1.3}, 0.3);
  double angle = door.angle;
  CHECK(door.speed > 0.5, "%g rad/s", door.speed);
  move(&door, &hand, (brio_vec3){-0.3, 0.3, 1.3}, 3);
  CHECK(door.angle > angle + 0.2 && door.speed == 0, "went on to %g and rests", door.angle);
}

static void held_it_opens_no_further(void) {
  brio_door door = usual(BRIO_DOOR_PULL);
  brio_door_touch hand = hand_at(-0.1, 0.3, 1.3, 0);
  move(&door, &hand, (brio_vec3){0.1, 0.3, 1.3}, 0.5);
  brio_door_hold(&door, 1);
  double angle = door.angle;
  CHECK(move(&door, &hand, (brio_vec3){0.14, 0.3, 1.3}, 0.9) > 0.02 && door.angle <= angle, "held at %g",
        door.angle);
  hand = hand_at(-0.1, 0.3, 1.3, 0);
  move(&door, &hand, (brio_vec3){-0.1, 0.3, 1.3}, 0.2);
  move(&door, &hand, (brio_vec3){0.14, 0.3, 1.3}, 0.5);
  CHECK(door.angle > angle, "let go: %g", door.angle);
}

/* The same motion on a door and on its mirror image. */
static void left_and_right_are_mirror_images(void) {
  for (int handle = 0; handle < BRIO_DOOR_NHANDLE; handle++)
    for (int toward = 0; toward < 2; toward++) {
      brio_door_settings settings = brio_door_defaults((brio_door_handle)handle);
      settings.toward = toward, settings.closer = 2;
      brio_door right = made(settings);
      settings.left = true;
      brio_door left = made(settings);
      brio_random stream = brio_random_stream(2, "mirror");
      brio_door_touch a = hand_at(-0.1, 0.3, 1, 0);
      for (int tick = 0; tick < 3000; tick++) {
        brio_vec3 *p = &a.pose.p;
        p->x = brio_clamp(p->x + brio_random_uniform(&stream, -0.02, 0.021), -0.5, 0.5);
        p->y = brio_clamp(p->y + brio_random_uniform(&stream, -0.02, 0.02), -0.4, 0.5);
        p->z = brio_clamp(p->z + brio_random_uniform(&stream, -0.02, 0.02), 0.9, 1.1);
        if (tick % 400 == 0) a.shut = 1 - a.shut;
        a.grasp = *p;
        brio_door_touch b = a;
        put(&b, (brio_vec3){p->x, -p->y, p->z});
        brio_door_step(&right, DT, &a, 1);
        brio_door_step(&left, DT, &b, 1);
        CHECK(fabs(right.angle - left.angle) < 1e-9 && right.latched == left.latched, "handle %d, tick %d",
              handle, tick);
      }
      brio_pose pr = brio_door_panel(&right), pl = brio_door_panel(&left);
      CHECK_NEAR(pr.p.y, -pl.p.y, 1e-9, "panels");
      CHECK_NEAR(pr.p.x, pl.p.x, 1e-9, "panels");
      CHECK_NEAR(pr.q.z, -pl.q.z, 1e-9, "panels");
      brio_vec3 eye = {-1, 0.2, 1.5}, mirrored = {-1, -0.2, 1.5};
      CHECK_NEAR(brio_door_handle_at(&right, eye).y, -brio_door_handle_at(&left, mirrored).y, 1e-9,
                 "handles");
    }
}

static void where_things_are_is_seen_from_where_one_stands(void) {
  brio_door_settings settings = brio_door_defaults(BRIO_DOOR_LEVER);
  settings.pose = (brio_pose){{2, 1, 0}, brio_quat_from_rpy(0, 0, BRIO_PI / 2)}; /* through it is along y */
  brio_door door = made(settings);
  brio_detection seen[BRIO_DOOR_SEEN];
  CHECK(brio_door_see(&door, (brio_vec3){2, -1, 1.5}, seen) == 2, "two things");
  CHECK(strcmp(seen[0].kind, "door_panel") == 0 && strcmp(seen[1].id, "office.handle") == 0, "names");
  CHECK_NEAR(seen[0].pose.p.x, 2, 1e-12, "the panel's middle");
  CHECK_NEAR(seen[0].pose.p.z, 1, 1e-12, "the panel's middle");
  CHECK_NEAR(seen[1].pose.p.y, 1 - 0.08, 1e-9, "the near handle");
  CHECK_NEAR(seen[1].pose.p.x, 2 - (0.9 - 0.07 - 0.06 - 0.45), 1e-9, "towards the free edge, on the left");
  CHECK(brio_door_see(&door, (brio_vec3){2, 3, 1.5}, seen) == 2 && seen[1].pose.p.y > 1,
        "the far one from there");
  CHECK_NEAR(brio_door_hinge(&door).x, 2.45, 1e-12, "hinge");
  settings.handle = BRIO_DOOR_PUSH_BAR;
  settings.off = 0.08, settings.free = 0.02, settings.handle_most = 0.04;
  door = made(settings);
  CHECK(brio_door_see(&door, (brio_vec3){2, 3, 1.5}, seen) == 1, "a push bar is on one face");
}

static void bad_settings_are_refused_in_words(void) {
  const struct { size_t at; double bad; const char *name; } cases[] = {
      {offsetof(brio_door_settings, width), NAN, "width"},
      {offsetof(brio_door_settings, height), 100, "height"},
      {offsetof(brio_door_settings, most), 0, "most"},
      {offsetof(brio_door_settings, angle), 2, "angle"},
      {offsetof(brio_door_settings, free), -1, "free"},
      {offsetof(brio_door_settings, handle_most), 0.1, "handle_most"},
      {offsetof(brio_door_settings, inertia), INFINITY, "inertia"},
      {offsetof(brio_door_settings, grip), 1.1, "grip"},
      {offsetof(brio_door_settings, closer), -1, "closer"},
  };
  brio_door door;
  brio_error err;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    brio_door_settings settings = brio_door_defaults(BRIO_DOOR_LEVER);
    memcpy((char *)&settings + cases[i].at, &cases[i].bad, sizeof(double));
    CHECK(!brio_door_init(&door, "office", &settings, 1, &err) && err.code == BRIO_MISUSE, "%s",
          cases[i].name);
    CHECK_HAS(err.message, cases[i].name);
  }
  brio_door_settings settings = brio_door_defaults(BRIO_DOOR_LEVER);
  CHECK(!brio_door_init(&door, "", &settings, 1, &err) && !brio_door_init(&door, NULL, &settings, 1, &err),
        "no id");
  CHECK(!brio_door_init(&door, "a name that is longer than any door's", &settings, 1, &err), "long");
  settings.handle = (brio_door_handle)9;
  CHECK(!brio_door_init(&door, "office", &settings, 1, &err), "no such handle");
  settings = brio_door_defaults((brio_door_handle)-1);
  settings.pose.q = brio_quat_from_rpy(0.2, 0, 0);
  CHECK(!brio_door_init(&door, "office", &settings, 1, &err), "it leans");
}

static void bad_touches_do_nothing(void) {
  brio_door door = usual(BRIO_DOOR_PULL);
  brio_door_touch touches[BRIO_DOOR_TOUCHES + 4];
  for (int i = 0; i < BRIO_DOOR_TOUCHES + 4; i++) touches[i] = hand_at(NAN, 0.3, 1, 1);
  touches[1] = hand_at(0.1, INFINITY, 1, 1), touches[2] = hand_at(1e300, 1e300, 1e300, 1);
  touches[3].radius = -1, touches[5] = hand_at(0, 0.3, 1.5, 1), touches[5].grasp.x = NAN,
  touches[4] = hand_at(0, -0.45, 1, NAN);
  for (int i = 0; i < 100; i++) brio_door_step(&door, DT, touches, BRIO_DOOR_TOUCHES + 4);
  brio_door_step(&door, NAN, touches, 1);
  brio_door_step(&door, -1, touches, 1);
  brio_door_step(&door, INFINITY, NULL, 0);
  brio_door_step(&door, DT, NULL, 0);
  CHECK(door.angle == 0 && door.speed == 0 && door.passed == 0, "angle %g", door.angle);
}

CHECK_SUITE(CHECK_TEST(a_latched_door_stays_shut), CHECK_TEST(never_opens_latched_whatever_touches_it),
            CHECK_TEST(a_lever_that_is_pressed_lets_the_door_open),
            CHECK_TEST(handles_turn_with_the_hand_that_grasps_them),
            CHECK_TEST(an_open_hand_turns_no_knob_and_pulls_nothing),
            CHECK_TEST(a_push_bar_frees_its_latch_from_one_side),
            CHECK_TEST(slips_follow_the_seed_and_the_grip), CHECK_TEST(a_closer_shuts_it_within_its_law),
            CHECK_TEST(the_panel_never_passes_what_stands),
            CHECK_TEST(a_shoved_panel_goes_on_and_comes_to_rest), CHECK_TEST(held_it_opens_no_further),
            CHECK_TEST(left_and_right_are_mirror_images),
            CHECK_TEST(where_things_are_is_seen_from_where_one_stands),
            CHECK_TEST(bad_settings_are_refused_in_words), CHECK_TEST(bad_touches_do_nothing))
