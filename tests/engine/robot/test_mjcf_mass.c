/* What bodies of an MJCF weigh: as the file says, and by the solids of their geoms, against integrals over
** their volume that are summed up here. */
#include <unistd.h>

#include "math/hull.h"
#include "tests/engine/robot/mjcf.h"

/* The mass properties of one link, "b". */
static bool weigh(const char *compiler, const char *inside, brio_link *out) {
  char text[2000];
  snprintf(text, sizeof text,
           "<mujoco model='m'><compiler angle='radian' %s/><worldbody><body name='b'>%s</body>"
           "</worldbody></mujoco>",
           compiler, inside);
  brio_robot *robot = must_parse(text, NULL);
  if (!robot) return false;
  *out = robot->links[brio_robot_link(robot, "b", NULL)];
  brio_robot_free(robot);
  return true;
}

static void check_link(const brio_link *a, double mass, brio_vec3 com, const double inertia[6],
                       double tolerance, const char *what) {
  CHECK_NEAR(a->mass, mass, tolerance * mass, "%s: mass", what);
  CHECK(brio_vec3_norm(brio_vec3_sub(a->com, com)) <= tolerance, "%s: centre %g %g %g", what, a->com.x,
        a->com.y, a->com.z);
  double most = 0;
  for (int k = 0; k < 6; k++) most = fmax(most, fabs(inertia[k]));
  for (int k = 0; k < 6; k++)
    CHECK_NEAR(a->inertia[k], inertia[k], tolerance * most, "%s: inertia %d", what, k);
}

/* Half lengths and radii of the solids below. */
static const double A = .3, B = .2, C = .1;

static bool in_sphere(brio_vec3 p) {
  return brio_vec3_dot(p, p) <= A * A;
}
static bool in_box(brio_vec3 p) {
  return fabs(p.x) <= A && fabs(p.y) <= B && fabs(p.z) <= C;
}
static bool in_cylinder(brio_vec3 p) {
  return p.x * p.x + p.y * p.y <= A * A && fabs(p.z) <= B;
}
static bool in_ellipsoid(brio_vec3 p) {
  return p.x * p.x / (A * A) + p.y * p.y / (B * B) + p.z * p.z / (C * C) <= 1;
}
static bool in_capsule(brio_vec3 p) {
  double over = fmax(0, fabs(p.z) - B);
  return p.x * p.x + p.y * p.y + over * over <= A * A;
}

static const struct {
  const char *geom;
  bool (*in)(brio_vec3 p);
} solids[] = {{"type='sphere' size='.3'", in_sphere},
              {"type='box' size='.3 .2 .1'", in_box},
              {"type='cylinder' size='.3 .2'", in_cylinder},
              {"type='ellipsoid' size='.3 .2 .1'", in_ellipsoid},
              {"type='capsule' size='.3 .2'", in_capsule},
              {"type='capsule' size='.3' fromto='0 0 .2 0 0 -.2'", in_capsule}};

/* The sum over the middles of small cubes: 200 to a metre and half a metre each way. */
static void solids_have_the_mass_of_their_volume(void) {
  enum { HALF = 100 };
  const double step = .5 / HALF, piece = 500 * step * step * step;
  for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
    double mass = 0, inertia[6] = {0};
    for (int x = 0; x < 2 * HALF; x++)
      for (int y = 0; y < 2 * HALF; y++)
        for (int z = 0; z < 2 * HALF; z++) {
          brio_vec3 p = {(x + .5 - HALF) * step, (y + .5 - HALF) * step, (z + .5 - HALF) * step};
          if (!solids[i].in(p)) continue;
          mass += piece;
          inertia[0] += piece * (p.y * p.y + p.z * p.z);
          inertia[3] += piece * (p.x * p.x + p.z * p.z);
          inertia[5] += piece * (p.x * p.x + p.y * p.y);
        }
    char geom[200];
    brio_link link;
    snprintf(geom, sizeof geom, "<geom density='500' %s/>", solids[i].geom);
    if (weigh("", geom, &link)) check_link(&link, mass, (brio_vec3){0, 0, 0}, inertia, 4e-3, solids[i].geom);
    /* The same with a mass instead of a density. */
    snprintf(geom, sizeof geom, "<geom density='1' mass='7' %s/>", solids[i].geom);
    for (int k = 0; k < 6; k++) inertia[k] *= 7 / mass;
    if (weigh("", geom, &link)) check_link(&link, 7, (brio_vec3){0, 0, 0}, inertia, 4e-3, solids[i].geom);
  }
}

/* A box in two halves, turned and moved, is one box. */
static void parts_have_the_mass_of_the_whole(void) {
  static const char place[] = "<frame pos='.4 -.3 .2' euler='.5 -.4 1.2'>%s</frame>";
  char text[600];
  brio_link whole, halves;
  snprintf(text, sizeof text, place, "<geom type='box' size='.3 .2 .1'/>");
  if (!weigh("", text, &whole)) return;
  snprintf(text, sizeof text, place,
           "<geom type='box' size='.1 .2 .1' pos='-.2 0 0'/>"
           "<geom type='box' size='.2 .1 .2' pos='.1 0 0' axisangle='1 0 0 1.5707963267948966'/>");
  if (weigh("", text, &halves)) check_link(&halves, whole.mass, whole.com, whole.inertia, 1e-13, "two parts");
  /* What that is: the moments of the box in axes that are turned. */
  const double i[3] = {whole.mass * .05 / 3, whole.mass * .1 / 3, whole.mass * .13 / 3};
  double trace = whole.inertia[0] + whole.inertia[3] + whole.inertia[5];
  CHECK_NEAR(trace, i[0] + i[1] + i[2], 1e-13, "the trace does not turn");
  CHECK_NEAR(whole.mass, 48, 1e-13, "mass");
}

/* Mass properties of hulls against those of a box and of a tetrahedron. */
static void hulls_have_the_mass_of_their_volume(void) {
  brio_vec3 corners[9];
  brio_hull_solid solid;
  brio_error err;
  for (int k = 0; k < 8; k++) corners[k] = (brio_vec3){k & 1 ? 2 : 1, k & 2 ? 4 : 0, k & 4 ? 3 : -3};
  corners[8] = (brio_vec3){1.5, 1, 0}; /* inside */
  CHECK(brio_hull_mass_properties(corners, 9, &solid, &err), "%s", err.message);
  const double box[6] = {24 * (16 + 36) / 12., 0, 0, 24 * (1 + 36) / 12., 0, 24 * (1 + 16) / 12.};
  CHECK_NEAR(solid.volume, 24, 1e-12, "volume");
  CHECK(brio_vec3_norm(brio_vec3_sub(solid.center, (brio_vec3){1.5, 2, 0})) < 1e-13, "centre");
  for (int k = 0; k < 6; k++) CHECK_NEAR(solid.inertia[k], box[k], 1e-11, "%d", k);
  /* A corner of a cube: volume 1/6, centre at a quarter, moments by Tonon's formulas. */
  const brio_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  CHECK(brio_hull_mass_properties(corner, 4, &solid, &err), "%s", err.message);
  CHECK_NEAR(solid.volume, 1. / 6, 1e-15, "volume");
  CHECK_NEAR(solid.center.y, .25, 1e-15, "centre");
  CHECK_NEAR(solid.inertia[0], 1. / 80, 1e-15, "moment");   /* 1/30 - 2 (1/6) (1/16) */
  CHECK_NEAR(solid.inertia[1], 1. / 480, 1e-15, "product"); /* -(1/120 - (1/6) (1/16)) */
  CHECK(brio_hull_mass_properties(corner, 3, &solid, &err) && solid.volume == 0, "flat");
  CHECK(!brio_hull_mass_properties(corner, 0, &solid, &err) && err.code == BRIO_MISUSE, "nothing");
}

/* Write the corners of a box of 2 by 4 by 6 m to a new file of the name `path`, which ends in XXXXXX.obj. */
static void write_box(char *path) {
  const char obj[] = "v 0 0 0\nv 2 0 0\nv 0 4 0\nv 2 4 0\nv 0 0 6\nv 2 0 6\nv 0 4 6\nv 2 4 6\n";
  int file = mkstemps(path, 4);
  CHECK(file >= 0 && write(file, obj, sizeof obj - 1) == (ssize_t)sizeof obj - 1, "%s", path);
  close(file);
}

/* A mesh as a body's only mass, mirrored by its scale. */
static void meshes_have_the_mass_of_their_hulls(void) {
  char path[] = "/tmp/brio-mesh-XXXXXX.obj", text[500];
  brio_link link;
  write_box(path);
  snprintf(text, sizeof text,
           "<mujoco model='m'><asset><mesh name='m' file='%s' scale='.1 -.1 .1'/></asset><worldbody>"
           "<body name='b'><geom type='mesh' mesh='m' pos='0 0 1'/></body></worldbody></mujoco>",
           path);
  brio_robot *robot = must_parse(text, NULL);
  if (robot) {
    const double inertia[6] = {48 * (.16 + .36) / 12, 0, 0, 48 * (.04 + .36) / 12, 0, 48 * (.04 + .16) / 12};
    link = robot->links[brio_robot_link(robot, "b", NULL)];
    check_link(&link, 48, (brio_vec3){.1, -.2, 1.3}, inertia, 1e-12, "mesh");
    CHECK(is_warned(robot, "has the mass of its convex hull"), "it is said");
  }
  brio_robot_free(robot);
  unlink(path);
}

static void a_mesh_that_is_too_large_to_weigh_is_named_with_its_line(void) {
  char path[] = "/tmp/brio-mesh-XXXXXX.obj", text[500];
  brio_error err = {0};
  write_box(path);
  snprintf(text, sizeof text,
           "<mujoco model='m'><asset><mesh name='m' file='%s' scale='1e9 1 1'/></asset><worldbody>\n"
           "<body name='b'><geom name='hall' type='mesh' mesh='m'/></body></worldbody></mujoco>",
           path);
  brio_robot *robot = brio_robot_parse(text, strlen(text), "m.xml", NULL, &err);
  CHECK(!robot && err.code == BRIO_FORMAT, "taken");
  CHECK_HAS(err.message, "m.xml:2: geom 'hall' of body 'b': its mesh: point");
  CHECK_HAS(err.message, "farther than 1e9 m");
  brio_robot_free(robot);
  unlink(path);
}

static void masses_are_as_the_file_says(void) {
  static const char given[] =
      "<inertial pos='1 2 3' mass='2' diaginertia='1 2 2.5' euler='0 0 1.5707963267948966'/>";
  brio_link link;
  char text[600];
  if (weigh("", given, &link))
    check_link(&link, 2, (brio_vec3){1, 2, 3}, (double[]){2, 0, 0, 1, 0, 2.5}, 1e-15, "turned");
  if (weigh("", "<inertial pos='0 0 0' mass='2' fullinertia='1 2 2.5 .1 .2 .3'/>", &link))
    check_link(&link, 2, (brio_vec3){0, 0, 0}, (double[]){1, .1, .2, 2, .3, 2.5}, 0, "whole");
  /* Geoms count where there is no <inertial>, or always, or never. */
  snprintf(text, sizeof text, "%s<geom size='1' density='3'/>", given);
  if (weigh("", text, &link)) CHECK(link.mass == 2, "auto: %g", link.mass);
  if (weigh("inertiafromgeom='true'", text, &link)) CHECK_NEAR(link.mass, 4 * BRIO_PI, 1e-14, "always");
  if (weigh("inertiafromgeom='false'", "<geom size='1'/>", &link))
    CHECK(link.mass == 0, "never: %g", link.mass);
  if (weigh("inertiagrouprange='2 3'", "<geom size='1' mass='4' group='3'/><geom size='1' mass='9'/>", &link))
    CHECK(link.mass == 4, "groups: %g", link.mass);
  if (weigh("settotalmass='10'", "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/>", &link))
    CHECK(link.mass == 10 && link.inertia[0] == 5, "total: %g, %g", link.mass, link.inertia[0]);
  if (weigh("boundmass='.5'", "<geom size='1' mass='.1'/>", &link))
    CHECK(link.mass == .5, "at least: %g", link.mass);
}

CHECK_SUITE(CHECK_TEST(solids_have_the_mass_of_their_volume), CHECK_TEST(parts_have_the_mass_of_the_whole),
            CHECK_TEST(hulls_have_the_mass_of_their_volume), CHECK_TEST(meshes_have_the_mass_of_their_hulls),
            CHECK_TEST(a_mesh_that_is_too_large_to_weigh_is_named_with_its_line),
            CHECK_TEST(masses_are_as_the_file_says))
