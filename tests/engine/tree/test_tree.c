/* Behavior trees: kinds of nodes, layering, points on which the sources disagree, control by a person. */
#include "tests/engine/tree/forest.h"

#define S BRIO_TREE_SUCCESS
#define F BRIO_TREE_FAILURE

static void a_sequence_runs_in_order(void) {
  forest_expect("sequence\n call a d=0.2\n sequence\n  call b\n  call c d=0.1\n call d\n", S,
                "a | b c | d | ");
  forest_expect("sequence\n call a\n call b r=f\n call c\n", F, "a b | ");
}

static void layering_begins_early(void) {
  forest_expect("sequence\n call a d=1\n call b after=beginning d=1\n call c\n", S, "a b | c | ");
  forest_expect("sequence\n call a d=0.2\n call b d=0.5\n call c after=a d=0.1\n call d after=beginning\n", S,
                "a | b c d | ");
  forest_expect("sequence\n call z d=0.1\n sequence s\n  call a d=0.5\n  call b after=s\n call c after=s\n",
                S, "z | a b c | ");
  forest_expect("sequence\n sequence s\n  call a d=0.5\n  call b after=beginning\n call c after=whole:s\n", S,
                "a b | c | ");
}

/* "previous" waits for one leaf only: a slower one before it runs on; `all` joins. */
static void previous_waits_for_one_leaf(void) {
  forest_expect("sequence\n call slow d=1\n call fast after=beginning d=0.2\n call back\n", S,
                "slow fast | back | ");
  forest *early = forest_of("sequence\n call slow d=1\n call fast after=beginning d=0.2\n call back d=0.1\n");
  brio_tree_begin(early->tree);
  forest_finish(early, 0.1, 0.25);
  CHECK(strstr(early->log, "back") != NULL && brio_tree_status_of(early->tree, 1) == BRIO_TREE_RUNNING,
        "back waits for fast alone");
  forest_end(early);
  forest *join = forest_of(
      "sequence\n call slow d=1\n call fast after=beginning d=0.2\n call back after=all\n");
  brio_tree_begin(join->tree);
  forest_finish(join, 0.1, 0.95);
  CHECK(strstr(join->log, "back") == NULL, "all so far are waited for");
  forest_finish(join, 0.1, 2);
  CHECK(strstr(join->log, "back") != NULL, "then it begins");
  forest_end(join);
}

static double takes(const char *text, bool concurrent) {
  forest *self = forest_of(text);
  brio_tree_begin(self->tree);
  brio_tree_set_concurrency(self->tree, concurrent);
  CHECK(forest_finish(self, 0.005, 60) == S, "it comes to its end");
  double now = self->now;
  forest_end(self);
  return now;
}

/* The example of the thesis: a walk of 7.58 s and two motions of the arms, sequential and layered. */
static void layering_takes_7_6_instead_of_11_7_seconds(void) {
  const char *text =
      "sequence\n call walk d=7.58\n call left after=beginning d=2.06\n call right after=left d=2.06\n";
  CHECK_NEAR(takes(text, false), 11.7, 0.03, "one after the other");
  CHECK_NEAR(takes(text, true), 7.6, 0.03, "layered");
}

/* A node that chooses is queried in each tick for the child to run, and switches when the answer changes. */
static void a_choice_is_done_and_may_change(void) {
  forest_expect("sequence\n choose x r=2\n  call a\n  call b d=0.2\n call c\n", S, "x b | c | ");
  forest_expect("sequence\n choose x r=.2..1\n  call a d=0.2\n  call b d=5\n call c\n", S,
                "x | b | a | c | ");
  forest_expect("sequence\n choose x r=11111\n  call a d=0.3\n  call b\n", S, "x a | ");
  forest_expect("sequence\n choose x r=f\n  call a\n call c\n", F, "x | ");
  forest_expect("sequence\n choose x r=.s\n  call a\n call c\n", S, "x | c | ");
  forest_expect("sequence\n choose x r=3\n  call a\n  call b\n", F, "x | ");
  forest_expect("sequence\n choose x r=1\n  call a d=0.1 r=f\n  call b\n", F, "x a | ");
  forest_expect("sequence\n choose x r=..f\n  call a\n", F, "x | ");
  forest_expect(
      "sequence\n choose x r=1.2\n  sequence\n   call a d=9\n   call b\n  sequence\n   call c\n   call d\n",
      S, "x a | c d | ");
  forest *self = forest_of("sequence\n choose x r=1..2\n  call a d=5\n  call b d=5\n");
  brio_tree_begin(self->tree);
  forest_finish(self, 0.1, 0.55);
  CHECK(self->leaves[1].stops == 1 && self->leaves[2].stops == 0, "what it turned from is stopped, once");
  brio_tree_halt(self->tree);
  CHECK(self->leaves[0].stops == 1 && self->leaves[2].stops == 1, "and both with the tree");
  forest_end(self);
}

static void fallbacks_join_before_they_decide(void) {
  forest_expect(
      "sequence\n fallback\n  call a d=0.1 r=f\n  call b after=beginning d=0.5\n  call c\n call d\n", S,
      "a b | c d | ");
  forest_expect("sequence\n fallback\n  call a d=0.5\n  call b after=beginning d=0.1\n  call c\n call d\n", S,
                "a b | d | ");
  forest *self = forest_of(
      "sequence\n fallback\n  call a d=0.5\n  call b after=beginning d=0.1\n  call c\n call d\n");
  brio_tree_begin(self->tree);
  forest_finish(self, 0.1, 0.35);
  CHECK(strstr(self->log, "d ") == NULL, "what follows waits for all that is tried");
  forest_end(self);
}

static void what_is_tried_may_be_anything(void) {
  forest_expect("fallback\n sequence\n  call a d=0.1\n  call b r=f\n sequence\n  call c\n  call d\n", S,
                "a | b c d | ");
  forest_expect("fallback\n sequence\n  call a d=0.2\n sequence\n  call b after=beginning r=f\n call c\n", S,
                "a b | c | ");
  forest_expect("fallback\n fallback\n  call a r=f\n  call b r=f\n call c\n", S, "a b c | ");
  forest_expect("fallback\n call a r=f\n call b r=f\n", F, "a b | ");
  forest_expect("fallback\n call a r=f\n", F, "a | ");
  forest_expect("sequence\n call z d=0.3\n fallback\n  call a after=beginning d=0.1 r=f\n  call b\n", S,
                "z a | b | ");
}

static void finally_comes_in_any_case(void) {
  forest_expect("sequence\n fallback\n  call a r=f part=try\n  call b part=catch\n  call c part=finally "
                "d=0.1\n call d\n",
                S, "a b c | d | ");
  forest_expect(
      "sequence\n fallback\n  call a part=try\n  call b part=catch\n  call c part=finally\n call d\n", S,
      "a c d | ");
  forest_expect("sequence\n fallback\n  call a part=try r=f\n  call c part=finally\n call d\n", F, "a c | ");
  forest_expect("sequence\n fallback\n  call a r=f part=try\n  goto g to=end part=catch\n  call c "
                "part=finally d=0.2\n call x\n call end\n",
                S, "a c | end | ");
}

static void a_goto_finds_the_nearest_of_that_name(void) {
  forest_expect("sequence\n call a\n goto g to=c\n call b\n call c\n", S, "a c | ");
  forest_expect("sequence\n call x\n call l\n sequence\n  goto g to=x\n  call n\n call x r=f\n", F,
                "x l x | ");
  forest_expect("sequence\n sequence s\n  call t r=f\n goto g to=t\n sequence\n  call t\n", F, "t | ");
  forest_expect("sequence\n call a r=sf\n goto g to=next\n call b\n goto h to=a\n", F, "a b | a | ");
  forest_expect("sequence\n goto g to=s\n call a\n sequence s\n  sequence\n   call b\n", S, "b | ");
}

/* Siblings before their descendants, the left before the right, the parent last. */
static void a_goto_prefers_siblings_then_what_is_inside_them(void) {
  forest *self = forest_of("sequence t\n sequence\n  call t\n goto g to=t\n call t\n");
  CHECK(self->plan.nodes[3].to_node == 4, "a sibling before what is inside one");
  forest_end(self);
  self = forest_of("sequence t\n sequence\n  call t\n goto g to=t\n sequence\n  call t\n");
  CHECK(self->plan.nodes[3].to_node == 2, "left before right");
  forest_end(self);
  self = forest_of("sequence t\n call a\n sequence\n  goto g to=t\n call c\n");
  CHECK(self->plan.nodes[3].to_node == 0, "the parent last");
  forest_end(self);
}

static void a_retry_succeeds_at_the_fourth_try(void) {
  forest_expect("sequence\n fallback\n  call open r=fffs d=0.1\n  goto again to=open\n call through\n", S,
                "open | open | open | open | through | ");
  forest_expect("sequence\n retry times=4\n  call open r=fffs d=0.1\n call through\n", S,
                "open | open | open | open | through | ");
  forest_expect("sequence\n retry times=3\n  call open r=fffs\n call through\n", F, "open | open | open | ");
}

static void a_routine_always_comes_back(void) {
  const char *routine = "sequence\n gosub g to=r\n call b\n goto e to=end\n sequence r\n  call x d=0.1\n  "
                        "call y%s\n call end\n";
  char text[256];
  snprintf(text, sizeof text, routine, "");
  forest_expect(text, S, "x | y b end | ");
  snprintf(text, sizeof text, routine, " r=f");
  forest_expect(text, F, "x | y | ");
  forest_expect("sequence\n fallback\n  gosub g to=r\n  call c\n goto e to=end\n sequence r\n  call x\n  "
                "goto out to=end\n checkpoint end\n",
                S, "x c | ");
}

static void a_routine_may_call_itself_until_a_limit(void) {
  forest_expect("sequence\n gosub g to=r\n goto e to=end\n sequence r\n  call x\n  fallback\n   counter n "
                "limit=3\n   goto done to=last\n"
                "  gosub h to=r\n  checkpoint last\n checkpoint end\n",
                S, "x x x | ");
  forest *self = forest_of("sequence r\n gosub g to=r\n");
  brio_tree_begin(self->tree);
  CHECK(forest_finish(self, 0.1, 10) == F, "a routine that only calls itself fails");
  forest_end(self);
}

static void parallels_count(void) {
  forest_expect("sequence\n parallel\n  call a d=0.5\n  sequence\n   call b d=0.1\n   call c\n call d\n", S,
                "a b | c | d | ");
  forest_expect("parallel successes=1\n call a d=0.5\n call b d=0.1\n", S, "a b | ");
  forest_expect("parallel\n call a d=0.5\n call b d=0.1 r=f\n", F, "a b | ");
  forest_expect("parallel failures=2\n call a d=0.3\n call b d=0.1 r=f\n", F, "a b | ");
  forest_expect("parallel successes=1 failures=2\n call a d=0.3\n call b d=0.1 r=f\n", S, "a b | ");
}

static void reactive_nodes_ask_again(void) {
  forest *self = forest_of("reactive_sequence\n call guard r=sssf\n call work d=9\n");
  brio_tree_begin(self->tree);
  CHECK(forest_finish(self, 0.1, 10) == F, "the guard ends it");
  CHECK(self->leaves[0].executions == 4 && self->leaves[1].stops == 1 && self->leaves[1].executions == 1,
        "and stops what it guards");
  forest_end(self);
  self = forest_of("reactive_selector\n call better r=ffs\n call worse d=9\n");
  brio_tree_begin(self->tree);
  CHECK(forest_finish(self, 0.1, 10) == S && self->leaves[1].stops == 1, "what comes first wins");
  forest_end(self);
}

static void decorators(void) {
  forest_expect("selector\n timeout seconds=0.3\n  call a d=9\n call b\n", S, "a | b | ");
  forest_expect("loop times=3\n call a\n call b d=0.1\n", S, "a b | a b | a b | ");
  forest_expect("invert\n call a\n", F, "a | ");
  forest_expect("invert\n call a r=f\n", S, "a | ");
  forest_expect("selector\n call a r=f\n call b r=f\n call c\n call d\n", S, "a b c | ");
  forest_expect("loop times=5\n selector\n  cooldown seconds=0.25\n   call a\n  call b\n", S,
                "a | b | b | a | b | ");
  forest_expect("loop times=5\n rate hz=5\n  call a\n", S, "a | a | a | ");
  forest_expect("sequence\n retry times=2 pause=0.3\n  call a r=fs\n", S, "a | a | ");
}

/* IHMC's Shakeout.json: each leaf's predecessor, and the resulting groups of concurrent leaves. */
static void steps_are_concurrent_sets(void) {
  forest *self = forest_of("sequence\n call 0 d=1\n call 1 d=1\n call 2 d=1\n call 3 after=1 d=1\n call 4 "
                           "after=all d=1\n call 5 after=3 d=1\n"
                           " call 6 after=all d=1\n call 7 after=5 d=1\n");
  const char *const sets[] = {"0 | ", "1 | ", "2 3 | ", "4 5 | ", "6 7 | "};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    self->log[0] = 0;
    brio_tree_step(self->tree);
    for (int tick = 0; tick < 15; tick++) forest_tick(self, 0.1);
    CHECK(strcmp(self->log, sets[i]) == 0, "'%s', expected '%s'", self->log, sets[i]);
  }
  CHECK(brio_tree_next(self->tree) == -1, "at its end");
  forest_end(self);
}

static void steps_go_into_closed_nodes(void) {
  forest *self = forest_of("sequence\n fallback\n  call a r=f\n  call b\n  call c\n call d\n");
  const char *const sets[] = {"a | ", "b | ", "c | ", "d | "};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    self->log[0] = 0;
    brio_tree_step(self->tree);
    for (int tick = 0; tick < 3; tick++) forest_tick(self, 0.1);
    CHECK(strcmp(self->log, sets[i]) == 0, "'%s', expected '%s'", self->log, sets[i]);
  }
  forest_end(self);
}

static void a_failure_stops_where_it_failed(void) {
  forest *self = forest_of("sequence\n call a\n call b r=fs\n call c\n");
  brio_tree_begin(self->tree);
  CHECK(forest_finish(self, 0.1, 5) == F && !brio_tree_automatic(self->tree), "it stops");
  CHECK(brio_tree_next(self->tree) == 2, "where it failed");
  CHECK_HAS(brio_tree_why(self->tree, 2), "scripted");
  brio_tree_reset(self->tree);
  CHECK(brio_tree_status_of(self->tree, 2) == BRIO_TREE_IDLE, "the failure is forgotten");
  brio_tree_set_automatic(self->tree, true);
  CHECK(forest_finish(self, 0.1, 5) == S && strcmp(self->log, "a b | b c | ") == 0,
        "and goes on from there: %s", self->log);
  forest_end(self);
}

static void a_person_holds_stops_and_breaks(void) {
  forest *self = forest_of("sequence\n call a d=0.5\n call b d=5\n call c\n");
  brio_error err;
  brio_tree_begin(self->tree);
  CHECK(brio_tree_set_breakpoint(self->tree, 3, true, &err), "%s", err.message);
  forest_tick(self, 0.1);
  CHECK(brio_tree_pause(self->tree, 1, true, &err), "%s", err.message);
  for (int i = 0; i < 20; i++) forest_tick(self, 0.1);
  CHECK(brio_tree_status_of(self->tree, 1) == BRIO_TREE_RUNNING, "held");
  CHECK(brio_tree_pause(self->tree, 1, false, &err), "%s", err.message);
  for (int i = 0; i < 7; i++) forest_tick(self, 0.1);
  CHECK(brio_tree_status_of(self->tree, 1) == S && brio_tree_status_of(self->tree, 2) == BRIO_TREE_RUNNING,
        "let go");
  CHECK(!brio_tree_stop(self->tree, 3, 0, &err) && strstr(err.message, "does not run"), "%s", err.message);
  CHECK(brio_tree_stop(self->tree, 2, 0.3, &err), "%s", err.message);
  forest_tick(self, 0.1);
  CHECK(brio_tree_status_of(self->tree, 2) == BRIO_TREE_RUNNING, "not yet");
  for (int i = 0; i < 4; i++) forest_tick(self, 0.1);
  CHECK(brio_tree_status_of(self->tree, 2) == F && self->leaves[1].stops == 1, "stopped after a while");
  CHECK(brio_tree_set_next(self->tree, 3, &err), "%s", err.message);
  forest_end(self);
}

static void a_breakpoint_stops_before_its_unit(void) {
  forest *self = forest_of("sequence\n call a\n sequence s\n  call b\n call c\n");
  brio_error err;
  brio_tree_begin(self->tree);
  CHECK(brio_tree_set_breakpoint(self->tree, 2, true, &err), "%s", err.message);
  CHECK(forest_finish(self, 0.1, 5) == BRIO_TREE_IDLE && strcmp(self->log, "a | ") == 0, "'%s'", self->log);
  brio_tree_set_automatic(self->tree, true);
  CHECK(forest_finish(self, 0.1, 5) == S && strcmp(self->log, "a | b c | ") == 0, "'%s'", self->log);
  forest_end(self);
}

/* The numbers of the next nodes, as text. */
static const char *coming_of(const forest *self) {
  static char text[64];
  int32_t nodes[8];
  int count = brio_tree_coming(self->tree, nodes, 8), length = 0;
  for (int i = 0; i < count; i++)
    length += snprintf(text + length, sizeof text - (size_t)length, "%d ", (int)nodes[i]);
  text[length] = 0;
  return text;
}

static void a_breakpoint_inside_is_passed_and_the_one_after_is_not(void) {
  forest *self = forest_of("sequence\n loop times=1\n  call a\n  call b\n call c\n call d\n");
  brio_error err;
  brio_tree_begin(self->tree);
  CHECK(brio_tree_set_breakpoint(self->tree, 3, true, &err) &&
            brio_tree_set_breakpoint(self->tree, 4, true, &err),
        "%s", err.message);
  forest_finish(self, 0.1, 1);
  CHECK(strcmp(self->log, "a | ") == 0 && strcmp(coming_of(self), "3 ") == 0, "'%s', coming %s", self->log,
        coming_of(self));
  brio_tree_set_automatic(self->tree, true);
  CHECK(forest_finish(self, 0.1, 2) == BRIO_TREE_IDLE && strcmp(self->log, "a | b | ") == 0, "'%s'",
        self->log);
  CHECK(strcmp(coming_of(self), "4 ") == 0 && brio_tree_next(self->tree) == 4, "coming %s", coming_of(self));
  brio_tree_set_automatic(self->tree, true);
  CHECK(forest_finish(self, 0.1, 3) == S && strcmp(self->log, "a | b | c d | ") == 0, "'%s'", self->log);
  CHECK(strcmp(coming_of(self), "") == 0, "nothing comes: %s", coming_of(self));
  forest_end(self);
}

static void what_comes_is_the_next_concurrent_set(void) {
  forest *self = forest_of("sequence\n call a d=0.2\n call b after=beginning d=0.2\n parallel\n  call c "
                           "d=1\n  sequence\n   call d d=0.2\n   call e d=0.2\n call f\n");
  CHECK(strcmp(coming_of(self), "1 2 ") == 0, "first %s", coming_of(self));
  brio_tree_step(self->tree);
  forest_tick(self, 0.1);
  CHECK(strcmp(coming_of(self), "3 ") == 0, "then %s", coming_of(self));
  for (int i = 0; i < 4; i++) forest_tick(self, 0.1);
  brio_tree_step(self->tree);
  forest_tick(self, 0.1);
  brio_tree_step(self->tree);
  forest_tick(self, 0.1);
  CHECK(strcmp(coming_of(self), "7 ") == 0, "inside what runs: %s", coming_of(self));
  forest_end(self);
}

static void refuses(const char *text, const char *piece) {
  forest *self = calloc(1, sizeof *self);
  brio_error err = {0};
  CHECK(!forest_read(self, text, &err), "%s", text);
  CHECK_HAS(err.message, piece);
  forest_end(self);
}

static void what_is_wrong_is_said(void) {
  refuses("", "no nodes");
  refuses("sequence\n goto g to=nowhere\n call nowere\n", "did you mean 'nowere'");
  refuses("sequence\n call a after=b\n call b\n", "no earlier node");
  refuses("sequence s\n call a after=whole:s\n", "inside of");
  refuses("wait w\n call a\n", "no children");
  refuses("sequence\n wait w seconds=-1\n", "must be from 0");
  refuses("sequence\n goto g\n", "needs `to`");
  refuses("sequence\nsequence\n", "no parent");
}

CHECK_SUITE(CHECK_TEST(a_sequence_runs_in_order), CHECK_TEST(layering_begins_early),
            CHECK_TEST(previous_waits_for_one_leaf), CHECK_TEST(layering_takes_7_6_instead_of_11_7_seconds),
            CHECK_TEST(fallbacks_join_before_they_decide), CHECK_TEST(a_choice_is_done_and_may_change),
            CHECK_TEST(what_is_tried_may_be_anything), CHECK_TEST(finally_comes_in_any_case),
            CHECK_TEST(a_goto_finds_the_nearest_of_that_name),
            CHECK_TEST(a_goto_prefers_siblings_then_what_is_inside_them),
            CHECK_TEST(a_retry_succeeds_at_the_fourth_try), CHECK_TEST(a_routine_always_comes_back),
            CHECK_TEST(a_routine_may_call_itself_until_a_limit), CHECK_TEST(parallels_count),
            CHECK_TEST(reactive_nodes_ask_again), CHECK_TEST(decorators),
            CHECK_TEST(steps_are_concurrent_sets), CHECK_TEST(steps_go_into_closed_nodes),
            CHECK_TEST(a_failure_stops_where_it_failed), CHECK_TEST(a_person_holds_stops_and_breaks),
            CHECK_TEST(a_breakpoint_stops_before_its_unit),
            CHECK_TEST(a_breakpoint_inside_is_passed_and_the_one_after_is_not),
            CHECK_TEST(what_comes_is_the_next_concurrent_set), CHECK_TEST(what_is_wrong_is_said))
