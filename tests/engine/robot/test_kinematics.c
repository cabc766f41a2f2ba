/* Kinematics compared with its own derivative: every Jacobian with finite differences along every tangent
** direction, for robots with each joint type, mimics, odd axes and a moved base; and the configuration
** space's sum and difference. */
#include "robot/kinematics.h"

#include "base/random.h"
#include "math/sincos.h"
#include "tests/check.h"

#define INERTIAL(m) "<inertial><origin xyz='0.1 -0.2 0.05'/><mass value='" m "'/></inertial>"
#define LINK(name, m) "<link name='" name "'>" INERTIAL(m) "</link>"
#define JOINT(name, type, parent, child, inside)                                                  \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"   \
  "<origin xyz='0.1 0.2 0.3' rpy='0.4 -0.5 0.6'/>" inside "</joint>"
#define RANGE "<limit lower='-2' upper='2' velocity='1' effort='1'/>"

/* One joint of each kind, two branches, mimics in a chain and across branches, fixed links. */
static const char everything[] = "<robot name='everything'>" LINK("root", "1") LINK("a", "2") LINK("b", "0.5")
    LINK("c", "0.7") LINK("d", "1.5") LINK("e", "0.3") LINK("f", "0.4") LINK("g", "0.6") LINK(
        "h", "0.9") "<link name='tip'/>" JOINT("turn", "revolute", "root", "a", "<axis xyz='0 0 1'/>" RANGE)
        JOINT("slide", "prismatic", "a", "b", "<axis xyz='1 2 3'/>" RANGE)
            JOINT("weld", "fixed", "b", "c", "")
                JOINT("drift", "planar", "c", "d", "<axis xyz='0.3 -0.4 0.5'/>")
                    JOINT("wheel", "continuous", "d", "e", "<axis xyz='0 -1 0'/>")
                        JOINT("fly", "floating", "a", "f", "")
                            JOINT("copy", "revolute", "f", "g",
                                  "<axis xyz='0.2 0.9 -0.1'/>" RANGE
                                  "<mimic joint='turn' multiplier='-1.5' offset='0.2'/>")
                                JOINT("copy_slide", "prismatic", "g", "h",
                                      "<axis xyz='0 1 0'/>" RANGE "<mimic joint='copy' multiplier='0.5'/>")
                                    JOINT("end", "fixed", "h", "tip", "") "</robot>";

typedef struct fixture {
  brio_robot *robot;
  brio_state state;
} fixture;

static bool start(fixture *f, const char *text, const brio_robot_options *options) {
  brio_error err;
  f->robot = brio_robot_parse(text, strlen(text), "test.urdf", options, &err);
  CHECK(f->robot, "%s", err.message);
  return f->robot && brio_state_start(&f->state, f->robot, &err);
}

static void end(fixture *f) {
  if (f->robot) brio_state_end(&f->state);
  brio_robot_free(f->robot);
}

static void random_configuration(const brio_robot *robot, brio_random *random, double *q) {
  brio_robot_neutral(robot, q);
  brio_quat turn = brio_quat_exp((brio_vec3){brio_random_normal(random), brio_random_normal(random), 0.5});
  for (int i = 0; i < 3; i++) q[i] = brio_random_normal(random);
  q[3] = turn.x, q[4] = turn.y, q[5] = turn.z, q[6] = turn.w;
  for (int i = 0; i < robot->nvariable; i++) q[BRIO_BASE_NQ + i] = brio_random_uniform(random, -1.2, 1.2);
}

enum { MOST = 64 };
static const double STEP = 1e-6;

/* The position of a point of a link, the link's orientation and the center of mass, with q
** moved by h along v. */
typedef struct moved {
  brio_vec3 point, com;
  brio_transform link;
} moved;

static moved move(fixture *f, const double *q, int v, double h, int link, brio_vec3 point) {
  double step[MOST] = {0}, there[MOST];
  step[v] = h;
  brio_robot_integrate(f->robot, q, step, there);
  brio_state_update(&f->state, there);
  const brio_transform *t = &f->state.links[link];
  return (moved){brio_transform_point(t, point), brio_state_update_com(&f->state), *t};
}

/* Compare columns of all Jacobians at q with central differences. */
static void check_jacobians(fixture *f, const double *q, int link, brio_vec3 point) {
  static double full[6 * MOST], linear[3 * MOST], com[3 * MOST], row[MOST];
  int nv = f->robot->nv;
  brio_vec3 direction = {0.3, -0.5, 0.7};
  brio_state_update(&f->state, q);
  brio_state_update_com(&f->state);
  brio_vec3 world = brio_transform_point(&f->state.links[link], point);
  brio_state_jacobian(&f->state, link, world, full);
  brio_state_point_jacobian(&f->state, link, world, linear);
  brio_state_com_jacobian(&f->state, com);
  for (int i = 0; i < nv; i++) row[i] = 1;
  brio_state_add_point_row(&f->state, link, world, direction, 2, row);
  CHECK(memcmp(full, linear, 3 * (size_t)nv * sizeof *full) == 0, "the linear rows are the same bits");
  for (int v = 0; v < nv; v++) {
    moved up = move(f, q, v, STEP, link, point), down = move(f, q, v, -STEP, link, point);
    brio_vec3 p = brio_vec3_scale(0.5 / STEP, brio_vec3_sub(up.point, down.point));
    brio_vec3 c = brio_vec3_scale(0.5 / STEP, brio_vec3_sub(up.com, down.com));
    brio_quat turn =
        brio_quat_mul(brio_quat_from_matrix(up.link.r), brio_quat_conj(brio_quat_from_matrix(down.link.r)));
    brio_vec3 w = brio_vec3_scale(0.5 / STEP, brio_quat_log(turn));
    double expected[9] = {p.x, p.y, p.z, w.x, w.y, w.z, c.x, c.y, c.z};
    for (int i = 0; i < 6; i++)
      CHECK_NEAR(full[i * nv + v], expected[i], 2e-8, "link %d column %d row %d", link, v, i);
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(com[i * nv + v], expected[6 + i], 2e-8, "centre of mass, column %d", v);
    CHECK_NEAR(row[v], 1 + 2 * brio_vec3_dot(direction, p), 1e-7, "row, column %d", v);
  }
}

static void jacobians_are_derivatives(void) {
  static const brio_base_type bases[] = {BRIO_BASE_FIXED, BRIO_BASE_BOUNDED, BRIO_BASE_FREE};
  brio_random random = brio_random_stream(3, "test.kinematics");
  for (int k = 0; k < 6; k++) {
    fixture f;
    double q[MOST];
    brio_robot_options options = {.base = bases[k % 3], .independent_mimic = k >= 3};
    if (!start(&f, everything, &options)) return;
    CHECK(f.robot->nvariable == (k >= 3 ? 14 : 12) && f.robot->nv <= MOST, "%d variables",
          f.robot->nvariable);
    for (int round = 0; round < 5; round++) {
      random_configuration(f.robot, &random, q);
      for (int link = 0; link < f.robot->nlink; link++)
        check_jacobians(&f, q, link, (brio_vec3){0.2, -0.1, 0.4});
    }
    end(&f);
  }
}

/* The tree walked joint by joint with quaternions, without the compiled program. */
static brio_pose walk(const brio_robot *robot, const double *q, int link) {
  brio_pose pose = BRIO_POSE_IDENTITY;
  for (; link > 0; link = robot->links[link].parent) {
    const brio_joint *joint = &robot->joints[robot->links[link].joint];
    const double *v = q + BRIO_BASE_NQ + (joint->variable >= 0 ? joint->variable : 0);
    double value = joint->type == BRIO_JOINT_FIXED ? 0 : joint->multiplier * v[0] + joint->offset;
    brio_pose motion = BRIO_POSE_IDENTITY;
    if (joint->type == BRIO_JOINT_REVOLUTE || joint->type == BRIO_JOINT_CONTINUOUS)
      motion.q = brio_quat_exp(brio_vec3_scale(value, joint->axis));
    if (joint->type == BRIO_JOINT_PRISMATIC) motion.p = brio_vec3_scale(value, joint->axis);
    if (joint->type == BRIO_JOINT_FLOATING)
      motion = (brio_pose){{v[0], v[1], v[2]}, brio_quat_from_rpy(v[3], v[4], v[5])};
    if (joint->type == BRIO_JOINT_PLANAR) {
      brio_vec3 n = joint->axis, hinge = brio_vec3_cross((brio_vec3){0, 0, 1}, n);
      brio_quat tilt = brio_quat_exp(brio_vec3_scale(acos(n.z) / brio_vec3_norm(hinge), hinge));
      motion = (brio_pose){brio_quat_rotate(tilt, (brio_vec3){v[0], v[1], 0}),
                           brio_quat_exp(brio_vec3_scale(v[2], n))};
    }
    pose = brio_pose_mul(brio_pose_mul(brio_pose_of(&joint->origin), motion), pose);
  }
  brio_pose base = {{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}};
  return brio_pose_mul(base, pose);
}

static void forward_kinematics_is_a_walk_over_joints(void) {
  brio_random random = brio_random_stream(4, "test.kinematics");
  fixture f;
  double q[MOST], mass = 0;
  if (!start(&f, everything, NULL)) return;
  for (int round = 0; round < 20; round++) {
    random_configuration(f.robot, &random, q);
    brio_state_update(&f.state, q);
    brio_vec3 sum = {0, 0, 0}, com = brio_state_update_com(&f.state);
    mass = 0;
    for (int i = 0; i < f.robot->nlink; i++) {
      brio_transform expected = brio_transform_of(walk(f.robot, q, i));
      const double *a = f.state.links[i].r, *b = expected.r;
      for (int k = 0; k < 9; k++) CHECK_NEAR(a[k], b[k], 1e-14, "link %d, number %d", i, k);
      CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(f.state.links[i].p, expected.p)), 0, 1e-14, "link %d", i);
      sum = brio_vec3_add_scaled(sum, f.robot->links[i].mass,
                                 brio_transform_point(&expected, f.robot->links[i].com));
      mass += f.robot->links[i].mass;
    }
    CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(com, brio_vec3_scale(1 / mass, sum))), 0, 1e-14,
               "centre of mass");
  }
  CHECK_NEAR(f.robot->mass, mass, 1e-15, "mass");
  end(&f);
}

static void planes_of_every_normal(void) {
  static const char *const normals[] = {"0 0 1", "0 0 -1", "1 0 0", "0 -1 0"};
  static const brio_vec3 x[] = {{1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {1, 0, 0}};
  static const brio_vec3 y[] = {{0, 1, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 4; k++) {
    char text[400];
    fixture f;
    double q[10] = {0, 0, 0, 0, 0, 0, 1, 2, 3, 0.5};
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='planar'>"
             "<parent link='a'/><child link='b'/><axis xyz='%s'/></joint></robot>",
             normals[k]);
    if (!start(&f, text, NULL)) return;
    brio_state_update(&f.state, q);
    brio_vec3 expected = brio_vec3_add_scaled(brio_vec3_scale(2, x[k]), 3, y[k]);
    CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(f.state.links[1].p, expected)), 0, 1e-14, "normal %s",
               normals[k]);
    end(&f);
  }
}

static void sum_and_difference_are_inverse(void) {
  brio_random random = brio_random_stream(5, "test.kinematics");
  fixture f;
  if (!start(&f, everything, NULL)) return;
  for (int round = 0; round < 200; round++) {
    double q[MOST], step[MOST], there[MOST], back[MOST], again[MOST];
    random_configuration(f.robot, &random, q);
    for (int i = 0; i < f.robot->nv; i++) step[i] = brio_random_uniform(&random, -1.5, 1.5);
    brio_robot_integrate(f.robot, q, step, there);
    brio_robot_difference(f.robot, q, there, back);
    for (int i = 0; i < f.robot->nv; i++) CHECK_NEAR(back[i], step[i], 1e-13, "number %d", i);
    brio_robot_integrate(f.robot, q, back, again);
    memcpy(back, q, sizeof back);
    brio_robot_integrate(f.robot, back, step, back);
    for (int i = 0; i < f.robot->nq; i++) {
      CHECK_NEAR(again[i], there[i], 1e-13, "number %d", i);
      CHECK_NEAR(back[i], there[i], 0, "in place, number %d", i);
    }
  }
  double q[MOST], turned[MOST], difference[MOST];
  int wheel = brio_robot_variable(f.robot, "wheel", NULL), turn = brio_robot_variable(f.robot, "turn", NULL);
  brio_robot_neutral(f.robot, q);
  memcpy(turned, q, sizeof turned);
  turned[BRIO_BASE_NQ + wheel] = turned[BRIO_BASE_NQ + turn] = 6;
  brio_robot_difference(f.robot, q, turned, difference);
  CHECK_NEAR(difference[BRIO_BASE_NV + wheel], 6 - 2 * BRIO_PI, 1e-15, "a wheel turns the short way");
  CHECK_NEAR(difference[BRIO_BASE_NV + turn], 6, 0, "a joint with an end does not");
  end(&f);
}

static void base_quaternion_is_taken_at_length_one(void) {
  fixture f;
  double q[MOST], scaled[MOST];
  brio_random random = brio_random_stream(6, "test.kinematics");
  if (!start(&f, everything, NULL)) return;
  random_configuration(f.robot, &random, q);
  memcpy(scaled, q, sizeof q);
  for (int i = 3; i < 7; i++) scaled[i] *= 3;
  brio_state_update(&f.state, q);
  brio_transform tip = f.state.links[f.robot->nlink - 1];
  brio_state_update(&f.state, scaled);
  const brio_transform *other = &f.state.links[f.robot->nlink - 1];
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(tip.p, other->p)), 0, 1e-14, "same place");
  end(&f);
}

/* Angles of any size, and NaN, do no harm. */
static void sines_are_right_for_every_angle(void) {
  brio_random random = brio_random_stream(8, "test.kinematics");
  for (int i = 0; i < 200000; i++) {
    double range = i % 3 == 0 ? 4 : i % 3 == 1 ? 1000 : BRIO_SINCOS_LARGEST;
    double x[2] = {brio_random_uniform(&random, -range, range), (double)(i % 1000) * (BRIO_PI / 4)}, s[2],
           c[2];
    brio_sincos_pair(x, s, c);
    for (int k = 0; k < 2; k++) {
      CHECK_NEAR(s[k], (double)sinl(x[k]), 2.5e-16, "sine of %.17g", x[k]);
      CHECK_NEAR(c[k], (double)cosl(x[k]), 2.5e-16, "cosine of %.17g", x[k]);
    }
  }
  fixture f;
  double q[MOST];
  if (!start(&f, everything, NULL)) return;
  brio_robot_neutral(f.robot, q);
  q[BRIO_BASE_NQ] = 1e9;
  brio_state_update(&f.state, q);
  int a = brio_robot_link(f.robot, "a", NULL);
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(f.state.links[a].p, walk(f.robot, q, a).p)), 0, 1e-12, "1e9 rad");
  q[BRIO_BASE_NQ] = NAN;
  brio_state_update(&f.state, q);
  CHECK(isnan(f.state.links[a].r[0]) && !isnan(f.state.links[0].r[0]), "not a number stays where it is");
  end(&f);
}

static void a_robot_without_mass_or_joints(void) {
  fixture f;
  double q[BRIO_BASE_NQ] = {1, 2, 3, 0, 0, 0, 1}, jacobian[18];
  if (!start(&f, "<robot name='r'><link name='a'/></robot>", NULL)) return;
  brio_state_update(&f.state, q);
  brio_vec3 com = brio_state_update_com(&f.state);
  CHECK(com.x == 1 && com.y == 2 && com.z == 3, "the root's origin");
  brio_state_com_jacobian(&f.state, jacobian);
  CHECK(jacobian[0] == 1 && jacobian[7] == 1 && jacobian[3] == 0, "moves with it");
  end(&f);
}

/* A tree that is rooted at another link: everything is where it was, seen from that link. */
static const char legged[] = "<robot name='legged'>" LINK("torso", "9") LINK("hip", "2") LINK("shin", "3")
    LINK("foot", "1") LINK("arm", "1") "<link name='sole'/>" JOINT("bend", "revolute", "torso", "hip",
                                                                   "<axis xyz='0.2 0.9 -0.1'/>" RANGE)
        JOINT("weld", "fixed", "hip", "shin", "")
            JOINT("lift", "prismatic", "shin", "foot",
                  "<axis xyz='1 2 3'/>" RANGE "<mimic joint='wave' multiplier='0.5' offset='0.1'/>")
                JOINT("stand", "fixed", "foot", "sole", "")
                    JOINT("wave", "revolute", "torso", "arm", "<axis xyz='0 0 1'/>" RANGE) "</robot>";

static void a_turned_tree_stands_the_same(void) {
  brio_random random = brio_random_stream(9, "test.kinematics");
  brio_robot_options options = {.stands_on = "sole"};
  fixture plain, turned;
  double q[MOST];
  if (!start(&plain, legged, NULL) || !start(&turned, legged, &options)) return;
  CHECK(strcmp(turned.robot->links[0].name, "sole") == 0, "the root is '%s'", turned.robot->links[0].name);
  for (int trial = 0; trial < 200; trial++) {
    random_configuration(plain.robot, &random, q);
    memcpy(q, (double[]){0, 0, 0, 0, 0, 0, 1}, BRIO_BASE_NQ * sizeof *q);
    brio_state_update(&plain.state, q);
    brio_state_update(&turned.state, q);
    brio_pose sole = brio_pose_of(&plain.state.links[brio_robot_link(plain.robot, "sole", NULL)]);
    brio_transform back = brio_transform_of(brio_pose_inverse(sole));
    for (int i = 0; i < plain.robot->nlink; i++) {
      brio_transform expected = brio_transform_mul(&back, &plain.state.links[i]);
      const char *name = plain.robot->links[i].name;
      const brio_transform *got = &turned.state.links[brio_robot_link(turned.robot, name, NULL)];
      for (int k = 0; k < 9; k++) CHECK_NEAR(got->r[k], expected.r[k], 1e-12, "%s rotation %d", name, k);
      CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(got->p, expected.p)), 0, 1e-12, "%s", name);
    }
    brio_vec3 com = brio_transform_point(&back, brio_state_update_com(&plain.state));
    CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(brio_state_update_com(&turned.state), com)), 0, 1e-12, "com");
  }
  end(&plain);
  end(&turned);
}

static void turned_jacobians_are_derivatives(void) {
  brio_random random = brio_random_stream(10, "test.kinematics");
  brio_robot_options options = {.stands_on = "sole"};
  fixture f;
  if (!start(&f, legged, &options)) return;
  double q[MOST];
  for (int trial = 0; trial < 20; trial++) {
    random_configuration(f.robot, &random, q);
    for (int link = 0; link < f.robot->nlink; link++)
      check_jacobians(&f, q, link, (brio_vec3){0.2, -0.1, 0.4});
  }
  end(&f);
}

static void what_cannot_be_turned_stays(void) {
  brio_robot_options options = {.stands_on = "h"}; /* behind a floating joint */
  fixture f;
  if (!start(&f, everything, &options)) return;
  CHECK(strcmp(f.robot->links[0].name, "root") == 0, "the root is '%s'", f.robot->links[0].name);
  end(&f);
  options.stands_on = "nowhere";
  if (!start(&f, everything, &options)) return;
  CHECK(strcmp(f.robot->links[0].name, "root") == 0, "the root is '%s'", f.robot->links[0].name);
  end(&f);
}

/* One link computed alone is where it is among all others, to the bit, Jacobian too. */
static void a_link_alone_is_the_same(void) {
  brio_random random = brio_random_stream(11, "test.kinematics");
  brio_robot_options options = {.stands_on = "sole"};
  static const char *const texts[] = {everything, legged};
  for (int k = 0; k < 2; k++) {
    fixture whole, alone;
    double q[MOST], expected[6 * MOST], got[6 * MOST];
    if (!start(&whole, texts[k], &options) || !start(&alone, texts[k], &options)) return;
    size_t size = 6 * (size_t)whole.robot->nv * sizeof *got;
    for (int trial = 0; trial < 50; trial++) {
      random_configuration(whole.robot, &random, q);
      if (trial % 10 == 9) q[BRIO_BASE_NQ] = 1e9; /* an angle past what the fast sine takes */
      brio_state_update(&whole.state, q);
      for (int link = 0; link < whole.robot->nlink; link++) {
        brio_state_update_link(&alone.state, q, link);
        const brio_transform *a = &whole.state.links[link], *b = &alone.state.links[link];
        CHECK(memcmp(a, b, sizeof *a) == 0, "link '%s'", whole.robot->links[link].name);
        brio_state_jacobian(&whole.state, link, a->p, expected);
        brio_state_jacobian(&alone.state, link, b->p, got);
        CHECK(memcmp(expected, got, size) == 0, "Jacobian of '%s'", whole.robot->links[link].name);
      }
    }
    end(&whole);
    end(&alone);
  }
}

/* A state is that of its configuration, to the bit, whatever it was used for before: the same one again, one
** link of another, one that differs by the sign of a zero. */
static void a_state_forgets_what_was_before(void) {
  brio_random random = brio_random_stream(12, "test.kinematics");
  brio_robot_options options = {.stands_on = "sole"};
  fixture used, fresh;
  double q[MOST], other[MOST];
  if (!start(&used, everything, &options) || !start(&fresh, everything, &options)) return;
  size_t size = (size_t)used.robot->nlink * sizeof *used.state.links;
  for (int trial = 0; trial < 60; trial++) {
    /* Every third configuration is the last one again. */
    if (trial % 3 < 2) random_configuration(used.robot, &random, q);
    random_configuration(used.robot, &random, other);
    if (trial % 4 == 1) brio_state_update_link(&used.state, other, used.robot->nlink - 1);
    q[BRIO_BASE_NQ] = trial % 6 == 0 ? 0.0 : trial % 6 == 1 ? -0.0 : q[BRIO_BASE_NQ];
    brio_state_update(&used.state, q);
    brio_state_end(&fresh.state);
    CHECK(brio_state_start(&fresh.state, fresh.robot, NULL), "no memory");
    brio_state_update(&fresh.state, q);
    CHECK(memcmp(used.state.links, fresh.state.links, size) == 0, "trial %d", trial);
  }
  end(&used);
  end(&fresh);
}

CHECK_SUITE(CHECK_TEST(a_link_alone_is_the_same), CHECK_TEST(a_state_forgets_what_was_before),
            CHECK_TEST(a_turned_tree_stands_the_same), CHECK_TEST(turned_jacobians_are_derivatives),
            CHECK_TEST(what_cannot_be_turned_stays), CHECK_TEST(jacobians_are_derivatives),
            CHECK_TEST(forward_kinematics_is_a_walk_over_joints), CHECK_TEST(planes_of_every_normal),
            CHECK_TEST(sum_and_difference_are_inverse), CHECK_TEST(base_quaternion_is_taken_at_length_one),
            CHECK_TEST(sines_are_right_for_every_angle), CHECK_TEST(a_robot_without_mass_or_joints))
