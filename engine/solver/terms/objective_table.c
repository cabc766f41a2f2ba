/* The list of objectives, made of objectives.def, and lookup by name. */
#include "solver/terms/term.h"

#include <string.h>

#include "base/name.h"

/* Declare each kind, then list them: here only, so that one more compiles no other file again. */
#define X(name) extern const brio_objective_kind brio_objective_##name;
#include "solver/objectives.def"
#undef X

const brio_objective_kind *const brio_objective_kinds[] = {
#define X(name) &brio_objective_##name,
#include "solver/objectives.def"
#undef X
  NULL,
};

/* The name of the i-th kind, for brio_name_hint; NULL ends the list. */
static const char *kind_at(const void *list, int i) {
  (void)list;
  return brio_objective_kinds[i] ? brio_objective_kinds[i]->name : NULL;
}

/* Linear: for set-up, not for the tick. */
const brio_objective_kind *brio_objective_kind_find(const char *name, brio_error *err) {
  for (int i = 0; brio_objective_kinds[i]; i++)
    if (strcmp(brio_objective_kinds[i]->name, name) == 0) return brio_objective_kinds[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no objective '%.64s'%s", name,
            brio_name_hint(name, kind_at, NULL, hint));
  return NULL;
}

/* Records come from other modules, too: all that the solver relies on is checked. */
bool brio_objective_kind_check(const brio_objective_kind *kind, brio_error *err) {
  const char *name = kind->name && kind->name[0] ? kind->name : NULL;
  if (!name || !kind->doc || !kind->example || !kind->category || !kind->params)
    return brio_fail(err, BRIO_MISUSE,
                     "the objective '%.64s' needs a name, doc, example, category and params",
                     name ? name : "");
  /* Either rows with losses, or a cost: not both, not neither. */
  if (!kind->cost && !(kind->residual && kind->rows && kind->loss && kind->lively))
    return brio_fail(err, BRIO_MISUSE, "the objective '%.64s' needs residual, rows, loss and lively, or cost",
                     name);
  if (kind->cost && kind->residual)
    return brio_fail(err, BRIO_MISUSE, "the objective '%.64s' has both a residual and a cost", name);
  /* Written so that NaN is rejected, too. */
  if (!(kind->step >= 0 && kind->step <= 0.1))
    return brio_fail(err, BRIO_MISUSE,
                     "the objective '%.64s': the step of differences must be from 0 to 0.1, not %g", name,
                     kind->step);
  if (kind->context && kind->size < sizeof kind->context)
    return brio_fail(err, BRIO_MISUSE, "the objective '%.64s': its instances have no room for the context",
                     name);
  return true;
}
