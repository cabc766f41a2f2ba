/* Random behavior trees compared with a slow interpreter of the same rules, written from the text of tree.h
** alone: it has no lines, pools or positions, but walks the whole tree in every tick and checks for each leaf
** whether it may begin.
**
** It covers the nodes in the root's line (sequences, leaves with scripted times and results, every form of
** `after`) and fallbacks, loops, retries, inverts, selectors and parallels around such lines.  Names are
** unique, so that name resolution does not matter here.  Also: nothing is allocated in a tick, and
** packed differences lead to the same statuses. */
#include "tests/allocations.h"
#include "tests/engine/tree/random_tree.h"

/* ---------------------------------------------------------------- the slow interpreter */

typedef struct slow { const forest *forest; brio_tree_status status[FOREST_MOST]; double since[FOREST_MOST];
  int executions[FOREST_MOST], turns[FOREST_MOST], phase[FOREST_MOST], won[FOREST_MOST], lost[FOREST_MOST];
  bool failed[FOREST_MOST];
  char log[65536];
  double now; } slow;

static const brio_tree_node *node_of(const slow *self, int node) { return &self->forest->plan.nodes[node]; }
static bool is(const slow *self, int node, const char *kind) {
  return strcmp(brio_tree_kind_of(&self->forest->plan, node)->name, kind) == 0;
}

/* The units of the nodes `list`, opened, in order. */
static int open_into(const slow *self, int node, int *units, int count) {
  if (!is(self, node, "sequence")) { units[count] = node; return count + 1; }
  for (int child = node + 1; child < node_of(self, node)->end; child = node_of(self, child)->end)
    count = open_into(self, child, units, count);
  return count;
}

static brio_tree_status run_units(slow *self, int owner, int slot, const int *units, int count);

/* Reset everything inside a node: idle again, and nothing begun. */
static void forget(slow *self, int node) {
  for (int i = node; i < node_of(self, node)->end; i++) {
    self->status[i] = BRIO_TREE_IDLE;
    self->turns[i] = self->phase[i] = self->won[i] = self->lost[i] = 0;
  }
}

static brio_tree_status run_children(slow *self, int node, int first_part, int last_part) {
  int units[FOREST_MOST], count = 0;
  for (int child = node + 1; child < node_of(self, node)->end; child = node_of(self, child)->end) {
    int part = node_of(self, child)->stands;
    if (first_part < 0 || (part >= first_part && part <= last_part))
      count = open_into(self, child, units, count);
  }
  return run_units(self, node, first_part, units, count);
}

static void forget_inside(slow *self, int node) {
  for (int child = node + 1; child < node_of(self, node)->end; child = node_of(self, child)->end)
    forget(self, child);
}

static brio_tree_status run_leaf(slow *self, int node) {
  const forest_leaf *leaf = &self->forest->leaves[node_of(self, node)->call];
  if (self->now - self->since[node] < leaf->duration - 1e-9) return BRIO_TREE_RUNNING;
  size_t length = strlen(leaf->results), at = (size_t)self->executions[node] - 1;
  return leaf->results[at < length ? at : length - 1] == 'f' ? BRIO_TREE_FAILURE : BRIO_TREE_SUCCESS;
}

static brio_tree_status run_again(slow *self, int node) {
  bool loop = is(self, node, "loop");
  brio_tree_status on = loop ? BRIO_TREE_SUCCESS : BRIO_TREE_FAILURE,
                   status = run_children(self, node, -1, 0);
  if (status != on) return status;
  if (++self->turns[node] >= (int)node_of(self, node)->params[0]) return on;
  int turns = self->turns[node];
  forget_inside(self, node);
  self->turns[node] = turns;
  return BRIO_TREE_RUNNING;
}

static brio_tree_status run_fallback(slow *self, int node) {
  if (self->phase[node] == 0) {
    brio_tree_status status = run_children(self, node, BRIO_TREE_TRY, BRIO_TREE_TRY);
    bool catches = false;
    for (int child = node + 1; child < node_of(self, node)->end; child = node_of(self, child)->end)
      catches |= node_of(self, child)->stands == BRIO_TREE_CATCH;
    if (status != BRIO_TREE_FAILURE || !catches) return status;
    self->phase[node] = 1;
  }
  return run_children(self, node, BRIO_TREE_CATCH, BRIO_TREE_CATCH);
}

static brio_tree_status run_child(slow *self, int child) {
  int units[FOREST_MOST], count = open_into(self, child, units, 0);
  return run_units(self, node_of(self, child)->parent, child, units, count);
}

static brio_tree_status run_selector(slow *self, int node) {
  int place = 0;
  for (int child = node + 1; child < node_of(self, node)->end; child = node_of(self, child)->end, place++) {
    if (place < self->phase[node]) continue;
    brio_tree_status status = run_child(self, child);
    if (status != BRIO_TREE_FAILURE) return status;
    self->phase[node]++;
  }
  return BRIO_TREE_FAILURE;
}

static brio_tree_status run_parallel(slow *self, int node) {
  int children = 0, won = 0, lost = 0;
  for (int child = node + 1; child < node_of(self, node)->end;
       child = node_of(self, child)->end, children++) {
    if (!self->won[child] && !self->lost[child]) {
      brio_tree_status status = run_child(self, child);
      self->won[child] = status == BRIO_TREE_SUCCESS;
      self->lost[child] = status == BRIO_TREE_FAILURE;
    }
    won += self->won[child], lost += self->lost[child];
  }
  if (won == children) return BRIO_TREE_SUCCESS;
  return lost >= (int)node_of(self, node)->params[1] || won + lost == children ? BRIO_TREE_FAILURE
                                                                               : BRIO_TREE_RUNNING;
}

static brio_tree_status run_invert(slow *self, int node) {
  brio_tree_status status = run_children(self, node, -1, 0);
  return status == BRIO_TREE_SUCCESS   ? BRIO_TREE_FAILURE
         : status == BRIO_TREE_FAILURE ? BRIO_TREE_SUCCESS
                                       : status;
}

static brio_tree_status run_unit(slow *self, int node) {
  static const struct { const char *kind; brio_tree_status (*run)(slow *, int);
  } rows[] = {{"call", run_leaf},         {"loop", run_again},        {"retry", run_again},
              {"fallback", run_fallback}, {"selector", run_selector}, {"parallel", run_parallel},
              {"invert", run_invert}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (is(self, node, rows[i].kind)) return rows[i].run(self, node);
  }
  return BRIO_TREE_FAILURE;
}

static bool encloses(const slow *self, int outer, int node) {
  return outer <= node && node < node_of(self, outer)->end;
}

/* Whether unit `at` of the line `units` waits for a running one. */
static bool waits(const slow *self, const int *units, int at) {
  const brio_tree_node *node = node_of(self, units[at]);
  /* The `after` of an open node is that of its first unit. */
  int speaker = units[at];
  for (int up = node->parent;
       node_of(self, speaker)->after == BRIO_TREE_AFTER_PREVIOUS && up >= 0 && is(self, up, "sequence");
       up = node_of(self, up)->parent) {
    int first[FOREST_MOST];
    if (open_into(self, up, first, 0) == 0 || first[0] != units[at]) break;
    speaker = up;
  }
  const brio_tree_node *said = node_of(self, speaker);
  if (said->after == BRIO_TREE_AFTER_BEGINNING) return false;
  if (said->after == BRIO_TREE_AFTER_ALL) {
    for (int i = 0; i < at; i++) if (self->status[units[i]] == BRIO_TREE_RUNNING) return true;
    return false;
  }
  if (said->after == BRIO_TREE_AFTER_PREVIOUS)
    return at > 0 && self->status[units[at - 1]] == BRIO_TREE_RUNNING;
  int anchor = said->anchor_node;
  for (int i = 0; i < at; i++) {
    if (units[i] == anchor || (encloses(self, units[i], anchor)))
      return self->status[units[i]] == BRIO_TREE_RUNNING;
  }
  return false;
}

static bool any_runs(const slow *self, const int *units, int count) {
  for (int i = 0; i < count; i++) if (self->status[units[i]] == BRIO_TREE_RUNNING) return true;
  return false;
}

/* A tick of a line: `idle` units have not begun; after a failure none begins. */
static brio_tree_status run_units(slow *self, int owner, int slot, const int *units, int count) {
  (void)owner, (void)slot;
  bool failed = false;
  int begun = 0;
  for (int i = 0; i < count; i++) {
    if (self->status[units[i]] == BRIO_TREE_RUNNING) self->status[units[i]] = run_unit(self, units[i]);
    failed |= self->status[units[i]] == BRIO_TREE_FAILURE;
    if (self->status[units[i]] != BRIO_TREE_IDLE) begun = i + 1;
  }
  for (; begun < count && !failed && !waits(self, units, begun); begun++) {
    int node = units[begun];
    forget(self, node);
    self->since[node] = self->now;
    self->executions[node]++;
    if (is(self, node, "call")) strcat(strcat(self->log, node_of(self, node)->name), " ");
    self->status[node] = run_unit(self, node);
    failed |= self->status[node] == BRIO_TREE_FAILURE;
  }
  if (any_runs(self, units, count)) return BRIO_TREE_RUNNING;
  return failed ? BRIO_TREE_FAILURE : begun < count ? BRIO_TREE_RUNNING : BRIO_TREE_SUCCESS;
}

/* Whether the slow interpreter covers this tree: no `after` names an open node or one in an outer line. */
static bool simple(const forest *self) {
  for (int i = 0; i < self->plan.count; i++) {
    const brio_tree_node *node = &self->plan.nodes[i];
    if (node->after != BRIO_TREE_AFTER_NODE) continue;
    if (brio_tree_kind_of(&self->plan, node->anchor_node)->shape == BRIO_TREE_OPEN) return false;
    int a = node->anchor_node;
    while (a >= 0 && self->plan.nodes[a].line != node->line) a = self->plan.nodes[a].parent;
    if (a < 0 || a > i || self->plan.nodes[a].end > i) return false;
  }
  return true;
}

static bool compare(const char *text, int seed) {
  forest *self = forest_of(text);
  bool used = self->tree && simple(self);
  for (int i = 0; i < self->plan.count && used; i++) {
    /* a fallback may take its `after` from its first leaf: explicit here */
    const brio_tree_node *node = &self->plan.nodes[i];
    if (strcmp(brio_tree_kind_of(&self->plan, i)->name, "fallback") == 0 &&
        node->after == BRIO_TREE_AFTER_PREVIOUS) {
      for (int k = i + 1; k < node->end && used; k++)
        used = self->plan.nodes[k].after == BRIO_TREE_AFTER_PREVIOUS || k > i + 1;
    }
  }
  if (used) {
    slow *other = calloc(1, sizeof *other);
    other->forest = self;
    int units[FOREST_MOST], count = open_into(other, 0, units, 0);
    brio_tree_begin(self->tree);
    brio_tree_status status = BRIO_TREE_RUNNING, expected = BRIO_TREE_RUNNING;
    for (int tick = 0; tick < 400 && status == expected && status == BRIO_TREE_RUNNING; tick++) {
      other->now = self->now;
      char *log = self->log + strlen(self->log);
      status = brio_tree_work(self->tree, self->now);
      self->now += 0.1;
      other->log[0] = 0;
      expected = run_units(other, -1, 0, units, count);
      CHECK(status == expected && strcmp(log, other->log) == 0,
            "seed %d, tick %d: %s '%s', expected %s '%s' of\n%s", seed, tick, brio_tree_status_name(status),
            log, brio_tree_status_name(expected), other->log, text);
      if (strcmp(log, other->log) != 0) break;
      self->log[0] = 0;
    }
    free(other);
  }
  forest_end(self);
  return used;
}

static void random_trees_run_as_a_slow_interpreter_says(void) {
  static char text[1 << 16];
  int used = 0;
  for (int seed = 0; seed < 4000 * check_scale() && check_failures == 0; seed++) {
    maker self = {.text = text, .room = sizeof text};
    self.random = brio_random_stream((uint64_t)seed, "trees");
    make_node(&self, 0);
    if (self.length < sizeof text - 1 && self.count < 200) used += compare(text, seed);
  }
  CHECK(used > 1000 * check_scale(), "%d trees were compared", used);
}

/* ---------------------------------------------------------------- ticks */

static void a_tick_allocates_nothing(void) {
#ifdef SANITIZED
  SKIP("a sanitizer counts allocations itself");
#else
  forest *self = forest_of("loop\n parallel\n  fallback\n   call a d=0.2 r=fs\n   call b\n  "
                           "reactive_sequence\n   call c\n   call d d=0.3\n");
  brio_tree_begin(self->tree);
  for (int i = 0; i < 100; i++) brio_tree_work(self->tree, 0.1 * i);
  size_t before = allocations;
  for (int i = 100; i < 400; i++) brio_tree_work(self->tree, 0.1 * i);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  forest_end(self);
#endif
}

static void packed_differences_lead_to_the_same_statuses(void) {
  static char text[1 << 16];
  for (int seed = 0; seed < 200; seed++) {
    maker made = {.text = text, .room = sizeof text};
    made.random = brio_random_stream((uint64_t)seed, "packs");
    make_node(&made, 0);
    forest *self = forest_of(text);
    unsigned char statuses[FOREST_MOST] = {0};
    char bytes[FOREST_MOST];
    brio_error err;
    brio_tree_begin(self->tree);
    for (int tick = 0; tick < 30; tick++) {
      forest_tick(self, 0.1);
      if (tick % 3 == 1) continue;
      size_t length = brio_tree_pack(self->tree, bytes, sizeof bytes);
      CHECK(length <= brio_tree_pack_room(self->tree), "it fits");
      CHECK(length == 0 || brio_tree_unpack(bytes, length, statuses, self->plan.count, &err), "seed %d",
            seed);
      for (int i = 0; i < self->plan.count; i++) {
        bool open = brio_tree_kind_of(&self->plan, i)->shape == BRIO_TREE_OPEN;
        CHECK(open || statuses[i] == brio_tree_status_of(self->tree, i), "seed %d, tick %d, node %d", seed,
              tick, i);
      }
    }
    forest_end(self);
  }
}

static void texts_that_are_no_differences_are_refused(void) {
  static const char letters[] = "[]0123456789,AZaz-_ x\xff";
  brio_random random = brio_random_stream(9, "bytes");
  int good = 0;
  for (int i = 0; i < 20000; i++) {
    char text[12];
    unsigned char statuses[10] = {0};
    for (size_t k = 0; k < sizeof text; k++)
      text[k] = letters[brio_random_below(&random, sizeof letters - 1)];
    if (i % 2) text[0] = '[';
    brio_error err = {0};
    if (brio_tree_unpack(text, (size_t)(i % 13 > 11 ? 11 : i % 13), statuses, 10, &err)) good++;
    else CHECK(err.code == BRIO_FORMAT, "%s", err.message);
    for (int k = 0; k < 10; k++) CHECK(statuses[k] < 4, "a status");
  }
  CHECK(good > 10, "some are differences: %d", good);
}

static void expect_pack(forest *self, const char *expected) {
  char text[64];
  forest_tick(self, 0.1);
  size_t length = brio_tree_pack(self->tree, text, sizeof text);
  CHECK(length == strlen(expected) && memcmp(text, expected, length) == 0, "'%.*s', expected '%s'",
        (int)length, text, expected);
}

/* The two forms, spelled out. */
static void packs_are_texts(void) {
  forest *self = forest_of("parallel\n call a\n call b d=0.2 r=f\n call c d=9\n");
  brio_tree_begin(self->tree);
  expect_pack(self, "rj"); /* running and changed 5, success and changed 6: 5 + 8*6; 5 + 8*5 */
  expect_pack(self, "");
  expect_pack(self, "Nd"); /* failed 7, success as before 2; failed 7, stopped 4 */
  forest_end(self);
  self = forest_of("sequence\n call a d=0.1\n call b d=0.2\n call c\n call d\n call e\n call f\n call g\n");
  brio_tree_begin(self->tree);
  expect_pack(self, "[5]");
  expect_pack(self, "[6,9]");
  forest_end(self);
}

/* The number of ticks, of 40 of 0.1 s, in which a node is among the changed ones. */
static void expect_changes(const char *text, int node, int expected) {
  forest *self = forest_of(text);
  int32_t nodes[FOREST_MOST];
  int times = 0;
  brio_tree_begin(self->tree);
  for (int tick = 0; tick < 40; tick++) {
    forest_tick(self, 0.1);
    int count = brio_tree_take_changes(self->tree, nodes, FOREST_MOST, false);
    for (int i = 0; i < count; i++) times += nodes[i] == node;
  }
  forest_end(self);
  CHECK(times == expected, "node %d changed %d times, expected %d, of\n%s", node, times, expected, text);
}

/* A result that comes again after a pause is a change; an unchanged result is not. */
static void what_happens_again_is_a_change(void) {
  expect_changes("loop\n sequence\n  wait seconds=1\n  call a\n", 3, 3);
  expect_changes("retry times=3 pause=1\n sequence\n  wait seconds=0.2\n  call a r=f\n", 3, 3);
  expect_changes("loop\n fallback\n  counter part=try limit=9\n  wait part=try seconds=1\n", 2, 4);
  expect_changes("reactive_sequence\n call a\n wait seconds=9\n", 1, 1);
  expect_changes("loop\n call a\n", 1, 1);
}

CHECK_SUITE(CHECK_TEST(random_trees_run_as_a_slow_interpreter_says), CHECK_TEST(a_tick_allocates_nothing),
            CHECK_TEST(packed_differences_lead_to_the_same_statuses), CHECK_TEST(packs_are_texts),
            CHECK_TEST(what_happens_again_is_a_change), CHECK_TEST(texts_that_are_no_differences_are_refused))
