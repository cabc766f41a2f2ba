/* The table of finders: one record for each file in finders/ that finders.def names. */
#include "drivers/cameras/finder.h"

#include <assert.h>

#define X(name) extern const brio_finder_kind brio_finder_kind_##name;
#include "drivers/cameras/finders.def"
#undef X

const brio_finder_kind *const brio_finder_kinds[] = {
#define X(name) &brio_finder_kind_##name,
#include "drivers/cameras/finders.def"
#undef X
    NULL};

bool brio_finders_open(brio_finders *finders, const brio_camera_settings *settings, brio_error *err) {
  finders->count = 0;
  /* open in the order of the table; one that fails closes those before it */
  for (int i = 0; brio_finder_kinds[i]; i++) {
    if (!brio_finder_kinds[i]->wanted(settings)) continue;
    assert(finders->count < BRIO_FINDERS);
    brio_finder *finder = &finders->finders[finders->count];
    *finder = (brio_finder){.kind = brio_finder_kinds[i], .settings = settings, .enabled = true};
    if (!finder->kind->open(finder, err)) {
      brio_finders_close(finders);
      return false;
    }
    finders->count++;
  }
  return true;
}

void brio_finders_close(brio_finders *finders) {
  for (int i = 0; i < finders->count; i++) finders->finders[i].kind->close(&finders->finders[i]);
  finders->count = 0;
}

/* forward = z, left = -x, up = -y of the optical frame */
brio_vec3 brio_finder_body(brio_vec3 optical) {
  return (brio_vec3){optical.z, -optical.x, -optical.y};
}
