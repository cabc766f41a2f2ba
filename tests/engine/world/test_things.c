/* Things of the simulated world: they fall, roll, are grasped, carried, dropped and pushed; nothing sinks,
** nobody shares. */
#include <string.h>

#include "base/random.h"
#include "tests/check.h"
#include "world/event.h"
#include "world/furniture.h"
#include "world/things/hand.h"
#include "world/things/thing.h"

#define DT 0.005
#define R 0.035

static brio_world *new_world(void) {
  brio_error err;
  brio_world *world = brio_world_new(3, &err);
  CHECK(world != NULL, "%s", err.message);
  return world;
}

static void add_table(brio_world *world, const char *id, double x, double y, double high) {
  brio_error err;
  brio_furniture_form form = {.form = BRIO_FURNITURE_TABLE, .kind = "table", .id = id, .x = x, .y = y,
                              .size = {0.6, 1.0, high}, .board = 0.03, .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &form, &err), "%s", err.message);
}

static void add_ball(brio_world *world, const char *id, double x, double y, double z) {
  brio_error err;
  brio_thing_form form = {.kind = "ball", .id = id, .shape = BRIO_THING_BALL, .radius = R, .color = {1, 0, 0},
                          .x = x, .y = y, .z = z, .friction = 1, .rolling = 0.05};
  CHECK(brio_world_add_thing(world, &form, &err), "%s", err.message);
}

static int add_hand(brio_world *world, const char *name, const char *grip) {
  brio_error err;
  brio_world_hand_form form = {.name = name,
                               .link = "palm",
                               .grip = grip,
                               .open = 0,
                               .shut = 1.2,
                               .span = 0.1,
                               .reach = 0.05,
                               .grasp = {0, 0, -0.045},
                               .palm = 0.01};
  CHECK(brio_world_add_hand(world, &form, &err), "%s", err.message);
  int count;
  brio_world_hands(world, &count);
  return count - 1;
}

static brio_vec3 where(const brio_world *world, const char *id) {
  brio_pose pose = BRIO_POSE_IDENTITY;
  CHECK(brio_world_pose(world, id, &pose), "'%s' is not there", id);
  return pose.p;
}

static const char *fact(const brio_world *world, const char *id, const char *name) {
  brio_world_fact facts[8];
  int count = brio_world_state(world, id, facts, 8);
  for (int i = 0; i < count; i++)
    if (strcmp(facts[i].name, name) == 0) return facts[i].text;
  return "";
}

static double now_of(double *now) { return *now += DT; }

static void wait(brio_world *world, double *now, double seconds) {
  for (int i = 0; i < (int)(seconds / DT + 0.5); i++) {
    brio_world_advance(world, now_of(now));
    brio_world_step(world, NULL, NULL);
  }
}

/* Move a hand's grasp point in a straight line, and its fingers as far as held objects allow. */
static void reach(brio_world *world, double *now, int hand, brio_vec3 to, double width, double seconds) {
  int count;
  const brio_world_hand *all = brio_world_hands(world, &count);
  brio_vec3 from = all[hand].known ? all[hand].pose.p : brio_vec3_sub(to, all[hand].grasp);
  double wide = all[hand].known ? all[hand].width : all[hand].span;
  int n = (int)(seconds / DT + 0.5);
  for (int i = 1; i <= n; i++) {
    double u = i / (double)n, lower, upper;
    brio_vec3 end = brio_vec3_sub(to, all[hand].grasp);
    brio_pose pose = {brio_vec3_add_scaled(from, u, brio_vec3_sub(end, from)), {0, 0, 0, 1}};
    brio_world_axis_range(world, all[hand].hold, &lower, &upper);
    double axis = fmin(fmax(1.2 * (1 - (wide + u * (width - wide)) / 0.1), lower), upper);
    brio_world_advance(world, now_of(now));
    brio_world_move_hand(world, hand, pose, 0.1 * (1 - axis / 1.2));
    brio_world_step(world, NULL, NULL);
  }
}

static void falls_and_lies(void) {
  brio_world *world = new_world();
  double now = 0;
  add_table(world, "table", 0, 0, 0.72);
  add_ball(world, "high", 0.1, 0.1, 1.5);
  add_ball(world, "laid", -0.1, 0.1, NAN);
  add_ball(world, "beside", 1, 1, 0.5);
  CHECK_NEAR(where(world, "laid").z, 0.72 + R, 1e-9, "without a height it lies on what is below");
  wait(world, &now, 2);
  CHECK_NEAR(where(world, "high").z, 0.72 + R, 1e-3, "on the table");
  CHECK_NEAR(where(world, "beside").z, R, 1e-3, "on the floor");
  CHECK(strcmp(fact(world, "high", "on"), "table") == 0, "on %s", fact(world, "high", "on"));
  CHECK(strcmp(fact(world, "beside", "on"), "floor") == 0, "on %s", fact(world, "beside", "on"));
  brio_world_free(world);
}

static void nothing_sinks(void) {
  brio_random stream = brio_random_stream(5, "balls");
  brio_world *world = new_world();
  double now = 0;
  add_table(world, "table", 0, 0, 0.72);
  for (int i = 0; i < 12; i++) {
    char id[8] = {'b', (char)('a' + i), 0};
    add_ball(world, id, brio_random_uniform(&stream, -0.2, 0.2), brio_random_uniform(&stream, -0.4, 0.4),
             brio_random_uniform(&stream, 0.8, 2.5));
  }
  for (int k = 0; k < 300; k++) {
    wait(world, &now, 0.01);
    for (int i = 0; i < 12; i++) {
      char id[8] = {'b', (char)('a' + i), 0};
      brio_vec3 p = where(world, id);
      bool over = fabs(p.x) < 0.3 && fabs(p.y) < 0.5;
      CHECK(p.z > (over && p.z > 0.5 ? 0.72 : 0) + R - 0.004, "ball %s is at %g %g %g", id, p.x, p.y, p.z);
    }
  }
  brio_world_free(world);
}

static void rolls_down_a_chute_into_a_bin(void) {
  brio_world *world = new_world();
  brio_error err;
  double now = 0;
  brio_furniture_form chute = {.form = BRIO_FURNITURE_CHUTE,
                               .kind = "chute",
                               .id = "chute",
                               .z = 0.5,
                               .size = {0.8, 0.14, 0.3},
                               .board = 0.01,
                               .color = {NAN, NAN, NAN}};
  brio_furniture_form bin = {.form = BRIO_FURNITURE_BIN,
                             .kind = "bin",
                             .id = "bin",
                             .x = 0.62,
                             .size = {0.4, 0.4, 0.25},
                             .board = 0.01,
                             .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &chute, &err) && brio_world_add_furniture(world, &bin, &err), "%s",
        err.message);
  add_ball(world, "ball", -0.35, 0, 0.9);
  wait(world, &now, 4);
  CHECK(strcmp(fact(world, "ball", "on"), "bin") == 0, "it is on %s", fact(world, "ball", "on"));
  CHECK_NEAR(where(world, "ball").z, 0.01 + R, 2e-3, "on the bin's bottom");
  brio_world_free(world);
}

static void rolls_down_a_ramp_and_stays_on_stairs(void) {
  brio_world *world = new_world();
  brio_error err;
  double now = 0;
  brio_furniture_form form = {.form = BRIO_FURNITURE_RAMP,
                              .kind = "ramp",
                              .id = "ramp",
                              .size = {1, 0.4, 0.3},
                              .board = 0.04,
                              .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &form, &err), "%s", err.message);
  form = (brio_furniture_form){.form = BRIO_FURNITURE_STAIRS,
                               .kind = "stairs",
                               .id = "stairs",
                               .y = 2,
                               .size = {1, 0.4, 0.5},
                               .board = 0.02,
                               .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &form, &err), "%s", err.message);
  add_ball(world, "rolls", 0.4, 0, NAN);
  add_ball(world, "stays", 0.2, 2, NAN);
  wait(world, &now, 0.1);
  /* The ramp's top is the plane z = 0.3 (x + 0.5). */
  brio_vec3 at = where(world, "rolls");
  CHECK_NEAR((at.z - 0.3 * (at.x + 0.5)) * cos(atan(0.3)), R, 2e-3, "on the ramp's top");
  wait(world, &now, 3);
  CHECK(where(world, "rolls").x < -0.4, "it is at %g", where(world, "rolls").x);
  CHECK_NEAR(where(world, "rolls").z, R, 2e-3, "on the floor");
  CHECK_NEAR(where(world, "stays").z, 0.4 + R, 2e-3, "on the fourth step");
  brio_world_free(world);
}

static void a_grasped_ball_follows_the_palm(void) {
  brio_world *world = new_world();
  double now = 0;
  add_table(world, "table", 0, 0, 0.72);
  add_ball(world, "ball", 0.1, 0, NAN);
  int hand = add_hand(world, "right", "grip");
  reach(world, &now, hand, (brio_vec3){0.1, 0, 0.95}, 0.1, 0.1);
  reach(world, &now, hand, (brio_vec3){0.11, 0, 0.76}, 0.1, 0.5);
  reach(world, &now, hand, (brio_vec3){0.11, 0, 0.76}, 0, 0.4);
  int count;
  const brio_world_hand *all = brio_world_hands(world, &count);
  CHECK(all[hand].thing == 0 && strcmp(fact(world, "ball", "held_by"), "right") == 0, "it is not held");
  CHECK_NEAR(all[hand].width, 2 * R, 0.002, "the fingers stop at the ball");
  brio_vec3 off = brio_vec3_sub(where(world, "ball"), all[hand].point);
  reach(world, &now, hand, (brio_vec3){0.4, 0.5, 1.2}, 0, 0.6);
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(brio_vec3_sub(where(world, "ball"), all[hand].point), off)), 0,
             1e-9, "left behind");
  reach(world, &now, hand, (brio_vec3){0.4, 0.5, 1.2}, 0.1, 0.3);
  CHECK(all[hand].thing == -1, "an open hand holds it");
  wait(world, &now, 1.5);
  CHECK_NEAR(where(world, "ball").z, R, 2e-3, "dropped to the floor");
  CHECK_NEAR(all[hand].width, 0.1, 1e-9, "open");
  brio_world_free(world);
}

static void an_empty_hand_shuts(void) {
  brio_world *world = new_world();
  double now = 0;
  add_ball(world, "ball", 1, 0, NAN);
  int hand = add_hand(world, "right", "grip"), count;
  reach(world, &now, hand, (brio_vec3){0, 0, 0.8}, 0.1, 0.1);
  reach(world, &now, hand, (brio_vec3){0, 0, 0.8}, 0, 0.3);
  CHECK_NEAR(brio_world_hands(world, &count)[hand].width, 0, 1e-9, "nothing is between its fingers");
  brio_world_free(world);
}

static void two_hands_cannot_hold_one_ball(void) {
  brio_world *world = new_world();
  double now = 0;
  int count;
  add_ball(world, "ball", 0, 0, NAN);
  int right = add_hand(world, "right", "right_grip"), left = add_hand(world, "left", "left_grip");
  reach(world, &now, right, (brio_vec3){0, 0.01, R}, 0.1, 0.1);
  reach(world, &now, right, (brio_vec3){0, 0.01, R}, 0, 0.3);
  reach(world, &now, left, (brio_vec3){0, -0.01, R}, 0.1, 0.1);
  reach(world, &now, left, (brio_vec3){0, -0.01, R}, 0, 0.3);
  const brio_world_hand *all = brio_world_hands(world, &count);
  CHECK(all[right].thing == 0 && all[left].thing == -1, "right holds %d, left %d", all[right].thing,
        all[left].thing);
  CHECK_NEAR(all[left].width, 0, 1e-9, "the other shuts");
  brio_world_free(world);
}

static void slips_when_caught_badly_or_carried_fast(void) {
  for (int fast = 0; fast < 2; fast++) {
    brio_world *world = new_world();
    brio_error err;
    double now = 0;
    int count;
    brio_thing_form wet = {
        .kind = "ball", .id = "ball", .radius = R, .color = {NAN, NAN, NAN}, .z = NAN, .friction = 0.4};
    CHECK(brio_world_add_thing(world, &wet, &err), "%s", err.message);
    int hand = add_hand(world, "right", "grip");
    double off = fast ? 0.005 : 0.03;
    reach(world, &now, hand, (brio_vec3){off, 0, R}, 0.1, 0.1);
    reach(world, &now, hand, (brio_vec3){off, 0, R}, 0, 0.4);
    CHECK((brio_world_hands(world, &count)[hand].thing == 0) == (fast == 1), "caught %g m off", off);
    reach(world, &now, hand, (brio_vec3){2, 0, 1}, 0, 0.4);
    CHECK(brio_world_hands(world, &count)[hand].thing == -1, "held at 5 m/s");
    CHECK_NEAR(brio_world_hands(world, &count)[hand].width, 0, 1e-9, "the hand shuts when it has slipped");
    brio_world_free(world);
  }
}

static void pressed_into_a_table_it_is_lost_not_sunk(void) {
  brio_world *world = new_world();
  double now = 0;
  int count;
  add_table(world, "table", 0, 0, 0.72);
  add_ball(world, "ball", 0, 0, NAN);
  int hand = add_hand(world, "right", "grip");
  reach(world, &now, hand, (brio_vec3){0, 0, 0.755}, 0.1, 0.1);
  reach(world, &now, hand, (brio_vec3){0, 0, 0.755}, 0, 0.3);
  reach(world, &now, hand, (brio_vec3){0, 0, 0.5}, 0, 0.5);
  CHECK(brio_world_hands(world, &count)[hand].thing == -1, "a table can be carried through");
  wait(world, &now, 1);
  CHECK(where(world, "ball").z > 0.72 + R - 2e-3 || where(world, "ball").z < R + 2e-3, "at %g",
        where(world, "ball").z);
  CHECK(where(world, "ball").z > 0.7, "it went through the table, to %g", where(world, "ball").z);
  brio_world_free(world);
}

static void events_take_put_blind_and_push(void) {
  brio_world *world = new_world();
  brio_error err;
  brio_detection seen[4];
  double now = 0, lower, upper;
  add_ball(world, "ball", 0, 0, NAN);
  brio_event events[] = {
      {.what = brio_disturbance_find("take", &err), .at = 0.1, .id = "ball", .given = BRIO_EVENT_ID},
      {.what = brio_disturbance_find("put", &err),
       .at = 0.2,
       .id = "ball",
       .to = {1, 2, NAN},
       .given = BRIO_EVENT_ID | BRIO_EVENT_TO},
      {.what = brio_disturbance_find("blind", &err), .at = 0.3, .seconds = 0.1, .given = BRIO_EVENT_SECONDS},
      {.what = brio_disturbance_find("push", &err),
       .at = 0,
       .id = "elbow",
       .by = 1,
       .seconds = 0.1,
       .given = BRIO_EVENT_ID | BRIO_EVENT_BY | BRIO_EVENT_SECONDS},
  };
  for (int i = 0; i < 4; i++) CHECK(brio_world_add_event(world, &events[i], &err), "%s", err.message);
  events[0].id[0] = 'x';
  CHECK(!brio_world_add_event(world, &events[0], &err), "a thing that is not there");
  CHECK_HAS(err.message, "no thing 'xall'");
  events[3].given |= BRIO_EVENT_KIND;
  CHECK(!brio_world_add_event(world, &events[3], &err), "a field that means nothing");
  CHECK(!brio_disturbance_find("tak", &err), "found");
  CHECK_HAS(err.message, "did you mean 'take'");
  brio_pose pose;
  wait(world, &now, 0.15);
  CHECK(!brio_world_pose(world, "ball", &pose) && brio_world_detect(world, seen, 4) == 0, "it was taken");
  brio_world_axis_range(world, brio_world_axis(world, "elbow"), &lower, &upper);
  CHECK(isinf(lower) && isinf(upper), "who pushed lets go");
  wait(world, &now, 0.1);
  CHECK_NEAR(where(world, "ball").y, 2, 1e-9, "put back elsewhere");
  CHECK(brio_world_detect(world, seen, 4) == 1, "seen");
  wait(world, &now, 0.1);
  CHECK(brio_world_detect(world, seen, 4) == 0, "blind");
  wait(world, &now, 0.1);
  CHECK(brio_world_detect(world, seen, 4) == 1, "sees again");
  brio_world_free(world);
}

static void an_exchange_keeps_what_is_held(void) {
  brio_world *world = new_world(), *other = new_world();
  double now = 0;
  int count;
  add_ball(world, "ball", 0, 0, NAN);
  add_ball(other, "first", 5, 0, NAN);
  add_ball(other, "ball", 3, 0, NAN);
  int hand = add_hand(world, "right", "grip");
  reach(world, &now, hand, (brio_vec3){0, 0, R}, 0.1, 0.1);
  reach(world, &now, hand, (brio_vec3){0, 0, R}, 0, 0.3);
  brio_world_exchange(world, other);
  reach(world, &now, hand, (brio_vec3){0, 0, 1}, 0, 0.5);
  CHECK(brio_world_hands(world, &count)[hand].thing == 1, "it holds %d",
        brio_world_hands(world, &count)[hand].thing);
  CHECK_NEAR(where(world, "ball").z, 1, 1e-9, "carried on");
  brio_world_free(other);
  brio_world_free(world);
}

static void solids_hide(void) {
  for (int hidden = 0; hidden < 2; hidden++) {
    brio_world *world = new_world();
    brio_error err;
    brio_detection seen[4];
    add_ball(world, "ball", 2, 0, NAN);
    brio_furniture_form wall = {.form = BRIO_FURNITURE_BOX,
                                .kind = "wall",
                                .id = "wall",
                                .x = 1,
                                .y = hidden ? 0 : 1,
                                .hidden = true,
                                .size = {0.1, 1, 1},
                                .board = 0.1,
                                .color = {NAN, NAN, NAN}};
    CHECK(brio_world_add_furniture(world, &wall, &err), "%s", err.message);
    CHECK(brio_world_detect(world, seen, 4) == 1 - hidden, "hidden %d", hidden);
    brio_world_free(world);
  }
}

static void refuses_what_cannot_be(void) {
  brio_world *world = new_world();
  brio_error err;
  brio_thing_form form = {.kind = "ball", .id = "b", .radius = NAN, .color = {NAN, NAN, NAN}, .z = NAN};
  CHECK(!brio_world_add_thing(world, &form, &err), "a radius of NaN");
  CHECK_HAS(err.message, "radius");
  form.radius = 0.05;
  form.x = INFINITY;
  CHECK(!brio_world_add_thing(world, &form, &err), "at infinity");
  form.x = 0;
  CHECK(brio_world_add_thing(world, &form, &err), "%s", err.message);
  CHECK(!brio_world_add_thing(world, &form, &err), "twice");
  CHECK_HAS(err.message, "already has a 'b'");
  brio_furniture_form table = {
      .form = BRIO_FURNITURE_TABLE, .kind = "table", .id = "t", .size = {-1, 1, 1}, .board = 0.02};
  CHECK(!brio_world_add_furniture(world, &table, &err), "a length below 0");
  brio_world_hand_form hand = {
      .name = "h", .link = "l", .grip = "g", .open = 1, .shut = 1, .span = 0.1, .reach = 0.1};
  CHECK(!brio_world_add_hand(world, &hand, &err), "it can never shut");
  brio_world_free(world);
}

CHECK_SUITE(CHECK_TEST(falls_and_lies), CHECK_TEST(nothing_sinks), CHECK_TEST(rolls_down_a_chute_into_a_bin),
            CHECK_TEST(rolls_down_a_ramp_and_stays_on_stairs), CHECK_TEST(a_grasped_ball_follows_the_palm),
            CHECK_TEST(an_empty_hand_shuts), CHECK_TEST(two_hands_cannot_hold_one_ball),
            CHECK_TEST(slips_when_caught_badly_or_carried_fast),
            CHECK_TEST(pressed_into_a_table_it_is_lost_not_sunk), CHECK_TEST(events_take_put_blind_and_push),
            CHECK_TEST(an_exchange_keeps_what_is_held), CHECK_TEST(solids_hide),
            CHECK_TEST(refuses_what_cannot_be))
