/* Which process records a run, in words that another process can check later. */
#ifndef BRIO_STORE_RECORDING_PROCESS_H
#define BRIO_STORE_RECORDING_PROCESS_H

#include <stdbool.h>

enum { BRIO_PROCESS_SIZE = 128 };

/* Write what names this process on this machine until it is switched off. */
void brio_process_self(char name[BRIO_PROCESS_SIZE]);

/* Return true when it is sure that the process of that name (NULL: none) has ended.  Of a process
** of another machine or container nothing is sure. */
bool brio_process_ended(const char *name);

#endif
