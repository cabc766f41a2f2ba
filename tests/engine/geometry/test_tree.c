/* A tree of boxes compared with a test of every box, while boxes are inserted and removed in any order, also
** in orders that make plain trees deep. */
#include "base/random.h"
#include "geometry/box_tree.h"
#include "geometry/distance.h"
#include "tests/check.h"

enum { MOST = 600 };

typedef struct forest {
  brio_box_tree tree;
  brio_box box[MOST];
  int leaf[MOST]; /* -1: not there */
  int count;
  brio_random stream;
} forest;

static brio_vec3 draw(brio_random *r, double size) {
  return (brio_vec3){brio_random_uniform(r, -size, size), brio_random_uniform(r, -size, size),
                     brio_random_uniform(r, -size, size)};
}

static brio_box random_box(brio_random *r) {
  brio_vec3 at = draw(r, 10), half = {brio_random_uniform(r, 0, 1), brio_random_uniform(r, 0, 1), 0};
  if (brio_random_below(r, 20) == 0) half = (brio_vec3){0, 0, 0};
  return (brio_box){brio_vec3_sub(at, half), brio_vec3_add(at, half)};
}

static void start(forest *f, const char *stream) {
  f->count = 0;
  f->stream = brio_random_stream(5, stream);
  CHECK(brio_box_tree_start(&f->tree, MOST), "memory");
  for (int i = 0; i < MOST; i++) f->leaf[i] = -1;
}

static void toggle(forest *f, int i, brio_box box) {
  if (f->leaf[i] >= 0) {
    brio_box_tree_remove(&f->tree, f->leaf[i]);
    f->leaf[i] = -1;
    f->count--;
  } else {
    f->box[i] = box;
    f->leaf[i] = brio_box_tree_add(&f->tree, &box, i);
    f->count++;
  }
}

static void check_height(const forest *f) {
  int height = f->tree.root < 0 ? 0 : f->tree.nodes[f->tree.root].height;
  CHECK(f->count < 2 || height <= 1.4405 * log2(f->count) + 1, "%d boxes, height %d", f->count, height);
}

static void check_found(const forest *f, const brio_box *box) {
  int out[MOST], seen[MOST] = {0}, expected = 0;
  int count = brio_box_tree_find(&f->tree, box, out);
  for (int k = 0; k < count; k++) seen[out[k]]++;
  for (int i = 0; i < MOST; i++) {
    bool meets = f->leaf[i] >= 0 && brio_box_meets(&f->box[i], box);
    expected += meets;
    CHECK(seen[i] == meets, "box %d found %d times", i, seen[i]);
  }
  CHECK(count == expected, "%d found, %d there", count, expected);
}

static double gap_of(void *context, int item, double most) {
  const forest *f = ((const void **)context)[0];
  const brio_box *box = ((const void **)context)[1];
  (void)most;
  return brio_box_gap(&f->box[item], box);
}

static void check_nearest(const forest *f, const brio_box *box, double most) {
  const void *context[] = {f, box};
  double least = most;
  for (int i = 0; i < MOST; i++)
    if (f->leaf[i] >= 0) least = fmin(least, brio_box_gap(&f->box[i], box));
  CHECK_NEAR(brio_box_tree_nearest(&f->tree, box, most, gap_of, context), least, 0, "nearest");
}

static void finds_what_asking_all_finds(void) {
  forest f;
  start(&f, "all");
  for (int step = 0; step < 20000; step++) {
    toggle(&f, (int)brio_random_below(&f.stream, MOST), random_box(&f.stream));
    if (step % 7) continue;
    brio_box box = random_box(&f.stream);
    box = brio_box_grown(box, brio_random_uniform(&f.stream, 0, 2));
    check_height(&f);
    check_found(&f, &box);
    check_nearest(&f, &box, step % 2 ? INFINITY : 1);
  }
  for (int i = 0; i < MOST; i++)
    if (f.leaf[i] >= 0) toggle(&f, i, f.box[i]);
  CHECK(f.tree.root == -1, "empty at last");
  brio_box_tree_end(&f.tree);
}

/* Rows, equal boxes, boxes inside boxes: in order, one after the other, and out again from one end. */
static void stays_low_in_any_order(void) {
  for (int kind = 0; kind < 4; kind++) {
    forest f;
    start(&f, "low");
    for (int i = 0; i < MOST; i++) {
      double at = kind == 0 ? i : kind == 1 ? -i : 0, size = kind == 3 ? 1 + i : 0.4;
      brio_box box = {{at - size, -size, -size}, {at + size, size, size}};
      toggle(&f, i, box);
      check_height(&f);
    }
    for (int i = 0; i + 1 < MOST; i++) {
      toggle(&f, i, f.box[i]);
      check_height(&f);
    }
    brio_box_tree_end(&f.tree);
  }
}

static void boxes_hold_their_shapes(void) {
  brio_random r = brio_random_stream(5, "shapes");
  for (int n = 0; n < 5000; n++) {
    brio_vec3 corners[8];
    brio_shape s = {.kind = (brio_shape_kind)brio_random_below(&r, BRIO_SHAPE_HALF_SPACE)};
    for (int i = 0; i < 8; i++) corners[i] = draw(&r, 1);
    if (s.kind == BRIO_SHAPE_HULL) s.points = corners, s.npoint = 8;
    else
      s.size = (brio_vec3){brio_random_uniform(&r, 0, 1), brio_random_uniform(&r, 0, 1),
                           brio_random_uniform(&r, 0, 1)};
    brio_quat turn = {brio_random_normal(&r), brio_random_normal(&r), brio_random_normal(&r),
                      brio_random_normal(&r)};
    brio_transform pose = brio_transform_of((brio_pose){draw(&r, 3), brio_quat_unit(turn)});
    brio_box box = brio_box_around(&s, &pose);
    for (int axis = 0; axis < 6;
         axis++) { /* planes of the box touch the shape: the half-space measures that */
      brio_shape plane = {.kind = BRIO_SHAPE_HALF_SPACE};
      static const double turns[6][4] = {{0, -1, 0, 1}, {0, 1, 0, 1}, {1, 0, 0, 1},
                                         {-1, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 0, 1}};
      const double *q = turns[axis];
      brio_transform at = brio_transform_of(
          (brio_pose){axis % 2 ? box.lower : box.upper, brio_quat_unit((brio_quat){q[0], q[1], q[2], q[3]})});
      CHECK_NEAR(brio_shape_distance(&plane, &at, &s, &pose, NULL).distance, 0, 1e-14, "%d: %s, side %d", n,
                 brio_shape_kind_name(s.kind), axis);
    }
  }
}

CHECK_SUITE(CHECK_TEST(finds_what_asking_all_finds), CHECK_TEST(stays_low_in_any_order),
            CHECK_TEST(boxes_hold_their_shapes))
