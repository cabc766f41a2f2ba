/* The atomic types of C under their own names, in C++ too: headers with atomic fields compile as both.  A C++
** program may include brio's headers within extern "C": the C++ header included here is excepted from it. */
#ifndef BRIO_BASE_THREADS_ATOMIC_H
#define BRIO_BASE_THREADS_ATOMIC_H

#include <stdalign.h>

#ifdef __cplusplus
extern "C++" {
#include <atomic>
}
using std::atomic_bool;
using std::atomic_int_fast64_t;
using std::atomic_uint;
using std::atomic_uint_fast64_t;
#else
#include <stdatomic.h>
#endif

#endif
