/* Reading MJCF: what each part of a file becomes, and errors that name file, line, element and what was
** expected. Masses and agreement with MuJoCo are in other suites. */
#include "robot/kinematics.h"

#include "base/random.h"
#include "tests/check.h"
#include "tests/engine/robot/mjcf.h"

/* An element takes what it lacks from its class, the class around it, and so on outwards. */
static void defaults_are_nested(void) {
  brio_robot *r = must_parse(
      MODEL("<compiler angle='radian'/><default><joint damping='1' armature='.5'/><geom size='.1'/>"
            "<default class='leg'><joint damping='2' axis='0 1 0'/>"
            "<default class='knee'><joint range='-1 2' stiffness='7' springref='.3'/><geom type='capsule' "
            "size='.2 .4'/></default>"
            "</default></default><default><joint frictionloss='1'/></default><default><joint "
            "frictionloss='3'/></default>"
            "<worldbody><body name='base'><body name='a'><joint name='a'/></body>"
            "<body name='b' childclass='leg'><geom name='ball'/><joint name='b'/>"
            "<body name='c'><geom name='rod' class='knee'/><joint name='c' class='knee' damping='9'/></body>"
            "<body name='d' childclass='main'><joint name='d'/></body></body></body></worldbody>"),
      NULL);
  if (!r) return;
  const struct {
    const char *name;
    double damping, armature, friction, stiffness;
    double y;
  } wanted[] = {{"a", 1, .5, 3, 0, 0}, {"b", 2, .5, 3, 0, 1}, {"c", 9, .5, 3, 7, 1}, {"d", 1, .5, 3, 0, 0}};
  for (int i = 0; i < 4; i++) {
    const brio_joint *j = joint_named(r, wanted[i].name);
    CHECK(j->damping == wanted[i].damping && j->armature == wanted[i].armature &&
              j->friction == wanted[i].friction && j->stiffness == wanted[i].stiffness &&
              j->axis.y == wanted[i].y,
          "%s", wanted[i].name);
  }
  const brio_variable *c = variable_named(r, "c");
  CHECK(c->lower == -1 && c->upper == 2 && joint_named(r, "c")->springref == .3, "range of a class");
  CHECK(r->ncollision == 2 && r->collisions[1].shape.kind == BRIO_SHAPE_CAPSULE &&
            r->collisions[1].shape.size.z == .8,
        "geom of a class");
  brio_robot_free(r);
}

static void ranges_limit_as_the_compiler_says(void) {
  static const struct {
    const char *compiler, *joint;
    bool limited;
    double upper;
  } rows[] = {{"", "range='-90 45'", true, BRIO_PI / 4},
              {"angle='radian'", "range='-1 .5'", true, .5},
              {"autolimits='false'", "range='-90 45'", false, 0},
              {"autolimits='false'", "range='-90 45' limited='true'", true, BRIO_PI / 4},
              {"", "range='-90 45' limited='false'", false, 0},
              {"", "range='0 0'", false, 0},
              {"", "", false, 0},
              {"", "type='slide' range='-90 45'", true, 45},
              {"", "type='slide'", false, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "<mujoco model='m'><compiler %s/><worldbody><body name='a'><joint name='j' %s/></body>"
             "</worldbody></mujoco>",
             rows[i].compiler, rows[i].joint);
    brio_robot *r = must_parse(text, NULL);
    if (!r) continue;
    const brio_variable *v = variable_named(r, "j");
    bool slides = strstr(rows[i].joint, "slide") != NULL;
    CHECK(v->circular == (!rows[i].limited && !slides), "%s %s", rows[i].compiler, rows[i].joint);
    if (rows[i].limited)
      CHECK_NEAR(v->upper, rows[i].upper, 1e-15, "%s %s", rows[i].compiler, rows[i].joint);
    else
      CHECK(isinf(v->lower) && isinf(v->upper), "%s %s: %g", rows[i].compiler, rows[i].joint, v->upper);
    CHECK(r->nwarning == 0, "%s", r->warnings[0]);
    brio_robot_free(r);
  }
}

/* The pose of a link with all variables at `value`. */
static brio_pose pose_at(const brio_robot *r, const char *link, const double *values) {
  brio_state state;
  brio_error err;
  double q[64];
  CHECK(brio_state_start(&state, r, &err) && r->nq <= 64, "%s", r->name);
  brio_robot_neutral(r, q);
  for (int i = 0; i < r->nvariable; i++) q[BRIO_BASE_NQ + i] = values[i];
  brio_state_update(&state, q);
  int place = brio_robot_link(r, link, &err);
  CHECK(place >= 0, "%s", err.message);
  brio_pose pose = brio_pose_of(&state.links[place < 0 ? 0 : place]);
  brio_state_end(&state);
  return pose;
}

static void check_same(brio_pose a, brio_pose b, const char *what) {
  CHECK(brio_vec3_norm(brio_vec3_sub(a.p, b.p)) < 1e-14 &&
            brio_quat_angle(brio_quat_mul(brio_quat_conj(a.q), b.q)) < 1e-14,
        "%s: %g %g %g", what, a.p.x - b.p.x, a.p.y - b.p.y, a.p.z - b.p.z);
}

/* A turn about an axis through a point. */
static brio_pose turn_about(brio_vec3 point, brio_vec3 axis, double angle) {
  brio_quat q = brio_quat_exp(brio_vec3_scale(angle, axis));
  return (brio_pose){brio_vec3_sub(point, brio_quat_rotate(q, point)), q};
}

/* Body from parent, by definition: held, then each joint about its anchor by value - ref. */
static void several_joints_move_one_body(void) {
  brio_robot *r =
      must_parse(MODEL("<compiler angle='radian'/><worldbody><body name='cart' pos='1 2 3' euler='.1 .2 .3'>"
                       "<joint name='slide' type='slide' axis='0 0 2' ref='.25'/>"
                       "<joint name='swing' axis='1 0 0' pos='0 .5 -.2' ref='-.7'/><joint name='spin' "
                       "axis='0 3 4' pos='.1 0 .3'/>"
                       "<geom size='.1'/></body></worldbody>"),
                 NULL);
  if (!r) return;
  CHECK(r->nlink == 4 && r->njoint == 3 && strcmp(r->links[3].name, "cart") == 0, "%d links", r->nlink);
  CHECK(r->links[1].mass == 0 && r->links[2].mass == 0 && r->links[3].mass > 0, "links between have no mass");
  brio_random random = brio_random_stream(1, "mjcf");
  for (int n = 0; n < 50; n++) {
    double v[3];
    for (int k = 0; k < 3; k++) v[k] = brio_random_uniform(&random, -3, 3);
    brio_quat held = brio_quat_mul(
        brio_quat_mul(brio_quat_exp((brio_vec3){.1, 0, 0}), brio_quat_exp((brio_vec3){0, .2, 0})),
        brio_quat_exp((brio_vec3){0, 0, .3}));
    brio_pose pose = {{1, 2, 3}, held};
    pose = brio_pose_mul(pose, (brio_pose){{0, 0, v[0] - .25}, BRIO_QUAT_IDENTITY});
    pose = brio_pose_mul(pose, turn_about((brio_vec3){0, .5, -.2}, (brio_vec3){1, 0, 0}, v[1] + .7));
    pose = brio_pose_mul(pose, turn_about((brio_vec3){.1, 0, .3}, (brio_vec3){0, .6, .8}, v[2]));
    check_same(pose_at(r, "cart", v), pose, "cart");
  }
  brio_robot_free(r);
}

/* The tree hangs from the other end: what is between two links does not change. */
static void joints_with_anchors_can_be_turned_around(void) {
  static const char text[] = MODEL("<worldbody><body name='hip' pos='0 0 1'><geom size='.1'/><body "
                                   "name='knee' pos='0 .1 -.4' euler='10 20 30'>"
                                   "<joint name='k' axis='0 1 1' pos='.05 0 .02' ref='20'/><geom "
                                   "size='.1'/><body name='foot' pos='0 0 -.4'>"
                                   "<joint name='f' type='slide' axis='1 0 0'/><joint name='g' pos='0 .1 "
                                   "0'/><geom size='.1'/></body></body></body></worldbody>");
  brio_robot *r = must_parse(text, NULL),
             *turned = must_parse(text, &(brio_robot_options){.stands_on = "foot"});
  if (r && turned) {
    CHECK(strcmp(turned->links[0].name, "foot") == 0, "root %s", turned->links[0].name);
    const double v[3] = {.4, -.2, 1.1};
    brio_pose hip = pose_at(r, "hip", v), foot = pose_at(r, "foot", v);
    check_same(pose_at(turned, "hip", v), brio_pose_mul(brio_pose_inverse(foot), hip), "hip from foot");
  }
  brio_robot_free(r);
  brio_robot_free(turned);
}

/* A ball at yaw, pitch and roll is turned as they say. */
static void a_ball_is_three_joints(void) {
  brio_robot *r =
      must_parse(ARM("<joint name='hip' type='ball' pos='0 0 .2' damping='1' range='0 30'/>"), NULL);
  if (!r) return;
  CHECK(r->nvariable == 3 && strcmp(r->variables[0].name, "hip.yaw") == 0 &&
            strcmp(r->variables[2].name, "hip.roll") == 0,
        "%d variables", r->nvariable);
  CHECK(is_warned(r, "range of a ball joint is ignored") && is_warned(r, "each of its three"), "warnings");
  const double v[3] = {.3, -.5, 1.2};
  brio_quat q = brio_quat_from_rpy(v[2], v[1], v[0]);
  brio_vec3 anchor = {0, 0, .2};
  brio_pose wanted = {brio_vec3_add((brio_vec3){0, 0, 1}, brio_vec3_sub(anchor, brio_quat_rotate(q, anchor))),
                      q};
  check_same(pose_at(r, "b", v), wanted, "ball");
  brio_robot_free(r);
}

/* One rotation written in five ways, and by axes that stay. */
static void orientations_of_every_kind(void) {
  static const char *const ways[] = {"quat='0.5 0.5 0.5 0.5'",   "quat='2 2 2 2'",  "axisangle='1 1 1 120'",
                                     "axisangle='-2 -2 -2 240'", "euler='90 90 0'", "xyaxes='0 1 0 0 0 1'",
                                     "xyaxes='0 3 0 0 7 1'"};
  const brio_quat wanted = {.5, .5, .5, .5};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char text[300];
    snprintf(text, sizeof text, "<mujoco model='m'><worldbody><body name='a' %s/></worldbody></mujoco>",
             ways[i]);
    brio_robot *r = must_parse(text, NULL);
    double none[1] = {0};
    if (r) check_same(pose_at(r, "a", none), (brio_pose){{0, 0, 0}, wanted}, ways[i]);
    brio_robot_free(r);
  }
  static const struct {
    const char *text;
    brio_vec3 z;
  } axes[] = {{"zaxis='0 0 -3'", {0, 0, -1}}, {"zaxis='1 0 0'", {1, 0, 0}}, {"zaxis='0 3 4'", {0, .6, .8}}};
  for (size_t i = 0; i < 3; i++) {
    char text[300];
    snprintf(text, sizeof text, "<mujoco model='m'><worldbody><body name='a' %s/></worldbody></mujoco>",
             axes[i].text);
    brio_robot *r = must_parse(text, NULL);
    if (!r) continue;
    brio_vec3 z = brio_quat_rotate(pose_at(r, "a", (double[]){0}).q, (brio_vec3){0, 0, 1});
    CHECK(brio_vec3_norm(brio_vec3_sub(z, axes[i].z)) < 1e-15, "%s", axes[i].text);
    brio_robot_free(r);
  }
  /* Large letters: about the axes of the parent, as URDF's roll, pitch, yaw. */
  brio_robot *r = must_parse(MODEL("<compiler eulerseq='XYZ' angle='radian'/><worldbody><body name='a' "
                                   "euler='.1 .2 .3'/></worldbody>"),
                             NULL);
  if (r)
    check_same(pose_at(r, "a", (double[]){0}), (brio_pose){{0, 0, 0}, brio_quat_from_rpy(.1, .2, .3)}, "XYZ");
  brio_robot_free(r);
}

/* What can touch is for collision, the rest for drawing. */
static void geoms_of_every_kind(void) {
  brio_robot *r = must_parse(
      WORLD("<body name='a'><geom name='ball' size='.5'/><geom type='box' size='1 2 3' pos='0 0 1'/>"
            "<geom type='cylinder' size='.1 .2' contype='2' conaffinity='4'/>"
            "<geom type='capsule' size='.1' fromto='0 0 0 0 3 4'/><geom type='ellipsoid' size='.3 .2 .1'/>"
            "<geom type='box' size='.1 .7' fromto='0 0 0 0 0 1'/>"
            "<geom size='.2' contype='0' conaffinity='0'/>\n<geom type='plane' size='1 1 1'/></body>"),
      NULL);
  if (!r) return;
  CHECK(r->ncollision == 6 && r->nvisual == 1 && r->visuals[0].shape.size.x == .2, "%d, %d", r->ncollision,
        r->nvisual);
  const brio_link_shape *s = r->collisions;
  CHECK(strcmp(s[0].name, "ball") == 0 && strcmp(s[1].name, "a.2") == 0 && s[1].shape.size.z == 6,
        "box: full lengths");
  CHECK(s[2].contact_type == 2 && s[2].contact_affinity == 4 && s[0].contact_type == 1, "bits");
  CHECK(s[2].shape.kind == BRIO_SHAPE_CYLINDER && s[2].shape.size.z == .4, "cylinder");
  CHECK_NEAR(s[3].shape.size.z, 5, 1e-15, "capsule between two points");
  brio_vec3 along = brio_quat_rotate(s[3].pose.q, (brio_vec3){0, 0, 1});
  CHECK(fabs(along.y + .6) + fabs(along.z + .8) < 1e-15 && s[3].pose.p.z == 2, "its axis");
  CHECK(s[5].shape.kind == BRIO_SHAPE_BOX && s[5].shape.size.y == .2 && s[5].shape.size.z == 1,
        "box between two points");
  CHECK(is_warned(r, "m.xml:4: <geom> of body 'a': a plane is left out"), "plane");
  /* The hull holds the ellipsoid, and is not much larger: the support in every direction says so. */
  brio_random random = brio_random_stream(2, "mjcf");
  for (int n = 0; n < 1000; n++) {
    brio_vec3 d = {brio_random_normal(&random), brio_random_normal(&random), brio_random_normal(&random)};
    d = brio_vec3_scale(1 / brio_vec3_norm(d), d);
    double support = sqrt(.09 * d.x * d.x + .04 * d.y * d.y + .01 * d.z * d.z), most = 0;
    for (int i = 0; i < s[4].shape.npoint; i++) most = fmax(most, brio_vec3_dot(d, s[4].shape.points[i]));
    CHECK(most >= support && most <= 1.026 * support, "support %g, ellipsoid %g", most, support);
  }
  brio_robot_free(r);
}

/* The root is the world, or the one body that is free. */
static void the_root_is_what_nothing_holds(void) {
  brio_robot *r =
      must_parse(WORLD("<geom type='box' size='1 1 1'/><light/><body name='a' pos='0 0 3'><freejoint/>"
                       "<geom size='.1'/></body>"),
                 NULL);
  if (r)
    CHECK(r->nlink == 1 && strcmp(r->links[0].name, "a") == 0 && r->nvariable == 0 && r->ncollision == 1,
          "free");
  if (r) CHECK(is_warned(r, "1 geom or sites of the world are ignored"), "the world's geoms");
  brio_robot_free(r);
  r = must_parse(
      WORLD("<geom type='box' size='1 1 1'/><body name='a' pos='0 0 3'/><body name='cup' pos='1 0 0'>"
            "<joint name='cup' type='free'/></body>"),
      NULL);
  if (!r) return;
  CHECK(r->nlink == 3 && strcmp(r->links[0].name, "world") == 0 && r->ncollision == 1 && r->mass == 0,
        "world");
  CHECK(joint_named(r, "cup")->type == BRIO_JOINT_FLOATING && r->nvariable == 6, "a thing that is free");
  CHECK(joint_named(r, "world-a")->type == BRIO_JOINT_FIXED && joint_named(r, "cup")->origin.p.x == 1,
        "fixed");
  brio_robot_free(r);
}

/* Sites are frames; a <frame> moves what is in it. */
static void sites_and_frames(void) {
  brio_robot *r =
      must_parse(WORLD("<body name='a' pos='0 0 1'><site name='tool' pos='.1 0 0' zaxis='1 0 0'/><site/>"
                       "<frame pos='0 2 0' euler='0 0 90'><body name='b' pos='1 0 0'><site "
                       "name='b'/></body><geom name='g' size='.1' pos='3 0 0'/>"
                       "<frame pos='1 0 0'><joint name='j' axis='1 0 0'/></frame></frame></body>"),
                 NULL);
  if (!r) return;
  const double v[1] = {0};
  CHECK(pose_at(r, "tool", v).p.z == 1 && pose_at(r, "tool", v).p.x == .1, "tool");
  brio_vec3 b = pose_at(r, "b", v).p, g = r->collisions[0].pose.p, axis = joint_named(r, "j")->axis;
  CHECK(fabs(b.x) < 1e-15 && fabs(b.y - 3) < 1e-15 && fabs(b.z - 1) < 1e-15, "body in a frame: %g %g %g", b.x,
        b.y, b.z);
  CHECK(fabs(g.x) < 1e-15 && fabs(g.y - 5) < 1e-15, "geom in a frame");
  CHECK(fabs(axis.y - 1) < 1e-15 && fabs(joint_named(r, "j")->origin.p.y - 3) < 1e-15, "joint in two frames");
  CHECK(r->nlink == 5 && brio_robot_link(r, "b.2", NULL) >= 0, "a site called like a body: %d links",
        r->nlink);
  brio_robot_free(r);
}

static void equalities_copy_and_close(void) {
  brio_robot *r = must_parse(
      MODEL("<compiler angle='radian'/><worldbody><body name='a'><joint name='j' ref='.5' range='-2 "
            "2'/><geom size='.1'/></body>"
            "<body name='b' pos='0 1 0' euler='0 0 1.5707963267948966'><joint name='k' ref='.2' range='-9 "
            "9'/><geom size='.1'/><site name='s'/></body>"
            "<body name='c'><joint name='l'/><joint name='p'/></body></worldbody><equality>"
            "<joint joint1='k' joint2='j' polycoef='0 -3'/><joint joint1='l' polycoef='.7'/>"
            "<joint joint1='p' joint2='l' polycoef='0 1 2'/><joint joint1='p' joint2='l' active='false'/>"
            "<connect name='pin' body1='a' body2='b' anchor='0 2 0'/><weld body1='a' body2='b'/>"
            "<weld body1='b' relpose='1 2 3 0 0 0 1'/><connect site1='s' site2='s'/><tendon "
            "tendon1='t'/></equality>"),
      NULL);
  if (!r) return;
  const brio_joint *k = joint_named(r, "k");
  CHECK(k->mimic == brio_robot_joint(r, "j", NULL) && k->multiplier == -3, "copy");
  CHECK_NEAR(k->offset, .2 + 3 * .5, 1e-15, "its offset");
  const brio_variable *l = variable_named(r, "l");
  CHECK(l->lower == .7 && l->upper == .7 && is_warned(r, "this joint cannot move"), "held");
  CHECK(is_warned(r, "only linear") && joint_named(r, "p")->mimic < 0, "not linear");
  CHECK(is_warned(r, "<joint> (1), <tendon> (1)"), "not active, not known");
  CHECK(r->nloop == 4 && is_warned(r, "4 loop closures"), "%d loops", r->nloop);
  /* Every loop is closed in the pose that the file describes: j at .5, k at .2. */
  const double v[4] = {.5, .7, 0, 0};
  CHECK(r->nvariable == 3, "%d", r->nvariable);
  for (int i = 0; i < r->nloop; i++) {
    const brio_loop *loop = &r->loops[i];
    brio_pose one = brio_pose_mul(pose_at(r, r->links[loop->links[0]].name, v), loop->frames[0]);
    brio_pose two = brio_pose_mul(pose_at(r, r->links[loop->links[1]].name, v), loop->frames[1]);
    if (loop->type == BRIO_LOOP_POINT) one.q = two.q;
    if (i != 2) check_same(one, two, loop->name);
  }
  const brio_loop *given = &r->loops[2];
  CHECK(given->type == BRIO_LOOP_POSE && given->frames[0].p.z == 3 && given->frames[0].q.z == 1 &&
            given->links[1] == 0,
        "a pose that is given, in the world");
  CHECK(strcmp(r->loops[0].name, "pin") == 0 && strcmp(r->loops[1].name, "a-b") == 0, "names");
  brio_robot_free(r);
}

static void efforts_come_from_actuators(void) {
  brio_robot *r = must_parse(MODEL("<default><motor gear='2'/></default><worldbody><body><joint "
                                   "name='a'/><joint name='b'/><joint name='c' actuatorfrcrange='-1 1'/>"
                                   "<joint name='d'/><joint name='e'/></body></worldbody><actuator>"
                                   "<motor joint='a' ctrlrange='-3 2'/><motor joint='a' ctrlrange='-1 1' "
                                   "gear='1' forcerange='-.5 .5'/>"
                                   "<position joint='b' ctrlrange='-3 3' forcerange='-10 12' "
                                   "gear='1'/><motor joint='c' ctrlrange='-9 9'/>"
                                   "<general joint='d' gainprm='4' ctrlrange='0 1' gear='-3'/><motor "
                                   "joint='e'/><motor tendon='t'/></actuator>"),
                             NULL);
  if (!r) return;
  CHECK(variable_named(r, "a")->effort == 2 * 3 + .5, "two motors: %g", variable_named(r, "a")->effort);
  CHECK(variable_named(r, "b")->effort == 12, "a servo: its force");
  CHECK(variable_named(r, "c")->effort == 1, "the joint's own");
  CHECK(variable_named(r, "d")->effort == 12, "gain and gear");
  CHECK(isinf(variable_named(r, "e")->effort), "no limit");
  CHECK(is_warned(r, "<motor> (1)"), "a tendon's");
  brio_robot_free(r);
}

/* One warning lists all ignored elements and their numbers. */
static void ignored_elements_are_listed_once(void) {
  brio_robot *r = must_parse(
      MODEL("<option timestep='.001'/><visual/><asset><texture/><material/></asset><worldbody><light/><body "
            "name='a'><camera/><camera/>"
            "<geom size='.1'/></body><body name='b'/></worldbody><contact><exclude body1='a' "
            "body2='b'/><pair/></contact><sensor/><keyframe/>"),
      NULL);
  if (!r) return;
  CHECK(r->nwarning == 1, "%d warnings", r->nwarning);
  CHECK(is_warned(r,
                  "ignored, because a robot model has no such parts: <texture> (1), <material> (1), <light> "
                  "(1), <camera> (2), "
                  "<pair> (1), <option> (1), <visual> (1), <sensor> (1)"),
        "%s", r->warnings[0]);
  CHECK(r->nexclude == 1 && r->excludes[0].links[0] == 1 && r->excludes[0].links[1] == 2, "excludes");
  brio_robot_free(r);
}

/* Key frames: joints in the order of the bodies, a ball and a free body by quaternions. */
static void keys_are_poses(void) {
  static const char text[] =
      MODEL("<worldbody><body name='a'><joint name='j' range='-90 90'/><geom size='.1'/><body name='b'>"
            "<joint name='k' type='ball'/></body></body><body name='c' pos='1 0 0' euler='0 0 90'><freejoint "
            "name='c'/></body>"
            "</worldbody><keyframe><key qpos='.5 .5 .5 .5 .5  1 2 3 1 0 0 0'/>\n<key qvel='1'/>"
            "<key name='far' qpos='2 1 0 0 0  1 0 0 1 0 0 1'/></keyframe>");
  brio_robot *r = must_parse(text, NULL);
  if (!r) return;
  CHECK(r->npose == 2 && strcmp(r->poses[0].name, "key1") == 0 && strcmp(r->poses[1].name, "far") == 0,
        "%d poses", r->npose);
  const double *q = r->poses[0].q + BRIO_BASE_NQ;
  CHECK(q[0] == .5, "hinge");
  check_same(pose_at(r, "b", q),
             (brio_pose){{0, 0, 0},
                         brio_quat_mul(brio_quat_exp((brio_vec3){0, 0, .5}), (brio_quat){.5, .5, .5, .5})},
             "ball");
  check_same(pose_at(r, "c", q), (brio_pose){{1, 2, 3}, BRIO_QUAT_IDENTITY}, "free, in the world");
  CHECK(r->poses[1].q[BRIO_BASE_NQ] == BRIO_PI / 2 && is_warned(r, "m.xml:3: key 'far': 'j' is 2, outside"),
        "range");
  CHECK(is_warned(r, "<key> (1)"), "a key without positions");
  brio_robot_free(r);
}

/* A body in a body, as deep as XML may be, and ten thousand side by side: no quadratic time. */
static void ten_thousand_bodies_load(void) {
  enum { COUNT = 10000 };
  char *text = malloc(COUNT * 120), *at = text;
  brio_error err;
  at += sprintf(at, "<mujoco model='m'><default><joint damping='1'/></default><worldbody>");
  for (int i = 0; i < COUNT; i++)
    at += sprintf(at, "<body pos='%d 0 0'><joint/><geom size='.1'/><site name='s%d'/></body>", i, i);
  strcpy(at, "</worldbody></mujoco>");
  brio_robot *r = parse(text, NULL, &err);
  CHECK(r && r->nvariable == COUNT && r->nlink == 2 * COUNT + 1, "%s", err.message);
  brio_robot_free(r);
  free(text);
}

CHECK_SUITE(CHECK_TEST(defaults_are_nested), CHECK_TEST(ranges_limit_as_the_compiler_says),
            CHECK_TEST(several_joints_move_one_body), CHECK_TEST(joints_with_anchors_can_be_turned_around),
            CHECK_TEST(a_ball_is_three_joints), CHECK_TEST(orientations_of_every_kind),
            CHECK_TEST(geoms_of_every_kind), CHECK_TEST(the_root_is_what_nothing_holds),
            CHECK_TEST(sites_and_frames), CHECK_TEST(equalities_copy_and_close),
            CHECK_TEST(efforts_come_from_actuators), CHECK_TEST(ignored_elements_are_listed_once),
            CHECK_TEST(keys_are_poses), CHECK_TEST(ten_thousand_bodies_load))
