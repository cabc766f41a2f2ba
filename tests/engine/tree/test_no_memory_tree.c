/* Out of memory in trees that are made, edited and restored: see tests/refusals.h. */
#include "tests/refusals.h"
#include "tree/tree.h"

enum { MOST = 256 };

/* Add a node; return its number, -1: it failed. */
static int add(brio_tree_plan *plan, const char *kind, int parent, brio_error *err) {
  brio_tree_say say = brio_tree_say_of(kind, parent);
  return brio_tree_plan_add(plan, &say, err);
}

/* A fallback of two waits in a sequence. */
static bool make_plan(brio_tree_plan *plan, brio_error *err) {
  brio_tree_plan_start(plan);
  return add(plan, "sequence", -1, err) == 0 && add(plan, "fallback", 0, err) == 1 &&
         add(plan, "wait", 1, err) == 2 && add(plan, "wait", 1, err) == 3 && brio_tree_plan_finish(plan, err);
}

static brio_tree *make_tree(const brio_tree_plan *plan, brio_error *err) {
  brio_tree_host none = {0};
  brio_tree *tree = brio_tree_new(plan, &none, err);
  if (!tree) return NULL;
  brio_tree_begin(tree);
  brio_tree_work(tree, 0);
  return tree;
}

static bool make_a_tree(brio_error *err) {
  brio_tree_plan plan;
  double numbers[MOST];
  brio_tree *tree = make_plan(&plan, err) ? make_tree(&plan, err) : NULL;
  bool good = tree && brio_tree_restore(tree, numbers, brio_tree_save(tree, numbers, MOST), 0, 0, err);
  brio_tree_free(tree);
  brio_tree_plan_end(&plan);
  return good;
}

static bool edit_a_tree(brio_error *err) {
  brio_tree_plan plan, edited = {0};
  brio_tree_say says[300];
  for (int i = 0; i < 300; i++) says[i] = brio_tree_say_of(i ? "wait" : "sequence", 0);
  brio_tree *tree = make_plan(&plan, err) ? make_tree(&plan, err) : NULL;
  bool good = tree && brio_tree_plan_copy(&edited, &plan, err) &&
              brio_tree_plan_insert(&edited, says, 300, 0, 1, err) == 1 &&
              brio_tree_plan_finish(&edited, err);
  bool migrated = good && brio_tree_migrate(tree, &edited, err);
  /* In whichever plan, it runs on. */
  if (tree) brio_tree_work(tree, 1);
  brio_tree_free(tree);
  brio_tree_plan_end(&edited);
  brio_tree_plan_end(&plan);
  return migrated;
}

static void any_allocation_may_fail(void) {
  static const refusals_job jobs[] = {{"a tree", make_a_tree}, {"an edited tree", edit_a_tree}};
  refusals_of(jobs, sizeof jobs / sizeof *jobs);
}

/* A plan that cannot be finished can be edited and finished: nothing leaks, and it is as any other. */
static void a_plan_can_be_mended(void) {
  brio_tree_plan plan;
  brio_error err = {0};
  long before = allocations_held;
  CHECK(make_plan(&plan, &err), "%s", err.message);
  brio_tree_plan edited;
  brio_tree_say jump = brio_tree_say_of("goto", 0);
  jump.to = "nowhere";
  CHECK(brio_tree_plan_copy(&edited, &plan, &err), "%s", err.message);
  int at = brio_tree_plan_insert(&edited, &jump, 1, 0, -1, &err), lines = plan.line_count;
  CHECK(!brio_tree_plan_finish(&edited, &err) && err.code == BRIO_MISUSE, "%s", err.message);
  CHECK(brio_tree_plan_remove(&edited, at, &err), "%s", err.message);
  CHECK(brio_tree_plan_find(&edited, 3) == 3 && brio_tree_plan_find(&edited, 4) == -1, "nodes are found");
  CHECK(brio_tree_plan_finish(&edited, &err) && edited.line_count == lines, "%s", err.message);
  brio_tree_plan_end(&edited);
  /* More nodes than there may be are refused before any is read. */
  CHECK(brio_tree_plan_copy(&edited, &plan, &err), "%s", err.message);
  err = (brio_error){0};
  CHECK(brio_tree_plan_insert(&edited, &jump, INT32_MAX, 0, -1, &err) == -1 && err.code == BRIO_LIMIT,
        "'%s'", err.message);
  brio_tree_plan_end(&edited);
  brio_tree_plan_end(&plan);
  CHECK(allocations_held == before, "%ld blocks leaked", allocations_held - before);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail), CHECK_TEST(a_plan_can_be_mended))
