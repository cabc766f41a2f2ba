/* What clang-tidy cannot see, because it reads one file at a time: brio_fail returns false. */
#include "base/error.h"
#define brio_fail(...) ((void)brio_fail(__VA_ARGS__), false)
#define brio_fail_in(...) ((void)brio_fail_in(__VA_ARGS__), false)
