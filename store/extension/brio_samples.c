/* The entry of the loadable extension: `.load build/brio_samples` in the stock sqlite3, load_extension
** elsewhere. */
#include <sqlite3ext.h>

#include "store/packing/packed.h"

SQLITE_EXTENSION_INIT1

/* Register samples, solver_ticks and command_hashes with the connection; see store/packing/packed.h. */
__attribute__((visibility("default"))) int sqlite3_briosamples_init(sqlite3 *db, char **why,
                                                                    const sqlite3_api_routines *api);

int sqlite3_briosamples_init(sqlite3 *db, char **why, const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api);
  (void)why;
  int result = brio_packed_register(db);
  return result == SQLITE_OK ? brio_packed_shadow(db) : result;
}
