/* Counts the allocations of the calling thread, and refuses those that a test asks to refuse: the
** allocating functions of the test program replace the library's, except where a sanitizer has replaced
** them already (SANITIZED). */
#include "tests/allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

_Thread_local size_t allocations, allocations_refused_from, allocations_refused;
_Thread_local long allocations_held;

#ifndef SANITIZED

/* Count an allocation; return whether it is to be refused, as the C library's refuse: with ENOMEM. */
static bool refuses(void) {
  allocations++;
  bool refused = allocations_refused_from && allocations >= allocations_refused_from &&
                 allocations - allocations_refused_from < allocations_refused;
  if (refused) errno = ENOMEM;
  return refused;
}

static void *held(void *block) {
  allocations_held += block != NULL;
  return block;
}

void *malloc(size_t size) {
  static void *(*real)(size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "malloc");
  return refuses() ? NULL : held(real(size));
}

void *calloc(size_t count, size_t size) {
  static void *(*real)(size_t, size_t);
  static bool looks_up;
  /* dlsym itself may call calloc, and works without the memory. */
  if (!real && looks_up) return NULL;
  looks_up = true;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "calloc");
  return refuses() ? NULL : held(real(count, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
  static void *(*real)(size_t, size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "aligned_alloc");
  return refuses() ? NULL : held(real(alignment, size));
}

void *realloc(void *old, size_t size) {
  static void *(*real)(void *, size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "realloc");
  if (refuses()) return NULL;
  void *block = real(old, size);
  return old ? block : held(block);
}

void free(void *block) {
  static void (*real)(void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "free");
  allocations_held -= block != NULL;
  real(block);
}
#endif
