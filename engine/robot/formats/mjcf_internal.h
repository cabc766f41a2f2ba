/* What the files that read MJCF share: mjcf.c (sections of the file, the tree of bodies), mjcf_class.c
** (defaults), mjcf_value.c (attributes), mjcf_include.c (other files), mjcf_option.c (<compiler>),
** mjcf_joint.c, mjcf_geom.c, mjcf_mass.c, mjcf_asset.c (meshes), mjcf_loop.c (<equality>, <contact>),
** mjcf_actuator.c, mjcf_key.c.  Not for other rooms. */
#ifndef BRIO_ROBOT_FORMATS_MJCF_INTERNAL_H
#define BRIO_ROBOT_FORMATS_MJCF_INTERNAL_H

#include "robot/formats/draft_internal.h"

/* A class of <default>s, or one more piece of it. */
typedef struct brio_mjcf_class {
  const char *name;
  int parent;              /* -1: the outermost */
  const brio_xml *element; /* the <default> */
  int more;                /* a further element of the same class, -1: none */
} brio_mjcf_class;

typedef struct brio_mjcf_option {
  bool radians;           /* angles in the file; else degrees */
  char eulerseq[4];       /* axes of euler angles; small: that turn with the body */
  bool autolimits;        /* a range limits, without limited="true" */
  int inertia_from_geoms; /* BRIO_MJCF_FALSE: only <inertial>; TRUE: only geoms; AUTO: geoms without
                             <inertial> */
  double group_range[2];  /* groups of geoms that have mass */
  double total_mass;      /* kg; all masses are scaled to it; not above 0: as they are */
  double bound_mass;      /* kg: the least of a body that moves */

  const char *meshdir; /* "": the file's folder */
  bool strippath;      /* folders in names of mesh files are ignored */
} brio_mjcf_option;

/* A mesh of <asset>. */
typedef struct brio_mjcf_mesh {
  const brio_xml *element;
  const char *name; /* by which geoms refer to it */
  const char *file; /* with the folder of meshes; NULL: its corners are in the file, or made */
  double scale[3];
  brio_pose reference;
} brio_mjcf_mesh;

/* Mass properties of all geoms of a body, in its frame. */
typedef struct brio_mjcf_mass {
  double mass;       /* kg */
  brio_vec3 moment;  /* mass times centre of mass, kg m */
  double inertia[6]; /* about the frame's origin: xx xy xz yy yz zz, kg m^2 */
} brio_mjcf_mass;

/* A body while it is being read. */
typedef struct brio_mjcf_body {
  const brio_xml *element;
  int link;
  int ngeom[2];        /* shapes so far: visual, collision */
  brio_mjcf_mass mass; /* of its geoms */
} brio_mjcf_body;

/* An element with the class that its attributes come from where it does not have them itself. */
typedef struct brio_mjcf_item {
  const brio_xml *element;
  int from; /* class; -1: it has none */
} brio_mjcf_item;

/* What became of the joint of that name in the file. */
typedef struct brio_mjcf_joint {
  int place;     /* in draft->joints: the first of it */
  int count;     /* of joints: a ball has three */
  double ref;    /* its value in the pose that the file describes */
  double effort; /* N m or N: of all actuators so far; INFINITY: one of them has no limit */
  bool driven;
} brio_mjcf_joint;

enum { BRIO_MJCF_IGNORED = 48 }; /* kinds of ignored elements that are named; others are counted */

/* A file while it is being read.  Invariants: `reference` has the place of every link that is in
** draft->links; a class has a lower number than those inside it; the `place` of a joint is -1 only for the
** free joint that the robot's base has taken the place of. */
typedef struct brio_mjcf {
  brio_draft *draft;
  brio_xml *root;
  brio_mjcf_option option;
  brio_mjcf_class *classes;
  int nclass;
  brio_name_index class_index, mesh_index, link_names, joint_names, site_index;
  brio_mjcf_mesh *meshes;
  int nmesh, max_meshes;
  brio_mjcf_joint *joints; /* of the names in joint_index, in the file's order */
  int njoint;
  brio_name_index joint_index;
  brio_transform *reference; /* beside draft->links: where each is in the pose that the file describes */
  const brio_xml *free_root; /* the body that is the root, as nothing holds it; NULL: the world is */
  int left_in_world;         /* geoms and sites of the world that the robot does not have */
  struct {
    const char *name;
    int count;
  } ignored[BRIO_MJCF_IGNORED];
  int nignored, nother;
} brio_mjcf;

/* --- mjcf_include.c --- */

/* Put the contents of other files in the place of each <include>. */
bool brio_mjcf_include(brio_mjcf *mjcf);

/* --- mjcf_class.c --- */

/* Read the <default>s.  Then an element's attribute is its own, or that of its class, or that of the class
** around it. */
bool brio_mjcf_read_classes(brio_mjcf *mjcf);
brio_mjcf_item brio_mjcf_item_of(const brio_mjcf *mjcf, const brio_xml *element);
const char *brio_mjcf_value(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name);

/* Return the first of `names` (which ends at NULL) that the element has, else its class, ...; its value to
** `value`. */
const char *brio_mjcf_first(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *const *names,
                            const char **value);

/* Whether the element is an actuator: all of them share their defaults. */
bool brio_mjcf_is_actuator(const brio_xml *element);

/* --- mjcf_value.c --- */

/* Read an attribute, if it is there: `least` to `count` numbers (the return value says how many, 0: it is not
** there, -1: an error); one number; a word of `words`, which end at NULL, as its place. */
int brio_mjcf_numbers(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name, int least,
                      int count, double *out);
bool brio_mjcf_number(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name, double *out);
bool brio_mjcf_word(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name,
                    const char *const *words, int *out);

enum { BRIO_MJCF_FALSE, BRIO_MJCF_TRUE, BRIO_MJCF_AUTO };
extern const char *const brio_mjcf_flags[]; /* "false", "true", "auto" */

/* Read a range and whether it limits; `limited` as in the file, "auto" without it. */
bool brio_mjcf_range(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *range,
                     const char *limited, double out[2], bool *limits);

/* Read "pos" and an orientation (quat, axisangle, euler, xyaxes or zaxis); the identity without. */
bool brio_mjcf_pose(const brio_mjcf *mjcf, const brio_mjcf_item *item, brio_pose *out);

/* Return the rotation that turns z into `direction` the shortest way. */
brio_quat brio_mjcf_turn_z(brio_vec3 direction);

/* Angle of the file in rad. */
double brio_mjcf_angle(const brio_mjcf *mjcf, double value);

/* Count an ignored element. */
void brio_mjcf_ignore(brio_mjcf *mjcf, const brio_xml *element);

/* Return a name that is in use nowhere: `name`, or with ".2", ... behind it.  NULL: no memory. */
const char *brio_mjcf_new_name(brio_mjcf *mjcf, brio_name_index *taken, const char *name);

/* --- the parts --- */

/* Read all <compiler>s; the <mesh>es of all <asset>s, and ignore other assets. */
bool brio_mjcf_read_option(brio_mjcf *mjcf);
bool brio_mjcf_read_meshes(brio_mjcf *mjcf);

/* Make the joints of a body, and its link, which `held` (parent_from_body) is the place of; `body->link` is
** set. */
bool brio_mjcf_read_joints(brio_mjcf *mjcf, brio_mjcf_body *body, int parent, const brio_pose *held);

/* Read a geom that is at `frame` in its body. */
bool brio_mjcf_read_geom(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element,
                         const brio_pose *frame);

/* Make the mesh named `mesh` the shape of a geom; `found`: it could be read.  False: an error. */
bool brio_mjcf_use_mesh(brio_mjcf *mjcf, const brio_xml *geom, const char *mesh, brio_link_shape *out,
                        bool *found);

/* Whether a body has the mass of its geoms. */
bool brio_mjcf_uses_geom_mass(const brio_mjcf *mjcf, const brio_mjcf_body *body);

/* Add a solid of this mass (kg), with its principal moments for 1 kg about its centre (m^2), at a pose in the
** body. */
void brio_mjcf_add_solid(brio_mjcf_body *body, double mass, const double unit[3], const brio_pose *pose);

/* Add the hull of the mesh of `geom` with `mass` (kg) or, where that is negative, `density` (kg/m^3).  False:
** no memory, or it has no mass properties (corners farther than 1e9 m, by its scale). */
bool brio_mjcf_add_hull(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *geom,
                        const brio_link_shape *shape, double mass, double density);

/* Give a body's link its mass: of its <inertial>, or of its geoms.  Then scale all to the total, if one is
** given. */
bool brio_mjcf_set_mass(brio_mjcf *mjcf, const brio_mjcf_body *body);
void brio_mjcf_settle_mass(brio_mjcf *mjcf);

/* Return how many elements the sections of a name have. */
int brio_mjcf_count(const brio_mjcf *mjcf, const char *section);

/* Read <equality> and <contact>; <actuator>; <keyframe>. */
bool brio_mjcf_read_loops(brio_mjcf *mjcf);
bool brio_mjcf_read_contacts(brio_mjcf *mjcf);
bool brio_mjcf_read_actuators(brio_mjcf *mjcf);
bool brio_mjcf_read_keys(brio_mjcf *mjcf);

/* Return the link or the joint that the attribute `name` of an element names, or -1 and the error. */
int brio_mjcf_link(brio_mjcf *mjcf, const brio_xml *element, const char *name, const char *body);
int brio_mjcf_joint_of(brio_mjcf *mjcf, const brio_xml *element, const char *name, const char *joint);

#endif
