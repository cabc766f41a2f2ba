/* Which detection belongs to which persistent detection.
**
** The detections of an update are sorted by time and detector: what one detector saw at one time
** is a picture, in which nothing is seen twice.  Pictures are processed one after the other,
** each by the assignment with the least total cost.  A named detection goes to the thing of that
** kind and name.  An unnamed one may be a thing of its kind, or of a kind it is confused with,
** within that thing's gate; it costs (distance / gate)^2, the log-likelihood of normal errors,
** and up to CLASS_COST more for a class that the thing is not thought to have; being new costs
** as much as the worst of these.  What remains begins a new thing, unless the detector reports
** one thing twice under two names that are confused.
**
** Everything is bounded: detections and pictures per update, pairs per detection.  Cost:
** sorting, then for each picture its detections times the things within a gate along x. */
#include "scene/persistent/persistent.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scene/perception.h"

#define AHEAD 0.5 /* s: a detection less than this in the future counts as of now */
#define CLASS_COST 0.25 /* cost of an unlikely class; distance costs up to 1 */
#define TWICE 0.25 /* share of the radius within which two names in one picture may be one thing */

enum { MAX_NEAR = 16 };

/* O(most) bytes; later updates allocate nothing. */
bool brio_persistents_start(brio_persistents *all, int most, brio_error *err) {
  assert(most > 0);
  /* Work arrays serve both detections and slots. */
  size_t room = (size_t)(most > BRIO_PERSISTENT_TAKEN ? most : BRIO_PERSISTENT_TAKEN);
  *all = (brio_persistents){.most = most, .classes.normal = brio_scene_settings_normal()};
  all->slots = calloc((size_t)most, sizeof *all->slots);
  all->histories = calloc((size_t)most * BRIO_PERSISTENT_HISTORY, sizeof *all->histories);
  all->taken = calloc(BRIO_PERSISTENT_TAKEN, sizeof *all->taken);
  all->places = calloc((size_t)most, sizeof *all->places);
  all->order = calloc(room, sizeof *all->order);
  all->scratch = calloc(room, sizeof *all->scratch);
  all->keys = calloc(room, sizeof *all->keys);
  all->assignment = brio_assignment_new(BRIO_PERSISTENT_TAKEN, most, BRIO_PERSISTENT_TAKEN * MAX_NEAR, err);
  if (all->slots && all->histories && all->taken && all->places && all->order && all->scratch && all->keys &&
      all->assignment)
    return true;
  brio_persistents_end(all);
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for a scene of %d objects", most);
}

/* Safe for a struct that was started in part. */
void brio_persistents_end(brio_persistents *all) {
  free(all->slots);
  free(all->histories);
  free(all->taken);
  free(all->places);
  free(all->order);
  free(all->scratch);
  free(all->keys);
  brio_assignment_free(all->assignment);
  *all = (brio_persistents){0};
}

/* ------------------------------------------------------------------ what is refused */

/* Counters saturate rather than overflow. */
static void count_one(int *counter) {
  *counter += *counter < INT_MAX;
}

/* Where the message about a refusal goes: the first one of an update is kept. */
static brio_error *words(brio_persistents *all) {
  all->said = true;
  return &all->refusals.last;
}

/* Refuse a detection that is older than what is remembered, or from the future. */
static bool refuse_time(brio_persistents *all, const brio_detection *d, double history) {
  double age = all->time - d->time;
  if (age <= history && age >= -AHEAD) return false;
  count_one(age > 0 ? &all->refusals.late : &all->refusals.future);
  if (all->said) return true;
  if (age > 0)
    brio_fail(words(all), BRIO_LIMIT, "a detection of '%s' is %.3g s old, but only %.3g s are remembered",
              d->kind, age, history);
  else
    brio_fail(words(all), BRIO_LIMIT, "a detection of '%s' is %.3g s in the future", d->kind, -age);
  return true;
}

/* Copy a detection into `d` in its final form.  False: it is refused, and counted. */
static bool accept(brio_persistents *all, const brio_detection *given, brio_detection *d) {
  *d = *given;
  if (!brio_perception_check(d, all->said ? NULL : &all->refusals.last)) {
    all->said = true;
    count_one(&all->refusals.bad);
    return false;
  }
  /* NaN means now; a slightly future time is clock skew. */
  if (isnan(d->time)) d->time = all->time;
  if (refuse_time(all, d, brio_scene_classes_settings(&all->classes, d->kind).history)) return false;
  if (d->time > all->time) {
    count_one(&all->refusals.clamped);
    d->time = all->time;
  }
  return true;
}

/* Count what is beyond the limits of one update. */
static void refuse_flood(brio_persistents *all, int count, const char *what) {
  if (count <= 0) return;
  bool room = all->refusals.flood <= INT_MAX - count;
  all->refusals.flood = room ? all->refusals.flood + count : INT_MAX;
  if (!all->said)
    brio_fail(words(all), BRIO_LIMIT, "%d detections of one update are too many: at most %d %s are taken",
              count, what[0] == 'd' ? BRIO_PERSISTENT_TAKEN : BRIO_PERSISTENT_PICTURES, what);
}

/* ------------------------------------------------------------------ order */

/* Stable merge sort of `count` numbers by their keys, bottom up: O(n log n), no allocation. */
static void sort(int *order, int *scratch, const double *keys, int count) {
  for (int width = 1; width < count; width *= 2) {
    for (int low = 0; low < count; low += 2 * width) {
      int middle = low + width < count ? low + width : count;
      int high = middle + width < count ? middle + width : count, i = low, j = middle;
      for (int k = low; k < high; k++) {
        /* Of equal keys the left run's comes first. */
        bool left = i < middle && (j >= high || !(keys[order[j]] < keys[order[i]]));
        scratch[k] = left ? order[i++] : order[j++];
      }
    }
    memcpy(order, scratch, (size_t)count * sizeof *order);
  }
}

/* Pictures are identified by time and detector. */
static bool same_picture(const brio_detection *a, const brio_detection *b) {
  return a->time == b->time && a->detector == b->detector;
}

/* Sort what was accepted by time, and within a time by detector: a stable sort for each key. */
static void put_in_order(brio_persistents *all, int count) {
  for (int i = 0; i < count; i++) all->order[i] = i, all->keys[i] = all->taken[i].detector;
  sort(all->order, all->scratch, all->keys, count);
  for (int i = 0; i < count; i++) all->keys[i] = all->taken[i].time;
  sort(all->order, all->scratch, all->keys, count);
}

/* ------------------------------------------------------------------ beginning */

/* A free slot, or that of the unconfirmed thing that was updated longest ago, or NULL. */
static brio_persistent *free_slot(brio_persistents *all) {
  brio_persistent *oldest = NULL;
  for (int i = 0; i < all->top; i++) {
    brio_persistent *one = &all->slots[i];
    if (!one->used) return one;
    /* What is believed, or was matched in this picture, keeps its slot. */
    if (one->object.believed || one->match >= 0) continue;
    if (!oldest || one->heard < oldest->heard) oldest = one;
  }
  if (all->top < all->most) return &all->slots[all->top++];
  return oldest;
}

/* Count a detection that found no slot. */
static void refuse_room(brio_persistents *all, const brio_detection *d) {
  count_one(&all->refusals.room);
  if (!all->said)
    brio_fail(words(all), BRIO_LIMIT, "no room for a detection of '%s': the scene holds %d already", d->kind,
              all->most);
}

/* Update a thing with a detection: position, class, time. */
static void learn(brio_persistents *all, brio_persistent *one, const brio_detection *d) {
  brio_persistent_follow(one, d);
  brio_persistent_class_learn(&all->classes, one, d);
  one->heard = all->time;
}

/* Begin a thing with a detection that belongs to none. */
static void begin(brio_persistents *all, const brio_detection *d, int place) {
  brio_scene_settings settings = brio_scene_classes_settings(&all->classes, d->kind);
  if (d->confidence < settings.begins_at) return;
  brio_persistent *one = all->full ? NULL : free_slot(all);
  /* `full` saves further searches within this update. */
  if (!one) {
    all->full = true;
    refuse_room(all, d);
    return;
  }
  /* The slot is cleared; its ring of detections is at the same index of another array. */
  memset(one, 0, sizeof *one);
  one->history = &all->histories[(size_t)(one - all->slots) * BRIO_PERSISTENT_HISTORY];
  one->used = true;
  one->settings = settings;
  one->serial = ++all->serials;
  one->match = place;
  one->hash = brio_scene_kind_hash(d->kind);
  brio_persistent_begin(one, d);
  brio_persistent_class_begin(&all->classes, one);
  learn(all, one, d);
}

/* ------------------------------------------------------------------ one picture */

/* The thing of that kind and name; the digests are compared first. */
static brio_persistent *named(brio_persistents *all, const brio_detection *d) {
  uint64_t hash = brio_scene_kind_hash(d->kind);
  for (int i = 0; i < all->top; i++) {
    brio_persistent *one = &all->slots[i];
    if (one->used && one->hash == hash && strcmp(one->object.id, d->id) == 0 &&
        strcmp(one->object.kind, d->kind) == 0)
      return one;
  }
  return NULL;
}

/* Assign the named detections of a picture.  A name that comes twice in a picture counts once. */
static void take_named(brio_persistents *all, int from, int to) {
  for (int i = from; i < to; i++) {
    const brio_detection *d = &all->taken[all->order[i]];
    if (!d->id[0]) continue;
    brio_persistent *one = named(all, d);
    if (!one) {
      begin(all, d, i);
    } else if (one->match < 0) {
      one->match = i;
      learn(all, one, d);
    }
  }
}

/* List where the things without a match are expected at `time`; return how many there are. */
static int list_places(brio_persistents *all, double time) {
  int n = 0;
  for (int i = 0; i < all->top; i++) {
    brio_persistent *one = &all->slots[i];
    if (!one->used || one->match >= 0) continue;
    double gate;
    assert(n == 0 || n < all->most);
    brio_vec3 at = brio_persistent_expected(one, time, &gate);
    all->places[n++] = (brio_persistent_place){at, gate, 1 / (gate * gate), one->hash, one};
  }
  return n;
}

/* By x; equal ones by age, so that the order never depends on the slots. */
static int compare_x(const brio_persistent_place *a, const brio_persistent_place *b) {
  if (a->at.x != b->at.x) return a->at.x < b->at.x ? -1 : 1;
  return a->who->serial - b->who->serial;
}

/* Restore the heap below `root`; heapsort needs no memory. */
static void sift(brio_persistent_place *p, int root, int count) {
  for (int child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && compare_x(&p[child], &p[child + 1]) < 0) child++;
    if (compare_x(&p[root], &p[child]) >= 0) return;
    brio_persistent_place swap = p[root];
    p[root] = p[child];
    p[child] = swap;
  }
}

/* Sort places by x; return the widest gate. */
static double sort_places(brio_persistent_place *p, int count) {
  double widest = 0;
  for (int i = 0; i < count; i++) widest = fmax(widest, p[i].gate);
  /* Build the heap, then put its greatest element at the end, again and again. */
  for (int i = count / 2 - 1; i >= 0; i--) sift(p, i, count);
  for (int last = count - 1; last > 0; last--) {
    brio_persistent_place swap = p[0];
    p[0] = p[last];
    p[last] = swap;
    sift(p, 0, last);
  }
  return widest;
}

/* Index of the first place at x or beyond, by bisection. */
static int first_from(const brio_persistent_place *p, int count, double x) {
  int low = 0;
  while (low < count) {
    int middle = low + (count - low) / 2;
    if (p[middle].at.x < x)
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

/* A place that a detection may belong to. */
typedef struct candidate {
  int place;
  double cost;
} candidate;

/* Cost of `d` being the thing expected at a place; above 1 + CLASS_COST: impossible. */
static double cost_of(const brio_persistent_place *place, const brio_detection *d, uint64_t hash,
                      const brio_scene_class *seen) {
  brio_vec3 off = brio_vec3_sub(place->at, d->pose.p);
  double far = brio_vec3_dot(off, off) * place->scale;
  /* Outside the gate, or NaN. */
  if (!(far <= 1)) return 2;
  double class = place->hash == hash ? 0 : brio_persistent_class_cost(place->who, seen);
  return class > 1 ? 2 : far + CLASS_COST * class;
}

/* Insert into the MAX_NEAR candidates of least cost, in rising order; return their number. */
static int keep(candidate *list, int count, candidate one) {
  assert(count >= 0 && count <= MAX_NEAR);
  if (count == MAX_NEAR && !(one.cost < list[count - 1].cost)) return count;
  int i = count == MAX_NEAR ? count - 1 : count++;
  for (; i > 0 && one.cost < list[i - 1].cost; i--) list[i] = list[i - 1];
  list[i] = one;
  return count;
}

/* The search for the candidates of one detection. */
typedef struct search {
  const brio_detection *d;
  uint64_t hash;
  const brio_scene_class *seen;
  double most; /* m along x: places farther off cannot be among the candidates any more */
  int count;
  candidate list[MAX_NEAR];
} search;

/* Examine places from index `i` to `end` (exclusive), in steps of 1 or -1, while they may be
** candidates. */
static void look(search *s, const brio_persistent_place *p, int i, int end, int step, double widest) {
  for (; i != end && fabs(p[i].at.x - s->d->pose.p.x) <= s->most; i += step) {
    double cost = cost_of(&p[i], s->d, s->hash, s->seen);
    if (cost > 1 + CLASS_COST) continue;
    s->count = keep(s->list, s->count, (candidate){i, cost});
    /* The list is full: only what is nearer than its worst candidate can still enter. */
    if (s->count == MAX_NEAR) s->most = widest * sqrt(fmin(1, s->list[MAX_NEAR - 1].cost));
  }
}

/* Add the row of one unnamed detection with its best candidates.  The nearest along x come first,
** so that in a crowd the far ones are not examined. */
static void add_row(brio_persistents *all, const brio_detection *d, int nplace, double widest) {
  search s = {.d = d, .hash = brio_scene_kind_hash(d->kind), .most = widest};
  s.seen = brio_scene_class_of(&all->classes, d->kind, s.hash);
  /* Places within the widest gate along x; MAX_NEAR on either side come first. */
  int middle = first_from(all->places, nplace, d->pose.p.x);
  int low = first_from(all->places, nplace, d->pose.p.x - widest);
  int from = middle - low > MAX_NEAR ? middle - MAX_NEAR : low;
  int to = nplace - middle > MAX_NEAR ? middle + MAX_NEAR : nplace;
  look(&s, all->places, from, to, 1, widest);
  look(&s, all->places, to, nplace, 1, widest);
  look(&s, all->places, from - 1, low - 1, -1, widest);
  /* A row without candidates stays alone. */
  brio_assignment_row(all->assignment);
  for (int i = 0; i < s.count; i++) brio_assignment_pair(all->assignment, s.list[i].place, s.list[i].cost);
}

/* Whether the detection is a thing of this picture, reported a second time under a confused name. */
static bool seen_twice(brio_persistents *all, const brio_detection *d) {
  const brio_scene_class *seen = brio_scene_class_of(&all->classes, d->kind, brio_scene_kind_hash(d->kind));
  if (!seen || seen->group < 0) return false;
  /* Look among things that this picture matched, under another name of the group. */
  for (int i = 0; i < all->top; i++) {
    brio_persistent *one = &all->slots[i];
    if (!one->used || one->match < 0 || one->group != seen->group) continue;
    const brio_detection *other = &all->taken[all->order[one->match]];
    if (strcmp(other->kind, d->kind) == 0) continue;
    if (brio_perception_distance(other->pose.p, d->pose.p) > TWICE * one->settings.radius) continue;
    brio_persistent_class_learn(&all->classes, one, d);
    return true;
  }
  return false;
}

/* Assign the unnamed detections of a picture at the least total cost. */
static void take_unnamed(brio_persistents *all, int from, int to) {
  double time = all->taken[all->order[from]].time;
  int nplace = list_places(all, time), row = 0;
  double widest = sort_places(all->places, nplace);
  brio_assignment_begin(all->assignment, nplace);
  for (int i = from; i < to; i++)
    if (!all->taken[all->order[i]].id[0]) add_row(all, &all->taken[all->order[i]], nplace, widest);
  /* Being new costs as much as the worst candidate, so candidates are preferred. */
  const int *place_of = brio_assignment_solve(all->assignment, 1 + CLASS_COST);
  for (int i = from; i < to; i++) {
    const brio_detection *d = &all->taken[all->order[i]];
    int place = d->id[0] ? -1 : place_of[row++];
    if (place < 0) continue;
    all->places[place].who->match = i;
    learn(all, all->places[place].who, d);
  }
  /* New things last: they must not be candidates within their own picture. */
  row = 0;
  for (int i = from; i < to; i++) {
    const brio_detection *d = &all->taken[all->order[i]];
    if (!d->id[0] && place_of[row++] < 0 && !seen_twice(all, d)) begin(all, d, i);
  }
}

/* ------------------------------------------------------------------ an update */

/* Index of the first detection of the newest BRIO_PERSISTENT_PICTURES pictures; older ones are
** refused. */
static int skip_pictures(brio_persistents *all, int count) {
  int pictures = 0, from = count;
  /* Back from the newest; another time or detector is another picture. */
  while (from > 0) {
    bool new =
        from == count || !same_picture(&all->taken[all->order[from - 1]], &all->taken[all->order[from]]);
    if (new &&pictures++ == BRIO_PERSISTENT_PICTURES) break;
    from--;
  }
  refuse_flood(all, from, "pictures");
  return from;
}

/* O(n log n) to sort; then each picture is assigned by itself. */
void brio_persistents_take(brio_persistents *all, const brio_detection *detections, int count) {
  int n = 0;
  all->full = all->said = false;
  /* Too many detections: the first ones are taken. */
  if (count > BRIO_PERSISTENT_TAKEN) refuse_flood(all, count - BRIO_PERSISTENT_TAKEN, "detections");
  for (int i = 0; i < count && i < BRIO_PERSISTENT_TAKEN; i++)
    n += accept(all, &detections[i], &all->taken[n]);
  put_in_order(all, n);
  for (int from = skip_pictures(all, n), to; from < n; from = to) {
    const brio_detection *first = &all->taken[all->order[from]];
    for (to = from + 1; to < n && same_picture(first, &all->taken[all->order[to]]);) to++;
    /* No thing has been seen in this picture yet. */
    for (int i = 0; i < all->top; i++) all->slots[i].match = -1;
    take_named(all, from, to);
    take_unnamed(all, from, to);
  }
  /* Between updates no thing has a match: free_slot relies on it. */
  for (int i = 0; i < all->top; i++) all->slots[i].match = -1;
}

/* Things whose class has changed its group lose the evidence about their class. */
void brio_persistents_regroup(brio_persistents *all) {
  for (int i = 0; i < all->top; i++) {
    brio_persistent *one = &all->slots[i];
    const brio_scene_class *row =
        one->used ? brio_scene_class_of(&all->classes, one->object.kind, one->hash) : NULL;
    if (one->used && one->group != (row ? row->group : -1)) brio_persistent_class_begin(&all->classes, one);
  }
}

bool brio_persistent_is_sure(const brio_persistents *all, const brio_persistent *one) {
  double frequency, confidence;
  /* Often enough, and on average surely enough. */
  if (one->object.sightings < one->settings.appear_after) return false;
  brio_persistent_recall(one, all->time, &frequency, &confidence);
  return confidence >= one->settings.acceptance;
}

/* `heard` is the time of an update, so that a late picture keeps a thing alive, too. */
bool brio_persistent_is_gone(const brio_persistents *all, const brio_persistent *one) {
  return all->time - one->heard > one->settings.lost_after;
}
