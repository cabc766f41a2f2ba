/* URDF 1.0 as vendors really write it (http://wiki.ros.org/urdf/XML), with the liberties that real
** files take:
**   - a parent link that is never declared becomes a link at the world's origin, with a warning.
**     If that leaves several roots, they are joined by made-up fixed joints under one of the
**     undeclared ones: the one called "world", else the first.  Two declared roots are an error, as
**     a joint was forgotten then;
**   - a revolute or prismatic joint without a range gets +-pi, or +-1 m, with a warning;
**   - a greatest velocity or effort of 0 means "not known", as exporters write it, with a warning; a
**     limit from 1e9 on means that there is none, as they write that;
**   - a joint that copies another keeps to its own range and speed too: those of the joint that it
**     copies are narrowed, with a warning, unless the two have no value in common;
**   - <capsule radius length> is read like a cylinder with round ends added;
**   - a mesh that cannot be read is left out with a warning;
**   - elements that URDF does not define (gazebo, transmission, ...) are ignored.
** Anything else is an error that names file, line, element and what was expected. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/text.h"
#include "robot/program_internal.h"
#include "robot/urdf_internal.h"

static const size_t LARGEST = 32u << 20; /* bytes of a URDF file */

/* Count the children of a name, so that memory can be allocated before they are read. O(children) */
static int count_children(const brio_xml *element, const char *name) {
  int n = 0;
  for (const brio_xml *e = brio_xml_child(element, name); e; e = brio_xml_next(e, name)) n++;
  return n;
}

/* Rotate an inertia matrix (xx xy xz yy yz zz) from the axes of `q` into those that q is given in: R I
** R^T. */
static void turn_inertia(brio_quat q, double i[6]) {
  brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, q});
  double a[9] = {i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]}, b[9], c[9];
  /* b = R a, then c = b R^T. */
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++)
      b[3 * r + k] = t.r[3 * r] * a[k] + t.r[3 * r + 1] * a[3 + k] + t.r[3 * r + 2] * a[6 + k];
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++)
      c[3 * r + k] = b[3 * r] * t.r[3 * k] + b[3 * r + 1] * t.r[3 * k + 1] + b[3 * r + 2] * t.r[3 * k + 2];
  memcpy(i, (double[]){c[0], c[1], c[2], c[4], c[5], c[8]}, 6 * sizeof *i);
}

/* Whether a solid can have this inertia: each moment is at most the sum of the two others, and the matrix is
** positive semi-definite (Sylvester's criterion, with some slack for rounding). */
static bool is_physical(const double i[6]) {
  double xx = i[0], xy = i[1], xz = i[2], yy = i[3], yz = i[4], zz = i[5], trace = xx + yy + zz;
  double slack = 1e-6 * fabs(trace);
  /* The principal minors: xx, that of xx and yy, and the determinant. */
  double minor = xx * yy - xy * xy;
  double all = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx >= -slack && yy >= -slack && zz >= -slack && xx + yy >= zz - slack && yy + zz >= xx - slack &&
         zz + xx >= yy - slack && minor >= -slack * slack && all >= -slack * slack * slack;
}

/* Read the inertia, kg m^2. One that no solid has is a warning, as simulators accept it. Errors: format. */
static bool read_inertia(brio_urdf *urdf, const brio_xml *inertial, brio_quat q, brio_link *link) {
  static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const brio_xml *element = brio_xml_child(inertial, "inertia");
  if (!element) return true;
  for (int k = 0; k < 6; k++)
    if (!brio_urdf_numbers_if(urdf, element, names[k], 1, &link->inertia[k])) return false;
  turn_inertia(q, link->inertia);
  if (!is_physical(link->inertia))
    brio_urdf_warn(urdf, element,
                   "this inertia is impossible: a moment exceeds the sum of the others or is negative");
  return true;
}

/* Read mass (kg), center of mass (m) and inertia of a link, if they are given. */
static bool read_inertial(brio_urdf *urdf, const brio_xml *element, brio_link *link) {
  const brio_xml *inertial = brio_xml_child(element, "inertial");
  const brio_xml *mass = inertial ? brio_xml_child(inertial, "mass") : NULL;
  brio_pose pose;
  if (!inertial) return true;
  if (!mass) brio_urdf_warn(urdf, inertial, "it has no <mass>: 0 kg is taken");
  else if (!brio_urdf_numbers(urdf, mass, "value", 1, &link->mass)) return false;
  if (link->mass < 0)
    return brio_urdf_wrong(urdf, mass, "value=%g: expected a mass of at least 0 kg", link->mass);
  if (!brio_urdf_origin(urdf, inertial, &pose)) return false;
  /* <origin> of <inertial> is the center of mass, with the axes of the inertia. */
  link->com = pose.p;
  return read_inertia(urdf, inertial, pose.q, link);
}

/* Read a link with its shapes. Errors: a missing or repeated name, and the errors of its parts. */
static bool read_link(brio_urdf *urdf, const brio_xml *element) {
  int place = urdf->robot->nlink;
  brio_link *link = &urdf->links[place];
  const char *name;
  if (!brio_urdf_text(urdf, element, "name", &name) || !(link->name = brio_urdf_keep(urdf, name)))
    return false;
  if (!brio_name_index_add(&urdf->link_index, link->name, place)) {
    const brio_xml *first = urdf->elements[brio_name_index_find(&urdf->link_index, name)];
    return brio_urdf_wrong(urdf, element, "this name is taken by the link of line %d: expected another",
                           first->line);
  }
  urdf->elements[place] = element;
  urdf->robot->nlink++;
  return read_inertial(urdf, element, link) && brio_urdf_shapes(urdf, element, place);
}

/* Read the axis of a joint; URDF's default is x. For joint types without an axis its value is not checked. */
static bool read_axis(brio_urdf *urdf, const brio_xml *element, brio_joint *joint) {
  const brio_xml *axis = brio_xml_child(element, "axis");
  double xyz[3] = {1, 0, 0};
  /* The length is computed by hypot, so that huge components do not overflow. */
  bool used = joint->type != BRIO_JOINT_FIXED && joint->type != BRIO_JOINT_FLOATING;
  if (axis && used && !brio_urdf_numbers(urdf, axis, "xyz", 3, xyz)) return false;
  double length = hypot(hypot(xyz[0], xyz[1]), xyz[2]);
  if (!(length > 1e-12) || !isfinite(length))
    return brio_urdf_wrong(urdf, axis, "xyz=%g %g %g has no direction: expected an axis that is not zero",
                           xyz[0], xyz[1], xyz[2]);
  joint->axis = (brio_vec3){xyz[0] / length, xyz[1] / length, xyz[2] / length};
  return true;
}

/* Read a greatest value, which must be at least 0; exporters write 0 for an unknown one. */
static bool read_greatest(brio_urdf *urdf, const brio_xml *limit, const char *name, double *out) {
  if (!brio_urdf_limit_if(urdf, limit, name, out)) return false;
  if (*out < 0) return brio_urdf_wrong(urdf, limit, "%s=%g: expected at least 0", name, *out);
  if (*out > 0) return true;
  brio_urdf_warn(urdf, limit, "%s=0 is taken as not known", name);
  *out = INFINITY;
  return true;
}

/* Warn about a <limit> that has no effect on this type of joint. */
static void warn_of_limit(brio_urdf *urdf, const brio_xml *limit, brio_joint_type type,
                          const brio_urdf_joint *raw) {
  if (type == BRIO_JOINT_PLANAR || type == BRIO_JOINT_FLOATING)
    brio_urdf_warn(urdf, limit, "URDF does not define which of a %s joint's values it limits: it is ignored",
                   brio_joint_type_name(type));
  else if (type == BRIO_JOINT_CONTINUOUS && raw->lower < raw->upper && isfinite(raw->upper - raw->lower))
    brio_urdf_warn(urdf, limit,
                   "a continuous joint has no range: %g to %g is passed over (a revolute joint keeps its "
                   "range)",
                   raw->lower, raw->upper);
}

/* Read range, velocity and effort of a joint; those that are not given are infinite. */
static bool read_limit(brio_urdf *urdf, const brio_xml *element, brio_joint_type type, brio_urdf_joint *raw) {
  const brio_xml *limit = brio_xml_child(element, "limit");
  bool ranged = type == BRIO_JOINT_REVOLUTE || type == BRIO_JOINT_PRISMATIC;
  raw->velocity = raw->effort = INFINITY;
  if (!limit || type == BRIO_JOINT_FIXED) return true;
  /* A range may be given by one end alone; the other one is 0 then, as URDF has it. */
  raw->bounded = brio_xml_value(limit, "lower") || brio_xml_value(limit, "upper");
  if (!brio_urdf_limit_if(urdf, limit, "lower", &raw->lower) ||
      !brio_urdf_limit_if(urdf, limit, "upper", &raw->upper) ||
      !read_greatest(urdf, limit, "velocity", &raw->velocity) ||
      !read_greatest(urdf, limit, "effort", &raw->effort))
    return false;
  /* A range may be a single value, but neither inverted nor at infinity. */
  if (ranged && (raw->lower > raw->upper || raw->lower == INFINITY || raw->upper == -INFINITY))
    return brio_urdf_wrong(urdf, limit, "lower=%g is above upper=%g", raw->lower, raw->upper);
  warn_of_limit(urdf, limit, type, raw);
  return true;
}

/* Read which joint this one copies; names are resolved once all joints are known. */
static bool read_mimic(brio_urdf *urdf, const brio_xml *element, brio_joint *joint, brio_urdf_joint *raw) {
  const brio_xml *mimic = brio_xml_child(element, "mimic");
  if (!mimic) return true;
  if (joint->type == BRIO_JOINT_FIXED) {
    brio_urdf_warn(urdf, mimic, "a fixed joint has nothing to copy with: the <mimic> is passed over");
    return true;
  }
  return brio_urdf_text(urdf, mimic, "joint", &raw->mimic) &&
         brio_urdf_numbers_if(urdf, mimic, "multiplier", 1, &joint->multiplier) &&
         brio_urdf_numbers_if(urdf, mimic, "offset", 1, &joint->offset);
}

/* Read the name of the link at one end of a joint, `parent` or `child`. */
static bool read_end(brio_urdf *urdf, const brio_xml *element, const char *which, const char **out) {
  const brio_xml *end = brio_xml_child(element, which);
  if (!end) return brio_urdf_wrong(urdf, element, "it has no <%s link=\"...\">", which);
  return brio_urdf_text(urdf, end, "link", out);
}

/* Read damping and friction of a joint; both are optional. */
static bool read_dynamics(brio_urdf *urdf, const brio_xml *element, brio_joint *joint) {
  const brio_xml *dynamics = brio_xml_child(element, "dynamics");
  return !dynamics || (brio_urdf_numbers_if(urdf, dynamics, "damping", 1, &joint->damping) &&
                       brio_urdf_numbers_if(urdf, dynamics, "friction", 1, &joint->friction));
}

/* Find the type of a joint by its URDF name. Errors: format. */
static bool read_type(brio_urdf *urdf, const brio_xml *element, brio_joint_type *type) {
  const char *name;
  if (!brio_urdf_text(urdf, element, "type", &name)) return false;
  for (int k = 0; k < BRIO_NJOINT_TYPE; k++)
    if (strcmp(brio_joint_type_name((brio_joint_type)k), name) == 0) return *type = (brio_joint_type)k, true;
  return brio_urdf_wrong(urdf, element,
                         "type='%.40s': expected fixed, revolute, continuous, prismatic, planar or floating",
                         name);
}

/* Read a joint. The names of its links are resolved later, as they may be declared behind it. */
static bool read_joint(brio_urdf *urdf, const brio_xml *element) {
  int place = urdf->robot->njoint;
  brio_joint *joint = &urdf->joints[place];
  brio_urdf_joint *raw = &urdf->raw[place];
  const char *name;
  brio_pose origin;
  if (!brio_urdf_text(urdf, element, "name", &name) || !(joint->name = brio_urdf_keep(urdf, name)))
    return false;
  if (!brio_name_index_add(&urdf->robot->joint_index, joint->name, place)) {
    const brio_xml *first = urdf->raw[brio_name_index_find(&urdf->robot->joint_index, name)].element;
    return brio_urdf_wrong(urdf, element, "this name is taken by the joint of line %d: expected another",
                           first->line);
  }
  /* Defaults first: reading what follows may fail at any point. */
  raw->element = element;
  joint->multiplier = 1;
  joint->mimic = joint->variable = -1;
  urdf->robot->njoint++;
  if (!read_type(urdf, element, &joint->type) || !brio_urdf_origin(urdf, element, &origin)) return false;
  joint->origin = brio_transform_of(origin);
  joint->tail = BRIO_TRANSFORM_IDENTITY;
  return read_axis(urdf, element, joint) && read_end(urdf, element, "parent", &raw->parent) &&
         read_end(urdf, element, "child", &raw->child) && read_limit(urdf, element, joint->type, raw) &&
         read_dynamics(urdf, element, joint) && read_mimic(urdf, element, joint, raw);
}

/* Allocate memory for everything that `root` can contain, and for what may be made up: a link for each
** undeclared parent, and a joint to hold it. */
static bool make_room(brio_urdf *urdf, const brio_xml *root) {
  int nlink = 0, nshape = 0, njoint = count_children(root, "joint");
  for (const brio_xml *e = brio_xml_child(root, "link"); e; e = brio_xml_next(e, "link"), nlink++)
    nshape += count_children(e, "collision") + count_children(e, "visual");
  /* Counted from the text, so that no array has to grow; each joint may have one undeclared parent. */
  int most = nlink + njoint + 1;
  brio_arena *arena = &urdf->robot->arena;
  urdf->links = BRIO_TAKE(arena, brio_link, most);
  urdf->joints = BRIO_TAKE(arena, brio_joint, 2 * njoint + 1);
  urdf->collisions = BRIO_TAKE(arena, brio_link_shape, nshape);
  urdf->visuals = BRIO_TAKE(arena, brio_link_shape, nshape);
  urdf->raw = BRIO_TAKE(&urdf->scratch, brio_urdf_joint, 2 * njoint + 1);
  urdf->elements = BRIO_TAKE(&urdf->scratch, const brio_xml *, most);
  urdf->meshes = BRIO_TAKE(&urdf->scratch, brio_urdf_mesh, nshape + 1);
  return (urdf->links && urdf->joints && urdf->collisions && urdf->visuals && urdf->raw && urdf->elements &&
          urdf->meshes && brio_name_index_start(&urdf->link_index, most) &&
          brio_name_index_start(&urdf->mesh_index, nshape + 1) &&
          brio_name_index_start(&urdf->robot->joint_index, 2 * njoint + 1)) ||
         brio_urdf_no_memory(urdf);
}

/* Read <link>s and <joint>s in the order of the file; reject elements that xacro should have replaced. */
static bool read_elements(brio_urdf *urdf, const brio_xml *root) {
  static const char *const leftovers[] = {"xacro:property", "xacro:arg"}; /* harmless, and met */
  /* Elements that URDF does not define are skipped. */
  for (const brio_xml *e = root->child; e; e = e->next) {
    bool good = true;
    if (strcmp(e->name, "link") == 0) good = read_link(urdf, e);
    else if (strcmp(e->name, "joint") == 0) good = read_joint(urdf, e);
    else if (strncmp(e->name, "xacro:", 6) == 0 && strcmp(e->name, leftovers[0]) != 0 &&
             strcmp(e->name, leftovers[1]) != 0)
      good = brio_urdf_wrong(urdf, e,
                             "<%.40s> is not expanded yet; expected the output of xacro (xacro FILE.xacro > "
                             "FILE.urdf)",
                             e->name);
    if (!good) return false;
  }
  if (urdf->robot->nlink > 0) return true;
  return brio_urdf_wrong(urdf, root, "it has no <link>");
}

/* Read the robot in stages, each of which relies on the one before: elements, tree, variables. */
static bool read_robot(brio_urdf *urdf, const brio_xml *root) {
  const char *name = brio_xml_value(root, "name");
  if (strcmp(root->name, "robot") != 0)
    return brio_urdf_wrong(urdf, root, "the first element is <%.40s>: expected <robot>", root->name);
  if (!name || !*name) {
    brio_urdf_warn(urdf, root, "the robot has no name: 'robot' is taken");
    name = "robot";
  }
  return (urdf->robot->name = brio_urdf_keep(urdf, name)) && make_room(urdf, root) &&
         read_elements(urdf, root) && brio_urdf_order(urdf) && brio_urdf_variables(urdf);
}

/* Move the results into the robot, and compile its program. Errors: no_memory. */
static bool finish(brio_urdf *urdf) {
  brio_robot *robot = urdf->robot;
  robot->collisions = urdf->collisions;
  robot->visuals = urdf->visuals;
  for (int i = 0; i < robot->nlink; i++) robot->mass += robot->links[i].mass;
  /* The list becomes an array of the robot's own; the sentences are there already. */
  const char **warnings = BRIO_TAKE(&robot->arena, const char *, robot->nwarning);
  if (!warnings) return brio_urdf_no_memory(urdf);
  int n = 0;
  for (const brio_urdf_warning *w = urdf->first_warning; w; w = w->next) warnings[n++] = w->sentence;
  robot->warnings = warnings;
  return brio_robot_compile(robot, urdf->err);
}

/* Set the base from the options. Errors: misuse (not finite, a negative range). */
static bool set_base(brio_robot *robot, const brio_robot_options *options, brio_error *err) {
  brio_pose center = options->base_center;
  robot->base = options->base;
  /* All zeros stand for no rotation. */
  if (center.q.x == 0 && center.q.y == 0 && center.q.z == 0 && center.q.w == 0) center.q.w = 1;
  center.q = brio_quat_unit(center.q);
  robot->base_center = center;
  /* The sum of all numbers is finite only if each of them is. */
  double sum = center.p.x + center.p.y + center.p.z + center.q.x + center.q.y + center.q.z + center.q.w;
  if (!isfinite(sum)) return brio_fail(err, BRIO_MISUSE, "the base's center must be finite numbers");
  for (int k = 0; k < BRIO_BASE_NV; k++) {
    robot->base_range[k] = options->base_range[k];
    if (!(robot->base_range[k] >= 0 && isfinite(robot->base_range[k])))
      return brio_fail(err, BRIO_MISUSE, "the base's range %d is %g: expected a finite number of at least 0",
                       k + 1, robot->base_range[k]);
  }
  return true;
}

/* Parse the text and read the robot. The document and the scratch are freed in any case. */
static bool parse_into(brio_robot *robot, const char *text, size_t length, const brio_robot_options *options,
                       brio_error *err) {
  brio_urdf urdf = {.robot = robot, .options = options, .err = err};
  brio_xml_document document;
  if (!brio_xml_parse(&document, text, length, robot->file, err)) return false;
  brio_arena_start(&urdf.scratch, 1 << 16);
  /* Numbers are read in the C locale, whatever the user's is. */
  urdf.c_locale = newlocale(LC_ALL_MASK, "C", NULL);
  bool good =
      (urdf.c_locale || brio_urdf_no_memory(&urdf)) && read_robot(&urdf, document.root) && finish(&urdf);
  if (urdf.c_locale) freelocale(urdf.c_locale);
  brio_name_index_end(&urdf.link_index);
  brio_name_index_end(&urdf.mesh_index);
  brio_arena_end(&urdf.scratch);
  brio_xml_end(&document);
  return good;
}

brio_robot *brio_robot_parse(const char *text, size_t length, const char *name,
                             const brio_robot_options *options, brio_error *err) {
  static const brio_robot_options none;
  brio_robot *robot = calloc(1, sizeof *robot);
  if (!options) options = &none;
  if (length > LARGEST) {
    brio_fail(err, BRIO_LIMIT, "%s is larger than %zu bytes", name, LARGEST);
    free(robot);
    return NULL;
  }
  if (!robot) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the robot in %s", name), NULL;
  /* From here on brio_robot_free gives back all memory. */
  brio_arena_start(&robot->arena, 1 << 15);
  robot->file = brio_arena_text(&robot->arena, name, strlen(name));
  /* The hash identifies the text, for caches. */
  robot->hash = brio_hash_fold(BRIO_HASH_START, text, length);
  bool good = robot->file ? set_base(robot, options, err) && parse_into(robot, text, length, options, err)
                          : brio_fail(err, BRIO_NO_MEMORY, "no memory for the robot in %s", name);
  if (good) return robot;
  brio_robot_free(robot);
  return NULL;
}

/* The size is checked before the file is read into memory, as a robot file may be any path. */
brio_robot *brio_robot_load(const char *file, const brio_robot_options *options, brio_error *err) {
  brio_text text = {0};
  struct stat status;
  brio_robot *robot = NULL;
  if (stat(file, &status) == 0 && S_ISREG(status.st_mode) && (unsigned long long)status.st_size > LARGEST)
    brio_fail(err, BRIO_LIMIT, "%s is larger than %zu bytes", file, LARGEST);
  else if (brio_text_read_file(&text, file, LARGEST, err))
    robot = brio_robot_parse(text.bytes, text.length, file, options, err);
  brio_text_end(&text);
  return robot;
}
