/* Shared objects that add objectives, goal kinds and features to the solver. */
#ifndef BRIO_RUNTIME_EXTENSION_H
#define BRIO_RUNTIME_EXTENSION_H

#include "solver/extension.h"

/* Load the shared object `file` and return its record, which has been checked; it stays loaded for the life
** of the process.  Loading one again returns the same.  Errors: no_file (it cannot be loaded: the sentence of
** the system), format (it is none of ours, or was compiled against other headers, or a record is not
** whole). */
const brio_extension *brio_extension_open(const char *file, brio_error *err);

#endif
