/* A driver written in Lua, for prototypes: a file of functions that becomes a record like any other family's.
**
** Each device has a Lua state of its own, used by one thread at a time, mostly its device's: so a driver that
** waits, spins or fails is that device's fault alone.  A call may use so much CPU time and last so long, and
** the state hold so much memory; what goes wrong is a sentence with its traceback.  What the file may see is
** lua/brio/devices/driver_host.lua's. */
#ifndef BRIO_RUNTIME_SCRIPT_DRIVER_SCRIPT_H
#define BRIO_RUNTIME_SCRIPT_DRIVER_SCRIPT_H

#include <lua.h>

#include "drivers/driver.h"

typedef struct brio_driver_script brio_driver_script;

/* Where a driver's state finds brio: the opener of brio.core, and package.path and .cpath. */
typedef struct brio_driver_script_place {
  lua_CFunction core;
  const char *path, *cpath;
} brio_driver_script_place;

/* Read the driver in a file.  What it says of itself becomes a record; its texts are copied.  Errors:
** no_file, format, limit (it runs too long, or holds too much), no_memory. */
brio_driver_script *brio_driver_script_new(const char *file, const brio_driver_script_place *place,
                                           brio_error *err);

/* The record, as long as the driver lives: it must outlive its devices. */
const brio_driver_kind *brio_driver_script_kind(const brio_driver_script *script);

/* Forget it.  NULL is allowed. */
void brio_driver_script_free(brio_driver_script *script);

#endif
