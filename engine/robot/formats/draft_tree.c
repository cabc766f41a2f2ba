/* From a list of links and a list of joints to a tree: resolve names, make up undeclared parents, find cycles
** and second roots, sort links (parents first, each subtree contiguous, siblings as in the file). Trees are
** walked with lists instead of recursion, as chains may have thousands of joints. O(links + joints) on
** average. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/draft_internal.h"

enum { HINTS = 8, LARGE = 2000 }; /* similar names are sought for that many links, among that many */

/* The tree in construction: lists by index in draft->links. */
typedef struct tree_maker {
  brio_draft *draft;
  int *joint_of;          /* the joint that carries a link, -1: none */
  int *first, *next;      /* joints below a link (last in the file first), and beside a joint */
  int *sorted, *place_of; /* links in order, and the reverse */
  int *stack;             /* links to visit */
  int declared;           /* links that the file declares */
} tree_maker;

/* The name of a link by its index, for brio_name_hint. */
static const char *link_name_at(const void *list, int i) {
  const brio_draft *draft = list;
  return i < draft->robot->nlink ? draft->links[i].name : NULL;
}

/* Allocate all lists in one block, large enough for links and joints that may be made up. */
static bool start(tree_maker *maker) {
  brio_draft *draft = maker->draft;
  int nlink = draft->robot->nlink + draft->robot->njoint + 1, njoint = 2 * draft->robot->njoint + 1;
  /* Each joint may make up one link, and each of these one joint. */
  assert(draft->robot->nlink <= draft->max_links && draft->robot->njoint <= draft->max_joints);
  int *room = BRIO_TAKE(&draft->scratch, int, 5 * nlink + njoint);
  if (!room) return brio_draft_no_memory(draft), false;
  *maker = (tree_maker){draft,
                        room,
                        room + nlink,
                        room + 5 * nlink,
                        room + 2 * nlink,
                        room + 3 * nlink,
                        room + 4 * nlink,
                        draft->robot->nlink};
  /* -1 is no joint; the other lists are filled before they are read. */
  for (int i = 0; i < 2 * nlink; i++) room[i] = -1; /* joint_of and first */
  return true;
}

/* Resolve the link that a joint carries. Errors: there is no such link; it has a parent already. */
static bool find_child(tree_maker *maker, int j) {
  brio_draft *draft = maker->draft;
  const brio_draft_joint *raw = &draft->raw[j];
  int child = brio_name_index_find(&draft->link_index, raw->child);
  char hint[96];
  if (child < 0)
    return brio_draft_wrong(draft, brio_xml_child(raw->element, "child"), "no link is called '%.80s'%s",
                            raw->child, brio_name_hint(raw->child, link_name_at, draft, hint));
  /* A tree: each link has one parent. */
  if (maker->joint_of[child] >= 0) {
    const brio_joint *other = &draft->joints[maker->joint_of[child]];
    return brio_draft_wrong(draft, raw->element,
                            "link '%.80s' has a parent already, through joint '%.80s': "
                            "expected one parent for each link",
                            raw->child, other->name);
  }
  assert(j >= 0 && j < draft->robot->njoint);
  maker->joint_of[child] = j;
  draft->joints[j].child = child;
  return true;
}

/* Resolve the link that carries a joint, or make it up, with a warning, if it is not declared. */
static bool find_parent(tree_maker *maker, int j) {
  brio_draft *draft = maker->draft;
  const brio_draft_joint *raw = &draft->raw[j];
  int parent = brio_name_index_find(&draft->link_index, raw->parent);
  if (parent < 0) {
    char hint[96] = "";
    /* Made-up links follow the declared ones. The search for similar names is limited, as it costs
    ** O(links). */
    parent = draft->robot->nlink;
    assert(parent < draft->max_links);
    if (parent < maker->declared + HINTS && parent < LARGE)
      brio_name_hint(raw->parent, link_name_at, draft, hint);
    if (!(draft->links[parent].name = brio_draft_keep(draft, raw->parent))) return false;
    brio_name_index_add(&draft->link_index, draft->links[parent].name, parent);
    draft->robot->nlink++;
    brio_draft_warn(draft, brio_xml_child(raw->element, "parent"),
                    "link '%.80s' is not declared%s: a link at the world's origin is taken for it",
                    raw->parent, hint);
  }
  draft->joints[j].parent = parent;
  return true;
}

/* Name a made-up joint "<parent>-<child>", with a number if that name is in use. */
static const char *made_up_name(brio_draft *draft, int parent, int child, int place) {
  const char *above = draft->links[parent].name, *below = draft->links[child].name;
  /* Room for both names, a dash, a dot and a number. */
  size_t size = strlen(above) + strlen(below) + 16;
  char *name = brio_arena_take(&draft->robot->arena, size);
  if (!name) return brio_draft_no_memory(draft), NULL;
  snprintf(name, size, "%s-%s", above, below);
  for (int n = 2; !brio_name_index_add(&draft->robot->joint_index, name, place); n++)
    snprintf(name, size, "%s-%s.%d", above, below, n);
  return name;
}

/* Attach `child` at the origin of `parent` by a made-up fixed joint, with a warning. */
static bool join(tree_maker *maker, int parent, int child) {
  brio_draft *draft = maker->draft;
  int place = draft->robot->njoint;
  assert(place < draft->max_joints && maker->joint_of[child] < 0);
  const char *name = made_up_name(draft, parent, child, place);
  if (!name) return false;
  draft->joints[place] = (brio_joint){.name = name,
                                      .type = BRIO_JOINT_FIXED,
                                      .parent = parent,
                                      .child = child,
                                      .origin = BRIO_TRANSFORM_IDENTITY,
                                      .tail = BRIO_TRANSFORM_IDENTITY,
                                      .axis = {1, 0, 0},
                                      .variable = -1,
                                      .mimic = -1,
                                      .multiplier = 1};
  maker->joint_of[child] = place;
  draft->robot->njoint++;
  brio_draft_warn(draft, draft->elements[child],
                  "link '%.80s' is held at the origin of '%.80s' by a made-up joint '%.80s'",
                  draft->links[child].name, draft->links[parent].name, name);
  return true;
}

/* Leave at most one root and write it to `root`; -1: every link has a parent, so there is a cycle. The rules
** are at the head of urdf.c. */
static bool settle_roots(tree_maker *maker, int *root) {
  brio_draft *draft = maker->draft;
  int nlink = draft->robot->nlink, declared = -1, hub = -1;
  /* Roots are the links without a joint: at most one declared, any number made up. */
  for (int i = 0; i < nlink; i++) {
    if (maker->joint_of[i] >= 0) continue;
    /* A second declared root means that a joint was forgotten. */
    if (i < maker->declared && declared >= 0)
      return brio_draft_wrong(draft, draft->elements[i],
                              "neither this link nor '%.80s' (line %d) has a parent: "
                              "expected one root",
                              draft->links[declared].name, draft->elements[declared]->line);
    if (i < maker->declared)
      declared = i;
    else if (hub < 0 || strcmp(draft->links[i].name, "world") == 0)
      hub = i;
  }
  *root = hub < 0 ? declared : hub;
  /* The hub becomes the parent of all other roots. */
  for (int i = 0; hub >= 0 && i < nlink; i++)
    if (i != hub && maker->joint_of[i] < 0 && !join(maker, hub, i)) return false;
  return true;
}

/* The inverse of a transform; the identity exactly where it is one, as kinematics saves a product then. */
static brio_transform inverse_of(const brio_transform *t) {
  if (memcmp(t, &BRIO_TRANSFORM_IDENTITY, sizeof *t) == 0) return BRIO_TRANSFORM_IDENTITY;
  return brio_transform_of(brio_pose_inverse(brio_pose_of(t)));
}

/* Reverse a joint: it then carries its former parent. With the former parent_from_child, origin *
** motion(axis, q) * tail, child_from_parent is tail^-1 * motion(-axis, q) * origin^-1. */
static void turn_joint(brio_joint *joint) {
  int below = joint->child;
  joint->child = joint->parent;
  joint->parent = below;
  brio_transform back = brio_transform_of(brio_pose_inverse(brio_pose_of(&joint->origin)));
  brio_transform ahead = inverse_of(&joint->tail);
  /* A fixed joint has no motion between its two constants: they are one origin. */
  bool fixed = joint->type == BRIO_JOINT_FIXED;
  joint->origin = fixed ? back : ahead;
  joint->tail = fixed ? BRIO_TRANSFORM_IDENTITY : back;
  joint->axis = brio_vec3_scale(-1, joint->axis);
}

/* Make the link that the robot stands on the root, if there is one of that name. A planar or floating joint
** between it and the old root is how a robot moves about: then the tree stays as it is. In a cycle, which
** sort_links reports, the count of links ends the walk. */
static void turn_around(tree_maker *maker, int *root) {
  brio_draft *draft = maker->draft;
  /* No such link, or a cycle: the tree stays. */
  const char *name = draft->options->stands_on;
  int link = name ? brio_name_index_find(&draft->link_index, name) : -1, left = draft->robot->nlink;
  if (link < 0 || *root < 0) return;
  /* First only check: nothing changes if a joint of that kind is in between. */
  for (int at = link; at != *root; at = draft->joints[maker->joint_of[at]].parent) {
    brio_joint_type type = draft->joints[maker->joint_of[at]].type;
    if (left-- == 0 || type == BRIO_JOINT_PLANAR || type == BRIO_JOINT_FLOATING) return;
  }
  /* Then reverse every joint between the link and the old root. */
  for (int at = link, below = -1; at >= 0;) {
    int above = maker->joint_of[at];
    maker->joint_of[at] = below;
    if (above >= 0) turn_joint(&draft->joints[above]);
    below = above;
    at = above >= 0 ? draft->joints[above].child : -1;
  }
  *root = link;
}

/* Report the cycle that makes some links unreachable: walking up as many joints as there are links ends in
** it. */
static bool fail_cycle(tree_maker *maker) {
  brio_draft *draft = maker->draft;
  int link = 0;
  while (maker->place_of[link] >= 0) link++;
  for (int n = draft->robot->nlink; n > 0; n--) link = draft->joints[maker->joint_of[link]].parent;
  int joint = maker->joint_of[link], above = draft->joints[joint].parent;
  return brio_draft_wrong(draft, draft->raw[joint].element,
                          "its parent '%.80s' hangs below its child '%.80s': a cycle; expected a tree",
                          draft->links[above].name, draft->links[link].name);
}

/* Visit everything below `root`, parents first, with a stack. Errors: a cycle. O(links + joints) */
static bool sort_links(tree_maker *maker, int root) {
  brio_draft *draft = maker->draft;
  brio_robot *robot = draft->robot;
  int *order = BRIO_TAKE(&robot->arena, int, robot->njoint), waiting = 0, sorted = 0, njoint = 0;
  if (!order) return brio_draft_no_memory(draft);
  /* Lists of children, built backwards; the stack reverses them again, into the order of the file. */
  for (int j = 0; j < robot->njoint; j++) {
    maker->next[j] = maker->first[draft->joints[j].parent];
    maker->first[draft->joints[j].parent] = j;
  }
  for (int i = 0; i < robot->nlink; i++) maker->place_of[i] = -1;
  if (root >= 0) maker->stack[waiting++] = root;
  while (waiting > 0) {
    int link = maker->stack[--waiting];
    assert(maker->place_of[link] < 0 && sorted < robot->nlink);
    maker->place_of[link] = sorted;
    maker->sorted[sorted++] = link;
    if (maker->joint_of[link] >= 0) order[njoint++] = maker->joint_of[link];
    for (int j = maker->first[link]; j >= 0; j = maker->next[j])
      maker->stack[waiting++] = draft->joints[j].child;
  }
  /* Joints in the order of the links they carry: parents first. */
  robot->order = order;
  /* Links that were not reached are in a cycle or below one. */
  return sorted == robot->nlink || fail_cycle(maker);
}

/* Write the links in their new order, and replace their numbers everywhere. Errors: no_memory. */
static bool renumber(tree_maker *maker) {
  brio_draft *draft = maker->draft;
  brio_robot *robot = draft->robot;
  const int *place_of = maker->place_of;
  /* A new array, as the old one is the source of the copy. */
  brio_link *links = BRIO_TAKE(&robot->arena, brio_link, robot->nlink);
  if (!links || !brio_name_index_start(&robot->link_index, robot->nlink)) return brio_draft_no_memory(draft);
  for (int i = 0; i < robot->nlink; i++) {
    int old = maker->sorted[i], joint = maker->joint_of[old];
    links[i] = draft->links[old];
    links[i].joint = joint;
    assert(joint < 0 || place_of[draft->joints[joint].parent] < i);
    /* Parents come first, so place_of is set for them. */
    links[i].parent = joint >= 0 ? place_of[draft->joints[joint].parent] : -1;
    brio_name_index_add(&robot->link_index, links[i].name, i);
  }
  for (int j = 0; j < robot->njoint; j++) {
    draft->joints[j].parent = place_of[draft->joints[j].parent];
    draft->joints[j].child = place_of[draft->joints[j].child];
  }
  for (int i = 0; i < robot->ncollision; i++) draft->collisions[i].link = place_of[draft->collisions[i].link];
  for (int i = 0; i < robot->nvisual; i++) draft->visuals[i].link = place_of[draft->visuals[i].link];
  for (int i = 0; i < robot->nloop; i++)
    for (int k = 0; k < 2; k++) draft->loops[i].links[k] = place_of[draft->loops[i].links[k]];
  for (int i = 0; i < robot->nexclude; i++)
    for (int k = 0; k < 2; k++) draft->excludes[i].links[k] = place_of[draft->excludes[i].links[k]];
  robot->links = links;
  robot->joints = draft->joints;
  return true;
}

bool brio_draft_order(brio_draft *draft) {
  tree_maker maker = {.draft = draft};
  int njoint = draft->robot->njoint, root = -1;
  if (!start(&maker)) return false;
  /* Children first: a link with two parents is reported before any link is made up. */
  for (int j = 0; j < njoint; j++)
    if (!find_child(&maker, j)) return false;
  for (int j = 0; j < njoint; j++)
    if (!find_parent(&maker, j)) return false;
  if (!settle_roots(&maker, &root)) return false;
  turn_around(&maker, &root);
  return sort_links(&maker, root) && renumber(&maker);
}
