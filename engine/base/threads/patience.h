/* Calls of others' code that may never return: on a thread of their own, which is waited for, but not for
** ever. */
#ifndef BRIO_BASE_THREADS_PATIENCE_H
#define BRIO_BASE_THREADS_PATIENCE_H

#include <stdbool.h>

/* Call work(context) and wait for at most `seconds`.  False: it did not return by then; its thread is left
** behind, and context, with all that work uses, must stay for ever.  Where no thread is to be had it is
** called as it is. */
bool brio_patience_call(void (*work)(void *context), void *context, double seconds);

#endif
