/* What the files that read URDF share: urdf.c (elements), urdf_value.c (numbers and
** messages), urdf_shape.c (shapes and their mesh files), urdf_tree.c (links and joints into a
** tree), urdf_variable.c (what moves).  Not for other rooms. */
#ifndef BRIO_ROBOT_URDF_INTERNAL_H
#define BRIO_ROBOT_URDF_INTERNAL_H

#include <locale.h>

#include "robot/robot.h"
#include "robot/xml.h"

/* A joint element before names are resolved. */
typedef struct brio_urdf_joint {
  const brio_xml *element;   /* NULL: made up to hold an undeclared parent */
  const char *parent, *child;
  const char *mimic;         /* NULL: copies nobody */
  bool bounded;              /* a range was given */
  double lower, upper, velocity, effort;
} brio_urdf_joint;

/* A mesh file met before: what was made of it. */
typedef struct brio_urdf_mesh {
  int npoint;                /* 0: cannot be used; a warning has the reason */
  const brio_vec3 *points;   /* corners of its hull, as in the file */
} brio_urdf_mesh;

typedef struct brio_urdf_warning {
  const char *sentence;
  struct brio_urdf_warning *next;
} brio_urdf_warning;

/* Everything about a robot while it is being read.  What stays is taken from the robot's
** arena; the rest from `scratch`. */
typedef struct brio_urdf {
  brio_robot *robot;
  const brio_robot_options *options;
  brio_error *err;
  brio_arena scratch;
  locale_t c_locale;         /* numbers are read independently of the user's language */
  brio_link *links;
  brio_joint *joints;
  brio_urdf_joint *raw;      /* beside joints */
  const brio_xml **elements; /* beside links; NULL: made up for an undeclared parent */
  brio_name_index link_index; /* by place in `links`, before they are put in order */
  brio_link_shape *collisions, *visuals;
  brio_name_index mesh_index; /* into meshes, by file name as written */
  brio_urdf_mesh *meshes;
  brio_urdf_warning *first_warning, *last_warning;
} brio_urdf;

/* Fail, or warn, with "file:line: <element> of joint 'name': sentence".  An element of NULL
** stands for the whole file. */
bool brio_urdf_wrong(brio_urdf *urdf, const brio_xml *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void brio_urdf_warn(brio_urdf *urdf, const brio_xml *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fail without memory. */
bool brio_urdf_no_memory(brio_urdf *urdf);

/* Copy a text that stays; NULL, with the error set, without memory. */
const char *brio_urdf_keep(brio_urdf *urdf, const char *text);

/* Read an attribute that has to be there and not be empty. */
bool brio_urdf_text(brio_urdf *urdf, const brio_xml *element, const char *name, const char **out);

/* Read exactly `count` numbers from -1e9 to 1e9 of an attribute, which has to be there; or,
** when it is not there, leave `out` as it is and return true. */
bool brio_urdf_numbers(brio_urdf *urdf, const brio_xml *element, const char *name, int count, double *out);
bool brio_urdf_numbers_if(brio_urdf *urdf, const brio_xml *element, const char *name, int count,
                          double *out);

/* Read one number of a limit, if it is there.  One so large that nothing reaches it (exporters
** write 1e16 or 1.79769e+308 for "none") becomes infinite. */
bool brio_urdf_limit_if(brio_urdf *urdf, const brio_xml *element, const char *name, double *out);

/* Read the <origin> child of `element`, if it has one. */
bool brio_urdf_origin(brio_urdf *urdf, const brio_xml *element, brio_pose *pose);

/* Read the collision and visual shapes of a link, given by its place in `links`. */
bool brio_urdf_shapes(brio_urdf *urdf, const brio_xml *element, int link);

/* Put links and joints, read from the file, into a tree: parents before children. */
bool brio_urdf_order(brio_urdf *urdf);

/* Give joints their variables: mimics resolved, ranges checked. */
bool brio_urdf_variables(brio_urdf *urdf);

#endif
