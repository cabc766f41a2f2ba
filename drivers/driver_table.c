/* The table of device families, one row of drivers.def for each file drivers/families/<family>.c,
** and the checks that all families have in common. */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "base/name.h"
#include "drivers/driver.h"
#include "math/scalar.h"

/* Declare each family, then list them. */
#define X(family) extern const brio_driver_kind brio_driver_##family;
#include "drivers/drivers.def"
#undef X

const brio_driver_kind *const brio_driver_kinds[] = {
#define X(family) &brio_driver_##family,
#include "drivers/drivers.def"
#undef X
    NULL};

/* List the families for a hint on misspelt names; NULL ends the list. */
static const char *name_at(const void *kinds, int i) {
  const brio_driver_kind *const *kind = kinds;
  return kind[i] ? kind[i]->name : NULL;
}

/* Whether there is room for the values of all its settings and texts. */
static bool has_room(const brio_driver_kind *kind, const char *path, brio_error *err) {
  int nsetting = 0, ntext = 0;
  while (kind->settings && kind->settings[nsetting].name) nsetting++;
  while (kind->texts && kind->texts[ntext].name) ntext++;
  if (nsetting <= BRIO_DRIVER_SETTINGS && ntext <= BRIO_DRIVER_TEXTS) return true;
  return brio_fail(err, BRIO_FORMAT, "the driver in %s has %d settings and %d texts; %d and %d are the most",
                   path, nsetting, ntext, BRIO_DRIVER_SETTINGS, BRIO_DRIVER_TEXTS);
}

/* Load the driver from a shared object.  On failure the object is closed. */
static const brio_driver_kind *load(const char *path, brio_error *err) {
  /* The object must export the record of a driver. */
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const brio_driver_plugin *plugin = object ? dlsym(object, "brio_driver") : NULL;
  if (!object) {
    brio_fail(err, BRIO_NO_FILE, "no driver can be loaded from %s: %s", path, dlerror());
  } else if (!plugin) {
    brio_fail(err, BRIO_FORMAT, "%s defines no brio_driver: see docs/devices/writing-a-driver.md", path);
  } else if (plugin->version != BRIO_DRIVER_VERSION || plugin->size != sizeof(brio_driver_kind)) {
    brio_fail(err, BRIO_FORMAT, "%s was built against another driver.h (version %d, here %d): build it again",
              path, plugin->version, BRIO_DRIVER_VERSION);
  } else if (has_room(plugin->kind, path, err)) {
    return plugin->kind;
  }
  if (object) dlclose(object);
  return NULL;
}

/* Built-in families by name or alias; a name with '/' is a path. */
const brio_driver_kind *brio_driver_find(const char *name, brio_error *err) {
  /* O(families). */
  for (int i = 0; brio_driver_kinds[i]; i++) {
    const brio_driver_kind *kind = brio_driver_kinds[i];
    if (strcmp(kind->name, name) == 0 || (kind->alias && strcmp(kind->alias, name) == 0)) return kind;
  }
  if (strchr(name, '/')) return load(name, err);
  /* Neither a family nor a path: suggest the nearest name. */
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no driver '%.64s'%s", name,
            brio_name_hint(name, name_at, brio_driver_kinds, hint));
  return NULL;
}

/* The comparisons are negated so that NaN fails, too. */
bool brio_axis_check(const brio_axis *axis, brio_error *err) {
  if (!axis->name || !*axis->name) return brio_fail(err, BRIO_MISUSE, "an axis must have a name");
  /* -inf and inf are valid limits; NaN is not. */
  if (!(axis->lower <= axis->upper))
    return brio_fail(err, BRIO_MISUSE,
                     "axis '%.64s': its lower limit %g must not be above its upper limit %g", axis->name,
                     axis->lower, axis->upper);
  if (!(axis->velocity > 0) || !(axis->acceleration > 0))
    return brio_fail(err, BRIO_MISUSE,
                     "axis '%.64s': its greatest velocity and acceleration must be above 0, not %g and %g",
                     axis->name, axis->velocity, axis->acceleration);
  /* The range must contain a finite position. */
  if (!isfinite(axis->start) || !isfinite(brio_clamp(axis->start, axis->lower, axis->upper)))
    return brio_fail(err, BRIO_MISUSE, "axis '%.64s' must start at a finite number, not %g", axis->name,
                     axis->start);
  return true;
}
