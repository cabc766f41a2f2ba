/* Interface of a shared object that extends the solver: one record, named brio_extension_record.
**
**   const brio_extension brio_extension_record = {
**     BRIO_EXTENSION_HEAD, .name = "balance", .doc = "...", .objectives = objectives};
**
** It is compiled against these headers and loaded by `brio run --load balance.so` (runtime/extension.h),
** which rejects one that was compiled against others. */
#ifndef BRIO_SOLVER_EXTENSION_H
#define BRIO_SOLVER_EXTENSION_H

#include "solver/objective.h"

/* The goal kinds that are built in: brio_goal_translation, ... */
#define X(name) extern const brio_goal_kind brio_goal_##name;
#include "solver/goals.def"
#undef X

/* Incremented for a change of a record that its size does not show. */
enum { BRIO_EXTENSION_ABI = 1 };

enum { BRIO_EXTENSION_SIZES = 11 };

typedef struct brio_extension {
  /* BRIO_EXTENSION_ABI, and the sizes that it was compiled with */
  uint32_t abi;
  uint32_t sizes[BRIO_EXTENSION_SIZES];
  const char *name, *doc;                   /* one sentence */
  const brio_objective_kind *const *objectives; /* each list is ended by NULL; NULL: none */
  const brio_goal_kind *const *goals;
  const brio_feature_kind *const *features;
} brio_extension;

#define BRIO_EXTENSION_HEAD                                                                                  \
  .abi = BRIO_EXTENSION_ABI,                                                                                 \
  .sizes = {sizeof(brio_evaluation), sizeof(brio_objective_kind), sizeof(brio_goal),                         \
            sizeof(brio_goal_kind),  sizeof(brio_feature_kind),   sizeof(brio_param),                        \
            sizeof(brio_robot),      sizeof(brio_state),          sizeof(brio_link),                         \
            sizeof(brio_joint),      sizeof(brio_variable)}

/* Defines the record of a shared object. */
extern const brio_extension brio_extension_record;

#endif
