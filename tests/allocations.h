/* Counts what the calling thread allocates: malloc and realloc of this program stand before the
** library's own, except where a sanitizer has put its own there already (SANITIZED). */
#ifndef BRIO_TESTS_ALLOCATIONS_H
#define BRIO_TESTS_ALLOCATIONS_H

#include <dlfcn.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

static _Thread_local size_t allocations __attribute__((unused));

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

#endif
