/* Distances of random pairs, compared with FCL's, and both with a proof that needs neither.
**
** For separate solids brio's answer proves itself: its two points lie in the two solids, so the distance is
** at most theirs; planes across its normal have the solids on either side, so it is not less.  Supports and
** memberships are computed here separately.  For overlapping solids the planes prove that a move by the depth
** along the normal separates them, so the depth is not too small.  That it is not too large is checked with
** FCL: where FCL gives a smaller depth, its two points give a direction, and the planes across that must not
** separate sooner.  So an error of FCL is accepted only on a pair for which brio's value is proved.
** The suite fails where the proof fails, and prints FCL's error.  Where FCL never returns (0.7 loops forever
** on some pairs that overlap), longjmp leaves it after half a second, and the pair is counted. */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "base/random.h"
#include "geometry/distance.h"
#include "tests/check.h"
#include "tests/peers/fcl.h"

static const double EXACT = 1e-8;  /* relative to the size: brio's guarantee */
static const double AGREE = 1e-5;  /* m: farther off than this counts as an outlier of FCL's */

typedef struct solid {
  brio_shape shape;
  brio_transform pose;
  brio_vec3 corners[FCL_POINTS];
  fcl_solid fcl;
} solid;

static brio_vec3 direction(brio_random *r) {
  brio_vec3 v = {brio_random_normal(r), brio_random_normal(r), brio_random_normal(r)};
  return brio_vec3_unit(v, (brio_vec3){0, 0, 1});
}

/* Corners on an ellipsoid, and the faces of their hull: a triangle is one that has all others below it. */
static void make_hull(brio_random *r, brio_vec3 size, solid *s) {
  fcl_solid *f = &s->fcl;
  f->npoint = s->shape.npoint = 6 + (int)brio_random_below(r, 12);
  for (int i = 0; i < f->npoint; i++) {
    brio_vec3 d = direction(r);
    s->corners[i] = (brio_vec3){size.x * d.x, size.y * d.y, size.z * d.z};
    f->points[i][0] = s->corners[i].x, f->points[i][1] = s->corners[i].y, f->points[i][2] = s->corners[i].z;
  }
  for (int i = 0; i < f->npoint; i++)
    for (int j = 0; j < f->npoint; j++)
      for (int k = 0; k < f->npoint; k++) {
        if (j <= i || k <= i || j == k) continue;
        brio_vec3 a = s->corners[i],
                  up = brio_vec3_cross(brio_vec3_sub(s->corners[j], a), brio_vec3_sub(s->corners[k], a));
        bool face = true;
        for (int m = 0; face && m < f->npoint; m++)
          face = m == i || m == j || m == k || brio_vec3_dot(up, brio_vec3_sub(s->corners[m], a)) < 0;
        if (face && f->nface < 4 * FCL_POINTS)
          memcpy(f->faces[f->nface++], (int[3]){i, j, k}, sizeof f->faces[0]);
      }
  s->shape.points = s->corners;
}

static void make_solid(brio_random *r, int kind, brio_vec3 at, solid *s) {
  static const brio_shape_kind kinds[] = {BRIO_SHAPE_SPHERE, BRIO_SHAPE_CAPSULE, BRIO_SHAPE_BOX,
                                          BRIO_SHAPE_CYLINDER, BRIO_SHAPE_HULL};
  double v[3];
  for (int i = 0; i < 3; i++) v[i] = brio_random_uniform(r, 0.02, 0.4);
  memset(s, 0, sizeof *s);
  s->shape.kind = kinds[kind];
  s->fcl.kind = kind;
  if (kind == 4) make_hull(r, (brio_vec3){v[0], v[1], v[2]}, s);
  else {
    s->shape.size = (brio_vec3){v[0], kind == 2 ? v[1] : 0, kind == 0 ? 0 : v[2]};
    memcpy(s->fcl.size, &s->shape.size, sizeof s->fcl.size);
  }
  brio_quat turn = {brio_random_normal(r), brio_random_normal(r), brio_random_normal(r),
                    brio_random_normal(r)};
  s->pose = brio_transform_of((brio_pose){at, brio_quat_unit(turn)});
  memcpy(s->fcl.rotation, s->pose.r, sizeof s->fcl.rotation);
  memcpy(s->fcl.position, &s->pose.p, sizeof s->fcl.position);
}

/* How far a solid reaches along the unit vector `d` of the world, m. */
static double reach(const solid *s, brio_vec3 d) {
  brio_vec3 l = brio_transform_undirection(&s->pose, d), z = s->shape.size;
  double at = brio_vec3_dot(d, s->pose.p), most = -INFINITY;
  if (s->shape.kind == BRIO_SHAPE_SPHERE) return at + z.x;
  if (s->shape.kind == BRIO_SHAPE_CAPSULE) return at + z.x + fabs(l.z) * z.z / 2;
  if (s->shape.kind == BRIO_SHAPE_BOX) return at + (fabs(l.x) * z.x + fabs(l.y) * z.y + fabs(l.z) * z.z) / 2;
  if (s->shape.kind == BRIO_SHAPE_CYLINDER) return at + z.x * hypot(l.x, l.y) + fabs(l.z) * z.z / 2;
  for (int i = 0; i < s->shape.npoint; i++) most = fmax(most, brio_vec3_dot(l, s->corners[i]));
  return at + most;
}

/* How far `point` is outside a solid, m. */
static double outside(const solid *s, brio_vec3 point) {
  brio_vec3 l = brio_transform_undirection(&s->pose, brio_vec3_sub(point, s->pose.p)), z = s->shape.size;
  double most = -INFINITY, along = fmax(fabs(l.z) - z.z / 2, 0);
  if (s->shape.kind == BRIO_SHAPE_SPHERE) return brio_vec3_norm(l) - z.x;
  if (s->shape.kind == BRIO_SHAPE_CAPSULE) return hypot(hypot(l.x, l.y), along) - z.x;
  if (s->shape.kind == BRIO_SHAPE_BOX)
    return fmax(fabs(l.x) - z.x / 2, fmax(fabs(l.y) - z.y / 2, fabs(l.z) - z.z / 2));
  if (s->shape.kind == BRIO_SHAPE_CYLINDER) return fmax(hypot(l.x, l.y) - z.x, fabs(l.z) - z.z / 2);
  for (int i = 0; i < s->fcl.nface; i++) {
    const int *f = s->fcl.faces[i];
    brio_vec3 a = s->corners[f[0]];
    brio_vec3 up = brio_vec3_cross(brio_vec3_sub(s->corners[f[1]], a), brio_vec3_sub(s->corners[f[2]], a));
    most = fmax(most, brio_vec3_dot(brio_vec3_unit(up, up), brio_vec3_sub(l, a)));
  }
  return most;
}

/* How far the planes across `n` separate two solids, m. */
static double separation(const solid *a, const solid *b, brio_vec3 n) {
  return -reach(b, brio_vec3_scale(-1, n)) - reach(a, n);
}

static sigjmp_buf patience;

static void lose_patience(int signal) {
  (void)signal;
  siglongjmp(patience, 1);
}

/* Ask FCL; NaN where it has no answer. */
static fcl_answer ask_fcl(const solid *a, const solid *b) {
  struct itimerval half = {.it_value = {0, 500000}}, never = {{0, 0}, {0, 0}};
  fcl_answer answer = {.distance = NAN};
  signal(SIGVTALRM, lose_patience);
  if (sigsetjmp(patience, 1) == 0) {
    setitimer(ITIMER_VIRTUAL, &half, NULL);
    answer = fcl_ask(&a->fcl, &b->fcl);
  } else {
    answer.distance = NAN;
  }
  setitimer(ITIMER_VIRTUAL, &never, NULL);
  return answer;
}

typedef struct tally {
  int pairs, apart, outliers, deeper, silent;
  double worst;
} tally;

static void prove(const solid *a, const solid *b, const brio_distance *d, double size, int i) {
  CHECK_NEAR(separation(a, b, d->normal), d->distance, EXACT * size, "pair %d: planes", i);
  CHECK(outside(a, d->point_a) <= 10 * EXACT * size, "pair %d: point of a is %g outside", i,
        outside(a, d->point_a));
  CHECK(outside(b, d->point_b) <= 10 * EXACT * size, "pair %d: point of b is %g outside", i,
        outside(b, d->point_b));
  double between = brio_vec3_norm(brio_vec3_sub(d->point_b, d->point_a));
  if (d->distance > 0) CHECK_NEAR(between, d->distance, 10 * EXACT * size, "pair %d: points", i);
}

/* Compare FCL's answer with what is proved. */
static void hold(const solid *a, const solid *b, const brio_distance *d, double size, tally *t, int i) {
  fcl_answer f = ask_fcl(a, b);
  double off = fabs(f.distance - d->distance);
  t->pairs++;
  t->apart += d->distance > 0;
  t->silent += isnan(f.distance);
  if (isnan(f.distance)) return;
  t->worst = fmax(t->worst, off);
  t->outliers += off > AGREE;
  if (d->distance > 0 || !(f.distance > d->distance + AGREE)) return;
  brio_vec3 n = {f.b[0] - f.a[0], f.b[1] - f.a[1], f.b[2] - f.a[2]};
  n = brio_vec3_unit(brio_vec3_scale(f.distance < 0 ? -1 : 1, n), d->normal);
  t->deeper++;
  CHECK(separation(a, b, n) <= d->distance + 1e-6 * size,
        "pair %d (%s, %s): brio says %.9g, FCL %.9g, and its planes %.9g", i,
        brio_shape_kind_name(a->shape.kind), brio_shape_kind_name(b->shape.kind), d->distance, f.distance,
        separation(a, b, n));
}

static void run(int kind_a, int kind_b, int count, tally *t) {
  char stream[32];
  snprintf(stream, sizeof stream, "fcl.%d.%d", kind_a, kind_b);
  brio_random r = brio_random_stream(11, stream);
  for (int i = 0; i < count; i++) {
    solid a, b;
    make_solid(&r, kind_a, (brio_vec3){0, 0, 0}, &a);
    double size = 1;
    brio_vec3 at = brio_vec3_scale(brio_random_uniform(&r, 0, 1.2), direction(&r));
    make_solid(&r, kind_b, at, &b);
    brio_distance d = brio_shape_distance(&a.shape, &a.pose, &b.shape, &b.pose, NULL);
    prove(&a, &b, &d, size, i);
    hold(&a, &b, &d, size, t, i);
  }
}

static void every_distance_is_proved_where_fcl_says_another(void) {
  int count = (int)(2000 * check_scale() / 15 + 0.999);
  tally all = {0};
  for (int a = 0; a < 5; a++)
    for (int b = a; b < 5; b++) {
      tally t = {0};
      run(a, b, count, &t);
      all.pairs += t.pairs, all.apart += t.apart, all.outliers += t.outliers, all.deeper += t.deeper,
          all.silent += t.silent;
      all.worst = fmax(all.worst, t.worst);
      if (t.outliers)
        printf("# %d-%d: FCL is off by more than 1e-5 m in %d of %d, at most by %.2g m\n", a, b, t.outliers,
               t.pairs, t.worst);
    }
  printf("# %d pairs, %d apart; FCL off by more than 1e-5 m in %d, at most by %.2g m, shallower inside in %d,"
         " silent in %d\n",
         all.pairs, all.apart, all.outliers, all.worst, all.deeper, all.silent);
}

CHECK_SUITE(CHECK_TEST(every_distance_is_proved_where_fcl_says_another))
