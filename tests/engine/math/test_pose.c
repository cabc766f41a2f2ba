/* Rotations and poses: every form turns vectors alike, and forms convert there and back. */
#include "math/pose.h"

#include "base/random.h"
#include "tests/check.h"

enum { ROUNDS = 2000 };

static brio_quat random_turn(brio_random *r) {
  return brio_quat_unit((brio_quat){brio_random_normal(r), brio_random_normal(r), brio_random_normal(r),
                                    brio_random_normal(r)});
}

static brio_vec3 random_vec(brio_random *r, double size) {
  return (brio_vec3){brio_random_uniform(r, -size, size), brio_random_uniform(r, -size, size),
                     brio_random_uniform(r, -size, size)};
}

static double apart(brio_vec3 a, brio_vec3 b) { return brio_vec3_norm(brio_vec3_sub(a, b)); }

/* The same rotation: q and -q are one. */
static double turned_apart(brio_quat a, brio_quat b) {
  return brio_quat_angle(brio_quat_mul(brio_quat_conj(a), b));
}

static void forms_turn_alike_and_compose(void) {
  brio_random r = brio_random_stream(1, "pose");
  for (int i = 0; i < ROUNDS; i++) {
    brio_pose a = {random_vec(&r, 2), random_turn(&r)}, b = {random_vec(&r, 2), random_turn(&r)};
    brio_vec3 v = random_vec(&r, 3);
    brio_transform ta = brio_transform_of(a), tb = brio_transform_of(b), both = brio_transform_mul(&ta, &tb);
    brio_vec3 expected = brio_pose_point(a, brio_pose_point(b, v));
    CHECK_NEAR(apart(brio_pose_point(brio_pose_mul(a, b), v), expected), 0, 1e-14, "pose, round %d", i);
    CHECK_NEAR(apart(brio_transform_point(&both, v), expected), 0, 1e-14, "transform, round %d", i);
    CHECK_NEAR(apart(brio_pose_point(brio_pose_inverse(a), brio_pose_point(a, v)), v), 0, 1e-14, "inverse");
    brio_vec3 there = brio_transform_direction(&ta, v);
    CHECK_NEAR(apart(brio_transform_undirection(&ta, there), v), 0, 1e-14, "direction");
    CHECK_NEAR(brio_vec3_norm(there), brio_vec3_norm(v), 1e-14, "length");
  }
}

static void matrices_and_quaternions_convert_back(void) {
  brio_random r = brio_random_stream(2, "pose");
  for (int i = 0; i < ROUNDS; i++) {
    brio_pose a = {random_vec(&r, 2), random_turn(&r)};
    if (i % 4 == 0) a.q = brio_quat_exp(brio_vec3_scale(BRIO_PI, brio_vec3_unit(random_vec(&r, 1), a.p)));
    brio_transform t = brio_transform_of(a);
    brio_pose back = brio_pose_of(&t);
    CHECK_NEAR(turned_apart(a.q, back.q), 0, 1e-14, "round %d", i);
    CHECK(back.q.w >= 0, "round %d: w %g", i, back.q.w);
    CHECK_NEAR(apart(a.p, back.p), 0, 0, "round %d", i);
  }
}

static void exp_and_log_undo_each_other(void) {
  brio_random r = brio_random_stream(3, "pose");
  static const double angles[] = {0,       1e-300, 1e-160, 1e-12, 1e-9, 0.99e-8,
                                  1.01e-8, 1e-7,   1e-3,   1,     3,    3.14159};
  for (int i = 0; i < ROUNDS; i++) {
    double angle = angles[i % 12];
    brio_vec3 axis = brio_vec3_unit(random_vec(&r, 1), (brio_vec3){1, 0, 0});
    brio_vec3 turn = brio_vec3_scale(angle, axis);
    brio_vec3 back = brio_quat_log(brio_quat_exp(turn));
    CHECK_NEAR(apart(back, turn), 0, 1e-15 + 1e-14 * angle, "angle %g", angle);
    CHECK_NEAR(brio_quat_angle(brio_quat_exp(turn)), angle, 1e-15 + 1e-14 * angle, "angle %g", angle);
  }
  brio_quat half = brio_quat_exp((brio_vec3){0, 0, BRIO_PI});
  CHECK_NEAR(brio_vec3_norm(brio_quat_log(half)), BRIO_PI, 1e-15, "half a turn");
  brio_quat same = {-half.x, -half.y, -half.z, -half.w};
  CHECK_NEAR(brio_vec3_norm(brio_quat_log(same)), BRIO_PI, 1e-15, "half a turn, negated");
}

/* roll, pitch, yaw as the product of three matrices, Rz(yaw) Ry(pitch) Rx(roll). */
static void rpy_is_a_product_of_three_turns(void) {
  brio_random r = brio_random_stream(4, "pose");
  for (int i = 0; i < ROUNDS; i++) {
    brio_vec3 a = random_vec(&r, 2 * BRIO_PI), v = random_vec(&r, 1);
    double cx = cos(a.x), sx = sin(a.x), cy = cos(a.y), sy = sin(a.y), cz = cos(a.z), sz = sin(a.z);
    brio_transform x = {{1, 0, 0, 0, cx, -sx, 0, sx, cx}, {0, 0, 0}};
    brio_transform y = {{cy, 0, sy, 0, 1, 0, -sy, 0, cy}, {0, 0, 0}};
    brio_transform z = {{cz, -sz, 0, sz, cz, 0, 0, 0, 1}, {0, 0, 0}};
    brio_transform yx = brio_transform_mul(&y, &x), zyx = brio_transform_mul(&z, &yx);
    brio_vec3 turned = brio_quat_rotate(brio_quat_from_rpy(a.x, a.y, a.z), v);
    CHECK_NEAR(apart(turned, brio_transform_point(&zyx, v)), 0, 1e-14, "round %d", i);
  }
}

static void nothing_has_no_direction(void) {
  brio_vec3 fallback = {0, 1, 0};
  CHECK_NEAR(apart(brio_vec3_unit((brio_vec3){0, 0, 0}, fallback), fallback), 0, 0, "zero vector");
  brio_vec3 tiny = brio_vec3_unit((brio_vec3){0, 0, 1e-200}, fallback);
  CHECK_NEAR(brio_vec3_norm(tiny), 1, 1e-12, "tiny vector");
  brio_vec3 sick = brio_vec3_unit((brio_vec3){NAN, 0, 0}, fallback);
  CHECK_NEAR(apart(sick, fallback), 0, 0, "NaN vector");
  brio_quat none = brio_quat_unit((brio_quat){0, 0, 0, 0}), nan = brio_quat_unit((brio_quat){NAN, 0, 0, 1});
  brio_quat huge = brio_quat_unit((brio_quat){1e200, 0, 0, 1e200});
  CHECK_NEAR(brio_quat_angle(huge), 0, 0, "a quaternion too long to measure is the identity");
  CHECK(none.w == 1 && nan.w == 1 && nan.x == 0, "a quaternion without length is the identity");
}

CHECK_SUITE(CHECK_TEST(forms_turn_alike_and_compose), CHECK_TEST(matrices_and_quaternions_convert_back),
            CHECK_TEST(exp_and_log_undo_each_other), CHECK_TEST(rpy_is_a_product_of_three_turns),
            CHECK_TEST(nothing_has_no_direction))
