/* Trees that are saved as numbers and restored as others: the restored tree, whose leaves continue where the
** first one's were, does the same from there on, tick by tick; corrupt numbers are refused or give a tree
** that can run. */
#include "tests/engine/tree/random_tree.h"

#include <math.h>

enum { MOST_NUMBERS = 1 << 16 };

/* A host whose leaves, when they begin again after a restore, continue where they were. */
typedef struct heir { forest *forest; bool taken[FOREST_MOST]; double had[FOREST_MOST]; } heir;

static brio_tree_status heir_work(void *data, int call, int unit, bool fresh, double elapsed,
                                  const char **why) {
  heir *self = data;
  bool again = fresh && self->taken[call];
  if (fresh && !again) self->had[call] = 0;
  if (fresh) self->taken[call] = false;
  return forest_work(self->forest, call, unit, fresh && !again, elapsed + self->had[call], why);
}

static void heir_stop(void *data, int call, int unit) { forest_stop(((heir *)data)->forest, call, unit); }

static char *random_text(maker *random, bool finals) {
  random->length = 0;
  random->count = 0;
  if (finals) put(random, "sequence r\n");
  if (finals) make_finals(random, 1);
  else make_node(random, 0);
  return random->text;
}

/* Give a twin the leaves' results and elapsed times. */
static void inherit(forest *from, forest *to, heir *leaves) {
  memcpy(to->leaves, from->leaves, sizeof to->leaves);
  for (int node = 0; node < from->plan.count; node++) {
    bool runs = brio_tree_kind_of(&from->plan, node)->calls &&
                brio_tree_status_of(from->tree, node) == BRIO_TREE_RUNNING;
    if (!runs) continue;
    int call = from->plan.nodes[node].call;
    leaves->taken[call] = true;
    leaves->had[call] = brio_tree_elapsed(from->tree, node) + 0.1; /* elapsed is as of the tick before */
  }
}

static bool same_statuses(const forest *a, const forest *b, const char *when) {
  for (int node = 0; node < a->plan.count; node++) {
    brio_tree_status was = brio_tree_status_of(a->tree, node), is = brio_tree_status_of(b->tree, node);
    CHECK(was == is, "%s, node %d '%s' is %s and was %s", when, node, a->plan.nodes[node].name,
          brio_tree_status_name(is), brio_tree_status_name(was));
    if (was != is) return false;
  }
  return true;
}

/* Now and then a person stops a node. */
static void meddle(maker *random, forest *a, forest *b) {
  int node = draw(random, 8) == 0 ? draw(random, a->plan.count) : -1;
  if (node < 0 || brio_tree_status_of(a->tree, node) != BRIO_TREE_RUNNING) return;
  brio_tree_stop(a->tree, node, 0, NULL);
  if (b) brio_tree_stop(b->tree, node, 0, NULL);
}

static double numbers[MOST_NUMBERS];

/* A tree runs for some ticks, and then its twin runs beside it. */
static bool go_on(maker *random, const char *text) {
  forest *first = forest_of(text), *twin = forest_of(text);
  heir leaves = {.forest = twin};
  brio_tree_host host = {&leaves, heir_work, heir_stop, NULL};
  brio_error err = {0};
  bool same = true;
  double shift = 3.0 * draw(random, 3) - 3;
  brio_tree_begin(first->tree);
  for (int tick = 0, ticks = draw(random, 30); tick < ticks; tick++)
    forest_tick(first, 0.1), meddle(random, first, NULL);
  brio_tree_free(twin->tree);
  twin->tree = brio_tree_new(&twin->plan, &host, &err);
  twin->now = first->now + shift;
  size_t count = brio_tree_save(first->tree, numbers, MOST_NUMBERS);
  CHECK(count <= MOST_NUMBERS, "%zu numbers", count);
  inherit(first, twin, &leaves);
  same = brio_tree_restore(twin->tree, numbers, count, twin->now, shift, &err);
  CHECK(same, "%s: %s", err.message, text);
  same = same && same_statuses(first, twin, "at once");
  for (int tick = 0; tick < 60 && same; tick++) {
    brio_tree_status was = forest_tick(first, 0.1), is = forest_tick(twin, 0.1);
    memset(leaves.taken, 0, sizeof leaves.taken); /* the first tick ends those it does not begin again */
    CHECK(was == is, "tick %d: %s, was %s", tick, brio_tree_status_name(is), brio_tree_status_name(was));
    same = was == is && same_statuses(first, twin, "later");
    meddle(random, first, twin);
  }
  if (!same) printf("%s", text);
  forest_end(first);
  forest_end(twin);
  return same;
}

static void test_random_trees(void) {
  static char text[1 << 16];
  maker random = {.text = text, .room = sizeof text};
  int trees = (int)(1500 * check_scale());
  random.random = brio_random_stream(1, "saved");
  for (int i = 0; i < trees; i++)
    if (!go_on(&random, random_text(&random, i % 2 == 1))) return;
}

/* A restored tree saves the same numbers as it was restored from. */
static void test_told_again(void) {
  static const char text[] =
      "sequence a\n loop b times=3\n  call c d=0.5\n wait w seconds=2 after=beginning\n counter n limit=3\n";
  static double again[MOST_NUMBERS];
  forest *self = forest_of(text), *other = forest_of(text);
  brio_error err = {0};
  brio_tree_begin(self->tree);
  for (int tick = 0; tick < 9; tick++) forest_tick(self, 0.1);
  size_t count = brio_tree_save(self->tree, numbers, MOST_NUMBERS);
  CHECK(brio_tree_save(self->tree, numbers, 3) == count, "it says how many there are");
  count = brio_tree_save(self->tree, numbers, MOST_NUMBERS);
  CHECK(brio_tree_restore(other->tree, numbers, count, self->now, 0, &err), "%s", err.message);
  CHECK(brio_tree_save(other->tree, again, MOST_NUMBERS) == count, "as many");
  int differ = 0;
  for (size_t i = 0; i < count; i++) differ += numbers[i] != again[i];
  CHECK(differ == 1, "%d numbers differ: the leaf's beginning alone does", differ);
  forest_end(self);
  forest_end(other);
}

/* Waits keep their elapsed time. */
static void test_time_goes_on(void) {
  static const char text[] = "sequence a\n wait w seconds=2\n call c\n";
  forest *self = forest_of(text), *other = forest_of(text);
  brio_error err = {0};
  brio_tree_begin(self->tree);
  for (int tick = 0; tick < 15; tick++) forest_tick(self, 0.1); /* up to 1.4 s */
  size_t count = brio_tree_save(self->tree, numbers, MOST_NUMBERS);
  CHECK(brio_tree_restore(other->tree, numbers, count, 0, -1.4, &err), "%s", err.message);
  int ticks = 0;
  while (forest_tick(other, 0.1) == BRIO_TREE_RUNNING && ticks < 100) ticks++;
  CHECK(ticks == 6, "0.6 s are left, not %d ticks", ticks);
  CHECK(strcmp(other->log, "c | ") == 0, "'%s'", other->log);
  forest_end(self);
  forest_end(other);
}

/* A tree of another plan, and invalid numbers, are refused, and the tree begins from its root. */
static void test_refused(void) {
  forest *self = forest_of("sequence a\n call b d=1\n call c\n"),
         *other = forest_of("sequence a\n call b d=1\n");
  brio_error err = {0};
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  size_t count = brio_tree_save(self->tree, numbers, MOST_NUMBERS);
  CHECK(!brio_tree_restore(other->tree, numbers, count, 0, 0, &err) && err.code == BRIO_FORMAT,
        "another plan");
  CHECK(!brio_tree_restore(self->tree, numbers, count - 1, 0, 0, &err), "cut off");
  CHECK(!brio_tree_restore(self->tree, NULL, 0, 0, 0, &err), "nothing");
  CHECK(brio_tree_automatic(self->tree) && brio_tree_next(self->tree) == 1, "it begins from the root");
  forest_end(self);
  forest_end(other);
}

/* Changed numbers are refused or give a tree that can run and be saved; they never crash. */
static void test_changed_numbers(void) {
  static char text[1 << 16];
  static const double odd[] = {-1, 0, 1, 2, 3, 4, 5, 7, 15, 16, 1e9, 0.5, -2, INFINITY, NAN};
  maker random = {.text = text, .room = sizeof text};
  brio_error err;
  int taken = 0, tries = (int)(3000 * check_scale());
  random.random = brio_random_stream(2, "saved");
  for (int i = 0; i < tries; i++) {
    forest *self = forest_of(random_text(&random, i % 2 == 1));
    brio_tree_begin(self->tree);
    for (int tick = 0, ticks = draw(&random, 20); tick < ticks; tick++)
      forest_tick(self, 0.1), meddle(&random, self, NULL);
    size_t count = brio_tree_save(self->tree, numbers, MOST_NUMBERS);
    for (int change = 1 + draw(&random, 3); change > 0; change--)
      numbers[draw(&random, (int)count)] = odd[draw(&random, (int)(sizeof odd / sizeof *odd))];
    taken += brio_tree_restore(self->tree, numbers, count, self->now, 0, &err);
    for (int tick = 0; tick < 20; tick++) forest_tick(self, 0.1);
    CHECK(brio_tree_save(self->tree, numbers, MOST_NUMBERS) > 0, "it is told");
    forest_end(self);
  }
  CHECK(taken > tries / 100 && taken < tries, "%d of %d were taken", taken, tries);
}

CHECK_SUITE(CHECK_TEST(test_random_trees), CHECK_TEST(test_told_again), CHECK_TEST(test_time_goes_on),
            CHECK_TEST(test_refused), CHECK_TEST(test_changed_numbers))
