/* Regions: draws. */
#include "plan/joints/keep/region.h"

#include "plan/joints/checker_internal.h"

bool brio_joint_region_start(brio_joint_region *region, brio_joint_checker *checker,
                             const brio_joint_keep *list, int count, uint64_t seed, brio_error *err) {
  *region = (brio_joint_region){.checker = checker, .random = brio_random_stream(seed, "joint region")};
  brio_arena_start(&region->arena, 1 << 10);
  if (count < 1) return brio_fail(err, BRIO_MISUSE, "a region needs bounds of a frame");
  if (!brio_keeps_add(&region->keeps, &region->arena, &checker->frames, checker->robot, list, count, err))
    return brio_fail_in(err, "a region");
  /* What is always kept is so there, too. */
  for (int i = 0; i < checker->keeps.count && region->keeps.count < BRIO_KEPT; i++)
    region->keeps.list[region->keeps.count++] = checker->keeps.list[i];
  return true;
}

void brio_joint_region_end(brio_joint_region *region) {
  brio_arena_end(&region->arena);
}

bool brio_joint_region_draw(brio_joint_region *region, double *x) {
  const brio_joint_checker *checker = region->checker;
  region->draws++;
  /* Anywhere within the limits; circular ones within half a turn of 0. */
  for (int i = 0; i < checker->nx; i++) {
    const brio_variable *variable = &checker->robot->variables[checker->variables[i]];
    x[i] = brio_random_uniform(&region->random, variable->circular ? -BRIO_PI : variable->lower,
                               variable->circular ? BRIO_PI : variable->upper);
  }
  if (!brio_joint_checker_project_on(region->checker, &region->keeps, x)) {
    region->missed++;
    return false;
  }
  bool clear = brio_joint_checker_clear(region->checker, x);
  region->blocked += !clear;
  return clear;
}
