/* Names: the nearest to a wrong one by edit distance, and an index from names to numbers, a hash
** table with open addressing and linear probing that is at most half full. */
#include "base/name.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 64 };   /* characters that are compared */
enum { MAX_NAMES = 1 << 28 }; /* names in an index */

static int least(int a, int b) { return a < b ? a : b; }

/* A name's length, as far as it is compared. */
static int length(const char *name) { return (int)strnlen(name, MAX_LENGTH); }

/* The Damerau-Levenshtein distance from `a` to `b` (insert, delete, replace, swap of neighbors) in
** three rows of its matrix. O(la * lb) */
static int edits(const char *a, const char *b) {
  /* Beyond MAX_LENGTH characters names are not compared. */
  int la = length(a), lb = length(b);
  int row[3][MAX_LENGTH + 1];
  /* Row 0: j insertions make the first j characters of `b` from an empty text. */
  for (int j = 0; j <= lb; j++) row[0][j] = j;
  /* now[j] is the distance of the first i characters of `a` from the first j of `b`. */
  for (int i = 1; i <= la; i++) {
    int *now = row[i % 3], *up = row[(i + 2) % 3], *upup = row[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= lb; j++) {
      /* Delete, insert, or replace (free where the characters are equal). */
      int same = a[i - 1] == b[j - 1];
      now[j] = least(least(up[j], now[j - 1]) + 1, up[j - 1] + !same);
      /* A swap of neighbors goes back two rows and two columns. */
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], upup[j - 2] + 1);
    }
  }
  return row[la % 3][lb];
}

const char *brio_name_nearest(const char *wrong, brio_name_at at, const void *list) {
  /* O(names) distances. */
  const char *best = NULL, *name;
  /* At most a third of the length, and one; ties go to the first name of the list. */
  int least_edits = (int)strlen(wrong) / 3 + 1;
  for (int i = 0; (name = at(list, i)) != NULL; i++) {
    int n = edits(wrong, name);
    if (n >= length(wrong) && n >= length(name)) continue; /* they share nothing */
    if (n < least_edits || (n == least_edits && !best)) best = name, least_edits = n;
  }
  return best;
}

const char *brio_name_hint(const char *wrong, brio_name_at at, const void *list, char out[96]) {
  const char *near = brio_name_nearest(wrong, at, list);
  out[0] = 0;
  /* 64 bytes of the name and the words around it fit into 96. */
  if (near) snprintf(out, 96, " (did you mean '%.64s'?)", near);
  return out;
}

/* FNV-1a, 32 bits. */
static uint32_t hash(const char *name) { /* FNV-1a */
  uint32_t h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

bool brio_name_index_start(brio_name_index *index, int count) {
  int capacity = 8;
  *index = (brio_name_index){0};
  if (count < 0 || count > MAX_NAMES) return false;
  /* A power of two, at least twice the number of names. */
  while (capacity < 2 * count) capacity *= 2;
  *index = (brio_name_index){.capacity = capacity};
  index->names = calloc((size_t)capacity, sizeof *index->names);
  index->values = calloc((size_t)capacity, sizeof *index->values);
  if (index->names && index->values) return true;
  brio_name_index_end(index);
  return false;
}

/* The slot of `name`, or the free one where it belongs. O(1) on average; ends, as half of the slots are
** free. */
static int slot_of(const brio_name_index *index, const char *name) {
  assert(index->capacity > 0 && 2 * index->count <= index->capacity);
  int mask = index->capacity - 1, slot = (int)(hash(name) & (uint32_t)mask);
  while (index->names[slot] && strcmp(index->names[slot], name) != 0) slot = (slot + 1) & mask;
  return slot;
}

bool brio_name_index_add(brio_name_index *index, const char *name, int value) {
  /* Half of the slots must stay free, or a search might not end. */
  if (2 * index->count >= index->capacity) return false;
  /* A name that is there already keeps its value. */
  int slot = slot_of(index, name);
  if (index->names[slot]) return false;
  index->names[slot] = name;
  index->values[slot] = value;
  index->count++;
  return true;
}

/* A removed name leaves no mark: slot_of can stop at the first free slot. O(length of the run) */
void brio_name_index_remove(brio_name_index *index, const char *name) {
  if (!index->capacity) return;
  int mask = index->capacity - 1, hole = slot_of(index, name);
  if (!index->names[hole]) return;
  assert(index->count > 0);
  index->count--;
  /* Close the hole: move back each name of the run that would not be found across it (Knuth,
  ** "Sorting and Searching", 6.4, algorithm R). */
  for (int at = (hole + 1) & mask; index->names[at]; at = (at + 1) & mask) {
    /* Where the search for this name begins. */
    int home = (int)(hash(index->names[at]) & (uint32_t)mask);
    if (((at - home) & mask) < ((at - hole) & mask)) continue; /* it is found without passing the hole */
    index->names[hole] = index->names[at];
    index->values[hole] = index->values[at];
    hole = at;
  }
  index->names[hole] = NULL;
}

int brio_name_index_find(const brio_name_index *index, const char *name) {
  if (!index->capacity) return -1;
  int slot = slot_of(index, name);
  return index->names[slot] ? index->values[slot] : -1;
}

void brio_name_index_end(brio_name_index *index) {
  free(index->names);
  free(index->values);
  *index = (brio_name_index){0};
}
