/* Reads the reference distances of shared data: a plain scan for keys, enough for the
** one file.  Shapes, poses and answers of other libraries. */
#ifndef BRIO_TESTS_GEOMETRY_TRUTH_H
#define BRIO_TESTS_GEOMETRY_TRUTH_H

#include "base/text.h"
#include "geometry/distance.h"
#include "tests/check.h"

enum { TRUTH_HULLS = 16, TRUTH_CORNERS = 256, TRUTH_PAIRS = 4096 };

typedef struct truth_pair {
  brio_shape a, b;
  brio_transform pose_a, pose_b;
  double distance, gap;
  double sampled; /* inside: least support sum over sampled directions, an upper bound of the depth, m */
} truth_pair;

typedef struct truth {
  brio_vec3 corner[TRUTH_HULLS][TRUTH_CORNERS];
  int ncorner[TRUTH_HULLS], nhull, npair;
  truth_pair pair[TRUTH_PAIRS];
} truth;

/* Read up to `most` numbers of the list after `key`, brackets ignored, up to `close`. */
static inline int truth_numbers(const char *from, const char *key, const char *close, double *out,
                                int most) {
  const char *at = strstr(from, key);
  if (!at) return 0;
  at += strlen(key);
  const char *end = strstr(at, close);
  int n = 0;
  while (at < end && n < most) {
    char *next;
    out[n] = strtod(at, &next);
    if (next == at) at++;
    else n++, at = next;
  }
  return n;
}

/* Read one shape of the pair whose text starts at `from`. */
static inline brio_shape truth_shape(const truth *t, const char *from, const char *kind_key,
                                     const char *size_key) {
  static const struct { const char *name; brio_shape_kind kind; } kinds[] = {
      {"sphere", BRIO_SHAPE_SPHERE}, {"capsule", BRIO_SHAPE_CAPSULE}, {"box", BRIO_SHAPE_BOX},
      {"cylinder", BRIO_SHAPE_CYLINDER}, {"convex", BRIO_SHAPE_HULL}};
  const char *name = strstr(from, kind_key) + strlen(kind_key);
  double v[3] = {0, 0, 0};
  int n = truth_numbers(from, size_key, "]", v, 3);
  brio_shape shape = {.size = {v[0], n == 3 ? v[1] : 0, n == 3 ? v[2] : v[1]}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(name, kinds[i].name, strlen(kinds[i].name)) == 0) shape.kind = kinds[i].kind;
  if (shape.kind == BRIO_SHAPE_HULL) {
    shape.points = t->corner[(int)v[0]];
    shape.npoint = t->ncorner[(int)v[0]];
    shape.size = (brio_vec3){0, 0, 0};
  }
  return shape;
}

/* Read one pose of the pair: x, y, z and quaternion. */
static inline brio_transform truth_pose(const char *from, const char *key) {
  double v[7] = {0};
  truth_numbers(from, key, "]", v, 7);
  brio_quat turn = brio_quat_unit((brio_quat){v[3], v[4], v[5], v[6]});
  return brio_transform_of((brio_pose){{v[0], v[1], v[2]}, turn});
}

/* Read the file; NULL when this machine has none.  The caller frees. */
static inline truth *truth_read(void) {
  const char *shared = check_shared();
  char path[512];
  brio_text text = {0};
  snprintf(path, sizeof path, "%s/data/truth/distance_primitives.json", shared ? shared : "");
  if (!shared || !brio_text_read_file(&text, path, 1 << 24, NULL)) return NULL;
  truth *t = calloc(1, sizeof *t);
  const char *pairs = strstr(text.bytes, "\"pairs\": [");
  for (const char *at = text.bytes; t && (at = strstr(at, "{\"vertices\"")) && at < pairs; at++) {
    int n = truth_numbers(at, "\"vertices\": ", "]]", &t->corner[t->nhull][0].x, 3 * TRUTH_CORNERS);
    t->ncorner[t->nhull++] = n / 3;
  }
  for (const char *from = pairs; t && from && (from = strchr(from + 1, '{')) && t->npair < TRUTH_PAIRS;) {
    char at[4096]; /* one pair's text */
    const char *next = strstr(from, "{\"a\": ");
    if (!next) break;
    from = next;
    snprintf(at, sizeof at, "%.*s", (int)strcspn(from + 1, "}") + 1, from);
    truth_pair *p = &t->pair[t->npair++];
    p->a = truth_shape(t, at, "\"a\": \"", "\"sa\": [");
    p->b = truth_shape(t, at, "\"b\": \"", "\"sb\": [");
    p->pose_a = truth_pose(at, "\"xa\": [");
    p->pose_b = truth_pose(at, "\"xb\": [");
    truth_numbers(at, "\"d\": ", ",", &p->distance, 1);
    truth_numbers(at, "\"gap\": ", ",", &p->gap, 1);
    const char *bound = strstr(at, "\"depth_upper_bound_sampled\": ");
    p->sampled = bound ? strtod(strchr(bound, ':') + 1, NULL) : INFINITY;
  }
  brio_text_end(&text);
  return t;
}

#endif
