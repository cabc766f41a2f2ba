/* MJCF, the XML of MuJoCo (https://mujoco.readthedocs.io/en/stable/XMLreference.html), as a robot:
**   - a body is a link; its joints are the robot's, a site is a link without mass that is held still;
**   - the root is the world, a link called "world"; but where <worldbody> has one body alone, and that has a
**     free joint, the body is the root, as brio's robots have a base that moves, and geoms of the world are
**     left out;
**   - a joint of <equality> that follows another linearly copies it; connect and weld are kept as loops;
**   - a hinge without a range is continuous, and a slide without one has none;
**   - key frames are named poses;
**   - sensors, cameras, lights, materials, tendons and options of the simulation are ignored, with one
**     warning that lists them;
**   - elements that would add bodies and are not supported (<replicate>, <composite>, <attach>, ...) are
**     errors: MuJoCo can save the expanded model.
** Anything else is an error that names file, line, element and what was expected. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

static bool read_contents(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element,
                          const brio_pose *frame);

/* Numbers of elements, for allocation. */
typedef struct counts {
  int bodies, joints, geoms, sites;
} counts;

/* Reserve the name of an element, so that none is made up like it. Errors: two of a kind have the same name.
 */
static bool reserve(brio_mjcf *mjcf, brio_name_index *index, const brio_xml *element) {
  const char *name = brio_xml_value(element, "name");
  if (!name || !*name || brio_name_index_add(index, name, element->line)) return true;
  int line = brio_name_index_find(index, name);
  return line == 0
             ? brio_draft_wrong(mjcf->draft, element, "this name belongs to the world: expected another")
             : brio_draft_wrong(mjcf->draft, element,
                                "this name is taken by the %s of line %d: expected another", element->name,
                                line);
}

/* Count the elements below one, or, with `index`es to be filled, reserve their names. */
static bool survey(brio_mjcf *mjcf, const brio_xml *element, counts *n, bool names) {
  for (const brio_xml *e = element->child; e; e = e->next) {
    /* Each kind has names of its own. */
    bool body = strcmp(e->name, "body") == 0, site = strcmp(e->name, "site") == 0;
    bool joint = strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0;
    n->bodies += body;
    n->joints += joint;
    n->sites += site;
    n->geoms += strcmp(e->name, "geom") == 0;
    brio_name_index *index = body ? &mjcf->link_names : joint ? &mjcf->joint_names : &mjcf->site_index;
    if (names && (body || joint || site) && !reserve(mjcf, index, e)) return false;
    if (!survey(mjcf, e, n, names)) return false;
  }
  return true;
}

/* The same for all <worldbody>s. */
static bool survey_all(brio_mjcf *mjcf, counts *n, bool names) {
  *n = (counts){0, 0, 0, 0};
  for (const brio_xml *e = brio_xml_child(mjcf->root, "worldbody"); e; e = brio_xml_next(e, "worldbody"))
    if (!survey(mjcf, e, n, names)) return false;
  return true;
}

/* Take memory by the number of elements. A joint element is at most three joints, each with a link. */
static bool make_room(brio_mjcf *mjcf) {
  brio_draft *draft = mjcf->draft;
  counts n;
  survey_all(mjcf, &n, false);
  /* The world, bodies, links between joints, sites. */
  int nlink = 1 + n.bodies + 3 * n.joints + n.sites, most = 2 * nlink + 1;
  mjcf->joints = BRIO_TAKE(&draft->scratch, brio_mjcf_joint, n.joints);
  mjcf->reference = BRIO_TAKE(&draft->scratch, brio_transform, nlink);
  if (!mjcf->joints || !mjcf->reference || !brio_name_index_start(&mjcf->link_names, most) ||
      !brio_name_index_start(&mjcf->joint_names, most) ||
      !brio_name_index_start(&mjcf->site_index, n.sites) ||
      !brio_name_index_start(&mjcf->joint_index, n.joints))
    return brio_draft_no_memory(draft);
  /* The world's name is its own; 0 is the line of no element. */
  brio_name_index_add(&mjcf->link_names, "world", 0);
  return survey_all(mjcf, &n, true) && brio_draft_take(draft, nlink, nlink, n.geoms);
}

/* --- the tree of bodies --- */

/* Read a site: a link without mass that is held still. One without a name is of no use. */
static bool read_site(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element,
                      const brio_pose *frame) {
  brio_draft *draft = mjcf->draft;
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  const char *given = brio_xml_value(element, "name"), *above = draft->links[body->link].name;
  brio_pose pose;
  char pair[300];
  if (!given || !*given) return true;
  if (!brio_mjcf_pose(mjcf, &item, &pose)) return false;
  /* A fixed joint "parent-site" holds it. */
  pose = brio_pose_mul(*frame, pose);
  snprintf(pair, sizeof pair, "%.140s-%.140s", above, given);
  const char *name = brio_mjcf_new_name(mjcf, &mjcf->link_names, given);
  const char *joint = name ? brio_mjcf_new_name(mjcf, &mjcf->joint_names, pair) : NULL;
  int place = joint ? brio_draft_add_joint(draft, element, joint) : -1;
  int link = place < 0 ? -1 : brio_draft_add_link(draft, element, name);
  if (link < 0) return false;
  draft->joints[place].origin = brio_transform_of(pose);
  draft->raw[place].parent = above;
  draft->raw[place].child = draft->links[link].name;
  mjcf->reference[link] = brio_transform_mul(&mjcf->reference[body->link], &draft->joints[place].origin);
  return true;
}

/* Read a body that is at `frame` in another one, with all below it. */
static bool read_body(brio_mjcf *mjcf, brio_mjcf_body *above, const brio_xml *element,
                      const brio_pose *frame) {
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  brio_mjcf_body body = {.element = element};
  brio_pose held, identity = BRIO_POSE_IDENTITY;
  if (!brio_mjcf_pose(mjcf, &item, &held)) return false;
  held = brio_pose_mul(*frame, held);
  if (!brio_mjcf_read_joints(mjcf, &body, above->link, &held)) return false;
  /* Joints do not move it in the pose that the file describes. */
  brio_transform place = brio_transform_of(held);
  mjcf->reference[body.link] =
      above->link < 0 ? place : brio_transform_mul(&mjcf->reference[above->link], &place);
  return read_contents(mjcf, &body, element, &identity) && brio_mjcf_set_mass(mjcf, &body);
}

/* Read a <frame>, which moves what is in it. */
static bool read_frame(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element,
                       const brio_pose *frame) {
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  brio_pose pose;
  if (!brio_mjcf_pose(mjcf, &item, &pose)) return false;
  pose = brio_pose_mul(*frame, pose);
  return read_contents(mjcf, body, element, &pose);
}

/* Elements that would add bodies are errors: a robot without them would be wrong. */
static bool refuse(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element, const brio_pose *frame) {
  (void)body, (void)frame;
  return brio_draft_wrong(mjcf->draft, element,
                          "brio does not expand this element: expected the expanded model, as MuJoCo saves "
                          "it (mj_saveLastXML)");
}

/* Joints and <inertial> are read with their body; the world has none. */
static bool skip(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element, const brio_pose *frame) {
  (void)frame;
  return strcmp(body->element->name, "body") == 0 ||
         brio_draft_wrong(mjcf->draft, element, "it is in <worldbody>: expected it in a <body>");
}

/* What a body can contain; other elements are ignored. `shape`: it belongs to a link. */
static const struct {
  const char *name;
  bool shape;
  bool (*read)(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element, const brio_pose *frame);
} contents[] = {{"body", false, read_body},   {"geom", true, brio_mjcf_read_geom},
                {"site", true, read_site},    {"frame", false, read_frame},
                {"joint", false, skip},       {"freejoint", false, skip},
                {"inertial", false, skip},    {"replicate", false, refuse},
                {"composite", false, refuse}, {"flexcomp", false, refuse},
                {"attach", false, refuse},    {NULL, false, NULL}};

/* Read the children of a body, a frame or the world, whose bodies are seen from `frame`. */
static bool read_contents(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element,
                          const brio_pose *frame) {
  for (const brio_xml *e = element->child; e; e = e->next) {
    int k = 0;
    while (contents[k].name && strcmp(contents[k].name, e->name) != 0) k++;
    if (!contents[k].name) brio_mjcf_ignore(mjcf, e);
    /* A world that is no link has no shapes. */
    else if (contents[k].shape && body->link < 0)
      mjcf->left_in_world++;
    else if (!contents[k].read(mjcf, body, e, frame))
      return false;
  }
  return true;
}

/* Whether a body has a free joint. */
static bool is_free(const brio_mjcf *mjcf, const brio_xml *body) {
  if (brio_xml_child(body, "freejoint")) return true;
  for (const brio_xml *e = brio_xml_child(body, "joint"); e; e = brio_xml_next(e, "joint")) {
    brio_mjcf_item item = brio_mjcf_item_of(mjcf, e);
    const char *type = brio_mjcf_value(mjcf, &item, "type");
    if (type && strcmp(type, "free") == 0) return true;
  }
  return false;
}

/* Count the bodies of the world, also those in frames, and note the last one. */
static int count_tops(const brio_xml *element, const brio_xml **last) {
  int count = 0;
  for (const brio_xml *e = element->child; e; e = e->next) {
    if (strcmp(e->name, "frame") == 0) count += count_tops(e, last);
    if (strcmp(e->name, "body") != 0) continue;
    *last = e;
    count++;
  }
  return count;
}

/* Decide what the root is, and read all <worldbody>s. */
static bool read_world(brio_mjcf *mjcf) {
  const brio_xml *first = brio_xml_child(mjcf->root, "worldbody"), *only = NULL;
  brio_mjcf_body world = {.element = first, .link = -1};
  brio_pose identity = BRIO_POSE_IDENTITY;
  int tops = 0;
  for (const brio_xml *e = first; e; e = brio_xml_next(e, "worldbody")) tops += count_tops(e, &only);
  if (tops == 0) return brio_draft_wrong(mjcf->draft, first ? first : mjcf->root, "it has no <body>");
  /* A single free body is the robot itself. */
  if (tops == 1 && is_free(mjcf, only))
    mjcf->free_root = only;
  else if ((world.link = brio_draft_add_link(mjcf->draft, first, "world")) < 0)
    return false;
  if (world.link >= 0) mjcf->reference[world.link] = BRIO_TRANSFORM_IDENTITY;
  for (const brio_xml *e = first; e; e = brio_xml_next(e, "worldbody"))
    if (!read_contents(mjcf, &world, e, &identity)) return false;
  if (mjcf->left_in_world)
    brio_draft_warn(mjcf->draft, first,
                    "%d geom%s or sites of the world are ignored: they belong to a scene, not to a "
                    "robot with a free base",
                    mjcf->left_in_world, mjcf->left_in_world == 1 ? "" : "s");
  return true;
}

/* --- the file --- */

/* Name the robot. */
static bool read_name(brio_mjcf *mjcf) {
  const char *name = brio_xml_value(mjcf->root, "model");
  if (!name || !*name) {
    brio_draft_warn(mjcf->draft, mjcf->root, "the model has no name: 'robot' is taken");
    name = "robot";
  }
  return (mjcf->draft->robot->name = brio_draft_keep(mjcf->draft, name)) != NULL;
}

/* Count the sections that are ignored. */
static void ignore_sections(brio_mjcf *mjcf) {
  static const char *const known[] = {"compiler", "default",  "worldbody", "asset", "equality",
                                      "contact",  "actuator", "keyframe",  NULL};
  for (const brio_xml *e = mjcf->root->child; e; e = e->next) {
    int k = 0;
    while (known[k] && strcmp(known[k], e->name) != 0) k++;
    if (!known[k]) brio_mjcf_ignore(mjcf, e);
  }
}

/* Warn once of all ignored elements, with how many there are: "<camera> (1), <light> (2)". */
static void warn_of_ignored(brio_mjcf *mjcf) {
  char list[480] = "";
  size_t n = 0;
  int left = mjcf->nother;
  for (int i = 0; i < mjcf->nignored; i++) {
    char one[64];
    int length = snprintf(one, sizeof one, "%s<%.40s> (%d)", n ? ", " : "", mjcf->ignored[i].name,
                          mjcf->ignored[i].count);
    if (length < 0 || n + (size_t)length >= sizeof list)
      left += mjcf->ignored[i].count;
    else
      memcpy(list + n, one, (size_t)length + 1), n += (size_t)length;
  }
  if (!n) return;
  /* Kinds that do not fit are only counted. */
  char more[40] = "";
  if (left) snprintf(more, sizeof more, " and %d more", left);
  brio_draft_warn(mjcf->draft, mjcf->root, "ignored, because a robot model has no such parts: %s%s", list,
                  more);
}

/* Read the file in stages, each of which relies on the one before. */
static bool read_model(brio_mjcf *mjcf) {
  if (!brio_mjcf_include(mjcf) || !read_name(mjcf) || !brio_mjcf_read_option(mjcf) ||
      !brio_mjcf_read_classes(mjcf) || !brio_mjcf_read_meshes(mjcf) || !make_room(mjcf) || !read_world(mjcf))
    return false;
  /* All links have their masses: scale them to the total. */
  brio_mjcf_settle_mass(mjcf);
  if (!brio_mjcf_read_loops(mjcf) || !brio_mjcf_read_contacts(mjcf) || !brio_mjcf_read_actuators(mjcf) ||
      !brio_mjcf_read_keys(mjcf))
    return false;
  ignore_sections(mjcf);
  warn_of_ignored(mjcf);
  return true;
}

bool brio_mjcf_read(brio_draft *draft, brio_xml *root) {
  brio_mjcf mjcf = {.draft = draft, .root = root};
  draft->owner = "body";
  bool good = read_model(&mjcf);
  brio_name_index *const indices[] = {&mjcf.class_index, &mjcf.mesh_index, &mjcf.link_names,
                                      &mjcf.joint_names, &mjcf.site_index, &mjcf.joint_index};
  for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) brio_name_index_end(indices[i]);
  return good;
}
