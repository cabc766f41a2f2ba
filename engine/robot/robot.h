/* The robot model: constant after loading, shared freely between threads.
**
** A robot is a tree of links joined by joints, link 0 at its root.  What can move is counted in variables,
** one number each: a revolute, continuous or prismatic joint has one, a planar joint three (x, y, angle), a
** floating joint six (x, y, z, roll, pitch, yaw).  A mimic joint has none of its own: its value is
** multiplier * (variable of its source) + offset.
**
** A configuration `q` is nq = 7 + nvariable numbers: the pose of the root link in the
** world (x y z, quaternion x y z w), then the variables in the order of the joints in
** the file.  A tangent vector is nv = 6 + nvariable numbers: linear velocity of the
** root link's origin (world axes, m/s), angular velocity (world axes, rad/s), then the
** variables' rates.  This holds for every robot: where the base is fixed, its seven
** numbers are constant and its six columns are simply not free. */
#ifndef BRIO_ROBOT_ROBOT_H
#define BRIO_ROBOT_ROBOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/system/log.h"
#include "base/name.h"
#include "math/pose.h"
#include "math/shape.h"

enum { BRIO_BASE_NQ = 7, BRIO_BASE_NV = 6 };

typedef enum brio_joint_type {
  BRIO_JOINT_FIXED,
  BRIO_JOINT_REVOLUTE,
  BRIO_JOINT_CONTINUOUS,
  BRIO_JOINT_PRISMATIC,
  BRIO_JOINT_PLANAR,
  BRIO_JOINT_FLOATING,
  BRIO_NJOINT_TYPE
} brio_joint_type;

typedef struct brio_link_shape {
  const char *name;        /* from the file, or "<link>", "<link>.2", ... */
  int link;                /* the link that carries it */
  brio_pose pose;          /* link_from_shape */
  brio_shape shape;        /* a mesh: its convex hull */
  const char *mesh;        /* file name as written; NULL: not a mesh */
  uint32_t contact_type, contact_affinity; /* bits: two shapes may touch if the type of one shares a
                           ** bit with the affinity of the other, as in MuJoCo; a URDF has 1 and 1.  For
                           ** simulators: the solver keeps all collision shapes apart */
} brio_link_shape;

/* Two links; pairs are those that may touch or pass through each other. */
typedef struct brio_link_pair {
  int links[2];
} brio_link_pair;

typedef enum brio_loop_type {
  BRIO_LOOP_POINT, /* the origins of both frames are one point (3 equations) */
  BRIO_LOOP_POSE,  /* both frames are one (6 equations) */
  BRIO_NLOOP_TYPE
} brio_loop_type;

/* What closes a kinematic loop, which a tree cannot hold: frames of two links coincide.  Kinematics and the
** solver know nothing of loops: their joints move independently there. */
typedef struct brio_loop {
  const char *name;        /* from the file, or "<link>-<link>" */
  brio_loop_type type;
  int links[2];
  brio_pose frames[2];     /* link_from_frame, in the order of `links` */
} brio_loop;

/* A configuration that the file names. */
typedef struct brio_named_pose {
  const char *name;
  const double *q;         /* nq, within the ranges */
} brio_named_pose;

typedef struct brio_link {
  const char *name;
  int parent;              /* index of the parent link, -1: the root */
  int joint;               /* index of the joint that carries it, -1: the root */
  double mass;             /* kg, 0: none given */
  brio_vec3 com;           /* centre of mass in the link's frame, m */
  double inertia[6];       /* about com, link's axes: xx xy xz yy yz zz, kg m^2 */
} brio_link;

typedef struct brio_joint {
  const char *name;
  brio_joint_type type;
  int parent, child;       /* link indices */
  brio_transform origin;   /* parent_from_joint at zero */
  brio_transform tail;     /* moved joint frame_from_child: identity, but for `stands_on`, and for joints
                           ** of an MJCF that are not at the origin of their body */
  brio_vec3 axis;          /* unit, joint frame; planar: the plane's normal */
  int variable;            /* first variable; a mimic joint: its source's; fixed: -1 */
  int nvariable;           /* 0, 1, 3 or 6; a mimic joint: 1, which is its source's */
  int mimic;               /* joint it copies, chains followed to their first; -1: none */
  double multiplier, offset; /* value = multiplier * variable + offset; 1 and 0 without mimic */
  double damping, friction;  /* N m s/rad, N m; or N s/m, N; 0: none given */
  double armature;           /* inertia of the rotor behind the gear, kg m^2, or kg; 0: none given */
  double stiffness;          /* of a spring, N m/rad or N/m; 0: no spring */
  double springref;          /* value of the joint at which the spring rests, rad or m */
} brio_joint;

typedef struct brio_variable {
  const char *name;        /* the joint's name; planar and floating: "<joint>.x", ... */
  int joint;
  bool circular;           /* continuous: no end to its range */
  bool angular;            /* rad; else m */
  double lower, upper;     /* rad or m; circular: -inf, inf */
  double velocity;         /* greatest speed, rad/s or m/s; INFINITY: none given */
  double acceleration;     /* greatest acceleration, rad/s^2 or m/s^2; INFINITY: none given */
  double effort;           /* greatest torque or force; INFINITY: none given */
  bool grip;               /* it shuts a hand: it is used at the ends of its range */
} brio_variable;

typedef enum brio_base_type {
  BRIO_BASE_FIXED,   /* the base stays where it is */
  BRIO_BASE_BOUNDED, /* it moves within base_range of base_center */
  BRIO_BASE_FREE,    /* it moves without limit */
} brio_base_type;

typedef struct brio_robot {
  const char *name;        /* as in the file */
  const char *file;        /* where it was read, for messages */
  uint64_t hash;           /* digest of the file's text, and of what it includes: caches are keyed by it */
  int nlink, njoint, nvariable, nq, nv;
  const brio_link *links;          /* nlink; a parent comes before its children */
  const brio_joint *joints;        /* njoint, in the file's order */
  const brio_variable *variables;  /* nvariable, in the order of the joints */
  const int *order;                /* njoint joint indices, parents before children */
  int ncollision, nvisual;
  const brio_link_shape *collisions, *visuals;
  int nloop, nexclude;
  const brio_loop *loops;          /* what closes loops, in the file's order; a URDF has none */
  const brio_link_pair *excludes;  /* links that the solver does not keep apart; a URDF names none */
  int npose;
  const brio_named_pose *poses;    /* key frames of an MJCF; a URDF has none */
  double mass;                     /* kg, of all links */
  double point_speed;              /* m/s: of any point, greatest, where `levers` are; see lever.h */
  const double *levers;            /* njoint, then the base's; NULL: points have no limit of their own */
  brio_base_type base;
  brio_pose base_center;           /* where a bounded base is at home */
  double base_range[6];            /* bounded: +- m along world axes, +- rad of the rotation
                                   ** vector away from base_center; 0: locked */
  int nwarning;
  const char *const *warnings;     /* what was odd in the file: sentences with file and line */
  brio_name_index link_index, joint_index, variable_index;
  struct brio_robot_program *program; /* what kinematics runs; made by brio_robot_load */
  brio_arena arena;                /* owns all of the above */
} brio_robot;

typedef struct brio_robot_options {
  const char *const *package_folders; /* where package://NAME/... is looked for: a folder that
                                      ** holds NAME, or is NAME; ends at NULL; may be NULL */
  bool independent_mimic;  /* give every mimic joint a variable of its own */
  const char *stands_on;   /* where the robot has a link of this name, the tree hangs from it and
                           ** not from the root that the file has: the joints between turn around,
                           ** keeping their names, variables and signs.  NULL: as in the file */
  brio_base_type base;     /* BRIO_BASE_FIXED unless set */
  brio_pose base_center;   /* all zero: identity */
  double base_range[6];    /* for BRIO_BASE_BOUNDED */
  const brio_log *log;     /* warnings are also written here; may be NULL */
} brio_robot_options;

/* Read a robot from a file; its first element says the format: <robot>, URDF; <mujoco>, MJCF, with the
** files that it includes.  `options` may be NULL.  Return a model to be given
** back with brio_robot_free, or NULL and in `err` what was wrong with file, line,
** element and what was expected (no_file, format, limit, no_memory). */
brio_robot *brio_robot_load(const char *file, const brio_robot_options *options, brio_error *err);

/* The same from `length` bytes of text; `name` stands for the file in messages, and
** mesh paths are looked up relative to its folder. */
brio_robot *brio_robot_parse(const char *text, size_t length, const char *name,
                             const brio_robot_options *options, brio_error *err);

/* Give a robot back.  NULL is allowed. */
void brio_robot_free(brio_robot *robot);

/* Return the index of the link, joint or variable of that name, or -1 and in `err`
** (misuse) the sentence "robot 'r' has no link 'x' (did you mean 'y'?)". */
int brio_robot_link(const brio_robot *robot, const char *name, brio_error *err);
int brio_robot_joint(const brio_robot *robot, const char *name, brio_error *err);
int brio_robot_variable(const brio_robot *robot, const char *name, brio_error *err);

/* Return "point" or "pose". */
const char *brio_loop_type_name(brio_loop_type type);

/* Return "revolute", "fixed", ... */
const char *brio_joint_type_name(brio_joint_type type);

/* Write the neutral configuration (nq): base at base_center, every variable 0, or the
** middle of its range where 0 is outside. */
void brio_robot_neutral(const brio_robot *robot, double *q);

/* Limits to be set before a robot is shared; NAN: leave as it is. */
typedef struct brio_limits {
  double lower, upper;   /* rad or m: within the range so far */
  double velocity;       /* rad/s or m/s, above 0; INFINITY: none */
  double acceleration;   /* rad/s^2 or m/s^2, above 0; INFINITY: none */
} brio_limits;

/* Set limits of a variable: a URDF has no accelerations, and a robot's own file may narrow
** ranges.  A circular variable that gets a range is not circular any longer.  Errors (misuse): no
** such variable, a range wider than the one so far or upside down, a limit not above 0. */
bool brio_robot_set_limits(brio_robot *robot, int variable, const brio_limits *limits, brio_error *err);

/* Say that a variable shuts a hand: no model says so. `variable`: 0 to nvariable - 1. */
void brio_robot_set_grip(brio_robot *robot, int variable);

/* A joint's elementary motion, for rooms that compute with them: one turn about an axis or one slide along
** it. A revolute, continuous or prismatic joint is one mover; a planar joint three, a floating joint six,
** each in the frame of the one before.  Frame 0 is the root link's; frame m is what mover m carries, and
** parents come before their children. */
typedef struct brio_mover {
  int parent;                /* frame it stands in */
  int q, v;                  /* its place in a configuration and in a tangent vector */
  bool slides;
  double multiplier, offset; /* value = multiplier q + offset */
  brio_vec3 axis;            /* unit; in the frame it carries */
} brio_mover;

/* Return the movers, count + 1 by frame; number 0 is not used.  They live as long as the robot. */
const brio_mover *brio_robot_movers(const brio_robot *robot, int *count);

/* Return parent_from_frame of mover m (1 to count) at the value 0. */
brio_transform brio_robot_mover_place(const brio_robot *robot, int m);

/* Return the frame in which a link is fixed, and write frame_from_link unless `place` is NULL. */
int brio_robot_frame_of(const brio_robot *robot, int link, brio_transform *place);

#endif
