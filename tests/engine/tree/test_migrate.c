/* Trees that migrate to an edited plan while they run: random trees and edits compared with the rules of
** tree.h, computed here from parents and children alone. */
#include "tests/engine/tree/random_tree.h"

#include <math.h>

/* ---------------------------------------------------------------- a host that holds
** executions against the rules */

enum { MOST_UNITS = 8192 };

typedef struct guard {
  forest *forest;
  int leaf_of[MOST_UNITS];
  int runs[FOREST_MOST];
  int stops;
  bool wrong;
} guard;

static void violate(guard *self, const char *what, int call) {
  if (!self->wrong) CHECK(false, "%s: leaf %d", what, call);
  self->wrong = true;
}

static brio_tree_status guard_work(void *data, int call, int unit, bool fresh, double elapsed,
                                   const char **why) {
  guard *self = data;
  if (fresh && (self->leaf_of[unit] || self->runs[call]++ > 0)) violate(self, "it runs twice", call);
  if (fresh) self->leaf_of[unit] = call + 1;
  if (self->leaf_of[unit] != call + 1) violate(self, "an execution goes on that was not begun", call);
  brio_tree_status status = forest_work(self->forest, call, unit, fresh, elapsed, why);
  if (status != BRIO_TREE_RUNNING) self->leaf_of[unit] = 0, self->runs[call]--;
  return status;
}

static void guard_stop(void *data, int call, int unit) {
  guard *self = data;
  if (self->leaf_of[unit] != call + 1) violate(self, "what does not run is stopped", call);
  self->leaf_of[unit] = 0;
  self->runs[call]--;
  self->stops++;
}

/* ---------------------------------------------------------------- random edits */

static int random_node(maker *random, const brio_tree_plan *plan, bool inner) {
  for (int tries = 0; tries < 50; tries++) {
    int node = draw(random, plan->count);
    if (!inner || brio_tree_kind_of(plan, node)->shape != BRIO_TREE_LEAF) return node;
  }
  return 0;
}

static int random_child(maker *random, const brio_tree_plan *plan, int parent) {
  int children[FOREST_MOST] = {0}, count = 0;
  for (int child = parent + 1; child < plan->nodes[parent].end; child = plan->nodes[child].end)
    children[count++] = child;
  int drawn = draw(random, count + 1);
  return drawn == count ? -1 : children[drawn];
}

static void put_in(maker *random, forest *self, brio_tree_plan *plan) {
  static char names[FOREST_MOST][8];
  brio_tree_say says[2] = {brio_tree_say_of(draw(random, 2) ? "loop" : "sequence", 0),
                           brio_tree_say_of("call", 0)};
  int inside = draw(random, 3) == 0, parent = random_node(random, plan, true);
  if (brio_tree_kind_of(plan, parent)->shape == BRIO_TREE_LEAF) return; /* of one node */
  int leaf = self->leaf_count++;
  snprintf(names[leaf], sizeof names[leaf], "i%d", leaf);
  snprintf(self->leaves[leaf].name, sizeof self->leaves[leaf].name, "%s", names[leaf]);
  self->leaves[leaf].duration = 0.1 * draw(random, 5);
  says[0].params[0] = inside ? 2 : NAN;
  says[1].name = names[leaf];
  says[1].call = leaf;
  says[1].after = draw(random, 3) == 0 ? BRIO_TREE_AFTER_BEGINNING : BRIO_TREE_AFTER_PREVIOUS;
  brio_error err;
  CHECK(brio_tree_plan_insert(plan, inside ? says : says + 1, 1 + inside, parent,
                              random_child(random, plan, parent), &err) >= 0,
        "%s", err.message);
}

static void edit_once(maker *random, forest *self, brio_tree_plan *plan) {
  brio_error err;
  int node = random_node(random, plan, false), parent = random_node(random, plan, true),
      way = draw(random, 4);
  if (way == 0) put_in(random, self, plan);
  if (way == 1 && node > 0 && plan->nodes[node].end - node < 8)
    CHECK(brio_tree_plan_remove(plan, node, &err), "%s", err.message);
  if (way == 2 && node > 0 && brio_tree_kind_of(plan, parent)->shape != BRIO_TREE_LEAF &&
      (parent < node || parent >= plan->nodes[node].end)) {
    CHECK(brio_tree_plan_move(plan, node, parent, random_child(random, plan, parent), &err) >= 0, "%s",
          err.message);
  }
  if (way == 3 && strcmp(brio_tree_kind_of(plan, node)->name, "loop") == 0) {
    brio_tree_say say = brio_tree_say_of("retry", 0);
    say.name = plan->nodes[node].name;
    CHECK(brio_tree_plan_set(plan, node, &say, &err), "%s", err.message);
  }
}

/* Copy `from`, edit it some times and finish it; where names lose their meaning, which is
** refused, try other edits. */
static void edited(maker *random, forest *self, const brio_tree_plan *from, brio_tree_plan *plan) {
  brio_error err;
  for (int tries = 0; ; tries++) {
    CHECK(brio_tree_plan_copy(plan, from, &err), "%s", err.message);
    for (int i = 0, edits = tries < 20 ? 1 + draw(random, 4) : 0; i < edits; i++)
      edit_once(random, self, plan);
    if (brio_tree_plan_finish(plan, &err)) return;
    CHECK(err.code == BRIO_MISUSE, "%s", err.message);
    brio_tree_plan_end(plan);
  }
}

/* ---------------------------------------------------------------- the rules, from parents alone */

/* The child of `outer` that contains or is `node`. */
static int child_towards(const brio_tree_plan *plan, int outer, int node) {
  while (plan->nodes[node].parent != outer) node = plan->nodes[node].parent;
  return node;
}

/* Whether node `a` of one plan is in the same line as `b` of the other: in the same closed nodes, and there
** in the same part or branch. */
static bool same_line(const brio_tree_plan *one, int a, const brio_tree_plan *two, int b) {
  for (int x = one->nodes[a].parent, y = two->nodes[b].parent;;
       x = one->nodes[x].parent, y = two->nodes[y].parent) {
    while (x >= 0 && brio_tree_kind_of(one, x)->shape == BRIO_TREE_OPEN) x = one->nodes[x].parent;
    while (y >= 0 && brio_tree_kind_of(two, y)->shape == BRIO_TREE_OPEN) y = two->nodes[y].parent;
    if (x < 0 || y < 0) return x < 0 && y < 0;
    if (one->nodes[x].id != two->nodes[y].id || one->nodes[x].kind != two->nodes[y].kind) return false;
    int in = child_towards(one, x, a), other = child_towards(two, y, b);
    brio_tree_shape shape = brio_tree_kind_of(one, x)->shape;
    if (shape == BRIO_TREE_BRANCHES &&
        (one->nodes[in].id != two->nodes[other].id || one->nodes[in].kind != two->nodes[other].kind))
      return false;
    int part = one->nodes[in].stands, now = two->nodes[other].stands;
    if (shape == BRIO_TREE_PARTS && (part ? part : BRIO_TREE_TRY) != (now ? now : BRIO_TREE_TRY))
      return false;
  }
}

static bool goes_on(const brio_tree_plan *from, int node, const brio_tree_plan *to) {
  int now = brio_tree_plan_find(to, from->nodes[node].id);
  return now >= 0 && from->nodes[node].kind == to->nodes[now].kind && same_line(from, node, to, now);
}

/* Migrate, and compare the running nodes and the known results with those before. */
static void migrate(guard *self, const brio_tree_plan *from, const brio_tree_plan *to, int seed) {
  static int32_t running[FOREST_MOST];
  static double elapsed[FOREST_MOST];
  static brio_tree_status status[FOREST_MOST];
  brio_tree *tree = self->forest->tree;
  brio_error err;
  int count = brio_tree_running(tree, running, FOREST_MOST), expected = 0;
  for (int i = 0; i < from->count; i++)
    elapsed[i] = brio_tree_elapsed(tree, i), status[i] = brio_tree_status_of(tree, i);
  for (int i = 0; i < count; i++)
    expected += brio_tree_kind_of(from, running[i])->calls && !goes_on(from, running[i], to);
  self->stops = 0;
  CHECK(brio_tree_migrate(tree, to, &err), "%s", err.message);
  CHECK(self->stops == expected, "seed %d: %d leaves were stopped, expected %d", seed, self->stops, expected);
  for (int i = 0; i < count; i++) {
    if (!goes_on(from, running[i], to)) continue;
    int now = brio_tree_plan_find(to, from->nodes[running[i]].id);
    CHECK(brio_tree_status_of(tree, now) == BRIO_TREE_RUNNING, "seed %d: '%s' runs on", seed,
          to->nodes[now].name);
    CHECK_NEAR(brio_tree_elapsed(tree, now), elapsed[running[i]], 1e-12, "its time");
  }
  for (int i = 0; i < from->count; i++) {
    int now = brio_tree_plan_find(to, from->nodes[i].id);
    if (now < 0 || from->nodes[i].kind != to->nodes[now].kind ||
        brio_tree_kind_of(to, now)->shape == BRIO_TREE_OPEN)
      continue;
    if (status[i] != BRIO_TREE_RUNNING)
      CHECK(brio_tree_status_of(tree, now) == status[i], "seed %d: '%s' is known", seed, to->nodes[now].name);
  }
}

static guard *guarded(const char *text) {
  guard *self = calloc(1, sizeof *self);
  self->forest = forest_of(text);
  brio_tree_free(self->forest->tree);
  brio_error err;
  self->forest->tree = brio_tree_new(&self->forest->plan,
                                     &(brio_tree_host){self, guard_work, guard_stop, NULL}, &err);
  CHECK(self->forest->tree != NULL, "%s", err.message);
  brio_tree_begin(self->forest->tree);
  return self;
}

static void random_text(maker *made, char *text, size_t room, int seed, const char *name) {
  *made = (maker){.text = text, .room = room};
  made->random = brio_random_stream((uint64_t)seed, name);
  make_node(made, 0);
}

static void what_is_unchanged_runs_on_and_nothing_runs_twice(void) {
  static char text[1 << 16];
  int edits = 0;
  for (int seed = 0; seed < 600 * check_scale() && check_failures == 0; seed++) {
    maker random;
    random_text(&random, text, sizeof text, seed, "edits");
    if (seed % 3 == 0) {
      random.length = 0;
      random.count = 0;
      make_finals(&random, 0);
    }
    if (random.count > 200) continue;
    guard *self = guarded(text);
    brio_tree_plan plans[2];
    const brio_tree_plan *plan = &self->forest->plan;
    for (int tick = 0; tick < 60 && check_failures == 0; tick++) {
      self->forest->log[0] = 0;
      forest_tick(self->forest, 0.1);
      if (tick % 20 == 14) brio_tree_halt(self->forest->tree);
      if (tick % 20 == 19) brio_tree_set_automatic(self->forest->tree, true);
      if (draw(&random, 3) > 0) continue;
      brio_tree_plan *next = plan == &plans[0] ? &plans[1] : &plans[0];
      edited(&random, self->forest, plan, next);
      migrate(self, plan, next, seed);
      if (plan != &self->forest->plan) brio_tree_plan_end((brio_tree_plan *)plan);
      plan = next;
      edits++;
    }
    brio_tree_halt(self->forest->tree);
    forest_finish(self->forest, 0.1, self->forest->now + 200);
    for (int i = 0; i < self->forest->leaf_count; i++) CHECK(self->runs[i] == 0, "leaf %d is let go of", i);
    if (plan != &self->forest->plan) {
      brio_tree_free(self->forest->tree);
      self->forest->tree = NULL;
      brio_tree_plan_end((brio_tree_plan *)plan);
    }
    forest_end(self->forest);
    free(self);
  }
  CHECK(edits > 3000 * check_scale(), "%d edits", edits);
}

/* Migrating to a copy in every tick changes nothing. */
static void going_over_to_the_same_is_nothing(void) {
  static char text[1 << 16];
  for (int seed = 0; seed < 300 * check_scale() && check_failures == 0; seed++) {
    maker random;
    random_text(&random, text, sizeof text, seed, "copies");
    if (random.count > 200) continue;
    forest *one = forest_of(text), *two = forest_of(text);
    brio_tree_plan copies[60];
    brio_error err;
    brio_tree_begin(one->tree);
    brio_tree_begin(two->tree);
    for (int tick = 0; tick < 60; tick++) {
      brio_tree_status a = forest_tick(one, 0.1), b = forest_tick(two, 0.1);
      CHECK(a == b && strcmp(one->log, two->log) == 0, "seed %d, tick %d: %s '%s', expected %s '%s'", seed,
            tick, brio_tree_status_name(b), two->log, brio_tree_status_name(a), one->log);
      CHECK(brio_tree_plan_copy(&copies[tick], tick ? &copies[tick - 1] : &two->plan, &err) &&
                brio_tree_plan_finish(&copies[tick], &err) &&
                brio_tree_migrate(two->tree, &copies[tick], &err),
            "%s", err.message);
      for (int i = 0; i < one->plan.count; i++)
        CHECK(brio_tree_status_of(one->tree, i) == brio_tree_status_of(two->tree, i), "node %d", i);
      CHECK(brio_tree_next(one->tree) == brio_tree_next(two->tree), "what is next");
    }
    brio_tree_free(two->tree);
    two->tree = NULL;
    for (int tick = 0; tick < 60; tick++) brio_tree_plan_end(&copies[tick]);
    forest_end(one);
    forest_end(two);
  }
}

/* ---------------------------------------------------------------- edits of plans */

/* Check that a plan built node by node from an edited plan's fields equals it. */
static void check_plan(const brio_tree_plan *plan, int seed) {
  brio_tree_plan made;
  brio_error err;
  brio_tree_plan_start(&made);
  for (int i = 0; i < plan->count; i++) {
    const brio_tree_node *node = &plan->nodes[i];
    brio_tree_say say = brio_tree_say_of(brio_tree_kind_of(plan, i)->name, node->parent);
    memcpy(say.params, node->params, sizeof say.params);
    say.name = node->name, say.anchor = node->anchor, say.to = node->to, say.leaf = node->leaf;
    say.anchor_id = node->anchor_id, say.to_id = node->to_id, say.id = node->id, say.call = node->call;
    say.after = (brio_tree_after)node->after, say.part = (brio_tree_part)node->part;
    CHECK(brio_tree_plan_add(&made, &say, &err) == i, "seed %d: %s", seed, err.message);
  }
  CHECK(brio_tree_plan_finish(&made, &err), "seed %d: %s", seed, err.message);
  CHECK(made.count == plan->count && made.line_count == plan->line_count &&
            made.entry_count == plan->entry_count,
        "seed %d: sizes", seed);
  for (int i = 0; i < plan->count; i++) {
    CHECK(made.nodes[i].end == plan->nodes[i].end && made.nodes[i].line == plan->nodes[i].line &&
              made.nodes[i].depth == plan->nodes[i].depth &&
              made.nodes[i].position == plan->nodes[i].position &&
              made.nodes[i].stands == plan->nodes[i].stands,
          "seed %d: node %d", seed, i);
    CHECK(brio_tree_plan_find(plan, plan->nodes[i].id) == i, "it is found by its id");
  }
  CHECK(plan->entry_count == 0 ||
            memcmp(made.entries, plan->entries, (size_t)plan->entry_count * sizeof *plan->entries) == 0,
        "seed %d: what waits for what", seed);
  brio_tree_plan_end(&made);
}

/* An edited tree that has not run yet does the same as one built in that form. */
static void an_edited_tree_is_one_that_was_made_so(void) {
  static char text[1 << 16];
  for (int seed = 0; seed < 400 * check_scale() && check_failures == 0; seed++) {
    maker random;
    random_text(&random, text, sizeof text, seed, "plans");
    if (random.count > 200) continue;
    forest *self = forest_of(text), *other = forest_of(text);
    brio_tree_plan plan;
    brio_error err;
    edited(&random, self, &self->plan, &plan);
    check_plan(&plan, seed);
    memcpy(other->leaves, self->leaves, sizeof self->leaves);
    brio_tree_free(other->tree);
    other->tree = brio_tree_new(&plan, &(brio_tree_host){other, forest_work, forest_stop, NULL}, &err);
    brio_tree_begin(self->tree);
    CHECK(brio_tree_migrate(self->tree, &plan, &err), "%s", err.message);
    brio_tree_begin(other->tree);
    for (int tick = 0; tick < 60; tick++) {
      CHECK(forest_tick(self, 0.1) == forest_tick(other, 0.1) && strcmp(self->log, other->log) == 0,
            "seed %d, tick %d: '%s', expected '%s'", seed, tick, self->log, other->log);
    }
    brio_tree_free(self->tree);
    brio_tree_free(other->tree);
    self->tree = other->tree = NULL;
    brio_tree_plan_end(&plan);
    forest_end(self);
    forest_end(other);
  }
}

/* ---------------------------------------------------------------- one edit at a time */

typedef void edit_plan(brio_tree_plan *plan, forest *self);

static int called(const brio_tree_plan *plan, const char *name) {
  for (int i = 0; i < plan->count; i++) if (strcmp(plan->nodes[i].name, name) == 0) return i;
  return -1;
}

static void put_leaf(brio_tree_plan *plan, forest *self, const char *name, const char *before) {
  brio_tree_say say = brio_tree_say_of("call", 0);
  brio_error err;
  say.name = name;
  say.call = self->leaf_count++;
  snprintf(self->leaves[say.call].name, sizeof self->leaves->name, "%s", name);
  int place = called(plan, before);
  CHECK(brio_tree_plan_insert(plan, &say, 1, plan->nodes[place].parent, place, &err) >= 0, "%s", err.message);
}

static void move_before(brio_tree_plan *plan, const char *name, const char *before) {
  brio_error err;
  int place = called(plan, before);
  CHECK(brio_tree_plan_move(plan, called(plan, name), plan->nodes[place].parent, place, &err) >= 0, "%s",
        err.message);
}

static void take(brio_tree_plan *plan, const char *name) {
  brio_error err;
  CHECK(brio_tree_plan_remove(plan, called(plan, name), &err), "%s", err.message);
}

static void put_before_a(brio_tree_plan *plan, forest *self) { put_leaf(plan, self, "x", "a"); }
static void put_before_b(brio_tree_plan *plan, forest *self) { put_leaf(plan, self, "x", "b"); }
static void take_a(brio_tree_plan *plan, forest *self) { (void)self; take(plan, "a"); }
static void take_b(brio_tree_plan *plan, forest *self) { (void)self; take(plan, "b"); }
static void swap_a(brio_tree_plan *plan, forest *self) { take(plan, "a"); put_leaf(plan, self, "x", "b"); }
static void move_a_late(brio_tree_plan *plan, forest *self) { (void)self; move_before(plan, "a", "end"); }
static void move_c_first(brio_tree_plan *plan, forest *self) { (void)self; move_before(plan, "c", "a"); }
static void move_b_first(brio_tree_plan *plan, forest *self) { (void)self; move_before(plan, "b", "a"); }
static void a_is_a_wait(brio_tree_plan *plan, forest *self) {
  brio_tree_say say = brio_tree_say_of("wait", 0);
  brio_error err;
  (void)self;
  say.params[0] = 0.25;
  say.name = "a";
  CHECK(brio_tree_plan_set(plan, called(plan, "a"), &say, &err), "%s", err.message);
}

/* Run for 0.15 s, edit, run to the end. */
static void expect_edit(const char *text, edit_plan *edit, const char *log) {
  forest *self = forest_of(text);
  brio_tree_plan plan;
  brio_error err;
  brio_tree_begin(self->tree);
  forest_tick(self, 0.1);
  forest_tick(self, 0.1);
  CHECK(brio_tree_plan_copy(&plan, &self->plan, &err), "%s", err.message);
  edit(&plan, self);
  CHECK(brio_tree_plan_finish(&plan, &err) && brio_tree_migrate(self->tree, &plan, &err), "%s", err.message);
  strcat(self->log, "* ");
  CHECK(forest_finish(self, 0.1, 20) == BRIO_TREE_SUCCESS, "it comes to its end: %s", self->log);
  CHECK(strcmp(self->log, log) == 0, "'%s', expected '%s': %s", self->log, log, text);
  brio_tree_free(self->tree);
  self->tree = NULL;
  brio_tree_plan_end(&plan);
  forest_end(self);
}

static void what_is_next_follows_from_what_was(void) {
  const char *line = "sequence\n call a d=0.5\n call b d=0.1\n call c d=0.1\n call end\n";
  expect_edit(line, put_before_a, "a | * b | c | end | ");
  expect_edit(line, put_before_b, "a | * x b | c | end | ");
  expect_edit(line, take_a, "a | * b | c | end | ");
  expect_edit(line, swap_a, "a | * x b | c | end | ");
  expect_edit(line, take_b, "a | * c | end | ");
  expect_edit(line, move_a_late, "a | * b | c | a | end | ");
  expect_edit(line, move_c_first, "a | * b | end | ");
  expect_edit(line, move_b_first, "a | * c | end | ");
  expect_edit(line, a_is_a_wait, "a | * b | c | end | ");
}

static void kinds_follow_their_children(void) {
  expect_edit("sequence\n selector\n  call z r=f\n  call a d=0.5\n  call b\n call c\n call end\n",
              put_before_a, "z a | * c end | ");
  expect_edit("sequence\n selector\n  call z r=f\n  call a d=0.5\n  call b\n call c\n call end\n", take_a,
              "z a | * b c end | ");
  expect_edit("sequence\n parallel\n  call z\n  call a d=0.5\n  call b d=0.3\n call c\n call end\n",
              put_before_a, "z a b | * x | c end | ");
  expect_edit("sequence\n parallel\n  call z\n  call a d=0.5\n  call b d=0.3\n call c\n call end\n", take_a,
              "z a b | * c end | ");
  expect_edit("sequence\n loop times=2\n  call a d=0.3\n  call b\n call c\n call end\n", put_before_b,
              "a | * x b | a | x b c end | ");
  expect_edit("sequence\n fallback\n  call a d=0.5 r=f part=try\n  call b part=catch\n call c\n call end\n",
              put_before_b, "a | * b c end | ");
}

CHECK_SUITE(CHECK_TEST(what_is_unchanged_runs_on_and_nothing_runs_twice),
            CHECK_TEST(going_over_to_the_same_is_nothing), CHECK_TEST(an_edited_tree_is_one_that_was_made_so),
            CHECK_TEST(what_is_next_follows_from_what_was), CHECK_TEST(kinds_follow_their_children))
