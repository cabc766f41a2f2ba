/* Settings of classes, and groups of classes that are confused with one another.  Rows are found by
** a digest of the name, O(rows); rows without any content are used again. */
#include "scene/settings.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

/* The defaults of all classes. */
brio_scene_settings brio_scene_settings_normal(void) {
  return (brio_scene_settings){.alpha = NAN,
                               .smoothing = 0.1,
                               .acceptance = 0.25,
                               .begins_at = 0,
                               .stability = 1,
                               .history = 2,
                               .radius = 0.5,
                               .speed = 0,
                               .lost_after = 1,
                               .appear_after = 3,
                               .moves = true};
}

bool brio_scene_settings_check(const brio_scene_settings *s, brio_error *err) {
  /* A table of names and ranges; NaN fails every comparison. */
  const struct {
    const char *name;
    double value, least, most;
  } numbers[] = {
      {"alpha", isnan(s->alpha) ? 1 : s->alpha, 1e-6, 1},
      {"smoothing", s->smoothing, -INFINITY, 1e6},
      {"acceptance", s->acceptance, 0, 1},
      {"begins_at", s->begins_at, 0, 1},
      {"stability", s->stability, 0, 1e6},
      {"history", s->history, 1e-3, 1e6},
      {"radius", s->radius, 1e-6, 1e9},
      {"speed", s->speed, 0, 1e6},
      {"lost_after", s->lost_after, 1e-6, 1e9},
      {"appear_after", s->appear_after, 1, 1e9},
  };
  /* The message names the first number that is out of range. */
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!(numbers[i].value >= numbers[i].least && numbers[i].value <= numbers[i].most))
      return brio_fail(err, BRIO_MISUSE, "a class's %s must be from %g to %g, not %g", numbers[i].name,
                       numbers[i].least, numbers[i].most, numbers[i].value);
  return true;
}

/* No more than a kind's length: longer names are refused elsewhere. */
uint64_t brio_scene_kind_hash(const char *kind) {
  return brio_hash_fold(BRIO_HASH_START, kind, strnlen(kind, BRIO_DETECTION_KIND));
}

/* The row of a kind, or NULL.  The digest is compared first. */
static brio_scene_class *find(brio_scene_classes *classes, const char *kind, uint64_t hash) {
  for (int i = 0; i < classes->count; i++)
    if (classes->rows[i].hash == hash && strcmp(classes->rows[i].kind, kind) == 0) return &classes->rows[i];
  return NULL;
}

/* The same for callers that only read. */
const brio_scene_class *brio_scene_class_of(const brio_scene_classes *classes, const char *kind,
                                            uint64_t hash) {
  return find((brio_scene_classes *)classes, kind, hash);
}

/* NULL: the group has no such member. O(rows). */
const brio_scene_class *brio_scene_class_member(const brio_scene_classes *classes, int group, int member) {
  for (int i = 0; i < classes->count && group >= 0; i++)
    if (classes->rows[i].group == group && classes->rows[i].member == member) return &classes->rows[i];
  return NULL;
}

/* Classes without settings of their own have those of all classes. */
brio_scene_settings brio_scene_classes_settings(const brio_scene_classes *classes, const char *kind) {
  const brio_scene_class *row = kind ? brio_scene_class_of(classes, kind, brio_scene_kind_hash(kind)) : NULL;
  return row && row->own ? row->settings : classes->normal;
}

/* Validate the name of a class. */
static bool check_kind(const char *kind, brio_error *err) {
  if (kind && *kind && strlen(kind) < BRIO_DETECTION_KIND) return true;
  return brio_fail(err, BRIO_MISUSE, "a class must have a name of 1 to %d letters, not '%s'",
                   BRIO_DETECTION_KIND - 1, kind ? kind : "");
}

/* The row of a kind, created if there is none; NULL: the table is full. */
static brio_scene_class *row_for(brio_scene_classes *classes, const char *kind, brio_error *err) {
  uint64_t hash = brio_scene_kind_hash(kind);
  brio_scene_class *row = find(classes, kind, hash);
  /* A row without settings and group is free. */
  for (int i = 0; i < classes->count && !row; i++)
    if (!classes->rows[i].own && classes->rows[i].group < 0) row = &classes->rows[i];
  if (!row && classes->count < BRIO_SCENE_CLASSES) row = &classes->rows[classes->count++];
  if (!row) {
    brio_fail(err, BRIO_LIMIT, "no room to configure '%s': %d classes have settings already", kind,
              BRIO_SCENE_CLASSES);
    return NULL;
  }
  /* A row that was found stays as it is; a free one is filled. */
  if (row->hash == hash && strcmp(row->kind, kind) == 0) return row;
  *row = (brio_scene_class){.hash = hash, .group = -1};
  snprintf(row->kind, sizeof row->kind, "%s", kind);
  return row;
}

/* NULL as kind sets what holds for all classes without settings of their own. */
bool brio_scene_classes_configure(brio_scene_classes *classes, const char *kind,
                                  const brio_scene_settings *settings, brio_error *err) {
  if (kind && !check_kind(kind, err)) return false;
  if (!brio_scene_settings_check(settings, err)) return false;
  if (!kind) {
    classes->normal = *settings;
    return true;
  }
  brio_scene_class *row = row_for(classes, kind, err);
  if (!row) return false;
  row->own = true;
  row->settings = *settings;
  return true;
}

/* Number of classes in a group. */
static int size_of(const brio_scene_classes *classes, int group) {
  int n = 0;
  for (int i = 0; i < classes->count; i++) n += classes->rows[i].group == group;
  return n;
}

/* A number that is no group's, and has not been one: by its number a track knows that its group is another
** one now. */
static int new_group(brio_scene_classes *classes) {
  do classes->groups = classes->groups < INT_MAX ? classes->groups + 1 : 0;
  while (size_of(classes, classes->groups) > 0);
  return classes->groups;
}

/* The lowest free member number of a group; -1: it is full. */
static int new_member(const brio_scene_classes *classes, int group) {
  for (int member = 0; member < BRIO_SCENE_CONFUSED; member++)
    if (!brio_scene_class_member(classes, group, member)) return member;
  return -1;
}

/* Move a row into a group, with all that it is confused with.  Errors: limit; some rows have moved then. */
static bool join(brio_scene_classes *classes, brio_scene_class *row, int group, brio_error *err) {
  assert(group >= 0);
  int old = row->group;
  if (old == group) return true;
  /* Members keep no number: they get new ones in the new group. */
  for (int i = 0; i < classes->count; i++) {
    brio_scene_class *one = &classes->rows[i];
    /* The row itself, and the others of its old group. */
    if (one != row && (old < 0 || one->group != old)) continue;
    int member = new_member(classes, group);
    if (member < 0)
      return brio_fail(err, BRIO_LIMIT, "at most %d classes may be taken for one another; '%s' is too many",
                       BRIO_SCENE_CONFUSED, one->kind);
    one->group = group;
    one->member = member;
  }
  return true;
}

/* Dissolve a group of one. */
static void dissolve(brio_scene_classes *classes, int group) {
  if (group < 0 || size_of(classes, group) != 1) return;
  for (int i = 0; i < classes->count; i++)
    if (classes->rows[i].group == group) classes->rows[i].group = -1;
}

/* Remove a row from its group. */
static void leave(brio_scene_classes *classes, brio_scene_class *row) {
  int old = row->group;
  row->group = -1;
  dissolve(classes, old);
}

/* Whether a kind is in a list. */
static bool is_among(const char *kind, const char *const *list, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(kind, list[i]) == 0) return true;
  return false;
}

/* Whether exactly this confusion is set already. */
static bool is_so(brio_scene_classes *classes, const char *kind, const char *const *others, int count) {
  const brio_scene_class *row = find(classes, kind, brio_scene_kind_hash(kind));
  int group = row ? row->group : -1;
  /* An empty list is set if the kind is in no group. */
  if (group < 0 || count < 1) return group < 0 && count < 1;
  /* Each of the list is in the kind's group. */
  for (int i = 0; i < count; i++) {
    const brio_scene_class *other = find(classes, others[i], brio_scene_kind_hash(others[i]));
    if (!other || other->group != group) return false;
  }
  /* Nobody else may be in the group. */
  for (int i = 0; i < classes->count; i++) {
    const brio_scene_class *one = &classes->rows[i];
    if (one->group == group && one != row && !is_among(one->kind, others, count)) return false;
  }
  return true;
}

/* Set a confusion, possibly half of it on failure; the caller restores the table then. */
static bool confuse(brio_scene_classes *classes, const char *kind, const char *const *others, int count,
                    brio_error *err) {
  brio_scene_class *row = row_for(classes, kind, err);
  if (!row) return false;
  /* The others of its old group stay confused with one another. */
  leave(classes, row);
  if (count <= 0) return true;
  row->group = new_group(classes);
  row->member = 0;
  /* Each of the list brings with it all that it is confused with. */
  for (int i = 0; i < count; i++) {
    brio_scene_class *other = row_for(classes, others[i], err);
    if (!other || !join(classes, other, row->group, err)) return false;
  }
  /* All others may have been `kind` itself. */
  dissolve(classes, row->group);
  return true;
}

/* O(rows * count). Either all of it is set or nothing. */
bool brio_scene_classes_confuse(brio_scene_classes *classes, const char *kind, const char *const *others,
                                int count, brio_error *err) {
  if (!check_kind(kind, err)) return false;
  for (int i = 0; i < count; i++)
    if (!check_kind(others[i], err)) return false;
  if (is_so(classes, kind, others, count)) return true;
  /* The table is small enough to be copied for the case of failure. */
  brio_scene_classes before = *classes;
  if (confuse(classes, kind, others, count, err)) return true;
  *classes = before;
  return false;
}
