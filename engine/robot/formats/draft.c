/* From the text of a file to a robot: the reader of its format, then what all formats share (tree, variables,
** program). A further format is a reader and a row of `formats`. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/text.h"
#include "robot/formats/draft_internal.h"
#include "robot/program_internal.h"

static const size_t LARGEST = 32u << 20; /* bytes of a file */

/* The formats, by the first element of their files. */
static const struct {
  const char *root, *name;
  bool (*read)(brio_draft *draft, brio_xml *root);
} formats[] = {{"robot", "URDF", brio_urdf_read}, {"mujoco", "MJCF", brio_mjcf_read}};

enum { NFORMAT = sizeof formats / sizeof *formats };

bool brio_draft_take(brio_draft *draft, int nlink, int njoint, int nshape) {
  /* A link may be made up for the undeclared parent of each joint, and a joint to hold it. */
  int most = draft->max_links = nlink + njoint + 1;
  brio_arena *arena = &draft->robot->arena;
  draft->max_joints = 2 * njoint + 1;
  draft->max_shapes = nshape;
  /* What stays is the robot's; what is for reading alone is scratch. */
  draft->links = BRIO_TAKE(arena, brio_link, most);
  draft->joints = BRIO_TAKE(arena, brio_joint, draft->max_joints);
  draft->collisions = BRIO_TAKE(arena, brio_link_shape, nshape);
  draft->visuals = BRIO_TAKE(arena, brio_link_shape, nshape);
  draft->raw = BRIO_TAKE(&draft->scratch, brio_draft_joint, draft->max_joints);
  draft->elements = BRIO_TAKE(&draft->scratch, const brio_xml *, most);
  draft->meshes = BRIO_TAKE(&draft->scratch, brio_draft_mesh, nshape + 1);
  return (draft->links && draft->joints && draft->collisions && draft->visuals && draft->raw &&
          draft->elements && draft->meshes && brio_name_index_start(&draft->link_index, most) &&
          brio_name_index_start(&draft->mesh_index, nshape + 1) &&
          brio_name_index_start(&draft->robot->joint_index, draft->max_joints)) ||
         brio_draft_no_memory(draft);
}

/* Fail, as the first element with a name is `first`. */
static int name_taken(brio_draft *draft, const brio_xml *element, const brio_xml *first, const char *kind) {
  brio_draft_wrong(draft, element, "this name is taken by the %s of line %d: expected another", kind,
                   first->line);
  return -1;
}

int brio_draft_add_link(brio_draft *draft, const brio_xml *element, const char *name) {
  /* The arrays have been taken by count: there is a place for each element of the file. */
  int place = draft->robot->nlink;
  assert(place < draft->max_links);
  if (!(draft->links[place].name = brio_draft_keep(draft, name))) return -1;
  if (!brio_name_index_add(&draft->link_index, draft->links[place].name, place))
    return name_taken(draft, element, draft->elements[brio_name_index_find(&draft->link_index, name)],
                      "link");
  draft->elements[place] = element;
  draft->robot->nlink++;
  return place;
}

int brio_draft_add_joint(brio_draft *draft, const brio_xml *element, const char *name) {
  brio_name_index *index = &draft->robot->joint_index;
  int place = draft->robot->njoint;
  assert(place < draft->max_joints);
  brio_joint *joint = &draft->joints[place];
  if (!(joint->name = brio_draft_keep(draft, name))) return -1;
  if (!brio_name_index_add(index, joint->name, place))
    return name_taken(draft, element, draft->raw[brio_name_index_find(index, name)].element, "joint");
  /* Defaults first: reading what follows may fail at any point. */
  draft->raw[place] = (brio_draft_joint){.element = element, .velocity = INFINITY, .effort = INFINITY};
  joint->multiplier = 1;
  joint->mimic = joint->variable = -1;
  joint->axis = (brio_vec3){1, 0, 0};
  joint->origin = joint->tail = BRIO_TRANSFORM_IDENTITY;
  draft->robot->njoint++;
  return place;
}

/* Move the results into the robot, and compile its program. Errors: no_memory. */
static bool finish(brio_draft *draft) {
  brio_robot *robot = draft->robot;
  /* No more was read than was counted. */
  assert(robot->nlink <= draft->max_links && robot->njoint <= draft->max_joints);
  assert(robot->ncollision <= draft->max_shapes && robot->nvisual <= draft->max_shapes);
  robot->collisions = draft->collisions;
  robot->visuals = draft->visuals;
  robot->loops = draft->loops;
  robot->excludes = draft->excludes;
  for (int i = 0; i < robot->nlink; i++) robot->mass += robot->links[i].mass;
  /* The list becomes an array of the robot's own; the sentences are there already. */
  const char **warnings = BRIO_TAKE(&robot->arena, const char *, robot->nwarning);
  if (!warnings) return brio_draft_no_memory(draft);
  int n = 0;
  for (const brio_draft_warning *w = draft->first_warning; w; w = w->next) warnings[n++] = w->sentence;
  robot->warnings = warnings;
  return brio_robot_compile(robot, draft->err);
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
    /* NaN fails the comparison, too. */
    robot->base_range[k] = options->base_range[k];
    if (!(robot->base_range[k] >= 0 && isfinite(robot->base_range[k])))
      return brio_fail(err, BRIO_MISUSE, "the base's range %d is %g: expected a finite number of at least 0",
                       k + 1, robot->base_range[k]);
  }
  return true;
}

/* Open a document of `length` bytes, which is closed with the draft. `file` stays with it. NULL: an error. */
static brio_xml_document *open_text(brio_draft *draft, const char *text, size_t length, const char *file) {
  brio_draft_document *document = BRIO_TAKE(&draft->scratch, brio_draft_document, 1);
  if (!document) return brio_draft_no_memory(draft), NULL;
  if (!brio_xml_parse(&document->xml, text, length, file, draft->err)) return NULL;
  /* The list is closed with the draft, in any order. */
  document->next = draft->documents;
  draft->documents = document;
  return &document->xml;
}

/* The size is checked before a file is read into memory, as its name may be any path. Errors: limit, and
** those of reading. */
static bool read_file(brio_text *text, const char *file, brio_error *err) {
  /* Only a regular file has a size to ask for; a pipe is stopped at the limit while it is read. */
  struct stat status;
  if (stat(file, &status) == 0 && S_ISREG(status.st_mode) && (unsigned long long)status.st_size > LARGEST)
    return brio_fail(err, BRIO_LIMIT, "%s is larger than %zu bytes", file, LARGEST);
  return brio_text_read_file(text, file, LARGEST, err);
}

brio_xml_document *brio_draft_open(brio_draft *draft, const char *file) {
  brio_text text = {0};
  brio_xml_document *document = NULL;
  const char *kept = brio_arena_text(&draft->scratch, file, strlen(file));
  if (!kept)
    brio_draft_no_memory(draft);
  else if (read_file(&text, file, draft->err)) {
    /* What the robot is made of is in its digest, in the order of reading. */
    draft->robot->hash = brio_hash_fold(draft->robot->hash, text.bytes, text.length);
    document = open_text(draft, text.bytes, text.length, kept);
  }
  brio_text_end(&text);
  return document;
}

/* Fail because no format begins with this element. */
static bool fail_root(brio_draft *draft, const brio_xml *root) {
  /* "<robot> (URDF) or <mujoco> (MJCF)": a further row of the table names itself. */
  char expected[200] = "";
  for (int i = 0; i < NFORMAT; i++) {
    size_t n = strlen(expected);
    snprintf(expected + n, sizeof expected - n, "%s<%s> (%s)", i ? " or " : "", formats[i].root,
             formats[i].name);
  }
  return brio_draft_wrong(draft, root, "the first element is <%.40s>: expected %s", root->name, expected);
}

/* Read the robot in stages, each of which relies on the one before: elements, tree, variables. */
static bool read_robot(brio_draft *draft, brio_xml *root) {
  /* The first element decides. */
  int k = 0;
  while (k < NFORMAT && strcmp(formats[k].root, root->name) != 0) k++;
  if (k == NFORMAT) return fail_root(draft, root);
  return formats[k].read(draft, root) && brio_draft_order(draft) && brio_draft_variables(draft) &&
         brio_draft_settle_poses(draft) && finish(draft);
}

/* Free what only reading needs. */
static void close_draft(brio_draft *draft) {
  if (draft->c_locale) freelocale(draft->c_locale);
  brio_name_index_end(&draft->link_index);
  brio_name_index_end(&draft->mesh_index);
  for (brio_draft_document *d = draft->documents; d; d = d->next) brio_xml_end(&d->xml);
  brio_arena_end(&draft->scratch);
}

/* Parse the text and read the robot. Documents and scratch are freed in any case. */
static bool parse_into(brio_robot *robot, const char *text, size_t length, const brio_robot_options *options,
                       brio_error *err) {
  brio_draft draft = {.robot = robot, .options = options, .err = err};
  brio_arena_start(&draft.scratch, 1 << 16);
  /* Numbers are read in the C locale, whatever the user's is. */
  draft.c_locale = newlocale(LC_ALL_MASK, "C", NULL);
  bool good = draft.c_locale || brio_draft_no_memory(&draft);
  brio_xml_document *document = good ? open_text(&draft, text, length, robot->file) : NULL;
  good = document && read_robot(&draft, document->root);
  close_draft(&draft);
  return good;
}

brio_robot *brio_robot_parse(const char *text, size_t length, const char *name,
                             const brio_robot_options *options, brio_error *err) {
  /* No options are options of which all are 0. */
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

brio_robot *brio_robot_load(const char *file, const brio_robot_options *options, brio_error *err) {
  brio_text text = {0};
  brio_robot *robot = NULL;
  if (read_file(&text, file, err)) robot = brio_robot_parse(text.bytes, text.length, file, options, err);
  brio_text_end(&text);
  return robot;
}
