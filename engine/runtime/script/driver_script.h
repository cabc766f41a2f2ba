/* A driver written in Lua, for prototypes: a file of functions that becomes a record like any other family's.
**
** Each device has a Lua state of its own, used by one thread at a time, mostly its device's: a driver that
** waits, spins or fails affects its own device only.  CPU time and duration of a call and the memory of the
** state are limited; errors are sentences with a traceback.  The file's environment is made by
** lua/brio/devices/driver_host.lua. */
#ifndef BRIO_RUNTIME_SCRIPT_DRIVER_SCRIPT_H
#define BRIO_RUNTIME_SCRIPT_DRIVER_SCRIPT_H

#include <lua.h>

#include "drivers/driver.h"

typedef struct brio_driver_script brio_driver_script;

/* Access to brio for a driver's state: the opener of brio.core, and package.path and .cpath. */
typedef struct brio_driver_script_place {
  lua_CFunction core;
  const char *path, *cpath;
} brio_driver_script_place;

/* Load the driver in a file.  Its own description becomes a record; texts are copied.  Errors: no_file,
** format, limit (time or memory), no_memory. */
brio_driver_script *brio_driver_script_new(const char *file, const brio_driver_script_place *place,
                                           brio_error *err);

/* The record, valid as long as the driver: it must outlive its devices. */
const brio_driver_kind *brio_driver_script_kind(const brio_driver_script *script);

/* Free it.  NULL is allowed. */
void brio_driver_script_free(brio_driver_script *script);

#endif
