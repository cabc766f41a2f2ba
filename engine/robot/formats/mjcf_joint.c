/* Joints of MJCF.  A body has any number of them, applied in the order of the file: each becomes a joint of
** the robot, with a massless link between two of them.  A ball is three of them (yaw, pitch, roll: about z, y
** and x as rotated so far), because a variable is one number; a free joint becomes a floating one, except
** that of the root body.
**
** MuJoCo's joints turn about an anchor in the body, and have the value `ref` in the pose that the file
** describes.  So parent_from_body = held * to anchor * motion(value - ref) * back from the anchor: what
** stands before the motion is the joint's origin, what stands behind it its tail. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

enum { HINGE, SLIDE, BALL, FREE };
static const char *const type_names[] = {"hinge", "slide", "ball", "free", NULL};

static const brio_vec3 ball_axes[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
static const char *const ball_names[] = {"yaw", "pitch", "roll"};

/* The joints of a body while they are being read. */
typedef struct chain {
  brio_mjcf *mjcf;
  brio_mjcf_body *body;
  const char *body_name;
  int left;          /* of the robot's joints that are not made yet: the last one carries the body */
  int parent;        /* link */
  brio_transform at; /* where the next joint is in it */
} chain;

/* One joint element, as read. */
typedef struct joint_values {
  int type;
  brio_vec3 anchor, axis;
  double range[2], ref, springref, stiffness, damping, armature, friction, effort;
  bool limited;
} joint_values;

/* Read the type of a joint; <freejoint/> has none. */
static bool read_type(const brio_mjcf *mjcf, const brio_xml *element, int *type) {
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  *type = strcmp(element->name, "freejoint") == 0 ? FREE : HINGE;
  return *type == FREE || brio_mjcf_word(mjcf, &item, "type", type_names, type);
}

/* Whether an element is a joint. */
static bool is_joint(const brio_xml *element) {
  return strcmp(element->name, "joint") == 0 || strcmp(element->name, "freejoint") == 0;
}

/* Count the robot's joints for those of a body, which may be in frames; note whether one is free. False: an
** error. */
static bool count_joints(const brio_mjcf *mjcf, const brio_xml *element, int *count,
                         const brio_xml **free_joint) {
  for (const brio_xml *e = element->child; e; e = e->next) {
    int type;
    /* Frames are transparent: their joints belong to the body. */
    if (strcmp(e->name, "frame") == 0 && !count_joints(mjcf, e, count, free_joint)) return false;
    if (!is_joint(e)) continue;
    if (!read_type(mjcf, e, &type)) return false;
    *count += type == BALL ? 3 : 1;
    if (type == FREE) *free_joint = e;
  }
  return true;
}

/* Read axis and anchor, which are in `frame` of the body. */
static bool read_axis(const chain *c, const brio_mjcf_item *item, const brio_pose *frame, joint_values *v) {
  double p[3] = {0}, a[3] = {0, 0, 1};
  if (brio_mjcf_numbers(c->mjcf, item, "pos", 3, 3, p) < 0 ||
      brio_mjcf_numbers(c->mjcf, item, "axis", 3, 3, a) < 0)
    return false;
  double length = hypot(hypot(a[0], a[1]), a[2]);
  if (!(length > 1e-12))
    return brio_draft_wrong(c->mjcf->draft, item->element, "axis='%g %g %g' has no direction", a[0], a[1],
                            a[2]);
  /* Anchor and axis in the frame of the body. */
  v->anchor = brio_pose_point(*frame, (brio_vec3){p[0], p[1], p[2]});
  v->axis = brio_quat_rotate(frame->q, (brio_vec3){a[0] / length, a[1] / length, a[2] / length});
  return true;
}

/* Read a number that cannot be negative. */
static bool read_positive(const chain *c, const brio_mjcf_item *item, const char *name, double *out) {
  if (!brio_mjcf_number(c->mjcf, item, name, out)) return false;
  return *out >= 0 ||
         brio_draft_wrong(c->mjcf->draft, item->element, "%s=%g: expected at least 0", name, *out);
}

/* Read the greatest torque or force of a joint's actuators, where the joint itself has one. */
static bool read_effort(const chain *c, const brio_mjcf_item *item, joint_values *v) {
  double range[2] = {0};
  bool limited = false;
  /* The range may be one-sided: the larger end is the effort. */
  v->effort = INFINITY;
  if (!brio_mjcf_range(c->mjcf, item, "actuatorfrcrange", "actuatorfrclimited", range, &limited))
    return false;
  if (limited) v->effort = fmax(fabs(range[0]), fabs(range[1]));
  return true;
}

/* Read what moves, holds and brakes a joint. */
static bool read_dynamics(const chain *c, const brio_mjcf_item *item, joint_values *v) {
  if (brio_mjcf_value(c->mjcf, item, "springdamper"))
    brio_draft_warn(c->mjcf->draft, item->element, "springdamper is ignored: expected stiffness and damping");
  return brio_mjcf_number(c->mjcf, item, "ref", &v->ref) &&
         brio_mjcf_number(c->mjcf, item, "springref", &v->springref) &&
         read_positive(c, item, "stiffness", &v->stiffness) &&
         read_positive(c, item, "damping", &v->damping) && read_positive(c, item, "armature", &v->armature) &&
         read_positive(c, item, "frictionloss", &v->friction) && read_effort(c, item, v);
}

/* Read a joint element. Angles become rad; those of a slide are lengths, and stay. */
static bool read_values(const chain *c, const brio_xml *element, const brio_pose *frame, joint_values *v) {
  brio_mjcf_item item = brio_mjcf_item_of(c->mjcf, element);
  *v = (joint_values){.effort = INFINITY};
  if (!read_type(c->mjcf, element, &v->type)) return false;
  if (strcmp(element->name, "freejoint") == 0) return true;
  if (!read_axis(c, &item, frame, v) || !read_dynamics(c, &item, v) ||
      !brio_mjcf_range(c->mjcf, &item, "range", "limited", v->range, &v->limited))
    return false;
  if (v->type == SLIDE) return true;
  /* Degrees to rad; dampings and stiffnesses are per rad in MJCF, too. */
  double *angles[] = {&v->ref, &v->springref, &v->range[0], &v->range[1]};
  for (int i = 0; i < 4; i++) *angles[i] = brio_mjcf_angle(c->mjcf, *angles[i]);
  return true;
}

/* A translation; exactly the identity without one. */
static brio_transform translation(brio_vec3 p) {
  brio_transform t = BRIO_TRANSFORM_IDENTITY;
  if (p.x != 0 || p.y != 0 || p.z != 0) t.p = p;
  return t;
}

/* The motion of a joint at a value. */
static brio_transform motion(int type, brio_vec3 axis, double value) {
  if (value == 0) return BRIO_TRANSFORM_IDENTITY;
  if (type == SLIDE) return translation(brio_vec3_scale(value, axis));
  return brio_transform_of((brio_pose){{0, 0, 0}, brio_quat_exp(brio_vec3_scale(value, axis))});
}

/* The link that the next joint carries: the body behind the last one, else one made up. -1: an error. */
static int add_link(chain *c, const brio_xml *element, const char *joint) {
  const char *name = c->left == 1 ? c->body_name : brio_mjcf_new_name(c->mjcf, &c->mjcf->link_names, joint);
  return name ? brio_draft_add_link(c->mjcf->draft, c->left == 1 ? c->body->element : element, name) : -1;
}

/* Add a joint of the robot at the end of the chain, before which the transform `before` is added, and behind
** which `tail` is. Return its place, or -1. */
static int add_joint(chain *c, const brio_xml *element, const char *name, brio_joint_type type,
                     const brio_transform *before, const brio_transform *tail) {
  brio_draft *draft = c->mjcf->draft;
  int place = brio_draft_add_joint(draft, element, name), link = place < 0 ? -1 : add_link(c, element, name);
  if (link < 0) return -1;
  assert(c->left > 0 && c->parent >= 0);
  brio_joint *joint = &draft->joints[place];
  joint->type = type;
  /* The transforms before the motion are one constant. */
  joint->origin = brio_transform_mul(&c->at, before);
  joint->tail = *tail;
  /* By name: draft_tree.c builds the tree from names. */
  draft->raw[place].parent = draft->links[c->parent].name;
  draft->raw[place].child = draft->links[link].name;
  c->parent = link;
  c->at = BRIO_TRANSFORM_IDENTITY;
  c->left--;
  return place;
}

/* Set what a joint with one value has besides its place. */
static void set_values(const chain *c, int place, const joint_values *v) {
  brio_joint *joint = &c->mjcf->draft->joints[place];
  brio_draft_joint *raw = &c->mjcf->draft->raw[place];
  joint->damping = v->damping;
  joint->friction = v->friction;
  joint->armature = v->armature;
  joint->stiffness = v->stiffness;
  joint->springref = v->springref;
  /* A slide without a range has none; a hinge without one is continuous. */
  raw->bounded = true;
  raw->lower = v->limited ? v->range[0] : -INFINITY;
  raw->upper = v->limited ? v->range[1] : INFINITY;
  raw->effort = v->effort;
}

/* Add a hinge or a slide. */
static int add_plain(chain *c, const brio_xml *element, const char *name, const joint_values *v) {
  brio_joint_type type = v->type == SLIDE ? BRIO_JOINT_PRISMATIC
                         : v->limited     ? BRIO_JOINT_REVOLUTE
                                          : BRIO_JOINT_CONTINUOUS;
  /* The anchor of a slide has no effect. */
  bool turns = v->type == HINGE;
  brio_transform at = translation(turns ? v->anchor : (brio_vec3){0, 0, 0}),
                 back = motion(v->type, v->axis, -v->ref);
  brio_transform before = brio_transform_mul(&at, &back);
  brio_transform tail = translation(turns ? brio_vec3_scale(-1, v->anchor) : (brio_vec3){0, 0, 0});
  int place = add_joint(c, element, name, type, &before, &tail);
  if (place < 0) return -1;
  c->mjcf->draft->joints[place].axis = v->axis;
  set_values(c, place, v);
  return place;
}

/* Add the three joints of a ball; the first of them, or -1. */
static int add_ball(chain *c, const brio_xml *element, const char *name, joint_values v) {
  brio_draft *draft = c->mjcf->draft;
  int first = -1;
  if (v.limited)
    brio_draft_warn(
        draft, element,
        "the range of a ball joint is ignored: it limits the whole rotation, and brio has three angles");
  if (v.armature > 0 || v.stiffness > 0 || v.damping > 0 || v.friction > 0)
    brio_draft_warn(draft, element,
                    "damping, friction, armature and spring of this ball joint apply to each of its three "
                    "angles: an approximation for small angles");
  /* The first part stands at the anchor, the last one leads back from it. */
  v.limited = false;
  v.springref = 0;
  for (int k = 0; k < 3; k++) {
    char part[200];
    snprintf(part, sizeof part, "%.180s.%s", name, ball_names[k]);
    const char *made = brio_mjcf_new_name(c->mjcf, &c->mjcf->joint_names, part);
    brio_transform before = translation(k == 0 ? v.anchor : (brio_vec3){0, 0, 0});
    brio_transform tail = translation(k == 2 ? brio_vec3_scale(-1, v.anchor) : (brio_vec3){0, 0, 0});
    int place = made ? add_joint(c, element, made, BRIO_JOINT_CONTINUOUS, &before, &tail) : -1;
    if (place < 0) return -1;
    draft->joints[place].axis = ball_axes[k];
    set_values(c, place, &v);
    if (k == 0) first = place;
  }
  return first;
}

/* Remember what a joint of the file became, for actuators and <equality>. */
static void note(brio_mjcf *mjcf, const char *name, int place, int count, double ref) {
  assert(place >= 0 || count == 0);
  if (brio_name_index_add(&mjcf->joint_index, name, mjcf->njoint))
    mjcf->joints[mjcf->njoint++] = (brio_mjcf_joint){.place = place, .count = count, .ref = ref};
}

/* The name of a joint: its own, which is in use by nobody else, or one made up. NULL: no memory. */
static const char *name_of(chain *c, const brio_xml *element) {
  const char *name = brio_xml_value(element, "name");
  return name && *name ? name : brio_mjcf_new_name(c->mjcf, &c->mjcf->joint_names, c->body_name);
}

/* Add what one joint element of the body stands for. */
static bool read_joint(chain *c, const brio_xml *element, const brio_pose *frame) {
  brio_transform none = BRIO_TRANSFORM_IDENTITY;
  joint_values v;
  const char *name = name_of(c, element);
  if (!name || !read_values(c, element, frame, &v)) return false;
  int place = v.type == FREE   ? add_joint(c, element, name, BRIO_JOINT_FLOATING, &none, &none)
              : v.type == BALL ? add_ball(c, element, name, v)
                               : add_plain(c, element, name, &v);
  if (place < 0) return false;
  note(c->mjcf, name, place, v.type == BALL ? 3 : 1, v.ref);
  return true;
}

/* Add the joints of a body, and of the frames in it, in the order of the file. */
static bool read_joints(chain *c, const brio_xml *element, const brio_pose *frame) {
  for (const brio_xml *e = element->child; e; e = e->next) {
    if (is_joint(e) && !read_joint(c, e, frame)) return false;
    if (strcmp(e->name, "frame") != 0) continue;
    brio_mjcf_item item = brio_mjcf_item_of(c->mjcf, e);
    brio_pose inner;
    if (!brio_mjcf_pose(c->mjcf, &item, &inner)) return false;
    inner = brio_pose_mul(*frame, inner);
    if (!read_joints(c, e, &inner)) return false;
  }
  return true;
}

/* Hold a body still in its parent. */
static bool add_fixed(chain *c) {
  brio_draft *draft = c->mjcf->draft;
  brio_transform none = BRIO_TRANSFORM_IDENTITY;
  char pair[300];
  /* Named after both bodies, as URDF exporters do. */
  snprintf(pair, sizeof pair, "%.140s-%.140s", draft->links[c->parent].name, c->body_name);
  const char *name = brio_mjcf_new_name(c->mjcf, &c->mjcf->joint_names, pair);
  c->left = 1;
  return name && add_joint(c, c->body->element, name, BRIO_JOINT_FIXED, &none, &none) >= 0;
}

/* Make the body the root, which its free joint leaves to the base of the robot. */
static bool add_root(chain *c, const brio_xml *free_joint) {
  const char *name = name_of(c, free_joint);
  if (!name) return false;
  /* The name stays known, with no joint of the robot's: actuators of the base are ignored. */
  note(c->mjcf, name, -1, 0, 0);
  c->parent = brio_draft_add_link(c->mjcf->draft, c->body->element, c->body_name);
  return c->parent >= 0;
}

bool brio_mjcf_read_joints(brio_mjcf *mjcf, brio_mjcf_body *body, int parent, const brio_pose *held) {
  chain c = {.mjcf = mjcf, .body = body, .parent = parent, .at = brio_transform_of(*held)};
  const brio_xml *element = body->element, *free_joint = NULL;
  const char *name = brio_xml_value(element, "name");
  /* A body inside a <frame> of the world is not in <worldbody> directly. */
  bool top = element->parent && strcmp(element->parent->name, "body") != 0;
  /* A number in the name, so that many without one are not tried against each other. */
  char made[24];
  snprintf(made, sizeof made, "body%d", mjcf->draft->robot->nlink + 1);
  c.body_name = name && *name ? name : brio_mjcf_new_name(mjcf, &mjcf->link_names, made);
  if (!c.body_name || !count_joints(mjcf, element, &c.left, &free_joint)) return false;
  if (free_joint && (c.left > 1 || !top))
    return brio_draft_wrong(mjcf->draft, free_joint,
                            "a free joint must be the only joint of a body in <worldbody>");
  brio_pose identity = BRIO_POSE_IDENTITY;
  bool good = element == mjcf->free_root ? add_root(&c, free_joint)
              : c.left == 0              ? add_fixed(&c)
                                         : read_joints(&c, element, &identity);
  body->link = c.parent;
  return good;
}
