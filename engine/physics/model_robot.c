/* A robot as nested bodies.  A body's frame is its link's; the joint that carries it stands in that frame,
** where the tail of a joint that was turned around (robot.h) says. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "physics/model_internal.h"

#define ARMATURE_TURN 0.01 /* kg m^2: of a motor's rotor at the joint, at most */
#define ARMATURE_SLIDE 0.1 /* kg: the same of a prismatic joint */
#define ARMATURE_SHARE 0.1 /* of the torque, at most, that accelerates the rotor as fast as the joint may */
#define USUAL_ACCELERATION 50.0 /* rad/s^2 or m/s^2: of a joint without a limit */
#define THIN 2e-3               /* m: flatter hulls are boxes, as they have no volume to speak of */
#define MIN_HALF 5e-3           /* m: half lengths of a made-up box */
#define MAX_HALF 0.5            /* m */
#define SPECK 1e-9              /* kg: of a link whose mass is in what is fixed to it */
#define SPECK_TURN 1e-12        /* kg m^2 */
#define GYRATION 0.02           /* m: radius of gyration of a stated mass */

/* The robot that is written, and where to. */
typedef struct writer {
  brio_text *out;
  const brio_model_options *options;
  brio_model_notes *notes;
  brio_error *err;
} writer;

/* "world" is the format's own. */
const char *brio_model_body(const char *link) {
  return strcmp(link, "world") == 0 ? "robot's world" : link;
}

/* Whether a hull is too flat for a mesh; then `box` holds it. */
static bool is_thin(const brio_shape *shape, brio_shape *box, brio_vec3 *middle) {
  brio_vec3 low = shape->points[0], high = low;
  /* The extent along each axis of the shape's frame. */
  for (int i = 1; i < shape->npoint; i++) {
    brio_vec3 p = shape->points[i];
    low = (brio_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
    high = (brio_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
  }
  /* The box about it, at least as thick as a mesh has to be. */
  brio_vec3 size = brio_vec3_sub(high, low);
  *middle = brio_vec3_scale(0.5, brio_vec3_add(low, high));
  *box = (brio_shape){.kind = BRIO_SHAPE_BOX,
                      .size = {fmax(size.x, THIN), fmax(size.y, THIN), fmax(size.z, THIN)}};
  return shape->npoint < 4 || fmin(size.x, fmin(size.y, size.z)) < THIN;
}

/* The shapes for contact, then those that are drawn: one list, whose numbers name the meshes. */
static const brio_link_shape *shape_of(const brio_robot *robot, int number) {
  return number < robot->ncollision ? &robot->collisions[number]
                                    : &robot->visuals[number - robot->ncollision];
}

/* Whether a link has shapes among those from `first` to before `end`. */
static bool has_shape(const brio_robot *robot, int link, int first, int end) {
  for (int i = first; i < end; i++)
    if (shape_of(robot, i)->link == link) return true;
  return false;
}

/* The shapes of a link for contact, as a range of the list; false: it has none. */
static bool shapes_of(const brio_robot *robot, int link, int *first, int *end) {
  *first = 0;
  *end = robot->ncollision;
  if (has_shape(robot, link, *first, *end)) return true;
  /* None for contact: those that are drawn. */
  *first = *end;
  *end = robot->ncollision + robot->nvisual;
  return has_shape(robot, link, *first, *end);
}

void brio_model_robot_meshes(brio_text *out, const brio_robot *robot) {
  brio_text_format(out, "  <asset>\n");
  for (int i = 0; i < robot->ncollision + robot->nvisual; i++) {
    const brio_link_shape *shape = shape_of(robot, i);
    int first, end;
    brio_shape box;
    brio_vec3 middle;
    /* Only what is used: a hull of a link's own range that is not flat. */
    if (shape->shape.kind != BRIO_SHAPE_HULL || !shapes_of(robot, shape->link, &first, &end)) continue;
    if (i >= first && i < end && !is_thin(&shape->shape, &box, &middle))
      brio_model_mesh(out, &shape->shape, i);
  }
  brio_text_format(out, "  </asset>\n");
}

/* Add one shape of a link. */
static void write_shape(brio_text *out, const brio_shape *shape, brio_pose pose, int mesh) {
  brio_shape box;
  brio_vec3 middle;
  brio_text_format(out, "<geom");
  /* A flat hull becomes the box around it, at its middle. */
  if (shape->kind == BRIO_SHAPE_HULL && is_thin(shape, &box, &middle)) {
    pose.p = brio_pose_point(pose, middle);
    shape = &box;
  }
  brio_model_shape(out, shape, pose, mesh);
  brio_model_touches(out, brio_model_of_links);
  brio_text_format(out, "/>");
}

/* Note a link's name in a list. */
static void note(brio_text *list, int *count, const char *name) {
  brio_text_format(list, "%s%s", (*count)++ ? ", " : "", name);
}

/* The mass of a link and all that is fixed to it, kg. */
static double mass_of(const brio_robot *robot, int number) {
  /* Fixed children have larger numbers, as parents come first. O(links) for each link */
  double mass = robot->links[number].mass;
  for (int i = number + 1; i < robot->nlink; i++) {
    const brio_link *link = &robot->links[i];
    if (link->parent == number && robot->joints[link->joint].type == BRIO_JOINT_FIXED)
      mass += mass_of(robot, i);
  }
  return mass;
}

/* A body's mass, its middle, and its moments about that (xx xy xz yy yz zz). */
typedef struct inertial {
  double mass;
  brio_vec3 com;
  double moments[6];
} inertial;

/* The inertial of a mass whose moments are the same about all axes. */
static inertial ball_of(double mass, brio_vec3 com, double moment) {
  return (inertial){mass, com, {moment, 0, 0, moment, 0, moment}};
}

/* Whether a symmetric matrix (xx xy xz yy yz zz) is positive definite, or off by no more than `off`, by
** Sylvester's criterion; its numbers are about `scale`. */
static bool is_positive(const double *m, double off, double scale) {
  /* The leading minors: xx, that of xx and yy, and the determinant. */
  double minor = m[0] * m[3] - m[1] * m[1];
  double whole = m[0] * (m[3] * m[5] - m[4] * m[4]) - m[1] * (m[1] * m[5] - m[4] * m[2]) +
                 m[2] * (m[1] * m[4] - m[3] * m[2]);
  return m[0] > -off && minor > -off * scale && whole > -off * scale * scale;
}

/* Whether these moments are those of a body: they are positive, and so are the second moments of its mass,
** trace / 2 - I, where a flat body has a 0. */
static bool is_inertia(const double *I) {
  /* Source: Wensing, Kim, Slotine, "Linear matrix inequalities for physically consistent inertial
  ** parameter identification", 2018. */
  double half = 0.5 * (I[0] + I[3] + I[5]);
  const double second[] = {half - I[0], -I[1], -I[2], half - I[3], -I[4], half - I[5]};
  return is_positive(I, 0, 0) && is_positive(second, 1e-15, half);
}

/* The inertial of a link.  One that moves must have a mass: its own, or that of what is fixed to it. */
static bool inertial_of(writer *w, int number, bool moves, inertial *out) {
  const brio_link *link = &w->options->robot->links[number];
  const double *I = link->inertia, mean = (I[0] + I[3] + I[5]) / 3;
  const brio_vec3 origin = {0, 0, 0};
  /* As the file has it. */
  if (link->mass > 0 && is_inertia(I)) {
    *out = (inertial){link->mass, link->com, {I[0], I[1], I[2], I[3], I[4], I[5]}};
    return true;
  }
  /* Moments of no body: their mean, if that is above 0. */
  if (link->mass > 0) {
    *out = ball_of(link->mass, link->com, mean > 0 ? mean : link->mass * GYRATION * GYRATION);
    note(&w->notes->inertias, &w->notes->ninertia, link->name);
    return true;
  }
  /* A speck, where the mass is further out, or does not count; else the stated one. */
  *out = ball_of(SPECK, origin, SPECK_TURN);
  if (!moves || mass_of(w->options->robot, number) > 0) return true;
  /* A mass that the options state, as a ball of a usual radius of gyration. */
  double mass = w->options->massless;
  if (!(mass > 0))
    return brio_fail(w->err, BRIO_MISUSE, "robot '%s': link '%s' moves and has no mass: physics needs one",
                     w->options->robot->name, link->name);
  *out = ball_of(mass, origin, mass * GYRATION * GYRATION);
  note(&w->notes->masses, &w->notes->nmass, link->name);
  return true;
}

/* Add the inertial. The format has the diagonal first: xx yy zz xy xz yz. */
static void write_inertial(brio_text *out, const inertial *body) {
  const double com[] = {body->com.x, body->com.y, body->com.z}, *I = body->moments,
               order[] = {I[0], I[3], I[5], I[1], I[2], I[4]};
  brio_text_format(out, "<inertial");
  brio_model_numbers(out, "pos", com, 3);
  brio_model_numbers(out, "mass", &body->mass, 1);
  brio_model_numbers(out, "fullinertia", order, 6);
  brio_text_format(out, "/>");
}

/* Half the length of a box along an axis, from the moments about the two others and about it. A box of
** half lengths a, b, c has I_x = m (b^2 + c^2) / 3, so a^2 = 1.5 (I_y + I_z - I_x) / m. */
static double half_of(double mass, double a, double b, double about) {
  return fmin(MAX_HALF, fmax(MIN_HALF, sqrt(fmax(0, 1.5 * (a + b - about) / mass))));
}

/* Add the shapes of a link; one with mass and without any gets a box that has its moments of inertia, if it
** is `loose`: joints move it, or what carries it. */
static void write_shapes(writer *w, int number, const inertial *body, bool loose) {
  const brio_robot *robot = w->options->robot;
  assert(body->mass > 0);
  int first, end;
  bool any = shapes_of(robot, number, &first, &end);
  /* Its own shapes, as in the file. */
  for (int i = first; any && i < end; i++) {
    const brio_link_shape *shape = shape_of(robot, i);
    if (shape->link == number) write_shape(w->out, &shape->shape, shape->pose, i);
  }
  if (any || !loose || w->options->bare || body->mass <= SPECK) return;
  const double *I = body->moments;
  brio_shape box = {.kind = BRIO_SHAPE_BOX,
                    .size = {2 * half_of(body->mass, I[3], I[5], I[0]),
                             2 * half_of(body->mass, I[0], I[5], I[3]),
                             2 * half_of(body->mass, I[0], I[3], I[5])}};
  write_shape(w->out, &box, (brio_pose){body->com, {0, 0, 0, 1}}, 0);
  note(&w->notes->shapes, &w->notes->nshape, robot->links[number].name);
}

/* The rotor of a joint's motor, as it acts at the joint, kg m^2 or kg: as the robot has it, or made up. */
static double armature_of(const brio_model_options *options, const brio_joint *joint) {
  const brio_robot *robot = options->robot;
  const brio_model_transmission *transmission = brio_model_transmission_of(options, joint);
  if (transmission && transmission->rotor > 0) return transmission->rotor;
  if (joint->armature > 0) return joint->armature;
  const brio_variable *variable = &robot->variables[joint->variable];
  /* A light link at a strong servo would need shorter steps without a rotor; a large one would take the
  ** torque that the joint needs to accelerate. */
  double most = variable->angular ? ARMATURE_TURN : ARMATURE_SLIDE;
  double fastest = isfinite(variable->acceleration) ? variable->acceleration : USUAL_ACCELERATION;
  return isfinite(variable->effort) ? fmin(most, ARMATURE_SHARE * variable->effort / fastest) : most;
}

/* The place and axis of a joint in the frame of its link: the inverse of the tail. */
static void place_of(const brio_joint *joint, double *pos, double *axis) {
  brio_vec3 turned = brio_transform_undirection(&joint->tail, joint->axis),
            back = brio_transform_undirection(&joint->tail, joint->tail.p);
  pos[0] = -back.x, pos[1] = -back.y, pos[2] = -back.z;
  axis[0] = turned.x, axis[1] = turned.y, axis[2] = turned.z;
}

/* Add the rotor of a link's joint before the link, if it moves on its own. */
static void write_rotor(writer *w, const brio_link *link, brio_pose pose) {
  const brio_joint *joint = &w->options->robot->joints[link->joint];
  double pos[3], axis[3];
  if (!brio_model_is_elastic(brio_model_transmission_of(w->options, joint))) return;
  place_of(joint, pos, axis);
  brio_model_rotor(w->out, joint, brio_model_body(link->name), pose, pos, axis,
                   armature_of(w->options, joint));
}

/* Add the joint of a body. */
static bool write_joint(writer *w, const brio_joint *joint) {
  const brio_robot *robot = w->options->robot;
  /* A fixed joint has no element: nested bodies without a joint are one. */
  bool slides = joint->type == BRIO_JOINT_PRISMATIC;
  if (joint->type == BRIO_JOINT_FIXED) return true;
  if (joint->nvariable != 1)
    return brio_fail(w->err, BRIO_MISUSE, "robot '%s': joint '%s' is %s, which physics does not have",
                     robot->name, joint->name, brio_joint_type_name(joint->type));
  const brio_variable *variable = &robot->variables[joint->variable];
  bool elastic = brio_model_is_elastic(brio_model_transmission_of(w->options, joint));
  const double range[] = {variable->lower, variable->upper},
               armature = elastic ? 0 : armature_of(w->options, joint);
  double pos[3], axis[3];
  place_of(joint, pos, axis);
  brio_text_format(w->out, "<joint");
  brio_model_name(w->out, "name", joint->name);
  brio_model_name(w->out, "type", slides ? "slide" : "hinge");
  brio_model_numbers(w->out, "pos", pos, 3);
  brio_model_numbers(w->out, "axis", axis, 3);
  /* A mimic joint's range follows from its source's. */
  if (joint->mimic < 0 && isfinite(range[0]) && isfinite(range[1])) {
    brio_text_format(w->out, " limited=\"true\"");
    brio_model_numbers(w->out, "range", range, 2);
  }
  brio_model_numbers(w->out, "damping", &joint->damping, 1);
  brio_model_numbers(w->out, "frictionloss", &joint->friction, 1);
  brio_model_numbers(w->out, "armature", &armature, 1);
  brio_model_numbers(w->out, "stiffness", &joint->stiffness, 1);
  brio_model_numbers(w->out, "springref", &joint->springref, 1);
  brio_text_format(w->out, "/>");
  return true;
}

/* Begin the body of a link: its name, place and joint; the root is fixed to the world, or free. */
static bool begin_body(writer *w, const brio_link *link) {
  const brio_robot *robot = w->options->robot;
  /* The root stands where the options say, else where the robot's base is. */
  brio_pose pose = w->options->base ? *w->options->base : robot->base_center;
  bool root = link->joint < 0;
  if (!root) {
    const brio_joint *joint = &robot->joints[link->joint];
    /* A joint at value 0: the motion between origin and tail is none. */
    brio_transform origin = brio_transform_mul(&joint->origin, &joint->tail);
    pose = brio_pose_of(&origin);
    write_rotor(w, link, pose);
  }
  brio_text_format(w->out, "    <body");
  brio_model_name(w->out, "name", brio_model_body(link->name));
  brio_model_pose(w->out, pose);
  brio_text_format(w->out, ">");
  if (!root) return write_joint(w, &robot->joints[link->joint]);
  if (w->options->free_base) brio_text_format(w->out, "<freejoint name=\"" BRIO_MODEL_BASE "\"/>");
  return true;
}

/* Add a link, and in it all that it carries.  `loose`: what carries it moves. */
static bool write_body(writer *w, int number, bool loose) {
  const brio_robot *robot = w->options->robot;
  const brio_link *link = &robot->links[number];
  assert(robot->joints || robot->nlink == 1);
  bool moves = link->joint < 0 ? w->options->free_base : robot->joints[link->joint].type != BRIO_JOINT_FIXED;
  inertial body;
  if (!begin_body(w, link) || !inertial_of(w, number, moves, &body)) return false;
  write_inertial(w->out, &body);
  write_shapes(w, number, &body, loose || moves);
  const char *imu = w->options->imu;
  if (imu && strcmp(imu, link->name) == 0) brio_text_format(w->out, "<site name=\"imu\"/>");
  brio_text_format(w->out, "\n");
  /* Children come after their parents in the list. */
  for (int i = number + 1; i < robot->nlink; i++)
    if (robot->links[i].parent == number && !write_body(w, i, loose || moves)) return false;
  brio_text_format(w->out, "    </body>\n");
  return true;
}

bool brio_model_robot_bodies(brio_text *out, const brio_model_options *options, brio_model_notes *notes,
                            brio_error *err) {
  writer w = {out, options, notes, err};
  return write_body(&w, 0, false);
}

void brio_model_robot_couplings(brio_text *out, const brio_robot *robot) {
  /* A mimic joint has no servo: a constraint moves it. */
  brio_text_format(out, "  <equality>\n");
  for (int i = 0; i < robot->njoint; i++) {
    const brio_joint *joint = &robot->joints[i];
    if (joint->mimic < 0) continue;
    /* MuJoCo: joint1 = a0 + a1 joint2 + a2 joint2^2 + ... */
    const double line[] = {joint->offset, joint->multiplier, 0, 0, 0};
    /* The usual stiffness is that of a soft spring where a light finger follows a motor that presses. */
    brio_text_format(out, "    <joint solref=\"0.004 1\" solimp=\"0.99 0.999 1e-4\"");
    brio_model_name(out, "joint1", joint->name);
    brio_model_name(out, "joint2", robot->joints[joint->mimic].name);
    brio_model_numbers(out, "polycoef", line, 5);
    brio_text_format(out, "/>\n");
  }
  brio_model_loops(out, robot);
  brio_text_format(out, "  </equality>\n");
}

void brio_model_robot_servos(brio_text *out, const brio_model_options *options) {
  const brio_robot *robot = options->robot;
  brio_text_format(out, "  <actuator>\n");
  /* Their gains are set when the robot's motors are known. */
  for (int i = 0; i < robot->njoint; i++) {
    const brio_joint *joint = &robot->joints[i];
    if (joint->mimic >= 0 || joint->nvariable != 1) continue;
    brio_text_format(out, "    <general biastype=\"affine\" gainprm=\"0\" biasprm=\"0 0 0\" "
                          "forcelimited=\"true\" forcerange=\"-1 1\"");
    brio_model_name(out, "name", joint->name);
    brio_model_motor(out, joint, brio_model_is_elastic(brio_model_transmission_of(options, joint)));
    brio_text_format(out, "/>\n");
  }
  brio_text_format(out, "  </actuator>\n");
}

void brio_model_robot_sensors(brio_text *out, const char *imu) {
  /* All three at the site that write_body has put into the link. */
  brio_text_format(out, "  <sensor>\n    <accelerometer name=\"" BRIO_MODEL_ACCELERATION "\" site=\"imu\"/>\n"
                        "    <gyro name=\"" BRIO_MODEL_TURN "\" site=\"imu\"/>\n"
                        "    <framequat name=\"" BRIO_MODEL_ORIENTATION "\" objtype=\"xbody\"");
  brio_model_name(out, "objname", brio_model_body(imu));
  brio_text_format(out, "/>\n  </sensor>\n");
}
