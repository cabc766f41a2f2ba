/* Features: their list, and their values, each computed once an evaluation. */
#include "solver/features/feature.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/name.h"
#include "solver/objective.h"

/* Each kind of features.def is a record in a file of its own. */
#define X(name) extern const brio_feature_kind brio_feature_##name;
#include "solver/features/features.def"
#undef X

const brio_feature_kind *const brio_feature_kinds[] = {
#define X(name) &brio_feature_##name,
#include "solver/features/features.def"
#undef X
  NULL,
};

/* The name of the i-th kind, for brio_name_hint. */
static const char *kind_at(const void *list, int i) {
  (void)list;
  return brio_feature_kinds[i] ? brio_feature_kinds[i]->name : NULL;
}

/* Linear: there are a few kinds. */
const brio_feature_kind *brio_feature_kind_find(const char *name, brio_error *err) {
  for (int i = 0; brio_feature_kinds[i]; i++)
    if (strcmp(brio_feature_kinds[i]->name, name) == 0) return brio_feature_kinds[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no feature '%.64s'%s", name,
            brio_name_hint(name, kind_at, NULL, hint));
  return NULL;
}

/* Records come from other modules, too: all that code here relies on is checked. */
bool brio_feature_kind_check(const brio_feature_kind *kind, brio_error *err) {
  if (!kind->name || !kind->name[0] || !kind->doc || !kind->compute)
    return brio_fail(err, BRIO_MISUSE, "a feature needs a name, doc and compute");
  if (kind->count < 1 || kind->count > BRIO_FEATURE_NUMBERS)
    return brio_fail(err, BRIO_MISUSE, "the feature '%.64s' must have 1 to %d numbers, not %d", kind->name,
                     BRIO_FEATURE_NUMBERS, kind->count);
  return true;
}

/* The index of a kind among those known, which it joins if there is room; -1: there is none.
** Linear: at most BRIO_FEATURES kinds. */
static int place_of(brio_features *features, const brio_feature_kind *kind) {
  for (int i = 0; i < features->count; i++)
    if (features->known[i].kind == kind) return i;
  if (features->count == BRIO_FEATURES) return -1;
  /* Serial 0 belongs to no evaluation: the kind is computed at its first use. */
  features->known[features->count].kind = kind;
  features->known[features->count].serial = 0;
  return features->count++;
}

/* Whether all n numbers are finite. */
static bool all_finite(const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

const double *brio_feature_value(const brio_evaluation *at, const brio_feature_kind *kind) {
  brio_features *features = at->features;
  int i = features ? place_of(features, kind) : -1;
  /* No features, or no room for another kind: it has no value here. */
  if (i < 0) return NULL;
  /* Computed once an evaluation; the serial is set first, so that a feature that reads itself gets
  ** nothing. */
  if (features->known[i].serial != at->serial) {
    double v[BRIO_FEATURE_NUMBERS] = {0};
    features->known[i].serial = at->serial;
    features->known[i].good = false;
    assert(kind->count >= 1 && kind->count <= BRIO_FEATURE_NUMBERS);
    bool good = kind->compute(kind, at, v) && all_finite(v, kind->count);
    memcpy(features->known[i].v, v, sizeof v);
    features->known[i].good = good;
  }
  return features->known[i].good ? features->known[i].v : NULL;
}

/* The kinds behind it move up: they are found by their records, not by their places. */
void brio_features_forget(brio_features *features, const brio_feature_kind *kind) {
  for (int i = 0; i < features->count; i++)
    if (features->known[i].kind == kind) {
      assert(features->count > 0 && features->count <= BRIO_FEATURES);
      features->count--;
      memmove(&features->known[i], &features->known[i + 1],
              (size_t)(features->count - i) * sizeof features->known[i]);
      return;
    }
}
