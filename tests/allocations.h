/* How often the calling thread has allocated; see allocations.c. */
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

extern _Thread_local size_t allocations; /* stays 0 where SANITIZED: a sanitizer has its own malloc */

#endif
