#include "base/name.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };   /* names are compared by their first 64 characters */
enum { MOST = 1 << 28 }; /* names in an index */

static int least(int a, int b) { return a < b ? a : b; }

static int length(const char *name) { return (int)strnlen(name, LONGEST); }

/* Edits (insert, delete, replace, swap of neighbours) from `a` to `b`. */
static int edits(const char *a, const char *b) {
  int la = length(a), lb = length(b);
  int row[3][LONGEST + 1];
  for (int j = 0; j <= lb; j++) row[0][j] = j;
  for (int i = 1; i <= la; i++) {
    int *now = row[i % 3], *up = row[(i + 2) % 3], *upup = row[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= lb; j++) {
      int same = a[i - 1] == b[j - 1];
      now[j] = least(least(up[j], now[j - 1]) + 1, up[j - 1] + !same);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], upup[j - 2] + 1);
    }
  }
  return row[la % 3][lb];
}

const char *brio_name_nearest(const char *wrong, brio_name_at at, const void *list) {
  const char *best = NULL, *name;
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
  if (near) snprintf(out, 96, " (did you mean '%.64s'?)", near);
  return out;
}

static uint32_t hash(const char *name) { /* FNV-1a */
  uint32_t h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

bool brio_name_index_start(brio_name_index *index, int count) {
  int capacity = 8;
  *index = (brio_name_index){0};
  if (count < 0 || count > MOST) return false;
  while (capacity < 2 * count) capacity *= 2;
  *index = (brio_name_index){.capacity = capacity};
  index->names = calloc((size_t)capacity, sizeof *index->names);
  index->values = calloc((size_t)capacity, sizeof *index->values);
  if (index->names && index->values) return true;
  brio_name_index_end(index);
  return false;
}

/* The slot where `name` is, or the free one where it belongs. */
static int slot_of(const brio_name_index *index, const char *name) {
  int mask = index->capacity - 1, slot = (int)(hash(name) & (uint32_t)mask);
  while (index->names[slot] && strcmp(index->names[slot], name) != 0) slot = (slot + 1) & mask;
  return slot;
}

bool brio_name_index_add(brio_name_index *index, const char *name, int value) {
  if (2 * index->count >= index->capacity) return false;
  int slot = slot_of(index, name);
  if (index->names[slot]) return false;
  index->names[slot] = name;
  index->values[slot] = value;
  index->count++;
  return true;
}

void brio_name_index_remove(brio_name_index *index, const char *name) {
  if (!index->capacity) return;
  int mask = index->capacity - 1, hole = slot_of(index, name);
  if (!index->names[hole]) return;
  index->count--;
  for (int at = (hole + 1) & mask; index->names[at]; at = (at + 1) & mask) {
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
