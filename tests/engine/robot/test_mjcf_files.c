/* MJCF in files: errors that name file, line, element and what was expected; other files that are included.
 */
#include <unistd.h>

#include "tests/engine/robot/mjcf.h"

/* Every error: the text, and pieces of the sentence. */
static const struct {
  const char *what, *text;
  const char *pieces[3];
} errors[] = {
    {"no body", WORLD(""), {"m.xml:2: <worldbody>: it has no <body>"}},
    {"no world", MODEL(""), {"m.xml:1", "it has no <body>"}},
    {"one name twice",
     ARM("<joint name='j'/>\n<joint name='j'/>"),
     {"m.xml:6", "'j' of body 'b'", "joint of line 5"}},
    {"two bodies of one name", WORLD("<body name='a'/>\n<body name='a'/>"), {"m.xml:4: body 'a'", "line 3"}},
    {"the world's name", WORLD("<body name='world'/>"), {"m.xml:3", "belongs to the world"}},
    {"odd joint",
     ARM("<joint name='j' type='screw'/>"),
     {"m.xml:5: joint 'j' of body 'b'", "expected hinge, slide, ball or free"}},
    {"zero axis", ARM("<joint axis='0 0 0'/>"), {"m.xml:5: <joint> of body 'b'", "no direction"}},
    {"short axis", ARM("<joint axis='0 1'/>"), {"axis='0 1'", "three finite numbers"}},
    {"not a number", ARM("<joint damping='nan'/>"), {"damping='nan'", "a finite number"}},
    {"range upside down", ARM("<joint range='2 1'/>"), {"range='2 1'", "lower end first"}},
    {"limited without range", ARM("<joint limited='true'/>"), {"limited='true'", "no 'range'"}},
    {"odd flag", ARM("<joint limited='yes'/>"), {"limited='yes'", "expected false, true or auto"}},
    {"negative damping", ARM("<joint damping='-1'/>"), {"damping=-1", "at least 0"}},
    {"free below the top", ARM("<freejoint/>"), {"<freejoint> of body 'b'", "<worldbody>"}},
    {"free with another", WORLD("<body name='a'><freejoint/>\n<joint/></body>"), {"must be the only joint"}},
    {"two orientations",
     ARM("<site name='s' euler='0 0 1' quat='1 0 0 0'/>"),
     {"site 's' of body 'b'", "both 'quat' and 'euler'"}},
    {"no rotation", ARM("<site name='s' quat='0 0 0 0'/>"), {"quat='0 0 0 0'", "no direction"}},
    {"flat axes", ARM("<site name='s' xyaxes='1 0 0 2 0 0'/>"), {"xyaxes", "no direction"}},
    {"sizes",
     ARM("<geom type='box' size='1 1'/>"),
     {"<geom> of body 'b'", "2 sizes", "expected 3 for a box"}},
    {"no size", ARM("<geom type='capsule' size='0 1'/>"), {"size 1 of this capsule is 0", "above 0"}},
    {"one point twice",
     ARM("<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>"),
     {"both points are the same"}},
    {"odd geom", ARM("<geom type='torus' size='1'/>"), {"type='torus'", "expected sphere, capsule"}},
    {"half a bit", ARM("<geom size='1' contype='0.5'/>"), {"contype=0.5", "whole number"}},
    {"mesh that is not there",
     ARM("<geom type='mesh' mesh='claw'/>"),
     {"mesh='claw'", "<asset> has no such mesh"}},
    {"mesh that is called like its file",
     MODEL("<asset><mesh name='hand' file='a.stl'/><mesh file='parts/claws.stl'/></asset>"
           "<worldbody><body><geom type='mesh' mesh='claw'/></body></worldbody>"),
     {"<asset> has no such mesh", "did you mean 'claws'"}},
    {"mesh behind one that is called like its file",
     MODEL("<asset><mesh file='parts/arm.stl'/><mesh name='claws' file='a.stl'/></asset>"
           "<worldbody><body><geom type='mesh' mesh='claw'/></body></worldbody>"),
     {"<asset> has no such mesh", "did you mean 'claws'"}},
    {"mesh without name", ARM("<geom type='mesh'/>"), {"'mesh' is missing"}},
    {"mass", ARM("<inertial pos='0 0 0' mass='-1'/>"), {"<inertial> of body 'b'", "at least 0 kg"}},
    {"no mass", ARM("<inertial pos='0 0 0'/>"), {"'mass' is missing"}},
    {"two inertias",
     ARM("<inertial mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>"),
     {"expected one"}},
    {"turned whole inertia",
     ARM("<inertial mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 0'/>"),
     {"an orientation"}},
    {"class that is not there",
     ARM("<geom class='arm' size='1'/>"),
     {"m.xml:5: <geom> of body 'b'", "class='arm'", "no such class"}},
    {"class near by",
     MODEL("<default><default class='arms'/></default><worldbody><body childclass='arm'/></worldbody>"),
     {"childclass='arm'", "did you mean 'arms'"}},
    {"class without name",
     MODEL("<default>\n<default/></default>"),
     {"m.xml:3: <default>", "'class' is missing"}},
    {"class twice",
     MODEL("<default><default class='a'/>\n<default class='a'/></default>"),
     {"m.xml:3", "'a' already"}},
    {"odd angle", MODEL("<compiler angle='turn'/>"), {"m.xml:2: <compiler>", "expected degree or radian"}},
    {"odd euler axes", MODEL("<compiler eulerseq='xyw'/>"), {"eulerseq='xyw'", "three of x, y, z"}},
    {"global coordinates",
     MODEL("<compiler coordinate='global'/>"),
     {"coordinate='global'", "expected local"}},
    {"bodies made otherwise",
     ARM("<replicate count='3'><geom size='1'/></replicate>"),
     {"<replicate> of body 'b'", "mj_saveLastXML"}},
    {"include that is not there",
     MODEL("<include file='/none/b.xml'/>"),
     {"m.xml:2: <include>", "no file '/none/b.xml'"}},
    {"include without file", MODEL("<include/>"), {"'file' is missing"}},
    {"loop to nothing",
     MODEL("<worldbody><body name='left'/></worldbody><equality>\n<connect body1='lift' body2='left' "
           "anchor='0 0 0'/></equality>"),
     {"m.xml:3: <connect>", "no such body", "did you mean 'left'"}},
    {"loop without anchor",
     MODEL("<worldbody><body name='a'/></worldbody><equality><connect body1='a'/></equality>"),
     {"'anchor' is missing"}},
    {"loop without body",
     MODEL("<worldbody><body name='a'/></worldbody><equality><weld body2='a'/></equality>"),
     {"'body1' is missing"}},
    {"copy of nothing",
     MODEL("<worldbody><body><joint name='j'/></body></worldbody><equality><joint joint1='j' "
           "joint2='k'/></equality>"),
     {"joint2='k'", "no joint is called that"}},
    {"copy of a ball",
     MODEL("<worldbody><body><joint name='j' type='ball'/></body></worldbody><equality><joint "
           "joint1='j'/></equality>"),
     {"joint1='j'", "expected a hinge or a slide"}},
    {"copies in a circle",
     MODEL("<worldbody><body><joint name='j'/><joint name='k'/></body></worldbody><equality><joint "
           "joint1='j' joint2='k'/>\n"
           "<joint joint1='k' joint2='j'/></equality>"),
     {"mimics itself"}},
    {"motor of nothing",
     MODEL("<worldbody><body><joint name='j'/></body></worldbody><actuator>\n<motor joint='jj'/></actuator>"),
     {"m.xml:3: <motor>", "joint='jj'", "did you mean 'j'"}},
    {"joint of the world", WORLD("<joint/><body/>"), {"m.xml:3: <joint>", "expected it in a <body>"}},
    {"key",
     MODEL(
         "<worldbody><body><joint/></body></worldbody><keyframe>\n<key name='home' qpos='1 2'/></keyframe>"),
     {"m.xml:3: key 'home'", "qpos='1 2'", "expected 1 finite number up"}},
    {"exclude of nothing",
     MODEL("<worldbody><body name='a'/></worldbody><contact><exclude body1='a' body2='c'/></contact>"),
     {"body2='c'", "no such body"}},
};

static void errors_say_what_where_and_what_was_expected(void) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    brio_error err = {0};
    brio_robot *robot = parse(errors[i].text, NULL, &err);
    CHECK(!robot && err.code == BRIO_FORMAT, "%s: code %s", errors[i].what, brio_code_name(err.code));
    for (int k = 0; k < 3 && errors[i].pieces[k]; k++)
      CHECK(strstr(err.message, errors[i].pieces[k]), "%s: '%s' in '%s'", errors[i].what, errors[i].pieces[k],
            err.message);
    brio_robot_free(robot);
  }
}

static void an_unknown_root_names_the_formats(void) {
  brio_error err;
  CHECK(!parse("<sdf/>", NULL, &err), "sdf");
  CHECK_HAS(err.message,
            "m.xml:1: <sdf>: the first element is <sdf>: expected <robot> (URDF) or <mujoco> (MJCF)");
}

/* --- other files --- */

static void write_file(const char *folder, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0, "%s", path);
  if (file) fclose(file);
}

static brio_robot *load_file(const char *folder, const char *name, brio_error *err) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return brio_robot_load(path, NULL, err);
}

static void other_files_are_included(void) {
  char folder[] = "/tmp/brio-mjcf-XXXXXX", command[100];
  brio_error err;
  CHECK(mkdtemp(folder), "no folder");
  write_file(folder, "main.xml",
             MODEL("<include file='options.xml'/><worldbody><body name='a'><include "
                   "file='part.xml'/></body></worldbody>"));
  write_file(folder, "options.xml",
             "<mujocoinclude><compiler angle='radian' meshdir='m/'/><asset><mesh name='tip' file='t.obj' "
             "scale='1 -2 1' refpos='1 0 0'/></asset></mujocoinclude>");
  write_file(folder, "part.xml",
             "<mujocoinclude>\n<joint name='j' range='-1 1'/><geom type='mesh' mesh='tip'/>\n<body "
             "name='b'/></mujocoinclude>");
  snprintf(command, sizeof command, "mkdir %s/m", folder);
  CHECK(system(command) == 0, "%s", command);
  write_file(folder, "m/t.obj", "v 1 0 0\nv 2 0 0\nv 1 1 0\nv 1 0 1\n");
  brio_robot *r = load_file(folder, "main.xml", &err);
  CHECK(r, "%s", err.message);
  if (r) {
    CHECK(variable_named(r, "j")->upper == 1 && brio_robot_link(r, "b", NULL) > 0, "from other files");
    CHECK(r->ncollision == 1 && r->collisions[0].shape.npoint == 4 &&
              strcmp(r->collisions[0].mesh, "m/t.obj") == 0,
          "mesh");
    double least = 0, most = 0;
    for (int i = 0; i < r->collisions[0].shape.npoint; i++) {
      least = fmin(least, r->collisions[0].shape.points[i].y);
      most = fmax(most, r->collisions[0].shape.points[i].x);
    }
    CHECK(least == -2 && most == 1, "scaled and moved: %g %g", least, most);
  }
  uint64_t before = r ? r->hash : 0;
  brio_robot_free(r);
  write_file(folder, "part.xml",
             "<mujocoinclude>\n<joint name='j' range='-1 2'/>\n<body nam='b'><geom/></body></mujocoinclude>");
  r = load_file(folder, "main.xml", &err);
  CHECK(!r, "a geom without size");
  CHECK_HAS(err.message, "/part.xml:3: <geom>");
  brio_robot_free(r);
  write_file(folder, "part.xml", "<mujocoinclude><joint name='j' range='-1 2'/></mujocoinclude>");
  if ((r = load_file(folder, "main.xml", &err))) CHECK(r->hash != before, "another file, the same digest");
  brio_robot_free(r);
  write_file(folder, "part.xml", "<mujocoinclude><body>\n<include file='part.xml'/></body></mujocoinclude>");
  CHECK(!load_file(folder, "main.xml", &err), "a file in itself");
  CHECK_HAS(err.message, "/part.xml:2: <include>");
  CHECK_HAS(err.message, "expected each file once");
  write_file(folder, "part.xml", "<mujocoinclude><body>");
  CHECK(!load_file(folder, "main.xml", &err), "cut off");
  CHECK_HAS(err.message, "/part.xml:1");
  write_file(folder, "part.xml", "<robot/>");
  CHECK(!load_file(folder, "main.xml", &err), "another format");
  CHECK_HAS(err.message, "expected <mujocoinclude> or <mujoco>");
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0, "%s", command);
}

CHECK_SUITE(CHECK_TEST(errors_say_what_where_and_what_was_expected),
            CHECK_TEST(an_unknown_root_names_the_formats), CHECK_TEST(other_files_are_included))
