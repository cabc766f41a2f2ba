/* The list of backends, made of backends.def, and lookup by name. */
#include "solver/backend.h"

#include <string.h>

#include "base/name.h"

const brio_backend *const brio_backends[] = {
#define X(name) &brio_backend_##name,
#include "solver/backends.def"
#undef X
  NULL,
};

/* The name of the i-th backend, for brio_name_hint; NULL ends the list. */
static const char *backend_at(const void *list, int i) {
  (void)list;
  return brio_backends[i] ? brio_backends[i]->name : NULL;
}

/* Linear: there are a few backends. */
const brio_backend *brio_backend_find(const char *name, brio_error *err) {
  for (int i = 0; brio_backends[i]; i++)
    if (strcmp(brio_backends[i]->name, name) == 0) return brio_backends[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no solver backend '%.64s'%s", name,
            brio_name_hint(name, backend_at, NULL, hint));
  return NULL;
}
