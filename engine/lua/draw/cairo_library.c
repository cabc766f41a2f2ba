/* cairo stays loaded, as its libraries keep state of their own. */
#include "lua/draw/cairo_library.h"

#include <dlfcn.h>
#include <string.h>

static const char FILE_NAME[] = "libcairo.so.2";

/* Write the address of a function to `out`, of any pointer type. */
static bool find(void *library, const char *name, void *out) {
  void *found = dlsym(library, name);
  memcpy(out, &found, sizeof found);
  return found != NULL;
}

bool brio_cairo_load(brio_cairo *cairo, brio_error *err) {
  void *library = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  bool good = library != NULL;
#define FIND(name) good = good && find(library, "cairo_" #name, &cairo->name);
  BRIO_CAIRO_FUNCTIONS(FIND)
#undef FIND
  if (library) dlclose(library); /* what it returned stays valid */
  return good || brio_fail(err, BRIO_NO_FILE, "a picture needs cairo: there is no %s (Debian: libcairo2)",
                           FILE_NAME);
}
