/* The preview of what comes next, in random trees: a step begins exactly these nodes, and the query works at
** any time. */
#include "tests/check.h"
#include "tests/engine/tree/random_tree.h"

/* Sequences of leaves that succeed, layered at random. */
static void make_layers(maker *self, int depth) {
  int name = self->count++;
  bool leaf = depth > 0 && (depth > 3 || draw(self, 3) > 0);
  put(self, "%*s%s n%d", depth, "", leaf ? "call" : "sequence", name);
  if (leaf) put(self, " d=%.1f", 0.3 + 0.1 * draw(self, 4));
  if (depth > 0) put_after(self, name);
  put(self, "\n");
  for (int i = 0, children = leaf ? 0 : 1 + draw(self, 5); i < children; i++) make_layers(self, depth + 1);
}

static forest *random_forest(int seed, void (*make)(maker *, int)) {
  static char text[1 << 18];
  maker made = {.text = text, .room = sizeof text};
  made.random = brio_random_stream((uint64_t)seed, "coming");
  make(&made, 0);
  return forest_of(text);
}

static void names_of(const forest *self, const int32_t *nodes, int count, char *text, size_t room) {
  size_t length = 0;
  text[0] = 0;
  for (int i = 0; i < count && length + 16 < room; i++) {
    length += (size_t)snprintf(text + length, room - length, "%s ", self->plan.nodes[nodes[i]].name);
  }
}

static void a_step_begins_what_comes(void) {
  int steps = 0;
  for (int seed = 1; seed <= 60; seed++) {
    forest *self = random_forest(seed, make_layers);
    brio_tree_begin(self->tree);
    brio_tree_set_automatic(self->tree, false);
    brio_tree_set_concurrency(self->tree, seed % 5 != 0);
    while (self->tree && brio_tree_next(self->tree) >= 0 && steps < 5000) {
      int32_t nodes[64];
      char coming[1024];
      int count = brio_tree_coming(self->tree, nodes, 64);
      names_of(self, nodes, count, coming, sizeof coming);
      size_t before = strlen(self->log);
      brio_tree_step(self->tree);
      forest_tick(self, 0.1);
      size_t length = strlen(coming);
      CHECK(count > 0 && strncmp(self->log + before, coming, length) == 0 &&
                strcmp(self->log + before + length, "| ") == 0,
            "seed %d: '%s' was to come, '%s' began", seed, coming, self->log + before);
      forest_finish(self, 0.1, self->now + 1);
      steps++;
    }
    CHECK(brio_tree_coming(self->tree, NULL, 0) == 0, "seed %d: nothing comes at the end", seed);
    forest_end(self);
  }
  CHECK(steps > 200, "%d steps", steps);
}

static void asking_goes_well_at_any_time(void) {
  for (int seed = 1; seed <= 60; seed++) {
    forest *self = random_forest(seed, make_node);
    maker chance = {0};
    chance.random = brio_random_stream((uint64_t)seed, "acts");
    brio_tree_begin(self->tree);
    for (int i = 0; i < 80; i++) {
      brio_error err;
      int act = draw(&chance, 12), node = draw(&chance, self->plan.count);
      if (act == 0) brio_tree_set_automatic(self->tree, i % 2 == 0);
      if (act == 1) brio_tree_step(self->tree);
      if (act == 2) brio_tree_set_next(self->tree, node, &err);
      if (act == 3) brio_tree_set_breakpoint(self->tree, node, i % 3 > 0, &err);
      forest_tick(self, 0.1);
      int32_t nodes[4] = {-1, -1, -1, -1};
      int count = brio_tree_coming(self->tree, nodes, 4);
      CHECK(count >= 0 && count <= self->plan.count, "seed %d: %d nodes come", seed, count);
      for (int k = 0; k < 4; k++)
        CHECK(k < count ? nodes[k] >= 0 && nodes[k] < self->plan.count : nodes[k] == -1, "seed %d", seed);
    }
    forest_end(self);
  }
}

CHECK_SUITE(CHECK_TEST(a_step_begins_what_comes), CHECK_TEST(asking_goes_well_at_any_time))
