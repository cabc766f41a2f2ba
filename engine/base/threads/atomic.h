/* The atomic types of C under their own names, in C++ too: headers that show them compile as both.  A C++
** program that includes brio's headers within extern "C" may do so: the C++ header behind them is taken out
** of it. */
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
