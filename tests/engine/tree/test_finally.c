/* The finally branch of a fallback always runs: also when the fallback is ended from outside. */
#include "tests/engine/tree/random_tree.h"

#define S BRIO_TREE_SUCCESS
#define F BRIO_TREE_FAILURE

#define BODY "call a d=9 part=try\n   call b part=catch\n   call f d=0.2 part=finally\n"
#define SHALLOW "  call a d=9 part=try\n  call b part=catch\n  call f d=0.2 part=finally\n"

static int executions(const forest *self, const char *name, bool stops) {
  for (int i = 0; i < self->leaf_count; i++) {
    if (strcmp(self->leaves[i].name, name) == 0)
      return stops ? self->leaves[i].stops : self->leaves[i].executions;
  }
  return -1;
}

static void what_runs_beside_it_ends_it(void) {
  forest_expect("fallback\n timeout seconds=0.3\n  fallback\n   " BODY " call c\n", S, "a | f | c | ");
  forest_expect("sequence\n fallback\n  timeout seconds=0.3\n   fallback\n    call a d=9 part=try\n    call "
                "f part=finally\n  call c\n",
                S, "a | f c | ");
  forest_expect("sequence\n parallel\n  fallback\n   " BODY
                "  sequence\n   call w d=0.3\n   goto g to=end\n call x\n call end\n",
                S, "a w | f | end | ");
  forest_expect("sequence\n parallel failures=1\n  fallback\n   " BODY "  call w d=0.3 r=f\n", F,
                "a w | f | ");
  forest_expect("selector\n reactive_sequence\n  call g r=ssf\n  fallback\n   " BODY " call c\n", S,
                "g a | g | g f | c | ");
  forest_expect("sequence\n loop times=2\n  sequence\n   fallback after=beginning\n    call a d=9 part=try\n "
                "   call f d=0.2 part=finally\n"
                "   call w after=beginning d=0.1\n   goto g to=out\n call x\n checkpoint out\n call end\n",
                S, "a w | f | end | ");
}

/* A reactive selector leaves a branch, and returns to it while its finally branch still runs. */
static void a_branch_that_is_left_finishes(void) {
  forest *self = forest_of("reactive_selector\n sequence\n  call g r=ffsf\n  call slow d=0.1 r=f\n "
                           "fallback\n  call a d=9 part=try\n  call f d=0.3 part=finally\n");
  brio_tree_begin(self->tree);
  for (int i = 0; i < 12; i++) forest_tick(self, 0.1);
  CHECK(strcmp(self->log, "g a | g | g slow | f | g | g | g a | g | g | g | g | g | ") == 0, "%s", self->log);
  CHECK(executions(self, "a", true) == 1 && executions(self, "f", false) == 1, "once");
  forest_end(self);
}

static void a_halted_tree_finishes(void) {
  forest *self = forest_of("sequence\n fallback\n" SHALLOW " call c\n");
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  brio_tree_halt(self->tree);
  CHECK(executions(self, "a", true) == 1 && executions(self, "f", false) == 0,
        "what is tried is stopped at once");
  CHECK(brio_tree_status_of(self->tree, 1) == BRIO_TREE_RUNNING, "the fallback is not over yet");
  CHECK(forest_finish(self, 0.1, 5) == BRIO_TREE_IDLE, "the tree is over then");
  CHECK(strcmp(self->log, "a | f | ") == 0 && self->now < 0.55, "%s", self->log);
  CHECK(brio_tree_status_of(self->tree, 1) == BRIO_TREE_IDLE && !brio_tree_automatic(self->tree), "stopped");
  forest_end(self);
}

static void a_tree_that_begins_anew_finishes_first(void) {
  forest *self = forest_of(
      "sequence\n fallback\n  call a d=0.5 part=try\n  call f d=0.2 part=finally\n call c\n");
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  brio_tree_begin(self->tree);
  CHECK(forest_finish(self, 0.1, 5) == S, "it comes to its end");
  CHECK(strcmp(self->log, "a | f | a | f | c | ") == 0, "%s", self->log);
  forest_end(self);
}

static void a_person_stops_it(void) {
  forest *self = forest_of("sequence\n fallback\n" SHALLOW " call c\n");
  brio_error err;
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  CHECK(brio_tree_stop(self->tree, 1, 0.2, &err), "%s", err.message);
  CHECK(forest_finish(self, 0.1, 5) == F && strcmp(self->log, "a | f | ") == 0, "%s", self->log);
  CHECK(strcmp(brio_tree_why(self->tree, 1), "stopped") == 0, "it says why");
  forest_end(self);
}

static void it_takes_no_longer_than_its_grace(void) {
  forest *self = forest_of("fallback grace=0.5\n call a d=9 part=try\n call f d=9 part=finally\n");
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  brio_tree_halt(self->tree);
  CHECK(forest_finish(self, 0.1, 5) != BRIO_TREE_RUNNING && executions(self, "f", true) == 1, "%s",
        self->log);
  CHECK(self->now > 0.5 && self->now < 0.75, "%g s", self->now);
  forest_end(self);
}

/* The finally branch is running when the fallback is ended: it goes on, and does not run twice. */
static void it_comes_once(void) {
  forest_expect("fallback\n timeout seconds=0.3\n  fallback\n   call a d=0.1 part=try\n   call f d=0.5 "
                "part=finally\n call c\n",
                S, "a | f | c | ");
  forest *self = forest_of(
      "fallback\n call a d=0.1 part=try\n sequence part=finally\n  call f d=0.2\n  call h d=0.2\n");
  brio_tree_begin(self->tree);
  for (int i = 0; i < 3; i++) forest_tick(self, 0.1);
  brio_tree_halt(self->tree);
  brio_tree_halt(self->tree);
  CHECK(forest_finish(self, 0.1, 5) != BRIO_TREE_RUNNING && strcmp(self->log, "a | f | h | ") == 0, "%s",
        self->log);
  CHECK(executions(self, "f", true) == 0 && executions(self, "h", true) == 0, "nobody stops it");
  forest_end(self);
}

static void inner_ones_come_first(void) {
  forest *self = forest_of("fallback\n fallback part=try\n  call a d=9 part=try\n  call f d=0.2 "
                           "part=finally\n call g d=0.2 part=finally\n");
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  brio_tree_halt(self->tree);
  CHECK(forest_finish(self, 0.1, 5) != BRIO_TREE_RUNNING && strcmp(self->log, "a | f | g | ") == 0, "%s",
        self->log);
  forest_end(self);
}

static void a_freed_tree_lets_go_of_all(void) {
  forest *self = forest_of("fallback\n call a d=9 part=try\n call f d=9 part=finally\n");
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  brio_tree_halt(self->tree);
  forest_tick(self, 0.1);
  brio_tree_free(self->tree);
  self->tree = NULL;
  CHECK(executions(self, "a", true) == 1 && executions(self, "f", true) == 1, "both were let go of, once");
  forest_end(self);
}

/* ---------------------------------------------------------------- random trees, ended in many ways */

static void poke(maker *random, brio_tree *tree, int count) {
  brio_error err;
  int node = draw(random, count), way = draw(random, 16);
  if (way == 0) brio_tree_halt(tree);
  if (way == 1) brio_tree_begin(tree);
  if (way == 2) brio_tree_reset(tree);
  if (way == 3) brio_tree_stop(tree, node, 0.1 * draw(random, 3), &err);
  if (way == 4) brio_tree_set_next(tree, node, &err);
  if (way > 12) brio_tree_set_automatic(tree, true);
}

/* However it ends: finally branches have begun as often as try branches. */
static void it_comes_as_often_as_it_is_tried(void) {
  static char text[1 << 16];
  int tried = 0, ended = 0;
  for (int seed = 0; seed < 1500 * check_scale() && check_failures == 0; seed++) {
    maker random = {.text = text, .room = sizeof text};
    random.random = brio_random_stream((uint64_t)seed, "finals");
    make_finals(&random, 0);
    if (random.count > 300) continue;
    forest *self = forest_of(text);
    brio_tree_begin(self->tree);
    for (int tick = 0; tick < 40; tick++) {
      forest_tick(self, 0.1);
      self->log[0] = 0;
      poke(&random, self->tree, self->plan.count);
    }
    brio_tree_halt(self->tree);
    CHECK(forest_finish(self, 0.1, 300) != BRIO_TREE_RUNNING, "seed %d: it is over", seed);
    CHECK(brio_tree_running(self->tree, NULL, 0) == 0, "seed %d: nothing runs", seed);
    for (int i = 0; i < self->leaf_count; i++) {
      if (self->leaves[i].name[0] != 't') continue;
      char name[32];
      snprintf(name, sizeof name, "f%s", self->leaves[i].name + 1);
      tried += self->leaves[i].executions;
      ended += self->leaves[i].stops;
      CHECK(executions(self, name, false) == self->leaves[i].executions,
            "seed %d: %s %d times, %s %d times\n%s", seed, self->leaves[i].name, self->leaves[i].executions,
            name, executions(self, name, false), text);
    }
    forest_end(self);
  }
  CHECK(tried > 2000 * check_scale() && ended > 100 * check_scale(),
        "%d tries, %d of them ended from outside", tried, ended);
}

CHECK_SUITE(CHECK_TEST(what_runs_beside_it_ends_it), CHECK_TEST(a_branch_that_is_left_finishes),
            CHECK_TEST(a_halted_tree_finishes), CHECK_TEST(a_tree_that_begins_anew_finishes_first),
            CHECK_TEST(a_person_stops_it), CHECK_TEST(it_takes_no_longer_than_its_grace),
            CHECK_TEST(it_comes_once), CHECK_TEST(inner_ones_come_first),
            CHECK_TEST(a_freed_tree_lets_go_of_all), CHECK_TEST(it_comes_as_often_as_it_is_tried))
