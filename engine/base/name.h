/* Lookup of names, with suggestions for misspelled ones. */
#ifndef BRIO_BASE_NAME_H
#define BRIO_BASE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Return the i-th name of some list, or NULL past its end. */
typedef const char *(*brio_name_at)(const void *list, int i);

/* Return the name nearest to `wrong` (Damerau-Levenshtein distance, at most a third of its
** length and one, and less than the longer one's length: something is shared), or NULL when
** none is near. */
const char *brio_name_nearest(const char *wrong, brio_name_at at, const void *list);

/* Write " (did you mean 'x'?)" into `out` when a name is near, else "". Return `out`. */
const char *brio_name_hint(const char *wrong, brio_name_at at, const void *list, char out[96]);

/* A map from names to numbers.  Names are not copied: they must outlive their place in
** the index. */
typedef struct brio_name_index {
  const char **names; /* capacity; NULL: free */
  int *values;
  int capacity, count;
} brio_name_index;

/* Make room for `count` names.  Return false when there is no memory. */
bool brio_name_index_start(brio_name_index *index, int count);

/* Add a name.  Return false when it is there already or there is no room. */
bool brio_name_index_add(brio_name_index *index, const char *name, int value);

/* Remove a name, if it is there. */
void brio_name_index_remove(brio_name_index *index, const char *name);

/* Return the value of `name`, or -1. */
int brio_name_index_find(const brio_name_index *index, const char *name);

/* Free the memory. */
void brio_name_index_end(brio_name_index *index);

#endif
