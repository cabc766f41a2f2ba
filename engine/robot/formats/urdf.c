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
#include <string.h>

#include "robot/formats/urdf_internal.h"

/* Count the children of a name, so that memory can be allocated before they are read. O(children) */
static int count_children(const brio_xml *element, const char *name) {
  int n = 0;
  for (const brio_xml *e = brio_xml_child(element, name); e; e = brio_xml_next(e, name)) n++;
  return n;
}

bool brio_urdf_origin(brio_draft *draft, const brio_xml *element, brio_pose *pose) {
  const brio_xml *origin = brio_xml_child(element, "origin");
  double xyz[3] = {0}, rpy[3] = {0};
  /* Missing attributes are 0: no offset, no rotation. */
  *pose = BRIO_POSE_IDENTITY;
  if (!origin) return true;
  if (!brio_draft_numbers_if(draft, origin, "xyz", 3, xyz) ||
      !brio_draft_numbers_if(draft, origin, "rpy", 3, rpy))
    return false;
  *pose = (brio_pose){{xyz[0], xyz[1], xyz[2]}, brio_quat_from_rpy(rpy[0], rpy[1], rpy[2])};
  return true;
}

/* Read the inertia, kg m^2. One that no solid has is a warning, as simulators accept it. Errors: format. */
static bool read_inertia(brio_draft *draft, const brio_xml *inertial, brio_quat q, brio_link *link) {
  static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const brio_xml *element = brio_xml_child(inertial, "inertia");
  if (!element) return true;
  for (int k = 0; k < 6; k++)
    if (!brio_draft_numbers_if(draft, element, names[k], 1, &link->inertia[k])) return false;
  brio_draft_turn_inertia(q, link->inertia);
  brio_draft_check_inertia(draft, element, link->inertia);
  return true;
}

/* Read mass (kg), center of mass (m) and inertia of a link, if they are given. */
static bool read_inertial(brio_draft *draft, const brio_xml *element, brio_link *link) {
  const brio_xml *inertial = brio_xml_child(element, "inertial");
  const brio_xml *mass = inertial ? brio_xml_child(inertial, "mass") : NULL;
  brio_pose pose;
  if (!inertial) return true;
  if (!mass)
    brio_draft_warn(draft, inertial, "it has no <mass>: 0 kg is taken");
  else if (!brio_draft_numbers(draft, mass, "value", 1, &link->mass))
    return false;
  if (link->mass < 0)
    return brio_draft_wrong(draft, mass, "value=%g: expected a mass of at least 0 kg", link->mass);
  if (!brio_urdf_origin(draft, inertial, &pose)) return false;
  /* <origin> of <inertial> is the center of mass, with the axes of the inertia. */
  link->com = pose.p;
  return read_inertia(draft, inertial, pose.q, link);
}

/* Read a link with its shapes. Errors: a missing or repeated name, and the errors of its parts. */
static bool read_link(brio_draft *draft, const brio_xml *element) {
  const char *name;
  if (!brio_draft_text(draft, element, "name", &name)) return false;
  int place = brio_draft_add_link(draft, element, name);
  return place >= 0 && read_inertial(draft, element, &draft->links[place]) &&
         brio_urdf_shapes(draft, element, place);
}

/* Read the axis of a joint; URDF's default is x. For joint types without an axis its value is not checked. */
static bool read_axis(brio_draft *draft, const brio_xml *element, brio_joint *joint) {
  const brio_xml *axis = brio_xml_child(element, "axis");
  double xyz[3] = {1, 0, 0};
  /* The length is computed by hypot, so that huge components do not overflow. */
  bool used = joint->type != BRIO_JOINT_FIXED && joint->type != BRIO_JOINT_FLOATING;
  if (axis && used && !brio_draft_numbers(draft, axis, "xyz", 3, xyz)) return false;
  double length = hypot(hypot(xyz[0], xyz[1]), xyz[2]);
  if (!(length > 1e-12) || !isfinite(length))
    return brio_draft_wrong(draft, axis, "xyz=%g %g %g has no direction: expected an axis that is not zero",
                            xyz[0], xyz[1], xyz[2]);
  joint->axis = (brio_vec3){xyz[0] / length, xyz[1] / length, xyz[2] / length};
  return true;
}

/* Read a greatest value, which must be at least 0; exporters write 0 for an unknown one. */
static bool read_greatest(brio_draft *draft, const brio_xml *limit, const char *name, double *out) {
  if (!brio_draft_limit_if(draft, limit, name, out)) return false;
  if (*out < 0) return brio_draft_wrong(draft, limit, "%s=%g: expected at least 0", name, *out);
  if (*out > 0) return true;
  brio_draft_warn(draft, limit, "%s=0 is taken as not known", name);
  *out = INFINITY;
  return true;
}

/* Warn about a <limit> that has no effect on this type of joint. */
static void warn_of_limit(brio_draft *draft, const brio_xml *limit, brio_joint_type type,
                          const brio_draft_joint *raw) {
  if (type == BRIO_JOINT_PLANAR || type == BRIO_JOINT_FLOATING)
    brio_draft_warn(draft, limit,
                    "URDF does not define which of a %s joint's values it limits: it is ignored",
                    brio_joint_type_name(type));
  else if (type == BRIO_JOINT_CONTINUOUS && raw->lower < raw->upper && isfinite(raw->upper - raw->lower))
    brio_draft_warn(draft, limit,
                    "a continuous joint has no range: %g to %g is passed over (a revolute joint keeps its "
                    "range)",
                    raw->lower, raw->upper);
}

/* Read range, velocity and effort of a joint; those that are not given are infinite. */
static bool read_limit(brio_draft *draft, const brio_xml *element, brio_joint_type type,
                       brio_draft_joint *raw) {
  const brio_xml *limit = brio_xml_child(element, "limit");
  bool ranged = type == BRIO_JOINT_REVOLUTE || type == BRIO_JOINT_PRISMATIC;
  if (!limit || type == BRIO_JOINT_FIXED) return true;
  /* A range may be given by one end alone; the other one is 0 then, as URDF has it. */
  raw->bounded = brio_xml_value(limit, "lower") || brio_xml_value(limit, "upper");
  if (!brio_draft_limit_if(draft, limit, "lower", &raw->lower) ||
      !brio_draft_limit_if(draft, limit, "upper", &raw->upper) ||
      !read_greatest(draft, limit, "velocity", &raw->velocity) ||
      !read_greatest(draft, limit, "effort", &raw->effort))
    return false;
  /* A range may be a single value, but neither inverted nor at infinity. */
  if (ranged && (raw->lower > raw->upper || raw->lower == INFINITY || raw->upper == -INFINITY))
    return brio_draft_wrong(draft, limit, "lower=%g is above upper=%g", raw->lower, raw->upper);
  warn_of_limit(draft, limit, type, raw);
  return true;
}

/* Read which joint this one copies; names are resolved once all joints are known. */
static bool read_mimic(brio_draft *draft, const brio_xml *element, brio_joint *joint, brio_draft_joint *raw) {
  const brio_xml *mimic = brio_xml_child(element, "mimic");
  if (!mimic) return true;
  if (joint->type == BRIO_JOINT_FIXED) {
    brio_draft_warn(draft, mimic, "a fixed joint has nothing to copy with: the <mimic> is passed over");
    return true;
  }
  return brio_draft_text(draft, mimic, "joint", &raw->mimic) &&
         brio_draft_numbers_if(draft, mimic, "multiplier", 1, &joint->multiplier) &&
         brio_draft_numbers_if(draft, mimic, "offset", 1, &joint->offset);
}

/* Read the name of the link at one end of a joint, `parent` or `child`. */
static bool read_end(brio_draft *draft, const brio_xml *element, const char *which, const char **out) {
  const brio_xml *end = brio_xml_child(element, which);
  if (!end) return brio_draft_wrong(draft, element, "it has no <%s link=\"...\">", which);
  return brio_draft_text(draft, end, "link", out);
}

/* Read damping and friction of a joint; both are optional. */
static bool read_dynamics(brio_draft *draft, const brio_xml *element, brio_joint *joint) {
  const brio_xml *dynamics = brio_xml_child(element, "dynamics");
  return !dynamics || (brio_draft_numbers_if(draft, dynamics, "damping", 1, &joint->damping) &&
                       brio_draft_numbers_if(draft, dynamics, "friction", 1, &joint->friction));
}

/* Find the type of a joint by its URDF name. Errors: format. */
static bool read_type(brio_draft *draft, const brio_xml *element, brio_joint_type *type) {
  const char *name;
  if (!brio_draft_text(draft, element, "type", &name)) return false;
  for (int k = 0; k < BRIO_NJOINT_TYPE; k++)
    if (strcmp(brio_joint_type_name((brio_joint_type)k), name) == 0) return *type = (brio_joint_type)k, true;
  return brio_draft_wrong(draft, element,
                          "type='%.40s': expected fixed, revolute, continuous, prismatic, planar or floating",
                          name);
}

/* Read a joint. The names of its links are resolved later, as they may be declared behind it. */
static bool read_joint(brio_draft *draft, const brio_xml *element) {
  const char *name;
  brio_pose origin;
  if (!brio_draft_text(draft, element, "name", &name)) return false;
  int place = brio_draft_add_joint(draft, element, name);
  if (place < 0) return false;
  brio_joint *joint = &draft->joints[place];
  brio_draft_joint *raw = &draft->raw[place];
  raw->limit = brio_xml_child(element, "limit");
  raw->copy = brio_xml_child(element, "mimic");
  if (!read_type(draft, element, &joint->type) || !brio_urdf_origin(draft, element, &origin)) return false;
  joint->origin = brio_transform_of(origin);
  return read_axis(draft, element, joint) && read_end(draft, element, "parent", &raw->parent) &&
         read_end(draft, element, "child", &raw->child) && read_limit(draft, element, joint->type, raw) &&
         read_dynamics(draft, element, joint) && read_mimic(draft, element, joint, raw);
}

/* Take memory for everything that `root` contains. Counted from the text, so that no array has to grow. */
static bool make_room(brio_draft *draft, const brio_xml *root) {
  int nlink = 0, nshape = 0;
  for (const brio_xml *e = brio_xml_child(root, "link"); e; e = brio_xml_next(e, "link"), nlink++)
    nshape += count_children(e, "collision") + count_children(e, "visual");
  return brio_draft_take(draft, nlink, count_children(root, "joint"), nshape);
}

/* Read <link>s and <joint>s in the order of the file; reject elements that xacro should have replaced. */
static bool read_elements(brio_draft *draft, const brio_xml *root) {
  static const char *const leftovers[] = {"xacro:property", "xacro:arg"}; /* harmless, and met */
  /* Elements that URDF does not define are skipped. */
  for (const brio_xml *e = root->child; e; e = e->next) {
    bool good = true;
    if (strcmp(e->name, "link") == 0)
      good = read_link(draft, e);
    else if (strcmp(e->name, "joint") == 0)
      good = read_joint(draft, e);
    else if (strncmp(e->name, "xacro:", 6) == 0 && strcmp(e->name, leftovers[0]) != 0 &&
             strcmp(e->name, leftovers[1]) != 0)
      good = brio_draft_wrong(draft, e,
                              "<%.40s> is not expanded yet; expected the output of xacro (xacro FILE.xacro > "
                              "FILE.urdf)",
                              e->name);
    if (!good) return false;
  }
  if (draft->robot->nlink > 0) return true;
  return brio_draft_wrong(draft, root, "it has no <link>");
}

/* Elements in the order of the file; links and joints by name. */
bool brio_urdf_read(brio_draft *draft, brio_xml *root) {
  const char *name = brio_xml_value(root, "name");
  if (!name || !*name) {
    brio_draft_warn(draft, root, "the robot has no name: 'robot' is taken");
    name = "robot";
  }
  return (draft->robot->name = brio_draft_keep(draft, name)) && make_room(draft, root) &&
         read_elements(draft, root);
}
