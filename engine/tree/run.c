/* Running a behavior tree: lines, and the units in them. tree.h has the rules.
**
** What runs is kept in two pools, units and lines (runs), whose size is fixed when the tree is made. A node
** may run more than once at a time (a routine that calls itself), so the state of an execution is in its
** unit, and the state that outlasts it in the tree's arrays.
**
** The units of a line, and the lines inside a unit, are linked lists through the pools. A tick visits what
** runs and what begins: O(running units), independent of the size of the tree. */
#include "tree/run.h"

#include <assert.h>
#include <math.h>

#include "tree/run_internal.h"

/* Lines within lines that may run at once: gosubs and closed nodes. */
enum { MAX_DEPTH = 256 };

/* Add a node to the changed ones, at most once. O(1) */
static void mark(brio_tree *tree, int node) {
  if (tree->changed[node]) return;
  assert(tree->change_count < tree->plan->count);
  tree->changed[node] = 1;
  tree->changes[tree->change_count++] = node;
}

void brio_tree_note(brio_tree *tree, int node, brio_tree_status status) {
  if (tree->status[node] == (unsigned char)status) return;
  tree->status[node] = (unsigned char)status;
  mark(tree, node);
}

brio_tree_status brio_tree_fail(brio_tree *tree, const brio_tree_unit *unit, const char *why) {
  /* Not copied: the text must outlive the tree. */
  tree->why[unit->node] = why;
  return BRIO_TREE_FAILURE;
}

static void take_out(brio_tree *tree, brio_tree_unit *unit, int run, int before);
static int find_run(const brio_tree *tree, const brio_tree_unit *unit, int number, int *before);
static bool work_units(brio_tree *tree, int number);
static bool begin_closing(brio_tree *tree, brio_tree_unit *unit, brio_tree_status result, bool outside);
static brio_tree_status work_closing(brio_tree *tree, brio_tree_unit *unit);
static void work_closing_lines(brio_tree *tree, brio_tree_unit *unit);

/* ---------------------------------------------------------------- units */

int brio_tree_begin_unit(brio_tree *tree, int in, int node) {
  assert(in >= 0 && node >= 0 && node < tree->plan->count);
  int number = tree->free_unit;
  if (number < 0) return -1;
  brio_tree_unit *unit = &tree->units[number];
  brio_tree_run *run = &tree->runs[in];
  /* Take the unit from the free list, and append it to the units of the line. */
  tree->free_unit = unit->next;
  *unit = (brio_tree_unit){.node = node, .run = in, .previous = run->last, .next = -1, .inside = -1,
                           .since = tree->now, .held = NAN, .stop_at = HUGE_VAL, .fresh = true};
  if (run->last >= 0) tree->units[run->last].next = number;
  else run->first = number;
  run->last = number;
  tree->unit_of[node] = number;
  tree->began[node] = tree->now;
  tree->why[node] = NULL;
  return number;
}

/* Whether a node ends with the same result as last time, but did not end in the tick before: that is a new
** result, whereas the same one in tick after tick is not. */
static bool comes_again(const brio_tree *tree, int node, brio_tree_status status) {
  return status == tree->status[node] && status != BRIO_TREE_IDLE && !(tree->ended[node] >= tree->before);
}

/* End a unit with its result, and free it; what still runs inside is stopped without finally branches. */
static void end_unit(brio_tree *tree, int number, brio_tree_status status) {
  brio_tree_unit *unit = &tree->units[number];
  assert(unit->run >= 0);
  brio_tree_run *run = &tree->runs[unit->run];
  while (unit->inside >= 0) take_out(tree, unit, unit->inside, -1);
  /* Unlink it from its line. */
  if (unit->previous >= 0) tree->units[unit->previous].next = unit->next;
  else run->first = unit->next;
  if (unit->next >= 0) tree->units[unit->next].previous = unit->previous;
  else run->last = unit->previous;
  /* An equal result is a change, too, if it is a new one. */
  if (comes_again(tree, unit->node, status)) mark(tree, unit->node);
  tree->ended[unit->node] = tree->now;
  tree->began[unit->node] = unit->since;
  /* Another execution of the node may have begun meanwhile. */
  if (tree->unit_of[unit->node] == number) tree->unit_of[unit->node] = -1;
  brio_tree_note(tree, unit->node, status);
  /* Back to the free list. */
  unit->next = tree->free_unit;
  tree->free_unit = number;
}

/* Notify the host that a leaf is ended from outside, if it was ever called for this unit. */
static void let_go(brio_tree *tree, int number) {
  const brio_tree_unit *unit = &tree->units[number];
  const brio_tree_node *node = &tree->plan->nodes[unit->node];
  bool knows = brio_tree_kinds[node->kind]->calls && !unit->fresh;
  if (knows && tree->host.stop) tree->host.stop(tree->host.data, node->call, number);
}

void brio_tree_drop_unit(brio_tree *tree, int number) {
  const brio_tree_unit *unit = &tree->units[number];
  if (!unit->closing) let_go(tree, number);
  /* The jump that its line waits for is gone with it. */
  else if (unit->result == BRIO_TREE_JUMP) tree->runs[unit->run].pending = false;
  end_unit(tree, number, BRIO_TREE_IDLE);
}

void brio_tree_discard(brio_tree *tree) {
  while (tree->runs[tree->root].first >= 0) end_unit(tree, tree->runs[tree->root].first, BRIO_TREE_IDLE);
}

/* One tick of a unit: close it, hold it, or let its kind work. */
static brio_tree_status work_unit(brio_tree *tree, int number) {
  brio_tree_unit *unit = &tree->units[number];
  if (unit->closing) return work_closing(tree, unit);
  if (tree->now >= unit->stop_at - 1e-9) {
    let_go(tree, number);
    brio_tree_fail(tree, unit, "stopped");
    return begin_closing(tree, unit, BRIO_TREE_FAILURE, true) ? work_closing(tree, unit) : BRIO_TREE_FAILURE;
  }
  if (!isnan(unit->held)) return BRIO_TREE_RUNNING;
  /* Closing lines go first: the kind must find them gone or still running. */
  if (unit->some_close) work_closing_lines(tree, unit);
  const brio_tree_kind *kind = brio_tree_kind_of(tree->plan, unit->node);
  brio_tree_status status = kind->work(tree, unit);
  /* The host did not call it: it is fresh in the next tick, too. */
  if (status == BRIO_TREE_IDLE && kind->calls) return BRIO_TREE_RUNNING;
  unit->fresh = false;
  return status;
}

/* ---------------------------------------------------------------- finally branches */

/* What is ended from outside, or by a unit that runs at the same time, is stopped at once, except for
** finally branches (kind->last). Units with such a line, and everything around them, are closing until it
** has ended. */

/* End a unit from outside, at once or after its finally branches. */
static void close_unit(brio_tree *tree, int number) {
  brio_tree_unit *unit = &tree->units[number];
  /* It is closing already: its pending result does not count any more. */
  if (unit->closing) {
    unit->result = BRIO_TREE_IDLE;
    return;
  }
  let_go(tree, number);
  if (!begin_closing(tree, unit, BRIO_TREE_IDLE, true)) end_unit(tree, number, BRIO_TREE_IDLE);
}

bool brio_tree_close_run(brio_tree *tree, int number) {
  brio_tree_run *run = &tree->runs[number];
  for (int unit = run->first, next; unit >= 0; unit = next) {
    next = tree->units[unit].next;
    close_unit(tree, unit);
  }
  /* Units that are left are closing, and so is the line. */
  run->closing = run->first >= 0;
  run->result = BRIO_TREE_IDLE;
  return !run->closing;
}

/* Close the lines inside a unit, except its finally line if that is still to run. Return whether they are
** gone. */
static bool close_lines(brio_tree *tree, brio_tree_unit *unit) {
  int last = unit->finishing ? brio_tree_kind_of(tree->plan, unit->node)->last : -1, left = 0;
  for (int at = unit->inside, before = -1, next; at >= 0; at = next) {
    next = tree->runs[at].next;
    /* `before` trails `at`, so that a line can be unlinked in O(1). */
    if (tree->runs[at].number != last && brio_tree_close_run(tree, at)) {
      take_out(tree, unit, at, before);
      continue;
    }
    left += tree->runs[at].number != last;
    before = at;
  }
  unit->some_close = left > 0;
  return left == 0;
}

/* Let a line, and all lines inside it, continue without steps, also in a halted tree. */
static void set_going(brio_tree *tree, int number) {
  tree->runs[number].goes_on = true;
  for (int unit = tree->runs[number].first; unit >= 0; unit = tree->units[unit].next) {
    for (int at = tree->units[unit].inside; at >= 0; at = tree->runs[at].next) set_going(tree, at);
  }
}

/* Close a unit that has the result `result`, until finally branches inside it have ended and, if it is ended
** from `outside`, its own. Return false if there are none: then it can end at once. */
static bool begin_closing(brio_tree *tree, brio_tree_unit *unit, brio_tree_status result, bool outside) {
  int last = brio_tree_kind_of(tree->plan, unit->node)->last;
  brio_tree_run *run = &tree->runs[unit->run];
  unit->finishing = outside && last > 0 && brio_tree_has_units(tree, unit, last);
  if (close_lines(tree, unit) && !unit->finishing) return false;
  unit->closing = true;
  unit->result = (int32_t)result;
  unit->leads = result == BRIO_TREE_JUMP ? tree->target : -1;
  unit->closed = tree->now;
  /* A failure holds the line at once, a jump as soon as the unit is done. */
  if (result == BRIO_TREE_FAILURE && run->failed < 0) run->failed = tree->plan->nodes[unit->node].position;
  if (result == BRIO_TREE_JUMP) run->pending = true;
  return true;
}

/* One tick of the closing lines inside a unit; those that ended are removed. */
static void work_closing_lines(brio_tree *tree, brio_tree_unit *unit) {
  unit->some_close = false;
  for (int at = unit->inside, before = -1, next; at >= 0; at = next) {
    next = tree->runs[at].next;
    if (tree->runs[at].closing) work_units(tree, at);
    /* A result other than idle is still to be read by brio_tree_work_line. */
    if (tree->runs[at].closing && tree->runs[at].first < 0 && tree->runs[at].result == BRIO_TREE_IDLE) {
      take_out(tree, unit, at, before);
      continue;
    }
    unit->some_close = unit->some_close || tree->runs[at].closing;
    before = at;
  }
}

/* One tick of a closing unit: finally branches inside it first, then its own, within the grace period. */
static brio_tree_status work_closing(brio_tree *tree, brio_tree_unit *unit) {
  int last = brio_tree_kind_of(tree->plan, unit->node)->last, before;
  bool late = unit->finishing && tree->now - unit->closed >= brio_tree_param_of(tree, unit, 0) - 1e-9;
  work_closing_lines(tree, unit);
  if (unit->some_close && !late) return BRIO_TREE_RUNNING;
  /* Its own finally branch begins when everything inside has ended. */
  if (unit->finishing && !late) {
    int run = find_run(tree, unit, last, &before);
    if (run < 0) run = brio_tree_begin_line(tree, unit, last);
    if (run >= 0) set_going(tree, run);
    if (run >= 0 && brio_tree_work_line(tree, unit, last) == BRIO_TREE_RUNNING) return BRIO_TREE_RUNNING;
  }
  /* A delayed jump leads to the target that it had when it was decided. */
  tree->target = unit->leads;
  return (brio_tree_status)unit->result;
}

/* ---------------------------------------------------------------- lines */

int brio_tree_begin_run(brio_tree *tree, int line, int unit, int number, int begin, int end) {
  assert(begin >= 0 && begin <= end);
  int made = tree->free_run;
  /* Take the line from the free list. */
  if (made < 0) return -1;
  brio_tree_run *run = &tree->runs[made];
  tree->free_run = run->next;
  *run = (brio_tree_run){.line = line,
                         .number = number,
                         .unit = unit,
                         .next = -1,
                         .at = begin,
                         .begin = begin,
                         .end = end,
                         .limit = begin,
                         .first = -1,
                         .last = -1,
                         .failed = -1};
  if (unit < 0) return made;
  /* Lines inside a line that continues without steps do so, too. */
  const brio_tree_unit *owner = &tree->units[unit];
  run->goes_on = tree->runs[owner->run].goes_on || brio_tree_kind_of(tree->plan, owner->node)->goes_on;
  return made;
}

void brio_tree_end_run(brio_tree *tree, int number) {
  assert(number >= 0);
  brio_tree_run *run = &tree->runs[number];
  while (run->first >= 0) brio_tree_drop_unit(tree, run->first);
  run->next = tree->free_run;
  tree->free_run = number;
}

/* Whether any unit that `entry` waits for runs, in this line or in a line around it. */
static bool runs_within(const brio_tree *tree, int number, const brio_tree_entry *entry) {
  const brio_tree_run *run = &tree->runs[number];
  if (entry->high < entry->low || entry->high < 0) return false;
  /* Climb from the line to the one that the entry refers to. */
  while (run->line != entry->wait) {
    if (run->unit < 0) return false;
    run = &tree->runs[tree->units[run->unit].run];
  }
  /* O(units that run in that line). */
  for (int at = run->first; at >= 0; at = tree->units[at].next) {
    int position = tree->plan->nodes[tree->units[at].node].position;
    if (position >= entry->low && position <= entry->high) return true;
  }
  return false;
}

/* Whether the next unit of a line must wait: something that it waits for runs, or it runs itself, or a unit
** runs that an edit moved behind it. */
static bool blocked(const brio_tree *tree, int number, const brio_tree_entry *entry) {
  const brio_tree_run *run = &tree->runs[number];
  /* Nothing runs in this line: only lines around it can delay it. */
  if (run->first < 0) return run->unit >= 0 && entry->wait != run->line && runs_within(tree, number, entry);
  if (!tree->concurrent || runs_within(tree, number, entry)) return true;
  for (int at = run->first; at >= 0; at = tree->units[at].next) {
    if (tree->units[at].node == entry->node || tree->units[at].displaced) return true;
  }
  return false;
}

/* The entry at a position of a line. */
static const brio_tree_entry *entry_at(const brio_tree *tree, const brio_tree_run *run, int position) {
  assert(position >= 0);
  return &tree->plan->entries[tree->plan->lines[run->line].first + position];
}

int brio_tree_set_end(const brio_tree *tree, const brio_tree_run *run) {
  int at = run->at + 1;
  if (!tree->concurrent) return at;
  /* The set ends before the first unit that waits for something within it. */
  for (; at < run->end; at++) {
    const brio_tree_entry *entry = entry_at(tree, run, at);
    if (entry->wait == run->line && entry->high >= run->at) break;
  }
  return at;
}

/* Whether the next unit of a line may begin: by the state of the line, the mode, its waits, and its
** breakpoint. */
static bool may_begin(brio_tree *tree, int number) {
  brio_tree_run *run = &tree->runs[number];
  if (run->failed >= 0 || run->waits || run->pending || run->closing || run->at >= run->end) return false;
  const brio_tree_entry *entry = entry_at(tree, run, run->at);
  bool granted = run->goes_on || run->at < run->limit;
  if (!granted && !tree->automatic) return false;
  if (blocked(tree, number, entry)) return false;
  /* A breakpoint turns automatic off, unless a step was granted for this unit. */
  if (!granted && tree->breakpoint[entry->node]) {
    tree->automatic = false;
    return false;
  }
  return true;
}

/* Jump within this line. False: the target is outside of it. */
static bool jump(brio_tree *tree, brio_tree_run *run, int from) {
  int position = brio_tree_plan_position(tree->plan, run->line, tree->target);
  /* A routine is a window of its line. The end of the window is a target only if the line ends there. */
  bool whole = run->end == tree->plan->lines[run->line].count;
  if (position < run->begin || position > run->end || (position == run->end && !whole)) return false;
  run->at = run->limit = position;
  /* A jump back continues in the next tick, so that every tick ends. */
  if (position <= from) run->waits = true;
  return true;
}

/* Process the status of a unit after its tick. Return false if a jump leads out of the line. */
static bool take_end(brio_tree *tree, int number, int unit, brio_tree_status status) {
  brio_tree_run *run = &tree->runs[number];
  int position = tree->plan->nodes[tree->units[unit].node].position;
  assert(position >= run->begin && position < run->end);
  /* Finally branches inside run before the result counts. */
  if (!tree->units[unit].closing && begin_closing(tree, &tree->units[unit], status, false)) {
    status = work_closing(tree, &tree->units[unit]);
  }
  if (status == BRIO_TREE_RUNNING) {
    brio_tree_note(tree, tree->units[unit].node, status);
    return true;
  }
  if (status == BRIO_TREE_JUMP) run->pending = false;
  /* A goto that is carried out has succeeded. */
  end_unit(tree, unit, status == BRIO_TREE_JUMP ? BRIO_TREE_SUCCESS : status);
  if (status == BRIO_TREE_FAILURE && run->failed < 0) run->failed = position;
  return status != BRIO_TREE_JUMP || jump(tree, run, position);
}

/* One tick of all units of a line, in the order in which they began. False: a jump leads out of the line. */
static bool work_units(brio_tree *tree, int number) {
  brio_tree_run *run = &tree->runs[number];
  for (int unit = run->first, next; unit >= 0; unit = next) {
    next = tree->units[unit].next;
    brio_tree_status status = work_unit(tree, unit);
    if (status != BRIO_TREE_RUNNING && !take_end(tree, number, unit, status)) return false;
  }
  return true;
}

/* Begin units while they may, each with its first tick. False: a jump leads out of the line. */
static bool begin_units(brio_tree *tree, int number) {
  brio_tree_run *run = &tree->runs[number];
  while (may_begin(tree, number)) {
    int node = entry_at(tree, run, run->at)->node;
    int unit = brio_tree_begin_unit(tree, number, node);
    /* The pool is empty: recursion without end.  That is the tree's failure, not the program's. */
    if (unit < 0) {
      run->failed = run->at;
      tree->why[node] = "too much runs at once";
      brio_tree_note(tree, node, BRIO_TREE_FAILURE);
      return true;
    }
    run->at++;
    brio_tree_status status = work_unit(tree, unit);
    if (status == BRIO_TREE_RUNNING) brio_tree_note(tree, node, status);
    else if (!take_end(tree, number, unit, status)) return false;
  }
  return true;
}

/* After a step by a person, let the next concurrent set of the line begin, unless another line of the same
** closed node has used the step (in a parallel all lines may). */
static void take_step(brio_tree *tree, brio_tree_run *run) {
  if (!tree->stepping || run->failed >= 0 || run->at >= run->end) return;
  if (run->unit >= 0 && !brio_tree_kind_of(tree->plan, tree->units[run->unit].node)->at_once &&
      tree->units[run->unit].stepped == tree->steps) return;
  run->limit = brio_tree_set_end(tree, run);
  tree->presses++;
  /* Lines around this one do not use the same step. */
  for (int unit = run->unit; unit >= 0; unit = tree->runs[tree->units[unit].run].unit)
      tree->units[unit].stepped = tree->steps;
}

brio_tree_status brio_tree_work_run(brio_tree *tree, int number) {
  assert(number >= 0);
  brio_tree_run *run = &tree->runs[number];
  int presses = tree->presses;
  run->waits = false;
  /* Units that run come first, then those that begin. */
  if (!work_units(tree, number)) return BRIO_TREE_JUMP;
  /* Nothing begins in a line that is closing. */
  if (run->closing && run->first >= 0) return BRIO_TREE_RUNNING;
  run->closing = false;
  /* No line further inside used the step: this one does. */
  if (presses == tree->presses) take_step(tree, run);
  if (!begin_units(tree, number)) return BRIO_TREE_JUMP;
  if (run->first >= 0) return BRIO_TREE_RUNNING;
  if (run->failed >= 0) return BRIO_TREE_FAILURE;
  return run->at >= run->end ? BRIO_TREE_SUCCESS : BRIO_TREE_RUNNING;
}

/* ---------------------------------------------------------------- lines inside a unit */

bool brio_tree_has_units(const brio_tree *tree, const brio_tree_unit *unit, int number) {
  return tree->plan->lines[tree->plan->nodes[unit->node].lines + number].count > 0;
}

/* Find the run of line `number` inside a unit, and the run linked before it; -1: it does not run. */
static int find_run(const brio_tree *tree, const brio_tree_unit *unit, int number, int *before) {
  *before = -1;
  for (int at = unit->inside; at >= 0; *before = at, at = tree->runs[at].next) {
    if (tree->runs[at].number == number) return at;
  }
  return -1;
}

/* Unlink a run inside a unit, and end it. `before`: the run before it in the list, or -1. */
static void take_out(brio_tree *tree, brio_tree_unit *unit, int run, int before) {
  if (before >= 0) tree->runs[before].next = tree->runs[run].next;
  else unit->inside = tree->runs[run].next;
  brio_tree_end_run(tree, run);
}

/* Begin positions [begin, end) of a line inside the unit; -1: too many lines run, or they are too deep. */
static int begin_window(brio_tree *tree, brio_tree_unit *unit, int number, int line, int begin, int end) {
  int run = tree->depth >= MAX_DEPTH
                ? -1
                : brio_tree_begin_run(tree, line, (int)(unit - tree->units), number, begin, end);
  if (run < 0) return -1;
  tree->runs[run].next = unit->inside;
  return unit->inside = run;
}

int brio_tree_begin_line(brio_tree *tree, brio_tree_unit *unit, int number) {
  int line = tree->plan->nodes[unit->node].lines + number;
  return begin_window(tree, unit, number, line, 0, tree->plan->lines[line].count);
}

/* The status of a closing line: running; idle when it has been removed; else its pending result. */
static brio_tree_status closing_status(brio_tree *tree, brio_tree_unit *unit, int run, int before) {
  if (tree->runs[run].first >= 0) return BRIO_TREE_RUNNING;
  brio_tree_status status = (brio_tree_status)tree->runs[run].result;
  tree->target = tree->runs[run].leads;
  take_out(tree, unit, run, before);
  return status;
}

/* End a line with `status`: at once, or after finally branches that a jump leaves behind in it. */
static brio_tree_status end_line(brio_tree *tree, brio_tree_unit *unit, int number, brio_tree_status status) {
  int before, run = find_run(tree, unit, number, &before);
  if (brio_tree_close_run(tree, run)) {
    take_out(tree, unit, run, before);
    return status;
  }
  tree->runs[run].result = (int32_t)status;
  tree->runs[run].leads = status == BRIO_TREE_JUMP ? tree->target : -1;
  unit->some_close = true;
  return BRIO_TREE_RUNNING;
}

/* One tick of a window of a line, which begins unless it runs. */
static brio_tree_status work_window(brio_tree *tree, brio_tree_unit *unit, int number, int line, int begin,
                                    int end) {
  int before, run = find_run(tree, unit, number, &before);
  /* The same line was closing: that must end before it can begin again. */
  if (run >= 0 && tree->runs[run].closing) {
    brio_tree_status status = closing_status(tree, unit, run, before);
    if (status != BRIO_TREE_IDLE) return status;
    run = -1;
  }
  /* Too deep, or the pool is empty: recursion without end. */
  if (run < 0 && (run = begin_window(tree, unit, number, line, begin, end)) < 0) {
    return brio_tree_fail(tree, unit, "too much runs at once");
  }
  tree->depth++;
  brio_tree_status status = brio_tree_work_run(tree, run);
  tree->depth--;
  return status == BRIO_TREE_RUNNING ? status : end_line(tree, unit, number, status);
}

brio_tree_status brio_tree_work_line(brio_tree *tree, brio_tree_unit *unit, int number) {
  int line = tree->plan->nodes[unit->node].lines + number;
  return work_window(tree, unit, number, line, 0, tree->plan->lines[line].count);
}

brio_tree_status brio_tree_work_routine(brio_tree *tree, brio_tree_unit *unit, int routine) {
  /* A routine is a window of the line that its node is in. */
  const brio_tree_node *node = &tree->plan->nodes[routine];
  return work_window(tree, unit, 0, node->line, node->position, node->past);
}

void brio_tree_drop_line(brio_tree *tree, brio_tree_unit *unit, int number) {
  int before, run = find_run(tree, unit, number, &before);
  if (run >= 0) take_out(tree, unit, run, before);
}

void brio_tree_stop_line(brio_tree *tree, brio_tree_unit *unit, int number) {
  int before, run = find_run(tree, unit, number, &before);
  if (run < 0) return;
  if (brio_tree_close_run(tree, run)) take_out(tree, unit, run, before);
  else unit->some_close = true;
}

void brio_tree_stop_lines(brio_tree *tree, brio_tree_unit *unit) { close_lines(tree, unit); }
