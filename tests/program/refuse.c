/* A preloaded library that makes allocations of a program fail.
**
**   REFUSE_AT=N REFUSE_COUNT=M LD_PRELOAD=refuse.so PROGRAM
**
** Allocations N to N+M-1 return NULL (M: 1 by default).  With REFUSE_TELL=FILE, the number of all
** allocations is written to FILE at the end. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* glibc's own, which a replacement of malloc may call. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long count;
static long first = -1, last;

static long number_of(const char *name, long fallback) {
  const char *text = getenv(name);
  return text ? strtol(text, NULL, 10) : fallback;
}

/* Count an allocation.  Return whether it is refused. */
static bool refused(void) {
  if (first < 0) {
    first = number_of("REFUSE_AT", 0);
    last = first + number_of("REFUSE_COUNT", 1) - 1;
  }
  long n = atomic_fetch_add(&count, 1) + 1;
  if (first == 0 || n < first || n > last) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t many, size_t size) { return refused() ? NULL : __libc_calloc(many, size); }
void *realloc(void *memory, size_t size) { return refused() ? NULL : __libc_realloc(memory, size); }
void *aligned_alloc(size_t to, size_t size) { return refused() ? NULL : __libc_memalign(to, size); }

int posix_memalign(void **memory, size_t to, size_t size) {
  *memory = refused() ? NULL : __libc_memalign(to, size);
  return *memory ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void) {
  const char *name = getenv("REFUSE_TELL");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&count));
  fclose(file);
}
