/* Reading URDF: vendors' files load, and an error is refused with a sentence that names file, line, element
** and the expected value. */
#include "robot/robot.h"

#include <locale.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "tests/check.h"

#define LINKS(a, b) "<link name='" a "'/>\n<link name='" b "'/>\n"
#define ENDS "<parent link='a'/><child link='b'/>"
#define JOINT(type, inside) "<joint name='j' type='" type "'>" ENDS inside "</joint>\n"
#define ARM(inside) "<robot name='r'>\n" LINKS("a", "b") inside "</robot>"
#define RANGE "<limit lower='-1' upper='2' velocity='3' effort='4'/>"

static brio_robot *parse(const char *text, const brio_robot_options *options, brio_error *err) {
  return brio_robot_parse(text, strlen(text), "r.urdf", options, err);
}

static brio_robot *must_parse(const char *text, const brio_robot_options *options) {
  brio_error err;
  brio_robot *robot = parse(text, options, &err);
  CHECK(robot, "%s", err.message);
  return robot;
}

static bool is_warned(const brio_robot *robot, const char *piece) {
  for (int i = 0; i < robot->nwarning; i++)
    if (strstr(robot->warnings[i], piece)) return true;
  return false;
}

/* Every error: the text, and pieces of the sentence. */
static const struct {
  const char *what, *text;
  brio_code code;
  const char *pieces[3];
} errors[] = {
    {"nothing", "", BRIO_FORMAT, {"r.urdf:1", "no complete XML element"}},
    {"no XML", "hello", BRIO_FORMAT, {"r.urdf:1:1"}},
    {"cut off",
     "<robot name='r'>\n<link name='a'>\n<visual>",
     BRIO_FORMAT,
     {"cut off", "<visual> of line 3", "</visual>"}},
    {"cut off in a tag", "<robot name='r'>\n<link na", BRIO_FORMAT, {"cut off", "<robot> of line 1"}},
    {"wrong end tag", "<robot name='r'>\n<link></robot>", BRIO_FORMAT, {"r.urdf:2", "mismatched tag"}},
    {"entity", "<!DOCTYPE r [<!ENTITY a 'ha'>]><robot name='&a;'/>", BRIO_FORMAT, {"entities are declared"}},
    {"entity bomb",
     "<!DOCTYPE r [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'><!ENTITY c '&b;&b;'>]><robot name='&c;'/>",
     BRIO_FORMAT,
     {"entities are declared"}},
    {"external type",
     "<!DOCTYPE robot SYSTEM 'file:///etc/passwd'><robot name='r'/>",
     BRIO_FORMAT,
     {"not opened"}},
    {"another root", "<sdf/>", BRIO_FORMAT, {"<sdf>", "expected <robot>"}},
    {"no link", "<robot name='r'/>", BRIO_FORMAT, {"r.urdf:1", "no <link>"}},
    {"link without name",
     "<robot name='r'>\n<link/></robot>",
     BRIO_FORMAT,
     {"r.urdf:2", "'name' is missing"}},
    {"empty name", "<robot name='r'>\n<link name=''/></robot>", BRIO_FORMAT, {"r.urdf:2", "'name' is empty"}},
    {"link twice",
     "<robot name='r'>\n" LINKS("a", "a") "</robot>",
     BRIO_FORMAT,
     {"r.urdf:3", "link 'a'", "line 2"}},
    {"joint twice",
     ARM(JOINT("fixed", "") JOINT("fixed", "")),
     BRIO_FORMAT,
     {"r.urdf:5", "joint 'j'", "line 4"}},
    {"two roots", ARM(""), BRIO_FORMAT, {"link 'b'", "'a' (line 2)", "one root"}},
    {"two parents",
     "<robot name='r'>" LINKS("a", "b") "<link name='c'/>" JOINT(
         "fixed", "") "<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint></robot>",
     BRIO_FORMAT,
     {"joint 'k'", "'b' has a parent already", "'j'"}},
    {"cycle",
     ARM(JOINT("fixed", "") "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
     BRIO_FORMAT,
     {"cycle", "'a'", "'b'"}},
    {"cycle beside a root",
     "<robot name='r'><link name='root'/>" LINKS("a", "b") JOINT(
         "fixed", "") "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
     BRIO_FORMAT,
     {"cycle"}},
    {"own parent",
     "<robot name='r'><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='a'/>"
     "</joint></robot>",
     BRIO_FORMAT,
     {"joint 'j'", "cycle"}},
    {"undeclared child",
     "<robot name='r'><link name='elbow'/><joint name='j' type='fixed'><parent link='elbow'/>"
     "<child link='elbwo'/></joint></robot>",
     BRIO_FORMAT,
     {"<child> of joint 'j'", "'elbwo'", "did you mean 'elbow'"}},
    {"no parent",
     ARM("<joint name='j' type='fixed'><child link='b'/></joint>"),
     BRIO_FORMAT,
     {"joint 'j'", "no <parent"}},
    {"no child", ARM("<joint name='j' type='fixed'><parent link='b'/></joint>"), BRIO_FORMAT, {"no <child"}},
    {"parent without link",
     ARM("<joint name='j' type='fixed'><parent/><child link='b'/></joint>"),
     BRIO_FORMAT,
     {"<parent> of joint 'j'", "'link' is missing"}},
    {"no type", ARM("<joint name='j'>" ENDS "</joint>"), BRIO_FORMAT, {"joint 'j'", "'type' is missing"}},
    {"odd type", ARM(JOINT("hinge", "")), BRIO_FORMAT, {"type='hinge'", "expected fixed, revolute"}},
    {"zero axis",
     ARM(JOINT("continuous", "<axis xyz='0 0 0'/>")),
     BRIO_FORMAT,
     {"<axis> of joint 'j'", "no direction"}},
    {"short axis",
     ARM(JOINT("continuous", "<axis xyz='0 1'/>")),
     BRIO_FORMAT,
     {"xyz='0 1'", "three finite numbers"}},
    {"long axis", ARM(JOINT("continuous", "<axis xyz='0 1 0 0'/>")), BRIO_FORMAT, {"three finite numbers"}},
    {"nan",
     ARM(JOINT("fixed", "<origin xyz='0 nan 0'/>")),
     BRIO_FORMAT,
     {"<origin> of joint 'j'", "xyz='0 nan 0'"}},
    {"infinite", ARM(JOINT("fixed", "<origin rpy='0 inf 0'/>")), BRIO_FORMAT, {"rpy='0 inf 0'", "finite"}},
    {"overflow", ARM(JOINT("fixed", "<origin xyz='0 1e999 0'/>")), BRIO_FORMAT, {"1e999", "finite"}},
    {"hexadecimal", ARM(JOINT("fixed", "<origin xyz='0 0x10 0'/>")), BRIO_FORMAT, {"0x10"}},
    {"comma", ARM(JOINT("fixed", "<origin xyz='0,1,0'/>")), BRIO_FORMAT, {"'0,1,0'", "three finite numbers"}},
    {"letters", ARM(JOINT("fixed", "<origin xyz='0 1m 0'/>")), BRIO_FORMAT, {"1m"}},
    {"xacro value",
     ARM(JOINT("fixed", "<origin xyz='0 0 ${height}'/>")),
     BRIO_FORMAT,
     {"${height}", "xacro"}},
    {"xacro element",
     "<robot name='r'><xacro:include filename='x'/></robot>",
     BRIO_FORMAT,
     {"<xacro:include>", "xacro"}},
    {"lower above upper",
     ARM(JOINT("revolute", "<limit lower='2' upper='1'/>")),
     BRIO_FORMAT,
     {"<limit> of joint 'j'", "lower=2 is above upper=1"}},
    {"negative velocity",
     ARM(JOINT("revolute", "<limit lower='0' upper='1' velocity='-1'/>")),
     BRIO_FORMAT,
     {"velocity=-1"}},
    {"negative mass",
     "<robot name='r'>\n<link name='a'><inertial><mass value='-2'/></inertial></link></robot>",
     BRIO_FORMAT,
     {"r.urdf:2", "<mass> of link 'a'", "value=-2"}},
    {"mass without value",
     "<robot name='r'><link name='a'><inertial><mass/></inertial></link></robot>",
     BRIO_FORMAT,
     {"'value' is missing"}},
    {"copies nobody",
     ARM(JOINT("revolute", RANGE "<mimic joint='jj'/>")),
     BRIO_FORMAT,
     {"<mimic> of joint 'j'", "'jj'", "did you mean 'j'"}},
    {"copies itself",
     ARM(JOINT("revolute", RANGE "<mimic joint='j'/>")),
     BRIO_FORMAT,
     {"<mimic> of joint 'j'", "mimics itself"}},
    {"copies a fixed joint",
     "<robot name='r'>" LINKS("a", "b") "<link name='c'/>" JOINT(
         "fixed", "") "<joint name='k' type='revolute'><parent link='b'/><child link='c'/>" RANGE
                      "<mimic joint='j'/></joint></robot>",
     BRIO_FORMAT,
     {"<mimic> of joint 'k'", "fixed joint"}},
    {"floating joint copies",
     ARM(JOINT("floating", "<mimic joint='j'/>")),
     BRIO_FORMAT,
     {"floating joint cannot copy"}},
    {"shape without geometry",
     "<robot name='r'><link name='a'><visual/></link></robot>",
     BRIO_FORMAT,
     {"<visual> of link 'a'", "<geometry>"}},
    {"negative radius",
     "<robot name='r'><link name='a'><collision><geometry><sphere radius='-1'/></geometry></collision>"
     "</link></robot>",
     BRIO_FORMAT,
     {"<sphere> of link 'a'", "radius=-1"}},
    {"box without size",
     "<robot name='r'><link name='a'><collision><geometry><box/></geometry></collision></link></robot>",
     BRIO_FORMAT,
     {"<box> of link 'a'", "'size' is missing"}},
    {"variable named twice",
     "<robot name='r'>" LINKS("a", "b") "<link name='c'/>" JOINT(
         "planar",
         "") "<joint name='j.x' type='continuous'><parent link='b'/><child link='c'/></joint></robot>",
     BRIO_FORMAT,
     {"'j.x'"}},
};

static void errors_say_what_where_and_what_was_expected(void) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    brio_error err = {0};
    brio_robot *robot = parse(errors[i].text, NULL, &err);
    CHECK(!robot, "%s: was taken", errors[i].what);
    CHECK(robot || err.code == errors[i].code, "%s: code %s", errors[i].what, brio_code_name(err.code));
    CHECK(robot || strncmp(err.message, "r.urdf:", 7) == 0, "%s: no place in '%s'", errors[i].what,
          err.message);
    for (int k = 0; !robot && k < 3 && errors[i].pieces[k]; k++)
      CHECK(strstr(err.message, errors[i].pieces[k]), "%s: no '%s' in '%s'", errors[i].what,
            errors[i].pieces[k], err.message);
    brio_robot_free(robot);
    robot = parse(errors[i].text, NULL, NULL); /* the error may be NULL */
    CHECK(!robot, "%s: was taken the second time", errors[i].what);
  }
}

static void a_plain_arm(void) {
  brio_robot *r =
      must_parse(ARM("<joint name='j' type='revolute'><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>" ENDS
                     "<axis xyz='0 3 4'/>" RANGE "<dynamics damping='0.5' friction='0.25'/></joint>"),
                 NULL);
  if (!r) return;
  CHECK(r->nlink == 2 && r->njoint == 1 && r->nvariable == 1 && r->nq == 8 && r->nv == 7 && r->nwarning == 0,
        "counts, %d warnings: %s", r->nwarning, r->nwarning ? r->warnings[0] : "");
  CHECK(strcmp(r->name, "r") == 0 && strcmp(r->links[0].name, "a") == 0 && r->links[1].parent == 0, "tree");
  CHECK(r->links[0].joint == -1 && r->links[1].joint == 0 && r->order[0] == 0, "tree");
  const brio_joint *j = &r->joints[0];
  CHECK(j->type == BRIO_JOINT_REVOLUTE && j->variable == 0 && j->nvariable == 1 && j->mimic == -1, "joint");
  CHECK_NEAR(j->axis.y, 0.6, 1e-15, "the axis is put at length 1");
  CHECK_NEAR(j->axis.z, 0.8, 1e-15, "the axis is put at length 1");
  CHECK_NEAR(j->origin.r[3], 1, 1e-15, "yaw");
  CHECK(j->origin.p.z == 3 && j->damping == 0.5 && j->friction == 0.25, "numbers");
  const brio_variable *v = &r->variables[0];
  CHECK(v->lower == -1 && v->upper == 2 && v->velocity == 3 && v->effort == 4 && isinf(v->acceleration),
        "limits");
  CHECK(v->angular && !v->circular && strcmp(v->name, "j") == 0, "variable");
  CHECK(brio_robot_link(r, "b", NULL) == 1 && brio_robot_joint(r, "j", NULL) == 0, "names");
  brio_robot_free(r);
}

static void every_joint_type_has_its_variables(void) {
  static const struct { const char *text, *names[7]; } kinds[] = {
      {ARM(JOINT("fixed", "<axis xyz='0 0 0'/>")), {NULL}},
      {ARM(JOINT("revolute", RANGE)), {"j"}},
      {ARM(JOINT("continuous", "")), {"j"}},
      {ARM(JOINT("prismatic", RANGE)), {"j"}},
      {ARM(JOINT("planar", "")), {"j.x", "j.y", "j.angle"}},
      {ARM(JOINT("floating", "")), {"j.x", "j.y", "j.z", "j.roll", "j.pitch", "j.yaw"}}};
  for (int k = 0; k < BRIO_NJOINT_TYPE; k++) {
    brio_robot *r = must_parse(kinds[k].text, NULL);
    if (!r) continue;
    int count = 0;
    while (kinds[k].names[count]) count++;
    CHECK((int)r->joints[0].type == k && r->nvariable == count && r->joints[0].nvariable == count, "%d", k);
    for (int i = 0; i < count && i < r->nvariable; i++)
      CHECK(strcmp(r->variables[i].name, kinds[k].names[i]) == 0, "%s", r->variables[i].name);
    if (k == BRIO_JOINT_CONTINUOUS)
      CHECK(r->variables[0].circular && isinf(r->variables[0].lower), "circular");
    if (k == BRIO_JOINT_PRISMATIC) CHECK(!r->variables[0].angular, "a length");
    brio_robot_free(r);
  }
}

static void missing_ranges_are_warned_of(void) {
  brio_robot *r = must_parse(ARM(JOINT("revolute", "<limit velocity='0' effort='0'/>")), NULL);
  if (!r) return;
  CHECK_NEAR(r->variables[0].upper, BRIO_PI, 0, "revolute");
  CHECK(is_warned(r, "r.urdf:4: joint 'j': this revolute joint has no range"), "warning");
  CHECK(isinf(r->variables[0].velocity) && is_warned(r, "velocity=0"), "0 is not known");
  CHECK(isinf(r->variables[0].effort) && is_warned(r, "effort=0"), "0 is not known");
  brio_robot_free(r);
  if (!(r = must_parse(ARM(JOINT("prismatic", "")), NULL))) return;
  CHECK(r->variables[0].lower == -1 && r->variables[0].upper == 1 && is_warned(r, "+-1 m"), "prismatic");
  brio_robot_free(r);
  if (!(r = must_parse(ARM(JOINT("revolute", "<limit upper='0.5' velocity='1' effort='1'/>")), NULL))) return;
  CHECK(r->variables[0].lower == 0 && r->variables[0].upper == 0.5 && r->nwarning == 0,
        "URDF's 0 for one end");
  brio_robot_free(r);
}

static void undeclared_parents_stand_at_the_origin(void) {
  brio_robot *r =
      must_parse("<robot name='r'>\n<link name='a'/>\n<joint name='j' type='fixed'>\n<parent link='world'/>"
                 "<child link='a'/></joint></robot>",
                 NULL);
  if (!r) return;
  CHECK(r->nlink == 2 && strcmp(r->links[0].name, "world") == 0 && r->njoint == 1,
        "one undeclared: the root");
  CHECK(is_warned(r, "r.urdf:4: <parent> of joint 'j': link 'world' is not declared"), "%s", r->warnings[0]);
  brio_robot_free(r);
  r = must_parse(
      "<robot name='r'>" LINKS(
          "a", "b") "<link name='c'/>"
                    "<joint name='x-a' type='fixed'><parent link='x'/><child link='b'/></joint>"
                    "<joint name='k' type='fixed'><parent link='world'/><child link='c'/></joint></robot>",
      NULL);
  if (!r) return;
  CHECK(r->nlink == 5 && r->njoint == 4 && strcmp(r->links[0].name, "world") == 0,
        "several: world is the root");
  CHECK(is_warned(r, "'a' is held at the origin of 'world'") && is_warned(r, "'x' is held"),
        "both are told of");
  CHECK(r->links[brio_robot_link(r, "a", NULL)].parent == 0 && brio_robot_joint(r, "world-a", NULL) == 2,
        "a");
  brio_robot_free(r);
  r = must_parse(
      "<robot name='r'>" LINKS("a", "b") "<joint name='x-a' type='fixed'><parent link='x'/><child link='b'/>"
                                         "</joint></robot>",
      NULL);
  if (!r) return;
  CHECK(brio_robot_joint(r, "x-a.2", NULL) == 1 && strcmp(r->links[0].name, "x") == 0,
        "a name that is taken");
  brio_robot_free(r);
}

/* Three joints: k mimics j, l mimics k. */
#define COPIES                                                                                               \
  "<robot name='r'><link name='d'/>" LINKS(                                                                  \
      "a", "b") "<link name='c'/>"                                                                           \
                "<joint name='l' type='revolute'><parent link='c'/><child link='d'/><mimic joint='k' "       \
                "multiplier='3' offset='0.5'/></joint>"                                                      \
                "<joint name='k' type='continuous'><parent link='b'/><child link='c'/><mimic joint='j' "     \
                "multiplier='-2' offset='1'/></joint>" JOINT("revolute", RANGE) "</robot>"

static void chains_of_copies_are_followed(void) {
  brio_robot *r = must_parse(COPIES, NULL);
  brio_error err;
  if (!r) return;
  const brio_joint *l = &r->joints[0];
  CHECK(r->nvariable == 1 && l->mimic == 2 && l->variable == 0 && l->nvariable == 1, "one variable");
  CHECK_NEAR(l->multiplier, -6, 0, "3 (-2 v + 1) + 0.5");
  CHECK_NEAR(l->offset, 3.5, 0, "3 (-2 v + 1) + 0.5");
  CHECK(r->nwarning == 0, "a copy needs no range");
  CHECK(brio_robot_variable(r, "l", &err) == -1, "no variable");
  CHECK_HAS(err.message, "joint 'l' of robot 'r' copies 'j'");
  CHECK(strcmp(r->links[3].name, "d") == 0 && r->order[0] == 2 && r->order[2] == 0, "parents first");
  brio_robot_free(r);
  if (!(r = must_parse(COPIES, &(brio_robot_options){.independent_mimic = true}))) return;
  CHECK(r->nvariable == 3 && r->joints[0].mimic == -1 && r->joints[0].multiplier == 1 &&
            r->joints[0].offset == 0,
        "on their own");
  brio_robot_free(r);
}

static void inertias_are_turned_into_the_link(void) {
  brio_robot *r = must_parse(
      "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass "
      "value='2'/>"
      "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='0.2' iyz='0.3'/></inertial></link></robot>",
      NULL);
  if (!r) return;
  static const double expected[6] = {2, -0.1, -0.3, 1, 0.2, 2.5}; /* x is the old y, y the old -x */
  for (int k = 0; k < 6; k++) CHECK_NEAR(r->links[0].inertia[k], expected[k], 1e-15, "%d", k);
  CHECK(r->mass == 2 && r->links[0].com.y == 2 && r->nwarning == 0, "mass");
  brio_robot_free(r);
  r = must_parse("<robot name='r'><link name='a'><inertial><mass value='2'/><inertia ixx='1' iyy='1' "
                 "izz='9'/></inertial>"
                 "</link></robot>",
                 NULL);
  if (!r) return;
  CHECK(is_warned(r, "this inertia is impossible"), "a plate cannot be that thin");
  brio_robot_free(r);
}

/* Principal moments a, b, c in any axes are those of a solid up to c = a + b, a plate, and no further; they
** are rounded to six digits, as exporters write them. */
static void inertias_of_no_solid_are_warned_of_in_any_axes(void) {
  brio_random random = brio_random_stream(5, "test.inertia");
  for (int round = 0; round < 200; round++) {
    double a = brio_random_uniform(&random, 0.2, 2), b = brio_random_uniform(&random, 0.2, 2), angle[3];
    double c = (a + b) * (round % 2 ? 1.01 : 1);
    for (int k = 0; k < 3; k++) angle[k] = brio_random_uniform(&random, -3, 3);
    char text[400];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><inertial><origin rpy='%g %g %g'/><mass value='2'/>"
             "<inertia ixx='%.6g' iyy='%.6g' izz='%.6g'/></inertial></link></robot>",
             angle[0], angle[1], angle[2], a, b, c);
    brio_robot *r = must_parse(text, NULL);
    if (!r) return;
    CHECK(is_warned(r, "this inertia is impossible") == (round % 2 == 1), "%g %g %g", a, b, c);
    brio_robot_free(r);
  }
  /* 1, 1 and 9, half a right angle about x: the diagonal alone would do. */
  brio_robot *r = must_parse("<robot name='r'><link name='a'><inertial><mass value='2'/>"
                             "<inertia ixx='1' iyy='5' izz='5' iyz='4'/></inertial></link></robot>",
                             NULL);
  if (!r) return;
  CHECK(is_warned(r, "a principal moment exceeds the sum of the others"), "not seen in other axes");
  brio_robot_free(r);
}

static void shapes_of_every_kind(void) {
  brio_robot *r = must_parse(
      "<robot name='r'>\n<link name='a'>"
      "<collision><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry></collision>"
      "<collision name='ball'><geometry><sphere radius='0.5'/></geometry></collision>"
      "<collision><geometry><cylinder radius='0.1' length='0.2'/></geometry></collision>"
      "<collision><geometry><capsule radius='0.1' length='0.2'/></geometry></collision>\n"
      "<collision><geometry><sphere radius='0'/></geometry></collision>\n"
      "<collision><geometry><mesh filename='package://none/arm.stl'/></geometry></collision>"
      "<collision><geometry><mesh filename='package://none/arm.stl'/></geometry></collision>"
      "<collision><geometry><mesh filename='arm.dae'/></geometry></collision>"
      "<collision><geometry><torus/></geometry></collision>"
      "<visual><geometry><box size='1 1 1'/></geometry></visual></link></robot>", NULL);
  if (!r) return;
  static const char *const names[] = {"a", "ball", "a.3", "a.4"};
  static const brio_shape_kind kinds[] = {BRIO_SHAPE_BOX, BRIO_SHAPE_SPHERE, BRIO_SHAPE_CYLINDER,
                                          BRIO_SHAPE_CAPSULE};
  CHECK(r->ncollision == 4 && r->nvisual == 1, "%d collision shapes", r->ncollision);
  for (int i = 0; i < 4 && i < r->ncollision; i++) {
    CHECK(r->collisions[i].shape.kind == kinds[i] && r->collisions[i].link == 0, "%d", i);
    CHECK(strcmp(r->collisions[i].name, names[i]) == 0, "%s", r->collisions[i].name);
  }
  CHECK(r->collisions[0].pose.p.z == 1 && r->collisions[0].shape.size.y == 2, "box");
  CHECK(r->collisions[3].shape.size.x == 0.1 && r->collisions[3].shape.size.z == 0.2, "capsule");
  CHECK(is_warned(r, "r.urdf:4: <mesh> of link 'a': mesh 'package://none/arm.stl' is left out"),
        "missing mesh");
  CHECK(is_warned(r, "'arm.dae'") && is_warned(r, "<torus>") && is_warned(r, "without size"), "the others");
  CHECK(r->nwarning == 4, "one warning a file, %d in all", r->nwarning);
  brio_robot_free(r);
}

static void depth_size_and_number_are_bounded(void) {
  brio_text text = {0};
  brio_error err;
  for (int i = 0; i < 70; i++) brio_text_format(&text, "<a>");
  CHECK(!parse(text.bytes, NULL, &err) && err.code == BRIO_LIMIT, "depth");
  CHECK_HAS(err.message, "64 deep");
  brio_text_clear(&text);
  char path[] = "/tmp/brio-urdf-XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0 && ftruncate(file, 100 << 20) == 0, "cannot make a large file");
  clock_t before = clock();
  CHECK(!brio_robot_load(path, NULL, &err) && err.code == BRIO_LIMIT, "size: %s", brio_code_name(err.code));
  CHECK((double)(clock() - before) / CLOCKS_PER_SEC < 0.05, "it was read before it was refused");
  CHECK_HAS(err.message, path);
  close(file);
  unlink(path);
  CHECK(!brio_robot_load(path, NULL, &err) && err.code == BRIO_NO_FILE, "no file");
  CHECK(!brio_robot_load("/", NULL, &err) && err.code == BRIO_NO_FILE, "a folder");
  brio_text_end(&text);
}

/* A chain, each joint mimicking the one before: names, tree and mimics without
** recursion or quadratic time. */
static void ten_thousand_joints_load_fast(void) {
  enum { COUNT = 10000 };
  brio_text text = {0};
  brio_error err;
  brio_text_format(&text, "<robot name='chain'>");
  for (int i = COUNT; i >= 0; i--) brio_text_format(&text, "<link name='l%d'/>", i);
  for (int i = 0; i < COUNT; i++)
    brio_text_format(&text, "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/>"
                     "<origin xyz='0 0 0.001'/><mimic joint='j%d'/></joint>", i, i, i + 1, i + 1);
  brio_text_format(&text,
                   "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='end'/></joint>"
                   "<link name='end'/></robot>",
                   COUNT, COUNT);
  clock_t before = clock();
  brio_robot *r = parse(text.bytes, NULL, &err);
  double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
  CHECK(r && r->njoint == COUNT + 1 && r->nvariable == 1, "%s", err.message);
  CHECK(seconds < 2, "%g s", seconds); /* about 0.03 s without sanitizers */
  if (r) CHECK(strcmp(r->links[5000].name, "l5000") == 0 && r->joints[0].mimic == COUNT, "order");
  brio_robot_free(r);
  brio_text_end(&text);
}

static void numbers_do_not_depend_on_the_language(void) {
  static const char *const languages[] = {"de_DE.UTF-8", "fr_FR.UTF-8"};
  for (int i = 0; i < 2; i++)
    if (setlocale(LC_ALL, languages[i])) break;
  brio_robot *r = must_parse(
      ARM(JOINT("prismatic", "<limit lower='-0.5' upper='+.25e1' velocity='1.5' effort='1'/>")), NULL);
  setlocale(LC_ALL, "C");
  if (!r) return;
  CHECK(r->variables[0].lower == -0.5 && r->variables[0].upper == 2.5 && r->variables[0].velocity == 1.5,
        "numbers");
  brio_robot_free(r);
}

static void options_set_the_base(void) {
  brio_error err;
  brio_robot_options options = {.base = BRIO_BASE_BOUNDED, .base_range = {0.1, 0.1, 0, 0, 0, 1},
                                .base_center = {{1, 2, 3}, {0, 0, 2, 0}}};
  brio_robot *r = must_parse("<robot name='r'><link name='a'/></robot>", &options);
  double q[BRIO_BASE_NQ];
  if (!r) return;
  brio_robot_neutral(r, q);
  CHECK(q[2] == 3 && q[5] == 1 && q[6] == 0 && r->base == BRIO_BASE_BOUNDED && r->base_range[5] == 1, "base");
  brio_robot_free(r);
  options.base_range[1] = NAN;
  CHECK(!parse("<robot name='r'><link name='a'/></robot>", &options, &err) && err.code == BRIO_MISUSE, "nan");
}

static void neutral_is_within_the_ranges(void) {
  brio_robot *r =
      must_parse(ARM(JOINT("revolute", "<limit lower='1' upper='2' velocity='1' effort='1'/>")), NULL);
  double q[8];
  if (!r) return;
  brio_robot_neutral(r, q);
  CHECK(q[7] == 1.5 && q[6] == 1, "middle");
  brio_robot_free(r);
}

static void names_that_are_wrong_get_a_hint(void) {
  brio_robot *r =
      must_parse("<robot name='r'>" LINKS(
                     "shoulder", "elbow") "<joint name='elbow_joint' type='fixed'>"
                                          "<parent link='shoulder'/><child link='elbow'/></joint></robot>",
                 NULL);
  brio_error err;
  if (!r) return;
  CHECK(brio_robot_link(r, "elbo", &err) == -1 && err.code == BRIO_MISUSE, "link");
  CHECK(strcmp(err.message, "robot 'r' has no link 'elbo' (did you mean 'elbow'?)") == 0, "%s", err.message);
  CHECK(brio_robot_joint(r, "elbow_jiont", &err) == -1, "joint");
  CHECK_HAS(err.message, "did you mean 'elbow_joint'");
  CHECK(brio_robot_variable(r, "elbow_joint", &err) == -1, "variable");
  CHECK_HAS(err.message, "is fixed and has no variable");
  brio_robot_free(r);
}

static void limits_only_get_tighter(void) {
  brio_robot *r = must_parse(ARM(JOINT("revolute", RANGE)), NULL);
  brio_error err;
  if (!r) return;
  const brio_variable *v = &r->variables[0];
  CHECK(brio_robot_set_limits(r, 0, &(brio_limits){-0.5, NAN, NAN, 12}, &err), "%s", err.message);
  CHECK(v->lower == -0.5 && v->upper == 2 && v->velocity == 3 && v->acceleration == 12, "set");
  CHECK(!brio_robot_set_limits(r, 0, &(brio_limits){NAN, 3, NAN, NAN}, &err) && err.code == BRIO_MISUSE,
        "wider");
  CHECK(!brio_robot_set_limits(r, 0, &(brio_limits){1, 0, NAN, NAN}, &err), "upside down");
  CHECK(!brio_robot_set_limits(r, 0, &(brio_limits){NAN, NAN, 0, NAN}, &err), "no velocity");
  CHECK(!brio_robot_set_limits(r, 1, &(brio_limits){NAN, NAN, NAN, NAN}, &err), "no variable");
  brio_robot_free(r);
}

static void equal_text_has_an_equal_digest(void) {
  brio_robot *a = must_parse(ARM(JOINT("fixed", "")), NULL), *b = must_parse(ARM(JOINT("fixed", " ")), NULL);
  brio_robot *c = must_parse(ARM(JOINT("fixed", "")), NULL);
  if (a && b && c) CHECK(a->hash == c->hash && a->hash != b->hash, "equal text, equal digest");
  brio_robot_free(a);
  brio_robot_free(b);
  brio_robot_free(c);
}

CHECK_SUITE(CHECK_TEST(errors_say_what_where_and_what_was_expected), CHECK_TEST(a_plain_arm),
            CHECK_TEST(every_joint_type_has_its_variables), CHECK_TEST(missing_ranges_are_warned_of),
            CHECK_TEST(undeclared_parents_stand_at_the_origin), CHECK_TEST(chains_of_copies_are_followed),
            CHECK_TEST(inertias_are_turned_into_the_link),
            CHECK_TEST(inertias_of_no_solid_are_warned_of_in_any_axes), CHECK_TEST(shapes_of_every_kind),
            CHECK_TEST(depth_size_and_number_are_bounded), CHECK_TEST(ten_thousand_joints_load_fast),
            CHECK_TEST(numbers_do_not_depend_on_the_language), CHECK_TEST(options_set_the_base),
            CHECK_TEST(neutral_is_within_the_ranges), CHECK_TEST(names_that_are_wrong_get_a_hint),
            CHECK_TEST(limits_only_get_tighter), CHECK_TEST(equal_text_has_an_equal_digest))
