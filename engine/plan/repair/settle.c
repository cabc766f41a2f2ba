/* What was pushed farther than it had to be comes back: all changes are drawn to a share of them, and what
** collides then is pushed out once more, which needs less; as long as that makes the change smaller. */
#include <math.h>
#include <string.h>

#include "plan/repair/repair_internal.h"

static const double SHARE = 0.6;  /* of a change, that is kept in a try */
static const double WORTH = 0.98; /* of the change before: less is worth another try */
enum { TRIES = 3, ROUNDS = 8 };

/* Return point `i` as it was given. */
static const double *given(const brio_joint_repair *repair, int i) {
  return repair->before + (size_t)i * (size_t)repair->space.n;
}

/* Return how much was changed: the sum of squares, weighed as pushes are. */
static double change_of(const brio_joint_repair *repair) {
  double sum = 0;
  for (int i = 0; i < repair->count; i++)
    for (int k = 0; k < repair->space.n; k++) {
      double by = brio_repair_point(repair, i)[k] - given(repair, i)[k];
      sum += by * by / repair->ease[k];
    }
  return sum;
}

/* Draw all that was changed back. */
static void draw(brio_joint_repair *repair) {
  size_t n = (size_t)repair->space.n;
  for (int i = brio_repair_first(repair); i <= brio_repair_last(repair); i++) {
    double *x = brio_repair_point(repair, i);
    if (memcmp(x, given(repair, i), n * sizeof *x) == 0) continue;
    for (size_t k = 0; k < n; k++) x[k] = given(repair, i)[k] + SHARE * (x[k] - given(repair, i)[k]);
    /* A point that was beyond its limits does not go back there. */
    brio_repair_limit(repair, x);
    brio_repair_touch(repair, i);
  }
}

/* Draw back and push out; return whether all is clear, with less change than `before`. */
static bool try_once(brio_joint_repair *repair, double before) {
  draw(repair);
  int left = brio_repair_check(repair);
  for (int round = 0; left && round < ROUNDS; round++) {
    brio_repair_push_out(repair);
    left = brio_repair_check(repair);
  }
  return !left && change_of(repair) < before;
}

/* Make the path what it was before a try. */
static void restore(brio_joint_repair *repair) {
  size_t n = (size_t)repair->space.n;
  for (int i = brio_repair_first(repair); i <= brio_repair_last(repair); i++) {
    const double *kept = repair->spare + (size_t)i * n;
    if (memcmp(brio_repair_point(repair, i), kept, n * sizeof *kept) == 0) continue;
    memcpy(brio_repair_point(repair, i), kept, n * sizeof *kept);
    brio_repair_touch(repair, i);
  }
  brio_repair_check(repair);
}

void brio_repair_settle(brio_joint_repair *repair) {
  size_t bytes = (size_t)repair->count * (size_t)repair->space.n * sizeof *repair->spare;
  for (int k = 0; k < TRIES; k++) {
    double before = change_of(repair);
    memcpy(repair->spare, repair->points, bytes);
    if (!try_once(repair, before)) {
      restore(repair);
      return;
    }
    if (change_of(repair) > WORTH * before) return;
  }
}
