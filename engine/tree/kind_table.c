/* The table of kinds of nodes, filled from kinds.def. */
#include <string.h>

#include "tree/kind.h"

/* The records of all kinds are in kinds/, one file each. */
#define X(name) extern const brio_tree_kind brio_tree_kind_##name;
#include "tree/kinds.def"
#undef X

/* The index in this table is the `kind` of a node. */
const brio_tree_kind *const brio_tree_kinds[] = {
#define X(name) &brio_tree_kind_##name,
#include "tree/kinds.def"
#undef X
  NULL
};

const int brio_tree_kind_count = (int)(sizeof brio_tree_kinds / sizeof *brio_tree_kinds) - 1;

/* Linear: some twenty kinds, looked up when plans are made. */
int brio_tree_kind_find(const char *name) {
  for (int i = 0; i < brio_tree_kind_count; i++) {
    if (strcmp(brio_tree_kinds[i]->name, name) == 0) return i;
  }
  return -1;
}

int brio_tree_param_find(const brio_tree_kind *kind, const char *name) {
  /* The list ends with an empty name; a kind without parameters has none. */
  for (int i = 0; kind->params && kind->params[i].name; i++) {
    if (strcmp(kind->params[i].name, name) == 0) return i;
  }
  return -1;
}
