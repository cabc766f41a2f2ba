/* Name lookup, and suggestions for misspelt names. */
#include "base/name.h"
#include "base/random.h"

#include "tests/check.h"

static const char *const joints[] = {"HeadYaw",        "HeadPitch", "LShoulderPitch",
                                     "RShoulderPitch", "HipRoll",   NULL};
static const char *joint_at(const void *list, int i) { return ((const char *const *)list)[i]; }
static const char *const none[] = {NULL};

static void meant(const char *wrong, const char *expected) {
  const char *near = brio_name_nearest(wrong, joint_at, joints);
  CHECK(expected ? near && strcmp(near, expected) == 0 : !near,
        "'%s' gave '%s'", wrong, near ? near : "nothing");
}

static void guesses_what_was_meant(void) {
  meant("HeadYaw", "HeadYaw");
  meant("HeadYwa", "HeadYaw");   /* swapped */
  meant("HeadPich", "HeadPitch"); /* left out */
  meant("headpitch", "HeadPitch");
  meant("LShoulderPitchh", "LShoulderPitch");
  meant("HippRoll", "HipRoll");
  meant("gripper", NULL);
  meant("x", NULL);
  CHECK(!brio_name_nearest("HeadYaw", joint_at, none), "an empty list");
}

static void a_name_that_shares_nothing_is_not_meant(void) {
  static const char *const letters[] = {"a", "x1", "zz", NULL};
  const char *near = brio_name_nearest("x", joint_at, letters);
  CHECK(near && strcmp(near, "x1") == 0, "'x' gave '%s'", near ? near : "nothing");
  CHECK(!brio_name_nearest("b", joint_at, letters), "'b' gave '%s'",
        brio_name_nearest("b", joint_at, letters));
  CHECK(!brio_name_nearest("", joint_at, letters), "an empty name");
  CHECK(brio_name_nearest("a", joint_at, letters) == letters[0], "itself");
}

static void empty_and_endless_names_are_safe(void) {
  char endless[5000], hint[96];
  memset(endless, 'a', sizeof endless - 1);
  endless[sizeof endless - 1] = 0;
  const char *const list[] = {endless, "", NULL};
  CHECK(brio_name_nearest("", joint_at, joints) == NULL, "nothing is near an empty name");
  brio_name_nearest(endless, joint_at, joints);
  brio_name_hint(endless, joint_at, list, hint);
  CHECK(strlen(hint) < sizeof hint, "hint of %zu bytes", strlen(hint));
}

static void hint_is_a_piece_of_a_sentence(void) {
  char hint[96];
  brio_name_hint("HeadYwa", joint_at, joints, hint);
  CHECK(strcmp(hint, " (did you mean 'HeadYaw'?)") == 0, "'%s'", hint);
  CHECK(strcmp(brio_name_hint("gripper", joint_at, joints, hint), "") == 0, "'%s'", hint);
}

static void index_finds_every_name(void) {
  enum { COUNT = 2000 };
  static char names[COUNT][16];
  brio_name_index index;
  CHECK(brio_name_index_start(&index, COUNT), "start");
  for (int i = 0; i < COUNT; i++) {
    snprintf(names[i], sizeof names[i], "joint_%d", i);
    CHECK(brio_name_index_add(&index, names[i], 3 * i), "add %d", i);
  }
  for (int i = 0; i < COUNT; i++) {
    char copy[16];
    strcpy(copy, names[i]);
    CHECK(brio_name_index_find(&index, copy) == 3 * i, "%s", copy);
  }
  CHECK(!brio_name_index_add(&index, "joint_7", 1), "a name twice");
  CHECK(brio_name_index_find(&index, "joint_7") == 21, "the first stays");
  CHECK(brio_name_index_find(&index, "joint_2000") == -1, "unknown");
  CHECK(brio_name_index_find(&index, "") == -1, "empty");
  brio_name_index_end(&index);
  CHECK(brio_name_index_find(&index, "joint_7") == -1, "after the end");
}

static void full_or_impossible_index_refuses(void) {
  brio_name_index index;
  static char names[64][8];
  int added = 0;
  CHECK(brio_name_index_start(&index, 0), "room for none");
  for (int i = 0; i < 64; i++) {
    snprintf(names[i], sizeof names[i], "n%d", i);
    added += brio_name_index_add(&index, names[i], i);
  }
  CHECK(added < 64, "an index for none took 64");
  CHECK(brio_name_index_find(&index, "absent") == -1, "a full index still answers");
  brio_name_index_end(&index);
  CHECK(!brio_name_index_start(&index, -1), "less than none");
  CHECK(!brio_name_index_start(&index, 2000000000), "two thousand million");
}

/* Names are added and removed in any order; an array of them gives the expected results. */
static void an_index_forgets_what_is_taken_out(void) {
  enum { PLACES = 300 };
  static char text[PLACES][16];
  bool there[PLACES] = {false};
  brio_name_index index;
  brio_random r = brio_random_stream(3, "index");
  CHECK(brio_name_index_start(&index, PLACES), "start");
  for (int i = 0; i < PLACES; i++) snprintf(text[i], sizeof text[i], "name%d", i);
  for (int step = 0; step < 20000; step++) {
    int i = (int)brio_random_below(&r, PLACES);
    if (there[i]) brio_name_index_remove(&index, text[i]);
    else CHECK(brio_name_index_add(&index, text[i], i), "step %d: %s", step, text[i]);
    there[i] = !there[i];
    int k = (int)brio_random_below(&r, PLACES);
    CHECK(brio_name_index_find(&index, text[k]) == (there[k] ? k : -1), "step %d: %s", step, text[k]);
  }
  brio_name_index_remove(&index, "nobody");
  for (int i = 0; i < PLACES; i++)
    CHECK(brio_name_index_find(&index, text[i]) == (there[i] ? i : -1), "%s", text[i]);
  brio_name_index_end(&index);
}

CHECK_SUITE(CHECK_TEST(an_index_forgets_what_is_taken_out), CHECK_TEST(guesses_what_was_meant),
            CHECK_TEST(a_name_that_shares_nothing_is_not_meant), CHECK_TEST(empty_and_endless_names_are_safe),
            CHECK_TEST(hint_is_a_piece_of_a_sentence), CHECK_TEST(index_finds_every_name),
            CHECK_TEST(full_or_impossible_index_refuses))
