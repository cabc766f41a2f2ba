/* The method of swarms: at each point that collides particles look for a configuration near it that does not;
** what stays bad is filled in by a spline, and a Gaussian filters what was changed. */
#include <math.h>
#include <string.h>

#include "plan/joints/repair/repair_internal.h"
#include "plan/timing/spline.h"

/* Inertia, and the pulls to a particle's own best place and the swarm's: Clerc and Kennedy 2002. */
static const double INERTIA = 0.7298, PULL = 1.49618;
static const double COLLISION = 10000; /* cost of a depth of 1 m */

/* A particle: rows of n numbers, and a fitness. */
typedef struct particle {
  double *at, *velocity, *best, *fitness;
} particle;

static particle particle_of(const brio_joint_repair *repair, int i) {
  size_t n = (size_t)repair->space.n;
  double *p = repair->particles + (size_t)i * (3 * n + 1);
  return (particle){p, p + n, p + 2 * n, p + 3 * n};
}

/* Return the fitness of a particle at point `x`: less is better. */
static double fitness_of(brio_joint_repair *repair, const double *at, const double *x) {
  double sum = 0;
  for (int k = 0; k < repair->space.n; k++) sum += (at[k] - x[k]) * (at[k] - x[k]);
  return COLLISION * brio_repair_depth(repair, at) + sqrt(sum);
}

/* Place the particles around `x`: the first one on it. */
static void scatter(brio_joint_repair *repair, const double *x) {
  for (int i = 0; i < repair->settings.particles; i++) {
    particle p = particle_of(repair, i);
    for (int k = 0; k < repair->space.n; k++) {
      double off = i ? repair->settings.radius * brio_random_normal(&repair->random) : 0;
      p.at[k] = p.best[k] = x[k] + off;
      p.velocity[k] = 0;
    }
    brio_repair_limit(repair, p.at);
    *p.fitness = INFINITY;
  }
}

/* Move a particle between its own best place and the swarm's. */
static void fly(brio_joint_repair *repair, particle p, const double *best) {
  double own = PULL * brio_random_uniform(&repair->random, 0, 1);
  double all = PULL * brio_random_uniform(&repair->random, 0, 1);
  for (int k = 0; k < repair->space.n; k++) {
    p.velocity[k] = INERTIA * p.velocity[k] + own * (p.best[k] - p.at[k]) + all * (best[k] - p.at[k]);
    p.at[k] += p.velocity[k];
  }
  brio_repair_limit(repair, p.at);
}

/* Write the best place that a swarm finds for `x`, which may be it; return whether that is far enough from
** everything. */
static bool swarm_point(brio_joint_repair *repair, const double *x, double *best) {
  size_t bytes = (size_t)repair->space.n * sizeof *best;
  double least = INFINITY;
  memcpy(best, x, bytes);
  scatter(repair, x);
  for (int round = 0; round < repair->settings.iterations && least >= repair->settings.threshold; round++)
    for (int i = 0; i < repair->settings.particles; i++) {
      particle p = particle_of(repair, i);
      double fitness = fitness_of(repair, p.at, x);
      if (fitness < *p.fitness) *p.fitness = fitness, memcpy(p.best, p.at, bytes);
      if (fitness < least) least = fitness, memcpy(best, p.at, bytes);
      fly(repair, p, best);
    }
  return brio_repair_depth(repair, best) == 0;
}

/* Fill in the points that are marked bad by a cubic spline through the others. */
static void fill_in(brio_joint_repair *repair) {
  int n = repair->space.n, kept = 0;
  brio_arena arena;
  brio_spline spline;
  brio_arena_start(&arena, 1 << 16);
  double *at = BRIO_TAKE(&arena, double, repair->count);
  if (at && brio_spline_start(&spline, &arena, n, repair->count, NULL, NULL)) {
    for (int i = 0; i < repair->count; i++) {
      if (repair->bad[i]) continue;
      double *place = repair->spare + (size_t)kept * (size_t)n;
      memcpy(place, brio_repair_point(repair, i), (size_t)n * sizeof *place);
      at[kept++] = i;
    }
    if (brio_spline_fit(&spline, repair->spare, at, kept, BRIO_SPLINE_NATURAL, NULL))
      for (int i = 0, piece = 0; i < repair->count; i++) {
        if (!repair->bad[i]) continue;
        while (piece + 2 < kept && at[piece + 1] < i) piece++;
        brio_spline_piece(&spline, piece, i, brio_repair_point(repair, i), NULL, NULL);
        brio_repair_limit(repair, brio_repair_point(repair, i));
      }
  }
  brio_arena_end(&arena);
}

/* Write the mean of the points around `i`, weighed by a Gaussian; beyond the ends the path goes on as its
** point reflection, which keeps them. */
static void filter_point(const brio_joint_repair *repair, int i, double *out) {
  int n = repair->space.n, last = repair->count - 1, reach = (int)ceil(3 * repair->settings.spread);
  double weights = 0;
  memset(out, 0, (size_t)n * sizeof *out);
  for (int d = -reach; d <= reach; d++) {
    double far = d / repair->settings.spread, weight = exp(-0.5 * far * far);
    int k = i + d, end = k < 0 ? 0 : last, mirror = 2 * end - k;
    bool beyond = k < 0 || k > last;
    /* A path that is shorter than the filter ends at its other end. */
    mirror = mirror < 0 ? 0 : mirror > last ? last : mirror;
    for (int j = 0; j < n; j++)
      out[j] +=
          weight * (beyond ? 2 * brio_repair_point(repair, end)[j] - brio_repair_point(repair, mirror)[j]
                           : brio_repair_point(repair, k)[j]);
    weights += weight;
  }
  for (int j = 0; j < n; j++) out[j] /= weights;
}

/* Whether a point within `reach` of `i` was changed. */
static bool stale_near(const brio_joint_repair *repair, int i, int reach) {
  int to = i + reach < repair->count - 1 ? i + reach : repair->count - 1;
  for (int k = i > reach ? i - reach : 0; k <= to; k++)
    if (repair->stale[k]) return true;
  return false;
}

/* Filter the points within the filter's reach of those that were changed; in the first round all. */
static void filter(brio_joint_repair *repair) {
  size_t n = (size_t)repair->space.n;
  int reach = (int)ceil(3 * repair->settings.spread);
  memcpy(repair->spare, repair->points, (size_t)repair->count * n * sizeof *repair->spare);
  for (int i = 1; i < repair->count - 1; i++)
    if (repair->report.rounds == 0 || stale_near(repair, i, reach))
      filter_point(repair, i, repair->spare + (size_t)i * n);
  /* All at once, as each reads the others. */
  for (int i = 1; i < repair->count - 1; i++) {
    double *x = brio_repair_point(repair, i), *y = repair->spare + (size_t)i * n;
    if (memcmp(x, y, n * sizeof *x) == 0) continue;
    memcpy(x, y, n * sizeof *x);
    brio_repair_touch(repair, i);
  }
}

/* O(points that collide x particles x iterations), each the distances of a configuration. */
void brio_repair_swarm(brio_joint_repair *repair) {
  double best[BRIO_JOINTS_PLANNED];
  for (int i = brio_repair_first(repair); i <= brio_repair_last(repair); i++) {
    if (!repair->bad[i]) continue;
    double *x = brio_repair_point(repair, i);
    repair->bad[i] = !swarm_point(repair, x, best);
    repair->report.removed += repair->bad[i];
    if (!repair->bad[i]) memcpy(x, best, (size_t)repair->space.n * sizeof *x);
    brio_repair_touch(repair, i);
  }
  fill_in(repair);
  filter(repair);
}
