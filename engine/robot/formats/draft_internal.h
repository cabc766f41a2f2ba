/* What the readers of robot files share: a robot in the making, and what each format does with it. draft.c
** (formats, the way from text to robot), draft_value.c (numbers and messages), draft_mass.c (inertias),
** draft_mesh.c (shapes' names, mesh files), draft_pose.c (named poses), draft_tree.c (links and joints into a
** tree), draft_variable.c (what moves).  Not for other rooms. */
#ifndef BRIO_ROBOT_FORMATS_DRAFT_INTERNAL_H
#define BRIO_ROBOT_FORMATS_DRAFT_INTERNAL_H

#include <locale.h>

#include "robot/robot.h"
#include "robot/xml.h"

/* What a joint is before names are resolved. */
typedef struct brio_draft_joint {
  const brio_xml *element; /* NULL: made up to hold an undeclared parent */
  const brio_xml *limit;   /* the element of messages about its range; NULL: its own */
  const brio_xml *copy;    /* the element of messages about what it copies; NULL: its own */
  const char *parent, *child;
  const char *mimic; /* NULL: copies nobody */
  bool bounded;      /* a range was given */
  double lower, upper, velocity, effort;
} brio_draft_joint;

/* A mesh file met before: what was made of it. */
typedef struct brio_draft_mesh {
  int npoint;              /* 0: cannot be used; a warning has the reason */
  const brio_vec3 *points; /* corners of its hull, as in the file */
} brio_draft_mesh;

typedef struct brio_draft_warning {
  const char *sentence;
  struct brio_draft_warning *next;
} brio_draft_warning;

/* A named configuration before joints have their variables. */
typedef struct brio_draft_pose {
  const char *name;
  const brio_xml *element;
  const char *root; /* the link that `base` is of; NULL: the file says nothing of the base */
  brio_pose base;
  const double *values; /* BRIO_BASE_NV for each joint, of which it uses its own */
} brio_draft_pose;

/* A document that is open while the robot is read. */
typedef struct brio_draft_document {
  brio_xml_document xml;
  struct brio_draft_document *next;
} brio_draft_document;

/* Everything about a robot while it is being read.  What stays is taken from the robot's
** arena; the rest from `scratch`.
**
** Invariants: no array holds more than it was taken for (`max_`...), as elements are counted before they are
** read; every link and joint is in its index by its name, and no two have the same. */
typedef struct brio_draft {
  brio_robot *robot;
  const brio_robot_options *options;
  brio_error *err;
  brio_arena scratch;
  brio_draft_document *documents;
  locale_t c_locale; /* numbers are read independently of the user's language */
  const char *owner; /* messages name the element of this name around; NULL: below the root */
  int max_links, max_joints, max_shapes; /* the last one: of each kind */
  brio_link *links;
  brio_joint *joints;
  brio_draft_joint *raw;      /* beside joints */
  const brio_xml **elements;  /* beside links; NULL: made up for an undeclared parent */
  brio_name_index link_index; /* by place in `links`, before they are put in order */
  brio_link_shape *collisions, *visuals;
  brio_loop *loops;
  brio_link_pair *excludes;
  brio_draft_pose *poses;
  int npose;
  brio_name_index mesh_index; /* into meshes, by file name as written */
  brio_draft_mesh *meshes;
  brio_draft_warning *first_warning, *last_warning;
} brio_draft;

/* The readers: of the children of `root` to links and joints, whose names are resolved afterwards. */
bool brio_urdf_read(brio_draft *draft, brio_xml *root);
bool brio_mjcf_read(brio_draft *draft, brio_xml *root);

/* Take memory for that many links, joints and shapes of one kind. */
bool brio_draft_take(brio_draft *draft, int nlink, int njoint, int nshape);

/* Add a link of that name; return its place in `links`, or -1 (the name is taken, no memory). */
int brio_draft_add_link(brio_draft *draft, const brio_xml *element, const char *name);

/* Add a joint of that name without motion; return its place in `joints`, or -1. */
int brio_draft_add_joint(brio_draft *draft, const brio_xml *element, const char *name);

/* Read another file, of at most 32 MB, and parse it; it stays open while the robot is read.  NULL: the
** error is set. */
brio_xml_document *brio_draft_open(brio_draft *draft, const char *file);

/* --- draft_value.c --- */

/* Fail, or warn, with "file:line: <element> of joint 'name': sentence".  An element of NULL
** stands for the whole file. */
bool brio_draft_wrong(brio_draft *draft, const brio_xml *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void brio_draft_warn(brio_draft *draft, const brio_xml *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fail without memory. */
bool brio_draft_no_memory(brio_draft *draft);

/* Copy a text that stays; NULL, with the error set, without memory. */
const char *brio_draft_keep(brio_draft *draft, const char *text);

/* Read an attribute that has to be there and not be empty. */
bool brio_draft_text(brio_draft *draft, const brio_xml *element, const char *name, const char **out);

enum { BRIO_DRAFT_NUMBERS = 8 }; /* of one attribute, at most */

/* Read `least` to `count` numbers from -most to most out of `value`, which is that of the attribute `name` of
** `element`.  Return how many, or -1 and the error: `out` is unchanged then. */
int brio_draft_list(brio_draft *draft, const brio_xml *element, const char *name, const char *value,
                    int least, int count, double most, double *out);

/* Read exactly `count` numbers, as many as may be; `out` is changed where that fails, too. */
bool brio_draft_row(brio_draft *draft, const brio_xml *element, const char *name, const char *value,
                    int count, double *out);

/* Read exactly `count` numbers from -1e9 to 1e9 of an attribute, which has to be there; or,
** when it is not there, leave `out` as it is and return true. */
bool brio_draft_numbers(brio_draft *draft, const brio_xml *element, const char *name, int count, double *out);
bool brio_draft_numbers_if(brio_draft *draft, const brio_xml *element, const char *name, int count,
                           double *out);

/* Read one number of a limit, if it is there.  One so large that nothing reaches it (exporters
** write 1e16 or 1.79769e+308 for "none") becomes infinite. */
bool brio_draft_limit_if(brio_draft *draft, const brio_xml *element, const char *name, double *out);

extern const double brio_draft_farthest; /* m, rad, kg, ...: nothing on a robot is that large */

/* --- draft_mass.c, draft_mesh.c --- */

/* Turn an inertia (xx xy xz yy yz zz) from the axes of `q` into those that q is given in: R I R^T. */
void brio_draft_turn_inertia(brio_quat q, double i[6]);

/* Warn of an inertia that no solid has; simulators accept it. */
void brio_draft_check_inertia(brio_draft *draft, const brio_xml *element, const double i[6]);

/* Name a shape as in the file, or after its link: "<link>", "<link>.2", ... by `number`. */
bool brio_draft_name_shape(brio_draft *draft, const brio_xml *element, int number, brio_link_shape *out);

/* Whether a shape has a size: files mark points by spheres of radius 0.  A hull without points counts, as it
** has been reported already. */
bool brio_draft_has_size(const brio_shape *shape);

/* Make the hull of the mesh file `name` the shape, each corner moved into the frame `reference` (NULL: the
** file's) and multiplied by `scale`.  A file that cannot be read is a warning, and the hull has no points.
** False: no memory. */
bool brio_draft_hull(brio_draft *draft, const brio_xml *element, const char *name, const double scale[3],
                     const brio_pose *reference, brio_link_shape *out);

/* --- draft_tree.c, draft_variable.c, draft_pose.c --- */

/* Put links and joints, read from the file, into a tree: parents before children. */
bool brio_draft_order(brio_draft *draft);

/* Give joints their variables: mimics resolved, ranges checked. */
bool brio_draft_variables(brio_draft *draft);

/* Make the named poses configurations of the robot. */
bool brio_draft_settle_poses(brio_draft *draft);

#endif
