/* Voxels: one point for all points in a cube of a grid.
**
** One pass with a hash table (open addressing, linear probing) from cubes to their sums, which are
** numbered in the order of their first points, so that the result depends on the cloud alone. The label is
** the candidate of Boyer and Moore's vote ("MJRTY: a fast majority vote algorithm", 1981). O(points) on
** average. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "cloud/cloud.h"

/* The sums of one cube. */
typedef struct voxel {
  int32_t cell[3];
  int count, votes;
  uint32_t label, color[3];
  double sum[3]; /* m */
} voxel;

/* The cubes and the table that finds them. */
typedef struct voxels {
  voxel *list;
  int *table; /* the number of the voxel plus one; 0: none */
  uint32_t mask;
  int count;
} voxels;

/* Mix the three numbers of a cube into 32 bits, so that neighboring cubes have unrelated slots. */
static uint32_t hash_of(const int32_t cell[3]) {
  uint64_t h = (uint64_t)(uint32_t)cell[0] * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 29) ^ (uint32_t)cell[1]) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 32) ^ (uint32_t)cell[2]) * 0x94d049bb133111ebu;
  return (uint32_t)(h >> 32);
}

/* Return the voxel of a cube, added if it is new. The table always has free slots, so the search ends. O(1)
** on average */
static voxel *find(voxels *v, const int32_t cell[3]) {
  uint32_t at = hash_of(cell) & v->mask;
  assert((v->mask & (v->mask + 1)) == 0 && (uint32_t)v->count <= v->mask);
  for (; v->table[at]; at = (at + 1) & v->mask) {
    voxel *found = &v->list[v->table[at] - 1];
    if (found->cell[0] == cell[0] && found->cell[1] == cell[1] && found->cell[2] == cell[2]) return found;
  }
  voxel *made = &v->list[v->count++];
  *made = (voxel){.cell = {cell[0], cell[1], cell[2]}};
  /* Numbers in the table are one higher, as 0 means free. */
  v->table[at] = v->count;
  return made;
}

/* Add point `i` to the sums of its voxel. O(1) */
static void add_point(voxel *to, const brio_cloud *from, int i) {
  to->count++;
  for (int k = 0; k < 3; k++) {
    to->sum[k] += from->points[i][k];
    if (from->colors) to->color[k] += from->colors[i][k];
  }
  if (!from->labels) return;
  /* Without a lead of any label, the present one becomes the candidate. */
  if (to->votes == 0) to->label = from->labels[i];
  to->votes += from->labels[i] == to->label ? 1 : -1;
}

/* Whether index i holds a point, also in a cloud that was not judged. */
static bool holds(const brio_cloud *cloud, int i) {
  const float *p = cloud->points[i], most = BRIO_CLOUD_FARTHEST;
  return fabsf(p[0]) <= most && fabsf(p[1]) <= most && fabsf(p[2]) <= most;
}

/* Add each point to its voxel. O(points) on average */
static void sort_in(voxels *v, const brio_cloud *from, double size) {
  for (int i = 0; i < from->count; i++) {
    if (!holds(from, i)) continue;
    int32_t cell[3];
    /* Fits: coordinates are up to BRIO_CLOUD_FARTHEST, sizes at least 1e-4 m. */
    for (int k = 0; k < 3; k++) cell[k] = (int32_t)floor(from->points[i][k] / size);
    add_point(find(v, cell), from, i);
  }
}

/* Write the mean point and the mean color of each voxel, and its label. Errors: no_memory. */
static bool write_out(brio_cloud *to, const voxels *v, const brio_cloud *from, brio_error *err) {
  int parts = (from->colors ? BRIO_CLOUD_COLORS : 0) | (from->labels ? BRIO_CLOUD_LABELS : 0);
  if (!brio_cloud_resize(to, v->count, 1, parts, err)) return false;
  brio_cloud_facts(to, from);
  for (int i = 0; i < v->count; i++) {
    const voxel *from_voxel = &v->list[i];
    for (int k = 0; k < 3; k++) {
      to->points[i][k] = (float)(from_voxel->sum[k] / from_voxel->count);
      /* Half the count rounds to the nearest color. */
      if (to->colors)
        to->colors[i][k] = (uint8_t)((from_voxel->color[k] + from_voxel->count / 2) /
                                     (uint32_t)from_voxel->count);
    }
    if (to->labels) to->labels[i] = from_voxel->label;
  }
  return true;
}

bool brio_cloud_voxels(brio_cloud *to, const brio_cloud *from, double size, brio_error *err) {
  if (!(size >= 1e-4 && size <= 1e6))
    return brio_fail(err, BRIO_MISUSE, "voxels of %g m: 0.0001 m to 1e6 m were expected", size);
  /* Twice as many slots as points keep searches short. */
  size_t room = 16;
  int count = 0;
  for (int i = 0; i < from->count; i++) count += holds(from, i);
  /* A power of two, so that a mask replaces the remainder. */
  while (room < 2 * (size_t)count) room *= 2;
  voxels v = {.list = malloc(((size_t)count + 1) * sizeof *v.list), .table = calloc(room, sizeof *v.table),
              .mask = (uint32_t)(room - 1)};
  bool good = v.list && v.table;
  if (good) sort_in(&v, from, size);
  good = good ? write_out(to, &v, from, err)
              : brio_fail(err, BRIO_NO_MEMORY, "no memory for voxels of %d points", count);
  free(v.list);
  free(v.table);
  return good;
}
