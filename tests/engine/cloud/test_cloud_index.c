/* The index of a point cloud compared with a test of every point: exactly the same counts, colors and lists.
**
** Clouds are random: surfaces as a camera sees them, organized with holes or not, shuffled, with outliers,
** points at odd values, few points, all the same point.  So are solids: all kinds, from less than a point to
** the whole cloud, and surfaces that go exactly through points.  brio_cloud_inside is the reference; it is
** itself compared with distances by another formula. */
#include "base/random.h"
#include "cloud/index/index.h"
#include "tests/allocations.h"
#include "tests/check.h"

static double uniform(brio_random *r, double low, double high) { return brio_random_uniform(r, low, high); }

/* A wavy floor and a ball above it, seen by a camera, in a cloud of width x height. */
static brio_cloud *make_cloud(brio_random *r, int width, int height, int parts) {
  brio_cloud *c = brio_cloud_new(NULL);
  brio_cloud_resize(c, width, height, parts, NULL);
  for (int i = 0; i < c->count; i++) {
    int row = i / width;
    double u = (i % width + 0.5) / width - 0.5, v = (double)row / height - 0.5;
    if (height == 1) u = uniform(r, -0.5, 0.5), v = uniform(r, -0.5, 0.5);
    double depth = 2 + 0.5 * sin(7 * u) + (u * u + v * v < 0.02 ? -0.4 : 0) + uniform(r, -0.002, 0.002);
    c->points[i][0] = (float)depth;
    c->points[i][1] = (float)(-u * depth);
    c->points[i][2] = (float)(-v * depth);
    if (brio_random_below(r, 9) == 0) c->points[i][brio_random_below(r, 3)] = NAN;
    for (int k = 0; k < 3 && c->colors; k++) c->colors[i][k] = (uint8_t)brio_random_below(r, 256);
  }
  return c;
}

/* Points that are NaN or far away, and many at the same position. */
static void spoil(brio_random *r, brio_cloud *c) {
  static const float odd[] = {NAN,   INFINITY,  -INFINITY, 1e30f, -1e30f, 1e5f,
                              99999, 1.0001e5f, 0,         -0.0f, 1e-40f, 3e38f};
  for (int i = 0; i < c->count; i++) {
    if (brio_random_below(r, 20) == 0) c->points[i][brio_random_below(r, 3)] = odd[brio_random_below(r, 12)];
    if (brio_random_below(r, 20) == 0) memcpy(c->points[i], c->points[0], sizeof *c->points);
  }
}

static brio_cloud_solid draw_solid(brio_random *r, const brio_cloud *c) {
  static const brio_shape_kind kinds[] = {BRIO_SHAPE_SPHERE, BRIO_SHAPE_CAPSULE, BRIO_SHAPE_BOX,
                                          BRIO_SHAPE_CYLINDER, BRIO_SHAPE_HALF_SPACE};
  double size = pow(10, uniform(r, -3, 1));
  brio_cloud_solid s = {.shape = {.kind = kinds[brio_random_below(r, 5)]}, .pose = BRIO_POSE_IDENTITY};
  s.shape.size = (brio_vec3){size * uniform(r, 0.2, 1), size * uniform(r, 0.2, 1), size * uniform(r, 0, 2)};
  int at = c->count ? (int)brio_random_below(r, (uint64_t)c->count) : 0;
  if (c->count && isfinite(c->points[at][0] + c->points[at][1] + c->points[at][2]))
    s.pose.p = brio_cloud_point(c, at);
  if (fabs(s.pose.p.x) + fabs(s.pose.p.y) + fabs(s.pose.p.z) > 1e8) s.pose.p = (brio_vec3){0, 0, 0};
  uint64_t how = brio_random_below(r, 4);
  if (how > 0)
    s.pose.p = brio_vec3_add_scaled(s.pose.p, how == 1 ? size : 0.01,
                                    (brio_vec3){uniform(r, -1, 1), uniform(r, -1, 1), uniform(r, -1, 1)});
  if (how > 1)
    s.pose.q = brio_quat_unit(
        (brio_quat){uniform(r, -1, 1), uniform(r, -1, 1), uniform(r, -1, 1), uniform(r, -1, 1)});
  if (how == 0) s.shape.size = (brio_vec3){0.5, 0.25, 0.125}; /* surfaces on round numbers */
  return s;
}

/* Ask every point. */
static int ask_all(const brio_cloud *c, const brio_cloud_solid *solids, int n, bool *in, uint64_t color[3]) {
  int count = 0;
  color[0] = color[1] = color[2] = 0;
  for (int i = 0; i < c->count; i++) {
    const float *p = c->points[i];
    in[i] = false;
    bool far = fabsf(p[0]) > BRIO_CLOUD_FARTHEST || fabsf(p[1]) > BRIO_CLOUD_FARTHEST ||
               fabsf(p[2]) > BRIO_CLOUD_FARTHEST;
    for (int k = 0; k < n && !far; k++) in[i] = in[i] || brio_cloud_inside(&solids[k], p);
    count += in[i];
    for (int k = 0; k < 3 && in[i] && c->colors; k++) color[k] += c->colors[i][k];
  }
  return count;
}

static void compare(brio_random *r, const brio_cloud *c, brio_cloud_index *index, int rounds,
                    const char *name) {
  bool *in = calloc((size_t)c->count + 1, sizeof *in);
  int *places = calloc((size_t)c->count + 1, sizeof *places);
  brio_error err = {0};
  CHECK(brio_cloud_index_build(index, c, &err), "%s", err.message);
  for (int round = 0; round < rounds; round++) {
    brio_cloud_solid solids[4] = {0};
    brio_cloud_tally tally;
    uint64_t color[3] = {0, 0, 0};
    int n = 1 + (int)brio_random_below(r, 4) * (round % 3 == 0);
    for (int k = 0; k < n; k++) solids[k] = draw_solid(r, c);
    int expected = ask_all(c, solids, n, in, color);
    CHECK(brio_cloud_count(index, solids, n, &tally, &err), "%s", err.message);
    CHECK(tally.count == expected, "%s, round %d, kind %d of %d: %d points, %d expected", name, round,
          solids[0].shape.kind, n, tally.count, expected);
    for (int k = 0; k < 3; k++) {
      double mean = c->colors && expected ? (double)color[k] / (255.0 * expected) : NAN;
      CHECK(memcmp(&tally.color[k], &mean, sizeof mean) == 0 || (isnan(mean) && isnan(tally.color[k])),
            "%s: color %g, %g expected", name, tally.color[k], mean);
    }
    int listed = brio_cloud_list(index, solids, n, places, c->count, &err);
    CHECK(listed == expected, "%s: %d listed, %d expected", name, listed, expected);
    for (int i = 0; i < listed; i++) {
      CHECK(in[places[i]], "%s: place %d does not belong", name, places[i]);
      in[places[i]] = false; /* and none twice */
    }
  }
  free(in);
  free(places);
}

static void counts_like_brute_force(void) {
  static const struct { const char *name; int width, height, parts;
  } rows[] = {{"organized", 97, 61, BRIO_CLOUD_COLORS},
              {"picture of tiles", 64, 64, 0},
              {"a strip", 500, 3, BRIO_CLOUD_COLORS},
              {"a ladder", 2, 500, 0},
              {"not organized", 4000, 1, BRIO_CLOUD_COLORS},
              {"few", 3, 1, BRIO_CLOUD_COLORS},
              {"one", 1, 1, 0},
              {"a leaf", 64, 1, BRIO_CLOUD_COLORS},
              {"a leaf and one", 65, 1, 0},
              {"none", 0, 1, 0}};
  int rounds = (int)(12 * check_scale());
  /* one for all: its old content does not matter */
  brio_cloud_index *index = brio_cloud_index_new(NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int spoiled = 0; spoiled < 2; spoiled++) {
      brio_random r = brio_random_stream(1 + (uint64_t)spoiled, rows[i].name);
      brio_cloud *c = make_cloud(&r, rows[i].width, rows[i].height, rows[i].parts);
      if (spoiled) spoil(&r, c);
      compare(&r, c, index, rounds, rows[i].name);
      brio_cloud_free(c);
    }
  brio_cloud_index_free(index);
}

static void counts_odd_clouds(void) {
  brio_random r = brio_random_stream(3, "odd");
  brio_cloud_index *index = brio_cloud_index_new(NULL);
  brio_cloud *c = brio_cloud_new(NULL);
  for (int how = 0; how < 5; how++) {
    brio_cloud_resize(c, how % 2 ? 40 : 1600, how % 2 ? 40 : 1, BRIO_CLOUD_COLORS, NULL);
    for (int i = 0; i < c->count; i++)
      for (int k = 0; k < 3; k++) {
        double same = 1.5, line = k == 0 ? i * 0.01 : 2, apart = uniform(&r, -1e5, 1e5);
        c->points[i][k] = (float)(how < 2 ? same : how == 2 ? line : how == 3 ? apart : (double)NAN);
        c->colors[i][k] = 255;
      }
    compare(&r, c, index, 20, "odd");
  }
  brio_cloud_free(c);
  brio_cloud_index_free(index);
}

/* The distance of a point in the solid's frame, by the usual formulas (below 0 inside). */
static double distance_of(const brio_shape *s, brio_vec3 q) {
  double h = s->size.z / 2, side = hypot(q.x, q.y) - s->size.x, end = fabs(q.z) - h;
  double b[3] = {fabs(q.x) - s->size.x / 2, fabs(q.y) - s->size.y / 2, end};
  if (s->kind == BRIO_SHAPE_SPHERE) return brio_vec3_norm(q) - s->size.x;
  if (s->kind == BRIO_SHAPE_CAPSULE) return hypot(hypot(q.x, q.y), fmax(end, 0)) - s->size.x;
  if (s->kind == BRIO_SHAPE_CYLINDER) return fmax(side, end);
  if (s->kind == BRIO_SHAPE_BOX) return fmax(fmax(b[0], b[1]), b[2]);
  return q.z;
}

static void knows_solids(void) {
  brio_random r = brio_random_stream(4, "solids");
  brio_cloud *c = make_cloud(&r, 500, 1, 0);
  for (int round = 0; round < 200; round++) {
    brio_cloud_solid s = draw_solid(&r, c);
    for (int i = 0; i < c->count; i++) {
      brio_vec3 q = brio_pose_point(brio_pose_inverse(s.pose), brio_cloud_point(c, i));
      double distance = distance_of(&s.shape, q);
      if (fabs(distance) < 1e-9 || !brio_cloud_has(c, i)) continue;
      CHECK(brio_cloud_inside(&s, c->points[i]) == (distance < 0), "kind %d, distance %g", s.shape.kind,
            distance);
    }
  }
  brio_cloud_free(c);
}

static void keeps_its_memory(void) {
  brio_random r = brio_random_stream(5, "memory");
  brio_error err;
  for (int organized = 0; organized < 2; organized++) {
    brio_cloud *a = make_cloud(&r, organized ? 160 : 19200, organized ? 120 : 1, BRIO_CLOUD_COLORS),
               *b = make_cloud(&r, a->width, a->height, BRIO_CLOUD_COLORS);
    brio_cloud_index *index = brio_cloud_index_new(NULL);
    brio_cloud_solid solid = draw_solid(&r, a);
    brio_cloud_tally tally;
    brio_cloud_index_build(index, a, &err);
    int growths = brio_cloud_index_growths(index);
    size_t before = allocations;
    for (int frame = 0; frame < 5; frame++) {
      CHECK(brio_cloud_index_build(index, frame % 2 ? a : b, &err), "frame %d", frame);
      brio_cloud_count(index, &solid, 1, &tally, &err);
    }
    CHECK(growths > 0 && brio_cloud_index_growths(index) == growths, "it grew %d times",
          brio_cloud_index_growths(index) - growths);
    /* none are counted under sanitizers */
    CHECK(allocations == before, "%zu allocations in later frames", allocations - before);
    brio_cloud_index_free(index);
    brio_cloud_free(a);
    brio_cloud_free(b);
  }
}

static void refuses_bad_solids(void) {
  static const struct { brio_cloud_solid solid; const char *piece; } rows[] = {
      {{{.kind = BRIO_SHAPE_HULL}, BRIO_POSE_IDENTITY}, "not in a hull"},
      {{{.kind = BRIO_SHAPE_SPHERE, .size = {-1, 0, 0}}, BRIO_POSE_IDENTITY}, "sizes of 0 to"},
      {{{.kind = BRIO_SHAPE_BOX, .size = {1, NAN, 1}}, BRIO_POSE_IDENTITY}, "sizes of 0 to"},
      {{{.kind = BRIO_SHAPE_CYLINDER, .size = {1, 0, 1e10}}, BRIO_POSE_IDENTITY}, "sizes of 0 to"},
      {{{.kind = BRIO_SHAPE_SPHERE, .size = {1, 0, 0}}, {{INFINITY, 0, 0}, {0, 0, 0, 1}}}, "a finite pose"},
      {{{.kind = BRIO_SHAPE_HALF_SPACE}, {{0, 0, 0}, {0, 0, 0, NAN}}}, "a finite pose"}};
  brio_cloud_index *index = brio_cloud_index_new(NULL);
  brio_cloud_tally tally;
  brio_cloud_solid many[BRIO_CLOUD_SOLIDS + 1] = {0};
  brio_error err = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK(!brio_cloud_count(index, &rows[i].solid, 1, &tally, &err), "row %zu", i);
    CHECK_HAS(err.message, rows[i].piece);
  }
  CHECK(!brio_cloud_count(index, many, BRIO_CLOUD_SOLIDS + 1, &tally, &err), "too many");
  CHECK(brio_cloud_list(index, many, 0, NULL, 0, &err) == -1, "none");
  many[0].shape.kind = BRIO_SHAPE_HALF_SPACE;
  CHECK(brio_cloud_count(index, many, 1, &tally, &err) && tally.count == 0,
        "nothing is in an index of nothing");
  brio_cloud_index_free(index);
}

CHECK_SUITE(CHECK_TEST(counts_like_brute_force), CHECK_TEST(counts_odd_clouds), CHECK_TEST(knows_solids),
            CHECK_TEST(keeps_its_memory), CHECK_TEST(refuses_bad_solids))
