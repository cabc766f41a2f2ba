/* A running tree as a list of numbers, and the reverse: a tree of the same plan continues from such a list.
** tree.h has the rules.
**
** The list consists of a head, the state of nodes that ran, and the lines and units of run.h in depth-first
** order, by numbers of the plan. Indices in the pools are not saved; they are assigned again. A list may come
** from anywhere, so every number is checked against the plan before it is used. */
#include <math.h>

#include "tree/run_internal.h"

/* Version of the format (1: no time was negative, and -1 none); numbers of its head; depth of lines within
** lines. */
enum { FORM = 2, HEAD = 5, MAX_INSIDE = 256 };

#define NO_TIME 1e15 /* s: beyond all times */

/* Flags of a line and of a unit. */
enum { GOES_ON = 1, LINE_CLOSING = 2, PENDING = 4 };
enum { UNIT_CLOSING = 1, FINISHING = 2, SOME_CLOSE = 4, DISPLACED = 8 };

/* ---------------------------------------------------------------- writing */

/* Output; `count` continues to rise without room, to report how much is needed. */
typedef struct writer {
  double *numbers;
  size_t count, room;
} writer;

static void put(writer *out, double number) {
  if (out->count < out->room) out->numbers[out->count] = number;
  out->count++;
}

/* Infinite times and NaN are written as NO_TIME. After a restore times may be negative: what ran began before
** this process did. */
static void put_time(writer *out, double time) { put(out, fabs(time) < NO_TIME ? time : NO_TIME); }

static void put_line(const brio_tree *tree, writer *out, int number);

/* A unit: its state, its times, and the lines inside it. */
static void put_unit(const brio_tree *tree, writer *out, const brio_tree_unit *unit) {
  int flags = (unit->closing ? UNIT_CLOSING : 0) | (unit->finishing ? FINISHING : 0) |
              (unit->some_close ? SOME_CLOSE : 0) | (unit->displaced ? DISPLACED : 0),
      inside = 0;
  const double own[] = {unit->node, unit->phase, unit->count, unit->target, flags, unit->result, unit->leads};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) put(out, own[i]);
  /* On hold, the beginning is shifted: time on hold does not count, and holds are not saved. */
  put_time(out, unit->since + (isnan(unit->held) ? 0 : tree->now - unit->held));
  put_time(out, unit->stop_at);
  /* Without a meaning unless the unit is closing. */
  put_time(out, unit->closing ? unit->closed : HUGE_VAL);
  for (int at = unit->inside; at >= 0; at = tree->runs[at].next) inside++;
  put(out, inside);
  for (int at = unit->inside; at >= 0; at = tree->runs[at].next) put_line(tree, out, at);
}

/* A line: its state, and the units in it. */
static void put_line(const brio_tree *tree, writer *out, int number) {
  const brio_tree_run *run = &tree->runs[number];
  int flags = (run->goes_on ? GOES_ON : 0) | (run->closing ? LINE_CLOSING : 0) | (run->pending ? PENDING : 0),
      units = 0;
  for (int at = run->first; at >= 0; at = tree->units[at].next) units++;
  const double own[] = {run->number, run->at, run->limit, run->failed, flags, run->result, run->leads, units};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) put(out, own[i]);
  for (int at = run->first; at >= 0; at = tree->units[at].next) put_unit(tree, out, &tree->units[at]);
}

/* Whether a node has a state to save. */
static bool ran(const brio_tree *tree, int node) {
  return tree->status[node] != BRIO_TREE_IDLE || !isnan(tree->memory[node]);
}

size_t brio_tree_save(const brio_tree *tree, double *numbers, size_t room) {
  /* The same pass counts and writes: callers use room = 0 to get the size. */
  writer out = {numbers, 0, room};
  int known = 0;
  /* The head has their number, so that a reader knows where the lines begin. */
  for (int i = 0; i < tree->plan->count; i++) known += ran(tree, i);
  const double head[HEAD] = {FORM, tree->plan->count, tree->automatic, tree->result, known};
  for (int i = 0; i < HEAD; i++) put(&out, head[i]);
  for (int i = 0; i < tree->plan->count; i++) {
    if (!ran(tree, i)) continue;
    put(&out, i);
    put(&out, tree->status[i]);
    put_time(&out, tree->memory[i]);
  }
  put_line(tree, &out, tree->root);
  return out.count;
}

/* ---------------------------------------------------------------- reading */

/* Input; `good` stays false after the first wrong number. */
typedef struct reader {
  const double *numbers;
  size_t at, count;
  double shift; /* s: added to all times */
  int form; /* its version */
  int depth; /* lines within lines, while reading */
  bool good;
} reader;

/* Return the next number, which must be whole and from `lower` to `upper`; else 0, and `good` is false. */
static int take(reader *in, int lower, int upper) {
  if (in->good && in->at < in->count) {
    double number = in->numbers[in->at++];
    if (number >= lower && number <= upper && floor(number) == number) return (int)number;
  }
  in->good = false;
  return 0;
}

/* Return the next number as a time of this tree; `none` if it stands for none. */
static double take_time(reader *in, double none) {
  /* Also rejects NaN and what a double cannot hold to the microsecond. */
  if (!in->good || in->at >= in->count || !(fabs(in->numbers[in->at]) <= NO_TIME)) {
    in->good = false;
    return none;
  }
  double time = in->numbers[in->at++];
  return time == NO_TIME || (in->form == 1 && time < 0) ? none : time + in->shift;
}

static void take_line(brio_tree *tree, reader *in, int number);

/* Whether a node begins again in the restored tree: its work was the host's, and is lost. */
static bool begins_anew(const brio_tree *tree, int node) {
  return brio_tree_kind_of(tree->plan, node)->calls;
}

/* Begin, inside a unit, the next line of the list, linked behind `last`. */
static void take_inside(brio_tree *tree, reader *in, int unit, int *last) {
  const brio_tree_node *node = &tree->plan->nodes[tree->units[unit].node];
  bool away = brio_tree_kind_of(tree->plan, tree->units[unit].node)->targets;
  /* A gosub has no lines of its own: its routine is elsewhere. */
  int number = take(in, 0, away ? 0 : node->line_count - 1), run = -1;
  if (!in->good || (away && node->to_node < 0) || (!away && node->lines < 0)) {
    in->good = false;
    return;
  }
  if (away) {
    const brio_tree_node *to = &tree->plan->nodes[node->to_node];
    run = brio_tree_begin_run(tree, to->line, unit, 0, to->position, to->past);
  } else {
    run = brio_tree_begin_run(tree, node->lines + number, unit, number, 0,
                              tree->plan->lines[node->lines + number].count);
  }
  /* Bound the depth: a list from elsewhere may nest deeper than any tree that ran. */
  in->good = run >= 0 && in->depth < MAX_INSIDE;
  if (run < 0) return;
  if (*last >= 0) tree->runs[*last].next = run;
  else tree->units[unit].inside = run;
  *last = run;
  in->depth++;
  take_line(tree, in, run);
  in->depth--;
}

/* Whether a node may run in a line: it is a unit of it, and does not run there already. O(units of the
** line) */
static bool stands_in(const brio_tree *tree, int node, const brio_tree_run *line) {
  const brio_tree_node *self = &tree->plan->nodes[node];
  for (int at = line->first; at >= 0; at = tree->units[at].next)
    if (tree->units[at].node == node) return false;
  return self->line == line->line && self->position >= line->begin && self->position < line->end &&
         brio_tree_kind_of(tree->plan, node)->shape != BRIO_TREE_OPEN;
}

/* Whether a unit or line may end with a status; a jump needs a target. */
static bool is_end(int status, int leads) {
  return status != BRIO_TREE_RUNNING && (status != BRIO_TREE_JUMP || leads >= 0);
}

/* Read the state that a unit's kind keeps, and its pending result, within the ranges that the kind relies
** on. */
static void take_kept(brio_tree *tree, reader *in, brio_tree_unit *unit) {
  const brio_tree_kind *kind = brio_tree_kind_of(tree->plan, unit->node);
  int lines = brio_tree_lines_of(tree, unit);
  /* In a fallback `phase` is a line and `count` a status; elsewhere phase may be one past the lines. */
  bool parts = kind->shape == BRIO_TREE_PARTS;
  unit->phase = take(in, 0, parts ? lines - 1 : lines > 1 ? lines : 1);
  unit->count = take(in, 0, parts ? BRIO_TREE_JUMP : BRIO_TREE_MOST_COUNT);
  unit->target = take(in, -1, tree->plan->count - 1);
  int flags = take(in, 0, 15);
  unit->result = take(in, BRIO_TREE_IDLE, BRIO_TREE_JUMP);
  unit->leads = take(in, -1, tree->plan->count - 1);
  unit->closing = flags & UNIT_CLOSING;
  unit->finishing = flags & FINISHING;
  unit->some_close = flags & SOME_CLOSE;
  unit->displaced = flags & DISPLACED;
  /* Only a unit with a finally branch can be finishing. */
  in->good = in->good && is_end(unit->result, unit->leads) && (!parts || is_end(unit->count, unit->target)) &&
             (!unit->finishing || (kind->last > 0 && brio_tree_has_units(tree, unit, kind->last)));
}

/* Read one unit and begin it in line `run`. */
static void take_unit(brio_tree *tree, reader *in, int run) {
  int node = take(in, 0, tree->plan->count - 1), last = -1;
  int number = in->good && stands_in(tree, node, &tree->runs[run]) ? brio_tree_begin_unit(tree, run, node)
                                                                   : -1;
  in->good = number >= 0;
  if (number < 0) return;
  brio_tree_unit *unit = &tree->units[number];
  take_kept(tree, in, unit);
  double since = take_time(in, tree->now);
  unit->stop_at = take_time(in, HUGE_VAL);
  unit->closed = take_time(in, tree->now);
  unit->fresh = begins_anew(tree, node) && !unit->closing;
  /* A unit that begins again has a new beginning; all others have the saved one. */
  if (!unit->fresh) unit->since = tree->began[node] = since;
  brio_tree_note(tree, node, BRIO_TREE_RUNNING);
  int inside = take(in, 0, tree->plan->line_count);
  for (int i = 0; i < inside && in->good; i++) take_inside(tree, in, number, &last);
}

/* Read one line, apart from its number. */
static void take_line(brio_tree *tree, reader *in, int number) {
  brio_tree_run *run = &tree->runs[number];
  run->at = take(in, run->begin, run->end);
  run->limit = take(in, run->begin, run->end);
  run->failed = take(in, -1, run->end - 1);
  int flags = take(in, 0, 7);
  run->result = take(in, 0, BRIO_TREE_JUMP);
  run->leads = take(in, -1, tree->plan->count - 1);
  run->goes_on = flags & GOES_ON;
  run->closing = flags & LINE_CLOSING;
  run->pending = flags & PENDING;
  /* A failed position is inside the window; a pending jump has a target. */
  in->good = in->good && (run->failed < 0 || run->failed >= run->begin) && is_end(run->result, run->leads);
  /* At most one for each position, as stands_in requires. */
  int units = take(in, 0, run->end - run->begin);
  bool jumps = false;
  for (int i = 0; i < units && in->good; i++) take_unit(tree, in, number);
  /* Only a unit with a jump, when it ends, ends the line's waiting. */
  for (int at = run->first; at >= 0; at = tree->units[at].next)
    jumps = jumps || (tree->units[at].closing && tree->units[at].result == BRIO_TREE_JUMP);
  run->pending = run->pending && jumps;
}

/* Read the state of nodes. The shift of times must not be added to counts. */
static void take_notes(brio_tree *tree, reader *in, int known) {
  for (int i = 0; i < known && in->good; i++) {
    int node = take(in, 0, tree->plan->count - 1), status = take(in, BRIO_TREE_IDLE, BRIO_TREE_FAILURE);
    bool counts = in->good && brio_tree_kind_of(tree->plan, node)->counts;
    double shift = in->shift;
    if (counts) in->shift = 0;
    double memory = take_time(in, NAN);
    in->shift = shift;
    if (!in->good) return;
    tree->memory[node] = memory;
    if (status != BRIO_TREE_RUNNING) brio_tree_note(tree, node, (brio_tree_status)status);
    if (status == BRIO_TREE_FAILURE) tree->why[node] = "it had failed before";
  }
}

/* Read everything: version, nodes, state, the root's line, and then the end. */
static void take_all(brio_tree *tree, reader *in) {
  in->form = take(in, 1, FORM);
  take(in, tree->plan->count, tree->plan->count);
  bool automatic = take(in, 0, 1) != 0;
  int result = take(in, BRIO_TREE_IDLE, BRIO_TREE_FAILURE), known = take(in, 0, tree->plan->count);
  take_notes(tree, in, known);
  take(in, 0, 0); /* the number of the root's line */
  take_line(tree, in, tree->root);
  /* Else nobody could halt the tree. */
  tree->runs[tree->root].goes_on = false;
  in->good = in->good && in->at == in->count;
  tree->automatic = automatic;
  tree->result = (brio_tree_status)result;
}

bool brio_tree_restore(brio_tree *tree, const double *numbers, size_t count, double now, double shift,
                       brio_error *err) {
  reader in = {numbers, 0, count, shift, FORM, 0, true};
  /* The host is not notified: what ran here is discarded. */
  brio_tree_discard(tree);
  brio_tree_begin(tree);
  tree->now = now;
  take_all(tree, &in);
  if (in.good) return true;
  /* Half a state is useless: begin from the root. */
  brio_tree_discard(tree);
  brio_tree_begin(tree);
  return brio_fail(err, BRIO_FORMAT, "that is not how a tree of these %d nodes stood (number %zu of %zu)",
                   (int)tree->plan->count, in.at, count);
}
