/* Random trees as text (forest.h): nodes are n0, n1, ... in depth-first order. */
#ifndef BRIO_TESTS_RANDOM_TREE_H
#define BRIO_TESTS_RANDOM_TREE_H

#include "base/random.h"
#include "tests/engine/tree/forest.h"

typedef struct maker { brio_random random; char *text; size_t length, room; int count, depth; } maker;

static inline int draw(maker *self, int below) {
  return (int)brio_random_below(&self->random, (uint64_t)below);
}

static inline void put(maker *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void put(maker *self, const char *format, ...) {
  va_list list;
  va_start(list, format);
  self->length += (size_t)vsnprintf(self->text + self->length, self->room - self->length, format, list);
  va_end(list);
}

static inline void put_after(maker *self, int count) {
  int way = draw(self, 6);
  if (way == 0) put(self, " after=beginning");
  if (way == 1) put(self, " after=all");
  if (way == 2 && count > 1) put(self, " after=n%d", draw(self, count - 1) + 1);
}

static inline void make_node(maker *self, int depth) {
  static const char *const kinds[] = {"sequence", "sequence", "fallback", "loop",
                                      "retry",    "invert",   "selector", "parallel"};
  static const char *const results[] = {"s", "s", "s", "f", "sf", "fs", "ffs"};
  int name = self->count++;
  put(self, "%*s", depth, "");
  if (depth > 0 && (depth > 4 || draw(self, 3) > 0)) {
    put(self, "call n%d d=%.1f r=%s", name, 0.1 * draw(self, 6), results[draw(self, 7)]);
    put_after(self, name);
    put(self, "\n");
    return;
  }
  const char *kind = depth == 0 ? "sequence" : kinds[draw(self, 8)];
  put(self, "%s n%d", kind, name);
  if (depth > 0) put_after(self, name);
  if (strcmp(kind, "loop") == 0 || strcmp(kind, "retry") == 0) put(self, " times=%d", 1 + draw(self, 3));
  if (strcmp(kind, "parallel") == 0) put(self, " failures=%d", 1 + draw(self, 2));
  put(self, "\n");
  for (int i = 0, children = 1 + draw(self, 4); i < children; i++) make_node(self, depth + 1);
}

/* The same with fallbacks that have a finally branch: b1 tries t1 and more, and has f1 in it. */
static inline void make_finals(maker *self, int depth) {
  static const char *const kinds[] = {"sequence",          "loop", "timeout", "parallel", "selector",
                                      "reactive_sequence", "retry"};
  if (depth > 5 || draw(self, 5) == 0) {
    put(self, "%*scall n%d d=%.1f r=%s\n", depth, "", self->count++, 0.1 * draw(self, 6),
        draw(self, 3) ? "s" : "f");
    return;
  }
  if (draw(self, 2)) {
    int number = self->count++;
    put(self, "%*sfallback b%d\n%*scall t%d d=%.1f part=try r=%s\n", depth, "", number, depth + 1, "", number,
        0.1 * draw(self, 4), draw(self, 3) ? "s" : "f");
    put(self, "%*ssequence part=try\n", depth + 1, "");
    make_finals(self, depth + 2);
    put(self, "%*scall f%d d=%.1f part=finally\n", depth + 1, "", number, 0.1 * draw(self, 4));
    return;
  }
  const char *kind = kinds[draw(self, 7)];
  put(self, "%*s%s n%d%s\n", depth, "", kind, self->count++,
      strcmp(kind, "timeout") == 0 ? " seconds=0.4"
      : strcmp(kind, "loop") == 0  ? " times=2"
                                   : "");
  for (int i = 0, children = 1 + draw(self, 3); i < children; i++) make_finals(self, depth + 1);
}

#endif
