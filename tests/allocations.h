/* Allocations of the calling thread: counted, and refused where a test asks for it; see allocations.c. */
#ifndef BRIO_TESTS_ALLOCATIONS_H
#define BRIO_TESTS_ALLOCATIONS_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

/* A sanitizer has its own malloc: where SANITIZED, these stay 0 and nothing is refused. */
extern _Thread_local size_t allocations;
extern _Thread_local long allocations_held; /* blocks that were allocated and not freed */

/* Refuse `count` allocations, beginning with this number; 0: none. */
extern _Thread_local size_t allocations_refused_from, allocations_refused;

#endif
