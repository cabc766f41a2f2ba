/* The lists of terms, schemes and backends, generated from their .def files, and lookup by name. */
#include <assert.h>
#include <string.h>

#include "base/name.h"
#include "trajectory/backend.h"
#include "trajectory/scheme.h"
#include "trajectory/term.h"

/* Costs and constraints. */
const brio_trajectory_term_kind *const brio_trajectory_term_kinds[] = {
#define X(name) &brio_trajectory_term_##name,
#include "trajectory/terms.def"
#undef X
    NULL,
};

/* Rules that join the states of two nodes. */
const brio_trajectory_scheme *const brio_trajectory_schemes[] = {
#define X(name) &brio_trajectory_scheme_##name,
#include "trajectory/schemes.def"
#undef X
    NULL,
};

/* Methods of nonlinear programming. */
const brio_trajectory_backend *const brio_trajectory_backends[] = {
#define X(name) &brio_trajectory_backend_##name,
#include "trajectory/backends.def"
#undef X
    NULL,
};

/* Return the name of the i-th record of a list: each record begins with its name. */
static const char *name_at(const void *list, int i) {
  const void *const *records = list;
  return records[i] ? *(const char *const *)records[i] : NULL;
}

/* Return the record of that name in a list that ends at NULL, or NULL and an error: misuse.  O(records). */
static const void *find(const void *list, const char *what, const char *name, brio_error *err) {
  const void *const *records = list;
  for (int i = 0; records[i]; i++)
    if (strcmp(name_at(list, i), name) == 0) return records[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no %s '%.64s'%s", what, name,
            brio_name_hint(name, name_at, list, hint));
  return NULL;
}

const brio_trajectory_term_kind *brio_trajectory_term_find(const char *name, brio_error *err) {
  return find(brio_trajectory_term_kinds, "term of trajectories", name, err);
}

const brio_trajectory_scheme *brio_trajectory_scheme_find(const char *name, brio_error *err) {
  return find(brio_trajectory_schemes, "scheme of collocation", name, err);
}

const brio_trajectory_backend *brio_trajectory_backend_find(const char *name, brio_error *err) {
  return find(brio_trajectory_backends, "trajectory backend", name, err);
}

brio_trajectory_options brio_trajectory_default_options(void) {
  return (brio_trajectory_options){
      .iterations = 500, .seconds = INFINITY, .tolerance = 1e-7, .optimality = 1e-4, .barrier = 0.1};
}

const char *brio_trajectory_finish_name(brio_trajectory_finish end) {
  static const char *const names[] = {"solved", "feasible", "stalled", "time", "cancelled"};
  static_assert(sizeof names / sizeof *names == BRIO_TRAJECTORY_ENDS, "a name for each");
  assert(end >= 0 && end < BRIO_TRAJECTORY_ENDS);
  return names[end];
}
