/* What behavior trees cost: ticks by what runs, passes over conditions, records of what changed, loading. */
#include <math.h>

#include "scripts/bench/bench.h"
#include "tree/tree.h"

/* How often a tree is made. */
enum { LOADS = 20 };

typedef struct bench { brio_tree_plan plan; brio_tree *tree; int every, tick; } bench;

/* A condition: it holds, except that one in `every` changes its mind each tick. */
static brio_tree_status holds(void *data, int call, int unit, bool fresh, double elapsed, const char **why) {
  const bench *b = data;
  (void)unit, (void)fresh, (void)elapsed, (void)why;
  return b->every && call % b->every == 0 && b->tick % 2 ? BRIO_TREE_FAILURE : BRIO_TREE_SUCCESS;
}

static bool finish(bench *b, brio_error *err) {
  brio_tree_host host = {b, holds, NULL, NULL};
  if (!brio_tree_plan_finish(&b->plan, err)) return false;
  b->tree = brio_tree_new(&b->plan, &host, err);
  if (b->tree) brio_tree_begin(b->tree);
  return b->tree != NULL;
}

static bool add(bench *b, const char *kind, int parent, int call, brio_error *err) {
  brio_tree_say say = brio_tree_say_of(kind, parent);
  say.call = call;
  if (parent < 0 && brio_tree_param_find(brio_tree_kinds[brio_tree_kind_find(kind)], "failures") == 1)
    say.params[1] = 1e6;
  return brio_tree_plan_add(&b->plan, &say, err) >= 0;
}

/* `count` conditions under a node of that kind. */
static bool conditions(bench *b, const char *kind, int count, int every, brio_error *err) {
  *b = (bench){.every = every};
  brio_tree_plan_start(&b->plan);
  bool good = add(b, kind, -1, -1, err);
  for (int i = 0; i < count && good; i++) good = add(b, "call", 0, i, err);
  return good && finish(b, err);
}

/* A sequence of `count` nodes, the first ten of which run, for long. */
static bool layered(bench *b, int count, brio_error *err) {
  *b = (bench){0};
  brio_tree_plan_start(&b->plan);
  bool good = add(b, "sequence", -1, -1, err);
  for (int i = 1; i < count && good; i++) {
    brio_tree_say say = brio_tree_say_of("wait", 0);
    say.params[0] = 1e9;
    if (i <= 10) say.after = BRIO_TREE_AFTER_BEGINNING;
    good = brio_tree_plan_add(&b->plan, &say, err) >= 0;
  }
  return good && finish(b, err);
}

static double tick(void *context, int k) {
  bench *b = context;
  (void)k;
  return brio_tree_work(b->tree, 1e-3 * b->tick++);
}

/* From the beginning to the end, with what changed packed. */
static double pass(void *context, int k) {
  bench *b = context;
  char bytes[4096];
  brio_tree_set_next(b->tree, 0, NULL);
  brio_tree_set_automatic(b->tree, true);
  return tick(context, k) + (double)brio_tree_pack(b->tree, bytes, sizeof bytes);
}

static double load(void) {
  bench b = {0};
  brio_error err;
  bool good = layered(&b, 10000, &err);
  brio_tree_free(b.tree);
  brio_tree_plan_end(&b.plan);
  return good;
}

static void measure(bench *b, const char *row, bench_work work) {
  bench_measure(row, work, b, 0);
  brio_tree_free(b->tree);
  brio_tree_plan_end(&b->plan);
}

int main(void) {
  static bench b;
  brio_error err = {0};
  bool good = layered(&b, 20, &err);
  if (good) measure(&b, "small", tick);
  if (good && (good = layered(&b, 1000, &err))) measure(&b, "large", tick);
  if (good && (good = conditions(&b, "sequence", 1000, 0, &err))) measure(&b, "sequence", pass);
  if (good && (good = conditions(&b, "reactive_sequence", 1000, 0, &err))) measure(&b, "reactive", pass);
  if (good && (good = conditions(&b, "parallel", 1000, 100, &err))) measure(&b, "some", pass);
  if (good && (good = conditions(&b, "parallel", 1000, 1, &err))) measure(&b, "all", pass);
  if (!good) {
    fprintf(stderr, "tree: %s\n", err.message);
    return 1;
  }
  double times[LOADS], made = 0;
  for (int i = 0; i < LOADS; i++) {
    double start = bench_clock();
    made += load();
    times[i] = bench_clock() - start;
  }
  bench_print("load", times, LOADS, made, 0);
  return 0;
}
