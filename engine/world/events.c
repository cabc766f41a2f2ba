/* Events: when each begins, lasts and ends. Events that begin in the same step begin in the order in which
** they were added. O(events) a step. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "world/event.h"
#include "world/world_internal.h"

enum { MAX_EVENTS = 4096 };

/* All events of a world. */
struct brio_world_events {
  brio_event *list; /* count, of capacity */
  int count, capacity;
};

/* The kinds, from disturbances.def. */
#define X(name) extern const brio_disturbance brio_disturbance_##name;
#include "world/disturbances.def"
#undef X

#define X(name) &brio_disturbance_##name,
const brio_disturbance *const brio_disturbances[] = {
#include "world/disturbances.def"
    NULL,
};

/* The fields that kinds may need or take, for error messages. */
static const struct { unsigned bit; const char *name;
} fields[] = {
    {BRIO_EVENT_ID, "id"},           {BRIO_EVENT_KIND, "kind"}, {BRIO_EVENT_TO, "to"},
    {BRIO_EVENT_SECONDS, "seconds"}, {BRIO_EVENT_BY, "by"},     {BRIO_EVENT_FORCE, "force"},
};

/* Validate an event: it has the fields that its kind needs, none that the kind ignores, and sensible
** times. */
static bool check_fields(const brio_event *event, brio_error *err) {
  const brio_disturbance *what = event->what;
  /* Missing and meaningless fields, each with an example. */
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    unsigned bit = fields[i].bit;
    if (what->needs & bit & ~event->given)
      return brio_fail(err, BRIO_MISUSE, "the event '%s' needs %s, as in %s", what->name, fields[i].name,
                       what->example);
    if (event->given & bit & ~(what->needs | what->takes))
      return brio_fail(err, BRIO_MISUSE, "%s means nothing to the event '%s', which is as in %s",
                       fields[i].name, what->name, what->example);
  }
  /* Times in s, up to 1e9. */
  if (!(event->at >= 0 && event->at <= 1e9) ||
      !(event->every == 0 || (event->every >= 0.01 && event->every <= 1e9)))
    return brio_fail(err, BRIO_MISUSE,
                     "the event '%s' must begin at 0 s or later, and come again after at least 0.01 s",
                     what->name);
  if (!(event->seconds >= 0 && event->seconds <= 1e9) || !(fabs(event->by) <= 1e4))
    return brio_fail(err, BRIO_MISUSE, "the event '%s': seconds must be at least 0, and by a number",
                     what->name);
  /* Otherwise it would run twice at the same time. */
  if (event->every > 0 && event->seconds >= event->every)
    return brio_fail(err, BRIO_MISUSE, "the event '%s' must be over before it comes again", what->name);
  return true;
}

/* Iterator over the kinds' names, for hints in error messages. */
static const char *name_at(const void *list, int i) {
  (void)list;
  return brio_disturbances[i] ? brio_disturbances[i]->name : NULL;
}

const brio_disturbance *brio_disturbance_find(const char *name, brio_error *err) {
  for (int i = 0; brio_disturbances[i]; i++)
    if (strcmp(brio_disturbances[i]->name, name) == 0) return brio_disturbances[i];
  const char *nearest = brio_name_nearest(name, name_at, NULL);
  brio_fail(err, BRIO_MISUSE, "nothing called '%.64s' can happen in the world%s%s%s", name,
            nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
  return NULL;
}

bool brio_world_add_event(brio_world *world, const brio_event *event, brio_error *err) {
  /* The kind's own check comes last: it may look into the world. */
  if (!check_fields(event, err) || (event->what->check && !event->what->check(world, event, err)))
    return false;
  if (!world->events) world->events = calloc(1, sizeof *world->events);
  struct brio_world_events *all = world->events;
  if (all && all->count == MAX_EVENTS)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d events at most", MAX_EVENTS);
  /* Grow by doubling; a failure leaves the old list. */
  if (all && all->count == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 8;
    brio_event *more = realloc(all->list, (size_t)capacity * sizeof *more);
    if (more) all->list = more;
    if (more) all->capacity = capacity;
  }
  /* The list could not be allocated, or not grown. */
  if (!all || all->count == all->capacity) return brio_fail(err, BRIO_NO_MEMORY, "no memory for an event");
  /* It has not begun; the first beginning is the given time. */
  all->list[all->count] = *event;
  all->list[all->count].runs = false;
  all->list[all->count++].begins = event->at;
  return true;
}

const brio_event *brio_world_event_of(const brio_world *world, const char *kind, const brio_event *after) {
  const struct brio_world_events *all = world->events;
  if (!all) return NULL;
  /* `after` is an entry of the list. */
  assert(!after || (after >= all->list && after < all->list + all->count));
  for (int i = after ? (int)(after - all->list) + 1 : 0; i < all->count; i++)
    if (strcmp(all->list[i].what->name, kind) == 0) return &all->list[i];
  return NULL;
}

/* One step of an event: begin, continue, end. */
static void step_event(brio_world *world, brio_event *event) {
  /* 1e-9 s: times of steps are rounded. */
  double now = world->time + 1e-9;
  if (!event->runs && now >= event->begins) {
    event->begun = event->begins;
    /* The next beginning is counted from the last one, so that lateness does not accumulate. */
    event->begins = event->every > 0 ? event->begins + event->every : INFINITY;
    event->runs = true;
    event->what->begin(world, event);
  }
  if (!event->runs) return;
  double since = world->time - event->begun;
  /* An event without duration ends in the step in which it begins. */
  if (event->what->during && since < event->seconds) event->what->during(world, event, since);
  if (since < event->seconds) return;
  event->runs = false;
  if (event->what->end) event->what->end(world, event);
}

void brio_world_events_step(brio_world *world, double dt) {
  (void)dt;
  for (int i = 0; world->events && i < world->events->count; i++) step_event(world, &world->events->list[i]);
}

/* Exchange the events of two worlds. Active events end; new ones that should have begun by now count as
** past. */
void brio_world_events_exchange(brio_world *world, brio_world *other) {
  struct brio_world_events *before = world->events;
  /* Each active event undoes its effect in this world. */
  for (int i = 0; before && i < before->count; i++) {
    brio_event *event = &before->list[i];
    if (event->runs && event->what->end) event->what->end(world, event);
    event->runs = false;
  }
  world->events = other->events;
  other->events = before;
  /* Skip beginnings in the past. */
  for (int i = 0; world->events && i < world->events->count; i++) {
    brio_event *event = &world->events->list[i];
    /* A repeated event continues in its own rhythm. */
    if (event->begins < world->time && event->every > 0)
      event->begins += event->every * ceil((world->time - event->begins) / event->every);
    /* The product may be rounded to before now. */
    if (event->begins < world->time) event->begins += event->every;
    if (event->begins < world->time) event->begins = INFINITY;
  }
}

void brio_world_events_free(brio_world *world) {
  if (!world->events) return;
  free(world->events->list);
  free(world->events);
}
