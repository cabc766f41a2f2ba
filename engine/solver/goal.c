/* Goals: creation from numbers, blending, and lookup of a kind by name.
**
** Blending: numbers go in a straight line; a quaternion goes on the shortest arc,
**   q(share) = from * exp(share * log(from^-1 * to))
** (Shoemake, "Animating rotation with quaternion curves", 1985), so that a rotation turns at an even speed
** about one axis. */
#include "solver/goal.h"

#include <assert.h>
#include <string.h>

#include "base/name.h"
#include "solver/goals/goal_internal.h"

/* Whether a name is this letter, alone or after its last dot. */
static bool ends_in(const char *name, char letter) {
  const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
  return last[0] == letter && last[1] == 0;
}

/* Whether names `i` to `i + 3` of `n` are the x, y, z, w of a quaternion. */
static bool turns_at(const char *const *names, int i, int n) {
  return i + 3 < n && ends_in(names[i], 'x') && ends_in(names[i + 1], 'y') && ends_in(names[i + 2], 'z') &&
         ends_in(names[i + 3], 'w');
}

int brio_goal_length(const brio_goal *goal) {
  return goal->kind ? goal->kind->count + goal->items * goal->kind->item : 0;
}

const double *brio_goal_item(const brio_goal *goal, int i) {
  assert(i >= 0 && i < goal->items);
  return goal->v + goal->kind->count + i * goal->kind->item;
}

/* Equal bits count: 0 and -0 differ, which only starts an approach again. */
bool brio_goal_same(const brio_goal *a, const brio_goal *b) {
  return a->kind == b->kind && a->items == b->items &&
         memcmp(a->v, b->v, (size_t)brio_goal_length(a) * sizeof *a->v) == 0;
}

/* Blend a quaternion along the shortest arc; brio_quat_log gives the shorter of both ways. */
static void blend_arc(const double *from, const double *to, double share, double *out) {
  brio_quat a = {from[0], from[1], from[2], from[3]}, b = {to[0], to[1], to[2], to[3]};
  brio_vec3 arc = brio_quat_log(brio_quat_mul(brio_quat_conj(a), b));
  brio_quat q = brio_quat_unit(brio_quat_mul(a, brio_quat_exp(brio_vec3_scale(share, arc))));
  memcpy(out, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof *out);
}

/* Blend `n` numbers with these names; `out` may be `from`. */
static void blend_numbers(const char *const *names, int n, const double *from, const double *to, double share,
                          double *out) {
  /* A quaternion takes four numbers at once. */
  for (int i = 0; i < n; i++)
    if (turns_at(names, i, n)) {
      blend_arc(from + i, to + i, share, out + i);
      i += 3;
    } else {
      out[i] = (1 - share) * from[i] + share * to[i];
    }
}

/* The smaller of two numbers. */
static int least(int a, int b) { return a < b ? a : b; }

/* Blend the lists and return the number of items. The last item goes first: items of `out` may
** overwrite those of `from` with the same or a lower index only. */
static int blend_items(const brio_goal *from, const brio_goal *to, double share, double *out) {
  const brio_goal_kind *kind = to->kind;
  const char *const *names = kind->fields + kind->count;
  /* While blending, the longer list counts; at the end, that of `to`. An empty list has nothing to
  ** blend. */
  int items = from->items > to->items ? from->items : to->items;
  if (share >= 1 || from->items == 0) items = to->items;
  /* An empty list is replaced by the other, so that its last item exists. */
  const brio_goal *begin = from->items ? from : to, *end = to->items ? to : from;
  for (int i = items - 1; i >= 0; i--)
    blend_numbers(names, kind->item, brio_goal_item(begin, least(i, begin->items - 1)),
                  brio_goal_item(end, least(i, end->items - 1)), share, out + i * kind->item);
  return items;
}

void brio_goal_blend(const brio_goal *from, const brio_goal *to, double share, brio_goal *out) {
  assert(from->kind == to->kind && share >= 0);
  const brio_goal_kind *kind = to->kind;
  blend_numbers(kind->fields, kind->count, from->v, to->v, share, out->v);
  int items = kind->item ? blend_items(from, to, share, out->v + kind->count) : 0;
  out->kind = kind;
  out->items = items;
}

/* The name of number `i`; names of an item repeat. */
static const char *name_of(const brio_goal_kind *kind, int i) {
  return kind->fields[i < kind->count ? i : kind->count + (i - kind->count) % kind->item];
}

/* Normalize one quaternion. Errors: misuse, if its length is far from 1. */
static bool unit_quaternion(const brio_goal_kind *kind, double *v, brio_error *err) {
  double length = hypot(hypot(v[0], v[1]), hypot(v[2], v[3]));
  if (!(length > 1e-9 && length < 1e9))
    return brio_fail(err, BRIO_MISUSE,
                     "a %s goal's quaternion x, y, z, w must have a length near 1, not {%g, %g, %g, %g}",
                     kind->name, v[0], v[1], v[2], v[3]);
  brio_quat q = brio_quat_unit((brio_quat){v[0], v[1], v[2], v[3]});
  memcpy(v, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof *v);
  return true;
}

/* Normalize the quaternions among `n` numbers with these names. */
static bool unit_quaternions(const brio_goal_kind *kind, const char *const *names, int n, double *v,
                             brio_error *err) {
  for (int i = 0; i < n; i++)
    if (turns_at(names, i, n) && !unit_quaternion(kind, v + i, err)) return false;
  return true;
}

/* Find how many items `count` numbers have. Errors: misuse. */
static bool count_items(const brio_goal_kind *kind, int count, int *items, brio_error *err) {
  *items = 0;
  if (kind->item == 0 && count != kind->count)
    return brio_fail(err, BRIO_MISUSE, "a %s has %d numbers, not %d", kind->name, kind->count, count);
  if (kind->item == 0) return true;
  /* The fixed numbers come first; the rest must divide into items. */
  int rest = count - kind->count;
  *items = rest / kind->item;
  if (rest < 0 || rest % kind->item != 0)
    return brio_fail(err, BRIO_MISUSE, "a %s has %d numbers and %d for each item, which %d are not",
                     kind->name, kind->count, kind->item, count);
  if (*items < kind->least || *items > kind->most)
    return brio_fail(err, BRIO_MISUSE, "a %s has %d to %d items, not %d", kind->name, kind->least, kind->most,
                     *items);
  return true;
}

/* Count, finiteness, quaternions, then the kind's own check. */
bool brio_goal_make(const brio_goal_kind *kind, const double *numbers, int count, brio_goal *out,
                    brio_error *err) {
  if (!count_items(kind, count, &out->items, err)) return false;
  out->kind = kind;
  /* Copy the numbers; the first that is not finite is named in the message. */
  for (int i = 0; i < count; i++) {
    if (!isfinite(numbers[i]))
      return brio_fail(err, BRIO_MISUSE, "the goal's %s must be a finite number", name_of(kind, i));
    out->v[i] = numbers[i];
  }
  assert(count == kind->count + out->items * kind->item && count <= BRIO_GOAL_NUMBERS);
  /* Quaternions among the fixed numbers, then those of each item. */
  if (!unit_quaternions(kind, kind->fields, kind->count, out->v, err)) return false;
  for (int i = 0; i < out->items; i++)
    if (!unit_quaternions(kind, kind->fields + kind->count, kind->item,
                          out->v + kind->count + i * kind->item, err))
      return false;
  return !kind->check || kind->check(out, err);
}

bool brio_goal_check_range(const brio_goal *goal, int at, int count, double lower, double upper,
                           brio_error *err) {
  assert(at >= 0 && at + count <= BRIO_GOAL_NUMBERS);
  for (int i = at; i < at + count; i++)
    if (!(goal->v[i] >= lower && goal->v[i] <= upper))
      return brio_fail(err, BRIO_MISUSE, "a %s goal's %s must be from %g to %g, not %g", goal->kind->name,
                       name_of(goal->kind, i), lower, upper, goal->v[i]);
  return true;
}

/* Records come from other modules too: everything that code here relies on is checked. */
bool brio_goal_kind_check(const brio_goal_kind *kind, brio_error *err) {
  if (!kind->name || !kind->name[0] || !kind->doc || !kind->example || !kind->fields)
    return brio_fail(err, BRIO_MISUSE, "a goal kind needs a name, doc, example and fields");
  /* At least one number, and the longest list fits a goal's array. */
  bool list = kind->item > 0;
  if (kind->count < 0 || kind->item < 0 || kind->count + kind->item < 1 || kind->count > BRIO_GOAL_NUMBERS ||
      (list && !(kind->least >= 0 && kind->most >= 1 && kind->least <= kind->most)) ||
      (list && (kind->most > BRIO_GOAL_ITEMS || kind->item > BRIO_GOAL_NUMBERS ||
                kind->count + kind->most * kind->item > BRIO_GOAL_NUMBERS)))
    return brio_fail(err, BRIO_MISUSE, "the goal kind '%.64s' must have 1 to %d numbers in at most %d items",
                     kind->name, BRIO_GOAL_NUMBERS, BRIO_GOAL_ITEMS);
  /* Each number has a name; beside fixed numbers, those of items are <list>.<name>. */
  for (int i = 0; i < kind->count + kind->item; i++) {
    if (!kind->fields[i] || !kind->fields[i][0])
      return brio_fail(err, BRIO_MISUSE, "the goal kind '%.64s' has no name for its number %d", kind->name,
                       i + 1);
    if (kind->count > 0 && i >= kind->count && !strchr(kind->fields[i], '.'))
      return brio_fail(err, BRIO_MISUSE,
                       "the goal kind '%.64s' must name its items' numbers as <list>.<name>, not '%s'",
                       kind->name, kind->fields[i]);
  }
  return true;
}

/* The name of the i-th kind, for brio_name_hint. */
static const char *kind_at(const void *list, int i) {
  (void)list;
  return brio_goal_kinds[i] ? brio_goal_kinds[i]->name : NULL;
}

/* Linear in the kinds, of which there are about ten. */
const brio_goal_kind *brio_goal_kind_find(const char *name, brio_error *err) {
  for (int i = 0; brio_goal_kinds[i]; i++)
    if (strcmp(brio_goal_kinds[i]->name, name) == 0) return brio_goal_kinds[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no goal kind '%.64s'%s", name,
            brio_name_hint(name, kind_at, NULL, hint));
  return NULL;
}
