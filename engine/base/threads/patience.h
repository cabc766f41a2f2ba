/* Calls of foreign code that may never return: on a thread of their own, with a timeout. */
#ifndef BRIO_BASE_THREADS_PATIENCE_H
#define BRIO_BASE_THREADS_PATIENCE_H

#include <stdbool.h>

/* Call work(context) and wait for at most `seconds`.  False: it did not return by then; its thread is
** abandoned, and context, with all that work uses, must stay for ever.  If no thread can be created it is
** called directly. */
bool brio_patience_call(void (*work)(void *context), void *context, double seconds);

#endif
