/* Operations on point clouds, point by point: memory, filtering, transforms, cropping and voxels, the last
** compared with sums made cube by cube. */
#include "base/random.h"
#include "cloud/cloud.h"
#include "tests/check.h"

static brio_cloud *drawn(int count, int parts) {
  brio_random r = brio_random_stream(1, "cloud");
  brio_cloud *c = brio_cloud_new(NULL);
  brio_cloud_resize(c, count, 1, parts, NULL);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) c->points[i][k] = (float)brio_random_uniform(&r, -1, 1);
    for (int k = 0; k < 3 && c->colors; k++) c->colors[i][k] = (uint8_t)brio_random_below(&r, 256);
    if (c->labels) c->labels[i] = (uint32_t)brio_random_below(&r, 3);
    if (i % 10 == 3) c->points[i][i % 3] = NAN;
  }
  brio_cloud_judge(c);
  return c;
}

static void keeps_memory(void) {
  brio_cloud *c = brio_cloud_new(NULL);
  brio_error err;
  CHECK(brio_cloud_resize(c, 100, 5, BRIO_CLOUD_COLORS, &err), "%s", err.message);
  float (*points)[3] = c->points;
  CHECK(brio_cloud_resize(c, 20, 1, 0, &err) && c->points == points && !c->colors,
        "a smaller one has the same memory");
  CHECK(brio_cloud_resize(c, 500, 1, 0, &err) && c->points == points, "and one as large");
  CHECK(isnan(c->time) && c->frame[0] == 0 && c->missing == 0, "as new");
  CHECK(!brio_cloud_resize(c, -1, 1, 0, &err) && err.code == BRIO_MISUSE && c->count == 0, "below 0");
  CHECK(!brio_cloud_resize(c, 5000, 5000, 0, &err) && err.code == BRIO_LIMIT, "too many");
  brio_cloud_free(c);
  brio_cloud_free(NULL);
}

static void turns(void) {
  brio_cloud *c = drawn(50, 0), *d = brio_cloud_new(NULL);
  brio_pose pose = {{1, 2, 3}, brio_quat_unit((brio_quat){0.1, -0.2, 0.3, 0.9})};
  brio_error err;
  CHECK(brio_cloud_copy(d, c, &err), "%s", err.message);
  brio_cloud_transform(d, pose);
  for (int i = 0; i < 50; i++) {
    brio_vec3 p = brio_pose_point(pose, brio_cloud_point(c, i)), q = brio_cloud_point(d, i);
    CHECK(brio_cloud_has(d, i) == brio_cloud_has(c, i), "place %d", i);
    if (brio_cloud_has(c, i)) CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(p, q)), 0, 1e-6, "point %d", i);
  }
  CHECK(d->missing == 5 && d->viewpoint.p.z == 3, "%d missing", d->missing);
  brio_cloud_free(c);
  brio_cloud_free(d);
}

static void cuts(void) {
  brio_cloud *c = drawn(1000, BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS), *d = brio_cloud_new(NULL);
  brio_box box = {{-0.5, -1, 0}, {0.5, 1, 1}}, extent;
  brio_error err;
  int k = 0;
  CHECK(brio_cloud_crop(d, c, &box, &err), "%s", err.message);
  for (int i = 0; i < c->count; i++) {
    const float *p = c->points[i];
    if (!(fabsf(p[0]) <= 0.5f && p[2] >= 0)) continue;
    CHECK(k < d->count && memcmp(d->points[k], p, 12) == 0 && memcmp(d->colors[k], c->colors[i], 3) == 0 &&
          d->labels[k] == c->labels[i], "point %d", k);
    k++;
  }
  CHECK(k == d->count && k > 100, "%d of %d", k, d->count);
  CHECK(brio_cloud_extent(d, &extent) && extent.lower.z >= 0 && extent.upper.x <= 0.5, "extent");
  brio_cloud_resize(d, 0, 1, 0, NULL);
  CHECK(!brio_cloud_extent(d, &extent), "nothing has no extent");
  brio_cloud_free(c);
  brio_cloud_free(d);
}

static void thins(void) {
  brio_cloud *c = drawn(3000, BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS), *d = brio_cloud_new(NULL);
  brio_error err;
  CHECK(brio_cloud_voxels(d, c, 0.25, &err), "%s", err.message);
  CHECK(d->count > 500 && d->count <= 512, "%d of 8 x 8 x 8 cubes, of which chance leaves few empty",
        d->count);
  for (int v = 0; v < d->count; v += 7) {
    double sum[3] = {0}, color[3] = {0};
    int n = 0, votes[3] = {0};
    for (int i = 0; i < c->count; i++) {
      bool same = brio_cloud_has(c, i);
      for (int k = 0; k < 3; k++) same = same && floor(c->points[i][k] * 4) == floor(d->points[v][k] * 4);
      if (!same) continue;
      n++;
      votes[c->labels[i]]++;
      for (int k = 0; k < 3; k++) sum[k] += c->points[i][k], color[k] += c->colors[i][k];
    }
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(d->points[v][k], sum[k] / n, 1e-6, "voxel %d", v);
      CHECK_NEAR(d->colors[v][k], color[k] / n, 0.51, "voxel %d", v);
      CHECK(votes[k] <= n / 2 || d->labels[v] == (uint32_t)k, "voxel %d: more than half are %d", v, k);
    }
  }
  CHECK(!brio_cloud_voxels(d, c, 0, &err) && err.code == BRIO_MISUSE, "no size");
  CHECK(!brio_cloud_voxels(d, c, NAN, &err), "NAN");
  c->points[0][0] = 1e30f; /* not judged again */
  CHECK(brio_cloud_voxels(d, c, 1e-4, &err) && d->count <= 3000, "%d", d->count);
  brio_cloud_free(c);
  brio_cloud_free(d);
}

CHECK_SUITE(CHECK_TEST(keeps_memory), CHECK_TEST(turns), CHECK_TEST(cuts), CHECK_TEST(thins))
