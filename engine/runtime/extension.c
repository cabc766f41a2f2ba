/* Loading shared objects.  A record is validated before any of it is used: it exists, it was
** compiled against the same headers (version number, and sizes of the structures), and its lists
** are complete.  A shared object is never unloaded: its functions may be in use. */
#include "runtime/extension.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define SYMBOL "brio_extension_record"

/* What this program was compiled with. */
static const brio_extension own = {BRIO_EXTENSION_HEAD};

/* Make brio's functions visible to extensions where brio itself is a shared object, as in a stock
** Lua. */
static void show_own_symbols(void) {
  Dl_info info;
  if (dladdr((const void *)&own, &info) && info.dli_fname)
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

/* Compare version and sizes with this program's. */
static bool check_head(const char *file, const brio_extension *record, brio_error *err) {
  static const char *const names[BRIO_EXTENSION_SIZES] = {
      "brio_evaluation",   "brio_objective_kind", "brio_goal",    "brio_goal_kind",
      "brio_feature_kind", "brio_param",          "brio_robot",   "brio_state",
      "brio_link",         "brio_joint",          "brio_variable"};
  /* Another version of the structures would be read wrongly. */
  if (record->abi != own.abi)
    return brio_fail(err, BRIO_FORMAT,
                     "%s: made for version %u of the records, this is version %u: compile it again", file,
                     (unsigned)record->abi, (unsigned)own.abi);
  /* The same version, compiled with other options or headers. */
  for (int i = 0; i < BRIO_EXTENSION_SIZES; i++)
    if (record->sizes[i] != own.sizes[i])
      return brio_fail(err, BRIO_FORMAT,
                       "%s: made with a %s of %u bytes, here it has %u: compile it against these headers",
                       file, names[i], (unsigned)record->sizes[i], (unsigned)own.sizes[i]);
  if (!record->name || !record->name[0] || !record->doc)
    return brio_fail(err, BRIO_FORMAT, "%s: its record needs a name and a doc", file);
  return true;
}

/* Validate every kind that the record lists; the lists end in NULL. */
static bool check_kinds(const brio_extension *record, brio_error *err) {
  for (int i = 0; record->goals && record->goals[i]; i++)
    if (!brio_goal_kind_check(record->goals[i], err)) return false;
  for (int i = 0; record->features && record->features[i]; i++)
    if (!brio_feature_kind_check(record->features[i], err)) return false;
  for (int i = 0; record->objectives && record->objectives[i]; i++)
    if (!brio_objective_kind_check(record->objectives[i], err)) return false;
  return true;
}

static bool check(const char *file, const brio_extension *record, brio_error *err) {
  if (!check_head(file, record, err)) return false;
  if (check_kinds(record, err)) return true;
  if (err) err->code = BRIO_FORMAT; /* the file is at fault, not the caller */
  return brio_fail_in(err, "%s", file);
}

const brio_extension *brio_extension_open(const char *file, brio_error *err) {
  char path[4096]; /* with a slash, or the system's folders would be searched */
  int length = snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
  show_own_symbols();
  void *handle = length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!handle) {
    /* dlerror() repeats the path: skip it, as the message has it already. */
    const char *why = length < (int)sizeof path ? dlerror() : "its name is too long";
    if (why && strncmp(why, path, (size_t)length) == 0 && why[length] == ':') why += length + 2;
    brio_fail(err, BRIO_NO_FILE, "cannot load %.300s: %.300s", file, why ? why : "the system has no reason");
    return NULL;
  }
  /* Without a valid record the object is closed again. */
  const brio_extension *record = dlsym(handle, SYMBOL);
  if (!record)
    brio_fail(err, BRIO_FORMAT, "%s: it has no " SYMBOL ": it is no extension of brio", file);
  else if (check(file, record, err))
    return record;
  dlclose(handle);
  return NULL;
}
