/* Finding the shared object of a physics library, and the sentences for its faults. */
#include "physics/library.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/system/object.h"

/* What can be asked for, and the Debian package that it is built with. */
static const struct {
  const char *name, *object, *package;
} known[] = {
    {"mujoco", "brio_mujoco.so", "libmujoco-dev"},
};

/* The record in an object, if it is of this version of brio. */
static const brio_physics_library *record_of(void *object, const char *name, brio_error *err) {
  const brio_physics_library *library = dlsym(object, "brio_physics");
  /* The size is compared, too: a record of another layout must not be called. */
  bool same = library && library->version == BRIO_PHYSICS_LIBRARY_VERSION && library->size == sizeof *library;
  if (same) return library;
  brio_fail(err, BRIO_FORMAT, "physics '%s' is of another version of brio: build it again", name);
  return NULL;
}

const brio_physics_library *brio_physics_find(const char *name, brio_error *err) {
  /* Only names of the table: no path of a caller's is ever loaded. */
  size_t which = 0, count = sizeof known / sizeof *known;
  while (which < count && strcmp(known[which].name, name) != 0) which++;
  if (which == count) {
    brio_fail(err, BRIO_MISUSE, "there is no physics '%.64s': expected none or mujoco", name);
    return NULL;
  }
  void *object = brio_object_open(known[which].object);
  if (object) return record_of(object, name, err);
  /* It was found but not loaded: its own library is missing. */
  const char *why = dlerror();
  brio_fail(err, BRIO_NO_FILE,
            "physics '%s' is not there%s%.300s: install the Debian package %s "
            "(scripts/packages-physics.txt) and run make again",
            name, why ? ": " : "", why ? why : "", known[which].package);
  return NULL;
}

/* What is said of each end: before and after the body's name, and whether the other body and the numbers say
** more. */
static const struct {
  const char *before, *after;
  bool other, numbers;
} words[BRIO_PHYSICS_ENDS] = {
    [BRIO_PHYSICS_GOES_ON] = {"nothing has happened to", "", false, false},
    [BRIO_PHYSICS_NO_NUMBER] = {"the motion of", "is no number any more", false, false},
    [BRIO_PHYSICS_TOO_FAST] = {"the motion of", "is too fast", false, true},
    [BRIO_PHYSICS_TOO_DEEP] = {"the body", "is too deep in", true, true},
    [BRIO_PHYSICS_TOO_MANY] = {"the contacts of", "and others are too many", false, false},
    [BRIO_PHYSICS_BROKEN] = {"the library that moves", "failed", false, false},
};

void brio_physics_tell(const brio_physics_fault *fault, char *out, size_t room) {
  assert(fault->end >= 0 && fault->end < BRIO_PHYSICS_ENDS);
  /* The other body, the numbers and the library's own words, each only where it says something. */
  char other[BRIO_PHYSICS_NAME + 4] = "", numbers[64] = "";
  /* "the body 'arm' is too deep in 'table' (0.06, at most 0.05): WORDS, at 1.2 s: ..." */
  if (words[fault->end].other) snprintf(other, sizeof other, " '%s'", fault->other);
  if (words[fault->end].numbers)
    snprintf(numbers, sizeof numbers, " (%.3g, at most %.3g)", fault->value, fault->limit);
  snprintf(out, room, "%s '%s' %s%s%s%s%s, at %.4f s: the simulation has stopped", words[fault->end].before,
           fault->body, words[fault->end].after, other, numbers, fault->words[0] ? ": " : "", fault->words,
           fault->time);
}
