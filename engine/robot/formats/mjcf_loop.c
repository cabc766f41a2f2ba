/* What ties bodies of MJCF beyond the tree: <equality> (loops, and joints that follow others), and <exclude>s
** of <contact>. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

/* Names by place, for brio_name_hint. */
static const char *link_at(const void *list, int i) {
  const brio_mjcf *mjcf = list;
  return i < mjcf->draft->robot->nlink ? mjcf->draft->links[i].name : NULL;
}

static const char *joint_at(const void *list, int i) {
  const brio_mjcf *mjcf = list;
  return i < mjcf->draft->robot->njoint ? mjcf->draft->joints[i].name : NULL;
}

int brio_mjcf_link(brio_mjcf *mjcf, const brio_xml *element, const char *name, const char *body) {
  /* Bodies and sites are links, so one index has both. */
  int link = brio_name_index_find(&mjcf->draft->link_index, body);
  char hint[96];
  if (link < 0)
    brio_draft_wrong(mjcf->draft, element, "%s='%.80s': there is no such body or site%s", name, body,
                     brio_name_hint(body, link_at, mjcf, hint));
  return link;
}

int brio_mjcf_joint_of(brio_mjcf *mjcf, const brio_xml *element, const char *name, const char *joint) {
  /* Joints by their names in the file: a ball is one of them. */
  int place = brio_name_index_find(&mjcf->joint_index, joint);
  char hint[96];
  if (place < 0)
    brio_draft_wrong(mjcf->draft, element, "%s='%.80s': no joint is called that%s", name, joint,
                     brio_name_hint(joint, joint_at, mjcf, hint));
  return place;
}

/* --- loops --- */

/* Find the two ends of a loop: links of bodies, or of sites. `sites`: of sites. A loop to the world of a
** robot that has none is left out: `found` stays false. */
static bool find_ends(brio_mjcf *mjcf, const brio_xml *element, int links[2], bool *sites, bool *found) {
  static const char *const names[2][2] = {{"body1", "body2"}, {"site1", "site2"}};
  /* Either two bodies, of which the second one is the world by default, or two sites. */
  *sites = brio_xml_value(element, "site1") != NULL;
  *found = false;
  for (int k = 0; k < 2; k++) {
    const char *name = names[*sites][k], *value = brio_xml_value(element, name);
    if (!value && (*sites || k == 0))
      return brio_draft_wrong(mjcf->draft, element, "attribute '%s' is missing: expected %s", name,
                              *sites ? "site1 and site2" : "body1 and body2, or site1 and site2");
    /* Where the world is no link, nothing can be tied to it. */
    if (mjcf->free_root && (!value || strcmp(value, "world") == 0)) {
      brio_draft_warn(mjcf->draft, element,
                      "it is ignored: it connects the robot to the world, which is no link of a robot "
                      "with a free base");
      return true;
    }
    links[k] = brio_mjcf_link(mjcf, element, name, value ? value : "world");
    if (links[k] < 0) return false;
  }
  *found = true;
  return true;
}

/* Where the second link is, seen from the first, in the pose that the file describes. */
static brio_pose between(const brio_mjcf *mjcf, const int links[2]) {
  /* a^-1 b, both in the frame of the root. */
  brio_pose a = brio_pose_of(&mjcf->reference[links[0]]), b = brio_pose_of(&mjcf->reference[links[1]]);
  return brio_pose_mul(brio_pose_inverse(a), b);
}

/* A point that both bodies share: given in the first, and where that is in the second. */
static bool read_point(brio_mjcf *mjcf, const brio_xml *element, brio_loop *loop) {
  double anchor[3];
  if (!brio_draft_numbers(mjcf->draft, element, "anchor", 3, anchor)) return false;
  /* The orientations of the frames do not matter for a point. */
  loop->frames[0].p = (brio_vec3){anchor[0], anchor[1], anchor[2]};
  loop->frames[1] = brio_pose_mul(brio_pose_inverse(between(mjcf, loop->links)), loop->frames[0]);
  return true;
}

/* A pose of the second body in the first: as given, or, where its quaternion is 0, as the file describes
** them. */
static bool read_weld(brio_mjcf *mjcf, const brio_xml *element, brio_loop *loop) {
  /* relpose: position, then a quaternion, w first. */
  double n[7] = {0}, anchor[3] = {0};
  if (!brio_draft_numbers_if(mjcf->draft, element, "relpose", 7, n) ||
      !brio_draft_numbers_if(mjcf->draft, element, "anchor", 3, anchor))
    return false;
  bool given = n[3] != 0 || n[4] != 0 || n[5] != 0 || n[6] != 0;
  brio_pose second =
      given ? (brio_pose){{n[0], n[1], n[2]}, brio_quat_unit((brio_quat){n[4], n[5], n[6], n[3]})}
            : between(mjcf, loop->links);
  /* The anchor is in the second body: both frames are put there. */
  loop->frames[1].p = (brio_vec3){anchor[0], anchor[1], anchor[2]};
  loop->frames[0] = brio_pose_mul(second, loop->frames[1]);
  return true;
}

/* Name a loop as in the file, or after its links. */
static bool name_loop(brio_mjcf *mjcf, const brio_xml *element, brio_loop *loop) {
  brio_draft *draft = mjcf->draft;
  const char *name = brio_xml_value(element, "name");
  /* A name of its own need not be unique: loops are listed, not looked up. */
  char made[300];
  snprintf(made, sizeof made, "%.140s-%.140s", draft->links[loop->links[0]].name,
           draft->links[loop->links[1]].name);
  return (loop->name = brio_draft_keep(draft, name && *name ? name : made)) != NULL;
}

/* Read a loop; sites are frames already. */
static bool read_loop(brio_mjcf *mjcf, const brio_xml *element, brio_loop_type type,
                      bool (*read)(brio_mjcf *mjcf, const brio_xml *element, brio_loop *loop)) {
  brio_robot *robot = mjcf->draft->robot;
  brio_loop loop = {.type = type, .frames = {BRIO_POSE_IDENTITY, BRIO_POSE_IDENTITY}};
  bool sites, found;
  if (!find_ends(mjcf, element, loop.links, &sites, &found)) return false;
  if (!found) return true;
  /* The frames of sites are their links: the identity. */
  if ((!sites && !read(mjcf, element, &loop)) || !name_loop(mjcf, element, &loop)) return false;
  mjcf->draft->loops[robot->nloop++] = loop;
  return true;
}

static bool read_connect(brio_mjcf *mjcf, const brio_xml *element) {
  return read_loop(mjcf, element, BRIO_LOOP_POINT, read_point);
}

static bool read_welded(brio_mjcf *mjcf, const brio_xml *element) {
  return read_loop(mjcf, element, BRIO_LOOP_POSE, read_weld);
}

/* --- joints that follow --- */

/* Find a joint with one value, by an attribute. -1: an error. */
static int find_joint(brio_mjcf *mjcf, const brio_xml *element, const char *name) {
  const char *value;
  if (!brio_draft_text(mjcf->draft, element, name, &value)) return -1;
  int place = brio_mjcf_joint_of(mjcf, element, name, value);
  if (place < 0) return -1;
  /* Only a joint with one value can follow or be followed. */
  assert(place < mjcf->njoint);
  int at = mjcf->joints[place].place;
  if (mjcf->joints[place].count == 1 && mjcf->draft->joints[at].type != BRIO_JOINT_FLOATING) return place;
  brio_draft_wrong(mjcf->draft, element, "%s='%.80s': expected a hinge or a slide", name, value);
  return -1;
}

/* Hold a joint at one value. */
static void hold(brio_mjcf *mjcf, const brio_xml *element, int place, double value) {
  brio_draft_joint *raw = &mjcf->draft->raw[place];
  brio_joint *joint = &mjcf->draft->joints[place];
  /* One value is a range: a continuous joint has none. */
  if (joint->type == BRIO_JOINT_CONTINUOUS) joint->type = BRIO_JOINT_REVOLUTE;
  /* Messages about the range are about this element. */
  raw->limit = element;
  raw->lower = raw->upper = value;
}

/* Make one joint follow another: value - ref = a0 + a1 (source - its ref). Polynomials of higher order are no
** copies. */
static bool read_follower(brio_mjcf *mjcf, const brio_xml *element) {
  double a[5] = {0, 1, 0, 0, 0};
  brio_mjcf_item item = {element, -1};
  int follower = find_joint(mjcf, element, "joint1"), source = -1;
  if (follower < 0 || brio_mjcf_numbers(mjcf, &item, "polycoef", 1, 5, a) < 0) return false;
  const brio_mjcf_joint *one = &mjcf->joints[follower];
  if (!brio_xml_value(element, "joint2")) return hold(mjcf, element, one->place, one->ref + a[0]), true;
  if ((source = find_joint(mjcf, element, "joint2")) < 0) return false;
  const brio_mjcf_joint *other = &mjcf->joints[source];
  if (a[2] != 0 || a[3] != 0 || a[4] != 0) {
    brio_draft_warn(mjcf->draft, element,
                    "it is ignored, and both joints are independent: brio supports only linear "
                    "polynomials, a0 + a1 x");
    return true;
  }
  brio_joint *joint = &mjcf->draft->joints[one->place];
  brio_draft_joint *raw = &mjcf->draft->raw[one->place];
  /* value = ref + a0 + a1 (source - source ref), as multiplier and offset. */
  raw->mimic = mjcf->draft->joints[other->place].name;
  raw->copy = element;
  joint->multiplier = a[1];
  joint->offset = one->ref + a[0] - a[1] * other->ref;
  return true;
}

/* --- sections --- */

static const struct {
  const char *name;
  bool (*read)(brio_mjcf *mjcf, const brio_xml *element);
} ties[] = {{"connect", read_connect}, {"weld", read_welded}, {"joint", read_follower}, {NULL, NULL}};

/* Read one element of <equality>, unless it is not active. */
static bool read_tie(brio_mjcf *mjcf, const brio_xml *element) {
  static const char *const words[] = {"false", "true", NULL};
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  int k = 0, active = 1;
  while (ties[k].name && strcmp(ties[k].name, element->name) != 0) k++;
  if (!brio_mjcf_word(mjcf, &item, "active", words, &active)) return false;
  /* Inactive ones and other kinds (tendon, flex) are ignored. */
  if (ties[k].name && active) return ties[k].read(mjcf, element);
  brio_mjcf_ignore(mjcf, element);
  return true;
}

int brio_mjcf_count(const brio_mjcf *mjcf, const char *section) {
  int count = 0;
  for (const brio_xml *s = brio_xml_child(mjcf->root, section); s; s = brio_xml_next(s, section))
    for (const brio_xml *e = s->child; e; e = e->next) count++;
  return count;
}

bool brio_mjcf_read_loops(brio_mjcf *mjcf) {
  brio_draft *draft = mjcf->draft;
  draft->loops = BRIO_TAKE(&draft->robot->arena, brio_loop, brio_mjcf_count(mjcf, "equality"));
  if (!draft->loops) return brio_draft_no_memory(draft);
  const brio_xml *first = brio_xml_child(mjcf->root, "equality");
  for (const brio_xml *s = first; s; s = brio_xml_next(s, "equality"))
    for (const brio_xml *e = s->child; e; e = e->next)
      if (!read_tie(mjcf, e)) return false;
  /* One warning for all of them. */
  if (draft->robot->nloop > 0)
    brio_draft_warn(draft, first,
                    "%d loop closure%s: listed, but not enforced by kinematics and the solver, which move "
                    "the joints of a loop independently",
                    draft->robot->nloop, draft->robot->nloop == 1 ? "" : "s");
  return true;
}

/* Read two bodies that may touch. */
static bool read_exclude(brio_mjcf *mjcf, const brio_xml *element) {
  static const char *const names[] = {"body1", "body2"};
  /* The world that is no link touches nothing: such a pair says nothing. */
  brio_link_pair pair;
  for (int k = 0; k < 2; k++) {
    const char *body;
    if (!brio_draft_text(mjcf->draft, element, names[k], &body)) return false;
    if (mjcf->free_root && strcmp(body, "world") == 0) return brio_mjcf_ignore(mjcf, element), true;
    if ((pair.links[k] = brio_mjcf_link(mjcf, element, names[k], body)) < 0) return false;
  }
  mjcf->draft->excludes[mjcf->draft->robot->nexclude++] = pair;
  return true;
}

bool brio_mjcf_read_contacts(brio_mjcf *mjcf) {
  brio_draft *draft = mjcf->draft;
  draft->excludes = BRIO_TAKE(&draft->robot->arena, brio_link_pair, brio_mjcf_count(mjcf, "contact"));
  if (!draft->excludes) return brio_draft_no_memory(draft);
  for (const brio_xml *s = brio_xml_child(mjcf->root, "contact"); s; s = brio_xml_next(s, "contact"))
    for (const brio_xml *e = s->child; e; e = e->next) {
      if (strcmp(e->name, "exclude") != 0)
        brio_mjcf_ignore(mjcf, e);
      else if (!read_exclude(mjcf, e))
        return false;
    }
  return true;
}
