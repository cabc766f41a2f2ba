/* Puts rows into a store whose disk is full, and says which put took longest:
**
**   build/bench/promises/promises_put FILE
**
** Files may grow to 250,000 bytes, which has room for the schema and not for all rows.  Prints "longest begin
** end", s, the last two of the monotonic clock, which begin when the store says that it loses rows. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "scripts/bench/bench.h"
#include "store/store.h"

enum { ROWS = 100000, FULL = 20000 /* that are put once the disk is full */, ROOM = 250000, RING = 1 << 18 };

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static brio_store *begin(const char *path) {
  static const char *const columns[] = {"robot", "seed"}, *const names[] = {"dof"}, *const units[] = {"rad"};
  brio_error err = {0};
  brio_value values[] = {brio_value_text("toy"), brio_value_integer(7)};
  brio_store *store = brio_store_open(path, &(brio_store_options){.ring_bytes = RING}, &err);
  if (!store || brio_store_begin(store, columns, values, 2, &err) <= 0 ||
      !brio_store_dofs(store, names, units, NULL, 1, &err))
    fail(path, err.message);
  return store;
}

/* Return how long one put took, ns. */
static int64_t put(brio_store *store, int64_t tick) {
  brio_value row[] = {brio_value_integer(tick),
                      brio_value_real((double)tick / 200),
                      brio_value_text("an event with a name that takes some room on the disk"),
                      brio_value_text("test"),
                      brio_value_null(),
                      brio_value_null(),
                      brio_value_integer(tick)};
  int64_t before = brio_clock_monotonic();
  brio_store_put(store, brio_store_table_find("events"), row, 7);
  return brio_clock_monotonic() - before;
}

int main(int count, char **words) {
  char why[300];
  if (count != 2) fail("promises_put", "a file, please");
  signal(SIGXFSZ, SIG_IGN);
  brio_store *store = begin(words[1]);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){ROOM, RLIM_INFINITY});
  int64_t longest = 0, since = 0;
  int full = 0;
  for (int64_t tick = 0; tick < ROWS && full < FULL; tick++) {
    int64_t took = put(store, tick);
    longest = full > 0 && took > longest ? took : longest;
    if (full == 0 && brio_store_lost(store, why, sizeof why) > 0) full = 1, since = brio_clock_monotonic();
    else if (full > 0) full++;
    if (tick % 8 == 0) usleep(1000); /* as ticks do */
  }
  if (full < FULL) fail("promises_put", "the disk was never full");
  double end = (double)brio_clock_monotonic() * 1e-9;
  printf("%.9f %.6f %.6f\n", (double)longest * 1e-9, (double)since * 1e-9, end);
  return 0;
}
