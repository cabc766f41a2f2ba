/* Shared objects that add objectives, goal kinds and features to the solver. */
#ifndef BRIO_RUNTIME_EXTENSION_H
#define BRIO_RUNTIME_EXTENSION_H

#include "solver/extension.h"

/* Load the shared object `file` and return its checked record; it stays loaded for the life of the process.
** Loading it again returns the same record.  Errors: no_file (the system's message), format (no extension of
** brio, compiled against other headers, or an incomplete record). */
const brio_extension *brio_extension_open(const char *file, brio_error *err);

#endif
