/* Features: derived quantities of an evaluation that several objectives read, computed once an iterate and
** shared.  A feature is a record, like an objective: a name, a size, and a function of the evaluation.
** Built-in ones are rows of features.def with their files beside it. */
#ifndef BRIO_SOLVER_FEATURES_FEATURE_H
#define BRIO_SOLVER_FEATURES_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum {
  BRIO_FEATURE_NUMBERS = 12, /* the greatest size of a feature */
  BRIO_FEATURES = 32,        /* features that one solver keeps */
};

struct brio_evaluation;

typedef struct brio_feature_kind brio_feature_kind;
struct brio_feature_kind {
  const char *name;        /* "center_of_mass_velocity" */
  const char *doc, *unit;
  int count;               /* numbers, up to BRIO_FEATURE_NUMBERS */
  unsigned needs;          /* BRIO_NEEDS_...: an objective that reads it must have these needs too */
  void *context;           /* for `compute` */
  /* Write the numbers; return false if they are undefined at this pose. */
  bool (*compute)(const brio_feature_kind *kind, const struct brio_evaluation *at, double *out);
};

/* Cache of a solver. */
typedef struct brio_features {
  int count;
  struct {
    const brio_feature_kind *kind;
    uint64_t serial;       /* the evaluation that it belongs to; 0: none */
    bool good;
    double v[BRIO_FEATURE_NUMBERS];
  } known[BRIO_FEATURES];
} brio_features;

/* The built-in kinds, ended by NULL. */
extern const brio_feature_kind *const brio_feature_kinds[];

/* Return the built-in kind of that name, or NULL and an error with the nearest name. */
const brio_feature_kind *brio_feature_kind_find(const char *name, brio_error *err);

/* Fail and name the error unless the record of a kind is complete. */
bool brio_feature_kind_check(const brio_feature_kind *kind, brio_error *err);

/* Return the feature's numbers at this evaluation, computed at the first call of each; NULL: undefined now,
** or the solver has BRIO_FEATURES others.  The kind must outlive the solver, or be forgotten. */
const double *brio_feature_value(const struct brio_evaluation *at, const brio_feature_kind *kind);

/* Remove a kind that is about to be freed. */
void brio_features_forget(brio_features *features, const brio_feature_kind *kind);

#endif
