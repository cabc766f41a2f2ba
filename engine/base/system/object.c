/* Where shared objects of brio are. */
#include "base/system/object.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Folders in which an object is looked for, from that of the program or module which holds this function: in
** the build folder, build/lua, PREFIX/bin, PREFIX/lib/lua/5.4. */
static const char *const folders[] = {"", "../", "../lib/", "../../"};

/* Write the folder of the program or shared object that this code is in, with a slash at its end. */
static void own_folder(char *out, size_t room) {
  Dl_info info;
  const char *file = dladdr((void *)(uintptr_t)own_folder, &info) && info.dli_fname ? info.dli_fname : "";
  char path[4096];
  /* A program has the name that it was started by, which may be without a folder, or of another one. */
  if (!strchr(file, '/') || access(file, R_OK) != 0) {
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    file = path;
  }
  const char *slash = strrchr(file, '/');
  snprintf(out, room, "%.*s", slash ? (int)(slash - file) + 1 : 0, file);
}

void *brio_object_open(const char *object) {
  char own[4096], path[4200];
  /* errors of earlier calls are forgotten: what dlerror returns is of this object */
  dlerror();
  own_folder(own, sizeof own);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    /* The first that is there counts, even if it cannot be loaded. */
    snprintf(path, sizeof path, "%s%s%s", own, folders[i], object);
    if (access(path, R_OK) == 0) return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  return NULL;
}
