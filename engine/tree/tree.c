/* A behavior tree as a whole: creating, beginning, control by a person, queries. Queries are O(1), except for
** open nodes and lists. */
#include "tree/tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "tree/run_internal.h"

/* Executions at one time in addition to one for each node: for routines that call themselves. */
enum { SPARE = 256 };

/* Reset the state of all nodes that do not run. O(nodes) */
static void forget(brio_tree *tree) {
  for (int i = 0; i < tree->plan->count; i++) {
    if (tree->unit_of[i] >= 0) continue; /* what comes finally runs on */
    brio_tree_note(tree, i, BRIO_TREE_IDLE);
    tree->memory[i] = tree->began[i] = tree->ended[i] = NAN;
    tree->why[i] = NULL;
  }
}

/* Free the arrays with an entry for each node; then the whole tree. */
static void give_back_notes(brio_tree *tree) {
  void *all[] = {tree->status, tree->changed, tree->breakpoint, tree->memory,  tree->began,
                 tree->ended,  tree->why,     tree->unit_of,    tree->changes, tree->told};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* Free a tree; the host is not notified. */
static void give_back(brio_tree *tree) {
  give_back_notes(tree);
  free(tree->units);
  free(tree->runs);
  free(tree);
}

/* Calloc: status idle, no breakpoints. Times are set to NaN by forget(). */
bool brio_tree_make_notes(brio_tree *tree, const brio_tree_plan *plan) {
  size_t count = (size_t)plan->count;
  *tree = (brio_tree){0};
  tree->status = calloc(count, 1);
  tree->changed = calloc(count, 1);
  tree->breakpoint = calloc(count, 1);
  tree->memory = calloc(count, sizeof *tree->memory);
  tree->began = calloc(count, sizeof *tree->began);
  tree->ended = calloc(count, sizeof *tree->ended);
  tree->why = calloc(count, sizeof *tree->why);
  tree->unit_of = calloc(count, sizeof *tree->unit_of);
  tree->changes = calloc(count, sizeof *tree->changes);
  tree->told = calloc(count, sizeof *tree->told);
  if (tree->status && tree->changed && tree->breakpoint && tree->memory && tree->began && tree->ended &&
      tree->why && tree->unit_of && tree->changes && tree->told)
    return true;
  give_back_notes(tree);
  *tree = (brio_tree){0}; /* the caller may free the tree: nothing twice */
  return false;
}

/* Move the arrays of `from` into `tree`. `from` owns nothing afterwards and must not be freed. */
void brio_tree_take_notes(brio_tree *tree, brio_tree *from) {
  give_back_notes(tree);
  tree->status = from->status;
  tree->changed = from->changed;
  tree->breakpoint = from->breakpoint;
  tree->memory = from->memory;
  tree->began = from->began;
  tree->ended = from->ended;
  tree->why = from->why;
  tree->unit_of = from->unit_of;
  tree->changes = from->changes;
  tree->told = from->told;
  tree->change_count = from->change_count;
}

bool brio_tree_make_room(brio_tree *tree, const brio_tree_plan *plan) {
  /* Every node and every line once, and SPARE for recursion. */
  int32_t needed = plan->count + plan->line_count + SPARE, had = tree->capacity;
  if (needed <= had) return true;
  if (had > 0) needed += needed / 4; /* edits come in series: grow by a quarter more */
  /* Invalidates pointers into the pools; hence units and runs refer to each other by index. */
  brio_tree_unit *units = realloc(tree->units, (size_t)needed * sizeof *units);
  if (units) tree->units = units;
  brio_tree_run *runs = realloc(tree->runs, (size_t)needed * sizeof *runs);
  if (runs) tree->runs = runs;
  /* A pool that did grow keeps its memory, and `capacity` its old value. */
  if (!units || !runs) return false;
  /* Link the new entries in front of the free lists. */
  for (int i = had; i < needed; i++) {
    units[i].next = i + 1 < needed ? i + 1 : tree->free_unit;
    runs[i].next = i + 1 < needed ? i + 1 : tree->free_run;
  }
  tree->free_unit = tree->free_run = had;
  tree->capacity = needed;
  return true;
}

brio_tree *brio_tree_new(const brio_tree_plan *plan, const brio_tree_host *host, brio_error *err) {
  if (!plan->finished) return brio_fail(err, BRIO_MISUSE, "the tree's plan is not finished"), NULL;
  brio_tree *tree = calloc(1, sizeof *tree);
  if (!tree) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a tree"), NULL;
  bool good = brio_tree_make_notes(tree, plan);
  tree->free_unit = tree->free_run = -1;
  if (!good || !brio_tree_make_room(tree, plan)) {
    give_back(tree);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a tree of %d nodes", (int)plan->count), NULL;
  }
  tree->plan = plan;
  tree->host = *host;
  tree->concurrent = true;
  /* No jump is under way. */
  tree->target = -1;
  for (int i = 0; i < plan->count; i++) tree->unit_of[i] = -1;
  forget(tree);
  /* The root's line has no unit around it and exists as long as the tree. */
  tree->root = brio_tree_begin_run(tree, 0, -1, 0, 0, plan->lines[0].count);
  return tree;
}

void brio_tree_free(brio_tree *tree) {
  if (!tree) return;
  /* The host is notified of leaves that run; finally branches do not run. */
  brio_tree_end_run(tree, tree->root);
  give_back(tree);
}

/* Stop everything that runs, except for finally branches. The next position of the root's line stays.
** O(running units) */
static void stop_all(brio_tree *tree) {
  brio_tree_run *root = &tree->runs[tree->root];
  brio_tree_close_run(tree, tree->root);
  root->limit = root->at;
  root->failed = -1;
  root->waits = root->pending = false;
}

void brio_tree_begin(brio_tree *tree) {
  stop_all(tree);
  forget(tree);
  tree->runs[tree->root].at = tree->runs[tree->root].limit = 0;
  tree->automatic = true;
  tree->result = BRIO_TREE_IDLE;
}

/* A halted tree begins nothing, but its finally branches still run (brio_tree_work). */
void brio_tree_halt(brio_tree *tree) {
  stop_all(tree);
  tree->automatic = false;
  tree->result = BRIO_TREE_IDLE;
}

/* As halt, but failures are cleared, and automatic stays as it is. */
void brio_tree_reset(brio_tree *tree) {
  stop_all(tree);
  for (int i = 0; i < tree->plan->count; i++) {
    /* Only failures are cleared; results of other nodes stay. */
    if (tree->status[i] != BRIO_TREE_FAILURE) continue;
    brio_tree_note(tree, i, BRIO_TREE_IDLE);
    tree->why[i] = NULL;
  }
  tree->result = BRIO_TREE_IDLE;
}

brio_tree_status brio_tree_work(brio_tree *tree, double now) {
  brio_tree_run *root = &tree->runs[tree->root];
  assert(root->line == 0 && root->unit < 0);
  /* `before` tells a repeated result from a new one (run.c). */
  tree->before = tree->now;
  tree->now = now;
  /* A requested step lasts for one tick. */
  tree->stepping = tree->step;
  tree->step = false;
  tree->presses = 0;
  brio_tree_status status = brio_tree_work_run(tree, tree->root);
  tree->stepping = false;
  /* The root's line failed: its next position is the failed unit, so that a person can continue from
  ** there. */
  if (status == BRIO_TREE_FAILURE) {
    root->at = root->limit = root->failed;
    root->failed = -1;
  }
  /* Nothing runs: the end, or a failure. In step mode the last result stays. */
  if (status != BRIO_TREE_RUNNING) {
    if (tree->automatic || status == BRIO_TREE_FAILURE || tree->result == BRIO_TREE_IDLE)
      tree->result = status;
    tree->automatic = false;
  }
  /* After a halt, finally branches may still run: the tree is running until they have ended. */
  return root->first >= 0 || tree->automatic ? BRIO_TREE_RUNNING : tree->result;
}

void brio_tree_set_automatic(brio_tree *tree, bool on) {
  bool was = tree->automatic;
  tree->automatic = on;
  if (!on || was) return;
  tree->result = BRIO_TREE_IDLE;
  brio_tree_pass_breakpoints(tree); /* otherwise it would stop there again at once */
}

bool brio_tree_automatic(const brio_tree *tree) { return tree->automatic; }

void brio_tree_step(brio_tree *tree) {
  tree->step = true;
  tree->steps++;
  tree->result = BRIO_TREE_IDLE;
}

void brio_tree_set_concurrency(brio_tree *tree, bool on) { tree->concurrent = on; }

int brio_tree_next(const brio_tree *tree) {
  const brio_tree_run *root = &tree->runs[tree->root];
  /* Behind the last unit there is no next one. */
  return root->at < root->end ? tree->plan->entries[tree->plan->lines[0].first + root->at].node : -1;
}

/* Check a node's number, which may come from a person or another program. Errors: misuse. */
static bool check_node(const brio_tree *tree, int node, brio_error *err) {
  return (node >= 0 && node < tree->plan->count) ||
         brio_fail(err, BRIO_MISUSE, "the tree has no node %d", node);
}

bool brio_tree_set_next(brio_tree *tree, int node, brio_error *err) {
  if (!check_node(tree, node, err)) return false;
  brio_tree_run *root = &tree->runs[tree->root];
  /* Position and limit are equal: in step mode nothing may begin before the next step. */
  root->at = root->limit = brio_tree_plan_position(tree->plan, 0, node);
  root->failed = -1;
  tree->result = BRIO_TREE_IDLE;
  return true;
}

/* Check that a node runs. Errors: misuse. */
static bool check_runs(const brio_tree *tree, int node, brio_error *err) {
  if (!check_node(tree, node, err)) return false;
  return tree->unit_of[node] >= 0 ||
         brio_fail(err, BRIO_MISUSE, "'%s' does not run", tree->plan->nodes[node].name);
}

static void hold(brio_tree *tree, int number, bool on);

/* Hold or release all units inside a unit. O(running units) */
static void hold_inside(brio_tree *tree, const brio_tree_unit *unit, bool on) {
  for (int run = unit->inside; run >= 0; run = tree->runs[run].next) {
    for (int at = tree->runs[run].first; at >= 0; at = tree->units[at].next) hold(tree, at, on);
  }
}

/* Hold or release a unit. Its time stands still while it is held. */
static void hold(brio_tree *tree, int number, bool on) {
  assert(number >= 0 && number < tree->capacity);
  brio_tree_unit *unit = &tree->units[number];
  const brio_tree_node *node = &tree->plan->nodes[unit->node];
  /* Nothing changes: it is held already, or was not held. */
  if (on == !isnan(unit->held)) return;
  /* Time on hold does not count: shift the beginning by it. */
  if (!on) unit->since += tree->now - unit->held;
  unit->held = on ? tree->now : NAN;
  /* What the host has not begun it cannot hold. */
  if (brio_tree_kinds[node->kind]->calls && !unit->fresh && tree->host.pause)
    tree->host.pause(tree->host.data, node->call, number, on);
  hold_inside(tree, unit, on);
}

bool brio_tree_pause(brio_tree *tree, int node, bool on, brio_error *err) {
  if (!check_runs(tree, node, err)) return false;
  hold(tree, tree->unit_of[node], on);
  return true;
}

bool brio_tree_stop(brio_tree *tree, int node, double delay, brio_error *err) {
  if (!check_runs(tree, node, err)) return false;
  /* Also rejects NaN. */
  if (!(delay >= 0)) return brio_fail(err, BRIO_MISUSE, "a delay is at least 0 s");
  /* brio_tree_work ends the unit in the first tick at or after that time. */
  tree->units[tree->unit_of[node]].stop_at = tree->now + delay;
  return true;
}

bool brio_tree_again(brio_tree *tree, int node, brio_error *err) {
  if (!check_runs(tree, node, err)) return false;
  int number = tree->unit_of[node];
  brio_tree_unit *unit = &tree->units[number];
  const brio_tree_node *self = &tree->plan->nodes[node];
  /* A unit that is closing cannot begin again. */
  if (unit->closing) return brio_fail(err, BRIO_MISUSE, "'%s' is being ended", self->name);
  /* The host ends its part of this execution, if it has begun one; the next call of the leaf is fresh. */
  if (brio_tree_kinds[self->kind]->calls && !unit->fresh && tree->host.stop)
    tree->host.stop(tree->host.data, self->call, number);
  /* Lines inside may be closing; the first tick of the new execution waits for them. */
  brio_tree_stop_lines(tree, unit);
  /* As after brio_tree_begin_unit; the unit keeps its place in the line, and its number for the host. */
  unit->phase = unit->count = unit->target = 0;
  unit->since = tree->began[node] = tree->now;
  unit->held = NAN;
  unit->stop_at = HUGE_VAL;
  unit->fresh = true;
  return true;
}

bool brio_tree_set_breakpoint(brio_tree *tree, int node, bool on, brio_error *err) {
  if (!check_node(tree, node, err)) return false;
  const brio_tree_node *self = &tree->plan->nodes[node];
  /* A breakpoint on an open node is one on its first unit. */
  if (self->position >= tree->plan->lines[self->line].count) {
    return brio_fail(err, BRIO_MISUSE, "there is nothing at or after '%s'", self->name);
  }
  tree->breakpoint[tree->plan->entries[tree->plan->lines[self->line].first + self->position].node] = on;
  return true;
}

/* The status of an open node, from the units inside it. */
static brio_tree_status status_of_open(const brio_tree *tree, const brio_tree_node *node) {
  assert(node->position >= 0 && node->position <= node->past);
  const brio_tree_entry *entries = &tree->plan->entries[tree->plan->lines[node->line].first];
  /* Count the units by status; an open node has no status of its own. */
  int seen[BRIO_TREE_JUMP] = {0};
  for (int at = node->position; at < node->past; at++) seen[tree->status[entries[at].node]]++;
  if (seen[BRIO_TREE_RUNNING]) return BRIO_TREE_RUNNING;
  if (seen[BRIO_TREE_FAILURE]) return BRIO_TREE_FAILURE;
  int all = node->past - node->position;
  return all > 0 && seen[BRIO_TREE_SUCCESS] == all ? BRIO_TREE_SUCCESS : BRIO_TREE_IDLE;
}

brio_tree_status brio_tree_status_of(const brio_tree *tree, int node) {
  assert(node >= 0 && node < tree->plan->count);
  /* Only open nodes have no entry of their own in `status`. */
  bool open = brio_tree_kind_of(tree->plan, node)->shape == BRIO_TREE_OPEN;
  return open ? status_of_open(tree, &tree->plan->nodes[node]) : (brio_tree_status)tree->status[node];
}

const char *brio_tree_why(const brio_tree *tree, int node) { return tree->why[node]; }

int brio_tree_turn(const brio_tree *tree, int node) {
  int unit = tree->unit_of[node];
  return unit < 0 ? 0 : tree->units[unit].count;
}

double brio_tree_elapsed(const brio_tree *tree, int node) {
  /* It never ran. */
  if (isnan(tree->began[node])) return 0;
  int number = tree->unit_of[node];
  /* Ended: the time of the last execution. */
  if (number < 0) return tree->ended[node] - tree->began[node];
  const brio_tree_unit *unit = &tree->units[number];
  /* On hold: the time until the hold began. */
  return (isnan(unit->held) ? tree->now : unit->held) - unit->since;
}

/* List what runs in a line, outer units before inner ones. Return the count, including units for which there
** was no room. */
static int list_run(const brio_tree *tree, int run, int32_t *nodes, int room, int count) {
  for (int at = tree->runs[run].first; at >= 0; at = tree->units[at].next) {
    if (count < room) nodes[count] = tree->units[at].node;
    count++;
    for (int inner = tree->units[at].inside; inner >= 0; inner = tree->runs[inner].next) {
      count = list_run(tree, inner, nodes, room, count);
    }
  }
  return count;
}

int brio_tree_running(const brio_tree *tree, int32_t *nodes, int room) {
  return list_run(tree, tree->root, nodes, room, 0);
}

const char *brio_tree_status_name(brio_tree_status status) {
  static const char *const names[] = {"idle", "running", "success", "failure"};
  return status < BRIO_TREE_JUMP ? names[status] : "?";
}
