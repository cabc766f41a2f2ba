/* Identity of the process that records a run, for a later check by another process. */
#ifndef BRIO_STORE_RECORDING_PROCESS_H
#define BRIO_STORE_RECORDING_PROCESS_H

#include <stdbool.h>

enum { BRIO_PROCESS_SIZE = 128 };

/* Write the identity of this process on this machine, valid until a reboot. */
void brio_process_self(char name[BRIO_PROCESS_SIZE]);

/* Return true when the process of that identity (NULL: none) has certainly ended.  For a process of another
** machine or container nothing is certain. */
bool brio_process_ended(const char *name);

#endif
