/* The list of objectives, made of objectives.def, and finding one by name. */
#include "solver/term.h"

#include <string.h>

#include "base/name.h"

const brio_objective_kind *const brio_objective_kinds[] = {
#define X(name) &brio_objective_##name,
#include "solver/objectives.def"
#undef X
  NULL,
};

static const char *kind_at(const void *list, int i) {
  (void)list;
  return brio_objective_kinds[i] ? brio_objective_kinds[i]->name : NULL;
}

const brio_objective_kind *brio_objective_kind_find(const char *name, brio_error *err) {
  for (int i = 0; brio_objective_kinds[i]; i++)
    if (strcmp(brio_objective_kinds[i]->name, name) == 0) return brio_objective_kinds[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no objective '%.64s'%s", name,
            brio_name_hint(name, kind_at, NULL, hint));
  return NULL;
}
