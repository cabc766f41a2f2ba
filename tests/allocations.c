/* Counts what the calling thread allocates: malloc and realloc of the test program stand before the
** library's own, except where a sanitizer has put its own there already (SANITIZED). */
#include "tests/allocations.h"

#include <dlfcn.h>
#include <stdlib.h>

_Thread_local size_t allocations;

#ifndef SANITIZED
void *malloc(size_t size) {
  static void *(*real)(size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "malloc");
  allocations++;
  return real(size);
}

void *realloc(void *old, size_t size) {
  static void *(*real)(void *, size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "realloc");
  allocations++;
  return real(old, size);
}
#endif
