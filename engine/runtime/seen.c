/* Rows of detections: see seen.h. */
#include "runtime/seen.h"

#include <math.h>

static brio_value known(bool is, double value) { return is ? brio_value_real(value) : brio_value_null(); }

void brio_seen_record(brio_store *store, int table, int64_t tick, double time, const brio_detection *list, int count) {
  for (int i = 0; i < count; i++) {
    const brio_detection *d = &list[i];
    bool sized = d->size.x > 0 || d->size.y > 0 || d->size.z > 0, colored = !isnan(d->color[0]);
    brio_value row[] = {brio_value_integer(tick), brio_value_real(time), brio_value_integer(d->detector),
                        brio_value_real(isnan(d->time) ? time : d->time), brio_value_text(d->kind),
                        d->id[0] ? brio_value_text(d->id) : brio_value_null(), brio_value_real(d->confidence),
                        brio_value_real(d->pose.p.x), brio_value_real(d->pose.p.y), brio_value_real(d->pose.p.z),
                        known(d->oriented, d->pose.q.x), known(d->oriented, d->pose.q.y), known(d->oriented, d->pose.q.z),
                        known(d->oriented, d->pose.q.w), known(sized, d->size.x), known(sized, d->size.y), known(sized, d->size.z),
                        known(colored, (double)d->color[0]), known(colored, (double)d->color[1]), known(colored, (double)d->color[2])};
    if (d->detector > 0) brio_store_put(store, table, row, (int)(sizeof row / sizeof *row));
  }
}
